import { foldInstruction } from '../intrinsics/fold-operation.ts';
import type { Module } from '../ir/ir.ts';
import { rewriteModule } from '../ir/rewrite.ts';

/**
 * Replaces what is computed from constants alone by its value, bit for bit what running it would give. Parts of undefined
 * values are undefined.
 *
 *     %a: int = add 2, 3
 *     store %p, %a                      store %p, 5
 *
 * Positions: a constant has none; what is replaced takes its position along.
 */
export function constfold(module: Module): boolean {
  return rewriteModule(module, (instruction, builder) => {
    const value = foldInstruction(instruction, builder);
    return value && [value];
  });
}
