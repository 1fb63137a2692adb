/**
 * Values of expressions. Every instruction stands at the expression it computes; operands come first, left to right. Types
 * and conversions are decided already.
 */
import type {
  BinaryExpression,
  ConditionalExpression,
  ConstructExpression,
  ConvertExpression,
  FlattenExpression,
  IndexExpression,
  LogicalExpression,
  MatrixSwizzleExpression,
  TypedExpression,
  UnaryExpression,
  VariableExpression,
} from '../check/program.ts';
import { partType } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError, unreachable } from '../source/diagnostic.ts';
import { boolType, elementOf, hasOpaque, isNumeric, isOpaque, type Type, typeName } from '../types/type.ts';
import { assign, compoundAssign, increment } from './assignments.ts';
import { lowerCall, lowerIntrinsic } from './calls.ts';
import { dataIndex, dataType } from './data-types.ts';
import { globalOf } from './globals.ts';
import { type Handle, partOf, unset } from './handles.ts';
import { isKnown, isPlace, load, placeOf, spill, upcastPath } from './places.ts';
import { type Evaluated, evaluateBoth, evaluateVoid } from './resources.ts';
import { type FunctionState, inBlock, stand } from './state.ts';
import {
  components,
  constantOf,
  construct,
  convertElement,
  convertTo,
  extract,
  fill,
  fromComponents,
  partCount,
  reshape,
  swizzle,
} from './values.ts';

/** The value of an expression that has one; opaque parts are left out. */
export function evaluate(f: FunctionState, expression: TypedExpression): Value {
  if (hasOpaque(expression.type)) return dataValue(f, expression, evaluateBoth(f, expression));
  switch (expression.kind) {
    case 'constant':
      return constantOf(f.builder, expression.type, expression.value);
    case 'variable':
      return variable(f, expression);
    case 'this':
    case 'buffer-element':
    case 'texel':
      return loadPlace(f, expression);
    case 'member':
      return isPlace(expression)
        ? loadPlace(f, expression)
        : memberOf(f, expression.object, expression.index, expression);
    case 'swizzle':
      return isPlace(expression) ? loadPlace(f, expression) : swizzleOf(f, expression);
    case 'matrix-swizzle':
      return isPlace(expression) ? loadPlace(f, expression) : matrixSwizzle(f, expression);
    case 'index':
      return isPlace(expression) ? loadPlace(f, expression) : indexOf(f, expression);
    case 'convert':
      return convert(f, expression);
    case 'construct':
      return constructOf(f, expression);
    case 'flatten':
      return dataValue(f, expression, flatten(f, expression));
    case 'fill': {
      const value = evaluate(f, expression.value);
      stand(f, expression);
      return fill(f.builder, expression.type, value);
    }
    case 'unary':
      return unary(f, expression);
    case 'binary':
      return binary(f, expression);
    case 'logical':
      return logical(f, expression);
    case 'conditional':
      return conditional(f, expression);
    case 'assign':
      return assign(f, expression).value;
    case 'compound-assign':
      return compoundAssign(f, expression).value;
    case 'increment':
      return increment(f, expression).value;
    case 'comma':
      evaluateBoth(f, expression.left);
      return evaluate(f, expression.right);
    case 'call':
      return dataValue(f, expression, lowerCall(f, expression));
    case 'intrinsic':
      return lowerIntrinsic(f, expression) ?? voidValue(f);
    default:
      return unreachable(expression);
  }
}

/** An expression whose value nobody wants. */
export function evaluateDiscarded(f: FunctionState, expression: TypedExpression): void {
  if (expression.type.kind === 'void') evaluateVoid(f, expression);
  else evaluateBoth(f, expression);
}

function dataValue(f: FunctionState, expression: TypedExpression, { data }: Evaluated): Value {
  if (data) return data;
  if (expression.type.kind === 'void') return voidValue(f);
  throw new InternalError(`a value of type '${typeName(expression.type)}' has no data`, expression.at);
}

/** What calls of void functions give; no instruction takes it. */
function voidValue(f: FunctionState): Value {
  return f.builder.undef({ kind: 'void' });
}

function loadPlace(f: FunctionState, expression: TypedExpression): Value {
  const place = placeOf(f, expression);
  stand(f, expression);
  return load(f, place);
}

function variable(f: FunctionState, expression: VariableExpression): Value {
  const { symbol } = expression;
  if (symbol.storage === 'spec-constant') return globalOf(f.l, symbol);
  if (isKnown(symbol)) {
    globalOf(f.l, symbol);
    return constantOf(f.builder, symbol.type, symbol.value!);
  }
  return loadPlace(f, expression);
}

// ---- parts of values

function memberOf(
  f: FunctionState,
  object: TypedExpression,
  index: number,
  expression: TypedExpression,
): Value {
  const value = evaluate(f, object);
  stand(f, expression);
  if (object.type.kind !== 'struct') throw new InternalError('a member of no struct', expression.at);
  return extract(f.builder, value, dataIndex(f.l, object.type, index));
}

