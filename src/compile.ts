/**
 * The pipeline as one function, a line per stage; the only catch for internal errors.
 *
 *     text -> tokens -> AST -> typed program -> IR -> SPIR-V words, Metal text
 */
import { check } from './check/check.ts';
import type { Module } from './ir/ir.ts';
import { lower } from './lower/lower.ts';
import { declaredSlots, emitMsl, type MetalReflection } from './msl/emit.ts';
import { defaults, describeOptions, type DebugOptions, type MetalOptions, type Options } from './options.ts';
import { type PassWatcher, runPasses } from './passes/pipeline.ts';
import { preprocess } from './preprocess/preprocess.ts';
import { reflect, type Reflection } from './reflect/reflect.ts';
import {
  type Diagnostic as LogEntry,
  DiagnosticLog,
  InternalError,
  type Severity,
} from './source/diagnostic.ts';
import { PositionTable } from './source/position.ts';
import { renderDiagnostic } from './source/render.ts';
import { type Location, SourceMap } from './source/source-map.ts';
import { emitSpirv } from './spirv/emit.ts';
import { parse } from './syntax/parser.ts';

/** What `-fspv-debug=` takes. `rich` is written as `vulkan`: Vulkan has no place for OpenCL's records. */
export type DebugKind =
  | 'file'
  | 'source'
  | 'line'
  | 'tool'
  | 'rich'
  | 'rich-with-source'
  | 'vulkan'
  | 'vulkan-with-source'
  | 'line-table';

/** What a compilation makes: SPIR-V for Vulkan, or the Metal Shading Language. */
export type Target = 'spirv' | 'msl';

/** Includes from memory: text by path, or a function that gives the text of a path, or undefined if there is none. */
export type Includes = Readonly<Record<string, string>> | ((path: string) => string | undefined);

/** Plain options that mirror the flags; every field but `source` and `profile` has a default. */
export interface CompileOptions
  extends Partial<Omit<Options, 'debug' | 'defines' | 'optimizationLevel' | 'debugArguments' | 'metal'>> {
  /** What to make; `spirv` if absent. */
  target?: Target;
  /** The same for more than one at once. */
  targets?: readonly Target[];
  /** Options of the Metal target; each has a default. */
  metal?: Partial<MetalOptions>;
  /** The main file: its text, and the name that messages and debug information show. */
  source: { name: string; text: string };
  /** Macros by name, or in order. `true` is 1. */
  defines?: Readonly<Record<string, string | number | boolean>> | readonly { name: string; value: string }[];
  /** Where `#include` finds files. Without it an include is an error. */
  includes?: Includes;
  /** `true` is `vulkan-with-source`. Off by default, and off changes nothing. */
  debugInfo?: boolean | DebugKind | readonly DebugKind[];
  /** `false` is `-Od`; `true` and absent are level 3. */
  optimize?: boolean | 0 | 1 | 2 | 3;
  /** Text of the options for DebugEntryPoint; must hold no path. Made from the options if absent. */
  debugArguments?: string;
}

/** A message about the user's program. */
export interface Diagnostic {
  severity: Severity;
  /** `OS` and four digits. */
  code: string;
  /** Group for `-W` flags, of warnings. */
  group?: string;
  message: string;
  /** Absent if no place is to blame. `#line` is honoured. */
  file?: string;
  /** From 1. */
  line?: number;
  /** From 1, in bytes. */
  column?: number;
  notes: { message: string; file?: string; line?: number; column?: number }[];
  /** As the command line prints it: place, message, source line, caret, notes. */
  rendered: string;
}

export interface CompileResult {
  /** True if there was no error; then `reflection` and what was asked for are there. */
  ok: boolean;
  /** The module, as bytes in little-endian order. */
  spirv?: Uint8Array;
  /** The text in the Metal Shading Language. */
  msl?: string;
  /** Its Source Map v3 file, if `metal.sourceMap` asks for one. */
  mslMap?: string;
  /** `metal` has the indices and names of the Metal text. */
  reflection?: Reflection & { metal?: MetalReflection };
  diagnostics: Diagnostic[];
  /** Every file that was read, the main file first. */
  dependencies: string[];
}

/** Everything a compilation makes on its way; the command line and tests look at parts of it. */
export interface Compilation {
  map: SourceMap;
  log: DiagnosticLog;
  options: Options;
  dependencies: string[];
  module?: Module;
  reflection?: Reflection & { metal?: MetalReflection };
  words?: Uint32Array;
  msl?: string;
  mslMap?: string;
}

/**
 * Compiles one entry point of an HLSL file. Never throws for a faulty program: what is wrong is in `diagnostics`.
 * The same input gives the same bytes, in any folder and on any machine.
 */
export function compile(options: CompileOptions): CompileResult {
  const { map, log, dependencies, reflection, words, msl, mslMap } = compileModule(options);
  const diagnostics = log.diagnostics.map((entry) => publicDiagnostic(entry, map));
  if (log.errors > 0 || !reflection) return { ok: false, diagnostics, dependencies };
  return {
    ok: true,
    ...(words && { spirv: toBytes(words) }),
    ...(msl !== undefined && { msl }),
    ...(mslMap !== undefined && { mslMap }),
    reflection,
    diagnostics,
    dependencies,
  };
}

/** As `compile`, with the stages' own results. `watch` sees the IR behind lowering and behind each pass. */
export function compileModule(given: CompileOptions, watch?: PassWatcher): Compilation {
  const options = completeOptions(given);
  const map = new SourceMap();
  const log = new DiagnosticLog(options);
  const result: Compilation = { map, log, options, dependencies: [] };
  try {
    runStages(given, result, watch);
  } catch (error) {
    report(error, log);
  }
  return result;
}

