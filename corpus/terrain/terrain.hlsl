// RUN: -T vs_6_0 -E VSMain
// RUN: -T ps_6_0 -E PSMain
// RUN: -T ps_6_0 -E PSMain -fvk-use-gl-layout
Texture2D<float> heightMap : register(t0);
Texture2D<float4> splat : register(t1);
Texture2D<float4> layers[4] : register(t2);
SamplerState clampSampler : register(s0), wrapSampler : register(s1);
#pragma pack_matrix(row_major)
cbuffer Terrain : register(b0) {
  float4x4 viewProjection;
  float2 origin : packoffset(c4);
  float cellSize : packoffset(c4.z);
  float heightScale : packoffset(c4.w);
  float4 tiling : packoffset(c5);
  float3 sun : packoffset(c6);
};
#pragma pack_matrix(column_major)
struct V { float4 position : SV_Position; float2 uv : UV; float3 world : WORLD; };
float height(float2 uv) { return heightMap.SampleLevel(clampSampler, uv, 0) * heightScale; }
V VSMain(uint id : SV_VertexID) {
  uint2 cell = uint2(id % 65, id / 65);
  V v;
  v.uv = cell / 64.0;
  v.world = float3(origin + cell * cellSize, height(v.uv)).xzy;
  v.position = mul(viewProjection, float4(v.world, 1));
  return v;
}
float3 triplanar(Texture2D<float4> layer, float3 p, float3 n, float scale) {
  float3 w = pow(abs(n), 4);
  w /= dot(w, 1);
  return layer.Sample(wrapSampler, p.yz * scale).rgb * w.x + layer.Sample(wrapSampler, p.xz * scale).rgb * w.y + layer.Sample(wrapSampler, p.xy * scale).rgb * w.z;
}
float4 PSMain(V v) : SV_Target {
  const float e = 1.0 / 512;
  float3 n = normalize(float3(height(v.uv - float2(e, 0)) - height(v.uv + float2(e, 0)), 2 * cellSize, height(v.uv - float2(0, e)) - height(v.uv + float2(0, e))));
  float4 w = splat.Sample(clampSampler, v.uv);
  float3 c = triplanar(layers[0], v.world, n, tiling.x) * w.r;
  c += triplanar(layers[1], v.world, n, tiling.y) * w.g;
  c += triplanar(layers[2], v.world, n, tiling.z) * w.b;
  c += triplanar(layers[3], v.world, n, tiling.w) * w.a;
  return float4(c * saturate(dot(n, sun)), 1);
}