function swizzleOf(f: FunctionState, expression: Extract<TypedExpression, { kind: 'swizzle' }>): Value {
  const value = evaluate(f, expression.object);
  stand(f, expression);
  return swizzle(f.builder, value, expression.components);
}

function matrixSwizzle(f: FunctionState, expression: MatrixSwizzleExpression): Value {
  const value = evaluate(f, expression.object);
  stand(f, expression);
  const parts = expression.components.map(({ row, column }) => extract(f.builder, value, row, column));
  return fromComponents(f.builder, expression.type, parts);
}

/** Vectors can be indexed as values, arrays and matrices by constants only; else they go through memory. */
function indexOf(f: FunctionState, expression: IndexExpression): Value {
  const value = evaluate(f, expression.object);
  const index = evaluate(f, expression.index);
  stand(f, expression);
  const count = partCount(value.type);
  if (
    index.kind === 'constant' &&
    count !== undefined &&
    Number(index.value) >= 0 &&
    Number(index.value) < count
  ) {
    return extract(f.builder, value, Number(index.value));
  }
  if (value.type.kind === 'vector') return f.builder.extractDynamic(value, index);
  const { pointer } = spill(f, value);
  return f.builder.load(f.builder.access(pointer, index));
}

// ---- conversions

function convert(f: FunctionState, expression: ConvertExpression): Value {
  if (expression.type.kind === 'void') {
    evaluateBoth(f, expression.operand);
    return voidValue(f);
  }
  if (expression.conversion === 'upcast' && isPlace(expression.operand)) return loadPlace(f, expression);
  const value = evaluate(f, expression.operand);
  stand(f, expression);
  switch (expression.conversion) {
    case 'numeric':
      return convertTo(f.builder, value, expression.type);
    case 'splat':
    case 'truncate':
    case 'reshape':
      return reshape(f.builder, value, expression.type);
    case 'upcast':
      return extract(f.builder, value, ...upcastPath(expression.operand.type, expression.type));
  }
}

function constructOf(f: FunctionState, expression: ConstructExpression): Value {
  const args = expression.args.map((arg) => evaluate(f, arg));
  stand(f, expression);
  if (args.length === 1 && args[0]!.type === expression.type) return args[0]!;
  const parts = args.flatMap((arg) => components(f.builder, arg));
  return fromComponents(f.builder, expression.type, parts);
}

/** Values yet to be placed, the next one last; a value is taken apart only if no whole part of its type is wanted. */
type Pending = { type: Type; data?: Value | undefined; handle?: Handle | undefined }[];

/** Leaves of the sources put into the leaves of the type. */
export function flatten(f: FunctionState, expression: FlattenExpression): Evaluated {
  const pending: Pending = expression.sources
    .map((source) => ({ type: source.type, ...evaluateBoth(f, source) }))
    .reverse();
  stand(f, expression);
  return buildPart(f, expression.type, pending);
}

function buildPart(f: FunctionState, type: Type, pending: Pending): Evaluated {
  const next = pending[pending.length - 1];
  if (next && next.type === type) return pending.pop()!;
  if (isOpaque(type)) return { handle: takeLeaf(f, pending, true).handle };
  const count = partCount(type);
  if (count === undefined) {
    const { data } = takeLeaf(f, pending, false);
    return { data: data ? convertElement(f.builder, data, type) : f.builder.undef(type) };
  }
  const parts = Array.from({ length: count }, (_, i) => buildPart(f, partType(type, [i]), pending));
  const data = dataType(f.l, type);
  const values = parts.flatMap((part) => part.data ?? []);
  return {
    data: data && construct(f.builder, data, values),
    handle: hasOpaque(type) ? { kind: 'parts', parts: parts.map((part) => part.handle) } : undefined,
  };
}

/** The next scalar or handle, aggregates in front of it taken apart. */
function takeLeaf(f: FunctionState, pending: Pending, opaque: boolean): Evaluated {
  for (;;) {
    const next = pending.pop();
    if (!next) return {};
    const count = isOpaque(next.type) ? undefined : partCount(next.type);
    if (count === undefined) {
      if (isOpaque(next.type) === opaque) return next;
      continue;
    }
    for (let i = count - 1; i >= 0; i--) pending.push(takeApart(f, next, i));
  }
}

function takeApart(f: FunctionState, whole: Pending[number], index: number): Pending[number] {
  const type = partType(whole.type, [index]);
  const part: Pending[number] = { type };
  if (hasOpaque(type)) part.handle = partOf(whole.handle ?? unset, index);
  if (whole.data && dataType(f.l, type)) {
    const at = whole.type.kind === 'struct' ? dataIndex(f.l, whole.type, index) : index;
    part.data = extract(f.builder, whole.data, at);
  }
  return part;
}

