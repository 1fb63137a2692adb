/** Instructions that only compute: arithmetic, conversions, parts of values. */
import { partOf } from '../ir/builder.ts';
import type { Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  type MatrixType,
  type PointerType,
  type ScalarType,
  scalarClass,
  type Type,
  rowType,
} from '../types/type.ts';
import { atom, binding, bound, declare, line, localName, named, operand, text, texts } from './code.ts';
import type { Expression, FunctionContext } from './context.ts';
import { bare } from './marks.ts';
import { pathText } from './places.ts';
import { checkIndex, guardedLines, guardedValue, partCount } from './robust.ts';
import {
  bits,
  componentNames,
  constructText,
  isMetalMatrix,
  partText,
  scalarText,
  typeText,
} from './types.ts';

interface Operator {
  sign: string;
  level: number;
}
const operators: Readonly<Record<string, Operator>> = {
  add: { sign: '+', level: binding.add },
  sub: { sign: '-', level: binding.add },
  mul: { sign: '*', level: binding.mul },
  div: { sign: '/', level: binding.mul },
  rem: { sign: '%', level: binding.mul },
  and: { sign: '&', level: binding.and },
  or: { sign: '|', level: binding.or },
  xor: { sign: '^', level: binding.xor },
  shl: { sign: '<<', level: binding.shift },
  shr: { sign: '>>', level: binding.shift },
  logical_and: { sign: '&&', level: binding.logicalAnd },
  logical_or: { sign: '||', level: binding.logicalOr },
  equal: { sign: '==', level: binding.equal },
  not_equal: { sign: '!=', level: binding.equal },
  less: { sign: '<', level: binding.compare },
  less_equal: { sign: '<=', level: binding.compare },
  greater: { sign: '>', level: binding.compare },
  greater_equal: { sign: '>=', level: binding.compare },
};
/** Their operands are easily misread without parentheses. */
const unclear = new Set(['&', '|', '^', '<<', '>>', '%', '&&', '||']);

/** The expression of an instruction; undefined if it is none of these. */
export function expressionOf(f: FunctionContext, instruction: Instruction): Expression | undefined {
  const { op, operands } = instruction;
  const type = instruction.results[0]?.type as Type;
  if (op in operators) return binaryOf(f, op, operands[0]!, operands[1]!, type);
  switch (op) {
    case 'neg':
    case 'not':
    case 'logical_not':
      return unaryOf(f, op, operands[0]!, type);
    case 'select':
      return selectOf(f, instruction, type);
    case 'convert':
      return convertOf(f, operands[0]!, type);
    case 'bitcast':
      return bitcastOf(f, operands[0]!, type);
    case 'construct':
      return constructOf(f, instruction, type);
    case 'splat':
      return splatOf(f, operands[0]!, type);
    case 'extract':
      return extractOf(f, instruction);
    case 'swizzle':
      return swizzleOf(f, instruction);
    case 'extract_dynamic':
      return componentOf(f, operands[0]!, operands[1]!, type);
    case 'insert':
    case 'insert_dynamic':
      return insertOf(f, instruction, type);
    default:
      return undefined;
  }
}

/** A component of a vector, of a value or of memory. */
function isComponent(value: Value): boolean {
  if (value.kind !== 'result') return false;
  const { op, operands, indices } = value.instruction;
  const [of] = operands;
  if (op === 'load') return of!.kind === 'result' && isComponentPlace(of!.instruction);
  if (op !== 'extract' || !indices) return false;
  let type = of!.type;
  for (const index of indices.slice(0, -1)) type = partOf(type, index);
  return type.kind === 'vector';
}

function isComponentPlace({ op, operands }: Instruction): boolean {
  if (op !== 'access') return false;
  const [base, ...indices] = operands as [Value, ...Value[]];
  let type = (base.type as PointerType).pointee;
  for (const index of indices.slice(0, -1))
    type = partOf(type, index.kind === 'constant' ? Number(index.value) : 0);
  return type.kind === 'vector';
}

const isMatrix = (type: Type): type is MatrixType => type.kind === 'matrix';

