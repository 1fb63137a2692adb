#ifndef COMMON_HLSLI
#define COMMON_HLSLI

static const float PI = 3.14159265f;
static const float INV_PI = 0.318309886f;

#define SQUARE(x) ((x) * (x))
#define DECLARE_TEXTURE(name, slot) Texture2D<float4> name : register(t##slot)
#define SAMPLE(tex, smp, uv) tex.Sample(smp, uv)

float luminance(float3 c) {
  return dot(c, float3(0.2126f, 0.7152f, 0.0722f));
}

float3 decodeNormal(float2 e) {
  float3 n = float3(e.xy, 1.0f - abs(e.x) - abs(e.y));
  float t = saturate(-n.z);
  n.x += n.x >= 0.0f ? -t : t;
  n.y += n.y >= 0.0f ? -t : t;
  return normalize(n);
}

float2 encodeNormal(float3 n) {
  n /= abs(n.x) + abs(n.y) + abs(n.z);
  float2 e = n.xy;
  if (n.z < 0.0f) {
    e = (1.0f - abs(n.yx)) * float2(n.x >= 0.0f ? 1.0f : -1.0f, n.y >= 0.0f ? 1.0f : -1.0f);
  }
  return e;
}

uint hash(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

float randomUnit(inout uint state) {
  state = hash(state);
  return (float)(state & 0x00ffffffu) / 16777216.0f;
}
#endif
