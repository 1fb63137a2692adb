/** Structured control flow as that of C++. Values that leave a control instruction are locals, declared in front of it. */
import type { Block, Instruction, Value } from '../ir/ir.ts';
import { isDebug } from '../ir/uses.ts';
import { walkBlock } from '../ir/walk.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  assignment,
  at,
  atom,
  binding,
  bound,
  declare,
  give,
  line,
  localName,
  operand,
  settle,
  text,
} from './code.ts';
import { scalarConstant, zeroText } from './constants.ts';
import type { FunctionContext } from './context.ts';
import { emitReturn } from './entry.ts';
import { choiceOf } from './choice.ts';
import { joinDeclaration } from './for-init.ts';
import { emitInstruction } from './instructions.ts';
import { scalarOf } from './expressions.ts';
import { bare, marked } from './marks.ts';
import { rememberFor, restore, snapshot } from './trial.ts';
import { typeText } from './types.ts';

/** Where the terminators of a block put values, and what they say. */
interface Frame {
  /** Locals of the innermost `if` or `switch`. */
  yields: readonly string[];
  /** A `yield` has to jump, for it leaves a switch. */
  yieldText?: string | undefined;
  breaks: readonly string[];
  /** Locals that `continue` fills, and the continuing code if it is to be written there. */
  continues: readonly string[];
  continuing?: { block: Block; loop: Loop } | undefined;
  /** Depth of the lines of the innermost loop's body, at whose end it goes on by itself. */
  bodyDepth?: number;
  repeats: readonly string[];
  leaves: readonly string[];
}

interface Loop {
  /** Locals of the body's parameters. */
  names: readonly string[];
  results: readonly string[];
}

const top: Frame = { yields: [], breaks: [], continues: [], repeats: [], leaves: [] };

export function emitBody(f: FunctionContext, block: Block): void {
  emitBlock(f, block, top);
}

function emitBlock(f: FunctionContext, block: Block, frame: Frame, first = 0): void {
  for (let i = first; i < block.instructions.length; i++) {
    const instruction = block.instructions[i]!;
    if (isDebug(instruction)) continue;
    at(f, instruction);
    switch (instruction.op) {
      case 'if': {
        const choice = choiceOf(f, instruction);
        if (choice) give(f, instruction, block, choice);
        else emitIf(f, instruction, frame);
        break;
      }
      case 'switch':
        emitSwitch(f, instruction, frame);
        break;
      case 'loop':
        emitLoop(f, instruction, frame);
        break;
      default:
        if (emitTerminator(f, instruction, frame)) return;
        emitInstruction(f, instruction, block);
    }
  }
}

function nested(f: FunctionContext, block: Block, frame: Frame, first = 0): void {
  f.writer.depth++;
  emitBlock(f, block, frame, first);
  f.writer.depth--;
}

/** Locals for what leaves a control instruction. */
function resultLocals(f: FunctionContext, instruction: Instruction): string[] {
  return instruction.results.map((result) => local(f, result, undefined));
}

function local(
  f: FunctionContext,
  value: Value & { name?: string | undefined },
  init: string | undefined,
): string {
  const name = localName(f, value);
  line(f, `${typeText(f, value.type)} ${name}${init === undefined ? '' : ` = ${init}`};`, name);
  f.values.set(value, atom(name));
  return name;
}

/** Assignments that happen at once: a target that a later value needs is saved first. */
function assign(f: FunctionContext, targets: readonly string[], values: readonly Value[]): void {
  const pairs = targets.map((target, i) => ({ target, value: values[i]! }));
  const made = pairs
    .filter(({ value }) => value.kind !== 'undef')
    .map(({ target, value }) => ({ target, made: operand(f, value), type: value.type }))
    .filter((one) => bare(one.made.text) !== one.target);
  made.forEach((one, i) => {
    if (i === made.length - 1) return;
    const word = new RegExp(`\\b${one.target}\\b`);
    for (const later of made.slice(i + 1))
      if (word.test(bare(later.made.text)))
        later.made = atom(declare(f, typeText(f, later.type), later.made.text, 'next'));
  });
  for (const { target, made: value } of made) line(f, `${assignment(target, value)};`);
}

