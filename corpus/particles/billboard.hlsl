// RUN: -T vs_6_0 -E VSMain
// RUN: -T ps_6_0 -E PSMain
struct Particle { float3 position; float age; float3 velocity; float life; float4 color; uint flags; };
StructuredBuffer<Particle> particles : register(t0);
StructuredBuffer<uint> aliveList : register(t1);
Texture2D<float4> sprite : register(t2);
Texture2D<float> sceneDepth : register(t3);
SamplerState smp : register(s0);
cbuffer Camera : register(b0) { float4x4 view; float4x4 projection; float2 nearFar; float softness; float size; };
struct Out { float4 position : SV_Position; float2 uv : TEXCOORD0; float4 color : COLOR0; noperspective float depth : DEPTH; };

Out VSMain(uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
  Particle p = particles[aliveList[instance]];
  float2 corner = float2(vertex & 1, vertex >> 1) * 2 - 1;
  float4 v = mul(view, float4(p.position, 1));
  v.xy += corner * size * (1 - p.age / p.life);
  Out o;
  o.position = mul(projection, v);
  o.uv = corner * 0.5 + 0.5;
  o.color = p.color;
  o.depth = -v.z;
  return o;
}
float linearDepth(float d) { return nearFar.x * nearFar.y / (nearFar.y - d * (nearFar.y - nearFar.x)); }
float4 PSMain(Out i) : SV_Target {
  float scene = linearDepth(sceneDepth.Load(int3(i.position.xy, 0)));
  float fade = saturate((scene - i.depth) / softness);
  float4 c = sprite.Sample(smp, i.uv) * i.color;
  c.a *= fade;
  if (c.a < 1.0 / 255) discard;
  return c;
}
