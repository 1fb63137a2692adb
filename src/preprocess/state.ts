/** What the parts of the preprocessor share while it runs. */
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Location, SourceFile, SourceMap } from '../source/source-map.ts';
import type { Options } from '../options.ts';
import type { Lexer } from './lex.ts';
import type { Macro, Piece } from './macro.ts';
import type { TokenBuffer } from './token-buffer.ts';
import type { Word, Words } from './words.ts';

/** Gives the text of a file, or undefined if there is none of that name. Paths use `/`. */
export type IncludeHandler = (path: string) => string | undefined;

export interface PreprocessEnvironment {
  map: SourceMap;
  log: DiagnosticLog;
  options: Options;
  includes: IncludeHandler;
}

/** An `#if` that waits for its `#endif`. */
export interface Condition {
  at: Location;
  end: Location;
  /** A group of it was taken, so that later ones are skipped. */
  taken: boolean;
  /** Location of its `#else`, 0 before. */
  elseAt: Location;
}

/** A file being read. */
interface OpenFile {
  lexer: Lexer;
  file: SourceFile;
  /** The path once-ness goes by; undefined for made-up text. */
  path: string | undefined;
  conditions: Condition[];
}

/** Tokens that are read before the file goes on: a macro's body, an argument, a directive's line. */
export interface Stream {
  pieces: readonly Piece[];
  next: number;
  /** The macro whose body this is; it is not expanded meanwhile. */
  macro: Macro | undefined;
  /** White space before the macro's name. */
  space: boolean;
}

export interface State extends PreprocessEnvironment {
  words: Words;
  out: TokenBuffer;
  /** Innermost last. */
  files: OpenFile[];
  /** The lexer of the innermost file. */
  lexer: Lexer;
  streams: Stream[];
  /** Streams below this index are out of reach. */
  floor: number;
  /** The file is out of reach. */
  sealed: boolean;
  /** The outermost macro's name, where all that comes out of it counts as standing. */
  outerAt: Location;
  outerEnd: Location;
  /** Number of streams when the topmost is a directive's line, whose tokens stand for themselves; -1: none is. */
  lineLevel: number;
  /** Arguments being expanded within arguments. */
  depth: number;
  /** While reading arguments from a file: the macro that wants them. */
  collecting: Macro | undefined;
  counter: number;
  /** Tokens that macros may still produce. */
  budget: number;
  /** A limit was passed: all files count as ended. */
  stopped: boolean;
  /** Text is missing from the result. */
  incomplete: boolean;
  once: Set<string>;
  /** Every file asked for, normalized; undefined: the handler has none. */
  texts: Map<string, string | undefined>;
  dependencies: string[];
  /** Diagnostic groups set by pragmas, and for each open `push` what the groups set since then were before. */
  groups: Map<string, PragmaAction>;
  groupStack: Map<string, PragmaAction>[];
  vaArgs: Word;
  defined: Word;
}

export type PragmaAction = 'disable' | 'default' | 'error';

/** Ends the run: what is open is not read further. */
export function stop(state: State): void {
  state.stopped = true;
  state.incomplete = true;
  for (const open of state.files) open.lexer.pos = open.lexer.text.length;
  state.streams.length = 0;
  state.budget = 0;
}

/** Location that messages about a token show: within a macro, both its use and its spelling. */
export function placeOf(state: State, piece: Piece): { at: Location; end: Location } {
  if (state.outerAt === 0 || piece.at === state.outerAt)
    return { at: piece.at, end: piece.at + piece.text.length };
  return { at: state.map.expansion(state.outerAt, state.outerEnd, piece.at), end: state.outerEnd };
}
