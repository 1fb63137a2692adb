/** Actions for declarations, declarators and annotations. */
import type * as ast from './ast.ts';
import { type Action, type AstBuilder, nothing } from './ast-builder.ts';
import { stringValue } from './actions-expressions.ts';
import {
  attributes,
  declaredType,
  ident,
  kind,
  qualifiedName,
  standaloneType,
  withTemplateArgs,
} from './actions-types.ts';
import type { Tree, WideTree } from './tree.ts';

const funcKind = kind('func');
const varsKind = kind('vars');
const blockKind = kind('block');
const bracesKind = kind('braces');
const operatorKind = kind('fname0_op');
const fullNameKind = kind('fname');
export const prototypeKind = kind('localrest_proto');

/** `mods type ...` outside functions and in structs. */
function typed(
  b: AstBuilder,
  t: Tree,
  mods: Tree[],
  typeTree: Tree,
  rest: Tree,
): ast.VariableDeclaration | ast.FunctionDeclaration {
  const { type, modifiers } = declaredType(b, mods, typeTree);
  if (rest.kind === funcKind) return functionDeclaration(b, t, modifiers, type, rest as WideTree);
  const declarators = rest.kind === varsKind ? b.list<ast.Declarator>(rest.a as Tree[]) : nothing;
  return {
    kind: 'variables',
    attributes: nothing,
    modifiers,
    type,
    declarators,
    at: b.at(t.first),
    end: b.end(t),
  };
}

function functionDeclaration(
  b: AstBuilder,
  t: Tree,
  modifiers: ast.Modifier[],
  returnType: ast.TypeExpression,
  func: WideTree,
): ast.FunctionDeclaration {
  const mods = b.list<ast.Modifier>(func.c as Tree[]);
  const arrays = b.list<ast.ArraySize>(func.d as Tree[]);
  const body = func.f as Tree;
  const node: ast.FunctionDeclaration = {
    kind: 'function',
    attributes: nothing,
    modifiers,
    returnType,
    name: functionName(b, func.a as Tree),
    parameters: b.list<ast.Parameter>(func.b as Tree[]),
    annotations: b.list<ast.Annotation>(func.e as Tree[]),
    constMethod: mods.some((mod) => mod.text === 'const'),
    at: b.at(t.first),
    end: b.end(t),
  };
  if (arrays.length) node.arrays = arrays;
  if (body.kind === blockKind) node.body = b.build<ast.BlockStatement>(body);
  const name = func.a as Tree;
  return name.kind === fullNameKind ? withTemplateArgs(b, node, name.d as Tree | undefined) : node;
}

function functionName(b: AstBuilder, t: Tree): ast.QualifiedName {
  if (t.kind !== fullNameKind) return { global: false, qualifiers: nothing, name: lastName(b, t) };
  return {
    global: t.a !== undefined,
    qualifiers: b.list<ast.Qualifier>(t.b as Tree[]),
    name: lastName(b, t.c as Tree),
  };
}

/** A plain name, or `operator` with its operator. */
function lastName(b: AstBuilder, t: Tree): ast.Identifier {
  if (t.kind !== operatorKind) return ident(b, t);
  return { text: b.join(t.first, t.end), at: b.at(t.first), end: b.end(t) };
}

/** A prototype inside a function. */
export function localPrototype(
  b: AstBuilder,
  t: Tree,
  modifiers: ast.Modifier[],
  returnType: ast.TypeExpression,
  rest: Tree,
): ast.FunctionDeclaration {
  return {
    kind: 'function',
    attributes: nothing,
    modifiers,
    returnType,
    name: qualifiedName(b, rest.a as Tree),
    parameters: b.list<ast.Parameter>(rest.b as Tree[]),
    annotations: b.list<ast.Annotation>(rest.c as Tree[]),
    constMethod: false,
    at: b.at(t.first),
    end: b.end(t),
  };
}

function declarator(
  b: AstBuilder,
  t: Tree,
  name: ast.QualifiedName,
  arrays: Tree[],
  attrs: Tree[],
  annots: Tree[],
  init: Tree | undefined,
): ast.Declarator {
  const node: ast.Declarator = {
    name,
    arrays: b.list<ast.ArraySize>(arrays),
    annotations: b.list<ast.Annotation>(annots),
    at: b.at(t.first),
    end: b.end(t),
  };
  if (attrs.length) node.attributes = attributes(b, attrs);
  if (init) node.init = initializer(b, init);
  return node;
}

function initializer(b: AstBuilder, t: Tree): ast.Expression {
  if (t.kind === bracesKind) return { kind: 'sampler-state', at: b.at(t.first), end: b.end(t) };
  return b.build<ast.Expression>(t.a as Tree);
}

/** An unnamed bit-field has an empty name. */
function unnamedField(b: AstBuilder, t: Tree, width: Tree): ast.Declarator {
  const at = b.at(t.first);
  const end = b.end(t);
  const name = { global: false, qualifiers: nothing, name: { text: '', at, end } };
  const annotation: ast.Annotation = { kind: 'bit-width', width: b.build<ast.Expression>(width), at, end };
  return { name, arrays: nothing, annotations: [annotation], at, end };
}

function templateParameter(
  b: AstBuilder,
  t: Tree,
  name: Tree | undefined,
  init: Tree | undefined,
): Omit<ast.TemplateParameter, 'kind'> {
  return {
    ...(name && { name: ident(b, name) }),
    ...(init && { default: b.build<ast.TemplateArg>(init.a as Tree) }),
    at: b.at(t.first),
    end: b.end(t),
  };
}

function empty(b: AstBuilder, t: Tree): ast.EmptyDeclaration {
  return { kind: 'empty', at: b.at(t.first), end: b.end(t) };
}

