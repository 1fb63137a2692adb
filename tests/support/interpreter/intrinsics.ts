/**
 * Intrinsic calls. Rows that a scalar `fold` describes use it, component by component; what looks at whole vectors, at
 * memory or at other invocations is defined here.
 */

import { foldIntrinsic } from '../../../src/intrinsics/fold.ts';
import { intrinsicByKey } from '../../../src/intrinsics/table.ts';
import type { ScalarTree } from '../../../src/ir/arithmetic.ts';
import type { Instruction, ScalarValue } from '../../../src/ir/ir.ts';
import { elementOf, type Type } from '../../../src/types/type.ts';
import { halfToNumber, numberToHalf } from '../resources.ts';
import { binary, bitsOf, convert, fromBits } from './arithmetic.ts';
import { callAtomic, isAtomic } from './atomics.ts';
import { callBufferMethod } from './buffers.ts';
import { asPointer, store, uses16BitTypes } from './memory.ts';
import { callTextureMethod } from './textures.ts';
import type { Running, Thread } from './thread.ts';
import {
  asList,
  asNumber,
  type Datum,
  fail,
  isList,
  map,
  normalize,
  numbers,
  type ScalarShape,
  shapeOfType,
} from './value.ts';
import { callTogether, isTogether } from './wave.ts';

export function* callIntrinsic(
  instruction: Instruction,
  args: readonly Datum[],
  thread: Thread,
): Running<Datum | undefined> {
  const key = instruction.intrinsic ?? fail('an intrinsic without a key');
  // Rows for different objects have a third part: `texture.Load.plain`.
  const [family, method = family] = key.split('.');
  const shape = shapeOfOperand(instruction, 0);
  if (family === 'buffer') return callBufferMethod(instruction, key, args, thread);
  if (family === 'atomic' || isAtomic(method!)) return callAtomic(method!, instruction, args, thread);
  if (family === 'texture') return yield* callTextureMethod(instruction, method!, args, thread);
  if (isTogether(key)) return yield* callTogether(key, args, shape, thread);
  const folded = fold(instruction, key, args);
  if (folded !== undefined) return folded;
  const own = definitions[key] ?? fail(`the interpreter has no definition of the intrinsic '${key}'`);
  return own({ instruction, args, thread, shape, resultType: instruction.results[0]?.type });
}

function shapeOfOperand(instruction: Instruction, index: number): ScalarShape | undefined {
  const type = instruction.operands[index]?.type;
  return type && elementOf(type) ? shapeOfType(type, uses16BitTypes()) : undefined;
}

/** As the row defines it on constants, so that folding and running agree. */
function fold(instruction: Instruction, key: string, args: readonly Datum[]): Datum | undefined {
  const row = intrinsicByKey(key) ?? fail(`there is no intrinsic '${key}'`);
  const result = instruction.results[0];
  if (!result) return undefined;
  const given = args.map((arg, i) => ({ type: instruction.operands[i]!.type, value: arg as ScalarTree }));
  return foldIntrinsic(row, given, result.type, uses16BitTypes());
}

// ---- definitions

interface Call {
  instruction: Instruction;
  args: readonly Datum[];
  thread: Thread;
  /** Of operand 0, if it is numeric. */
  shape: ScalarShape | undefined;
  resultType: Type | undefined;
}

type Definition = (call: Call) => Datum | undefined;

const shapeOf = (call: Call): ScalarShape =>
  call.shape ?? fail(`${call.instruction.intrinsic} needs a number`);
const resultShape = (call: Call): ScalarShape =>
  shapeOfType(call.resultType ?? fail('no result'), uses16BitTypes());
const vectorOf = (value: Datum): readonly Datum[] => (isList(value) ? value : [value]);

function dot(a: readonly Datum[], b: readonly Datum[], shape: ScalarShape): ScalarValue {
  let sum = normalize(0, shape);
  a.forEach((x, i) => {
    const product = binary['mul']!(x as ScalarValue, b[i] as ScalarValue, shape);
    sum = binary['add']!(sum, product, shape);
  });
  return sum;
}

