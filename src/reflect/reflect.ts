/**
 * Reflection: what a program that uses a shader must know of it. Made from the IR, so it tells what the module really has.
 * The shape is plain JSON data; `-Fre` writes it as it is.
 */
import type { EntryPoint, Global, InterfaceVariable, Module, Stage } from '../ir/ir.ts';
import type { Options } from '../options.ts';
import { elementStride, scalarSize, structLayout, typeLayout } from '../types/layout.ts';
import { bufferLayout, layoutRule } from '../types/layout-rules.ts';
import {
  elementOf,
  type LayoutRule,
  type MatrixOrder,
  type StructType,
  type Type,
  typeName,
} from '../types/type.ts';

/** A type with the offsets its memory has. Sizes and offsets are in bytes. */
export interface ReflectedType {
  /** HLSL spelling: `float4x4`, `Light`, `Texture2D<float4>`. */
  name: string;
  kind: 'scalar' | 'vector' | 'matrix' | 'array' | 'struct' | 'resource';
  /** Scalars, vectors, matrices: the scalar's HLSL name. */
  scalar?: string;
  rows?: number;
  columns?: number;
  /** Matrices in memory. */
  matrixOrder?: MatrixOrder;
  /** Arrays: number of elements, 0 if unbounded. */
  count?: number;
  /** Arrays, structured buffers and matrices in memory: distance of elements, or of rows or columns. */
  stride?: number;
  element?: ReflectedType;
  members?: ReflectedMember[];
  /** Only in memory. */
  size?: number;
  /** Matrices in memory: bytes of a scalar. */
  scalarSize?: number;
}

export interface ReflectedMember {
  name: string;
  type: ReflectedType;
  offset?: number;
}

export interface ReflectedVariable {
  name: string;
  semantic: string;
  semanticIndex: number;
  type: ReflectedType;
  /** Absent for system values. */
  location?: number;
  /** Name of the system value, such as `SV_Position`. */
  systemValue?: string;
  interpolation: string[];
}

export interface ReflectedBinding {
  name: string;
  /** What a descriptor must be: `constant-buffer`, `structured-buffer`, `texture`, `sampler` ... */
  kind: string;
  set: number;
  binding: number;
  /** Number of descriptors: 1, the array's size, or 0 if unbounded. */
  count: number;
  /** Register and space as written in the source. */
  register?: string;
  space?: number;
  writable: boolean;
  type: ReflectedType;
  /** Binding of the hidden counter of append, consume and RW structured buffers. */
  counter?: { set: number; binding: number };
}

export interface Reflection {
  stage: Stage;
  entry: string;
  /** compute */
  threadGroupSize?: [number, number, number];
  inputs: ReflectedVariable[];
  outputs: ReflectedVariable[];
  bindings: ReflectedBinding[];
  pushConstants?: { name: string; type: ReflectedType };
  specializationConstants: { name: string; id: number; type: string; default: number | boolean | string }[];
}

/** Describes the module's entry point and everything it is bound to, in order of declaration. */
export function reflect(module: Module, options: Options): Reflection {
  const entry = module.functions.find((one) => one.entry)?.entry;
  if (!entry) throw new RangeError('the module has no entry point');
  const reflection: Reflection = {
    stage: entry.stage,
    entry: entry.name,
    ...(entry.threadGroupSize && { threadGroupSize: [...entry.threadGroupSize] as [number, number, number] }),
    inputs: variables(entry, 'inputs'),
    outputs: variables(entry, 'outputs'),
    bindings: [],
    specializationConstants: [],
  };
  for (const global of module.globals) addGlobal(reflection, global, module, options);
  return reflection;
}

function variables(entry: EntryPoint, side: 'inputs' | 'outputs'): ReflectedVariable[] {
  return entry[side].flatMap(({ role }) =>
    role.kind === 'input' || role.kind === 'output' ? [variable(role.variable)] : [],
  );
}

function variable(one: InterfaceVariable): ReflectedVariable {
  return {
    name: one.name,
    semantic: one.semantic.name,
    semanticIndex: one.semantic.index,
    type: valueType(one.type),
    ...(one.location !== undefined && { location: one.location }),
    ...(one.builtin !== undefined && { systemValue: one.builtin }),
    interpolation: [...one.interpolation],
  };
}

function addGlobal(reflection: Reflection, global: Global, module: Module, options: Options): void {
  const { role, type, name } = global;
  if (role.kind === 'resource' && type.kind === 'pointer') {
    reflection.bindings.push(binding(global, role, type.pointee, module, options));
  } else if (role.kind === 'push-constant' && type.kind === 'pointer') {
    const rule = type.layout ?? layoutRule(options.layout, 'push-constant');
    reflection.pushConstants = {
      name,
      type: memoryType(type.pointee, rule, undefined, module.enable16BitTypes),
    };
  } else if (role.kind === 'spec-constant') {
    const value = global.init?.value;
    const shown = typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
    reflection.specializationConstants.push({ name, id: role.id, type: typeName(type), default: shown });
  }
}

