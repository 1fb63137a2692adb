/** The methods of structured and byte address buffers, as the interpreter defines them. */
import type { Instruction } from '../../../src/ir/ir.ts';
import { elementStride } from '../../../src/types/layout.ts';
import { type BufferType, elementOf, type LayoutRule, type Type, uintType } from '../../../src/types/type.ts';
import type { BufferResource, TestResource } from '../resources.ts';
import { callByteAtomic, isAtomic } from './atomics.ts';
import {
  asPointer,
  type BytesPointer,
  defaultMatrixOrder,
  load,
  type ResourcePointer,
  storageLayout,
  store,
  uses16BitTypes,
} from './memory.ts';
import type { Thread } from './thread.ts';
import { asNumber, type Datum, fail, normalize, shapeOfType } from './value.ts';

interface Call {
  instruction: Instruction;
  pointer: ResourcePointer;
  type: BufferType;
  bytes: Uint8Array;
  args: readonly Datum[];
  thread: Thread;
}

/** Byte address buffers hold values as Direct3D's structured buffers do. */
const natural: LayoutRule = 'dx-structured';

/** `key` is `buffer.`, the method, and `.bytes` where methods of one name differ by object. Operand 0 is the object. */
export function callBufferMethod(
  instruction: Instruction,
  key: string,
  args: readonly Datum[],
  thread: Thread,
): Datum | undefined {
  const pointer = asPointer(args[0]!) as ResourcePointer;
  const bound = pointer.resource as TestResource;
  if (pointer.at !== 'resource' || pointer.type.kind !== 'buffer' || bound.kind !== 'buffer')
    return fail(`${key}: the object is not a buffer`);
  const call: Call = { instruction, pointer, type: pointer.type, bytes: bound.bytes, args, thread };
  const method = key.split('.')[1]!;
  if (isAtomic(method)) return callByteAtomic(method, instruction, args, bytesAt(call, uintType), thread);
  switch (method) {
    case 'Append':
      storeElement(call, counter(call, 1), args[1]!);
      return undefined;
    case 'Consume':
      return load(elementAt(call, counter(call, -1) - 1));
    case 'IncrementCounter':
      return counter(call, 1);
    case 'DecrementCounter':
      return normalize(counter(call, -1) - 1, { class: 'uint', bits: 32 });
    case 'GetDimensions':
      return dimensions(call);
    case 'length':
      return Math.floor(call.bytes.length / strideOf(call));
    default:
      return loadOrStore(call, method);
  }
}

function isByteAddress(type: BufferType): boolean {
  return type.buffer.includes('ByteAddress');
}

function strideOf({ type }: Call): number {
  return isByteAddress(type)
    ? 4
    : elementStride(type.element, storageLayout(), type.matrixOrder, uses16BitTypes());
}

function elementAt(call: Call, index: number): BytesPointer {
  const { type, bytes } = call;
  const order = type.matrixOrder ?? defaultMatrixOrder();
  return {
    at: 'bytes',
    bytes,
    offset: index * strideOf(call),
    type: type.element,
    rule: storageLayout(),
    order,
  };
}

function storeElement(call: Call, index: number, value: Datum): void {
  if (!call.thread.demoted) store(elementAt(call, index), value);
}

/** What lies at the byte offset in operand 1. */
function bytesAt({ bytes, args }: Call, type: Type): BytesPointer {
  return { at: 'bytes', bytes, offset: asNumber(args[1]!), type, rule: natural, order: defaultMatrixOrder() };
}

function loadOrStore(call: Call, method: string): Datum | undefined {
  const { instruction, args, type, thread } = call;
  if (method === 'Load' && !isByteAddress(type)) return load(elementAt(call, asNumber(args[1]!)));
  if (/^Load[234]?$/.test(method)) return load(bytesAt(call, instruction.results[0]!.type));
  if (!/^Store[234]?$/.test(method))
    return fail(`the interpreter has no definition of '${instruction.intrinsic}'`);
  if (!thread.demoted) store(bytesAt(call, instruction.operands[2]!.type), args[2]!);
  return undefined;
}

function dimensions(call: Call): undefined {
  const { args, bytes, type, instruction } = call;
  const stride = strideOf(call);
  const sizes = isByteAddress(type) ? [bytes.length] : [Math.floor(bytes.length / stride), stride];
  sizes.forEach((size, i) => {
    const place = instruction.operands[1 + i]!.type;
    if (place.kind !== 'pointer' || !elementOf(place.pointee)) fail('GetDimensions needs places');
    else store(asPointer(args[1 + i]!), normalize(size, shapeOfType(place.pointee, uses16BitTypes())));
  });
  return undefined;
}

/** Changes the hidden counter and gives what it was. */
function counter({ pointer, thread }: Call, change: number): number {
  const bound = pointer.counter as BufferResource | undefined;
  if (!bound) return fail(`no counter is bound to ${pointer.name}`);
  const view = new DataView(bound.bytes.buffer, bound.bytes.byteOffset);
  const old = view.getUint32(0, true);
  if (!thread.demoted) view.setUint32(0, old + change, true);
  return old;
}