/** A matrix made row by row. */
function byRows(
  f: FunctionContext,
  operands: readonly Value[],
  type: MatrixType,
  row: (parts: Expression[]) => Expression,
): Expression {
  const names = operands.map((value) => (isMatrix(value.type) ? named(f, value) : text(f, value)));
  const rows = Array.from({ length: type.rows }, (_, r) =>
    row(
      operands.map((value, i) =>
        atom(isMatrix(value.type) ? partText(f, value.type, names[i]!, r) : names[i]!),
      ),
    ),
  );
  return atom(
    constructText(
      f,
      type,
      rows.map((one) => one.text),
    ),
  );
}

function binaryOf(f: FunctionContext, op: string, a: Value, b: Value, type: Type): Expression {
  if (isMatrix(a.type) && isMatrix(type)) {
    const row = rowType(a.type);
    const whole = isMetalMatrix(a.type) && (op === 'add' || op === 'sub');
    if (!whole) return byRows(f, [a, b], type, ([x, y]) => joined(f, op, x!, y!, row, rowType(type)));
  }
  const taken = op === 'add' ? takenAway(b) : undefined;
  if (taken !== undefined) return plainBinary('-', binding.add, operand(f, a), atom(taken));
  const [left, right] = [operand(f, a), operand(f, b)];
  const isShort = op === 'logical_and' || op === 'logical_or';
  return joined(f, op, left, isShort ? always(f, right, b.type) : right, a.type, type, b);
}

/** The optimizer adds small negative numbers, which reads better as it was written. */
function takenAway(value: Value): string | undefined {
  if (value.kind !== 'constant' || value.type.kind !== 'scalar' || typeof value.value !== 'number')
    return undefined;
  if (value.type.name === 'uint') return value.value >= 2 ** 32 - 4 ? `${2 ** 32 - value.value}u` : undefined;
  return value.type.name === 'int' && value.value < 0 && value.value >= -4 ? String(-value.value) : undefined;
}

function joined(
  f: FunctionContext,
  op: string,
  a: Expression,
  b: Expression,
  from: Type,
  type: Type,
  second?: Value,
): Expression {
  const { sign, level } = operators[op]!;
  const element = elementOf(from)!;
  const kind = scalarClass(element);
  const width = bits(f, element);
  if (op === 'rem' && kind === 'float') return atom(`metal::fmod(${a.text}, ${b.text})`);
  if (op === 'xor' && kind === 'bool') return plainBinary('!=', binding.equal, a, b);
  if (op === 'shl' || op === 'shr') return shifted(f, sign, a, b, from, type, second);
  const wraps = kind === 'int' && (op === 'add' || op === 'sub' || op === 'mul') && !isSmall(op, second);
  if (wraps && width >= 32) {
    // Overflow is undefined for signed numbers in Metal, and wraps in HLSL.
    const own = typeText(f, type);
    const unsigned = own.replace(/(int|long)/, 'u$1');
    return atom(`${own}(${unsigned}(${a.text}) ${sign} ${unsigned}(${b.text}))`);
  }
  const made = plainBinary(sign, level, ...besideVector(sign, a, b));
  const isScalar = type.kind === 'scalar' || (type.kind === 'vector' && type.count === 1);
  if (
    width === 16 &&
    isScalar &&
    kind !== 'float' &&
    level > binding.equal - 3 &&
    level !== binding.compare &&
    level !== binding.equal
  )
    return atom(`${scalarText(f, element)}(${made.text})`);
  return made;
}

/** Steps of a counter do not overflow in practice, and read better as they are. */
function isSmall(op: string, value: Value | undefined): boolean {
  return (
    op !== 'mul' &&
    value?.kind === 'constant' &&
    typeof value.value === 'number' &&
    Math.abs(value.value) <= 4
  );
}

function plainBinary(sign: string, level: number, a: Expression, b: Expression): Expression {
  const least = unclear.has(sign) ? binding.unary : level;
  return {
    text: `${bound(a, least)} ${sign} ${bound(b, least === level ? level + 1 : least)}`,
    binding: level,
    fixed: false,
    operation:
      level > binding.compare || bitwise.has(sign) ? { left: bare(a.text), sign, right: b.text } : undefined,
  };
}

const bitwise = new Set(['&', '|', '^']);

