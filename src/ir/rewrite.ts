/**
 * Changing code: replacing values, copying blocks. Each is one walk for any number of changes, so
 * that a pass stays linear.
 */
import type { PositionId } from '../source/position.ts';
import { Builder } from './builder.ts';
import type { Block, Instruction, Function as IrFunction, Module, Parameter, Result, Value } from './ir.ts';
import { walkFunction } from './walk.ts';

/** What stands for a value, through chains of replacements. Results and parameters alone are replaced. */
export function resolve(value: Value, replaced: ReadonlyMap<Value, Value>): Value {
  for (let next = replaced.get(value); next !== undefined; next = replaced.get(value)) value = next;
  return value;
}

/** Puts the replacements in the place of an instruction's operands. */
export function resolveOperands({ operands }: Instruction, replaced: ReadonlyMap<Value, Value>): void {
  if (replaced.size === 0) return;
  for (let i = 0; i < operands.length; i++) {
    const { kind } = operands[i]!;
    if (kind === 'result' || kind === 'parameter') operands[i] = resolve(operands[i]!, replaced);
  }
}

/** Puts the replacement in the place of every use, debug uses included. */
export function replaceUses(fn: IrFunction, replaced: ReadonlyMap<Value, Value>): void {
  if (replaced.size > 0) walkFunction(fn, (instruction) => resolveOperands(instruction, replaced));
}

/**
 * A copy of a block and all that is in it. `values` maps what the block uses from outside (parameters of an inlined function,
 * say) and receives what is made inside. `position` gives the copies' positions.
 */
function cloneBlock(
  block: Block,
  values: Map<Value, Value>,
  position: (id: PositionId) => PositionId = (id) => id,
): Block {
  const copy: Block = {
    parameters: block.parameters.map((parameter) => {
      const made: Parameter = { ...parameter };
      values.set(parameter, made);
      return made;
    }),
    instructions: [],
  };
  for (const instruction of block.instructions)
    copy.instructions.push(cloneInstruction(instruction, values, position));
  return copy;
}

/** The same for one instruction. */
export function cloneInstruction(
  instruction: Instruction,
  values: Map<Value, Value>,
  position: (id: PositionId) => PositionId = (id) => id,
): Instruction {
  const copy: Instruction = {
    ...instruction,
    operands: instruction.operands.map((operand) => values.get(operand) ?? operand),
    position: position(instruction.position),
    results: [],
    blocks: [],
  };
  if (instruction.blocks.length > 0)
    copy.blocks = instruction.blocks.map((block) => cloneBlock(block, values, position));
  copy.results = instruction.results.map((result) => {
    const made: Result = { ...result, instruction: copy };
    values.set(result, made);
    return made;
  });
  return copy;
}

/** The instruction itself, with values and positions as a copy would have them. */
export function moveInstruction(
  instruction: Instruction,
  values: ReadonlyMap<Value, Value>,
  position: (id: PositionId) => PositionId,
): Instruction {
  const { operands, blocks } = instruction;
  for (let i = 0; i < operands.length; i++) operands[i] = values.get(operands[i]!) ?? operands[i]!;
  instruction.position = position(instruction.position);
  for (const block of blocks)
    for (const inner of block.instructions) moveInstruction(inner, values, position);
  return instruction;
}

/**
 * Calls `rewrite` for each instruction of a function in textual order, an instruction before its blocks, with operands
 * already replaced. What `rewrite` makes through the builder (which stands at the instruction and has its position) goes in
 * front. If it gives values, these replace the results and the instruction goes, else it stays. Says whether anything
 * changed.
 */
export function rewriteFunction(
  module: Module,
  fn: IrFunction,
  rewrite: (instruction: Instruction, builder: Builder) => readonly Value[] | undefined,
): boolean {
  const builder = new Builder(module);
  const replaced = new Map<Value, Value>();
  const made: Block = { parameters: [], instructions: [] };
  let changed = false;
  const visit = (block: Block): void => {
    const old = block.instructions;
    /** Absent as long as it would be the same as before. */
    let out: Instruction[] | undefined;
    for (let i = 0; i < old.length; i++) {
      const instruction = old[i]!;
      resolveOperands(instruction, replaced);
      builder.at(instruction.position).into(made);
      builder.precise = instruction.precise ?? false;
      const values = rewrite(instruction, builder);
      if (values || made.instructions.length > 0) {
        out ??= old.slice(0, i);
        for (let n = 0; n < made.instructions.length; n++) out.push(made.instructions[n]!);
        made.instructions = [];
      }
      if (values) {
        for (let n = 0; n < values.length; n++) replaced.set(instruction.results[n]!, values[n]!);
        continue;
      }
      out?.push(instruction);
      for (let n = 0; n < instruction.blocks.length; n++) visit(instruction.blocks[n]!);
    }
    if (!out) return;
    block.instructions = out;
    changed = true;
  };
  visit(fn.body);
  return changed;
}

/** The same for every function of the module. */
export function rewriteModule(module: Module, rewrite: Parameters<typeof rewriteFunction>[2]): boolean {
  let changed = false;
  for (const fn of module.functions) if (rewriteFunction(module, fn, rewrite)) changed = true;
  return changed;
}

/** The same for the entry points, which alone touch the interface. */
export function rewriteEntries(module: Module, rewrite: Parameters<typeof rewriteFunction>[2]): boolean {
  let changed = false;
  for (const fn of module.functions) if (fn.entry && rewriteFunction(module, fn, rewrite)) changed = true;
  return changed;
}
