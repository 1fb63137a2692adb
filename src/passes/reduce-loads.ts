import { Builder, partOf, partType } from '../ir/builder.ts';
import type { Block, Function as IrFunction, Instruction, Module, Value } from '../ir/ir.ts';
import { componentsOrParts } from '../ir/parts.ts';
import { replaceUses } from '../ir/rewrite.ts';
import { collectUses, type Uses } from '../ir/uses.ts';
import { walkFunction } from '../ir/walk.ts';
import type { AddressSpace, Type } from '../types/type.ts';

/**
 * A struct, array or matrix of which code only uses parts is loaded in parts. A matrix stays whole if more than two of its parts
 * are used: taking them out of it costs no more.
 *
 *     %0: Light = load %p                     %0: ptr<storage, float, ...> = access %p, 2
 *     %1: float = extract %0 [2]              %1: float = load %0
 *
 * What records say of the value is told of a `construct` of the parts that are loaded, which nothing else needs.
 *
 * Positions: accesses, loads and constructs take that of the load, where they stand.
 */
export function reduceLoads(module: Module): boolean {
  let changed = false;
  for (const fn of module.functions) if (reduceIn(module, fn)) changed = true;
  return changed;
}

function reduceIn(module: Module, fn: IrFunction): boolean {
  const found: Instruction[] = [];
  walkFunction(fn, (instruction) => {
    if (instruction.op === 'load' && isReducible(instruction)) found.push(instruction);
  });
  if (found.length === 0) return false;
  const uses = collectUses(fn, () => true);
  const needed = new Map<Instruction, Paths>();
  for (const load of found) {
    const paths = neededPaths(load, uses);
    if (paths) needed.set(load, paths);
  }
  if (needed.size === 0) return false;
  const builder = new Builder(module);
  const replaced = new Map<Value, Value>();
  const told = toldValues(fn);
  const reduce = (block: Block): void => {
    block.instructions = block.instructions.flatMap((instruction) => {
      for (const inner of instruction.blocks) reduce(inner);
      const paths = needed.get(instruction);
      if (!paths) return [instruction];
      const { code, parts } = loadParts(instruction, paths, builder, replaced);
      const [result] = instruction.results as [Value];
      builder.into({ parameters: [], instructions: code });
      const isTold = told.has(result);
      replaced.set(result, isTold ? madeOf(parts, result.type, [], builder) : builder.undef(result.type));
      return code;
    });
  };
  reduce(fn.body);
  replaceUses(fn, replaced);
  return true;
}

/** Memory whose parts pointers reach as they are in the type. */
const spaces: ReadonlySet<AddressSpace> = new Set<AddressSpace>([
  'uniform',
  'storage',
  'push-constant',
  'private',
  'workgroup',
  'function',
]);

/** What to load for each extract that code needs. */
type Paths = Map<Instruction, readonly number[]>;

function isReducible({ operands, results }: Instruction): boolean {
  const { kind } = results[0]!.type;
  const from = operands[0]!.type;
  return (
    (kind === 'struct' || kind === 'array' || kind === 'matrix') &&
    from.kind === 'pointer' &&
    spaces.has(from.space)
  );
}

/** Undefined if the load is needed whole, or is no cheaper in parts. */
function neededPaths(load: Instruction, allUses: Uses): Paths | undefined {
  const result = load.results[0]!;
  const { kind } = result.type;
  const uses = allUses.get(result) ?? [];
  if (!uses.every(({ instruction }) => instruction.op === 'extract')) return undefined;
  // Parts that only records mention are not loaded.
  const extracts = uses
    .map(({ instruction }) => instruction)
    .filter(({ results }) => allUses.has(results[0]!));
  const groups = new Map<string, Instruction[]>();
  for (const extract of extracts) {
    const key = vectorPath(result.type, extract.indices!).join();
    groups.set(key, [...(groups.get(key) ?? []), extract]);
  }
  if (groups.size === 0 || (kind === 'matrix' && groups.size > 2)) return undefined;
  const paths: Paths = new Map();
  for (const group of groups.values()) {
    // Of a vector, the one component that is used, or all.
    const whole = vectorPath(result.type, group[0]!.indices!);
    const isOne = group.every(({ indices }) => indices!.join() === group[0]!.indices!.join());
    for (const extract of group) paths.set(extract, isOne ? extract.indices! : whole);
  }
  return paths;
}

/** The path as far as it leads to a vector. */
function vectorPath(type: Type, path: readonly number[]): readonly number[] {
  for (let i = 0; i < path.length; i++) {
    if (type.kind === 'vector') return path.slice(0, i);
    type = partType(type, [path[i]!]);
  }
  return path;
}

function loadParts(
  load: Instruction,
  paths: Paths,
  builder: Builder,
  replaced: Map<Value, Value>,
): { code: Instruction[]; parts: ReadonlyMap<string, Value> } {
  const block = builder.newBlock();
  builder.at(load.position).into(block);
  const parts = new Map<string, Value>();
  for (const [extract, path] of paths) {
    let part = parts.get(path.join());
    if (!part) {
      const pointer = builder.access(load.operands[0]!, ...path.map((index) => builder.int(index)));
      part = builder.load(pointer, load.coherent);
      parts.set(path.join(), part);
    }
    const rest = extract.indices!.slice(path.length);
    if (rest.length === 0) replaced.set(extract.results[0]!, part);
    else {
      extract.operands[0] = part;
      extract.indices = rest;
    }
  }
  return { code: block.instructions, parts };
}

/** Values that records speak of, and those of which they speak of a part. */
function toldValues(fn: IrFunction): Set<Value> {
  const told = new Set<Value>();
  walkFunction(fn, ({ op, operands: [value] }) => {
    if (op !== 'debug_value') return;
    while (value?.kind === 'result' && value.instruction.op === 'extract')
      [value] = value.instruction.operands;
    if (value) told.add(value);
  });
  return told;
}

/** A longer list of parts is not told: records are not split in as many. */
const mostToldParts = 64;

/** What parts are loaded of a value, put together to it again; undefined where there are none. */
function madeOf(
  parts: ReadonlyMap<string, Value>,
  type: Type,
  path: readonly number[],
  builder: Builder,
): Value {
  const loaded = parts.get(path.join());
  if (loaded) return loaded;
  const count = componentsOrParts(type);
  const isPartly = [...parts.keys()].some((key) => path.length === 0 || key.startsWith(`${path.join()},`));
  if (!isPartly || count === 0 || count > mostToldParts) return builder.undef(type);
  return builder.construct(
    type,
    Array.from({ length: count }, (_, index) =>
      madeOf(parts, partOf(type, index), [...path, index], builder),
    ),
  );
}
