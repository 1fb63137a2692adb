/** Collects the tokens that go to the parser. */
import type { Location } from '../source/source-map.ts';
import { END } from './kinds.ts';
import type { Tokens } from './token.ts';

export class TokenBuffer {
  count = 0;
  #kinds = new Uint8Array(4096);
  #at = new Int32Array(4096);
  #end = new Int32Array(4096);
  readonly #texts: string[] = [];
  readonly packMatrix: Tokens['packMatrix'] = [];

  push(kind: number, text: string, at: Location, end: Location): void {
    const n = this.count++;
    if (n === this.#kinds.length) this.#grow();
    this.#kinds[n] = kind;
    this.#texts.push(text);
    this.#at[n] = at;
    this.#end[n] = end;
  }

  /** Ends the list; the end-of-input token stands at `at`. */
  finish(at: Location): Tokens {
    this.push(END, '', at, at);
    this.count--;
    const { count, packMatrix } = this;
    const size = count + 1;
    const kinds = this.#kinds.slice(0, size);
    return {
      count,
      kinds,
      texts: this.#texts,
      at: this.#at.slice(0, size),
      end: this.#end.slice(0, size),
      packMatrix,
    };
  }

  #grow(): void {
    const size = this.#kinds.length * 2;
    const kinds = new Uint8Array(size);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    const at = new Int32Array(size);
    at.set(this.#at);
    this.#at = at;
    const end = new Int32Array(size);
    end.set(this.#end);
    this.#end = end;
  }
}
