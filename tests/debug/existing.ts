/**
 * Which of the values that records do not show the program still has, found by what runs of it hold: a scalar of a variable exists at a
 * step if, each time that the step was reached, one and the same id was made by then and was equal to it, or to a part of the variable
 * around it. Only scalars count that had several values, for those that never change are equal to much by chance.
 *
 * A matrix that is there as a whole does not count: readers would show it with rows and columns exchanged. Nor does a component of a vector
 * that is no part of the variable, for no record can name it.
 */
import { type Datum, isList, partAt } from '../support/interpreter/value.ts';
import { type Frame, isPlace } from '../support/spirv-machine/execute.ts';

/** A scalar of a variable at a step. */
interface Site {
  shown: number;
  lost: number;
  values: Set<Datum>;
  /** Ids that had it whenever it was not shown; absent before the first time. */
  holders?: Set<number>;
}

/** So many different values a scalar must have had. */
const fewestValues = 3;

/** Collects what several runs of one module hold. */
export class Existing {
  readonly #sites = new Map<string, Site>();

  /** `key` names the step and the variable, `path` the scalar in it. */
  shown(key: string, variable: Datum, path: readonly number[]): void {
    this.#site(key, variable, path).shown++;
  }

  lost(key: string, variable: Datum, path: readonly number[], { registers }: Frame): void {
    const site = this.#site(key, variable, path);
    site.lost++;
    site.holders ??= new Set(registers.keys());
    const parts = [...path, -1].map((_, i) => partAt(variable, path.slice(0, i))!);
    for (const id of site.holders) {
      const held = registers.get(id);
      const isHolder =
        held !== undefined && !isPlace(held) && parts.some((part) => isSame(held as Datum, part));
      if (!isHolder) site.holders.delete(id);
    }
  }

  /** Of the scalars that have several values: how often they were shown, and how often not although the program had them. */
  count(): { shown: number; missed: number } {
    const sum = { shown: 0, missed: 0 };
    for (const { shown, lost, values, holders } of this.#sites.values()) {
      if (values.size < fewestValues) continue;
      sum.shown += shown;
      if (holders && holders.size > 0) sum.missed += lost;
    }
    return sum;
  }

  #site(key: string, variable: Datum, path: readonly number[]): Site {
    const name = `${key} ${path}`;
    let site = this.#sites.get(name);
    if (!site) {
      site = { shown: 0, lost: 0, values: new Set() };
      this.#sites.set(name, site);
    }
    if (site.values.size < fewestValues) site.values.add(partAt(variable, path)!);
    return site;
  }
}

function isSame(held: Datum, part: Datum, depth = 0): boolean {
  if (!isList(held) || !isList(part)) return Object.is(held, part);
  // A list of lists is a matrix, or has more than a record of a part would tell.
  return depth === 0 && held.length === part.length && held.every((one, i) => isSame(one, part[i]!, 1));
}
