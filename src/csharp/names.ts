/** Names in C#: identifiers out of HLSL's and of file names, and scopes in which each stands for one thing. */

/** Reserved words, and words that may not name a type although they are none (`record`, `required` ...). */
const keywords = new Set(
  (
    'abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum ' +
    'event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace ' +
    'new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc ' +
    'static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while ' +
    '__arglist __makeref __reftype __refvalue ' +
    'allows async await dynamic extension field file global managed nameof nint notnull nuint partial record required scoped unmanaged ' +
    'value var when where with yield'
  ).split(' '),
);

/** Members that every struct and class has; a field of such a name would hide them. */
export const inherited = [
  'Equals',
  'Finalize',
  'GetHashCode',
  'GetType',
  'MemberwiseClone',
  'ReferenceEquals',
  'ToString',
];

/** A name as it is written: `@` before what is a word of the language. */
export function written(name: string): string {
  return keywords.has(name) ? `@${name}` : name;
}

/** An identifier out of any text: `$Globals` -> `Globals`, `Pair<float>` -> `Pair_float`. */
export function identifier(text: string): string {
  const plain = text.replace(/[^\p{L}\p{Nd}_]+/gu, '_').replace(/^_(?=[\p{L}])|(?<=[\p{L}\p{Nd}])_$/gu, '');
  return /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`;
}

/** `sky.ps` -> `SkyPs`, `gaussian-blur` -> `GaussianBlur`, `2d` -> `_2d`. */
export function pascalCase(text: string): string {
  const words = text.split(/[^\p{L}\p{Nd}]+/u).filter((word) => word !== '');
  return identifier(words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(''));
}

/** Names in use. A name that is taken gets `_2`, `_3` ... in the order of asking. */
export class Scope {
  readonly #taken: Set<string>;
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  unique(name: string): string {
    let free = name;
    for (let i = 2; this.#taken.has(free); i++) free = `${name}_${i}`;
    this.#taken.add(free);
    return free;
  }
}
