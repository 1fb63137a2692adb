import { newInstruction } from '../../ir/instruction.ts';
import { isWithin, partOf } from '../../ir/debug-scopes.ts';
import type {
  Block,
  DebugVariable,
  Instruction,
  Function as IrFunction,
  Module,
  Value,
} from '../../ir/ir.ts';
import { isSameValue } from '../../ir/joins.ts';
import { newMark } from '../../ir/marks.ts';
import { isDebug } from '../../ir/uses.ts';
import type { PositionId, Scope } from '../../source/position.ts';
import { unwrittenArms } from '../control-flow.ts';
import { isInside, noteRecord, type Part, type Shared, shownIn } from '../shown-records.ts';

/**
 * Repeats debug values where readers would show another value than the variable has. Readers take the records in the order
 * in which they are written, not in which they are executed, and forget a record when the scope ends in which it was
 * made. So a record is repeated at the head of a block that does not follow the one written before it, behind control that
 * changed the variable on some ways only, and behind scopes in which it was changed; a record that stands in a call that was
 * inlined waits until the call is left. Readers differ (shown-records.ts), and a record is repeated if one of them needs it. Where
 * ways with different values meet and no record says what comes of them, the value is unknown and the variable gets `undef`.
 *
 *     if %c {                             if %c {
 *       debug_value $x, 1                   debug_value $x, 1
 *       yield                               yield
 *     } else {                            } else {
 *       call f                              debug_value $x, 0
 *                                           call f
 *
 * Positions: a repeated record takes that of the instruction behind it; at the head of a loop's body, that of the loop, as do the
 * records that are there already.
 */
export function repeatDebugValues(module: Module): void {
  for (const fn of module.functions) repeatIn(module, fn);
}

/** What arrives where ways meet, of the parts that may differ there. */
interface Arrivals {
  parts: ReadonlySet<Part>;
  ways: Map<Part, Value | undefined>[];
}

interface Frame {
  yield: Arrivals | undefined;
  break: Arrivals | undefined;
  continue: Arrivals | undefined;
  leave: Arrivals | undefined;
  fallthrough: Arrivals | undefined;
}
/** The others have the same fields, for engines like one shape. */
const nowhere: Readonly<Frame> = {
  yield: undefined,
  break: undefined,
  continue: undefined,
  leave: undefined,
  fallthrough: undefined,
};

/**
 * A set of parts, kept by the call that they were inlined through: calls are many, and an instruction looks at the parts of
 * its own only. `rollBack` undoes what was done since a mark.
 */
class Pending {
  readonly #parts = new Map<PositionId, Set<Part>>();
  readonly #changes: { part: Part; added: boolean }[] = [];

  add(part: Part): void {
    let parts = this.#parts.get(part.inlinedAt);
    if (!parts) {
      parts = new Set();
      this.#parts.set(part.inlinedAt, parts);
    }
    if (parts.has(part)) return;
    parts.add(part);
    this.#changes.push({ part, added: true });
  }

