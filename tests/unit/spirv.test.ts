import { describe, expect, test } from 'vitest';
import type { CompileOptions } from '../../src/compile.ts';
import type { Options } from '../../src/options.ts';
import { bytesOf, compileText, emissionErrors, emitText } from '../support/spirv.ts';
import { findTool, testWith, validateSpirv, validationFlags } from '../support/tools.ts';

const canValidate = findTool('spirv-val') !== undefined;
const targets = [
  'vulkan1.0',
  'vulkan1.1',
  'vulkan1.1spirv1.4',
  'vulkan1.2',
  'vulkan1.3',
  'vulkan1.4',
] as const;

function flags(targetEnv: Options['targetEnv'], layout: Options['layout']): string[] {
  const known = {
    'vulkan1.1spirv1.4': 'vulkan1.1spv1.4',
    'vulkan1.4': 'vulkan1.3',
    'universal1.5': 'spv1.5',
  } as Record<string, string>;
  return validationFlags(known[targetEnv] ?? targetEnv, layout);
}

/** Emits and validates IR; gives the text. */
function check(text: string, changes: Partial<Options> = {}): string {
  const { words, text: shown } = emitText(text, changes);
  if (canValidate)
    expect(
      validateSpirv(bytesOf(words), flags(changes.targetEnv ?? 'vulkan1.2', changes.layout ?? 'vulkan')),
      shown,
    ).toBe('');
  return shown;
}

/** Compiles and validates HLSL. */
function hlsl(text: string, profile: string, options: Partial<CompileOptions> = {}): string {
  const { bytes, text: shown } = compileText(text, { profile, ...options });
  if (canValidate)
    expect(
      validateSpirv(bytes, flags(options.targetEnv ?? 'vulkan1.2', options.layout ?? 'vulkan')),
      shown,
    ).toBe('');
  return shown;
}

const compute = (body: string, before = '', rest = ''): string =>
  `${before}\nfunction main(): void entry compute "main" threads 8 8 1 {\n${body}\nreturn\n}\n${rest}`;
const shader = (body: string, before = '') =>
  `${before}\nRWStructuredBuffer<float> o;\n[numthreads(8, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {\n${body}\n}`;

testWith(['spirv-val'], 'the validator is there', () => {
  check(compute(''));
});

describe('modules', () => {
  test('an empty compute shader', () => {
    const text = check(compute(''));
    expect(text).toContain('OpExecutionMode %main LocalSize 8 8 1');
    expect(text.match(/OpCapability/g)).toHaveLength(1);
  });

  const buffers = `struct S { a: float3, m: float2x3 column_major, flag: bool, n: int[3], k: int2x3 column_major, r: bool3x2 row_major }
global @items: ptr<resource, RWStructuredBuffer<S>> resource set 0 binding 0
global @bytes: ptr<resource, RWByteAddressBuffer> resource set 0 binding 3
global @out: ptr<resource, RWStructuredBuffer<float4>> resource set 0 binding 1 counter 0 2`;
  const copies = `%p: ptr<storage, S, vulkan-storage> = buffer_pointer @items, uint(1)
      %s: S = load %p
      %f: ptr<storage, bool, vulkan-storage> = access %p, 2
      store %f, true
      %q: ptr<storage, S, vulkan-storage> = buffer_pointer @items, uint(2)
      store %q, %s
      %k: ptr<storage, int2x3, vulkan-storage, column_major> = access %p, 4
      %row: ptr<storage, int3, vulkan-storage> = access %k, 1
      %r: int3 = load %row
      store %row, %r
      %c: ptr<storage, int, vulkan-storage> = counter_pointer @out
      %n: int = load %c
      %w: ptr<storage, uint, vulkan-storage> = buffer_pointer @bytes, uint(4)
      store %w, uint(7)`;
  test.each(targets)('buffers for %s', (targetEnv) => {
    for (const optimizationLevel of [0, 3] as const) {
      const text = check(compute(copies, buffers), { targetEnv, optimizationLevel });
      const isOld = targetEnv === 'vulkan1.0';
      expect(text.includes('BufferBlock')).toBe(isOld);
      expect(text.includes('StorageBuffer')).toBe(!isOld);
    }
  });

  test.each(['vulkan', 'dx', 'gl', 'scalar'] as const)(
    'every kind of member under the %s layout',
    (layout) => {
      const text = shader(
        'o[0] = m[1][0] + n[2].x + s.v.x + f16.x + d + a[1][0].y + t.v.y; S c = s; s2[id.x] = c; o[1] = s2[0].m[1].x; o[2] = r1[0][1] + c1[1];',
        `struct S { float3 v; float2x3 m; bool b; int2x2 i; row_major bool2x3 rb; };
       cbuffer B { float3x2 m; row_major int3x3 n; S s; half2 f16; double d; float4 a[3][2]; float1x3 r1; float3x1 c1; }
       TextureBuffer<S> t; RWStructuredBuffer<S> s2;`,
      );
      for (const optimize of [false, true]) hlsl(text, 'cs_6_2', { layout, optimize });
    },
  );
});

