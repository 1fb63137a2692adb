/**
 * `ResourceDescriptorHeap[i]` and `SamplerDescriptorHeap[i]`. What they give has no type until it is converted to one. Vulkan
 * has no such heaps: as in DXC, each type that is taken from a heap is an unsized array, and all those of a heap have one binding.
 */
import type { Location } from '../source/source-map.ts';
import { array, isOpaque, type StructType, type Type } from '../types/type.ts';
import type { Context } from './context.ts';
import type { TypedExpression, VariableSymbol } from './program.ts';

type Heap = 'resource' | 'sampler';

const names: Readonly<Record<Heap, string>> = {
  resource: 'ResourceDescriptorHeap',
  sampler: 'SamplerDescriptorHeap',
};

const element = (heap: Heap): StructType => ({
  kind: 'struct',
  name: `${names[heap]} element`,
  keyword: 'struct',
  location: 0,
  members: [],
});
const elements: Readonly<Record<Heap, StructType>> = {
  resource: element('resource'),
  sampler: element('sampler'),
};

/** Binds the heaps' names; a program may declare its own of the same name instead. */
export function bindHeaps(context: Context): void {
  for (const heap of ['resource', 'sampler'] as const) {
    const symbol = heapSymbol(names[heap], array(elements[heap], 0), 0);
    symbol.storage = 'static';
    context.global.names.set(names[heap], symbol);
  }
}

function heapSymbol(name: string, type: Type, at: Location): VariableSymbol {
  return {
    kind: 'variable',
    name,
    type,
    storage: 'resource',
    constant: false,
    precise: false,
    at,
    end: at,
    attributes: [],
  };
}

/** May an element of a heap become a resource of this type? */
export function takesFromHeap(from: Type, to: Type): boolean {
  if (!isOpaque(to)) return false;
  return from === elements[to.kind === 'sampler' ? 'sampler' : 'resource'];
}

/** The element of a heap as a resource of the type: one of the array that stands for all resources of it. */
export function fromHeap(context: Context, value: TypedExpression, type: Type): TypedExpression | undefined {
  if (value.kind !== 'index' || !takesFromHeap(value.type, type)) return undefined;
  const heap = type.kind === 'sampler' ? 'sampler' : 'resource';
  if (context.shaderModel < 66)
    context.log.report('intrinsic-shader-model', value.at, { name: names[heap], needed: '6.6' }, value.end);
  const { heaps } = context.declared;
  let symbol = heaps.get(type);
  if (!symbol) {
    symbol = heapSymbol(names[heap], array(type, 0), value.at);
    symbol.end = value.end;
    symbol.heap = heap;
    heaps.set(type, symbol);
    context.globals.push(symbol);
  }
  const { at, end } = value.object;
  return { ...value, type, object: { kind: 'variable', symbol, type: symbol.type, at, end } };
}
