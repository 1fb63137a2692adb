/**
 * What a value can be. Types are interned by the functions below, so equality is `===`.
 *
 * A type says nothing of where a value lies: matrix packing belongs to struct members and to the elements of buffers,
 * offsets to layout.ts. A `float3x4` has 3 rows of 4 columns, as HLSL writes it.
 */
import type { Location } from '../source/source-map.ts';

/**
 * Scalars by their HLSL name. `half` is 32 bits wide unless `-enable-16bit-types` is given; `min16float` and the like are
 * 32 bits wide with relaxed precision (16 bits with the flag). Literals have types of their own until their
 * use decides: `literal int` and `literal float`.
 */
export type ScalarName =
  | 'bool'
  | 'int'
  | 'uint'
  | 'int16_t'
  | 'uint16_t'
  | 'int64_t'
  | 'uint64_t'
  | 'half'
  | 'float16_t'
  | 'float'
  | 'double'
  | 'min16float'
  | 'min10float'
  | 'min16int'
  | 'min12int'
  | 'min16uint'
  | 'literal int'
  | 'literal float';

interface VoidType {
  kind: 'void';
}
export interface ScalarType {
  kind: 'scalar';
  name: ScalarName;
}
export interface VectorType {
  kind: 'vector';
  element: ScalarType;
  count: number;
}
export interface MatrixType {
  kind: 'matrix';
  element: ScalarType;
  rows: number;
  columns: number;
}
/** `size` 0 is an unsized array (resources, last member of a buffer). */
export interface ArrayType {
  kind: 'array';
  element: Type;
  size: number;
}

/** Also classes and cbuffer contents. Nominal: each declaration (and template instance) is one object. */
export interface StructType {
  kind: 'struct';
  /** As debuggers and reflection show it, template arguments included; `anon` types get a made-up name. */
  name: string;
  keyword: 'struct' | 'class' | 'cbuffer' | 'tbuffer';
  /** Of the name, for debug information. */
  location: Location;
  /** A base struct is the first member, named after the base. Filled once, right after creation. */
  members: StructMember[];
}

export interface StructMember {
  name: string;
  type: Type;
  /** Of the name. */
  location: Location;
  /** Packing of the matrix (or matrices in arrays) of this member; resolved, absent for other types. */
  matrixOrder?: MatrixOrder;
  /** Offset in bytes from `packoffset` or `[[vk::offset]]`. */
  offset?: number;
  semantic?: string;
  /** `nointerpolation`, `linear`, `centroid`, `sample`, `noperspective`, `precise`, as written. */
  modifiers: readonly string[];
  /** `[[vk::...]]` attributes that concern the backend: location, index, builtin ... */
  attributes: readonly VkAttribute[];
  /** True for a member that stands for a base struct. */
  base?: boolean;
}

/** An evaluated `[[vk::name(args)]]`. */
export interface VkAttribute {
  name: string;
  args: readonly (number | string)[];
  at: Location;
}

export type MatrixOrder = 'row_major' | 'column_major';

/** Enumerations are their underlying integer with a name of their own; `enum class` does not convert implicitly. */
export interface EnumType {
  kind: 'enum';
  name: string;
  underlying: ScalarType;
  scoped: boolean;
  location: Location;
  enumerators: { name: string; value: number }[];
}

/** Where a pointer points. `texel` pointers name one element of a typed buffer or texture (see ir/opcodes.ts). */
export type AddressSpace =
  | 'function'
  | 'private'
  | 'workgroup'
  | 'input'
  | 'output'
  | 'uniform'
  | 'storage'
  | 'push-constant'
  | 'resource'
  | 'texel';

/** IR only: HLSL has no pointers. `layout` is present in the spaces uniform, storage and push-constant. */
export interface PointerType {
  kind: 'pointer';
  space: AddressSpace;
  pointee: Type;
  layout?: LayoutRule;
  matrixOrder?: MatrixOrder;
}

/** How a type lies in memory. The rules themselves are in layout.ts. */
export type LayoutRule =
  | 'vulkan-uniform'
  | 'vulkan-storage'
  | 'std140'
  | 'std430'
  | 'dx-cbuffer'
  | 'dx-structured'
  | 'scalar';

/** Textures and typed buffers, read-only and writable. */
export interface TextureType {
  kind: 'texture';
  dimension: '1D' | '2D' | '3D' | 'Cube' | 'Buffer' | 'Subpass';
  arrayed: boolean;
  multisampled: boolean;
  /** RWTexture..., RWBuffer. */
  writable: boolean;
  /** RasterizerOrdered... */
  rasterizerOrdered: boolean;
  /** Scalar or vector that a load gives. */
  element: Type;
  /** As written before `<`: `Texture2D`, `RWBuffer` ... */
  name: string;
}

