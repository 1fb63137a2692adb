/** `#pragma` and `_Pragma`: a row per pragma that means something here. */
import { Lexer } from './lex.ts';
import * as k from './kinds.ts';
import type { Piece } from './macro.ts';
import { expandLine, reportAt } from './macros.ts';
import type { PragmaAction, State } from './state.ts';

/** Called with the tokens behind the pragma's name. */
type Pragma = (state: State, line: readonly Piece[], name: Piece) => void;

const pragmas = new Map<string, Pragma>([
  ['once', once],
  ['pack_matrix', packMatrix],
  ['warning', warning],
  ['message', message],
  ['dxc', diagnosticPragma],
  ['clang', diagnosticPragma],
  ['GCC', diagnosticPragma],
]);

/** Pragmas that say nothing to this compiler: editors' marks, FXC's constants, and those of other languages. */
const silent = new Set([
  'region',
  'endregion',
  'mark',
  'def',
  'ruledisable',
  'pack',
  'comment',
  'STDC',
  'omp',
]);

export function pragmaDirective(state: State, line: readonly Piece[]): void {
  const [name, ...rest] = line;
  if (!name) return;
  const pragma = pragmas.get(name.text);
  if (pragma) pragma(state, rest, name);
  else if (!silent.has(name.text)) reportAt(state, 'unknown-pragma', name, { name: name.text });
}

/** `_Pragma("...")`: the pragma that the string spells. */
export function pragmaOperator(state: State, name: Piece, argument: readonly Piece[]): void {
  const [literal] = argument;
  if (literal?.kind !== k.STRING || argument.length !== 1) {
    reportAt(state, 'pragma-operator', name);
    return;
  }
  const text = literal.text.slice(1, -1).replace(/\\([\\"])/g, '$1');
  const file = { name: '', text, start: 0, includedFrom: 0, kind: 'made' as const, lineMarks: [] };
  const lexer = new Lexer(file, state.words, (key) => reportAt(state, key, name));
  const line: Piece[] = [];
  for (lexer.next(); lexer.kind !== k.END; lexer.next())
    line.push({
      kind: lexer.kind,
      text: lexer.spelling,
      word: lexer.word,
      at: name.at,
      space: lexer.space,
      painted: false,
    });
  pragmaDirective(state, line);
}

function once(state: State, _line: readonly Piece[], name: Piece): void {
  const file = state.files[state.files.length - 1]!;
  if (file.file.includedFrom === 0) reportAt(state, 'pragma-once-in-main-file', name);
  else if (file.path !== undefined) state.once.add(file.path);
}

function packMatrix(state: State, line: readonly Piece[], name: Piece): void {
  const [open, order, close, rest] = expandLine(state, line);
  const packing = order?.text;
  if (
    open?.kind !== k.OPEN ||
    close?.kind !== k.CLOSE ||
    (packing !== 'row_major' && packing !== 'column_major')
  ) {
    reportAt(state, 'pragma-pack-matrix', order ?? name);
    return;
  }
  if (rest) reportAt(state, 'extra-directive-tokens', rest, { name: 'pragma pack_matrix' });
  state.out.packMatrix.push({ from: state.out.count, packing });
}

/** `#pragma message("a" "b")` or without parentheses. */
function message(state: State, line: readonly Piece[], name: Piece): void {
  const pieces = expandLine(state, line);
  const inner =
    pieces[0]?.kind === k.OPEN && pieces[pieces.length - 1]?.kind === k.CLOSE ? pieces.slice(1, -1) : pieces;
  if (inner.length === 0 || inner.some((piece) => piece.kind !== k.STRING)) {
    reportAt(state, 'pragma-message-string', inner.find((piece) => piece.kind !== k.STRING) ?? name);
    return;
  }
  const text = inner.map((piece) => piece.text.slice(1, -1).replace(/\\([\\"])/g, '$1')).join('');
  reportAt(state, 'pragma-message', name, { text });
}

/**
 * `#pragma warning(disable: 3206)`: numbers are FXC's and mean nothing here, as in DXC. A group of ours may stand in
 * their place, as a string: `#pragma warning(disable: "unknown-pragmas")`.
 */
function warning(state: State, line: readonly Piece[], name: Piece): void {
  let action: PragmaAction | undefined;
  for (const piece of line) {
    if (piece.text === 'push') pushGroups(state);
    else if (piece.text === 'pop') popGroups(state, name);
    else if (piece.text === 'disable' || piece.text === 'error') action = piece.text;
    else if (piece.text === 'default' || piece.text === 'enable' || piece.text === 'once') action = 'default';
    else if (piece.kind === k.STRING && action) setGroup(state, piece.text.slice(1, -1), action, name);
  }
}

const severities: Readonly<Record<string, PragmaAction>> = {
  ignored: 'disable',
  warning: 'default',
  error: 'error',
  fatal: 'error',
};

/** `#pragma dxc diagnostic ignored "-Wgroup"`, `push`, `pop`; other pragmas of clang and GCC are theirs. */
function diagnosticPragma(state: State, line: readonly Piece[], name: Piece): void {
  const [what, verb, option, rest] = line;
  if (what?.text !== 'diagnostic') {
    if (name.text === 'dxc')
      reportAt(state, 'unknown-pragma', name, { name: `dxc ${what?.text ?? ''}`.trim() });
    return;
  }
  const action = severities[verb?.text ?? ''];
  if (verb?.text === 'push') pushGroups(state);
  else if (verb?.text === 'pop') popGroups(state, verb);
  else if (action && option?.kind === k.STRING && option.text.startsWith('"-W') && !rest)
    setGroup(state, option.text.slice(3, -1), action, name);
  else reportAt(state, 'pragma-diagnostic', verb ?? what);
}

function setGroup(state: State, group: string, action: PragmaAction, place: Piece): void {
  const saved = state.groupStack.at(-1);
  if (saved && !saved.has(group)) saved.set(group, state.groups.get(group) ?? 'default');
  state.groups.set(group, action);
  state.log.addPragma(group, state.outerAt || place.at, action);
}

function pushGroups(state: State): void {
  state.groupStack.push(new Map());
}

function popGroups(state: State, place: Piece): void {
  const saved = state.groupStack.pop();
  if (!saved) {
    reportAt(state, 'pragma-pop', place);
    return;
  }
  for (const [group, before] of saved) {
    if (before !== state.groups.get(group)) state.log.addPragma(group, state.outerAt || place.at, before);
    state.groups.set(group, before);
  }
}
