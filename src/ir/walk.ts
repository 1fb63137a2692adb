/** Traversal of the IR: blocks and instructions in textual order, and functions by their calls. */
import type { Block, Instruction, Function as IrFunction, Module } from './ir.ts';
import { type OpcodeRow, opcodes } from './opcodes.ts';

/** Calls `visit` for each instruction of the block and of the blocks nested in it, an instruction before its blocks. */
export function walkBlock(block: Block, visit: (instruction: Instruction, block: Block) => void): void {
  // By index: every pass walks all code, most instructions have no blocks, and an iterator is an object for each step.
  const { instructions } = block;
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i]!;
    visit(instruction, block);
    const { blocks } = instruction;
    for (let b = 0; b < blocks.length; b++) walkBlock(blocks[b]!, visit);
  }
}

/** Every instruction of the function, in textual order. */
export function walkFunction(fn: IrFunction, visit: (instruction: Instruction, block: Block) => void): void {
  walkBlock(fn.body, visit);
}

/** Every instruction of the module, function by function. */
export function walkModule(
  module: Module,
  visit: (instruction: Instruction, block: Block, fn: IrFunction) => void,
): void {
  for (const fn of module.functions)
    walkBlock(fn.body, (instruction, block) => visit(instruction, block, fn));
}

/** The row of opcodes.ts, without the narrow type of its own entry. */
export function opcodeRow(instruction: Instruction): OpcodeRow {
  return opcodes[instruction.op];
}

/** The last instruction, if it is a terminator. */
export function terminatorOf(block: Block): Instruction | undefined {
  const last = block.instructions[block.instructions.length - 1];
  return last && opcodeRow(last).terminator ? last : undefined;
}

/** Functions that `fn` calls, in order of their first call. */
export function calleesOf(fn: IrFunction): IrFunction[] {
  const callees = new Set<IrFunction>();
  walkFunction(fn, (instruction) => {
    if (instruction.callee) callees.add(instruction.callee);
  });
  return [...callees];
}
