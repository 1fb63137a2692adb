/**
 * Remainders of signed integers are taken by a division: HLSL's has the sign of the dividend, while the result of OpSRem is
 * undefined in Vulkan where an operand is negative (appendix "Vulkan Environment for SPIR-V"), and NVIDIA's driver gives others.
 *
 *     %r: int = rem %a, %b      ->      %q: int = div %a, %b
 *                                       %p: int = mul %q, %b
 *                                       %r: int = sub %a, %p
 *
 * A remainder stays where constants and masks show that nothing is negative.
 *
 * Positions: that of the remainder.
 */
import type { Constant, Module, Value } from '../../ir/ir.ts';
import { elementOf, scalarClass } from '../../types/type.ts';
import { rewriteModule } from '../../ir/rewrite.ts';

export function signedRemainders(module: Module): void {
  rewriteModule(module, (instruction, builder) => {
    if (instruction.op !== 'rem') return undefined;
    const [left, right] = instruction.operands as [Value, Value];
    if (scalarClass(elementOf(left.type)!) !== 'int') return undefined;
    if (isPlain(left) && isPlain(right)) return undefined;
    const whole = builder.binary('mul', builder.binary('div', left, right), right);
    return [builder.binary('sub', left, whole)];
  });
}

/** Never negative: a constant, or something masked by one. */
function isPlain(value: Value): boolean {
  if (value.kind === 'constant') return isPlainConstant(value.value);
  if (value.kind !== 'result' || value.instruction.op !== 'and') return false;
  return value.instruction.operands.some((one) => one.kind === 'constant' && isPlainConstant(one.value));
}

function isPlainConstant(value: Constant['value']): boolean {
  return typeof value === 'object' ? value.every((part) => isPlainConstant(part.value)) : Number(value) >= 0;
}
