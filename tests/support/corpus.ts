/** The shaders of the corpus, each with the command lines that its `// RUN:` comments give. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CompileOptions } from '../../src/index.ts';
import { readOptions } from './command-line.ts';

const root = new URL('../..', import.meta.url).pathname;
const corpus = join(root, 'corpus');

export interface CorpusJob {
  /** Relative to the project. */
  file: string;
  flags: string;
}

/** Every `.hlsl` file of the corpus; not all are entry files. */
export const corpusFiles: readonly string[] = readdirSync(corpus, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.hlsl'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort();

export const corpusJobs: readonly CorpusJob[] = corpusFiles.flatMap((file) => {
  const lines = readFileSync(join(root, file), 'utf8').match(/^\/\/ RUN: .*$/gm) ?? [];
  return lines.map((line) => ({ file, flags: line.slice('// RUN: '.length) }));
});

/** Options of the job with more flags. */
export function corpusOptions({ file, flags }: CorpusJob, more = ''): CompileOptions {
  return readOptions(`${flags} ${more}`, join(root, file), root);
}
