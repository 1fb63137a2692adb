// What every shader of the sample knows of the frame.
#ifndef COMMON_HLSLI
#define COMMON_HLSLI

struct Light {
  float3 direction;
  float power;
  float2 reach;
};

cbuffer Frame : register(b0) {
  float3 sun;
  float exposure;
  float2 size;
  float3 tint;
  float4x4 world;
  float weights[3];
  uint flags;
  Light key;
};

float3 expose(float3 color) {
  float3 shown = color * exposure;
  return shown / (shown + 1);
}

#endif
