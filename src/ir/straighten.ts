/**
 * Code behind an `if` that has left with some of its ways moves into the way that goes on, so that jumps become the ends of
 * arms. What is left needs no jump at all:
 *
 *     switch 0 {                         if %c {
 *     case default {                       yield 1.0
 *       if %c { break 1.0 }              } else {
 *       else { yield }                     %a: float = mul %x, %x
 *       %a: float = mul %x, %x             yield %a
 *       break %a                         }
 *     }
 *     }
 */

import { instructionLike, newResult } from './instruction.ts';
import type { Type } from '../types/type.ts';
import { Builder } from './builder.ts';
import type { Block, Instruction, Module, Value } from './ir.ts';
import { resolve } from './rewrite.ts';
import { isDebug } from './uses.ts';
import { walkBlock } from './walk.ts';

type Jump = 'break' | 'continue';

/** What follows an `if` that jumps comes to stand one level deeper; programs with more jumps than this keep them. */
const nestingLimit = 200;

interface Work {
  builder: Builder;
  jump: Jump;
  /** Ifs that contain a jump to the target. */
  jumping: Set<Instruction>;
  replaced: Map<Value, Value>;
  /** A jump from within a switch, or from where code would have to stand twice. */
  stuck: boolean;
}

/**
 * Brings the jumps of one kind that leave `block` (the block of a loop body, or the only one of a switch) to the ends of its
 * arms, and makes the arms give the jumps' values to `block` itself. Gives these values, and takes the block's terminator
 * away; undefined if that cannot be done: then the block is as valid as before, though changed. `types` are those of the values.
 */
export function straighten(
  module: Module,
  block: Block,
  jump: Jump,
  types: readonly Type[],
): Value[] | undefined {
  const work: Work = {
    builder: new Builder(module),
    jump,
    jumping: new Set(),
    replaced: new Map(),
    stuck: false,
  };
  if (!findJumps(block, work, false) || work.stuck || work.jumping.size > nestingLimit) return undefined;
  sink(block, work);
  if (work.replaced.size > 0) {
    walkBlock(block, ({ operands }) => {
      for (let i = 0; i < operands.length; i++) operands[i] = resolve(operands[i]!, work.replaced);
    });
  }
  return work.stuck ? undefined : takeValues(block, work, types);
}

/** Whether there is a jump to the target. */
function findJumps(block: Block, work: Work, inSwitch: boolean): boolean {
  let found = false;
  for (const instruction of block.instructions) {
    switch (instruction.op) {
      case work.jump:
        if (inSwitch) work.stuck = true;
        found = true;
        break;
      case 'switch':
        // A `continue` leaves a switch, a `break` of the target cannot stand in it.
        if (work.jump === 'break') break;
        for (const inner of instruction.blocks) if (findJumps(inner, work, true)) found = true;
        break;
      case 'if': {
        let inside = false;
        for (const inner of instruction.blocks) if (findJumps(inner, work, inSwitch)) inside = true;
        if (!inside) break;
        work.jumping.add(instruction);
        found = true;
        break;
      }
      default:
    }
  }
  return found;
}

const lastOf = (block: Block): Instruction => block.instructions[block.instructions.length - 1]!;
const goesOn = (block: Block): boolean => lastOf(block).op === 'yield';

/** From the last `if` to the first, so that code moves once; then in the arms. */
function sink(block: Block, work: Work): void {
  const { instructions } = block;
  for (let i = instructions.length - 1; i >= 0; i--) {
    const instruction = instructions[i]!;
    if (!work.jumping.has(instruction)) continue;
    const open = instruction.blocks.filter(goesOn);
    const rest = instructions.slice(i + 1);
    const code = rest.filter((one) => !isDebug(one));
    if (open.length > 1 && !(code.length === 1 && code[0]!.op === work.jump)) {
      work.stuck = true;
      return;
    }
    instructions.length = i + 1;
    if (open.length === 1) moveInto(open[0]!, rest, instruction, work);
    else for (const arm of open) copyInto(arm, rest, instruction);
    instruction.results = [];
    work.builder.at(instruction.position).into(block).unreachable();
  }
  for (const instruction of instructions)
    if (work.jumping.has(instruction)) for (const arm of instruction.blocks) sink(arm, work);
}

/** Puts the code behind the `if` in the place of the arm's `yield`; the yielded values stand for the results. */
function moveInto(arm: Block, rest: Instruction[], { results }: Instruction, work: Work): void {
  const given = arm.instructions.pop()!.operands;
  results.forEach((result, i) => {
    work.replaced.set(result, given[i]!);
  });
  for (const one of rest) arm.instructions.push(one);
}

/** The same for one of two arms; the code is the jump and debug values. */
function copyInto(arm: Block, rest: readonly Instruction[], { results }: Instruction): void {
  const given = new Map<Value, Value>();
  arm.instructions.pop()!.operands.forEach((value, i) => {
    given.set(results[i]!, value);
  });
  for (const one of rest)
    arm.instructions.push(
      instructionLike(
        one,
        one.operands.map((operand) => given.get(operand) ?? operand),
        one.position,
      ),
    );
}

/** Whether the block's end is a jump, or an `if` with jumps at its arms' ends. */
function endsInJump({ instructions }: Block, work: Work): boolean {
  const last = instructions[instructions.length - 1]!;
  return last.op === work.jump || work.jumping.has(instructions[instructions.length - 2]!);
}

function takeValues(block: Block, work: Work, types: readonly Type[]): Value[] | undefined {
  if (!endsInJump(block, work)) return undefined;
  const { instructions } = block;
  const last = instructions.pop()!;
  if (last.op === work.jump) return last.operands;
  const fork = instructions[instructions.length - 1]!;
  for (const arm of fork.blocks) {
    const { position } = lastOf(arm);
    const values = takeValues(arm, work, types);
    if (values)
      work.builder
        .at(position)
        .into(arm)
        .yield(...values);
  }
  fork.results = types.map((type) => newResult(type, fork));
  return fork.results;
}
