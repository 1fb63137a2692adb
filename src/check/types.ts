/** Types as the source writes them -> Type: names of the program and of the language, template arguments, array sizes. */
import type { ArraySize, Modifier, NamedType, TemplateArg, TypeExpression } from '../syntax/ast.ts';
import type { Location } from '../source/source-map.ts';
import {
  accelerationStructureType,
  array,
  buffer,
  elementOf,
  errorType,
  floatType,
  hasOpaque,
  isNumeric,
  matrix,
  sampler,
  scalarBits,
  scalarClass,
  texture,
  typeName,
  uintType,
  vector,
} from '../types/type.ts';
import type { BufferKind, MatrixOrder, Type } from '../types/type.ts';
import {
  defaultTexel,
  effectObjects,
  isBufferName,
  isScalar,
  legacySamplers,
  numericType,
  plainTypes,
  textureShape,
  unsupportedTypes,
} from './builtin-types.ts';
import type { Context } from './context.ts';
import { evaluateInteger } from './constants.ts';
import { defineEnum, defineRecord, forwardDeclare } from './records.ts';
import { lookupQualified, type TypeEntry } from './scope.ts';

/** A type with what its spelling says besides. */
export interface DeclaredType {
  type: Type;
  /** Written, or from a typedef; absent if the default applies. */
  matrixOrder?: MatrixOrder;
  constant: boolean;
}

/** The type alone; faults are reported and give ErrorType. */
export function resolveType(context: Context, type: TypeExpression): Type {
  return resolveDeclaredType(context, type, []).type;
}

/** The type of a declaration with the declaration's modifiers. */
export function resolveDeclaredType(
  context: Context,
  type: TypeExpression,
  modifiers: readonly Modifier[],
): DeclaredType {
  const base = resolveBase(context, type);
  const all = [...modifiers, ...type.modifiers];
  const arrays = type.kind === 'named-type' ? type.arrays : [];
  const result: DeclaredType = {
    type: applyArrays(context, base.type, arrays, true),
    constant: base.constant || all.some((modifier) => modifier.text === 'const'),
  };
  const order = matrixOrderOf(context, result.type, all) ?? base.matrixOrder;
  if (order) result.matrixOrder = order;
  checkNorm(context, result.type, all);
  noteCoherent(context, result.type, all);
  return result;
}

function resolveBase(context: Context, type: TypeExpression): DeclaredType {
  if (type.kind === 'record') return { type: defineRecord(context, type), constant: false };
  if (type.kind === 'enum') return { type: defineEnum(context, type), constant: false };
  const named = findType(context, type);
  if (named) {
    return {
      type: named.type,
      constant: named.constant ?? false,
      ...(named.matrixOrder && { matrixOrder: named.matrixOrder }),
    };
  }
  const forward = isElaborated(context, type) && forwardDeclare(context, type.name.name);
  return { type: forward || builtinType(context, type), constant: false };
}

/** `struct S` where S is not known yet: the use declares it. */
function isElaborated(context: Context, type: NamedType): boolean {
  const { name } = type;
  if (type.at === name.name.at || name.global || name.qualifiers.length > 0) return false;
  const at = context.map.spelling(type.at);
  const file = context.map.fileAt(at);
  return /^(struct|class)\b/.test(file.text.slice(at - file.start, at - file.start + 7));
}

/** What the program declared under the type's name. Names of variables do not hide it: the parser has decided already. */
export function findType(context: Context, type: NamedType): TypeEntry | undefined {
  const { name } = type;
  if (name.global || name.qualifiers.length > 0) {
    const entry = lookupQualified(context, name);
    return entry?.kind === 'type' ? entry : undefined;
  }
  for (let scope: typeof context.scope | undefined = context.scope; scope; scope = scope.parent) {
    for (let at: typeof scope | undefined = scope; at; at = at.base) {
      const entry = at.names.get(name.name.text);
      if (entry?.kind === 'type') return used(entry, name.name.at);
    }
    if (scope.opened === undefined) continue;
    for (const opened of scope.opened) {
      const entry = opened.names.get(name.name.text);
      if (entry?.kind === 'type') return used(entry, name.name.at);
    }
  }
  return undefined;
}

