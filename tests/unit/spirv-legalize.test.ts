import { describe, expect, test } from 'vitest';
import { baseInstance } from '../../src/spirv/legalize/base-instance.ts';
import { baseVertex } from '../../src/spirv/legalize/base-vertex.ts';
import { clipDistances } from '../../src/spirv/legalize/clip-distances.ts';
import { flatResourceArrays } from '../../src/spirv/legalize/flat-resource-arrays.ts';
import { interfaceTypes } from '../../src/spirv/legalize/interface-types.ts';
import { signedRemainders } from '../../src/spirv/legalize/signed-remainders.ts';
import { texelParts } from '../../src/spirv/legalize/texel-parts.ts';
import type { Module } from '../../src/ir/ir.ts';
import { afterPass } from '../support/spirv.ts';

const variable = (
  direction: 'input' | 'output',
  name: string,
  type: string,
  semantic: string,
  builtin = '',
): string =>
  `global @${name}: ptr<${direction}, ${type}> ${direction} "${name}": ${type} semantic ${semantic}${builtin && ` builtin "${builtin}"`}${builtin ? '' : ' location 0'}`;

/** The body of `main` after a pass, names and positions taken off. */
function body(text: string, pass: (module: Module) => void): string[] {
  const printed = afterPass(text, pass);
  const lines = printed.slice(printed.indexOf('function main')).split('\n').slice(1);
  return lines
    .map((line) => line.replace(/\s*;.*$/, '').trim())
    .filter((line) => line !== '' && line !== '}');
}

const stage = (kind: string, inputs: string, outputs: string, code: string) =>
  `function main(): void entry ${kind} "main"${inputs && ` inputs ${inputs}`}${outputs && ` outputs ${outputs}`} {\n${code}\nreturn\n}`;

describe('signed remainders', () => {
  const remainder = (type: string, left: string, right: string): string[] =>
    body(
      `${variable('output', 'b', type, '"SV_Target" 0')}
${variable('input', 'a', type, '"A" 0')}
${stage('pixel', '@a', '@b', `%v: ${type} = load @a\n%m: ${type} = and %v, ${type === 'int' ? '7' : `${type}(7, 7)`}\n%r: ${type} = rem ${left}, ${right}\nstore @b, %r`)}`,
      signedRemainders,
    ).slice(2, -2);

  test('are taken by a division', () => {
    expect(remainder('int', '%v', '8')).toEqual([
      '%0: int = div %v, 8',
      '%1: int = mul %0, 8',
      '%2: int = sub %v, %1',
    ]);
    expect(remainder('int2', '%v', '%m')).toHaveLength(3);
    expect(remainder('int', '%m', '-8')).toHaveLength(3);
  });

  test('stay where nothing is negative, and where numbers have no sign', () => {
    expect(remainder('int', '%m', '8')).toEqual(['%r: int = rem %m, 8']);
    expect(remainder('int2', '%m', 'int2(8, 3)')).toHaveLength(1);
    expect(remainder('uint2', '%v', '%m')).toHaveLength(1);
  });
});

