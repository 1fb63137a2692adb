/**
 * Pointers, loads and stores. A pointer to a part is kept as a place (variable and path) until it is used, so that one
 * OpAccessChain reaches it. What lies in buffers has another form than as a value (see types.ts): it is converted
 * right behind the load and right before the store.
 */

import { partOf } from '../ir/builder.ts';
import type { Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  boolType,
  elementOf,
  isNumeric,
  type LayoutRule,
  type MatrixOrder,
  type MatrixType,
  type PointerType,
  type StructMember,
  scalarClass,
  type Type,
  uintType,
  vector,
  withElement,
  rowType,
} from '../types/type.ts';
import { emit, emitResult, matrixOf, placeOf, replicate, valueId, copyOfPlace } from './body.ts';
import { needCapability } from './capabilities.ts';
import { constantUint } from './constants.ts';
import type { FunctionContext, Place } from './context.ts';
import { decorate } from './decorations.ts';
import { Decoration, Op, StorageClass } from './enums.ts';
import { inMemory, matrixForm, memoryTypeId, pointerTypeId, valueTypeId, vectorTypeId } from './types.ts';

/** Type behind a pointer, as it lies there. */
export function pointeeTypeId(f: FunctionContext, type: PointerType): number {
  return type.layout
    ? memoryTypeId(f, type.pointee, type.layout, type.matrixOrder)
    : valueTypeId(f, type.pointee);
}

/** The place that a pointer value stands for. */
export function placeFor(f: FunctionContext, pointer: Value): Place {
  const known = f.places.get(pointer);
  if (known) return known;
  const type = pointer.type;
  if (type.kind !== 'pointer') throw new InternalError('a place needs a pointer');
  if (pointer.kind === 'global') {
    const ids = f.globals.get(pointer);
    if (!ids) throw new InternalError(`global '${pointer.name}' has no id`);
    const place = placeOf(ids.id, ids.storageClass);
    const info = type.space === 'push-constant' ? f.resources.get(ids.id) : undefined;
    return info ? { ...place, blockType: info.typeId } : place;
  }
  return placeOf(valueId(f, pointer), spaceClass(type));
}

export function spaceClass(type: PointerType): number {
  switch (type.space) {
    case 'function':
      return StorageClass.Function;
    case 'private':
      return StorageClass.Private;
    case 'workgroup':
      return StorageClass.Workgroup;
    case 'input':
      return StorageClass.Input;
    case 'output':
      return StorageClass.Output;
    case 'push-constant':
      return StorageClass.PushConstant;
    case 'uniform':
      return StorageClass.Uniform;
    case 'storage':
      return StorageClass.StorageBuffer;
    default:
      return StorageClass.UniformConstant;
  }
}

/** Pointer id of a place whose target has type `pointee`. */
export function pointerId(f: FunctionContext, place: Place, pointee: number): number {
  if (place.path.length === 0) return place.base;
  const id = emitResult(
    f,
    Op.AccessChain,
    pointerTypeId(f, place.storageClass, pointee),
    place.base,
    ...place.path,
  );
  if (place.nonUniform) markNonUniform(f, id);
  return id;
}

export function markNonUniform(f: FunctionContext, id: number): void {
  needCapability(f, 'ShaderNonUniform');
  decorate(f, id, Decoration.NonUniform);
}

/** `access`: extends the base's place step by step, skipping steps that have no counterpart in SPIR-V. */
export function emitAccess(f: FunctionContext, instruction: Instruction): void {
  const { operands } = instruction;
  const base = operands[0]!;
  const baseType = base.type as PointerType;
  const place = copyOfPlace(placeFor(f, base));
  place.blockType = undefined;
  let type: Type = baseType.pointee;
  let order: MatrixOrder | undefined = baseType.matrixOrder;
  for (let i = 1; i < operands.length; i++) {
    const index = operands[i]!;
    if (baseType.space === 'resource') {
      if (f.nonUniform.has(index)) place.nonUniform = true;
      if (index.kind !== 'constant') place.dynamic = true;
    }
    switch (type.kind) {
      case 'struct': {
        const at = index.kind === 'constant' ? Number(index.value) : 0;
        place.path.push(constantUint(f, at));
        const member: StructMember = type.members[at]!;
        order = member.matrixOrder;
        type = member.type;
        break;
      }
      case 'array':
        place.path.push(valueId(f, index));
        type = type.element;
        break;
      case 'vector':
        stepIntoVector(place, type.count, valueId(f, index));
        type = type.element;
        break;
      case 'matrix':
        stepIntoMatrix(f, place, type, baseType.layout, order, valueId(f, index));
        type = rowType(type);
        break;
      default:
        throw new InternalError(`access into a ${type.kind}`);
    }
  }
  f.places.set(instruction.results[0]!, place);
}

