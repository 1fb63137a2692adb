// RUN: -T cs_6_0 -E main
Texture2D<float4> current : register(t0);
Texture2D<float4> history : register(t1);
Texture2D<float2> motion : register(t2);
RWTexture2D<float4> resolved : register(u0);
SamplerState linearClamp : register(s0);
float3 toYCoCg(float3 c) { return float3(dot(c, float3(0.25, 0.5, 0.25)), dot(c, float3(0.5, 0, -0.5)), dot(c, float3(-0.25, 0.5, -0.25))); }
float3 fromYCoCg(float3 c) { float t = c.x - c.z; return float3(t + c.y, c.x + c.z, t - c.y); }

[numthreads(8, 8, 1)]
void main(int2 id : SV_DispatchThreadID) {
  int width, height;
  resolved.GetDimensions(width, height);
  float3 mean = 0, squares = 0;
  float3 center;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      int2 at = clamp(id + int2(x, y), 0, int2(width, height) - 1);
      float3 c = toYCoCg(current[at].rgb);
      if (x == 0 && y == 0) center = c;
      mean += c;
      squares += c * c;
    }
  }
  mean /= 9;
  float3 deviation = sqrt(abs(squares / 9 - mean * mean));
  float2 uv = (id + 0.5) / float2(width, height) - motion[id];
  float3 old = toYCoCg(history.SampleLevel(linearClamp, uv, 0).rgb);
  old = clamp(old, mean - 1.25 * deviation, mean + 1.25 * deviation);
  bool inside = all(uv >= 0) && all(uv <= 1);
  resolved[id] = float4(fromYCoCg(lerp(center, old, inside ? 0.9 : 0)), 1);
}
