import { foldInstruction, foldOperation } from '../intrinsics/fold-operation.ts';
import type { Builder } from '../ir/builder.ts';
import { numberOf, sameValue, uniformScalar } from '../ir/constants.ts';
import type { Constant, Instruction, Module, ScalarValue, Value } from '../ir/ir.ts';
import { type Opcode, opcodes } from '../ir/opcodes.ts';
import { rewriteModule } from '../ir/rewrite.ts';
import { boolType, elementOf, type ScalarType, scalarBits, scalarClass, type Type } from '../types/type.ts';

/**
 * Algebra on numbers and bools that holds exactly, for NaN, infinities and signed zeros too: nothing is reassociated but
 * integers.
 *
 *     %a: float = mul %x, 1.0
 *     %b: float = neg %a
 *     %c: float = add %y, %b            %c: float = sub %y, %x
 *
 * Positions: what replaces an instruction takes its position.
 */
export function simplify(module: Module): boolean {
  let swapped = false;
  const rewritten = rewriteModule(module, (instruction, builder) => {
    if (!rules[instruction.op] || instruction.results.length !== 1) return undefined;
    if (constantsLast(instruction)) swapped = true;
    const value = simplified(instruction, builder);
    return value && [value];
  });
  return rewritten || swapped;
}

/** So that rules look for constants on the right side only. Says whether they had to move. */
function constantsLast(instruction: Instruction): boolean {
  const [a, b] = instruction.operands;
  if (a?.kind !== 'constant' || b?.kind === 'constant') return false;
  const swapped = mirrored[instruction.op];
  if (!swapped) return false;
  instruction.op = swapped;
  instruction.operands.reverse();
  return true;
}

const mirrored: Partial<Record<Opcode, Opcode>> = {
  less: 'greater',
  less_equal: 'greater_equal',
  greater: 'less',
  greater_equal: 'less_equal',
};
for (const [op, row] of Object.entries(opcodes)) if ('commutes' in row) mirrored[op as Opcode] = op as Opcode;

/** Applies rules until none fits; what a rule makes is looked at again. */
function simplified(instruction: Instruction, builder: Builder): Value | undefined {
  const made = builder.block.instructions;
  let current = instruction;
  let value: Value | undefined;
  for (;;) {
    const before = made.length;
    const next = applyRules(current, builder);
    if (!next) {
      if (current !== instruction) made.push(current);
      return value;
    }
    value = next;
    const last = made[made.length - 1];
    if (made.length === before || value.kind !== 'result' || value.instruction !== last) return value;
    made.pop();
    current = last;
    constantsLast(current);
  }
}

/** What rules look at. Constants stand on the right side of commutative operations and comparisons. */
interface Site {
  builder: Builder;
  instruction: Instruction;
  a: Value;
  b: Value;
  type: Type;
  /** Of `a`. */
  element: ScalarType;
  isFloat: boolean;
  bits: 16 | 32 | 64;
  /** The scalar in all components of `b`. */
  k: ScalarValue | undefined;
}

type Rule = (site: Site) => Value | undefined;

function applyRules(instruction: Instruction, builder: Builder): Value | undefined {
  const rule = rules[instruction.op];
  const [a, b] = instruction.operands;
  const element = a && elementOf(a.type);
  if (!rule || !a || !element) return undefined;
  const { type } = instruction.results[0]!;
  const folded = foldInstruction(instruction, builder);
  if (folded) return folded;
  return rule({
    builder,
    instruction,
    a,
    b: b ?? a,
    type,
    element,
    isFloat: scalarClass(element) === 'float',
    bits: scalarBits(element, builder.module.enable16BitTypes),
    k: uniformScalar(b),
  });
}

// ---- what values are made of

function operandsOf(value: Value, op: Opcode): Value[] | undefined {
  return value.kind === 'result' && value.instruction.op === op ? value.instruction.operands : undefined;
}
function isConstant(value: Value | undefined): value is Constant {
  return value?.kind === 'constant';
}
const isZero = (k: ScalarValue | undefined): boolean => k === 0n || Object.is(k, 0);
const isOne = (k: ScalarValue | undefined): boolean => k === 1 || k === 1n;
const isMinusOne = (k: ScalarValue | undefined): boolean => k === -1 || k === -1n;
const isAllOnes = (k: ScalarValue | undefined, { element, bits }: Site): boolean =>
  isMinusOne(k) ||
  (scalarClass(element) === 'uint' && (bits === 64 ? k === 2n ** 64n - 1n : k === 2 ** bits - 1));

