import { type Intrinsic, keep } from '../intrinsics/intrinsic.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import { Builder } from '../ir/builder.ts';
import type { Block, Instruction, Module, Value } from '../ir/ir.ts';
import { resolve, resolveOperands } from '../ir/rewrite.ts';
import { InternalError } from '../source/diagnostic.ts';
import { type MatrixType, type Type, rowType } from '../types/type.ts';

/**
 * Replaces calls of intrinsics whose row says how by other IR, until only calls are left that targets spell themselves. A call
 * on matrices becomes a call per row first, unless the row takes matrices whole.
 *
 *     %a: float3 = intrinsic "saturate" %x      %a: float3 = intrinsic "clamp" %x, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
 *
 * Positions: everything takes the call's.
 */
export function expandIntrinsics(module: Module): boolean {
  const work: Work = { builder: new Builder(module), replaced: new Map(), changed: false };
  for (const fn of module.functions) expandBlock(fn.body, work);
  return work.changed;
}

interface Work {
  builder: Builder;
  /** What stands for results of calls that are gone. Uses come behind definitions, so one walk settles all. */
  replaced: Map<Value, Value>;
  changed: boolean;
}

function expandBlock(block: Block, work: Work): void {
  const old = block.instructions;
  block.instructions = [];
  for (let i = 0; i < old.length; i++) expandInto(block.instructions, old[i]!, work);
}

function expandInto(out: Instruction[], instruction: Instruction, work: Work): void {
  const { operands } = instruction;
  resolveOperands(instruction, work.replaced);
  if (instruction.blocks.length > 0) for (const block of instruction.blocks) expandBlock(block, work);
  const made = instruction.op === 'intrinsic' ? expansionOf(instruction, work) : undefined;
  if (!made) {
    out.push(instruction);
    return;
  }
  work.changed = true;
  // What was made may call rows that have expansions too.
  for (const each of made.instructions) expandInto(out, each, work);
  const result = instruction.results[0];
  if (!result) return;
  if (!made.value) throw new InternalError(`the expansion of '${instruction.intrinsic}' gives no value`);
  const value = resolve(made.value, work.replaced);
  // The name goes to what is new, not to an operand that is handed through.
  if (value.kind === 'result' && !operands.includes(value) && result.name !== undefined)
    value.name ??= result.name;
  work.replaced.set(result, value);
}

/** The instructions that the call becomes; undefined if it stays. */
function expansionOf(
  instruction: Instruction,
  { builder }: Work,
): { instructions: Instruction[]; value: Value | undefined } | undefined {
  const row = intrinsicOf(instruction);
  // A matrix in a buffer is one element of it.
  const rows = row.wholeMatrix || row.objects ? undefined : matrixRows(instruction);
  if (rows === undefined && !row.expand) return undefined;
  const block = builder.newBlock();
  builder.at(instruction.position).into(block);
  builder.precise = instruction.precise ?? false;
  const value =
    rows === undefined
      ? row.expand?.(builder, instruction.operands, instruction)
      : byRow(builder, row, rows, instruction);
  builder.precise = false;
  if (value === keep) return undefined;
  return { instructions: block.instructions, value };
}

function matrixBehind(type: Type): MatrixType | undefined {
  const held = type.kind === 'pointer' ? type.pointee : type;
  return held.kind === 'matrix' ? held : undefined;
}

/** How many rows the matrices have that the call takes or gives. */
function matrixRows(instruction: Instruction): number | undefined {
  for (const { type } of [...instruction.operands, ...instruction.results]) {
    const matrix = matrixBehind(type);
    if (matrix) return matrix.rows;
  }
  return undefined;
}

/** The call for each row of its matrices; other operands go to each. */
function byRow(builder: Builder, row: Intrinsic, count: number, instruction: Instruction): Value | undefined {
  const type = instruction.results[0]?.type;
  const result = type?.kind === 'matrix' ? rowType(type) : undefined;
  if (type && !result) throw new InternalError(`'${row.key}' makes a '${type.kind}' of a matrix`);
  const results: Value[] = [];
  for (let index = 0; index < count; index++) {
    const args = instruction.operands.map((operand) => {
      if (!matrixBehind(operand.type)) return operand;
      return operand.type.kind === 'pointer'
        ? builder.access(operand, builder.int(index))
        : builder.extract(operand, index);
    });
    const made = builder.intrinsic(row.key, result ?? { kind: 'void' }, args);
    if (made) results.push(made);
  }
  return type && builder.construct(type, results);
}
