/**
 * `--batch`: compiles the shaders of a job list as far as they are out of date, and writes their C#.
 *
 * In the list's `cache` folder, beside state and blobs:
 * - `stamp`: has the time at which the last run began, absent after one that does not succeed; what a build compares times with.
 * - `inputs.txt`: every file that was read, absolute, one a line. If one changes, the shaders may be out of date.
 * - `missing.txt`: every file that a search for an include asked for in vain. If one appears, an include may mean another file.
 *
 * Warnings of files that are up to date are repeated, as a compiler does that compiles the project as a whole: they are there in every
 * run until they are seen to. After an error the C# has an `#error` in place of each shader that is broken.
 */
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type CsharpShader, type CsharpText, generateCsharp } from '../../csharp/generate.ts';
import type { RenderStyle } from '../../source/render.ts';
import { reason } from '../files.ts';
import { Files, hashOf, replaceFile, writeWhole } from './files.ts';
import { JobFileError, type JobList, readJobs, type ShaderJob } from './jobs.ts';
import { type BatchMessage, messageAbout, plainMessage, renderMessages } from './messages.ts';
import { dropOldBlobs, loadState, recall, saveState, type State, store } from './state.ts';
import type { Unit, UnitResult } from './unit.ts';
import { compileUnits, threadCount } from './worker.ts';

/** The program that runs: its version, and the folder of its bundles. */
export interface Compiler {
  version: string;
  folder: string;
}

/** One shader of the list and its units, a unit for each variant. */
interface Shader {
  job: ShaderJob;
  /** Relative to the root. */
  file: string;
  units: Unit[];
}

/** Runs the job list; gives the exit code. */
export async function runBatch(listFile: string, style: RenderStyle, compiler: Compiler): Promise<number> {
  let list: JobList;
  try {
    list = readJobs(readFileSync(listFile, 'utf8'));
  } catch (error) {
    const problem = error instanceof JobFileError ? error.message : `cannot be read${reason(error)}`;
    return tell([messageAbout(undefined, 'batch-list', { file: listFile, problem })], style, resolve);
  }
  const files = new Files(resolve(list.root));
  const absolute = (name: string): string => files.absolute(name);
  try {
    const messages = await runList(list, files, compiler);
    return tell(messages, style, absolute);
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    if (path === undefined) throw error;
    const message = messageAbout(undefined, 'batch-unwritable', { file: path, reason: reason(error) });
    return tell([message], style, absolute);
  }
}

function tell(
  messages: readonly BatchMessage[],
  style: RenderStyle,
  absolute: (file: string) => string,
): number {
  process.stderr.write(renderMessages(messages, style, absolute));
  return messages.some(({ severity }) => severity === 'error') ? 1 : 0;
}

async function runList(list: JobList, files: Files, compiler: Compiler): Promise<BatchMessage[]> {
  const begin = new Date();
  const cache = files.absolute(list.cache);
  const stamp = join(cache, 'stamp');
  const shaders = shadersOf(list, files, compiler);
  const before = loadState(cache);
  const results = new Map<string, UnitResult>();
  const stale = new Map<string, Unit>();
  for (const unit of shaders.flatMap(({ units }) => units)) {
    const known = recall(before.get(unit.key), files, cache);
    if (known) results.set(unit.key, known);
    else stale.set(unit.key, unit);
  }
  // From here on an interrupted run leaves something to do.
  if (stale.size > 0) rmSync(stamp, { force: true });
  const compiled = await compileUnits([...stale.values()], {
    root: files.root,
    folder: compiler.folder,
    threads: threadCount(stale.size, availableParallelism(), list.threads),
    progress: ({ file, job, defines }) => {
      const more = defines.slice(job.defines.length).join(' ');
      process.stdout.write(`${file}${more && ` (${more})`}\n`);
    },
  });
  const state: State = new Map();
  for (const [key, { inputs, messages }] of results)
    state.set(key, { ...before.get(key)!, inputs, messages });
  [...stale.values()].forEach((unit, i) => {
    const result = compiled[i]!;
    results.set(unit.key, result);
    // What failed is not remembered, and so is compiled again.
    if (result.blobs) state.set(unit.key, store(unit.file, result, cache));
  });
  saveState(cache, state);
  const messages = shaders.flatMap(({ units }) => units.flatMap(({ key }) => results.get(key)!.messages));
  if (list.csharp) messages.push(...writeCsharp(list.csharp, shaders, results, files));
  writeInputs(cache, results, files);
  dropOldBlobs(cache, state);
  if (messages.some(({ severity }) => severity === 'error')) rmSync(stamp, { force: true });
  else {
    replaceFile(stamp, '');
    // A file that was changed while the run went on is newer.
    utimesSync(stamp, begin, begin);
  }
  return messages;
}

/** The shaders in the order of their names, whatever order a build system finds them in. */
function shadersOf(list: JobList, files: Files, compiler: Compiler): Shader[] {
  const identity = hashOf(compiler.version, readFileSync(join(compiler.folder, 'everything.cjs')));
  const shaders = list.shaders.map((given): Shader => {
    const job = { ...given, includeDirs: given.includeDirs.map((folder) => files.folderOf(folder)) };
    const file = files.nameOf(job.file);
    // What C# calls it, and whether others can see it, does not change what is compiled.
    const { className: _c, namespace: _n, accessModifier: _a, variants, file: _f, ...rest } = job;
    const units = variants.map((variant): Unit => {
      const defines = [...job.defines, ...variant.defines];
      return { key: hashOf(identity, JSON.stringify([file, rest, defines])), file, job, defines };
    });
    return { job, file, units };
  });
  return shaders.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

function writeCsharp(
  csharp: NonNullable<JobList['csharp']>,
  shaders: readonly Shader[],
  results: ReadonlyMap<string, UnitResult>,
  files: Files,
): BatchMessage[] {
  const classes = shaders.map(({ job, file, units }): CsharpShader => {
    const { className, namespace, accessModifier } = job;
    return {
      file,
      accessModifier,
      ...(className !== undefined && { className }),
      ...(namespace !== undefined && { namespace }),
      broken: units.some(({ key }) => !results.get(key)!.blobs),
      variants: units.map(({ key }, i) => ({
        ...(job.variants[i]!.name !== undefined && { name: job.variants[i]!.name }),
        blobs: (results.get(key)!.blobs ?? []).map(({ entry, isMarked, ...blob }) => ({
          ...blob,
          ...(isMarked && { name: entry }),
        })),
      })),
    };
  });
  const { text, notes } = generateCsharp(classes, csharp);
  writeWhole(files.absolute(csharp.file), text);
  return notes.map(noteMessage);
}

function noteMessage({ file, text, kind }: CsharpText['notes'][number]): BatchMessage {
  if (kind === 'class') return messageAbout(file, 'batch-class-name', { problem: text });
  return plainMessage({ severity: 'note', code: '', message: text, file });
}

function writeInputs(cache: string, results: ReadonlyMap<string, UnitResult>, files: Files): void {
  const [found, missing] = [new Set<string>(), new Set<string>()];
  for (const { inputs } of results.values())
    for (const [name, hash] of inputs) (hash === null ? missing : found).add(files.absolute(name));
  const lines = (paths: Iterable<string>): string =>
    [...paths]
      .sort()
      .map((path) => `${path}\n`)
      .join('');
  writeWhole(join(cache, 'inputs.txt'), lines(found));
  // A folder of such a name is no file that could be included.
  writeWhole(join(cache, 'missing.txt'), lines([...missing].filter((path) => !existsSync(path))));
}