/** n for 2 to the power of n. */
function powerOf(k: ScalarValue | undefined): number | undefined {
  if (typeof k !== 'number' && typeof k !== 'bigint') return undefined;
  if (k < 1 || (typeof k === 'number' && !Number.isInteger(k))) return undefined;
  const digits = k.toString(2);
  return /^10*$/.test(digits) ? digits.length - 1 : undefined;
}

function fold(builder: Builder, op: Opcode, type: Type, ...operands: Value[]): Constant | undefined {
  const value = foldOperation(builder, { op, operands, type });
  return isConstant(value) ? value : undefined;
}

/** `(x op c) op d` for operations that associate. */
function joined(op: 'add' | 'mul' | 'and' | 'or' | 'xor', { a, b, type, builder }: Site): Value | undefined {
  const [x, c] = operandsOf(a, op) ?? [];
  if (!x || !isConstant(c) || !isConstant(b)) return undefined;
  const both = fold(builder, op, type, c, b);
  return both && builder.binary(op, x, both);
}

const zero = ({ builder, type }: Site): Value => numberOf(builder, type, 0);

// ---- arithmetic

const add: Rule = (site) => {
  const { a, b, k, builder, isFloat } = site;
  // x + 0 is not exact for -0.
  if (isFloat ? Object.is(k, -0) : isZero(k)) return a;
  const negated = operandsOf(b, 'neg');
  if (negated) return builder.binary('sub', a, negated[0]!);
  const first = operandsOf(a, 'neg');
  if (first && !isConstant(b)) return builder.binary('sub', b, first[0]!);
  return isFloat ? undefined : joined('add', site);
};

const sub: Rule = (site) => {
  const { a, b, k, builder, type, isFloat } = site;
  if (isZero(k)) return a;
  const left = uniformScalar(a);
  if (isFloat ? Object.is(left, -0) : isZero(left)) return builder.unary('neg', b);
  const negated = operandsOf(b, 'neg');
  if (negated) return builder.binary('add', a, negated[0]!);
  if (isFloat) return undefined;
  if (a === b) return zero(site);
  if (!isConstant(b)) return undefined;
  const minus = fold(builder, 'neg', type, b);
  return minus && builder.binary('add', a, minus);
};

const mul: Rule = (site) => {
  const { a, b, k, builder, type, isFloat } = site;
  if (isOne(k)) return a;
  if (isMinusOne(k)) return builder.unary('neg', a);
  const negated = operandsOf(a, 'neg');
  if (negated && isConstant(b)) return builder.binary('mul', negated[0]!, fold(builder, 'neg', type, b)!);
  const other = operandsOf(b, 'neg');
  if (negated && other) return builder.binary('mul', negated[0]!, other[0]!);
  if (isFloat) return undefined;
  if (isZero(k)) return b;
  const power = powerOf(k);
  if (power !== undefined) return builder.binary('shl', a, numberOf(builder, type, power));
  return joined('mul', site);
};

const div: Rule = ({ a, b, k, builder, type, isFloat, element, bits }) => {
  if (isOne(k)) return a;
  if (isMinusOne(k)) return builder.unary('neg', a);
  if (isFloat) {
    // The reciprocal of a power of two is exact as long as neither it nor the divisor is denormal.
    const range = bits === 64 ? 1022 : bits === 32 ? 126 : 14;
    const exponent = typeof k === 'number' ? Math.log2(Math.abs(k)) : NaN;
    if (!Number.isInteger(exponent) || Math.abs(exponent) > range || 2 ** exponent !== Math.abs(k as number))
      return undefined;
    return builder.binary('mul', a, numberOf(builder, b.type, 1 / (k as number)));
  }
  const power = powerOf(k);
  if (power === undefined || scalarClass(element) !== 'uint') return undefined;
  return builder.binary('shr', a, numberOf(builder, type, power));
};