function runStages(given: CompileOptions, result: Compilation, watch: PassWatcher | undefined): void {
  const { map, log, options } = result;
  const { tokens, dependencies, incomplete } = preprocess(given.source, {
    map,
    log,
    options,
    includes: includeHandler(given.includes),
  });
  result.dependencies = dependencies;
  // A file is missing: what the parser would say is about that.
  if (incomplete) return;
  const unit = parse(tokens, map, log);
  if (log.errors > 0) return;
  const program = check(unit, { options, map, log, tokens });
  if (!program || log.errors > 0) return;
  const targets = targetsOf(given);
  const module = lower(program, { options, map, log, positions: new PositionTable(map) });
  if (!module || log.errors > 0) return;
  const declared = options.reflectDeclared
    ? {
        reflection: reflect(module, options),
        slots: targets.includes('msl') ? declaredSlots(module, options) : undefined,
      }
    : undefined;
  watch?.(module, 'lowering', true);
  runPasses(module, options, watch);
  reportRefusals(module, log);
  result.module = module;
  // Before the backend, which rewrites the module into what its target accepts.
  result.reflection = declared?.reflection ?? reflect(module, options);
  if (targets.includes('msl')) {
    const text = emitMsl(module, { options, log, slots: declared?.slots });
    if (!text || log.errors > 0) return;
    result.msl = text.text;
    if (text.map !== undefined) result.mslMap = text.map;
    result.reflection = { ...result.reflection, metal: text.reflection };
  }
  if (!targets.includes('spirv')) return;
  const words = emitSpirv(module, { options, log });
  if (words && log.errors === 0) result.words = words;
}

/** Once per place: copies of inlined code are refused alike. */
function reportRefusals({ refusals = [], positions }: Module, log: DiagnosticLog): void {
  const told = new Set<string>();
  for (const { message, position, args } of refusals) {
    const { location } = positions.get(position);
    const key = `${message} ${location}`;
    if (!told.has(key)) log.report(message, location, args);
    told.add(key);
  }
}

function targetsOf({ target, targets }: CompileOptions): readonly Target[] {
  return targets ?? [target ?? 'spirv'];
}

/** Turns a fault of the compiler into a diagnostic with the place it concerns. */
function report(error: unknown, log: DiagnosticLog): void {
  if (error instanceof InternalError) log.report('internal-error', error.at, { text: error.message });
  else if (error instanceof RangeError && /call stack/i.test(error.message))
    log.report('internal-error', 0, { text: 'the program is nested too deep' });
  else log.report('internal-error', 0, { text: error instanceof Error ? error.message : String(error) });
}

/** Options of the stages from the plain ones. */
export function completeOptions(given: CompileOptions): Options {
  const {
    source: _source,
    includes: _includes,
    defines,
    debugInfo,
    optimize,
    debugArguments,
    target: _target,
    targets: _targets,
    metal,
    ...rest
  } = given;
  const optimizationLevel =
    optimize === false ? 0 : optimize === undefined || optimize === true ? 3 : optimize;
  const options: Options = {
    ...defaults,
    ...rest,
    defines: defineList(defines),
    optimizationLevel,
    metal: { ...defaults.metal, ...metal },
    debug: debugOptions(debugInfo),
    debugArguments: '',
  };
  options.debugArguments = debugArguments ?? describeOptions(options);
  return options;
}

function defineList(defines: CompileOptions['defines']): Options['defines'] {
  if (!defines) return [];
  if (Array.isArray(defines)) return defines;
  return Object.entries(defines).map(([name, value]) => ({
    name,
    value: value === true ? '1' : value === false ? '0' : String(value),
  }));
}

function debugOptions(given: CompileOptions['debugInfo']): DebugOptions {
  const kinds: readonly DebugKind[] =
    given === true ? ['vulkan-with-source'] : !given ? [] : typeof given === 'string' ? [given] : given;
  const has = (...some: DebugKind[]): boolean => some.some((kind) => kinds.includes(kind));
  const full = has('rich', 'rich-with-source', 'vulkan', 'vulkan-with-source');
  const records = full || has('line-table');
  return {
    records,
    sourceText: has('rich-with-source', 'vulkan-with-source'),
    linesOnly: records && !full,
    // The records carry names, text and lines themselves; two tables would invite contradiction.
    classic: {
      file: !records && has('file', 'source', 'line'),
      source: !records && has('source', 'line'),
      line: !records && has('line'),
      tool: has('tool'),
    },
  };
}

function includeHandler(includes: Includes | undefined): (path: string) => string | undefined {
  if (typeof includes === 'function') return includes;
  if (!includes) return () => undefined;
  return (path) => (Object.hasOwn(includes, path) ? includes[path] : undefined);
}

function publicDiagnostic(entry: LogEntry, map: SourceMap): Diagnostic {
  return {
    severity: entry.severity,
    code: entry.code,
    ...(entry.group !== undefined && { group: entry.group }),
    message: entry.message,
    ...publicPlace(entry.at, map),
    notes: entry.notes.map((note) => ({ message: note.message, ...publicPlace(note.at, map) })),
    rendered: renderDiagnostic(entry, map, 'text'),
  };
}

function publicPlace(at: Location, map: SourceMap): { file?: string; line?: number; column?: number } {
  if (at === 0) return {};
  const place = map.presumed(at);
  return { file: place.name, line: place.presumedLine, column: place.column };
}

function toBytes(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  return bytes;
}
