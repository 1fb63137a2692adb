/** What random programs give in each way, and where ways differ. */
import fc from 'fast-check';
import type { Module } from '../../src/ir/ir.ts';
import { spirvOf, toModule } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { runMetalTogether } from '../support/metal-runner.ts';
import type { BufferResource } from '../support/resources.ts';
import { runCompute } from '../support/vulkan.ts';
import type { Program } from './programs.ts';

export const levels = [0, 1, 2, 3] as const;
export type Level = (typeof levels)[number];

/** What programs are grown from; failures shrink. */
export const decisions = fc
  .uint8Array({ minLength: 20, maxLength: 1000, size: 'max' })
  .map((list) => [...list]);

/** The ways in which a program runs besides the interpreter on the IR as lowered. */
export interface Ways {
  /** Interpreted behind the passes. */
  interpreted: readonly Level[];
  /** Run on the Vulkan device; of the levels that are interpreted. */
  onDevice: readonly Level[];
}

const words = (bytes: Uint8Array): string =>
  [...new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)].join(' ');

/** The words that the interpreter writes. */
export function interpret(module: Module, { bindings, groups, output }: Program): string {
  const used = bindings();
  interpretCompute(module, [groups, 1, 1], { bindings: used, stepBudget: 2_000_000 });
  return words((used[output] as BufferResource).bytes);
}

export async function runOnDevice(spirv: Uint8Array, program: Program): Promise<string> {
  const { resources } = await runCompute({
    spirv,
    entry: 'main',
    dispatch: [program.groups, 1, 1],
    bindings: program.bindings(),
  });
  return words(resources[program.output]![0]!);
}

/**
 * Which programs give something else as Metal text on the CPU than in the interpreter, and what; with the optimizer off and on, threads of
 * a group in three orders. All texts are compiled together.
 */
export async function metalDisagreement(programs: readonly Program[]): Promise<string | undefined> {
  const runs = programs.flatMap((program) => metalLevels.map((optimize) => ({ program, optimize })));
  const results = await runMetalTogether(
    runs.map(({ program, optimize }) => ({
      text: program.text,
      options: { ...program.options, optimize },
      dispatch: [program.groups, 1, 1],
      bindings: program.bindings(),
    })),
    [undefined, 1, 2],
  );
  for (const program of programs) {
    const wanted = interpret(toModule(program.text, { ...program.options, optimize: 0 }), program);
    for (const [i, { optimize, program: own }] of runs.entries()) {
      const result = results[i]!;
      if (own !== program) continue;
      const all = 'codes' in result ? [result.codes] : result.map((one) => words(one[program.output]![0]!));
      const other = all.find((got) => got !== wanted);
      if (other !== undefined)
        return `the Metal text, -O${optimize}, gives\n${other}\nnot\n${wanted}\nfor\n${program.text}`;
    }
  }
  return undefined;
}

const metalLevels = [0, 3] as const;

/** Which way gives something else than the IR as lowered, and what; undefined if all agree. */
export async function disagreement(program: Program, ways: Ways): Promise<string | undefined> {
  const { text, options } = program;
  const wanted = interpret(toModule(text, { ...options, optimize: 0 }), program);
  const compared = (way: string, got: string): string | undefined =>
    got === wanted ? undefined : `${way} gives\n${got}\nnot\n${wanted}\nfor\n${text}`;
  for (const optimize of ways.interpreted) {
    const own = { ...options, optimize };
    const module = toModule(text, own, 'passed');
    const different = compared(`the interpreter, -O${optimize},`, interpret(module, program));
    if (different) return different;
    if (!ways.onDevice.includes(optimize)) continue;
    const onDevice = compared(`the device, -O${optimize},`, await runOnDevice(spirvOf(module, own), program));
    if (onDevice) return onDevice;
  }
  return undefined;
}
