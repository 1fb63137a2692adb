import { isPure } from '../intrinsics/effects.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import { hashOf, isEqual, Numbers } from '../ir/equal-code.ts';
import type { Block, Instruction, Module, Value } from '../ir/ir.ts';
import { resolveOperands } from '../ir/rewrite.ts';

/**
 * Replaces an instruction by an equal one that dominates it. Instructions are equal if they depend on their operands alone
 * and these are equal; operands of commutative ones may stand in either order. What depends on neighbouring invocations
 * (derivatives, sampling with them) is only merged within one block, where the same invocations are active.
 *
 *     %a: float = mul %x, %y           %a: float = mul %x, %y
 *     %b: float = mul %y, %x           %c: float = add %a, %a
 *     %c: float = add %a, %b
 *
 * Positions: the survivor keeps its own; debug values move to it.
 */
export function cse(module: Module): boolean {
  const numbers = new Numbers();
  let changed = false;
  for (const fn of module.functions) {
    const work: Work = { numbers, known: new Map(), replaced: new Map() };
    cseBlock(fn.body, work);
    if (work.replaced.size > 0) changed = true;
  }
  return changed;
}

/** Instructions by a hash of what makes them equal, the last ones first. */
type Known = Map<number, Entry>;
interface Entry {
  instruction: Instruction;
  next: Entry | undefined;
}

interface Work {
  numbers: Numbers;
  /** What can be used at the place that is looked at. */
  known: Known;
  replaced: Map<Value, Value>;
}

function cseBlock(block: Block, work: Work): void {
  const { known, replaced, numbers } = work;
  const added: number[] = [];
  /** Only for this block. */
  let local: Known | undefined;
  const old = block.instructions;
  /** Absent as long as nothing goes. */
  let out: Instruction[] | undefined;
  for (let i = 0; i < old.length; i++) {
    const instruction = old[i]!;
    resolveOperands(instruction, replaced);
    const { blocks } = instruction;
    for (let n = 0; n < blocks.length; n++) cseBlock(blocks[n]!, work);
    // Invocations may be fewer from here on.
    if (instruction.op === 'discard') local = undefined;
    const reach = reachOf(instruction);
    const where = reach === 'block' ? (local ??= new Map()) : reach && known;
    if (where) {
      const hash = hashOf(instruction, numbers);
      const first = where.get(hash);
      let earlier = first;
      while (earlier && !isEqual(earlier.instruction, instruction, numbers)) earlier = earlier.next;
      if (earlier) {
        replaced.set(instruction.results[0]!, earlier.instruction.results[0]!);
        out ??= old.slice(0, i);
        continue;
      }
      where.set(hash, { instruction, next: first });
      if (where === known) added.push(hash);
    }
    out?.push(instruction);
  }
  if (out) block.instructions = out;
  for (const hash of added) {
    const { next } = known.get(hash)!;
    if (next) known.set(hash, next);
    else known.delete(hash);
  }
}

/** Where equal ones of the instruction may stand; undefined if it must not be merged. */
function reachOf(instruction: Instruction): 'block' | 'function' | undefined {
  if (instruction.results.length !== 1 || instruction.blocks.length > 0) return undefined;
  if (isPure(instruction)) return 'function';
  if (instruction.op !== 'intrinsic' || intrinsicOf(instruction).effects !== 'derivative') return undefined;
  const writes = instruction.operands.some(
    ({ type }) => type.kind === 'pointer' && type.space !== 'resource',
  );
  return writes ? undefined : 'block';
}
