/** Operands and constants in the IR's text form. */
import {
  boolType,
  elementOf,
  floatType,
  intType,
  scalarBits,
  scalarClass,
  type Type,
  uintType,
} from '../types/type.ts';
import { partType } from './builder.ts';
import type { Constant, Global, Instruction, ScalarValue } from './ir.ts';
import type { ReadState } from './parse-state.ts';
import { readType } from './parse-types.ts';
import { typeFromWord } from './text-types.ts';

export function startsOperand(s: ReadState): boolean {
  const { kind, text } = s.tokens.token;
  if (kind === 'word') {
    if (text === 'undef' || text === 'true' || text === 'false' || text === 'nan' || text === 'inf')
      return true;
    // A struct may be named as an opcode, with which the next instruction might start.
    const next = s.tokens.peek(1).text;
    return (next === '(' || next === '[') && (s.types.has(text) || typeFromWord(text) !== undefined);
  }
  // `%a:` begins the next instruction.
  if (kind === 'value') return s.tokens.peek(1).text !== ':';
  return kind === 'global' || kind === 'number' || kind === 'string';
}

export function readOperand(s: ReadState, instruction: Instruction): void {
  const token = s.tokens.token;
  if (token.kind === 'value') {
    s.tokens.take();
    const value = s.values.get(token.text);
    const operand = instruction.operands.length;
    if (!value) s.pending.push({ instruction, operand, name: token.text, at: token.at });
    instruction.operands.push(value ?? s.builder.undef({ kind: 'void' }));
  } else if (token.kind === 'global') instruction.operands.push(globalNamed(s));
  else if (s.tokens.accept('undef')) instruction.operands.push(s.builder.undef(readType(s)));
  else instruction.operands.push(readConstant(s));
}

export function globalNamed(s: ReadState): Global {
  const token = s.tokens.kind('global');
  return s.globals.get(token.text) ?? s.tokens.fail(`unknown global '@${token.text}'`, token);
}

export function readConstant(s: ReadState): Constant {
  const token = s.tokens.token;
  if (token.kind === 'number') {
    if (token.text.endsWith('u')) return readScalar(s, uintType);
    return readScalar(s, /[.e]|inf/.test(token.text) ? floatType : intType);
  }
  if (s.tokens.is('true') || s.tokens.is('false')) return readScalar(s, boolType);
  if (s.tokens.is('nan') || s.tokens.is('inf')) return readScalar(s, floatType);
  const type = readType(s);
  s.tokens.expect('(');
  if (type.kind === 'scalar' || type.kind === 'enum') {
    const constant = readScalar(s, type);
    s.tokens.expect(')');
    return constant;
  }
  return readAggregate(s, type);
}

/** The parts of a constant and the closing parenthesis. */
function readAggregate(s: ReadState, type: Type): Constant {
  const parts: Constant[] = [];
  s.tokens.list(')', () => {
    const part = partType(type, [parts.length]);
    if (part.kind === 'scalar' || part.kind === 'enum') parts.push(readScalar(s, part));
    else {
      s.tokens.expect('(');
      parts.push(readAggregate(s, part));
    }
  });
  return s.builder.constant(type, parts);
}

function readScalar(s: ReadState, type: Type): Constant {
  const token = s.tokens.take();
  const value = scalarValue(token.text.replace(/u$/, ''), type);
  if (value === undefined)
    s.tokens.fail(`'${token.text}' is no ${type.kind === 'scalar' ? type.name : type.kind}`, token);
  return s.builder.constant(type, value);
}

function scalarValue(text: string, type: Type): ScalarValue | undefined {
  const element = elementOf(type);
  if (!element) return undefined;
  if (element.name === 'bool') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (scalarClass(element) !== 'float') {
    if (!/^-?\d+$/.test(text)) return undefined;
    return scalarBits(element, false) === 64 ? BigInt(text) : Number(text);
  }
  if (/^-?inf$/.test(text)) return text === 'inf' ? Infinity : -Infinity;
  const value = text === 'nan' ? NaN : Number(text);
  if (text !== 'nan' && Number.isNaN(value)) return undefined;
  return element.name === 'double' ? value : Math.fround(value);
}