/** Metal's arithmetic takes a scalar beside a vector. */
function besideVector(sign: string, a: Expression, b: Expression): [Expression, Expression] {
  if (!a.scalar === !b.scalar || !/^[-+*/]$/.test(sign)) return [a, b];
  return [a.scalar ?? a, b.scalar ?? b];
}

/** The count is taken modulo the width. */
function shifted(
  f: FunctionContext,
  sign: string,
  a: Expression,
  b: Expression,
  from: Type,
  type: Type,
  second?: Value,
): Expression {
  const element = elementOf(from)!;
  const width = bits(f, element);
  const constant =
    second?.kind === 'constant' &&
    typeof second.value === 'number' &&
    second.value >= 0 &&
    second.value < width;
  const mask = `${width - 1}${scalarClass(element) === 'uint' ? 'u' : ''}`;
  const count = constant ? b.text : `(${bound(b, binding.unary)} & ${maskText(f, type, mask)})`;
  const made: Expression = {
    text: `${bound(a, binding.unary)} ${sign} ${count}`,
    binding: binding.shift,
    fixed: false,
  };
  return width === 16 && type.kind === 'scalar' ? atom(`${scalarText(f, element)}(${made.text})`) : made;
}

function maskText(f: FunctionContext, type: Type, mask: string): string {
  return type.kind === 'vector' && type.count > 1 ? `${typeText(f, type)}(${mask})` : mask;
}

function unaryOf(f: FunctionContext, op: string, value: Value, type: Type): Expression {
  const sign = { neg: '-', not: '~', logical_not: '!' }[op]!;
  if (isMatrix(value.type) && isMatrix(type) && !(isMetalMatrix(value.type) && op === 'neg'))
    return byRows(f, [value], type, ([x]) => atom(`${sign}${x!.text}`));
  const made: Expression = {
    text: `${sign}${bound(operand(f, value), binding.unary + 1)}`,
    binding: binding.unary,
    fixed: false,
  };
  const element = elementOf(type)!;
  const narrow = bits(f, element) === 16 && scalarClass(element) !== 'float' && type.kind === 'scalar';
  return narrow ? atom(`${scalarText(f, element)}(${made.text})`) : made;
}

function selectOf(f: FunctionContext, { operands }: Instruction, type: Type): Expression {
  const [condition, yes, no] = operands as [Value, Value, Value];
  if (isMatrix(condition.type) && isMatrix(type)) {
    const row = rowType(type);
    return byRows(f, operands, type, ([c, y, n]) => atom(selected(f, c!, y!, n!, row)));
  }
  const [given, y, n] = [operand(f, condition), operand(f, yes), operand(f, no)];
  if (condition.type.kind === 'vector' && condition.type.count > 1 && !given.scalar)
    return atom(selected(f, given, y, n, type));
  const c = given.scalar ?? given;
  const [yesText, noText] = [always(f, y, type), always(f, n, type)];
  return {
    text: `${bound(c, binding.logicalOr)} ? ${bound(yesText, binding.choice + 1)} : ${bound(noText, binding.choice + 1)}`,
    binding: binding.choice,
    fixed: false,
  };
}

/** What all lanes have to evaluate together does not stand where some may not get to. */
function always(f: FunctionContext, made: Expression, type: Type): Expression {
  return made.fixed && bare(made.text).includes('(')
    ? atom(declare(f, typeText(f, type), made.text, 'value'))
    : made;
}

function selected(
  f: FunctionContext,
  condition: Expression,
  yes: Expression,
  no: Expression,
  type: Type,
): string {
  const element = elementOf(type)!;
  if (type.kind === 'vector' && type.count === 1) return `(${condition.text} ? ${yes.text} : ${no.text})`;
  if (scalarClass(element) === 'bool') {
    const wide = typeText(f, type).replace('bool', 'uint');
    return `${typeText(f, type)}(metal::select(${wide}(${no.text}), ${wide}(${yes.text}), ${condition.text}))`;
  }
  return `metal::select(${no.text}, ${yes.text}, ${condition.text})`;
}

function convertOf(f: FunctionContext, value: Value, type: Type): Expression {
  if (isMatrix(type)) {
    const row = rowType(type);
    return byRows(f, [value], type, ([x]) => atom(`${typeText(f, row)}(${x!.text})`));
  }
  return atom(`${typeText(f, type)}(${text(f, value)})`);
}

