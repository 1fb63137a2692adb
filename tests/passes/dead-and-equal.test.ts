import { describe, expect, test } from 'vitest';
import { cse } from '../../src/passes/cse.ts';
import { dce } from '../../src/passes/dce.ts';
import { bodyBehind } from '../support/passes.ts';

const declarations = `file a.hlsl
scope unit unit at a.hlsl:1:1
global @b: ptr<resource, ConstantBuffer<float4>> resource set 0 binding 0
global @s: ptr<resource, RWStructuredBuffer<float>> resource set 0 binding 1
global @in.var.A: ptr<input, float> input "in.var.A": float semantic "A" 0
variable $v "v": float in unit at a.hlsl:1:1`;
const behind = (pass: typeof cse, body: string): string =>
  bodyBehind(
    pass,
    '%c: bool, %x: float, %y: float, %i: int, %p: ptr<function, float>',
    'void',
    `${body}\nreturn`,
    declarations,
  )
    .slice(0, -1)
    .join('\n');

describe('dce', () => {
  test('unused pure code goes, its debug value ends', () => {
    expect(behind(dce, '%a: float = add %x, 1.0\ndebug_value $v %a')).toBe('debug_value $v undef float');
  });

  test('a variable that is only declared goes with the declaration', () => {
    expect(
      bodyBehind(
        dce,
        '',
        'void',
        '%a: ptr<function, float> = var\ndebug_declare $v %a\nreturn',
        declarations,
      ),
    ).toEqual(['return']);
  });

  test('effects stay, with what they need', () => {
    const body = '%a: float = add %x, 1.0\nif %c {\nstore %p, %a\nyield\n} else {\nyield\n}';
    expect(behind(dce, body)).toContain('store %p, %a');
  });

  test('control without effect goes', () => {
    expect(behind(dce, 'if %c {\n%a: float = load %p\nyield\n} else {\nyield\n}')).toBe('');
    const loop = `%r: int = loop (%n: int = 0) {
%d: bool = less %n, %i
if %d {\nyield\n} else {\nbreak %n\n}
continue
} continuing {
%m: int = add %n, 1
repeat %m
}`;
    expect(behind(dce, loop)).toBe('');
  });

  test('a loop that nothing leaves stays', () => {
    expect(bodyBehind(dce, '', 'void', 'loop {\ncontinue\n} continuing {\nrepeat\n}\nunreachable')).toContain(
      'loop {',
    );
  });

  test('values that only go in a circle go, the jumps stay', () => {
    const body = `%r: int, %q: float = loop (%n: int = 0, %a: float = %x) {
%d: bool = less %n, %i
if %d {\nyield\n} else {\nbreak %n, %a\n}
store %p, %x
%b: float = add %a, 1.0
continue %b
} continuing (%k: float) {
%m: int = add %n, 1
repeat %m, %k
}`;
    expect(behind(dce, body)).toBe(`loop (%n: int = 0) {
  %d: bool = less %n, %i
  if %d {
    yield
  } else {
    break
  }
  store %p, %x
  continue
} continuing {
  %m: int = add %n, 1
  repeat %m
}`);
  });
});

