// RUN: -T cs_6_0 -E Local
// RUN: -T cs_6_0 -E Global
RWStructuredBuffer<uint2> keys : register(u0);
cbuffer Stage : register(b0) { uint height; uint flip; }
#define ITEMS 512
groupshared uint2 cache[ITEMS];
void compareAndSwap(uint a, uint b) {
  if (cache[a].x > cache[b].x) {
    uint2 t = cache[a];
    cache[a] = cache[b];
    cache[b] = t;
  }
}
void flipStep(uint t, uint h) {
  GroupMemoryBarrierWithGroupSync();
  uint half_ = h >> 1;
  uint q = t / half_ * h;
  compareAndSwap(q + t % half_, q + h - 1 - t % half_);
}
void disperse(uint t, uint h) {
  do {
    GroupMemoryBarrierWithGroupSync();
    uint half_ = h >> 1;
    uint q = t / half_ * h;
    compareAndSwap(q + t % half_, q + half_ + t % half_);
    h >>= 1;
  } while (h > 1);
}
[numthreads(ITEMS / 2, 1, 1)]
void Local(uint t : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint base = g.x * ITEMS;
  cache[2 * t] = keys[base + 2 * t];
  cache[2 * t + 1] = keys[base + 2 * t + 1];
  for (uint h = 2; h <= ITEMS; h <<= 1) {
    flipStep(t, h);
    if (h > 2) disperse(t, h >> 1);
  }
  GroupMemoryBarrierWithGroupSync();
  keys[base + 2 * t] = cache[2 * t];
  keys[base + 2 * t + 1] = cache[2 * t + 1];
}
[numthreads(256, 1, 1)]
void Global(uint t : SV_DispatchThreadID) {
  uint half_ = height >> 1;
  uint q = t / half_ * height;
  uint a = q + t % half_;
  uint b = flip != 0 ? q + height - 1 - t % half_ : q + half_ + t % half_;
  if (keys[a].x > keys[b].x) {
    uint2 swap = keys[a];
    keys[a] = keys[b];
    keys[b] = swap;
  }
}
