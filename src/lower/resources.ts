/**
 * Expressions of opaque type, and of structs and arrays with opaque parts: their handles, and the data that is left.
 * Evaluating one gives both, since calls and assignments in it must happen once.
 */
import type { TypedExpression, VariableSymbol } from '../check/program.ts';
import type { Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { hasOpaque, typeName } from '../types/type.ts';
import { assignBoth } from './assignments.ts';
import { lowerCall } from './calls.ts';
import { dataType } from './data-types.ts';
import { evaluate, flatten } from './expressions.ts';
import { resourceHandle } from './globals.ts';
import {
  bind,
  elementLimit,
  elementsOf,
  type Handle,
  meet,
  partOf,
  resourcePointer,
  sameHandle,
  unset,
  withPart,
} from './handles.ts';
import { load, placeOf, isPlace, upcastPath } from './places.ts';
import { type FunctionState, inBlock, stand } from './state.ts';

/** What an expression gives: data, handles or both. Void gives neither. */
export interface Evaluated {
  data?: Value | undefined;
  handle?: Handle | undefined;
}

export function evaluateBoth(f: FunctionState, expression: TypedExpression): Evaluated {
  if (!hasOpaque(expression.type)) {
    if (expression.type.kind !== 'void') return { data: evaluate(f, expression) };
    evaluateVoid(f, expression);
    return {};
  }
  switch (expression.kind) {
    case 'call':
      return lowerCall(f, expression);
    case 'assign':
      return assignBoth(f, expression);
    case 'comma':
      evaluateBoth(f, expression.left);
      return evaluateBoth(f, expression.right);
    case 'conditional':
      return conditionalBoth(f, expression);
    case 'flatten':
      return flatten(f, expression);
    case 'convert':
      return partsOf(f, expression, expression.operand, upcastPath(expression.operand.type, expression.type));
    case 'member':
      return partsOf(f, expression, expression.object, [expression.index]);
    default:
      return { handle: handleOf(f, expression), data: dataOf(f, expression) };
  }
}

/** Expressions without value. */
export function evaluateVoid(f: FunctionState, expression: TypedExpression): void {
  switch (expression.kind) {
    case 'call':
      lowerCall(f, expression);
      return;
    case 'comma':
      evaluateBoth(f, expression.left);
      evaluateVoid(f, expression.right);
      return;
    case 'conditional':
      conditionalBoth(f, expression);
      return;
    case 'convert':
      evaluateBoth(f, expression.operand);
      return;
    default:
      evaluate(f, expression);
  }
}

/** The data that is left of an expression with opaque parts, where it is a place. */
function dataOf(f: FunctionState, expression: TypedExpression): Value | undefined {
  if (!dataType(f.l, expression.type)) return undefined;
  const place = placeOf(f, expression);
  stand(f, expression);
  return load(f, place);
}

/** A part of an object: through the object's place, or out of the object's value. */
function partsOf(
  f: FunctionState,
  expression: TypedExpression,
  object: TypedExpression,
  path: readonly number[],
): Evaluated {
  if (isPlace(object)) return { handle: handleOf(f, expression), data: dataOf(f, expression) };
  const { handle, data } = evaluateBoth(f, object);
  const part = path.reduce((whole: Handle, index) => partOf(whole, index), handle ?? unset);
  if (!dataType(f.l, expression.type) || !data) return { handle: part };
  throw new InternalError('the data of a member with opaque parts of a value', expression.at);
}

/** The handle of an opaque expression that is used as a resource. */
export function handleOf(f: FunctionState, expression: TypedExpression): Handle {
  switch (expression.kind) {
    case 'variable':
      return variableHandle(f, expression.symbol);
    case 'this':
      return f.handles.get(f.selfKey)?.handle ?? unset;
    case 'member':
      return isPlace(expression.object)
        ? partOf(handleOf(f, expression.object), expression.index)
        : (evaluateBoth(f, expression).handle ?? unset);
    case 'index':
      return indexHandle(f, expression);
    case 'convert':
      return isPlace(expression.operand)
        ? upcastPath(expression.operand.type, expression.type).reduce(partOf, handleOf(f, expression.operand))
        : (evaluateBoth(f, expression).handle ?? unset);
    default:
      return evaluateBoth(f, expression).handle ?? unset;
  }
}

function variableHandle(f: FunctionState, symbol: VariableSymbol): Handle {
  if (symbol.storage === 'resource' || symbol.storage === 'buffer') return resourceHandle(f.l, symbol);
  if (symbol.storage === 'static') return staticHandle(f, symbol);
  return f.handles.get(symbol)?.handle ?? unset;
}

/** Static variables stand for what they are initialized with. */
function staticHandle(f: FunctionState, symbol: VariableSymbol): Handle {
  const known = f.l.globalHandles.get(symbol);
  if (known) return known;
  // A static that is defined by itself stays unset.
  f.l.globalHandles.set(symbol, unset);
  const handle = symbol.init ? handleOf(f, symbol.init) : unset;
  f.l.globalHandles.set(symbol, handle);
  return handle;
}

function indexHandle(f: FunctionState, expression: Extract<TypedExpression, { kind: 'index' }>): Handle {
  const array = handleOf(f, expression.object);
  const index = evaluate(f, expression.index);
  return elementHandle(array, index, () => {
    f.l.log.report('opaque-index', expression.at, {}, expression.end);
  });
}

function elementHandle(array: Handle, index: Value, report: () => void): Handle {
  if (array.kind === 'resource') return { ...array, indices: [...array.indices, index] };
  if (array.kind !== 'parts') return array;
  if (index.kind === 'constant') return partOf(array, Number(index.value));
  const [first] = array.parts;
  if (first && array.parts.every((part) => sameHandle(part, first))) return first;
  const run = runOf(array.parts, index);
  if (run) return run;
  report();
  return unset;
}

/** Parts that are the elements of one array of resources in order can be indexed as that array. */
function runOf(parts: readonly (Handle | undefined)[], index: Value): Handle | undefined {
  const [first] = parts;
  if (first?.kind !== 'resource') return undefined;
  const outer = first.indices.slice(0, -1);
  const inOrder = parts.every((part, i) => {
    if (part?.kind !== 'resource' || part.indices.length === 0) return false;
    const last = part.indices[part.indices.length - 1]!;
    return (
      last.kind === 'constant' &&
      Number(last.value) === i &&
      sameHandle({ ...part, indices: part.indices.slice(0, -1) }, { ...first, indices: outer })
    );
  });
  return inOrder ? { ...first, indices: [...outer, index] } : undefined;
}

/** `c ? a : b` of handles: settled if both are the same, or elements of one array. */
function conditionalBoth(
  f: FunctionState,
  expression: Extract<TypedExpression, { kind: 'conditional' }>,
): Evaluated {
  const { builder } = f;
  const condition = evaluate(f, expression.condition);
  const data = dataType(f.l, expression.type);
  const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
  stand(f, expression.condition);
  const made = builder.if(condition, then, otherwise, data ? [data] : []);
  const arms = [
    [then, expression.whenTrue],
    [otherwise, expression.whenFalse],
  ] as const;
  const handles = arms.map(([block, arm]) => {
    let handle: Handle | undefined;
    inBlock(f, block, () => {
      const value = evaluateBoth(f, arm);
      handle = value.handle;
      stand(f, arm);
      if (data) builder.yield(value.data ?? builder.undef(data));
      else builder.yield();
    });
    return handle;
  });
  stand(f, expression);
  return { data: made.results[0], handle: chooseHandle(f, condition, handles[0], handles[1], expression) };
}

function chooseHandle(
  f: FunctionState,
  condition: Value,
  whenTrue: Handle | undefined,
  whenFalse: Handle | undefined,
  { at }: TypedExpression,
): Handle | undefined {
  if (
    whenTrue?.kind === 'resource' &&
    whenFalse?.kind === 'resource' &&
    whenTrue.global === whenFalse.global
  ) {
    const simple = [...whenTrue.indices, ...whenFalse.indices].every((index) => index.kind !== 'result');
    if (simple && whenTrue.indices.length === whenFalse.indices.length && !sameHandle(whenTrue, whenFalse)) {
      const indices = whenTrue.indices.map((index, i) => {
        const other = whenFalse.indices[i]!;
        return index === other || index.type !== other.type
          ? index
          : f.builder.select(condition, index, other);
      });
      return { ...whenTrue, indices };
    }
  }
  return meet(whenTrue, whenFalse, at);
}

/** The resource that an opaque expression stands for, as the pointer that instructions take. */
export function resourceOf(
  f: FunctionState,
  expression: TypedExpression,
): { pointer: Value; coherent: boolean } {
  const handle = handleOf(f, expression);
  stand(f, expression);
  const pointer = resourcePointer(f, handle, expression.at, expression.type);
  const role = handle.kind === 'resource' ? handle.global.role : undefined;
  return { pointer, coherent: role?.kind === 'resource' && role.coherent };
}

/** Binds what an opaque place stands for: a variable, or a part of one. */
export function setHandle(f: FunctionState, target: TypedExpression, handle: Handle): void {
  const path: number[] = [];
  let place = target;
  for (;;) {
    if (place.kind === 'member') path.unshift(place.index);
    else if (place.kind === 'index') {
      const index = evaluate(f, place.index);
      if (index.kind !== 'constant') {
        f.l.log.report('opaque-index', place.at, {}, place.end);
        return;
      }
      const { type } = place.object;
      if (type.kind === 'array' && type.size > elementLimit) {
        f.l.log.report(
          'opaque-array-size',
          place.at,
          { type: typeName(type), limit: elementLimit },
          place.end,
        );
        return;
      }
      path.unshift(Number(index.value));
    } else if (place.kind === 'convert') path.unshift(...upcastPath(place.operand.type, place.type));
    else break;
    place = place.kind === 'convert' ? place.operand : place.object;
  }
  if (place.kind === 'this') {
    bindPart(f, f.selfKey, path, handle, target, 'this');
    return;
  }
  if (place.kind !== 'variable') throw new InternalError(`a ${place.kind} cannot be bound`, target.at);
  const { symbol } = place;
  if (symbol.storage === 'local' || symbol.storage === 'parameter') {
    bindPart(f, symbol, path, handle, target, symbol.name);
    return;
  }
  // Handing a global to an `inout` parameter that keeps it is no change.
  if (!sameHandle(handleOf(f, target), handle))
    f.l.log.report('opaque-global', target.at, { name: symbol.name });
}

function bindPart(
  f: FunctionState,
  key: object,
  path: readonly number[],
  handle: Handle,
  target: TypedExpression,
  name: string,
): void {
  const whole = f.handles.get(key)?.handle ?? unset;
  const update = (outer: Handle, depth: number): Handle => {
    const index = path[depth];
    return index === undefined
      ? handle
      : withPart(
          elementsOf(outer, (i) => f.builder.uint(i)),
          index,
          update(partOf(outer, index), depth + 1),
        );
  };
  bind(f, key, update(whole, 0), target.at, name);
}
