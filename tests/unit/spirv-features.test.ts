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

describe('inputs of the stage', () => {
  const inputs =
    'struct V { float3 n : N; nointerpolation float2 uv : UV; float c[2] : C; }; int k;\n' +
    'float3 f(float3 x) { return EvaluateAttributeCentroid(x); }\n';
  const shader = (value: string) =>
    `${inputs}float4 main(V v, nointerpolation float3 a : A, uint s : SV_SampleIndex) : SV_Target { return ${value}; }`;

  test.each([
    ['EvaluateAttributeAtSample(v.n, s).xyzz', /OpExtInst %\w+ %\w+ InterpolateAtSample %in_var_N /],
    ['EvaluateAttributeCentroid(v.n.zyx).xyzz', /OpExtInst %\w+ %\w+ InterpolateAtCentroid %in_var_N/],
    ['EvaluateAttributeSnapped(v.c[1], int2(-3, k))', /OpExtInst %\w+ %\w+ InterpolateAtOffset %/],
    ['GetAttributeAtVertex(v.uv, k % 3).xyxy', /OpDecorate %in_var_UV PerVertexKHR/],
    ['float4(GetAttributeAtVertex(a, 2) + a, 0)', /OpAccessChain %\w+ %in_var_A %\w+/],
  ])('%s', (value, expected) => {
    for (const optimize of [0, 3] as const)
      expect(spirv(shader(value), 'ps_6_1', { optimize })).toMatch(expected);
  });

  test.each([
    ['f(v.n).xyzz', "'EvaluateAttributeCentroid' needs an input of the entry point here"],
    ['EvaluateAttributeCentroid(v.n * 2).xyzz', "'EvaluateAttributeCentroid' needs an input"],
    [
      'GetAttributeAtVertex(v.n, 0).xyzz',
      "the input of 'GetAttributeAtVertex' must be declared 'nointerpolation'",
    ],
  ])('%s is refused', (value, message) => {
    expect(() => compileText(shader(value), { profile: 'ps_6_1' })).toThrow(message);
  });
});

test('DebugBreak', () => {
  expect(spirv('[numthreads(1, 1, 1)] void main() { DebugBreak(); }', 'cs_6_0')).toMatch(
    /OpExtInst %\w+ %\w+ 1\n/,
  );
});

describe('descriptor heaps', () => {
  const text = `Texture2D<float4> plain : register(t0); globallycoherent static RWStructuredBuffer<uint> shared = ResourceDescriptorHeap[9];
    struct S { float4 a; };
    Texture2D<float4> pick(uint i) { return ResourceDescriptorHeap[i]; }
    float4 sampled(Texture2D<float4> t, SamplerState s) { return t.SampleLevel(s, 0, 0); }
    [numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      ConstantBuffer<S> c = ResourceDescriptorHeap[id.x];
      RWStructuredBuffer<float4> o = ResourceDescriptorHeap[NonUniformResourceIndex(id.y)];
      o[0] = plain[id.xy] + c.a + sampled(pick(id.z), SamplerDescriptorHeap[3]) + sampled(ResourceDescriptorHeap[1], (SamplerState)SamplerDescriptorHeap[3]);
      shared[0] = o.IncrementCounter();
    }`;
  const bindings = (shown: string, name: string) =>
    [...shown.matchAll(new RegExp(`OpDecorate %(${name}w*) Binding (\\d+)`, 'g'))].map((match) =>
      Number(match[2]),
    );

  test.each([0, 3] as const)('all types of a heap share a binding, -O%d', (optimize) => {
    const shown = spirv(text, 'cs_6_6', { optimize });
    expect(new Set(bindings(shown, 'ResourceDescriptorHeap'))).toEqual(new Set([1]));
    expect(bindings(shown, 'SamplerDescriptorHeap')).toEqual([2]);
    expect(shown.match(/OpTypeRuntimeArray/g)!.length).toBeGreaterThan(4);
    expect(shown.match(/OpDecorate %\w+ (Coherent)/g)).toHaveLength(1);
    expect(shown).toMatch(/OpDecorate %counter\w* Binding 3/);
  });

  test('where the command line binds them', () => {
    const heapBindings = { resource: { binding: 5, set: 2 }, sampler: { binding: 6, set: 3 } };
    const shown = spirv(text, 'cs_6_6', { heapBindings });
    expect(new Set(bindings(shown, 'ResourceDescriptorHeap'))).toEqual(new Set([5]));
    expect(bindings(shown, 'SamplerDescriptorHeap')).toEqual([6]);
  });

  test('what is refused', () => {
    const main = (code: string) => `[numthreads(1, 1, 1)] void main() { ${code} }`;
    expect(() => compileText(text, { profile: 'cs_6_5' })).toThrow(
      /'ResourceDescriptorHeap' needs shader model 6.6/,
    );
    expect(() => compileText(main('Texture2D t = SamplerDescriptorHeap[0];'), { profile: 'cs_6_6' })).toThrow(
      "cannot convert from 'SamplerDescriptorHeap element' to 'Texture2D<float4>'",
    );
    expect(() => compileText(main('float f = ResourceDescriptorHeap[0];'), { profile: 'cs_6_6' })).toThrow(
      /cannot/,
    );
  });
});

