/**
 * What tests bind to shaders: buffers, images and samplers as plain data, the same for the IR interpreter and for the
 * Vulkan runner, and the texel formats that both know.
 */

/** A buffer's memory. `format` is present if a typed buffer (`Buffer<T>`, `RWBuffer<T>`) looks at it. */
export interface BufferResource {
  kind: 'buffer';
  bytes: Uint8Array;
  format?: FormatName;
}

/** Texels: array layer outermost (cube faces are layers), then mip level, then depth, rows, columns. */
export interface ImageResource {
  kind: 'image';
  format: FormatName;
  dimension: '1D' | '2D' | '3D' | 'Cube';
  /** The view is an array, also if it has one layer. */
  arrayed: boolean;
  width: number;
  height: number;
  depth: number;
  layers: number;
  mips: number;
  bytes: Uint8Array;
}

export type AddressMode = 'wrap' | 'mirror' | 'clamp' | 'border';
export type Comparison =
  | 'never'
  | 'less'
  | 'equal'
  | 'less_equal'
  | 'greater'
  | 'not_equal'
  | 'greater_equal'
  | 'always';

export interface SamplerResource {
  kind: 'sampler';
  filter: 'nearest' | 'linear';
  mipFilter: 'nearest' | 'linear';
  address: AddressMode;
  comparison?: Comparison;
}

export type TestResource = BufferResource | ImageResource | SamplerResource;

/** By `set.binding`; the elements of an array of resources follow as a list. */
export type Bindings = Record<string, TestResource | readonly TestResource[]>;

export interface Format {
  /** VkFormat. */
  vulkan: number;
  channels: number;
  /** Bytes per channel. */
  width: 1 | 2 | 4 | 8;
  kind: 'float' | 'unorm' | 'snorm' | 'int' | 'uint';
}

export const formats = {
  r8unorm: { vulkan: 9, channels: 1, width: 1, kind: 'unorm' },
  rgba8unorm: { vulkan: 37, channels: 4, width: 1, kind: 'unorm' },
  rgba8snorm: { vulkan: 38, channels: 4, width: 1, kind: 'snorm' },
  rgba8uint: { vulkan: 41, channels: 4, width: 1, kind: 'uint' },
  rgba8sint: { vulkan: 42, channels: 4, width: 1, kind: 'int' },
  r16float: { vulkan: 76, channels: 1, width: 2, kind: 'float' },
  rgba16uint: { vulkan: 95, channels: 4, width: 2, kind: 'uint' },
  rgba16float: { vulkan: 97, channels: 4, width: 2, kind: 'float' },
  r32uint: { vulkan: 98, channels: 1, width: 4, kind: 'uint' },
  r32sint: { vulkan: 99, channels: 1, width: 4, kind: 'int' },
  r32float: { vulkan: 100, channels: 1, width: 4, kind: 'float' },
  rg32uint: { vulkan: 101, channels: 2, width: 4, kind: 'uint' },
  rg32sint: { vulkan: 102, channels: 2, width: 4, kind: 'int' },
  rg32float: { vulkan: 103, channels: 2, width: 4, kind: 'float' },
  rgb32float: { vulkan: 106, channels: 3, width: 4, kind: 'float' },
  rgba32uint: { vulkan: 107, channels: 4, width: 4, kind: 'uint' },
  rgba32sint: { vulkan: 108, channels: 4, width: 4, kind: 'int' },
  rgba32float: { vulkan: 109, channels: 4, width: 4, kind: 'float' },
  d32float: { vulkan: 126, channels: 1, width: 4, kind: 'float' },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export function texelBytes(name: FormatName): number {
  return formats[name].channels * formats[name].width;
}

/** Four channels of the texel at `offset`; absent ones are 0, 0, 0, 1. */
export function readTexel(name: FormatName, bytes: Uint8Array, offset: number): number[] {
  const format: Format = formats[name];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = [0, 0, 0, 1];
  for (let i = 0; i < format.channels; i++) result[i] = readChannel(format, view, offset + i * format.width);
  return result;
}

function readChannel(format: Format, view: DataView, at: number): number {
  switch (format.kind) {
    case 'float':
      return format.width === 2 ? halfToNumber(view.getUint16(at, true)) : view.getFloat32(at, true);
    case 'unorm':
      return Math.fround(view.getUint8(at) / 255);
    case 'snorm':
      return Math.fround(Math.max(view.getInt8(at) / 127, -1));
    case 'uint':
      return format.width === 1
        ? view.getUint8(at)
        : format.width === 2
          ? view.getUint16(at, true)
          : view.getUint32(at, true);
    case 'int':
      return format.width === 1
        ? view.getInt8(at)
        : format.width === 2
          ? view.getInt16(at, true)
          : view.getInt32(at, true);
  }
}

/** Writes as many channels as the format has; missing values are 0. */
export function writeTexel(
  name: FormatName,
  bytes: Uint8Array,
  offset: number,
  texel: readonly number[],
): void {
  const format: Format = formats[name];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < format.channels; i++)
    writeChannel(format, view, offset + i * format.width, texel[i] ?? 0);
}

