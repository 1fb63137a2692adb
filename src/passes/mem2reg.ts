import { newResult } from '../ir/instruction.ts';
import { Builder } from '../ir/builder.ts';
import { isWithin, nextPosition } from '../ir/debug-scopes.ts';
import type { Block, Instruction, Function as IrFunction, Module, PointerType, Value } from '../ir/ir.ts';
import { type Join, materialize, type Phi, settle } from '../ir/joins.ts';
import { type Component, findPromotable, type Promotable } from '../ir/promotable.ts';
import { resolveOperands } from '../ir/rewrite.ts';
import type { Type } from '../types/type.ts';
import { isDebug } from '../ir/uses.ts';

/**
 * Turns variables that are only loaded and stored, as a whole or by component, into values: results of control instructions
 * where stores meet, parameters of loops where a turn hands a value to the next.
 *
 *     %x: ptr<function, int> = var              debug_value $x, 0
 *     debug_declare $x %x                       %x: int = loop (%x.1: int = 0) {
 *     store %x, 0                                 debug_value $x, %x.1
 *     loop {                                      ...
 *       %0: int = load %x                         %1: int = add %x.1, 1
 *       %1: int = add %0, 1
 *       store %x, %1
 *
 * A variable that is read before it was written is undefined. What is stored in a group of a switch that falls into the
 * next one stays in memory.
 *
 * Positions: extracts and inserts of components take that of the load or store; so does the `debug_value` that stands where
 * a store was. The one behind a join, or at the head of a loop's block, has that of the instruction behind it, which is
 * executed next. A `debug_declare` becomes a `debug_value` of what the variable holds by then, if anything.
 */
export function mem2reg(module: Module): boolean {
  let changed = false;
  for (const fn of module.functions) if (promote(module, fn)) changed = true;
  return changed;
}

interface Work extends Promotable {
  module: Module;
  builder: Builder;
  /** What each variable holds at the place that is looked at. */
  current: Map<Value, Value>;
  /** Declarations passed, by variable. */
  declared: Map<Value, Instruction[]>;
  joins: Join[];
  phis: Map<Value, Phi>;
  /** Switches that got a group for the selectors that no label names. */
  completed: Instruction[];
  /** Values for loads that are gone. */
  replaced: Map<Value, Value>;
  /** What loads of variables without a value gave. */
  read: Set<Value>;
  /** Instructions with operands that are phis, for few phis stay. */
  users: Instruction[];
  /** Debug values that say what a phi gives, and where they stand; they go if that is undefined. */
  records: Map<Instruction, Block>;
  /** Those of them that also go if code does not need the phi. */
  optional: Set<Instruction>;
}

/** Where the terminators of a block lead, if variables are stored on the way. */
interface Frame {
  yield: Target | undefined;
  break: Target | undefined;
  continue: Target | undefined;
  repeat: Target | undefined;
  leave: Target | undefined;
}
/** The others have the same fields, for engines like one shape. */
const nowhere: Readonly<Frame> = {
  yield: undefined,
  break: undefined,
  continue: undefined,
  repeat: undefined,
  leave: undefined,
};
interface Target extends Join {
  variables: readonly Value[];
  /** Whether an arm that arrives has code of its own, or records. */
  hasFullArm: boolean;
}

function promote(module: Module, fn: IrFunction): boolean {
  const found = findPromotable(fn);
  if (found.variables.size === 0) return false;
  const { variables, components, stored } = found;
  const work: Work = {
    variables,
    components,
    stored,
    module,
    builder: new Builder(module),
    current: new Map(),
    declared: new Map(),
    joins: [],
    phis: new Map(),
    completed: [],
    replaced: new Map(),
    read: new Set(),
    users: [],
    records: new Map(),
    optional: new Set(),
  };
  for (const variable of work.variables)
    work.current.set(variable, { kind: 'undef', type: pointee(variable) });
  visitBlock(fn.body, work, nowhere);
  finish(work);
  return true;
}

function pointee(variable: Value) {
  return (variable.type as PointerType).pointee;
}

