/** SHA-256 (FIPS 180-4) of words, each taken as four bytes with the lowest first: names code by what it is, on every platform. */

/** 64 lower-case hexadecimal digits. */
export function sha256(words: Uint32Array): string {
  const state = fractions(8, Math.sqrt);
  const length = words.length * 4;
  const padded = new Uint32Array(Math.ceil((length + 9) / 64) * 16);
  for (let i = 0; i < words.length; i++) padded[i] = swapBytes(words[i]!);
  padded[words.length] = 0x80000000;
  padded[padded.length - 2] = Math.floor(length / 0x20000000);
  padded[padded.length - 1] = (length * 8) >>> 0;
  const constants = roundConstants();
  for (let at = 0; at < padded.length; at += 16) compress(state, padded, at, constants);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function swapBytes(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** The first 32 bits of the fractional parts of a root of each of the first primes. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (isPrime) found.push(root(n) % 1);
  }
  return Uint32Array.from(found, (fraction) => Math.floor(fraction * 0x100000000));
}

let madeConstants: Uint32Array | undefined;
const roundConstants = (): Uint32Array => (madeConstants ??= fractions(64, Math.cbrt));
const schedule = new Uint32Array(64);

/** Takes in the 16 words from `at` on. Rotations are written out: most modules are hashed before V8 would inline a call. */
function compress(state: Uint32Array, words: Uint32Array, at: number, constants: Uint32Array): void {
  for (let i = 0; i < 16; i++) schedule[i] = words[at + i]!;
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!;
    const late = schedule[i - 2]!;
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[i] = schedule[i - 16]! + s0 + schedule[i - 7]! + s1;
  }
  let a = state[0]! | 0;
  let b = state[1]! | 0;
  let c = state[2]! | 0;
  let d = state[3]! | 0;
  let e = state[4]! | 0;
  let f = state[5]! | 0;
  let g = state[6]! | 0;
  let h = state[7]! | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + schedule[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
