// RUN: -T ps_6_0 -E PSMain
// RUN: -T ps_6_0 -E PSMain -D USE_PHONG
#include "../include/scene.hlsli"
#include "../include/brdf.hlsli"

Texture2D<float4> albedoTarget : register(t0);
Texture2D<float2> normalTarget : register(t1);
Texture2D<float> depthTarget : register(t2);
ByteAddressBuffer tileLights : register(t3);
StructuredBuffer<Light> lights : register(t4);

static const uint TILE = 16;

float3 reconstruct(uint2 pixel, float depth) {
  float2 ndc = (float2(pixel) + 0.5) / viewport * float2(2, -2) + float2(-1, 1);
  float4 h = mul(inverseViewProjection, float4(ndc, depth, 1));
  return h.xyz / h.w;
}

#ifdef USE_PHONG
float3 surfaceModel(Material m, float3 n, float3 v, float3 l) {
  float3 r = reflect(-l, n);
  float shininess = 2.0 / max(m.roughness * m.roughness, 0.001) - 2.0;
  return (m.albedo * INV_PI + m.f0 * pow(saturate(dot(r, v)), shininess)) * saturate(dot(n, l));
}
#else
#define surfaceModel evaluateBrdf
#endif

float4 PSMain(float4 position : SV_Position) : SV_Target {
  uint2 pixel = uint2(position.xy);
  float depth = depthTarget.Load(int3(pixel, 0));
  if (depth >= 1.0)
    discard;
  float4 albedo = albedoTarget[pixel];
  float3 n = decodeNormal(normalTarget[pixel]);
  float3 p = reconstruct(pixel, depth);
  Material m = { albedo.rgb, albedo.a, 0.04.xxx, 0.0 };
  uint tilesX = ((uint)viewport.x + TILE - 1) / TILE;
  uint2 tile = pixel / TILE;
  uint at = (tile.y * tilesX + tile.x) * 4u * 33u;
  uint count = min(tileLights.Load(at), 32u);
  float3 sum = 0;
  [loop]
  for (uint i = 0; i < count; i++) {
    uint index = tileLights.Load(at + 4 + i * 4);
    Light light = lights[index];
    float3 toLight = light.position - p;
    [branch]
    if (dot(toLight, toLight) > light.range * light.range)
      continue;
    sum += surfaceModel(m, n, normalize(cameraPosition - p), normalize(toLight)) * light.color * attenuate(light, toLight);
  }
  return float4(sum, 1);
}
