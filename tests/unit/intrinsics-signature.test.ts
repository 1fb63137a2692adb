import { describe, expect, it } from 'vitest';
import { matchIntrinsic } from '../../src/intrinsics/signature.ts';
import { findFunctions, findMethods } from '../../src/intrinsics/table.ts';
import {
  array,
  boolType,
  buffer,
  doubleType,
  errorType,
  floatType,
  intType,
  literalFloat,
  literalInt,
  matrix,
  sampler,
  scalar,
  type TextureType,
  type Type,
  texture,
  typeName,
  uintType,
  vector,
} from '../../src/types/type.ts';

const float = (count: number) => vector(floatType, count);
const half = scalar('half');

function choose(name: string, types: Type[], environment: Parameters<typeof matchIntrinsic>[2] = {}): string {
  const rows = environment.objectType ? findMethods(environment.objectType, name) : findFunctions(name);
  const chosen = matchIntrinsic(
    rows,
    types.map((type) => ({ type, lvalue: true })),
    environment,
  );
  if ('failure' in chosen) return chosen.failure;
  const { parameters, result } = chosen.match;
  return `${typeName(result)} (${parameters.map((p) => (p.mode === 'in' ? '' : `${p.reference ? 'ref' : p.mode} `) + typeName(p.type)).join(', ')})`;
}

describe('element types', () => {
  it.each<[string, Type[], string]>([
    ['max', [literalInt, literalInt], 'int (int, int)'],
    ['max', [literalInt, uintType], 'uint (uint, uint)'],
    ['max', [intType, uintType], 'uint (uint, uint)'],
    ['max', [literalInt, floatType], 'float (float, float)'],
    ['max', [literalFloat, intType], 'float (float, float)'],
    ['max', [literalFloat, half], 'half (half, half)'],
    ['max', [half, half], 'half (half, half)'],
    ['max', [half, floatType], 'float (float, float)'],
    ['max', [literalFloat, scalar('min16float')], 'min16float (min16float, min16float)'],
    ['max', [doubleType, floatType], 'double (double, double)'],
    ['max', [scalar('int64_t'), intType], 'int64_t (int64_t, int64_t)'],
    ['max', [boolType, boolType], 'float (float, float)'],
    ['max', [boolType, intType], 'int (int, int)'],
    ['sqrt', [doubleType], 'float (float)'],
    ['sqrt', [intType], 'float (float)'],
    ['sqrt', [literalInt], 'float (float)'],
    ['sqrt', [boolType], 'float (float)'],
    ['sqrt', [scalar('float16_t')], 'float16_t (float16_t)'],
    ['rcp', [doubleType], 'double (double)'],
    ['pow', [literalInt, literalInt], 'float (float, float)'],
    ['pow', [literalFloat, floatType], 'float (float, float)'],
    ['isnan', [float(3)], 'bool3 (float3)'],
    ['sign', [float(2)], 'int2 (float2)'],
    ['any', [vector(boolType, 4)], 'bool (bool4)'],
    ['any', [vector(uintType, 4)], 'bool (uint4)'],
    ['fma', [doubleType, doubleType, doubleType], 'double (double, double, double)'],
    ['fma', [literalFloat, doubleType, literalFloat], 'double (double, double, double)'],
    ['select', [vector(boolType, 3), float(3), literalFloat], 'float3 (bool3, float3, float3)'],
    ['select', [boolType, float(3), float(3)], 'float3 (bool3, float3, float3)'],
    ['and', [vector(intType, 3), vector(boolType, 3)], 'bool3 (bool3, bool3)'],
  ])('%s %#', (name, types, expected) => {
    expect(choose(name, types)).toBe(expected);
  });

  it('knows what half is with 16-bit types', () => {
    const environment = { enable16BitTypes: true };
    expect(choose('clip', [half], environment)).toBe('void (float)');
    expect(choose('clip', [half])).toBe('void (half)');
    expect(choose('sqrt', [half], environment)).toBe('half (half)');
  });

  it('refuses elements of strict classes', () => {
    expect(choose('fma', [floatType, floatType, floatType])).toBe(
      "argument 1 of 'fma' cannot have the element type 'float'; it is 'T fma(T a, T b, T c) where T: double!'",
    );
  });

  it('lets faulty arguments pass', () => {
    expect(choose('max', [errorType, float(3)])).toBe('<error> (float3, float3)');
  });
});

