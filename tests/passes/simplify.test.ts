import { describe, expect, test } from 'vitest';
import { constfold } from '../../src/passes/constfold.ts';
import { simplify } from '../../src/passes/simplify.ts';
import { simplifyParts } from '../../src/passes/simplify-parts.ts';
import { bodyBehind, valueBehind } from '../support/passes.ts';

const parameters =
  '%x: float, %y: float, %i: int, %j: int, %u: uint, %b: bool, %c: bool, %d: double, %s: int16_t, %v: float4, %w: float4, %m: float2x2';

describe('simplify', () => {
  const after = (type: string, body: string): string => valueBehind(simplify, parameters, type, body);

  test.each([
    ['float', 'add %x, -0.0', '%x'],
    ['float', 'sub %x, 0.0', '%x'],
    ['float', 'mul 1.0, %x', '%x'],
    ['float', 'div %x, 1.0', '%x'],
    ['float4', 'mul %v, float4(1.0, 1.0, 1.0, 1.0)', '%v'],
    ['int', 'mul %i, 0', '0'],
    ['int', 'sub %i, %i', '0'],
    ['int', 'rem %i, 1', '0'],
    ['int', 'and %i, -1', '%i'],
    ['uint', 'and %u, 4294967295u', '%u'],
    ['uint', 'or %u, 4294967295u', '4294967295u'],
    ['int', 'xor %i, %i', '0'],
    ['int', 'shl %i, 32', '%i'],
    ['bool', 'logical_and %b, true', '%b'],
    ['bool', 'logical_or %b, true', 'true'],
    ['bool', 'equal %b, true', '%b'],
    ['bool', 'equal %i, %i', 'true'],
    ['bool', 'less %x, %x', 'false'],
    ['bool', 'less %u, 0u', 'false'],
    ['float', 'select %b, %x, %x', '%x'],
    ['float', 'select true, %x, %y', '%x'],
    ['bool', 'select %b, true, false', '%b'],
  ])('%s %s is %s', (type, value, expected) => {
    expect(after(type, `%r: ${type} = ${value}`)).toBe(expected);
  });

  test.each([
    ['float', 'add %x, 0.0'],
    ['float', 'sub -1.0, %x'],
    ['float', 'mul %x, 0.0'],
    ['float', 'sub %x, %x'],
    ['float', 'div %x, 3.0'],
    ['bool', 'equal %x, %x'],
    ['bool', 'less_equal %x, %x'],
    ['int', 'div %i, 4'],
    ['int', 'rem %i, 4'],
    ['int', 'convert %x'],
  ])('%s %s stays', (type, value) => {
    expect(after(type, `%r: ${type} = ${value}`)).toBe(`%r: ${type} = ${value}\nreturn %r`);
  });

  test.each([
    ['float', '%a: float = neg %x\n%r: float = neg %a', '%x'],
    ['float', '%a: float = neg %y\n%r: float = add %x, %a', 'sub %x, %y'],
    ['float', '%a: float = neg %y\n%r: float = sub %x, %a', 'add %x, %y'],
    ['float', '%a: float = mul %x, 3.0\n%r: float = neg %a', 'mul %x, -3.0'],
    ['float', '%a: float = precise mul %x, 3.0\n%r: float = neg %a', 'precise mul %x, -3.0'],
    ['float', '%r: float = sub -0.0, %x', 'neg %x'],
    ['float', '%r: float = div %x, 8.0', 'mul %x, 0.125'],
    ['int', '%a: int = add %i, 3\n%r: int = sub %a, 1', 'add %i, 2'],
    ['int', '%a: int = add 3, %i\n%r: int = sub %a, 3', '%i'],
    ['int', '%r: int = mul 8, %i', 'shl %i, 3'],
    ['uint', '%r: uint = div %u, 16u', 'shr %u, 4u'],
    ['uint', '%r: uint = rem %u, 16u', 'and %u, 15u'],
    ['uint', '%a: uint = shr %u, 3u\n%r: uint = shr %a, 4u', 'shr %u, 7u'],
    ['uint', '%a: uint = and 12u, %u\n%r: uint = and %a, 10u', 'and %u, 8u'],
    ['bool', '%a: bool = logical_not %b\n%r: bool = logical_not %a', '%b'],
    ['bool', '%a: bool = equal %x, %y\n%r: bool = logical_not %a', 'not_equal %x, %y'],
    ['bool', '%a: bool = less %i, %j\n%r: bool = logical_not %a', 'greater_equal %i, %j'],
    ['bool', '%a: bool = less %x, %y\n%r: bool = logical_not %a', 'logical_not %a'],
    ['bool', '%a: int = convert %b\n%r: bool = not_equal %a, 0', '%b'],
    ['bool', '%a: int = select %b, 4, 2\n%r: bool = equal 2, %a', 'logical_not %b'],
    ['bool', '%a: int = convert %b\n%r: bool = convert %a', '%b'],
    ['float', '%a: int = convert %b\n%r: float = convert %a', 'convert %b'],
    ['float', '%a: double = convert %x\n%r: float = convert %a', '%x'],
    ['int', '%a: uint = convert %i\n%r: int = convert %a', '%i'],
    ['float', '%a: int = convert %s\n%r: float = convert %a', 'convert %s'],
    ['float', '%a: uint = convert %i\n%r: float = convert %a', 'convert %a'],
    ['float', '%a: float = convert %d\n%q: double = convert %a\n%r: float = convert %q', '%a'],
    ['float', '%a: uint = bitcast %x\n%r: float = bitcast %a', '%x'],
    ['float', '%a: bool = logical_not %b\n%r: float = select %a, %x, %y', 'select %b, %y, %x'],
    ['float', '%a: float = select %b, %x, %y\n%r: float = select %b, %a, 1.0', 'select %b, %x, 1.0'],
    ['bool', '%r: bool = select %b, %c, false', 'logical_and %b, %c'],
    ['bool', '%r: bool = greater 1.0, %x', 'less %x, 1.0'],
  ])('%s %s', (type, body, expected) => {
    const lines = after(type, body).split('\n');
    const line = expected.startsWith('%') ? lines.at(-1)! : lines.at(-2)!;
    expect(line.replace(/^(return|.* =) /, '')).toBe(expected);
  });

  test('what replaces an instruction takes its name and position', () => {
    const text =
      'function f(%x: float, %y: float): float {\n%a: float = neg %y\n%r: float = add %x, %a\nreturn %r\n}\n';
    expect(
      bodyBehind(simplify, '%x: float, %y: float', 'float', text.split('\n').slice(1, -2).join('\n')),
    ).toEqual([
      '%a: float = neg %y',
      expect.stringMatching(/: float = sub %x, %y$/),
      expect.stringMatching(/^return /),
    ]);
  });
});

