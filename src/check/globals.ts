/**
 * Variables outside functions. A variable without `static` is set from outside the shader: resources are objects with
 * bindings, everything else goes into the buffer `$Globals` or into the cbuffer around it.
 */
import type {
  BufferDeclaration,
  Declaration,
  Declarator,
  Expression,
  Identifier,
  VariableDeclaration,
} from '../syntax/ast.ts';
import { buffer, errorType, hasOpaque, stringType, typeName } from '../types/type.ts';
import type { StructMember, StructType, Type, VkAttribute } from '../types/type.ts';
import { registerOf, resourceRegister } from './annotations.ts';
import { attributeNumber, evaluateAttributes, findAttribute, hasModifier } from './attributes.ts';
import { declareBuiltinInput } from './builtin-inputs.ts';
import type { Context } from './context.ts';
import { declareNested, declareTemplate } from './declarations.ts';
import { evaluateConstant } from './constants.ts';
import { declareFunction } from './functions.ts';
import { checkInitializer } from './initializers.ts';
import { checkModifiers } from './modifiers.ts';
import { bindName } from './names.ts';
import { isLanguageType } from './builtin-types.ts';
import type { ConstantValue, TypedExpression, VariableStorage, VariableSymbol } from './program.ts';
import { checkComplete, forwardDeclare, makeMember } from './records.ts';
import { declareResource } from './resources.ts';
import { lookupQualified, namespaceOf } from './scope.ts';
import {
  applyArrays,
  checkExtent,
  defaultMatrixOrder,
  findType,
  hasMatrix,
  isUnsized,
  resolveDeclaredType,
  type DeclaredType,
} from './types.ts';

/** Variables of one declaration outside functions, or a type definition. */
export function declareGlobals(context: Context, node: VariableDeclaration): void {
  if (isForwardDeclaration(context, node)) return;
  const declared = resolveDeclaredType(context, node.type, node.modifiers);
  const [first] = node.declarators;
  if (!first) return;
  checkModifiers(context, node.modifiers, 'global variable', first.name.name.text);
  const attributes = evaluateAttributes(context, node.attributes);
  for (const declarator of node.declarators) declareGlobal(context, node, declared, declarator, attributes);
}

/** `struct S;` */
function isForwardDeclaration(context: Context, node: VariableDeclaration): boolean {
  const { type } = node;
  if (node.declarators.length > 0 || type.kind !== 'named-type') return false;
  if (type.name.global || type.name.qualifiers.length > 0 || isLanguageType(type.name.name.text))
    return false;
  if (!findType(context, type)) forwardDeclare(context, type.name.name);
  return true;
}

function declareGlobal(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
  attributes: readonly VkAttribute[],
): void {
  const name = declarator.name.name;
  if (declarator.name.global || declarator.name.qualifiers.length > 0) {
    defineStaticMember(context, declarator);
    return;
  }
  if (hasModifier(node.modifiers, 'groupshared')) {
    declareGroupshared(context, node, declared, declarator);
    return;
  }
  if (hasModifier(node.modifiers, 'static') && refuseStatic(context, declared.type, name, attributes)) return;
  const builtin = findAttribute(attributes, 'vk::ext_builtin_input');
  if (hasModifier(node.modifiers, 'static')) {
    if (builtin) declareBuiltinInput(context, node, declared, declarator, builtin);
    else declareStatic(context, node, declared, declarator);
    return;
  }
  if (builtin) context.log.report('builtin-input-static', name.at, { name: name.text });
  const type = applyArrays(context, declared.type, declarator.arrays, true);
  if (!checkVariableType(context, name, type)) return;
  for (const annotation of declarator.annotations) {
    if (annotation.kind === 'packoffset') context.log.report('packoffset-misplaced', annotation.at);
  }
  if (type.kind === 'error') bindFaulty(context, name, type);
  else if (type.kind === 'string') declareString(context, declarator);
  else if (findAttribute(attributes, 'vk::constant_id'))
    declareSpecConstant(context, declarator, type, attributes);
  else if (findAttribute(attributes, 'vk::push_constant'))
    declarePushConstant(context, declarator, type, attributes);
  else if (hasOpaque(type)) declareResource(context, node, declarator, type, attributes);
  else declareLoose(context, node, declared, declarator, type, attributes);
}

