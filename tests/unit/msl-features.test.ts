/** What Metal has in another form than HLSL, what versions and platforms lack, and what a host is told. */
import { describe, expect, it } from 'vitest';
import { checkMsl, toMsl } from '../support/msl.ts';
import { describeWith } from '../support/tools.ts';

type MetalOptions = NonNullable<NonNullable<Parameters<typeof toMsl>[2]>['metal']>;

const messages = (text: string, profile: string, metal: MetalOptions = {}): string[] =>
  toMsl(text, profile, { metal }).diagnostics.map(({ code, line, message }) => `${code} ${line}: ${message}`);
const textOf = (text: string, profile: string, metal: MetalOptions = {}): string => {
  const { msl, diagnostics } = toMsl(text, profile, { metal });
  expect(diagnostics.map((one) => one.rendered).join('\n')).toBe('');
  return msl!;
};

const interpolated = `float4 main(float3 c : COLOR, centroid float2 d : D, noperspective sample float e : E, float list[2] : L) : SV_Target {
  float3 sum = EvaluateAttributeAtSample(c, 2) + EvaluateAttributeCentroid(c) + EvaluateAttributeSnapped(c, int2(3, -4)) + c;
  sum.xy += EvaluateAttributeCentroid(d) + d;
  return float4(sum, EvaluateAttributeCentroid(e) + e + EvaluateAttributeAtSample(list[1], 1));
}`;
const subpass = `[[vk::input_attachment_index(0)]] SubpassInput<float4> color;
[[vk::input_attachment_index(1)]] SubpassInputMS<float2> samples;
[noinline] float4 get() { return color.SubpassLoad(); }
float4 main() : SV_Target { return get() + samples.SubpassLoad(2).xyxy; }`;
const sparse = `Texture2D<float4> t; Texture2DArray<float> a; TextureCube<float4> c; SamplerState s; SamplerComparisonState q;
float4 main(float3 u : U) : SV_Target {
  uint status, other;
  float4 sum = t.Sample(s, u.xy, int2(0, 0), 0.0f, status);
  if (!CheckAccessFullyMapped(status)) sum = 1;
  sum += a.SampleLevel(s, u, 1, int2(0, 0), other) + t.Load(int3(1, 2, 3), int2(0, 0), other) + t.Gather(s, u.xy, int2(0, 0), other);
  return sum + c.SampleGrad(s, u, u, u, 0.0f, other) + a.SampleCmp(q, u, 0.5, int2(0, 0), 0.0f, other) + other;
}`;
const printed =
  'float4 main(uint3 k : K, bool b : B) : SV_Target { printf("%d %v3u 100%% \\"x\\"\\n", b, k); return 0; }';

