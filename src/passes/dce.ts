import { instructionLike } from '../ir/instruction.ts';
import { isRemovable } from '../intrinsics/effects.ts';
import { splitDeadRecords } from '../ir/debug-parts.ts';
import { isWithin, partOf } from '../ir/debug-scopes.ts';
import { joinDeadParts } from '../ir/debug-wholes.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from '../ir/ir.ts';
import { knownPart } from '../ir/parts.ts';
import { newMark } from '../ir/marks.ts';
import { keepReached } from '../ir/reached.ts';
import { collectFlow, dropSlots, type Flow, type Supplier } from '../ir/slots.ts';
import { isDebug } from '../ir/uses.ts';
import { opcodeRow, walkBlock } from '../ir/walk.ts';
import type { PositionTable } from '../source/position.ts';

/**
 * Takes away what nothing needs: instructions without effect whose results are not used, control instructions that contain
 * nothing that is needed (loops are taken to end), results of control instructions and parameters of loops that nothing
 * uses, even in a circle, and functions that nothing calls. Debug values of what goes end in `undef`, those of structs, arrays and
 * matrices part by part.
 *
 * Positions: removed code takes its position along; the records of parts have that of the whole's.
 */
export function dce(module: Module): boolean {
  let changed = false;
  for (const fn of module.functions) if (sweepFunction(fn, module.positions)) changed = true;
  return keepReached(module) || changed;
}

interface Work {
  positions: PositionTable;
  flow: Flow;
  /** On what is needed. */
  live: number;
  /** Results of control instructions and parameters of loops. */
  values: Set<Value>;
  /** Values that are used and not followed yet. */
  queue: Value[];
  /** Whether anything went. */
  changed: boolean;
}

function sweepFunction(fn: IrFunction, positions: PositionTable): boolean {
  const work: Work = {
    positions,
    flow: collectFlow(fn),
    live: newMark(),
    values: new Set(),
    queue: [],
    changed: false,
  };
  markRoots(fn.body, undefined, work);
  for (let value = work.queue.pop(); value; value = work.queue.pop()) markValue(value, work);
  const parameters = new Set<Value>(fn.parameters);
  const isLive = (value: Value): boolean =>
    value.kind === 'constant' ||
    value.kind === 'undef' ||
    value.kind === 'global' ||
    work.values.has(value) ||
    (value.kind === 'result' &&
      value.instruction.blocks.length === 0 &&
      value.instruction.mark === work.live) ||
    (value.kind === 'parameter' && parameters.has(value));
  joinDeadParts(fn, positions, isLive);
  splitDeadRecords(fn, isLive);
  sweepBlock(fn.body, work, isLive);
  return dropSlots(work.flow, (value) => !isLive(value)) || work.changed;
}

function markRoots(block: Block, parent: Instruction | undefined, work: Work): void {
  const { instructions } = block;
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i]!;
    const { blocks } = instruction;
    if (isRoot(instruction, work)) {
      markInstruction(instruction, work);
      if (parent) markInstruction(parent, work);
    }
    for (let n = 0; n < blocks.length; n++) markRoots(blocks[n]!, instruction, work);
  }
}

function isRoot(instruction: Instruction, { flow }: Work): boolean {
  if (isDebug(instruction)) return false;
  if (instruction.op === 'return') return true;
  // A loop that nothing leaves holds the invocation.
  if (instruction.op === 'loop') return flow.results.get(instruction)!.length === 0;
  return instruction.blocks.length === 0 && !opcodeRow(instruction).terminator && !isRemovable(instruction);
}

function markInstruction(instruction: Instruction, work: Work): void {
  if (instruction.mark === work.live) return;
  instruction.mark = work.live;
  if (instruction.blocks.length === 0) {
    // What is around it is live: it has an effect itself, or code that needs it stands as deep or deeper.
    for (const operand of instruction.operands) use(operand, work);
    return;
  }
  markControl(instruction, work);
  markParent(instruction, work);
}

function markParent(instruction: Instruction, work: Work): void {
  const parent = work.flow.parents.get(instruction);
  if (parent) markInstruction(parent, work);
}

