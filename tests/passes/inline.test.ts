import { describe, expect, test } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { print } from '../../src/ir/print.ts';
import { validate } from '../../src/ir/validate.ts';
import { inline } from '../../src/passes/inline.ts';

/** The functions behind the pass, without positions. */
function inlined(text: string): string {
  const module = parseModule(text);
  expect(validate(module)).toEqual([]);
  inline(module);
  expect(validate(module)).toEqual([]);
  const printed = print(module);
  return printed
    .slice(printed.indexOf('function main'))
    .replace(/ *;.*$/gm, '')
    .trim();
}

const entry = (body: string, rest: string): string =>
  `function main(): void entry compute "main" {\n${body}\nreturn\n}\n${rest}`;
const scopes = `scope unit unit at text.ir:1:1
scope main function "main" in unit at text.ir:1:1
scope f function "f" in unit at text.ir:1:1
scope g function "g" in unit at text.ir:1:1
`;

describe('inline', () => {
  test('variables move to the head, values take the place of parameters and the result', () => {
    const text = entry(
      '%o: ptr<function, float> = var\n%a: float = call f 1.0\nstore %o, %a',
      'function f(%x: float): float {\n%v: ptr<function, float> = var\nstore %v, %x\n%y: float = load %v\nreturn %y\n}',
    );
    expect(inlined(text)).toBe(`function main(): void in main entry compute "main" {
  %v: ptr<function, float> = var
  %o: ptr<function, float> = var
  store %v, 1.0
  %y: float = load %v
  store %o, %y
  return
}`);
  });

  test('an export that is called once keeps its body', () => {
    const text =
      'function g(): float {\n%a: float = call f\nreturn %a\n}\nfunction f(): float {\n%b: float = intrinsic "sin" 2.0\nreturn %b\n}\n';
    const module = parseModule(text);
    module.functions[0]!.attributes = ['export'];
    module.functions[1]!.attributes = ['export'];
    inline(module);
    expect(validate(module)).toEqual([]);
    expect(print(module).match(/intrinsic "sin"/g)).toHaveLength(2);
  });

  test('pointers bind to the memory of the caller', () => {
    const text = entry(
      '%o: ptr<function, float> = var\ncall f %o',
      'function f(%p: ptr<function, float>): void {\nstore %p, 2.0\nreturn\n}',
    );
    expect(inlined(text)).toContain('store %o, 2.0');
  });

  test('an early return makes the rest an arm', () => {
    const text = entry(
      '%o: ptr<function, float> = var\n%c: bool = less 1.0, 2.0\n%a: float = call f %c\nstore %o, %a',
      'function f(%c: bool): float {\nif %c {\nreturn 1.0\n} else {\nyield\n}\n%b: float = add 1.0, 2.0\nreturn %b\n}',
    );
    expect(inlined(text)).toContain(`  %0: float = if %c {
    yield 1.0
  } else {
    %b: float = add 1.0, 2.0
    yield %b
  }
  store %o, %0`);
  });

  test('a return deep in arms that go on breaks a switch of one group', () => {
    const text = entry(
      '%c: bool = less 1.0, 2.0\ncall f %c',
      `function f(%c: bool): void {
%v: ptr<function, float> = var
if %c {
if %c {
return
} else {
yield
}
store %v, 1.0
yield
} else {
yield
}
store %v, 2.0
return
}`,
    );
    expect(inlined(text)).toContain(`  switch 0u {
  case default {
    if %c {
      if %c {
        break
      } else {
        yield
      }
      store %v, 1.0
      yield
    } else {
      yield
    }
    store %v, 2.0
    break
  }
  }`);
  });

  test('a return in a loop leaves it with a flag', () => {
    const text = entry(
      '%o: ptr<function, float> = var\n%c: bool = less 1.0, 2.0\n%a: float = call f %c\nstore %o, %a',
      `function f(%c: bool): float {
loop {
if %c {
yield
} else {
break
}
if %c {
return 1.0
} else {
yield
}
continue
} continuing {
repeat
}
return 2.0
}`,
    );
    expect(inlined(text)).toContain(`  %0: bool, %1: float = loop {
    if %c {
      yield
    } else {
      break false, undef float
    }
    if %c {
      break true, 1.0
    } else {
      yield
    }
    continue
  } continuing {
    repeat
  }
  %2: float = if %0 {
    yield %1
  } else {
    yield 2.0
  }
  store %o, %2`);
  });

  test('a switch whose groups return gets a default that goes on', () => {
    const text = entry(
      '%o: ptr<function, float> = var\n%a: float = call f 3\nstore %o, %a',
      'function f(%i: int): float {\nswitch %i {\ncase 1 {\nreturn 1.0\n}\n}\nreturn 2.0\n}',
    );
    expect(inlined(text)).toContain(`  %0: bool, %1: float = switch 3 {
  case 1 {
    break true, 1.0
  }
  case default {
    break false, undef float
  }
  }`);
  });

  test('noinline functions stay, uncalled ones go', () => {
    const text = entry(
      'call f',
      'function f(): void attributes "noinline" {\nreturn\n}\nfunction g(): void {\nreturn\n}',
    );
    const out = inlined(text);
    expect(out).toContain('call f');
    expect(out).not.toContain('function g');
  });

  test('a function that discards stays called in a continuing block', () => {
    const text = entry(
      '%c: bool = less 1.0, 2.0\nloop {\nif %c {\nyield\n} else {\nbreak\n}\ncontinue\n} continuing {\ncall f\nrepeat\n}',
      'function f(): void {\ndiscard\nreturn\n}',
    );
    expect(inlined(text)).toContain('call f');
  });

  test('the call becomes the outermost link of each position', () => {
    const module = parseModule(
      `file a.hlsl\n${scopes.replaceAll('text.ir', 'a.hlsl')}function main(): void in main entry compute "main" {
  call g  ; a.hlsl:9:1
  call g  ; a.hlsl:9:8
  return  ; a.hlsl:10:1
}
function g(): void in g {
  call f  ; a.hlsl:5:1
  return  ; a.hlsl:6:1
}
function f(): void in f {
  discard  ; a.hlsl:2:1
  return  ; a.hlsl:3:1
}
`,
    );
    inline(module);
    expect(validate(module)).toEqual([]);
    const lines = print(module)
      .split('\n')
      .filter((line) => line.includes('discard'));
    expect(lines).toEqual([
      '  discard  ; a.hlsl:2:1 in f, from a.hlsl:5:1 in g, from a.hlsl:9:1',
      '  discard  ; a.hlsl:2:1 in f, from a.hlsl:5:1 in g, from a.hlsl:9:8',
    ]);
  });

  test('calls that double what they copy come to an end', () => {
    const levels = Array.from(
      { length: 40 },
      (_, i) =>
        `function f${i}(): void {\n${i === 0 ? '%v: ptr<function, int> = var' : `call f${i - 1}\ncall f${i - 1}`}\nreturn\n}\n`,
    );
    const module = parseModule(entry('call f39', levels.join('')));
    inline(module);
    expect(module.functions.length).toBeGreaterThan(1);
    expect(validate(module)).toEqual([]);
  });
});
