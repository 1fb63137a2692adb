/**
 * Calls of user functions and methods: the overload whose arguments convert with the least total cost wins, as in DXC.
 * Intrinsic functions of the same name take part; at equal cost the user's function wins.
 */
import type { Location } from '../source/source-map.ts';
import type { CallExpression as CallNode, Expression, NameExpression } from '../syntax/ast.ts';
import { conversionRank, convertsImplicitly } from '../types/convert.ts';
import { isOpaque, stringType, type Type, typeName } from '../types/type.ts';
import { findFunctions } from '../intrinsics/table.ts';
import type { Context } from './context.ts';
import { convertTo, errorExpression, isError, upcastPlace, warnOfCopy } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { takesFromHeap } from './heaps.ts';
import { checkInitializer } from './initializers.ts';
import { intrinsicCall, type IntrinsicChoice, matchCall } from './intrinsic-calls.ts';
import { checkMethodCall } from './methods.ts';
import { nameText, staticMember } from './identifiers.ts';
import { checkPlace, isPlace, rootSymbol } from './places.ts';
import type { Argument, FunctionSymbol, TypedExpression, VariableSymbol } from './program.ts';
import { type FunctionEntry, lookupQualified } from './scope.ts';
import { resolveType } from './types.ts';

export interface Place {
  at: Location;
  end: Location;
}

/** An argument: its value, or an initializer list that waits for the parameter's type. */
export type CallValue =
  | TypedExpression
  | { kind: 'list'; list: Expression; type: undefined; at: Location; end: Location };

/** Candidates shown below an error. */
const candidateLimit = 8;

/** `callee(args)`. */
export function checkCall(context: Context, node: CallNode): TypedExpression {
  const { callee } = node;
  switch (callee.kind) {
    case 'name':
      return callByName(context, node, callee);
    case 'member':
      return checkMethodCall(context, node, callee);
    case 'static-member': {
      const type = resolveType(context, callee.type);
      const args = checkArguments(context, node.args);
      if (type.kind === 'error' || !args) return errorExpression(node);
      const entry = staticMember(context, type, callee.name.text);
      if (entry?.kind === 'functions')
        return callUser(context, callee.name.text, entry.overloads, args, node);
      context.log.report(
        'no-method',
        callee.name.at,
        { name: callee.name.text, type: typeName(type) },
        callee.name.end,
      );
      return errorExpression(node);
    }
    default: {
      const value = checkExpression(context, callee);
      if (value.type.kind === 'struct') {
        const args = checkArguments(context, node.args);
        const call = args && callObject(context, value, args, node);
        if (call || !args) return call ?? errorExpression(node);
      }
      if (!isError(value))
        context.log.report('not-callable', callee.at, { name: typeName(value.type) }, callee.end);
      return errorExpression(node);
    }
  }
}

/** Checks the arguments of a call; undefined if one is faulty. */
export function checkArguments(context: Context, args: readonly Expression[]): CallValue[] | undefined {
  let faulty = false;
  const values = args.map((arg): CallValue => {
    if (arg.kind === 'initializer-list')
      return { kind: 'list', list: arg, type: undefined, at: arg.at, end: arg.end };
    if (arg.kind === 'string-literal')
      return { kind: 'constant', type: stringType, value: 0, text: arg.value, at: arg.at, end: arg.end };
    const value = checkExpression(context, arg);
    faulty ||= isError(value);
    return value;
  });
  return faulty ? undefined : values;
}

function callByName(context: Context, node: CallNode, callee: NameExpression): TypedExpression {
  const name = nameText(callee.name);
  const entry = lookupQualified(context, callee.name);
  const rows = findFunctions(callee.name.global ? name.slice(2) : name);
  const args = checkArguments(context, node.args);
  if (entry?.kind === 'variable' && entry.type.kind === 'struct' && args) {
    const object = checkExpression(context, callee);
    const call = isError(object) ? object : callObject(context, object, args, node);
    if (call) return call;
  }
  if (entry && entry.kind !== 'functions') {
    if (entry.kind !== 'type' || entry.type.kind !== 'error') {
      context.log.report('not-callable', callee.at, { name }, callee.end);
    }
    return errorExpression(node);
  }
  if (!entry && rows.length === 0) {
    context.log.report('unknown-function', callee.at, { name }, callee.end);
    return errorExpression(node);
  }
  if (!args) return errorExpression(node);
  const overloads = entry?.overloads ?? [];
  if (callee.templateArgs && rows.length === 0) {
    context.log.report('template-call', callee.at, { name }, callee.end);
    return errorExpression(node);
  }
  if (overloads.length === 0) return intrinsicCall(context, rows, args, callee.templateArgs, node, callee);
  const isMethod = overloads.some((overload) => overload.symbol.self);
  const choice =
    isMethod || rows.length === 0 ? undefined : matchCall(context, rows, args, callee.templateArgs, name);
  return callUser(context, name, overloads, args, node, undefined, choice);
}