describe('control flow', () => {
  test('a test at the head of a loop is the header’s branch', () => {
    const text = hlsl(
      shader('for (int i = 0; i < 4; i++) { if (i == 2) continue; o[i] = i; if (o[i] > 3) break; }'),
      'cs_6_0',
    );
    expect(text).toMatch(/OpLoopMerge %\d+ %\d+ None\n\s+OpBranchConditional/);
  });

  test.each([
    [
      'fallthrough into default',
      'switch (id.x) { case 0: o[0] = 1; case 1: default: o[1] = 2; break; case 5: o[2] = 1; }',
    ],
    [
      'default first',
      'switch (id.x) { default: o[0] = 1; case 3: o[1] = 2; break; case 4: case 7: o[2] = 1; }',
    ],
    ['no default', 'switch (id.x) { case 3: o[1] = 2; break; }'],
    ['return from a loop', 'for (;;) { if (o[0] > 1) return; o[0] += 1; }'],
    ['both arms return', 'if (id.x > 1) { o[0] = 1; return; } else { o[1] = 1; return; }'],
    [
      'continue in a switch',
      'for (uint i = 0; i < 9; i++) { switch (i) { case 1: continue; case 2: o[i] = 1; break; default: return; } o[i] = 2; }',
    ],
    ['do with a break', 'uint i = 0; do { if (i == 3) break; o[i] = 1; } while (++i < 9 && o[i] < 3);'],
    [
      'nested loops',
      'for (uint i = 0; i < 9; i++) { while (o[i] > 0) { o[i] -= 1; if (o[i] == 4) break; } if (i == 4) break; }',
    ],
    ['loop that never ends', 'while (true) { o[0] += 1; }'],
    ['one that never turns', 'do { o[0] = 1; break; } while (true);'],
    [
      'attributes',
      '[unroll] for (uint i = 0; i < 3; i++) o[i] = 1; [loop] for (uint j = 0; j < 3; j++) o[j] = 1; [flatten] if (id.x) o[0] = 1; [branch] if (id.x) o[1] = 1;',
    ],
  ])('%s', (_, body) => {
    for (const optimize of [false, true])
      for (const targetEnv of ['vulkan1.0', 'vulkan1.3'] as const)
        hlsl(shader(body), 'cs_6_0', { optimize, targetEnv });
  });

  describe('what only brings values on is no block of its own', () => {
    const blocks = (body: string): number =>
      hlsl(shader(body), 'cs_6_0', { optimize: true }).match(/= OpLabel/g)!.length;
    const costly = 'sin(o[id.x]) + cos(o[id.y]) + tan(o[id.z])';
    test.each([
      ['an arm', `float v = 1; [branch] if (id.x > 3) v = ${costly}; o[0] = v;`, 3],
      ['the other arm', `float v; [branch] if (id.x > 3) v = 2; else v = ${costly}; o[0] = v;`, 3],
      [
        'the group of a default',
        `float v; switch (id.x) { case 0: v = 1; break; case 1: v = ${costly}; break; default: v = 3; break; } o[0] = v;`,
        4,
      ],
      [
        'a group, but only one',
        `float v; switch (id.x) { case 0: v = 1; break; case 1: v = 2; break; default: v = ${costly}; break; } o[0] = v;`,
        4,
      ],
      [
        'none where there is a way without a group',
        `float v = 5; switch (id.x) { case 0: v = 1; break; case 1: v = ${costly}; break; } o[0] = v;`,
        4,
      ],
      [
        'no group that another one falls into',
        `float v = 1; switch (id.x) { case 0: o[1] = 1; case 1: v = 2; break; default: v = ${costly}; break; } o[0] = v;`,
        5,
      ],
    ])('%s', (_, body, count) => {
      expect(blocks(body)).toBe(count);
    });
  });

  test('values leave control instructions as phis', () => {
    const text = check(
      compute(`%sum: float, %n: int = loop (%i: int = 0, %acc: float = 0.0) {
        %more: bool = less %i, 8
        if %more { yield } else { break %acc, %i }
        %odd: bool = equal %i, 3
        %w: float = if %odd { yield 1.0 } else { yield 2.0 }
        %next: float = add %acc, %w
        continue %next
      } continuing (%a: float) {
        %j: int = add %i, 1
        repeat %j, %a
      }
      %s: float = switch %n { case 1 { yield 1.0 } case default { break 2.0 } }`),
    );
    // Two of the header, the if and the switch; what only one way brings needs none.
    expect(text.match(/OpPhi/g)).toHaveLength(4);
  });

  test('discard ends the invocation, or demotes it where SPIR-V can', () => {
    const text = 'float4 main(float a : A) : SV_Target { if (a < 0) discard; clip(a - 1); return a; }';
    expect(hlsl(text, 'ps_6_0')).toContain('OpKill');
    const demoted = hlsl(text, 'ps_6_0', { targetEnv: 'vulkan1.3' });
    expect(demoted).toContain('OpDemoteToHelperInvocation');
    expect(demoted).not.toContain('OpKill');
  });
});

