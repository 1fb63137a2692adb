/** Actions for expressions. Operators come as a flat list; `precedence.ts` shapes them into a tree. */
import { kindNames } from '../preprocess/kinds.gen.ts';
import type * as ast from './ast.ts';
import { type Action, type AstBuilder, nothing } from './ast-builder.ts';
import { identifier, kind, qualifiedName, standaloneType, withTemplateArgs } from './actions-types.ts';
import { precedence } from './precedence.ts';
import type { Tree } from './tree.ts';

const floatToken = kindNames.indexOf('FLOAT');
const shiftRight = kind('binrest_shr');
const memberPost = kind('post_mem');
const indexPost = kind('post_idx');
const callPost = kind('post_call');
const comma = kind('commatail');

/** `first op operand op operand ...`: operator precedence climbing over the flat list. */
function binary(b: AstBuilder, t: Tree, first: Tree, rest: Tree[]): ast.Expression {
  const end = b.tokens.end;
  let next = 0;
  const operator = (tail: Tree): ast.BinaryOperator =>
    tail.kind === shiftRight ? '>>' : (b.text(tail.first) as ast.BinaryOperator);
  const operand = (tail: Tree): Tree => (tail.kind === shiftRight ? tail.a : tail.b) as Tree;
  // `from` is the first token of `left`; parentheses around it belong to the range.
  const climb = (left: ast.Expression, from: number, least: number): ast.Expression => {
    while (next < rest.length) {
      const tail = rest[next]!;
      const op = operator(tail);
      const level = precedence.get(op)!;
      if (level < least) break;
      next++;
      const start = operand(tail);
      let right = b.buildBelow<ast.Expression>(start, rest.length - next);
      while (next < rest.length && precedence.get(operator(rest[next]!))! > level)
        right = climb(right, start.first, level + 1);
      const last = rest[next - 1]!;
      left = {
        kind: 'binary',
        op,
        opAt: b.at(tail.first),
        left,
        right,
        at: b.at(from),
        end: end[last.end - 1]!,
      };
    }
    return left;
  };
  return climb(b.buildBelow<ast.Expression>(first, rest.length), t.first, 1);
}

function postfix(b: AstBuilder, t: Tree, primary: Tree, posts: Tree[]): ast.Expression {
  let object = b.buildBelow<ast.Expression>(primary, posts.length);
  const at = b.at(t.first);
  for (const post of posts) {
    const end = b.end(post);
    if (post.kind === memberPost) object = member(b, post, object, at, end);
    else if (post.kind === indexPost) {
      const index = post.a ? b.build<ast.Expression>(post.a as Tree) : undefined;
      object = { kind: 'index', object, index, at, end };
    } else if (post.kind === callPost)
      object = { kind: 'call', callee: object, args: b.list<ast.Expression>(post.a as Tree[]), at, end };
    else object = { kind: 'postfix', op: b.text(post.first) as '++' | '--', operand: object, at, end };
  }
  return object;
}

function member(
  b: AstBuilder,
  post: Tree,
  object: ast.Expression,
  at: number,
  end: number,
): ast.MemberExpression {
  const name = qualifiedName(b, post.a as Tree);
  const owner = name.qualifiers.at(-1);
  const node: ast.MemberExpression = { kind: 'member', object, name: name.name, at, end };
  if (owner) node.owner = { global: name.global, qualifiers: name.qualifiers.slice(0, -1), name: owner };
  return withTemplateArgs(b, node, post.b as Tree | undefined);
}

/** `A::b` names a thing in a scope; `A<int>::b` a member of a type. */
function nameExpression(b: AstBuilder, t: Tree, nameTree: Tree, args: Tree | undefined): ast.Expression {
  const name = qualifiedName(b, nameTree);
  const at = b.at(t.first);
  const end = b.end(t);
  const owner = name.qualifiers.at(-1);
  if (!owner?.templateArgs)
    return withTemplateArgs<ast.NameExpression>(b, { kind: 'name', name, at, end }, args);
  const { text, at: ownerAt, templateArgs: ownerArgs } = owner;
  // The type ends before the `::` in front of the name.
  const ownerEnd = b.tokens.end[nameTree.end - 3]!;
  const type: ast.NamedType = {
    kind: 'named-type',
    name: {
      global: name.global,
      qualifiers: name.qualifiers.slice(0, -1),
      name: { text, at: ownerAt, end: owner.end },
    },
    templateArgs: ownerArgs,
    modifiers: nothing,
    arrays: nothing,
    at,
    end: ownerEnd,
  };
  return { kind: 'static-member', type, name: name.name, at, end };
}

function literal(b: AstBuilder, t: Tree, value: number | Tree): ast.Expression {
  const at = b.at(t.first);
  const end = b.end(t);
  if (typeof value !== 'number') return { kind: 'string-literal', value: stringValue(b, value), at, end };
  const text = b.text(value);
  if (text === 'true' || text === 'false') return { kind: 'bool-literal', value: text === 'true', at, end };
  if (text === 'this') return { kind: 'this', at, end };
  return { kind: b.tokens.kinds[value] === floatToken ? 'float-literal' : 'int-literal', text, at, end };
}

