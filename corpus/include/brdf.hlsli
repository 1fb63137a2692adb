#pragma once
#include "common.hlsli"

struct Material {
  float3 albedo;
  float roughness;
  float3 f0;
  float metalness;
};

float distributionGGX(float nh, float roughness) {
  float a2 = SQUARE(SQUARE(roughness));
  float d = SQUARE(nh) * (a2 - 1.0f) + 1.0f;
  return a2 / (PI * SQUARE(d));
}

float visibilitySmith(float nv, float nl, float roughness) {
  float k = SQUARE(roughness + 1.0f) / 8.0f;
  float gv = nv / (nv * (1.0f - k) + k);
  float gl = nl / (nl * (1.0f - k) + k);
  return gv * gl;
}

float3 fresnelSchlick(float vh, float3 f0) {
  return f0 + (1.0f - f0) * pow(1.0f - vh, 5.0f);
}

float3 evaluateBrdf(Material m, float3 n, float3 v, float3 l) {
  float3 h = normalize(v + l);
  float nl = saturate(dot(n, l));
  float nv = max(dot(n, v), 1e-4f);
  float nh = saturate(dot(n, h));
  float vh = saturate(dot(v, h));
  float3 f = fresnelSchlick(vh, m.f0);
  float3 specular = f * (distributionGGX(nh, m.roughness) * visibilitySmith(nv, nl, m.roughness) / (4.0f * nv * max(nl, 1e-4f)));
  float3 diffuse = (1.0f - f) * (1.0f - m.metalness) * m.albedo * INV_PI;
  return (diffuse + specular) * nl;
}
