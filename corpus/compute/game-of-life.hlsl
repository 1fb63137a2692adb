// RUN: -T cs_6_0 -E main
RWTexture2D<uint> next : register(u0);
Texture2D<uint> now : register(t0);
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  uint2 size;
  now.GetDimensions(size.x, size.y);
  uint count = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      if (x != 0 || y != 0) count += now[(id + uint2(x, y) + size) % size];
  uint self = now[id];
  next[id] = count == 3 || (self == 1 && count == 2);
}
