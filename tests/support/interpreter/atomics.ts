/** Interlocked functions, on variables, buffers and texels alike. */
import type { Instruction } from '../../../src/ir/ir.ts';
import { elementOf, type Type } from '../../../src/types/type.ts';
import { binary, bitsOf, fromBits } from './arithmetic.ts';
import { asPointer, load, type Pointer, store, uses16BitTypes } from './memory.ts';
import type { Thread } from './thread.ts';
import { asScalar, type Datum, fail, normalize, type ScalarShape, shapeOfType } from './value.ts';

type Scalar = ReturnType<typeof asScalar>;
type Update = (old: Scalar, shape: ScalarShape, ...operands: Scalar[]) => Scalar;

interface Atomic {
  /** Operands between the place and the place of the original value. */
  operands: number;
  update: Update;
}

const simple = (update: Update): Atomic => ({ operands: 1, update });
const exchange: Atomic = {
  operands: 2,
  update: (old, _, compare, value) => (old === compare ? value! : old),
};

const table = new Map<string, Atomic>([
  ['add', simple((old, shape, value) => binary['add']!(old, value!, shape))],
  ['and', simple((old, shape, value) => binary['and']!(old, value!, shape))],
  ['or', simple((old, shape, value) => binary['or']!(old, value!, shape))],
  ['xor', simple((old, shape, value) => binary['xor']!(old, value!, shape))],
  ['min', simple((old, _, value) => (value! < old ? value! : old))],
  ['max', simple((old, _, value) => (value! > old ? value! : old))],
  ['exchange', simple((_, __, value) => value!)],
  ['compare-exchange', exchange],
]);

/** `InterlockedCompareStore64` and `compare-exchange` alike to the operation's name. */
function operationOf(method: string): string {
  const name = method.replace(/^Interlocked/, '').replace(/(FloatBitwise|Float|64)$/, '');
  if (name === 'CompareStore' || name === 'CompareExchange') return 'compare-exchange';
  return name.toLowerCase();
}

export function isAtomic(method: string): boolean {
  return method.startsWith('Interlocked');
}

/** Changes the place and gives what it held. */
function perform(
  method: string,
  place: Pointer,
  shape: ScalarShape,
  values: readonly Datum[],
  thread: Thread,
): Scalar {
  // The rows behind the expansions say which minimum is meant: `smin`, `umin`.
  const [, sign, name = method] = /^([su])(min|max)$/.exec(method) ?? [];
  const { operands, update } = table.get(operationOf(name)) ?? fail(`no atomic ${method}`);
  if (values.length < operands) fail(`${method} lacks operands`);
  const working: ScalarShape = { ...shape, ...(sign && { class: sign === 's' ? 'int' : 'uint' }) };
  const old = asScalar(load(place));
  const given = values.slice(0, operands).map((value) => normalize(asScalar(value), working));
  const updated = update(normalize(old, working), working, ...given);
  const outside = place.at === 'bytes' || place.at === 'texel';
  if (!(thread.demoted && outside)) store(place, normalize(updated, shape));
  return old;
}

function pointeeOf(instruction: Instruction, operand: number): Type {
  const type = instruction.operands[operand]!.type;
  return type.kind === 'pointer' ? type.pointee : fail(`${instruction.intrinsic}: a place was expected`);
}

/** Operands: the place, the values, then the place for the original value if the call has one. */
export function callAtomic(
  method: string,
  instruction: Instruction,
  args: readonly Datum[],
  thread: Thread,
): Datum | undefined {
  const shape = shapeOfType(pointeeOf(instruction, 0), uses16BitTypes());
  const count = operationOf(method) === 'compare-exchange' ? 2 : 1;
  const old = perform(method, asPointer(args[0]!), shape, args.slice(1, 1 + count), thread);
  const original = args[1 + count];
  if (original !== undefined) store(asPointer(original), old);
  return instruction.results.length > 0 ? old : undefined;
}

const word: ScalarShape = { class: 'uint', bits: 32 };

/** The methods of byte address buffers: the object, a byte offset, the values, then the place for the original. */
export function callByteAtomic(
  method: string,
  instruction: Instruction,
  args: readonly Datum[],
  place: Pointer,
  thread: Thread,
): undefined {
  const shapes = instruction.operands.map(({ type }) =>
    elementOf(type) ? shapeOfType(type, uses16BitTypes()) : word,
  );
  const count = operationOf(method) === 'compare-exchange' ? 2 : 1;
  const values = args.slice(2, 2 + count);
  const shape = shapes[2]!;
  // Whether a minimum is signed hangs on the value; all else is done on the bits.
  const signed = shape.class === 'int';
  const bits = values.map((value) => fromBits(bitsOf(asScalar(value), shape), word));
  const minimum = /^Interlocked(Min|Max)$/.exec(method)?.[1]?.toLowerCase();
  const old = perform(minimum ? (signed ? 's' : 'u') + minimum : method, place, word, bits, thread);
  const original = args[2 + count];
  if (original === undefined) return undefined;
  const type = pointeeOf(instruction, 2 + count);
  store(asPointer(original), fromBits(bitsOf(old, word), shapeOfType(type, uses16BitTypes())));
  return undefined;
}
