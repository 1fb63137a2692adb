/** Vertex and pixel shaders together: what passes between them, system values, targets, derivatives, discard. */
import { floats, image, sampler, typed, uints, zeros } from '../support/resources.ts';
import { type DrawCase, drawCases, f, u } from './harness.ts';

const position = 'float4 VSMain(float4 p : POSITION) : SV_Position { return p; }';
/** A pixel shader alone, on a triangle over the whole target. */
const pixel = (text: string, pixels: DrawCase['pixels'], more: Partial<DrawCase> = {}): DrawCase => ({
  text: `${position}\n${text}`,
  pixels,
  ...more,
});
const full = [
  [-1, -1, 0.5, 1],
  [-1, 3, 0.5, 1],
  [3, -1, 0.5, 1],
];
/** A value that is `a` at the left edge and `b` at the right one of the target. */
const across = (a: number, b: number): number[][] => [[a], [a], [2 * b - a]];

drawCases('graphics', {
  'SV_Position in the pixel shader': pixel(
    'float4 PSMain(float4 p : SV_Position) : SV_Target { return p; }',
    {
      '0,0': [[0.5, 0.5, 0.5, 1]],
      '3,1': [[3.5, 1.5, 0.5, 1]],
    },
  ),
  'interpolation across the target': {
    text: 'struct V { float4 p : SV_Position; float x : X; float2 uv : TEXCOORD1; }; V VSMain(float4 p : POSITION, float x : X) { V o; o.p = p; o.x = x; o.uv = p.xy; return o; } float4 PSMain(V i) : SV_Target { return float4(i.x, i.uv, 0); }',
    attributes: { POSITION0: full, X0: across(0, 8) },
    pixels: { '0,0': [[1, -0.75, 0.75, 0]], '3,2': [[7, 0.75, -0.25, 0]] },
  },
  'perspective, linear and flat interpolation': {
    text: `struct V { float4 p : SV_Position; float x : X; noperspective float y : Y; nointerpolation float z : Z; };
      V VSMain(float4 p : POSITION, float x : X) { V o; o.p = p; o.x = x; o.y = x; o.z = x + 5; return o; }
      float4 PSMain(V i) : SV_Target { return float4(i.x, i.y, i.z, 1); }`,
    // The right vertex is twice as far away.
    attributes: {
      POSITION0: [
        [-1, -1, 0.5, 1],
        [-1, 3, 0.5, 1],
        [6, -2, 1, 2],
      ],
      X0: across(0, 8),
    },
    pixels: {
      '0,0': [
        [((8 * (1 / 8)) / (2 - 1 / 8)) * 1, 1, 5, 1].map((x, n) =>
          n === 0 ? (16 * (0.125 / 2) * 0.5) / (1 - 0.125 / 2 + (0.125 / 2) * 0.5) : x,
        ),
      ],
    },
  },
  'integers and bools between stages': {
    text: `struct V { float4 p : SV_Position; nointerpolation int k : K; nointerpolation uint2 m : M; nointerpolation bool flag : FLAG; nointerpolation bool2 two : TWO; };
      V VSMain(float4 p : POSITION) { V o = (V)0; o.p = p; o.k = -7; o.m = uint2(3, 0xffffffff); o.flag = p.w > 0; o.two = bool2(false, true); return o; }
      float4 PSMain(V i) : SV_Target { return float4(i.k, i.m.x, i.m.y == 0xffffffff, (i.flag ? 2 : 3) * 100 + (i.two.x ? 4 : 5) * 10 + (i.two.y ? 6 : 7)); }`,
    pixels: { '1,1': [[-7, 3, 1, 256]] },
  },
  'matrices, arrays and nested structs between stages': {
    text: `struct In { float2 a : A; float b : B; }; struct V { float4 p : SV_Position; float2x3 m : M; float list[2] : L; In in_; };
      V VSMain(float4 p : POSITION) { V o; o.p = p; o.m = float2x3(1, 2, 3, 4, 5, 6); o.list[0] = 10; o.list[1] = 20; o.in_.a = float2(30, 40); o.in_.b = 50; return o; }
      float4 PSMain(V i) : SV_Target { return float4(i.m[1][0] * 10 + i.m[0][2], i.list[0] + i.list[1], i.in_.a.y, i.in_.b); }`,
    pixels: { '2,2': [[43, 30, 40, 50]] },
  },
  'arrays of matrices with one row or column between stages': {
    text: `struct V { float4 p : SV_Position; float3x1 m[2] : M; nointerpolation int1x2 k[2][2] : K; float last : X; };
      V VSMain(float4 p : POSITION) { V o; o.p = p; o.m[0] = float3x1(1, 2, 3); o.m[1] = float3x1(4, 5, 6); o.k = (int1x2[2][2])0; o.k[1][0] = int1x2(7, 8); o.last = 9; return o; }
      float4 PSMain(V i) : SV_Target { return float4(i.m[0][2][0] * 10 + i.m[1]._21, i.k[1][0]._12, i.k[0][1]._11, i.last); }`,
    pixels: { '2,2': [[35, 8, 0, 9]] },
  },
  'out parameters and parameters of their own': {
    text: `void VSMain(float4 p : POSITION, float k : K, out float4 where : SV_Position, out float2 uv : UV, out nointerpolation float n : N) { where = p; uv = p.xy * 2; n = k; }
      void PSMain(float4 where : SV_Position, float2 uv : UV, nointerpolation float n : N, out float4 color : SV_Target0) { color = float4(uv, n, where.x); }`,
    attributes: { POSITION0: full, K0: [[9], [8], [7]] },
    pixels: { '0,3': [[-1.5, -1.5, 9, 0.5]] },
  },
  'SV_VertexID draws without vertices': {
    text: `struct V { float4 p : SV_Position; nointerpolation uint id : ID; };
      V VSMain(uint id : SV_VertexID, uint inst : SV_InstanceID) { V o; o.p = float4(id == 2 ? 3 : -1, id == 1 ? 3 : -1, 0, 1); o.id = id + 10 + inst; return o; }
      float4 PSMain(V i) : SV_Target { return i.id; }`,
    attributes: {},
    pixels: { '3,3': [[10, 10, 10, 10]] },
  },
  SV_IsFrontFace: pixel('float4 PSMain(bool front : SV_IsFrontFace) : SV_Target { return front ? 1 : 2; }', {
    '0,0': [[1, 1, 1, 1]],
  }),
  'several targets': pixel(
    'struct O { float4 a : SV_Target0; float b : SV_Target2; uint2 c : SV_Target1; }; O PSMain(float4 p : SV_Position) { O o; o.a = p.x; o.b = p.y; o.c = uint2(p.xy) * 10; return o; }',
    { '1,2': [[1.5, 1.5, 1.5, 1.5], [10, 20], [2.5]] },
    { targets: ['rgba32float', 'rg32uint', 'r32float'] },
  ),
  'targets of other formats': pixel(
    'void PSMain(float4 p : SV_Position, out float4 a : SV_Target0, out int4 b : SV_Target1, out float4 c : SV_Target2) { a = float4(0.2, 2, -1, 1); b = int4(-5, 7, p.x, 0); c = float4(1.5, -2, 0.25, 0); }',
    {
      '3,0': [
        [0.2, 1, 0, 1],
        [-5, 7, 3, 0],
        [1.5, -2, 0.25, 0],
      ],
    },
    { targets: ['rgba8unorm', 'rgba32sint', 'rgba16float'], tolerance: 3e-3 },
  ),
  'discard leaves the target and stops writes': pixel(
    'RWStructuredBuffer<uint> w : register(u2); float4 PSMain(float4 p : SV_Position) : SV_Target { uint k = (uint)p.x + (uint)p.y * 4; w[k] += 1; if (p.x > 2) discard; w[k] += 10; return 5; }',
    { '0,0': [[5, 5, 5, 5]], '1,3': [[5, 5, 5, 5]], '2,0': [undefined], '3,3': [undefined] },
    {
      bindings: { '0.2': zeros(16) },
      expect: { '0.2': u(11, 11, 1, 1, 11, 11, 1, 1, 11, 11, 1, 1, 11, 11, 1, 1) },
    },
  ),
  'discard stops atomics and writes of texels, in loops and called functions': pixel(
    `RWStructuredBuffer<uint> w : register(u2); RWTexture2D<float2> t : register(u3); void leave(float x, uint k) { if (x > 3) discard; w[16 + k] = 1; }
      float4 PSMain(float4 p : SV_Position) : SV_Target { uint k = (uint)p.x + (uint)p.y * 4, old; InterlockedAdd(w[k], 1); for (uint n = 0; n < 3; n++) { InterlockedAdd(w[k], 10, old); if (n == 1 && p.y > 3) discard; }
      t[p.xy].y = old; leave(p.x, k); t[p.xy].x = 5; return 5; }`,
    { '0,0': [[5, 5, 5, 5]], '1,3': [undefined], '3,1': [undefined], '2,2': [[5, 5, 5, 5]] },
    {
      bindings: {
        '0.2': zeros(32),
        '0.3': image({ format: 'rg32float', width: 4, height: 4 }, () => [0, 0]),
      },
      expect: {
        '0.2': u(
          ...Array.from({ length: 32 }, (_, n) =>
            n >= 16 ? (n % 4 < 3 && n < 28 ? 1 : 0) : n < 12 ? 31 : 21,
          ),
        ),
        '0.3': f(
          ...Array.from({ length: 16 }, (_, n) => [n % 4 < 3 && n < 12 ? 5 : 0, n < 12 ? 21 : 0]).flat(),
        ),
      },
    },
  ),
  'a discarded pixel is a helper': pixel(
    'float4 PSMain(float4 p : SV_Position) : SV_Target { float before = IsHelperLane() ? 1 : 0; if (p.x < 1) discard; float after = IsHelperLane() ? 1 : 0; return float4(before, after, ddx(after), 0); }',
    { '0,0': [undefined], '1,0': [[0, 0, -1, 0]], '3,1': [[0, 0, 0, 0]] },
    { options: { targetEnv: 'vulkan1.3' }, profile: 'ps_6_6' },
  ),
  'discard in a called function and clip': pixel(
    'void check(float x) { if (x > 3) discard; } float4 PSMain(float4 p : SV_Position) : SV_Target { check(p.x); clip(p.y - 1); clip(float2(1, 3.2 - p.y)); return p.x; }',
    {
      '0,1': [[0.5, 0.5, 0.5, 0.5]],
      '3,1': [undefined],
      '0,0': [undefined],
      '1,3': [undefined],
      '2,2': [[2.5, 2.5, 2.5, 2.5]],
    },
  ),
  derivatives: pixel(
    'float4 PSMain(float4 p : SV_Position) : SV_Target { float q = p.x * 3 + p.y * 5; float2 s = p.xy * p.xy; return float4(ddx(q), ddy(q), fwidth(q), ddx_fine(s).x); }',
    { '0,0': [[3, 5, 8, 2]], '2,3': [[3, 5, 8, 6]], '3,3': [[3, 5, 8, 6]] },
  ),
  'derivatives live on behind a discard': pixel(
    'float4 PSMain(float4 p : SV_Position) : SV_Target { if (p.x < 1) discard; float q = p.x * 3; return float4(ddx(q), ddy(q), 0, 0); }',
    { '0,0': [undefined], '1,0': [[3, 0, 0, 0]], '1,1': [[3, 0, 0, 0]] },
  ),
  'Sample picks the mip level by derivatives': pixel(
    'Texture2D<float4> t : register(t2); SamplerState s : register(s3); float4 PSMain(float4 p : SV_Position) : SV_Target { float2 uv = p.xy / 8; return float4(t.Sample(s, uv).x, t.Sample(s, uv * 2).x, t.SampleBias(s, uv, 2).x, t.CalculateLevelOfDetail(s, uv * 4)); }',
    { '1,1': [[0, 100, 200, 2]], '2,3': [[0, 100, 200, 2]] },
    {
      bindings: {
        '0.2': image({ format: 'rgba32float', width: 8, height: 8, mips: 4 }, (_, __, ___, mip) => [
          100 * mip,
          0,
          0,
          0,
        ]),
        '0.3': sampler({ address: 'wrap' }),
      },
      tolerance: 0.02,
    },
  ),
  'clip distances': {
    text: `struct V { float4 p : SV_Position; float d : SV_ClipDistance0; float2 e : SV_ClipDistance1; };
      V VSMain(float4 p : POSITION) { V o; o.p = p; o.d = p.x + 0.5; o.e = float2(1, 0.5 - p.y); return o; } float4 PSMain() : SV_Target { return 3; }`,
    width: 8,
    height: 8,
    pixels: {
      '0,4': [undefined],
      '1,4': [undefined],
      '2,4': [[3, 3, 3, 3]],
      '7,2': [[3, 3, 3, 3]],
      '7,1': [undefined],
    },
  },
  'clip distance of a base struct': {
    text: `struct Base { float clip : SV_ClipDistance0; float4 pos : SV_Position; }; struct V : Base { float4 c : COLOR; };
      V VSMain(float4 p : POSITION) { V o; o.pos = p; o.clip = p.x; o.c = p; return o; } float4 PSMain(V i) : SV_Target { return i.c; }`,
    pixels: { '0,1': [undefined], '1,1': [undefined], '2,0': [[0.25, 0.75, 0.5, 1]] },
  },
  'constants and textures in both stages': {
    text: `cbuffer C : register(b2) { float4x4 world; float2 shift; }; Texture2D<float> t : register(t3); Buffer<float> n : register(t4);
      struct V { float4 p : SV_Position; float k : K; }; V VSMain(float4 p : POSITION) { V o; o.p = mul(world, p); o.p.xy += shift; o.k = t.Load(int3(1, 0, 0)) + n[0]; return o; }
      float4 PSMain(V i) : SV_Target { return float4(i.k, t.Load(int3(0, 0, 0)), n[1], shift.y); }`,
    bindings: {
      '0.2': floats(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0),
      '0.3': image({ format: 'r32float', width: 2, height: 1 }, (x) => [10 + x]),
      '0.4': typed('r32float', [100, 200]),
    },
    pixels: { '0,0': [[111, 10, 200, 0]] },
  },
  'loops and branches over uniform and varying values': pixel(
    'cbuffer C : register(b2) { uint count; } float4 PSMain(float4 p : SV_Position) : SV_Target { float s = 0; for (uint n = 0; n < count; n++) { if (n > (uint)p.x) break; s += n + 1; } return float4(s, p.y > 2 ? 1 : -1, 0, 0); }',
    { '0,0': [[1, -1, 0, 0]], '2,3': [[6, 1, 0, 0]], '3,1': [[6, -1, 0, 0]] },
    { bindings: { '0.2': uints(3, 0, 0, 0) } },
  ),
  'a vertex shader that moves the triangle': {
    text: `float4 VSMain(float3 p : POSITION, float4 c : COLOR, out float4 color : COLOR) : SV_Position { color = c.wzyx; return float4(p.x * 2 - 1, p.y, 0.25, 1); } float4 PSMain(float4 at : SV_Position, float4 color : COLOR) : SV_Target { return color; }`,
    attributes: {
      POSITION0: [
        [0, -1, 0],
        [0, 3, 0],
        [2, -1, 0],
      ],
      COLOR0: [
        [0, 0.2, 0.4, 1],
        [0, 0.2, 0.4, 1],
        [0, 0.2, 0.4, 1],
      ],
    },
    formats: { COLOR0: 'rgba8unorm' },
    pixels: { '1,1': [[1, 0.4, 0.2, 0]] },
    tolerance: 3e-3,
  },
  'inverted y': {
    text: 'struct V { float4 p : SV_Position; float y : Y; }; V VSMain(float4 p : POSITION) { V o; o.p = p; o.y = p.y; return o; } float4 PSMain(V i) : SV_Target { return i.y; }',
    attributes: {
      POSITION0: [
        [-1, -1, 0, 1],
        [3, -1, 0, 1],
        [-1, 3, 0, 1],
      ],
    },
    options: { invertY: true },
    pixels: { '0,0': [[-0.75, -0.75, -0.75, -0.75]], '0,3': [[0.75, 0.75, 0.75, 0.75]] },
    metalPixels: { '0,0': [[0.75, 0.75, 0.75, 0.75]], '0,3': [[-0.75, -0.75, -0.75, -0.75]] },
  },
  'w of the position as Direct3D gives it': {
    text: 'float4 VSMain(float4 p : POSITION) : SV_Position { return p * 4; } float4 PSMain(float4 p : SV_Position) : SV_Target { return float4(p.w, p.x, 0, 0); }',
    options: { useDxPositionW: true },
    pixels: { '1,1': [[4, 1.5, 0, 0]] },
  },
  'unused and reordered varyings keep their places': {
    text: `struct V { float4 p : SV_Position; float a : A; float2 b : B; float3 c : C; }; struct P { float3 c : C; float a : A; };
      V VSMain(float4 p : POSITION) { V o; o.p = p; o.a = 1; o.b = float2(2, 3); o.c = float3(4, 5, 6); return o; }
      float4 PSMain(V i) : SV_Target { return float4(i.c, i.a); }`,
    pixels: { '0,0': [[4, 5, 6, 1]] },
  },
  'writes to buffers from both stages': {
    text: `RWStructuredBuffer<float> w : register(u2); float4 VSMain(float4 p : POSITION, uint id : SV_VertexID) : SV_Position { w[id] = p.x; return p; } float4 PSMain(float4 p : SV_Position) : SV_Target { if (p.x < 1 && p.y < 1) w[3] = 9; return w[3] * 0; }`,
    bindings: { '0.2': zeros(4) },
    pixels: { '2,2': [[0, 0, 0, 0]] },
    expect: { '0.2': f(-1, -1, 3, 9) },
  },
});
