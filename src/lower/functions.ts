/**
 * Functions: one IR function per function of the program and binding of its opaque parameters. Parameters of opaque type
 * vanish; run-time indices of what they are bound to follow the other parameters.
 */
import type { FunctionSymbol, VariableSymbol } from '../check/program.ts';
import type { Block, Function as IrFunction, Global, Parameter, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { Scope } from '../source/position.ts';
import type { Location } from '../source/source-map.ts';
import { hasOpaque, pointer, type Type } from '../types/type.ts';
import { dataType } from './data-types.ts';
import { type Handle, handleKey, mapIndices, markOf, meet, unset, unsetOf } from './handles.ts';
import { preciseVariables } from './precise.ts';
import {
  completeHead,
  declareVariable,
  type FunctionState,
  lastCharacter,
  type LoweredFunction,
  type Lowering,
  namespaceScope,
  newVar,
  stand,
} from './state.ts';
import { lowerFunctionBody } from './statements.ts';
import { convertElement } from './values.ts';

/** The IR function for a callee and what its opaque parameters (`this` first) are bound to; made and queued at first. */
export function specialise(
  l: Lowering,
  symbol: FunctionSymbol,
  handles: readonly (Handle | undefined)[],
): LoweredFunction {
  let versions = l.lowered.get(symbol);
  if (!versions) l.lowered.set(symbol, (versions = new Map()));
  const key = handles.map((handle) => handleKey(handle, (global) => globalNumber(l, global))).join('|');
  let lowered = versions.get(key);
  if (!lowered) {
    lowered = newFunction(l, symbol, handles);
    versions.set(key, lowered);
    l.queue.push(lowered);
  }
  return lowered;
}

function globalNumber(l: Lowering, global: Global): number {
  return l.module.globals.indexOf(global);
}

function newFunction(
  l: Lowering,
  symbol: FunctionSymbol,
  handles: readonly (Handle | undefined)[],
): LoweredFunction {
  const parameters: Parameter[] = [];
  const add = (type: Type, name: string): Parameter => {
    const parameter: Parameter = { kind: 'parameter', type, name };
    parameters.push(parameter);
    return parameter;
  };
  const self = symbol.self && dataType(l, symbol.self);
  if (self) add(pointer('function', self), 'this');
  for (const { type, name, mode } of symbol.parameters) {
    const data = dataType(l, type);
    if (data) add(mode === 'in' || mode === undefined ? data : pointer('function', data), name);
  }
  const marks: LoweredFunction['marks'] = new Map();
  const addIndex = (index: Value): Parameter => {
    const parameter = add(index.type, 'index');
    const mark = markOf(index);
    if (mark !== undefined) marks.set(parameter, mark);
    return parameter;
  };
  const inside = handles.map((handle) => handle && mapIndices(handle, addIndex));
  const fn = makeFunction(l, symbol, parameters, dataType(l, symbol.returnType) ?? { kind: 'void' });
  return { symbol, fn, handles: inside, marks, state: 'queued', resultIndices: [] };
}

/** A function without body, in the module. */
export function makeFunction(
  l: Lowering,
  symbol: FunctionSymbol,
  parameters: Parameter[],
  returnType: Type,
): IrFunction {
  const { map, module } = l;
  const scope: Scope = {
    kind: 'function',
    parent: namespaceScope(l, symbol.namespace),
    location: map.expanded(symbol.at),
    name: symbol.displayName,
  };
  if (symbol.body) scope.bodyLocation = map.expanded(symbol.body.at);
  const body: Block = { parameters: [], instructions: [] };
  const attributes = symbol.attributes.map(({ name }) => name);
  const fn: IrFunction = {
    kind: 'function',
    name: symbol.displayName,
    parameters,
    returnType,
    body,
    scope,
    attributes,
  };
  module.functions.push(fn);
  module.signatures ??= new Map();
  const { struct: owner, returnType: shown } = symbol;
  module.signatures.set(scope, { returnType: shown, ...(owner && { owner }) });
  return fn;
}

/** Lowers the body now, because the caller needs to know what comes back. Recursion was refused before lowering. */
export function finish(l: Lowering, lowered: LoweredFunction, at: Location): void {
  if (lowered.state === 'active') throw new InternalError(`'${lowered.symbol.name}' calls itself`, at);
  lowerFunction(l, lowered);
}

export function newState(l: Lowering, lowered: LoweredFunction, isEntry: boolean): FunctionState {
  const { symbol, fn } = lowered;
  const { builder } = l;
  return {
    l,
    builder,
    lowered,
    symbol,
    fn,
    isEntry,
    scope: fn.scope,
    variables: { parameters: [], instructions: [] },
    memory: new Map(),
    selfKey: fn,
    handles: new Map(),
    loops: 0,
    exits: [],
    open: true,
    preciseVariables: preciseVariables(symbol),
    alwaysPrecise: symbol.precise || l.options.ieeeStrict,
  };
}

/** Fills in the body of a queued function. */
export function lowerFunction(l: Lowering, lowered: LoweredFunction): void {
  if (lowered.state !== 'queued') return;
  lowered.state = 'active';
  const { builder } = l;
  // One function may be lowered in the middle of another.
  const outer = builder.save();
  const f = newState(l, lowered, false);
  builder.into(f.fn.body);
  builder.precise = f.alwaysPrecise;
  const values = [...f.fn.parameters];
  repeatMarks(f);
  bindSelf(f, values);
  f.symbol.parameters.forEach((symbol, i) => {
    bindParameter(f, symbol, i, values);
  });
  lowerBody(f);
  completeHead(f);
  builder.restore(outer);
  lowered.state = 'done';
}

export function lowerBody(f: FunctionState): void {
  const { body } = f.symbol;
  if (!body) throw new InternalError(`function '${f.symbol.name}' has no body`, f.symbol.at);
  // Within the body's scope: a debugger that stops at the brace still shows the locals, with what was stored last.
  lowerFunctionBody(f, body, () => {
    if (f.open) endFunction(f, lastCharacter(body));
  });
}

/** What happens at the closing brace if it is reached. */
function endFunction(f: FunctionState, brace: { at: Location; end: Location }): void {
  stand(f, brace);
  recordFinals(f, undefined, brace.at);
  const { returnType } = f.fn;
  if (f.storeOutputs) f.storeOutputs(undefined);
  // Reaching the end of a function that gives something is not an error; what it gives then has no meaning.
  if (returnType.kind === 'void') f.builder.return();
  else f.builder.return(f.builder.undef(returnType));
}

/** What the opaque parameters and the result are bound to at a return; all returns must agree. */
export function recordFinals(f: FunctionState, result: Handle | undefined, at: Location): void {
  const { lowered, symbol } = f;
  const keys = [...(symbol.self ? [f.selfKey] : []), ...symbol.parameters];
  const finals = keys.map((key) => f.handles.get(key)?.handle);
  if (hasOpaque(symbol.returnType) && result) {
    const given = returnIndices(f, result);
    lowered.result = lowered.result ? meetAt(lowered.result, given, at) : given;
  }
  const before = lowered.finals;
  lowered.finals = before
    ? finals.map((handle, i) => handle && before[i] && meetAt(before[i], handle, at))
    : finals;
}

/** Run-time indices of the result go back through `out` parameters, the same ones at every return. */
function returnIndices(f: FunctionState, result: Handle): Handle {
  const { fn, lowered } = f;
  let next = 0;
  return mapIndices(result, (index) => {
    const slots = lowered.resultIndices;
    let slot = slots[next];
    if (!slot) {
      slot = { kind: 'parameter', type: pointer('function', index.type), name: 'index' };
      slots.push(slot);
      fn.parameters.push(slot);
    }
    next++;
    const mark = markOf(index);
    if (mark !== undefined) lowered.marks.set(slot, mark);
    const { type } = slot;
    if (type.kind === 'pointer') f.builder.store(slot, convertElement(f.builder, index, type.pointee));
    return slot;
  });
}

function meetAt(a: Handle, b: Handle, at: Location): Handle {
  return meet(a, b, at) ?? unset;
}

// ---- parameters

/** Indices that were marked by the caller are marked here too, since the mark does not cross the call. */
function repeatMarks(f: FunctionState): void {
  const { lowered, symbol } = f;
  if (lowered.marks.size === 0) return;
  stand(f, nameRange(symbol));
  const marked = new Map<Value, Value>();
  for (const [index, mark] of lowered.marks)
    marked.set(index, f.builder.intrinsic(mark, index.type, [index]) ?? index);
  lowered.handles = lowered.handles.map(
    (handle) => handle && mapIndices(handle, (index) => marked.get(index) ?? index),
  );
}

/** A name out of a macro counts as the macro's. */
function nameRange({ name, nameAt }: FunctionSymbol): { at: Location; end: Location } {
  return { at: nameAt, end: nameAt > 0 ? nameAt + name.length : nameAt };
}

function bindSelf(f: FunctionState, values: Parameter[]): void {
  const { symbol, l } = f;
  const { self, body } = symbol;
  if (!self) return;
  const handle = f.lowered.handles[0];
  if (handle) f.handles.set(f.selfKey, { handle, loops: 0 });
  const place = { name: 'this', type: self, ...nameRange(symbol) };
  const variable = declareVariable(f, place, { argument: 1, isThis: true });
  if (!dataType(l, self)) return;
  const pointerValue = values.shift();
  if (!pointerValue || !body) return;
  f.self = pointerValue;
  stand(f, place);
  f.builder.debugDeclare(variable, pointerValue);
}

function bindParameter(f: FunctionState, symbol: VariableSymbol, index: number, values: Parameter[]): void {
  const offset = f.symbol.self ? 1 : 0;
  const variable = declareVariable(f, symbol, { argument: index + 1 + offset });
  if (hasOpaque(symbol.type)) {
    const handle = f.lowered.handles[index + offset] ?? unsetOf(symbol.type);
    f.handles.set(symbol, { handle, loops: 0 });
  }
  const data = dataType(f.l, symbol.type);
  if (!data) return;
  const value = values.shift();
  if (!value) throw new InternalError(`parameter '${symbol.name}' is missing`, symbol.at);
  stand(f, symbol);
  if (symbol.mode === 'out' || symbol.mode === 'inout') {
    f.memory.set(symbol, value);
    f.builder.debugDeclare(variable, value);
    return;
  }
  const memory: Value = newVar(f, data, symbol.name);
  f.memory.set(symbol, memory);
  f.builder.debugDeclare(variable, memory);
  f.builder.store(memory, value);
}
