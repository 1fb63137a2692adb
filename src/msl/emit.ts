/** IR to the text of the Metal Shading Language: types, tables and helpers first, then functions, callees before callers. */
import type { EntryPoint, Function as IrFunction, Global, Module } from '../ir/ir.ts';
import { walkFunction } from '../ir/walk.ts';
import type { Options } from '../options.ts';
import { type DiagnosticLog, InternalError } from '../source/diagnostic.ts';
import { layoutRule } from '../types/layout-rules.ts';
import type { PointerType } from '../types/type.ts';
import { analyze, functionsWithoutEffects } from './analysis.ts';
import { atom, localName } from './code.ts';
import { constantText } from './constants.ts';
import { type Context, type FunctionContext, type Need, report } from './context.ts';
import { builtinType, entryParts } from './entry.ts';
import { findInterpolants } from './interpolants.ts';
import { bufferElement } from './layout.ts';
import { MapWriter } from './map-writer.ts';
import { Names } from './names.ts';
import { findNeeds } from './requirements.ts';
import {
  bind,
  findTextureUses,
  hasOwnSizes,
  innermost,
  type MetalBinding,
  resourceParameter,
  type Slot,
} from './resources.ts';
import { emitBody } from './statements.ts';
import { type Survey, survey } from './survey.ts';
import { scalarText, typeText } from './types.ts';
import { joinLines, type SourceName, Writer } from './writer.ts';

export { declaredSlots } from './resources.ts';

/** The text, and what a host has to know of it. */
export interface MetalText {
  text: string;
  /** The source map, as JSON, if `options.metal.sourceMap` asks for one. */
  map?: string;
  reflection: MetalReflection;
}

export interface MetalReflection {
  /** Version of the language that the text is for. */
  version: string;
  entryPoints: {
    name: string;
    source: string;
    stage: string;
    threadGroupSize?: readonly [number, number, number];
  }[];
  bindings: MetalBinding[];
  /** Names of the source that Metal reserves, and what they are called in the text (where that occurs more than once, with numbers). */
  renamed: { source: string; name: string }[];
  /** The text asks for exact arithmetic, which before version 3.2 only `-fno-fast-math` gives. */
  precise: boolean;
}

/**
 * The module in `options.metal.version`. Undefined if Metal lacks something; the log says what, at the place in the HLSL.
 * Resources are bound as `slots` says, where given.
 */
export function emitMsl(
  module: Module,
  env: { options: Options; log: DiagnosticLog; slots?: readonly Slot[] | undefined },
): MetalText | undefined {
  const { options, log } = env;
  const before = log.errors;
  const contents = survey(module);
  const context = newContext(module, contents, options, log);
  const entries = module.functions.filter((fn) => fn.entry);
  for (const fn of entries) {
    const { stage } = fn.entry!;
    if (stage !== 'vertex' && stage !== 'pixel' && stage !== 'compute')
      throw new InternalError(`the ${stage} stage does not get here`, fn.scope.location);
  }
  if (log.errors > before) return undefined;
  for (const word of ['Array', 'Strided']) context.names.unique(word);
  // The host asks for entries by name, which therefore must not depend on what else has names.
  for (const fn of entries) {
    const { name } = fn.entry!;
    context.functions.set(fn, context.names.unique(name === 'main' ? 'main0' : name));
  }
  const bindings = declareGlobals(context, env.slots);
  if (log.errors > before) return undefined;
  const reflection: MetalReflection = {
    version: options.metal.version,
    entryPoints: entries.map((fn) => entryReflection(context, fn)),
    bindings: bindings.all,
    renamed: [],
    precise: [...contents.values()].some(({ precise }) => precise),
  };
  const writers: Writer[] = [];
  const { order } = context;
  for (const fn of order) if (!fn.entry) context.functions.set(fn, context.names.unique(fn.name));
  for (const fn of order) writers.push(emitFunction(context, fn, bindings));
  if (log.errors > before) return undefined;
  const made = assemble(context, writers, reflection.precise);
  reflection.renamed = [...context.names.renamed!].map(([source, name]) => ({ source, name }));
  return { ...made, reflection };
}

function entryReflection(context: Context, fn: IrFunction): MetalReflection['entryPoints'][number] {
  const { name, stage, threadGroupSize } = fn.entry!;
  return {
    name: context.functions.get(fn)!,
    source: name,
    stage,
    ...(threadGroupSize && { threadGroupSize }),
  };
}

