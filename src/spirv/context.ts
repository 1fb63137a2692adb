/** State of one emission, passed to every function of the stage. */
import type { Constant, Function as IrFunction, Module, Result, Value } from '../ir/ir.ts';
import type { Options, TargetEnv } from '../options.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { PositionId } from '../source/position.ts';
import type { Location } from '../source/source-map.ts';
import type { FunctionBody } from './body.ts';
import type { Type } from '../types/type.ts';
import type { DebugState } from './debug-info.ts';
import type { ResourceInfo } from './resources.ts';
import type { OpNumber, Sections } from './sections.ts';

/** A Vulkan version as number (1.2 is 102) and the SPIR-V version that belongs to it (1.5 is 105). */
export interface Target {
  env: TargetEnv;
  vulkan: number;
  spirv: number;
}

export interface Context {
  module: Module;
  options: Options;
  log: DiagnosticLog;
  target: Target;
  sections: Sections;
  /** True if matrices as values are OpTypeMatrix; without optimizer they are arrays of rows, which debuggers show as written. */
  matrixValues: boolean;
  capabilities: Set<number>;
  extensions: Set<string>;
  imports: Map<string, number>;
  /** Ids of types, constants and strings, by a key that says all. */
  interned: Map<string, number>;
  /** The same for what is asked for most, by object. */
  valueTypes: Map<Type, number>;
  constants: Map<Constant, number>;
  /** Pointer types by class and pointee. */
  pointerTypes: Map<number, number>;
  /** Ids of debug information for types that the code may declare itself. */
  reserved: Map<string, number>;
  /** Ids of functions, globals and their counters. */
  functions: Map<IrFunction, number>;
  globals: Map<Value, GlobalIds>;
  /** By the id of the variable. */
  resources: Map<number, ResourceInfo>;
  /** Hidden counters of structured buffers, by the id of the buffer. */
  counters: Map<number, number>;
  /** Inputs that instructions ask for by name, such as SubgroupSize. */
  builtins: Map<string, number>;
  /** What the code has made use of that the entry point must say. */
  uses: Set<'derivatives'>;
  /** Interfaces of entry points, from SPIR-V 1.4 on all globals that are used. */
  interface: number[];
  debug: DebugState | undefined;
  /** Run last: they declare what debug information was promised and the code did not declare. */
  debugDeclarations: (() => void)[];
  /** Strings of file names for OpSource and OpLine. */
  classicFiles: Map<string, number>;
  /** For diagnostics of what has no instruction at hand. */
  position: PositionId;
  /** Decorations given already, as `id,decoration`. */
  decorated: Set<string>;
}

export interface GlobalIds {
  id: number;
  storageClass: number;
}

/** The function being emitted. */
export interface FunctionContext extends Context {
  body: FunctionBody;
  function: IrFunction;
  values: Map<Value, number>;
  /** Results of `access` and kin: where they point. */
  places: Map<Value, Place>;
  texels: Map<Result, { resource: Value; coordinate: Value; level?: Value }>;
  nonUniform: Set<Value>;
  /** Textures and samplers that are loaded on every way to the code being emitted, by variable and indices, in this order. */
  handles: Map<string, number>;
  /** Rows of the matrices that the optimized code made of rows, by id: taking one out again needs no instruction. */
  rows: Map<number, readonly number[]>;
  /** A pixel shader with rasterizer ordered views, whose invocations take turns. */
  interlocked: boolean;
}

/** A pointer that is described, not yet made: the variable or pointer it starts from and the steps. */
export interface Place {
  base: number;
  path: number[];
  storageClass: number;
  /** Row of a matrix that lies column by column as an array: the row's id; `path` then leads to the matrix. */
  row: number | undefined;
  nonUniform: boolean;
  /** Some index into an array of resources is no constant. */
  dynamic: boolean;
  /** The whole contents of a constant buffer: the block's type, which differs from that of nested structs. */
  blockType: number | undefined;
}

export function typeInstruction(context: Context, key: string, op: OpNumber, ...operands: number[]): number {
  let id = context.interned.get(key);
  if (id === undefined) {
    id = context.sections.id();
    context.interned.set(key, id);
    context.sections.add('declarations', op, id, ...operands);
  }
  return id;
}

export function locationOf(context: Context): Location {
  return context.position ? context.module.positions.get(context.position).location : 0;
}
