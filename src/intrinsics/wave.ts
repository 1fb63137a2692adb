/**
 * Operations across the lanes of a wave and of a quad.
 *
 * The rows stand in alphabetical order.
 */
import type { Value } from '../ir/ir.ts';
import { boolType, type Type, uintType, vector } from '../types/type.ts';
import { quadStages } from './derivatives.ts';
import { byComponent, call, resultType } from './expansion.ts';
import type { ByScalar, Expansion, GroupOperation, Intrinsic, SpirvSpelling } from './intrinsic.ts';
import { keep, op } from './intrinsic.ts';

const ballotType = vector(uintType, 4);
const arithmetic = 'GroupNonUniformArithmetic';
const ballots = 'GroupNonUniformBallot';
const partitioned = 'GroupNonUniformPartitionedNV';

function group(name: string | ByScalar, capability: string, operation?: GroupOperation): SpirvSpelling {
  const extension =
    operation === 'PartitionedExclusiveScanNV' ? 'SPV_NV_shader_subgroup_partitioned' : undefined;
  return {
    kind: 'group',
    name: name,
    capability,
    ...(operation && { operation }),
    ...(extension && { extension }),
  };
}

function wave(
  name: string,
  signature: string,
  spirv: SpirvSpelling,
  more: Partial<Intrinsic> = {},
): Intrinsic {
  return { key: name, name, overloads: [signature], effects: 'wave', spirv, ...more };
}

function expanded(
  name: string,
  signature: string,
  expand: Expansion,
  more: Partial<Intrinsic> = {},
): Intrinsic {
  return { key: name, name, overloads: [signature], effects: 'wave', expand, ...more };
}

const sums: ByScalar = {
  float: 'OpGroupNonUniformFAdd',
  int: 'OpGroupNonUniformIAdd',
  uint: 'OpGroupNonUniformIAdd',
};
const products: ByScalar = {
  float: 'OpGroupNonUniformFMul',
  int: 'OpGroupNonUniformIMul',
  uint: 'OpGroupNonUniformIMul',
};
const minima: ByScalar = {
  float: 'OpGroupNonUniformFMin',
  int: 'OpGroupNonUniformSMin',
  uint: 'OpGroupNonUniformUMin',
};
const maxima: ByScalar = {
  float: 'OpGroupNonUniformFMax',
  int: 'OpGroupNonUniformSMax',
  uint: 'OpGroupNonUniformUMax',
};

const reduced = (name: string, of: string, spelled: string | ByScalar) =>
  wave(name, `T ${name}(T value) where T: ${of}`, group(spelled, arithmetic, 'Reduce'));
const scanned = (name: string, spelled: ByScalar) =>
  wave(name, `T ${name}(T value) where T: numeric`, group(spelled, arithmetic, 'ExclusiveScan'));
const multiScanned = (name: string, of: string, spelled: string | ByScalar) =>
  wave(
    name,
    `T ${name}(T value, uint4 mask) where T: ${of}`,
    group(spelled, partitioned, 'PartitionedExclusiveScanNV'),
    {
      shaderModel: 65,
    },
  );

/** Reads the value of the lane across; SPIR-V's directions are 0, 1, 2. */
const acrossQuad = (name: string, direction: number) =>
  expanded(name, `T ${name}(T value) where T: any`, (builder, args, instruction) =>
    call(builder, 'quad.swap', resultType(instruction), args[0]!, builder.uint(direction)),
  );

const quadVote = (name: string, join: 'logical_and' | 'logical_or') =>
  expanded(
    name,
    `bool ${name}(bool condition)`,
    (builder, args) => {
      const own = args[0]!;
      const others = [0, 1, 2].map((direction) =>
        call(builder, 'quad.swap', boolType, own, builder.uint(direction)),
      );
      return others.reduce((joined, other) => builder.binary(join, joined, other), own);
    },
    { shaderModel: 60, stages: quadStages },
  );

/** Counts the lanes that say yes, among all of them or those before the own one. */
const counted =
  (key: string): Expansion =>
  (builder, args) => {
    const ballot: Value = call(builder, 'WaveActiveBallot', ballotType, args[0]!);
    const among = args[1] ? builder.binary('and', ballot, args[1]) : ballot;
    return call(builder, key, uintType, among);
  };

const allEqual: Expansion = (builder, args, instruction) => {
  const type: Type = resultType(instruction);
  if (type.kind === 'scalar') return keep;
  return byComponent(builder, type, args, (part) => call(builder, 'WaveActiveAllEqual', boolType, part));
};

function bitCount(key: string, operation: GroupOperation): Intrinsic {
  return {
    key,
    name: '',
    overloads: [`uint ${key}(uint4 ballot)`],
    effects: 'wave',
    spirv: group('OpGroupNonUniformBallotBitCount', ballots, operation),
  };
}

