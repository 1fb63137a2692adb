/** Entry points in Metal: attributes of inputs and outputs, and what makes HLSL's values of Metal's. */
import { describe, expect, it } from 'vitest';
import { checkMsl, toMsl } from '../support/msl.ts';
import { describeWith } from '../support/tools.ts';

const profiles = { vertex: 'vs_6_8', pixel: 'ps_6_8', compute: 'cs_6_0' } as const;
type Stage = keyof typeof profiles;

/** Declaration of a parameter, its attribute in Metal, and how its value is read. */
const inputs: readonly (readonly [Stage, declaration: string, field: string, value?: string])[] = [
  ['vertex', 'float3 a : A', 'metal::float3 A [[attribute(0)]];'],
  ['vertex', 'float2x3 m : M', 'metal::float3 M_1 [[attribute(1)]];'],
  ['vertex', 'float a[3] : A', 'float A_2 [[attribute(2)]];'],
  ['vertex', 'bool2 b : B', 'metal::uint2 B [[attribute(0)]];', 'metal::bool2(in.B)'],
  ['vertex', '[[vk::location(5)]] float a : A', 'float A [[attribute(5)]];'],
  ['vertex', 'uint v : SV_VertexID', 'uint vertex_id [[vertex_id]]', '(vertex_id - base_vertex)'],
  ['vertex', 'uint v : SV_InstanceID', 'uint instance_id [[instance_id]]', '(instance_id - base_instance)'],
  ['vertex', 'int v : SV_StartVertexLocation', 'uint base_vertex [[base_vertex]]', 'int(base_vertex)'],
  ['vertex', 'uint v : SV_StartInstanceLocation', 'uint base_instance [[base_instance]]'],
  ['vertex', 'uint v : SV_ViewID', 'uint amplification_id [[amplification_id]]'],
  ['pixel', 'float3 a : A', 'metal::float3 A [[user(locn0)]];'],
  ['pixel', '[[vk::location(3)]] float a : A', 'float A [[user(locn3)]];'],
  ['pixel', 'float2x3 m : M', 'metal::float3 M_1 [[user(locn1)]];'],
  ['pixel', 'nointerpolation float a : A', 'float A [[user(locn0), flat]];'],
  ['pixel', 'nointerpolation uint a : A', 'uint A [[user(locn0), flat]];'],
  ['pixel', 'noperspective float a : A', 'float A [[user(locn0), center_no_perspective]];'],
  ['pixel', 'centroid float a : A', 'float A [[user(locn0), centroid_perspective]];'],
  ['pixel', 'centroid noperspective float a : A', 'float A [[user(locn0), centroid_no_perspective]];'],
  ['pixel', 'sample float a : A', 'float A [[user(locn0), sample_perspective]];'],
  ['pixel', 'sample noperspective float a : A', 'float A [[user(locn0), sample_no_perspective]];'],
  [
    'pixel',
    'float4 p : SV_Position',
    'metal::float4 position [[position]]',
    'metal::float4(position.xyz, 1.0f / position.w)',
  ],
  ['pixel', 'bool f : SV_IsFrontFace', 'bool front_facing [[front_facing]]'],
  ['pixel', 'uint v : SV_PrimitiveID', 'uint primitive_id [[primitive_id]]'],
  ['pixel', 'uint v : SV_SampleIndex', 'uint sample_id [[sample_id]]'],
  ['pixel', 'uint v : SV_Coverage', 'uint sample_mask [[sample_mask]]'],
  ['pixel', 'uint v : SV_ViewID', 'uint amplification_id [[amplification_id]]'],
  [
    'pixel',
    'uint v : SV_RenderTargetArrayIndex',
    'uint render_target_array_index [[render_target_array_index]]',
  ],
  ['pixel', 'uint v : SV_ViewportArrayIndex', 'uint viewport_array_index [[viewport_array_index]]'],
  ['pixel', 'float3 b : SV_Barycentrics', 'metal::float3 barycentric_coord [[barycentric_coord]]'],
  ['pixel', 'noperspective float3 b : SV_Barycentrics', '[[barycentric_coord, center_no_perspective]]'],
  [
    'compute',
    'uint3 v : SV_DispatchThreadID',
    'metal::uint3 thread_position_in_grid [[thread_position_in_grid]]',
  ],
  ['compute', 'uint2 v : SV_DispatchThreadID', '[[thread_position_in_grid]]', 'thread_position_in_grid.xy'],
  [
    'compute',
    'uint3 v : SV_GroupID',
    'metal::uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]',
  ],
  [
    'compute',
    'uint3 v : SV_GroupThreadID',
    'metal::uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]',
  ],
  [
    'compute',
    'int v : SV_GroupIndex',
    'uint thread_index_in_threadgroup [[thread_index_in_threadgroup]]',
    'int(thread_index_in_threadgroup)',
  ],
];

