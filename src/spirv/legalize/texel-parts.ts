/**
 * A part of a texel (`tex[i].x = 1`) is read and written through the whole texel, for images know no parts.
 *
 *     %p: ptr<texel, float> = access %t, 0         ->    %o: float4 = load %t; %n = insert %o, %x, 0; store %t, %n
 *     store %p, %x
 *
 * Positions: that of the load or store of the part.
 */
import type { Instruction, Module, Value } from '../../ir/ir.ts';
import { walkModule } from '../../ir/walk.ts';
import { rewriteModule } from '../../ir/rewrite.ts';

export function texelParts(module: Module): void {
  const found = new Set<Value>();
  walkModule(module, (instruction) => {
    const result = instruction.results[0];
    if (result && partOfTexel(result)) found.add(result);
  });
  if (found.size === 0) return;
  rewriteModule(module, (instruction, builder) => {
    if (instruction.op !== 'load' && instruction.op !== 'store') return undefined;
    const step = partOfTexel(instruction.operands[0]!);
    if (!step) return undefined;
    const [texel, index] = step.operands as [Value, Value];
    const whole = builder.load(texel, instruction.coherent);
    const component = index.kind === 'constant' ? Number(index.value) : undefined;
    if (instruction.op === 'load')
      return [
        component === undefined ? builder.extractDynamic(whole, index) : builder.extract(whole, component),
      ];
    const part = instruction.operands[1]!;
    const changed =
      component === undefined
        ? builder.insertDynamic(whole, part, index)
        : builder.insert(whole, part, component);
    builder.store(texel, changed, instruction.coherent);
    return [];
  });
  rewriteModule(module, (instruction) =>
    instruction.results[0] && partOfTexel(instruction.results[0]) ? [instruction.operands[0]!] : undefined,
  );
}

function partOfTexel(pointer: Value): Instruction | undefined {
  if (pointer.kind !== 'result' || pointer.type.kind !== 'pointer' || pointer.type.space !== 'texel')
    return undefined;
  return pointer.instruction.op === 'access' ? pointer.instruction : undefined;
}