describe('HLSL in Metal terms', () => {
  it('makes interpolants of inputs that the code interpolates, and keeps the others', () => {
    const text = textOf(interpolated, 'ps_6_0');
    expect(text).toContain(
      'metal::interpolant<metal::float3, metal::interpolation::perspective> COLOR [[user(locn0)]];',
    );
    expect(text).toContain(
      'metal::interpolant<float, metal::interpolation::no_perspective> E [[user(locn2)]];',
    );
    expect(text).toContain('in.COLOR.interpolate_at_sample(2u)');
    expect(text).toContain('in.COLOR.interpolate_at_center()');
    // The centre is (0.5, 0.5): 3/16 to the right and 4/16 up.
    expect(text).toContain('interpolate_at_offset(metal::float2(0.5f) + metal::float2(0.1875f, -0.25f))');
    expect(text).toContain('in.E.interpolate_at_sample(sample_id)');
    expect(text).toContain('in.L_1.interpolate_at_sample(1u)');
    const plain = textOf('float4 main(float3 COLOR : COLOR) : SV_Target { return COLOR.xyzz; }', 'ps_6_0');
    expect(plain).toContain('metal::float3 COLOR [[user(locn0)]];');
  });
  it('refuses to interpolate what an index chooses', () => {
    const text = interpolated.replace('list[1]', 'list[int(c.x)]');
    expect(messages(text, 'ps_6_0')[0]).toMatch(/^OS6001 4: interpolating an element/);
  });
  it('reads subpass inputs as textures, at the pixel', () => {
    const text = textOf(subpass, 'ps_6_0');
    expect(text).toContain('metal::texture2d<float, metal::access::read> color [[texture(0)]]');
    expect(text).toContain('color.read(metal::uint2(metal::int2(position.xy)))');
    expect(text).toContain('samples.read(metal::uint2(metal::int2(position.xy)), uint(2)).xy');
    expect(text).toContain('metal::float4 position [[position]]');
  });
  it('asks sparse textures for what was there', () => {
    const text = textOf(sparse, 'ps_6_0');
    for (const method of ['sample', 'read', 'gather', 'sample_compare'])
      expect(text).toMatch(new RegExp(`const auto texel\\w* = \\w+\\.sparse_${method}\\(`));
    expect(text).toContain('= uint(texel.resident());');
    expect(text).toMatch(/\bst\w* [!=]= 0u/);
    const rows =
      'Texture1D<float> t; float4 main() : SV_Target { uint s; return t.Load(int2(1, 0), 0, s) + s; }';
    expect(messages(rows, 'ps_6_0')[0]).toMatch(/^OS6001 1: the status of 'Texture1D<float>'/);
  });
  it('prints into the log of Metal 3.2', () => {
    const text = textOf(printed, 'ps_6_0', { version: '3.2' });
    expect(text).toContain('#include <metal_logging>\n');
    expect(text).toMatch(
      /metal::os_log_default\.log\("%d %u, %u, %u 100%% \\"x\\"\\n", int\(.*\), \w+\.x, \w+\.y, \w+\.z\);/,
    );
    expect(messages(printed, 'ps_6_0')).toEqual([
      "OS6002 1: 'printf' needs Metal Shading Language 3.2; the target is 3.0 (-msl-version)",
    ]);
    expect(textOf(interpolated, 'ps_6_0')).not.toContain('metal_logging');
  });
  it('keeps precise arithmetic from being changed', () => {
    const text = (word: string) =>
      `float4 main(float a : A) : SV_Target { ${word} float b = a * a + a; return b; }`;
    expect(textOf(text('precise'), 'ps_6_0', { version: '3.2' })).toContain(
      '\n#pragma METAL fp math_mode(safe)\n#pragma METAL fp contract(off)\n',
    );
    expect(textOf(text('precise'), 'ps_6_0')).toContain('\n#pragma clang fp contract(off)\n');
    expect(textOf(text(''), 'ps_6_0', { version: '3.2' })).not.toContain('#pragma');
    const strict = toMsl(text(''), 'ps_6_0', { ieeeStrict: true });
    expect(strict.msl).toContain('#pragma');
    expect(strict.reflection?.metal?.precise).toBe(true);
    expect(toMsl(text(''), 'ps_6_0').reflection?.metal?.precise).toBe(false);
  });
  it('joins components of vectors and not members that are called like them', () => {
    const text =
      'struct V { float x, y, z; }; StructuredBuffer<V> s; float4 main(float3 u : U) : SV_Target { V v = s[0]; return float4(v.x, v.y, v.z, 1) + float4(u.x, u.y, u.z, 0); }';
    expect(textOf(text, 'ps_6_0')).not.toMatch(/v\.xyz|s\[0\]\.xyz/);
    expect(textOf(text, 'ps_6_0')).toContain('(u, 0.0f)');
  });
  it('takes back what -fvk flags turn for Vulkan', () => {
    const vertex = toMsl('float4 main(float4 p : P) : SV_Position { return p; }', 'vs_6_0', {
      invertY: true,
    });
    expect(vertex.msl).toMatch(/out\.SV_Position = .*\n +out\.SV_Position\.y = -out\.SV_Position\.y;/);
    const pixel = toMsl('float4 main(float4 p : SV_Position) : SV_Target { return p.w; }', 'ps_6_0', {
      useDxPositionW: true,
    });
    expect(pixel.msl!.match(/1\.0f \/ /g)).toHaveLength(1);
  });
  it('has the arguments of texture methods in order', () => {
    const spelled = (call: string, texture = 'Texture2D<float4>') =>
      textOf(
        `${texture} t; SamplerState s; SamplerComparisonState q; float4 main(float3 u : U, float3 x : X, float3 y : Y) : SV_Target { return t.${call}; }`,
        'ps_6_8',
      );
    expect(spelled('SampleGrad(s, u.xy, x.xy, y.xy, int2(1, 2), u.z)')).toContain(
      't.sample(s, u.xy, metal::gradient2d(x.xy, y.xy), metal::min_lod_clamp(u.z), metal::int2(1, 2))',
    );
    expect(spelled('SampleGrad(s, u, x, y)', 'TextureCube<float4>')).toContain(
      't.sample(s, u, metal::gradientcube(x, y))',
    );
    expect(spelled('SampleGrad(s, u, x, y)', 'Texture3D<float4>')).toContain('metal::gradient3d(x, y)');
    expect(spelled('SampleBias(s, u.xy, x.x, int2(1, 2))')).toContain(
      't.sample(s, u.xy, metal::bias(x.x), metal::int2(1, 2))',
    );
    // The layer is rounded to the nearest.
    expect(spelled('SampleLevel(s, u, x.x)', 'Texture2DArray<float4>')).toContain(
      't.sample(s, u.xy, uint(metal::rint(metal::max(u.z, 0.0f))), metal::level(x.x))',
    );
    expect(spelled('SampleCmpLevelZero(q, u.xy, x.x, int2(1, 2))', 'Texture2D<float>')).toContain(
      't.sample_compare(q, u.xy, x.x, metal::level(0.0f), metal::int2(1, 2))',
    );
    expect(spelled('GatherBlue(s, u.xy, int2(1, 2))')).toContain(
      't.gather(s, u.xy, metal::int2(1, 2), metal::component::z)',
    );
  });
  it('packs vectors that do not lie on their alignment', () => {
    const { msl } = toMsl(
      'struct S { float a; float2 b; float4 c; float3 d; float e; }; StructuredBuffer<S> s; RWStructuredBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = s[0].b.y + s[0].c.w + s[0].d.x; }',
      'cs_6_0',
      { layout: 'scalar' },
    );
    expect(msl).toContain(
      '    float a;\n    metal::packed_float2 b;\n    metal::packed_float4 c;\n    metal::packed_float3 d;\n    float e;\n',
    );
    const { msl: aligned } = toMsl(
      'cbuffer C { float2 a; float2 b; float4 c; }; float4 main() : SV_Target { return c + a.xyxy + b.xyxy; }',
      'ps_6_0',
    );
    expect(aligned).toContain('    metal::float2 a;\n    metal::float2 b;\n    metal::float4 c;\n');
  });
  it('gives pixel shaders clip distances under names of their own', () => {
    const vertex = textOf(
      'void main(float4 p : P, out float4 o : SV_Position, out float2 d : SV_ClipDistance1) { o = p; d = p.xy; }',
      'vs_6_0',
    );
    expect(vertex).toContain('float clip_distance [[clip_distance]] [2];');
    expect(vertex).toContain('float clip1_1 [[user(clip1_1)]];');
    const pixel = textOf('float4 main(float2 d : SV_ClipDistance1) : SV_Target { return d.y; }', 'ps_6_0');
    expect(pixel).toContain('float clip1_1 [[user(clip1_1)]];');
  });
});

