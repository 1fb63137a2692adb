/** Functions and methods: prototypes, overloads, definitions, and the check of their bodies. */
import type { FunctionDeclaration, Identifier, Parameter, QualifiedName } from '../syntax/ast.ts';
import { errorType, hasOpaque, type StructType, type Type } from '../types/type.ts';
import { evaluateAttributes, hasModifier } from './attributes.ts';
import type { Context, Segment } from './context.ts';
import { checkInitializer } from './initializers.ts';
import { fallsThrough } from './flow.ts';
import { checkModifiers } from './modifiers.ts';
import { bindName, placeOf, reportRedefinition } from './names.ts';
import type { FunctionSymbol, TypedExpression, VariableSymbol } from './program.ts';
import { lookup, lookupIn, namespaceOf, newScope, type FunctionEntry, type Scope } from './scope.ts';
import { inSegment } from './segments.ts';
import { checkBlock } from './statements.ts';
import { applyArrays, defaultMatrixOrder, hasMatrix, isUnsized, resolveDeclaredType } from './types.ts';

interface Signature {
  returnType: Type;
  parameters: VariableSymbol[];
  defaults: (TypedExpression | undefined)[];
}

/** Declares a function, or a method if `self` is given; checks its body, if it has one. */
export function declareFunction(context: Context, node: FunctionDeclaration, self?: StructType): void {
  inSegment(context, (segment) => {
    const home = homeScope(context, node.name);
    if (!home) return;
    const outer = context.scope;
    context.scope = home;
    const what = home.kind === 'struct' ? 'method' : 'function';
    checkModifiers(context, node.modifiers, what, node.name.name.text);
    const entry = bindFunction(context, node, home, readSignature(context, node), self);
    if (entry) {
      segment.function = entry.symbol;
      if (node.body) scheduleBody(context, node, home, entry.symbol);
    }
    context.scope = outer;
  });
}

/** The scope that a function is declared in; that of the struct or namespace for `S::f`. */
function homeScope(context: Context, name: QualifiedName): Scope | undefined {
  let scope: Scope | undefined = name.global ? context.global : undefined;
  for (const qualifier of name.qualifiers) {
    const entry = scope ? lookupIn(scope, qualifier.text) : lookup(context.scope, qualifier.text);
    if (entry?.kind === 'namespace') scope = entry.scope;
    else if (entry?.kind === 'type' && entry.type.kind === 'struct') scope = context.structs.get(entry.type);
    else {
      const silent = entry?.kind === 'type' && entry.type.kind === 'error';
      if (!silent) context.log.report('qualifier-unknown', qualifier.at, { name: qualifier.text });
      return undefined;
    }
  }
  return scope ?? context.scope;
}

// ---- signatures

function readSignature(context: Context, node: FunctionDeclaration): Signature {
  const base = resolveDeclaredType(context, node.returnType, node.modifiers).type;
  const returnType = applyArrays(context, base, node.arrays ?? [], false);
  const signature: Signature = { returnType, parameters: [], defaults: [] };
  for (const parameter of node.parameters) {
    const declared = resolveDeclaredType(context, parameter.type, parameter.modifiers);
    const none = declared.type.kind === 'void' && !parameter.declarator && node.parameters.length === 1;
    if (none) break;
    const symbol = readParameter(context, parameter, declared.type, declared.constant);
    if (hasMatrix(symbol.type))
      symbol.matrixOrder = declared.matrixOrder ?? defaultMatrixOrder(context, parameter.at);
    signature.parameters.push(symbol);
    signature.defaults.push(readDefault(context, parameter, symbol));
  }
  return signature;
}

