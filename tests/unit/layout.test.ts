import { describe, expect, test } from 'vitest';
import { elementStride, structLayout, typeLayout } from '../../src/types/layout.ts';
import {
  array,
  boolType,
  doubleType,
  floatType,
  intType,
  type LayoutRule,
  matrix,
  type MatrixOrder,
  scalar,
  type StructMember,
  type StructType,
  type Type,
  vector,
} from '../../src/types/type.ts';

type Member = Type | { type: Type; order?: MatrixOrder; offset?: number };

function struct(members: Member[], name = 'S'): StructType {
  const made = members.map((member, i): StructMember => {
    const { type, order, offset } =
      'kind' in member
        ? { type: member, order: undefined, offset: undefined }
        : { order: undefined, offset: undefined, ...member };
    return {
      name: `m${i}`,
      type,
      location: 0,
      modifiers: [],
      attributes: [],
      ...(order && { matrixOrder: order }),
      ...(offset !== undefined && { offset }),
    };
  });
  return { kind: 'struct', name, keyword: 'struct', location: 0, members: made };
}

const float = floatType;
const float2 = vector(float, 2);
const float3 = vector(float, 3);
const float4 = vector(float, 4);
const float2x3 = matrix(float, 2, 3);
const offsets = (type: StructType, rule: LayoutRule) => structLayout(type, rule, false).offsets;

describe('offsets', () => {
  // The table of DXC's docs/SPIR-V.rst, "Memory layout rules".
  const documented = struct([
    float,
    float3,
    struct([float3]),
    { type: float2x3, order: 'column_major' },
    { type: float2x3, order: 'row_major' },
    array(intType, 3),
    array(float2, 2),
  ]);
  test.each<[LayoutRule, number[]]>([
    ['vulkan-uniform', [0, 4, 16, 32, 80, 112, 160]],
    ['dx-cbuffer', [0, 4, 16, 32, 80, 112, 160]],
    ['std140', [0, 16, 32, 48, 96, 128, 176]],
    ['scalar', [0, 4, 16, 28, 52, 76, 88]],
    ['vulkan-storage', [0, 4, 16, 32, 64, 96, 112]],
    ['dx-structured', [0, 4, 16, 28, 52, 76, 88]],
    ['std430', [0, 16, 32, 48, 80, 112, 128]],
  ])('%s, as documented', (rule, expected) => {
    expect(offsets(documented, rule)).toEqual(expected);
  });

  test('a vector that would straddle 16 bytes moves up', () => {
    const type = struct([float3, float2, float2, float3]);
    expect(offsets(type, 'vulkan-uniform')).toEqual([0, 16, 24, 32]);
    expect(offsets(type, 'dx-cbuffer')).toEqual([0, 16, 24, 32]);
    expect(offsets(type, 'dx-structured')).toEqual([0, 12, 20, 28]);
  });

  test('FXC lets members begin behind the last element of arrays, matrices and structs', () => {
    const type = struct([
      array(float, 3),
      float,
      { type: float2x3, order: 'row_major' },
      float,
      struct([float3]),
      float,
    ]);
    // 2 * 16 + 4; matrix: 16 + 12; struct: 12.
    expect(offsets(type, 'dx-cbuffer')).toEqual([0, 36, 48, 76, 80, 92]);
    expect(structLayout(type, 'dx-cbuffer', false).size).toBe(96);
  });

  test('packoffset and vk::offset win, and what follows goes behind', () => {
    const type = struct([
      { type: float4, offset: 0 },
      { type: float, offset: 52 },
      float,
      { type: float2x3, offset: 1760 },
    ]);
    expect(offsets(type, 'vulkan-uniform')).toEqual([0, 52, 56, 1760]);
  });

  test('loose globals with a register push the others behind', () => {
    const type = struct([{ type: float, offset: 160 }, float, { type: float, offset: 16 }], '$Globals');
    expect(offsets(type, 'vulkan-uniform')).toEqual([160, 164, 16]);
  });

  test('doubles keep the alignment of their vectors', () => {
    const type = struct([float, vector(doubleType, 2), doubleType, vector(doubleType, 3)]);
    expect(offsets(type, 'vulkan-uniform')).toEqual([0, 16, 32, 64]);
    expect(offsets(type, 'dx-structured')).toEqual([0, 8, 24, 32]);
  });

  test('16-bit types are narrow where the flag or their name says so', () => {
    const half = scalar('half');
    const type = struct([half, vector(half, 3), scalar('uint16_t')]);
    expect(structLayout(type, 'vulkan-storage', true).offsets).toEqual([0, 2, 8]);
    expect(structLayout(type, 'vulkan-storage', false).offsets).toEqual([0, 4, 16]);
  });

  test('an empty struct takes no place', () => {
    expect(offsets(struct([float, struct([]), float]), 'vulkan-storage')).toEqual([0, 4, 4]);
  });
});

describe('sizes and strides', () => {
  test('arrays', () => {
    expect(typeLayout(array(float, 3), 'std140', undefined, false)).toEqual({
      align: 16,
      size: 48,
      stride: 16,
    });
    expect(typeLayout(array(float, 3), 'std430', undefined, false)).toEqual({
      align: 4,
      size: 12,
      stride: 4,
    });
    expect(typeLayout(array(float3, 2), 'scalar', undefined, false)).toEqual({
      align: 4,
      size: 24,
      stride: 12,
    });
  });

  test('matrices by their order', () => {
    expect(typeLayout(matrix(float, 3, 4), 'std140', 'row_major', false)).toEqual({
      align: 16,
      size: 48,
      stride: 16,
    });
    expect(typeLayout(matrix(float, 3, 4), 'std140', 'column_major', false)).toEqual({
      align: 16,
      size: 64,
      stride: 16,
    });
    expect(typeLayout(matrix(float, 3, 2), 'vulkan-storage', 'row_major', false).stride).toBe(8);
  });

  test('a matrix of one row is a vector, but for FXC where it takes registers', () => {
    expect(typeLayout(matrix(float, 1, 3), 'vulkan-uniform', 'column_major', false).size).toBe(12);
    expect(typeLayout(matrix(float, 1, 3), 'dx-cbuffer', 'row_major', false).size).toBe(12);
    expect(typeLayout(matrix(float, 1, 3), 'dx-cbuffer', 'column_major', false).size).toBe(36);
  });

  test('elements of structured buffers', () => {
    const uint3 = vector(scalar('uint'), 3);
    expect(elementStride(uint3, 'vulkan-storage', undefined, false)).toBe(16);
    expect(elementStride(uint3, 'dx-structured', undefined, false)).toBe(12);
    expect(elementStride(boolType, 'vulkan-storage', undefined, false)).toBe(4);
  });
});