export const waveRows: readonly Intrinsic[] = [
  {
    key: 'GetGroupWaveCount',
    name: 'GetGroupWaveCount',
    overloads: ['uint GetGroupWaveCount()'],
    effects: 'none',
    spirv: { kind: 'builtin', name: 'NumSubgroups', capability: 'GroupNonUniform' },
    stages: ['compute', 'mesh', 'amplification', 'library'],
    shaderModel: 70,
  },
  {
    key: 'GetGroupWaveIndex',
    name: 'GetGroupWaveIndex',
    overloads: ['uint GetGroupWaveIndex()'],
    effects: 'none',
    spirv: { kind: 'builtin', name: 'SubgroupId', capability: 'GroupNonUniform' },
    stages: ['compute', 'mesh', 'amplification', 'library'],
    shaderModel: 70,
  },
  {
    key: 'quad.swap',
    name: '',
    overloads: ['T quad.swap(T value, uint direction) where T: any'],
    effects: 'wave',
    spirv: group('OpGroupNonUniformQuadSwap', 'GroupNonUniformQuad'),
  },
  quadVote('QuadAll', 'logical_and'),
  quadVote('QuadAny', 'logical_or'),
  acrossQuad('QuadReadAcrossDiagonal', 2),
  acrossQuad('QuadReadAcrossX', 0),
  acrossQuad('QuadReadAcrossY', 1),
  wave(
    'QuadReadLaneAt',
    'T QuadReadLaneAt(T value, uint quadLane) where T: any',
    group('OpGroupNonUniformQuadBroadcast', 'GroupNonUniformQuad'),
  ),
  bitCount('wave.count-bits', 'Reduce'),
  bitCount('wave.prefix-count-bits', 'ExclusiveScan'),
  wave(
    'WaveActiveAllEqual',
    'T.bool WaveActiveAllEqual(T value) where T: any',
    group('OpGroupNonUniformAllEqual', 'GroupNonUniformVote'),
    { expand: allEqual },
  ),
  wave(
    'WaveActiveAllTrue',
    'bool WaveActiveAllTrue(bool condition)',
    group('OpGroupNonUniformAll', 'GroupNonUniformVote'),
  ),
  wave(
    'WaveActiveAnyTrue',
    'bool WaveActiveAnyTrue(bool condition)',
    group('OpGroupNonUniformAny', 'GroupNonUniformVote'),
  ),
  wave(
    'WaveActiveBallot',
    'uint4 WaveActiveBallot(bool condition)',
    group('OpGroupNonUniformBallot', ballots),
  ),
  reduced('WaveActiveBitAnd', 'int', 'OpGroupNonUniformBitwiseAnd'),
  reduced('WaveActiveBitOr', 'int', 'OpGroupNonUniformBitwiseOr'),
  reduced('WaveActiveBitXor', 'int', 'OpGroupNonUniformBitwiseXor'),
  expanded('WaveActiveCountBits', 'uint WaveActiveCountBits(bool value)', counted('wave.count-bits')),
  reduced('WaveActiveMax', 'numeric', maxima),
  reduced('WaveActiveMin', 'numeric', minima),
  reduced('WaveActiveProduct', 'numeric', products),
  reduced('WaveActiveSum', 'numeric', sums),
  {
    key: 'WaveGetLaneCount',
    name: 'WaveGetLaneCount',
    overloads: ['uint WaveGetLaneCount()'],
    effects: 'none',
    spirv: { kind: 'builtin', name: 'SubgroupSize', capability: 'GroupNonUniform' },
  },
  {
    key: 'WaveGetLaneIndex',
    name: 'WaveGetLaneIndex',
    overloads: ['uint WaveGetLaneIndex()'],
    effects: 'none',
    spirv: { kind: 'builtin', name: 'SubgroupLocalInvocationId', capability: 'GroupNonUniform' },
  },
  wave('WaveIsFirstLane', 'bool WaveIsFirstLane()', group('OpGroupNonUniformElect', 'GroupNonUniform')),
  wave(
    'WaveMatch',
    'uint4 WaveMatch(T value) where T: numeric vector',
    op('OpGroupNonUniformPartitionNV', partitioned, 'SPV_NV_shader_subgroup_partitioned'),
    { shaderModel: 65 },
  ),
  multiScanned('WaveMultiPrefixBitAnd', 'int', 'OpGroupNonUniformBitwiseAnd'),
  multiScanned('WaveMultiPrefixBitOr', 'int', 'OpGroupNonUniformBitwiseOr'),
  multiScanned('WaveMultiPrefixBitXor', 'int', 'OpGroupNonUniformBitwiseXor'),
  expanded(
    'WaveMultiPrefixCountBits',
    'uint WaveMultiPrefixCountBits(bool value, uint4 mask)',
    counted('wave.prefix-count-bits'),
    { shaderModel: 65 },
  ),
  multiScanned('WaveMultiPrefixProduct', 'numeric', products),
  multiScanned('WaveMultiPrefixSum', 'numeric', sums),
  expanded('WavePrefixCountBits', 'uint WavePrefixCountBits(bool value)', counted('wave.prefix-count-bits')),
  scanned('WavePrefixProduct', products),
  scanned('WavePrefixSum', sums),
  wave(
    'WaveReadLaneAt',
    'T WaveReadLaneAt(T value, uint lane) where T: any',
    group('OpGroupNonUniformShuffle', 'GroupNonUniformShuffle'),
  ),
  wave(
    'WaveReadLaneFirst',
    'T WaveReadLaneFirst(T value) where T: any',
    group('OpGroupNonUniformBroadcastFirst', ballots),
  ),
];
