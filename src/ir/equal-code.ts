/** Which instructions compute the same: a hash to find them by, and the comparison. */
import { type Type, typeKey } from '../types/type.ts';
import { none } from './instruction.ts';
import type { Constant, Instruction, Value } from './ir.ts';
import { opcodeRow } from './walk.ts';

/** Mixes a number into a hash of 32 bits. */
function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}

/** A hash of what makes an instruction with one result equal to others. */
export function hashOf(instruction: Instruction, numbers: Numbers): number {
  const { op, operands, results, intrinsic, indices, precise } = instruction;
  let hash = mixed(numbers.ofName(intrinsic ?? op), numbers.ofType(results[0]!.type));
  if (precise) hash = mixed(hash, 1);
  if (indices) for (const index of indices) hash = mixed(hash, index);
  // In either order the same.
  if (opcodeRow(instruction).commutes)
    return mixed(hash, numbers.of(operands[0]!) + numbers.of(operands[1]!)) | 0;
  for (let i = 0; i < operands.length; i++) hash = mixed(hash, numbers.of(operands[i]!));
  return hash | 0;
}

/** Whether two give the same, if both depend on their operands alone. */
export function isEqual(a: Instruction, b: Instruction, numbers: Numbers): boolean {
  if (a.op !== b.op || a.intrinsic !== b.intrinsic || a.precise !== b.precise) return false;
  if (a.results[0]!.type !== b.results[0]!.type || a.operands.length !== b.operands.length) return false;
  if (!arePathsEqual(a.indices ?? none, b.indices ?? none)) return false;
  const isSame = (left: Value, right: Value): boolean =>
    left === right || numbers.of(left) === numbers.of(right);
  if (a.operands.every((operand, i) => isSame(operand, b.operands[i]!))) return true;
  if (!opcodeRow(a).commutes) return false;
  return isSame(a.operands[0]!, b.operands[1]!) && isSame(a.operands[1]!, b.operands[0]!);
}

function arePathsEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((index, i) => index === b[i]);
}

/** Numbers of values; equal constants have equal ones. */
export class Numbers {
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
