// RUN: -T ps_6_0 -E main -fvk-t-shift 100 0 -fvk-s-shift 200 0
// RUN: -T ps_6_0 -E main -fspv-reflect
struct Quad { float4 rect; float4 color; uint texture_; uint sampler_; float radius; uint flags; };
StructuredBuffer<Quad> quads : register(t0, space0);
Texture2D<float4> textures[] : register(t0, space2);
SamplerState samplers[3] : register(s0);
float roundedBox(float2 p, float2 size, float r) { float2 q = abs(p) - size + r; return length(max(q, 0)) + min(max(q.x, q.y), 0) - r; }
float4 main(nointerpolation uint index : QUAD, float2 local : LOCAL) : SV_Target {
  Quad q = quads[index];
  float4 c = q.color;
  if (q.flags & 1)
    c *= textures[NonUniformResourceIndex(q.texture_)].Sample(samplers[q.sampler_ % 3], local);
  float d = roundedBox((local - 0.5) * q.rect.zw, q.rect.zw * 0.5, q.radius);
  c.a *= saturate(0.5 - d);
  return c;
}
