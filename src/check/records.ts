/**
 * Definitions of structs, classes and enumerations. A struct's members go into its type in order of declaration, a base
 * first; methods, static members and nested types live in a scope beside it (`context.structs`).
 */
import type {
  Declaration,
  Declarator,
  EnumDefinition,
  FunctionDeclaration,
  Identifier,
  Modifier,
  RecordDefinition,
  TypeExpression,
  VariableDeclaration,
} from '../syntax/ast.ts';
import { errorType, intType, scalarClass, typeName } from '../types/type.ts';
import type { EnumType, ScalarType, StructMember, StructType, Type, VkAttribute } from '../types/type.ts';
import { packOffset, semanticOf } from './annotations.ts';
import { attributeNumber, evaluateAttributes, hasModifier } from './attributes.ts';
import type { Context } from './context.ts';
import { declareNested, declareTemplate } from './declarations.ts';
import { evaluateInteger } from './constants.ts';
import { declareFunction } from './functions.ts';
import { declareStatic } from './globals.ts';
import { checkModifiers } from './modifiers.ts';
import { bindName, reportRedefinition } from './names.ts';
import { newScope, type Scope } from './scope.ts';
import {
  applyArrays,
  checkExtent,
  defaultMatrixOrder,
  hasMatrix,
  isUnsized,
  resolveDeclaredType,
  resolveType,
  type DeclaredType,
} from './types.ts';

// ---- structs

/** Defines the struct and returns its type; its name (if any) is bound in the current scope. */
export function defineRecord(context: Context, record: RecordDefinition): Type {
  if (record.keyword === 'interface' || record.templateArgs) return refuse(context, record);
  const struct = declareRecord(context, record);
  if (!struct) return errorType;
  const scope = newScope('struct', context.scope);
  scope.struct = struct;
  scope.name = struct.name;
  context.structs.set(struct, scope);
  addBases(context, struct, scope, record);
  const outer = context.scope;
  context.scope = scope;
  context.declared.structDepth++;
  for (const member of record.members) declareMember(context, struct, member);
  context.declared.structDepth--;
  context.scope = outer;
  context.declared.incomplete.delete(struct);
  if (!checkExtent(context, struct, struct.location)) struct.members = [];
  if (context.declared.structDepth === 0) checkPending(context);
  return struct;
}

function refuse(context: Context, record: RecordDefinition): Type {
  const name = record.name?.text ?? '';
  const key = record.keyword === 'interface' ? 'interface-unsupported' : 'template-unsupported';
  const at = record.name?.at ?? record.at;
  // Refused when used: a file may declare interfaces for other programs.
  const use = (): void => void context.log.report(key, at, { name });
  if (record.name) context.scope.names.set(name, { kind: 'type', type: errorType, at, use });
  return errorType;
}

/** A struct object for the definition: a new one, or that of a forward declaration. */
function declareRecord(context: Context, record: RecordDefinition): StructType | undefined {
  const { name } = record;
  const earlier = name && context.scope.names.get(name.text);
  if (
    name &&
    earlier?.kind === 'type' &&
    earlier.type.kind === 'struct' &&
    context.declared.incomplete.has(earlier.type)
  ) {
    earlier.type.location = name.at;
    return earlier.type;
  }
  const keyword = record.keyword === 'class' ? 'class' : 'struct';
  const struct = newStruct(
    context,
    name?.text ?? `anonymous_${++context.declared.anonymous}`,
    keyword,
    name?.at ?? record.at,
  );
  if (!name) return struct;
  return bindType(context, name, struct) ? struct : undefined;
}

/** An incomplete struct. Its name shows the namespaces and structs it is in. */
function newStruct(
  context: Context,
  name: string,
  keyword: StructType['keyword'],
  location: number,
): StructType {
  const struct: StructType = {
    kind: 'struct',
    name: qualified(context.scope, name),
    keyword,
    location,
    members: [],
  };
  context.declared.incomplete.add(struct);
  return struct;
}

/** The name with the namespaces and structs around it: `ns::Outer::Inner`. */
export function qualified(scope: Scope, name: string): string {
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.name) return `${at.name}::${name}`;
  return name;
}

