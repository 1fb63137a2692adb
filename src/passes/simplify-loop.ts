import { sameValue } from '../ir/constants.ts';
import { type ControlWork, rewriteControl } from '../ir/control.ts';
import type { Instruction, Module, Value } from '../ir/ir.ts';
import { resolve } from '../ir/rewrite.ts';
import { continuesOf, leavesOf } from '../ir/slots.ts';

/**
 * Makes loops plainer: one that never comes to its second turn is a switch of one group (which `simplifySwitch` takes
 * away); parameters that keep the value they enter with, and results that are one constant, are no values of their own.
 *
 *     %a: float = loop (%x: float = %y) {      %a: float = switch 0 {
 *       break %x                               case default {
 *     } continuing {                             break %y
 *       repeat %x                              }
 *     }                                        }
 *
 * Positions: kept; what vanishes takes its own along.
 */
export function simplifyLoop(module: Module): boolean {
  return rewriteControl(module, withoutEqualResults, enterLoop);
}

function enterLoop(loop: Instruction, work: ControlWork): boolean {
  if (loop.op !== 'loop') return false;
  const continues = continuesOf(loop);
  if (continues.length === 0) {
    oneTurn(loop, work);
    return true;
  }
  const size = (): number => loop.blocks[0]!.parameters.length + loop.blocks[1]!.parameters.length;
  const before = size();
  const settled = settleRepeatIf(loop, work);
  dropSteadyContinuing(loop, continues, work);
  dropSteadyParameters(loop, work);
  return settled || size() !== before;
}

/** Nothing continues: the body runs once. */
function oneTurn(loop: Instruction, { builder, replaced }: ControlWork): void {
  const body = loop.blocks[0]!;
  body.parameters.forEach((parameter, i) => {
    replaced.set(parameter, loop.operands[i]!);
  });
  body.parameters = [];
  loop.op = 'switch';
  loop.operands = [builder.uint(0)];
  loop.cases = [['default']];
  loop.blocks = [body];
  loop.hint = undefined;
}

/** A condition that is always true is none. */
function settleRepeatIf(loop: Instruction, { replaced }: ControlWork): boolean {
  const { instructions } = loop.blocks[1]!;
  const end = instructions[instructions.length - 1]!;
  if (end.op !== 'repeat_if') return false;
  const condition = resolve(end.operands[0]!, replaced);
  if (condition.kind !== 'constant' || condition.value !== true) return false;
  end.op = 'repeat';
  end.operands = end.operands.slice(1, 1 + (end.repeatCount ?? 0));
  end.repeatCount = undefined;
  return true;
}

/** Parameters of the continuing block that every `continue` gives the same value from outside the body. */
function dropSteadyContinuing(
  loop: Instruction,
  continues: readonly Instruction[],
  { replaced }: ControlWork,
): void {
  const [body, continuing] = loop.blocks as [Instruction['blocks'][0], Instruction['blocks'][0]];
  if (continuing.parameters.length === 0) return;
  const isOutside = (value: Value): boolean =>
    value.kind === 'constant' || (value.kind === 'parameter' && body.parameters.includes(value));
  const stays = continuing.parameters.map((parameter, i) => {
    const value = resolve(continues[0]!.operands[i]!, replaced);
    if (!isOutside(value)) return true;
    if (!continues.every(({ operands }) => sameValue(resolve(operands[i]!, replaced), value))) return true;
    replaced.set(parameter, value);
    return false;
  });
  continuing.parameters = continuing.parameters.filter((_, i) => stays[i]);
  for (const one of continues) one.operands = one.operands.filter((_, i) => stays[i]);
}

/** Parameters of the body that each turn hands on unchanged. */
function dropSteadyParameters(loop: Instruction, { replaced }: ControlWork): void {
  const [body, continuing] = loop.blocks as [Instruction['blocks'][0], Instruction['blocks'][0]];
  const end = continuing.instructions[continuing.instructions.length - 1]!;
  const first = end.op === 'repeat_if' ? 1 : 0;
  const stays = body.parameters.map((parameter, i) => {
    const again = resolve(end.operands[first + i]!, replaced);
    if (again !== parameter && !sameValue(again, loop.operands[i]!)) return true;
    replaced.set(parameter, loop.operands[i]!);
    return false;
  });
  if (!stays.includes(false)) return;
  const count = body.parameters.length;
  body.parameters = body.parameters.filter((_, i) => stays[i]);
  loop.operands = loop.operands.filter((_, i) => stays[i]);
  end.operands = end.operands.filter((_, i) => i < first || i >= first + count || stays[i - first]);
  if (end.op === 'repeat_if') end.repeatCount = body.parameters.length;
}

function withoutEqualResults(loop: Instruction, { replaced }: ControlWork): readonly Instruction[] {
  if (loop.op !== 'loop' || loop.results.length === 0) return [loop];
  const leaves = leavesOf(loop);
  const given = leaves[0];
  if (!given) return [loop];
  const differs = loop.results.map((result, i) => {
    const value = given.instruction.operands[given.first + i]!;
    if (value.kind !== 'constant') return true;
    if (!leaves.every(({ instruction, first }) => sameValue(instruction.operands[first + i]!, value)))
      return true;
    replaced.set(result, value);
    return false;
  });
  if (!differs.includes(false)) return [loop];
  loop.results = loop.results.filter((_, i) => differs[i]);
  for (const { instruction, first } of leaves)
    instruction.operands = instruction.operands.filter((_, i) => i < first || differs[i - first]);
  return [loop];
}
