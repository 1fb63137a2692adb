/**
 * Answers which value a variable has at a step of an optimized program, from the records and by the rules of RenderDoc, and compares
 * with the run of the program without optimizer.
 *
 * Both run on the interpreter. What the records say changes only at records, which passes leave at the place of the assignment they
 * stand for, with its position. So a record and the store of the other run that has the same variable, position and calls are the
 * same moment, the nth time here as the nth time there. From one such moment to the next the variables have the values of the source.
 */
import { isDebug } from '../../src/ir/uses.ts';
import type { Block, DebugVariable, Instruction, Module } from '../../src/ir/ir.ts';
import type { PositionId, Scope } from '../../src/source/position.ts';
import type { Frame, Watch } from '../support/interpreter/execute.ts';
import { asPointer, type Cell, load } from '../support/interpreter/memory.ts';
import type { Thread } from '../support/interpreter/thread.ts';
import { type Datum, isList, partAt } from '../support/interpreter/value.ts';

/** A change in the run without optimizer: a call begins, a variable begins anew, or gets a value. */
interface Change {
  chain: string;
  variable?: string;
  value?: Datum;
}

/** What one thread did. */
interface History {
  changes: Change[];
  /** Numbers of changes, by variable, position and calls. */
  stores: Map<string, number[]>;
}

/** Threads in order of their start. */
export type Recording = Map<number, History>;

const watchedThreads = 4;

class Threads {
  readonly #numbers = new Map<Thread, number>();
  /** Undefined for threads that are not looked at. */
  number(thread: Thread): number | undefined {
    let number = this.#numbers.get(thread);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(thread, number);
    }
    return number < watchedThreads ? number : undefined;
  }
}

/** The same in both compilations of a text. */
export function variableKey({ name, location, scope }: DebugVariable): string {
  return `${name}@${location} in ${scope.location}`;
}

function placeKey(module: Module, position: PositionId): string {
  const { location, end } = module.positions.get(position);
  return `${location}-${end}`;
}

/** Calls outermost first: those that are still calls, then those that were inlined. */
function chainOf(frame: Frame, inlinedAt: PositionId): string {
  const { module } = frame.machine;
  const inner: string[] = [];
  for (let id = inlinedAt; id !== 0; id = module.positions.get(id).inlinedAt)
    inner.unshift(placeKey(module, id));
  const { caller } = frame;
  const outer = caller ? chainOf(caller.frame, module.positions.get(caller.call.position).inlinedAt) : '';
  const own = caller ? `${outer}/${placeKey(module, caller.call.position)}` : '';
  return inner.reduce((chain, place) => `${chain}/${place}`, own);
}

/** Watches the program without optimizer, whose variables lie in memory. */
export function recorder(module: Module): { watch: Watch; recording: Recording } {
  const recording: Recording = new Map();
  const threads = new Threads();
  const owners = new WeakMap<Cell, { variable: string; chain: string }[]>();
  const written = new WeakSet<Cell>();
  const historyOf = (frame: Frame): History | undefined => {
    const number = threads.number(frame.thread);
    if (number === undefined) return undefined;
    let history = recording.get(number);
    if (!history) {
      history = { changes: [], stores: new Map() };
      recording.set(number, history);
    }
    return history;
  };
  const store = (history: History, cell: Cell, position: PositionId): void => {
    written.add(cell);
    for (const { variable, chain } of owners.get(cell) ?? []) {
      const key = `${variable} ${placeKey(module, position)} ${chain}`;
      const list = history.stores.get(key);
      if (list) list.push(history.changes.length);
      else history.stores.set(key, [history.changes.length]);
      history.changes.push({ chain, variable, value: cell.value });
    }
  };
  return {
    recording,
    watch: {
      enter: (frame) => historyOf(frame)?.changes.push({ chain: chainOf(frame, 0) }),
      after: (frame, instruction) => {
        const history = historyOf(frame);
        if (!history) return;
        if (instruction.op === 'debug_declare') {
          const pointer = asPointer(frame.get(instruction.operands[0]!));
          if (pointer.at !== 'cell') return;
          const variable = variableKey(instruction.variable!);
          const chain = chainOf(frame, 0);
          owners.set(pointer.cell, [
            ...(owners.get(pointer.cell) ?? []).filter((one) => one.chain !== chain),
            { variable, chain },
          ]);
          const isSet = written.has(pointer.cell) && instruction.operands[0]!.kind === 'parameter';
          history.changes.push({ chain, variable, ...(isSet && { value: pointer.cell.value }) });
        } else if (instruction.op === 'store' || instruction.op === 'intrinsic') {
          const count = instruction.op === 'store' ? 1 : instruction.operands.length;
          for (const operand of instruction.operands.slice(0, count)) {
            if (operand.type.kind !== 'pointer' || operand.type.space === 'resource') continue;
            const pointer = asPointer(frame.get(operand));
            if (pointer.at === 'cell') store(history, pointer.cell, instruction.position);
          }
        }
      },
    },
  };
}

