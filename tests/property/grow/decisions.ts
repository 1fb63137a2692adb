/** Choices taken from a list of numbers from 0 to 255; behind its end every choice is the first, the simplest. */
export class Decisions {
  readonly #list: readonly number[];
  #next = 0;

  constructor(list: readonly number[]) {
    this.#list = list;
  }

  choose(count: number): number {
    const decision = this.#list[this.#next++] ?? 0;
    return decision % count;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.choose(list.length)]!;
  }
  /** True once in `of` times. */
  chance(of: number): boolean {
    return this.choose(of) === of - 1;
  }
  get spent(): boolean {
    return this.#next >= this.#list.length;
  }
}
