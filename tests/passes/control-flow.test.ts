import { describe, expect, test } from 'vitest';
import { simplifyIf } from '../../src/passes/simplify-if.ts';
import { simplifyLoop } from '../../src/passes/simplify-loop.ts';
import { simplifySwitch } from '../../src/passes/simplify-switch.ts';
import { bodyBehind, type Pass } from '../support/passes.ts';

const behind = (
  passes: Pass | readonly Pass[],
  body: string,
  parameters = '%c: bool, %x: float, %i: int',
): string =>
  bodyBehind(passes, `${parameters}, %p: ptr<function, float>`, 'void', `${body}\nreturn`, declarations)
    .slice(0, -1)
    .join('\n');
const declarations =
  'file a.hlsl\nscope unit unit at a.hlsl:1:1\nvariable $v "v": float in unit at a.hlsl:1:1';

describe('simplify-if', () => {
  test('equal code of both arms is one', () => {
    const body = `%r: float = if %c {
%a: float = mul %x, 3.0\n%b: float = add %a, 1.0\nyield %b
} else {
%d: float = mul %x, 3.0\n%e: float = sub %d, 1.0\nyield %e
}
store %p, %r`;
    expect(behind(simplifyIf, body)).toBe(
      '%a: float = mul %x, 3.0\n%b: float = add %a, 1.0\n%e: float = sub %a, 1.0\n%r: float = select %c, %b, %e\nstore %p, %r',
    );
  });

  test('a constant condition goes one way', () => {
    const body = '%r: float = if true {\nstore %p, 1.0\nyield %x\n} else {\nyield 2.0\n}\nstore %p, %r';
    expect(behind(simplifyIf, body)).toBe('store %p, 1.0\nstore %p, %x');
  });

  test('what follows a way that always leaves goes', () => {
    const body = 'if true {\nreturn\n} else {\nyield\n}\nstore %p, 1.0';
    expect(bodyBehind(simplifyIf, '%p: ptr<function, float>', 'void', `${body}\nreturn`)).toEqual(['return']);
  });

  test('little pure code runs both ways and is selected', () => {
    const body =
      '%r: float = if %c {\n%y: float = add %x, 1.0\nyield %y\n} else {\nyield %x\n}\nstore %p, %r';
    expect(behind(simplifyIf, body)).toBe(
      '%y: float = add %x, 1.0\n%r: float = select %c, %y, %x\nstore %p, %r',
    );
  });

  test.each([
    ['an effect', 'store %p, 1.0\nyield 1.0', ''],
    ['a load', '%y: float = load %p\nyield %y', ''],
    ['costly code', '%y: float = intrinsic "sin" %x\nyield %y', ''],
    ['derivatives', '%y: float = intrinsic "ddx" %x\nyield %y', ''],
    ['what [branch] asks for', '%y: float = add %x, 1.0\nyield %y', 'hint branch '],
  ])('%s keeps the if', (_, arm, hint) => {
    const body = `%r: float = if %c ${hint}{\n${arm}\n} else {\nyield 2.0\n}\nstore %p, %r`;
    expect(behind(simplifyIf, body)).toContain('if %c');
  });

  test('[flatten] runs costly code both ways', () => {
    const body =
      '%r: float = if %c hint flatten {\n%y: float = intrinsic "sin" %x\nyield %y\n} else {\nyield 2.0\n}\nstore %p, %r';
    expect(behind(simplifyIf, body)).toContain('select %c, %y, 2.0');
  });

  test.each([
    ['true', 'false', 'store %q, %c'],
    ['false', 'true', '%0: bool = logical_not %c\nstore %q, %0'],
    ['true', '%d', '%0: bool = logical_or %c, %d\nstore %q, %0'],
    ['%d', 'false', '%0: bool = logical_and %c, %d\nstore %q, %0'],
  ])('bools %s and %s need no select', (then, otherwise, expected) => {
    const body = `%r: bool = if %c {\nyield ${then}\n} else {\nyield ${otherwise}\n}\nstore %q, %r`;
    expect(
      behind(simplifyIf, body, '%c: bool, %d: bool, %q: ptr<function, bool>').replaceAll('%r', '%0'),
    ).toBe(expected);
  });

  test('a negated condition swaps the arms', () => {
    const body = `%n: bool = logical_not %c
if %n {\nstore %p, 1.0\nyield\n} else {\nstore %p, %x\nyield\n}`;
    expect(behind(simplifyIf, body)).toContain(`if %c {
  store %p, %x
  yield
} else {
  store %p, 1.0
  yield
}`);
    // The way out of a loop stays the second one.
    expect(behind(simplifyIf, `%n: bool = logical_not %c\nif %n {\nyield\n} else {\nreturn\n}`)).toContain(
      'if %n',
    );
  });

  test('equal results do not travel', () => {
    const body = '%r: float = if %c {\nstore %p, 1.0\nyield %x\n} else {\nyield %x\n}\nstore %p, %r';
    expect(behind(simplifyIf, body)).toBe(
      'if %c {\n  store %p, 1.0\n  yield\n} else {\n  yield\n}\nstore %p, %x',
    );
  });

  test('debug values keep no arm alive', () => {
    const body = 'if %c {\ndebug_value $v 1.0\nyield\n} else {\nyield\n}';
    expect(behind(simplifyIf, body)).toBe('');
  });

  test('the code of the arm that stays follows the one that leaves', () => {
    const body = 'if %c {\nreturn\n} else {\nstore %p, 1.0\nyield\n}';
    expect(behind(simplifyIf, body)).toBe('if %c {\n  return\n} else {\n  yield\n}\nstore %p, 1.0');
  });

  test('conditions of nested ifs are one', () => {
    const body =
      'if %c {\n%d: bool = less %x, 1.0\nif %d {\nstore %p, 1.0\nyield\n} else {\nyield\n}\nyield\n} else {\nyield\n}';
    expect(behind(simplifyIf, body)).toBe(`%d: bool = less %x, 1.0
%0: bool = logical_and %c, %d
if %0 {
  store %p, 1.0
  yield
} else {
  yield
}`);
  });

  test('what is told in front of the inner one is told in its arm', () => {
    const body =
      'if %c {\ndebug_value $v 2.0\n%d: bool = less %x, 1.0\nif %d {\nstore %p, 1.0\nyield\n} else {\nyield\n}\nyield\n} else {\nyield\n}';
    expect(behind(simplifyIf, body)).toContain('if %0 {\n  debug_value $v 2.0\n  store %p, 1.0');
  });
});

