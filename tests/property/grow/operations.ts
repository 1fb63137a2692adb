/** Operators and functions of numbers whose results are exact, and for wild programs such as are not. */
import type { Decisions } from './decisions.ts';
import { matrix, type Numeric, ofScalar, type Scalar, spell, vector } from './types.ts';

export interface Operands {
  decisions: Decisions;
  wild: boolean;
  legacy: boolean;
  depth: number;
  /** An operand. */
  of: (type: Numeric) => string;
  leaf: (type: Numeric) => string;
  /** Floats brought back to small ones. */
  tame: (value: string, type: Numeric) => string;
}

export function growOperation(type: Numeric, given: Operands): string {
  switch (type.scalar) {
    case 'int':
    case 'uint':
      return integers(type, given);
    case 'float':
      return floats(type, given);
    case 'bool':
      return bools(type, given);
  }
}

/** Products and sums over components: the same for every scalar type but bool. */
function products(type: Numeric, { decisions, of, tame }: Operands): string {
  const small = (one: Numeric): string => tame(of(one), one);
  const inner = 2 + decisions.choose(3);
  if (type.rows > 0) {
    const sides = [matrix(type.scalar, type.rows, inner), matrix(type.scalar, inner, type.count)];
    return tame(`mul(${sides.map(small).join(', ')})`, type);
  }
  if (type.count === 1) {
    const side = vector(type.scalar, inner);
    return tame(`${decisions.pick(['dot', 'mul'])}(${small(side)}, ${small(side)})`, type);
  }
  const left = [vector(type.scalar, inner), matrix(type.scalar, inner, type.count)];
  const right = [matrix(type.scalar, type.count, inner), vector(type.scalar, inner)];
  return tame(`mul(${decisions.pick([left, right]).map(small).join(', ')})`, type);
}

function integers(type: Numeric, given: Operands): string {
  const { decisions, of, leaf } = given;
  const sub = (): string => of(type);
  const as = (scalar: Scalar): string => of(ofScalar(type, scalar));
  const cast = spell(type);
  const signed = type.scalar === 'int';
  const small = (): string => (signed ? `((${sub()} & 7) + 1)` : `((${sub()} & 7u) + 1u)`);
  switch (decisions.choose(18)) {
    case 0:
      return leaf(type);
    case 1:
      return `(${sub()} / ${small()})`;
    case 2:
      return `(${sub()} % ${small()})`;
    case 3:
      return `((${cast})(${as(signed ? 'uint' : 'int')}))`;
    case 4:
      return `((${cast})(${as('bool')}))`;
    case 5:
      return given.wild
        ? `((${cast})clamp(${as('float')}, 0.0, 100.0))`
        : `((${cast})(${spell(ofScalar(type, 'int'))})(${as('float')}))`;
    case 6:
      return decisions.pick([`-(${sub()})`, `~(${sub()})`]);
    case 7:
      return `${decisions.pick(['min', 'max'])}(${sub()}, ${sub()})`;
    case 8:
      return `(${sub()} ${decisions.pick(['<<', '>>'])} ${sub()})`;
    case 9:
      return signed ? `abs(${sub()})` : bits(type, given);
    case 10:
      return products(type, given);
    case 11:
      return `mad(${sub()}, ${sub()}, ${sub()})`;
    case 12:
      return signed ? `((${cast})sign(${as(decisions.pick(['int', 'float']))}))` : bits(type, given);
    case 13:
      return `clamp(${sub()}, ${sub()}, ${sub()})`;
    default:
      return `(${sub()} ${decisions.pick(['+', '-', '*', '&', '|', '^'])} ${sub()})`;
  }
}

function bits(type: Numeric, { decisions, of, tame }: Operands): string {
  if (type.rows > 0) return of(type);
  const [signed, real] = [ofScalar(type, 'int'), ofScalar(type, 'float')];
  switch (decisions.choose(8)) {
    case 0:
      return `countbits(${of(type)})`;
    case 1:
      return `reversebits(${of(type)})`;
    case 2:
      return `firstbitlow(${of(type)})`;
    case 3:
      return `firstbithigh(${of(type)})`;
    case 4:
      return `firstbithigh(${of(signed)})`;
    case 5:
      return `asuint(${of(signed)})`;
    case 6:
      return `f32tof16(${tame(of(real), real)} + 8.0)`;
    default:
      return type.count === 4
        ? `msad4(${of(vector('uint', 1))}, ${of(vector('uint', 2))}, ${of(type)})`
        : `countbits(${of(type)})`;
  }
}

