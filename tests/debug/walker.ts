/**
 * Answers which value a variable has at a step, from a module's SPIR-V alone, by the rules of RenderDoc: the module is executed, and
 * at each step the records that stand above it say what is shown. That is compared with the run of the program without optimizer.
 *
 * What the records say changes only at records and stores, which passes leave at the place of the assignment they stand for. So a
 * record and a store of the other run that have the same variable, position, calls and value are the same moment, and so are two
 * stores to a resource. From one such
 * moment to the next the variables have the values that they have in the source.
 */
import { type Mapping, mappingsOf, visibleAt } from '../../src/spirv/debug-coverage.ts';
import type { DebugModule, ReadInstruction, ReadRecord } from '../../src/spirv/debug-reader.ts';
import { readDebug, scopeChain } from '../../src/spirv/debug-reader.ts';
import { Op } from '../../src/spirv/enums.ts';
import { type InForce, walkBlock } from '../../src/spirv/verify-debug-code.ts';
import type { Cell } from '../support/interpreter/memory.ts';
import { type Datum, isList, partAt } from '../support/interpreter/value.ts';
import { type Frame, isPlace, type Watch } from '../support/spirv-machine/execute.ts';
import { load } from '../support/spirv-machine/memory.ts';
import type { Existing } from './existing.ts';
import {
  argument,
  type Change,
  countWritten,
  scalarsOf,
  type History,
  isOutside,
  outside,
  placeKey,
  type Recording,
  storeKey,
  Threads,
  writtenAt,
} from './recording.ts';

export interface Figures {
  steps: number;
  /** Scalars of variables that have a value, over all steps, and those that the records show. */
  scalars: number;
  shown: number;
  wrong: string[];
  /** Moments that both runs share. */
  matched: number;
  /** How often each variable was not shown though it had a value, by name and line. */
  lost: Map<string, number>;
}

/** What was shown and the state does not say: right if it comes to be before the next moment that both runs share. */
interface Doubt {
  chain: string;
  variable: string;
  path: readonly number[];
  said: Datum;
  title: string;
}

interface Replay {
  history: History;
  /** Changes that have happened. */
  done: number;
  state: Map<string, Map<string, Change>>;
  /** The change before the last one, if it was of the same variable. */
  before: Change | undefined;
  last: Change | undefined;
  lastStep: string;
  doubts: Doubt[];
}

/** The part of a variable that a cell holds, in one call. */
interface Owner {
  variable: string;
  indices: readonly number[];
  chain: string;
}

export class Walker {
  readonly figures: Figures = { steps: 0, scalars: 0, shown: 0, wrong: [], matched: 0, lost: new Map() };
  readonly #module: DebugModule;
  readonly #recording: Recording;
  readonly #threads = new Threads();
  readonly #replays = new Map<number, Replay>();
  readonly #owners = new WeakMap<Cell, Owner>();
  readonly #inForce = new Map<number, InForce>();
  readonly #mappings = new Map<number, Mapping[]>();
  readonly #visible = new Map<number, Map<number, Mapping[]>>();
  readonly #locals = new Map<string, ReadRecord[]>();

  readonly words: Uint32Array;
  readonly #existing: Existing | undefined;

  /** `existing` is told of each scalar whether it was shown. */
  constructor(words: Uint32Array, recording: Recording, existing?: Existing) {
    this.words = words;
    this.#existing = existing;
    const module = readDebug(words);
    this.#module = module;
    this.#recording = recording;
    for (const target of module.functions) {
      const mappings = mappingsOf(module, target);
      for (const block of target.blocks)
        walkBlock(module, block, (at, { scope, line }) => {
          this.#inForce.set(at, { scope, line });
          this.#mappings.set(at, mappings);
        });
    }
    for (const local of module.all('DebugLocalVariable')) {
      const key = this.#variable(local);
      this.#locals.set(key, [...(this.#locals.get(key) ?? []), local]);
    }
  }

