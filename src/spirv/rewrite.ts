/** Walking a function's instructions and replacing some, which every legalize pass does. */
import { Builder } from '../ir/builder.ts';
import type { Block, Instruction, Function as IrFunction, Module, Value } from '../ir/ir.ts';

/**
 * Calls `rewrite` for each instruction of a function, in order. It may put instructions in front through the builder; if it
 * gives values, they replace the instruction's results and the instruction goes.
 */
export function rewriteFunction(
  module: Module,
  target: IrFunction,
  rewrite: (instruction: Instruction, builder: Builder) => readonly Value[] | undefined,
): void {
  const builder = new Builder(module);
  const replaced = new Map<Value, Value>();
  const visit = (block: Block): void => {
    for (let i = 0; i < block.instructions.length; i++) {
      const instruction = block.instructions[i]!;
      if (replaced.size > 0)
        instruction.operands = instruction.operands.map((operand) => replaced.get(operand) ?? operand);
      builder.at(instruction.position).before(block, i);
      builder.precise = instruction.precise ?? false;
      const values = rewrite(instruction, builder);
      i = builder.insertionIndex;
      if (values) {
        instruction.results.forEach((result, n) => {
          replaced.set(result, values[n]!);
        });
        block.instructions.splice(i, 1);
        i--;
        continue;
      }
      for (const inner of instruction.blocks) visit(inner);
    }
  };
  visit(target.body);
}

/** The same for the entry points, which alone touch the interface. */
export function rewriteEntries(
  module: Module,
  rewrite: (instruction: Instruction, builder: Builder) => readonly Value[] | undefined,
): void {
  for (const target of module.functions) if (target.entry) rewriteFunction(module, target, rewrite);
}

/** The same for every function of the module. */
export function rewriteModule(
  module: Module,
  rewrite: (instruction: Instruction, builder: Builder) => readonly Value[] | undefined,
): void {
  for (const target of module.functions) rewriteFunction(module, target, rewrite);
}
