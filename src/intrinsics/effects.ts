/** What an instruction may do besides giving its results; passes decide by it what may vanish, merge or move. */
import type { Instruction, Value } from '../ir/ir.ts';
import { opcodeRow } from '../ir/walk.ts';
import type { AddressSpace, Type } from '../types/type.ts';
import { intrinsicOf } from './table.ts';

/** Memory that nothing writes while a shader runs. */
const readOnlySpaces: ReadonlySet<AddressSpace> = new Set<AddressSpace>([
  'input',
  'uniform',
  'push-constant',
  'resource',
]);

/** The global, `var`, parameter or other value at the start of a pointer. */
export function rootOf(pointer: Value): Value {
  while (
    pointer.kind === 'result' &&
    (pointer.instruction.op === 'access' ||
      pointer.instruction.op === 'buffer_pointer' ||
      pointer.instruction.op === 'counter_pointer' ||
      pointer.instruction.op === 'texel')
  )
    pointer = pointer.instruction.operands[0]!;
  return pointer;
}

function resourceBehind(type: Type): Type {
  while (type.kind === 'pointer' || type.kind === 'array') {
    if (type.kind === 'pointer') type = type.pointee;
    else type = type.element;
  }
  return type;
}

/** Memory that keeps its contents while the shader runs: constant buffers, inputs, read-only resources. */
export function isReadOnly(pointer: Value): boolean {
  if (pointer.type.kind !== 'pointer') return false;
  if (readOnlySpaces.has(pointer.type.space)) return true;
  if (pointer.type.space !== 'storage' && pointer.type.space !== 'texel') return false;
  const root = rootOf(pointer);
  if (root.type.kind !== 'pointer' || root.type.space !== 'resource') return false;
  const resource = resourceBehind(root.type);
  if (resource.kind === 'texture') return !resource.writable;
  return (
    resource.kind === 'buffer' &&
    (resource.buffer === 'StructuredBuffer' ||
      resource.buffer === 'ByteAddressBuffer' ||
      resource.buffer === 'TextureBuffer')
  );
}

/** A call of a row that gives a result and does nothing else, not even through a pointer into the function's memory. */
function isPureIntrinsic(instruction: Instruction): boolean {
  if (intrinsicOf(instruction).effects !== 'none') return false;
  return !instruction.operands.some(
    ({ type }) => type.kind === 'pointer' && type.space !== 'resource' && type.space !== 'input',
  );
}

/**
 * Depends on its operands alone (and on memory that nothing writes): equal ones give equal results, and it may be executed
 * less often, or later where its operands are still there. Loads are among them, which must not run where the source
 * would not have run them: an index may be out of bounds there.
 */
export function isPure(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'var':
      return false;
    case 'load':
      return !instruction.coherent && isReadOnly(instruction.operands[0]!);
    case 'intrinsic':
      return isPureIntrinsic(instruction);
    default:
      return opcodeRow(instruction).effects === 'none';
  }
}

/** May go when nothing uses its results. */
export function isRemovable(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'load':
      return true;
    case 'intrinsic': {
      const { effects } = intrinsicOf(instruction);
      if (effects !== 'none' && effects !== 'reads' && effects !== 'derivative' && effects !== 'wave')
        return false;
      return !instruction.operands.some(
        ({ type }) => type.kind === 'pointer' && type.space !== 'resource' && type.space !== 'input',
      );
    }
    default:
      return opcodeRow(instruction).effects === 'none';
  }
}
