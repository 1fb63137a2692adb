import { type Builder, partType } from '../ir/builder.ts';
import type { Instruction, Function as IrFunction, Module, PointerType, Value } from '../ir/ir.ts';
import { partCount, partOfValue } from '../ir/parts.ts';
import { rewriteFunction } from '../ir/rewrite.ts';
import { isDebug } from '../ir/uses.ts';
import { walkFunction } from '../ir/walk.ts';
import { InternalError } from '../source/diagnostic.ts';
import { pointer, type Type } from '../types/type.ts';

/**
 * Splits variables of structs, arrays and matrices (by row) whose parts are reached by constant indices, each part for itself: an array
 * that is indexed at run time, or memory that a call gets, stays whole. Vectors stay whole. So do variables that nothing
 * takes apart.
 *
 *     %l: ptr<function, Light> = var            %l.dir: ptr<function, float3> = var
 *     debug_declare $l %l                       %l.power: ptr<function, float> = var
 *     %0: ptr<function, float> = access %l, 1   debug_declare $l %l.dir [0]
 *     store %0, 1.0                             debug_declare $l %l.power [1]
 *     %1: Light = load %l                       store %l.power, 1.0
 *                                               %1: float3 = load %l.dir
 *                                               %2: float = load %l.power
 *                                               %3: Light = construct %1, %2
 *
 * Positions: what a load, store, access or declaration becomes takes its position; the new variables that of the old one.
 */
export function sroa(module: Module): boolean {
  let changed = false;
  for (const fn of module.functions) if (split(module, fn)) changed = true;
  return changed;
}

/** What is known of a part of a variable. */
interface Part {
  type: Type;
  name: string;
  /** Something needs it in one piece: a run-time index, a call. */
  isWhole: boolean;
  /** Loads and stores of it as a whole. */
  isCopied: boolean;
  /** Parts that constant indices reach, by index. */
  parts: Map<number, Part>;
  /** The new variable; what stands for the pointer if the part is split further. */
  variable?: Value;
}

/** Elements of an array that is split though it is also copied as a whole: each copy becomes as many. */
const largestCopiedArray = 64;
/** Elements of an array that is split. */
const largestArray = 256;
/** Variables that become of one. */
const mostPieces = 1024;

function split(module: Module, fn: IrFunction): boolean {
  const roots = explore(fn);
  for (const [variable, part] of roots)
    if (decide(part, false) > mostPieces || part.parts.size === 0) roots.delete(variable);
  if (roots.size === 0) return false;
  const pointers = new Map<Value, Part>(roots);
  return rewriteFunction(module, fn, (instruction, builder) => {
    const part =
      instruction.op === 'var' ? roots.get(instruction.results[0]!) : pointers.get(instruction.operands[0]!);
    if (!part) return undefined;
    switch (instruction.op) {
      case 'var':
        makePieces(part, builder, pointers);
        return [part.variable!];
      case 'access':
        return [splitAccess(instruction, part, builder)];
      case 'load':
        return [loadPart(part, builder)];
      case 'store':
        storePart(part, instruction.operands[1]!, [], builder);
        return [];
      case 'debug_declare':
        declarePart(part, instruction, [], builder);
        return [];
      default:
        throw new InternalError(`${instruction.op} takes a part that is split`);
    }
  });
}

/** Shared by the parts that have none, which are most; stays empty. */
const noParts = new Map<number, Part>();

function newPart(type: Type, name: string): Part {
  return { type, name, isWhole: false, isCopied: false, parts: noParts };
}

// ---- what may be split

/** The variables that have parts, with what the uses of pointers into them ask for. */
function explore(fn: IrFunction): Map<Value, Part> {
  const roots = new Map<Value, Part>();
  for (const { op, results } of fn.body.instructions) {
    if (op !== 'var') break;
    const variable = results[0]!;
    const { pointee } = variable.type as PointerType;
    if (partCount(pointee) > 0) roots.set(variable, newPart(pointee, variable.name ?? ''));
  }
  if (roots.size === 0) return roots;
  // Accesses stand in front of what uses them.
  const reached = new Map<Value, Part>(roots);
  walkFunction(fn, (instruction) => {
    if (isDebug(instruction)) return;
    const { operands } = instruction;
    for (let index = 0; index < operands.length; index++) {
      const { type } = operands[index]!;
      if (type.kind !== 'pointer' || type.space !== 'function') continue;
      const part = reached.get(operands[index]!);
      if (part) noteUse(instruction, index, part, reached);
    }
  });
  return roots;
}

