/** Walks the parser's tree and calls the action of each node; holds what all actions need. */
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Location } from '../source/source-map.ts';
import type { Tokens } from '../preprocess/token.ts';
import { NestingError, type Tree, type WideTree } from './tree.ts';

/** Builds the meaning of one node. After the node come its slots; each action declares the types that its rule gives. */
export type Action = (b: AstBuilder, t: Tree, ...slots: never[]) => unknown;
type AnyAction = (b: AstBuilder, t: Tree, ...slots: unknown[]) => unknown;

/**
 * Levels of the AST, where `a + b + c` counts two: every later stage recurses over it on the default stack, with
 * larger frames than the parser's.
 */
export const depthLimit = 1000;

/** The one empty list of the AST, frozen as all nodes share it. */
export const nothing: never[] = Object.freeze([]) as unknown as never[];

export class AstBuilder {
  readonly tokens: Tokens;
  readonly log: DiagnosticLog;
  readonly #actions: readonly AnyAction[];
  #depth = 0;

  constructor(tokens: Tokens, log: DiagnosticLog, actions: readonly Action[]) {
    this.tokens = tokens;
    this.log = log;
    this.#actions = actions as readonly AnyAction[];
  }

  /** What the action of a node makes of it. The caller names the type, as the grammar determines it. */
  build<T>(t: Tree): T {
    if (++this.#depth > depthLimit) {
      this.#depth = 0;
      throw new NestingError(t.first);
    }
    const wide = t as WideTree;
    const result = this.#actions[t.kind]!(this, t, t.a, t.b, t.c, t.d, wide.e, wide.f, wide.g, wide.h);
    this.#depth--;
    return result as T;
  }

  /** As `build`, for a node that ends up `levels` further down. */
  buildBelow<T>(t: Tree, levels: number): T {
    this.#depth += levels;
    const result = this.build<T>(t);
    this.#depth -= levels;
    return result;
  }

  list<T>(trees: Tree[]): T[] {
    if (trees.length === 0) return nothing as T[];
    const out: T[] = [];
    for (let i = 0; i < trees.length; i++) out.push(this.build<T>(trees[i]!));
    return out;
  }

  at(token: number): Location {
    return this.tokens.at[token]!;
  }

  /** One past the last character of a node. */
  end(t: Tree): Location {
    return this.tokens.end[t.end > t.first ? t.end - 1 : t.first]!;
  }

  text(token: number): string {
    return this.tokens.texts[token]!;
  }

  /** The text of tokens as written, without space. */
  join(from: number, to: number): string {
    return this.tokens.texts.slice(from, to).join('');
  }
}
