/**
 * Diagnostics as text. `text` is the style of compilers: place, message, the source line, a caret. `msbuild` is one line
 * each in the form that MSBuild and Visual Studio read. Places honour `#line`; the source line is that of the real file.
 */
import type { Diagnostic, Severity } from './diagnostic.ts';
import type { Location, PresumedPlace, SourceMap } from './source-map.ts';

export type RenderStyle = 'text' | 'msbuild';

/** A source line longer than this is cut to a window around the caret. */
const widthLimit = 240;

/** All diagnostics, one below the other; an include stack is shown again only when it changes. */
export function renderDiagnostics(
  all: readonly Diagnostic[],
  map: SourceMap,
  style: RenderStyle = 'text',
): string {
  const out: string[] = [];
  let stack = '';
  for (const diagnostic of all) {
    const now = style === 'text' ? includeStack(diagnostic.at, map) : '';
    if (now !== stack) out.push(now);
    stack = now;
    out.push(body(diagnostic, map, style));
  }
  return out.join('');
}

/** One diagnostic with its notes; ends in a line break. */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  map: SourceMap,
  style: RenderStyle = 'text',
): string {
  return (style === 'text' ? includeStack(diagnostic.at, map) : '') + body(diagnostic, map, style);
}

/** One line of a diagnostic: itself or a note, with its place as the user knows it. */
export interface MessageLine {
  severity: Severity;
  /** Empty for notes. */
  code: string;
  message: string;
  /** Absent if no place is to blame. */
  file?: string;
  line?: number;
  /** In UTF-16 code units from 1, as MSBuild and IDEs count; not in bytes, as the text for terminals does. */
  column?: number;
}

/** A diagnostic and its notes, the places resolved, so that they outlive the source map. */
export function messageLines(diagnostic: Diagnostic, map: SourceMap): MessageLine[] {
  return entriesOf(diagnostic, map).map((entry) => messageLine(entry, map));
}

/** In the form that MSBuild and Visual Studio read. */
export function msbuildLine({ severity, code, message, file, line, column }: MessageLine): string {
  const place = line === undefined ? '' : `(${line},${column})`;
  const where = file === undefined ? 'oneshader' : `${file}${place}`;
  return `${where}: ${severity}${code && ` ${code}`}: ${message}\n`;
}

interface Entry {
  at: Location;
  end?: Location | undefined;
  severity: Severity;
  code: string;
  message: string;
}

function entriesOf({ at, end, severity, code, message, notes }: Diagnostic, map: SourceMap): Entry[] {
  const entries: Entry[] = [{ at, end, severity, code, message }];
  const spelled = map.spelling(at);
  if (spelled !== map.expanded(at)) {
    const text = inDefinition(map, spelled) ? 'expanded from macro here' : 'spelled here';
    entries.push({ at: spelled, severity: 'note', code: '', message: text });
  }
  for (const note of notes) entries.push({ at: note.at, severity: 'note', code: '', message: note.message });
  return entries;
}

function messageLine({ at, severity, code, message }: Entry, map: SourceMap): MessageLine {
  const text = message.replaceAll('\n', ' ');
  if (at === 0) return { severity, code, message: text };
  const { name, presumedLine, file, line } = map.presumed(at);
  const lineStart = file.start + map.lineStarts(file)[line - 1]!;
  const column = map.expanded(at) - lineStart + 1;
  return { severity, code, message: text, file: name, line: presumedLine, column };
}

function body(diagnostic: Diagnostic, map: SourceMap, style: RenderStyle): string {
  const entries = entriesOf(diagnostic, map);
  if (style === 'msbuild') return entries.map((entry) => msbuildLine(messageLine(entry, map))).join('');
  return entries.map((entry) => textEntry(entry, map)).join('');
}

function textEntry({ at, end, severity, code, message }: Entry, map: SourceMap): string {
  const text = message.replaceAll('\n', ' ');
  const tail = code && ` [${code}]`;
  if (at === 0) return `${severity}: ${text}${tail}\n`;
  const place = map.presumed(at);
  const head = `${place.name}:${place.presumedLine}:${place.column}: ${severity}: ${text}${tail}\n`;
  return head + snippet(map, place, map.expanded(at), map.expandedEnd(at) ?? end);
}

/** `In file included from` lines, the outermost first; empty in the main file. */
function includeStack(at: Location, map: SourceMap): string {
  if (at === 0) return '';
  const lines: string[] = [];
  for (let from = map.fileAt(at).includedFrom; from !== 0; from = map.fileAt(from).includedFrom) {
    const place = map.presumed(from);
    lines.push(`In file included from ${place.name}:${place.presumedLine}:\n`);
  }
  return lines.reverse().join('');
}

/** Whether a place is in the line of a `#define`, its continued lines included. */
function inDefinition(map: SourceMap, location: Location): boolean {
  const { file, line } = map.place(location);
  const starts = map.lineStarts(file);
  let first = line - 1;
  while (first > 0 && /\\[ \t]*\n$/.test(file.text.slice(starts[first - 1]!, starts[first]!))) first--;
  return /^\s*#\s*define\b/.test(file.text.slice(starts[first]!, starts[first + 1] ?? file.text.length));
}

/** The source line and, below it, a caret and `~` to the end of the range. */
function snippet(map: SourceMap, place: PresumedPlace, at: Location, end: Location | undefined): string {
  const { file, line } = place;
  const starts = map.lineStarts(file);
  const start = starts[line - 1]!;
  const stop = line < starts.length ? starts[line]! - 1 : file.text.length;
  const caret = at - file.start;
  const last = end === undefined || end <= at ? caret + 1 : Math.min(end - file.start, stop);
  const from = stop - start > widthLimit ? Math.max(start, caret - widthLimit / 2) : start;
  const to = Math.min(stop, from + widthLimit);
  const shown = (from > start ? '...' : '') + file.text.slice(from, to) + (to < stop ? '...' : '');
  if (shown.trim() === '') return '';
  const indent = (from > start ? '   ' : '') + blankOf(file.text.slice(from, caret));
  const marked = widthOf(file.text.slice(caret, Math.min(last, to)));
  return `${shown}\n${indent}^${'~'.repeat(Math.max(marked - 1, 0))}\n`;
}

/** White space as wide as a text. Tabs stay tabs, so that the terminal gives them the same width. */
function blankOf(text: string): string {
  let out = '';
  for (const character of text) out += character === '\t' ? '\t' : ' '.repeat(cells(character));
  return out;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += cells(character);
  return width;
}

/** Terminal cells of a character: two for East Asian wide ones and pictures, none for marks that combine. */
function cells(character: string): number {
  if (character < '\u0300') return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0;
  return /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]$|^\p{Extended_Pictographic}$|^[\u{20000}-\u{3fffd}]$/u.test(
    character,
  )
    ? 2
    : 1;
}
