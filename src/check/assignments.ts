/** Expressions that write: `=`, `op=`, `++` and `--`. */
import type { AssignExpression, PostfixExpression, UnaryExpression } from '../syntax/ast.ts';
import { type NumericType, shapeStep } from '../types/convert.ts';
import { elementOf, isNumeric, typeName, withElement } from '../types/type.ts';
import type { Context } from './context.ts';
import { convertTo, errorExpression, isError } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { checkInitializer } from './initializers.ts';
import { callOperator } from './methods.ts';
import { numericOperand, operandElement, operatorFits, shiftAmount } from './operators.ts';
import { checkPlace } from './places.ts';
import type { BinaryExpression, TypedExpression } from './program.ts';

/** `target = value` and `target op= value`. */
export function checkAssign(context: Context, node: AssignExpression): TypedExpression {
  const target = checkExpression(context, node.target);
  return node.op === '=' ? assign(context, node, target) : compoundAssign(context, node, target);
}

function assign(context: Context, node: AssignExpression, target: TypedExpression): TypedExpression {
  const writable = checkPlace(context, target, target.at, target.end);
  const value = isError(target)
    ? checkExpression(context, node.value)
    : checkInitializer(context, node.value, target.type, node.opAt);
  if (!writable || isError(target) || isError(value)) return errorExpression(node);
  return { kind: 'assign', target, value, type: target.type, at: node.at, end: node.end };
}

function compoundAssign(context: Context, node: AssignExpression, target: TypedExpression): TypedExpression {
  const value = checkExpression(context, node.value);
  if (isError(target) || isError(value)) return errorExpression(node);
  const op = node.op.slice(0, -1) as BinaryExpression['op'];
  if (target.type.kind === 'struct') {
    const call = callOperator(context, `operator${node.op}`, target, [value], node);
    if (call) return call;
  }
  if (!checkPlace(context, target, target.at, target.end)) return errorExpression(node);
  if (target.type.kind === 'enum') {
    context.log.report('enum-target', node.opAt, { op: node.op, type: typeName(target.type) });
    return errorExpression(node);
  }
  const left = numericOperand(context, op, target, node.opAt);
  const right = left && numericOperand(context, op, value, node.opAt);
  if (!left || !right) return errorExpression(node);
  const element = elementOf(left.type)!;
  if (element.name === 'bool' && op !== '&' && op !== '|' && op !== '^') {
    context.log.report('bool-target', node.opAt, { op: node.op });
    return errorExpression(node);
  }
  const shape = left.type as NumericType;
  if (shapeStep(right.type as NumericType, shape) === undefined) {
    const args = { op: node.op, left: typeName(target.type), right: typeName(value.type) };
    context.log.report('operand-shapes', node.opAt, args);
    return errorExpression(node);
  }
  const compute = operandElement(context, op, element, elementOf(right.type)!, node.opAt);
  if (!compute || !operatorFits(context, op, compute, node.opAt)) return errorExpression(node);
  const computeType = withElement(shape, compute);
  const isShift = op === '<<' || op === '>>';
  const operand = isShift
    ? shiftAmount(context, right, computeType)
    : convertTo(context, right, computeType, right.at);
  if (isError(operand)) return errorExpression(node);
  return {
    kind: 'compound-assign',
    op,
    target,
    value: operand,
    computeType,
    type: target.type,
    at: node.at,
    end: node.end,
  };
}

/** `++a`, `a--`. */
export function checkIncrement(
  context: Context,
  node: UnaryExpression | PostfixExpression,
  op: '++' | '--',
  prefix: boolean,
): TypedExpression {
  const target = checkExpression(context, node.operand);
  if (isError(target)) return errorExpression(node);
  const { type } = target;
  if (type.kind === 'enum') {
    context.log.report('enum-target', node.at, { op, type: typeName(type) });
    return errorExpression(node);
  }
  if (!isNumeric(type)) {
    context.log.report('operator-needs-numbers', node.at, { op, type: typeName(type) });
    return errorExpression(node);
  }
  if (!checkPlace(context, target, target.at, target.end)) return errorExpression(node);
  if (elementOf(type)!.name === 'bool') {
    context.log.report('bool-target', node.at, { op });
    return errorExpression(node);
  }
  return { kind: 'increment', op, prefix, target, type, at: node.at, end: node.end };
}
