/** Messages about entry points, profiles, semantics and bindings, OS4xxx. */
import type { Message } from '../diagnostic.ts';

export const bindingMessages = () =>
  ({
    // ---- profiles and entry points
    'no-entry': {
      code: 'OS4001',
      severity: 'error',
      text: "the entry point '{name}' is not defined: there is no function of this name",
    },
    'entry-ambiguous': {
      code: 'OS4002',
      severity: 'error',
      text: "there is more than one function named '{name}' that could be the entry",
    },
    'entry-other-here': { severity: 'note', text: 'another one is here' },
    'profile-bad': {
      code: 'OS4003',
      severity: 'error',
      text: "'{profile}' is not a profile such as 'ps_6_0'",
    },
    'profile-missing': { code: 'OS4004', severity: 'error', text: 'no profile is given (-T)' },
    'profile-unsupported': {
      code: 'OS4005',
      severity: 'error',
      text: "the {stage} stage of profile '{profile}' is not supported yet",
    },
    'profile-promoted': {
      code: 'OS4006',
      severity: 'warning',
      group: 'promoted-profile',
      text: "the profile '{profile}' is compiled as '{promoted}'",
    },
    'numthreads-missing': {
      code: 'OS4007',
      severity: 'error',
      text: "the compute entry '{name}' needs the attribute [numthreads(x, y, z)]",
    },
    'numthreads-bad': {
      code: 'OS4008',
      severity: 'error',
      text: "'numthreads' takes three constants from 1 to {x}, {y} and {z}",
    },
    'numthreads-many': {
      code: 'OS4009',
      severity: 'error',
      text: 'a thread group of {x} * {y} * {z} is over the limit of 1024 threads',
    },
    'entry-stage-attribute': {
      code: 'OS4010',
      severity: 'error',
      text: "the entry '{name}' is marked as a {marked} shader, but the profile is '{profile}'",
    },
    'entry-resource': {
      code: 'OS4011',
      severity: 'error',
      text: "the entry's {what} '{name}' cannot be of type '{type}'",
    },
    'entry-compute-output': {
      code: 'OS4012',
      severity: 'error',
      text: 'a compute entry has no outputs, but {what} is one',
    },
    'wave-size-ignored': {
      code: 'OS4013',
      severity: 'warning',
      group: 'ignored-attributes',
      text: "the attribute 'wavesize' is ignored: the size is asked for when the pipeline is made",
    },

    // ---- semantics
    'semantic-missing': {
      code: 'OS4020',
      severity: 'error',
      text: "the shader {direction} '{name}' has no semantic",
    },
    'semantic-duplicate': {
      code: 'OS4021',
      severity: 'error',
      text: "the {direction} semantic '{semantic}' is used more than once",
    },
    'semantic-misplaced': {
      code: 'OS4022',
      severity: 'error',
      text: "the semantic '{semantic}' is not allowed for {stage} shader {direction}s",
    },
    'semantic-unknown': { code: 'OS4023', severity: 'error', text: "'{semantic}' is not a system value" },
    'semantic-shader-model': {
      code: 'OS4024',
      severity: 'error',
      text: "the semantic '{semantic}' needs shader model {needed}",
    },
    'semantic-type': {
      code: 'OS4025',
      severity: 'error',
      text: "'{semantic}' must be {expected}, not '{type}'",
    },
    'semantic-overridden': {
      code: 'OS4026',
      severity: 'warning',
      group: 'overridden-semantic',
      text: "the semantic '{semantic}' is overridden by the enclosing '{enclosing}'",
    },
    'semantic-unsupported': {
      code: 'OS4027',
      severity: 'error',
      text: "the semantic '{semantic}' is not supported yet",
    },
    'semantic-position-hint': {
      code: 'OS4028',
      severity: 'warning',
      group: 'dx9-deprecation',
      text: "'{semantic}' is a user-defined semantic; did you mean 'SV_Position'?",
    },
    'interpolation-integer': {
      code: 'OS4029',
      severity: 'error',
      text: "'{name}' has integers, for which only 'nointerpolation' is allowed",
    },
    'interpolation-conflict': {
      code: 'OS4030',
      severity: 'error',
      text: "'nointerpolation' cannot be used with another interpolation mode",
    },
    'location-partial': {
      code: 'OS4031',
      severity: 'error',
      text: "'{name}' has [[vk::location]], but other {direction}s of the stage have not; give all of them one or none",
    },
    'location-duplicate': {
      code: 'OS4032',
      severity: 'error',
      text: "location {location} of '{semantic}' is already taken by another {direction}",
    },
    'index-misplaced': {
      code: 'OS4033',
      severity: 'error',
      text: '[[vk::index]] is 0 or 1 and only for pixel shader outputs at [[vk::location(0)]]',
    },
    'builtin-unknown': {
      code: 'OS4034',
      severity: 'error',
      text: "'{name}' is not the name of a SPIR-V builtin for [[vk::builtin]]",
    },
    'builtin-misplaced': {
      code: 'OS4035',
      severity: 'error',
      text: "the builtin '{name}' is not allowed for {stage} shader {direction}s",
    },
    'builtin-type': {
      code: 'OS4036',
      severity: 'error',
      text: "the builtin '{name}' must be {expected}, not '{type}'",
    },
    'builtin-location': {
      code: 'OS4037',
      severity: 'error',
      text: '[[vk::builtin]] and [[vk::location]] cannot be used together',
    },
    'builtin-no-value': {
      code: 'OS4040',
      severity: 'warning',
      group: 'no-value',
      text: "the builtin '{name}' has no value in a pixel shader in Vulkan",
    },
    'barycentrics-mode': {
      code: 'OS4038',
      severity: 'error',
      text: "'{name}' with SV_Barycentrics cannot be 'nointerpolation'",
    },

    'interface-size': {
      code: 'OS4039',
      severity: 'error',
      text: "the array '{name}' is too long for an input or output of a stage; {limit} elements are the limit",
    },

    // ---- bindings
    'binding-range': {
      code: 'OS4055',
      severity: 'error',
      text: "'{name}' gets the binding {binding}, but numbers end at {most}",
    },
    'bind-register-missing': {
      code: 'OS4050',
      severity: 'error',
      text: "-fvk-bind-register says nothing of '{name}' at register '{register}', space {space}",
    },
    'bind-register-counter': {
      code: 'OS4051',
      severity: 'error',
      text: "-fvk-bind-register cannot place the counter of '{name}'",
    },
    'bind-register-globals': {
      code: 'OS4052',
      severity: 'error',
      text: '-fvk-bind-register needs -fvk-bind-globals for the variables outside of buffers',
    },
    'bind-register-heap': {
      code: 'OS4054',
      severity: 'error',
      text: '-fvk-bind-register needs {flag} for the descriptor heap that is used here',
    },
    'bind-register-unannotated': {
      code: 'OS4053',
      severity: 'error',
      text: "-fvk-bind-register needs a register on '{name}'",
    },
  }) as const satisfies Record<string, Message>;