// ---- the walk

function visitBlock(block: Block, work: Work, frame: Frame, heads: readonly Join[] = []): void {
  const old = block.instructions;
  block.instructions = [];
  for (const head of heads) recordJoin(head as Target, block, old, 0, work);
  for (let i = 0; i < old.length; i++) visit(old[i]!, block, old, i, work, frame);
}

function visit(
  instruction: Instruction,
  block: Block,
  old: readonly Instruction[],
  index: number,
  work: Work,
  frame: Frame,
): void {
  const out = block.instructions;
  takeOperands(instruction, work);
  const first = instruction.operands[0];
  switch (instruction.op) {
    case 'var':
      if (!work.variables.has(instruction.results[0]!)) out.push(instruction);
      return;
    case 'access':
      if (!work.components.has(instruction.results[0]!)) out.push(instruction);
      return;
    case 'load':
      if (!loadInto(instruction, block, work)) out.push(instruction);
      return;
    case 'store':
      if (!storeInto(instruction, block, work)) out.push(instruction);
      return;
    case 'debug_declare':
      if (!work.variables.has(first!)) out.push(instruction);
      else declare(instruction, first!, block, work);
      return;
    case 'if':
    case 'switch':
      visitSelection(instruction, block, old, index, work, frame);
      return;
    case 'loop':
      visitLoop(instruction, block, old, index, work);
      return;
    case 'yield':
      arrive(instruction, frame.yield, work);
      break;
    case 'break':
      leaveFrom(block, instruction, frame.break, work);
      break;
    case 'continue':
      leaveFrom(block, instruction, frame.continue, work);
      break;
    case 'repeat':
      arrive(instruction, frame.repeat, work);
      break;
    case 'repeat_if':
      arrive(instruction, frame.repeat, work);
      arrive(instruction, frame.leave, work);
      break;
  }
  out.push(instruction);
}

function readUndefined(type: Type, { builder, read }: Work): Value {
  const value = builder.undef(type);
  read.add(value);
  return value;
}

/** Loads that are gone stand in front of all that uses them; what phis come down to is settled last. */
function takeOperands(instruction: Instruction, { replaced, phis, users }: Work): void {
  resolveOperands(instruction, replaced);
  const { operands } = instruction;
  for (let i = 0; i < operands.length; i++) {
    if (!phis.has(operands[i]!)) continue;
    users.push(instruction);
    return;
  }
}

function loadInto(instruction: Instruction, block: Block, work: Work): boolean {
  const pointer = instruction.operands[0]!;
  const component = work.components.get(pointer);
  const value = work.current.get(component?.variable ?? pointer);
  if (!value) return false;
  const result = instruction.results[0]!;
  if (!component) {
    work.replaced.set(result, value.kind === 'undef' ? readUndefined(value.type, work) : value);
    return true;
  }
  const { builder } = work;
  builder.at(instruction.position).into(block);
  const index = constantIndex(component);
  const part =
    index === undefined ? builder.extractDynamic(value, component.index) : builder.extract(value, index);
  takeOperands(part.instruction, work);
  if (result.name !== undefined) part.name = result.name;
  work.replaced.set(result, part);
  return true;
}

function storeInto(instruction: Instruction, block: Block, work: Work): boolean {
  const [pointer, stored] = instruction.operands as [Value, Value];
  const component = work.components.get(pointer);
  const variable = component?.variable ?? pointer;
  const before = work.current.get(variable);
  if (!before) return false;
  let value = stored;
  if (component) {
    const { builder } = work;
    builder.at(instruction.position).into(block);
    const index = constantIndex(component);
    const whole =
      index === undefined
        ? builder.insertDynamic(before, stored, component.index)
        : builder.insert(before, stored, index);
    takeOperands(whole.instruction, work);
    value = whole;
  }
  work.current.set(variable, value);
  record(variable, value, instruction.position, block, work);
  return true;
}

function constantIndex({ index }: Component): number | undefined {
  return index.kind === 'constant' && typeof index.value === 'number' ? index.value : undefined;
}

