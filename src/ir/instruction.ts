/**
 * How instructions come to be. All have the same fields in the same order, for engines are slow to read objects of many shapes, and every
 * pass reads every instruction.
 */
import type { PositionId } from '../source/position.ts';
import type { Block, Instruction, Result, Value } from './ir.ts';
import type { Opcode } from './opcodes.ts';

/** The one empty list, frozen as nearly all instructions share it: of blocks, and of results where there never are any. */
export const none: never[] = Object.freeze([]) as unknown as never[];

/** An instruction without results. Without blocks it never has any: that list is shared. */
export function newInstruction(
  op: Opcode,
  operands: Value[],
  position: PositionId,
  blocks: Block[] = none,
): Instruction {
  return {
    op,
    operands,
    position,
    // A control instruction may be given some.
    results: blocks.length > 0 ? [] : none,
    blocks,
    // In the order of how often they are read.
    mark: 0,
    precise: undefined,
    indices: undefined,
    intrinsic: undefined,
    variable: undefined,
    callee: undefined,
    text: undefined,
    cases: undefined,
    hint: undefined,
    coherent: undefined,
    repeatCount: undefined,
  };
}

/** The same operation on other operands, without results. */
export function instructionLike(
  like: Instruction,
  operands: Value[],
  position: PositionId,
  blocks: Block[] = none,
): Instruction {
  const made = newInstruction(like.op, operands, position, blocks);
  made.callee = like.callee;
  made.intrinsic = like.intrinsic;
  made.text = like.text;
  made.indices = like.indices;
  made.cases = like.cases;
  made.hint = like.hint;
  made.variable = like.variable;
  made.precise = like.precise;
  made.coherent = like.coherent;
  made.repeatCount = like.repeatCount;
  return made;
}

export function newResult(type: Result['type'], instruction: Instruction, name?: string): Result {
  return { kind: 'result', type, instruction, name };
}
