/**
 * Tokens as the parser reads them: parallel arrays, because a translation unit has hundreds of thousands and the
 * parser looks at kinds only.
 *
 * A kind is a number. The names of the kinds are the terminals of syntax/hlsl.ohm, listed in `kinds.gen.ts`, which the
 * build derives from the grammar: 0 is the end of input; `IDENT`, `TYPE`, `INT`, `FLOAT`, `STRING` are classes; the
 * rest are keywords and punctuators spelled as in the source. `>_` is a `>` glued to a following `>`.
 */
export interface Tokens {
  /** Number of tokens, the end-of-input token at index `count` not included. */
  count: number;
  /** `kinds[count]` is 0. */
  kinds: Uint8Array;
  texts: string[];
  /** Where debug information puts it; negative if it came out of a macro (then it also knows its spelling). */
  at: Int32Array;
  /** One past its last character; for a token from a macro the end of the outermost macro's name. Never negative. */
  end: Int32Array;
  /**
   * Default matrix packing set by `#pragma pack_matrix`, in order: from token `from` on. Empty without the pragma.
   */
  packMatrix: { from: number; packing: 'row_major' | 'column_major' }[];
}
