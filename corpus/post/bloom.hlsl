// RUN: -T cs_6_0 -E Down
// RUN: -T cs_6_0 -E Up
Texture2D<float3> source : register(t0);
RWTexture2D<float4> target : register(u0);
SamplerState linearClamp : register(s0);
struct Constants { float2 texel; float threshold; float radius; };
ConstantBuffer<Constants> constants : register(b0);

float3 tap(float2 uv, float x, float y) { return source.SampleLevel(linearClamp, uv + float2(x, y) * constants.texel, 0); }
float karis(float3 c) { return 1.0 / (1.0 + max(c.r, max(c.g, c.b))); }

[numthreads(8, 8, 1)]
void Down(uint3 id : SV_DispatchThreadID) {
  uint2 size;
  target.GetDimensions(size.x, size.y);
  if (id.x >= size.x || id.y >= size.y) return;
  float2 uv = (id.xy + 0.5) / size;
  float3 corner[4] = { tap(uv, -1, -1), tap(uv, 1, -1), tap(uv, -1, 1), tap(uv, 1, 1) };
  float3 sum = 0;
  float weight = 0;
  for (int i = 0; i < 4; i++) {
    float w = karis(corner[i]);
    sum += max(corner[i] - constants.threshold, 0) * w;
    weight += w;
  }
  target[id.xy] = float4(sum / weight, 1);
}

[numthreads(8, 8, 1)]
void Up(uint3 id : SV_DispatchThreadID) {
  uint2 size;
  target.GetDimensions(size.x, size.y);
  float2 uv = (id.xy + 0.5) / size;
  float r = constants.radius;
  float3 sum = tap(uv, 0, 0) * 4;
  sum += (tap(uv, -r, 0) + tap(uv, r, 0) + tap(uv, 0, -r) + tap(uv, 0, r)) * 2;
  sum += tap(uv, -r, -r) + tap(uv, r, -r) + tap(uv, -r, r) + tap(uv, r, r);
  target[id.xy].rgb += sum / 16;
}
