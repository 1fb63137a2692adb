/**
 * Chooses the overload of an intrinsic for given arguments, as DXC does.
 *
 * The element of a type variable is combined from all its arguments, its size is the smallest of those that are no
 * scalars; the argument of a `ref` parameter decides alone. Among several overloads the one with the fewest and least
 * conversions wins, then the first.
 */
import { combineScalars, leafCount } from '../types/convert.ts';
import {
  componentCount,
  elementOf,
  errorType,
  floatType,
  hasOpaque,
  intType,
  isNumeric,
  matrix,
  type ScalarName,
  type ScalarType,
  sampler,
  scalar,
  scalarClass,
  stringType,
  type TextureType,
  type Type,
  typeName,
  uintType,
  vector,
} from '../types/type.ts';
import type { CallArgument, Intrinsic, Match, MatchedParameter } from './intrinsic.ts';
import {
  type Constraint,
  type ObjectWord,
  parametersFor,
  type Signature,
  type SignatureParameter,
  signatureOf,
  type TypeReference,
} from './notation.ts';

// ---- elements

/** With 16-bit types, `half` and the min-precision types are what they are wide. */
function canonical(name: ScalarName, enable16BitTypes: boolean): ScalarName {
  if (!enable16BitTypes) return name;
  switch (name) {
    case 'half':
    case 'min10float':
    case 'min16float':
      return 'float16_t';
    case 'min12int':
    case 'min16int':
      return 'int16_t';
    case 'min16uint':
      return 'uint16_t';
    default:
      return name;
  }
}

/** The element that a variable ends up with; undefined if a strict class refuses it. */
function settle(
  name: ScalarName | undefined,
  constraint: Constraint,
  enable16BitTypes: boolean,
): ScalarName | undefined {
  const { elements, strict } = constraint;
  const first = elements[0]!;
  if (name === undefined) return first;
  if (name === 'literal int') {
    if (elements.includes('int')) return 'int';
    return elements.includes('uint') ? 'uint' : first;
  }
  if (name === 'literal float') return elements.includes('float') ? 'float' : first;
  const known = canonical(name, enable16BitTypes);
  if (elements.includes(known) || (known !== name && !enable16BitTypes && elements.includes(name)))
    return name;
  return strict ? undefined : first;
}

// ---- matching

interface MatchEnvironment {
  /** Methods: the type of the object. */
  objectType?: Type;
  templateArgs?: readonly Type[];
  enable16BitTypes?: boolean;
}

interface Binding {
  element?: ScalarName;
  kind?: 'scalar' | 'vector' | 'matrix';
  rows: number;
  columns: number;
  /** A `ref` parameter has decided. */
  decided?: boolean;
}

interface Matching {
  bindings: Map<string, Binding>;
  sizes: Map<string, number>;
  environment: MatchEnvironment;
}

/** Why an argument does not fit. */
interface Misfit {
  argument: number;
  reason: string;
}

/** Chooses the overload for the arguments among rows of one name (and object). The failure is a message's end: a clause. */
export function matchIntrinsic(
  rows: readonly Intrinsic[],
  args: readonly CallArgument[],
  environment: MatchEnvironment = {},
): { match: Match } | { failure: string } {
  const name = rows[0]?.name ?? '';
  const refused = rows.find((row) => row.refused);
  if (refused) return { failure: `'${name}' is not supported: ${refused.refused}` };
  const problem = templateProblem(rows, environment);
  if (problem) return { failure: `'${name}' ${problem}` };
  let best: { match: Match; cost: number } | undefined;
  let misfit: Misfit | undefined;
  let fitting = 0;
  for (const row of rows) {
    for (let overload = 0; overload < row.overloads.length; overload++) {
      const signature = signatureOf(row.overloads[overload]!);
      const parameters = parametersFor(signature, args.length, environment.objectType);
      if (!parameters) continue;
      fitting++;
      const found = matchOverload(signature, parameters, args, environment);
      if ('reason' in found) {
        if (!misfit || found.argument > misfit.argument) misfit = found;
      } else if (!best || found.cost < best.cost) {
        best = {
          match: { row, overload, parameters: found.parameters, result: found.result },
          cost: found.cost,
        };
      }
    }
  }
  if (best) return { match: best.match };
  return { failure: failureText(rows, args, environment, fitting, misfit) };
}

/** Values in memory are written out scalar by scalar: more than this is no sensible call. */
const leafLimit = 4096;

