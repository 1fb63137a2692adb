// RUN: -T ps_6_0 -E PSMain -D OPERATOR=0
// RUN: -T ps_6_0 -E PSMain -D OPERATOR=1
// RUN: -T ps_6_0 -E PSMain -D OPERATOR=2
// RUN: -T vs_6_0 -E FullScreen
#include "../include/common.hlsli"
Texture2D<float4> hdr : register(t0);
Texture2D<float4> bloom : register(t1);
StructuredBuffer<float> averageLuminance : register(t2);
SamplerState linearClamp : register(s0);
cbuffer Tone : register(b0) { float key; float whitePoint; float bloomStrength; float gamma; };

void FullScreen(uint id : SV_VertexID, out float4 position : SV_Position, out float2 uv : TEXCOORD0) {
  uv = float2((id << 1) & 2, id & 2);
  position = float4(uv * float2(2, -2) + float2(-1, 1), 0, 1);
}

float3 reinhard(float3 c) {
  float l = luminance(c);
  return c * ((1 + l / (whitePoint * whitePoint)) / (1 + l));
}
float3 filmic(float3 x) {
  const float a = 2.51, b = 0.03, c = 2.43, d = 0.59, e = 0.14;
  return saturate((x * (a * x + b)) / (x * (c * x + d) + e));
}
float3 hable(float3 x) {
  return ((x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.50) + 0.06)) - 0.0666;
}
#if OPERATOR == 0
#define TONEMAP(c) reinhard(c)
#elif OPERATOR == 1
#define TONEMAP(c) filmic(c)
#else
#define TONEMAP(c) (hable(c) / hable(whitePoint.xxx))
#endif

float4 PSMain(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target {
  float3 color = hdr.Sample(linearClamp, uv).rgb;
  color = lerp(color, bloom.Sample(linearClamp, uv).rgb, bloomStrength);
  color *= key / max(averageLuminance[0], 0.001);
  color = TONEMAP(color);
  return float4(pow(color, 1 / gamma), 1);
}
