/** Entry points and their execution modes. */
import type { EntryPoint, Function as IrFunction, Module } from '../ir/ir.ts';
import { resourceType } from './resources.ts';
import { type CapabilityName, needCapability, needExtension } from './capabilities.ts';
import type { Context } from './context.ts';
import { ExecutionMode, ExecutionModel, Op } from './enums.ts';
import { stringWords } from './texts.ts';

const models: Partial<Record<EntryPoint['stage'], number>> = {
  vertex: ExecutionModel.Vertex,
  pixel: ExecutionModel.Fragment,
  compute: ExecutionModel.GLCompute,
};

/** After the functions, when the interface is known. */
export function emitEntryPoint(context: Context, target: IrFunction, entry: EntryPoint): void {
  const model = models[entry.stage];
  const id = context.functions.get(target)!;
  if (model === undefined) {
    context.log.report('spirv-unsupported-stage', target.scope.location, { stage: entry.stage });
    return;
  }
  context.sections.add(
    'entryPoints',
    Op.EntryPoint,
    model,
    id,
    ...stringWords(entry.name),
    ...context.interface,
  );
  const mode = (number: number, ...operands: number[]) =>
    context.sections.add('executionModes', Op.ExecutionMode, id, number, ...operands);
  if (entry.stage === 'compute') {
    const size = entry.threadGroupSize ?? [1, 1, 1];
    mode(ExecutionMode.LocalSize, ...size);
    if (context.uses.has('derivatives')) derivativeGroup(context, target, size, mode);
  }
  if (entry.stage === 'pixel') pixelModes(context, entry, mode);
  optionModes(context, entry, mode);
}

/** Modes that options ask for, whatever the stage. */
function optionModes(
  context: Context,
  entry: EntryPoint,
  mode: (number: number, ...operands: number[]) => void,
): void {
  const { denormals, ieeeStrict, maximalReconvergence } = context.options;
  if (ieeeStrict) {
    needCapability(context, 'SignedZeroInfNanPreserve');
    mode(ExecutionMode.SignedZeroInfNanPreserve, 32);
  }
  if (denormals !== 'any') {
    const name = denormals === 'ftz' ? 'DenormFlushToZero' : 'DenormPreserve';
    needCapability(context, name);
    mode(ExecutionMode[name], 32);
  }
  // Lanes that helper invocations fill can take part only where it is defined which lanes are together.
  const withHelpers = entry.stage === 'pixel' && hasAttribute(entry, 'waveopsincludehelperlanes');
  if (maximalReconvergence || withHelpers) {
    needExtension(context, 'SPV_KHR_maximal_reconvergence');
    mode(ExecutionMode.MaximallyReconvergesKHR);
  }
}

/** How threads form quads, by the rules of shader model 6.6. */
function derivativeGroup(
  context: Context,
  target: IrFunction,
  [x, y, z]: readonly [number, number, number],
  mode: (number: number) => void,
): void {
  const isLinear = x % 4 === 0 && y === 1 && z === 1;
  if (!isLinear && (x % 2 !== 0 || y % 2 !== 0)) {
    context.log.report('spirv-derivative-group', target.scope.location);
    return;
  }
  const khr = 'SPV_KHR_compute_shader_derivatives';
  needExtension(
    context,
    context.options.allowedExtensions.includes(khr) ? khr : 'SPV_NV_compute_shader_derivatives',
  );
  needCapability(context, isLinear ? 'ComputeDerivativeGroupLinearNV' : 'ComputeDerivativeGroupQuadsNV');
  mode(isLinear ? ExecutionMode.DerivativeGroupLinearNV : ExecutionMode.DerivativeGroupQuadsNV);
}