describe('resources', () => {
  test('textures, samplers and every way to read them', () => {
    const text = `Texture2D t; Texture2DArray<float2> ta; TextureCube<int4> tc : register(t5); Texture2DMS<float4> ms; Buffer<uint2> b; Texture3D<float> t3;
      SamplerState s; SamplerComparisonState c;
      float4 main(float2 uv : UV, uint i : I) : SV_Target {
        float4 r = t.Sample(s, uv) + t.SampleBias(s, uv, 1) + t.SampleLevel(s, uv, 2, int2(1, -1)) + t.SampleGrad(s, uv, ddx(uv), ddy(uv));
        r += t.SampleCmp(c, uv, 0.5) + t.SampleCmpLevelZero(c, uv, 0.5) + t.Gather(s, uv) + t.GatherGreen(s, uv, int2(i, 1)) + t.GatherCmp(c, uv, 0.5);
        r.xy += ta.Sample(s, float3(uv, 1)) + ta.Load(int4(1, 2, 0, 0)) + b[i] + b.Load(3);
        r += ms.Load(int2(1, 2), 3) + ms.sample[1][uint2(0, 0)] + t[uint2(3, 4)] + t.mips[1][uint2(0, 0)] + t3.SampleLevel(s, uv.xyy, 0);
        uint w, h, l; t.GetDimensions(0, w, h, l); r.x += w + h + l + t.CalculateLevelOfDetail(s, uv); ms.GetDimensions(w, h, l); r += w + h + l;
        return r + tc.SampleLevel(s, uv.xyx, 0);
      }`;
    const shown = hlsl(text, 'ps_6_0');
    expect(shown).toContain('OpImageSampleDrefExplicitLod');
    expect(shown).toContain('OpCapability ImageGatherExtended');
  });

  test('residency makes the sparse forms', () => {
    const text = `Texture2D t; SamplerState s; float4 main(float2 uv : UV) : SV_Target {
      uint status; float4 r = t.Sample(s, uv, int2(0, 0), 0, status); if (!CheckAccessFullyMapped(status)) r = t.Load(int3(0, 0, 0), int2(0, 0), status); return r; }`;
    expect(hlsl(text, 'ps_6_0')).toContain('OpImageSparseFetch');
  });

  test('storage images have the format of their element, or the one that is asked for', () => {
    const text = (attribute: string, type: string) =>
      `${attribute} RWTexture2D<${type}> t; [numthreads(1, 1, 1)] void main() { t[uint2(0, 0)] = t[uint2(1, 1)]; }`;
    expect(hlsl(text('', 'float4'), 'cs_6_0')).toMatch(/OpTypeImage .* 2 Rgba32f/);
    expect(hlsl(text('', 'float2'), 'cs_6_0')).toContain('OpCapability StorageImageExtendedFormats');
    expect(hlsl(text('[[vk::image_format("rgba8")]]', 'float4'), 'cs_6_0')).toMatch(
      /OpTypeImage .* 2 Rgba8$/m,
    );
    const unknown = hlsl(text('', 'float3'), 'cs_6_0');
    expect(unknown).toContain('OpCapability StorageImageReadWithoutFormat');
    expect(unknown).toContain('OpCapability StorageImageWriteWithoutFormat');
  });

  test('atomics reach buffers, shared memory and texels', () => {
    const text = `RWStructuredBuffer<int> b; RWByteAddressBuffer a; RWTexture2D<uint> t; RWBuffer<int> tb; groupshared uint g;
      [numthreads(1, 1, 1)] void main() { int o; uint u; InterlockedAdd(b[1], 2, o); InterlockedMax(b[0], o); a.InterlockedOr(4, 1, u); InterlockedMin(t[uint2(0, 1)], u);
        InterlockedCompareExchange(g, 1, 2, u); InterlockedExchange(tb[3], 4, o); AllMemoryBarrierWithGroupSync(); a.Store(0, u + o + g); }`;
    const shown = hlsl(text, 'cs_6_0');
    expect(shown).toContain('OpImageTexelPointer');
    expect(shown).toContain('OpAtomicSMax');
    expect(shown).toContain('OpAtomicUMin');
  });

  test('arrays of resources, uniform and not', () => {
    const text = `Texture2D t[4]; Texture2D u[] : register(t0, space1); SamplerState s; StructuredBuffer<float4> b[3] : register(t0, space2);
      cbuffer I { uint k; }
      float4 main(uint i : I, float2 uv : UV) : SV_Target { return t[1].Sample(s, uv) + t[k].Sample(s, uv) + u[NonUniformResourceIndex(i)].Sample(s, uv) + b[NonUniformResourceIndex(i + 1)][2]; }`;
    const shown = hlsl(text, 'ps_6_0');
    for (const capability of [
      'RuntimeDescriptorArray',
      'SampledImageArrayNonUniformIndexing',
      'StorageBufferArrayNonUniformIndexing',
      'SampledImageArrayDynamicIndexing',
    ]) {
      expect(shown).toContain(`OpCapability ${capability}`);
    }
    expect(shown).toMatch(/OpDecorate %\d+ NonUniform/);
    expect(hlsl(text, 'ps_6_0', { targetEnv: 'vulkan1.1' })).toContain(
      'OpExtension "SPV_EXT_descriptor_indexing"',
    );
  });

  test('combined image samplers are one variable', () => {
    const text = `[[vk::combinedImageSampler]] [[vk::binding(3)]] Texture2D t; [[vk::combinedImageSampler]] [[vk::binding(3)]] SamplerState s;
      float4 main(float2 uv : UV) : SV_Target { return t.Sample(s, uv) + t[uint2(0, 0)]; }`;
    const shown = hlsl(text, 'ps_6_0');
    expect(shown).not.toContain('OpTypeSampler\n');
    expect(shown).toContain('OpTypeSampledImage');
  });

  test('push constants and specialization constants', () => {
    const text = `struct P { float4 a; float2x2 m; }; [[vk::push_constant]] P p; [[vk::constant_id(3)]] const int n = 5;
      RWStructuredBuffer<float4> o; [numthreads(1, 1, 1)] void main() { P c = p; o[0] = p.a * n + c.m[1].xyxy; }`;
    const shown = hlsl(text, 'cs_6_0');
    expect(shown).toContain('SpecId 3');
    expect(shown).toContain('PushConstant');
  });

  test('-fspv-reflect names semantics and types', () => {
    const text =
      'Texture2D<float4> t; float4 main(float4 a : COLOR1) : SV_Target { return a + t[uint2(0, 0)]; }';
    const shown = hlsl(text, 'ps_6_0', { reflectDecorations: true });
    expect(shown).toContain('UserSemantic "COLOR1"');
    expect(shown).toContain('UserTypeGOOGLE "texture2d:<float4>"');
  });
});