describe('bindings of what is split', () => {
  const bindingsOf = (shown: string) =>
    Object.fromEntries(
      [...shown.matchAll(/OpDecorate %(\w+) Binding (\d+)/g)].map((match) => [match[1], Number(match[2])]),
    );

  test('arrays of resources, flattened', () => {
    const text = `Texture2D five[5]; Texture2D third : register(t3); Texture2D two[2]; SamplerState s; SamplerState t;
      float4 main(float2 uv : A) : SV_Target { return five[0].Sample(s, uv) + five[4].Sample(t, uv) + two[1].Sample(s, uv) + third.Sample(s, uv); }`;
    const shown = spirv(text, 'ps_6_0', { flattenResourceArrays: true });
    expect(bindingsOf(shown)).toMatchObject({ five_0_: 4, five_4_: 8, two_1_: 1, third: 3, s: 2, t: 9 });
    expect(shown).not.toContain('OpTypeArray');
    const dynamic = text.replace('five[4]', 'five[uv.x]');
    expect(() => compileText(dynamic, { profile: 'ps_6_0', flattenResourceArrays: true })).toThrow(
      'resources that do not form one array cannot be indexed at run time',
    );
  });

  test('counters', () => {
    const text = `struct R { RWStructuredBuffer<uint> g; AppendStructuredBuffer<uint> a; }; R r;
      [numthreads(1, 1, 1)] void main() { r.g.IncrementCounter(); r.a.Append(3); }`;
    expect(bindingsOf(spirv(text, 'cs_6_0'))).toEqual({
      r_g: 0,
      counter_var_r_g: 2,
      r_a: 1,
      counter_var_r_a: 3,
    });
    const arrays = `RWStructuredBuffer<uint> g[3]; [numthreads(1, 1, 1)] void main() { g[2].IncrementCounter(); g[1][0] = 1; }`;
    const shown = spirv(arrays, 'cs_6_0', { flattenResourceArrays: true });
    expect(bindingsOf(shown)).toMatchObject({ g_1_: 1, g_2_: 2, counter_var_g_2_: 3 });
  });
});

test.each(['uint64_t2', 'double', 'double2'])('typed buffers do not hold %s', (type) => {
  const text = `RWBuffer<${type}> b; [numthreads(1, 1, 1)] void main() { b[0] = 1; }`;
  expect(() => compileText(text, { profile: 'cs_6_0' })).toThrow(
    `elements of type '${type}' cannot be read from or written to textures and typed buffers`,
  );
});

test('inputs by their number in SPIR-V', () => {
  const text = `enum class BuiltIn { WorkgroupId = 26 }; RWStructuredBuffer<uint3> o;
    [[vk::ext_builtin_input(24)]] static const uint3 groups; [[vk::ext_builtin_input(BuiltIn::WorkgroupId)]] static const uint3 group;
    uint3 sum(uint3 a) { return a + groups; }
    [numthreads(1, 1, 1)] void main() { o[0] = sum(group) * groups.y; }`;
  const shown = spirv(text, 'cs_6_0');
  expect(shown).toMatch(/OpDecorate %\w+ BuiltIn NumWorkgroups/);
  expect(shown).toMatch(/OpDecorate %\w+ BuiltIn WorkgroupId/);
  expect(spirv(text, 'cs_6_0', { optimize: 0 })).toMatch(/OpDecorate %\w+ BuiltIn WorkgroupId/);
  const pixel = '[[vk::ext_builtin_input(18)]] static const int s; float main() : SV_Target { return s; }';
  expect(spirv(pixel, 'ps_6_0')).toContain('OpCapability SampleRateShading');
});

test('acceleration structures are passed on', () => {
  const text = `RaytracingAccelerationStructure a : register(t2); void use(RaytracingAccelerationStructure x) { }
    [numthreads(1, 1, 1)] void main() { use(a); }`;
  for (const optimize of [0, 3] as const) spirv(text, 'cs_6_5', { optimize, preserveBindings: true });
  expect(spirv(text, 'cs_6_5', { preserveBindings: true })).toContain('OpTypeAccelerationStructure');
});

