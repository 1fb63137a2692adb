/** What lowering knows while it runs: of the whole program, and of the function it is in. */
import type { FunctionSymbol, Namespace, Program, VariableSymbol } from '../check/program.ts';
import type { Builder } from '../ir/builder.ts';
import type {
  Block,
  DebugVariable,
  Function as IrFunction,
  Global,
  InterfaceVariable,
  Instruction,
  Module,
  Parameter,
  Value,
} from '../ir/ir.ts';
import type { Options } from '../options.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { PositionId, PositionTable, Scope } from '../source/position.ts';
import type { Location, SourceMap } from '../source/source-map.ts';
import type { StructType, Type } from '../types/type.ts';
import { dataType } from './data-types.ts';
import type { Handle } from './handles.ts';

export interface LowerEnvironment {
  options: Options;
  map: SourceMap;
  log: DiagnosticLog;
  positions: PositionTable;
}

export interface Lowering extends LowerEnvironment {
  program: Program;
  module: Module;
  builder: Builder;
  globals: Map<VariableSymbol, Global>;
  /** Resources outside functions, and static variables that stand for one. */
  globalHandles: Map<VariableSymbol, Handle>;
  /** Structs without their opaque members; undefined if nothing is left. */
  dataStructs: Map<StructType, StructType | undefined>;
  /** By function, then by what its opaque parameters are bound to. */
  lowered: Map<FunctionSymbol, Map<string, LoweredFunction>>;
  /** Functions that are called and whose bodies are still to be lowered. */
  queue: LoweredFunction[];
  /** Static variables whose initializers have been dealt with, and those that wait. */
  statics: Set<VariableSymbol>;
  staticQueue: VariableSymbol[];
  namespaces: Map<Namespace, Scope>;
}

/** A function of the program for given resources. */
export interface LoweredFunction {
  symbol: FunctionSymbol;
  fn: IrFunction;
  /** Parallel to the parameters, in front of them `this`: what opaque parts are bound to, indices being parameters of `fn`. */
  handles: (Handle | undefined)[];
  /** Index parameters to mark again, and the intrinsic that does. */
  marks: Map<Value, string>;
  state: 'queued' | 'active' | 'done';
  /** After the body: handles of the result and of what parameters hold at the end. */
  result?: Handle | undefined;
  /** Where the result's run-time indices come back: `out` parameters behind all others. */
  resultIndices: Parameter[];
  finals?: (Handle | undefined)[];
}

/** What opaque variables stand for, by symbol; `this` by its own key. */
export type Handles = Map<object, { handle: Handle; loops: number }>;

export interface FunctionState {
  l: Lowering;
  builder: Builder;
  lowered: LoweredFunction;
  symbol: FunctionSymbol;
  fn: IrFunction;
  isEntry: boolean;
  /** Innermost scope of the place that is being lowered. */
  scope: Scope;
  /** The `var`s so far; they are put at the head of the body when all are known. */
  variables: Block;
  /** Memory of locals and parameters. */
  memory: Map<VariableSymbol, Value>;
  self?: Value;
  /** Key of `this` among the handles. */
  selfKey: object;
  handles: Handles;
  /** Loops around the place. */
  loops: number;
  /** Handles at each `break` out of the switches around the place, innermost last; undefined stands for a loop. */
  exits: (Handles[] | undefined)[];
  /** False after a terminator: what follows is not reached. */
  open: boolean;
  /** Takes the place of every expression's own position: default arguments count as standing at the call. */
  forced?: { at: Location; end: Location };
  /** Variables whose assignments are computed precisely. */
  preciseVariables: Set<VariableSymbol>;
  alwaysPrecise: boolean;
  /** What `return` does beside returning; set for entry points. */
  storeOutputs?: (value: Value | undefined) => void;
  /** Of an entry point: inputs and outputs. */
  interfaceGlobals?: ReadonlyMap<InterfaceVariable, Global>;
}

interface Ranged {
  at: Location;
  end: Location;
}

/** Sets the position of the next instructions to that of a node. */
export function stand(f: FunctionState, node: Ranged): Builder {
  return f.builder.at(positionOf(f, node));
}

export function positionOf(f: FunctionState, node: Ranged): PositionId {
  const { at, end } = f.forced ?? node;
  return f.l.positions.intern(at, end, f.scope);
}

/** The last character of a range: closing braces. */
export function lastCharacter({ end }: Ranged): Ranged {
  return { at: Math.max(end - 1, 1), end };
}

/** A new variable at the head of the function, at the builder's position. */
export function newVar(f: FunctionState, type: Type, name: string): Value {
  const { builder } = f;
  const block = builder.block;
  const made = builder.into(f.variables).var(type, name);
  builder.into(block);
  return made;
}

/** Puts the variables, and then the instructions of `first`, in front of the body. */
export function completeHead(f: FunctionState, first: readonly Instruction[] = []): void {
  const { body } = f.fn;
  body.instructions = f.variables.instructions.concat(first, body.instructions);
}

/** Lowers into a new block and goes back to the one before. Tells whether the end of the new block is reached. */
export function inBlock(f: FunctionState, block: Block, body: () => void): boolean {
  const outer = f.builder.block;
  const wasOpen = f.open;
  f.open = true;
  f.builder.into(block);
  body();
  const open = f.open;
  f.open = wasOpen;
  f.builder.into(outer);
  return open;
}

/** The scope of a namespace; the unit's without one. */
export function namespaceScope(l: Lowering, namespace: Namespace | undefined): Scope {
  if (!namespace) return l.module.unit;
  let scope = l.namespaces.get(namespace);
  if (!scope) {
    const { name, at, parent } = namespace;
    scope = { kind: 'namespace', name, parent: namespaceScope(l, parent), location: l.map.expanded(at) };
    l.namespaces.set(namespace, scope);
  }
  return scope;
}

function settledRange(l: Lowering, node: Ranged, scope: Scope): Ranged {
  const { location, end } = l.positions.get(l.positions.intern(node.at, node.end, scope));
  return { at: location, end };
}

/** Records a variable for debuggers. */
export function declareVariable(
  f: FunctionState,
  symbol: { name: string; type: Type; at: Location; end: Location },
  extra: Pick<DebugVariable, 'argument' | 'isThis'> = {},
): DebugVariable {
  const { at, end } = settledRange(f.l, symbol, f.scope);
  const variable: DebugVariable = {
    name: symbol.name,
    // Records and memory must have the same members; one that is all opaque has no memory.
    type: dataType(f.l, symbol.type) ?? symbol.type,
    location: at,
    end,
    scope: f.scope,
    ...extra,
  };
  f.l.module.debugVariables.push(variable);
  return variable;
}