describe('simplifyParts', () => {
  const after = (type: string, body: string): string[] =>
    bodyBehind(simplifyParts, parameters, type, `${body}\nreturn %r`);

  test.each([
    ['float', '%a: float2 = construct %x, %y\n%r: float = extract %a [1]', '%y'],
    ['float', '%a: float3 = splat %x\n%r: float = extract %a [2]', '%x'],
    ['float', '%a: float4 = insert %v, %x [1]\n%r: float = extract %a [1]', '%x'],
    ['float4', '%r: float4 = swizzle %v [0, 1, 2, 3]', '%v'],
    [
      'float2x2',
      '%a: float2 = extract %m [0]\n%b: float2 = extract %m [1]\n%r: float2x2 = construct %a, %b',
      '%m',
    ],
    [
      'float2',
      '%a: float = extract %m [1, 0]\n%b: float = extract %m [1, 1]\n%c2: float2 = construct %a, %b\n%q: float2x2 = construct %c2, %c2\n%r: float2 = extract %q [0]',
      '/extract %m \\[1\\]/',
    ],
  ])('%s %s is %s', (type, body, expected) => {
    const lines = after(type, body);
    if (expected.startsWith('/')) expect(lines.join('\n')).toMatch(new RegExp(expected.slice(1, -1)));
    else expect(lines.at(-1)).toBe(`return ${expected}`);
  });

  test.each([
    ['float', '%a: float4 = swizzle %v [3, 2, 1, 0]\n%r: float = extract %a [0]', 'extract %v [3]'],
    ['float', '%a: float4 = insert %v, %x [1]\n%r: float = extract %a [2]', 'extract %v [2]'],
    ['float', '%r: float = swizzle %v [2]', 'extract %v [2]'],
    ['float', '%r: float = extract_dynamic %v, 1', 'extract %v [1]'],
    ['float4', '%r: float4 = insert_dynamic %v, %x, 1', 'insert %v, %x [1]'],
    ['float2', '%a: float4 = swizzle %v [3, 2, 1, 0]\n%r: float2 = swizzle %a [0, 3]', 'swizzle %v [3, 0]'],
    ['float2', '%a: float4 = construct %x, %y, %x, %y\n%r: float2 = swizzle %a [1, 2]', 'construct %y, %x'],
    ['float2', '%a: float4 = construct %x, %y, %x, %y\n%r: float2 = swizzle %a [0, 2]', 'splat %x'],
    ['float2', '%a: float4 = insert %v, %x [1]\n%r: float2 = swizzle %a [0, 2]', 'swizzle %v [0, 2]'],
    ['float2', '%a: float4 = insert %v, %x [1]\n%r: float2 = swizzle %a [0, 1]', 'swizzle %a [0, 1]'],
    ['float2', '%r: float2 = construct %x, %x', 'splat %x'],
    [
      'float2',
      '%a: float = extract %v [2]\n%e: float = extract %v [0]\n%r: float2 = construct %a, %e',
      'swizzle %v [2, 0]',
    ],
    [
      'float2',
      '%q: float2 = splat undef float\n%a: float2 = insert %q, %x [0]\n%r: float2 = insert %a, %y [1]',
      'construct %x, %y',
    ],
    ['float2', '%q: float2 = construct %x, %y\n%r: float2 = insert %q, %y [0]', 'splat %y'],
    ['float4', '%r: float4 = insert %v, %x [0]', 'insert %v, %x [0]'],
    ['float4', '%a: float4 = insert %v, %x [0]\n%r: float4 = insert %a, %y [0]', 'insert %v, %y [0]'],
  ])('%s %s gives %s', (type, body, expected) => {
    expect(
      after(type, body)
        .at(-2)!
        .replace(/^.* = /, ''),
    ).toBe(expected);
  });

  test('what was never set stays undefined', () => {
    const body =
      '%q: float4 = splat undef float\n%a: float4 = insert %v, %x [0]\n%r: float4 = insert %a, %y [1]';
    expect(after('float4', body).at(-2)).toMatch(/ insert /);
    expect(
      bodyBehind(
        [constfold, simplifyParts],
        parameters,
        'float4',
        '%q: float4 = splat undef float\n%a: float4 = insert %q, %x [0]\n%r: float4 = insert %a, %y [1]\nreturn %r',
      ).at(-2),
    ).toMatch(/ = construct %x, %y, undef float, undef float$/);
  });

  test('components from one other vector join', () => {
    const body = `%a: float = extract %w [0]
%e: float = extract %w [1]
%f: float4 = insert %v, %a [0]
%r: float4 = insert %f, %e [1]`;
    expect(after('float4', body).at(-2)).toMatch(/: float4 = construct %a, %e, %\w+, %\w+$/);
  });
});
