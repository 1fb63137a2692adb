import { expect, test } from 'vitest';
import { repeatDebugValues } from '../../src/spirv/legalize/repeat-debug-values.ts';
import { mainBehind } from '../support/passes.ts';

const head = `scope unit unit at a.hlsl:1:1
scope main function "main" in unit at a.hlsl:1:1
scope main.1 block in main at a.hlsl:2:1
scope main.2 block in main.1 at a.hlsl:3:1
scope f function "f" in unit at a.hlsl:8:1
scope f.1 block in f at a.hlsl:8:3
variable $x "x": int in main.1 at a.hlsl:3:5-6
variable $y "y": int in main.1 at a.hlsl:3:8-9
variable $p "p": int in f at a.hlsl:8:5-6
variable $q "q": int in f at a.hlsl:8:8-9
file a.hlsl
global @b: ptr<private, bool> private
global @n: ptr<private, int> private
`;
/** Lines may end in `@` and a line number, at which they stand in main.1, or `/` and the number of another scope. */
const lines = (body: string): string[] => {
  const placed = body.replace(
    /@(\d+)(?:\/(\d))?$/gm,
    (_, line, scope) => `; a.hlsl:${line}:1 in main.${scope || 1}`,
  );
  const text = `${head}function main(): void in main entry compute "main" {\n${placed}\nreturn ; a.hlsl:9:1 in main.1\n}\n`;
  return mainBehind(text, [repeatDebugValues], true).map((line) =>
    line.replace(/ {2}; a.hlsl:(\d+).*/, ' @$1'),
  );
};
const records = (body: string): string[] => lines(body).filter((line) => line.startsWith('debug_value'));

test('the other arm shows the value from before', () => {
  expect(
    lines(`debug_value $x 0 @1
      %c: bool = load @b @1
      if %c { @1
        debug_value $x 1 @2
        store @n, 1 @3
        yield @3
      } else {
        store @n, 2 @4
        yield @4
      }
      debug_value $x 3 @5`),
  ).toEqual([
    'debug_value $x 0 @1',
    '%c: bool = load @b @1',
    'if %c { @1',
    'debug_value $x 1 @2',
    'store @n, 1 @3',
    'yield @3',
    '} else {',
    'debug_value $x 0 @4',
    'store @n, 2 @4',
    'yield @4',
    '}',
    'debug_value $x 3 @5',
    'return @9',
  ]);
});

test('where ways with different values meet the value is unknown', () => {
  const body = `debug_value $x 0 @1
    %c: bool = load @b @1
    if %c { @1
      debug_value $x 1 @2
      store @n, 4 @2
      yield @2
    } else {
      yield @2
    }
    store @n, 5 @4`;
  expect(records(body)).toEqual([
    'debug_value $x 0 @1',
    'debug_value $x 1 @2',
    'debug_value $x undef int @4',
  ]);
});

test('equal values that meet are shown', () => {
  const body = `%c: bool = load @b @1
    if %c { @1
      debug_value $x 1 @2
      store @n, 4 @2
      yield @2
    } else {
      debug_value $x 1 @3
      store @n, 5 @3
      yield @3
    }
    store @n, 5 @4`;
  expect(records(body)).toEqual(['debug_value $x 1 @2', 'debug_value $x 1 @3']);
});

test('a value from an inner scope is repeated behind it', () => {
  const body = `debug_value $x 0 @1
    debug_value $x 1 @2/2
    store @n, 1 @3`;
  expect(records(body)).toEqual(['debug_value $x 0 @1', 'debug_value $x 1 @2', 'debug_value $x 1 @3']);
});

test('at the head of a loop the value is unknown, unless a record says it', () => {
  const loop = (first: string): string => `debug_value $x 0 @1
    loop (%i: int = 0) { @2
      ${first}
      %c: bool = load @b @2
      if %c { @2
        yield @2
      } else {
        break @2
      }
      debug_value $x 7 @3
      continue @3
    } continuing {
      %j: int = add %i, 1 @4
      repeat %j @4
    }`;
  expect(records(loop(''))).toEqual([
    'debug_value $x 0 @1',
    'debug_value $x undef int @2',
    'debug_value $x 7 @3',
    'debug_value $x undef int @9',
  ]);
  expect(records(loop('debug_value $x %i @2'))).toEqual([
    'debug_value $x 0 @1',
    'debug_value $x %i @2',
    'debug_value $x 7 @3',
    'debug_value $x undef int @9',
  ]);
});

test('what a turn began with is still known in the continuing block', () => {
  expect(
    records(`loop (%i: int = 0) { @3
      debug_value $x %i @3
      %c: bool = load @b @4
      if %c { @4
        store @n, 1 @4
        continue @4
      } else {
        debug_value $x 5 @5
        store @n, 2 @5
        break @5
      }
      unreachable @5
    } continuing {
      %j: int = add %i, 1 @6
      repeat %j @6
    }`).slice(-2),
  ).toEqual(['debug_value $x %i @6', 'debug_value $x 5 @9']);
});

test('a record in an inlined call waits until the call is left', () => {
  const body = `debug_value $x 0 @1
    debug_value $x 1 ; a.hlsl:8:2 in f, from a.hlsl:2:1-4 in main.1
    store @n, 1 ; a.hlsl:8:3 in f, from a.hlsl:2:1-4 in main.1
    store @n, 2 @3`;
  expect(records(body)).toEqual(['debug_value $x 0 @1', 'debug_value $x 1 @3']);
});

