/**
 * What operators and conversions give for constant scalars, bit for bit as a GPU computes them: integers wrap, floats round
 * after each operation. Numbers for types up to 32 bits, bigints for 64 bits and for `literal int`.
 */
import type { ScalarValue } from '../ir/ir.ts';
import { scalarBits, scalarClass, type ScalarType } from '../types/type.ts';
import type { BinaryExpression } from './program.ts';

/** Width of the type's arithmetic; literals compute with 64 bits. */
function width(type: ScalarType, enable16: boolean): 16 | 32 | 64 {
  return type.name === 'literal int' || type.name === 'literal float' ? 64 : scalarBits(type, enable16);
}

/** Brings a number of any size into the range of an integer type. */
function wrapInteger(value: number | bigint, type: ScalarType, enable16: boolean): number | bigint {
  const bits = width(type, enable16);
  const unsigned = scalarClass(type) === 'uint';
  if (bits === 64) return unsigned ? BigInt.asUintN(64, BigInt(value)) : BigInt.asIntN(64, BigInt(value));
  const low = typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value;
  if (bits === 32) return unsigned ? low >>> 0 : low | 0;
  return unsigned ? low & 0xffff : (low << 16) >> 16;
}

/** Rounds a number to the precision of a float type. */
function roundFloat(value: number, type: ScalarType, enable16: boolean): number {
  const bits = width(type, enable16);
  return bits === 64 ? value : bits === 32 ? Math.fround(value) : roundHalf(value);
}

/** The nearest number with 5 bits of exponent and 10 of mantissa, ties to even. */
function roundHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const magnitude = Math.abs(value);
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const unit = 2 ** (exponent - 10);
  const scaled = magnitude / unit;
  let rounded = Math.round(scaled);
  if (Math.abs(scaled - Math.trunc(scaled)) === 0.5 && rounded % 2 === 1) rounded--;
  const result = rounded * unit;
  return Math.sign(value) * (result > 65504 ? Number.POSITIVE_INFINITY : result);
}

/** A scalar's value in another type. Floats outside an integer's range give its nearest value, NaN gives 0. */
export function convertScalar(value: ScalarValue, to: ScalarType, enable16: boolean): ScalarValue {
  switch (scalarClass(to)) {
    case 'bool':
      return typeof value === 'boolean' ? value : typeof value === 'bigint' ? value !== 0n : value !== 0;
    case 'float':
      return roundFloat(Number(value), to, enable16);
    default:
      if (typeof value === 'boolean') return wrapInteger(value ? 1 : 0, to, enable16);
      if (typeof value === 'bigint') return wrapInteger(value, to, enable16);
      return Number.isInteger(value) && Math.abs(value) <= 0xffffffff
        ? wrapInteger(value, to, enable16)
        : floatToInteger(value, to, enable16);
  }
}

function floatToInteger(value: number, to: ScalarType, enable16: boolean): number | bigint {
  if (Number.isNaN(value)) return wrapInteger(0, to, enable16);
  const bits = BigInt(width(to, enable16));
  const unsigned = scalarClass(to) === 'uint';
  const least = unsigned ? 0n : -(1n << (bits - 1n));
  const most = unsigned ? (1n << bits) - 1n : (1n << (bits - 1n)) - 1n;
  if (value === Number.POSITIVE_INFINITY) return wrapInteger(most, to, enable16);
  if (value === Number.NEGATIVE_INFINITY) return wrapInteger(least, to, enable16);
  const whole = BigInt(Math.trunc(value));
  return wrapInteger(whole < least ? least : whole > most ? most : whole, to, enable16);
}

/** `op value`; the operand has the type already. */
export function unaryScalar(
  op: '-' | '~' | '!',
  value: ScalarValue,
  type: ScalarType,
  enable16: boolean,
): ScalarValue {
  if (op === '!') return value === false || value === 0 || value === 0n;
  if (scalarClass(type) === 'float') return -(value as number);
  if (typeof value === 'bigint') return wrapInteger(op === '-' ? -value : ~value, type, enable16);
  return wrapInteger(op === '-' ? -(value as number) : ~(value as number), type, enable16);
}

/** `left op right` for operands of one type; undefined for an integer division by zero. */
export function binaryScalar(
  op: BinaryExpression['op'],
  left: ScalarValue,
  right: ScalarValue,
  type: ScalarType,
  enable16: boolean,
): ScalarValue | undefined {
  const compared = compare(op, left, right);
  if (compared !== undefined) return compared;
  if (scalarClass(type) === 'float')
    return floatOperation(op, left as number, right as number, type, enable16);
  if (typeof left === 'bigint') return wideOperation(op, left, right as bigint, type, enable16);
  const value = integerOperation(op, Number(left), Number(right), BigInt(width(type, enable16)));
  if (value === undefined) return undefined;
  return typeof left === 'boolean' ? value !== 0 : wrapInteger(value, type, enable16);
}

function compare(op: BinaryExpression['op'], left: ScalarValue, right: ScalarValue): boolean | undefined {
  switch (op) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

function floatOperation(
  op: BinaryExpression['op'],
  left: number,
  right: number,
  type: ScalarType,
  enable16: boolean,
): number | undefined {
  switch (op) {
    case '+':
      return roundFloat(left + right, type, enable16);
    case '-':
      return roundFloat(left - right, type, enable16);
    case '*':
      return roundFloat(left * right, type, enable16);
    case '/':
      return roundFloat(left / right, type, enable16);
    case '%':
      return roundFloat(left % right, type, enable16);
    default:
      return undefined;
  }
}

function integerOperation(
  op: BinaryExpression['op'],
  left: number,
  right: number,
  bits: bigint,
): number | undefined {
  const shift = right & (Number(bits) - 1);
  switch (op) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return Math.imul(left, right);
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right);
    case '%':
      return right === 0 ? undefined : left % right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<<':
      return left << shift;
    case '>>':
      return left < 0 ? left >> shift : left >>> shift;
    default:
      return undefined;
  }
}

function wideOperation(
  op: BinaryExpression['op'],
  left: bigint,
  right: bigint,
  type: ScalarType,
  enable16: boolean,
): number | bigint | undefined {
  if ((op === '/' || op === '%') && right === 0n) return undefined;
  const shift = right & 63n;
  const wrap = (value: bigint) => wrapInteger(value, type, enable16);
  switch (op) {
    case '+':
      return wrap(left + right);
    case '-':
      return wrap(left - right);
    case '*':
      return wrap(left * right);
    case '/':
      return wrap(left / right);
    case '%':
      return wrap(left % right);
    case '&':
      return wrap(left & right);
    case '|':
      return wrap(left | right);
    case '^':
      return wrap(left ^ right);
    case '<<':
      return wrap(left << shift);
    case '>>':
      return wrap(left >> shift);
    default:
      return undefined;
  }
}
