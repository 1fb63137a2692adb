/**
 * What SPIR-V puts together in one instruction: vectors from whole vectors or from parts of two, vectors and matrices times a
 * scalar. The parts that only such instructions use are not made themselves. Off without optimizer.
 */
import type { Constant, Function as IrFunction, Instruction, Value } from '../ir/ir.ts';
import { countUses, isDebug } from '../ir/uses.ts';
import { walkFunction } from '../ir/walk.ts';
import { elementOf, scalarClass, type Type, vector } from '../types/type.ts';
import { decorateResult, emitResult, valueId } from './body.ts';
import { composite, constantId } from './constants.ts';
import type { FunctionContext } from './context.ts';
import { Op } from './enums.ts';
import { isTrueMatrix, valueTypeId } from './types.ts';

/** Neighbouring components: some of a vector, or one scalar. */
type Piece = { kind: 'part'; from: Value; components: number[] } | { kind: 'scalar'; value: Value };

type Plan =
  | { kind: 'shuffle'; first: Value; second: Value; components: number[] }
  | { kind: 'pieces'; pieces: Piece[] }
  | { kind: 'scale'; op: number; of: Value; by: Value };

export interface Composites {
  plans: Map<Instruction, Plan>;
  /** Results that no instruction needs. */
  absorbed: Set<Value>;
}

export const noComposites: Composites = { plans: new Map(), absorbed: new Set() };

export function planComposites(target: IrFunction): Composites {
  const plans = new Map<Instruction, Plan>();
  const spared = new Map<Value, number>();
  walkFunction(target, (instruction) => {
    const plan = planFor(instruction);
    if (!plan) return;
    plans.set(instruction, plan);
    for (const value of unused(instruction, plan)) spared.set(value, (spared.get(value) ?? 0) + 1);
  });
  const absorbed = new Set<Value>();
  if (spared.size === 0) return { plans, absorbed };
  const uses = countUses(target);
  for (const [value, count] of spared) if (count === uses.get(value)) absorbed.add(value);
  return { plans, absorbed };
}

function planFor(instruction: Instruction): Plan | undefined {
  if (isDebug(instruction)) return undefined;
  const type = instruction.results[0]?.type;
  if (!type) return undefined;
  if (instruction.op === 'mul') return scalePlan(instruction, type);
  if (instruction.op === 'construct' && type.kind === 'vector' && type.count > 1)
    return vectorPlan(instruction.operands);
  return undefined;
}

/** Operands that the plan does without. */
function unused(instruction: Instruction, plan: Plan): Value[] {
  switch (plan.kind) {
    case 'scale':
      return instruction.operands.filter((operand) => operand !== plan.of && isSplat(operand));
    case 'shuffle':
      return instruction.operands.filter(isComponent);
    case 'pieces': {
      const kept = plan.pieces.flatMap((piece) => (piece.kind === 'scalar' ? [piece.value] : []));
      return instruction.operands.filter((operand) => isComponent(operand) && !kept.includes(operand));
    }
  }
}

// ---- scaling

function isSplat(value: Value): boolean {
  return value.kind === 'result' && value.instruction.op === 'splat';
}

function scalePlan({ operands }: Instruction, type: Type): Plan | undefined {
  const element = elementOf(type);
  const isMatrix = type.kind === 'matrix' && isTrueMatrix(type);
  if (
    !element ||
    scalarClass(element) !== 'float' ||
    !(isMatrix || (type.kind === 'vector' && type.count > 1))
  )
    return undefined;
  const [a, b] = operands as [Value, Value];
  const op = isMatrix ? Op.MatrixTimesScalar : Op.VectorTimesScalar;
  for (const [of, by] of [
    [a, b],
    [b, a],
  ] as const) {
    if (by.kind === 'result' && by.instruction.op === 'splat')
      return { kind: 'scale', op, of, by: by.instruction.operands[0]! };
  }
  return undefined;
}

// ---- vectors

function isComponent(value: Value): boolean {
  return componentOf(value) !== undefined;
}

/** Of which vector the value is a component. */
function componentOf(value: Value): { from: Value; component: number } | undefined {
  if (value.kind !== 'result' || value.instruction.op !== 'extract') return undefined;
  const { operands, indices } = value.instruction;
  const from = operands[0]!;
  if (indices?.length !== 1 || from.type.kind !== 'vector' || from.type.count < 2) return undefined;
  return { from, component: indices[0]! };
}

function vectorPlan(operands: readonly Value[]): Plan | undefined {
  const pieces = piecesOf(operands);
  if (pieces.every(({ kind }) => kind === 'scalar')) return undefined;
  const isWhole = (piece: Piece): boolean =>
    piece.kind === 'scalar' ||
    (piece.from.type.kind === 'vector' && piece.from.type.count === piece.components.length && isRow(piece));
  if (pieces.every(isWhole)) return { kind: 'pieces', pieces };
  return shufflePlan(operands) ?? joinedPlan(operands, pieces);
}

