/** Inputs, outputs and the other variables outside functions; entry points with their execution modes. */
import type { EntryPoint, Global, InterfaceVariable } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { layoutRule } from '../types/layout-rules.ts';
import {
  elementOf,
  isNumeric,
  type PointerType,
  type ScalarType,
  scalarBits,
  scalarClass,
  type Type,
} from '../types/type.ts';
import { emitResult } from './body.ts';
import { type CapabilityName, needCapability, needExtension } from './capabilities.ts';
import { constantId, nullId, specConstant } from './constants.ts';
import type { Context, FunctionContext } from './context.ts';
import { decorate, decorateSemantic, name } from './decorations.ts';
import { BuiltIn, Capability, Decoration, Op, StorageClass } from './enums.ts';
import {
  blockTypeId,
  declareResource,
  hasNarrow,
  isCombined,
  needNarrowStorage,
  resourceType,
} from './resources.ts';
import { systemValue } from './system-values.ts';
import { decorateRelaxed, pointerTypeId, valueTypeId } from './types.ts';

export function declareGlobals(context: Context): void {
  const entry = context.module.functions.find((each) => each.entry)?.entry;
  const textures = new Set<string>();
  for (const { role, type } of context.module.globals) {
    if (role.kind === 'resource' && resourceType(type).kind === 'texture' && isCombined(role))
      textures.add(`${role.binding.set},${role.binding.binding}`);
  }
  for (const global of context.module.globals) {
    const { role } = global;
    // The sampler of a combined pair has no variable of its own.
    if (
      role.kind === 'resource' &&
      resourceType(global.type).kind === 'sampler' &&
      isCombined(role) &&
      textures.has(`${role.binding.set},${role.binding.binding}`)
    )
      continue;
    declareGlobal(context, global, entry);
  }
}

function declareGlobal(context: Context, global: Global, entry: EntryPoint | undefined): void {
  const { role } = global;
  switch (role.kind) {
    case 'private':
      declareMemory(context, global, StorageClass.Private);
      break;
    case 'workgroup':
      declareMemory(context, global, StorageClass.Workgroup);
      break;
    case 'resource':
      declareResource(context, global, role);
      break;
    case 'push-constant':
      declarePushConstant(context, global);
      break;
    case 'spec-constant': {
      const id = specConstant(context, global.type as ScalarType, specDefault(global));
      name(context, id, global.name);
      decorate(context, id, Decoration.SpecId, role.id);
      context.globals.set(global, { id, storageClass: 0 });
      break;
    }
    case 'input':
    case 'output':
      if (entry) declareInterface(context, global, entry, role.kind, role.variable);
      break;
  }
}

function specDefault(global: Global) {
  const value = global.init?.value;
  if (value === undefined || typeof value === 'object')
    throw new InternalError('a specialization constant has a scalar value', global.location);
  return value;
}

function pointeeOf(global: Global): Type {
  return (global.type as PointerType).pointee;
}

function addVariable(
  context: Context,
  global: Global,
  typeId: number,
  storageClass: number,
  init?: number,
): number {
  const id = context.sections.id();
  const pointer = pointerTypeId(context, storageClass, typeId);
  context.sections.add(
    'declarations',
    Op.Variable,
    pointer,
    id,
    storageClass,
    ...(init === undefined ? [] : [init]),
  );
  context.globals.set(global, { id, storageClass });
  name(context, id, global.name);
  return decorateRelaxed(context, id, pointeeOf(global));
}

function declareMemory(context: Context, global: Global, storageClass: number): void {
  const type = pointeeOf(global);
  const initial = () => (global.init ? constantId(context, global.init) : nullId(context, type));
  const init = storageClass === StorageClass.Private ? initial() : undefined;
  const id = addVariable(context, global, valueTypeId(context, type), storageClass, init);
  if (context.target.spirv >= 104) context.interface.push(id);
}

function declarePushConstant(context: Context, global: Global): void {
  const type = pointeeOf(global);
  if (type.kind !== 'struct') throw new InternalError('push constants are a struct', global.location);
  const rule = (global.type as PointerType).layout ?? layoutRule(context.options.layout, 'push-constant');
  const typeId = blockTypeId(context, type, rule, `type.PushConstant.${type.name}`, Decoration.Block);
  const id = addVariable(context, global, typeId, StorageClass.PushConstant);
  context.resources.set(id, { global, typeId, combined: false });
  needNarrowStorage(context, type, StorageClass.PushConstant);
  if (context.target.spirv >= 104) context.interface.push(id);
}

