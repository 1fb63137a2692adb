/**
 * Kinds of preprocessing tokens. What the parser may see has the number that `kinds.gen.ts` gives it; what only the
 * preprocessor knows (`#`, `##`, ...) has a number above those, and never leaves it.
 */
import { kindNames } from './kinds.gen.ts';

const byName = new Map(kindNames.map((name, kind) => [name, kind]));

/** Kind of a terminal of the grammar. */
function kindOf(name: string): number {
  const kind = byName.get(name);
  if (kind === undefined) throw new Error(`the grammar has no terminal '${name}'`);
  return kind;
}

export const END = 0;
export const IDENT = kindOf('IDENT');
export const INT = kindOf('INT');
export const FLOAT = kindOf('FLOAT');
export const STRING = kindOf('STRING');
export const OPEN = kindOf('(');
export const CLOSE = kindOf(')');
export const COMMA = kindOf(',');
export const GREATER = kindOf('>');
/** A `>` glued to a following `>`: made from `SHIFT_RIGHT` when a token goes to the parser. */
export const GREATER_GLUED = kindOf('>_');

/** Kinds from here on stay inside the preprocessor. */
export const firstPrivateKind = 240;
export const HASH = 240;
export const HASH_HASH = 241;
export const ELLIPSIS = 242;
/** A character that begins no token. */
export const STRAY = 243;
export const CHARACTER = 244;
/** End of a directive's line. */
export const LINE_END = 245;
/** Starts like a number but is none, such as `1_a` or `08`. */
export const BAD_NUMBER = 246;
/** `>>`, one token here, two in the grammar. */
export const SHIFT_RIGHT = 247;
/** A string or character literal that its line ends before its quote. */
export const UNTERMINATED = 248;

/** Kinds whose spelling is not one text. */
const classNames = ['end of input', 'FLOAT', 'IDENT', 'INT', 'STRING', 'TYPE'];

const keywordKinds = new Map<string, number>();
/** Keywords by spelling. */
export const keywords: ReadonlyMap<string, number> = keywordKinds;

/** Spelling of kinds that have only one; undefined for classes such as `INT`. */
export const spellings: readonly (string | undefined)[] = (() => {
  const list: (string | undefined)[] = [];
  kindNames.forEach((name, kind) => {
    if (classNames.includes(name)) return;
    if (name.toUpperCase() !== name) keywordKinds.set(name, kind);
    else list[kind] = name;
  });
  list[GREATER_GLUED] = '>';
  list[HASH] = '#';
  list[HASH_HASH] = '##';
  list[ELLIPSIS] = '...';
  list[SHIFT_RIGHT] = '>>';
  return list;
})();

/** Kind of each punctuator by spelling, the preprocessor's own included. */
export const punctuators: ReadonlyMap<string, number> = new Map(
  spellings.flatMap((text, kind): [string, number][] =>
    text !== undefined && kind !== GREATER_GLUED ? [[text, kind]] : [],
  ),
);
