/**
 * Types of the IR as SPIR-V types. A type has two forms: as a value (and in memory without layout), and in buffers, where
 * bools are integers, aggregates carry offsets and strides, and matrices lie as their order says. memory.ts converts.
 */
import { InternalError } from '../source/diagnostic.ts';
import { elementStride, matrixAsVector, structLayout, typeLayout } from '../types/layout.ts';
import {
  elementOf,
  isMinPrecision,
  type LayoutRule,
  type MatrixOrder,
  type MatrixType,
  type ScalarType,
  type StructType,
  scalarBits,
  scalarClass,
  type Type,
  typeKey,
  typeName,
  uintType,
} from '../types/type.ts';
import { needCapability } from './capabilities.ts';
import { constantUint } from './constants.ts';
import { type Context, locationOf, typeInstruction } from './context.ts';
import { decorate, memberDecorate, name } from './decorations.ts';
import { Decoration, Op } from './enums.ts';

export function scalarTypeId(context: Context, type: ScalarType): number {
  const bits = scalarBits(type, context.module.enable16BitTypes);
  switch (scalarClass(type)) {
    case 'bool':
      return typeInstruction(context, 'bool', Op.TypeBool);
    case 'float':
      if (bits === 16) needCapability(context, 'Float16');
      if (bits === 64) needCapability(context, 'Float64');
      return typeInstruction(context, `float${bits}`, Op.TypeFloat, bits);
    case 'int':
    case 'uint': {
      if (bits === 16) needCapability(context, 'Int16');
      if (bits === 64) needCapability(context, 'Int64');
      const signed = scalarClass(type) === 'int' ? 1 : 0;
      return typeInstruction(context, `int${bits},${signed}`, Op.TypeInt, bits, signed);
    }
  }
}

export function vectorTypeId(context: Context, element: ScalarType, count: number): number {
  const scalar = valueTypeId(context, element);
  return count === 1
    ? scalar
    : typeInstruction(context, `vector${scalar},${count}`, Op.TypeVector, scalar, count);
}

export function voidTypeId(context: Context): number {
  return typeInstruction(context, 'void', Op.TypeVoid);
}

/** Columns of SPIR-V are rows of HLSL. */
export function spirvMatrixTypeId(context: Context, type: MatrixType): number {
  const row = vectorTypeId(context, type.element, type.columns);
  return typeInstruction(context, `matrix${row},${type.rows}`, Op.TypeMatrix, row, type.rows);
}

/** True if SPIR-V has a matrix type for it. */
export function isTrueMatrix(type: MatrixType): boolean {
  return type.rows > 1 && type.columns > 1 && scalarClass(type.element) === 'float';
}

function arrayTypeId(context: Context, element: number, length: number): number {
  const count = constantUint(context, length);
  return typeInstruction(context, `array${element},${length}`, Op.TypeArray, element, count);
}

/** The type of a value, also of variables outside buffers. */
export function valueTypeId(context: Context, type: Type): number {
  let id = context.valueTypes.get(type);
  if (id === undefined) {
    id = makeValueType(context, type);
    context.valueTypes.set(type, id);
  }
  return id;
}

function makeValueType(context: Context, type: Type): number {
  switch (type.kind) {
    case 'void':
      return voidTypeId(context);
    case 'scalar':
    case 'enum':
      return scalarTypeId(context, elementOf(type)!);
    case 'vector':
      return vectorTypeId(context, type.element, type.count);
    case 'matrix':
      if (context.matrixValues && isTrueMatrix(type)) return spirvMatrixTypeId(context, type);
      return arrayTypeId(context, vectorTypeId(context, type.element, type.columns), type.rows);
    case 'array':
      return arrayTypeId(context, valueTypeId(context, type.element), Math.max(type.size, 1));
    case 'struct':
      return valueStruct(context, type);
    default:
      context.log.report('spirv-unsupported-resource', locationOf(context), { type: typeName(type) });
      return voidTypeId(context);
  }
}

function valueStruct(context: Context, type: StructType): number {
  const key = `struct ${typeKey(type)}`;
  const known = context.interned.get(key);
  if (known !== undefined) return known;
  const members = type.members.map((member) => valueTypeId(context, member.type));
  const id = typeInstruction(context, key, Op.TypeStruct, ...members);
  typeWithNames(context, id, type, type.name);
  return id;
}

/** OpName and OpMemberName as in the source, and what else all forms of the struct share. */
export function typeWithNames(context: Context, id: number, type: StructType, structName: string): void {
  name(context, id, structName);
  type.members.forEach((member, i) => {
    name(context, id, member.name, i);
    const element = elementOf(leafType(member.type));
    if (element && isRelaxed(context, element)) memberDecorate(context, id, i, Decoration.RelaxedPrecision);
  });
}

function leafType(type: Type): Type {
  return type.kind === 'array' ? leafType(type.element) : type;
}

/** True for scalars that are 32 bits wide but need no more than 16. */
export function isRelaxed(context: Context, type: ScalarType): boolean {
  return isMinPrecision(type) && !context.module.enable16BitTypes;
}

/** Marks a variable, a parameter or a result whose numbers, in arrays or not, are relaxed. */
export function decorateRelaxed(context: Context, id: number, type: Type): number {
  const element = elementOf(leafType(type));
  if (element && isRelaxed(context, element)) decorate(context, id, Decoration.RelaxedPrecision);
  return id;
}

