import { describe, expect, test } from 'vitest';
import { mem2reg } from '../../src/passes/mem2reg.ts';
import { mainBehind } from '../support/passes.ts';

const head = `scope unit unit at a.hlsl:1:1
scope main function "main" in unit at a.hlsl:1:1
scope main.1 block in main at a.hlsl:2:1
variable $x "x": int in main.1 at a.hlsl:3:5-6
file a.hlsl
global @b: ptr<private, bool> private
global @n: ptr<private, int> private
global @f: ptr<private, float> private
`;
const main = (body: string): string =>
  `${head}function main(): void in main entry compute "main" {\n${body}\nreturn ; a.hlsl:9:1\n}\n`;
const lines = (body: string, positions = false): string[] => mainBehind(main(body), [mem2reg], positions);

describe('mem2reg', () => {
  test('a load gives what was stored last', () => {
    expect(
      lines('%x: ptr<function, int> = var\nstore %x, 1\nstore %x, 2\n%0: int = load %x\nstore @n, %0'),
    ).toEqual(['store @n, 2', 'return']);
  });

  test('what was never stored is undefined', () => {
    expect(lines('%x: ptr<function, int> = var\n%0: int = load %x\nstore @n, %0')[0]).toBe(
      'store @n, undef int',
    );
  });

  test('values leave an if as results', () => {
    expect(
      lines(`%x: ptr<function, int> = var
        store %x, 1
        %c: bool = load @b
        if %c { store %x, 2 yield } else { yield }
        %0: int = load %x
        store @n, %0`),
    ).toEqual([
      '%c: bool = load @b',
      '%x: int = if %c {',
      'yield 2',
      '} else {',
      'yield 1',
      '}',
      'store @n, %x',
      'return',
    ]);
  });

  test('no result where nobody reads it, or where all ways bring the value from before', () => {
    expect(
      lines(`%x: ptr<function, int> = var
        %c: bool = load @b
        if %c { store %x, 2 yield } else { store %x, 3 yield }
        store %x, 1
        if %c { store %x, 1 yield } else { yield }
        %0: int = load %x
        store @n, %0`),
    ).toEqual([
      '%c: bool = load @b',
      'if %c {',
      'yield',
      '} else {',
      'yield',
      '}',
      'if %c {',
      'yield',
      '} else {',
      'yield',
      '}',
      'store @n, 1',
      'return',
    ]);
  });

  test('loops hand values on; a variable that is only read there needs no parameter', () => {
    const text = lines(`%i: ptr<function, int> = var
      %k: ptr<function, int> = var
      %0: int = load @n
      store %k, %0
      store %i, 0
      loop {
        %1: int = load %i
        %2: int = load %k
        %c: bool = less %1, %2
        if %c { yield } else { break }
        %d: bool = load @b
        if %d { continue } else { yield }
        %3: int = load %i
        %4: int = add %3, 2
        store %i, %4
        continue
      } continuing {
        %5: int = load %i
        %6: int = add %5, 1
        store %i, %6
        repeat
      }
      %7: int = load %i
      store @n, %7`);
    expect(text).toContain('%i: int = loop (%i.2: int = 0) {');
    expect(text).toContain('%c: bool = less %i.2, %0');
    expect(text).toContain('break %i.2');
    expect(text).toContain('continue %i.2');
    expect(text.filter((line) => line.startsWith('} continuing'))).toEqual(['} continuing (%i.3: int) {']);
    expect(text).toContain('store @n, %i');
  });

  test('repeat_if hands values to the next turn and out', () => {
    const text = lines(`%i: ptr<function, int> = var
      store %i, 0
      loop { %0: int = load %i %1: int = add %0, 1 store %i, %1 continue } continuing {
        %2: int = load %i
        %c: bool = less %2, 8
        repeat_if %c () ()
      }
      %3: int = load %i
      store @n, %3`);
    expect(text.find((line) => line.startsWith('repeat_if'))).toBe('repeat_if %c (%i.3) (%i.3)');
  });

  test('a variable of one turn is not handed on', () => {
    const text = lines(`%t: ptr<function, int> = var
      loop {
        %0: int = load @n
        store %t, %0
        %1: int = load %t
        %c: bool = less %1, 3
        if %c { yield } else { break }
        continue
      } continuing { repeat }`);
    expect(text[0]).toBe('loop {');
  });

  test('a switch with results gets a group for all other selectors', () => {
    const text = lines(`%x: ptr<function, int> = var
      store %x, 1
      %0: int = load @n
      switch %0 { case 1 { store %x, 2 break } case 2 { yield } }
      %1: int = load %x
      store @n, %1`);
    expect(text.slice(1, 10)).toEqual([
      '%x: int = switch %0 {',
      'case 1 {',
      'break 2',
      '}',
      'case 2 {',
      'yield 1',
      '}',
      'case default {',
      'yield 1',
    ]);
  });

  test('no group is added for a switch that gives nothing', () => {
    const text = lines(`%x: ptr<function, int> = var
      %0: int = load @n
      switch %0 { case 1 { store %x, 2 break } }`);
    expect(text).not.toContain('case default {');
  });

  test('what falls into the next group stays in memory', () => {
    const text = lines(`%x: ptr<function, int> = var
      store %x, 1
      %0: int = load @n
      switch %0 { case 1 { store %x, 2 fallthrough } case 2 { %1: int = load %x store @n, %1 break } }`);
    expect(text[0]).toBe('%x: ptr<function, int> = var');
  });

  test('components become extracts and inserts, also at a run-time index', () => {
    const text = lines(
      `%v: ptr<function, float3> = var
      store %v, (0.0, 0.0, 0.0)
      %i: int = load @n
      %p: ptr<function, float> = access %v, 1
      store %p, 1.0
      %q: ptr<function, float> = access %v, %i
      %0: float = load %q
      store %q, 2.0
      %1: float = load %p
      %2: float = add %0, %1
      store @f, %2`.replace('(0.0, 0.0, 0.0)', 'float3(0.0, 0.0, 0.0)'),
    );
    expect(text).toEqual([
      '%i: int = load @n',
      '%0: float3 = insert float3(0.0, 0.0, 0.0), 1.0 [1]',
      '%1: float = extract_dynamic %0, %i',
      '%2: float3 = insert_dynamic %0, 2.0, %i',
      '%3: float = extract %2 [1]',
      '%4: float = add %1, %3',
      'store @f, %4',
      'return',
    ]);
  });

  test('arrays that are indexed at run time and memory that calls get stay', () => {
    const text = lines(`%a: ptr<function, int[4]> = var
      %i: int = load @n
      %p: ptr<function, int> = access %a, %i
      %0: int = load %p
      store @n, %0`);
    expect(text[0]).toBe('%a: ptr<function, int[4]> = var');
  });
});

