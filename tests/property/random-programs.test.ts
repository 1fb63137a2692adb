/**
 * Random programs: what the interpreter makes of the IR as lowered is what it makes of it behind the passes of each level, and what
 * lavapipe makes of the modules with the optimizer off and on. ONESHADER_LONG=1 runs 100,000 of them; ONESHADER_SEED picks others.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { toModule, toSpirv } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { copyBindings, uints, zeros } from '../support/resources.ts';
import { describeWith } from '../support/tools.ts';
import { closeVulkan, runCompute } from '../support/vulkan.ts';
import { growProgram, type Program } from './programs.ts';

const long = process.env['ONESHADER_LONG'] === '1';
const count = (short: number, most: number): number =>
  Number(process.env['ONESHADER_COUNT'] ?? (long ? most : short));
const seed = Number(process.env['ONESHADER_SEED'] ?? 20261130);
const options = { profile: 'cs_6_0', entry: 'main' };
const levels = [1, 2, 3] as const;

const decisions = fc.uint8Array({ minLength: 20, maxLength: 2500, size: 'max' }).map((list) => [...list]);

const bindingsOf = (program: Program) => ({
  '0.0': zeros(program.outputWords),
  '0.1': uints(...program.input),
});

function interpreted(program: Program, level: 0 | 1 | 2 | 3, stage: 'lowered' | 'passed'): number[] {
  const bindings = copyBindings(bindingsOf(program));
  const module = toModule(program.text, { ...options, optimize: level }, stage);
  interpretCompute(module, [program.groups, 1, 1], { bindings, stepBudget: 2_000_000 });
  return words((bindings['0.0'] as { bytes: Uint8Array }).bytes);
}

const words = (bytes: Uint8Array): number[] => [
  ...new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4),
];

async function onDevice(program: Program, level: 0 | 3): Promise<number[]> {
  const spirv = toSpirv(program.text, { ...options, optimize: level });
  const { resources } = await runCompute({
    spirv,
    entry: 'main',
    dispatch: [program.groups, 1, 1],
    bindings: bindingsOf(program),
  });
  return words(resources['0.0']![0]!);
}

describe('random programs', () => {
  test('passes change no result, whatever floats hold', { timeout: 40_000_000 }, () => {
    fc.assert(
      fc.property(decisions, (list) => {
        const program = growProgram(list, true);
        const expected = interpreted(program, 0, 'lowered');
        for (const level of [0, ...levels] as const)
          expect(interpreted(program, level, 'passed'), `-O${level} of\n${program.text}`).toEqual(expected);
      }),
      { numRuns: count(100, 20_000), seed },
    );
  });
});

describeWith(['lavapipe', 'g++'], 'random programs', () => {
  afterAll(closeVulkan);

  test('interpreter and device agree at every level', { timeout: 40_000_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(decisions, async (list) => {
        const program = growProgram(list);
        const expected = interpreted(program, 0, 'lowered');
        for (const level of levels)
          expect(interpreted(program, level, 'passed'), `-O${level} of\n${program.text}`).toEqual(expected);
        expect(await onDevice(program, 0), `device, -Od of\n${program.text}`).toEqual(expected);
        expect(await onDevice(program, 3), `device, -O3 of\n${program.text}`).toEqual(expected);
      }),
      { numRuns: count(150, 100_000), seed },
    );
  });
});
