import { describe, expect, test } from 'vitest';
import { compileModule, type CompileOptions } from '../../src/compile.ts';
import { print } from '../../src/ir/print.ts';
import { assumeFinite } from '../../src/passes/assume-finite.ts';
import { valueBehind } from '../support/passes.ts';

const behind = (result: string, body: string): string =>
  valueBehind(assumeFinite, '%x: float, %y: float, %v: float2, %i: int', result, body);

test.each([
  ['float', '%r: float = sub %x, %x', '0.0'],
  ['bool', '%r: bool = equal %x, %x', 'true'],
  ['bool', '%r: bool = not_equal %x, %x', 'false'],
  ['bool', '%r: bool = greater_equal %x, %x', 'true'],
  ['bool', '%r: bool = intrinsic "isnan" %x', 'false'],
  ['bool2', '%r: bool2 = intrinsic "isinf" %v', 'bool2(false, false)'],
])('%s: %s', (type, body, value) => {
  expect(behind(type, body)).toBe(value);
});

test('the opposite of a comparison is the other one', () => {
  expect(behind('bool', '%c: bool = less %x, %y\n%r: bool = logical_not %c')).toContain(
    'greater_equal %x, %y',
  );
});

test.each([
  ['float', '%r: float = precise sub %x, %x'],
  ['float', '%r: float = mul %x, 0.0'],
  ['float', '%r: float = sub %x, %y'],
  ['float', '%r: float = div %x, %x'],
  ['bool', '%c: bool = less %i, %i\n%r: bool = logical_not %c'],
])('%s stays: %s', (type, body) => {
  expect(behind(type, body)).toBe(`${body}\nreturn %r`);
});

describe('-ffinite-math-only', () => {
  const module = (options: Partial<CompileOptions>): string => {
    const text = `RWBuffer<float> o;
[numthreads(1, 1, 1)] void main() { float x = o[0]; o[1] = isnan(x) || !isfinite(x) ? 7 : x - x; }`;
    return print(compileModule({ source: { name: 'a.hlsl', text }, profile: 'cs_6_0', ...options }).module!);
  };
  test('leaves nothing to ask', () => {
    const made = module({ finiteMathOnly: true });
    expect(made).not.toMatch(/isnan|isinf|select|sub/);
    expect(made).toMatch(/store %\d+, 0.0/);
  });
  test('without it, and with the optimizer off, all stays', () => {
    for (const options of [{}, { finiteMathOnly: true, optimize: 0 }] as const)
      expect(module(options)).toMatch(/isnan/);
  });
});
