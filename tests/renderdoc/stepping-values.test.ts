/**
 * A compute thread, a pixel and a vertex stepped in RenderDoc through optimized code, beside the same without optimizer: no stop may show a
 * value that the variable does not have there, nor a frame or a line that the source does not have.
 *
 * RenderDoc lists what is told in parts as `s.a` and `m[0]`, never as one struct: its FillDebugSourceVars
 * (renderdoc/driver/shaders/spirv/spirv_debug_setup.cpp, 1.24) makes one entry of each record.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { type Invocation, type Shown, type Step, type Stepping, stepShader } from '../support/renderdoc.ts';
import { type Bindings, floats, image, sampler, zeros } from '../support/resources.ts';
import { describeWith } from '../support/tools.ts';
import { closeVulkan, runCompute, runGraphics } from '../support/vulkan.ts';

const text = `cbuffer Params : register(b0)
{
    float4 tint;
    float gain;
    uint taps;
};
Texture2D<float4> tex : register(t1);
SamplerState smp : register(s2);
RWStructuredBuffer<float4> dst : register(u3);

struct Ray
{
    float3 origin;
    float3 dir;

    float3 at(float t)
    {
        float3 offset = dir * t;
        return origin + offset;
    }
};

struct Hit
{
    Ray ray;
    float2x3 frame;
};

float2 turn(float2x2 m, float2 v)
{
    float2 first = m[0] * v.x;
    return first + m[1] * v.y;
}

void clampTo(inout float x, float most, out bool cut)
{
    cut = false;
    if (x > most)
    {
        x = most;
        cut = true;
    }
}

float search(float from, uint count)
{
    for (uint i = 0; i < count; i++)
    {
        float next = from * 2 + i;
        if (next > 10)
            return next;
        from = next;
    }
    return -1;
}

float half_(float x)
{
    x *= 0.5;
    float once = x;
    x *= once;
    return x;
}

[numthreads(4, 1, 1)]
void CSMain(uint3 tid : SV_DispatchThreadID)
{
    Ray ray;
    ray.origin = float3(tid);
    ray.dir = float3(0, gain, 1);
    float3 there = ray.at(0.5);
    Hit hit;
    hit.ray = ray;
    hit.frame = float2x3(there, 1, 2, 3);
    hit.frame[1] = float3(0, 5, gain);
    float2x2 spin = float2x2(there.x, 1, 2, gain);
    spin += gain;
    float2 turned = turn(spin, float2(1, hit.frame[1].y));
    bool cut;
    float top = turned.y;
    clampTo(top, 8, cut);
    float weights[3] = { 1, 2, gain };
    float sum = 0;
    for (uint k = 0; k < 3; k++)
        sum += weights[k] * top;
    float found = search(sum, taps);
    float small = half_(found);
    float less = half_(small);
    dst[tid.x] = float4(turned.x, sum, found, cut ? less : 0);
}

float4 VSMain(float4 p : POSITION, out float2 uv : TEXCOORD) : SV_Position
{
    float2x2 swap = float2x2(0, 0.5, gain, 0);
    float2 moved = mul(swap, p.xy);
    swap[0] = moved;
    uv = swap[0] + half_(p.w);
    return p;
}

float4 shade(float2 uv, uint k)
{
    float4 texel = tex.SampleLevel(smp, uv, 0);
    if (k > 1)
    {
        dst[k] = texel;
        return texel * gain;
    }
    float4 dark = texel * 0.5;
    return dark;
}

float4 PSMain(float4 pos : SV_Position, float2 uv : TEXCOORD) : SV_Target
{
    float4 all = tint;
    float4 parts[2] = { tint, tint * gain };
    for (uint k = 0; k < taps; k++)
    {
        float4 one = shade(uv + k, k);
        all += one;
    }
    bool cut;
    clampTo(all.x, 1.5, cut);
    if (!cut)
        return all;
    parts[1] += all;
    float3x3 m = { tint.xyz, all.xyz, 7, 8, 9 };
    m[1] *= 2;
    float3 last = m[0] + m[1] + m[2];
    return float4(last, parts[1].w);
}
`;

const lines = text.split('\n');

/** Bytes of `Params`: tint, gain and taps. */
const params = new Uint8Array([
  ...floats(0.25, 0.5, 0.75, 1, 2).bytes,
  ...[4, 0, 0, 0],
  ...new Uint8Array(8),
]);
const bindings = (): Bindings => ({
  '0.0': { kind: 'buffer', bytes: params },
  '0.1': image({ format: 'rgba32float', width: 1, height: 1 }, () => [0.5, 0.25, 1, 1]),
  '0.2': sampler(),
  '0.3': zeros(16),
});

