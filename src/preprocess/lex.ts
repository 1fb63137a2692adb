/**
 * One file's characters to preprocessing tokens, on demand: what a conditional skips is not lexed.
 *
 * Line continuations are taken out before (translation phase 2), so no rule here has to think of them; a short list of
 * the places taken out leads back from an offset to a location. HLSL's own rule for numbers: a `.` followed by `x` or
 * `r` begins a swizzle (`1.xxx`, `0.rrr`), and there is at most one `.` in a number (`1.0.xxx`).
 */
import type { MessageKey } from '../source/messages.ts';
import type { Location, SourceFile } from '../source/source-map.ts';
import * as k from './kinds.ts';
import { hashStep, type Word, type Words } from './words.ts';

/** Text as SourceFile wants it: no byte order mark, lines end in LF, no NUL. */
export function normalize(text: string): string {
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  if (text.includes('\0')) text = text.replaceAll('\0', ' ');
  return text;
}

// Classes of the first character of a token.
const OTHER = 0;
const BLANK = 1;
const NEWLINE = 2;
const LETTER = 3;
const DIGIT = 4;
const PUNCTUATION = 5;
const QUOTE = 6;

const classes = new Uint8Array(128);
for (const c of ' \t\v\f') classes[c.charCodeAt(0)] = BLANK;
classes[10] = NEWLINE;
for (let c = 65; c <= 90; c++) classes[c] = classes[c + 32] = LETTER;
classes[95] = LETTER;
// DXC allows `$` in names, as clang does.
classes[36] = LETTER;
for (let c = 48; c <= 57; c++) classes[c] = DIGIT;
classes[34] = classes[39] = QUOTE;

/** Punctuators of one, two and three characters by their codes, 0 if there is none. */
const one = new Uint8Array(128);
const two = new Uint8Array(128 * 128);
const three = new Map<number, number>();
for (const [text, kind] of k.punctuators) {
  const [a, b, c] = [text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)];
  classes[a] = PUNCTUATION;
  if (text.length === 1) one[a] = kind;
  else if (text.length === 2) two[(a << 7) | b] = kind;
  else three.set((a << 14) | (b << 7) | c, kind);
}
/** Characters that begin a punctuator of three characters. */
const startsThree = new Uint8Array(128);
for (const key of three.keys()) startsThree[key >> 14] = 1;

const DOT = 46;
const SLASH = 47;
const STAR = 42;
const HASH = 35;

function isLetter(code: number): boolean {
  return code < 128 ? classes[code] === LETTER : code >= 128 && isUnicodeLetter(code);
}

function isWordPart(code: number): boolean {
  if (code < 128) {
    const c = classes[code];
    return c === LETTER || c === DIGIT;
  }
  return code >= 128 && isUnicodeLetter(code);
}

/** Surrogates count as letters: the scripts beyond the basic plane are letters for the most part. */
function isUnicodeLetter(code: number): boolean {
  return (code >= 0xd800 && code < 0xe000) || /[\p{L}\p{N}\p{M}\p{Pc}]/u.test(String.fromCharCode(code));
}

function isUnicodeSpace(code: number): boolean {
  return code >= 128 && (code === 0xfeff || /\s/u.test(String.fromCharCode(code)));
}

type Problem = (key: MessageKey, at: Location, end: Location) => void;

/** Reads the tokens of one inclusion of one file. `next` fills the fields that describe the token, returns its kind. */
export class Lexer {
  readonly file: SourceFile;
  /** The file's text without line continuations. All offsets are into it. */
  readonly text: string;
  kind = k.END;
  start = 0;
  end = 0;
  /** For identifiers and keywords. */
  word: Word | undefined;
  /** First token of its line. */
  first = true;
  /** White space before it on its line. */
  space = false;
  /** In a directive the end of the line is a token. */
  directive = false;
  pos = 0;
  #fresh = true;
  /** Pairs: offset in `text`, characters taken out up to there. */
  readonly #cuts: readonly number[];
  readonly #words: Words;
  readonly #problem: Problem;

