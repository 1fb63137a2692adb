import { isReadOnly, rootOf } from '../intrinsics/effects.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import { sameValue } from '../ir/constants.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from '../ir/ir.ts';
import { isInside, mayOverlap } from '../ir/places.ts';
import { resolveOperands } from '../ir/rewrite.ts';
import { isDebug } from '../ir/uses.ts';
import { opcodeRow, walkFunction } from '../ir/walk.ts';
import type { AddressSpace } from '../types/type.ts';

/**
 * Memory that stays memory: a load of what was stored or loaded there before, with nothing in between that may have changed it, gives
 * that value; a store of what is there already goes; so does a store to shared memory that the next one overwrites before
 * anything can see it. Places are the same if they are one pointer (`cse` makes equal ones one).
 *
 *     store %p, %x                      store %p, %x
 *     %a: float = load %p               store %q, %x
 *     store %q, %a
 *
 * A store outside of an array or a buffer does nothing, so behind indices that are not constant only loads hand values on. Any two
 * buffers may be the same memory.
 * Barriers, atomics, wave operations, calls and coherent accesses end what is known of shared memory; derivatives and textures
 * do not write. Texels, outputs and coherent accesses are left alone. A store that is overwritten in a variable stays,
 * for debuggers show that memory.
 *
 * Positions: what goes takes its own along.
 */
export function forwardMemory(module: Module): boolean {
  let changed = false;
  for (const fn of module.functions) if (hasCandidates(fn) && forwardIn(fn)) changed = true;
  return changed;
}

const handled: ReadonlySet<AddressSpace> = new Set<AddressSpace>([
  'function',
  'private',
  'workgroup',
  'storage',
]);

/** More than this is not remembered of one variable, so that a store need not be compared with much. */
const mostKnown = 64;

/** What may change: a variable, or a kind of memory. `shared` is group-shared memory and buffers. */
type Change = Value | 'private' | 'storage' | 'shared';

/** What places in one variable or buffer hold. */
type Places = Map<Value, Value>;

interface Work {
  known: Map<AddressSpace, Map<Value, Places>>;
  /** How to get back to what was known in front of an arm. */
  undo: (() => void)[];
  /** What each control instruction may change. */
  changes: Map<Instruction, Set<Change>>;
  replaced: Map<Value, Value>;
  /** Stores to shared memory that nothing has seen yet, by place. */
  unseen: Map<Value, Instruction>;
  dead: Set<Instruction>;
}

function spaceOf({ type }: Value): AddressSpace | undefined {
  return type.kind === 'pointer' ? type.space : undefined;
}

/** The place that a load or store is of, if it is one that this pass looks at. */
function placeOf({ op, operands, coherent }: Instruction): Value | undefined {
  if ((op !== 'load' && op !== 'store') || coherent) return undefined;
  const pointer = operands[0]!;
  if (!handled.has(spaceOf(pointer)!) || isReadOnly(pointer)) return undefined;
  // Two parameters may be one variable.
  return rootOf(pointer).kind === 'parameter' ? undefined : pointer;
}

/** Whether some place is accessed twice. */
function hasCandidates(fn: IrFunction): boolean {
  const seen = new Set<Value>();
  let found = false;
  walkFunction(fn, (instruction) => {
    if (found) return;
    const place = placeOf(instruction);
    if (!place) return;
    if (seen.has(place)) found = true;
    else seen.add(place);
  });
  return found;
}

function forwardIn(fn: IrFunction): boolean {
  const work: Work = {
    known: new Map([...handled].map((space) => [space, new Map<Value, Places>()])),
    undo: [],
    changes: new Map(),
    replaced: new Map(),
    unseen: new Map(),
    dead: new Set(),
  };
  summarize(fn.body, new Set(), work);
  visitBlock(fn.body, work);
  return work.replaced.size > 0 || work.dead.size > 0;
}

// ---- what instructions change

function summarize(block: Block, into: Set<Change>, work: Work): void {
  for (const instruction of block.instructions) {
    if (instruction.blocks.length === 0) {
      for (const change of changesOf(instruction)) into.add(change);
      continue;
    }
    const inner = new Set<Change>();
    for (const each of instruction.blocks) summarize(each, inner, work);
    work.changes.set(instruction, inner);
    for (const change of inner) into.add(change);
  }
}

const nothing: readonly Change[] = [];

function changesOf(instruction: Instruction): readonly Change[] {
  const { op, operands, coherent } = instruction;
  switch (op) {
    case 'load':
      return coherent ? ['shared'] : nothing;
    case 'store': {
      if (coherent) return ['shared'];
      const space = spaceOf(operands[0]!);
      return [space === 'storage' || space === 'texel' ? 'storage' : rootOf(operands[0]!)];
    }
    case 'call':
      return ['shared', 'private', ...ownMemory(operands)];
    case 'intrinsic': {
      const { effects } = intrinsicOf(instruction);
      const isQuiet = effects === 'none' || effects === 'reads' || effects === 'derivative';
      const own = ownMemory(operands);
      return isQuiet ? own : ['shared', ...own];
    }
    default:
      return nothing;
  }
}

