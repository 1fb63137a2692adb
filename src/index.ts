/**
 * The public API of oneshader: `compile` and the types it speaks of.
 *
 * @packageDocumentation
 */
export { compile } from './compile.ts';
export type { CompileOptions, CompileResult, DebugKind, Diagnostic, Includes, Target } from './compile.ts';
export type { MetalReflection } from './msl/emit.ts';
export type { MapExtension, SourceMapFile } from './msl/map-writer.ts';
export type { MetalBinding } from './msl/resources.ts';
export { symbolicate, symbolicator } from './msl/symbolicate.ts';
export type { Symbolicator } from './msl/symbolicate.ts';
export type {
  BindingShift,
  LayoutFamily,
  MetalBindings,
  MetalOptions,
  MetalVersion,
  RegisterBinding,
  TargetEnv,
} from './options.ts';
export type {
  Reflection,
  ReflectedBinding,
  ReflectedMember,
  ReflectedType,
  ReflectedVariable,
} from './reflect/reflect.ts';
export type { DebugCoverage } from './spirv/debug-coverage.ts';
export { disassemble } from './spirv/disassemble.ts';
export { buildIdentifier, joinDebug, stripDebug } from './spirv/strip.ts';
export type { Joined, StripOptions } from './spirv/strip.ts';
export { verifyDebug } from './spirv/verify-debug.ts';
export type { DebugReport } from './spirv/verify-debug.ts';
