/** The Metal backend: its table, its text, its messages. */
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/cli/command.ts';
import { families, intrinsicByKey } from '../../src/intrinsics/table.ts';
import { scalarConstant } from '../../src/msl/constants.ts';
import type { Context } from '../../src/msl/context.ts';
import { isReserved, Names, plain } from '../../src/msl/names.ts';
import { floatType } from '../../src/types/type.ts';
import { checkMsl, toMsl } from '../support/msl.ts';
import { describeWith } from '../support/tools.ts';

const codes = (text: string, profile: string, options = {}): string[] =>
  toMsl(text, profile, options).diagnostics.map((one) => `${one.code} ${one.line}`);

describe('intrinsics in Metal', () => {
  it('spells every row that SPIR-V spells, or says that Metal lacks it', () => {
    const silent = Object.values(families)
      .flat()
      .filter((row) => row.spirv && !intrinsicByKey(row.key)?.msl)
      // Textures with a sampler in them are refused by their type.
      .map((row) => row.key);
    expect(silent).toEqual([]);
  });
});

describe('names', () => {
  it('keeps what Metal takes and changes what it reserves', () => {
    expect(plain('light')).toBe('light');
    expect(plain('kernel')).toBe('kernel0');
    expect(plain('$Globals')).toBe('Globals');
    expect(plain('a__b')).toBe('a_b');
    expect(isReserved('float3')).toBe(true);
  });
  it('makes names unique', () => {
    const names = new Names();
    expect([names.unique('a'), names.unique('a'), names.unique('a_1'), names.unique('a')]).toEqual([
      'a',
      'a_1',
      'a_1_1',
      'a_2',
    ]);
  });
});

const pixel = `cbuffer Light : register(b1) { float3 direction; float power; };
Texture2D albedo : register(t3);
SamplerState smooth : register(s2);
float shade(float3 n) {
  float d = dot(n, direction);
  return pow(d, power);
}
float4 main(float2 uv : TEXCOORD0, float3 n : NORMAL) : SV_Target {
  float4 color = albedo.Sample(smooth, uv);
  [branch] if (color.a < 0.5)
    color.rgb *= shade(n);
  return color;
}`;

/** The line that a compiler believes a text to stand on. */
function lineOf(text: string, part: string): number {
  let next = 1;
  for (const line of text.split('\n')) {
    const directive = /^#line (\d+) "/.exec(line);
    if (directive) next = Number(directive[1]);
    else if (line.includes(part)) return next;
    else next++;
  }
  return -1;
}

