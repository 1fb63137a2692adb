import { collectGlobalUses } from '../ir/globals.ts';
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
export function dropUnusedResources(module: Module): void {
  const { users } = collectGlobalUses(module);
  module.globals = module.globals.filter((global) => users.has(global) || !roles.has(global.role.kind));
}
