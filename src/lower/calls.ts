/**
 * Calls. `out` and `inout` arguments are copied into temporaries and back after the call in the order of the arguments, so
 * that arguments that overlap do not disturb each other. Opaque arguments choose a specialisation of the callee.
 */
import type { Argument, CallExpression, IntrinsicExpression, TypedExpression } from '../check/program.ts';
import { namedInput } from '../check/stage-inputs.ts';
import type { Value } from '../ir/ir.ts';
import { intrinsicByKey } from '../intrinsics/table.ts';
import { InternalError } from '../source/diagnostic.ts';
import { hasOpaque, isNumeric, isOpaque, type PointerType, type Type } from '../types/type.ts';
import { dataType } from './data-types.ts';
import { evaluate } from './expressions.ts';
import { finish, specialise } from './functions.ts';
import { type Handle, mapIndices, markOf, unset } from './handles.ts';
import { isWritable, load, type Place, placeOf, pointerOf, store } from './places.ts';
import { type Evaluated, evaluateBoth, handleOf, resourceOf, setHandle } from './resources.ts';
import { type FunctionState, type LoweredFunction, newVar, stand } from './state.ts';
import { convertTo } from './values.ts';

/** An argument on its way: what the callee gets, and what happens after the call. */
interface Passed {
  operand?: Value | undefined;
  handle?: Handle | undefined;
  /** Copies the result back. */
  after?: () => void;
  /** Target of an opaque result. */
  rebind?: TypedExpression;
}

export function lowerCall(f: FunctionState, expression: CallExpression): Evaluated {
  const { function: symbol, self, args } = expression;
  const passed: Passed[] = [];
  if (symbol.self) {
    if (!self) throw new InternalError(`a call of method '${symbol.name}' without object`, expression.at);
    passed.push(passSelf(f, self, symbol.self));
  }
  for (const argument of args) passed.push(passArgument(f, argument, expression));
  const callee = specialise(
    f.l,
    symbol,
    passed.map(({ handle }) => handle),
  );
  const needsHandles = hasOpaque(symbol.returnType) || passed.some(({ rebind }) => rebind);
  if (needsHandles) finish(f.l, callee, expression.at);
  const operands = passed.flatMap(({ operand }) => operand ?? []);
  const dynamic = dynamicIndices(passed);
  stand(f, expression);
  const slots = callee.resultIndices.map(({ type }) => newVar(f, (type as PointerType).pointee, 'index'));
  const data = f.builder.call(callee.fn, [...operands, ...dynamic, ...slots]);
  const translate = (handle: Handle): Handle =>
    fromCallee(f, callee, handle, [...dynamic, ...slots], expression);
  passed.forEach(({ after, rebind }, i) => {
    after?.();
    const final = callee.finals?.[i];
    if (rebind && final) setHandle(f, rebind, translate(final));
  });
  stand(f, expression);
  const handle = hasOpaque(symbol.returnType) ? translate(callee.result ?? unset) : undefined;
  return { data, handle };
}

/** Run-time indices in the handles passed, in order; they follow the other arguments. */
function dynamicIndices(passed: readonly Passed[]): Value[] {
  const indices: Value[] = [];
  for (const { handle } of passed) {
    if (!handle) continue;
    mapIndices(handle, (index) => {
      indices.push(index);
      return index;
    });
  }
  return indices;
}

/** A handle that the callee gives back: its index parameters are what was passed for them, or came back through them. */
function fromCallee(
  f: FunctionState,
  { fn, symbol, marks }: LoweredFunction,
  handle: Handle,
  passed: readonly Value[],
  { at }: TypedExpression,
): Handle {
  const first = fn.parameters.length - passed.length;
  return mapIndices(handle, (given) => {
    const index =
      given.kind === 'result' && markOf(given) !== undefined ? given.instruction.operands[0]! : given;
    const number = index.kind === 'parameter' ? fn.parameters.indexOf(index) - first : -1;
    const value = passed[number];
    if (value && value.type.kind !== 'pointer') return value;
    if (value) {
      const loaded = f.builder.load(value);
      const mark = marks.get(index);
      return mark === undefined ? loaded : (f.builder.intrinsic(mark, loaded.type, [loaded]) ?? loaded);
    }
    f.l.log.report('opaque-result-index', at, { name: symbol.name });
    return f.builder.uint(0);
  });
}

/** The object of a method: memory of the caller's own is passed as it is, everything else is copied in and out. */
function passSelf(f: FunctionState, self: TypedExpression, type: Type): Passed {
  const passed: Passed = {};
  if (hasOpaque(type)) {
    passed.handle = handleOf(f, self);
    if (isBindable(self)) passed.rebind = self;
  }
  const data = dataType(f.l, type);
  if (!data) return passed;
  const place = placeOf(f, self);
  const pointer = pointerOf(place);
  if (pointer && isOwnMemory(pointer)) return { ...passed, operand: pointer };
  return { ...passed, ...copyInOut(f, place, data, 'this', self, true) };
}

/** Whether what an opaque expression stands for can be set anew. */
function isBindable(expression: TypedExpression): boolean {
  if (expression.kind === 'this') return true;
  if (expression.kind === 'variable')
    return expression.symbol.storage === 'local' || expression.symbol.storage === 'parameter';
  if (expression.kind === 'member' || expression.kind === 'index') return isBindable(expression.object);
  return expression.kind === 'convert' && isBindable(expression.operand);
}