describe('values', () => {
  test('matrices are arrays of rows without optimizer and matrices with it', () => {
    const body =
      'float2x3 m = { 1, 2, 3, 4, 5, id.x }; float3x2 n = transpose(m); o[0] = mul(m, float3(1, 2, id.x)).y + mul(m, n)[0][1] + determinant(float2x2(m[0].xy, n[1])) + (m * 2)[1][2];';
    const off = hlsl(shader(body), 'cs_6_0');
    expect(off).toMatch(/OpVariable %\d+ Function/);
    expect(off).toMatch(/OpTypeArray/);
    const on = hlsl(shader(body), 'cs_6_0', { optimize: true });
    expect(on).toContain('OpTypeMatrix');
  });

  test('min-precision is relaxed, precise is not contracted', () => {
    const shown = hlsl(
      'min16float4 main(min16float4 a : A, float b : B) : SV_Target { precise float c = b * 2 + 1; return a * 2 + c; }',
      'ps_6_0',
    );
    expect(shown).toContain('RelaxedPrecision');
    expect(shown).toContain('NoContraction');
  });

  test('16-bit and 64-bit types ask for what they need', () => {
    const text = `RWStructuredBuffer<half4> h; cbuffer C { int16_t s; } RWStructuredBuffer<double> d; RWStructuredBuffer<uint64_t> u;
      [numthreads(1, 1, 1)] void main() { h[0] = h[1] * 2 + s; d[0] = d[1] + 1; u[0] = u[1] << 3; }`;
    const shown = hlsl(text, 'cs_6_2', { enable16BitTypes: true });
    for (const capability of [
      'Float16',
      'Int16',
      'Float64',
      'Int64',
      'StorageBuffer16BitAccess',
      'UniformAndStorageBuffer16BitAccess',
    ]) {
      expect(shown).toContain(`OpCapability ${capability}`);
    }
  });

  test('shift counts are masked unless they are constants in range', () => {
    const shown = hlsl(
      'RWStructuredBuffer<int> b; [numthreads(1, 1, 1)] void main() { b[0] = b[1] << b[2]; b[3] = b[4] >> 5; }',
      'cs_6_0',
    );
    expect(shown.match(/OpBitwiseAnd/g)).toHaveLength(1);
  });
});

