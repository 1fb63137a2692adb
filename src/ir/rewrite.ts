/**
 * Changing code: replacing values, copying blocks. Each is one walk for any number of changes, so
 * that a pass stays linear.
 */
import type { PositionId } from '../source/position.ts';
import { Builder } from './builder.ts';
import type { Block, Instruction, Function as IrFunction, Module, Parameter, Result, Value } from './ir.ts';
import { walkFunction } from './walk.ts';

/** What stands for a value, through chains of replacements. */
export function resolve(value: Value, replaced: ReadonlyMap<Value, Value>): Value {
  for (let next = replaced.get(value); next !== undefined; next = replaced.get(value)) value = next;
  return value;
}

/** Puts the replacement in the place of every use, debug uses included. */
export function replaceUses(fn: IrFunction, replaced: ReadonlyMap<Value, Value>): void {
  if (replaced.size === 0) return;
  walkFunction(fn, (instruction) => {
    const { operands } = instruction;
    for (let i = 0; i < operands.length; i++) operands[i] = resolve(operands[i]!, replaced);
  });
}

/**
 * A copy of a block and all that is in it. `values` maps what the block uses from outside (parameters of an inlined function,
 * say) and receives what is made inside. `position` gives the copies' positions.
 */
export function cloneBlock(
  block: Block,
  values: Map<Value, Value>,
  position: (id: PositionId) => PositionId = (id) => id,
): Block {
  const copy: Block = {
    parameters: block.parameters.map((parameter) => {
      const made: Parameter = { ...parameter };
      values.set(parameter, made);
      return made;
    }),
    instructions: [],
  };
  for (const instruction of block.instructions)
    copy.instructions.push(cloneInstruction(instruction, values, position));
  return copy;
}

/** The same for one instruction. */
export function cloneInstruction(
  instruction: Instruction,
  values: Map<Value, Value>,
  position: (id: PositionId) => PositionId = (id) => id,
): Instruction {
  const copy: Instruction = {
    ...instruction,
    operands: instruction.operands.map((operand) => values.get(operand) ?? operand),
    position: position(instruction.position),
    results: [],
    blocks: [],
  };
  for (const block of instruction.blocks) copy.blocks.push(cloneBlock(block, values, position));
  for (const result of instruction.results) {
    const made: Result = { ...result, instruction: copy };
    values.set(result, made);
    copy.results.push(made);
  }
  return copy;
}

/** The instruction itself, with values and positions as a copy would have them. */
export function moveInstruction(
  instruction: Instruction,
  values: ReadonlyMap<Value, Value>,
  position: (id: PositionId) => PositionId,
): Instruction {
  const { operands, blocks } = instruction;
  for (let i = 0; i < operands.length; i++) operands[i] = values.get(operands[i]!) ?? operands[i]!;
  instruction.position = position(instruction.position);
  for (const block of blocks)
    for (const inner of block.instructions) moveInstruction(inner, values, position);
  return instruction;
}

/**
 * Calls `rewrite` for each instruction of a function in textual order, an instruction before its blocks, with operands
 * already replaced. What `rewrite` makes through the builder (which stands at the instruction and has its position) goes in
 * front. If it gives values, these replace the results and the instruction goes, else it stays. `leave` is called behind
 * the blocks of a control instruction, and what it makes goes behind the instruction.
 */
export function rewriteFunction(
  module: Module,
  fn: IrFunction,
  rewrite: (instruction: Instruction, builder: Builder) => readonly Value[] | undefined,
  leave?: (instruction: Instruction, builder: Builder) => void,
): void {
  const builder = new Builder(module);
  const replaced = new Map<Value, Value>();
  const visit = (block: Block): void => {
    const old = block.instructions;
    block.instructions = [];
    for (const instruction of old) {
      const { operands } = instruction;
      for (let i = 0; i < operands.length; i++) operands[i] = resolve(operands[i]!, replaced);
      builder.at(instruction.position).into(block);
      builder.precise = instruction.precise ?? false;
      const values = rewrite(instruction, builder);
      if (values) {
        instruction.results.forEach((result, n) => {
          replaced.set(result, values[n]!);
        });
        continue;
      }
      block.instructions.push(instruction);
      if (instruction.blocks.length === 0) continue;
      for (const inner of instruction.blocks) visit(inner);
      builder.at(instruction.position).into(block);
      builder.precise = false;
      leave?.(instruction, builder);
    }
  };
  visit(fn.body);
}
