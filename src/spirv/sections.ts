/**
 * The module under construction: its sections in the order that SPIR-V demands (specification section 2.4), the supply
 * of ids, and the encoding of words.
 */
import { Op } from './enums.ts';
import { CodeHash } from './code-hash.ts';
import { Words } from './words.ts';

export type OpNumber = (typeof Op)[keyof typeof Op];

export type SectionName =
  | 'capabilities'
  | 'extensions'
  | 'imports'
  | 'memoryModel'
  | 'entryPoints'
  | 'executionModes'
  | 'strings'
  | 'names'
  | 'processed'
  | 'decorations'
  | 'declarations'
  | 'debugTypes'
  | 'debugConstants'
  | 'debugRecords'
  | 'functions';

const order: readonly SectionName[] = [
  'capabilities',
  'extensions',
  'imports',
  'memoryModel',
  'entryPoints',
  'executionModes',
  'strings',
  'names',
  'processed',
  'decorations',
  'declarations',
  'debugTypes',
  'debugConstants',
  'debugRecords',
  'functions',
];

/**
 * Ids of debug information are counted from here until all code is there, and follow those of the code in the module: so code has the
 * same words with and without it. The last one given out is the lowest there: RenderDoc goes through scopes by their ids and keeps the
 * values of their variables until the scope ends, which it knows of an outer one only behind the inner ones.
 */
const firstDebugId = 0x40000000;

export class Sections {
  #next = 1;
  #nextDebug = firstDebugId;
  /** Ids of debug information for what the code came to declare itself, and the ids it has there. */
  readonly #aliases = new Map<number, number>();
  readonly #sections = new Map<SectionName, Words>(order.map((name) => [name, new Words()]));
  /** The section of functions, to which code is written as it comes. */
  readonly functions = this.#sections.get('functions')!;

  id(): number {
    return this.#next++;
  }
  /** An id for what only debug information mentions. */
  debugId(): number {
    return this.#nextDebug++;
  }
  /** From now on, an id of debug information stands for one of the code. */
  alias(debugId: number, id: number): void {
    this.#aliases.set(debugId, id);
  }
  /** One more than the largest id given out so far. */
  get bound(): number {
    return this.#next + this.#nextDebug - firstDebugId;
  }
  add(name: SectionName, op: OpNumber, ...words: number[]): void {
    this.#sections.get(name)!.add(op, words);
  }
  /** An instruction whose operands end in a text. */
  addText(name: SectionName, op: OpNumber, operands: readonly number[], text: string): void {
    this.#sections.get(name)!.addText(op, operands, text);
  }
  /** Names the code, by 32 hexadecimal digits: the same whatever debug information there is. Files and text have no part in it. */
  codeIdentifier(version: number): string {
    const hash = new CodeHash();
    hash.add(Uint32Array.of(version), 0, 1);
    for (const [name, section] of this.#sections) {
      if (!codeSections.has(name)) continue;
      const words = section.filled();
      // Everything between two records at once.
      let from = 0;
      for (let at = 0; at < words.length && debugSections.has(name); ) {
        const end = at + (words[at]! >>> 16);
        if (isOfDebug(words, at)) {
          if (from < at) hash.add(words, from, at);
          from = end;
        }
        at = end;
      }
      if (from < words.length) hash.add(words, from, words.length);
    }
    return hash.digits();
  }
  /** The finished binary; `version` as the header has it (0x00010500). */
  binary(version: number): Uint32Array {
    let size = 5;
    for (const section of this.#sections.values()) size += section.length;
    const binary = new Uint32Array(size);
    // The generator number is 0: none is registered for this compiler.
    binary.set([0x07230203, version, 0, this.bound, 0]);
    let at = 5;
    const settled = this.#settledDebugIds();
    for (const [name, section] of this.#sections) {
      binary.set(section.filled(), at);
      const end = at + section.length;
      if (settled.length > 0 && debugSections.has(name)) settleDebugIds(binary, at, end, settled);
      at = end;
    }
    return binary;
  }
  /** What ids of debug information become, the first one first. */
  #settledDebugIds(): Uint32Array {
    const settled = new Uint32Array(this.#nextDebug - firstDebugId);
    const last = this.bound - 1;
    for (let i = 0; i < settled.length; i++) settled[i] = last - i;
    for (const [debugId, id] of this.#aliases) settled[debugId - firstDebugId] = id;
    return settled;
  }
}

function settleDebugIds(words: Uint32Array, from: number, to: number, settled: Uint32Array): void {
  for (let at = from; at < to; ) {
    const count = words[at]! >>> 16;
    const end = at + Math.min(count, idWords(words, at));
    for (let i = at + 1; i < end; i++) {
      const word = words[i]!;
      if (word >= firstDebugId) words[i] = settled[word - firstDebugId]!;
    }
    at += count;
  }
}

/** Where ids of debug information stand. */
const debugSections = new Set<SectionName>([
  'imports',
  'strings',
  'debugTypes',
  'debugConstants',
  'debugRecords',
  'functions',
]);

/** Extensions and imports follow from the rest, and are not the same with debug information. */
const codeSections = new Set<SectionName>([
  'capabilities',
  'memoryModel',
  'entryPoints',
  'executionModes',
  'strings',
  'names',
  'decorations',
  'declarations',
  'functions',
]);

/** True for records in the code and the strings of records; OpSource is debug information too. */
function isOfDebug(words: Uint32Array, at: number): boolean {
  const op = words[at]! & 0xffff;
  if (op === Op.ExtInst) return words[at + 3]! >= firstDebugId;
  return op === Op.Source || (op === Op.String && words[at + 1]! >= firstDebugId);
}

/** How many words from the first, which is the opcode, may hold ids of debug information. */
function idWords(words: Uint32Array, at: number): number {
  switch (words[at]! & 0xffff) {
    case Op.ExtInst:
      return words[at + 3]! >= firstDebugId ? Number.POSITIVE_INFINITY : 1;
    case Op.String:
    case Op.ExtInstImport:
    case Op.TypeVoid:
    case Op.TypeInt:
    case Op.TypeBool:
      return 2;
    case Op.Constant:
    case Op.ConstantTrue:
    case Op.ConstantFalse:
    case Op.Undef:
    case Op.TypeVector:
      return 3;
    default:
      return 1;
  }
}
