// RUN: -T ps_6_0 -E main
#include "../include/common.hlsli"
Texture2D<float> depthMap : register(t0);
SamplerState pointClamp : register(s0);
SamplerComparisonState compareLess : register(s1);
static const float2 poisson[12] = {
  float2(-0.326, -0.406), float2(-0.840, -0.074), float2(-0.696, 0.457), float2(-0.203, 0.621),
  float2(0.962, -0.195), float2(0.473, -0.480), float2(0.519, 0.767), float2(0.185, -0.893),
  float2(0.507, 0.064), float2(0.896, 0.412), float2(-0.322, -0.933), float2(-0.792, -0.598),
};
cbuffer Params : register(b0) { float lightSize; float near; float2 resolution; };

float2x2 rotation(float angle) {
  float s, c;
  sincos(angle, s, c);
  return float2x2(c, -s, s, c);
}

bool findBlocker(float2 uv, float receiver, float2x2 turn, out float average) {
  float sum = 0;
  int found = 0;
  float radius = lightSize * (receiver - near) / receiver;
  for (int i = 0; i < 12; ++i) {
    float d = depthMap.SampleLevel(pointClamp, uv + mul(poisson[i], turn) * radius, 0);
    if (d < receiver) {
      sum += d;
      ++found;
    }
  }
  average = found > 0 ? sum / found : 0;
  return found > 0;
}

float4 main(float4 position : SV_Position, float3 shadowPosition : TEXCOORD0) : SV_Target {
  uint seed = hash((uint)position.x + (uint)position.y * 4096u);
  float2x2 turn = rotation(randomUnit(seed) * 2 * PI);
  float blocker;
  if (!findBlocker(shadowPosition.xy, shadowPosition.z, turn, blocker))
    return 1;
  float penumbra = (shadowPosition.z - blocker) / blocker * lightSize * near / shadowPosition.z;
  float lit = 0;
  for (uint i = 0; i < 12; ++i)
    lit += depthMap.SampleCmpLevelZero(compareLess, shadowPosition.xy + mul(poisson[i], turn) * penumbra, shadowPosition.z);
  return lit / 12;
}
