/** Intrinsics that take more than one call in Metal. */
import type { Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementStride } from '../types/layout.ts';
import { elementOf, type PointerType, scalarClass, type Type } from '../types/type.ts';
import { atomicPointer, guarded } from './calls.ts';
import { atom, binding, bound, named, operand, text, texts } from './code.ts';
import { type Expression, type FunctionContext, needVersion, report } from './context.ts';
import { bare, markedAs } from './marks.ts';
import { bufferSize } from './resources.ts';
import { partText, typeText } from './types.ts';

type Maker = (f: FunctionContext, instruction: Instruction) => Expression | undefined;

const width = (type: Type) => (type.kind === 'vector' ? type.count : 1);
const shaped = (name: string, count: number) => (count === 1 ? name : `metal::${name}${count}`);

/** Metal has most functions of vectors for true vectors only. */
function vectorCall(name: string, scalar: (args: string[]) => string): Maker {
  return (f, { operands }) => {
    if (width(operands[0]!.type) > 1) return atom(`metal::${name}(${texts(f, operands).join(', ')})`);
    return atom(scalar(operands.map((value) => named(f, value))));
  };
}

/** Tests of the bits, which stay what they are when the compiler takes numbers for finite. */
function bitTest(sign: string): Maker {
  return (f, { operands }) => {
    const value = operands[0]!;
    const count = width(value.type);
    const isHalf = typeText(f, value.type).includes('half');
    const bitsType = shaped(isHalf ? 'ushort' : 'uint', count);
    const [mask, limit] = isHalf ? ['ushort(0x7fff)', 'ushort(0x7c00)'] : ['0x7fffffffu', '0x7f800000u'];
    const all = (one: string) => (count === 1 ? one : `${bitsType}(${one})`);
    return {
      text: `(metal::as_type<${bitsType}>(${text(f, value)}) & ${all(mask)}) ${sign} ${all(limit)}`,
      binding: binding.compare - 1,
      fixed: false,
    };
  };
}

const makers: Readonly<Record<string, Maker>> = {
  argument: (f, { operands }) => operand(f, operands[0]!),
  mul: multiplied,
  clamp: (f, { operands }) => {
    const isFloat = scalarClass(elementOf(operands[0]!.type)!) === 'float';
    if (isFloat && isAll(operands[1]!, 0) && isAll(operands[2]!, 1))
      return atom(`metal::saturate(${text(f, operands[0]!)})`);
    return atom(`metal::clamp(${texts(f, operands).join(', ')})`);
  },
  degrees: (f, { operands }) => scaled(f, operands[0]!, '57.2957795f'),
  radians: (f, { operands }) => scaled(f, operands[0]!, '0.0174532925f'),
  isnan: bitTest('>'),
  isinf: bitTest('=='),
  distance: vectorCall('distance', ([a, b]) => `metal::abs(${a} - ${b})`),
  length: vectorCall('length', ([a]) => `metal::abs(${a})`),
  normalize: vectorCall('normalize', ([a]) => `(${a} / metal::abs(${a}))`),
  reflect: vectorCall('reflect', ([i, n]) => `(${i} - 2.0f * ${n} * ${i} * ${n})`),
  refract: (f, { operands }) => {
    if (width(operands[0]!.type) === 1) {
      report(f, 'metal-not-yet', { what: "'refract' of scalars" });
    }
    return atom(`metal::refract(${texts(f, operands).join(', ')})`);
  },
  faceforward: vectorCall('faceforward', ([n, i, g]) => `(${i} * ${g} < 0.0f ? ${n} : -${n})`),
  'pack-half': (f, { operands }) => atom(`metal::as_type<uint>(metal::half2(${text(f, operands[0]!)}))`),
  'unpack-half': (f, { operands }) =>
    atom(`metal::float2(metal::as_type<metal::half2>(${text(f, operands[0]!)}))`),
  countbits: (f, { operands, results }) =>
    atom(`${typeText(f, results[0]!.type)}(metal::popcount(${text(f, operands[0]!)}))`),
  firstbitlow: (f, { operands, results }) =>
    bitSearch(f, operands[0]!, results[0]!.type, (x, all) => [`metal::ctz(${x})`, x, all]),
  firstbithigh: (f, { operands, results }) => {
    const signed = scalarClass(elementOf(operands[0]!.type)!) === 'int';
    return bitSearch(
      f,
      operands[0]!,
      results[0]!.type,
      (x, all) => [`(${all('31u')} - metal::clz(${x}))`, x, all],
      signed,
    );
  },
  log: logged,
  resident: (f, { operands }) => ({
    text: `${bound(operand(f, operands[0]!), binding.equal + 1)} != 0u`,
    binding: binding.equal,
    fixed: false,
  }),
  'compare-exchange': compareExchange,
  // Some devices do not take a discarded pixel for a helper.
  'is-helper': (f) =>
    f.discarded === undefined
      ? atom('metal::simd_is_helper_thread()')
      : { ...atom(`(${f.discarded} || metal::simd_is_helper_thread())`), fixed: true },
  'buffer-length': bufferLength,
  'quad-swap': (f, { operands, results }) => {
    const [value, direction] = operands as [Value, Value];
    const own = typeText(f, results[0]!.type);
    const isBool = own.includes('bool');
    const given = text(f, value);
    const wide = isBool ? `${own.replace('bool', 'uint')}(${given})` : given;
    // Directions 0, 1, 2 are across x, y and both.
    const made = `metal::quad_shuffle_xor(${wide}, ushort(${text(f, direction)} + 1u))`;
    return atom(isBool ? `${own}(${made})` : made);
  },
  ballot: (f, { operands }) => atom(`${ballotHelper(f)}(${text(f, operands[0]!)})`),
  'count-ballot': (f, { operands }) => {
    const ballot = named(f, operands[0]!);
    return atom(`(metal::popcount(${ballot}.x) + metal::popcount(${ballot}.y))`);
  },
  'count-ballot-before': (f, { operands }) =>
    atom(`${countBeforeHelper(f)}(${text(f, operands[0]!)}, ${f.builtins.get('thread_index_in_simdgroup')})`),
  'all-equal': (f, { operands }) => {
    const value = named(f, operands[0]!);
    const isBool = typeText(f, operands[0]!.type).includes('bool');
    const own = isBool ? `uint(${value})` : value;
    return atom(`metal::simd_all(${own} == metal::simd_broadcast_first(${own}))`);
  },
};

