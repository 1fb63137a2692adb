/** Where values lie in buffers: constant buffers, structured and byte address buffers, under every family of rules. */
import { floats, uints, zeros } from '../support/resources.ts';
import { type ComputeCase, computeCases, f, i, u } from './harness.ts';

/** Floats 0, 1, 2 ...: each value tells its place. */
const ramp = (count: number) => floats(...Array.from({ length: count }, (_, n) => n));
const rampBits = (count: number) => uints(...Array.from({ length: count }, (_, n) => n));

const constants = (
  members: string,
  body: string,
  values: number[],
  options: ComputeCase['options'] = {},
): ComputeCase => ({
  out: 'float',
  declare: `cbuffer C : register(b1)\n{\n${members}\n}`,
  bindings: { '0.1': ramp(64) },
  body,
  gives: f(...values),
  options,
});

const dx = { layout: 'dx' } as const;
const gl = { layout: 'gl' } as const;
const scalar = { layout: 'scalar' } as const;

const mixed = 'float x; float3 v; float2 w; float y; float3 z;';
const readMixed = 'o[0] = x; o[1] = v.x; o[2] = v.z; o[3] = w.x; o[4] = y; o[5] = z.x;';
const matrices = 'float2x3 m; row_major float2x3 n; column_major float3x2 p; float last;';
const readMatrices =
  'o[0] = m[0][0]; o[1] = m[1][0]; o[2] = m[0][2]; o[3] = n[1][0]; o[4] = n[1][2]; o[5] = p[2][0]; o[6] = p[0][1]; o[7] = last;';

const item = 'struct Item { float x; float3 v; float2x2 m; int k[2]; };';
const writeItem =
  'Item t; t.x = 1; t.v = float3(2, 3, 4); t.m = float2x2(5, 6, 7, 8); t.k[0] = 9; t.k[1] = 10; items[1] = t;';
const structured = (
  values: Record<number, number>,
  words: number,
  options: ComputeCase['options'] = {},
): ComputeCase => ({
  declare: `${item} RWStructuredBuffer<Item> items : register(u0);`,
  bindings: { '0.0': zeros(words) },
  body:
    writeItem + ' items[1].k[0] = asint((float)items[1].k[0]); items[1].k[1] = asint((float)items[1].k[1]);',
  expect: { '0.0': f(...Array.from({ length: words }, (_, n) => values[n] ?? 0)) },
  options,
});

