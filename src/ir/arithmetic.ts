/**
 * What operators and conversions give for constant scalars, bit for bit as a GPU computes them: integers wrap, floats round
 * after each operation. Numbers for types up to 32 bits, bigints for 64 bits and for `literal int`.
 */
import { type ScalarType, scalarBits, scalarClass, type Type } from '../types/type.ts';
import type { ScalarValue } from './ir.ts';

/** As HLSL writes them. */
export type BinaryOperator =
  | '|'
  | '^'
  | '&'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

/** A scalar, or the parts of a vector, a matrix (row by row) or an aggregate. */
export type ScalarTree = ScalarValue | readonly ScalarTree[];

/** All scalars in order. */
export function flatScalars(value: ScalarTree): ScalarValue[] {
  return typeof value === 'object' ? value.flatMap(flatScalars) : [value];
}

/** A numeric value from its components: a scalar, a list, or a list of rows. Undefined for other types. */
export function rebuild(type: Type, component: (index: number) => ScalarValue): ScalarTree | undefined {
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return component(0);
    case 'vector':
      return Array.from({ length: type.count }, (_, i) => component(i));
    case 'matrix':
      return Array.from({ length: type.rows }, (_, row) =>
        Array.from({ length: type.columns }, (_, column) => component(row * type.columns + column)),
      );
    default:
      return undefined;
  }
}

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

/** Rounds to the nearest 16-bit float, ties to even. */
export function roundHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const unit = 2 ** (exponent - 10);
  const scaled = value / unit;
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0)) whole++;
  const rounded = whole * unit;
  if (rounded === 0) return value < 0 ? -0 : 0;
  return Math.abs(rounded) >= 65520 ? Math.sign(value) * Infinity : rounded;
}

/**
 * A scalar's value in another type. Floats outside an integer's range give its nearest value, NaN gives 0; `from` tells
 * floats with whole values from integers, which wrap.
 */
export function convertScalar(
  value: ScalarValue,
  to: ScalarType,
  enable16: boolean,
  from?: ScalarType,
): ScalarValue {
  switch (scalarClass(to)) {
    case 'bool':
      return typeof value === 'boolean' ? value : typeof value === 'bigint' ? value !== 0n : value !== 0;
    case 'float':
      return roundFloat(Number(value), to, enable16);
    default:
      if (typeof value === 'boolean') return wrapInteger(value ? 1 : 0, to, enable16);
      if (typeof value === 'bigint') return wrapInteger(value, to, enable16);
      return !(from && scalarClass(from) === 'float') &&
        Number.isInteger(value) &&
        Math.abs(value) <= 0xffffffff
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
  op: BinaryOperator,
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

function compare(op: BinaryOperator, left: ScalarValue, right: ScalarValue): boolean | undefined {
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
  op: BinaryOperator,
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

function integerOperation(op: BinaryOperator, left: number, right: number, bits: bigint): number | undefined {
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
  op: BinaryOperator,
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
