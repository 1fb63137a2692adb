/**
 * All SV_ClipDistance variables of one direction become one array of floats, in order of their indices; SV_CullDistance
 * likewise.
 *
 *     store @out.var.SV_ClipDistance1, %b: float2    ->    store to elements 1 and 2 of @out.var.SV_ClipDistance
 *
 * Positions: the accesses of elements take that of the load or store they replace.
 */
import type { Builder } from '../../ir/builder.ts';
import type { EntryPoint, Global, Module, Value } from '../../ir/ir.ts';
import { InternalError } from '../../source/diagnostic.ts';
import { array, componentCount, floatType, isNumeric, pointer, type Type } from '../../types/type.ts';
import { rewriteEntries } from '../../ir/rewrite.ts';

interface Part {
  merged: Global;
  first: number;
  type: Type;
}

export function clipDistances(module: Module): void {
  const parts = new Map<Value, Part>();
  for (const { entry } of module.functions) {
    if (!entry) continue;
    for (const builtin of ['SV_ClipDistance', 'SV_CullDistance']) {
      mergeSide(module, entry, 'inputs', builtin, parts);
      mergeSide(module, entry, 'outputs', builtin, parts);
    }
  }
  if (parts.size === 0) return;
  rewriteEntries(module, (instruction, builder) => {
    const [place, value] = instruction.operands;
    const part = place && parts.get(place);
    if (!part) return undefined;
    let at = part.first;
    const element = (): Value => builder.access(part.merged, builder.int(at++));
    switch (instruction.op) {
      case 'load':
        return [gather(builder, part.type, () => builder.load(element()))];
      case 'store':
        scatter(builder, value!, (float) => builder.store(element(), float));
        return [];
      default:
        throw new InternalError(`'${instruction.op}' on an interface variable`);
    }
  });
}

function mergeSide(
  module: Module,
  entry: EntryPoint,
  side: 'inputs' | 'outputs',
  builtin: string,
  parts: Map<Value, Part>,
): void {
  const variable = (global: Global) =>
    global.role.kind === 'input' || global.role.kind === 'output' ? global.role.variable : undefined;
  const found = entry[side].filter((global) => variable(global)?.builtin === builtin);
  if (found.length === 0) return;
  const sorted = [...found].sort((a, b) => variable(a)!.semantic.index - variable(b)!.semantic.index);
  const size = sorted.reduce((sum, global) => sum + floats(variable(global)!.type), 0);
  const first = sorted[0]!;
  const type = array(floatType, size);
  const role = first.role as Extract<Global['role'], { kind: 'input' | 'output' }>;
  const name = `${side === 'inputs' ? 'in' : 'out'}.var.${builtin}`;
  const merged: Global = {
    ...first,
    name,
    type: pointer(role.kind, type),
    role: {
      kind: role.kind,
      variable: { ...role.variable, name, type, semantic: { name: builtin, index: 0 } },
    },
  };
  let at = 0;
  for (const global of sorted) {
    const own = variable(global)!.type;
    parts.set(global, { merged, first: at, type: own });
    at += floats(own);
  }
  const swap = (list: Global[]): Global[] => {
    const rest = list.filter((global) => !found.includes(global));
    rest.splice(list.indexOf(found[0]!), 0, merged);
    return rest;
  };
  entry[side] = swap(entry[side]);
  module.globals = swap(module.globals);
}

function floats(type: Type): number {
  if (type.kind === 'array') return type.size * floats(type.element);
  return isNumeric(type) ? componentCount(type) : 0;
}

function gather(builder: Builder, type: Type, next: () => Value): Value {
  if (type.kind === 'array')
    return builder.construct(
      type,
      Array.from({ length: type.size }, () => gather(builder, type.element, next)),
    );
  if (type.kind === 'vector')
    return builder.construct(
      type,
      Array.from({ length: type.count }, () => gather(builder, type.element, next)),
    );
  const value = next();
  return type.kind === 'scalar' ? builder.convert(value, type) : value;
}

function scatter(builder: Builder, value: Value, put: (float: Value) => void): void {
  const { type } = value;
  if (type.kind === 'array' || type.kind === 'vector') {
    const count = type.kind === 'array' ? type.size : type.count;
    for (let i = 0; i < count; i++) scatter(builder, builder.extract(value, i), put);
    return;
  }
  put(builder.convert(value, floatType));
}
