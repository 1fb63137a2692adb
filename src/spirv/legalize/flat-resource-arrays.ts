/**
 * Arrays of arrays of resources become arrays of one dimension, for Vulkan binds no others.
 *
 *     %t: ptr<resource, Texture2D> = access @t, %i, %j     ->    %0 = mul %i, 3; %1 = add %0, %j; %t = access @t, %1
 *
 * Positions: the arithmetic takes that of the access.
 */
import type { Builder } from '../../ir/builder.ts';
import type { Module, Value } from '../../ir/ir.ts';
import { array, pointer, type Type, uintType } from '../../types/type.ts';
import { rewriteModule } from '../../ir/rewrite.ts';

export function flatResourceArrays(module: Module): void {
  /** By global: the sizes of the inner dimensions, outermost first. */
  const inner = new Map<Value, readonly number[]>();
  for (const global of module.globals) {
    if (global.role.kind !== 'resource' || global.type.kind !== 'pointer') continue;
    const { pointee } = global.type;
    if (pointee.kind !== 'array' || pointee.element.kind !== 'array') continue;
    const sizes: number[] = [];
    let element: Type = pointee.element;
    for (; element.kind === 'array'; element = element.element) sizes.push(element.size);
    inner.set(global, sizes);
    global.type = pointer('resource', array(element, product([pointee.size, ...sizes])));
  }
  if (inner.size === 0) return;
  rewriteModule(module, (instruction, builder) => {
    const [global, ...indices] = instruction.operands;
    const sizes = global && instruction.op === 'access' ? inner.get(global) : undefined;
    if (sizes)
      instruction.operands = [
        global!,
        flatIndex(builder, indices.slice(0, sizes.length + 1), sizes),
        ...indices.slice(sizes.length + 1),
      ];
    return undefined;
  });
}

function flatIndex(builder: Builder, indices: readonly Value[], sizes: readonly number[]): Value {
  if (indices.every((index) => index.kind === 'constant'))
    return builder.uint(indices.reduce((sum, { value }, i) => sum * (sizes[i - 1] ?? 1) + Number(value), 0));
  return indices
    .map((index) => builder.convert(index, uintType))
    .reduce((sum, index, i) =>
      builder.binary('add', builder.binary('mul', sum, builder.uint(sizes[i - 1]!)), index),
    );
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum * size, 1);
}
