/** Arithmetic, comparisons, conversions and the parts of values, component by component; matrices row by row. */

import type { Constant, Instruction, Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  isNumeric,
  type ScalarType,
  scalar,
  scalarBits,
  scalarClass,
  type Type,
  vector,
  withElement,
  rowType,
} from '../types/type.ts';
import { decorateResult, emitResult, matrixOf, replicate, valueId } from './body.ts';
import { constantId, scalarConstant } from './constants.ts';
import type { FunctionContext } from './context.ts';
import { Op } from './enums.ts';
import { extract } from './memory.ts';
import type { OpNumber } from './sections.ts';
import { valueTypeId } from './types.ts';

type ByClass = { float?: OpNumber; int?: OpNumber; uint?: OpNumber; bool?: OpNumber };

const plain: Partial<Record<Opcode, ByClass>> = {
  add: { float: Op.FAdd, int: Op.IAdd, uint: Op.IAdd },
  sub: { float: Op.FSub, int: Op.ISub, uint: Op.ISub },
  mul: { float: Op.FMul, int: Op.IMul, uint: Op.IMul },
  div: { float: Op.FDiv, int: Op.SDiv, uint: Op.UDiv },
  rem: { float: Op.FRem, int: Op.SRem, uint: Op.UMod },
  neg: { float: Op.FNegate, int: Op.SNegate, uint: Op.SNegate },
  and: { int: Op.BitwiseAnd, uint: Op.BitwiseAnd, bool: Op.LogicalAnd },
  or: { int: Op.BitwiseOr, uint: Op.BitwiseOr, bool: Op.LogicalOr },
  xor: { int: Op.BitwiseXor, uint: Op.BitwiseXor, bool: Op.LogicalNotEqual },
  not: { int: Op.Not, uint: Op.Not },
  shl: { int: Op.ShiftLeftLogical, uint: Op.ShiftLeftLogical },
  shr: { int: Op.ShiftRightArithmetic, uint: Op.ShiftRightLogical },
  logical_and: { bool: Op.LogicalAnd },
  logical_or: { bool: Op.LogicalOr },
  logical_not: { bool: Op.LogicalNot },
  equal: { float: Op.FOrdEqual, int: Op.IEqual, uint: Op.IEqual, bool: Op.LogicalEqual },
  not_equal: { float: Op.FUnordNotEqual, int: Op.INotEqual, uint: Op.INotEqual, bool: Op.LogicalNotEqual },
  less: { float: Op.FOrdLessThan, int: Op.SLessThan, uint: Op.ULessThan },
  less_equal: { float: Op.FOrdLessThanEqual, int: Op.SLessThanEqual, uint: Op.ULessThanEqual },
  greater: { float: Op.FOrdGreaterThan, int: Op.SGreaterThan, uint: Op.UGreaterThan },
  greater_equal: { float: Op.FOrdGreaterThanEqual, int: Op.SGreaterThanEqual, uint: Op.UGreaterThanEqual },
};

/** `rows`: ids of the rows of a matrix that need not be taken out of it; `id` then is only made if it is asked for. */
export interface Operand {
  type: Type;
  readonly id: number;
  rows?: readonly number[];
}

/**
 * Runs `make` once per row of matrix operands (other operands are given as they are) and joins the rows;
 * without matrices, once. `make` gets the types and ids of the operands of one row.
 */
export function byRows(
  f: FunctionContext,
  result: Type,
  operands: readonly Operand[],
  make: (result: Type, operands: readonly Operand[]) => number,
): number {
  const shape =
    result.kind === 'matrix'
      ? result
      : operands.map(({ type }) => type).find((type) => type.kind === 'matrix');
  if (!shape) return make(result, operands);
  const rows: number[] = [];
  const resultRow = result.kind === 'matrix' ? rowType(result) : result;
  for (let r = 0; r < shape.rows; r++) {
    const parts = operands.map((operand): Operand => {
      const { type, rows } = operand;
      if (type.kind !== 'matrix') return operand;
      return { type: rowType(type), id: rows?.[r] ?? extract(f, type, operand.id, r) };
    });
    rows.push(make(resultRow, parts));
  }
  if (result.kind !== 'matrix') throw new InternalError(`rows of a matrix make a ${result.kind}`);
  return matrixOf(f, result, rows);
}

