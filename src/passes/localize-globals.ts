import { accessType, Builder } from '../ir/builder.ts';
import { collectPrivateUses, everyUse, type GlobalUses } from '../ir/globals.ts';
import type {
  DebugVariable,
  Global,
  GlobalDebug,
  Instruction,
  Function as IrFunction,
  Module,
  PointerType,
  Value,
} from '../ir/ir.ts';
import type { Uses } from '../ir/uses.ts';
import { zeroOf } from '../ir/zero.ts';
import { walkFunction } from '../ir/walk.ts';
import type { Scope } from '../source/position.ts';

/**
 * Statics that only the entry point uses become variables of it, so that they can become values. Their initializer, or zero, is
 * stored at the head. Statics that are indexed at run time stay, for an initializer costs nothing there; so do those that
 * functions use which are still called. Statics that nothing uses go.
 *
 *     global @n: ptr<private, int> private = 4       %n: ptr<function, int> = var
 *     ...                                            debug_declare $n %n
 *     %0: int = load @n                              store %n, 4
 *                                                    ...
 *                                                    %0: int = load %n
 *
 * Debuggers see it as a variable of the entry point then, also if it is only a constant any more.
 *
 * Positions: the variable and the first store have that of the entry point's declaration, where no step stops.
 */
export function localizeGlobals(module: Module): boolean {
  const found = collectPrivateUses(module);
  if (found.uses.size === 0) return false;
  const called = new Set<IrFunction>();
  for (const fn of module.functions) {
    walkFunction(fn, ({ callee }) => {
      if (callee) called.add(callee);
    });
  }
  const entries = module.functions.filter((fn) => fn.entry && !called.has(fn));
  const moved = new Map<IrFunction, Global[]>();
  const gone = new Set<Global>();
  for (const global of module.globals) {
    if (global.role.kind !== 'private') continue;
    const users = found.users.get(global) ?? [];
    const user = users.length === 0 && entries.length === 1 ? entries[0] : users[0];
    if (users.length > 1 || (users.length === 1 && !entries.includes(user!))) continue;
    if (user && users.length === 1 && !isSplittable(global, found.uses.get(user)!)) continue;
    gone.add(global);
    if (!user) continue;
    const globals = moved.get(user);
    if (globals) globals.push(global);
    else moved.set(user, [global]);
  }
  if (gone.size === 0) return false;
  for (const [fn, globals] of moved) moveInto(module, fn, globals, found);
  module.globals = module.globals.filter((global) => !gone.has(global));
  return true;
}

function isSplittable(global: Global, uses: Uses): boolean {
  return everyUse(global, uses, ({ op }, operand, path) => {
    if (operand !== 0 || (op !== 'load' && op !== 'store')) return false;
    return path !== null || (global.type as PointerType).pointee.kind === 'vector';
  });
}

function moveInto(module: Module, fn: IrFunction, globals: readonly Global[], { users }: GlobalUses): void {
  const { body, scope } = fn;
  const builder = new Builder(module).at(module.positions.intern(scope.location, scope.location, scope));
  const variables = new Map<Value, Value>();
  const head = builder.newBlock();
  const stores = builder.newBlock();
  for (const global of globals) {
    const type = (global.type as PointerType).pointee;
    const shown = global.debug && debugVariable(global.debug, scope);
    if (shown) module.debugVariables.push(shown);
    builder.into(stores);
    if (!users.has(global)) {
      if (shown && global.init) builder.debugValue(shown, global.init);
      continue;
    }
    const variable = builder.into(head).var(type, global.name);
    variables.set(global, variable);
    builder.into(stores);
    if (shown) builder.debugDeclare(shown, variable);
    builder.store(variable, global.init ?? zeroOf(builder, type));
  }
  const first = body.instructions.findIndex(({ op }) => op !== 'var');
  body.instructions.splice(first, 0, ...head.instructions, ...stores.instructions);
  walkFunction(fn, (instruction) => repoint(instruction, variables));
}

function debugVariable({ name, type, location }: GlobalDebug, scope: Scope): DebugVariable {
  return { name, type, location, end: location + name.length, scope };
}

/** Puts the variable in the static's place; pointers into it change their space with it. */
function repoint(instruction: Instruction, variables: ReadonlyMap<Value, Value>): void {
  const { op, operands, results } = instruction;
  for (let i = 0; i < operands.length; i++) operands[i] = variables.get(operands[i]!) ?? operands[i]!;
  const [base, ...path] = operands;
  if (op !== 'access' || base?.type.kind !== 'pointer' || base.type.space !== 'function') return;
  results[0]!.type = accessType(base.type, path);
}
