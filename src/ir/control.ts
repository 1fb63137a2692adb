/** Rewriting control instructions: the walk that passes over control flow share. */
import { Builder } from './builder.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from './ir.ts';
import { resolve } from './rewrite.ts';
import { leavesOf } from './slots.ts';
import { opcodeRow, terminatorOf } from './walk.ts';

export interface ControlWork {
  module: Module;
  builder: Builder;
  /** What stands for values that are gone. Uses come behind definitions, so one walk settles all. */
  replaced: Map<Value, Value>;
}

/**
 * Calls `leave` for each control instruction when its blocks are done; it gives what takes the instruction's place (the
 * instruction itself if nothing changes) and puts replacements of results into `replaced`. `enter` comes before the blocks.
 * Code that is not reached goes.
 */
export function rewriteControl(
  module: Module,
  fn: IrFunction,
  leave: (control: Instruction, work: ControlWork) => readonly Instruction[],
  enter?: (control: Instruction, work: ControlWork) => void,
): void {
  const work: ControlWork = { module, builder: new Builder(module), replaced: new Map() };
  const visit = (block: Block): void => {
    const old = block.instructions;
    block.instructions = [];
    for (const instruction of old) {
      settle(instruction, work);
      let code: readonly Instruction[] = [instruction];
      if (instruction.blocks.length > 0) {
        enter?.(instruction, work);
        for (const inner of instruction.blocks) visit(inner);
        code = leave(instruction, work);
      }
      if (!place(block, code, work)) return;
    }
  };
  visit(fn.body);
}

function settle({ operands }: Instruction, { replaced }: ControlWork): void {
  if (replaced.size === 0) return;
  for (let i = 0; i < operands.length; i++) operands[i] = resolve(operands[i]!, replaced);
}

/** Puts code at the end of a block; false if nothing behind it is reached. */
function place(block: Block, code: readonly Instruction[], work: ControlWork): boolean {
  for (const instruction of code) {
    if (code.length > 1) settle(instruction, work);
    block.instructions.push(instruction);
    if (opcodeRow(instruction).terminator) return false;
    if (instruction.blocks.length > 0 && !completes(instruction)) {
      work.builder.at(instruction.position).into(block).unreachable();
      return false;
    }
  }
  return true;
}

/** Whether what follows a control instruction can be reached. */
export function completes(control: Instruction): boolean {
  switch (control.op) {
    case 'if':
      return control.blocks.some((block) => terminatorOf(block)!.op === 'yield');
    case 'switch':
      return !control.cases!.flat().includes('default') || leavesOf(control).length > 0;
    default:
      return leavesOf(control).length > 0;
  }
}
