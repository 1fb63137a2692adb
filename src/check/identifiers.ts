/** What a name in an expression stands for: variables, members, enumerators, `this`. */

import { convertScalar } from '../ir/arithmetic.ts';
import type { Location } from '../source/source-map.ts';
import type { NameExpression, QualifiedName, StaticMemberExpression } from '../syntax/ast.ts';
import { type StructType, type Type, typeName } from '../types/type.ts';
import type { Context } from './context.ts';
import { errorExpression } from './conversions.ts';
import type { ConstantValue, TypedExpression, VariableSymbol } from './program.ts';
import { type Entry, lookupMember, lookupQualified, pathToBase } from './scope.ts';
import { resolveType } from './types.ts';

interface Place {
  at: Location;
  end: Location;
}

/** A name as it is written. */
export function nameText(name: QualifiedName): string {
  if (name.qualifiers.length === 0 && !name.global) return name.name.text;
  const path = [...name.qualifiers, name.name].map((part) => part.text).join('::');
  return name.global ? `::${path}` : path;
}

/** A variable, enumerator or member by name. */
export function checkName(context: Context, expression: NameExpression): TypedExpression {
  const entry = lookupQualified(context, expression.name);
  if (entry) return entryValue(context, entry, nameText(expression.name), expression);
  context.log.report(
    'unknown-identifier',
    expression.at,
    { name: nameText(expression.name) },
    expression.end,
  );
  return errorExpression(expression);
}

/** `Type::name`. */
export function checkStaticMember(context: Context, expression: StaticMemberExpression): TypedExpression {
  const type = resolveType(context, expression.type);
  if (type.kind === 'error') return errorExpression(expression);
  const entry = staticMember(context, type, expression.name.text);
  if (entry) return entryValue(context, entry, expression.name.text, expression);
  const args = { name: expression.name.text, type: typeName(type) };
  context.log.report('no-member', expression.name.at, args, expression.name.end);
  return errorExpression(expression);
}

/** What `name` means in a struct or enumeration. */
export function staticMember(context: Context, type: Type, name: string): Entry | undefined {
  if (type.kind === 'struct') return lookupMember(context, type, name);
  const found =
    type.kind === 'enum' ? type.enumerators.find((candidate) => candidate.name === name) : undefined;
  return found && { kind: 'enumerator', type, value: found.value };
}

/** The value that an entry of a scope stands for. */
export function entryValue(context: Context, entry: Entry, name: string, place: Place): TypedExpression {
  const { at, end } = place;
  switch (entry.kind) {
    case 'variable':
      return variableValue(entry, place);
    case 'buffer-member': {
      const object = bufferContents(entry.buffer, place);
      const type = object.type.kind === 'struct' ? object.type.members[entry.index]?.type : undefined;
      if (!type || type.kind === 'error') return errorExpression(place);
      return { kind: 'member', object, index: entry.index, type, at, end, ...known(entry.value) };
    }
    case 'member':
      return memberOfThis(context, entry.struct, entry.index, place);
    case 'enumerator':
      return { kind: 'constant', type: entry.type, value: enumeratorValue(entry.type, entry.value), at, end };
    case 'functions':
      context.log.report('function-not-called', at, { name }, end);
      return errorExpression(place);
    case 'type':
      if (entry.type.kind !== 'error') context.log.report('not-a-value', at, { name, what: 'type' }, end);
      return errorExpression(place);
    case 'namespace':
      context.log.report('not-a-value', at, { name, what: 'namespace' }, end);
      return errorExpression(place);
  }
}

function known(value: ConstantValue | undefined) {
  return value === undefined ? {} : { known: value };
}

/** Enumerators of 64 bits are bigints as all 64-bit values are. */
function enumeratorValue(type: Type, value: number): number | bigint {
  const scalar = type.kind === 'enum' ? type.underlying : type;
  return scalar.kind === 'scalar' ? (convertScalar(value, scalar, true) as number | bigint) : value;
}

function variableValue(symbol: VariableSymbol, place: Place): TypedExpression {
  const { at, end } = place;
  if (symbol.type.kind === 'error') return errorExpression(place);
  const { builtinInput, type } = symbol;
  if (builtinInput !== undefined)
    return { kind: 'intrinsic', row: 'input.builtin', text: String(builtinInput), args: [], type, at, end };
  return { kind: 'variable', symbol, type: symbol.type, at, end };
}

/** What is in a cbuffer, or the push constants themselves. */
function bufferContents(buffer: VariableSymbol, place: Place): TypedExpression {
  const object = variableValue(buffer, place);
  if (object.type.kind !== 'buffer') return object;
  return { kind: 'buffer-element', object, type: object.type.element, at: place.at, end: place.end };
}

function memberOfThis(context: Context, struct: StructType, index: number, place: Place): TypedExpression {
  const self = context.function?.self;
  const path = self && pathToBase(self, struct);
  if (!self || !path) {
    const name = struct.members[index]!.name;
    context.log.report('member-without-object', place.at, { name, type: struct.name }, place.end);
    return errorExpression(place);
  }
  return memberPath({ kind: 'this', type: self, at: place.at, end: place.end }, [...path, index], place);
}

/** `object.a.b` by member numbers. */
export function memberPath(object: TypedExpression, path: readonly number[], place: Place): TypedExpression {
  let value = object;
  for (const index of path) {
    const type = value.type.kind === 'struct' ? value.type.members[index]!.type : value.type;
    if (type.kind === 'error') return errorExpression(place);
    value = { kind: 'member', object: value, index, type, at: place.at, end: place.end };
  }
  return value;
}

export function checkThis(context: Context, place: Place): TypedExpression {
  const self = context.function?.self;
  if (self) return { kind: 'this', type: self, at: place.at, end: place.end };
  context.log.report('no-this', place.at, {}, place.end);
  return errorExpression(place);
}
