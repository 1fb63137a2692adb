import { describe, expect, test } from 'vitest';
import type { CompileOptions } from '../../src/compile.ts';
import { compileText } from '../support/spirv.ts';
import { findTool, validateSpirv, validationFlags } from '../support/tools.ts';

/** Flags whose effect is on the module as a whole. */

const canValidate = findTool('spirv-val') !== undefined;

function spirv(text: string, options: Partial<CompileOptions>): string {
  const { bytes, text: shown } = compileText(text, { profile: 'cs_6_0', ...options });
  if (canValidate)
    expect(validateSpirv(bytes, validationFlags(options.targetEnv ?? 'vulkan1.2', 'vulkan')), shown).toBe('');
  return shown;
}

const plain = 'RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = o[1] * 2; }';

describe('execution modes', () => {
  test.each([
    [{ denormals: 'preserve' }, 'OpExecutionMode %main DenormPreserve 32'],
    [{ denormals: 'ftz' }, 'OpExecutionMode %main DenormFlushToZero 32'],
    [{ ieeeStrict: true }, 'OpExecutionMode %main SignedZeroInfNanPreserve 32'],
  ] as const)('%o', (options, line) => {
    expect(spirv(plain, options)).toContain(line);
    expect(spirv(plain, options)).not.toContain('SPV_KHR_float_controls');
    expect(spirv(plain, { ...options, targetEnv: 'vulkan1.0' })).toContain('SPV_KHR_float_controls');
    expect(spirv(plain, {})).not.toContain(line);
  });

  test('maximal reconvergence', () => {
    const { text } = compileText(plain, { profile: 'cs_6_0', maximalReconvergence: true });
    expect(text).toContain('OpExtension "SPV_KHR_maximal_reconvergence"');
    expect(text).toMatch(/OpExecutionMode %main (MaximallyReconvergesKHR|6023|Unknown)/);
  });
});

test('images without a format', () => {
  expect(spirv(plain, {})).toContain('R32f');
  const text = spirv(plain, { unknownImageFormat: true });
  expect(text).not.toContain('R32f');
  expect(text).toContain('OpCapability StorageImageReadWithoutFormat');
  const written = plain.replace('RWBuffer', '[[vk::image_format("r16f")]] RWBuffer');
  expect(spirv(written, { unknownImageFormat: true })).toContain('R16f');
});

test('matrices in byte address buffers, row by row', () => {
  const text =
    'ByteAddressBuffer b; RWByteAddressBuffer o; [numthreads(1, 1, 1)] void main() { o.Store(0, b.Load<float2x3>(0)[0].y); }';
  expect(spirv(text, { legacyBufferMatrixOrder: true })).not.toBe(spirv(text, {}));
  expect(spirv(text, { legacyBufferMatrixOrder: true })).toBe(spirv(text, { matrixPacking: 'row_major' }));
});

test('a limit of ids', () => {
  expect(() => compileText(plain, { profile: 'cs_6_0', maxId: 10 })).toThrow('OS5015');
  expect(spirv(plain, { maxId: 1000 })).toBe(spirv(plain, {}));
});
