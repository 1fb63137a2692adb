/** What the launcher runs before it stores V8's compiled functions, so that these do not hang on what the first run was. */
import { compile } from '../compile.ts';

/** An ordinary shader: the more of the compiler it goes through, the less later runs have to compile. */
export const sample = `
#define SCALE(x) ((x) * 0.5 + 0.25)
#define TWICE(x) ((x) * 2)
#if TWICE(2) > 3 && !defined(NONE)
struct Light { float3 position; float range; float4 color; };
#endif
cbuffer Frame : register(b0) { float4x4 transform; Light lights[4]; uint count; float2 size; };
Texture2D<float4> albedo : register(t0);
SamplerState linearSampler : register(s0);
StructuredBuffer<Light> more : register(t1);
static const float weights[3] = { 0.25, 0.5, 0.25 };
struct Surface {
  float3 position;
  float3 normal;
  float facing(float3 to) { return saturate(dot(normal, to)); }
};
float3 shade(Surface surface, Light light) {
  float3 to = light.position - surface.position;
  float distance = length(to);
  if (distance > light.range) return 0;
  return light.color.rgb * surface.facing(to / distance) * SCALE(distance);
}
float4 main(float4 at : SV_Position, float3 normal : NORMAL, float2 uv : TEXCOORD0, nointerpolation uint id : ID) : SV_Target {
  Surface surface = { mul(transform, float4(at.xyz, 1)).xyz, normalize(normal) };
  float3 sum = 0;
  [loop] for (uint i = 0; i < count; ++i) sum += shade(surface, more[i]);
  for (int k = 0; k < 3; k++) sum.xy += albedo.SampleLevel(linearSampler, uv + k / size, 0).yx * weights[k];
  switch (id & 3) {
    case 0: sum *= 2; break;
    case 1: sum = pow(abs(sum), 2.2); break;
    default: sum = lerp(sum, shade(surface, lights[id]), 0.5);
  }
  float4 color = albedo.Sample(linearSampler, uv);
  clip(color.a - 0.5);
  return color.a < 0.75 && id != 7 ? float4(sum, 1) : color;
}
`;

export function rehearse(isOptimized: boolean): void {
  const source = { name: 'rehearsal.hlsl', text: sample };
  if (isOptimized) compile({ source, profile: 'ps_6_0' });
  compile({ source, profile: 'ps_6_0', optimize: false, debugInfo: true });
}
