// RUN: -T cs_6_0 -E main
Texture2D<float4> source : register(t0);
RWStructuredBuffer<uint2> blocks : register(u0);
cbuffer Size : register(b0) { uint blocksX; }
uint to565(float3 c) {
  uint3 q = (uint3)round(saturate(c) * float3(31, 63, 31));
  return q.r << 11 | q.g << 5 | q.b;
}
float3 from565(uint v) { return float3(v >> 11 & 31, v >> 5 & 63, v & 31) / float3(31, 63, 31); }
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float3 texels[16];
  float3 low = 1, high = 0;
  for (uint i = 0; i < 16; i++) {
    texels[i] = source[id * 4 + uint2(i & 3, i >> 2)].rgb;
    low = min(low, texels[i]);
    high = max(high, texels[i]);
  }
  float3 inset = (high - low) / 16;
  uint c0 = to565(high - inset), c1 = to565(low + inset);
  if (c0 < c1) { uint t = c0; c0 = c1; c1 = t; }
  float3 palette[4];
  palette[0] = from565(c0);
  palette[1] = from565(c1);
  palette[2] = (2 * palette[0] + palette[1]) / 3;
  palette[3] = (palette[0] + 2 * palette[1]) / 3;
  uint indices = 0;
  for (int k = 15; k >= 0; --k) {
    float best = 1e9;
    uint index = 0;
    for (uint c = 0; c < 4; c++) {
      float3 d = texels[k] - palette[c];
      float e = dot(d, d);
      if (e < best) { best = e; index = c; }
    }
    indices = indices << 2 | index;
  }
  blocks[id.y * blocksX + id.x] = uint2(c0 | c1 << 16, indices);
}
