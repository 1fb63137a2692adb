/** Sampling, gathering, fetching, queries, and single texels of textures and typed buffers. */
import type { ImageOperation } from '../intrinsics/intrinsic.ts';
import { operandNames } from '../intrinsics/table.ts';
import type { Constant, Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  floatType,
  isNumeric,
  type PointerType,
  scalarClass,
  type TextureType,
  type Type,
  typeName,
  uintType,
  vector,
} from '../types/type.ts';
import { convert } from './arithmetic.ts';
import { decorateResult, emit, emitResult, valueId } from './body.ts';
import { needCapability } from './capabilities.ts';
import { composite, constantId, constantUint } from './constants.ts';
import { type FunctionContext, locationOf, type Place, typeInstruction } from './context.ts';
import { ImageFormat, ImageOperand, Op, StorageClass } from './enums.ts';
import { name } from './decorations.ts';
import { markNonUniform, placeFor, pointerId, storeTo } from './memory.ts';
import {
  type ResourceInfo,
  resourceType,
  sampledElement,
  sampledImageTypeId,
  useArray,
} from './resources.ts';
import type { OpNumber } from './sections.ts';
import { pointerTypeId, scalarTypeId, valueTypeId, vectorTypeId } from './types.ts';

export interface Texel {
  resource: Value;
  coordinate: Value;
  level?: Value;
}

interface LoadedImage {
  /** The image itself, never combined with a sampler. */
  image: () => number;
  info: ResourceInfo;
  type: TextureType;
  place: Place;
  loaded: number;
}

/** Loads the variable (or the element of an array) behind a texture or sampler operand. */
function loadHandle(f: FunctionContext, resource: Value): { id: number; info: ResourceInfo; place: Place } {
  const place = placeFor(f, resource);
  const info = f.resources.get(place.base);
  if (!info) throw new InternalError('a resource that is no variable of the module', locationOf(f));
  useArray(f, place, resource);
  const id = emitResult(f, Op.Load, info.typeId, pointerId(f, place, info.typeId));
  if (place.nonUniform) markNonUniform(f, id);
  return { id, info, place };
}