function newContext(module: Module, contents: Survey, options: Options, log: DiagnosticLog): Context {
  const order = calleesFirst(module, contents);
  return {
    order,
    module,
    options,
    log,
    names: new Names(undefined, new Map()),
    version: 230,
    structs: new Map(),
    memoryStructs: new Map(),
    typeTexts: [],
    tables: new Map(),
    tableTexts: [],
    helpers: new Map(),
    helperTexts: [],
    functions: new Map(),
    withoutEffects: functionsWithoutEffects(order, contents),
    needs: findNeeds(module, order, contents, options.metal.robust),
    globals: new Map(),
    textures: findTextureUses(module, contents),
    resourceTexts: new Map(),
    interpolants: findInterpolants(contents),
    marks: options.metal.sourceMap !== undefined,
    at: 0,
  };
}

function calleesFirst(module: Module, contents: Survey): IrFunction[] {
  const order: IrFunction[] = [];
  const seen = new Set<IrFunction>();
  const visit = (fn: IrFunction): void => {
    if (seen.has(fn)) return;
    seen.add(fn);
    for (const callee of contents.get(fn)!.callees) visit(callee);
    order.push(fn);
  };
  for (const fn of module.functions) visit(fn);
  return order;
}

type Bound = ReturnType<typeof bind>;

function declareGlobals(context: Context, declared: readonly Slot[] | undefined): Bound {
  for (const global of context.module.globals) {
    const { role } = global;
    if (role.kind === 'input' || role.kind === 'output') continue;
    const name = context.names.unique(global.name);
    context.globals.set(global, name);
    if (role.kind === 'spec-constant') declareSpecConstant(context, global, role.id, name);
  }
  const counters = new Set<Global>();
  let needsSizes = false;
  for (const needs of context.needs.values())
    for (const need of needs) {
      if (need.kind === 'counter') addCounter(context, counters, need.global);
      if (need.kind === 'sizes' && !hasOwnSizes(need)) needsSizes = true;
    }
  return bind(context, counters, needsSizes, declared);
}

function addCounter(context: Context, counters: Set<Global>, global: Global): void {
  counters.add(global);
  context.at = global.location;
  const { pointee } = global.type as PointerType;
  if (pointee.kind === 'array')
    report(context, 'metal-not-yet', { what: `the counters of '${global.name}', an array of buffers` });
}

function declareSpecConstant(context: Context, global: Global, id: number, name: string): void {
  const type = scalarText(context, global.type as Parameters<typeof scalarText>[1]);
  const given = context.names.unique(`${name}_given`);
  const init = global.init ? constantText(context, global.init) : `${type}(0)`;
  context.tableTexts.push(
    `constant ${type} ${given} [[function_constant(${id})]];\n` +
      `constant ${type} ${name} = metal::is_function_constant_defined(${given}) ? ${given} : ${init};\n`,
  );
}

/** What wraps arrays and elements that lie further apart than they are long. */
const templates = [
  { name: 'Array<', text: 'template<typename T, uint N>\nstruct Array {\n    T e[N];\n};\n\n' },
  {
    name: 'Strided<',
    text: 'template<typename T, uint Stride>\nstruct Strided {\n    T v;\n    char pad[Stride - sizeof(T)];\n};\n\n',
  },
];

/** What keeps the compiler from changing results, as far as the version has it. */
function precisePragmas({ options }: Context): string {
  if (Number(options.metal.version) < 3.2) return '#pragma clang fp contract(off)\n\n';
  return '#pragma METAL fp math_mode(safe)\n#pragma METAL fp contract(off)\n\n';
}

function assemble(
  context: Context,
  writers: readonly Writer[],
  precise: boolean,
): { text: string; map?: string } {
  const { options, module } = context;
  const parts: string[] = [];
  for (const list of [context.typeTexts, context.tableTexts, context.helperTexts])
    for (const one of list) parts.push(one, '\n');
  const directives = options.debug.records || options.debug.classic.line;
  const map = newMap(context, directives);
  const code = joinLines(writers, module, { directives, paths: options, map });
  const declarations = parts.join('');
  const head = [
    `#include <metal_stdlib>\n${code.includes('metal::os_log') ? '#include <metal_logging>\n' : ''}\n`,
    precise ? precisePragmas(context) : '',
    ...templates
      .filter(({ name }) => declarations.includes(name) || code.includes(name))
      .map((one) => one.text),
    declarations,
  ].join('');
  return { text: head + code, ...(map && { map: map.finish(head.split('\n').length - 1) }) };
}

function newMap(context: Context, directives: boolean): MapWriter | undefined {
  const { options, module } = context;
  const file = options.metal.sourceMap;
  if (file === undefined) return undefined;
  const globals = new Map<string, SourceName>();
  for (const [global, name] of context.globals)
    if (global.location > 0 && !isBlock(global)) globals.set(name, global);
  for (const [fn, name] of context.functions)
    globals.set(name, { name: fn.name, location: fn.scope.location });
  return new MapWriter(module, { file, directives, paths: options, globals, members: memberNames(context) });
}

