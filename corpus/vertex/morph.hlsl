// RUN: -T vs_6_0 -E main
// RUN: -T vs_6_0 -E main -fspv-stage-io-order=alpha
struct Delta { float3 position; float3 normal; };
StructuredBuffer<Delta> deltas : register(t0);
cbuffer Morph : register(b0) { float4x4 mvp; float4 weights[2]; uint targets; uint vertices; float4 clipPlane; }
struct Result { float4 position : SV_Position; float clip : SV_ClipDistance0; float3 normal : NORMAL; float2 uv[2] : TEXCOORD; };
Result main(float3 position : POSITION, float3 normal : NORMAL, float2 uv0 : TEXCOORD0, float2 uv1 : TEXCOORD1, uint id : SV_VertexID) {
  for (uint t = 0; t < targets; ++t) {
    Delta d = deltas[t * vertices + id];
    float w = weights[t / 4][t % 4];
    position += d.position * w;
    normal += d.normal * w;
  }
  Result r;
  r.position = mul(mvp, float4(position, 1));
  r.clip = dot(clipPlane, float4(position, 1));
  r.normal = normalize(normal);
  r.uv[0] = uv0;
  r.uv[1] = uv1;
  return r;
}
