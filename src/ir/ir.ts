/**
 * The intermediate representation: structured, in SSA form. Control flow nests; there are no jumps and no phis. Values
 * enter a loop as parameters of its blocks and leave a control instruction as its results.
 *
 * What the optimizer-off build needs is the common case: locals are `var`s, read and written by `load` and `store`, and
 * control instructions carry no values. A value may be used where its definition dominates: later in the same block, or
 * in blocks nested in instructions after it.
 */
import type { PositionId, PositionTable, Scope } from '../source/position.ts';
import type { Location, SourceMap } from '../source/source-map.ts';
import type { LayoutRule, MatrixOrder, PointerType, StructType, Type, VkAttribute } from '../types/type.ts';
import type { Opcode } from './opcodes.ts';

export type Value = Constant | Parameter | Result | Global | Undef;

/** A number for int and uint up to 32 bits (in the type's own range) and for floats (rounded to the type); bigint for 64 bits. */
export type ScalarValue = number | bigint | boolean;

/**
 * A constant of any type without opaque parts. Vectors, matrices (row by row), arrays and structs hold one element per part.
 * Made by the builder, which interns scalars and vectors within a module.
 */
export interface Constant {
  kind: 'constant';
  type: Type;
  value: ScalarValue | readonly Constant[];
}
export interface Undef {
  kind: 'undef';
  type: Type;
}
/** Of a function or a block. */
export interface Parameter {
  kind: 'parameter';
  type: Type;
  name: string;
}
export interface Result {
  kind: 'result';
  type: Type;
  name?: string | undefined;
  instruction: Instruction;
}

/** Made by instruction.ts alone, so that all have the same fields. */
export interface Instruction {
  op: Opcode;
  operands: Value[];
  /** Never 0. */
  position: PositionId;
  /** Most have one; stores and terminators none; a control instruction has one per value that leaves it. */
  results: Result[];
  /** Empty except for control instructions. if: [then, else]; loop: [body, continuing]; switch: one per case group. */
  blocks: Block[];
  /** `call` only. */
  callee?: Function | undefined;
  /** `intrinsic` only: key of its row in intrinsics/table.ts. */
  intrinsic?: string | undefined;
  /** `intrinsic` only: the string literal that the call has as its first argument. */
  text?: string | undefined;
  /** `extract`, `insert`: constant path into the aggregate, outermost first. `swizzle`: component numbers. `debug_value`: part of the variable. */
  indices?: readonly number[] | undefined;
  /** `switch` only, parallel to `blocks`: the labels of each group; `default` is one. A group without `default` in the whole list means that default does nothing. */
  cases?: readonly (readonly (number | 'default')[])[] | undefined;
  /** `if`, `switch`, `loop`: what the attribute asked for (`[unroll(4)]` is `unroll` with `count`). */
  hint?:
    | {
        kind: 'branch' | 'flatten' | 'loop' | 'unroll' | 'call' | 'forcecase' | 'allow_uav_condition';
        count?: number;
      }
    | undefined;
  /** `debug_declare`, `debug_value` only. */
  variable?: DebugVariable | undefined;
  /** The result may not be reassociated or contracted (`precise`, -Gis). */
  precise?: boolean | undefined;
  /** `load`, `store` through pointers of `globallycoherent` resources. */
  coherent?: boolean | undefined;
  /** `repeat_if` only: how many operands after the condition go to `repeat`; the rest are break values. */
  repeatCount?: number | undefined;
  /** The last mark (marks.ts) that a pass has put on it. */
  mark: number;
}

/** `instructions` ends with exactly one terminator. */
export interface Block {
  parameters: Parameter[];
  instructions: Instruction[];
}

export interface Function {
  kind: 'function';
  /** As in the source; specialisations share it. Targets make it unique. */
  name: string;
  /** `in` parameters are values; `out` and `inout` are pointers of space `function` that the callee owns during the call. */
  parameters: Parameter[];
  returnType: Type;
  body: Block;
  /** Of kind `function`. */
  scope: Scope;
  /** Present for entry points, which have no parameters and return void: they read and write interface globals. */
  entry?: EntryPoint;
  /** `[noinline]`, `export` and the like. */
  attributes: readonly string[];
}

export type Stage =
  | 'vertex'
  | 'pixel'
  | 'compute'
  | 'geometry'
  | 'hull'
  | 'domain'
  | 'mesh'
  | 'amplification'
  | 'library';

export interface EntryPoint {
  stage: Stage;
  /** Name in the module. */
  name: string;
  /** compute */
  threadGroupSize?: readonly [number, number, number];
  /** pixel: `[earlydepthstencil]`, depth mode from SV_DepthGreaterEqual and the like. */
  earlyDepthStencil?: boolean;
  depthMode?: 'any' | 'greater' | 'less';
  inputs: Global[];
  outputs: Global[];
  /** `[[vk::...]]` execution modes and other attributes kept for the backend. */
  attributes: readonly VkAttribute[];
}

