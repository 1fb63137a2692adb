/**
 * Values of the interpreter: scalars as `ScalarValue`; vectors, matrices (by rows), arrays and structs as lists of their
 * parts. Values are never changed in place: a store makes a new value that shares the parts it leaves alone.
 */
import type { Constant, ScalarValue } from '../../../src/ir/ir.ts';
import {
  elementOf,
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
  typeName,
} from '../../../src/types/type.ts';
import { halfToNumber, numberToHalf } from '../resources.ts';
import type { Pointer } from './memory.ts';

export type Datum = ScalarValue | Pointer | readonly Datum[];

/** A fault of the shader under test or of the interpreter; never a result. */
export class InterpreterError extends Error {}

export function fail(message: string): never {
  throw new InterpreterError(message);
}

/** What arithmetic needs to know of a scalar type. */
export interface ScalarShape {
  class: 'bool' | 'int' | 'uint' | 'float';
  bits: 16 | 32 | 64;
}

export function shapeOf(type: ScalarType, enable16BitTypes: boolean): ScalarShape {
  return { class: scalarClass(type), bits: scalarBits(type, enable16BitTypes) };
}

export function shapeOfType(type: Type, enable16BitTypes: boolean): ScalarShape {
  const element = elementOf(type);
  return element ? shapeOf(element, enable16BitTypes) : fail(`${typeName(type)} has no scalar type`);
}

/** A mathematical result made a value of the type: integers wrap, floats round. */
export function normalize(value: number | bigint | boolean, shape: ScalarShape): ScalarValue {
  switch (shape.class) {
    case 'bool':
      return typeof value === 'boolean' ? value : Number(value) !== 0;
    case 'float': {
      const number = Number(value);
      if (shape.bits === 64) return number;
      return shape.bits === 32 ? Math.fround(number) : halfToNumber(numberToHalf(number));
    }
    case 'int':
      if (shape.bits === 64) return BigInt.asIntN(64, toBigInt(value));
      return shape.bits === 32 ? wrap32(value) | 0 : (wrap32(value) << 16) >> 16;
    case 'uint':
      if (shape.bits === 64) return BigInt.asUintN(64, toBigInt(value));
      return shape.bits === 32 ? wrap32(value) >>> 0 : wrap32(value) & 0xffff;
  }
}

function toBigInt(value: number | bigint | boolean): bigint {
  if (typeof value === 'bigint') return value;
  const number = Number(value);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : 0n;
}

/** The low 32 bits; exact for products too, whose callers use bigint. */
function wrap32(value: number | bigint | boolean): number {
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value));
  return Number(value) | 0;
}

export function isList(value: Datum): value is readonly Datum[] {
  return Array.isArray(value);
}

export function asList(value: Datum): readonly Datum[] {
  return isList(value) ? value : fail('a composite value was expected');
}

export function asScalar(value: Datum): ScalarValue {
  return typeof value === 'object' ? fail('a scalar value was expected') : value;
}

export function asNumber(value: Datum): number {
  return Number(asScalar(value));
}

/** Scalars of a value, depth first. */
export function flatten(value: Datum): ScalarValue[] {
  if (isList(value)) return value.flatMap(flatten);
  return [asScalar(value)];
}

/** Scalars of a value as numbers. */
export function numbers(value: Datum): number[] {
  return flatten(value).map(Number);
}

/** Applies a scalar function part by part; scalars among the arguments go with every part. */
export function map(args: readonly Datum[], apply: (...scalars: ScalarValue[]) => ScalarValue): Datum {
  const shaped = args.find(isList);
  if (!shaped) return apply(...args.map(asScalar));
  return shaped.map((_, i) =>
    map(
      args.map((arg) => (isList(arg) ? (arg[i] ?? fail('operands differ in shape')) : arg)),
      apply,
    ),
  );
}

export function zeroOf(type: Type): Datum {
  switch (type.kind) {
    case 'scalar':
      return zeroScalar(type);
    case 'enum':
      return zeroScalar(type.underlying);
    case 'vector':
      return Array.from({ length: type.count }, () => zeroScalar(type.element));
    case 'matrix':
      return Array.from({ length: type.rows }, () =>
        Array.from({ length: type.columns }, () => zeroScalar(type.element)),
      );
    case 'array': {
      const element = zeroOf(type.element);
      return Array.from({ length: type.size }, () => element);
    }
    case 'struct':
      return type.members.map((member) => zeroOf(member.type));
    default:
      return fail(`${typeName(type)} has no zero`);
  }
}

function zeroScalar(type: ScalarType): ScalarValue {
  if (type.name === 'bool') return false;
  return type.name === 'int64_t' || type.name === 'uint64_t' ? 0n : 0;
}

export function constantValue(constant: Constant): Datum {
  return typeof constant.value === 'object' ? constant.value.map(constantValue) : constant.value;
}

/** The part at `path`; outside of the value it is undefined. */
export function partAt(value: Datum, path: readonly number[]): Datum | undefined {
  let part: Datum | undefined = value;
  for (const index of path) {
    if (part === undefined) return undefined;
    part = asList(part)[index];
  }
  return part;
}

/** The value with another part at `path`; unchanged if the path leads outside. */
export function withPart(value: Datum, path: readonly number[], part: Datum): Datum {
  const [index, ...rest] = path;
  if (index === undefined) return part;
  const list = asList(value);
  const old = list[index];
  if (old === undefined) return value;
  const copy = list.slice();
  copy[index] = withPart(old, rest, part);
  return copy;
}
