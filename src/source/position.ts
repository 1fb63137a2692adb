/**
 * Positions of IR instructions: place, lexical scope, and the calls it was inlined through. They are interned, so an
 * instruction stores one number and equality is `===`.
 */
import type { Location, SourceMap } from './source-map.ts';

/** A lexical scope: the unit, a namespace, a function, or a `{}` block (also a `for` header that declares a variable). */
export interface Scope {
  kind: 'unit' | 'namespace' | 'function' | 'block';
  /** Absent for the unit only. A method's parent is what its struct stands in. */
  parent?: Scope;
  /** Unit: start of the main file. Function: first token of the declaration. Block: the `{` (or `for`). */
  location: Location;
  /** Functions: the name as debuggers show it (`S.f` for methods, `ns::f` in namespaces). Namespaces: their own. */
  name?: string;
  /** Functions: location of the body's `{`. */
  bodyLocation?: Location;
}

/** 0 means none; inside a function an instruction's position is never 0. */
export type PositionId = number;

export interface Position {
  /** First character; never negative (macros already resolved to the outermost name). */
  location: Location;
  /** One past the last character; never before `location`. */
  end: Location;
  scope: Scope;
  /** Position of the call this was inlined through, innermost first; 0 if not inlined. */
  inlinedAt: PositionId;
}

export class PositionTable {
  readonly #map: SourceMap;
  readonly #positions: Position[] = [];
  /** A hash table of ids with open addressing; 0 is a free place. Its size is a power of two. */
  #table = new Int32Array(1 << 10);

  constructor(map: SourceMap) {
    this.#map = map;
  }

  /** `location` and `end` as AST nodes have them; both may come from macros. */
  intern(location: Location, end: Location, scope: Scope, inlinedAt: PositionId = 0): PositionId {
    const at = this.#map.expanded(location);
    let last = this.#map.expanded(end);
    // A range that ends in another file or before its start is reduced to its first token.
    if (last < at || this.#map.fileAt(at) !== this.#map.fileAt(last))
      last = this.#map.expandedEnd(location) ?? at;
    return this.#intern(at, last, scope, inlinedAt);
  }

  #intern(at: Location, last: Location, scope: Scope, inlinedAt: PositionId): PositionId {
    const mask = this.#table.length - 1;
    let place = hash(at, last, inlinedAt) & mask;
    for (let id = this.#table[place]!; id !== 0; id = this.#table[place]!) {
      const known = this.#positions[id - 1]!;
      if (
        known.location === at &&
        known.end === last &&
        known.scope === scope &&
        known.inlinedAt === inlinedAt
      )
        return id;
      place = (place + 1) & mask;
    }
    const id = this.#positions.push({ location: at, end: last, scope, inlinedAt });
    this.#table[place] = id;
    if (2 * id > mask) this.#grow();
    return id;
  }

  #grow(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    this.#positions.forEach(({ location, end, inlinedAt }, index) => {
      let place = hash(location, end, inlinedAt) & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = index + 1;
    });
    this.#table = table;
  }

  /** The same place and scope with another chain of calls. */
  inlined(id: PositionId, inlinedAt: PositionId): PositionId {
    const { location, end, scope } = this.get(id);
    return this.#intern(location, end, scope, inlinedAt);
  }

  get(id: PositionId): Position {
    const position = this.#positions[id - 1];
    if (!position) throw new RangeError(`no position ${id}`);
    return position;
  }

  get count(): number {
    return this.#positions.length;
  }
}

/** Scopes need no part in it, for a place is of one scope as a rule. */
function hash(at: Location, last: Location, inlinedAt: PositionId): number {
  const mixed = Math.imul(at, 0x9e3779b1) ^ Math.imul(last, 0x85ebca6b) ^ Math.imul(inlinedAt, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}
