/**
 * Runs an entry point of an IR module on given inputs: the oracle that compiled shaders are compared with. Clear beats
 * fast. Buffers and images that are bound are written in place.
 */
import type { Global, Function as IrFunction, Module, ScalarValue } from '../../../src/ir/ir.ts';
import { type PointerType, type Type, typeName } from '../../../src/types/type.ts';
import type { Bindings, BufferResource, TestResource } from '../resources.ts';
import { callFunction, type Machine, type Watch } from './execute.ts';
import { type Cell, useMemoryOf } from './memory.ts';
import { runTogether } from './schedule.ts';
import type { Thread } from './thread.ts';
import { constantValue, type Datum, fail, normalize, shapeOfType, zeroOf } from './value.ts';

export interface Environment {
  bindings?: Bindings;
  pushConstants?: Uint8Array;
  /** By constant id. */
  specialization?: Record<number, ScalarValue>;
  /** Number of lanes that work together in wave operations. */
  waveSize?: number;
  /** Instructions that all invocations together may execute. */
  stepBudget?: number;
  /** Only so many of a group run, for shaders whose invocations do not need each other. */
  threads?: number;
  /** Looks on while code runs. */
  watch?: Watch;
}

/** What an invocation reads or writes, by builtin (`SV_Position`) or by semantic in capitals with its number (`TEXCOORD0`; targets: `SV_Target0`). */
export type StageValues = Record<string, Datum>;

export interface InvocationResult {
  outputs: StageValues;
  discarded: boolean;
}

const defaultBudget = 20_000_000;

/** Runs every thread of a dispatch of a compute shader. */
export function interpretCompute(
  module: Module,
  groups: readonly [number, number, number],
  environment: Environment = {},
): void {
  const { machine, entry, budget } = prepare(module, environment);
  const size = entry.entry!.threadGroupSize ?? fail('the entry point is no compute shader');
  for (const group of grid(groups)) {
    const workgroup = new Map<Global, Cell>();
    for (const global of module.globals)
      if (global.role.kind === 'workgroup')
        workgroup.set(global, { value: zeroOf((global.type as PointerType).pointee) });
    const waveSize = environment.waveSize ?? 4;
    const threads = grid(size)
      .slice(0, environment.threads)
      .map((local, index) => {
        const thread = makeThread(index % waveSize, waveSize, budget);
        const inputs: StageValues = {
          SV_DispatchThreadID: local.map((value, i) => value + group[i]! * size[i]!),
          SV_GroupID: [...group],
          SV_GroupThreadID: [...local],
          SV_GroupIndex: index,
        };
        bindGlobals(module, thread, inputs, workgroup);
        return { thread, running: callFunction(machine, thread, entry, []) };
      });
    runTogether(threads, waveSize);
  }
}

/** Runs a vertex shader once per set of inputs. */
export function interpretVertices(
  module: Module,
  inputs: readonly StageValues[],
  environment: Environment = {},
): InvocationResult[] {
  const { machine, entry, budget } = prepare(module, environment);
  return inputs.map((one) => {
    const thread = makeThread(0, 1, budget);
    bindGlobals(module, thread, one);
    runTogether([{ thread, running: callFunction(machine, thread, entry, []) }], 1);
    return { outputs: readOutputs(module, thread), discarded: false };
  });
}

/** Runs a pixel shader for a quad: left top, right top, left bottom, right bottom. `helpers` write nothing. */
export function interpretQuad(
  module: Module,
  inputs: readonly StageValues[],
  environment: Environment = {},
  helpers: readonly boolean[] = [],
): InvocationResult[] {
  if (inputs.length !== 4) fail('a quad has four pixels');
  const { machine, entry, budget } = prepare(module, environment);
  const waveSize = environment.waveSize ?? 4;
  const threads = inputs.map((one, lane) => {
    const thread = makeThread(lane, waveSize, budget);
    thread.demoted = helpers[lane] ?? false;
    bindGlobals(module, thread, one);
    return { thread, running: callFunction(machine, thread, entry, []) };
  });
  runTogether(threads, waveSize);
  return threads.map(({ thread }) => ({ outputs: readOutputs(module, thread), discarded: thread.demoted }));
}

// ---- setting up

