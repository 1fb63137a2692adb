/** Names of the types that HLSL provides: what the parser takes for a type without a declaration. */

const scalars =
  'bool int uint dword half float double min16float min10float min16int min12int min16uint int16_t uint16_t int32_t ' +
  'uint32_t int64_t uint64_t float16_t float32_t float64_t';

const objects =
  'void string vector matrix int8_t4_packed uint8_t4_packed ' +
  'sampler sampler1D sampler2D sampler3D samplerCUBE SamplerState SamplerComparisonState texture texture1D texture2D ' +
  'texture3D textureCUBE Buffer RWBuffer StructuredBuffer RWStructuredBuffer AppendStructuredBuffer ' +
  'ConsumeStructuredBuffer ByteAddressBuffer RWByteAddressBuffer ConstantBuffer TextureBuffer ' +
  'Texture1D Texture2D Texture3D TextureCube Texture1DArray Texture2DArray TextureCubeArray Texture2DMS Texture2DMSArray ' +
  'RWTexture1D RWTexture2D RWTexture3D RWTexture1DArray RWTexture2DArray RWTexture2DMS RWTexture2DMSArray ' +
  'RasterizerOrderedBuffer RasterizerOrderedByteAddressBuffer RasterizerOrderedStructuredBuffer ' +
  'RasterizerOrderedTexture1D RasterizerOrderedTexture2D RasterizerOrderedTexture3D RasterizerOrderedTexture1DArray ' +
  'RasterizerOrderedTexture2DArray FeedbackTexture2D FeedbackTexture2DArray ' +
  'InputPatch OutputPatch PointStream LineStream TriangleStream ' +
  'RaytracingAccelerationStructure RayQuery RayDesc BuiltInTriangleIntersectionAttributes HitObject ' +
  'StateObjectConfig GlobalRootSignature LocalRootSignature SubobjectToExportsAssociation RaytracingShaderConfig ' +
  'RaytracingPipelineConfig RaytracingPipelineConfig1 TriangleHitGroup ProceduralPrimitiveHitGroup ' +
  'DispatchNodeInputRecord RWDispatchNodeInputRecord GroupNodeInputRecords RWGroupNodeInputRecords ' +
  'ThreadNodeInputRecord RWThreadNodeInputRecord NodeOutput NodeOutputArray EmptyNodeInput EmptyNodeOutput ' +
  'EmptyNodeOutputArray GroupNodeOutputRecords ThreadNodeOutputRecords ' +
  'BufferPointer SpirvType SpirvOpaqueType integral_constant Literal ext_type ext_result_id LinAlgMatrix ' +
  'SampledTexture1D SampledTexture1DArray SampledTexture2D SampledTexture2DArray SampledTexture2DMS ' +
  'SampledTexture2DMSArray SampledTexture3D SampledTextureCUBE SampledTextureCUBEArray SubpassInput SubpassInputMS ' +
  'BlendState DepthStencilState RasterizerState';

const scalarNames = new Set(scalars.split(' '));
const objectNames = new Set(objects.split(' '));

/** True for `float`, `float3`, `float3x4` and the like for each scalar, and for all object types. */
export function isBuiltinType(name: string): boolean {
  if (scalarNames.has(name) || objectNames.has(name)) return true;
  const sized = splitSized(name);
  return sized !== undefined && scalarNames.has(sized.element);
}

/** `float3` as `float` and 3, `float3x4` as `float`, 3 and 4; undefined if no number from 1 to 4 ends the name. */
export function splitSized(name: string): { element: string; first: number; second?: number } | undefined {
  const last = sizeAt(name, name.length - 1);
  if (last === undefined) return undefined;
  const rows = name[name.length - 2] === 'x' ? sizeAt(name, name.length - 3) : undefined;
  if (rows === undefined) return { element: name.slice(0, -1), first: last };
  return { element: name.slice(0, -3), first: rows, second: last };
}

function sizeAt(name: string, at: number): number | undefined {
  const digit = name[at];
  return digit !== undefined && digit >= '1' && digit <= '4' ? Number(digit) : undefined;
}
