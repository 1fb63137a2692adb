/**
 * The notation that says how an intrinsic is called; a signature is read once, and only when a call asks for it.
 *
 *     T clamp(T x, T min, T max) where T: numeric
 *     T.scalar dot(T a, T b) where T: numeric vector
 *     vector<E,R> mul(matrix<E,R,C> a, vector<E,C> b) where E: numeric
 *     void InterlockedAdd(ref T destination, T value, out T original?) where T: int32!
 *     element Sample(sampler sampler, location location, offset offset?, float clamp?, out uint status?)
 *
 * A parameter is `mode type name`; `?` after the name makes it (and all after it) optional. Modes: `out`, `inout`, `ref`
 * (a place, see MatchedParameter.reference). Types:
 *
 * | type | meaning |
 * | --- | --- |
 * | `uint4`, `float3x4` ... | that type |
 * | `T` | a type variable: scalar, vector or matrix, the same wherever it is named |
 * | `T.scalar`, `T.4`, `T.bool` | T's element; a vector of 4 of it; T's shape with another element |
 * | `vector<E,C>`, `matrix<E,R,C>` | variables for element and sizes |
 * | `sampler`, `comparison`, `anysampler` | sampler states |
 * | `element`, `gathered` | of the object: its element type; four of the element's scalar |
 * | `location`, `direction` | of a texture: float coordinates with and without the array layer |
 * | `texel`, `mipped` | of a texture: integer coordinates with the array layer; with the mip level behind |
 * | `offset` | of a texture: integer offset; a cube has none, so the parameter does not exist there |
 * | `template` | the argument in `<>`; left out: uint as a result, the argument's type as a parameter |
 *
 * `where T: class shape`: the class lists the elements that T may have, the first being what any other becomes;
 * `!` refuses others instead. Shapes: absent (any), `scalar`, `vector` (or scalar), `matrix`, `square`, a number of components.
 */
import { InternalError } from '../source/diagnostic.ts';
import { splitSized } from '../syntax/builtin-types.ts';
import {
  matrix,
  type ScalarName,
  type ScalarType,
  scalar,
  stringType,
  type Type,
  vector,
  voidType,
} from '../types/type.ts';

export type ObjectWord = 'element' | 'gathered' | 'location' | 'direction' | 'texel' | 'mipped' | 'offset';

export type TypeReference =
  | { kind: 'fixed'; type: Type }
  | { kind: 'variable'; name: string; part: 'whole' | 'scalar' | number | ScalarType }
  | { kind: 'sized'; element: string; rows?: string; columns: string }
  | { kind: 'sampler'; comparison?: boolean }
  | { kind: 'object'; word: ObjectWord }
  | { kind: 'template' };

export interface SignatureParameter {
  name: string;
  type: TypeReference;
  mode: 'in' | 'out' | 'inout';
  reference: boolean;
  optional: boolean;
}

export type Shape = 'any' | 'scalar' | 'vector' | 'matrix' | 'square' | number;

export interface Constraint {
  elements: readonly ScalarName[];
  /** Elements outside the list are refused, not converted. */
  strict: boolean;
  shape: Shape;
}

export interface Signature {
  name: string;
  result: TypeReference;
  parameters: readonly SignatureParameter[];
  /** Those that a cube has. */
  cubeParameters: readonly SignatureParameter[];
  variables: ReadonlyMap<string, Constraint>;
}

// ---- the notation

const floats: readonly ScalarName[] = [
  'float',
  'half',
  'float16_t',
  'min10float',
  'min16float',
  'literal float',
];
const ints: readonly ScalarName[] = [
  'int',
  'uint',
  'int16_t',
  'uint16_t',
  'int64_t',
  'uint64_t',
  'literal int',
];
const minInts: readonly ScalarName[] = ['min12int', 'min16int', 'min16uint'];

/** Element classes; what is not listed becomes the first. Min-precision integers become `int` where a width matters. */
const classes: Readonly<Record<string, readonly ScalarName[]>> = {
  bool: ['bool'],
  /** 32 bits only. */
  float: ['float', 'half', 'literal float'],
  floatlike: floats,
  floating: [...floats, 'double'],
  double: ['double', 'literal float'],
  int: ints,
  int32: ['int', 'uint', 'literal int'],
  atomic: ['int', 'uint', 'int64_t', 'uint64_t'],
  exchangeable: ['int', 'uint', 'int64_t', 'uint64_t', 'float'],
  int16or32: ['int', 'uint', 'int16_t', 'uint16_t', 'literal int'],
  sint16or32: ['int', 'int16_t', 'literal int'],
  uint: ['uint', 'literal int'],
  numeric: [...floats, 'double', ...ints, ...minInts],
  numeric32: ['float', 'half', 'int', 'uint', 'literal float', 'literal int'],
  numeric16: ['float16_t', 'int16_t', 'uint16_t'],
  any: [...floats, 'double', ...ints, ...minInts, 'bool'],
};