function makeThread(lane: number, waveSize: number, budget: { steps: number }): Thread {
  return { globals: new Map(), demoted: false, lane, waveSize, path: [], budget };
}

function prepare(
  module: Module,
  environment: Environment,
): { machine: Machine; entry: IrFunction; budget: { steps: number } } {
  useMemoryOf(module);
  const entry = module.functions.find((one) => one.entry) ?? fail('the module has no entry point');
  const shared = new Map<Global, Datum>();
  for (const global of module.globals) {
    const value = sharedValue(global, environment, module.enable16BitTypes);
    if (value !== undefined) shared.set(global, value);
  }
  return {
    machine: { module, shared, watch: environment.watch },
    entry,
    budget: { steps: environment.stepBudget ?? defaultBudget },
  };
}

function sharedValue(global: Global, environment: Environment, enable16BitTypes: boolean): Datum | undefined {
  const { role } = global;
  switch (role.kind) {
    case 'resource': {
      const { binding, set, counter } = role.binding;
      const resource = environment.bindings?.[`${set}.${binding}`];
      if (!resource) return undefined;
      const counterResource = counter && environment.bindings?.[`${counter.set}.${counter.binding}`];
      return {
        at: 'resource',
        resource: resource as TestResource,
        type: (global.type as PointerType).pointee,
        name: global.name,
        ...(counterResource && { counter: counterResource as BufferResource }),
      };
    }
    case 'push-constant': {
      const type = global.type as PointerType;
      const rule = type.layout ?? fail('push constants without a layout');
      return {
        at: 'bytes',
        bytes: environment.pushConstants ?? new Uint8Array(0),
        offset: 0,
        type: type.pointee,
        rule,
        order: 'column_major',
      };
    }
    case 'spec-constant': {
      const given = environment.specialization?.[role.id];
      if (given !== undefined) return normalize(given, shapeOfType(global.type, enable16BitTypes));
      return global.init ? constantValue(global.init) : zeroOf(global.type);
    }
    default:
      return undefined;
  }
}

function bindGlobals(
  module: Module,
  thread: Thread,
  inputs: StageValues,
  workgroup?: Map<Global, Cell>,
): void {
  for (const global of module.globals) {
    const { role } = global;
    const type = (): Type => (global.type as PointerType).pointee;
    if (role.kind === 'private')
      thread.globals.set(global, { value: global.init ? constantValue(global.init) : zeroOf(type()) });
    else if (role.kind === 'output') thread.globals.set(global, { value: zeroOf(type()) });
    else if (role.kind === 'workgroup' && workgroup) thread.globals.set(global, workgroup.get(global)!);
    else if (role.kind === 'input') thread.globals.set(global, { value: inputValue(global, inputs) });
  }
}

/** The name under which a stage variable's value is given: its builtin, or its semantic with its number. */
export function stageKey(global: Global): string {
  const { role } = global;
  if (role.kind !== 'input' && role.kind !== 'output') return fail(`${global.name} is no stage variable`);
  const { builtin, semantic } = role.variable;
  if (builtin === 'SV_ClipDistance' || builtin === 'SV_CullDistance') return `${builtin}${semantic.index}`;
  if (builtin) return builtin;
  const name = semantic.name.toUpperCase();
  return `${name === 'SV_TARGET' ? 'SV_Target' : name}${semantic.index}`;
}

/** Values that are given too long are cut, as the hardware does between stages. */
function inputValue(global: Global, inputs: StageValues): Datum {
  const key = stageKey(global);
  const value = inputs[key] ?? fail(`no value is given for the input ${key}`);
  const type = (global.type as PointerType).pointee;
  if (type.kind === 'vector' && Array.isArray(value)) return value.slice(0, type.count);
  if (type.kind === 'scalar' && Array.isArray(value))
    return value[0] ?? fail(`${typeName(type)} needs a value`);
  return value;
}

function readOutputs(module: Module, thread: Thread): StageValues {
  const outputs: StageValues = {};
  for (const global of module.globals)
    if (global.role.kind === 'output') outputs[stageKey(global)] = thread.globals.get(global)!.value;
  return outputs;
}

function grid([nx, ny, nz]: readonly [number, number, number]): [number, number, number][] {
  const all: [number, number, number][] = [];
  for (let z = 0; z < nz; z++) for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) all.push([x, y, z]);
  return all;
}
