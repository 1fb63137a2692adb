/** Constants as text. */
import type { Constant, ScalarValue } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, type ScalarType, scalarClass, type Type } from '../types/type.ts';
import type { Context } from './context.ts';
import { bits, constructText, scalarText, typeText } from './types.ts';

export function constantText(context: Context, constant: Constant): string {
  const { type, value } = constant;
  if (typeof value !== 'object') return scalarConstant(context, elementOf(type)!, value);
  const parts = value as readonly Constant[];
  if (type.kind === 'array') return table(context, constant);
  if (type.kind === 'vector' && parts.length > 1 && parts.every((part) => part.value === parts[0]!.value)) {
    if (!Object.is(parts[0]!.value, -0) || parts.every((part) => Object.is(part.value, -0)))
      return `${typeText(context, type)}(${constantText(context, parts[0]!)})`;
  }
  return constructText(
    context,
    type,
    parts.map((part) => constantText(context, part)),
  );
}

/** Arrays of constants stand at program scope, once. */
function table(context: Context, constant: Constant): string {
  const known = context.tables.get(constant);
  if (known !== undefined) return known;
  const type = typeText(context, constant.type);
  const text = initializer(context, constant);
  const same = context.tables.get(`${type} ${text}`);
  const name = same ?? context.names.unique('table');
  if (same === undefined) context.tableTexts.push(`constant ${type} ${name} = ${text};\n`);
  context.tables.set(constant, name);
  context.tables.set(`${type} ${text}`, name);
  return name;
}

function initializer(context: Context, constant: Constant): string {
  const { type, value } = constant;
  if (type.kind !== 'array' || typeof value !== 'object') return constantText(context, constant);
  const parts = value as readonly Constant[];
  return `{{${parts.map((part) => initializer(context, part)).join(', ')}}}`;
}

export function scalarConstant(context: Context, type: ScalarType, value: ScalarValue): string {
  const width = bits(context, type);
  switch (scalarClass(type)) {
    case 'bool':
      return value ? 'true' : 'false';
    case 'float':
      return floatText(context, type, Number(value), width);
    case 'uint':
      if (width === 64) return `${BigInt(value)}ul`;
      return width === 16 ? `ushort(${Number(value)})` : `${Number(value)}u`;
    case 'int':
      if (width === 64)
        return BigInt(value) === -(2n ** 63n) ? 'long(0x8000000000000000ul)' : `${BigInt(value)}l`;
      if (width === 16) return `short(${Number(value)})`;
      return Number(value) === -(2 ** 31) ? 'int(0x80000000u)' : String(Number(value));
  }
}

const single = new DataView(new ArrayBuffer(4));

function floatText(context: Context, type: ScalarType, value: number, width: number): string {
  const least = width === 16 ? 2 ** -14 : 2 ** -126;
  if (!Number.isFinite(value) || (value !== 0 && Math.abs(value) < least)) {
    single.setFloat32(0, value);
    const word = Number.isNaN(value) ? 0x7fc00000 : single.getUint32(0);
    const text = `metal::as_type<float>(0x${word.toString(16)}u)`;
    return width === 16 ? `half(${text})` : text;
  }
  const text = `${decimal(value)}f`;
  return width === 32 ? text : `${scalarText(context, type)}(${text})`;
}

/** The shortest decimals that give the number back. */
function decimal(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const own = String(value);
  // No other number of so few digits gives the same float.
  if (own.length <= 7 && !own.includes('e')) return pointed(own);
  const rounded = Math.fround(value);
  for (let digits = 1; digits < 10; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === rounded) return pointed(String(text));
  }
  return pointed(own);
}

function pointed(text: string): string {
  return /[.e]/.test(text) ? text : `${text}.0`;
}

export function zeroText(context: Context, type: Type): string {
  if (type.kind === 'void') throw new InternalError('nothing has no value', context.at);
  return `${typeText(context, type)}{}`;
}
