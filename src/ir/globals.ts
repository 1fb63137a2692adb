/** Uses of globals over all functions of a module. */
import type { Global, Instruction, Function as IrFunction, Module, Value } from './ir.ts';
import { collectUses, isDebug, type Uses } from './uses.ts';
import { walkModule } from './walk.ts';

export interface GlobalUses {
  /** Of pointers that may lead into the globals. */
  uses: Map<IrFunction, Uses>;
  /** Functions whose code uses the global, in order. */
  users: Map<Global, IrFunction[]>;
}

/** Uses of private globals. */
export function collectPrivateUses(module: Module): GlobalUses {
  const found: GlobalUses = { uses: new Map(), users: new Map() };
  if (!module.globals.some(({ role }) => role.kind === 'private')) return found;
  for (const fn of module.functions) {
    const uses = collectUses(fn, (type) => type.kind === 'pointer' && type.space === 'private');
    found.uses.set(fn, uses);
    for (const value of uses.keys()) {
      if (value.kind !== 'global') continue;
      const known = found.users.get(value);
      if (known) known.push(fn);
      else found.users.set(value, [fn]);
    }
  }
  return found;
}

/** Globals that code uses. */
export function usedGlobals(module: Module): Set<Global> {
  const used = new Set<Global>();
  walkModule(module, (instruction) => {
    if (isDebug(instruction)) return;
    const { operands } = instruction;
    for (let i = 0; i < operands.length; i++) {
      const value = operands[i]!;
      if (value.kind === 'global') used.add(value);
    }
  });
  return used;
}

/**
 * Calls `visit` for each instruction that uses memory through `pointer` or a pointer into it; accesses are followed, not
 * visited. `path` is the way there if it has constant indices only, else null. Gives false as soon as `visit` does.
 */
export function everyUse(
  pointer: Value,
  uses: Uses,
  visit: (instruction: Instruction, operand: number, path: readonly number[] | null) => boolean,
  path: readonly number[] | null = [],
): boolean {
  return (uses.get(pointer) ?? []).every(({ instruction, index }) => {
    if (instruction.op !== 'access' || index !== 0) return visit(instruction, index, path);
    let inner: number[] | null = path && [...path];
    for (const each of instruction.operands.slice(1)) {
      if (inner && each.kind === 'constant' && typeof each.value === 'number') inner.push(each.value);
      else inner = null;
    }
    return everyUse(instruction.results[0]!, uses, visit, inner);
  });
}
