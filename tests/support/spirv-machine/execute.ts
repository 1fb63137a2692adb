/** Executes functions of SPIR-V: goes from block to block and takes the instructions as they stand, debug records left out. */
import type { ReadBlock, ReadInstruction } from '../../../src/spirv/debug-reader.ts';
import { Op } from '../../../src/spirv/enums.ts';
import type { Type } from '../../../src/types/type.ts';
import { binary } from '../interpreter/arithmetic.ts';
import type { Running, Thread } from '../interpreter/thread.ts';
import {
  asNumber,
  asScalar,
  type Datum,
  fail,
  normalize,
  shapeOfType,
  zeroOf,
} from '../interpreter/value.ts';
import { runImage } from './execute-images.ts';
import { isTogether, runTogetherOp } from './execute-together.ts';
import { arrayLength, load, type Place, step, store, typeOf } from './memory.ts';
import { compute, computeExtended, opName } from './operations.ts';
import type { Id, Program } from './program.ts';

export type Register = Datum | Place;

/** What all invocations of a run share. */
export interface Machine {
  program: Program;
  /** Resources and workgroup memory, by variable. */
  shared: Map<Id, Place>;
  watch?: Watch | undefined;
}

/** Looks on while code runs. Debug records count as instructions here. */
export interface Watch {
  enter?: (frame: Frame) => void;
  before?: (frame: Frame, instruction: ReadInstruction) => void;
  after?: (frame: Frame, instruction: ReadInstruction) => void;
}

/** The call that made a frame, and the frame it stands in. */
export interface Caller {
  frame: Frame;
  call: ReadInstruction;
}

interface Turning {
  header: Id;
  merge: Id;
  turn: number;
  at: number;
}

export class Frame {
  readonly registers = new Map<Id, Register>();
  readonly loops: Turning[] = [];
  readonly machine: Machine;
  readonly thread: Thread;
  readonly caller: Caller | undefined;

  constructor(machine: Machine, thread: Thread, caller?: Caller) {
    this.machine = machine;
    this.thread = thread;
    this.caller = caller;
  }

  get(id: Id): Register {
    const { program, shared } = this.machine;
    const found = this.registers.get(id) ?? program.constants.get(id) ?? shared.get(id);
    if (found !== undefined) return found;
    const variable = program.variables.find((one) => one.id === id);
    const cell = variable && this.thread.globals.get(variable);
    if (!cell) return fail(`%${id} was used before it was made, or nothing is bound to it`);
    return { at: 'variable', cell, path: [], type: variable.type };
  }

  has(id: Id): boolean {
    const { program, shared } = this.machine;
    return this.registers.has(id) || program.constants.has(id) || shared.has(id);
  }

  value(id: Id): Datum {
    const found = this.get(id);
    return isPlace(found) ? fail(`%${id} is a place, not a value`) : (found as Datum);
  }

  place(id: Id): Place {
    const found = this.get(id);
    return isPlace(found) ? found : fail(`%${id} is no place`);
  }

  /** Of the value with the id. */
  type(id: Id): Type {
    const { program } = this.machine;
    const type = program.debug.definitions.get(id)?.type ?? fail(`%${id} has no type`);
    return typeOf(program, type);
  }

  /** Where it is: turns of loops count, and calls. Later in the program is greater. */
  path(at: number): number[] {
    const outer = this.caller ? this.caller.frame.path(this.caller.call.at) : [];
    return [...outer, ...this.loops.flatMap((loop) => [loop.at, loop.turn]), at];
  }
}

export function isPlace(value: Register): value is Place {
  return typeof value === 'object' && !Array.isArray(value);
}

/** How a block ended. */
type End = { to: Id } | { returned: Register | undefined };

export function* callFunction(
  machine: Machine,
  thread: Thread,
  callee: Id,
  args: readonly Register[],
  caller?: Caller,
): Running<Register | undefined> {
  const { program, watch } = machine;
  const frame = new Frame(machine, thread, caller);
  program.parameters.get(callee)?.forEach((parameter, i) => {
    frame.registers.set(parameter, args[i] ?? fail('a call with too few arguments'));
  });
  watch?.enter?.(frame);
  let block = program.functions.get(callee)?.blocks[0] ?? fail('a call of a function without a body');
  let from = 0;
  for (;;) {
    enterBlock(frame, block, from);
    const end: End = yield* runBlock(frame, block);
    if ('returned' in end) return end.returned;
    from = block.label;
    block = program.blocks.get(end.to) ?? fail('a branch to no block');
  }
}

