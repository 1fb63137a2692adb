/**
 * Reports the errors of a declaration that did not parse, one per mistake, and says where to go on.
 *
 * The failed declaration is parsed again with the tracking parser, which knows how far any reading of it got. If that
 * place is inside a body, the body is taken apart: members or statements are parsed one by one, and those that fail
 * in turn. Otherwise the message is given and tokens are skipped to the next `;`, `}` or body.
 */
import { kindNames } from '../preprocess/kinds.gen.ts';
import type { Tokens } from '../preprocess/token.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Location, SourceMap } from '../source/source-map.ts';
import { describeExpected, quote } from './expected.ts';
import { parseRule, position } from './parser.gen.ts';
import { failure, parseRule as parseTracking } from './parser-tracking.gen.ts';
import { NestingError } from './tree.ts';

const closerOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** A `{` after one of these opens a block of statements. */
const beforeBlock = new Set([')', 'else', 'do', '{', '}', ';', ':']);
const conditionKeywords = new Set(['if', 'for', 'while', 'switch']);
const recordKeywords = new Set(['struct', 'class', 'interface']);
const memberKeywords = new Set([...recordKeywords, 'namespace', 'cbuffer', 'tbuffer']);
/** What no function contains. */
const topLevelKeywords = new Set(['cbuffer', 'tbuffer', 'namespace', 'template']);
const statementKeywords = new Set(
  'if else for while do switch case default return break continue discard'.split(' '),
);
const modifiers = new Set(
  'static const uniform inout in out extern volatile inline export groupshared precise row_major column_major'.split(
    ' ',
  ),
);
/** After this many errors the rest of the input is skipped. */
const errorLimit = 100;

type ListRule = 'decl' | 'stmt';

export class Recovery {
  readonly #tokens: Tokens;
  readonly #kinds: Uint8Array;
  readonly #map: SourceMap;
  readonly #log: DiagnosticLog;
  /** Index of the partner of each bracket; -1 without one. */
  readonly #partner: Int32Array;
  /** The end of the input came too early: said once, though more than one thing is unfinished there. */
  #endReported = false;
  /** Column of the top-level declaration at hand. */
  #column = 1;
  /** Set where a declaration inside it turned out to be the next top-level one: go on there. */
  #resume: number | undefined;
  /** A top-level declaration failed. */
  #afterError = false;
  /** Where the last message about an expectation points. */
  #errorToken = -1;

  constructor(tokens: Tokens, kinds: Uint8Array, map: SourceMap, log: DiagnosticLog) {
    this.#tokens = tokens;
    this.#kinds = kinds;
    this.#map = map;
    this.#log = log;
    this.#partner = matchBrackets(kinds, tokens.count);
  }

