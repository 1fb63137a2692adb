import { describe, expect, test } from 'vitest';
import { sroa } from '../../src/passes/sroa.ts';
import { mainBehind } from '../support/passes.ts';

const head = `struct Light { dir: float3 power: float[2] m: float2x2 }
scope unit unit at a.hlsl:1:1
scope main function "main" in unit at a.hlsl:1:1
variable $l "l": Light in main at a.hlsl:3:5-6
file a.hlsl
global @g: ptr<private, Light> private
global @f: ptr<private, float> private
global @n: ptr<private, int> private
`
  .replace('float3 power', 'float3, power')
  .replace('[2] m', '[2], m');
const lines = (body: string, positions = false): string[] =>
  mainBehind(
    `${head}function main(): void in main entry compute "main" {\n${body}\nreturn ; a.hlsl:9:1\n}\n`,
    [sroa],
    positions,
  );

describe('sroa', () => {
  test('parts that constants reach become variables; an array with a run-time index stays', () => {
    expect(
      lines(`%l: ptr<function, Light> = var
        %i: int = load @n
        %0: ptr<function, float3> = access %l, 0
        %1: ptr<function, float> = access %0, 1
        store %1, 1.0
        %2: ptr<function, float> = access %l, 1, %i
        store %2, 2.0
        %3: ptr<function, float2> = access %l, 2, 1
        %4: float2 = load %3`),
    ).toEqual([
      '%l.dir: ptr<function, float3> = var',
      '%l.power: ptr<function, float[2]> = var',
      '%l.m.1: ptr<function, float2> = var',
      '%i: int = load @n',
      '%0: ptr<function, float> = access %l.dir, 1',
      'store %0, 1.0',
      '%1: ptr<function, float> = access %l.power, %i',
      'store %1, 2.0',
      '%2: float2 = load %l.m.1',
      'return',
    ]);
  });

  test('whole loads and stores go through all parts; parts of values that are known are taken from there', () => {
    expect(
      lines(`%l: ptr<function, Light> = var
        %k: ptr<function, Light> = var
        %0: Light = load @g
        store %l, %0
        %1: ptr<function, float> = access %l, 1, 0
        store %1, 1.0
        %2: Light = load %l
        store %k, %2
        %3: ptr<function, float> = access %k, 1, 1
        %4: float = load %3
        store @f, %4`),
    ).toEqual([
      '%l.dir: ptr<function, float3> = var',
      '%l.power.0: ptr<function, float> = var',
      '%l.power.1: ptr<function, float> = var',
      '%l.m: ptr<function, float2x2> = var',
      '%k.dir: ptr<function, float3> = var',
      '%k.power.0: ptr<function, float> = var',
      '%k.power.1: ptr<function, float> = var',
      '%k.m: ptr<function, float2x2> = var',
      '%0: Light = load @g',
      '%1: float3 = extract %0 [0]',
      'store %l.dir, %1',
      '%2: float = extract %0 [1, 0]',
      'store %l.power.0, %2',
      '%3: float = extract %0 [1, 1]',
      'store %l.power.1, %3',
      '%4: float2x2 = extract %0 [2]',
      'store %l.m, %4',
      'store %l.power.0, 1.0',
      '%5: float3 = load %l.dir',
      '%6: float = load %l.power.0',
      '%7: float = load %l.power.1',
      '%8: float[2] = construct %6, %7',
      '%9: float2x2 = load %l.m',
      '%10: Light = construct %5, %8, %9',
      'store %k.dir, %5',
      'store %k.power.0, %6',
      'store %k.power.1, %7',
      'store %k.m, %9',
      '%11: float = load %k.power.1',
      'store @f, %11',
      'return',
    ]);
  });

  test('a variable that nothing takes apart stays whole', () => {
    const body =
      '%l: ptr<function, Light> = var\n%0: Light = load @g\nstore %l, %0\n%1: Light = load %l\nstore @g, %1';
    expect(lines(body)[0]).toBe('%l: ptr<function, Light> = var');
  });

  test('an index out of bounds leaves the array whole', () => {
    const body = '%a: ptr<function, float[2]> = var\n%0: ptr<function, float> = access %a, 2\nstore %0, 1.0';
    expect(lines(body)[0]).toBe('%a: ptr<function, float[2]> = var');
  });

  test('large arrays that are copied stay whole', () => {
    const of = (count: number): string =>
      lines(
        `%a: ptr<function, float[${count}]> = var
         %0: float[${count}] = load %a
         store %a, %0
         %1: ptr<function, float> = access %a, 1
         store %1, 1.0`,
      )[0]!;
    expect(of(64)).toBe('%a.0: ptr<function, float> = var');
    expect(of(65)).toBe('%a: ptr<function, float[65]> = var');
  });

  test('the declaration becomes one per part, with its path and place', () => {
    expect(
      lines(
        `%l: ptr<function, Light> = var ; a.hlsl:3:5
        debug_declare $l %l ; a.hlsl:3:5-6
        %0: ptr<function, float> = access %l, 1, 1 ; a.hlsl:4:1
        store %0, 1.0 ; a.hlsl:4:5
        %1: ptr<function, float2x2> = access %l, 2 ; a.hlsl:5:1
        %2: float2x2 = load %1 ; a.hlsl:5:1`,
        true,
      ).map((line) => line.replace(/ {2};/, ' ;')),
    ).toEqual([
      '%l.power.1: ptr<function, float> = var ; a.hlsl:3:5',
      '%l.m: ptr<function, float2x2> = var ; a.hlsl:3:5',
      'debug_declare $l %l.power.1 [1, 1] ; a.hlsl:3:5-6',
      'debug_declare $l %l.m [2] ; a.hlsl:3:5-6',
      'store %l.power.1, 1.0 ; a.hlsl:4:5',
      '%0: float2x2 = load %l.m ; a.hlsl:5:1',
      'return ; a.hlsl:9:1',
    ]);
  });
});