/** What is wrong with a type that lies in a byte address buffer. */
function memoryProblem(type: Type): string | undefined {
  if (type.kind === 'void' || type.kind === 'string' || hasOpaque(type))
    return `cannot deal with a '${typeName(type)}'`;
  if (leafCount(type) > leafLimit)
    return `cannot deal with the ${leafCount(type)} scalars of a '${typeName(type)}' at once`;
  return undefined;
}

function templateProblem(rows: readonly Intrinsic[], { templateArgs }: MatchEnvironment): string | undefined {
  const given = templateArgs?.[0];
  if (!given) return undefined;
  const takes = (text: string) => /(^|[ (])template /.test(text);
  const wanted = rows.some((row) => row.overloads.some(takes));
  if (!wanted) return 'takes no template argument';
  if (templateArgs.length > 1) return `takes one template argument, not ${templateArgs.length}`;
  return given.kind === 'error' ? undefined : memoryProblem(given);
}

function matchOverload(
  signature: Signature,
  parameters: readonly SignatureParameter[],
  args: readonly CallArgument[],
  environment: MatchEnvironment,
): { parameters: MatchedParameter[]; result: Type; cost: number } | Misfit {
  const matching: Matching = { bindings: new Map(), sizes: new Map(), environment };
  // Places come first in every signature: they decide alone what their variable is.
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index]!;
    const { type, lvalue } = args[index]!;
    if (parameter.mode !== 'in' && !lvalue)
      return { argument: index, reason: 'must be something that can be assigned to' };
    if (type.kind === 'error') continue;
    const reason = bind(parameter, type, signature, matching);
    if (reason) return { argument: index, reason };
  }
  const refused = settleAll(signature, matching);
  if (refused) {
    const argument = parameters.findIndex(
      (parameter) => parameter.type.kind === 'variable' && parameter.type.name === refused.name,
    );
    return { argument: Math.max(argument, 0), reason: `cannot have the element type '${refused.element}'` };
  }
  let cost = 0;
  const matched = parameters.map((parameter, index): MatchedParameter => {
    const type = resolve(parameter.type, matching, args[index]!.type);
    cost += conversionCost(args[index]!.type, type);
    return { name: parameter.name, type, mode: parameter.mode, reference: parameter.reference };
  });
  const result = args.some((arg) => arg.type.kind === 'error')
    ? errorType
    : resolve(signature.result, matching, undefined);
  return { parameters: matched, result, cost };
}

const wrongShape = (type: Type) => `cannot be a '${typeName(type)}'`;

/** Lets an argument take part in what its parameter's variables are. Gives the reason if it cannot. */
function bind(
  parameter: SignatureParameter,
  type: Type,
  signature: Signature,
  matching: Matching,
): string | undefined {
  const wanted = parameter.type;
  switch (wanted.kind) {
    case 'fixed': {
      if (wanted.type === stringType) return type.kind === 'string' ? undefined : wrongShape(type);
      return fits(type, wanted.type, false) ? undefined : wrongShape(type);
    }
    case 'sampler': {
      if (type.kind !== 'sampler') return wrongShape(type);
      const ok = wanted.comparison === undefined || wanted.comparison === type.comparison;
      return ok ? undefined : `must be a '${typeName(sampler(!type.comparison))}'`;
    }
    case 'object': {
      const own = objectPart(wanted.word, matching.environment.objectType);
      const plain = type === own || (type.kind === 'struct' && own.kind === 'struct');
      return plain || fits(type, own, wanted.word !== 'element') ? undefined : wrongShape(type);
    }
    case 'template':
      return matching.environment.templateArgs?.length ? undefined : memoryProblem(type);
    case 'sized':
      return bindSized(wanted, type, matching);
    case 'variable':
      return bindVariable(wanted, parameter.reference, type, signature.variables.get(wanted.name)!, matching);
  }
}

/** May the numeric argument become `wanted` by splat or truncation? A scalar is not made of a longer vector. */
function fits(type: Type, wanted: Type, truncatesToScalar: boolean): boolean {
  const from = type.kind === 'enum' ? type.underlying : type;
  if (!isNumeric(from)) return type === wanted;
  switch (wanted.kind) {
    case 'scalar':
      return from.kind === 'scalar' || (from.kind === 'vector' && (truncatesToScalar || from.count === 1));
    case 'vector':
      if (from.kind === 'matrix') return from.rows * from.columns === wanted.count;
      return from.kind === 'scalar' || (from.kind === 'vector' && from.count >= wanted.count);
    case 'matrix':
      return (
        from.kind === 'scalar' ||
        (from.kind === 'matrix' && from.rows >= wanted.rows && from.columns >= wanted.columns)
      );
    default:
      return false;
  }
}

