// RUN: -T ps_6_0 -E main
// RUN: -T ps_6_0 -E circle -O1
Texture2D<float4> scene, farBlur;
Texture2D<float> depth;
SamplerState smp;
float focus, range, aperture;
float2 texel;
static const int RINGS = 3;

struct Sample_ { float4 color; float coc; };

float circleOfConfusion(float z) { return clamp((z - focus) / range * aperture, -1.0, 1.0); }

Sample_ fetch(float2 uv) {
  Sample_ s;
  s.color = scene.SampleLevel(smp, uv, 0);
  s.coc = circleOfConfusion(depth.SampleLevel(smp, uv, 0).x);
  return s;
}

float4 circle(float2 uv : TEXCOORD0) : SV_Target0 {
  Sample_ center = fetch(uv);
  float4 sum = center.color;
  float total = 1;
  for (int ring = 1; ring <= RINGS; ring++) {
    int count = ring * 6;
    for (int i = 0; i < count; i++) {
      float angle = i * 6.2831853 / count;
      float2 offset = float2(cos(angle), sin(angle)) * ring * abs(center.coc);
      Sample_ s = fetch(uv + offset * texel);
      float w = s.coc >= center.coc ? 1.0 : saturate(abs(s.coc));
      sum += s.color * w;
      total += w;
    }
  }
  return sum / total;
}

float4 main(float2 uv : TEXCOORD0) : SV_Target0 {
  Sample_ s = fetch(uv);
  return lerp(s.color, farBlur.Sample(smp, uv), saturate(abs(s.coc)));
}
