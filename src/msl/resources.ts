/** Resources as parameters, and the indices that they have in Metal's tables. */
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Global, Instruction, Module, Value } from '../ir/ir.ts';
import type { MetalBindings, Options } from '../options.ts';
import { InternalError } from '../source/diagnostic.ts';
import { bufferLayout, layoutRule } from '../types/layout-rules.ts';
import { type BufferType, type PointerType, type Type, typeName, uintType } from '../types/type.ts';
import {
  type Context,
  type FunctionContext,
  type Need,
  needVersion,
  report,
  type TextureUse,
} from './context.ts';
import { bufferElement } from './layout.ts';
import { pathText } from './places.ts';
import type { Survey } from './survey.ts';
import { globalOf, textureText } from './textures.ts';
import { typeText } from './types.ts';

export type Table = 'buffer' | 'texture' | 'sampler';

/** Where a resource is bound. */
export interface MetalBinding {
  name: string;
  table: Table;
  index: number;
  /** How many indices it takes. */
  count: number;
  /**
   * What the host binds there: the resource itself, or the first of an array of them; the counter of a buffer; an argument buffer
   * with the addresses of an array of buffers (and their sizes, if asked for); a buffer of handles; the bytes of buffers by their index.
   */
  kind: 'resource' | 'counter' | 'arguments' | 'handles' | 'sizes';
}

/** Where the sizes of buffers go; vertex buffers share the table with them. */
const sizesIndex = 30;
const sizesName = 'buffer sizes';
/** The last index of each table. What runs Metal 2 on iOS may be an A9 with 31 textures, Metal 3 begins with the A11. */
function lastIndex({ metal }: Options, table: Table): number {
  if (table !== 'texture') return table === 'buffer' ? 30 : 15;
  if (metal.platform === 'macos') return 127;
  return metal.version.startsWith('2.') ? 30 : 95;
}

export function innermost(type: Type): Type {
  if (type.kind === 'pointer') return innermost(type.pointee);
  return type.kind === 'array' ? innermost(type.element) : type;
}

export function isWritable(type: Type): boolean {
  const inner = innermost(type);
  return inner.kind === 'buffer' && /^(RW|Append|Consume|Raster)/.test(inner.buffer);
}

function countOf(type: Type): number {
  if (type.kind === 'pointer') return countOf(type.pointee);
  return type.kind === 'array' ? type.size * countOf(type.element) : 1;
}

/** Arrays without size are handles in a buffer. */
export function isUnsized(global: Global): boolean {
  const { pointee } = global.type as PointerType;
  return pointee.kind === 'array' && pointee.size === 0;
}

/** The sizes of the buffers of an array stand in its argument buffer. */
export function hasOwnSizes(need: Need): boolean {
  return need.kind === 'sizes' && isBufferArray(need.global) && !isUnsized(need.global);
}

export function isBufferArray(global: Global): boolean {
  const { pointee } = global.type as PointerType;
  return global.role.kind === 'resource' && pointee.kind === 'array' && innermost(pointee).kind === 'buffer';
}

/** What an index into an array of resources follows. */
export function resourceName(f: FunctionContext, global: Global): string {
  return `${f.globals.get(global)}${isBufferArray(global) && !isUnsized(global) ? '.e' : ''}`;
}

/** Bytes of a handle in an array without size. */
export function handleSize(global: Global): number {
  return isBufferArray(global) ? 16 : 8;
}

/** Bytes of a buffer, as text. */
export function bufferSize(f: FunctionContext, resource: Value): string {
  const global = globalOf(resource);
  if (isBufferArray(global)) {
    const path = pathText(f.places.get(resource)!.path);
    return isUnsized(global) ? path.replace(/e$/, 'size') : path.replace('.e[', '.sizes[');
  }
  const size = f.sizes.get(global);
  if (size === undefined) throw new InternalError('a buffer without size', f.at);
  return size;
}

function tableOf(global: Global): Table {
  if (isUnsized(global)) return 'buffer';
  const type = innermost(global.type);
  return type.kind === 'texture' ? 'texture' : type.kind === 'sampler' ? 'sampler' : 'buffer';
}

function kindOf(global: Global): MetalBinding['kind'] {
  if (isUnsized(global)) return 'handles';
  return isBufferArray(global) ? 'arguments' : 'resource';
}

const classes = 'btus';

/** By space, class, register; what has no register comes last, in the order of declaration. */
function ordered(globals: readonly Global[]): Global[] {
  const key = (global: Global): number[] => {
    const register = global.role.kind === 'resource' ? global.role.binding.register : undefined;
    return register ? [0, register.space, classes.indexOf(register.class), register.number] : [1, 0, 0, 0];
  };
  return [...globals].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    const at = x.findIndex((part, i) => part !== y[i]);
    return at < 0 ? 0 : x[at]! - y[at]!;
  });
}

/** A resource, or its counter, and where it is bound. */
export interface Slot {
  global: Global;
  binding: MetalBinding;
}

