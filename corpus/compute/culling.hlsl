// RUN: -T cs_6_0 -E main
// RUN: -T cs_6_0 -E main -D OCCLUSION
struct Bounds { float3 center; float radius; uint mesh; uint lodCount; };
struct DrawCommand { uint indexCount, instanceCount, firstIndex; int vertexOffset; uint firstInstance; };
StructuredBuffer<Bounds> objects : register(t0);
StructuredBuffer<DrawCommand> templates : register(t1);
Texture2D<float> hiz : register(t2);
SamplerState pointClamp : register(s0);
RWStructuredBuffer<DrawCommand> commands : register(u0);
RWStructuredBuffer<uint> commandCount : register(u1);
cbuffer Culling : register(b0) { float4 frustum[6]; float4x4 viewProjection; float3 camera; uint objectCount; float2 hizSize; }

bool isVisible(Bounds b) {
  bool visible = true;
  [unroll] for (int i = 0; i < 6; ++i) visible = visible && dot(frustum[i].xyz, b.center) + frustum[i].w > -b.radius;
  return visible;
}
bool isOccluded(Bounds b) {
  float4 clip_ = mul(viewProjection, float4(b.center, 1));
  float3 ndc = clip_.xyz / clip_.w;
  float size = b.radius / clip_.w * max(hizSize.x, hizSize.y);
  float level = ceil(log2(max(size, 1)));
  float depth = hiz.SampleLevel(pointClamp, ndc.xy * float2(0.5, -0.5) + 0.5, level);
  return ndc.z - b.radius / clip_.w > depth;
}
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id >= objectCount) return;
  Bounds b = objects[id];
  if (!isVisible(b)) return;
#ifdef OCCLUSION
  if (isOccluded(b)) return;
#endif
  uint lod = min((uint)(distance(camera, b.center) / (b.radius * 10)), b.lodCount - 1);
  DrawCommand command = templates[b.mesh + lod];
  command.instanceCount = 1;
  command.firstInstance = id;
  uint slot;
  InterlockedAdd(commandCount[0], 1, slot);
  commands[slot] = command;
}
