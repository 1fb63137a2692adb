// RUN: -T ps_6_0 -E main
// RUN: -T ps_6_0 -E blur
#include "../include/common.hlsli"
Texture2D<float> depthMap : register(t0);
Texture2D<float4> normalMap : register(t1);
Texture2D<float> occlusionMap : register(t2);
SamplerState clampSampler : register(s0);
#define KERNEL 16
cbuffer Ssao : register(b0) {
  float4x4 projection;
  float4x4 inverseProjection;
  float3 kernel[KERNEL];
  float radius;
  float2 size;
};

float3 viewPosition(float2 uv) {
  float4 h = mul(inverseProjection, float4(uv * 2 - 1, depthMap.SampleLevel(clampSampler, uv, 0), 1));
  return h.xyz / h.w;
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
  float3 p = viewPosition(uv);
  float3 n = normalMap.Sample(clampSampler, uv).xyz * 2 - 1;
  uint state = hash((uint)position.x * 1973u + (uint)position.y * 9277u);
  float3 random = normalize(float3(randomUnit(state), randomUnit(state), 0) * 2 - 1);
  float3 t = normalize(random - n * dot(random, n));
  float3x3 basis = float3x3(t, cross(n, t), n);
  float occluded = 0;
  for (int i = 0; i < KERNEL; ++i) {
    float3 s = p + mul(kernel[i], basis) * radius;
    float4 h = mul(projection, float4(s, 1));
    float2 at = h.xy / h.w * 0.5 + 0.5;
    float z = viewPosition(at).z;
    float check = smoothstep(0, 1, radius / abs(p.z - z));
    occluded += (z >= s.z + 0.025 ? 1.0 : 0.0) * check;
  }
  return 1 - occluded / KERNEL;
}

float4 blur(float2 uv : TEXCOORD) : SV_Target {
  float sum = 0;
  for (int y = -2; y < 2; y++)
    for (int x = -2; x < 2; x++)
      sum += occlusionMap.Sample(clampSampler, uv + float2(x, y) / size);
  return float4((sum / 16).xxx, 1);
}