type Maybe = Tree | undefined;
const span = (b: AstBuilder, t: Tree) => ({ at: b.at(t.first), end: b.end(t) });

export const declarationActions = {
  decl: (b, _, attrs: Tree[], inner: Tree) => {
    const list = attributes(b, attrs);
    const declaration = b.build<ast.Declaration>(inner);
    if ('attributes' in declaration) declaration.attributes = list;
    return declaration;
  },
  decl0_empty: empty,
  typed,
  gdeclr_named: (
    b,
    t,
    name: Tree,
    args: Maybe,
    arrays: Tree[],
    attrs: Tree[],
    annots: Tree[],
    init: Maybe,
  ): ast.Declarator =>
    withTemplateArgs(b, declarator(b, t, qualifiedName(b, name), arrays, attrs, annots, init), args),
  gdeclr_unnamed: unnamedField,
  declr: (b, t, name: Tree, arrays: Tree[], attrs: Tree[], annots: Tree[], init: Maybe) =>
    declarator(b, t, qualifiedName(b, name), arrays, attrs, annots, init),
  param: (b, t, attrs: Tree[], mods: Tree[], type: Tree, name: Maybe): ast.Parameter => ({
    kind: 'parameter',
    attributes: attributes(b, attrs),
    ...declaredType(b, mods, type),
    ...(name && { declarator: b.build<ast.Declarator>(name) }),
    at: b.at(mods[0]?.first ?? type.first),
    end: b.end(t),
  }),

  annot_register: (b, t, args: Tree[]): ast.Annotation => ({
    kind: 'register',
    args: args.map((arg) => ({ text: b.join(arg.first, arg.end), at: b.at(arg.first) })),
    ...span(b, t),
  }),
  annot_packoffset: (b, t, register: Tree, swizzle: Maybe): ast.Annotation => ({
    kind: 'packoffset',
    register: ident(b, register).text,
    ...(swizzle && { component: ident(b, swizzle.a as Tree).text }),
    ...span(b, t),
  }),
  annot_access: (b, t, access: Tree, stages: Tree[]): ast.Annotation => ({
    kind: 'payload-access',
    access: ident(b, access).text,
    stages: stages.map((stage) => ident(b, stage).text),
    ...span(b, t),
  }),
  annot_semantic: (b, t, name: Tree): ast.Annotation => ({
    kind: 'semantic',
    name: ident(b, name).text,
    ...span(b, t),
  }),
  annot_bits: (b, t, width: Tree): ast.Annotation => ({
    kind: 'bit-width',
    width: b.build<ast.Expression>(width),
    ...span(b, t),
  }),
  annot_notes: (b, t): ast.Annotation => ({ kind: 'notes', ...span(b, t) }),

  cbuffer: (b, t, key: number, name: Tree, annots: Tree[], members: Tree[]): ast.BufferDeclaration => ({
    kind: 'buffer',
    keyword: b.text(key) as ast.BufferDeclaration['keyword'],
    attributes: nothing,
    name: ident(b, name),
    annotations: b.list<ast.Annotation>(annots),
    members: b.list<ast.Declaration>(members),
    ...span(b, t),
  }),
  typedef: (b, t, mods: Tree[], typeTree: Tree, names: Tree[]): ast.TypedefDeclaration => ({
    kind: 'typedef',
    ...declaredType(b, mods, typeTree),
    declarators: b.list<ast.Declarator>(names),
    ...span(b, t),
  }),
  using_alias: (b, t, alias: Tree, _attrs: Tree[], mods: Tree[], type: Tree): ast.UsingDeclaration => ({
    kind: 'using',
    alias: ident(b, alias),
    type: standaloneType(b, mods[0] ?? type, mods, type, []),
    ...span(b, t),
  }),
  using_namespace: (b, t, name: Tree): ast.UsingDeclaration => ({
    kind: 'using',
    namespace: qualifiedName(b, name),
    ...span(b, t),
  }),
  using_name: (b, t, name: Tree): ast.UsingDeclaration => ({
    kind: 'using',
    name: qualifiedName(b, name),
    ...span(b, t),
  }),
  namespace: (b, t, name: Maybe, members: Tree[]): ast.NamespaceDeclaration => ({
    kind: 'namespace',
    ...(name && { name: qualifiedName(b, name) }),
    members: b.list<ast.Declaration>(members),
    ...span(b, t),
  }),
  template: (b, t, parameters: Tree[], _close: number, declaration: Tree): ast.TemplateDeclaration => ({
    kind: 'template',
    parameters: b.list<ast.TemplateParameter>(parameters),
    declaration: b.build<ast.Declaration>(declaration),
    ...span(b, t),
  }),
  tparam_type: (b, t, _key: number, name: Maybe, init: Maybe): ast.TemplateParameter => ({
    kind: 'type',
    ...templateParameter(b, t, name, init),
  }),
  tparam_value: (b, t, mods: Tree[], type: Tree, name: Maybe, init: Maybe): ast.TemplateParameter => ({
    kind: 'value',
    type: declaredType(b, mods, type).type,
    ...templateParameter(b, t, name, init),
  }),
  assert: (b, t, condition: Tree, message: Maybe): ast.StaticAssertDeclaration => ({
    kind: 'static-assert',
    condition: b.build<ast.Expression>(condition),
    message: message ? stringValue(b, message.a as Tree) : '',
    ...span(b, t),
  }),
  technique: (b, t, key: number) => {
    b.log.report('effect-ignored', b.at(key), { word: b.text(key) });
    return empty(b, t);
  },
} satisfies Record<string, Action>;
