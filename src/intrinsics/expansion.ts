/** What the expansions of several families are built with. */
import { roundHalf } from '../ir/arithmetic.ts';
import type { Builder } from '../ir/builder.ts';
import type { Constant, Instruction, ScalarValue, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  type ScalarClass,
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
  vector,
} from '../types/type.ts';

/** The element of a numeric value. */
export function elementType(value: Value): ScalarType {
  const element = elementOf(value.type);
  if (!element) throw new InternalError(`a ${value.type.kind} where a number was expected`);
  return element;
}

export function classOf(value: Value): ScalarClass {
  return scalarClass(elementType(value));
}

export function bitsOf(builder: Builder, value: Value): 16 | 32 | 64 {
  return scalarBits(elementType(value), builder.module.enable16BitTypes);
}

/** A number as a scalar constant of a type holds it. */
export function scalarValue(element: ScalarType, value: number, enable16BitTypes: boolean): ScalarValue {
  const bits = scalarBits(element, enable16BitTypes);
  switch (scalarClass(element)) {
    case 'bool':
      return value !== 0;
    case 'float':
      return bits === 64 ? value : bits === 16 ? roundHalf(value) : Math.fround(value);
    case 'int':
      return bits === 64 ? BigInt.asIntN(64, BigInt(value)) : bits === 16 ? (value << 16) >> 16 : value | 0;
    case 'uint':
      return bits === 64 ? BigInt.asUintN(64, BigInt(value)) : bits === 16 ? value & 0xffff : value >>> 0;
  }
}

/** The number in every component of the type. */
export function filled(builder: Builder, type: Type, value: number): Constant {
  return builder.fill(type, scalarValue(elementOf(type)!, value, builder.module.enable16BitTypes));
}

/** Scalars of a scalar, vector or matrix, in order. */
export function componentsOf(builder: Builder, value: Value): Value[] {
  const { type } = value;
  switch (type.kind) {
    case 'vector':
      return Array.from({ length: type.count }, (_, index) => builder.extract(value, index));
    case 'matrix':
      return Array.from({ length: type.rows * type.columns }, (_, index) =>
        builder.extract(value, Math.floor(index / type.columns), index % type.columns),
      );
    default:
      return [value];
  }
}

/** A scalar or vector of `type` made component by component. */
export function byComponent(
  builder: Builder,
  type: Type,
  args: readonly Value[],
  make: (...parts: Value[]) => Value,
): Value {
  if (type.kind !== 'vector') return make(...args);
  const parts = args.map((arg) => componentsOf(builder, arg));
  const made = Array.from({ length: type.count }, (_, index) =>
    make(...parts.map((list) => (list.length === 1 ? list[0]! : list[index]!))),
  );
  return builder.construct(type, made);
}

/** A call of another row that gives a value. */
export function call(builder: Builder, key: string, type: Type, ...args: Value[]): Value {
  const result = builder.intrinsic(key, type, args);
  if (!result) throw new InternalError(`'${key}' gives no value`);
  return result;
}

/** The parts added up, from the left. */
export function sum(builder: Builder, parts: readonly Value[]): Value {
  return parts.reduce((total, part) => builder.binary('add', total, part));
}

/** Type of the call's result. */
export function resultType(instruction: Instruction): Type {
  const result = instruction.results[0];
  if (!result) throw new InternalError(`'${instruction.intrinsic}' gives no value`);
  return result.type;
}

/** The scalar itself, or a vector of the scalars. */
export function gathered(builder: Builder, parts: readonly Value[]): Value {
  return parts.length === 1
    ? parts[0]!
    : builder.construct(vector(elementType(parts[0]!), parts.length), [...parts]);
}
