import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { grammar, wordRoles } from '../../src/spirv/grammar.ts';
import { sha256 } from '../../src/spirv/sha256.ts';
import { buildIdentifier, codeIdentifier, joinDebug, stripDebug } from '../../src/spirv/strip.ts';
import { wordsOf } from '../support/debug-records.ts';
import { toSpirv } from '../support/compile.ts';
import { testWith, validateSpirv } from '../support/tools.ts';

const text = `RWStructuredBuffer<uint> o;
uint pick(uint x) { switch (x) { case 1: return 5; default: return x; } }
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { uint64_t w = id.x; o[id.x] = pick(id.y) + (uint)(w >> 3); }
`;
const build = (debugInfo: boolean, optimize = false) =>
  wordsOf(toSpirv(text, { profile: 'cs_6_0', debugInfo, optimize }));

describe('SHA-256', () => {
  test.each([0, 1, 13, 14, 15, 16, 100])('of %i words', (count) => {
    const words = Uint32Array.from({ length: count }, (_, i) => (i * 2654435761) >>> 0);
    const expected = createHash('sha256').update(new Uint8Array(words.buffer)).digest('hex');
    expect(sha256(words)).toBe(expected);
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

  test('the identifier names the code, and stays when asked for', () => {
    const words = build(true);
    const slim = stripDebug(words, { keepIdentifier: true })!;
    expect(buildIdentifier(slim)).toBe(codeIdentifier(words));
    expect(codeIdentifier(slim)).toBe(codeIdentifier(words));
    expect(joinDebug(slim, words)).toEqual({ words });
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