  readonly watch: Watch = {
    enter: (frame) => {
      const replay = this.#replayOf(frame);
      if (replay) this.#begin(replay, this.#chain(frame, undefined));
    },
    before: (frame, { at }) => {
      const inForce = this.#inForce.get(at);
      if (!inForce?.scope || inForce.line?.name !== 'DebugLine') return;
      const record = this.#module.byPlace.get(at);
      if (record && record.name !== 'DebugValue') return;
      const replay = this.#replayOf(frame);
      if (replay) this.#check(frame, at, inForce.scope, inForce.line, replay);
    },
    after: (frame, instruction) => {
      const record = this.#module.byPlace.get(instruction.at);
      if (record ? !/^Debug(Declare|Value)$/.test(record.name) : instruction.op !== Op.Store) return;
      const replay = this.#replayOf(frame);
      const inForce = this.#inForce.get(instruction.at);
      if (!replay || !inForce) return;
      if (record) this.#tell(frame, record, inForce, replay);
      else this.#store(frame, instruction, inForce, replay);
    },
  };

  /** To be called behind the run. */
  finish(): void {
    for (const replay of this.#replays.values()) this.#goTo(replay, replay.history.changes.length + 1);
  }

  #replayOf({ thread }: Frame): Replay | undefined {
    const number = this.#threads.number(thread);
    const history = number === undefined ? undefined : this.#recording.get(number);
    if (number === undefined || !history) return undefined;
    let replay = this.#replays.get(number);
    if (!replay) {
      replay = {
        history,
        done: 0,
        state: new Map(),
        before: undefined,
        last: undefined,
        lastStep: '',
        doubts: [],
      };
      this.#replays.set(number, replay);
    }
    return replay;
  }

  // ---- names that both runs share

