/**
 * Loaded text laid end to end in one number space, so that a place in any file is one number.
 *
 * A `Location` above 0 is an offset (UTF-16 code units) into all loaded text; each inclusion of a file has a range
 * of its own, so a location also knows its include stack. 0 is nowhere. A negative location is a token that came
 * out of a macro: it names an entry of the expansion table, which holds where the token counts as standing (the
 * outermost macro's name) and where its characters are.
 */
export type Location = number;

/** One inclusion of one file. Text has CRLF and lone CR made LF and no byte order mark; NUL became a space. */
export interface SourceFile {
  /** As the include handler or the caller named it. */
  name: string;
  text: string;
  /** Location of the first character; the file covers `[start, start + text.length]`. */
  start: Location;
  /** Location of the `#include` that brought it in; 0 for the main file and for made-up text. */
  includedFrom: Location;
  /** `file`: given by the user; `made`: command-line macros, predefined macros, pasted tokens. */
  kind: 'file' | 'made';
  /** `#line` directives in order of location. Filled by the preprocessor. */
  lineMarks: LineMark[];
}

/** A `#line` directive: from `at` (start of the following line) on, lines count from `line` in file `name`. */
interface LineMark {
  at: Location;
  line: number;
  /** The name in force from here on, by this directive or one before it; absent if none gave one. */
  name?: string;
}

export interface Place {
  file: SourceFile;
  /** Counted from 1. */
  line: number;
  /** Counted from 1, in bytes of the UTF-8 text. */
  column: number;
}

/** What messages and debug information say: `#line` honoured. */
export interface PresumedPlace extends Place {
  /** Name after `#line`; `file.name` without one. */
  name: string;
  /** Line after `#line`. */
  presumedLine: number;
  /** True if a `#line` with a file name is in force, so `name` may not be a file we have text of. */
  renamed: boolean;
}

export class SourceMap {
  readonly files: SourceFile[] = [];
  #next = 1;
  /** By text, since a file that is included again has the same text. */
  #lineStarts = new Map<string, Uint32Array>();
  #byteCounts = new Map<string, Uint32Array | 'ascii'>();
  /** Triples: at, end (exclusive), spelled. Entry n is named by location -(n + 1). */
  #expansions = new Int32Array(3 * 64);
  #expansionCount = 0;
  #last: SourceFile | undefined;
  #lastStarts: Uint32Array | undefined;
  #lastLine = 0;

  /** Lays `text` behind what is loaded. The text must be normalized already (see SourceFile). */
  add(name: string, text: string, includedFrom: Location, kind: SourceFile['kind'] = 'file'): SourceFile {
    const file: SourceFile = { name, text, start: this.#next, includedFrom, kind, lineMarks: [] };
    this.#next += text.length + 1;
    this.files.push(file);
    return file;
  }

  /** All characters loaded so far. */
  get size(): number {
    return this.#next;
  }

  /** A location for a token from a macro: `at` and `end` are those of the outermost macro's name. */
  expansion(at: Location, end: Location, spelled: Location): Location {
    const n = this.#expansionCount++;
    if (3 * n + 3 > this.#expansions.length) {
      const grown = new Int32Array(this.#expansions.length * 2);
      grown.set(this.#expansions);
      this.#expansions = grown;
    }
    this.#expansions[3 * n] = at;
    this.#expansions[3 * n + 1] = end;
    this.#expansions[3 * n + 2] = spelled;
    return -(n + 1);
  }

  /** Where a location counts as standing: the outermost macro's name, or itself. Never negative. */
  expanded(location: Location): Location {
    return location < 0 ? this.#expansions[3 * (-location - 1)]! : location;
  }

  /** End (exclusive) of the macro name for a location from a macro; undefined outside macros. */
  expandedEnd(location: Location): Location | undefined {
    return location < 0 ? this.#expansions[3 * (-location - 1) + 1]! : undefined;
  }

  /** Where the characters of a token are. Never negative. */
  spelling(location: Location): Location {
    return location < 0 ? this.#expansions[3 * (-location - 1) + 2]! : location;
  }

  /** The file whose range holds a location. */
  fileAt(location: Location): SourceFile {
    const at = location < 0 ? this.expanded(location) : location;
    const last = this.#last;
    if (last && at >= last.start && at <= last.start + last.text.length) return last;
    let low = 0;
    let high = this.files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.files[middle]!.start <= at) low = middle;
      else high = middle - 1;
    }
    const file = this.files[low];
    if (!file) throw new RangeError('no file is loaded');
    this.#last = file;
    return file;
  }

  /** Physical file, line and column of where a location counts as standing. */
  place(location: Location): Place {
    const at = this.expanded(location);
    const file = this.fileAt(at);
    const offset = at - file.start;
    const starts = this.lineStarts(file);
    const line = this.#lineIndex(starts, offset);
    return { file, line: line + 1, column: this.#bytes(file.text, starts[line]!, offset) + 1 };
  }

  /** As `place`, with `#line` directives honoured. */
  presumed(location: Location): PresumedPlace {
    const at = this.expanded(location);
    const file = this.fileAt(at);
    const starts = this.lineStarts(file);
    const index = this.#lineIndex(starts, at - file.start);
    const line = index + 1;
    const column = this.#bytes(file.text, starts[index]!, at - file.start) + 1;
    const marks = file.lineMarks;
    if (marks.length === 0)
      return { file, line, column, name: file.name, presumedLine: line, renamed: false };
    let low = -1;
    let high = marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (marks[middle]!.at <= at) low = middle;
      else high = middle - 1;
    }
    const mark = marks[low];
    if (!mark) return { file, line, column, name: file.name, presumedLine: line, renamed: false };
    const presumedLine = mark.line + index - this.#lineIndex(starts, mark.at - file.start);
    return {
      file,
      line,
      column,
      name: mark.name ?? file.name,
      presumedLine,
      renamed: mark.name !== undefined,
    };
  }

  /** Adds a `#line` directive to the file, behind those it has. */
  addLineMark(file: SourceFile, at: Location, line: number, name?: string): void {
    const inForce = name ?? file.lineMarks[file.lineMarks.length - 1]?.name;
    file.lineMarks.push({ at, line, ...(inForce !== undefined && { name: inForce }) });
  }

  /** Below 0 if `a` is read before `b` (an included file at its `#include`), above 0 if after. */
  compare(a: Location, b: Location): number {
    const first = this.#readingOrder(a);
    const second = this.#readingOrder(b);
    for (let i = 0; i < first.length && i < second.length; i++) {
      const difference = first[i]! - second[i]!;
      if (difference !== 0) return difference;
    }
    return first.length - second.length;
  }

  /** The place in the outermost file, in the file included there, and so on. */
  #readingOrder(location: Location): Location[] {
    const order: Location[] = [];
    for (let at = this.expanded(location); at !== 0; at = this.fileAt(at).includedFrom) order.push(at);
    return order.reverse();
  }

