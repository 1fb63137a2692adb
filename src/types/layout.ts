/**
 * Where values lie in memory: sizes, alignments, strides and offsets in bytes, for every LayoutRule.
 *
 * | rule | scalars | vectors | arrays and matrices (per row or column) | structs |
 * | --- | --- | --- | --- | --- |
 * | std140, std430 | size | 2 or 4 scalars | element (std140: multiple of 16) | largest member (std140: multiple of 16) |
 * | vulkan-uniform, vulkan-storage | as std140, std430, but a vector in a struct aligns as its scalar unless it would straddle 16 bytes |
 * | dx-cbuffer | size | size of scalar, must not straddle 16 bytes | 16; no padding after the last element | 16; no padding at the end |
 * | dx-structured, scalar | size | size of scalar | size of scalar | largest member |
 *
 * A matrix with one row or one column is a vector in memory. `bool` takes 4 bytes. Facts: DXC's docs/SPIR-V.rst,
 * "Memory layout rules".
 */
import { InternalError } from '../source/diagnostic.ts';
import {
  type ArrayType,
  elementOf,
  type LayoutRule,
  type MatrixOrder,
  type MatrixType,
  type ScalarType,
  type StructType,
  scalarBits,
  type Type,
} from './type.ts';

interface TypeLayout {
  align: number;
  size: number;
  /** Arrays: distance of elements. Matrices: of rows (row_major) or columns (column_major). */
  stride: number;
}

export interface StructLayout {
  /** Parallel to the members. */
  offsets: number[];
  size: number;
  align: number;
}

const roundUp = (value: number, align: number): number => Math.ceil(value / align) * align;

const structLayouts = new WeakMap<StructType, Map<string, StructLayout>>();

/** Layout of a value of `type`. `matrixOrder` is that of the member or buffer element; column_major if absent. */
export function typeLayout(
  type: Type,
  rule: LayoutRule,
  matrixOrder: MatrixOrder | undefined,
  enable16BitTypes: boolean,
): TypeLayout {
  switch (type.kind) {
    case 'scalar':
    case 'enum': {
      const size = scalarSize(elementOf(type)!, enable16BitTypes);
      return { align: size, size, stride: 0 };
    }
    case 'vector':
      return vectorLayout(type.element, type.count, rule, enable16BitTypes);
    case 'matrix':
      return matrixLayout(type, rule, matrixOrder, enable16BitTypes);
    case 'array':
      return arrayLayout(type, rule, matrixOrder, enable16BitTypes);
    case 'struct': {
      const { align, size } = structLayout(type, rule, enable16BitTypes);
      return { align, size, stride: 0 };
    }
    default:
      throw new InternalError(`a ${type.kind} has no layout`);
  }
}

export function typeSize(
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  enable16BitTypes: boolean,
): number {
  return typeLayout(type, rule, order, enable16BitTypes).size;
}

export function typeAlign(
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  enable16BitTypes: boolean,
): number {
  return typeLayout(type, rule, order, enable16BitTypes).align;
}

/** Bytes of a scalar in memory. */
export function scalarSize(type: ScalarType, enable16BitTypes: boolean): number {
  return scalarBits(type, enable16BitTypes) / 8;
}

/** Distance between elements of a buffer of `type` (structured buffers). */
export function elementStride(
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  enable16BitTypes: boolean,
): number {
  const { align, size } = typeLayout(type, rule, order, enable16BitTypes);
  return Math.max(roundUp(size, align), 1);
}

function is140(rule: LayoutRule): boolean {
  return rule === 'std140' || rule === 'vulkan-uniform' || rule === 'dx-cbuffer';
}

/** Rules that align everything as its scalars. */
function isTight(rule: LayoutRule): boolean {
  return rule === 'scalar' || rule === 'dx-structured';
}

function vectorLayout(element: ScalarType, count: number, rule: LayoutRule, wide: boolean): TypeLayout {
  const scalar = scalarSize(element, wide);
  const align = isTight(rule) || rule === 'dx-cbuffer' ? scalar : scalar * (count === 3 ? 4 : count);
  return { align, size: scalar * count, stride: 0 };
}

/** The vector that a matrix with one row or one column is in memory: its component count; undefined for true matrices. */
export function matrixAsVector(type: MatrixType): number | undefined {
  return type.rows === 1 ? type.columns : type.columns === 1 ? type.rows : undefined;
}

