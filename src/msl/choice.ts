/** Control flow of the IR that is an expression in the source. */
import { isRemovable } from '../intrinsics/effects.ts';
import type { Block, Instruction } from '../ir/ir.ts';
import { isDebug } from '../ir/uses.ts';
import { opcodeRow } from '../ir/walk.ts';
import { at, binding, bound, longest, operand } from './code.ts';
import type { Expression, FunctionContext } from './context.ts';
import { lineOf } from './for-init.ts';
import { emitInstruction } from './instructions.ts';
import { bare } from './marks.ts';
import { rememberFor } from './trial.ts';

/** An `if` that only chooses a value, on one line of the source, is a `?:`, which evaluates no more than it does. */
export function choiceOf(f: FunctionContext, instruction: Instruction): Expression | undefined {
  const [then, otherwise] = instruction.blocks as [Block, Block];
  if (instruction.results.length !== 1 || !isChoice(f, instruction)) return undefined;
  const writer = f.writer;
  const takeBack = rememberFor(f, [instruction, ...then.instructions, ...otherwise.instructions]);
  f.writer = writer.fork();
  const condition = operand(f, instruction.operands[0]!);
  const [yes, no] = [armOf(f, then), armOf(f, otherwise)];
  const isPlain = f.writer.lines.length === 0;
  f.writer = writer;
  at(f, instruction);
  const made: Expression | undefined = yes &&
    no && {
      text: `${bound(condition, binding.logicalOr)} ? ${bound(yes, binding.choice + 1)} : ${bound(no, binding.choice + 1)}`,
      binding: binding.choice,
      fixed: true,
    };
  if (made && isPlain && bare(made.text).length < longest) return made;
  takeBack();
  return undefined;
}

/** One value of each arm, and nothing in them that is a statement or has an effect. */
function isChoice(f: FunctionContext, instruction: Instruction): boolean {
  const code = instruction.blocks.flatMap(({ instructions }) => instructions.filter((one) => !isDebug(one)));
  if (!code.every((one) => one.op === 'yield' || isExpression(f, one))) return false;
  const line = lineOf(f, instruction.position);
  return code.every(({ position }) => position === instruction.position || lineOf(f, position) === line);
}

function isExpression(f: FunctionContext, instruction: Instruction): boolean {
  const { op, blocks, callee } = instruction;
  if (op === 'call') return f.withoutEffects.has(callee!);
  if (op === 'intrinsic') return isRemovable(instruction);
  const { effects, terminator } = opcodeRow(instruction);
  return blocks.length === 0 && !terminator && op !== 'var' && (effects === 'none' || effects === 'reads');
}

function armOf(f: FunctionContext, block: Block): Expression | undefined {
  let made: Expression | undefined;
  for (const one of block.instructions) {
    if (isDebug(one)) continue;
    at(f, one);
    if (one.op === 'yield') made = operand(f, one.operands[0]!);
    else emitInstruction(f, one, block);
  }
  return made;
}