function used(entry: TypeEntry, at: Location): TypeEntry {
  entry.use?.(at);
  return entry;
}

// ---- names of the language

function builtinType(context: Context, node: NamedType): Type {
  const qualifiers = node.name.qualifiers.map((qualifier) => qualifier.text).join('::');
  const name = node.name.name.text;
  if (qualifiers !== '' && qualifiers !== 'vk' && qualifiers !== 'dx')
    return unknown(context, node, `${qualifiers}::${name}`);
  if (unsupportedTypes.has(name)) {
    context.log.report('type-unsupported', node.name.name.at, { name });
    return errorType;
  }
  if (name === 'vector') return vectorType(context, node);
  if (name === 'matrix') return matrixType(context, node);
  const shape = textureShape(name);
  if (shape) {
    const element = texelType(context, node, name);
    return element.kind === 'error' ? errorType : texture({ ...shape, element, name });
  }
  if (isBufferName(name)) return bufferType(context, node, name);
  return simpleType(context, node, name);
}

/** Names that take nothing between `<` and `>`. */
function simpleType(context: Context, node: NamedType, name: string): Type {
  const at = node.name.name.at;
  const type = plainType(context, node, name);
  if (type && node.templateArgs) {
    context.log.report('type-takes-no-arguments', at, { name });
    return errorType;
  }
  if (type) return type;
  if (legacySamplers.has(name)) {
    context.log.report('legacy-sampler', at, { name });
    return errorType;
  }
  if (effectObjects.has(name)) {
    context.log.report('effect-object-ignored', at, { name });
    return errorType;
  }
  return unknown(context, node, name);
}

function plainType(context: Context, node: NamedType, name: string): Type | undefined {
  const numeric = numericType(name);
  if (numeric) {
    if (numeric.needs16Bit && !context.options.enable16BitTypes) {
      context.log.report('type-needs-16-bit', node.name.name.at, { name });
      return errorType;
    }
    return numeric.type;
  }
  if (name === 'SamplerState' || name === 'sampler') return sampler(false);
  if (name === 'SamplerComparisonState') return sampler(true);
  if (name === 'RaytracingAccelerationStructure') return accelerationStructureType;
  return Object.hasOwn(plainTypes, name) ? plainTypes[name] : undefined;
}

function unknown(context: Context, node: NamedType, name: string): Type {
  context.log.report('unknown-type', node.name.name.at, { name });
  return errorType;
}

// ---- template arguments

function typeArgument(context: Context, arg: TemplateArg | undefined): DeclaredType | undefined {
  if (!arg || !(arg.kind === 'named-type' || arg.kind === 'record' || arg.kind === 'enum')) return undefined;
  return resolveDeclaredType(context, arg, []);
}

function sizeArgument(
  context: Context,
  arg: TemplateArg | undefined,
  otherwise: number,
  name: string,
): number {
  if (!arg) return otherwise;
  const isType = arg.kind === 'named-type' || arg.kind === 'record' || arg.kind === 'enum';
  const size = isType ? 0 : evaluateInteger(context, arg);
  if (size !== undefined && size >= 1 && size <= 4) return size;
  if (size !== undefined) context.log.report('type-argument-size', arg.at, { name });
  return otherwise;
}

/** First argument of `vector` and `matrix`; float without arguments. */
function elementArgument(context: Context, node: NamedType, name: string): Type {
  if (!node.templateArgs) return floatType;
  const element = typeArgument(context, node.templateArgs[0])?.type;
  if (!element) {
    context.log.report('type-needs-argument', node.at, { name, needed: 'an element type' });
    return errorType;
  }
  if (element.kind === 'error' || isScalar(element)) return element;
  context.log.report('type-argument-scalar', node.templateArgs[0]!.at, { type: typeName(element), name });
  return errorType;
}

function vectorType(context: Context, node: NamedType): Type {
  const element = elementArgument(context, node, 'vector');
  const count = sizeArgument(context, node.templateArgs?.[1], 4, 'vector');
  return isScalar(element) ? vector(element, count) : errorType;
}