interface Bound {
  slots: Slot[];
  all: MetalBinding[];
  /** Index of the sizes of buffers. */
  sizesAt: number;
}

/** What a module has before passes drop anything; its indices then hold at every level of optimization. */
export function declaredSlots(module: Module, { metal }: Options): Slot[] {
  const counters = new Set(
    module.globals.filter(({ role }) => role.kind === 'resource' && role.binding.counter),
  );
  return allot(module, metal.bindings, counters, true);
}

/**
 * Gives every resource its indices: first what `chosen` says, by name, then the lowest ones that are free. With `keepsSizes` the place
 * of the buffers' sizes is not given away.
 */
function allot(
  module: Module,
  chosen: MetalBindings,
  counters: ReadonlySet<Global>,
  keepsSizes: boolean,
): Slot[] {
  const taken: Record<Table, Set<number>> = { buffer: new Set(), texture: new Set(), sampler: new Set() };
  if (keepsSizes) taken.buffer.add(chosen[sizesName] ?? sizesIndex);
  const slots: Slot[] = [];
  const take = (global: Global, name: string, kind: MetalBinding['kind'] = kindOf(global)): void => {
    const table = kind === 'counter' ? 'buffer' : tableOf(global);
    const count = table === 'buffer' ? 1 : Math.max(1, countOf(global.type));
    const isFree = (from: number): boolean => {
      for (let at = from; at < from + count; at++) if (taken[table].has(at)) return false;
      return true;
    };
    let index = chosen[name] ?? 0;
    if (chosen[name] === undefined) while (!isFree(index)) index++;
    for (let at = index; at < index + count; at++) taken[table].add(at);
    slots.push({ global, binding: { name, table, index, count, kind } });
  };
  const sorted = ordered(
    module.globals.filter(({ role }) => role.kind === 'resource' || role.kind === 'push-constant'),
  );
  // Those that are settled come first, so that the others go around them.
  for (const global of sorted) if (chosen[global.name] !== undefined) take(global, global.name);
  for (const global of sorted) if (chosen[global.name] === undefined) take(global, global.name);
  for (const global of sorted) if (counters.has(global)) take(global, `${global.name}.counter`, 'counter');
  return slots;
}

/** The indices of every resource of the module, those of `declared` if given; reports clashes. */
export function bind(
  context: Context,
  counters: ReadonlySet<Global>,
  needsSizes: boolean,
  declared: readonly Slot[] | undefined,
): Bound {
  const { module, options } = context;
  const sizesAt = options.metal.bindings[sizesName] ?? sizesIndex;
  const present = new Set(module.globals);
  const slots = (declared ?? allot(module, options.metal.bindings, counters, needsSizes)).filter(
    ({ global, binding }) => present.has(global) && (binding.kind !== 'counter' || counters.has(global)),
  );
  checkSlots(context, slots, needsSizes ? sizesAt : undefined);
  const all = (declared ?? slots).map(({ binding }) => binding);
  if (needsSizes || declared)
    all.push({ name: sizesName, table: 'buffer', index: sizesAt, count: 1, kind: 'sizes' });
  return { slots, all, sizesAt };
}

function checkSlots(context: Context, slots: readonly Slot[], sizesAt: number | undefined): void {
  const taken: Record<Table, Map<number, string>> = {
    buffer: new Map(),
    texture: new Map(),
    sampler: new Map(),
  };
  if (sizesAt !== undefined) taken.buffer.set(sizesAt, 'the sizes of buffers');
  for (const { global, binding } of slots) {
    const { name, table, index, count } = binding;
    context.at = global.location;
    for (let at = index; at < index + count; at++) {
      const other = taken[table].get(at);
      if (other !== undefined) report(context, 'metal-binding-clash', { name, other, table, index: at });
      taken[table].set(at, name);
    }
    const last = lastIndex(context.options, table);
    if (index + count - 1 > last)
      report(context, 'metal-binding-range', { name, table, index: index + count - 1, last });
  }
}

/** The type of a parameter that is a resource, up to its name. */
export function resourceParameter(context: Context, global: Global): string {
  context.at = global.location;
  const known = context.resourceTexts.get(global);
  if (known !== undefined) return known;
  const before = context.log.errors;
  const made = parameterText(context, global);
  // What is refused is refused at every use.
  if (context.log.errors === before) context.resourceTexts.set(global, made);
  return made;
}

function parameterText(context: Context, global: Global): string {
  const pointee = (global.type as PointerType).pointee;
  if (global.role.kind === 'push-constant') {
    const rule = (global.type as PointerType).layout ?? layoutRule(context.options.layout, 'push-constant');
    return `constant ${bufferElement(context, pointee, rule, undefined).memory.name}& `;
  }
  const inner = innermost(pointee);
  if (isUnsized(global)) return handles(context, global, inner);
  switch (inner.kind) {
    case 'buffer':
      return pointee.kind === 'array'
        ? bufferArray(context, global, inner, pointee)
        : `${bufferText(context, inner)} `;
    case 'texture':
      return `${arrayOf(textureText(context, inner, context.textures.get(global)!), pointee)} `;
    case 'sampler':
      return `${arrayOf('metal::sampler', pointee)} `;
    default:
      report(context, 'metal-not-yet', { what: `'${typeName(inner)}'` });
      return 'int ';
  }
}

