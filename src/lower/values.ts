/**
 * Shapes of values: taking apart, putting together, converting. What is made of constants alone becomes a constant, so
 * that literals and initializers cost no instruction.
 */
import type { ConstantValue } from '../check/program.ts';
import type { Builder } from '../ir/builder.ts';
import { partType } from '../ir/builder.ts';
import type { Constant, ScalarValue, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  boolType,
  componentCount,
  elementOf,
  isNumeric,
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
  typeName,
  rowType,
  vector,
  withElement,
} from '../types/type.ts';

/** How many parts `extract` can name; undefined for scalars. */
export function partCount(type: Type): number | undefined {
  switch (type.kind) {
    case 'vector':
      return type.count;
    case 'matrix':
      return type.rows;
    case 'array':
      return type.size;
    case 'struct':
      return type.members.length;
    default:
      return undefined;
  }
}

export function extract(builder: Builder, from: Value, ...path: number[]): Value {
  let value = from;
  let done = 0;
  for (const index of path) {
    if (value.kind !== 'constant' || typeof value.value !== 'object') break;
    value = value.value[index]!;
    done++;
  }
  if (value.kind === 'undef') return builder.undef(partType(value.type, path.slice(done)));
  return done === path.length ? value : builder.extract(value, ...path.slice(done));
}

export function construct(builder: Builder, type: Type, parts: Value[]): Value {
  const constants = parts.filter((part): part is Constant => part.kind === 'constant');
  return constants.length === parts.length
    ? builder.constant(type, constants)
    : builder.construct(type, parts);
}

/** Scalars of a numeric value, row by row. */
export function components(builder: Builder, value: Value): Value[] {
  const { type } = value;
  if (type.kind === 'vector') return Array.from({ length: type.count }, (_, i) => extract(builder, value, i));
  if (type.kind !== 'matrix') return [value];
  const list: Value[] = [];
  for (let row = 0; row < type.rows; row++) {
    for (let column = 0; column < type.columns; column++) list.push(extract(builder, value, row, column));
  }
  return list;
}

/** A numeric value from its scalars, row by row. */
export function fromComponents(builder: Builder, type: Type, parts: Value[]): Value {
  if (type.kind === 'vector') return construct(builder, type, parts);
  if (type.kind !== 'matrix') return parts[0]!;
  const row = rowType(type);
  const rows = Array.from({ length: type.rows }, (_, i) =>
    construct(builder, row, parts.slice(i * type.columns, (i + 1) * type.columns)),
  );
  return construct(builder, type, rows);
}

export function splat(builder: Builder, type: Type, operand: Value): Value {
  if (type === operand.type) return operand;
  return operand.kind === 'constant' && typeof operand.value !== 'object'
    ? builder.fill(type, operand.value)
    : builder.splat(type, operand);
}

export function swizzle(builder: Builder, of: Value, indices: readonly number[]): Value {
  const { type } = of;
  if (type.kind !== 'vector')
    return indices.length === 1 ? of : splat(builder, vector(elementOf(type)!, indices.length), of);
  if (indices.length === 1) return extract(builder, of, indices[0]!);
  if (indices.length === type.count && indices.every((index, i) => index === i)) return of;
  if (of.kind === 'constant' && typeof of.value === 'object') {
    const { value } = of;
    return construct(
      builder,
      vector(type.element, indices.length),
      indices.map((index) => value[index]!),
    );
  }
  return builder.swizzle(of, indices);
}

/** Another element type in the same shape; enums to and from numbers. */
export function convertElement(builder: Builder, operand: Value, type: Type): Value {
  if (operand.type === type) return operand;
  if (operand.kind === 'constant') {
    const constant = convertConstant(builder, operand, type);
    if (constant) return constant;
  }
  return builder.instruction('convert', [operand], [type]).results[0]!;
}

function convertConstant(builder: Builder, { type, value }: Constant, to: Type): Constant | undefined {
  const element = elementOf(to);
  const from = elementOf(type);
  if (!element || !from) return undefined;
  if (typeof value !== 'object') {
    const converted = convertScalar(value, element, builder.module.enable16BitTypes);
    return converted === undefined ? undefined : builder.constant(to, converted);
  }
  const parts = value.map((part, i) => convertConstant(builder, part, partType(to, [i])));
  return parts.some((part) => part === undefined) ? undefined : builder.constant(to, parts as Constant[]);
}