describe('versions', () => {
  const texel =
    'RWTexture2D<uint> t;\n[numthreads(1, 1, 1)] void main() { InterlockedAdd(t[int2(0, 0)], 1); }';
  const endless =
    'Texture2D t[] : register(t0);\nfloat4 main(uint i : I) : SV_Target { return t[i].Load(0); }';
  it.each([
    ['an atomic on a texel', '3.1', '3.0', texel, 'cs_6_0', 1],
    ["the array of resources 't' without size", '3.0', '2.4', endless, 'ps_6_0', 1],
    ["'printf'", '3.2', '3.1', printed, 'ps_6_0', 1],
  ] as const)('%s needs %s', (what, needed, version, text, profile, line) => {
    expect(messages(text, profile, { version })).toContain(
      `OS6002 ${line}: ${what} needs Metal Shading Language ${needed}; the target is ${version} (-msl-version)`,
    );
    textOf(text, profile, { version: needed });
  });
  it('has fewer textures on iOS', () => {
    const text = 'Texture2D t : register(t0); float4 main() : SV_Target { return t.Load(0); }';
    const at = (index: number, metal: MetalOptions) =>
      messages(text, 'ps_6_0', { ...metal, bindings: { t: index } });
    expect(at(127, {})).toEqual([]);
    expect(at(128, {})[0]).toBe("OS6005 1: the Metal texture index 128 of 't' is beyond 127");
    expect(at(95, { platform: 'ios' })).toEqual([]);
    expect(at(96, { platform: 'ios' })[0]).toBe("OS6005 1: the Metal texture index 96 of 't' is beyond 95");
    expect(at(31, { platform: 'ios', version: '2.3' })[0]).toContain('is beyond 30');
  });
});

