import { collectPrivateUses, everyUse } from '../ir/globals.ts';
import type { Global, Instruction, Module, Value } from '../ir/ir.ts';
import { knownPart } from '../ir/parts.ts';
import { replaceUses } from '../ir/rewrite.ts';

/**
 * Loads of statics that nothing writes give the initializer, or its part at a constant path. Elements of arrays that are chosen at
 * run time are still loaded.
 *
 *     %0: ptr<private, float> = access @weights, 2
 *     %1: float = load %0                              %1 = 0.25
 *
 * Positions: constants have none; the loads take theirs along.
 */
export function foldStaticConstants(module: Module): boolean {
  const found = collectPrivateUses(module);
  const values = new Map<Value, Value>();
  const changed = new Set<Global>();
  for (const [global, users] of found.users) {
    if (global.role.kind !== 'private' || !global.init) continue;
    const loads: { instruction: Instruction; path: readonly number[] | null }[] = [];
    const isRead = users.every((fn) =>
      everyUse(global, found.uses.get(fn)!, (instruction, _, path) => {
        loads.push({ instruction, path });
        return instruction.op === 'load';
      }),
    );
    if (!isRead) continue;
    for (const { instruction, path } of loads) {
      const part = path && knownPart(global.init, path);
      if (part?.path.length !== 0) continue;
      values.set(instruction.results[0]!, part.value);
      changed.add(global);
    }
  }
  if (values.size === 0) return false;
  for (const fn of new Set([...changed].flatMap((global) => found.users.get(global)!)))
    replaceUses(fn, values);
  return true;
}