function bindSized(
  wanted: TypeReference & { kind: 'sized' },
  type: Type,
  matching: Matching,
): string | undefined {
  const matrixWanted = wanted.rows !== undefined;
  if (type.kind !== (matrixWanted ? 'matrix' : 'vector')) return wrongShape(type);
  addElement(bindingOf(wanted.element, matching), type.element.name);
  const shrink = (name: string, size: number) =>
    matching.sizes.set(name, Math.min(matching.sizes.get(name) ?? 4, size));
  if (type.kind === 'matrix') {
    shrink(wanted.rows!, type.rows);
    shrink(wanted.columns, type.columns);
  } else {
    shrink(wanted.columns, type.count);
  }
  return undefined;
}

function bindingOf(name: string, matching: Matching): Binding {
  let binding = matching.bindings.get(name);
  if (!binding) {
    binding = { rows: 4, columns: 4 };
    matching.bindings.set(name, binding);
  }
  return binding;
}

function addElement(binding: Binding, element: ScalarName): void {
  const known = binding.element;
  binding.element = known === undefined ? element : combineScalars(scalar(known), scalar(element)).name;
}

function bindVariable(
  wanted: TypeReference & { kind: 'variable' },
  reference: boolean,
  type: Type,
  constraint: Constraint,
  matching: Matching,
): string | undefined {
  const from = type.kind === 'enum' ? type.underlying : type;
  if (!isNumeric(from)) return wrongShape(type);
  const { shape } = constraint;
  const longVector = from.kind === 'vector' && from.count > 1;
  const binding = bindingOf(wanted.name, matching);
  if (wanted.part === 'scalar') {
    if (from.kind === 'matrix' || longVector) return wrongShape(type);
    if (!binding.decided) addElement(binding, elementOf(from)!.name);
    return undefined;
  }
  if (shape === 'scalar' && (from.kind === 'matrix' || longVector)) return wrongShape(type);
  if ((shape === 'vector' || typeof shape === 'number') && from.kind === 'matrix') return wrongShape(type);
  if ((shape === 'matrix' || shape === 'square') && from.kind !== 'matrix') return wrongShape(type);
  if (typeof shape === 'number' && from.kind === 'vector' && from.count < shape) return wrongShape(type);
  if (binding.decided)
    return from.kind === 'scalar' || from.kind === binding.kind || !longVector ? undefined : wrongShape(type);
  if (wanted.part === 'whole') addElement(binding, elementOf(from)!.name);
  binding.decided = reference;
  if (from.kind === 'scalar') {
    binding.kind ??= 'scalar';
    return undefined;
  }
  if (binding.kind !== undefined && binding.kind !== 'scalar' && binding.kind !== from.kind)
    return wrongShape(type);
  binding.kind = from.kind;
  if (from.kind === 'matrix') {
    binding.rows = Math.min(binding.rows, from.rows);
    binding.columns = Math.min(binding.columns, from.columns);
  } else {
    binding.columns = Math.min(binding.columns, from.count);
  }
  return undefined;
}

/** Gives every variable its element and shape, or says which one cannot have what the arguments are. */
function settleAll(
  signature: Signature,
  matching: Matching,
): { name: string; element: ScalarName } | undefined {
  for (const [name, constraint] of signature.variables) {
    const binding = bindingOf(name, matching);
    const element = settle(binding.element, constraint, matching.environment.enable16BitTypes ?? false);
    if (element === undefined) return { name, element: binding.element! };
    binding.element = element;
    const { shape } = constraint;
    if (shape === 'scalar') binding.kind = 'scalar';
    if (shape === 'square') binding.rows = binding.columns = Math.min(binding.rows, binding.columns);
    if (typeof shape === 'number') {
      binding.kind = 'vector';
      binding.columns = shape;
    }
  }
  return undefined;
}

function resolve(wanted: TypeReference, matching: Matching, argument: Type | undefined): Type {
  switch (wanted.kind) {
    case 'fixed':
      return wanted.type;
    case 'sampler':
      return wanted.comparison === undefined ? (argument ?? errorType) : sampler(wanted.comparison);
    case 'object':
      return objectPart(wanted.word, matching.environment.objectType);
    case 'template': {
      const given = matching.environment.templateArgs?.[0];
      if (given) return given;
      return argument ? concrete(argument) : uintType;
    }
    case 'sized': {
      const element = scalar(matching.bindings.get(wanted.element)!.element!);
      const columns = matching.sizes.get(wanted.columns) ?? 1;
      return wanted.rows === undefined
        ? vector(element, columns)
        : matrix(element, matching.sizes.get(wanted.rows) ?? 1, columns);
    }
    case 'variable': {
      const binding = matching.bindings.get(wanted.name)!;
      const element = scalar(binding.element!);
      const { part } = wanted;
      if (part === 'scalar') return element;
      if (typeof part === 'number') return vector(element, part);
      return shaped(binding, part === 'whole' ? element : part);
    }
  }
}

