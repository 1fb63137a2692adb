/** What may run where the source would not have run it, and what that costs. */
import type { Instruction, Value } from '../ir/ir.ts';
import { isPure, rootOf } from './effects.ts';
import { intrinsicOf } from './table.ts';

/** Intrinsics that are one short instruction everywhere. */
const cheapIntrinsics: ReadonlySet<string> = new Set([
  'abs',
  'ceil',
  'clamp',
  'dot',
  'floor',
  'frac',
  'isinf',
  'isnan',
  'mad',
  'max',
  'min',
  'round',
  'saturate',
  'sign',
  'step',
  'trunc',
]);

/**
 * The cost of running an instruction in vain, about in instructions of one component; undefined if it must not be run: it has
 * effects, depends on the invocations that are active, or reads memory that may not be there.
 */
export function speculationCost(instruction: Instruction): number | undefined {
  if (!isPure(instruction)) return undefined;
  switch (instruction.op) {
    case 'load':
      return readsFixedPlace(instruction.operands[0]!) ? 1 : undefined;
    case 'intrinsic':
      if (intrinsicOf(instruction).objects) return undefined;
      return cheapIntrinsics.has(instruction.intrinsic!) ? 1 : 12;
    case 'div':
    case 'rem':
      return 6;
    case 'extract':
    case 'swizzle':
    case 'construct':
    case 'splat':
    case 'access':
    case 'buffer_pointer':
    case 'bitcast':
      return 0;
    default:
      return 1;
  }
}

/** Memory that is there whatever the program does: a part at constant indices of one buffer or input. */
function readsFixedPlace(pointer: Value): boolean {
  for (let at = pointer; at.kind === 'result'; at = at.instruction.operands[0]!) {
    const { op, operands } = at.instruction;
    if (op === 'access') {
      if (operands.slice(1).some(({ kind }) => kind !== 'constant')) return false;
    } else if (op !== 'buffer_pointer' || operands.length > 1) return false;
  }
  const { type } = rootOf(pointer);
  return type.kind === 'pointer' && type.pointee.kind !== 'array';
}
