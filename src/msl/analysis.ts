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
import type { Contents, Survey } from './survey.ts';

/** An instruction and the block in which it stands. */
export interface Standing {
  instruction: Instruction;
  block: Block;
}

export interface FunctionFacts {
  /** Uses of each value still to come. */
  left: Map<Value, number>;
  /** A value's only user; of those with more, the first. */
  users: Map<Value, Standing>;
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
    users: new Map(),
    variables: new Map(),
    ownParameters: new Map(),
    skipped: new Set(),
    late: new Map(),
    wholes: new Map(),
  };
  joinWholes(countUses(fn, facts), facts);
  findDeclarations(fn, facts);
  return facts;
}

/** Gives the instructions that put vectors together, in textual order. */
function countUses(fn: IrFunction, { left, users, variables }: FunctionFacts): Standing[] {
  const constructs: Standing[] = [];
  walkFunction(fn, (instruction, block) => {
    if (isDebug(instruction)) {
      const value = instruction.operands[0]!;
      const isWhole = (instruction.indices?.length ?? 0) === 0;
      if (value.kind !== 'constant' && instruction.variable && isWhole && !variables.has(value))
        variables.set(value, instruction.variable);
      return;
    }
    const { op, operands } = instruction;
    if (op === 'construct' && instruction.results[0]!.type.kind === 'vector')
      constructs.push({ instruction, block });
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i]!;
      if (operand.kind !== 'result' && operand.kind !== 'parameter') continue;
      const before = left.get(operand);
      left.set(operand, (before ?? 0) + 1);
      // Only what has one user is asked for it.
      if (before !== undefined) continue;
      users.set(operand, { instruction, block });
    }
  });
  return constructs;
}

/** All components of a vector in order, taken for one construct alone, are the vector. */
function joinWholes(constructs: readonly Standing[], { left, users, skipped, wholes }: FunctionFacts): void {
  for (const { instruction, block } of constructs) {
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
      if (left.get(whole) === 1) users.set(whole, { instruction, block });
      operands.push(whole);
      isJoined = true;
      i += count;
    }
    if (isJoined) wholes.set(instruction, operands);
  }
}

/** The vector of which a value is the given component. */
function componentOf(value: Value, index: number): Value | undefined {
  if (value.kind !== 'result' || value.instruction.op !== 'extract') return undefined;
  const { indices, operands } = value.instruction;
  return indices?.length === 1 && indices[0] === index && operands[0]!.type.kind === 'vector'
    ? operands[0]
    : undefined;
}

/** Of a variable within a block and what is nested there. */
interface VariableUses {
  /** Stands in the block itself. */
  first: Instruction;
  count: number;
}

/** Of each variable: where it is used first, and how often in the block of that use and in what is nested there. */
function findDeclarations(fn: IrFunction, facts: FunctionFacts): void {
  const { left, skipped, late, ownParameters } = facts;
  const uses = (block: Block): Map<Value, VariableUses> => {
    const found = new Map<Value, VariableUses>();
    const add = (variable: Value, first: Instruction, count: number): void => {
      const known = found.get(variable);
      if (known) known.count += count;
      else found.set(variable, { first, count });
    };
    const { instructions } = block;
    for (let i = 0; i < instructions.length; i++) {
      const instruction = instructions[i]!;
      if (isDebug(instruction)) continue;
      const { operands, blocks } = instruction;
      for (let n = 0; n < operands.length; n++) {
        const operand = operands[n]!;
        if (operand.kind === 'result' && operand.instruction.op === 'var') add(operand, instruction, 1);
      }
      for (let n = 0; n < blocks.length; n++)
        for (const [variable, { count }] of uses(blocks[n]!)) add(variable, instruction, count);
    }
    for (const [variable, { first: store, count }] of found) {
      const [target, value] = store.operands;
      if (store.op !== 'store' || target !== variable || value === variable) continue;
      if (count !== left.get(variable)) continue;
      const isParameter = block === fn.body && value?.kind === 'parameter' && left.get(value) === 1;
      if (isParameter && fn.parameters.includes(value)) {
        ownParameters.set(variable, value);
        skipped.add(store);
      } else late.set(variable, store);
    }
    return found;
  };
  uses(fn.body);
}

/** Functions that change nothing but their own variables. */
export function functionsWithoutEffects(functions: readonly IrFunction[], contents: Survey): Set<IrFunction> {
  const without = new Set<IrFunction>();
  // Callees stand first, and what calls itself is not among them.
  for (const fn of functions) if (hasNoEffects(fn, contents.get(fn)!, without)) without.add(fn);
  return without;
}

function hasNoEffects(
  fn: IrFunction,
  { callees, discards, intrinsics, stores }: Contents,
  without: ReadonlySet<IrFunction>,
): boolean {
  if (fn.entry || discards || fn.parameters.some(({ type }) => type.kind === 'pointer')) return false;
  for (const callee of callees) if (!without.has(callee)) return false;
  return stores.every(({ operands }) => isOwn(operands[0]!)) && intrinsics.every(isHarmless);
}

function isOwn(pointer: Value): boolean {
  const root = rootOf(pointer);
  return root.kind === 'result' && root.instruction.op === 'var';
}

function isHarmless(instruction: Instruction): boolean {
  const { effects } = intrinsicOf(instruction);
  return effects === 'none' || effects === 'reads' || effects === 'derivative' || effects === 'wave';
}
