/**
 * Executes the body of a function: walks blocks and instructions as they stand. Values live in a frame per call, by the
 * identity of their IR value.
 */
import type {
  Block,
  Global,
  Instruction,
  Function as IrFunction,
  Module,
  Value,
} from '../../../src/ir/ir.ts';
import { elementStride } from '../../../src/types/layout.ts';
import { componentCount, isNumeric, type PointerType, type Type } from '../../../src/types/type.ts';
import type { BufferResource, TestResource } from '../resources.ts';
import { binary, bitcast, convert, unary } from './arithmetic.ts';
import { callIntrinsic } from './intrinsics.ts';
import { asPointer, load, type ResourcePointer, step, store, texelAt } from './memory.ts';
import type { Running, Thread } from './thread.ts';
import {
  asList,
  asNumber,
  asScalar,
  constantValue,
  type Datum,
  fail,
  isList,
  map,
  numbers,
  partAt,
  shapeOfType,
  withPart,
  zeroOf,
} from './value.ts';

/** What all invocations of a run share. */
export interface Machine {
  module: Module;
  /** Resources, push constants and specialization constants, by global. */
  shared: Map<Global, Datum>;
  watch?: Watch | undefined;
}

/** Looks on while code runs. */
export interface Watch {
  enter?: (frame: Frame) => void;
  before?: (frame: Frame, instruction: Instruction) => void;
  after?: (frame: Frame, instruction: Instruction) => void;
}

/** The call that made a frame, and the frame it stands in. */
export interface Caller {
  frame: Frame;
  call: Instruction;
}

export class Frame {
  readonly values = new Map<Value, Datum>();
  readonly machine: Machine;
  readonly thread: Thread;
  readonly caller: Caller | undefined;

  constructor(machine: Machine, thread: Thread, caller?: Caller) {
    this.machine = machine;
    this.thread = thread;
    this.caller = caller;
  }

  get(value: Value): Datum {
    switch (value.kind) {
      case 'constant':
        return constantValue(value);
      case 'undef':
        return zeroOf(value.type);
      case 'global':
        return this.#global(value);
      default:
        return this.values.get(value) ?? fail(`a ${value.kind} was used before it was made`);
    }
  }

  #global(global: Global): Datum {
    const shared = this.machine.shared.get(global);
    if (shared !== undefined) return shared;
    const cell = this.thread.globals.get(global) ?? fail(`nothing is bound to '${global.name}'`);
    return { at: 'cell', cell, path: [], type: (global.type as PointerType).pointee };
  }

  set(instruction: Instruction, value: Datum): void {
    const result = instruction.results[0] ?? fail(`${instruction.op} has no result`);
    this.values.set(result, value);
  }
}

/** How a block ended. */
type Completion =
  | { kind: 'yield' | 'break' | 'continue' | 'fallthrough' | 'repeat' | 'leave'; values: Datum[] }
  | { kind: 'return'; value: Datum | undefined };

export function* callFunction(
  machine: Machine,
  thread: Thread,
  callee: IrFunction,
  args: readonly Datum[],
  caller?: Caller,
): Running<Datum | undefined> {
  const frame = new Frame(machine, thread, caller);
  callee.parameters.forEach((parameter, i) => {
    frame.values.set(parameter, args[i] ?? fail(`${callee.name} was called with too few arguments`));
  });
  machine.watch?.enter?.(frame);
  const end = yield* runBlock(frame, callee.body);
  if (end.kind !== 'return') return fail(`${callee.name} ended with ${end.kind}`);
  return end.value;
}

function enter(frame: Frame, block: Block, values: readonly Datum[]): void {
  block.parameters.forEach((parameter, i) => {
    frame.values.set(parameter, values[i] ?? fail('a block got too few values'));
  });
}

function* runBlock(frame: Frame, block: Block): Running<Completion> {
  const { path } = frame.thread;
  const depth = path.length;
  const { watch } = frame.machine;
  for (let i = 0; i < block.instructions.length; i++) {
    const instruction = block.instructions[i]!;
    if (--frame.thread.budget.steps < 0) fail('the step budget is used up: the shader does not end');
    path.push(i);
    watch?.before?.(frame, instruction);
    const end = terminate(frame, instruction) ?? (yield* runInstruction(frame, instruction));
    path.length = depth;
    if (end) return end;
    watch?.after?.(frame, instruction);
  }
  return fail('a block has no terminator');
}

