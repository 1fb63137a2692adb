/** What random programs have in common. */

/** A generator of numbers from 0 to 1 that gives the same ones everywhere. */
export function numbersFrom(seed: number): () => number {
  let state = seed * 2654435761 + 12345;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Debug information must change nothing, and be valid for any program. */
export const builds = [
  { optimize: 0 },
  { optimize: 0, debugInfo: true },
  { optimize: 3 },
  { optimize: 3, debugInfo: true },
] as const;