// ---- operators

function unary(f: FunctionState, expression: UnaryExpression): Value {
  const operand = numeric(f, evaluate(f, expression.operand));
  stand(f, expression);
  switch (expression.op) {
    case '-':
      return f.builder.unary('neg', operand);
    case '~':
      return f.builder.unary('not', operand);
    case '!':
      return f.builder.unary('logical_not', operand);
  }
}

function binary(f: FunctionState, expression: BinaryExpression): Value {
  const left = numeric(f, evaluate(f, expression.left));
  const right = numeric(f, evaluate(f, expression.right));
  stand(f, expression);
  return applyBinary(f, expression.op, left, right);
}

/** Enums count as their numbers. */
function numeric(f: FunctionState, value: Value): Value {
  return value.type.kind === 'enum' ? convertElement(f.builder, value, value.type.underlying) : value;
}

export function applyBinary(f: FunctionState, op: BinaryExpression['op'], left: Value, right: Value): Value {
  const { builder } = f;
  const bools = elementOf(left.type) === boolType;
  switch (op) {
    case '+':
      return builder.binary('add', left, right);
    case '-':
      return builder.binary('sub', left, right);
    case '*':
      return builder.binary('mul', left, right);
    case '/':
      return builder.binary('div', left, right);
    case '%':
      return builder.binary('rem', left, right);
    case '<<':
      return builder.binary('shl', left, right);
    case '>>':
      return builder.binary('shr', left, right);
    case '&':
      return builder.binary(bools ? 'logical_and' : 'and', left, right);
    case '|':
      return builder.binary(bools ? 'logical_or' : 'or', left, right);
    case '^':
      return bools ? builder.compare('not_equal', left, right) : builder.binary('xor', left, right);
    case '==':
      return builder.compare('equal', left, right);
    case '!=':
      return builder.compare('not_equal', left, right);
    case '<':
      return builder.compare('less', left, right);
    case '<=':
      return builder.compare('less_equal', left, right);
    case '>':
      return builder.compare('greater', left, right);
    case '>=':
      return builder.compare('greater_equal', left, right);
    default:
      return unreachable(op);
  }
}

function logical(f: FunctionState, expression: LogicalExpression): Value {
  const { builder } = f;
  const left = evaluate(f, expression.left);
  if (!expression.shortCircuit || expression.type.kind !== 'scalar') {
    const right = evaluate(f, expression.right);
    stand(f, expression);
    return builder.binary(expression.op === '&&' ? 'logical_and' : 'logical_or', left, right);
  }
  const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
  stand(f, expression);
  const made = builder.if(left, then, otherwise, [boolType]);
  const [evaluated, skipped] = expression.op === '&&' ? [then, otherwise] : [otherwise, then];
  inBlock(f, evaluated, () => {
    const right = evaluate(f, expression.right);
    stand(f, expression.right);
    builder.yield(right);
  });
  inBlock(f, skipped, () => {
    stand(f, expression);
    builder.yield(builder.bool(expression.op === '||'));
  });
  stand(f, expression);
  return made.results[0]!;
}

function conditional(f: FunctionState, expression: ConditionalExpression): Value {
  const { builder } = f;
  if (expression.type.kind === 'void') {
    evaluateVoid(f, expression);
    return voidValue(f);
  }
  const condition = evaluate(f, expression.condition);
  if (!expression.shortCircuit) {
    const whenTrue = evaluate(f, expression.whenTrue);
    const whenFalse = evaluate(f, expression.whenFalse);
    stand(f, expression);
    return choose(f, condition, whenTrue, whenFalse);
  }
  const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
  stand(f, expression.condition);
  const made = builder.if(condition, then, otherwise, [expression.type]);
  for (const [block, arm] of [
    [then, expression.whenTrue],
    [otherwise, expression.whenFalse],
  ] as const) {
    inBlock(f, block, () => {
      const value = evaluate(f, arm);
      stand(f, arm);
      builder.yield(value);
    });
  }
  stand(f, expression);
  return made.results[0]!;
}

/** Both are evaluated already. Structs and arrays are chosen whole. */
function choose(f: FunctionState, condition: Value, whenTrue: Value, whenFalse: Value): Value {
  const { builder } = f;
  const { type } = whenTrue;
  if (isNumeric(type) || type.kind === 'enum') {
    if (condition.type === boolType || partCount(condition.type) === partCount(type))
      return builder.select(condition, whenTrue, whenFalse);
    return builder.select(reshape(builder, condition, boolType), whenTrue, whenFalse);
  }
  const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
  const made = builder.if(reshape(builder, condition, boolType), then, otherwise, [type]);
  inBlock(f, then, () => builder.yield(whenTrue));
  inBlock(f, otherwise, () => builder.yield(whenFalse));
  return made.results[0]!;
}
