// RUN: -T cs_6_0 -E Build
// RUN: -T cs_6_0 -E Reduce
#include "../include/common.hlsli"
Texture2D<float4> hdr : register(t0);
RWStructuredBuffer<uint> bins : register(u0);
RWStructuredBuffer<float> average : register(u1);
cbuffer Histogram : register(b0) { float minLog; float inverseRange; float adaption; uint pixelCount; };
#define BINS 256
groupshared uint local[BINS];

uint binOf(float l) {
  if (l < 0.0001) return 0;
  float t = saturate((log2(l) - minLog) * inverseRange);
  return (uint)(t * 254.0 + 1.0);
}

[numthreads(16, 16, 1)]
void Build(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex) {
  local[index] = 0;
  GroupMemoryBarrierWithGroupSync();
  uint2 size;
  hdr.GetDimensions(size.x, size.y);
  if (all(id.xy < size))
    InterlockedAdd(local[binOf(luminance(hdr[id.xy].rgb))], 1);
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(bins[index], local[index]);
}

[numthreads(BINS, 1, 1)]
void Reduce(uint index : SV_GroupIndex) {
  uint count = bins[index];
  local[index] = count * index;
  GroupMemoryBarrierWithGroupSync();
  bins[index] = 0;
  for (uint cutoff = BINS >> 1; cutoff > 0; cutoff >>= 1) {
    if (index < cutoff)
      local[index] += local[index + cutoff];
    GroupMemoryBarrierWithGroupSync();
  }
  if (index == 0) {
    float bin = local[0] / max((float)pixelCount - count, 1) - 1;
    float target = exp2(bin / 254.0 / inverseRange + minLog);
    average[0] += (target - average[0]) * adaption;
  }
}