describe('interface', () => {
  test('system values have the types of Vulkan', () => {
    const text = `float4 main(float4 p : SV_Position, bool f : SV_IsFrontFace, uint c : SV_Coverage, uint s : SV_SampleIndex, bool flag : FLAG, nointerpolation float3 n : N, noperspective float q : Q, centroid float r : R, out uint oc : SV_Coverage, out float d : SV_DepthLessEqual) : SV_Target
      { oc = c; d = p.z; return p + f + s + flag + n.x + q + r; }`;
    const shown = hlsl(text, 'ps_6_0');
    for (const built of ['FragCoord', 'FrontFacing', 'SampleMask', 'SampleId', 'FragDepth'])
      expect(shown).toContain(`BuiltIn ${built}`);
    for (const decoration of ['Flat', 'NoPerspective', 'Centroid']) expect(shown).toContain(decoration);
    expect(shown).toContain('DepthLess');
  });

  test('vertex outputs', () => {
    const text = `struct V { float4 p : SV_Position; float2 c0 : SV_ClipDistance1; float c1 : SV_ClipDistance0; float k : SV_CullDistance; bool b : B; float3x2 m : M; float a[2] : ARR; };
      V main(uint v : SV_VertexID, uint i : SV_InstanceID, float3 pos : POSITION) { V o = (V)0; o.p = float4(pos, v + i); o.c0 = pos.xy; o.c1 = 1; o.b = v > 1; o.m[1].x = 2; o.a[1] = 3; return o; }`;
    const shown = hlsl(text, 'vs_6_0');
    expect(shown).toContain('BuiltIn ClipDistance');
    const swapped = hlsl(text, 'vs_6_0', {
      invertY: true,
      supportNonzeroBaseInstance: true,
      supportNonzeroBaseVertex: true,
    });
    expect(swapped).toContain('OpFNegate');
    expect(swapped).toContain('BuiltIn BaseInstance');
    expect(swapped).toContain('BuiltIn BaseVertex');
  });

  test('layers from vertex shaders need what the version has', () => {
    const text =
      'float4 main(uint l : L, out uint layer : SV_RenderTargetArrayIndex) : SV_Position { layer = l; return 0; }';
    expect(hlsl(text, 'vs_6_0')).toContain('OpCapability ShaderLayer');
    expect(hlsl(text, 'vs_6_0', { targetEnv: 'vulkan1.1' })).toContain('SPV_EXT_shader_viewport_index_layer');
  });

  test('fewer components of the thread’s id', () => {
    hlsl(
      'RWStructuredBuffer<uint> o; [numthreads(1, 1, 1)] void main(uint2 id : SV_DispatchThreadID, int g : SV_GroupID, uint gi : SV_GroupIndex) { o[gi] = id.y + g; }',
      'cs_6_0',
    );
  });

  test('reads of the position’s w are reciprocal on demand', () => {
    const text = 'float4 main(float4 p : SV_Position) : SV_Target { return p; }';
    expect(hlsl(text, 'ps_6_0', { useDxPositionW: true })).toContain('OpFDiv');
  });

  test('derivatives in a compute shader group its threads', () => {
    const text =
      'RWStructuredBuffer<float> o; [numthreads(4, 2, 1)] void main(uint3 id : SV_DispatchThreadID) { o[id.x] = ddx(o[id.y]); }';
    expect(hlsl(text, 'cs_6_6')).toContain('DerivativeGroupQuadsNV');
  });

  test('rasterizer ordered views make pixels take turns', () => {
    const text = (input: string) =>
      `RasterizerOrderedTexture2D<uint> t; float4 main(float4 p : SV_Position${input}) : SV_Target { if (p.x > 9) return 1; t[uint2(p.xy)] += 1; return 0; }`;
    const shown = hlsl(text(''), 'ps_6_0');
    expect(shown).toContain('PixelInterlockOrderedEXT');
    expect(shown.match(/OpEndInvocationInterlockEXT/g)).toHaveLength(2);
    expect(hlsl(text(', uint s : SV_SampleIndex'), 'ps_6_0')).toContain('SampleInterlockOrderedEXT');
  });

  test('attributes that stand for execution modes', () => {
    const text =
      '[[vk::post_depth_coverage]] [earlydepthstencil] float4 main(uint c : SV_Coverage) : SV_Target { return c; }';
    const shown = hlsl(text, 'ps_6_0');
    expect(shown).toContain('PostDepthCoverage');
    expect(shown).toContain('EarlyFragmentTests');
    const late =
      '[[vk::early_and_late_tests]] [[vk::depth_unchanged]] float main() : SV_Depth { return 0.5; }';
    expect(hlsl(late, 'ps_6_0')).toContain('DepthUnchanged');
  });

  test('waves and their lanes', () => {
    const text = `RWStructuredBuffer<uint> o; [numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      o[id.x] = WaveActiveSum(id.x) + WaveGetLaneIndex() + WaveReadLaneFirst(id.y) + WavePrefixSum(id.x) + (WaveActiveAnyTrue(id.x > 3) ? 1 : 0) + WaveActiveBallot(true).x; }`;
    expect(hlsl(text, 'cs_6_0', { targetEnv: 'vulkan1.1' })).toContain('OpGroupNonUniformIAdd');
  });
});

