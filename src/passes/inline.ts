import { instructionLike } from '../ir/instruction.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from '../ir/ir.ts';
import { isRoot, keepReached } from '../ir/reached.ts';
import { cloneParameters, cloneResults } from '../ir/rewrite.ts';
import { singleReturn } from '../ir/single-return.ts';
import { calleesOf, walkFunction } from '../ir/walk.ts';
import type { PositionId, PositionTable } from '../source/position.ts';

/** No function grows beyond this many instructions by inlining. */
const largest = 1 << 17;

/** And no more than this many come in the place of calls in a module. */
const mostPlaced = 1 << 19;

/**
 * Puts the bodies of functions in the place of their calls and drops functions that nothing calls any more.
 * Calls stay of functions marked `noinline`, of functions that would make the caller too large, and, in the continuing
 * block of a loop, of functions that may end the invocation.
 *
 * Which calls go is settled callees first, for what becomes of a callee decides it. Code is placed callers first, so that each
 * instruction is copied and given its position once, however deep the calls are.
 *
 * The callee's variables move to the head of the caller. A callee with returns in control flow gets one at its end first.
 * Pointers that are passed stand for the parameters, so what the callee stores for its caller is stored there at once.
 *
 * Positions: copies keep place and scope; the call's position becomes the outermost link of their chain of calls.
 */
