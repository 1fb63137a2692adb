/** Variables outside functions: one global each. */
import type { VariableSymbol } from '../check/program.ts';
import type { Global, GlobalRole, InterfaceVariable } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { array, hasOpaque, pointer, type Type } from '../types/type.ts';
import { dataType } from './data-types.ts';
import type { Handle } from './handles.ts';
import { layoutsOf } from './layouts.ts';
import { type Lowering, namespaceScope } from './state.ts';
import { constantOf } from './values.ts';

/** Makes the globals of the program in order of declaration. */
export function lowerGlobals(l: Lowering): void {
  for (const symbol of l.program.globals) {
    if (symbol.storage === 'resource' || (symbol.storage === 'buffer' && !symbol.pushConstant))
      resourceHandle(l, symbol);
    else if (!hasOpaque(symbol.type)) globalOf(l, symbol);
  }
}

/** The global of a variable that lies in memory of its own, or of a spec constant. */
export function globalOf(l: Lowering, symbol: VariableSymbol): Global {
  const known = l.globals.get(symbol);
  if (known) return known;
  const global: Global = {
    kind: 'global',
    name: symbol.name,
    ...typeAndRole(l, symbol),
    location: l.map.expanded(symbol.at),
  };
  const scope = namespaceScope(l, symbol.namespace);
  global.debug = { name: symbol.name, type: symbol.type, scope, location: global.location };
  l.globals.set(symbol, global);
  l.module.globals.push(global);
  if (symbol.storage === 'spec-constant') global.init = constantOf(l.builder, symbol.type, symbol.value ?? 0);
  if (symbol.storage === 'static') {
    if (symbol.value !== undefined) {
      global.init = constantOf(l.builder, symbol.type, symbol.value);
      l.statics.add(symbol);
    } else l.staticQueue.push(symbol);
  }
  return global;
}

function typeAndRole(l: Lowering, symbol: VariableSymbol): { type: Type; role: GlobalRole } {
  if (symbol.pushConstant) {
    const contents = symbol.type.kind === 'buffer' ? symbol.type.element : symbol.type;
    const layout = layoutsOf(l.options.layout).pushConstant;
    return { type: pointer('push-constant', contents, layout), role: { kind: 'push-constant' } };
  }
  switch (symbol.storage) {
    case 'static':
      return { type: pointer('private', dataType(l, symbol.type) ?? symbol.type), role: { kind: 'private' } };
    case 'groupshared':
      return { type: pointer('workgroup', symbol.type), role: { kind: 'workgroup' } };
    case 'spec-constant':
      return { type: symbol.type, role: { kind: 'spec-constant', id: symbol.specId ?? 0 } };
    default:
      throw new InternalError(`a global '${symbol.name}' of storage ${symbol.storage}`, symbol.at);
  }
}

/** What a resource variable stands for; makes its global at first. Structs of resources are variables for each part. */
export function resourceHandle(l: Lowering, symbol: VariableSymbol): Handle {
  let handle = l.globalHandles.get(symbol);
  if (!handle) {
    handle = symbol.parts
      ? { kind: 'parts', parts: symbol.parts.map((part) => resourceHandle(l, part)) }
      : { kind: 'resource', global: makeResource(l, symbol), indices: [] };
    l.globalHandles.set(symbol, handle);
  }
  return handle;
}

function makeResource(l: Lowering, symbol: VariableSymbol): Global {
  const { name, type, binding, attributes } = symbol;
  if (!binding) throw new InternalError(`resource '${name}' has no binding`, symbol.at);
  const location = l.map.expanded(symbol.at);
  const shown = symbol.storage === 'buffer' && type.kind === 'buffer' ? type.element : type;
  const global: Global = {
    kind: 'global',
    name,
    type: pointer('resource', type),
    role: { kind: 'resource', binding, coherent: symbol.coherent ?? false, attributes },
    location,
    debug: { name, type: shown, scope: l.module.unit, location },
  };
  l.globals.set(symbol, global);
  l.module.globals.push(global);
  return global;
}

/** A global for one variable of the stage's interface. */
export function interfaceGlobal(l: Lowering, kind: 'input' | 'output', variable: InterfaceVariable): Global {
  const { name, type } = variable;
  const made: Global = {
    kind: 'global',
    name,
    type: pointer(kind, variable.interpolation.includes('pervertex') ? array(type, 3) : type),
    role: { kind, variable },
    location: l.map.expanded(variable.at),
  };
  return made;
}
