/** The bits of constant scalars. */
import {
  componentCount,
  elementOf,
  isNumeric,
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
} from '../types/type.ts';
import { convertScalar, rebuild, roundHalf, type ScalarTree } from './arithmetic.ts';
import type { ScalarValue } from './ir.ts';

/** A scalar's bits as an unsigned integer of its width. */
export function bitsOf(value: ScalarValue, type: ScalarType, enable16: boolean): bigint {
  const bits = scalarBits(type, enable16);
  if (scalarClass(type) !== 'float') return BigInt.asUintN(bits, BigInt(value));
  if (bits === 16) return BigInt(halfBits(Number(value)));
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 64) view.setFloat64(0, Number(value));
  else view.setFloat32(4, Number(value));
  return view.getBigUint64(0);
}

/** The scalar with these bits. */
export function fromBits(bits: bigint, type: ScalarType, enable16: boolean): ScalarValue {
  if (scalarClass(type) !== 'float') return convertScalar(bits, type, enable16);
  const width = scalarBits(type, enable16);
  if (width === 16) return halfOfBits(Number(bits));
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return width === 64 ? view.getFloat64(0) : view.getFloat32(4);
}

/**
 * Scalars in another type of the same width in all, low parts first. Undefined if a float comes out as NaN: a number does not
 * hold its bits.
 */
export function reinterpret(
  scalars: readonly ScalarValue[],
  from: ScalarType,
  to: Type,
  enable16: boolean,
): ScalarTree | undefined {
  const element = elementOf(to);
  if (!element || !isNumeric(to)) return undefined;
  const [fromBitCount, toBitCount] = [scalarBits(from, enable16), scalarBits(element, enable16)];
  const count = componentCount(to);
  if (scalars.length * fromBitCount !== count * toBitCount) return undefined;
  let all = 0n;
  scalars.forEach((scalar, i) => {
    all |= bitsOf(scalar, from, enable16) << BigInt(i * fromBitCount);
  });
  const parts = Array.from({ length: count }, (_, i) =>
    fromBits(BigInt.asUintN(toBitCount, all >> BigInt(i * toBitCount)), element, enable16),
  );
  return parts.some((part) => Number.isNaN(part)) ? undefined : rebuild(to, (i) => parts[i]!);
}

/** The bits of the nearest 16-bit float. */
export function halfBits(value: number): number {
  const rounded = roundHalf(value);
  const sign = rounded < 0 || Object.is(rounded, -0) ? 0x8000 : 0;
  const size = Math.abs(rounded);
  if (Number.isNaN(size)) return 0x7e00;
  if (size === Infinity) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | (size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}

/** The 16-bit float with these bits. */
export function halfOfBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