describe('dce and debug values of several parts', () => {
  const sets = `${declarations}
struct S {
  dir: float3,
  power: float
}
variable $s "s": S in unit at a.hlsl:1:3
variable $d "d": float2 in unit at a.hlsl:1:5`;
  const records = (body: string, parameters = ''): string[] =>
    bodyBehind(
      dce,
      `%x: float, %v: float3, %t: S, %p: ptr<function, float>${parameters}`,
      'void',
      `${body}\nreturn`,
      sets,
    ).filter((line) => line.startsWith('debug_value'));

  test('a struct that goes is told by its parts, all its records alike', () => {
    expect(
      records(`%a: S = construct %v, %x
debug_value $s %a
store %p, %x
%b: S = insert %a, 2.0 [1]
debug_value $s %b`),
    ).toEqual([
      'debug_value $s %v [0]',
      'debug_value $s %x [1]',
      'debug_value $s %v [0]',
      'debug_value $s 2.0 [1]',
    ]);
  });

  test('of a part that is gone nothing is told', () => {
    expect(records('%y: float = add %x, 1.0\n%a: S = construct %v, %y\ndebug_value $s %a')).toEqual([
      'debug_value $s %v [0]',
      'debug_value $s undef float [1]',
    ]);
  });

  test('a vector that goes is told by its components', () => {
    expect(records('%a: float2 = construct %x, 0.5\ndebug_value $d %a')).toEqual([
      'debug_value $d %x [0]',
      'debug_value $d 0.5 [1]',
    ]);
  });

  test('a vector that code computes stays whole, with the others of its variable', () => {
    expect(
      records(
        `%w: float2 = construct %x, %x
debug_value $d %w
%a: float2 = load %q
debug_value $d %a
store %q, %a`,
        ', %q: ptr<function, float2>',
      ),
    ).toEqual(['debug_value $d undef float2', 'debug_value $d %a']);
  });

  test('a value that lives in one piece keeps the others whole', () => {
    expect(records('debug_value $s %t\n%a: S = construct %v, %x\ndebug_value $s %a')).toEqual([
      'debug_value $s %t',
      'debug_value $s undef S',
    ]);
  });

  test('a value that lives stays whole', () => {
    expect(
      records('%a: S = construct %v, %x\ndebug_value $s %a\nstore %q, %a', ', %q: ptr<function, S>'),
    ).toEqual(['debug_value $s %a']);
  });
});

describe('cse', () => {
  test('an equal one that dominates takes over, with the debug values', () => {
    const body =
      '%a: float = mul %x, %y\n%b: float = mul %y, %x\ndebug_value $v %b\nstore %p, %b\nif %c {\n%d: float = mul %x, %y\nstore %p, %d\nyield\n} else {\nyield\n}';
    expect(behind(cse, body)).toBe(
      '%a: float = mul %x, %y\ndebug_value $v %a\nstore %p, %a\nif %c {\n  store %p, %a\n  yield\n} else {\n  yield\n}',
    );
  });

  test.each([
    ['order matters', '%a: float = sub %x, %y\n%b: float = sub %y, %x'],
    ['precise is another operation', '%a: float = mul %x, %y\n%b: float = precise mul %x, %y'],
    ['memory that changes', '%a: float = load %p\nstore %p, 1.0\n%b: float = load %p'],
    ['zeros of either sign', '%a: float = add %x, 0.0\n%b: float = add %x, -0.0'],
  ])('%s: both stay', (_, body) => {
    const out = behind(cse, `${body}\nstore %p, %a\nstore %p, %b`);
    expect(out).toContain('store %p, %b');
  });

  test('what one arm computed does not serve the other', () => {
    const arm = '%NAME: float = mul %x, %y\nstore %p, %NAME\nyield';
    const body = `if %c {\n${arm.replaceAll('NAME', 'a')}\n} else {\n${arm.replaceAll('NAME', 'b')}\n}`;
    expect(behind(cse, body)).toContain('store %p, %b');
  });

  test('reads of constant buffers are one', () => {
    const load = (name: string): string =>
      `%p${name}: ptr<uniform, float4, vulkan-uniform> = buffer_pointer @b\n%${name}: float4 = load %p${name}\n%x${name}: float = extract %${name} [0]\nstore %p, %x${name}`;
    expect(behind(cse, `${load('a')}\n${load('b')}`).match(/load/g)).toHaveLength(1);
  });

  test('derivatives are one within a block only', () => {
    const same = '%a: float = intrinsic "ddx" %x\nstore %p, %a\n%b: float = intrinsic "ddx" %x\nstore %p, %b';
    expect(behind(cse, same).match(/ddx/g)).toHaveLength(1);
    const inner =
      '%a: float = intrinsic "ddx" %x\nstore %p, %a\nif %c {\n%b: float = intrinsic "ddx" %x\nstore %p, %b\nyield\n} else {\nyield\n}';
    expect(behind(cse, inner).match(/ddx/g)).toHaveLength(2);
  });
});
