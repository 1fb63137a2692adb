import { expect, test } from 'vitest';
import { dce } from '../../src/passes/dce.ts';
import { vectorForms } from '../../src/spirv/legalize/vector-forms.ts';
import { valueBehind } from '../support/passes.ts';

const parts = (name: string, from: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `%${name}${i}: float = extract ${from} [${i}]\n`).join('');
const behind = (type: string, body: string): string =>
  valueBehind([vectorForms, dce], '%v: float3, %w: float4, %u: float2, %s: float, %m: float2x2', type, body);

test.each([
  [
    'a whole vector and numbers',
    'float4',
    `${parts('a', '%u', 2)}%r: float4 = construct %a0, %a1, %s, 1.0`,
    '%r: float4 = compose %u, %s, 1.0',
  ],
  [
    'a part of a vector and numbers',
    'float4',
    `${parts('a', '%w', 2)}%r: float4 = construct %a1, %a0, %s, 1.0`,
    '%0: float2 = swizzle %w [1, 0]\n%r: float4 = compose %0, %s, 1.0',
  ],
  [
    'parts of two vectors',
    'float4',
    `${parts('a', '%v', 3)}%b: float = extract %w [3]\n%r: float4 = construct %a0, %a1, %a2, %b`,
    '%r: float4 = shuffle %v, %w [0, 1, 2, 6]',
  ],
  [
    'parts of a vector and constants',
    'float4',
    `${parts('a', '%v', 3)}%r: float4 = construct %a0, %a1, %a2, 1.0`,
    '%r: float4 = shuffle %v, float2(1.0, 1.0) [0, 1, 2, 3]',
  ],
  [
    'undefined parts',
    'float4',
    `${parts('a', '%w', 2)}%r: float4 = construct %a1, %a0, undef float, 1.0`,
    '%r: float4 = shuffle %w, float2(1.0, 1.0) [1, 0, 0, 4]',
  ],
  [
    'numbers alone',
    'float2',
    '%a: float = add %s, 1.0\n%r: float2 = construct %a, %s',
    '%a: float = add %s, 1.0\n%r: float2 = construct %a, %s',
  ],
  [
    'a product with a number',
    'float3',
    '%a: float3 = splat %s\n%r: float3 = mul %a, %v',
    '%r: float3 = scale %v, %s',
  ],
  [
    'a matrix times a number',
    'float2x2',
    '%a: float2x2 = splat %s\n%r: float2x2 = mul %m, %a',
    '%r: float2x2 = scale %m, %s',
  ],
  [
    'a precise product',
    'float3',
    '%a: float3 = splat %s\n%r: float3 = precise mul %a, %v',
    '%r: float3 = precise scale %v, %s',
  ],
])('%s', (_, type, body, expected) => {
  const out = behind(type, body).replace(/\nreturn .*$/, '');
  // The value's name stays with the value that is gone.
  const nameless = (text: string): string => text.replace(/%r/g, '%0');
  expect(nameless(out).replace(/%[01]: (?=float4 = compose)/g, '%0: ')).toBe(nameless(expected));
});
