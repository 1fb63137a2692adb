/**
 * Methods of structured and byte address buffers, all in terms of `buffer_pointer`, `counter_pointer` and atomics.
 *
 * The rows stand in alphabetical order.
 */
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementStride } from '../types/layout.ts';
import { type BufferType, elementOf, floatType, pointer, type ScalarType, uintType } from '../types/type.ts';
import { type AtomicOperation, atomic, atomicOperations, compareExchange } from './atomics.ts';
import { call, classOf, resultType } from './expansion.ts';
import { type Intrinsic, special } from './intrinsic.ts';
import { loadRaw, storageLayout, storeRaw, wordPointer } from './raw-memory.ts';
import { isCoherent } from './texture.ts';

const counted = ['RWStructuredBuffer', 'RasterizerOrderedStructuredBuffer'];
const readable = ['StructuredBuffer', ...counted];
const structured = [...readable, 'AppendStructuredBuffer', 'ConsumeStructuredBuffer'];
const writableBytes = ['RWByteAddressBuffer', 'RasterizerOrderedByteAddressBuffer'];
const bytes = ['ByteAddressBuffer', ...writableBytes];

function bufferOf(object: Value): BufferType {
  const type = object.type.kind === 'pointer' ? object.type.pointee : object.type;
  if (type.kind !== 'buffer') throw new InternalError('a buffer method without a buffer');
  return type;
}

/** Pointer to an element of a structured buffer. */
function elementPointer(builder: Builder, object: Value, index: Value): Value {
  const { element, matrixOrder } = bufferOf(object);
  return builder.bufferPointer(
    object,
    pointer('storage', element, storageLayout(builder), matrixOrder),
    index,
  );
}

/** Adds to the hidden counter; the value before. */
function count(builder: Builder, object: Value, by: 1 | -1): Value {
  return atomic(
    builder,
    'Add',
    true,
    builder.counterPointer(object, storageLayout(builder)),
    builder.int(by),
  );
}

/** The counter after one was taken off it. */
function countDown(builder: Builder, object: Value): Value {
  return builder.binary('sub', count(builder, object, -1), builder.int(1));
}

/** Out parameters of GetDimensions may be of any integer type. */
function storeUint(builder: Builder, place: Value, value: Value): void {
  if (place.type.kind !== 'pointer') throw new InternalError('a size needs a place');
  builder.store(place, builder.convert(value, elementOf(place.type.pointee) as ScalarType));
}

function length(builder: Builder, object: Value): Value {
  return call(builder, 'buffer.length', uintType, object);
}

function method(
  name: string,
  objects: readonly string[],
  overloads: readonly string[],
  more: Pick<Intrinsic, 'effects' | 'expand'>,
  suffix = '',
): Intrinsic {
  return { key: `buffer.${name}${suffix}`, name, objects, overloads, ...more };
}

function loadWords(name: string, result: string): Intrinsic {
  return method(
    name,
    bytes,
    [`${result} ${name}(uint byteOffset)`],
    {
      effects: 'reads',
      expand: (builder, [object, address], instruction) =>
        loadRaw(builder, object!, address!, resultType(instruction)),
    },
    name === 'Load' ? '.bytes' : '',
  );
}

function storeWords(name: string, value: string): Intrinsic {
  return method(name, writableBytes, [`void ${name}(uint byteOffset, ${value} value)`], {
    effects: 'writes',
    expand: (builder, [object, address, stored]) => {
      storeRaw(builder, object!, address!, stored!);
      return undefined;
    },
  });
}

function interlocked(operation: AtomicOperation): Intrinsic {
  const name = `Interlocked${operation}`;
  const original = operation === 'Exchange' ? 'out uint original' : 'out uint original?';
  return method(
    name,
    writableBytes,
    [`void ${name}(uint byteOffset, T value, ${original}) where T: int32 scalar`],
    {
      effects: 'atomic',
      expand: (builder, [object, address, value, out]) => {
        const place = wordPointer(builder, object!, address!);
        const old = atomic(
          builder,
          operation,
          classOf(value!) === 'int',
          place,
          builder.bitcast(value!, uintType),
        );
        if (out) builder.store(out, old);
        return undefined;
      },
    },
  );
}

/** Compare and exchange of a word; floats by their bits. */
function compared(name: string, type: 'uint' | 'float', original: boolean): Intrinsic {
  const out = original ? `, out ${type} original` : '';
  return method(
    name,
    writableBytes,
    [`void ${name}(uint byteOffset, ${type} compare, ${type} value${out})`],
    {
      effects: 'atomic',
      expand: (builder, [object, address, compare, value, place]) => {
        const word = wordPointer(builder, object!, address!);
        const old = compareExchange(
          builder,
          word,
          builder.bitcast(compare!, uintType),
          builder.bitcast(value!, uintType),
        );
        if (place) builder.store(place, type === 'float' ? builder.bitcast(old, floatType) : old);
        return undefined;
      },
    },
  );
}

