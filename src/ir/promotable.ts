/**
 * Which variables of a function can become values: those that are only loaded and stored as a whole, or by component if they
 * are vectors; and where each of them is stored.
 */
import type { Block, Instruction, Function as IrFunction, Value } from './ir.ts';
import { collectVariableUses, type Use, type Uses } from './uses.ts';
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
  const uses = collectVariableUses(fn);
  const found: Promotable = { variables: new Set(), components: new Map(), stored: new Map() };
  for (const { op, results } of fn.body.instructions) {
    if (op !== 'var') break;
    const [variable] = results;
    if (variable && (uses.get(variable) ?? []).every((use) => isSimple(use, uses)))
      found.variables.add(variable);
  }
  if (found.variables.size === 0) return found;
  for (const variable of found.variables) {
    for (const { instruction } of uses.get(variable) ?? []) {
      if (instruction.op !== 'access') continue;
      found.components.set(instruction.results[0]!, { variable, index: instruction.operands[1]! });
    }
  }
  for (const variable of crossingFallthrough(fn, found)) found.variables.delete(variable);
  for (const [pointer, { variable }] of found.components) {
    if (!found.variables.has(variable)) found.components.delete(pointer);
  }
  collectStores(fn.body, [], found);
  return found;
}

function isSimple({ instruction, index }: Use, uses: Uses): boolean {
  if (instruction.op === 'load' || instruction.op === 'store') return index === 0;
  if (instruction.op !== 'access' || index !== 0 || instruction.operands.length !== 2) return false;
  const base = instruction.operands[0]!.type;
  if (base.kind !== 'pointer' || base.pointee.kind !== 'vector') return false;
  return (uses.get(instruction.results[0]!) ?? []).every(
    (use) => (use.instruction.op === 'load' || use.instruction.op === 'store') && use.index === 0,
  );
}

/** The variable that a store writes, whole or in part. */
function storedVariable(instruction: Instruction, { variables, components }: Promotable): Value | undefined {
  if (instruction.op !== 'store') return undefined;
  const pointer = instruction.operands[0]!;
  const variable = components.get(pointer)?.variable ?? pointer;
  return variables.has(variable) ? variable : undefined;
}

/** The next group of a switch has no parameters: what is stored in a group that falls into it stays memory. */
function crossingFallthrough(fn: IrFunction, found: Promotable): Set<Value> {
  const crossing = new Set<Value>();
  walkBlock(fn.body, ({ op, blocks }) => {
    if (op !== 'switch') return;
    for (const block of blocks) {
      if (terminatorOf(block)?.op !== 'fallthrough') continue;
      walkBlock(block, (instruction) => {
        const variable = storedVariable(instruction, found);
        if (variable) crossing.add(variable);
      });
    }
  });
  return crossing;
}

function collectStores(block: Block, around: Instruction[], found: Promotable): void {
  for (const instruction of block.instructions) {
    const variable = storedVariable(instruction, found);
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
    if (instruction.blocks.length === 0) continue;
    around.push(instruction);
    for (const inner of instruction.blocks) collectStores(inner, around, found);
    around.pop();
  }
}
