/** Atomic operations and barriers, with the scopes and semantics that DXC gives them. */
import { spokenName } from '../intrinsics/table.ts';
import type { Instruction, Value } from '../ir/ir.ts';
import { elementOf, type PointerType, scalarBits, typeName } from '../types/type.ts';
import { emit, emitResult, valueId } from './body.ts';
import { needCapability } from './capabilities.ts';
import { constantUint } from './constants.ts';
import { type FunctionContext, locationOf } from './context.ts';
import { Op, Scope, Semantics } from './enums.ts';
import { placeFor, pointeeTypeId, pointerId } from './memory.ts';
import type { OpNumber } from './sections.ts';
import { texelPointer } from './texels.ts';
import { valueTypeId } from './types.ts';

/** Operand 0 is the place; the old value is the result. */
export function emitAtomic(f: FunctionContext, instruction: Instruction, op: OpNumber): number | undefined {
  const [pointer, ...values] = instruction.operands as [Value, ...Value[]];
  const type = pointer.type as PointerType;
  const element = elementOf(type.pointee);
  if (!element) {
    f.log.report('spirv-atomic-type', locationOf(f), {
      name: spokenName(instruction),
      type: typeName(type.pointee),
    });
    return undefined;
  }
  if (scalarBits(element, f.module.enable16BitTypes) === 64) needCapability(f, 'Int64Atomics');
  const texel = pointer.kind === 'result' ? f.texels.get(pointer) : undefined;
  const id = texel
    ? texelPointer(f, texel, type.pointee)
    : pointerId(f, placeFor(f, pointer), pointeeTypeId(f, type));
  const scope = constantUint(f, type.space === 'workgroup' ? Scope.Workgroup : Scope.Device);
  const none = constantUint(f, 0);
  const ids = values.map((value) => valueId(f, value));
  const result = valueTypeId(f, type.pointee);
  if (op === Op.AtomicStore) {
    emit(f, op, id, scope, none, ...ids);
    return undefined;
  }
  // The IR has the value to compare first, SPIR-V last.
  if (op === Op.AtomicCompareExchange)
    return emitResult(f, op, result, id, scope, none, none, ids[1]!, ids[0]!);
  return emitResult(f, op, result, id, scope, none, ...ids);
}

export function emitBarrier(
  f: FunctionContext,
  execution: boolean,
  memory: 'workgroup' | 'device' | 'all',
): void {
  const device = Semantics.UniformMemory | Semantics.ImageMemory;
  const bits = {
    workgroup: Semantics.WorkgroupMemory,
    device,
    all: Semantics.WorkgroupMemory | device,
  }[memory];
  const scope = constantUint(f, memory === 'workgroup' ? Scope.Workgroup : Scope.Device);
  const semantics = constantUint(f, bits | Semantics.AcquireRelease);
  if (execution) emit(f, Op.ControlBarrier, constantUint(f, Scope.Workgroup), scope, semantics);
  else emit(f, Op.MemoryBarrier, scope, semantics);
}