const isEmpty = ({ instructions }: Block) =>
  instructions.every((one) => isDebug(one) || (one.op === 'yield' && one.operands.length === 0));

function emitIf(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const [then, otherwise] = instruction.blocks as [Block, Block];
  const condition = operand(f, instruction.operands[0]!);
  settle(f);
  const inner: Frame = { ...frame, yields: resultLocals(f, instruction), yieldText: undefined };
  if (isEmpty(then) && !isEmpty(otherwise)) {
    line(f, `if (!${bound(condition, binding.unary)}) {`);
    nested(f, otherwise, inner);
  } else {
    line(f, `if (${condition.text}) {`);
    nested(f, then, inner);
    if (!isEmpty(otherwise)) {
      f.writer.line('} else {');
      nested(f, otherwise, inner);
    }
  }
  f.writer.line('}');
}

function emitSwitch(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const selector = instruction.operands[0]!;
  const chosen = text(f, selector);
  settle(f);
  const results = resultLocals(f, instruction);
  const inner: Frame = { ...frame, yields: results, yieldText: 'break;', breaks: results };
  line(f, `switch (${chosen}) {`);
  f.writer.depth++;
  instruction.blocks.forEach((block, i) => {
    const labels: string[] = [];
    for (const label of instruction.cases?.[i] ?? [])
      labels.push(
        label === 'default' ? 'default:' : `case ${scalarConstant(f, scalarOf(selector.type), label)}:`,
      );
    labels.forEach((label, n) => {
      f.writer.line(n < labels.length - 1 ? label : `${label} {`);
    });
    nested(f, block, inner);
    f.writer.line('}');
  });
  if (!instruction.cases?.flat().includes('default')) f.writer.line('default: break;');
  f.writer.depth--;
  f.writer.line('}');
}

// ---- loops

function emitLoop(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const [body, continuing] = instruction.blocks as [Block, Block];
  const initial = instruction.operands.map((value) => text(f, value));
  settle(f);
  // A turn before may have done it.
  f.mayBeDiscarded = true;
  const { position } = f;
  const start = f.writer.lines.length;
  const names = body.parameters.map((parameter, i) => local(f, parameter, initial[i]!));
  const shared = sharedResults(instruction, body, names);
  const results = instruction.results.map((result, i) => {
    const same = shared[i];
    // Compilers take the way out of a guarded loop for possible.
    if (same === undefined) return local(f, result, f.leaves ? zeroText(f, result.type) : undefined);
    f.values.set(result, atom(same));
    return same;
  });
  const loop: Loop = { names, results };
  const direct = continuing.parameters.map(
    (parameter) => passedOn(continuing, body, parameter, names) ?? local(f, parameter, undefined),
  );
  continuing.parameters.forEach((parameter, i) => {
    f.values.set(parameter, atom(direct[i]!));
  });
  const inner: Frame = { ...frame, breaks: results, continues: direct, yields: [], yieldText: undefined };
  const step = stepOf(f, continuing, loop);
  const test = step === undefined ? undefined : headerTest(f, body, loop);
  const head = test?.text ?? '';
  f.position = position;
  inner.continuing = undefined;
  inner.bodyDepth = f.writer.depth + 1;
  if (step === undefined) {
    if (continueSites(body) > 1) {
      emitGuarded(f, body, continuing, loop, inner);
      return;
    }
    inner.continuing = { block: continuing, loop };
  }
  const header = f.writer.lines.length;
  line(f, !step ? (head ? `while (${head}) {` : 'while (true) {') : `for (; ${head}; ${step}) {`);
  guardLoop(f);
  nested(f, body, inner, test?.next ?? 0);
  f.writer.line('}');
  const ofLoop = names.filter((name) => !results.includes(name));
  if (step) joinDeclaration(f, { start, header }, step, ofLoop);
}

/** A volatile read: what Metal's compiler could conclude from a loop that has to end does not hold. */
function guardLoop(f: FunctionContext): void {
  if (!f.leaves) return;
  f.writer.depth++;
  line(f, `if (${f.leaves}) break;`);
  f.writer.depth--;
}