/** Adjacent strings as one, without their quotes. */
export function stringValue(b: AstBuilder, strings: Tree): string {
  return (strings.a as number[]).map((token) => b.text(token).slice(1, -1)).join('');
}

/** `first, a, b`: a chain of comma expressions. */
function commas(b: AstBuilder, t: Tree, first: Tree, tails: Tree[]): ast.Expression {
  let left = b.buildBelow<ast.Expression>(first, tails.length);
  for (const tail of tails) {
    if (tail.kind !== comma) throw new Error('a comma list holds something else');
    const right = b.build<ast.Expression>(tail.a as Tree);
    left = { kind: 'comma', left, right, at: b.at(t.first), end: b.end(tail) };
  }
  return left;
}

function initializerList(b: AstBuilder, t: Tree, list: Tree | undefined): ast.InitializerList {
  const elements = list ? b.list<ast.Expression>(list.a as Tree[]) : nothing;
  return { kind: 'initializer-list', elements, at: b.at(t.first), end: b.end(t) };
}

function effectValue(b: AstBuilder, t: Tree): ast.SamplerStateInitializer {
  return { kind: 'sampler-state', at: b.at(t.first), end: b.end(t) };
}

export const expressionActions = {
  expr: commas,
  retval: commas,
  assign: (b, t, target: Tree, tail: Tree): ast.AssignExpression => ({
    kind: 'assign',
    op: b.text(tail.first) as ast.AssignOperator,
    opAt: b.at(tail.first),
    target: b.build<ast.Expression>(target),
    value: b.build<ast.Expression>(tail.b as Tree),
    at: b.at(t.first),
    end: b.end(t),
  }),
  cond: (b, t, condition: Tree, tail: Tree): ast.ConditionalExpression => ({
    kind: 'conditional',
    condition: b.build<ast.Expression>(condition),
    whenTrue: b.build<ast.Expression>(tail.a as Tree),
    whenFalse: b.build<ast.Expression>(tail.b as Tree),
    at: b.at(t.first),
    end: b.end(t),
  }),
  bin: binary,
  constnogt: binary,
  unary_pre: (b, t, op: number, operand: Tree): ast.UnaryExpression => ({
    kind: 'unary',
    op: b.text(op) as ast.UnaryExpression['op'],
    operand: b.build<ast.Expression>(operand),
    at: b.at(t.first),
    end: b.end(t),
  }),
  unary_sizeof: (b, t, operand: Tree): ast.SizeofExpression => ({
    kind: 'sizeof',
    operand: b.build<ast.Expression | ast.TypeExpression>(operand),
    at: b.at(t.first),
    end: b.end(t),
  }),
  sizearg_type: (b, _, mods: Tree[], type: Tree, arrays: Tree[]) =>
    standaloneType(b, mods[0] ?? type, mods, type, arrays),
  unary_cast: (b, t, mods: Tree[], type: Tree, arrays: Tree[], operand: Tree): ast.CastExpression => ({
    kind: 'cast',
    type: standaloneType(b, mods[0] ?? type, mods, type, arrays),
    operand: b.build<ast.Expression>(operand),
    at: b.at(t.first),
    end: b.end(t),
  }),
  postfix,
  prim_var: (b, t): ast.NameExpression => ({
    kind: 'name',
    name: { global: false, qualifiers: nothing, name: identifier(b, t.first) },
    at: b.at(t.first),
    end: b.end(t),
  }),
  prim_par: (b, _, inner: Tree) => b.build<ast.Expression>(inner),
  prim_ctor: (b, t, type: Tree, args: Tree[]): ast.ConstructExpression => ({
    kind: 'construct',
    type: b.build<ast.TypeExpression>(type),
    args: b.list<ast.Expression>(args),
    at: b.at(t.first),
    end: b.end(t),
  }),
  prim_name: nameExpression,
  calltargs: (b, _, args: Tree[]) => b.list<ast.TemplateArg>(args),
  ctarg_type: (b, t, mods: Tree[], type: Tree, arrays: Tree[]) => standaloneType(b, t, mods, type, arrays),
  ctarg_lit: (b, t, minus: number | undefined, value: Tree): ast.Expression => {
    const operand = b.build<ast.Expression>(value);
    return minus === undefined
      ? operand
      : { kind: 'unary', op: '-', operand, at: b.at(t.first), end: b.end(t) };
  },
  ctarg_name: (b, t, name: Tree) => nameExpression(b, t, name, undefined),
  literal,
  initval_list: initializerList,
  initval_sampler: effectValue,
  initval_compile: effectValue,
  arr: (b, t, size: Tree | undefined): ast.ArraySize => ({
    ...(size && { size: b.build<ast.Expression>(size) }),
    at: b.at(t.first),
    end: b.end(t),
  }),
  attritem: (b, t, name: Tree, args: Tree | undefined): ast.Attribute => ({
    name: b.join(name.first, name.end),
    args: args ? b.list<ast.Expression>(args.a as Tree[]) : nothing,
    double: false,
    at: b.at(t.first),
    end: b.end(t),
  }),
  attr_ms: (b, _, items: Tree[]) => b.list<ast.Attribute>(items),
  cxxattr: (b, _, items: Tree[]) => b.list<ast.Attribute>(items).map((item) => ({ ...item, double: true })),
} satisfies Record<string, Action>;
