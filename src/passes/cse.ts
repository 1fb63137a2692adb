import { isPure } from '../intrinsics/effects.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Block, Constant, Instruction, Module, Value } from '../ir/ir.ts';
import { resolveOperands } from '../ir/rewrite.ts';
import { opcodeRow } from '../ir/walk.ts';
import { type Type, typeKey } from '../types/type.ts';

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
  const local: Known = new Map();
  const old = block.instructions;
  /** Absent as long as nothing goes. */
  let out: Instruction[] | undefined;
  for (let i = 0; i < old.length; i++) {
    const instruction = old[i]!;
    resolveOperands(instruction, replaced);
    for (const inner of instruction.blocks) cseBlock(inner, work);
    // Invocations may be fewer from here on.
    if (instruction.op === 'discard') local.clear();
    const where = placeFor(instruction, known, local);
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

/** Where equal ones of the instruction are to be found; undefined if it must not be merged. */
function placeFor(instruction: Instruction, known: Known, local: Known): Known | undefined {
  if (instruction.results.length !== 1 || instruction.blocks.length > 0) return undefined;
  if (isPure(instruction)) return known;
  if (instruction.op !== 'intrinsic' || intrinsicOf(instruction).effects !== 'derivative') return undefined;
  const writes = instruction.operands.some(
    ({ type }) => type.kind === 'pointer' && type.space !== 'resource',
  );
  return writes ? undefined : local;
}

/** Mixes a number into a hash of 32 bits. */
function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}

function hashOf(instruction: Instruction, numbers: Numbers): number {
  const { op, operands, results, intrinsic, indices, precise } = instruction;
  let hash = mixed(numbers.ofName(intrinsic ?? op), numbers.ofType(results[0]!.type));
  if (precise) hash = mixed(hash, 1);
  if (indices) for (const index of indices) hash = mixed(hash, index);
  // In either order the same.
  if (opcodeRow(instruction).commutes)
    return mixed(hash, numbers.of(operands[0]!) + numbers.of(operands[1]!)) | 0;
  for (const operand of operands) hash = mixed(hash, numbers.of(operand));
  return hash | 0;
}

function isEqual(a: Instruction, b: Instruction, numbers: Numbers): boolean {
  if (a.op !== b.op || a.intrinsic !== b.intrinsic || a.precise !== b.precise) return false;
  if (a.results[0]!.type !== b.results[0]!.type || a.operands.length !== b.operands.length) return false;
  const [x, y] = [a.indices ?? [], b.indices ?? []];
  if (x.length !== y.length || x.some((index, i) => index !== y[i])) return false;
  const isSame = (left: Value, right: Value): boolean =>
    left === right || numbers.of(left) === numbers.of(right);
  if (a.operands.every((operand, i) => isSame(operand, b.operands[i]!))) return true;
  if (!opcodeRow(a).commutes) return false;
  return isSame(a.operands[0]!, b.operands[1]!) && isSame(a.operands[1]!, b.operands[0]!);
}

/** Numbers of values; equal constants have equal ones. */
class Numbers {
  readonly #values = new Map<Value, number>();
  readonly #constants = new Map<string, number>();
  readonly #types = new Map<Type, number>();
  readonly #names = new Map<string, number>();
  #next = 0;

  of(value: Value): number {
    let number = this.#values.get(value);
    if (number === undefined) {
      number =
        value.kind === 'constant' || value.kind === 'undef' ? this.#ofText(this.#text(value)) : this.#next++;
      this.#values.set(value, number);
    }
    return number;
  }

  ofType(type: Type): number {
    let number = this.#types.get(type);
    if (number === undefined) {
      number = this.#types.size;
      this.#types.set(type, number);
    }
    return number;
  }

  /** Of an opcode or intrinsic. */
  ofName(name: string): number {
    let number = this.#names.get(name);
    if (number === undefined) {
      number = this.#names.size;
      this.#names.set(name, number);
    }
    return number;
  }

  #ofText(text: string): number {
    let number = this.#constants.get(text);
    if (number === undefined) {
      number = this.#next++;
      this.#constants.set(text, number);
    }
    return number;
  }

  #text(value: Constant | { kind: 'undef'; type: Type }): string {
    const type = typeKey(value.type);
    if (value.kind === 'undef') return `undef ${type}`;
    if (typeof value.value === 'object') return `${type}(${value.value.map((part) => this.of(part)).join()})`;
    return `${type} ${typeof value.value} ${Object.is(value.value, -0) ? '-0' : String(value.value)}`;
  }
}
