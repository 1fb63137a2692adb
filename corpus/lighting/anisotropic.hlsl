// RUN: -T ps_6_0 -E main
// RUN: -T ps_6_2 -E main -enable-16bit-types
#include "../include/common.hlsli"

cbuffer Hair : register(b0) {
  half4 baseColor;
  half2 shifts;
  min16float widthScale;
  float exponents[3];
};
Texture2D<float4> strandMap;
SamplerState strandSampler;

half strandSpecular(half3 t, half3 v, half3 l, half exponent) {
  half3 h = normalize(l + v);
  half dotTH = dot(t, h);
  half sinTH = sqrt(half(1.0) - dotTH * dotTH);
  half fade = smoothstep(half(-1.0), half(0.0), dotTH);
  return fade * pow(sinTH, exponent);
}

float4 main(float3 tangent : TANGENT, float3 normal : NORMAL, float3 view : VIEW, float3 light : LIGHT, float2 uv : TEXCOORD) : SV_Target {
  half4 strand = (half4)strandMap.Sample(strandSampler, uv);
  half3 n = (half3)normalize(normal);
  half3 t1 = normalize((half3)tangent + (shifts.x + strand.r) * n);
  half3 t2 = normalize((half3)tangent + (shifts.y + strand.g) * n);
  half3 v = (half3)normalize(view);
  half3 l = (half3)normalize(light);
  half spec = strandSpecular(t1, v, l, (half)exponents[0]) + strandSpecular(t2, v, l, (half)exponents[1]) * strand.b;
  min16float wrapped = saturate(lerp(0.25, 1.0, dot(normal, light))) * widthScale;
  return float4(baseColor.rgb * wrapped + spec, baseColor.a * strand.a);
}
