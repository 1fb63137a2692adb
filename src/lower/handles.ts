/**
 * What opaque values stand for. Resources are no values in the IR: while lowering, every opaque variable, struct member
 * and array element is bound to a global and the indices into it. Handles are immutable; assignments bind anew.
 */
import { intrinsicByKey } from '../intrinsics/table.ts';
import type { Global, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { Location } from '../source/source-map.ts';
import { hasOpaque, isOpaque, type Type } from '../types/type.ts';
import type { FunctionState, Handles } from './state.ts';

export type Handle =
  /** A resource or array of resources: the global, stepped into. */
  | { kind: 'resource'; global: Global; indices: readonly Value[] }
  /** A struct, or an array whose elements were set one by one; undefined for parts without handles. */
  | { kind: 'parts'; parts: readonly (Handle | undefined)[] }
  | { kind: 'unset' }
  /** Different values may arrive here; `at` is where they meet. */
  | { kind: 'ambiguous'; at: Location };

export const unset: Handle = { kind: 'unset' };

/** Handles of arrays are lists once an element has one of its own; no device has bindings for more than this. */
export const elementLimit = 4096;

/** What a variable without initializer holds. Its parts are not told apart if they are more than `elementLimit`. */
export function unsetOf(type: Type): Handle {
  return handleCount(type) > elementLimit ? unset : unsetParts(type);
}

function handleCount(type: Type): number {
  if (type.kind === 'array') return type.size * handleCount(type.element);
  if (type.kind === 'struct') return type.members.reduce((sum, member) => sum + handleCount(member.type), 0);
  return isOpaque(type) ? 1 : 0;
}

function unsetParts(type: Type): Handle {
  if (type.kind === 'struct') {
    return {
      kind: 'parts',
      parts: type.members.map(({ type: part }) => (hasOpaque(part) ? unsetParts(part) : undefined)),
    };
  }
  if (type.kind === 'array' && type.size > 0) {
    return { kind: 'parts', parts: Array.from({ length: type.size }, () => unsetParts(type.element)) };
  }
  return unset;
}

export function sameHandle(a: Handle | undefined, b: Handle | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === 'resource' && b?.kind === 'resource') {
    return (
      a.global === b.global &&
      a.indices.length === b.indices.length &&
      a.indices.every((index, i) => sameIndex(index, b.indices[i]!))
    );
  }
  if (a?.kind === 'parts' && b?.kind === 'parts') {
    return a.parts.length === b.parts.length && a.parts.every((part, i) => sameHandle(part, b.parts[i]));
  }
  return a?.kind === 'unset' && b?.kind === 'unset';
}

function sameIndex(a: Value, b: Value): boolean {
  return a === b || (a.kind === 'constant' && b.kind === 'constant' && Number(a.value) === Number(b.value));
}

/** True if all indices are constants, so that the handle means the same everywhere. */
export function isStatic(handle: Handle): boolean {
  if (handle.kind === 'parts') return handle.parts.every((part) => !part || isStatic(part));
  return handle.kind !== 'resource' || handle.indices.every((index) => index.kind === 'constant');
}

/** What holds where two ways meet at `at`. */
export function meet(a: Handle | undefined, b: Handle | undefined, at: Location): Handle | undefined {
  if (!a || !b) return a ?? b;
  if (sameHandle(a, b)) return a;
  if (a.kind === 'parts' && b.kind === 'parts')
    return { kind: 'parts', parts: a.parts.map((part, i) => meet(part, b.parts[i], at)) };
  // One way sets it and the other does not: reading it there has no meaning, so the set one counts.
  if (a.kind === 'unset' && isStatic(b)) return b;
  if (b.kind === 'unset' && isStatic(a)) return a;
  return { kind: 'ambiguous', at };
}

/** The handles after control flow from several places met. Those declared on one way only are gone. */
export function meetAll(ways: readonly Handles[], at: Location): Handles {
  const [first, ...others] = ways;
  if (!first) return new Map();
  const met: Handles = new Map();
  for (const [key, { handle, loops }] of first) {
    let result: Handle | undefined = handle;
    let everywhere = true;
    for (const other of others) {
      const there = other.get(key);
      if (there) result = meet(result, there.handle, at);
      else everywhere = false;
    }
    if (everywhere && result) met.set(key, { handle: result, loops });
  }
  return met;
}

/** The part of a handle that a constant index names. */
export function partOf(handle: Handle, index: number): Handle {
  return handle.kind === 'parts' ? (handle.parts[index] ?? unset) : handle;
}

