import { describe, expect, test } from 'vitest';
import { CodeHash } from '../../src/spirv/code-hash.ts';
import { grammar, wordRoles } from '../../src/spirv/grammar.ts';
import { buildIdentifier, joinDebug, stripDebug } from '../../src/spirv/strip.ts';
import { wordsOf } from '../support/debug-records.ts';
import { toSpirv } from '../support/compile.ts';
import { testWith, validateSpirv } from '../support/tools.ts';

const text = `RWStructuredBuffer<uint> o;
uint pick(uint x) { switch (x) { case 1: return 5; default: return x; } }
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { uint64_t w = id.x; o[id.x] = pick(id.y) + (uint)(w >> 3); }
`;
const build = (debugInfo: boolean, optimize = false) =>
  wordsOf(toSpirv(text, { profile: 'cs_6_0', debugInfo, optimize }));

describe('the hash of code', () => {
  const digits = (words: Uint32Array): string => {
    const hash = new CodeHash();
    hash.add(words, 0, words.length);
    return hash.digits();
  };

  test('every bit of every word matters, to all parts of the hash', () => {
    const words = Uint32Array.from({ length: 9 }, (_, i) => (i * 2654435761) >>> 0);
    const seen = new Set([digits(words)]);
    for (let bit = 0; bit < 9 * 32; bit++) {
      const changed = words.slice();
      changed[bit >> 5]! ^= 1 << (bit & 31);
      seen.add(digits(changed));
    }
    expect(seen.size).toBe(1 + 9 * 32);
    for (let part = 0; part < 32; part += 8)
      expect(new Set([...seen].map((one) => one.slice(part, part + 8))).size).toBe(1 + 9 * 32);
  });

  test('order and number of words matter, the pieces they come in do not', () => {
    expect(digits(Uint32Array.of(1, 2))).not.toBe(digits(Uint32Array.of(2, 1)));
    const zeros = [0, 1, 2, 3, 4, 5, 8].map((count) => digits(new Uint32Array(count)));
    expect(new Set(zeros).size).toBe(zeros.length);
    for (const one of zeros) expect(one).toMatch(/^[0-9a-f]{32}$/);
    const hash = new CodeHash();
    hash.add(Uint32Array.of(7, 8, 9), 0, 1);
    hash.add(Uint32Array.of(7, 8, 9), 1, 3);
    expect(hash.digits()).toBe(digits(Uint32Array.of(7, 8, 9)));
  });
});

describe('stripping', () => {
  test('gives the code of the build without debug information, the same again when repeated', () => {
    for (const optimize of [false, true]) {
      const once = stripDebug(build(true, optimize), { keepIdentifier: false })!;
      expect(once).toEqual(stripDebug(build(false, optimize), { keepIdentifier: false }));
      expect(stripDebug(once, { keepIdentifier: false })).toEqual(once);
    }
  });

  test('what is printed is code and stays, in the same order', () => {
    const printing = `RWStructuredBuffer<uint> o;
void show(uint abc) { printf("q"); printf("abc", abc); }
[numthreads(1, 1, 1)] void main(uint3 q : SV_DispatchThreadID) { printf("%d", q.x); uint abc = o[1]; show(abc); printf("main"); o[0] = abc; }
`;
    for (const optimize of [false, true])
      for (const debugInfo of [true, 'line-table', 'line', 'tool'] as const) {
        const words = wordsOf(toSpirv(printing, { profile: 'cs_6_0', debugInfo, optimize }));
        const plain = wordsOf(toSpirv(printing, { profile: 'cs_6_0', debugInfo: false, optimize }));
        const options = { keepIdentifier: false };
        expect(stripDebug(words, options)).toEqual(stripDebug(plain, options));
        expect(plain.length).toBe(stripDebug(plain, options)!.length);
      }
  });

  test('the identifier names the code, and stays when asked for', () => {
    const words = build(true);
    const slim = stripDebug(words, { keepIdentifier: true })!;
    expect(buildIdentifier(slim)).toMatch(/^[0-9a-f]{32}$/);
    expect(buildIdentifier(slim)).toBe(buildIdentifier(words));
    const lines = wordsOf(toSpirv(text, { profile: 'cs_6_0', debugInfo: 'line-table', optimize: false }));
    expect(buildIdentifier(lines)).toBe(buildIdentifier(words));
    expect(buildIdentifier(build(true, true))).not.toBe(buildIdentifier(words));
    expect(joinDebug(slim, words)).toEqual({ words });
    for (const first of [words, slim])
      expect(joinDebug(first, slim)).toEqual({
        problem: 'the second module is a stripped one too: it has no debug information',
      });
  });

  test('code that was changed afterwards is not joined', () => {
    const words = build(true);
    const slim = stripDebug(words, { keepIdentifier: true })!;
    const changed = slim.map((word) => (word === 5 ? 6 : word));
    expect(joinDebug(changed, words)).toEqual({ problem: 'the code of the two modules differs' });
  });

  test('what is no module is refused', () => {
    expect(stripDebug(Uint32Array.of(1, 2, 3), { keepIdentifier: false })).toBeUndefined();
    expect(
      stripDebug(Uint32Array.of(...build(true), (2 << 16) | 56), { keepIdentifier: false }),
    ).toBeUndefined();
    const unknown = Uint32Array.of(...build(false), (1 << 16) | 60000);
    expect(stripDebug(unknown, { keepIdentifier: false })).toBeUndefined();
  });

  testWith(['spirv-val'], 'the validator accepts what is left', () => {
    for (const keepIdentifier of [false, true]) {
      const slim = stripDebug(build(true), { keepIdentifier })!;
      expect(validateSpirv(new Uint8Array(slim.buffer), ['--target-env', 'vulkan1.2'])).toBe('');
    }
  });
});

describe('roles of words', () => {
  test('every instruction of the grammar can be read', () => {
    for (const [op, { operands }] of grammar().instructions) {
      const roles = wordRoles(op, new Uint32Array(12));
      expect(roles!.length, operands.join()).toBeGreaterThanOrEqual(12);
    }
  });

  test('the indexes of an extract in a constant are numbers', () => {
    expect(wordRoles(52, Uint32Array.of(1, 2, 81, 3, 0))).toEqual([
      'type',
      'result',
      'literal',
      'id',
      'literal',
    ]);
    expect(wordRoles(251, Uint32Array.of(1, 2, 7, 0, 3), 2)).toEqual([
      'id',
      'id',
      'literal',
      'literal',
      'id',
    ]);
  });
});
