/**
 * What readers show of a variable where several records stand above an instruction. They take records in the order in which these are
 * written, not executed, and do not agree on which of them counts:
 *
 * - by the record: the last one that was made in the scope of the instruction or one around it, in the same inlined copy;
 * - RenderDoc up to 1.32: the same, but copies of a function are one;
 * - RenderDoc from 1.33 on: copies are one, and the innermost scope that has a record counts, even if an outer one has a later one.
 */
import type { DebugVariable, Value } from '../ir/ir.ts';
import { isSameValue } from '../ir/joins.ts';
import type { PositionId, Scope } from '../source/position.ts';

/** A variable or part of one, in one inlined copy of its function. */
export interface Part {
  variable: DebugVariable;
  indices: readonly number[];
  inlinedAt: PositionId;
  /** In this copy; inner scopes come last. */
  own: OwnRecord[];
  shared: Shared;
}

interface OwnRecord {
  value: Value;
  scope: Scope;
}

/** The last record of each scope, in all copies of a part. */
export type Shared = Map<Scope, { value: Value; number: number }>;

/** `number`: counts the records of the function. True if some readers show another value in scopes within the record's. */
export function noteRecord(part: Part, record: OwnRecord, number: number): boolean {
  const { scope, value } = record;
  // Older records of scopes in which this one counts are never seen again.
  part.own = part.own.filter((each) => !isInside(each.scope, scope));
  part.own.push(record);
  part.shared.set(scope, { value, number });
  for (const [inner, old] of part.shared)
    if (inner !== scope && isInside(inner, scope) && !isSameValue(old.value, value)) return true;
  return false;
}

/** What each kind of reader shows in a scope. */
export function shownIn({ own, shared }: Part, scope: Scope): (Value | undefined)[] {
  let counting: Value | undefined;
  for (const each of own) if (isInside(scope, each.scope)) counting = each.value;
  let last: { value: Value; number: number } | undefined;
  let innermost: Value | undefined;
  for (let each: Scope | undefined = scope; each; each = each.parent) {
    const record = shared.get(each);
    if (!record) continue;
    innermost ??= record.value;
    if (!last || last.number < record.number) last = record;
  }
  return [counting, last?.value, innermost];
}

export function isInside(scope: Scope | undefined, outer: Scope): boolean {
  for (; scope; scope = scope.parent) if (scope === outer) return true;
  return false;
}
