/** Which passes run at each optimization level, in what order, and why that order. */
import type { Module } from '../ir/ir.ts';
import type { Options } from '../options.ts';
import { expandIntrinsics } from './expand-intrinsics.ts';
import { inline } from './inline.ts';
import { mem2reg } from './mem2reg.ts';
import { sroa } from './sroa.ts';

/**
 * Brings a lowered module to what the backends take. Intrinsics are written out at every level: what is left of them after
 * that is spelled by the targets.
 */
export function runPasses(module: Module, options: Options): void {
  expandIntrinsics(module);
  if (options.optimizationLevel === 0) return;
  inline(module);
  sroa(module);
  mem2reg(module);
}
