/** Parts of values, found without new instructions where the value is known to be put together from parts. */
import { type Builder, partType } from './builder.ts';
import type { Type } from '../types/type.ts';
import type { Value } from './ir.ts';

/** The part of `value` at the constant path, looked up through constructs and inserts; an `extract` of the builder otherwise. */
export function partOfValue(builder: Builder, value: Value, path: readonly number[]): Value {
  const found = knownPart(value, path);
  return found.path.length === 0 ? found.value : builder.extract(found.value, ...found.path);
}

/** As far as it goes without an instruction: the part is `path` of `value`. */
export function knownPart(value: Value, path: readonly number[]): { value: Value; path: readonly number[] } {
  while (path.length > 0) {
    const step = stepInto(value, path);
    if (!step) break;
    ({ value, path } = step);
  }
  return { value, path };
}

function stepInto(
  value: Value,
  path: readonly number[],
): { value: Value; path: readonly number[] } | undefined {
  const [first, ...rest] = path as [number, ...number[]];
  if (value.kind === 'undef') return { value: { kind: 'undef', type: partType(value.type, path) }, path: [] };
  if (value.kind === 'constant') {
    const part = typeof value.value === 'object' ? value.value[first] : undefined;
    return part && { value: part, path: rest };
  }
  if (value.kind !== 'result') return undefined;
  const { op, operands, indices } = value.instruction;
  switch (op) {
    case 'construct':
      return { value: operands[first]!, path: rest };
    case 'extract':
      return stepInto(operands[0]!, [...indices!, ...path]);
    case 'insert': {
      const isInside = indices!.every((index, i) => path[i] === index);
      if (isInside) return { value: operands[1]!, path: path.slice(indices!.length) };
      const isBeside = indices!.some((index, i) => i < path.length && path[i] !== index);
      return isBeside ? { value: operands[0]!, path } : undefined;
    }
    case 'splat':
      return value.type.kind === 'vector' || path.length === 2
        ? { value: operands[0]!, path: path.slice(value.type.kind === 'vector' ? 1 : 2) }
        : undefined;
    case 'swizzle':
      return value.type.kind === 'vector' ? { value: operands[0]!, path: [indices![first]!] } : undefined;
    default:
      return undefined;
  }
}

/** Members, elements or rows; 0 for what has none, and for vectors. */
export function partCount(type: Type): number {
  switch (type.kind) {
    case 'struct':
      return type.members.length;
    case 'array':
      return type.size;
    case 'matrix':
      return type.rows;
    default:
      return 0;
  }
}

/** The same with the components of vectors. */
export function componentsOrParts(type: Type): number {
  return type.kind === 'vector' ? type.count : partCount(type);
}
