import { speculationCost } from '../intrinsics/speculation.ts';
import { sameValue } from '../ir/constants.ts';
import type { Builder } from '../ir/builder.ts';
import { type ControlWork, rewriteControl } from '../ir/control.ts';
import { hashOf, isEqual, Numbers } from '../ir/equal-code.ts';
import type { Block, Instruction, Module, Value } from '../ir/ir.ts';
import { resolveOperands } from '../ir/rewrite.ts';
import { isDebug } from '../ir/uses.ts';
import { boolType, type Type } from '../types/type.ts';

/** What arms may cost that are run whatever the condition is, and the selects that choose between their values. */
const mostSpeculated = 6;
const mostSelects = 4;

/**
 * Makes `if` plainer: a constant condition goes one way; results that are the same on both ways go; arms of little pure code
 * run both, and `select` chooses; a negated condition swaps the arms; arms that jump to the same place with the same values join; and if one arm leaves, the
 * code of the other one stands behind. An `if` alone in the arm of another one shares its condition.
 *
 *     %a: float = if %c {                    %b: float = add %x, 1.0
 *       %b: float = add %x, 1.0              %a: float = select %c, %b, %x
 *       yield %b
 *     } else { yield %x }
 *
 * Positions: moved code keeps its own; a `select` has that of the `if`, and so has what stands for equal instructions of both
 * arms; what vanishes takes its own along.
 */
export function simplifyIf(module: Module): boolean {
  return rewriteControl(module, simplified);
}

function simplified(control: Instruction, work: ControlWork): readonly Instruction[] {
  if (control.op !== 'if') return [control];
  const taken = constantArm(control);
  if (taken) return only(taken, control, work);
  swapArms(control);
  for (const block of control.blocks) dropIdleDebug(block);
  dropEqualResults(control, work);
  return (
    joined(control) ??
    selected(control, work) ??
    withoutElse(control, work) ??
    nested(control, work) ?? [control]
  );
}

const lastOf = (block: Block): Instruction => block.instructions[block.instructions.length - 1]!;
const goesOn = (block: Block): boolean => lastOf(block).op === 'yield';
const isBare = (block: Block): boolean => block.instructions.length === 1;

/** The arm that is always taken; one that is not reachable is not. */
function constantArm({ operands, blocks }: Instruction): Block | undefined {
  const condition = operands[0]!;
  if (condition.kind === 'constant') return blocks[condition.value === true ? 0 : 1];
  const isImpossible = (block: Block): boolean => isBare(block) && lastOf(block).op === 'unreachable';
  if (isImpossible(blocks[0]!)) return blocks[1];
  return isImpossible(blocks[1]!) ? blocks[0] : undefined;
}

/** The code of an arm in the place of the `if`. */
function only(arm: Block, control: Instruction, { replaced }: ControlWork): Instruction[] {
  const last = lastOf(arm);
  if (last.op !== 'yield') return arm.instructions;
  control.results.forEach((result, i) => {
    replaced.set(result, last.operands[i]!);
  });
  return arm.instructions.slice(0, -1);
}

/** A negation that is only asked for the way swaps the ways instead. The way out of a loop stays where targets look for it. */
function swapArms(control: Instruction): void {
  const condition = control.operands[0]!;
  if (!control.blocks.every(goesOn)) return;
  if (condition.kind !== 'result' || condition.instruction.op !== 'logical_not') return;
  control.operands = [condition.instruction.operands[0]!];
  control.blocks.reverse();
}

/** Debug values in an arm without code tell nothing that those behind the join do not, which are there wherever values meet. */
function dropIdleDebug(block: Block): void {
  const { instructions } = block;
  if (instructions.length > 1 && goesOn(block) && instructions.slice(0, -1).every(isDebug))
    block.instructions = instructions.slice(-1);
}

function dropEqualResults(control: Instruction, { replaced }: ControlWork): void {
  if (control.results.length === 0 || !control.blocks.every(goesOn)) return;
  const [then, otherwise] = control.blocks.map(lastOf) as [Instruction, Instruction];
  const differs = control.results.map((result, i) => {
    const same = sameValue(then.operands[i]!, otherwise.operands[i]!);
    if (same) replaced.set(result, then.operands[i]!);
    return !same;
  });
  control.results = control.results.filter((_, i) => differs[i]);
  for (const end of [then, otherwise]) end.operands = end.operands.filter((_, i) => differs[i]);
}

/** Both arms do nothing but go to the same place. */
function joined({ blocks, results }: Instruction): Instruction[] | undefined {
  const [then, otherwise] = blocks as [Block, Block];
  if (!isBare(then) || !isBare(otherwise)) return undefined;
  const [a, b] = [lastOf(then), lastOf(otherwise)];
  if (a.op !== b.op) return undefined;
  if (a.op === 'yield') return results.length === 0 ? [] : undefined;
  return a.operands.every((value, i) => sameValue(value, b.operands[i]!)) ? [a] : undefined;
}

// ---- selects

function selectCost(type: Type): number {
  // Before SPIR-V 1.4 a vector is selected by a vector.
  if (type.kind === 'vector') return 2;
  return type.kind === 'scalar' || type.kind === 'enum' ? 1 : mostSelects + 1;
}

