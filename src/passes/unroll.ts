import { foldOperation } from '../intrinsics/fold-operation.ts';
import type { Builder } from '../ir/builder.ts';
import { type ControlWork, rewriteControl } from '../ir/control.ts';
import type { Block, Constant, Instruction, Module, Parameter, Refusal, Value } from '../ir/ir.ts';
import { cloneInstruction } from '../ir/rewrite.ts';
import { continuesIn, continuesOf } from '../ir/slots.ts';
import { straighten } from '../ir/straighten.ts';
import { walkBlock } from '../ir/walk.ts';

/** What unrolling a loop that asks for it may make: turns, and instructions in all. */
const mostTurns = 1024;
const mostInstructions = 1 << 14;
/** The same for a loop that does not ask: as much as its own control costs. */
const fewTurns = 4;
const fewInstructions = 24;
/** How long a chain of instructions is followed to find a constant. */
const longestChain = 200;

/**
 * Writes loops out whose number of turns is known: all that are marked `unroll` up to a size, and small ones, unless they are
 * marked `loop`. What is marked and stays a loop is told to the user. The copies stand one behind the other in a switch of one group, which a `break` of the loop leaves.
 *
 *     loop (%i: int = 0) {              switch 0 {
 *       %c: bool = less %i, 2           case default {
 *       if %c { yield }                   store %p, 0
 *       else { break }                    store %p, 1
 *       store %p, %i                      break
 *       continue                        }
 *     } continuing {                    }
 *       %j: int = add %i, 1
 *       repeat %j
 *     }
 *
 * Positions: each copy keeps them, and its debug values.
 */
export function unroll(module: Module): boolean {
  return rewriteControl(module, unrolled);
}

function unrolled(loop: Instruction, { module, builder }: ControlWork): readonly Instruction[] {
  if (loop.op !== 'loop' || loop.hint?.kind === 'loop') return [loop];
  const asked = loop.hint?.kind === 'unroll';
  const size = sizeOf(loop);
  const limit = asked ? mostTurns : Math.min(fewTurns, Math.floor(fewInstructions / size));
  const turns = countTurns(loop, builder, limit);
  const refusal = asked ? refusalOf(loop, turns, size) : undefined;
  if (refusal) return refuse(module, loop, ...refusal);
  if (!turns || turns === 'many') return [loop];
  if (!singleContinue(module, loop, builder)) return asked ? refuse(module, loop, 'unroll-continue') : [loop];
  const block: Block = { parameters: [], instructions: [] };
  new Copier(loop, block, builder).copy(turns);
  loop.op = 'switch';
  loop.operands = [builder.uint(0)];
  loop.cases = [['default']];
  loop.blocks = [block];
  loop.hint = undefined;
  return [loop];
}

/** Why a loop that is marked `unroll` stays one. */
function refusalOf(
  { hint }: Instruction,
  turns: Turns | 'many' | undefined,
  size: number,
): [Refusal['message'], Refusal['args']?] | undefined {
  if (!turns) return ['unroll-turns'];
  const count = hint?.count;
  if (turns === 'many')
    return count !== undefined && count <= mostTurns
      ? ['unroll-count', { count }]
      : ['unroll-size', { turns: `more than ${mostTurns}` }];
  if (count !== undefined && turns.full > count) return ['unroll-count', { count }];
  return turns.full * size > mostInstructions ? ['unroll-size', { turns: turns.full }] : undefined;
}

function refuse(
  module: Module,
  loop: Instruction,
  message: Refusal['message'],
  args: Refusal['args'] = {},
): readonly Instruction[] {
  module.refusals ??= [];
  module.refusals.push({ message, position: loop.position, args });
  return [loop];
}

function sizeOf(loop: Instruction): number {
  let size = 0;
  for (const block of loop.blocks)
    walkBlock(block, ({ op }) => {
      if (op !== 'debug_value' && op !== 'debug_declare') size++;
    });
  return size;
}

/** Makes the body go on at its end only, if that can be. */
function singleContinue(module: Module, loop: Instruction, builder: Builder): boolean {
  const [body, continuing] = loop.blocks as [Block, Block];
  const last = body.instructions[body.instructions.length - 1]!;
  if (last.op === 'continue' && continuesOf(loop).length === 1) return true;
  const values = straighten(
    module,
    body,
    'continue',
    continuing.parameters.map(({ type }) => type),
  );
  if (!values) return false;
  builder
    .at(last.position)
    .into(body)
    .continue(...values);
  return true;
}

// ---- turns

/** How a loop ends: in full turns, then by an `if` of the body in the next one, or by `repeat_if` at the end of the last. */
interface Turns {
  full: number;
  exit?: { test: Instruction; arm: number };
}

type Known = Map<Value, Constant | undefined>;