function writeChannel(format: Format, view: DataView, at: number, value: number): void {
  const nan = Number.isNaN(value);
  switch (format.kind) {
    case 'float':
      if (format.width === 2) view.setUint16(at, numberToHalf(value), true);
      else view.setFloat32(at, value, true);
      return;
    case 'unorm':
      view.setUint8(at, nan ? 0 : Math.round(Math.min(Math.max(value, 0), 1) * 255));
      return;
    case 'snorm':
      view.setInt8(at, nan ? 0 : Math.round(Math.min(Math.max(value, -1), 1) * 127));
      return;
    case 'uint':
    case 'int':
      if (format.width === 1) view.setUint8(at, value & 255);
      else if (format.width === 2) view.setUint16(at, value & 65535, true);
      else view.setUint32(at, value >>> 0, true);
  }
}

export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Rounds to nearest, ties to even. */
export function numberToHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  const exponent = magnitude < 2 ** -14 ? -14 : Math.floor(Math.log2(magnitude));
  const steps = roundToEven(magnitude / 2 ** (exponent - 10));
  if (exponent === -14 && steps < 1024) return sign | steps;
  return sign | (((exponent + 15) << 10) + (steps - 1024));
}

export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 !== 0)) return floor + 1;
  return floor;
}

// ---- short ways to write resources in tests

export function floats(...values: number[]): BufferResource {
  return { kind: 'buffer', bytes: new Uint8Array(Float32Array.from(values).buffer) };
}
export function uints(...values: number[]): BufferResource {
  return { kind: 'buffer', bytes: new Uint8Array(Uint32Array.from(values, (value) => value >>> 0).buffer) };
}
export function zeros(words: number): BufferResource {
  return { kind: 'buffer', bytes: new Uint8Array(words * 4) };
}
/** 32-bit words, each written as a float (`1.5f` as `{ f: 1.5 }`) or as an integer. */
export function words(...values: (number | { f: number })[]): BufferResource {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    if (typeof value === 'number') view.setUint32(i * 4, value >>> 0, true);
    else view.setFloat32(i * 4, value.f, true);
  });
  return { kind: 'buffer', bytes };
}
export function typed(format: FormatName, values: readonly number[]): BufferResource {
  const channels = formats[format].channels;
  const size = texelBytes(format);
  const bytes = new Uint8Array((values.length / channels) * size);
  for (let i = 0; i * channels < values.length; i++)
    writeTexel(format, bytes, i * size, values.slice(i * channels, (i + 1) * channels));
  return { kind: 'buffer', bytes, format };
}

/** An image whose texels come from a function; `mip` and `layer` count from 0. */
export function image(
  fields: Pick<ImageResource, 'format' | 'width'> & Partial<Omit<ImageResource, 'kind' | 'bytes'>>,
  texel: (x: number, y: number, z: number, mip: number, layer: number) => readonly number[] = () => [
    0, 0, 0, 0,
  ],
): ImageResource {
  const made: ImageResource = {
    kind: 'image',
    dimension: '2D',
    arrayed: false,
    height: 1,
    depth: 1,
    layers: fields.dimension === 'Cube' ? 6 : 1,
    mips: 1,
    bytes: new Uint8Array(0),
    ...fields,
  };
  made.bytes = new Uint8Array(levelOffset(made, made.layers, 0));
  for (let layer = 0; layer < made.layers; layer++)
    for (let mip = 0; mip < made.mips; mip++) {
      const { width, height, depth } = levelSize(made, mip);
      for (let z = 0; z < depth; z++)
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++)
            writeTexel(
              made.format,
              made.bytes,
              texelOffset(made, x, y, z, mip, layer),
              texel(x, y, z, mip, layer),
            );
    }
  return made;
}

export function sampler(fields: Partial<Omit<SamplerResource, 'kind'>> = {}): SamplerResource {
  return { kind: 'sampler', filter: 'nearest', mipFilter: 'nearest', address: 'clamp', ...fields };
}

export function levelSize(of: ImageResource, mip: number): { width: number; height: number; depth: number } {
  return {
    width: Math.max(1, of.width >> mip),
    height: Math.max(1, of.height >> mip),
    depth: Math.max(1, of.depth >> mip),
  };
}

/** Where a mip level of a layer starts in the image's bytes. */
export function levelOffset(of: ImageResource, layer: number, mip: number): number {
  let offset = 0;
  const size = texelBytes(of.format);
  for (let l = 0; l <= layer; l++)
    for (let m = 0; m < (l < layer ? of.mips : mip); m++) {
      const level = levelSize(of, m);
      offset += level.width * level.height * level.depth * size;
    }
  return offset;
}

export function texelOffset(
  of: ImageResource,
  x: number,
  y: number,
  z: number,
  mip: number,
  layer: number,
): number {
  const { width, height } = levelSize(of, mip);
  return levelOffset(of, layer, mip) + ((z * height + y) * width + x) * texelBytes(of.format);
}

/** A copy that shares no memory, so that one run does not see what another wrote. */
export function copyBindings(bindings: Bindings): Bindings {
  const copyOne = (of: TestResource): TestResource =>
    of.kind === 'sampler' ? of : { ...of, bytes: of.bytes.slice() };
  return Object.fromEntries(
    Object.entries(bindings).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map(copyOne) : copyOne(value as TestResource),
    ]),
  );
}
