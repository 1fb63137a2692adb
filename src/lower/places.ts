/**
 * Places: what can be read and assigned. Most are pointers; swizzles, and components of what no pointer can reach into
 * (texels, swizzles), are described on top of another place. A place is worked out once, so that its indices are evaluated
 * once however often it is read and written.
 */
import type {
  BufferElementExpression,
  ConvertExpression,
  IndexExpression,
  MatrixSwizzleExpression,
  MemberExpression,
  SwizzleExpression,
  TexelExpression,
  TypedExpression,
  VariableSymbol,
} from '../check/program.ts';
import { canBeMade } from '../check/conversions.ts';
import { isVectorPrefix, writtenPlace } from '../check/places.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { bufferLayout } from '../types/layout-rules.ts';
import {
  type AddressSpace,
  elementOf,
  type PointerType,
  pointer,
  type Type,
  typeName,
  vector,
} from '../types/type.ts';
import { assign, compoundAssign, increment } from './assignments.ts';
import { dataIndex } from './data-types.ts';
import { evaluate } from './expressions.ts';
import { globalOf } from './globals.ts';
import { evaluateBoth, resourceOf } from './resources.ts';
import { type FunctionState, newVar, stand } from './state.ts';
import { fromComponents, swizzle } from './values.ts';

export type Place =
  | { kind: 'memory'; pointer: Value; type: Type; coherent: boolean; readOnly: boolean }
  /** Components of a vector. */
  | { kind: 'swizzle'; base: Place; components: readonly number[]; type: Type }
  | {
      kind: 'matrix-swizzle';
      base: MemoryPlace;
      components: readonly { row: number; column: number }[];
      type: Type;
    }
  /** A component by run-time index of a vector that is not memory. */
  | { kind: 'component'; base: Place; index: Value; type: Type };

type MemoryPlace = Extract<Place, { kind: 'memory' }>;

/** True for expressions that name memory, so that parts are read through pointers and not out of a whole value. */
export function isPlace(expression: TypedExpression): boolean {
  switch (expression.kind) {
    case 'variable':
      return expression.symbol.storage !== 'spec-constant' && !isKnown(expression.symbol);
    case 'this':
    case 'buffer-element':
    case 'texel':
      return true;
    case 'member':
    case 'index':
    case 'matrix-swizzle':
      return isPlace(expression.object);
    case 'swizzle':
      return isPlace(expression.object) && expression.object.type.kind === 'vector';
    case 'convert':
      return (
        (expression.conversion === 'upcast' || isVectorPrefix(expression)) && isPlace(expression.operand)
      );
    default: {
      const written = writtenPlace(expression);
      return written !== undefined && (isPlace(written) || isLvalueSwizzle(written));
    }
  }
}

/** A scalar or vector constant stands for its value. */
export function isKnown({ storage, constant, value, type }: VariableSymbol): boolean {
  const small = type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'enum';
  return storage === 'static' && constant && small && value !== undefined;
}

function memory(pointerValue: Value, coherent = false, readOnly = false): MemoryPlace {
  const { type } = pointerValue;
  if (type.kind !== 'pointer') throw new InternalError('memory needs a pointer');
  return { kind: 'memory', pointer: pointerValue, type: type.pointee, coherent, readOnly };
}

/** The place that an expression names. One that names none is stored to a variable of its own. */
export function placeOf(f: FunctionState, expression: TypedExpression): Place {
  if (!isPlace(expression) && !isLvalueSwizzle(expression)) return temporary(f, expression);
  switch (expression.kind) {
    case 'variable':
      return variablePlace(f, expression.symbol);
    case 'this': {
      if (!f.self) throw new InternalError("'this' outside a method", expression.at);
      return memory(f.self);
    }
    case 'member':
      return memberPlace(f, expression);
    case 'convert':
      return expression.conversion === 'upcast' ? upcastPlace(f, expression) : prefixPlace(f, expression);
    case 'index':
      return indexPlace(f, expression);
    case 'swizzle':
      return swizzlePlace(f, expression);
    case 'matrix-swizzle':
      return matrixSwizzlePlace(f, expression);
    case 'buffer-element':
      return bufferElementPlace(f, expression);
    case 'texel':
      return texelPlace(f, expression);
    case 'assign':
      return assign(f, expression).place;
    case 'compound-assign':
      return compoundAssign(f, expression).place;
    case 'increment':
      return increment(f, expression).place;
    case 'comma':
      evaluateBoth(f, expression.left);
      return placeOf(f, expression.right);
    default:
      throw new InternalError(`a ${expression.kind} is no place`, expression.at);
  }
}

/** `f.x` of a scalar can be assigned, though it reads as a value. */
function isLvalueSwizzle(expression: TypedExpression): boolean {
  return expression.kind === 'swizzle' && expression.components.length === 1 && isPlace(expression.object);
}

function temporary(f: FunctionState, expression: TypedExpression): MemoryPlace {
  const value = evaluate(f, expression);
  stand(f, expression);
  const variable = newVar(f, value.type, 'temp');
  f.builder.store(variable, value);
  return memory(variable);
}

