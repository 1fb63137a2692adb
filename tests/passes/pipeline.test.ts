/** What holds for the pipeline as a whole: passes tell whether they changed code, and options choose among them. */
import { describe, expect, test } from 'vitest';
import { compileModule, type CompileOptions } from '../../src/compile.ts';
import type { Module } from '../../src/ir/ir.ts';
import { print } from '../../src/ir/print.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';

/** Without records and positions, which are no code. */
function codeOf(module: Module): string {
  return print(module)
    .split('\n')
    .filter((line) => !/^\s*debug_/.test(line))
    .map((line) => line.replace(/ *;.*$/, ''))
    .join('\n');
}

function stagesOf(options: CompileOptions): string[] {
  const stages: string[] = [];
  const { log } = compileModule(options, (_, name, changed) => stages.push(`${name}${changed ? '!' : ''}`));
  expect(log.errors).toBe(0);
  return stages;
}

const compute = (body: string): CompileOptions => ({
  source: { name: 'a.hlsl', text: `RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { ${body} }` },
  profile: 'cs_6_0',
});

test('a pass that says it changed nothing changed nothing', () => {
  const wrong: string[] = [];
  // Printing takes the time, so not all of them.
  for (const job of corpusJobs.filter((_, i) => i % 4 === 0)) {
    let before = '';
    compileModule(corpusOptions(job), (module, name, changed) => {
      const code = codeOf(module);
      if (!changed && code !== before) wrong.push(`${name} of ${job.file}`);
      before = code;
    });
  }
  expect(wrong).toEqual([]);
});

describe('steps', () => {
  const count = (stages: readonly string[], name: string): number =>
    stages.filter((stage) => stage.replace('!', '') === name).length;
  test('without loops and buffers one clean-up is all', () => {
    const stages = stagesOf(compute('float a = o[0]; o[1] = a + 1;'));
    expect(count(stages, 'cse')).toBe(1);
  });
  test('behind loops that were written out there is another one', () => {
    const stages = stagesOf(compute('[unroll] for (int i = 0; i < 3; i++) o[i] = 1;'));
    expect(stages).toContain('unroll!');
    expect(count(stages, 'cse')).toBe(2);
  });
  test('level 0 writes intrinsics out and nothing else', () => {
    expect(stagesOf({ ...compute('o[0] = saturate(o[1]);'), optimize: 0 })).toEqual([
      'lowering!',
      'expandIntrinsics!',
    ]);
  });
  test('levels 1, 2 and 3 are one', () => {
    const at = (optimize: 1 | 2 | 3): string[] =>
      stagesOf({ ...compute('[unroll] for (int i = 0; i < 3; i++) o[i] = 1;'), optimize });
    expect(at(1)).toEqual(at(3));
    expect(at(2)).toEqual(at(3));
  });
});