  constructor(file: SourceFile, words: Words, problem: Problem) {
    this.file = file;
    this.#words = words;
    this.#problem = problem;
    const cuts: number[] = [];
    this.text = file.text.includes('\\') ? withoutContinuations(file.text, cuts) : file.text;
    this.#cuts = cuts;
  }

  /** Location of the character at an offset. */
  location(offset: number): Location {
    const cuts = this.#cuts;
    if (cuts.length === 0) return this.file.start + offset;
    let low = -1;
    let high = (cuts.length >> 1) - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (cuts[2 * middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return this.file.start + offset + (low < 0 ? 0 : cuts[2 * low + 1]!);
  }

  /** Location of the token. */
  get at(): Location {
    return this.#cuts.length === 0 ? this.file.start + this.start : this.location(this.start);
  }

  /** Location one past the token's last character. */
  get endAt(): Location {
    return this.#cuts.length === 0 ? this.file.start + this.end : this.location(this.end - 1) + 1;
  }

  /** Spelling of the token. */
  get spelling(): string {
    return this.word?.text ?? k.spellings[this.kind] ?? this.text.slice(this.start, this.end);
  }

  next(): number {
    const text = this.text;
    let i = this.pos;
    let space = false;
    this.word = undefined;
    for (;;) {
      const c = text.charCodeAt(i);
      switch (c < 128 ? classes[c] : OTHER) {
        case BLANK:
          i++;
          space = true;
          continue;
        case NEWLINE:
          if (this.directive) return this.#finish(k.LINE_END, i, i, space);
          i++;
          this.#fresh = true;
          space = false;
          continue;
        case LETTER:
          return this.#name(i, space);
        case DIGIT:
          return this.#number(i, space);
        case QUOTE:
          return this.#quoted(i, c, space);
        case PUNCTUATION: {
          if (c === SLASH) {
            const after = this.#comment(i);
            if (after !== i) {
              i = after;
              space = true;
              continue;
            }
          }
          if (c === DOT && classes[text.charCodeAt(i + 1)] === DIGIT) return this.#number(i, space);
          return this.#punctuator(i, c, space);
        }
        default:
          if (i >= text.length) return this.#finish(this.directive ? k.LINE_END : k.END, i, i, space);
          if (isUnicodeSpace(c)) {
            i++;
            space = true;
            continue;
          }
          if (c >= 128 && isUnicodeLetter(c)) return this.#name(i, space);
          return this.#finish(k.STRAY, i, i + 1, space);
      }
    }
  }

  /** Whether the next token is `(`, in the text behind the token just read. Reads nothing. */
  peekOpen(): boolean {
    const text = this.text;
    let i = this.pos;
    for (;;) {
      const c = text.charCodeAt(i);
      const kind = c < 128 ? classes[c] : OTHER;
      if (kind === BLANK || (kind === NEWLINE && !this.directive) || isUnicodeSpace(c)) i++;
      else if (c === SLASH && text.charCodeAt(i + 1) === SLASH) i = lineEnd(text, i);
      else if (c === SLASH && text.charCodeAt(i + 1) === STAR) {
        i = text.indexOf('*/', i + 2);
        if (i < 0) return false;
        i += 2;
      } else return c === 40;
    }
  }

  /** The rest of the directive's line as written, trimmed; `pos` moves to the end of the line. */
  restOfLine(): string {
    const from = this.pos;
    this.pos = lineEnd(this.text, from);
    return this.text.slice(from, this.pos).trim();
  }

  /** `<...>` or `"..."` at `pos`, as `#include` reads it: no escapes, no comments. Undefined if there is none. */
  headerName(): { text: string; angled: boolean; start: number } | undefined {
    const text = this.text;
    let i = this.pos;
    for (;;) {
      while (classes[text.charCodeAt(i)] === BLANK) i++;
      const after = text.charCodeAt(i) === SLASH ? this.#comment(i) : i;
      if (after === i) break;
      i = after;
    }
    const open = text[i];
    if (open !== '"' && open !== '<') return undefined;
    const close = text.indexOf(open === '<' ? '>' : '"', i + 1);
    if (close < 0 || close > lineEnd(text, i)) return undefined;
    this.pos = close + 1;
    return { text: text.slice(i + 1, close), angled: open === '<', start: i };
  }

  /**
   * Moves to the next `#` that begins a line, and reads it: what a conditional skips is looked at for comments and
   * quotes only. False at the end of the file.
   */
  skipToDirective(): boolean {
    const text = this.text;
    let i = this.pos;
    let fresh = this.#fresh;
    while (i < text.length) {
      const c = text.charCodeAt(i);
      if (c === 10) fresh = true;
      else if (c === HASH && fresh) {
        this.#fresh = true;
        this.#finish(k.HASH, i, i + 1, false);
        return true;
      } else if (c === SLASH && text.charCodeAt(i + 1) === SLASH) {
        i = lineEnd(text, i);
        continue;
      } else if (c === SLASH && text.charCodeAt(i + 1) === STAR) {
        i = this.#comment(i);
        continue;
      } else if (c === 34 || c === 39) {
        i = quotedEnd(text, i, c).end;
        fresh = false;
        continue;
      } else if (!(c < 128 && classes[c] === BLANK)) fresh = false;
      i++;
    }
    this.#finish(k.END, i, i, false);
    return false;
  }

  /** Ends directive mode; the next token begins a line. */
  endDirective(): void {
    this.directive = false;
    this.#fresh = true;
  }

  #finish(kind: number, start: number, end: number, space: boolean): number {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.pos = end;
    this.space = space;
    this.first = this.#fresh;
    this.#fresh = false;
    return kind;
  }

  #name(start: number, space: boolean): number {
    const text = this.text;
    let i = start;
    let hash = 0;
    for (let c = text.charCodeAt(i); isWordPart(c); c = text.charCodeAt(++i)) hash = hashStep(hash, c);
    const word = this.#words.find(text, start, i, hash);
    this.word = word;
    return this.#finish(word.kind, start, i, space);
  }

