/** Code of one function: blocks, instructions, and the values they give. Every instruction passes here, with its line before it. */

import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { PositionId } from '../source/position.ts';
import { elementOf, type MatrixType, scalarClass, type Type } from '../types/type.ts';
import { constantId, undefId } from './constants.ts';
import type { FunctionContext, Place } from './context.ts';
import { placeLine } from './debug-lines.ts';
import { decorate } from './decorations.ts';
import { Decoration, Op, StorageClass } from './enums.ts';
import type { OpNumber } from './sections.ts';
import { isRelaxed, valueTypeId } from './types.ts';
import type { Words } from './words.ts';

export interface FunctionBody {
  /** What goes behind the label of the first block. */
  variables: Words;
  /** The section of functions, of which this one's code is the end. */
  code: Words;
  /** Label of the block being filled; 0 after its terminator. */
  label: number;
  /** Scope and line in force, as far as debug information has put them in this block. */
  scope: number;
  inlined: number;
  /** Operands of the line in force; none at the start of a block. */
  line: readonly number[];
  /** Records of values that stand together, up to the word `end`, if a line begins with them: where its DebugLine is, and its position. */
  opening?: { line: number; end: number; position: PositionId } | undefined;
  /** The position whose scope and line these are; 0 if none was placed in this block. */
  position: PositionId;
}

/** An instruction without result. */
export function emit(f: FunctionContext, op: OpNumber, ...words: number[]): void {
  placeLine(f);
  f.body.code.add(op, words);
}

/** An instruction with result type and result; gives the result's id. */
export function emitResult(f: FunctionContext, op: OpNumber, typeId: number, ...operands: number[]): number {
  placeLine(f);
  const id = f.sections.id();
  f.body.code.addResult(op, typeId, id, operands);
  return id;
}

export function startBlock(f: FunctionContext, label: number): void {
  f.body.code.add(Op.Label, [label]);
  f.body.label = label;
  f.body.scope = 0;
  f.body.inlined = 0;
  f.body.line = [];
  f.body.position = 0;
}

/** The last instruction of a block. */
export function terminate(f: FunctionContext, op: OpNumber, ...words: number[]): void {
  emit(f, op, ...words);
  f.body.label = 0;
}

export function branch(f: FunctionContext, label: number): void {
  terminate(f, Op.Branch, label);
}

/** A variable of the function, for the code generator's own needs or a `var`. */
export function addVariable(f: FunctionContext, pointerType: number): number {
  const id = f.sections.id();
  f.body.variables.add(Op.Variable, [pointerType, id, StorageClass.Function]);
  return id;
}

/** Id of an operand. */
export function valueId(f: FunctionContext, value: Value): number {
  switch (value.kind) {
    case 'constant':
      return constantId(f, value);
    case 'undef':
      return undefId(f, value.type);
    case 'global': {
      const ids = f.globals.get(value);
      if (!ids) throw new InternalError(`global '${value.name}' has no id`);
      return ids.id;
    }
    default: {
      const id = f.values.get(value);
      if (id !== undefined) return id;
      const place = f.places.get(value);
      if (place && value.type.kind === 'pointer')
        throw new InternalError('a pointer that is only described is used as a value');
      throw new InternalError('a value is used before it is made');
    }
  }
}

/** Marks a result as its IR instruction asks: relaxed for min-precision types, exact for `precise`. */
export function decorateResult(
  f: FunctionContext,
  id: number,
  type: Type,
  precise: boolean | undefined,
): number {
  const element = elementOf(type);
  if (!element) return id;
  if (isRelaxed(f, element)) decorate(f, id, Decoration.RelaxedPrecision);
  if (precise && scalarClass(element) === 'float') decorate(f, id, Decoration.NoContraction);
  return id;
}

/** A vector (or scalar) of one id in every component. */
export function replicate(f: FunctionContext, type: Type, id: number): number {
  if (type.kind !== 'vector' || type.count === 1) return id;
  return emitResult(
    f,
    Op.CompositeConstruct,
    valueTypeId(f, type),
    ...new Array<number>(type.count).fill(id),
  );
}

/** A matrix of rows. */
export function matrixOf(f: FunctionContext, type: MatrixType, rows: readonly number[]): number {
  const id = emitResult(f, Op.CompositeConstruct, valueTypeId(f, type), ...rows);
  if (f.matrixValues) f.rows.set(id, rows);
  return id;
}

export function placeOf(base: number, storageClass: number): Place {
  return {
    base,
    path: [],
    storageClass,
    row: undefined,
    nonUniform: false,
    dynamic: false,
    blockType: undefined,
  };
}

export function copyOfPlace({ base, path, storageClass, row, nonUniform, dynamic, blockType }: Place): Place {
  return { base, path: path.slice(), storageClass, row, nonUniform, dynamic, blockType };
}
