/**
 * The grammar compiler, at build time only: ohm-js checks hlsl.ohm, and this turns its rules into recursive-descent
 * TypeScript over token kinds. A choice becomes a `switch` over the next kind where first sets tell the alternatives
 * apart, and ordered trial where they do not. The steps: `loadGrammar`, `lowerRules` (rules -> Expr), `analyse`
 * (first sets, children, recursion), `emitParser` (Expr -> text, in generate-code.ts).
 */
import * as ohm from 'ohm-js';

/** A grammar expression after built-in lists, parameters and bare token choices are resolved. */
export type Expr =
  | { t: 'set'; set: ReadonlySet<number>; fixed: boolean }
  | { t: 'any' }
  | { t: 'end' }
  | { t: 'app'; rule: string }
  | { t: 'seq'; items: Expr[] }
  | { t: 'alt'; items: Expr[] }
  | { t: 'opt' | 'star' | 'plus' | 'not' | 'and'; e: Expr }
  | { t: 'list'; e: Expr; separator: Expr; min: number };

export type Mark = 'collapse' | 'memo' | 'node' | 'deep';

export interface Rule {
  name: string;
  body: Expr;
  marks: Set<string>;
  first: Set<number>;
  nullable: boolean;
  /** Number of children, as Ohm counts them. */
  arity: number;
  /** For each child: 0 dropped (a fixed token), 1 always there, 2 may be absent or empty. */
  keep: number[];
  /** The result is the only child's, no node of its own. */
  passThrough: boolean;
}

type RecipeNode = [string, unknown, ...unknown[]];

export interface Grammar {
  kindNames: string[];
  rules: Map<string, Rule>;
  start: string;
  /** The recipe with each terminal replaced by the one character of its kind: for Ohm's interpreter over tokens. */
  recipe: unknown[];
  analysis: Analysis;
}

/** Reads and checks a grammar. Throws with Ohm's message, or one of ours, if it is not sound. */
export function loadGrammar(text: string): Grammar {
  const grammar = ohm.grammar(text);
  const recipe = JSON.parse((grammar as unknown as { toRecipe(): string }).toRecipe()) as unknown[];
  const definitions = recipe[5] as Record<
    string,
    [string, { sourceInterval: number[] }, unknown, string[], RecipeNode]
  >;
  const source = (recipe[1] as { source: string }).source;
  const kindNames = collectKinds(Object.values(definitions).map((d) => d[4]));
  const kindOf = new Map(kindNames.map((name, kind) => [name, kind]));
  const marks = new Map<string, Set<string>>();
  for (const [name, d] of Object.entries(definitions)) {
    // Intervals are relative to the recipe's own source. A case `rule_case` has no marks of its own.
    const before = source.slice(0, d[1].sourceInterval[0]).split('\n');
    before.pop();
    const found = /^\s*\/\/((?:\s*@\w+)+)/.exec(before.pop() ?? '');
    marks.set(
      name,
      new Set(found && !name.includes('_') ? found[1]!.trim().split(/\s*@/).filter(Boolean) : []),
    );
  }
  const rules = lowerRules(definitions, kindOf, marks);
  const analysis = analyse(rules, kindNames.length);
  return {
    kindNames,
    rules,
    start: recipe[4] as string,
    recipe: interpreterRecipe(recipe, kindOf),
    analysis,
  };
}

/** Terminals in a stable order: classes, words, punctuators. 0 is the end of input. */
function collectKinds(bodies: RecipeNode[]): string[] {
  const seen = new Set<string>();
  const walk = (e: unknown): void => {
    if (!Array.isArray(e)) return;
    if (e[0] === 'terminal') seen.add(e[2] as string);
    else for (const x of e) walk(x);
  };
  bodies.forEach(walk);
  const group = (s: string) => (/^[A-Z]+$/.test(s) ? 0 : /^[A-Za-z_]/.test(s) ? 1 : 2);
  const names = [...seen].sort((a, b) => group(a) - group(b) || (a < b ? -1 : 1));
  if (names.length > 250) throw new Error('more than 250 token kinds do not fit a byte');
  return ['end of input', ...names];
}

function interpreterRecipe(recipe: unknown[], kindOf: Map<string, number>): unknown[] {
  const map = (e: unknown): unknown => {
    if (!Array.isArray(e)) return e !== null && typeof e === 'object' && 'sourceInterval' in e ? {} : e;
    return e[0] === 'terminal'
      ? ['terminal', {}, String.fromCharCode(kindOf.get(e[2] as string)!)]
      : e.map(map);
  };
  const out = recipe.slice();
  out[1] = {};
  out[5] = Object.fromEntries(
    Object.entries(out[5] as Record<string, unknown[]>).map(([name, d]) => [name, d.map(map)]),
  );
  return out;
}

