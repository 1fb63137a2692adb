/** SPIR-V words as text, in the manner of spirv-dis. */
import { bitsOf, grammar, instructionsOf, readString } from './grammar.ts';

export interface DisassembleOptions {
  /** ANSI colours (`-Cc`). */
  color?: boolean;
  /** The byte offset of each instruction in front of it (`-No`). */
  offsets?: boolean;
}

/** What the first look at the module finds: how ids are shown and how wide numbers are. */
interface Facts {
  names: Map<number, string>;
  /** Numeric types by id: bits and kind. */
  types: Map<number, { kind: 'int' | 'uint' | 'float'; bits: number }>;
  /** Type of each result that has one. */
  resultTypes: Map<number, number>;
  sets: Map<number, Map<number, string>>;
}

export function disassemble(words: Uint32Array, options: DisassembleOptions = {}): string {
  if (words.length < 5 || words[0] !== 0x07230203) return '; not SPIR-V\n';
  const facts = survey(words);
  const version = words[1]!;
  const lines = [
    '; SPIR-V',
    `; Version: ${(version >> 16) & 0xff}.${(version >> 8) & 0xff}`,
    `; Generator: ${words[2]}`,
    `; Bound: ${words[3]}`,
    `; Schema: ${words[4]}`,
  ];
  for (const [at, op, operands] of instructionsOf(words)) {
    const line = instructionText(op, operands, facts, options);
    lines.push(options.offsets ? `${line} ; 0x${(at * 4).toString(16).padStart(8, '0')}` : line);
  }
  return lines.join('\n') + '\n';
}

function survey(words: Uint32Array): Facts {
  const facts: Facts = { names: new Map(), types: new Map(), resultTypes: new Map(), sets: new Map() };
  const used = new Set<string>();
  const { instructions, sets } = grammar();
  for (const [, op, operands] of instructionsOf(words)) {
    if (op === 5) {
      const base = readString(operands, 1).text.replace(/[^\w]/g, '_') || '_';
      const wanted = /^\d/.test(base) ? `_${base}` : base;
      let name = wanted;
      for (let n = 0; used.has(name); n++) name = `${wanted}_${n}`;
      used.add(name);
      facts.names.set(operands[0]!, name);
    } else if (op === 11) {
      const name = readString(operands, 1).text;
      if (name === 'GLSL.std.450') facts.sets.set(operands[0]!, sets.glsl);
      if (name.startsWith('NonSemantic.Shader.DebugInfo')) facts.sets.set(operands[0]!, sets.debug);
    } else if (op === 21)
      facts.types.set(operands[0]!, { kind: operands[2] ? 'int' : 'uint', bits: operands[1]! });
    else if (op === 22) facts.types.set(operands[0]!, { kind: 'float', bits: operands[1]! });
    if (instructions.get(op)?.operands[0] === 'T') facts.resultTypes.set(operands[1]!, operands[0]!);
  }
  return facts;
}

const colors = {
  id: '\u001b[33m',
  result: '\u001b[34m',
  number: '\u001b[31m',
  string: '\u001b[32m',
  off: '\u001b[0m',
};

/** One operand after another, by the instruction's row of the grammar. */
class OperandReader {
  readonly words: Uint32Array;
  readonly facts: Facts;
  readonly color: boolean;
  next = 0;
  result = '';
  readonly parts: string[] = [];
  constructor(words: Uint32Array, facts: Facts, color: boolean) {
    this.words = words;
    this.facts = facts;
    this.color = color;
  }
  paint(kind: keyof typeof colors, text: string): string {
    return this.color ? colors[kind] + text + colors.off : text;
  }
  get isDone(): boolean {
    return this.next >= this.words.length;
  }
  word(): number {
    return this.words[this.next++] ?? 0;
  }
  id(): string {
    return this.idText(this.word(), 'id');
  }
  idText(id: number, kind: 'id' | 'result'): string {
    return this.paint(kind, `%${this.facts.names.get(id) ?? id}`);
  }
}

