/**
 * Reads the NonSemantic.Shader.DebugInfo.100 records of a module, and checks the rules of debug information that no validator on our
 * machines checks. Own code, independent of the emitter's.
 */

import { disassemble } from '../../src/spirv/disassemble.ts';

export interface Encoded {
  op: number;
  words: number[];
  at: number;
}
export interface DebugRecord {
  name: string;
  id: number;
  operands: number[];
  at: number;
}

const names: Record<number, string> = {
  0: 'DebugInfoNone',
  1: 'DebugCompilationUnit',
  2: 'DebugTypeBasic',
  3: 'DebugTypePointer',
  5: 'DebugTypeArray',
  6: 'DebugTypeVector',
  8: 'DebugTypeFunction',
  9: 'DebugTypeEnum',
  10: 'DebugTypeComposite',
  11: 'DebugTypeMember',
  18: 'DebugGlobalVariable',
  20: 'DebugFunction',
  21: 'DebugLexicalBlock',
  23: 'DebugScope',
  24: 'DebugNoScope',
  25: 'DebugInlinedAt',
  26: 'DebugLocalVariable',
  28: 'DebugDeclare',
  29: 'DebugValue',
  31: 'DebugExpression',
  35: 'DebugSource',
  101: 'DebugFunctionDefinition',
  102: 'DebugSourceContinued',
  103: 'DebugLine',
  104: 'DebugNoLine',
  107: 'DebugEntryPoint',
  108: 'DebugTypeMatrix',
};
const inBlocks = new Set([
  'DebugScope',
  'DebugNoScope',
  'DebugLine',
  'DebugNoLine',
  'DebugDeclare',
  'DebugValue',
  'DebugFunctionDefinition',
]);

export interface DebugModule {
  code: Encoded[];
  records: DebugRecord[];
  strings: Map<number, string>;
  /** Unsigned 32-bit constants. */
  numbers: Map<number, number>;
  byId: Map<number, DebugRecord>;
  all: (name: string) => DebugRecord[];
  text: (id: number | undefined) => string;
  number: (id: number | undefined) => number;
}

export function decode(words: Uint32Array): Encoded[] {
  const list: Encoded[] = [];
  for (let at = 5; at < words.length; at += words[at]! >>> 16) {
    list.push({
      op: words[at]! & 0xffff,
      words: [...words.subarray(at + 1, at + (words[at]! >>> 16))],
      at: list.length,
    });
  }
  return list;
}

function string(words: number[], from: number): string {
  const bytes: number[] = [];
  for (const word of words.slice(from))
    for (let shift = 0; shift < 32; shift += 8) bytes.push((word >>> shift) & 255);
  return new TextDecoder().decode(Uint8Array.from(bytes.slice(0, bytes.indexOf(0))));
}

export function readDebug(words: Uint32Array): DebugModule {
  const code = decode(words);
  const strings = new Map<number, string>();
  const numbers = new Map<number, number>();
  let uint = 0;
  let set = 0;
  const records: DebugRecord[] = [];
  for (const { op, words: w, at } of code) {
    if (op === 7) strings.set(w[0]!, string(w, 1));
    if (op === 11 && string(w, 1) === 'NonSemantic.Shader.DebugInfo.100') set = w[0]!;
    if (op === 21 && w[1] === 32 && w[2] === 0) uint = w[0]!;
    if (op === 43 && w[0] === uint) numbers.set(w[1]!, w[2]!);
    if (op === 12 && w[2] === set)
      records.push({ name: names[w[3]!] ?? `record ${w[3]}`, id: w[1]!, operands: w.slice(4), at });
  }
  const byId = new Map(records.map((record) => [record.id, record]));
  return {
    code,
    records,
    strings,
    numbers,
    byId,
    all: (name) => records.filter((record) => record.name === name),
    text: (id) => strings.get(id!) ?? '',
    number: (id) => numbers.get(id!) ?? Number.NaN,
  };
}

