/** Textures and samplers as operands, and the optional operands and results that image instructions share. */
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { type PointerType, type TextureType, type Type, uintType, vector } from '../types/type.ts';
import { convert } from './arithmetic.ts';
import { emitResult, valueId } from './body.ts';
import { needCapability } from './capabilities.ts';
import { type FunctionContext, locationOf, type Place, typeInstruction } from './context.ts';
import { name } from './decorations.ts';
import { ImageFormat, ImageOperand, Op } from './enums.ts';
import { sampledElement, sampledImageTypeId } from './image-types.ts';
import { markNonUniform, placeFor, pointerId, storeTo } from './memory.ts';
import { type ResourceInfo, resourceType, useArray } from './resources.ts';
import type { OpNumber } from './sections.ts';
import { decorateRelaxed, valueTypeId, vectorTypeId } from './types.ts';

export interface LoadedImage {
  /** The image itself, never combined with a sampler. */
  image: () => number;
  info: ResourceInfo;
  type: TextureType;
  place: Place;
  loaded: number;
}

/**
 * Loads the variable (or the element of an array) behind a texture or sampler operand. What is loaded before on every way here
 * is the same, for nothing writes such variables; without optimizer each line loads its own.
 */
function loadHandle(f: FunctionContext, resource: Value): { id: number; info: ResourceInfo; place: Place } {
  const place = placeFor(f, resource);
  const info = f.resources.get(place.base);
  if (!info) throw new InternalError('a resource that is no variable of the module', locationOf(f));
  useArray(f, place, resource);
  const key = [place.base, ...place.path, place.nonUniform].join();
  let id = f.handles.get(key);
  if (id === undefined) {
    id = emitResult(f, Op.Load, info.typeId, pointerId(f, place, info.typeId));
    if (place.nonUniform) markNonUniform(f, id);
    if (f.options.optimizationLevel > 0) f.handles.set(key, id);
  }
  return { id, info, place };
}

export function loadImage(f: FunctionContext, resource: Value): LoadedImage {
  const type = resourceType(resource.type);
  if (type.kind !== 'texture') throw new InternalError('an image operation needs a texture', locationOf(f));
  const { id, info, place } = loadHandle(f, resource);
  const image = () => {
    if (!info.combined) return id;
    const taken = emitResult(f, Op.Image, info.imageType!, id);
    if (place.nonUniform) markNonUniform(f, taken);
    return taken;
  };
  return { image, info, type, place, loaded: id };
}

/** Image and sampler joined, in the block that uses them. */
export function joinSampler(f: FunctionContext, image: LoadedImage, sampler: Value | undefined): number {
  if (image.info.combined) return image.loaded;
  if (!sampler) throw new InternalError('a texture is sampled without a sampler', locationOf(f));
  const { id, place } = loadHandle(f, sampler);
  const joined = emitResult(
    f,
    Op.SampledImage,
    sampledImageTypeId(f, image.info.imageType!),
    image.loaded,
    id,
  );
  if (place.nonUniform || image.place.nonUniform) markNonUniform(f, joined);
  return joined;
}

/** Optional operands of an image instruction: bits and ids in the order of the bits. */
export class ImageOperands {
  #mask = 0;
  readonly #ids = new Map<number, number[]>();
  add(bit: number, ...ids: number[]): void {
    this.#mask |= bit;
    this.#ids.set(bit, ids);
  }
  words(): number[] {
    if (this.#mask === 0) return [];
    const bits = [...this.#ids.keys()].sort((a, b) => a - b);
    return [this.#mask, ...bits.flatMap((bit) => this.#ids.get(bit)!)];
  }
}

const sparseForms = new Map<OpNumber, OpNumber>([
  [Op.ImageSampleImplicitLod, Op.ImageSparseSampleImplicitLod],
  [Op.ImageSampleExplicitLod, Op.ImageSparseSampleExplicitLod],
  [Op.ImageSampleDrefImplicitLod, Op.ImageSparseSampleDrefImplicitLod],
  [Op.ImageSampleDrefExplicitLod, Op.ImageSparseSampleDrefExplicitLod],
  [Op.ImageFetch, Op.ImageSparseFetch],
  [Op.ImageRead, Op.ImageSparseRead],
  [Op.ImageGather, Op.ImageSparseGather],
  [Op.ImageDrefGather, Op.ImageSparseDrefGather],
]);

/** An instruction that reads texels. With a place for the residency, its sparse form, whose result holds the code first. */
export function readTexels(
  f: FunctionContext,
  status: Value | undefined,
  op: OpNumber,
  typeId: number,
  ...words: number[]
): number {
  if (!status) return emitResult(f, op, typeId, ...words);
  needCapability(f, 'SparseResidency');
  const code = valueTypeId(f, uintType);
  const key = `sparse${typeId}`;
  const isNew = !f.interned.has(key);
  const struct = typeInstruction(f, key, Op.TypeStruct, code, typeId);
  if (isNew) name(f, struct, 'SparseResidencyStruct');
  const both = emitResult(f, sparseForms.get(op)!, struct, ...words);
  const residency = emitResult(f, Op.CompositeExtract, code, both, 0);
  storeTo(f, placeFor(f, status), status.type as PointerType, residency);
  return emitResult(f, Op.CompositeExtract, typeId, both, 1);
}

/** Images give four components of their scalar; the wanted ones are taken and brought to the element's type. */
export function shrink(f: FunctionContext, four: number, type: TextureType, result: Type): number {
  const scalar = sampledElement(f, type.element);
  const count = result.kind === 'vector' ? result.count : 1;
  const shape = count === 1 ? scalar : vector(scalar, count);
  let id = decorateRelaxed(f, four, type.element);
  if (count === 1) id = emitResult(f, Op.CompositeExtract, valueTypeId(f, scalar), four, 0);
  else if (count < 4)
    id = emitResult(
      f,
      Op.VectorShuffle,
      valueTypeId(f, shape),
      four,
      four,
      ...Array.from({ length: count }, (_, i) => i),
    );
  return convertResult(f, id, shape, result);
}

export function convertResult(f: FunctionContext, id: number, from: Type, to: Type): number {
  return convert(f, { type: from, id }, to);
}

export function fourOf(f: FunctionContext, type: TextureType): number {
  return vectorTypeId(f, sampledElement(f, type.element), 4);
}

export function readStorage(
  f: FunctionContext,
  image: LoadedImage,
  coordinate: number,
  sampleIndex: Value | undefined,
  status?: Value,
): number {
  // Input attachments need no format to be read.
  if (image.type.dimension !== 'Subpass') needFormat(f, image, 'StorageImageReadWithoutFormat');
  const operands = new ImageOperands();
  if (sampleIndex) operands.add(ImageOperand.Sample, valueId(f, sampleIndex));
  return readTexels(
    f,
    status,
    Op.ImageRead,
    fourOf(f, image.type),
    image.image(),
    coordinate,
    ...operands.words(),
  );
}

export function needFormat(
  f: FunctionContext,
  image: LoadedImage,
  capability: 'StorageImageReadWithoutFormat' | 'StorageImageWriteWithoutFormat',
): void {
  if (image.info.format === ImageFormat.Unknown) needCapability(f, capability);
}
