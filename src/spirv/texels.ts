/** Single texels of textures and typed buffers: what `texel` points to. */
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
  typeName,
  type VectorType,
  vector,
} from '../types/type.ts';
import { convert } from './arithmetic.ts';
import { decorateResult, emit, emitResult, valueId } from './body.ts';
import { constantUint } from './constants.ts';
import { type FunctionContext, locationOf } from './context.ts';
import { ImageOperand, Op, StorageClass } from './enums.ts';
import { fourOf, ImageOperands, loadImage, needFormat, readStorage, shrink } from './image-access.ts';
import { sampledElement } from './image-types.ts';
import { markNonUniform, placeFor, pointerId } from './memory.ts';
import { useArray } from './resources.ts';
import { pointerTypeId, valueTypeId } from './types.ts';

export interface Texel {
  resource: Value;
  coordinate: Value;
  level?: Value;
}

/** What an image can hold: of 64-bit formats there are only those with one integer. */
function isTexel(f: FunctionContext, type: Type): type is ScalarType | VectorType {
  if (type.kind !== 'scalar' && type.kind !== 'vector') return false;
  const element = type.kind === 'scalar' ? type : type.element;
  if (scalarBits(element, f.module.enable16BitTypes) < 64) return true;
  return scalarClass(element) !== 'float' && (type.kind === 'scalar' || type.count === 1);
}

export function loadTexel(f: FunctionContext, texel: Texel, type: Type): number {
  const image = loadImage(f, texel.resource);
  if (!isTexel(f, type)) {
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
  if (!isTexel(f, type)) {
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
