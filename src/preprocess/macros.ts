/**
 * Macro expansion.
 *
 * The hide sets of the C standard are kept as clang keeps them: while the body of a macro is being read, its macro is
 * `active` and not expanded; a name met meanwhile is painted and never expanded again. Bodies and arguments are lists
 * of pieces that are read through a stack of streams. Arguments are expanded on their own (the streams below are out
 * of reach then, as is the file), then substituted, `#` and `##` applied, and the result is read again.
 */
import type { MessageArgs } from '../source/diagnostic.ts';
import type { MessageKey } from '../source/messages.ts';
import { builtinPieces } from './builtins.ts';
import { runDirective } from './directives.ts';
import * as k from './kinds.ts';
import { type Macro, type Piece, ROLE_PASTE, ROLE_PLAIN, ROLE_STRINGIZE } from './macro.ts';
import { paste, stringize } from './operators.ts';
import { placeOf, type State, type Stream, stop } from './state.ts';

/** Arguments within arguments beyond this depth end in a diagnostic, well before the stack does. */
const depthLimit = 500;

export function reportAt(state: State, key: MessageKey, piece: Piece, args: MessageArgs = {}) {
  const { at, end } = placeOf(state, piece);
  return state.log.report(key, at, args, end);
}

/** The file's current token as a piece. */
export function pieceOf(state: State): Piece {
  const { lexer } = state;
  const { kind, word, at } = lexer;
  return { kind, text: lexer.spelling, word, at, space: lexer.space || lexer.first, painted: false };
}

/** Next piece of the streams within reach; undefined when they are read to their end. */
export function pull(state: State): Piece | undefined {
  const { streams } = state;
  while (streams.length > state.floor) {
    const stream = streams[streams.length - 1]!;
    if (stream.next < stream.pieces.length) {
      const piece = stream.pieces[stream.next++]!;
      if (streams.length === state.lineLevel) {
        state.outerAt = piece.at;
        state.outerEnd = piece.at + piece.text.length;
      }
      // The first token of a body takes the white space of the macro's name, which only `#` and `#include <` look at.
      if (state.sealed && stream.next === 1 && piece.space !== stream.space && stream.macro)
        return { ...piece, space: stream.space };
      return piece;
    }
    popStream(state);
  }
  return undefined;
}

function popStream(state: State): void {
  const stream = state.streams.pop();
  if (stream?.macro) stream.macro.active = false;
}

/** As `pull`, with macros expanded. */
export function pullExpanded(state: State): Piece | undefined {
  for (;;) {
    const piece = pull(state);
    const macro = piece?.word?.macro;
    if (piece === undefined || macro === undefined || piece.painted) return piece;
    if (macro.active) return { ...piece, painted: true };
    if (!enter(state, macro, piece)) return piece;
  }
}

/** Expands a list on its own: neither what follows it nor the file is looked at. */
function expandList(state: State, pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some((piece) => piece.word?.macro !== undefined && !piece.painted)) return pieces;
  if (state.depth >= depthLimit) {
    reportAt(state, 'macro-nesting', pieces[0]!, { limit: depthLimit });
    stop(state);
    return [];
  }
  const { floor, sealed } = state;
  state.floor = state.streams.length;
  state.sealed = true;
  state.depth++;
  state.streams.push({ pieces, next: 0, macro: undefined, space: false });
  const out: Piece[] = [];
  for (let piece = pullExpanded(state); piece; piece = pullExpanded(state)) out.push(piece);
  state.depth--;
  state.floor = floor;
  state.sealed = sealed;
  return out;
}

/** Runs `read` over the tokens of a directive's line, read on their own; drops what it left. */
export function withinLine<T>(state: State, pieces: readonly Piece[], read: () => T): T {
  const { floor, sealed, lineLevel, outerAt, outerEnd } = state;
  const base = state.streams.length;
  state.floor = base;
  state.sealed = true;
  state.lineLevel = base + 1;
  state.streams.push({ pieces, next: 0, macro: undefined, space: false });
  const result = read();
  while (state.streams.length > base) popStream(state);
  Object.assign(state, { floor, sealed, lineLevel, outerAt, outerEnd });
  return result;
}

