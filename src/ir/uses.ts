/**
 * Who uses a value. Debug instructions are kept apart: they never count as uses, never keep code alive and never steer a
 * decision.
 */
import type { Block, Instruction, Function as IrFunction, Value } from './ir.ts';
import { walkFunction } from './walk.ts';

/** Operand `index` of `instruction`, which stands in `block`. */
export interface Use {
  instruction: Instruction;
  index: number;
  block: Block;
}

/** Uses of parameters, results and globals in a function, in textual order. */
export interface Uses {
  /** By code. */
  code: Map<Value, Use[]>;
  /** By `debug_declare` and `debug_value`. */
  debug: Map<Value, Use[]>;
}

export function isDebug(instruction: Instruction): boolean {
  return instruction.op === 'debug_declare' || instruction.op === 'debug_value';
}

/** The block's terminator, if nothing but debug values stands in front of it. */
export function onlyInstruction({ instructions }: Block): Instruction | undefined {
  for (let i = instructions.length - 2; i >= 0; i--)
    if (instructions[i]!.op !== 'debug_value') return undefined;
  return instructions[instructions.length - 1];
}

/** One walk over the function; changes made afterwards do not show. */
export function collectUses(fn: IrFunction): Uses {
  const uses: Uses = { code: new Map(), debug: new Map() };
  walkFunction(fn, (instruction, block) => {
    const to = isDebug(instruction) ? uses.debug : uses.code;
    instruction.operands.forEach((value, index) => {
      if (value.kind === 'constant' || value.kind === 'undef') return;
      const known = to.get(value);
      if (known) known.push({ instruction, index, block });
      else to.set(value, [{ instruction, index, block }]);
    });
  });
  return uses;
}

/** How often code uses each value: enough for passes that only ask for none or one. */
export function countUses(fn: IrFunction): Map<Value, number> {
  const counts = new Map<Value, number>();
  walkFunction(fn, (instruction) => {
    if (isDebug(instruction)) return;
    for (const value of instruction.operands) {
      if (value.kind === 'constant' || value.kind === 'undef') continue;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  });
  return counts;
}
