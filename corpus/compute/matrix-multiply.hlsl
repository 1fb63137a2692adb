// RUN: -T cs_6_0 -E main
#define TILE 16
Buffer<float> a : register(t0);
Buffer<float> b : register(t1);
RWBuffer<float> c : register(u0);
cbuffer Shape : register(b0) { uint m, n, k; }
groupshared float tileA[TILE][TILE];
groupshared float tileB[TILE][TILE + 1];
[numthreads(TILE, TILE, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 t : SV_GroupThreadID) {
  float sum = 0;
  for (uint base = 0; base < k; base += TILE) {
    tileA[t.y][t.x] = id.y < m && base + t.x < k ? a[id.y * k + base + t.x] : 0;
    tileB[t.y][t.x] = base + t.y < k && id.x < n ? b[(base + t.y) * n + id.x] : 0;
    GroupMemoryBarrierWithGroupSync();
    [unroll(4)]
    for (uint i = 0; i < TILE; ++i) sum = mad(tileA[t.y][i], tileB[i][t.x], sum);
    GroupMemoryBarrierWithGroupSync();
  }
  if (id.y < m && id.x < n) c[id.y * n + id.x] = sum;
}
