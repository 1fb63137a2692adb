/**
 * What the generated parser builds: one small node per matched rule, with the children that carry meaning in fixed
 * slots. actions.ts turns it into the AST once the whole declaration has matched, so speculative branches stay cheap
 * and pure; tests compare it with what Ohm's interpreter matches.
 */

/** A child: a node, the index of a token, a repetition, or an absent option. */
export type Slot = Tree | number | Slot[] | undefined;

export class Tree {
  /** Index into the generated `treeNames`. */
  kind: number;
  /** First token, and one past the last. */
  first: number;
  end: number;
  a: Slot;
  b: Slot;
  c: Slot;
  d: Slot;
  constructor(kind: number, first: number, end: number, a: Slot, b: Slot, c: Slot, d: Slot) {
    this.kind = kind;
    this.first = first;
    this.end = end;
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }
}

/** The few rules with more than four children. A second class keeps the many small nodes small. */
export class WideTree extends Tree {
  e: Slot;
  f: Slot;
  g: Slot;
  h: Slot;
  constructor(
    kind: number,
    first: number,
    end: number,
    a: Slot,
    b: Slot,
    c: Slot,
    d: Slot,
    e: Slot,
    f: Slot,
    g: Slot,
    h: Slot,
  ) {
    super(kind, first, end, a, b, c, d);
    this.e = e;
    this.f = f;
    this.g = g;
    this.h = h;
  }
}

/** The one empty repetition. */
export const none: Slot[] = [];

/** Levels of `@deep` rules that may be open at once: what Node's default stack takes with room to spare. */
export const nestingLimit = 512;

/** Thrown by the parser and the actions when nesting passes a limit; `token` is the index where. */
export class NestingError extends Error {
  readonly token: number;
  constructor(token: number) {
    super('nesting is too deep');
    this.token = token;
  }
}
