/** Rewriting control instructions: the walk that passes over control flow share. */
import { Builder } from './builder.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from './ir.ts';
import { resolveOperands } from './rewrite.ts';
import { leavesOf } from './slots.ts';
import { opcodeRow, terminatorOf } from './walk.ts';

export interface ControlWork {
  module: Module;
  builder: Builder;
  /** What stands for values that are gone. Uses come behind definitions, so one walk settles all. */
  replaced: Map<Value, Value>;
}

type Leave = (control: Instruction, work: ControlWork) => readonly Instruction[];
type Enter = (control: Instruction, work: ControlWork) => boolean;

/**
 * Calls `leave` for each control instruction when its blocks are done; it gives what takes the instruction's place (the
 * instruction itself if nothing changes) and puts replacements of results into `replaced`. `enter` comes before the blocks.
 * Code that is not reached goes. Says whether anything changed, as far as `enter` says so and `leave` gives other code or
 * makes another instruction of the old one: other opcode, operands, or number of results or blocks.
 */
export function rewriteControl(module: Module, leave: Leave, enter?: Enter): boolean {
  let changed = false;
  for (const fn of module.functions) if (rewriteIn(module, fn, leave, enter)) changed = true;
  return changed;
}

function rewriteIn(module: Module, fn: IrFunction, leave: Leave, enter: Enter | undefined): boolean {
  const work: ControlWork = { module, builder: new Builder(module), replaced: new Map() };
  let changed = false;
  const visit = (block: Block): void => {
    const old = block.instructions;
    /** What the block becomes, from where that is not what it was. */
    let out: Block | undefined;
    for (let i = 0; i < old.length; i++) {
      const instruction = old[i]!;
      resolveOperands(instruction, work.replaced);
      if (instruction.blocks.length === 0) {
        out?.instructions.push(instruction);
        continue;
      }
      if (enter?.(instruction, work)) changed = true;
      for (const inner of instruction.blocks) visit(inner);
      const { op, operands, results, blocks } = instruction;
      const before: Outline = { op, operands, results: results.length, blocks: blocks.length };
      const code = leave(instruction, work);
      const isKept = code.length === 1 && code[0] === instruction;
      if (!isKept || isOther(instruction, before)) changed = true;
      if (isKept && !out && completes(instruction)) continue;
      out ??= { parameters: [], instructions: old.slice(0, i) };
      if (!place(out, code, work)) break;
    }
    if (out) block.instructions = out.instructions;
  };
  visit(fn.body);
  return changed;
}

interface Outline {
  op: Instruction['op'];
  operands: Instruction['operands'];
  results: number;
  blocks: number;
}

function isOther({ op, operands, results, blocks }: Instruction, before: Outline): boolean {
  return (
    op !== before.op ||
    operands !== before.operands ||
    results.length !== before.results ||
    blocks.length !== before.blocks
  );
}

/** Puts code at the end of a block; false if nothing behind it is reached. */
function place(block: Block, code: readonly Instruction[], work: ControlWork): boolean {
  for (const instruction of code) {
    if (code.length > 1) resolveOperands(instruction, work.replaced);
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
