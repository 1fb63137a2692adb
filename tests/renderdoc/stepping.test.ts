/**
 * One compute thread, one pixel and one vertex stepped in RenderDoc: the sequence of lines, the call stacks and the variables must be
 * what the source says. A line is named by its text.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { type Shown, type Step, type Stepping, stepShader } from '../support/renderdoc.ts';
import { floats, image, sampler, zeros } from '../support/resources.ts';
import { describeWith } from '../support/tools.ts';
import { closeVulkan, runCompute, runGraphics } from '../support/vulkan.ts';

const shared = `// in both shaders
struct Light
{
    float3 dir;
    float power;
};

float lambert(Light l, float3 n)
{
    float d = dot(l.dir, n);
    if (d < 0.0)
        d = 0.0;
    return d * l.power;
}
`;

const computeText = `#include "light.hlsli"
StructuredBuffer<float4> src : register(t1);
RWStructuredBuffer<float4> dst : register(u0);
static uint calls = 7;

uint twist(uint x, uint k)
{
    uint y = x * 3;
    y ^= k;
    calls++;
    return y + 1;
}

void divide(int a, int b, out int quot, inout int total)
{
    quot = a / b;
    total += quot;
}

[numthreads(4, 1, 1)]
void CSMain(uint3 tid : SV_DispatchThreadID)
{
    uint acc = tid.x;
    for (uint i = 0; i < 2; ++i)
    {
        acc = twist(acc, i);
    }
    int q, total = 100;
    divide(17, 5, q, total);
    float2x3 m = float2x3(1, 2, 3, 4, 5, 6);
    m[1][0] = acc;
    float arr[3] = { 1, 2, 3 };
    arr[tid.x] = 9;
    Light l;
    l.dir = src[tid.x].xyz;
    l.power = 2;
    float e = lambert(l, float3(0, 0, 1));
    dst[tid.x] = float4(e, acc, total, arr[1]);
}
`;

const drawText = `#include "light.hlsli"
cbuffer Params : register(b0)
{
    float4 tint;
    float gain;
    uint taps;
};
Texture2D<float4> tex : register(t1);
SamplerState smp : register(s2);

struct V
{
    float4 pos : SV_Position;
    float2 uv : TEXCOORD;
};

float2 toUv(float2 p)
{
    float2 scaled = p * 0.5;
    return scaled + 0.5;
}

V VSMain(float4 p : POSITION)
{
    V o;
    o.pos = p;
    o.uv = toUv(p.xy);
    return o;
}

float4 blur(float2 uv)
{
    float4 sum = 0;
    for (uint k = 0; k < taps; k++)
        sum += tex.Sample(smp, uv);
    return sum / taps;
}

float4 PSMain(V i) : SV_Target
{
    Light l;
    l.dir = float3(0, 0.6, 0.8);
    l.power = gain;
    float lit = lambert(l, float3(0, 0, 1));
    if (i.uv.x > 0.5)
    {
        lit += 1;
    }
    else
    {
        lit -= 0.5;
    }
    float4 c = blur(i.uv);
    return c * lit + tint;
}
`;

function build(name: string, text: string, profile: string, entry: string): Uint8Array {
  const result = compile({
    source: { name, text },
    includes: { 'light.hlsli': shared },
    profile,
    entry,
    targetEnv: 'vulkan1.1',
    optimize: false,
    debugInfo: true,
  });
  if (!result.spirv) throw new Error(result.diagnostics.map((one) => one.rendered).join('\n'));
  return result.spirv;
}

/** Values that a variable has at the stops on a line, repeats left out. */
function valuesAt(stepping: Stepping, line: string, variable: string): (Shown | undefined)[] {
  const values = stepping.steps.filter((step) => lineOf(step) === line).map((step) => shown(step, variable));
  return values.filter((value, n) => n === 0 || JSON.stringify(value) !== JSON.stringify(values[n - 1]));
}

function shown(step: Step, variable: string): Shown | undefined {
  return (step.variables[variable] ?? step.globals[variable])?.value;
}

/** The line's text stands for it. */
function lineOf(step: Step): string {
  return step.text ?? '';
}

/** The stops: call stack and line. */
function walk(stepping: Stepping): string[] {
  return stepping.steps.map((step) => `${step.callstack.join('>')}: ${lineOf(step)}`);
}

