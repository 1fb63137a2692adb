/**
 * Barriers, and what else concerns the run of an invocation rather than a value.
 *
 * The rows stand in alphabetical order.
 */
import type { Stage } from '../ir/ir.ts';
import { call, filled, resultType } from './expansion.ts';
import { floatType, vector } from '../types/type.ts';
import { type Expansion, ext, type Intrinsic, keep, op, refused, special } from './intrinsic.ts';

const groups: readonly Stage[] = ['compute', 'mesh', 'amplification', 'library'];

function barrier(memory: 'all' | 'device' | 'workgroup', execution: boolean): Intrinsic {
  const prefix = { all: 'AllMemoryBarrier', device: 'DeviceMemoryBarrier', workgroup: 'GroupMemoryBarrier' }[
    memory
  ];
  const name = prefix + (execution ? 'WithGroupSync' : '');
  return {
    key: name,
    name,
    overloads: [`void ${name}()`],
    effects: 'barrier',
    spirv: { kind: 'barrier', execution, memory },
    ...((execution || memory !== 'device') && { stages: groups }),
  };
}

const noEquivalent = 'Vulkan has no equivalent';

function interpolation(name: string, parameter: string, how: Pick<Intrinsic, 'spirv' | 'expand'>): Intrinsic {
  return {
    key: name,
    name,
    overloads: [`T ${name}(T value${parameter}) where T: floatlike! vector`],
    effects: 'reads',
    readsInput: 'interpolated',
    stages: ['pixel'],
    ...how,
  };
}

/** The offset is a number of sixteenths of a pixel, in its lowest four bits. */
const snapped: Expansion = (builder, [input, offset], instruction) => {
  const signs = builder.binary('shl', offset!, filled(builder, offset!.type, 28));
  const sixteenths = builder.binary('shr', signs, filled(builder, offset!.type, 28));
  const pixels = builder.binary(
    'mul',
    builder.convert(sixteenths, floatType),
    filled(builder, vector(floatType, 2), 1 / 16),
  );
  return call(builder, 'interpolate.at-offset', resultType(instruction), input!, pixels);
};

/** Twenty values of any type behind the format. */
function printfSignature(): string {
  const variables = [...'ABCDEFGHIJKLMNOPQRST'];
  const values = variables.map((name) => `, ${name} value${name}?`).join('');
  return `void printf(string format${values}) where ${variables.map((name) => `${name}: any`).join(', ')}`;
}

export const barrierRows: readonly Intrinsic[] = [
  refused('abort', noEquivalent),
  barrier('all', false),
  barrier('all', true),
  {
    key: 'DebugBreak',
    name: 'DebugBreak',
    overloads: ['void DebugBreak()'],
    effects: 'writes',
    spirv: special('debug-break'),
  },
  barrier('device', false),
  barrier('device', true),
  interpolation('EvaluateAttributeAtSample', ', uint sample', { spirv: ext('InterpolateAtSample') }),
  interpolation('EvaluateAttributeCentroid', '', { spirv: ext('InterpolateAtCentroid') }),
  interpolation('EvaluateAttributeSnapped', ', int2 offset', { expand: snapped }),
  {
    key: 'GetAttributeAtVertex',
    name: 'GetAttributeAtVertex',
    overloads: ['T GetAttributeAtVertex(T value, uint vertex) where T: numeric! vector'],
    effects: 'none',
    readsInput: 'vertex',
    stages: ['pixel'],
  },
  refused('GetRenderTargetSampleCount', noEquivalent),
  refused('GetRenderTargetSamplePosition', noEquivalent),
  barrier('workgroup', false),
  barrier('workgroup', true),
  {
    key: 'input.builtin',
    name: '',
    overloads: ['uint input.builtin()'],
    effects: 'reads',
    spirv: special('builtin-input'),
  },
  {
    key: 'interpolate.at-offset',
    name: '',
    overloads: ['T interpolate.at-offset(T value, float2 offset) where T: floatlike! vector'],
    effects: 'reads',
    spirv: ext('InterpolateAtOffset'),
  },
  {
    key: 'IsHelperLane',
    name: 'IsHelperLane',
    overloads: ['bool IsHelperLane()'],
    // A discard before it changes the answer.
    effects: 'reads',
    spirv: op('OpIsHelperInvocationEXT', 'DemoteToHelperInvocation', 'SPV_EXT_demote_to_helper_invocation'),
    // Only pixel shaders have helper lanes.
    expand: (builder) => {
      const isPixel = builder.module.functions.some((fn) => fn.entry?.stage === 'pixel');
      return isPixel ? keep : builder.bool(false);
    },
  },
  {
    key: 'printf',
    name: 'printf',
    overloads: [printfSignature()],
    effects: 'writes',
    wholeMatrix: true,
    spirv: special('debug-printf'),
  },
  refused('vk::RawBufferLoad', 'loads through addresses come later'),
  refused('vk::RawBufferStore', 'stores through addresses come later'),
  {
    key: 'vk::ReadClock',
    name: 'vk::ReadClock',
    overloads: ['uint64_t vk::ReadClock(uint scope)'],
    effects: 'reads',
    spirv: op('OpReadClockKHR', 'ShaderClockKHR', 'SPV_KHR_shader_clock'),
  },
];