/** The source names the members of a cbuffer, not the block. */
function isBlock({ debug, type }: Global): boolean {
  return debug?.type.kind === 'struct' && innermost(type).kind === 'buffer';
}

/** Members' names in the source by those in the text. */
function memberNames(context: Context): Map<string, string> {
  const names = new Map<string, string>();
  const add = (own: string, { name }: { name: string }) => {
    if (!/^[xyzw]{1,4}$/.test(own)) names.set(own, name);
  };
  for (const [type, { members }] of context.structs)
    members.forEach((own, i) => {
      add(own, type.members[i]!);
    });
  for (const { members, type } of [...context.memoryStructs.values()].flat())
    members.forEach(({ name }, i) => {
      add(name, type.members[i]!);
    });
  return names;
}

// ---- functions

function emitFunction(context: Context, fn: IrFunction, bound: Bound): Writer {
  const name = context.functions.get(fn)!;
  const before = context.log.errors;
  const locals = new Names(context.names);
  const facts = analyze(fn);
  // Without a spread: V8 makes such objects slow ones if they have many properties, and these are used everywhere.
  const f: FunctionContext = {
    module: context.module,
    options: context.options,
    log: context.log,
    names: context.names,
    version: context.version,
    structs: context.structs,
    memoryStructs: context.memoryStructs,
    typeTexts: context.typeTexts,
    tables: context.tables,
    tableTexts: context.tableTexts,
    helpers: context.helpers,
    helperTexts: context.helperTexts,
    order: context.order,
    functions: context.functions,
    withoutEffects: context.withoutEffects,
    needs: context.needs,
    globals: context.globals,
    textures: context.textures,
    resourceTexts: context.resourceTexts,
    interpolants: context.interpolants,
    marks: context.marks,
    at: fn.scope.location,
    writer: new Writer(),
    function: fn,
    locals,
    values: new Map(),
    places: new Map(),
    pending: new Map(),
    open: new Set(),
    left: facts.left,
    users: facts.users,
    variables: facts.variables,
    ownParameters: facts.ownParameters,
    skipped: facts.skipped,
    late: facts.late,
    wholes: facts.wholes,
    lateNames: new Map(),
    builtins: new Map(),
    counters: new Map(),
    sizes: new Map(),
    fixed: false,
    position: 0,
    leaves: undefined,
    discarded: undefined,
    mayBeDiscarded: fn.entry === undefined,
    outputs: new Map(),
    inputs: new Map(),
    interpolantFields: new Map(),
  };
  f.writer.name = name;
  const head = fn.entry ? entryHead(f, fn.entry, name, bound) : functionHead(f, name);
  const position = context.module.positions.intern(fn.scope.location, fn.scope.location, fn.scope);
  f.writer.line(head.signature, position, name);
  f.writer.depth++;
  for (const text of head.lines) f.writer.line(text, position, name);
  if (context.options.metal.robust && hasLoop(fn)) {
    f.leaves = f.locals.unique('leaves');
    f.writer.line(`volatile bool ${f.leaves} = false;`, position);
  }
  // The code may use what the head had to refuse.
  if (context.log.errors === before) emitBody(f, fn.body);
  f.writer.depth--;
  f.writer.line('}');
  f.writer.line('');
  return f.writer;
}

function hasLoop(fn: IrFunction): boolean {
  let found = false;
  walkFunction(fn, ({ op }) => {
    found ||= op === 'loop';
  });
  return found;
}

interface Head {
  signature: string;
  lines: string[];
}

function functionHead(f: FunctionContext, name: string): Head {
  const parameters = f.function.parameters.map((parameter) => {
    const own = localName(f, parameter);
    const { type } = parameter;
    if (type.kind === 'pointer') {
      f.places.set(parameter, { type: type.pointee, space: 'thread', path: [own] });
      return `thread ${typeText(f, type.pointee)}& ${own}`;
    }
    f.values.set(parameter, atom(own));
    return `${typeText(f, type)} ${own}`;
  });
  for (const need of f.needs.get(f.function) ?? [])
    if (!hasOwnSizes(need)) parameters.push(needParameter(f, need));
  return {
    signature: `static ${typeText(f, f.function.returnType)} ${name}(${parameters.join(', ')}) {`,
    lines: [],
  };
}

