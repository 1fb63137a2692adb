/**
 * Which types convert to which, and how dear a conversion is. The rules are those of DXC: element types combine by width and
 * class, shapes by splatting scalars and truncating what is longer; ranks weigh the same eight criteria, so that
 * overloads are chosen alike.
 */
import {
  componentCount,
  elementOf,
  isNumeric,
  scalar,
  type MatrixType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
  type VectorType,
} from './type.ts';

export type NumericType = ScalarType | VectorType | MatrixType;

interface Properties {
  class: 'bool' | 'int' | 'uint' | 'float';
  /** 0 for types that take their width from the other side: bool and literals. */
  bits: number;
  min?: boolean;
  literal?: boolean;
}

const properties: Record<ScalarName, Properties> = {
  bool: { class: 'bool', bits: 0 },
  int: { class: 'int', bits: 32 },
  uint: { class: 'uint', bits: 32 },
  int16_t: { class: 'int', bits: 16 },
  uint16_t: { class: 'uint', bits: 16 },
  int64_t: { class: 'int', bits: 64 },
  uint64_t: { class: 'uint', bits: 64 },
  half: { class: 'float', bits: 16 },
  float16_t: { class: 'float', bits: 16 },
  float: { class: 'float', bits: 32 },
  double: { class: 'float', bits: 64 },
  min16float: { class: 'float', bits: 16, min: true },
  min10float: { class: 'float', bits: 10, min: true },
  min16int: { class: 'int', bits: 16, min: true },
  min12int: { class: 'int', bits: 12, min: true },
  min16uint: { class: 'uint', bits: 16, min: true },
  'literal int': { class: 'int', bits: 0, literal: true },
  'literal float': { class: 'float', bits: 0, literal: true },
};

/** True for `literal int` and `literal float`, whose use has yet to decide their type. */
export function isLiteral(type: ScalarType): boolean {
  return properties[type.name].literal === true;
}

/** Bits that a value of the type surely needs, for warnings about lost precision; 0 for bool and literals. */
export function rankBits(type: ScalarType): number {
  return properties[type.name].bits;
}

/** The element type in which two element types meet in an operator. */
export function combineScalars(left: ScalarType, right: ScalarType): ScalarType {
  if (left === right) return left;
  const a = properties[left.name];
  const b = properties[right.name];
  const float = a.class === 'float' || b.class === 'float';
  if (a.literal && b.literal) return scalar(float ? 'literal float' : 'literal int');
  // `half` stays half beside types that have no say in precision, and beside 16-bit floats.
  if (left.name === 'half' || right.name === 'half') {
    const other = left.name === 'half' ? b : a;
    if (other.bits <= 16 || other.class !== 'float') return scalar('half');
  }
  if (float && !(a.class === 'float' && b.class === 'float')) {
    const side = a.class === 'float' ? a : b;
    const name = a.class === 'float' ? left.name : right.name;
    if (!side.literal) return scalar(name);
    // An integer meets a literal float: float, of minimum precision if the integer is.
    const other = a.class === 'float' ? b : a;
    return scalar(other.min ? 'min16float' : 'float');
  }
  const adapts = (p: Properties) => p.bits === 0;
  const min = (a.min && b.min) || ((adapts(a) || adapts(b)) && (a.min || b.min));
  const bits = Math.max(a.bits, b.bits) || 32;
  if (float) {
    if (min) return scalar(bits === 10 ? 'min10float' : 'min16float');
    return scalar(bits === 64 ? 'double' : bits === 32 ? 'float' : 'float16_t');
  }
  const unsigned = a.class === 'uint' || b.class === 'uint';
  if (min) return scalar(unsigned ? 'min16uint' : bits === 12 ? 'min12int' : 'min16int');
  const width = bits === 64 ? '64_t' : bits === 32 ? '' : '16_t';
  return scalar(`${unsigned ? 'uint' : 'int'}${width}`);
}

/** How a shape becomes another by implicit conversion or cast; `none` if it is the same shape. */
type ShapeStep = 'none' | 'splat' | 'truncate' | 'reshape';