function bitcastOf(f: FunctionContext, value: Value, type: Type): Expression {
  const isInteger = (of: Type) => ['int', 'uint'].includes(scalarClass(elementOf(of)!));
  const cast = (from: Type, to: Type, what: string) => {
    const same = bits(f, elementOf(from)!) === bits(f, elementOf(to)!);
    const name = typeText(f, to);
    return same && isInteger(from) && isInteger(to) ? `${name}(${what})` : `metal::as_type<${name}>(${what})`;
  };
  if (isMatrix(type) && isMatrix(value.type)) {
    const [from, to] = [rowType(value.type), rowType(type)];
    return byRows(f, [value], type, ([x]) => atom(cast(from, to, x!.text)));
  }
  return atom(cast(value.type, type, text(f, value)));
}

function splatOf(f: FunctionContext, value: Value, type: Type): Expression {
  if (isMatrix(type)) {
    const one = named(f, value);
    const row = `${typeText(f, rowType(type))}(${one})`;
    return atom(constructText(f, type, Array<string>(type.rows).fill(row)));
  }
  if (type.kind === 'vector' && type.count === 1) return operand(f, value);
  const scalar = operand(f, value);
  return { ...atom(`${typeText(f, type)}(${scalar.text})`), scalar };
}

function constructOf(f: FunctionContext, instruction: Instruction, type: Type): Expression {
  const operands = f.wholes.get(instruction) ?? instruction.operands;
  if (operands.length === 1 && operands[0]!.type === type) return operand(f, operands[0]!);
  return atom(constructText(f, type, texts(f, operands), operands.map(isComponent)));
}

function extractOf(f: FunctionContext, instruction: Instruction): Expression {
  const [of] = instruction.operands as [Value];
  let { type } = of;
  // Rows are taken of a matrix with a name.
  let made = isMatrix(type) ? named(f, of) : bound(operand(f, of), binding.atom);
  for (const index of instruction.indices ?? []) {
    made = partText(f, type, made, index);
    type = partOf(type, index);
  }
  return atom(made);
}

function swizzleOf(f: FunctionContext, instruction: Instruction): Expression {
  const of = instruction.operands[0]!;
  const indices = instruction.indices ?? [];
  const made = operand(f, of);
  if (of.type.kind !== 'vector' || of.type.count === 1) {
    if (indices.length === 1) return made;
    return atom(`${typeText(f, instruction.results[0]!.type)}(${made.text})`);
  }
  return atom(`${bound(made, binding.atom)}.${indices.map((index) => componentNames[index]).join('')}`);
}

/** A component by an index that is not known before. */
function componentOf(f: FunctionContext, of: Value, index: Value, type: Type): Expression {
  const vector = bound(operand(f, of), binding.atom);
  if (!f.options.metal.robust) return atom(`${vector}[${text(f, index)}]`);
  const { path, guard } = checkIndex(f, index, partCount(of.type)!);
  return guardedValue(f, guard === undefined ? undefined : [guard], `${vector}[${pathText(path)}]`, type);
}

/** A changed copy. */
function insertOf(f: FunctionContext, instruction: Instruction, type: Type): Expression {
  const [of, part, dynamic] = instruction.operands as [Value, Value, Value?];
  const [aggregate, value] = [text(f, of), text(f, part)];
  const checked = dynamic && f.options.metal.robust ? checkIndex(f, dynamic, partCount(type)!) : undefined;
  const index = checked ? pathText(checked.path) : dynamic && text(f, dynamic);
  const result = instruction.results[0]!;
  const name = localName(f, result);
  line(f, `${typeText(f, type)} ${name} = ${aggregate};`, name);
  let target = name;
  let at = type;
  for (const one of instruction.indices ?? []) {
    target = partText(f, at, target, one);
    at = partOf(at, one);
  }
  if (index !== undefined) target = partText(f, type, target, index);
  guardedLines(f, checked?.guard === undefined ? undefined : [checked.guard], [`${target} = ${value};`]);
  f.values.set(result, atom(name));
  return atom(name);
}

/** An int, uint or float type's name for a scalar. */
export function scalarOf(type: Type): ScalarType {
  const element = elementOf(type);
  if (!element) throw new InternalError('a number is wanted');
  return element;
}
export { declare };
