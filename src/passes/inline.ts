import type { Block, Function as IrFunction, Instruction, Module, Value } from '../ir/ir.ts';
import { isRoot, keepReached } from '../ir/reached.ts';
import { cloneInstruction, moveInstruction, resolveOperands } from '../ir/rewrite.ts';
import { singleReturn } from '../ir/single-return.ts';
import { calleesOf, walkFunction } from '../ir/walk.ts';
import type { PositionId, PositionTable } from '../source/position.ts';

/** No function grows beyond this many instructions by inlining. */
const largest = 1 << 17;

/** And no more than this many are copied in a module, for long chains of calls copy each body many times. */
const mostCopied = 1 << 19;

/**
 * Puts the bodies of functions in the place of their calls, callees first, and drops functions that nothing calls any more.
 * Calls stay of functions marked `noinline`, of functions that would make the caller too large, and, in the continuing
 * block of a loop, of functions that may end the invocation.
 *
 * The callee's variables move to the head of the caller. A callee with returns in control flow gets one at its end first.
 * Pointers that are passed stand for the parameters, so what the callee stores for its caller is stored there at once.
 *
 * Positions: copies keep place and scope; the call's position becomes the outermost link of their chain of calls.
 */
export function inline(module: Module): boolean {
  const work: Work = {
    module,
    single: new Set(),
    sizes: new Map(),
    discarding: new Set(),
    copied: { count: 0 },
    calls: countCalls(module),
    hasRoots: module.functions.some(isRoot),
  };
  if (work.calls.size === 0) return keepReached(module);
  for (const fn of calleesFirst(module.functions)) inlineInto(fn, work);
  return keepReached(module) || work.copied.count > 0;
}

interface Work {
  module: Module;
  /** Functions with one return at their end. */
  single: Set<IrFunction>;
  /** Number of instructions, of functions that are done. */
  sizes: Map<IrFunction, number>;
  /** Functions, done, that may discard. */
  discarding: Set<IrFunction>;
  /** Instructions copied so far in the module. */
  copied: { count: number };
  /** How many calls of each function the module has. */
  calls: ReadonlyMap<IrFunction, number>;
  /** Whether functions go that nothing calls. */
  hasRoots: boolean;
}

function countCalls(module: Module): Map<IrFunction, number> {
  const calls = new Map<IrFunction, number>();
  for (const fn of module.functions)
    walkFunction(fn, ({ callee }) => {
      if (callee) calls.set(callee, (calls.get(callee) ?? 0) + 1);
    });
  return calls;
}

function calleesFirst(functions: readonly IrFunction[]): IrFunction[] {
  const order: IrFunction[] = [];
  const seen = new Set<IrFunction>();
  const visit = (fn: IrFunction): void => {
    if (seen.has(fn)) return;
    seen.add(fn);
    for (const callee of calleesOf(fn)) visit(callee);
    order.push(fn);
  };
  for (const fn of functions) visit(fn);
  return order;
}

interface Caller extends Work {
  fn: IrFunction;
  size: number;
  /** The callees' variables. */
  vars: Instruction[];
  replaced: Map<Value, Value>;
}

function inlineInto(fn: IrFunction, work: Work): void {
  let size = 0;
  walkFunction(fn, ({ op, callee }) => {
    size++;
    if (op === 'discard' || (callee && work.discarding.has(callee))) work.discarding.add(fn);
  });
  const caller: Caller = { ...work, fn, size, vars: [], replaced: new Map() };
  visitBlock(fn.body, caller, false);
  fn.body.instructions.unshift(...caller.vars);
  work.sizes.set(fn, caller.size);
}

function visitBlock(block: Block, caller: Caller, inContinuing: boolean): void {
  const old = block.instructions;
  block.instructions = [];
  for (const instruction of old) {
    const { op } = instruction;
    resolveOperands(instruction, caller.replaced);
    instruction.blocks.forEach((inner, i) => {
      visitBlock(inner, caller, inContinuing || (op === 'loop' && i === 1));
    });
    if (op !== 'call' || !canInline(instruction.callee!, caller, inContinuing)) {
      block.instructions.push(instruction);
      continue;
    }
    // A callee that never returns ends the block.
    if (!inlineCall(instruction, block, caller)) return;
  }
}

function canInline(callee: IrFunction, caller: Caller, inContinuing: boolean): boolean {
  if (callee.attributes.includes('noinline') || callee.entry || callee === caller.fn) return false;
  const size = caller.sizes.get(callee);
  if (size === undefined || caller.size + size > largest || caller.copied.count + size > mostCopied)
    return false;
  // SPIR-V wants each way through a continuing block to come to its end.
  if (inContinuing && caller.discarding.has(callee)) return false;
  if (!caller.single.has(callee)) {
    caller.single.add(callee);
    singleReturn(caller.module, callee);
  }
  return !inContinuing || callee.body.instructions[callee.body.instructions.length - 1]!.op === 'return';
}

/** False if the callee does not return. */
function inlineCall(call: Instruction, block: Block, caller: Caller): boolean {
  const callee = call.callee!;
  const { body, parameters } = callee;
  caller.size += caller.sizes.get(callee)!;
  caller.copied.count += caller.sizes.get(callee)!;
  const values = new Map<Value, Value>();
  parameters.forEach((parameter, i) => {
    values.set(parameter, call.operands[i]!);
  });
  const position = extender(caller.module.positions, call.position);
  // The only call can have the body itself, if the function goes then.
  const goes = caller.calls.get(callee) === 1 && caller.hasRoots && !isRoot(callee);
  const taken = goes ? moveInstruction : cloneInstruction;
  for (const instruction of body.instructions) {
    if (instruction.op === 'return') {
      const value = instruction.operands[0];
      if (value) caller.replaced.set(call.results[0]!, values.get(value) ?? value);
      return true;
    }
    const copy = taken(instruction, values, position);
    if (copy.op === 'var') caller.vars.push(copy);
    else block.instructions.push(copy);
  }
  return false;
}

/** Positions of a callee as they are when inlined through a call: the call becomes the outermost link. */
function extender(positions: PositionTable, call: PositionId): (id: PositionId) => PositionId {
  const chains = new Map<PositionId, PositionId>([[0, call]]);
  const extended = (id: PositionId): PositionId => {
    const { inlinedAt } = positions.get(id);
    let chain = chains.get(inlinedAt);
    if (chain === undefined) {
      chain = extended(inlinedAt);
      chains.set(inlinedAt, chain);
    }
    return positions.inlined(id, chain);
  };
  return extended;
}
