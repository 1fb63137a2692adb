/** Command line words -> Settings, by commander over the rows of flags.ts. */
import { Command, CommanderError, Option } from 'commander';
import { ArgumentError, type ArgumentFiles, regularize, wordSeparator } from './arguments.ts';
import { type Flag, flags, type Settings } from './flags.ts';

export interface Invocation {
  settings: Settings;
  /** The input file, or `-` for standard input. Absent with `--help` and `--version`. */
  input?: string;
  /** Text of --help or --version. */
  answer?: string;
}

/** First word of the command line of a thread of --batch. */
export const workerFlag = '--batch-worker';

/** Settings without any flag. */
export function newSettings(): Settings {
  return {
    compile: { profile: '', defines: [], includeDirs: [] },
    outputs: {
      preprocess: false,
      astDump: false,
      printIr: false,
      listIncludes: false,
      color: false,
      offsets: false,
    },
    debug: { categories: [], zi: false },
    split: { strip: false },
    metal: { only: false },
    diagnostics: 'text',
  };
}

/** Reads the words behind the program's name. Throws ArgumentError with a message for the user. */
export function readCommandLine(argv: readonly string[], files: ArgumentFiles, version: string): Invocation {
  const settings = newSettings();
  let answer: string | undefined;
  const program = new Command('oneshader')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        answer = text;
      },
      writeErr: () => undefined,
    })
    .version(version, '--version')
    .argument('[input...]');
  program.helpInformation = () => helpText();
  const words = regularize(argv, files);
  // Only the flags that are given: commander compares each option with all before it.
  for (const index of new Set(words.map((word) => /^--(\d+)=/.exec(word)?.[1]))) {
    const flag = flags[Number(index)];
    if (flag)
      program.addOption(
        new Option(`--${index} <value>`).argParser((value: string) => applyFlag(flag, settings, value)),
      );
  }
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (answer !== undefined) return { settings, answer };
    throw new ArgumentError(error.message.replace(/^error: /, ''));
  }
  const inputs = program.args;
  if (inputs.length > 1)
    throw new ArgumentError(
      `only one input file can be compiled at a time, and '${inputs[1]}' is a second one`,
    );
  finishSettings(settings);
  finishTargets(settings);
  return inputs[0] === undefined ? { settings } : { settings, input: inputs[0] };
}

function applyFlag(flag: Flag, settings: Settings, regular: string): string {
  const [name, ...words] = regular.split(wordSeparator);
  const complaint = flag.apply?.(settings, words[0] ?? '', words);
  if (complaint !== undefined) throw new ArgumentError(`flag '${name}' ${complaint}`);
  return regular;
}

/** Which targets the outputs ask for. */
function finishTargets(settings: Settings): void {
  const { compile, outputs, metal, split } = settings;
  finishMap(settings);
  if (!metal.only) {
    if (outputs.msl !== undefined) compile.targets = ['spirv', 'msl'];
    return;
  }
  compile.target = 'msl';
  const spirvOnly = [
    ['-Fc', outputs.assembly],
    ['-Fh', outputs.header],
    ['-Fd', split.file],
  ].find(([, file]) => file !== undefined);
  if (spirvOnly)
    throw new ArgumentError(`flag '${spirvOnly[0]}' is about SPIR-V, which -msl does not make: use '-Fmsl'`);
  if (outputs.msl !== undefined && outputs.object !== undefined)
    throw new ArgumentError("flags '-Fo' and '-Fmsl' both name the Metal text of -msl");
}

/** The map says the name of the text's file, not its folder. */
function finishMap({ compile, outputs, metal }: Settings): void {
  if (outputs.map === undefined) return;
  const text = outputs.msl ?? (metal.only ? (outputs.object ?? '-') : undefined);
  if (text === undefined) throw new ArgumentError("flag '-Fmap' needs Metal text: add '-msl' or '-Fmsl'");
  const file = text === '-' ? '' : /[^/\\]*$/.exec(text)![0];
  compile.metal = { ...compile.metal, sourceMap: file };
}

/** `-fspv-debug` overrules `-Zi`, as DXC has it. */
function finishSettings({ compile, debug, split }: Settings): void {
  const categories = debug.categories.length > 0 ? debug.categories : debug.zi ? ['vulkan-with-source'] : [];
  if (categories.length > 0)
    compile.debugInfo = categories as NonNullable<Settings['compile']['debugInfo']> & string[];
  const hasRecords = categories.some((kind) => /^(vulkan|rich|line-table)/.test(kind));
  if (split.file !== undefined && !hasRecords)
    throw new ArgumentError("flag '-Fd' needs debug information to write there: add '-Zi'");
}

/** One line a flag, grouped. */
export function helpText(): string {
  const lines = [
    'Usage: oneshader [flags] <input.hlsl>',
    '',
    'Compiles HLSL to SPIR-V. Flags are spelled as DXC spells them; / works in place of -.',
    'An input or output named - is standard input or output; @file reads flags from a file.',
  ];
  const groups = new Set(flags.map((flag) => flag.group));
  for (const group of groups) {
    if (group === 'Ignored' || group === 'Refused') continue;
    lines.push('', `${group}:`);
    for (const flag of flags.filter((one) => one.group === group)) {
      const spelling = flagUsage(flag);
      lines.push(
        spelling.length < 34
          ? `  ${spelling.padEnd(34)}${flag.help}`
          : `  ${spelling}\n  ${' '.repeat(34)}${flag.help}`,
      );
    }
  }
  const accepted = flags
    .filter((flag) => flag.group === 'Ignored')
    .flatMap((flag) => flag.names.map((name) => `-${name}`));
  lines.push('', 'Accepted and ignored, as they do not concern SPIR-V:', ...wrap(accepted.sort(), 100), '');
  return lines.join('\n') + '\n';
}

/** Flags of our own that read better with two dashes; one works as well. */
const doubleDashed = new Set([
  'batch',
  'debug-source-root',
  'debug-storage-path',
  'diagnostics',
  'join',
  'msl-bindings',
  'msl-layout-asserts',
  'reflect-declared',
  'symbolicate',
  'verify-debug',
]);

export function flagUsage(flag: Flag): string {
  const separator = flag.value === 'equals' ? '=' : flag.value === 'joined' ? '' : ' ';
  const names = flag.names.map((name) => (doubleDashed.has(name) ? `--${name}` : `-${name}`));
  return names.join(', ') + (flag.metavar ? separator + flag.metavar : '');
}

function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of words) {
    if (line.length + word.length + 1 > width) {
      lines.push(line);
      line = ' ';
    }
    line += ' ' + word;
  }
  return [...lines, line];
}
