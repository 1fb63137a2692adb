/** Textures, typed buffers, counters, arrays of resources, resources as parameters. */
import { floats, image, sampler, typed, uints, zeros } from '../support/resources.ts';
import { computeCases, f, i, near, u, within } from './harness.ts';

/** Texels that tell their place: x + 10 y, x, y, 1. */
const place = (width = 4, height = 4) =>
  image({ format: 'rgba32float', width, height }, (x, y) => [x + 10 * y, x, y, 1]);
const mipped = image({ format: 'rgba32float', width: 4, height: 4, mips: 3 }, (x, y, _, mip) => [
  100 * mip + x + 10 * y,
  mip,
  0,
  0,
]);
const layered = image(
  { format: 'r32float', width: 2, height: 2, layers: 3, arrayed: true },
  (x, y, _, __, layer) => [100 * layer + x + 10 * y],
);
const volume = image({ format: 'r32float', dimension: '3D', width: 2, height: 2, depth: 2 }, (x, y, z) => [
  x + 10 * y + 100 * z,
]);
const line = image({ format: 'r32float', dimension: '1D', width: 4 }, (x) => [x * x]);
const cube = image({ format: 'r32float', dimension: 'Cube', width: 2, height: 2 }, (x, y, _, __, layer) => [
  100 * layer + x + 10 * y,
]);
const depths = image({ format: 'd32float', width: 2, height: 2 }, (x, y) => [0.25 + 0.5 * x + 0.125 * y]);
const nearest = sampler();
const linear = sampler({ filter: 'linear' });
const smooth = sampler({ filter: 'linear', mipFilter: 'linear' });
const shadow = sampler({ filter: 'nearest', comparison: 'less_equal' });

const tex2D = 'Texture2D<float4> t : register(t2); SamplerState s : register(s3);';
const bound = (texture: ReturnType<typeof image>, how = nearest) => ({ '0.2': texture, '0.3': how });