const scalarNames: ReadonlySet<string> = new Set<ScalarName>([
  'bool',
  'int16_t',
  'uint16_t',
  'int64_t',
  'uint64_t',
  'int',
  'uint',
  'half',
  'float16_t',
  'float',
  'double',
]);
const objectWords: ReadonlySet<string> = new Set([
  'element',
  'gathered',
  'location',
  'direction',
  'texel',
  'mipped',
  'offset',
]);

const signatures = new Map<string, Signature>();

/** Reads a signature, once. */
export function signatureOf(text: string): Signature {
  let signature = signatures.get(text);
  if (!signature) {
    signature = readSignature(text);
    signatures.set(text, signature);
  }
  return signature;
}

function readSignature(text: string): Signature {
  const open = text.indexOf('(');
  const close = text.indexOf(')');
  const [result = '', name = ''] = text.slice(0, open).split(' ');
  const list = text.slice(open + 1, close);
  const [, conditions] = text.slice(close).split(' where ');
  const variables = new Map<string, Constraint>();
  for (const condition of conditions ? conditions.split(', ') : []) {
    const [variable, described = ''] = condition.split(': ');
    const [written = '', shape = 'any'] = described.split(' ');
    const strict = written.endsWith('!');
    const elements = classes[strict ? written.slice(0, -1) : written];
    if (!elements) throw new InternalError(`cannot read the condition '${condition}' of '${text}'`);
    variables.set(variable!, { elements, strict, shape: sizeOf(shape) ?? (shape as Shape) });
  }
  const parameters = list ? list.split(', ').map((item) => readParameter(item, variables, text)) : [];
  const cubeParameters = parameters.filter(({ type }) => type.kind !== 'object' || type.word !== 'offset');
  return { name, result: readType(result, variables, text), parameters, cubeParameters, variables };
}

/** A number of components. */
function sizeOf(word: string): number | undefined {
  return word >= '1' && word <= '4' ? Number(word) : undefined;
}

function readParameter(
  item: string,
  variables: ReadonlyMap<string, Constraint>,
  text: string,
): SignatureParameter {
  const words = item.split(' ');
  const mode = words.length === 3 ? words.shift() : undefined;
  const [type, name] = words;
  if (type === undefined || name === undefined)
    throw new InternalError(`cannot read the parameter '${item}' of '${text}'`);
  const optional = name.endsWith('?');
  return {
    name: optional ? name.slice(0, -1) : name,
    type: readType(type, variables, text),
    mode: mode === 'ref' ? 'inout' : ((mode as 'out' | 'inout' | undefined) ?? 'in'),
    reference: mode === 'ref',
    optional,
  };
}

function readType(word: string, variables: ReadonlyMap<string, Constraint>, text: string): TypeReference {
  if (word === 'void') return { kind: 'fixed', type: voidType };
  if (word === 'string') return { kind: 'fixed', type: stringType };
  if (word === 'template') return { kind: 'template' };
  if (word === 'sampler') return { kind: 'sampler', comparison: false };
  if (word === 'comparison') return { kind: 'sampler', comparison: true };
  if (word === 'anysampler') return { kind: 'sampler' };
  if (objectWords.has(word)) return { kind: 'object', word: word as ObjectWord };
  const fixed = fixedType(word);
  if (fixed) return { kind: 'fixed', type: fixed };
  if (word.endsWith('>')) {
    const [element = '', ...sizes] = word.slice(word.indexOf('<') + 1, -1).split(',');
    const columns = sizes.pop()!;
    return { kind: 'sized', element, ...(sizes[0] && { rows: sizes[0] }), columns };
  }
  const [name, part] = word.split('.');
  if (!variables.has(name!)) throw new InternalError(`cannot read the type '${word}' of '${text}'`);
  if (part === undefined) return { kind: 'variable', name: name!, part: 'whole' };
  if (part === 'scalar') return { kind: 'variable', name: name!, part };
  return { kind: 'variable', name: name!, part: sizeOf(part) ?? scalar(part as ScalarName) };
}

function fixedType(word: string): Type | undefined {
  if (scalarNames.has(word)) return scalar(word as ScalarName);
  const sized = splitSized(word);
  if (!sized || !scalarNames.has(sized.element)) return undefined;
  const element = scalar(sized.element as ScalarName);
  return sized.second ? matrix(element, sized.first, sized.second) : vector(element, sized.first);
}

/** The parameters that `count` arguments go to, or undefined if the signature does not take so many. */
export function parametersFor(
  signature: Signature,
  count: number,
  objectType?: Type,
): readonly SignatureParameter[] | undefined {
  const isCube = objectType?.kind === 'texture' && objectType.dimension === 'Cube';
  const parameters = isCube ? signature.cubeParameters : signature.parameters;
  if (count === parameters.length) return parameters;
  if (count > parameters.length || !parameters[count]!.optional) return undefined;
  return parameters.slice(0, count);
}
