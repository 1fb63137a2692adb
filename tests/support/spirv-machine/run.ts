/** Runs the entry point of a SPIR-V module on given inputs, as interpret.ts does for the IR. Resources are written in place. */
import { BuiltIn, Decoration, StorageClass } from '../../../src/spirv/enums.ts';
import type { StageValues } from '../interpreter/interpret.ts';
import type { Cell } from '../interpreter/memory.ts';
import { runTogether } from '../interpreter/schedule.ts';
import type { Running, Thread } from '../interpreter/thread.ts';
import {
  type Datum,
  fail,
  isList,
  normalize,
  type ScalarShape,
  shapeOfType,
  zeroOf,
} from '../interpreter/value.ts';
import type { Type } from '../../../src/types/type.ts';
import type { Bindings, TestResource } from '../resources.ts';
import { callFunction, Killed, type Machine, type Watch } from './execute.ts';
import { type Place, typeOf } from './memory.ts';
import { bindingOf, isPerThread, type Program, readProgram, type Variable } from './program.ts';

export interface Environment {
  bindings?: Bindings;
  pushConstants?: Uint8Array;
  waveSize?: number;
  /** Instructions that all invocations together may execute. */
  stepBudget?: number;
  /** Only so many of a group run, for shaders whose invocations do not need each other. */
  threads?: number;
  watch?: Watch;
}

const defaultBudget = 20_000_000;

/** Runs the threads of one group, the first one. */
export function runComputeGroup(words: Uint32Array, environment: Environment = {}): void {
  const { machine, budget } = prepare(words, environment);
  const { program } = machine;
  const [nx, ny, nz] = program.threadGroupSize;
  const waveSize = environment.waveSize ?? 4;
  const count = Math.min(nx * ny * nz, environment.threads ?? Infinity);
  const threads = Array.from({ length: count }, (_, index) => {
    const thread = makeThread(index % waveSize, waveSize, budget);
    const local = [index % nx, Math.floor(index / nx) % ny, Math.floor(index / (nx * ny))];
    bindVariables(program, thread, computeInputs(local, index, thread));
    return { thread, running: start(machine, thread) };
  });
  runTogether(threads, waveSize);
}

function computeInputs(
  local: readonly number[],
  index: number,
  { lane, waveSize }: Thread,
): (variable: Variable, builtIn: number) => Datum {
  return ({ name }, builtIn) => {
    switch (builtIn) {
      case BuiltIn.GlobalInvocationId:
      case BuiltIn.LocalInvocationId:
        return local;
      case BuiltIn.WorkgroupId:
        return [0, 0, 0];
      case BuiltIn.NumWorkgroups:
        return [1, 1, 1];
      case BuiltIn.LocalInvocationIndex:
        return index;
      case BuiltIn.SubgroupSize:
        return waveSize;
      case BuiltIn.SubgroupLocalInvocationId:
        return lane;
      default:
        return fail(`no value is given for the input ${name}`);
    }
  };
}

/** Runs a vertex shader once per set of inputs, which are by the variables' names. Gives the outputs by name. */
export function runVertices(
  words: Uint32Array,
  inputs: readonly StageValues[],
  environment: Environment = {},
): StageValues[] {
  const { machine, budget } = prepare(words, environment);
  return inputs.map((one) => {
    const thread = makeThread(0, 1, budget);
    bindVariables(machine.program, thread, byName(one));
    runTogether([{ thread, running: start(machine, thread) }], 1);
    return outputsOf(machine.program, thread);
  });
}

/** Runs a pixel shader for a quad: left top, right top, left bottom, right bottom. */
export function runQuad(
  words: Uint32Array,
  inputs: readonly StageValues[],
  environment: Environment = {},
): { outputs: StageValues; discarded: boolean }[] {
  const { machine, budget } = prepare(words, environment);
  const waveSize = environment.waveSize ?? 4;
  const threads = inputs.map((one, lane) => {
    const thread = makeThread(lane, waveSize, budget);
    bindVariables(machine.program, thread, byName(one));
    return { thread, running: start(machine, thread) };
  });
  runTogether(threads, waveSize);
  return threads.map(({ thread }) => ({
    outputs: outputsOf(machine.program, thread),
    discarded: thread.demoted,
  }));
}

