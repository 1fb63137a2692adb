/**
 * Assignments, in DXC's order: the value first, then the target's place. The place is worked out once, also where it is
 * read and written. The value of an assignment is what was stored.
 */
import type {
  AssignExpression,
  CompoundAssignExpression,
  IncrementExpression,
  TypedExpression,
  VariableSymbol,
} from '../check/program.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, hasOpaque, scalarBits, scalarClass } from '../types/type.ts';
import { applyBinary, evaluate } from './expressions.ts';
import { load, placeOf, store } from './places.ts';
import { type Evaluated, evaluateBoth, setHandle } from './resources.ts';
import { type FunctionState, stand } from './state.ts';
import { convertTo } from './values.ts';

export function assign(f: FunctionState, expression: AssignExpression): Value {
  const { data } = assignBoth(f, expression);
  if (!data) throw new InternalError('an assignment of no data', expression.at);
  return data;
}

/** Assignment of anything, opaque parts included. */
export function assignBoth(f: FunctionState, expression: AssignExpression): Evaluated {
  return precisely(f, rootOf(expression.target), () => {
    const value = evaluateBoth(f, expression.value);
    if (value.data) {
      const place = placeOf(f, expression.target);
      stand(f, expression);
      store(f, place, value.data);
    }
    if (value.handle && hasOpaque(expression.target.type)) setHandle(f, expression.target, value.handle);
    return value;
  });
}

export function compoundAssign(f: FunctionState, expression: CompoundAssignExpression): Value {
  return precisely(f, rootOf(expression.target), () => {
    const value = evaluate(f, expression.value);
    const place = placeOf(f, expression.target);
    stand(f, expression);
    const before = convertTo(f.builder, load(f, place), expression.computeType);
    const after = applyBinary(f, expression.op, before, convertTo(f.builder, value, expression.computeType));
    const result = convertTo(f.builder, after, place.type);
    store(f, place, result);
    return result;
  });
}

export function increment(f: FunctionState, expression: IncrementExpression): Value {
  return precisely(f, rootOf(expression.target), () => {
    const { builder } = f;
    const place = placeOf(f, expression.target);
    stand(f, expression);
    const before = load(f, place);
    const element = elementOf(before.type);
    if (!element) throw new InternalError('an increment of no number', expression.at);
    const wide =
      scalarBits(element, builder.module.enable16BitTypes) === 64 && scalarClass(element) !== 'float';
    const one = builder.fill(before.type, wide ? 1n : 1);
    const after = builder.binary(expression.op === '++' ? 'add' : 'sub', before, one);
    store(f, place, after);
    return expression.prefix ? after : before;
  });
}

/** The variable that a place is part of. */
function rootOf(target: TypedExpression): VariableSymbol | undefined {
  let place = target;
  for (;;) {
    switch (place.kind) {
      case 'variable':
        return place.symbol;
      case 'member':
      case 'swizzle':
      case 'matrix-swizzle':
      case 'index':
        place = place.object;
        break;
      case 'convert':
        place = place.operand;
        break;
      default:
        return undefined;
    }
  }
}

/** What is computed for a precise variable is marked. */
export function precisely<T>(f: FunctionState, target: VariableSymbol | undefined, compute: () => T): T {
  const before = f.builder.precise;
  if (target && f.preciseVariables.has(target)) f.builder.precise = true;
  const result = compute();
  f.builder.precise = before;
  return result;
}
