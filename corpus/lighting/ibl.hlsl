// RUN: -T ps_6_0 -E PSMain
// RUN: -T cs_6_0 -E Prefilter
// RUN: -T cs_6_0 -E Brdf
#include "../include/brdf.hlsli"

TextureCube<float4> environment : register(t0);
Texture2D<float2> brdfTable : register(t1);
SamplerState linearClamp : register(s0);
RWTexture2DArray<float4> prefiltered : register(u0);
RWTexture2D<float2> brdfOutput : register(u1);

cbuffer Filter : register(b0) {
  float roughness;
  uint sampleCount;
  uint faceSize;
};

float radicalInverse(uint bits) {
  return (float)reversebits(bits) * 2.3283064365386963e-10;
}

float3 importanceGGX(float2 xi, float a, float3 n) {
  float phi = 2 * PI * xi.x;
  float cosTheta = sqrt((1 - xi.y) / (1 + (a * a - 1) * xi.y));
  float sinTheta = sqrt(1 - cosTheta * cosTheta);
  float s, c;
  sincos(phi, s, c);
  float3 h = float3(sinTheta * c, sinTheta * s, cosTheta);
  float3 up = abs(n.z) < 0.999 ? float3(0, 0, 1) : float3(1, 0, 0);
  float3 t = normalize(cross(up, n));
  return t * h.x + cross(n, t) * h.y + n * h.z;
}

float3 faceDirection(uint face, float2 uv) {
  float2 p = uv * 2 - 1;
  switch (face) {
    case 0: return float3(1, -p.y, -p.x);
    case 1: return float3(-1, -p.y, p.x);
    case 2: return float3(p.x, 1, p.y);
    case 3: return float3(p.x, -1, -p.y);
    case 4: return float3(p.x, -p.y, 1);
    default: return float3(-p.x, -p.y, -1);
  }
}

[numthreads(8, 8, 1)]
void Prefilter(uint3 id : SV_DispatchThreadID) {
  if (any(id.xy >= faceSize))
    return;
  float3 n = normalize(faceDirection(id.z, (id.xy + 0.5) / faceSize));
  float3 sum = 0;
  float weight = 0;
  for (uint i = 0; i < sampleCount; ++i) {
    float2 xi = float2((float)i / sampleCount, radicalInverse(i));
    float3 h = importanceGGX(xi, roughness * roughness, n);
    float3 l = 2 * dot(n, h) * h - n;
    float nl = dot(n, l);
    if (nl > 0) {
      sum += environment.SampleLevel(linearClamp, l, 0).rgb * nl;
      weight += nl;
    }
  }
  prefiltered[id] = float4(sum / max(weight, 1e-3), 1);
}

[numthreads(8, 8, 1)]
void Brdf(uint2 id : SV_DispatchThreadID) {
  float nv = (id.x + 0.5) / 256.0;
  float rough = (id.y + 0.5) / 256.0;
  float3 v = float3(sqrt(1 - nv * nv), 0, nv);
  float2 result = float2(0, 0);
  const uint samples = 64;
  for (uint i = 0; i < samples; ++i) {
    float3 h = importanceGGX(float2((float)i / samples, radicalInverse(i)), rough * rough, float3(0, 0, 1));
    float3 l = 2 * dot(v, h) * h - v;
    if (l.z > 0) {
      float vh = saturate(dot(v, h));
      float g = visibilitySmith(nv, l.z, rough) * vh / max(h.z * nv, 1e-4);
      float fc = pow(1 - vh, 5);
      result += float2((1 - fc) * g, fc * g);
    }
  }
  brdfOutput[id] = result / samples;
}

float4 PSMain(float3 normal : NORMAL, float3 view : VIEW, float4 params : PARAMS) : SV_Target {
  float3 n = normalize(normal), v = normalize(view);
  float3 r = reflect(-v, n);
  float2 ab = brdfTable.Sample(linearClamp, float2(dot(n, v), params.x));
  float3 specular = environment.SampleLevel(linearClamp, r, params.x * 6).rgb * (0.04 * ab.x + ab.y);
  float3 diffuse = environment.SampleBias(linearClamp, n, 5).rgb * params.yzw;
  return float4(diffuse + specular, 1);
}
