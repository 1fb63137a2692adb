#include "common.hlsli"

struct Corner {
  float3 position : POSITION;
  float2 uv : TEXCOORD0;
};

void transform(Corner corner, out float4 position : SV_Position, out float2 uv : TEXCOORD0) {
  position = mul(world, float4(corner.position, 1));
  uv = corner.uv * size;
}