const isRow = (piece: Piece): boolean =>
  piece.kind === 'part' && piece.components.every((component, i) => component === i);

function piecesOf(operands: readonly Value[]): Piece[] {
  const pieces: Piece[] = [];
  for (const value of operands) {
    const source = componentOf(value);
    const last = pieces[pieces.length - 1];
    if (!source) pieces.push({ kind: 'scalar', value });
    else if (last?.kind === 'part' && last.from === source.from && isOpen(last))
      last.components.push(source.component);
    else pieces.push({ kind: 'part', from: source.from, components: [source.component] });
  }
  return pieces;
}

/** A vector that is there whole is not taken into a longer piece. */
function isOpen(piece: Piece & { kind: 'part' }): boolean {
  const { type } = piece.from;
  const isComplete = type.kind === 'vector' && piece.components.length === type.count && isRow(piece);
  return !isComplete && piece.components.length < 4;
}

/** A component alone stays extracted, since that costs no more; undefined if that is all there is. */
function joinedPlan(operands: readonly Value[], pieces: readonly Piece[]): Plan | undefined {
  if (pieces.every((piece) => piece.kind === 'scalar' || piece.components.length === 1)) return undefined;
  let at = 0;
  const kept = pieces.map((piece): Piece => {
    const value = operands[at]!;
    at += piece.kind === 'scalar' ? 1 : piece.components.length;
    return piece.kind === 'part' && piece.components.length === 1 ? { kind: 'scalar', value } : piece;
  });
  return { kind: 'pieces', pieces: kept };
}

/** All from two vectors; constants make one too. */
function shufflePlan(operands: readonly Value[]): Plan | undefined {
  const sources: Value[] = [];
  for (const operand of operands) {
    const source = componentOf(operand)?.from;
    if (source && !sources.includes(source)) sources.push(source);
    else if (!source && operand.kind !== 'constant') return undefined;
  }
  const constants = operands.filter((operand): operand is Constant => operand.kind === 'constant');
  const [first, second] = sources;
  if (!first || first.type.kind !== 'vector') return undefined;
  if (sources.length + (constants.length > 0 ? 1 : 0) > 2) return undefined;
  const offset = first.type.count;
  let used = 0;
  const components = operands.map((operand) => {
    const source = componentOf(operand);
    if (!source) return offset + used++;
    return source.from === first ? source.component : offset + source.component;
  });
  return { kind: 'shuffle', first, second: second ?? constantVector(constants) ?? first, components };
}

function constantVector(parts: readonly Constant[]): Constant | undefined {
  const element = parts[0] && elementOf(parts[0].type);
  if (!element) return undefined;
  const filled = parts.length > 1 ? parts : [parts[0]!, parts[0]!];
  return { kind: 'constant', type: vector(element, filled.length), value: filled };
}

// ---- emission

/** The instruction as planned; undefined if nothing is planned for it. */
export function emitComposite(f: FunctionContext, instruction: Instruction): number | undefined {
  const plan = f.composites.plans.get(instruction);
  if (!plan) return undefined;
  const { type } = instruction.results[0]!;
  const typeId = valueTypeId(f, type);
  switch (plan.kind) {
    case 'scale':
      return decorateResult(
        f,
        emitResult(
          f,
          plan.op as typeof Op.VectorTimesScalar,
          typeId,
          valueId(f, plan.of),
          valueId(f, plan.by),
        ),
        type,
        instruction.precise,
      );
    case 'shuffle': {
      const [first, second] = [valueId(f, plan.first), sourceId(f, plan.second)];
      return emitResult(f, Op.VectorShuffle, typeId, first, second, ...plan.components);
    }
    case 'pieces': {
      const ids = plan.pieces.map((piece) => pieceId(f, piece));
      return ids.length === 1 ? ids[0] : emitResult(f, Op.CompositeConstruct, typeId, ...ids);
    }
  }
}

function sourceId(f: FunctionContext, value: Value): number {
  if (value.kind !== 'constant') return valueId(f, value);
  const parts = value.value as readonly Constant[];
  return composite(
    f,
    value.type,
    parts.map((part) => constantId(f, part)),
  );
}

function pieceId(f: FunctionContext, piece: Piece): number {
  if (piece.kind === 'scalar') return valueId(f, piece.value);
  const { from, components } = piece;
  const source = valueId(f, from);
  if (isRow(piece) && from.type.kind === 'vector' && from.type.count === components.length) return source;
  const typeId = valueTypeId(f, vector(elementOf(from.type)!, components.length));
  return emitResult(f, Op.VectorShuffle, typeId, source, source, ...components);
}