const outputs: readonly (readonly ['vertex' | 'pixel', declaration: string, field: string])[] = [
  ['vertex', 'float4 p : SV_Position', 'metal::float4 SV_Position [[position]];'],
  ['vertex', 'precise float4 p : SV_Position', 'metal::float4 SV_Position [[position, invariant]];'],
  ['vertex', 'float2 a : A', 'metal::float2 A [[user(locn0)]];'],
  ['vertex', 'bool a : A', 'uint A [[user(locn0)]];'],
  ['vertex', 'float a[1] : A', 'float A [[user(locn0)]];'],
  ['vertex', 'float a[2] : A', 'float A_1 [[user(locn1)]];'],
  [
    'vertex',
    'uint a : SV_RenderTargetArrayIndex',
    'uint SV_RenderTargetArrayIndex [[render_target_array_index]];',
  ],
  ['vertex', 'uint a : SV_ViewportArrayIndex', 'uint SV_ViewportArrayIndex [[viewport_array_index]];'],
  ['vertex', '[[vk::builtin("PointSize")]] out float s : PSIZE', '[[point_size]];'],
  ['pixel', 'float4 c : SV_Target', 'metal::float4 SV_Target [[color(0)]];'],
  ['pixel', 'uint2 c : SV_Target3', 'metal::uint2 SV_Target3 [[color(3)]];'],
  ['pixel', '[[vk::location(0), vk::index(1)]] out float4 c : SV_Target1', '[[color(0), index(1)]];'],
  ['pixel', 'float d : SV_Depth', 'float SV_Depth [[depth(any)]];'],
  ['pixel', 'float d : SV_DepthGreaterEqual', 'float SV_DepthGreaterEqual [[depth(greater)]];'],
  ['pixel', 'float d : SV_DepthLessEqual', 'float SV_DepthLessEqual [[depth(less)]];'],
  ['pixel', 'uint m : SV_Coverage', 'uint SV_Coverage [[sample_mask]];'],
  ['pixel', 'uint s : SV_StencilRef', 'uint SV_StencilRef [[stencil]];'],
];

function inputText(stage: Stage, declaration: string): string {
  const [, type, name, count] = /(\w+) (\w+)(?:\[(\d)\])? : /.exec(declaration)!;
  const part = count ? '[2]' : /x\d/.test(type!) ? '[1][0]' : '';
  const value = type!.startsWith('bool') ? `(any(${name}) ? 1 : 0)` : `(float)${name}${part}`;
  const body = `w[0] = w[1] + ${value};`;
  const entry = {
    vertex: `float4 main(${declaration}) : SV_Position { ${body} return 0; }`,
    pixel: `float4 main(${declaration}) : SV_Target { ${body} return 0; }`,
    compute: `[numthreads(1, 1, 1)] void main(${declaration}) { ${body} }`,
  }[stage];
  return `RWStructuredBuffer<float> w;\n${entry}`;
}

function outputText(stage: Stage, declaration: string): string {
  const [, type, target, count] = /(\w+) (\w+)(?:\[(\d)\])? : /.exec(declaration)!;
  const store = count ? `for (int i = 0; i < ${count}; i++) ${target}[i] = i;` : `${target} = (${type})1;`;
  const modifier = declaration.includes(' out ') ? '' : 'out ';
  const needsPosition = stage === 'vertex' && !declaration.includes('SV_Position');
  const [position, zero] = needsPosition ? [', out float4 pos : SV_Position', 'pos = 0;'] : ['', ''];
  return `void main(${modifier}${declaration}${position}) { ${zero} ${store} }`;
}

