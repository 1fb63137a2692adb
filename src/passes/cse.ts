import { isPure } from '../intrinsics/effects.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Block, Constant, Function as IrFunction, Instruction, Module, Value } from '../ir/ir.ts';
import { resolve } from '../ir/rewrite.ts';
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
export function cse(module: Module): void {
  const numbers = new Numbers();
  for (const fn of module.functions) cseFunction(fn, numbers);
}

interface Work {
  numbers: Numbers;
  /** What can be used at the place that is looked at. */
  known: Map<string, Instruction>;
  replaced: Map<Value, Value>;
}

function cseFunction(fn: IrFunction, numbers: Numbers): void {
  cseBlock(fn.body, { numbers, known: new Map(), replaced: new Map() });
}

function cseBlock(block: Block, work: Work): void {
  const { known, replaced } = work;
  const added: string[] = [];
  /** Only for this block. */
  const local = new Map<string, Instruction>();
  block.instructions = block.instructions.filter((instruction) => {
    const { operands } = instruction;
    for (let i = 0; i < operands.length; i++) operands[i] = resolve(operands[i]!, replaced);
    for (const inner of instruction.blocks) cseBlock(inner, work);
    // Invocations may be fewer from here on.
    if (instruction.op === 'discard') local.clear();
    const where = placeFor(instruction, known, local);
    if (!where) return true;
    const key = keyOf(instruction, work.numbers);
    const earlier = where.get(key);
    if (!earlier) {
      where.set(key, instruction);
      if (where === known) added.push(key);
      return true;
    }
    replaced.set(instruction.results[0]!, earlier.results[0]!);
    return false;
  });
  for (const key of added) known.delete(key);
}

/** Where equal ones of the instruction are to be found; undefined if it must not be merged. */
function placeFor(
  instruction: Instruction,
  known: Map<string, Instruction>,
  local: Map<string, Instruction>,
): Map<string, Instruction> | undefined {
  if (instruction.results.length !== 1 || instruction.blocks.length > 0) return undefined;
  if (isPure(instruction)) return known;
  if (instruction.op !== 'intrinsic' || intrinsicOf(instruction).effects !== 'derivative') return undefined;
  const writes = instruction.operands.some(
    ({ type }) => type.kind === 'pointer' && type.space !== 'resource',
  );
  return writes ? undefined : local;
}

function keyOf(instruction: Instruction, numbers: Numbers): string {
  const { op, operands, results, intrinsic, indices, precise } = instruction;
  const ids = operands.map((operand) => numbers.of(operand));
  if (opcodeRow(instruction).commutes) ids.sort((a, b) => a - b);
  const rest = `${intrinsic ?? ''}${indices ? `[${indices.join()}]` : ''}${precise ? '!' : ''}`;
  return `${op}${rest}:${numbers.ofType(results[0]!.type)}:${ids.join()}`;
}

/** Numbers of values; equal constants have equal ones. */
class Numbers {
  readonly #values = new Map<Value, number>();
  readonly #constants = new Map<string, number>();
  readonly #types = new Map<Type, number>();
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
