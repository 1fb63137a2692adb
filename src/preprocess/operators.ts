/** The operators `#` and `##` of macro bodies. */
import * as k from './kinds.ts';
import { singleToken } from './lex.ts';
import type { Piece } from './macro.ts';
import { reportAt } from './macros.ts';
import { type State, stop } from './state.ts';

/** Longest text that `#` and `##` may make: each can double what it is given, over and over. */
const textLimit = 1 << 20;

/** `#parameter`: the argument as it was written, one blank where there was white space, as a string literal. */
export function stringize(state: State, operator: Piece, argument: readonly Piece[]): Piece {
  const parts: string[] = [];
  let length = 0;
  for (const [i, piece] of argument.entries()) {
    if (piece.space && i > 0) parts.push(' ');
    const quoted = piece.kind === k.STRING || piece.kind === k.CHARACTER || piece.kind === k.UNTERMINATED;
    const text = quoted ? piece.text.replace(/["\\]/g, '\\$&') : piece.text;
    parts.push(text);
    length += text.length + 1;
    if (length > textLimit) {
      tooLong(state, operator);
      return { ...operator, kind: k.STRING, text: '""', word: undefined, painted: false };
    }
  }
  let text = parts.join('');
  // A backslash that stands alone at the end would escape the closing quote.
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) text = text.slice(0, -1);
  return { ...operator, kind: k.STRING, text: `"${text}"`, word: undefined, painted: false };
}

/** `left ## right`: one token, or both with a message if that is none. */
export function paste(state: State, left: Piece, right: Piece): Piece[] {
  const text = left.text + right.text;
  if (text.length > textLimit) {
    tooLong(state, left);
    return [];
  }
  const token = singleToken(text, state.words);
  if (token === undefined) {
    reportAt(state, 'bad-paste', left, { text });
    return [left, right];
  }
  return [{ ...token, text, at: left.at, space: left.space, painted: false }];
}

function tooLong(state: State, piece: Piece): void {
  reportAt(state, 'macro-text-limit', piece, { limit: textLimit });
  stop(state);
}
