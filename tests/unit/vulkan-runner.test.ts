import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { floats, image, sampler, uints, zeros } from '../support/resources.ts';
import { describeWith, requireTool, validateSpirv } from '../support/tools.ts';
import { closeVulkan, runCompute, runGraphics } from '../support/vulkan.ts';

/** SPIR-V by another compiler, so that the runner is tested on its own. */
function glslang(text: string, stage: 'comp' | 'vert' | 'frag'): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'oneshader-runner-'));
  const source = join(folder, `a.${stage}`);
  writeFileSync(source, `#version 450\n${text}`);
  execFileSync(requireTool('glslangValidator'), ['-V', '-o', join(folder, 'a.spv'), source], {
    stdio: 'pipe',
  });
  const spirv = new Uint8Array(readFileSync(join(folder, 'a.spv')));
  rmSync(folder, { recursive: true });
  return spirv;
}

const compute = (declarations: string, body: string): Uint8Array =>
  glslang(`layout(local_size_x = 1) in;\n${declarations}\nvoid main() { ${body} }`, 'comp');

describeWith(['lavapipe', 'g++', 'glslangValidator'], 'Vulkan runner', () => {
  afterAll(closeVulkan);

  test('a compute shader reads and writes buffers and push constants', async () => {
    const spirv = compute(
      `layout(set = 0, binding = 0) buffer O { uint o[]; };
       layout(set = 1, binding = 2) uniform U { uvec4 u; };
       layout(push_constant) uniform P { uint p; };
       layout(constant_id = 3) const uint k = 1;`,
      'o[gl_GlobalInvocationID.x] = u.y + p + k + gl_GlobalInvocationID.x;',
    );
    const { resources } = await runCompute({
      spirv,
      entry: 'main',
      dispatch: [3, 1, 1],
      bindings: { '0.0': zeros(4), '1.2': uints(1, 20, 3, 4) },
      pushConstants: uints(300).bytes,
      specialization: { 3: uints(4000).bytes },
    });
    expect([...new Uint32Array(resources['0.0']![0]!.buffer)]).toEqual([4320, 4321, 4322, 0]);
  });

  test('images, samplers and arrays of them', async () => {
    const spirv = compute(
      `layout(set = 0, binding = 0) buffer O { vec4 o[]; };
       layout(set = 0, binding = 1) uniform texture2D t[2];
       layout(set = 0, binding = 2) uniform sampler s;
       layout(set = 0, binding = 3, r32ui) uniform uimage2D w;`,
      'o[0] = textureLod(sampler2D(t[1], s), vec2(0.5), 0); imageStore(w, ivec2(1, 0), uvec4(9));',
    );
    const texture = (base: number) =>
      image({ format: 'rgba32float', width: 2, height: 2 }, (x, y) => [base + x, y, 0, 1]);
    const { resources } = await runCompute({
      spirv,
      entry: 'main',
      dispatch: [1, 1, 1],
      bindings: {
        '0.0': zeros(4),
        '0.1': [texture(0), texture(10)],
        '0.2': sampler({ filter: 'linear' }),
        '0.3': image({ format: 'r32uint', width: 2, height: 1 }),
      },
    });
    expect([...new Float32Array(resources['0.0']![0]!.buffer)]).toEqual([10.5, 0.5, 0, 1]);
    expect([...new Uint32Array(resources['0.3']![0]!.buffer)]).toEqual([0, 9]);
  });

  test('a triangle is drawn with row 0 on top', async () => {
    const vertex = glslang(
      'layout(location = 0) in vec4 p; layout(location = 0) out vec2 uv; void main() { gl_Position = p; uv = p.xy; }',
      'vert',
    );
    const pixel = glslang(
      'layout(location = 0) in vec2 uv; layout(location = 0) out vec4 c; void main() { c = vec4(uv, 0, 1); }',
      'frag',
    );
    const { targets } = await runGraphics({
      vertex: { spirv: vertex, entry: 'main' },
      pixel: { spirv: pixel, entry: 'main' },
      attributes: {
        0: { format: 'rgba32float', bytes: floats(-1, -1, 0, 1, -1, 3, 0, 1, 3, -1, 0, 1).bytes },
      },
      vertices: 3,
      targets: [image({ format: 'rgba32float', width: 2, height: 2 })],
    });
    expect([...new Float32Array(targets[0]!.buffer)].filter((_, i) => i % 4 < 2)).toEqual([
      -0.5, 0.5, 0.5, 0.5, -0.5, -0.5, 0.5, -0.5,
    ]);
  });

  test('a fault is told and does not end the runner', async () => {
    const spirv = compute('layout(set = 0, binding = 5) buffer O { uint o; };', 'o = 1;');
    const job = { spirv, entry: 'main', dispatch: [1, 1, 1] as const };
    await expect(runCompute({ ...job, bindings: {} })).rejects.toThrow('set 0 binding 5');
    const { resources } = await runCompute({ ...job, bindings: { '0.5': zeros(1) } });
    expect([...resources['0.5']![0]!]).toEqual([1, 0, 0, 0]);
  });
});

describeWith(['spirv-val', 'glslangValidator'], 'spirv-val', () => {
  test('accepts what is valid and names what is not', () => {
    const spirv = compute('', '');
    expect(validateSpirv(spirv)).toBe('');
    expect(validateSpirv(spirv.slice(0, spirv.length - 8))).toContain('error');
  });
});