function terminate(frame: Frame, instruction: Instruction): Completion | undefined {
  const values = (): Datum[] => instruction.operands.map((operand) => frame.get(operand));
  switch (instruction.op) {
    case 'yield':
    case 'break':
    case 'continue':
    case 'fallthrough':
    case 'repeat':
      return { kind: instruction.op, values: values() };
    case 'repeat_if': {
      const [condition, ...rest] = values();
      const count = instruction.repeatCount ?? 0;
      return condition
        ? { kind: 'repeat', values: rest.slice(0, count) }
        : { kind: 'leave', values: rest.slice(count) };
    }
    case 'return':
      return { kind: 'return', value: values()[0] };
    case 'unreachable':
      return fail('an unreachable place was reached');
    default:
      return undefined;
  }
}

/** Control instructions may end the block that they stand in: then they give how. */
function* runInstruction(frame: Frame, instruction: Instruction): Running<Completion | undefined> {
  switch (instruction.op) {
    case 'if':
      return finish(frame, instruction, yield* runIf(frame, instruction), ['yield']);
    case 'switch':
      return finish(frame, instruction, yield* runSwitch(frame, instruction), ['yield', 'break']);
    case 'loop':
      return finish(frame, instruction, yield* runLoop(frame, instruction), ['break', 'leave']);
    case 'call': {
      const args = instruction.operands.map((operand) => frame.get(operand));
      const callee = instruction.callee ?? fail('call without a callee');
      const result = yield* callFunction(frame.machine, frame.thread, callee, args, {
        frame,
        call: instruction,
      });
      if (instruction.results.length > 0)
        frame.set(instruction, result ?? fail(`${callee.name} returned no value`));
      return undefined;
    }
    case 'intrinsic': {
      const args = instruction.operands.map((operand) => frame.get(operand));
      const result = yield* callIntrinsic(instruction, args, frame.thread);
      if (instruction.results.length > 0)
        frame.set(instruction, result ?? fail(`${instruction.intrinsic} gave no value`));
      return undefined;
    }
    default:
      runPlain(frame, instruction);
      return undefined;
  }
}

function finish(
  frame: Frame,
  instruction: Instruction,
  end: Completion,
  own: readonly Completion['kind'][],
): Completion | undefined {
  if (end.kind === 'return' || !own.includes(end.kind)) return end;
  instruction.results.forEach((result, i) => {
    frame.values.set(result, end.values[i] ?? fail(`${instruction.op} got too few values`));
  });
  return undefined;
}

function* within(frame: Frame, place: number, block: Block): Running<Completion> {
  frame.thread.path.push(place);
  const end = yield* runBlock(frame, block);
  frame.thread.path.pop();
  return end;
}

function* runIf(frame: Frame, instruction: Instruction): Running<Completion> {
  const taken = frame.get(instruction.operands[0]!) ? 0 : 1;
  return yield* within(frame, taken, instruction.blocks[taken]!);
}

function* runSwitch(frame: Frame, instruction: Instruction): Running<Completion> {
  const selector = asNumber(frame.get(instruction.operands[0]!));
  const cases = instruction.cases ?? fail('switch without cases');
  // Labels of a uint selector may have been written as negative numbers.
  let at = cases.findIndex((labels) =>
    labels.some((label) => label !== 'default' && (label | 0) === (selector | 0)),
  );
  if (at < 0) at = cases.findIndex((labels) => labels.includes('default'));
  if (at < 0) return { kind: 'yield', values: [] };
  for (; ; at++) {
    const end = yield* within(frame, at, instruction.blocks[at] ?? fail('fallthrough behind the last case'));
    if (end.kind !== 'fallthrough') return end;
  }
}

function* runLoop(frame: Frame, instruction: Instruction): Running<Completion> {
  const [body, continuing] = instruction.blocks as [Block, Block];
  let values = instruction.operands.map((operand) => frame.get(operand));
  for (let turn = 0; ; turn += 2) {
    enter(frame, body, values);
    const end = yield* within(frame, turn, body);
    if (end.kind !== 'continue') return end;
    enter(frame, continuing, end.values);
    const next = yield* within(frame, turn + 1, continuing);
    if (next.kind !== 'repeat') return next;
    values = next.values;
  }
}

// ---- instructions without control flow

function runPlain(frame: Frame, instruction: Instruction): void {
  const { op } = instruction;
  const operand = (i: number): Datum =>
    frame.get(instruction.operands[i] ?? fail(`${op} has too few operands`));
  switch (op) {
    case 'debug_declare':
    case 'debug_value':
      return;
    case 'discard':
      frame.thread.demoted = true;
      return;
    case 'store': {
      const pointer = asPointer(operand(0));
      const outside = pointer.at === 'bytes' || pointer.at === 'texel';
      if (!(frame.thread.demoted && outside)) store(pointer, operand(1));
      return;
    }
    default:
      frame.set(instruction, compute(frame, instruction, operand));
  }
}