/** What legalization asks for besides the inputs of the source, such as the first instance, is zero. */
function byName(inputs: StageValues): (variable: Variable, builtIn: number) => Datum {
  return ({ name }, builtIn) =>
    inputs[name] ?? (builtIn >= 0 ? 0 : fail(`no value is given for the input ${name}`));
}

function* start(machine: Machine, thread: Thread): Running<void> {
  try {
    yield* callFunction(machine, thread, machine.program.entry, []);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

function makeThread(lane: number, waveSize: number, budget: { steps: number }): Thread {
  return { globals: new Map(), demoted: false, lane, waveSize, path: [], budget };
}

function prepare(
  words: Uint32Array,
  environment: Environment,
): { machine: Machine; budget: { steps: number } } {
  const program = readProgram(words);
  const shared = new Map<number, Place>();
  for (const variable of program.variables) {
    const place = sharedPlace(program, variable, environment);
    if (place) shared.set(variable.id, place);
  }
  const machine = { program, shared, watch: environment.watch };
  return { machine, budget: { steps: environment.stepBudget ?? defaultBudget } };
}

function sharedPlace(program: Program, variable: Variable, environment: Environment): Place | undefined {
  const { id, storage, type } = variable;
  switch (storage) {
    case StorageClass.Workgroup:
      return { at: 'variable', cell: { value: zeroOf(typeOf(program, type)) }, path: [], type };
    case StorageClass.PushConstant:
      return { at: 'bytes', bytes: environment.pushConstants ?? new Uint8Array(0), offset: 0, type };
    case StorageClass.Uniform:
    case StorageClass.StorageBuffer: {
      const bound = environment.bindings?.[bindingOf(program, id)];
      if (!bound) return undefined;
      const one = bound as TestResource;
      if (Array.isArray(bound))
        return { at: 'handle', resource: bound, block: program.debug.definitions.get(type)!.words[1]! };
      return one.kind === 'buffer' ? { at: 'bytes', bytes: one.bytes, offset: 0, type } : undefined;
    }
    case StorageClass.UniformConstant: {
      const resource = environment.bindings?.[bindingOf(program, id)];
      return resource && { at: 'handle', resource };
    }
    default:
      return undefined;
  }
}

function bindVariables(
  program: Program,
  thread: Thread,
  input: (variable: Variable, builtIn: number) => Datum,
): void {
  for (const variable of program.variables) {
    if (!isPerThread(variable.storage)) continue;
    const type = typeOf(program, variable.type);
    const builtIn = program.decoration(variable.id, Decoration.BuiltIn)?.[0] ?? -1;
    const value =
      variable.storage === StorageClass.Input ? fit(input(variable, builtIn), type) : variable.initial;
    const cell: Cell = { value: value ?? zeroOf(type) };
    thread.globals.set(variable, cell);
  }
}

/** A value in the shape of a type: what is too long is cut, what is missing is zero. */
function fit(value: Datum, type: Type): Datum {
  const zero = zeroOf(type);
  if (isList(zero)) {
    const parts = isList(value) ? value : [value];
    return zero.map((part, i) => parts[i] ?? part);
  }
  const shape: ScalarShape = shapeOfType(type, true);
  const one = isList(value) ? value[0]! : value;
  return typeof one === 'object' ? fail('an input of another shape') : normalize(one, shape);
}

function outputsOf(program: Program, thread: Thread): StageValues {
  const outputs: StageValues = {};
  for (const variable of program.variables)
    if (variable.storage === StorageClass.Output)
      outputs[variable.name] = thread.globals.get(variable)!.value;
  return outputs;
}
