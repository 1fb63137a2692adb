/**
 * NonSemantic.Shader.DebugInfo.100: sources, scopes, functions, variables. Types are debug-types.ts, lines and declarations
 * in the code debug-lines.ts.
 *
 * Records and the constants they use stand in sections of their own behind those of the code and have ids of their own, and
 * types they share with the code are declared by the code in its own order: a module without its debug information is the
 * module made without.
 */
import type { DebugVariable, Global, Function as IrFunction } from '../ir/ir.ts';
import { debugPath, pathIdentity } from '../source/debug-paths.ts';
import type { PositionId, Scope } from '../source/position.ts';
import { type Location, type SourceFile, utf8Length } from '../source/source-map.ts';
import { bufferLayout, layoutRule } from '../types/layout-rules.ts';
import { needExtension } from './capabilities.ts';
import type { Context } from './context.ts';
import { debugType } from './debug-types.ts';
import { Debug, Op } from './enums.ts';
import type { OpNumber } from './sections.ts';

export interface DebugState {
  set: number;
  compilationUnit: number;
  strings: Map<string, number>;
  /** Sources of files that were looked up before. */
  files: Map<SourceFile, number>;
  /** Parameters of each function, in order. */
  parameters: Map<Scope, DebugVariable[]>;
  /** Sources by `file` and identity, or by `line` and the name a `#line` gave. */
  sources: Map<string, number>;
  /** Numbers and truths, by value. */
  constants: Map<number | boolean, number>;
  types: Map<string, number>;
  scopes: Map<Scope, number>;
  inlined: Map<PositionId, number>;
  locals: Map<DebugVariable, number>;
  /** Functions whose code is in the module, by their scope. */
  functions: Map<Scope, IrFunction>;
  /** Operands of the DebugLine of each position, five in a row by its number; zeros if they are not known yet. */
  lines: Uint32Array;
  none?: number;
  unknown?: number;
  expression?: number;
}

const flagPublic = 3;
const flagLocal = 4;
const flagDefinition = 8;
const flagThis = 288;
const flagOptimized = 8192;

/** Longest string, in bytes, that SPIR-V promises to every consumer. */
export const stringLimit = 65535;

export function startRecords(context: Context): DebugState {
  if (context.target.spirv < 106) needExtension(context, 'SPV_KHR_non_semantic_info');
  const set = context.sections.debugId();
  context.sections.addText('imports', Op.ExtInstImport, [set], 'NonSemantic.Shader.DebugInfo.100');
  const state: DebugState = {
    set,
    compilationUnit: 0,
    strings: new Map(),
    files: new Map(),
    parameters: parametersByScope(context),
    sources: new Map(),
    constants: new Map(),
    types: new Map(),
    scopes: new Map(),
    inlined: new Map(),
    locals: new Map(),
    lines: new Uint32Array(5 * (context.module.positions.count + 1)),
    functions: new Map(context.module.functions.map((each) => [each.scope, each])),
  };
  context.debug = state;
  for (const file of context.module.sourceMap.files)
    if (file.kind === 'file') fileSource(context, state, file);
  const main = context.module.sourceMap.files.find((file) => file.kind === 'file');
  if (main) {
    const source = fileSource(context, state, main);
    const hlsl = 5;
    state.compilationUnit = record(
      context,
      state,
      Debug.DebugCompilationUnit,
      uint(context, state, 1),
      uint(context, state, 4),
      source,
      uint(context, state, hlsl),
    );
  }
  return state;
}

/** Everything that no code refers to: entry points, globals, and variables that have lost all their values. */
export function finishRecords(context: Context, state: DebugState): void {
  for (const each of context.module.functions) {
    if (!each.entry) continue;
    const signature = text(context, state, 'oneshader');
    const args = text(context, state, context.options.debugArguments);
    record(
      context,
      state,
      Debug.DebugEntryPoint,
      scopeRecord(context, state, each.scope),
      state.compilationUnit,
      signature,
      args,
    );
  }
  if (context.options.debug.linesOnly) return;
  for (const global of context.module.globals) if (global.debug) globalRecord(context, state, global);
  for (const variable of context.module.debugVariables) localRecord(context, state, variable);
}