  #variable({ operands }: ReadRecord): string {
    const [name, , source, line, column] = operands;
    const module = this.#module;
    return `${module.text(name)}@${this.#source(source!)}:${module.number(line)}:${module.number(column)}`;
  }

  #source(id: number): string {
    return this.#module.text(this.#module.byId.get(id)?.operands[0]);
  }

  #place({ operands: [source, startLine, endLine, startColumn, endColumn] }: ReadRecord): string {
    const [line, lastLine, column, lastColumn] = [startLine, endLine, startColumn, endColumn].map((id) =>
      this.#module.number(id),
    ) as [number, number, number, number];
    return placeKey({ source: this.#source(source!), line, column }, { line: lastLine, column: lastColumn });
  }

  /** Lines of the calls, outermost first: those that are still calls, then those that were inlined. */
  #chain(frame: Frame, scope: ReadRecord | undefined): string {
    const inner: string[] = [];
    for (let call = scope?.operands[1]; call !== undefined; ) {
      const record = this.#module.byId.get(call)!;
      inner.unshift(`/${this.#module.number(record.operands[0])}`);
      call = record.operands[2];
    }
    const { caller } = frame;
    if (!caller) return inner.join('');
    const at = this.#inForce.get(caller.call.at);
    const line = at?.line?.name === 'DebugLine' ? this.#module.number(at.line.operands[1]) : Number.NaN;
    return `${this.#chain(caller.frame, at?.scope)}/${line}${inner.join('')}`;
  }

  // ---- moments that both runs share

  #tell(frame: Frame, record: ReadRecord, { scope, line }: InForce, replay: Replay): void {
    const variable = this.#variable(this.#module.byId.get(record.operands[0]!)!);
    const indices = record.operands.slice(3).map((id) => this.#module.number(id));
    const chain = this.#chain(frame, scope);
    if (record.name === 'DebugDeclare') {
      const place = frame.get(record.operands[1]!);
      if (isPlace(place) && place.at === 'variable')
        this.#owners.set(place.cell, { variable, indices, chain });
      // Later turns of a loop declare it anew.
      if (indices.length === 0) this.#begin(replay, chain, variable);
      return;
    }
    const given = this.#shownBy(frame, record);
    // Of records that stand together only the last one has the line.
    if (given !== undefined)
      this.#meet(
        replay,
        { variable, indices, chain },
        line?.name === 'DebugLine' ? this.#place(line) : '',
        given,
      );
  }

  /** A call, or a variable in memory, begins in both runs. */
  #begin(replay: Replay, chain: string, variable?: string): void {
    const { changes } = replay.history;
    for (let at = replay.done; at < changes.length; at++) {
      const change = changes[at]!;
      if (change.chain !== chain || change.variable !== variable || !change.begins) continue;
      this.#goTo(replay, at + 1);
      return;
    }
  }

  #store(frame: Frame, { words }: ReadInstruction, { scope, line }: InForce, replay: Replay): void {
    const place = frame.place(words[0]!);
    if (line?.name !== 'DebugLine') return;
    if (place.at !== 'variable') {
      this.#storeOutside(
        outside(this.#place(line)),
        this.#chain(frame, scope),
        frame.value(words[1]!),
        replay,
      );
      return;
    }
    const owner = this.#owners.get(place.cell);
    if (!owner) return;
    const indices = [...owner.indices, ...place.path];
    this.#meet(replay, { ...owner, indices }, this.#place(line), frame.value(words[1]!));
  }

  /** Nothing tells two stores of one place apart, so this must be the next one. */
  #storeOutside(variable: string, chain: string, given: Datum, replay: Replay): void {
    const { changes } = replay.history;
    let next = replay.done;
    while (next < changes.length && !isOutside(changes[next]!.variable)) next++;
    const change = changes[next];
    if (change?.variable !== variable || change.chain !== chain || !isEqual(change.value!, given)) return;
    this.figures.matched++;
    this.#goTo(replay, next + 1);
  }

  #meet(replay: Replay, { variable, indices, chain }: Owner, place: string, given: Datum): void {
    const { changes, stores } = replay.history;
    const says = (change: Change | undefined): boolean => {
      const part = change?.value === undefined ? undefined : partAt(change.value, indices);
      return part !== undefined && isEqual(part, given);
    };
    // A record may repeat what the variable has, for readers. Nothing is learned from it.
    if (says(replay.state.get(chain)?.get(variable))) return;
    // A record of a part may stand for a store whose line a record behind it has. It is no argument of a later call then.
    const isNext = (number: number): boolean =>
      changes
        .slice(replay.done, number)
        .every((one) => one.variable !== variable || one.chain !== chain || one.value === undefined);
    const from = (key: string): number[] =>
      (stores.get(storeKey(variable, key, chain)) ?? []).filter((number) => number >= replay.done);
    const at =
      from(place).find((number) => says(changes[number])) ??
      from(argument)
        .slice(0, 1)
        .find((number) => says(changes[number]) && (place !== '' || isNext(number)));
    if (at !== undefined) {
      this.figures.matched++;
      this.#goTo(replay, at + 1);
      return;
    }
    // Where arms became a select, this record stands for their stores: it must be the very next thing to happen.
    let first = replay.done;
    while (first < changes.length && changes[first]!.value === undefined) first++;
    do {
      const change = changes[first];
      if (change?.variable === variable && change.chain === chain && says(change)) {
        this.#goTo(replay, first + 1);
        return;
      }
    } while (changes[++first]?.isAlong);
  }

  #goTo(replay: Replay, end: number): void {
    const { changes } = replay.history;
    if (end <= replay.done) return;
    while (changes[end]?.isAlong) end++;
    for (const { chain, variable, path, said, title } of replay.doubts) {
      const comes = changes.slice(replay.done, end).some((change) => {
        if (change.variable !== variable || change.chain !== chain || change.value === undefined)
          return false;
        const part = partAt(change.value, path);
        return part !== undefined && isEqual(part, said);
      });
      if (!comes) this.figures.wrong.push(title);
    }
    replay.doubts = [];
    for (; replay.done < end && replay.done < changes.length; replay.done++) {
      const change = changes[replay.done]!;
      if (change.variable === undefined) replay.state.set(change.chain, new Map());
      else {
        const frame = replay.state.get(change.chain) ?? new Map<string, Change>();
        replay.before = frame.get(change.variable);
        replay.last = change;
        replay.state.set(change.chain, frame.set(change.variable, change));
      }
    }
  }

  // ---- steps

  /** At a step all that is shown is compared. */
  #check(frame: Frame, at: number, scope: ReadRecord, line: ReadRecord, replay: Replay): void {
    const chain = this.#chain(frame, scope);
    const step = `${this.#source(line.operands[0]!)}:${this.#module.number(line.operands[1])} ${chain}`;
    if (step === replay.lastStep) return;
    replay.lastStep = step;
    this.figures.steps++;
    const state = replay.state.get(chain);
    if (!state) return;
    const [scopeId, inlined = 0] = scope.operands as [number, number?];
    let visible = this.#visible.get(at);
    if (!visible) {
      // RenderDoc stops at values too, and shows what they say.
      const end = this.#module.byPlace.has(at) ? at + 1 : at;
      visible = visibleAt(this.#module, this.#mappings.get(at)!, end, scopeId, inlined);
      this.#visible.set(at, visible);
    }
    const scopes = new Set(scopeChain(this.#module, scopeId).map(({ id }) => id));
    for (const [variable, change] of state) {
      const local = this.#locals.get(variable)?.find(({ operands }) => scopes.has(operands[5]!));
      if (change.value === undefined || !local) continue;
      // A statement that is not done yet may have given some of the parts only: others have what they had, if anything.
      const isUnderWay = change === replay.last && change.place === this.#place(line);
      const doubt = (path: readonly number[], said: Datum, title: string): void => {
        const before = replay.before?.value;
        if (isUnderWay && (before === undefined || isEqual(partAt(before, path)!, said))) return;
        replay.doubts.push({ chain, variable, path, said, title: `${step}: ${variable}${title}` });
      };
      const shown = this.#compare(frame, visible.get(local.id) ?? [], change, doubt);
      const isDeclared = this.#isDeclared(local, line);
      this.#count(shown, change, `${variable} at ${step}`, isDeclared);
      if (isDeclared && this.#existing)
        this.#tellScalars(frame, visible.get(local.id) ?? [], change, `${at} ${variable} ${chain}`);
    }
  }

  #tellScalars(frame: Frame, visible: readonly Mapping[], { value, written }: Change, key: string): void {
    for (const path of scalarsOf(value!, written)) {
      const isShown = visible.some(
        ({ indices, record }) =>
          indices.every((index, i) => path[i] === index) && this.#shownBy(frame, record) !== undefined,
      );
      if (isShown) this.#existing!.shown(key, value!, path);
      else this.#existing!.lost(key, value!, path, frame);
    }
  }

  #count(shown: number, { value, written }: Change, title: string, isDeclared: boolean): void {
    if (!isDeclared) return;
    const scalars = countWritten(value, written);
    this.figures.scalars += scalars;
    this.figures.shown += Math.min(shown, scalars);
    const lost = scalars - shown;
    if (lost > 0) this.figures.lost.set(title, (this.figures.lost.get(title) ?? 0) + lost);
  }

  /** False up to the line of the declaration, where a variable of a loop may still have what it had in the turn before. */
  #isDeclared({ operands: local }: ReadRecord, { operands: line }: ReadRecord): boolean {
    return local[2] !== line[0] || this.#module.number(local[3]) < this.#module.number(line[1]);
  }

  /** Number of scalars that are shown. */
  #compare(
    frame: Frame,
    visible: readonly Mapping[],
    { value, written }: Change,
    doubt: (path: readonly number[], said: Datum, title: string) => void,
  ): number {
    let shown = 0;
    for (const mapping of visible) {
      const said = this.#shownBy(frame, mapping.record);
      if (said === undefined) continue;
      const { indices } = mapping;
      const part = partAt(value!, indices);
      shown += countWritten(part, writtenAt(written, indices));
      if (part === undefined || !isEqual(said, part)) {
        const title = `${indices.length > 0 ? ` part ${indices}` : ''} is ${text(part)}, shown ${text(said)}`;
        doubt(indices, said, title);
      }
    }
    return shown;
  }

  /** What a record shows now; nothing if its value is not made yet or is none. */
  #shownBy(frame: Frame, { operands }: ReadRecord): Datum | undefined {
    const id = operands[1]!;
    if (this.#module.definitions.get(id)?.op === Op.Undef || !frame.has(id)) return undefined;
    const register = frame.get(id);
    if (!isPlace(register)) return register as Datum;
    const value = load(frame.machine.program, register);
    return isPlace(value) ? undefined : (value as Datum);
  }
}

const text = (value: Datum | undefined): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)) ?? 'nothing';

/** SPIR-V has no vectors of one, and bools in memory are numbers. */
function isEqual(a: Datum, b: Datum): boolean {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((part, i) => isEqual(part, b[i]!));
  if (isList(a)) return a.length === 1 && isEqual(a[0]!, b);
  if (isList(b)) return b.length === 1 && isEqual(a, b[0]!);
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) === Number(b);
  return Object.is(a, b) || a === b;
}
