// RUN: -T cs_6_0 -E CSMain
// RUN: -T cs_6_0 -E CSMain -fspv-target-env=vulkan1.1
#include "../include/scene.hlsli"

StructuredBuffer<Light> lights : register(t0);
Texture2D<float> depthTarget : register(t1);
RWByteAddressBuffer tileLights : register(u0);

#define TILE 16
#define MAX_PER_TILE 32

groupshared uint minDepth;
groupshared uint maxDepth;
groupshared uint visibleCount;
groupshared uint visible[MAX_PER_TILE];

float4 tilePlane(float2 a, float2 b) {
  float3 n = normalize(cross(float3(a, 1), float3(b, 1)));
  return float4(n, 0);
}

[numthreads(TILE, TILE, 1)]
void CSMain(uint3 group : SV_GroupID, uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex) {
  if (index == 0) {
    minDepth = 0x7f7fffff;
    maxDepth = 0;
    visibleCount = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  float depth = depthTarget[id.xy];
  InterlockedMin(minDepth, asuint(depth));
  InterlockedMax(maxDepth, asuint(depth));
  GroupMemoryBarrierWithGroupSync();
  float near = asfloat(minDepth);
  float far = asfloat(maxDepth);
  float2 corner = (float2)group.xy * TILE / viewport * 2 - 1;
  float2 size = TILE * 2.0 / viewport;
  float4 planes[4] = {
    tilePlane(corner, corner + float2(0, size.y)),
    tilePlane(corner + size, corner + float2(size.x, 0)),
    tilePlane(corner + float2(size.x, 0), corner),
    tilePlane(corner + float2(0, size.y), corner + size),
  };
  for (uint i = index; i < lightCount; i += TILE * TILE) {
    float4 center = mul(viewProjection, float4(lights[i].position, 1));
    bool inside = center.z + lights[i].range > near && center.z - lights[i].range < far;
    for (uint k = 0; k < 4 && inside; k++) {
      inside = dot(planes[k].xyz, center.xyz) > -lights[i].range;
    }
    if (inside) {
      uint slot;
      InterlockedAdd(visibleCount, 1u, slot);
      if (slot < MAX_PER_TILE)
        visible[slot] = i;
    }
  }
  GroupMemoryBarrierWithGroupSync();
  uint tilesX = ((uint)viewport.x + TILE - 1) / TILE;
  uint at = (group.y * tilesX + group.x) * 4 * (MAX_PER_TILE + 1);
  uint count = min(visibleCount, (uint)MAX_PER_TILE);
  if (index == 0)
    tileLights.Store(at, count);
  if (index < count)
    tileLights.Store(at + 4 + index * 4, visible[index]);
}