function stepIntoVector(place: Place, count: number, index: number): void {
  if (place.row !== undefined) {
    // The row of a matrix that lies in columns: column first, then the component of the column.
    place.path.push(index);
    if (place.row !== 0) place.path.push(place.row);
    place.row = undefined;
  } else if (count > 1) {
    place.path.push(index);
  }
}

function stepIntoMatrix(
  f: FunctionContext,
  place: Place,
  type: MatrixType,
  layout: LayoutRule | undefined,
  order: MatrixOrder | undefined,
  row: number,
): void {
  switch (layout ? matrixForm(f, type, layout, order) : 'rows') {
    case 'vector':
      // One row: the vector is that row. One column: the row is a component.
      if (type.rows > 1) place.path.push(row);
      break;
    case 'columns':
      // One row: each column is a scalar of its own. 0 says that there is no second step.
      place.row = type.rows === 1 ? 0 : row;
      break;
    default:
      place.path.push(row);
  }
}

/** Loads what `pointer` names, as a value of the pointee's type. */
export function loadFrom(f: FunctionContext, place: Place, type: PointerType): number {
  if (place.row !== undefined) return loadStridedRow(f, place, type);
  const memory = place.blockType ?? pointeeTypeId(f, type);
  const pointer = pointerId(f, place, memory);
  const loaded = emitResult(f, Op.Load, memory, pointer);
  return type.layout ? fromMemory(f, loaded, type.pointee, type.layout, type.matrixOrder) : loaded;
}

export function storeTo(f: FunctionContext, place: Place, type: PointerType, value: number): void {
  if (place.row !== undefined) {
    storeStridedRow(f, place, type, value);
    return;
  }
  const memory = pointeeTypeId(f, type);
  const written = type.layout ? toMemory(f, value, type.pointee, type.layout, type.matrixOrder) : value;
  emit(f, Op.Store, pointerId(f, place, memory), written);
}

/** A row of a matrix that lies in columns: each component from its column. */
function loadStridedRow(f: FunctionContext, place: Place, type: PointerType): number {
  const row = type.pointee;
  if (row.kind !== 'vector') throw new InternalError('a row is a vector');
  const parts: number[] = [];
  const element = vectorTypeId(f, inMemory(row.element), 1);
  for (let i = 0; i < row.count; i++) {
    const loaded = emitResult(f, Op.Load, element, pointerId(f, componentOfRow(f, place, i), element));
    parts.push(fromMemory(f, loaded, row.element, type.layout!, undefined));
  }
  return row.count === 1 ? parts[0]! : emitResult(f, Op.CompositeConstruct, valueTypeId(f, row), ...parts);
}

function storeStridedRow(f: FunctionContext, place: Place, type: PointerType, value: number): void {
  const row = type.pointee;
  if (row.kind !== 'vector') throw new InternalError('a row is a vector');
  const element = vectorTypeId(f, inMemory(row.element), 1);
  for (let i = 0; i < row.count; i++) {
    const part = extract(f, row, value, i);
    const written = toMemory(f, part, row.element, type.layout!, undefined);
    emit(f, Op.Store, pointerId(f, componentOfRow(f, place, i), element), written);
  }
}

function componentOfRow(f: FunctionContext, place: Place, column: number): Place {
  const component = copyOfPlace(place);
  stepIntoVector(component, 2, constantUint(f, column));
  return component;
}

/** Part `index` of a vector, matrix, array or struct value. A vector of one is its part. */
export function extract(f: FunctionContext, type: Type, value: number, index: number): number {
  if (type.kind === 'vector' && type.count === 1) return value;
  const known = f.rows.get(value)?.[index];
  if (known !== undefined) return known;
  return emitResult(f, Op.CompositeExtract, valueTypeId(f, partOf(type, index)), value, index);
}

function isBool(type: Type): boolean {
  const element = elementOf(type);
  return element !== undefined && scalarClass(element) === 'bool';
}

/** The form of a value that was loaded from a buffer. */
function fromMemory(
  f: FunctionContext,
  loaded: number,
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  const memory = memoryTypeId(f, type, rule, order);
  const wanted = valueTypeId(f, type);
  if (memory === wanted) return loaded;
  if (type.kind === 'matrix') return matrixFromMemory(f, loaded, type, rule, order);
  if (isNumeric(type)) {
    const zero = replicate(f, withElement(type, uintType), constantUint(f, 0));
    return emitResult(f, Op.INotEqual, wanted, loaded, zero);
  }
  const parts = partTypes(type).map((part, i) => {
    const partOrder = type.kind === 'struct' ? type.members[i]!.matrixOrder : order;
    const raw = emitResult(f, Op.CompositeExtract, memoryTypeId(f, part, rule, partOrder), loaded, i);
    return fromMemory(f, raw, part, rule, partOrder);
  });
  return emitResult(f, Op.CompositeConstruct, wanted, ...parts);
}

