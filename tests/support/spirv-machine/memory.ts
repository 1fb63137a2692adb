/**
 * Pointers of the machine: into variables (the interpreter's cells), into buffers (bytes that decorations lay out), to one texel,
 * and handles of resources. Reads outside of memory give zero and writes there are dropped, as robust devices do.
 */
import { Decoration, Op } from '../../../src/spirv/enums.ts';
import type { Type } from '../../../src/types/type.ts';
import { bitsOf, fromBits } from '../interpreter/arithmetic.ts';
import {
  type Cell,
  load as loadOther,
  store as storeOther,
  type TexelPointer,
} from '../interpreter/memory.ts';
import {
  asList,
  asScalar,
  type Datum,
  fail,
  partAt,
  shapeOfType,
  withPart,
  zeroOf,
} from '../interpreter/value.ts';
import type { SamplerResource, TestResource } from '../resources.ts';
import type { Id, Program } from './program.ts';

/** Ids of types are of what is pointed to. */
export type Place =
  | { at: 'variable'; cell: Cell; path: readonly number[]; type: Id }
  | BytesPlace
  | Handle
  | { at: 'texel'; texel: TexelPointer };

export interface Handle {
  at: 'handle';
  resource: TestResource | readonly TestResource[];
  sampler?: SamplerResource;
  /** Of an array of buffers: the type of an element. */
  block?: Id;
}

export interface BytesPlace {
  at: 'bytes';
  bytes: Uint8Array;
  offset: number;
  type: Id;
  /** Of a matrix: bytes from one column or, if `rowMajor`, row to the next. */
  matrix?: { stride: number; rowMajor: boolean };
  /** Of a column of a row-major matrix: bytes from one component to the next. */
  componentStride?: number;
}

export function typeOf(program: Program, id: Id): Type {
  return program.types.get(id) ?? fail(`type ${id} is none of values`);
}

function partType(program: Program, id: Id, index: number): Id {
  const { op, words } = program.debug.definitions.get(id) ?? fail(`there is no type ${id}`);
  return (op === Op.TypeStruct ? words[1 + index] : words[1]) ?? fail('a pointer to no member');
}

/** Where a pointer to a part points. */
export function step(program: Program, place: Place, index: number): Place {
  switch (place.at) {
    case 'variable':
      return { ...place, path: [...place.path, index], type: partType(program, place.type, index) };
    case 'bytes':
      return stepBytes(program, place, index);
    case 'handle': {
      const list = Array.isArray(place.resource) ? place.resource : [place.resource];
      const resource: TestResource = list[index] ?? fail(`no resource is bound at index ${index}`);
      if (place.block === undefined || resource.kind !== 'buffer') return { ...place, resource };
      return { at: 'bytes', bytes: resource.bytes, offset: 0, type: place.block };
    }
    case 'texel':
      return fail('a texel has no parts with an address');
  }
}

function stepBytes(program: Program, place: BytesPlace, index: number): BytesPlace {
  const { type, bytes, offset, matrix } = place;
  const { op } = program.debug.definitions.get(type)!;
  const part = partType(program, type, index);
  const at = (more: number): BytesPlace => ({ at: 'bytes', bytes, offset: offset + more, type: part });
  const number = (decoration: number, member?: number): number =>
    program.decoration(type, decoration, member)?.[0] ?? fail('memory that is not laid out');
  switch (op) {
    case Op.TypeStruct: {
      const member = at(number(Decoration.Offset, index));
      const stride = program.decoration(type, Decoration.MatrixStride, index)?.[0];
      const rowMajor = program.decoration(type, Decoration.RowMajor, index) !== undefined;
      return stride === undefined ? member : { ...member, matrix: { stride, rowMajor } };
    }
    case Op.TypeArray:
    case Op.TypeRuntimeArray:
      return { ...at(index * number(Decoration.ArrayStride)), ...(matrix && { matrix }) };
    case Op.TypeMatrix: {
      if (!matrix) return fail('a matrix without a stride');
      if (!matrix.rowMajor) return at(index * matrix.stride);
      const scalar = scalarBytes(program, partType(program, part, 0));
      return { ...at(index * scalar), componentStride: matrix.stride };
    }
    case Op.TypeVector: {
      const inside = index >= 0 && index < partCount(program, type);
      return inside
        ? at(index * (place.componentStride ?? scalarBytes(program, part)))
        : { ...at(0), offset: -1 };
    }
    default:
      return fail('a pointer to a part of a scalar');
  }
}

function scalarBytes(program: Program, type: Id): number {
  return shapeOfType(typeOf(program, type), true).bits / 8;
}

function partCount(program: Program, id: Id): number {
  const { op, words } = program.debug.definitions.get(id)!;
  switch (op) {
    case Op.TypeStruct:
      return words.length - 1;
    case Op.TypeArray:
      return Number(asScalar(program.constants.get(words[2]!) ?? fail('an array of unknown size')));
    case Op.TypeVector:
    case Op.TypeMatrix:
      return words[2]!;
    default:
      return fail('a whole that has no parts');
  }
}

/** Elements of the runtime array that is a block's member. */
export function arrayLength(program: Program, block: Place, member: number): number {
  if (block.at !== 'bytes') return fail('the length of something that is no buffer');
  const array = stepBytes(program, block, member);
  const stride =
    program.decoration(array.type, Decoration.ArrayStride)?.[0] ?? fail('an array without a stride');
  return Math.max(0, Math.floor((array.bytes.length - array.offset) / stride));
}

export function load(program: Program, place: Place): Datum | Place {
  switch (place.at) {
    case 'variable':
      return partAt(place.cell.value, place.path) ?? zeroOf(typeOf(program, place.type));
    case 'bytes':
      return loadBytes(program, place);
    case 'texel':
      return loadOther(place.texel);
    case 'handle':
      return place;
  }
}

function isScalar(program: Program, type: Id): boolean {
  const { op } = program.debug.definitions.get(type)!;
  return op === Op.TypeInt || op === Op.TypeFloat || op === Op.TypeBool;
}

function loadBytes(program: Program, place: BytesPlace): Datum {
  const { type, bytes, offset } = place;
  if (!isScalar(program, type))
    return Array.from({ length: partCount(program, type) }, (_, i) =>
      loadBytes(program, stepBytes(program, place, i)),
    );
  const shape = shapeOfType(typeOf(program, type), true);
  const size = shape.bits / 8;
  if (!(offset >= 0 && offset + size <= bytes.length)) return zeroOf(typeOf(program, type));
  let bits = 0n;
  for (let i = size - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(bytes[offset + i]!);
  return fromBits(bits, shape);
}

export function store(program: Program, place: Place, value: Datum): void {
  switch (place.at) {
    case 'variable':
      place.cell.value = withPart(place.cell.value, place.path, value);
      return;
    case 'bytes':
      storeBytes(program, place, value);
      return;
    case 'texel':
      storeOther(place.texel, value);
      return;
    case 'handle':
      fail('a resource cannot be stored to');
  }
}

function storeBytes(program: Program, place: BytesPlace, value: Datum): void {
  const { type, bytes, offset } = place;
  if (!isScalar(program, type)) {
    asList(value).forEach((part, i) => {
      storeBytes(program, stepBytes(program, place, i), part);
    });
    return;
  }
  const shape = shapeOfType(typeOf(program, type), true);
  const size = shape.bits / 8;
  if (!(offset >= 0 && offset + size <= bytes.length)) return;
  const bits = bitsOf(asScalar(value), shape);
  for (let i = 0; i < size; i++) bytes[offset + i] = Number((bits >> BigInt(8 * i)) & 255n);
}
