// Synthetic shaders of a wanted length: blocks of functions with declarations, loops, branches, swizzles, matrices and macros.

/** HLSL text of about `lines` lines; every block differs in its names and numbers. */
export function benchInput(lines) {
  const head = `#define SCALE(x) ((x) * 0.5 + 0.25)
cbuffer Frame : register(b0) { float4x4 viewProjection; float4 tint; float time; uint count; float2 size; };
Texture2D<float4> albedo : register(t1);
SamplerState linearSampler : register(s2);
struct Surface { float3 position; float3 normal; float2 uv; float roughness; };
`;
  const blocks = [];
  const entryCalls = [];
  const perBlock = 38;
  const count = Math.max(1, Math.round((lines - 14) / perBlock));
  for (let i = 0; i < count; i++) {
    blocks.push(block(i));
    // Each block calls the one before it, so that every function is reached through a short chain.
    if (i % 8 === 7 || i === count - 1) entryCalls.push(`  color += shade${i}(surface, ${i}.0);`);
  }
  return `${head}${blocks.join('')}
float4 main(float4 position : SV_Position, float3 normal : NORMAL, float2 uv : TEXCOORD0) : SV_Target {
  Surface surface = { position.xyz, normalize(normal), uv, 0.5 };
  float4 color = tint;
${entryCalls.join('\n')}
  return color;
}
`;
}

function block(i) {
  const previous = i % 8 === 0 ? 'tint' : `shade${i - 1}(surface, weight * 0.5)`;
  return `
struct Layer${i} {
  float4 color;
  float3x3 basis;
  int steps[4];
};

// Distance falloff of block ${i}, with a smooth edge.
float falloff${i}(float distance, float radius) {
  float x = saturate(1.0 - distance / max(radius, 0.001));
  return x * x * (3.0 - 2.0 * x);
}

float4 shade${i}(Surface surface, float weight) {
  Layer${i} layer;
  layer.color = float4(SCALE(surface.uv), 0.0, 1.0);
  layer.basis = float3x3(surface.normal, surface.position, cross(surface.normal, surface.position));
  for (int s = 0; s < 4; s++) {
    layer.steps[s] = s * ${i + 1} + int(count & 3u);
  }
  float sum = 0.0;
  [loop]
  for (uint k = 0; k < count; ++k) {
    float2 offset = surface.uv + float2(k, k * 2u) / size;
    float4 texel = albedo.SampleLevel(linearSampler, offset, 0.0);
    if (texel.a < 0.${(i % 9) + 1}) {
      sum += dot(texel.rgb, float3(0.2126, 0.7152, 0.0722)) * falloff${i}(length(offset), 2.0);
    } else {
      sum -= pow(abs(texel.g), 2.2);
    }
  }
  float3 direction = mul(layer.basis, surface.normal.zyx);
  float4 inner = ${previous};
  layer.color.rgb = lerp(layer.color.rgb, direction, sum) + inner.rgb * weight;
  return layer.color * (float)layer.steps[(uint)time & 3u];
}
`;
}