/** How often the body goes on; within a switch counts as many. */
function continueSites(body: Block): number {
  let sites = 0;
  for (const one of body.instructions) {
    if (one.op === 'continue') sites++;
    if (one.op === 'if') for (const block of one.blocks) sites += continueSites(block);
    if (one.op === 'switch') for (const block of one.blocks) sites += 2 * continueSites(block);
  }
  return sites;
}

/** Continuing code that cannot stand at the end of the body stands at its beginning, from the second time on. */
function emitGuarded(f: FunctionContext, body: Block, continuing: Block, loop: Loop, frame: Frame): void {
  const again = f.locals.unique('again');
  line(f, `bool ${again} = false;`);
  line(f, 'while (true) {');
  guardLoop(f);
  f.writer.depth++;
  line(f, `if (${again}) {`);
  // A `break` in it leaves the loop.
  nested(f, continuing, { ...frame, repeats: loop.names, leaves: loop.results });
  f.writer.line('}');
  f.writer.line(`${again} = true;`);
  f.writer.depth--;
  nested(f, body, frame);
  f.writer.line('}');
}

/** A result that every `break` takes from the same parameter is that parameter. */
function sharedResults(
  instruction: Instruction,
  body: Block,
  names: readonly string[],
): (string | undefined)[] {
  const leaves: Value[][] = [];
  const visit = (block: Block): void => {
    for (const one of block.instructions) {
      if (one.op === 'break') leaves.push(one.operands);
      if (one.op === 'repeat_if') leaves.push(one.operands.slice(1 + (one.repeatCount ?? 0)));
      if (one.op === 'if') for (const inner of one.blocks) visit(inner);
      // A `break` in a switch or in another loop leaves that one.
    }
  };
  for (const block of instruction.blocks) visit(block);
  return instruction.results.map((_, i) => {
    const taken = leaves[0]?.[i];
    if (!taken || leaves.some((values) => values[i] !== taken)) return undefined;
    return names[(body.parameters as readonly Value[]).indexOf(taken)];
  });
}

/**
 * A parameter of the continuing block that only goes on to be the body's at the same place needs no local of its own, unless
 * the code there still reads what the body's parameter was.
 */
function passedOn(
  continuing: Block,
  body: Block,
  parameter: Value,
  names: readonly string[],
): string | undefined {
  let found: number | undefined;
  const last = continuing.instructions[continuing.instructions.length - 1]!;
  if (last.op !== 'repeat') return undefined;
  let isPlain = true;
  walkBlock(continuing, (one) => {
    if (isDebug(one)) return;
    one.operands.forEach((value, i) => {
      if (value !== parameter) return;
      if (one !== last || found !== undefined) isPlain = false;
      found = i;
    });
  });
  if (!isPlain || found === undefined) return undefined;
  const target = body.parameters[found];
  walkBlock(continuing, (one) => {
    if (!isDebug(one) && one.operands.includes(target!)) isPlain = false;
  });
  return isPlain ? names[found] : undefined;
}

/** The test at the head of the body, if it can be the loop's condition. */
function headerTest(f: FunctionContext, body: Block, loop: Loop): { text: string; next: number } | undefined {
  const index = body.instructions.findIndex(({ op }) => op === 'if' || op === 'switch' || op === 'loop');
  const test = body.instructions[index];
  if (test?.op !== 'if' || test.results.length > 0) return undefined;
  const [then, otherwise] = test.blocks as [Block, Block];
  const leaves = (block: Block) => {
    const code = block.instructions.filter((one) => !isDebug(one));
    // What is put into a result must be there already.
    return (
      code.length === 1 &&
      code[0]!.op === 'break' &&
      code[0]!.operands.every((value, i) => loop.results[i] === f.values.get(value)?.text)
    );
  };
  const goesOn = isEmpty(then) && leaves(otherwise);
  if (!goesOn && !(leaves(then) && isEmpty(otherwise))) return undefined;
  const writer = f.writer;
  const takeBack = rememberFor(f, body.instructions.slice(0, index + 1));
  f.writer = writer.fork();
  emitHead(f, body, index);
  at(f, test);
  const condition = operand(f, test.operands[0]!);
  const rest = [...f.pending.values()].some((one) => one.fixed);
  const isPlain = f.writer.lines.length === 0 && !rest;
  f.writer = writer;
  if (!isPlain) {
    takeBack();
    return undefined;
  }
  return { text: goesOn ? condition.text : `!${bound(condition, binding.unary)}`, next: index + 1 };
}

