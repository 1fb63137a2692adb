/**
 * Every flag of the command line, a row each: how it is written, what value it takes, what it says in --help, and what it
 * does. Spellings and meanings are DXC's (include/dxc/Support/HLSLOptions.td there); flags that only concern DXIL are
 * accepted and ignored, or refused with the reason, so that a build script for DXC runs unchanged.
 */
import type { CompileOptions } from '../compile.ts';
import type { RenderStyle } from '../source/render.ts';
import { type BindingShift, type MetalVersion, metalVersions, type TargetEnv } from '../options.ts';

/** What a command line asks for: options of the compilation, and what to do with the results. */
export interface Settings {
  compile: Omit<CompileOptions, 'source'> & {
    defines: { name: string; value: string }[];
    includeDirs: string[];
  };
  /** `-msl`, and the file of `--msl-bindings`. */
  metal: { only: boolean; bindings?: string };
  outputs: {
    object?: string;
    msl?: string;
    map?: string;
    assembly?: string;
    header?: string;
    variableName?: string;
    errors?: string;
    reflection?: string;
    preprocess: boolean;
    preprocessed?: string;
    dependencies?: 'print' | 'default-file' | { file: string };
    astDump: boolean;
    printIr: boolean;
    listIncludes: boolean;
    color: boolean;
    offsets: boolean;
  };
  debug: { categories: string[]; zi: boolean };
  /** Debug information goes to a file of its own (`-Fd`), or nowhere (`-Qstrip_debug`). */
  split: { file?: string; strip: boolean };
  /** Another job than compiling one shader. */
  task?: { kind: 'verify-debug' | 'join' | 'symbolicate' | 'batch'; files: string[] };
  /** How diagnostics are written. */
  diagnostics: RenderStyle;
}

export interface Flag {
  /** Without the leading dash; the first is the usual one. Case matters. */
  names: readonly string[];
  /**
   * `none`; `joined`: `-Wx`; `equals`: `-name=value`; `separate`: `-name value`; `either`: `-namevalue` or `-name value`;
   * a number: so many words follow.
   */
  value: 'none' | 'joined' | 'equals' | 'separate' | 'either' | number;
  /** Name of the value in --help. */
  metavar?: string;
  /** Group in --help and in the README's table. */
  group:
    | 'Common'
    | 'Output'
    | 'Language'
    | 'Warnings'
    | 'Optimization'
    | 'Debug information'
    | 'SPIR-V'
    | 'Metal'
    | 'Ignored'
    | 'Refused';
  help: string;
  /** Returns a complaint if the value is not acceptable. */
  apply?: (settings: Settings, value: string, words: readonly string[]) => string | undefined;
  /** Only with one dash (`-W`), not with `/`. */
  dashOnly?: boolean;
}

const targetEnvs: readonly TargetEnv[] = [
  'vulkan1.0',
  'vulkan1.1',
  'vulkan1.1spirv1.4',
  'vulkan1.2',
  'vulkan1.3',
  'vulkan1.4',
  'universal1.5',
];
export const debugCategories = [
  'file',
  'source',
  'line',
  'tool',
  'rich',
  'rich-with-source',
  'vulkan',
  'vulkan-with-source',
  'line-table',
] as const;