/** Undefined where the result is not the same everywhere: out of range, or rounded to 16 bits. */
function convertScalar(value: ScalarValue, to: ScalarType, wide: boolean): ScalarValue | undefined {
  const bits = scalarBits(to, wide);
  switch (scalarClass(to)) {
    case 'bool':
      return typeof value === 'boolean' ? value : Number(value) !== 0;
    case 'float': {
      const number = Number(value);
      return bits === 64
        ? number
        : bits === 32
          ? Math.fround(number)
          : Number.isInteger(number) && Math.abs(number) <= 2048
            ? number
            : undefined;
    }
    default: {
      const number = typeof value === 'bigint' ? value : Math.trunc(Number(value));
      const integer =
        typeof number === 'bigint' ? number : Number.isFinite(number) ? BigInt(number) : undefined;
      if (integer === undefined) return undefined;
      const fitting =
        scalarClass(to) === 'int' ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
      // Integers wrap; what becomes of floats outside the range is the machine's business.
      if (typeof value === 'number' && !Number.isInteger(value) && fitting !== integer) return undefined;
      return bits === 64 ? fitting : Number(fitting);
    }
  }
}

/** Any numeric conversion: element first, then shape. Vectors of one count as scalars. */
export function convertTo(builder: Builder, operand: Value, type: Type): Value {
  const from = operand.type;
  if (from === type) return operand;
  const element = elementOf(type);
  if (!element || !elementOf(from))
    throw new InternalError(`'${typeName(from)}' does not convert to '${typeName(type)}'`);
  if (!isNumeric(type) || !isNumeric(from)) {
    // An enum on one side.
    const scalar = isNumeric(from) && from.kind !== 'scalar' ? components(builder, operand)[0]! : operand;
    return isNumeric(type) && type.kind !== 'scalar'
      ? splat(builder, type, convertElement(builder, scalar, element))
      : convertElement(builder, scalar, type);
  }
  return reshape(builder, convertElement(builder, operand, withElement(from, element)), type);
}

/** Splat, truncation or reshaping, whichever leads from one shape to the other. */
export function reshape(builder: Builder, operand: Value, type: Type): Value {
  const from = operand.type;
  if (from === type || !isNumeric(from) || !isNumeric(type)) return operand;
  if (from.kind === 'vector' && from.count === 1 && componentCount(type) > 1)
    return splat(builder, type, extract(builder, operand, 0));
  if (from.kind === 'scalar') return splat(builder, type, operand);
  if (from.kind === 'vector' && type.kind !== 'matrix') {
    const kept = Array.from({ length: componentCount(type) }, (_, i) => i);
    const part = swizzle(builder, operand, kept);
    return part.type === type ? part : splat(builder, type, part);
  }
  if (
    from.kind === 'matrix' &&
    type.kind === 'matrix' &&
    from.columns >= type.columns &&
    from.rows >= type.rows
  ) {
    const row = Array.from({ length: type.columns }, (_, i) => i);
    const rows = Array.from({ length: type.rows }, (_, i) => {
      const part = swizzle(builder, extract(builder, operand, i), row);
      return part.type.kind === 'vector' ? part : splat(builder, vector(type.element, 1), part);
    });
    return construct(builder, type, rows);
  }
  return fromComponents(builder, type, components(builder, operand).slice(0, componentCount(type)));
}

/** The scalar (or the first component), converted, in every leaf of the type. */
export function fill(builder: Builder, type: Type, filling: Value): Value {
  const value = components(builder, filling)[0]!;
  if (isNumeric(type) || type.kind === 'enum') {
    const scalar = convertElement(builder, value, type.kind === 'enum' ? type : elementOf(type)!);
    return type.kind === 'enum' ? scalar : splat(builder, type, scalar);
  }
  const count = partCount(type);
  if (count === undefined) throw new InternalError(`cannot fill '${typeName(type)}'`);
  if (type.kind === 'array') {
    const part = fill(builder, type.element, value);
    return construct(
      builder,
      type,
      Array.from({ length: count }, () => part),
    );
  }
  return construct(
    builder,
    type,
    Array.from({ length: count }, (_, i) => fill(builder, partType(type, [i]), value)),
  );
}

/** A constant of a type from its leaves in order. */
export function constantOf(builder: Builder, type: Type, value: ConstantValue): Constant {
  const leaves: ScalarValue[] = [];
  collect(value, leaves);
  let next = 0;
  const build = (part: Type): Constant => {
    const count = partCount(part);
    if (count === undefined) return builder.constant(part, normalScalar(leaves[next++] ?? 0, part, builder));
    return builder.constant(
      part,
      Array.from({ length: count }, (_, i) => build(partType(part, [i]))),
    );
  };
  return build(type);
}

function collect(value: ConstantValue, into: ScalarValue[]): void {
  if (typeof value !== 'object') into.push(value);
  else for (const part of value) collect(part, into);
}

/** The form that ir.ts asks for: numbers up to 32 bits, bigint for 64. */
function normalScalar(value: ScalarValue, type: Type, builder: Builder): ScalarValue {
  const element = elementOf(type) ?? boolType;
  return convertScalar(value, element, builder.module.enable16BitTypes) ?? value;
}
