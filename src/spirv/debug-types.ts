/** Debug types: the source's type, in the shape that its SPIR-V form has, for readers take values from there. */

import { scalarSize, structLayout, typeSize } from '../types/layout.ts';
import { bufferLayout } from '../types/layout-rules.ts';
import {
  type BufferType,
  type EnumType,
  elementOf,
  isOpaque,
  type LayoutRule,
  type MatrixOrder,
  type MatrixType,
  type ScalarType,
  type StructType,
  scalarBits,
  scalarClass,
  type TextureType,
  type Type,
  typeKey,
  typeName,
  rowType,
  vector,
} from '../types/type.ts';
import type { Context } from './context.ts';
import { bool, type DebugState, noneRecord, placeOfLocation, record, text, uint } from './debug-info.ts';
import { Debug } from './enums.ts';
import { matrixForm } from './types.ts';

const flagPublic = 3;
const flagUnknownLayout = 131072;

/** The record of a type; `rule` if it lies in a buffer, `order` for matrices there. */
export function debugType(
  context: Context,
  state: DebugState,
  type: Type,
  rule?: LayoutRule,
  order?: MatrixOrder,
): number {
  switch (type.kind) {
    case 'scalar':
      return basic(context, state, type.name, type);
    case 'enum':
      return enumeration(context, state, type);
    case 'vector':
      return interned(state, `vector${typeName(type)}`, () => {
        const element = basic(context, state, type.element.name, type.element);
        return record(context, state, Debug.DebugTypeVector, element, uint(context, state, type.count));
      });
    case 'matrix':
      return matrixType(context, state, type, rule, order);
    case 'array':
      return arrayType(context, state, type, rule, order);
    case 'struct':
      return composite(context, state, type, rule);
    case 'buffer':
      if (type.buffer === 'ConstantBuffer' || type.buffer === 'TextureBuffer') {
        return debugType(context, state, type.element, bufferLayout(context.options.layout, type.buffer));
      }
      return buffer(context, state, type);
    case 'pointer':
      return debugType(context, state, type.pointee, rule, order);
    case 'texture':
      return resource(context, state, textureName(type), type.element, () =>
        debugType(context, state, type.element),
      );
    case 'sampler':
      return opaque(context, state, '@type.sampler');
    case 'acceleration-structure':
      return opaque(context, state, '@accelerationStructure');
    case 'void':
    case 'string':
    case 'error':
      return noneRecord(context, state);
  }
}

function interned(state: DebugState, key: string, make: () => number): number {
  let id = state.types.get(key);
  if (id === undefined) {
    id = make();
    state.types.set(key, id);
  }
  return id;
}

const encodings = { bool: 2, float: 3, int: 4, uint: 6 } as const;

/** The source's name with the true size. */
function basic(context: Context, state: DebugState, name: string, type: ScalarType): number {
  return interned(state, `basic ${name} ${type.name}`, () => {
    const bits = scalarBits(type, context.module.enable16BitTypes);
    const encoding = encodings[scalarClass(type)];
    return record(
      context,
      state,
      Debug.DebugTypeBasic,
      text(context, state, name),
      uint(context, state, bits),
      uint(context, state, encoding),
      uint(context, state, 0),
    );
  });
}

/** Readers drop DebugTypeEnum, so variables get the integer under the enumeration's name; the record stands beside it. */
function enumeration(context: Context, state: DebugState, type: EnumType): number {
  return interned(state, `enum ${typeKey(type)}`, () => {
    const underlying = basic(context, state, type.name, type.underlying);
    const { source, line, column } = placeOfLocation(context, state, type.location);
    const values = type.enumerators.flatMap((each) => [
      uint(context, state, each.value),
      text(context, state, each.name),
    ]);
    record(
      context,
      state,
      Debug.DebugTypeEnum,
      text(context, state, type.name),
      underlying,
      source,
      uint(context, state, line),
      uint(context, state, column),
      state.compilationUnit,
      uint(context, state, scalarBits(type.underlying, context.module.enable16BitTypes)),
      uint(context, state, flagPublic),
      ...values,
    );
    return underlying;
  });
}

/**
 * Rows of HLSL are columns of SPIR-V, and readers show SPIR-V's. So a matrix is an array of its rows, as which records tell it, except
 * in buffers, where the decoration says which way round it is.
 */
function matrixType(
  context: Context,
  state: DebugState,
  type: MatrixType,
  rule: LayoutRule | undefined,
  order: MatrixOrder | undefined,
): number {
  const row = () => debugType(context, state, rowType(type));
  const arrayOf = (element: number, count: number) =>
    interned(state, `array ${element} ${count}`, () =>
      record(context, state, Debug.DebugTypeArray, element, uint(context, state, count)),
    );
  const matrix = (isColumnMajor: boolean) =>
    interned(state, `matrix ${typeName(type)} ${isColumnMajor}`, () =>
      record(
        context,
        state,
        Debug.DebugTypeMatrix,
        row(),
        uint(context, state, type.rows),
        bool(context, state, isColumnMajor),
      ),
    );
  if (!rule) return arrayOf(row(), type.rows);
  switch (matrixForm(context, type, rule, order)) {
    case 'matrix':
      return matrix(order === 'row_major');
    case 'vector':
      return debugType(context, state, vector(type.element, type.rows * type.columns));
    case 'rows':
      return arrayOf(row(), type.rows);
    case 'columns':
      return arrayOf(debugType(context, state, vector(type.element, type.rows)), type.columns);
  }
}

