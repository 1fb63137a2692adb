/**
 * Positions of the HLSL in messages about Metal text, by the source map of the text.
 *
 * A place in a message is `name:line:column`, lines and columns from 1. What `name` is decides how it is read:
 *
 * - the name of the text (`x.metal`, in any folder; `program_source` for a text that was compiled at run time): a line of the text;
 * - the name of a source, in any folder: with `#line` in effect compilers count lines of the source, but columns of the text;
 *   all lines of the text that stand for that line are looked at;
 * - a function of the text (logs of Shader Validation): a line of the text if it has no `#line`, else a line of a source, within
 *   the function.
 *
 * Anything else stays as it is.
 */
import { utf8Length } from '../source/source-map.ts';
import { type Mapping, readMap, type TextMap } from './map-reader.ts';

/** Lines longer than this are not looked at. */
const longestLine = 1 << 16;
/** Of a path that is replaced, in characters; and of places in a line. */
const longestName = 1024;
const mostPlaces = 100;

/** A function that gives a line of a log with HLSL positions and the inlined calls on lines of their own; or what is wrong with the map. */
export type Symbolicator = { line(text: string): string } | { problem: string };

export function symbolicator(map: string): Symbolicator {
  const read = readMap(map);
  if ('problem' in read) return read;
  return { line: (text) => (text.length > longestLine ? text : symbolicateLine(read, text)) };
}

/** All lines of a log. */
export function symbolicate(map: string, log: string): { text: string } | { problem: string } {
  const made = symbolicator(map);
  if ('problem' in made) return made;
  return { text: log.split('\n').map(made.line).join('\n') };
}

interface Found {
  /** Where the place begins in the line. */
  start: number;
  mappings: Mapping[];
}

function symbolicateLine(map: TextMap, text: string): string {
  const stacks: string[] = [];
  let made = '';
  let done = 0;
  let looked = 0;
  for (const match of text.matchAll(/:(\d{1,9}):(\d{1,9})/g)) {
    if (looked++ === mostPlaces) break;
    const from = Math.max(done, match.index - longestName);
    const found = find(map, text.slice(from, match.index), Number(match[1]) - 1, Number(match[2]) - 1);
    if (!found) continue;
    const [first] = found.mappings as [Mapping];
    const isOne = found.mappings.every((one) => placeText(map, one) === placeText(map, first));
    made += text.slice(done, from + found.start);
    // If there are several, the line of the source is all that is sure.
    made += isOne ? placeText(map, first) : lineText(map, first);
    done = match.index + match[0].length;
    stacks.push(...found.mappings.flatMap((one) => stackLines(map, one, !isOne)));
  }
  if (done === 0) return text;
  return [made + text.slice(done), ...new Set(stacks)].join('\n');
}

/** What a place means whose name stands at the end of `before`. */
function find(map: TextMap, before: string, line: number, column: number): Found | undefined {
  const start = startOfTextName(map, before);
  if (start !== undefined) return at(start, mappingsOf(map, [line], column));
  for (const source of map.sourcesByLength) {
    const name = map.sources[source]!;
    if (!endsWithName(before, name)) continue;
    const lines = map.directives ? (map.linesOf(source).get(line) ?? []) : [];
    return at(before.length - name.length, mappingsOf(map, lines, column));
  }
  const name = /[A-Za-z_]\w*$/.exec(before)?.[0];
  const fn = name === undefined ? undefined : map.functions.find((one) => one.name === name);
  if (!fn) return undefined;
  const within = (one: number) => one >= fn.start && one <= fn.end;
  const lines = map.directives ? map.allLinesOf(line).filter(within) : [line].filter(within);
  return at(before.length - name!.length, mappingsOf(map, lines, column));
}

function at(start: number, mappings: Mapping[]): Found | undefined {
  return mappings.length > 0 ? { start, mappings } : undefined;
}

/** Where the path of the text begins that `before` ends with. */
function startOfTextName({ file }: TextMap, before: string): number | undefined {
  const own = file === undefined ? /[^\s"'(<[,=/\\:]+\.metal$/.exec(before)?.[0] : /[^/\\]*$/.exec(file)![0];
  const name = [own, 'program_source'].find((one) => one !== undefined && endsWithName(before, one));
  if (name === undefined) return undefined;
  return before.length - name.length - /[^\s"'(<[,=]*$/.exec(before.slice(0, -name.length))![0].length;
}

/** A name ends the text, and a folder or a word before it does not run into it. */
function endsWithName(text: string, name: string): boolean {
  if (name === '' || !text.endsWith(name)) return false;
  const before = text[text.length - name.length - 1];
  return before === undefined || /[\s"'(<[,=/\\]/.test(before);
}

/** One mapping for each place and call stack. */
function mappingsOf(map: TextMap, lines: readonly number[], column: number): Mapping[] {
  const found = new Map<string, Mapping>();
  for (const line of lines) {
    const mapping = map.at(line, column);
    if (mapping) found.set(`${mapping.source} ${mapping.line} ${mapping.column} ${mapping.frame}`, mapping);
  }
  return [...found.values()];
}

function lineText(map: TextMap, { source, line }: Mapping): string {
  return `${map.sources[source]}:${line + 1}`;
}

type Place = Pick<Mapping, 'source' | 'line' | 'column'>;

/** As diagnostics have it: columns in bytes, from 1. */
function placeText(map: TextMap, { source, line, column }: Place): string {
  const text = map.lineText(source, line);
  const bytes = utf8Length(text, 0, Math.min(column, text.length)) + Math.max(0, column - text.length);
  return `${map.sources[source]}:${line + 1}:${bytes + 1}`;
}

/** The calls that led to a place, innermost first; none if nothing was inlined there, unless it is one place of several. */
function stackLines(map: TextMap, mapping: Mapping, several: boolean): string[] {
  const lines: string[] = [];
  let place: Place = mapping;
  for (let frame = map.frames[mapping.frame]; frame; ) {
    lines.push(`    at ${frame.function} (${placeText(map, place)})`);
    if (!frame.call) break;
    place = frame.call;
    frame = map.frames[frame.caller!];
  }
  return lines.length > 1 || several ? [lines.join('\n')] : [];
}
