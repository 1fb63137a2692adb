/**
 * Arithmetic on floats and on numbers in general. Minima and maxima are those that pass over NaN, as in DXIL.
 *
 * The rows stand in alphabetical order.
 */
import { flatScalars } from '../ir/arithmetic.ts';
import type { Builder } from '../ir/builder.ts';
import type { ScalarValue, Value } from '../ir/ir.ts';
import {
  boolType,
  floatType,
  intType,
  type MatrixType,
  type Type,
  vector,
  withElement,
} from '../types/type.ts';
import {
  bitsOf,
  call,
  classOf,
  componentsOf,
  elementType,
  filled,
  gathered,
  resultType,
  sum,
} from './expansion.ts';
import {
  componentwise,
  ext,
  type FoldValue,
  type Intrinsic,
  keep,
  op,
  refused,
  special,
} from './intrinsic.ts';

type Round = (value: number) => number;
type Numbers = readonly number[];
type Comparable = number & bigint;

const floatLike = (name: string) => `T ${name}(T x) where T: floatlike`;
const unary = (name: string, fold: (x: number) => number, spelled: string) =>
  componentwise(name, floatLike(name), fold, ext(spelled));

const isSet = (x: ScalarValue) => Number(x) !== 0;
/** Components of a scalar or vector constant. */
const list = (value: FoldValue): number[] => (Array.isArray(value) ? value.map(Number) : [Number(value)]);
const like = (value: FoldValue, parts: Numbers): FoldValue => (Array.isArray(value) ? parts : parts[0]!);
const dotOf = (round: Round, a: Numbers, b: Numbers) =>
  a.reduce((total, x, i) => round(total + round(x * b[i]!)), 0);
const lengthOf = (round: Round, a: Numbers) => round(Math.sqrt(dotOf(round, a, a)));

const lesser = (a: Comparable, b: Comparable) => (Number.isNaN(a) || b < a ? b : a);
const greater = (a: Comparable, b: Comparable) => (Number.isNaN(a) || b > a ? b : a);

/** To the nearest integer, ties to even. */
function roundEven(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x;
  const floor = Math.floor(x);
  const rest = x - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
  return rounded === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rounded;
}

/** SPIR-V has matrices of floats with at least two rows and columns; calls on other ones are written out. */
function isTrueMatrix(type: Type): type is MatrixType {
  return (
    type.kind === 'matrix' &&
    type.rows > 1 &&
    type.columns > 1 &&
    classOf({ kind: 'undef', type }) === 'float'
  );
}

function rowsOf(builder: Builder, value: Value): Value[] {
  const { rows } = value.type as MatrixType;
  return Array.from({ length: rows }, (_, row) => builder.extract(value, row));
}

/** `any` and `all` on a bool vector stay; everything else is brought to that. */
function reduceToBool(key: 'all' | 'any', join: 'logical_and' | 'logical_or'): Intrinsic['expand'] & object {
  return (builder, args) => {
    const value = args[0]!;
    const bools = builder.convert(value, boolType);
    const { type } = bools;
    if (type.kind === 'vector' && type.count > 1)
      return bools === value ? keep : call(builder, key, boolType, bools);
    if (type.kind !== 'matrix') return componentsOf(builder, bools)[0];
    const rows = rowsOf(builder, bools).map((row) => call(builder, key, boolType, row));
    return rows.reduce((joined, row) => builder.binary(join, joined, row));
  };
}

function anyNegative(builder: Builder, value: Value): Value {
  const negative = builder.compare('less', value, filled(builder, value.type, 0));
  return negative.type.kind === 'scalar' ? negative : call(builder, 'any', boolType, negative);
}

function expandClip(builder: Builder, args: readonly Value[]): undefined {
  const condition = anyNegative(builder, args[0]!);
  const { block, insertionIndex } = builder;
  const then = builder.newBlock();
  const otherwise = builder.newBlock();
  builder.into(then).discard();
  builder.yield();
  builder.into(otherwise).yield();
  builder.before(block, insertionIndex).if(condition, then, otherwise);
}

function expandDot(builder: Builder, args: readonly Value[]): Value | typeof keep {
  const [a, b] = args as [Value, Value];
  if (a.type.kind === 'vector' && a.type.count > 1 && classOf(a) === 'float') return keep;
  return sum(builder, componentsOf(builder, builder.binary('mul', a, b)));
}

