/** Where the records of a source variable may stand: inside its lexical scope, in the same inlined copy of it. */
import type { PositionId, PositionTable, Scope } from '../source/position.ts';
import type { DebugVariable, Instruction } from './ir.ts';
import { isDebug } from './uses.ts';

/** True if code at `at` runs inside `scope` as inlined through `inlinedAt`, also in calls inlined there. */
export function isWithin(
  positions: PositionTable,
  at: PositionId,
  scope: Scope,
  inlinedAt: PositionId,
): boolean {
  for (let id = at; id !== 0; ) {
    const position = positions.get(id);
    if (position.inlinedAt === inlinedAt) {
      for (let each: Scope | undefined = position.scope; each; each = each.parent) {
        if (each === scope) return true;
      }
    }
    id = position.inlinedAt;
  }
  return false;
}

/** A source variable, or the part of it that `indices` name, in one inlined copy of its function. */
interface DebugPart {
  variable: DebugVariable;
  indices: readonly number[];
  inlinedAt: PositionId;
}

/** What a debug instruction speaks of. */
export function partOf(positions: PositionTable, { variable, indices, position }: Instruction): DebugPart {
  return {
    variable: variable!,
    indices: indices ?? [],
    inlinedAt: inlinedFor(positions, position, variable!),
  };
}

/** The link of the chain in which the variable's function was inlined. */
function inlinedFor(positions: PositionTable, at: PositionId, { scope }: DebugVariable): PositionId {
  for (let id = at; id !== 0; ) {
    const position = positions.get(id);
    for (let each: Scope | undefined = position.scope; each; each = each.parent) {
      if (each === scope) return position.inlinedAt;
    }
    id = position.inlinedAt;
  }
  return positions.get(at).inlinedAt;
}

/** Position of the instruction that is executed next at `index`. */
export function nextPosition(instructions: readonly Instruction[], index: number): PositionId | undefined {
  for (let i = index; i < instructions.length; i++) {
    if (!isDebug(instructions[i]!)) return instructions[i]!.position;
  }
  return undefined;
}