/** What pointers that are handed on lead to. */
function ownMemory(operands: readonly Value[]): Change[] {
  return operands.flatMap((operand): Change[] => {
    const space = spaceOf(operand);
    if (space === 'storage' || space === 'workgroup') return ['shared'];
    return space === 'function' || space === 'private' ? [rootOf(operand)] : [];
  });
}

function apply(change: Change, work: Work): void {
  if (typeof change === 'string') {
    for (const space of change === 'shared' ? (['workgroup', 'storage'] as const) : [change])
      for (const root of [...work.known.get(space)!.keys()]) forget(space, root, work);
  } else forget(spaceOf(change), change, work);
}

function forget(space: AddressSpace | undefined, root: Value, { known, undo }: Work): void {
  const roots = known.get(space!);
  const places = roots?.get(root);
  if (!roots || !places) return;
  roots.delete(root);
  undo.push(() => roots.set(root, places));
}

// ---- what is known

function learn(pointer: Value, value: Value, { known, undo }: Work): void {
  const roots = known.get(spaceOf(pointer)!)!;
  const root = rootOf(pointer);
  let places = roots.get(root);
  if (!places || places.size >= mostKnown) {
    const before = places;
    places = new Map();
    roots.set(root, places);
    undo.push(() => (before ? roots.set(root, before) : roots.delete(root)));
  }
  const at = places;
  const before = at.get(pointer);
  at.set(pointer, value);
  undo.push(() => (before ? at.set(pointer, before) : at.delete(pointer)));
}

/** What a store leaves known: other places of its variable that it cannot have hit. */
function overwrite(pointer: Value, { known, undo }: Work): void {
  const roots = known.get(spaceOf(pointer)!)!;
  const places = roots.get(rootOf(pointer));
  for (const [place, value] of places ?? []) {
    if (!mayOverlap(place, pointer)) continue;
    places!.delete(place);
    undo.push(() => places!.set(place, value));
  }
}

function valueAt(pointer: Value, { known }: Work): Value | undefined {
  return known.get(spaceOf(pointer)!)!.get(rootOf(pointer))?.get(pointer);
}

// ---- the walk

function visitBlock(block: Block, work: Work): void {
  work.unseen.clear();
  for (const instruction of block.instructions) {
    resolveOperands(instruction, work.replaced);
    if (instruction.blocks.length > 0) visitControl(instruction, work);
    else if (!isDebug(instruction)) visit(instruction, work);
  }
  work.unseen.clear();
  if (!block.instructions.some((instruction) => isGone(instruction, work))) return;
  block.instructions = block.instructions.filter((instruction) => !isGone(instruction, work));
}

function isGone(instruction: Instruction, { dead, replaced }: Work): boolean {
  if (instruction.op === 'store') return dead.has(instruction);
  return instruction.op === 'load' && replaced.has(instruction.results[0]!);
}

function visitControl(control: Instruction, work: Work): void {
  work.unseen.clear();
  const changes = work.changes.get(control)!;
  // A block that comes again, or behind another one, starts with what that has left.
  const isEntered = control.op === 'loop' || control.blocks.some(fallsThrough);
  const forgetAll = (): void => {
    for (const change of changes) apply(change, work);
  };
  if (isEntered) forgetAll();
  for (const block of control.blocks) {
    const mark = work.undo.length;
    visitBlock(block, work);
    while (work.undo.length > mark) work.undo.pop()!();
  }
  if (!isEntered) forgetAll();
}

function fallsThrough({ instructions }: Block): boolean {
  return instructions[instructions.length - 1]!.op === 'fallthrough';
}

function visit(instruction: Instruction, work: Work): void {
  const place = placeOf(instruction);
  if (place && instruction.op === 'load') load(instruction, place, work);
  else if (place) store(instruction, place, work);
  else {
    // Whatever may look at memory, or end the invocation's part in it.
    if (opcodeRow(instruction).effects !== 'none') work.unseen.clear();
    for (const change of changesOf(instruction)) apply(change, work);
  }
}

function load({ results }: Instruction, place: Value, work: Work): void {
  const result = results[0]!;
  const value = valueAt(place, work);
  if (value?.type === result.type) {
    work.replaced.set(result, value);
    return;
  }
  const space = spaceOf(place);
  if (space === 'workgroup' || space === 'storage') work.unseen.clear();
  learn(place, result, work);
}

function store(instruction: Instruction, place: Value, work: Work): void {
  const value = instruction.operands[1]!;
  const space = spaceOf(place)!;
  const isBuffer = space === 'storage';
  const known = isBuffer ? undefined : valueAt(place, work);
  if (known && sameValue(known, value)) {
    work.dead.add(instruction);
    return;
  }
  if (isBuffer || space === 'workgroup') {
    const earlier = work.unseen.get(place);
    if (earlier) work.dead.add(earlier);
    work.unseen.set(place, instruction);
  }
  if (isBuffer) {
    const root = rootOf(place);
    for (const other of [...work.known.get('storage')!.keys()])
      if (other !== root) forget('storage', other, work);
  }
  overwrite(place, work);
  if (!isBuffer && isInside(place)) learn(place, value, work);
}
