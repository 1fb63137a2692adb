/** What random programs found, made small. */
import { uints } from '../support/resources.ts';
import { computeCases, i, u } from './harness.ts';

computeCases('found by random programs', {
  'statics without initializer are zero': {
    declare: `struct S { float3x2 m; bool b[3]; int n; };
static int4 g; static S s; static float2x3 m[2]; static bool3 b;
uint count() { static uint n; n++; return n; }`,
    out: 'int',
    in: ['int', uints(1, 2)],
    body: 'count(); g.x += a[0]; s.m[a[0]].x += 1; m[a[0]][0].y += a[1]; b.y = !b.z; o[0] = g.x + g.y; o[1] = (int)s.m[1].x + s.b[a[1]] + s.n; o[2] = (int)(m[0][0].y + m[1][0].y); o[3] = (b.y ? 10 : 0) + (b.x ? 20 : 0); o[4] = (int)count();',
    gives: i(1, 1, 2, 10, 2),
  },
  'remainders have the sign of the dividend': {
    out: 'int',
    in: ['int', uints(-6, 8, -1, -5)],
    body: 'o[0] = a[0] % a[1]; o[1] = a[2] % 8; o[2] = a[0] % a[3]; o[3] = -a[0] % a[3]; int2 v = int2(a[0], a[2]) % int2(4, a[1]); o[4] = v.x; o[5] = v.y; int2x2 m = int2x2(a[0], a[1], a[2], a[3]) % 3; o[6] = m[0][0]; o[7] = m[1][1]; o[8] = (a[1] & 7) % 3;',
    gives: i(-6, -1, -1, 1, -2, -1, 0, -2, 0),
  },
  'arrays of matrices in structs, with run-time indices': {
    declare: 'struct S { bool3x2 m[2]; uint4 v[2]; };',
    out: 'uint',
    in: ['uint', uints(1, 2)],
    body: 'S s = (S)0; s.m[a[0]][a[1]][0] = true; s.v[a[0]].z = 7; o[0] = s.m[1][2].x; o[1] = s.m[a[0]][2].y; o[2] = s.m[a[1] - 1][a[1]].x; o[3] = s.v[1].z;',
    gives: u(1, 0, 1, 7),
  },
  'a loop is not left where a continue passes the break over': {
    out: 'uint',
    in: ['uint', uints(1, 0)],
    body: 'uint n = 0; [unroll] for (int k = 0; k < 4; k++) { if (a[k & 1] != 0) continue; if (k > 0) break; n += 10; } o[0] = n; n = 0; for (int j = 0; j < 4; j++) { n++; if (a[j & 1] != 0) continue; if (j == j) break; } o[1] = n;',
    gives: u(0, 2),
  },
});
