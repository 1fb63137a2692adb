/** Actions for statements. */
import type * as ast from './ast.ts';
import { type Action, type AstBuilder, nothing } from './ast-builder.ts';
import { localPrototype, prototypeKind } from './actions-declarations.ts';
import { attributes, declaredType, kind } from './actions-types.ts';
import type { Tree } from './tree.ts';

const noInit = kind('forinit_none');

/** What each statement starts with; attributes are added by the `stmt` node around it. */
function base(b: AstBuilder, t: Tree): { attributes: ast.Attribute[]; at: number; end: number } {
  return { attributes: nothing, at: b.at(t.first), end: b.end(t) };
}

/** Declarations that are also statements. */
function declared(b: AstBuilder, t: Tree, declaration: ast.Declaration): ast.DeclarationStatement {
  return { kind: 'declaration', declaration, ...base(b, t) };
}

function local(b: AstBuilder, t: Tree, mods: Tree[], typeTree: Tree, rest: Tree): ast.DeclarationStatement {
  const { type, modifiers } = declaredType(b, mods, typeTree);
  if (rest.kind === prototypeKind) return declared(b, t, localPrototype(b, t, modifiers, type, rest));
  const declarators = b.list<ast.Declarator>(rest.a as Tree[]);
  return declared(b, t, { kind: 'variables', modifiers, type, declarators, ...base(b, t) });
}

const expression = (b: AstBuilder, t: Tree): ast.Expression => b.build<ast.Expression>(t);
const condition = (b: AstBuilder, t: Tree): ast.Condition => b.build<ast.Condition>(t);

/** A typedef, using or static assertion comes out of its own action, which does not know where it stands. */
function statement(b: AstBuilder, t: Tree): ast.Statement {
  const built = b.build<
    ast.Statement | ast.TypedefDeclaration | ast.UsingDeclaration | ast.StaticAssertDeclaration
  >(t);
  if (built.kind === 'typedef' || built.kind === 'using' || built.kind === 'static-assert')
    return declared(b, t, built);
  return built;
}

function statements(b: AstBuilder, trees: Tree[]): ast.Statement[] {
  return trees.map((t) => statement(b, t));
}

/** The statement of a `stmt` tree, for parser.ts, which takes a function apart when it has errors. */
export { statement as buildStatement };

export const statementActions = {
  block: (b, t, list: Tree[]): ast.BlockStatement => ({
    kind: 'block',
    statements: statements(b, list),
    ...base(b, t),
  }),
  stmt: (b, _, attrs: Tree[], inner: Tree): ast.Statement => {
    const list = attributes(b, attrs);
    const result = statement(b, inner);
    result.attributes = list;
    if (result.kind === 'declaration' && 'attributes' in result.declaration)
      result.declaration.attributes = list;
    return result;
  },
  stmt0_empty: (b, t): ast.EmptyStatement => ({ kind: 'empty', ...base(b, t) }),
  if: (b, t, test: Tree, then: Tree, otherwise: Tree | undefined): ast.IfStatement => ({
    kind: 'if',
    condition: condition(b, test),
    // biome-ignore lint/suspicious/noThenProperty: the AST is data, nobody awaits it
    then: statement(b, then),
    ...(otherwise && { else: statement(b, otherwise.a as Tree) }),
    ...base(b, t),
  }),
  for: (b, t, init: Tree, test: Tree | undefined, step: Tree | undefined, body: Tree): ast.ForStatement => ({
    kind: 'for',
    ...(init.kind !== noInit && { init: statement(b, init) }),
    ...(test && { condition: condition(b, test) }),
    ...(step && { step: expression(b, step) }),
    body: statement(b, body),
    ...base(b, t),
  }),
  while: (b, t, test: Tree, body: Tree): ast.WhileStatement => ({
    kind: 'while',
    condition: condition(b, test),
    body: statement(b, body),
    ...base(b, t),
  }),
  do: (b, t, body: Tree, test: Tree): ast.DoStatement => ({
    kind: 'do',
    body: statement(b, body),
    condition: expression(b, test),
    ...base(b, t),
  }),
  switch: (b, t, selector: Tree, body: Tree): ast.SwitchStatement => ({
    kind: 'switch',
    selector: condition(b, selector),
    body: statement(b, body),
    ...base(b, t),
  }),
  return: (b, t, value: Tree | undefined): ast.ReturnStatement => ({
    kind: 'return',
    ...(value && { value: expression(b, value) }),
    ...base(b, t),
  }),
  jump: (b, t, key: number): ast.JumpStatement => ({
    kind: b.text(key) as ast.JumpStatement['kind'],
    ...base(b, t),
  }),
  label_case: (b, t, value: Tree): ast.CaseLabel => ({
    kind: 'case',
    value: expression(b, value),
    ...base(b, t),
  }),
  label_default: (b, t): ast.DefaultLabel => ({ kind: 'default', ...base(b, t) }),
  local,
  localdecl: (b, t, mods: Tree[], type: Tree, name: Tree): ast.VariableDeclaration => ({
    kind: 'variables',
    ...declaredType(b, mods, type),
    declarators: [b.build<ast.Declarator>(name)],
    ...base(b, t),
  }),
  exprstmt: (b, t, value: Tree): ast.ExpressionStatement => ({
    kind: 'expression',
    expression: expression(b, value),
    ...base(b, t),
  }),
} satisfies Record<string, Action>;