describe('simplify-switch', () => {
  test('a constant chooses a group and those it falls into', () => {
    const body = `%r: float = switch 2 {
case 1 {\nbreak 3.0\n}
case 2, 3 {\nstore %p, 1.0\nfallthrough\n}
case default {\nbreak %x\n}
}\nstore %p, %r`;
    expect(behind(simplifySwitch, body)).toBe('store %p, 1.0\nstore %p, %x');
  });

  test('without a group for the constant nothing is left', () => {
    expect(behind(simplifySwitch, 'switch 7 {\ncase 1 {\nstore %p, 1.0\nbreak\n}\n}')).toBe('');
  });

  test('jumps out of the only group become ends of arms', () => {
    const body = `%r: float = switch %i {
case default {
if %c {\nbreak 1.0\n} else {\nyield\n}
store %p, 1.0
break %x
}
}\nstore %p, %r`;
    expect(behind(simplifySwitch, body)).toBe(`%0: float = if %c {
  yield 1.0
} else {
  store %p, 1.0
  yield %x
}
store %p, %0`);
  });

  test('groups that do nothing go', () => {
    const body = `switch %i {
case 1 {\nbreak\n}
case 2 {\nstore %p, 1.0\nbreak\n}
case default {\nbreak\n}
}`;
    expect(behind(simplifySwitch, body)).toBe('switch %i {\ncase 2 {\n  store %p, 1.0\n  break\n}\n}');
  });

  test('unless their labels would fall to a default', () => {
    const body = `switch %i {
case 1 {\nbreak\n}
case default {\nstore %p, 1.0\nbreak\n}
}`;
    expect(behind(simplifySwitch, body)).toContain('case 1');
  });
});

describe('simplify-loop', () => {
  test('a loop that never goes on is a switch of one group', () => {
    const body = `%r: float = loop (%a: float = %x) {
store %p, %a
break %a
} continuing {
repeat 1.0
}\nstore %p, %r`;
    expect(behind([simplifyLoop, simplifySwitch], body)).toBe('store %p, %x\nstore %p, %x');
  });

  test('parameters that keep their value are the value', () => {
    const body = `loop (%a: float = %x, %n: int = 0) {
%d: bool = less %n, %i
if %d {\nyield\n} else {\nbreak\n}
store %p, %a
%m: int = add %n, 1
continue %a, %m
} continuing (%b: float, %k: int) {
repeat %b, %k
}`;
    expect(behind(simplifyLoop, body)).toBe(`loop (%n: int = 0) {
  %d: bool = less %n, %i
  if %d {
    yield
  } else {
    break
  }
  store %p, %x
  %m: int = add %n, 1
  continue %m
} continuing (%k: int) {
  repeat %k
}`);
  });

  test('results that are one constant are the constant', () => {
    const body = `%r: float = loop {
if %c {\nbreak 1.0\n} else {\nyield\n}
store %p, %x
continue
} continuing {
repeat_if %c () (1.0)
}\nstore %p, %r`;
    const out = behind(simplifyLoop, body);
    expect(out).toContain('store %p, 1.0');
    expect(out).toContain('repeat_if %c\n');
  });
});
