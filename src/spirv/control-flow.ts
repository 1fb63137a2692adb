/**
 * Structured control flow as the merges and branches of SPIR-V. Each control instruction opens targets for the terminators
 * inside it; values that travel along become the OpPhis of the target's block.
 */

import type { Block, Instruction, Value } from '../ir/ir.ts';
import { onlyInstruction } from '../ir/uses.ts';
import { walkBlock } from '../ir/walk.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, type Type } from '../types/type.ts';
import { branch, emit, startBlock, terminate, valueId } from './body.ts';
import { needCapability, needExtension } from './capabilities.ts';
import { scalarWords, undefId } from './constants.ts';
import type { FunctionContext } from './context.ts';
import { Op } from './enums.ts';
import { emitInstruction } from './instructions.ts';
import { valueTypeId } from './types.ts';

/** A block to come and the values that its predecessors bring. */
interface Target {
  label: number;
  incoming: { from: number; values: number[] }[];
}

/** Where the terminators of a block lead. */
interface Frame {
  yield?: Target;
  break?: Target;
  continue?: Target;
  fallthrough?: Target;
  /** Continuing blocks: the loop's header and exit. */
  repeat?: Target;
  leave?: Target;
}

export function emitBody(f: FunctionContext, block: Block): void {
  emitBlock(f, block, {});
}

function target(f: FunctionContext): Target {
  return { label: f.sections.id(), incoming: [] };
}

function goTo(f: FunctionContext, to: Target | undefined, values: Value[]): void {
  if (!to) throw new InternalError('a jump leads nowhere');
  arrive(f, to, values);
  branch(f, to.label);
}

function arrive(f: FunctionContext, to: Target, values: Value[]): void {
  to.incoming.push({ from: f.body.label, values: values.map((value) => valueId(f, value)) });
}

/** Opens the block of a target; `receivers` get the values that arrived. */
function open(f: FunctionContext, at: Target, receivers: readonly Value[]): void {
  startBlock(f, at.label);
  receivers.forEach((receiver, i) => {
    f.values.set(receiver, phi(f, receiver.type, at, i));
  });
}

/** The type of a value that may be a pointer is never asked here: pointers do not travel. */
function phi(f: FunctionContext, type: Type, at: Target, index: number): number {
  const first = at.incoming[0];
  if (!first) return undefId(f, type);
  // What the only way in brings needs no phi.
  if (at.incoming.length === 1) return first.values[index]!;
  const id = f.sections.id();
  const words = [valueTypeId(f, type), id];
  for (const { from, values } of at.incoming) words.push(values[index]!, from);
  f.body.code.add(Op.Phi, words);
  return id;
}

function emitBlock(f: FunctionContext, block: Block, frame: Frame): void {
  emitRest(f, block, 0, frame);
}

/** What is loaded inside is not known to be loaded behind. */
function emitRest(f: FunctionContext, block: Block, first: number, frame: Frame): void {
  const known = f.handles.size;
  emitFrom(f, block, first, frame);
  if (f.handles.size > known) for (const key of [...f.handles.keys()].slice(known)) f.handles.delete(key);
}

/** Instructions up to the terminator, or to a discard that ends the invocation. */
function emitFrom(f: FunctionContext, block: Block, first: number, frame: Frame): void {
  for (let i = first; i < block.instructions.length; i++) {
    const instruction = block.instructions[i]!;
    f.position = instruction.position;
    switch (instruction.op) {
      case 'if':
        emitIf(f, instruction, frame);
        break;
      case 'switch':
        emitSwitch(f, instruction, frame);
        break;
      case 'loop':
        emitLoop(f, instruction, frame);
        break;
      case 'discard':
        if (!emitDiscard(f)) return;
        break;
      default:
        if (emitTerminator(f, instruction, frame)) return;
        emitInstruction(f, instruction);
    }
  }
}

/** True if it was one. */
function emitTerminator(f: FunctionContext, instruction: Instruction, frame: Frame): boolean {
  const { operands } = instruction;
  switch (instruction.op) {
    case 'yield':
      goTo(f, frame.yield, operands);
      return true;
    case 'break':
      goTo(f, frame.break, operands);
      return true;
    case 'continue':
      goTo(f, frame.continue, operands);
      return true;
    case 'fallthrough':
      goTo(f, frame.fallthrough, operands);
      return true;
    case 'repeat':
      goTo(f, frame.repeat, operands);
      return true;
    case 'repeat_if':
      repeatIf(f, instruction, frame);
      return true;
    case 'return':
      if (f.interlocked) emit(f, Op.EndInvocationInterlockEXT);
      if (operands[0]) terminate(f, Op.ReturnValue, valueId(f, operands[0]));
      else terminate(f, Op.Return);
      return true;
    case 'unreachable':
      terminate(f, Op.Unreachable);
      return true;
    default:
      return false;
  }
}

