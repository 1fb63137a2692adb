/**
 * Operands and results of a function's instructions. What only one instruction of the same block uses waits as an expression and is
 * written there; everything else gets a local, which has the name of the variable of the source that holds it.
 */
import { isPure } from '../intrinsics/effects.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Block, Constant, Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { constantText, zeroText } from './constants.ts';
import type { Expression, FunctionContext, IndexText } from './context.ts';
import { bare, marked, markedAs } from './marks.ts';
import type { Path, Place } from './places.ts';
import { typeText } from './types.ts';

/** How tightly operators bind, as in C++. */
export const binding = {
  atom: 20,
  unary: 16,
  mul: 14,
  add: 13,
  shift: 12,
  compare: 10,
  equal: 9,
  and: 8,
  xor: 7,
  or: 6,
  logicalAnd: 5,
  logicalOr: 4,
  choice: 3,
};

/** Longer expressions are given names, so that lines can be read. */
export const longest = 110;

/** What follows is written for an instruction. */
export function at(f: FunctionContext, { position }: Instruction): void {
  f.position = position;
  f.at = f.module.positions.get(position).location;
  f.fixed = false;
}

/** A line of the instruction that is being written; `declared` is the local that it declares. */
export function line(f: FunctionContext, text: string, declared?: string): void {
  f.writer.line(text, f.position, declared);
}

export function atom(text: string): Expression {
  return { text, binding: binding.atom, fixed: false };
}

/** Terminators that put values into locals, which have the source's names already. */
const carries = new Set(['yield', 'break', 'continue', 'repeat', 'repeat_if']);

/** The same, fixed or not. Without a spread: shapes vary, and most expressions come by here. */
export function withFixed(made: Expression, fixed: boolean): Expression {
  if (made.fixed === fixed) return made;
  const { text, binding, scalar, operation, guards } = made;
  return { text, binding, fixed, scalar, operation, guards };
}

/** An operand's text. It counts as one use. */
export function operand(f: FunctionContext, value: Value): Expression {
  switch (value.kind) {
    case 'constant':
      return constantOf(f, value);
    case 'undef':
      return atom(zeroText(f, value.type));
    case 'global': {
      const name = f.globals.get(value);
      if (name === undefined) throw new InternalError(`global '${value.name}' has no name`, f.at);
      return atom(name);
    }
    default: {
      f.left.set(value, (f.left.get(value) ?? 1) - 1);
      const waiting = f.pending.get(value);
      if (waiting) {
        f.pending.delete(value);
        f.fixed ||= waiting.fixed;
        return waiting;
      }
      const known = f.values.get(value);
      if (!known) throw new InternalError('a value is used before it is made', f.at);
      return known;
    }
  }
}

function constantOf(f: FunctionContext, constant: Constant): Expression {
  const made = signed(constantText(f, constant));
  const { type, value } = constant;
  if (type.kind !== 'vector' || typeof value !== 'object') return made;
  const [first, ...others] = value as readonly Constant[];
  const isSplat = others.length > 0 && others.every((one) => Object.is(one.value, first!.value));
  return isSplat ? { ...made, scalar: signed(constantText(f, first!)) } : made;
}

function signed(text: string): Expression {
  return { text, binding: text.startsWith('-') ? binding.unary : binding.atom, fixed: false };
}

/** A statement that puts a value into a place: `x += y` for what `x = x + y` says. Without `;`. */
export function assignment(target: string, { text: value, operation }: Expression): string {
  if (operation?.left !== bare(target)) return `${target} = ${value}`;
  const { sign, right } = operation;
  const isStep = (sign === '+' || sign === '-') && /^1u?$/.test(bare(right));
  return target + (isStep ? markedAs(value, sign + sign) : `${markedAs(value, ` ${sign}=`)} ${right}`);
}

/** With parentheses unless it binds at least so tightly. */
export function bound(expression: Expression, least: number): string {
  return expression.binding >= least ? expression.text : `(${expression.text})`;
}

export function text(f: FunctionContext, value: Value): string {
  return operand(f, value).text;
}

export function texts(f: FunctionContext, values: readonly Value[]): string[] {
  return values.map((value) => text(f, value));
}

const simple = /^[A-Za-z_]\w*(\.\w+|\[\w+\])*$/;

/** A name, or a part of what it names, which may stand more than once. */
export function isName(given: string): boolean {
  return simple.test(bare(given));
}

/** The operand as a name that may stand more than once. */
export function named(f: FunctionContext, value: Value): string {
  const expression = operand(f, value);
  if (value.kind === 'constant' || isName(expression.text)) return expression.text;
  return declare(f, typeText(f, value.type), expression.text, 'value');
}

/** A new local; gives its name. */
export function declare(f: FunctionContext, type: string, value: string, wanted: string): string {
  const name = f.locals.unique(wanted);
  f.writer.names.delete(name);
  line(f, `const ${type} ${name} = ${value};`);
  return name;
}

/** The name of a new local that holds a value: that of the variable of the source, if there is one. */
export function localName(
  f: FunctionContext,
  value: Value & { name?: string | undefined },
  otherwise = 'value',
): string {
  const variable = f.variables.get(value);
  const wanted = variable?.isThis ? 'self' : (variable?.name ?? value.name?.replace(/\.\d+$/, ''));
  const name = f.locals.unique(wanted ?? otherwise);
  if (variable) f.writer.names.set(name, variable);
  else f.writer.names.delete(name);
  return name;
}

