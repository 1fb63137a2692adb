/**
 * The value of an `#if`: the integer expressions of C on 64 bits. A value is unsigned if its literal or an operand of
 * its operator was; an operand that is not evaluated (behind `&&`, `||`, `?:`) may divide by zero.
 */
import type { MessageKey } from '../source/messages.ts';
import type { Location } from '../source/source-map.ts';
import type { MessageArgs } from '../source/diagnostic.ts';
import { findInclude, headerFromPieces } from './includes.ts';
import * as k from './kinds.ts';
import type { Piece } from './macro.ts';
import { enter, pieceOf, pull, reportAt, withinLine } from './macros.ts';
import type { State } from './state.ts';

/** Parentheses, signs and `?:` within each other; beyond it a diagnostic comes, before the stack ends. */
const depthLimit = 500;

interface Value {
  value: bigint;
  unsigned: boolean;
}

/** Precedences of the binary operators; `?:` is 1 and the comma 0. */
const precedences: ReadonlyMap<string, number> = new Map(
  [
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!='],
    ['<', '>', '<=', '>='],
    ['<<', '>>'],
    ['+', '-'],
    ['*', '/', '%'],
  ].flatMap((operators, level): [string, number][] => operators.map((operator) => [operator, level + 2])),
);

interface Reader {
  state: State;
  /** The token at hand; undefined at the end of the line. */
  token: Piece | undefined;
  /** Where the end of the line is reported. */
  last: Piece;
  failed: boolean;
  depth: number;
}

/** True if the expression is true; false with a message if it is none. */
export function evaluateCondition(state: State, line: readonly Piece[]): boolean {
  const last = line[line.length - 1] ?? pieceOf(state);
  const reader: Reader = { state, token: undefined, last, failed: false, depth: 0 };
  return withinLine(state, line, () => {
    advance(reader);
    if (!reader.token) {
      fail(reader, 'condition-empty');
      return false;
    }
    const result = comma(reader, true);
    if (reader.failed) return false;
    if (reader.token) {
      fail(reader, 'condition-operator-expected', { found: reader.token.text });
      return false;
    }
    return result.value !== 0n;
  });
}

/** Reads the next token with macros expanded, but not those that only an `#if` may use. */
function advance(reader: Reader): void {
  const { state } = reader;
  for (;;) {
    const piece = pull(state);
    reader.token = piece;
    const macro = piece?.word?.macro;
    if (!piece || !macro || piece.painted || macro.active || macro.builtin === 'has-include') return;
    if (!enter(state, macro, piece)) return;
  }
}

/** Reads the next token as it stands. */
function advancePlain(reader: Reader): Piece | undefined {
  reader.token = pull(reader.state);
  return reader.token;
}

function at(reader: Reader, text: string): boolean {
  return reader.token?.text === text;
}

/** A token that is behind the reader, with the place that its macro is used at. */
interface Mark {
  piece: Piece;
  outerAt: Location;
  outerEnd: Location;
}

function mark(reader: Reader, piece: Piece): Mark {
  const { outerAt, outerEnd } = reader.state;
  return { piece, outerAt, outerEnd };
}

function failAt(
  reader: Reader,
  { piece, outerAt, outerEnd }: Mark,
  key: MessageKey,
  args: MessageArgs = {},
): Value {
  Object.assign(reader.state, { outerAt, outerEnd });
  reader.token = piece;
  return fail(reader, key, args);
}

function fail(reader: Reader, key: MessageKey, args: MessageArgs = {}): Value {
  if (!reader.failed && !reader.state.stopped) reportAt(reader.state, key, reader.token ?? reader.last, args);
  reader.failed = true;
  reader.token = undefined;
  return { value: 0n, unsigned: false };
}

function signed(value: bigint): Value {
  return { value: BigInt.asIntN(64, value), unsigned: false };
}

function make(value: bigint, unsigned: boolean): Value {
  return unsigned ? { value: BigInt.asUintN(64, value), unsigned } : signed(value);
}

