/**
 * Pointers of the interpreter: into variables (a cell with a value tree), into buffers (bytes with a layout), to one texel,
 * and to resources, which are only handed on. Reads outside of memory give zero and writes there are dropped, as
 * robust devices do.
 */
import type { Module } from '../../../src/ir/ir.ts';
import { structLayout, typeLayout } from '../../../src/types/layout.ts';
import {
  elementOf,
  type LayoutRule,
  type MatrixOrder,
  type ScalarType,
  type Type,
  typeName,
  vector,
} from '../../../src/types/type.ts';
import type { BufferResource, ImageResource, TestResource } from '../resources.ts';
import { type formats, levelSize, readTexel, texelBytes, texelOffset, writeTexel } from '../resources.ts';
import { bitsOf, fromBits } from './arithmetic.ts';
import {
  asList,
  asScalar,
  type Datum,
  fail,
  flatten,
  isList,
  normalize,
  partAt,
  shapeOf,
  withPart,
  zeroOf,
} from './value.ts';

export type Pointer = CellPointer | BytesPointer | TexelPointer | ResourcePointer;

/** A variable's storage. */
export interface Cell {
  value: Datum;
}

export interface CellPointer {
  at: 'cell';
  cell: Cell;
  path: readonly number[];
  type: Type;
}

export interface BytesPointer {
  at: 'bytes';
  bytes: Uint8Array;
  offset: number;
  type: Type;
  rule: LayoutRule;
  order: MatrixOrder;
  /** Of a row of a column-major matrix: bytes from one component to the next. */
  componentStride?: number;
}

export interface TexelPointer {
  at: 'texel';
  resource: BufferResource | ImageResource;
  /** In bytes; undefined outside of the image. */
  offset: number | undefined;
  type: Type;
}

export interface ResourcePointer {
  at: 'resource';
  /** One resource, or the elements of an array of them. */
  resource: TestResource | readonly TestResource[];
  counter?: BufferResource | readonly BufferResource[];
  type: Type;
  /** For messages. */
  name: string;
}

export function asPointer(value: Datum): Pointer {
  if (typeof value === 'object' && !isList(value)) return value;
  return fail('a pointer was expected');
}

/** Where a pointer to a part points. */
export function step(pointer: Pointer, index: number): Pointer {
  switch (pointer.at) {
    case 'cell':
      return { ...pointer, path: [...pointer.path, index], type: partOf(pointer.type, index) };
    case 'bytes':
      return stepBytes(pointer, index);
    case 'resource':
      return stepResource(pointer, index);
    case 'texel':
      return fail('a texel has no parts with an address');
  }
}

function partOf(type: Type, index: number): Type {
  switch (type.kind) {
    case 'vector':
    case 'array':
      return type.element;
    case 'matrix':
      return vector(type.element, type.columns);
    case 'struct':
      return type.members[index]?.type ?? fail(`struct ${type.name} has no member ${index}`);
    default:
      return fail(`${typeName(type)} has no parts`);
  }
}

function stepBytes(pointer: BytesPointer, index: number): BytesPointer {
  const { type, offset, rule, order } = pointer;
  const part = partOf(type, index);
  const at = (more: number): BytesPointer => ({
    at: 'bytes',
    bytes: pointer.bytes,
    offset: offset + more,
    type: part,
    rule,
    order,
  });
  switch (type.kind) {
    case 'struct':
      return {
        ...at(structLayout(type, rule, enable16BitTypes).offsets[index]!),
        order: type.members[index]!.matrixOrder ?? 'column_major',
      };
    case 'array':
      return at(index * typeLayout(type, rule, order, enable16BitTypes).stride);
    case 'vector': {
      const inside = index >= 0 && index < type.count;
      return inside
        ? at(index * (pointer.componentStride ?? scalarSize(type.element)))
        : { ...at(0), offset: -1 };
    }
    case 'matrix': {
      const { stride } = typeLayout(type, rule, order, enable16BitTypes);
      const scalar = scalarSize(type.element);
      // A matrix with one row or one column is a vector in memory.
      if (stride === 0) return at(index * type.columns * scalar);
      if (order === 'row_major') return at(index * stride);
      return { ...at(index * scalar), componentStride: stride };
    }
    default:
      return fail(`${typeName(type)} has no parts`);
  }
}

function stepResource(pointer: ResourcePointer, index: number): ResourcePointer {
  const { resource, counter, type } = pointer;
  if (type.kind !== 'array') return fail(`${pointer.name} is not an array of resources`);
  const name = `${pointer.name}[${index}]`;
  // What is bound to an array of arrays is one list, row by row.
  if (type.element.kind === 'array') {
    const { size } = type.element;
    const row = <T>(all: T | readonly T[]): T | readonly T[] =>
      Array.isArray(all) ? all.slice(index * size, (index + 1) * size) : all;
    return {
      ...pointer,
      type: type.element,
      name,
      resource: row(resource),
      ...(counter && { counter: row(counter) }),
    };
  }
  const list = Array.isArray(resource) ? (resource as readonly TestResource[]) : [resource as TestResource];
  const one = list[index] ?? fail(`no resource is bound to ${name}`);
  const counters = Array.isArray(counter)
    ? (counter as readonly BufferResource[])[index]
    : (counter as BufferResource | undefined);
  return { at: 'resource', resource: one, type: type.element, name, ...(counters && { counter: counters }) };
}

export function scalarSize(type: ScalarType): number {
  return shapeOf(type, enable16BitTypes).bits / 8;
}