function variablePlace(f: FunctionState, symbol: VariableSymbol): Place {
  switch (symbol.storage) {
    case 'local':
    case 'parameter': {
      const variable = f.memory.get(symbol);
      if (!variable) throw new InternalError(`variable '${symbol.name}' has no memory`, symbol.at);
      return memory(variable);
    }
    case 'static':
      return memory(globalOf(f.l, symbol), false, symbol.constant);
    case 'groupshared':
      return memory(globalOf(f.l, symbol));
    case 'buffer':
      if (symbol.pushConstant) return memory(globalOf(f.l, symbol), false, true);
      throw new InternalError(`the buffer '${symbol.name}' is no place`, symbol.at);
    default:
      throw new InternalError(`'${symbol.name}' of storage ${symbol.storage} is no place`, symbol.at);
  }
}

/** A place that pointers can step into. Others are rows of none and cannot have members or rows. */
function steppable(place: Place, expression: TypedExpression): MemoryPlace {
  if (place.kind !== 'memory')
    throw new InternalError(`a ${place.kind} has no parts to step into`, expression.at);
  return place;
}

function step(f: FunctionState, base: MemoryPlace, ...indices: Value[]): MemoryPlace {
  return memory(f.builder.access(base.pointer, ...indices), base.coherent, base.readOnly);
}

function memberPlace(f: FunctionState, expression: MemberExpression): Place {
  const struct = expression.object.type;
  if (struct.kind !== 'struct') throw new InternalError('a member of no struct', expression.at);
  const base = steppable(placeOf(f, expression.object), expression);
  stand(f, expression);
  return step(f, base, f.builder.int(dataIndex(f.l, struct, expression.index)));
}

/** The first components of a vector. */
function prefixPlace(f: FunctionState, { operand, type }: ConvertExpression): Place {
  const count = type.kind === 'vector' ? type.count : 1;
  return componentsOf(
    placeOf(f, operand),
    Array.from({ length: count }, (_, i) => i),
    type,
  );
}

/** The base is the first member, or the first member's first member, and so on. */
function upcastPlace(f: FunctionState, expression: ConvertExpression): Place {
  const base = steppable(placeOf(f, expression.operand), expression);
  stand(f, expression);
  const depth = upcastPath(expression.operand.type, expression.type).length;
  return step(f, base, ...Array.from({ length: depth }, () => f.builder.int(0)));
}

/** Indices from a derived struct to its base: always first members. */
export function upcastPath(from: Type, to: Type): number[] {
  const path: number[] = [];
  for (let type = from; type !== to; path.push(0)) {
    const first: Type | undefined = type.kind === 'struct' ? type.members[0]?.type : undefined;
    if (!first) throw new InternalError('a base that is none');
    type = first;
  }
  return path;
}

function indexPlace(f: FunctionState, expression: IndexExpression): Place {
  const base = placeOf(f, expression.object);
  const index = evaluate(f, expression.index);
  stand(f, expression);
  if (canStep(base)) return step(f, base, index);
  const element = elementOf(base.type);
  if (!element) throw new InternalError(`cannot index a ${base.kind}`, expression.at);
  if (index.kind === 'constant' && typeof index.value === 'number')
    return componentsOf(base, [index.value], element);
  return { kind: 'component', base, index, type: element };
}

/** Texels are read and written whole. */
function canStep(place: Place): place is MemoryPlace {
  return place.kind === 'memory' && (place.pointer.type as PointerType).space !== 'texel';
}

function swizzlePlace(f: FunctionState, expression: SwizzleExpression): Place {
  const base = placeOf(f, expression.object);
  stand(f, expression);
  const element = elementOf(base.type)!;
  if (base.type.kind !== 'vector') return base;
  const { components } = expression;
  if (components.length === 1 && canStep(base)) return step(f, base, f.builder.int(components[0]!));
  return componentsOf(
    base,
    components,
    components.length === 1 ? element : vector(element, components.length),
  );
}

/** Swizzles of swizzles are one swizzle. */
function componentsOf(base: Place, components: readonly number[], type: Type): Place {
  if (base.kind === 'swizzle') {
    return {
      kind: 'swizzle',
      base: base.base,
      components: components.map((component) => base.components[component]!),
      type,
    };
  }
  if (base.kind === 'matrix-swizzle') {
    return { ...base, components: components.map((component) => base.components[component]!), type };
  }
  return { kind: 'swizzle', base, components, type };
}

function matrixSwizzlePlace(f: FunctionState, expression: MatrixSwizzleExpression): Place {
  const base = steppable(placeOf(f, expression.object), expression);
  stand(f, expression);
  const { components } = expression;
  const [first] = components;
  if (components.length === 1 && first)
    return step(f, base, f.builder.int(first.row), f.builder.int(first.column));
  return { kind: 'matrix-swizzle', base, components, type: expression.type };
}

