/**
 * What the entry reaches: functions in the order of their first call (callers before callees, as DXC takes them),
 * globals, and buffers whose counter is used. Recursion and calls of functions without a body are found here.
 */
import type { Location } from '../source/source-map.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import { intrinsicByKey } from '../intrinsics/table.ts';
import type {
  FunctionSymbol,
  IntrinsicExpression,
  TypedExpression,
  TypedStatement,
  VariableSymbol,
} from './program.ts';
import { visitExpression, visitStatement, type VisitExpression } from './parts.ts';
import { hasCounter, resourceLeaves } from './resources.ts';

export interface Reach {
  functions: Set<FunctionSymbol>;
  globals: Set<VariableSymbol>;
  /** Structured buffers whose counter is used, in order of first use. */
  counters: Set<VariableSymbol>;
  /** Places of `discard`. */
  discards: Location[];
  /** Calls of intrinsics that take an input of the stage itself. */
  inputReads: IntrinsicExpression[];
  /** What has no type: after an error of the checker's, or made of an ignored object of the effect framework. */
  untyped: { at: Location; end?: Location }[];
}

interface Call {
  callee: FunctionSymbol;
  at: Location;
}

/** Follows calls from the entry. */
export function reachFrom(entry: FunctionSymbol, log: DiagnosticLog): Reach {
  const reach: Reach = {
    functions: new Set([entry]),
    globals: new Set(),
    counters: new Set(),
    discards: [],
    inputReads: [],
    untyped: [],
  };
  const calls = new Map<FunctionSymbol, Call[]>();
  // The set grows while it is walked.
  for (const symbol of reach.functions) {
    const made = callsOf(reach, symbol);
    calls.set(symbol, made);
    for (const { callee, at } of made) {
      reach.functions.add(callee);
      if (!callee.body) log.report('function-undefined', at, { name: callee.displayName });
    }
  }
  reportRecursion(entry, calls, log);
  return reach;
}

/** Notes what a function uses and gives the calls it makes. */
function callsOf(reach: Reach, symbol: FunctionSymbol): Call[] {
  const calls: Call[] = [];
  // Initializers of statics are part of what names them; they may name further statics, so the list grows.
  const initializers: TypedExpression[] = [];
  const visit: VisitExpression = (expression, root) => note(reach, calls, initializers, expression, root);
  const noteUntyped = ({ type, at }: VariableSymbol): void => {
    if (type.kind === 'error') reach.untyped.push({ at });
  };
  const enter = (statement: TypedStatement): void => {
    if (statement.kind === 'discard') reach.discards.push(statement.at);
    if (statement.kind === 'variable') noteUntyped(statement.symbol);
  };
  symbol.parameters.forEach(noteUntyped);
  if (symbol.body) visitStatement(symbol.body, enter, visit);
  for (const initializer of initializers) visitExpression(initializer, visit);
  return calls;
}

function note(
  reach: Reach,
  calls: Call[],
  initializers: TypedExpression[],
  expression: TypedExpression,
  root: boolean,
): void {
  if (expression.type.kind === 'error') reach.untyped.push(expression);
  if (expression.kind === 'call') calls.push({ callee: expression.function, at: expression.at });
  if (expression.kind === 'intrinsic' && intrinsicByKey(expression.row)?.readsInput)
    reach.inputReads.push(expression);
  noteCounters(reach, expression, root);
  if (expression.kind !== 'variable') return;
  const { symbol } = expression;
  if (symbol.storage === 'local' || symbol.storage === 'parameter' || reach.globals.has(symbol)) return;
  reach.globals.add(symbol);
  if (symbol.init) initializers.push(symbol.init);
}

const counting: ReadonlySet<string> = new Set([
  'buffer.Append',
  'buffer.Consume',
  'buffer.DecrementCounter',
  'buffer.IncrementCounter',
]);

/** A counter is used by the methods that move it, and by whoever gets the buffer handed on. */
function noteCounters(reach: Reach, expression: TypedExpression, root: boolean): void {
  if (root) noteCounter(reach, expression);
  if (expression.kind === 'intrinsic' && counting.has(expression.row))
    noteCounter(reach, expression.args[0]?.value);
  if (expression.kind === 'call') for (const arg of expression.args) noteCounter(reach, arg.value);
  if (expression.kind === 'assign') noteCounter(reach, expression.value);
}

function noteCounter(reach: Reach, value: TypedExpression | undefined): void {
  const symbols = value ? resourcesOf(value).flatMap(resourceLeaves) : [];
  for (const symbol of symbols) if (hasCounter(symbol.type)) reach.counters.add(symbol);
}

/** The variables that a resource expression may stand for; one that was split has its parts still. */
function resourcesOf(value: TypedExpression): VariableSymbol[] {
  switch (value.kind) {
    case 'variable':
      return value.symbol.storage === 'resource' ? [value.symbol] : [];
    case 'member':
      return resourcesOf(value.object).map((symbol) => symbol.parts?.[value.index] ?? symbol);
    case 'index': {
      const number = value.index.kind === 'constant' ? Number(value.index.value) : undefined;
      return resourcesOf(value.object).flatMap((symbol) => {
        const part = number === undefined ? undefined : symbol.parts?.[number];
        return part ? [part] : (symbol.parts ?? [symbol]);
      });
    }
    default:
      return [];
  }
}

// ---- recursion

/** Later stages walk calls by recursion, so their nesting has a limit far beyond what programs need. */
const callDepthLimit = 1000;

/** A longer cycle is told by its first and last functions. */
const chainLimit = 16;

/** Reports each cycle of calls once, at the call that closes it, and calls that are nested too deep. */
function reportRecursion(
  entry: FunctionSymbol,
  calls: ReadonlyMap<FunctionSymbol, Call[]>,
  log: DiagnosticLog,
): void {
  /** How deep the calls of a function nest, itself included; of those that are walked to their end. */
  const depths = new Map<FunctionSymbol, number>();
  const path: { symbol: FunctionSymbol; at: Location; next: number; inner: number }[] = [];
  /** Index in `path`. */
  const onPath = new Map<FunctionSymbol, number>();
  const open = (symbol: FunctionSymbol, at: Location): void => {
    onPath.set(symbol, path.push({ symbol, at, next: 0, inner: 0 }) - 1);
  };
  open(entry, entry.at);
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const call = calls.get(top.symbol)?.[top.next++];
    if (!call) {
      const depth = top.inner + 1;
      depths.set(top.symbol, depth);
      onPath.delete(top.symbol);
      path.pop();
      const caller = path.at(-1);
      if (caller) caller.inner = Math.max(caller.inner, depth);
      if (depth === callDepthLimit + 1) log.report('call-depth', top.at, { limit: callDepthLimit });
      continue;
    }
    const { callee, at } = call;
    const from = onPath.get(callee);
    const depth = depths.get(callee);
    if (from !== undefined) log.report('recursive-call', at, { chain: chainText(path, from) });
    else if (depth !== undefined) top.inner = Math.max(top.inner, depth);
    else open(callee, at);
  }
}

/** The names from `path[from]` on and back to it. */
function chainText(path: readonly { symbol: FunctionSymbol }[], from: number): string {
  const names = (start: number, end?: number): string[] =>
    path.slice(start, end).map(({ symbol }) => symbol.displayName);
  const inner =
    path.length - from <= chainLimit
      ? names(from)
      : [...names(from, from + chainLimit / 2), '...', ...names(path.length - chainLimit / 2)];
  return [...inner, ...names(from, from + 1)].join(' -> ');
}
