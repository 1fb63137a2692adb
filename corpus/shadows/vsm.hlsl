// RUN: -T ps_6_0 -E Resolve
// RUN: -T cs_6_0 -E BlurX
// RUN: -T cs_6_0 -E BlurY
Texture2D<float2> moments;
SamplerState trilinear;
RWTexture2D<float2> blurred;

float chebyshev(float2 m, float mean) {
  if (mean <= m.x) return 1.0;
  float variance = max(m.y - m.x * m.x, 0.00002);
  float d = mean - m.x;
  float p = variance / (variance + d * d);
  return smoothstep(0.2, 1.0, p);
}

float4 Resolve(float3 p : TEXCOORD0) : SV_Target { return chebyshev(moments.Sample(trilinear, p.xy), p.z); }

#define RADIUS 4
#define GROUP 64
groupshared float2 row[GROUP + 2 * RADIUS];
static const float weights[RADIUS + 1] = { 0.2270270, 0.1945946, 0.1216216, 0.0540540, 0.0162162 };

void blur(int2 pixel, int2 step, int thread) {
  row[thread + RADIUS] = moments[pixel];
  if (thread < RADIUS) {
    row[thread] = moments[max(pixel - step * RADIUS, 0)];
    row[thread + GROUP + RADIUS] = moments[pixel + step * GROUP];
  }
  GroupMemoryBarrierWithGroupSync();
  float2 sum = row[thread + RADIUS] * weights[0];
  [unroll] for (int i = 1; i <= RADIUS; ++i)
    sum += (row[thread + RADIUS - i] + row[thread + RADIUS + i]) * weights[i];
  blurred[pixel] = sum;
}

[numthreads(GROUP, 1, 1)] void BlurX(int3 id : SV_DispatchThreadID, int3 t : SV_GroupThreadID) { blur(id.xy, int2(1, 0), t.x); }
[numthreads(1, GROUP, 1)] void BlurY(int3 id : SV_DispatchThreadID, int3 t : SV_GroupThreadID) { blur(id.xy, int2(0, 1), t.y); }
