/**
 * Bits of integers, the same bits as another type, and values packed into words.
 *
 * SPIR-V counts and searches bits in 32-bit integers only: other widths are brought to that.
 *
 * The rows stand in alphabetical order.
 */
import { halfBits, halfOfBits } from '../ir/bits.ts';
import type { Builder } from '../ir/builder.ts';
import type { ScalarValue, Value } from '../ir/ir.ts';
import {
  floatType,
  intType,
  type MatrixType,
  type ScalarName,
  type ScalarType,
  scalar,
  scalarClass,
  type Type,
  uintType,
  vector,
  withElement,
} from '../types/type.ts';
import {
  bitsOf,
  byComponent,
  call,
  classOf,
  componentsOf,
  elementType,
  filled,
  gathered,
  resultType,
  sum,
} from './expansion.ts';
import { ext, type Intrinsic, keep, op } from './intrinsic.ts';

const uint2 = vector(uintType, 2);
const float2 = vector(floatType, 2);

/** The shape of a value with another element. */
function shaped(value: Value, element: ScalarType): Type {
  return withElement(value.type as MatrixType, element);
}

function binary(builder: Builder, operation: 'and' | 'or' | 'shl' | 'shr', value: Value, by: number): Value {
  return builder.binary(operation, value, filled(builder, value.type, by));
}

// ---- the same bits

function reinterpret(name: string, of: string, target: ScalarName): Intrinsic {
  return {
    key: name,
    name,
    overloads: [`T.${target} ${name}(T x) where T: ${of}!`],
    effects: 'none',
    expand: (builder, args) => asBits(builder, args[0]!, scalar(target)),
  };
}

/** `half` and `float` can be one type in the target, which has no cast between them. */
function asBits(builder: Builder, value: Value, element: ScalarType): Value {
  const bothFloats = classOf(value) === 'float' && scalarClass(element) === 'float';
  return bothFloats ? builder.convert(value, element) : builder.bitcast(value, shaped(value, element));
}

function expandAsuint(builder: Builder, args: readonly Value[]): Value | undefined {
  const [value, low, high] = args as [Value, Value?, Value?];
  if (!low || !high) return asBits(builder, value, uintType);
  const words = componentsOf(builder, value).map((part) => builder.bitcast(part, uint2));
  const half = (index: number) => words.map((pair) => builder.extract(pair, index));
  for (const [index, place] of [low, high].entries()) {
    const type = shaped(value, uintType);
    builder.store(place, type.kind === 'scalar' ? half(index)[0]! : builder.construct(type, half(index)));
  }
  return undefined;
}

// ---- counting and searching

type Integer = number | bigint;
const none = 0xffffffff;

function bitCount(x: Integer, bits: number): number {
  let count = 0;
  for (let rest = BigInt.asUintN(bits, BigInt(x)); rest; rest &= rest - 1n) count++;
  return count;
}

/** Negative numbers: the highest bit that is not set. */
function highestBit(x: Integer): number {
  const value = BigInt(x < 0 ? -BigInt(x) - 1n : x);
  return value === 0n ? none : value.toString(2).length - 1;
}

function lowestBit(x: Integer): number {
  const value = BigInt(x);
  return value === 0n ? none : bitCount((value & -value) - 1n, 64);
}

/** Bits of a 16-bit integer are seen as those of 32; `sign` spreads the topmost. */
function widened(builder: Builder, x: Value, sign: boolean): Value {
  const signed = classOf(x) === 'int';
  if (sign && signed) return builder.convert(x, intType);
  const unsigned = signed ? builder.bitcast(x, shaped(x, scalar('uint16_t'))) : x;
  return builder.convert(unsigned, uintType);
}

/** A row that stays for 32 bits; `wide` does it for one 64-bit scalar from its low and high word. */
function bitRow(
  name: string,
  overload: string,
  fold: (x: Integer, bits: number) => ScalarValue,
  spirv: Intrinsic['spirv'] & object,
  spreadSign: boolean,
  wide: (builder: Builder, low: Value, high: Value, x: Value) => Value,
): Intrinsic {
  return {
    key: name,
    name,
    overloads: [overload],
    effects: 'none',
    fold,
    spirv,
    expand: (builder, args, instruction) => {
      const x = args[0]!;
      const result = resultType(instruction);
      switch (bitsOf(builder, x)) {
        case 32:
          return keep;
        case 16:
          return call(builder, name, result, widened(builder, x, spreadSign));
        case 64:
          return byComponent(builder, result, [x], (part) => {
            const pair = builder.bitcast(part, uint2);
            return wide(builder, builder.extract(pair, 0), builder.extract(pair, 1), part);
          });
      }
    },
  };
}

