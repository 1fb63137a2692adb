/**
 * Debug information never changes code: a module with records, without them and numbered anew is the module that is built without
 * debug information, for the corpus and for random programs.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile, type CompileOptions } from '../../src/index.ts';
import { disassemble } from '../../src/spirv/disassemble.ts';
import { stripDebug } from '../../src/spirv/strip.ts';
import { growProgram } from '../property/programs.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';

const kinds = ['vulkan-with-source', 'vulkan', 'line'] as const;
const levels = [false, 1, 3] as const;

function words(options: CompileOptions): Uint32Array {
  const { spirv, diagnostics } = compile(options);
  if (!spirv) throw new Error(diagnostics.map((one) => one.rendered).join('\n'));
  return new Uint32Array(spirv.buffer, spirv.byteOffset, spirv.byteLength / 4);
}

const stripped = (module: Uint32Array): Uint32Array => stripDebug(module, { keepIdentifier: false })!;

function expectSameCode(options: CompileOptions): void {
  for (const optimize of levels) {
    const { debugInfo: _, ...plain } = options;
    const bare = stripped(words({ ...plain, optimize }));
    for (const debugInfo of kinds) {
      const code = stripped(words({ ...plain, optimize, debugInfo }));
      // Text only for a failure: it is long.
      if (code.length !== bare.length || code.some((word, i) => word !== bare[i]))
        expect(disassemble(code), `${debugInfo}, -O${Number(optimize)}`).toBe(disassemble(bare));
    }
  }
}

describe('debug information never changes code', () => {
  test.each(corpusJobs)('$file $flags', (job) => {
    expectSameCode(corpusOptions(job));
  });

  test('random programs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 1000, size: 'max' }), (list) => {
        const { text, options } = growProgram([...list]);
        expectSameCode({ source: { name: 'a.hlsl', text }, ...options });
      }),
      { numRuns: 30, seed: Number(process.env['ONESHADER_SEED'] ?? 1) },
    );
  });
});