const rem: Rule = (site) => {
  const { a, b, k, builder, type, isFloat, element } = site;
  if (isFloat) return undefined;
  if (isOne(k)) return zero(site);
  if (powerOf(k) === undefined || scalarClass(element) !== 'uint') return undefined;
  return builder.binary('and', a, fold(builder, 'sub', type, b, numberOf(builder, type, 1))!);
};

const neg: Rule = ({ a, builder, type, isFloat }) => {
  const inner = operandsOf(a, 'neg');
  if (inner) return inner[0];
  const [x, c] = operandsOf(a, 'mul') ?? [];
  if (a.kind === 'result' && x && isConstant(c)) {
    builder.precise ||= a.instruction.precise ?? false;
    return builder.binary('mul', x, fold(builder, 'neg', type, c)!);
  }
  const [p, q] = operandsOf(a, 'sub') ?? [];
  return !isFloat && p && q ? builder.binary('sub', q, p) : undefined;
};

// ---- bits

/** Operations on integers and, as `logical_`, on bools. */
const and: Rule = (site) => {
  const { a, b, k } = site;
  if (k === true || (k !== false && isAllOnes(k, site)) || sameValue(a, b)) return a;
  if (k === false || isZero(k)) return b;
  return joined('and', site);
};
const or: Rule = (site) => {
  const { a, b, k } = site;
  if (k === false || isZero(k) || sameValue(a, b)) return a;
  if (k === true || isAllOnes(k, site)) return b;
  return joined('or', site);
};
const xor: Rule = (site) => {
  const { a, b, k, builder } = site;
  if (k === false || isZero(k)) return a;
  if (typeof k === 'boolean') return builder.unary('logical_not', a);
  if (a === b) return builder.fill(site.type, site.element === boolType ? false : site.bits === 64 ? 0n : 0);
  if (isAllOnes(k, site)) return builder.unary('not', a);
  return joined('xor', site);
};

const shift =
  (op: 'shl' | 'shr'): Rule =>
  (site) => {
    const { a, k, builder, type, bits } = site;
    const left = uniformScalar(a);
    if (isZero(left)) return a;
    if (k === undefined) return undefined;
    const count = Number(k) & (bits - 1);
    if (count === 0) return a;
    const [x, c] = operandsOf(a, op) ?? [];
    const inner = uniformScalar(c);
    if (!x || inner === undefined) return undefined;
    const sum = (Number(inner) & (bits - 1)) + count;
    return sum < bits ? builder.binary(op, x, numberOf(builder, type, sum)) : undefined;
  };

const not: Rule = ({ a }) => operandsOf(a, 'not')?.[0];

/** Only where no NaN can make both false. */
const opposites: Partial<Record<Opcode, Opcode>> = {
  less: 'greater_equal',
  less_equal: 'greater',
  greater: 'less_equal',
  greater_equal: 'less',
};

const logicalNot: Rule = ({ a, builder }) => {
  if (a.kind !== 'result') return undefined;
  const { op, operands } = a.instruction;
  const [x, y] = operands as [Value, Value];
  if (op === 'logical_not') return x;
  if (op === 'equal') return builder.compare('not_equal', x, y);
  if (op === 'not_equal') return builder.compare('equal', x, y);
  const opposite = opposites[op];
  const element = elementOf(operands[0]?.type ?? a.type);
  if (!opposite || !element || scalarClass(element) === 'float') return undefined;
  return builder.compare(opposite as 'less', x, y);
};

// ---- comparisons

type Comparison = 'equal' | 'not_equal' | 'less' | 'less_equal' | 'greater' | 'greater_equal';

const comparison =
  (op: Comparison): Rule =>
  (site) => {
    const { a, b, k, builder, type, element, isFloat } = site;
    const all = (value: boolean): Value => builder.fill(type, value);
    if (a === b && (!isFloat || op === 'less' || op === 'greater'))
      return all(op === 'equal' || op === 'less_equal' || op === 'greater_equal');
    if (typeof k === 'boolean') return k === (op === 'equal') ? a : builder.unary('logical_not', a);
    if (scalarClass(element) === 'uint' && isZero(k) && (op === 'less' || op === 'greater_equal'))
      return all(op === 'greater_equal');
    return isConstant(b) ? comparedChoice(op, site, b) : undefined;
  };