/** `object(args)` where the struct has an `operator()`. */
function callObject(
  context: Context,
  object: TypedExpression,
  args: CallValue[],
  node: CallNode,
): TypedExpression | undefined {
  const entry = object.type.kind === 'struct' ? staticMember(context, object.type, 'operator()') : undefined;
  return entry?.kind === 'functions'
    ? callUser(context, 'operator()', entry.overloads, args, node, object)
    : undefined;
}

/** Calls the best of `overloads`, or the intrinsic if that fits better. */
export function callUser(
  context: Context,
  name: string,
  overloads: readonly FunctionEntry[],
  args: readonly CallValue[],
  place: Place,
  object?: TypedExpression,
  intrinsic?: IntrinsicChoice,
): TypedExpression {
  const fitting = overloads.flatMap((entry) => {
    const cost = costOf(context, entry, args);
    return typeof cost === 'number' ? [{ entry, cost }] : [];
  });
  const least = Math.min(...fitting.map((candidate) => candidate.cost));
  const best = fitting.filter((candidate) => candidate.cost === least);
  if (intrinsic && (best.length === 0 || intrinsic.cost < least)) return intrinsic.build(place);
  if (best.length === 1) return buildCall(context, best[0]!.entry, args, place, object);
  // A faulty parameter has been reported already and fits everything.
  if (
    overloads.some((entry) => entry.symbol.parameters.some((parameter) => parameter.type.kind === 'error'))
  ) {
    return errorExpression(place);
  }
  const diagnostic = context.log.report(best.length ? 'ambiguous-call' : 'no-matching-function', place.at, {
    name,
  });
  const shown = best.length ? best.map((candidate) => candidate.entry) : overloads;
  for (const entry of shown.slice(0, candidateLimit)) {
    const cost = costOf(context, entry, args);
    const signature = signatureText(entry.symbol);
    const at = entry.symbol.nameAt;
    if (typeof cost === 'number') context.log.note(diagnostic, 'candidate', at, { signature });
    else context.log.note(diagnostic, cost.key, at, { signature, ...cost.args });
  }
  return errorExpression(place);
}

interface Misfit {
  key: 'candidate-count' | 'candidate-argument' | 'candidate-out';
  args: Record<string, string | number>;
}

/** Sum of what the arguments' conversions cost, or why the function cannot take them. */
function costOf(context: Context, entry: FunctionEntry, args: readonly CallValue[]): number | Misfit {
  const { parameters } = entry.symbol;
  const required = parameters.filter((_, i) => entry.defaults[i] === undefined).length;
  if (args.length > parameters.length || args.length < required) {
    const count = required === parameters.length ? String(required) : `${required} to ${parameters.length}`;
    return { key: 'candidate-count', args: { count, given: args.length } };
  }
  let sum = 0;
  for (let i = 0; i < args.length; i++) {
    const cost = argumentCost(context, parameters[i]!, args[i]!, i + 1);
    if (typeof cost !== 'number') return cost;
    sum += cost;
  }
  return sum;
}

function argumentCost(
  context: Context,
  parameter: VariableSymbol,
  arg: CallValue,
  index: number,
): number | Misfit {
  if (arg.kind === 'list') return 0;
  const mode = parameter.mode ?? 'in';
  let sum = 0;
  if (mode !== 'out') {
    const rank = implicitRank(context, arg.type, parameter.type);
    if (rank === undefined) return mismatch(arg.type, parameter.type, index);
    sum += rank;
  }
  if (mode !== 'in') {
    if (!isPlace(arg) && !isHandle(arg, mode)) return { key: 'candidate-out', args: { index, mode } };
    const rank = implicitRank(context, parameter.type, arg.type);
    if (rank === undefined) return mismatch(arg.type, parameter.type, index);
    sum += rank;
  }
  return sum;
}

