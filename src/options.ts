/**
 * The options of one compilation, as the library takes them; the command line maps its flags onto them.
 * Every field says which DXC flag it mirrors. `defaults` below is the only place that knows a default.
 */

/** Vulkan versions that a module may be made for; they decide the SPIR-V version. */
export type TargetEnv =
  | 'vulkan1.0'
  | 'vulkan1.1'
  | 'vulkan1.1spirv1.4'
  | 'vulkan1.2'
  | 'vulkan1.3'
  | 'vulkan1.4'
  | 'universal1.5';

/**
 * What the debug records contain (`-fspv-debug`): nothing; `line` and below add source names and lines only;
 * `vulkan` is NonSemantic.Shader.DebugInfo.100 without source text, `vulkan-with-source` embeds the text.
 */
export interface DebugOptions {
  /** NonSemantic.Shader.DebugInfo.100: lines, scopes, types, variables (`vulkan`, `rich`). */
  records: boolean;
  /** Embed the text of every source file. */
  sourceText: boolean;
  /** Lines and inlined calls only: no types, variables and blocks (`line-table`). */
  linesOnly: boolean;
  /** OpSource with file name (`file`), with text too (`source`), OpLine (`line`), OpModuleProcessed (`tool`). */
  classic: { file: boolean; source: boolean; line: boolean; tool: boolean };
}

/** How members are placed in buffers (`-fvk-use-*-layout`). */
export type LayoutFamily = 'vulkan' | 'dx' | 'gl' | 'scalar';

/** A shift added to the binding numbers of one register class in one space, or in all (`-fvk-b-shift 10 0`, `all`). */
export interface BindingShift {
  registerClass: 'b' | 't' | 's' | 'u';
  shift: number;
  space: number | 'all';
}

/** `-fvk-bind-register xN S binding set`: a direct assignment. */
export interface RegisterBinding {
  register: string;
  space: number;
  binding: number;
  set: number;
}

/** Versions of the Metal Shading Language that can be asked for. */
export const metalVersions = ['2.3', '2.4', '3.0', '3.1', '3.2', '4.0'] as const;
export type MetalVersion = (typeof metalVersions)[number];

/** Indices of resources in Metal's tables, by name in the HLSL: `{ "light": 3 }`. */
export type MetalBindings = Readonly<Record<string, number>>;

export interface MetalOptions {
  /** `-msl-version`. */
  version: MetalVersion;
  /** `-msl-platform`. */
  platform: 'macos' | 'ios';
  /** `--msl-bindings`. */
  bindings: MetalBindings;
  /** `--msl-layout-asserts`: the text checks the offsets of members itself. */
  layoutAsserts: boolean;
  /** `--robust`: out of range reads give zero and writes are dropped; loops are not taken to end. */
  robust: boolean;
  /** `-Fmap`: makes a source map, in which the Metal text has this name ('' for none). Absent: no map. */
  sourceMap?: string;
}