function compute(frame: Frame, instruction: Instruction, operand: (i: number) => Datum): Datum {
  const { op, operands } = instruction;
  const wide = frame.machine.module.enable16BitTypes;
  const type = instruction.results[0]!.type;
  const shape = () => shapeOfType(operands[0]!.type, wide);
  const twoOperands = binary[op];
  if (twoOperands) {
    const of = shape();
    return map([operand(0), operand(1)], (a, b) => twoOperands(a!, b!, of));
  }
  const oneOperand = unary[op];
  if (oneOperand) {
    const of = shape();
    return map([operand(0)], (a) => oneOperand(a!, of));
  }
  switch (op) {
    case 'select':
      return select(operand(0), operand(1), operand(2));
    case 'convert': {
      const [from, to] = [shape(), shapeOfType(type, wide)];
      return map([operand(0)], (a) => convert(a!, from, to));
    }
    case 'bitcast': {
      const count = isNumeric(type) ? componentCount(type) : 1;
      const isComposite = type.kind === 'vector' || type.kind === 'matrix';
      return bitcast(operand(0), shape(), shapeOfType(type, wide), count, isComposite);
    }
    case 'var':
      return {
        at: 'cell',
        cell: { value: zeroOf((type as PointerType).pointee) },
        path: [],
        type: (type as PointerType).pointee,
      };
    case 'load':
      return load(asPointer(operand(0)));
    case 'access':
      return operands
        .slice(1)
        .reduce<Datum>((pointer, index) => step(asPointer(pointer), asNumber(frame.get(index))), operand(0));
    case 'buffer_pointer':
      return bufferPointer(frame, type as PointerType, operand(0), operands[1] ? asNumber(operand(1)) : 0);
    case 'counter_pointer':
      return counterPointer(type as PointerType, operand(0));
    case 'texel': {
      const resource = asPointer(operand(0)) as ResourcePointer;
      const bound = resource.resource as TestResource;
      if (bound.kind === 'sampler' || bound.kind === undefined)
        return fail(`${resource.name} is not a texture`);
      return texelAt(
        bound,
        (type as PointerType).pointee,
        numbers(operand(1)),
        operands[2] ? asNumber(operand(2)) : 0,
      );
    }
    default:
      return computeParts(instruction, type, operand);
  }
}

/** Vectors, matrices, arrays and structs: making them and taking them apart. */
function computeParts(instruction: Instruction, type: Type, operand: (i: number) => Datum): Datum {
  const indices = instruction.indices ?? [];
  switch (instruction.op) {
    case 'construct':
      return instruction.operands.map((_, i) => operand(i));
    case 'splat':
      return map([zeroOf(type)], () => asScalar(operand(0)));
    case 'extract':
      return partAt(operand(0), indices) ?? fail('extract outside of the value');
    case 'insert':
      return withPart(operand(0), indices, operand(1));
    case 'extract_dynamic':
      return asList(operand(0))[asNumber(operand(1))] ?? zeroOf(type);
    case 'insert_dynamic':
      return withPart(operand(0), [asNumber(operand(2))], operand(1));
    case 'swizzle': {
      const of = operand(0);
      const parts = isList(of) ? of : [of];
      const picked = indices.map((index) => parts[index] ?? fail('swizzle outside of the vector'));
      return type.kind === 'vector' ? picked : picked[0]!;
    }
    default:
      return fail(`the interpreter does not know the opcode '${instruction.op}'`);
  }
}

function select(condition: Datum, whenTrue: Datum, whenFalse: Datum): Datum {
  if (!isList(condition)) return condition ? whenTrue : whenFalse;
  return condition.map((part, i) => select(part, asList(whenTrue)[i]!, asList(whenFalse)[i]!));
}

function bufferPointer(frame: Frame, type: PointerType, of: Datum, index: number): Datum {
  const pointer = asPointer(of) as ResourcePointer;
  const bound = pointer.resource as TestResource;
  if (pointer.at !== 'resource' || bound.kind !== 'buffer')
    return fail(`${pointer.name} has no memory behind it`);
  const rule = type.layout ?? fail(`a pointer into ${pointer.name} has no layout`);
  const order = type.matrixOrder ?? 'column_major';
  const indexed = type.space === 'storage';
  const stride = indexed
    ? elementStride(type.pointee, rule, order, frame.machine.module.enable16BitTypes)
    : 0;
  return { at: 'bytes', bytes: bound.bytes, offset: index * stride, type: type.pointee, rule, order };
}

function counterPointer(type: PointerType, of: Datum): Datum {
  const pointer = asPointer(of) as ResourcePointer;
  const counter = pointer.counter as BufferResource | undefined;
  if (!counter) return fail(`no counter is bound to ${pointer.name}`);
  return {
    at: 'bytes',
    bytes: counter.bytes,
    offset: 0,
    type: type.pointee,
    rule: type.layout ?? 'scalar',
    order: 'column_major',
  };
}
