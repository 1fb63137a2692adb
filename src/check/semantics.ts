/**
 * System values: where each is allowed and what it is there. `user` places treat the name as any other semantic, with
 * a location; `builtin` places have a builtin variable of the target; `target` is a colour output.
 */
import type { Stage } from '../ir/ir.ts';
import { elementOf, scalarBits, scalarClass, type Type } from '../types/type.ts';

export type Direction = 'input' | 'output';
export type Meaning = 'builtin' | 'user' | 'target';
type SemanticPlace = 'vertex input' | 'vertex output' | 'pixel input' | 'pixel output' | 'compute input';

export interface SystemValue {
  /** Canonical spelling. */
  name: string;
  places: Partial<Record<SemanticPlace, Meaning>>;
  /** Least shader model, as 61 for 6.1. */
  shaderModel?: number;
  /** What a builtin's type must be. */
  type?: TypeRule;
  unsupported?: boolean;
}

interface TypeRule {
  text: string;
  /** `enable16BitTypes`: half and minimum-precision types have 16 bits. */
  fits(type: Type, enable16BitTypes: boolean): boolean;
}

const isFloat = (type: Type): boolean =>
  elementOf(type) !== undefined && scalarClass(elementOf(type)!) === 'float';
const is32 = (type: Type, wide: boolean): boolean =>
  isFloat(type) && scalarBits(elementOf(type)!, wide) === 32;
const isInteger = (type: Type): boolean => {
  const element = elementOf(type);
  return element !== undefined && (scalarClass(element) === 'int' || scalarClass(element) === 'uint');
};
const countOf = (type: Type): number =>
  type.kind === 'scalar' ? 1 : type.kind === 'vector' ? type.count : 0;

/** Arrays of one element and structs around a value are looked through for SV_Position, as DXC does. */
function unwrap(type: Type): Type {
  return type.kind === 'array' && type.size === 1 ? unwrap(type.element) : type;
}

const floatScalar: TypeRule = { text: 'a float', fits: (type) => isFloat(type) && countOf(type) === 1 };
const float4: TypeRule = {
  text: 'a float4 of 32-bit floats',
  fits: (type, wide) => is32(unwrap(type), wide) && countOf(unwrap(type)) === 4,
};
const float3: TypeRule = { text: 'a float3', fits: (type) => isFloat(type) && countOf(type) === 3 };
const integer: TypeRule = { text: 'an int or uint', fits: (type) => isInteger(type) && countOf(type) === 1 };
const uint: TypeRule = {
  text: 'a uint',
  fits: (type) => countOf(type) === 1 && elementOf(type)?.name === 'uint',
};
const integers3: TypeRule = {
  text: 'a vector of at most three int or uint',
  fits: (type) => isInteger(type) && countOf(type) >= 1 && countOf(type) <= 3,
};
const truth: TypeRule = {
  text: 'a bool, int or uint',
  fits: (type) => countOf(type) === 1 && elementOf(type) !== undefined && !isFloat(type),
};
const colour: TypeRule = {
  text: 'a scalar or vector of numbers, or an array of them',
  fits: (type, wide) => (type.kind === 'array' ? colour.fits(type.element, wide) : countOf(type) > 0),
};
const distances: TypeRule = {
  text: 'a float, a vector of floats or an array of them',
  fits: (type, wide) =>
    type.kind === 'array' ? distances.fits(type.element, wide) : isFloat(type) && countOf(type) > 0,
};

