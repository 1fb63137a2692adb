/** Calls: parameter passing, overloads, statics, methods. */
import { floats, uints } from '../support/resources.ts';
import { computeCases, f, i, u } from './harness.ts';

computeCases('functions', {
  'inout arguments are copied in and out': {
    out: 'uint',
    in: ['uint', uints(5)],
    declare: 'uint mix2(inout uint p, inout uint q) { p += 1; q += 10; return p * 100 + q; }',
    body: 'uint v = a[0]; o[0] = mix2(v, v); o[1] = v; uint s[2] = { 1, 2 }; o[2] = mix2(s[0], s[1]); o[3] = s[0]; o[4] = s[1];',
    gives: u(615, 15, 212, 2, 12),
  },
  'out leaves the callee, also by early returns': {
    out: 'int',
    in: ['int', uints(17, 5, 0)],
    declare:
      'bool divide(int x, int y, out int quot, inout int total) { quot = -1; if (y == 0) return false; quot = x / y; total += quot; return true; }',
    body: 'int q = 99, t = 100; o[0] = divide(a[0], a[1], q, t); o[1] = q; o[2] = t; o[3] = divide(a[0], a[2], q, t); o[4] = q; o[5] = t;',
    gives: i(1, 3, 103, 0, -1, 103),
  },
  'a global passed as inout is not the global': {
    out: 'int',
    in: ['int', uints(1)],
    declare: 'static int g = 5; void change(inout int x) { x += 10; g += 1; x += g; }',
    body: 'g += a[0]; change(g); o[0] = g;',
    // g is 6; the copy becomes 16, g 7, the copy 23, which is written back.
    gives: i(23),
  },
  'in parameters are copies': {
    out: 'int',
    in: ['int', uints(3)],
    declare:
      'struct S { int x; int y[2]; }; int eat(S s, int k[2]) { s.x = 100; s.y[1] = 200; k[0] = 300; return s.x + s.y[1] + k[0]; }',
    body: 'S s; s.x = a[0]; s.y[0] = 1; s.y[1] = 2; o[0] = eat(s, s.y); o[1] = s.x; o[2] = s.y[1]; o[3] = s.y[0];',
    gives: i(600, 3, 2, 1),
  },
  'inout with a swizzle, a component, a member': {
    out: 'float',
    in: ['float', floats(1, 2, 3, 4)],
    declare:
      'void twice(inout float2 v) { v *= 2; v.x += 0.5; } void inc(inout float x) { x += 1; } struct S { float3 p; };',
    body: `float4 v = float4(a[0], a[1], a[2], a[3]); twice(v.wy); o[0] = v.y; o[1] = v.w; inc(v.z); o[2] = v.z; uint k = (uint)a[0]; inc(v[k]); o[3] = v.y;
      S s[2]; s[0].p = 0; s[1].p = float3(a[0], a[1], a[2]); twice(s[k].p.zx); o[4] = s[1].p.z; o[5] = s[1].p.x; o[6] = s[1].p.y;`,
    gives: f(4, 8.5, 4, 5, 6.5, 2, 2),
  },
  'inout with conversion': {
    out: 'float',
    in: ['float', floats(2.75)],
    declare: 'void add(inout int x) { x += 5; }',
    body: 'float v = a[0]; add(v); o[0] = v;',
    gives: f(7),
  },
  'inout of a matrix row, an element and a buffer element': {
    out: 'float',
    in: ['float', floats(1, 2, 3, 4)],
    declare: 'void inc(inout float x) { x += 10; } void neg(inout float2 v) { v = -v; }',
    body: 'float2x2 m = float2x2(a[0], a[1], a[2], a[3]); inc(m[1][0]); neg(m[0]); inc(m._22); o[0] = m[0][0]; o[1] = m[0][1]; o[2] = m[1][0]; o[3] = m[1][1]; o[4] = 7; inc(o[4]);',
    gives: f(-1, -2, 13, 14, 17),
  },
  'overloads are chosen by type and shape': {
    out: 'int',
    in: ['int', uints(1)],
    declare:
      'int pick(float x) { return 1; } int pick(int x) { return 2; } int pick(uint x) { return 3; } int pick(float2 x) { return 4; } int pick(float x, float y) { return 5; } int pick(bool x) { return 6; }',
    body: 'o[0] = pick(1.5f); o[1] = pick(a[0]); o[2] = pick((uint)a[0]); o[3] = pick(float2(1, 2)); o[4] = pick(1.0f, 2.0f); o[5] = pick(a[0] > 0);',
    gives: i(1, 2, 3, 4, 5, 6),
  },
  'default arguments and prototypes': {
    out: 'int',
    in: ['int', uints(3)],
    declare:
      'int later(int x, int y = 10, int z = 100); int early(int x) { return later(x) + later(x, 1); } int later(int x, int y, int z) { return x + y + z; }',
    body: 'o[0] = early(a[0]); o[1] = later(a[0], 1, 2);',
    gives: i(113 + 104, 6),
  },
  'static globals begin with their initializers and keep what is stored': {
    out: 'int',
    in: ['int', uints(4)],
    declare:
      'static int n = 3; static const int table[3] = { 10, 20, 30 }; static int2 v = int2(1, 2); static int unset; void bump() { n += 2; v.y = n; }',
    body: 'o[0] = n; bump(); bump(); o[1] = n; o[2] = v.x + v.y; o[3] = table[a[0] - 2]; o[4] = unset;',
    gives: i(3, 7, 8, 30, 0),
  },
  'static locals live on': {
    out: 'int',
    in: ['int', uints(4)],
    declare: 'int count() { static int calls = 0; calls++; return calls; }',
    body: 'count(); count(); o[0] = count() + a[0];',
    gives: i(7),
  },
  'methods see and change their object': {
    out: 'float',
    in: ['float', floats(2, 3)],
    declare: `struct Counter { float n; float step;
        void tick() { n += step; } float twice() { tick(); this.tick(); return n; } static float unit() { return 0.5; } float with(float k) { return n * k; } };`,
    body: 'Counter c; c.n = a[0]; c.step = a[1]; c.tick(); o[0] = c.n; o[1] = c.twice(); o[2] = c.n; o[3] = Counter::unit(); Counter d[2]; d[1] = c; d[1].tick(); o[4] = d[1].with(2); o[5] = c.n;',
    gives: f(5, 11, 11, 0.5, 28, 11),
  },
  'a struct inherits members and methods': {
    out: 'int',
    in: ['int', uints(2)],
    declare:
      'struct Base { int x; int get() { return x; } }; struct Derived : Base { int y; int sum() { return get() + x + y; } };',
    body: 'Derived s; s.x = a[0]; s.y = 10; o[0] = s.sum(); o[1] = s.get(); Base b = (Base)s; o[2] = b.x;',
    gives: i(14, 2, 2),
  },
  'structs and arrays as results': {
    out: 'float',
    in: ['float', floats(1, 2)],
    declare:
      'struct P { float2 at; float list[2]; }; P make(float x, float y) { P p; p.at = float2(x, y); p.list[0] = x + y; p.list[1] = x * y; return p; }',
    body: 'o[0] = make(a[0], a[1]).at.y; o[1] = make(3, 4).list[1]; P p = make(a[1], 5); P q = p; q.at.x = 0; o[2] = p.at.x + q.at.x + q.list[0];',
    gives: f(2, 12, 9),
  },
  'arrays are values': {
    out: 'int',
    in: ['int', uints(1, 2, 3)],
    body: 'int x[3] = { a[0], a[1], a[2] }; int y[3] = x; y[1] = 50; o[0] = x[1]; o[1] = y[1]; x = y; o[2] = x[1]; int g[2][3]; g[0] = x; g[1] = x; g[1][2] = 9; uint k = a[0]; o[3] = g[k][2] + g[k - 1][2]; o[4] = g[k][k];',
    gives: i(2, 50, 50, 12, 50),
  },
  'calls in deep expressions keep their order': {
    out: 'int',
    declare: 'static int log_ = 0; int t(int x) { log_ = log_ * 10 + x; return x; }',
    body: 'int r = t(1) + t(2) * t(3) - (t(4) < t(5) ? t(6) : t(7)); o[0] = r; o[1] = log_;',
    gives: i(1, 123456),
  },
  'constant, static const and local arrays given to one function': {
    out: 'float',
    in: ['float', floats(2)],
    bindings: { '0.2': floats(1, 2, 3, 4, 10, 0, 0, 0, 20, 0, 0, 0, 30) },
    declare:
      'cbuffer C : register(b2) { float4 given; float list[3]; }; static const float fixed_[3] = { 1, 2, 4 }; float pick(const float l[3], int k, float scale) { return l[k] * scale; }',
    body: 'float mine[3] = { 7, 8, 9 }; int k = int(given.x) + 1; o[0] = pick(list, k, given.y); o[1] = pick(fixed_, k, given.z); o[2] = pick(mine, k, 10); o[3] = pick(mine, (int)a[0] - 2, 1);',
    gives: f(60, 12, 90, 7),
  },
  'expressions that write are places': {
    out: 'int',
    in: ['int', uints(5, 1)],
    declare: `void twice3(inout int3 x) { x *= 2; } void three(out int x) { x = 3; } void twice(inout int x) { x *= 2; } struct S { int2 v; int n; void add(int k) { n += k; } }; groupshared int gs[2]; static int calls = 0; int next() { return calls++; }`,
    body: `int k = a[0]; three(++k); o[0] = k; twice(++k); o[1] = k; int l[3] = {1, 2, 3}; twice(++l[a[1]]); o[2] = l[1]; twice(l[next()] += 4); o[3] = l[0]; o[4] = calls; twice(k = 9); o[5] = k;
      (k += 2) *= 3; o[6] = k; ++(++k); o[7] = k; (l[next()] = 5) += 2; o[8] = l[1]; S s = (S)0; S t; t.v = int2(7, 8); t.n = 9; (s = t).n += 5; o[9] = s.n; o[10] = t.n; (s = t).add(30); o[11] = s.n; (s.v += 1).y = 40; o[12] = s.v.x * 100 + s.v.y; (k, s.v.x) = 4; o[13] = s.v.x; twice((k++, s.n)); o[14] = s.n; o[15] = k; gs[0] = 1; twice(gs[a[1] - 1] += 10); o[16] = gs[0]; int2 w = (s.v = int2(1, 2)).yx; o[17] = w.x * 10 + w.y; float f1 = 1; (f1.x = 2.5) += 1; o[18] = f1 * 10; (w.yx = int2(3, 4)).x = 9; o[19] = w.x * 10 + w.y; o[20] = (l[2] = 6) + l[2];
      int4 v4 = int4(1, 2, 3, 4); twice3((int3)v4); o[21] = v4.y * 100 + v4.z * 10 + v4.w; ((int2)v4).y = 9; ((int2)v4.wzyx).x += 1; o[22] = v4.y * 10 + v4.w; ((int3)v4)[a[1]] = 1; ((int3)v4.zyx).xy = ((int2)v4).yx; o[23] = v4.z * 10 + v4.y;`,
    outWords: 24,
    gives: i(3, 8, 6, 10, 1, 18, 60, 62, 7, 14, 9, 39, 840, 4, 78, 63, 22, 21, 35, 49, 12, 464, 95, 12),
  },
  'functions that give arrays': {
    out: 'int',
    in: ['int', uints(3, 1)],
    declare: `int list(int k)[2] { int r[2]; r[0] = k; r[1] = k + 1; return r; }
      float2 grid(int k)[2][3]; struct S { int v; int2 get()[2] { int2 r[2]; r[0] = v; r[1] = v + 1; return r; } };
      float2 grid(int k)[2][3] { float2 g[2][3]; g[1][2] = 5; g[0][k] = 7; return g; }`,
    body: 'o[0] = list(a[0])[1]; int q[2] = list(5); o[1] = q[a[1]]; o[2] = grid(1)[1][2].x * 10 + grid(1)[0][a[1]].y; S s; s.v = 9; o[3] = s.get()[1].y;',
    gives: i(4, 6, 57, 10),
  },
});