function wideCount(builder: Builder, low: Value, high: Value): Value {
  return builder.binary(
    'add',
    call(builder, 'countbits', uintType, low),
    call(builder, 'countbits', uintType, high),
  );
}

function wideLow(builder: Builder, low: Value, high: Value): Value {
  const inHigh = call(builder, 'firstbitlow', uintType, high);
  const isThere = builder.compare('not_equal', high, builder.uint(0));
  const above = builder.select(isThere, builder.binary('add', inHigh, builder.uint(32)), builder.uint(none));
  return builder.select(
    builder.compare('not_equal', low, builder.uint(0)),
    call(builder, 'firstbitlow', uintType, low),
    above,
  );
}

function wideHigh(builder: Builder, low: Value, high: Value, x: Value): Value {
  if (classOf(x) === 'int') {
    // All ones if negative: what is looked for are then the zeros.
    const sign = builder.bitcast(
      builder.binary('shr', builder.bitcast(high, intType), builder.int(31)),
      uintType,
    );
    low = builder.binary('xor', low, sign);
    high = builder.binary('xor', high, sign);
  }
  const above = builder.binary('add', call(builder, 'firstbithigh', uintType, high), builder.uint(32));
  return builder.select(
    builder.compare('not_equal', high, builder.uint(0)),
    above,
    call(builder, 'firstbithigh', uintType, low),
  );
}

function reverse(x: Integer, bits: number): ScalarValue {
  let reversed = 0n;
  let rest = BigInt.asUintN(bits, BigInt(x));
  for (let i = 0; i < bits; i++) {
    reversed = (reversed << 1n) | (rest & 1n);
    rest >>= 1n;
  }
  return bits === 64 ? reversed : Number(reversed);
}

function expandReverse(builder: Builder, args: readonly Value[], result: Type): Value | typeof keep {
  const x = args[0]!;
  const reversed = (of: Value) => call(builder, 'reversebits', of.type, of);
  switch (bitsOf(builder, x)) {
    case 32:
      return keep;
    case 16: {
      const top = binary(builder, 'shr', reversed(widened(builder, x, false)), 16);
      return builder.convert(top, elementType(x));
    }
    case 64:
      return byComponent(builder, result, [x], (part) => {
        const pair = builder.bitcast(part, uint2);
        return builder.bitcast(reversed(builder.swizzle(pair, [1, 0])), elementType(x));
      });
  }
}

// ---- bytes in words

const bytes = [0, 1, 2, 3];

/** Byte `index` of a word as a uint, or as an int with its sign. */
function byteOf(builder: Builder, word: Value, index: number, signed: boolean): Value {
  if (!signed) return binary(builder, 'and', index ? binary(builder, 'shr', word, index * 8) : word, 255);
  const up = index === 3 ? word : binary(builder, 'shl', word, 24 - index * 8);
  return binary(builder, 'shr', builder.bitcast(up, shaped(word, intType)), 24);
}

function packed(builder: Builder, value: Value): Value {
  const parts = componentsOf(builder, builder.convert(value, uintType));
  const placed = parts.map((part, index) => {
    const low = binary(builder, 'and', part, 255);
    return index ? binary(builder, 'shl', low, index * 8) : low;
  });
  return placed.reduce((word, part) => builder.binary('or', word, part));
}

function pack(name: string, signature: string, limits?: readonly [number, number]): Intrinsic {
  return {
    key: name,
    name,
    overloads: [signature],
    effects: 'none',
    expand: (builder, args) => {
      const value = args[0]!;
      if (!limits) return packed(builder, value);
      const [least, most] = limits;
      const { type } = value;
      return packed(
        builder,
        call(builder, 'clamp', type, value, filled(builder, type, least), filled(builder, type, most)),
      );
    },
    shaderModel: 66,
  };
}

