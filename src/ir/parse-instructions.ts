/** Instructions and blocks in the IR's text form. */
import { newInstruction, newResult } from './instruction.ts';
import type { PositionId, Scope } from '../source/position.ts';
import type { Location } from '../source/source-map.ts';
import type { Type } from '../types/type.ts';
import type { Block, Instruction, Function as IrFunction, Parameter } from './ir.ts';
import { type Opcode, opcodes } from './opcodes.ts';
import { type ReadState, readRange } from './parse-state.ts';
import { scopeNamed } from './parse-tables.ts';
import { readType } from './parse-types.ts';
import { readOperand, startsOperand } from './parse-values.ts';
import type { IrToken } from './text-tokens.ts';

const ownFile = 'text.ir';

export function functionNamed(s: ReadState, label: string): IrFunction {
  let fn = s.functions.get(label);
  if (!fn) {
    const scope: Scope = { kind: 'function', parent: s.module.unit, location: 0, name: label };
    const body: Block = { parameters: [], instructions: [] };
    fn = {
      kind: 'function',
      name: label,
      parameters: [],
      returnType: { kind: 'void' },
      body,
      scope,
      attributes: [],
    };
    s.functions.set(label, fn);
  }
  return fn;
}

export function readParameter(s: ReadState): Parameter {
  const name = s.tokens.kind('value').text;
  s.tokens.expect(':');
  const parameter: Parameter = { kind: 'parameter', type: readType(s), name: sourceName(name) ?? '' };
  s.values.set(name, parameter);
  return parameter;
}

/** Up to and with the closing brace. */
export function readInstructions(s: ReadState, block: Block): void {
  while (!s.tokens.accept('}')) block.instructions.push(readInstruction(s));
}

function readInstruction(s: ReadState): Instruction {
  const start = s.tokens.token;
  const names: { name: string; type: Type }[] = [];
  if (s.tokens.token.kind === 'value') {
    do {
      const name = s.tokens.kind('value').text;
      s.tokens.expect(':');
      names.push({ name, type: readType(s) });
    } while (s.tokens.accept(','));
    s.tokens.expect('=');
  }
  const precise = s.tokens.accept('precise');
  const coherent = s.tokens.accept('coherent');
  const op = s.tokens.word('opcode', Object.keys(opcodes) as Opcode[]);
  const instruction = newInstruction(op, [], 0, []);
  instruction.results = [];
  if (precise) instruction.precise = true;
  if (coherent) instruction.coherent = true;
  readRest(s, instruction, start);
  for (const { name, type } of names) {
    const result = newResult(type, instruction, sourceName(name));
    s.values.set(name, result);
    instruction.results.push(result);
  }
  return instruction;
}

function readRest(s: ReadState, instruction: Instruction, start: IrToken): void {
  switch (instruction.op) {
    case 'if':
      readIf(s, instruction, start);
      return;
    case 'loop':
      readLoop(s, instruction, start);
      return;
    case 'switch':
      readSwitch(s, instruction, start);
      return;
    case 'repeat_if':
      readOperand(s, instruction);
      instruction.repeatCount = 0;
      if (s.tokens.is('(')) {
        readParenthesized(s, instruction);
        instruction.repeatCount = instruction.operands.length - 1;
        readParenthesized(s, instruction);
      }
      break;
    default:
      readPlain(s, instruction);
  }
  instruction.position = readPosition(s, start);
}

function readPlain(s: ReadState, instruction: Instruction): void {
  if (instruction.op === 'call') instruction.callee = functionNamed(s, s.tokens.name());
  if (instruction.op === 'intrinsic') instruction.intrinsic = s.tokens.kind('string').text;
  if (s.tokens.accept('text')) instruction.text = s.tokens.kind('string').text;
  if (instruction.op === 'debug_declare' || instruction.op === 'debug_value') {
    const token = s.tokens.kind('variable');
    instruction.variable =
      s.variables.get(token.text) ?? s.tokens.fail(`unknown variable '$${token.text}'`, token);
  }
  if (startsOperand(s)) {
    do readOperand(s, instruction);
    while (s.tokens.accept(','));
  }
  if (s.tokens.accept('[')) {
    const indices: number[] = [];
    s.tokens.list(']', () => indices.push(s.tokens.number()));
    instruction.indices = indices;
  } else if (instruction.op === 'debug_value') instruction.indices = [];
}