describe('what Metal lacks', () => {
  it.each([
    ['double', 'RWStructuredBuffer<double> o;\n[numthreads(1, 1, 1)] void main() { o[0] = 1; }', 'cs_6_0', 1],
    [
      'cull distances',
      'void main(float4 p : P, out float4 o : SV_Position,\nout float d : SV_CullDistance) { o = p; d = 1; }',
      'vs_6_0',
      2,
    ],
    ['shading rates', 'float4 main(\nuint r : SV_ShadingRate) : SV_Target { return r; }', 'ps_6_4', 2],
    ['inner coverage', 'float4 main(\nuint r : SV_InnerCoverage) : SV_Target { return r; }', 'ps_6_0', 2],
    [
      'wave matching',
      'RWStructuredBuffer<uint4> o;\n[numthreads(1, 1, 1)] void main() {\no[0] = WaveMatch(o[1].x); }',
      'cs_6_5',
      3,
    ],
    [
      'values at vertices',
      'float4 main(nointerpolation float4 a : A) : SV_Target {\nreturn GetAttributeAtVertex(a, 1); }',
      'ps_6_1',
      1,
    ],
    [
      'clocks',
      'RWStructuredBuffer<uint64_t> o;\n[numthreads(1, 1, 1)] void main() {\no[0] = vk::ReadClock(1); }',
      'cs_6_0',
      3,
    ],
  ])('%s', (_, text, profile, line) => {
    expect(messages(text, profile)[0]).toMatch(new RegExp(`^OS6001 ${line}: .* has no counterpart in Metal`));
  });
});

