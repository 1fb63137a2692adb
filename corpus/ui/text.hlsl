// RUN: -T vs_6_0 -E VSMain
// RUN: -T ps_6_0 -E PSMain
// RUN: -T ps_6_0 -E PSMain -D MULTICHANNEL -D OUTLINE=2
Texture2D<float4> atlas : register(t0, space1);
SamplerState atlasSampler : register(s0, space1);
cbuffer Style : register(b0, space1) { float4 fill, outlineColor; float2 screen; float pixelRange; }
struct Glyph { float2 corner : CORNER; float4 rect : RECT; float4 uv : UVRECT; };
void VSMain(in Glyph g, out float4 position : SV_Position, out float2 uv : TEXCOORD) {
  float2 p = g.rect.xy + g.corner * g.rect.zw;
  position = float4(p / screen * float2(2, -2) + float2(-1, 1), 0, 1);
  uv = lerp(g.uv.xy, g.uv.zw, g.corner);
}
float median(float3 c) { return max(min(c.r, c.g), min(max(c.r, c.g), c.b)); }
float4 PSMain(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
  float4 t = atlas.Sample(atlasSampler, uv);
#ifdef MULTICHANNEL
  float d = median(t.rgb);
#else
  float d = t.r;
#endif
  float width = fwidth(uv.x) * pixelRange;
  float alpha = smoothstep(0.5 - width, 0.5 + width, d);
  float4 color = fill;
#if defined(OUTLINE) && OUTLINE > 0
  float edge = smoothstep(0.5 - OUTLINE * width, 0.5 - (OUTLINE - 1) * width, d);
  color = lerp(outlineColor, fill, alpha);
  alpha = edge;
#endif
  return float4(color.rgb, color.a * alpha);
}
