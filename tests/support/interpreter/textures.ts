/** The methods of textures, samplers and typed buffers, as the interpreter defines them. */

import { operandNames } from '../../../src/intrinsics/table.ts';
import type { Instruction } from '../../../src/ir/ir.ts';
import type { TextureType, Type } from '../../../src/types/type.ts';
import {
  type BufferResource,
  type ImageResource,
  levelSize,
  type SamplerResource,
  type TestResource,
  texelBytes,
} from '../resources.ts';
import { asPointer, formatOf, fromTexel, load, type ResourcePointer, store, texelAt } from './memory.ts';
import { gatherImage, type SampleRequest, sampleImage } from './sample.ts';
import type { Running, Thread } from './thread.ts';
import { asNumber, type Datum, fail, map, numbers } from './value.ts';

interface Call {
  name: string;
  texture: TextureType;
  resource: ImageResource | BufferResource;
  /** By the names of the overload's parameters: location, sampler, bias, offset ... */
  roles: ReadonlyMap<string, Datum>;
  /** Behind the object, in order. */
  args: readonly Datum[];
  types: readonly Type[];
  resultType: Type;
  thread: Thread;
}

/** A method call on a texture or typed buffer. Operand 0 is the object. */
export function* callTextureMethod(
  instruction: Instruction,
  name: string,
  args: readonly Datum[],
  thread: Thread,
): Running<Datum | undefined> {
  const pointer = asPointer(args[0]!) as ResourcePointer;
  const bound = pointer.resource as TestResource;
  if (pointer.at !== 'resource' || pointer.type.kind !== 'texture' || bound.kind === 'sampler')
    return fail(`${name}: the object is not a texture`);
  const names = operandNames(instruction);
  const call: Call = {
    name,
    texture: pointer.type,
    resource: bound,
    roles: new Map(args.map((value, i) => [names[i]!, value])),
    args: args.slice(1),
    types: instruction.operands.slice(1).map((operand) => operand.type),
    resultType: instruction.results[0]?.type ?? pointer.type.element,
    thread,
  };
  // Every texture here is wholly resident.
  const status = call.roles.get('status');
  if (status !== undefined) store(asPointer(status), 1);
  if (name === 'Load' || name.startsWith('fetch')) return textureLoad(call);
  if (name.startsWith('query-')) return query(call);
  if (name === 'GetDimensions') return getDimensions(call);
  if (/^gather/i.test(name)) return gather(call);
  if (name.startsWith('CalculateLevelOfDetail')) return yield* levelOfDetail(call);
  if (name.startsWith('Sample')) return yield* sample(call);
  return fail(`the interpreter has no definition of the texture method '${name}'`);
}

function need(call: Call, role: string): Datum {
  return call.roles.get(role) ?? fail(`${call.name} has no operand '${role}'`);
}

function numbersOf(call: Call, role: string): number[] | undefined {
  const value = call.roles.get(role);
  return value === undefined ? undefined : numbers(value);
}

function image(call: Call): ImageResource {
  return call.resource.kind === 'image' ? call.resource : fail(`${call.name} needs an image`);
}

function axes(texture: TextureType): number {
  switch (texture.dimension) {
    case '1D':
    case 'Buffer':
      return 1;
    case '2D':
    case 'Subpass':
      return 2;
    default:
      return 3;
  }
}

function samplerOf(call: Call): SamplerResource {
  const pointer = asPointer(need(call, 'sampler')) as ResourcePointer;
  const bound = pointer.resource as TestResource;
  return bound?.kind === 'sampler' ? bound : fail(`${call.name} needs a sampler`);
}

function requestOf(call: Call): SampleRequest {
  const location = numbers(need(call, 'location'));
  const count = axes(call.texture);
  const compareValue = call.roles.get('compareValue');
  return {
    at: location.slice(0, count),
    layer: call.texture.arrayed ? location[count]! : 0,
    lod: 0,
    offset: numbersOf(call, 'offset') ?? [],
    ...(compareValue !== undefined && { compareValue: asNumber(compareValue) }),
  };
}

function* sample(call: Call): Running<Datum> {
  const request = requestOf(call);
  const ddx = numbersOf(call, 'ddx');
  const lod = call.roles.get('lod');
  if (lod !== undefined) request.lod = asNumber(lod);
  else if (ddx) request.lod = lodOf(image(call), ddx, numbers(need(call, 'ddy')));
  else if (!call.name.endsWith('LevelZero'))
    request.lod =
      (yield* implicitLod(image(call), request.at, call.thread)) + asNumber(call.roles.get('bias') ?? 0);
  const clamp = call.roles.get('clamp');
  if (clamp !== undefined) request.lod = Math.max(request.lod, asNumber(clamp));
  return fromTexel(sampleImage(image(call), samplerOf(call), request), call.resultType);
}