// ---- operands

/** One record at module scope; gives its id. */
export function record(
  context: Context,
  state: DebugState,
  instruction: number,
  ...operands: number[]
): number {
  const id = context.sections.debugId();
  context.sections.add('debugRecords', Op.ExtInst, voidId(context), id, state.set, instruction, ...operands);
  return id;
}

/** An id for a type that the code may or may not come to declare. */
function sharedType(context: Context, key: string, op: OpNumber, ...operands: number[]): number {
  return context.reserved.get(key) ?? reserveType(context, key, op, operands);
}

function reserveType(context: Context, key: string, op: OpNumber, operands: readonly number[]): number {
  const id = context.sections.debugId();
  context.reserved.set(key, id);
  context.debugDeclarations.push(() => {
    const declared = context.interned.get(key);
    if (declared === undefined) context.sections.add('debugTypes', op, id, ...operands);
    else context.sections.alias(id, declared);
  });
  return id;
}

export function voidId(context: Context): number {
  return sharedType(context, 'void', Op.TypeVoid);
}

/** Constant of the one kind that readers accept: unsigned, 32 bits. */
export function uint(context: Context, state: DebugState, value: number): number {
  let id = state.constants.get(value);
  if (id === undefined) {
    const type = sharedType(context, 'int32,0', Op.TypeInt, 32, 0);
    id = context.sections.debugId();
    state.constants.set(value, id);
    context.sections.add('debugConstants', Op.Constant, type, id, value >>> 0);
  }
  return id;
}

/**
 * What a variable holds when nobody can say it, for types that the code does without; to be called when all code is there. Readers fill it with the bytes that memory has
 * before its first store; so that these are enough for a vector of any type, it has four words.
 */
export function unknownValue(context: Context, state: DebugState): number {
  if (state.unknown === undefined) {
    const element = context.interned.get('int32,0') ?? sharedType(context, 'int32,0', Op.TypeInt, 32, 0);
    const type = sharedType(context, `vector${element},4`, Op.TypeVector, element, 4);
    state.unknown = context.sections.debugId();
    context.sections.add('debugConstants', Op.Undef, type, state.unknown);
  }
  return state.unknown;
}

export function bool(context: Context, state: DebugState, value: boolean): number {
  let id = state.constants.get(value);
  if (id === undefined) {
    const type = sharedType(context, 'bool', Op.TypeBool);
    id = context.sections.debugId();
    state.constants.set(value, id);
    context.sections.add('debugConstants', value ? Op.ConstantTrue : Op.ConstantFalse, type, id);
  }
  return id;
}

export function text(context: Context, state: DebugState, value: string): number {
  let id = state.strings.get(value);
  if (id === undefined) {
    id = context.sections.debugId();
    state.strings.set(value, id);
    context.sections.addText('strings', Op.String, [id], value);
  }
  return id;
}

export function noneRecord(context: Context, state: DebugState): number {
  return (state.none ??= record(context, state, Debug.DebugInfoNone));
}

export function emptyExpression(context: Context, state: DebugState): number {
  return (state.expression ??= record(context, state, Debug.DebugExpression));
}

// ---- sources and places

/** A file that was read: one source however often and by what spelling it was included. */
function fileSource(context: Context, state: DebugState, file: SourceFile): number {
  const seen = state.files.get(file);
  if (seen !== undefined) return seen;
  const key = `file ${pathIdentity(file.name, context.options)}`;
  const known = state.sources.get(key);
  if (known !== undefined) {
    state.files.set(file, known);
    return known;
  }
  const name = text(context, state, debugPath(file.name, context.options));
  const pieces = context.options.debug.sourceText ? splitText(file.text) : [];
  const [first, ...rest] = pieces;
  const id = record(
    context,
    state,
    Debug.DebugSource,
    name,
    ...(first === undefined ? [] : [text(context, state, first)]),
  );
  for (const piece of rest) record(context, state, Debug.DebugSourceContinued, text(context, state, piece));
  state.sources.set(key, id);
  state.files.set(file, id);
  return id;
}