function unpack(name: string, signature: string, signed: boolean): Intrinsic {
  return {
    key: name,
    name,
    overloads: [signature],
    effects: 'none',
    expand: (builder, args, instruction) => {
      const element = elementType({ kind: 'undef', type: resultType(instruction) });
      const parts = bytes.map((index) => builder.convert(byteOf(builder, args[0]!, index, signed), element));
      return builder.construct(resultType(instruction), parts);
    },
    shaderModel: 66,
  };
}

function dot4add(name: string, signature: string, signed: boolean): Intrinsic {
  return {
    key: name,
    name,
    overloads: [signature],
    effects: 'none',
    expand: (builder, args) => {
      const [a, b, total] = args as [Value, Value, Value];
      const products = bytes.map((index) =>
        builder.binary('mul', byteOf(builder, a, index, signed), byteOf(builder, b, index, signed)),
      );
      return sum(builder, [total, ...products]);
    },
    shaderModel: 64,
  };
}

/** Sums of absolute differences of bytes at four alignments; bytes of the reference that are 0 count nothing. */
function expandMsad4(builder: Builder, args: readonly Value[]): Value {
  const [reference, source, accumulated] = args as [Value, Value, Value];
  const { type } = accumulated;
  const [low, high] = componentsOf(builder, source) as [Value, Value];
  const shifted = bytes.map((index) =>
    index === 0
      ? low
      : builder.binary(
          'or',
          binary(builder, 'shr', low, index * 8),
          binary(builder, 'shl', high, 32 - index * 8),
        ),
  );
  const windows = builder.construct(type, shifted);
  const differences = bytes.map((index) => {
    const own = builder.splat(type, byteOf(builder, reference, index, false));
    const other = byteOf(builder, windows, index, false);
    const difference = builder.binary(
      'sub',
      call(builder, 'max', type, own, other),
      call(builder, 'min', type, own, other),
    );
    return builder.select(
      builder.compare('equal', own, filled(builder, type, 0)),
      filled(builder, type, 0),
      difference,
    );
  });
  return sum(builder, [accumulated, ...differences]);
}

/** 64-bit sums of pairs of words, low word first. */
function expandAddUint64(builder: Builder, args: readonly Value[]): Value {
  const [a, b] = args.map((arg) => componentsOf(builder, arg)) as [Value[], Value[]];
  const words: Value[] = [];
  for (let i = 0; i + 1 < a.length; i += 2) {
    const low = builder.binary('add', a[i]!, b[i]!);
    const carry = builder.convert(builder.compare('less', low, a[i]!), uintType);
    words.push(low, builder.binary('add', builder.binary('add', a[i + 1]!, b[i + 1]!), carry));
  }
  return gathered(builder, words);
}

