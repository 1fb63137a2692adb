// RUN: -T cs_6_0 -E main
// RUN: -T cs_6_0 -E main -D RADIUS=5
#ifndef RADIUS
#define RADIUS 3
#endif
Texture2D<float4> source : register(t0);
[[vk::image_format("rgba8")]] RWTexture2D<float4> target : register(u0);
cbuffer Sigma : register(b0) { float spatial; float range; }
[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID) {
  float4 center = source[id], sum = 0;
  float total = 0;
  [loop] for (int y = -RADIUS; y <= RADIUS; y++) {
    [loop] for (int x = -RADIUS; x <= RADIUS; x++) {
      float4 c = source[id + int2(x, y)];
      float3 d = c.rgb - center.rgb;
      float w = exp(-(x * x + y * y) / (2 * spatial * spatial) - dot(d, d) / (2 * range * range));
      sum += c * w;
      total += w;
    }
  }
  target[id] = sum / total;
}
