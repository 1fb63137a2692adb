/** The typed program to IR, optimizer off: every variable in memory, every call a call. Decides no meaning. */
import type { Program, VariableSymbol } from '../check/program.ts';
import { Builder } from '../ir/builder.ts';
import type { Module } from '../ir/ir.ts';
import type { Scope } from '../source/position.ts';
import { lowerEntry } from './entry.ts';
import { evaluate } from './expressions.ts';
import { lowerFunction } from './functions.ts';
import { globalOf, lowerGlobals } from './globals.ts';
import { layoutsOf } from './layouts.ts';
import { memoryPlace, store } from './places.ts';
import {
  completeHead,
  type FunctionState,
  inBlock,
  type LowerEnvironment,
  type Lowering,
  stand,
} from './state.ts';

/** The module of the program's entry point; undefined, after a message, if it cannot be lowered. */
export function lower(program: Program, env: LowerEnvironment): Module | undefined {
  const errorsBefore = env.log.errors;
  const l = newLowering(program, env);
  lowerGlobals(l);
  const entry = lowerEntry(l);
  lowerQueued(l);
  initializeStatics(l, entry);
  const point = entry.fn.entry;
  if (point) l.module.globals.push(...point.inputs, ...point.outputs);
  return env.log.errors > errorsBefore ? undefined : l.module;
}

function newLowering(program: Program, env: LowerEnvironment): Lowering {
  const main = env.map.files.find(({ kind, includedFrom }) => kind === 'file' && includedFrom === 0);
  const unit: Scope = { kind: 'unit', location: main?.start ?? 1 };
  const module: Module = {
    sourceMap: env.map,
    positions: env.positions,
    unit,
    functions: [],
    globals: [],
    debugVariables: [],
    enable16BitTypes: program.enable16BitTypes,
    memory: {
      storage: layoutsOf(env.options.layout).storage,
      matrixOrder: env.options.legacyBufferMatrixOrder ? 'row_major' : env.options.matrixPacking,
    },
  };
  return {
    ...env,
    program,
    module,
    builder: new Builder(module),
    globals: new Map(),
    globalHandles: new Map(),
    dataStructs: new Map(),
    lowered: new Map(),
    queue: [],
    statics: new Set(),
    staticQueue: [],
    namespaces: new Map(),
  };
}

function lowerQueued(l: Lowering): void {
  // It grows meanwhile.
  for (const next of l.queue) lowerFunction(l, next);
  l.queue.length = 0;
}

/**
 * Initializers that are no constants run at the head of the entry, those outside functions in order of declaration, then
 * those of static locals. They may call functions, which may have static locals of their own.
 */
function initializeStatics(l: Lowering, entry: FunctionState): void {
  const prologue = l.builder.newBlock();
  l.builder.into(prologue);
  entry.scope = entry.fn.scope;
  entry.open = true;
  // It grows while initializers call functions that have static locals.
  for (const symbol of l.staticQueue) {
    if (l.statics.has(symbol)) continue;
    l.statics.add(symbol);
    initializeStatic(entry, symbol);
    lowerQueued(l);
    l.builder.into(prologue);
  }
  completeHead(entry, prologue.instructions);
}

function initializeStatic(f: FunctionState, symbol: VariableSymbol): void {
  const { init } = symbol;
  if (!init) return;
  const global = globalOf(f.l, symbol);
  const block = f.builder.block;
  inBlock(f, block, () => {
    const value = evaluate(f, init);
    if (value.kind === 'constant') global.init = value;
    else {
      stand(f, init);
      store(f, memoryPlace(global), value);
    }
  });
}