describe('shapes', () => {
  it.each<[string, Type[], string]>([
    ['clamp', [float(3), literalInt, literalInt], 'float3 (float3, float3, float3)'],
    ['lerp', [literalInt, float(3), floatType], 'float3 (float3, float3, float3)'],
    ['min', [float(4), float(3)], 'float3 (float3, float3)'],
    ['min', [float(1), float(3)], 'float1 (float1, float1)'],
    ['dot', [float(4), float(3)], 'float (float3, float3)'],
    ['dot', [floatType, floatType], 'float (float, float)'],
    ['dot', [vector(intType, 2), vector(intType, 2)], 'int (int2, int2)'],
    ['cross', [float(4), float(3)], 'float3 (float3, float3)'],
    ['refract', [float(3), float(3), literalFloat], 'float3 (float3, float3, float)'],
    ['abs', [matrix(floatType, 3, 4)], 'float3x4 (float3x4)'],
    ['max', [matrix(floatType, 3, 4), literalInt], 'float3x4 (float3x4, float3x4)'],
    ['transpose', [matrix(floatType, 3, 4)], 'float4x3 (float3x4)'],
    ['transpose', [matrix(boolType, 1, 2)], 'bool2x1 (bool1x2)'],
    ['determinant', [matrix(floatType, 3, 3)], 'float (float3x3)'],
    ['lit', [floatType, floatType, literalInt], 'float4 (float, float, float)'],
    ['mul', [floatType, floatType], 'float (float, float)'],
    ['mul', [float(3), floatType], 'float3 (float3, float)'],
    ['mul', [float(3), float(3)], 'float (float3, float3)'],
    ['mul', [float(4), matrix(floatType, 4, 4)], 'float4 (float4, float4x4)'],
    ['mul', [float(3), matrix(floatType, 4, 4)], 'float4 (float3, float3x4)'],
    ['mul', [matrix(floatType, 3, 4), float(4)], 'float3 (float3x4, float4)'],
    ['mul', [matrix(floatType, 3, 4), matrix(floatType, 4, 2)], 'float3x2 (float3x4, float4x2)'],
    ['mul', [matrix(floatType, 2, 2), literalInt], 'float2x2 (float2x2, float)'],
    ['mul', [vector(intType, 3), float(3)], 'float (float3, float3)'],
    ['sincos', [float(2), float(2), float(2)], 'void (float2, out float2, out float2)'],
  ])('%s %#', (name, types, expected) => {
    expect(choose(name, types)).toBe(expected);
  });

  it('does not mix vectors and matrices', () => {
    expect(choose('max', [matrix(floatType, 3, 3), float(3)])).toContain(
      "argument 2 of 'max' cannot be a 'float3'",
    );
  });

  it('says how many arguments there are', () => {
    expect(choose('clamp', [floatType, floatType])).toBe(
      "'clamp' does not take 2 arguments; it is 'T clamp(T x, T min, T max) where T: numeric'",
    );
  });

  it('wants something to assign to for out', () => {
    const args = [
      { type: floatType, lvalue: false },
      { type: floatType, lvalue: false },
      { type: floatType, lvalue: true },
    ];
    const chosen = matchIntrinsic(findFunctions('sincos'), args);
    expect('failure' in chosen && chosen.failure).toContain(
      "argument 2 of 'sincos' must be something that can be assigned to",
    );
  });

  it('refuses what HLSL 4 left behind', () => {
    expect(choose('tex2D', [floatType, float(2)])).toContain("'tex2D' is not supported");
  });
});

export const textureOf = (name: string, element: Type = float(4)): TextureType => {
  const base = name.replace(/^RW|^RasterizerOrdered/, '');
  const dimension =
    base === 'Buffer' ? 'Buffer' : (/1D|2D|3D|Cube|Subpass/.exec(base)![0] as TextureType['dimension']);
  return texture({
    dimension,
    arrayed: base.includes('Array'),
    multisampled: base.includes('MS'),
    writable: name !== base,
    rasterizerOrdered: name.startsWith('Raster'),
    element,
    name,
  });
};