describeWith(['renderdoc', 'lavapipe', 'g++'], 'stepping in RenderDoc', () => {
  let folder: string;
  let thread: Stepping;
  let pixel: Stepping;
  let vertex: Stepping;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneshader-renderdoc-'));
    const compute = join(folder, 'compute.rdc');
    await runCompute({
      spirv: build('comp.hlsl', computeText, 'cs_6_0', 'CSMain'),
      entry: 'CSMain',
      dispatch: [1, 1, 1],
      bindings: { '0.0': zeros(16), '0.1': floats(0, 0, 1, 0, 1, 0, 0.5, 0, 0, 1, 0.25, 0, 0, 0, 0, 0) },
      capture: compute,
    });
    const draw = join(folder, 'draw.rdc');
    await runGraphics({
      vertex: { spirv: build('gfx.hlsl', drawText, 'vs_6_0', 'VSMain'), entry: 'VSMain' },
      pixel: { spirv: build('gfx.hlsl', drawText, 'ps_6_0', 'PSMain'), entry: 'PSMain' },
      attributes: {
        0: { format: 'rgba32float', bytes: floats(-1, -1, 0, 1, -1, 3, 0, 1, 3, -1, 0, 1).bytes },
      },
      vertices: 3,
      targets: [image({ format: 'rgba32float', width: 8, height: 8 })],
      bindings: {
        '0.0': {
          kind: 'buffer',
          bytes: new Uint8Array([...floats(0.1, 0.2, 0.3, 1, 2).bytes, 2, 0, 0, 0, ...new Uint8Array(8)]),
        },
        '0.1': image({ format: 'rgba32float', width: 1, height: 1 }, () => [0.5, 0.25, 1, 1]),
        '0.2': sampler(),
      },
      capture: draw,
    });
    closeVulkan();
    thread = stepShader(compute, { thread: [0, 0, 0, 1, 0, 0] });
    pixel = stepShader(draw, { pixel: [6, 2] });
    vertex = stepShader(draw, { vertex: 1 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the recordings are debuggable, and RenderDoc has nothing to complain of', () => {
    for (const [stepping, file] of [
      [thread, 'comp.hlsl'],
      [pixel, 'gfx.hlsl'],
      [vertex, 'gfx.hlsl'],
    ] as const) {
      expect(stepping).toMatchObject({ debuggable: true, sourceDebugging: true, renderdocErrors: [] });
      expect(stepping.files.map(({ name }) => name)).toEqual([file, 'light.hlsli']);
      const text = file === 'comp.hlsl' ? computeText : drawText;
      expect(stepping.files.map(({ bytes }) => bytes)).toEqual([text.length, shared.length]);
    }
    expect(thread.commandLine).toBe('-T cs_6_0 -E CSMain -Od -fspv-target-env=vulkan1.1');
  });

  test('lines and columns of the stops are those of the files', () => {
    const texts: Record<string, string[]> = {
      'comp.hlsl': computeText.split('\n'),
      'gfx.hlsl': drawText.split('\n'),
      'light.hlsli': shared.split('\n'),
    };
    for (const stepping of [thread, pixel, vertex])
      for (const { file, line, text } of stepping.steps) expect(texts[file!]![line! - 1]!.trim()).toBe(text);
  });

  test('checklist 50: inputs are loaded on the line of their parameter, and all of them show at the first statement', () => {
    expect(valuesAt(thread, 'void CSMain(uint3 tid : SV_DispatchThreadID)', 'tid')).toEqual([
      ['unwritten', 'unwritten', 'unwritten'],
    ]);
    expect(valuesAt(vertex, 'o.pos = p;', 'p')).toEqual([[-1, 3, 0, 1]]);
  });

  test('a thread: every statement in order, with its call stack', () => {
    const turn = [
      'CSMain: for (uint i = 0; i < 2; ++i)',
      'CSMain: acc = twist(acc, i);',
      'CSMain>twist: uint y = x * 3;',
      'CSMain>twist: y ^= k;',
      'CSMain>twist: calls++;',
      'CSMain>twist: return y + 1;',
      'CSMain: acc = twist(acc, i);',
    ];
    expect(walk(thread)).toEqual([
      'CSMain: void CSMain(uint3 tid : SV_DispatchThreadID)',
      'CSMain: uint acc = tid.x;',
      ...turn,
      ...turn,
      'CSMain: for (uint i = 0; i < 2; ++i)',
      'CSMain: int q, total = 100;',
      'CSMain: divide(17, 5, q, total);',
      'CSMain>divide: quot = a / b;',
      'CSMain>divide: total += quot;',
      'CSMain>divide: }',
      'CSMain: divide(17, 5, q, total);',
      'CSMain: float2x3 m = float2x3(1, 2, 3, 4, 5, 6);',
      'CSMain: m[1][0] = acc;',
      'CSMain: float arr[3] = { 1, 2, 3 };',
      'CSMain: arr[tid.x] = 9;',
      'CSMain: l.dir = src[tid.x].xyz;',
      'CSMain: l.power = 2;',
      'CSMain: float e = lambert(l, float3(0, 0, 1));',
      'CSMain>lambert: float d = dot(l.dir, n);',
      'CSMain>lambert: if (d < 0.0)',
      'CSMain>lambert: return d * l.power;',
      'CSMain: float e = lambert(l, float3(0, 0, 1));',
      'CSMain: dst[tid.x] = float4(e, acc, total, arr[1]);',
      'CSMain: }',
    ]);
  });

  test('a thread: variables have the values of the source', () => {
    expect(valuesAt(thread, 'uint acc = tid.x;', 'tid')).toEqual([[1, 0, 0]]);
    expect(valuesAt(thread, 'y ^= k;', 'y')).toEqual([3, 12]);
    expect(valuesAt(thread, 'calls++;', 'y')).toEqual([3, 13]);
    expect(valuesAt(thread, 'calls++;', 'k')).toEqual([0, 1]);
    expect(valuesAt(thread, 'uint y = x * 3;', 'y')).toEqual(['unwritten']);
    expect(valuesAt(thread, 'return y + 1;', 'calls')).toEqual([8, 9]);
    expect(valuesAt(thread, 'acc = twist(acc, i);', 'acc')).toEqual([1, 4]);
    expect(valuesAt(thread, 'total += quot;', 'quot')).toEqual([3]);
    expect(valuesAt(thread, 'total += quot;', 'a')).toEqual([17]);
    // Both braces: of `divide`, and of the entry, which shows its locals to the last.
    expect(valuesAt(thread, '}', 'total')).toEqual([103]);
    const end = thread.steps.at(-1)!;
    expect(
      Object.fromEntries(Object.entries(end.variables).map(([name, { value }]) => [name, value])),
    ).toEqual({
      tid: [1, 0, 0],
      acc: 14,
      q: 3,
      total: 103,
      m: [
        [1, 2, 3],
        [14, 5, 6],
      ],
      arr: [1, 9, 3],
      l: { dir: [1, 0, 0.5], power: 2 },
      e: 1,
    });
    expect(end.globals['calls']?.value).toBe(9);
  });

  test('a pixel: lines, call stacks and variables', () => {
    const turn = ['PSMain>blur: for (uint k = 0; k < taps; k++)', 'PSMain>blur: sum += tex.Sample(smp, uv);'];
    expect(walk(pixel)).toEqual([
      'PSMain: float4 PSMain(V i) : SV_Target',
      'PSMain: l.dir = float3(0, 0.6, 0.8);',
      'PSMain: l.power = gain;',
      'PSMain: float lit = lambert(l, float3(0, 0, 1));',
      'PSMain>lambert: float d = dot(l.dir, n);',
      'PSMain>lambert: if (d < 0.0)',
      'PSMain>lambert: return d * l.power;',
      'PSMain: float lit = lambert(l, float3(0, 0, 1));',
      'PSMain: if (i.uv.x > 0.5)',
      'PSMain: lit += 1;',
      'PSMain: float4 c = blur(i.uv);',
      'PSMain>blur: float4 sum = 0;',
      ...turn,
      ...turn,
      'PSMain>blur: for (uint k = 0; k < taps; k++)',
      'PSMain>blur: return sum / taps;',
      'PSMain: float4 c = blur(i.uv);',
      'PSMain: return c * lit + tint;',
    ]);
    expect(valuesAt(pixel, 'l.power = gain;', 'i')).toEqual([
      { pos: [6.5, 2.5, 0, 1], uv: [0.8125, 0.6875] },
    ]);
    expect(valuesAt(pixel, 'return d * l.power;', 'l')).toEqual([{ dir: [0, 0.6, 0.8], power: 2 }]);
    expect(valuesAt(pixel, 'lit += 1;', 'lit')).toEqual([1.6]);
    expect(valuesAt(pixel, 'sum += tex.Sample(smp, uv);', 'k')).toEqual([0, 1]);
    expect(valuesAt(pixel, 'return sum / taps;', 'sum')).toEqual([[1, 0.5, 2, 2]]);
    const end = pixel.steps.at(-1)!;
    expect(end.variables['c']?.value).toEqual([0.5, 0.25, 1, 1]);
    expect(end.variables['lit']?.value).toBe(2.6);
  });

  test('a vertex: lines, call stacks and variables', () => {
    expect(walk(vertex)).toEqual([
      'VSMain: V VSMain(float4 p : POSITION)',
      'VSMain: o.pos = p;',
      'VSMain: o.uv = toUv(p.xy);',
      'VSMain>toUv: float2 scaled = p * 0.5;',
      'VSMain>toUv: return scaled + 0.5;',
      'VSMain: o.uv = toUv(p.xy);',
      'VSMain: return o;',
    ]);
    expect(valuesAt(vertex, 'return scaled + 0.5;', 'scaled')).toEqual([[-0.5, 1.5]]);
    expect(valuesAt(vertex, 'return o;', 'o')).toEqual([{ pos: [-1, 3, 0, 1], uv: [0, 2] }]);
  });
});
