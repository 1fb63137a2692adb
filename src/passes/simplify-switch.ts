import { sameValue } from '../ir/constants.ts';
import { type ControlWork, rewriteControl } from '../ir/control.ts';
import type { Block, Instruction, Module } from '../ir/ir.ts';
import { leavesOf } from '../ir/slots.ts';
import { straighten } from '../ir/straighten.ts';
import { isDebug } from '../ir/uses.ts';

/**
 * Makes `switch` plainer: a constant selector chooses its group; a switch that always runs its only group gives way to
 * that group, once jumps out of it have become ends of arms; groups that do nothing go; results that are the same on every
 * way go.
 *
 *     %a: float = switch 2 {           store %p, 1.0
 *     case 1, 2 {                      %b: float = load %q
 *       store %p, 1.0
 *       fallthrough
 *     }
 *     case default {
 *       %b: float = load %q
 *       break %b
 *     }
 *     }
 *
 * Positions: moved code keeps its own; what vanishes takes its own along.
 */
export function simplifySwitch(module: Module): boolean {
  return rewriteControl(module, simplified);
}

function simplified(control: Instruction, work: ControlWork): readonly Instruction[] {
  if (control.op !== 'switch') return [control];
  if (!chooseGroup(control, work)) return [];
  dropIdleGroups(control);
  if (control.blocks.length === 0) return [];
  dropEqualResults(control, work);
  return onlyGroup(control, work) ?? [control];
}

const lastOf = (block: Block): Instruction => block.instructions[block.instructions.length - 1]!;

/** Leaves the group that a constant selects, with those it falls into; false if there is none. */
function chooseGroup(control: Instruction, { builder }: ControlWork): boolean {
  const selector = control.operands[0]!;
  const cases = control.cases!;
  if (selector.kind !== 'constant' || (cases.length === 1 && cases[0]!.includes('default'))) return true;
  let chosen = cases.findIndex((labels) => labels.includes(selector.value as number));
  if (chosen < 0) chosen = cases.findIndex((labels) => labels.includes('default'));
  if (chosen < 0) return false;
  const block: Block = { parameters: [], instructions: [] };
  for (let i = chosen; ; i++) {
    const { instructions } = control.blocks[i]!;
    const falls = lastOf(control.blocks[i]!).op === 'fallthrough';
    for (const instruction of falls ? instructions.slice(0, -1) : instructions)
      block.instructions.push(instruction);
    if (!falls) break;
  }
  control.blocks = [block];
  control.cases = [['default']];
  control.operands = [builder.uint(0)];
  return true;
}

/** Groups that only leave, where no result depends on it and no other group falls into them. */
function dropIdleGroups(control: Instruction): void {
  if (control.results.length > 0 || control.blocks.length === 1) return;
  const cases = control.cases!;
  const isIdle = ({ instructions }: Block): boolean => {
    const code = instructions.filter((one) => !isDebug(one));
    return code.length === 1 && (code[0]!.op === 'break' || code[0]!.op === 'yield');
  };
  const hasDefault = cases.some((labels, i) => labels.includes('default') && !isIdle(control.blocks[i]!));
  const keep = control.blocks.map((block, i) => {
    if (!isIdle(block)) return true;
    // Its labels would fall to a default that does something.
    if (hasDefault) return true;
    return i > 0 && lastOf(control.blocks[i - 1]!).op === 'fallthrough';
  });
  control.blocks = control.blocks.filter((_, i) => keep[i]);
  control.cases = cases.filter((_, i) => keep[i]);
}

/** Results that every way gives the same constant, or the same value from outside. */
function dropEqualResults(control: Instruction, { replaced }: ControlWork): void {
  if (control.results.length === 0) return;
  const leaves = leavesOf(control);
  const first = leaves[0];
  if (!first) return;
  const differs = control.results.map((result, i) => {
    const value = first.instruction.operands[i]!;
    if (
      value.kind !== 'constant' ||
      !leaves.every(({ instruction }) => sameValue(instruction.operands[i]!, value))
    )
      return true;
    replaced.set(result, value);
    return false;
  });
  if (!differs.includes(false)) return;
  control.results = control.results.filter((_, i) => differs[i]);
  for (const { instruction } of leaves)
    instruction.operands = instruction.operands.filter((_, i) => differs[i]);
}

/** The code of a group that always runs, if it can be left at its end alone. */
function onlyGroup(
  control: Instruction,
  { module, builder, replaced }: ControlWork,
): Instruction[] | undefined {
  const [block] = control.blocks as [Block];
  if (control.blocks.length > 1 || !control.cases![0]!.includes('default')) return undefined;
  const last = lastOf(block);
  if (last.op === 'yield') {
    block.instructions.pop();
    builder
      .at(last.position)
      .into(block)
      .break(...last.operands);
  }
  if (leavesOf(control).length === 0) return block.instructions;
  const values = straighten(
    module,
    block,
    'break',
    control.results.map(({ type }) => type),
  );
  if (!values) return undefined;
  control.results.forEach((result, i) => {
    replaced.set(result, values[i]!);
  });
  return block.instructions;
}
