/**
 * The type names that HLSL provides. Scalars, vectors and matrices are read from the name; objects are listed in
 * tables. What a name needs between `<` and `>` is resolved in types.ts.
 */

import { splitSized } from '../syntax/builtin-types.ts';
import type { BufferKind, ScalarName, ScalarType, TextureType, Type } from '../types/type.ts';
import { floatType, matrix, scalar, stringType, vector, voidType } from '../types/type.ts';

/** Names of scalars and what they are; several spellings are one type. */
const scalars: Readonly<Record<string, ScalarName>> = {
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  dword: 'uint',
  unsigned: 'uint',
  'unsigned int': 'uint',
  'unsigned dword': 'uint',
  // Four bytes in one number, for the packing functions.
  int8_t4_packed: 'uint',
  uint8_t4_packed: 'uint',
  int32_t: 'int',
  uint32_t: 'uint',
  int16_t: 'int16_t',
  uint16_t: 'uint16_t',
  'unsigned int16_t': 'uint16_t',
  int64_t: 'int64_t',
  uint64_t: 'uint64_t',
  half: 'half',
  float: 'float',
  float16_t: 'float16_t',
  float32_t: 'float',
  double: 'double',
  float64_t: 'double',
  min16float: 'min16float',
  min10float: 'min10float',
  min16int: 'min16int',
  min12int: 'min12int',
  min16uint: 'min16uint',
};

/** Only with `-enable-16bit-types`. */
const needs16Bit = new Set<ScalarName>(['int16_t', 'uint16_t', 'float16_t']);

/** A scalar, vector or matrix by its name. */
export function numericType(name: string): { type: Type; needs16Bit: boolean } | undefined {
  const plain = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
  if (plain) return { type: scalar(plain), needs16Bit: needs16Bit.has(plain) };
  const sized = splitSized(name);
  const element = sized && Object.hasOwn(scalars, sized.element) ? scalars[sized.element] : undefined;
  if (!element) return undefined;
  const { first, second } = sized!;
  const type = second ? matrix(scalar(element), first, second) : vector(scalar(element), first);
  return { type, needs16Bit: needs16Bit.has(element) };
}

type TextureShape = Pick<
  TextureType,
  'dimension' | 'arrayed' | 'multisampled' | 'writable' | 'rasterizerOrdered'
>;

const dimensions: Readonly<Record<string, Pick<TextureType, 'dimension' | 'arrayed' | 'multisampled'>>> = {
  Texture1D: { dimension: '1D', arrayed: false, multisampled: false },
  Texture1DArray: { dimension: '1D', arrayed: true, multisampled: false },
  Texture2D: { dimension: '2D', arrayed: false, multisampled: false },
  Texture2DArray: { dimension: '2D', arrayed: true, multisampled: false },
  Texture2DMS: { dimension: '2D', arrayed: false, multisampled: true },
  Texture2DMSArray: { dimension: '2D', arrayed: true, multisampled: true },
  Texture3D: { dimension: '3D', arrayed: false, multisampled: false },
  TextureCube: { dimension: 'Cube', arrayed: false, multisampled: false },
  TextureCubeArray: { dimension: 'Cube', arrayed: true, multisampled: false },
  Buffer: { dimension: 'Buffer', arrayed: false, multisampled: false },
  SubpassInput: { dimension: 'Subpass', arrayed: false, multisampled: false },
  SubpassInputMS: { dimension: 'Subpass', arrayed: false, multisampled: true },
};

/** Shape of a texture or typed buffer by its name: `Texture2D`, `RWBuffer`, `RasterizerOrderedTexture3D` ... */
export function textureShape(name: string): TextureShape | undefined {
  if (name.startsWith('Sampled')) return sampledShape(name);
  const rasterizerOrdered = name.startsWith('RasterizerOrdered');
  const writable = rasterizerOrdered || name.startsWith('RW');
  const base = rasterizerOrdered ? name.slice('RasterizerOrdered'.length) : writable ? name.slice(2) : name;
  const shape = Object.hasOwn(dimensions, base) ? dimensions[base] : undefined;
  if (!shape || (writable && (shape.dimension === 'Cube' || shape.dimension === 'Subpass'))) return undefined;
  return { ...shape, writable, rasterizerOrdered };
}