// ---- the optimized program

export interface Figures {
  steps: number;
  /** Scalars of variables that have a value, over all steps, and those that the records show. */
  scalars: number;
  shown: number;
  wrong: string[];
  /** Records that belong to a store of the other run, and stores of that run. */
  matched: number;
}

/** A record as it stands in the text of a function. */
interface Mapping {
  at: number;
  instruction: Instruction;
  scope: Scope;
  inlinedAt: PositionId;
  variable: string;
}

interface Listing {
  at: Map<Instruction, number>;
  mappings: Mapping[];
}

function listingOf(module: Module): Listing {
  const listing: Listing = { at: new Map(), mappings: [] };
  const visit = (block: Block): void => {
    for (const instruction of block.instructions) {
      listing.at.set(instruction, listing.at.size);
      if (isDebug(instruction)) {
        const { scope, inlinedAt } = module.positions.get(instruction.position);
        const variable = variableKey(instruction.variable!);
        listing.mappings.push({ at: listing.at.size - 1, instruction, scope, inlinedAt, variable });
      }
      instruction.blocks.forEach(visit);
    }
  };
  for (const fn of module.functions) visit(fn.body);
  return listing;
}

/** All records of a module in order, as the emitter prints them. */
export function recordsOf(module: Module): string[] {
  return listingOf(module).mappings.map(
    ({ instruction }) => `${instruction.op} ${instruction.variable!.name} ${instruction.indices ?? ''}`,
  );
}

interface Replay {
  history: History;
  /** Changes that have happened. */
  done: number;
  state: Map<string, Map<string, Datum | undefined>>;
  counts: Map<string, number>;
  lastStep: string;
  /** What was shown and the state does not say: right if it comes to be before the next moment that both runs share. */
  doubts: { chain: string; variable: string; path: readonly number[]; said: Datum; title: string }[];
}

/** Watches the optimized program. `original`: its records before they were repeated for readers. */
export function walker(
  module: Module,
  original: ReadonlySet<Instruction>,
  recording: Recording,
): { watch: Watch; figures: Figures; finish: () => void } {
  const figures: Figures = { steps: 0, scalars: 0, shown: 0, wrong: [], matched: 0 };
  const listing = listingOf(module);
  const threads = new Threads();
  const replays = new Map<number, Replay>();
  const cells = new WeakMap<Cell, string>();
  const replayOf = (frame: Frame): Replay | undefined => {
    const number = threads.number(frame.thread);
    const history = number === undefined ? undefined : recording.get(number);
    if (number === undefined || !history) return undefined;
    let replay = replays.get(number);
    if (!replay) {
      replay = { history, done: 0, state: new Map(), counts: new Map(), lastStep: '', doubts: [] };
      replays.set(number, replay);
    }
    return replay;
  };
  /** `given`: what a record says. It stands for a store if that says the same, else for ways that came together there. */
  const meet = (
    replay: Replay,
    { indices, position, op }: Instruction,
    owner: string,
    chain: string,
    given?: Datum,
  ): void => {
    const key = `${owner} ${placeKey(module, position)} ${chain}`;
    const part = `${key} ${op} ${indices ?? ''}`;
    const count = replay.counts.get(part) ?? 0;
    const at = replay.history.stores.get(key)?.[count];
    const says = (change: Change | undefined): boolean => {
      if (change?.value === undefined || given === undefined) return given === undefined;
      const stored = partAt(change.value, indices ?? []);
      return stored !== undefined && isEqual(stored, given);
    };
    if (at === undefined || !says(replay.history.changes[at])) {
      // Where arms became a select, this record stands for their stores: it must be the very next thing to happen. A record
      // that repeats what the part has, as behind arms that all left it alone, stands for no store: the next one may have
      // written another part of the variable, and is still to come.
      const before = replay.state.get(chain)?.get(owner);
      if (given === undefined || (before !== undefined && says({ chain, value: before }))) return;
      const { changes } = replay.history;
      let next = replay.done;
      while (next < changes.length && changes[next]!.value === undefined) next++;
      const change = changes[next];
      if (change?.variable === owner && change.chain === chain && says(change))
        goTo(replay, next + 1, figures);
      return;
    }
    replay.counts.set(part, count + 1);
    figures.matched++;
    goTo(replay, at + 1, figures);
  };
  return {
    figures,
    finish: () => {
      for (const replay of replays.values()) goTo(replay, replay.history.changes.length + 1, figures);
    },
    watch: {
      before: (frame, instruction) => {
        const replay = replayOf(frame);
        if (!replay || isDebug(instruction)) return;
        check(frame, instruction, replay, listing, figures);
      },
      after: (frame, instruction) => {
        const replay = replayOf(frame);
        if (!replay) return;
        const { inlinedAt } = module.positions.get(instruction.position);
        if (instruction.op === 'debug_declare') {
          const pointer = asPointer(frame.get(instruction.operands[0]!));
          if (pointer.at === 'cell') cells.set(pointer.cell, variableKey(instruction.variable!));
        } else if (instruction.op === 'debug_value' && original.has(instruction)) {
          const given = frame.get(instruction.operands[0]!);
          meet(replay, instruction, variableKey(instruction.variable!), chainOf(frame, inlinedAt), given);
        } else if (instruction.op === 'store') {
          const operand = instruction.operands[0]!;
          if (operand.type.kind !== 'pointer' || operand.type.space === 'resource') return;
          const pointer = asPointer(frame.get(operand));
          const owner = pointer.at === 'cell' ? cells.get(pointer.cell) : undefined;
          if (owner) meet(replay, instruction, owner, chainOf(frame, inlinedAt));
        }
      },
    },
  };
}

