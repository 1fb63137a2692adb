#ifndef RADIUS
#define RADIUS 1
#endif

Texture2D<float4> source : register(t0);
RWTexture2D<float4> target : register(u0);

[numthreads(16, 16, 1)]
void main(uint2 at : SV_DispatchThreadID) {
  float4 sum = 0;
  for (int y = -RADIUS; y <= RADIUS; y++)
    for (int x = -RADIUS; x <= RADIUS; x++) sum += source[int2(at) + int2(x, y)];
  sum /= (2 * RADIUS + 1) * (2 * RADIUS + 1);
#ifdef GREY
  sum.rgb = dot(sum.rgb, float3(0.2, 0.7, 0.1));
#endif
  target[at] = sum;
}
