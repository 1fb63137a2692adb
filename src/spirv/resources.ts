/** Textures, samplers and buffers as global variables, and the places inside buffers. */
import type { Global, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { bufferLayout } from '../types/layout-rules.ts';
import {
  type BufferType,
  elementOf,
  intType,
  type LayoutRule,
  type StructType,
  scalarBits,
  type TextureType,
  type Type,
  typeKey,
  typeName,
  uintType,
} from '../types/type.ts';
import { copyOfPlace, valueId } from './body.ts';
import { type CapabilityName, needCapability } from './capabilities.ts';
import { constantUint } from './constants.ts';
import { type Context, type FunctionContext, locationOf, type Place, typeInstruction } from './context.ts';
import { decorate, decorateUserType, memberDecorate, name } from './decorations.ts';
import { Decoration, Op, StorageClass } from './enums.ts';
import { imageFormat, imageTypeId, sampledImageTypeId } from './image-types.ts';
import { placeFor } from './memory.ts';
import {
  decorateRelaxed,
  bufferStride,
  decorateMatrix,
  layOut,
  memoryTypeId,
  pointerTypeId,
  scalarTypeId,
  stridedArray,
  typeWithNames,
} from './types.ts';

/** What a resource variable (or each element of an array of them) is. */
export interface ResourceInfo {
  global: Global;
  /** Innermost type: image, sampler, sampled image, or the struct of a buffer. */
  typeId: number;
  imageType?: number;
  format?: number;
  /** Texture and sampler in one: `[[vk::combinedImageSampler]]`. */
  combined: boolean;
}

/** A texture, sampler or buffer variable. */
export type ResourceRole = Extract<Global['role'], { kind: 'resource' }>;

export function attribute(role: ResourceRole, wanted: string): readonly (number | string)[] | undefined {
  return role.attributes.find((each) => each.name.replace(/^vk::/, '') === wanted)?.args;
}

export function isCombined(role: ResourceRole): boolean {
  return role.attributes.some(
    (each) => each.name.replace(/^vk::/, '').toLowerCase() === 'combinedimagesampler',
  );
}

/** `vk::SampledTexture2D` and the like. */
function isCombinedType(type: TextureType): boolean {
  return type.name.startsWith('Sampled');
}

/** Innermost type behind a resource global: arrays taken off. */
export function resourceType(type: Type): Type {
  if (type.kind === 'pointer') return resourceType(type.pointee);
  return type.kind === 'array' ? resourceType(type.element) : type;
}

export function declareResource(context: Context, global: Global, role: ResourceRole): void {
  const type = resourceType(global.type);
  const storageClass = resourceClass(context, type);
  const info = resourceInfo(context, global, role, type);
  if (!info) return;
  const pointee = arrayOf(context, (global.type as { pointee: Type }).pointee, info.typeId);
  const id = context.sections.id();
  context.sections.add(
    'declarations',
    Op.Variable,
    pointerTypeId(context, storageClass, pointee),
    id,
    storageClass,
  );
  context.resources.set(id, info);
  context.globals.set(global, { id, storageClass });
  name(context, id, global.name);
  bind(context, id, role.binding.set, role.binding.binding);
  if (context.target.spirv >= 104) context.interface.push(id);
  if (role.binding.inputAttachmentIndex !== undefined)
    decorate(context, id, Decoration.InputAttachmentIndex, role.binding.inputAttachmentIndex);
  if (role.coherent && isWritable(type)) decorate(context, id, Decoration.Coherent);
  if (type.kind === 'texture') decorateRelaxed(context, id, type.element);
  if (context.options.reflectDecorations) decorateUserType(context, id, userType(type));
  declareCounter(context, global, role, type);
}

function bind(context: Context, id: number, set: number, binding: number): void {
  decorate(context, id, Decoration.DescriptorSet, set);
  decorate(context, id, Decoration.Binding, binding);
}

function isWritable(type: Type): boolean {
  return type.kind === 'texture'
    ? type.writable
    : type.kind === 'buffer' && /^(RW|Append|Consume|Raster)/.test(type.buffer);
}

/** As DXC spells it: lower case, template argument behind `:`. */
function userType(type: Type): string {
  const text = typeName(type).replace(/\s+/g, '');
  const open = text.indexOf('<');
  return open < 0 ? text.toLowerCase() : `${text.slice(0, open).toLowerCase()}:${text.slice(open)}`;
}

/** The hidden counter of a structured buffer is a buffer of its own. */
function declareCounter(context: Context, global: Global, role: ResourceRole, type: Type): void {
  const { counter } = role.binding;
  if (!counter || type.kind !== 'buffer') return;
  const storageClass = resourceClass(context, type);
  const key = 'type.ACSBuffer.counter';
  let struct = context.interned.get(key);
  if (struct === undefined) {
    struct = typeInstruction(context, key, Op.TypeStruct, scalarTypeId(context, intType));
    name(context, struct, key);
    name(context, struct, 'counter', 0);
    memberDecorate(context, struct, 0, Decoration.Offset, 0);
    decorate(context, struct, blockDecoration(context, type));
  }
  const pointee = arrayOf(context, (global.type as { pointee: Type }).pointee, struct);
  const id = context.sections.id();
  context.sections.add(
    'declarations',
    Op.Variable,
    pointerTypeId(context, storageClass, pointee),
    id,
    storageClass,
  );
  name(context, id, `counter.var.${global.name}`);
  bind(context, id, counter.set, counter.binding);
  if (context.target.spirv >= 104) context.interface.push(id);
  context.counters.set(context.globals.get(global)!.id, id);
}

/** From SPIR-V 1.3 on storage buffers have a class of their own. */
export function resourceClass(context: Context, type: Type): number {
  if (type.kind !== 'buffer') return StorageClass.UniformConstant;
  if (type.buffer === 'ConstantBuffer') return StorageClass.Uniform;
  return context.target.spirv >= 103 ? StorageClass.StorageBuffer : StorageClass.Uniform;
}

function blockDecoration(context: Context, type: BufferType): number {
  return type.buffer === 'ConstantBuffer' || context.target.spirv >= 103
    ? Decoration.Block
    : Decoration.BufferBlock;
}

/** Arrays of resources have no stride. */
function arrayOf(context: Context, type: Type, element: number): number {
  if (type.kind !== 'array') return element;
  const inner = arrayOf(context, type.element, element);
  if (type.size > 0) {
    const count = constantUint(context, type.size);
    return typeInstruction(context, `array${inner},${type.size}`, Op.TypeArray, inner, count);
  }
  needCapability(context, 'RuntimeDescriptorArray');
  return typeInstruction(context, `runtime${inner}`, Op.TypeRuntimeArray, inner);
}

function resourceInfo(
  context: Context,
  global: Global,
  role: ResourceRole,
  type: Type,
): ResourceInfo | undefined {
  switch (type.kind) {
    case 'texture': {
      const format = imageFormat(context, role, type);
      const imageType = imageTypeId(context, type, format);
      const combined = isCombined(role) || isCombinedType(type);
      const typeId = combined ? sampledImageTypeId(context, imageType) : imageType;
      return { global, typeId, imageType, format, combined };
    }
    case 'sampler': {
      const known = context.interned.has('sampler');
      const typeId = typeInstruction(context, 'sampler', Op.TypeSampler);
      if (!known) name(context, typeId, 'type.sampler');
      return { global, typeId, combined: false };
    }
    case 'buffer':
      return { global, typeId: bufferTypeId(context, global, type), combined: false };
    case 'acceleration-structure': {
      needCapability(context, 'RayQueryKHR');
      const known = context.interned.has('accelerationStructure');
      const typeId = typeInstruction(context, 'accelerationStructure', Op.TypeAccelerationStructureKHR);
      if (!known) name(context, typeId, 'accelerationStructureNV');
      return { global, typeId, combined: false };
    }
    default:
      context.log.report('spirv-unsupported-resource', global.location, { type: typeName(type) });
      return undefined;
  }
}

function bufferTypeId(context: Context, global: Global, type: BufferType): number {
  const rule = bufferLayout(context.options.layout, type.buffer);
  if (type.buffer === 'ConstantBuffer' || type.buffer === 'TextureBuffer')
    return blockStruct(context, global, type, rule);
  const isBytes = type.buffer.includes('ByteAddress');
  const element = isBytes ? uintType : type.element;
  const elementId = memoryTypeId(context, element, rule, type.matrixOrder);
  const array = stridedArray(context, elementId, 0, bufferStride(context, element, rule, type.matrixOrder));
  const key = `${type.buffer},${array},${type.matrixOrder ?? ''}`;
  const known = context.interned.get(key);
  if (known !== undefined) return known;
  const id = typeInstruction(context, key, Op.TypeStruct, array);
  name(context, id, isBytes ? `type.${type.buffer}` : `type.${type.buffer}.${typeName(type.element)}`);
  memberDecorate(context, id, 0, Decoration.Offset, 0);
  decorateMatrix(context, id, 0, element, rule, type.matrixOrder);
  if (!isWritable(type)) memberDecorate(context, id, 0, Decoration.NonWritable);
  decorate(context, id, blockDecoration(context, type));
  needNarrowStorage(context, element, resourceClass(context, type));
  return id;
}

/** The members of a constant or texture buffer are those of its block. */
function blockStruct(context: Context, global: Global, type: BufferType, rule: LayoutRule): number {
  if (type.element.kind !== 'struct')
    throw new InternalError('a constant buffer holds a struct', global.location);
  const struct = type.element;
  const isNamed = struct.keyword === 'struct' || struct.keyword === 'class';
  const id = blockTypeId(
    context,
    struct,
    rule,
    isNamed ? `type.${type.buffer}.${struct.name}` : `type.${global.name}`,
    blockDecoration(context, type),
  );
  if (type.buffer === 'TextureBuffer') {
    const key = `readonly${id}`;
    if (!context.interned.has(key)) {
      context.interned.set(key, id);
      for (let i = 0; i < struct.members.length; i++) memberDecorate(context, id, i, Decoration.NonWritable);
    }
  }
  needNarrowStorage(context, struct, resourceClass(context, type));
  return id;
}

/** A struct with the members of `struct` that is a block itself; nested uses of the struct have another type. */
export function blockTypeId(
  context: Context,
  struct: StructType,
  rule: LayoutRule,
  blockName: string,
  decoration: number,
): number {
  const key = `block${typeKey(struct)},${rule},${decoration},${blockName}`;
  const known = context.interned.get(key);
  if (known !== undefined) return known;
  const members = struct.members.map((member) =>
    memoryTypeId(context, member.type, rule, member.matrixOrder),
  );
  const id = typeInstruction(context, key, Op.TypeStruct, ...members);
  typeWithNames(context, id, struct, blockName);
  layOut(context, id, struct, rule);
  decorate(context, id, decoration);
  return id;
}

/** 16-bit members need a capability by the kind of buffer. */
export function needNarrowStorage(context: Context, type: Type, storageClass: number): void {
  if (!hasNarrow(context, type)) return;
  if (storageClass === StorageClass.Uniform) needCapability(context, 'UniformAndStorageBuffer16BitAccess');
  else if (storageClass === StorageClass.PushConstant) needCapability(context, 'StoragePushConstant16');
  else needCapability(context, 'StorageBuffer16BitAccess');
}

export function hasNarrow(context: Context, type: Type): boolean {
  if (type.kind === 'array') return hasNarrow(context, type.element);
  if (type.kind === 'struct') return type.members.some((member) => hasNarrow(context, member.type));
  const element = elementOf(type);
  return element !== undefined && scalarBits(element, context.module.enable16BitTypes) === 16;
}

/** The contents of a buffer, or its element `index`. */
export function bufferPlace(f: FunctionContext, buffer: Value, index: Value | undefined): Place {
  const from = placeFor(f, buffer);
  useArray(f, from, buffer);
  const place = copyOfPlace(from);
  const info = f.resources.get(from.base);
  if (index) place.path.push(constantUint(f, 0), valueId(f, index));
  else if (info) place.blockType = info.typeId;
  return place;
}

export function counterPlace(f: FunctionContext, buffer: Value): Place {
  const from = placeFor(f, buffer);
  const counter = f.counters.get(from.base);
  if (counter === undefined) throw new InternalError('a buffer without counter', locationOf(f));
  return { ...from, base: counter, path: [...from.path, constantUint(f, 0)] };
}

/** Declares what an index into an array of resources needs. */
export function useArray(f: FunctionContext, place: Place, resource: Value): void {
  if (place.path.length === 0) return;
  const type = resourceType(resource.type);
  const kind = arrayKind(type, place.storageClass);
  if (!kind) return;
  if (place.nonUniform) {
    needCapability(f, 'ShaderNonUniform');
    needCapability(f, `${kind}ArrayNonUniformIndexing` as CapabilityName);
  } else if (place.dynamic && !kind.includes('Texel') && kind !== 'InputAttachment') {
    needCapability(f, `${kind}ArrayDynamicIndexing` as CapabilityName);
  }
}

function arrayKind(type: Type, storageClass: number): string | undefined {
  switch (type.kind) {
    case 'sampler':
      return 'SampledImage';
    case 'texture':
      if (type.dimension === 'Buffer') return type.writable ? 'StorageTexelBuffer' : 'UniformTexelBuffer';
      if (type.dimension === 'Subpass') return 'InputAttachment';
      return type.writable ? 'StorageImage' : 'SampledImage';
    case 'buffer':
      return type.buffer === 'ConstantBuffer' ? 'UniformBuffer' : storageClass ? 'StorageBuffer' : undefined;
    default:
      return undefined;
  }
}