const errorsOf = ({ diagnostics }: ReturnType<typeof toMsl>): string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map((one) => one.rendered);

describe('inputs', () => {
  for (const [stage, declaration, field, value] of inputs)
    it(`${stage}: ${declaration}`, () => {
      const result = toMsl(inputText(stage, declaration), profiles[stage]);
      expect(errorsOf(result)).toEqual([]);
      expect(result.msl).toContain(field);
      if (value !== undefined) expect(result.msl).toContain(value);
    });
});

describe('outputs', () => {
  for (const [stage, declaration, field] of outputs)
    it(`${stage}: ${declaration}`, () => {
      const result = toMsl(outputText(stage, declaration), profiles[stage]);
      expect(errorsOf(result)).toEqual([]);
      expect(result.msl).toContain(field);
    });
});

describe('functions', () => {
  it('keeps early depth and stencil tests', () => {
    const text = '[earlydepthstencil] float4 main() : SV_Target { return 0; }';
    expect(toMsl(text, 'ps_6_0').msl).toContain('[[early_fragment_tests]] fragment main0_out main0(');
  });
  it('gives pixel shaders whose functions discard no early tests of their own', () => {
    expect(toMsl('float4 main() : SV_Target { discard; return 0; }', 'ps_6_0').msl).not.toContain('early');
  });
  it('fences a texture behind a write, where it is read too', () => {
    const text = (read: string) =>
      `RWTexture2D<float> t; RWTexture2D<float> o; [numthreads(1, 1, 1)] void main() { t[int2(0, 0)] = 1; o[int2(1, 1)] = ${read}; }`;
    expect(toMsl(text('t[int2(2, 2)]'), 'cs_6_0').msl).toMatch(/t\.write\(.*\);\n +t\.fence\(\);/);
    expect(toMsl(text('2'), 'cs_6_0').msl).not.toContain('fence');
  });
  it('fences memory where Metal can', () => {
    const text =
      'groupshared uint g; [numthreads(4, 1, 1)] void main(uint i : SV_GroupIndex) { g = i; %(); }';
    const barrier = (name: string, version: '3.0' | '3.2') =>
      toMsl(text.replace('%', name), 'cs_6_0', { metal: { version } }).msl;
    expect(barrier('GroupMemoryBarrierWithGroupSync', '3.0')).toContain(
      'metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);',
    );
    expect(barrier('DeviceMemoryBarrierWithGroupSync', '3.0')).toContain(
      'metal::threadgroup_barrier(metal::mem_flags::mem_device | metal::mem_flags::mem_texture);',
    );
    expect(barrier('AllMemoryBarrierWithGroupSync', '3.0')).toContain(
      'metal::threadgroup_barrier(metal::mem_flags::mem_device | metal::mem_flags::mem_texture | metal::mem_flags::mem_threadgroup);',
    );
    expect(barrier('GroupMemoryBarrier', '3.2')).toContain(
      'metal::atomic_thread_fence(metal::mem_flags::mem_threadgroup, metal::memory_order_seq_cst, metal::thread_scope_device);',
    );
  });
  it('binds constant buffers as constant, what is only read as const device, and the rest as device', () => {
    const text =
      'cbuffer C { float k; }; StructuredBuffer<float> s; RWStructuredBuffer<float> w; ByteAddressBuffer b; [numthreads(1, 1, 1)] void main() { w[0] = s[0] + k + b.Load(0); }';
    const { msl } = toMsl(text, 'cs_6_0');
    for (const parameter of [
      'constant C_layout& C [[',
      'const device float* s [[',
      'device float* w [[',
      'const device uint* b [[',
    ])
      expect(msl).toMatch(new RegExp(`[ (]${parameter.replace(/[*[]/g, '\\$&')}`));
    expect(msl).not.toContain('const device float* w');
  });
});

describeWith(['clang'], 'interfaces type-check', () => {
  it('all of them', () => {
    const texts: Record<string, string> = {};
    for (const [n, [stage, declaration]] of inputs.entries())
      texts[`in${n}`] = toMsl(inputText(stage, declaration), profiles[stage]).msl!;
    expect(checkMsl(texts)).toBe('');
  });
});