function build(profile: string, entry: string, optimize: boolean): Uint8Array {
  const result = compile({ source: { name: 'a.hlsl', text }, profile, entry, optimize, debugInfo: true });
  if (!result.spirv) throw new Error(result.diagnostics.map((one) => one.rendered).join('\n'));
  return result.spirv;
}

const frames = ({ callstack }: Step): string => callstack.join('>');
const place = (step: Step): string => `${frames(step)}: ${step.text}`;

/** The scalars that a stop shows, by name and path; RenderDoc 1.24 gives a component as a vector of one. */
function scalars({ variables }: Step): Map<string, Shown> {
  const found = new Map<string, Shown>();
  const add = (name: string, value: Shown): void => {
    const component = /^(.*)\.([xyzw])$/.exec(name);
    if (Array.isArray(value) && value.length === 1 && component)
      add(`${component[1]}[${'xyzw'.indexOf(component[2]!)}]`, value[0]!);
    else if (Array.isArray(value)) value.forEach((one, i) => void add(`${name}[${i}]`, one));
    else if (value !== null && typeof value === 'object')
      for (const [member, one] of Object.entries(value)) add(`${name}.${member}`, one);
    else if (value !== null && value !== 'unwritten') found.set(name, value);
  };
  for (const [name, { value, problem }] of Object.entries(variables)) if (!problem) add(name, value);
  return found;
}

/** What variables have at the stops of a place without optimizer; a record may show the value that its own line gives. */
function valuesByPlace({ steps }: Stepping): Map<string, Map<string, Set<Shown>>> {
  const places = new Map<string, Map<string, Set<Shown>>>();
  steps.forEach((step, i) => {
    const values = places.get(place(step)) ?? new Map<string, Set<Shown>>();
    places.set(place(step), values);
    const next = steps.slice(i + 1).find((one) => frames(one) === frames(step));
    for (const one of [step, next ?? step])
      for (const [name, value] of scalars(one)) values.set(name, (values.get(name) ?? new Set()).add(value));
  });
  return places;
}

const isClose = (a: Shown, b: Shown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b))
    : a === b;

/** What the optimized code shows and the other does not have. */
function wrongValues(optimized: Stepping, plain: Stepping): string[] {
  const places = valuesByPlace(plain);
  return optimized.steps.flatMap((step) => {
    const values = places.get(place(step));
    if (!values) return [];
    return [...scalars(step)]
      .filter(([name, value]) => ![...(values.get(name) ?? [])].some((one) => isClose(one, value)))
      .map(([name, value]) => `${place(step)}: ${name} = ${JSON.stringify(value)}`);
  });
}

