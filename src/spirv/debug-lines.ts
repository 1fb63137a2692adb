/**
 * Where debug information enters the code: scope and line in front of instructions, and the declarations of variables.
 * Both are repeated in each block and written only where they change. Also the classic form, OpSource and OpLine.
 */
import type { Instruction } from '../ir/ir.ts';
import { debugPath } from '../source/debug-paths.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { Position, PositionId } from '../source/position.ts';
import { utf8Length } from '../source/source-map.ts';
import { elementOf, scalarBits, scalarClass, type Type } from '../types/type.ts';
import { valueId } from './body.ts';
import type { Context, FunctionContext } from './context.ts';
import {
  type DebugState,
  emptyExpression,
  finishRecords,
  inlinedRecord,
  localRecord,
  placeOfLocation,
  record,
  scopeRecord,
  splitText,
  startRecords,
  text,
  uint,
  unknownValue,
  voidId,
} from './debug-info.ts';
import { type ShownPart, showsTransposed, shownParts } from './debug-values.ts';
import { Debug, Op } from './enums.ts';

const sourceLanguageHlsl = 5;

export function startDebug(context: Context): void {
  const { debug } = context.options;
  if (debug.records) context.debug = startRecords(context);
  else if (debug.classic.file || debug.classic.source || debug.classic.line) classicSources(context);
  // Without a file name: RenderDoc would count a named one among the files and shift every line.
  if (debug.records || !(debug.classic.file || debug.classic.source)) {
    context.sections.add('strings', Op.Source, sourceLanguageHlsl, shaderModel(context));
  }
  if (debug.classic.tool)
    context.sections.addText(
      'processed',
      Op.ModuleProcessed,
      [],
      `oneshader ${context.options.debugArguments}`.trim(),
    );
}

export function finishDebug(context: Context, version: number): void {
  const state = context.debug;
  // From here on, debug information may add constants that the code itself does without.
  const identifier = state && context.sections.codeIdentifier(version);
  context.sections.functions.fillLateWords();
  if (state) finishRecords(context, state);
  for (const declare of context.debugDeclarations) declare();
  if (identifier !== undefined) identifyCode(context, state!, identifier);
}

/**
 * Last of all: the record that ties a stripped module to its debug file. The identifier names the code by a hash of its words,
 * which are the same whatever the level of debug information, the folder and the spelling of paths.
 */
function identifyCode(context: Context, state: DebugState, identifier: string): void {
  // Other sources may give the same code, and then the same identifier.
  const possibleDuplicates = 1;
  const operands = [text(context, state, identifier), uint(context, state, possibleDuplicates)];
  record(context, state, Debug.DebugBuildIdentifier, ...operands);
  const { debugStoragePath } = context.options;
  if (debugStoragePath !== undefined)
    record(context, state, Debug.DebugStoragePath, text(context, state, debugStoragePath));
}

/** `ps_6_5` is 650. */
function shaderModel(context: Context): number {
  const match = /_(\d+)_(\d+)$/.exec(context.options.profile);
  return match ? Number(match[1]) * 100 + Number(match[2]) * 10 : 600;
}

/** What stands between the variables of a function and its first statement. */
export function beginFunction(f: FunctionContext): void {
  const state = f.debug;
  if (!state) return;
  const scope = scopeRecord(f, state, f.function.scope);
  put(f, state, Debug.DebugFunctionDefinition, scope, f.functions.get(f.function)!);
}

function put(f: FunctionContext, state: DebugState, instruction: number, ...operands: number[]): void {
  const type = voidId(f);
  f.body.code.addResult(Op.ExtInst, type, f.sections.debugId(), [state.set, instruction].concat(operands));
}

/** Scope and line of the current position, if they are not in force already. */
export function placeLine(f: FunctionContext): void {
  if (f.position === f.body.position) return;
  f.body.position = f.position;
  if (f.position === 0) return;
  if (f.debug) placeRecords(f, f.debug);
  else if (f.options.debug.classic.line) placeClassic(f);
}

function placeRecords(f: FunctionContext, state: DebugState): void {
  const { body } = f;
  const position = f.module.positions.get(f.position);
  const scope = scopeRecord(f, state, position.scope);
  const inlined = position.inlinedAt === 0 ? 0 : inlinedRecord(f, state, position.inlinedAt);
  if (body.scope !== scope || body.inlined !== inlined) {
    put(f, state, Debug.DebugScope, scope, ...(inlined === 0 ? [] : [inlined]));
    body.scope = scope;
    body.inlined = inlined;
  }
  if (fetchesParameters(f, position)) {
    // Fetching the parameters is no step, and all of them are to show at the first one.
    if (body.line !== noLine) put(f, state, Debug.DebugNoLine);
    body.line = noLine;
    return;
  }
  const at = lineOf(f, state, position);
  if (!isInForce(body.line, state.lines, at)) putLine(f, state, at);
}

