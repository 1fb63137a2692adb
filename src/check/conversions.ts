/**
 * Conversions as nodes of the typed tree: implicit ones with their warnings, casts, and the moment when a literal gets
 * its final type.
 */

import { convertScalar, flatScalars, rebuild } from '../ir/arithmetic.ts';
import type { Location } from '../source/source-map.ts';
import type { Expression } from '../syntax/ast.ts';
import {
  compareLeaves,
  convertsImplicitly,
  derivesFrom,
  isAggregate,
  isLiteral,
  leafCount,
  leafRuns,
  type NumericType,
  rankBits,
  shapeStep,
} from '../types/convert.ts';
import {
  boolType,
  componentCount,
  elementOf,
  errorType,
  floatType,
  intType,
  isNumeric,
  type ScalarType,
  type StructType,
  scalar,
  scalarBits,
  scalarClass,
  type Type,
  typeName,
  uintType,
  vector,
  withElement,
} from '../types/type.ts';
import { convertValue, evaluateConstant } from './constants.ts';
import type { Context } from './context.ts';
import { checkExpression } from './expressions.ts';
import { fromHeap } from './heaps.ts';
import type { ConstantExpression, ConvertExpression, TypedExpression } from './program.ts';

/** What a mistake gives: converts to anything silently. */
export function errorExpression(node: { at: Location; end: Location }): ConstantExpression {
  return { kind: 'constant', type: errorType, value: 0, at: node.at, end: node.end };
}

export function isError(value: TypedExpression): boolean {
  return value.type.kind === 'error';
}

/** Converts a value where the language does so by itself. Reports what cannot be converted, and lost data. */
export function convertTo(
  context: Context,
  value: TypedExpression,
  type: Type,
  at: Location,
): TypedExpression {
  if (isError(value) || type.kind === 'error') return errorExpression(value);
  if (value.type === type) return value;
  const taken = fromHeap(context, value, type);
  if (taken) return taken;
  if (!convertsImplicitly(value.type, type, context.options.languageVersion >= 2021)) {
    const key = castable(value.type, type) ? 'cannot-convert-implicitly' : 'cannot-convert';
    context.log.report(
      key,
      at,
      { from: typeName(value.type), to: typeName(type) },
      at === value.at ? value.end : undefined,
    );
    return errorExpression(value);
  }
  if (isNumeric(type) && isNumeric(value.type)) warnOfLoss(context, value, value.type, type, at);
  return converted(context, value, type, true);
}

/** A condition: a scalar that converts to bool. */
export function checkCondition(context: Context, expression: Expression): TypedExpression {
  const value = checkExpression(context, expression, boolType);
  if (isNumeric(value.type) && value.type.kind !== 'scalar' && componentCount(value.type) > 1) {
    context.log.report('condition-not-scalar', expression.at, { type: typeName(value.type) }, expression.end);
    return errorExpression(value);
  }
  return convertTo(context, value, boolType, value.at);
}

/** Is there a cast from one type to another? */
function castable(from: Type, to: Type): boolean {
  if (from === to || from.kind === 'error' || to.kind === 'error' || to.kind === 'void') return true;
  if (from.kind === 'buffer' && (from.buffer === 'ConstantBuffer' || from.buffer === 'TextureBuffer')) {
    return castable(from.element, to);
  }
  const scalarSource = from.kind === 'enum' || (isNumeric(from) && componentCount(from) === 1);
  if (isAggregate(from) || isAggregate(to)) {
    if (from.kind === 'struct' && to.kind === 'struct' && derivesFrom(from, to)) return true;
    if (leafCount(from) === 0 && !scalarSource) return false;
    const a = leafRuns(from);
    const b = leafRuns(to);
    if (!a || !b || (!scalarSource && leafCount(from) < leafCount(to))) return false;
    if (scalarSource) return b.every((run) => run.type.kind === 'scalar' || run.type.kind === 'enum');
    return compareLeaves(a, b).convertible;
  }
  if (to.kind === 'enum') return scalarSource;
  if (!isNumeric(to)) return false;
  return from.kind === 'enum' || (isNumeric(from) && shapeStep(from, to) !== undefined);
}

