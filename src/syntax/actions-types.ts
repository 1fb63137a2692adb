/** Actions for names and types. */
import type * as ast from './ast.ts';
import { type Action, type AstBuilder, nothing } from './ast-builder.ts';
import { treeNames } from './parser.gen.ts';
import type { Slot, Tree } from './tree.ts';

/** Number of the nodes that a rule makes. */
export function kind(name: string): number {
  const found = treeNames.indexOf(name);
  if (found < 0) throw new Error(`no node '${name}'`);
  return found;
}

export function identifier(b: AstBuilder, token: number): ast.Identifier {
  return { text: b.text(token), at: b.at(token), end: b.tokens.end[token]! };
}

/** The plain name of an `ident` node. */
export function ident(b: AstBuilder, t: Tree): ast.Identifier {
  return identifier(b, t.a as number);
}

/** Of a `qname`, which is an `ident` if it is nothing else. */
export function qualifiedName(b: AstBuilder, t: Tree): ast.QualifiedName {
  return b.build<ast.QualifiedName>(t);
}

/** The `[[...]]` and `[...]` of a declaration or statement, one list. */
export function attributes(b: AstBuilder, trees: Tree[]): ast.Attribute[] {
  return trees.length === 0 ? nothing : b.list<ast.Attribute[]>(trees).flat();
}

/** A type that stands alone, with the modifiers before it and the array sizes after it. */
export function standaloneType(
  b: AstBuilder,
  t: Tree,
  mods: Tree[],
  type: Tree,
  arrays: Tree[],
): ast.TypeExpression {
  const result = b.build<ast.TypeExpression>(type);
  if (mods.length) result.modifiers = [...b.list<ast.Modifier>(mods), ...result.modifiers];
  result.at = b.at(t.first);
  result.end = b.end(arrays.at(-1) ?? type);
  if (arrays.length && result.kind === 'named-type') result.arrays = b.list<ast.ArraySize>(arrays);
  return result;
}

/** Type and modifiers of a declaration: modifiers after the type go with those before it. */
export function declaredType(
  b: AstBuilder,
  mods: Tree[],
  tree: Tree,
): { type: ast.TypeExpression; modifiers: ast.Modifier[] } {
  const type = b.build<ast.TypeExpression>(tree);
  let modifiers = b.list<ast.Modifier>(mods);
  if (type.modifiers.length) {
    modifiers = [...modifiers, ...type.modifiers];
    type.modifiers = nothing;
  }
  return { type, modifiers };
}

/** Gives a node the template arguments that were written, if any. */
export function withTemplateArgs<T extends { templateArgs?: ast.TemplateArg[] }>(
  b: AstBuilder,
  node: T,
  args: Tree | undefined,
): T {
  if (args) node.templateArgs = b.build<ast.TemplateArg[]>(args);
  return node;
}

function namedType(b: AstBuilder, t: Tree, name: ast.QualifiedName, args?: Tree): ast.NamedType {
  const node: ast.NamedType = {
    kind: 'named-type',
    name,
    modifiers: nothing,
    arrays: nothing,
    at: b.at(t.first),
    end: b.end(t),
  };
  return withTemplateArgs(b, node, args);
}

function simpleName(name: ast.Identifier): ast.QualifiedName {
  return { global: false, qualifiers: nothing, name };
}

function modifier(b: AstBuilder, t: Tree): ast.Modifier {
  return identifier(b, t.first);
}

function enumerator(b: AstBuilder, t: Tree): { name: ast.Identifier; value?: ast.Expression } {
  const init = t.c as Tree | undefined;
  return { name: ident(b, t.a as Tree), ...(init && { value: b.build<ast.Expression>(init.a as Tree) }) };
}

const list = (slot: Slot): Tree[] => slot as Tree[];

export const typeActions = {
  ident: (b, t) => simpleName(ident(b, t)),
  qname: (b, _, global: number | undefined, qualifiers: Tree[], name: Tree): ast.QualifiedName => ({
    global: global !== undefined,
    qualifiers: b.list<ast.Qualifier>(qualifiers),
    name: ident(b, name),
  }),
  qualifier_type: (b, t, args: Tree | undefined): ast.Qualifier =>
    withTemplateArgs<ast.Qualifier>(b, identifier(b, t.first), args),
  qualifier_plain: (b, t): ast.Qualifier => identifier(b, t.first),
  mod: modifier,
  postmod: modifier,

  type: (b, t, core: Tree, mods: Tree[]) => {
    const type = b.build<ast.TypeExpression>(core);
    type.modifiers = b.list<ast.Modifier>(mods);
    type.end = b.end(t);
    return type;
  },
  typename_unsigned: (b, t, type: number | undefined) => {
    const text = type === undefined ? 'unsigned int' : `unsigned ${b.text(type)}`;
    return namedType(b, t, simpleName({ text, at: b.at(t.first), end: b.end(t) }));
  },
  typename_known: (
    b,
    t,
    _keyword: number | undefined,
    global: number | undefined,
    qualifiers: Tree[],
    args: Tree | undefined,
  ) => {
    const name = identifier(b, (args ? args.first : t.end) - 1);
    return namedType(
      b,
      t,
      { global: global !== undefined, qualifiers: b.list<ast.Qualifier>(qualifiers), name },
      args,
    );
  },
  typename_unknown: (b, t) => namedType(b, t, simpleName(identifier(b, t.first))),
  targs: (b, _, args: Tree[]) => b.list<ast.TemplateArg>(args),
  targ_type: (b, t, mods: Tree[], type: Tree, arrays: Tree[]) => standaloneType(b, t, mods, type, arrays),

  record_def: (
    b,
    t,
    key: number,
    attrs: Tree[],
    name: Tree | undefined,
    bases: Tree | undefined,
    members: Tree[],
  ): ast.RecordDefinition => {
    const node: ast.RecordDefinition = {
      kind: 'record',
      keyword: b.text(key) as ast.RecordDefinition['keyword'],
      attributes: attributes(b, attrs),
      bases: bases ? b.list<ast.TypeExpression>(list(bases.a)) : nothing,
      members: b.list<ast.Declaration>(members),
      modifiers: nothing,
      at: b.at(t.first),
      end: b.end(t),
    };
    if (!name) return node;
    node.name = qualifiedName(b, name.a as Tree).name;
    return withTemplateArgs(b, node, name.b as Tree | undefined);
  },
  record_ref: (b, t, _key: number, _attrs: Tree[], name: Tree, args: Tree | undefined) =>
    namedType(b, t, qualifiedName(b, name), args),
  basetype_unknown: (b, t, name: Tree, args: Tree | undefined) =>
    namedType(b, t, qualifiedName(b, name), args),
  base: (b, _, _public: number | undefined, type: Tree) => b.build<ast.TypeExpression>(type),
  enumspec_def: (
    b,
    t,
    key: number | undefined,
    name: Tree | undefined,
    base: Tree | undefined,
    body: Tree | undefined,
  ): ast.EnumDefinition => ({
    kind: 'enum',
    scoped: key !== undefined,
    ...(name && { name: ident(b, name) }),
    ...(base && { base: b.build<ast.TypeExpression>(base.a as Tree) }),
    enumerators: body ? list(body.a).map((e) => enumerator(b, e)) : nothing,
    modifiers: nothing,
    at: b.at(t.first),
    end: b.end(t),
  }),
  enumspec_ref: (b, t, _key: number | undefined, name: Tree) => namedType(b, t, qualifiedName(b, name)),
  enumerator,
} satisfies Record<string, Action>;