function readParenthesized(s: ReadState, instruction: Instruction): void {
  s.tokens.expect('(');
  s.tokens.list(')', () => readOperand(s, instruction));
}

function readHint(s: ReadState, instruction: Instruction): void {
  if (!s.tokens.accept('hint')) return;
  const kinds = ['branch', 'flatten', 'loop', 'unroll', 'call', 'forcecase', 'allow_uav_condition'] as const;
  const kind = s.tokens.word('hint', kinds);
  instruction.hint = s.tokens.token.kind === 'number' ? { kind, count: s.tokens.number() } : { kind };
}

function emptyBlock(): Block {
  return { parameters: [], instructions: [] };
}

function readIf(s: ReadState, instruction: Instruction, start: IrToken): void {
  readOperand(s, instruction);
  readHint(s, instruction);
  const [then, otherwise] = [emptyBlock(), emptyBlock()];
  instruction.blocks = [then, otherwise];
  s.tokens.expect('{');
  instruction.position = readPosition(s, start);
  readInstructions(s, then);
  s.tokens.expect('else');
  s.tokens.expect('{');
  readInstructions(s, otherwise);
}

function readLoop(s: ReadState, instruction: Instruction, start: IrToken): void {
  const [body, continuing] = [emptyBlock(), emptyBlock()];
  instruction.blocks = [body, continuing];
  if (s.tokens.accept('(')) {
    s.tokens.list(')', () => {
      body.parameters.push(readParameter(s));
      if (s.tokens.accept('=')) readOperand(s, instruction);
    });
  }
  readHint(s, instruction);
  s.tokens.expect('{');
  instruction.position = readPosition(s, start);
  readInstructions(s, body);
  s.tokens.expect('continuing');
  if (s.tokens.accept('(')) s.tokens.list(')', () => continuing.parameters.push(readParameter(s)));
  s.tokens.expect('{');
  readInstructions(s, continuing);
}

function readSwitch(s: ReadState, instruction: Instruction, start: IrToken): void {
  readOperand(s, instruction);
  readHint(s, instruction);
  s.tokens.expect('{');
  instruction.position = readPosition(s, start);
  const cases: (number | 'default')[][] = [];
  while (!s.tokens.accept('}')) {
    s.tokens.expect('case');
    const labels: (number | 'default')[] = [];
    s.tokens.list('{', () => labels.push(s.tokens.accept('default') ? 'default' : s.tokens.number()));
    cases.push(labels);
    const block = emptyBlock();
    instruction.blocks.push(block);
    readInstructions(s, block);
  }
  instruction.cases = cases;
}

function readPosition(s: ReadState, start: IrToken): PositionId {
  if (s.tokens.token.kind !== 'position') return ownPosition(s, start);
  s.tokens.take();
  if (s.tokens.accept('0')) return 0;
  const places: { at: Location; end: Location; scope: Scope }[] = [];
  do {
    const { at, end } = readRange(s);
    places.push({ at, end, scope: s.tokens.accept('in') ? scopeNamed(s) : s.function!.scope });
  } while (s.tokens.accept(',') && s.tokens.accept('from'));
  let id = 0;
  for (const { at, end, scope } of places.reverse()) id = s.positions.intern(at, end, scope, id);
  return id;
}

/** Where the instruction stands in the text itself. */
function ownPosition(s: ReadState, start: IrToken): PositionId {
  let file = s.map.files.find((candidate) => candidate.text === s.tokens.text);
  if (!file) {
    const taken = s.files.has(ownFile);
    file = s.map.add(taken ? `${ownFile}.2` : ownFile, s.tokens.text, 0);
  }
  const end = s.tokens.last;
  const at = file.start + start.at;
  return s.positions.intern(at, Math.max(at, file.start + end.at + end.text.length), s.function!.scope);
}

/** Numbers are made up by the printer. */
function sourceName(name: string): string | undefined {
  return /^\d+$/.test(name) ? undefined : name;
}