/** `(type)value`. */
export function castTo(context: Context, value: TypedExpression, type: Type, at: Location): TypedExpression {
  if (isError(value) || type.kind === 'error') return errorExpression(value);
  const taken = fromHeap(context, value, type);
  if (taken) return taken;
  if (type.kind === 'void') return settle(context, value);
  if (!castable(value.type, type)) {
    context.log.report('cannot-convert', at, { from: typeName(value.type), to: typeName(type) });
    return errorExpression(value);
  }
  return converted(context, value, type, false);
}

/** Builds the nodes of a conversion that is known to exist. */
function converted(context: Context, value: TypedExpression, type: Type, implicit: boolean): TypedExpression {
  const from = value.type;
  if (from === type) return value;
  const { at, end } = value;
  if (from.kind === 'buffer' && !isNumeric(type)) {
    const contents: TypedExpression = { kind: 'buffer-element', object: value, type: from.element, at, end };
    return converted(context, contents, type, implicit);
  }
  if (isNumeric(type) && (isNumeric(from) || from.kind === 'enum'))
    return convertNumeric(context, value, type, implicit);
  if (type.kind === 'enum') {
    const number = convertNumeric(context, value, type.underlying, implicit);
    return { kind: 'convert', conversion: 'numeric', operand: number, type, implicit, at, end };
  }
  if (from.kind === 'struct' && type.kind === 'struct' && derivesFrom(from, type)) {
    return { kind: 'convert', conversion: 'upcast', operand: value, type, implicit, at, end };
  }
  if (!checkParts(context, type, value)) return errorExpression(value);
  if (from.kind === 'enum' || (isNumeric(from) && componentCount(from) === 1)) {
    const filling = convertNumeric(context, value, settledType(value), implicit);
    return { kind: 'fill', value: filling, type, at, end };
  }
  return { kind: 'flatten', sources: [settle(context, value)], type, at, end };
}

/** An instruction of SPIR-V makes a value of at most so many parts, and all parts together have a limit too. */
const maxElements = 65532;
const maxLeaves = 1 << 18;

/** False after a message if a value of the type has too many parts to be made of single ones. */
export function checkParts(
  context: Context,
  type: Type,
  { at, end }: { at: Location; end: Location },
): boolean {
  if (canBeMade(type)) return true;
  context.log.report('value-too-large', at, { type: typeName(type) }, end);
  return false;
}

/** Whether a value of the type can be made of single parts. */
export function canBeMade(type: Type): boolean {
  return leafCount(type) <= maxLeaves && longestArray(type) <= maxElements;
}

function longestArray(type: Type): number {
  if (type.kind === 'array') return Math.max(type.size, longestArray(type.element));
  if (type.kind !== 'struct') return 0;
  return type.members.reduce((most, member) => Math.max(most, longestArray(member.type)), 0);
}

function convertNumeric(
  context: Context,
  value: TypedExpression,
  to: NumericType,
  implicit: boolean,
): TypedExpression {
  let result = value;
  // Literals first become of the target's element, so that no precision is lost on the way.
  if (isNumeric(result.type) && isLiteral(elementOf(result.type)!)) {
    const target = elementOf(to)!;
    result = retype(context, result, isLiteral(target) ? elementOf(result.type)! : target);
  }
  if (result.type.kind === 'enum') result = step(context, result, 'numeric', elementOf(to)!, implicit);
  const from = result.type as NumericType;
  const element = elementOf(to)!;
  switch (shapeStep(from, to)) {
    case 'splat':
      result = toElement(context, toScalar(result, implicit), element, implicit);
      return step(context, result, 'splat', to, implicit);
    case 'truncate':
      return toElement(context, truncate(context, result, to, implicit), element, implicit);
    case 'reshape':
      if (to.kind === 'scalar') return toElement(context, toScalar(result, implicit), element, implicit);
      result = step(
        context,
        result,
        'reshape',
        withElement(to, from.kind === 'scalar' ? from : from.element),
        implicit,
      );
      return toElement(context, result, element, implicit);
    default:
      return toElement(context, result, element, implicit);
  }
}

/** The first component of a vector or matrix. */
function toScalar(value: TypedExpression, implicit: boolean): TypedExpression {
  const { type, at, end } = value;
  if (type.kind === 'vector') {
    if (value.kind === 'convert' && value.conversion === 'splat' && implicit) return value.operand;
    return { kind: 'swizzle', object: value, components: [0], type: type.element, at, end };
  }
  if (type.kind !== 'matrix') return value;
  return {
    kind: 'matrix-swizzle',
    object: value,
    components: [{ row: 0, column: 0 }],
    type: type.element,
    at,
    end,
  };
}