/** What is set from outside cannot be static. True after a message. */
function refuseStatic(
  context: Context,
  type: Type,
  name: Identifier,
  attributes: readonly VkAttribute[],
): boolean {
  const constant = findAttribute(attributes, 'vk::constant_id') !== undefined;
  const subpass = type.kind === 'texture' && type.dimension === 'Subpass';
  if (constant || subpass) {
    const key = constant ? 'spec-constant-static' : 'subpass-static';
    context.log.report(key, name.at, { name: name.text });
  }
  return constant || subpass;
}

// ---- pieces

/** A variable with what its declaration says; not bound to its name yet. */
export function newVariable(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  name: Identifier,
  type: Type,
  storage: VariableStorage,
): VariableSymbol {
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: name.text,
    type,
    storage,
    constant: declared.constant,
    precise: hasModifier(node.modifiers, 'precise'),
    at: name.at,
    end: name.end,
    attributes: [],
  };
  const namespace = namespaceOf(context.scope);
  if (namespace) symbol.namespace = namespace;
  if (hasMatrix(type)) symbol.matrixOrder = declared.matrixOrder ?? defaultMatrixOrder(context, node.at);
  return symbol;
}

/** False, after a message, for types that no variable can have. */
export function checkVariableType(context: Context, name: Identifier, type: Type): boolean {
  if (type.kind !== 'void') return checkComplete(context, name, type);
  context.log.report('variable-void', name.at, { name: name.text });
  return false;
}

/** Binds the name of a faulty declaration, so that its uses are not reported again. */
export function bindFaulty(context: Context, name: Identifier, type: Type, text?: string): void {
  bindName(context, context.scope, name, {
    kind: 'variable',
    name: name.text,
    type,
    storage: 'static',
    constant: false,
    precise: false,
    at: name.at,
    end: name.end,
    attributes: [],
    ...(text !== undefined && { text }),
  });
}

/**
 * Checks an initializer and gives it to the variable, whose name is bound already. Completes an unsized array; keeps the
 * value of a constant.
 */
export function initialize(context: Context, symbol: VariableSymbol, init: Expression): TypedExpression {
  const typed = checkInitializer(context, init, symbol.type, init.at);
  if (isUnsized(symbol.type)) symbol.type = typed.type;
  if (symbol.constant && !hasOpaque(symbol.type)) {
    const value = evaluateConstant(context, typed);
    if (value !== undefined) symbol.value = value;
  }
  return typed;
}

// ---- static, groupshared

/** A `static` variable outside functions, or a static member of the struct being defined. */
export function declareStatic(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
): void {
  const name = declarator.name.name;
  const type = applyArrays(context, declared.type, declarator.arrays, true);
  if (!checkVariableType(context, name, type)) return;
  if (type.kind === 'string') {
    declareString(context, declarator);
    return;
  }
  const symbol = newVariable(context, node, declared, name, type, 'static');
  if (!bindName(context, context.scope, name, symbol)) return;
  if (declarator.init) symbol.init = initialize(context, symbol, declarator.init);
  if (isUnsized(symbol.type)) context.log.report('array-unsized', name.at, { name: name.text });
  else if (type.kind !== 'error') context.globals.push(symbol);
}

/** `float S::x = 1;` for a static member `x`. */
function defineStaticMember(context: Context, declarator: Declarator): void {
  const { name } = declarator.name;
  const entry = lookupQualified(context, declarator.name);
  if (entry?.kind === 'type' && entry.type.kind === 'error') return;
  if (entry?.kind !== 'variable' || entry.storage !== 'static') {
    const struct = declarator.name.qualifiers.map((qualifier) => qualifier.text).join('::');
    context.log.report('not-a-member', name.at, { struct, name: name.text });
    return;
  }
  if (!declarator.init) return;
  if (entry.init) context.log.report('redefinition', name.at, { name: name.text });
  else entry.init = initialize(context, entry, declarator.init);
}

function declareGroupshared(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
): void {
  const name = declarator.name.name;
  const type = applyArrays(context, declared.type, declarator.arrays, false);
  if (!checkVariableType(context, name, type)) return;
  if (hasOpaque(type)) context.log.report('groupshared-type', name.at, { name: name.text });
  if (declarator.init) context.log.report('groupshared-initializer', declarator.init.at, { name: name.text });
  const symbol = newVariable(context, node, declared, name, type, 'groupshared');
  symbol.constant = false;
  if (bindName(context, context.scope, name, symbol) && type.kind !== 'error') context.globals.push(symbol);
}

