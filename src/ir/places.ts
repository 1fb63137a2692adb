/** Where pointers lead. */
import type { PointerType } from '../types/type.ts';
import { partType } from './builder.ts';
import type { Value } from './ir.ts';
import { partCount } from './parts.ts';

/** The steps from the start of a pointer to where it leads, each an opcode or an index. */
function stepsOf(pointer: Value): (string | Value)[] {
  const steps: (string | Value)[] = [];
  for (let at = pointer; at.kind === 'result' && at.instruction.operands.length > 0; ) {
    const { op, operands } = at.instruction;
    if (op !== 'access' && op !== 'buffer_pointer' && op !== 'counter_pointer' && op !== 'texel') break;
    steps.push(...operands.slice(1).reverse());
    if (op !== 'access') steps.push(op);
    at = operands[0]!;
  }
  return steps.reverse();
}

/** False if two pointers into one variable or resource surely lead to different places: a constant index differs. */
export function mayOverlap(a: Value, b: Value): boolean {
  if (a === b) return true;
  const [left, right] = [stepsOf(a), stepsOf(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i]!, right[i]!];
    if (typeof x === 'string' || typeof y === 'string') {
      if (x !== y) return true;
    } else if (x.kind === 'constant' && y.kind === 'constant' && Number(x.value) !== Number(y.value))
      return false;
  }
  return true;
}

/** Whether a pointer into a variable surely leads to a place that is there: each index is a constant below the size. */
export function isInside(pointer: Value): boolean {
  for (let at = pointer; at.kind === 'result' && at.instruction.op === 'access'; ) {
    const [base, ...indices] = at.instruction.operands as [Value, ...Value[]];
    let type = (base.type as PointerType).pointee;
    for (const index of indices) {
      if (index.kind !== 'constant' || !(Number(index.value) >= 0 && Number(index.value) < partCount(type)))
        return false;
      type = partType(type, [Number(index.value)]);
    }
    at = base;
  }
  return true;
}