/** `(c ? k1 : k2) == k`, and numbers made of bools, which are such choices. */
function comparedChoice(op: Comparison, { a, type, builder }: Site, b: Constant): Value | undefined {
  const [of] = operandsOf(a, 'convert') ?? [];
  const isBool = of && elementOf(of.type) === boolType;
  const [condition, yes, no] = isBool
    ? [of, numberOf(builder, a.type, 1), numberOf(builder, a.type, 0)]
    : (operandsOf(a, 'select') ?? []);
  if (!condition || condition.type !== type || !isConstant(yes) || !isConstant(no)) return undefined;
  const whenTrue = fold(builder, op, type, yes, b);
  const whenFalse = fold(builder, op, type, no, b);
  return whenTrue && whenFalse && builder.select(condition, whenTrue, whenFalse);
}

// ---- choices and conversions

const select: Rule = (site) => {
  const { a: condition, builder, instruction, type } = site;
  const [, yes, no] = instruction.operands as [Value, Value, Value];
  if (sameValue(yes, no)) return yes;
  const known = uniformScalar(condition);
  if (known !== undefined) return known ? yes : no;
  const inverted = operandsOf(condition, 'logical_not');
  if (inverted) return builder.select(inverted[0]!, no, yes);
  // The same question again inside of an arm.
  const inYes = operandsOf(yes, 'select');
  if (inYes && inYes[0] === condition) return builder.select(condition, inYes[1]!, no);
  const inNo = operandsOf(no, 'select');
  if (inNo && inNo[0] === condition) return builder.select(condition, yes, inNo[2]!);
  if (condition.type !== type) return undefined;
  const [t, f] = [uniformScalar(yes), uniformScalar(no)];
  if (t === true) return f === false ? condition : builder.binary('logical_or', condition, no);
  if (f === false) return builder.binary('logical_and', condition, yes);
  if (t === false && f === true) return builder.unary('logical_not', condition);
  return undefined;
};

const convert: Rule = ({ a, builder, type }) => {
  const [x] = operandsOf(a, 'convert') ?? [];
  const [from, over, to] = [x && elementOf(x.type), elementOf(a.type), elementOf(type)];
  if (!x || !from || !over || !to) return undefined;
  const wide = builder.module.enable16BitTypes;
  if (!holds(over, from, wide) && !onlyBits(from, over, to, wide)) return undefined;
  return x.type === type ? x : builder.convert(x, to);
};

/** Every value of `from` is a value of `over`. */
function holds(over: ScalarType, from: ScalarType, wide: boolean): boolean {
  const [source, target] = [scalarClass(from), scalarClass(over)];
  const [have, room] = [scalarBits(from, wide), scalarBits(over, wide)];
  if (source === 'bool') return true;
  if (target === 'bool') return false;
  if (source === target) return room >= have;
  if (source === 'float') return false;
  if (target === 'float') return room > have;
  return source === 'uint' && room > have;
}

/** Integers of a width, or of less in the end: only low bits count. */
function onlyBits(from: ScalarType, over: ScalarType, to: ScalarType, wide: boolean): boolean {
  const areIntegers = [from, over, to].every((type) => ['int', 'uint'].includes(scalarClass(type)));
  return areIntegers && scalarBits(over, wide) >= scalarBits(to, wide);
}

const bitcast: Rule = ({ a, builder, type }) => {
  const [x] = operandsOf(a, 'bitcast') ?? [];
  if (!x) return undefined;
  return x.type.kind === type.kind || x.type === type ? builder.bitcast(x, type) : undefined;
};

const rules: Partial<Record<Opcode, Rule>> = {
  add,
  sub,
  mul,
  div,
  rem,
  neg,
  and,
  or,
  xor,
  not,
  shl: shift('shl'),
  shr: shift('shr'),
  logical_and: (site) => (site.k !== undefined || sameValue(site.a, site.b) ? and(site) : undefined),
  logical_or: (site) => (site.k !== undefined || sameValue(site.a, site.b) ? or(site) : undefined),
  logical_not: logicalNot,
  equal: comparison('equal'),
  not_equal: comparison('not_equal'),
  less: comparison('less'),
  less_equal: comparison('less_equal'),
  greater: comparison('greater'),
  greater_equal: comparison('greater_equal'),
  select,
  convert,
  bitcast,
};
