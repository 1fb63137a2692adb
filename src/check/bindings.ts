/**
 * Sets and binding numbers of resources, as DXC gives them: first what `[[vk::binding]]` says, then registers with the
 * command line's shifts, then the next free number in order of declaration. All declared resources take part, used
 * or not; counters of RWStructuredBuffers are there only if they are used, behind everything else.
 */
import type { ResourceBinding } from '../ir/ir.ts';
import type { Location } from '../source/source-map.ts';
import { registerClasses } from './annotations.ts';
import { attributeNumber, findAttribute, mostNumber } from './attributes.ts';
import type { Context } from './context.ts';
import type { VariableSymbol } from './program.ts';
import type { Reach } from './reach.ts';
import { hasCounter, resourceLeaves } from './resources.ts';

type ShiftClass = 'b' | 't' | 's' | 'u';

/** One that needs a number: a resource (all leaves of a struct of resources) or a counter. */
interface Slot {
  symbol: VariableSymbol;
  counter: boolean;
  /** Numbers it takes up. */
  count: number;
  set?: number;
  binding?: number;
}

/** Numbers from `start` to below `end`. */
interface Range {
  start: number;
  end: number;
}

/** Numbers in use, by set: ranges in order, with gaps between them; an array may take up billions of numbers. */
type Used = Map<number, Range[]>;

/** Gives every resource its binding. */
export function assignBindings(context: Context, reach: Reach): void {
  const slots = listSlots(context, reach.counters);
  if (context.options.registerBindings.length > 0) assignByRegister(context, slots);
  else assignByRules(context, slots);
  const counters = new Map(slots.filter((slot) => slot.counter).map((slot) => [slot.symbol, slot]));
  for (const slot of slots) if (!slot.counter) place(context, slot, counters);
  assignHeaps(context, slots, reach);
}

/** Behind everything else: one number for all arrays of a heap, and one for the counters of their buffers. */
function assignHeaps(context: Context, slots: readonly Slot[], reach: Reach): void {
  const used: Used = new Map();
  for (const slot of slots) occupy(used, slot);
  const heaps = context.globals.filter((symbol) => symbol.heap && reach.globals.has(symbol));
  for (const symbol of heaps)
    if (symbol.type.kind === 'array' && context.declared.coherent.has(symbol.type.element))
      symbol.coherent = true;
  const counting = heaps.filter((symbol) => alwaysCounts(symbol) || reach.counters.has(symbol));
  const number = (
    heap: 'resource' | 'sampler' | 'counter',
    at: Location,
  ): { set: number; binding: number } => {
    const given = context.options.heapBindings[heap];
    if (!given && context.options.registerBindings.length > 0)
      context.log.report('bind-register-heap', at, { flag: `-fvk-bind-${heap}-heap` });
    const { set, binding } = given ?? { set: 0, binding: nextFree(used, 0, 1, 0) };
    occupy(used, { count: 1, set, binding });
    return { set, binding };
  };
  for (const heap of ['resource', 'sampler'] as const) {
    const arrays = heaps.filter((symbol) => symbol.heap === heap);
    if (!arrays[0]) continue;
    const binding = number(heap, arrays[0].at);
    for (const symbol of arrays) symbol.binding = { ...binding };
  }
  if (!counting[0]) return;
  const counter = number('counter', counting[0].at);
  for (const symbol of counting) symbol.binding = { ...symbol.binding!, counter };
}

function listSlots(context: Context, counted: ReadonlySet<VariableSymbol>): Slot[] {
  const resources = context.globals.filter((symbol) => !symbol.heap && needsBinding(context, symbol));
  // A split struct makes DXC flatten every array of resources: each element takes a number then.
  const flatten = resources.some((symbol) => symbol.parts);
  const slots: Slot[] = [];
  for (const symbol of resources) {
    slots.push({ symbol, counter: false, count: flatten ? numbersOf(symbol) : 1 });
    if (alwaysCounts(symbol) && !symbol.parts) slots.push({ symbol, counter: true, count: 1 });
  }
  const whole = new Set(resources);
  for (const symbol of counted) {
    // Parts of a split variable are no globals of their own, so that nothing was done for them yet.
    const isPart = !whole.has(symbol);
    if (hasCounter(symbol.type) && !symbol.heap && (isPart || !alwaysCounts(symbol)))
      slots.push({ symbol, counter: true, count: 1 });
  }
  return slots;
}

