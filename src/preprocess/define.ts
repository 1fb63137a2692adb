/** `#define` and `#undef`. */
import * as k from './kinds.ts';
import { type Macro, type Piece, ROLE_PASTE, ROLE_PLAIN, ROLE_STRINGIZE } from './macro.ts';
import { pieceOf, reportAt } from './macros.ts';
import { refuseRest } from './directives.ts';
import type { State } from './state.ts';
import type { Word } from './words.ts';

/** The name that a `#define` or `#undef` is about, or undefined with a message. */
function macroName(state: State, piece: Piece | undefined, directive: string): Word | undefined {
  const word = piece?.word;
  if (!word) {
    reportAt(state, 'macro-name-expected', piece ?? pieceOf(state), { name: directive });
    return undefined;
  }
  if (word === state.defined) {
    reportAt(state, 'macro-name-defined', piece, { name: word.text });
    return undefined;
  }
  if (word.macro?.builtin) reportAt(state, 'builtin-macro-changed', piece, { name: word.text });
  return word;
}

export function undefineMacro(state: State, line: readonly Piece[]): void {
  const word = macroName(state, line[0], 'undef');
  if (!word) return;
  refuseRest(state, line[1], 'undef');
  word.macro = undefined;
}

export function defineMacro(state: State, line: readonly Piece[]): void {
  const name = line[0];
  const word = macroName(state, name, 'define');
  if (!word || !name) return;
  const open = line[1];
  let parameters: Word[] = [];
  let variadic = false;
  let next = 1;
  const functionLike = open?.kind === k.OPEN && !open.space;
  if (functionLike) {
    const list = readParameters(state, line, name);
    if (!list) return;
    ({ parameters, variadic, next } = list);
  } else if (open && !open.space) reportAt(state, 'macro-name-space', open, { name: word.text });
  const body = line.slice(next);
  const roles = bodyRoles(state, body, functionLike ? parameters : undefined, variadic);
  if (!roles) return;
  // White space before the body is no part of it.
  if (body[0]?.space) body[0] = { ...body[0], space: false };
  const macro: Macro = {
    word,
    at: name.at,
    functionLike,
    variadic,
    parameters,
    body,
    roles,
    plain: roles.every((role) => role === ROLE_PLAIN),
    active: false,
    builtin: undefined,
  };
  const old = word.macro;
  if (old && !old.builtin && !sameMacro(old, macro))
    state.log.note(
      reportAt(state, 'macro-redefined', name, { name: word.text }),
      'macro-defined-here',
      old.at,
      {
        name: word.text,
      },
    );
  word.macro = macro;
}

interface Parameters {
  parameters: Word[];
  variadic: boolean;
  /** Index of the first piece of the body. */
  next: number;
}

/** `(a, b, ...)`; also `(a, rest...)`, where the rest has a name. */
function readParameters(state: State, line: readonly Piece[], name: Piece): Parameters | undefined {
  const parameters = new Set<Word>();
  const fail = (piece: Piece | undefined): undefined => {
    reportAt(state, 'macro-parameters', piece ?? line[line.length - 1] ?? name, { name: name.text });
    return undefined;
  };
  let i = 2;
  if (line[i]?.kind === k.CLOSE) return { parameters: [], variadic: false, next: i + 1 };
  for (;;) {
    const piece = line[i++];
    if (piece?.kind === k.ELLIPSIS) {
      if (line[i]?.kind !== k.CLOSE) return fail(line[i]);
      return { parameters: [...parameters, state.vaArgs], variadic: true, next: i + 1 };
    }
    if (!piece?.word) return fail(piece);
    if (piece.word === state.vaArgs) {
      reportAt(state, 'va-args-misplaced', piece);
      return undefined;
    }
    if (parameters.has(piece.word)) {
      reportAt(state, 'macro-parameter-twice', piece, { name: piece.text });
      return undefined;
    }
    parameters.add(piece.word);
    const after = line[i++];
    if (after?.kind === k.CLOSE) return { parameters: [...parameters], variadic: false, next: i };
    if (after?.kind === k.ELLIPSIS) {
      if (line[i]?.kind !== k.CLOSE) return fail(line[i]);
      return { parameters: [...parameters], variadic: true, next: i + 1 };
    }
    if (after?.kind !== k.COMMA) return fail(after);
  }
}

/** What each piece of a body does. `parameters` is undefined for object-like macros, where `#` is an ordinary token. */
function bodyRoles(
  state: State,
  body: readonly Piece[],
  parameters: readonly Word[] | undefined,
  variadic: boolean,
): number[] | undefined {
  const indexes = new Map(parameters?.map((word, index) => [word, index]));
  const roles: number[] = [];
  for (const [i, piece] of body.entries()) {
    if (piece.kind === k.HASH_HASH) {
      if (i === 0 || i === body.length - 1) {
        reportAt(state, 'paste-at-edge', piece);
        return undefined;
      }
      roles.push(ROLE_PASTE);
    } else if (piece.kind === k.HASH && parameters) {
      const next = body[i + 1]?.word;
      if (!next || !indexes.has(next)) {
        reportAt(state, 'stringize-needs-parameter', piece);
        return undefined;
      }
      roles.push(ROLE_STRINGIZE);
    } else if (piece.word) {
      if (piece.word === state.vaArgs && !(variadic && indexes.has(piece.word))) {
        reportAt(state, 'va-args-misplaced', piece);
        return undefined;
      }
      roles.push(indexes.get(piece.word) ?? ROLE_PLAIN);
    } else roles.push(ROLE_PLAIN);
  }
  return roles;
}

/** Whether two definitions are the same but for the amount of white space, so that the second does no harm. */
function sameMacro(a: Macro, b: Macro): boolean {
  return (
    a.functionLike === b.functionLike &&
    a.variadic === b.variadic &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((word, i) => word === b.parameters[i]) &&
    a.body.length === b.body.length &&
    a.body.every((piece, i) => piece.text === b.body[i]!.text && piece.space === b.body[i]!.space)
  );
}