function truth(value: boolean): Value {
  return { value: value ? 1n : 0n, unsigned: false };
}

function comma(reader: Reader, live: boolean): Value {
  let result = conditional(reader, live);
  while (at(reader, ',')) {
    advance(reader);
    result = conditional(reader, live);
  }
  return result;
}

function conditional(reader: Reader, live: boolean): Value {
  const condition = binary(reader, 2, live);
  if (!at(reader, '?')) return condition;
  if (!deeper(reader)) return condition;
  const test = condition.value !== 0n;
  advance(reader);
  const yes = comma(reader, live && test);
  if (!at(reader, ':')) return fail(reader, 'condition-token-expected', { expected: ':' });
  advance(reader);
  const no = conditional(reader, live && !test);
  reader.depth--;
  return make(test ? yes.value : no.value, yes.unsigned || no.unsigned);
}

function binary(reader: Reader, least: number, live: boolean): Value {
  let left = unary(reader, live);
  for (;;) {
    const token = reader.token;
    const level = token && operatorLevel(token);
    if (!level || level < least) return left;
    const operator = mark(reader, token);
    advance(reader);
    const decided = token.text === '&&' ? left.value === 0n : token.text === '||' && left.value !== 0n;
    const right = binary(reader, level + 1, live && !decided);
    if (reader.failed) return right;
    left = apply(reader, operator, left, right, live);
  }
}

function operatorLevel(token: Piece): number | undefined {
  return token.word || token.kind === k.STRING ? undefined : precedences.get(token.text);
}

function apply(reader: Reader, operator: Mark, left: Value, right: Value, live: boolean): Value {
  const unsigned = left.unsigned || right.unsigned;
  const a = unsigned ? BigInt.asUintN(64, left.value) : left.value;
  const b = unsigned ? BigInt.asUintN(64, right.value) : right.value;
  switch (operator.piece.text) {
    case '||':
      return truth(left.value !== 0n || right.value !== 0n);
    case '&&':
      return truth(left.value !== 0n && right.value !== 0n);
    case '|':
      return make(a | b, unsigned);
    case '^':
      return make(a ^ b, unsigned);
    case '&':
      return make(a & b, unsigned);
    case '==':
      return truth(a === b);
    case '!=':
      return truth(a !== b);
    case '<':
      return truth(a < b);
    case '>':
      return truth(a > b);
    case '<=':
      return truth(a <= b);
    case '>=':
      return truth(a >= b);
    case '<<':
      return shift(left, right.value);
    case '>>':
      return shift(left, -right.value);
    case '+':
      return make(a + b, unsigned);
    case '-':
      return make(a - b, unsigned);
    case '*':
      return make(a * b, unsigned);
    default: {
      if (b === 0n) {
        if (!live) return make(0n, unsigned);
        return failAt(reader, operator, 'condition-division-by-zero');
      }
      return make(operator.piece.text === '/' ? a / b : a % b, unsigned);
    }
  }
}

/** A shift by more than the width gives what shifting step by step would; a negative amount shifts the other way. */
function shift(left: Value, amount: bigint): Value {
  if (amount >= 64n) return make(0n, left.unsigned);
  if (amount >= 0n) return make(left.value << amount, left.unsigned);
  return make(left.value >> (amount < -64n ? 64n : -amount), left.unsigned);
}

/** Counts nesting; false with a message when there is too much. */
function deeper(reader: Reader): boolean {
  if (++reader.depth <= depthLimit) return true;
  fail(reader, 'condition-nesting', { limit: depthLimit });
  return false;
}

