/** Sampling, gathering, fetching and queries. */
import type { ImageOperation } from '../intrinsics/intrinsic.ts';
import { operandNames, spokenName } from '../intrinsics/table.ts';
import type { Constant, Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  floatType,
  isNumeric,
  scalarClass,
  type TextureType,
  type Type,
  uintType,
  vector,
} from '../types/type.ts';
import { emitResult, valueId } from './body.ts';
import { needCapability } from './capabilities.ts';
import { composite, constantId, constantUint } from './constants.ts';
import { type FunctionContext, locationOf } from './context.ts';
import { ImageOperand, Op } from './enums.ts';
import {
  convertResult,
  fourOf,
  ImageOperands,
  joinSampler,
  type LoadedImage,
  loadImage,
  readStorage,
  readTexels,
  shrink,
} from './image-access.ts';
import { sampledElement } from './image-types.ts';
import type { OpNumber } from './sections.ts';
import { decorateRelaxed, scalarTypeId, valueTypeId, vectorTypeId } from './types.ts';

type Roles = Map<string, Value>;

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
    f.log.report('spirv-constant-offset-needed', locationOf(f), { name: spokenName(instruction) });
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
  const joined = joinSampler(f, image, roles.get('sampler'));
  const isExplicit = operation.includes('lod') || operation.includes('grad');
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
  return convertResult(f, decorateRelaxed(f, one, image.type.element), scalar, result);
}

function gather(
  f: FunctionContext,
  image: LoadedImage,
  roles: Roles,
  result: Type,
  instruction: Instruction,
  isCompare: boolean,
): number {
  const joined = joinSampler(f, image, roles.get('sampler'));
  const location = valueId(f, roles.get('location')!);
  const component = roles.get('component');
  const last = isCompare
    ? valueId(f, roles.get('compareValue')!)
    : component
      ? valueId(f, component)
      : constantUint(f, 0);
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
  const joined = joinSampler(f, image, roles.get('sampler'));
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