const round = (value: number, call: Call): ScalarValue => normalize(value, shapeOf(call));

/** Rows by columns; vectors are a row on the left side and a column on the right. */
function mul(call: Call): Datum {
  const [a, b] = call.args as [Datum, Datum];
  const shape = shapeOf(call);
  const [ta, tb] = call.instruction.operands.map((operand) => operand.type.kind);
  const product = (x: Datum, y: Datum): Datum => map([x, y], (p, q) => binary['mul']!(p!, q!, shape));
  if (ta === 'scalar' || tb === 'scalar') return product(a, b);
  const columns = (m: Datum): Datum[][] => transpose(asList(m));
  if (ta === 'vector' && tb === 'vector') return dot(asList(a), asList(b), shape);
  if (ta === 'vector') return columns(b).map((column) => dot(asList(a), column, shape));
  if (tb === 'vector') return asList(a).map((row) => dot(asList(row), asList(b), shape));
  return asList(a).map((row) => columns(b).map((column) => dot(asList(row), column, shape)));
}

function transpose(rows: readonly Datum[]): Datum[][] {
  const first = asList(rows[0]!);
  return first.map((_, c) => rows.map((row) => asList(row)[c]!));
}

/** Splits and writes one part through the pointer in operand 1. */
function modf(call: Call): Datum {
  const whole = map([call.args[0]!], (x) => Math.trunc(Number(x)));
  storeConverted(call, 1, whole);
  return map([call.args[0]!], (x) => normalize(Number(x) - Math.trunc(Number(x)), shapeOf(call)));
}

/** Mantissa in [0.5, 1) with the value's sign; D3D writes the exponent as a float. */
function frexp(call: Call): Datum {
  const exponent = (x: number): number =>
    x === 0 || !Number.isFinite(x) ? 0 : Math.floor(Math.log2(Math.abs(x))) + 1;
  storeConverted(
    call,
    1,
    map([call.args[0]!], (x) => exponent(Number(x))),
  );
  return map([call.args[0]!], (x) => normalize(Number(x) / 2 ** exponent(Number(x)), shapeOf(call)));
}

/** Stores a value of doubles through operand `index` in the pointee's own type. */
function storeConverted(call: Call, index: number, value: Datum): void {
  const type = call.instruction.operands[index]!.type;
  const pointee = type.kind === 'pointer' ? type.pointee : fail('a place was expected');
  const shape = shapeOfType(pointee, uses16BitTypes());
  store(
    asPointer(call.args[index]!),
    map([value], (x) => normalize(x!, shape)),
  );
}

const float32: ScalarShape = { class: 'float', bits: 32 };
const float64: ScalarShape = { class: 'float', bits: 64 };
const uint32: ScalarShape = { class: 'uint', bits: 32 };

function reinterpret(call: Call): Datum {
  const [from, to] = [shapeOf(call), resultShape(call)];
  return map([call.args[0]!], (x) => fromBits(bitsOf(x!, from), to));
}

/** `asuint(double, out low, out high)`; with one operand as the others. */
function asuint(call: Call): Datum | undefined {
  if (call.args.length === 1) return reinterpret(call);
  const half = (shift: bigint): Datum =>
    map([call.args[0]!], (x) => Number(BigInt.asUintN(32, bitsOf(x!, float64) >> shift)));
  store(asPointer(call.args[1]!), half(0n));
  store(asPointer(call.args[2]!), half(32n));
  return undefined;
}

function lit(call: Call): Datum {
  const [l, h, m] = numbers(call.args) as [number, number, number];
  const specular = l < 0 || h < 0 ? 0 : h ** m;
  return [1, Math.max(l, 0), specular, 1].map((value) => round(value, call));
}

function distanceVector(call: Call): Datum {
  const [a, b] = call.args.map(numbers) as [number[], number[]];
  return [1, a[1]! * b[1]!, a[2]!, b[3]!].map((value) => round(value, call));
}

