// RUN: -T vs_6_0 -E main
// RUN: -T vs_6_0 -E main -fvk-support-nonzero-base-instance -fspv-target-env=vulkan1.3
#include "../include/common.hlsli"
ByteAddressBuffer blades : register(t0);
cbuffer Grass : register(b0) { float4x4 viewProjection; float4 wind; float time; };
struct Blade { float3 root; float facing; float height; float width; uint seed; };
Blade loadBlade(uint i) {
  uint at = i * 28;
  Blade b;
  b.root = asfloat(blades.Load3(at));
  b.facing = asfloat(blades.Load(at + 12));
  b.height = asfloat(blades.Load(at + 16));
  b.width = asfloat(blades.Load(at + 20));
  b.seed = blades.Load(at + 24);
  return b;
}
void main(uint vertex : SV_VertexID, uint instance : SV_InstanceID, out float4 position : SV_Position, out float3 normal : NORMAL, out float4 color : COLOR) {
  Blade b = loadBlade(instance);
  float t = (vertex >> 1) / 7.0;
  float side = (vertex & 1) ? 1.0 : -1.0;
  float phase = time + (float)(b.seed & 255) / 40.0;
  float bend = sin(phase) * wind.w + 0.2;
  float2 facing;
  sincos(b.facing, facing.y, facing.x);
  float3 tip = float3(facing * bend, 1).xzy * b.height;
  float3 p = b.root + lerp(0, tip, t * t) + float3(-facing.y, 0, facing.x) * side * b.width * (1 - t);
  position = mul(viewProjection, float4(p + wind.xyz * t * t * t, 1));
  normal = normalize(cross(tip, float3(-facing.y, 0, facing.x)));
  color = lerp(float4(0.05, 0.2, 0.02, 1), float4(0.4, 0.7, 0.2, 1), t);
}