export interface Options {
  /** Profile such as `ps_6_0` (`-T`). */
  profile: string;
  /** Name of the entry function (`-E`). */
  entry: string;
  /** Name that OpEntryPoint carries (`-fspv-entrypoint-name`); the entry's own name if absent. */
  entryPointName?: string;
  /** Language version (`-HV`). 2029 is `202x`, the one being made: its literals are those of C++. */
  languageVersion: 2016 | 2017 | 2018 | 2021 | 2029;
  /** Macros defined before the first line (`-D NAME=VALUE`), in order; value `1` where DXC would assume it. */
  defines: readonly { name: string; value: string }[];
  /** Include search folders, in order (`-I`). */
  includeDirs: readonly string[];
  /** 0 switches the optimizer off (`-Od`, `-O0`); 1 to 3 (`-O1` ... `-O3`). */
  optimizationLevel: 0 | 1 | 2 | 3;
  debug: DebugOptions;
  /** Folder that file names in debug information are made relative to (`--debug-source-root`). */
  debugSourceRoot?: string;
  /** Where the debug file of a stripped module can be found (`--debug-storage-path`); relative, for no path of a machine gets into modules. */
  debugStoragePath?: string;
  /** Working folder against which relative names resolve when a root is given; the command line passes its own. */
  workingDirectory?: string;
  /** The command's options as text for DebugEntryPoint, free of paths (section 2 of debug-info.md). */
  debugArguments: string;
  targetEnv: TargetEnv;
  metal: MetalOptions;
  /** Extensions that may be used (`-fspv-extension`); empty means all that are known. */
  allowedExtensions: readonly string[];
  /** `-enable-16bit-types`. */
  enable16BitTypes: boolean;
  /** Default matrix packing (`-Zpr`, `-Zpc`). */
  matrixPacking: 'row_major' | 'column_major';
  layout: LayoutFamily;
  bindingShifts: readonly BindingShift[];
  /** `-fvk-bind-register`. */
  registerBindings: readonly RegisterBinding[];
  /** `-fvk-bind-globals binding set`. */
  globalsBinding?: { binding: number; set: number };
  /** `-fvk-bind-resource-heap`, `-fvk-bind-sampler-heap`, `-fvk-bind-counter-heap`: where descriptor heaps are bound. */
  heapBindings: Partial<Record<'resource' | 'sampler' | 'counter', { binding: number; set: number }>>;
  /** `-fspv-flatten-resource-arrays`: a variable and a binding for each element of an array of resources. */
  flattenResourceArrays: boolean;
  /** `-auto-binding-space`: the set of resources that name no space. */
  defaultSpace: number;
  /** `-fvk-auto-shift-bindings`. */
  autoShiftBindings: boolean;
  /** `-fvk-invert-y`: negate Position.y before it is written. */
  invertY: boolean;
  /** `-fvk-use-dx-position-w`: reciprocal of Position.w after it is read in pixel shaders. */
  useDxPositionW: boolean;
  /** `-fvk-support-nonzero-base-instance`. */
  supportNonzeroBaseInstance: boolean;
  /** `-fvk-support-nonzero-base-vertex`. */
  supportNonzeroBaseVertex: boolean;
  /** `-fspv-stage-io-order`: location numbers by declaration order or by semantic name. */
  stageIoOrder: 'declaration' | 'alphabetic';
  /** `-fspv-reflect`: HLSL semantics and types as decorations. */
  reflectDecorations: boolean;
  /**
   * `--reflect-declared`: reflection and Metal's indices are those of everything that the entry point mentions, whether or not the
   * optimizer finds it of use, so that they are the same at every level.
   */
  reflectDeclared: boolean;
  preserveBindings: boolean;
  preserveInterface: boolean;
  /** `-flegacy-macro-expansion`. */
  legacyMacroExpansion: boolean;
  /** `-Gis`: IEEE strictness, every operation precise. */
  ieeeStrict: boolean;
  /** `-ffinite-math-only`: the optimizer may assume that no float is infinite or NaN. */
  finiteMathOnly: boolean;
  /** `-denorm`: what becomes of denormal 32-bit floats; `any` leaves it to the device. */
  denormals: 'any' | 'preserve' | 'ftz';
  /** `-fspv-use-unknown-image-format`: images without `[[vk::image_format]]` have no format. */
  unknownImageFormat: boolean;
  /** `-fspv-use-legacy-buffer-matrix-order`: matrices in byte address buffers lie row by row. */
  legacyBufferMatrixOrder: boolean;
  /** `-fspv-enable-maximal-reconvergence`. */
  maximalReconvergence: boolean;
  /** `-fspv-max-id`: the largest id that the module may use. */
  maxId?: number;
  /** Warning control: `-WX`, `-Wno-group`, `-no-warnings`. */
  warningsAsErrors: boolean;
  disabledWarnings: readonly string[];
  /** `-Werror=group` (true), `-Wno-error=group` (false: a warning even with `-WX`). */
  groupsAsErrors: Readonly<Record<string, boolean>>;
  noWarnings: boolean;
  /** Stop with OS1002 when all loaded text is longer than this many characters. */
  maxSourceSize: number;
}

export const defaults: Options = {
  profile: '',
  entry: 'main',
  languageVersion: 2021,
  defines: [],
  includeDirs: [],
  optimizationLevel: 3,
  debug: {
    records: false,
    sourceText: false,
    linesOnly: false,
    classic: { file: false, source: false, line: false, tool: false },
  },
  debugArguments: '',
  targetEnv: 'vulkan1.2',
  metal: { version: '3.0', platform: 'macos', bindings: {}, layoutAsserts: false, robust: false },
  allowedExtensions: [],
  enable16BitTypes: false,
  matrixPacking: 'column_major',
  layout: 'vulkan',
  bindingShifts: [],
  registerBindings: [],
  heapBindings: {},
  flattenResourceArrays: false,
  defaultSpace: 0,
  autoShiftBindings: false,
  invertY: false,
  useDxPositionW: false,
  supportNonzeroBaseInstance: false,
  supportNonzeroBaseVertex: false,
  stageIoOrder: 'declaration',
  reflectDecorations: false,
  reflectDeclared: false,
  preserveBindings: false,
  preserveInterface: false,
  legacyMacroExpansion: false,
  ieeeStrict: false,
  finiteMathOnly: false,
  denormals: 'any',
  unknownImageFormat: false,
  legacyBufferMatrixOrder: false,
  maximalReconvergence: false,
  warningsAsErrors: false,
  disabledWarnings: [],
  groupsAsErrors: {},
  noWarnings: false,
  maxSourceSize: 64 * 1024 * 1024,
};