/** The change of shape between numeric types, `undefined` if there is none. */
export function shapeStep(from: NumericType, to: NumericType): ShapeStep | undefined {
  const have = componentCount(from);
  const want = componentCount(to);
  if (from.kind === 'scalar') return to.kind === 'scalar' ? 'none' : 'splat';
  if (to.kind === 'scalar') return have > 1 ? 'truncate' : 'reshape';
  if (have === 1 && want > 1) return 'splat';
  if (from.kind === 'vector' && to.kind === 'vector')
    return have === want ? 'none' : have > want ? 'truncate' : undefined;
  if (from.kind === 'matrix' && to.kind === 'matrix') {
    if (from.rows === to.rows && from.columns === to.columns) return 'none';
    return to.rows <= from.rows && to.columns <= from.columns ? 'truncate' : undefined;
  }
  if (have === want) return 'reshape';
  if (want === 1) return 'truncate';
  // Between a vector and a matrix of one row or column the shorter one may be a piece of the longer.
  const line = from.kind === 'matrix' ? from : (to as MatrixType);
  return (line.rows === 1 || line.columns === 1) && have > want ? 'truncate' : undefined;
}

/** The shape in which two operands meet: the larger one where the other converts to it, else the smaller. */
export function combineShapes(left: NumericType, right: NumericType): NumericType | undefined {
  const isLeftLarger = componentCount(left) >= componentCount(right);
  const first = isLeftLarger ? left : right;
  const second = isLeftLarger ? right : left;
  // The larger operand is preferred only if the smaller splats; vectors of different size meet in the smaller.
  if (shapeStep(second, first) !== undefined) return first;
  return shapeStep(first, second) !== undefined ? second : undefined;
}

/** Is `base` among the bases of `derived`? */
export function derivesFrom(derived: StructType, base: StructType): boolean {
  return derived.members.some(
    (member) =>
      member.base === true &&
      member.type.kind === 'struct' &&
      (member.type === base || derivesFrom(member.type, base)),
  );
}

/** Scalars (or handles) of one type in a row. */
export interface LeafRun {
  type: Type;
  count: number;
}

/** More runs than this are not compared one by one: no real program has them. */
const runLimit = 1 << 16;

/** The leaves of a type in order, as runs, so that large arrays cost nothing. `undefined` if there are too many runs. */
export function leafRuns(type: Type): LeafRun[] | undefined {
  const runs: LeafRun[] = [];
  return addRuns(type, 1, runs) ? runs : undefined;
}

function addRuns(type: Type, times: number, runs: LeafRun[]): boolean {
  if (times === 0) return true;
  if (type.kind === 'array') {
    const inner: LeafRun[] = [];
    if (!addRuns(type.element, 1, inner)) return false;
    if (inner.length === 1) return addRun(inner[0]!.type, inner[0]!.count * type.size * times, runs);
    for (let n = type.size * times; n > 0 && inner.length > 0; n--) {
      for (const run of inner) if (!addRun(run.type, run.count, runs)) return false;
    }
    return true;
  }
  if (type.kind === 'struct') {
    for (let n = 0; n < times; n++) {
      for (const member of type.members) if (!addRuns(member.type, 1, runs)) return false;
    }
    return true;
  }
  if (type.kind === 'vector' || type.kind === 'matrix')
    return addRun(type.element, componentCount(type) * times, runs);
  return addRun(type, times, runs);
}

function addRun(type: Type, count: number, runs: LeafRun[]): boolean {
  const last = runs.at(-1);
  if (last && last.type === type) last.count += count;
  else if (count > 0) runs.push({ type, count });
  return runs.length <= runLimit;
}

/** Number of leaves: scalars, and handles counted as one. */
export function leafCount(type: Type): number {
  switch (type.kind) {
    case 'array':
      return type.size * leafCount(type.element);
    case 'struct':
      return type.members.reduce((sum, member) => sum + leafCount(member.type), 0);
    case 'scalar':
    case 'vector':
    case 'matrix':
      return componentCount(type);
    case 'void':
      return 0;
    default:
      return 1;
  }
}

/** How the leaves of one type fit those of another, in order. */
interface LeafComparison {
  convertible: boolean;
  /** Every leaf pair has one type. */
  equal: boolean;
}

/** Compares leaf by leaf up to the shorter side. */
export function compareLeaves(from: readonly LeafRun[], to: readonly LeafRun[]): LeafComparison {
  let equal = true;
  let i = 0;
  let j = 0;
  let usedFrom = 0;
  let usedTo = 0;
  while (i < from.length && j < to.length) {
    const a = from[i]!;
    const b = to[j]!;
    if (a.type !== b.type) {
      equal = false;
      if (!leafConverts(a.type, b.type)) return { convertible: false, equal };
    }
    const step = Math.min(a.count - usedFrom, b.count - usedTo);
    if ((usedFrom += step) === a.count) {
      i++;
      usedFrom = 0;
    }
    if ((usedTo += step) === b.count) {
      j++;
      usedTo = 0;
    }
  }
  return { convertible: true, equal };
}

