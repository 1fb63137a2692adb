import { describe, expect, test } from 'vitest';
import { emissionErrors, emitText, haveSpirvVal, spirvVal } from '../support/spirv.ts';
import type { Options } from '../../src/options.ts';

const compute = (body: string, before = '', rest = ''): string =>
  `${before}\nfunction main(): void entry compute "main" threads 8 8 1 {\n${body}\nreturn\n}\n${rest}`;

function check(text: string, changes: Partial<Options> = {}): string {
  const { words, text: shown } = emitText(text, changes);
  const options = {
    targetEnv: changes.targetEnv ?? ('vulkan1.2' as const),
    layout: changes.layout ?? ('vulkan' as const),
  };
  if (haveSpirvVal) expect(`${spirvVal(words, options)}`, shown).toBe('');
  return shown;
}

const buffers = `struct S { a: float3, m: float2x3 column_major, flag: bool, n: int[3] }
global @items: ptr<resource, RWStructuredBuffer<S>> resource set 0 binding 0
global @bytes: ptr<resource, RWByteAddressBuffer> resource set 0 binding 3
global @out: ptr<resource, RWStructuredBuffer<float4>> resource set 0 binding 1`;

describe.skipIf(!haveSpirvVal)('modules that spirv-val accepts', () => {
  test('an empty compute shader', () => {
    const text = check(compute(''));
    expect(text).toContain('OpExecutionMode %main LocalSize 8 8 1');
    expect(text).toContain('OpCapability Shader');
  });

  test.each(['vulkan1.0', 'vulkan1.1', 'vulkan1.1spirv1.4', 'vulkan1.2', 'vulkan1.3', 'vulkan1.4'] as const)(
    'buffers in %s',
    (targetEnv) => {
      const body = `%p: ptr<storage, S, vulkan-storage> = buffer_pointer @items, uint(1)
      %s: S = load %p
      %f: ptr<storage, bool, vulkan-storage> = access %p, 2
      store %f, true
      %q: ptr<storage, S, vulkan-storage> = buffer_pointer @items, uint(2)
      store %q, %s
      %w: ptr<storage, uint, vulkan-storage> = buffer_pointer @bytes, uint(4)
      store %w, uint(7)`;
      for (const optimizationLevel of [0, 3] as const)
        check(compute(body, buffers), { targetEnv, optimizationLevel });
    },
  );
});

describe('what cannot be', () => {
  test('a stage that is not there yet', () => {
    expect(emissionErrors('function main(): void entry hull "main" {\nreturn\n}')).toEqual(['OS5004']);
  });
});