function lowerRules(
  definitions: Record<string, [string, unknown, unknown, string[], RecipeNode]>,
  kindOf: Map<string, number>,
  marks: Map<string, Set<string>>,
): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  const lower = (e: RecipeNode): Expr => {
    const items = () => (e.slice(2) as RecipeNode[]).map(lower);
    switch (e[0]) {
      case 'terminal':
        return { t: 'set', set: new Set([kindOf.get(e[2] as string)!]), fixed: true };
      case 'app': {
        const name = e[2] as string;
        const args = (e[3] as RecipeNode[]).map(lower);
        if (name === 'end' || name === 'any') return { t: name };
        if (name === 'listOf') return { t: 'list', e: args[0]!, separator: args[1]!, min: 0 };
        if (name === 'nonemptyListOf') return { t: 'list', e: args[0]!, separator: args[1]!, min: 1 };
        if (args.length) throw new Error(`parameters are not supported: ${name}`);
        return { t: 'app', rule: name };
      }
      case 'seq':
      case 'alt':
        return { t: e[0], items: items() };
      case 'opt':
      case 'star':
      case 'plus':
      case 'not':
        return { t: e[0], e: lower(e[2] as RecipeNode) };
      case 'lookahead':
        return { t: 'and', e: lower(e[2] as RecipeNode) };
      default:
        throw new Error(`not supported over tokens: ${e[0]}`);
    }
  };
  for (const [name, d] of Object.entries(definitions)) {
    rules.set(name, {
      name,
      body: lower(d[4]),
      marks: marks.get(name)!,
      first: new Set(),
      nullable: false,
      arity: 0,
      keep: [],
      passThrough: false,
    });
  }
  for (const rule of rules.values()) rule.body = foldSets(rule.body, rules);
  return rules;
}

/** Makes choices of single tokens, also through rules that are nothing else, into one set. */
function foldSets(e: Expr, rules: Map<string, Rule>): Expr {
  const pure = (x: Expr): ReadonlySet<number> | undefined => {
    if (x.t === 'set') return x.set;
    if (x.t === 'app') {
      const rule = rules.get(x.rule)!;
      // A named case says which alternative matched, even if it is one token.
      return rule.marks.has('node') || x.rule.includes('_') ? undefined : pure(rule.body);
    }
    if (x.t !== 'alt') return undefined;
    const union = new Set<number>();
    for (const item of x.items) {
      const set = pure(item);
      if (!set) return undefined;
      for (const kind of set) union.add(kind);
    }
    return union;
  };
  const set = pure(e);
  if (set) return { t: 'set', set, fixed: e.t === 'set' && e.fixed };
  if (e.t === 'seq' || e.t === 'alt') return { t: e.t, items: e.items.map((x) => foldSets(x, rules)) };
  if (e.t === 'list') return { ...e, e: foldSets(e.e, rules), separator: foldSets(e.separator, rules) };
  if ('e' in e) return { t: e.t, e: foldSets(e.e, rules) };
  return e;
}

interface Analysis {
  nullable(e: Expr): boolean;
  first(e: Expr): ReadonlySet<number>;
  arity(e: Expr): number;
}

function analyse(rules: Map<string, Rule>, kindCount: number): Analysis {
  const all = new Set(Array.from({ length: kindCount - 1 }, (_, i) => i + 1));
  const nullable = (e: Expr): boolean => {
    switch (e.t) {
      case 'set':
      case 'any':
        return false;
      case 'app':
        return rules.get(e.rule)!.nullable;
      case 'seq':
        return e.items.every(nullable);
      case 'alt':
        return e.items.some(nullable);
      case 'plus':
        return nullable(e.e);
      case 'list':
        return e.min === 0 || nullable(e.e);
      default:
        return true;
    }
  };
  const first = (e: Expr): ReadonlySet<number> => {
    switch (e.t) {
      case 'set':
        return e.set;
      case 'any':
        return all;
      case 'end':
        return new Set([0]);
      case 'app':
        return rules.get(e.rule)!.first;
      case 'seq': {
        const union = new Set<number>();
        for (const item of e.items) {
          for (const kind of first(item)) union.add(kind);
          if (!nullable(item)) break;
        }
        return union;
      }
      case 'alt':
        return new Set(e.items.flatMap((item) => [...first(item)]));
      case 'not':
      case 'and':
        return new Set(); // what follows decides
      default:
        return first(e.e);
    }
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const rule of rules.values()) {
      const set = first(rule.body);
      const empty = nullable(rule.body);
      if (set.size === rule.first.size && empty === rule.nullable) continue;
      rule.first = new Set(set);
      rule.nullable = empty;
      changed = true;
    }
  }
  const arity = (e: Expr): number => {
    if (e.t === 'seq') return e.items.reduce((n, item) => n + arity(item), 0);
    if (e.t === 'alt') return arity(e.items[0]!);
    if (e.t === 'not') return 0;
    if (e.t === 'opt' || e.t === 'star' || e.t === 'plus' || e.t === 'and') return arity(e.e);
    return 1;
  };
  const analysis = { nullable, first, arity };
  for (const rule of rules.values()) {
    rule.arity = arity(rule.body);
    rule.keep = keptChildren(rule.body, arity);
    const { t } = rule.body;
    // A single fixed token says nothing by itself, so such a rule has a node: `";" -- empty`.
    const oneChild =
      t === 'alt' || t === 'app' || t === 'end' || t === 'any' || (rule.body.t === 'set' && !rule.body.fixed);
    rule.passThrough = !rule.marks.has('node') && rule.arity === 1 && oneChild;
    const kept = rule.keep.filter((k) => k !== 0).length;
    if (kept > 8) throw new Error(`more than 8 children: ${rule.name}`);
    if (rule.marks.has('collapse') && rule.keep.filter((k) => k === 1).length !== 1)
      throw new Error(`@collapse needs exactly one mandatory child: ${rule.name}`);
  }
  checkRecursion(rules, nullable);
  return analysis;
}

