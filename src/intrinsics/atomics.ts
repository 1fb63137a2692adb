/**
 * Interlocked functions on groupshared variables, buffers and texels. HLSL hands back the old value through an optional last
 * parameter; the `atomic.*` rows, which expansions leave, give it as their result.
 *
 * The rows stand in alphabetical order.
 */
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { Type } from '../types/type.ts';
import { call, classOf } from './expansion.ts';
import { type Intrinsic, refused } from './intrinsic.ts';

/** Operations on a place and a value, by the end of the functions' names. */
export const atomicOperations = ['Add', 'And', 'Max', 'Min', 'Or', 'Xor'] as const;
export type AtomicOperation = (typeof atomicOperations)[number] | 'Exchange';

/** The type of what a pointer points to. */
export function pointee(pointer: Value): Type {
  if (pointer.type.kind !== 'pointer') throw new InternalError('an atomic needs a pointer');
  return pointer.type.pointee;
}

/** The old value of the place. Whether a minimum or maximum is signed hangs on `signed`, not on the place's type. */
export function atomic(
  builder: Builder,
  operation: AtomicOperation,
  signed: boolean,
  place: Value,
  value: Value,
): Value {
  const name =
    operation === 'Min' || operation === 'Max'
      ? `${signed ? 's' : 'u'}${operation.toLowerCase()}`
      : operation.toLowerCase();
  return call(builder, `atomic.${name}`, pointee(place), place, value);
}

/** The old value of the place, which takes `value` if it held `compare`. */
export function compareExchange(builder: Builder, place: Value, compare: Value, value: Value): Value {
  return call(builder, 'atomic.compare-exchange', pointee(place), place, compare, value);
}

function interlocked(operation: AtomicOperation): Intrinsic {
  const exchange = operation === 'Exchange';
  const original = exchange ? 'out T original' : 'out T original?';
  return {
    key: `Interlocked${operation}`,
    name: `Interlocked${operation}`,
    overloads: [
      `void Interlocked${operation}(ref T destination, T value, ${original}) where T: ${exchange ? 'exchangeable' : 'atomic'}! scalar`,
    ],
    effects: 'atomic',
    expand: (builder, args) => {
      const [place, value, out] = args as [Value, Value, Value | undefined];
      const old = atomic(builder, operation, classOf(value) === 'int', place, value);
      if (out) builder.store(out, old);
      return undefined;
    },
  };
}

function row(name: string, op: string): Intrinsic {
  return {
    key: `atomic.${name}`,
    name: '',
    overloads: [`T atomic.${name}(ref T place, T value) where T: exchangeable! scalar`],
    effects: 'atomic',
    spirv: { kind: 'atomic', op },
  };
}

const noFloatCompare = 'Vulkan compares and exchanges integers only; a byte address buffer has the method';

export const atomicRows: readonly Intrinsic[] = [
  row('add', 'OpAtomicIAdd'),
  row('and', 'OpAtomicAnd'),
  {
    key: 'atomic.compare-exchange',
    name: '',
    overloads: ['T atomic.compare-exchange(ref T place, T compare, T value) where T: atomic! scalar'],
    effects: 'atomic',
    spirv: { kind: 'atomic', op: 'OpAtomicCompareExchange' },
  },
  row('exchange', 'OpAtomicExchange'),
  row('or', 'OpAtomicOr'),
  row('smax', 'OpAtomicSMax'),
  row('smin', 'OpAtomicSMin'),
  row('umax', 'OpAtomicUMax'),
  row('umin', 'OpAtomicUMin'),
  row('xor', 'OpAtomicXor'),
  interlocked('Add'),
  interlocked('And'),
  {
    key: 'InterlockedCompareExchange',
    name: 'InterlockedCompareExchange',
    overloads: [
      'void InterlockedCompareExchange(ref T destination, T compare, T value, out T original) where T: atomic! scalar',
    ],
    effects: 'atomic',
    expand: (builder, [place, compare, value, out]) => {
      builder.store(out!, compareExchange(builder, place!, compare!, value!));
      return undefined;
    },
  },
  refused('InterlockedCompareExchangeFloatBitwise', noFloatCompare),
  {
    key: 'InterlockedCompareStore',
    name: 'InterlockedCompareStore',
    overloads: [
      'void InterlockedCompareStore(ref T destination, T compare, T value) where T: atomic! scalar',
    ],
    effects: 'atomic',
    expand: (builder, [place, compare, value]) => {
      compareExchange(builder, place!, compare!, value!);
      return undefined;
    },
  },
  refused('InterlockedCompareStoreFloatBitwise', noFloatCompare),
  interlocked('Exchange'),
  interlocked('Max'),
  interlocked('Min'),
  interlocked('Or'),
  interlocked('Xor'),
];