function toMemory(
  f: FunctionContext,
  value: number,
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  const memory = memoryTypeId(f, type, rule, order);
  if (memory === valueTypeId(f, type)) return value;
  if (type.kind === 'matrix') return matrixToMemory(f, value, type, rule, order);
  if (isNumeric(type)) {
    const shape = withElement(type, uintType);
    return emitResult(
      f,
      Op.Select,
      memory,
      value,
      replicate(f, shape, constantUint(f, 1)),
      replicate(f, shape, constantUint(f, 0)),
    );
  }
  const parts = partTypes(type).map((part, i) => {
    const partOrder = type.kind === 'struct' ? type.members[i]!.matrixOrder : order;
    return toMemory(f, extract(f, type, value, i), part, rule, partOrder);
  });
  return emitResult(f, Op.CompositeConstruct, memory, ...parts);
}

function partTypes(type: Type): Type[] {
  if (type.kind === 'struct') return type.members.map((member) => member.type);
  if (type.kind === 'array') return new Array<Type>(type.size).fill(type.element);
  throw new InternalError(`a ${type.kind} has no members`);
}

function matrixFromMemory(
  f: FunctionContext,
  loaded: number,
  type: MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  const element = inMemory(type.element);
  const scalar = vectorTypeId(f, element, 1);
  const form = matrixForm(f, type, rule, order);
  const rows: number[] = [];
  for (let r = 0; r < type.rows; r++) {
    let row: number;
    if (form === 'vector') {
      if (type.rows * type.columns === 1 || type.rows === 1) row = loaded;
      else row = emitResult(f, Op.CompositeExtract, scalar, loaded, r);
    } else if (form === 'columns') {
      const parts = Array.from({ length: type.columns }, (_, c) =>
        emitResult(f, Op.CompositeExtract, scalar, loaded, c, ...(type.rows > 1 ? [r] : [])),
      );
      row =
        parts.length === 1
          ? parts[0]!
          : emitResult(f, Op.CompositeConstruct, vectorTypeId(f, element, type.columns), ...parts);
    } else {
      row = emitResult(f, Op.CompositeExtract, vectorTypeId(f, element, type.columns), loaded, r);
    }
    rows.push(isBool(type) ? toBool(f, row, type.columns) : row);
  }
  return matrixOf(f, type, rows);
}

function toBool(f: FunctionContext, row: number, count: number): number {
  const zero = replicate(f, vector(uintType, count), constantUint(f, 0));
  return emitResult(f, Op.INotEqual, vectorTypeId(f, boolType, count), row, zero);
}

function matrixToMemory(
  f: FunctionContext,
  value: number,
  type: MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
): number {
  const element = inMemory(type.element);
  const scalar = vectorTypeId(f, element, 1);
  const form = matrixForm(f, type, rule, order);
  const memory = memoryTypeId(f, type, rule, order);
  const rows = Array.from({ length: type.rows }, (_, r) => {
    const row = extract(f, type, value, r);
    if (!isBool(type)) return row;
    const shape = vector(uintType, type.columns);
    return emitResult(
      f,
      Op.Select,
      valueTypeId(f, shape),
      row,
      replicate(f, shape, constantUint(f, 1)),
      replicate(f, shape, constantUint(f, 0)),
    );
  });
  if (form === 'vector' && type.rows === 1) return rows[0]!;
  if (form !== 'columns') return emitResult(f, Op.CompositeConstruct, memory, ...rows);
  const column = vectorTypeId(f, element, type.rows);
  const columns = Array.from({ length: type.columns }, (_, c) => {
    const parts = rows.map((row) =>
      type.columns === 1 ? row : emitResult(f, Op.CompositeExtract, scalar, row, c),
    );
    return parts.length === 1 ? parts[0]! : emitResult(f, Op.CompositeConstruct, column, ...parts);
  });
  return emitResult(f, Op.CompositeConstruct, memory, ...columns);
}

/** An OpTypeMatrix from a matrix value; the same id if values are matrices already. */
export function asMatrix(f: FunctionContext, type: MatrixType, value: number, matrixType: number): number {
  if (valueTypeId(f, type) === matrixType) return value;
  const rows = Array.from({ length: type.rows }, (_, r) => extract(f, type, value, r));
  return emitResult(f, Op.CompositeConstruct, matrixType, ...rows);
}

/** The value form of an OpTypeMatrix. */
export function fromMatrix(f: FunctionContext, type: MatrixType, matrix: number, matrixType: number): number {
  const wanted = valueTypeId(f, type);
  if (wanted === matrixType) return matrix;
  const row = valueTypeId(f, rowType(type));
  const rows = Array.from({ length: type.rows }, (_, r) =>
    emitResult(f, Op.CompositeExtract, row, matrix, r),
  );
  return emitResult(f, Op.CompositeConstruct, wanted, ...rows);
}