describe('what cannot be', () => {
  const texture = (element: string) =>
    `global @t: ptr<resource, RWTexture2D<${element}>> resource set 0 binding 0`;
  test.each<[string, string, Partial<Options>]>([
    ['spirv-unsupported-stage', 'function main(): void entry hull "main" {\nreturn\n}', {}],
    [
      'needs-target-env',
      compute('%a: uint = intrinsic "WaveReadLaneFirst" uint(1)'),
      { targetEnv: 'vulkan1.0' },
    ],
    [
      'extension-not-allowed',
      compute('%i: uint = intrinsic "vk::ReadClock" uint(3)'),
      { allowedExtensions: ['SPV_KHR_multiview'] },
    ],
    ['extension-unknown', compute(''), { allowedExtensions: ['KHR', 'SPV_KHR_no_such_thing'] }],
    ['spirv-unsupported-intrinsic', compute('%i: float = intrinsic "rcp" 1.0'), {}],
    ['spirv-wide-function', compute('%i: double = intrinsic "sin" double(1.0)'), {}],
    [
      'spirv-unknown-image-format',
      compute('', `${texture('float4')} attributes [image_format("rgba99")]`),
      {},
    ],
    [
      'spirv-unsupported-resource',
      compute('', 'global @a: ptr<resource, float> resource set 0 binding 0'),
      {},
    ],
    [
      'spirv-texel-element',
      compute(
        '%t: ptr<texel, float2x2> = texel @t, uint2(0, 0)\n%v: float2x2 = load %t',
        texture('float2x2'),
      ),
      {},
    ],
    [
      'spirv-atomic-type',
      compute(
        '%a: S = intrinsic "atomic.add" @g, S(1)',
        'struct S { a: int }\nglobal @g: ptr<workgroup, S> workgroup',
      ),
      {},
    ],
    [
      'spirv-unsupported-system-value',
      'global @in.var.X: ptr<input, float> input "in.var.X": float semantic "X" 0 builtin "Nonsense"\nfunction main(): void entry pixel "main" inputs @in.var.X {\nreturn\n}',
      {},
    ],
  ])('%s', (key, text, options) => {
    expect(emissionErrors(text, options)).toContain(key);
  });

  test.each([
    [
      'spirv-constant-offset-needed',
      "the offset of 'Sample' must be a constant [OS5007]",
      'Texture2D t; SamplerState s; float4 main(float2 uv : UV, int2 o : O) : SV_Target { return t.Sample(s, uv, o); }',
      'ps_6_0',
    ],
    [
      'spirv-derivative-group',
      'OS5014',
      'RWStructuredBuffer<float> o; [numthreads(3, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { o[id.x] = ddx(o[id.y]); }',
      'cs_6_6',
    ],
  ])('%s', (_, code, text, profile) => {
    expect(() => compileText(text, { profile })).toThrow(code);
  });
});