function loadImage(f: FunctionContext, resource: Value): LoadedImage {
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
function joinSampler(f: FunctionContext, image: LoadedImage, sampler: Value): number {
  if (image.info.combined) return image.loaded;
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
class ImageOperands {
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

type Roles = Map<string, Value>;

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
function readTexels(
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

function rolesOf(instruction: Instruction): Roles {
  const names = operandNames(instruction);
  return new Map(instruction.operands.map((operand, i) => [names[i]!, operand]));
}

export function emitImage(
  f: FunctionContext,
  instruction: Instruction,
  operation: ImageOperation,
): number | undefined {
  const roles = rolesOf(instruction);
  const resource = instruction.operands[0]!;
  const result = instruction.results[0]?.type;
  if (!result) throw new InternalError('an image operation without result', locationOf(f));
  const image = loadImage(f, resource);
  switch (operation) {
    case 'query-size':
      return querySize(f, image, roles, result);
    case 'query-levels':
      needCapability(f, 'ImageQuery');
      return convertResult(
        f,
        emitResult(f, Op.ImageQueryLevels, valueTypeId(f, uintType), image.image()),
        uintType,
        result,
      );
    case 'query-samples':
      needCapability(f, 'ImageQuery');
      return convertResult(
        f,
        emitResult(f, Op.ImageQuerySamples, valueTypeId(f, uintType), image.image()),
        uintType,
        result,
      );
    case 'query-lod':
      return queryLod(f, image, roles, result, 0);
    case 'query-lod-unclamped':
      return queryLod(f, image, roles, result, 1);
    case 'fetch':
      return fetch(f, image, roles, result, instruction);
    case 'gather':
    case 'gather-cmp':
      return gather(f, image, roles, result, instruction, operation === 'gather-cmp');
    default:
      return sample(f, image, roles, result, instruction, operation);
  }
}

/** Images give four components of their scalar; the wanted ones are taken and brought to the element's type. */
function shrink(f: FunctionContext, four: number, type: TextureType, result: Type): number {
  const scalar = sampledElement(f, type.element);
  const count = result.kind === 'vector' ? result.count : 1;
  const shape = count === 1 ? scalar : vector(scalar, count);
  let id = four;
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

function convertResult(f: FunctionContext, id: number, from: Type, to: Type): number {
  return convert(f, { type: from, id }, to);
}

function fourOf(f: FunctionContext, type: TextureType): number {
  return vectorTypeId(f, sampledElement(f, type.element), 4);
}

function offsets(
  f: FunctionContext,
  roles: Roles,
  operands: ImageOperands,
  instruction: Instruction,
  isGather: boolean,
): void {
  const offset = roles.get('offset');
  if (!offset) return;
  const constant = constantOf(offset);
  if (constant) {
    operands.add(ImageOperand.ConstOffset, constantId(f, constant));
    return;
  }
  if (!isGather) {
    f.log.report('spirv-constant-offset-needed', locationOf(f), { name: instruction.intrinsic ?? '' });
    return;
  }
  needCapability(f, 'ImageGatherExtended');
  operands.add(ImageOperand.Offset, valueId(f, offset));
}

/** The value as a constant if it is one, or is made of some: without optimizer constants are not folded. */
function constantOf(value: Value): Constant | undefined {
  if (value.kind === 'constant') return value;
  if (value.kind !== 'result') return undefined;
  const { op, operands } = value.instruction;
  const parts = operands.map(constantOf);
  if (parts.length === 0 || parts.some((part) => !part)) return undefined;
  const [first] = parts as [Constant];
  switch (op) {
    case 'construct':
      return { kind: 'constant', type: value.type, value: parts as Constant[] };
    case 'splat': {
      if (value.type.kind !== 'vector') return undefined;
      return { kind: 'constant', type: value.type, value: new Array<Constant>(value.type.count).fill(first) };
    }
    case 'neg':
      return mapConstant(first, value.type, (number) => -number | 0);
    case 'convert':
      return mapConstant(first, value.type, (number) => number | 0);
    default:
      return undefined;
  }
}

function mapConstant(
  constant: Constant,
  type: Type,
  change: (value: number) => number,
): Constant | undefined {
  const element = elementOf(type);
  if (!element || !['int', 'uint'].includes(scalarClass(element))) return undefined;
  if (typeof constant.value !== 'object')
    return { kind: 'constant', type, value: change(Number(constant.value)) };
  const parts = constant.value.map((part) => mapConstant(part, element, change));
  return parts.some((part) => !part) ? undefined : { kind: 'constant', type, value: parts as Constant[] };
}

function sample(
  f: FunctionContext,
  image: LoadedImage,
  roles: Roles,
  result: Type,
  instruction: Instruction,
  operation: ImageOperation,
): number {
  const operands = new ImageOperands();
  const id = (role: string): number => {
    const value = roles.get(role);
    if (!value) throw new InternalError(`'${instruction.intrinsic}' lacks its ${role}`, locationOf(f));
    return valueId(f, value);
  };
  if (roles.has('bias')) operands.add(ImageOperand.Bias, id('bias'));
  if (roles.has('lod')) operands.add(ImageOperand.Lod, id('lod'));
  else if (operation === 'sample-cmp-lod')
    operands.add(ImageOperand.Lod, constantId(f, { kind: 'constant', type: floatType, value: 0 }));
  if (roles.has('ddx')) operands.add(ImageOperand.Grad, id('ddx'), id('ddy'));
  offsets(f, roles, operands, instruction, false);
  if (roles.has('clamp')) {
    needCapability(f, 'MinLod');
    operands.add(ImageOperand.MinLod, id('clamp'));
  }
  const joined = joinSampler(f, image, roles.get('sampler')!);
  const isExplicit = /lod|grad/.test(operation);
  const location = id('location');
  if (!operation.includes('cmp')) {
    const op: OpNumber = isExplicit ? Op.ImageSampleExplicitLod : Op.ImageSampleImplicitLod;
    return shrink(
      f,
      readTexels(f, roles.get('status'), op, fourOf(f, image.type), joined, location, ...operands.words()),
      image.type,
      result,
    );
  }
  const op: OpNumber = isExplicit ? Op.ImageSampleDrefExplicitLod : Op.ImageSampleDrefImplicitLod;
  const scalar = sampledElement(f, image.type.element);
  const one = readTexels(
    f,
    roles.get('status'),
    op,
    scalarTypeId(f, scalar),
    joined,
    location,
    id('compareValue'),
    ...operands.words(),
  );
  return convertResult(f, one, scalar, result);
}

function gather(
  f: FunctionContext,
  image: LoadedImage,
  roles: Roles,
  result: Type,
  instruction: Instruction,
  isCompare: boolean,
): number {
  const joined = joinSampler(f, image, roles.get('sampler')!);
  const location = valueId(f, roles.get('location')!);
  const component = roles.get('component');
  const last = isCompare
    ? valueId(f, roles.get('compareValue')!)
    : component
      ? valueId(f, component)
      : constantUint(f, gatherComponent(instruction));
  const op: OpNumber = isCompare ? Op.ImageDrefGather : Op.ImageGather;
  const four = fourOf(f, image.type);
  const run = (operands: ImageOperands) =>
    readTexels(f, roles.get('status'), op, four, joined, location, last, ...operands.words());
  const operands = new ImageOperands();
  const each = ['offset1', 'offset2', 'offset3', 'offset4'].map((role) => roles.get(role));
  if (!each[0]) {
    offsets(f, roles, operands, instruction, true);
    return shrink(f, run(operands), image.type, result);
  }
  needCapability(f, 'ImageGatherExtended');
  const constants = each.map((offset) => offset && constantOf(offset));
  if (constants.every((constant) => constant !== undefined)) {
    const array: Type = { kind: 'array', element: constants[0]!.type, size: 4 };
    operands.add(
      ImageOperand.ConstOffsets,
      composite(
        f,
        array,
        constants.map((constant) => constantId(f, constant!)),
      ),
    );
    return shrink(f, run(operands), image.type, result);
  }
  // The texel of each offset is the last of the four that a gather with that offset alone gives.
  const scalar = scalarTypeId(f, sampledElement(f, image.type.element));
  const texels = each.map((offset) => {
    const single = new ImageOperands();
    single.add(ImageOperand.Offset, valueId(f, offset!));
    return emitResult(f, Op.CompositeExtract, scalar, run(single), 3);
  });
  return shrink(f, emitResult(f, Op.CompositeConstruct, four, ...texels), image.type, result);
}

/** Which channel the method's name asks for. */
function gatherComponent(instruction: Instruction): number {
  const key = instruction.intrinsic ?? '';
  return /Green/i.test(key) ? 1 : /Blue/i.test(key) ? 2 : /Alpha/i.test(key) ? 3 : 0;
}

/** `Load`: integer coordinates, with the mip level as last component where the texture has levels. */
function fetch(
  f: FunctionContext,
  image: LoadedImage,
  roles: Roles,
  result: Type,
  instruction: Instruction,
): number {
  const operands = new ImageOperands();
  const location = roles.get('location') ?? instruction.operands[1]!;
  const level = roles.get('lod') ?? roles.get('mip');
  const wanted = coordinateCount(image.type);
  let coordinate = valueId(f, location);
  const given = location.type.kind === 'vector' ? location.type.count : 1;
  if (image.type.writable || image.type.dimension === 'Subpass') {
    return shrink(
      f,
      readStorage(f, image, coordinate, roles.get('sampleIndex'), roles.get('status')),
      image.type,
      result,
    );
  }
  if (given === wanted + 1) {
    const element = elementOf(location.type)!;
    operands.add(
      ImageOperand.Lod,
      emitResult(f, Op.CompositeExtract, scalarTypeId(f, element), coordinate, wanted),
    );
    const type = valueTypeId(f, wanted === 1 ? element : vector(element, wanted));
    coordinate =
      wanted === 1
        ? emitResult(f, Op.CompositeExtract, type, coordinate, 0)
        : emitResult(
            f,
            Op.VectorShuffle,
            type,
            coordinate,
            coordinate,
            ...Array.from({ length: wanted }, (_, i) => i),
          );
  } else if (level) {
    operands.add(ImageOperand.Lod, valueId(f, level));
  }
  const sampleIndex = roles.get('sampleIndex');
  if (sampleIndex) operands.add(ImageOperand.Sample, valueId(f, sampleIndex));
  offsets(f, roles, operands, instruction, false);
  const four = readTexels(
    f,
    roles.get('status'),
    Op.ImageFetch,
    fourOf(f, image.type),
    image.image(),
    coordinate,
    ...operands.words(),
  );
  return shrink(f, four, image.type, result);
}

/** Components of an integer coordinate, array layer included. */
function coordinateCount(type: TextureType): number {
  const plain = { '1D': 1, '2D': 2, '3D': 3, Cube: 3, Buffer: 1, Subpass: 2 }[type.dimension];
  return type.dimension === 'Cube' ? 3 : plain + (type.arrayed ? 1 : 0);
}

function readStorage(
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

function needFormat(
  f: FunctionContext,
  image: LoadedImage,
  capability: 'StorageImageReadWithoutFormat' | 'StorageImageWriteWithoutFormat',
): void {
  if (image.info.format === ImageFormat.Unknown) needCapability(f, capability);
}

function querySize(f: FunctionContext, image: LoadedImage, roles: Roles, result: Type): number {
  needCapability(f, 'ImageQuery');
  const { type } = image;
  const plain = { '1D': 1, '2D': 2, '3D': 3, Cube: 2, Buffer: 1, Subpass: 2 }[type.dimension];
  const count = plain + (type.arrayed ? 1 : 0);
  const shape = count === 1 ? uintType : vector(uintType, count);
  const id = valueTypeId(f, shape);
  const hasLevels = !type.writable && !type.multisampled && type.dimension !== 'Buffer';
  const level = roles.get('lod') ?? roles.get('mip') ?? roles.get('mipLevel');
  const size = hasLevels
    ? emitResult(f, Op.ImageQuerySizeLod, id, image.image(), level ? valueId(f, level) : constantUint(f, 0))
    : emitResult(f, Op.ImageQuerySize, id, image.image());
  return isNumeric(result) ? convertResult(f, size, shape, result) : size;
}

/** OpImageQueryLod gives the level that would be accessed, then the computed one. */
function queryLod(f: FunctionContext, image: LoadedImage, roles: Roles, result: Type, which: number): number {
  needCapability(f, 'ImageQuery');
  const joined = joinSampler(f, image, roles.get('sampler')!);
  const both = emitResult(
    f,
    Op.ImageQueryLod,
    vectorTypeId(f, floatType, 2),
    joined,
    valueId(f, roles.get('location')!),
  );
  const one = emitResult(f, Op.CompositeExtract, scalarTypeId(f, floatType), both, which);
  return convertResult(f, one, floatType, result);
}

// ---- single texels

export function loadTexel(f: FunctionContext, texel: Texel, type: Type): number {
  const image = loadImage(f, texel.resource);
  if (!isNumeric(type) || type.kind === 'matrix') {
    f.log.report('spirv-texel-element', locationOf(f), { type: typeName(type) });
    return emitResult(f, Op.Undef, valueTypeId(f, type));
  }
  const coordinate = valueId(f, texel.coordinate);
  if (image.type.writable || image.type.dimension === 'Subpass')
    return shrink(f, readStorage(f, image, coordinate, texel.level), image.type, type);
  const operands = new ImageOperands();
  if (image.type.multisampled)
    operands.add(ImageOperand.Sample, texel.level ? valueId(f, texel.level) : constantUint(f, 0));
  else if (image.type.dimension !== 'Buffer')
    operands.add(ImageOperand.Lod, texel.level ? valueId(f, texel.level) : constantUint(f, 0));
  const four = emitResult(
    f,
    Op.ImageFetch,
    fourOf(f, image.type),
    image.image(),
    coordinate,
    ...operands.words(),
  );
  return decorateResult(f, shrink(f, four, image.type, type), type, false);
}

/** OpImageWrite takes as many components as the element has. */
export function storeTexel(f: FunctionContext, texel: Texel, value: Value): void {
  const image = loadImage(f, texel.resource);
  const { type } = value;
  if (!isNumeric(type) || type.kind === 'matrix') {
    f.log.report('spirv-texel-element', locationOf(f), { type: typeName(type) });
    return;
  }
  needFormat(f, image, 'StorageImageWriteWithoutFormat');
  const scalar = sampledElement(f, image.type.element);
  const shape = type.kind === 'vector' ? vector(scalar, type.count) : scalar;
  const id = convert(f, { type, id: valueId(f, value) }, shape);
  const operands = new ImageOperands();
  if (image.type.multisampled && texel.level) operands.add(ImageOperand.Sample, valueId(f, texel.level));
  emit(f, Op.ImageWrite, image.image(), valueId(f, texel.coordinate), id, ...operands.words());
}

/** Pointer to a texel for atomics: from the variable, not from the loaded image. */
export function texelPointer(f: FunctionContext, texel: Texel, element: Type): number {
  const place = placeFor(f, texel.resource);
  const info = f.resources.get(place.base);
  if (!info) throw new InternalError('a resource that is no variable of the module', locationOf(f));
  useArray(f, place, texel.resource);
  const pointer = pointerTypeId(f, StorageClass.Image, valueTypeId(f, element));
  const sampleIndex = texel.level ? valueId(f, texel.level) : constantUint(f, 0);
  const id = emitResult(
    f,
    Op.ImageTexelPointer,
    pointer,
    pointerId(f, place, info.typeId),
    valueId(f, texel.coordinate),
    sampleIndex,
  );
  if (place.nonUniform) markNonUniform(f, id);
  return id;
}