const rows: readonly SystemValue[] = [
  { name: 'SV_VertexID', places: { 'vertex input': 'builtin' }, type: integer },
  {
    name: 'SV_InstanceID',
    places: { 'vertex input': 'builtin', 'vertex output': 'user', 'pixel input': 'user' },
    type: integer,
  },
  {
    name: 'SV_Position',
    places: { 'vertex input': 'user', 'vertex output': 'builtin', 'pixel input': 'builtin' },
    type: float4,
  },
  {
    name: 'SV_RenderTargetArrayIndex',
    places: { 'vertex input': 'user', 'vertex output': 'builtin', 'pixel input': 'builtin' },
    type: integer,
  },
  {
    name: 'SV_ViewportArrayIndex',
    places: { 'vertex input': 'user', 'vertex output': 'builtin', 'pixel input': 'builtin' },
    type: integer,
  },
  {
    name: 'SV_ClipDistance',
    places: { 'vertex input': 'user', 'vertex output': 'builtin', 'pixel input': 'builtin' },
    type: distances,
  },
  {
    name: 'SV_CullDistance',
    places: { 'vertex input': 'user', 'vertex output': 'builtin', 'pixel input': 'builtin' },
    type: distances,
  },
  { name: 'SV_OutputControlPointID', places: {} },
  { name: 'SV_DomainLocation', places: {} },
  { name: 'SV_PrimitiveID', places: { 'pixel input': 'builtin' }, type: integer },
  { name: 'SV_GSInstanceID', places: {} },
  { name: 'SV_SampleIndex', places: { 'pixel input': 'builtin' }, type: integer },
  { name: 'SV_IsFrontFace', places: { 'pixel input': 'builtin' }, type: truth },
  { name: 'SV_Coverage', places: { 'pixel input': 'builtin', 'pixel output': 'builtin' }, type: integer },
  { name: 'SV_InnerCoverage', places: { 'pixel input': 'builtin' }, type: uint },
  { name: 'SV_Target', places: { 'pixel output': 'target' }, type: colour },
  { name: 'SV_Depth', places: { 'pixel output': 'builtin' }, type: floatScalar },
  { name: 'SV_DepthLessEqual', places: { 'pixel output': 'builtin' }, type: floatScalar },
  { name: 'SV_DepthGreaterEqual', places: { 'pixel output': 'builtin' }, type: floatScalar },
  { name: 'SV_StencilRef', places: { 'pixel output': 'builtin' }, type: integer },
  { name: 'SV_DispatchThreadID', places: { 'compute input': 'builtin' }, type: integers3 },
  { name: 'SV_GroupID', places: { 'compute input': 'builtin' }, type: integers3 },
  { name: 'SV_GroupIndex', places: { 'compute input': 'builtin' }, type: integer },
  { name: 'SV_GroupThreadID', places: { 'compute input': 'builtin' }, type: integers3 },
  { name: 'SV_TessFactor', places: {} },
  { name: 'SV_InsideTessFactor', places: {} },
  {
    name: 'SV_ViewID',
    places: { 'vertex input': 'builtin', 'pixel input': 'builtin' },
    shaderModel: 61,
    type: integer,
  },
  { name: 'SV_Barycentrics', places: { 'pixel input': 'builtin' }, shaderModel: 61, type: float3 },
  {
    name: 'SV_ShadingRate',
    places: { 'vertex output': 'builtin', 'pixel input': 'builtin' },
    shaderModel: 64,
    type: integer,
  },
  { name: 'SV_CullPrimitive', places: { 'pixel input': 'builtin' }, unsupported: true },
  { name: 'SV_StartVertexLocation', places: { 'vertex input': 'builtin' }, shaderModel: 68, type: integer },
  { name: 'SV_StartInstanceLocation', places: { 'vertex input': 'builtin' }, shaderModel: 68, type: integer },
];

const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));

/** The system value of a name without index; spelling does not heed case. */
export function systemValue(name: string): SystemValue | undefined {
  return byName.get(name.toLowerCase());
}

export function hasSystemPrefix(name: string): boolean {
  return name.slice(0, 3).toLowerCase() === 'sv_';
}

/** `TEXCOORD12` is name `TEXCOORD`, index 12. */
export function splitSemantic(text: string): { name: string; index: number } {
  const digits = /\d{0,9}$/.exec(text)?.[0] ?? '';
  return { name: text.slice(0, text.length - digits.length), index: digits === '' ? 0 : Number(digits) };
}

export function semanticPlace(stage: Stage, direction: Direction): SemanticPlace {
  return `${stage} ${direction}` as SemanticPlace;
}

/** Places that take semantics of the user's own. */
export const userPlaces: ReadonlySet<SemanticPlace> = new Set<SemanticPlace>([
  'vertex input',
  'vertex output',
  'pixel input',
]);

/** `[[vk::builtin("...")]]`. */
export const vkBuiltins: Readonly<
  Record<string, { places: readonly SemanticPlace[]; type: TypeRule } | undefined>
> = {
  PointSize: { places: ['vertex output', 'pixel input'], type: floatScalar },
  HelperInvocation: {
    places: ['pixel input'],
    type: { text: 'a bool', fits: (type) => countOf(type) === 1 && elementOf(type)?.name === 'bool' },
  },
  BaseVertex: { places: ['vertex input'], type: integer },
  BaseInstance: { places: ['vertex input'], type: integer },
  DrawIndex: { places: ['vertex input'], type: integer },
  DeviceIndex: { places: ['vertex input', 'pixel input', 'compute input'], type: integer },
};