function bufferElementPlace(f: FunctionState, expression: BufferElementExpression): Place {
  const { object } = expression;
  if (object.kind === 'variable' && object.symbol.pushConstant) return variablePlace(f, object.symbol);
  const resource = resourceOf(f, object);
  const index = expression.index && evaluate(f, expression.index);
  stand(f, expression);
  const { type } = object;
  if (type.kind !== 'buffer') throw new InternalError('an element of no buffer', expression.at);
  const layout = bufferLayout(f.l.options.layout, type.buffer);
  const space = type.buffer === 'ConstantBuffer' ? 'uniform' : 'storage';
  const contents = pointer(space, type.element, layout, type.matrixOrder);
  const writable = type.buffer.startsWith('RW') || type.buffer.startsWith('RasterizerOrdered');
  return memory(f.builder.bufferPointer(resource.pointer, contents, index), resource.coherent, !writable);
}

function texelPlace(f: FunctionState, expression: TexelExpression): Place {
  const resource = resourceOf(f, expression.object);
  const coordinate = evaluate(f, expression.coordinate);
  const level = expression.level && evaluate(f, expression.level);
  stand(f, expression);
  const { type } = expression.object;
  const readOnly = type.kind !== 'texture' || !type.writable;
  return memory(f.builder.texel(resource.pointer, coordinate, level), resource.coherent, readOnly);
}

// ---- reading and writing

/** The value of a place, read at the builder's position. */
export function load(f: FunctionState, place: Place): Value {
  const { builder } = f;
  switch (place.kind) {
    case 'memory':
      checkWhole(f, place);
      return builder.load(place.pointer, place.coherent);
    case 'swizzle':
      return swizzle(builder, load(f, place.base), place.components);
    case 'matrix-swizzle': {
      const parts = place.components.map(({ row, column }) =>
        load(f, elementOfMatrix(f, place.base, row, column)),
      );
      return fromComponents(builder, place.type, parts);
    }
    case 'component':
      return builder.extractDynamic(load(f, place.base), place.index);
  }
}

/** Aggregates in buffers are laid out otherwise than values, so that they are copied part by part. */
function checkWhole(f: FunctionState, place: MemoryPlace): void {
  const { space, pointee: type } = place.pointer.type as PointerType;
  if ((type.kind !== 'array' && type.kind !== 'struct') || !inBuffer.has(space) || canBeMade(type)) return;
  const { location, end } = f.l.positions.get(f.builder.position);
  f.l.log.report('value-too-large', location, { type: typeName(type) }, end);
}

const inBuffer = new Set<AddressSpace>(['uniform', 'storage', 'push-constant']);

function elementOfMatrix(f: FunctionState, base: MemoryPlace, row: number, column: number): MemoryPlace {
  return step(f, base, f.builder.int(row), f.builder.int(column));
}

/** Writes a value of the place's type at the builder's position. */
export function store(f: FunctionState, place: Place, value: Value): void {
  const { builder } = f;
  switch (place.kind) {
    case 'memory':
      checkWhole(f, place);
      builder.store(place.pointer, value, place.coherent);
      return;
    case 'swizzle':
      storeSwizzle(f, place, value);
      return;
    case 'matrix-swizzle':
      place.components.forEach(({ row, column }, i) => {
        const part = place.components.length === 1 ? value : swizzle(builder, value, [i]);
        store(f, elementOfMatrix(f, place.base, row, column), part);
      });
      return;
    case 'component':
      store(f, place.base, builder.insertDynamic(load(f, place.base), value, place.index));
  }
}

/**
 * Variables of this invocation are read, changed and written whole. Memory that others may write at the same time is
 * written component by component, so that the other components are left alone.
 */
function storeSwizzle(f: FunctionState, place: Extract<Place, { kind: 'swizzle' }>, value: Value): void {
  const { builder } = f;
  const { base, components } = place;
  const parts = components.map((_, i) => (components.length === 1 ? value : swizzle(builder, value, [i])));
  if (canStep(base) && isShared(base)) {
    components.forEach((component, i) => {
      store(f, step(f, base, builder.int(component)), parts[i]!);
    });
    return;
  }
  let whole: Value =
    base.type.kind === 'vector' && components.length === base.type.count
      ? builder.undef(base.type)
      : load(f, base);
  components.forEach((component, i) => {
    whole = builder.insert(whole, parts[i]!, component);
  });
  store(f, base, whole);
}

function isShared(place: MemoryPlace): boolean {
  const { space } = place.pointer.type as PointerType;
  return space !== 'function' && space !== 'private';
}

/** Memory for a value of a matrix or array that is indexed at run time. */
export function spill(f: FunctionState, value: Value): MemoryPlace {
  const variable = newVar(f, value.type, 'temp');
  f.builder.store(variable, value);
  return memory(variable);
}

export function memoryPlace(pointerValue: Value): MemoryPlace {
  return memory(pointerValue);
}

/** Pointer of a place that is memory; undefined for the others. */
export function pointerOf(place: Place): Value | undefined {
  return place.kind === 'memory' ? place.pointer : undefined;
}

export function isWritable(place: Place): boolean {
  return place.kind === 'memory' ? !place.readOnly : isWritable(place.base);
}