type ResourceRole = Extract<Global['role'], { kind: 'resource' }>;

function binding(
  global: Global,
  role: ResourceRole,
  type: Type,
  module: Module,
  options: Options,
): ReflectedBinding {
  let count = 1;
  let element = type;
  for (; element.kind === 'array'; element = element.element) count *= element.size;
  const { register, counter } = role.binding;
  return {
    name: global.name,
    kind: resourceKind(element),
    set: role.binding.set,
    binding: role.binding.binding,
    count,
    ...(register && { register: `${register.class}${register.number}`, space: register.space }),
    writable: isWritable(element),
    type: resourceType(element, module, options),
    ...(counter && { counter }),
  };
}

function resourceKind(type: Type): string {
  switch (type.kind) {
    case 'buffer': {
      if (type.buffer === 'ConstantBuffer') return 'constant-buffer';
      if (type.buffer === 'TextureBuffer') return 'texture-buffer';
      return type.buffer.includes('ByteAddress') ? 'byte-address-buffer' : 'structured-buffer';
    }
    case 'texture':
      return type.dimension === 'Buffer'
        ? 'typed-buffer'
        : type.dimension === 'Subpass'
          ? 'input-attachment'
          : type.name.startsWith('Sampled')
            ? 'combined-image-sampler'
            : 'texture';
    case 'sampler':
      return type.comparison ? 'comparison-sampler' : 'sampler';
    default:
      return type.kind;
  }
}

function isWritable(type: Type): boolean {
  if (type.kind === 'texture') return type.writable;
  return type.kind === 'buffer' && /^(RW|Append|Consume|Rasterizer)/.test(type.buffer);
}

function resourceType(type: Type, module: Module, options: Options): ReflectedType {
  if (type.kind === 'buffer') {
    const rule = bufferLayout(options.layout, type.buffer);
    const contents = memoryType(type.element, rule, type.matrixOrder, module.enable16BitTypes);
    const isStructured = resourceKind(type) === 'structured-buffer';
    const stride = elementStride(type.element, rule, type.matrixOrder, module.enable16BitTypes);
    return { name: typeName(type), kind: 'resource', element: contents, ...(isStructured && { stride }) };
  }
  if (type.kind === 'texture')
    return { name: typeName(type), kind: 'resource', element: valueType(type.element) };
  return { name: typeName(type), kind: 'resource' };
}

/** A type as a value, without offsets. */
function valueType(type: Type): ReflectedType {
  const name = typeName(type);
  switch (type.kind) {
    case 'array':
      return { name, kind: 'array', count: type.size, element: valueType(type.element) };
    case 'struct':
      return {
        name,
        kind: 'struct',
        members: type.members.map((member) => ({ name: member.name, type: valueType(member.type) })),
      };
    default:
      return { name, ...numeric(type) };
  }
}

/** A type as it lies in a buffer. */
function memoryType(
  type: Type,
  rule: LayoutRule,
  order: MatrixOrder | undefined,
  half: boolean,
): ReflectedType {
  const name = typeName(type);
  const layout = typeLayout(type, rule, order, half);
  switch (type.kind) {
    case 'array':
      return {
        name,
        kind: 'array',
        count: type.size,
        stride: layout.stride,
        element: memoryType(type.element, rule, order, half),
        size: layout.size,
      };
    case 'struct':
      return { name, kind: 'struct', members: members(type, rule, half), size: layout.size };
    case 'matrix':
      return {
        name,
        ...numeric(type),
        matrixOrder: order ?? 'column_major',
        stride: layout.stride,
        size: layout.size,
        scalarSize: scalarSize(type.element, half),
      };
    default:
      return { name, ...numeric(type), size: layout.size };
  }
}

function members(type: StructType, rule: LayoutRule, half: boolean): ReflectedMember[] {
  const layout = structLayout(type, rule, half);
  return type.members.map((member, i) => ({
    name: member.name,
    type: memoryType(member.type, rule, member.matrixOrder, half),
    offset: layout.offsets[i] ?? 0,
  }));
}

function numeric(type: Type): Pick<ReflectedType, 'kind'> & Partial<ReflectedType> {
  const scalar = elementOf(type)?.name ?? typeName(type);
  switch (type.kind) {
    case 'vector':
      return { kind: 'vector', scalar, columns: type.count };
    case 'matrix':
      return { kind: 'matrix', scalar, rows: type.rows, columns: type.columns };
    default:
      return { kind: 'scalar', scalar };
  }
}