function matrixType(context: Context, node: NamedType): Type {
  const element = elementArgument(context, node, 'matrix');
  const rows = sizeArgument(context, node.templateArgs?.[1], 4, 'matrix');
  const columns = sizeArgument(context, node.templateArgs?.[2], 4, 'matrix');
  return isScalar(element) ? matrix(element, rows, columns) : errorType;
}

/** What a texture or typed buffer holds: a scalar or vector of at most 128 bits. */
function texelType(context: Context, node: NamedType, name: string): Type {
  const arg = node.templateArgs?.[0];
  if (!arg) return defaultTexel;
  const element = typeArgument(context, arg)?.type;
  if (!element || element.kind === 'error') {
    if (!element) context.log.report('type-needs-argument', node.at, { name, needed: 'an element type' });
    return errorType;
  }
  const part = elementOf(element);
  const count = element.kind === 'vector' ? element.count : 1;
  const fits = part !== undefined && scalarBits(part, context.options.enable16BitTypes) * count <= 128;
  if (fits && (element.kind === 'scalar' || element.kind === 'vector')) return element;
  context.log.report('type-argument-texel', arg.at, { type: typeName(element), name });
  return errorType;
}

function bufferType(context: Context, node: NamedType, name: BufferKind): Type {
  const arg = node.templateArgs?.[0];
  if (name.includes('ByteAddress')) {
    if (!arg) return buffer(name, uintType);
    context.log.report('type-takes-no-arguments', node.name.name.at, { name });
    return errorType;
  }
  const declared = typeArgument(context, arg);
  if (!arg || !declared) {
    context.log.report('type-needs-argument', node.name.name.at, { name, needed: 'an element type' });
    return errorType;
  }
  const element = declared.type;
  if (element.kind === 'error') return errorType;
  const block = name === 'ConstantBuffer' || name === 'TextureBuffer';
  if (block && element.kind !== 'struct') {
    context.log.report('type-argument-struct', arg.at, { type: typeName(element), name });
    return errorType;
  }
  if (element.kind === 'void' || element.kind === 'string' || hasOpaque(element)) {
    context.log.report('type-argument-object', arg.at, { type: typeName(element), name });
    return errorType;
  }
  const order = hasMatrix(element)
    ? (declared.matrixOrder ?? defaultMatrixOrder(context, node.at))
    : undefined;
  return buffer(name, element, order);
}

// ---- arrays

/** `type[a][b]` for sizes `a`, `b` in the order written. `unsized`: the first may be left out. */
export function applyArrays(
  context: Context,
  type: Type,
  sizes: readonly ArraySize[],
  unsized: boolean,
): Type {
  if (sizes.length > maxNesting) {
    context.log.report('type-nesting', sizes[0]!.at, { limit: maxNesting });
    return errorType;
  }
  let result = type;
  for (let i = sizes.length - 1; i >= 0; i--) {
    const size = arraySize(context, sizes[i]!, unsized && i === 0);
    if (size === undefined || result.kind === 'error') return errorType;
    result = array(result, size);
  }
  const first = sizes[0];
  return !first || checkExtent(context, result, first.at) ? result : errorType;
}

/** Types are walked by recursion, so their nesting has a limit far beyond what programs need. */
const maxNesting = 250;

/** And each member is visited, so their number has one: that of SPIR-V's universal limits. Elements of arrays count once. */
const maxMembers = 16383;

interface Extent {
  /** How deep arrays and structs are nested. */
  depth: number;
  /** Members of structs, those of their members included. */
  members: number;
}

const extents = new WeakMap<Type, Extent>();

/** Parts have been measured before the whole. */
function extentOf(type: Type): Extent {
  if (type.kind !== 'array' && type.kind !== 'struct') return { depth: 0, members: 0 };
  let extent = extents.get(type);
  if (!extent) {
    const parts = type.kind === 'array' ? [type.element] : type.members.map((member) => member.type);
    extent = { depth: 1, members: type.kind === 'struct' ? parts.length : 0 };
    for (const part of parts.map(extentOf)) {
      extent.depth = Math.max(extent.depth, 1 + part.depth);
      extent.members += part.members;
    }
    extents.set(type, extent);
  }
  return extent;
}