describe('template arguments', () => {
  const objectType = buffer('RWByteAddressBuffer', uintType);
  const load = (...templateArgs: Type[]) => choose('Load', [literalInt], { objectType, templateArgs });
  it('are what is loaded and stored', () => {
    expect(load()).toBe('uint (uint)');
    expect(load(float(3))).toBe('float3 (uint)');
    expect(choose('Store', [literalInt, float(3)], { objectType })).toBe('void (uint, float3)');
    expect(choose('Store', [literalInt, literalInt], { objectType })).toBe('void (uint, uint)');
    expect(choose('Store', [literalInt, literalFloat], { objectType })).toBe('void (uint, float)');
    expect(choose('Store', [literalInt, literalInt], { objectType, templateArgs: [float(2)] })).toBe(
      'void (uint, float2)',
    );
  });
  it('are refused where they make no sense', () => {
    expect(load(floatType, floatType)).toBe("'Load' takes one template argument, not 2");
    expect(load(sampler(false))).toBe("'Load' cannot deal with a 'SamplerState'");
    expect(load(array(float(4), 100000))).toBe(
      "'Load' cannot deal with the 400000 scalars of a 'float4[100000]' at once",
    );
    expect(choose('Store', [literalInt, sampler(false)], { objectType })).toContain(
      "cannot deal with a 'SamplerState'",
    );
    expect(choose('Load2', [literalInt], { objectType, templateArgs: [floatType] })).toBe(
      "'Load2' takes no template argument",
    );
  });
});

describe('methods of textures', () => {
  const plain = sampler(false);
  it.each<[string, string, Type[], string]>([
    ['Texture2D', 'Sample', [plain, float(2)], 'float4 (SamplerState, float2)'],
    [
      'Texture2DArray',
      'Sample',
      [plain, float(4), vector(literalInt, 2)],
      'float4 (SamplerState, float3, int2)',
    ],
    ['TextureCube', 'Sample', [plain, float(3), floatType], 'float4 (SamplerState, float3, float)'],
    ['Texture1D', 'Sample', [plain, float(2)], 'float4 (SamplerState, float)'],
    ['Texture2D', 'SampleLevel', [plain, float(2), literalInt], 'float4 (SamplerState, float2, float)'],
    [
      'Texture2D',
      'SampleCmp',
      [sampler(true), float(2), floatType],
      'float (SamplerComparisonState, float2, float)',
    ],
    ['Texture2D', 'Gather', [plain, float(2)], 'float4 (SamplerState, float2)'],
    ['Texture2DArray', 'Load', [vector(intType, 4)], 'float4 (int4)'],
    ['Texture2D', 'Load', [vector(uintType, 3), vector(intType, 2)], 'float4 (int3, int2)'],
    ['Texture2DMS', 'Load', [vector(intType, 2), uintType], 'float4 (int2, int)'],
    ['RWTexture3D', 'Load', [vector(uintType, 3)], 'float4 (int3)'],
    ['Buffer', 'Load', [uintType], 'float4 (int)'],
    ['Texture2D', 'GetDimensions', [uintType, uintType], 'void (out uint, out uint)'],
    ['Texture2D', 'GetDimensions', [floatType, floatType], 'void (out float, out float)'],
    ['Texture2D', 'GetDimensions', [intType, intType], 'void (out uint, out uint)'],
    [
      'Texture2D',
      'GetDimensions',
      [literalInt, uintType, uintType, uintType],
      'void (uint, out uint, out uint, out uint)',
    ],
    [
      'Texture2DArray',
      'GetDimensions',
      [uintType, uintType, uintType],
      'void (out uint, out uint, out uint)',
    ],
  ])('%s.%s %#', (object, name, types, expected) => {
    expect(choose(name, types, { objectType: textureOf(object) })).toBe(expected);
  });

  it('names the sampler that is needed', () => {
    expect(choose('Sample', [sampler(true), float(2)], { objectType: textureOf('Texture2D') })).toContain(
      "argument 1 of 'Sample' of 'Texture2D<float4>' must be a 'SamplerState'",
    );
  });
});
