/** Messages of the SPIR-V backend, OS5xxx. */
import type { Message } from '../diagnostic.ts';

export const spirvMessages = () =>
  ({
    'needs-target-env': {
      code: 'OS5001',
      severity: 'error',
      text: '{what} needs {needed} or later; the target environment is {env}',
    },
    'extension-not-allowed': {
      code: 'OS5002',
      severity: 'error',
      text: "this needs the SPIR-V extension '{extension}', which -fspv-extension does not allow",
    },
    'extension-unknown': {
      code: 'OS5017',
      severity: 'error',
      text: "-fspv-extension names '{extension}', which is no extension that a shader can need",
    },
    'spirv-unsupported-intrinsic': {
      code: 'OS5003',
      severity: 'error',
      text: "'{name}' cannot be written as SPIR-V for Vulkan yet",
    },
    'spirv-unsupported-stage': {
      code: 'OS5004',
      severity: 'error',
      text: 'the {stage} stage cannot be written as SPIR-V yet',
    },
    'spirv-unsupported-system-value': {
      code: 'OS5005',
      severity: 'error',
      text: "'{name}' is not available as {direction} of the {stage} stage in Vulkan",
    },
    'spirv-unknown-image-format': {
      code: 'OS5006',
      severity: 'error',
      text: "unknown image format '{format}'",
    },
    'spirv-constant-offset-needed': {
      code: 'OS5007',
      severity: 'error',
      text: "the offset of '{name}' must be a constant",
    },
    'spirv-texel-element': {
      code: 'OS5009',
      severity: 'error',
      text: "elements of type '{type}' cannot be read from or written to textures and typed buffers",
    },
    'spirv-atomic-type': {
      code: 'OS5010',
      severity: 'error',
      text: "'{name}' does not work on '{type}' in Vulkan",
    },
    'spirv-unsupported-resource': {
      code: 'OS5011',
      severity: 'error',
      text: "resources of type '{type}' cannot be written as SPIR-V yet",
    },
    'spirv-wide-function': {
      code: 'OS5013',
      severity: 'error',
      text: "'{name}' is not available for 64-bit operands in Vulkan",
    },
    'spirv-derivative-group': {
      code: 'OS5014',
      severity: 'error',
      text: 'derivatives in a compute shader need numthreads with x a multiple of 4 and y and z 1, or x and y multiples of 2',
    },
    'spirv-too-many-ids': {
      code: 'OS5015',
      severity: 'error',
      text: 'the module has {count} ids, and -fspv-max-id allows {limit}',
    },
  }) as const satisfies Record<string, Message>;