/** A name that only a `#line` mentions: its text is not ours to show. */
function lineSource(context: Context, state: DebugState, name: string): number {
  const key = `line ${name}`;
  let id = state.sources.get(key);
  if (id === undefined) {
    id = record(context, state, Debug.DebugSource, text(context, state, debugPath(name, context.options)));
    state.sources.set(key, id);
  }
  return id;
}

/** Pieces of at most 65,535 bytes that begin and end between characters. Empty text has one empty piece. */
export function splitText(whole: string): string[] {
  // A code unit is at most three bytes.
  if (3 * whole.length <= stringLimit) return [whole];
  const pieces: string[] = [];
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < whole.length; ) {
    const character = whole.codePointAt(i)!;
    const length = character > 0xffff ? 2 : 1;
    const size = character < 0x80 ? 1 : utf8Length(whole, i, i + length);
    if (bytes + size > stringLimit) {
      pieces.push(whole.slice(start, i));
      start = i;
      bytes = 0;
    }
    bytes += size;
    i += length;
  }
  pieces.push(whole.slice(start));
  return pieces;
}

export interface DebugPlace {
  source: number;
  line: number;
  column: number;
}

/** Source, line and column of a location; `#line` honoured. */
export function placeOfLocation(context: Context, state: DebugState, location: Location): DebugPlace {
  const place = context.module.sourceMap.presumed(location);
  // A renumbered line of the real file has no such text there: it counts as another source.
  const isReal = place.name === place.file.name && place.presumedLine === place.line;
  const source =
    isReal && place.file.kind === 'file'
      ? fileSource(context, state, place.file)
      : lineSource(context, state, place.name);
  return { source, line: place.presumedLine, column: place.column };
}

// ---- scopes

/** DebugCompilationUnit, DebugFunction or DebugLexicalBlock of a scope; a namespace is a block with a name. */
export function scopeRecord(context: Context, state: DebugState, scope: Scope): number {
  const known = state.scopes.get(scope);
  if (known !== undefined) return known;
  let id: number;
  const { linesOnly } = context.options.debug;
  if (scope.kind === 'unit' || !scope.parent) id = state.compilationUnit;
  // Blocks exist for variables.
  else if (scope.kind !== 'function' && linesOnly) id = scopeRecord(context, state, scope.parent);
  else if (scope.kind === 'function') id = functionRecord(context, state, scope);
  else {
    const parent = scopeRecord(context, state, scope.parent);
    const { source, line, column } = placeOfLocation(context, state, scope.location);
    id = record(
      context,
      state,
      Debug.DebugLexicalBlock,
      source,
      uint(context, state, line),
      uint(context, state, column),
      parent,
      // A block with a name is a namespace.
      ...(scope.kind === 'namespace' ? [text(context, state, scope.name ?? '')] : []),
    );
  }
  state.scopes.set(scope, id);
  return id;
}

function functionRecord(context: Context, state: DebugState, scope: Scope): number {
  const { linesOnly } = context.options.debug;
  const parameters = linesOnly ? [] : (state.parameters.get(scope) ?? []);
  const signature = context.module.signatures?.get(scope);
  const returnType = signature?.returnType ?? state.functions.get(scope)?.returnType;
  const owner = linesOnly
    ? undefined
    : (signature?.owner ?? parameters.find((variable) => variable.isThis)?.type);
  const result =
    linesOnly || !returnType || returnType.kind === 'void'
      ? voidId(context)
      : debugType(context, state, returnType);
  const types = parameters.map((variable) => debugType(context, state, variable.type));
  const flags = flagPublic | (context.options.optimizationLevel > 0 ? flagOptimized : 0);
  const type = functionType(context, state, [result, ...types]);
  const parent = owner ? debugType(context, state, owner) : scopeRecord(context, state, scope.parent!);
  const { source, line, column } = placeOfLocation(context, state, scope.location);
  const bodyLine =
    scope.bodyLocation === undefined ? line : placeOfLocation(context, state, scope.bodyLocation).line;
  return record(
    context,
    state,
    Debug.DebugFunction,
    text(context, state, scope.name ?? ''),
    type,
    source,
    uint(context, state, line),
    uint(context, state, column),
    parent,
    text(context, state, ''),
    uint(context, state, flags),
    uint(context, state, bodyLine),
  );
}

