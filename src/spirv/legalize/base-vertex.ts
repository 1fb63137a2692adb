/**
 * `-fvk-support-nonzero-base-vertex`: SV_VertexID without the base vertex that Vulkan's VertexIndex includes.
 *
 * Positions: that of the load.
 */
import type { Module } from '../../ir/ir.ts';
import { withoutBase } from '../without-base.ts';

export function baseVertex(module: Module): void {
  withoutBase(module, 'SV_VertexID', 'SV_StartVertexLocation');
}
