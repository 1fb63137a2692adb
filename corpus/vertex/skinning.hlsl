// RUN: -T vs_6_0 -E main
// RUN: -T vs_6_0 -E main -D DUAL_QUATERNION
// RUN: -T cs_6_0 -E precompute
struct Vertex { float3 position : POSITION; float3 normal : NORMAL; uint4 bones : BLENDINDICES; float4 weights : BLENDWEIGHT; };
cbuffer Skin : register(b0) { row_major float3x4 bones[64]; float2x4 dual[64]; }
cbuffer Frame : register(b1) { float4x4 viewProjection; uint vertexCount; }
StructuredBuffer<Vertex> input : register(t0);
RWStructuredBuffer<float3> skinned : register(u0);
struct Output { float4 position : SV_Position; float3 normal : NORMAL; };
float3x4 blend(uint4 index, float4 weight) {
  float3x4 m = bones[index.x] * weight.x;
  for (int i = 1; i < 4; ++i) m += bones[index[i]] * weight[i];
  return m;
}
float3 rotate(float4 q, float3 v) { return v + 2 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
Output main(Vertex v) {
  Output o;
#ifdef DUAL_QUATERNION
  float2x4 d = 0;
  [unroll] for (int i = 0; i < 4; ++i) {
    float2x4 b = dual[v.bones[i]];
    d += b * (dot(b[0], dual[v.bones.x][0]) < 0 ? -v.weights[i] : v.weights[i]);
  }
  d /= length(d[0]);
  float3 p = rotate(d[0], v.position) + 2 * (d[0].w * d[1].xyz - d[1].w * d[0].xyz + cross(d[0].xyz, d[1].xyz));
  o.normal = rotate(d[0], v.normal);
#else
  float3x4 m = blend(v.bones, v.weights);
  float3 p = mul(m, float4(v.position, 1));
  o.normal = mul((float3x3)m, v.normal);
#endif
  o.position = mul(viewProjection, float4(p, 1));
  return o;
}
[numthreads(64, 1, 1)]
void precompute(uint id : SV_DispatchThreadID) {
  if (id >= vertexCount) return;
  Vertex v = input[id];
  skinned[id] = mul(blend(v.bones, v.weights), float4(v.position, 1));
}
