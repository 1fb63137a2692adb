import { describe, expect, test } from 'vitest';
import type { CompileOptions } from '../../src/compile.ts';
import { compileText } from '../support/spirv.ts';
import { findTool, validateSpirv, validationFlags } from '../support/tools.ts';

/** What HLSL has for Vulkan alone, or what Vulkan has in another shape: that the module is valid and has the instruction. */

const canValidate = findTool('spirv-val') !== undefined;

function spirv(text: string, profile: string, options: Partial<CompileOptions> = {}): string {
  const { bytes, text: shown } = compileText(text, { profile, ...options });
  if (canValidate)
    expect(validateSpirv(bytes, validationFlags(options.targetEnv ?? 'vulkan1.2', 'vulkan')), shown).toBe('');
  return shown;
}

describe('printf', () => {
  const text = `const string named = "named %d";
    struct S { float2x2 m; };
    [numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      printf("plain"); printf(named, id.x); printf("%v3d %f", id, 1.5); printf("plain", 1, 2u, true, 2.5h);
    }`;

  test.each([0, 3] as const)('-O%d', (optimize) => {
    const shown = spirv(text, 'cs_6_0', { optimize });
    expect(shown).toContain('OpExtension "SPV_KHR_non_semantic_info"');
    expect(shown.match(/OpString/g)).toHaveLength(3);
    expect(shown.match(/OpExtInst %\w+ %\w+ 1 /g)).toHaveLength(4);
    expect(shown).toMatch(/OpString "named %d"/);
  });

  test('the format must be a string', () => {
    const wrong = '[numthreads(1, 1, 1)] void main() { printf(1); }';
    expect(() => compileText(wrong, { profile: 'cs_6_0' })).toThrow(/1:37: error: .*printf/);
  });
});

test('textures with a sampler in them are one variable and one descriptor', () => {
  const text = `vk::SampledTexture2D<float4> t; vk::SampledTextureCUBEArray c[2];
    float4 main(float2 uv : A) : SV_Target { return t.Sample(uv) + t.Gather(uv) + t.mips[1][int2(2, 3)] + c[1].SampleLevel(uv.xyxy, 0); }`;
  const shown = spirv(text, 'ps_6_0');
  expect(shown).toContain('OpTypeSampledImage');
  expect(shown).not.toContain('OpTypeSampler\n');
  expect(shown).toMatch(/OpImageFetch .* Lod/);
});
