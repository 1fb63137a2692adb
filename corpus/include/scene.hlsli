#pragma once

struct Light {
  float3 position;
  float range;
  float3 color;
  uint type;
  float3 direction;
  float cosOuter;
};

cbuffer Scene : register(b0) {
  row_major float4x4 viewProjection;
  float4x4 inverseViewProjection;
  float3 cameraPosition;
  float time;
  float2 viewport;
  uint lightCount;
  float exposure;
};

#define LIGHT_POINT 0u
#define LIGHT_SPOT 1u
#define LIGHT_DIRECTIONAL 2u

float attenuate(Light light, float3 toLight) {
  float d2 = dot(toLight, toLight);
  float f = d2 / (light.range * light.range);
  float fade = saturate(1.0f - f * f);
  return fade * fade / max(d2, 0.01f);
}