/** Which children a node keeps: fixed tokens and lookaheads carry nothing. */
function keptChildren(e: Expr, arity: (e: Expr) => number): number[] {
  const keep = (x: Expr): number[] => keptChildren(x, arity);
  switch (e.t) {
    case 'seq':
      return e.items.flatMap(keep);
    case 'alt': {
      const all = e.items.map(keep);
      return all[0]!.map((_, i) => {
        const column = all.map((k) => k[i]!);
        return column.every((k) => k === 0) ? 0 : column.includes(2) ? 2 : 1;
      });
    }
    case 'set':
      return [e.fixed ? 0 : 1];
    case 'not':
      return [];
    case 'and':
      return Array<number>(arity(e.e)).fill(0);
    case 'opt':
      return keep(e.e).map((k, _, row) => (row.length > 1 && k === 0 ? 0 : 2));
    case 'star':
      return keep(e.e).map(() => 2);
    default:
      return Array<number>(arity(e)).fill(1);
  }
}

/** Refuses left recursion, and recursion that no `@deep` rule bounds. */
function checkRecursion(rules: Map<string, Rule>, nullable: (e: Expr) => boolean): void {
  const left = (e: Expr): string[] => {
    if (e.t === 'app') return [e.rule];
    if (e.t === 'seq') {
      const out: string[] = [];
      for (const item of e.items) {
        out.push(...left(item));
        if (!nullable(item)) break;
      }
      return out;
    }
    if (e.t === 'alt') return e.items.flatMap(left);
    return 'e' in e ? left(e.e) : [];
  };
  const refuseCycle = (next: (rule: Rule) => string[], what: string): void => {
    for (const rule of rules.values()) {
      const seen = new Set<string>();
      const todo = next(rule);
      while (todo.length) {
        const name = todo.pop()!;
        if (name === rule.name) throw new Error(`${what}: ${name}`);
        if (seen.has(name)) continue;
        seen.add(name);
        todo.push(...next(rules.get(name)!));
      }
    }
  };
  refuseCycle((rule) => left(rule.body), 'left recursion');
  refuseCycle(
    (rule) =>
      rule.marks.has('deep') ? [] : applied(rule.body).filter((name) => !rules.get(name)!.marks.has('deep')),
    'recursion without a @deep rule',
  );
}

/** Names of the rules that an expression applies. */
export function applied(e: Expr): string[] {
  if (e.t === 'app') return [e.rule];
  if (e.t === 'seq' || e.t === 'alt') return e.items.flatMap(applied);
  if (e.t === 'list') return [...applied(e.e), ...applied(e.separator)];
  return 'e' in e ? applied(e.e) : [];
}

/** Choices that one token of lookahead does not settle: where ordered choice backtracks. Read at each grammar change. */
export function conflicts(grammar: Grammar): { rule: string; i: number; j: number; on: string[] }[] {
  const found: { rule: string; i: number; j: number; on: string[] }[] = [];
  const { first, nullable } = grammar.analysis;
  const look = (e: Expr, rule: Rule): void => {
    if (e.t === 'alt')
      for (let i = 0; i < e.items.length; i++)
        for (let j = i + 1; j < e.items.length; j++) {
          const right = first(e.items[j]!);
          const on = [...first(e.items[i]!)]
            .filter((kind) => right.has(kind))
            .map((kind) => grammar.kindNames[kind]!);
          if (on.length || nullable(e.items[i]!)) found.push({ rule: rule.name, i, j, on });
        }
    if (e.t === 'seq' || e.t === 'alt') for (const item of e.items) look(item, rule);
    else if ('e' in e) look(e.e, rule);
  };
  for (const rule of grammar.rules.values()) look(rule.body, rule);
  return found;
}
