/**
 * Types as they lie in buffers. Each member gets a type whose alignment its offset allows (packed vectors where Metal's own would
 * not fit), gaps are filled, and what cannot be a member (it overlaps the next one, as the last element of an array in a
 * constant buffer of Direct3D may) is reached through the bytes of the struct.
 */
import { InternalError } from '../source/diagnostic.ts';
import { elementStride, matrixAsVector, scalarSize, structLayout, typeLayout } from '../types/layout.ts';
import {
  type ArrayType,
  elementOf,
  type LayoutRule,
  type MatrixOrder,
  type MatrixType,
  type ScalarType,
  type StructType,
  scalarClass,
  type Type,
  uintType,
} from '../types/type.ts';
import type { Context } from './context.ts';
import { arrayText, isMetalMatrix, matrixText, memberNames, scalarText } from './types.ts';

/** A type in memory. */
export interface MemoryType {
  /** A type's name that can stand anywhere: arrays are wrapped. */
  name: string;
  size: number;
  align: number;
  /** For arrays and matrices: the name of an element and how many there are. */
  elements?: { name: string; count: number; strided: boolean };
  /** A vector that has to be converted to be used. */
  packed: boolean;
  /** Metal's matrix whose columns are the elements, which a member may be. */
  matrix?: string;
}

export interface MemoryStruct {
  name: string;
  type: StructType;
  rule: LayoutRule;
  members: { name: string; type: MemoryType; offset: number }[];
  /** All members are reached through `bytes`. */
  bytes: boolean;
  size: number;
  align: number;
}

const roundUp = (value: number, align: number) => Math.ceil(value / align) * align;

/** `align` is what the place is known to be a multiple of. */
export function memoryType(
  context: Context,
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  align: number,
): MemoryType {
  const wide = context.module.enable16BitTypes;
  switch (type.kind) {
    case 'scalar':
    case 'enum': {
      const element = stored(elementOf(type)!);
      const size = scalarSize(element, wide);
      return { name: scalarText(context, element), size, align: size, packed: false };
    }
    case 'vector':
      return memoryVector(context, type.element, type.count, align);
    case 'matrix': {
      const { stride } = typeLayout(type, rule, order, wide);
      if (stride === 0) return memoryVector(context, type.element, matrixAsVector(type)!, align);
      const [count, length] = vectorsOf(type, order);
      const vector = memoryVector(context, type.element, length, common(align, stride));
      const made = memoryArray(vector, count, stride);
      const isMatrix = isMetalMatrix(type) && !vector.packed && vector.size === stride;
      return isMatrix ? { ...made, matrix: matrixText(context, type.element, count, length) } : made;
    }
    case 'array': {
      const { stride } = typeLayout(type, rule, order, wide);
      const element = memoryType(context, type.element, rule, order, common(align, stride));
      return memoryArray(element, type.size, stride);
    }
    case 'struct': {
      const { name, size, align: own } = memoryStruct(context, type, rule);
      return { name, size, align: own, packed: false };
    }
    default:
      throw new InternalError(`a ${type.kind} does not lie in memory`, context.at);
  }
}

/** How many vectors of which length a matrix is in memory. */
export function vectorsOf(type: MatrixType, order: MatrixOrder | undefined): [count: number, length: number] {
  return order === 'row_major' ? [type.rows, type.columns] : [type.columns, type.rows];
}

/** bools are words. */
export function stored(type: ScalarType): ScalarType {
  return scalarClass(type) === 'bool' ? uintType : type;
}

/** The largest alignment up to 16 that two multiples have in common. */
function common(a: number, b: number): number {
  let align = 16;
  while (align > 1 && (a % align !== 0 || b % align !== 0)) align /= 2;
  return align;
}

function memoryVector(context: Context, element: ScalarType, count: number, align: number): MemoryType {
  const scalar = stored(element);
  const size = scalarSize(scalar, context.module.enable16BitTypes);
  const name = scalarText(context, scalar);
  if (count === 1) return { name, size, align: size, packed: false };
  const natural = size * count;
  if (count !== 3 && align % natural === 0)
    return { name: `metal::${name}${count}`, size: natural, align: natural, packed: false };
  return { name: `metal::packed_${name}${count}`, size: natural, align: size, packed: true };
}

