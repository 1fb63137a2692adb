/** What a module asks of its device: capabilities, extensions and the versions that make them part of the core. */

import type { TargetEnv } from '../options.ts';
import { type Context, locationOf, type Target } from './context.ts';
import { Capability, Op } from './enums.ts';

export type CapabilityName = keyof typeof Capability;

const targets: Record<TargetEnv, Omit<Target, 'env'>> = {
  'vulkan1.0': { vulkan: 100, spirv: 100 },
  'vulkan1.1': { vulkan: 101, spirv: 103 },
  'vulkan1.1spirv1.4': { vulkan: 101, spirv: 104 },
  'vulkan1.2': { vulkan: 102, spirv: 105 },
  'vulkan1.3': { vulkan: 103, spirv: 106 },
  'vulkan1.4': { vulkan: 104, spirv: 106 },
  'universal1.5': { vulkan: 102, spirv: 105 },
};

export function targetOf(env: TargetEnv): Target {
  return { env, ...targets[env] };
}

/** Version word of the header. */
export function versionWord(target: Target): number {
  return ((Math.floor(target.spirv / 100) << 16) | ((target.spirv % 100) << 8)) >>> 0;
}

interface CapabilityRow {
  /** Extension that brings it, and the SPIR-V version that has it in the core. */
  extension?: string;
  core?: number;
  /** Oldest SPIR-V that can have it at all. */
  least?: number;
}

/** Capabilities that need more than SPIR-V 1.0. */
const rows: Partial<Record<CapabilityName, CapabilityRow>> = {
  StorageBuffer16BitAccess: { extension: 'SPV_KHR_16bit_storage', core: 103 },
  UniformAndStorageBuffer16BitAccess: { extension: 'SPV_KHR_16bit_storage', core: 103 },
  StoragePushConstant16: { extension: 'SPV_KHR_16bit_storage', core: 103 },
  StorageInputOutput16: { extension: 'SPV_KHR_16bit_storage', core: 103 },
  DrawParameters: { extension: 'SPV_KHR_shader_draw_parameters', core: 103 },
  DeviceGroup: { extension: 'SPV_KHR_device_group', core: 103 },
  MultiView: { extension: 'SPV_KHR_multiview', core: 103 },
  StencilExportEXT: { extension: 'SPV_EXT_shader_stencil_export' },
  FragmentBarycentricKHR: { extension: 'SPV_KHR_fragment_shader_barycentric' },
  FragmentFullyCoveredEXT: { extension: 'SPV_EXT_fragment_fully_covered' },
  FragmentShadingRateKHR: { extension: 'SPV_KHR_fragment_shading_rate' },
  FragmentShaderPixelInterlockEXT: { extension: 'SPV_EXT_fragment_shader_interlock' },
  FragmentShaderSampleInterlockEXT: { extension: 'SPV_EXT_fragment_shader_interlock' },
  ShaderViewportIndexLayerEXT: { extension: 'SPV_EXT_shader_viewport_index_layer' },
  ShaderLayer: { core: 105, least: 105 },
  ShaderViewportIndex: { core: 105, least: 105 },
  ShaderNonUniform: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  RuntimeDescriptorArray: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  UniformBufferArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  SampledImageArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  StorageBufferArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  StorageImageArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  InputAttachmentArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  UniformTexelBufferArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  StorageTexelBufferArrayNonUniformIndexing: { extension: 'SPV_EXT_descriptor_indexing', core: 105 },
  DemoteToHelperInvocation: { extension: 'SPV_EXT_demote_to_helper_invocation', core: 106 },
  DenormPreserve: { extension: 'SPV_KHR_float_controls', core: 104 },
  DenormFlushToZero: { extension: 'SPV_KHR_float_controls', core: 104 },
  SignedZeroInfNanPreserve: { extension: 'SPV_KHR_float_controls', core: 104 },
  Int64ImageEXT: { extension: 'SPV_EXT_shader_image_int64' },
  AtomicFloat32AddEXT: { extension: 'SPV_EXT_shader_atomic_float_add' },
  ShaderClockKHR: { extension: 'SPV_KHR_shader_clock' },
  QuadControlKHR: { extension: 'SPV_KHR_quad_control' },
  RayQueryKHR: { extension: 'SPV_KHR_ray_query' },
  GroupNonUniform: { least: 103 },
  GroupNonUniformVote: { least: 103 },
  GroupNonUniformArithmetic: { least: 103 },
  GroupNonUniformBallot: { least: 103 },
  GroupNonUniformShuffle: { least: 103 },
  GroupNonUniformShuffleRelative: { least: 103 },
  GroupNonUniformClustered: { least: 103 },
  GroupNonUniformQuad: { least: 103 },
};

