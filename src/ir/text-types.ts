/** Types in the IR's text form: HLSL's spelling, with a label for each struct and enum, and `ptr<space, T, ...>`. */
import { InternalError } from '../source/diagnostic.ts';
import {
  type AddressSpace,
  accelerationStructureType,
  type BufferKind,
  type LayoutRule,
  type MatrixOrder,
  matrix,
  type ScalarName,
  sampler,
  scalar,
  stringType,
  type TextureType,
  type Type,
  texture,
  vector,
  voidType,
} from '../types/type.ts';

export const addressSpaces: readonly AddressSpace[] = [
  'function',
  'private',
  'workgroup',
  'input',
  'output',
  'uniform',
  'storage',
  'push-constant',
  'resource',
  'texel',
];
export const layoutRules: readonly LayoutRule[] = [
  'vulkan-uniform',
  'vulkan-storage',
  'std140',
  'std430',
  'dx-cbuffer',
  'dx-structured',
  'scalar',
];
export const matrixOrders: readonly MatrixOrder[] = ['row_major', 'column_major'];

const bufferKinds: readonly BufferKind[] = [
  'ConstantBuffer',
  'TextureBuffer',
  'StructuredBuffer',
  'RWStructuredBuffer',
  'AppendStructuredBuffer',
  'ConsumeStructuredBuffer',
  'RasterizerOrderedStructuredBuffer',
  'ByteAddressBuffer',
  'RWByteAddressBuffer',
  'RasterizerOrderedByteAddressBuffer',
];

const scalarNames: readonly ScalarName[] = [
  'bool',
  'int',
  'uint',
  'int16_t',
  'uint16_t',
  'int64_t',
  'uint64_t',
  'half',
  'float16_t',
  'float',
  'double',
  'min16float',
  'min10float',
  'min16int',
  'min12int',
  'min16uint',
];

/** The text of a type; `label` names structs and enums. */
export function typeText(type: Type, label: (type: Type) => string): string {
  switch (type.kind) {
    case 'struct':
    case 'enum':
      return label(type);
    case 'array': {
      let dimensions = '';
      let element: Type = type;
      for (; element.kind === 'array'; element = element.element)
        dimensions += element.size ? `[${element.size}]` : '[]';
      return typeText(element, label) + dimensions;
    }
    case 'pointer': {
      const extra = [type.layout, type.matrixOrder].filter(Boolean).map((word) => `, ${word}`);
      return `ptr<${type.space}, ${typeText(type.pointee, label)}${extra.join('')}>`;
    }
    case 'texture':
      return `${type.name}<${typeText(type.element, label)}>`;
    case 'buffer':
      if (type.buffer.includes('ByteAddress')) return type.buffer;
      return `${type.buffer}<${typeText(type.element, label)}${type.matrixOrder ? `, ${type.matrixOrder}` : ''}>`;
    case 'scalar':
      return type.name;
    case 'vector':
      return `${type.element.name}${type.count}`;
    case 'matrix':
      return `${type.element.name}${type.rows}x${type.columns}`;
    case 'sampler':
      return type.comparison ? 'SamplerComparisonState' : 'SamplerState';
    case 'acceleration-structure':
      return 'RaytracingAccelerationStructure';
    case 'void':
    case 'string':
      return type.kind;
    case 'error':
      throw new InternalError('the IR holds a faulty type');
  }
}

/** Types whose text is one word: scalars, vectors, matrices, samplers; undefined for other words. */
export function typeFromWord(word: string): Type | undefined {
  switch (word) {
    case 'void':
      return voidType;
    case 'string':
      return stringType;
    case 'SamplerState':
      return sampler(false);
    case 'SamplerComparisonState':
      return sampler(true);
    case 'RaytracingAccelerationStructure':
      return accelerationStructureType;
  }
  const name = scalarNames
    .filter((scalarName) => word.startsWith(scalarName))
    .sort((a, b) => b.length - a.length)[0];
  if (!name) return undefined;
  const shape = /^(?:([1-4])(?:x([1-4]))?)?$/.exec(word.slice(name.length));
  if (!shape) return undefined;
  const [, rows, columns] = shape;
  if (columns) return matrix(scalar(name), Number(rows), Number(columns));
  return rows ? vector(scalar(name), Number(rows)) : scalar(name);
}

export function bufferKindFromWord(word: string): BufferKind | undefined {
  return bufferKinds.find((kind) => kind === word);
}

/** A texture type from the name in front of `<`; the name tells all but the element. */
export function textureFromName(name: string, element: Type): TextureType | undefined {
  const parts =
    /^(RW|RasterizerOrdered|Sampled)?(?:Texture(1D|2D|3D|Cube|CUBE)|(Buffer)|(SubpassInput))(MS)?(Array)?$/.exec(
      name,
    );
  if (!parts) return undefined;
  const [, access, dimension, buffer, subpass, multisampled, arrayed] = parts;
  return texture({
    dimension: subpass
      ? 'Subpass'
      : buffer
        ? 'Buffer'
        : (dimension!.replace('CUBE', 'Cube') as TextureType['dimension']),
    arrayed: Boolean(arrayed),
    multisampled: Boolean(multisampled),
    writable: access === 'RW' || access === 'RasterizerOrdered',
    rasterizerOrdered: access === 'RasterizerOrdered',
    element,
    name,
  });
}