function visitSelection(
  instruction: Instruction,
  block: Block,
  old: readonly Instruction[],
  index: number,
  work: Work,
  frame: Frame,
): void {
  const join = makeJoin('results', instruction, work);
  const before = save(join, work);
  if (join && instruction.op === 'switch') addDefault(instruction, work);
  const inner: Frame = {
    yield: join,
    break: instruction.op === 'switch' ? join : frame.break,
    continue: frame.continue,
    repeat: frame.repeat,
    leave: frame.leave,
  };
  for (const each of instruction.blocks) {
    restore(join, before, work);
    visitBlock(each, work, inner);
  }
  block.instructions.push(instruction);
  enter(join, work);
  if (join) recordJoin(join, block, old, index + 1, work);
}

/** A switch that gives values needs a way for every selector. */
function addDefault(instruction: Instruction, { builder, completed }: Work): void {
  const cases = instruction.cases ?? [];
  if (cases.some((group) => group.includes('default'))) return;
  const otherwise = builder.newBlock();
  builder.at(instruction.position).into(otherwise).yield();
  instruction.blocks.push(otherwise);
  instruction.cases = [...cases, ['default']];
  completed.push(instruction);
}

function visitLoop(
  instruction: Instruction,
  block: Block,
  old: readonly Instruction[],
  index: number,
  work: Work,
): void {
  const [body, continuing] = instruction.blocks as [Block, Block];
  const head = makeJoin('head', instruction, work);
  const next = makeJoin('continuing', instruction, work);
  const results = makeJoin('results', instruction, work);
  if (head) arrive(instruction, head, work);
  enter(head, work);
  if (head && next) next.visible = head.phis.map(({ value }) => value);
  const inner: Frame = { ...nowhere, break: results, continue: next };
  visitBlock(body, work, inner, head ? [head] : []);
  enter(next, work);
  const last: Frame = { ...nowhere, repeat: head, leave: results };
  visitBlock(continuing, work, last, next ? [next] : []);
  block.instructions.push(instruction);
  enter(results, work);
  if (results) recordJoin(results, block, old, index + 1, work);
}

// ---- joins

function makeJoin(kind: Join['kind'], control: Instruction, work: Work): Target | undefined {
  const stored = work.stored.get(control);
  if (!stored) return undefined;
  const variables = [...stored];
  const phis = variables.map((variable): Phi => {
    const name = variable.kind === 'result' ? (variable.name ?? '') : '';
    const type = pointee(variable);
    const value: Phi['value'] =
      kind === 'results'
        ? newResult(type, control, name === '' ? undefined : name)
        : { kind: 'parameter', type, name: name === '' ? 'value' : name };
    const phi: Phi = { value, incoming: [], before: work.current.get(variable)! };
    work.phis.set(value, phi);
    return phi;
  });
  const join: Target = {
    kind,
    control,
    phis,
    arrivals: [],
    visible: undefined,
    variables,
    hasFullArm: false,
  };
  work.joins.push(join);
  return join;
}

function arrive(from: Instruction, to: Target | undefined, work: Work): void {
  if (!to) return;
  to.arrivals.push(from);
  to.variables.forEach((variable, i) => {
    to.phis[i]!.incoming.push(work.current.get(variable)!);
  });
}

/** From the body of a loop, or an arm in it. */
function leaveFrom(block: Block, from: Instruction, to: Target | undefined, work: Work): void {
  arrive(from, to, work);
  if (to && block.instructions.length > 0 && block !== to.control.blocks[0]) to.hasFullArm = true;
}

/** From here on the variables hold what has arrived. */
function enter(join: Target | undefined, work: Work): void {
  join?.variables.forEach((variable, i) => {
    work.current.set(variable, join.phis[i]!.value);
  });
}

function save(join: Target | undefined, work: Work): Value[] {
  return join?.variables.map((variable) => work.current.get(variable)!) ?? [];
}

