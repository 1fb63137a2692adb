/** Reading SPIR-V words by the published grammar: instructions one after the other, strings, and which words are ids. */
import { debugInfoGrammar, enumGrammar, glslGrammar, instructionGrammar } from './grammar.gen.ts';

export interface EnumRow {
  isBits: boolean;
  values: Map<number, { name: string; parameters: string[] }>;
}
export interface InstructionRow {
  name: string;
  operands: string[];
  /** What `wordRoles` has found for a number of words, so far. */
  rolesByCount: Map<number, readonly WordRole[] | 'by words'>;
}
export interface Grammar {
  instructions: Map<number, InstructionRow>;
  enums: Map<string, EnumRow>;
  sets: { glsl: Map<number, string>; debug: Map<number, string> };
}

let cached: Grammar | undefined;

export function grammar(): Grammar {
  if (cached) return cached;
  const instructions: Grammar['instructions'] = new Map();
  for (const line of instructionGrammar.split('\n')) {
    const [name, number, ...operands] = line.split(' ') as [string, string, ...string[]];
    instructions.set(Number(number), { name: `Op${name}`, operands, rolesByCount: new Map() });
  }
  const enums: Grammar['enums'] = new Map();
  for (const line of enumGrammar.split('\n')) {
    const [head, ...items] = line.split(' ') as [string, ...string[]];
    const row: EnumRow = { isBits: head.endsWith('|'), values: new Map() };
    for (const item of items) {
      const [pair, ...parameters] = item.split(':') as [string, ...string[]];
      const [name, value] = pair.split('=') as [string, string];
      row.values.set(Number(value), { name, parameters });
    }
    enums.set(head.replace('|', ''), row);
  }
  const set = (text: string) =>
    new Map(
      text.split(' ').map((item): [number, string] => [Number(item.split('=')[1]), item.split('=')[0]!]),
    );
  cached = { instructions, enums, sets: { glsl: set(glslGrammar), debug: set(debugInfoGrammar) } };
  return cached;
}

/** Word offset, opcode and operands of each instruction; stops at words that are none. */
export function* instructionsOf(words: Uint32Array): Generator<[number, number, Uint32Array]> {
  for (let at = 5; at < words.length; ) {
    const count = words[at]! >>> 16;
    if (count === 0 || at + count > words.length) return;
    yield [at, words[at]! & 0xffff, words.subarray(at + 1, at + count)];
    at += count;
  }
}

/** True if the words are a module whose instructions fill it exactly. */
export function isWhole(words: Uint32Array): boolean {
  if (words.length < 5 || words[0] !== 0x07230203) return false;
  let at = 5;
  while (at < words.length && words[at]! >>> 16 > 0) at += words[at]! >>> 16;
  return at === words.length;
}

export function readString(words: Uint32Array, at: number): { text: string; next: number } {
  const bytes: number[] = [];
  for (let i = at; i < words.length; i++) {
    for (let shift = 0; shift < 32; shift += 8) {
      const byte = (words[i]! >>> shift) & 0xff;
      if (byte === 0) return { text: decodeUtf8(bytes), next: i + 1 };
      bytes.push(byte);
    }
  }
  return { text: decodeUtf8(bytes), next: words.length };
}

/** One past the word that holds the end of a string. */
function stringEnd(words: Uint32Array, at: number): number {
  const hasNul = (word: number) => ((word - 0x01010101) & ~word & 0x80808080) !== 0;
  let end = at;
  while (end < words.length && !hasNul(words[end]!)) end++;
  return Math.min(end + 1, words.length);
}

function decodeUtf8(bytes: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++]!;
    const more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    let c = more === 0 ? lead : lead & (0x3f >> more);
    for (let n = 0; n < more; n++) c = (c << 6) | ((bytes[i++] ?? 0) & 63);
    parts.push(c > 0x10ffff ? '\ufffd' : String.fromCodePoint(c));
  }
  return parts.join('');
}

export function bitsOf(row: EnumRow, value: number): { name: string; parameters: string[] }[] {
  const found = [];
  for (let bit = 0; bit < 32; bit++) {
    const known = (value >>> bit) & 1 ? row.values.get((1 << bit) >>> 0) : undefined;
    if (known) found.push(known);
  }
  return found;
}

