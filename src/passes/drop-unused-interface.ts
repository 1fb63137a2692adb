import { usedGlobals } from '../ir/globals.ts';
import type { Global, Module } from '../ir/ir.ts';

/**
 * Drops inputs that code no longer reads and outputs that it never writes, from the module and from the lists of the entry points.
 *
 * Positions: there are none.
 */
export function dropUnusedInterface(module: Module): boolean {
  const used = usedGlobals(module);
  const isKept = (global: Global): boolean =>
    used.has(global) || (global.role.kind !== 'input' && global.role.kind !== 'output');
  const before = module.globals.length;
  module.globals = module.globals.filter(isKept);
  for (const { entry } of module.functions) {
    if (!entry) continue;
    entry.inputs = entry.inputs.filter(isKept);
    entry.outputs = entry.outputs.filter(isKept);
  }
  return module.globals.length !== before;
}