function enterBlock(frame: Frame, block: ReadBlock, from: Id): void {
  const { loops } = frame;
  if (loops.at(-1)?.merge === block.label) loops.pop();
  const merge = block.instructions.find(({ op }) => op === Op.LoopMerge);
  const last = loops.at(-1);
  if (merge && last?.header === block.label) last.turn++;
  else if (merge) loops.push({ header: block.label, merge: merge.words[0]!, turn: 0, at: merge.at });
  enterPhis(frame, block, from);
}

/** All at once: a phi may bring what another one of the block was before. */
function enterPhis(frame: Frame, block: ReadBlock, from: Id): void {
  const arrived: [Id, Register][] = [];
  for (const { op, words: w } of block.instructions) {
    if (op !== Op.Phi) break;
    let i = 2;
    while (i < w.length && w[i + 1] !== from) i += 2;
    if (i >= w.length) fail('a phi without a value for the way that was taken');
    arrived.push([w[1]!, frame.get(w[i]!)]);
  }
  for (const [id, value] of arrived) frame.registers.set(id, value);
}

function* runBlock(frame: Frame, block: ReadBlock): Running<End> {
  const { watch, program } = frame.machine;
  for (const instruction of block.instructions) {
    if (--frame.thread.budget.steps < 0) fail('the step budget is used up: the shader does not end');
    watch?.before?.(frame, instruction);
    const end = terminate(frame, instruction);
    if (end) return end;
    if (!program.debug.byPlace.has(instruction.at)) yield* run(frame, instruction);
    watch?.after?.(frame, instruction);
  }
  return fail('a block without terminator');
}

function terminate(frame: Frame, { op, words: w }: ReadInstruction): End | undefined {
  switch (op) {
    case Op.Branch:
      return { to: w[0]! };
    case Op.BranchConditional:
      return { to: frame.value(w[0]!) ? w[1]! : w[2]! };
    case Op.Switch: {
      const selector = asNumber(frame.value(w[0]!)) | 0;
      for (let i = 2; i < w.length; i += 2) if ((w[i]! | 0) === selector) return { to: w[i + 1]! };
      return { to: w[1]! };
    }
    case Op.Kill:
    case Op.TerminateInvocation:
      frame.thread.demoted = true;
      return leaveAll();
    case Op.Return:
      return { returned: undefined };
    case Op.ReturnValue:
      return { returned: frame.get(w[0]!) };
    case Op.Unreachable:
      return fail('an unreachable place was reached');
    default:
      return undefined;
  }
}

/** Ends an invocation from within calls. */
export class Killed extends Error {}

function leaveAll(): never {
  throw new Killed();
}

const withoutEffect = new Set<number>([
  Op.Phi,
  Op.LoopMerge,
  Op.SelectionMerge,
  Op.Nop,
  Op.Undef,
  Op.MemoryBarrier,
  Op.Line,
  Op.NoLine,
  Op.BeginInvocationInterlockEXT,
  Op.EndInvocationInterlockEXT,
]);

function* run(frame: Frame, instruction: ReadInstruction): Running<void> {
  const { op, words: w } = instruction;
  if (withoutEffect.has(op)) return;
  const { program } = frame.machine;
  switch (op) {
    case Op.DemoteToHelperInvocation:
      frame.thread.demoted = true;
      return;
    case Op.Store:
      storeTo(frame, frame.place(w[0]!), frame.value(w[1]!));
      return;
    case Op.FunctionCall: {
      const args = Array.from(w.subarray(3), (id) => frame.get(id));
      const caller = { frame, call: instruction };
      const value = yield* callFunction(frame.machine, frame.thread, w[2]!, args, caller);
      if (value !== undefined) frame.registers.set(w[1]!, value);
      return;
    }
    default: {
      if (isTogether(op)) yield* runTogetherOp(frame, instruction);
      else if (yield* runImage(frame, instruction)) return;
      else frame.registers.set(w[1]!, resultOf(frame, instruction, program));
    }
  }
}

