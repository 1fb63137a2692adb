/** Reads the source maps that map-writer.ts makes. Whatever the file holds, the answer is a map or a sentence that says what is wrong. */
import { readVlq } from '../source/vlq.ts';
import type { MapFrame, MapFunction } from './map-writer.ts';

/** Places count from 0, columns in UTF-16 code units. */
export interface Mapping {
  /** Of the text. */
  start: number;
  source: number;
  line: number;
  column: number;
  frame: number;
}

export interface TextMap {
  file: string | undefined;
  directives: boolean;
  sources: readonly string[];
  /** Indices of sources, those with the longest names first. */
  sourcesByLength: readonly number[];
  frames: readonly MapFrame[];
  functions: readonly MapFunction[];
  /** What stands at a place of the text; undefined for generated lines. */
  at(line: number, column: number): Mapping | undefined;
  /** Lines of the text by the lines of a source that `#line` gives them. */
  linesOf(source: number): ReadonlyMap<number, readonly number[]>;
  /** The same for a line of any source. */
  allLinesOf(line: number): readonly number[];
  /** A line of a source; empty if the map has no text of it. */
  lineText(source: number, line: number): string;
}

class Malformed extends Error {}

function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Malformed(`the source map is malformed: ${what}`);
}

export function readMap(text: string): TextMap | { problem: string } {
  try {
    return mapOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.message };
    if (error instanceof SyntaxError) return { problem: 'the source map is no JSON' };
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

function listOf<T>(value: unknown, what: string, is: (one: unknown) => one is T): T[] {
  need(Array.isArray(value) && value.every(is), what);
  return value;
}

const isText = (one: unknown): one is string => typeof one === 'string';
const isTextOrNull = (one: unknown): one is string | null => one === null || isText(one);

function mapOf(json: unknown): TextMap {
  need(isObject(json), 'it is no object');
  need(json['version'] === 3, "'version' is not 3");
  const sources = listOf(json['sources'], "'sources' is no list of names", isText);
  const contents = listOf(json['sourcesContent'], "'sourcesContent' is no list of texts", isTextOrNull);
  const names = listOf(json['names'], "'names' is no list of names", isText);
  const { mappings, file, x_oneshader: extension } = json;
  need(isText(mappings), "'mappings' is no text");
  need(file === undefined || isText(file), "'file' is no name");
  need(isObject(extension), "it has no 'x_oneshader', so it is not of oneshader");
  need(typeof extension['directives'] === 'boolean', "'directives' is no boolean");
  const functions = listOf(extension['functions'], "'functions' is no list of functions", isFunction);
  const frames = framesOf(extension['frames'], sources.length);
  const lines = linesOf(mappings, sources.length, names.length);
  setFrames(
    lines,
    listOf(extension['mappingFrames'], "'mappingFrames' is no list of numbers", isCount),
    frames.length,
  );
  const texts = new Map<number, string[]>();
  const bySource = indexLines(lines, sources.length);
  return {
    file,
    directives: extension['directives'],
    sources,
    sourcesByLength: sources
      .map((_, i) => i)
      .sort((a, b) => sources[b]!.length - sources[a]!.length || a - b),
    frames,
    functions,
    at: (line, column) => lastUpTo(lines[line] ?? [], column),
    linesOf: (source) => bySource[source]!,
    allLinesOf: (line) => bySource.flatMap((one) => one.get(line) ?? []),
    lineText: (source, line) => {
      let split = texts.get(source);
      if (!split) {
        split = (contents[source] ?? '').split('\n');
        texts.set(source, split);
      }
      return split[line] ?? '';
    },
  };
}

function lastUpTo(line: readonly Mapping[], column: number): Mapping | undefined {
  let i = line.length - 1;
  while (i >= 0 && line[i]!.start > column) i--;
  return line[i];
}

function isFunction(one: unknown): one is MapFunction {
  return isObject(one) && isText(one['name']) && isCount(one['start']) && isCount(one['end']);
}

/** A caller stands before what it calls, so that no chain of calls is a ring. */
function framesOf(value: unknown, sources: number): MapFrame[] {
  const frames = listOf(value, "'frames' is no list of functions", isObject);
  frames.forEach((frame, i) => {
    const { call, caller } = frame;
    need(isText(frame['function']), `frame ${i} has no function`);
    need((call === undefined) === (caller === undefined), `frame ${i} has a call without a caller`);
    if (call === undefined) return;
    need(isCount(caller) && caller < i, `the caller of frame ${i} does not stand before it`);
    const isPlace = isObject(call) && ['source', 'line', 'column'].every((part) => isCount(call[part]));
    need(isPlace && (call['source'] as number) < sources, `frame ${i} has a call without a place`);
  });
  return frames as unknown as MapFrame[];
}

function linesOf(mappings: string, sources: number, names: number): Mapping[][] {
  const last = [0, 0, 0, 0, 0];
  const limits = [2 ** 31, sources, 2 ** 31, 2 ** 31, names];
  return mappings.split(';').map((line, number) => {
    last[0] = 0;
    if (line === '') return [];
    const made: Mapping[] = [];
    for (const segment of line.split(',')) {
      const fields = readVlq(segment);
      need(fields?.length === 4 || fields?.length === 5, `line ${number + 1} has a mapping that is none`);
      fields.forEach((field, i) => {
        const value = last[i]! + field;
        need(value >= 0 && value < limits[i]!, `line ${number + 1} has a mapping out of range`);
        last[i] = value;
      });
      const start = last[0]!;
      need(start >= (made[made.length - 1]?.start ?? 0), `line ${number + 1} has mappings out of order`);
      made.push({ start, source: last[1]!, line: last[2]!, column: last[3]!, frame: 0 });
    }
    return made;
  });
}

function setFrames(lines: readonly Mapping[][], runs: readonly number[], frames: number): void {
  need(runs.length % 2 === 0, "'mappingFrames' is no list of pairs");
  let run = 0;
  let left = runs[1] ?? 0;
  for (const line of lines)
    for (const mapping of line) {
      while (left === 0 && run < runs.length) {
        run += 2;
        left = runs[run + 1] ?? 0;
      }
      const frame = runs[run];
      need(frame !== undefined && frame < frames, "'mappingFrames' does not fit the mappings");
      mapping.frame = frame;
      left--;
    }
  need(left === 0 && run + 2 >= runs.length, "'mappingFrames' does not fit the mappings");
}

/** Lines of the text by source and line of it: a line's first mapping is where its `#line` leads. */
function indexLines(lines: readonly Mapping[][], sources: number): Map<number, number[]>[] {
  const made = Array.from({ length: sources }, () => new Map<number, number[]>());
  lines.forEach(([first], number) => {
    if (!first) return;
    const known = made[first.source]!.get(first.line);
    if (known) known.push(number);
    else made[first.source]!.set(first.line, [number]);
  });
  return made;
}
