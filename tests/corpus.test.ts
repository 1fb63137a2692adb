/**
 * Every command line of the corpus is built with debug information on and off and with the optimizer on and off; each
 * module passes spirv-val for its target environment.
 */
import { describe, expect, it } from 'vitest';
import { compile } from '../src/index.ts';
import { type CorpusJob, corpusFiles, corpusJobs, corpusOptions } from './support/corpus.ts';
import { describeWith, validateSpirv, validationFlags } from './support/tools.ts';

const variants = ['', '-Od', '-fspv-debug=vulkan-with-source', '-Od -fspv-debug=vulkan-with-source'];

function problems(job: CorpusJob, variant: string): string {
  const options = corpusOptions(job, variant);
  const result = compile(options);
  if (!result.spirv) return result.diagnostics.map((one) => one.rendered).join('\n');
  return validateSpirv(result.spirv, validationFlags(options.targetEnv, options.layout));
}

describe('corpus', () => {
  it('has at least 40 shaders, each with a command line', () => {
    const files = new Set(corpusJobs.map((job) => job.file));
    expect(files.size).toBeGreaterThanOrEqual(40);
  });

  it('leaves no shader without a command line', () => {
    expect(new Set(corpusJobs.map((job) => job.file)).size).toBe(corpusFiles.length);
  });
});

describeWith(['spirv-val'], 'corpus: every command line gives a valid module', () => {
  it.each(corpusJobs)('$file $flags', (job) => {
    for (const variant of variants) expect(problems(job, variant), variant).toBe('');
  });
});
