/** Image instructions, on the same sampling as the interpreter's. */
import { ImageOperand, Op } from '../../../src/spirv/enums.ts';
import type { Type } from '../../../src/types/type.ts';
import { formatOf, fromTexel, texelAt, type TexelPointer } from '../interpreter/memory.ts';
import { gatherImage, type SampleRequest, sampleImage } from '../interpreter/sample.ts';
import { lodOf } from '../interpreter/textures.ts';
import type { Running } from '../interpreter/thread.ts';
import { asNumber, type Datum, fail, flatten, numbers } from '../interpreter/value.ts';
import {
  type BufferResource,
  type ImageResource,
  levelSize,
  type SamplerResource,
  type TestResource,
  texelBytes,
  writeTexel,
} from '../resources.ts';

/** An image as instructions have it: what is bound, and how the module sees it. */
export interface Image {
  resource: ImageResource | BufferResource;
  sampler: SamplerResource | undefined;
  /** Number of coordinates without the layer. */
  axes: number;
  arrayed: boolean;
}

/** Operands of OpTypeImage behind its result: sampled type, dimension, depth, arrayed. */
export function imageOf(
  type: readonly number[],
  resource: TestResource | readonly TestResource[],
  sampler: SamplerResource | undefined,
): Image {
  if (Array.isArray(resource)) return fail('an array of images is no image');
  const one = resource as TestResource;
  if (one.kind === 'sampler') return fail('a sampler is no image');
  // 1D, 2D, 3D, Cube, Rect, Buffer, SubpassData
  const axes = [1, 2, 3, 3, 2, 1, 2][type[1]!] ?? fail('an image of an unknown dimension');
  return { resource: one, sampler, axes, arrayed: type[3] === 1 };
}

/** Optional operands by their bit; those with more than one id are lists. */
export type ImageOperands = ReadonlyMap<number, readonly Datum[]>;

const counts = new Map<number, number>([[ImageOperand.Grad, 2]]);

export function readImageOperands(words: readonly number[], value: (id: number) => Datum): ImageOperands {
  const [mask = 0, ...ids] = words;
  const found = new Map<number, readonly Datum[]>();
  for (let bit = 1; bit <= ImageOperand.MinLod; bit <<= 1)
    if (mask & bit) found.set(bit, ids.splice(0, counts.get(bit) ?? 1).map(value));
  return found;
}

function pixels(image: Image): ImageResource {
  return image.resource.kind === 'image' ? image.resource : fail('a buffer cannot be sampled');
}

function samplerOf(image: Image): SamplerResource {
  return image.sampler ?? fail('an image without a sampler');
}

function requestOf(image: Image, coordinate: Datum, operands: ImageOperands, compare?: Datum): SampleRequest {
  const at = numbers(coordinate);
  const offset = operands.get(ImageOperand.ConstOffset) ?? operands.get(ImageOperand.Offset);
  return {
    at: at.slice(0, image.axes),
    layer: image.arrayed ? at[image.axes]! : 0,
    lod: 0,
    offset: offset ? numbers(offset) : [],
    ...(compare !== undefined && { compareValue: asNumber(compare) }),
  };
}

/** `implicit`: the level where the instruction does not say it. */
export function* sample(
  op: number,
  image: Image,
  coordinate: Datum,
  compare: Datum | undefined,
  operands: ImageOperands,
  result: Type,
  implicit: (image: ImageResource, at: readonly number[]) => Running<number>,
): Running<Datum> {
  const request = requestOf(image, coordinate, operands, compare);
  const of = pixels(image);
  const lod = operands.get(ImageOperand.Lod);
  const gradients = operands.get(ImageOperand.Grad);
  const bias = operands.get(ImageOperand.Bias);
  const least = operands.get(ImageOperand.MinLod);
  if (lod) request.lod = asNumber(lod[0]!);
  else if (gradients) request.lod = lodOf(of, numbers(gradients[0]!), numbers(gradients[1]!));
  else if (op === Op.ImageSampleImplicitLod || op === Op.ImageSampleDrefImplicitLod)
    request.lod = (yield* implicit(of, request.at)) + (bias ? asNumber(bias[0]!) : 0);
  if (least) request.lod = Math.max(request.lod, asNumber(least[0]!));
  return fromTexel(sampleImage(of, samplerOf(image), request), result);
}

export function gather(
  image: Image,
  coordinate: Datum,
  component: number,
  compare: Datum | undefined,
  operands: ImageOperands,
  result: Type,
): Datum {
  const four = operands.get(ImageOperand.ConstOffsets)?.[0];
  const offsets = four === undefined ? undefined : (four as readonly Datum[]).map((one) => numbers(one));
  const request = requestOf(image, coordinate, operands, compare);
  return fromTexel(gatherImage(pixels(image), samplerOf(image), request, component, offsets), result);
}

/** The place of a texel that an instruction without sampler reads or writes. */
export function texelOf(image: Image, coordinate: Datum, operands: ImageOperands, type: Type): TexelPointer {
  const at = numbers(coordinate);
  const offset = operands.get(ImageOperand.ConstOffset) ?? operands.get(ImageOperand.Offset);
  if (offset)
    numbers(offset).forEach((value, i) => {
      at[i]! += value;
    });
  return texelAt(image.resource, type, at, asNumber(operands.get(ImageOperand.Lod)?.[0] ?? 0));
}

export function writeImage(image: Image, coordinate: Datum, texel: Datum): void {
  const { offset, resource } = texelOf(image, coordinate, new Map(), { kind: 'void' });
  if (offset !== undefined)
    writeTexel(formatOf(resource), resource.bytes, offset, flatten(texel).map(Number));
}

export function querySize({ resource, arrayed }: Image, level: number, result: Type): Datum {
  if (resource.kind === 'buffer') return resource.bytes.length / texelBytes(formatOf(resource));
  const { width, height, depth } = levelSize(resource, level);
  const { dimension, layers } = resource;
  const sizes = dimension === '1D' ? [width] : dimension === '3D' ? [width, height, depth] : [width, height];
  if (arrayed) sizes.push(dimension === 'Cube' ? layers / 6 : layers);
  return result.kind === 'vector' ? sizes : sizes[0]!;
}