export function inline(module: Module): boolean {
  const calls = countCalls(module);
  if (calls.size === 0) return keepReached(module);
  const plan: Plan = { module, single: new Set(), sizes: new Map(), discarding: new Set(), going: new Set() };
  for (const fn of calleesFirst(module.functions)) planFor(fn, plan);
  const roots = module.functions.filter(isRoot);
  // A library may consist of functions only.
  const kept = new Set(roots.length > 0 ? roots : module.functions);
  const work: Work = { plan, calls, kept, placed: 0 };
  // Functions that are found to stay on the way come up too.
  for (const fn of kept) placeInside(fn, work);
  const before = module.functions.length;
  module.functions = module.functions.filter((fn) => kept.has(fn));
  return module.functions.length < before || work.placed > 0;
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

// ---- which calls go

interface Plan {
  module: Module;
  /** Functions with one return at their end. */
  single: Set<IrFunction>;
  /** Number of instructions when calls have gone, of functions that are done. */
  sizes: Map<IrFunction, number>;
  /** Functions, done, that may discard. */
  discarding: Set<IrFunction>;
  /** Calls that give way to the callee's code. */
  going: Set<Instruction>;
}

function planFor(fn: IrFunction, plan: Plan): void {
  let size = 0;
  walkFunction(fn, ({ op, callee }) => {
    size++;
    if (op === 'discard' || (callee && plan.discarding.has(callee))) plan.discarding.add(fn);
  });
  const visit = (block: Block, inContinuing: boolean): void => {
    for (const instruction of block.instructions) {
      const { op, callee, blocks } = instruction;
      for (let i = 0; i < blocks.length; i++) visit(blocks[i]!, inContinuing || (op === 'loop' && i === 1));
      if (!callee || callee === fn || !canInline(callee, size, plan, inContinuing)) continue;
      plan.going.add(instruction);
      size += plan.sizes.get(callee)!;
    }
  };
  visit(fn.body, false);
  plan.sizes.set(fn, size);
}

function canInline(callee: IrFunction, callerSize: number, plan: Plan, inContinuing: boolean): boolean {
  if (callee.attributes.includes('noinline') || callee.entry) return false;
  const size = plan.sizes.get(callee);
  if (size === undefined || callerSize + size > largest) return false;
  // SPIR-V wants each way through a continuing block to come to its end.
  if (inContinuing && plan.discarding.has(callee)) return false;
  if (!plan.single.has(callee)) {
    plan.single.add(callee);
    singleReturn(plan.module, callee);
  }
  return !inContinuing || returns(callee, plan);
}

/** Whether a function with one return comes to it, as far as the calls in its way tell. */
function returns({ body: { instructions } }: IrFunction, plan: Plan): boolean {
  if (instructions[instructions.length - 1]!.op !== 'return') return false;
  return instructions.every((one) => !plan.going.has(one) || returns(one.callee!, plan));
}

// ---- placing code

interface Work {
  plan: Plan;
  /** How many calls of each function the module had. */
  calls: ReadonlyMap<IrFunction, number>;
  /** Functions that stay. */
  kept: Set<IrFunction>;
  /** Instructions that have come in the place of calls. */
  placed: number;
}

/** A body on its way to where it is called, or to itself. */
interface Placing {
  /** Receives variables. */
  vars: Instruction[];
  /** What stands for values of the body. */
  values: Map<Value, Value>;
  /** Absent at home, where positions stay. */
  position: ((id: PositionId) => PositionId) | undefined;
  /** Its instructions are taken themselves, for nothing else needs the body; else they are copied. */
  isTaken: boolean;
}

/** Puts code in the place of the calls of a function. */
function placeInside({ body }: IrFunction, work: Work): void {
  const placing: Placing = { vars: [], values: new Map(), position: undefined, isTaken: true };
  placeBlock(body, body, placing, work);
  if (placing.vars.length > 0) body.instructions = [...placing.vars, ...body.instructions];
}

/** Fills a block with the code of another one, or of itself. */
function placeBlock(from: Block, to: Block, placing: Placing, work: Work): void {
  const old = from.instructions;
  to.instructions = [];
  for (let i = 0; i < old.length; i++) if (!place(old[i]!, to, placing, work)) return;
}

/** False if what follows is not reached. */
function place(instruction: Instruction, to: Block, placing: Placing, work: Work): boolean {
  if (instruction.callee && isGoing(instruction, work)) return placeCallee(instruction, to, placing, work);
  if (placing.position) work.placed++;
  to.instructions.push((placing.isTaken ? take : copy)(instruction, placing, work));
  return true;
}

function isGoing(call: Instruction, { plan, placed, kept }: Work): boolean {
  const callee = call.callee!;
  if (plan.going.has(call) && placed + plan.sizes.get(callee)! <= mostPlaced) return true;
  kept.add(callee);
  return false;
}

/** A callee that never returns ends the block. */
function placeCallee(call: Instruction, to: Block, caller: Placing, work: Work): boolean {
  const callee = call.callee!;
  const values = new Map<Value, Value>();
  callee.parameters.forEach((parameter, i) => {
    values.set(parameter, standIn(call.operands[i]!, caller));
  });
  const placing: Placing = {
    vars: caller.vars,
    values,
    position: extender(work.plan.module.positions, caller.position?.(call.position) ?? call.position),
    isTaken: caller.isTaken && work.calls.get(callee) === 1 && !work.kept.has(callee),
  };
  // They stand behind those of its own callees.
  const vars: Block = { parameters: [], instructions: [] };
  let goesOn = true;
  for (const instruction of callee.body.instructions) {
    if (instruction.op === 'return') {
      const [value] = instruction.operands;
      if (value) caller.values.set(call.results[0]!, standIn(value, placing));
      break;
    }
    goesOn = place(instruction, instruction.op === 'var' ? vars : to, placing, work);
    if (!goesOn) break;
  }
  for (const variable of vars.instructions) caller.vars.push(variable);
  return goesOn;
}

function standIn(value: Value, { values }: Placing): Value {
  return values.get(value) ?? value;
}

/** The instruction itself in its new place. */
function take(instruction: Instruction, placing: Placing, work: Work): Instruction {
  const { operands, blocks } = instruction;
  const { values, position } = placing;
  if (values.size > 0)
    for (let i = 0; i < operands.length; i++) operands[i] = values.get(operands[i]!) ?? operands[i]!;
  if (position) instruction.position = position(instruction.position);
  for (const block of blocks) placeBlock(block, block, placing, work);
  return instruction;
}

function copy(instruction: Instruction, placing: Placing, work: Work): Instruction {
  const { values, position } = placing;
  const operands = instruction.operands.map((operand) => standIn(operand, placing));
  const blocks = instruction.blocks.map((block) => {
    const made: Block = { parameters: cloneParameters(block.parameters, values), instructions: [] };
    placeBlock(block, made, placing, work);
    return made;
  });
  const at = position?.(instruction.position) ?? instruction.position;
  const made = instructionLike(instruction, operands, at, blocks);
  cloneResults(instruction, made, values);
  return made;
}

/** Positions of a callee as they are when inlined through a call: the call becomes the outermost link. */
function extender(positions: PositionTable, call: PositionId): (id: PositionId) => PositionId {
  const chains = new Map<PositionId, PositionId>([[0, call]]);
  let last: PositionId = 0;
  let lastExtended: PositionId = call;
  const extended = (id: PositionId): PositionId => {
    // Neighbours in code are often of one place.
    if (id === last) return lastExtended;
    const { inlinedAt } = positions.get(id);
    let chain = chains.get(inlinedAt);
    if (chain === undefined) {
      chain = extended(inlinedAt);
      chains.set(inlinedAt, chain);
    }
    last = id;
    lastExtended = positions.inlined(id, chain);
    return lastExtended;
  };
  return extended;
}
