// RUN: -T vs_6_0 -E VSMain
// RUN: -T ps_6_0 -E PSMain
// RUN: -T ps_6_0 -E PSMain -D ALPHA_TEST=1
// RUN: -T ps_6_0 -E PSMain -fvk-use-dx-layout
#include "../include/scene.hlsli"
#include "../include/brdf.hlsli"

cbuffer Object : register(b1) {
  float4x4 world;
  float3x3 normalMatrix;
  float alphaCutoff;
};

DECLARE_TEXTURE(albedoMap, 0);
DECLARE_TEXTURE(normalMap, 1);
DECLARE_TEXTURE(surfaceMap, 2);
StructuredBuffer<Light> lights : register(t3);
SamplerState linearWrap : register(s0);

struct VSInput {
  float3 position : POSITION;
  float3 normal : NORMAL;
  float4 tangent : TANGENT;
  float2 uv : TEXCOORD0;
};

struct VSOutput {
  float4 position : SV_Position;
  float3 worldPosition : POSITION0;
  float3x3 frame : TANGENTFRAME;
  float2 uv : TEXCOORD0;
};

VSOutput VSMain(VSInput input) {
  VSOutput output;
  float4 worldPosition = mul(world, float4(input.position, 1.0f));
  output.position = mul(viewProjection, worldPosition);
  output.worldPosition = worldPosition.xyz;
  float3 n = normalize(mul(normalMatrix, input.normal));
  float3 t = normalize(mul((float3x3)world, input.tangent.xyz));
  output.frame = float3x3(t, cross(n, t) * input.tangent.w, n);
  output.uv = input.uv;
  return output;
}

float3 shadeLight(Light light, Material material, float3 position, float3 n, float3 v) {
  float3 toLight = light.type == LIGHT_DIRECTIONAL ? -light.direction : light.position - position;
  float attenuation = 1.0f;
  switch (light.type) {
    case LIGHT_SPOT: {
      float cone = dot(normalize(-toLight), light.direction);
      attenuation = smoothstep(light.cosOuter, 1.0f, cone);
    }
    case LIGHT_POINT:
      attenuation *= attenuate(light, toLight);
      break;
    default:
      break;
  }
  return evaluateBrdf(material, n, v, normalize(toLight)) * light.color * attenuation;
}

float4 PSMain(VSOutput input) : SV_Target0 {
  float4 albedo = SAMPLE(albedoMap, linearWrap, input.uv);
#if ALPHA_TEST
  clip(albedo.a - alphaCutoff);
#endif
  float3 tangentNormal = SAMPLE(normalMap, linearWrap, input.uv).xyz * 2.0f - 1.0f;
  float4 surface = SAMPLE(surfaceMap, linearWrap, input.uv);
  float3 n = normalize(mul(tangentNormal, input.frame));
  float3 v = normalize(cameraPosition - input.worldPosition);
  Material material;
  material.albedo = albedo.rgb;
  material.roughness = clamp(surface.g, 0.04f, 1.0f);
  material.metalness = surface.b;
  material.f0 = lerp(0.04f, albedo.rgb, material.metalness);
  float3 color = albedo.rgb * 0.03f * surface.r;
  for (uint i = 0; i < lightCount; ++i) {
    color += shadeLight(lights[i], material, input.worldPosition, n, v);
  }
  return float4(color * exposure, albedo.a);
}
