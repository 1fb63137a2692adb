/**
 * Unary and binary operators, `?:` and comma. Operands meet in a common element type and shape, as DXC has it; two
 * literals are computed at once and stay literals.
 */

import { flatScalars, rebuild, unaryScalar } from '../ir/arithmetic.ts';
import type { Location } from '../source/source-map.ts';
import type {
  BinaryExpression as BinaryNode,
  CommaExpression,
  ConditionalExpression,
  UnaryExpression,
} from '../syntax/ast.ts';
import { combineScalars, combineShapes, isLiteral, type NumericType } from '../types/convert.ts';
import {
  boolType,
  componentCount,
  elementOf,
  intType,
  isNumeric,
  isOpaque,
  type ScalarType,
  scalarClass,
  type Type,
  typeName,
  uintType,
  withElement,
} from '../types/type.ts';
import { checkIncrement } from './assignments.ts';
import { evaluateConstant, operate } from './constants.ts';
import type { Context } from './context.ts';
import { castTo, convertTo, errorExpression, isError, settle } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { callOperator } from './methods.ts';
import type { BinaryExpression, TypedExpression } from './program.ts';

type Operator = BinaryExpression['op'];
interface Place {
  at: Location;
  end: Location;
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>=']);
const integerOperators: ReadonlySet<string> = new Set(['&', '|', '^', '<<', '>>']);

/** `a op b`. */
export function checkBinary(context: Context, node: BinaryNode): TypedExpression {
  const left = checkExpression(context, node.left);
  const right = checkExpression(context, node.right);
  return isError(left) || isError(right) ? errorExpression(node) : combine(context, node, left, right);
}

function combine(
  context: Context,
  node: BinaryNode,
  left: TypedExpression,
  right: TypedExpression,
): TypedExpression {
  if (left.type.kind === 'struct') {
    const call = callOperator(context, `operator${node.op}`, left, [right], node);
    if (call) return call;
  }
  if (node.op === '&&' || node.op === '||') return logical(context, node, node.op, left, right);
  return binary(context, node.op, left, right, node.opAt, node);
}

/** The operand as a number: enumerations as their integer. Reports what has no arithmetic. */
export function numericOperand(
  context: Context,
  op: string,
  value: TypedExpression,
  at: Location,
): TypedExpression | undefined {
  const { type } = value;
  let number: TypedExpression = value;
  if (type.kind === 'enum') {
    const sameScoped = type.scoped && comparisons.has(op);
    if (!type.scoped || sameScoped) {
      number = {
        kind: 'convert',
        conversion: 'numeric',
        operand: value,
        type: type.underlying,
        implicit: true,
        at: value.at,
        end: value.end,
      };
    }
  }
  if (!isNumeric(number.type)) {
    context.log.report('operator-needs-numbers', at, { op, type: typeName(type) });
    return undefined;
  }
  if ((integerOperators.has(op) || op === '~') && scalarClass(elementOf(number.type)!) === 'float') {
    context.log.report('operator-needs-integers', at, { op, type: typeName(type) });
    return undefined;
  }
  return number;
}

/** Arithmetic, bits, shifts and comparisons. */
export function binary(
  context: Context,
  op: Operator,
  leftValue: TypedExpression,
  rightValue: TypedExpression,
  at: Location,
  place: Place,
): TypedExpression {
  const scopedPair = leftValue.type.kind === 'enum' && leftValue.type.scoped;
  if (scopedPair !== (rightValue.type.kind === 'enum' && rightValue.type.scoped)) {
    return mismatch(context, op, leftValue, rightValue, at, place);
  }
  if (scopedPair && leftValue.type !== rightValue.type)
    return mismatch(context, op, leftValue, rightValue, at, place);
  const left = numericOperand(context, op, leftValue, at);
  const right = left && numericOperand(context, op, rightValue, at);
  if (!left || !right) return errorExpression(place);
  const shape = combineShapes(left.type as NumericType, right.type as NumericType);
  if (!shape) return mismatch(context, op, leftValue, rightValue, at, place);
  const element = operandElement(context, op, elementOf(left.type)!, elementOf(right.type)!, at);
  if (!element || !operatorFits(context, op, element, at)) return errorExpression(place);
  const common = withElement(shape, element);
  const isShift = op === '<<' || op === '>>';
  const a = convertTo(context, left, common, left.at);
  const b = isShift ? shiftAmount(context, right, common) : convertTo(context, right, common, right.at);
  if (isError(a) || isError(b)) return errorExpression(place);
  const type = comparisons.has(op) ? withElement(common, boolType) : common;
  const node: BinaryExpression = {
    kind: 'binary',
    op,
    left: a,
    right: b,
    type,
    at: place.at,
    end: place.end,
  };
  const result = foldLiterals(context, node, element, at);
  // Two values of one enumeration give another one of it.
  const sameEnum =
    leftValue.type.kind === 'enum' && leftValue.type === rightValue.type && !comparisons.has(op);
  return sameEnum ? castTo(context, result, leftValue.type, at) : result;
}

/** The shift's amount in the type of what is shifted; precision lost there does not matter. */
export function shiftAmount(context: Context, value: TypedExpression, type: NumericType): TypedExpression {
  const have = elementOf(value.type)!;
  const want = elementOf(type)!;
  if (isLiteral(have) || have === want) return convertTo(context, value, type, value.at);
  const shaped = convertTo(context, value, withElement(type, have), value.at);
  if (isError(shaped)) return shaped;
  return {
    kind: 'convert',
    conversion: 'numeric',
    operand: shaped,
    type,
    implicit: true,
    at: value.at,
    end: value.end,
  };
}

function mismatch(
  context: Context,
  op: string,
  left: TypedExpression,
  right: TypedExpression,
  at: Location,
  place: Place,
): TypedExpression {
  context.log.report('operand-shapes', at, { op, left: typeName(left.type), right: typeName(right.type) });
  return errorExpression(place);
}

/** The element type in which an operator computes. */
export function operandElement(
  context: Context,
  op: string,
  left: ScalarType,
  right: ScalarType,
  at: Location,
): ScalarType | undefined {
  if (op === '<<' || op === '>>') {
    if (isLiteral(left) && !isLiteral(right)) {
      context.log.report('ambiguous-shift', at);
      return scalarClass(right) === 'uint' ? uintType : intType;
    }
    return left.name === 'bool' ? intType : left;
  }
  const element = combineScalars(left, right);
  // Bools are numbers except where they are only told apart.
  return element.name === 'bool' && op !== '==' && op !== '!=' ? intType : element;
}

/** Reports what targets cannot compute. */
export function operatorFits(context: Context, op: string, element: ScalarType, at: Location): boolean {
  if (op === '%' && element.name === 'double') {
    context.log.report('double-modulo', at);
    return false;
  }
  if ((op === '/' || op === '%') && (element.name === 'min16int' || element.name === 'min12int')) {
    context.log.report('min-int-division', at, { op });
    return false;
  }
  return true;
}

/** Works out an operator on two literals; anything else stays a node. */
function foldLiterals(
  context: Context,
  node: BinaryExpression,
  element: ScalarType,
  at: Location,
): TypedExpression {
  const { left, right } = node;
  const integers = scalarClass(element) !== 'float';
  if (integers && (node.op === '/' || node.op === '%') && isZero(context, right)) {
    context.log.report('division-by-zero', at);
  }
  if (!isLiteral(element) || left.kind !== 'constant' || right.kind !== 'constant') return node;
  const [a, b] = [flatScalars(left.value), flatScalars(right.value)];
  const value = operate(node.op, a, b, element, node.type, context.options.enable16BitTypes);
  return value === undefined
    ? node
    : { kind: 'constant', type: node.type, value, at: node.at, end: node.end };
}

function isZero(context: Context, value: TypedExpression): boolean {
  const constant = value.type.kind === 'scalar' ? evaluateConstant(context, value) : undefined;
  return constant === 0 || constant === 0n;
}

// ---- logic

function logical(
  context: Context,
  node: BinaryNode,
  op: '&&' | '||',
  leftValue: TypedExpression,
  rightValue: TypedExpression,
): TypedExpression {
  const left = numericOperand(context, op, leftValue, node.opAt);
  const right = left && numericOperand(context, op, rightValue, node.opAt);
  if (!left || !right) return errorExpression(node);
  const shortCircuit = context.options.languageVersion >= 2021;
  if (shortCircuit && (left.type.kind !== 'scalar' || right.type.kind !== 'scalar')) {
    context.log.report('logical-not-scalar', node.opAt, { op, function: op === '&&' ? 'and' : 'or' });
    return errorExpression(node);
  }
  const shape = combineShapes(left.type as NumericType, right.type as NumericType);
  if (!shape) return mismatch(context, op, leftValue, rightValue, node.opAt, node);
  const type = withElement(shape, boolType);
  const a = convertTo(context, left, type, left.at);
  const b = convertTo(context, right, type, right.at);
  if (isError(a) || isError(b)) return errorExpression(node);
  return { kind: 'logical', op, shortCircuit, left: a, right: b, type, at: node.at, end: node.end };
}

/** `condition ? a : b`. */
export function checkConditional(context: Context, node: ConditionalExpression): TypedExpression {
  const condition = checkExpression(context, node.condition);
  const yes = checkExpression(context, node.whenTrue);
  const no = checkExpression(context, node.whenFalse);
  if (isError(condition) || isError(yes) || isError(no)) return errorExpression(node);
  const shortCircuit = context.options.languageVersion >= 2021;
  const test = numericOperand(context, '?:', condition, condition.at);
  if (!test) return errorExpression(node);
  if (shortCircuit && test.type.kind !== 'scalar') {
    context.log.report('ternary-not-scalar', condition.at, {}, condition.end);
    return errorExpression(node);
  }
  const type = resultType(yes.type, no.type);
  if (!type) {
    context.log.report('ternary-results', yes.at, { left: typeName(yes.type), right: typeName(no.type) });
    return errorExpression(node);
  }
  if (!isNumeric(type)) {
    const scalarTest = convertTo(context, test, boolType, condition.at);
    return conditional(node, shortCircuit, scalarTest, yes, no, type);
  }
  const shape = test.type as NumericType;
  const [have, want] = [componentCount(shape), componentCount(type)];
  // A scalar result takes the shape of the condition; any other condition must fit the result.
  const result = want === 1 ? withElement(shape, elementOf(type)!) : type;
  const fits = want === 1 || have === 1 || withElement(shape, boolType) === withElement(type, boolType);
  if (!fits) {
    const args = { condition: typeName(condition.type), type: typeName(type) };
    context.log.report('ternary-shapes', condition.at, args, condition.end);
    return errorExpression(node);
  }
  const boolShape = shortCircuit ? boolType : withElement(result, boolType);
  const a = convertTo(context, yes, result, yes.at);
  const b = convertTo(context, no, result, no.at);
  const converted = convertTo(context, test, boolShape, condition.at);
  if (isError(a) || isError(b) || isError(converted)) return errorExpression(node);
  return conditional(node, shortCircuit, converted, a, b, result);
}

function conditional(
  place: Place,
  shortCircuit: boolean,
  condition: TypedExpression,
  whenTrue: TypedExpression,
  whenFalse: TypedExpression,
  type: Type,
): TypedExpression {
  if (isError(condition)) return errorExpression(place);
  return {
    kind: 'conditional',
    shortCircuit,
    condition,
    whenTrue,
    whenFalse,
    type,
    at: place.at,
    end: place.end,
  };
}

/** Type of both results of `?:`; undefined if they do not fit. Handles must be of one type; an enumeration stays one. */
function resultType(yes: Type, no: Type): Type | undefined {
  if (yes === no && (isOpaque(yes) || yes.kind === 'enum')) return yes;
  const [a, b] = [numericType(yes), numericType(no)];
  const shape = a && b && combineShapes(a, b);
  return shape && withElement(shape, combineScalars(elementOf(a)!, elementOf(b)!));
}

function numericType(type: Type): NumericType | undefined {
  if (type.kind === 'enum' && !type.scoped) return type.underlying;
  return isNumeric(type) ? type : undefined;
}

// ---- unary

/** `-a`, `!a`, `++a` and the like. */
export function checkUnary(context: Context, node: UnaryExpression): TypedExpression {
  const { op } = node;
  if (op === '++' || op === '--') return checkIncrement(context, node, op, true);
  const value = checkExpression(context, node.operand);
  if (isError(value)) return errorExpression(node);
  if (op === '&' || op === '*') {
    context.log.report('pointer-operator', node.at, { op });
    return errorExpression(node);
  }
  if (value.type.kind === 'struct') {
    const call = callOperator(context, `operator${op}`, value, [], node);
    if (call) return call;
  }
  const number = numericOperand(context, op, value, node.at);
  if (!number) return errorExpression(node);
  if (op === '!') {
    const type = withElement(number.type as NumericType, boolType);
    const operand = convertTo(context, number, type, value.at);
    return { kind: 'unary', op, operand, type, at: node.at, end: node.end };
  }
  const shape = number.type as NumericType;
  const element = elementOf(shape)!;
  const type = element.name === 'bool' ? withElement(shape, intType) : shape;
  const operand = convertTo(context, number, type, value.at);
  if (op === '+') return operand;
  if (operand.kind === 'constant' && isLiteral(elementOf(type)!)) {
    const parts = flatScalars(operand.value);
    const folded = rebuild(type, (i) =>
      unaryScalar(op, parts[i]!, elementOf(type)!, context.options.enable16BitTypes),
    );
    if (folded !== undefined) return { kind: 'constant', type, value: folded, at: node.at, end: node.end };
  }
  if (op === '-' && scalarClass(element) === 'uint') context.log.report('negated-unsigned', node.at);
  return { kind: 'unary', op, operand, type, at: node.at, end: node.end };
}

/** `a, b`. */
export function checkComma(context: Context, node: CommaExpression): TypedExpression {
  const left = settle(context, checkExpression(context, node.left));
  const right = checkExpression(context, node.right);
  if (isError(left) || isError(right)) return errorExpression(node);
  return { kind: 'comma', left, right, type: right.type, at: node.at, end: node.end };
}
