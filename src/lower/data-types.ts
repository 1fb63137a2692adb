/**
 * Types of values that can lie in memory: handles are settled at compile time, so a struct with opaque members is
 * lowered to one without them, and something wholly opaque to nothing.
 */
import type { StructMember, StructType, Type } from '../types/type.ts';
import { array, hasOpaque, isOpaque } from '../types/type.ts';
import type { Lowering } from './state.ts';

/** The type without its opaque parts; undefined if nothing is left of it. */
export function dataType(l: Lowering, type: Type): Type | undefined {
  if (type.kind === 'void' || isOpaque(type)) return undefined;
  if (!hasOpaque(type)) return type;
  if (type.kind === 'array') {
    const element = dataType(l, type.element);
    return element && array(element, type.size);
  }
  return type.kind === 'struct' ? dataStruct(l, type) : undefined;
}

function dataStruct(l: Lowering, type: StructType): StructType | undefined {
  if (l.dataStructs.has(type)) return l.dataStructs.get(type);
  const members = type.members.flatMap((member): StructMember[] => {
    const part = dataType(l, member.type);
    return part ? [{ ...member, type: part }] : [];
  });
  const reduced = members.length > 0 ? { ...type, members } : undefined;
  l.dataStructs.set(type, reduced);
  return reduced;
}

/** Index of a member in the struct without opaque members. */
export function dataIndex(l: Lowering, type: StructType, index: number): number {
  if (!hasOpaque(type)) return index;
  return type.members.slice(0, index).filter((member) => dataType(l, member.type)).length;
}