function emitHead(f: FunctionContext, body: Block, count: number): void {
  for (const instruction of body.instructions.slice(0, count)) {
    if (isDebug(instruction)) continue;
    at(f, instruction);
    emitInstruction(f, instruction, body);
  }
}

/** The continuing code as the third part of a `for`: '' if there is none, undefined if it does not fit there. */
function stepOf(f: FunctionContext, continuing: Block, loop: Loop): string | undefined {
  if (continuing.instructions.some((one) => one.blocks.length > 0 || one.op === 'repeat_if'))
    return undefined;
  const writer = f.writer;
  const takeBack = rememberFor(f, continuing.instructions);
  f.writer = writer.fork();
  f.writer.depth = 0;
  emitBlock(f, continuing, { ...top, repeats: loop.names });
  const made = f.writer.lines;
  f.writer = writer;
  const fits = (one: string) => /^[\w.[\]]+(\+\+|--| [-+*/&|^]?= [^;]*);$/.test(one) && one.length < 80;
  if (made.length <= 2 && made.every((one) => fits(bare(one.text))))
    return made.map(({ text: one, position }) => mark(f, one.slice(0, -1), position)).join(', ');
  takeBack();
  return made.length === 0 ? '' : undefined;
}

/** True if it was one. */
function emitTerminator(f: FunctionContext, instruction: Instruction, frame: Frame): boolean {
  const { operands } = instruction;
  switch (instruction.op) {
    case 'yield':
      assign(f, frame.yields, operands);
      if (frame.yieldText) line(f, frame.yieldText);
      return true;
    case 'break':
      assign(f, frame.breaks, operands);
      line(f, 'break;');
      return true;
    case 'fallthrough':
      return true;
    case 'continue':
      assign(f, frame.continues, operands);
      if (frame.continuing) emitContinuing(f, frame, frame.continuing);
      if (f.writer.depth !== frame.bodyDepth) line(f, 'continue;');
      return true;
    case 'repeat':
      assign(f, frame.repeats, operands);
      return true;
    case 'repeat_if':
      emitRepeatIf(f, instruction, frame);
      return true;
    case 'return':
      emitReturn(f, operands[0]);
      return true;
    case 'unreachable':
      if (f.function.entry || f.function.returnType.kind !== 'void') emitReturn(f, undefined);
      return true;
    default:
      return false;
  }
}

function mark(f: FunctionContext, code: string, position: number): string {
  return f.marks ? marked(position, code) : code;
}

/** Code that a `for` cannot hold is written wherever the body goes on. */
function emitContinuing(
  f: FunctionContext,
  frame: Frame,
  { block, loop }: NonNullable<Frame['continuing']>,
): void {
  const saved = snapshot(f);
  emitBlock(f, block, { ...frame, repeats: loop.names, leaves: loop.results });
  restore(f, saved);
}

function emitRepeatIf(f: FunctionContext, instruction: Instruction, frame: Frame): void {
  const [condition, ...values] = instruction.operands as [Value, ...Value[]];
  const again = instruction.repeatCount ?? 0;
  const test = operand(f, condition);
  settle(f);
  if (frame.repeats.length !== again) throw new InternalError('repeat_if outside a continuing block', f.at);
  line(f, `if (!${bound(test, binding.unary)}) {`);
  f.writer.depth++;
  assign(f, frame.leaves, values.slice(again));
  line(f, 'break;');
  f.writer.depth--;
  f.writer.line('}');
  assign(f, frame.repeats, values.slice(0, again));
}
