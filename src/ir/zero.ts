/** Zero of a type that can lie in memory. */
import { InternalError } from '../source/diagnostic.ts';
import { scalarBits, scalarClass, type Type } from '../types/type.ts';
import type { Builder } from './builder.ts';
import type { Constant, ScalarValue } from './ir.ts';

export function zeroOf(builder: Builder, type: Type): Constant {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
    case 'matrix':
      return builder.fill(type, zeroScalar(type.kind === 'scalar' ? type : type.element, builder));
    case 'enum':
      return builder.constant(type, 0);
    case 'array':
      return builder.constant(type, new Array<Constant>(type.size).fill(zeroOf(builder, type.element)));
    case 'struct':
      return builder.constant(
        type,
        type.members.map((member) => zeroOf(builder, member.type)),
      );
    default:
      throw new InternalError(`a ${type.kind} has no zero`);
  }
}

function zeroScalar(type: Parameters<typeof scalarClass>[0], { module }: Builder): ScalarValue {
  const kind = scalarClass(type);
  if (kind === 'bool') return false;
  return kind !== 'float' && scalarBits(type, module.enable16BitTypes) === 64 ? 0n : 0;
}