export const bitRows: readonly Intrinsic[] = [
  {
    key: 'AddUint64',
    name: 'AddUint64',
    overloads: ['uint2 AddUint64(uint2 a, uint2 b)', 'uint4 AddUint64(uint4 a, uint4 b)'],
    effects: 'none',
    expand: expandAddUint64,
  },
  {
    key: 'asdouble',
    name: 'asdouble',
    overloads: ['T.double asdouble(T lowbits, T highbits) where T: uint'],
    effects: 'none',
    expand: (builder, args, instruction) =>
      byComponent(builder, resultType(instruction), args, (low, high) =>
        builder.bitcast(builder.construct(uint2, [low!, high!]), scalar('double')),
      ),
  },
  reinterpret('asfloat', 'numeric32', 'float'),
  reinterpret('asfloat16', 'numeric16', 'float16_t'),
  reinterpret('asint', 'numeric32', 'int'),
  reinterpret('asint16', 'numeric16', 'int16_t'),
  {
    key: 'asuint',
    name: 'asuint',
    overloads: [
      'T.uint asuint(T x) where T: numeric32!',
      'void asuint(T d, out T.uint lowbits, out T.uint highbits) where T: double',
    ],
    effects: 'none',
    expand: expandAsuint,
  },
  reinterpret('asuint16', 'numeric16', 'uint16_t'),
  {
    key: 'bits.pack-half',
    name: '',
    overloads: ['uint bits.pack-half(float2 x)'],
    effects: 'none',
    foldWhole: (_: (x: number) => number, [low, high]: readonly [number, number]) =>
      (halfBits(low) | (halfBits(high) << 16)) >>> 0,
    spirv: ext('PackHalf2x16'),
  },
  {
    key: 'bits.unpack-half',
    name: '',
    overloads: ['float2 bits.unpack-half(uint x)'],
    effects: 'none',
    foldWhole: (_: (x: number) => number, x: number) => [halfOfBits(x & 0xffff), halfOfBits(x >>> 16)],
    spirv: ext('UnpackHalf2x16'),
  },
  bitRow('countbits', 'T.uint countbits(T x) where T: int', bitCount, op('OpBitCount'), false, wideCount),
  {
    key: 'D3DCOLORtoUBYTE4',
    name: 'D3DCOLORtoUBYTE4',
    overloads: ['int4 D3DCOLORtoUBYTE4(float4 x)'],
    effects: 'none',
    // The factor is Direct3D's: a little more than 255, so that 1 does not fall short of it.
    expand: (builder, args) => {
      const swapped = builder.swizzle(args[0]!, [2, 1, 0, 3]);
      return builder.convert(
        builder.binary('mul', swapped, filled(builder, swapped.type, 255.001953)),
        intType,
      );
    },
  },
  {
    key: 'dot2add',
    name: 'dot2add',
    overloads: ['float dot2add(T a, T b, float c) where T: floatlike 2'],
    effects: 'none',
    expand: (builder, args) => {
      const [a, b, total] = args as [Value, Value, Value];
      const products = builder.binary('mul', builder.convert(a, floatType), builder.convert(b, floatType));
      return sum(builder, [total, ...componentsOf(builder, products)]);
    },
    shaderModel: 64,
  },
  dot4add('dot4add_i8packed', 'int dot4add_i8packed(uint a, uint b, int c)', true),
  dot4add('dot4add_u8packed', 'uint dot4add_u8packed(uint a, uint b, uint c)', false),
  {
    key: 'f16tof32',
    name: 'f16tof32',
    overloads: ['T.float f16tof32(T x) where T: uint'],
    effects: 'none',
    fold: (x: number) => halfOfBits(x & 0xffff),
    expand: (builder, args, instruction) =>
      byComponent(builder, resultType(instruction), args, (part) =>
        builder.extract(call(builder, 'bits.unpack-half', float2, part), 0),
      ),
  },
  {
    key: 'f32tof16',
    name: 'f32tof16',
    overloads: ['T.uint f32tof16(T x) where T: float'],
    effects: 'none',
    fold: (x: number) => halfBits(x),
    expand: (builder, args, instruction) =>
      byComponent(builder, resultType(instruction), [builder.convert(args[0]!, floatType)], (part) =>
        call(builder, 'bits.pack-half', uintType, builder.construct(float2, [part, builder.float(0)])),
      ),
  },
  bitRow(
    'firstbithigh',
    'T.uint firstbithigh(T x) where T: int',
    highestBit,
    ext({ int: 'FindSMsb', uint: 'FindUMsb' }),
    true,
    wideHigh,
  ),
  bitRow('firstbitlow', 'T.uint firstbitlow(T x) where T: int', lowestBit, ext('FindILsb'), false, wideLow),
  {
    key: 'msad4',
    name: 'msad4',
    overloads: ['uint4 msad4(uint reference, uint2 source, uint4 accum)'],
    effects: 'none',
    expand: expandMsad4,
  },
  pack('pack_clamp_s8', 'uint pack_clamp_s8(T v) where T: sint16or32! 4', [-128, 127]),
  pack('pack_clamp_u8', 'uint pack_clamp_u8(T v) where T: sint16or32! 4', [0, 255]),
  pack('pack_s8', 'uint pack_s8(T v) where T: int16or32 4'),
  pack('pack_u8', 'uint pack_u8(T v) where T: int16or32 4'),
  {
    key: 'reversebits',
    name: 'reversebits',
    overloads: ['T reversebits(T x) where T: int'],
    effects: 'none',
    fold: reverse,
    spirv: op('OpBitReverse'),
    expand: (builder, args, instruction) => expandReverse(builder, args, resultType(instruction)),
  },
  unpack('unpack_s8s16', 'int16_t4 unpack_s8s16(uint packed)', true),
  unpack('unpack_s8s32', 'int4 unpack_s8s32(uint packed)', true),
  unpack('unpack_u8u16', 'uint16_t4 unpack_u8u16(uint packed)', false),
  unpack('unpack_u8u32', 'uint4 unpack_u8u32(uint packed)', false),
];
