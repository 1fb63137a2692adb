// RUN: -T vs_6_0 -E VSMain
// RUN: -T ps_6_0 -E PSMain
// RUN: -T ps_6_0 -E PSMain -Zpr
#include "../include/scene.hlsli"
#include "../include/common.hlsli"

struct Instance {
  float4x4 world;
  uint materialId;
  float3 tint;
};
StructuredBuffer<Instance> instances : register(t0);
Texture2DArray<float4> albedoMaps : register(t1);
SamplerState anisotropic : register(s0);

struct Varyings {
  float4 position : SV_Position;
  float3 normal : NORMAL;
  float2 uv : TEXCOORD0;
  nointerpolation uint material : MATERIAL;
  float3 tint : COLOR0;
};

Varyings VSMain(float3 position : POSITION, float3 normal : NORMAL, float2 uv : TEXCOORD0, uint id : SV_InstanceID) {
  Instance instance = instances[id];
  Varyings o;
  o.position = mul(viewProjection, mul(instance.world, float4(position, 1)));
  o.normal = mul((float3x3)instance.world, normal);
  o.uv = uv;
  o.material = instance.materialId;
  o.tint = instance.tint;
  return o;
}

struct GBuffer {
  float4 albedo : SV_Target0;
  float2 normal : SV_Target1;
  uint2 ids : SV_Target2;
};

GBuffer PSMain(Varyings i, uint primitive : SV_PrimitiveID) {
  GBuffer g;
  g.albedo = albedoMaps.Sample(anisotropic, float3(i.uv, i.material)) * float4(i.tint, 1);
  g.normal = encodeNormal(normalize(i.normal));
  g.ids = uint2(i.material, primitive);
  return g;
}
