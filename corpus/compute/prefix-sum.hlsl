// RUN: -T cs_6_0 -E ScanBlocks
// RUN: -T cs_6_0 -E AddOffsets
// RUN: -T cs_6_0 -E ScanWave
RWStructuredBuffer<uint> data : register(u0);
RWStructuredBuffer<uint> sums : register(u1);
#define N 256
groupshared uint shared_[N];
cbuffer Count : register(b0) { uint total; }

uint exclusiveScan(uint value, uint t) {
  shared_[t] = value;
  GroupMemoryBarrierWithGroupSync();
  uint offset = 1;
  for (uint d = N >> 1; d > 0; d >>= 1) {
    if (t < d) shared_[offset * (2 * t + 2) - 1] += shared_[offset * (2 * t + 1) - 1];
    offset *= 2;
    GroupMemoryBarrierWithGroupSync();
  }
  if (t == 0) shared_[N - 1] = 0;
  for (uint k = 1; k < N; k *= 2) {
    offset >>= 1;
    GroupMemoryBarrierWithGroupSync();
    if (t < k) {
      uint a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      uint swap = shared_[a];
      shared_[a] = shared_[b];
      shared_[b] += swap;
    }
  }
  GroupMemoryBarrierWithGroupSync();
  return shared_[t];
}

[numthreads(N, 1, 1)]
void ScanBlocks(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex, uint3 group : SV_GroupID) {
  uint value = id.x < total ? data[id.x] : 0;
  uint scanned = exclusiveScan(value, t);
  if (id.x < total) data[id.x] = scanned;
  if (t == N - 1) sums[group.x] = scanned + value;
}
[numthreads(N, 1, 1)]
void AddOffsets(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID) {
  if (id.x < total) data[id.x] += sums[group.x];
}
[numthreads(64, 1, 1)]
void ScanWave(uint id : SV_DispatchThreadID) {
  uint v = data[id];
  uint before = WavePrefixSum(v);
  uint all_ = WaveActiveSum(v);
  if (WaveIsFirstLane()) sums[id / WaveGetLaneCount()] = all_;
  data[id] = before;
}
