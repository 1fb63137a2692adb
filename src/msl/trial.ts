/** Writing on trial: what is known of values can be made what it was before. */
import type { Instruction, Value } from '../ir/ir.ts';
import type { FunctionContext } from './context.ts';

export interface Snapshot {
  left: Map<Value, number>;
  pending: FunctionContext['pending'];
  values: FunctionContext['values'];
  places: FunctionContext['places'];
  open: FunctionContext['open'];
}

export function snapshot(f: FunctionContext): Snapshot {
  return {
    left: new Map(f.left),
    pending: new Map(f.pending),
    values: new Map(f.values),
    places: new Map(f.places),
    open: new Set(f.open),
  };
}

export function restore(f: FunctionContext, saved: Snapshot): void {
  Object.assign(f, saved);
}

/**
 * As a snapshot, of what these instructions touch; gives what takes it back. They have no blocks, and what waited before them is
 * settled or not fixed, so that they settle nothing but their own results.
 */
export function rememberFor(f: FunctionContext, instructions: readonly Instruction[]): () => void {
  const touched = new Set<Value>();
  for (const { operands, results } of instructions)
    for (const value of [...operands, ...results]) touched.add(value);
  const keep = <T>(map: Map<Value, T>): (() => void) => {
    const before: (T | undefined)[] = [];
    for (const value of touched) before.push(map.get(value));
    return () => {
      let i = 0;
      for (const value of touched) {
        const known = before[i++];
        if (known === undefined) map.delete(value);
        else map.set(value, known);
      }
    };
  };
  const undo = [keep(f.left), keep(f.pending), keep(f.values), keep(f.places)];
  const open = new Set(f.open);
  const names = f.locals.mark();
  return () => {
    for (const one of undo) one();
    f.open = open;
    f.locals.rollback(names);
  };
}
