/**
 * How Metal spells the rows that are left after expansion, by key. The table stands beside the families, for most of it says no
 * more than that Metal has a function of the same name; table.ts makes the entries fields of the rows.
 */
import type { Intrinsic, MslSpelling } from './intrinsic.ts';

const call = (name: string): MslSpelling => ({ kind: 'call', name });
const special = (name: string): MslSpelling => ({ kind: 'special', name });
const lanes = (name: string): MslSpelling => ({ kind: 'lanes', name });
const lacking: MslSpelling = { kind: 'lacking' };

const sameName =
  'abs acos all any asin atan atan2 ceil cos cosh cross determinant distance dot exp exp2 faceforward floor fma length log log2 normalize pow reflect refract sin sinh smoothstep sqrt step tan tanh trunc';

const spellings: Readonly<Record<string, MslSpelling>> = {
  ...Object.fromEntries(sameName.split(' ').map((name) => [name, call(name)])),
  clamp: special('clamp'),
  degrees: special('degrees'),
  frac: call('fract'),
  isinf: special('isinf'),
  isnan: special('isnan'),
  lerp: call('mix'),
  max: { kind: 'call', name: { float: 'fmax', int: 'max', uint: 'max' } },
  min: { kind: 'call', name: { float: 'fmin', int: 'min', uint: 'min' } },
  mul: special('mul'),
  NonUniformResourceIndex: special('argument'),
  radians: special('radians'),
  round: call('rint'),
  rsqrt: call('rsqrt'),
  distance: special('distance'),
  length: special('length'),
  normalize: special('normalize'),
  reflect: special('reflect'),
  refract: special('refract'),
  faceforward: special('faceforward'),
  transpose: call('transpose'),
  'bits.pack-half': special('pack-half'),
  'bits.unpack-half': special('unpack-half'),
  countbits: special('countbits'),
  firstbithigh: special('firstbithigh'),
  firstbitlow: special('firstbitlow'),
  reversebits: call('reverse_bits'),
  ddx: call('dfdx'),
  ddx_coarse: call('dfdx'),
  ddx_fine: call('dfdx'),
  ddy: call('dfdy'),
  ddy_coarse: call('dfdy'),
  ddy_fine: call('dfdy'),
  fwidth: call('fwidth'),
  'atomic.add': { kind: 'atomic', name: 'fetch_add' },
  'atomic.and': { kind: 'atomic', name: 'fetch_and' },
  'atomic.compare-exchange': special('compare-exchange'),
  'atomic.exchange': { kind: 'atomic', name: 'exchange' },
  'atomic.or': { kind: 'atomic', name: 'fetch_or' },
  'atomic.smax': { kind: 'atomic', name: 'fetch_max', signed: true },
  'atomic.smin': { kind: 'atomic', name: 'fetch_min', signed: true },
  'atomic.umax': { kind: 'atomic', name: 'fetch_max', signed: false },
  'atomic.umin': { kind: 'atomic', name: 'fetch_min', signed: false },
  'atomic.xor': { kind: 'atomic', name: 'fetch_xor' },
  IsHelperLane: special('is-helper'),
  printf: special('log'),
  DebugBreak: lacking,
  EvaluateAttributeAtSample: { kind: 'interpolate', method: 'interpolate_at_sample' },
  EvaluateAttributeCentroid: { kind: 'interpolate', method: 'interpolate_at_centroid' },
  'interpolate.at-offset': { kind: 'interpolate', method: 'interpolate_at_offset' },
  'input.builtin': lacking,
  GetGroupWaveCount: { kind: 'builtin', attribute: 'simdgroups_per_threadgroup' },
  GetGroupWaveIndex: { kind: 'builtin', attribute: 'simdgroup_index_in_threadgroup' },
  'vk::ReadClock': lacking,
  CheckAccessFullyMapped: special('resident'),
  'buffer.length': special('buffer-length'),
  'quad.swap': special('quad-swap'),
  QuadReadLaneAt: lanes('quad_broadcast'),
  'wave.count-bits': special('count-ballot'),
  'wave.prefix-count-bits': special('count-ballot-before'),
  WaveActiveAllEqual: special('all-equal'),
  WaveActiveAllTrue: call('simd_all'),
  WaveActiveAnyTrue: call('simd_any'),
  WaveActiveBallot: special('ballot'),
  WaveActiveBitAnd: lanes('simd_and'),
  WaveActiveBitOr: lanes('simd_or'),
  WaveActiveBitXor: lanes('simd_xor'),
  WaveActiveMax: lanes('simd_max'),
  WaveActiveMin: lanes('simd_min'),
  WaveActiveProduct: lanes('simd_product'),
  WaveActiveSum: lanes('simd_sum'),
  WaveGetLaneCount: { kind: 'builtin', attribute: 'threads_per_simdgroup' },
  WaveGetLaneIndex: { kind: 'builtin', attribute: 'thread_index_in_simdgroup' },
  WaveIsFirstLane: call('simd_is_first'),
  WaveMatch: lacking,
  WaveMultiPrefixBitAnd: lacking,
  WaveMultiPrefixBitOr: lacking,
  WaveMultiPrefixBitXor: lacking,
  WaveMultiPrefixProduct: lacking,
  WaveMultiPrefixSum: lacking,
  WavePrefixProduct: lanes('simd_prefix_exclusive_product'),
  WavePrefixSum: lanes('simd_prefix_exclusive_sum'),
  WaveReadLaneAt: lanes('simd_shuffle'),
  WaveReadLaneFirst: lanes('simd_broadcast_first'),
};

/** Image operations and barriers are the same in both targets but for their spelling. */
export function mslSpellingOf(row: Intrinsic): MslSpelling | undefined {
  const own = spellings[row.key];
  if (own) return own;
  if (row.spirv?.kind === 'image') return { kind: 'texture', op: row.spirv.op };
  if (row.spirv?.kind === 'barrier')
    return { kind: 'barrier', execution: row.spirv.execution, memory: row.spirv.memory };
  return undefined;
}