  /** Handles the top-level declaration at `start`, which does not parse, and returns where to go on. */
  recover(start: number): number {
    if (this.#afterError && this.#isRest(start)) return this.#nextTopLevel(start);
    this.#afterError = true;
    this.#column = this.#map.place(this.#at(start)).column;
    const next = this.#declaration(start);
    const resume = this.#resume;
    this.#resume = undefined;
    // A `}` that was in the way is dealt with; it does not close anything here.
    return resume ?? (next === this.#errorToken && this.#is(next, '}') ? next + 1 : next);
  }

  /** After an error with braces the end of the faulty declaration may seem to stand outside: one message is enough. */
  #isRest(start: number): boolean {
    if (statementKeywords.has(this.#word(start)) || this.#is(start, '}')) return true;
    return this.#startsLine(start) && !this.#startsTopLevel(start);
  }

  #nextTopLevel(start: number): number {
    let at = start + 1;
    while (this.#kinds[at] !== 0 && (this.#is(at, '}') || !this.#startsTopLevel(at))) at++;
    return at;
  }

  #declaration(start: number): number {
    if (this.#log.errors > errorLimit) return this.#tokens.count;
    if (this.#is(start, '}')) {
      this.#log.report('stray-brace', this.#at(start));
      let next = start + 1;
      while (this.#is(next, '}')) next++;
      return next;
    }
    const failed = this.#failure('decl', start);
    if (!failed) return this.#skip(start, start);
    const body = this.#openBody(start, failed.position);
    if (body !== undefined) {
      const keyword = this.#memberKeyword(start, body);
      if (keyword) return this.#afterMembers(this.#items('decl', body), keyword);
      if (this.#opensFunction(start, body)) return this.#after(this.#items('stmt', body));
    }
    const unfinished = this.#unfinishedRecord(start, failed.position);
    if (unfinished !== undefined) return this.#missing(unfinished, "';'");
    if (this.#unknownType(start, failed.position, 'decl')) return this.#skip(start, failed.position);
    return this.#reportExpected('decl', start, failed) ? failed.position : this.#skip(start, failed.position);
  }

  /** Reports that nesting is too deep at a token and skips the declaration. */
  tooDeep(start: number, token: number): number {
    this.#log.report('nesting-too-deep', this.#at(token));
    return this.#skip(start, start);
  }

  // ---- lists of declarations or statements

  /** Parses what stands in the braces that open at `body` one by one; returns the `}`, or the end of input. */
  #items(rule: ListRule, body: number): number {
    let at = body + 1;
    while (this.#kinds[at] !== 0 && !this.#is(at, '}')) {
      const next = this.#accept(rule, at) ?? (rule === 'decl' ? this.#declaration(at) : this.#statement(at));
      if (this.#log.errors > errorLimit) return this.#tokens.count;
      if (this.#resume !== undefined) return at;
      at = Math.max(next, at + 1);
    }
    if (this.#kinds[at] === 0 && !this.#endReported) {
      this.#endReported = true;
      const diagnostic = this.#log.report('expected', this.#at(at), {
        expected: "'}'",
        found: this.#name(at),
      });
      this.#log.note(diagnostic, 'opened-here', this.#at(body), { bracket: '{' });
    }
    return at;
  }

  /** Where a good item ends; undefined if it is not good. */
  #accept(rule: ListRule, at: number): number | undefined {
    try {
      return parseRule(this.#kinds, rule, at) ? position() : undefined;
    } catch (error) {
      if (!(error instanceof NestingError)) throw error;
      return this.tooDeep(at, error.token);
    }
  }

  #statement(start: number): number {
    if (this.#is(start, 'else')) {
      this.#log.report('else-without-if', this.#at(start));
      return start + 1;
    }
    if (topLevelKeywords.has(this.#word(start)) && this.#startsTopLevel(start)) {
      this.#log.report('expected', this.#at(start), { expected: "'}'", found: this.#name(start) });
      this.#resume = start;
      return start;
    }
    const failed = this.#failure('stmt', start);
    if (!failed) return this.#skip(start, start);
    const body = this.#openBody(start, failed.position);
    if (body !== undefined) {
      const keyword = this.#memberKeyword(start, body);
      if (keyword) return this.#afterMembers(this.#items('decl', body), keyword);
      const before = body === start ? ';' : this.#word(body - 1);
      if (beforeBlock.has(before) && !this.#opensFunction(start, body))
        return this.#afterBlock(this.#items('stmt', body));
    }
    const nested = this.#nestedFunction(start);
    if (nested !== undefined) return nested;
    if (!this.#unknownType(start, failed.position, 'stmt') && this.#reportExpected('stmt', start, failed))
      return failed.position;
    const next = this.#skip(start, failed.position);
    return this.#is(next, 'else') ? next + 1 : next;
  }

  /** A whole function where a statement should be: most likely a `}` is missing. */
  #nestedFunction(start: number): number | undefined {
    let name = start;
    while (this.#kinds[name] !== 0 && !';{}=('.includes(this.#word(name))) name++;
    if (!this.#is(name, '(')) return undefined;
    const close = this.#partner[name]!;
    if (close < 0) return undefined;
    let body = close + 1;
    while (this.#is(body, ':') || this.#kindIsName(body)) body++;
    if (!this.#is(body, '{') || name - start < 2 || conditionKeywords.has(this.#word(name - 1)))
      return undefined;
    this.#log.report('nested-function', this.#at(start), { name: this.#tokens.texts[name - 1]! });
    if (this.#startsTopLevel(start)) {
      this.#resume = start;
      return start;
    }
    return this.#accept('decl', start) ?? this.#after(this.#items('stmt', body));
  }

  /** Whether a token stands where the top-level declaration at hand began: then that one's end is missing. */
  #startsTopLevel(i: number): boolean {
    return this.#startsLine(i) && this.#map.place(this.#at(i)).column <= this.#column;
  }

  #after(end: number): number {
    return this.#kinds[end] === 0 ? end : end + 1;
  }

  /** An `else` behind a block whose `if` had an error belongs to that `if`. */
  #afterBlock(end: number): number {
    const next = this.#after(end);
    return this.#is(next, 'else') ? next + 1 : next;
  }

  /** After the `}` of members: a record ends with `;` and may declare names first. */
  #afterMembers(end: number, keyword: string): number {
    const next = this.#after(end);
    if (end === this.#errorToken) return next;
    if (!recordKeywords.has(keyword) || this.#kinds[next] === 0) return this.#is(next, ';') ? next + 1 : next;
    let at = next;
    while (!this.#startsLine(at) && this.#kinds[at] !== 0 && !this.#is(at, ';') && !this.#is(at, '}')) at++;
    if (this.#is(at, ';')) return at + 1;
    return this.#missing(at, "';'");
  }

  // ---- messages

  #failure(rule: ListRule, start: number): { position: number; expected: number[] } | undefined {
    try {
      parseTracking(this.#kinds, rule, start);
      return failure();
    } catch (error) {
      if (!(error instanceof NestingError)) throw error;
      this.#log.report('nesting-too-deep', this.#at(error.token));
      return undefined;
    }
  }

  /** Says what was expected. True if parsing can go on right there because only a `;` is missing. */
  #reportExpected(rule: ListRule, start: number, failed: { position: number; expected: number[] }): boolean {
    const at = failed.position;
    this.#errorToken = at;
    if (this.#kinds[at] === 0) {
      if (this.#endReported) return false;
      this.#endReported = true;
    }
    const names = new Set(failed.expected.map((kind) => kindNames[kind]!));
    const open = this.#openBrackets(start, at);
    const innermost = open.at(-1);
    const closer = innermost === undefined ? ';' : closerOf[this.#word(innermost)]!;
    const found = this.#name(at);
    let expected = describeExpected(names, closer);
    if (at === start) expected = rule === 'decl' ? 'a declaration' : 'a statement';
    // `A::B x`: what stands before a type's name can only be a scope.
    if (names.size === 1 && names.has('::') && this.#is(at - 1, 'IDENT')) {
      this.#log.report('unknown-type-name', this.#at(at - 1), { name: this.#tokens.texts[at - 1]! });
      return false;
    }
    if (expected === undefined) {
      this.#log.report('unexpected', this.#at(at), { found });
      return false;
    }
    const isCloser = expected === quote(closer);
    if (isCloser && at > start && this.#startsLine(at)) {
      this.#missing(at, expected, innermost);
      return closer === ';';
    }
    const diagnostic = this.#log.report('expected', this.#at(at), { expected, found });
    if (isCloser && innermost !== undefined)
      this.#log.note(diagnostic, 'opened-here', this.#at(innermost), { bracket: this.#word(innermost) });
    return isCloser && closer === ';' && at > start && this.#is(at, '}');
  }

  /** Something is missing at the end of the line before token `at`: said there, after the last token. */
  #missing(at: number, expected: string, opened?: number): number {
    const place = this.#tokens.end[at - 1]!;
    const diagnostic = this.#log.report('expected-after', place, {
      expected,
      previous: quote(this.#tokens.texts[at - 1]!),
    });
    if (opened !== undefined)
      this.#log.note(diagnostic, 'opened-here', this.#at(opened), { bracket: this.#word(opened) });
    return at;
  }

  /** Reports a name that stands where a type should, if that is what is wrong. */
  #unknownType(start: number, far: number, rule: ListRule): boolean {
    let at = start;
    while (modifiers.has(this.#word(at))) at++;
    while (this.#kindIsName(at) && this.#is(at + 1, '::')) at += 2;
    if (kindNames[this.#kinds[at]!] !== 'IDENT') return false;
    const arguments_ = this.#is(at + 1, '<') && kindNames[this.#kinds[at + 2]!] === 'TYPE';
    if (!arguments_ && (rule === 'stmt' || far > at + 1)) return false;
    this.#log.report('unknown-type-name', this.#at(at), { name: this.#tokens.texts[at]! });
    return true;
  }

  // ---- looking at tokens

  /** Brackets opened in `[start, end)` and not closed there. */
  #openBrackets(start: number, end: number): number[] {
    const open: number[] = [];
    for (let i = start; i < end; i++) {
      const word = this.#word(i);
      if (word in closerOf) open.push(i);
      else if (open.length && closerOf[this.#word(open.at(-1)!)] === word) open.pop();
    }
    return open;
  }

  /** The outermost `{` that is open at `end`. */
  #openBody(start: number, end: number): number | undefined {
    return this.#openBrackets(start, end).find((i) => this.#is(i, '{'));
  }

  /** The keyword that makes `{ ... }` a list of members, if one does. */
  #memberKeyword(start: number, body: number): string | undefined {
    for (let i = body - 1; i >= start; i--) {
      const word = this.#word(i);
      if (word === '=' || word === ';' || word === '}') return undefined;
      // `struct S f(..) {` is a function; `cbuffer B : register(b0) {` is none.
      if (word === ')' && !this.#closesRegister(i)) return undefined;
      if (memberKeywords.has(word)) return this.#word(i - 1) === 'enum' ? undefined : word;
    }
    return undefined;
  }

  #closesRegister(close: number): boolean {
    const open = this.#partner[close]!;
    return open > 0 && this.#is(open - 1, 'register');
  }

  /** Whether `type name(...) : semantic {` stands before `body`. */
  #opensFunction(start: number, body: number): boolean {
    let i = body - 1;
    while (i > start && (this.#kindIsName(i) || this.#is(i, ':') || this.#is(i, 'const'))) i--;
    if (!this.#is(i, ')')) return false;
    const open = this.#partner[i]!;
    return open > start + 1 && !conditionKeywords.has(this.#word(open - 1));
  }

  /** The first token after the `}` of a record that lacks its `;`. */
  #unfinishedRecord(start: number, far: number): number | undefined {
    for (let i = start; i < far; i++) {
      if (!this.#is(i, '{')) continue;
      const close = this.#partner[i]!;
      const keyword = this.#memberKeyword(start, i) ?? (this.#word(start) === 'enum' ? 'enum' : undefined);
      if (close < 0 || close >= far || keyword === undefined || keyword === 'namespace') return undefined;
      return this.#startsLine(close + 1) && !this.#is(close + 1, ';') ? close + 1 : undefined;
    }
    return undefined;
  }

  /**
   * Where to go on after an error at `far` in an item that starts at `start`: behind the next `;`, behind a condition in
   * parentheses, behind a function's body (whose own errors are reported), or before the `}` that closes the list.
   */
  #skip(start: number, far: number): number {
    const bracket = this.#openBrackets(start, far).find((i) => this.#partner[i]! >= far);
    let at = Math.max(far, start);
    if (bracket !== undefined) {
      at = this.#partner[bracket]! + 1;
      if (conditionKeywords.has(this.#word(bracket - 1)) && this.#is(bracket, '(')) return at;
      if (this.#is(bracket, '{')) return this.#is(at, ';') ? at + 1 : at;
    }
    while (this.#kinds[at] !== 0) {
      const word = this.#word(at);
      if (word === ';') return at + 1;
      if (word === '}') return Math.max(at, start + 1);
      const partner = word in closerOf ? this.#partner[at]! : -1;
      if (word === '{' && partner >= 0) {
        if (far > start && this.#opensFunction(start, at)) return this.#after(this.#items('stmt', at));
        return this.#is(partner + 1, ';') ? partner + 2 : partner + 1;
      }
      at = partner >= 0 ? partner + 1 : at + 1;
    }
    return at;
  }

  #word(i: number): string {
    return i >= 0 ? kindNames[this.#kinds[i]!]! : '';
  }

  #is(i: number, word: string): boolean {
    return this.#word(i) === word;
  }

  #kindIsName(i: number): boolean {
    const word = this.#word(i);
    return word === 'IDENT' || word === 'TYPE';
  }

  #at(i: number): Location {
    return this.#tokens.at[i]!;
  }

  /** How a message speaks of a token. */
  #name(i: number): string {
    return this.#kinds[i] === 0 ? 'the end of the file' : quote(this.#tokens.texts[i]!);
  }

  /** Whether a token is the first of its line. */
  #startsLine(i: number): boolean {
    if (i === 0 || this.#kinds[i] === 0) return true;
    const here = this.#map.place(this.#at(i));
    const before = this.#map.place(Math.max(this.#tokens.end[i - 1]! - 1, 1));
    return here.file !== before.file || here.line !== before.line;
  }
}

/** Partners of brackets. A bracket of the wrong kind closes nothing; a `}` gives up brackets opened since its `{`. */
function matchBrackets(kinds: Uint8Array, count: number): Int32Array {
  const partner = new Int32Array(count + 1).fill(-1);
  const open: number[] = [];
  for (let i = 0; i < count; i++) {
    const word = kindNames[kinds[i]!]!;
    if (word in closerOf) open.push(i);
    else if (word === ')' || word === ']' || word === '}') {
      let top = open.length - 1;
      while (top >= 0) {
        const opener = kindNames[kinds[open[top]!]!]!;
        if (closerOf[opener] === word) break;
        // A `{` is never given up for a `)`.
        if (opener === '{') top = -1;
        else top--;
      }
      if (top < 0) continue;
      partner[open[top]!] = i;
      partner[i] = open[top]!;
      open.length = top;
    }
  }
  return partner;
}
