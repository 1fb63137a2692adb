/** The command: reads files, calls the compiler, writes the outputs, sets the exit code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Compilation, compileModule, completeOptions } from '../compile.ts';
import { print } from '../ir/print.ts';
import type { PassWatcher } from '../passes/pipeline.ts';
import { preprocess } from '../preprocess/preprocess.ts';
import { printPreprocessed } from '../preprocess/print.ts';
import { DiagnosticLog } from '../source/diagnostic.ts';
import { renderDiagnostic } from '../source/render.ts';
import { SourceMap } from '../source/source-map.ts';
import { symbolicator } from '../msl/symbolicate.ts';
import { disassemble } from '../spirv/disassemble.ts';
import { buildIdentifier, stripDebug } from '../spirv/strip.ts';
import { dump } from '../syntax/dump.ts';
import { parse } from '../syntax/parser.ts';
import { ArgumentError } from './arguments.ts';
import { runBatch } from './batch/batch.ts';
import { work } from './batch/worker.ts';
import { type Invocation, newSettings, readCommandLine, workerFlag } from './command.ts';
import { isFile, readBindings, reason } from './files.ts';
import type { Settings } from './flags.ts';
import { headerText } from './header.ts';
import { throughLines } from './lines.ts';
import { runTask } from './tasks.ts';

export { rehearse } from './rehearsal.ts';

declare const ONESHADER_VERSION: string;

/** Output files and their contents; written together, and only when nothing went wrong. */
type Outputs = Map<string, string | Uint8Array>;

/**
 * Exit code of the command: 0 if everything was written, 1 after any error. `everything` gives the command of the bundle that has
 * all parts, if this is the one that has not. `folder` is where the launcher is. A batch goes on after the return, and sets the exit code
 * itself when it is done.
 */
export function main(
  argv: readonly string[],
  everything: (() => typeof main) | undefined,
  folder: string,
): number {
  const worked = argv[0] === workerFlag ? work() : undefined;
  if (worked !== undefined) return worked;
  let invocation: Invocation;
  try {
    invocation = readCommandLine(
      argv,
      { read: (path) => readFileSync(path, 'utf8'), exists: isFile },
      ONESHADER_VERSION,
    );
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return complain(error.message);
  }
  if (invocation.answer !== undefined) {
    process.stdout.write(invocation.answer);
    return 0;
  }
  const handOn = everything && (() => everything()(argv, undefined, folder));
  if (handOn && !isPlain(invocation)) return handOn();
  if (invocation.settings.task) return runOther(invocation, folder);
  if (invocation.input === undefined) return complain('no input file; oneshader --help tells how to call it');
  let text: string;
  try {
    text = readFileSync(invocation.input === '-' ? 0 : invocation.input, 'utf8');
  } catch (error) {
    return complain(`cannot read the input file '${invocation.input}'${reason(error)}`);
  }
  const name = invocation.input === '-' ? 'stdin.hlsl' : invocation.input;
  const outputs: Outputs = new Map();
  const status = run(invocation.settings, { name, text }, outputs, handOn);
  return status === 0 ? writeOutputs(outputs) : status;
}

/**
 * False if a call needs one of the functions that build.mjs leaves out of the bundle for ordinary compilations. A call that may turn out
 * to need one is no plain one if it cannot be begun again, as standard input cannot.
 */
function isPlain({ settings, input }: Invocation): boolean {
  const { task, metal, outputs, split } = settings;
  const { object, assembly, header, msl, map, dependencies, preprocess: isPreprocessed } = outputs;
  const listsNothing = object !== undefined || isPreprocessed || dependencies === 'print';
  const { astDump, printIr } = outputs;
  return (
    listsNothing &&
    input !== '-' &&
    !(task || metal.only || astDump || printIr || split.strip) &&
    [assembly, header, msl, map, split.file].every((file) => file === undefined)
  );
}

function startBatch({ settings, input }: Invocation, file: string, folder: string): number {
  const { task, diagnostics } = settings;
  const plain = { ...newSettings(), diagnostics, task };
  if (input !== undefined || JSON.stringify(settings) !== JSON.stringify(plain))
    return complain(`--batch takes files and options from the job list '${file}' alone`);
  const compiler = { version: ONESHADER_VERSION, folder };
  void runBatch(file, diagnostics, compiler).then((status) => {
    process.exitCode = status;
  });
  return 1;
}

