/** What the module's functions hold, found in one walk: every question about the whole module asks this, and walks no code itself. */
import type { Function as IrFunction, Global, Instruction, Module } from '../ir/ir.ts';
import { isDebug } from '../ir/uses.ts';
import { walkFunction } from '../ir/walk.ts';

/** Of one function; lists are in textual order. */
export interface Contents {
  /** In order of their first call. */
  callees: Set<IrFunction>;
  /** Globals that instructions take, but for those whose counters they take. */
  globals: Set<Global>;
  intrinsics: Instruction[];
  loads: Instruction[];
  stores: Instruction[];
  /** Instructions that make pointers to resources and parts of them. */
  pointers: Instruction[];
  discards: boolean;
  /** Some instruction must not be changed by what arithmetic could do. */
  precise: boolean;
}

export type Survey = ReadonlyMap<IrFunction, Contents>;

export function survey({ functions }: Module): Survey {
  return new Map(functions.map((fn) => [fn, contentsOf(fn)]));
}

function contentsOf(fn: IrFunction): Contents {
  const made: Contents = {
    callees: new Set(),
    globals: new Set(),
    intrinsics: [],
    loads: [],
    stores: [],
    pointers: [],
    discards: false,
    precise: false,
  };
  walkFunction(fn, (instruction) => {
    if (isDebug(instruction)) return;
    if (instruction.precise) made.precise = true;
    const { op, operands } = instruction;
    if (op !== 'counter_pointer')
      for (let i = 0; i < operands.length; i++) {
        const operand = operands[i]!;
        if (operand.kind === 'global') made.globals.add(operand);
      }
    switch (op) {
      case 'load':
        made.loads.push(instruction);
        break;
      case 'store':
        made.stores.push(instruction);
        break;
      case 'access':
      case 'buffer_pointer':
      case 'counter_pointer':
      case 'texel':
        made.pointers.push(instruction);
        break;
      case 'intrinsic':
        made.intrinsics.push(instruction);
        break;
      case 'call':
        made.callees.add(instruction.callee!);
        break;
      case 'discard':
        made.discards = true;
        break;
    }
  });
  return made;
}
