/**
 * Values of constant expressions, computed on the typed tree. What cannot be known gives `undefined`; nothing is
 * reported except by `evaluateInteger`, which is asked where the language demands a constant.
 */

import { type FoldArgument, foldIntrinsic } from '../intrinsics/fold.ts';
import { intrinsicByKey } from '../intrinsics/table.ts';
import { binaryScalar, convertScalar, flatScalars, rebuild, unaryScalar } from '../ir/arithmetic.ts';
import type { ScalarValue } from '../ir/ir.ts';
import type { Expression } from '../syntax/ast.ts';
import { isLiteral, leafCount } from '../types/convert.ts';
import {
  componentCount,
  elementOf,
  isNumeric,
  type ScalarType,
  scalarClass,
  type Type,
  typeName,
} from '../types/type.ts';
import type { Context } from './context.ts';
import { settle } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import type {
  BinaryExpression,
  ConstantValue,
  ConstructExpression,
  ConvertExpression,
  IndexExpression,
  IntrinsicExpression,
  TypedExpression,
} from './program.ts';

/** Larger aggregates are not worked out at compile time. */
const leafLimit = 1 << 16;

/** The value of a constant expression; undefined if it is none. Literals keep the form of their literal type. */
export function evaluateConstant(context: Context, value: TypedExpression): ConstantValue | undefined {
  if (value.type.kind === 'error') return undefined;
  switch (value.kind) {
    case 'constant':
      return value.value;
    case 'variable':
      return value.symbol.constant && value.symbol.storage !== 'spec-constant'
        ? value.symbol.value
        : undefined;
    case 'member': {
      if (value.known !== undefined) return value.known;
      const object = evaluateConstant(context, value.object);
      return Array.isArray(object) ? object[value.index] : undefined;
    }
    case 'swizzle': {
      const parts = scalarsOf(context, value.object);
      return parts && rebuild(value.type, (i) => parts[value.components[i]!]!);
    }
    case 'matrix-swizzle': {
      const parts = scalarsOf(context, value.object);
      const type = value.object.type;
      if (!parts || type.kind !== 'matrix') return undefined;
      return rebuild(
        value.type,
        (i) => parts[value.components[i]!.row * type.columns + value.components[i]!.column]!,
      );
    }
    case 'index':
      return evaluateIndex(context, value);
    case 'convert':
      return evaluateConversion(context, value);
    case 'construct':
      return evaluateConstruct(context, value);
    case 'flatten':
      return evaluateLeaves(context, value.sources, value.type);
    case 'fill': {
      const filling = evaluateConstant(context, value.value);
      if (filling === undefined || Array.isArray(filling) || leafCount(value.type) > leafLimit)
        return undefined;
      return fromLeaves(context, value.type, () => filling as ScalarValue);
    }
    case 'unary': {
      const parts = scalarsOf(context, value.operand);
      const element = elementOf(value.operand.type);
      if (!parts || !element) return undefined;
      return rebuild(value.type, (i) => unaryScalar(value.op, parts[i]!, element, wide(context)));
    }
    case 'binary':
      return evaluateBinary(context, value);
    case 'logical': {
      const left = scalarsOf(context, value.left);
      const right = scalarsOf(context, value.right);
      if (!left || !right) return undefined;
      return rebuild(value.type, (i) => (value.op === '&&' ? left[i]! && right[i]! : left[i]! || right[i]!));
    }
    case 'conditional': {
      const condition = evaluateConstant(context, value.condition);
      if (typeof condition === 'boolean')
        return evaluateConstant(context, condition ? value.whenTrue : value.whenFalse);
      const choice = condition === undefined ? undefined : flatScalars(condition);
      const [yes, no] = [scalarsOf(context, value.whenTrue), scalarsOf(context, value.whenFalse)];
      return choice && yes && no ? rebuild(value.type, (i) => (choice[i] ? yes[i]! : no[i]!)) : undefined;
    }
    case 'comma':
      return evaluateConstant(context, value.left) === undefined
        ? undefined
        : evaluateConstant(context, value.right);
    case 'intrinsic':
      return evaluateIntrinsic(context, value);
    default:
      return undefined;
  }
}

/**
 * The value of an expression that must be an integer constant: array sizes, labels, arguments of attributes. Reports what is
 * not one.
 */
export function evaluateInteger(context: Context, expression: Expression): number | undefined {
  const value = settle(context, checkExpression(context, expression));
  if (value.type.kind === 'error') return undefined;
  const element =
    value.type.kind === 'scalar' || value.type.kind === 'enum' ? elementOf(value.type) : undefined;
  if (!element || scalarClass(element) === 'float') {
    context.log.report('constant-not-integer', expression.at, { type: typeName(value.type) }, expression.end);
    return undefined;
  }
  const constant = evaluateConstant(context, value);
  if (constant === undefined || Array.isArray(constant)) {
    context.log.report('not-constant', expression.at, {}, expression.end);
    return undefined;
  }
  return Number(constant);
}

function wide(context: Context): boolean {
  return context.options.enable16BitTypes;
}