function restore(join: Target | undefined, values: readonly Value[], work: Work): void {
  join?.variables.forEach((variable, i) => {
    work.current.set(variable, values[i]!);
  });
}

// ---- debug values

function declare(instruction: Instruction, variable: Value, block: Block, work: Work): void {
  const known = work.declared.get(variable);
  if (known) known.push(instruction);
  else work.declared.set(variable, [instruction]);
  const value = work.current.get(variable)!;
  // What was copied from elsewhere is told, even if that was undefined.
  if (value.kind === 'undef' && !work.read.has(value)) return;
  const made = pushRecord(instruction, value, instruction.position, block, work);
  if (!work.phis.has(value)) return;
  work.records.set(made, block);
  work.optional.add(made);
}

/** Says that the variable holds `value` from here on, wherever it is declared. */
function record(variable: Value, value: Value, position: number, block: Block, work: Work): Instruction[] {
  const made: Instruction[] = [];
  for (const declaration of work.declared.get(variable) ?? []) {
    const { positions } = work.module;
    const { inlinedAt } = positions.get(declaration.position);
    if (isWithin(positions, position, declaration.variable!.scope, inlinedAt))
      made.push(pushRecord(declaration, value, position, block, work));
  }
  return made;
}

function pushRecord(
  { variable, indices }: Instruction,
  value: Value,
  position: number,
  block: Block,
  { builder, phis, users }: Work,
): Instruction {
  builder.at(position).into(block).debugValue(variable!, value, indices);
  const made = block.instructions[block.instructions.length - 1]!;
  if (phis.has(value)) users.push(made);
  return made;
}

function recordJoin(
  join: Target,
  block: Block,
  old: readonly Instruction[],
  index: number,
  work: Work,
): void {
  const position = nextPosition(old, index) ?? join.control.position;
  join.variables.forEach((variable, i) => {
    const phi = join.phis[i]!;
    for (const made of record(variable, phi.value, position, block, work)) {
      work.records.set(made, block);
      if (isSequel(join)) work.optional.add(made);
    }
  });
}

/**
 * Each turn of a loop goes on with what the one before has left, and so does code behind a loop that is left at one place, also when the
 * turns are written out.
 */
function isSequel({ kind, control, arrivals, hasFullArm }: Target): boolean {
  return kind === 'head' || (control.op === 'loop' && arrivals.length === 1 && !hasFullArm);
}

// ---- the end

function finish(work: Work): void {
  const { joins, replaced } = work;
  const needed = settle(joins, (need) => eachUsed(work, need), replaced);
  materialize(joins, needed, replaced);
  const dead = new Set<Value>();
  for (const { phis } of joins) {
    for (const phi of phis) {
      if (!needed.has(phi) && !replaced.has(phi.value)) dead.add(phi.value);
    }
  }
  settleUsers(work, dead);
  for (const instruction of work.completed) {
    if (instruction.results.length > 0) continue;
    instruction.blocks.pop();
    instruction.cases = instruction.cases!.slice(0, -1);
  }
}

function eachUsed({ users }: Work, visit: (value: Value) => void): void {
  for (const instruction of users) if (!isDebug(instruction)) instruction.operands.forEach(visit);
}

/**
 * Puts what phis come down to in their place. Behind ways that meet a value that code does not need has ended, for some of those ways
 * may be left out.
 */
function settleUsers({ users, records, optional, replaced }: Work, dead: ReadonlySet<Value>): void {
  const gone = new Set<Instruction>();
  const blocks = new Set<Block>();
  for (const instruction of users) {
    resolveOperands(instruction, replaced);
    if (!isDebug(instruction)) continue;
    const { operands } = instruction;
    const value = operands[0]!;
    const block = records.get(instruction);
    if (block && (value.kind === 'undef' || (dead.has(value) && optional.has(instruction)))) {
      gone.add(instruction);
      blocks.add(block);
    } else if (dead.has(value)) operands[0] = { kind: 'undef', type: value.type };
  }
  for (const block of blocks)
    block.instructions = block.instructions.filter((instruction) => !gone.has(instruction));
}
