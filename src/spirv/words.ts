import { isPlainText, stringWords } from './texts.ts';

/** Words of SPIR-V in a row, instruction by instruction; a typed array, for a module has millions. */
export class Words {
  #words = new Uint32Array(0);
  length = 0;
  /** Where the instruction added last begins. */
  last = 0;
  /** Words that are known when all code is there, by place. */
  readonly #late: { at: number; word: () => number }[] = [];

  add(op: number, operands: readonly number[]): void {
    const size = operands.length + 1;
    const first = this.#extend(size);
    const words = this.#words;
    words[first] = (size << 16) | op;
    // Texts are long; for the few words of most instructions a call costs more than the loop.
    if (size > 32) words.set(operands, first + 1);
    else for (let i = 1; i < size; i++) words[first + i] = operands[i - 1]!;
  }

  /** An instruction with a result and the result's type. */
  addResult(op: number, typeId: number, id: number, operands: readonly number[]): void {
    const size = operands.length + 3;
    const first = this.#extend(size);
    const words = this.#words;
    words[first] = (size << 16) | op;
    words[first + 1] = typeId;
    words[first + 2] = id;
    for (let i = 3; i < size; i++) words[first + i] = operands[i - 3]!;
  }

  /** An instruction whose operands end in a text. */
  addText(op: number, operands: readonly number[], text: string): void {
    // By far the most texts are ASCII, and some are long: their letters go into the words as they are.
    if (!isPlainText(text)) {
      this.add(op, [...operands, ...stringWords(text)]);
      return;
    }
    const size = operands.length + 2 + (text.length >> 2);
    let at = this.#extend(size);
    const words = this.#words;
    words[at++] = (size << 16) | op;
    for (let i = 0; i < operands.length; i++) words[at++] = operands[i]!;
    // Behind the text there is no character, and so the last word has a nul.
    for (let i = 0; i <= text.length; i += 4)
      words[at++] =
        text.charCodeAt(i) |
        (text.charCodeAt(i + 1) << 8) |
        (text.charCodeAt(i + 2) << 16) |
        (text.charCodeAt(i + 3) << 24);
  }

  /** Puts words between those at `at - 1` and `at`. */
  insert(at: number, words: Uint32Array | readonly number[]): void {
    const end = this.length;
    const last = this.last < at ? this.last : this.last + words.length;
    this.#extend(words.length);
    this.last = last;
    this.#words.copyWithin(at + words.length, at, end);
    this.#words.set(words, at);
    this.#moveLate(at, words.length);
  }

  /** Gives the instruction at `at` more operands. */
  lengthen(at: number, operands: readonly number[]): void {
    this.insert(at + (this.#words[at]! >>> 16), operands);
    this.#words[at]! += operands.length << 16;
  }

  /** Makes the instruction at `at`, which has no late words, the last one. */
  moveToEnd(at: number): void {
    const end = this.length;
    const size = this.#words[at]! >>> 16;
    this.insert(end, this.#words.slice(at, at + size));
    this.#words.copyWithin(at, at + size, this.length);
    this.length = end;
    this.#moveLate(at, -size);
    this.last = end - size;
  }

  /** The word at `at` is asked for when all code is there. */
  fillLater(at: number, word: () => number): void {
    this.#late.push({ at, word });
  }

  fillLateWords(): void {
    for (const { at, word } of this.#late) this.#words[at] = word();
  }

  filled(): Uint32Array {
    return this.#words.subarray(0, this.length);
  }

  /** Makes room for an instruction; gives its place. */
  #extend(size: number): number {
    const first = this.length;
    this.length = first + size;
    this.last = first;
    if (this.length > this.#words.length) {
      const grown = new Uint32Array(Math.max(256, 2 * this.#words.length, this.length));
      grown.set(this.#words);
      this.#words = grown;
    }
    return first;
  }

  /** Late words from `at` on have moved; they stand in order. */
  #moveLate(at: number, by: number): void {
    for (let i = this.#late.length - 1; i >= 0 && this.#late[i]!.at >= at; i--) this.#late[i]!.at += by;
  }
}
