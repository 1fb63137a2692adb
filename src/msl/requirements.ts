/** What functions need from their callers: Metal has no variables outside of functions but constants. */
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Function as IrFunction, Global, Instruction, Module } from '../ir/ir.ts';
import type { FunctionContext, Need } from './context.ts';
import { hasOwnSizes, isUnsized } from './resources.ts';
import { isOutside } from './robust.ts';
import type { Contents, Survey } from './survey.ts';
import { globalOf, isSubpass, textureOf } from './textures.ts';

const handedDown = new Set(['private', 'workgroup', 'resource', 'push-constant']);

/** Globals by what sorts them as they are declared. */
type Order = ReadonlyMap<Global, string>;

function keyOf(need: Need, order: Order): string {
  const number = 'global' in need ? order.get(need.global) : 'z';
  return `${number} ${need.kind} ${need.kind === 'builtin' ? need.attribute : ''}`;
}

/** The needs of every function, in the order of declaration. `functions`: all of the module, callees first. */
export function findNeeds(
  module: Module,
  functions: readonly IrFunction[],
  contents: Survey,
  robust: boolean,
): Map<IrFunction, readonly Need[]> {
  const order = new Map(module.globals.map((global, i) => [global, String(i).padStart(6, '0')]));
  const found = new Map<IrFunction, Map<string, Need>>();
  for (const [fn, own] of contents) found.set(fn, ownNeeds(own, order, robust));
  addDiscarded(contents, found, order);
  for (const fn of functions) {
    const own = found.get(fn)!;
    for (const callee of contents.get(fn)!.callees)
      for (const [key, need] of found.get(callee) ?? []) own.set(key, need);
  }
  const sorted = (needs: Map<string, Need>) =>
    [...needs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, need]) => need);
  return new Map([...found].map(([fn, needs]) => [fn, sorted(needs)]));
}

/** Where something depends on discards, functions that discard tell those that have to know. */
function addDiscarded(
  contents: Survey,
  found: ReadonlyMap<IrFunction, Map<string, Need>>,
  order: Order,
): void {
  const need: Need = { kind: 'discarded' };
  const having = (test: (own: Contents) => boolean): IrFunction[] =>
    [...contents].filter(([, own]) => test(own)).map(([fn]) => fn);
  const telling = having(({ discards }) => discards);
  if (telling.length === 0) return;
  const asking = having(({ stores, intrinsics }) => [...stores, ...intrinsics].some(dependsOnDiscard));
  if (asking.length > 0)
    for (const fn of [...telling, ...asking]) found.get(fn)!.set(keyOf(need, order), need);
}

/** Some of Metal's devices still do what comes behind `discard_fragment` to memory; HLSL's pixel is a helper from there on. */
function dependsOnDiscard(instruction: Instruction): boolean {
  const [target] = instruction.operands;
  if (instruction.op === 'store') return isOutside(target!);
  if (instruction.op !== 'intrinsic') return false;
  const { effects, msl } = intrinsicOf(instruction);
  if (msl?.kind === 'special' && msl.name === 'is-helper') return true;
  return effects === 'atomic' && target !== undefined && isOutside(target);
}

function ownNeeds(own: Contents, order: Order, robust: boolean): Map<string, Need> {
  const needs = new Map<string, Need>();
  const add = (need: Need) => needs.set(keyOf(need, order), need);
  for (const global of own.globals) if (handedDown.has(global.role.kind)) add({ kind: 'global', global });
  for (const pointer of own.pointers) {
    const [base] = pointer.operands;
    if (pointer.op === 'counter_pointer') add({ kind: 'counter', global: globalOf(base!) });
    if (pointer.op === 'texel' && isSubpass(textureOf(base!)))
      add({ kind: 'builtin', attribute: 'position' });
    if (robust) for (const global of indexedResources(pointer)) add({ kind: 'sizes', global });
  }
  for (const instruction of own.intrinsics) {
    const { msl } = intrinsicOf(instruction);
    if (msl?.kind === 'builtin') add({ kind: 'builtin', attribute: msl.attribute });
    if (msl?.kind !== 'special') continue;
    if (msl.name === 'count-ballot-before') add({ kind: 'builtin', attribute: 'thread_index_in_simdgroup' });
    if (msl.name !== 'buffer-length') continue;
    for (const global of sizedBuffers(globalOf(instruction.operands[0]!))) add({ kind: 'sizes', global });
  }
  return needs;
}

/** What has an index that only its size can be compared with. */
function indexedResources({ op, operands }: Instruction): Global[] {
  const [base] = operands;
  if (op === 'buffer_pointer' && operands.length > 1) return sizedBuffers(globalOf(base!));
  return op === 'access' && base?.kind === 'global' && isHandles(base) ? [base] : [];
}

/** A handle of a buffer has its size beside it. */
function sizedBuffers(global: Global): Global[] {
  return isHandles(global) ? [] : [global];
}

function isHandles(global: Global): boolean {
  return global.role.kind === 'resource' && isUnsized(global);
}

/** The arguments for what a callee needs. */
export function needArguments(f: FunctionContext, callee: IrFunction): string[] {
  return (f.needs.get(callee) ?? []).filter((need) => !hasOwnSizes(need)).map((need) => argument(f, need));
}

function argument(f: FunctionContext, need: Need): string {
  switch (need.kind) {
    case 'global':
      return f.globals.get(need.global)!;
    case 'counter':
      return f.counters.get(need.global)!;
    case 'sizes':
      return f.sizes.get(need.global)!;
    case 'discarded':
      return f.discarded!;
    case 'builtin':
      return f.builtins.get(need.attribute)!;
  }
}
