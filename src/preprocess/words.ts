/** Identifiers and keywords, interned: one object per spelling, which also holds the macro of that name. */
import { IDENT, keywords } from './kinds.ts';
import type { Macro } from './macro.ts';

export interface Word {
  readonly text: string;
  /** A keyword's kind, or `IDENT`. */
  readonly kind: number;
  readonly hash: number;
  /** The macro defined now. */
  macro: Macro | undefined;
}

/** One step of the hash of a spelling, per UTF-16 code unit. */
export function hashStep(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** A hash table that is asked with a range of a text, so that the lexer makes no string for a name it has met. */
export class Words {
  #slots: (Word | undefined)[] = new Array<Word | undefined>(1024).fill(undefined);
  #count = 0;

  /** The word spelled by `text` from `start` to `end`, whose hash the caller has computed. */
  find(text: string, start: number, end: number, hash: number): Word {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let word = this.#slots[slot]; word !== undefined; word = this.#slots[slot]) {
      if (word.hash === hash && word.text.length === end - start && text.startsWith(word.text, start))
        return word;
      slot = (slot + 1) & mask;
    }
    return this.#add(text.slice(start, end), hash, slot);
  }

  intern(text: string): Word {
    let hash = 0;
    for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i));
    return this.find(text, 0, text.length, hash);
  }

  #add(text: string, hash: number, slot: number): Word {
    const word: Word = { text, kind: keywords.get(text) ?? IDENT, hash, macro: undefined };
    this.#slots[slot] = word;
    if (++this.#count * 2 > this.#slots.length) this.#grow();
    return word;
  }

  #grow(): void {
    const old = this.#slots;
    const mask = old.length * 2 - 1;
    this.#slots = new Array<Word | undefined>(mask + 1).fill(undefined);
    for (const word of old) {
      if (!word) continue;
      let slot = (word.hash ^ (word.hash >>> 15)) & mask;
      while (this.#slots[slot]) slot = (slot + 1) & mask;
      this.#slots[slot] = word;
    }
  }
}
