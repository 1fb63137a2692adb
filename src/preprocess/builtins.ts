/** Macros that the compiler defines: those with a value that is computed, and those that DXC predefines. */
import type { Options, TargetEnv } from '../options.ts';
import * as k from './kinds.ts';
import type { BuiltinMacro, Macro, Piece } from './macro.ts';
import { reportAt } from './macros.ts';
import { pragmaOperator } from './pragmas.ts';
import type { State } from './state.ts';
import type { Word, Words } from './words.ts';

const computed: readonly [name: string, builtin: BuiltinMacro, functionLike: boolean][] = [
  ['__FILE__', 'file', false],
  ['__LINE__', 'line', false],
  ['__COUNTER__', 'counter', false],
  ['__INCLUDE_LEVEL__', 'level', false],
  ['__BASE_FILE__', 'base-file', false],
  ['__DATE__', 'clock', false],
  ['__TIME__', 'clock', false],
  ['__TIMESTAMP__', 'clock', false],
  ['__has_include', 'has-include', true],
  ['__has_feature', 'has-nothing', true],
  ['__has_extension', 'has-nothing', true],
  ['__has_builtin', 'has-nothing', true],
  ['__has_attribute', 'has-nothing', true],
  ['__has_warning', 'has-nothing', true],
  ['_Pragma', 'pragma', true],
];

export function defineBuiltins(words: Words): void {
  const argument: Word = words.intern('argument');
  for (const [name, builtin, functionLike] of computed) {
    const word = words.intern(name);
    const parameters = functionLike ? [argument] : [];
    word.macro = {
      word,
      at: 0,
      functionLike,
      variadic: functionLike,
      parameters,
      body: [],
      roles: [],
      plain: false,
      active: false,
      builtin,
    };
  }
}

/** What a computed macro stands for at this place. */
export function builtinPieces(
  state: State,
  macro: Macro,
  name: Piece,
  args: readonly (readonly Piece[])[],
): Piece[] {
  const number = (value: number): Piece[] => [made(name, k.INT, String(value))];
  const text = (value: string): Piece[] => [made(name, k.STRING, `"${value.replace(/["\\]/g, '\\$&')}"`)];
  const { map } = state;
  switch (macro.builtin) {
    case 'line':
      return number(map.presumed(state.outerAt).presumedLine);
    case 'file':
      return text(map.presumed(state.outerAt).name);
    case 'counter':
      return number(state.counter++);
    case 'level':
      return number(state.files.length - 1);
    case 'base-file':
      return text(state.files[0]!.file.name);
    case 'has-nothing':
      return number(0);
    case 'clock':
      reportAt(state, 'no-clock', name, { name: name.text });
      return text('');
    case 'has-include':
      reportAt(state, 'has-include-outside-condition', name);
      return number(0);
    case 'pragma':
      pragmaOperator(state, name, args[0] ?? []);
      return [];
    default:
      return [];
  }
}

function made(name: Piece, kind: number, text: string): Piece {
  return { kind, text, word: undefined, at: name.at, space: name.space, painted: false };
}

/** DXC's numbers for shader stages, in `__SHADER_TARGET_STAGE`. */
const stages = {
  pixel: 0,
  vertex: 1,
  geometry: 2,
  hull: 3,
  domain: 4,
  compute: 5,
  library: 6,
  mesh: 13,
  amplification: 14,
};

const stageOfProfile: Readonly<Record<string, number>> = {
  ps: stages.pixel,
  vs: stages.vertex,
  gs: stages.geometry,
  hs: stages.hull,
  ds: stages.domain,
  cs: stages.compute,
  lib: stages.library,
  ms: stages.mesh,
  as: stages.amplification,
};

/** What DXC gives a profile it does not know. */
const invalidStage = 18;

/** The version of DXC whose language this compiler follows; shaders ask for it to find out what they may use. */
const dxcVersion = { major: 1, minor: 9, release: 0, commits: 0 };

const spirvMinor: Readonly<Record<TargetEnv, number>> = {
  'vulkan1.0': 0,
  'vulkan1.1': 3,
  'vulkan1.1spirv1.4': 4,
  'vulkan1.2': 5,
  'vulkan1.3': 6,
  'vulkan1.4': 6,
  'universal1.5': 5,
};

/** The predefined macros as text: `#define` lines that are read before the first file. */
export function predefinedMacros(options: Options): string {
  const profile = /^([a-z]+)_(\d+)_(\d+|x)$/.exec(options.profile.toLowerCase());
  const lines = [
    '__hlsl_dx_compiler 1',
    `__DXC_VERSION_MAJOR ${dxcVersion.major}`,
    `__DXC_VERSION_MINOR ${dxcVersion.minor}`,
    `__DXC_VERSION_RELEASE ${dxcVersion.release}`,
    `__DXC_VERSION_COMMITS ${dxcVersion.commits}`,
    `__HLSL_VERSION ${options.languageVersion}`,
  ];
  if (options.enable16BitTypes) lines.push('__HLSL_ENABLE_16_BIT 1');
  for (const [name, number] of Object.entries(stages))
    lines.push(`__SHADER_STAGE_${name.toUpperCase()} ${number}`);
  lines.push(
    `__SHADER_TARGET_STAGE ${stageOfProfile[profile?.[1] ?? ''] ?? invalidStage}`,
    `__SHADER_TARGET_MAJOR ${profile?.[2] ?? 0}`,
    // DXC's number for the open minor version of `lib_6_x`.
    `__SHADER_TARGET_MINOR ${profile?.[3] === undefined ? 0 : profile[3] === 'x' ? 15 : profile[3]}`,
    '__spirv__ 1',
    '__SPIRV_MAJOR_VERSION__ 1',
    `__SPIRV_MINOR_VERSION__ ${spirvMinor[options.targetEnv]}`,
  );
  return lines.map((line) => `#define ${line}\n`).join('');
}

/** The `-D` macros as text. A line break in a value would end the `#define`; it becomes a blank. */
export function commandLineMacros(options: Options): string {
  return options.defines
    .map(({ name, value }) => `#define ${name} ${value}`.replace(/[\r\n]+/g, ' ') + '\n')
    .join('');
}
