/** What instructions on constants give, bit for bit as running them would. */
import {
  type BinaryOperator,
  binaryScalar,
  convertScalar,
  flatScalars,
  rebuild,
  type ScalarTree,
  unaryScalar,
} from '../ir/arithmetic.ts';
import { reinterpret } from '../ir/bits.ts';
import { type Builder, partType } from '../ir/builder.ts';
import { constantOf, scalarsOf, treeOf } from '../ir/constants.ts';
import type { Constant, Instruction, ScalarValue, Undef, Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.ts';
import { elementOf, isNumeric, type Type } from '../types/type.ts';
import { foldIntrinsic } from './fold.ts';
import { intrinsicByKey } from './table.ts';

/** An operation with one result, made or not. */
interface Operation {
  op: Opcode;
  operands: readonly Value[];
  type: Type;
  indices?: readonly number[] | undefined;
  intrinsic?: string | undefined;
}

/** Larger aggregates stay as they are made. */
const partLimit = 1024;

const operators: Partial<Record<Opcode, BinaryOperator>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  rem: '%',
  and: '&',
  or: '|',
  xor: '^',
  logical_and: '&',
  logical_or: '|',
  shl: '<<',
  shr: '>>',
  equal: '==',
  not_equal: '!=',
  less: '<',
  less_equal: '<=',
  greater: '>',
  greater_equal: '>=',
};

/** Give an undefined value if all operands are undefined. */
const keepsUndefined: ReadonlySet<Opcode> = new Set(['extract', 'swizzle', 'splat', 'construct']);

const unaries = { neg: '-', not: '~', logical_not: '!' } as const;

/** The same for an instruction with one result. */
export function foldInstruction(instruction: Instruction, builder: Builder): Constant | Undef | undefined {
  const { op, operands, results, blocks, indices, intrinsic } = instruction;
  if (results.length !== 1 || blocks.length > 0) return undefined;
  // Nearly all end here.
  for (let i = 0; i < operands.length; i++) {
    const { kind } = operands[i]!;
    if (kind !== 'constant' && kind !== 'undef') return undefined;
  }
  return foldOperation(builder, { op, operands, type: results[0]!.type, indices, intrinsic });
}

/** The constant or undefined value that the operation gives; undefined if that depends on more than constants. */
export function foldOperation(builder: Builder, operation: Operation): Constant | Undef | undefined {
  const { op, operands, type, indices = [] } = operation;
  if (operands.length > 0 && keepsUndefined.has(op) && operands.every(({ kind }) => kind === 'undef'))
    return builder.undef(type);
  if (operands.length === 0 || operands.length > partLimit || !operands.every(isConstant)) return undefined;
  switch (op) {
    case 'construct':
      return builder.constant(type, operands);
    case 'extract':
      return partAt(operands[0]!, indices);
    case 'insert':
      return withPart(builder, operands[0]!, indices, operands[1]!);
    case 'extract_dynamic':
      return partAt(operands[0]!, [Number(operands[1]!.value)]);
    case 'insert_dynamic':
      return withPart(builder, operands[0]!, [Number(operands[2]!.value)], operands[1]!);
  }
  const tree = foldNumbers(builder, operation, operands);
  return tree === undefined ? undefined : constantOf(builder, type, tree);
}

function isConstant(value: Value): value is Constant {
  return value.kind === 'constant';
}

function foldNumbers(
  builder: Builder,
  { op, type, indices = [], intrinsic }: Operation,
  operands: readonly Constant[],
): ScalarTree | undefined {
  const wide = builder.module.enable16BitTypes;
  const element = elementOf(type);
  const from = elementOf(operands[0]!.type);
  if (op === 'select') return chosen(operands, type);
  if (!element || !from) return undefined;
  const scalars = operands.map(scalarsOf);
  const [a] = scalars as [ScalarValue[]];
  switch (op) {
    case 'neg':
    case 'not':
    case 'logical_not':
      return rebuild(type, (i) => unaryScalar(unaries[op], a[i]!, element, wide));
    case 'convert':
      return rebuild(type, (i) => convertScalar(a[i]!, element, wide, from));
    case 'bitcast':
      return reinterpret(a, from, type, wide);
    case 'splat':
      return rebuild(type, () => a[0]!);
    case 'swizzle':
      return rebuild(type, (i) => a[indices[i]!]!);
    case 'intrinsic': {
      const args = operands.map((operand) => ({ type: operand.type, value: treeOf(operand) }));
      const row = intrinsic === undefined ? undefined : intrinsicByKey(intrinsic);
      return row && foldIntrinsic(row, args, type, wide);
    }
  }
  const operator = operators[op];
  if (!operator) return undefined;
  const b = scalars[1]!;
  // Integers divided by zero have all bits set.
  return rebuild(
    type,
    (i) => binaryScalar(operator, a[i]!, b[i]!, from, wide) ?? convertScalar(-1, element, wide),
  );
}

/** A condition for all, or one for each component. */
function chosen(operands: readonly Constant[], type: Type): ScalarTree | undefined {
  const [condition, yes, no] = operands.map(treeOf) as [ScalarTree, ScalarTree, ScalarTree];
  if (typeof condition !== 'object') return condition ? yes : no;
  if (!isNumeric(type)) return undefined;
  const [tests, left, right] = [condition, yes, no].map(flatScalars) as [
    ScalarValue[],
    ScalarValue[],
    ScalarValue[],
  ];
  return rebuild(type, (i) => (tests[i] ? left[i]! : right[i]!));
}

/** Undefined for paths that lead outside, which run-time indices may. */
function partAt(constant: Constant, path: readonly number[]): Constant | undefined {
  let part: Constant | undefined = constant;
  for (const index of path) part = typeof part?.value === 'object' ? part.value[index] : undefined;
  return part;
}

function withPart(
  builder: Builder,
  aggregate: Constant,
  path: readonly number[],
  part: Constant,
): Constant | undefined {
  const [index, ...rest] = path;
  if (index === undefined) return part;
  const { type, value } = aggregate;
  if (typeof value !== 'object' || value.length > partLimit || !value[index]) return undefined;
  if (partType(type, [index]) !== value[index].type) return undefined;
  const changed = withPart(builder, value[index], rest, part);
  return (
    changed &&
    builder.constant(
      type,
      value.map((old, i) => (i === index ? changed : old)),
    )
  );
}
