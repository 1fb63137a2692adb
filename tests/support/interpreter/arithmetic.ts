/**
 * The opcodes that compute: arithmetic, comparisons, conversions, bit casts. Each works on one scalar; `map` of value.ts
 * spreads it over vectors and matrices.
 */
import type { ScalarValue } from '../../../src/ir/ir.ts';
import { halfToNumber, numberToHalf } from '../resources.ts';
import { type Datum, fail, flatten, map, normalize, type ScalarShape } from './value.ts';

type Scalar = ScalarValue;

/** Integer arithmetic is done with bigint and wrapped, so that 32-bit products are exact. */
function integer(value: Scalar): bigint {
  return typeof value === 'bigint' ? value : BigInt(Number(value));
}

const allOnes = (shape: ScalarShape): Scalar => normalize(-1n, shape);

function divide(a: Scalar, b: Scalar, shape: ScalarShape): Scalar {
  if (shape.class === 'float') return normalize(Number(a) / Number(b), shape);
  const divisor = integer(b);
  // D3D: an unsigned division by zero gives all bits; the signed one is undefined, and the same is as good.
  if (divisor === 0n) return allOnes(shape);
  return normalize(integer(a) / divisor, shape);
}

function remainder(a: Scalar, b: Scalar, shape: ScalarShape): Scalar {
  if (shape.class === 'float') return normalize(Number(a) % Number(b), shape);
  const divisor = integer(b);
  if (divisor === 0n) return allOnes(shape);
  return normalize(integer(a) % divisor, shape);
}

/** D3D takes shift counts modulo the width. */
function shift(left: boolean, a: Scalar, b: Scalar, shape: ScalarShape): Scalar {
  const count = integer(b) & BigInt(shape.bits - 1);
  return normalize(left ? integer(a) << count : integer(a) >> count, shape);
}

function bitwise(a: Scalar, b: Scalar, shape: ScalarShape, of: (a: bigint, b: bigint) => bigint): Scalar {
  return normalize(of(integer(a), integer(b)), shape);
}

function arithmetic(
  a: Scalar,
  b: Scalar,
  shape: ScalarShape,
  float: (a: number, b: number) => number,
  int: (a: bigint, b: bigint) => bigint,
): Scalar {
  if (shape.class === 'float') return normalize(float(Number(a), Number(b)), shape);
  return normalize(int(integer(a), integer(b)), shape);
}

/** Binary opcodes on two scalars of one type. */
export const binary: Record<string, (a: Scalar, b: Scalar, shape: ScalarShape) => Scalar> = {
  add: (a, b, shape) =>
    arithmetic(
      a,
      b,
      shape,
      (x, y) => x + y,
      (x, y) => x + y,
    ),
  sub: (a, b, shape) =>
    arithmetic(
      a,
      b,
      shape,
      (x, y) => x - y,
      (x, y) => x - y,
    ),
  mul: (a, b, shape) =>
    arithmetic(
      a,
      b,
      shape,
      (x, y) => x * y,
      (x, y) => x * y,
    ),
  div: divide,
  rem: remainder,
  and: (a, b, shape) => bitwise(a, b, shape, (x, y) => x & y),
  or: (a, b, shape) => bitwise(a, b, shape, (x, y) => x | y),
  xor: (a, b, shape) => bitwise(a, b, shape, (x, y) => x ^ y),
  shl: (a, b, shape) => shift(true, a, b, shape),
  shr: (a, b, shape) => shift(false, a, b, shape),
  logical_and: (a, b) => Boolean(a) && Boolean(b),
  logical_or: (a, b) => Boolean(a) || Boolean(b),
  equal: (a, b) => a === b,
  not_equal: (a, b) => a !== b,
  less: (a, b) => a < b,
  less_equal: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greater_equal: (a, b) => a >= b,
};

export const unary: Record<string, (a: Scalar, shape: ScalarShape) => Scalar> = {
  neg: (a, shape) => (shape.class === 'float' ? normalize(-Number(a), shape) : normalize(-integer(a), shape)),
  not: (a, shape) => normalize(~integer(a), shape),
  logical_not: (a) => !a,
};

/** Numeric conversion of one scalar. Floats beyond an integer's range go to its nearest end, NaN to 0, as in D3D. */
export function convert(value: Scalar, from: ScalarShape, to: ScalarShape): Scalar {
  if (from.class === 'float' && (to.class === 'int' || to.class === 'uint'))
    return floatToInteger(Number(value), to);
  return normalize(value, to);
}

function floatToInteger(value: number, to: ScalarShape): Scalar {
  if (Number.isNaN(value)) return normalize(0, to);
  const [least, most] = integerRange(to);
  if (!Number.isFinite(value)) return normalize(value < 0 ? least : most, to);
  const whole = BigInt(Math.trunc(value));
  return normalize(whole < least ? least : whole > most ? most : whole, to);
}

function integerRange(shape: ScalarShape): [bigint, bigint] {
  const bits = BigInt(shape.bits);
  return shape.class === 'uint' ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

// ---- bits

/** A scalar's bits as an unsigned integer of its width. */
export function bitsOf(value: Scalar, shape: ScalarShape): bigint {
  if (shape.class === 'bool') return value ? 1n : 0n;
  if (shape.class !== 'float') return BigInt.asUintN(shape.bits, integer(value));
  if (shape.bits === 16) return BigInt(numberToHalf(Number(value)));
  const view = new DataView(new ArrayBuffer(8));
  if (shape.bits === 32) {
    view.setFloat32(0, Number(value), true);
    return BigInt(view.getUint32(0, true));
  }
  view.setFloat64(0, Number(value), true);
  return view.getBigUint64(0, true);
}

export function fromBits(bits: bigint, shape: ScalarShape): Scalar {
  if (shape.class === 'bool') return bits !== 0n;
  if (shape.class !== 'float') return normalize(bits, shape);
  if (shape.bits === 16) return halfToNumber(Number(bits & 0xffffn));
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits, true);
  return shape.bits === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

/** Same bits in another shape; parts may join or split as long as the width in all stays. */
export function bitcast(
  value: Datum,
  from: ScalarShape,
  to: ScalarShape,
  toCount: number,
  toIsList: boolean,
): Datum {
  const scalars = flatten(value);
  if (from.bits === to.bits && Array.isArray(value) === toIsList)
    return map([value], (scalar) => fromBits(bitsOf(scalar, from), to));
  if (scalars.length * from.bits !== toCount * to.bits) fail('bitcast between types of different width');
  let all = 0n;
  scalars.forEach((scalar, i) => {
    all |= bitsOf(scalar, from) << BigInt(i * from.bits);
  });
  const parts = Array.from({ length: toCount }, (_, i) =>
    fromBits(BigInt.asUintN(to.bits, all >> BigInt(i * to.bits)), to),
  );
  return toIsList ? parts : parts[0]!;
}