/** A member of something, perhaps of an element, perhaps converted. */
const memberPath = /^(?:metal::\w+\()?[A-Za-z_]\w*(?:\.\w+|\[[^\][()]*\])*\.([A-Za-z]\w*)(?:\[\w+\])?\)?$/;

/** What a value can be called that is read from a member. */
function memberName(text: string): string | undefined {
  const name = memberPath.exec(bare(text))?.[1];
  return name === undefined || /^([xyzw]{1,4}|[ev])$/.test(name) ? undefined : name;
}

/** Puts away what an instruction gives. `changes`: evaluating it does something, so it happens here. */
export function give(
  f: FunctionContext,
  instruction: Instruction,
  block: Block,
  given: Expression,
  changes = false,
): void {
  const result = instruction.results[0]!;
  const uses = f.left.get(result) ?? 0;
  const made = f.marks ? { ...given, text: marked(f.position, given.text) } : given;
  if (uses === 0 && !changes) return;
  if (!changes && isPart(instruction, made) && !made.fixed) {
    f.values.set(result, made);
    return;
  }
  const waits = uses === 1 && !changes && f.users.get(result)!.block === block;
  if (waits && mayWait(f, result, made.text)) {
    f.pending.set(result, made);
    return;
  }
  if (uses === 0) {
    settle(f);
    line(f, `${made.text};`);
    return;
  }
  if (changes) settle(f);
  const name = localName(f, result, memberName(made.text));
  line(f, `const ${typeText(f, result.type)} ${name} = ${made.text};`, name);
  f.values.set(result, atom(name));
}

/** What has a name of its own in the source is written under it, unless its only user gives it one; so is what is long. */
function mayWait(f: FunctionContext, result: Value, made: string): boolean {
  const user = f.users.get(result)!.instruction;
  const isAlone = carries.has(user.op) || isInitial(f, user, result);
  if (f.variables.has(result) && !isAlone) return false;
  const isStatement = isAlone || user.op === 'return' || (user.op === 'store' && user.operands[1] === result);
  return isStatement || bare(made).length < longest;
}

/** What a variable of the source begins with in a loop is not a local before the loop too. */
function isInitial(f: FunctionContext, { op, operands, blocks }: Instruction, value: Value): boolean {
  if (op !== 'loop') return false;
  const inLoop = f.variables.get(blocks[0]!.parameters[operands.indexOf(value)]!);
  return inLoop !== undefined && inLoop === f.variables.get(value);
}

/** A part of what has a name, or a vector of it: these are written as often as they are used. */
function isPart({ op }: Instruction, { text, scalar }: Expression): boolean {
  return op === 'splat' ? scalar !== undefined && isName(scalar.text) : isPartOf(op) && isName(text);
}

const isPartOf = (op: Instruction['op']) => op === 'extract' || op === 'swizzle';

/** Must it be evaluated before anything that takes effect? */
export function isFixed(f: FunctionContext, instruction: Instruction): boolean {
  if (f.fixed) return true;
  if (instruction.op === 'intrinsic') return intrinsicOf(instruction).effects !== 'none';
  return !isPure(instruction);
}

/** What is written late is still of the place that it came from. */
function positionOf(f: FunctionContext, value: Value): number {
  return value.kind === 'result' ? value.instruction.position : f.position;
}

/** Names everything whose value could change by what comes next. */
export function settle(f: FunctionContext): void {
  for (const [value, expression] of f.pending) {
    if (!expression.fixed) continue;
    f.pending.delete(value);
    const name = localName(f, value, memberName(expression.text));
    f.writer.line(
      `const ${typeText(f, value.type)} ${name} = ${expression.text};`,
      positionOf(f, value),
      name,
    );
    f.values.set(value, atom(name));
  }
  for (const index of f.open) {
    if (index.fixed && index.holders.some((holder) => (f.left.get(holder) ?? 0) > 0)) {
      const name = f.locals.unique('index');
      line(f, `const auto ${name} = ${index.text};`);
      index.text = name;
    }
  }
  f.open.clear();
}

/** An index for a place that `holder` stands for. */
export function indexText(f: FunctionContext, value: Value, holder: Value): IndexText {
  const before = f.fixed;
  f.fixed = false;
  const made: IndexText = { text: text(f, value), fixed: false, holders: [holder] };
  made.fixed = f.fixed;
  f.fixed = before;
  if (made.fixed) f.open.add(made);
  return made;
}

/** The place of a pointer. */
export function placeFor(f: FunctionContext, pointer: Value): Place {
  if (pointer.kind === 'result' || pointer.kind === 'parameter')
    f.left.set(pointer, (f.left.get(pointer) ?? 1) - 1);
  const place = f.places.get(pointer);
  if (!place) throw new InternalError('a pointer without a place', f.at);
  if (usesFixed(place.path) || (place.row && usesFixed(place.row.index)) || place.texel?.coordinate.fixed)
    f.fixed = true;
  return place;
}

function usesFixed(path: Path): boolean {
  return path.some((part) => typeof part !== 'string' && part.fixed && !/^index(_\d+)?$/.test(part.text));
}

/** Places that come from another hold its indices too. */
export function holdIndices(path: Path, holder: Value): void {
  for (const part of path)
    if (typeof part !== 'string' && !part.holders.includes(holder)) part.holders.push(holder);
}