describe('debug values of mem2reg', () => {
  test('each store leaves one at its place', () => {
    expect(
      lines(
        `%x: ptr<function, int> = var ; a.hlsl:3:5 in main.1
        debug_declare $x %x ; a.hlsl:3:5-6 in main.1
        store %x, 1 ; a.hlsl:4:1-6 in main.1
        store %x, 2 ; a.hlsl:5:1-6 in main.1`,
        true,
      ).slice(0, 2),
    ).toEqual(['debug_value $x 1  ; a.hlsl:4:1-6 in main.1', 'debug_value $x 2  ; a.hlsl:5:1-6 in main.1']);
  });

  test('joins and heads of loops have their own, at the place of what comes next', () => {
    const text = lines(
      `%x: ptr<function, int> = var ; a.hlsl:3:5 in main.1
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1
      store %x, 0 ; a.hlsl:3:5-10 in main.1
      loop { ; a.hlsl:4:1 in main.1
        %0: int = load %x ; a.hlsl:4:8 in main.1
        %c: bool = less %0, 8 ; a.hlsl:4:10 in main.1
        if %c {
        yield ; a.hlsl:4:10 in main.1
        } else {
        break ; a.hlsl:4:10 in main.1
        }
        continue ; a.hlsl:5:1 in main.1
      } continuing {
        %1: int = load %x ; a.hlsl:4:20 in main.1
        %2: int = add %1, 1 ; a.hlsl:4:20 in main.1
        store %x, %2 ; a.hlsl:4:20 in main.1
        repeat ; a.hlsl:4:20 in main.1
      }
      %3: int = load %x ; a.hlsl:7:1 in main.1
      store @n, %3 ; a.hlsl:7:5 in main.1`,
      true,
    ).filter((line) => line.startsWith('debug_value'));
    expect(text.map((line) => line.replace(/-\d+/, ''))).toEqual([
      'debug_value $x 0  ; a.hlsl:3:5 in main.1',
      'debug_value $x %x.2  ; a.hlsl:4:8 in main.1',
      'debug_value $x %x.2  ; a.hlsl:4:20 in main.1',
      'debug_value $x %0  ; a.hlsl:4:20 in main.1',
      'debug_value $x %x  ; a.hlsl:7:1 in main.1',
    ]);
  });

  test('behind an arm that returned the variable has the value from before', () => {
    const text = lines(
      `%x: ptr<function, int> = var ; a.hlsl:3:5 in main.1
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1
      store %x, 1 ; a.hlsl:3:5-10 in main.1
      %c: bool = load @b ; a.hlsl:4:5 in main.1
      if %c { ; a.hlsl:4:5 in main.1
      store %x, 2 ; a.hlsl:5:5-10 in main.1
      return ; a.hlsl:6:5 in main.1
      } else {
      yield ; a.hlsl:4:5 in main.1
      }
      store @n, 5 ; a.hlsl:7:1 in main.1`,
      true,
    ).filter((line) => line.startsWith('debug_value'));
    expect(text).toEqual([
      'debug_value $x 1  ; a.hlsl:3:5-10 in main.1',
      'debug_value $x 2  ; a.hlsl:5:5-10 in main.1',
      'debug_value $x 1  ; a.hlsl:7:1 in main.1',
    ]);
  });

  test('a declaration behind the store gives what is there', () => {
    const text = lines(`%x: ptr<function, int> = var
      store %x, 7
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1`);
    expect(text[0]).toBe('debug_value $x 7');
  });

  test('a store outside of the scope of the variable leaves none', () => {
    const text = lines(`%x: ptr<function, int> = var
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1
      store %x, 7 ; a.hlsl:1:1 in main`);
    expect(text).toEqual(['return']);
  });

  test('a value that ways leave behind and code does not need has ended, for arms without code go with their records', () => {
    const text = lines(`%x: ptr<function, int> = var
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1
      store %x, 0 ; a.hlsl:3:5-10 in main.1
      %c: bool = load @b ; a.hlsl:4:5 in main.1
      if %c { store %x, 7 ; a.hlsl:5:5 in main.1
      yield ; a.hlsl:5:5 in main.1
      } else { yield ; a.hlsl:4:5 in main.1
      }
      store @n, 5 ; a.hlsl:7:1 in main.1`);
    expect(text.filter((line) => line.startsWith('debug_value'))).toEqual([
      'debug_value $x 0',
      'debug_value $x 7',
      'debug_value $x undef int',
    ]);
  });

  test.each([
    ['at its test alone', '', ['0', '%0']],
    [
      'at two places',
      'if %c { store %x, 9 ; a.hlsl:5:1 in main.1\nbreak ; a.hlsl:5:1 in main.1\n} else { yield ; a.hlsl:5:1 in main.1\n}',
      ['0', '9', 'undef int', '%0', 'undef int'],
    ],
  ])('behind a loop that is left %s', (_, exit, expected) => {
    const text = lines(`%x: ptr<function, int> = var
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1
      store %x, 0 ; a.hlsl:3:5-10 in main.1
      loop { ; a.hlsl:4:1 in main.1
        %c: bool = load @b ; a.hlsl:4:5 in main.1
        if %c { yield ; a.hlsl:4:5 in main.1
        } else { break ; a.hlsl:4:5 in main.1
        }
        ${exit}
        %0: int = load @n ; a.hlsl:6:1 in main.1
        store %x, %0 ; a.hlsl:6:1 in main.1
        continue ; a.hlsl:6:1 in main.1
      } continuing {
        repeat ; a.hlsl:6:5 in main.1
      }
      store @n, 5 ; a.hlsl:7:1 in main.1`);
    expect(text.filter((line) => line.startsWith('debug_value'))).toEqual(
      expected.map((value) => `debug_value $x ${value}`),
    );
  });

  test('debug values keep nothing alive', () => {
    const text = lines(`%x: ptr<function, int> = var
      debug_declare $x %x ; a.hlsl:3:5-6 in main.1
      %c: bool = load @b
      if %c { store %x, 1 yield } else { store %x, 2 yield }`);
    expect(text).toContain('if %c {');
  });
});
