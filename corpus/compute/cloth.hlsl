// RUN: -T cs_6_0 -E main
// RUN: -T cs_6_0 -E normals
struct Node { float4 position; float4 previous; float4 normal; };
RWStructuredBuffer<Node> nodes : register(u0);
cbuffer Cloth : register(b0) { int2 size; float rest; float stiffness; float3 wind; float deltaTime; float4 sphere; bool pinned; }
float3 spring(int2 at, int2 offset, float3 p) {
  int2 other = at + offset;
  if (other.x < 0 || other.y < 0 || other.x >= size.x || other.y >= size.y) return 0;
  float3 d = nodes[other.y * size.x + other.x].position.xyz - p;
  float l = max(length(d), 1e-5);
  return d / l * (l - rest * length((float2)offset)) * stiffness;
}
[numthreads(8, 8, 1)]
void main(int3 id : SV_DispatchThreadID) {
  if (any(id.xy >= size)) return;
  int index = id.y * size.x + id.x;
  Node n = nodes[index];
  if (pinned && id.y == 0) return;
  float3 force = wind + float3(0, -9.81, 0);
  static const int2 neighbours[8] = { int2(-1, 0), int2(1, 0), int2(0, -1), int2(0, 1), int2(-1, -1), int2(1, -1), int2(-1, 1), int2(1, 1) };
  for (int i = 0; i < 8; i++) force += spring(id.xy, neighbours[i], n.position.xyz);
  float3 p = n.position.xyz;
  float3 moved = p + (p - n.previous.xyz) * 0.99 + force * deltaTime * deltaTime;
  float3 d = moved - sphere.xyz;
  if (dot(d, d) < sphere.w * sphere.w) moved = sphere.xyz + normalize(d) * sphere.w;
  nodes[index].previous.xyz = p;
  nodes[index].position = float4(moved, 1);
}
[numthreads(64, 1, 1)]
void normals(uint id : SV_DispatchThreadID) {
  int x = (int)id % size.x, y = (int)id / size.x;
  float3 c = nodes[id].position.xyz;
  float3 right = nodes[y * size.x + min(x + 1, size.x - 1)].position.xyz - c;
  float3 down = nodes[min(y + 1, size.y - 1) * size.x + x].position.xyz - c;
  nodes[id].normal = float4(normalize(cross(right, down)), 0);
}
