/** One unit of a batch: a file with one set of macros, compiled to a blob for each entry point; remembers every file it asked for. */
import { compileModule, type CompileOptions, type Compilation } from '../../compile.ts';
import type { CsharpBlob } from '../../csharp/generate.ts';
import { ArgumentError } from '../arguments.ts';
import { newSettings, readCommandLine } from '../command.ts';
import { readBindings, reason } from '../files.ts';
import type { Settings } from '../flags.ts';
import { type Entry, findEntries } from './entries.ts';
import type { Files, FileText } from './files.ts';
import type { ShaderJob } from './jobs.ts';
import { type BatchMessage, messageAbout, messagesOf } from './messages.ts';

/** Plain data, for it is handed to other threads. */
export interface Unit {
  /** The same for what is compiled alike, other for anything else: a hash of all below and of the compiler. */
  key: string;
  /** Relative to the root. */
  file: string;
  job: ShaderJob;
  /** Those of the job and of the variant. */
  defines: string[];
}

export interface UnitBlob extends Omit<CsharpBlob, 'name'> {
  entry: string;
  /** A `[shader]` attribute marks it, so that there may be others. */
  isMarked: boolean;
}

export interface UnitResult {
  /** Every file that was asked for by name, with the hash of its contents; null where there was none. */
  inputs: [name: string, hash: string | null][];
  messages: BatchMessage[];
  /** Absent after an error. */
  blobs?: UnitBlob[];
}

/** Compiles the unit. What is wrong with it is in the messages; it never throws. */
export function compileUnit(unit: Unit, files: Files): UnitResult {
  const inputs = new Map<string, string | null>();
  const unreadable: BatchMessage[] = [];
  const read = (name: string): string | undefined => {
    let found: FileText | undefined;
    try {
      found = files.read(name);
    } catch (error) {
      unreadable.push(unreadableFile(name, reason(error)));
    }
    inputs.set(name, found?.hash ?? null);
    return found?.text;
  };
  let result: Omit<UnitResult, 'inputs'>;
  try {
    result = compileEntries(unit, files, read);
  } catch (error) {
    const message =
      error instanceof ArgumentError
        ? messageAbout(unit.file, 'batch-options', { problem: error.message })
        : messageAbout(unit.file, 'internal-error', { text: (error as Error).message });
    result = { messages: [message] };
  }
  // What else is said without these files is about their absence.
  if (unreadable.length > 0) result = { messages: unreadable };
  return { inputs: [...inputs], ...result };
}

function unreadableFile(file: string, why: string): BatchMessage {
  return messageAbout(file, 'batch-unreadable', { file, reason: why });
}

type Read = (name: string) => string | undefined;

function compileEntries(unit: Unit, files: Files, read: Read): Omit<UnitResult, 'inputs'> {
  const text = read(unit.file);
  if (text === undefined) return { messages: [unreadableFile(unit.file, ': no such file')] };
  const settings = unitSettings(unit);
  const options = compileOptions(unit, settings, { text, read, files });
  const wish = {
    entryPoint: unit.job.entryPoint ?? settings.compile.entry,
    profile: unit.job.profile ?? (settings.compile.profile || undefined),
  };
  const found = findEntries(wish, options);
  if ('messages' in found) return { messages: found.messages };
  const messages = new Map<string, BatchMessage>();
  const blobs: UnitBlob[] = [];
  for (const entry of found.entries) {
    const compilation = compileModule({ ...options, entry: entry.entry, profile: entry.profile });
    for (const message of messagesOf(compilation.log.diagnostics, compilation.map))
      messages.set(JSON.stringify(message), message);
    const blob = blobOf(compilation, entry);
    if (blob) blobs.push(blob);
  }
  const isWhole = blobs.length === found.entries.length;
  return { messages: [...messages.values()], ...(isWhole && { blobs }) };
}

function blobOf(compilation: Compilation, { entry, isMarked }: Entry): UnitBlob | undefined {
  const { log, reflection, words, msl } = compilation;
  if (log.errors > 0 || !reflection) return undefined;
  return {
    entry,
    isMarked,
    reflection,
    ...(words && { spirv: new Uint8Array(words.buffer, words.byteOffset, words.byteLength) }),
    ...(msl !== undefined && { msl }),
  };
}

/**
 * The fields of the job as flags, so that both mean the same; the job's own flags come last and win. Values are part of their word, so that
 * none that begins with @ names a response file.
 */
function unitSettings({ job, defines }: Unit): Settings {
  const argv = [
    ...defines.map((define) => `-D${define}`),
    ...job.includeDirs.map((folder) => `-I${folder}`),
    ...(job.debugInfo ? ['-Zi'] : []),
    `-O${job.optimize}`,
    ...(job.targetEnv === undefined ? [] : [`-fspv-target-env=${job.targetEnv}`]),
    ...(job.mslVersion === undefined ? [] : ['-msl-version', job.mslVersion]),
    ...(job.warningsAsErrors ? ['-WX'] : []),
    ...job.options,
  ];
  const noFile = (): never => {
    throw new Error('response files have no place in a job list');
  };
  const { settings, input, answer } = readCommandLine(argv, { read: noFile, exists: () => false }, '');
  if (input !== undefined) throw new ArgumentError(`'${input}' is no flag`);
  const plain = newSettings();
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const makesFiles =
    answer !== undefined ||
    settings.task !== undefined ||
    settings.metal.only ||
    settings.diagnostics !== plain.diagnostics ||
    !same(settings.outputs, plain.outputs) ||
    !same(settings.split, plain.split);
  if (makesFiles)
    throw new ArgumentError(
      `'${job.options.join(' ')}' has a flag that chooses outputs, which the job list does`,
    );
  return settings;
}

function compileOptions(
  unit: Unit,
  settings: Settings,
  env: { text: string; read: Read; files: Files },
): CompileOptions {
  const metal = readBindings(settings, (path) => {
    const text = env.read(path);
    if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
    return text;
  });
  if (typeof metal === 'string') throw new ArgumentError(metal);
  return {
    ...settings.compile,
    ...(metal && { metal }),
    source: { name: unit.file, text: env.text },
    includes: env.read,
    includeDirs: settings.compile.includeDirs.map((folder) => env.files.folderOf(folder)),
    workingDirectory: env.files.root,
    debugSourceRoot: env.files.root,
    targets: unit.job.targets,
    reflectDeclared: true,
  };
}
