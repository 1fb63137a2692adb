/** Directives: one function each, called with the lexer behind the directive's name. */
import type { MessageArgs } from '../source/diagnostic.ts';
import type { MessageKey } from '../source/messages.ts';
import type { Location } from '../source/source-map.ts';
import { evaluateCondition } from './condition.ts';
import { defineMacro, undefineMacro } from './define.ts';
import { includeDirective } from './includes.ts';
import * as k from './kinds.ts';
import type { Piece } from './macro.ts';
import { expandLine, pieceOf, reportAt } from './macros.ts';
import { pragmaDirective } from './pragmas.ts';
import type { Condition, State } from './state.ts';

type Directive = (state: State, at: Location) => void;

const directives = new Map<string, Directive>([
  ['define', (state) => defineMacro(state, readLine(state))],
  ['undef', (state) => undefineMacro(state, readLine(state))],
  ['include', includeDirective],
  ['if', (state, at) => open(state, at, evaluateCondition(state, readLine(state)))],
  ['ifdef', (state, at) => open(state, at, isDefined(state))],
  ['ifndef', (state, at) => open(state, at, !isDefined(state))],
  ['elif', (state, at) => alternative(state, at, 'elif')],
  ['else', (state, at) => alternative(state, at, 'else')],
  ['endif', endif],
  ['line', lineDirective],
  ['error', (state) => userMessage(state, 'error-directive')],
  ['warning', (state) => userMessage(state, 'warning-directive')],
  ['pragma', (state) => pragmaDirective(state, readLine(state))],
]);

/** Obeys the directive whose `#` is the lexer's token. Afterwards the lexer stands at the end of the line. */
export function runDirective(state: State): void {
  const { lexer } = state;
  const { at } = lexer;
  lexer.directive = true;
  lexer.next();
  const directive = lexer.word && directives.get(lexer.word.text);
  if (directive) {
    if (state.collecting && directive === includeDirective)
      report(state, 'include-in-macro-call', { name: state.collecting.word.text });
    else directive(state, at);
  } else if (lexer.kind === k.INT) {
    // `# 12 "name"`, as other preprocessors write it.
    lineDirective(state, at, pieceOf(state));
  } else if (lexer.kind !== k.LINE_END) {
    report(state, 'unknown-directive', { name: lexer.spelling });
  }
  finishLine(state, lexer);
}

/** Reports about the lexer's token. */
function report(state: State, key: MessageKey, args: MessageArgs = {}) {
  const { at, endAt } = state.lexer;
  return state.log.report(key, at, args, endAt);
}

/** Reads past what is left of the directive's line. */
export function finishLine(state: State, lexer = state.lexer): void {
  if (!lexer.directive) return;
  while (lexer.kind !== k.LINE_END) lexer.next();
  lexer.endDirective();
}

/** The tokens behind the lexer's, to the end of the directive. */
export function readLine(state: State): Piece[] {
  const { lexer } = state;
  const pieces: Piece[] = [];
  for (lexer.next(); lexer.kind !== k.LINE_END; lexer.next()) pieces.push(pieceOf(state));
  return pieces;
}

/** Warns about tokens that a directive has no use for. */
export function refuseRest(state: State, rest: Piece | undefined, name: string): void {
  if (rest) reportAt(state, 'extra-directive-tokens', rest, { name });
}

function isDefined(state: State): boolean {
  const name = state.lexer.spelling;
  const [piece, rest] = readLine(state);
  if (!piece?.word) {
    if (piece) reportAt(state, 'macro-name-expected', piece, { name });
    else report(state, 'macro-name-expected', { name });
    return false;
  }
  refuseRest(state, rest, name);
  return piece.word.macro !== undefined;
}

function open(state: State, at: Location, taken: boolean): void {
  const { lexer } = state;
  lexer.endDirective();
  const line = lexer.file.text.indexOf('\n', at - lexer.file.start);
  const end = lexer.file.start + (line < 0 ? lexer.file.text.length : line);
  state.files[state.files.length - 1]!.conditions.push({ at, end, taken, elseAt: 0 });
  if (!taken) skipGroups(state);
}

