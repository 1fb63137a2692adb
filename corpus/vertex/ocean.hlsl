// RUN: -T vs_6_0 -E VSMain
// RUN: -T ps_6_0 -E PSMain
struct Wave { float2 direction; float steepness, wavelength; };
cbuffer Ocean : register(b0) { float4x4 viewProjection; Wave waves[4]; float time; float3 camera; float4 deepColor, shallowColor; }
TextureCube sky : register(t0);
SamplerState smp : register(s0);
struct Interpolants { float4 position : SV_Position; centroid float3 world : WORLD; float3 normal : NORMAL; };
float3 gerstner(Wave w, float3 p, inout float3 tangent, inout float3 binormal) {
  float k = 6.2831853 / w.wavelength;
  float c = sqrt(9.8 / k);
  float2 d = normalize(w.direction);
  float f = k * (dot(d, p.xz) - c * time), a = w.steepness / k;
  float s, co;
  sincos(f, s, co);
  tangent += float3(-d.x * d.x * w.steepness * s, d.x * w.steepness * co, -d.x * d.y * w.steepness * s);
  binormal += float3(-d.x * d.y * w.steepness * s, d.y * w.steepness * co, -d.y * d.y * w.steepness * s);
  return float3(d.x * a * co, a * s, d.y * a * co);
}
Interpolants VSMain(float3 grid : POSITION) {
  float3 tangent = float3(1, 0, 0), binormal = float3(0, 0, 1), p = grid;
  for (int i = 0; i < 4; ++i) p += gerstner(waves[i], grid, tangent, binormal);
  Interpolants o;
  o.world = p;
  o.normal = normalize(cross(binormal, tangent));
  o.position = mul(viewProjection, float4(p, 1));
  return o;
}
float4 PSMain(Interpolants i, bool front : SV_IsFrontFace) : SV_Target {
  float3 n = normalize(front ? i.normal : -i.normal), v = normalize(camera - i.world);
  float fresnel = 0.02 + 0.98 * pow(1 - saturate(dot(n, v)), 5);
  float3 r = reflect(-v, n);
  r.y = abs(r.y);
  float4 body = lerp(deepColor, shallowColor, saturate(i.world.y * 0.5 + 0.5));
  return lerp(body, sky.Sample(smp, r), fresnel);
}