function instructionText(op: number, words: Uint32Array, facts: Facts, options: DisassembleOptions): string {
  const row = grammar().instructions.get(op);
  const reader = new OperandReader(words, facts, options.color ?? false);
  if (!row) {
    const rest = [...words].map((word) => reader.paint('number', String(word)));
    return `${' '.repeat(15)}OpUnknown(${op}) ${rest.join(' ')}`.trimEnd();
  }
  for (const kind of row.operands) {
    if (kind.endsWith('*')) while (!reader.isDone) readOperand(reader, kind.slice(0, -1));
    else if (!kind.endsWith('?')) readOperand(reader, kind);
    else if (!reader.isDone) readOperand(reader, kind.slice(0, -1));
  }
  while (!reader.isDone) reader.parts.push(reader.paint('number', String(reader.word())));
  const result = reader.result ? `${reader.result} = ` : '';
  const visible = reader.result.split('\u001b[34m').join('').split(colors.off).join('');
  const indent = ' '.repeat(Math.max(0, 15 - (visible ? visible.length + 3 : 0)));
  return `${indent}${result}${[row.name, ...reader.parts].join(' ')}`;
}

function readOperand(reader: OperandReader, kind: string): void {
  const { parts } = reader;
  switch (kind) {
    case 'R':
      reader.result = reader.idText(reader.word(), 'result');
      return;
    case 'T':
    case 'I':
    case 'C':
    case 'M':
      parts.push(reader.id());
      return;
    case 'N':
      parts.push(reader.paint('number', String(reader.word())));
      return;
    case 'S': {
      const { text, next } = readString(reader.words, reader.next);
      reader.next = next;
      parts.push(reader.paint('string', `"${text.replace(/["\\]/g, (c) => '\\' + c)}"`));
      return;
    }
    case 'V':
      parts.push(reader.paint('number', typedNumber(reader, reader.words[0]!)));
      return;
    case 'X': {
      const set = reader.facts.sets.get(reader.words[2]!);
      const number = reader.word();
      parts.push(set?.get(number) ?? String(number));
      return;
    }
    case 'O': {
      const number = reader.word();
      parts.push(grammar().instructions.get(number)?.name.slice(2) ?? String(number));
      while (!reader.isDone) parts.push(reader.id());
      return;
    }
    case 'P': {
      // Labels of a switch are as wide as its selector.
      const type = reader.facts.resultTypes.get(reader.words[0]!);
      parts.push(reader.paint('number', typedNumber(reader, type ?? 0)), reader.id());
      return;
    }
    case 'Q':
      parts.push(reader.id(), reader.paint('number', String(reader.word())));
      return;
    case 'J':
      parts.push(reader.id(), reader.id());
      return;
    default:
      readEnum(reader, kind);
  }
}

function readEnum(reader: OperandReader, kind: string): void {
  const row = grammar().enums.get(kind);
  const value = reader.word();
  if (!row) {
    reader.parts.push(String(value));
    return;
  }
  const found =
    row.isBits && value !== 0
      ? bitsOf(row, value)
      : [row.values.get(value)].filter((each) => each !== undefined);
  reader.parts.push(
    found.length === 0 ? (value === 0 ? 'None' : String(value)) : found.map((each) => each.name).join('|'),
  );
  for (const { parameters } of found) for (const parameter of parameters) readOperand(reader, parameter);
}

const view = new DataView(new ArrayBuffer(8));

function typedNumber(reader: OperandReader, typeId: number): string {
  const type = reader.facts.types.get(typeId) ?? { kind: 'uint', bits: 32 };
  const low = reader.word();
  view.setUint32(4, low);
  view.setUint32(0, type.bits === 64 ? reader.word() : 0);
  if (type.kind === 'float') {
    if (type.bits === 64) return floatText(view.getFloat64(0));
    return type.bits === 32 ? floatText(view.getFloat32(4)) : floatText(halfValue(low));
  }
  if (type.bits === 64) return String(type.kind === 'int' ? view.getBigInt64(0) : view.getBigUint64(0));
  return String(type.kind === 'int' ? low | 0 : low);
}

function floatText(value: number): string {
  if (!Number.isFinite(value))
    return Number.isNaN(value) ? '0x1.8p+128' : value > 0 ? '0x1p+128' : '-0x1p+128';
  return Object.is(value, -0) ? '-0' : String(Number(value.toPrecision(9)));
}

function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const size =
    exponent === 31
      ? mantissa
        ? NaN
        : Infinity
      : exponent === 0
        ? mantissa * 2 ** -24
        : (1024 + mantissa) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}
