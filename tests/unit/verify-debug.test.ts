/** The checker of debug information finds what is broken on purpose: each case changes one thing in a good module. */
import { describe, expect, test } from 'vitest';
import { readDebug } from '../../src/spirv/debug-reader.ts';
import { verifyDebug } from '../../src/spirv/verify-debug.ts';
import { debugBuild, shader } from '../support/debug-build.ts';

const good = debugBuild(
  shader(
    '  float x = 1;\n  if (id.x > 1) { float y = f(x); o[1] = y; }\n  o[0] = x;',
    'float f(float v) { return v * 2; }\n',
  ),
).words;

/** Encoded instructions: [opcode, ...operands]. */
type Code = number[][];
const decode = (words: Uint32Array): Code => readDebug(words).code.map(({ op, words: w }) => [op, ...w]);
const encode = (code: Code): Uint32Array =>
  Uint32Array.from([
    ...good.slice(0, 5),
    ...code.flatMap(([op, ...w]) => [((w.length + 1) << 16) | op!, ...w]),
  ]);
/** Numbers of the instructions with a record. */
const at = (name: string): number[] =>
  readDebug(good)
    .all(name)
    .map((record) => record.at);
const [scope, line, declare, local] = [23, 103, 28, 26];
const isRecord = (each: number[], record: number): boolean => each[0] === 12 && each[4] === record;

test('the good module has no problem', () => {
  expect(verifyDebug(good).problems).toEqual([]);
  const { coverage } = verifyDebug(good);
  expect(coverage.withScope).toBe(coverage.instructions);
  expect(coverage.visible).toBe(coverage.variableSteps);
});

const breaks: [string, RegExp, (code: Code) => Code][] = [
  ['no scope', /has no scope/, (code) => code.filter((each) => !isRecord(each, scope))],
  ['no line', /neither a line/, (code) => code.filter((each) => !isRecord(each, line))],
  [
    'line behind the text',
    /of a text of/,
    (code) =>
      code.map((each) =>
        isRecord(each, line)
          ? each.with(6, each[7]!).with(7, each[7]!).with(6, number(60)).with(7, number(60))
          : each,
      ),
  ],
  ['no definition', /no DebugFunctionDefinition/, (code) => code.filter((each) => !isRecord(each, 101))],
  [
    'a definition twice',
    /more than one/,
    (code) => code.flatMap((each) => (isRecord(each, 101) ? [each, each] : [each])),
  ],
  ['no extension', /not declared/, (code) => code.filter(([op]) => op !== 10)],
  [
    'a record behind the end of a block',
    /behind the end/,
    (code) => code.flatMap((each) => (each[0] === 253 ? [each, code[at('DebugLine')[0]!]!] : [each])),
  ],
  [
    'a record between merge and branch',
    /between a merge/,
    (code) => code.flatMap((each) => (each[0] === 247 ? [each, code[at('DebugLine')[0]!]!] : [each])),
  ],
  [
    'a declaration of something else',
    /something else/,
    (code) => code.map((each) => (isRecord(each, declare) ? each.with(6, number(1)) : each)),
  ],
  [
    'a variable without unit',
    /is not/,
    (code) => code.map((each) => (isRecord(each, local) ? each.with(8, each[2]!) : each)),
  ],
  [
    'records before types',
    /instead of after all/,
    (code) => {
      const first = code.findIndex(([op]) => op === 19);
      const none = at('DebugSource')[0]!;
      return [
        ...code.slice(0, first + 1),
        code[none]!,
        ...code.slice(first + 1, none),
        ...code.slice(none + 1),
      ];
    },
  ],
];

/** The id of a constant that is larger than the text has lines, or of any number. */
function number(least: number): number {
  for (const [id, value] of readDebug(good).numbers) if (value >= least) return id;
  return [...readDebug(good).numbers.keys()].at(-1)!;
}

test.each(breaks)('%s', (_, problem, change) => {
  expect(verifyDebug(encode(change(decode(good)))).problems.join('\n')).toMatch(problem);
});

test('what is no module, or has no records', () => {
  expect(verifyDebug(Uint32Array.of(1, 2)).problems).toEqual(['this is no SPIR-V module']);
  expect(verifyDebug(debugBuild(shader('o[0] = 1;'), { debugInfo: false }).words).problems[0]).toMatch(
    /no debug information/,
  );
});

test('words that were changed at random are no reason to stop', () => {
  let seed = 20261130;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const count = process.env['ONESHADER_LONG'] === '1' ? 20_000 : 600;
  for (let n = 0; n < count; n++) {
    const words = good.slice(0, n % 7 === 0 ? 5 + random(good.length) : good.length);
    for (let changes = 1 + random(4); changes > 0; changes--) {
      const at = random(words.length);
      words[at] = [
        random(2 ** 32),
        words[at]! ^ (1 << random(32)),
        random(good[3]!),
        words[random(words.length)]!,
      ][random(4)]!;
    }
    expect(() => verifyDebug(words)).not.toThrow();
  }
});

describe('types that make no sense', () => {
  const { words } = debugBuild(
    shader(
      '  S s = { 1, { 2, 3 } };\n  float w[2] = { 4, 5 };\n  o[0] = s.a + s.b[id.x & 1] + w[id.y & 1];',
      'struct S { float a; float b[2]; };\n',
    ),
  );
  /** Gives each record of a kind another operand. */
  const changed = (name: string, operand: number, to: (each: number[]) => number): string => {
    const { byId } = readDebug(words);
    const code = decode(words);
    for (const each of code)
      if (each[0] === 12 && byId.get(each[2]!)?.name === name && each[5 + operand] !== undefined)
        each[5 + operand] = to(each);
    return verifyDebug(encode(code)).problems.join();
  };

  test('an array of itself', () => {
    expect(changed('DebugTypeArray', 0, (each) => each[2]!)).toContain('refers to a record behind it');
  });

  test('a member that is no record', () => {
    expect(changed('DebugTypeComposite', 9, (each) => each[1]!)).toContain('DebugTypeComposite');
  });
});