function shaped(binding: Binding, element: ScalarType): Type {
  switch (binding.kind) {
    case 'vector':
      return vector(element, binding.columns);
    case 'matrix':
      return matrix(element, binding.rows, binding.columns);
    default:
      return element;
  }
}

/** Literals stored as they are become what HLSL writes without a suffix: uint and float. */
function concrete(type: Type): Type {
  const element = elementOf(type);
  if (!isNumeric(type) || !element?.name.startsWith('literal')) return type;
  const final = element.name === 'literal int' ? uintType : floatType;
  return type.kind === 'scalar'
    ? final
    : type.kind === 'vector'
      ? vector(final, type.count)
      : matrix(final, type.rows, type.columns);
}

// ---- of the object

/** Number of coordinates of a texture's dimension, without layer. */
function spatialDimensions(type: TextureType): number {
  switch (type.dimension) {
    case '1D':
    case 'Buffer':
      return 1;
    case '2D':
    case 'Subpass':
      return 2;
    case '3D':
    case 'Cube':
      return 3;
  }
}

function objectPart(word: ObjectWord, object: Type | undefined): Type {
  if (!object) return errorType;
  if (object.kind === 'buffer') return word === 'element' ? object.element : errorType;
  if (object.kind !== 'texture') return errorType;
  const sized = (element: ScalarType, count: number): Type =>
    count === 1 ? element : vector(element, count);
  const dimensions = spatialDimensions(object);
  const layer = object.arrayed ? 1 : 0;
  // A cube is addressed by texel as the array of its faces.
  const texel = (object.dimension === 'Cube' ? 2 : dimensions) + (object.dimension === 'Cube' ? 1 : layer);
  switch (word) {
    case 'element':
      return object.element;
    case 'gathered':
      return vector(elementOf(object.element) ?? floatType, 4);
    case 'location':
      return sized(floatType, dimensions + layer);
    case 'direction':
      return sized(floatType, dimensions);
    case 'offset':
      return sized(intType, dimensions);
    case 'texel':
      return sized(intType, texel);
    case 'mipped':
      return sized(intType, texel + 1);
  }
}

// ---- costs and messages

/** How much an argument must change; only its order matters. */
function conversionCost(from: Type, to: Type): number {
  if (from === to) return 0;
  const a = elementOf(from);
  const b = elementOf(to);
  if (!a || !b) return 0;
  let cost = from.kind === to.kind ? 0 : 1;
  if (isNumeric(from) && isNumeric(to) && componentCount(to) < componentCount(from)) cost += 2;
  if (a === b) return cost;
  const fromClass = scalarClass(a);
  const toClass = scalarClass(b);
  if (fromClass === toClass) return cost + (a.name.startsWith('literal') ? 0 : 2);
  if (a.name === 'literal int') return cost + (toClass === 'uint' ? 1 : 2);
  if (fromClass === 'float') return cost + 12;
  if (toClass === 'float') return cost + 8;
  return cost + 4;
}

function failureText(
  rows: readonly Intrinsic[],
  args: readonly CallArgument[],
  environment: MatchEnvironment,
  fitting: number,
  misfit: Misfit | undefined,
): string {
  const row = rows[0];
  if (!row) return 'there is no such function';
  const owner = environment.objectType && `'${typeName(environment.objectType)}'`;
  const subject = owner ? `'${row.name}' of ${owner}` : `'${row.name}'`;
  const all = rows.flatMap((each) => each.overloads);
  const candidates =
    all
      .slice(0, 4)
      .map((text) => `'${text}'`)
      .join(', ') + (all.length > 4 ? ', ...' : '');
  if (fitting === 0)
    return `${subject} does not take ${args.length} ${args.length === 1 ? 'argument' : 'arguments'}; it is ${candidates}`;
  if (fitting === 1 && misfit)
    return `argument ${misfit.argument + 1} of ${subject} ${misfit.reason}; it is ${candidates}`;
  return `no overload of ${subject} takes (${args.map((arg) => typeName(arg.type)).join(', ')}); there are ${candidates}`;
}
