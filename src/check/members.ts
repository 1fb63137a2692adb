/** `object.name` and `object[index]`: members, swizzles, elements of arrays, vectors, matrices, buffers and textures. */
import type { IndexExpression, MemberExpression } from '../syntax/ast.ts';
import type { Location } from '../source/source-map.ts';
import {
  componentCount,
  elementOf,
  intType,
  isNumeric,
  type MatrixType,
  scalarClass,
  type ScalarType,
  type StructType,
  type TextureType,
  type Type,
  typeName,
  uintType,
  rowType,
  vector,
} from '../types/type.ts';
import { evaluateConstant } from './constants.ts';
import type { Context } from './context.ts';
import { convertTo, errorExpression, isError, settle } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { callOperator } from './methods.ts';
import { entryValue, memberPath, nameText } from './identifiers.ts';
import type { TypedExpression } from './program.ts';
import { lookupMember, lookupQualified, pathToBase } from './scope.ts';

/** `object.name` that is not called. */
export function checkMember(context: Context, expression: MemberExpression): TypedExpression {
  return memberOf(context, expression, checkExpression(context, expression.object));
}

function memberOf(context: Context, expression: MemberExpression, object: TypedExpression): TypedExpression {
  if (isError(object)) return errorExpression(expression);
  const struct = structOf(object);
  if (struct) return structMember(context, expression, struct.object, struct.type);
  const { type } = object;
  const { text, at, end } = expression.name;
  if (type.kind === 'matrix') return matrixSwizzle(context, expression, object, type);
  if (isNumeric(type))
    return vectorSwizzle(context, expression, object, type.kind === 'vector' ? type.count : 1);
  if (type.kind === 'texture' && (text === 'mips' || text === 'sample')) {
    context.log.report('mips-alone', at, { name: text, first: text === 'mips' ? 'level' : 'sample' }, end);
  } else context.log.report('no-members', at, { name: text, type: typeName(type) }, end);
  return errorExpression(expression);
}

/** An object with members: a struct, or the contents of a `ConstantBuffer<T>`. */
export function structOf(object: TypedExpression): { object: TypedExpression; type: StructType } | undefined {
  const { type, at, end } = object;
  if (type.kind === 'struct') return { object, type };
  if (type.kind !== 'buffer' || (type.buffer !== 'ConstantBuffer' && type.buffer !== 'TextureBuffer'))
    return undefined;
  if (type.element.kind !== 'struct') return undefined;
  return { object: { kind: 'buffer-element', object, type: type.element, at, end }, type: type.element };
}

function structMember(
  context: Context,
  expression: MemberExpression,
  object: TypedExpression,
  type: StructType,
): TypedExpression {
  const name = expression.name.text;
  const owner = ownerOf(context, expression, type);
  if (owner === undefined) return errorExpression(expression);
  const path = memberIndices(owner.struct, name);
  if (path) return memberPath(object, [...owner.path, ...path], expression);
  const entry = lookupMember(context, owner.struct, name);
  if (entry?.kind === 'functions') {
    context.log.report('method-not-called', expression.name.at, { name }, expression.name.end);
  } else if (entry && entry.kind !== 'member') {
    return entryValue(context, entry, name, expression);
  } else {
    context.log.report('no-member', expression.name.at, { name, type: type.name }, expression.name.end);
  }
  return errorExpression(expression);
}

/** The struct in which `object.Base::name` looks, and the way to it. */
export function ownerOf(
  context: Context,
  expression: MemberExpression,
  type: StructType,
): { struct: StructType; path: number[] } | undefined {
  if (!expression.owner) return { struct: type, path: [] };
  const entry = lookupQualified(context, expression.owner);
  const struct = entry?.kind === 'type' && entry.type.kind === 'struct' ? entry.type : undefined;
  const path = struct && pathToBase(type, struct);
  if (struct && path) return { struct, path };
  const args = { base: nameText(expression.owner), type: type.name };
  context.log.report('not-a-base', expression.owner.name.at, args, expression.owner.name.end);
  return undefined;
}

/** Member numbers that lead to a member by name, through bases; the derived struct's own members come first. */
function memberIndices(struct: StructType, name: string): number[] | undefined {
  const own = struct.members.findIndex((member) => member.name === name && !member.base);
  if (own >= 0) return [own];
  for (let i = 0; i < struct.members.length; i++) {
    const member = struct.members[i]!;
    if (!member.base || member.type.kind !== 'struct') continue;
    const rest = memberIndices(member.type, name);
    if (rest) return [i, ...rest];
  }
  return undefined;
}

// ---- swizzles

