// RUN: -T ps_6_0 -E main
StructuredBuffer<uint> octree : register(t0);
cbuffer Voxel : register(b0) { float3 origin; uint depth; float3x4 rayFrame; }
struct Ray { float3 origin, direction; };
bool insideGrid(int3 c, int n) { return all(c >= 0) && all(c < n); }
uint fetchVoxel(int3 c) {
  uint node = 0;
  for (int level = (int)depth - 1; level >= 0; --level) {
    int3 bit = (c >> level) & 1;
    uint child = octree[node + (uint)(bit.x | bit.y << 1 | bit.z << 2)];
    if (child == 0u || (child & 0x80000000u) != 0u) return child & 0x7fffffffu;
    node = child;
  }
  return 0;
}
float4 main(float2 uv : TEXCOORD) : SV_Target {
  Ray ray;
  ray.origin = origin;
  ray.direction = normalize(mul(rayFrame, float4(uv, 1, 0)));
  int n = 1 << depth;
  int3 cell = int3(floor(ray.origin));
  int3 step = int3(sign(ray.direction));
  float3 inverse = rcp(abs(ray.direction));
  float3 side = (sign(ray.direction) * (cell - ray.origin) + sign(ray.direction) * 0.5 + 0.5) * inverse;
  bool3 mask = false;
  for (int i = 0; i < 256; i++) {
    if (insideGrid(cell, n)) {
      uint v = fetchVoxel(cell);
      if (v != 0) {
        float shade = mask.x ? 0.6 : mask.y ? 1.0 : 0.8;
        return float4(float3(v & 255, v >> 8 & 255, v >> 16 & 255) / 255.0 * shade, 1);
      }
    }
    mask = side.xyz <= min(side.yzx, side.zxy);
    side += (float3)mask * inverse;
    cell += (int3)mask * step;
  }
  return 0;
}
