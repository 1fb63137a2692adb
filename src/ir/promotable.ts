/**
 * Which variables of a function can become values: those that are only loaded and stored as a whole, or by component if they
 * are vectors; and where each of them is stored.
 */
import type { Block, Instruction, Function as IrFunction, PointerType, Value } from './ir.ts';
import { isDebug } from './uses.ts';
import { terminatorOf, walkBlock } from './walk.ts';

/** A component of a promotable vector, by the pointer that `access` made. */
export interface Component {
  variable: Value;
  index: Value;
}

export interface Promotable {
  /** Results of `var`s, in textual order. */
  variables: Set<Value>;
  components: Map<Value, Component>;
  /** Per control instruction: variables that are stored somewhere inside. */
  stored: Map<Instruction, Set<Value>>;
}

export function findPromotable(fn: IrFunction): Promotable {
  const found: Promotable = { variables: new Set(), components: new Map(), stored: new Map() };
  for (const { op, results } of fn.body.instructions) {
    if (op !== 'var') break;
    found.variables.add(results[0]!);
  }
  if (found.variables.size === 0) return found;
  const search: Search = { found, refused: new Set(), around: [], fallsThrough: false };
  searchBlock(fn.body, search);
  if (search.fallsThrough) refuseCrossing(fn, search);
  if (search.refused.size > 0) dropRefused(search);
  return found;
}

interface Search {
  /** All variables, until those that are refused go. */
  found: Promotable;
  refused: Set<Value>;
  /** Control instructions around the place that is looked at, the innermost last. */
  around: Instruction[];
  /** Whether there is a switch with a group that falls into the next one. */
  fallsThrough: boolean;
}

function searchBlock({ instructions }: Block, search: Search): void {
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i]!;
    if (isDebug(instruction)) continue;
    const { op, operands, blocks } = instruction;
    for (let n = 0; n < operands.length; n++) {
      const { type } = operands[n]!;
      if (type.kind === 'pointer' && type.space === 'function') notePointer(instruction, n, search);
    }
    if (op === 'store') noteStore(instruction, search);
    else if (op === 'fallthrough') search.fallsThrough = true;
    if (blocks.length === 0) continue;
    search.around.push(instruction);
    for (let n = 0; n < blocks.length; n++) searchBlock(blocks[n]!, search);
    search.around.pop();
  }
}

function notePointer(instruction: Instruction, index: number, { found, refused }: Search): void {
  const { op, operands, results } = instruction;
  if (index === 0 && (op === 'load' || op === 'store')) return;
  const pointer = operands[index]!;
  const base = pointer.type as PointerType;
  const isComponent =
    op === 'access' && index === 0 && operands.length === 2 && base.pointee.kind === 'vector';
  if (!isComponent || !found.variables.has(pointer))
    refused.add(found.components.get(pointer)?.variable ?? pointer);
  else found.components.set(results[0]!, { variable: pointer, index: operands[1]! });
}

function noteStore(store: Instruction, { found, around }: Search): void {
  const variable = storedVariable(store, found);
  // From the inside out, up to where it is known already.
  for (let i = around.length - 1; variable && i >= 0; i--) {
    const control = around[i]!;
    let stored = found.stored.get(control);
    if (!stored) {
      stored = new Set();
      found.stored.set(control, stored);
    }
    if (stored.has(variable)) break;
    stored.add(variable);
  }
}

/** The variable that a store writes, whole or in part. */
function storedVariable(instruction: Instruction, { variables, components }: Promotable): Value | undefined {
  if (instruction.op !== 'store') return undefined;
  const pointer = instruction.operands[0]!;
  const variable = components.get(pointer)?.variable ?? pointer;
  return variables.has(variable) ? variable : undefined;
}

/** The next group of a switch has no parameters: what is stored in a group that falls into it stays memory. */
function refuseCrossing(fn: IrFunction, { found, refused }: Search): void {
  walkBlock(fn.body, ({ op, blocks }) => {
    if (op !== 'switch') return;
    for (const block of blocks) {
      if (terminatorOf(block)?.op !== 'fallthrough') continue;
      walkBlock(block, (instruction) => {
        const variable = storedVariable(instruction, found);
        if (variable) refused.add(variable);
      });
    }
  });
}

function dropRefused({ found, refused }: Search): void {
  for (const variable of refused) found.variables.delete(variable);
  for (const [pointer, { variable }] of found.components) {
    if (refused.has(variable)) found.components.delete(pointer);
  }
  for (const [control, stored] of found.stored) {
    for (const variable of stored) if (refused.has(variable)) stored.delete(variable);
    if (stored.size === 0) found.stored.delete(control);
  }
}