/** Fraction in [0.5, 1) with the sign, and exponent, taken from the bits of 32-bit floats; 0 gives 0 and 0. */
function expandFrexp(builder: Builder, args: readonly Value[]): Value {
  const [given, place] = args as [Value, Value];
  const x = builder.convert(given, floatType);
  const ints = withElement(x.type as MatrixType, intType);
  const int = (value: number) => filled(builder, ints, value);
  const bits = builder.bitcast(x, ints);
  const isZero = builder.compare('equal', x, filled(builder, x.type, 0));
  const biased = builder.binary('and', builder.binary('shr', bits, int(23)), int(255));
  const power = builder.select(isZero, int(0), builder.binary('sub', biased, int(126)));
  builder.store(place, builder.convert(power, elementType(given)));
  const mantissa = builder.binary('or', builder.binary('and', bits, int(0x807fffff | 0)), int(0x3f000000));
  const fraction = builder.bitcast(builder.select(isZero, bits, mantissa), x.type);
  return builder.convert(fraction, elementType(given));
}

function expandLit(builder: Builder, args: readonly Value[]): Value {
  const [diffuse, specular, power] = args as [Value, Value, Value];
  const zero = filled(builder, diffuse.type, 0);
  const one = filled(builder, diffuse.type, 1);
  const dark = builder.binary(
    'logical_or',
    builder.compare('less', diffuse, zero),
    builder.compare('less', specular, zero),
  );
  const shine = call(builder, 'pow', specular.type, specular, power);
  const light = call(builder, 'max', diffuse.type, diffuse, zero);
  return gathered(builder, [one, light, builder.select(dark, zero, shine), one]);
}

/** The products that SPIR-V has no instruction for: integers, and matrices of one row or column. */
function expandMul(builder: Builder, args: readonly Value[], result: Type): Value | typeof keep {
  const [a, b] = args as [Value, Value];
  if (a.type.kind === 'scalar' || b.type.kind === 'scalar') {
    return builder.binary('mul', builder.splat(result, a), builder.splat(result, b));
  }
  if (a.type.kind === 'vector' && b.type.kind === 'vector') return call(builder, 'dot', result, a, b);
  if ([a.type, b.type].every((type) => type.kind === 'vector' || isTrueMatrix(type))) return keep;
  if (b.type.kind === 'vector') {
    const dots = rowsOf(builder, a).map((row) => call(builder, 'dot', elementType(a), row, b));
    return builder.construct(result, dots);
  }
  if (a.type.kind === 'vector') return rowTimesMatrix(builder, a, b);
  return builder.construct(
    result,
    rowsOf(builder, a).map((row) => rowTimesMatrix(builder, row, b)),
  );
}

function rowTimesMatrix(builder: Builder, row: Value, matrix: Value): Value {
  const factors = componentsOf(builder, row);
  const products = rowsOf(builder, matrix).map((part, i) =>
    builder.binary('mul', builder.splat(part.type, factors[i]!), part),
  );
  return sum(builder, products);
}

function foldMul(round: Round, a: FoldValue, b: FoldValue): FoldValue {
  const scale = (value: FoldValue, by: number): FoldValue =>
    Array.isArray(value) ? value.map((part) => scale(part, by)) : round(Number(value) * by);
  if (!Array.isArray(a)) return scale(b, Number(a));
  if (!Array.isArray(b)) return scale(a, Number(b));
  const isMatrix = (value: readonly FoldValue[]) => Array.isArray(value[0]);
  const column = (index: number) => b.map((row) => (row as Numbers)[index]!);
  const times = (row: Numbers) => (b[0] as Numbers).map((_, index) => dotOf(round, row, column(index)));
  if (!isMatrix(a)) return isMatrix(b) ? times(a as Numbers) : dotOf(round, a as Numbers, b as Numbers);
  if (!isMatrix(b)) return a.map((row) => dotOf(round, row as Numbers, b as Numbers));
  return a.map((row) => times(row as Numbers));
}

function foldDeterminant(m: readonly Numbers[]): number {
  if (m.length === 1) return m[0]![0]!;
  const minor = (column: number) => m.slice(1).map((row) => row.filter((_, i) => i !== column));
  return m[0]!.reduce((total, x, i) => total + (i % 2 ? -x : x) * foldDeterminant(minor(i)), 0);
}