  delete(part: Part): void {
    if (this.#parts.get(part.inlinedAt)?.delete(part)) this.#changes.push({ part, added: false });
  }

  of(inlinedAt: PositionId): ReadonlySet<Part> {
    return this.#parts.get(inlinedAt) ?? none;
  }

  mark(): number {
    return this.#changes.length;
  }

  rollBack(mark: number): void {
    for (let i = this.#changes.length - 1; i >= mark; i--) {
      const { part, added } = this.#changes[i]!;
      const parts = this.#parts.get(part.inlinedAt)!;
      if (added) parts.delete(part);
      else parts.add(part);
    }
    this.#changes.length = mark;
  }
}

/** A variable or a part of it. */
interface Path {
  shared: Shared;
  /** By the call that it was inlined through. */
  parts: Map<PositionId, Part>;
}

interface Work {
  module: Module;
  /** By variable and the key of the path. */
  paths: Map<DebugVariable, Map<number | string, Path>>;
  partOf: Map<Instruction, Part>;
  /** Blocks that the backend leaves out. */
  unwritten: Set<Block>;
  /** Parts with records inside a control instruction. */
  touched: Map<Instruction, Set<Part>>;
  /** What the parts hold at the place that is looked at; undefined: unknown. Absent: no value yet. */
  held: Map<Part, Value | undefined>;
  /** The mark of instructions whose results may be used at the place. */
  visible: number;
  /** Parameters that may be used at the place. */
  parameters: Set<Value>;
  /** To be compared with what readers show, at the next instruction that is in the variable's scope. */
  pending: Pending;
  /** Parts of which readers may show something else in another scope. */
  inner: Set<Part>;
  /** Records so far. */
  count: number;
  /** Scope and call chain of the last instruction; absent if a record of another scope came after it. */
  scope: Scope | undefined;
  inlinedAt: PositionId;
}

function repeatIn(module: Module, fn: IrFunction): void {
  const work: Work = {
    module,
    paths: new Map(),
    partOf: new Map(),
    unwritten: new Set(),
    touched: new Map(),
    held: new Map(),
    visible: newMark(),
    parameters: new Set(fn.parameters),
    pending: new Pending(),
    inner: new Set(),
    count: 0,
    scope: undefined,
    inlinedAt: 0,
  };
  collect(fn.body, [], work);
  if (work.paths.size > 0) visitBlock(fn.body, work, nowhere);
}

function collect(block: Block, around: Instruction[], work: Work): void {
  for (let at = 0; at < block.instructions.length; at++) {
    const instruction = block.instructions[at]!;
    if (instruction.op === 'debug_value') {
      const part = partToldBy(instruction, work);
      work.partOf.set(instruction, part);
      for (let i = around.length - 1; i >= 0; i--) {
        const touched = work.touched.get(around[i]!) ?? new Set();
        if (touched.has(part)) break;
        work.touched.set(around[i]!, touched.add(part));
      }
    }
    if (instruction.blocks.length === 0) continue;
    for (const arm of unwrittenArms(instruction)) work.unwritten.add(arm);
    around.push(instruction);
    for (const inner of instruction.blocks) collect(inner, around, work);
    around.pop();
  }
}

function partToldBy(record: Instruction, { module, paths, pending }: Work): Part {
  const { variable, indices, inlinedAt } = partOf(module.positions, record);
  let ofVariable = paths.get(variable);
  if (!ofVariable) {
    ofVariable = new Map();
    paths.set(variable, ofVariable);
  }
  const key = pathKey(indices);
  let path = ofVariable.get(key);
  if (!path) {
    path = { shared: new Map(), parts: new Map() };
    ofVariable.set(key, path);
  }
  let part = path.parts.get(inlinedAt);
  if (!part) {
    part = { variable, indices, inlinedAt, own: [], shared: path.shared };
    pending.add(part);
    path.parts.set(inlinedAt, part);
  }
  return part;
}

/** Short paths, which most are, without making text. */
function pathKey(indices: readonly number[]): number | string {
  if (indices.length === 0) return -1;
  return indices.length === 1 ? indices[0]! : indices.join();
}

/** `loop`: the one whose body this is. */
function visitBlock(block: Block, work: Work, frame: Frame, loop?: Instruction): void {
  const old = block.instructions;
  block.instructions = [];
  const isUnwritten = work.unwritten.has(block);
  // What is compared in here is compared behind again.
  const outside = work.pending.mark();
  for (const parameter of block.parameters) work.parameters.add(parameter);
  const first = loop ? visitHeader(loop, old, block, work) : 0;
  for (let i = first; i < old.length; i++) {
    const instruction = old[i]!;
    if (!isUnwritten) {
      if (!isDebug(instruction)) compare(instruction, block, work, none);
      else if (i === first || !isOneStop(block.instructions.at(-1), instruction, work))
        compareAtRecord(old, i, block, work);
    }
    if (instruction.op === 'debug_value' && !note(instruction, work, isUnwritten)) continue;
    if (instruction.blocks.length > 0) visitControl(instruction, work, frame);
    else leave(instruction, work, frame);
    block.instructions.push(instruction);
    instruction.mark = work.visible;
  }
  work.pending.rollBack(outside);
  for (const instruction of block.instructions) instruction.mark = 0;
  for (const parameter of block.parameters) work.parameters.delete(parameter);
}

/**
 * Each turn of a loop begins at the loop itself, before its body, so what variables hold is told there: by records of the body that
 * may stand there, then by repeated ones. Gives the number of the former.
 */
function visitHeader(loop: Instruction, body: readonly Instruction[], block: Block, work: Work): number {
  const { positions } = work.module;
  const { scope, inlinedAt } = positions.get(loop.position);
  let count = 0;
  for (const record of body) {
    if (record.op !== 'debug_value') break;
    const part = work.partOf.get(record)!;
    const isKnown = part.inlinedAt === inlinedAt && isInside(scope, part.variable.scope);
    if (!isKnown || positions.get(record.position).inlinedAt !== inlinedAt) break;
    record.position = loop.position;
    note(record, work, false);
    block.instructions.push(record);
    count++;
  }
  compare(loop, block, work, none);
  return count;
}

// ---- what the variables hold

const none: ReadonlySet<Part> = new Set();

function visitControl(instruction: Instruction, work: Work, frame: Frame): void {
  const parts = work.touched.get(instruction) ?? none;
  const ends: Arrivals = { parts, ways: [] };
  if (instruction.op === 'loop') visitLoop(instruction, parts, ends, work);
  else visitSelection(instruction, parts, ends, work, frame);
  meet(ends, work);
}

function visitSelection(
  { op, blocks, cases }: Instruction,
  parts: ReadonlySet<Part>,
  ends: Arrivals,
  work: Work,
  frame: Frame,
): void {
  const before = snapshot(parts, work);
  let falling: Arrivals = { parts, ways: [] };
  for (const block of blocks) {
    meet({ parts, ways: [before, ...falling.ways] }, work);
    falling = { parts, ways: [] };
    const inner: Frame = {
      yield: ends,
      break: op === 'switch' ? ends : frame.break,
      continue: frame.continue,
      leave: frame.leave,
      fallthrough: falling,
    };
    visitBlock(block, work, inner);
  }
  if (op === 'switch' && !cases?.some((group) => group.includes('default'))) ends.ways.push(before);
}

function visitLoop(loop: Instruction, parts: ReadonlySet<Part>, ends: Arrivals, work: Work): void {
  const [body, continuing] = loop.blocks as [Block, Block];
  // What the turns before have left is not known here; records at the head of the body say it where it is.
  for (const part of parts) {
    work.held.set(part, undefined);
    work.pending.add(part);
  }
  const next: Arrivals = { parts, ways: [] };
  visitBlock(body, work, { ...nowhere, break: ends, continue: next }, loop);
  meet(next, work);
  // The body always runs before the continuing block.
  for (const parameter of body.parameters) work.parameters.add(parameter);
  visitBlock(continuing, work, { ...nowhere, leave: ends });
  for (const parameter of body.parameters) work.parameters.delete(parameter);
}

function snapshot(parts: ReadonlySet<Part>, { held }: Work): Map<Part, Value | undefined> {
  const values = new Map<Part, Value | undefined>();
  for (const part of parts) if (held.has(part)) values.set(part, held.get(part));
  return values;
}

/** The ways of a block's terminator. */
function leave({ op }: Instruction, work: Work, frame: Frame): void {
  const to =
    op === 'yield' || op === 'break' || op === 'continue' || op === 'fallthrough'
      ? frame[op]
      : op === 'repeat_if'
        ? frame.leave
        : undefined;
  to?.ways.push(snapshot(to.parts, work));
}

function meet({ parts, ways }: Arrivals, work: Work): void {
  const [first, ...rest] = ways;
  for (const part of parts) {
    work.pending.add(part);
    if (ways.some((way) => way.has(part))) {
      const value = first!.get(part);
      const isSame = value && rest.every((way) => isHeld(way.get(part), value));
      work.held.set(part, isSame ? value : undefined);
    } else work.held.delete(part);
  }
}

function isHeld(value: Value | undefined, other: Value): boolean {
  return value !== undefined && isSameValue(value, other);
}

// ---- what readers show

/** False for a record that waits: it stands in code inlined into the variable's scope, or in a block that is left out. */
function note(instruction: Instruction, work: Work, isUnwritten: boolean): boolean {
  const part = work.partOf.get(instruction)!;
  const value = instruction.operands[0]!;
  work.held.set(part, value);
  if (isUnwritten || isForeign(instruction, part, work)) {
    work.pending.add(part);
    return false;
  }
  show(part, value, instruction.position, work);
  const { scope, inlinedAt } = work.module.positions.get(instruction.position);
  // Whatever the scope of the next instruction is, it is another than that of the one before or of this record.
  if (scope !== work.scope || inlinedAt !== work.inlinedAt) work.scope = undefined;
  return true;
}

function show(part: Part, value: Value, position: PositionId, work: Work): void {
  const { scope, inlinedAt } = work.module.positions.get(position);
  const differs = noteRecord(part, { value, scope }, ++work.count);
  if (!differs && scope === part.variable.scope && inlinedAt === part.inlinedAt) work.inner.delete(part);
  else work.inner.add(part);
}

/** Puts records in front of the instruction for what readers would show wrongly at it, but for what is `told` anyway. */
function compare(instruction: Instruction, block: Block, work: Work, told: ReadonlySet<Part>): void {
  const { positions } = work.module;
  const { scope, inlinedAt } = positions.get(instruction.position);
  const isScopeNew = scope !== work.scope || inlinedAt !== work.inlinedAt;
  work.scope = scope;
  work.inlinedAt = inlinedAt;
  if (isScopeNew) {
    for (const part of work.inner) {
      if (isWithin(positions, instruction.position, part.variable.scope, part.inlinedAt))
        work.pending.add(part);
      else work.inner.delete(part);
    }
  }
  for (const part of work.pending.of(inlinedAt)) {
    if (!isInside(scope, part.variable.scope) || told.has(part)) continue;
    work.pending.delete(part);
    const repeated = correction(part, shownIn(part, scope), work);
    if (!repeated) continue;
    const record = newInstruction('debug_value', [repeated], instruction.position);
    record.variable = part.variable;
    record.indices = part.indices;
    block.instructions.push(record);
    show(part, repeated, instruction.position, work);
  }
}

/** Readers stop at records too, once for those of a line that stand together. */
function compareAtRecord(code: readonly Instruction[], first: number, block: Block, work: Work): void {
  const record = code[first]!;
  const part = work.partOf.get(record);
  if (!part || isForeign(record, part, work)) return;
  const told = new Set<Part>([part]);
  for (let next = first + 1; isOneStop(record, code[next], work); next++) {
    const other = work.partOf.get(code[next]!);
    if (other) told.add(other);
  }
  compare(record, block, work, told);
}

/** True if both are records on one line of one scope. */
function isOneStop(a: Instruction | undefined, b: Instruction | undefined, { module }: Work): boolean {
  if (!a || !b || !isDebug(a) || !isDebug(b)) return false;
  if (a.position === b.position) return true;
  const [one, other] = [module.positions.get(a.position), module.positions.get(b.position)];
  if (one.scope !== other.scope || one.inlinedAt !== other.inlinedAt) return false;
  const [place, otherPlace] = [one, other].map(({ location }) => module.sourceMap.place(location));
  return place!.file === otherPlace!.file && place!.line === otherPlace!.line;
}

/** True for a record in code that was inlined into the variable's scope. */
function isForeign({ position }: Instruction, part: Part, { module }: Work): boolean {
  return module.positions.get(position).inlinedAt !== part.inlinedAt;
}

/** The value to show from here on; undefined if what each kind of reader shows is right. */
function correction(part: Part, shown: readonly (Value | undefined)[], work: Work): Value | undefined {
  const held = work.held.get(part);
  const known = shown.find((value) => value && value.kind !== 'undef');
  if (held?.kind === 'undef') return known && held;
  if (held && shown.every((value) => value && isSameValue(held, value))) return undefined;
  if (held && isVisible(held, work)) return held;
  return known && { kind: 'undef', type: known.type };
}

function isVisible(value: Value, { visible, parameters }: Work): boolean {
  if (value.kind === 'result') return value.instruction.mark === visible;
  return value.kind === 'parameter' ? parameters.has(value) : true;
}