test('records of an arm without code wait, for such an arm is left out', () => {
  const body = `debug_value $x 0 @1
    %c: bool = load @b @1
    if %c { @1
      debug_value $x 1 @2
      yield @2
    } else {
      store @n, 5 @3
      debug_value $x 1 @3
      store @n, 6 @3
      yield @3
    }
    debug_value $y 0 @4
    if %c { @4
      debug_value $y 1 @5
      yield @5
    } else {
      store @n, 7 @6
      yield @6
    }
    store @n, 8 @7`;
  expect(records(body)).toEqual([
    'debug_value $x 0 @1',
    'debug_value $x 1 @3',
    'debug_value $y 0 @4',
    'debug_value $y undef int @7',
  ]);
});

test('records in front of a jump stay: readers stop there, except in the test at the head of a loop', () => {
  const loop = (before: string) => `loop { @1
      %c: bool = load @b @2
      if %c { @2
        debug_value $x 1 @3
        break @4
      } else {
        ${before}
        yield @5
      }
      continue @6
    } continuing {
      %d: bool = load @b @7
      repeat_if %d () () @7
    }
    store @n, 5 @8`;
  expect(records(loop('store @n, 4 @5'))).toEqual(['debug_value $x 1 @3', 'debug_value $x undef int @5']);
  expect(records(loop(''))).toEqual([]);
});

test('a loop between the branch and the next code of the scope', () => {
  const body = `debug_value $x 0 @1
    %c: bool = load @b @1
    if %c { @1
      debug_value $x 1 @2
      store @n, 4 @2
      yield @2
    } else {
      yield @2
    }
    loop () { ; a.hlsl:8:1 in f, from a.hlsl:4:1 in main.1
      store @n, 5 ; a.hlsl:8:1 in f, from a.hlsl:4:1 in main.1
      continue ; a.hlsl:8:1 in f, from a.hlsl:4:1 in main.1
    } continuing () {
      repeat_if %c ; a.hlsl:8:1 in f, from a.hlsl:4:1 in main.1
    }
    store @n, 6 @5`;
  expect(records(body)).toEqual([
    'debug_value $x 0 @1',
    'debug_value $x 1 @2',
    'debug_value $x undef int @5',
  ]);
});

test('a record in front of an inlined call tells of the others too', () => {
  const body = `debug_value $x 0 @1
    %c: bool = load @b @1
    if %c { @1
      debug_value $x 1 @2
      store @n, 4 @2
      yield @2
    } else {
      yield @2
    }
    debug_value $y 7 @4
    store @n, 5 ; a.hlsl:8:1 in f, from a.hlsl:4:1 in main.1
    store @n, 6 @5`;
  expect(records(body).slice(2)).toEqual(['debug_value $x undef int @4', 'debug_value $y 7 @4']);
});

test('a record that stands behind one that waits for its call to be left is a stop as any', () => {
  const inF = (line: number) => `; a.hlsl:${line}:1 in f, from a.hlsl:4:1 in main.1`;
  const body = `debug_value $p 0 ${inF(8)}
    %c: bool = load @b ${inF(8)}
    if %c { ${inF(8)}
      debug_value $p 1 ${inF(8)}
      store @n, 4 ${inF(8)}
      yield ${inF(8)}
    } else {
      yield ${inF(8)}
    }
    debug_value $y 7 ${inF(9)}
    debug_value $q 3 ${inF(9)}
    store @n, 6 @5`;
  expect(records(body).slice(2)).toEqual([
    'debug_value $p undef int @9',
    'debug_value $q 3 @9',
    'debug_value $y 7 @5',
  ]);
});

test('each turn of a loop begins at the loop: what is known there is told there', () => {
  expect(
    lines(`debug_value $x 0 @1
      debug_value $y 0 @1
      loop (%i: int = 1) { @2
        debug_value $x %i @3
        store @n, %i @3
        debug_value $y 7 @3
        continue @3
      } continuing {
        %j: int = add %i, 1 @4
        %c: bool = less %j, 9 @4
        repeat_if %c (%j) () @4
      }`).filter((line) => line.startsWith('debug_value') || line.startsWith('store')),
  ).toEqual([
    'debug_value $x 0 @1',
    'debug_value $y 0 @1',
    'debug_value $x %i @2',
    'debug_value $y undef int @2',
    'store @n, %i @3',
    'debug_value $y 7 @3',
  ]);
});

test('a reader for which the innermost scope counts forgets no record of an inner scope', () => {
  expect(
    records(`debug_value $x 1 @2/2
      store @n, 1 @2/2
      debug_value $x 2 @3
      store @n, 2 @3
      store @n, 3 @4/2
      store @n, 4 @5/2`),
  ).toEqual(['debug_value $x 1 @2', 'debug_value $x 2 @3', 'debug_value $x 2 @4']);
});

test('a reader for which copies of a function are one shows what the copy before has left', () => {
  const at = (line: number, scope: string, call: number) =>
    `; a.hlsl:${line}:1 in ${scope}, from a.hlsl:${call}:1 in main.1`;
  expect(
    records(`debug_value $p 1 ${at(8, 'f', 1)}
      debug_value $p 2 ${at(9, 'f.1', 1)}
      store @n, 2 ${at(9, 'f.1', 1)}
      debug_value $p 5 ${at(8, 'f', 2)}
      store @n, 5 ${at(10, 'f.1', 2)}
      store @n, 6 ${at(11, 'f.1', 2)}`),
  ).toEqual(['debug_value $p 1 @8', 'debug_value $p 2 @9', 'debug_value $p 5 @8', 'debug_value $p 5 @10']);
});