/** Does one leaf (scalar, enumeration or handle) convert to another without a cast? */
export function leafConverts(from: Type, to: Type): boolean {
  if (from === to || from.kind === 'error' || to.kind === 'error') return true;
  if (to.kind !== 'scalar') return false;
  return from.kind === 'scalar' || (from.kind === 'enum' && !from.scoped);
}

export function isAggregate(type: Type): boolean {
  return type.kind === 'struct' || type.kind === 'array';
}

/**
 * Is there an implicit conversion? `strictStructs` is false up to HLSL 2018, where structs and arrays with the same
 * leaves convert to each other.
 */
export function convertsImplicitly(from: Type, to: Type, strictStructs = true): boolean {
  if (from === to || from.kind === 'error' || to.kind === 'error') return true;
  if (isNumeric(to)) {
    if (from.kind === 'enum') return !from.scoped;
    return isNumeric(from) && shapeStep(from, to) !== undefined;
  }
  if (from.kind === 'buffer' && (from.buffer === 'ConstantBuffer' || from.buffer === 'TextureBuffer'))
    return from.element === to;
  if (from.kind === 'struct' && to.kind === 'struct' && derivesFrom(from, to)) return true;
  if (!isAggregate(from) || !isAggregate(to)) return false;
  if (strictStructs && (from.kind === 'struct' || to.kind === 'struct')) return false;
  if (leafCount(from) !== leafCount(to)) return false;
  const a = leafRuns(from);
  const b = leafRuns(to);
  return a !== undefined && b !== undefined && compareLeaves(a, b).equal;
}

// ---- ranks

/** Each criterion has 6 bits, so that it outweighs up to 63 parameters of the lesser ones. */
const weight = (level: number) => 2 ** (6 * level);

/**
 * What an implicit conversion costs: 0 exact, larger worse, `undefined` impossible. Costs of the arguments of a call
 * add up; the overload with the least sum wins.
 */
export function conversionRank(from: Type, to: Type): number | undefined {
  if (from === to || from.kind === 'error' || to.kind === 'error') return 0;
  if (!convertsImplicitly(from, to, false)) return undefined;
  const source = elementOf(from);
  const target = elementOf(to);
  let rank = 0;
  const have = leafCount(from);
  const want = leafCount(to);
  if (have < want) rank += weight(0);
  if (have > want) rank += weight(7);
  if (!source || !target) return from.kind === 'buffer' ? weight(0) : rank;
  if (from.kind === 'enum') return rank + weight(6);
  const met = combineScalars(target, source);
  rank += step(target.name, met.name, 1);
  rank += step(met.name, source.name, 2);
  return rank;
}

/** Cost of `left` being made of `right`: a promotion, an integer cast or a cast, at levels 1, 3, 5 (or 2, 4, 6). */
function step(left: ScalarName, right: ScalarName, level: 1 | 2): number {
  if (left === right) return 0;
  if (promotes(right, left)) return weight(level);
  const a = properties[left];
  const b = properties[right];
  const integers =
    (a.class === 'int' || a.class === 'uint') &&
    (b.class === 'int' || b.class === 'uint') &&
    !a.min &&
    !b.min;
  if (integers && (a.literal || b.literal)) return 0;
  if (a.class === 'float' && b.class === 'float' && !a.min && !b.min && (a.literal || b.literal)) return 0;
  if (integers && a.bits === b.bits) return weight(level + 2);
  return weight(level + 4);
}

/** To a wider type of the same class; integers of either sign, unless of minimum precision. */
function promotes(from: ScalarName, to: ScalarName): boolean {
  const a = properties[from];
  const b = properties[to];
  if (a.bits === 0 || b.bits === 0) return false;
  if (a.class === 'float') {
    if (b.class !== 'float') return false;
    if (a.min)
      return from === 'min10float' ? to === 'min16float' || to === 'float16_t' || to === 'half' : !b.min;
    return !b.min && a.bits < b.bits;
  }
  if (b.class !== 'int' && b.class !== 'uint') return false;
  if (a.min) return a.class === b.class && a.bits < b.bits && (b.min === true || b.bits >= 32);
  return !b.min && a.bits < b.bits;
}
