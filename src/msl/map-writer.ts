/**
 * The Source Map v3 file (ECMA-426) of a Metal text. Sources are named as debug information names them and embedded; `names` are
 * identifiers of the source. The field `x_oneshader` tells what the format has no place for, see `MapExtension`.
 */
import type { Module } from '../ir/ir.ts';
import { type DebugPathOptions, debugPath, pathIdentity } from '../source/debug-paths.ts';
import type { PositionId, Scope } from '../source/position.ts';
import type { Location } from '../source/source-map.ts';
import { vlq } from '../source/vlq.ts';
import type { Mark } from './marks.ts';
import type { SourceName } from './writer.ts';

/** A function of the source, and the call that its code stands in place of, if it was inlined. */
export interface MapFrame {
  function: string;
  /** Place of the call, counted as in `mappings`: from 0, columns in UTF-16 code units. */
  call?: { source: number; line: number; column: number };
  /** Index of the frame that the call stands in; always less than that of this frame. */
  caller?: number;
}

/** A function of the text. */
export interface MapFunction {
  name: string;
  /** First and last line, from 0. */
  start: number;
  end: number;
}

/** What `x_oneshader` holds. */
export interface MapExtension {
  /** The text has `#line` directives: compilers count lines of the source, not of the text. */
  directives: boolean;
  frames: MapFrame[];
  /** Frame of each mapping, in the order of `mappings`: pairs of a frame's index and how many mappings have it. */
  mappingFrames: number[];
  functions: MapFunction[];
}

export interface SourceMapFile {
  version: 3;
  file?: string;
  sources: string[];
  /** Null for names that only a `#line` of the source mentions. */
  sourcesContent: (string | null)[];
  names: string[];
  mappings: string;
  x_oneshader: MapExtension;
}

interface Original {
  source: number;
  line: number;
  column: number;
}

export class MapWriter {
  readonly #module: Module;
  readonly #paths: DebugPathOptions;
  /** Names of the source by those outside of functions. */
  readonly #globals: ReadonlyMap<string, SourceName>;
  /** The same for members. */
  readonly #members: ReadonlyMap<string, string>;
  readonly #sources = new Map<string, number>();
  readonly #map: SourceMapFile;
  readonly #names = new Map<string, number>();
  readonly #originals = new Map<Location, Original>();
  readonly #frames = new Map<string, number>();
  readonly #scopes = new Map<Scope, number>();
  #locals: ReadonlyMap<string, SourceName> = new Map();
  #line = 0;
  #mappings: string[] = [];
  #segments: string[] = [];
  /** Of the segment before, from which the next one counts. */
  #column = 0;
  #last: Original & { name: number } = { source: 0, line: 0, column: 0, name: 0 };