/** A resource may go to an `inout` parameter although its global cannot be set: the callee may only use it. */
function isHandle(arg: TypedExpression, mode: 'out' | 'inout'): boolean {
  return mode === 'inout' && isOpaque(arg.type) && rootSymbol(arg) !== undefined;
}

function mismatch(from: Type, to: Type, index: number): Misfit {
  return { key: 'candidate-argument', args: { from: typeName(from), to: typeName(to), index } };
}

function implicitRank(context: Context, from: Type, to: Type): number | undefined {
  if (takesFromHeap(from, to)) return 0;
  if (fitsUnsized(from, to)) return 1;
  return convertsImplicitly(from, to, context.options.languageVersion >= 2021)
    ? conversionRank(from, to)
    : undefined;
}

/** Lists of resources, of which one has no size: the parameter stands for the argument, whatever its size. */
function fitsUnsized(from: Type, to: Type): boolean {
  if (from.kind !== 'array' || to.kind !== 'array' || from === to) return false;
  return from.element === to.element && isOpaque(to.element) && (from.size === 0 || to.size === 0);
}

function buildCall(
  context: Context,
  entry: FunctionEntry,
  args: readonly CallValue[],
  place: Place,
  object: TypedExpression | undefined,
): TypedExpression {
  const { symbol } = entry;
  const self = symbol.self ? selfOf(context, symbol, object, place) : undefined;
  if (self && isError(self)) return errorExpression(place);
  const values: Argument[] = [];
  let faulty = symbol.returnType.kind === 'error';
  symbol.parameters.forEach((parameter, i) => {
    const arg = args[i];
    const value = arg ? argument(context, parameter, arg) : defaultArgument(entry, i);
    if (!value || isError(value.value)) faulty = true;
    else values.push(value);
  });
  if (faulty) return errorExpression(place);
  return {
    kind: 'call',
    function: symbol,
    ...(self && { self }),
    args: values,
    type: symbol.returnType,
    at: place.at,
    end: place.end,
  };
}

/** The object of a method call, as the struct that declares the method. */
function selfOf(
  context: Context,
  symbol: FunctionSymbol,
  object: TypedExpression | undefined,
  place: Place,
): TypedExpression {
  const self = symbol.self!;
  if (object) return upcastPlace(object, self);
  const current = context.function?.self;
  if (current && (current === self || convertsImplicitly(current, self))) {
    return upcastPlace({ kind: 'this', type: current, at: place.at, end: place.end }, self);
  }
  context.log.report('method-without-object', place.at, { name: symbol.name }, place.end);
  return errorExpression(place);
}

function argument(context: Context, parameter: VariableSymbol, arg: CallValue): Argument | undefined {
  const mode = parameter.mode ?? 'in';
  const parameterType = parameter.type;
  if (arg.kind === 'list') {
    if (mode !== 'in') {
      context.log.report('out-argument', arg.at, { mode, parameter: parameter.name }, arg.end);
      return undefined;
    }
    return { mode, value: checkInitializer(context, arg.list, parameterType, arg.at), parameterType };
  }
  if (mode === 'in' && fitsUnsized(arg.type, parameterType))
    return { mode, value: { ...arg, type: parameterType }, parameterType };
  if (mode === 'in') return { mode, value: convertTo(context, arg, parameterType, arg.at), parameterType };
  warnOfCopy(context, parameterType, arg.type, arg.at);
  if (mode === 'inout') warnOfCopy(context, arg.type, parameterType, arg.at);
  return isHandle(arg, mode) || checkPlace(context, arg, arg.at, arg.end)
    ? { mode, value: arg, parameterType }
    : undefined;
}

/** Its nodes stand at the declaration; lowering puts them at the call, as debug information wants it. */
function defaultArgument(entry: FunctionEntry, index: number): Argument | undefined {
  const value = entry.defaults[index];
  return value && { mode: 'in', value, parameterType: entry.symbol.parameters[index]!.type, isDefault: true };
}

/** `float f(float3 a, inout int b)`. */
function signatureText(symbol: FunctionSymbol): string {
  const parameters = symbol.parameters.map((parameter) => {
    const mode = parameter.mode && parameter.mode !== 'in' ? `${parameter.mode} ` : '';
    return `${mode}${typeName(parameter.type)}${parameter.name ? ` ${parameter.name}` : ''}`;
  });
  return `${typeName(symbol.returnType)} ${symbol.displayName}(${parameters.join(', ')})`;
}
