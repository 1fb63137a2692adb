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
  /** By scope, then call, then place; there is one of these maps per scope of the source, and numbers are cheap keys. */
  readonly #ids = new Map<Scope, Map<PositionId, Map<number, PositionId>>>();
  /** The map that was used last. */
  #last: { scope?: Scope; inlinedAt: PositionId; ids: Map<number, PositionId> } = {
    inlinedAt: 0,
    ids: new Map(),
  };

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
    const ids = this.#idsIn(scope, inlinedAt);
    // Exact as long as less than 64 Mi characters are loaded.
    const key = at * 0x8000000 + (last - at);
    let id = ids.get(key);
    if (id === undefined) {
      id = this.#positions.push({ location: at, end: last, scope, inlinedAt });
      ids.set(key, id);
    }
    return id;
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

  #idsIn(scope: Scope, inlinedAt: PositionId): Map<number, PositionId> {
    // Neighbours in code are of the same call.
    if (scope === this.#last.scope && inlinedAt === this.#last.inlinedAt) return this.#last.ids;
    let calls = this.#ids.get(scope);
    if (!calls) {
      calls = new Map();
      this.#ids.set(scope, calls);
    }
    let ids = calls.get(inlinedAt);
    if (!ids) {
      ids = new Map();
      calls.set(inlinedAt, ids);
    }
    this.#last = { scope, inlinedAt, ids };
    return ids;
  }
}
