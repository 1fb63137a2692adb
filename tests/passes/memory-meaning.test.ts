/** Programs that keep their state in memory give the same behind each pass of the pipeline. */
import { expect, test } from 'vitest';
import { validate } from '../../src/ir/validate.ts';
import { passesAt } from '../../src/passes/pipeline.ts';
import { toModule } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { copyBindings, zeros } from '../support/resources.ts';

const programs: Record<string, string> = {
  'structs by inout, early returns': `
    struct L { float3 dir; float power[2]; float2x2 m; };
    float f(inout L l, float x) { l.power[1] += x; if (x > 2) return l.dir.y; l.dir.y = x; l.m[1][0] += l.dir.y; return l.m[1].x; }
    [numthreads(4, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      L l = (L)0; float sum = 0;
      for (int i = 0; i < 5; ++i) { if (i == 3) continue; sum += f(l, i + id.x); L k = l; k.dir.x = sum; l = k; }
      o[id.x] = asuint(sum + l.power[1] + l.m[1][0] + l.dir.x);
    }`,
  'loops with breaks in switches': `
    [numthreads(4, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      uint a = id.x, b = 1; int3 v = 0;
      while (true) {
        switch (a % 4) { case 0: b += 3; break; case 1: v.y += 2; case 2: v[a % 3] += 1; break; default: if (b > 9) { b = 100; break; } b *= 2; }
        if (++a > 12) break;
        if (b > 200) continue;
        do { b += a; v.z = b; } while (b < 5);
      }
      o[id.x] = a * 7 + b * 3 + v.x + v.y * 5 + v.z;
    }`,
  'arrays by constant and run-time indices, statics': `
    static uint count = 3; static uint table[4] = { 5, 6, 7, 8 }; static const uint fixed[3] = { 1, 2, 4 };
    uint next() { count += table[count % 4]; table[1] = count; return count; }
    [numthreads(4, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      uint a[3] = { id.x, 1, 2 }, b[3] = a; a[1] = next(); b[id.x % 3] += a[1]; a = b; a[2] += fixed[id.x % 3] + fixed[1];
      o[id.x] = a[0] + 10 * a[1] + 100 * a[2] + next();
    }`,
  'one value swapped with another in a loop': `
    [numthreads(4, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      uint x = id.x, y = 7;
      for (uint i = 0; i < 5 + id.x; i++) { uint t = x; x = y; y = t; if (i == 3) y++; }
      o[id.x] = x * 100 + y;
    }`,
};

test.each(Object.entries(programs))('%s', (_, body) => {
  const text = `RWStructuredBuffer<uint> o : register(u0);\n${body}`;
  const module = toModule(text, { profile: 'cs_6_0', entry: 'main' });
  const run = (): string => {
    const bindings = copyBindings({ '0.0': zeros(4) });
    interpretCompute(module, [1, 1, 1], { bindings });
    const buffer = bindings['0.0'] as { bytes: Uint8Array };
    return [...new Uint32Array(buffer.bytes.slice().buffer)].join();
  };
  const wanted = run();
  expect(wanted).not.toBe('0,0,0,0');
  for (const pass of passesAt(3)) {
    pass(module);
    expect(validate(module), pass.name).toEqual([]);
    expect(run(), pass.name).toBe(wanted);
  }
});