/** False after a message if the type is nested too deep or has too many members. */
export function checkExtent(context: Context, type: Type, at: Location): boolean {
  const { depth, members } = extentOf(type);
  if (depth > maxNesting) context.log.report('type-nesting', at, { limit: maxNesting });
  else if (members > maxMembers) context.log.report('type-members', at, { limit: maxMembers });
  else return true;
  // What is left of it after the message is measured anew.
  extents.delete(type);
  return false;
}

/** Sizes are 32-bit numbers in every target. */
const maxArraySize = 0x7fffffff;

/** 0 for a size that is left out, undefined (and a message) for one that is wrong. */
function arraySize(context: Context, written: ArraySize, unsized: boolean): number | undefined {
  if (!written.size) {
    if (unsized) return 0;
    context.log.report('array-unsized-inner', written.at);
    return undefined;
  }
  const size = evaluateInteger(context, written.size);
  if (size !== undefined && size > 0 && size <= maxArraySize) return size;
  if (size !== undefined) context.log.report('array-size', written.size.at, { limit: maxArraySize });
  return undefined;
}

// ---- matrices

/** True for matrices and arrays of them. */
export function hasMatrix(type: Type): boolean {
  while (type.kind === 'array') type = type.element;
  return type.kind === 'matrix';
}

function matrixOrderOf(
  context: Context,
  type: Type,
  modifiers: readonly Modifier[],
): MatrixOrder | undefined {
  const found = modifiers.filter(
    (modifier) => modifier.text === 'row_major' || modifier.text === 'column_major',
  );
  const first = found[0];
  if (!first) return undefined;
  const other = found.find((modifier) => modifier.text !== first.text);
  if (other) context.log.report('matrix-order-conflict', other.at);
  // Structs that a typedef or template hides take the modifier without meaning, as DXC has it for objects.
  if (type.kind !== 'error' && !hasMatrix(type)) {
    context.log.report('matrix-order-type', first.at, { modifier: first.text, type: typeName(type) });
    return undefined;
  }
  return first.text as MatrixOrder;
}

/** Packing of a matrix member for which nothing is written: `#pragma pack_matrix` in force there, or the option. */
export function defaultMatrixOrder(context: Context, at: Location): MatrixOrder {
  const { packMatrix } = context.tokens;
  if (packMatrix.length === 0) return context.options.matrixPacking;
  const index = tokenIndex(context, at);
  let low = 0;
  let high = packMatrix.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packMatrix[middle]!.from <= index) low = middle + 1;
    else high = middle;
  }
  return packMatrix[low - 1]?.packing ?? context.options.matrixPacking;
}

function tokenIndex(context: Context, at: Location): number {
  if (!context.declared.tokenAt) {
    const { tokens } = context;
    context.declared.tokenAt = new Map();
    for (let i = 0; i < tokens.count; i++) context.declared.tokenAt.set(tokens.at[i]!, i);
  }
  return context.declared.tokenAt.get(at) ?? 0;
}

/** What comes from a descriptor heap has no declaration of its own: `globallycoherent` anywhere counts for all of a type. */
function noteCoherent(context: Context, type: Type, modifiers: readonly Modifier[]): void {
  if (modifiers.some((modifier) => modifier.text === 'globallycoherent')) context.declared.coherent.add(type);
}

function checkNorm(context: Context, type: Type, modifiers: readonly Modifier[]): void {
  const norm = modifiers.find((modifier) => modifier.text === 'snorm' || modifier.text === 'unorm');
  if (!norm || type.kind === 'error') return;
  let element: Type = type;
  while (element.kind === 'array') element = element.element;
  const value = element.kind === 'texture' ? element.element : element;
  if (isNumeric(value) && scalarClass(elementOf(value)!) === 'float') return;
  context.log.report('norm-type', norm.at, { modifier: norm.text, type: typeName(type) });
}

// ---- questions

/** True for an array whose size its initializer has yet to give, or that has none (resources). */
export function isUnsized(type: Type): boolean {
  return type.kind === 'array' && type.size === 0;
}
