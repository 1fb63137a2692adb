/**
 * Optimized shaders of each stage stepped in RenderDoc beside the builds without optimizer: in the same order and the same frames
 * every variable that is shown has the value that it has there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { type Invocation, type Shown, type Step, type Stepping, stepShader } from '../support/renderdoc.ts';
import { floats, image, uints } from '../support/resources.ts';
import { describeWith } from '../support/tools.ts';
import { closeVulkan, runCompute, runGraphics } from '../support/vulkan.ts';

const computeText = `RWStructuredBuffer<uint> o : register(u0);

struct Pair
{
    uint lo;
    uint hi;
};

uint mix3(uint a, uint b)
{
    uint m = a * 31 + b;
    m ^= m >> 3;
    return m;
}

Pair widen(Pair p, uint by)
{
    p.lo += by;
    [branch]
    if (p.lo > 40)
    {
        p.hi += 1;
        p.lo -= 40;
    }
    return p;
}

[numthreads(4, 1, 1)]
void CSMain(uint3 tid : SV_DispatchThreadID)
{
    Pair p = { tid.x, 0 };
    uint h = o[0];
    uint sum = 0;
    do
    {
        uint inner = 0;
        for (uint i = 0; i < h; i++)
        {
            if (i == 1)
                continue;
            inner += mix3(i, h);
        }
        switch (h & 3)
        {
            case 0:
                sum += inner;
                break;
            case 1:
                sum ^= inner;
                break;
            default:
                sum += 1;
        }
        p = widen(p, sum & 31);
        h >>= 1;
    } while (h > 0);
    uint total = sum + p.lo * 100 + p.hi;
    o[tid.x + 4] = total;
}
`;

const drawText = `cbuffer Params : register(b0)
{
    float4 tint;
    uint rounds;
};

float2 turn(float2 v, float by)
{
    float s = sin(by);
    float c = cos(by);
    float2 r = float2(v.x * c - v.y * s, v.x * s + v.y * c);
    return r;
}

float4 VSMain(float4 p : POSITION, uint id : SV_VertexID, out float2 uv : TEXCOORD) : SV_Position
{
    float2 at = p.xy;
    for (uint k = 0; k < rounds; k++)
        at = turn(at, k * 6.2831853);
    uv = at * 0.5 + 0.5;
    float lift = id * 0.001;
    return float4(p.xy, p.z + lift, p.w);
}

float4 PSMain(float4 pos : SV_Position, float2 uv : TEXCOORD) : SV_Target
{
    float best = 100;
    uint which = 0;
    [loop]
    for (uint y = 0; y < rounds; y++)
    {
        [loop]
        for (uint x = 0; x < rounds; x++)
        {
            float2 d = uv - float2(x, y) / rounds;
            float far = dot(d, d);
            if (far >= best)
                continue;
            best = far;
            which = y * rounds + x;
        }
    }
    float4 c = tint * which;
    [branch]
    if (best < 0.01)
        return c;
    c.w = best;
    return c;
}
`;

function build(text: string, profile: string, entry: string, optimize: boolean): Uint8Array {
  const result = compile({
    source: { name: 'a.hlsl', text },
    profile,
    entry,
    optimize,
    debugInfo: true,
    targetEnv: 'vulkan1.1',
  });
  if (!result.spirv) throw new Error(result.diagnostics.map((one) => one.rendered).join('\n'));
  return result.spirv;
}

// ---- what two runs show

const titleOf = ({ callstack, line, text }: Step): string => `${callstack.join('>')}:${line} ${text ?? ''}`;

/** The value of \`l.dir\` or \`v.x\` in a run that shows the whole of \`l\` or \`v\`. */
function lookUp(step: Step, name: string): Shown | undefined {
  if (name in step.variables) return step.variables[name]!.value;
  const [first, ...path] = name.split(/[.[\]]+/).filter((part) => part !== '');
  let value: Shown | undefined = step.variables[first!]?.value;
  for (const part of path) {
    if (Array.isArray(value)) value = value[/^\d+$/.test(part) ? Number(part) : 'xyzw'.indexOf(part)];
    else if (value !== null && typeof value === 'object') value = value[part];
    else return undefined;
  }
  return value;
}

function isSame(a: Shown | undefined, b: Shown | undefined): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(a));
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  if (a && b && typeof a === 'object' && typeof b === 'object' && !Array.isArray(a) && !Array.isArray(b)) {
    const [x, y] = [a, b];
    return Object.keys(x).every((key) => isSame(x[key], y[key]));
  }
  return a === b;
}

/** What no record tells any more. */
function isGone(value: Shown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isGone);
  return value === 'unwritten' || value === null;
}

/**
 * Variables that differ at stop `at` of the other run, with both values. A line whose only trace is a record stops at it, and shows what
 * the line gives: the values at the next stop of the same call count too.
 */
function differences(step: Step, { steps }: Stepping, at: number): string[] {
  const after = steps.find((one, i) => i > at && one.callstack.join() === step.callstack.join());
  return Object.entries(step.variables).flatMap(([name, { value }]) => {
    const expected = [steps[at]!, ...(after ? [after] : [])].map((one) => lookUp(one, name));
    return isGone(value) || expected.some((one) => isSame(value, one))
      ? []
      : [
          `${name} is ${expected.map((one) => JSON.stringify(one)).join(' or ')}, shown ${JSON.stringify(value)}`,
        ];
  });
}