test('matrices go to vectors of as many components in methods', () => {
  const text =
    'AppendStructuredBuffer<float4> o; float2x2 m; [numthreads(1, 1, 1)] void main() { o.Append(m); }';
  expect(spirv(text, 'cs_6_0')).toContain('OpStore');
});

test('where a wave is in its group', () => {
  const text =
    'RWStructuredBuffer<uint> o; [numthreads(64, 1, 1)] void main() { o[GetGroupWaveIndex()] = GetGroupWaveCount(); }';
  const shown = spirv(text, 'cs_6_10');
  expect(shown).toMatch(/BuiltIn SubgroupId\n/);
  expect(shown).toMatch(/BuiltIn NumSubgroups\n/);
  expect(() => compileText(text, { profile: 'cs_6_9' })).toThrow(/needs shader model 6.10 or later/);
});

test('promises about the stencil reference bring its capability', () => {
  const text =
    '[[vk::early_and_late_tests]] [[vk::stencil_ref_unchanged_front]] void main(out uint s : SV_StencilRef) { s = 1; }';
  expect(spirv(text, 'ps_6_0')).toContain('OpCapability StencilExportEXT');
});

test('wave operations with helper lanes ask for full quads', () => {
  const text =
    '[WaveOpsIncludeHelperLanes] float4 main(float4 p : P) : SV_Target { return WaveActiveSum(p) * QuadReadAcrossX(p); }';
  // The spirv-val of these tests does not know the extension.
  const shown = compileText(text, { profile: 'ps_6_7' }).text;
  expect(shown).toMatch(/OpCapability (QuadControlKHR|5087|Unknown)/);
  expect(shown).toContain('OpExtension "SPV_KHR_quad_control"');
  expect(shown).toContain('OpExtension "SPV_KHR_maximal_reconvergence"');
  expect(shown).toMatch(/OpExecutionMode %main (RequireFullQuadsKHR|5089|Unknown)/);
  expect(shown).toMatch(/OpExecutionMode %main (MaximallyReconvergesKHR|6023|Unknown)/);
  const plain = compileText(text.replace(/^\[\w+\] /, ''), { profile: 'ps_6_7' }).text;
  expect(plain).not.toContain('OpExtension "SPV_KHR_quad_control"');
});

test('what needs no more than 16 bits is relaxed: variables, parameters, results, textures', () => {
  const text = `Texture2D<min16float> t; Texture2D full; SamplerState s; groupshared min16int shared[2]; static min16uint2 kept;
    min16float f(min16float x, out min16float y) { y = x; return x * x; }
    [numthreads(1, 1, 1)] void main() { min16float list[2][2]; float other = full.SampleLevel(s, 0, 0).x; list[1][0] = t.SampleLevel(s, 0, other);
      min16float y; shared[1] = (min16int)f(list[1][0], y); kept += shared[0]; }`;
  const shown = spirv(text, 'cs_6_0', { optimize: 0 });
  const relaxed = new Set(
    [...shown.matchAll(/OpDecorate (%\w+) RelaxedPrecision/g)].map((match) => match[1]!),
  );
  for (const name of ['t', 'shared', 'kept', 'list', 'y', 'f', 'x', 'y_0'])
    expect(relaxed).toContain(`%${name}`);
  for (const name of ['full', 's', 'other', 'main']) expect(relaxed).not.toContain(`%${name}`);
  const samples = [...shown.matchAll(/(%\w+) = OpImageSampleExplicitLod/g)].map((match) => match[1]!);
  expect(samples.map((id) => relaxed.has(id))).toEqual([false, true]);
  const call = /(%\w+) = OpFunctionCall/.exec(shown)![1]!;
  expect(relaxed).toContain(call);
});

test('built-ins of Vulkan 1.1 are of extensions before', () => {
  const text =
    'float4 main([[vk::builtin("DeviceIndex")]] int d : D, [[vk::builtin("DrawIndex")]] int i : I, uint v : SV_ViewID) : SV_Position { return d + i + v; }';
  const old = spirv(text, 'vs_6_1', { targetEnv: 'vulkan1.0' });
  const extensions = ['SPV_KHR_device_group', 'SPV_KHR_shader_draw_parameters', 'SPV_KHR_multiview'];
  for (const name of extensions) expect(old).toContain(`OpExtension "${name}"`);
  expect(spirv(text, 'vs_6_1', { targetEnv: 'vulkan1.1' })).not.toContain('OpExtension');
});
