/** Debug values of whole structs, arrays and matrices, told part by part where the whole is about to go. */
import { instructionLike } from './instruction.ts';
import { partType } from './builder.ts';
import type { Block, DebugVariable, Function as IrFunction, Instruction, Value } from './ir.ts';
import { knownPart, partCount } from './parts.ts';
import { walkFunction } from './walk.ts';
import type { Type } from '../types/type.ts';

/** Parts that one record becomes. */
const mostParts = 64;

/**
 * Splits the records of a variable into its vectors and scalars if the value of one of them is gone, while parts of it live on; then
 * those of its vectors into their components. All records of a part are split alike, for readers keep what a record of the whole has
 * said beside those of parts; so nothing is split if a whole value that lives is not made of its parts.
 *
 *     %m: Material = construct %a, 0.5          debug_value $m, %a [0]
 *     debug_value $m, %m                        debug_value $m, 0.5 [1]
 */
export function splitDeadRecords(fn: IrFunction, isLive: (value: Value) => boolean): void {
  if (!hasDeadWhole(fn.body, isLive)) return;
  splitBy(partCount, fn, isLive, () => true);
  // Readers are better at whole vectors, so a vector that code computes is told as one. A constant is as good in parts.
  const isComputed = (value: Value): boolean =>
    value.kind !== 'undef' && value.kind !== 'constant' && isLive(value);
  splitBy(componentCount, fn, isLive, (records) => !records.some(({ operands }) => isComputed(operands[0]!)));
}

/**
 * Splits the records of a struct or array into those of its members and elements if one of its values is a constant and each one is made
 * of parts: readers know no names of what a constant has in it.
 *
 *     debug_value $p, { 1, 2 }                  debug_value $p, 1 [0]
 *                                               debug_value $p, 2 [1]
 */
export function splitConstantRecords(fn: IrFunction): void {
  const count: Count = (type) => (type.kind === 'matrix' ? 0 : partCount(type));
  const replaced = new Map<Instruction, Instruction[]>();
  for (const records of wholes(fn, count)) {
    const [first] = records as [Instruction];
    if (!records.some(({ operands }) => operands[0]!.kind === 'constant')) continue;
    const paths = leavesOf(first.operands[0]!.type, count, mostParts);
    const parts = records.map((record) => paths && partsOf(record, paths, () => true));
    if (!parts.every((list) => list !== undefined)) continue;
    records.forEach((record, i) => {
      replaced.set(record, parts[i]!);
    });
  }
  if (replaced.size > 0) replaceRecords(fn.body, replaced);
}

/** Mostly there is none, and no more to do. */
function hasDeadWhole({ instructions }: Block, isLive: (value: Value) => boolean): boolean {
  for (let i = 0; i < instructions.length; i++) {
    const { op, operands, blocks } = instructions[i]!;
    if (op === 'debug_value') {
      const { type } = operands[0]!;
      if ((type.kind === 'vector' || partCount(type) > 0) && !isLive(operands[0]!)) return true;
    } else for (let n = 0; n < blocks.length; n++) if (hasDeadWhole(blocks[n]!, isLive)) return true;
  }
  return false;
}

/** How many parts the values of a type have, as records are split; 0 for what stays whole. */
type Count = (type: Type) => number;

/** A vector of one is a scalar to targets. */
const componentCount: Count = (type) => (type.kind === 'vector' && type.count > 1 ? type.count : 0);

function splitBy(
  count: Count,
  fn: IrFunction,
  isLive: (value: Value) => boolean,
  isWanted: (records: readonly Instruction[]) => boolean,
): void {
  const replaced = new Map<Instruction, Instruction[]>();
  for (const records of wholes(fn, count)) {
    if (records.every(({ operands }) => isLive(operands[0]!)) || !isWanted(records)) continue;
    const paths = leavesOf(records[0]!.operands[0]!.type, count, mostParts);
    if (!paths) continue;
    const parts = records.map((record) => partsOf(record, paths, isLive));
    const isWorth = parts.some(
      (list, i) =>
        !isLive(records[i]!.operands[0]!) && list?.some(({ operands }) => tells(operands[0]!, isLive)),
    );
    if (!isWorth || !parts.every((list) => list !== undefined)) continue;
    records.forEach((record, i) => {
      replaced.set(record, parts[i]!);
    });
  }
  if (replaced.size > 0) replaceRecords(fn.body, replaced);
}

/** Whether a value, or a component of it, lives. */
function tells(value: Value, isLive: (value: Value) => boolean): boolean {
  if (value.kind === 'undef' || isLive(value)) return value.kind !== 'undef';
  return Array.from({ length: componentCount(value.type) }, (_, index) => knownPart(value, [index])).some(
    (part) => part.path.length === 0 && tells(part.value, isLive),
  );
}

/** Records of values that have parts, by the part of a variable that they are about. */
function wholes(fn: IrFunction, count: Count): Instruction[][] {
  const groups = new Map<DebugVariable, Map<string, Instruction[]>>();
  walkFunction(fn, (instruction) => {
    if (instruction.op !== 'debug_value' || count(instruction.operands[0]!.type) === 0) return;
    const variable = instruction.variable!;
    const known = groups.get(variable) ?? new Map<string, Instruction[]>();
    groups.set(variable, known);
    const key = (instruction.indices ?? []).join();
    const records = known.get(key);
    if (records) records.push(instruction);
    else known.set(key, [instruction]);
  });
  return [...groups.values()].flatMap((known) => [...known.values()]);
}

/** Paths of the parts that have no parts themselves; undefined if they are more than `most`. */
function leavesOf(type: Type, count: Count, most: number): number[][] | undefined {
  const parts = count(type);
  if (parts === 0) return [[]];
  if (parts > most) return undefined;
  const paths: number[][] = [];
  for (let index = 0; index < parts; index++) {
    const inner = leavesOf(partType(type, [index]), count, most - paths.length);
    if (!inner) return undefined;
    paths.push(...inner.map((path) => [index, ...path]));
  }
  return paths.length > most ? undefined : paths;
}

/** The record part by part; undefined if its value lives and is not made of parts. */
function partsOf(
  record: Instruction,
  paths: readonly (readonly number[])[],
  isLive: (value: Value) => boolean,
): Instruction[] | undefined {
  const whole = record.operands[0]!;
  const prefix = record.indices ?? [];
  const parts: Instruction[] = [];
  for (const path of paths) {
    const found = knownPart(whole, path);
    const isKnown = found.path.length === 0 && isLive(found.value);
    if (!isKnown && isLive(whole)) return undefined;
    // A vector may still have components that live.
    const value: Value =
      found.path.length === 0 ? found.value : { kind: 'undef', type: partType(whole.type, path) };
    const part = instructionLike(record, [value], record.position);
    part.indices = [...prefix, ...path];
    parts.push(part);
  }
  return parts;
}

/** Puts other records, or none, in the place of records. */
export function replaceRecords(
  block: Block,
  replaced: ReadonlyMap<Instruction, readonly Instruction[]>,
): void {
  const old = block.instructions;
  /** Absent as long as it would be the same as before. */
  let out: Instruction[] | undefined;
  for (let i = 0; i < old.length; i++) {
    const instruction = old[i]!;
    const { blocks } = instruction;
    for (let n = 0; n < blocks.length; n++) replaceRecords(blocks[n]!, replaced);
    const parts = instruction.op === 'debug_value' ? replaced.get(instruction) : undefined;
    if (parts) {
      out ??= old.slice(0, i);
      for (const part of parts) out.push(part);
    } else out?.push(instruction);
  }
  if (out) block.instructions = out;
}
