/** Debug values of the parts of a value that lives, told as one of the whole, where code does not take the parts out. */
import type { PositionId, PositionTable } from '../source/position.ts';
import { partOf as typeOfPart, partType } from './builder.ts';
import { replaceRecords } from './debug-parts.ts';
import { partOf } from './debug-scopes.ts';
import { instructionLike } from './instruction.ts';
import type { Block, DebugVariable, Function as IrFunction, Instruction, Value } from './ir.ts';
import type { Opcode } from './opcodes.ts';
import { componentsOrParts, knownPart } from './parts.ts';
import { isDebug } from './uses.ts';
import type { Type } from '../types/type.ts';

/**
 * Joins records of parts if some of these are taken out of a value that lives, by instructions that nothing else needs: the value
 * itself tells them all. Records of one assignment stand together. All those of a variable are joined alike, for readers keep what
 * a record of the whole has said beside those of parts; so nothing is joined if one assignment is of a part alone, or is of parts
 * that are no whole.
 *
 *     %r: float4 = extract %m [0]               debug_value $m, %m
 *     debug_value $m, %r [0]
 *     %s: float4 = extract %m [1]
 *     debug_value $m, %s [1]
 */
export function joinDeadParts(
  fn: IrFunction,
  positions: PositionTable,
  isLive: (value: Value) => boolean,
): void {
  if (!hasDeadPart(fn.body, isLive)) return;
  const copies = collectCopies(fn, positions);
  const changed = new Map<Instruction, Instruction[]>();
  for (const copy of copies) {
    for (const prefix of prefixesOf(copy, isLive)) joinAll(copy, prefix, isLive, changed);
  }
  if (changed.size > 0) replaceRecords(fn.body, changed);
}

/** A variable in one inlined copy of its function: its records, those of one assignment in one list. */
interface Copy {
  variable: DebugVariable;
  assignments: Instruction[][];
}

/** Mostly there is none, and no more to do. */
function hasDeadPart({ instructions }: Block, isLive: (value: Value) => boolean): boolean {
  return instructions.some(({ op, operands, blocks, indices }) => {
    if (op !== 'debug_value') return blocks.some((inner) => hasDeadPart(inner, isLive));
    return indices!.length > 0 && isDeadPart(operands[0]!, isLive);
  });
}

function isDeadPart(value: Value, isLive: (value: Value) => boolean): boolean {
  return value.kind === 'result' && value.instruction.op === 'extract' && !isLive(value);
}

// ---- assignments

function collectCopies(fn: IrFunction, positions: PositionTable): Copy[] {
  const copies = new Map<DebugVariable, Map<PositionId, Copy>>();
  const visit = ({ instructions }: Block): void => {
    /** Assignments that stand together with the instruction before. */
    let open = new Map<Copy, Instruction[]>();
    let position: PositionId = 0;
    for (const instruction of instructions) {
      if (instruction.position !== position || !staysTogether(instruction)) open = new Map();
      position = instruction.position;
      for (const inner of instruction.blocks) visit(inner);
      if (instruction.op !== 'debug_value') continue;
      const copy = copyOf(copies, positions, instruction);
      const assignment = open.get(copy);
      if (assignment && !assignment.some((other) => overlap(other.indices!, instruction.indices!)))
        assignment.push(instruction);
      else {
        const begun = [instruction];
        copy.assignments.push(begun);
        open.set(copy, begun);
      }
    }
  };
  visit(fn.body);
  return [...copies.values()].flatMap((known) => [...known.values()]);
}

/** Nothing happens between records but that parts are taken out. */
function staysTogether(instruction: Instruction): boolean {
  return isDebug(instruction) || instruction.op === 'extract';
}

function copyOf(
  copies: Map<DebugVariable, Map<PositionId, Copy>>,
  positions: PositionTable,
  record: Instruction,
): Copy {
  const { variable, inlinedAt } = partOf(positions, record);
  let known = copies.get(variable);
  if (!known) {
    known = new Map();
    copies.set(variable, known);
  }
  let copy = known.get(inlinedAt);
  if (!copy) {
    copy = { variable, assignments: [] };
    known.set(inlinedAt, copy);
  }
  return copy;
}

function overlap(a: readonly number[], b: readonly number[]): boolean {
  const count = Math.min(a.length, b.length);
  return startsWith(a, b.slice(0, count));
}

function startsWith(path: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((index, i) => path[i] === index);
}

// ---- wholes

/** A value, or a part of it that has no instruction. */
interface Source {
  value: Value;
  path: readonly number[];
}

