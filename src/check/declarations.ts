/** Declarations outside functions, one after the other: each kind goes to its file; here are the small ones. */
import type {
  Declaration,
  Identifier,
  NamespaceDeclaration,
  QualifiedName,
  StaticAssertDeclaration,
  TemplateDeclaration,
  TypedefDeclaration,
  UsingDeclaration,
} from '../syntax/ast.ts';
import { errorType } from '../types/type.ts';
import type { Context } from './context.ts';
import { evaluateInteger } from './constants.ts';
import { declareFunction } from './functions.ts';
import { declareBuffer, declareGlobals } from './globals.ts';
import { checkModifiers } from './modifiers.ts';
import { bindName, reportRedefinition } from './names.ts';
import { lookupQualified, namespaceOf, newScope, type Scope, type TypeEntry } from './scope.ts';
import { applyArrays, resolveDeclaredType } from './types.ts';

/** Declares what stands outside functions, or in a namespace. */
export function declare(context: Context, declaration: Declaration): void {
  switch (declaration.kind) {
    case 'variables':
      declareGlobals(context, declaration);
      return;
    case 'function':
      declareFunction(context, declaration);
      return;
    case 'buffer':
      declareBuffer(context, declaration);
      return;
    case 'namespace':
      declareNamespace(context, declaration);
      return;
    case 'template':
      declareTemplate(context, declaration);
      return;
    default:
      declareNested(context, declaration);
      return;
  }
}

/** Declarations that are the same everywhere: outside functions, in structs, in blocks. */
export function declareNested(
  context: Context,
  declaration: Exclude<Declaration, { kind: 'variables' | 'function' | 'buffer' | 'namespace' | 'template' }>,
): void {
  switch (declaration.kind) {
    case 'typedef':
      declareTypedef(context, declaration);
      return;
    case 'using':
      declareUsing(context, declaration);
      return;
    case 'static-assert':
      checkStaticAssert(context, declaration);
      return;
    case 'empty':
      return;
  }
}

function declareTypedef(context: Context, node: TypedefDeclaration): void {
  const declared = resolveDeclaredType(context, node.type, node.modifiers);
  for (const declarator of node.declarators) {
    const { name } = declarator.name;
    checkModifiers(context, node.modifiers, 'type definition', name.text);
    bindAlias(context, name, {
      ...declared,
      type: applyArrays(context, declared.type, declarator.arrays, true),
    });
  }
}

function bindAlias(context: Context, name: Identifier, declared: Omit<TypeEntry, 'kind'>): void {
  bindName(context, context.scope, name, { ...declared, kind: 'type', at: name.at });
}

function declareUsing(context: Context, node: UsingDeclaration): void {
  if (node.alias && node.type) bindAlias(context, node.alias, resolveDeclaredType(context, node.type, []));
  else if (node.namespace) openNamespace(context, node.namespace);
  else if (node.name) useName(context, node.name);
}

function openNamespace(context: Context, name: QualifiedName): void {
  const entry = lookupQualified(context, name);
  if (entry?.kind !== 'namespace') {
    // `vk` and `dx` hold names of the language, which are found without them.
    const known = name.qualifiers.length === 0 && (name.name.text === 'vk' || name.name.text === 'dx');
    if (!known) context.log.report('namespace-unknown', name.name.at, { name: name.name.text });
    return;
  }
  context.scope.opened ??= [];
  if (!context.scope.opened.includes(entry.scope)) context.scope.opened.push(entry.scope);
}

function useName(context: Context, name: QualifiedName): void {
  const entry = lookupQualified(context, name);
  if (!entry) {
    context.log.report('using-unknown', name.name.at, { name: name.name.text });
    return;
  }
  const { names } = context.scope;
  if (names.has(name.name.text) && names.get(name.name.text) !== entry)
    reportRedefinition(context, name.name, undefined);
  else names.set(name.name.text, entry);
}

function checkStaticAssert(context: Context, node: StaticAssertDeclaration): void {
  const value = evaluateInteger(context, node.condition);
  if (value === 0) context.log.report('static-assert', node.at, { text: node.message });
}

// ---- namespaces

function declareNamespace(context: Context, node: NamespaceDeclaration): void {
  const outer = context.scope;
  for (const name of node.name ? [...node.name.qualifiers, node.name.name] : []) {
    const inner = namespaceScope(context, name);
    if (!inner) break;
    context.scope = inner;
  }
  for (const member of node.members) declare(context, member);
  context.scope = outer;
}

/** The namespace of this name in the current scope, made if it is new. */
function namespaceScope(context: Context, name: Identifier): Scope | undefined {
  const { scope: outer } = context;
  const earlier = outer.names.get(name.text);
  if (earlier?.kind === 'namespace') return earlier.scope;
  const scope = newScope('namespace', outer);
  scope.name = outer.name ? `${outer.name}::${name.text}` : name.text;
  const around = namespaceOf(outer);
  scope.namespace = { name: name.text, at: name.at, ...(around && { parent: around }) };
  return bindName(context, outer, name, { kind: 'namespace', scope }) ? scope : undefined;
}

// ---- templates

/** Binds the template's name so that its first use says that templates are not supported; a file may hold unused ones. */
export function declareTemplate(context: Context, node: TemplateDeclaration): void {
  const name = templateName(node.declaration);
  const earlier = name && context.scope.names.get(name.text);
  // Overloads beside it stay usable; specializations repeat the name.
  if (!name || earlier) return;
  const use = (): void => void context.log.report('template-unsupported', name.at, { name: name.text });
  context.scope.names.set(name.text, { kind: 'type', type: errorType, at: name.at, use });
}

function templateName(declaration: Declaration): Identifier | undefined {
  switch (declaration.kind) {
    case 'function':
      return declaration.name.name;
    case 'variables': {
      const { type } = declaration;
      if (type.kind === 'record' && type.name) return type.name;
      return (
        declaration.declarators[0]?.name.name ?? (type.kind === 'named-type' ? type.name.name : undefined)
      );
    }
    case 'using':
      return declaration.alias;
    case 'template':
      return templateName(declaration.declaration);
    default:
      return undefined;
  }
}