computeCases('layouts', {
  'cbuffer: vectors do not straddle 16 bytes': constants(mixed, readMixed, [0, 1, 3, 4, 6, 8]),
  'cbuffer, DirectX rules': constants(mixed, readMixed, [0, 1, 3, 4, 6, 8], dx),
  'cbuffer, OpenGL rules': constants(mixed, readMixed, [0, 4, 6, 8, 10, 12], gl),
  'cbuffer, scalar rules': constants(mixed, readMixed, [0, 1, 3, 4, 6, 7], scalar),
  'cbuffer: arrays have a stride of 16': constants(
    'float list[3]; float after; float2 pairs[2]; float end;',
    'o[0] = list[1]; o[1] = list[2]; o[2] = after; o[3] = pairs[1].y; o[4] = end;',
    [4, 8, 12, 21, 24],
  ),
  'cbuffer, DirectX rules: nothing follows the last element': constants(
    'float list[3]; float after; float2 pairs[2]; float end;',
    'o[0] = list[1]; o[1] = list[2]; o[2] = after; o[3] = pairs[1].y; o[4] = end;',
    [4, 8, 9, 17, 18],
    dx,
  ),
  'cbuffer, scalar rules: arrays are tight': constants(
    'float list[3]; float after; float2 pairs[2]; float end;',
    'o[0] = list[1]; o[1] = list[2]; o[2] = after; o[3] = pairs[1].y; o[4] = end;',
    [1, 2, 3, 7, 8],
    scalar,
  ),
  // m: three columns of 16 bytes; n: two rows; p: two columns of three.
  'cbuffer: whole matrices by rows and columns': constants(
    'float2x2 m; row_major float2x2 n; float2x3 p;',
    'float2 a = mul(m, float2(1, 10)); float2 b = mul(n, float2(1, 10)); float3 c = mul(float2(1, 10), p); float2x2 t = m + n; o[0] = a.x; o[1] = a.y; o[2] = b.x; o[3] = b.y; o[4] = c.x; o[5] = c.y; o[6] = c.z; o[7] = t[0][1]; o[8] = t[1][0];',
    [40, 51, 98, 142, 186, 230, 274, 13, 13],
  ),
  'cbuffer: matrices by rows and columns': constants(matrices, readMatrices, [0, 1, 8, 16, 18, 22, 24, 28]),
  'cbuffer, DirectX rules: the last row is not padded': constants(
    'row_major float2x3 m; float after; float list[2]; float afterList; float2 pair; float2 nextRow;',
    'o[0] = m[1][2]; o[1] = after; o[2] = list[1]; o[3] = afterList; o[4] = pair.x; o[5] = nextRow.y;',
    [6, 7, 12, 13, 14, 17],
    dx,
  ),
  'cbuffer with -Zpr': constants(
    'float2x3 m; column_major float2x3 n;',
    'o[0] = m[1][0]; o[1] = m[0][2]; o[2] = n[1][0]; o[3] = n[0][2]; float2 r = mul(m, float3(1, 0, 0)); o[4] = r.y;',
    [4, 2, 9, 16, 4],
    { matrixPacking: 'row_major' },
  ),
  'cbuffer: whole matrices in products': constants(
    'float2x2 m; float4x4 big;',
    'float2 r = mul(m, float2(1, 10)); o[0] = r.x; o[1] = r.y; float4 s = mul(big, float4(0, 0, 1, 0)); o[2] = s.x; o[3] = s.w; o[4] = mul(float4(1, 0, 0, 0), big).y;',
    [40, 51, 16, 19, 12],
  ),
  packoffset: constants(
    'float4 first : packoffset(c2); float x : packoffset(c0.y); float2 v : packoffset(c1.z); float3x3 m : packoffset(c4);',
    'o[0] = first.w; o[1] = x; o[2] = v.y; o[3] = m[1][2];',
    [11, 1, 7, 25],
  ),
  '[[vk::offset]]': constants(
    '[[vk::offset(8)]] float x; [[vk::offset(32)]] float2 v; float y;',
    'o[0] = x; o[1] = v.y; o[2] = y;',
    [2, 9, 10],
  ),
  'cbuffer: structs begin on 16 bytes': {
    ...constants(
      'float x; In s; float y; In list[2]; float z;',
      'o[0] = s.p; o[1] = s.q.x; o[2] = y; o[3] = list[1].p; o[4] = list[1].q.y; o[5] = z;',
      [4, 5, 8, 16, 18, 20],
    ),
    declare:
      'struct In { float p; float2 q; }; cbuffer C : register(b1) { float x; In s; float y; In list[2]; float z; }',
  },
  'cbuffer: bools are words': {
    out: 'uint',
    declare: 'cbuffer C : register(b1) { bool p; bool q; bool2 r; bool s[2]; int n; }',
    bindings: { '0.1': uints(0, 2, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 40) },
    body: 'o[0] = p; o[1] = q; o[2] = r.x; o[3] = r.y; o[4] = s[0]; o[5] = s[1]; o[6] = n; o[7] = q == true;',
    gives: u(0, 1, 1, 0, 1, 0, 40, 1),
  },
  'loose globals and ConstantBuffer': {
    out: 'float',
    declare:
      'float scale; float3 shift; struct P { float2 at; float k; }; ConstantBuffer<P> params : register(b1, space2); [[vk::binding(3, 1)]] ConstantBuffer<P> more[2];',
    bindings: { '3.0': ramp(8), '2.1': ramp(8), '1.3': [floats(10, 11, 12, 13), floats(20, 21, 22, 23)] },
    options: { globalsBinding: { binding: 0, set: 3 } },
    body: 'o[0] = scale + shift.x; o[1] = params.at.y; o[2] = params.k; o[3] = more[1].k; P copy = more[0]; o[4] = copy.at.y;',
    gives: f(1, 1, 2, 22, 11),
  },
  tbuffer: {
    out: 'float',
    declare:
      'tbuffer T : register(t1) { float x; float3 v; float list[2]; }; struct P { float a; float3 b; }; TextureBuffer<P> t : register(t2);',
    bindings: { '0.1': ramp(32), '0.2': ramp(32) },
    body: 'o[0] = x + v.y; o[1] = t.b.x; o[2] = list[0];',
    gives: f(2, 1, 4),
  },
  'push constants': {
    out: 'float',
    declare: 'struct P { float x; float3 v; float2x2 m; int n; }; [[vk::push_constant]] P push;',
    pushConstants: ramp(16).bytes,
    body: 'o[0] = push.x; o[1] = push.v.z; o[2] = push.m[0][1]; o[3] = asfloat(push.n); P copy = push; o[4] = copy.m[1][1];',
    gives: f(0, 3, 6, 8, 7),
  },
  'specialization constants': {
    out: 'float',
    declare:
      '[[vk::constant_id(3)]] const int count = 2; [[vk::constant_id(4)]] const float scale = 0.5; [[vk::constant_id(7)]] const bool on = false; [[vk::constant_id(8)]] const uint same = 9;',
    specialization: { 3: 4, 7: 1 },
    body: 'float s = 0; for (int n = 0; n < count; n++) s += scale; o[0] = s; o[1] = on ? 1 : 2; o[2] = same; o[3] = count * 10;',
    gives: f(2, 1, 9, 40),
  },

  // x 0, v 4 (4 to 16 fits a row), m at 16 (two columns of 8), k at 32; 40 bytes, aligned to 16: 48.
  'structured buffer': structured(
    { 12: 1, 13: 2, 14: 3, 15: 4, 16: 5, 17: 7, 18: 6, 19: 8, 20: 9, 21: 10 },
    24,
  ),
  'structured buffer, DirectX rules': structured(
    { 10: 1, 11: 2, 12: 3, 13: 4, 14: 5, 15: 7, 16: 6, 17: 8, 18: 9, 19: 10 },
    20,
    dx,
  ),
  'structured buffer, OpenGL rules': structured(
    { 16: 1, 20: 2, 21: 3, 22: 4, 24: 5, 25: 7, 26: 6, 27: 8, 28: 9, 29: 10 },
    32,
    gl,
  ),
  'structured buffer of uint3': {
    out: 'uint',
    declare: 'StructuredBuffer<uint3> tri : register(t1);',
    bindings: { '0.1': rampBits(16) },
    body: 'o[0] = tri[1].x; o[1] = tri[2].z;',
    gives: u(4, 10),
  },
  'structured buffer of uint3, DirectX rules': {
    out: 'uint',
    declare: 'StructuredBuffer<uint3> tri : register(t1);',
    bindings: { '0.1': rampBits(16) },
    body: 'o[0] = tri[1].x; o[1] = tri[2].z;',
    gives: u(3, 8),
    options: dx,
  },
  'matrix stores into a structured buffer': {
    out: 'float',
    declare:
      'struct Item { row_major float2x3 r; column_major float2x3 c; }; RWStructuredBuffer<Item> items : register(u1);',
    bindings: { '0.1': zeros(16) },
    body: 'float2x3 k = float2x3(1, 2, 3, 4, 5, 6); items[0].r = k; items[0].c = k; items[0].r[1] = float3(7, 8, 9); items[0].c[1][2] = 10; items[0].c[0].yx = float2(11, 12); o[0] = items[0].r[1][0]; o[1] = items[0].c[1][2]; o[2] = items[0].c[0][0]; o[3] = items[0].c[0][1];',
    gives: f(7, 10, 12, 11),
    expect: { '0.1': f(1, 2, 3, 0, 7, 8, 9, 0, 12, 4, 11, 5, 3, 10) },
  },
  'structured buffer of matrices': {
    declare:
      'RWStructuredBuffer<float2x2> m : register(u0); RWStructuredBuffer<row_major float2x2> n : register(u1);',
    bindings: { '0.0': zeros(8), '0.1': zeros(8) },
    body: 'm[1] = float2x2(1, 2, 3, 4); n[1] = m[1]; m[0][1][0] = 9; n[0][1] = m[1][0];',
    expect: { '0.0': f(0, 9, 0, 0, 1, 3, 2, 4), '0.1': f(0, 0, 1, 2, 1, 2, 3, 4) },
  },
  'structs travel between layouts': {
    out: 'float',
    declare:
      'struct Inner { float2 p; float l[2]; }; struct Outer { float3 dir; Inner in_[2]; float end; }; cbuffer C : register(b1) { Outer given; }; static const Outer held = given; RWStructuredBuffer<Outer> kept : register(u2);',
    bindings: { '0.1': ramp(40), '0.2': zeros(16) },
    body: 'Outer local = held; local.end += 100; kept[0] = local; Inner second = kept[0].in_[1]; o[0] = second.p.y; o[1] = second.l[1]; o[2] = kept[0].end; o[3] = held.end; o[4] = local.in_[0].l[0];',
    gives: f(17, 24, 128, 28, 8),
  },
  'byte address buffer': {
    declare: 'ByteAddressBuffer src : register(t1); RWByteAddressBuffer dst : register(u0);',
    bindings: { '0.0': zeros(12), '0.1': rampBits(16) },
    body: 'dst.Store(0, src.Load(8)); dst.Store2(4, src.Load2(20)); uint4 v = src.Load4(32); dst.Store4(16, v.wzyx); dst.Store3(32, src.Load3(4) + 100); uint size; src.GetDimensions(size); dst.Store(44, size);',
    expect: { '0.0': u(2, 5, 6, 0, 11, 10, 9, 8, 101, 102, 103, 64) },
  },
  'byte address buffer with types': {
    declare:
      'struct P { float x; int2 k; float2x2 m; }; ByteAddressBuffer src : register(t1); RWByteAddressBuffer dst : register(u0);',
    bindings: { '0.0': zeros(12), '0.1': ramp(16) },
    body: 'dst.Store<float>(0, src.Load<float>(12) + 0.5); float2 v = src.Load<float2>(4); dst.Store(4, asuint(v.y)); P p; p.x = 9; p.k = int2(1, 2); p.m = float2x2(3, 4, 5, 6); dst.Store<P>(8, p); P q = dst.Load<P>(8); dst.Store<float>(40, q.x + q.k.y + q.m[1][0]);',
    expect: {
      '0.0': [f(3.5, 2, 9)],
    },
  },
  'nested arrays and structs in a structured buffer': {
    out: 'int',
    declare:
      'struct A { int2 v[2]; int n; }; struct B { A list[2]; int end; }; RWStructuredBuffer<B> b : register(u1);',
    bindings: { '0.1': zeros(32) },
    body: 'B t = (B)0; for (int x = 0; x < 2; x++) { t.list[x].n = 10 * x; for (int y = 0; y < 2; y++) t.list[x].v[y] = int2(x, y) + 1; } t.end = 77; b[1] = t; b[1].list[1].v[0].y += 5; A one = b[1].list[1]; o[0] = one.v[0].y; o[1] = one.n; o[2] = b[1].list[0].v[1].x; o[3] = b[1].end; uint n, stride; b.GetDimensions(n, stride); o[4] = n; o[5] = stride;',
    gives: i(6, 10, 1, 77, 2, 56),
  },
});