function needsBinding(context: Context, symbol: VariableSymbol): boolean {
  if (symbol.storage !== 'resource' && symbol.storage !== 'buffer') return false;
  if (symbol.pushConstant) return false;
  // Input attachments exist in pixel shaders only.
  return context.stage === 'pixel' || !findAttribute(symbol.attributes, 'vk::input_attachment_index');
}

function numbersOf(symbol: VariableSymbol): number {
  let count = 0;
  for (const leaf of resourceLeaves(symbol)) {
    let elements = 1;
    for (let type = leaf.type; type.kind === 'array'; type = type.element) elements *= Math.max(type.size, 1);
    count += elements;
  }
  return count;
}

/** Append and consume buffers have their counter right behind them. */
function alwaysCounts(symbol: VariableSymbol): boolean {
  let { type } = symbol;
  while (type.kind === 'array') type = type.element;
  return (
    type.kind === 'buffer' &&
    (type.buffer === 'AppendStructuredBuffer' || type.buffer === 'ConsumeStructuredBuffer')
  );
}

// ---- -fvk-bind-register

function assignByRegister(context: Context, slots: readonly Slot[]): void {
  for (const slot of slots) {
    const { symbol } = slot;
    const register = context.declared.registers.get(symbol)?.register;
    if (slot.counter) {
      context.log.report('bind-register-counter', symbol.at, { name: symbol.name });
    } else if (register) {
      const name = `${register.class}${register.number}`;
      const row = context.options.registerBindings.find(
        (row) => row.register === name && row.space === register.space,
      );
      if (row) take(slot, row.set, row.binding);
      else
        context.log.report('bind-register-missing', symbol.at, {
          name: symbol.name,
          register: name,
          space: register.space,
        });
    } else if (symbol === context.declared.globalsBuffer) {
      const given = context.options.globalsBinding;
      if (given) take(slot, given.set, given.binding);
      else context.log.report('bind-register-globals', symbol.at);
    } else {
      context.log.report('bind-register-unannotated', symbol.at, { name: symbol.name });
    }
  }
}

// ---- the rules

function assignByRules(context: Context, slots: readonly Slot[]): void {
  const used: Used = new Map();
  // Numbers that the command line gives to heaps are theirs, whether or not the program has heaps.
  for (const heap of Object.values(context.options.heapBindings)) occupy(used, { count: 1, ...heap });
  for (const slot of slots) assignExplicit(context, slot, used);
  for (const slot of slots) assignRegister(context, slot, used);
  for (const slot of slots) if (slot.binding === undefined) assignNext(context, slot, used);
}

function assignExplicit(context: Context, slot: Slot, used: Used): void {
  const { attributes } = slot.symbol;
  const name = slot.counter ? 'vk::counter_binding' : 'vk::binding';
  const binding = attributeNumber(attributes, name);
  if (binding === undefined) return;
  const set = slot.counter
    ? setOf(context, slot.symbol)
    : (attributeNumber(attributes, 'vk::binding', 1) ?? context.options.defaultSpace);
  take(slot, set, binding);
  occupy(used, slot);
}

/** Set of a counter: that of its buffer. */
function setOf(context: Context, symbol: VariableSymbol): number {
  const binding = findAttribute(symbol.attributes, 'vk::binding');
  const { defaultSpace } = context.options;
  if (binding) return attributeNumber(symbol.attributes, 'vk::binding', 1) ?? defaultSpace;
  const written = context.declared.registers.get(symbol);
  return written?.register?.space ?? written?.space ?? defaultSpace;
}

