/**
 * The entry point is the IR function itself, without a wrapper. Its parameters are variables that the stage's inputs fill
 * at the head; each `return` stores the outputs. Loads stand at the parameter, stores at the `return`.
 */
import type { EntrySymbol, InterfaceNode, VariableSymbol } from '../check/program.ts';
import type { EntryPoint, Global, InterfaceVariable, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { hasOpaque, isNumeric, type StructType, type Type, voidType } from '../types/type.ts';
import { dataIndex, dataType } from './data-types.ts';
import { lowerBody, makeFunction, newState } from './functions.ts';
import { interfaceGlobal } from './globals.ts';
import { unsetOf } from './handles.ts';
import {
  declareVariable,
  type FunctionState,
  type LoweredFunction,
  type Lowering,
  newVar,
  stand,
} from './state.ts';
import { construct, convertTo, extract } from './values.ts';

/** The entry function with its body; static variables still have to be initialized at its head. */
export function lowerEntry(l: Lowering): FunctionState {
  const { entry } = l.program;
  const fn = makeFunction(l, entry.function, [], voidType);
  const point = entryPoint(entry);
  fn.entry = point;
  const lowered: LoweredFunction = {
    symbol: entry.function,
    fn,
    handles: [],
    marks: new Map(),
    state: 'active',
    resultIndices: [],
  };
  const f = newState(l, lowered, true);
  l.builder.into(fn.body);
  l.builder.precise = f.alwaysPrecise;
  const globals = makeInterface(l, entry, point);
  entry.function.parameters.forEach((symbol, i) => {
    bindParameter(f, symbol, entry.parameters[i]?.input, i, globals);
  });
  f.interfaceGlobals = globals;
  f.storeOutputs = (value) => storeOutputs(f, value, globals);
  lowerBody(f);
  lowered.state = 'done';
  return f;
}

function entryPoint(entry: EntrySymbol): EntryPoint {
  const { stage, name, threadGroupSize, earlyDepthStencil, depthMode, attributes } = entry;
  return {
    stage,
    name,
    ...(threadGroupSize && { threadGroupSize }),
    ...(earlyDepthStencil !== undefined && { earlyDepthStencil }),
    ...(depthMode && { depthMode }),
    inputs: [],
    outputs: [],
    attributes,
  };
}

type InterfaceGlobals = Map<InterfaceVariable, Global>;

/** A global per leaf, inputs first. They are put into the module when everything else is there. */
function makeInterface(l: Lowering, entry: EntrySymbol, point: EntryPoint): InterfaceGlobals {
  const globals: InterfaceGlobals = new Map();
  const add = (node: InterfaceNode | undefined, kind: 'input' | 'output'): void => {
    for (const variable of leavesOf(node)) {
      const global = interfaceGlobal(l, kind, variable);
      globals.set(variable, global);
      (kind === 'input' ? point.inputs : point.outputs).push(global);
    }
  };
  for (const { input } of entry.parameters) add(input, 'input');
  for (const { output } of entry.parameters) add(output, 'output');
  add(entry.result, 'output');
  return globals;
}

function leavesOf(node: InterfaceNode | undefined): InterfaceVariable[] {
  if (!node) return [];
  switch (node.kind) {
    case 'leaf':
      return [node.variable];
    case 'struct':
      return node.members.flatMap(leavesOf);
    case 'array':
      return node.elements.flatMap(leavesOf);
  }
}

function bindParameter(
  f: FunctionState,
  symbol: VariableSymbol,
  input: InterfaceNode | undefined,
  index: number,
  globals: InterfaceGlobals,
): void {
  const variable = declareVariable(f, symbol, { argument: index + 1 });
  if (hasOpaque(symbol.type)) f.handles.set(symbol, { handle: unsetOf(symbol.type), loops: 0 });
  const data = dataType(f.l, symbol.type);
  if (!data) return;
  stand(f, symbol);
  const memory = newVar(f, data, symbol.name);
  f.memory.set(symbol, memory);
  f.builder.debugDeclare(variable, memory);
  if (input) f.builder.store(memory, loadInput(f, input, symbol.type, globals));
}

/** A value of the parameter's type from the inputs it is made of. */
function loadInput(
  f: FunctionState,
  node: InterfaceNode | undefined,
  type: Type,
  globals: InterfaceGlobals,
): Value {
  const { builder, l } = f;
  const data = dataType(l, type);
  if (!data) throw new InternalError('an opaque input');
  // A member that no stage value belongs to has no value.
  if (!node) return builder.undef(data);
  switch (node.kind) {
    case 'leaf': {
      const global = globalFor(globals, node.variable);
      // What is not interpolated has the value of the first vertex.
      const perVertex = node.variable.interpolation.includes('pervertex');
      const value = builder.load(perVertex ? builder.access(global, builder.uint(0)) : global);
      return fit(f, readPosition(f, node.variable, value), data);
    }
    case 'struct': {
      const members = node.type.members.flatMap((member, i) =>
        dataType(l, member.type) ? [loadInput(f, node.members[i], member.type, globals)] : [],
      );
      return construct(builder, data, members);
    }
    case 'array':
      return construct(
        builder,
        data,
        node.elements.map((element) => loadInput(f, element, node.type.element, globals)),
      );
  }
}

/** `-fvk-use-dx-position-w`: Vulkan gives 1/w where Direct3D gives w. */
function readPosition(f: FunctionState, { builtin, type }: InterfaceVariable, value: Value): Value {
  const { options, program } = f.l;
  if (!options.useDxPositionW || program.entry.stage !== 'pixel' || builtin !== 'SV_Position') return value;
  if (type.kind !== 'vector' || type.count !== 4) return value;
  const w = extract(f.builder, value, 3);
  return f.builder.insert(value, f.builder.binary('div', f.builder.fill(type.element, 1), w), 3);
}

function globalFor(globals: InterfaceGlobals, variable: InterfaceVariable): Global {
  const global = globals.get(variable);
  if (!global) throw new InternalError(`interface variable '${variable.name}' has no global`, variable.at);
  return global;
}

function fit(f: FunctionState, value: Value, type: Type): Value {
  if (type.kind === 'array' && value.type !== type) {
    const elements = Array.from({ length: type.size }, (_, i) =>
      fit(f, extract(f.builder, value, i), type.element),
    );
    return construct(f.builder, type, elements);
  }
  return isNumeric(value.type) || value.type.kind === 'enum' ? convertTo(f.builder, value, type) : value;
}

/** At a return: `out` parameters, then the result. */
function storeOutputs(f: FunctionState, result: Value | undefined, globals: InterfaceGlobals): void {
  const { entry } = f.l.program;
  entry.parameters.forEach(({ output }, i) => {
    const symbol = entry.function.parameters[i];
    const memory = symbol && f.memory.get(symbol);
    if (output && symbol && memory) storeOutput(f, output, f.builder.load(memory), globals);
  });
  if (!entry.result) return;
  const type = entry.function.returnType;
  const data = dataType(f.l, type);
  if (data) storeOutput(f, entry.result, result ?? f.builder.undef(data), globals);
}

function storeOutput(f: FunctionState, node: InterfaceNode, value: Value, globals: InterfaceGlobals): void {
  const { builder, l } = f;
  switch (node.kind) {
    case 'leaf': {
      const fitted = fit(f, value, node.variable.type);
      builder.store(globalFor(globals, node.variable), writtenPosition(f, node.variable, fitted));
      return;
    }
    case 'struct':
      node.members.forEach((member, i) => {
        const memberType = node.type.members[i]!.type;
        if (member && dataType(l, memberType))
          storeOutput(f, member, memberValue(f, value, node.type, i), globals);
      });
      return;
    case 'array':
      node.elements.forEach((element, i) => {
        storeOutput(f, element, extract(builder, value, i), globals);
      });
      return;
  }
}

function memberValue(f: FunctionState, value: Value, type: StructType, index: number): Value {
  return extract(f.builder, value, dataIndex(f.l, type, index));
}

/** `-fvk-invert-y`: Vulkan's y axis points down. */
function writtenPosition(f: FunctionState, { builtin, type }: InterfaceVariable, value: Value): Value {
  const { options, program } = f.l;
  const last = ['vertex', 'geometry', 'domain', 'mesh'].includes(program.entry.stage);
  if (!options.invertY || !last || builtin !== 'SV_Position' || type.kind !== 'vector' || type.count < 2)
    return value;
  return f.builder.insert(value, f.builder.unary('neg', extract(f.builder, value, 1)), 1);
}
