import { splitConstantRecords } from '../../ir/debug-parts.ts';
import type { Module } from '../../ir/ir.ts';

/**
 * Tells constants of structs and arrays part by part: RenderDoc lists what is in a constant without the names of the members.
 *
 * Positions: the records of parts take that of the whole's.
 */
export function splitDebugConstants(module: Module): void {
  for (const fn of module.functions) splitConstantRecords(fn);
}