/** An array that is one global, as its elements, so that one of them can be bound anew. */
export function elementsOf(handle: Handle, elementIndex: (index: number) => Value): Handle {
  const type =
    handle.kind === 'resource' ? steppedType(handle.global.type, handle.indices.length) : undefined;
  if (handle.kind !== 'resource' || type?.kind !== 'array') return handle;
  const parts = Array.from(
    { length: type.size },
    (_, i): Handle => ({ ...handle, indices: [...handle.indices, elementIndex(i)] }),
  );
  return { kind: 'parts', parts };
}

function steppedType(type: Type, steps: number): Type {
  let stepped = type.kind === 'pointer' ? type.pointee : type;
  for (let i = 0; i < steps && stepped.kind === 'array'; i++) stepped = stepped.element;
  return stepped;
}

export function withPart(handle: Handle, index: number, part: Handle): Handle {
  const parts = handle.kind === 'parts' ? [...handle.parts] : [];
  parts[index] = part;
  return { kind: 'parts', parts: Array.from(parts) };
}

/** Binds a variable. In a loop, one from outside it can only be bound to what it is in every turn. */
export function bind(f: FunctionState, key: object, handle: Handle, at: Location, name: string): void {
  const before = f.handles.get(key);
  const loops = before?.loops ?? f.loops;
  const settled = !before || loops === f.loops || sameHandle(before.handle, handle);
  if (!settled && !(isUnset(before.handle) && isStatic(handle)))
    f.l.log.report('opaque-in-loop', at, { name });
  f.handles.set(key, { handle, loops });
}

function isUnset(handle: Handle): boolean {
  return (
    handle.kind === 'unset' ||
    (handle.kind === 'parts' && handle.parts.every((part) => !part || isUnset(part)))
  );
}

/** Pointer to the resource, for its use at `at`; reports it if it is not settled which one. */
export function resourcePointer(f: FunctionState, handle: Handle, at: Location, type: Type): Value {
  switch (handle.kind) {
    case 'resource':
      return f.builder.access(handle.global, ...handle.indices);
    case 'ambiguous': {
      const { presumedLine } = f.l.map.presumed(handle.at);
      f.l.log.report('opaque-ambiguous', at, { line: presumedLine });
      break;
    }
    case 'unset':
      f.l.log.report('opaque-unset', at);
      break;
    case 'parts':
      throw new InternalError('a struct or array where a resource was expected', at);
  }
  return f.builder.undef({ kind: 'pointer', space: 'resource', pointee: type });
}

/** A name for what a handle is bound to; dynamic indices count as equal, since they are passed at run time. */
export function handleKey(handle: Handle | undefined, ids: (global: Global) => number): string {
  if (!handle) return '-';
  switch (handle.kind) {
    case 'resource': {
      const indices = handle.indices.map((index) =>
        index.kind === 'constant'
          ? String(index.value)
          : `*${index.type.kind === 'scalar' ? index.type.name : ''}${markOf(index) ?? ''}`,
      );
      return `${ids(handle.global)}[${indices.join(',')}]`;
    }
    case 'parts':
      return `(${handle.parts.map((part) => handleKey(part, ids)).join(';')})`;
    case 'unset':
      return 'u';
    case 'ambiguous':
      return `a${handle.at}`;
  }
}

/** The same handle with every index that is no constant replaced. */
export function mapIndices(handle: Handle, replace: (index: Value) => Value): Handle {
  if (handle.kind === 'parts')
    return { kind: 'parts', parts: handle.parts.map((part) => part && mapIndices(part, replace)) };
  if (handle.kind !== 'resource') return handle;
  return {
    ...handle,
    indices: handle.indices.map((index) => (index.kind === 'constant' ? index : replace(index))),
  };
}

/** The intrinsic that marks an index as one that differs between invocations, if it went through one. */
export function markOf(index: Value, depth = 4): string | undefined {
  if (index.kind !== 'result' || depth === 0) return undefined;
  const { op, intrinsic, operands } = index.instruction;
  if (op === 'intrinsic')
    return intrinsic !== undefined && intrinsicByKey(intrinsic)?.marksIndex ? intrinsic : undefined;
  if (op !== 'add' && op !== 'sub' && op !== 'mul' && op !== 'convert') return undefined;
  for (const operand of operands) {
    const mark = markOf(operand, depth - 1);
    if (mark !== undefined) return mark;
  }
  return undefined;
}