/** `#elif` or `#else` behind a group that was taken. */
function alternative(state: State, at: Location, name: 'elif' | 'else'): void {
  const { conditions } = state.files[state.files.length - 1]!;
  const condition = conditions[conditions.length - 1];
  if (!condition) {
    report(state, 'no-open-condition', { name });
    return;
  }
  enterAlternative(state, condition, at, name);
  if (name === 'else') refuseRest(state, readLine(state)[0], name);
  // The rest of the line is skipped with the group.
  state.lexer.directive = false;
  skipGroups(state);
}

function endif(state: State): void {
  const { conditions } = state.files[state.files.length - 1]!;
  if (!conditions.pop()) report(state, 'no-open-condition', { name: 'endif' });
  else refuseRest(state, readLine(state)[0], 'endif');
}

/** Checks the order of `#elif` and `#else`; true if the alternative may be taken. */
function enterAlternative(state: State, condition: Condition, at: Location, name: 'elif' | 'else'): boolean {
  if (condition.elseAt !== 0) {
    const diagnostic = report(state, 'alternative-after-else', { name });
    state.log.note(diagnostic, 'other-else-here', condition.elseAt);
    return false;
  }
  if (name === 'else') condition.elseAt = at;
  return !condition.taken;
}

/** Skips groups until one is to be taken or the `#endif` was read. */
function skipGroups(state: State): void {
  const { lexer } = state;
  const { conditions } = state.files[state.files.length - 1]!;
  const condition = conditions[conditions.length - 1]!;
  let nested = 0;
  while (lexer.skipToDirective()) {
    const { at } = lexer;
    lexer.directive = true;
    lexer.next();
    const name = lexer.word?.text;
    if (name === 'if' || name === 'ifdef' || name === 'ifndef') nested++;
    else if (name === 'endif' && nested-- === 0) {
      conditions.pop();
      refuseRest(state, readLine(state)[0], name);
      return;
    } else if (name === 'else' && nested === 0) {
      if (enterAlternative(state, condition, at, name)) {
        condition.taken = true;
        refuseRest(state, readLine(state)[0], name);
        return;
      }
    } else if (name === 'elif' && nested === 0) {
      if (enterAlternative(state, condition, at, name) && evaluateCondition(state, readLine(state))) {
        condition.taken = true;
        return;
      }
    }
    lexer.directive = false;
  }
}

/** `#line digits "name"`; `first` holds the digits if they were read. */
function lineDirective(state: State, _at: Location, first?: Piece): void {
  const { lexer } = state;
  const place = pieceOf(state);
  const line = expandLine(state, first ? [first, ...readLine(state)] : readLine(state));
  const [digits, name, rest] = line;
  if (!digits || (digits.kind !== k.INT && digits.kind !== k.BAD_NUMBER) || !/^\d+$/.test(digits.text)) {
    reportAt(state, 'line-number-expected', digits ?? place);
    return;
  }
  const number = Number(digits.text);
  if (number > 0x7fffffff) {
    reportAt(state, 'line-number-range', digits, { number: digits.text });
    return;
  }
  if (name && name.kind !== k.STRING) {
    reportAt(state, 'line-name-expected', name);
    return;
  }
  // Other preprocessors write flags behind the name of `# 12 "name" 1`.
  if (!first) refuseRest(state, rest, 'line');
  // Nothing stands behind a directive that ends the file.
  if (lexer.pos >= lexer.text.length) return;
  const at = lexer.location(lexer.pos) + 1;
  state.map.addLineMark(lexer.file, at, number, name && fileNameOf(name.text));
}

/** Name in a string literal: `\\` and `\"` are escapes, but other backslashes are those of a Windows path. */
function fileNameOf(literal: string): string {
  return literal.slice(1, -1).replace(/\\([\\"])/g, '$1');
}

function userMessage(state: State, key: 'error-directive' | 'warning-directive'): void {
  const { lexer } = state;
  const { at, endAt } = lexer;
  state.log.report(key, at, { text: lexer.restOfLine() || `#${lexer.spelling}` }, endAt);
}