  /** Index of the line that holds an offset, of the lines that start at `starts`. */
  #lineIndex(starts: Uint32Array, offset: number): number {
    // Most questions are about the line of the one before, or the next.
    const last = this.#lastLine;
    if (starts === this.#lastStarts && starts[last]! <= offset) {
      if (last + 1 >= starts.length || offset < starts[last + 1]!) return last;
      if (last + 2 >= starts.length || offset < starts[last + 2]!) return (this.#lastLine = last + 1);
    }
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    this.#lastStarts = starts;
    this.#lastLine = low;
    return low;
  }

  /** As `utf8Length`, but quick in plain texts and on long lines: byte counts are kept for every `byteStep` characters. */
  #bytes(text: string, from: number, to: number): number {
    let counts = this.#byteCounts.get(text);
    if (!counts) {
      counts = /^[\x00-\x7f]*$/.test(text) ? 'ascii' : byteCounts(text);
      this.#byteCounts.set(text, counts);
    }
    if (counts === 'ascii') return to - from;
    if (to - from < byteStep) return utf8Length(text, from, to);
    const [first, last] = [Math.floor(from / byteStep), Math.floor(to / byteStep)];
    const whole = counts[last]! - counts[first]!;
    return whole + utf8Length(text, last * byteStep, to) - utf8Length(text, first * byteStep, from);
  }

  /** Offset of the first character of each line of a file. */
  lineStarts(file: SourceFile): Uint32Array {
    let starts = this.#lineStarts.get(file.text);
    if (!starts) {
      const list = [0];
      for (let i = file.text.indexOf('\n'); i >= 0; i = file.text.indexOf('\n', i + 1)) list.push(i + 1);
      starts = Uint32Array.from(list);
      this.#lineStarts.set(file.text, starts);
    }
    return starts;
  }
}

const byteStep = 1024;

/** UTF-8 bytes before every `byteStep`th character. */
function byteCounts(text: string): Uint32Array {
  const counts = new Uint32Array(Math.floor(text.length / byteStep) + 1);
  for (let i = 1; i < counts.length; i++)
    counts[i] = counts[i - 1]! + utf8Length(text, (i - 1) * byteStep, i * byteStep);
  return counts;
}

/** Number of UTF-8 bytes of `text` between two code unit offsets. */
export function utf8Length(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    // A surrogate pair is four bytes: two for each half.
    bytes += c < 0x80 ? 1 : c < 0x800 || (c >= 0xd800 && c < 0xe000) ? 2 : 3;
  }
  return bytes;
}
