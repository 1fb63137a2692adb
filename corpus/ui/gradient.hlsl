// RUN: -T ps_6_0 -E main
enum Kind { Linear, Radial, Conic };
enum class Spread : uint { Pad, Repeat, Reflect };
struct Stop { float4 color; float at; };
cbuffer Gradient : register(b0) { Stop stops[8]; int stopCount; int kind; uint spread; float2 from, to; }
float parameter(float2 p) {
  float2 d = to - from;
  switch ((Kind)kind) {
    case Linear: return dot(p - from, d) / dot(d, d);
    case Radial: return length(p - from) / length(d);
    case Conic: return atan2(p.y - from.y, p.x - from.x) / 6.2831853 + 0.5;
  }
  return 0;
}
float spreadOut(float t) {
  if (spread == (uint)Spread::Repeat) return frac(t);
  else if (spread == (uint)Spread::Reflect) { t = fmod(abs(t), 2.0); return t > 1 ? 2 - t : t; }
  return saturate(t);
}
float4 main(float2 p : TEXCOORD0) : SV_Target {
  float t = spreadOut(parameter(p));
  float4 c = stops[0].color;
  for (int i = 1; i < stopCount; i++) {
    float w = saturate((t - stops[i - 1].at) / max(stops[i].at - stops[i - 1].at, 1e-5));
    c = lerp(c, stops[i].color, w);
  }
  return c;
}