/** How a matrix lies in a buffer: as a matrix of SPIR-V, as one vector, or as an array of its rows or columns. */
export function matrixForm(
  context: Context,
  type: MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): 'matrix' | 'vector' | 'rows' | 'columns' {
  const registers = order === 'row_major' ? type.rows : type.columns;
  if (matrixAsVector(type) !== undefined && (rule !== 'dx-cbuffer' || registers === 1)) return 'vector';
  if (isTrueMatrix(type) && !isShort(context, type, rule, order)) return 'matrix';
  return order === 'row_major' ? 'rows' : 'columns';
}

/**
 * FXC lets the next member begin in the padding of a matrix's last register. SPIR-V counts that padding to a matrix, but
 * not to an array of vectors.
 */
function isShort(
  context: Context,
  type: MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): boolean {
  const length = order === 'row_major' ? type.columns : type.rows;
  return (
    rule === 'dx-cbuffer' && (length * scalarBits(type.element, context.module.enable16BitTypes)) % 128 !== 0
  );
}

/** bool has no size in SPIR-V: in buffers it is a uint. */
export function inMemory(element: ScalarType): ScalarType {
  return scalarClass(element) === 'bool' ? uintType : element;
}

/** The type in a buffer laid out by `rule`. */
export function memoryTypeId(
  context: Context,
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return scalarTypeId(context, inMemory(elementOf(type)!));
    case 'vector':
      return vectorTypeId(context, inMemory(type.element), type.count);
    case 'matrix':
      return memoryMatrix(context, type, rule, order);
    case 'array': {
      const element = memoryTypeId(context, type.element, rule, order);
      return stridedArray(
        context,
        element,
        type.size,
        typeLayout(type, rule, order, context.module.enable16BitTypes).stride,
      );
    }
    case 'struct':
      return memoryStruct(context, type, rule);
    default:
      throw new InternalError(`a ${type.kind} does not lie in buffers`);
  }
}

function memoryMatrix(
  context: Context,
  type: MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  const element = inMemory(type.element);
  const { stride } = typeLayout(type, rule, order, context.module.enable16BitTypes);
  switch (matrixForm(context, type, rule, order)) {
    case 'matrix':
      return spirvMatrixTypeId(context, type);
    case 'vector':
      return vectorTypeId(context, element, type.rows * type.columns);
    case 'rows':
      return stridedArray(context, vectorTypeId(context, element, type.columns), type.rows, stride);
    case 'columns':
      return stridedArray(context, vectorTypeId(context, element, type.rows), type.columns, stride);
  }
}

/** `length` 0 makes a runtime array. */
export function stridedArray(context: Context, element: number, length: number, stride: number): number {
  const key = `strided${element},${length},${stride}`;
  const known = context.interned.get(key);
  if (known !== undefined) return known;
  const id =
    length === 0
      ? typeInstruction(context, key, Op.TypeRuntimeArray, element)
      : typeInstruction(context, key, Op.TypeArray, element, constantUint(context, length));
  decorate(context, id, Decoration.ArrayStride, stride);
  return id;
}

function memoryStruct(context: Context, type: StructType, rule: LayoutRule): number {
  const key = `struct ${typeKey(type)} ${rule}`;
  const known = context.interned.get(key);
  if (known !== undefined) return known;
  const members = type.members.map((member) => memoryTypeId(context, member.type, rule, member.matrixOrder));
  const id = typeInstruction(context, key, Op.TypeStruct, ...members);
  typeWithNames(context, id, type, type.name);
  layOut(context, id, type, rule);
  return id;
}

/** Offset and matrix decorations of a struct's members. */
export function layOut(context: Context, id: number, type: StructType, rule: LayoutRule): void {
  const { offsets } = structLayout(type, rule, context.module.enable16BitTypes);
  type.members.forEach((member, i) => {
    memberDecorate(context, id, i, Decoration.Offset, offsets[i]!);
    decorateMatrix(context, id, i, member.type, rule, member.matrixOrder);
  });
}

/** MatrixStride and order of a member that is a matrix or an array of matrices. */
export function decorateMatrix(
  context: Context,
  id: number,
  member: number,
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): void {
  const leaf = leafType(type);
  if (leaf.kind !== 'matrix' || matrixForm(context, leaf, rule, order) !== 'matrix') return;
  const { stride } = typeLayout(leaf, rule, order, context.module.enable16BitTypes);
  memberDecorate(context, id, member, Decoration.MatrixStride, stride);
  memberDecorate(context, id, member, order === 'row_major' ? Decoration.ColMajor : Decoration.RowMajor);
}

/** Distance between the elements of a structured buffer. */
export function bufferStride(
  context: Context,
  element: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  return elementStride(element, rule, order, context.module.enable16BitTypes);
}

export function pointerTypeId(context: Context, storageClass: number, pointee: number): number {
  const key = storageClass * 2 ** 32 + pointee;
  let id = context.pointerTypes.get(key);
  if (id === undefined) {
    id = typeInstruction(context, `pointer${storageClass},${pointee}`, Op.TypePointer, storageClass, pointee);
    context.pointerTypes.set(key, id);
  }
  return id;
}

export function functionTypeId(context: Context, result: number, parameters: number[]): number {
  return typeInstruction(
    context,
    `function${result},${parameters.join()}`,
    Op.TypeFunction,
    result,
    ...parameters,
  );
}