/** True if every component of a constant is the number. */
function isAll(value: Value, number: number): boolean {
  if (value.kind !== 'constant') return false;
  const parts = typeof value.value === 'object' ? value.value : [value];
  return parts.every((part) => Object.is(part.value, number));
}

export function specialCall(
  f: FunctionContext,
  instruction: Instruction,
  name: string,
): Expression | undefined {
  const maker = makers[name];
  if (!maker) throw new InternalError(`no way is known to write '${name}'`, f.at);
  return maker(f, instruction);
}

/** A conversion of printf: flags, width and precision, how many components, length, letter. */
const conversion = /%([-+ #0]*[\d.]*)(v[234])?([lh]{0,2})([diouxXeEfFgGaA])|%%/g;

/** Metal's log takes numbers: a conversion of a vector becomes one of each component. The format is as in the source, with its escapes. */
function logged(f: FunctionContext, { operands, text: given }: Instruction): Expression {
  needVersion(f, 320, "'printf'");
  const format = (given ?? '').replace(
    conversion,
    (whole, flags: string, count: string, length: string, kind) =>
      count ? Array<string>(Number(count[1])).fill(`%${flags}${length}${kind}`).join(', ') : whole,
  );
  const values = operands.flatMap((value) => {
    const shown = named(f, value);
    if (value.type.kind !== 'vector' || value.type.count === 1) return [loggable(f, shown, value.type)];
    return Array.from({ length: value.type.count }, (_, i) =>
      loggable(f, partText(f, value.type, shown, i), value.type),
    );
  });
  return atom(`metal::os_log_default.log(${[`"${format}"`, ...values].join(', ')})`);
}

function loggable(f: FunctionContext, shown: string, type: Type): string {
  const element = elementOf(type);
  if (!element) {
    report(f, 'metal-lacks', { what: 'this type of value in the log' });
    return '0';
  }
  return scalarClass(element) === 'bool' ? `int(${shown})` : shown;
}

/** HLSL's rows are Metal's columns: factors change places. */
function multiplied(f: FunctionContext, { operands }: Instruction): Expression {
  const [a, b] = operands as [Value, Value];
  const [left, right] = [operand(f, a), operand(f, b)];
  const transposed = /^metal::transpose\(((?:[^()]|\([^()]*\))*)\)$/;
  const inner = (text: string): string | undefined => {
    const found = transposed.exec(bare(text))?.[1];
    return found === undefined ? undefined : markedAs(text, found);
  };
  const x = inner(left.text);
  const y = inner(right.text);
  const product = (first: string, second: string): Expression => ({
    text: `${first} * ${second}`,
    binding: binding.mul,
    fixed: false,
  });
  // A matrix that lies as its transpose is used as it lies.
  if (x !== undefined && b.type.kind === 'vector')
    return product(bound(atom(x), binding.mul), bound(right, binding.mul + 1));
  if (y !== undefined && a.type.kind === 'vector') return product(bound(left, binding.mul), y);
  return product(bound(right, binding.mul), bound(left, binding.mul + 1));
}

function scaled(f: FunctionContext, value: Value, by: string): Expression {
  const factor = typeText(f, value.type).includes('half') ? `half(${by})` : by;
  return { text: `${bound(operand(f, value), binding.mul)} * ${factor}`, binding: binding.mul, fixed: false };
}

/** All bits are set in the result where there is nothing to find. */
function bitSearch(
  f: FunctionContext,
  value: Value,
  result: Type,
  make: (x: string, all: (one: string) => string) => [string, string, unknown],
  signed = false,
): Expression {
  const count = width(value.type);
  const type = typeText(f, result);
  const given = named(f, value);
  const unsigned = shaped('uint', count);
  // Of negative numbers the highest bit that is not set is wanted.
  const searched = signed ? `${unsigned}(${given} ^ (${given} >> 31))` : `${unsigned}(${given})`;
  const all = (one: string) => (count === 1 ? one : `${unsigned}(${one})`);
  const [found] = make(searched, all);
  const none = all('0xffffffffu');
  const isZero = `${searched} == ${all('0u')}`;
  const made =
    count === 1 ? `(${isZero} ? ${none} : ${found})` : `metal::select(${found}, ${none}, ${isZero})`;
  return atom(type === unsigned ? made : `${type}(${made})`);
}

/** The weak exchange may fail without reason: it is tried again as long as it does. */
function compareExchange(f: FunctionContext, { operands }: Instruction): Expression {
  const [pointer, compare, value] = operands as [Value, Value, Value];
  const { pointee, space } = pointer.type as PointerType;
  const type = typeText(f, pointee);
  if (space === 'texel' || /long|float/.test(type)) {
    report(f, 'metal-not-yet', { what: 'comparing and exchanging texels and 64-bit numbers' });
    return atom(`${type}{}`);
  }
  const { place, text: at } = atomicPointer(f, pointer, type);
  const key = `compare-exchange ${place.space} ${type}`;
  let name = f.helpers.get(key);
  if (name === undefined) {
    name = f.names.unique('compare_exchange');
    f.helpers.set(key, name);
    f.helperTexts.push(
      `static ${type} ${name}(${place.space} metal::atomic_${type}* at, ${type} compare, ${type} desired) {\n` +
        `    ${type} found = compare;\n` +
        '    while (!metal::atomic_compare_exchange_weak_explicit(at, &found, desired, metal::memory_order_relaxed, metal::memory_order_relaxed) && found == compare) {\n' +
        '    }\n    return found;\n}\n',
    );
  }
  const made = atom(`${name}(${at}, ${text(f, compare)}, ${text(f, value)})`);
  return guarded(f, made, pointer, place);
}

/** Metal's buffers do not know their size: the host gives the bytes of each, by its index. */
function bufferLength(f: FunctionContext, { operands }: Instruction): Expression {
  const type = operands[0]!.type as PointerType;
  const buffer = type.pointee;
  if (buffer.kind !== 'buffer') throw new InternalError('the length of no buffer', f.at);
  const size = bufferSize(f, operands[0]!);
  const rule = f.module.memory?.storage ?? 'vulkan-storage';
  const stride = buffer.buffer.includes('ByteAddress')
    ? 4
    : elementStride(buffer.element, rule, buffer.matrixOrder, f.module.enable16BitTypes);
  return { text: `${size} / ${stride}u`, binding: binding.mul, fixed: false };
}

function ballotHelper(f: FunctionContext): string {
  return helper(
    f,
    'ballot',
    (name) =>
      `static metal::uint4 ${name}(bool condition) {\n    const ulong lanes = ulong(metal::simd_vote::vote_t(metal::simd_ballot(condition)));\n    return metal::uint4(uint(lanes), uint(lanes >> 32), 0u, 0u);\n}\n`,
  );
}

function countBeforeHelper(f: FunctionContext): string {
  return helper(
    f,
    'count_before',
    (name) =>
      `static uint ${name}(metal::uint4 ballot, uint lane) {\n    const ulong lanes = (ulong(ballot.y) << 32) | ulong(ballot.x);\n    return uint(metal::popcount(lanes & ((1ul << lane) - 1ul)));\n}\n`,
  );
}

function helper(f: FunctionContext, wanted: string, make: (name: string) => string): string {
  const known = f.helpers.get(wanted);
  if (known !== undefined) return known;
  const name = f.names.unique(wanted);
  f.helpers.set(wanted, name);
  f.helperTexts.push(make(name));
  return name;
}