/** `at`: where this invocation samples. */
export function* implicitLod(of: ImageResource, at: readonly number[], { lane }: Thread): Running<number> {
  // One level: nothing depends on the neighbours, which then need not come along.
  if (of.mips === 1) return 0;
  const lanes = yield { kind: 'quad', value: [...at] };
  const other = (i: number): number[] =>
    numbers(lanes[i] ?? fail('a sample with implicit derivatives in divergent control flow'));
  const row = lane & 2;
  const column = lane & 1;
  const difference = (a: number[], b: number[]): number[] => a.map((value, i) => b[i]! - value);
  return lodOf(of, difference(other(row), other(row + 1)), difference(other(column), other(column + 2)));
}

export function lodOf(of: ImageResource, ddx: readonly number[], ddy: readonly number[]): number {
  if (of.dimension === 'Cube')
    return of.mips === 1 ? 0 : fail('the interpreter computes no level of detail for cubes');
  const size = levelSize(of, 0);
  const scale = [size.width, size.height, size.depth];
  const length = (d: readonly number[]): number => Math.hypot(...d.map((value, i) => value * scale[i]!));
  return Math.log2(Math.max(length(ddx), length(ddy)));
}

function* levelOfDetail(call: Call): Running<Datum> {
  const lod = yield* implicitLod(image(call), requestOf(call).at, call.thread);
  if (call.name.endsWith('Unclamped')) return Math.fround(lod);
  return Math.fround(Math.min(Math.max(lod, 0), image(call).mips - 1));
}

function gather(call: Call): Datum {
  const request = requestOf(call);
  const channel = call.name.replace(/^gather(Cmp)?/i, '');
  const given = call.roles.get('component');
  const component =
    given !== undefined
      ? asNumber(given)
      : ({ '': 0, Red: 0, Green: 1, Blue: 2, Alpha: 3 }[channel] ?? fail(`unknown method ${call.name}`));
  const four = [1, 2, 3, 4].map((i) => numbersOf(call, `offset${i}`));
  const offsets = four[0] ? (four as number[][]) : undefined;
  return fromTexel(gatherImage(image(call), samplerOf(call), request, component, offsets), call.resultType);
}

/** The location of `Load` carries the mip level last, except for typed buffers, multisampled and writable textures. */
function textureLoad(call: Call): Datum {
  const location = numbers(need(call, 'location'));
  const { texture } = call;
  const hasMip =
    call.name === 'Load' && texture.dimension !== 'Buffer' && !texture.multisampled && !texture.writable;
  const mip = hasMip ? location.pop()! : asNumber(call.roles.get('lod') ?? 0);
  numbersOf(call, 'offset')?.forEach((value, i) => {
    location[i]! += value;
  });
  return load(texelAt(call.resource, call.resultType, location, mip));
}

/** Outputs in the order of HLSL: width, height or depth, elements, then levels; a mip level comes first if one was given. */
function getDimensions(call: Call): undefined {
  const withMip = call.types[0]!.kind !== 'pointer';
  const mip = withMip ? asNumber(call.args[0]!) : 0;
  const outputs = call.args.slice(withMip ? 1 : 0);
  const sizes =
    call.resource.kind === 'buffer'
      ? [call.resource.bytes.length / texelBytes(formatOf(call.resource))]
      : imageSizes(call, call.resource, mip);
  if (withMip || outputs.length > sizes.length)
    sizes.push(call.resource.kind === 'image' ? call.resource.mips : 1);
  outputs.forEach((output, i) => {
    const pointer = asPointer(output);
    store(
      pointer,
      map([sizes[i] ?? fail('GetDimensions with too many outputs')], (value) => Number(value)),
    );
  });
  return undefined;
}

/** The queries that expansions of GetDimensions leave. */
function query(call: Call): Datum {
  const of = call.resource;
  if (call.name === 'query-levels') return of.kind === 'image' ? of.mips : 1;
  if (call.name === 'query-samples') return 1;
  const mip = asNumber(call.roles.get('lod') ?? 0);
  const sizes =
    of.kind === 'buffer' ? [of.bytes.length / texelBytes(formatOf(of))] : imageSizes(call, of, mip);
  return call.resultType.kind === 'vector' ? sizes : sizes[0]!;
}

function imageSizes(call: Call, of: ImageResource, mip: number): number[] {
  const { width, height, depth } = levelSize(of, mip);
  const sizes =
    of.dimension === '1D' ? [width] : of.dimension === '3D' ? [width, height, depth] : [width, height];
  if (call.texture.arrayed) sizes.push(of.dimension === 'Cube' ? of.layers / 6 : of.layers);
  return sizes;
}
