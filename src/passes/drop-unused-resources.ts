import { usedGlobals } from '../ir/globals.ts';
import type { GlobalRole, Module } from '../ir/ir.ts';

const roles: ReadonlySet<GlobalRole['kind']> = new Set<GlobalRole['kind']>([
  'resource',
  'push-constant',
  'workgroup',
]);

/**
 * Drops resources, push constants and group-shared memory that code no longer uses. Records of debug information are no use.
 *
 * Positions: there are none.
 */
export function dropUnusedResources(module: Module): boolean {
  const used = usedGlobals(module);
  const before = module.globals.length;
  module.globals = module.globals.filter((global) => used.has(global) || !roles.has(global.role.kind));
  return module.globals.length !== before;
}
