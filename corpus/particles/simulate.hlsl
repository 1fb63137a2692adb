// RUN: -T cs_6_0 -E Simulate
// RUN: -T cs_6_0 -E Emit
// RUN: -T cs_6_0 -E Simulate -fvk-use-scalar-layout
#include "../include/common.hlsli"
struct Particle { float3 position; float age; float3 velocity; float life; float4 color; uint flags; };
AppendStructuredBuffer<uint> alive : register(u0);
ConsumeStructuredBuffer<uint> dead : register(u1);
RWStructuredBuffer<Particle> particles : register(u2);
RWByteAddressBuffer counters : register(u3);
Texture3D<float4> flow : register(t0);
SamplerState wrap : register(s0);
cbuffer Simulation : register(b0) {
  float3 gravity; float deltaTime;
  float4 emitter; uint emitCount; uint frame; float2 lifeRange;
  float4 planes[3];
}
#define FLAG_ALIVE (1u << 0)
#define FLAG_BOUNCED (1u << 1)

bool collide(inout Particle p, float4 plane) {
  float d = dot(plane.xyz, p.position) - plane.w;
  if (d >= 0) return false;
  p.position -= plane.xyz * d;
  p.velocity = reflect(p.velocity, plane.xyz) * 0.6;
  return true;
}

[numthreads(64, 1, 1)]
void Simulate(uint3 id : SV_DispatchThreadID) {
  Particle p = particles[id.x];
  if ((p.flags & FLAG_ALIVE) == 0) return;
  p.age += deltaTime;
  if (p.age > p.life) {
    p.flags &= ~FLAG_ALIVE;
    particles[id.x] = p;
    counters.InterlockedAdd(4, 1);
    return;
  }
  p.velocity += (gravity + flow.SampleLevel(wrap, p.position * 0.1, 0).xyz) * deltaTime;
  p.position += p.velocity * deltaTime;
  [unroll] for (uint i = 0; i < 3; i++)
    if (collide(p, planes[i])) p.flags |= FLAG_BOUNCED;
  p.color.a = 1 - p.age / p.life;
  particles[id.x] = p;
  alive.Append(id.x);
}

[numthreads(64, 1, 1)]
void Emit(uint3 id : SV_DispatchThreadID) {
  if (id.x >= emitCount) return;
  uint slot = dead.Consume();
  uint state = hash(id.x ^ frame * 747796405u);
  float z = randomUnit(state) * 2 - 1;
  float angle = randomUnit(state) * 2 * PI;
  float3 direction = float3(sqrt(1 - z * z) * float2(cos(angle), sin(angle)), z);
  Particle p = (Particle)0;
  p.position = emitter.xyz;
  p.velocity = direction * emitter.w;
  p.life = lerp(lifeRange.x, lifeRange.y, randomUnit(state));
  p.color = float4(1, 0.7, 0.2, 1);
  p.flags = FLAG_ALIVE;
  particles[slot] = p;
}