/** A string has no value here; its name may stand where formats and annotations are ignored. */
function declareString(context: Context, declarator: Declarator): void {
  const name = declarator.name.name;
  const literal = declarator.init?.kind === 'string-literal' ? declarator.init.value : undefined;
  if (literal === undefined) context.log.report('string-initializer', name.at, { name: name.text });
  bindFaulty(context, name, applyArrays(context, stringType, declarator.arrays, true), literal);
}

// ---- Vulkan's own

function declareSpecConstant(
  context: Context,
  declarator: Declarator,
  type: Type,
  attributes: readonly VkAttribute[],
): void {
  const name = declarator.name.name;
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: name.text,
    type,
    storage: 'spec-constant',
    constant: true,
    precise: false,
    at: name.at,
    end: name.end,
    specId: attributeNumber(attributes, 'vk::constant_id') ?? 0,
    attributes,
  };
  if (type.kind !== 'scalar') {
    context.log.report('spec-constant-type', name.at, { name: name.text });
    bindFaulty(context, name, errorType);
    return;
  }
  if (!bindName(context, context.scope, name, symbol)) return;
  if (declarator.init) symbol.init = initialize(context, symbol, declarator.init);
  if (symbol.value === undefined) context.log.report('spec-constant-value', name.at, { name: name.text });
  context.globals.push(symbol);
}

function declarePushConstant(
  context: Context,
  declarator: Declarator,
  type: Type,
  attributes: readonly VkAttribute[],
): void {
  const name = declarator.name.name;
  const contents = type.kind === 'buffer' && type.buffer === 'ConstantBuffer' ? type.element : type;
  if (contents.kind !== 'struct' || hasOpaque(contents)) {
    context.log.report('push-constant-type', name.at, { name: name.text });
    bindFaulty(context, name, errorType);
    return;
  }
  const bound = findAttribute(attributes, 'vk::binding');
  if (bound)
    context.log.report('attribute-conflict', bound.at, { first: 'vk::push_constant', second: bound.name });
  const earlier = context.declared.pushConstant;
  if (earlier) {
    const diagnostic = context.log.report('push-constant-twice', name.at);
    context.log.note(diagnostic, 'previous-here', earlier.at, { name: earlier.name });
  }
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: name.text,
    type: contents,
    storage: 'buffer',
    constant: true,
    precise: false,
    at: name.at,
    end: name.end,
    pushConstant: true,
    attributes,
  };
  if (!bindName(context, context.scope, name, symbol)) return;
  context.declared.pushConstant = symbol;
  context.globals.push(symbol);
}

// ---- $Globals

function declareLoose(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
  type: Type,
  attributes: readonly VkAttribute[],
): void {
  const name = declarator.name.name;
  const binding = findAttribute(attributes, 'vk::binding');
  if (binding) context.log.report('globals-binding-attribute', binding.at, { name: name.text });
  const symbol = newVariable(context, node, declared, name, type, 'buffer');
  const value = declarator.init && ignoredInitializer(context, symbol, declarator.init);
  if (isUnsized(symbol.type)) {
    context.log.report('array-unsized', name.at, { name: name.text });
    bindFaulty(context, name, errorType);
    return;
  }
  const owner = globalsBuffer(context, name);
  const member: StructMember = {
    name: name.text,
    type: symbol.type,
    location: name.at,
    modifiers: symbol.precise ? ['precise'] : [],
    attributes,
    ...(symbol.matrixOrder && { matrixOrder: symbol.matrixOrder }),
  };
  const register = registerOf(context, declarator.annotations);
  const offset =
    attributeNumber(attributes, 'vk::offset') ??
    (register?.class === 'c' ? (register.number ?? 0) * 16 : undefined);
  if (offset !== undefined) member.offset = offset;
  const { members } = contentsOf(owner);
  const entry = {
    kind: 'buffer-member' as const,
    buffer: owner,
    index: members.length,
    ...(value !== undefined && { value }),
  };
  if (bindName(context, context.scope, name, entry)) members.push(member);
}

/** The `$Globals` buffer has the limits of a struct; all variables outside of buffers have been declared. */
export function checkGlobalsBuffer(context: Context): void {
  const { globalsBuffer: symbol } = context.declared;
  if (symbol) checkExtent(context, contentsOf(symbol), symbol.at);
}

/** Checks an initializer that does not count, except where the language asks for a constant. */
function ignoredInitializer(
  context: Context,
  symbol: VariableSymbol,
  init: Expression,
): ConstantValue | undefined {
  initialize(context, symbol, init);
  context.log.report('initializer-ignored', init.at, { name: symbol.name });
  return symbol.value;
}

