/** Which memory layout a buffer has by the family that the options choose (`-fvk-use-*-layout`). */
import type { LayoutFamily } from '../options.ts';
import type { LayoutRule } from './type.ts';

/**
 * `uniform` is for constant buffers, `storage` for everything else with memory. Push constants and texture buffers are
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
