/**
 * Debug information never changes code: a module with records, without them and numbered anew is the module that is built without
 * debug information, for the corpus and for random programs.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeOptions } from '../../src/compile.ts';
import { compile, type CompileOptions } from '../../src/index.ts';
import type { Block } from '../../src/ir/ir.ts';
import { isDebug } from '../../src/ir/uses.ts';
import { runPasses } from '../../src/passes/pipeline.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { disassemble } from '../../src/spirv/disassemble.ts';
import { emitSpirv } from '../../src/spirv/emit.ts';
import { stripDebug } from '../../src/spirv/strip.ts';
import { growProgram } from '../property/programs.ts';
import { lowered } from '../support/compile.ts';
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

/** The module that is built if the IR never had a word about variables. */
function withoutVariables(options: CompileOptions): Uint32Array {
  const full = completeOptions(options);
  const module = lowered(options);
  const drop = (block: Block): void => {
    block.instructions = block.instructions.filter((instruction) => !isDebug(instruction));
    for (const { blocks } of block.instructions) blocks.forEach(drop);
  };
  for (const { body } of module.functions) drop(body);
  module.debugVariables = [];
  for (const global of module.globals) delete global.debug;
  runPasses(module, full);
  const log = new DiagnosticLog(full);
  const result = emitSpirv(module, { options: full, log });
  if (!result) throw new Error(log.diagnostics.map(({ message }) => message).join('\n'));
  return result;
}

function expectSameWithoutVariables(options: CompileOptions): void {
  for (const optimize of [0, 3] as const) {
    const { debugInfo: _, ...plain } = options;
    const expected = words({ ...plain, optimize });
    const found = withoutVariables({ ...plain, optimize });
    if (found.length !== expected.length || found.some((word, i) => word !== expected[i]))
      expect(disassemble(found), `-O${optimize}`).toBe(disassemble(expected));
  }
}

describe('without debug information the bytes are those of a compiler that knows of no variables', () => {
  test.each(corpusJobs)('$file $flags', (job) => {
    expectSameWithoutVariables(corpusOptions(job));
  });

  test('random programs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 1000, size: 'max' }), (list) => {
        const { text, options } = growProgram([...list]);
        expectSameWithoutVariables({ source: { name: 'a.hlsl', text }, ...options });
      }),
      { numRuns: 30, seed: Number(process.env['ONESHADER_SEED'] ?? 1) },
    );
  });
});

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
