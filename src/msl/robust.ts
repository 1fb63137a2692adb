/**
 * `--robust`: what lies out of range reads as zero and writes there are dropped, as Direct3D promises; Metal checks nothing. A place
 * carries the conditions under which it is in range; loads, stores, atomics and calls ask for them here.
 */
import type { Value } from '../ir/ir.ts';
import { elementOf, scalarClass, type TextureType, type Type } from '../types/type.ts';
import { atom, declare, isName, line, text } from './code.ts';
import { scalarConstant, zeroText } from './constants.ts';
import type { Expression, FunctionContext } from './context.ts';
import { type Path, type Place, pathText } from './places.ts';
import { typeText } from './types.ts';

/** Evaluates an operand here, so that its text may stand more than once. */
export function namedIndex(f: FunctionContext, value: Value): string {
  const before = f.fixed;
  f.fixed = false;
  const given = text(f, value);
  const isStable = !f.fixed && (value.kind === 'constant' || isName(given));
  f.fixed = before;
  return isStable ? given : declare(f, typeText(f, value.type), given, 'index');
}

type Guards = Place['guards'];

export interface CheckedIndex {
  path: Path;
  /** Absent where the index is known to be in range. */
  guard?: string;
}

/** An index below a limit: a number, or the text of one. */
export function checkIndex(f: FunctionContext, index: Value, limit: number | string): CheckedIndex {
  if (index.kind === 'constant') {
    const value = Number(index.value);
    // Out of range whatever happens: the first element stands for it, so that compilers do not complain.
    if (value < 0 || value >= Number(limit)) return { path: ['0'], guard: 'false' };
    return { path: [String(value)], ...(typeof limit === 'string' && { guard: `${value}u < ${limit}` }) };
  }
  const name = namedIndex(f, index);
  const isUnsigned = scalarClass(elementOf(index.type)!) === 'uint';
  const end = typeof limit === 'number' ? `${limit}u` : limit;
  return { path: [name], guard: `${isUnsigned ? name : `uint(${name})`} < ${end}` };
}

/** An index into resources: beyond the last one it chooses the first, for there is none that is empty. */
export function clampedIndex(f: FunctionContext, index: Value, limit: number | string): Path {
  const { path, guard } = checkIndex(f, index, limit);
  return guard === undefined || guard === 'false' ? path : [`${guard} ? ${pathText(path)} : 0`];
}

/** How many parts a place has that an index chooses from; undefined for members. */
export function partCount(type: Type): number | undefined {
  switch (type.kind) {
    case 'array':
      return type.size;
    case 'vector':
      return type.count;
    case 'matrix':
      return type.rows;
    default:
      return undefined;
  }
}

/** The place under the conditions of what it is a part of, and one more. */
export function withGuards(place: Place, outer: Guards, guard: string | undefined): Place {
  if (guard === undefined && !outer) return place;
  return { ...place, guards: [...(outer ?? []), ...(guard === undefined ? [] : [guard])] };
}

/** Memory that lives on when a pixel is done. */
export function isOutside({ type }: Value): boolean {
  return type.kind === 'pointer' && (type.space === 'storage' || type.space === 'texel');
}

/** What has to hold for a write through a pointer: some devices do it for discarded pixels too. */
export function guardsOfWrite(f: FunctionContext, pointer: Value, { guards }: Place): Guards {
  if (!f.mayBeDiscarded || f.discarded === undefined || !isOutside(pointer)) return guards;
  return [`!${f.discarded}`, ...(guards ?? [])];
}

function zeroOf(f: FunctionContext, type: Type): string {
  const element = elementOf(type);
  if (!element || type.kind === 'matrix') return zeroText(f, type);
  const zero = scalarConstant(f, element, scalarClass(element) === 'bool' ? false : 0);
  return type.kind === 'vector' && type.count > 1 ? `${typeText(f, type)}(${zero})` : zero;
}

/** A value that is read in range, or zero. */
export function guardedValue(f: FunctionContext, guards: Guards, value: string, type: Type): Expression {
  return atom(guards ? `(${guards.join(' && ')} ? ${value} : ${zeroOf(f, type)})` : value);
}

/** Statements that only happen in range. */
export function guardedLines(f: FunctionContext, guards: Guards, lines: readonly string[]): void {
  if (!guards) {
    for (const one of lines) line(f, one);
    return;
  }
  line(f, `if (${guards.join(' && ')}) {`);
  f.writer.depth++;
  for (const one of lines) line(f, one);
  f.writer.depth--;
  f.writer.line('}');
}

/** A function that tells whether a texel is there; it takes the texture and what `read` takes. */
export function insideHelper(f: FunctionContext, type: TextureType, hasLevel: boolean): string {
  const count = { '1D': 1, '2D': 2, '3D': 3, Cube: 2, Buffer: 1, Subpass: 2 }[type.dimension];
  const isLayered = type.arrayed && type.dimension !== 'Buffer';
  const key = `inside ${count} ${isLayered} ${type.multisampled} ${hasLevel}`;
  const known = f.helpers.get(key);
  if (known !== undefined) return known;
  const name = f.names.unique('inside');
  f.helpers.set(key, name);
  const level = hasLevel && !type.multisampled ? 'level' : '';
  const parameters = ['T texels', `${count === 1 ? 'uint' : `metal::uint${count}`} at`];
  const tests: string[] = [];
  if (level) tests.push('level < texels.get_num_mip_levels()');
  const sizes = ['width', 'height', 'depth'].slice(0, count).map((one) => `texels.get_${one}(${level})`);
  tests.push(count === 1 ? `at < ${sizes[0]}` : `metal::all(at < metal::uint${count}(${sizes.join(', ')}))`);
  if (isLayered) {
    parameters.push('uint layer');
    tests.push('layer < texels.get_array_size()');
  }
  if (hasLevel) parameters.push(type.multisampled ? 'uint number' : 'uint level');
  if (type.multisampled && hasLevel) tests.push('number < texels.get_num_samples()');
  f.helperTexts.push(
    `template<typename T>\nstatic bool ${name}(${parameters.join(', ')}) {\n    return ${tests.join(' && ')};\n}\n`,
  );
  return name;
}