describe('reflection', () => {
  const reflectionOf = (text: string, profile: string) => toMsl(text, profile).reflection!.metal!;
  it('tells of names that Metal reserves', () => {
    const { renamed } = reflectionOf(
      'struct texture { float half3; }; StructuredBuffer<texture> kernel; float4 main(float thread : T) : SV_Target { float fragment = kernel[int(thread)].half3; return fragment * fragment + thread; }',
      'ps_6_0',
    );
    expect(renamed).toEqual([
      { source: 'kernel', name: 'kernel0' },
      { source: 'half3', name: 'half30' },
      { source: 'thread', name: 'thread0' },
      { source: 'fragment', name: 'fragment0' },
    ]);
    expect(reflectionOf('float4 main() : SV_Target { return 0; }', 'ps_6_0').renamed).toEqual([]);
  });
  it('makes function constants of specialization constants, with their numbers and defaults', () => {
    const { msl, reflection } = toMsl(
      '[[vk::constant_id(3)]] const float scale = 2.5; [[vk::constant_id(9)]] const bool on = true; RWStructuredBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = on ? scale : 0; }',
      'cs_6_0',
    );
    expect(msl).toContain('constant float scale_given [[function_constant(3)]];');
    expect(msl).toContain(
      'constant bool on = metal::is_function_constant_defined(on_given) ? on_given : true;',
    );
    expect(reflection?.specializationConstants.map(({ name, id }) => [name, id])).toEqual([
      ['scale', 3],
      ['on', 9],
    ]);
  });
  it('gives numthreads, which the text has as a product', () => {
    const { msl, reflection } = toMsl('[numthreads(4, 3, 2)] void main() {}', 'cs_6_0');
    expect(reflection?.metal?.entryPoints[0]?.threadGroupSize).toEqual([4, 3, 2]);
    expect(msl).toContain('[[max_total_threads_per_threadgroup(24)]] kernel void main0(');
  });
  it('says how each resource is bound', () => {
    const { bindings } = reflectionOf(
      `Texture2D t[3] : register(t2); StructuredBuffer<float> list : register(t0); cbuffer C : register(b4) { float k; }; SamplerState s;
       RWStructuredBuffer<uint> many[2] : register(u0); RWStructuredBuffer<uint> endless[] : register(u0, space1); AppendStructuredBuffer<float> out_ : register(u7);
       [numthreads(1, 1, 1)] void main(uint i : SV_GroupIndex) { uint a, b; list.GetDimensions(a, b); out_.Append(t[i].SampleLevel(s, 0, 0).x + k); many[i][0] = a; endless[i][0] = b; }`,
      'cs_6_0',
    );
    expect(
      bindings.map(({ name, table, index, count, kind }) => `${name} ${table} ${index} ${count} ${kind}`),
    ).toEqual([
      'C buffer 0 1 resource',
      'list buffer 1 1 resource',
      't texture 0 3 resource',
      'many buffer 2 1 arguments',
      'out_ buffer 3 1 resource',
      'endless buffer 4 1 handles',
      's sampler 0 1 resource',
      'out_.counter buffer 5 1 counter',
      'buffer sizes buffer 30 1 sizes',
    ]);
  });
});

describeWith(['clang'], 'features type-check', () => {
  it('with and without the optimizer, and with --robust', () => {
    const all = { interpolated, subpass, sparse, printed };
    const texts: Record<string, string> = {};
    for (const [name, text] of Object.entries(all))
      for (const optimize of [0, 3] as const)
        for (const robust of name === 'sparse' ? [false] : [false, true]) {
          const { msl, diagnostics } = toMsl(text, 'ps_6_0', { optimize, metal: { version: '3.2', robust } });
          expect(diagnostics.map((one) => one.rendered).join('\n')).toBe('');
          texts[`${name}_${optimize}_${robust}`] = msl!;
        }
    expect(checkMsl(texts)).toBe('');
  });
  it('whatever word of C++ or Metal a variable or member is called by', () => {
    const words =
      'alignas alignof and and_eq bitand bitor char16_t char32_t compl constexpr decltype noexcept not not_eq nullptr or or_eq signed ' +
      'static_assert thread_local xor xor_eq kernel vertex fragment device constant thread threadgroup metal uchar ushort ulong bfloat mesh object ' +
      'visible patch restrict quad simd size_t ptrdiff_t INFINITY NAN NULL assert atomic_int atomic_uint uint3x3 packed_float3 texture2d depth2d access ' +
      'coherent array vec matrix0 M_PI_F FLT_MAX ray_data half5 main in_ out_ fract dot0 select0 level bias sampler texture';
    const compiled = (names: readonly string[]) => {
      const each = (make: (name: string) => string): string => names.map(make).join(' ');
      const members = each((name) => `float ${name};`);
      const body = each((name) => `float ${name} = o[0].${name} * 2; o[1].${name} = ${name} + ${name};`);
      const text = `struct S { ${members} }; RWStructuredBuffer<S> o; [numthreads(1, 1, 1)] void entry() { ${body} }`;
      return toMsl(text, 'cs_6_0', { entry: 'entry', optimize: 0 }).msl;
    };
    // Some are words of HLSL too.
    const accepted = words.split(' ').filter((word) => compiled([word]) !== undefined);
    expect(accepted.length).toBeGreaterThan(60);
    expect(checkMsl({ all: compiled(accepted)! })).toBe('');
  });
  it('refuses the status of a load with --robust', () => {
    expect(messages(sparse, 'ps_6_0', { robust: true })[0]).toMatch(
      /^OS6003 6: the status of a load with --robust/,
    );
  });
});