function vectorSwizzle(
  context: Context,
  expression: MemberExpression,
  object: TypedExpression,
  count: number,
): TypedExpression {
  const { text: name, at, end } = expression.name;
  const set = ['xyzw', 'rgba'].find((letters) => [...name].every((letter) => letters.includes(letter)));
  if (!set) {
    context.log.report('swizzle-format', at, { name }, end);
    return errorExpression(expression);
  }
  if (name.length > 4) {
    context.log.report('too-many-components', at, { name }, end);
    return errorExpression(expression);
  }
  const components = [...name].map((letter) => set.indexOf(letter));
  if (components.some((component) => component >= count)) {
    context.log.report('swizzle-bounds', at, { name, type: typeName(object.type) }, end);
    return errorExpression(expression);
  }
  const element = elementOf(object.type)!;
  if (components.length === 1 && object.type.kind === 'scalar') return object;
  const type = components.length === 1 ? element : vector(element, components.length);
  const place = { at: expression.at, end: expression.end };
  if (object.kind === 'constant' && object.type.kind === 'scalar') {
    const value = object.value;
    return { kind: 'constant', type, value: components.map(() => value), ...place };
  }
  return { kind: 'swizzle', object, components, type, ...place };
}

function matrixSwizzle(
  context: Context,
  expression: MemberExpression,
  object: TypedExpression,
  type: MatrixType,
): TypedExpression {
  const { text: name, at, end } = expression.name;
  const positions = [...name.matchAll(/_(m?)([0-9])([0-9])/g)];
  const report = (key: 'matrix-format' | 'matrix-mixed' | 'matrix-bounds' | 'too-many-components') => {
    context.log.report(key, at, { name, type: typeName(type) }, end);
    return errorExpression(expression);
  };
  if (positions.length === 0 || positions.map((match) => match[0]).join('') !== name)
    return report('matrix-format');
  if (positions.length > 4) return report('too-many-components');
  if (new Set(positions.map((match) => match[1])).size > 1) return report('matrix-mixed');
  const base = positions[0]![1] === 'm' ? 0 : 1;
  const components = positions.map((match) => ({
    row: Number(match[2]) - base,
    column: Number(match[3]) - base,
  }));
  const inside = (c: { row: number; column: number }) =>
    c.row >= 0 && c.row < type.rows && c.column >= 0 && c.column < type.columns;
  if (!components.every(inside)) return report('matrix-bounds');
  return {
    kind: 'matrix-swizzle',
    object,
    components,
    type: components.length === 1 ? type.element : vector(type.element, components.length),
    at: expression.at,
    end: expression.end,
  };
}

// ---- elements

/** `object[index]`. */
export function checkIndex(context: Context, expression: IndexExpression): TypedExpression {
  const levels = levelOf(expression);
  if (!levels) return indexOf(context, expression, checkExpression(context, expression.object));
  const object = checkExpression(context, levels.member.object);
  if (object.type.kind === 'texture') return texelOfLevel(context, expression, object, object.type, levels);
  const outer = indexOf(context, levels.outer, memberOf(context, levels.member, object));
  return indexOf(context, expression, outer);
}

function indexOf(context: Context, expression: IndexExpression, object: TypedExpression): TypedExpression {
  if (!expression.index) {
    if (!isError(object)) context.log.report('index-missing', expression.end - 1);
    return errorExpression(expression);
  }
  const index = checkExpression(context, expression.index);
  if (isError(object) || isError(index)) return errorExpression(expression);
  return element(context, expression, object, index);
}

function element(
  context: Context,
  expression: IndexExpression,
  object: TypedExpression,
  index: TypedExpression,
): TypedExpression {
  const { type } = object;
  const place = { at: expression.at, end: expression.end };
  switch (type.kind) {
    case 'array':
      return partOf(context, object, index, type.element, type.size, place);
    case 'vector':
      return partOf(context, object, index, type.element, type.count, place);
    case 'matrix':
      return partOf(context, object, index, rowType(type), type.rows, place);
    case 'buffer': {
      if (!/Structured/.test(type.buffer) || /^(Append|Consume)/.test(type.buffer)) break;
      const number = indexValue(context, index);
      return isError(number)
        ? number
        : { kind: 'buffer-element', object, index: number, type: type.element, ...place };
    }
    case 'texture': {
      const coordinate = texelCoordinate(context, index, type);
      if (!coordinate) break;
      return isError(coordinate)
        ? coordinate
        : { kind: 'texel', object, coordinate, type: type.element, ...place };
    }
    case 'struct': {
      const call = callOperator(context, 'operator[]', object, [index], expression);
      if (call) return call;
      break;
    }
    default:
      break;
  }
  context.log.report('not-indexable', expression.at, { type: typeName(type) }, expression.object.end);
  return errorExpression(expression);
}