function markControl(control: Instruction, work: Work): void {
  const { results, continuing } = work.flow;
  if (control.op !== 'loop') use(control.operands[0]!, work);
  // What decides where to leave it.
  for (const suppliers of [results.get(control), continuing.get(control)])
    for (const { instruction } of suppliers ?? []) {
      markParent(instruction, work);
      if (instruction.op === 'repeat_if') use(instruction.operands[0]!, work);
    }
}

function use(value: Value, work: Work): void {
  if (value.kind === 'result' || value.kind === 'parameter') work.queue.push(value);
}

function markValue(value: Value, work: Work): void {
  if (value.kind === 'result' && value.instruction.blocks.length === 0) {
    markInstruction(value.instruction, work);
    return;
  }
  if (work.values.has(value)) return;
  work.values.add(value);
  const { flow } = work;
  if (value.kind === 'result') {
    const control = value.instruction;
    markInstruction(control, work);
    supply(flow.results.get(control)!, control.results.indexOf(value), work);
    return;
  }
  const place = value.kind === 'parameter' ? flow.parameters.get(value) : undefined;
  if (place) supply((place.block === 0 ? flow.body : flow.continuing).get(place.loop)!, place.index, work);
}

function supply(suppliers: readonly Supplier[], index: number, work: Work): void {
  for (const { instruction, first } of suppliers) use(instruction.operands[first + index]!, work);
}

function sweepBlock(block: Block, work: Work, isLive: (value: Value) => boolean): void {
  const old = block.instructions;
  /** Absent as long as nothing goes. */
  let out: Instruction[] | undefined;
  for (let i = 0; i < old.length; i++) {
    const instruction = old[i]!;
    if (isKept(instruction, work, isLive)) {
      out?.push(instruction);
      const { blocks } = instruction;
      for (let n = 0; n < blocks.length; n++) sweepBlock(blocks[n]!, work, isLive);
      continue;
    }
    out ??= old.slice(0, i);
    if (!isDebug(instruction)) out.push(...endedValues(instruction, work.positions));
  }
  if (!out) return;
  block.instructions = out;
  work.changed = true;
}

function isKept(instruction: Instruction, work: Work, isLive: (value: Value) => boolean): boolean {
  if (isDebug(instruction)) return keepDebug(instruction, isLive);
  return instruction.mark === work.live || (opcodeRow(instruction).terminator ?? false);
}

/** What control that goes has done to variables around it is gone: they have no value behind it. */
function endedValues(control: Instruction, positions: PositionTable): Instruction[] {
  const ended = new Map<string, Instruction>();
  for (const block of control.blocks) {
    walkBlock(block, (instruction) => {
      if (instruction.op !== 'debug_value') return;
      const { variable, indices, inlinedAt } = partOf(positions, instruction);
      if (!isWithin(positions, control.position, variable.scope, inlinedAt)) return;
      let position = control.position;
      while (positions.get(position).inlinedAt !== inlinedAt) position = positions.get(position).inlinedAt;
      const key = `${variable.name},${variable.location},${inlinedAt},${indices.join()}`;
      const undef: Value = { kind: 'undef', type: instruction.operands[0]!.type };
      ended.set(key, instructionLike(instruction, [undef], position));
    });
  }
  return [...ended.values()];
}

/** Debug values end where their value is gone. */
function keepDebug(instruction: Instruction, isLive: (value: Value) => boolean): boolean {
  const value = instruction.operands[0]!;
  if (isLive(value)) return true;
  if (instruction.op === 'debug_declare') return false;
  const same = sameAs(value);
  if (same && isLive(same)) {
    instruction.operands[0] = same;
    return true;
  }
  instruction.operands[0] = { kind: 'undef', type: value.type };
  return true;
}

/** What a part that is taken out of a value was when that was put together. */
function sameAs(value: Value): Value | undefined {
  if (value.kind !== 'result' || value.instruction.op !== 'extract') return undefined;
  const part = knownPart(value.instruction.operands[0]!, value.instruction.indices!);
  return part.path.length === 0 ? part.value : undefined;
}