/** Is the line whose operands stand at `at` the one in force? */
function isInForce(line: readonly number[], lines: Uint32Array, at: number): boolean {
  let i = 0;
  while (i < lineSize && line[i + recordHead] === lines[at + i]) i++;
  return i === lineSize;
}

/** Begins the line whose operands stand at `at`. */
function putLine(f: FunctionContext, state: DebugState, at: number): void {
  const { lines, set } = state;
  const id = f.sections.debugId();
  // One array of the right size: this is the most frequent record by far.
  const line = [
    set,
    Debug.DebugLine,
    lines[at]!,
    lines[at + 1]!,
    lines[at + 2]!,
    lines[at + 3]!,
    lines[at + 4]!,
  ];
  f.body.code.addResult(Op.ExtInst, voidId(f), id, line);
  f.body.line = line;
}

/** In force where there is to be no line. */
const noLine: readonly number[] = [0];

/** Operands of a DebugLine, and the words before them: instruction set and instruction. */
const lineSize = 5;
const recordHead = 2;

/**
 * Where in `lines` the operands of a position's DebugLine stand. They are kept in a typed array: as many small arrays, collecting
 * garbage would cost more than working them out.
 */
function lineOf(f: FunctionContext, state: DebugState, position: Position): number {
  const { lines } = state;
  const at = lineSize * f.position;
  if (lines[at] === 0) {
    const { source, startLine, endLine, startColumn, endColumn } = range(f, state, position);
    lines[at] = source;
    lines[at + 1] = uint(f, state, startLine);
    lines[at + 2] = uint(f, state, endLine);
    lines[at + 3] = uint(f, state, startColumn);
    lines[at + 4] = uint(f, state, endColumn);
  }
  return at;
}

/**
 * Copies of arguments at the head of a called function: their positions lie between its start and its body. What has no line
 * makes no stop in RenderDoc, so the first stop is the first statement, where all parameters show.
 *
 * Not so in the entry: each load of an input stands on the line of its parameter, for profilers attribute the cost of loading
 * there and all code of an entry is to have a line. RenderDoc then stops at the parameters before the first statement.
 * Nor with the optimizer on, where copies that are left are code that somebody looks for.
 */
function fetchesParameters(f: FunctionContext, { location, scope, inlinedAt }: Position): boolean {
  if (f.function.entry || f.options.optimizationLevel > 0) return false;
  const { bodyLocation } = f.function.scope;
  if (scope !== f.function.scope || inlinedAt !== 0 || bodyLocation === undefined) return false;
  const { sourceMap } = f.module;
  return location >= sourceMap.expanded(scope.location) && location < sourceMap.expanded(bodyLocation);
}

interface Range {
  source: number;
  startLine: number;
  endLine: number;
  startColumn: number;
  endColumn: number;
}

/** First and last byte of a position. A range over two sources is reduced to its start. */
function range(f: FunctionContext, state: DebugState, position: Position): Range {
  const start = placeOfLocation(f, state, position.location);
  const last = Math.max(position.end - 1, position.location);
  const end = placeOfLocation(f, state, last);
  const file = f.module.sourceMap.fileAt(last);
  const offset = last - file.start;
  const endColumn = end.column + Math.max(utf8Length(file.text, offset, offset + 1), 1) - 1;
  checkPlace(f, position);
  const isOrdered =
    end.source === start.source &&
    (end.line > start.line || (end.line === start.line && endColumn >= start.column));
  if (!isOrdered)
    return {
      source: start.source,
      startLine: start.line,
      endLine: start.line,
      startColumn: start.column,
      endColumn: start.column,
    };
  return {
    source: start.source,
    startLine: start.line,
    endLine: end.line,
    startColumn: start.column,
    endColumn,
  };
}

/** A position on the line behind a last line feed would be outside the text for every reader. */
function checkPlace(f: FunctionContext, position: Position): void {
  const file = f.module.sourceMap.fileAt(position.location);
  if (position.location > file.start + file.text.length)
    throw new InternalError('a position lies outside the text of its file', position.location);
}

export function declareVariable(f: FunctionContext, instruction: Instruction): void {
  const memory = instruction.operands[0]!;
  // Only a variable as a whole can be declared; what is reached by an access chain has no words here.
  if (f.places.has(memory)) return;
  // Nor is there a way to say which way round memory is to be shown.
  if (memory.type.kind === 'pointer' && showsTransposed(f, memory.type.pointee)) return;
  const state = describingState(f);
  if (!state) return;
  placeLine(f);
  describe(f, state, instruction, Debug.DebugDeclare, {
    indices: instruction.indices ?? [],
    value: memory,
  });
}

