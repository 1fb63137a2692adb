/** Runs a program without optimizer on the IR's interpreter, then as SPIR-V of a level, and has the walker compare. */
import { type CompileOptions, completeOptions } from '../../src/compile.ts';
import type { Module } from '../../src/ir/ir.ts';
import type { Options } from '../../src/options.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { emitSpirv } from '../../src/spirv/emit.ts';
import { lowered } from '../support/compile.ts';
import type { Environment, StageValues } from '../support/interpreter/interpret.ts';
import {
  interpretCompute,
  interpretQuad,
  interpretVertices,
  stageKey,
} from '../support/interpreter/interpret.ts';
import { flatten } from '../support/interpreter/value.ts';
import type { Bindings } from '../support/resources.ts';
import { runComputeGroup, runQuad, runVertices } from '../support/spirv-machine/run.ts';
import { bindingsFor, inputsFor } from './inputs.ts';
import type { Existing } from './existing.ts';
import { recorder } from './recording.ts';
import { type Figures, Walker } from './walker.ts';

export type Level = 0 | 1 | 2 | 3;

/** Instructions of a run. Made-up inputs may make a loop long. */
const stepBudget = 3_000_000;

export interface Walk {
  figures: Figures;
  /** Where the two runs left other values in resources or gave other outputs. */
  differences: string[];
}

export interface WalkOptions {
  /** The same contents at each call, but not the same memory. */
  bindings?: (module: Module) => Bindings;
  /** Changes the module behind the passes, so that a test can see that a fault is found. */
  spoil?: (module: Module) => void;
  /** Is told of each scalar at the highest level whether it was shown. */
  existing?: Existing;
}

/** One walk per level. */
export function walk<L extends Level>(
  options: CompileOptions,
  levels: readonly L[],
  { bindings = bindingsFor, spoil = () => {}, existing }: WalkOptions = {},
): Record<L, Walk> {
  const full = completeOptions({ ...options, debugInfo: 'vulkan-with-source' });
  const plain = lowered({ ...options, optimize: 0 }, 'passed');
  const { watch, recording } = recorder(plain, full);
  const expected = bindings(plain);
  const outputs = interpret(plain, { bindings: expected, pushConstants, watch, stepBudget });
  const walkAt = (level: Level): Walk => {
    const module = lowered({ ...options, optimize: level }, 'passed');
    const given = bindings(module);
    spoil(module);
    const names = resourceNames(module);
    const words = wordsOf(module, { ...full, optimizationLevel: level });
    const walker = new Walker(words, recording, level === 3 ? existing : undefined);
    const found = run(plain, walker.words, {
      bindings: given,
      pushConstants,
      watch: walker.watch,
      stepBudget,
    });
    walker.finish();
    const { figures } = walker;
    const left = differentBindings(resourceNames(plain), expected, names, given);
    return { figures, differences: [...left, ...differentOutputs(plain, outputs, found)] };
  };
  return Object.fromEntries(levels.map((level) => [level, walkAt(level)])) as Record<L, Walk>;
}

const pushConstants = new Uint8Array(256);

function wordsOf(module: Module, options: Options): Uint32Array {
  const log = new DiagnosticLog();
  const words = emitSpirv(module, { options, log });
  if (!words) throw new Error(log.diagnostics.map(({ message }) => message).join('\n'));
  return words;
}

const stageOf = (module: Module): string => module.functions.find(({ entry }) => entry)!.entry!.stage;

/** Threads that neither share memory nor wait for each other run without the rest of their group. */
function threadsOf(module: Module): number | undefined {
  return module.globals.some(({ role }) => role.kind === 'workgroup') ? undefined : 4;
}

const invocations = 4;

function interpret(module: Module, environment: Environment): StageValues[] {
  const inputs = Array.from({ length: invocations }, (_, lane) => inputsFor(module, lane, stageKey));
  switch (stageOf(module)) {
    case 'vertex':
      return interpretVertices(module, inputs, environment).map(({ outputs }) => outputs);
    case 'pixel':
      return interpretQuad(module, inputs, environment).map(shownOutputs);
    default: {
      const threads = threadsOf(module);
      interpretCompute(module, [1, 1, 1], { ...environment, ...(threads && { threads }) });
      return [];
    }
  }
}

/** `module`: what the words were made from tells the inputs. */
function run(
  module: Module,
  words: Uint32Array,
  environment: Parameters<typeof runComputeGroup>[1] & object,
): StageValues[] {
  const inputs = Array.from({ length: invocations }, (_, lane) =>
    inputsFor(module, lane, ({ name }) => name),
  );
  switch (stageOf(module)) {
    case 'vertex':
      return runVertices(words, inputs, environment);
    case 'pixel':
      return runQuad(words, inputs, environment).map(shownOutputs);
    default: {
      const threads = threadsOf(module);
      runComputeGroup(words, { ...environment, ...(threads && { threads }) });
      return [];
    }
  }
}

const shownOutputs = ({ outputs, discarded }: { outputs: StageValues; discarded: boolean }): StageValues =>
  discarded ? {} : outputs;

/** Bindings by the names of the resources. */
function resourceNames(module: Module): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, role } of module.globals)
    if (role.kind === 'resource') names.set(name, `${role.binding.set}.${role.binding.binding}`);
  return names;
}

/** The bits behind a NaN are nobody's promise. */
function isNan({ bytes }: { bytes: Uint8Array }, at: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Number.isNaN(view.getFloat32(at & ~3, true));
}

function differentBindings(
  plain: ReadonlyMap<string, string>,
  expected: Bindings,
  names: ReadonlyMap<string, string>,
  given: Bindings,
): string[] {
  const differences: string[] = [];
  for (const [name, binding] of names) {
    const [a, b] = [expected[plain.get(name) ?? '']!, given[binding]!];
    const pairs = [a].flat().map((one, i) => [one, [b].flat()[i]!] as const);
    for (const [one, other] of pairs) {
      if (!one || !other || one.kind === 'sampler' || other.kind === 'sampler') continue;
      const at = one.bytes.findIndex(
        (byte, i) => byte !== other.bytes[i] && !(isNan(one, i) && isNan(other, i)),
      );
      if (at >= 0) differences.push(`${name} at byte ${at}`);
    }
  }
  return differences;
}

function differentOutputs(
  module: Module,
  expected: readonly StageValues[],
  found: readonly StageValues[],
): string[] {
  const differences: string[] = [];
  for (const global of module.globals) {
    if (global.role.kind !== 'output') continue;
    const key = stageKey(global);
    // The backend joins these to arrays.
    if (/^SV_(Clip|Cull)Distance/.test(key)) continue;
    for (const [lane, outputs] of expected.entries()) {
      const [a, b] = [outputs[key], found[lane]?.[global.name]].map((value) =>
        value === undefined ? 'nothing' : flatten(value).join(),
      );
      if (a !== b) differences.push(`${key} of ${lane}: ${a}, ${b}`);
    }
  }
  return differences;
}