/** An operand. The rows of a constant are constants. */
function typed(f: FunctionContext, value: Value): Operand {
  const { type } = value;
  if (!f.matrixValues || value.kind !== 'constant' || type.kind !== 'matrix')
    return { type, id: valueId(f, value) };
  return {
    type,
    rows: (value.value as readonly Constant[]).map((row) => constantId(f, row)),
    get id() {
      return valueId(f, value);
    },
  };
}

/** Opcodes that are one instruction per row. Undefined if `instruction` is none of them. */
export function emitArithmetic(f: FunctionContext, instruction: Instruction): number | undefined {
  const row = plain[instruction.op];
  if (!row) return undefined;
  const first = instruction.operands[0]!;
  const element = elementOf(first.type);
  const op = element && row[scalarClass(element)];
  if (op === undefined) throw new InternalError(`${instruction.op} on a ${first.type.kind}`);
  const operands = instruction.operands.map((operand) => typed(f, operand));
  if (instruction.op === 'shl' || instruction.op === 'shr')
    operands[1] = maskedCount(f, instruction.operands[1]!);
  const result = instruction.results[0]!.type;
  return byRows(f, result, operands, (type, parts) => {
    const id = emitResult(f, op, valueTypeId(f, type), ...parts.map((part) => part.id));
    return decorateResult(f, id, type, instruction.precise);
  });
}

/** Shift counts are taken modulo the width. */
function maskedCount(f: FunctionContext, count: Value): Operand {
  const element = elementOf(count.type)!;
  const width = scalarBits(element, f.module.enable16BitTypes);
  const inRange = (value: Value): boolean =>
    value.kind === 'constant' &&
    (typeof value.value === 'object'
      ? value.value.every(inRange)
      : Number(value.value) >= 0 && Number(value.value) < width);
  const operand = typed(f, count);
  if (inRange(count)) return operand;
  const mask = scalarConstant(f, element, width === 64 ? BigInt(width - 1) : width - 1);
  const id = byRows(f, count.type, [operand], (type, [part]) =>
    emitResult(f, Op.BitwiseAnd, valueTypeId(f, type), part!.id, replicate(f, type, mask)),
  );
  return { type: count.type, id };
}

/** `convert`: numeric conversion of every component. */
export function emitConvert(f: FunctionContext, operand: Value, to: Type): number {
  return convert(f, typed(f, operand), to);
}

export function convert(f: FunctionContext, operand: Operand, to: Type): number {
  const from = elementOf(operand.type)!;
  const into = elementOf(to)!;
  if (valueTypeId(f, from) === valueTypeId(f, into)) return operand.id;
  return byRows(f, to, [operand], (type, [part]) => convertRow(f, part!.id, from, into, type));
}

