// RUN: -T cs_6_0 -E Rows
// RUN: -T cs_6_0 -E Columns
// RUN: -T cs_6_0 -E Rows -D INVERSE
#define SIZE 256
#define LOG_SIZE 8
RWTexture2D<float2> spectrum : register(u0);
groupshared float2 pingPong[2][SIZE];
float2 complexMul(float2 a, float2 b) { return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 twiddle(uint k, uint n) {
  float angle = 6.28318530718 * k / n;
#ifndef INVERSE
  angle = -angle;
#endif
  return float2(cos(angle), sin(angle));
}
float2 transform(float2 value, uint t) {
  pingPong[0][reversebits(t) >> (32 - LOG_SIZE)] = value;
  GroupMemoryBarrierWithGroupSync();
  uint from = 0;
  for (uint s = 1; s <= LOG_SIZE; ++s) {
    uint m = 1u << s, half_ = m >> 1;
    uint j = t & (m - 1);
    uint base = t - j;
    float2 a = pingPong[from][base + (j & (half_ - 1))];
    float2 b = complexMul(twiddle(j & (half_ - 1), m), pingPong[from][base + (j & (half_ - 1)) + half_]);
    pingPong[1 - from][t] = j < half_ ? a + b : a - b;
    from = 1 - from;
    GroupMemoryBarrierWithGroupSync();
  }
#ifdef INVERSE
  return pingPong[from][t] / SIZE;
#else
  return pingPong[from][t];
#endif
}
[numthreads(SIZE, 1, 1)] void Rows(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex) { spectrum[uint2(t, id.y)] = transform(spectrum[uint2(t, id.y)], t); }
[numthreads(SIZE, 1, 1)] void Columns(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex) { spectrum[uint2(id.y, t)] = transform(spectrum[uint2(id.y, t)], t); }
