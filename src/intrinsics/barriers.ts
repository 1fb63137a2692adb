/**
 * Barriers, and what else concerns the run of an invocation rather than a value.
 *
 * The rows stand in alphabetical order.
 */
import type { Stage } from '../ir/ir.ts';
import { type Intrinsic, keep, op, refused, special } from './intrinsic.ts';

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
const notYet = 'interpolation at a chosen place comes later';

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
  refused('DebugBreak', noEquivalent),
  barrier('device', false),
  barrier('device', true),
  refused('EvaluateAttributeAtSample', notYet),
  refused('EvaluateAttributeCentroid', notYet),
  refused('EvaluateAttributeSnapped', notYet),
  refused('GetAttributeAtVertex', 'values of single vertices come later'),
  refused('GetRenderTargetSampleCount', noEquivalent),
  refused('GetRenderTargetSamplePosition', noEquivalent),
  barrier('workgroup', false),
  barrier('workgroup', true),
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
