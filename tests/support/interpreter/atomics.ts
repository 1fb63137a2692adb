/** Interlocked functions, on variables, buffers and texels alike. */
import type { Instruction } from '../../../src/ir/ir.ts';
import { elementOf } from '../../../src/types/type.ts';
import { binary } from './arithmetic.ts';
import { asPointer, load, store, uses16BitTypes } from './memory.ts';
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
  ['InterlockedAdd', simple((old, shape, value) => binary['add']!(old, value!, shape))],
  ['InterlockedAnd', simple((old, shape, value) => binary['and']!(old, value!, shape))],
  ['InterlockedOr', simple((old, shape, value) => binary['or']!(old, value!, shape))],
  ['InterlockedXor', simple((old, shape, value) => binary['xor']!(old, value!, shape))],
  ['InterlockedMin', simple((old, _, value) => (value! < old ? value! : old))],
  ['InterlockedMax', simple((old, _, value) => (value! > old ? value! : old))],
  ['InterlockedExchange', simple((_, __, value) => value!)],
  ['InterlockedCompareExchange', exchange],
  ['InterlockedCompareStore', exchange],
  ['InterlockedCompareExchangeFloatBitwise', exchange],
  ['InterlockedCompareStoreFloatBitwise', exchange],
]);

/** Methods for 64 bits have a name of their own and do the same. */
export function atomicOf(name: string): Atomic | undefined {
  return table.get(name.replace(/64$/, ''));
}

/** Operands: the place, the values, then the place for the original value if the call has one. */
export function callAtomic(
  key: string,
  instruction: Instruction,
  args: readonly Datum[],
  thread: Thread,
): Datum | undefined {
  const { operands, update } = atomicOf(key) ?? fail(`no atomic ${key}`);
  const place = asPointer(args[0]!);
  const type = instruction.operands[0]!.type;
  const pointee =
    type.kind === 'pointer' && elementOf(type.pointee)
      ? type.pointee
      : fail(`${key}: the place is not a scalar`);
  const shape = shapeOfType(pointee, uses16BitTypes());
  const old = asScalar(load(place));
  const values = args.slice(1, 1 + operands).map((value) => normalize(asScalar(value), shape));
  const outside = place.at === 'bytes' || place.at === 'texel';
  if (!(thread.demoted && outside)) store(place, update(old, shape, ...values));
  const original = args[1 + operands];
  if (original !== undefined) store(asPointer(original), old);
  return instruction.results.length > 0 ? old : undefined;
}
