// RUN: -T ps_6_0 -E main
// RUN: -T ps_6_0 -E main -HV 2018
cbuffer View : register(b0) { float3 eye; float time; float2 resolution; float2 mouse; };
struct Hit { float distance; int material; float3 position; };
float sphere(float3 p, float r) { return length(p) - r; }
float box(float3 p, float3 b) { float3 q = abs(p) - b; return length(max(q, 0)) + min(max(q.x, max(q.y, q.z)), 0); }
float torus(float3 p, float2 t) { return length(float2(length(p.xz) - t.x, p.y)) - t.y; }
float smoothUnion(float a, float b, float k) { float h = saturate(0.5 + 0.5 * (b - a) / k); return lerp(b, a, h) - k * h * (1 - h); }
float2 nearest(float2 a, float2 b) { return a.x < b.x ? a : b; }
float2 scene(float3 p) {
  float2 result = float2(p.y, 0);
  float3 q = p - float3(0, 1 + 0.2 * sin(time), 0);
  result = nearest(result, float2(smoothUnion(sphere(q, 0.6), box(q - float3(0.5, 0, 0), 0.4.xxx), 0.2), 1));
  return nearest(result, float2(torus(p - float3(-1.5, 0.4, 0), float2(0.7, 0.2)), 2));
}
float3 normalAt(float3 p) {
  const float2 e = float2(0.001, 0);
  return normalize(float3(scene(p + e.xyy).x - scene(p - e.xyy).x, scene(p + e.yxy).x - scene(p - e.yxy).x, scene(p + e.yyx).x - scene(p - e.yyx).x));
}
Hit march(float3 origin, float3 direction, float far) {
  Hit hit = { -1, -1, origin };
  float t = 0.01;
  for (int i = 0; i < 96; ++i) {
    float3 p = origin + direction * t;
    float2 d = scene(p);
    if (d.x < 0.001 * t) {
      hit.distance = t;
      hit.material = (int)d.y;
      hit.position = p;
      break;
    }
    t += d.x;
    if (t > far) break;
  }
  return hit;
}
float3 shade(Hit hit, float3 direction) {
  float3 n = normalAt(hit.position);
  float3 sun = normalize(float3(0.6, 0.7, -0.4));
  float lit = saturate(dot(n, sun));
  Hit blocked = march(hit.position + n * 0.01, sun, 8);
  if (blocked.material >= 0) lit *= 0.2;
  float3 albedo;
  switch (hit.material) {
    case 0: {
      float2 cell = floor(hit.position.xz);
      albedo = fmod(abs(cell.x + cell.y), 2) < 1 ? 0.3 : 0.6;
      break;
    }
    case 1: albedo = float3(0.8, 0.3, 0.2); break;
    default: albedo = float3(0.2, 0.4, 0.8);
  }
  return albedo * (lit + 0.1) + pow(saturate(1 + dot(n, direction)), 4) * 0.2;
}
float4 main(float4 pixel : SV_Position) : SV_Target {
  float2 p = (2 * pixel.xy - resolution) / resolution.y;
  float3 forward = normalize(-eye), right = normalize(cross(float3(0, 1, 0), forward));
  float3 direction = normalize(p.x * right - p.y * cross(forward, right) + 1.8 * forward);
  Hit hit = march(eye, direction, 40);
  float3 color = hit.material < 0 ? lerp(0.5, float3(0.3, 0.5, 0.9), direction.y) : shade(hit, direction);
  return float4(sqrt(color), 1);
}
