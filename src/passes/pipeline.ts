/** Which passes run at each optimization level, in what order, and why that order. */
import type { Module } from '../ir/ir.ts';
import type { Options } from '../options.ts';
import { assumeFinite } from './assume-finite.ts';
import { constfold } from './constfold.ts';
import { cse } from './cse.ts';
import { dce } from './dce.ts';
import { dropUnusedInterface } from './drop-unused-interface.ts';
import { dropUnusedResources } from './drop-unused-resources.ts';
import { expandIntrinsics } from './expand-intrinsics.ts';
import { foldStaticConstants } from './fold-static-constants.ts';
import { forwardMemory } from './forward-memory.ts';
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

/** All passes by name; the functions' own names are gone when the build has made them short. */
const passes: Readonly<Record<string, Pass>> = {
  assumeFinite,
  constfold,
  cse,
  dce,
  dropUnusedInterface,
  dropUnusedResources,
  expandIntrinsics,
  foldStaticConstants,
  forwardMemory,
  inline,
  licm,
  localizeGlobals,
  mem2reg,
  reduceLoads,
  simplify,
  simplifyIf,
  simplifyLoop,
  simplifyParts,
  simplifySwitch,
  sroa,
  unroll,
};
const names = new Map(Object.entries(passes).map(([name, pass]) => [pass, name]));

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
 * Loops are written out when a first clean-up has shown how often they turn. A loop that asks for it may become 16,384
 * instructions, for its author has weighed the size; beyond, drivers take minutes. Others only where the copies are no more
 * than the loop's own test, step and jumps: up to 4 turns and 24 instructions. Then indices are constants, and memory is split anew.
 */
const unrolling: readonly Pass[] = [unroll, constfold, sroa, mem2reg];

/** Passes that run one after the other. */
interface Step {
  passes: readonly Pass[];
  /** Left out if the step before changed nothing: the module is as clean as it was. */
  afterChange?: true;
}

/**
 * What memory holds is handed on when equal pointers are one and variables that can be values are. Loads are reduced when clean-ups
 * have shown which parts are needed, and their accesses are cleaned up after. Code leaves
 * loops when it is known which loops stay. Yet more rounds find next to nothing: one instruction in 370 on public shaders.
 *
 * What counts through turns that were written out becomes constant only when the clean-up has taken their control flow away, so what
 * then folds is cleaned up once more.
 */
const optimizing: readonly Step[] = [
  { passes: [...always, ...toValues, ...cleanUp] },
  { passes: unrolling },
  { passes: cleanUp, afterChange: true },
  { passes: [constfold], afterChange: true },
  { passes: cleanUp, afterChange: true },
  { passes: [forwardMemory, reduceLoads] },
  { passes: cleanUp, afterChange: true },
  { passes: [licm] },
];

/**
 * The levels above 0 are one: a clean-up that stopped earlier would cost less time only where there are loops to write out, and
 * the code that is left would cost that time again in the driver.
 */
function stepsAt(level: Options['optimizationLevel']): readonly Step[] {
  return level === 0 ? [{ passes: always }] : optimizing;
}

/** The passes of an optimization level in the order in which they run if there is something to do for each. */
export function passesAt(level: Options['optimizationLevel']): readonly Pass[] {
  return stepsAt(level).flatMap(({ passes }) => passes);
}

/** What the code has come to do without leaves the module last, unless it is to be kept for layouts that are shared. */
function tidying({ optimizationLevel, preserveBindings, preserveInterface }: Options): readonly Pass[] {
  if (optimizationLevel === 0) return [];
  return [
    ...(preserveBindings ? [] : [dropUnusedResources]),
    ...(preserveInterface ? [] : [dropUnusedInterface]),
  ];
}

/** What the options let passes assume shows when variables are values, behind the first clean-up. */
function withAssumptions(steps: readonly Step[], options: Options): readonly Step[] {
  const [first, ...rest] = steps;
  if (!first || options.optimizationLevel === 0 || !options.finiteMathOnly) return steps;
  return [first, { passes: [assumeFinite] }, { passes: cleanUp, afterChange: true }, ...rest];
}

/** Is told of each pass that has run, and whether that changed code. */
export type PassWatcher = (module: Module, name: string, changed: boolean) => void;

/** Brings a lowered module to what the backends take. */
export function runPasses(module: Module, options: Options, watch?: PassWatcher): void {
  let changed = true;
  for (const { passes, afterChange } of [
    ...withAssumptions(stepsAt(options.optimizationLevel), options),
    { passes: tidying(options), afterChange: undefined },
  ]) {
    if (afterChange && !changed) continue;
    changed = false;
    for (const pass of passes) {
      const hasChanged = pass(module);
      changed ||= hasChanged;
      watch?.(module, names.get(pass)!, hasChanged);
    }
  }
}