describeWith(['renderdoc', 'lavapipe', 'g++'], 'values of optimized code in RenderDoc', () => {
  let folder: string;
  const steppings: Record<string, { optimized: Stepping; plain: Stepping }> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneshader-renderdoc-'));
    const captures = new Map<boolean, { compute: string; draw: string }>();
    for (const optimize of [true, false]) {
      const compute = join(folder, `compute-${optimize}.rdc`);
      await runCompute({
        spirv: build('cs_6_0', 'CSMain', optimize),
        entry: 'CSMain',
        dispatch: [1, 1, 1],
        bindings: bindings(),
        capture: compute,
      });
      const draw = join(folder, `draw-${optimize}.rdc`);
      await runGraphics({
        vertex: { spirv: build('vs_6_0', 'VSMain', optimize), entry: 'VSMain' },
        pixel: { spirv: build('ps_6_0', 'PSMain', optimize), entry: 'PSMain' },
        attributes: {
          0: { format: 'rgba32float', bytes: floats(-1, -1, 0, 1, -1, 3, 0, 1, 3, -1, 0, 1).bytes },
        },
        vertices: 3,
        targets: [image({ format: 'rgba32float', width: 8, height: 8 })],
        bindings: bindings(),
        capture: draw,
      });
      captures.set(optimize, { compute, draw });
    }
    closeVulkan();
    const both = (kind: 'compute' | 'draw', invocation: Invocation) => ({
      optimized: stepShader(captures.get(true)![kind], invocation),
      plain: stepShader(captures.get(false)![kind], invocation),
    });
    steppings['thread'] = both('compute', { thread: [0, 0, 0, 1, 0, 0] });
    steppings['pixel'] = both('draw', { pixel: [6, 2] });
    steppings['vertex'] = both('draw', { vertex: 1 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const valuesAt = (invocation: string, line: string, name: string): Shown[] =>
    steppings[invocation]!.optimized.steps.filter((step) => step.text === line).map(
      (step) => step.variables[name]?.value ?? 'absent',
    );

  describe.each([
    ['thread', 300],
    ['pixel', 400],
    ['vertex', 40],
  ])('a %s', (invocation, least) => {
    test('RenderDoc has nothing to complain of, and lines are those of the file', () => {
      const { optimized } = steppings[invocation]!;
      expect(optimized).toMatchObject({ debuggable: true, sourceDebugging: true, renderdocErrors: [] });
      for (const { line, text: shown } of optimized.steps) expect(lines[line! - 1]!.trim()).toBe(shown);
    });

    test('its values are those of the source', () => {
      const { optimized, plain } = steppings[invocation]!;
      expect(wrongValues(optimized, plain)).toEqual([]);
      const shown = optimized.steps.reduce((sum, step) => sum + scalars(step).size, 0);
      expect(shown).toBeGreaterThan(least);
    });

    test('its stops are those of the source, and the heads of inlined functions', () => {
      const { optimized, plain } = steppings[invocation]!;
      const places = new Set(plain.steps.map(place));
      const heads = optimized.steps.filter(
        ({ callstack, text: line }) =>
          callstack.length > 1 && line!.includes(`${callstack.at(-1)!.split('.').pop()}(`),
      );
      const others = optimized.steps.filter((step) => !heads.includes(step)).map(place);
      expect(others.filter((one) => !places.has(one))).toEqual([]);
    });
  });

  test.each([
    ['thread', ['CSMain', 'CSMain>Ray.at', 'CSMain>turn', 'CSMain>clampTo', 'CSMain>search', 'CSMain>half_']],
    ['pixel', ['PSMain', 'PSMain>shade', 'PSMain>clampTo']],
    ['vertex', ['VSMain', 'VSMain>half_']],
  ])('call stacks of a %s', (invocation, stacks) => {
    expect([...new Set(steppings[invocation]!.optimized.steps.map(frames))]).toEqual(stacks);
  });

  test.each<[string, string, string, Shown[]]>([
    ['thread', 'return origin + offset;', 'this.dir', [[0, 2, 1]]],
    ['thread', 'return origin + offset;', 'offset', [[0, 1, 0.5]]],
    ['thread', 'hit.frame[1] = float3(0, 5, gain);', 'hit.frame[0]', [[1, 1, 0.5]]],
    ['thread', 'hit.frame[1] = float3(0, 5, gain);', 'hit.ray.dir', [[0, 2, 1]]],
    ['thread', 'spin += gain;', 'spin[0]', [[1, 1]]],
    ['thread', 'spin += gain;', 'spin[1]', [[2, 2]]],
    ['thread', 'return first + m[1] * v.y;', 'm[1]', [[4, 4]]],
    ['thread', 'if (x > most)', 'x', [23]],
    ['thread', 'float weights[3] = { 1, 2, gain };', 'top', [8]],
    ['thread', 'float weights[3] = { 1, 2, gain };', 'cut', [true]],
    ['thread', 'sum += weights[k] * top;', 'sum', [0, 8, 24]],
    ['thread', 'sum += weights[k] * top;', 'k', [0, 1, 2]],
    ['thread', 'return next;', 'next', [80]],
    ['thread', 'float small = half_(found);', 'found', [80]],
    // What the first copy of the function has left does not show in the second one.
    ['thread', 'x *= 0.5;', 'once', ['absent', 'unwritten']],
    ['thread', 'x *= once;', 'once', [40, 800]],
    ['thread', '}', 'tid', [[1, 0, 0]]],
    ['pixel', 'float4 dark = texel * 0.5;', 'k', [0, 1]],
    [
      'pixel',
      'return texel * gain;',
      'texel',
      [
        [0.5, 0.25, 1, 1],
        [0.5, 0.25, 1, 1],
      ],
    ],
    ['pixel', 'if (!cut)', 'all', [[1.5, 1.75, 5.75, 6]]],
    ['pixel', 'm[1] *= 2;', 'm[1]', [[1.5, 1.75, 5.75]]],
    ['pixel', 'm[1] *= 2;', 'm[2]', [[7, 8, 9]]],
    ['pixel', 'float3 last = m[0] + m[1] + m[2];', 'm[1]', [[3, 3.5, 11.5]]],
    ['pixel', 'float3 last = m[0] + m[1] + m[2];', 'parts[1]', [[2, 2.75, 7.25, 8]]],
    ['vertex', 'float2 moved = mul(swap, p.xy);', 'swap[0]', [[0, 0.5]]],
    ['vertex', 'float2 moved = mul(swap, p.xy);', 'swap[1]', [[2, 0]]],
    ['vertex', 'return p;', 'uv', [[1.75, -1.75]]],
  ])('%s, %s: %s', (invocation, line, name, values) => {
    expect(valuesAt(invocation, line, name)).toEqual(values);
  });
});