/** All dimensions in one record, in source order; 0 for unsized ones. */
function arrayType(
  context: Context,
  state: DebugState,
  type: Type,
  rule: LayoutRule | undefined,
  order: MatrixOrder | undefined,
): number {
  const counts: number[] = [];
  let element = type;
  while (element.kind === 'array') {
    counts.push(element.size);
    element = element.element;
  }
  const base = debugType(context, state, element, rule, order);
  return interned(state, `array ${base} ${counts.join()}`, () =>
    record(context, state, Debug.DebugTypeArray, base, ...counts.map((count) => uint(context, state, count))),
  );
}

/** One composite per layout, for offsets differ. Data members only: methods would refer back. */
function composite(
  context: Context,
  state: DebugState,
  type: StructType,
  rule: LayoutRule | undefined,
): number {
  return interned(state, `struct ${typeKey(type)} ${rule ?? ''}`, () => {
    const { offsets, size } = rule
      ? structLayout(type, rule, context.module.enable16BitTypes)
      : tightLayout(context, type);
    const members = type.members.map((member, i) => {
      const memberType = debugType(context, state, member.type, rule, member.matrixOrder);
      const { source, line, column } = placeOfLocation(context, state, member.location || type.location);
      const memberSize = rule
        ? typeSize(member.type, rule, member.matrixOrder, context.module.enable16BitTypes)
        : valueSize(context, member.type);
      return record(
        context,
        state,
        Debug.DebugTypeMember,
        text(context, state, member.name),
        memberType,
        source,
        uint(context, state, line),
        uint(context, state, column),
        uint(context, state, offsets[i]! * 8),
        uint(context, state, memberSize * 8),
        uint(context, state, flagPublic),
      );
    });
    const { source, line, column } = placeOfLocation(context, state, type.location);
    const tag = type.keyword === 'class' ? 0 : 1;
    const flags = flagPublic | (rule ? 0 : flagUnknownLayout);
    return record(
      context,
      state,
      Debug.DebugTypeComposite,
      text(context, state, type.name),
      uint(context, state, tag),
      source,
      uint(context, state, line),
      uint(context, state, column),
      state.compilationUnit,
      text(context, state, ''),
      uint(context, state, size * 8),
      uint(context, state, flags),
      ...members,
    );
  });
}

/** Outside buffers there is no layout: members are taken as packed in order. */
function tightLayout(context: Context, type: StructType): { offsets: number[]; size: number } {
  const offsets: number[] = [];
  let size = 0;
  for (const member of type.members) {
    offsets.push(size);
    size += valueSize(context, member.type);
  }
  return { offsets, size };
}

function valueSize(context: Context, type: Type): number {
  switch (type.kind) {
    case 'struct':
      return tightLayout(context, type).size;
    case 'array':
      return type.size * valueSize(context, type.element);
    case 'vector':
      return type.count * valueSize(context, type.element);
    case 'matrix':
      return type.rows * type.columns * valueSize(context, type.element);
    default: {
      const element = isOpaque(type) ? undefined : elementOf(type);
      return element ? scalarSize(element, context.module.enable16BitTypes) : 0;
    }
  }
}

/** A handle with a template argument: the record of the template stands beside the composite, for readers see no shape through it. */
function resource(
  context: Context,
  state: DebugState,
  name: string,
  element: Type,
  argument: () => number,
): number {
  return interned(state, `resource ${name} ${typeKey(element)}`, () => {
    const actual = argument();
    const composite = opaqueRecord(context, state, name);
    const [main] = state.sources.values();
    const zero = uint(context, state, 0);
    const parameter = record(
      context,
      state,
      Debug.DebugTypeTemplateParameter,
      text(context, state, 'T'),
      actual,
      noneRecord(context, state),
      main!,
      zero,
      zero,
    );
    record(context, state, Debug.DebugTypeTemplate, composite, parameter);
    return composite;
  });
}

/** A handle: nothing to look into. The leading `@` marks names that the compiler made. */
function opaque(context: Context, state: DebugState, name: string): number {
  return interned(state, `opaque ${name}`, () => opaqueRecord(context, state, name));
}

function opaqueRecord(context: Context, state: DebugState, name: string): number {
  const [main] = state.sources.values();
  const zero = uint(context, state, 0);
  return record(
    context,
    state,
    Debug.DebugTypeComposite,
    text(context, state, name),
    zero,
    main!,
    zero,
    zero,
    state.compilationUnit,
    text(context, state, name),
    noneRecord(context, state),
    uint(context, state, flagPublic),
  );
}

function textureName(type: TextureType): string {
  const dimension = {
    '1D': '1d',
    '2D': '2d',
    '3D': '3d',
    Cube: 'cube',
    Buffer: 'buffer',
    Subpass: 'subpass',
  }[type.dimension];
  return `@type.${dimension}.image${type.arrayed ? '.array' : ''}`;
}

/** A structured buffer is opaque; the composite of its element stands beside it. */
function buffer(context: Context, state: DebugState, type: BufferType): number {
  if (type.buffer.includes('ByteAddress')) return opaque(context, state, `@type.${type.buffer}`);
  const name = `@type.${type.buffer}.${typeName(type.element)}`;
  const rule = bufferLayout(context.options.layout, type.buffer);
  return resource(context, state, name, type.element, () =>
    debugType(context, state, type.element, rule, type.matrixOrder),
  );
}