describe('interface types', () => {
  test('bools travel as uints', () => {
    const text = `${variable('input', 'a', 'bool2', '"A" 0')}\n${variable('output', 'b', 'bool', '"SV_Target" 0')}\n${stage('pixel', '@a', '@b', '%v: bool2 = load @a\n%x: bool = extract %v [1]\nstore @b, %x')}`;
    expect(body(text, interfaceTypes)).toEqual([
      '%0: uint2 = load @a',
      '%1: bool2 = convert %0',
      '%x: bool = extract %1 [1]',
      '%2: uint = convert %x',
      'store @b, %2',
      'return',
    ]);
  });

  test('fewer components than the built-in has', () => {
    const text = `${variable('input', 'id', 'int2', '"SV_DispatchThreadID" 0', 'SV_DispatchThreadID')}\n${stage('compute', '@id', '', '%v: int2 = load @id')}`;
    expect(body(text, interfaceTypes)).toEqual([
      '%0: int3 = load @id',
      '%1: int2 = swizzle %0 [0, 1]',
      'return',
    ]);
  });

  test('coverage is an array of one mask', () => {
    const text = `${variable('output', 'c', 'uint', '"SV_Coverage" 0', 'SV_Coverage')}\n${stage('pixel', '', '@c', 'store @c, uint(3)')}`;
    expect(body(text, interfaceTypes)[0]).toMatch(/uint\[1\] = construct/);
  });

  test('what fits is left alone', () => {
    const text = `${variable('input', 'v', 'int', '"SV_VertexID" 0', 'SV_VertexID')}\n${stage('vertex', '@v', '', '%v: int = load @v')}`;
    expect(body(text, interfaceTypes)).toEqual(['%v: int = load @v', 'return']);
  });
});

test('clip distances of one side become one array in order of their indices', () => {
  const text = `${variable('output', 'late', 'float2', '"SV_ClipDistance" 1', 'SV_ClipDistance')}\n${variable('output', 'early', 'float', '"SV_ClipDistance" 0', 'SV_ClipDistance')}\n${stage('vertex', '', '@late, @early'.replace(',', ''), 'store @late, float2(1.0, 2.0)\nstore @early, 3.0')}`;
  const lines = body(text, clipDistances);
  expect(lines.filter((line) => line.includes('access')).map((line) => line.replace(/.*access/, ''))).toEqual(
    [' @out.var.SV_ClipDistance, 1', ' @out.var.SV_ClipDistance, 2', ' @out.var.SV_ClipDistance, 0'],
  );
});

test.each([
  ['SV_InstanceID', 'SV_StartInstanceLocation', baseInstance],
  ['SV_VertexID', 'SV_StartVertexLocation', baseVertex],
])('%s starts at 0', (name, base, pass) => {
  const text = `${variable('input', 'i', 'uint', `"${name}" 0`, name)}\n${stage('vertex', '@i', '', '%v: uint = load @i')}`;
  expect(body(text, pass)).toEqual([
    '%0: uint = load @i',
    `%1: uint = load @in.var.${base}`,
    '%2: uint = sub %0, %1',
    'return',
  ]);
});

test('parts of texels are written through the whole', () => {
  const text = `global @t: ptr<resource, RWTexture2D<float4>> resource set 0 binding 0\n${stage('compute', '', '', '%t: ptr<texel, float4> = texel @t, uint2(0, 0)\n%p: ptr<texel, float> = access %t, 1\n%v: float = load %p\nstore %p, %v')}`;
  expect(body(text, texelParts)).toEqual([
    '%t: ptr<texel, float4> = texel @t, uint2(0, 0)',
    '%0: float4 = load %t',
    '%1: float = extract %0 [1]',
    '%2: float4 = load %t',
    '%3: float4 = insert %2, %1 [1]',
    'store %t, %3',
    'return',
  ]);
});

test('arrays of arrays of resources get one dimension', () => {
  const text = `global @b: ptr<resource, RWStructuredBuffer<float>[2][3]> resource set 0 binding 0\n${stage('compute', '', '', '%p: ptr<resource, RWStructuredBuffer<float>> = access @b, 1, 2\n%n: int = convert uint(1)\n%q: ptr<resource, RWStructuredBuffer<float>> = access @b, %n, uint(1)')}`;
  const lines = body(text, flatResourceArrays);
  expect(lines[0]).toMatch(/access @b, 5u$/);
  expect(lines.slice(2)).toEqual([
    '%0: uint = convert %n',
    '%1: uint = mul %0, 3u',
    '%2: uint = add %1, 1u',
    expect.stringMatching(/access @b, %2$/),
    'return',
  ]);
  expect(afterPass(text, flatResourceArrays)).toContain('RWStructuredBuffer<float>[6]>');
});
