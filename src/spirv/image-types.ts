/** Image types and their formats. */
import {
  elementOf,
  floatType,
  intType,
  type ScalarType,
  scalarBits,
  scalarClass,
  type TextureType,
  type Type,
  uintType,
} from '../types/type.ts';
import { type CapabilityName, needCapability } from './capabilities.ts';
import { type Context, typeInstruction } from './context.ts';
import { name } from './decorations.ts';
import { Dim, ImageFormat, Op } from './enums.ts';
import { attribute, type ResourceRole } from './resources.ts';
import { scalarTypeId } from './types.ts';

export function sampledImageTypeId(context: Context, imageType: number): number {
  const key = `sampled${imageType}`;
  const known = context.interned.has(key);
  const id = typeInstruction(context, key, Op.TypeSampledImage, imageType);
  if (!known) name(context, id, 'type.sampled.image');
  return id;
}

const formats: Record<string, keyof typeof ImageFormat> = {
  unknown: 'Unknown',
  rgba32f: 'Rgba32f',
  rgba16f: 'Rgba16f',
  r32f: 'R32f',
  rgba8: 'Rgba8',
  rgba8snorm: 'Rgba8Snorm',
  rg32f: 'Rg32f',
  rg16f: 'Rg16f',
  r11g11b10f: 'R11fG11fB10f',
  r16f: 'R16f',
  rgba16: 'Rgba16',
  rgb10a2: 'Rgb10A2',
  rg16: 'Rg16',
  rg8: 'Rg8',
  r16: 'R16',
  r8: 'R8',
  rgba16snorm: 'Rgba16Snorm',
  rg16snorm: 'Rg16Snorm',
  rg8snorm: 'Rg8Snorm',
  r16snorm: 'R16Snorm',
  r8snorm: 'R8Snorm',
  rgba32i: 'Rgba32i',
  rgba16i: 'Rgba16i',
  rgba8i: 'Rgba8i',
  r32i: 'R32i',
  rg32i: 'Rg32i',
  rg16i: 'Rg16i',
  rg8i: 'Rg8i',
  r16i: 'R16i',
  r8i: 'R8i',
  rgba32ui: 'Rgba32ui',
  rgba16ui: 'Rgba16ui',
  rgba8ui: 'Rgba8ui',
  r32ui: 'R32ui',
  rgb10a2ui: 'Rgb10a2ui',
  rg32ui: 'Rg32ui',
  rg16ui: 'Rg16ui',
  rg8ui: 'Rg8ui',
  r16ui: 'R16ui',
  r8ui: 'R8ui',
  r64ui: 'R64ui',
  r64i: 'R64i',
};

/** Formats that every device with the Shader capability has. */
const plainFormats = new Set([
  'Unknown',
  'Rgba32f',
  'Rgba16f',
  'R32f',
  'Rgba8',
  'Rgba8Snorm',
  'Rgba32i',
  'Rgba16i',
  'Rgba8i',
  'R32i',
  'Rgba32ui',
  'Rgba16ui',
  'Rgba8ui',
  'R32ui',
]);

/** As written in `[[vk::image_format]]`; otherwise storage images and typed buffers get the one that fits the element. */
export function imageFormat(context: Context, role: ResourceRole, type: TextureType): number {
  const written = attribute(role, 'image_format')?.[0];
  let format: keyof typeof ImageFormat | undefined = 'Unknown';
  if (typeof written === 'string') {
    format = formats[written];
    if (!format)
      context.log.report('spirv-unknown-image-format', role.attributes[0]?.at ?? 0, { format: written });
  } else if ((type.writable || type.dimension === 'Buffer') && !context.options.unknownImageFormat) {
    format = formatFor(context, type.element);
  }
  format ??= 'Unknown';
  if (format === 'R64i' || format === 'R64ui') needCapability(context, 'Int64ImageEXT');
  else if (!plainFormats.has(format)) needCapability(context, 'StorageImageExtendedFormats');
  return ImageFormat[format];
}

function formatFor(context: Context, type: Type): keyof typeof ImageFormat {
  const element = elementOf(type);
  if (!element) return 'Unknown';
  const count = type.kind === 'vector' ? type.count : 1;
  const kind = scalarClass(element);
  // `half` counts as narrow only with 16-bit types; the min-precision types always do.
  const bits = element.name.startsWith('min') ? 16 : scalarBits(element, context.module.enable16BitTypes);
  if (bits === 64) return count > 1 || kind === 'float' ? 'Unknown' : kind === 'int' ? 'R64i' : 'R64ui';
  const channels = { 1: 'R', 2: 'Rg', 4: 'Rgba' }[count];
  if (!channels || kind === 'bool') return 'Unknown';
  const suffix = { float: 'f', int: 'i', uint: 'ui' }[kind];
  return `${channels}${bits}${suffix}` as keyof typeof ImageFormat;
}

/** The scalar that images deal in: 32 bits, or 64-bit integers. */
export function sampledElement(context: Context, type: Type): ScalarType {
  const element = elementOf(type);
  if (!element) return floatType;
  const kind = scalarClass(element);
  if (kind === 'float') return floatType;
  if (scalarBits(element, context.module.enable16BitTypes) === 64) return element;
  return kind === 'int' ? intType : uintType;
}

export function imageTypeId(context: Context, type: TextureType, format: number): number {
  const element = sampledElement(context, type.element);
  if (scalarBits(element, context.module.enable16BitTypes) === 64) needCapability(context, 'Int64ImageEXT');
  const sampled = scalarTypeId(context, element);
  const storage = type.writable || type.dimension === 'Subpass';
  const dim = {
    '1D': Dim['1D'],
    '2D': Dim['2D'],
    '3D': Dim['3D'],
    Cube: Dim.Cube,
    Buffer: Dim.Buffer,
    Subpass: Dim.SubpassData,
  }[type.dimension];
  for (const capability of imageCapabilities(type)) needCapability(context, capability);
  const [arrayed, multisampled] = [type.arrayed ? 1 : 0, type.multisampled ? 1 : 0];
  const key = `image${sampled},${dim},${arrayed},${multisampled},${storage},${format}`;
  const known = context.interned.has(key);
  // Depth 2: the type does not say whether the image is used with comparisons.
  const id = typeInstruction(
    context,
    key,
    Op.TypeImage,
    sampled,
    dim,
    2,
    arrayed,
    multisampled,
    storage ? 2 : 1,
    format,
  );
  if (!known) name(context, id, imageName(type));
  return id;
}

function imageCapabilities(type: TextureType): CapabilityName[] {
  const storage = type.writable;
  switch (type.dimension) {
    case '1D':
      return storage ? ['Image1D'] : ['Sampled1D'];
    case 'Buffer':
      return storage ? ['ImageBuffer'] : ['SampledBuffer'];
    case 'Cube':
      return type.arrayed ? (storage ? ['ImageCubeArray'] : ['SampledCubeArray']) : [];
    case 'Subpass':
      return ['InputAttachment'];
    case '2D':
      return storage && type.multisampled
        ? type.arrayed
          ? ['StorageImageMultisample', 'ImageMSArray']
          : ['StorageImageMultisample']
        : [];
    case '3D':
      return [];
  }
}

/** As DXC names image types. */
function imageName(type: TextureType): string {
  const dimension = {
    '1D': '1d',
    '2D': '2d',
    '3D': '3d',
    Cube: 'cube',
    Buffer: 'buffer',
    Subpass: 'subpass',
  }[type.dimension];
  return `type.${dimension}.image${type.arrayed ? '.array' : ''}`;
}