function sourceOf(value: Value): Source {
  let path: readonly number[] = [];
  while (value.kind === 'result' && value.instruction.op === 'extract') {
    path = [...value.instruction.indices!, ...path];
    value = value.instruction.operands[0]!;
  }
  return value.kind === 'constant' || value.kind === 'undef' ? knownPart(value, path) : { value, path };
}

/** Parts of the variable that are as long as a value that lives and that dead parts are taken out of. */
function prefixesOf({ variable, assignments }: Copy, isLive: (value: Value) => boolean): number[][] {
  const prefixes = new Map<string, number[]>();
  for (const { operands, indices } of assignments.flat()) {
    if (!isDeadPart(operands[0]!, isLive)) continue;
    const { value, path } = sourceOf(operands[0]!);
    const length = indices!.length - path.length;
    if (length < 0 || !isLive(value) || !startsWith(indices!.slice(length), path)) continue;
    const prefix = indices!.slice(0, length);
    if (partType(variable.type, prefix) === value.type) prefixes.set(prefix.join(), prefix);
  }
  return [...prefixes.values()];
}

/** Joins the records of a part of a variable, if all of them can be. */
function joinAll(
  { variable, assignments }: Copy,
  prefix: readonly number[],
  isLive: (value: Value) => boolean,
  changed: Map<Instruction, Instruction[]>,
): void {
  const type = partType(variable.type, prefix);
  const joined: [Instruction[], Value][] = [];
  for (const assignment of assignments) {
    const records = assignment.filter(({ indices }) => overlap(indices!, prefix));
    if (records.length === 0) continue;
    if (records.some((record) => changed.has(record) || !startsWith(record.indices!, prefix))) return;
    const [only] = records as [Instruction];
    if (only.indices!.length === prefix.length) continue;
    const whole = wholeOf(records, prefix, type);
    if (!whole || whole.path.length > 0) return;
    // What cannot be told as a whole is not lost where parts of it live. SPIR-V tells a matrix by its rows, if code has these.
    if (
      (!isLive(whole.value) || (hasMatrix(type) && !isMadeByRows(whole.value))) &&
      records.some(({ operands: [value] }) => value!.kind !== 'undef' && isLive(value!))
    )
      return;
    joined.push([records, whole.value]);
  }
  for (const [records, value] of joined) {
    const [first, ...rest] = records as [Instruction, ...Instruction[]];
    const one = instructionLike(first, [value], first.position);
    one.indices = prefix;
    changed.set(first, [one]);
    for (const record of rest) changed.set(record, []);
  }
}

/** Opcodes that SPIR-V has for vectors alone. */
const byRows: ReadonlySet<Opcode> = new Set<Opcode>(['add', 'sub', 'div', 'rem', 'neg', 'convert', 'select']);

function isMadeByRows(value: Value): boolean {
  return value.kind === 'constant' || (value.kind === 'result' && byRows.has(value.instruction.op));
}

function hasMatrix(type: Type): boolean {
  if (type.kind === 'array') return hasMatrix(type.element);
  return (
    type.kind === 'matrix' || (type.kind === 'struct' && type.members.some((one) => hasMatrix(one.type)))
  );
}

/** The value whose parts are those of the records below `prefix`; undefined if there is none. */
function wholeOf(records: readonly Instruction[], prefix: readonly number[], type: Type): Source | undefined {
  const own = records.find(({ indices }) => indices!.length === prefix.length);
  if (own) return sourceOf(own.operands[0]!);
  const count = componentsOrParts(type);
  if (count > records.length || count === 0) return undefined;
  const parts: Source[] = [];
  for (let index = 0; index < count; index++) {
    const inner = records.filter(({ indices }) => indices![prefix.length] === index);
    const part = inner.length > 0 ? wholeOf(inner, [...prefix, index], typeOfPart(type, index)) : undefined;
    if (!part) return undefined;
    parts.push(part);
  }
  return together(parts, type);
}

function together(parts: readonly Source[], type: Type): Source | undefined {
  const [{ value, path }] = parts as [Source];
  if (parts.every((part) => part.value.kind === 'undef')) return { value: { kind: 'undef', type }, path: [] };
  const constants = parts.flatMap((part) => (part.value.kind === 'constant' ? [part.value] : []));
  if (constants.length === parts.length)
    return { value: { kind: 'constant', type, value: constants }, path: [] };
  const outer = path.slice(0, -1);
  const isWhole = parts.every(
    (part, index) =>
      part.value === value && part.path.length === path.length && startsWith(part.path, [...outer, index]),
  );
  return isWhole && path.length > 0 && partType(value.type, outer) === type
    ? { value, path: outer }
    : undefined;
}
