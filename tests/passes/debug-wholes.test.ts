/** Records of parts that dead code removal joins to one of the whole, and what loads that become smaller leave of them. */
import { describe, expect, test } from 'vitest';
import { dce } from '../../src/passes/dce.ts';
import { reduceLoads } from '../../src/passes/reduce-loads.ts';
import { mainBehind, type Pass } from '../support/passes.ts';

const head = `file a.hlsl
struct S {
  dir: float3,
  power: float,
  size: float2
}
scope unit unit at a.hlsl:1:1
scope main function "main" in unit at a.hlsl:1:1
variable $m "m": float2x2 in main at a.hlsl:1:1
variable $s "s": S in main at a.hlsl:1:3
variable $t "t": S[2] in main at a.hlsl:1:5
global @f: ptr<private, float> private
global @v: ptr<private, float2> private
global @n: ptr<private, float2x2> private
global @l: ptr<private, S> private
`;

/** Each text is a statement of its own line. The records behind the passes, with lines if asked for, and loads of parts. */
function records(passes: Pass[], statements: readonly string[], positions = false): string[] {
  const given = ['%x: float = load @f', '%v: float2 = load @v', '%n: float2x2 = load @n', '%l: S = load @l'];
  const used = ['store @f, %x', 'store @v, %v', 'store @n, %n'];
  const code = [given.join('\n'), ...statements, used.join('\n')].flatMap((text, line) =>
    text.split('\n').map((one) => `${one} ; a.hlsl:${line + 2}:1`),
  );
  const body = [...code, 'return ; a.hlsl:99:1'].join('\n');
  return mainBehind(
    `${head}function main(): void in main entry compute "main" {\n${body}\n}\n`,
    passes,
    positions,
  )
    .filter((line) => line.startsWith('debug_value') || /load %/.test(line))
    .map((line) => line.replace(/-\d+$/, ''));
}

/** `variable = value;`, row by row. */
const rows = (value: string): string =>
  [0, 1]
    .map(
      (row) =>
        `%${value}${row}: float2 = extract %${value} [${row}]\ndebug_value $m %${value}${row} [${row}]`,
    )
    .join('\n');

describe('records of parts that only they need', () => {
  test('the value that lives tells them all, at the place of the first one', () => {
    expect(records([dce], [rows('n')], true)).toEqual(['debug_value $m %n  ; a.hlsl:3:1']);
  });

  /** `variable = %l;`, member by member; `path` leads to the part of the variable. */
  const members = (variable: string, path = ''): string =>
    ['float3', 'float', 'float2']
      .map((type, i) => `%m${i}: ${type} = extract %l [${i}]\ndebug_value ${variable} %m${i} [${path}${i}]`)
      .join('\n');

  test('so it does if code takes some of them out', () => {
    expect(records([dce], [members('$s'), 'store @f, %m1', 'store @l, %l'])).toEqual(['debug_value $s %l']);
  });

  test('and for a part of a variable', () => {
    expect(records([dce], [members('$t', '1, '), 'store @l, %l'])).toEqual(['debug_value $t %l [1]']);
  });

  test('rows that code has are kept but of a matrix that SPIR-V computes row by row', () => {
    const sum = '%a: float2x2 = add %n, %n\nstore @n, %a';
    const row = (of: string): string => `%c: float = extract %${of}1 [0]\nstore @f, %c`;
    expect(records([dce], [sum, rows('a'), row('a')])).toEqual(['debug_value $m %a']);
    expect(records([dce], [rows('n'), row('n')])).toEqual([
      'debug_value $m undef float2 [0]',
      expect.stringMatching(/^debug_value \$m %\w+ \[1\]$/),
    ]);
  });

  test('constants and values that die are joined with them', () => {
    const constants = 'debug_value $m float2(1.0, 0.0) [0]\ndebug_value $m float2(0.0, 1.0) [1]';
    expect(records([dce], [rows('n'), `%d: float2x2 = load @n\n${rows('d')}`, constants])).toEqual([
      'debug_value $m %n',
      'debug_value $m undef float2x2',
      'debug_value $m float2x2((1.0, 0.0), (0.0, 1.0))',
    ]);
  });

  test('parts that are taken out of a constant are constants', () => {
    const zero = 'float2x2((0.0, 0.0), (1.0, 0.0))';
    const parts = [0, 1]
      .map((row) => `%c${row}: float2 = extract ${zero} [${row}]\ndebug_value $m %c${row} [${row}]`)
      .join('\n');
    expect(records([dce], [rows('n'), parts])).toEqual(['debug_value $m %n', `debug_value $m ${zero}`]);
  });

  test.each([
    ['an assignment of one part', 'debug_value $m %v [1]', ['%v [1]']],
    [
      'parts of several values',
      '%o: float2 = extract %n [1]\ndebug_value $m %o [0]\ndebug_value $m %v [1]',
      ['undef float2 [0]', '%v [1]'],
    ],
    [
      'parts in another order',
      '%a: float2 = extract %n [1]\n%b: float2 = extract %n [0]\ndebug_value $m %a [0]\ndebug_value $m %b [1]',
      ['undef float2 [0]', 'undef float2 [1]'],
    ],
    [
      'code between the records',
      '%a: float2 = extract %n [0]\ndebug_value $m %a [0]\nstore @f, %x\n%b: float2 = extract %n [1]\ndebug_value $m %b [1]',
      ['undef float2 [0]', 'undef float2 [1]'],
    ],
  ])('%s: all stay parts', (_, statement, more) => {
    expect(records([dce], [rows('n'), statement])).toEqual(
      ['undef float2 [0]', 'undef float2 [1]', ...more].map((one) => `debug_value $m ${one}`),
    );
  });
});

describe('records of a value that is loaded in parts', () => {
  const load = '%d: S = load @l';

  test('tell the parts that are loaded', () => {
    const use =
      '%0: float = extract %d [0, 2]\n%1: float = extract %d [1]\n%2: float = add %0, %1\nstore @f, %2';
    expect(records([reduceLoads, dce], [`${load}\ndebug_value $s %d`, use])).toEqual([
      '%1: float = load %0',
      '%3: float = load %2',
      'debug_value $s undef float [0, 0]',
      'debug_value $s undef float [0, 1]',
      'debug_value $s %1 [0, 2]',
      'debug_value $s %3 [1]',
      'debug_value $s undef float2 [2]',
    ]);
  });

  test('and so do records of parts that code does not take out', () => {
    const size = `${load}\n%size: float2 = extract %d [2]\ndebug_value $s %size [2]`;
    const use = '%0: float = extract %d [2, 0]\n%1: float = extract %d [2, 1]\nstore @f, %0\nstore @f, %1';
    expect(records([reduceLoads, dce], [size, use])).toEqual([
      '%1: float2 = load %0',
      'debug_value $s %1 [2]',
    ]);
  });
});
