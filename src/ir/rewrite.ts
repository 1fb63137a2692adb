/**
 * Changing code: replacing values, copying blocks. Each is one walk for any number of changes, so
 * that a pass stays linear.
 */
import { Builder } from './builder.ts';
import { instructionLike, newResult } from './instruction.ts';
import type { Block, Instruction, Function as IrFunction, Module, Parameter, Value } from './ir.ts';
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

/** A copy of a block and all that is in it; `values` as for an instruction. */
function cloneBlock(block: Block, values: Map<Value, Value>): Block {
  const copy: Block = { parameters: cloneParameters(block.parameters, values), instructions: [] };
  for (const instruction of block.instructions) copy.instructions.push(cloneInstruction(instruction, values));
  return copy;
}

/** A copy. `values` maps what the code uses from outside (parameters of a loop's block, say) and receives what is made inside. */
export function cloneInstruction(instruction: Instruction, values: Map<Value, Value>): Instruction {
  const operands = instruction.operands.map((operand) => values.get(operand) ?? operand);
  const blocks = instruction.blocks.map((block) => cloneBlock(block, values));
  const copy = instructionLike(instruction, operands, instruction.position, blocks);
  cloneResults(instruction, copy, values);
  return copy;
}

/** New parameters for the copy of a block; `values` receives them. */
export function cloneParameters(parameters: readonly Parameter[], values: Map<Value, Value>): Parameter[] {
  return parameters.map((parameter) => {
    const made: Parameter = { kind: 'parameter', type: parameter.type, name: parameter.name };
    values.set(parameter, made);
    return made;
  });
}

/** Gives the copy of an instruction its own results; `values` receives them. */
export function cloneResults({ results }: Instruction, copy: Instruction, values: Map<Value, Value>): void {
  if (results.length === 0) return;
  copy.results = results.map((result) => {
    const made = newResult(result.type, copy, result.name);
    values.set(result, made);
    return made;
  });
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
