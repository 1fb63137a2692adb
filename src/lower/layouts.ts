/** Which layout rule the memory behind each kind of buffer has, by `-fvk-use-*-layout`. */
import type { LayoutFamily } from '../options.ts';
import type { LayoutRule } from '../types/type.ts';

interface Layouts {
  uniform: LayoutRule;
  storage: LayoutRule;
  /** As DXC: push constants lie like storage buffers. */
  pushConstant: LayoutRule;
}

const layouts: Readonly<Record<LayoutFamily, Layouts>> = {
  vulkan: { uniform: 'vulkan-uniform', storage: 'vulkan-storage', pushConstant: 'vulkan-storage' },
  gl: { uniform: 'std140', storage: 'std430', pushConstant: 'std430' },
  dx: { uniform: 'dx-cbuffer', storage: 'dx-structured', pushConstant: 'dx-structured' },
  scalar: { uniform: 'scalar', storage: 'scalar', pushConstant: 'scalar' },
};

export function layoutsOf(family: LayoutFamily): Layouts {
  return layouts[family];
}
