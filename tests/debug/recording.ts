/** What variables hold in a run of the program without optimizer, on the IR's interpreter. */
import type { DebugVariable, Instruction, Module } from '../../src/ir/ir.ts';
import { debugPath, type DebugPathOptions } from '../../src/source/debug-paths.ts';
import type { PositionId } from '../../src/source/position.ts';
import { type Location, utf8Length } from '../../src/source/source-map.ts';
import type { Frame, Watch } from '../support/interpreter/execute.ts';
import { asPointer, type Cell, type CellPointer } from '../support/interpreter/memory.ts';
import type { Thread } from '../support/interpreter/thread.ts';
import { type Datum, isList } from '../support/interpreter/value.ts';

/** Parts of a value that were written: all, or those by index. */
export type Written = true | ReadonlyMap<number, Written>;

/** A change: a call begins, a variable begins anew, or gets a value. */
export interface Change {
  chain: string;
  variable?: string;
  value?: Datum;
  written?: Written;
  /** Of the statement that gives the value. */
  place?: string;
  /** The same store as the change before: a parameter that is a variable of the caller. */
  isAlong?: boolean;
  /** The variable was declared here; a parameter has its value then. */
  begins?: true;
}

/** What one thread did. */
export interface History {
  changes: Change[];
  /** Numbers of changes, by variable, position and calls. */
  stores: Map<string, number[]>;
}

/** Threads in order of their start. */
export type Recording = Map<number, History>;

const watchedThreads = 4;

/** Threads by the order in which they are first seen; only the first few are looked at. */
export class Threads {
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

/**
 * Positions and variables in the words of debug records: source, lines and columns. The same in every compilation of a text, and in
 * SPIR-V.
 */
class Places {
  readonly #module: Module;
  readonly #known = new Map<PositionId, string>();

  readonly #options: DebugPathOptions;

  constructor(module: Module, options: DebugPathOptions) {
    this.#module = module;
    this.#options = options;
  }

  variable({ name, location }: DebugVariable): string {
    const { source, line, column } = this.#start(location);
    return `${name}@${source}:${line}:${column}`;
  }

  line(id: PositionId): number {
    return this.#start(this.#module.positions.get(id).location).line;
  }

  /** `source:line:column-line:column`, the last byte included. */
  range(id: PositionId): string {
    let range = this.#known.get(id);
    if (range === undefined) {
      range = this.#rangeOf(id);
      this.#known.set(id, range);
    }
    return range;
  }

  #rangeOf(id: PositionId): string {
    const { location, end } = this.#module.positions.get(id);
    const first = this.#start(location);
    const last = this.#start(Math.max(end - 1, location));
    const file = this.#module.sourceMap.fileAt(last.location);
    const offset = last.location - file.start;
    last.column += Math.max(utf8Length(file.text, offset, offset + 1), 1) - 1;
    const isOrdered =
      last.source === first.source &&
      (last.line > first.line || (last.line === first.line && last.column >= first.column));
    return placeKey(first, isOrdered ? last : first);
  }

  #start(location: Location): { source: string; line: number; column: number; location: Location } {
    const { name, presumedLine: line, column } = this.#module.sourceMap.presumed(location);
    return { source: debugPath(name, this.#options), line, column, location };
  }
}

interface Point {
  line: number;
  column: number;
}

export function placeKey(start: Point & { source: string }, end: Point): string {
  return `${start.source}:${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** Stands for the place where a parameter gets its value. */
export const argument = 'argument';

/** Of the stores to a variable at one place, by the calls that led there. */
export function storeKey(variable: string, place: string, chain: string): string {
  return `${variable} ${place} ${chain}`;
}

/** Watches the program without optimizer, whose variables lie in memory. */
export function recorder(module: Module, options: DebugPathOptions): { watch: Watch; recording: Recording } {
  const recorded = new Recorder(module, options);
  return { recording: recorded.recording, watch: recorded.watch };
}

/** A variable of a call. */
interface Owner {
  variable: string;
  chain: string;
  isParameter: boolean;
}

class Recorder {
  readonly recording: Recording = new Map();
  readonly #places: Places;
  readonly #threads = new Threads();
  readonly #owners = new WeakMap<Cell, Owner[]>();
  readonly #written = new WeakMap<Cell, Written>();
  readonly #chains = new WeakMap<Frame, string>();

  constructor(module: Module, options: DebugPathOptions) {
    this.#places = new Places(module, options);
  }

  readonly watch: Watch = {
    enter: (frame) => this.#historyOf(frame)?.changes.push({ chain: this.#chainOf(frame), begins: true }),
    after: (frame, instruction) => {
      const history = this.#historyOf(frame);
      if (!history) return;
      if (instruction.op === 'debug_declare') this.#declare(frame, instruction, history);
      else if (instruction.op === 'store' || instruction.op === 'intrinsic') {
        const count = instruction.op === 'store' ? 1 : instruction.operands.length;
        for (const operand of instruction.operands.slice(0, count)) {
          if (operand.type.kind !== 'pointer' || operand.type.space === 'resource') continue;
          const pointer = asPointer(frame.get(operand));
          if (pointer.at === 'cell') this.#store(history, pointer, instruction.position);
          else if (instruction.op === 'store') this.#storeOutside(frame, instruction, history);
        }
      }
    },
  };

  #historyOf(frame: Frame): History | undefined {
    const number = this.#threads.number(frame.thread);
    if (number === undefined) return undefined;
    let history = this.recording.get(number);
    if (!history) {
      history = { changes: [], stores: new Map() };
      this.recording.set(number, history);
    }
    return history;
  }

  /** Lines of the calls, outermost first. */
  #chainOf(frame: Frame): string {
    const { caller } = frame;
    if (!caller) return '';
    let chain = this.#chains.get(frame);
    if (chain === undefined) {
      chain = `${this.#chainOf(caller.frame)}/${this.#places.line(caller.call.position)}`;
      this.#chains.set(frame, chain);
    }
    return chain;
  }

