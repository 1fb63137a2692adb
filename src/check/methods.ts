/** `object.method(args)`: methods of structs and of resources, and operators that a struct overloads. */
import { findMethods } from '../intrinsics/table.ts';
import type { CallExpression as CallNode, MemberExpression } from '../syntax/ast.ts';
import { typeName } from '../types/type.ts';
import { type CallValue, callUser, checkArguments, type Place } from './calls.ts';
import type { Context } from './context.ts';
import { errorExpression, isError } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { intrinsicCall } from './intrinsic-calls.ts';
import { ownerOf, structOf } from './members.ts';
import type { TypedExpression } from './program.ts';
import { lookupMember } from './scope.ts';

/** `object.name(args)`. */
export function checkMethodCall(context: Context, node: CallNode, callee: MemberExpression): TypedExpression {
  const object = checkExpression(context, callee.object);
  const args = checkArguments(context, node.args);
  if (isError(object) || !args) return errorExpression(node);
  const { text: name, at, end } = callee.name;
  const struct = structOf(object);
  if (struct) return structMethod(context, node, callee, struct, args);
  const rows = findMethods(object.type, name);
  if (rows.length > 0)
    return intrinsicCall(context, rows, args, callee.templateArgs, node, callee.name, object);
  context.log.report('no-method', at, { name, type: typeName(object.type) }, end);
  return errorExpression(node);
}

function structMethod(
  context: Context,
  node: CallNode,
  callee: MemberExpression,
  struct: NonNullable<ReturnType<typeof structOf>>,
  args: CallValue[],
): TypedExpression {
  const { text: name, at, end } = callee.name;
  const owner = ownerOf(context, callee, struct.type);
  if (!owner) return errorExpression(node);
  const entry = lookupMember(context, owner.struct, name);
  if (entry?.kind !== 'functions') {
    if (entry) context.log.report('not-callable', at, { name }, end);
    else context.log.report('no-method', at, { name, type: struct.type.name }, end);
    return errorExpression(node);
  }
  if (callee.templateArgs) {
    context.log.report('template-call', at, { name }, end);
    return errorExpression(node);
  }
  return callUser(context, name, entry.overloads, args, node, struct.object);
}

/** `self op args` by a method named `operator op`; undefined if the struct has none. */
export function callOperator(
  context: Context,
  name: string,
  self: TypedExpression,
  args: readonly TypedExpression[],
  place: Place,
): TypedExpression | undefined {
  const entry = self.type.kind === 'struct' ? lookupMember(context, self.type, name) : undefined;
  return entry?.kind === 'functions'
    ? callUser(context, name, entry.overloads, args, place, self)
    : undefined;
}