function partOf(
  context: Context,
  object: TypedExpression,
  index: TypedExpression,
  type: Type,
  size: number,
  place: { at: Location; end: Location },
): TypedExpression {
  const number = indexValue(context, index);
  if (isError(number)) return errorExpression(place);
  const constant = evaluateConstant(context, number);
  const outside = typeof constant === 'number' && (constant < 0 || constant >= size);
  // An unsized array has size 0; an array of one at the end of a struct is the old way to write one.
  if (outside && size > 0 && !(size === 1 && isLastMember(object))) {
    context.log.report(
      'index-bounds',
      index.at,
      { index: String(constant), type: typeName(object.type) },
      index.end,
    );
    return errorExpression(place);
  }
  return { kind: 'index', object, index: number, type, ...place };
}

function isLastMember(value: TypedExpression): boolean {
  const struct = value.kind === 'member' ? value.object.type : undefined;
  return value.kind === 'member' && struct?.kind === 'struct' && value.index === struct.members.length - 1;
}

/** An index as int or uint. */
function indexValue(context: Context, index: TypedExpression): TypedExpression {
  if (isError(index)) return index;
  const value = settle(context, index);
  const element = value.type.kind === 'enum' && value.type.scoped ? undefined : elementOf(value.type);
  if (
    !element ||
    (value.type.kind !== 'scalar' && value.type.kind !== 'vector' && value.type.kind !== 'enum')
  ) {
    context.log.report('index-type', index.at, { type: typeName(index.type) }, index.end);
    return errorExpression(index);
  }
  if (scalarClass(element) === 'float') {
    context.log.report('float-index', index.at, { type: typeName(index.type) }, index.end);
  }
  return convertTo(context, value, indexType(element), index.at);
}

function indexType(element: ScalarType): ScalarType {
  return scalarClass(element) === 'uint' || scalarClass(element) === 'bool' ? uintType : intType;
}

/** The coordinate of `texture[coordinate]` as int or uint; undefined for cubes, which have no elements. */
function texelCoordinate(
  context: Context,
  index: TypedExpression,
  type: TextureType,
): TypedExpression | undefined {
  const dimensions = { '1D': 1, '2D': 2, '3D': 3, Buffer: 1, Cube: 0, Subpass: 0 }[type.dimension];
  if (dimensions === 0) return undefined;
  const count = dimensions + (type.arrayed ? 1 : 0);
  const value = settle(context, index);
  const element = elementOf(value.type);
  if (!element) {
    context.log.report('index-type', index.at, { type: typeName(index.type) }, index.end);
    return errorExpression(index);
  }
  if (count > 1 && (!isNumeric(value.type) || componentCount(value.type) < count)) {
    const args = { type: typeName(type), count, index: typeName(index.type) };
    context.log.report('index-coordinates', index.at, args, index.end);
    return errorExpression(index);
  }
  const target = indexType(element);
  return convertTo(context, value, count === 1 ? target : vector(target, count), index.at);
}

/** `object.mips[level][location]` or `object.sample[index][location]`. */
interface Levels {
  member: MemberExpression;
  outer: IndexExpression;
  name: string;
}

function levelOf(expression: IndexExpression): Levels | undefined {
  const outer = expression.object;
  if (outer.kind !== 'index' || outer.object.kind !== 'member') return undefined;
  const name = outer.object.name.text;
  return name === 'mips' || name === 'sample' ? { member: outer.object, outer, name } : undefined;
}

function texelOfLevel(
  context: Context,
  expression: IndexExpression,
  object: TypedExpression,
  type: TextureType,
  levels: Levels,
): TypedExpression {
  const has =
    levels.name === 'mips'
      ? !type.multisampled && !type.writable && type.dimension !== 'Buffer'
      : type.multisampled;
  if (!has || type.dimension === 'Cube') {
    context.log.report(
      'no-members',
      expression.at,
      { name: levels.name, type: typeName(type) },
      expression.end,
    );
    return errorExpression(expression);
  }
  if (!levels.outer.index || !expression.index) {
    context.log.report('index-missing', expression.end - 1);
    return errorExpression(expression);
  }
  const level = indexValue(context, checkExpression(context, levels.outer.index));
  const index = checkExpression(context, expression.index);
  if (isError(level) || isError(index)) return errorExpression(expression);
  const coordinate = texelCoordinate(context, index, type);
  if (!coordinate || isError(coordinate)) return errorExpression(expression);
  return {
    kind: 'texel',
    object,
    coordinate,
    level,
    type: type.element,
    at: expression.at,
    end: expression.end,
  };
}