/** What compiles no single shader: `--batch`, `--join`, `--verify-debug` and `--symbolicate`. */
function runOther(invocation: Invocation, folder: string): number {
  const { settings, input } = invocation;
  const task = settings.task!;
  if (task.kind === 'batch') return startBatch(invocation, task.files[0]!, folder);
  if (input !== undefined)
    return complain(`--${task.kind} compiles nothing, so the input file '${input}' has no use`);
  if (task.kind === 'symbolicate') return runSymbolicate(task.files[0]!);
  const modules: Uint32Array[] = [];
  for (const file of task.files) {
    try {
      const bytes = readFileSync(file);
      modules.push(new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 2));
    } catch (error) {
      return complain(`cannot read '${file}'${reason(error)}`);
    }
  }
  const result = runTask(task.kind, modules);
  if ('problem' in result) return complain(result.problem);
  const status = writeOutputs(new Map([[settings.outputs.object ?? '-', result.output]]));
  return status === 0 ? result.status : status;
}

/** The IR behind lowering and behind each pass that changed it; what the backend gets is the last. */
function irPrinter(stages: string[]): PassWatcher {
  return (module, name, changed) =>
    stages.push(changed ? `; behind ${name}\n${print(module)}` : `; behind ${name}: the same\n`);
}

/** Standard input is read piece by piece, as a log may be long or go on. */
function runSymbolicate(file: string): number {
  let map: string;
  try {
    map = readFileSync(file, 'utf8');
  } catch (error) {
    return complain(`cannot read '${file}'${reason(error)}`);
  }
  const lines = symbolicator(map);
  if ('problem' in lines) return complain(`${lines.problem} ('${file}')`);
  return throughLines(lines.line);
}

/** `handOn` has the whole command do the call, if this bundle has only a part of it. */
function run(
  settings: Settings,
  source: { name: string; text: string },
  outputs: Outputs,
  handOn: (() => number) | undefined,
): number {
  const { outputs: wanted } = settings;
  const metal = readBindings(settings, (path) => readFileSync(path, 'utf8'));
  if (typeof metal === 'string') return complain(metal);
  const options = {
    ...settings.compile,
    ...(metal && { metal }),
    source,
    includes: readInclude,
    workingDirectory: process.cwd(),
  };
  if (wanted.preprocess || wanted.astDump || wanted.dependencies === 'print')
    return runFrontEnd(settings, options, outputs);
  const stages: string[] = [];
  const compilation = compileModule(options, wanted.printIr ? irPrinter(stages) : undefined);
  if (handOn && compilation.log.diagnostics.some(({ key }) => key === 'internal-error')) return handOn();
  if (wanted.printIr) outputs.set('-', stages.join('\n'));
  const status = printDiagnostics(compilation.log, compilation.map, settings, outputs);
  if (wanted.listIncludes)
    process.stderr.write(
      compilation.dependencies
        .slice(1)
        .map((file) => `. ${file}\n`)
        .join(''),
    );
  if (status !== 0) {
    writeErrorsFile(wanted.errors, outputs);
    return status;
  }
  collectOutputs(settings, compilation, source.name, outputs);
  return 0;
}

/** `-P`, `-M` and `-ast-dump` need no more than the first stages. */
function runFrontEnd(
  settings: Settings,
  options: Parameters<typeof compileModule>[0],
  outputs: Outputs,
): number {
  const { outputs: wanted } = settings;
  const full = completeOptions({ ...options, profile: options.profile || 'ps_6_0' });
  const map = new SourceMap();
  const log = new DiagnosticLog(full);
  const { tokens, dependencies } = preprocess(options.source, {
    map,
    log,
    options: full,
    includes: readInclude,
  });
  if (wanted.astDump && log.errors === 0) outputs.set('-', dump(parse(tokens, map, log)));
  const status = printDiagnostics(log, map, settings, outputs);
  if (status !== 0) {
    writeErrorsFile(wanted.errors, outputs);
    return status;
  }
  if (wanted.preprocess)
    outputs.set(
      wanted.preprocessed ?? replaceExtension(options.source.name, '.i'),
      printPreprocessed(tokens, map),
    );
  if (wanted.dependencies) addDependencies(settings, options.source.name, dependencies, outputs);
  return 0;
}

