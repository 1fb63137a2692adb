import { describe, expect, test } from 'vitest';
import { bytesOf, emitText } from '../support/spirv.ts';
import { findTool, validateSpirv, validationFlags } from '../support/tools.ts';

/** The opcodes behind the parameters of `f`, for a body that returns `%r`. */
function opcodes(result: string, body: string, optimizationLevel: 0 | 3 = 3): string[] {
  const { words, text } = emitText(
    `function main(): void entry compute "main" threads 1 1 1 {\nreturn\n}
function f(%x: float, %y: float, %v: float4, %w: float4, %p: float3, %m: float3x3): ${result} {\n${body}\nreturn %r\n}\n`,
    { optimizationLevel },
  );
  if (findTool('spirv-val')) expect(validateSpirv(bytesOf(words), validationFlags())).toBe('');
  const code = text.slice(text.lastIndexOf('OpLabel'), text.lastIndexOf('OpReturnValue'));
  return [...code.matchAll(/= Op(\w+)/g)].map((match) => match[1]!);
}

const parts = (of: string, ...components: number[]): string =>
  components.map((i) => `%${of}${i}: float = extract %${of} [${i}]`).join('\n');

describe('composites', () => {
  test('a vector or matrix times a scalar', () => {
    expect(opcodes('float4', '%s: float4 = splat %x\n%r: float4 = mul %s, %v')).toEqual([
      'VectorTimesScalar',
    ]);
    expect(opcodes('float3x3', '%s: float3x3 = splat %x\n%r: float3x3 = mul %m, %s')).toEqual([
      'MatrixTimesScalar',
    ]);
  });

  test('a splat that is used otherwise too is made', () => {
    const body = '%s: float4 = splat %x\n%q: float4 = mul %s, %v\n%r: float4 = add %q, %s';
    expect(opcodes('float4', body)).toEqual(['CompositeConstruct', 'VectorTimesScalar', 'FAdd']);
  });

  test.each([
    [
      'a whole vector and a scalar',
      'float4',
      `${parts('p', 0, 1, 2)}\n%r: float4 = construct %p0, %p1, %p2, %x`,
      ['CompositeConstruct'],
    ],
    [
      'some of a vector and constants',
      'float4',
      `${parts('v', 0, 1)}\n%r: float4 = construct %v0, %v1, 0.0, 1.0`,
      ['VectorShuffle'],
    ],
    [
      'one constant',
      'float4',
      `${parts('v', 2, 0, 1)}\n%r: float4 = construct %v2, %v0, %v1, 1.0`,
      ['VectorShuffle'],
    ],
    [
      'some of two vectors',
      'float4',
      `${parts('v', 0, 3)}\n${parts('p', 1, 2)}\n%r: float4 = construct %v0, %p1, %p2, %v3`,
      ['VectorShuffle'],
    ],
    [
      'some of a vector and scalars',
      'float4',
      `${parts('v', 1, 2)}\n%r: float4 = construct %x, %v1, %v2, %y`,
      ['VectorShuffle', 'CompositeConstruct'],
    ],
    [
      'single components',
      'float3',
      `${parts('v', 1)}\n%r: float3 = construct %x, %v1, %y`,
      ['CompositeExtract', 'CompositeConstruct'],
    ],
    ['scalars', 'float2', '%r: float2 = construct %x, %y', ['CompositeConstruct']],
  ])('a vector of %s', (_, type, body, expected) => {
    expect(opcodes(type, body)).toEqual(expected);
  });

  test('components with other uses are extracted for these', () => {
    const body = `${parts('p', 0, 1, 2)}\n%q: float4 = construct %p0, %p1, %p2, %p1\n%s: float4 = splat %p1\n%r: float4 = add %q, %s`;
    expect(opcodes('float4', body)).toEqual([
      'CompositeExtract',
      'VectorShuffle',
      'CompositeConstruct',
      'FAdd',
    ]);
  });

  test('without optimizer all parts are made', () => {
    expect(opcodes('float4', '%s: float4 = splat %x\n%r: float4 = mul %s, %v', 0)).toEqual([
      'CompositeConstruct',
      'FMul',
    ]);
  });
});
