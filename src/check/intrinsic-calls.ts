/** Calls of intrinsic functions and methods, matched against the rows of the intrinsic table. */
import type { Intrinsic, Match } from '../intrinsics/intrinsic.ts';
import { matchIntrinsic } from '../intrinsics/signature.ts';
import { conversionRank } from '../types/convert.ts';
import type { TemplateArg } from '../syntax/ast.ts';
import { errorType, type Type } from '../types/type.ts';
import type { CallValue, Place } from './calls.ts';
import { evaluateConstant } from './constants.ts';
import type { Context } from './context.ts';
import { convertTo, errorExpression } from './conversions.ts';
import { structOf } from './members.ts';
import { checkPlace, isPlace } from './places.ts';
import type { Argument, TypedExpression } from './program.ts';
import { lookupQualified } from './scope.ts';
import { resolveType } from './types.ts';

/** An intrinsic that fits a call beside functions of the user. */
export interface IntrinsicChoice {
  cost: number;
  build(place: Place): TypedExpression;
}

/** Matches without reporting: functions of the user may fit better. */
export function matchCall(
  context: Context,
  rows: readonly Intrinsic[],
  args: readonly CallValue[],
  templateArgs: readonly TemplateArg[] | undefined,
  name: string,
): IntrinsicChoice | undefined {
  const values = expressions(args);
  const types = values && resolveTemplateArgs(context, templateArgs, name);
  if (!values || !types) return undefined;
  const found = match(context, rows, values, types, undefined);
  if (!('match' in found)) return undefined;
  const cost = found.match.parameters.reduce(
    (sum, parameter, i) => sum + (values[i] ? (conversionRank(values[i]!.type, parameter.type) ?? 0) : 0),
    0,
  );
  return { cost, build: (place) => buildIntrinsic(context, found.match, values, undefined, place) };
}

/** Calls a function or method of the table. `object` is the object of a method; `named` is where its name stands. */
export function intrinsicCall(
  context: Context,
  rows: readonly Intrinsic[],
  args: readonly CallValue[],
  templateArgs: readonly TemplateArg[] | undefined,
  place: Place,
  named: Place,
  object?: TypedExpression,
): TypedExpression {
  const name = rows[0]!.name;
  const values = expressions(args);
  if (!values) {
    const list = args.find((arg) => arg.kind === 'list')!;
    context.log.report('list-not-a-value', list.at, {}, list.end);
    return errorExpression(place);
  }
  const types = resolveTemplateArgs(context, templateArgs, name);
  if (!types) return errorExpression(place);
  const refused = rows.find((row) => row.refused !== undefined);
  if (refused) {
    context.log.report('intrinsic-refused', named.at, { name, reason: refused.refused ?? '' }, named.end);
    return errorExpression(place);
  }
  const found = match(context, rows, values, types, object?.type);
  if ('match' in found) return buildIntrinsic(context, found.match, values, object, place);
  context.log.report('intrinsic-mismatch', named.at, { name, reason: found.failure }, named.end);
  return errorExpression(place);
}

/** The arguments, unless one is an initializer list: intrinsics take none. Of a `ConstantBuffer<T>` they take the contents. */
function expressions(args: readonly CallValue[]): TypedExpression[] | undefined {
  const values = args.flatMap((arg) => (arg.kind === 'list' ? [] : [structOf(arg)?.object ?? arg]));
  return values.length === args.length ? values : undefined;
}

function match(
  context: Context,
  rows: readonly Intrinsic[],
  values: readonly TypedExpression[],
  templateArgs: readonly Type[],
  objectType: Type | undefined,
) {
  const args = values.map((value) => ({ type: value.type, lvalue: isPlace(value) }));
  return matchIntrinsic(rows, args, {
    ...(objectType && { objectType }),
    ...(templateArgs.length > 0 && { templateArgs }),
    enable16BitTypes: context.options.enable16BitTypes,
  });
}

/** The types in `<>`; undefined if one is faulty, which is reported. */
function resolveTemplateArgs(
  context: Context,
  args: readonly TemplateArg[] | undefined,
  name: string,
): Type[] | undefined {
  const types = (args ?? []).map((arg) => {
    if (arg.kind === 'named-type' || arg.kind === 'record' || arg.kind === 'enum')
      return resolveType(context, arg);
    const entry = arg.kind === 'name' ? lookupQualified(context, arg.name) : undefined;
    if (entry?.kind === 'type') return entry.type;
    context.log.report('template-argument-value', arg.at, { name }, arg.end);
    return errorType;
  });
  return types.some((type) => type.kind === 'error') ? undefined : types;
}

function buildIntrinsic(
  context: Context,
  found: Match,
  values: readonly TypedExpression[],
  object: TypedExpression | undefined,
  place: Place,
): TypedExpression {
  const { row, parameters, result } = found;
  let text: string | undefined;
  if (!available(context, row, place)) return errorExpression(place);
  const args: Argument[] = object ? [{ mode: 'in', value: object, parameterType: object.type }] : [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const parameter = parameters[i]!;
    const parameterType = parameter.type;
    if (parameter.reference || parameter.mode !== 'in') {
      if (!checkPlace(context, value, value.at, value.end)) return errorExpression(place);
      if (parameter.reference && !isShared(value)) {
        context.log.report('atomic-place', value.at, { name: row.name }, value.end);
        return errorExpression(place);
      }
      args.push({ mode: parameter.reference ? 'reference' : parameter.mode, value, parameterType });
    } else if (parameterType.kind === 'string') {
      text = textOf(value);
    } else {
      if (
        row.constantOffset &&
        parameter.name === 'offset' &&
        evaluateConstant(context, value) === undefined
      ) {
        context.log.report('offset-not-constant', value.at, { name: row.name }, value.end);
        return errorExpression(place);
      }
      const converted = convertTo(context, value, parameterType, value.at);
      if (converted.type.kind === 'error') return errorExpression(place);
      args.push({ mode: 'in', value: converted, parameterType });
    }
  }
  const { at, end } = place;
  return {
    kind: 'intrinsic',
    row: row.key,
    ...(text !== undefined && { text }),
    args,
    type: result,
    at,
    end,
  };
}

/** A string that is written in the call, or that the variable named there was made with. */
function textOf(value: TypedExpression): string {
  if (value.kind === 'constant') return value.text ?? '';
  return (value.kind === 'variable' && value.symbol.text) || '';
}

/** Is the place in memory that invocations share, and a scalar of its own there? */
function isShared(value: TypedExpression): boolean {
  switch (value.kind) {
    case 'variable':
      return value.symbol.storage === 'groupshared';
    case 'buffer-element':
      return true;
    case 'texel':
      return value.type.kind === 'scalar';
    case 'swizzle':
    case 'matrix-swizzle':
      return value.components.length === 1 && value.object.kind !== 'texel' && isShared(value.object);
    case 'member':
    case 'index':
      return value.object.kind !== 'texel' && isShared(value.object);
    default:
      return false;
  }
}

/** Reports a row that the stage or shader model does not have. */
function available(context: Context, row: Intrinsic, place: Place): boolean {
  if (row.stages && context.stage !== 'library' && !row.stages.includes(context.stage)) {
    context.log.report('intrinsic-stage', place.at, { name: row.name, stage: context.stage });
    return false;
  }
  const needed = row.shaderModel ?? 60;
  if (needed > context.shaderModel) {
    const text = `6.${needed - 60}`;
    context.log.report('intrinsic-shader-model', place.at, { name: row.name, needed: text });
    return false;
  }
  return true;
}
