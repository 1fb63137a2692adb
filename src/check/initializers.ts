/** Initializers, initializer lists, constructors and `sizeof`. */
import type { Location } from '../source/source-map.ts';
import type { ConstructExpression, Expression, SizeofExpression } from '../syntax/ast.ts';
import {
  compareLeaves,
  isLiteral,
  type LeafRun,
  leafConverts,
  leafCount,
  leafRuns,
  type NumericType,
} from '../types/convert.ts';
import {
  array,
  type ArrayType,
  componentCount,
  elementOf,
  isNumeric,
  scalarBits,
  type Type,
  typeName,
  uintType,
  withElement,
} from '../types/type.ts';
import type { Context } from './context.ts';
import { castTo, checkParts, convertTo, errorExpression, isError, settle } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import type { TypedExpression } from './program.ts';
import { resolveType } from './types.ts';

interface Place {
  at: Location;
  end: Location;
}

/**
 * The value that a variable of type `type` starts with. An unsized array takes its size from it: the type of the result
 * is the complete one.
 */
export function checkInitializer(
  context: Context,
  init: Expression,
  type: Type,
  at: Location,
): TypedExpression {
  if (init.kind !== 'initializer-list') {
    const value = checkExpression(context, init, type);
    const sameElement =
      type.kind === 'array' && value.type.kind === 'array' && value.type.element === type.element;
    if (sameElement && type.size === 0) return value;
    return convertTo(context, value, type, at);
  }
  const sources = listElements(context, init);
  if (!sources || type.kind === 'error') return errorExpression(init);
  return fromSources(context, sources, type, init);
}

/** All expressions of a list and the lists in it; undefined if one is faulty. */
function listElements(context: Context, list: Expression): TypedExpression[] | undefined {
  const values: TypedExpression[] = [];
  let faulty = false;
  const add = (expression: Expression): void => {
    if (expression.kind === 'initializer-list') {
      for (const element of expression.elements) add(element);
      return;
    }
    const value = checkExpression(context, expression);
    faulty ||= isError(value);
    values.push(value);
  };
  add(list);
  return faulty ? undefined : values;
}

/** A value of `type` from the leaves of the sources, which must be exactly as many. */
function fromSources(
  context: Context,
  sources: TypedExpression[],
  type: Type,
  place: Place,
): TypedExpression {
  const only = sources.length === 1 ? sources[0]! : undefined;
  if (only && only.type === type) return only;
  const given = sources.reduce((sum, source) => sum + leafCount(source.type), 0);
  let target = type;
  if (type.kind === 'array' && type.size === 0) {
    const sized = sizedArray(context, type, given, place);
    if (!sized) return errorExpression(place);
    target = sized;
  }
  const expected = leafCount(target);
  if (given !== expected) {
    const at = sources[0]?.at ?? place.at;
    const what = given > expected ? 'many' : 'few';
    context.log.report('element-count', at, { what, type: typeName(type), expected, given }, place.end);
    return errorExpression(place);
  }
  const landing = leafRuns(target);
  if (!landing || sources.some((source) => !leafRuns(source.type))) {
    context.log.report('initializer-too-large', place.at, { type: typeName(type) }, place.end);
    return errorExpression(place);
  }
  if (!checkParts(context, target, place)) return errorExpression(place);
  const fitted = fitSources(context, sources, landing, target);
  if (!fitted) return errorExpression(place);
  if (isNumeric(target) && fitted.every((source) => isNumeric(source.type))) {
    return construct(context, fitted, target, place);
  }
  return { kind: 'flatten', sources: fitted, type: target, at: place.at, end: place.end };
}

function sizedArray(context: Context, type: ArrayType, given: number, place: Place): ArrayType | undefined {
  const each = leafCount(type.element);
  if (each > 0 && given > 0 && given % each === 0) return array(type.element, given / each);
  const args = { given, type: typeName(type), expected: each };
  context.log.report('unsized-count', place.at, args, place.end);
  return undefined;
}