/** A global that the caller hands down, under the name it has everywhere. */
function needParameter(f: FunctionContext, need: Need): string {
  if (need.kind === 'builtin') {
    const own = f.locals.unique(need.attribute);
    f.builtins.set(need.attribute, own);
    return `${builtinType(need.attribute)} ${own}`;
  }
  if (need.kind === 'discarded') {
    f.discarded = f.locals.unique('discarded');
    return `thread bool& ${f.discarded}`;
  }
  const name = f.globals.get(need.global)!;
  if (need.kind === 'counter') {
    const own = f.locals.unique(`${name}_counter`);
    f.counters.set(need.global, own);
    return `device int& ${own}`;
  }
  if (need.kind === 'sizes') {
    const own = f.locals.unique(`${name}_size`);
    f.sizes.set(need.global, own);
    return `uint ${own}`;
  }
  placeGlobal(f, need.global, name);
  const { role, type } = need.global;
  const { pointee } = type as PointerType;
  if (role.kind === 'private') return `thread ${typeText(f, pointee)}& ${name}`;
  if (role.kind === 'workgroup') return `threadgroup ${typeText(f, pointee)}& ${name}`;
  return resourceParameter(f, need.global) + name;
}

/** What stands for a global in places: resources are chosen from by their name. */
function placeGlobal(f: FunctionContext, global: Global, name: string): void {
  const { role, type } = global;
  const { pointee } = type as PointerType;
  if (role.kind === 'push-constant') {
    const memory = pushConstantMemory(f, global);
    f.places.set(global, { type: pointee, space: 'constant', path: [name], memory });
    return;
  }
  f.places.set(global, {
    type: pointee,
    space: role.kind === 'workgroup' ? 'threadgroup' : 'thread',
    path: [name],
  });
}

function pushConstantMemory(f: FunctionContext, global: Global) {
  const { pointee, layout } = global.type as PointerType;
  const rule = layout ?? layoutRule(f.options.layout, 'push-constant');
  return { type: bufferElement(f, pointee, rule, undefined).memory, rule, order: undefined, align: 16 };
}

function entryHead(f: FunctionContext, entry: EntryPoint, name: string, bound: Bound): Head {
  const needs = f.needs.get(f.function) ?? [];
  const attributes = needs.flatMap((need) => (need.kind === 'builtin' ? [need.attribute] : []));
  const parts = entryParts(f, entry, name, f.locals, attributes);
  const parameters = [...parts.parameters];
  const lines = [...parts.head];
  for (const [attribute, own] of parts.builtins) f.builtins.set(attribute, own);
  for (const [global, value] of parts.inputs) f.inputs.set(global, value);
  for (const [global, fields] of parts.interpolants) f.interpolantFields.set(global, fields);
  for (const [global, target] of parts.outputs) f.outputs.set(global, target);
  let sizes: string | undefined;
  const indexOf = (global: Global, isCounter: boolean) =>
    bound.slots.find((slot) => slot.global === global && (slot.binding.kind === 'counter') === isCounter)!
      .binding;
  for (const need of needs) {
    if (need.kind === 'builtin' || hasOwnSizes(need)) continue;
    if (need.kind === 'discarded') {
      f.discarded = f.locals.unique('discarded');
      lines.push(`bool ${f.discarded} = false;`);
      continue;
    }
    const { global } = need;
    if (need.kind === 'sizes') {
      if (sizes === undefined) {
        sizes = f.locals.unique('buffer_sizes');
        parameters.push(`constant uint* ${sizes} [[buffer(${bound.sizesAt})]]`);
      }
      f.sizes.set(global, `${sizes}[${indexOf(global, false).index}]`);
      continue;
    }
    const isHere = global.role.kind === 'private' || global.role.kind === 'workgroup';
    const parameter = needParameter(f, need);
    if (isHere) lines.push(...declaredHere(f, global));
    else {
      const { table, index } = indexOf(global, need.kind === 'counter');
      parameters.push(`${parameter} [[${table}(${index})]]`);
    }
  }
  return { signature: `${prefix(entry)} ${parts.result} ${name}(${parameters.join(', ')}) {`, lines };
}

function prefix(entry: EntryPoint): string {
  switch (entry.stage) {
    case 'vertex':
      return 'vertex';
    case 'pixel':
      return entry.earlyDepthStencil ? '[[early_fragment_tests]] fragment' : 'fragment';
    default: {
      const [x, y, z] = entry.threadGroupSize ?? [1, 1, 1];
      return `[[max_total_threads_per_threadgroup(${x * y * z})]] kernel`;
    }
  }
}

/** Variables outside of functions become locals of the entry. */
function declaredHere(f: FunctionContext, global: Global): string[] {
  const name = f.globals.get(global)!;
  const { pointee } = global.type as PointerType;
  const type = typeText(f, pointee);
  if (global.role.kind === 'workgroup') return [`threadgroup ${type} ${name};`];
  return [`${type} ${name} = ${global.init ? constantText(f, global.init) : '{}'};`];
}