/** `many`: there are exits that are known not to be taken in the first `most` turns. */
function countTurns(loop: Instruction, builder: Builder, most: number): Turns | 'many' | undefined {
  const [body, continuing] = loop.blocks as [Block, Block];
  const tests = exitsOf(body);
  const end = continuing.instructions[continuing.instructions.length - 1]!;
  if (tests.length === 0 && end.op !== 'repeat_if') return undefined;
  const onward = continuesOf(loop);
  // What the continuing block gets is known only if there is one way to it.
  const given = onward.length === 1 ? onward[0]!.operands : [];
  let entering: (Constant | undefined)[] = loop.operands.map(asConstant);
  let isKnown = true;
  for (let full = 0; full <= most; full++) {
    const known: Known = new Map();
    let decided = 0;
    body.parameters.forEach((parameter, i) => {
      known.set(parameter, entering[i]);
    });
    for (const test of tests) {
      const condition = evaluate(test.operands[0]!, known, builder, 0);
      if (condition) decided++;
      const arm = condition === undefined ? -1 : condition.value === true ? 0 : 1;
      if (arm >= 0 && breaks(test.blocks[arm]!)) return { full, exit: { test, arm } };
    }
    continuing.parameters.forEach((parameter, i) => {
      known.set(parameter, given[i] && evaluate(given[i]!, known, builder, 0));
    });
    const first = end.op === 'repeat_if' ? 1 : 0;
    if (end.op === 'repeat_if') {
      const again = evaluate(end.operands[0]!, known, builder, 0);
      if (again?.value === false) return { full: full + 1 };
      if (again) decided++;
    }
    entering = body.parameters.map((_, i) => evaluate(end.operands[first + i]!, known, builder, 0));
    if (entering.every((value) => value === undefined)) return undefined;
    isKnown &&= decided > 0;
  }
  return isKnown ? 'many' : undefined;
}

/** The exits that every turn comes to: what stands behind a `continue` on the way may be passed over. */
function exitsOf({ instructions }: Block): Instruction[] {
  const end = instructions.findIndex((instruction) => continuesIn([instruction]).length > 0);
  return instructions.slice(0, end).filter(isExit);
}

/** An `if` of the body that leaves the loop on one way. */
function isExit({ op, blocks }: Instruction): boolean {
  return op === 'if' && blocks.some(breaks);
}

function breaks({ instructions }: Block): boolean {
  return instructions[instructions.length - 1]!.op === 'break';
}

function asConstant(value: Value): Constant | undefined {
  return value.kind === 'constant' ? value : undefined;
}

function evaluate(value: Value, known: Known, builder: Builder, depth: number): Constant | undefined {
  if (value.kind === 'constant') return value;
  if (known.has(value)) return known.get(value);
  let found: Constant | undefined;
  if (value.kind === 'result' && value.instruction.blocks.length === 0 && depth < longestChain) {
    const { instruction, type } = value;
    const { op, indices, intrinsic } = instruction;
    const operands: Constant[] = [];
    for (const operand of instruction.operands) {
      const constant = evaluate(operand, known, builder, depth + 1);
      if (!constant) break;
      operands.push(constant);
    }
    if (operands.length === instruction.operands.length && operands.length > 0) {
      const folded = foldOperation(builder, { op, operands, type, indices, intrinsic });
      if (folded?.kind === 'constant') found = folded;
    }
  }
  known.set(value, found);
  return found;
}

// ---- copies

class Copier {
  readonly #loop: Instruction;
  readonly #block: Block;
  readonly #builder: Builder;

  constructor(loop: Instruction, block: Block, builder: Builder) {
    this.#loop = loop;
    this.#block = block;
    this.#builder = builder;
  }

  copy({ full, exit }: Turns): void {
    const [body, continuing] = this.#loop.blocks as [Block, Block];
    let entering: Value[] = this.#loop.operands;
    for (let turn = 0; turn < full; turn++) {
      const values = this.#bound(body.parameters, entering);
      const last = this.#append(body.instructions, values);
      continuing.parameters.forEach((parameter, i) => {
        values.set(parameter, mapped(last.operands[i]!, values));
      });
      const end = this.#append(continuing.instructions, values);
      const given = end.operands.map((value) => mapped(value, values));
      const first = end.op === 'repeat_if' ? 1 : 0;
      entering = given.slice(first, first + body.parameters.length);
      if (turn + 1 === full && !exit) {
        this.#builder.at(end.position).into(this.#block);
        this.#builder.break(...given.slice(first + body.parameters.length));
      }
    }
    if (exit) this.#appendExit(body, this.#bound(body.parameters, entering), exit);
  }

  /** The turn that is left on the way. */
  #appendExit(body: Block, values: Map<Value, Value>, exit: NonNullable<Turns['exit']>): void {
    for (const instruction of body.instructions) {
      if (instruction === exit.test) break;
      this.#block.instructions.push(cloneInstruction(instruction, values));
    }
    for (const instruction of exit.test.blocks[exit.arm]!.instructions)
      this.#block.instructions.push(cloneInstruction(instruction, values));
  }

  #bound(parameters: readonly Parameter[], entering: readonly Value[]): Map<Value, Value> {
    return new Map(parameters.map((parameter, i) => [parameter, entering[i]!]));
  }

  /** Copies all but the terminator, which it gives. */
  #append(instructions: readonly Instruction[], values: Map<Value, Value>): Instruction {
    for (const instruction of instructions.slice(0, -1))
      this.#block.instructions.push(cloneInstruction(instruction, values));
    return instructions[instructions.length - 1]!;
  }
}

function mapped(value: Value, values: ReadonlyMap<Value, Value>): Value {
  return values.get(value) ?? value;
}
