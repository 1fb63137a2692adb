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
  const name = method.replace(/^Interlocked/, '').replace(/(FloatBitwise|64)$/, '');
  if (name === 'CompareStore' || name === 'CompareExchange') return 'compare-exchange';
  return name.toLowerCase();
}

export function isAtomic(method: string): boolean {
  return method.startsWith('Interlocked');
}

/** Operands: the place, the values, then the place for the original value if the call has one. */
export function callAtomic(
  method: string,
  instruction: Instruction,
  args: readonly Datum[],
  thread: Thread,
): Datum | undefined {
  // The rows behind the expansions say which minimum is meant: `smin`, `umin`.
  const [, sign, name = method] = /^([su])(min|max)$/.exec(method) ?? [];
  const { operands, update } = table.get(operationOf(name)) ?? fail(`no atomic ${method}`);
  const place = asPointer(args[0]!);
  const type = instruction.operands[0]!.type;
  const pointee =
    type.kind === 'pointer' && elementOf(type.pointee)
      ? type.pointee
      : fail(`${method}: the place is not a scalar`);
  const shape = shapeOfType(pointee, uses16BitTypes());
  const working: ScalarShape = { ...shape, ...(sign && { class: sign === 's' ? 'int' : 'uint' }) };
  const old = asScalar(load(place));
  const values = args.slice(1, 1 + operands).map((value) => normalize(asScalar(value), working));
  const updated = update(normalize(old, working), working, ...values);
  const outside = place.at === 'bytes' || place.at === 'texel';
  if (!(thread.demoted && outside)) store(place, normalize(updated, shape));
  const original = args[1 + operands];
  if (original !== undefined) store(asPointer(original), old);
  return instruction.results.length > 0 ? old : undefined;
}
