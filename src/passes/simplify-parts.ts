import { type Builder, partType } from '../ir/builder.ts';
import { sameValue } from '../ir/constants.ts';
import type { Constant, Instruction, Module, Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.ts';
import { rewriteModule } from '../ir/rewrite.ts';
import { isNumeric, type Type, type VectorType } from '../types/type.ts';

/**
 * Parts of values are taken from where they come from, and values that are put together from all the parts of another one are
 * that one.
 *
 *     %a: float4 = construct %x, %y, %z, %w
 *     %b: float2 = swizzle %a [3, 0]
 *     %c: float = extract %b [1]            %c is %x
 *
 * Positions: what replaces an instruction takes its position.
 */
export function simplifyParts(module: Module): boolean {
  return rewriteModule(module, (instruction, builder) => {
    const value = replacement(instruction, builder);
    return value && [value];
  });
}

function replacement(instruction: Instruction, builder: Builder): Value | undefined {
  const { op, operands } = instruction;
  switch (op) {
    case 'extract':
      return partOf(builder, operands[0]!, instruction.indices!, true);
    case 'swizzle':
      return swizzled(builder, operands[0]!, instruction.indices!, instruction.results[0]!.type, true);
    case 'construct':
      return constructed(builder, operands, instruction.results[0]!.type);
    case 'insert':
      return inserted(builder, instruction, instruction.results[0]!.type);
    case 'extract_dynamic': {
      const [of, index] = operands as [Value, Value];
      const at = constantIndex(of.type, index);
      return at === undefined ? undefined : builder.extract(of, at);
    }
    case 'insert_dynamic': {
      const [of, part, index] = operands as [Value, Value, Value];
      const at = constantIndex(of.type, index);
      return at === undefined ? undefined : builder.insert(of, part, at);
    }
    default:
      return undefined;
  }
}

/** Of a vector, if it is in range. */
function constantIndex(type: Type, index: Value): number | undefined {
  if (type.kind !== 'vector' || index.kind !== 'constant') return undefined;
  const at = Number(index.value);
  return at >= 0 && at < type.count ? at : undefined;
}

function made(value: Value, op: Opcode): Instruction | undefined {
  return value.kind === 'result' && value.instruction.op === op ? value.instruction : undefined;
}

/** Longer chains are cut: what is beyond is reached in the next run of the pass. */
const depthLimit = 32;

/**
 * The part of a value at a path. Undefined if nothing better is known than to extract it; `must` says that the path is extracted
 * already, so that only another source is an answer.
 */
function partOf(
  builder: Builder,
  from: Value,
  path: readonly number[],
  must = false,
  depth = 0,
): Value | undefined {
  const [index, ...rest] = path;
  if (index === undefined) return from;
  const further = (value: Value, at: readonly number[]): Value | undefined =>
    depth < depthLimit
      ? (partOf(builder, value, at, false, depth + 1) ?? extracted(builder, value, at))
      : undefined;
  if (from.kind === 'constant' || from.kind === 'undef')
    return must ? undefined : extracted(builder, from, path);
  if (from.kind !== 'result') return undefined;
  const { op, operands, indices = [] } = from.instruction;
  switch (op) {
    case 'construct':
      return further(operands[index]!, rest);
    case 'splat':
      return from.type.kind === 'matrix' && rest.length === 0
        ? builder.splat(partType(from.type, [index]), operands[0]!)
        : operands[0]!;
    case 'swizzle':
      return further(operands[0]!, operands[0]!.type.kind === 'vector' ? [indices[index]!] : []);
    case 'extract':
      return further(operands[0]!, [...indices, ...path]);
    case 'insert': {
      const common = Math.min(indices.length, path.length);
      if (indices.slice(0, common).some((step, i) => step !== path[i])) return further(operands[0]!, path);
      return path.length >= indices.length ? further(operands[1]!, path.slice(indices.length)) : undefined;
    }
    default:
      return undefined;
  }
}

function extracted(builder: Builder, from: Value, path: readonly number[]): Value {
  if (path.length === 0) return from;
  if (from.kind === 'undef') return builder.undef(partType(from.type, path));
  if (from.kind !== 'constant') return builder.extract(from, ...path);
  let part: Constant = from;
  for (const index of path) part = (part.value as readonly Constant[])[index]!;
  return part;
}

function swizzled(
  builder: Builder,
  from: Value,
  components: readonly number[],
  type: Type,
  must = false,
): Value | undefined {
  const { type: source } = from;
  if (source.kind !== 'vector') return type === source ? from : builder.splat(type, from);
  if (type === source && components.every((component, i) => component === i)) return from;
  if (type.kind !== 'vector')
    return partOf(builder, from, [components[0]!]) ?? builder.extract(from, components[0]!);
  const again = (value: Value, of: readonly number[]): Value =>
    swizzled(builder, value, of, type) ?? builder.swizzle(value, of);
  const swizzle = made(from, 'swizzle');
  if (swizzle)
    return again(
      swizzle.operands[0]!,
      components.map((component) => swizzle.indices![component]!),
    );
  const splat = made(from, 'splat');
  if (splat) return builder.splat(type, splat.operands[0]!);
  const construct = made(from, 'construct');
  if (construct) {
    const parts = components.map((component) => construct.operands[component]!);
    return constructed(builder, parts, type) ?? builder.construct(type, parts);
  }
  const insert = made(from, 'insert');
  if (insert?.indices?.length === 1 && !components.includes(insert.indices[0]!))
    return again(insert.operands[0]!, components);
  return must ? undefined : builder.swizzle(from, components);
}

// ---- what parts make

/** Where a part was taken from. */
function sourceOf(part: Value): { from: Value; path: readonly number[] } | undefined {
  const extract = made(part, 'extract');
  return extract && { from: extract.operands[0]!, path: extract.indices! };
}

function constructed(builder: Builder, parts: readonly Value[], type: Type): Value | undefined {
  const [first] = parts;
  if (!first) return undefined;
  if (type.kind === 'vector' && parts.length > 1 && parts.every((part) => sameValue(part, first)))
    return builder.splat(type, first);
  if (type.kind === 'matrix') {
    const scalar = made(first, 'splat')?.operands[0];
    if (scalar && parts.every((part) => made(part, 'splat')?.operands[0] === scalar))
      return builder.splat(type, scalar);
  }
  const source = sourceOf(first);
  if (!source) return undefined;
  const prefix = source.path.slice(0, -1);
  const last: number[] = [];
  for (const part of parts) {
    const other = sourceOf(part);
    if (other?.from !== source.from || other.path.length !== source.path.length) return undefined;
    if (prefix.some((step, i) => step !== other.path[i])) return undefined;
    last.push(other.path[prefix.length]!);
  }
  const whole = partType(source.from.type, prefix);
  const from = (): Value => (prefix.length > 0 ? builder.extract(source.from, ...prefix) : source.from);
  if (whole === type && last.every((index, i) => index === i)) return from();
  if (type.kind !== 'vector' || whole.kind !== 'vector' || type.count < 2) return undefined;
  return builder.swizzle(from(), last);
}

/**
 * Inserts one after the other into a vector become one `construct` if they set every component, or if what they set comes from
 * one other vector: targets join parts of two vectors at once.
 */
function inserted(builder: Builder, instruction: Instruction, type: Type): Value | undefined {
  const { operands, indices = [] } = instruction;
  if (type.kind !== 'vector') return isNumeric(type) ? rowsInserted(builder, instruction) : undefined;
  if (type.count === 1) return builder.construct(type, [operands[1]!]);
  const parts: (Value | undefined)[] = new Array(type.count).fill(undefined);
  parts[indices[0]!] = operands[1]!;
  let base = operands[0]!;
  let isOverwritten = false;
  for (let inner = made(base, 'insert'); inner; inner = made(base, 'insert')) {
    const index = inner.indices![0]!;
    if (parts[index]) isOverwritten = true;
    parts[index] ??= inner.operands[1]!;
    base = inner.operands[0]!;
  }
  const origin = componentsMade(builder, base, type);
  const isSet = parts.every((part) => part !== undefined);
  if (!isSet && !origin && !haveOneSource(parts))
    return isOverwritten ? insertOnce(builder, base, parts) : undefined;
  const known = parts.map((part, i) => part ?? origin?.[i] ?? builder.extract(base, i));
  return constructed(builder, known, type) ?? builder.construct(type, known);
}

/** Without what is overwritten at once. */
function insertOnce(builder: Builder, base: Value, parts: readonly (Value | undefined)[]): Value {
  return parts.reduce<Value>((value, part, i) => (part ? builder.insert(value, part, i) : value), base);
}

/** What is set comes from one vector. */
function haveOneSource(parts: readonly (Value | undefined)[]): boolean {
  const sources = new Set<Value | undefined>();
  for (const part of parts) {
    const source = part && sourceOf(part);
    if (part)
      sources.add(source?.path.length === 1 && source.from.type.kind === 'vector' ? source.from : undefined);
  }
  return sources.size === 1 && !sources.has(undefined);
}

/** The components that a vector was made of. */
function componentsMade(builder: Builder, value: Value, type: VectorType): readonly Value[] | undefined {
  if (value.kind === 'undef') return new Array<Value>(type.count).fill(builder.undef(type.element));
  const splat = made(value, 'splat');
  if (splat) return new Array<Value>(type.count).fill(splat.operands[0]!);
  if (value.kind === 'constant') return value.value as readonly Constant[];
  return made(value, 'construct')?.operands;
}

/** The same for whole rows of a matrix. */
function rowsInserted(builder: Builder, instruction: Instruction): Value | undefined {
  const { type } = instruction.results[0]!;
  if (type.kind !== 'matrix' || instruction.indices?.length !== 1) return undefined;
  const rows: (Value | undefined)[] = new Array(type.rows).fill(undefined);
  let at: Instruction | undefined = instruction;
  while (at && at.indices!.length === 1) {
    rows[at.indices![0]!] ??= at.operands[1]!;
    if (rows.every((row) => row !== undefined)) return builder.construct(type, rows);
    at = made(at.operands[0]!, 'insert');
  }
  return undefined;
}