function repeatIf(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const [condition, ...values] = instruction.operands as [Value, ...Value[]];
  if (!frame.repeat || !frame.leave) throw new InternalError('repeat_if outside a continuing block');
  const again = instruction.repeatCount ?? 0;
  const id = valueId(f, condition);
  arrive(f, frame.repeat, values.slice(0, again));
  arrive(f, frame.leave, values.slice(again));
  terminate(f, Op.BranchConditional, id, frame.repeat.label, frame.leave.label);
}

/**
 * A demoted invocation goes on as a helper; where SPIR-V has no such instruction (before 1.6, unless the extension is
 * asked for) OpKill ends it, as DXC does. False if nothing of the block is left to run.
 */
function emitDiscard(f: FunctionContext): boolean {
  const extension = 'SPV_EXT_demote_to_helper_invocation';
  if (f.target.spirv < 106 && !f.options.allowedExtensions.includes(extension)) {
    terminate(f, Op.Kill);
    return false;
  }
  needCapability(f, 'DemoteToHelperInvocation');
  if (f.target.spirv < 106) needExtension(f, extension);
  emit(f, Op.DemoteToHelperInvocation);
  return true;
}

/** Only a `yield`: the branch may go to the merge at once. Debug values are no reason for a block. */
function isEmpty(block: Block): boolean {
  return onlyInstruction(block)?.op === 'yield';
}

/** Arms of a control instruction, or of the test at the head of a loop, that get no block of their own. */
export function unwrittenArms({ op, blocks }: Instruction): Block[] {
  if (op === 'if') {
    const [then, otherwise] = blocks as [Block, Block];
    if (isEmpty(then)) return [then];
    return isEmpty(otherwise) ? [otherwise] : [];
  }
  const test = op === 'loop' ? headerTest(blocks[0]!) : undefined;
  return test ? blocks[0]!.instructions[test.index]!.blocks : [];
}

function selectionControl(instruction: Instruction): number {
  switch (instruction.hint?.kind) {
    case 'flatten':
      return 1;
    case 'branch':
      return 2;
    default:
      return 0;
  }
}

function emitIf(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const condition = valueId(f, instruction.operands[0]!);
  const [then, otherwise] = instruction.blocks as [Block, Block];
  const merge = target(f);
  const thenTarget = isEmpty(then) ? merge : target(f);
  // From SPIR-V 1.6 on the two labels of a branch must differ.
  const elseTarget = isEmpty(otherwise) && thenTarget !== merge ? merge : target(f);
  const inner: Frame = { ...frame, yield: merge };
  emit(f, Op.SelectionMerge, merge.label, selectionControl(instruction));
  const passed = thenTarget === merge ? then : elseTarget === merge ? otherwise : undefined;
  if (passed) arrive(f, merge, onlyInstruction(passed)!.operands);
  terminate(f, Op.BranchConditional, condition, thenTarget.label, elseTarget.label);
  if (thenTarget !== merge) {
    startBlock(f, thenTarget.label);
    emitBlock(f, then, inner);
  }
  if (elseTarget !== merge) {
    startBlock(f, elseTarget.label);
    emitBlock(f, otherwise, inner);
  }
  open(f, merge, instruction.results);
}

/**
 * The group of a switch that needs no block: it only brings values on, and nothing falls into it. One alone, for a block brings
 * a merge one list of values; where there is no default, that is the way without a group.
 */
function passedGroup({ blocks, cases = [], results }: Instruction): Block | undefined {
  const isIdle = (block: Block, i: number): boolean =>
    onlyInstruction(block)?.op === 'break' && !(i > 0 && fallsThrough(blocks[i - 1]!));
  const fallback = cases.findIndex((labels) => labels.includes('default'));
  if (results.length === 0 || fallback < 0) return undefined;
  return isIdle(blocks[fallback]!, fallback) ? blocks[fallback] : blocks.find(isIdle);
}

function fallsThrough(block: Block): boolean {
  let found = false;
  walkBlock(block, ({ op }) => {
    if (op === 'fallthrough') found = true;
  });
  return found;
}

/** Groups in source order, so that a group that falls into the next one stands right before it, as SPIR-V demands. */
function emitSwitch(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const selector = instruction.operands[0]!;
  const type = elementOf(selector.type)!;
  const cases = instruction.cases ?? [];
  const merge = target(f);
  const passed = passedGroup(instruction);
  const groups = instruction.blocks.map((block) => (block === passed ? merge : target(f)));
  let defaultLabel: number | undefined;
  const words: number[] = [];
  cases.forEach((labels, i) => {
    for (const label of labels) {
      if (label === 'default') defaultLabel = groups[i]!.label;
      else words.push(...scalarWords(type, label, f.module.enable16BitTypes), groups[i]!.label);
    }
  });
  const id = valueId(f, selector);
  emit(f, Op.SelectionMerge, merge.label, selectionControl(instruction));
  if (passed) arrive(f, merge, onlyInstruction(passed)!.operands);
  else if (defaultLabel === undefined)
    arrive(
      f,
      merge,
      instruction.results.map((result): Value => ({ kind: 'undef', type: result.type })),
    );
  terminate(f, Op.Switch, id, defaultLabel ?? merge.label, ...words);
  instruction.blocks.forEach((block, i) => {
    if (block === passed) return;
    startBlock(f, groups[i]!.label);
    const next = groups[i + 1] ?? merge;
    emitBlock(f, block, { ...frame, yield: merge, break: merge, fallthrough: next });
  });
  open(f, merge, instruction.results);
}

