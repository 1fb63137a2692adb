/**
 * Values of any type in byte address buffers: taken apart into the words they lie in, and put together again.
 *
 * A buffer is words in SPIR-V. Members lie at their natural offsets (each scalar aligned to its size, structs to their
 * largest), as in structured buffers of Direct3D. 64-bit scalars are two words; 16-bit ones are half a word, which is
 * written by atomics so that the other half keeps what it holds.
 */
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { structLayout, typeLayout } from '../types/layout.ts';
import {
  type LayoutRule,
  type MatrixOrder,
  pointer,
  type ScalarType,
  scalar,
  scalarBits,
  scalarClass,
  type Type,
  uintType,
  rowType,
  vector,
} from '../types/type.ts';
import { atomic } from './atomics.ts';
import { elementType, filled } from './expansion.ts';
import { isCoherent } from './texture.ts';

const natural: LayoutRule = 'dx-structured';
const uint2 = vector(uintType, 2);

/** Layout of structured buffers' contents in the module. */
export function storageLayout(builder: Builder): LayoutRule {
  return builder.module.memory?.storage ?? 'vulkan-storage';
}

interface Memory {
  builder: Builder;
  buffer: Value;
  /** Byte address, uint. */
  address: Value;
  /** Index of the word at the address. */
  word: Value;
  coherent: boolean;
}

function memoryAt(builder: Builder, buffer: Value, address: Value): Memory {
  const word = builder.binary('shr', address, builder.uint(2));
  return { builder, buffer, address, word, coherent: isCoherent(buffer) };
}

/** Pointer to the word that holds the byte at `address`. */
export function wordPointer(builder: Builder, buffer: Value, address: Value): Value {
  return pointerAt(builder, buffer, builder.binary('shr', address, builder.uint(2)));
}

function pointerAt(builder: Builder, buffer: Value, index: Value): Value {
  return builder.bufferPointer(buffer, pointer('storage', uintType, storageLayout(builder)), index);
}

function wordAt({ builder, buffer, word }: Memory, offset: number): Value {
  const index = offset === 0 ? word : builder.binary('add', word, builder.uint(offset / 4));
  return pointerAt(builder, buffer, index);
}

function loadWord(memory: Memory, offset: number): Value {
  return memory.builder.load(wordAt(memory, offset), memory.coherent);
}

/** The half of a word at an offset: pointer to the word, and how far the half is shifted in it. */
function halfWord({ builder, buffer, address }: Memory, offset: number): { place: Value; shift: Value } {
  const at = offset === 0 ? address : builder.binary('add', address, builder.uint(offset));
  const place = wordPointer(builder, buffer, at);
  const shift = builder.binary('shl', builder.binary('and', at, builder.uint(2)), builder.uint(3));
  return { place, shift };
}

/** Where the parts of a type lie: its scalars alone if it is one. */
interface Part {
  path: number[];
  type: Type;
  offset: number;
  order: MatrixOrder | undefined;
}

function partsOf(type: Type, order: MatrixOrder | undefined, wide: boolean): Part[] {
  const layout = () => typeLayout(type, natural, order, wide);
  switch (type.kind) {
    case 'vector': {
      const size = scalarBits(type.element, wide) / 8;
      return Array.from({ length: type.count }, (_, i) => ({
        path: [i],
        type: type.element,
        offset: i * size,
        order,
      }));
    }
    case 'matrix': {
      const size = scalarBits(type.element, wide) / 8;
      const [byRow, byColumn] =
        order === 'row_major' ? [type.columns * size, size] : [size, type.rows * size];
      return Array.from({ length: type.rows * type.columns }, (_, i) => {
        const [row, column] = [Math.floor(i / type.columns), i % type.columns];
        return { path: [row, column], type: type.element, offset: row * byRow + column * byColumn, order };
      });
    }
    case 'array': {
      const { stride } = layout();
      return Array.from({ length: type.size }, (_, i) => ({
        path: [i],
        type: type.element,
        offset: i * stride,
        order,
      }));
    }
    case 'struct': {
      const { offsets } = structLayout(type, natural, wide);
      return type.members.map((member, i) => ({
        path: [i],
        type: member.type,
        offset: offsets[i]!,
        order: member.matrixOrder,
      }));
    }
    default:
      throw new InternalError(`a ${type.kind} cannot lie in a byte address buffer`);
  }
}

