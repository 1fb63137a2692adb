/** What is known of a function before it is written: by it the text comes out as a person would have written it. */
import { intrinsicOf } from '../intrinsics/table.ts';
import { rootOf } from '../intrinsics/effects.ts';
import type {
  Block,
  DebugVariable,
  Instruction,
  Function as IrFunction,
  Parameter,
  Value,
} from '../ir/ir.ts';
import { isDebug } from '../ir/uses.ts';
import { walkFunction } from '../ir/walk.ts';

export interface FunctionFacts {
  /** Uses of each value still to come. */
  left: Map<Value, number>;
  /** The block in which a value's only user stands, and that user. */
  userBlocks: Map<Value, Block>;
  users: Map<Value, Instruction>;
  /** Variables of the source by the values that they hold, or the places that they are. */
  variables: Map<Value, DebugVariable>;
  /** Parameters that are the variables which nothing but they are first stored to. */
  ownParameters: Map<Value, Parameter>;
  /** Stores that need not be written, for a parameter is its variable; and extracts, for the whole vector is written. */
  skipped: Set<Instruction>;
  /** Variables whose first use is a store, in a block that has all their uses: there they are declared. */
  late: Map<Value, Instruction>;
  /** Operands of vectors that are put together, where all components of another are one of them. */
  wholes: Map<Instruction, readonly Value[]>;
}

export function analyze(fn: IrFunction): FunctionFacts {
  const facts: FunctionFacts = {
    left: new Map(),
    userBlocks: new Map(),
    users: new Map(),
    variables: new Map(),
    ownParameters: new Map(),
    skipped: new Set(),
    late: new Map(),
    wholes: new Map(),
  };
  countUses(fn, facts);
  joinWholes(fn, facts);
  findDeclarations(fn, facts);
  return facts;
}

function countUses(fn: IrFunction, { left, userBlocks, users, variables }: FunctionFacts): void {
  walkFunction(fn, (instruction, block) => {
    if (isDebug(instruction)) {
      const value = instruction.operands[0]!;
      const isWhole = (instruction.indices?.length ?? 0) === 0;
      if (value.kind !== 'constant' && instruction.variable && isWhole && !variables.has(value))
        variables.set(value, instruction.variable);
      return;
    }
    for (const operand of instruction.operands) {
      if (operand.kind === 'constant' || operand.kind === 'undef') continue;
      left.set(operand, (left.get(operand) ?? 0) + 1);
      userBlocks.set(operand, block);
      users.set(operand, instruction);
    }
  });
}

/** All components of a vector in order, taken for one construct alone, are the vector. */
function joinWholes(fn: IrFunction, { left, userBlocks, users, skipped, wholes }: FunctionFacts): void {
  walkFunction(fn, (instruction, block) => {
    if (instruction.op !== 'construct' || instruction.results[0]!.type.kind !== 'vector') return;
    const operands: Value[] = [];
    let isJoined = false;
    for (let i = 0; i < instruction.operands.length; ) {
      const first = instruction.operands[i]!;
      const whole = componentOf(first, 0);
      const count = whole?.type.kind === 'vector' ? whole.type.count : 0;
      const taken = instruction.operands.slice(i, i + count);
      const isWhole =
        count > 1 &&
        taken.length === count &&
        taken.every((one, n) => componentOf(one, n) === whole && left.get(one) === 1);
      if (!isWhole || !whole) {
        operands.push(first);
        i++;
        continue;
      }
      for (const one of taken) if (one.kind === 'result') skipped.add(one.instruction);
      left.set(whole, left.get(whole)! - count + 1);
      if (left.get(whole) === 1) {
        userBlocks.set(whole, block);
        users.set(whole, instruction);
      }
      operands.push(whole);
      isJoined = true;
      i += count;
    }
    if (isJoined) wholes.set(instruction, operands);
  });
}

/** The vector of which a value is the given component. */
function componentOf(value: Value, index: number): Value | undefined {
  if (value.kind !== 'result' || value.instruction.op !== 'extract') return undefined;
  const { indices, operands } = value.instruction;
  return indices?.length === 1 && indices[0] === index && operands[0]!.type.kind === 'vector'
    ? operands[0]
    : undefined;
}

/** Of each variable: where it is used first, and how often in the block of that use and in what is nested there. */
function findDeclarations(fn: IrFunction, facts: FunctionFacts): void {
  const { left, skipped, late, ownParameters } = facts;
  const uses = (block: Block): Map<Value, number> => {
    const counts = new Map<Value, number>();
    const first = new Map<Value, Instruction>();
    for (const instruction of block.instructions) {
      if (isDebug(instruction)) continue;
      for (const operand of instruction.operands) {
        if (operand.kind !== 'result' || operand.instruction.op !== 'var') continue;
        if (!first.has(operand)) first.set(operand, instruction);
        counts.set(operand, (counts.get(operand) ?? 0) + 1);
      }
      for (const nested of instruction.blocks)
        for (const [variable, count] of uses(nested)) {
          if (!first.has(variable)) first.set(variable, instruction);
          counts.set(variable, (counts.get(variable) ?? 0) + count);
        }
    }
    for (const [variable, store] of first) {
      const [target, value] = store.operands;
      if (store.op !== 'store' || target !== variable || value === variable) continue;
      if (counts.get(variable) !== left.get(variable)) continue;
      const isParameter = block === fn.body && value?.kind === 'parameter' && left.get(value) === 1;
      if (isParameter && fn.parameters.includes(value)) {
        ownParameters.set(variable, value);
        skipped.add(store);
      } else late.set(variable, store);
    }
    return counts;
  };
  uses(fn.body);
}

/** Functions that change nothing but their own variables. */
export function functionsWithoutEffects(functions: readonly IrFunction[]): Set<IrFunction> {
  const without = new Set<IrFunction>();
  // Callees stand first, and what calls itself is not among them.
  for (const fn of functions) if (hasNoEffects(fn, without)) without.add(fn);
  return without;
}

function hasNoEffects(fn: IrFunction, without: ReadonlySet<IrFunction>): boolean {
  if (fn.entry || fn.parameters.some(({ type }) => type.kind === 'pointer')) return false;
  const isOwn = (pointer: Value): boolean => {
    const root = rootOf(pointer);
    return root.kind === 'result' && root.instruction.op === 'var';
  };
  let isClean = true;
  walkFunction(fn, (instruction) => {
    const { op, operands, callee } = instruction;
    if (op === 'store') isClean &&= isOwn(operands[0]!);
    else if (op === 'call') isClean &&= without.has(callee!);
    else if (op === 'discard') isClean = false;
    else if (op === 'intrinsic') {
      const { effects } = intrinsicOf(instruction);
      if (effects !== 'none' && effects !== 'reads' && effects !== 'derivative' && effects !== 'wave')
        isClean = false;
    }
  });
  return isClean;
}