function scalarsOf(context: Context, expression: TypedExpression): ScalarValue[] | undefined {
  const value = evaluateConstant(context, expression);
  return value === undefined ? undefined : flatScalars(value);
}

function evaluateIndex(context: Context, value: IndexExpression): ConstantValue | undefined {
  const object = evaluateConstant(context, value.object);
  const index = object === undefined ? undefined : evaluateConstant(context, value.index);
  return Array.isArray(object) && typeof index === 'number' ? object[index] : undefined;
}

function evaluateConversion(context: Context, value: ConvertExpression): ConstantValue | undefined {
  const operand = evaluateConstant(context, value.operand);
  if (operand === undefined) return undefined;
  if (value.conversion === 'upcast') return undefined;
  return convertValue(operand, value.operand.type, value.type, value.conversion, wide(context));
}

/** The value of a conversion between numeric types, one step as ConvertExpression describes it. */
export function convertValue(
  value: ConstantValue,
  from: Type,
  to: Type,
  conversion: 'numeric' | 'splat' | 'truncate' | 'reshape',
  enable16: boolean,
): ConstantValue | undefined {
  const parts = flatScalars(value);
  const element = elementOf(to);
  if (!element) return undefined;
  switch (conversion) {
    case 'numeric':
      return rebuild(to, (i) => convertScalar(parts[i]!, element, enable16, elementOf(from)));
    case 'splat':
      return rebuild(to, () => parts[0]!);
    case 'reshape':
      return rebuild(to, (i) => parts[i]!);
    case 'truncate': {
      const [have, want] = [columnsOf(from), columnsOf(to)];
      return rebuild(to, (i) => parts[Math.floor(i / want) * have + (i % want)]!);
    }
  }
}

function columnsOf(type: Type): number {
  return type.kind === 'matrix' ? type.columns : isNumeric(type) ? componentCount(type) : 1;
}

function evaluateConstruct(context: Context, value: ConstructExpression): ConstantValue | undefined {
  const parts: ScalarValue[] = [];
  for (const arg of value.args) {
    const scalars = scalarsOf(context, arg);
    if (!scalars) return undefined;
    parts.push(...scalars);
  }
  return rebuild(value.type, (i) => parts[i]!);
}

function evaluateLeaves(context: Context, sources: TypedExpression[], type: Type): ConstantValue | undefined {
  if (leafCount(type) > leafLimit) return undefined;
  const leaves: ScalarValue[] = [];
  for (const source of sources) {
    const value = evaluateConstant(context, source);
    if (value === undefined) return undefined;
    for (const leaf of flatScalars(value)) leaves.push(leaf);
  }
  let next = 0;
  return fromLeaves(context, type, () => leaves[next++]);
}

/** Fills a type leaf by leaf, each converted to the type it lands on. */
function fromLeaves(
  context: Context,
  type: Type,
  next: () => ScalarValue | undefined,
): ConstantValue | undefined {
  if (type.kind === 'array' || type.kind === 'struct') {
    const parts =
      type.kind === 'array' ? Array<Type>(type.size).fill(type.element) : type.members.map((m) => m.type);
    const values: ConstantValue[] = [];
    for (const part of parts) {
      const value = fromLeaves(context, part, next);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }
  const element = elementOf(type);
  if (!element) return undefined;
  let known = true;
  const value = rebuild(type, () => {
    const leaf = next();
    known &&= leaf !== undefined;
    return leaf === undefined ? 0 : convertScalar(leaf, element, wide(context));
  });
  return known ? value : undefined;
}

function evaluateBinary(context: Context, value: BinaryExpression): ConstantValue | undefined {
  const left = scalarsOf(context, value.left);
  const right = left && scalarsOf(context, value.right);
  const element = elementOf(value.left.type);
  if (!left || !right || !element) return undefined;
  return operate(value.op, left, right, element, value.type, wide(context));
}

/** `left op right` component by component; undefined if one of them divides by zero. */
export function operate(
  op: BinaryExpression['op'],
  left: ScalarValue[],
  right: ScalarValue[],
  element: ScalarType,
  type: Type,
  enable16: boolean,
): ConstantValue | undefined {
  let known = true;
  const result = rebuild(type, (i) => {
    const part = binaryScalar(op, left[i]!, right[i]!, element, enable16);
    known &&= part !== undefined;
    return part ?? 0;
  });
  return known ? result : undefined;
}

function evaluateIntrinsic(context: Context, value: IntrinsicExpression): ConstantValue | undefined {
  const row = intrinsicByKey(value.row);
  if (!row || !isNumeric(value.type)) return undefined;
  const args: FoldArgument[] = [];
  for (const arg of value.args) {
    const { type } = arg.value;
    if (arg.mode !== 'in' || !isNumeric(type) || isLiteral(elementOf(type)!)) return undefined;
    const constant = evaluateConstant(context, arg.value);
    if (constant === undefined) return undefined;
    args.push({ type, value: constant });
  }
  return foldIntrinsic(row, args, value.type, wide(context)) as ConstantValue | undefined;
}