function declareInterface(
  context: Context,
  global: Global,
  entry: EntryPoint,
  direction: 'input' | 'output',
  variable: InterfaceVariable,
): void {
  const storageClass = direction === 'input' ? StorageClass.Input : StorageClass.Output;
  const type = pointeeOf(global);
  const id = addVariable(context, global, valueTypeId(context, type), storageClass);
  context.interface.push(id);
  const row =
    variable.builtin === undefined ? undefined : systemValue(entry.stage, direction, variable.builtin);
  if (row) {
    if (row.capability) needBuiltInCapability(context, row.capability);
    const noPerspective = row.builtIn === 'BaryCoordKHR' && variable.interpolation.includes('noperspective');
    decorate(context, id, Decoration.BuiltIn, BuiltIn[noPerspective ? 'BaryCoordNoPerspKHR' : row.builtIn]);
    if (variable.precise && direction === 'output') decorate(context, id, Decoration.Invariant);
  } else if (variable.builtin !== undefined && variable.location === undefined) {
    const stage = entry.stage;
    context.log.report('spirv-unsupported-system-value', variable.at, {
      name: variable.builtin,
      direction,
      stage,
    });
  } else {
    decorate(context, id, Decoration.Location, variable.location ?? 0);
    if (variable.index !== undefined) decorate(context, id, Decoration.Index, variable.index);
    if (hasNarrow(context, type)) needCapability(context, 'StorageInputOutput16');
  }
  if (entry.stage === 'pixel' && direction === 'input')
    interpolate(context, id, type, variable, row !== undefined);
  if (context.options.reflectDecorations) {
    const { semantic } = variable;
    decorateSemantic(
      context,
      id,
      `${semantic.name}${semantic.index > 0 || /\d$/.test(variable.name) ? semantic.index : ''}`,
    );
  }
}

/** Before SPIR-V 1.5 writing layers from vertex shaders is an extension's. */
function needBuiltInCapability(context: Context, capability: CapabilityName): void {
  const isLayer = capability === 'ShaderLayer' || capability === 'ShaderViewportIndex';
  if (!isLayer || context.target.spirv >= 105) {
    needCapability(context, capability);
    return;
  }
  needCapability(context, 'ShaderViewportIndexLayerEXT');
  needExtension(context, 'SPV_EXT_shader_viewport_index_layer');
}

/** Integers and doubles are never interpolated. */
function interpolate(
  context: Context,
  id: number,
  type: Type,
  variable: InterfaceVariable,
  isBuiltIn: boolean,
): void {
  if (variable.interpolation.includes('pervertex')) {
    needCapability(context, 'FragmentBarycentricKHR');
    decorate(context, id, Decoration.PerVertexKHR);
    return;
  }
  const leaf = type.kind === 'array' ? type.element : type;
  const element = elementOf(leaf);
  const kind = element && scalarClass(element);
  const isWide = element && scalarBits(element, context.module.enable16BitTypes) === 64;
  const isExact = kind === 'int' || kind === 'uint' || (isWide && !isBuiltIn);
  if (isExact || (variable.interpolation.includes('nointerpolation') && !isBuiltIn)) {
    decorate(context, id, Decoration.Flat);
    return;
  }
  if (isBuiltIn) return;
  if (variable.interpolation.includes('noperspective')) decorate(context, id, Decoration.NoPerspective);
  if (variable.interpolation.includes('centroid')) decorate(context, id, Decoration.Centroid);
  if (variable.interpolation.includes('sample')) {
    needCapability(context, 'SampleRateShading');
    decorate(context, id, Decoration.Sample);
  }
}

/** An input that an instruction asks for by its name in SPIR-V. */
export function builtinInput(
  f: FunctionContext,
  builtIn: string,
  capability: CapabilityName,
  type: Type,
): number {
  const number = BuiltIn[builtIn as keyof typeof BuiltIn];
  if (number === undefined) throw new InternalError(`there is no built-in '${builtIn}'`);
  if (Capability[capability] !== undefined) needCapability(f, capability);
  return loadBuiltin(f, builtIn, number, type);
}

/** Capabilities of the built-ins that programs may name by number and that need one. */
const numbered: Partial<Record<keyof typeof BuiltIn, CapabilityName>> = {
  SampleId: 'SampleRateShading',
  SamplePosition: 'SampleRateShading',
  BaseVertex: 'DrawParameters',
  BaseInstance: 'DrawParameters',
  DrawIndex: 'DrawParameters',
  ViewIndex: 'MultiView',
  DeviceIndex: 'DeviceGroup',
  SubgroupSize: 'GroupNonUniform',
  NumSubgroups: 'GroupNonUniform',
  SubgroupId: 'GroupNonUniform',
  SubgroupLocalInvocationId: 'GroupNonUniform',
};

/** An input that a program asks for by its number in SPIR-V. */
export function numberedInput(f: FunctionContext, number: number, type: Type): number {
  const found = Object.entries(BuiltIn).find(([, value]) => value === number)?.[0];
  const capability = numbered[found as keyof typeof BuiltIn];
  if (capability) needCapability(f, capability);
  return loadBuiltin(f, found ?? `BuiltIn${number}`, number, type);
}

function loadBuiltin(f: FunctionContext, builtIn: string, number: number, type: Type): number {
  const typeId = valueTypeId(f, type);
  let id = f.builtins.get(builtIn);
  if (id === undefined) {
    id = f.sections.id();
    f.builtins.set(builtIn, id);
    f.sections.add(
      'declarations',
      Op.Variable,
      pointerTypeId(f, StorageClass.Input, typeId),
      id,
      StorageClass.Input,
    );
    decorate(f, id, Decoration.BuiltIn, number);
    const element = elementOf(type);
    const isPixel = f.module.functions.some(({ entry }) => entry?.stage === 'pixel');
    // Vulkan wants integer inputs of pixel shaders flat, built-in ones of subgroups included.
    if (
      isPixel &&
      element &&
      isNumeric(type) &&
      scalarClass(element) !== 'float' &&
      scalarClass(element) !== 'bool'
    )
      decorate(f, id, Decoration.Flat);
    name(f, id, builtIn);
    f.interface.push(id);
  }
  return emitResult(f, Op.Load, typeId, id);
}