  #declare(frame: Frame, { operands, variable: declared }: Instruction, history: History): void {
    const [memory] = operands;
    const pointer = asPointer(frame.get(memory!));
    if (pointer.at !== 'cell') return;
    const { cell } = pointer;
    const variable = this.#places.variable(declared!);
    const chain = this.#chainOf(frame);
    const others = (this.#owners.get(cell) ?? []).filter((one) => one.chain !== chain);
    // What is stored to an `out` parameter first is an assignment as any.
    const isParameter = declared!.argument !== undefined && memory!.kind !== 'parameter';
    this.#owners.set(cell, [...others, { variable, chain, isParameter }]);
    const written = this.#written.get(cell);
    const isGiven = written !== undefined && memory!.kind === 'parameter';
    if (isGiven) {
      this.#change(history, { chain, variable, value: cell.value, written, begins: true }, argument);
      return;
    }
    history.changes.push({ chain, variable, begins: true });
    // A variable that is declared in a loop begins anew with each turn.
    this.#written.delete(cell);
  }

  /** A value that the variable gets at a place. */
  #change(history: History, change: Change & { variable: string }, place: string): void {
    const key = storeKey(change.variable, place, change.chain);
    const list = history.stores.get(key);
    if (list) list.push(history.changes.length);
    else history.stores.set(key, [history.changes.length]);
    history.changes.push({ ...change, place });
  }

  #storeOutside(frame: Frame, { operands, position }: Instruction, history: History): void {
    const place = this.#places.range(position);
    const value = frame.get(operands[1]!) as Datum;
    this.#change(
      history,
      { chain: this.#chainOf(frame), variable: outside(place), value, written: true },
      place,
    );
  }

  #store(history: History, { cell, path }: CellPointer, position: PositionId): void {
    const before = this.#written.get(cell);
    const written = withWritten(before, path);
    this.#written.set(cell, written);
    for (const [i, { variable, chain, isParameter }] of (this.#owners.get(cell) ?? []).entries()) {
      const place = isParameter && !before ? argument : this.#places.range(position);
      this.#change(history, { chain, variable, value: cell.value, written, isAlong: i > 0 }, place);
    }
  }
}

/** Stands for a variable where the memory of a resource is stored to. */
export function outside(place: string): string {
  return `memory at ${place}`;
}
export function isOutside(variable: string | undefined): boolean {
  return variable?.startsWith('memory at ') ?? false;
}

function withWritten(old: Written | undefined, path: readonly number[]): Written {
  const [index, ...rest] = path;
  if (index === undefined || old === true) return true;
  const parts = new Map(old);
  return parts.set(index, withWritten(parts.get(index), rest));
}

export function writtenAt(written: Written | undefined, path: readonly number[]): Written | undefined {
  for (const index of path) {
    if (written === undefined || written === true) return written;
    written = written.get(index);
  }
  return written;
}

/** Scalars of a value that were written. */
export function countWritten(value: Datum | undefined, written: Written | undefined): number {
  if (value === undefined || written === undefined) return 0;
  if (isList(value))
    return value.reduce<number>((sum, part, i) => sum + countWritten(part, writtenAt(written, [i])), 0);
  return 1;
}

/** Paths of the scalars of a value that were written. */
export function scalarsOf(
  value: Datum,
  written: Written | undefined,
  path: readonly number[] = [],
): (readonly number[])[] {
  if (written === undefined) return [];
  if (!isList(value)) return [path];
  return value.flatMap((part, i) => scalarsOf(part, writtenAt(written, [i]), [...path, i]));
}