/** A variable outside functions. Its type is what its name denotes as a value: always a pointer, except spec constants. */
export interface Global {
  kind: 'global';
  name: string;
  type: Type;
  role: GlobalRole;
  /** private only: the value before the entry starts, zeros if absent. Non-constant initializers are stores at the head of the entry. */
  init?: Constant;
  /** Of the name in the source; 0 for made-up ones. */
  location: Location;
  /** Present if debuggers should see it as a global. */
  debug?: GlobalDebug;
}

export interface GlobalDebug {
  name: string;
  /** As written in the source (for cbuffers the struct of the contents). */
  type: Type;
  scope: Scope;
  location: Location;
}

export type GlobalRole =
  | { kind: 'private' }
  | { kind: 'workgroup' }
  /** cbuffers, textures, samplers, buffers and arrays of them: type pointer<resource, ...>. */
  | { kind: 'resource'; binding: ResourceBinding; coherent: boolean; attributes: readonly VkAttribute[] }
  /** type pointer<push-constant, struct> */
  | { kind: 'push-constant' }
  /** type bool or a number: `[[vk::constant_id(n)]]`, with `init` as default */
  | { kind: 'spec-constant'; id: number }
  /** type pointer<input, ...> */
  | { kind: 'input'; variable: InterfaceVariable }
  | { kind: 'output'; variable: InterfaceVariable };

export interface ResourceBinding {
  set: number;
  binding: number;
  /** As written: `t3`, space 1. Absent without `register`. */
  register?: { class: 'b' | 't' | 's' | 'u'; number: number; space: number };
  /** Of the counter of a RW, append or consume structured buffer. */
  counter?: { set: number; binding: number };
  inputAttachmentIndex?: number;
}

/** A leaf of a stage's inputs or outputs. */
export interface InterfaceVariable {
  /** `in.var.TEXCOORD0`, `out.var.SV_Target` as DXC names them. */
  name: string;
  /** Scalar, vector, matrix or array of them, as in the HLSL. */
  type: Type;
  /** Upper-case `SV_` names are kept as written in `semantic`; `builtin` is the canonical spelling of a system value. */
  semantic: { name: string; index: number };
  /** `SV_Position`, `SV_VertexID` ... or a `[[vk::builtin]]` name; absent for user semantics. SV_Target has a location and no builtin. */
  builtin?: string;
  location?: number;
  /** Dual source blending. */
  index?: number;
  /**
   * Canonical: `nointerpolation`, `noperspective`, `centroid`, `sample`. `pervertex`: the global is an array of the values
   * at the three vertices.
   */
  interpolation: readonly ('nointerpolation' | 'noperspective' | 'centroid' | 'sample' | 'pervertex')[];
  precise: boolean;
  at: Location;
  end: Location;
}

/** A local variable or parameter of the source, as debuggers show it. */
export interface DebugVariable {
  name: string;
  /** As written, but for the opaque parts that no memory has: members are those of the memory. Wholly opaque ones have none. */
  type: Type;
  /** Of the name. */
  location: Location;
  end: Location;
  /** Function scope for parameters, innermost block for locals. */
  scope: Scope;
  /** Parameters: from 1. `this` is 1 in a method. */
  argument?: number;
  isThis?: boolean;
}

/** What debuggers show of a function besides its name; its code may be gone. */
export interface FunctionSignature {
  /** As in the source; the IR's entry functions give nothing back. */
  returnType: Type;
  /** Methods, static ones too. */
  owner?: StructType;
}

/** A message of source/messages/ and its arguments. */
export interface Refusal {
  message: 'unroll-turns' | 'unroll-size' | 'unroll-count' | 'unroll-continue';
  position: PositionId;
  args: Readonly<Record<string, string | number>>;
}

export interface Module {
  sourceMap: SourceMap;
  positions: PositionTable;
  /** Of kind `unit`. */
  unit: Scope;
  /** In order of first use, callees after their callers' definition is fine; the entry first. */
  functions: Function[];
  /** In order of declaration; interface globals last. */
  globals: Global[];
  /** Local variables and parameters in order of declaration, dead ones included. */
  debugVariables: DebugVariable[];
  /** By the functions' scopes. A function without one is described by its code. */
  signatures?: Map<Scope, FunctionSignature>;
  /** Scalars `half` and min-precision are 16 bits wide. */
  enable16BitTypes: boolean;
  /** What the source asks for and passes had to refuse, for the user to know. */
  refusals?: Refusal[];
  /**
   * For what intrinsics expand to: how the contents of structured buffers lie, and how matrices that are not members
   * of a struct are packed. Absent: vulkan-storage, column_major.
   */
  memory?: { storage: LayoutRule; matrixOrder: MatrixOrder };
}

export type { PointerType, StructType };
