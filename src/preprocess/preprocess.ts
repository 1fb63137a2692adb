/**
 * Text to tokens: reads the main file and what it includes, obeys directives, expands macros.
 *
 * A token of a file that names no macro goes straight from the lexer to the output arrays. A macro's use is expanded
 * by `macros.ts`; everything that comes out of it stands at the outermost macro's name (see `SourceMap.expansion`).
 */
import type { Location, SourceFile } from '../source/source-map.ts';
import { commandLineMacros, defineBuiltins, predefinedMacros } from './builtins.ts';
import { runDirective } from './directives.ts';
import { enterFile, foldPath } from './includes.ts';
import * as k from './kinds.ts';
import { Lexer, normalize } from './lex.ts';
import type { Macro, Piece } from './macro.ts';
import { enter, pieceOf, pullExpanded, reportAt } from './macros.ts';
import type { PreprocessEnvironment, State } from './state.ts';
import type { Tokens } from './token.ts';
import { TokenBuffer } from './token-buffer.ts';
import { Words } from './words.ts';

export type { IncludeHandler, PreprocessEnvironment } from './state.ts';

interface Preprocessed {
  tokens: Tokens;
  /** Every file that was entered, the main one first. */
  dependencies: string[];
  mainFile: SourceFile;
  /** Text is missing: a file was not found or a limit was passed. What later stages say would be about that. */
  incomplete: boolean;
}

/** Tokens that macros may produce in one compilation, those that are read again included. */
const macroOutputLimit = 1 << 22;

export function preprocess(main: { name: string; text: string }, env: PreprocessEnvironment): Preprocessed {
  const { map, options } = env;
  const text = normalize(main.text);
  const path = foldPath(main.name.replaceAll('\\', '/'));
  const tooBig = map.size + text.length > options.maxSourceSize;
  const mainFile = map.add(main.name, tooBig ? '' : text, 0);
  const state = initialState(env, mainFile);
  state.dependencies.push(path);
  if (tooBig) {
    env.log.report('source-size', mainFile.start, { limit: options.maxSourceSize, name: main.name });
    return {
      tokens: state.out.finish(mainFile.start),
      dependencies: state.dependencies,
      mainFile,
      incomplete: true,
    };
  }
  for (const [name, definitions] of [
    ['<built-in>', predefinedMacros(options)],
    ['<command line>', commandLineMacros(options)],
  ] as const) {
    if (definitions === '') continue;
    enterFile(state, map.add(name, definitions, 0, 'made'), undefined);
    readFiles(state);
  }
  enterFile(state, mainFile, path);
  const end = readFiles(state);
  const { dependencies, incomplete } = state;
  return { tokens: state.out.finish(end), dependencies, mainFile, incomplete };
}

function initialState(env: PreprocessEnvironment, mainFile: SourceFile): State {
  const words = new Words();
  defineBuiltins(words);
  const { map, log, options, includes } = env;
  log.order ??= (a, b) => map.compare(a, b);
  log.main ||= mainFile.start;
  return {
    map,
    log,
    options,
    includes,
    words,
    out: new TokenBuffer(),
    files: [],
    lexer: new Lexer(mainFile, words, () => undefined),
    streams: [],
    floor: 0,
    sealed: false,
    outerAt: 0,
    outerEnd: 0,
    lineLevel: -1,
    depth: 0,
    collecting: undefined,
    counter: 0,
    budget: macroOutputLimit,
    stopped: false,
    incomplete: false,
    once: new Set(),
    texts: new Map(),
    dependencies: [],
    groups: new Map(),
    groupStack: [],
    vaArgs: words.intern('__VA_ARGS__'),
    defined: words.intern('defined'),
  };
}

/** Reads until all files are at their end; returns the location where the outermost ended. */
function readFiles(state: State): Location {
  const { out } = state;
  for (;;) {
    const { lexer } = state;
    lexer.next();
    const { kind } = lexer;
    if (kind === k.END) {
      const { at } = lexer;
      leaveFile(state);
      if (state.files.length === 0) return at;
    } else if (lexer.first && kind === k.HASH) {
      runDirective(state);
    } else {
      const macro = lexer.word?.macro;
      if (macro) expandHere(state, macro);
      else if (kind < k.firstPrivateKind) out.push(kind, lexer.spelling, lexer.at, lexer.endAt);
      else pushPrivate(state, pieceOf(state), lexer.at, lexer.endAt);
    }
  }
}

function leaveFile(state: State): void {
  const file = state.files.pop()!;
  if (!state.stopped)
    for (const condition of file.conditions.reverse())
      state.log.report('unterminated-condition', condition.at, {}, condition.end);
  const outer = state.files[state.files.length - 1];
  if (outer) state.lexer = outer.lexer;
}

/** Expands the macro that the lexer's token names, and whatever comes of it. */
function expandHere(state: State, macro: Macro): void {
  const { lexer } = state;
  const name = pieceOf(state);
  const end = lexer.endAt;
  state.outerAt = name.at;
  state.outerEnd = end;
  if (enter(state, macro, name)) {
    for (let piece = pullExpanded(state); piece; piece = pullExpanded(state)) pushExpanded(state, piece);
  } else {
    state.out.push(name.kind, name.text, name.at, end);
  }
  state.outerAt = 0;
}

function pushExpanded(state: State, piece: Piece): void {
  const at = state.map.expansion(state.outerAt, state.outerEnd, piece.at);
  if (piece.kind < k.firstPrivateKind) state.out.push(piece.kind, piece.text, at, state.outerEnd);
  else pushPrivate(state, piece, at, state.outerEnd);
}

/** Tokens that the grammar spells otherwise or does not have. */
function pushPrivate(state: State, piece: Piece, at: Location, end: Location): void {
  const { out, map } = state;
  switch (piece.kind) {
    case k.SHIFT_RIGHT:
      if (at < 0) {
        out.push(k.GREATER_GLUED, '>', at, end);
        out.push(k.GREATER, '>', map.expansion(state.outerAt, end, piece.at + 1), end);
      } else {
        out.push(k.GREATER_GLUED, '>', at, at + 1);
        out.push(k.GREATER, '>', end - 1, end);
      }
      return;
    case k.CHARACTER:
      out.push(k.INT, piece.text, at, end);
      return;
    case k.BAD_NUMBER:
      reportAt(state, /^\d+[fh]$/i.test(piece.text) ? 'float-suffix' : 'bad-number', piece, {
        text: piece.text,
      });
      out.push(k.INT, '0', at, end);
      return;
    case k.UNTERMINATED:
      reportAt(state, 'unterminated-literal', piece, { quote: piece.text[0]! });
      return;
    default:
      reportAt(state, 'stray-token', piece, { text: visible(piece.text) });
  }
}

/** A character as it is, or its code if it cannot be seen. */
function visible(text: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(text)) return text;
  return `U+${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