export type BufferKind =
  | 'ConstantBuffer'
  | 'TextureBuffer'
  | 'StructuredBuffer'
  | 'RWStructuredBuffer'
  | 'AppendStructuredBuffer'
  | 'ConsumeStructuredBuffer'
  | 'RasterizerOrderedStructuredBuffer'
  | 'ByteAddressBuffer'
  | 'RWByteAddressBuffer'
  | 'RasterizerOrderedByteAddressBuffer';

/** Buffers with memory behind them. Byte address buffers have element `uint`. */
export interface BufferType {
  kind: 'buffer';
  buffer: BufferKind;
  element: Type;
  matrixOrder?: MatrixOrder;
}

interface SamplerType {
  kind: 'sampler';
  comparison: boolean;
}
interface AccelerationStructureType {
  kind: 'acceleration-structure';
}
/** String constants exist only to be ignored (effect annotations, `printf` formats). */
interface StringType {
  kind: 'string';
}
/** Type of a faulty expression: converts to anything silently, so that a mistake is reported once. */
export interface ErrorType {
  kind: 'error';
}

export type Type =
  | VoidType
  | ScalarType
  | VectorType
  | MatrixType
  | ArrayType
  | StructType
  | EnumType
  | PointerType
  | TextureType
  | BufferType
  | SamplerType
  | AccelerationStructureType
  | StringType
  | ErrorType;

const interned = new Map<string, Type>();
/** Numbers for nominal types, so that keys of types built from them are unique within a process. */
const identities = new WeakMap<object, number>();
let nextIdentity = 0;

function intern<T extends Type>(key: string, make: () => T): T {
  let type = interned.get(key);
  if (!type) {
    type = make();
    interned.set(key, type);
  }
  return type as T;
}

/** Structural types built from nominal ones are interned beside them, so that they go when the struct goes. */
const derived = new WeakMap<object, Map<string, Type>>();

function internFrom<T extends Type>(from: Type, key: string, make: () => T): T {
  let types = derived.get(from);
  if (!types) {
    types = new Map();
    derived.set(from, types);
  }
  let type = types.get(key);
  if (!type) {
    type = make();
    types.set(key, type);
  }
  return type as T;
}

export const voidType: VoidType = { kind: 'void' };
export const errorType: ErrorType = { kind: 'error' };
export const stringType: StringType = { kind: 'string' };
export const accelerationStructureType: AccelerationStructureType = { kind: 'acceleration-structure' };

export function scalar(name: ScalarName): ScalarType {
  return intern(name, () => ({ kind: 'scalar', name }));
}
export const boolType = scalar('bool');
export const intType = scalar('int');
export const uintType = scalar('uint');
export const floatType = scalar('float');
export const doubleType = scalar('double');
export const literalInt = scalar('literal int');
export const literalFloat = scalar('literal float');

/** A vector of 1 to 4 components; `float1` is a vector of one, distinct from `float`. */
export function vector(element: ScalarType, count: number): VectorType {
  return internFrom(element, `v${count}`, () => ({ kind: 'vector', element, count }));
}
export function matrix(element: ScalarType, rows: number, columns: number): MatrixType {
  return internFrom(element, `m${rows}x${columns}`, () => ({ kind: 'matrix', element, rows, columns }));
}
/** The vector of a matrix's row. */
export function rowType(type: MatrixType): VectorType {
  return vector(type.element, type.columns);
}
export function array(element: Type, size: number): ArrayType {
  return internFrom(element, `a${size}`, () => ({ kind: 'array', element, size }));
}
export function pointer(
  space: AddressSpace,
  pointee: Type,
  layout?: LayoutRule,
  matrixOrder?: MatrixOrder,
): PointerType {
  return internFrom(pointee, `p${space},${layout ?? ''},${matrixOrder ?? ''}`, () => ({
    kind: 'pointer',
    space,
    pointee,
    ...(layout && { layout }),
    ...(matrixOrder && { matrixOrder }),
  }));
}
export function sampler(comparison: boolean): SamplerType {
  return intern(`sampler${comparison}`, () => ({ kind: 'sampler', comparison }));
}
export function buffer(kind: BufferKind, element: Type, matrixOrder?: MatrixOrder): BufferType {
  return internFrom(element, `b${kind},${matrixOrder ?? ''}`, () => ({
    kind: 'buffer',
    buffer: kind,
    element,
    ...(matrixOrder && { matrixOrder }),
  }));
}
export function texture(fields: Omit<TextureType, 'kind'>): TextureType {
  const { dimension, arrayed, multisampled, writable, rasterizerOrdered, element, name } = fields;
  const key = `t${dimension},${arrayed},${multisampled},${writable},${rasterizerOrdered},${name}`;
  return internFrom(element, key, () => ({ kind: 'texture', ...fields }));
}

/** A stable name for maps keyed by type; nominal types get a number. */
export function typeKey(type: Type): string {
  switch (type.kind) {
    case 'struct':
    case 'enum': {
      let id = identities.get(type);
      if (id === undefined) {
        id = nextIdentity++;
        identities.set(type, id);
      }
      return `${type.name}#${id}`;
    }
    default:
      return typeName(type);
  }
}