export function describeValue(f: FunctionContext, instruction: Instruction): void {
  const state = describingState(f);
  if (!state) return;
  for (const part of shownParts(f, instruction)) {
    placeLineOfValue(f, state);
    describe(f, state, instruction, Debug.DebugValue, part);
  }
}

/** Absent if variables are not described. */
function describingState(f: FunctionContext): DebugState | undefined {
  return f.options.debug.linesOnly ? undefined : f.debug;
}

function describe(
  f: FunctionContext,
  state: DebugState,
  { variable }: Instruction,
  record: number,
  { indices, value }: ShownPart,
): void {
  const local = localRecord(f, state, variable!);
  const numbers = indices.map((index) => uint(f, state, index));
  const late = typeof value === 'object' && (value.kind === 'constant' || value.kind === 'undef');
  const id = typeof value === 'number' ? value : late ? 0 : valueId(f, value);
  put(f, state, record, local, id, emptyExpression(f, state), ...numbers);
  if (f.body.opening) f.body.opening.end = f.body.code.length;
  if (!late) return;
  // What only records mention must not come between the declarations of the code.
  const { code } = f.body;
  const valueOperand = 6;
  code.fillLater(code.last + valueOperand, () =>
    describable(f, value.type) ? valueId(f, value) : unknownValue(f, state),
  );
}

/**
 * RenderDoc stops where a line begins, and there shows what the records up to the first one on it say. Where several stand
 * together, as for parameters and behind branches, the line therefore begins at the last of them.
 */
function placeLineOfValue(f: FunctionContext, state: DebugState): void {
  const { body } = f;
  const { code, line, scope, inlined, opening } = body;
  if (opening?.end === code.length && areOnOneLine(f, state, opening.position, f.position)) {
    const type = voidId(f);
    const record = [type, f.sections.debugId(), state.set, Debug.DebugNoLine];
    code.insert(opening.line, [((record.length + 1) << 16) | Op.ExtInst, ...record]);
    code.moveToEnd(opening.line + record.length + 1);
    opening.line = code.last;
    return;
  }
  placeLine(f);
  const begins =
    body.line !== line && !(isOneLine(body.line, line) && body.scope === scope && body.inlined === inlined);
  body.opening = begins ? { line: code.last, end: 0, position: f.position } : undefined;
}

function areOnOneLine(f: FunctionContext, state: DebugState, a: PositionId, b: PositionId): boolean {
  const [first, second] = [a, b].map((id) => f.module.positions.get(id)) as [Position, Position];
  if (first.scope !== second.scope || first.inlinedAt !== second.inlinedAt) return false;
  const [x, y] = [range(f, state, first), range(f, state, second)];
  return x.source === y.source && x.startLine === y.startLine && x.endLine === y.endLine;
}

/** Source, first and last line. */
function isOneLine(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.slice(0, recordHead + 3).every((word, i) => word === b[i]);
}

/** False for types that would ask for a capability that the code does without. */
function describable(context: Context, type: Type): boolean {
  if (context.valueTypes.has(type)) return true;
  switch (type.kind) {
    case 'array':
      return describable(context, type.element);
    case 'struct':
      return type.members.every((member) => describable(context, member.type));
    default: {
      const element = elementOf(type);
      if (!element || context.valueTypes.has(element)) return true;
      return scalarClass(element) === 'bool' || scalarBits(element, context.module.enable16BitTypes) === 32;
    }
  }
}

// ---- OpSource and OpLine

function classicSources(context: Context): void {
  const { source, file } = context.options.debug.classic;
  const version = shaderModel(context);
  for (const each of context.module.sourceMap.files) {
    if (each.kind !== 'file') continue;
    const name = debugPath(each.name, context.options);
    const known = context.classicFiles.has(name);
    const id = classicFile(context, name);
    if (known || !(file || source)) continue;
    const pieces = source ? splitText(each.text) : [];
    const [first, ...rest] = pieces;
    const operands = [sourceLanguageHlsl, version, id];
    if (first === undefined) context.sections.add('strings', Op.Source, ...operands);
    else context.sections.addText('strings', Op.Source, operands, first);
    for (const piece of rest) context.sections.addText('strings', Op.SourceContinued, [], piece);
  }
}

function classicFile(context: Context, name: string): number {
  let id = context.classicFiles.get(name);
  if (id === undefined) {
    id = context.sections.id();
    context.classicFiles.set(name, id);
    context.sections.addText('strings', Op.String, [id], name);
  }
  return id;
}

function placeClassic(f: FunctionContext): void {
  const { name, presumedLine, column } = f.module.sourceMap.presumed(
    f.module.positions.get(f.position).location,
  );
  const file = classicFile(f, debugPath(name, f.options));
  const before = f.body.line;
  if (before[0] === file && before[1] === presumedLine && before[2] === column) return;
  f.body.line = [file, presumedLine, column];
  f.body.code.add(Op.Line, f.body.line);
}