  #number(start: number, space: boolean): number {
    const text = this.text;
    const whole = digitsEnd(text, start);
    const isReal = text.charCodeAt(whole) === DOT;
    const digits = isReal ? digitsEnd(text, whole + 1) : whole;
    // By far the most numbers are `12`, `12u`, `1.5` and `1.5f`; the patterns for all are costly where each is used for the first time.
    const isPlain = isReal ? digits > whole + 1 : text.charCodeAt(start) !== 48 || whole === start + 1;
    const plainEnd = (text.charCodeAt(digits) | 32) === (isReal ? 102 : 117) ? digits + 1 : digits;
    const c = text.charCodeAt(plainEnd);
    if (isPlain && !isWordPart(c) && c !== HASH && (isReal || c !== DOT))
      return this.#finish(isReal ? k.FLOAT : k.INT, start, plainEnd, space);
    const end = numberEnd(text, start);
    return this.#finish(numberKind(text.slice(start, end)), start, end, space);
  }

  #quoted(start: number, quote: number, space: boolean): number {
    const { end, closed } = quotedEnd(this.text, start, quote);
    const kind = !closed ? k.UNTERMINATED : quote === 34 ? k.STRING : k.CHARACTER;
    return this.#finish(kind, start, end, space);
  }

  #punctuator(start: number, c: number, space: boolean): number {
    const text = this.text;
    const d = text.charCodeAt(start + 1);
    if (d < 128) {
      if (startsThree[c] === 1) {
        const e = text.charCodeAt(start + 2);
        const kind = e < 128 ? three.get((c << 14) | (d << 7) | e) : undefined;
        if (kind !== undefined) return this.#finish(kind, start, start + 3, space);
      }
      const kind = two[(c << 7) | d]!;
      if (kind !== 0) return this.#finish(kind, start, start + 2, space);
    }
    return this.#finish(one[c] || k.STRAY, start, start + 1, space);
  }

  /** Offset behind a comment that starts at `i`, or `i`. */
  #comment(i: number): number {
    const d = this.text.charCodeAt(i + 1);
    if (d === SLASH) return lineEnd(this.text, i);
    if (d !== STAR) return i;
    const close = this.text.indexOf('*/', i + 2);
    if (close >= 0) return close + 2;
    this.#problem('unterminated-comment', this.location(i), this.location(i + 1) + 1);
    return this.text.length;
  }
}

