/** What Vulkan's built-in variables are: one row per system value, direction and stages. */
import type { Stage } from '../ir/ir.ts';
import { array, boolType, floatType, intType, type Type, uintType, vector } from '../types/type.ts';
import type { CapabilityName } from './capabilities.ts';
import type { BuiltIn } from './enums.ts';

export interface SystemValueRow {
  builtIn: keyof typeof BuiltIn;
  /** Type of the variable in Vulkan; absent: as in the source. */
  type?: Type;
  /** 32-bit integers may have either sign: only shape and width are settled by `type`. */
  anySign?: boolean;
  capability?: CapabilityName;
}

const float3 = vector(floatType, 3);
const float4 = vector(floatType, 4);
const uint3 = vector(uintType, 3);
const mask = array(uintType, 1);

const id = (builtIn: keyof typeof BuiltIn, capability?: CapabilityName): SystemValueRow => ({
  builtIn,
  type: uintType,
  anySign: true,
  ...(capability && { capability }),
});
const ids = (builtIn: keyof typeof BuiltIn): SystemValueRow => ({ builtIn, type: uint3, anySign: true });

/** By `stage input` or `stage output`, or `*` for any stage; the first that fits. `before14` rows are in layer rows below. */
const rows: Record<string, Record<string, SystemValueRow>> = {
  'vertex input': {
    SV_VertexID: id('VertexIndex'),
    SV_InstanceID: id('InstanceIndex'),
    SV_StartVertexLocation: id('BaseVertex', 'DrawParameters'),
    SV_StartInstanceLocation: id('BaseInstance', 'DrawParameters'),
    BaseVertex: id('BaseVertex', 'DrawParameters'),
    BaseInstance: id('BaseInstance', 'DrawParameters'),
    DrawIndex: id('DrawIndex', 'DrawParameters'),
    SV_ViewID: id('ViewIndex', 'MultiView'),
  },
  'vertex output': {
    SV_Position: { builtIn: 'Position', type: float4 },
    SV_ClipDistance: { builtIn: 'ClipDistance', capability: 'ClipDistance' },
    SV_CullDistance: { builtIn: 'CullDistance', capability: 'CullDistance' },
    SV_RenderTargetArrayIndex: id('Layer', 'ShaderLayer'),
    SV_ViewportArrayIndex: id('ViewportIndex', 'ShaderViewportIndex'),
    SV_ShadingRate: id('PrimitiveShadingRateKHR', 'FragmentShadingRateKHR'),
    PointSize: { builtIn: 'PointSize', type: floatType },
  },
  'pixel input': {
    SV_Position: { builtIn: 'FragCoord', type: float4 },
    SV_ClipDistance: { builtIn: 'ClipDistance', capability: 'ClipDistance' },
    SV_CullDistance: { builtIn: 'CullDistance', capability: 'CullDistance' },
    SV_IsFrontFace: { builtIn: 'FrontFacing', type: boolType },
    SV_PrimitiveID: id('PrimitiveId', 'Geometry'),
    SV_SampleIndex: id('SampleId', 'SampleRateShading'),
    SV_Coverage: { builtIn: 'SampleMask', type: mask, anySign: true },
    SV_InnerCoverage: { builtIn: 'FullyCoveredEXT', type: boolType, capability: 'FragmentFullyCoveredEXT' },
    SV_Barycentrics: { builtIn: 'BaryCoordKHR', type: float3, capability: 'FragmentBarycentricKHR' },
    SV_RenderTargetArrayIndex: id('Layer', 'Geometry'),
    SV_ViewportArrayIndex: id('ViewportIndex', 'MultiViewport'),
    SV_ViewID: id('ViewIndex', 'MultiView'),
    SV_ShadingRate: id('ShadingRateKHR', 'FragmentShadingRateKHR'),
    HelperInvocation: { builtIn: 'HelperInvocation', type: boolType },
    PointCoord: { builtIn: 'PointCoord', type: vector(floatType, 2) },
  },
  'pixel output': {
    SV_Depth: { builtIn: 'FragDepth', type: floatType },
    SV_DepthGreaterEqual: { builtIn: 'FragDepth', type: floatType },
    SV_DepthLessEqual: { builtIn: 'FragDepth', type: floatType },
    SV_Coverage: { builtIn: 'SampleMask', type: mask, anySign: true },
    SV_StencilRef: {
      builtIn: 'FragStencilRefEXT',
      type: intType,
      anySign: true,
      capability: 'StencilExportEXT',
    },
  },
  'compute input': {
    SV_DispatchThreadID: ids('GlobalInvocationId'),
    SV_GroupID: ids('WorkgroupId'),
    SV_GroupThreadID: ids('LocalInvocationId'),
    SV_GroupIndex: id('LocalInvocationIndex'),
    NumWorkgroups: ids('NumWorkgroups'),
    NumSubgroups: id('NumSubgroups', 'GroupNonUniform'),
    SubgroupId: id('SubgroupId', 'GroupNonUniform'),
  },
  '* input': {
    DeviceIndex: id('DeviceIndex', 'DeviceGroup'),
    SubgroupSize: id('SubgroupSize', 'GroupNonUniform'),
    SubgroupLocalInvocationId: id('SubgroupLocalInvocationId', 'GroupNonUniform'),
  },
};

export function systemValue(
  stage: Stage,
  direction: 'input' | 'output',
  builtin: string,
): SystemValueRow | undefined {
  return rows[`${stage} ${direction}`]?.[builtin] ?? rows[`* ${direction}`]?.[builtin];
}
