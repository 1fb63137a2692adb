/** What a macro is, and the tokens that macros work on. */
import type { Location } from '../source/source-map.ts';
import type { Word } from './words.ts';

/** A token on its way through macros. Never changed once made: the body of a macro is shared by all its uses. */
export interface Piece {
  kind: number;
  text: string;
  /** For identifiers and keywords. */
  word: Word | undefined;
  /** Where its characters are. */
  at: Location;
  /** White space stands before it; `#` needs that. */
  space: boolean;
  /** It named a macro while that macro was being expanded, and so is never expanded again. */
  painted: boolean;
}

/** Macros that compute their value. */
export type BuiltinMacro =
  | 'file'
  | 'line'
  | 'counter'
  | 'level'
  | 'base-file'
  | 'clock'
  | 'has-include'
  | 'has-nothing'
  | 'pragma';

export interface Macro {
  word: Word;
  /** Name in its `#define`; 0 for built-in macros. */
  at: Location;
  functionLike: boolean;
  /** The last parameter takes the rest of the arguments. */
  variadic: boolean;
  parameters: readonly Word[];
  body: readonly Piece[];
  /** For each piece of the body: a parameter's index, or one of the roles below. */
  roles: readonly number[];
  /** The body can be used as it stands: no parameters and no operators. */
  plain: boolean;
  /** True while it is being expanded. */
  active: boolean;
  builtin: BuiltinMacro | undefined;
}

export const ROLE_PLAIN = -1;
export const ROLE_PASTE = -2;
/** `#`; the parameter follows. */
export const ROLE_STRINGIZE = -3;