/** A `var`, or memory that the caller of this function made for it. */
function isOwnMemory(pointer: Value): boolean {
  if ((pointer.type as PointerType).space !== 'function') return false;
  return pointer.kind === 'parameter' || (pointer.kind === 'result' && pointer.instruction.op === 'var');
}

function passArgument(f: FunctionState, argument: Argument, call: TypedExpression): Passed {
  const outer = f.forced;
  // A default argument stands where the call does.
  if (argument.isDefault && !outer) f.forced = { at: call.at, end: call.end };
  const passed = argument.mode === 'in' ? passValue(f, argument) : passPlace(f, argument);
  if (!outer) delete f.forced;
  return passed;
}

function passValue(f: FunctionState, { value, parameterType }: Argument): Passed {
  if (!hasOpaque(parameterType)) return { operand: evaluate(f, value) };
  const { data, handle } = evaluateBoth(f, value);
  return { operand: dataType(f.l, parameterType) && data, handle: handle ?? unset };
}

function passPlace(f: FunctionState, { mode, value, parameterType }: Argument): Passed {
  const passed: Passed = {};
  if (hasOpaque(parameterType)) {
    passed.handle = mode === 'out' ? unset : handleOf(f, value);
    passed.rebind = value;
  }
  const data = dataType(f.l, parameterType);
  if (!data) return passed;
  const place = placeOf(f, value);
  return { ...passed, ...copyInOut(f, place, data, 'argument', value, mode !== 'out') };
}

function copyInOut(
  f: FunctionState,
  place: Place,
  type: Type,
  name: string,
  node: TypedExpression,
  copyIn: boolean,
): Passed {
  stand(f, node);
  const temporary = newVar(f, type, name);
  if (copyIn) f.builder.store(temporary, adapt(f, load(f, place), type));
  const { forced } = f;
  return {
    operand: temporary,
    after: () => {
      if (!isWritable(place)) return;
      const outer = f.forced;
      if (forced) f.forced = forced;
      stand(f, node);
      if (outer) f.forced = outer;
      else delete f.forced;
      store(f, place, adapt(f, f.builder.load(temporary), place.type));
    },
  };
}

function adapt(f: FunctionState, value: Value, type: Type): Value {
  const scalarLike = (candidate: Type): boolean => isNumeric(candidate) || candidate.kind === 'enum';
  return scalarLike(value.type) && scalarLike(type) ? convertTo(f.builder, value, type) : value;
}

// ---- intrinsics

/** Undefined for those that give nothing. */
export function lowerIntrinsic(f: FunctionState, expression: IntrinsicExpression): Value | undefined {
  const row = intrinsicByKey(expression.row);
  if (!row) throw new InternalError(`no intrinsic '${expression.row}'`, expression.at);
  if (row.readsInput) return lowerInputRead(f, expression, row.readsInput);
  const before = f.builder.precise;
  if (expression.precise) f.builder.precise = true;
  const passed = expression.args.map((argument) => passToIntrinsic(f, argument, expression));
  stand(f, expression);
  const operands = passed.flatMap(({ operand }) => operand ?? []);
  const result = f.builder.intrinsic(expression.row, expression.type, operands, expression.text);
  for (const { after } of passed) after?.();
  f.builder.precise = before;
  stand(f, expression);
  return result;
}

/** The input is no value but the variable of the stage. That there is one was checked. */
function lowerInputRead(
  f: FunctionState,
  expression: IntrinsicExpression,
  how: 'interpolated' | 'vertex',
): Value {
  const [first, ...rest] = expression.args;
  const input = first && namedInput(f.l.program.entry, first.value);
  const global = input && f.interfaceGlobals?.get(input.leaf.variable);
  if (!global) throw new InternalError('a call that needs an input of the stage', expression.at);
  const operands = rest.map(({ value }) => evaluate(f, value));
  const indices = input.indices.map((index) => evaluate(f, index));
  stand(f, expression);
  const path = how === 'vertex' ? [...operands, ...indices] : indices;
  const place = f.builder.access(global, ...path);
  const type = (place.type as PointerType).pointee;
  const value =
    how === 'vertex'
      ? f.builder.load(place)
      : f.builder.intrinsic(expression.row, type, [place, ...operands])!;
  return input.components ? f.builder.swizzle(value, [...input.components]) : value;
}

function passToIntrinsic(f: FunctionState, argument: Argument, call: TypedExpression): Passed {
  const { mode, value } = argument;
  if (isOpaque(value.type)) return { operand: resourceOf(f, value).pointer };
  switch (mode) {
    case 'in':
      return { operand: evaluate(f, value) };
    case 'reference':
      return { operand: referenceTo(f, value) };
    default:
      return passArgument(f, argument, call);
  }
}

/** A place as the intrinsic works on it. That it lies in memory that invocations share was checked. */
function referenceTo(f: FunctionState, value: TypedExpression): Value {
  const pointer = pointerOf(placeOf(f, value));
  if (!pointer) throw new InternalError('a reference to what is no memory', value.at);
  return pointer;
}