computeCases('resources', {
  'Texture2D.Load': {
    out: 'float',
    declare: tex2D,
    bindings: bound(mipped),
    body: 'o[0] = t.Load(int3(1, 2, 0)).x; o[1] = t.Load(int3(1, 1, 1)).x; o[2] = t.Load(int3(0, 0, 2)).y; o[3] = t.Load(int3(1, 1, 0), int2(1, -1)).x; o[4] = t.Load(int3(9, 0, 0)).x; o[5] = t[uint2(3, 1)].x; o[6] = t.mips[1][uint2(0, 1)].x;',
    gives: f(21, 111, 2, 2, 0, 13, 110),
  },
  'Sample with nearest and linear filters': {
    out: 'float',
    declare: `${tex2D} SamplerState n : register(s4);`,
    bindings: { ...bound(place(), linear), '0.4': nearest },
    body: 'o[0] = t.SampleLevel(n, float2(0.3, 0.6), 0).x; o[1] = t.SampleLevel(s, float2(0.5, 0.5), 0).x; o[2] = t.SampleLevel(s, float2(0.25, 0.375), 0).x; float4 v = t.SampleLevel(s, float2(0.5, 0.375), 0); o[3] = v.y; o[4] = v.z; o[5] = v.w;',
    gives: within(1e-2, 21, 16.5, 10.5, 1.5, 1, 1),
  },
  'Sample with offset': {
    out: 'float',
    declare: tex2D,
    bindings: bound(place()),
    body: 'o[0] = t.SampleLevel(s, float2(0.4, 0.4), 0, int2(1, 2)).x; o[1] = t.SampleLevel(s, float2(0.9, 0.9), 0, int2(1, 0)).x;',
    gives: f(32, 33),
  },
  'address modes': {
    out: 'float',
    declare: `${tex2D} SamplerState w : register(s4); SamplerState m : register(s5); SamplerState b : register(s6);`,
    bindings: {
      ...bound(place()),
      '0.4': sampler({ address: 'wrap' }),
      '0.5': sampler({ address: 'mirror' }),
      '0.6': sampler({ address: 'border' }),
    },
    body: 'float2 at = float2(1.375, -0.125); o[0] = t.SampleLevel(s, at, 0).x; o[1] = t.SampleLevel(w, at, 0).x; o[2] = t.SampleLevel(m, at, 0).x; o[3] = t.SampleLevel(b, at, 0).w;',
    gives: f(3, 31, 2, 0),
  },
  'mip levels': {
    out: 'float',
    declare: `${tex2D} SamplerState m : register(s4);`,
    bindings: { ...bound(mipped, nearest), '0.4': smooth },
    body: 'o[0] = t.SampleLevel(s, float2(0.1, 0.1), 1).x; o[1] = t.SampleLevel(s, 0.5, 2.4).x; o[2] = t.SampleLevel(m, 0.5, 0.5).y; o[3] = t.SampleLevel(s, 0.1, 9).x; o[4] = t.SampleGrad(s, float2(0.1, 0.1), float2(0.5, 0), float2(0, 0.25)).y; o[5] = t.SampleGrad(s, float2(0.1, 0.1), float2(1, 0), float2(0, 0)).y;',
    gives: within(1e-2, 100, 200, 0.5, 200, 1, 2),
  },
  'Gather and its channels': {
    out: 'float',
    declare: tex2D,
    bindings: bound(place()),
    body: 'float4 g = t.Gather(s, float2(0.5, 0.5)); o[0] = g.x; o[1] = g.y; o[2] = g.z; o[3] = g.w; g = t.GatherGreen(s, float2(0.5, 0.5)); o[4] = g.x; o[5] = g.y; g = t.GatherBlue(s, float2(0.5, 0.5), int2(1, 1)); o[6] = g.x; o[7] = g.z; o[8] = t.GatherAlpha(s, 0.5).y;',
    gives: f(21, 22, 12, 11, 1, 2, 3, 2, 1),
  },
  GetDimensions: {
    out: 'uint',
    declare: `${tex2D} Texture2DArray<float> l : register(t4); Texture3D<float> v : register(t5); Texture1D<float> n : register(t6); Buffer<float> b : register(t7); TextureCube<float> c : register(t8);`,
    bindings: {
      ...bound(mipped),
      '0.4': layered,
      '0.5': volume,
      '0.6': line,
      '0.7': typed('r32float', [1, 2, 3]),
      '0.8': cube,
    },
    body: 'uint w, h, d, k; t.GetDimensions(w, h); o[0] = w * 10 + h; t.GetDimensions(1, w, h, k); o[1] = w * 100 + h * 10 + k; l.GetDimensions(w, h, d); o[2] = w * 100 + h * 10 + d; v.GetDimensions(w, h, d); o[3] = w * 100 + h * 10 + d; n.GetDimensions(w); o[4] = w; b.GetDimensions(w); o[5] = w; float fw, fh; t.GetDimensions(fw, fh); o[6] = (uint)(fw + fh); c.GetDimensions(w, h); o[7] = w * 10 + h;',
    gives: u(44, 223, 223, 222, 4, 3, 8, 22),
  },
  'arrays, volumes and lines': {
    out: 'float',
    declare:
      'Texture2DArray<float> l : register(t4); Texture3D<float> v : register(t5); Texture1D<float> n : register(t6); SamplerState s : register(s3);',
    bindings: { '0.3': linear, '0.4': layered, '0.5': volume, '0.6': line },
    body: 'o[0] = l.Load(int4(1, 0, 2, 0)); o[1] = l.SampleLevel(s, float3(0.5, 0.5, 1), 0); o[2] = v.Load(int4(1, 1, 1, 0)); o[3] = v.SampleLevel(s, 0.5, 0); o[4] = n.Load(int2(3, 0)); o[5] = n.SampleLevel(s, 0.5, 0); o[6] = l[uint3(1, 1, 1)]; o[7] = v[uint3(0, 0, 1)];',
    gives: within(1e-2, 201, 105.5, 111, 55.5, 9, 2.5, 111, 100),
  },
  'cube faces': {
    out: 'float',
    declare: 'TextureCube<float> c : register(t2); SamplerState s : register(s3);',
    bindings: bound(cube),
    body: 'o[0] = c.SampleLevel(s, float3(1, 0.5, 0.5), 0); o[1] = c.SampleLevel(s, float3(-1, 0.5, 0.5), 0); o[2] = c.SampleLevel(s, float3(0.5, 1, 0.5), 0); o[3] = c.SampleLevel(s, float3(0.5, -1, 0.5), 0); o[4] = c.SampleLevel(s, float3(0.5, 0.5, 2), 0); o[5] = c.SampleLevel(s, float3(0.5, 0.5, -2), 0);',
    gives: f(0, 101, 211, 301, 401, 500),
  },
  'depth comparison': {
    out: 'float',
    declare: 'Texture2D<float> t : register(t2); SamplerComparisonState s : register(s3);',
    bindings: { '0.2': depths, '0.3': shadow },
    // Depths: 0.25 0.75 / 0.375 0.875.
    body: 'o[0] = t.SampleCmpLevelZero(s, float2(0.25, 0.25), 0.2); o[1] = t.SampleCmpLevelZero(s, float2(0.25, 0.25), 0.3); o[2] = t.SampleCmpLevelZero(s, float2(0.75, 0.75), 0.8); float4 g = t.GatherCmp(s, float2(0.5, 0.5), 0.5); o[3] = g.x; o[4] = g.y; o[5] = g.z; o[6] = g.w;',
    gives: f(1, 0, 1, 0, 1, 1, 0),
  },
  'integer textures': {
    out: 'int',
    declare:
      'Texture2D<int4> t : register(t2); Texture2D<uint> w : register(t3); Texture2D<uint4> small : register(t4);',
    bindings: {
      '0.2': image({ format: 'rgba32sint', width: 2, height: 1 }, (x) => [-x - 1, 5, 0x7fffffff, 0]),
      '0.3': image({ format: 'r32uint', width: 1, height: 2 }, (_, y) => [0xffffffff - y]),
      '0.4': image({ format: 'rgba8uint', width: 1, height: 1 }, () => [1, 2, 3, 255]),
    },
    body: 'int4 v = t.Load(int3(1, 0, 0)); o[0] = v.x; o[1] = v.z; o[2] = (int)w[uint2(0, 1)]; o[3] = (int)small[uint2(0, 0)].w;',
    gives: i(-2, 0x7fffffff, -2, 255),
  },
  'normalized and half formats': {
    out: 'float',
    declare:
      'Texture2D<float4> t : register(t2); Texture2D<float4> h : register(t3); RWTexture2D<unorm float4> w : register(u4);',
    bindings: {
      '0.2': image({ format: 'rgba8unorm', width: 1, height: 1 }, () => [0, 0.2, 1, 0.6]),
      '0.3': image({ format: 'rgba16float', width: 1, height: 1 }, () => [1.5, -2, 65504, 0.25]),
      '0.4': image({ format: 'rgba8unorm', width: 1, height: 1 }),
    },
    options: {},
    body: 'float4 v = t[uint2(0, 0)]; o[0] = v.y; o[1] = v.z; o[2] = v.w; v = h[uint2(0, 0)]; o[3] = v.x; o[4] = v.z; w[uint2(0, 0)] = float4(0.4, 2, -1, 1); o[5] = w[uint2(0, 0)].x;',
    gives: near(0.2, 1, 0.6, 1.5, 65504, 0.4),
  },
  'RWTexture2D reads and writes': {
    out: 'float',
    declare:
      'RWTexture2D<float4> w : register(u2); RWTexture2D<float> r : register(u3); RWTexture2D<uint> n : register(u4);',
    bindings: {
      '0.2': place(2, 2),
      '0.3': image({ format: 'r32float', width: 2, height: 2 }),
      '0.4': image({ format: 'r32uint', width: 2, height: 1 }),
    },
    body: 'uint2 at = uint2(1, 0); w[at] = w[uint2(0, 1)] + 0.5; w[at].y = 77; w[uint2(0, 0)].xw = float2(5, 6); r[uint2(1, 1)] = 3; r[uint2(1, 1)] += 4; n[at] = 9; n[at] |= 6; n[at]++; float4 v = w.Load(int2(1, 0)); o[0] = v.x; o[1] = v.y; o[2] = v.w; o[3] = r[uint2(1, 1)]; o[4] = n[at]; o[5] = w[uint2(0, 0)].w;',
    gives: f(10.5, 77, 1.5, 7, 16, 6),
    expect: { '0.2': f(5, 0, 0, 6, 10.5, 77, 1.5, 1.5), '0.4': u(0, 16) },
  },
  'RWTexture of other shapes': {
    declare:
      'RWTexture1D<float> a : register(u0); RWTexture2DArray<uint> b : register(u1); RWTexture3D<float2> c : register(u2);',
    bindings: {
      '0.0': image({ format: 'r32float', dimension: '1D', width: 3 }),
      '0.1': image({ format: 'r32uint', width: 1, height: 2, layers: 2, arrayed: true }),
      '0.2': image({ format: 'rg32float', dimension: '3D', width: 1, height: 1, depth: 2 }),
    },
    body: 'a[1] = 5; a[2] = a[1] * 2; b[uint3(0, 1, 1)] = 8; b[uint3(0, 0, 1)] = b[uint3(0, 1, 1)] + 1; c[uint3(0, 0, 1)] = float2(3, 4); c[uint3(0, 0, 0)] = c[uint3(0, 0, 1)].yx;',
    expect: { '0.0': f(0, 5, 10), '0.1': u(0, 0, 9, 8), '0.2': f(4, 3, 3, 4) },
  },
  'typed buffers': {
    out: 'float',
    declare:
      'Buffer<float4> v : register(t2); Buffer<uint> n : register(t3); RWBuffer<int> w : register(u4); RWBuffer<float4> q : register(u5);',
    bindings: {
      '0.2': typed('rgba32float', [1, 2, 3, 4, 5, 6, 7, 8]),
      '0.3': typed('r32uint', [7, 8, 9]),
      '0.4': typed('r32sint', [0, -5]),
      '0.5': typed('rgba32float', [0, 0, 0, 0, 1, 1, 1, 1]),
    },
    body: 'o[0] = v[1].z; o[1] = v.Load(0).y; o[2] = n[2]; w[0] = w[1] * 3; w[1] -= 1; o[3] = w[0]; q[0] = v[1].wzyx; q[1].y = 50; o[4] = q[0].x; o[5] = n[100];',
    gives: f(7, 2, 9, -15, 8, 0),
    expect: { '0.4': i(-15, -6), '0.5': f(8, 7, 6, 5, 1, 50, 1, 1) },
  },
  'append and consume': {
    declare:
      '[[vk::binding(0)]] [[vk::counter_binding(1)]] AppendStructuredBuffer<uint2> into; [[vk::binding(2)]] [[vk::counter_binding(3)]] ConsumeStructuredBuffer<uint2> from;',
    threads: '4, 1, 1',
    bindings: {
      '0.0': zeros(16),
      '0.1': uints(1),
      '0.2': uints(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      '0.3': uints(4),
    },
    body: 'uint2 v = from.Consume(); if (v.x != 5) into.Append(v.yx + 100); else into.Append(v);',
    // Which thread appends first is open: the counters tell how many did.
    expect: { '0.1': u(5), '0.3': u(0) },
  },
  'counters of structured buffers': {
    out: 'uint',
    declare: '[[vk::binding(2)]] [[vk::counter_binding(3)]] RWStructuredBuffer<uint> c;',
    bindings: { '0.2': zeros(4), '0.3': uints(7) },
    body: 'o[0] = c.IncrementCounter(); o[1] = c.IncrementCounter(); o[2] = c.DecrementCounter(); c[1] = 5; o[3] = c[1];',
    gives: u(7, 8, 8, 5),
    expect: { '0.3': u(8) },
  },
  'arrays of resources': {
    out: 'float',
    declare:
      'Texture2D<float> t[3] : register(t2); SamplerState s[2] : register(s5); RWStructuredBuffer<float> b[2] : register(u7); static const uint second = 1;',
    bindings: {
      '0.2': [1, 2, 3].map((n) => image({ format: 'r32float', width: 2, height: 1 }, (x) => [n * 10 + x])),
      '0.5': [nearest, linear],
      '0.7': [zeros(2), zeros(2)],
    },
    body: 'o[0] = t[0].Load(int3(1, 0, 0)); o[1] = t[second].SampleLevel(s[1], 0.5, 0); o[2] = t[2].SampleLevel(s[0], 0.9, 0); b[0][1] = 4; b[1][0] = 5; o[3] = b[second][0] + b[0][1];',
    gives: f(11, 20.5, 31, 9),
    expect: { '0.7': [f(0, 4), { ...f(5, 0), element: 1 }] },
  },
  'arrays of arrays of resources': {
    out: 'float',
    in: ['uint', uints(1, 0)],
    declare: `Texture2D<float> t[2][3] : register(t2); RWStructuredBuffer<float> b[2][2] : register(u8);
      float fetch(Texture2D<float> row[3], uint k) { return row[k][uint2(0, 0)]; }`,
    bindings: {
      '0.2': [0, 1, 2, 3, 4, 5].map((n) => image({ format: 'r32float', width: 1, height: 1 }, () => [n])),
      '0.8': [zeros(1), zeros(1), zeros(1), zeros(1)],
    },
    body: 'o[0] = t[1][2][uint2(0, 0)]; o[1] = t[a[0]][a[1]].Load(int3(0, 0, 0)); o[2] = fetch(t[a[0]], a[0]); b[1][0][0] = 7; b[a[1]][a[0]][0] += 8; o[3] = b[1][a[1]][0];',
    gives: f(5, 3, 4, 7),
    expect: {
      '0.8': [
        { ...f(8), element: 1 },
        { ...f(7), element: 2 },
      ],
    },
  },
  'array of textures with a run-time index': {
    out: 'float',
    in: ['uint', uints(2, 0)],
    declare: 'Texture2D<float> t[3] : register(t2);',
    bindings: { '0.2': [1, 2, 3].map((n) => image({ format: 'r32float', width: 1, height: 1 }, () => [n])) },
    body: 'float s = 0; for (uint n = 0; n < 2; n++) s = s * 10 + t[a[n]].Load(int3(0, 0, 0)); o[0] = s; o[1] = t[NonUniformResourceIndex(a[0])][uint2(0, 0)];',
    gives: f(31, 3),
  },
  'lists of resources as parameters without a size': {
    out: 'float',
    in: ['uint', uints(2, 0)],
    declare: `Texture2D<float> t[3] : register(t2); float read(Texture2D<float> x[], uint n) { return x[n][uint2(0, 0)]; } float other(Texture2D<float> x[], uint n) { return 7; }
      float other(Texture2D<float> x[3], uint n) { return read(x, n) * 10; }`,
    bindings: { '0.2': [1, 2, 3].map((n) => image({ format: 'r32float', width: 1, height: 1 }, () => [n])) },
    body: 'o[0] = read(t, a[0]); o[1] = read(t, 1); o[2] = other(t, a[1]);',
    gives: f(3, 2, 10),
  },
  'resources as parameters': {
    out: 'float',
    declare: `${tex2D} Texture2D<float4> t2 : register(t4); RWStructuredBuffer<float> w : register(u5);
      float4 fetch(Texture2D<float4> which, SamplerState how, float2 at) { return which.SampleLevel(how, at, 0); }
      float both(Texture2D<float4> x, Texture2D<float4> y, SamplerState how) { return fetch(x, how, 0.1).x * 100 + fetch(y, how, 0.9).x; }
      void put(RWStructuredBuffer<float> where, uint k, float v) { where[k] = v; if (k > 0) where[k - 1] += v; }`,
    // A buffer that is handed on may have its counter moved, which takes the first free binding.
    bindings: { ...bound(place()), '0.1': zeros(1), '0.4': place(2, 2), '0.5': floats(1, 2, 3) },
    body: 'o[0] = both(t, t2, s); o[1] = both(t2, t, s); put(w, 1, 20); put(w, 0, 7); o[2] = w[0]; o[3] = w[1];',
    gives: f(11, 33, 7, 20),
    expect: { '0.5': f(7, 20, 3) },
  },
  'resources in locals and structs': {
    out: 'float',
    declare: `${tex2D} Texture2D<float4> t2 : register(t4); struct Source { Texture2D<float4> tex; SamplerState how; float scale; };
      float read(Source x, float2 at) { return x.tex.SampleLevel(x.how, at, 0).x * x.scale; }`,
    bindings: { ...bound(place()), '0.4': place(2, 2) },
    body: 'Source x; x.tex = t2; x.how = s; x.scale = 2; o[0] = read(x, 0.9); Texture2D<float4> local = t; o[1] = local.Load(int3(2, 1, 0)).x; x.tex = t; x.scale = 1; o[2] = read(x, 0.9);',
    gives: f(22, 12, 33),
  },
  'structured buffer elements as places': {
    out: 'int',
    in: ['int', uints(1, 2, 3)],
    declare:
      'struct S { int x; int2 y; }; RWStructuredBuffer<S> s : register(u2); void bump(inout S v) { v.x++; v.y *= 2; } int sum(StructuredBuffer<int> b, int n) { int r = 0; for (int k = 0; k < n; k++) r += b[k]; return r; }',
    bindings: { '0.2': uints(5, 6, 7, 0, 9, 11, 12, 0) },
    body: 'bump(s[1]); o[0] = s[1].x; o[1] = s[1].y.y; s[0] = s[1]; s[0].y.x = 3; o[2] = s[0].x; o[3] = s[1].y.x; o[4] = sum(a, 3); int k = s[0].y.x--; o[5] = k * 10 + s[0].y.x;',
    gives: i(10, 24, 10, 22, 6, 32),
  },
  'globallycoherent and reads behind writes': {
    out: 'uint',
    declare:
      'globallycoherent RWStructuredBuffer<uint> c : register(u2); globallycoherent RWTexture2D<uint> t : register(u3);',
    bindings: { '0.2': zeros(2), '0.3': image({ format: 'r32uint', width: 1, height: 1 }) },
    body: 'c[0] = 5; DeviceMemoryBarrier(); c[1] = c[0] + 1; t[uint2(0, 0)] = c[1]; AllMemoryBarrier(); o[0] = c[1]; o[1] = t[uint2(0, 0)];',
    gives: u(6, 6),
  },
  'register spaces and explicit bindings': {
    out: 'uint',
    declare:
      'StructuredBuffer<uint> x : register(t0, space1); [[vk::binding(4, 2)]] StructuredBuffer<uint> y; StructuredBuffer<uint> z : register(t0, space3);',
    bindings: { '1.0': uints(1), '2.4': uints(20), '3.0': uints(300) },
    body: 'o[0] = x[0] + y[0] + z[0];',
    gives: u(321),
  },
  'binding shifts': {
    declare:
      'RWStructuredBuffer<uint> w : register(u0); StructuredBuffer<uint> r : register(t0); cbuffer C : register(b0) { uint k; }',
    options: {
      bindingShifts: [
        { registerClass: 't', shift: 10, space: 'all' },
        { registerClass: 'u', shift: 20, space: 0 },
      ],
    },
    bindings: { '0.20': zeros(1), '0.10': uints(5), '0.0': uints(7) },
    body: 'w[0] = r[0] * k;',
    expect: { '0.20': u(35) },
  },
  'out of bounds reads are zero and writes are lost': {
    leavesBounds: true,
    out: 'uint',
    in: ['uint', uints(1000, 1)],
    declare: 'RWStructuredBuffer<uint> w : register(u2);',
    bindings: { '0.2': uints(1, 2) },
    body: 'o[0] = w[a[0]]; w[a[0]] = 5; o[1] = w[a[1]];',
    gives: u(0, 2),
    expect: { '0.2': u(1, 2) },
  },
});
