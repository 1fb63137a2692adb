/** Swizzles and matrices, as values and as targets. */
import { floats, uints } from '../support/resources.ts';
import { type ComputeCase, computeCases, f, i, u } from './harness.ts';

const four = floats(1, 2, 3, 4);
const v4 = 'float4 v = float4(a[0], a[1], a[2], a[3]);';
const reals = (body: string, ...values: number[]): ComputeCase => ({
  out: 'float',
  in: ['float', four],
  body: `${v4} ${body}`,
  gives: f(...values),
});
const withStruct = (body: string, ...values: number[]): ComputeCase => ({
  ...reals(body, ...values),
  declare: 'struct S { float4 p; };',
});
/** Writes a matrix row by row. */
const put = (name: string, rows: number, columns: number, at = 0): string =>
  `for (uint r_ = 0; r_ < ${rows}; r_++) for (uint c_ = 0; c_ < ${columns}; c_++) o[${at} + r_ * ${columns} + c_] = ${name}[r_][c_];`;
const m23 = 'float2x3 m = float2x3(a[0], a[1], a[2], a[3], a[0] + 4, a[1] + 4);';

computeCases('vectors and matrices', {
  'swizzles as values': reals(
    'float4 w = v.wzyx; o[0] = w.x; o[1] = w.w; float2 s = v.rb; o[2] = s.y; o[3] = v.xxyy.w; float3 t = v.xyz.zyx.yxz; o[4] = t.x; o[5] = t.z;',
    4,
    1,
    3,
    2,
    2,
    1,
  ),
  'swizzles of scalars': reals(
    'float x = a[1]; float3 s = x.xxx; o[0] = s.z; o[1] = x.x; o[2] = (3.5).xx.y; int2 n = (7).xx; o[3] = n.y;',
    2,
    2,
    3.5,
    7,
  ),
  'swizzle writes': reals(
    'v.wx = float2(10, 20); o[0] = v.x; o[1] = v.w; v.yz += v.zy; o[2] = v.y; o[3] = v.z; v.xyz = v.zxy; o[4] = v.x; o[5] = v.y; o[6] = v.z;',
    20,
    10,
    5,
    5,
    5,
    20,
    5,
  ),
  'chained swizzle writes': {
    out: 'uint',
    in: ['uint', uints(5)],
    body: 'uint k = a[0]; uint2 s = uint2(k, k + 1).xyx.zy; o[0] = s.x; o[1] = s.y; uint4 w = k.xxxx; w.zw.y = 9; w.xyz.zx += uint2(1, 2); o[2] = w.x; o[3] = w.y; o[4] = w.z; o[5] = w.w;',
    gives: u(5, 6, 7, 5, 6, 9),
  },
  'components by a run-time index': reals(
    'uint k = (uint)a[1]; o[0] = v[k]; v[k] = 30; o[1] = v.z; v[k - 2] += 0.5; o[2] = v.x; float2 w = v.zw; o[3] = w[k - 1];',
    3,
    30,
    1.5,
    4,
  ),
  'swizzle write through arrays and structs': withStruct(
    'S s[2]; s[0].p = v; s[1].p = v * 10; uint k = (uint)a[0]; s[k].p.yw = s[k - 1].p.xz; o[0] = s[1].p.x; o[1] = s[1].p.y; o[2] = s[1].p.z; o[3] = s[1].p.w;',
    10,
    1,
    30,
    3,
  ),
  'vectors of one': reals(
    'float1 x = v.y; float1 y = x + 1; o[0] = y.x; o[1] = x * v.z; vector<float, 2> w = { x, y }; o[2] = w.y;',
    2 + 1,
    6,
    3,
  ),
  'vector constructors mix shapes': reals(
    'float4 w = float4(v.yx, a[3], v.z); o[0] = w.x; o[1] = w.z; o[2] = w.w; float3 t = float3(v.w, v.xy); o[3] = t.z; float3 q = float3(1, v.zw); o[4] = q.z;',
    2,
    4,
    3,
    2,
    4,
  ),
  'bool and int vectors': {
    out: 'int',
    in: ['int', uints(3, -4, 0)],
    body: 'int3 v = int3(a[0], a[1], a[2]); bool3 b = v != 0; int3 w = v * int3(b) + 1; o[0] = w.x; o[1] = w.y; o[2] = w.z; v.xz = v.zx; o[3] = v.x; o[4] = v.z; b.zx = b.xy; o[5] = b.x; o[6] = b.z; o[7] = (v << 1).z;',
    gives: i(4, -3, 1, 0, 3, 1, 1, 6),
  },

  'matrix rows and elements': {
    ...reals(
      `${m23} o[0] = m[1].x; o[1] = m[0][2]; o[2] = m._23; o[3] = m._m12; float3 r = m[1]; o[4] = r.y; uint k = (uint)a[0]; o[5] = m[k][k + 1]; float2 s = m._11_22; o[6] = s.y;`,
      4,
      3,
      6,
      6,
      5,
      6,
      5,
    ),
  },
  'matrix element and row writes': reals(
    `${m23} m[0][1] = 50; m[1] = float3(7, 8, 9); m._13 = 60; uint k = (uint)a[0]; m[k][k] += 1; m[k - 1].xz = float2(-1, -2); ${put('m', 2, 3)}`,
    -1,
    50,
    -2,
    7,
    9,
    9,
  ),
  'matrix swizzle writes': reals(
    `${m23} m._11_23 = float2(10, 20); m._m01_m10 = m._m10_m01; ${put('m', 2, 3)}`,
    10,
    4,
    3,
    2,
    5,
    20,
  ),
  'matrix arithmetic is by component': reals(
    `float2x2 m = float2x2(a[0], a[1], a[2], a[3]); float2x2 n = m * m + 1 - m / 2; ${put('n', 2, 2)} n = -m; o[4] = n[1][0]; n += m; o[5] = n[1][1]; n = m % 2; o[6] = n[1][0];`,
    1.5,
    4,
    8.5,
    15,
    -3,
    0,
    1,
  ),
  'matrix from rows and from scalars': reals(
    `float2x3 m = float2x3(v.xyz, v.wzy); ${put('m', 2, 3)} float3x2 n = { v, 5, 6 }; o[6] = n[1][1]; o[7] = n[2][0];`,
    1,
    2,
    3,
    4,
    3,
    2,
    4,
    5,
  ),
  'matrix comparisons': {
    ...reals(
      'float2x2 m = float2x2(a[0], a[1], a[2], a[3]); bool2x2 b = m > 2; o[0] = b[0][1]; o[1] = b[1][0]; o[2] = any(m == 3); o[3] = all(m > 0); o[4] = all(b);',
      0,
      1,
      1,
      1,
      0,
    ),
  },
  'integer matrices': {
    out: 'int',
    in: ['int', uints(1, 2, 3, 4)],
    body: `int2x2 m = int2x2(a[0], a[1], a[2], a[3]); int2x2 n = m << 1; n[1][1] ^= 1; ${put('n', 2, 2)} int2 r = mul(m, int2(1, 10)); o[4] = r.x; o[5] = r.y; int2x2 p = mul(m, m); o[6] = p[1][0]; uint3x2 w = uint3x2(1, 2, 3, 4, 5, 6); o[7] = w[2][1];`,
    gives: i(2, 4, 6, 9, 21, 43, 15, 6),
  },
  'mul of matrix and vector, both ways': reals(
    `${m23} float2 p = mul(m, v.xyz); o[0] = p.x; o[1] = p.y; float3 q = mul(v.xy, m); o[2] = q.x; o[3] = q.y; o[4] = q.z; float2 t = mul(v.xyz, transpose(m)); o[5] = t.y;`,
    14,
    32,
    9,
    12,
    15,
    32,
  ),
  'mul of matrices': reals(
    `${m23} float3x2 n = float3x2(1, 0, 0, 1, 1, 1); float2x2 p = mul(m, n); ${put('p', 2, 2)} float3x3 q = mul(n, m); o[4] = q[0][0]; o[5] = q[1][2]; o[6] = q[2][1];`,
    4,
    5,
    10,
    11,
    1,
    6,
    7,
  ),
  'mul with scalars and of vectors': reals(
    'float2x2 m = float2x2(a[0], a[1], a[2], a[3]); float2x2 s = mul(2, m); o[0] = s[1][0]; s = mul(m, 3); o[1] = s[0][1]; o[2] = mul(v, v); float4 w = mul(v, 2); o[3] = w.w; o[4] = mul(3, 4);',
    6,
    6,
    30,
    8,
    12,
  ),
  'transpose and determinant': reals(
    `${m23} float3x2 t = transpose(m); ${put('t', 3, 2)} o[6] = determinant(float2x2(a[0], a[1], a[2], a[3])); o[7] = determinant(float3x3(2, 0, 0, 0, 3, 0, 0, 0, 4)); o[8] = determinant(float4x4(1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 5, 0, 0, 4));`,
    1,
    4,
    2,
    5,
    3,
    6,
    -2,
    24,
    24,
  ),
  'all matrix shapes': reals(
    ['1x1', '1x2', '1x3', '1x4', '2x1', '3x1', '4x1', '3x4', '4x3', '4x4']
      .map((shape, n) => {
        const [rows, columns] = shape.split('x').map(Number) as [number, number];
        return `{ float${shape} m = (float${shape})a[1]; m[${rows - 1}][${columns - 1}] = ${n}; float${shape} t = m + 1; o[${2 * n}] = t[${rows - 1}][${columns - 1}]; o[${2 * n + 1}] = t[0][0]; }`;
      })
      .join(' '),
    1,
    1,
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [n + 1, 3]),
  ),
  'matrices of one row or column in products': reals(
    'float1x3 r = float1x3(a[0], a[1], a[2]); float3x1 c = float3x1(a[1], a[2], a[3]); float1x1 p = mul(r, c); o[0] = p[0][0]; float3x3 q = mul(c, r); o[1] = q[2][1]; float3x1 t = transpose(r); o[2] = t[2][0]; o[3] = mul(float1x2(3, 4), v.xy).x;',
    2 + 6 + 12,
    8,
    3,
    11,
  ),
  'arrays of matrices': reals(
    'float2x2 m[2]; m[0] = float2x2(1, 2, 3, 4); m[1] = m[0] * 10; uint k = (uint)a[0]; m[k][0][k] = 5; m[k - 1][k] = m[k][0]; o[0] = m[0][1][0]; o[1] = m[0][1][1]; o[2] = m[1][1][1];',
    10,
    5,
    40,
  ),
  'row_major and column_major locals hold the same matrix': reals(
    `row_major float2x3 m = float2x3(1, 2, 3, 4, 5, 6); column_major float2x3 n = m; ${put('n', 2, 3)} o[6] = m[1][0];`,
    1,
    2,
    3,
    4,
    5,
    6,
    4,
  ),
  'dynamic rows in a loop': reals(
    'float3x3 m; for (uint r = 0; r < 3; r++) { m[r] = v.xyz * (r + 1); for (uint c = 0; c < r; c++) m[r][c] = -(float)c; } o[0] = m[0][2]; o[1] = m[1][0]; o[2] = m[2][1]; o[3] = m[2][2]; o[4] = m[1][1];',
    3,
    0,
    -1,
    9,
    4,
  ),
});