/** What the module says of memory: set once per run by `interpret`. */
let enable16BitTypes = false;
let storageRule: LayoutRule = 'vulkan-storage';
let defaultOrder: MatrixOrder = 'column_major';
export function useMemoryOf(module: Module): void {
  enable16BitTypes = module.enable16BitTypes;
  storageRule = module.memory?.storage ?? 'vulkan-storage';
  defaultOrder = module.memory?.matrixOrder ?? 'column_major';
}
/** Whether `half` and the min-precision types are 16 bits wide. */
export function uses16BitTypes(): boolean {
  return enable16BitTypes;
}
/** The rules of structured buffers. */
export function storageLayout(): LayoutRule {
  return storageRule;
}
export function defaultMatrixOrder(): MatrixOrder {
  return defaultOrder;
}

// ---- load and store

export function load(pointer: Pointer): Datum {
  switch (pointer.at) {
    case 'cell':
      return partAt(pointer.cell.value, pointer.path) ?? zeroOf(pointer.type);
    case 'bytes':
      return loadBytes(pointer);
    case 'texel':
      return loadTexel(pointer);
    case 'resource':
      return pointer;
  }
}

export function store(pointer: Pointer, value: Datum): void {
  switch (pointer.at) {
    case 'cell':
      pointer.cell.value = withPart(pointer.cell.value, pointer.path, value);
      return;
    case 'bytes':
      storeBytes(pointer, value);
      return;
    case 'texel':
      storeTexel(pointer, value);
      return;
    case 'resource':
      fail(`${pointer.name} cannot be stored to`);
  }
}

function partCount(type: Type): number {
  switch (type.kind) {
    case 'vector':
      return type.count;
    case 'matrix':
      return type.rows;
    case 'array':
      return type.size;
    case 'struct':
      return type.members.length;
    default:
      return fail(`${typeName(type)} has no parts`);
  }
}

function loadBytes(pointer: BytesPointer): Datum {
  const { type, bytes, offset } = pointer;
  const element = type.kind === 'scalar' || type.kind === 'enum' ? elementOf(type) : undefined;
  if (!element) return Array.from({ length: partCount(type) }, (_, i) => loadBytes(stepBytes(pointer, i)));
  const size = scalarSize(element);
  if (offset < 0 || offset + size > bytes.length) return zeroOf(type);
  let bits = 0n;
  for (let i = size - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(bytes[offset + i]!);
  return fromBits(bits, shapeOf(element, enable16BitTypes));
}

function storeBytes(pointer: BytesPointer, value: Datum): void {
  const { type, bytes, offset } = pointer;
  const element = type.kind === 'scalar' || type.kind === 'enum' ? elementOf(type) : undefined;
  if (!element) {
    asList(value).forEach((part, i) => {
      storeBytes(stepBytes(pointer, i), part);
    });
    return;
  }
  const size = scalarSize(element);
  if (offset < 0 || offset + size > bytes.length) return;
  const bits = bitsOf(asScalar(value), shapeOf(element, enable16BitTypes));
  for (let i = 0; i < size; i++) bytes[offset + i] = Number((bits >> BigInt(8 * i)) & 255n);
}

function loadTexel({ resource, offset, type }: TexelPointer): Datum {
  if (offset === undefined) return zeroOf(type);
  return fromTexel(readTexel(formatOf(resource), resource.bytes, offset), type);
}

/** Four channels as a value of a texture's element type. */
export function fromTexel(texel: readonly number[], type: Type): Datum {
  const element = elementOf(type) ?? fail(`${typeName(type)} is not a texel`);
  const shape = shapeOf(element, enable16BitTypes);
  if (type.kind !== 'vector') return normalize(texel[0]!, shape);
  return Array.from({ length: type.count }, (_, i) => normalize(texel[i]!, shape));
}

function storeTexel({ resource, offset }: TexelPointer, value: Datum): void {
  if (offset !== undefined)
    writeTexel(formatOf(resource), resource.bytes, offset, flatten(value).map(Number));
}

export function formatOf(resource: BufferResource | ImageResource): keyof typeof formats {
  return resource.format ?? fail('a typed buffer was bound without a format');
}

// ---- texels

/** The address of a texel; coordinates as HLSL gives them, the array layer last. */
export function texelAt(
  resource: BufferResource | ImageResource,
  type: Type,
  coordinate: readonly number[],
  mip = 0,
): TexelPointer {
  return { at: 'texel', resource, type, offset: texelPlace(resource, coordinate, mip) };
}

function texelPlace(
  resource: BufferResource | ImageResource,
  coordinate: readonly number[],
  mip: number,
): number | undefined {
  if (resource.kind === 'buffer') {
    const offset = coordinate[0]! * texelBytes(formatOf(resource));
    return coordinate[0]! >= 0 && offset < resource.bytes.length ? offset : undefined;
  }
  const spatial = resource.dimension === '1D' ? 1 : resource.dimension === '3D' ? 3 : 2;
  const [x = 0, y = 0, z = 0] = coordinate.slice(0, spatial);
  const layer = resource.arrayed ? (coordinate[spatial] ?? 0) : 0;
  if (mip < 0 || mip >= resource.mips || layer < 0 || layer >= resource.layers) return undefined;
  const size = levelSize(resource, mip);
  const inside = x >= 0 && y >= 0 && z >= 0 && x < size.width && y < size.height && z < size.depth;
  return inside ? texelOffset(resource, x, y, z, mip, layer) : undefined;
}
