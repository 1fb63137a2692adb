/** Which memory layout a buffer has by the family that the options choose (`-fvk-use-*-layout`). */
import type { LayoutFamily } from '../options.ts';
import type { BufferKind, LayoutRule } from './type.ts';

/**
 * `uniform` is for constant buffers, `storage` for everything else with memory. Push constants are
 * laid out as storage, as DXC does.
 */
export function layoutRule(family: LayoutFamily, space: 'uniform' | 'storage' | 'push-constant'): LayoutRule {
  const uniform = space === 'uniform';
  switch (family) {
    case 'vulkan':
      return uniform ? 'vulkan-uniform' : 'vulkan-storage';
    case 'gl':
      return uniform ? 'std140' : 'std430';
    case 'dx':
      return uniform ? 'dx-cbuffer' : 'dx-structured';
    case 'scalar':
      return 'scalar';
  }
}

/** The rule for the contents of a buffer. To FXC texture buffers are constant buffers; elsewhere they are storage. */
export function bufferLayout(family: LayoutFamily, kind: BufferKind): LayoutRule {
  const uniform = kind === 'ConstantBuffer' || (kind === 'TextureBuffer' && family === 'dx');
  return layoutRule(family, uniform ? 'uniform' : 'storage');
}
