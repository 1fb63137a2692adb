/** Subtracts the base from an index that a vertex shader reads; base-instance.ts and base-vertex.ts say which. */
import type { EntryPoint, Global, Module, Value } from '../ir/ir.ts';
import { elementOf, pointer } from '../types/type.ts';
import { rewriteFunction } from '../ir/rewrite.ts';

export function withoutBase(module: Module, index: string, base: string): void {
  for (const target of module.functions) {
    const { entry } = target;
    if (entry?.stage !== 'vertex') continue;
    const indices = entry.inputs.filter((global) => isInput(global, index));
    if (indices.length === 0) continue;
    const from = baseInput(module, entry, indices[0]!, base);
    const found = new Set<Value>(indices);
    rewriteFunction(module, target, (instruction, builder) => {
      if (instruction.op !== 'load' || !found.has(instruction.operands[0]!)) return undefined;
      const loaded = builder.load(instruction.operands[0]!);
      const start = builder.convert(builder.load(from), elementOf(loaded.type)!);
      return [builder.binary('sub', loaded, start)];
    });
  }
}

function isInput(global: Global, builtin: string): boolean {
  return global.role.kind === 'input' && global.role.variable.builtin === builtin;
}

/** The base as an input: the user's own, if there is one. */
function baseInput(module: Module, entry: EntryPoint, like: Global, base: string): Global {
  const known = entry.inputs.find((global) => isInput(global, base));
  if (known || like.role.kind !== 'input') return known ?? like;
  const name = `in.var.${base}`;
  const made: Global = {
    kind: 'global',
    name,
    type: pointer('input', like.role.variable.type),
    role: {
      kind: 'input',
      variable: { ...like.role.variable, name, builtin: base, semantic: { name: base, index: 0 } },
    },
    location: 0,
  };
  entry.inputs.push(made);
  module.globals.push(made);
  return made;
}
