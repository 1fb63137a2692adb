/**
 * Instructions that compute a value from values alone. Functions of GLSL.std.450, and core instructions that an intrinsic is spelled
 * as, compute what the row of that intrinsic says: it is the interpreter's definition too, so both give the same bits.
 */
import { foldIntrinsic } from '../../../src/intrinsics/fold.ts';
import type { Intrinsic } from '../../../src/intrinsics/intrinsic.ts';
import { families, intrinsicByKey } from '../../../src/intrinsics/table.ts';
import type { ScalarTree } from '../../../src/ir/arithmetic.ts';
import { Op } from '../../../src/spirv/enums.ts';
import { grammar } from '../../../src/spirv/grammar.ts';
import { componentCount, isNumeric, type Type } from '../../../src/types/type.ts';
import { binary, bitcast, convert, unary } from '../interpreter/arithmetic.ts';
import {
  asList,
  asNumber,
  type Datum,
  fail,
  isList,
  map,
  normalize,
  numbers,
  partAt,
  type ScalarShape,
  shapeOfType,
  withPart,
  zeroOf,
} from '../interpreter/value.ts';
import { halfToNumber, numberToHalf } from '../resources.ts';

/** An operand that is a value, with its type. */
export interface Typed {
  value: Datum;
  type: Type;
}

const opNames = new Map<number, string>(Object.entries(Op).map(([name, number]) => [number, name]));

export function opName(op: number): string {
  return opNames.get(op) ?? `instruction ${op}`;
}

/** Names without the letters that say what numbers they are for. */
const binaryNames: Readonly<Record<string, string>> = {
  Add: 'add',
  Sub: 'sub',
  Mul: 'mul',
  Div: 'div',
  Rem: 'rem',
  Mod: 'rem',
  Equal: 'equal',
  NotEqual: 'not_equal',
  LessThan: 'less',
  LessThanEqual: 'less_equal',
  GreaterThan: 'greater',
  GreaterThanEqual: 'greater_equal',
};
const otherBinary: Readonly<Record<string, string>> = {
  ShiftLeftLogical: 'shl',
  ShiftRightLogical: 'shr',
  ShiftRightArithmetic: 'shr',
  BitwiseAnd: 'and',
  BitwiseOr: 'or',
  BitwiseXor: 'xor',
  LogicalAnd: 'logical_and',
  LogicalOr: 'logical_or',
  LogicalEqual: 'equal',
  LogicalNotEqual: 'not_equal',
};
const unaryNames: Readonly<Record<string, string>> = {
  FNegate: 'neg',
  SNegate: 'neg',
  Not: 'not',
  LogicalNot: 'logical_not',
};
const conversions = new Set([
  'ConvertFToU',
  'ConvertFToS',
  'ConvertSToF',
  'ConvertUToF',
  'UConvert',
  'SConvert',
  'FConvert',
]);

/** The value of an instruction; undefined for one that is not computed from values. `literals`: operands that are no ids. */
export function compute(
  name: string,
  operands: readonly Typed[],
  result: Type,
  literals: readonly number[],
): Datum | undefined {
  const values = operands.map(({ value }) => value);
  const shape = (): ScalarShape => signedAs(name, shapeOfType(operands[0]!.type, true));
  const opcode = binaryOpcode(name);
  if (opcode !== undefined) return compare(name, opcode, values, shape());
  const one = unary[unaryNames[name] ?? ''];
  if (one) return map(values, (a) => one(a!, shapeOfType(result, true)));
  if (conversions.has(name)) {
    const to = shapeOfType(result, true);
    return map(values, (a) => convert(a!, shape(), to));
  }
  if (name === 'Bitcast') {
    const count = isNumeric(result) ? componentCount(result) : 1;
    return bitcast(values[0]!, shape(), shapeOfType(result, true), count, result.kind === 'vector');
  }
  return computeParts(name, values, result, literals) ?? computeProduct(name, operands, result);
}

function binaryOpcode(name: string): string | undefined {
  const [, plain] = /^(?:FOrd|FUnord|[FISU])(\w+)$/.exec(name) ?? [];
  return otherBinary[name] ?? (plain === undefined ? undefined : binaryNames[plain]);
}

/** The letter of the name says whether numbers count as signed. */
function signedAs(name: string, shape: ScalarShape): ScalarShape {
  if (shape.class !== 'int' && shape.class !== 'uint') return shape;
  if (/^S[A-Z]|Arithmetic$|^ConvertS/.test(name)) return { ...shape, class: 'int' };
  return /^U[A-Z]|RightLogical$|^ConvertU/.test(name) ? { ...shape, class: 'uint' } : shape;
}

