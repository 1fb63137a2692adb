/** Parts of source variables: debug records walk the type as it was written, handles included. */
import { isOpaque, type Type } from '../types/type.ts';
import { partType } from './builder.ts';

/** The path in the source's type of what a path names in the type without opaque parts that the IR has instead. */
export function sourcePath(type: Type, path: readonly number[]): number[] {
  return path.map((index) => {
    const at = type.kind === 'struct' ? sourceMember(type.members, index) : index;
    type = partType(type, [at]);
    return at;
  });
}

function sourceMember(members: readonly { type: Type }[], index: number): number {
  let left = index;
  for (let at = 0; at < members.length; at++) {
    if (!holdsData(members[at]!.type)) continue;
    if (left-- === 0) return at;
  }
  return index;
}

function holdsData(type: Type): boolean {
  if (type.kind === 'array') return holdsData(type.element);
  if (type.kind === 'struct') return type.members.some((member) => holdsData(member.type));
  return type.kind !== 'void' && !isOpaque(type);
}
