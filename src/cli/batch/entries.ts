/** Which entry points of a file are compiled, and for which stage: by the job, by the file's name, or by `[shader]` attributes. */
import { completeOptions, type CompileOptions } from '../../compile.ts';
import { preprocess } from '../../preprocess/preprocess.ts';
import { DiagnosticLog } from '../../source/diagnostic.ts';
import { SourceMap } from '../../source/source-map.ts';
import type { FunctionDeclaration } from '../../syntax/ast.ts';
import { parse } from '../../syntax/parser.ts';
import { type BatchMessage, messagesOf } from './messages.ts';

export interface Entry {
  entry: string;
  profile: string;
  /** One of those that attributes mark. */
  isMarked: boolean;
}

/** By the part of a file's name, which is the prefix of the profile as well. */
const stages: readonly { prefix: string; stage: string; model: string }[] = [
  { prefix: 'vs', stage: 'vertex', model: '6_0' },
  { prefix: 'ps', stage: 'pixel', model: '6_0' },
  { prefix: 'cs', stage: 'compute', model: '6_0' },
  { prefix: 'gs', stage: 'geometry', model: '6_0' },
  { prefix: 'hs', stage: 'hull', model: '6_0' },
  { prefix: 'ds', stage: 'domain', model: '6_0' },
  { prefix: 'ms', stage: 'mesh', model: '6_5' },
  { prefix: 'as', stage: 'amplification', model: '6_5' },
];

/** What the job says; `profile` may be a shader model alone. */
export interface Wish {
  entryPoint: string | undefined;
  profile: string | undefined;
}

/** The entry points, or what keeps them from being known. `options` are those of the compilation, without an entry. */
export function findEntries(
  wish: Wish,
  options: CompileOptions,
): { entries: Entry[] } | { messages: BatchMessage[] } {
  const model = wish.profile !== undefined && /^\d_(\d+|x)$/.test(wish.profile) ? wish.profile : undefined;
  if (wish.profile !== undefined && model === undefined)
    return { entries: [{ entry: wish.entryPoint ?? 'main', profile: wish.profile, isMarked: false }] };
  const suffix = /\.([a-z]{2})\.[^./\\]+$/i.exec(options.source.name)?.[1]?.toLowerCase();
  const named = stages.find(({ prefix }) => prefix === suffix);
  if (named) {
    const profile = `${named.prefix}_${model ?? named.model}`;
    return { entries: [{ entry: wish.entryPoint ?? 'main', profile, isMarked: false }] };
  }
  return markedEntries(wish.entryPoint, model, options);
}

/** Functions of the file itself, not of its includes, that have a `[shader]` attribute; or the one that is asked for. */
function markedEntries(
  wanted: string | undefined,
  model: string | undefined,
  options: CompileOptions,
): { entries: Entry[] } | { messages: BatchMessage[] } {
  const full = completeOptions({ ...options, profile: `lib_${model ?? '6_3'}` });
  const map = new SourceMap();
  const log = new DiagnosticLog(full);
  const includes = options.includes as (path: string) => string | undefined;
  const { tokens, mainFile, incomplete } = preprocess(options.source, { map, log, options: full, includes });
  const unit = incomplete ? undefined : parse(tokens, map, log);
  const entries = new Map<string, Entry>();
  for (const declaration of log.errors === 0 && unit ? unit.declarations : []) {
    if (declaration.kind !== 'function' || !declaration.body) continue;
    const { name } = declaration.name;
    if (map.fileAt(name.at) !== mainFile || (wanted !== undefined && name.text !== wanted)) continue;
    const marked = stageOf(declaration);
    if (!marked) continue;
    const row = stages.find(({ stage }) => stage === marked.stage);
    if (!row) {
      const known = stages.map(({ stage }) => `'${stage}'`).join(', ');
      log.report('batch-stage', marked.at, { stage: marked.stage, known });
      continue;
    }
    const profile = `${row.prefix}_${model ?? row.model}`;
    entries.set(name.text, { entry: name.text, profile, isMarked: wanted === undefined });
  }
  if (log.errors === 0 && entries.size === 0)
    log.report('batch-no-entry', mainFile.start, { file: options.source.name });
  if (log.errors > 0) return { messages: messagesOf(log.diagnostics, map) };
  return { entries: [...entries.values()] };
}

function stageOf(declaration: FunctionDeclaration): { stage: string; at: number } | undefined {
  const attribute = declaration.attributes.find(({ name }) => name.toLowerCase() === 'shader');
  const [argument] = attribute?.args ?? [];
  return argument?.kind === 'string-literal' ? { stage: argument.value, at: argument.at } : undefined;
}
