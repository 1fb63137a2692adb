/** Files by the names that compilations know: relative to the root, with `/`, so that nothing depends on where a project lies. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isFile } from '../files.ts';

export interface FileText {
  text: string;
  /** Of the bytes. */
  hash: string;
}

export function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Reads every file once. */
export class Files {
  readonly root: string;
  #read = new Map<string, FileText | undefined>();
  constructor(root: string) {
    this.root = root;
  }

  absolute(name: string): string {
    return resolve(this.root, name);
  }

  /** The name of a file that a job list writes in any way; on another drive it stays absolute. */
  nameOf(path: string): string {
    const name = relative(this.root, resolve(this.root, path));
    return (isAbsolute(name) ? name : name || '.').replaceAll('\\', '/');
  }

  /** A folder that is written with the path of the machine, relative if it is within the root: `__FILE__` shows such names. */
  folderOf(path: string): string {
    const name = this.nameOf(path);
    return isAbsolute(path) && !name.startsWith('../') ? name : path;
  }

  /** Undefined if there is no such file. Throws if it cannot be read. */
  read(name: string): FileText | undefined {
    if (this.#read.has(name)) return this.#read.get(name);
    const path = this.absolute(name);
    let found: FileText | undefined;
    if (isFile(path)) {
      const bytes = readFileSync(path);
      found = { text: bytes.toString('utf8'), hash: hashOf(bytes) };
    }
    this.#read.set(name, found);
    return found;
  }
}

/**
 * Writes a file as a whole, so that nobody ever reads half of it, and only if its contents change, so that what depends on its time
 * is not made again.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    if (statSync(path).size === bytes.length && readFileSync(path).equals(bytes)) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  replaceFile(path, bytes);
}

/** As `writeWhole`, with a new time in any case. */
export function replaceFile(path: string, bytes: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(temporary, path);
      return;
    } catch (error) {
      // On Windows a file cannot be replaced while somebody reads it.
      if (attempt === 10) {
        rmSync(temporary, { force: true });
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * attempt);
    }
  }
}
