// RUN: -T cs_6_0 -E main
struct Boid { float2 position; float2 velocity; };
StructuredBuffer<Boid> previous : register(t0);
RWStructuredBuffer<Boid> next : register(u0);
cbuffer Rules : register(b0) { float3 distances; float3 weights; float deltaTime; uint count; }
groupshared Boid tile[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint local : SV_GroupIndex) {
  Boid me = previous[min(id, count - 1)];
  float2 center = 0, away = 0, heading = 0;
  uint near = 0, aligned = 0;
  for (uint base = 0; base < count; base += 64) {
    tile[local] = previous[min(base + local, count - 1)];
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < 64; i++) {
      if (base + i >= count || base + i == id) continue;
      float2 d = tile[i].position - me.position;
      float l = length(d);
      if (l < distances.x) { center += tile[i].position; near++; }
      if (l < distances.y) away -= d;
      if (l < distances.z) { heading += tile[i].velocity; aligned++; }
    }
    GroupMemoryBarrierWithGroupSync();
  }
  float2 v = me.velocity;
  if (near > 0) v += (center / near - me.position) * weights.x;
  v += away * weights.y;
  if (aligned > 0) v += heading / aligned * weights.z;
  v = normalize(v) * clamp(length(v), 0, 0.1);
  me.position = frac(me.position * 0.5 + 0.5 + v * deltaTime) * 2 - 1;
  me.velocity = v;
  if (id < count) next[id] = me;
}