function noteUse(instruction: Instruction, index: number, part: Part, reached: Map<Value, Part>): void {
  const { op, operands, results } = instruction;
  if (index === 0 && (op === 'load' || op === 'store')) part.isCopied = true;
  else if (index === 0 && op === 'access') {
    const inner = reach(part, operands.slice(1));
    if (inner) reached.set(results[0]!, inner);
  } else part.isWhole = true;
}

/** The part at the path; undefined if it is not reached by constants, and the last part on the way is then whole. */
function reach(part: Part, path: readonly Value[]): Part | undefined {
  for (const index of path) {
    const at = constantIndex(index);
    if (at === undefined || at < 0 || at >= partCount(part.type)) {
      part.isWhole = true;
      return undefined;
    }
    part = member(part, at);
  }
  return part;
}

function constantIndex(index: Value): number | undefined {
  return index.kind === 'constant' && typeof index.value === 'number' ? index.value : undefined;
}

function member(part: Part, index: number): Part {
  let found = part.parts.get(index);
  if (!found) {
    const { type } = part;
    const name = type.kind === 'struct' ? type.members[index]!.name : String(index);
    found = newPart(partType(type, [index]), `${part.name}.${name}`);
    if (part.parts === noParts) part.parts = new Map();
    part.parts.set(index, found);
  }
  return found;
}

/** Settles which parts stay in one piece, and completes those of which copies are made. Gives the number of pieces. */
function decide(part: Part, isCopied: boolean): number {
  isCopied ||= part.isCopied;
  const count = partCount(part.type);
  const largest = part.type.kind !== 'array' ? Infinity : isCopied ? largestCopiedArray : largestArray;
  if (part.isWhole || part.parts.size === 0 || count > largest) {
    part.parts = noParts;
    return 1;
  }
  let pieces = 0;
  if (isCopied) for (let i = 0; i < count; i++) member(part, i);
  part.parts = new Map([...part.parts].sort(([a], [b]) => a - b));
  for (const each of part.parts.values()) pieces += decide(each, isCopied);
  return pieces;
}

// ---- splitting

function makePieces(part: Part, builder: Builder, pointers: Map<Value, Part>): void {
  if (part.parts.size === 0) {
    part.variable = builder.var(part.type, part.name);
    return;
  }
  part.variable = { kind: 'undef', type: pointer('function', part.type) };
  pointers.set(part.variable, part);
  for (const each of part.parts.values()) makePieces(each, builder, pointers);
}

/** The pointer to a piece or into it; for a part that is split what stands for the pointer. */
function splitAccess(instruction: Instruction, part: Part, builder: Builder): Value {
  const path = instruction.operands.slice(1);
  let at = 0;
  for (; at < path.length && part.parts.size > 0; at++) part = part.parts.get(constantIndex(path[at]!)!)!;
  return builder.access(part.variable!, ...path.slice(at));
}

function loadPart(part: Part, builder: Builder): Value {
  if (part.parts.size === 0) return builder.load(part.variable!);
  return builder.construct(
    part.type,
    [...part.parts.values()].map((each) => loadPart(each, builder)),
  );
}

function storePart(part: Part, value: Value, path: readonly number[], builder: Builder): void {
  if (part.parts.size === 0) {
    builder.store(part.variable!, partOfValue(builder, value, path));
    return;
  }
  for (const [index, each] of part.parts) storePart(each, value, [...path, index], builder);
}

function declarePart(part: Part, declaration: Instruction, path: readonly number[], builder: Builder): void {
  if (part.parts.size === 0) {
    const { variable, indices } = declaration;
    builder.debugDeclare(variable!, part.variable!, [...(indices ?? []), ...path]);
    return;
  }
  for (const [index, each] of part.parts) declarePart(each, declaration, [...path, index], builder);
}