/** A buffer of handles, one in a struct each, as Metal 3 has them. Of buffers it is the address, and their bytes. */
function handles(context: Context, global: Global, inner: Type): string {
  needVersion(context, 300, `the array of resources '${global.name}' without size`);
  const use = context.textures.get(global);
  if (inner.kind !== 'texture' && inner.kind !== 'sampler' && inner.kind !== 'buffer') {
    report(context, 'metal-not-yet', { what: `'${typeName(inner)}'` });
    return 'device int* ';
  }
  const key = `handles ${global.name}`;
  let name = context.helpers.get(key);
  if (name === undefined) {
    name = context.names.unique(`${global.name}_handle`);
    context.helpers.set(key, name);
    const handle =
      inner.kind === 'sampler'
        ? 'metal::sampler'
        : inner.kind === 'texture'
          ? textureText(context, inner, use!)
          : bufferText(context, inner).replace(/&$/, '*');
    const size = inner.kind === 'buffer' ? '    uint size;\n' : '';
    context.typeTexts.push(`struct ${name} {\n    ${handle} e;\n${size}};\n`);
  }
  return `const device ${name}* `;
}

function arrayOf(text: string, type: Type): string {
  return type.kind === 'array' ? `metal::array<${text}, ${countOf(type)}>` : text;
}

function bufferText(context: Context, type: BufferType): string {
  const rule = bufferLayout(context.options.layout, type.buffer);
  const isBytes = type.buffer.includes('ByteAddress');
  const { name, memory } = bufferElement(context, isBytes ? uintType : type.element, rule, type.matrixOrder);
  if (type.buffer === 'ConstantBuffer') return `constant ${memory.name}&`;
  if (type.buffer === 'TextureBuffer') return `const device ${memory.name}&`;
  return `${isWritable(type) ? 'device' : 'const device'} ${name}*`;
}

/** An array of buffers lies in an argument buffer. */
function bufferArray(context: Context, global: Global, type: BufferType, pointee: Type): string {
  const key = `arguments ${global.name}`;
  let name = context.helpers.get(key);
  if (name === undefined) {
    name = context.names.unique(`${global.name}_arguments`);
    context.helpers.set(key, name);
    const element = bufferText(context, type).replace(/&$/, '*');
    const count = countOf(pointee);
    const isSized = [...context.needs.values()]
      .flat()
      .some((need) => need.kind === 'sizes' && need.global === global);
    const sizes = isSized ? `    metal::array<uint, ${count}> sizes [[id(${count})]];\n` : '';
    context.typeTexts.push(
      `struct ${name} {\n    metal::array<${element}, ${count}> e [[id(0)]];\n${sizes}};\n`,
    );
  }
  return `constant ${name}& `;
}

/** How each texture is used, which decides its type. */
export function findTextureUses(module: Module, contents: Survey): Map<Global, TextureUse> {
  const uses = new Map<Global, TextureUse>();
  for (const global of module.globals)
    if (global.role.kind === 'resource' && innermost(global.type).kind === 'texture')
      uses.set(global, { read: false, written: false, compared: false, atomic: false });
  if (uses.size === 0) return uses;
  const of = (pointer: Value): TextureUse | undefined => {
    let base = pointer;
    let isPart = false;
    while (base.kind === 'result' && base.instruction.op === 'access') {
      base = base.instruction.operands[0]!;
      isPart = true;
    }
    if (base.kind !== 'result' || base.instruction.op !== 'texel') return undefined;
    const use = uses.get(globalOf(base.instruction.operands[0]!));
    if (use && isPart) use.read = true;
    return use;
  };
  const touch = (instructions: readonly Instruction[], how: 'read' | 'written'): void => {
    for (const { operands } of instructions) {
      const use = of(operands[0]!);
      if (use) use[how] = true;
    }
  };
  for (const { loads, stores, intrinsics } of contents.values()) {
    touch(loads, 'read');
    touch(stores, 'written');
    for (const instruction of intrinsics) {
      const [first] = instruction.operands;
      if (first?.type.kind !== 'pointer') continue;
      const { msl } = intrinsicOf(instruction);
      const texel = of(first);
      if (texel) texel.atomic = true;
      if (msl?.kind !== 'texture') continue;
      const use = uses.get(globalOf(first));
      if (!use) throw new InternalError('a texture without a global');
      if (/cmp/.test(msl.op)) use.compared = true;
      else use.read = true;
    }
  }
  return uses;
}

export { typeText };