function assignRegister(context: Context, slot: Slot, used: Used): void {
  const { symbol } = slot;
  const register = context.declared.registers.get(symbol)?.register;
  if (slot.counter || slot.binding !== undefined || !register) return;
  const combined = register.class === 's' && findAttribute(symbol.attributes, 'vk::combinedImageSampler');
  const shift = shiftFor(context, combined ? 't' : register.class, register.space);
  take(slot, register.space, register.number + shift);
  occupy(used, slot);
}

function assignNext(context: Context, slot: Slot, used: Used): void {
  const { symbol } = slot;
  const { options } = context;
  if (symbol === context.declared.globalsBuffer && options.globalsBinding) {
    const { set, binding } = options.globalsBinding;
    take(slot, set, binding + implicitShift(context, slot, set));
    return;
  }
  const set = setOf(context, symbol);
  take(slot, set, nextFree(used, set, slot.count, implicitShift(context, slot, set)));
  occupy(used, slot);
}

/** `-fvk-auto-shift-bindings`: resources without register are shifted as those of their class. */
function implicitShift(context: Context, slot: Slot, set: number): number {
  if (!context.options.autoShiftBindings || slot.counter) return 0;
  const first = registerClasses(slot.symbol.type)?.[0];
  return first === undefined ? 0 : shiftFor(context, first as ShiftClass, set);
}

function shiftFor(context: Context, registerClass: ShiftClass, space: number): number {
  // The last of several counts, so they are read from the end.
  const rows = context.options.bindingShifts.filter((row) => row.registerClass === registerClass).reverse();
  const own = rows.find((row) => row.space === space);
  return (own ?? rows.find((row) => row.space === 'all'))?.shift ?? 0;
}

// ---- numbers

function take(slot: Slot, set: number, binding: number): void {
  slot.set = set;
  slot.binding = binding;
}

/** Overlaps are allowed: the program may use only one of the resources. */
function occupy(used: Used, { set = 0, binding = 0, count }: Pick<Slot, 'set' | 'binding' | 'count'>): void {
  let ranges = used.get(set);
  if (!ranges) {
    ranges = [];
    used.set(set, ranges);
  }
  if (count === 0) return;
  const added: Range = { start: binding, end: binding + count };
  const first = firstReaching(ranges, added.start);
  let last = first;
  for (let range = ranges[last]; range && range.start <= added.end; range = ranges[++last]) {
    added.start = Math.min(added.start, range.start);
    added.end = Math.max(added.end, range.end);
  }
  ranges.splice(first, last - first, added);
}

/** The first number from `from` on that begins a stretch of `count` free ones. */
function nextFree(used: Used, set: number, count: number, from: number): number {
  const ranges = used.get(set) ?? [];
  let start = from;
  for (let i = firstReaching(ranges, from); i < ranges.length; i++) {
    const range = ranges[i]!;
    if (range.start - start >= count) break;
    start = Math.max(start, range.end);
  }
  return start;
}

/** Index of the first range that ends at or behind a number. */
function firstReaching(ranges: readonly Range[], number: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end >= number) high = middle;
    else low = middle + 1;
  }
  return low;
}

// ---- results

/** Writes a slot's numbers to its variable, or to the variables that it was split into. */
function place(context: Context, slot: Slot, counters: ReadonlyMap<VariableSymbol, Slot>): void {
  const { symbol, set = 0, binding = 0 } = slot;
  const register = context.declared.registers.get(symbol)?.register;
  const input = attributeNumber(symbol.attributes, 'vk::input_attachment_index');
  let number = binding;
  for (const leaf of resourceLeaves(symbol)) {
    const result: ResourceBinding = { set, binding: number };
    if (register) result.register = { ...register, number: register.number + number - binding };
    const counter = counters.get(leaf);
    if (counter) result.counter = { set: counter.set ?? 0, binding: counter.binding ?? 0 };
    if (input !== undefined) result.inputAttachmentIndex = input;
    leaf.binding = result;
    number += symbol.parts ? numbersOf(leaf) : 1;
  }
  const last = Math.max(number - 1, counters.get(symbol)?.binding ?? 0);
  if (last > mostNumber)
    context.log.report('binding-range', symbol.at, { name: symbol.name, binding: last, most: mostNumber });
}
