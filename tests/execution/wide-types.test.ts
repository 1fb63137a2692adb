/** 64-bit and 16-bit arithmetic. */
import { floats, uints } from '../support/resources.ts';
import { computeCases, d, f, h, i, i16, i64, u, u16, u64 } from './harness.ts';

const wide = { options: { enable16BitTypes: true }, profile: 'cs_6_2' } as const;
/** What the float nearest to 0.1 is as a double. */
const tenth = Math.fround(0.1);
const twoUint64 = uints(0xffffffff, 0x1, 3, 0);

computeCases('wide and narrow types', {
  'uint64_t arithmetic': {
    out: 'uint64_t',
    in: ['uint64_t', twoUint64],
    body: 'o[0] = a[0] + a[1]; o[1] = a[1] - a[0]; o[2] = a[0] * a[0]; o[3] = a[0] / a[1]; o[4] = a[0] % 10; o[5] = a[0] << 30; o[6] = a[0] >> 31; o[7] = ~a[1];',
    gives: u64(
      0x200000002n,
      0xfffffffe00000004n,
      0xfffffffc00000001n,
      2863311530n,
      1n,
      0x7fffffffc0000000n,
      3n,
      0xfffffffffffffffcn,
    ),
  },
  'int64_t arithmetic': {
    out: 'int64_t',
    in: ['int', uints(-7, 2)],
    body: 'int64_t x = (int64_t)a[0] << 33; int64_t y = a[1]; o[0] = x; o[1] = x / y; o[2] = x % 1000; o[3] = x >> 34; o[4] = -x; o[5] = x * y; o[6] = 0x123456789abcdefLL & 0xff00ff00ffLL;',
    gives: i64(
      -60129542144n,
      -30064771072n,
      -144n,
      -4n,
      60129542144n,
      -120259084288n,
      0x123456789abcdefn & 0xff00ff00ffn,
    ),
  },
  'comparisons of 64-bit ints': {
    out: 'uint',
    in: ['uint64_t', twoUint64],
    body: 'o[0] = a[0] > a[1]; o[1] = (int64_t)(a[1] - a[0]) < 0; o[2] = a[1] - a[0] > a[0]; o[3] = a[0] == 0x1ffffffffULL; o[4] = min(a[0], a[1]) == 3; o[5] = (uint)max(a[0], a[1]);',
    gives: u(1, 1, 1, 1, 1, 0xffffffff),
  },
  'vectors of 64-bit ints': {
    out: 'uint64_t',
    in: ['uint64_t', twoUint64],
    body: 'uint64_t2 v = uint64_t2(a[0], a[1]); v = v * 2 + v.yx; o[0] = v.x; o[1] = v.y; o[2] = dot(v, uint64_t2(1, 1)); v.y <<= 4; o[3] = v.y;',
    gives: u64(0x400000001n, 0x200000005n, 0x600000006n, 0x2000000050n),
  },
  'double arithmetic': {
    out: 'double',
    in: ['float', floats(0.1, 3)],
    body: 'double x = a[0], y = a[1]; o[0] = x + y; o[1] = x * y; o[2] = y / 7; o[3] = -x; o[4] = y - 2; o[5] = 1.0L / 3.0L; o[6] = sqrt((float)y) > 1 ? y : x; o[7] = fma(y, y, x);',
    gives: d(tenth + 3, tenth * 3, 3 / 7, -tenth, 1, 1 / 3, 3, 9 + tenth),
  },
  'double vectors and matrices': {
    out: 'double',
    in: ['float', floats(1, 2, 3, 4)],
    body: 'double2 v = double2(a[0], a[1]); double2x2 m = double2x2(a[0], a[1], a[2], a[3]); double2 r = mul(m, v); o[0] = r.x; o[1] = r.y; m[1] = v * 0.5; o[2] = m[1][1]; o[3] = dot(v, r); o[4] = max(v, r.yx).y;',
    gives: d(5, 11, 1, 27, 5),
  },
  'doubles and their words': {
    out: 'uint',
    in: ['uint', uints(0, 0x3ff80000)],
    body: 'double x = asdouble(a[0], a[1]); o[0] = (uint)(x * 2); uint low, high; asuint(x + 0.5, low, high); o[1] = low; o[2] = high;',
    gives: u(3, 0, 0x40000000),
  },
  'half arithmetic rounds to 16 bits': {
    ...wide,
    out: 'half',
    in: [
      'half',
      { kind: 'buffer', bytes: new Uint8Array(new Uint16Array([0x3c00, 0x6800, 0xc000, 0x2e66]).buffer) },
    ],
    body: 'o[0] = a[0] + a[1]; o[1] = a[1] * a[2]; o[2] = a[0] / (half)3; o[3] = -a[3]; o[4] = max(a[0], a[2]); o[5] = (half)dot(half2(a[0], a[2]), half2(a[0], a[2]));',
    gives: h(2049 - 1, -4096, 0.3333, -0.1, 1, 5),
  },
  'int16_t and uint16_t arithmetic wraps': {
    ...wide,
    out: 'int',
    in: ['int', uints(30000, 3, -5)],
    body: 'int16_t x = (int16_t)a[0], y = (int16_t)a[1], z = (int16_t)a[2]; int16_t s = x + x; o[0] = s; s = x * y; o[1] = s; o[2] = (int16_t)(z >> 1); o[3] = z % y; uint16_t w = (uint16_t)x * (uint16_t)3; o[4] = w; o[5] = (uint16_t)z / (uint16_t)y; o[6] = (int16_t)(y << 15);',
    gives: i(-5536, 24464, -3, -2, 24464, 21843, -32768),
  },
  '16-bit types in structs and vectors': {
    ...wide,
    out: 'float',
    in: ['float', floats(1.5, 2.5)],
    declare: 'struct S { half x; half3 v; int16_t n; float y; }; RWStructuredBuffer<S> s : register(u2);',
    bindings: { '0.2': uints(0, 0, 0, 0, 0, 0) },
    body: 'S t; t.x = (half)a[0]; t.v = half3(1, 2, 3) * (half)a[1]; t.n = (int16_t)-4; t.y = 8; s[0] = t; o[0] = s[0].v.z; o[1] = s[0].n; o[2] = s[0].y; s[0].v.y = s[0].x; half3 r = s[0].v + s[0].x; o[3] = r.y;',
    gives: f(7.5, -4, 8, 3),
  },
  '16-bit vectors in a structured buffer': {
    ...wide,
    out: 'uint16_t2',
    outWords: 2,
    in: ['uint', uints(5)],
    body: 'o[0] = uint16_t2(a[0], 65535); o[1] = o[0].yx + (uint16_t)1;',
    gives: u16(5, 65535, 0, 6),
  },
  'half matrices': {
    ...wide,
    out: 'half',
    in: ['float', floats(1, 2, 3, 4)],
    body: 'half2x2 m = half2x2(a[0], a[1], a[2], a[3]); half2 v = mul(m, half2(1, 1)); o[0] = v.x; o[1] = v.y; o[2] = determinant(m); o[3] = transpose(m)[0][1];',
    gives: h(3, 7, -2, 3),
  },
  'min16 types without the flag': {
    out: 'int',
    in: ['int', uints(40000)],
    body: 'min16int x = (min16int)a[0]; min16float y = (min16float)a[0]; min12int z = (min12int)3; o[0] = x + 1; o[1] = (int)(y / 2); o[2] = z * 5; min16uint3 v = min16uint3(1, 2, 3) << 2; o[3] = v.z;',
    gives: i(40001, 20000, 15, 12),
  },
  'signed 16-bit values in a buffer': {
    ...wide,
    out: 'int16_t',
    in: ['int16_t', { kind: 'buffer', bytes: new Uint8Array(new Int16Array([-3, 1000]).buffer) }],
    body: 'o[0] = a[0] * (int16_t)2; o[1] = a[1] / a[0]; o[2] = abs(a[0]); o[3] = max(a[0], a[1]);',
    gives: i16(-6, -333, 3, 1000),
  },
});