const exchangeFloat = method(
  'InterlockedExchangeFloat',
  writableBytes,
  ['void InterlockedExchangeFloat(uint byteOffset, float value, out float original)'],
  {
    effects: 'atomic',
    expand: (builder, [object, address, value, out]) => {
      const old = atomic(
        builder,
        'Exchange',
        false,
        wordPointer(builder, object!, address!),
        builder.bitcast(value!, uintType),
      );
      builder.store(out!, builder.bitcast(old, floatType));
      return undefined;
    },
  },
);

const [interlockedAdd, interlockedAnd, interlockedMax, interlockedMin, interlockedOr, interlockedXor] =
  atomicOperations.map(interlocked) as [Intrinsic, Intrinsic, Intrinsic, Intrinsic, Intrinsic, Intrinsic];

export const bufferRows: readonly Intrinsic[] = [
  method('Append', ['AppendStructuredBuffer'], ['void Append(element value)'], {
    effects: 'atomic',
    expand: (builder, [object, value]) => {
      const index = builder.bitcast(count(builder, object!, 1), uintType);
      builder.store(elementPointer(builder, object!, index), value!, isCoherent(object!));
      return undefined;
    },
  }),
  method('Consume', ['ConsumeStructuredBuffer'], ['element Consume()'], {
    effects: 'atomic',
    expand: (builder, [object]) => {
      const index = builder.bitcast(countDown(builder, object!), uintType);
      return builder.load(elementPointer(builder, object!, index), isCoherent(object!));
    },
  }),
  method('DecrementCounter', counted, ['uint DecrementCounter()'], {
    effects: 'atomic',
    expand: (builder, [object]) => builder.bitcast(countDown(builder, object!), uintType),
  }),
  method('GetDimensions', structured, ['void GetDimensions(out uint count, out uint stride)'], {
    effects: 'none',
    expand: (builder, [object, elements, stride]) => {
      const { element, matrixOrder } = bufferOf(object!);
      storeUint(builder, elements!, length(builder, object!));
      storeUint(
        builder,
        stride!,
        builder.uint(
          elementStride(element, storageLayout(builder), matrixOrder, builder.module.enable16BitTypes),
        ),
      );
      return undefined;
    },
  }),
  method(
    'GetDimensions',
    bytes,
    ['void GetDimensions(out uint size)'],
    {
      effects: 'none',
      expand: (builder, [object, size]) => {
        storeUint(builder, size!, builder.binary('shl', length(builder, object!), builder.uint(2)));
        return undefined;
      },
    },
    '.bytes',
  ),
  method('IncrementCounter', counted, ['uint IncrementCounter()'], {
    effects: 'atomic',
    expand: (builder, [object]) => builder.bitcast(count(builder, object!, 1), uintType),
  }),
  interlockedAdd,
  interlockedAnd,
  compared('InterlockedCompareExchange', 'uint', true),
  compared('InterlockedCompareExchangeFloatBitwise', 'float', true),
  compared('InterlockedCompareStore', 'uint', false),
  compared('InterlockedCompareStoreFloatBitwise', 'float', false),
  interlocked('Exchange'),
  exchangeFloat,
  interlockedMax,
  interlockedMin,
  interlockedOr,
  interlockedXor,
  {
    key: 'buffer.length',
    name: '',
    objects: [...structured, ...bytes],
    overloads: ['uint buffer.length()'],
    effects: 'none',
    spirv: special('array-length'),
  },
  method('Load', readable, ['element Load(int index)'], {
    effects: 'reads',
    expand: (builder, [object, index]) =>
      builder.load(elementPointer(builder, object!, index!), isCoherent(object!)),
  }),
  loadWords('Load', 'template'),
  loadWords('Load2', 'uint2'),
  loadWords('Load3', 'uint3'),
  loadWords('Load4', 'uint4'),
  storeWords('Store', 'template'),
  storeWords('Store2', 'uint2'),
  storeWords('Store3', 'uint3'),
  storeWords('Store4', 'uint4'),
];

/** Not without seeing the buffer as one of 64-bit integers besides. */
export const wideAtomicRows: readonly Intrinsic[] = [
  'Add',
  'And',
  'CompareExchange',
  'CompareStore',
  'Exchange',
  'Max',
  'Min',
  'Or',
  'Xor',
].map((name) => ({
  key: `buffer.Interlocked${name}64`,
  name: `Interlocked${name}64`,
  objects: writableBytes,
  overloads: [],
  effects: 'atomic',
  refused: 'the words of byte address buffers have 32 bits',
}));