function compare(name: string, opcode: string, values: readonly Datum[], shape: ScalarShape): Datum {
  const of = binary[opcode]!;
  const isInteger = shape.class === 'int' || shape.class === 'uint';
  return map(values, (a, b) => {
    if (isInteger) return of(normalize(a!, shape), normalize(b!, shape), shape);
    // Unordered comparisons are true for NaN, ordered ones false; `!==` is true for it.
    const unordered = Number.isNaN(a) || Number.isNaN(b);
    if (unordered && name.startsWith('FUnord')) return true;
    if (unordered && name.startsWith('FOrd')) return false;
    return of(a!, b!, shape);
  });
}

function computeParts(
  name: string,
  values: readonly Datum[],
  result: Type,
  literals: readonly number[],
): Datum | undefined {
  const [a, b, c] = values as [Datum, Datum, Datum];
  switch (name) {
    case 'CompositeConstruct':
      return result.kind === 'vector' ? values.flatMap((part) => (isList(part) ? part : [part])) : values;
    case 'CompositeExtract':
      return partAt(a, literals) ?? fail('an extract outside of the value');
    case 'CompositeInsert':
      return withPart(b, literals, a);
    case 'VectorShuffle': {
      const all = [...asList(a), ...asList(b)];
      return literals.map((index) => all[index] ?? normalize(0, shapeOfType(result, true)));
    }
    case 'VectorExtractDynamic':
      return asList(a)[asNumber(b)] ?? zeroOf(result);
    case 'VectorInsertDynamic':
      return withPart(a, [asNumber(c)], b);
    case 'CopyObject':
    case 'CopyLogical':
      return a;
    case 'Select':
      return select(a, b, c);
    case 'Transpose':
      return transpose(asList(a));
    case 'Any':
      return asList(a).some(Boolean);
    case 'All':
      return asList(a).every(Boolean);
    default:
      return undefined;
  }
}

function select(condition: Datum, yes: Datum, no: Datum): Datum {
  if (!isList(condition)) return condition ? yes : no;
  return condition.map((part, i) => select(part, asList(yes)[i]!, asList(no)[i]!));
}

function transpose(columns: readonly Datum[]): Datum[][] {
  return asList(columns[0]!).map((_, row) => columns.map((column) => asList(column)[row]!));
}

/** Columns of a matrix are rows of HLSL's, so factors change places. */
function computeProduct(name: string, operands: readonly Typed[], result: Type): Datum | undefined {
  switch (name) {
    case 'VectorTimesScalar':
    case 'MatrixTimesScalar': {
      const shape = shapeOfType(result, true);
      return map(
        operands.map(({ value }) => value),
        (x, y) => binary['mul']!(x!, y!, shape),
      );
    }
    case 'MatrixTimesVector':
    case 'VectorTimesMatrix':
    case 'MatrixTimesMatrix':
      return fold(intrinsicByKey('mul')!, operands.toReversed(), result);
    default:
      return spelled(`Op${name}`, operands, result);
  }
}

function fold(row: Intrinsic, operands: readonly Typed[], result: Type): Datum | undefined {
  return foldIntrinsic(row, operands as { type: Type; value: ScalarTree }[], result, true);
}

// ---- what intrinsics are spelled as

let rows: Map<string, Intrinsic[]> | undefined;

function rowsSpelled(name: string): readonly Intrinsic[] {
  if (!rows) {
    rows = new Map();
    for (const row of Object.values(families).flat()) {
      const { spirv } = row;
      if (spirv?.kind !== 'ext' && spirv?.kind !== 'op') continue;
      const names = typeof spirv.name === 'string' ? [spirv.name] : Object.values(spirv.name);
      for (const one of new Set(names)) rows.set(one, [...(rows.get(one) ?? []), row]);
    }
  }
  return rows.get(name) ?? [];
}

function spelled(name: string, operands: readonly Typed[], result: Type): Datum | undefined {
  for (const row of rowsSpelled(name)) {
    const { spirv } = row;
    const given = spirv?.kind === 'op' && spirv.swap ? operands.toReversed() : operands;
    const value = fold(row, given, result);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A function of GLSL.std.450 by its number. */
export function computeExtended(number: number, operands: readonly Typed[], result: Type): Datum {
  const name = grammar().sets.glsl.get(number) ?? `${number}`;
  const known = spelled(name, operands, result);
  if (known !== undefined) return known;
  const parts = operands.flatMap(({ value }) => numbers(value));
  switch (name) {
    case 'PackHalf2x16': {
      const [low, high] = parts.map((part) => numberToHalf(Math.fround(part))) as [number, number];
      return (low | (high << 16)) >>> 0;
    }
    case 'UnpackHalf2x16':
      return [halfToNumber(parts[0]! & 0xffff), halfToNumber(parts[0]! >>> 16)];
    default:
      return fail(`the machine does not know ${name}`);
  }
}
