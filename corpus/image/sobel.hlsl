// RUN: -T ps_6_0 -E main
Texture2D<float4> image;
SamplerState smp;
static const float3x3 kernelX = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };
static const float3x3 kernelY = transpose(float3x3(-1, 0, 1, -2, 0, 2, -1, 0, 1));
float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target {
  float3x3 window;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      window[y][x] = dot(image.Load(int3((int2)position.xy + int2(x - 1, y - 1), 0)).rgb, 1.0 / 3);
  float4 r = image.GatherRed(smp, uv), g = image.GatherGreen(smp, uv);
  window._m00_m01_m10_m11 = lerp(window._m00_m01_m10_m11, (r + g) * 0.5, 0.25);
  float gx = dot(window[0], kernelX[0]) + dot(window[1], kernelX[1]) + dot(window[2], kernelX[2]);
  float gy = dot(window[0], kernelY[0]) + dot(window[1], kernelY[1]) + dot(window[2], kernelY[2]);
  return float4(sqrt(gx * gx + gy * gy), atan2(gy, gx), ddx(uv.x), ddy(uv.y));
}
