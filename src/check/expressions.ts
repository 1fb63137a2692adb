/** The expressions of the AST, one case each; the work is in the files beside this one. */
import { unreachable } from '../source/diagnostic.ts';
import type { Location } from '../source/source-map.ts';
import type { CastExpression, Expression } from '../syntax/ast.ts';
import { boolType, type Type } from '../types/type.ts';
import { checkAssign, checkIncrement } from './assignments.ts';
import { checkCall } from './calls.ts';
import type { Context } from './context.ts';
import { castTo, errorExpression, isError, settle } from './conversions.ts';
import { checkConstruct, checkInitializer, checkSizeof } from './initializers.ts';
import { checkIndex, checkMember } from './members.ts';
import { checkName, checkStaticMember, checkThis } from './identifiers.ts';
import { checkFloatLiteral, checkIntLiteral } from './literals.ts';
import { checkBinary, checkComma, checkConditional, checkUnary } from './operators.ts';
import type { TypedExpression } from './program.ts';
import { resolveType } from './types.ts';

/**
 * The typed form of an expression. A mistake is reported here, once, and gives an expression of ErrorType. `expected`
 * is what an initializer list is to become; it converts nothing else.
 */
export function checkExpression(context: Context, expression: Expression, expected?: Type): TypedExpression {
  switch (expression.kind) {
    case 'int-literal':
      return checkIntLiteral(context, expression);
    case 'float-literal':
      return checkFloatLiteral(context, expression);
    case 'bool-literal':
      return {
        kind: 'constant',
        type: boolType,
        value: expression.value,
        at: expression.at,
        end: expression.end,
      };
    case 'string-literal':
      return refuse(context, 'string-value', expression);
    case 'this':
      return checkThis(context, expression);
    case 'name':
      return checkName(context, expression);
    case 'static-member':
      return checkStaticMember(context, expression);
    case 'member':
      return checkMember(context, expression);
    case 'index':
      return checkIndex(context, expression);
    case 'call':
      return checkCall(context, expression);
    case 'construct':
      return placed(checkConstruct(context, expression), expression);
    case 'cast':
      return checkCast(context, expression);
    case 'unary':
      return checkUnary(context, expression);
    case 'postfix':
      return checkIncrement(context, expression, expression.op, false);
    case 'binary':
      return checkBinary(context, expression);
    case 'assign':
      return checkAssign(context, expression);
    case 'conditional':
      return checkConditional(context, expression);
    case 'comma':
      return checkComma(context, expression);
    case 'initializer-list':
      if (expected) return checkInitializer(context, expression, expected, expression.at);
      return refuse(context, 'list-not-a-value', expression);
    case 'sizeof':
      return checkSizeof(context, expression);
    case 'sampler-state':
      return refuse(context, 'list-not-a-value', expression);
    default:
      return unreachable(expression);
  }
}

/** An expression for its own sake: literals that nothing decides become int and float. */
export function checkValue(context: Context, expression: Expression): TypedExpression {
  return settle(context, checkExpression(context, expression));
}

function checkCast(context: Context, expression: CastExpression): TypedExpression {
  const type = resolveType(context, expression.type);
  const value = checkExpression(context, expression.operand);
  if (type.kind === 'error' || isError(value)) return errorExpression(expression);
  const result = castTo(context, value, type, expression.at);
  return result === value ? value : placed(result, expression);
}

/** What a cast or constructor makes stands where it is written, not where its operand is. */
function placed(value: TypedExpression, place: { at: Location; end: Location }): TypedExpression {
  return { ...value, at: place.at, end: place.end };
}

function refuse(
  context: Context,
  key: 'string-value' | 'list-not-a-value',
  expression: Expression,
): TypedExpression {
  context.log.report(key, expression.at, {}, expression.end);
  return errorExpression(expression);
}