function foldRefract(round: Round, i: FoldValue, n: FoldValue, eta: number): FoldValue {
  const [incident, normal] = [list(i), list(n)];
  const cosine = dotOf(round, normal, incident);
  const k = round(1 - round(eta * eta) * round(1 - cosine * cosine));
  const factor = round(eta * cosine + Math.sqrt(Math.max(k, 0)));
  return like(
    i,
    k < 0 ? incident.map(() => 0) : incident.map((x, j) => round(eta * x - factor * normal[j]!)),
  );
}

export const mathRows: readonly Intrinsic[] = [
  {
    ...componentwise(
      'abs',
      'T abs(T x) where T: numeric',
      (x: Comparable) => (x < 0 ? -x : Object.is(x, -0) ? 0 : x),
      ext({ float: 'FAbs', int: 'SAbs' }),
    ),
    expand: (_, args) => (classOf(args[0]!) === 'uint' ? args[0] : keep),
  },
  unary('acos', Math.acos, 'Acos'),
  {
    key: 'all',
    name: 'all',
    overloads: ['bool all(T x) where T: any'],
    effects: 'none',
    foldWhole: (_: Round, x: FoldValue) => flatScalars(x).every(isSet),
    spirv: op('OpAll'),
    expand: reduceToBool('all', 'logical_and'),
    wholeMatrix: true,
  },
  {
    key: 'and',
    name: 'and',
    overloads: ['T and(T x, T y) where T: bool'],
    effects: 'none',
    fold: (x: boolean, y: boolean) => x && y,
    expand: (builder, args) => builder.binary('logical_and', args[0]!, args[1]!),
  },
  {
    key: 'any',
    name: 'any',
    overloads: ['bool any(T x) where T: any'],
    effects: 'none',
    foldWhole: (_: Round, x: FoldValue) => flatScalars(x).some(isSet),
    spirv: op('OpAny'),
    expand: reduceToBool('any', 'logical_or'),
    wholeMatrix: true,
  },
  unary('asin', Math.asin, 'Asin'),
  unary('atan', Math.atan, 'Atan'),
  componentwise('atan2', 'T atan2(T y, T x) where T: floatlike', Math.atan2, ext('Atan2')),
  unary('ceil', Math.ceil, 'Ceil'),
  componentwise(
    'clamp',
    'T clamp(T x, T min, T max) where T: numeric',
    (x: Comparable, min: Comparable, max: Comparable) => lesser(greater(x, min) as Comparable, max),
    ext({ float: 'NClamp', int: 'SClamp', uint: 'UClamp' }),
  ),
  {
    key: 'clip',
    name: 'clip',
    overloads: ['void clip(T x) where T: float'],
    effects: 'writes',
    expand: expandClip,
    stages: ['pixel', 'library'],
  },
  unary('cos', Math.cos, 'Cos'),
  unary('cosh', Math.cosh, 'Cosh'),
  {
    key: 'cross',
    name: 'cross',
    overloads: ['T cross(T a, T b) where T: floatlike 3'],
    effects: 'none',
    foldWhole: (round: Round, a: Numbers, b: Numbers) =>
      [0, 1, 2].map((i) => {
        const [j, k] = [(i + 1) % 3, (i + 2) % 3];
        return round(round(a[j]! * b[k]!) - round(a[k]! * b[j]!));
      }),
    spirv: ext('Cross'),
  },
  unary('degrees', (x) => x * (180 / Math.PI), 'Degrees'),
  {
    key: 'determinant',
    name: 'determinant',
    overloads: ['T.scalar determinant(T x) where T: floatlike square'],
    effects: 'none',
    foldWhole: (round: Round, m: readonly Numbers[]) => round(foldDeterminant(m)),
    spirv: ext('Determinant'),
    expand: (builder, args) => (isTrueMatrix(args[0]!.type) ? keep : builder.extract(args[0]!, 0, 0)),
    wholeMatrix: true,
  },
  {
    key: 'distance',
    name: 'distance',
    overloads: ['T.scalar distance(T a, T b) where T: floatlike vector'],
    effects: 'none',
    foldWhole: (round: Round, a: FoldValue, b: FoldValue) =>
      lengthOf(
        round,
        list(a).map((x, i) => round(x - list(b)[i]!)),
      ),
    spirv: ext('Distance'),
  },
  {
    key: 'dot',
    name: 'dot',
    overloads: ['T.scalar dot(T a, T b) where T: numeric vector'],
    effects: 'none',
    foldWhole: (round: Round, a: FoldValue, b: FoldValue) => dotOf(round, list(a), list(b)),
    spirv: op('OpDot'),
    expand: expandDot,
  },
  {
    key: 'dst',
    name: 'dst',
    overloads: ['T dst(T a, T b) where T: numeric 4'],
    effects: 'none',
    expand: (builder, [a, b]) => {
      const part = (of: Value | undefined, index: number) => builder.extract(of!, index);
      const one = filled(builder, elementType(a!), 1);
      return gathered(builder, [one, builder.binary('mul', part(a, 1), part(b, 1)), part(a, 2), part(b, 3)]);
    },
  },
  unary('exp', Math.exp, 'Exp'),
  unary('exp2', (x) => 2 ** x, 'Exp2'),
  {
    key: 'faceforward',
    name: 'faceforward',
    overloads: ['T faceforward(T N, T I, T Ng) where T: floatlike vector'],
    effects: 'none',
    foldWhole: (round: Round, n: FoldValue, i: FoldValue, g: FoldValue) =>
      like(n, dotOf(round, list(i), list(g)) < 0 ? list(n) : list(n).map((x) => -x)),
    spirv: ext('FaceForward'),
  },
  unary('floor', Math.floor, 'Floor'),
  componentwise(
    'fma',
    'T fma(T a, T b, T c) where T: double!',
    (a: number, b: number, c: number) => a * b + c,
    ext('Fma'),
  ),
  {
    key: 'fmod',
    name: 'fmod',
    overloads: ['T fmod(T x, T y) where T: floatlike'],
    effects: 'none',
    fold: (x: number, y: number) => x % y,
    expand: (builder, args) => builder.binary('rem', args[0]!, args[1]!),
  },
  unary('frac', (x) => x - Math.floor(x), 'Fract'),
  {
    key: 'frexp',
    name: 'frexp',
    overloads: ['T frexp(T x, out T exp) where T: float'],
    effects: 'none',
    expand: expandFrexp,
  },
  {
    key: 'isfinite',
    name: 'isfinite',
    overloads: ['T.bool isfinite(T x) where T: floatlike'],
    effects: 'none',
    fold: (x: number) => Number.isFinite(x),
    expand: (builder, args, instruction) => {
      const type = resultType(instruction);
      const not = builder.binary(
        'logical_or',
        call(builder, 'isnan', type, args[0]!),
        call(builder, 'isinf', type, args[0]!),
      );
      return builder.unary('logical_not', not);
    },
  },
  {
    ...componentwise(
      'isinf',
      'T.bool isinf(T x) where T: floatlike',
      (x: number) => Math.abs(x) === Infinity,
      op('OpIsInf'),
    ),
    ofFinite: false,
  },
  {
    ...componentwise(
      'isnan',
      'T.bool isnan(T x) where T: floatlike',
      (x: number) => Number.isNaN(x),
      op('OpIsNan'),
    ),
    ofFinite: false,
  },
  {
    key: 'isnormal',
    name: 'isnormal',
    overloads: ['T.bool isnormal(T x) where T: floatlike'],
    effects: 'none',
    expand: (builder, args) => {
      const least =
        builder.module.enable16BitTypes && bitsOf(builder, args[0]!) === 16 ? 2 ** -14 : 2 ** -126;
      const { type } = args[0]!;
      const size = call(builder, 'abs', type, args[0]!);
      const large = builder.compare('greater_equal', size, filled(builder, type, least));
      return builder.binary(
        'logical_and',
        large,
        builder.compare('less', size, filled(builder, type, Infinity)),
      );
    },
  },
  {
    key: 'ldexp',
    name: 'ldexp',
    overloads: ['T ldexp(T x, T exp) where T: floatlike'],
    effects: 'none',
    fold: (x: number, exponent: number) => x * 2 ** exponent,
    expand: (builder, args) =>
      builder.binary('mul', call(builder, 'exp2', args[1]!.type, args[1]!), args[0]!),
  },
  {
    key: 'length',
    name: 'length',
    overloads: ['T.scalar length(T x) where T: floatlike vector'],
    effects: 'none',
    foldWhole: (round: Round, x: FoldValue) => lengthOf(round, list(x)),
    spirv: ext('Length'),
  },
  componentwise(
    'lerp',
    'T lerp(T x, T y, T s) where T: floatlike',
    (x: number, y: number, s: number) => x + (y - x) * s,
    ext('FMix'),
  ),
  {
    key: 'lit',
    name: 'lit',
    overloads: ['T.4 lit(T n_dot_l, T n_dot_h, T m) where T: floatlike scalar'],
    effects: 'none',
    expand: expandLit,
  },
  unary('log', Math.log, 'Log'),
  {
    key: 'log10',
    name: 'log10',
    overloads: [floatLike('log10')],
    effects: 'none',
    fold: (x: number) => Math.log10(x),
    expand: (builder, args) => {
      const { type } = args[0]!;
      return builder.binary(
        'mul',
        call(builder, 'log2', type, args[0]!),
        filled(builder, type, Math.log10(2)),
      );
    },
  },
  unary('log2', Math.log2, 'Log2'),
  {
    key: 'mad',
    name: 'mad',
    overloads: ['T mad(T a, T b, T c) where T: numeric'],
    effects: 'none',
    expand: (builder, args) => builder.binary('add', builder.binary('mul', args[0]!, args[1]!), args[2]!),
  },
  componentwise(
    'max',
    'T max(T x, T y) where T: numeric',
    greater,
    ext({ float: 'NMax', int: 'SMax', uint: 'UMax' }),
  ),
  componentwise(
    'min',
    'T min(T x, T y) where T: numeric',
    lesser,
    ext({ float: 'NMin', int: 'SMin', uint: 'UMin' }),
  ),
  {
    key: 'modf',
    name: 'modf',
    overloads: ['T modf(T x, out T ip) where T: floatlike'],
    effects: 'none',
    expand: (builder, args) => {
      const [x, ip] = args as [Value, Value];
      const whole = call(builder, 'trunc', x.type, x);
      builder.store(ip, whole);
      return builder.binary('sub', x, whole);
    },
  },
  {
    key: 'mul',
    name: 'mul',
    overloads: [
      'T mul(T a, T b) where T: numeric scalar',
      'vector<E,C> mul(E a, vector<E,C> b) where E: numeric scalar',
      'matrix<E,R,C> mul(E a, matrix<E,R,C> b) where E: numeric scalar',
      'vector<E,C> mul(vector<E,C> a, E b) where E: numeric scalar',
      'E mul(vector<E,C> a, vector<E,C> b) where E: numeric scalar',
      'vector<E,C> mul(vector<E,R> a, matrix<E,R,C> b) where E: numeric scalar',
      'matrix<E,R,C> mul(matrix<E,R,C> a, E b) where E: numeric scalar',
      'vector<E,R> mul(matrix<E,R,C> a, vector<E,C> b) where E: numeric scalar',
      'matrix<E,R,C> mul(matrix<E,R,K> a, matrix<E,K,C> b) where E: numeric scalar',
    ],
    effects: 'none',
    foldWhole: foldMul,
    spirv: special('mul'),
    expand: (builder, args, instruction) => expandMul(builder, args, resultType(instruction)),
    wholeMatrix: true,
  },
  {
    ...componentwise(
      'NonUniformResourceIndex',
      'T NonUniformResourceIndex(T index) where T: any',
      (x: number) => x,
      special('nonuniform'),
    ),
    marksIndex: true,
  },
  {
    key: 'normalize',
    name: 'normalize',
    overloads: ['T normalize(T x) where T: floatlike vector'],
    effects: 'none',
    foldWhole: (round: Round, x: FoldValue) => {
      const length = lengthOf(round, list(x));
      return like(
        x,
        list(x).map((part) => round(part / length)),
      );
    },
    spirv: ext('Normalize'),
  },
  {
    key: 'or',
    name: 'or',
    overloads: ['T or(T x, T y) where T: bool'],
    effects: 'none',
    fold: (x: boolean, y: boolean) => x || y,
    expand: (builder, args) => builder.binary('logical_or', args[0]!, args[1]!),
  },
  componentwise(
    'pow',
    'T pow(T x, T y) where T: floatlike',
    (x: number, y: number) => (x < 0 ? NaN : x ** y),
    ext('Pow'),
  ),
  unary('radians', (x) => x * (Math.PI / 180), 'Radians'),
  {
    key: 'rcp',
    name: 'rcp',
    overloads: ['T rcp(T x) where T: floating'],
    effects: 'none',
    fold: (x: number) => 1 / x,
    expand: (builder, args) => builder.binary('div', filled(builder, args[0]!.type, 1), args[0]!),
  },
  {
    key: 'reflect',
    name: 'reflect',
    overloads: ['T reflect(T i, T n) where T: floatlike vector'],
    effects: 'none',
    foldWhole: (round: Round, i: FoldValue, n: FoldValue) => {
      const factor = round(2 * dotOf(round, list(n), list(i)));
      return like(
        i,
        list(i).map((x, j) => round(x - round(factor * list(n)[j]!))),
      );
    },
    spirv: ext('Reflect'),
  },
  {
    key: 'refract',
    name: 'refract',
    overloads: ['T refract(T i, T n, T.scalar eta) where T: floatlike vector'],
    effects: 'none',
    foldWhole: foldRefract,
    spirv: ext('Refract'),
  },
  unary('round', roundEven, 'RoundEven'),
  unary('rsqrt', (x) => 1 / Math.sqrt(x), 'InverseSqrt'),
  {
    key: 'saturate',
    name: 'saturate',
    overloads: ['T saturate(T x) where T: floating'],
    effects: 'none',
    fold: (x: number) => (x > 0 ? Math.min(x, 1) : 0),
    expand: (builder, args) => {
      const { type } = args[0]!;
      return call(builder, 'clamp', type, args[0]!, filled(builder, type, 0), filled(builder, type, 1));
    },
  },
  {
    key: 'select',
    name: 'select',
    overloads: ['T select(T.bool condition, T t, T f) where T: any'],
    effects: 'none',
    fold: (condition: boolean, t: number, f: number) => (condition ? t : f),
    expand: (builder, args) => builder.select(args[0]!, args[1]!, args[2]!),
  },
  {
    key: 'sign',
    name: 'sign',
    overloads: ['T.int sign(T x) where T: numeric'],
    effects: 'none',
    fold: (x: Comparable) => (x > 0 ? 1 : x < 0 ? -1 : 0),
    expand: (builder, args) => {
      const x = args[0]!;
      const zero = filled(builder, x.type, 0);
      const positive = builder.convert(builder.compare('greater', x, zero), intType);
      if (classOf(x) === 'uint') return positive;
      return builder.binary('sub', positive, builder.convert(builder.compare('less', x, zero), intType));
    },
  },
  unary('sin', Math.sin, 'Sin'),
  {
    key: 'sincos',
    name: 'sincos',
    overloads: ['void sincos(T x, out T s, out T c) where T: floatlike'],
    effects: 'none',
    expand: (builder, args) => {
      const [x, s, c] = args as [Value, Value, Value];
      const sine = call(builder, 'sin', x.type, x);
      const cosine = call(builder, 'cos', x.type, x);
      builder.store(s, sine);
      builder.store(c, cosine);
      return undefined;
    },
  },
  unary('sinh', Math.sinh, 'Sinh'),
  componentwise(
    'smoothstep',
    'T smoothstep(T min, T max, T x) where T: floatlike',
    (min: number, max: number, x: number) => {
      const t = Math.min(Math.max((x - min) / (max - min), 0), 1);
      return t * t * (3 - 2 * t);
    },
    ext('SmoothStep'),
  ),
  unary('sqrt', Math.sqrt, 'Sqrt'),
  componentwise(
    'step',
    'T step(T y, T x) where T: floatlike',
    (y: number, x: number) => (x < y ? 0 : 1),
    ext('Step'),
  ),
  unary('tan', Math.tan, 'Tan'),
  unary('tanh', Math.tanh, 'Tanh'),
  {
    key: 'transpose',
    name: 'transpose',
    overloads: ['matrix<E,C,R> transpose(matrix<E,R,C> x) where E: any scalar'],
    effects: 'none',
    foldWhole: (_: Round, m: readonly (readonly FoldValue[])[]) =>
      m[0]!.map((_, column) => m.map((row) => row[column]!)),
    spirv: special('transpose'),
    expand: (builder, args, instruction) => {
      const { type } = args[0]!;
      if (type.kind !== 'matrix' || isTrueMatrix(type)) return keep;
      const { element, rows, columns } = type as MatrixType;
      const row = (column: number) =>
        builder.construct(
          vector(element, rows),
          Array.from({ length: rows }, (_, i) => builder.extract(args[0]!, i, column)),
        );
      return builder.construct(
        resultType(instruction),
        Array.from({ length: columns }, (_, column) => row(column)),
      );
    },
    wholeMatrix: true,
  },
  unary('trunc', Math.trunc, 'Trunc'),
];

const samplers9 = 'it needs a texture bound to a sampler, which shader models from 4 on do not have';

/** The functions of Direct3D 9. */
export const legacyRows: readonly Intrinsic[] = ['tex1D', 'tex2D', 'tex3D', 'texCUBE'].flatMap((name) =>
  ['', 'bias', 'grad', 'lod', 'proj'].map((suffix) => refused(name + suffix, samplers9)),
);