function readParameter(context: Context, node: Parameter, base: Type, constant: boolean): VariableSymbol {
  const name = node.declarator?.name.name;
  checkModifiers(context, node.modifiers, 'parameter', name?.text ?? '');
  let type = applyArrays(context, base, node.declarator?.arrays ?? [], true);
  if (base.kind === 'void') {
    context.log.report('parameter-void', node.at);
    type = errorType;
  } else if (isUnsized(type) && !hasOpaque(type)) {
    context.log.report('array-unsized', name?.at ?? node.at, { name: name?.text ?? '' });
    type = errorType;
  }
  return {
    kind: 'variable',
    name: name?.text ?? '',
    type,
    storage: 'parameter',
    constant,
    precise: hasModifier(node.modifiers, 'precise'),
    at: name?.at ?? node.at,
    end: name?.end ?? node.end,
    mode: parameterMode(node),
    attributes: evaluateAttributes(context, node.attributes),
  };
}

function parameterMode(node: Parameter): 'in' | 'out' | 'inout' {
  if (hasModifier(node.modifiers, 'inout')) return 'inout';
  if (!hasModifier(node.modifiers, 'out')) return 'in';
  return hasModifier(node.modifiers, 'in') ? 'inout' : 'out';
}

function readDefault(context: Context, node: Parameter, symbol: VariableSymbol): TypedExpression | undefined {
  const init = node.declarator?.init;
  if (!init) return undefined;
  if (symbol.mode !== 'in') {
    context.log.report('default-out', init.at, { mode: symbol.mode ?? 'in', name: symbol.name });
    return undefined;
  }
  return checkInitializer(context, init, symbol.type, init.at);
}

/** After a parameter with a default argument, all must have one. */
function checkDefaults(context: Context, entry: FunctionEntry): void {
  const first = entry.defaults.findIndex((value) => value !== undefined);
  if (first < 0) return;
  for (let i = first; i < entry.symbol.parameters.length; i++) {
    const parameter = entry.symbol.parameters[i]!;
    if (!entry.defaults[i] && parameter.type.kind !== 'error') {
      context.log.report('default-missing', parameter.at, { name: parameter.name });
    }
  }
}

// ---- overloads

/** Adds the function to the overloads of its name, or joins it with an earlier declaration of the same parameters. */
function bindFunction(
  context: Context,
  node: FunctionDeclaration,
  home: Scope,
  signature: Signature,
  self: StructType | undefined,
): FunctionEntry | undefined {
  const name = node.name.name;
  const existing = home.names.get(name.text);
  if (
    existing &&
    existing.kind !== 'functions' &&
    !(existing.kind === 'type' && existing.type.kind === 'error')
  ) {
    const diagnostic = context.log.report('redefinition-kind', name.at, { name: name.text }, name.end);
    const place = placeOf(existing);
    if (place) context.log.note(diagnostic, 'previous-here', place, { name: name.text });
    return undefined;
  }
  const overloads = existing?.kind === 'functions' ? existing.overloads : [];
  const earlier = overloads.find((candidate) =>
    sameParameters(candidate.symbol.parameters, signature.parameters),
  );
  if (earlier) return join(context, node, earlier, signature) ? earlier : undefined;
  if (home.kind === 'struct' && node.name.qualifiers.length > 0) return missing(context, home, name);
  const entry = newEntry(context, node, home, signature, self);
  checkDefaults(context, entry);
  overloads.push(entry);
  if (existing?.kind !== 'functions') home.names.set(name.text, { kind: 'functions', overloads });
  return entry;
}

function missing(context: Context, home: Scope, name: Identifier): undefined {
  context.log.report('not-a-member', name.at, { struct: home.struct?.name ?? '', name: name.text });
  return undefined;
}

function sameParameters(a: readonly VariableSymbol[], b: readonly VariableSymbol[]): boolean {
  return (
    a.length === b.length &&
    a.every((parameter, i) => parameter.type === b[i]?.type && parameter.mode === b[i]?.mode)
  );
}