function selected(control: Instruction, { builder, replaced }: ControlWork): Instruction[] | undefined {
  const { blocks, results, hint, operands, position } = control;
  if (!blocks.every(goesOn)) return undefined;
  const [then, otherwise] = blocks.map(lastOf) as [Instruction, Instruction];
  let cost = 0;
  results.forEach(({ type }, i) => {
    if (!eitherUndef(then.operands[i]!, otherwise.operands[i]!)) cost += selectCost(type);
  });
  if (cost > mostSelects) return undefined;
  const code = blocks.flatMap(({ instructions }) => instructions.slice(0, -1).filter((one) => !isDebug(one)));
  if (code.length > 0 && hint?.kind === 'branch') return undefined;
  for (const instruction of code) {
    const own = speculationCost(instruction);
    if (own === undefined) return undefined;
    cost += own;
    if (cost > mostSpeculated && hint?.kind !== 'flatten') return undefined;
  }
  const block: Block = { parameters: [], instructions: withoutEqual(code, control, replaced) };
  builder.at(position).into(block);
  results.forEach((result, i) => {
    const [a, b] = [then.operands[i]!, otherwise.operands[i]!];
    const known = eitherUndef(a, b);
    const value = known ?? chosen(builder, operands[0]!, a, b);
    if (!known && value.kind === 'result' && result.name !== undefined) value.name ??= result.name;
    replaced.set(result, value);
  });
  return block.instructions;
}

/** Code of both arms: of equal instructions one is left. It belongs to neither arm's line unless they are one. */
function withoutEqual(
  code: readonly Instruction[],
  { blocks, position }: Instruction,
  replaced: Map<Value, Value>,
): Instruction[] {
  if (blocks.some(isBare)) return [...code];
  const numbers = new Numbers();
  const known = new Map<number, Instruction[]>();
  const first = new Set(blocks[0]!.instructions);
  return code.filter((instruction) => {
    resolveOperands(instruction, replaced);
    const hash = hashOf(instruction, numbers);
    const others = known.get(hash) ?? [];
    if (first.has(instruction)) {
      known.set(hash, [...others, instruction]);
      return true;
    }
    const equal = others.find((other) => isEqual(other, instruction, numbers));
    if (!equal) return true;
    if (equal.position !== instruction.position) equal.position = position;
    replaced.set(instruction.results[0]!, equal.results[0]!);
    return false;
  });
}

/** `select`, or what says the same of bools. */
function chosen(builder: Builder, condition: Value, a: Value, b: Value): Value {
  if (a.type !== boolType) return builder.select(condition, a, b);
  const [yes, no] = [a, b].map((value) => (value.kind === 'constant' ? value.value : undefined));
  if (yes === true) return no === false ? condition : builder.binary('logical_or', condition, b);
  if (no === false) return builder.binary('logical_and', condition, a);
  if (yes === false && no === true) return builder.unary('logical_not', condition);
  return builder.select(condition, a, b);
}

/** The other value if one of two is undefined. */
function eitherUndef(a: Value, b: Value): Value | undefined {
  return a.kind === 'undef' ? b : b.kind === 'undef' ? a : undefined;
}

// ---- arms that leave

/** If one arm is a way out, the other one's code follows the `if`. */
function withoutElse(control: Instruction, { builder, replaced }: ControlWork): Instruction[] | undefined {
  const [then, otherwise] = control.blocks as [Block, Block];
  const open = control.blocks.filter(goesOn);
  if (open.length === 2) return undefined;
  const stays = open[0] ?? (isBare(then) ? otherwise : isBare(otherwise) ? then : undefined);
  if (!stays || (isBare(stays) && (!open[0] || control.results.length === 0))) return undefined;
  const code = stays.instructions;
  const last = lastOf(stays);
  if (open[0]) {
    control.results.forEach((result, i) => {
      replaced.set(result, last.operands[i]!);
    });
    code.pop();
  }
  control.results = [];
  stays.instructions = [];
  builder.at(control.position).into(stays).yield();
  return [control, ...code];
}

// ---- conditions that can be one

/** `if a { if b { code } }` with nothing else in either. */
function nested(control: Instruction, { builder }: ControlWork): Instruction[] | undefined {
  const [then, otherwise] = control.blocks as [Block, Block];
  if (control.results.length > 0 || control.hint || !isBare(otherwise) || !goesOn(otherwise) || !goesOn(then))
    return undefined;
  const inner = then.instructions[then.instructions.length - 2];
  if (
    inner?.op !== 'if' ||
    inner.hint ||
    inner.results.length > 0 ||
    !isBare(inner.blocks[1]!) ||
    !goesOn(inner.blocks[1]!)
  )
    return undefined;
  const before = then.instructions.slice(0, -2);
  const code = before.filter((one) => !isDebug(one));
  let cost = 0;
  for (const instruction of code) {
    const own = speculationCost(instruction);
    if (own === undefined) return undefined;
    cost += own;
  }
  if (cost > mostSpeculated) return undefined;
  // Records go where the code is that they are above.
  const head = inner.blocks[0]!;
  head.instructions = [...before.filter(isDebug), ...head.instructions];
  const block: Block = { parameters: [], instructions: code };
  builder.at(inner.position).into(block);
  const both: Value = builder.binary('logical_and', control.operands[0]!, inner.operands[0]!);
  inner.operands[0] = both;
  block.instructions.push(inner);
  return block.instructions;
}