/** `struct S;` ahead of its definition. */
export function forwardDeclare(context: Context, name: Identifier): Type | undefined {
  const struct = newStruct(context, name.text, 'struct', name.at);
  return bindType(context, name, struct) ? struct : undefined;
}

function bindType(context: Context, name: Identifier, type: Type): boolean {
  return bindName(context, context.scope, name, { kind: 'type', type, at: name.at });
}

function addBases(context: Context, struct: StructType, scope: Scope, record: RecordDefinition): void {
  let count = 0;
  for (const expression of record.bases) {
    const base = resolveType(context, expression);
    if (base.kind === 'error') continue;
    if (base.kind !== 'struct') {
      context.log.report('base-struct', expression.at, { name: typeName(base) });
    } else if (count++ > 0) {
      context.log.report('base-multiple', expression.at, { name: struct.name });
    } else if (context.declared.incomplete.has(base)) {
      context.log.report('incomplete-type', expression.at, { name: struct.name, type: base.name });
    } else {
      struct.members.push({
        name: base.name,
        type: base,
        location: expression.at,
        modifiers: [],
        attributes: [],
        base: true,
      });
      const baseScope = context.structs.get(base);
      if (baseScope) scope.base = baseScope;
    }
  }
}

/** Checks the bodies of methods, which see the whole of the outermost struct. */
function checkPending(context: Context): void {
  const { pending } = context.declared;
  context.declared.pending = [];
  for (const check of pending) check();
}

function declareMember(context: Context, struct: StructType, member: Declaration): void {
  switch (member.kind) {
    case 'variables':
      declareMemberVariables(context, struct, member);
      return;
    case 'function':
      declareMethod(context, struct, member);
      return;
    case 'template':
      declareTemplate(context, member);
      return;
    case 'buffer':
    case 'namespace':
      context.log.report('member-misplaced', member.at, {
        what: member.kind === 'buffer' ? `a ${member.keyword}` : 'a namespace',
      });
      return;
    default:
      declareNested(context, member);
      return;
  }
}

function declareMethod(context: Context, struct: StructType, method: FunctionDeclaration): void {
  declareFunction(context, method, hasModifier(method.modifiers, 'static') ? undefined : struct);
}

function declareMemberVariables(context: Context, struct: StructType, node: VariableDeclaration): void {
  const declared = resolveDeclaredType(context, node.type, node.modifiers);
  const [first] = node.declarators;
  if (first) checkModifiers(context, node.modifiers, 'member', first.name.name.text);
  if (hasModifier(node.modifiers, 'static')) {
    for (const declarator of node.declarators) declareStatic(context, node, declared, declarator);
    return;
  }
  const attributes = evaluateAttributes(context, node.attributes);
  for (const declarator of node.declarators) {
    const member = makeMember(context, node.modifiers, declared, declarator, attributes, false);
    if (!member) continue;
    if (declarator.init) context.log.report('member-initializer', declarator.init.at, { name: member.name });
    // Without an error it is an object of the effect framework, which is ignored.
    if (member.type.kind === 'error' && context.log.errors === 0) continue;
    addMember(context, struct, declarator.name.name, member);
  }
}

/** Appends a member to a struct being defined and binds its name in the struct's scope, which is the current one. */
function addMember(context: Context, struct: StructType, name: Identifier, member: StructMember): void {
  const earlier = context.scope.names.get(name.text);
  // A member may have the name of a type nested beside it, or of its own struct; but not of another member.
  if (earlier && earlier.kind !== 'type') {
    const previous = earlier.kind === 'member' ? earlier.struct.members[earlier.index]?.location : undefined;
    reportRedefinition(context, name, previous);
    return;
  }
  const index = struct.members.push(member) - 1;
  context.scope.names.set(name.text, { kind: 'member', struct, index });
}

const interfaceModifiers: ReadonlySet<string> = new Set([
  'nointerpolation',
  'linear',
  'centroid',
  'center',
  'sample',
  'noperspective',
  'precise',
]);

/**
 * A member of a struct or cbuffer. `inBuffer` allows packoffset. Undefined, after a message, if its type does not do;
 * a member of ErrorType is kept, so that uses of its name are not reported again.
 */