/** Parameters that are fetched make no stop without optimizer; with it they get their values at the head of the function. */
const isHead = ({ callstack, text }: Step): boolean => text?.includes(` ${callstack.at(-1)}(`) ?? false;

/**
 * Stops that are none of the other run, in its order. Code that left a loop or its arm keeps its line: such a stop shows what the
 * variables have just then. Of all ways to go through both runs the one with the fewest strays counts.
 */
function strayStops(optimized: Stepping, plain: Stepping): string[] {
  const titles = plain.steps.map(titleOf);
  // By the stop of the other run that was reached.
  let ways = new Map<number, string[]>([[0, []]]);
  for (const step of optimized.steps) {
    const title = titleOf(step);
    if (isHead(step) && !titles.includes(title)) continue;
    const wrong = titles.map((_, at) => differences(step, plain, at));
    const next = new Map<number, string[]>();
    const reach = (at: number, strays: string[]): void => {
      if ((next.get(at)?.length ?? Infinity) > strays.length) next.set(at, strays);
    };
    for (const [from, strays] of ways) {
      reach(from, wrong[from]!.length === 0 ? strays : [...strays, `${title}: ${wrong[from]!.join(', ')}`]);
      for (let at = from; at < titles.length; at++)
        if (titles[at] === title && wrong[at]!.length === 0) reach(at, strays);
    }
    ways = next;
  }
  return [...ways.values()].reduce((best, strays) => (strays.length < best.length ? strays : best));
}

describe('the comparison', () => {
  const stepping = (value: Shown): Stepping => ({
    stage: '',
    entry: '',
    debuggable: true,
    sourceDebugging: true,
    commandLine: null,
    files: [],
    renderdocErrors: [],
    steps: [{ file: 'a', line: 1, callstack: ['f'], variables: { 'v.y': { type: '', value } }, globals: {} }],
  });

  test('finds a wrong value', () => {
    const plain = stepping(0);
    plain.steps[0]!.variables = { v: { type: '', value: [1, 2] } };
    expect(strayStops(stepping(2), plain)).toEqual([]);
    expect(strayStops(stepping(3), plain)).toEqual(['f:1 : v.y is 2, shown 3']);
  });
});

describeWith(
  ['renderdoc', 'lavapipe', 'g++'],
  'optimized shaders in RenderDoc, beside those that are not',
  () => {
    let folder: string;
    const runs = new Map<string, { optimized: Stepping; plain: Stepping }>();

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'oneshader-renderdoc-'));
      const captures: { compute: string; draw: string }[] = [];
      for (const optimize of [false, true]) {
        const compute = join(folder, `compute-${optimize}.rdc`);
        const draw = join(folder, `draw-${optimize}.rdc`);
        await runCompute({
          spirv: build(computeText, 'cs_6_0', 'CSMain', optimize),
          entry: 'CSMain',
          dispatch: [1, 1, 1],
          bindings: { '0.0': uints(5, 0, 0, 0, 0, 0, 0, 0) },
          capture: compute,
        });
        await runGraphics({
          vertex: { spirv: build(drawText, 'vs_6_0', 'VSMain', optimize), entry: 'VSMain' },
          pixel: { spirv: build(drawText, 'ps_6_0', 'PSMain', optimize), entry: 'PSMain' },
          attributes: {
            0: { format: 'rgba32float', bytes: floats(-1, -1, 0, 1, -1, 3, 0, 1, 3, -1, 0, 1).bytes },
          },
          vertices: 3,
          targets: [image({ format: 'rgba32float', width: 8, height: 8 })],
          bindings: {
            '0.0': {
              kind: 'buffer',
              bytes: new Uint8Array([...floats(0.1, 0.2, 0.3, 1).bytes, 3, 0, 0, 0, ...new Uint8Array(12)]),
            },
          },
          capture: draw,
        });
        captures.push({ compute, draw });
      }
      closeVulkan();
      const [plain, optimized] = captures as [(typeof captures)[0], (typeof captures)[0]];
      const both = (of: 'compute' | 'draw', invocation: Invocation) => ({
        plain: stepShader(plain[of], invocation),
        optimized: stepShader(optimized[of], invocation),
      });
      runs.set('compute', both('compute', { thread: [0, 0, 0, 1, 0, 0] }));
      runs.set('vertex', both('draw', { vertex: 1 }));
      runs.set('pixel', both('draw', { pixel: [6, 2] }));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test.each(['compute', 'vertex', 'pixel'])('%s', (stage) => {
      const { optimized, plain } = runs.get(stage)!;
      expect(optimized).toMatchObject({ debuggable: true, sourceDebugging: true, renderdocErrors: [] });
      expect(strayStops(optimized, plain)).toEqual([]);
      expect(optimized.steps.length).toBeGreaterThan(plain.steps.length / 2);
      const shown = optimized.steps.flatMap(({ variables }) => Object.keys(variables));
      expect(shown.length).toBeGreaterThan(optimized.steps.length);
    });
  },
);