type Flags<Name extends keyof Options> = (value: NonNullable<Options[Name]>) => string[];

const flag = (name: string) => (on: boolean) => (on ? [name] : []);
const silent = (): string[] => [];

/**
 * How the command line says each option, in the order of describeOptions. Silent are those that the module does not depend on,
 * those that are paths, and what debug information holds.
 */
const spellings: { readonly [Name in keyof Required<Options>]: Flags<Name> } = {
  profile: (value) => ['-T', value],
  entry: (value) => ['-E', value],
  optimizationLevel: (level) => [level === 0 ? '-Od' : `-O${level}`],
  languageVersion: (version) => ['-HV', version === 2029 ? '202x' : String(version)],
  targetEnv: (value) => [`-fspv-target-env=${value}`],
  enable16BitTypes: flag('-enable-16bit-types'),
  matrixPacking: (order) => [order === 'row_major' ? '-Zpr' : '-Zpc'],
  layout: (family) => [`-fvk-use-${family}-layout`],
  ieeeStrict: flag('-Gis'),
  finiteMathOnly: flag('-ffinite-math-only'),
  denormals: (mode) => ['-denorm', mode],
  legacyMacroExpansion: flag('-flegacy-macro-expansion'),
  unknownImageFormat: flag('-fspv-use-unknown-image-format'),
  legacyBufferMatrixOrder: flag('-fspv-use-legacy-buffer-matrix-order'),
  maximalReconvergence: flag('-fspv-enable-maximal-reconvergence'),
  invertY: flag('-fvk-invert-y'),
  useDxPositionW: flag('-fvk-use-dx-position-w'),
  supportNonzeroBaseInstance: flag('-fvk-support-nonzero-base-instance'),
  supportNonzeroBaseVertex: flag('-fvk-support-nonzero-base-vertex'),
  stageIoOrder: (order) => [`-fspv-stage-io-order=${order === 'alphabetic' ? 'alpha' : 'decl'}`],
  reflectDecorations: flag('-fspv-reflect'),
  preserveBindings: flag('-fspv-preserve-bindings'),
  preserveInterface: flag('-fspv-preserve-interface'),
  flattenResourceArrays: flag('-fspv-flatten-resource-arrays'),
  defaultSpace: (space) => ['-auto-binding-space', String(space)],
  autoShiftBindings: flag('-fvk-auto-shift-bindings'),
  bindingShifts: (shifts) =>
    shifts.flatMap(({ registerClass, shift, space }) => [
      `-fvk-${registerClass}-shift`,
      String(shift),
      String(space),
    ]),
  registerBindings: (rows) =>
    rows.flatMap(({ register, space, binding, set }) => [
      '-fvk-bind-register',
      register,
      ...[space, binding, set].map(String),
    ]),
  globalsBinding: ({ binding, set }) => ['-fvk-bind-globals', String(binding), String(set)],
  heapBindings: (heaps) =>
    Object.entries(heaps).flatMap(([heap, { binding, set }]) => [
      `-fvk-bind-${heap}-heap`,
      String(binding),
      String(set),
    ]),
  entryPointName: (name) => [`-fspv-entrypoint-name=${name}`],
  allowedExtensions: (names) => names.map((name) => `-fspv-extension=${name}`),
  maxId: (limit) => ['-fspv-max-id', String(limit)],
  // A macro's value may be a path; only plain words are told.
  defines: (macros) =>
    macros.flatMap(({ name, value }) => (/^[\w.+-]*$/.test(value) ? ['-D', `${name}=${value}`] : [])),
  includeDirs: silent,
  debug: silent,
  debugSourceRoot: silent,
  debugStoragePath: silent,
  workingDirectory: silent,
  debugArguments: silent,
  metal: silent,
  reflectDeclared: silent,
  warningsAsErrors: silent,
  disabledWarnings: silent,
  groupsAsErrors: silent,
  noWarnings: silent,
  maxSourceSize: silent,
};

/** The options that matter for compiling again, as flags of the command line, free of paths: profile, entry, and what is no default. */
export function describeOptions(options: Options): string {
  const words: string[] = [];
  const add = <Name extends keyof Options>(name: Name): void => {
    const value = options[name];
    const told = name === 'profile' || name === 'entry' || value !== defaults[name];
    if (value !== undefined && told)
      words.push(...(spellings[name] as Flags<Name>)(value as NonNullable<Options[Name]>));
  };
  for (const name of Object.keys(spellings)) add(name as keyof Options);
  return words.join(' ');
}
