/**
 * Assignments, in DXC's order: the value first, then the target's place. The place is worked out once, also where it is
 * read and written. The value of an assignment is what was stored.
 */
import type {
  AssignExpression,
  CompoundAssignExpression,
  IncrementExpression,
  VariableSymbol,
} from '../check/program.ts';
import { placeVariable } from '../check/places.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, hasOpaque, scalarBits, scalarClass } from '../types/type.ts';
import { applyBinary, evaluate } from './expressions.ts';
import { load, type Place, placeOf, store } from './places.ts';
import { type Evaluated, evaluateBoth, setHandle } from './resources.ts';
import { type FunctionState, stand } from './state.ts';
import { convertTo } from './values.ts';

/** An expression that writes: the place it wrote, which it gives, and the value that was stored there. */
export interface Written {
  place: Place;
  value: Value;
}

export function assign(f: FunctionState, expression: AssignExpression): Written {
  const { place, value } = assignParts(f, expression);
  if (!value.data || !place) throw new InternalError('an assignment of no data', expression.at);
  return { place, value: value.data };
}

/** Assignment of anything, opaque parts included. */
export function assignBoth(f: FunctionState, expression: AssignExpression): Evaluated {
  return assignParts(f, expression).value;
}

function assignParts(f: FunctionState, expression: AssignExpression): { place?: Place; value: Evaluated } {
  return precisely(f, placeVariable(expression.target), () => {
    const value = evaluateBoth(f, expression.value);
    const place = value.data && placeOf(f, expression.target);
    if (value.data && place) {
      stand(f, expression);
      store(f, place, value.data);
    }
    if (value.handle && hasOpaque(expression.target.type)) setHandle(f, expression.target, value.handle);
    return { ...(place && { place }), value };
  });
}

export function compoundAssign(f: FunctionState, expression: CompoundAssignExpression): Written {
  return precisely(f, placeVariable(expression.target), () => {
    const operand = evaluate(f, expression.value);
    const place = placeOf(f, expression.target);
    stand(f, expression);
    const before = convertTo(f.builder, load(f, place), expression.computeType);
    const after = applyBinary(
      f,
      expression.op,
      before,
      convertTo(f.builder, operand, expression.computeType),
    );
    const value = convertTo(f.builder, after, place.type);
    store(f, place, value);
    return { place, value };
  });
}

/** The value is that before if the sign stands behind. */
export function increment(f: FunctionState, expression: IncrementExpression): Written {
  return precisely(f, placeVariable(expression.target), () => {
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
    return { place, value: expression.prefix ? after : before };
  });
}

/** What is computed for a precise variable is marked. */
export function precisely<T>(f: FunctionState, target: VariableSymbol | undefined, compute: () => T): T {
  const before = f.builder.precise;
  if (target && f.preciseVariables.has(target)) f.builder.precise = true;
  const result = compute();
  f.builder.precise = before;
  return result;
}
