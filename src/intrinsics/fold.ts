/** Calls of intrinsics on constants, as their rows define them. */
import { convertScalar, flatScalars, rebuild, type ScalarTree } from '../ir/arithmetic.ts';
import type { ScalarValue } from '../ir/ir.ts';
import { componentCount, elementOf, isNumeric, scalarBits, scalarClass, type Type } from '../types/type.ts';
import type { Intrinsic } from './intrinsic.ts';

export interface FoldArgument {
  type: Type;
  value: ScalarTree;
}

/** The value of a call in the result's type; undefined for rows that only run can tell. */
export function foldIntrinsic(
  row: Intrinsic,
  args: readonly FoldArgument[],
  result: Type,
  enable16: boolean,
): ScalarTree | undefined {
  const element = elementOf(result);
  if (row.effects !== 'none' || !element || !isNumeric(result)) return undefined;
  const converted = (parts: (index: number) => ScalarValue): ScalarTree | undefined =>
    rebuild(result, (i) => convertScalar(parts(i), element, enable16));
  if (row.foldWhole) {
    const whole = row.foldWhole as (round: (value: number) => number, ...args: ScalarTree[]) => ScalarTree;
    const argElement = elementOf(args[0]!.type);
    if (!argElement) return undefined;
    const integral = scalarClass(argElement) !== 'float';
    let exact = true;
    const round = (value: number) => {
      if (!integral) return Number(convertScalar(value, argElement, enable16));
      // Products of integers that numbers do not hold.
      if (!Number.isSafeInteger(value)) {
        exact = false;
        return 0;
      }
      // As a bigint, which wraps; a number beyond the range would go to its end, as floats do.
      return Number(convertScalar(BigInt(value), argElement, enable16));
    };
    const parts = flatScalars(whole(round, ...args.map(({ value }) => value)));
    return exact ? converted((i) => parts[i]!) : undefined;
  }
  if (!row.fold || args.some(({ type }) => !elementOf(type))) return undefined;
  const fold = row.fold as (...args: ScalarValue[]) => ScalarValue;
  const scalars = args.map(({ value }) => flatScalars(value));
  const count = componentCount(result);
  if (scalars.some(({ length }) => length !== count)) return undefined;
  const bits = scalarBits(elementOf(args[0]!.type)!, enable16);
  return converted((i) => fold(...scalars.map((parts) => parts[i]!), bits));
}
