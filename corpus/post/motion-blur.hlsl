// RUN: -T ps_6_0 -E main
// RUN: -T ps_6_0 -E main -HV 2018
Texture2D<float4> scene : register(t0);
Texture2D<float2> velocity : register(t1);
SamplerState s : register(s0);
cbuffer B : register(b0) { int taps; float shutter; float2 padding; }
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target {
  float2 v = velocity.Sample(s, uv) * shutter;
  float4 sum = 0;
  for (int i = 0; i < taps; i++)
    sum += scene.SampleLevel(s, uv + v * ((float)i / (taps - 1) - 0.5), 0);
  float4 still = scene.SampleLevel(s, uv, 0);
  return dot(v, v) > 1e-8 && taps > 1 ? sum / taps : still;
}
