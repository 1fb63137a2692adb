/**
 * One `return` at the end of a function's body in the place of returns in control flow. The body becomes the only block of a
 * switch that `break` leaves; loops and switches inside tell by a flag that they were left by a return. `straighten` then
 * makes plain ifs of it where it can.
 */
import { newResult } from './instruction.ts';
import type { PositionId } from '../source/position.ts';
import { boolType, type Type } from '../types/type.ts';
import { Builder } from './builder.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from './ir.ts';
import { leavesOf } from './slots.ts';
import { straighten } from './straighten.ts';

interface Work {
  builder: Builder;
  /** Loops, switches and ifs that contain a return. */
  returning: Set<Instruction>;
  /** Types of the values that travel with a return: none or one. */
  types: readonly Type[];
  /** For values that had better not travel, as structs: the variable that holds them. */
  memory?: Value | undefined;
}

/** Puts the terminator that leaves with the values at the end of the builder's block. */
type Leave = (values: Value[]) => void;

export function singleReturn(module: Module, fn: IrFunction): void {
  const { body, returnType } = fn;
  const builder = new Builder(module);
  const work: Work = { builder, returning: new Set(), types: [] };
  for (const instruction of body.instructions) findReturns(instruction, work);
  if (work.returning.size === 0) return;
  const at = body.instructions.findIndex(({ op }) => op !== 'var');
  const inner: Block = { parameters: [], instructions: body.instructions.splice(at) };
  const start = inner.instructions[0]!.position;
  const end = inner.instructions[inner.instructions.length - 1]!.position;
  if (returnType.kind === 'struct' || returnType.kind === 'array')
    work.memory = builder.at(end).into(body).var(returnType, `${fn.name}.result`);
  else if (returnType.kind !== 'void') work.types = [returnType];
  leaveBlock(inner, (values) => builder.break(...values), work);
  const straight = straighten(module, inner, 'break', work.types);
  let values = straight;
  if (straight) for (const instruction of inner.instructions) body.instructions.push(instruction);
  else {
    builder.at(start).into(body);
    values = builder.switch(builder.uint(0), [['default']], [inner], work.types).results;
  }
  builder.at(end).into(body);
  builder.return(work.memory ? builder.load(work.memory) : values![0]);
}

function findReturns(instruction: Instruction, work: Work): boolean {
  let found = false;
  for (const block of instruction.blocks) {
    for (const inner of block.instructions)
      if (inner.op === 'return' || findReturns(inner, work)) found = true;
  }
  if (found) work.returning.add(instruction);
  return found;
}

/** Rewrites the returns in a block. */
function leaveBlock(block: Block, leave: Leave, work: Work): void {
  const old = block.instructions;
  const { builder } = work;
  block.instructions = [];
  for (const instruction of old) {
    if (instruction.op === 'return') {
      builder.at(instruction.position).into(block);
      const value = instruction.operands[0];
      if (work.memory && value) builder.store(work.memory, value);
      leave(work.memory || !value ? [] : [value]);
      return;
    }
    block.instructions.push(instruction);
    if (!work.returning.has(instruction)) continue;
    if (instruction.op === 'if') for (const arm of instruction.blocks) leaveBlock(arm, leave, work);
    else if (!leaveControl(instruction, block, leave, work)) return;
  }
}

/** Returns in a loop or switch break it; what follows asks for the flag. False if nothing else leaves it: then nothing follows. */
function leaveControl(control: Instruction, block: Block, leave: Leave, work: Work): boolean {
  const { builder, types } = work;
  const ends = leavesOf(control).map(({ instruction }) => instruction);
  const fallsThrough = control.op === 'switch' && !control.cases!.flat().includes('default');
  const flagged = ends.length > 0 || fallsThrough;
  const undefs = control.results.map(({ type }) => builder.undef(type));
  const flags = (value: boolean): Value[] => (flagged ? [builder.bool(value)] : []);
  for (const inner of control.blocks)
    leaveBlock(inner, (values) => builder.break(...undefs, ...flags(true), ...values), work);
  const ordinary = [...flags(false), ...types.map((type) => builder.undef(type))];
  for (const end of ends) end.operands.push(...ordinary);
  if (fallsThrough && flagged) addDefault(control, [...undefs, ...ordinary], builder);
  const added = [...(flagged ? [boolType] : []), ...types].map((type) => newResult(type, control));
  control.results.push(...added);
  const values = flagged ? added.slice(1) : added;
  builder.at(control.position).into(block);
  if (!flagged) {
    leave(values);
    return false;
  }
  const [left, stays] = [builder.newBlock(), builder.newBlock()];
  builder.if(added[0]!, left, stays);
  atEnd(builder, control.position, left, () => leave(values));
  atEnd(builder, control.position, stays, () => builder.yield());
  return true;
}

function atEnd(builder: Builder, position: PositionId, block: Block, make: () => void): void {
  builder.at(position).into(block);
  make();
}

function addDefault(control: Instruction, values: Value[], builder: Builder): void {
  const block = builder.newBlock();
  atEnd(builder, control.position, block, () => builder.break(...values));
  control.blocks.push(block);
  control.cases = [...control.cases!, ['default']];
}
