// RUN: -T ps_6_0 -E main
// RUN: -T ps_6_0 -E main -D TAPS=5
#ifndef TAPS
#define TAPS 3
#endif
#define HALF_TAPS (TAPS / 2)

Texture2DArray<float> shadowMap : register(t4);
SamplerComparisonState shadowSampler : register(s4);

cbuffer Shadow : register(b2) {
  float4x4 cascades[4];
  float4 splits;
  float2 texel;
  float bias;
};

uint selectCascade(float depth) {
  uint index = 3;
  [unroll]
  for (int i = 3; i >= 0; --i)
    index = depth < splits[i] ? i : index;
  return index;
}

float shadow(float3 worldPosition, float depth, out uint cascade) {
  cascade = selectCascade(depth);
  float4 p = mul(cascades[cascade], float4(worldPosition, 1));
  float3 uvz = p.xyz / p.w;
  uvz.xy = uvz.xy * float2(0.5, -0.5) + 0.5;
  if (any(uvz.xy < 0) || any(uvz.xy > 1))
    return 1;
  float sum = 0;
  [unroll]
  for (int y = -HALF_TAPS; y <= HALF_TAPS; ++y) {
    [unroll]
    for (int x = -HALF_TAPS; x <= HALF_TAPS; ++x) {
      float2 uv = uvz.xy + float2(x, y) * texel;
      sum += shadowMap.SampleCmpLevelZero(shadowSampler, float3(uv, cascade), uvz.z - bias);
    }
  }
  return sum / (TAPS * TAPS);
}

float4 main(float3 worldPosition : POSITION0, float depth : DEPTH) : SV_Target {
  static const float4 debugColors[4] = { float4(1, 0, 0, 1), float4(0, 1, 0, 1), float4(0, 0, 1, 1), float4(1, 1, 0, 1) };
  uint cascade;
  float lit = shadow(worldPosition, depth, cascade);
  return debugColors[cascade] * lit;
}
