/**
 * Every command line of the corpus is built with debug information on and off and with the optimizer on and off; each
 * module passes spirv-val for its target environment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile, type CompileOptions } from '../src/index.ts';
import { readOptions } from './support/command-line.ts';
import { describeWith, validateSpirv, validationFlags } from './support/tools.ts';

const root = new URL('..', import.meta.url).pathname;
const corpus = join(root, 'corpus');

interface Job {
  file: string;
  flags: string;
}

const jobs: Job[] = readdirSync(corpus, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.hlsl'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .flatMap((file) => {
    const lines = readFileSync(file, 'utf8').match(/^\/\/ RUN: .*$/gm) ?? [];
    return lines.map((line) => ({ file: relative(root, file), flags: line.slice('// RUN: '.length) }));
  });

const variants = ['', '-Od', '-fspv-debug=vulkan-with-source', '-Od -fspv-debug=vulkan-with-source'];

function problems({ file, flags }: Job, variant: string): string {
  const options: CompileOptions = readOptions(`${flags} ${variant}`, join(root, file), root);
  const result = compile(options);
  if (!result.spirv) return result.diagnostics.map((one) => one.rendered).join('\n');
  return validateSpirv(result.spirv, validationFlags(options.targetEnv, options.layout));
}

describe('corpus', () => {
  it('has at least 40 shaders, each with a command line', () => {
    const files = new Set(jobs.map((job) => job.file));
    expect(files.size).toBeGreaterThanOrEqual(40);
  });

  it('leaves no shader without a command line', () => {
    const all = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.hlsl'),
    );
    expect(new Set(jobs.map((job) => job.file)).size).toBe(all.length);
  });
});

describeWith(['spirv-val'], 'corpus: every command line gives a valid module', () => {
  it.each(jobs)('$file $flags', (job) => {
    for (const variant of variants) expect(problems(job, variant), variant).toBe('');
  });
});
