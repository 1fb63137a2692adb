/**
 * Texture sampling: addressing, filtering, cube faces, comparison, mip selection, gather. Plain arithmetic in doubles; devices
 * are allowed to differ in the last bits of filter weights.
 */
import {
  type Comparison,
  type ImageResource,
  levelSize,
  readTexel,
  roundToEven,
  type SamplerResource,
  texelOffset,
} from '../resources.ts';
import { fail } from './value.ts';

export interface SampleRequest {
  /** Normalized coordinates without the layer; a direction for cubes. */
  at: readonly number[];
  layer: number;
  lod: number;
  offset: readonly number[];
  compareValue?: number;
}

export type Texel = readonly number[];

export function sampleImage(image: ImageResource, sampler: SamplerResource, request: SampleRequest): Texel {
  const [at, layer] = resolveFace(image, request);
  const lod = Math.min(Math.max(request.lod, 0), image.mips - 1);
  const fetch = (mip: number): Texel => filterLevel(image, sampler, { ...request, at, layer }, mip);
  if (sampler.mipFilter === 'nearest') return fetch(Math.ceil(lod + 0.5) - 1);
  const low = Math.floor(lod);
  return low === lod ? fetch(low) : blend(fetch(low), fetch(low + 1), lod - low);
}

/** The component `component` of the four texels that a linear filter would take, in HLSL's order. */
export function gatherImage(
  image: ImageResource,
  sampler: SamplerResource,
  request: SampleRequest,
  component: number,
  offsets?: readonly (readonly number[])[],
): Texel {
  const [at, layer] = resolveFace(image, request);
  const corners = [
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ] as const;
  return corners.map(([dx, dy], i) => {
    const { width, height } = levelSize(image, 0);
    const offset = offsets?.[i] ?? request.offset;
    const x = Math.floor(at[0]! * width - 0.5) + dx + (offset[0] ?? 0);
    const y = Math.floor((at[1] ?? 0) * height - 0.5) + dy + (offset[1] ?? 0);
    const texel = fetchWrapped(image, sampler, x, y, 0, 0, layer);
    return compared(sampler, request, texel)[component]!;
  });
}

function resolveFace(image: ImageResource, request: SampleRequest): [readonly number[], number] {
  const layer = Math.min(
    Math.max(roundToEven(request.layer), 0),
    (image.dimension === 'Cube' ? image.layers / 6 : image.layers) - 1,
  );
  if (image.dimension !== 'Cube') return [request.at, layer];
  const { face, u, v } = cubeFace(request.at);
  return [[u, v], layer * 6 + face];
}

/** Face and place on it that a direction hits. */
export function cubeFace(direction: readonly number[]): { face: number; u: number; v: number } {
  const [x = 0, y = 0, z = 0] = direction;
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  let face: number;
  let s: number;
  let t: number;
  let major: number;
  if (az >= ax && az >= ay) [face, s, t, major] = z >= 0 ? [4, x, -y, az] : [5, -x, -y, az];
  else if (ay >= ax) [face, s, t, major] = y >= 0 ? [2, x, z, ay] : [3, x, -z, ay];
  else [face, s, t, major] = x >= 0 ? [0, -z, -y, ax] : [1, z, -y, ax];
  return { face, u: (s / major + 1) / 2, v: (t / major + 1) / 2 };
}

function filterLevel(
  image: ImageResource,
  sampler: SamplerResource,
  request: SampleRequest,
  mip: number,
): Texel {
  const size = levelSize(image, mip);
  const sizes = [size.width, size.height, size.depth];
  const axes = image.dimension === '1D' ? 1 : image.dimension === '3D' ? 3 : 2;
  const place = (axis: number): number => (axis < axes ? request.at[axis]! * sizes[axis]! : 0);
  const offset = (axis: number): number => request.offset[axis] ?? 0;
  const texel = (x: number, y: number, z: number): Texel =>
    compared(
      sampler,
      request,
      fetchWrapped(image, sampler, x + offset(0), y + offset(1), z + offset(2), mip, request.layer),
    );
  if (sampler.filter === 'nearest')
    return texel(Math.floor(place(0)), Math.floor(place(1)), Math.floor(place(2)));
  const low = [0, 1, 2].map((axis) => (axis < axes ? Math.floor(place(axis) - 0.5) : 0));
  const weight = [0, 1, 2].map((axis) => (axis < axes ? place(axis) - 0.5 - low[axis]! : 0));
  const along = (axis: number, at: number[]): Texel => {
    if (axis < 0) return texel(at[0]!, at[1]!, at[2]!);
    const here = along(axis - 1, at);
    if (weight[axis] === 0) return here;
    const next = at.slice();
    next[axis]! += 1;
    return blend(here, along(axis - 1, next), weight[axis]!);
  };
  return along(axes - 1, low);
}

function blend(a: Texel, b: Texel, weight: number): Texel {
  return a.map((value, i) => value * (1 - weight) + b[i]! * weight);
}

function compared(sampler: SamplerResource, request: SampleRequest, texel: Texel): Texel {
  if (request.compareValue === undefined) return texel;
  const comparison = sampler.comparison ?? fail('a comparison sampler was expected');
  const pass = compare(comparison, request.compareValue, texel[0]!) ? 1 : 0;
  return [pass, pass, pass, pass];
}

function compare(comparison: Comparison, reference: number, texel: number): boolean {
  switch (comparison) {
    case 'never':
      return false;
    case 'less':
      return reference < texel;
    case 'equal':
      return reference === texel;
    case 'less_equal':
      return reference <= texel;
    case 'greater':
      return reference > texel;
    case 'not_equal':
      return reference !== texel;
    case 'greater_equal':
      return reference >= texel;
    case 'always':
      return true;
  }
}

function fetchWrapped(
  image: ImageResource,
  sampler: SamplerResource,
  x: number,
  y: number,
  z: number,
  mip: number,
  layer: number,
): Texel {
  const size = levelSize(image, mip);
  const address = image.dimension === 'Cube' ? 'clamp' : sampler.address;
  const wx = wrap(x, size.width, address);
  const wy = wrap(y, size.height, address);
  const wz = wrap(z, size.depth, address);
  if (wx === undefined || wy === undefined || wz === undefined) return [0, 0, 0, 0];
  return readTexel(image.format, image.bytes, texelOffset(image, wx, wy, wz, mip, layer));
}

function wrap(at: number, size: number, address: SamplerResource['address']): number | undefined {
  switch (address) {
    case 'clamp':
      return Math.min(Math.max(at, 0), size - 1);
    case 'wrap':
      return ((at % size) + size) % size;
    case 'mirror': {
      const period = ((at % (2 * size)) + 2 * size) % (2 * size);
      return period < size ? period : 2 * size - 1 - period;
    }
    case 'border':
      return at >= 0 && at < size ? at : undefined;
  }
}