function floats(type: Numeric, given: Operands): string {
  const { decisions, of, leaf, tame, wild } = given;
  const sub = (): string => of(type);
  const small = (): string => tame(sub(), type);
  switch (decisions.choose(14)) {
    case 0:
      return leaf(type);
    case 1:
      return `-(${sub()})`;
    case 2:
      return `${decisions.pick(['min', 'max'])}(${sub()}, ${sub()})`;
    case 3:
      return `${decisions.pick(['floor', 'ceil', 'trunc', 'round'])}(${small()} / ${decisions.pick(['2.0', '4.0'])})`;
    case 4:
      return `((${spell(type)})(${of(ofScalar(type, 'bool'))}))`;
    case 5:
      return wild ? inexact(type, given) : `abs(${sub()})`;
    case 6:
      return decisions.pick([`saturate(${sub()})`, `step(${sub()}, ${sub()})`]);
    case 7:
      return products(type, given);
    case 8:
      return tame(`mad(${small()}, ${small()}, ${sub()})`, type);
    case 9:
      return tame(`lerp(${small()}, ${small()}, ${small()})`, type);
    case 10:
      return vectors(type, given);
    case 11:
      return `((${spell(type)})(${of(ofScalar(type, 'int'))} & 7))`;
    default:
      return `(${sub()} ${decisions.pick(['+', '-', '*'])} ${sub()})`;
  }
}

/** Functions of floats that look at several components, or at parts of a number. */
function vectors(type: Numeric, { decisions, of, tame }: Operands): string {
  const small = (one: Numeric = type): string => tame(of(one), one);
  if (type.rows > 0) return `(frac(${small()} / 2.0) * 2.0)`;
  switch (decisions.choose(5)) {
    case 0:
      return type.count === 3 ? tame(`cross(${small()}, ${small()})`, type) : `fmod(${small()}, 4.0)`;
    case 1: {
      const size = 2 + decisions.choose(2);
      return type.count === 1
        ? tame(`determinant(${small(matrix('float', size, size))})`, type)
        : tame(`reflect(${small()}, ${small()})`, type);
    }
    case 2:
      return type.count === 1
        ? `f16tof32(f32tof16(${small()}))`
        : `faceforward(${small()}, ${small()}, ${small()})`;
    case 3:
      return `(frac(${small()} / 2.0) * 2.0)`;
    default:
      return `fmod(${small()}, ${decisions.pick(['2.0', '4.0'])})`;
  }
}

/** What no two devices need agree on: interpreter and passes must. */
function inexact(type: Numeric, { decisions, of }: Operands): string {
  const sub = (): string => of(type);
  switch (decisions.choose(5)) {
    case 0:
      return `${decisions.pick(['sqrt', 'rsqrt', 'rcp', 'exp2', 'log2', 'exp', 'log', 'log10'])}(${sub()})`;
    case 1:
      return `${decisions.pick(['sin', 'cos', 'tan', 'atan', 'asin', 'acos', 'sinh', 'tanh'])}(${sub()})`;
    case 2:
      return `${decisions.pick(['pow', 'fmod', 'atan2', 'ldexp', 'step'])}(${sub()}, ${sub()})`;
    case 3:
      return type.rows === 0 && type.count > 1
        ? decisions.pick([`normalize(${sub()})`, `(${sub()} * length(${sub()}))`])
        : `smoothstep(${sub()}, ${sub()}, ${sub()})`;
    default:
      return `(${sub()} / ${sub()})`;
  }
}

function bools(type: Numeric, { decisions, of, leaf, legacy }: Operands): string {
  const sub = (): string => of(type);
  const operand = decisions.pick<Scalar>(['int', 'uint', 'float']);
  const as = (scalar: Scalar): string => of(ofScalar(type, scalar));
  const isScalar = type.count === 1 && type.rows === 0;
  switch (decisions.choose(7)) {
    case 0:
      return leaf(type);
    case 1:
      return `!(${sub()})`;
    case 2:
      return isScalar || legacy
        ? `(${sub()} ${decisions.pick(['&&', '||'])} ${sub()})`
        : `${decisions.pick(['and', 'or'])}(${sub()}, ${sub()})`;
    case 3: {
      const wide = vector(decisions.pick<Scalar>(['bool', 'int', 'float']), 2 + decisions.choose(3));
      return isScalar
        ? `${decisions.pick(['any', 'all'])}(${of(wide)})`
        : `((${spell(type)})(${as(operand)}))`;
    }
    case 4:
      return operand === 'float'
        ? `${decisions.pick(['isnan', 'isinf', 'isfinite'])}(${as('float')})`
        : `(${sub()} ${decisions.pick(['==', '!='])} ${sub()})`;
    default:
      return `(${as(operand)} ${decisions.pick(['<', '==', '!=', '>=', '>', '<='])} ${as(operand)})`;
  }
}