function pixelModes(context: Context, entry: EntryPoint, mode: (number: number) => void): void {
  mode(ExecutionMode.OriginUpperLeft);
  if (entry.earlyDepthStencil) mode(ExecutionMode.EarlyFragmentTests);
  const outputs = entry.outputs.map(({ role }) =>
    role.kind === 'output' ? role.variable.builtin : undefined,
  );
  if (outputs.some((builtin) => builtin?.startsWith('SV_Depth'))) {
    mode(ExecutionMode.DepthReplacing);
    const greater = entry.depthMode === 'greater' || outputs.includes('SV_DepthGreaterEqual');
    const less = entry.depthMode === 'less' || outputs.includes('SV_DepthLessEqual');
    if (hasAttribute(entry, 'depth_unchanged')) mode(ExecutionMode.DepthUnchanged);
    else if (greater) mode(ExecutionMode.DepthGreater);
    else if (less) mode(ExecutionMode.DepthLess);
  }
  if (outputs.includes('SV_StencilRef')) mode(ExecutionMode.StencilRefReplacingEXT);
  for (const [name, row] of Object.entries(attributeModes)) {
    if (!hasAttribute(entry, name)) continue;
    needExtension(context, row.extension);
    if (row.capability) needCapability(context, row.capability);
    mode(row.mode);
  }
  if (ordersPixels(context.module)) interlock(context, entry, mode);
}

function hasAttribute(entry: EntryPoint, name: string): boolean {
  return entry.attributes.some((attribute) => attribute.name.replace(/^vk::/, '') === name);
}

const amd = 'SPV_AMD_shader_early_and_late_fragment_tests';

/** Attributes of pixel shaders that stand for an execution mode of an extension. */
const attributeModes: Record<string, { mode: number; extension: string; capability?: CapabilityName }> = {
  post_depth_coverage: {
    mode: ExecutionMode.PostDepthCoverage,
    extension: 'SPV_KHR_post_depth_coverage',
    capability: 'SampleMaskPostDepthCoverage',
  },
  waveopsincludehelperlanes: {
    mode: ExecutionMode.RequireFullQuadsKHR,
    extension: 'SPV_KHR_quad_control',
    capability: 'QuadControlKHR',
  },
  early_and_late_tests: { mode: 5017, extension: amd },
  stencil_ref_unchanged_front: { mode: 5079, extension: amd, capability: 'StencilExportEXT' },
  stencil_ref_greater_equal_front: { mode: 5080, extension: amd, capability: 'StencilExportEXT' },
  stencil_ref_less_equal_front: { mode: 5081, extension: amd, capability: 'StencilExportEXT' },
  stencil_ref_unchanged_back: { mode: 5082, extension: amd, capability: 'StencilExportEXT' },
  stencil_ref_greater_equal_back: { mode: 5083, extension: amd, capability: 'StencilExportEXT' },
  stencil_ref_less_equal_back: { mode: 5084, extension: amd, capability: 'StencilExportEXT' },
};

/** True if the module has rasterizer ordered views: pixels that overlap then take turns. */
export function ordersPixels(module: Module): boolean {
  return module.globals.some(({ role, type }) => {
    if (role.kind !== 'resource') return false;
    const resource = resourceType(type);
    if (resource.kind === 'texture') return resource.rasterizerOrdered;
    return resource.kind === 'buffer' && resource.buffer.startsWith('RasterizerOrdered');
  });
}

/** By sample if the shader runs by sample, else by pixel. */
function interlock(context: Context, entry: EntryPoint, mode: (number: number) => void): void {
  const reads = (builtin: string) =>
    entry.inputs.some(({ role }) => role.kind === 'input' && role.variable.builtin === builtin);
  needExtension(context, 'SPV_EXT_fragment_shader_interlock');
  if (reads('SV_SampleIndex')) {
    needCapability(context, 'FragmentShaderSampleInterlockEXT');
    mode(ExecutionMode.SampleInterlockOrderedEXT);
  } else if (reads('SV_ShadingRate')) {
    needCapability(context, 'FragmentShaderShadingRateInterlockEXT');
    mode(ExecutionMode.ShadingRateInterlockOrderedEXT);
  } else {
    needCapability(context, 'FragmentShaderPixelInterlockEXT');
    mode(ExecutionMode.PixelInterlockOrderedEXT);
  }
}
