#include "common.hlsli"

Texture2D<float4> clouds : register(t0);
SamplerState linearClamp : register(s0);

float4 main(float3 view : NORMAL, float2 uv : TEXCOORD0) : SV_Target {
  float towards = saturate(dot(normalize(view), sun));
  float3 color = lerp(tint, clouds.Sample(linearClamp, uv).rgb, pow(towards, 4));
  return float4(expose(color) * key.power, 1);
}