function unary(reader: Reader, live: boolean): Value {
  const token = reader.token;
  if (!token) return fail(reader, 'condition-value-expected', { found: 'the end of the line' });
  switch (token.text) {
    case '+':
    case '-':
    case '~':
    case '!': {
      if (!deeper(reader)) return truth(false);
      advance(reader);
      const operand = unary(reader, live);
      reader.depth--;
      if (token.text === '!') return truth(operand.value === 0n);
      if (token.text === '+') return operand;
      return make(token.text === '-' ? -operand.value : ~operand.value, operand.unsigned);
    }
    case '(': {
      if (!deeper(reader)) return truth(false);
      advance(reader);
      const inner = comma(reader, live);
      if (!at(reader, ')')) return fail(reader, 'condition-token-expected', { expected: ')' });
      advance(reader);
      reader.depth--;
      return inner;
    }
  }
  return primary(reader, token);
}

function primary(reader: Reader, token: Piece): Value {
  if (token.word === reader.state.defined) return definedOperator(reader);
  if (token.word?.macro?.builtin === 'has-include') return hasInclude(reader);
  if (token.word) {
    const name = mark(reader, token);
    advance(reader);
    if (reader.token?.kind === k.OPEN) return failAt(reader, name, 'condition-call', { name: token.text });
    return truth(token.text === 'true');
  }
  if (token.kind === k.INT) return integerLiteral(reader, token);
  if (token.kind === k.CHARACTER) {
    advance(reader);
    return signed(characterValue(token.text));
  }
  if (token.kind === k.BAD_NUMBER) return fail(reader, 'bad-number', { text: token.text });
  return fail(reader, 'condition-value-expected', { found: `'${token.text}'` });
}

function integerLiteral(reader: Reader, token: Piece): Value {
  const [, digits = '0', suffix = ''] = /^(0[Xx][\dA-Fa-f]+|0[Bb][01]+|\d+)(.*)$/.exec(token.text) ?? [];
  const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  if (value >= 1n << 64n) return fail(reader, 'condition-number-range', { text: token.text });
  advance(reader);
  return make(value, /u/i.test(suffix) || value >= 1n << 63n);
}

const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };

/** Value of a character literal: 8 bits a character, the last four count. */
function characterValue(literal: string): bigint {
  let value = 0n;
  const parts = literal.slice(1, -1).matchAll(/\\(?:x([\da-f]+)|([0-7]{1,3})|(.))|(.)/gisu);
  for (const [, hex, octal, escaped, plain] of parts) {
    const code =
      hex !== undefined
        ? Number.parseInt(hex.slice(-8), 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : escaped !== undefined
            ? (escapes[escaped] ?? escaped.codePointAt(0)!)
            : plain!.codePointAt(0)!;
    value = BigInt.asUintN(32, (value << 8n) | BigInt(code));
  }
  // One character is a signed char; several make an int.
  return literal.length > 3 && !literal.includes('\\')
    ? BigInt.asIntN(32, value)
    : BigInt.asIntN(value < 256n ? 8 : 32, value);
}

/** `defined X` or `defined(X)`: the name is not expanded. */
function definedOperator(reader: Reader): Value {
  let name = advancePlain(reader);
  const open = name?.kind === k.OPEN;
  if (open) name = advancePlain(reader);
  if (!name?.word) return fail(reader, 'macro-name-expected', { name: 'defined' });
  const result = truth(name.word.macro !== undefined);
  if (open && advancePlain(reader)?.kind !== k.CLOSE)
    return fail(reader, 'condition-token-expected', { expected: ')' });
  advance(reader);
  return result;
}

/** `__has_include("x")` or `__has_include(<x>)`. */
function hasInclude(reader: Reader): Value {
  if (advancePlain(reader)?.kind !== k.OPEN)
    return fail(reader, 'condition-token-expected', { expected: '(' });
  const pieces: Piece[] = [];
  for (advance(reader); reader.token && reader.token.kind !== k.CLOSE; advance(reader))
    pieces.push(reader.token);
  const header = headerFromPieces(pieces);
  if (!reader.token || !header) return fail(reader, 'include-name-expected', { name: '__has_include' });
  advance(reader);
  return truth(findInclude(reader.state, header.text, header.angled) !== undefined);
}
