/**
 * Every command line of the corpus is built with debug information on and off and with the optimizer on and off; each
 * module passes spirv-val for its target environment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile } from '../src/index.ts';
import { readOptions } from './support/command-line.ts';
import { validateModules } from './support/spirv-val.ts';
import { requireTool } from './support/tools.ts';

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
const spirvVal = requireTool('spirv-val');

describe('corpus', () => {
  it('has at least 40 shaders, each with a command line', () => {
    const files = new Set(jobs.map((job) => job.file));
    expect(files.size).toBeGreaterThanOrEqual(40);
  });

  describe.skipIf(!spirvVal.found)(`validates (${spirvVal.title})`, () => {
    it.each(jobs)('$file $flags', async ({ file, flags }) => {
      const modules = variants.map((variant) => {
        const options = readOptions(`${flags} ${variant}`, join(root, file), root);
        const result = compile(options);
        expect(
          result.diagnostics
            .filter((one) => one.severity === 'error')
            .map((one) => one.rendered)
            .join('\n'),
        ).toBe('');
        return { spirv: result.spirv!, options };
      });
      expect(await validateModules(modules)).toEqual([]);
    });
  });
});