/** The tokens of a directive's line with macros expanded. */
export function expandLine(state: State, pieces: readonly Piece[]): Piece[] {
  return withinLine(state, pieces, () => {
    const out: Piece[] = [];
    for (let piece = pullExpanded(state); piece; piece = pullExpanded(state)) out.push(piece);
    return out;
  });
}

/** Begins the expansion of a macro whose name was just read; false if it is no use of it (no `(` follows). */
export function enter(state: State, macro: Macro, name: Piece): boolean {
  if (macro.functionLike && !opens(state)) return false;
  let pieces: readonly Piece[];
  if (!macro.functionLike) {
    if (macro.builtin !== undefined) pieces = builtinPieces(state, macro, name, []);
    else pieces = macro.plain ? macro.body : substitute(state, macro, [], false, name);
  } else {
    const call = collectArguments(state, macro, name);
    if (call === undefined) return true;
    if (macro.builtin !== undefined) pieces = builtinPieces(state, macro, name, call.args);
    else if (macro.plain) pieces = macro.body;
    else pieces = substitute(state, macro, call.args, call.elided, name);
  }
  // Entering a macro costs about as much as some tokens, also if it is empty.
  if (!spend(state, pieces.length + 4, name)) return true;
  if (pieces.length > 0) {
    macro.active = true;
    state.streams.push({ pieces, next: 0, macro, space: name.space });
  }
  return true;
}

/** Counts tokens that macros make, so that a few lines cannot ask for more than any machine has. */
function spend(state: State, count: number, piece: Piece): boolean {
  state.budget -= count;
  if (state.budget >= 0) return true;
  if (!state.stopped) reportAt(state, 'macro-output-limit', piece);
  stop(state);
  return false;
}

/** Whether the next token is `(`. The end of a macro's body is looked past, the end of a file is not. */
function opens(state: State): boolean {
  for (let i = state.streams.length - 1; i >= state.floor; i--) {
    const stream: Stream = state.streams[i]!;
    const piece = stream.pieces[stream.next];
    if (piece) return piece.kind === k.OPEN;
  }
  return !state.sealed && !state.stopped && state.lexer.peekOpen();
}

/** Next token of a macro call: from the streams, then from the file, whose directives are obeyed meanwhile. */
function nextArgumentPiece(state: State, macro: Macro): Piece | undefined {
  const pulled = pull(state);
  if (pulled) {
    // A name that is hidden now stays hidden when it is read again from the argument.
    return pulled.word?.macro?.active && !pulled.painted ? { ...pulled, painted: true } : pulled;
  }
  if (state.sealed) return undefined;
  for (;;) {
    state.lexer.next();
    if (state.lexer.kind === k.END) return undefined;
    if (state.lexer.kind !== k.HASH || !state.lexer.first) return pieceOf(state);
    const outer = state.collecting;
    state.collecting = macro;
    runDirective(state);
    state.collecting = outer;
  }
}

interface Call {
  args: Piece[][];
  /** The variadic parameter got no argument at all, not even an empty one. */
  elided: boolean;
}

/** Reads `( ... )`. Undefined: it is wrong, a message was given, and nothing comes of it. */
function collectArguments(state: State, macro: Macro, name: Piece): Call | undefined {
  const { outerAt, outerEnd } = state;
  const args = readArguments(state, macro, name);
  // The arguments' tokens in a directive's line have moved it.
  state.outerAt = outerAt;
  state.outerEnd = outerEnd;
  return args && checkArguments(state, macro, name, args);
}

