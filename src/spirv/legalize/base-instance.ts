/**
 * `-fvk-support-nonzero-base-instance`: SV_InstanceID starts at 0 in Direct3D, Vulkan's InstanceIndex at the base instance,
 * which is taken off.
 *
 * Positions: that of the load.
 */
import type { Module } from '../../ir/ir.ts';
import { withoutBase } from '../without-base.ts';

export function baseInstance(module: Module): void {
  withoutBase(module, 'SV_InstanceID', 'SV_StartInstanceLocation');
}
