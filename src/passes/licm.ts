import { speculationCost } from '../intrinsics/speculation.ts';
import { rewriteControl } from '../ir/control.ts';
import type { Block, Instruction, Module, Value } from '../ir/ir.ts';
import { walkBlock } from '../ir/walk.ts';

/** What code in an arm, which may never run, may cost in front of the loop. */
const mostInArm = 2;

/**
 * Moves code that gives the same in each turn in front of the loop, if it may run although the loop does not: pure code
 * without loads that an index may lead astray, and nothing that depends on neighbouring invocations. From the arms of ifs
 * only what is cheap goes, for they may never run; groups of a switch and inner loops keep theirs (inner loops have
 * handed theirs out before).
 *
 *     loop {                              %a: float = mul %x, %y
 *       %a: float = mul %x, %y            loop {
 *       store %p, %a                        store %p, %a
 *
 * Positions: moved code keeps its own.
 */
export function licm(module: Module): boolean {
  return rewriteControl(module, (control) => (control.op === 'loop' ? hoisted(control) : [control]));
}

function hoisted(loop: Instruction): readonly Instruction[] {
  const inside = new Set<Value>();
  for (const block of loop.blocks) {
    for (const parameter of block.parameters) inside.add(parameter);
    walkBlock(block, ({ results, blocks }) => {
      for (const result of results) inside.add(result);
      for (const inner of blocks) for (const parameter of inner.parameters) inside.add(parameter);
    });
  }
  const code: Instruction[] = [];
  for (const block of loop.blocks) hoistFrom(block, Infinity, inside, code);
  return code.length === 0 ? [loop] : [...code, loop];
}

function hoistFrom(block: Block, most: number, inside: Set<Value>, code: Instruction[]): void {
  block.instructions = block.instructions.filter((instruction) => {
    if (instruction.op === 'if')
      for (const arm of instruction.blocks) hoistFrom(arm, mostInArm, inside, code);
    if (instruction.results.length !== 1 || instruction.blocks.length > 0) return true;
    if (instruction.operands.some((operand) => inside.has(operand))) return true;
    const cost = speculationCost(instruction);
    if (cost === undefined || cost > most) return true;
    inside.delete(instruction.results[0]!);
    code.push(instruction);
    return false;
  });
}
