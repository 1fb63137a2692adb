struct Particle {
  float3 position;
  float age;
  float3 velocity;
  uint2 seed;
};

cbuffer Step : register(b0, space1) {
  float3 gravity;
  float seconds;
  uint count;
};

RWStructuredBuffer<Particle> particles : register(u0, space1);

[shader("compute")]
[numthreads(64, 1, 1)]
void Move(uint3 id : SV_DispatchThreadID) {
  if (id.x >= count) return;
  Particle one = particles[id.x];
  one.velocity += gravity * seconds;
  one.position += one.velocity * seconds;
  one.age += seconds;
  particles[id.x] = one;
}

[shader("compute")]
[numthreads(8, 4, 2)]
void Reset(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex) {
  Particle one = (Particle)0;
  one.seed = uint2(id.x, index);
  particles[id.x] = one;
}