const vulkanOf = (spirv: number): string =>
  spirv >= 106 ? 'vulkan1.3' : spirv >= 105 ? 'vulkan1.2' : spirv >= 104 ? 'vulkan1.1spirv1.4' : 'vulkan1.1';

/** Declares a capability with the extension it comes from. */
export function needCapability(context: Context, name: CapabilityName): void {
  const number = Capability[name];
  if (context.capabilities.has(number)) return;
  context.capabilities.add(number);
  context.sections.add('capabilities', Op.Capability, number);
  const row = rows[name];
  if (!row) return;
  if (row.least !== undefined) needVersion(context, row.least, name);
  if (row.extension && !(row.core !== undefined && context.target.spirv >= row.core))
    needExtension(context, row.extension);
}

/** Reports if the target's SPIR-V is older than `spirv`. */
export function needVersion(context: Context, spirv: number, what: string): void {
  if (context.target.spirv >= spirv) return;
  context.log.report('needs-target-env', locationOf(context), {
    what,
    needed: vulkanOf(spirv),
    env: context.target.env,
  });
}

/** What `-fspv-extension` may name: extensions that HLSL can lead to. */
const knownExtensions: ReadonlySet<string> = new Set([
  'SPV_AMDX_shader_enqueue',
  'SPV_AMD_shader_early_and_late_fragment_tests',
  'SPV_EXT_demote_to_helper_invocation',
  'SPV_EXT_descriptor_heap',
  'SPV_EXT_descriptor_indexing',
  'SPV_EXT_fragment_fully_covered',
  'SPV_EXT_fragment_invocation_density',
  'SPV_EXT_fragment_shader_interlock',
  'SPV_EXT_mesh_shader',
  'SPV_EXT_shader_atomic_float_add',
  'SPV_EXT_shader_image_int64',
  'SPV_EXT_shader_stencil_export',
  'SPV_EXT_shader_viewport_index_layer',
  'SPV_GOOGLE_decorate_string',
  'SPV_GOOGLE_hlsl_functionality1',
  'SPV_GOOGLE_user_type',
  'SPV_KHR_16bit_storage',
  'SPV_KHR_compute_shader_derivatives',
  'SPV_KHR_device_group',
  'SPV_KHR_float_controls',
  'SPV_KHR_fragment_shader_barycentric',
  'SPV_KHR_fragment_shading_rate',
  'SPV_KHR_maximal_reconvergence',
  'SPV_KHR_multiview',
  'SPV_KHR_non_semantic_info',
  'SPV_KHR_physical_storage_buffer',
  'SPV_KHR_post_depth_coverage',
  'SPV_KHR_quad_control',
  'SPV_KHR_ray_query',
  'SPV_KHR_ray_tracing',
  'SPV_KHR_shader_clock',
  'SPV_KHR_shader_draw_parameters',
  'SPV_KHR_storage_buffer_storage_class',
  'SPV_KHR_untyped_pointers',
  'SPV_KHR_vulkan_memory_model',
  'SPV_NV_compute_shader_derivatives',
  'SPV_NV_mesh_shader',
  'SPV_NV_ray_tracing',
  'SPV_NV_shader_subgroup_partitioned',
]);

/** Reports names in `-fspv-extension` that no module can ask for: they are misspelled. */
export function checkAllowedExtensions({ options, log }: Context): void {
  for (const extension of options.allowedExtensions)
    if (extension !== 'KHR' && !knownExtensions.has(extension))
      log.report('extension-unknown', 0, { extension });
}

/** Declares an extension; `-fspv-extension` may forbid it. Debug information's own is always allowed. */
export function needExtension(context: Context, name: string): void {
  if (context.extensions.has(name)) return;
  context.extensions.add(name);
  const allowed = context.options.allowedExtensions;
  const free =
    allowed.length === 0 ||
    allowed.includes(name) ||
    name === 'SPV_KHR_non_semantic_info' ||
    (allowed.includes('KHR') && name.startsWith('SPV_KHR_'));
  if (!free) context.log.report('extension-not-allowed', locationOf(context), { extension: name });
  context.sections.addText('extensions', Op.Extension, [], name);
}

/** Id of an extended instruction set. */
export function importSet(context: Context, name: string): number {
  let id = context.imports.get(name);
  if (id === undefined) {
    id = context.sections.id();
    context.imports.set(name, id);
    context.sections.addText('imports', Op.ExtInstImport, [id], name);
  }
  return id;
}