function newEntry(
  context: Context,
  node: FunctionDeclaration,
  home: Scope,
  signature: Signature,
  self: StructType | undefined,
): FunctionEntry {
  const name = node.name.name;
  const namespace = namespaceOf(home);
  const separator = home.kind === 'struct' ? '.' : '::';
  const symbol: FunctionSymbol = {
    kind: 'function',
    name: name.text,
    displayName: home.name ? `${home.name}${separator}${name.text}` : name.text,
    parameters: signature.parameters,
    returnType: signature.returnType,
    ...(self && { self }),
    ...(home.struct && { struct: home.struct }),
    ...(namespace && { namespace }),
    ...placeOfFunction(node),
    attributes: evaluateAttributes(context, node.attributes),
    precise: hasModifier(node.modifiers, 'precise'),
  };
  context.declared.functions.set(symbol, node);
  return { symbol, defaults: signature.defaults };
}

/** The declaration begins at its return type, behind its attributes. */
function placeOfFunction(node: FunctionDeclaration): Pick<FunctionSymbol, 'at' | 'end' | 'nameAt'> {
  return { at: node.modifiers[0]?.at ?? node.returnType.at, end: node.end, nameAt: node.name.name.at };
}

/** A second declaration of a function: a definition of a prototype, or a prototype again. False after a message. */
function join(
  context: Context,
  node: FunctionDeclaration,
  earlier: FunctionEntry,
  signature: Signature,
): boolean {
  const { symbol } = earlier;
  const name = node.name.name;
  const known =
    symbol.returnType === signature.returnType ||
    [symbol.returnType, signature.returnType].includes(errorType);
  if (!known) {
    const diagnostic = context.log.report('return-type-differs', name.at, { name: name.text });
    context.log.note(diagnostic, 'previous-here', symbol.nameAt, { name: name.text });
    return false;
  }
  const first = context.declared.functions.get(symbol);
  if (node.body && first?.body) {
    reportRedefinition(context, name, symbol.nameAt);
    return false;
  }
  joinDefaults(context, earlier, signature);
  if (!node.body) return true;
  // The definition's names and places count.
  symbol.parameters = signature.parameters;
  Object.assign(symbol, placeOfFunction(node));
  if (node.attributes.length > 0) symbol.attributes = evaluateAttributes(context, node.attributes);
  symbol.precise ||= hasModifier(node.modifiers, 'precise');
  context.declared.functions.set(symbol, node);
  return true;
}

function joinDefaults(context: Context, earlier: FunctionEntry, signature: Signature): void {
  signature.defaults.forEach((value, i) => {
    if (!value) return;
    if (earlier.defaults[i])
      context.log.report('default-twice', value.at, { name: signature.parameters[i]?.name ?? '' });
    else earlier.defaults[i] = value;
  });
  checkDefaults(context, earlier);
}

// ---- bodies

/** Checks the body now, or, inside a struct, when the outermost struct is complete. */
function scheduleBody(
  context: Context,
  node: FunctionDeclaration,
  home: Scope,
  symbol: FunctionSymbol,
): void {
  if (context.declared.structDepth === 0) {
    checkBody(context, node, home, symbol);
    return;
  }
  context.declared.pending.push(() =>
    inSegment(context, (segment: Segment) => {
      segment.function = symbol;
      checkBody(context, node, home, symbol);
    }),
  );
}

function checkBody(context: Context, node: FunctionDeclaration, home: Scope, symbol: FunctionSymbol): void {
  if (!node.body) return;
  const outer = { scope: context.scope, function: context.function };
  const scope = newScope('function', home);
  for (const parameter of symbol.parameters) {
    const name = { text: parameter.name, at: parameter.at, end: parameter.end };
    if (name.text !== '') bindName(context, scope, name, parameter);
  }
  context.scope = scope;
  const { returnType, self } = symbol;
  context.function = { symbol, returnType, loops: 0, switches: 0, ...(self && { self }) };
  symbol.body = checkBlock(context, node.body, scope);
  const incomplete = returnType.kind !== 'void' && returnType.kind !== 'error' && fallsThrough(symbol.body);
  if (incomplete) context.log.report('missing-return', node.name.name.at, { name: symbol.name });
  context.scope = outer.scope;
  if (outer.function) context.function = outer.function;
  else delete context.function;
}
