/** What the Metal backend knows while it writes a module and a function. */
import type { Function as IrFunction, Global, Instruction, Module, Value } from '../ir/ir.ts';
import type { Options } from '../options.ts';
import type { DiagnosticLog, MessageArgs } from '../source/diagnostic.ts';
import type { MessageKey } from '../source/messages.ts';
import type { Location } from '../source/source-map.ts';
import type { StructType } from '../types/type.ts';
import type { FunctionFacts } from './analysis.ts';
import type { MemoryStruct } from './layout.ts';
import type { Names } from './names.ts';
import type { Place } from './places.ts';
import type { Writer } from './writer.ts';

export interface Context {
  module: Module;
  options: Options;
  log: DiagnosticLog;
  names: Names;
  /** Least version of the language that the text needs so far, as 230. */
  version: number;
  structs: Map<StructType, { name: string; members: string[] }>;
  /** Those of a type differ in their rules. */
  memoryStructs: Map<StructType, MemoryStruct[]>;
  /** Definitions of types, in the order in which they can stand. */
  typeTexts: string[];
  /** Program-scope tables. */
  tables: Map<unknown, string>;
  tableTexts: string[];
  /** Generated functions by key: their name; texts in order. */
  helpers: Map<string, string>;
  helperTexts: string[];
  /** Functions, callees before callers. */
  order: readonly IrFunction[];
  functions: Map<IrFunction, string>;
  /** Functions whose calls may wait in expressions. */
  withoutEffects: ReadonlySet<IrFunction>;
  /** What each function needs from its caller. */
  needs: Map<IrFunction, readonly Need[]>;
  globals: Map<Global, string>;
  textures: Map<Global, TextureUse>;
  /** Types of parameters that are resources, up to their names. */
  resourceTexts: Map<Global, string>;
  /** Inputs that the code interpolates itself. */
  interpolants: ReadonlySet<Global>;
  /** Expressions carry marks for a source map. */
  marks: boolean;
  /** Where messages about what is being written point to. */
  at: Location;
}

/** A global or an input of the stage that is handed down as a parameter. */
export type Need =
  | { kind: 'global'; global: Global }
  | { kind: 'counter'; global: Global }
  | { kind: 'sizes'; global: Global }
  /** Whether the pixel was discarded. */
  | { kind: 'discarded' }
  | { kind: 'builtin'; attribute: string };

export interface TextureUse {
  read: boolean;
  written: boolean;
  compared: boolean;
  atomic: boolean;
}

/** A piece of an expression. */
export interface Expression {
  text: string;
  /** How tightly the outermost operator binds; `atom` never needs parentheses. */
  binding: number;
  /** It must be evaluated before anything else takes effect. */
  fixed: boolean;
  /** All components are this one, which will do beside another vector. */
  scalar?: Expression | undefined;
  /** What an operator does to what stands on its left; without marks. */
  operation?: { left: string; sign: string; right: string } | undefined;
  /** With `--robust`: it may only happen under these conditions, and is zero otherwise. */
  guards?: readonly string[] | undefined;
}

/** Part of a place's text that may yet get a name of its own. */
export interface IndexText {
  text: string;
  fixed: boolean;
  holders: Value[];
}

export interface FunctionContext extends Context, FunctionFacts {
  writer: Writer;
  function: IrFunction;
  locals: Names;
  values: Map<Value, Expression>;
  places: Map<Value, Place>;
  /** Expressions that wait for their only use. */
  pending: Map<Value, Expression>;
  open: Set<IndexText>;
  /** The variables that are declared late, by their names in the text. */
  lateNames: Map<string, Value>;
  builtins: Map<string, string>;
  counters: Map<Global, string>;
  sizes: Map<Global, string>;
  /** Set while an expression is put together out of fixed ones. */
  fixed: boolean;
  position: number;
  /** With `--robust`: a local that stays false, which compilers do not know. */
  leaves: string | undefined;
  /** A local or parameter that tells whether the pixel was discarded, where that has to be known. */
  discarded: string | undefined;
  /** Something was written that may have discarded it, or the caller may. */
  mayBeDiscarded: boolean;
  /** By their parts with locations of their own; of clip distances by their scalars. */
  outputs: Map<Global, readonly string[]>;
  inputs: Map<Global, Expression>;
  /** Of interpolants, by their parts with locations of their own. */
  interpolantFields: Map<Global, readonly string[]>;
}

export function report(context: Context, key: MessageKey, args: MessageArgs = {}): void {
  context.log.report(key, context.at, args);
}

/** Says that the text needs a version of the language; an error if the target is older. */
export function needVersion(context: Context, version: number, what: string): void {
  if (version > context.version) context.version = version;
  const [major, minor] = context.options.metal.version.split('.').map(Number) as [number, number];
  if (major * 100 + minor * 10 >= version) return;
  report(context, 'metal-needs-version', {
    what,
    needed: `${Math.floor(version / 100)}.${(version % 100) / 10}`,
    version: context.options.metal.version,
  });
}

export type { Instruction };
