/** Which passes run at each optimization level, in what order, and why that order. */
import type { Module } from '../ir/ir.ts';
import type { Options } from '../options.ts';
import { constfold } from './constfold.ts';
import { cse } from './cse.ts';
import { dce } from './dce.ts';
import { dropUnusedInterface } from './drop-unused-interface.ts';
import { dropUnusedResources } from './drop-unused-resources.ts';
import { expandIntrinsics } from './expand-intrinsics.ts';
import { foldStaticConstants } from './fold-static-constants.ts';
import { inline } from './inline.ts';
import { licm } from './licm.ts';
import { localizeGlobals } from './localize-globals.ts';
import { mem2reg } from './mem2reg.ts';
import { reduceLoads } from './reduce-loads.ts';
import { simplifyIf } from './simplify-if.ts';
import { simplifyLoop } from './simplify-loop.ts';
import { simplifyParts } from './simplify-parts.ts';
import { simplifySwitch } from './simplify-switch.ts';
import { simplify } from './simplify.ts';
import { sroa } from './sroa.ts';
import { unroll } from './unroll.ts';

/** Says whether it changed code. */
export type Pass = (module: Module) => boolean;

/** Intrinsics are written out at every level: what is left of them after that is spelled by the targets. */
const always: readonly Pass[] = [expandIntrinsics];

/**
 * Calls go first, so that memory which is passed to them can be split and become values, and so that statics are used by the
 * entry point alone. Statics that nothing writes are constants, which a copy of them in a variable would hide.
 *
 * Every call is inlined, as DXC does: drivers do it anyway, and what a function is given is known only then. Functions that
 * call others twice each can double the code at every level, so no function grows beyond 131,072 instructions, far
 * more than any of the corpora.
 */
const toValues: readonly Pass[] = [inline, foldStaticConstants, localizeGlobals, sroa, mem2reg];

/**
 * Parts come before algebra, which then sees the values themselves. Both give constant conditions and selectors, for which
 * control flow becomes plainer; what then stands in one block is found equal, and what was only needed for it goes.
 */
const cleanUp: readonly Pass[] = [
  constfold,
  simplifyParts,
  simplify,
  simplifyIf,
  simplifySwitch,
  simplifyLoop,
  cse,
  dce,
];

/**
 * Loops are written out when a first clean-up has shown how often they turn. Then indices are constants, and memory is split
 * anew. A loop that asks for it may become 16,384 instructions, for its author has weighed the size; beyond, drivers take
 * minutes. Others only where the copies are no more than the loop's own test, step and jumps: up to 4 turns and 24
 * instructions.
 */
const unrolling: readonly Pass[] = [unroll, constfold, sroa, mem2reg];

/**
 * The passes of an optimization level in the order in which they run. Loads are reduced when clean-ups have shown which parts
 * are needed, and their accesses are cleaned up after. Code leaves loops when it is known which loops stay. Yet more rounds
 * find next to nothing (measured on the corpora).
 */
export function passesAt(level: Options['optimizationLevel']): readonly Pass[] {
  if (level === 0) return always;
  return [...always, ...toValues, ...cleanUp, ...unrolling, ...cleanUp, reduceLoads, ...cleanUp, licm];
}

/** What the code has come to do without leaves the module last, unless it is to be kept for layouts that are shared. */
function tidying({ optimizationLevel, preserveBindings, preserveInterface }: Options): readonly Pass[] {
  if (optimizationLevel === 0) return [];
  return [
    ...(preserveBindings ? [] : [dropUnusedResources]),
    ...(preserveInterface ? [] : [dropUnusedInterface]),
  ];
}

/**
 * Brings a lowered module to what the backends take. A pass is left out if no other one changed anything since it ran last: what a
 * pass can do it does in one run, and in most shaders the last rounds find nothing.
 */
export function runPasses(module: Module, options: Options): void {
  /** Passes that would find the module as they left it. */
  const idle = new Set<Pass>();
  for (const pass of [...passesAt(options.optimizationLevel), ...tidying(options)]) {
    if (idle.has(pass)) continue;
    if (pass(module)) idle.clear();
    idle.add(pass);
  }
}
