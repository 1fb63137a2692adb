// RUN: -T cs_6_0 -E main
Texture2D<float4> source : register(t0);
RWTexture2D<float4> target : register(u0);
void order(inout float4 a, inout float4 b) { float4 low = min(a, b); b = max(a, b); a = low; }
[numthreads(8, 8, 1)]
void main(int3 id : SV_DispatchThreadID) {
  float4 v[9];
  for (int i = 0; i < 9; ++i) v[i] = source.Load(id + int3(i % 3 - 1, i / 3 - 1, 0));
  order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
  order(v[0], v[1]); order(v[3], v[4]); order(v[6], v[7]);
  order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
  order(v[0], v[3]); order(v[5], v[8]); order(v[4], v[7]);
  order(v[3], v[6]); order(v[1], v[4]); order(v[2], v[5]);
  order(v[4], v[7]); order(v[4], v[2]); order(v[6], v[4]);
  order(v[4], v[2]);
  target[id.xy] = v[4];
}
