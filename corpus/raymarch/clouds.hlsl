// RUN: -T cs_6_0 -E main
Texture3D<float> noise : register(t0);
Texture2D<float4> weather : register(t1);
RWTexture2D<float4> target : register(u0);
SamplerState wrap : register(s0);
cbuffer Clouds : register(b0) { float4x4 inverseViewProjection; float3 camera; float coverage; float3 sun; float density; float2 bounds; uint steps; float g; };
float henyey(float c) { float g2 = g * g; return (1 - g2) / (4 * 3.14159265 * pow(1 + g2 - 2 * g * c, 1.5)); }
float remap(float v, float a, float b, float c, float d) { return c + (v - a) / (b - a) * (d - c); }
float densityAt(float3 p) {
  float4 w = weather.SampleLevel(wrap, p.xz * 0.0001, 0);
  float base = noise.SampleLevel(wrap, p * 0.0005, 0);
  float d = saturate(remap(base, 1 - coverage * w.r, 1, 0, 1));
  if (d > 0) {
    float detail = noise.SampleLevel(wrap, p * 0.004, 0);
    d = saturate(remap(d, detail * 0.3, 1, 0, 1));
  }
  return d * density;
}
float lightMarch(float3 p) {
  float sum = 0, step = 40;
  [unroll] for (int i = 0; i < 5; ++i) { p += sun * step; sum += densityAt(p) * step; step *= 1.5; }
  return exp(-sum) + 0.5 * exp(-sum * 0.25);
}
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint2 size;
  target.GetDimensions(size.x, size.y);
  float4 h = mul(inverseViewProjection, float4((id.xy + 0.5) / size * 2 - 1, 1, 1));
  float3 direction = normalize(h.xyz / h.w - camera);
  float t0 = (bounds.x - camera.y) / direction.y, t1 = (bounds.y - camera.y) / direction.y;
  float4 result = float4(0, 0, 0, 1);
  if (direction.y > 0.01) {
    float stepSize = (t1 - t0) / steps;
    float phase = henyey(dot(direction, sun));
    for (uint i = 0; i < steps; ++i) {
      float3 p = camera + direction * (t0 + stepSize * i);
      float d = densityAt(p);
      if (d <= 0) continue;
      float transmitted = exp(-d * stepSize);
      result.rgb += result.a * (1 - transmitted) * lightMarch(p) * phase;
      result.a *= transmitted;
      if (result.a < 0.01) break;
    }
  }
  target[id.xy] = result;
}