export function makeMember(
  context: Context,
  modifiers: readonly Modifier[],
  declared: DeclaredType,
  declarator: Declarator,
  attributes: readonly VkAttribute[],
  inBuffer: boolean,
): StructMember | undefined {
  const name = declarator.name.name;
  const type = applyArrays(context, declared.type, declarator.arrays, true);
  if (!checkMemberType(context, name, type)) return undefined;
  for (const annotation of declarator.annotations) {
    if (annotation.kind === 'bit-width')
      context.log.report('bit-field-unsupported', annotation.at, { name: name.text });
    if (annotation.kind === 'packoffset' && !inBuffer)
      context.log.report('packoffset-misplaced', annotation.at);
  }
  const member: StructMember = {
    name: name.text,
    type,
    location: name.at,
    modifiers: modifiers.map((modifier) => modifier.text).filter((text) => interfaceModifiers.has(text)),
    attributes,
  };
  if (hasMatrix(type))
    member.matrixOrder = declared.matrixOrder ?? defaultMatrixOrder(context, declarator.at);
  const offset =
    (inBuffer ? packOffset(context, declarator.annotations) : undefined) ??
    attributeNumber(attributes, 'vk::offset');
  if (offset !== undefined) member.offset = offset;
  const semantic = semanticOf(declarator.annotations);
  if (semantic) member.semantic = semantic.name;
  return member;
}

function checkMemberType(context: Context, name: Identifier, type: Type): boolean {
  if (type.kind === 'void') {
    context.log.report('variable-void', name.at, { name: name.text });
    return false;
  }
  if (isUnsized(type)) {
    context.log.report('array-unsized', name.at, { name: name.text });
    return false;
  }
  return checkComplete(context, name, type);
}

/** Reports a type that is (an array of) a struct whose definition has not ended. */
export function checkComplete(context: Context, name: Identifier, type: Type): boolean {
  let element = type;
  while (element.kind === 'array') element = element.element;
  if (element.kind !== 'struct' || !context.declared.incomplete.has(element)) return true;
  context.log.report('incomplete-type', name.at, { name: name.text, type: element.name });
  return false;
}

// ---- enumerations

/** Defines the enumeration; enumerators of an unscoped one are bound in the current scope too. */
export function defineEnum(context: Context, node: EnumDefinition): Type {
  const underlying = node.base ? enumBase(context, node.base) : intType;
  const name = node.name?.text ?? `anonymous_${++context.declared.anonymous}`;
  const type: EnumType = {
    kind: 'enum',
    name: qualified(context.scope, name),
    underlying,
    scoped: node.scoped,
    location: node.name?.at ?? node.at,
    enumerators: [],
  };
  if (node.name && !bindType(context, node.name, type)) return errorType;
  const outer = context.scope;
  if (node.scoped) context.scope = newScope('block', outer);
  // Up to the closing brace an enumerator of a scoped enumeration is of the underlying type, as in C++.
  const inside = node.scoped ? underlying : type;
  let next = 0;
  for (const { name: enumerator, value: written } of node.enumerators) {
    if (written) {
      next = evaluateInteger(context, written) ?? next;
    }
    const value = wrap(next, underlying);
    if (bindName(context, context.scope, enumerator, { kind: 'enumerator', type: inside, value })) {
      type.enumerators.push({ name: enumerator.text, value });
    }
    next = value + 1;
  }
  context.scope = outer;
  return type;
}

function enumBase(context: Context, base: TypeExpression): ScalarType {
  const type = resolveType(context, base);
  if (type.kind === 'scalar' && (scalarClass(type) === 'int' || scalarClass(type) === 'uint')) return type;
  if (type.kind !== 'error') context.log.report('enum-base', base.at, { type: typeName(type) });
  return intType;
}

/** The value in the range of a type of 32 bits; longer ones keep it. */
function wrap(value: number, type: ScalarType): number {
  if (type.name === 'int64_t' || type.name === 'uint64_t') return value;
  return scalarClass(type) === 'uint' ? value >>> 0 : value | 0;
}