function matrixLayout(
  type: MatrixType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  wide: boolean,
): TypeLayout {
  const asVector = matrixAsVector(type);
  if (asVector !== undefined) {
    // FXC keeps the vectors of such a matrix apart where they are registers: a column_major float1x3 is three of them.
    const registers = order === 'row_major' ? type.rows : type.columns;
    if (rule !== 'dx-cbuffer' || registers === 1) return vectorLayout(type.element, asVector, rule, wide);
  }
  const scalar = scalarSize(type.element, wide);
  const [vectors, length] = order === 'row_major' ? [type.rows, type.columns] : [type.columns, type.rows];
  if (isTight(rule)) return { align: scalar, size: vectors * length * scalar, stride: length * scalar };
  let align = scalar * (length === 3 ? 4 : length);
  if (is140(rule)) align = roundUp(align, 16);
  const size = rule === 'dx-cbuffer' ? align * (vectors - 1) + length * scalar : align * vectors;
  return { align, size, stride: align };
}

function arrayLayout(
  type: ArrayType,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  wide: boolean,
): TypeLayout {
  const element = typeLayout(type.element, rule, order, wide);
  if (isTight(rule)) {
    const stride = roundUp(element.size, element.align);
    return { align: element.align, size: stride * type.size, stride };
  }
  const align = is140(rule) ? roundUp(element.align, 16) : element.align;
  const stride = Math.max(roundUp(element.size, align), align);
  // FXC lets the next member begin right behind the last element.
  const size =
    rule === 'dx-cbuffer' && type.size > 0 ? stride * (type.size - 1) + element.size : stride * type.size;
  return { align, size, stride };
}

/** Offsets of the members of a struct. `packoffset` and `[[vk::offset]]` win; the next member follows behind them. */
export function structLayout(type: StructType, rule: LayoutRule, enable16BitTypes: boolean): StructLayout {
  let layouts = structLayouts.get(type);
  if (!layouts) structLayouts.set(type, (layouts = new Map()));
  const key = `${rule}${enable16BitTypes}`;
  let layout = layouts.get(key);
  if (!layout) layouts.set(key, (layout = computeStruct(type, rule, enable16BitTypes)));
  return layout;
}

function computeStruct(type: StructType, rule: LayoutRule, wide: boolean): StructLayout {
  const offsets: number[] = [];
  let next = globalsStart(type, rule, wide);
  let size = 0;
  let align = 1;
  for (const member of type.members) {
    const layout = typeLayout(member.type, rule, member.matrixOrder, wide);
    const offset = member.offset ?? place(member.type, layout, rule, wide, next);
    offsets.push(offset);
    // In `$Globals` what has no register of its own stays behind everything that has.
    if (member.offset === undefined || type.name !== '$Globals') next = offset + layout.size;
    size = Math.max(size, offset + layout.size);
    align = Math.max(align, layout.align);
  }
  if (is140(rule)) align = roundUp(align, 16);
  if (rule !== 'dx-cbuffer') size = roundUp(size, align);
  return { offsets, size, align };
}

/** Loose globals with `register(c#)` push all others behind the last of them. */
function globalsStart(type: StructType, rule: LayoutRule, wide: boolean): number {
  if (type.name !== '$Globals') return 0;
  let end = 0;
  for (const member of type.members) {
    if (member.offset === undefined) continue;
    end = Math.max(end, member.offset + typeSize(member.type, rule, member.matrixOrder, wide));
  }
  return end;
}

/** First place at or behind `next` where a member may begin. */
function place(type: Type, layout: TypeLayout, rule: LayoutRule, wide: boolean, next: number): number {
  const relaxed = rule === 'vulkan-uniform' || rule === 'vulkan-storage' || rule === 'dx-cbuffer';
  const isVector = layout.stride === 0 && (type.kind === 'vector' || type.kind === 'matrix');
  if (!relaxed || !isVector) return roundUp(next, layout.align);
  const scalar = scalarSize(type.element, wide);
  const offset = roundUp(next, scalar <= 4 ? scalar : layout.align);
  const straddles =
    layout.size <= 16
      ? Math.floor(offset / 16) !== Math.floor((offset + layout.size - 1) / 16)
      : offset % 16 !== 0;
  return straddles ? roundUp(offset, 16) : offset;
}
