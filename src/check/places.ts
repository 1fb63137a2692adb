/** Which expressions are places that can be written, and what to say of those that cannot. */
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Location } from '../source/source-map.ts';
import { hasOpaque, typeName } from '../types/type.ts';
import type { Context } from './context.ts';
import type { ConvertExpression, TypedExpression, VariableSymbol } from './program.ts';

/** Why an expression cannot be written. */
type Obstacle =
  | { kind: 'value' }
  | { kind: 'constant'; symbol: VariableSymbol }
  | { kind: 'resource'; symbol: VariableSymbol }
  | { kind: 'buffer'; name: string; at: Location }
  | { kind: 'read-only'; type: string; symbol: VariableSymbol | undefined }
  | { kind: 'duplicates'; what: string };

/** Can the expression be written? */
export function isPlace(value: TypedExpression): boolean {
  return value.type.kind === 'error' || obstacle(value) === undefined;
}

/** Reports an expression that cannot be written. Gives true if it can be. */
export function checkPlace(context: Context, value: TypedExpression, at: Location, end?: Location): boolean {
  if (value.type.kind === 'error') return true;
  const found = obstacle(value);
  if (!found) return true;
  const { log } = context;
  let diagnostic: Diagnostic;
  switch (found.kind) {
    case 'value':
      log.report('not-assignable', at, {}, end);
      return false;
    case 'duplicates':
      log.report('duplicate-components', at, { what: found.what }, end);
      return false;
    case 'constant':
      diagnostic = log.report('assign-constant', at, { name: found.symbol.name }, end);
      log.note(diagnostic, 'declared-here', found.symbol.at, { name: found.symbol.name });
      return false;
    case 'resource':
      diagnostic = log.report('assign-resource', at, { name: found.symbol.name }, end);
      log.note(diagnostic, 'declared-here', found.symbol.at, { name: found.symbol.name });
      return false;
    case 'buffer':
      diagnostic = log.report('assign-buffer-member', at, { name: found.name }, end);
      log.note(diagnostic, 'declared-here', found.at, { name: found.name });
      return false;
    case 'read-only':
      diagnostic = log.report('assign-read-only', at, { type: found.type }, end);
      if (found.symbol) log.note(diagnostic, 'declared-here', found.symbol.at, { name: found.symbol.name });
      return false;
  }
}

function obstacle(value: TypedExpression): Obstacle | undefined {
  switch (value.kind) {
    case 'variable':
      return variableObstacle(value.symbol);
    case 'this':
      return undefined;
    case 'member': {
      const found = obstacle(value.object);
      const member = value.object.type.kind === 'struct' ? value.object.type.members[value.index] : undefined;
      // The member's name says more than the buffer's, which loose globals do not even have.
      if (found?.kind === 'buffer' && member)
        return { kind: 'buffer', name: member.name, at: member.location };
      return found;
    }
    case 'index':
      return obstacle(value.object);
    case 'swizzle':
      return new Set(value.components).size < value.components.length
        ? { kind: 'duplicates', what: 'vector' }
        : obstacle(value.object);
    case 'matrix-swizzle':
      return new Set(value.components.map((c) => c.row * 4 + c.column)).size < value.components.length
        ? { kind: 'duplicates', what: 'matrix' }
        : obstacle(value.object);
    case 'buffer-element':
      return bufferObstacle(value.object);
    case 'texel': {
      const type = value.object.type;
      const writable = type.kind === 'texture' && type.writable && !value.level;
      return writable
        ? undefined
        : { kind: 'read-only', type: typeName(type), symbol: rootSymbol(value.object) };
    }
    case 'convert':
      return value.conversion === 'upcast' || isVectorPrefix(value)
        ? obstacle(value.operand)
        : { kind: 'value' };
    case 'assign':
    case 'compound-assign':
    case 'increment':
    case 'comma': {
      const place = writtenPlace(value);
      return place ? obstacle(place) : { kind: 'value' };
    }
    default:
      return { kind: 'value' };
  }
}

/** A cast to a shorter vector of the same element is the first components, which can be written too. */
export function isVectorPrefix({ conversion, implicit, operand, type }: ConvertExpression): boolean {
  return conversion === 'truncate' && !implicit && operand.type.kind === 'vector' && type.kind === 'vector';
}

/** The place that `a = b`, `a += b`, `++a` and `a, b` give, once they have done what they do; undefined for other expressions. */
export function writtenPlace(value: TypedExpression): TypedExpression | undefined {
  // What opaque things stand for is no memory.
  if (hasOpaque(value.type)) return undefined;
  switch (value.kind) {
    case 'assign':
    case 'compound-assign':
      return value.target;
    case 'increment':
      return value.prefix ? value.target : undefined;
    case 'comma':
      return value.right;
    default:
      return undefined;
  }
}

function variableObstacle(symbol: VariableSymbol): Obstacle | undefined {
  switch (symbol.storage) {
    case 'resource':
      return { kind: 'resource', symbol };
    case 'buffer':
      return { kind: 'buffer', name: symbol.name, at: symbol.at };
    case 'spec-constant':
      return { kind: 'constant', symbol };
    default:
      return symbol.constant ? { kind: 'constant', symbol } : undefined;
  }
}

function bufferObstacle(object: TypedExpression): Obstacle | undefined {
  const { type } = object;
  if (type.kind !== 'buffer') return { kind: 'value' };
  const symbol = rootSymbol(object);
  switch (type.buffer) {
    case 'ConstantBuffer':
    case 'TextureBuffer':
      return symbol
        ? { kind: 'buffer', name: symbol.name, at: symbol.at }
        : { kind: 'read-only', type: typeName(type), symbol };
    case 'StructuredBuffer':
    case 'ByteAddressBuffer':
      return { kind: 'read-only', type: typeName(type), symbol };
    default:
      return undefined;
  }
}

/** The variable that a place, of whatever kind, is part of. */
export function placeVariable(place: TypedExpression): VariableSymbol | undefined {
  switch (place.kind) {
    case 'variable':
      return place.symbol;
    case 'member':
    case 'swizzle':
    case 'matrix-swizzle':
    case 'index':
      return placeVariable(place.object);
    case 'convert':
      return placeVariable(place.operand);
    default: {
      const written = writtenPlace(place);
      return written && placeVariable(written);
    }
  }
}

/** The variable at the root of a path of members and elements. */
export function rootSymbol(value: TypedExpression): VariableSymbol | undefined {
  for (let at = value; ; ) {
    if (at.kind === 'variable') return at.symbol;
    if (at.kind !== 'member' && at.kind !== 'index' && at.kind !== 'buffer-element') return undefined;
    at = at.object;
  }
}
