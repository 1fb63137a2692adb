/** Questions about constants, and constants from plain values. */
import { elementOf, type Type } from '../types/type.ts';
import { convertScalar, flatScalars, type ScalarTree } from './arithmetic.ts';
import { type Builder, partType } from './builder.ts';
import type { Constant, ScalarValue, Value } from './ir.ts';

/** The plain value of a constant. */
export function treeOf({ value }: Constant): ScalarTree {
  return typeof value === 'object' ? value.map(treeOf) : value;
}

/** A constant of the type with a plain value. */
export function constantOf(builder: Builder, type: Type, value: ScalarTree): Constant {
  if (typeof value !== 'object') return builder.constant(type, value);
  return builder.constant(
    type,
    value.map((part, i) => constantOf(builder, partType(type, [i]), part)),
  );
}

/** All scalars of a numeric constant. */
export function scalarsOf(constant: Constant): ScalarValue[] {
  return flatScalars(treeOf(constant));
}

/** The scalar in every component of a numeric constant; -0 is not 0. Undefined for other values. */
export function uniformScalar(value: Value | undefined): ScalarValue | undefined {
  if (value?.kind !== 'constant' || !elementOf(value.type)) return undefined;
  let common: Constant = value;
  while (typeof common.value === 'object') {
    const [first] = common.value as readonly Constant[];
    if (!first) return undefined;
    common = first;
  }
  const scalar = common.value as ScalarValue;
  const isSame = (part: Constant): boolean =>
    typeof part.value === 'object' ? part.value.every(isSame) : Object.is(part.value, scalar);
  return isSame(value) ? scalar : undefined;
}

/** Constants of one type and value; undefined values are never equal. */
function sameConstant(a: Constant, b: Constant): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const { value: x } = a;
  const { value: y } = b;
  if (typeof x !== 'object' || typeof y !== 'object') return Object.is(x, y);
  return x.every((part, i) => sameConstant(part, y[i]!));
}

/** One value, or constants that are equal. */
export function sameValue(a: Value, b: Value): boolean {
  return a === b || (a.kind === 'constant' && b.kind === 'constant' && sameConstant(a, b));
}

/** The number in every component of the type, in the form its element has. */
export function numberOf(builder: Builder, type: Type, value: number): Constant {
  return builder.fill(type, convertScalar(value, elementOf(type)!, builder.module.enable16BitTypes));
}