function truncate(
  context: Context,
  value: TypedExpression,
  to: NumericType,
  implicit: boolean,
): TypedExpression {
  const from = value.type as NumericType;
  if (to.kind === 'scalar' || from.kind === 'scalar') return toScalar(value, implicit);
  const shape = withElement(to, from.element);
  if (from.kind === to.kind) return step(context, value, 'truncate', shape, implicit);
  // One is a vector, the other a matrix of one row or column (or of one component).
  if (from.kind === 'matrix') {
    if (from.rows > 1 && from.columns > 1) {
      return step(context, toScalar(value, implicit), 'splat', shape, implicit);
    }
    const line = step(context, value, 'reshape', vector(from.element, componentCount(from)), implicit);
    return step(context, line, 'truncate', shape, implicit);
  }
  const piece = vector(from.element, componentCount(to));
  return step(context, step(context, value, 'truncate', piece, implicit), 'reshape', shape, implicit);
}

function toElement(
  context: Context,
  value: TypedExpression,
  element: ScalarType,
  implicit: boolean,
): TypedExpression {
  const type = value.type as NumericType;
  return elementOf(type) === element
    ? value
    : step(context, value, 'numeric', withElement(type, element), implicit);
}

/** One conversion node; of a constant the converted constant. */
function step(
  context: Context,
  value: TypedExpression,
  conversion: Exclude<ConvertExpression['conversion'], 'upcast'>,
  type: Type,
  implicit: boolean,
): TypedExpression {
  if (value.type === type) return value;
  const { at, end } = value;
  if (value.kind === 'constant') {
    const constant = convertValue(
      value.value,
      value.type,
      type,
      conversion,
      context.options.enable16BitTypes,
    );
    if (constant !== undefined) return { kind: 'constant', type, value: constant, at, end };
  }
  return { kind: 'convert', conversion, operand: value, type, implicit, at, end };
}

// ---- literals

/** The type that an expression has when nothing asks for another: literals become int (or wider) and float. */
function settledType(value: TypedExpression): NumericType {
  const type = value.type as NumericType;
  const element = elementOf(value.type)!;
  if (value.type.kind === 'enum') return element;
  if (!isLiteral(element)) return type;
  if (element.name === 'literal float') return withElement(type, floatType);
  const parts = value.kind === 'constant' ? flatScalars(value.value).map((part) => BigInt(part)) : [];
  const fits = (least: bigint, most: bigint) => parts.every((part) => part >= least && part <= most);
  if (fits(-0x80000000n, 0x7fffffffn)) return withElement(type, intType);
  return withElement(type, fits(0n, 0xffffffffn) ? uintType : scalar('int64_t'));
}

/** Gives literals their default type; anything else is returned as it is. */
export function settle(context: Context, value: TypedExpression): TypedExpression {
  if (!isNumeric(value.type) || !isLiteral(elementOf(value.type)!)) return value;
  return retype(context, value, elementOf(settledType(value))!);
}

/** Gives an expression of literal type another element. */
export function retype(context: Context, value: TypedExpression, element: ScalarType): TypedExpression {
  const from = elementOf(value.type);
  if (!isNumeric(value.type) || !from || from === element) return value;
  const type = withElement(value.type, element);
  switch (value.kind) {
    case 'constant': {
      const parts = flatScalars(value.value);
      const enable16 = context.options.enable16BitTypes;
      const constant = rebuild(type, (i) => convertScalar(parts[i]!, element, enable16));
      return { ...value, type, value: constant ?? 0 };
    }
    case 'conditional':
      return {
        ...value,
        type,
        whenTrue: retype(context, value.whenTrue, element),
        whenFalse: retype(context, value.whenFalse, element),
      };
    case 'comma':
      return { ...value, type, right: retype(context, value.right, element) };
    case 'swizzle':
    case 'matrix-swizzle':
      return { ...value, type, object: retype(context, value.object, element) };
    case 'convert':
      if (value.conversion === 'numeric') break;
      return { ...value, type, operand: retype(context, value.operand, element) };
    case 'construct':
      return { ...value, type, args: value.args.map((arg) => retype(context, arg, element)) };
    case 'unary':
      if (value.op === '!') break;
      return toElement(context, settleParts(context, value), element, true);
    case 'binary':
      return toElement(context, settleParts(context, value), element, true);
    default:
      break;
  }
  return toElement(context, value, element, true);
}

