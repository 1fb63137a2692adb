const { imul } = Math;

/** A plain hash of 128 bits over words: names things, and resists nobody who wants two things of one name. */
export class CodeHash {
  #a = 0x243f6a88;
  #b = 0x85a308d3 | 0;
  #c = 0x13198a2e;
  #d = 0x03707344;
  #count = 0;

  add(words: Uint32Array, from: number, to: number): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let at = from; at < to; at++) {
      // Each lane takes in every fourth word and then its neighbour; no step forgets anything.
      let mixed = imul(words[at]!, 0xcc9e2d51);
      mixed = a ^ imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
      a = b;
      b = c;
      c = d;
      d = (imul(((mixed << 13) | (mixed >>> 19)) + a, 5) - 0x19ab949c) | 0;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.#count += to - from;
  }
  /** 32 hexadecimal digits, of which each depends on all words. */
  digits(): string {
    let lanes = [this.#a ^ this.#count, this.#b, this.#c, this.#d];
    for (let round = 0; round < 2; round++) {
      const sum = lanes.reduce((total, lane) => (total + lane) | 0, round + 1);
      lanes = lanes.map((lane, i) => scatter((imul(lane, 2 * i + 3) + sum) | 0));
    }
    return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

function scatter(word: number): number {
  let mixed = imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
