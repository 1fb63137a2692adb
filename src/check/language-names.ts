/** Names of the language that are neither types nor functions, bound before the program's own. */
import { uintType } from '../types/type.ts';
import type { Context } from './context.ts';
import { bindHeaps } from './heaps.ts';
import { newScope } from './scope.ts';

/** Numbers of SPIR-V's scopes, which DXC offers in the namespace `vk`. */
const scopes: Readonly<Record<string, number>> = {
  CrossDeviceScope: 0,
  DeviceScope: 1,
  WorkgroupScope: 2,
  SubgroupScope: 3,
  InvocationScope: 4,
  QueueFamilyScope: 5,
};

/** Binds the names; a program may declare its own of the same name instead. */
export function bindLanguageNames(context: Context): void {
  const vk = newScope('namespace', context.global);
  vk.name = 'vk';
  for (const [name, value] of Object.entries(scopes))
    vk.names.set(name, { kind: 'enumerator', type: uintType, value });
  context.global.names.set('vk', { kind: 'namespace', scope: vk });
  bindHeaps(context);
}