/** Operators on literals that could not be worked out compute with the default types. */
function settleParts(
  context: Context,
  value: TypedExpression & { kind: 'unary' | 'binary' },
): TypedExpression {
  const element = (elementOf(value.type) as ScalarType).name === 'literal int' ? intType : floatType;
  const type = withElement(value.type as NumericType, element);
  if (value.kind === 'unary') return { ...value, type, operand: retype(context, value.operand, element) };
  return {
    ...value,
    type,
    left: retype(context, value.left, element),
    right: retype(context, value.right, element),
  };
}

// ---- warnings

/** A literal that the target's integers cannot hold. Up to 32 bits a sign is not asked for: `0xFFFFFFFF` may be an int. */
function warnOfLiteral(
  context: Context,
  value: TypedExpression,
  source: ScalarType,
  target: ScalarType,
  at: Location,
): void {
  const integer = scalarClass(target) === 'int' || scalarClass(target) === 'uint';
  if (!integer || !isLiteral(source) || isLiteral(target) || value.kind !== 'constant') return;
  const bits = scalarBits(target, true);
  for (const part of flatScalars(value.value)) {
    const result = convertScalar(part, target, context.options.enable16BitTypes);
    const number = Number(part);
    const fraction = source.name === 'literal float' && !Number.isInteger(number);
    const outside = number < -(2 ** (bits - 1)) || number >= 2 ** bits;
    if (!fraction && !outside) continue;
    const key = source.name === 'literal float' ? 'literal-float-to-integer' : 'literal-out-of-range';
    const args = { from: source.name, to: target.name, value: String(part), result: String(result) };
    context.log.report(key, at, args);
    return;
  }
}

function warnOfLoss(
  context: Context,
  value: TypedExpression,
  from: NumericType,
  to: NumericType,
  at: Location,
): void {
  const source = elementOf(from)!;
  const target = elementOf(to)!;
  const have = visibleBits(context, source);
  const want = visibleBits(context, target);
  if (want !== 0 && want < have && !fits(context, value, target)) {
    context.log.report('narrowing', at, { from: typeName(from), to: typeName(to) });
  }
  warnOfLiteral(context, value, source, target, value.at);
  if (componentCount(to) < componentCount(from)) context.log.report('implicit-truncation', at);
}

/** Warns of what is lost when a callee's result is copied back to an `out` argument. */
export function warnOfCopy(context: Context, from: Type, to: Type, at: Location): void {
  if (!isNumeric(from) || !isNumeric(to)) return;
  const [have, want] = [visibleBits(context, elementOf(from)!), visibleBits(context, elementOf(to)!)];
  if (want !== 0 && want < have)
    context.log.report('narrowing', at, { from: typeName(from), to: typeName(to) });
  if (componentCount(to) < componentCount(from)) context.log.report('implicit-truncation', at);
}

/** Bits as the warning counts them: `half` is a float without 16-bit types, minimum precision is small. */
function visibleBits(context: Context, type: ScalarType): number {
  return type.name === 'half' ? scalarBits(type, context.options.enable16BitTypes) : rankBits(type);
}

/** A constant that is the same in the smaller type loses nothing worth a warning. */
function fits(context: Context, value: TypedExpression, target: ScalarType): boolean {
  const constant = evaluateConstant(context, value);
  if (constant === undefined) return false;
  return flatScalars(constant).every((part) => {
    if (typeof part === 'boolean') return true;
    const number = Number(part);
    if (scalarClass(target) === 'float')
      return Math.abs(number) <= (rankBits(target) <= 16 ? 65504 : 3.4028234663852886e38);
    return Number(convertScalar(part, target, true)) === Math.trunc(number);
  });
}

/** The object as its base struct, as a place. */
export function upcastPlace(value: TypedExpression, base: StructType): TypedExpression {
  if (value.type === base) return value;
  return {
    kind: 'convert',
    conversion: 'upcast',
    operand: value,
    type: base,
    implicit: true,
    at: value.at,
    end: value.end,
  };
}