function set(
  change: (settings: Settings, value: string, words: readonly string[]) => void,
): NonNullable<Flag['apply']> {
  return (settings, value, words) => {
    change(settings, value, words);
    return undefined;
  };
}
function oneOf<T extends string>(
  allowed: readonly T[],
  change: (settings: Settings, value: T) => void,
): NonNullable<Flag['apply']> {
  return (settings, value) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) return `expects one of ${allowed.join(', ')}`;
    change(settings, found);
    return undefined;
  };
}
function natural(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
function shift(registerClass: BindingShift['registerClass']): NonNullable<Flag['apply']> {
  return (settings, _, [amount, space]) => {
    const by = natural(amount);
    const where = space === 'all' ? 'all' : natural(space);
    if (by === undefined || where === undefined) return 'expects a shift and a space number or all';
    settings.compile.bindingShifts = [
      ...(settings.compile.bindingShifts ?? []),
      { registerClass, shift: by, space: where },
    ];
    return undefined;
  };
}
/** `-Wgroup`, `-Wno-group`, `-Werror=group`, `-Wno-error=group`, `-Wno-error`; of those about one group the last counts. */
function warningGroup({ compile }: Settings, text: string): undefined {
  const isOff = text.startsWith('no-');
  const rest = isOff ? text.slice(3) : text;
  const off = compile.disabledWarnings ?? [];
  const on = (group: string) => off.filter((each) => each !== group);
  if (rest === 'error') compile.warningsAsErrors = !isOff;
  else if (rest.startsWith('error=')) {
    const group = rest.slice('error='.length);
    compile.groupsAsErrors = { ...compile.groupsAsErrors, [group]: !isOff };
    if (!isOff) compile.disabledWarnings = on(group);
  } else compile.disabledWarnings = isOff ? [...off, rest] : on(rest);
  return undefined;
}
function bindRegister(
  settings: Settings,
  _: string,
  [register, space, binding, set]: readonly string[],
): string | undefined {
  const numbers = [natural(space), natural(binding), natural(set)];
  if (!register || !/^[btsu]\d+$/.test(register) || numbers.includes(undefined))
    return 'expects a register such as t3, its space, a binding and a set';
  settings.compile.registerBindings = [
    ...(settings.compile.registerBindings ?? []),
    { register, space: numbers[0]!, binding: numbers[1]!, set: numbers[2]! },
  ];
  return undefined;
}
function optimize(level: 0 | 1 | 2 | 3): NonNullable<Flag['apply']> {
  return set((s) => {
    s.compile.optimize = level;
  });
}
const ignored = (names: readonly string[], help: string, value: Flag['value'] = 'none'): Flag => ({
  names,
  value,
  group: 'Ignored',
  help,
});
const metalFlags: readonly Flag[] = [
  {
    names: ['msl-version'],
    value: 'separate',
    metavar: '<version>',
    group: 'Metal',
    help: `version of the Metal Shading Language: ${metalVersions.join(', ')} (default 3.0)`,
    apply: (s, v) => {
      if (!metalVersions.includes(v as MetalVersion))
        return `takes one of ${metalVersions.join(', ')}, not '${v}'`;
      s.compile.metal = { ...s.compile.metal, version: v as MetalVersion };
      return undefined;
    },
  },
  {
    names: ['msl-platform'],
    value: 'separate',
    metavar: '<platform>',
    group: 'Metal',
    help: 'platform of the Metal text: macos (the default) or ios',
    apply: (s, v) => {
      if (v !== 'macos' && v !== 'ios') return `takes macos or ios, not '${v}'`;
      s.compile.metal = { ...s.compile.metal, platform: v };
      return undefined;
    },
  },
  {
    names: ['msl-bindings'],
    value: 'separate',
    metavar: '<file>',
    group: 'Metal',
    help: 'JSON object of Metal indices by the names of resources: { "light": 3 }',
    apply: set((s, v) => {
      s.metal.bindings = v;
    }),
  },
  {
    names: ['msl-layout-asserts'],
    value: 'none',
    group: 'Metal',
    help: 'let the Metal text check the offsets of members of buffers itself',
    apply: set((s) => {
      s.compile.metal = { ...s.compile.metal, layoutAsserts: true };
    }),
  },
  {
    names: ['robust'],
    value: 'none',
    group: 'Metal',
    help: 'Metal text: reads out of range give zero, writes are dropped, and loops are not taken to end',
    apply: set((s) => {
      s.compile.metal = { ...s.compile.metal, robust: true };
    }),
  },
  {
    names: ['symbolicate'],
    value: 'separate',
    metavar: '<file.map>',
    group: 'Metal',
    help: "put the HLSL's positions into messages about Metal text on standard input, and compile nothing",
    apply: set((s, v) => {
      s.task = { kind: 'symbolicate', files: [v] };
    }),
  },
];

const refused = (names: readonly string[], reason: string, value: Flag['value'] = 'none'): Flag => ({
  names,
  value,
  group: 'Refused',
  help: reason,
  apply: () => `is refused: ${reason}`,
});

function heapBinding(heap: 'resource' | 'sampler' | 'counter'): Flag {
  return {
    names: [`fvk-bind-${heap}-heap`],
    value: 2,
    metavar: '<binding> <set>',
    group: 'SPIR-V',
    dashOnly: true,
    help: `binding and set of ${heap === 'counter' ? 'the counters of buffers in' : `the ${heap}`} descriptor heap`,
    apply: (s, _, words) => {
      const [binding, bindingSet] = words.map(natural);
      if (binding === undefined || bindingSet === undefined) return 'expects a binding and a set';
      s.compile.heapBindings = { ...s.compile.heapBindings, [heap]: { binding, set: bindingSet } };
      return undefined;
    },
  };
}

export const flags: readonly Flag[] = [
  // ---- Common
  {
    names: ['T'],
    value: 'either',
    metavar: '<profile>',
    group: 'Common',
    help: 'target profile: vs_6_0 ... ps_6_9, cs_6_0',
    apply: set((s, v) => {
      s.compile.profile = v;
    }),
  },
  {
    names: ['E'],
    value: 'either',
    metavar: '<name>',
    group: 'Common',
    help: 'entry function (default: main)',
    apply: set((s, v) => {
      s.compile.entry = v;
    }),
  },
  {
    names: ['D'],
    value: 'either',
    metavar: '<name>[=<value>]',
    group: 'Common',
    help: 'define a macro',
    apply: (s, v) => {
      const [, name, value] = /^([A-Za-z_]\w*(?:\([^)]*\))?)(?:=([\s\S]*))?$/.exec(v) ?? [];
      if (!name) return 'expects a macro name';
      s.compile.defines.push({ name, value: value ?? '1' });
      return undefined;
    },
  },
  {
    names: ['I'],
    value: 'either',
    metavar: '<folder>',
    group: 'Common',
    help: 'add a folder to the include search path',
    apply: set((s, v) => {
      s.compile.includeDirs.push(v);
    }),
  },
  {
    names: ['spirv'],
    value: 'none',
    group: 'Common',
    help: 'generate SPIR-V (the default)',
    apply: () => undefined,
  },
  {
    names: ['msl'],
    value: 'none',
    group: 'Common',
    help: 'generate the Metal Shading Language instead of SPIR-V',
    apply: set((s) => {
      s.metal.only = true;
    }),
  },

  {
    names: ['batch'],
    value: 'separate',
    metavar: '<jobs.json>',
    group: 'Common',
    help: 'compile the shaders of a job list, as far as they are out of date',
    apply: set((s, v) => {
      s.task = { kind: 'batch', files: [v] };
    }),
  },

  // ---- Output
  {
    names: ['Fo', 'o'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write the SPIR-V module, or with -msl the Metal text (- for standard output)',
    apply: set((s, v) => {
      s.outputs.object = v;
    }),
  },
  {
    names: ['Fmsl'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write the Metal text beside the SPIR-V module',
    apply: set((s, v) => {
      s.outputs.msl = v;
    }),
  },
  {
    names: ['Fmap'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write a source map (version 3) of the Metal text',
    apply: set((s, v) => {
      s.outputs.map = v;
    }),
  },
  {
    names: ['Fc'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write the disassembly',
    apply: set((s, v) => {
      s.outputs.assembly = v;
    }),
  },
  {
    names: ['Cc'],
    value: 'none',
    group: 'Output',
    help: 'colour the disassembly',
    apply: set((s) => {
      s.outputs.color = true;
    }),
  },
  {
    names: ['No'],
    value: 'none',
    group: 'Output',
    help: 'show byte offsets in the disassembly',
    apply: set((s) => {
      s.outputs.offsets = true;
    }),
  },
  {
    names: ['Fh'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write a C header with the module as an array',
    apply: set((s, v) => {
      s.outputs.header = v;
    }),
  },
  {
    names: ['Vn'],
    value: 'either',
    metavar: '<name>',
    group: 'Output',
    help: 'name of the array in the header (default: g_<entry>)',
    apply: set((s, v) => {
      s.outputs.variableName = v;
    }),
  },
  {
    names: ['diagnostics'],
    value: 'equals',
    metavar: '<style>',
    group: 'Output',
    help: 'how errors and warnings are written: text (with source lines, the default) or msbuild',
    apply: oneOf(['text', 'msbuild'] as const, (s, v) => {
      s.diagnostics = v;
    }),
  },
  {
    names: ['Fe'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write errors and warnings to a file',
    apply: set((s, v) => {
      s.outputs.errors = v;
    }),
  },
  {
    names: ['Fre'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write reflection data as JSON',
    apply: set((s, v) => {
      s.outputs.reflection = v;
    }),
  },
  {
    names: ['reflect-declared'],
    value: 'none',
    group: 'Output',
    help: 'reflection and Metal indices do not depend on what the optimizer drops',
    apply: set((s) => {
      s.compile.reflectDeclared = true;
    }),
  },
  {
    names: ['P'],
    value: 'none',
    group: 'Output',
    help: 'preprocess only, to <input>.i or the file of -Fi',
    apply: set((s) => {
      s.outputs.preprocess = true;
    }),
  },
  {
    names: ['Fi'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'name of the preprocessed file (- for standard output)',
    apply: set((s, v) => {
      s.outputs.preprocessed = v;
    }),
  },
  {
    names: ['M'],
    value: 'none',
    group: 'Output',
    help: 'print the files the shader depends on, and compile nothing',
    apply: set((s) => {
      s.outputs.dependencies ??= 'print';
    }),
  },
  {
    names: ['MD'],
    value: 'none',
    group: 'Output',
    help: 'write the dependencies to <input>.d',
    apply: set((s) => {
      if (typeof s.outputs.dependencies !== 'object') s.outputs.dependencies = 'default-file';
    }),
  },
  {
    names: ['MF'],
    value: 'either',
    metavar: '<file>',
    group: 'Output',
    help: 'write the dependencies to a file',
    apply: set((s, v) => {
      s.outputs.dependencies = { file: v };
    }),
  },
  {
    names: ['H', 'Vi'],
    value: 'none',
    group: 'Output',
    help: 'list the included files',
    apply: set((s) => {
      s.outputs.listIncludes = true;
    }),
  },
  {
    names: ['ast-dump'],
    value: 'none',
    group: 'Output',
    help: 'print the syntax tree',
    apply: set((s) => {
      s.outputs.astDump = true;
    }),
  },
  {
    names: ['print-ir'],
    value: 'none',
    group: 'Output',
    help: 'print the IR behind each pass that changed it; the last is what the backend gets',
    apply: set((s) => {
      s.outputs.printIr = true;
    }),
  },

  // ---- Language
  {
    names: ['HV'],
    value: 'either',
    metavar: '<version>',
    group: 'Language',
    help: 'language version: 2016, 2017, 2018, 2021 (default), 202x (so far only its literals)',
    apply: (s, v) => {
      const version =
        v === '202x' ? 2029 : ([2016, 2017, 2018, 2021] as const).find((one) => String(one) === v);
      if (version === undefined) return 'expects 2016, 2017, 2018, 2021 or 202x';
      s.compile.languageVersion = version;
      return undefined;
    },
  },
  {
    names: ['enable-16bit-types', 'enable_16bit_types'],
    value: 'none',
    group: 'Language',
    help: 'true 16-bit types',
    apply: set((s) => {
      s.compile.enable16BitTypes = true;
    }),
  },
  {
    names: ['Zpr'],
    value: 'none',
    group: 'Language',
    help: 'pack matrices row-major',
    apply: set((s) => {
      s.compile.matrixPacking = 'row_major';
    }),
  },
  {
    names: ['Zpc'],
    value: 'none',
    group: 'Language',
    help: 'pack matrices column-major (the default)',
    apply: set((s) => {
      s.compile.matrixPacking = 'column_major';
    }),
  },
  {
    names: ['Gis'],
    value: 'none',
    group: 'Language',
    help: 'IEEE strictness: every operation is precise',
    apply: set((s) => {
      s.compile.ieeeStrict = true;
    }),
  },
  {
    names: ['ffinite-math-only'],
    value: 'none',
    dashOnly: true,
    group: 'Language',
    help: 'the optimizer assumes that no number is infinite or NaN',
    apply: set((s) => {
      s.compile.finiteMathOnly = true;
    }),
  },
  {
    names: ['fno-finite-math-only'],
    value: 'none',
    dashOnly: true,
    group: 'Language',
    help: 'undo -ffinite-math-only',
    apply: set((s) => {
      s.compile.finiteMathOnly = false;
    }),
  },
  {
    names: ['flegacy-macro-expansion'],
    value: 'none',
    group: 'Language',
    help: 'expand macro operands before pasting, as FXC did',
    apply: set((s) => {
      s.compile.legacyMacroExpansion = true;
    }),
  },

  // ---- Warnings
  {
    names: ['WX', 'Werror'],
    value: 'none',
    group: 'Warnings',
    help: 'warnings are errors',
    apply: set((s) => {
      s.compile.warningsAsErrors = true;
    }),
  },
  {
    names: ['no-warnings', 'w'],
    value: 'none',
    group: 'Warnings',
    help: 'no warnings',
    apply: set((s) => {
      s.compile.noWarnings = true;
    }),
  },
  {
    names: ['W'],
    value: 'joined',
    metavar: '[no-][error=]<group>',
    dashOnly: true,
    group: 'Warnings',
    help: 'switch a group of warnings on or off, or its being errors',
    apply: warningGroup,
  },

  // ---- Optimization
  { names: ['Od', 'O0'], value: 'none', group: 'Optimization', help: 'no optimization', apply: optimize(0) },
  {
    names: ['O1'],
    value: 'none',
    group: 'Optimization',
    help: 'optimize; -O1, -O2 and -O3 are one level',
    apply: optimize(1),
  },
  { names: ['O2'], value: 'none', group: 'Optimization', help: 'as -O1', apply: optimize(2) },
  {
    names: ['O3'],
    value: 'none',
    group: 'Optimization',
    help: 'as -O1 (the default)',
    apply: optimize(3),
  },

  // ---- Debug information
  {
    names: ['Zi'],
    value: 'none',
    group: 'Debug information',
    help: 'debug information with sources (-fspv-debug=vulkan-with-source)',
    apply: set((s) => {
      s.debug.zi = true;
    }),
  },
  {
    names: ['fspv-debug'],
    value: 'equals',
    metavar: '<kind>',
    dashOnly: true,
    group: 'Debug information',
    help: `what debug information holds: ${debugCategories.join(', ')}`,
    apply: oneOf(debugCategories, (s, v) => {
      s.debug.categories.push(v);
    }),
  },
  {
    names: ['debug-source-root'],
    value: 'equals',
    metavar: '<folder>',
    group: 'Debug information',
    help: 'name source files relative to this folder',
    apply: set((s, v) => {
      s.compile.debugSourceRoot = v;
    }),
  },

  {
    names: ['Fd'],
    value: 'either',
    metavar: '<file>',
    group: 'Debug information',
    help: 'write the module with debug information here and strip the output; a name that ends in / is a folder',
    apply: set((s, v) => {
      s.split.file = v;
    }),
  },
  {
    names: ['Qstrip_debug'],
    value: 'none',
    group: 'Debug information',
    help: 'strip debug information from the output, but for the build identifier',
    apply: set((s) => {
      s.split.strip = true;
    }),
  },
  {
    names: ['debug-storage-path'],
    value: 'equals',
    metavar: '<path>',
    group: 'Debug information',
    help: 'relative path that the module names as the place of its debug file',
    apply: (s, v) => {
      if (/^([/\\]|[A-Za-z]:)/.test(v))
        return 'takes a relative path, for no path of a machine gets into modules';
      s.compile.debugStoragePath = v;
      return undefined;
    },
  },
  {
    names: ['join'],
    value: 2,
    metavar: '<stripped.spv> <debug.spv>',
    group: 'Debug information',
    help: 'give the whole module of a stripped one and its debug file again, and compile nothing',
    apply: set((s, _, files) => {
      s.task = { kind: 'join', files: [...files] };
    }),
  },
  {
    names: ['verify-debug'],
    value: 'separate',
    metavar: '<file.spv>',
    group: 'Debug information',
    help: 'check the debug information of a module of any compiler, and compile nothing',
    apply: set((s, v) => {
      s.task = { kind: 'verify-debug', files: [v] };
    }),
  },

  // ---- SPIR-V
  {
    names: ['fspv-target-env'],
    value: 'equals',
    metavar: '<env>',
    dashOnly: true,
    group: 'SPIR-V',
    help: `${targetEnvs.join(', ')} (default: vulkan1.2)`,
    apply: oneOf(targetEnvs, (s, v) => {
      s.compile.targetEnv = v;
    }),
  },
  {
    names: ['fspv-extension'],
    value: 'equals',
    metavar: '<name>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'permit this extension only (may be repeated; KHR permits all of that kind)',
    apply: (s, v) => {
      if (v !== 'KHR' && !/^SPV_[A-Z]+_\w+$/.test(v))
        return 'expects KHR or a name such as SPV_KHR_multiview';
      s.compile.allowedExtensions = [...(s.compile.allowedExtensions ?? []), v];
      return undefined;
    },
  },
  {
    names: ['fspv-entrypoint-name'],
    value: 'equals',
    metavar: '<name>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'name of the entry point in the module',
    apply: set((s, v) => {
      s.compile.entryPointName = v;
    }),
  },
  {
    names: ['fspv-reflect'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'semantics and HLSL types as decorations',
    apply: set((s) => {
      s.compile.reflectDecorations = true;
    }),
  },
  {
    names: ['fspv-preserve-bindings'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'keep unused bindings',
    apply: set((s) => {
      s.compile.preserveBindings = true;
    }),
  },
  {
    names: ['fspv-preserve-interface'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'keep unused interface variables',
    apply: set((s) => {
      s.compile.preserveInterface = true;
    }),
  },
  {
    names: ['fvk-stage-io-order', 'fspv-stage-io-order'],
    value: 'equals',
    metavar: '<order>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'order of locations: decl (default) or alpha',
    apply: oneOf(['decl', 'alpha', 'declaration', 'alphabetic'] as const, (s, v) => {
      s.compile.stageIoOrder = v.startsWith('alpha') ? 'alphabetic' : 'declaration';
    }),
  },
  {
    names: ['fvk-b-shift'],
    value: 2,
    metavar: '<shift> <space>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'shift bindings of b registers in a space (or all)',
    apply: shift('b'),
  },
  {
    names: ['fvk-t-shift'],
    value: 2,
    metavar: '<shift> <space>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'the same for t registers',
    apply: shift('t'),
  },
  {
    names: ['fvk-s-shift'],
    value: 2,
    metavar: '<shift> <space>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'the same for s registers',
    apply: shift('s'),
  },
  {
    names: ['fvk-u-shift'],
    value: 2,
    metavar: '<shift> <space>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'the same for u registers',
    apply: shift('u'),
  },
  {
    names: ['auto-binding-space'],
    value: 'separate',
    metavar: '<space>',
    group: 'SPIR-V',
    help: 'set of resources that name no space (default: 0)',
    apply: (s, value) => {
      const space = natural(value);
      if (space === undefined) return 'expects a number';
      s.compile.defaultSpace = space;
      return undefined;
    },
  },
  {
    names: ['fvk-auto-shift-bindings'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'shift resources without a register too',
    apply: set((s) => {
      s.compile.autoShiftBindings = true;
    }),
  },
  {
    names: ['fvk-bind-register', 'vkbr'],
    value: 4,
    metavar: '<register> <space> <binding> <set>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'binding and set of one register',
    apply: bindRegister,
  },
  {
    names: ['fvk-bind-globals'],
    value: 2,
    metavar: '<binding> <set>',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'binding and set of $Globals',
    apply: (s, _, words) => {
      const [binding, bindingSet] = words.map(natural);
      if (binding === undefined || bindingSet === undefined) return 'expects a binding and a set';
      s.compile.globalsBinding = { binding, set: bindingSet };
      return undefined;
    },
  },
  {
    names: ['fvk-use-dx-layout'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'Direct3D layout of buffers',
    apply: set((s) => {
      s.compile.layout = 'dx';
    }),
  },
  {
    names: ['fvk-use-gl-layout'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'strict std140 and std430 layout',
    apply: set((s) => {
      s.compile.layout = 'gl';
    }),
  },
  {
    names: ['fvk-use-scalar-layout'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'scalar layout',
    apply: set((s) => {
      s.compile.layout = 'scalar';
    }),
  },
  {
    names: ['fvk-invert-y'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'negate SV_Position.y at the end of vertex shaders',
    apply: set((s) => {
      s.compile.invertY = true;
    }),
  },
  {
    names: ['fvk-use-dx-position-w'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'reciprocal of SV_Position.w in pixel shaders',
    apply: set((s) => {
      s.compile.useDxPositionW = true;
    }),
  },
  {
    names: ['fvk-support-nonzero-base-instance'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'SV_InstanceID starts at 0 for any base instance',
    apply: set((s) => {
      s.compile.supportNonzeroBaseInstance = true;
    }),
  },
  {
    names: ['fvk-support-nonzero-base-vertex'],
    value: 'none',
    dashOnly: true,
    group: 'SPIR-V',
    help: 'SV_VertexID starts at 0 for any base vertex',
    apply: set((s) => {
      s.compile.supportNonzeroBaseVertex = true;
    }),
  },

  {
    names: ['fspv-use-unknown-image-format'],
    value: 'none',
    group: 'SPIR-V',
    dashOnly: true,
    help: 'storage images and typed buffers have no format unless one is written',
    apply: set((s) => {
      s.compile.unknownImageFormat = true;
    }),
  },
  {
    names: ['fspv-use-legacy-buffer-matrix-order'],
    value: 'none',
    group: 'SPIR-V',
    dashOnly: true,
    help: 'matrices in byte address buffers lie row by row',
    apply: set((s) => {
      s.compile.legacyBufferMatrixOrder = true;
    }),
  },
  {
    names: ['fspv-enable-maximal-reconvergence'],
    value: 'none',
    group: 'SPIR-V',
    dashOnly: true,
    help: 'invocations reconverge as the source suggests (SPV_KHR_maximal_reconvergence)',
    apply: set((s) => {
      s.compile.maximalReconvergence = true;
    }),
  },
  {
    names: ['fspv-max-id'],
    value: 1,
    metavar: '<number>',
    group: 'SPIR-V',
    dashOnly: true,
    help: 'fail if the module needs a larger id',
    apply: (s, _, words) => {
      const limit = natural(words[0] ?? '');
      if (limit === undefined) return 'expects a number';
      s.compile.maxId = limit;
      return undefined;
    },
  },
  {
    names: ['denorm'],
    value: 'either',
    metavar: '<mode>',
    group: 'SPIR-V',
    help: 'denormal 32-bit floats: any (default), preserve or ftz (flushed to zero)',
    apply: oneOf(['any', 'preserve', 'ftz'] as const, (s, v) => {
      s.compile.denormals = v;
    }),
  },

  {
    names: ['fspv-flatten-resource-arrays'],
    value: 'none',
    group: 'SPIR-V',
    dashOnly: true,
    help: 'a variable and a binding for each element of an array of resources',
    apply: set((s) => {
      s.compile.flattenResourceArrays = true;
    }),
  },
  heapBinding('resource'),
  heapBinding('sampler'),
  heapBinding('counter'),
  // ---- Metal
  ...metalFlags,

  // ---- accepted without effect: they concern DXIL, or DXC's own machinery
  ignored(['Vd'], 'no validation by the compiler (there is none to switch off)'),
  ignored(['nologo', 'fcgl', 'Ges', 'Gec', 'Gfa', 'Gfp', 'Zss', 'Zsb', 'Ni', 'Lx'], 'no meaning for SPIR-V'),
  ignored(
    ['all_resources_bound', 'all-resources-bound', 'pack-prefix-stable', 'pack_prefix_stable'],
    'no meaning for SPIR-V',
  ),
  ignored(
    [
      'enable-lifetime-markers',
      'disable-lifetime-markers',
      'disable-payload-qualifiers',
      'enable-payload-qualifiers',
    ],
    'no meaning for SPIR-V',
  ),
  ignored(
    [
      'Qstrip_reflect',
      'Qstrip_priv',
      'Qstrip_rootsignature',
      'Qembed_debug',
      'Qkeep_reflect_in_dxil',
      'Qstrip_reflect_from_dxil',
      'Qunused-arguments',
    ],
    'no meaning for SPIR-V',
  ),
  ignored(
    [
      'res-may-alias',
      'res_may_alias',
      'prefer-flow-control',
      'avoid-flow-control',
      'flegacy-resource-reservation',
      'no-legacy-cbuf-layout',
      'not_use_legacy_cbuf_load',
    ],
    'no meaning for SPIR-V',
  ),
  ignored(
    [
      'setprivate',
      'setrootsignature',
      'rootsig-define',
      'force-rootsig-ver',
      'force_rootsig_ver',
      'verifyrootsignature',
    ],
    'root signatures do not exist in SPIR-V',
    'either',
  ),
  ignored(['validator-version', 'default-linkage', 'encoding'], 'no meaning for SPIR-V', 'separate'),
  ignored(
    [
      'fdiagnostics-show-option',
      'fno-diagnostics-show-option',
      'fno-caret-diagnostics',
      'fcolor-diagnostics',
      'fno-color-diagnostics',
      'fdiagnostics-color',
      'fno-diagnostics-color',
      'fspv-fix-func-call-arguments',
    ],
    'no effect',
  ),
  ignored(
    ['fdiagnostics-format', 'ferror-limit', 'Oconfig', 'opt-disable', 'opt-enable'],
    'DXC internals',
    'equals',
  ),
  ignored(['fspv-use-emulated-heap'], 'the default: heaps are arrays at bindings'),
  ignored(['fspv-reduce-load-size'], 'from -O1 on only what is used is loaded in any case'),
  ignored(
    [
      'fsigned-zeros',
      'fno-associative-math',
      'fno-honor-infinities',
      'funroll-loops',
      'fno-unroll-loops',
      'freroll-loops',
      'fno-reroll-loops',
      'fshow-column',
      'fno-show-column',
      'fspell-checking',
      'fno-spell-checking',
      'ftime-trace',
      'fnew-inlining-behavior',
      'mms-bitfields',
      'Odump',
      'Qsource_in_debug_module',
      'Qpdb_in_private',
      'enable_unbounded_descriptor_tables',
      'preserve-intermediate-values',
      'print-before-all',
      'print-after-all',
      'ignore-opt-semdefs',
      'force-zero-store-lifetimes',
      'disable-exception-handling',
    ],
    'no effect',
  ),
  ignored(
    [
      'ftime-trace-granularity',
      'memdep-block-scan-limit',
      'mllvm',
      'print-before',
      'print-after',
      'ignore-semdef',
      'override-semdef',
      'external',
      'external-fn',
    ],
    'DXC internals',
    'either',
  ),
  ignored(
    ['Gpp', 'time', 'ftime-report', 'fdisable-loc-tracking', 'fspv-print-all', 'verbose', 'v'],
    'no effect',
  ),

  // ---- refused: ignoring them would give something else than was asked for
  refused(['Zs'], 'there is no form of debug information with sources only; use -Zi'),
  refused(['fspv-use-vulkan-memory-model'], 'not supported yet'),
  refused(
    ['fspv-use-descriptor-heap'],
    'heaps are arrays at bindings; SPV_EXT_descriptor_heap is not supported yet',
  ),
  refused(
    ['import-binding-table', 'binding-table-define'],
    'binding tables are not supported yet; use [[vk::binding]] or -fvk-bind-register',
    'either',
  ),
  refused(
    ['include', 'imacros', 'working-directory'],
    'not supported yet; write #include in the shader, or call from another folder',
    'either',
  ),
  refused(
    ['pack-optimized', 'pack_optimized'],
    'every value has locations of its own; packing several into one is not supported yet',
  ),
  refused(['precise-output'], 'not supported yet; write precise in the shader', 'separate'),
  refused(['ignore-line-directives'], 'not supported yet'),
  refused(['Po'], 'use -P, and -Fi for the name of the file'),
  refused(
    ['exports', 'export-shaders-only', 'link', 'dumpbin', 'recompile'],
    'libraries and linking are not supported yet',
  ),
  refused(['metal'], "DXC's way through Apple's converter; -msl makes Metal text"),
  refused(['verify'], 'a test mode of DXC', 'joined'),
  refused(['Frs', 'Fsh'], 'root signatures and shader hashes do not exist in SPIR-V', 'either'),
];