function parametersByScope(context: Context): Map<Scope, DebugVariable[]> {
  const found = new Map<Scope, DebugVariable[]>();
  for (const variable of context.module.debugVariables) {
    if (variable.argument === undefined) continue;
    const list = found.get(variable.scope);
    if (list) list.push(variable);
    else found.set(variable.scope, [variable]);
  }
  for (const list of found.values()) list.sort((a, b) => a.argument! - b.argument!);
  return found;
}

function functionType(context: Context, state: DebugState, types: number[]): number {
  const key = `function${types.join()}`;
  let id = state.types.get(key);
  if (id === undefined) {
    id = record(context, state, Debug.DebugTypeFunction, uint(context, state, flagPublic), ...types);
    state.types.set(key, id);
  }
  return id;
}

/** The calls that code was inlined through, outermost first in the module. */
export function inlinedRecord(context: Context, state: DebugState, call: PositionId): number {
  const known = state.inlined.get(call);
  if (known !== undefined) return known;
  const position = context.module.positions.get(call);
  const outer = position.inlinedAt === 0 ? undefined : inlinedRecord(context, state, position.inlinedAt);
  const scope = scopeRecord(context, state, position.scope);
  const { line } = placeOfLocation(context, state, position.location);
  const id = record(
    context,
    state,
    Debug.DebugInlinedAt,
    uint(context, state, line),
    scope,
    ...(outer === undefined ? [] : [outer]),
  );
  state.inlined.set(call, id);
  return id;
}

// ---- variables

export function localRecord(context: Context, state: DebugState, variable: DebugVariable): number {
  const known = state.locals.get(variable);
  if (known !== undefined) return known;
  const type = debugType(context, state, variable.type);
  const parent = scopeRecord(context, state, variable.scope);
  const { source, line, column } = placeOfLocation(context, state, variable.location);
  const id = record(
    context,
    state,
    Debug.DebugLocalVariable,
    text(context, state, variable.name),
    type,
    source,
    uint(context, state, line),
    uint(context, state, column),
    parent,
    uint(context, state, variable.isThis ? flagThis : flagLocal),
    ...(variable.argument === undefined ? [] : [uint(context, state, variable.argument)]),
  );
  state.locals.set(variable, id);
  return id;
}

function globalRecord(context: Context, state: DebugState, global: Global): void {
  const { debug } = global;
  if (!debug) return;
  const rule = global.type.kind === 'pointer' ? memoryRule(context, global) : undefined;
  const type = debugType(context, state, debug.type, rule);
  const parent = scopeRecord(context, state, debug.scope);
  const { source, line, column } = placeOfLocation(context, state, debug.location);
  // A specialization constant is not among what validators take here.
  const known = global.role.kind === 'spec-constant' ? undefined : context.globals.get(global)?.id;
  const variable = known ?? noneRecord(context, state);
  record(
    context,
    state,
    Debug.DebugGlobalVariable,
    text(context, state, debug.name),
    type,
    source,
    uint(context, state, line),
    uint(context, state, column),
    parent,
    text(context, state, ''),
    variable,
    uint(context, state, flagDefinition),
  );
}

/** The layout of what a constant buffer or the push constants hold. */
function memoryRule(context: Context, global: Global) {
  if (global.type.kind !== 'pointer') return undefined;
  if (global.role.kind === 'push-constant')
    return global.type.layout ?? layoutRule(context.options.layout, 'push-constant');
  const { pointee } = global.type;
  if (pointee.kind !== 'buffer') return undefined;
  return bufferLayout(context.options.layout, pointee.buffer);
}