function collectOutputs(settings: Settings, compilation: Compilation, input: string, outputs: Outputs): void {
  const { outputs: wanted, compile } = settings;
  if (wanted.msl !== undefined) outputs.set(wanted.msl, compilation.msl!);
  if (wanted.map !== undefined) outputs.set(wanted.map, compilation.mslMap!);
  if (settings.metal.only) {
    collectMetal(settings, compilation, input, outputs);
    return;
  }
  const { words, debugFile } = splitDebug(settings, compilation.words!);
  const bytes = bytesOf(words);
  if (debugFile) outputs.set(debugFile, bytesOf(compilation.words!));
  if (wanted.object !== undefined) outputs.set(wanted.object, bytes);
  const listing = (color: boolean): string => disassemble(words, { color, offsets: wanted.offsets });
  if (wanted.assembly !== undefined) outputs.set(wanted.assembly, listing(wanted.color));
  if (wanted.header !== undefined) {
    outputs.set(
      wanted.header,
      headerText(bytes, wanted.variableName ?? `g_${compile.entry ?? 'main'}`, listing(false)),
    );
  }
  if (wanted.reflection !== undefined) {
    outputs.set(wanted.reflection, JSON.stringify(compilation.reflection, null, 2) + '\n');
  }
  if (wanted.dependencies) addDependencies(settings, input, compilation.dependencies, outputs);
  const others = [wanted.errors, debugFile, wanted.msl, wanted.map].filter(
    (file) => file !== undefined,
  ).length;
  if (outputs.size === others) outputs.set('-', listing(wanted.color));
}

/** With `-msl` the text is the only product. */
function collectMetal(settings: Settings, compilation: Compilation, input: string, outputs: Outputs): void {
  const { outputs: wanted } = settings;
  if (wanted.object !== undefined) outputs.set(wanted.object, compilation.msl!);
  if (wanted.reflection !== undefined)
    outputs.set(wanted.reflection, JSON.stringify(compilation.reflection, null, 2) + '\n');
  if (wanted.dependencies) addDependencies(settings, input, compilation.dependencies, outputs);
  const isShown = [...outputs.keys()].some((file) => file !== wanted.errors && file !== wanted.map);
  if (!isShown) outputs.set('-', compilation.msl!);
}

/** `-Fd` and `-Qstrip_debug`: the module proper without debug information, and the file that has all of it. */
function splitDebug({ split }: Settings, whole: Uint32Array): { words: Uint32Array; debugFile?: string } {
  if (split.file === undefined && !split.strip) return { words: whole };
  const words = stripDebug(whole, { keepIdentifier: true })!;
  if (split.file === undefined) return { words };
  const isFolder = /[/\\]$/.test(split.file);
  return { words, debugFile: isFolder ? `${split.file}${buildIdentifier(whole)}.spv` : split.file };
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

function addDependencies(
  settings: Settings,
  input: string,
  files: readonly string[],
  outputs: Outputs,
): void {
  const { dependencies, object } = settings.outputs;
  const target = object ?? replaceExtension(input, '.spv');
  const escapePath = (path: string): string => path.replace(/[ #$]/g, (c) => (c === '$' ? '$$' : `\\${c}`));
  const text = `${escapePath(target)}: ${files.map(escapePath).join(' \\\n ')}\n`;
  const file =
    dependencies === 'print'
      ? '-'
      : dependencies === 'default-file'
        ? replaceExtension(input, '.d')
        : dependencies!.file;
  outputs.set(file, text);
}

/** Prints to standard error, or collects for the file of -Fe. */
function printDiagnostics(
  log: DiagnosticLog,
  map: SourceMap,
  { diagnostics: style, outputs: { errors: errorsFile } }: Settings,
  outputs: Outputs,
): number {
  const blank = style === 'text' ? '\n' : '';
  const text = log.diagnostics.map((one) => renderDiagnostic(one, map, style) + blank).join('');
  if (errorsFile !== undefined) outputs.set(errorsFile, text);
  else if (text !== '') process.stderr.write(text);
  return log.errors > 0 ? 1 : 0;
}

/** The file of -Fe is the one output that a failed compilation has. */
function writeErrorsFile(errorsFile: string | undefined, outputs: Outputs): void {
  if (errorsFile === undefined) return;
  const text = outputs.get(errorsFile)!;
  outputs.clear();
  outputs.set(errorsFile, text);
  writeOutputs(outputs);
}

function writeOutputs(outputs: Outputs): number {
  for (const [file, content] of outputs) {
    if (file === '-') {
      process.stdout.write(content);
      continue;
    }
    try {
      writeFileSync(file, content);
    } catch (error) {
      return complain(`cannot write '${file}'${reason(error)}`);
    }
  }
  return 0;
}

function readInclude(path: string): string | undefined {
  return isFile(path) ? readFileSync(path, 'utf8') : undefined;
}

function replaceExtension(path: string, extension: string): string {
  return path.replace(/\.[^./\\]*$/, '') + extension;
}

function complain(message: string): number {
  process.stderr.write(`oneshader: error: ${message} [OS9002]\n`);
  return 1;
}