function goTo(replay: Replay, end: number, figures: Figures): void {
  const { changes } = replay.history;
  if (end <= replay.done) return;
  for (const { chain, variable, path, said, title } of replay.doubts) {
    const comes = changes.slice(replay.done, end).some((change) => {
      if (change.variable !== variable || change.chain !== chain || change.value === undefined) return false;
      const part = partAt(change.value, path);
      return part !== undefined && isEqual(part, said);
    });
    if (!comes) figures.wrong.push(title);
  }
  replay.doubts = [];
  for (; replay.done < end && replay.done < changes.length; replay.done++) {
    const { chain, variable, value } = changes[replay.done]!;
    if (variable === undefined) replay.state.set(chain, new Map());
    else {
      const frame = replay.state.get(chain) ?? new Map<string, Datum | undefined>();
      replay.state.set(chain, frame.set(variable, value));
    }
  }
}

function isIn(scope: Scope | undefined, outer: Scope): boolean {
  for (; scope; scope = scope.parent) if (scope === outer) return true;
  return false;
}

/** At a step all that is shown is compared. */
function check(
  frame: Frame,
  instruction: Instruction,
  replay: Replay,
  listing: Listing,
  figures: Figures,
): void {
  const { module } = frame.machine;
  const { location, scope, inlinedAt } = module.positions.get(instruction.position);
  const chain = chainOf(frame, inlinedAt);
  const { line, file } = module.sourceMap.place(location);
  const step = `${file.name}:${line} ${chain}`;
  if (step === replay.lastStep) return;
  replay.lastStep = step;
  figures.steps++;
  const state = replay.state.get(chain);
  if (!state) return;
  const at = listing.at.get(instruction)!;
  for (const [variable, value] of state) {
    if (value === undefined) continue;
    const known = listing.mappings.filter(
      (one) =>
        one.variable === variable && one.at < at && one.inlinedAt === inlinedAt && isIn(scope, one.scope),
    );
    const owner = module.debugVariables.find((one) => variableKey(one) === variable);
    if (!owner || !isIn(scope, owner.scope)) continue;
    const scalars = leaves(value);
    figures.scalars += scalars;
    const doubt: Doubt = (path, said, title) => replay.doubts.push({ chain, variable, path, said, title });
    figures.shown += Math.min(scalars, compare(frame, known, value, `${step}: ${variable}`, doubt));
  }
}

type Doubt = (path: readonly number[], said: Datum, title: string) => void;

/** Number of scalars that are shown. */
function compare(frame: Frame, known: readonly Mapping[], value: Datum, title: string, doubt: Doubt): number {
  let shown = 0;
  const kept: Mapping[] = [];
  for (const mapping of known) {
    const path = mapping.instruction.indices ?? [];
    const rest = kept.filter((old) => !path.every((index, i) => old.instruction.indices?.[i] === index));
    kept.splice(0, kept.length, ...rest, mapping);
  }
  for (const { instruction } of kept) {
    const [operand] = instruction.operands;
    const isThere = operand!.kind === 'constant' || operand!.kind === 'global' || frame.values.has(operand!);
    if (operand!.kind === 'undef' || !isThere) continue;
    const given = frame.get(operand!);
    const said = instruction.op === 'debug_declare' ? load(asPointer(given)) : given;
    const part = partAt(value, instruction.indices ?? []);
    shown += leaves(said);
    if (part === undefined || !isEqual(said, part))
      doubt(
        instruction.indices ?? [],
        said,
        `${title}${instruction.indices?.length ? ` part ${instruction.indices}` : ''} is ${text(part)}, shown ${text(said)}`,
      );
  }
  return shown;
}

const text = (value: Datum | undefined): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)) ?? 'nothing';

function leaves(value: Datum): number {
  return isList(value) ? value.reduce<number>((sum, part) => sum + leaves(part), 0) : 1;
}

function isEqual(a: Datum, b: Datum): boolean {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((part, i) => isEqual(part, b[i]!));
  return Object.is(a, b) || a === b;
}
