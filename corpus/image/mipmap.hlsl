// RUN: -T cs_6_0 -E main
// RUN: -T cs_6_0 -E main -D SRGB
Texture2D<float4> source : register(t0);
RWTexture2D<float4> mips[4] : register(u0);
SamplerState linearClamp : register(s0);
cbuffer Mip : register(b0) { uint level; uint count; float2 texel; }
groupshared float red[64], green[64], blue[64], alpha[64];
void put(uint i, float4 c) { red[i] = c.r; green[i] = c.g; blue[i] = c.b; alpha[i] = c.a; }
float4 get(uint i) { return float4(red[i], green[i], blue[i], alpha[i]); }
float4 pack(float4 c) {
#ifdef SRGB
  float3 low = c.rgb * 12.92, high = 1.055 * pow(abs(c.rgb), 1 / 2.4) - 0.055;
  c.rgb = float3(c.r < 0.0031308 ? low.r : high.r, c.g < 0.0031308 ? low.g : high.g, c.b < 0.0031308 ? low.b : high.b);
#endif
  return c;
}
[numthreads(8, 8, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
  float4 c = source.SampleLevel(linearClamp, texel * (id.xy + 0.5), level);
  mips[0][id.xy] = pack(c);
  if (count == 1) return;
  put(i, c);
  GroupMemoryBarrierWithGroupSync();
  if ((i & 0x9) == 0) {
    c = 0.25 * (c + get(i + 1) + get(i + 8) + get(i + 9));
    mips[1][id.xy / 2] = pack(c);
    put(i, c);
  }
  if (count == 2) return;
  GroupMemoryBarrierWithGroupSync();
  if ((i & 0x1b) == 0) {
    c = 0.25 * (c + get(i + 2) + get(i + 16) + get(i + 18));
    mips[2][id.xy / 4] = pack(c);
    put(i, c);
  }
  if (count == 3) return;
  GroupMemoryBarrierWithGroupSync();
  if (i == 0) mips[3][id.xy / 8] = pack(0.25 * (c + get(4) + get(32) + get(36)));
}
