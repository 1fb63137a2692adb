/**
 * `-fvk-use-dx-position-w`: SV_Position.w of a pixel shader's input is the reciprocal of what Vulkan gives.
 *
 *     %p: float4 = load @in.var.SV_Position    ->    ...; %w = extract %p, 3; %r = div 1.0, %w; %q = insert %p, %r, 3
 *
 * Positions: that of the load.
 */
import type { Module, Value } from '../../ir/ir.ts';
import { rewriteFunction } from './rewrite.ts';

export function dxPositionW(module: Module): void {
  for (const target of module.functions) {
    if (target.entry?.stage !== 'pixel') continue;
    const positions = new Set<Value>(
      target.entry.inputs.filter(
        ({ role }) => role.kind === 'input' && role.variable.builtin === 'SV_Position',
      ),
    );
    rewriteFunction(module, target, (instruction, builder) => {
      if (instruction.op !== 'load' || !positions.has(instruction.operands[0]!)) return undefined;
      const loaded = builder.load(instruction.operands[0]!);
      const w = builder.binary('div', builder.float(1), builder.extract(loaded, 3));
      return [builder.insert(loaded, w, 3)];
    });
  }
}
