/** Types as values: their spelling in Metal, and the parts of values. */
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  type MatrixType,
  type ScalarType,
  type StructType,
  scalarBits,
  scalarClass,
  type Type,
  rowType,
} from '../types/type.ts';
import { type Context, needVersion, report } from './context.ts';
import { bare, markedAs } from './marks.ts';
import { Names } from './names.ts';

export function bits(context: Context, type: ScalarType): 16 | 32 | 64 {
  return scalarBits(type, context.module.enable16BitTypes);
}

export function scalarText(context: Context, type: ScalarType): string {
  const width = bits(context, type);
  const kind = scalarClass(type);
  if (kind === 'bool') return 'bool';
  if (kind === 'float') {
    if (width === 64) report(context, 'metal-lacks', { what: "the type 'double'" });
    return width === 16 ? 'half' : 'float';
  }
  if (width === 64) needVersion(context, 230, '64-bit integers in buffers');
  const name = width === 16 ? 'short' : width === 64 ? 'long' : 'int';
  return kind === 'uint' ? `u${name}` : name;
}

/** A vector of one is its component. */
export function vectorText(context: Context, element: ScalarType, count: number): string {
  const name = scalarText(context, element);
  return count === 1 ? name : `metal::${name}${count}`;
}

/** Metal has matrices of floats with at least two rows and columns; others are arrays of their rows. */
export function isMetalMatrix(type: MatrixType): boolean {
  return type.rows > 1 && type.columns > 1 && scalarClass(type.element) === 'float';
}

/** The spelling of a type as a value. HLSL's rows are Metal's columns. */
export function typeText(context: Context, type: Type): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'scalar':
    case 'enum':
      return scalarText(context, elementOf(type)!);
    case 'vector':
      return vectorText(context, type.element, type.count);
    case 'matrix':
      if (isMetalMatrix(type)) return matrixText(context, type.element, type.rows, type.columns);
      return arrayText(typeText(context, rowType(type)), type.rows);
    case 'array':
      return arrayText(typeText(context, type.element), type.size);
    case 'struct':
      return structOf(context, type).name;
    default:
      throw new InternalError(`a ${type.kind} is no value in Metal`, context.at);
  }
}

/** A matrix of so many columns, each of so many rows, as Metal counts them. */
export function matrixText(context: Context, element: ScalarType, columns: number, rows: number): string {
  return `metal::${scalarText(context, element)}${columns}x${rows}`;
}

/** Arrays are wrapped, so that they can be copied, passed and returned. */
export function arrayText(element: string, count: number): string {
  return `Array<${element}, ${count}>`;
}

export function structOf(context: Context, type: StructType): { name: string; members: string[] } {
  const known = context.structs.get(type);
  if (known) return known;
  const names = new Names(undefined, context.names.renamed);
  const members = type.members.map((member) => names.unique(member.name));
  const fields = type.members.map((member, i) => `    ${typeText(context, member.type)} ${members[i]};\n`);
  const made = { name: context.names.unique(type.name), members };
  context.structs.set(type, made);
  context.typeTexts.push(`struct ${made.name} {\n${fields.join('')}};\n`);
  return made;
}

export const componentNames = 'xyzw';

/** Text of a part of a value or of memory that holds values. */
export function partText(context: Context, type: Type, text: string, index: number | string): string {
  switch (type.kind) {
    case 'vector':
      if (type.count === 1) return text;
      return typeof index === 'number' ? `${text}.${componentNames[index]}` : `${text}[${index}]`;
    case 'matrix':
      return isMetalMatrix(type) ? `${text}[${index}]` : `${text}.e[${index}]`;
    case 'array':
      return `${text}.e[${index}]`;
    case 'struct':
      return `${text}.${structOf(context, type).members[Number(index)]}`;
    default:
      throw new InternalError(`a ${type.kind} has no parts`, context.at);
  }
}

/** A value out of its parts. */
export function constructText(
  context: Context,
  type: Type,
  parts: readonly string[],
  /** Which parts are components of vectors, so that their text ends in `.x` for that and not for a member's name. */
  components?: readonly boolean[],
): string {
  const name = typeText(context, type);
  switch (type.kind) {
    case 'vector':
      return type.count === 1 ? parts[0]! : joinedVector(name, type.count, parts, components);
    case 'matrix':
      return isMetalMatrix(type) ? `${name}(${parts.join(', ')})` : `${name}{{${parts.join(', ')}}}`;
    case 'array':
      return `${name}{{${parts.join(', ')}}}`;
    default:
      return `${name}{${parts.join(', ')}}`;
  }
}

/** Neighbouring components of one vector are written as one swizzle. */
function joinedVector(
  name: string,
  count: number,
  parts: readonly string[],
  components: readonly boolean[] | undefined,
): string {
  const joined: { base: string | undefined; text: string; size: number }[] = [];
  parts.forEach((part, i) => {
    const match = components?.[i] ? /^([A-Za-z][\w.]*(?:\[\w+\])?)\.([xyzw])$/.exec(bare(part)) : null;
    const last = joined[joined.length - 1];
    if (match && last && last.base === match[1]) {
      last.text = markedAs(last.text, `${bare(last.text)}${match[2]}`);
      last.size++;
    } else joined.push({ base: match?.[1], text: part, size: 1 });
  });
  const only = joined[0]!;
  if (joined.length === 1 && only.base !== undefined && only.size === count) return only.text;
  if (parts.every((part) => bare(part) === bare(parts[0]!))) return `${name}(${parts[0]})`;
  return `${name}(${joined.map(({ text }) => text).join(', ')})`;
}

export function memberNames(context: Context, type: StructType): string[] {
  const names = new Names(undefined, context.names.renamed);
  return type.members.map((member) => names.unique(member.name));
}
