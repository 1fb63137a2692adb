/**
 * `-fvk-invert-y`: negates SV_Position.y before it is written by the last stage in front of rasterization.
 *
 *     store @out.var.SV_Position, %p    ->    %y = extract %p, 1; %n = neg %y; %q = insert %p, %n, 1; store ..., %q
 *
 * Positions: that of the store.
 */
import type { Module, Value } from '../../ir/ir.ts';
import { rewriteFunction } from './rewrite.ts';

export function invertY(module: Module): void {
  for (const target of module.functions) {
    if (!target.entry || target.entry.stage === 'pixel') continue;
    const positions = new Set<Value>(
      target.entry.outputs.filter(
        ({ role }) => role.kind === 'output' && role.variable.builtin === 'SV_Position',
      ),
    );
    rewriteFunction(module, target, (instruction, builder) => {
      const [place, value] = instruction.operands;
      if (instruction.op !== 'store' || !positions.has(place!)) return undefined;
      const y = builder.unary('neg', builder.extract(value!, 1));
      builder.store(place!, builder.insert(value!, y, 1));
      return [];
    });
  }
}
