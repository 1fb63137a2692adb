import { Builder } from '../ir/builder.ts';
import { collectGlobalUses, everyUse } from '../ir/globals.ts';
import type { Global, Instruction, Function as IrFunction, Module, PointerType, Value } from '../ir/ir.ts';
import type { Uses } from '../ir/uses.ts';
import { zeroOf } from '../ir/zero.ts';
import { walkFunction } from '../ir/walk.ts';
import { accessType } from '../ir/builder.ts';

/**
 * Statics that only the entry point uses become variables of it, so that they can become values. Their initializer, or zero, is
 * stored at the head. Statics that are indexed at run time stay, for an initializer costs nothing there; so do those that
 * functions use which are still called.
 *
 *     global @n: ptr<private, int> private = 4       %n: ptr<function, int> = var
 *     ...                                            debug_declare $n %n
 *     %0: int = load @n                              store %n, 4
 *                                                    ...
 *                                                    %0: int = load %n
 *
 * Debuggers see it as a variable of the entry point then.
 *
 * Positions: the variable and the first store have that of the static's name.
 */
export function localizeGlobals(module: Module): void {
  const found = collectGlobalUses(module);
  const called = new Set<IrFunction>();
  for (const fn of module.functions) {
    walkFunction(fn, ({ callee }) => {
      if (callee) called.add(callee);
    });
  }
  const moved = new Map<IrFunction, Global[]>();
  for (const global of module.globals) {
    const [user, ...others] = found.users.get(global) ?? [];
    if (global.role.kind !== 'private' || !user?.entry || others.length > 0 || called.has(user)) continue;
    if (!isSplittable(global, found.uses.get(user)!)) continue;
    moved.set(user, [...(moved.get(user) ?? []), global]);
  }
  if (moved.size === 0) return;
  const gone = new Set<Global>();
  for (const [fn, globals] of moved) {
    moveInto(module, fn, globals);
    for (const global of globals) gone.add(global);
  }
  module.globals = module.globals.filter((global) => !gone.has(global));
}

function isSplittable(global: Global, uses: Uses): boolean {
  return everyUse(global, uses, ({ op }, operand, path) => {
    if (operand !== 0 || (op !== 'load' && op !== 'store')) return false;
    return path !== null || (global.type as PointerType).pointee.kind === 'vector';
  });
}

function moveInto(module: Module, fn: IrFunction, globals: readonly Global[]): void {
  const { body } = fn;
  const builder = new Builder(module);
  const variables = new Map<Value, Value>();
  const head = builder.newBlock();
  const stores = builder.newBlock();
  for (const global of globals) {
    const type = (global.type as PointerType).pointee;
    const end = global.location + global.name.length;
    const at = global.location > 0 ? module.positions.intern(global.location, end, fn.scope) : 0;
    builder.at(at === 0 ? body.instructions[0]!.position : at);
    const variable = builder.into(head).var(type, global.name);
    variables.set(global, variable);
    builder.into(stores);
    if (global.debug) {
      const { name, location } = global.debug;
      const shown = { name, type: global.debug.type, location, end: location + name.length, scope: fn.scope };
      module.debugVariables.push(shown);
      builder.debugDeclare(shown, variable);
    }
    builder.store(variable, global.init ?? zeroOf(builder, type));
  }
  const first = body.instructions.findIndex(({ op }) => op !== 'var');
  body.instructions.splice(first, 0, ...head.instructions, ...stores.instructions);
  walkFunction(fn, (instruction) => repoint(instruction, variables));
}

/** Puts the variable in the static's place; pointers into it change their space with it. */
function repoint(instruction: Instruction, variables: ReadonlyMap<Value, Value>): void {
  const { op, operands, results } = instruction;
  for (let i = 0; i < operands.length; i++) operands[i] = variables.get(operands[i]!) ?? operands[i]!;
  const [base, ...path] = operands;
  if (op !== 'access' || base?.type.kind !== 'pointer' || base.type.space !== 'function') return;
  results[0]!.type = accessType(base.type, path);
}