/** The buffer of loose globals, made with the first of them: its place among the bindings is that one's. */
function globalsBuffer(context: Context, first: Identifier): VariableSymbol {
  context.declared.globalsBuffer ??= newBuffer(context, '$Globals', 'cbuffer', first, []);
  return context.declared.globalsBuffer;
}

function newBuffer(
  context: Context,
  name: string,
  keyword: 'cbuffer' | 'tbuffer',
  place: Identifier,
  attributes: readonly VkAttribute[],
): VariableSymbol {
  const struct: StructType = { kind: 'struct', name, keyword, location: place.at, members: [] };
  const symbol: VariableSymbol = {
    kind: 'variable',
    name,
    type: buffer(keyword === 'cbuffer' ? 'ConstantBuffer' : 'TextureBuffer', struct),
    storage: 'buffer',
    constant: true,
    precise: false,
    at: place.at,
    end: place.end,
    attributes,
  };
  context.globals.push(symbol);
  return symbol;
}

function contentsOf(symbol: VariableSymbol): StructType {
  const { type } = symbol;
  const contents = type.kind === 'buffer' ? type.element : type;
  if (contents.kind !== 'struct')
    throw new TypeError(`${symbol.name} is ${typeName(type)}, not a buffer of a struct`);
  return contents;
}

// ---- cbuffer, tbuffer

export function declareBuffer(context: Context, node: BufferDeclaration): void {
  const attributes = evaluateAttributes(context, node.attributes);
  const symbol = newBuffer(context, node.name.text, node.keyword, node.name, attributes);
  for (const member of node.members) declareInBuffer(context, node, symbol, member);
  // Resources inside are declared before the buffer around them; a buffer without data is none.
  context.globals.splice(context.globals.indexOf(symbol), 1);
  const { members } = contentsOf(symbol);
  if (members.length === 0 || !checkExtent(context, contentsOf(symbol), symbol.at)) return;
  context.globals.push(symbol);
  const written = registerOf(context, node.annotations);
  context.declared.registers.set(symbol, resourceRegister(context, written, symbol.name, symbol.type));
  const packed = members.filter(
    (member) => member.offset !== undefined && !findAttribute(member.attributes, 'vk::offset'),
  );
  const loose = members.find((member) => member.offset === undefined);
  if (packed.length > 0 && loose) context.log.report('packoffset-mix', loose.location, { name: loose.name });
}

function declareInBuffer(
  context: Context,
  node: BufferDeclaration,
  symbol: VariableSymbol,
  member: Declaration,
): void {
  switch (member.kind) {
    case 'variables':
      declareBufferVariables(context, symbol, member);
      return;
    case 'template':
      declareTemplate(context, member);
      return;
    case 'function':
      declareFunction(context, member);
      return;
    case 'buffer':
    case 'namespace': {
      const what = member.kind === 'buffer' ? `a ${member.keyword}` : 'a namespace';
      context.log.report('buffer-member-misplaced', member.at, { what, keyword: node.keyword });
      return;
    }
    default:
      declareNested(context, member);
      return;
  }
}

function declareBufferVariables(context: Context, symbol: VariableSymbol, node: VariableDeclaration): void {
  if (isForwardDeclaration(context, node)) return;
  const declared = resolveDeclaredType(context, node.type, node.modifiers);
  const attributes = evaluateAttributes(context, node.attributes);
  const [first] = node.declarators;
  if (first) checkModifiers(context, node.modifiers, 'global variable', first.name.name.text);
  for (const declarator of node.declarators) {
    const { modifiers } = node;
    if (hasModifier(modifiers, 'static') || hasModifier(modifiers, 'groupshared') || hasOpaque(declared.type))
      declareGlobal(context, node, declared, declarator, attributes);
    else declareBufferMember(context, symbol, node, declared, declarator, attributes);
  }
}

function declareBufferMember(
  context: Context,
  symbol: VariableSymbol,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
  attributes: readonly VkAttribute[],
): void {
  const name = declarator.name.name;
  const member = makeMember(context, node.modifiers, declared, declarator, attributes, true);
  if (!member) return;
  if (declarator.init) {
    const scratch = newVariable(context, node, declared, name, member.type, 'buffer');
    ignoredInitializer(context, scratch, declarator.init);
  }
  const { members } = contentsOf(symbol);
  if (member.type.kind === 'error') {
    bindFaulty(context, name, member.type);
    return;
  }
  const entry = { kind: 'buffer-member' as const, buffer: symbol, index: members.length };
  if (bindName(context, context.scope, name, entry)) members.push(member);
}