function loopControl(instruction: Instruction): number {
  switch (instruction.hint?.kind) {
    case 'unroll':
      return 1;
    case 'loop':
      return 2;
    default:
      return 0;
  }
}

/**
 * Header with the phis and OpLoopMerge; body; continuing block with the back edge; exit. If the body begins with plain
 * instructions and `if c { yield } else { break }`, these join the header and its branch.
 */
function emitLoop(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const [body, continuing] = instruction.blocks as [Block, Block];
  const header = target(f);
  const merge = target(f);
  const next = target(f);
  const control = loopControl(instruction);
  goTo(f, header, instruction.operands);
  const phis = openHeader(f, header, body);
  const inner: Frame = { ...frame, break: merge, continue: next };
  const test = headerTest(body);
  if (test) {
    emitHeaderTest(f, body, test, merge, next, control);
    emitRest(f, body, test.index + 1, inner);
  } else {
    f.position = instruction.position;
    const told = valuesOfHeader(instruction);
    for (const record of told) emitInstruction(f, record);
    const first = f.sections.id();
    emit(f, Op.LoopMerge, merge.label, next.label, control);
    branch(f, first);
    startBlock(f, first);
    emitRest(f, body, told.length, inner);
  }
  open(f, next, continuing.parameters);
  emitBlock(f, continuing, { repeat: header, leave: merge });
  finishHeader(f, header, phis);
  open(f, merge, instruction.results);
}

/** The debug values at the head of the body that tell what variables hold at the loop itself: its header's branch is a step of each turn. */
function valuesOfHeader({ blocks, position }: Instruction): Instruction[] {
  const { instructions } = blocks[0]!;
  const end = instructions.findIndex((each) => each.op !== 'debug_value' || each.position !== position);
  return instructions.slice(0, end);
}

/** Gives the places of the phis, which get the back edge's values when the continuing block is done. */
function openHeader(f: FunctionContext, header: Target, body: Block): number[] {
  startBlock(f, header.label);
  const { from, values } = header.incoming[0]!;
  return body.parameters.map((parameter, i) => {
    const type = valueTypeId(f, parameter.type);
    const id = f.sections.id();
    f.body.code.addResult(Op.Phi, type, id, [values[i]!, from]);
    f.values.set(parameter, id);
    return f.body.code.last;
  });
}

/** From the last phi to the first, as each moves what is behind it. */
function finishHeader(f: FunctionContext, header: Target, phis: number[]): void {
  for (const { from, values } of header.incoming.slice(1))
    for (let i = phis.length - 1; i >= 0; i--) f.body.code.lengthen(phis[i]!, [values[i]!, from]);
}

interface HeaderTest {
  index: number;
  leavesIfTrue: boolean;
}

/** The test at the head of a body that may become the header's branch. */
function headerTest(body: Block): HeaderTest | undefined {
  const index = body.instructions.findIndex(
    ({ op }) => op === 'if' || op === 'switch' || op === 'loop' || op === 'discard',
  );
  const test = body.instructions[index];
  if (test?.op !== 'if' || test.results.length > 0) return undefined;
  const [then, otherwise] = test.blocks as [Block, Block];
  const leaves = (block: Block) => onlyInstruction(block)?.op === 'break';
  if (isEmpty(then) && leaves(otherwise)) return { index, leavesIfTrue: false };
  if (leaves(then) && isEmpty(otherwise)) return { index, leavesIfTrue: true };
  return undefined;
}

function emitHeaderTest(
  f: FunctionContext,
  body: Block,
  test: HeaderTest,
  merge: Target,
  next: Target,
  control: number,
): void {
  for (const instruction of body.instructions.slice(0, test.index)) {
    f.position = instruction.position;
    emitInstruction(f, instruction);
  }
  const check = body.instructions[test.index]!;
  const leave = onlyInstruction(check.blocks[test.leavesIfTrue ? 0 : 1]!)!;
  f.position = check.position;
  const condition = valueId(f, check.operands[0]!);
  const inside = f.sections.id();
  emit(f, Op.LoopMerge, merge.label, next.label, control);
  arrive(f, merge, leave.operands);
  const [yes, no] = test.leavesIfTrue ? [merge.label, inside] : [inside, merge.label];
  terminate(f, Op.BranchConditional, condition, yes, no);
  startBlock(f, inside);
}
