import { speculationCost } from '../intrinsics/speculation.ts';
import { rewriteControl } from '../ir/control.ts';
import type { Block, Instruction, Module, Value } from '../ir/ir.ts';
import { newMark } from '../ir/marks.ts';
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
  const inside: Inside = { mark: newMark(), parameters: new Set() };
  for (const block of loop.blocks) {
    for (const parameter of block.parameters) inside.parameters.add(parameter);
    walkBlock(block, (instruction) => {
      instruction.mark = inside.mark;
      const { blocks } = instruction;
      for (let i = 0; i < blocks.length; i++)
        for (const parameter of blocks[i]!.parameters) inside.parameters.add(parameter);
    });
  }
  const code: Instruction[] = [];
  for (const block of loop.blocks) hoistFrom(block, Infinity, inside, code);
  return code.length === 0 ? [loop] : [...code, loop];
}

/** What a loop makes in each turn. */
interface Inside {
  /** On its instructions. */
  mark: number;
  parameters: Set<Value>;
}

function isInside(value: Value, { mark, parameters }: Inside): boolean {
  if (value.kind === 'result') return value.instruction.mark === mark;
  return value.kind === 'parameter' && parameters.has(value);
}

function hoistFrom(block: Block, most: number, inside: Inside, code: Instruction[]): void {
  block.instructions = block.instructions.filter((instruction) => {
    if (instruction.op === 'if')
      for (const arm of instruction.blocks) hoistFrom(arm, mostInArm, inside, code);
    if (instruction.results.length !== 1 || instruction.blocks.length > 0) return true;
    if (instruction.operands.some((operand) => isInside(operand, inside))) return true;
    const cost = speculationCost(instruction);
    if (cost === undefined || cost > most) return true;
    instruction.mark = 0;
    code.push(instruction);
    return false;
  });
}
