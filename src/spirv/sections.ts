/**
 * The module under construction: its sections in the order that SPIR-V demands (specification section 2.4), the supply
 * of ids, and the encoding of words. An instruction is an array of words whose first is put in when it is added.
 */
import type { Op } from './enums.ts';

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
  'debugConstants',
  'debugRecords',
  'functions',
];

/** Opcode and operands; the word count joins at the end, so operands may still be filled in (phis of loop headers). */
export interface Encoded {
  op: number;
  words: number[];
}

export class Sections {
  #next = 1;
  readonly #sections = new Map<SectionName, Encoded[]>(order.map((name) => [name, []]));

  id(): number {
    return this.#next++;
  }
  /** One more than the largest id given out so far. */
  get bound(): number {
    return this.#next;
  }
  section(name: SectionName): Encoded[] {
    return this.#sections.get(name)!;
  }
  add(name: SectionName, op: OpNumber, ...words: number[]): void {
    this.section(name).push({ op, words });
  }
  /** The finished binary; `version` as the header has it (0x00010500). */
  binary(version: number): Uint32Array {
    let size = 5;
    for (const name of order) for (const { words } of this.section(name)) size += words.length + 1;
    const binary = new Uint32Array(size);
    // The generator number is 0: none is registered for this compiler.
    binary.set([0x07230203, version, 0, this.#next, 0]);
    let at = 5;
    for (const name of order) {
      for (const { op, words } of this.section(name)) {
        binary[at++] = ((words.length + 1) << 16) | op;
        for (const word of words) binary[at++] = word;
      }
    }
    return binary;
  }
}

/** UTF-8, nul-terminated, little end first, padded to whole words. */
export function stringWords(text: string): number[] {
  const bytes = utf8(text);
  const words: number[] = new Array((bytes.length >> 2) + 1).fill(0);
  for (let i = 0; i < bytes.length; i++) words[i >> 2]! |= bytes[i]! << ((i & 3) * 8);
  return words.map((word) => word >>> 0);
}

/** UTF-8 bytes of a string; a lone surrogate becomes U+FFFD, a nul a space, for it would end the string. */
export function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    let c = character.codePointAt(0)!;
    if (c >= 0xd800 && c < 0xe000) c = 0xfffd;
    if (c === 0) bytes.push(0x20);
    else if (c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }
  return bytes;
}
