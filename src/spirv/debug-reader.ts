/** Reads NonSemantic.Shader.DebugInfo records, and what they refer to, out of a module of any compiler. */
import { Op } from './enums.ts';
import { grammar, instructionsOf, readString } from './grammar.ts';

export interface ReadInstruction {
  op: number;
  /** Operands, result type and result among them. */
  words: Uint32Array;
  /** Number of the instruction in the module. */
  at: number;
  type?: number;
  result?: number;
}

/** One extended instruction of the debug set. */
export interface ReadRecord {
  name: string;
  id: number;
  operands: number[];
  at: number;
}

export interface ReadBlock {
  label: number;
  instructions: ReadInstruction[];
}

export interface ReadFunction {
  id: number;
  blocks: ReadBlock[];
}

export interface DebugModule {
  /** As in the header. */
  version: number;
  code: ReadInstruction[];
  functions: ReadFunction[];
  records: ReadRecord[];
  /** Records by their id, and by the number of their instruction. */
  byId: Map<number, ReadRecord>;
  byPlace: Map<number, ReadRecord>;
  /** What has a result, by its id. */
  definitions: Map<number, ReadInstruction>;
  strings: Map<number, string>;
  /** Constants of the one kind that the records take: unsigned, 32 bits. */
  numbers: Map<number, number>;
  /** Names of the debug sets that are imported. */
  imports: string[];
  all: (name: string) => ReadRecord[];
  text: (id: number | undefined) => string;
  /** NaN for what is no such constant. */
  number: (id: number | undefined) => number;
}

/** The last two of these stand behind a terminator in no valid block. */
export const terminators: ReadonlySet<number> = new Set<number>([
  Op.Branch,
  Op.BranchConditional,
  Op.Switch,
  Op.Kill,
  Op.Return,
  Op.ReturnValue,
  Op.Unreachable,
  4416, // OpTerminateInvocation
  4448, // OpIgnoreIntersectionKHR
  4449, // OpTerminateRayKHR
  5294, // OpEmitMeshTasksEXT
]);

export function readDebug(words: Uint32Array): DebugModule {
  const code = readCode(words);
  const strings = new Map<number, string>();
  const numbers = new Map<number, number>();
  const unsigned = new Set<number>();
  const sets = new Set<number>();
  const imports: string[] = [];
  const records: ReadRecord[] = [];
  const names = grammar().sets.debug;
  for (const { op, words: w, at } of code) {
    if (op === Op.String) strings.set(w[0]!, readString(w, 1).text);
    else if (op === Op.ExtInstImport) {
      const { text } = readString(w, 1);
      if (!text.startsWith('NonSemantic.Shader.DebugInfo')) continue;
      imports.push(text);
      sets.add(w[0]!);
    } else if (op === Op.TypeInt && w[1] === 32 && w[2] === 0) unsigned.add(w[0]!);
    else if (op === Op.Constant && unsigned.has(w[0]!)) numbers.set(w[1]!, w[2]!);
    else if (op === Op.ExtInst && sets.has(w[2]!)) {
      const name = names.get(w[3]!) ?? `record ${w[3]}`;
      records.push({ name, id: w[1]!, operands: [...w.subarray(4)], at });
    }
  }
  const definitions = new Map<number, ReadInstruction>();
  for (const each of code) if (each.result !== undefined) definitions.set(each.result, each);
  return {
    version: words[1] ?? 0,
    code,
    functions: readFunctions(code),
    records,
    byId: new Map(records.map((record) => [record.id, record])),
    byPlace: new Map(records.map((record) => [record.at, record])),
    definitions,
    strings,
    numbers,
    imports,
    all: (name) => records.filter((record) => record.name === name),
    text: (id) => strings.get(id!) ?? '',
    number: (id) => numbers.get(id!) ?? Number.NaN,
  };
}

function readCode(words: Uint32Array): ReadInstruction[] {
  const code: ReadInstruction[] = [];
  const { instructions } = grammar();
  for (const [, op, operands] of instructionsOf(words)) {
    const kinds = instructions.get(op)?.operands ?? [];
    const each: ReadInstruction = { op, words: operands, at: code.length };
    if (kinds[0] === 'T') {
      each.type = operands[0]!;
      each.result = operands[1]!;
    } else if (kinds[0] === 'R') each.result = operands[0]!;
    code.push(each);
  }
  return code;
}

function readFunctions(code: readonly ReadInstruction[]): ReadFunction[] {
  const functions: ReadFunction[] = [];
  let current: ReadFunction | undefined;
  let block: ReadBlock | undefined;
  for (const each of code) {
    if (each.op === Op.Function) {
      current = { id: each.words[1]!, blocks: [] };
      functions.push(current);
      block = undefined;
    } else if (each.op === Op.FunctionEnd) current = undefined;
    else if (each.op === Op.Label && current) {
      block = { label: each.words[0]!, instructions: [] };
      current.blocks.push(block);
    } else if (current && block) block.instructions.push(each);
  }
  return functions;
}

/** The texts of the sources that have one, line by line as validators count them: no line after a last line feed. */
export function sourceLines(module: DebugModule): Map<number, string[]> {
  const texts = new Map<number, string[]>();
  let current: string[] = [];
  for (const { name, id, operands } of module.records) {
    if (name === 'DebugSource' && operands[1] !== undefined) {
      current = [module.text(operands[1])];
      texts.set(id, current);
    } else if (name === 'DebugSource') current = [];
    else if (name === 'DebugSourceContinued') current.push(module.text(operands[0]));
  }
  const lines = new Map<number, string[]>();
  for (const [id, pieces] of texts) {
    const list = pieces.join('').split('\n');
    if (list.at(-1) === '' && list.length > 1) list.pop();
    lines.set(id, list);
  }
  return lines;
}

/** The scopes from one outwards, ending with the compilation unit. */
export function scopeChain(module: DebugModule, scope: number): ReadRecord[] {
  const chain: ReadRecord[] = [];
  for (let record = module.byId.get(scope); record && chain.length < 1000; ) {
    chain.push(record);
    const parent = parentOperand[record.name];
    record = parent === undefined ? undefined : module.byId.get(record.operands[parent]!);
  }
  return chain;
}

const parentOperand: Record<string, number> = {
  DebugFunction: 5,
  DebugLexicalBlock: 3,
  DebugLexicalBlockDiscriminator: 2,
  DebugTypeComposite: 5,
};

/** The DebugFunction that a scope lies in. */
export function functionOfScope(module: DebugModule, scope: number): ReadRecord | undefined {
  return scopeChain(module, scope).find(({ name }) => name === 'DebugFunction');
}