function readArguments(state: State, macro: Macro, name: Piece): Piece[][] | undefined {
  nextArgumentPiece(state, macro);
  const args: Piece[][] = [[]];
  const last = macro.parameters.length - 1;
  for (let depth = 0; ; ) {
    const piece = nextArgumentPiece(state, macro);
    if (piece === undefined) {
      if (!state.stopped)
        noteDefinition(state, macro, reportAt(state, 'unterminated-macro-call', name, { name: name.text }));
      return undefined;
    }
    if (piece.kind === k.OPEN) depth++;
    else if (piece.kind === k.CLOSE && depth-- === 0) break;
    else if (piece.kind === k.COMMA && depth === 0 && !(macro.variadic && args.length > last)) {
      args.push([]);
      continue;
    }
    args[args.length - 1]!.push(piece);
  }
  return args;
}

function checkArguments(state: State, macro: Macro, name: Piece, args: Piece[][]): Call | undefined {
  const wanted = macro.parameters.length;
  const none = args.length === 1 && args[0]!.length === 0;
  if (none && wanted === 0) return { args: [], elided: false };
  if (args.length === wanted) return { args, elided: none && macro.variadic && wanted === 1 };
  // `F(a)` or `F()` for `F(a, ...)`: the variadic argument may be left out.
  if (macro.variadic && args.length === wanted - 1) return { args: [...args, []], elided: true };
  const key = args.length < wanted ? 'too-few-macro-arguments' : 'too-many-macro-arguments';
  const given = none ? 0 : args.length;
  noteDefinition(state, macro, reportAt(state, key, name, { name: name.text, wanted, given }));
  return undefined;
}

function noteDefinition(state: State, macro: Macro, diagnostic: ReturnType<typeof reportAt>): void {
  if (macro.at > 0) state.log.note(diagnostic, 'macro-defined-here', macro.at, { name: macro.word.text });
}

/** The body with parameters replaced and `#` and `##` applied (C standard 6.10.3.1 to 6.10.3.3). */
function substitute(state: State, macro: Macro, args: Piece[][], elided: boolean, name: Piece): Piece[] {
  const { body, roles } = macro;
  const legacy = state.options.legacyMacroExpansion;
  const expanded: (readonly Piece[] | undefined)[] = [];
  const expand = (index: number): readonly Piece[] => (expanded[index] ??= expandList(state, args[index]!));
  const out: Piece[] = [];
  // A `##` waits for its right operand; what stood left of it was empty.
  let pasting = false;
  let leftEmpty = false;
  for (let i = 0; i < body.length; i++) {
    const piece = body[i]!;
    const role = roles[i]!;
    if (role === ROLE_PASTE) {
      pasting = true;
      continue;
    }
    let operand: readonly Piece[];
    if (role === ROLE_STRINGIZE) {
      operand = [stringize(state, piece, args[roles[++i]!]!)];
    } else if (role === ROLE_PLAIN) {
      operand = [piece];
    } else {
      const beside = pasting || roles[i + 1] === ROLE_PASTE;
      operand = beside && !legacy ? args[role]! : expand(role);
      if (
        macro.variadic &&
        role === macro.parameters.length - 1 &&
        pasting &&
        !leftEmpty &&
        out[out.length - 1]?.kind === k.COMMA
      ) {
        // `, ## __VA_ARGS__`: the comma goes when there is no such argument; otherwise nothing is pasted.
        if (elided) out.pop();
        if (elided || operand.length > 0) pasting = false;
      }
    }
    if (!spend(state, operand.length, name)) return [];
    appendOperand(state, out, operand, pasting && !leftEmpty, piece);
    leftEmpty = operand.length === 0 && (!pasting || leftEmpty);
    pasting = false;
  }
  return out;
}

/** Adds an operand, whose first token takes the white space of the place it is put in. */
function appendOperand(
  state: State,
  out: Piece[],
  operand: readonly Piece[],
  pasting: boolean,
  place: Piece,
): void {
  const first = operand[0];
  if (first === undefined) return;
  const left = pasting ? out.pop() : undefined;
  if (left) out.push(...paste(state, left, first));
  else out.push(first.space === place.space ? first : { ...first, space: place.space });
  for (let i = 1; i < operand.length; i++) out.push(operand[i]!);
}
