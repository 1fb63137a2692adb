/** Which functions matter. */
import type { Function as IrFunction, Module } from './ir.ts';
import { calleesOf } from './walk.ts';

/** Functions that are there for themselves: entry points and exports. */
export function isRoot({ entry, attributes }: IrFunction): boolean {
  return entry !== undefined || attributes.includes('export');
}

/** Drops the functions that no entry point or export calls. Says whether there were any. */
export function keepReached(module: Module): boolean {
  const roots = module.functions.filter(isRoot);
  // A library may consist of functions only. And mostly all have been inlined.
  if (roots.length === 0 || roots.length === module.functions.length) return false;
  const reached = new Set<IrFunction>();
  const reach = (fn: IrFunction): void => {
    if (reached.has(fn)) return;
    reached.add(fn);
    for (const callee of calleesOf(fn)) reach(callee);
  };
  for (const fn of roots) reach(fn);
  const before = module.functions.length;
  module.functions = module.functions.filter((fn) => reached.has(fn));
  return module.functions.length < before;
}