/** Checks each source against the leaves it lands on; numbers that land on one element type get it here. */
function fitSources(
  context: Context,
  sources: TypedExpression[],
  landing: readonly LeafRun[],
  type: Type,
): TypedExpression[] | undefined {
  const fitted: TypedExpression[] = [];
  const rest = landing.map((run) => ({ ...run }));
  let next = 0;
  for (const source of sources) {
    const runs = leafRuns(source.type);
    if (!runs) return undefined;
    const targets: LeafRun[] = [];
    for (let count = leafCount(source.type); count > 0; ) {
      const run = rest[next]!;
      const taken = Math.min(run.count, count);
      targets.push({ type: run.type, count: taken });
      count -= taken;
      if ((run.count -= taken) === 0) next++;
    }
    if (!compareLeaves(runs, targets).convertible) {
      const wrong =
        targets.find((target) => !runs.every((run) => leafConverts(run.type, target.type))) ?? targets[0]!;
      const args = { from: typeName(source.type), to: typeName(wrong.type), type: typeName(type) };
      context.log.report('cannot-initialize', source.at, args, source.end);
      return undefined;
    }
    const element = targets.length === 1 ? elementOf(targets[0]!.type) : undefined;
    const numeric = isNumeric(source.type) || source.type.kind === 'enum';
    const same = element && targets[0]!.type.kind === 'scalar' && numeric;
    fitted.push(
      same
        ? withElementOf(context, source, withElement(shapeOf(source.type), element))
        : settle(context, source),
    );
  }
  return fitted;
}

function shapeOf(type: Type): NumericType {
  return type.kind === 'enum' ? type.underlying : (type as NumericType);
}

/** A change of element alone, without warnings: the program asks for it. */
function withElementOf(context: Context, value: TypedExpression, type: NumericType): TypedExpression {
  return castTo(context, value, type, value.at);
}

function construct(
  context: Context,
  args: TypedExpression[],
  type: NumericType,
  place: Place,
): TypedExpression {
  const { at, end } = place;
  if (type.kind === 'scalar') return castTo(context, args[0]!, type, at);
  if (args.length === 1) return castTo(context, args[0]!, type, at);
  return { kind: 'construct', args, type, at, end };
}

// ---- constructors

/** `float4(v, 1)`, `int(x)`, `S(0)`. One argument is a cast; several fill a vector or matrix in order. */
export function checkConstruct(context: Context, node: ConstructExpression): TypedExpression {
  const type = resolveType(context, node.type);
  if (node.args.length === 1 && node.args[0]!.kind !== 'initializer-list') {
    const value = checkExpression(context, node.args[0]!);
    return type.kind === 'error' ? errorExpression(node) : castTo(context, value, type, node.at);
  }
  const sources = listElements(context, {
    kind: 'initializer-list',
    elements: node.args,
    at: node.at,
    end: node.end,
  });
  if (type.kind === 'error' || !sources) return errorExpression(node);
  if (!isNumeric(type)) {
    context.log.report('cannot-construct', node.at, { type: typeName(type) }, node.end);
    return errorExpression(node);
  }
  if (sources.length === 0) {
    context.log.report('empty-constructor', node.at, { type: typeName(type) }, node.end);
    return errorExpression(node);
  }
  return fromSources(context, sources, type, node);
}

// ---- sizeof

/** `sizeof(type)` or `sizeof expression` in bytes, without the padding of any buffer. */
export function checkSizeof(context: Context, node: SizeofExpression): TypedExpression {
  const operand = node.operand;
  const isType = operand.kind === 'named-type' || operand.kind === 'record' || operand.kind === 'enum';
  const type = isType ? resolveType(context, operand) : checkExpression(context, operand).type;
  if (type.kind === 'error') return errorExpression(node);
  const size = sizeOf(type, context.options.enable16BitTypes);
  if (size === undefined) {
    context.log.report('sizeof-type', node.at, { type: typeName(type) }, node.end);
    return errorExpression(node);
  }
  return { kind: 'constant', type: uintType, value: size.bytes, at: node.at, end: node.end };
}

function sizeOf(type: Type, enable16: boolean): { bytes: number; align: number } | undefined {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
    case 'matrix':
    case 'enum': {
      if (isLiteral(elementOf(type)!)) return undefined;
      const bytes = scalarBits(elementOf(type)!, enable16) / 8;
      return { bytes: bytes * (type.kind === 'enum' ? 1 : componentCount(type)), align: bytes };
    }
    case 'array': {
      const element = sizeOf(type.element, enable16);
      return element && type.size > 0
        ? { bytes: element.bytes * type.size, align: element.align }
        : undefined;
    }
    case 'struct': {
      let [bytes, align] = [0, 1];
      for (const member of type.members) {
        const size = sizeOf(member.type, enable16);
        if (!size) return undefined;
        bytes = Math.ceil(bytes / size.align) * size.align + size.bytes;
        align = Math.max(align, size.align);
      }
      return { bytes: Math.ceil(bytes / align) * align, align };
    }
    default:
      return undefined;
  }
}