  constructor(
    module: Module,
    given: {
      file: string;
      directives: boolean;
      paths: DebugPathOptions;
      globals: ReadonlyMap<string, SourceName>;
      members: ReadonlyMap<string, string>;
    },
  ) {
    this.#module = module;
    this.#paths = given.paths;
    this.#globals = given.globals;
    this.#members = given.members;
    this.#map = {
      version: 3,
      ...(given.file !== '' && { file: given.file }),
      sources: [],
      sourcesContent: [],
      names: [],
      mappings: '',
      x_oneshader: { directives: given.directives, frames: [], mappingFrames: [], functions: [] },
    };
  }

  /** Lines that follow belong to a function of the text, with these locals. */
  enterFunction(name: string, locals: ReadonlyMap<string, SourceName>): void {
    this.#locals = locals;
    this.#map.x_oneshader.functions.push({ name, start: this.#line, end: this.#line });
  }

  /**
   * The line that is being written. Names that it declares map to where the source declares them: the local `declared`, or all,
   * if it is the head of the function `declared`.
   */
  line({ text, marks }: { text: string; marks: readonly Mark[] }, declared: string | undefined): void {
    const isHead = declared !== undefined && !this.#locals.has(declared);
    let at = 0;
    let position: PositionId = 0;
    let isDeclared = false;
    const marksBefore = (column: number): void => {
      for (; at < marks.length && marks[at]!.column < column; at++) {
        position = marks[at]!.position;
        this.#segment(marks[at]!.column, position);
      }
      if (marks[at]?.column === column) position = marks[at]!.position;
    };
    for (const { 0: word, index } of text.matchAll(/(?<![\w:])[A-Za-z_]\w*/g)) {
      const isMember = text[index - 1] === '.';
      const known = isMember ? undefined : (this.#locals.get(word) ?? this.#globals.get(word));
      const name = isMember ? this.#members.get(word) : known?.name;
      if (name === undefined) continue;
      marksBefore(index);
      if (marks[at]?.column === index) at++;
      const declares = isHead || (word === declared && !isDeclared);
      if (word === declared) isDeclared = true;
      this.#segment(index, position, name, declares ? known?.location : undefined);
      const end = index + word.length;
      marksBefore(end);
      if (end < text.length && marks[at]?.column !== end) this.#segment(end, position);
    }
    marksBefore(text.length);
  }

  endLine(): void {
    this.#mappings.push(this.#segments.join(','));
    this.#segments = [];
    this.#column = 0;
    const { functions } = this.#map.x_oneshader;
    const open = functions[functions.length - 1];
    if (open) open.end = this.#line;
    this.#line++;
  }

  /** The file as text, of lines that stand behind `skipped` others. */
  finish(skipped: number): string {
    this.#map.mappings = ';'.repeat(skipped) + this.#mappings.join(';');
    for (const one of this.#map.x_oneshader.functions) {
      one.start += skipped;
      one.end += skipped;
    }
    return `${JSON.stringify(this.#map)}\n`;
  }

  #segment(column: number, id: PositionId, name?: string, location?: Location): void {
    const position = this.#module.positions.get(id);
    const original = this.#original(location ?? position.location);
    const last = this.#last;
    let text = vlq(column - this.#column);
    text += vlq(original.source - last.source);
    text += vlq(original.line - last.line);
    text += vlq(original.column - last.column);
    if (name !== undefined) {
      const index = numberOf(this.#names, name, () => this.#map.names.push(name));
      text += vlq(index - last.name);
      last.name = index;
    }
    this.#column = column;
    Object.assign(last, original);
    this.#segments.push(text);
    const frame = this.#frame(position.scope, position.inlinedAt);
    const runs = this.#map.x_oneshader.mappingFrames;
    if (runs.length > 0 && runs[runs.length - 2] === frame) runs[runs.length - 1]!++;
    else runs.push(frame, 1);
  }

  #original(location: Location): Original {
    let made = this.#originals.get(location);
    if (!made) {
      const { sourceMap } = this.#module;
      const { file, line, name, presumedLine, renamed } = sourceMap.presumed(location);
      const key = renamed ? `line ${name}` : `file ${pathIdentity(name, this.#paths)}`;
      const source = numberOf(this.#sources, key, () => {
        this.#map.sources.push(debugPath(name, this.#paths));
        this.#map.sourcesContent.push(renamed ? null : file.text);
      });
      const start = sourceMap.lineStarts(file)[line - 1]!;
      const column = sourceMap.expanded(location) - file.start - start;
      made = { source, line: presumedLine - 1, column };
      this.#originals.set(location, made);
    }
    return made;
  }

  #frame(scope: Scope, inlinedAt: PositionId): number {
    let of = scope;
    while (of.kind !== 'function' && of.parent) of = of.parent;
    const scopeNumber = numberOf(this.#scopes, of, () => undefined);
    const key = `${scopeNumber} ${inlinedAt}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const { frames } = this.#map.x_oneshader;
    const made: MapFrame = { function: of.name ?? '' };
    if (inlinedAt !== 0) {
      const call = this.#module.positions.get(inlinedAt);
      made.call = { ...this.#original(call.location) };
      made.caller = this.#frame(call.scope, call.inlinedAt);
    }
    this.#frames.set(key, frames.push(made) - 1);
    return frames.length - 1;
  }
}

/** The number of a key; `add` is called for one that is new. */
function numberOf<K>(numbers: Map<K, number>, key: K, add: () => unknown): number {
  let number = numbers.get(key);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(key, number);
    add();
  }
  return number;
}
