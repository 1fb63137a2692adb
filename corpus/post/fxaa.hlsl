// RUN: -T ps_6_0 -E main
#include "../include/common.hlsli"
Texture2D color : register(t0);
SamplerState linearClamp : register(s0);
cbuffer Fxaa : register(b0) { float2 inverseSize; float edgeThreshold; float edgeThresholdMin; };

// Offsets of a sample must be constants, so this is a macro.
#define lumaAt(uv, offset) luminance(color.SampleLevel(linearClamp, uv, 0, offset).rgb)

float4 main(float4 p : SV_Position, float2 uv : TEXCOORD) : SV_Target {
  float m = luminance(color.SampleLevel(linearClamp, uv, 0).rgb);
  float n = lumaAt(uv, int2(0, -1)), s = lumaAt(uv, int2(0, 1));
  float e = lumaAt(uv, int2(1, 0)), w = lumaAt(uv, int2(-1, 0));
  float highest = max(max(n, s), max(max(e, w), m));
  float lowest = min(min(n, s), min(min(e, w), m));
  float range = highest - lowest;
  if (range < max(edgeThresholdMin, highest * edgeThreshold))
    return color.Sample(linearClamp, uv);
  bool horizontal = abs(n + s - 2 * m) >= abs(e + w - 2 * m);
  float first = horizontal ? n : w;
  float second = horizontal ? s : e;
  float2 step = horizontal ? float2(0, inverseSize.y) : float2(inverseSize.x, 0);
  if (abs(first - m) >= abs(second - m))
    step = -step;
  float2 along = horizontal ? float2(inverseSize.x, 0) : float2(0, inverseSize.y);
  float2 a = uv + step * 0.5, b = a;
  float average = 0.5 * (m + (abs(first - m) >= abs(second - m) ? first : second));
  float gradient = abs(average - m) * 0.25;
  bool doneA = false, doneB = false;
  float endA = 0, endB = 0;
  for (int i = 0; i < 12; ++i) {
    if (!doneA) { a -= along; endA = luminance(color.SampleLevel(linearClamp, a, 0).rgb) - average; doneA = abs(endA) >= gradient; }
    if (!doneB) { b += along; endB = luminance(color.SampleLevel(linearClamp, b, 0).rgb) - average; doneB = abs(endB) >= gradient; }
    if (doneA && doneB) break;
  }
  float da = horizontal ? uv.x - a.x : uv.y - a.y;
  float db = horizontal ? b.x - uv.x : b.y - uv.y;
  float nearest = min(da, db);
  float offset = 0.5 - nearest / (da + db);
  return color.SampleLevel(linearClamp, uv + step * max(offset, 0), 0);
}
