// RUN: -T cs_6_0 -E Flux
// RUN: -T cs_6_0 -E Water
RWTexture2D<float4> flux : register(u0);
RWTexture2D<float2> water : register(u1);
Texture2D<float2> waterIn : register(t0);
Texture2D<float4> fluxIn : register(t1);
cbuffer Erosion : register(b0) { int2 size; float dt; float pipe; float4 rates; }
float level(int2 p) { float2 w = waterIn[clamp(p, 0, size - 1)]; return w.x + w.y; }
[numthreads(8, 8, 1)]
void Flux(int2 id : SV_DispatchThreadID) {
  float h = level(id);
  float4 drop = h - float4(level(id + int2(-1, 0)), level(id + int2(1, 0)), level(id + int2(0, -1)), level(id + int2(0, 1)));
  float4 f = max(0, fluxIn[id] + dt * pipe * drop);
  float total = dot(f, 1);
  if (total > 0) f *= min(1, waterIn[id].y / (total * dt));
  flux[id] = f;
}
[numthreads(8, 8, 1)]
void Water(int2 id : SV_DispatchThreadID) {
  float inflow = fluxIn[id + int2(-1, 0)].y + fluxIn[id + int2(1, 0)].x + fluxIn[id + int2(0, -1)].w + fluxIn[id + int2(0, 1)].z;
  float4 f = fluxIn[id];
  float2 w = waterIn[id];
  w.y = max(0, w.y + dt * (inflow - (f.x + f.y + f.z + f.w)));
  float speed = length(float2(f.y - f.x, f.w - f.z));
  float carried = rates.x * speed;
  w.x += (w.y > carried ? -1 : 1) * rates.y * abs(w.y - carried);
  w.y *= 1 - rates.z * dt;
  water[id] = w;
}