/** Of `SampledTexture2D` and the like, which are an image and a sampler in one. */
function sampledShape(name: string): TextureShape | undefined {
  const base = name.slice('Sampled'.length).replace('CUBE', 'Cube');
  const shape = Object.hasOwn(dimensions, base) ? dimensions[base] : undefined;
  if (!shape || !base.startsWith('Texture') || base.includes('Cube') !== name.includes('CUBE'))
    return undefined;
  return { ...shape, writable: false, rasterizerOrdered: false };
}

const buffers: ReadonlySet<string> = new Set<BufferKind>([
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
]);

export function isBufferName(name: string): name is BufferKind {
  return buffers.has(name);
}

/** Names without `<` that are types of their own. */
export const plainTypes: Readonly<Record<string, Type>> = {
  void: voidType,
  string: stringType,
};

/** True for every type name of the language, arguments or not. */
export function isLanguageType(name: string): boolean {
  if (numericType(name) || textureShape(name) || isBufferName(name)) return true;
  if (unsupportedTypes.has(name) || legacySamplers.has(name) || effectObjects.has(name)) return true;
  return Object.hasOwn(plainTypes, name) || otherNames.has(name);
}

const otherNames: ReadonlySet<string> = new Set([
  'vector',
  'matrix',
  'sampler',
  'SamplerState',
  'SamplerComparisonState',
  'RaytracingAccelerationStructure',
]);

export const defaultTexel: Type = vector(floatType, 4);

/** Sampler types of DirectX 9, for `tex2D` and the like. */
export const legacySamplers: ReadonlySet<string> = new Set([
  'sampler1D',
  'sampler2D',
  'sampler3D',
  'samplerCUBE',
]);

/** Types of the effect framework: declarations are ignored, as DXC does. */
export const effectObjects: ReadonlySet<string> = new Set([
  'texture',
  'Texture',
  'pixelshader',
  'PixelShader',
  'vertexshader',
  'VertexShader',
  'ComputeShader',
  'DomainShader',
  'GeometryShader',
  'HullShader',
  'pixelfragment',
  'vertexfragment',
  'RenderTargetView',
  'DepthStencilView',
  'StateBlock',
  'stateblock',
  'stateblock_state',
  'RasterizerState',
  'DepthStencilState',
  'BlendState',
  'technique',
  'technique10',
  'technique11',
]);

/** Types of the language that later stages cannot express yet. */
export const unsupportedTypes: ReadonlySet<string> = new Set([
  'PointStream',
  'LineStream',
  'TriangleStream',
  'InputPatch',
  'OutputPatch',
  'RayQuery',
  'RayDesc',
  'BuiltInTriangleIntersectionAttributes',
  'BuiltInTrianglePositions',
  'HitObject',
  'FeedbackTexture2D',
  'FeedbackTexture2DArray',
  'StateObjectConfig',
  'GlobalRootSignature',
  'LocalRootSignature',
  'SubobjectToExportsAssociation',
  'RaytracingShaderConfig',
  'RaytracingPipelineConfig',
  'RaytracingPipelineConfig1',
  'TriangleHitGroup',
  'ProceduralPrimitiveHitGroup',
  'EmptyNodeInput',
  'DispatchNodeInputRecord',
  'RWDispatchNodeInputRecord',
  'GroupNodeInputRecords',
  'RWGroupNodeInputRecords',
  'ThreadNodeInputRecord',
  'RWThreadNodeInputRecord',
  'NodeOutput',
  'EmptyNodeOutput',
  'NodeOutputArray',
  'EmptyNodeOutputArray',
  'ThreadNodeOutputRecords',
  'GroupNodeOutputRecords',
  'DispatchMesh',
  'SpirvType',
  'SpirvOpaqueType',
  'integral_constant',
  'Literal',
  'ext_type',
  'ext_result_id',
  'BufferPointer',
]);

/** Element of a vector or matrix given by name: `vector<float, 3>`. */
export function isScalar(type: Type): type is ScalarType {
  return type.kind === 'scalar';
}
