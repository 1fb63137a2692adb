/**
 * Who uses a value. Debug instructions are kept apart: they never count as uses, never keep code alive and never steer a
 * decision.
 */
import type { Block, Instruction, Function as IrFunction, Value } from './ir.ts';
import type { Type } from '../types/type.ts';
import { walkFunction } from './walk.ts';

/** Operand `index` of `instruction`. */
export interface Use {
  instruction: Instruction;
  index: number;
}

/** Uses by code, in textual order. */
export type Uses = ReadonlyMap<Value, readonly Use[]>;

export function isDebug(instruction: Instruction): boolean {
  return instruction.op === 'debug_declare' || instruction.op === 'debug_value';
}

/** The block's terminator, if nothing but debug values stands in front of it. */
export function onlyInstruction({ instructions }: Block): Instruction | undefined {
  for (let i = instructions.length - 2; i >= 0; i--)
    if (instructions[i]!.op !== 'debug_value') return undefined;
  return instructions[instructions.length - 1];
}

/**
 * Uses in a function of the parameters, results and globals whose type `wanted` accepts. One walk; changes made afterwards do not
 * show.
 */
export function collectUses(fn: IrFunction, wanted: (type: Type) => boolean): Uses {
  const uses = new Map<Value, Use[]>();
  walkFunction(fn, (instruction) => {
    if (isDebug(instruction)) return;
    const { operands } = instruction;
    for (let index = 0; index < operands.length; index++) {
      const value = operands[index]!;
      if (value.kind === 'constant' || value.kind === 'undef' || !wanted(value.type)) continue;
      const known = uses.get(value);
      if (known) known.push({ instruction, index });
      else uses.set(value, [{ instruction, index }]);
    }
  });
  return uses;
}