function memoryArray(element: MemoryType, count: number, stride: number): MemoryType {
  const strided = element.size !== stride;
  const name = strided ? `Strided<${element.name}, ${stride}>` : element.name;
  return {
    name: arrayText(name, count),
    size: stride * count,
    align: element.align,
    elements: { name, count, strided },
    packed: false,
  };
}

/** Type of an element of an array or of a vector of a matrix. */
export function memoryElement(
  context: Context,
  type: ArrayType | MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  align: number,
): MemoryType {
  const { stride } = typeLayout(type, rule, order, context.module.enable16BitTypes);
  if (type.kind === 'array') return memoryType(context, type.element, rule, order, common(align, stride));
  return memoryVector(context, type.element, vectorsOf(type, order)[1], common(align, stride));
}

export function memoryStruct(context: Context, type: StructType, rule: LayoutRule): MemoryStruct {
  const all = context.memoryStructs.get(type);
  const known = all?.find((one) => one.rule === rule);
  if (known) return known;
  const made = placeMembers(context, type, rule);
  if (all) all.push(made);
  else context.memoryStructs.set(type, [made]);
  context.typeTexts.push(structText(context, made));
  return made;
}

function placeMembers(context: Context, type: StructType, rule: LayoutRule): MemoryStruct {
  const { offsets, size, align } = structLayout(type, rule, context.module.enable16BitTypes);
  const names = memberNames(context, type);
  const members = type.members.map((member, i) => {
    const offset = offsets[i]!;
    const known = common(common(align, size || 16), offset);
    return {
      name: names[i]!,
      offset,
      type: memoryType(context, member.type, rule, member.matrixOrder, known),
    };
  });
  const sorted = [...members].sort((a, b) => a.offset - b.offset);
  const fits = sorted.every(({ offset, type: one }, i) => {
    const end = offset + one.size;
    return offset % one.align === 0 && end <= (sorted[i + 1]?.offset ?? Math.max(size, end));
  });
  const own = Math.max(1, ...members.map((member) => member.type.align));
  const total = Math.max(size, ...members.map((member) => member.offset + member.type.size), 1);
  return {
    name: context.names.unique(`${type.name}_layout`),
    type,
    rule,
    members,
    bytes: !fits,
    size: fits ? roundUp(total, own) : Math.max(size, 1),
    align: fits ? own : 1,
  };
}

function structText(context: Context, struct: MemoryStruct): string {
  const { name, bytes, size } = struct;
  const members = [...struct.members].sort((a, b) => a.offset - b.offset);
  if (bytes) {
    const notes = members.map((member) => `    // ${member.offset}: ${member.type.name} ${member.name}\n`);
    return `struct ${name} {\n    char bytes[${size}];\n${notes.join('')}};\n`;
  }
  let text = `struct ${name} {\n`;
  let at = 0;
  let pads = 0;
  const pad = (to: number) => {
    if (to > at) text += `    char pad_${pads++}[${to - at}];\n`;
    at = to;
  };
  for (const member of members) {
    pad(member.offset);
    const { elements, name: typeName } = member.type;
    const { matrix } = member.type;
    text +=
      elements && matrix === undefined
        ? `    ${elements.name} ${member.name}[${elements.count}];\n`
        : `    ${matrix ?? typeName} ${member.name};\n`;
    at += member.type.size;
  }
  pad(size);
  text += '};\n';
  if (context.options.metal.layoutAsserts)
    for (const member of members)
      text += `static_assert(__builtin_offsetof(${name}, ${member.name}) == ${member.offset}, "${name}.${member.name}");\n`;
  return text;
}

/** What a buffer of elements points to. */
export function bufferElement(
  context: Context,
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): { memory: MemoryType; name: string; strided: boolean } {
  const stride = elementStride(type, rule, order, context.module.enable16BitTypes);
  const { align } = typeLayout(type, rule, order, context.module.enable16BitTypes);
  const memory = memoryType(context, type, rule, order, common(stride, align));
  const strided = memory.size !== stride;
  return { memory, strided, name: strided ? `Strided<${memory.name}, ${stride}>` : memory.name };
}

export { common as commonAlign };
