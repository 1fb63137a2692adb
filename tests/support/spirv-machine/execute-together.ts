/** Instructions for which invocations meet: barriers, derivatives, operations across a wave. */
import { families } from '../../../src/intrinsics/table.ts';
import type { ReadInstruction } from '../../../src/spirv/debug-reader.ts';
import { Op, Scope } from '../../../src/spirv/enums.ts';
import { elementOf, type Type } from '../../../src/types/type.ts';
import type { Running } from '../interpreter/thread.ts';
import { asNumber, fail, type ScalarShape, shapeOfType } from '../interpreter/value.ts';
import { callTogether } from '../interpreter/wave.ts';
import type { Frame } from './execute.ts';
import { typeOf } from './memory.ts';
import { opName } from './operations.ts';

const derivatives = new Map<number, string>([
  [Op.DPdx, 'ddx'],
  [Op.DPdy, 'ddy'],
  [Op.Fwidth, 'fwidth'],
  [Op.DPdxFine, 'ddx_fine'],
  [Op.DPdyFine, 'ddy_fine'],
  [Op.FwidthFine, 'fwidth'],
  [Op.DPdxCoarse, 'ddx_coarse'],
  [Op.DPdyCoarse, 'ddy_coarse'],
  [Op.FwidthCoarse, 'fwidth'],
]);

export function isTogether(op: number): boolean {
  return op === Op.ControlBarrier || derivatives.has(op) || opName(op).startsWith('GroupNonUniform');
}

const operations = ['Reduce', 'InclusiveScan', 'ExclusiveScan'];

/** The intrinsic that is spelled as the instruction. */
function waveKey(name: string, operation: string | undefined): string {
  for (const { key, spirv } of Object.values(families).flat()) {
    if (spirv?.kind !== 'group' || spirv.operation !== operation) continue;
    const names = typeof spirv.name === 'string' ? [spirv.name] : Object.values(spirv.name);
    if (names.includes(`Op${name}`)) return key;
  }
  return fail(`the machine does not know Op${name}`);
}

function shapeOf(type: Type): ScalarShape | undefined {
  return elementOf(type) ? shapeOfType(type, true) : undefined;
}

export function* runTogetherOp(frame: Frame, { op, words: w, at }: ReadInstruction): Running<void> {
  frame.thread.path.splice(0, frame.thread.path.length, ...frame.path(at));
  if (op === Op.ControlBarrier) {
    if (asNumber(frame.value(w[0]!)) === Scope.Workgroup) yield { kind: 'barrier' };
    return;
  }
  const result = typeOf(frame.machine.program, w[0]!);
  const derivative = derivatives.get(op);
  if (derivative) {
    const value = yield* callTogether(derivative, [frame.value(w[2]!)], shapeOf(result), frame.thread);
    frame.registers.set(w[1]!, value!);
    return;
  }
  const name = opName(op);
  const hasOperation = w.length > 4 && /(Add|Mul|Min|Max|And|Or|Xor|BitCount)$/.test(name);
  const key = waveKey(name, hasOperation ? operations[w[3]!] : undefined);
  const args = [...w.subarray(hasOperation ? 4 : 3)].map((id) => frame.value(id));
  const shape = args.length > 0 ? shapeOf(frame.type(w[hasOperation ? 4 : 3]!)) : undefined;
  frame.registers.set(w[1]!, (yield* callTogether(key, args, shape, frame.thread))!);
}
