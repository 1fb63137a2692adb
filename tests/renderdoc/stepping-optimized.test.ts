/**
 * A pixel stepped in RenderDoc through optimized code, where calls are inlined and locals are values: each stop must show the
 * frames of the source and the values that variables have there. A line is named by its text.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { type Stepping, stepShader } from '../support/renderdoc.ts';
import { floats, image, sampler } from '../support/resources.ts';
import { describeWith } from '../support/tools.ts';
import { closeVulkan, runGraphics } from '../support/vulkan.ts';

const text = `cbuffer Params : register(b0)
{
    float4 tint;
    float gain;
    uint taps;
};
Texture2D<float4> tex : register(t1);
SamplerState smp : register(s2);

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

float4 fetch(float2 uv, uint k)
{
    float2 at = uv + k;
    float4 texel = tex.Sample(smp, at);
    return texel * (k + 1);
}

float4 blur(float2 uv)
{
    float4 sum = 0;
    for (uint k = 0; k < taps; k++)
    {
        float4 one = fetch(uv, k);
        sum += one;
    }
    return sum / taps;
}

float4 VSMain(float4 p : POSITION, out float2 uv : TEXCOORD) : SV_Position
{
    uv = p.xy * 0.5 + 0.5;
    return p;
}

float4 PSMain(float4 pos : SV_Position, float2 uv : TEXCOORD) : SV_Target
{
    Light l;
    l.dir = float3(0, 0.6, 0.8);
    l.power = gain;
    float lit = lambert(l, float3(0, 0, 1));
    float bias = 0;
    if (uv.x > 0.5)
    {
        bias = tex.SampleLevel(smp, uv, 0).x;
        lit += bias;
    }
    float4 c = blur(uv);
    float4 scaled = c * lit;
    return scaled + tint;
}
`;

function build(profile: string, entry: string): Uint8Array {
  const result = compile({ source: { name: 'gfx.hlsl', text }, profile, entry, debugInfo: true });
  if (!result.spirv) throw new Error(result.diagnostics.map((one) => one.rendered).join('\n'));
  return result.spirv;
}

const lines = text.split('\n');

describeWith(['renderdoc', 'lavapipe', 'g++'], 'stepping optimized code in RenderDoc', () => {
  let folder: string;
  let pixel: Stepping;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneshader-renderdoc-'));
    const draw = join(folder, 'draw.rdc');
    await runGraphics({
      vertex: { spirv: build('vs_6_0', 'VSMain'), entry: 'VSMain' },
      pixel: { spirv: build('ps_6_0', 'PSMain'), entry: 'PSMain' },
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
    pixel = stepShader(draw, { pixel: [6, 2] });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the recording is debuggable, and RenderDoc has nothing to complain of', () => {
    expect(pixel).toMatchObject({ debuggable: true, sourceDebugging: true, renderdocErrors: [] });
    for (const { line, text: shownText } of pixel.steps) expect(lines[line! - 1]!.trim()).toBe(shownText);
  });

  test('every statement in order, with the frames of inlined calls', () => {
    const turn = [
      'PSMain>blur>fetch: float4 fetch(float2 uv, uint k)',
      'PSMain>blur>fetch: float2 at = uv + k;',
      'PSMain>blur>fetch: float4 texel = tex.Sample(smp, at);',
      'PSMain>blur>fetch: return texel * (k + 1);',
      'PSMain>blur: float4 one = fetch(uv, k);',
      'PSMain>blur: sum += one;',
      'PSMain>blur: for (uint k = 0; k < taps; k++)',
    ];
    expect(pixel.steps.map((step) => `${step.callstack.join('>')}: ${step.text}`)).toEqual([
      'PSMain: float4 PSMain(float4 pos : SV_Position, float2 uv : TEXCOORD) : SV_Target',
      'PSMain: l.dir = float3(0, 0.6, 0.8);',
      'PSMain: l.power = gain;',
      'PSMain>lambert: float lambert(Light l, float3 n)',
      'PSMain>lambert: float d = dot(l.dir, n);',
      'PSMain>lambert: return d * l.power;',
      'PSMain: float lit = lambert(l, float3(0, 0, 1));',
      'PSMain: float bias = 0;',
      'PSMain: if (uv.x > 0.5)',
      'PSMain: bias = tex.SampleLevel(smp, uv, 0).x;',
      'PSMain: lit += bias;',
      'PSMain: float4 c = blur(uv);',
      'PSMain>blur: float4 blur(float2 uv)',
      'PSMain>blur: float4 sum = 0;',
      'PSMain>blur: for (uint k = 0; k < taps; k++)',
      ...turn,
      ...turn,
      'PSMain>blur: return sum / taps;',
      'PSMain: float4 c = blur(uv);',
      'PSMain: float4 scaled = c * lit;',
      'PSMain: return scaled + tint;',
    ]);
  });

  test.each([
    ['float lambert(Light l, float3 n)', 'n', [[0, 0, 1]]],
    ['return d * l.power;', 'd', [0.8]],
    ['return d * l.power;', 'l.dir', [[0, 0.6, 0.8]]],
    ['return d * l.power;', 'l.power', [2]],
    ['if (uv.x > 0.5)', 'lit', [1.6]],
    ['lit += bias;', 'bias', [0.5]],
    ['lit += bias;', 'lit', [1.6]],
    // Nothing needs the bias behind the branch, so nothing says which one it is.
    ['float4 c = blur(uv);', 'bias', ['unwritten', 'unwritten']],
    ['float4 c = blur(uv);', 'lit', [2.1, 2.1]],
    ['float4 fetch(float2 uv, uint k)', 'k', [0, 1]],
    [
      'float4 texel = tex.Sample(smp, at);',
      'at',
      [
        [0.8125, 0.6875],
        [1.8125, 1.6875],
      ],
    ],
    [
      'sum += one;',
      'one',
      [
        [0.5, 0.25, 1, 1],
        [1, 0.5, 2, 2],
      ],
    ],
    [
      'sum += one;',
      'sum',
      [
        [0, 0, 0, 0],
        [0.5, 0.25, 1, 1],
      ],
    ],
    ['return sum / taps;', 'sum', [[1.5, 0.75, 3, 3]]],
    ['float4 scaled = c * lit;', 'c', [[0.75, 0.375, 1.5, 1.5]]],
    ['return scaled + tint;', 'scaled', [[1.575, 0.7875, 3.15, 3.15]]],
    ['return scaled + tint;', 'lit', [2.1]],
  ])('%s: %s', (line, variable, values) => {
    const stops = pixel.steps.filter((step) => step.text === line);
    expect(stops.map((step) => step.variables[variable]?.value)).toEqual(values);
  });
});