/** The type as a message shows it: HLSL's spelling. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'scalar':
      return type.name;
    case 'vector':
      return `${vectorBase(type.element)}${type.count}`;
    case 'matrix':
      return `${vectorBase(type.element)}${type.rows}x${type.columns}`;
    case 'array': {
      let dimensions = '';
      let element: Type = type;
      while (element.kind === 'array') {
        dimensions += element.size ? `[${element.size}]` : '[]';
        element = element.element;
      }
      return typeName(element) + dimensions;
    }
    case 'struct':
    case 'enum':
      return type.name;
    case 'pointer': {
      const extra = [type.layout, type.matrixOrder].filter(Boolean).join(', ');
      return `ptr<${type.space}, ${typeName(type.pointee)}${extra ? ', ' + extra : ''}>`;
    }
    case 'texture':
      return `${type.name}<${typeName(type.element)}>`;
    case 'buffer':
      return type.buffer.includes('ByteAddress') ? type.buffer : `${type.buffer}<${typeName(type.element)}>`;
    case 'sampler':
      return type.comparison ? 'SamplerComparisonState' : 'SamplerState';
    case 'acceleration-structure':
      return 'RaytracingAccelerationStructure';
    case 'string':
      return 'string';
    case 'error':
      return '<error>';
  }
}

function vectorBase(element: ScalarType): string {
  return element.name === 'literal int' || element.name === 'literal float'
    ? element.name + ' '
    : element.name;
}

// ---- questions

export type ScalarClass = 'bool' | 'int' | 'uint' | 'float';

/** What arithmetic a scalar follows. `literal int` is signed. */
export function scalarClass(type: ScalarType): ScalarClass {
  switch (type.name) {
    case 'bool':
      return 'bool';
    case 'uint':
    case 'uint16_t':
    case 'uint64_t':
    case 'min16uint':
      return 'uint';
    case 'int':
    case 'int16_t':
    case 'int64_t':
    case 'min16int':
    case 'min12int':
    case 'literal int':
      return 'int';
    default:
      return 'float';
  }
}

/** Width in bits of a scalar as a value. bool counts as 32. */
export function scalarBits(type: ScalarType, enable16BitTypes: boolean): 16 | 32 | 64 {
  switch (type.name) {
    case 'int16_t':
    case 'uint16_t':
    case 'float16_t':
      return 16;
    case 'half':
    case 'min16float':
    case 'min10float':
    case 'min16int':
    case 'min12int':
    case 'min16uint':
      return enable16BitTypes ? 16 : 32;
    case 'int64_t':
    case 'uint64_t':
    case 'double':
      return 64;
    default:
      return 32;
  }
}

/** `min16float` and the like, which carry RelaxedPrecision when they are 32 bits wide. */
export function isMinPrecision(type: ScalarType): boolean {
  return type.name.startsWith('min');
}

export function isNumeric(type: Type): type is ScalarType | VectorType | MatrixType {
  return type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'matrix';
}

/** The scalar that a scalar, vector or matrix is made of; an enum's underlying type. */
export function elementOf(type: Type): ScalarType | undefined {
  switch (type.kind) {
    case 'scalar':
      return type;
    case 'vector':
    case 'matrix':
      return type.element;
    case 'enum':
      return type.underlying;
    default:
      return undefined;
  }
}

/** Number of scalars in a numeric type. */
export function componentCount(type: ScalarType | VectorType | MatrixType): number {
  return type.kind === 'scalar' ? 1 : type.kind === 'vector' ? type.count : type.rows * type.columns;
}

/** The same shape with another element: `float3` and `bool` give `bool3`. */
export function withElement(
  type: ScalarType | VectorType | MatrixType,
  element: ScalarType,
): ScalarType | VectorType | MatrixType {
  switch (type.kind) {
    case 'scalar':
      return element;
    case 'vector':
      return vector(element, type.count);
    case 'matrix':
      return matrix(element, type.rows, type.columns);
  }
}

/** Handles: textures, buffers, samplers; they are not values that can be stored. */
export function isOpaque(type: Type): boolean {
  return (
    type.kind === 'texture' ||
    type.kind === 'buffer' ||
    type.kind === 'sampler' ||
    type.kind === 'acceleration-structure'
  );
}

/** What `hasOpaque` said of structs when they had `count` members: it is asked at each use of a member. */
const opaqueStructs = new WeakMap<StructType, { count: number; found: boolean }>();

/** True if the type is opaque or has an opaque part (array or struct of handles). */
export function hasOpaque(type: Type): boolean {
  if (type.kind === 'array') return hasOpaque(type.element);
  if (type.kind !== 'struct') return isOpaque(type);
  const count = type.members.length;
  const known = opaqueStructs.get(type);
  if (known?.count === count) return known.found;
  const found = type.members.some((member) => hasOpaque(member.type));
  opaqueStructs.set(type, { count, found });
  return found;
}