describe('text', () => {
  it('renames main, numbers bindings and tells of both', () => {
    const { msl, reflection } = toMsl(pixel, 'ps_6_0');
    expect(msl).toContain('fragment main0_out main0(');
    expect(reflection?.metal?.entryPoints).toEqual([{ name: 'main0', source: 'main', stage: 'pixel' }]);
    expect(reflection?.metal?.bindings.map(({ name, table, index }) => [name, table, index])).toEqual([
      ['Light', 'buffer', 0],
      ['albedo', 'texture', 0],
      ['smooth', 'sampler', 0],
    ]);
  });
  it('takes indices from the map', () => {
    const { msl } = toMsl(pixel, 'ps_6_0', { metal: { bindings: { albedo: 7 } } });
    expect(msl).toContain('albedo [[texture(7)]]');
  });
  it('leads each statement to its line, by directives and the count of lines', () => {
    const { msl } = toMsl(pixel, 'ps_6_0', { debugInfo: true });
    expect(lineOf(msl!, 'fragment main0_out')).toBe(8);
    expect(lineOf(msl!, 'albedo.sample')).toBe(9);
    expect(lineOf(msl!, 'if (color.w')).toBe(10);
    // Inlined code keeps its own lines.
    expect(lineOf(msl!, 'd = metal::dot')).toBe(5);
    expect(lineOf(msl!, 'return out')).toBe(12);
  });
  it('leads statements to their lines over empty ones, and back', () => {
    const spread = `float4 main(float a : A) : SV_Target {
  float b = a * 3; float c = b * b;

  [branch] if (c > 2)


    c -= b;

  return float4(b, c,
    a, 1);
}`;
    const { msl } = toMsl(spread, 'ps_6_0', { debugInfo: true, optimize: false });
    for (const [part, line] of [
      ['b = a * 3.0f', 2],
      ['c = b * b', 2],
      ['if (c > 2.0f)', 4],
      ['c -= b;', 7],
      ['out.SV_Target =', 9],
      ['return out;', 9],
    ] as const)
      expect(lineOf(msl!, part), part).toBe(line);
  });
  it('has none without debug information, and is the same otherwise', () => {
    const off = toMsl(pixel, 'ps_6_0').msl!;
    const on = toMsl(pixel, 'ps_6_0', { debugInfo: true }).msl!;
    expect(off).not.toContain('#line');
    expect(on.replace(/^#line.*\n/gm, '')).toBe(off);
  });
  it('keeps the names of variables with the optimizer on', () => {
    expect(toMsl(pixel, 'ps_6_0').msl).toMatch(/metal::float4 color = albedo\.sample\(smooth, uv\);/);
  });
  it('makes both targets at once, and the same SPIR-V as alone', () => {
    const both = toMsl(pixel, 'ps_6_0', { targets: ['spirv', 'msl'] });
    const alone = toMsl(pixel, 'ps_6_0', { targets: ['spirv'] });
    expect(both.msl).toBe(toMsl(pixel, 'ps_6_0').msl);
    expect(both.spirv).toEqual(alone.spirv);
    expect(alone.msl).toBeUndefined();
  });
});

describe('messages', () => {
  it('names what Metal lacks, at its line', () => {
    const text =
      'RWStructuredBuffer<double> o;\n[numthreads(1, 1, 1)] void main() {\n  o[0] = o[1] * 2.0L;\n}';
    expect(codes(text, 'cs_6_0')[0]).toMatch(/^OS6001/);
  });
  it('OS6002: asks for the version that a feature needs', () => {
    const text =
      'RWTexture2D<uint> t;\n[numthreads(1, 1, 1)] void main(uint2 i : SV_DispatchThreadID) {\n  InterlockedAdd(t[i], 1);\n}';
    expect(codes(text, 'cs_6_0')).toContain('OS6002 1');
    expect(toMsl(text, 'cs_6_0', { metal: { version: '3.1' } }).ok).toBe(true);
  });
  it('OS6003: says what is not there yet', () => {
    const text =
      'vk::SampledTexture2D<float4> s;\nfloat4 main() : SV_Target { return s.Sample(float2(0, 0)); }';
    expect(codes(text, 'ps_6_0')[0]).toMatch(/^OS6003 1/);
    const counters =
      'RWStructuredBuffer<uint> b[2];\n[numthreads(1, 1, 1)] void main() { b[1].IncrementCounter(); }';
    expect(codes(counters, 'cs_6_0')).toEqual(['OS6003 1']);
  });
  it('makes handles of arrays without size', () => {
    const text =
      'Texture2D t[] : register(t0); SamplerState s;\nfloat4 main(uint i : I) : SV_Target { return t[NonUniformResourceIndex(i)].Sample(s, 0); }';
    expect(toMsl(text, 'ps_6_0').msl).toMatch(/\bt\[[\w.]+\]\.e\.sample\(/);
    expect(codes(text, 'ps_6_0', { metal: { version: '2.4' } })[0]).toBe('OS6002 1');
  });
  it('OS6004: finds indices that clash', () => {
    expect(
      codes(
        pixel
          .replace('SamplerState', 'Texture2D other; float4 x() { return other[int2(0,0)]; } SamplerState')
          .replace('return color;', 'return color + x();'),
        'ps_6_0',
        { metal: { bindings: { albedo: 1, other: 1 } } },
      ).join(),
    ).toContain('OS6004');
  });
  it('OS6005: finds indices beyond the table', () => {
    expect(codes(pixel, 'ps_6_0', { metal: { bindings: { smooth: 16 } } }).join()).toContain('OS6005 3');
  });
});

describeWith(['clang'], 'Metal text type-checks', () => {
  it('and the check finds faults', () => {
    const { msl } = toMsl(pixel, 'ps_6_0');
    expect(checkMsl({ good: msl! })).toBe('');
    expect(checkMsl({ bad: msl!.replace('metal::float4 color', 'metal::float3 color') })).toContain('error');
  });
});

describe('flags', () => {
  const read = (...words: string[]) =>
    readCommandLine([...words, 'a.hlsl'], { read: () => '', exists: () => false }, '0').settings;
  it('choose the targets', () => {
    expect(read('-msl').compile.target).toBe('msl');
    expect(read('-Fo', 'a.spv', '-Fmsl', 'a.metal').compile.targets).toEqual(['spirv', 'msl']);
    expect(read('-Fo', 'a.spv').compile.targets).toBeUndefined();
    expect(read('-msl-version', '2.4', '-msl-platform', 'ios').compile.metal).toEqual({
      version: '2.4',
      platform: 'ios',
    });
    expect(read('-msl', '--robust').compile.metal).toEqual({ robust: true });
  });
  it.each([
    [['-msl-version', '9'], 'takes one of'],
    [['-msl-platform', 'tvos'], 'takes macos or ios'],
    [['-msl', '-Fc', 'a.txt'], 'is about SPIR-V'],
    [['-msl', '-Fo', 'a', '-Fmsl', 'b'], 'both name'],
    [['-Fmap', 'a.map'], 'needs Metal text'],
  ])('%j is refused', (words, message) => {
    expect(() => read(...words)).toThrow(message);
  });
});

describe('--robust', () => {
  const text = `StructuredBuffer<float> a; RWStructuredBuffer<float> o; RWStructuredBuffer<float> many[2]; Texture2D t[2];
[numthreads(1, 1, 1)] void main(uint3 i : SV_DispatchThreadID) {
  float sum = 0;
  [loop] for (uint k = 0; k < i.y; k++) sum += a[k];
  o[i.x] = sum + t[i.z].Load(int3(i.xy, 0)).x;
  many[i.z][i.x] = 1;
}`;
  const { msl, reflection } = toMsl(text, 'cs_6_0', { metal: { robust: true } });
  it('guards accesses by the sizes of buffers, which the reflection asks for', () => {
    expect(msl).toContain('(k < buffer_sizes[0] / 4u ? a[k] : 0.0f)');
    expect(msl).toMatch(/if \(i\.x < buffer_sizes\[1\] \/ 4u\) \{\n +o\[i\.x\] =/);
    expect(reflection?.metal?.bindings).toContainEqual({
      name: 'buffer sizes',
      table: 'buffer',
      index: 30,
      count: 1,
      kind: 'sizes',
    });
  });
  it('lets an index into resources choose the first where there is none, and keeps sizes beside arrays of buffers', () => {
    expect(msl).toContain('t[i.z < 2u ? i.z : 0].read(');
    expect(msl).toContain('metal::array<uint, 2> sizes [[id(2)]];');
    expect(msl).toContain('if (i.x < many.sizes[i.z < 2u ? i.z : 0] / 4u) {');
  });
  it('gives loops a way out that compilers cannot see through', () => {
    expect(msl).toContain('volatile bool leaves = false;');
    expect(msl).toMatch(/for \(uint k = 0u; k < i\.y; k\+\+\) \{\n +if \(leaves\) break;/);
  });
  it('takes the place of the sizes from the map', () => {
    const moved = toMsl(text, 'cs_6_0', { metal: { robust: true, bindings: { 'buffer sizes': 12 } } });
    expect(moved.msl).toContain('constant uint* buffer_sizes [[buffer(12)]]');
    expect(moved.reflection?.metal?.bindings.find(({ kind }) => kind === 'sizes')?.index).toBe(12);
  });
  it('changes nothing where it is off', () => {
    const off = toMsl(text, 'cs_6_0');
    expect(off.msl).not.toMatch(/buffer_sizes|volatile|\? i\.z/);
    expect(off.reflection?.metal?.bindings.some(({ kind }) => kind === 'sizes')).toBe(false);
  });
});

describe('numbers', () => {
  const body = (text: string) =>
    toMsl(
      `RWStructuredBuffer<int> o; [numthreads(1, 1, 1)] void main() { int a = o[1]; uint b = o[2]; ${text} }`,
      'cs_6_0',
    ).msl;
  it('wraps signed numbers where they may overflow', () => {
    expect(body('o[0] = a * 1664525;')).toContain('o[0] = int(uint(a) * uint(1664525));');
    expect(body('o[0] = a - 1;')).toContain('o[0] = a - 1;');
    expect(body('o[0] = b - 1;')).toContain('int(b - 1u)');
  });
  it('writes numbers by digits that give them back, and by bits where there are none', () => {
    const context = { module: { enable16BitTypes: false } } as Context;
    const written = (value: number) => scalarConstant(context, floatType, value);
    expect([NaN, Infinity, -Infinity, 2 ** -149, -0, Math.fround(0.1), 3, 1e20].map(written)).toEqual([
      'metal::as_type<float>(0x7fc00000u)',
      'metal::as_type<float>(0x7f800000u)',
      'metal::as_type<float>(0xff800000u)',
      'metal::as_type<float>(0x1u)',
      '-0.0f',
      '0.1f',
      '3.0f',
      '100000000000000000000.0f',
    ]);
  });
  it('takes counts of shifts modulo the width', () => {
    expect(body('o[0] = a << o[3];')).toContain('a << (o[3] & 31)');
  });
});
