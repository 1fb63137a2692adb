// RUN: -T vs_6_0 -E VSMain
// RUN: -T vs_6_0 -E VSMain -fvk-invert-y
// RUN: -T ps_6_0 -E PSMain -fvk-use-dx-position-w
struct Push {
  float4x4 mvp;
  float4 color;
  float outline;
};
[[vk::push_constant]] Push push;

[[vk::constant_id(3)]] const int bandCount = 4;
[[vk::constant_id(4)]] const bool rimLight = true;

struct V2P {
  float4 position : SV_Position;
  [[vk::location(5)]] float3 normal : NORMAL;
  [[vk::location(2)]] float rim : RIM;
};

V2P VSMain([[vk::location(0)]] float3 position : POSITION, [[vk::location(1)]] float3 normal : NORMAL) {
  V2P o;
  float3 p = position + normal * push.outline;
  o.position = mul(push.mvp, float4(p, 1.0));
  o.normal = normal;
  o.rim = 1.0 - saturate(o.position.z / o.position.w);
  return o;
}

float4 PSMain(V2P i) : SV_Target {
  const float3 sun = normalize(float3(0.3, 0.8, 0.5));
  float lit = saturate(dot(normalize(i.normal), sun));
  float banded = floor(lit * bandCount) / bandCount;
  float4 c = push.color * banded;
  if (rimLight)
    c.rgb += pow(i.rim, 3) * i.position.w;
  return c;
}