/** Operands that are numbers, by record: from, to. */
const numberOperands: Record<string, readonly (readonly [number, number])[]> = {
  DebugCompilationUnit: [
    [0, 1],
    [3, 3],
  ],
  DebugTypeBasic: [[1, 3]],
  DebugTypeVector: [[1, 1]],
  DebugTypeMatrix: [[1, 1]],
  DebugTypeMember: [[3, 7]],
  DebugFunction: [
    [3, 4],
    [7, 8],
  ],
  DebugLexicalBlock: [[1, 2]],
  DebugLocalVariable: [
    [3, 4],
    [6, 7],
  ],
  DebugGlobalVariable: [
    [3, 4],
    [8, 8],
  ],
  DebugLine: [[1, 4]],
};

/** Everything that is wrong, in words; empty for a module that keeps the rules. */
export function debugProblems(words: Uint32Array): string[] {
  const module = readDebug(words);
  return [
    ...modulePlaces(module),
    ...operandRules(module),
    ...blockRules(module),
    ...lineRules(module),
    ...sourceRules(module),
  ];
}

function modulePlaces({ code, records }: DebugModule): string[] {
  const problems: string[] = [];
  const firstFunction = code.findIndex(({ op }) => op === 54);
  const lastGlobal = code.findLastIndex(
    ({ op, at }) => at < firstFunction && ((op >= 19 && op <= 52) || op === 59 || op === 1),
  );
  const defined = new Set<number>();
  for (const record of records) {
    if (!inBlocks.has(record.name)) {
      if (record.at > firstFunction) problems.push(`${record.name} inside functions`);
      if (record.at < lastGlobal) problems.push(`${record.name} before the last global`);
    } else if (record.at < firstFunction) problems.push(`${record.name} outside functions`);
    for (const operand of record.operands) {
      if (records.some((other) => other.id === operand) && !defined.has(operand))
        problems.push(`${record.name} refers forward`);
    }
    defined.add(record.id);
  }
  return problems;
}

function operandRules(module: DebugModule): string[] {
  const problems: string[] = [];
  for (const { name, operands } of module.records) {
    for (const [from, to] of numberOperands[name] ?? []) {
      for (let i = from; i <= to && i < operands.length; i++) {
        if (!module.numbers.has(operands[i]!)) problems.push(`${name} operand ${i} is no unsigned constant`);
      }
    }
    if (
      (name === 'DebugDeclare' || name === 'DebugValue') &&
      module.byId.get(operands[2]!)?.name !== 'DebugExpression'
    ) {
      problems.push(`${name} without expression`);
    }
  }
  return problems;
}

const notExecutable = new Set([248, 54, 55, 56, 59, 245, 8, 317, 1, 247, 246, 0]);

/** Records after phis and variables, never between merge and branch; scope before each executable instruction of a block. */
function blockRules({ code, records }: DebugModule): string[] {
  const problems: string[] = [];
  const at = new Map(records.map((record) => [record.at, record]));
  let seenRecord = false;
  let scope = false;
  let line = false;
  let afterMerge = false;
  let inFunction = false;
  for (const instruction of code) {
    const record = at.get(instruction.at);
    if (instruction.op === 54) inFunction = true;
    if (!inFunction) continue;
    if (instruction.op === 248) scope = line = seenRecord = false;
    if (record) {
      seenRecord = true;
      if (afterMerge) problems.push(`${record.name} between merge and branch`);
      if (record.name === 'DebugScope') scope = true;
      if (record.name === 'DebugLine' || record.name === 'DebugNoLine') line = true;
      if ((record.name === 'DebugDeclare' || record.name === 'DebugValue') && !scope)
        problems.push(`${record.name} without scope`);
      continue;
    }
    if ((instruction.op === 245 || instruction.op === 59) && seenRecord)
      problems.push('a record before a phi or variable');
    if (!notExecutable.has(instruction.op) && !scope)
      problems.push(`instruction ${instruction.op} without scope`);
    if (!notExecutable.has(instruction.op) && !line)
      problems.push(`instruction ${instruction.op} without line`);
    afterMerge = instruction.op === 246 || instruction.op === 247;
  }
  return problems;
}