function convertRow(f: FunctionContext, id: number, from: ScalarType, into: ScalarType, type: Type): number {
  const wide = f.module.enable16BitTypes;
  const source = scalarClass(from);
  const wanted = scalarClass(into);
  const typeId = valueTypeId(f, type);
  const number = (element: ScalarType, value: number) => {
    const isWide = scalarClass(element) !== 'float' && scalarBits(element, wide) === 64;
    return replicate(f, reshape(type, element), scalarConstant(f, element, isWide ? BigInt(value) : value));
  };
  if (wanted === 'bool')
    return emitResult(f, source === 'float' ? Op.FUnordNotEqual : Op.INotEqual, typeId, id, number(from, 0));
  if (source === 'bool') return emitResult(f, Op.Select, typeId, id, number(into, 1), number(into, 0));
  if (source === 'float') {
    if (wanted === 'float') return emitResult(f, Op.FConvert, typeId, id);
    return emitResult(f, wanted === 'int' ? Op.ConvertFToS : Op.ConvertFToU, typeId, id);
  }
  if (wanted === 'float')
    return emitResult(f, source === 'int' ? Op.ConvertSToF : Op.ConvertUToF, typeId, id);
  if (scalarBits(from, wide) === scalarBits(into, wide)) return emitResult(f, Op.Bitcast, typeId, id);
  if (source === 'int' && wanted === 'int') return emitResult(f, Op.SConvert, typeId, id);
  if (source === 'uint' && wanted === 'uint') return emitResult(f, Op.UConvert, typeId, id);
  // The width changes by the source's signedness, the sign by a bitcast behind it.
  const middle = sameSign(source, into, wide);
  const resized = emitResult(
    f,
    source === 'int' ? Op.SConvert : Op.UConvert,
    valueTypeId(f, reshape(type, middle)),
    id,
  );
  return emitResult(f, Op.Bitcast, typeId, resized);
}

function reshape(type: Type, element: ScalarType): Type {
  return isNumeric(type) ? withElement(type, element) : element;
}

function sameSign(sign: 'int' | 'uint', width: ScalarType, wide: boolean): ScalarType {
  const bits = scalarBits(width, wide);
  const names = {
    int: { 16: 'int16_t', 32: 'int', 64: 'int64_t' },
    uint: { 16: 'uint16_t', 32: 'uint', 64: 'uint64_t' },
  } as const;
  return scalar(names[sign][bits]);
}

export function emitBitcast(f: FunctionContext, operand: Value, to: Type): number {
  const from = typed(f, operand);
  if (valueTypeId(f, operand.type) === valueTypeId(f, to)) return from.id;
  return byRows(f, to, [from], (type, [part]) => emitResult(f, Op.Bitcast, valueTypeId(f, type), part!.id));
}

export function emitSelect(f: FunctionContext, condition: Value, yes: Value, no: Value): number {
  return select(f, typed(f, condition), yes.type, valueId(f, yes), valueId(f, no));
}

function select(f: FunctionContext, condition: Operand, type: Type, yes: number, no: number): number {
  if (type.kind === 'struct' || type.kind === 'array') {
    const parts =
      type.kind === 'struct'
        ? type.members.map((member) => member.type)
        : new Array<Type>(type.size).fill(type.element);
    const ids = parts.map((part, i) =>
      select(f, condition, part, extract(f, type, yes, i), extract(f, type, no, i)),
    );
    return emitResult(f, Op.CompositeConstruct, valueTypeId(f, type), ...ids);
  }
  return byRows(f, type, [condition, { type, id: yes }, { type, id: no }], (row, [test, left, right]) => {
    // Before SPIR-V 1.4 a vector is selected by a vector only.
    const shape = row.kind === 'vector' ? vector(elementOf(test!.type)!, row.count) : row;
    const id =
      test!.type.kind === 'scalar' && row.kind === 'vector' ? replicate(f, shape, test!.id) : test!.id;
    return emitResult(f, Op.Select, valueTypeId(f, row), id, left!.id, right!.id);
  });
}

/** Aggregate or vector from its parts; a vector of one is its component. */
export function emitConstruct(f: FunctionContext, type: Type, parts: readonly Value[]): number {
  const ids = parts.map((part) => valueId(f, part));
  if (type.kind === 'vector' && type.count === 1) return ids[0]!;
  if (type.kind === 'matrix') return matrixOf(f, type, ids);
  return emitResult(f, Op.CompositeConstruct, valueTypeId(f, type), ...ids);
}

