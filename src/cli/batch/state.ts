/**
 * What a batch remembers in its folder: for each unit the files it asked for, its messages and its blobs. A unit is up to date if all those files
 * have the same contents, or are as absent, and its blobs are there. Compiling is a function of just that, so this is exact: also a new
 * file that comes first in the search order, or a time that was set back, is noticed.
 *
 * Nothing in the folder is trusted: the state carries its own hash and blobs have theirs in their names. Two processes in one folder
 * therefore cannot mislead each other; at worst the next run compiles something again.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, hashOf, writeWhole } from './files.ts';
import type { BatchMessage } from './messages.ts';
import type { UnitBlob, UnitResult } from './unit.ts';

/** A blob whose bytes are in files of the folder. */
interface StoredBlob extends Omit<UnitBlob, 'spirv' | 'msl'> {
  spirv?: string;
  msl?: string;
}

interface StoredUnit {
  inputs: UnitResult['inputs'];
  messages: BatchMessage[];
  blobs: StoredBlob[];
}

/** Units by their keys. */
export type State = Map<string, StoredUnit>;

const stateFile = 'state.json';
const blobFolder = 'blobs';
const blobName = /-[0-9a-f]{16}\.(spv|metal)$/;

/** The state of the last run; empty if there is none that can be used. */
export function loadState(cache: string): State {
  let text: string;
  try {
    text = readFileSync(join(cache, stateFile), 'utf8');
  } catch {
    return new Map();
  }
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (hashOf(body) !== text.slice(0, end)) return new Map();
  return new Map(JSON.parse(body) as [string, StoredUnit][]);
}

export function saveState(cache: string, state: State): void {
  const body = JSON.stringify([...state]);
  writeWhole(join(cache, stateFile), `${hashOf(body)}\n${body}`);
}

/** The unit's result if it is up to date. */
export function recall(stored: StoredUnit | undefined, files: Files, cache: string): UnitResult | undefined {
  if (!stored) return undefined;
  try {
    const isSame = stored.inputs.every(([name, hash]) => (files.read(name)?.hash ?? null) === hash);
    if (!isSame) return undefined;
  } catch {
    // A file that cannot be read now is for the compilation to report.
    return undefined;
  }
  const blobs: UnitBlob[] = [];
  for (const { spirv, msl, ...rest } of stored.blobs) {
    const [module, text] = [readBlob(cache, spirv), readBlob(cache, msl)];
    if ((spirv !== undefined && !module) || (msl !== undefined && !text)) return undefined;
    blobs.push({ ...rest, ...(module && { spirv: module }), ...(text && { msl: text.toString('utf8') }) });
  }
  return { inputs: stored.inputs, messages: stored.messages, blobs };
}

function readBlob(cache: string, name: string | undefined): Buffer | undefined {
  if (name === undefined) return undefined;
  try {
    const bytes = readFileSync(join(cache, blobFolder, name));
    return name.includes(`-${shortHash(bytes)}.`) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function shortHash(bytes: string | Uint8Array): string {
  return hashOf(bytes).slice(0, 16);
}

/** Writes the blobs of a unit that compiled, and gives what the state says of it. */
export function store(file: string, result: UnitResult, cache: string): StoredUnit {
  const { inputs, messages, blobs = [] } = result;
  return {
    inputs,
    messages,
    blobs: blobs.map(({ spirv, msl, ...rest }): StoredBlob => {
      const label = `${file}-${rest.entry}`.replace(/[^\w.-]+/g, '_').slice(-80);
      const write = (bytes: string | Uint8Array, extension: string): string => {
        const name = `${label}-${shortHash(bytes)}.${extension}`;
        writeWhole(join(cache, blobFolder, name), bytes);
        return name;
      };
      return {
        ...rest,
        ...(spirv && { spirv: write(spirv, 'spv') }),
        ...(msl !== undefined && { msl: write(msl, 'metal') }),
      };
    }),
  };
}

/** Deletes the blobs that the state does not name. */
export function dropOldBlobs(cache: string, state: State): void {
  const known = new Set<string | undefined>();
  for (const { blobs } of state.values()) for (const { spirv, msl } of blobs) known.add(spirv).add(msl);
  let names: string[];
  try {
    names = readdirSync(join(cache, blobFolder));
  } catch {
    return;
  }
  for (const name of names)
    if (blobName.test(name) && !known.has(name)) rmSync(join(cache, blobFolder, name), { force: true });
}
