/** `reflectDeclared`: what a host is told does not depend on the optimizer. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';

const text = `
cbuffer A : register(b0) { float4 a; };
cbuffer B : register(b1) { float4 b; };
Texture2D<float4> unused : register(t0);
Texture2D<float4> used : register(t1);
SamplerState state;
RWStructuredBuffer<float3> list : register(u1);
float4 main0() { return b; }
float4 main(float2 uv : UV) : SV_Target {
  uint count, stride;
  list.GetDimensions(count, stride);
  if (list.IncrementCounter() == 3) list[0] = 1;
  float4 dropped = unused.Sample(state, uv) + a * count;
  return used.Sample(state, uv) + main0() + (false ? dropped : 0);
}
`;

function reflection(optimize: boolean, reflectDeclared: boolean) {
  const result = compile({
    source: { name: 'a.hlsl', text },
    profile: 'ps_6_0',
    targets: ['spirv', 'msl'],
    optimize,
    reflectDeclared,
  });
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { metal, ...rest } = result.reflection!;
  const bindings = metal!.bindings.filter(({ kind }) => kind !== 'sizes');
  return { rest, bindings, msl: result.msl!, entry: metal!.entryPoints[0]!.name };
}

describe('reflectDeclared', () => {
  it('gives the same reflection and the same indices with and without the optimizer', () => {
    const [on, off] = [reflection(true, true), reflection(false, true)];
    expect(on.rest).toEqual(off.rest);
    expect(on.bindings).toEqual(off.bindings);
    expect(on.entry).toBe(off.entry);
    expect(on.bindings.map(({ name, table, index }) => `${name} ${table} ${index}`)).toEqual([
      'A buffer 0',
      'B buffer 1',
      'unused texture 0',
      'used texture 1',
      'list buffer 2',
      'state sampler 0',
      'list.counter buffer 3',
    ]);
    // The text is bound as the reflection says although the optimizer has dropped what comes before.
    expect(on.msl).toMatch(/\bused \[\[texture\(1\)\]\]/);
    expect(on.msl).not.toContain('unused');
  });

  it('is off by default: what is dropped is not told, and others move up', () => {
    const { bindings, rest } = reflection(true, false);
    expect(rest.bindings.map(({ name }) => name)).not.toContain('unused');
    expect(bindings.find(({ name }) => name === 'used')).toMatchObject({ index: 0 });
  });

  it('tells the distance of elements of structured buffers', () => {
    const { rest } = reflection(false, true);
    expect(rest.bindings.find(({ name }) => name === 'list')!.type).toMatchObject({
      stride: 16,
      element: { size: 12 },
    });
  });
});