function lineRules(module: DebugModule): string[] {
  const problems: string[] = [];
  const texts = new Map<number, string[]>();
  let current = 0;
  for (const { name, id, operands } of module.records) {
    if (name === 'DebugSource') {
      current = id;
      if (operands[1] !== undefined) texts.set(id, [module.text(operands[1])]);
    }
    if (name === 'DebugSourceContinued') texts.get(current)!.push(module.text(operands[0]));
  }
  for (const { operands } of module.all('DebugLine')) {
    const [source, ...ids] = operands;
    const [startLine, endLine, startColumn, endColumn] = ids.map((id) => module.number(id)) as [
      number,
      number,
      number,
      number,
    ];
    const where = `DebugLine ${startLine}:${startColumn}-${endLine}:${endColumn}`;
    if (startLine < 1 || startColumn < 1) problems.push(`${where} starts nowhere`);
    if (endLine < startLine || (endLine === startLine && endColumn < startColumn))
      problems.push(`${where} is reversed`);
    const text = texts.get(source!)?.join('');
    if (text === undefined) continue;
    const lines = text.split('\n');
    const bytes = (line: number) => new TextEncoder().encode(lines[line - 1] ?? '').length;
    if (endLine > lines.length - (text.endsWith('\n') ? 1 : 0))
      problems.push(`${where} is behind the last line`);
    else if (startColumn > bytes(startLine) + 1 || endColumn > bytes(endLine) + 1)
      problems.push(`${where} is beside its line`);
  }
  return problems;
}

function sourceRules(module: DebugModule): string[] {
  const problems: string[] = [];
  module.records.forEach((record, i) => {
    if (record.name !== 'DebugSourceContinued') return;
    const before = module.records[i - 1];
    if (
      !before ||
      !['DebugSource', 'DebugSourceContinued'].includes(before.name) ||
      before.at !== record.at - 1
    ) {
      problems.push('DebugSourceContinued stands alone');
    }
  });
  if (module.all('DebugCompilationUnit').length !== 1) problems.push('not one compilation unit');
  const definitions = module.all('DebugFunctionDefinition');
  const functions = module.code.filter(({ op }) => op === 54).length;
  if (definitions.length !== functions)
    problems.push(`${definitions.length} definitions for ${functions} functions`);
  return problems;
}

/**
 * The module as text, without debug records and without constants and types that nothing uses then; ids are numbered in order of their
 * first occurrence. Equal for a module made with debug information and the one made without.
 */
export function stripped(words: Uint32Array): string {
  const code = decode(words);
  const sets = new Set(
    code
      .filter(({ op, words: w }) => op === 11 && string(w, 1).startsWith('NonSemantic.'))
      .map(({ words: w }) => w[0]!),
  );
  const kept = code.filter(({ op, words: w }) => {
    if (op === 10) return string(w, 0) !== 'SPV_KHR_non_semantic_info';
    if (op === 11) return !sets.has(w[0]!);
    return ![7, 8, 317].includes(op) && !(op === 12 && sets.has(w[2]!));
  });
  const binary = [...words.slice(0, 5)];
  for (const { op, words: w } of kept) binary.push((((w.length + 1) << 16) | op) >>> 0, ...w);
  const text = disassemble(Uint32Array.from(binary));
  let lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  lines = lines.map((line) => line.trim());
  for (let before = 0; before !== lines.length; ) {
    before = lines.length;
    lines = withoutDead(lines);
  }
  const numbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id)!;
  };
  return lines.join('\n').replace(/%\d+\b/g, (id) => `%${numberOf(id)}`);
}

function withoutDead(lines: string[]): string[] {
  const used = new Set<string>();
  for (const line of lines) {
    const [own, rest] = line.includes(' = ') ? (line.split(' = ') as [string, string]) : ['', line];
    for (const id of rest.match(/%\w+/g) ?? []) if (id !== own) used.add(id);
  }
  return lines.filter((line) => {
    const own = /^(%\d+) = Op(?:Constant|Type|Undef)/.exec(line)?.[1];
    return own === undefined || used.has(own);
  });
}