/** What an operand word is: the result, its type, another id, or a number of its own. */
export type WordRole = 'result' | 'type' | 'id' | 'literal';

/**
 * The role of each operand word; undefined for an instruction that the grammar lacks. `selectorWords`: of a switch's labels. The
 * operands are all of `words` or `count` of them from `at` on.
 */
export function wordRoles(
  op: number,
  words: Uint32Array,
  selectorWords = 1,
  at = 0,
  count = words.length,
): readonly WordRole[] | undefined {
  const row = grammar().instructions.get(op);
  if (!row) return undefined;
  return rolesByCount(row, count) ?? rolesByWords(row, words.subarray(at, at + count), selectorWords);
}

/** Kinds of operands whose roles are the same whatever the words are. A literal value fills the rest. */
const plainRoles: Readonly<Record<string, readonly WordRole[]>> = {
  R: ['result'],
  T: ['type'],
  I: ['id'],
  C: ['id'],
  M: ['id'],
  N: ['literal'],
  X: ['literal'],
  V: [],
  Q: ['id', 'literal'],
  J: ['id', 'id'],
};

/** The roles where they follow from the number of words alone, as in nearly all of the code. */
function rolesByCount(row: InstructionRow, count: number): readonly WordRole[] | undefined {
  let roles = row.rolesByCount.get(count);
  if (roles === undefined) {
    roles = plainRolesOf(row.operands, count) ?? 'by words';
    row.rolesByCount.set(count, roles);
  }
  return roles === 'by words' ? undefined : roles;
}

function plainRolesOf(operands: readonly string[], count: number): WordRole[] | undefined {
  const roles: WordRole[] = [];
  for (const operand of operands) {
    const repeats = operand.endsWith('*');
    const kind = operand.replace(/[*?]$/, '');
    if (kind !== operand && roles.length >= count) continue;
    const added = plainRoles[kind];
    if (!added) return undefined;
    do roles.push(...added);
    while (repeats && roles.length < count);
  }
  while (roles.length < count) roles.push('literal');
  return roles;
}

function rolesByWords(row: InstructionRow, words: Uint32Array, selectorWords: number): WordRole[] {
  const roles: WordRole[] = [];
  for (const kind of row.operands) {
    if (kind.endsWith('*'))
      while (roles.length < words.length) addRoles(kind.slice(0, -1), words, roles, selectorWords);
    else if (!kind.endsWith('?')) addRoles(kind, words, roles, selectorWords);
    else if (roles.length < words.length) addRoles(kind.slice(0, -1), words, roles, selectorWords);
  }
  while (roles.length < words.length) roles.push('literal');
  return roles;
}

const literalIndexed = new Set([79, 81, 82]);

function addRoles(kind: string, words: Uint32Array, roles: WordRole[], selectorWords: number): void {
  const plain = plainRoles[kind];
  if (plain) {
    roles.push(...plain);
    return;
  }
  switch (kind) {
    case 'S':
      for (const end = stringEnd(words, roles.length); roles.length < end; ) roles.push('literal');
      return;
    case 'O': {
      const inner = words[roles.length]!;
      roles.push('literal');
      // Of extracts, inserts and shuffles in constants: the aggregates are ids, the rest are indexes.
      const ids = literalIndexed.has(inner) ? (inner === 81 ? 1 : 2) : words.length;
      for (let n = 0; roles.length < words.length; n++) roles.push(n < ids ? 'id' : 'literal');
      return;
    }
    case 'P':
      for (let n = 0; n < selectorWords; n++) roles.push('literal');
      roles.push('id');
      return;
    default:
      addEnumRoles(kind, words, roles, selectorWords);
  }
}

function addEnumRoles(kind: string, words: Uint32Array, roles: WordRole[], selectorWords: number): void {
  const value = words[roles.length]!;
  roles.push('literal');
  const row = grammar().enums.get(kind);
  if (!row) return;
  const known = row.values.get(value);
  const found = row.isBits && value !== 0 ? bitsOf(row, value) : known ? [known] : [];
  for (const { parameters } of found)
    for (const parameter of parameters) addRoles(parameter, words, roles, selectorWords);
}
