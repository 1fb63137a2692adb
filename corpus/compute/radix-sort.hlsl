// RUN: -T cs_6_0 -E Count
// RUN: -T cs_6_0 -E Scatter
StructuredBuffer<uint> input : register(t0);
RWStructuredBuffer<uint> output : register(u0);
RWStructuredBuffer<uint> counts : register(u1);
cbuffer Pass : register(b0) { uint shift; uint itemCount; uint groupCount; }
static const uint RADIX = 16, THREADS = 128;
groupshared uint bucket[16];
groupshared uint flags_[128];

[numthreads(THREADS, 1, 1)]
void Count(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex, uint3 g : SV_GroupID) {
  if (t < RADIX) bucket[t] = 0;
  GroupMemoryBarrierWithGroupSync();
  if (id.x < itemCount) InterlockedAdd(bucket[(input[id.x] >> shift) & 15], 1);
  GroupMemoryBarrierWithGroupSync();
  if (t < RADIX) counts[t * groupCount + g.x] = bucket[t];
}
[numthreads(THREADS, 1, 1)]
void Scatter(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint key = id.x < itemCount ? input[id.x] : 0xffffffffu;
  uint digit = (key >> shift) & 15;
  flags_[t] = digit;
  GroupMemoryBarrierWithGroupSync();
  uint rank = 0;
  for (uint i = 0; i < t; ++i) rank += flags_[i] == digit ? 1 : 0;
  if (id.x < itemCount) output[counts[digit * groupCount + g.x] + rank] = key;
}