/** Takes out backslash, optional blanks, end of line; notes in `cuts` where and how much in all. */
function withoutContinuations(text: string, cuts: number[]): string {
  let out = '';
  let from = 0;
  let removed = 0;
  for (const match of text.matchAll(/\\[ \t\v\f]*\n/g)) {
    out += text.slice(from, match.index);
    from = match.index + match[0].length;
    removed += match[0].length;
    cuts.push(out.length, removed);
  }
  return cuts.length === 0 ? text : out + text.slice(from);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function quotedEnd(text: string, start: number, quote: number): { end: number; closed: boolean } {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) return { end: i + 1, closed: true };
    if (c === 10) return { end: i, closed: false };
    if (c === 92 && text.charCodeAt(i + 1) !== 10) i++;
  }
  return { end: text.length, closed: false };
}

function digitsEnd(text: string, from: number): number {
  let i = from;
  while (classes[text.charCodeAt(i)] === DIGIT) i++;
  return i;
}

/** Longest run that a preprocessing number may be: letters, digits, one `.`, signs of exponents. */
function numberEnd(text: string, start: number): number {
  const hex = text.charCodeAt(start) === 48 && (text.charCodeAt(start + 1) | 32) === 120;
  let dot = false;
  let before = 0;
  for (let i = start; ; i++) {
    const c = text.charCodeAt(i);
    if (c === DOT) {
      const d = text.charCodeAt(i + 1);
      if (dot || (i > start && (d === 120 || d === 114))) return i;
      dot = true;
    } else if (c === 43 || c === 45) {
      if (before !== (hex ? 112 : 101)) return i;
    } else if (c === HASH && dot && text.startsWith('#INF', i)) {
      i += 3;
    } else if (!isWordPart(c)) return i;
    before = c | 32;
  }
}

// In lower case: patterns that ignore case take several times as long where they are used for the first time.
const integer = /^(?:0x[\da-f]+|0b[01]+|0[0-7]*|[1-9]\d*)(?:u|l|ll|ul|ull|lu|llu)?$/;
const real =
  /^(?:(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?|\d+e[+-]?\d+|0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)p[+-]?\d+|\d+\.\d*#inf)(?:f|h|l|f16|f32|f64)?$/;

function numberKind(spelling: string): number {
  const text = spelling.toLowerCase();
  return integer.test(text) ? k.INT : real.test(text) ? k.FLOAT : k.BAD_NUMBER;
}

/** The single token that `text` spells, or undefined: what `##` needs to know. */
export function singleToken(
  text: string,
  words: Words,
): { kind: number; word: Word | undefined } | undefined {
  const first = text.charCodeAt(0);
  if (isLetter(first)) {
    for (let i = 1; i < text.length; i++) if (!isWordPart(text.charCodeAt(i))) return undefined;
    const word = words.intern(text);
    return { kind: word.kind, word };
  }
  if (classes[first] === DIGIT || (first === DOT && text.length > 1 && classes[text.charCodeAt(1)] === DIGIT))
    return numberEnd(text, 0) === text.length ? { kind: numberKind(text), word: undefined } : undefined;
  if (first === 34 || first === 39) {
    const { end, closed } = quotedEnd(text, 0, first);
    return closed && end === text.length
      ? { kind: first === 34 ? k.STRING : k.CHARACTER, word: undefined }
      : undefined;
  }
  const kind = k.punctuators.get(text);
  return kind === undefined ? undefined : { kind, word: undefined };
}
