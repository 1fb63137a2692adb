/** What Ohm's interpreter makes of token kinds with the project's grammar, as the generated parser's trees. */
import * as ohm from 'ohm-js';
import type { Grammar } from '../../src/syntax/generate.ts';
import { treeNames } from '../../src/syntax/generate-code.ts';
import { none, type Slot, Tree, WideTree } from '../../src/syntax/tree.ts';

export interface Outcome {
  tree: Tree | undefined;
  /** Of a failure. */
  farthest: number;
}

type Wrapper = ohm.Node & { v(): Slot };

/** A function from token kinds (without the end) to the outcome. */
export function interpreter(grammar: Grammar): (kinds: readonly number[]) => Outcome {
  const g = (ohm as unknown as { makeRecipe(recipe: unknown): ohm.Grammar }).makeRecipe(grammar.recipe);
  const names = treeNames(grammar);
  const dictionary: Record<string, unknown> = {
    _iter: (...c: Wrapper[]) => (c.length ? c.map((x) => x.v()) : none),
    _terminal(this: Wrapper) {
      return this.source.startIdx;
    },
    _nonterminal: (...c: Wrapper[]) => c[0]!.v(),
    nonemptyListOf: (head: Wrapper, _: Wrapper, rest: Wrapper) => [
      head.v(),
      ...rest.children.map((x) => (x as Wrapper).v()),
    ],
    emptyListOf: () => none,
    listOf: (list: Wrapper) => list.v(),
    end(this: Wrapper, _: Wrapper) {
      return this.source.startIdx;
    },
  };
  const value = (n: Wrapper): Slot =>
    n.isOptional() ? (n.children.length ? (n.children[0] as Wrapper).v() : undefined) : n.v();
  for (const rule of grammar.rules.values()) {
    const action = function (this: Wrapper, ...children: Wrapper[]): Slot {
      const values = children.map(value);
      if (rule.passThrough) return values[0];
      const absent = (x: Slot) => x === undefined || (Array.isArray(x) && x.length === 0);
      if (rule.marks.has('collapse') && values.every((x, i) => rule.keep[i] !== 2 || absent(x)))
        return values[rule.keep.indexOf(1)];
      const kept = values.filter((_, i) => rule.keep[i] !== 0);
      const { startIdx, endIdx } = this.source;
      const kind = names.indexOf(rule.name);
      const [a, b, c, d, e, f, h, i] = kept;
      return kept.length > 4
        ? new WideTree(kind, startIdx, endIdx, a, b, c, d, e, f, h, i)
        : new Tree(kind, startIdx, endIdx, a, b, c, d);
    };
    // Ohm checks that an action takes as many arguments as its rule has children.
    Object.defineProperty(action, 'length', { value: rule.arity });
    dictionary[rule.name] = action;
  }
  const semantics = g.createSemantics().addOperation('v', dictionary as ohm.ActionDict<Slot>);
  return (kinds) => {
    const match = g.match(String.fromCharCode(...kinds));
    if (match.succeeded()) return { tree: (semantics(match) as Wrapper).v() as Tree, farthest: -1 };
    const farthest = (
      match as unknown as { getRightmostFailurePosition(): number }
    ).getRightmostFailurePosition();
    return { tree: undefined, farthest };
  };
}
