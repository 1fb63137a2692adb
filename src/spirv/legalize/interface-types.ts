/**
 * Gives inputs and outputs the types that Vulkan asks for: bools of the user become uints, system values the type of their
 * built-in variable (SV_Coverage an array of one mask, SV_DispatchThreadID three components, SV_IsFrontFace a bool).
 *
 *     %f: bool = load @in.var.FLAG       ->   %u: uint = load @in.var.FLAG
 *                                             %f: bool = convert %u
 *
 * Positions: conversions take that of the load or store they serve.
 */
import type { Builder } from '../../ir/builder.ts';
import type { EntryPoint, Global, InterfaceVariable, Module, Value } from '../../ir/ir.ts';
import { InternalError } from '../../source/diagnostic.ts';
import {
  array,
  elementOf,
  intType,
  isNumeric,
  pointer,
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
  uintType,
  vector,
  withElement,
} from '../../types/type.ts';
import { rewriteEntries } from '../../ir/rewrite.ts';
import { systemValue } from '../system-values.ts';

export function interfaceTypes(module: Module): void {
  const changed = new Map<Value, { from: Type; to: Type }>();
  for (const { entry } of module.functions) {
    if (!entry) continue;
    for (const global of [...entry.inputs, ...entry.outputs]) {
      const from = pointee(global);
      const to = wantedType(module, entry, global, from);
      if (to === from) continue;
      changed.set(global, { from, to });
    }
  }
  if (changed.size === 0) return;
  rewriteEntries(module, (instruction, builder) => {
    const [place, value] = instruction.operands;
    const change = place && changed.get(place);
    if (!change) return undefined;
    switch (instruction.op) {
      case 'load':
        return [
          convertTo(builder, builder.instruction('load', [place], [change.to]).results[0]!, change.from),
        ];
      case 'store':
        builder.store(place, convertTo(builder, value!, change.to));
        return [];
      case 'debug_declare':
        return undefined;
      default:
        throw new InternalError(`'${instruction.op}' on an interface variable`);
    }
  });
  for (const [global, { to }] of changed) retype(global as Global, to);
}

function pointee(global: Global): Type {
  if (global.type.kind !== 'pointer') throw new InternalError(`'${global.name}' is no pointer`);
  return global.type.pointee;
}

function interfaceOf(global: Global): InterfaceVariable {
  if (global.role.kind !== 'input' && global.role.kind !== 'output')
    throw new InternalError(`'${global.name}' is no interface variable`);
  return global.role.variable;
}

function retype(global: Global, to: Type): void {
  if (global.type.kind !== 'pointer') return;
  global.type = pointer(global.type.space, to);
  interfaceOf(global).type = to;
}

function wantedType(module: Module, entry: EntryPoint, global: Global, from: Type): Type {
  const variable = interfaceOf(global);
  const direction = global.role.kind === 'input' ? 'input' : 'output';
  const row =
    variable.builtin === undefined ? undefined : systemValue(entry.stage, direction, variable.builtin);
  if (!row) return boolsToUints(from);
  if (!row.type || sameShape(module, row.type, from, row.anySign ?? false)) return from;
  const element = elementOf(from);
  // The sign of the source is kept where Vulkan does not care.
  return row.anySign && element && scalarClass(element) === 'int' ? signed(row.type) : row.type;
}

function sameShape(module: Module, wanted: Type, given: Type, anySign: boolean): boolean {
  if (wanted === given) return true;
  const [a, b] = [elementOf(wanted), elementOf(given)];
  if (!a || !b || wanted.kind !== given.kind) return false;
  if (wanted.kind === 'vector' && given.kind === 'vector' && wanted.count !== given.count) return false;
  const [left, right] = [scalarClass(a), scalarClass(b)];
  const isInteger = (kind: string) => kind === 'int' || kind === 'uint';
  const sameClass = left === right || (anySign && isInteger(left) && isInteger(right));
  return sameClass && scalarBits(a, module.enable16BitTypes) === scalarBits(b, module.enable16BitTypes);
}

function signed(type: Type): Type {
  switch (type.kind) {
    case 'scalar':
      return intType;
    case 'vector':
      return vector(intType, type.count);
    case 'array':
      return array(signed(type.element), type.size);
    default:
      return type;
  }
}

function boolsToUints(type: Type): Type {
  if (type.kind === 'array') {
    const element = boolsToUints(type.element);
    return element === type.element ? type : array(element, type.size);
  }
  if (!isNumeric(type) || scalarClass(elementOf(type)!) !== 'bool') return type;
  return withElement(type, uintType);
}

/** A value in another shape: class and width converted, components dropped or filled with zero, arrays part by part. */
function convertTo(builder: Builder, value: Value, to: Type): Value {
  const from = value.type;
  if (from === to) return value;
  if (from.kind === 'array' && to.kind === 'array') {
    const parts = Array.from({ length: to.size }, (_, i) =>
      convertTo(builder, builder.extract(value, i), to.element),
    );
    return builder.construct(to, parts);
  }
  if (to.kind === 'array') return builder.construct(to, [convertTo(builder, value, to.element)]);
  if (from.kind === 'array') return convertTo(builder, builder.extract(value, 0), to);
  const element = elementOf(to) as ScalarType;
  return resize(builder, builder.convert(value, element), to, element);
}

function resize(builder: Builder, value: Value, to: Type, element: ScalarType): Value {
  const { type } = value;
  if (type === to || type.kind === 'matrix' || to.kind === 'matrix') return value;
  const given = type.kind === 'vector' ? type.count : 1;
  const wanted = to.kind === 'vector' ? to.count : 1;
  if (to.kind === 'scalar') return builder.extract(value, 0);
  if (given >= wanted)
    return builder.swizzle(
      value,
      Array.from({ length: wanted }, (_, i) => i),
    );
  const parts: Value[] = Array.from({ length: given }, (_, i) =>
    type.kind === 'vector' ? builder.extract(value, i) : value,
  );
  while (parts.length < wanted)
    parts.push(builder.fill(element, scalarClass(element) === 'bool' ? false : 0));
  return builder.construct(to, parts);
}