export function emitSplat(f: FunctionContext, type: Type, operand: Value): number {
  const id = valueId(f, operand);
  if (type.kind !== 'matrix') return replicate(f, type, id);
  const row = replicate(f, rowType(type), id);
  return matrixOf(f, type, new Array<number>(type.rows).fill(row));
}

/** The path as SPIR-V counts it: a vector of one has no component. */
function pathOf(type: Type, indices: readonly number[]): number[] {
  const path: number[] = [];
  for (const index of indices) {
    if (type.kind === 'vector') {
      if (type.count > 1) path.push(index);
      type = type.element;
    } else {
      path.push(index);
      if (type.kind === 'matrix') type = rowType(type);
      else if (type.kind === 'array') type = type.element;
      else if (type.kind === 'struct') type = type.members[index]!.type;
      else throw new InternalError(`a ${type.kind} has no parts`);
    }
  }
  return path;
}

export function emitExtract(f: FunctionContext, instruction: Instruction): number {
  const from = instruction.operands[0]!;
  const path = pathOf(from.type, instruction.indices ?? []);
  const id = valueId(f, from);
  const row = f.rows.get(id)?.[path[0]!];
  const [value, rest] = row === undefined ? [id, path] : [row, path.slice(1)];
  return rest.length === 0
    ? value
    : emitResult(f, Op.CompositeExtract, valueTypeId(f, instruction.results[0]!.type), value, ...rest);
}

export function emitInsert(f: FunctionContext, instruction: Instruction): number {
  const [into, part] = instruction.operands as [Value, Value];
  const path = pathOf(into.type, instruction.indices ?? []);
  const id = valueId(f, part);
  return path.length === 0
    ? id
    : emitResult(f, Op.CompositeInsert, valueTypeId(f, into.type), id, valueId(f, into), ...path);
}

export function emitExtractDynamic(f: FunctionContext, from: Value, index: Value, type: Type): number {
  const id = valueId(f, from);
  const isOne = from.type.kind === 'scalar' || (from.type.kind === 'vector' && from.type.count === 1);
  return isOne ? id : emitResult(f, Op.VectorExtractDynamic, valueTypeId(f, type), id, valueId(f, index));
}

export function emitInsertDynamic(f: FunctionContext, into: Value, part: Value, index: Value): number {
  const isOne = into.type.kind === 'vector' && into.type.count === 1;
  if (isOne) return valueId(f, part);
  return emitResult(
    f,
    Op.VectorInsertDynamic,
    valueTypeId(f, into.type),
    valueId(f, into),
    valueId(f, part),
    valueId(f, index),
  );
}

export function emitSwizzle(f: FunctionContext, instruction: Instruction): number {
  const from = instruction.operands[0]!;
  const components = instruction.indices ?? [];
  const type = instruction.results[0]!.type;
  const id = valueId(f, from);
  const isOne = from.type.kind === 'scalar' || (from.type.kind === 'vector' && from.type.count === 1);
  if (isOne) return replicate(f, type, id);
  if (components.length === 1)
    return emitResult(f, Op.CompositeExtract, valueTypeId(f, type), id, components[0]!);
  return emitResult(f, Op.VectorShuffle, valueTypeId(f, type), id, id, ...components);
}

export function emitShuffle(f: FunctionContext, { operands, indices = [], results }: Instruction): number {
  const [first, second] = operands.map((operand) => valueId(f, operand)) as [number, number];
  return emitResult(f, Op.VectorShuffle, valueTypeId(f, results[0]!.type), first, second, ...indices);
}

/** A vector or matrix of floats times a scalar. */
export function emitScale(f: FunctionContext, { operands, precise }: Instruction): number {
  const [{ type }, by] = operands as [Value, Value];
  const op = type.kind === 'matrix' ? Op.MatrixTimesScalar : Op.VectorTimesScalar;
  const id = emitResult(f, op, valueTypeId(f, type), valueId(f, operands[0]!), valueId(f, by));
  return decorateResult(f, id, type, precise);
}