/** What helper invocations write is not seen. */
export function storeTo(frame: Frame, place: Place, value: Datum): void {
  const outside = place.at === 'bytes' || place.at === 'texel';
  if (!(frame.thread.demoted && outside)) store(frame.machine.program, place, value);
}

function resultOf(frame: Frame, instruction: ReadInstruction, program: Program): Register {
  const { op, words: w } = instruction;
  switch (op) {
    case Op.Variable: {
      const type = program.debug.definitions.get(w[0]!)!.words[2]!;
      const value = w[3] === undefined ? zeroOf(typeOf(program, type)) : frame.value(w[3]);
      return { at: 'variable', cell: { value }, path: [], type };
    }
    case Op.Load:
      return load(program, frame.place(w[2]!));
    case Op.AccessChain:
    case Op.InBoundsAccessChain:
      return [...w.subarray(3)].reduce<Place>(
        (place, index) => step(program, place, asNumber(frame.value(index))),
        frame.place(w[2]!),
      );
    case Op.ArrayLength:
      return arrayLength(program, frame.place(w[2]!), w[3]!);
    case Op.IsHelperInvocationEXT:
      return frame.thread.demoted;
    case Op.ExtInst:
      return callExtended(frame, w, program);
    default:
      return opName(op).startsWith('Atomic') ? atomic(frame, instruction) : plain(frame, instruction);
  }
}

function callExtended(frame: Frame, w: Uint32Array, program: Program): Register {
  const set = program.extended.get(w[2]!) ?? '';
  // Printing and breaks are nothing here.
  if (set.startsWith('NonSemantic.')) return false;
  if (set !== 'GLSL.std.450') return fail(`the machine does not know the set ${set}`);
  const operands = [...w.subarray(4)].map((id) => ({ value: frame.value(id), type: frame.type(id) }));
  return computeExtended(w[3]!, operands, typeOf(program, w[0]!));
}

/** Number of ids among the operands where numbers follow them. */
const idsBeforeNumbers = new Map<number, number>([
  [Op.CompositeExtract, 1],
  [Op.CompositeInsert, 2],
  [Op.VectorShuffle, 2],
]);

function plain(frame: Frame, { op, words: w }: ReadInstruction): Datum {
  const ids = [...w.subarray(2)];
  const numbers = ids.splice(idsBeforeNumbers.get(op) ?? ids.length);
  const name = opName(op);
  const operands = ids.map((id) => ({ value: frame.value(id), type: frame.type(id) }));
  const value = compute(name, operands, typeOf(frame.machine.program, w[0]!), numbers);
  return value ?? fail(`the machine does not know Op${name}`);
}

const updates: Readonly<Record<string, string>> = {
  IAdd: 'add',
  ISub: 'sub',
  IIncrement: 'add',
  IDecrement: 'sub',
  And: 'and',
  Or: 'or',
  Xor: 'xor',
};

function atomic(frame: Frame, { op, words: w }: ReadInstruction): Datum {
  const name = opName(op).slice('Atomic'.length);
  if (name === 'Store') return fail('an atomic store has no result');
  const { program } = frame.machine;
  const type = typeOf(program, w[0]!);
  const shape = shapeOfType(type, true);
  const place = frame.place(w[2]!);
  const old = asScalar(load(program, place) as Datum);
  const values = [...w.subarray(5)].map((id) => asScalar(frame.value(id)));
  const signed = { ...shape, class: name.startsWith('S') ? 'int' : 'uint' } as const;
  const update = (): ReturnType<typeof asScalar> => {
    const [value = 1] = values;
    switch (name) {
      case 'Load':
        return old;
      case 'Exchange':
        return value;
      case 'CompareExchange':
        return old === values[2] ? values[1]! : old;
      case 'SMin':
      case 'UMin':
        return normalize(value, signed) < normalize(old, signed) ? value : old;
      case 'SMax':
      case 'UMax':
        return normalize(value, signed) > normalize(old, signed) ? value : old;
      default:
        return (binary[updates[name] ?? ''] ?? fail(`the machine does not know OpAtomic${name}`))(
          old,
          value,
          shape,
        );
    }
  };
  storeTo(frame, place, normalize(update(), shape));
  return old;
}