/** The value of `type` at a byte address. */
export function loadRaw(builder: Builder, buffer: Value, address: Value, type: Type): Value {
  return loadPart(memoryAt(builder, buffer, address), type, 0, builder.module.memory?.matrixOrder);
}

function loadPart(memory: Memory, type: Type, offset: number, order: MatrixOrder | undefined): Value {
  const { builder } = memory;
  if (type.kind === 'scalar') return loadScalar(memory, type, offset);
  if (type.kind === 'enum')
    return builder.instruction('convert', [loadScalar(memory, type.underlying, offset)], [type]).results[0]!;
  const parts = partsOf(type, order, builder.module.enable16BitTypes);
  const values = parts.map((part) => loadPart(memory, part.type, offset + part.offset, part.order));
  if (type.kind !== 'matrix') return builder.construct(type, values);
  const row = rowType(type);
  const rows = Array.from({ length: type.rows }, (_, i) =>
    builder.construct(row, values.slice(i * type.columns, (i + 1) * type.columns)),
  );
  return builder.construct(type, rows);
}

function loadScalar(memory: Memory, type: ScalarType, offset: number): Value {
  const { builder } = memory;
  switch (scalarBits(type, builder.module.enable16BitTypes)) {
    case 32: {
      const word = loadWord(memory, offset);
      return type.name === 'bool'
        ? builder.compare('not_equal', word, builder.uint(0))
        : builder.bitcast(word, type);
    }
    case 64:
      return builder.bitcast(
        builder.construct(uint2, [loadWord(memory, offset), loadWord(memory, offset + 4)]),
        type,
      );
    case 16: {
      const { place, shift } = halfWord(memory, offset);
      const word = builder.binary('shr', builder.load(place, memory.coherent), shift);
      const half = builder.convert(builder.binary('and', word, builder.uint(0xffff)), scalar('uint16_t'));
      return builder.bitcast(half, type);
    }
  }
}

/** Writes a value to a byte address. */
export function storeRaw(builder: Builder, buffer: Value, address: Value, value: Value): void {
  storePart(memoryAt(builder, buffer, address), value, 0, builder.module.memory?.matrixOrder);
}

function storePart(memory: Memory, value: Value, offset: number, order: MatrixOrder | undefined): void {
  const { builder } = memory;
  const { type } = value;
  if (type.kind === 'scalar' || type.kind === 'enum') {
    storeScalar(memory, value, offset);
    return;
  }
  for (const part of partsOf(type, order, builder.module.enable16BitTypes)) {
    storePart(memory, builder.extract(value, ...part.path), offset + part.offset, part.order);
  }
}

function storeScalar(memory: Memory, stored: Value, offset: number): void {
  const { builder, coherent } = memory;
  const element = elementType(stored);
  const value = builder.convert(stored, element);
  switch (scalarBits(element, builder.module.enable16BitTypes)) {
    case 32: {
      const word =
        scalarClass(element) === 'bool' ? builder.convert(value, uintType) : builder.bitcast(value, uintType);
      builder.store(wordAt(memory, offset), word, coherent);
      return;
    }
    case 64: {
      const words = builder.bitcast(value, uint2);
      builder.store(wordAt(memory, offset), builder.extract(words, 0), coherent);
      builder.store(wordAt(memory, offset + 4), builder.extract(words, 1), coherent);
      return;
    }
    case 16: {
      const { place, shift } = halfWord(memory, offset);
      const half = builder.convert(builder.bitcast(value, scalar('uint16_t')), uintType);
      const mask = builder.unary('not', builder.binary('shl', filled(builder, uintType, 0xffff), shift));
      atomic(builder, 'And', false, place, mask);
      atomic(builder, 'Or', false, place, builder.binary('shl', half, shift));
    }
  }
}
