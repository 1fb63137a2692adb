/**
 * What SPIR-V has one instruction for is said so: a vector or matrix times a number, and vectors put together from parts of
 * other vectors. Only for optimized code, where values are what the source's lines share.
 *
 *     %a: float = extract %v [0]
 *     %b: float = extract %v [1]
 *     %r: float4 = construct %a, %b, %s, 1.0    ->    %r: float4 = compose %v, %s, 1.0
 *
 * Positions: that of the instruction in whose place it stands; for a part of several components that of the first one taken.
 */
import type { Builder } from '../../ir/builder.ts';
import type { Constant, Instruction, Module, Value } from '../../ir/ir.ts';
import { type MatrixType, scalarClass, type Type, type VectorType, vector } from '../../types/type.ts';
import { rewriteModule } from '../../ir/rewrite.ts';

export function vectorForms(module: Module): boolean {
  return rewriteModule(module, (instruction, builder) => {
    const value = instruction.op === 'mul' ? scaled(instruction, builder) : composed(instruction, builder);
    return value && [value];
  });
}

// ---- multiplication by a number

function scaled({ operands }: Instruction, builder: Builder): Value | undefined {
  const [a, b] = operands as [Value, Value];
  if (!canScale(a.type)) return undefined;
  const right = numberBehind(b);
  if (right) return builder.scale(a, right);
  const left = numberBehind(a);
  return left && builder.scale(b, left);
}

function canScale(type: Type): type is VectorType | MatrixType {
  if (type.kind === 'vector') return type.count > 1 && scalarClass(type.element) === 'float';
  return type.kind === 'matrix' && type.rows > 1 && type.columns > 1 && scalarClass(type.element) === 'float';
}

/** The number that a value has in all its components. */
function numberBehind(value: Value): Value | undefined {
  return value.kind === 'result' && value.instruction.op === 'splat'
    ? value.instruction.operands[0]
    : undefined;
}

// ---- vectors

/** Where a component comes from: a vector, or itself. */
interface Part {
  value: Value;
  vector?: Value;
  index: number;
}

function composed({ op, operands, results }: Instruction, builder: Builder): Value | undefined {
  const type = results[0]?.type;
  if (op !== 'construct' || type?.kind !== 'vector' || type.count < 2) return undefined;
  const parts = operands.map(partBehind);
  if (!parts.some(({ vector: from }) => from)) return undefined;
  return shuffled(type, parts, builder) ?? joined(type, parts, builder);
}

function partBehind(value: Value): Part {
  const own: Part = { value, index: 0 };
  if (value.kind !== 'result') return own;
  const { op, operands, indices } = value.instruction;
  const from = operands[0];
  if (from?.type.kind !== 'vector' || from.type.count < 2) return own;
  if ((op !== 'extract' && op !== 'swizzle') || indices?.length !== 1) return own;
  return { value, vector: from, index: indices[0]! };
}

/** All components come from two vectors, one of which may be a constant that is made for it. */
function shuffled(type: VectorType, parts: readonly Part[], builder: Builder): Value | undefined {
  const vectors = [...new Set(parts.flatMap((part) => part.vector ?? []))];
  // An undefined component may be any.
  const others = parts.filter((part) => !part.vector && part.value.kind !== 'undef');
  const constants = others.flatMap(({ value }) => (value.kind === 'constant' ? value : []));
  if (constants.length < others.length || vectors.length + (constants.length > 0 ? 1 : 0) > 2)
    return undefined;
  const first = vectors[0]!;
  const second = constants.length > 0 ? constantOf(type, constants, builder) : (vectors[1] ?? first);
  const offset = (first.type as VectorType).count;
  let used = 0;
  const indices = parts.map(({ value, vector: from, index }) => {
    if (value.kind === 'undef') return 0;
    return !from ? offset + used++ : from === first ? index : offset + index;
  });
  if (vectors.length === 1 && constants.length === 0) return builder.swizzle(first, indices);
  return builder.shuffle(type, first, second, indices);
}

function constantOf(type: VectorType, parts: readonly Constant[], builder: Builder): Constant {
  const padded = parts.length === 1 ? [parts[0]!, parts[0]!] : [...parts];
  return builder.constant(vector(type.element, padded.length), padded);
}

/** Runs of components that stand together in a vector stay together. */
function joined(type: VectorType, parts: readonly Part[], builder: Builder): Value | undefined {
  const values: Value[] = [];
  for (let i = 0; i < parts.length; ) {
    const part = parts[i]!;
    let end = i + 1;
    while (part.vector && parts[end]?.vector === part.vector) end++;
    values.push(runOf(parts.slice(i, end), builder));
    i = end;
  }
  return values.length === parts.length ? undefined : builder.compose(type, values);
}

function runOf(parts: readonly Part[], builder: Builder): Value {
  const [{ value, vector: from }] = parts as [Part];
  if (parts.length === 1 || !from) return value;
  const isWhole =
    parts.length === (from.type as VectorType).count && parts.every(({ index }, i) => index === i);
  return isWhole
    ? from
    : builder.swizzle(
        from,
        parts.map(({ index }) => index),
      );
}
