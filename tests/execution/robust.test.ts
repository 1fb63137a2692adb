/** Metal text made with `--robust`: out of range reads give zero and writes are dropped. The interpreter does that everywhere. */
import { floats, image, typed, uints, zeros } from '../support/resources.ts';
import { f, i, robustCases, u } from './harness.ts';

/** Indices that the compiler does not know: 0, 1, 2, 5, 4000, -1. */
const indices = ['int', uints(0, 1, 2, 5, 4000, 0xffffffff)] as const;
const texels = image({ format: 'rgba32float', width: 2, height: 3, mips: 2 }, (x, y, _, mip) => [
  1 + x + 10 * y + 100 * mip,
  2,
  3,
  4,
]);
const layered = image(
  { format: 'r32float', width: 2, height: 2, layers: 2, arrayed: true },
  (x, y, _, __, layer) => [1 + x + 10 * y + 100 * layer],
);
const volume = image({ format: 'r32float', dimension: '3D', width: 2, height: 2, depth: 2 }, (x, y, z) => [
  1 + x + 10 * y + 100 * z,
]);
const line = image({ format: 'r32float', dimension: '1D', width: 3 }, (x) => [1 + x]);

robustCases('accesses out of range with --robust', {
  'structured buffers': {
    in: indices,
    out: 'int',
    declare:
      'struct S { float3 p; int n[2]; }; StructuredBuffer<S> s : register(t2); RWStructuredBuffer<S> w : register(u3);',
    bindings: { '0.2': uints(1, 2, 3, 10, 11, 4, 5, 6, 12, 13), '0.3': zeros(10) },
    outWords: 8,
    options: { layout: 'dx' },
    body: `o[0] = s[a[1]].n[a[0]]; o[1] = s[a[2]].n[a[0]]; o[2] = s[a[4]].n[1]; o[3] = s[a[5]].n[1]; o[4] = s[a[1]].n[a[4]];
      o[5] = a[4000]; o[a[4]] = 7; o[a[5]] = 7;
      w[a[1]] = s[a[1]]; w[a[2]] = s[a[0]]; w[a[0]].n[a[1]] = 5; w[a[5]].n[0] = 7;`,
    gives: i(12, 0, 0, 0, 0, 0, 0, 0),
    expect: { '0.3': i(0, 0, 0, 0, 5, 4, 5, 6, 12, 13) },
  },
  'byte address buffers': {
    in: indices,
    out: 'uint',
    declare: 'RWByteAddressBuffer b : register(u2);',
    bindings: { '0.2': uints(10, 11, 12) },
    body: `o[0] = b.Load(4 * a[2]); o[1] = b.Load(4 * a[4]); uint4 v = b.Load4(4); o[2] = v.x; o[3] = v.y; o[4] = v.z; o[5] = v.w;
      b.Store2(4 * a[2], uint2(20, 21)); b.Store(4 * a[4], 30);`,
    gives: u(12, 0, 11, 12, 0, 0),
    expect: { '0.2': u(10, 11, 20) },
  },
  'atomics give zero and do nothing': {
    in: indices,
    out: 'uint',
    declare:
      'RWStructuredBuffer<uint> b : register(u2); RWByteAddressBuffer c : register(u3); RWTexture2D<uint> t : register(u4); groupshared uint g[2];',
    bindings: {
      '0.2': uints(5, 6),
      '0.3': uints(7),
      '0.4': image({ format: 'r32uint', width: 2, height: 2 }, () => [9]),
    },
    body: `g[0] = 3; g[1] = 4; uint x;
      InterlockedAdd(b[a[1]], 1, x); o[0] = x; InterlockedAdd(b[a[2]], 1, x); o[1] = x; InterlockedMax(b[a[5]], 1); InterlockedCompareExchange(b[a[4]], 0, 1, x); o[2] = x;
      c.InterlockedExchange(4 * a[4], 1, x); o[3] = x; c.InterlockedOr(0, 8, x); o[4] = x;
      InterlockedAdd(t[int2(a[1], a[0])], 1, x); o[5] = x; InterlockedAdd(t[int2(a[2], a[0])], 1, x); o[6] = x; InterlockedExchange(t[int2(a[0], a[5])], 1, x); o[7] = x;
      InterlockedAdd(g[a[1]], 2, x); o[8] = x; InterlockedAdd(g[a[3]], 2, x); o[9] = x; InterlockedXor(g[a[5]], 1); o[10] = g[0]; o[11] = g[1];`,
    gives: u(6, 0, 0, 0, 7, 9, 0, 0, 4, 0, 3, 6),
    expect: { '0.2': u(5, 7), '0.3': u(15), '0.4': u(9, 10, 9, 9) },
  },
  'local, static and shared arrays': {
    in: indices,
    out: 'int',
    declare: 'static int s[3]; groupshared int g[3]; static const int k[3] = { 4, 5, 6 };',
    body: `int l[3] = { 1, 2, 3 }; s[0] = 7; s[1] = 8; s[2] = 9; g[0] = 10; g[1] = 11; g[2] = 12;
      l[a[4]] = 100; l[a[5]] = 100; s[a[3]] = 100; g[a[3]] = 100; g[a[5]] = 100; l[a[1]] += 20;
      o[0] = l[a[1]]; o[1] = l[a[4]]; o[2] = l[a[5]]; o[3] = s[a[2]]; o[4] = s[a[3]]; o[5] = g[a[2]]; o[6] = g[a[4]]; o[7] = k[a[1]]; o[8] = k[a[3]]; o[9] = l[0] + l[2] + s[0] + s[1] + g[0] + g[1];`,
    gives: i(22, 0, 0, 9, 0, 12, 0, 5, 0, 40),
  },
  'arrays of arrays, of structs and of matrices': {
    in: indices,
    out: 'float',
    declare: 'struct P { float2 q[2]; }; static P p[2]; static float2x3 m[2];',
    body: `for (int x = 0; x < 2; x++) { for (int y = 0; y < 2; y++) p[x].q[y] = float2(x, y) + 1; m[x] = float2x3(1, 2, 3, 4, 5, 6) + x; }
      p[a[2]].q[0] = 50; p[0].q[a[4]] = 50; m[a[3]][0] = 50; m[0][a[2]] = 50; m[0][a[1]][a[1]] = 60;
      o[0] = p[a[1]].q[a[1]].y; o[1] = p[a[2]].q[0].x; o[2] = p[a[0]].q[a[2]].x; o[3] = m[a[1]][a[1]][a[2]]; o[4] = m[a[1]][a[2]][0]; o[5] = m[a[3]][0][0]; o[6] = m[0][1].y; o[7] = p[0].q[0].x + p[1].q[0].x + m[0][0].x;`,
    gives: f(2, 0, 0, 7, 0, 0, 60, 4),
  },
  'components of vectors': {
    in: indices,
    out: 'float',
    declare: 'RWStructuredBuffer<float3> b : register(u2);',
    bindings: { '0.2': floats(1, 2, 3, 0) },
    body: `float3 v = float3(4, 5, 6); v[a[1]] = 7; v[a[3]] = 8; o[0] = v[a[1]]; o[1] = v[a[4]]; o[2] = v[0] + v[2];
      b[0][a[2]] = 9; b[0][a[3]] = 10; b[a[1]][a[0]] = 11; o[3] = b[0][a[2]]; o[4] = b[0][a[3]];`,
    gives: f(7, 0, 10, 9, 0),
    expect: { '0.2': f(1, 2, 9) },
  },
  'constant buffers': {
    in: indices,
    out: 'int',
    declare: 'cbuffer C : register(b2) { int n[3]; }',
    bindings: { '0.2': uints(1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0) },
    body: 'o[0] = n[a[1]]; o[1] = n[a[3]]; o[2] = n[a[5]];',
    gives: i(2, 0, 0),
  },
  'what is passed to inout parameters': {
    in: indices,
    out: 'int',
    declare: '[noinline] void bump(inout int x) { x += 5; }',
    body: `int l[2] = { 1, 2 }; bump(l[a[1]]); bump(l[a[2]]); o[0] = l[0]; o[1] = l[1]; bump(o[a[2]]); bump(o[a[4]]);`,
    outWords: 3,
    gives: i(1, 7, 5),
  },
  'texels and mip levels': {
    in: indices,
    out: 'float',
    declare: 'Texture2D t : register(t2);',
    bindings: { '0.2': texels },
    body: `o[0] = t.Load(int3(a[1], a[2], 0)).x; o[1] = t.Load(int3(a[2], 0, 0)).x; o[2] = t.Load(int3(0, a[3], 0)).w; o[3] = t.Load(int3(a[5], 0, 0)).x;
      o[4] = t.Load(int3(0, 0, a[1])).x; o[5] = t.Load(int3(a[1], 0, a[1])).x; o[6] = t.Load(int3(0, 0, a[2])).x; o[7] = t.Load(int3(0, 0, a[5])).x; o[8] = t[uint2(a[0], a[2])].x; o[9] = t[uint2(a[4], a[4])].y;`,
    gives: f(22, 0, 0, 0, 101, 0, 0, 0, 21, 0),
  },
  'layers, depth, one dimension': {
    in: indices,
    out: 'float',
    declare:
      'Texture2DArray<float> t : register(t2); Texture3D<float> v : register(t3); Texture1D<float> l : register(t4);',
    bindings: { '0.2': layered, '0.3': volume, '0.4': line },
    body: `o[0] = t.Load(int4(a[1], 0, a[1], 0)); o[1] = t.Load(int4(0, 0, a[2], 0)); o[2] = t.Load(int4(0, a[2], 0, 0)); o[3] = t.Load(int4(0, 0, a[5], 0));
      o[4] = v.Load(int4(0, a[1], a[1], 0)); o[5] = v.Load(int4(0, 0, a[2], 0)); o[6] = l.Load(int2(a[2], 0)); o[7] = l.Load(int2(a[3], 0)); o[8] = l.Load(int2(0, a[1]));`,
    gives: f(102, 0, 0, 0, 111, 0, 3, 0, 0),
  },
  'writes of texels': {
    in: indices,
    out: 'float',
    declare:
      'RWTexture2D<float> t : register(u2); RWBuffer<uint> b : register(u3); RWTexture2DArray<float> l : register(u4); RWTexture2D<float2> p : register(u5);',
    bindings: {
      '0.2': image({ format: 'r32float', width: 2, height: 2 }, (x, y) => [x + 10 * y]),
      '0.3': typed('r32uint', [1, 2]),
      '0.4': layered,
      '0.5': image({ format: 'rg32float', width: 1, height: 1 }, () => [3, 4]),
    },
    body: `t[int2(a[1], a[0])] = 50; t[int2(a[2], 0)] = 60; t[int2(0, a[5])] = 70; b[a[1]] = 80; b[a[3]] = 90; l[int3(0, 0, a[1])] = 5; l[int3(0, 0, a[2])] = 6;
      p[int2(a[0], 0)].y = 7; p[int2(a[1], 0)].x = 8; o[0] = t[int2(a[4], 0)]; o[1] = b[a[4]]; o[2] = p[int2(0, a[1])].y;`,
    gives: f(0, 0, 0),
    expect: {
      '0.2': f(0, 50, 10, 11),
      '0.3': u(1, 80),
      '0.4': f(1, 2, 11, 12, 5, 102, 111, 112),
      '0.5': f(3, 7),
    },
  },
  'loops leave as they should': {
    in: indices,
    out: 'int',
    body: `int sum = 0; for (int x = 0; x < a[3]; x++) { if (x == 3) continue; sum += x; } o[0] = sum;
      int y = a[3]; do { y += 3; if (y > 40) break; } while (y < 12); o[1] = y;
      int z = 0; while (true) { switch (z) { case 2: z = 10; continue; default: z++; } if (z > 11) break; } o[2] = z;`,
    gives: i(7, 14, 12),
  },
});
