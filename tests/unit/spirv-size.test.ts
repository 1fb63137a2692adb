import { describe, expect, test } from 'vitest';
import { compileText } from '../support/spirv.ts';
import { findTool, validateSpirv, validationFlags } from '../support/tools.ts';

/** What optimized modules do without, though the IR does not say so. */

const canValidate = findTool('spirv-val') !== undefined;

function spirv(text: string, profile: string, optimize: 0 | 3 = 3): string {
  const { bytes, text: shown } = compileText(text, { profile, optimize });
  if (canValidate) expect(validateSpirv(bytes, validationFlags('vulkan1.2', 'vulkan')), shown).toBe('');
  return shown;
}

const count = (text: string, what: RegExp): number => text.match(new RegExp(what, 'g'))?.length ?? 0;

describe('textures and samplers are loaded once on each way', () => {
  const loads = /OpLoad %type_(2d_image|sampler)/;
  const sampled = (body: string): string =>
    `Texture2D t : register(t0); Texture2D u[4] : register(t1); SamplerState s : register(s0);
    float4 main(float2 uv : A, uint n : B) : SV_Target { float4 r = 0; ${body} return r; }`;

  test.each([
    ['one behind the other', 't.Sample(s, uv) + t.Sample(s, uv.yx)', 2],
    ['elements of an array', 'u[1].Sample(s, uv) + u[1].Sample(s, uv.yx) + u[2].Sample(s, uv)', 3],
  ])('%s', (_, value, expected) => {
    expect(count(spirv(sampled(`r = ${value};`), 'ps_6_0'), loads)).toBe(expected);
  });

  test('without optimizer each line has its own', () => {
    expect(count(spirv(sampled('r = t.Sample(s, uv) + t.Sample(s, uv.yx);'), 'ps_6_0', 0), loads)).toBe(4);
  });

  test('inside of an arm and behind it', () => {
    const inside = '[branch] if (n > 1) { r = t.SampleLevel(s, uv, 0); }';
    const behind = 'r += t.SampleLevel(s, uv.yx, 0);';
    expect(count(spirv(sampled(inside + behind), 'ps_6_0'), loads)).toBe(4);
    expect(count(spirv(sampled(behind + inside), 'ps_6_0'), loads)).toBe(2);
  });

  test('in both arms, cases and loops', () => {
    const arms =
      '[branch] if (n > 1) r = t.SampleLevel(s, uv, 0) * 2; else r = t.SampleLevel(s, uv.yx, 0).zyxw;';
    expect(count(spirv(sampled(arms), 'ps_6_0'), loads)).toBe(4);
    const cases = `switch (n) { case 0: r = t.SampleLevel(s, uv, 1); break; case 1: r = t.SampleLevel(s, uv, 2).zyxw; }
      for (uint i = 0; i < n; i++) r += t.SampleLevel(s, uv * i, 0) + t.SampleLevel(s, uv / i, 0);`;
    expect(count(spirv(sampled(cases), 'ps_6_0'), loads)).toBe(6);
  });
});

test('rows of matrices that were made of rows are there already', () => {
  const text = `cbuffer C { float4x3 m[8]; };
    float3 main(float4 p : P, uint4 n : N, float3 d : D) : O {
      float4x3 sum = 0;
      [unroll] for (int i = 0; i < 2; i++) sum += m[n[i]];
      return mul(p, sum) + mul(d, (float3x3)sum);
    }`;
  const shown = spirv(text, 'vs_6_0');
  // Those of the two that are loaded, and the two indices.
  expect(count(shown, /OpCompositeExtract/)).toBe(2 * 4 + 2);
  expect(count(shown, /OpFAdd/)).toBe(2 * 4 + 1);
});