function clip(call: Call): undefined {
  if (numbers(call.args[0]!).some((x) => x < 0)) call.thread.demoted = true;
  return undefined;
}

/** Sum of byte products on top of an accumulator. */
function dot4(signed: boolean): Definition {
  return ({ args }) => {
    const [a, b, accumulator] = numbers(args) as [number, number, number];
    const byte = (word: number, i: number): number =>
      signed ? (word << (24 - 8 * i)) >> 24 : (word >>> (8 * i)) & 255;
    const sum = [0, 1, 2, 3].reduce((all, i) => all + byte(a, i) * byte(b, i), accumulator);
    return normalize(sum, signed ? { class: 'int', bits: 32 } : uint32);
  };
}

/** Sums of absolute byte differences against a sliding source; bytes of 0 in the reference do not count. */
function msad4(call: Call): Datum {
  const reference = asNumber(call.args[0]!);
  const [low, high] = numbers(call.args[1]!) as [number, number];
  const accumulator = numbers(call.args[2]!);
  const source = (BigInt(high) << 32n) | BigInt(low);
  return accumulator.map((start, k) => {
    const word = Number((source >> BigInt(8 * k)) & 0xffffffffn);
    let sum = start;
    for (let i = 0; i < 4; i++) {
      const a = (reference >>> (8 * i)) & 255;
      if (a !== 0) sum += Math.abs(a - ((word >>> (8 * i)) & 255));
    }
    return normalize(sum, uint32);
  });
}

const definitions: Record<string, Definition> = {
  asdouble: ({ args }) =>
    map(args, (low, high) => fromBits((BigInt(Number(high)) << 32n) | BigInt(Number(low)), float64)),
  asfloat: reinterpret,
  asint: reinterpret,
  asuint,
  asfloat16: reinterpret,
  asint16: reinterpret,
  asuint16: reinterpret,
  'bits.pack-half': ({ args }) => {
    const [low, high] = numbers(args[0]!).map((x) => numberToHalf(Math.fround(x))) as [number, number];
    return normalize(low | (high << 16), uint32);
  },
  'bits.unpack-half': ({ args }) => {
    const word = asNumber(args[0]!);
    return [halfToNumber(word & 0xffff), halfToNumber(word >>> 16)];
  },
  clip,
  D3DCOLORtoUBYTE4: ({ args }) => {
    const [x, y, z, w] = numbers(args[0]!) as [number, number, number, number];
    return [z, y, x, w].map((value) => convert(value * 255.001953, float32, { class: 'int', bits: 32 }));
  },
  dot: (call) => dot(vectorOf(call.args[0]!), vectorOf(call.args[1]!), shapeOf(call)),
  dot2add: ({ args }) => {
    const [a, b] = args.map(numbers) as [number[], number[]];
    return Math.fround(a[0]! * b[0]! + a[1]! * b[1]! + asNumber(args[2]!));
  },
  dot4add_u8packed: dot4(false),
  dot4add_i8packed: dot4(true),
  dst: distanceVector,
  frexp,
  lit,
  mad: ({ args, shape }) =>
    map(args, (a, b, c) => binary['add']!(binary['mul']!(a!, b!, shape!), c!, shape!)),
  modf,
  msad4,
  mul,
  IsHelperLane: ({ thread }) => thread.demoted,
  CheckAccessFullyMapped: () => true,
  sincos: (call) => {
    storeConverted(
      call,
      1,
      map([call.args[0]!], (x) => Math.sin(Number(x))),
    );
    storeConverted(
      call,
      2,
      map([call.args[0]!], (x) => Math.cos(Number(x))),
    );
    return undefined;
  },
  select: ({ args }) => {
    const pick = (c: Datum, a: Datum, b: Datum): Datum =>
      isList(c) ? c.map((one, i) => pick(one, asList(a)[i]!, asList(b)[i]!)) : c ? a : b;
    return pick(args[0]!, args[1]!, args[2]!);
  },
};
