/** Traversal of the IR: blocks and instructions in textual order, uses of values, and what encloses what. */
import type { Block, Instruction, Function as IrFunction, Module, Value } from './ir.ts';
import { type OpcodeRow, opcodes } from './opcodes.ts';

/** Calls `visit` for each instruction of the block and of the blocks nested in it, an instruction before its blocks. */
export function walkBlock(block: Block, visit: (instruction: Instruction, block: Block) => void): void {
  for (const instruction of block.instructions) {
    visit(instruction, block);
    for (const nested of instruction.blocks) walkBlock(nested, visit);
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

/** Which instructions have each value as operand; an instruction that uses it twice is listed once. */
export function usesIn(fn: IrFunction): Map<Value, Set<Instruction>> {
  const uses = new Map<Value, Set<Instruction>>();
  walkFunction(fn, (instruction) => {
    for (const operand of instruction.operands) {
      if (operand.kind === 'constant' || operand.kind === 'undef') continue;
      const users = uses.get(operand);
      if (users) users.add(instruction);
      else uses.set(operand, new Set([instruction]));
    }
  });
  return uses;
}

/** Puts `by(operand)` in the place of each operand of the function for which it gives a value. */
export function replaceOperands(fn: IrFunction, by: (operand: Value) => Value | undefined): void {
  walkFunction(fn, (instruction) => {
    instruction.operands.forEach((operand, i) => {
      const replacement = by(operand);
      if (replacement) instruction.operands[i] = replacement;
    });
  });
}

/** Functions that `fn` calls, in order of their first call. */
export function calleesOf(fn: IrFunction): IrFunction[] {
  const callees = new Set<IrFunction>();
  walkFunction(fn, (instruction) => {
    if (instruction.callee) callees.add(instruction.callee);
  });
  return [...callees];
}
