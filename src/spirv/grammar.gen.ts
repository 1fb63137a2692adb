/** The published SPIR-V grammar (spirv-headers, unified1), reduced to graphics: made by a script, not by hand. Read by disassemble.ts. */
/** A line per instruction: name, number, operands (T result type, R result, I id, C scope, M semantics, N number, S string, V typed number, X, O, P number+id, Q id+number, J id+id, else an enumeration; ? optional, * any). */
export const instructionGrammar = `Nop 0
Undef 1 T R
SourceContinued 2 S
Source 3 SourceLanguage N I? S?
SourceExtension 4 S
Name 5 I S
MemberName 6 I N S
String 7 R S
Line 8 I N N
Extension 10 S
ExtInstImport 11 R S
ExtInst 12 T R I X I*
MemoryModel 14 AddressingModel MemoryModel
EntryPoint 15 ExecutionModel I S I*
ExecutionMode 16 I ExecutionMode
Capability 17 Capability
TypeVoid 19 R
TypeBool 20 R
TypeInt 21 R N N
TypeFloat 22 R N
TypeVector 23 R I N
TypeMatrix 24 R I N
TypeImage 25 R I Dim N N N N ImageFormat AccessQualifier?
TypeSampler 26 R
TypeSampledImage 27 R I
TypeArray 28 R I I
TypeRuntimeArray 29 R I
TypeStruct 30 R I*
TypePointer 32 R StorageClass I
TypeFunction 33 R I I*
TypeForwardPointer 39 I StorageClass
ConstantTrue 41 T R
ConstantFalse 42 T R
Constant 43 T R V
ConstantComposite 44 T R I*
ConstantNull 46 T R
SpecConstantTrue 48 T R
SpecConstantFalse 49 T R
SpecConstant 50 T R V
SpecConstantComposite 51 T R I*
SpecConstantOp 52 T R O
Function 54 T R FunctionControl I
FunctionParameter 55 T R
FunctionEnd 56
FunctionCall 57 T R I I*
Variable 59 T R StorageClass I?
ImageTexelPointer 60 T R I I I
Load 61 T R I MemoryAccess?
Store 62 I I MemoryAccess?
CopyMemory 63 I I MemoryAccess? MemoryAccess?
AccessChain 65 T R I I*
InBoundsAccessChain 66 T R I I*
PtrAccessChain 67 T R I I I*
ArrayLength 68 T R I N
Decorate 71 I Decoration
MemberDecorate 72 I N Decoration
DecorationGroup 73 R
GroupDecorate 74 I I*
GroupMemberDecorate 75 I Q*
VectorExtractDynamic 77 T R I I
VectorInsertDynamic 78 T R I I I
VectorShuffle 79 T R I I N*
CompositeConstruct 80 T R I*
CompositeExtract 81 T R I N*
CompositeInsert 82 T R I I N*
CopyObject 83 T R I
Transpose 84 T R I
SampledImage 86 T R I I
ImageSampleImplicitLod 87 T R I I ImageOperands?
ImageSampleExplicitLod 88 T R I I ImageOperands
ImageSampleDrefImplicitLod 89 T R I I I ImageOperands?
ImageSampleDrefExplicitLod 90 T R I I I ImageOperands
ImageSampleProjImplicitLod 91 T R I I ImageOperands?
ImageSampleProjExplicitLod 92 T R I I ImageOperands
ImageSampleProjDrefImplicitLod 93 T R I I I ImageOperands?
ImageSampleProjDrefExplicitLod 94 T R I I I ImageOperands
ImageFetch 95 T R I I ImageOperands?
ImageGather 96 T R I I I ImageOperands?
ImageDrefGather 97 T R I I I ImageOperands?
ImageRead 98 T R I I ImageOperands?
ImageWrite 99 I I I ImageOperands?
Image 100 T R I
ImageQuerySizeLod 103 T R I I
ImageQuerySize 104 T R I
ImageQueryLod 105 T R I I
ImageQueryLevels 106 T R I
ImageQuerySamples 107 T R I
ConvertFToU 109 T R I
ConvertFToS 110 T R I
ConvertSToF 111 T R I
ConvertUToF 112 T R I
UConvert 113 T R I
SConvert 114 T R I
FConvert 115 T R I
QuantizeToF16 116 T R I
ConvertPtrToU 117 T R I
ConvertUToPtr 120 T R I
Bitcast 124 T R I
SNegate 126 T R I
FNegate 127 T R I
IAdd 128 T R I I
FAdd 129 T R I I
ISub 130 T R I I
FSub 131 T R I I
IMul 132 T R I I
FMul 133 T R I I
UDiv 134 T R I I
SDiv 135 T R I I
FDiv 136 T R I I
UMod 137 T R I I
SRem 138 T R I I
SMod 139 T R I I
FRem 140 T R I I
FMod 141 T R I I
VectorTimesScalar 142 T R I I
MatrixTimesScalar 143 T R I I
VectorTimesMatrix 144 T R I I
MatrixTimesVector 145 T R I I
MatrixTimesMatrix 146 T R I I
OuterProduct 147 T R I I
Dot 148 T R I I
IAddCarry 149 T R I I
ISubBorrow 150 T R I I
UMulExtended 151 T R I I
SMulExtended 152 T R I I
Any 154 T R I
All 155 T R I
IsNan 156 T R I
IsInf 157 T R I
LogicalEqual 164 T R I I
LogicalNotEqual 165 T R I I
LogicalOr 166 T R I I
LogicalAnd 167 T R I I
LogicalNot 168 T R I
Select 169 T R I I I
IEqual 170 T R I I
INotEqual 171 T R I I
UGreaterThan 172 T R I I
SGreaterThan 173 T R I I
UGreaterThanEqual 174 T R I I
SGreaterThanEqual 175 T R I I
ULessThan 176 T R I I
SLessThan 177 T R I I
ULessThanEqual 178 T R I I
SLessThanEqual 179 T R I I
FOrdEqual 180 T R I I
FUnordEqual 181 T R I I
FOrdNotEqual 182 T R I I
FUnordNotEqual 183 T R I I
FOrdLessThan 184 T R I I
FUnordLessThan 185 T R I I
FOrdGreaterThan 186 T R I I
FUnordGreaterThan 187 T R I I
FOrdLessThanEqual 188 T R I I
FUnordLessThanEqual 189 T R I I
FOrdGreaterThanEqual 190 T R I I
FUnordGreaterThanEqual 191 T R I I
ShiftRightLogical 194 T R I I
ShiftRightArithmetic 195 T R I I
ShiftLeftLogical 196 T R I I
BitwiseOr 197 T R I I
BitwiseXor 198 T R I I
BitwiseAnd 199 T R I I
Not 200 T R I
BitFieldInsert 201 T R I I I I
BitFieldSExtract 202 T R I I I
BitFieldUExtract 203 T R I I I
BitReverse 204 T R I
BitCount 205 T R I
DPdx 207 T R I
DPdy 208 T R I
Fwidth 209 T R I
DPdxFine 210 T R I
DPdyFine 211 T R I
FwidthFine 212 T R I
DPdxCoarse 213 T R I
DPdyCoarse 214 T R I
FwidthCoarse 215 T R I
EmitVertex 218
EndPrimitive 219
EmitStreamVertex 220 I
EndStreamPrimitive 221 I
ControlBarrier 224 C C M
MemoryBarrier 225 C M
AtomicLoad 227 T R I C M
AtomicStore 228 I C M I
AtomicExchange 229 T R I C M I
AtomicCompareExchange 230 T R I C M M I I
AtomicIIncrement 232 T R I C M
AtomicIDecrement 233 T R I C M
AtomicIAdd 234 T R I C M I
AtomicISub 235 T R I C M I
AtomicSMin 236 T R I C M I
AtomicUMin 237 T R I C M I
AtomicSMax 238 T R I C M I
AtomicUMax 239 T R I C M I
AtomicAnd 240 T R I C M I
AtomicOr 241 T R I C M I
AtomicXor 242 T R I C M I
Phi 245 T R J*
LoopMerge 246 I I LoopControl
SelectionMerge 247 I SelectionControl
Label 248 R
Branch 249 I
BranchConditional 250 I I I N*
Switch 251 I I P*
Kill 252
Return 253
ReturnValue 254 I
Unreachable 255
ImageSparseSampleImplicitLod 305 T R I I ImageOperands?
ImageSparseSampleExplicitLod 306 T R I I ImageOperands
ImageSparseSampleDrefImplicitLod 307 T R I I I ImageOperands?
ImageSparseSampleDrefExplicitLod 308 T R I I I ImageOperands
ImageSparseSampleProjImplicitLod 309 T R I I ImageOperands?
ImageSparseSampleProjExplicitLod 310 T R I I ImageOperands
ImageSparseSampleProjDrefImplicitLod 311 T R I I I ImageOperands?
ImageSparseSampleProjDrefExplicitLod 312 T R I I I ImageOperands
ImageSparseFetch 313 T R I I ImageOperands?
ImageSparseGather 314 T R I I I ImageOperands?
ImageSparseDrefGather 315 T R I I I ImageOperands?
ImageSparseTexelsResident 316 T R I
NoLine 317
ImageSparseRead 320 T R I I ImageOperands?
ModuleProcessed 330 S
ExecutionModeId 331 I ExecutionMode
DecorateId 332 I Decoration
GroupNonUniformElect 333 T R C
GroupNonUniformAll 334 T R C I
GroupNonUniformAny 335 T R C I
GroupNonUniformAllEqual 336 T R C I
GroupNonUniformBroadcast 337 T R C I I
GroupNonUniformBroadcastFirst 338 T R C I
GroupNonUniformBallot 339 T R C I
GroupNonUniformInverseBallot 340 T R C I
GroupNonUniformBallotBitExtract 341 T R C I I
GroupNonUniformBallotBitCount 342 T R C GroupOperation I
GroupNonUniformBallotFindLSB 343 T R C I
GroupNonUniformBallotFindMSB 344 T R C I
GroupNonUniformShuffle 345 T R C I I
GroupNonUniformShuffleXor 346 T R C I I
GroupNonUniformShuffleUp 347 T R C I I
GroupNonUniformShuffleDown 348 T R C I I
GroupNonUniformIAdd 349 T R C GroupOperation I I?
GroupNonUniformFAdd 350 T R C GroupOperation I I?
GroupNonUniformIMul 351 T R C GroupOperation I I?
GroupNonUniformFMul 352 T R C GroupOperation I I?
GroupNonUniformSMin 353 T R C GroupOperation I I?
GroupNonUniformUMin 354 T R C GroupOperation I I?
GroupNonUniformFMin 355 T R C GroupOperation I I?
GroupNonUniformSMax 356 T R C GroupOperation I I?
GroupNonUniformUMax 357 T R C GroupOperation I I?
GroupNonUniformFMax 358 T R C GroupOperation I I?
GroupNonUniformBitwiseAnd 359 T R C GroupOperation I I?
GroupNonUniformBitwiseOr 360 T R C GroupOperation I I?
GroupNonUniformBitwiseXor 361 T R C GroupOperation I I?
GroupNonUniformLogicalAnd 362 T R C GroupOperation I I?
GroupNonUniformLogicalOr 363 T R C GroupOperation I I?
GroupNonUniformLogicalXor 364 T R C GroupOperation I I?
GroupNonUniformQuadBroadcast 365 T R C I I
GroupNonUniformQuadSwap 366 T R C I I
CopyLogical 400 T R I
PtrEqual 401 T R I I
PtrNotEqual 402 T R I I
PtrDiff 403 T R I I
TerminateInvocation 4416
SubgroupBallotKHR 4421 T R I
SubgroupFirstInvocationKHR 4422 T R I
SubgroupAllKHR 4428 T R I
SubgroupAnyKHR 4429 T R I
SubgroupAllEqualKHR 4430 T R I
GroupNonUniformRotateKHR 4431 T R C I I I?
SubgroupReadInvocationKHR 4432 T R I I
TraceRayKHR 4445 I I I I I I I I I I I
ExecuteCallableKHR 4446 I I
ConvertUToAccelerationStructureKHR 4447 T R I
IgnoreIntersectionKHR 4448
TerminateRayKHR 4449
SDot 4450 T R I I PackedVectorFormat?
UDot 4451 T R I I PackedVectorFormat?
SUDot 4452 T R I I PackedVectorFormat?
SDotAccSat 4453 T R I I I PackedVectorFormat?
UDotAccSat 4454 T R I I I PackedVectorFormat?
SUDotAccSat 4455 T R I I I PackedVectorFormat?
TypeRayQueryKHR 4472 R
RayQueryInitializeKHR 4473 I I I I I I I I
RayQueryTerminateKHR 4474 I
RayQueryGenerateIntersectionKHR 4475 I I
RayQueryConfirmIntersectionKHR 4476 I
RayQueryProceedKHR 4477 T R I
RayQueryGetIntersectionTypeKHR 4479 T R I I
ReadClockKHR 5056 T R C
ImageSampleFootprintNV 5283 T R I I I I ImageOperands?
EmitMeshTasksEXT 5294 I I I I?
SetMeshOutputsEXT 5295 I I
GroupNonUniformPartitionNV 5296 T R I
ReportIntersectionNV 5334 T R I I
IgnoreIntersectionNV 5335
TerminateRayNV 5336
TraceNV 5337 I I I I I I I I I I I
TraceMotionNV 5338 I I I I I I I I I I I I
TraceRayMotionNV 5339 I I I I I I I I I I I I
TypeAccelerationStructureNV 5341 R
ExecuteCallableNV 5344 I I
BeginInvocationInterlockEXT 5364
EndInvocationInterlockEXT 5365
DemoteToHelperInvocation 5380
IsHelperInvocationEXT 5381 T R
AtomicFMinEXT 5614 T R I C M I
AtomicFMaxEXT 5615 T R I C M I
AssumeTrueKHR 5630 I
ExpectKHR 5631 T R I I
DecorateString 5632 I Decoration
MemberDecorateString 5633 I N Decoration
RayQueryGetRayTMinKHR 6016 T R I
RayQueryGetRayFlagsKHR 6017 T R I
RayQueryGetIntersectionTKHR 6018 T R I I
RayQueryGetIntersectionInstanceCustomIndexKHR 6019 T R I I
RayQueryGetIntersectionInstanceIdKHR 6020 T R I I
RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR 6021 T R I I
RayQueryGetIntersectionGeometryIndexKHR 6022 T R I I
RayQueryGetIntersectionPrimitiveIndexKHR 6023 T R I I
RayQueryGetIntersectionBarycentricsKHR 6024 T R I I
RayQueryGetIntersectionFrontFaceKHR 6025 T R I I
RayQueryGetIntersectionCandidateAABBOpaqueKHR 6026 T R I
RayQueryGetIntersectionObjectRayDirectionKHR 6027 T R I I
RayQueryGetIntersectionObjectRayOriginKHR 6028 T R I I
RayQueryGetWorldRayDirectionKHR 6029 T R I
RayQueryGetWorldRayOriginKHR 6030 T R I
RayQueryGetIntersectionObjectToWorldKHR 6031 T R I I
RayQueryGetIntersectionWorldToObjectKHR 6032 T R I I
AtomicFAddEXT 6035 T R I C M I
GroupIMulKHR 6401 T R C GroupOperation I
GroupFMulKHR 6402 T R C GroupOperation I
GroupBitwiseAndKHR 6403 T R C GroupOperation I
GroupBitwiseOrKHR 6404 T R C GroupOperation I
GroupBitwiseXorKHR 6405 T R C GroupOperation I
GroupLogicalAndKHR 6406 T R C GroupOperation I
GroupLogicalOrKHR 6407 T R C GroupOperation I
GroupLogicalXorKHR 6408 T R C GroupOperation I`;
/** A line per enumeration: its name (| if bits), then name=value:parameters. */
export const enumGrammar = `ImageOperands| None=0 Bias=1:I Lod=2:I Grad=4:I:I ConstOffset=8:I Offset=16:I ConstOffsets=32:I Sample=64:I MinLod=128:I MakeTexelAvailable=256:C MakeTexelVisible=512:C NonPrivateTexel=1024 VolatileTexel=2048 SignExtend=4096 ZeroExtend=8192 Nontemporal=16384 Offsets=65536:I
SelectionControl| None=0 Flatten=1 DontFlatten=2
LoopControl| None=0 Unroll=1 DontUnroll=2 DependencyInfinite=4 DependencyLength=8:N MinIterations=16:N MaxIterations=32:N IterationMultiple=64:N PeelCount=128:N PartialCount=256:N
FunctionControl| None=0 Inline=1 DontInline=2 Pure=4 Const=8
MemoryAccess| None=0 Volatile=1 Aligned=2:N Nontemporal=4 MakePointerAvailable=8:C MakePointerVisible=16:C NonPrivatePointer=32 AliasScopeINTELMask=65536:I NoAliasINTELMask=131072:I
SourceLanguage Unknown=0 ESSL=1 GLSL=2 OpenCL_C=3 OpenCL_CPP=4 HLSL=5 CPP_for_OpenCL=6 SYCL=7
ExecutionModel Vertex=0 TessellationControl=1 TessellationEvaluation=2 Geometry=3 Fragment=4 GLCompute=5 Kernel=6 TaskNV=5267 MeshNV=5268 RayGenerationNV=5313 IntersectionNV=5314 AnyHitNV=5315 ClosestHitNV=5316 MissNV=5317 CallableNV=5318 TaskEXT=5364 MeshEXT=5365
AddressingModel Logical=0 Physical32=1 Physical64=2 PhysicalStorageBuffer64=5348
MemoryModel Simple=0 GLSL450=1 OpenCL=2 Vulkan=3
ExecutionMode Invocations=0:N SpacingEqual=1 SpacingFractionalEven=2 SpacingFractionalOdd=3 VertexOrderCw=4 VertexOrderCcw=5 PixelCenterInteger=6 OriginUpperLeft=7 OriginLowerLeft=8 EarlyFragmentTests=9 PointMode=10 Xfb=11 DepthReplacing=12 DepthGreater=14 DepthLess=15 DepthUnchanged=16 LocalSize=17:N:N:N LocalSizeHint=18:N:N:N InputPoints=19 InputLines=20 InputLinesAdjacency=21 Triangles=22 InputTrianglesAdjacency=23 Quads=24 Isolines=25 OutputVertices=26:N OutputPoints=27 OutputLineStrip=28 OutputTriangleStrip=29 VecTypeHint=30:N ContractionOff=31 Initializer=33 Finalizer=34 SubgroupSize=35:N SubgroupsPerWorkgroup=36:N SubgroupsPerWorkgroupId=37:I LocalSizeId=38:I:I:I LocalSizeHintId=39:I:I:I SubgroupUniformControlFlowKHR=4421 PostDepthCoverage=4446 DenormPreserve=4459:N DenormFlushToZero=4460:N SignedZeroInfNanPreserve=4461:N RoundingModeRTE=4462:N RoundingModeRTZ=4463:N StencilRefReplacingEXT=5027 OutputLinesNV=5269 OutputPrimitivesNV=5270:N DerivativeGroupQuadsNV=5289 DerivativeGroupLinearNV=5290 OutputTrianglesNV=5298 PixelInterlockOrderedEXT=5366 PixelInterlockUnorderedEXT=5367 SampleInterlockOrderedEXT=5368 SampleInterlockUnorderedEXT=5369 ShadingRateInterlockOrderedEXT=5370 ShadingRateInterlockUnorderedEXT=5371
StorageClass UniformConstant=0 Input=1 Uniform=2 Output=3 Workgroup=4 CrossWorkgroup=5 Private=6 Function=7 Generic=8 PushConstant=9 AtomicCounter=10 Image=11 StorageBuffer=12 CallableDataNV=5328 IncomingCallableDataNV=5329 RayPayloadNV=5338 HitAttributeNV=5339 IncomingRayPayloadNV=5342 ShaderRecordBufferNV=5343 PhysicalStorageBuffer=5349 HitObjectAttributeNV=5385 TaskPayloadWorkgroupEXT=5402
Dim 1D=0 2D=1 3D=2 Cube=3 Rect=4 Buffer=5 SubpassData=6
ImageFormat Unknown=0 Rgba32f=1 Rgba16f=2 R32f=3 Rgba8=4 Rgba8Snorm=5 Rg32f=6 Rg16f=7 R11fG11fB10f=8 R16f=9 Rgba16=10 Rgb10A2=11 Rg16=12 Rg8=13 R16=14 R8=15 Rgba16Snorm=16 Rg16Snorm=17 Rg8Snorm=18 R16Snorm=19 R8Snorm=20 Rgba32i=21 Rgba16i=22 Rgba8i=23 R32i=24 Rg32i=25 Rg16i=26 Rg8i=27 R16i=28 R8i=29 Rgba32ui=30 Rgba16ui=31 Rgba8ui=32 R32ui=33 Rgb10a2ui=34 Rg32ui=35 Rg16ui=36 Rg8ui=37 R16ui=38 R8ui=39 R64ui=40 R64i=41
AccessQualifier ReadOnly=0 WriteOnly=1 ReadWrite=2
Decoration RelaxedPrecision=0 SpecId=1:N Block=2 BufferBlock=3 RowMajor=4 ColMajor=5 ArrayStride=6:N MatrixStride=7:N GLSLShared=8 GLSLPacked=9 CPacked=10 BuiltIn=11:BuiltIn NoPerspective=13 Flat=14 Patch=15 Centroid=16 Sample=17 Invariant=18 Restrict=19 Aliased=20 Volatile=21 Constant=22 Coherent=23 NonWritable=24 NonReadable=25 Uniform=26 UniformId=27:C SaturatedConversion=28 Stream=29:N Location=30:N Component=31:N Index=32:N Binding=33:N DescriptorSet=34:N Offset=35:N XfbBuffer=36:N XfbStride=37:N FuncParamAttr=38:FunctionParameterAttribute FPRoundingMode=39:FPRoundingMode FPFastMathMode=40:FPFastMathMode LinkageAttributes=41:S:LinkageType NoContraction=42 InputAttachmentIndex=43:N Alignment=44:N MaxByteOffset=45:N AlignmentId=46:I MaxByteOffsetId=47:I NoSignedWrap=4469 NoUnsignedWrap=4470 OverrideCoverageNV=5248 PassthroughNV=5250 ViewportRelativeNV=5252 SecondaryViewportRelativeNV=5256:N PerPrimitiveNV=5271 PerViewNV=5272 PerTaskNV=5273 PerVertexKHR=5285 NonUniform=5300 RestrictPointer=5355 AliasedPointer=5356 HitObjectShaderRecordBufferNV=5386 BindlessSamplerNV=5398 BindlessImageNV=5399 BoundSamplerNV=5400 BoundImageNV=5401 CounterBuffer=5634:I UserSemantic=5635:S UserTypeGOOGLE=5636:S
BuiltIn Position=0 PointSize=1 ClipDistance=3 CullDistance=4 VertexId=5 InstanceId=6 PrimitiveId=7 InvocationId=8 Layer=9 ViewportIndex=10 TessLevelOuter=11 TessLevelInner=12 TessCoord=13 PatchVertices=14 FragCoord=15 PointCoord=16 FrontFacing=17 SampleId=18 SamplePosition=19 SampleMask=20 FragDepth=22 HelperInvocation=23 NumWorkgroups=24 WorkgroupSize=25 WorkgroupId=26 LocalInvocationId=27 GlobalInvocationId=28 LocalInvocationIndex=29 WorkDim=30 GlobalSize=31 EnqueuedWorkgroupSize=32 GlobalOffset=33 GlobalLinearId=34 SubgroupSize=36 SubgroupMaxSize=37 NumSubgroups=38 NumEnqueuedSubgroups=39 SubgroupId=40 SubgroupLocalInvocationId=41 VertexIndex=42 InstanceIndex=43 CoreIDARM=4160 CoreCountARM=4161 CoreMaxIDARM=4162 WarpIDARM=4163 WarpMaxIDARM=4164 SubgroupEqMask=4416 SubgroupGeMask=4417 SubgroupGtMask=4418 SubgroupLeMask=4419 SubgroupLtMask=4420 BaseVertex=4424 BaseInstance=4425 DrawIndex=4426 PrimitiveShadingRateKHR=4432 DeviceIndex=4438 ViewIndex=4440 ShadingRateKHR=4444 FragStencilRefEXT=5014 ViewportMaskNV=5253 SecondaryPositionNV=5257 SecondaryViewportMaskNV=5258 PositionPerViewNV=5261 ViewportMaskPerViewNV=5262 FullyCoveredEXT=5264 TaskCountNV=5274 PrimitiveCountNV=5275 PrimitiveIndicesNV=5276 ClipDistancePerViewNV=5277 CullDistancePerViewNV=5278 LayerPerViewNV=5279 MeshViewCountNV=5280 MeshViewIndicesNV=5281 BaryCoordKHR=5286 BaryCoordNoPerspKHR=5287 FragSizeEXT=5292 FragInvocationCountEXT=5293 PrimitivePointIndicesEXT=5294 PrimitiveLineIndicesEXT=5295 PrimitiveTriangleIndicesEXT=5296 CullPrimitiveEXT=5299 LaunchIdNV=5319 LaunchSizeNV=5320 WorldRayOriginNV=5321 WorldRayDirectionNV=5322 ObjectRayOriginNV=5323 ObjectRayDirectionNV=5324 RayTminNV=5325 RayTmaxNV=5326 InstanceCustomIndexNV=5327 ObjectToWorldNV=5330 WorldToObjectNV=5331 HitTNV=5332 HitKindNV=5333 CurrentRayTimeNV=5334 IncomingRayFlagsNV=5351 RayGeometryIndexKHR=5352 WarpsPerSMNV=5374 SMCountNV=5375 WarpIDNV=5376 SMIDNV=5377 CullMaskKHR=6021
GroupOperation Reduce=0 InclusiveScan=1 ExclusiveScan=2 ClusteredReduce=3 PartitionedReduceNV=6 PartitionedInclusiveScanNV=7 PartitionedExclusiveScanNV=8
Capability Matrix=0 Shader=1 Geometry=2 Tessellation=3 Addresses=4 Linkage=5 Kernel=6 Vector16=7 Float16Buffer=8 Float16=9 Float64=10 Int64=11 Int64Atomics=12 ImageBasic=13 ImageReadWrite=14 ImageMipmap=15 Pipes=17 Groups=18 DeviceEnqueue=19 LiteralSampler=20 AtomicStorage=21 Int16=22 TessellationPointSize=23 GeometryPointSize=24 ImageGatherExtended=25 StorageImageMultisample=27 UniformBufferArrayDynamicIndexing=28 SampledImageArrayDynamicIndexing=29 StorageBufferArrayDynamicIndexing=30 StorageImageArrayDynamicIndexing=31 ClipDistance=32 CullDistance=33 ImageCubeArray=34 SampleRateShading=35 ImageRect=36 SampledRect=37 GenericPointer=38 Int8=39 InputAttachment=40 SparseResidency=41 MinLod=42 Sampled1D=43 Image1D=44 SampledCubeArray=45 SampledBuffer=46 ImageBuffer=47 ImageMSArray=48 StorageImageExtendedFormats=49 ImageQuery=50 DerivativeControl=51 InterpolationFunction=52 TransformFeedback=53 GeometryStreams=54 StorageImageReadWithoutFormat=55 StorageImageWriteWithoutFormat=56 MultiViewport=57 SubgroupDispatch=58 NamedBarrier=59 PipeStorage=60 GroupNonUniform=61 GroupNonUniformVote=62 GroupNonUniformArithmetic=63 GroupNonUniformBallot=64 GroupNonUniformShuffle=65 GroupNonUniformShuffleRelative=66 GroupNonUniformClustered=67 GroupNonUniformQuad=68 ShaderLayer=69 ShaderViewportIndex=70 UniformDecoration=71 CoreBuiltinsARM=4165 FragmentShadingRateKHR=4422 SubgroupBallotKHR=4423 DrawParameters=4427 WorkgroupMemoryExplicitLayoutKHR=4428 WorkgroupMemoryExplicitLayout8BitAccessKHR=4429 WorkgroupMemoryExplicitLayout16BitAccessKHR=4430 SubgroupVoteKHR=4431 StorageBuffer16BitAccess=4433 UniformAndStorageBuffer16BitAccess=4434 StoragePushConstant16=4435 StorageInputOutput16=4436 DeviceGroup=4437 MultiView=4439 VariablePointersStorageBuffer=4441 VariablePointers=4442 AtomicStorageOps=4445 SampleMaskPostDepthCoverage=4447 StorageBuffer8BitAccess=4448 UniformAndStorageBuffer8BitAccess=4449 StoragePushConstant8=4450 DenormPreserve=4464 DenormFlushToZero=4465 SignedZeroInfNanPreserve=4466 RoundingModeRTE=4467 RoundingModeRTZ=4468 RayQueryProvisionalKHR=4471 RayQueryKHR=4472 RayTraversalPrimitiveCullingKHR=4478 RayTracingKHR=4479 StencilExportEXT=5013 Int64ImageEXT=5016 ShaderClockKHR=5055 SampleMaskOverrideCoverageNV=5249 GeometryShaderPassthroughNV=5251 ShaderViewportIndexLayerEXT=5254 ShaderViewportMaskNV=5255 ShaderStereoViewNV=5259 PerViewAttributesNV=5260 FragmentFullyCoveredEXT=5265 MeshShadingNV=5266 ImageFootprintNV=5282 MeshShadingEXT=5283 FragmentBarycentricKHR=5284 ComputeDerivativeGroupQuadsNV=5288 FragmentDensityEXT=5291 GroupNonUniformPartitionedNV=5297 ShaderNonUniform=5301 RuntimeDescriptorArray=5302 InputAttachmentArrayDynamicIndexing=5303 UniformTexelBufferArrayDynamicIndexing=5304 StorageTexelBufferArrayDynamicIndexing=5305 UniformBufferArrayNonUniformIndexing=5306 SampledImageArrayNonUniformIndexing=5307 StorageBufferArrayNonUniformIndexing=5308 StorageImageArrayNonUniformIndexing=5309 InputAttachmentArrayNonUniformIndexing=5310 UniformTexelBufferArrayNonUniformIndexing=5311 StorageTexelBufferArrayNonUniformIndexing=5312 RayTracingNV=5340 RayTracingMotionBlurNV=5341 VulkanMemoryModel=5345 VulkanMemoryModelDeviceScope=5346 PhysicalStorageBufferAddresses=5347 ComputeDerivativeGroupLinearNV=5350 RayTracingProvisionalKHR=5353 CooperativeMatrixNV=5357 FragmentShaderSampleInterlockEXT=5363 FragmentShaderShadingRateInterlockEXT=5372 ShaderSMBuiltinsNV=5373 FragmentShaderPixelInterlockEXT=5378 DemoteToHelperInvocation=5379 RayTracingOpacityMicromapEXT=5381 ShaderInvocationReorderNV=5383 BindlessTextureNV=5390 AtomicFloat32MinMaxEXT=5612 AtomicFloat64MinMaxEXT=5613 AtomicFloat16MinMaxEXT=5616 ExpectAssumeKHR=5629 DotProductInputAll=6016 DotProductInput4x8Bit=6017 DotProductInput4x8BitPacked=6018 DotProduct=6019 RayCullMaskKHR=6020 BitInstructions=6025 GroupNonUniformRotateKHR=6026 AtomicFloat32AddEXT=6033 AtomicFloat64AddEXT=6034 AtomicFloat16AddEXT=6095 GroupUniformArithmeticKHR=6400
PackedVectorFormat PackedVectorFormat4x8Bit=0`;
export const glslGrammar = `Round=1 RoundEven=2 Trunc=3 FAbs=4 SAbs=5 FSign=6 SSign=7 Floor=8 Ceil=9 Fract=10 Radians=11 Degrees=12 Sin=13 Cos=14 Tan=15 Asin=16 Acos=17 Atan=18 Sinh=19 Cosh=20 Tanh=21 Asinh=22 Acosh=23 Atanh=24 Atan2=25 Pow=26 Exp=27 Log=28 Exp2=29 Log2=30 Sqrt=31 InverseSqrt=32 Determinant=33 MatrixInverse=34 Modf=35 ModfStruct=36 FMin=37 UMin=38 SMin=39 FMax=40 UMax=41 SMax=42 FClamp=43 UClamp=44 SClamp=45 FMix=46 IMix=47 Step=48 SmoothStep=49 Fma=50 Frexp=51 FrexpStruct=52 Ldexp=53 PackSnorm4x8=54 PackUnorm4x8=55 PackSnorm2x16=56 PackUnorm2x16=57 PackHalf2x16=58 PackDouble2x32=59 UnpackSnorm2x16=60 UnpackUnorm2x16=61 UnpackHalf2x16=62 UnpackSnorm4x8=63 UnpackUnorm4x8=64 UnpackDouble2x32=65 Length=66 Distance=67 Cross=68 Normalize=69 FaceForward=70 Reflect=71 Refract=72 FindILsb=73 FindSMsb=74 FindUMsb=75 InterpolateAtCentroid=76 InterpolateAtSample=77 InterpolateAtOffset=78 NMin=79 NMax=80 NClamp=81`;
export const debugInfoGrammar = `DebugInfoNone=0 DebugCompilationUnit=1 DebugTypeBasic=2 DebugTypePointer=3 DebugTypeQualifier=4 DebugTypeArray=5 DebugTypeVector=6 DebugTypedef=7 DebugTypeFunction=8 DebugTypeEnum=9 DebugTypeComposite=10 DebugTypeMember=11 DebugTypeInheritance=12 DebugTypePtrToMember=13 DebugTypeTemplate=14 DebugTypeTemplateParameter=15 DebugTypeTemplateTemplateParameter=16 DebugTypeTemplateParameterPack=17 DebugGlobalVariable=18 DebugFunctionDeclaration=19 DebugFunction=20 DebugLexicalBlock=21 DebugLexicalBlockDiscriminator=22 DebugScope=23 DebugNoScope=24 DebugInlinedAt=25 DebugLocalVariable=26 DebugInlinedVariable=27 DebugDeclare=28 DebugValue=29 DebugOperation=30 DebugExpression=31 DebugMacroDef=32 DebugMacroUndef=33 DebugImportedEntity=34 DebugSource=35 DebugFunctionDefinition=101 DebugSourceContinued=102 DebugLine=103 DebugNoLine=104 DebugBuildIdentifier=105 DebugStoragePath=106 DebugEntryPoint=107 DebugTypeMatrix=108`;
