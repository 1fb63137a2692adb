/** Constants of the IR as SPIR-V constants, each value once in a module. */
import { halfBits } from '../ir/bits.ts';
import type { Constant, ScalarValue } from '../ir/ir.ts';
import { elementOf, type ScalarType, scalarBits, scalarClass, type Type, uintType } from '../types/type.ts';
import type { Context } from './context.ts';
import { Op } from './enums.ts';
import { valueTypeId } from './types.ts';

/** A constant of any type, in the form of a value. */
export function constantId(context: Context, constant: Constant): number {
  let id = context.constants.get(constant);
  if (id === undefined) {
    const { type, value } = constant;
    id =
      typeof value !== 'object'
        ? scalarConstant(context, elementOf(type)!, value)
        : composite(
            context,
            type,
            value.map((part) => constantId(context, part)),
          );
    context.constants.set(constant, id);
  }
  return id;
}

/** Constant vector, matrix, array or struct from the ids of its parts. A vector of one is its component. */
export function composite(context: Context, type: Type, parts: number[]): number {
  if (type.kind === 'vector' && type.count === 1) return parts[0]!;
  const typeId = valueTypeId(context, type);
  return withType(context, typeId, Op.ConstantComposite, parts);
}

export function scalarConstant(context: Context, type: ScalarType, value: ScalarValue): number {
  const typeId = valueTypeId(context, type);
  if (scalarClass(type) === 'bool')
    return withType(context, typeId, value ? Op.ConstantTrue : Op.ConstantFalse, []);
  return withType(context, typeId, Op.Constant, scalarWords(type, value, context.module.enable16BitTypes));
}

export function constantUint(context: Context, value: number): number {
  return scalarConstant(context, uintType, value);
}
/** Zeros of a type, without its parts. */
export function nullId(context: Context, type: Type): number {
  return withType(context, valueTypeId(context, type), Op.ConstantNull, []);
}
export function undefId(context: Context, type: Type): number {
  const typeId = valueTypeId(context, type);
  return withType(context, typeId, Op.Undef, []);
}

function withType(
  context: Context,
  typeId: number,
  op: (typeof Op)[keyof typeof Op],
  words: number[],
): number {
  const key = `constant${op},${typeId},${words.join()}`;
  let id = context.interned.get(key);
  if (id === undefined) {
    id = context.sections.id();
    context.interned.set(key, id);
    context.sections.add('declarations', op, typeId, id, ...words);
  }
  return id;
}

/** Spec constants are never merged: each has a number of its own. */
export function specConstant(context: Context, type: ScalarType, value: ScalarValue): number {
  const typeId = valueTypeId(context, type);
  const id = context.sections.id();
  if (scalarClass(type) === 'bool') {
    context.sections.add('declarations', value ? Op.SpecConstantTrue : Op.SpecConstantFalse, typeId, id);
  } else {
    const words = scalarWords(type, value, context.module.enable16BitTypes);
    context.sections.add('declarations', Op.SpecConstant, typeId, id, ...words);
  }
  return id;
}

const view = new DataView(new ArrayBuffer(8));

/** Literal words of a number: narrow ones fill a word (signed ones sign-extended), wide ones take two, low word first. */
export function scalarWords(type: ScalarType, value: ScalarValue, enable16BitTypes: boolean): number[] {
  const bits = scalarBits(type, enable16BitTypes);
  const kind = scalarClass(type);
  if (kind === 'float') {
    const number = Number(value);
    if (bits === 16) return [halfBits(number)];
    if (bits === 32) {
      view.setFloat32(0, number);
      return [view.getUint32(0)];
    }
    view.setFloat64(0, number);
    return [view.getUint32(4), view.getUint32(0)];
  }
  if (bits === 64) {
    view.setBigInt64(0, BigInt.asIntN(64, BigInt(value)));
    return [view.getUint32(4), view.getUint32(0)];
  }
  const number = Number(value);
  if (bits === 16) return [kind === 'int' ? ((number << 16) >> 16) >>> 0 : number & 0xffff];
  return [number >>> 0];
}
