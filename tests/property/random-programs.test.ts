/**
 * Random programs: what the interpreter makes of the IR as lowered is what it makes of it behind the passes of each level, and what
 * lavapipe makes of the modules, and a CPU of the Metal text, with the optimizer off and on. ONESHADER_COUNT runs another number of them,
 * ONESHADER_SEED others: long runs are slices, one seed and some number each. ONESHADER_LONG=1 runs 100,000, each at every level.
 * ONESHADER_VULKAN_DRIVER, the manifest of a driver, runs them there instead of on lavapipe.
 */
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { describeWith } from '../support/tools.ts';
import { closeVulkan } from '../support/vulkan.ts';
import { decisions, disagreement, metalDisagreement, type Ways } from './agreement.ts';
import { growProgram } from './programs.ts';

const long = process.env['ONESHADER_LONG'] === '1';
const count = (short: number, most: number): number =>
  Number(process.env['ONESHADER_COUNT'] ?? (long ? most : short));
const seed = Number(process.env['ONESHADER_SEED'] ?? 20261130);
const timeout = 40_000_000;
/** Programs whose Metal texts are compiled as one. */
const together = 20;

/** Level 3 always and the others by turns; all of them in long runs. */
const turns: readonly Ways[] = long
  ? [{ interpreted: [0, 1, 2, 3], onDevice: [0, 3] }]
  : [
      { interpreted: [0, 3], onDevice: [0, 3] },
      { interpreted: [1, 3], onDevice: [3] },
      { interpreted: [2, 3], onDevice: [3] },
    ];

async function checkPrograms(wild: boolean, runs: number): Promise<void> {
  const agrees = fc.asyncProperty(decisions, async (list) => {
    const turn = turns[list.length % turns.length]!;
    const different = await disagreement(growProgram(list, wild), wild ? { ...turn, onDevice: [] } : turn);
    if (different) throw new Error(different);
  });
  await fc.assert(agrees, { numRuns: runs, seed });
}

describe('random programs', () => {
  test('passes change no result, whatever floats hold', { timeout }, () =>
    checkPrograms(true, count(200, 20_000)),
  );
});

describeWith(['clang'], 'random programs', () => {
  test('Metal text gives what the interpreter gives', { timeout }, async () => {
    const group = fc.array(decisions, { minLength: together, maxLength: together });
    const agrees = fc.asyncProperty(group, async (lists) => {
      const different = await metalDisagreement(lists.map((list) => growProgram(list)));
      if (different) throw new Error(different);
    });
    await fc.assert(agrees, { numRuns: Math.ceil(count(100, 2000) / together), seed });
  });
});

describeWith(['lavapipe', 'g++'], 'random programs', () => {
  afterAll(closeVulkan);

  test('interpreter and device agree at every level', { timeout }, () =>
    checkPrograms(false, count(1000, 100_000)),
  );
});
