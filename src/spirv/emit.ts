/** IR to SPIR-V words: the module is walked once; types, constants, names and capabilities are declared as they come up. */
import type { Function as IrFunction, Module } from '../ir/ir.ts';
import type { Options } from '../options.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { PointerType } from '../types/type.ts';
import { emit, startBlock } from './body.ts';
import { checkAllowedExtensions, needCapability, targetOf, versionWord } from './capabilities.ts';
import type { Context, FunctionContext } from './context.ts';
import { emitBody } from './control-flow.ts';
import { beginFunction, finishDebug, startDebug } from './debug-lines.ts';
import { name } from './decorations.ts';
import { Op } from './enums.ts';
import { emitEntryPoint, ordersPixels } from './entry-point.ts';
import { declareGlobals } from './interface.ts';
import { legalize } from './legalize/pipeline.ts';
import { pointeeTypeId, spaceClass } from './memory.ts';
import { Sections } from './sections.ts';
import { decorateRelaxed, functionTypeId, pointerTypeId, valueTypeId } from './types.ts';
import { Words } from './words.ts';

/**
 * The module as SPIR-V for `options.targetEnv`. Undefined if something cannot be expressed; the log says what. The module is
 * legalized in place and is of no use for other targets afterwards.
 */
export function emitSpirv(
  module: Module,
  env: { options: Options; log: DiagnosticLog },
): Uint32Array | undefined {
  const { options, log } = env;
  const before = log.errors;
  legalize(module, options);
  const context = newContext(module, options, log);
  checkAllowedExtensions(context);
  needCapability(context, 'Shader');
  context.sections.add('memoryModel', Op.MemoryModel, 0, 1);
  startDebug(context);
  declareGlobals(context);
  for (const each of module.functions) context.functions.set(each, context.sections.id());
  for (const each of module.functions) emitFunction(context, each);
  for (const each of module.functions) if (each.entry) emitEntryPoint(context, each, each.entry);
  const version = versionWord(context.target);
  finishDebug(context, version);
  const { maxId } = options;
  if (maxId !== undefined && context.sections.bound - 1 > maxId)
    log.report('spirv-too-many-ids', 0, { count: String(context.sections.bound - 1), limit: String(maxId) });
  return log.errors > before ? undefined : context.sections.binary(version);
}

function newContext(module: Module, options: Options, log: DiagnosticLog): Context {
  return {
    module,
    options,
    log,
    target: targetOf(options.targetEnv),
    sections: new Sections(),
    matrixValues: options.optimizationLevel > 0,
    capabilities: new Set(),
    extensions: new Set(),
    imports: new Map(),
    interned: new Map(),
    valueTypes: new Map(),
    constants: new Map(),
    pointerTypes: new Map(),
    reserved: new Map(),
    functions: new Map(),
    globals: new Map(),
    resources: new Map(),
    counters: new Map(),
    builtins: new Map(),
    uses: new Set(),
    interface: [],
    debug: undefined,
    debugDeclarations: [],
    classicFiles: new Map(),
    position: 0,
    decorated: new Set(),
  };
}

const functionControl = (target: IrFunction): number => (target.attributes.includes('noinline') ? 2 : 0);

/**
 * Field by field: an object with so many fields that is made by spreading another gets a hidden class of its own, and then every
 * function makes the engine learn anew how to read it.
 */
function functionContext(context: Context, target: IrFunction): FunctionContext {
  return {
    module: context.module,
    options: context.options,
    log: context.log,
    target: context.target,
    sections: context.sections,
    matrixValues: context.matrixValues,
    capabilities: context.capabilities,
    extensions: context.extensions,
    imports: context.imports,
    interned: context.interned,
    valueTypes: context.valueTypes,
    constants: context.constants,
    pointerTypes: context.pointerTypes,
    reserved: context.reserved,
    functions: context.functions,
    globals: context.globals,
    resources: context.resources,
    counters: context.counters,
    builtins: context.builtins,
    uses: context.uses,
    interface: context.interface,
    debug: context.debug,
    debugDeclarations: context.debugDeclarations,
    classicFiles: context.classicFiles,
    position: context.position,
    decorated: context.decorated,
    body: {
      variables: new Words(),
      code: context.sections.functions,
      label: 0,
      scope: 0,
      inlined: 0,
      line: [],
      position: 0,
    },
    function: target,
    values: new Map(),
    places: new Map(),
    texels: new Map(),
    nonUniform: new Set(),
    handles: new Map(),
    rows: new Map(),
    interlocked: target.entry?.stage === 'pixel' && ordersPixels(context.module),
  };
}

function emitFunction(context: Context, target: IrFunction): void {
  const result = valueTypeId(context, target.returnType);
  const parameterTypes = target.parameters.map(({ type }) =>
    type.kind === 'pointer' ? parameterPointer(context, type) : valueTypeId(context, type),
  );
  const type = functionTypeId(context, result, parameterTypes);
  const id = context.functions.get(target)!;
  const f = functionContext(context, target);
  name(context, id, target.name);
  decorateRelaxed(context, id, target.returnType);
  context.sections.add('functions', Op.Function, result, id, functionControl(target), type);
  target.parameters.forEach((parameter, i) => {
    const parameterId = context.sections.id();
    context.sections.add('functions', Op.FunctionParameter, parameterTypes[i]!, parameterId);
    name(context, parameterId, parameter.name);
    decorateRelaxed(
      context,
      parameterId,
      parameter.type.kind === 'pointer' ? parameter.type.pointee : parameter.type,
    );
    f.values.set(parameter, parameterId);
  });
  startBlock(f, context.sections.id());
  const variablesAt = f.body.code.length;
  beginFunction(f);
  if (f.interlocked) beginInterlock(f);
  emitBody(f, target.body);
  f.body.code.insert(variablesAt, f.body.variables.filled());
  context.sections.add('functions', Op.FunctionEnd);
}

function parameterPointer(context: Context, type: PointerType): number {
  return pointerTypeId(context, spaceClass(type), pointeeTypeId(context as FunctionContext, type));
}

/** The whole shader runs in turn: where the first access is cannot be told through calls and control flow. */
function beginInterlock(f: FunctionContext): void {
  const first = f.function.body.instructions.find(({ op }) => op !== 'var' && op !== 'debug_declare');
  if (first) f.position = first.position;
  emit(f, Op.BeginInvocationInterlockEXT);
}
