/** Variables of optimized programs: what the records show is what the program without optimizer has. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompileOptions } from '../../src/compile.ts';
import type { Instruction, Module } from '../../src/ir/ir.ts';
import { isDebug } from '../../src/ir/uses.ts';
import { walkModule } from '../../src/ir/walk.ts';
import { repeatDebugValues } from '../../src/spirv/legalize/repeat-debug-values.ts';
import { growProgram } from '../property/programs.ts';
import { lowered } from '../support/compile.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { InterpreterError } from '../support/interpreter/value.ts';
import { type Bindings, uints, zeros } from '../support/resources.ts';
import { type Figures, recorder, walker } from './walker.ts';
import { bindingsFor } from './inputs.ts';

/** Steps the program at a level beside the program without optimizer. */
function walk(
  options: CompileOptions,
  level: 1 | 2 | 3,
  bindings: (module: Module) => Bindings,
  spoil: (module: Module) => void = () => {},
): Figures {
  const plain = lowered({ ...options, optimize: 0 }, 'passed');
  const { watch, recording } = recorder(plain);
  interpretCompute(plain, [1, 1, 1], { bindings: bindings(plain), watch, stepBudget: 3_000_000 });
  const module = lowered({ ...options, optimize: level }, 'passed');
  spoil(module);
  const original = new Set<Instruction>();
  walkModule(module, (instruction) => {
    if (isDebug(instruction)) original.add(instruction);
  });
  repeatDebugValues(module);
  const walking = walker(module, original, recording);
  interpretCompute(module, [1, 1, 1], {
    bindings: bindings(module),
    watch: walking.watch,
    stepBudget: 3_000_000,
  });
  walking.finish();
  return walking.figures;
}

const sum = (all: readonly Figures[]): { availability: number; wrong: string[]; steps: number } => {
  const total = (of: (one: Figures) => number): number => all.reduce((count, one) => count + of(one), 0);
  return {
    availability: total(({ shown }) => shown) / total(({ scalars }) => scalars),
    wrong: all.flatMap(({ wrong }) => wrong),
    steps: total(({ steps }) => steps),
  };
};
const report = (title: string, all: readonly Figures[]): void => {
  const { availability, wrong, steps } = sum(all);
  process.stdout.write(
    `${title}: ${steps} steps, availability ${(availability * 100).toFixed(1)} %, wrong values ${wrong.length}\n`,
  );
};

describe('variables of optimized programs', () => {
  test('corpus, compute shaders: no wrong value, nine of ten available', { timeout: 300_000 }, () => {
    const all: Figures[] = [];
    const failed: string[] = [];
    for (const job of corpusJobs) {
      if (!job.flags.includes('cs_6')) continue;
      let figures: Figures;
      try {
        figures = walk(corpusOptions(job), 3, bindingsFor);
      } catch (error) {
        // The made-up inputs suit no every shader; those that do not end or ask for other formats are counted.
        if (!(error instanceof InterpreterError)) throw error;
        failed.push(`${job.file} ${job.flags}: ${error.message}`);
        continue;
      }
      if (process.env['WALK']) report(`${job.file} ${job.flags}`, [figures]);
      if (process.env['WALK']) console.log(figures.wrong.slice(0, 3).join('\n'));
      all.push(figures);
    }
    report('corpus', all);
    expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(6);
    expect(sum(all).wrong).toEqual([]);
    expect(sum(all).availability).toBeGreaterThan(0.9);
  });

  const oneWay = `RWStructuredBuffer<uint> o;
struct P { uint a; uint b; uint c; };
[numthreads(1, 1, 1)] void main() {
  P p = { o[0], o[1], o[2] };
  if (p.a > p.b + 1000000) {
    p.c = 7;
    o[4] = p.c;
    return;
  }
  p.a += p.b;
  uint sum = p.a * p.c;
  o[5] = sum;
}`;
  const oneWayOptions: CompileOptions = { source: { name: 'test.hlsl', text: oneWay }, profile: 'cs_6_0' };
  const oneWayBindings = (): Bindings => ({ '0.0': uints(3, 5, 9, 0, 0, 0) });

  test('a part that an arm which returned had changed: the record behind stands for no store', () => {
    const { wrong, shown, scalars } = walk(oneWayOptions, 3, oneWayBindings);
    expect(wrong).toEqual([]);
    expect(shown).toBe(scalars);
  });

  test('a value that stays behind its store is found', () => {
    const isStore = ({ op, indices, operands }: Instruction): boolean =>
      op === 'debug_value' &&
      indices?.join() === '0' &&
      operands[0]!.kind === 'result' &&
      operands[0]!.instruction.op === 'add';
    const { wrong } = walk(oneWayOptions, 3, oneWayBindings, (module) => {
      const { body } = module.functions[0]!;
      body.instructions = body.instructions.filter((instruction) => !isStore(instruction));
    });
    expect(wrong.map((one) => one.replace(/@\d+ in \d+/, ''))).toEqual(
      [12, 13].map((line) => `test.hlsl:${line} : p part 0 is 8, shown 3`),
    );
  });

  test('random programs: no wrong value', { timeout: 300_000 }, () => {
    const all: Figures[] = [];
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 2500, size: 'max' }), (list) => {
        const program = growProgram([...list], true);
        const bindings = () => ({ '0.0': zeros(program.outputWords), '0.1': uints(...program.input) });
        const options = { source: { name: 'test.hlsl', text: program.text }, profile: 'cs_6_0' };
        const figures = walk(options, 3, bindings);
        all.push(figures);
        if (process.env['WALK'] && figures.wrong.length > 0)
          console.log(
            program.text
              .split('\n')
              .map((l, i) => `${i + 1} ${l}`)
              .join('\n'),
          );
        expect(figures.wrong, program.text).toEqual([]);
      }),
      { numRuns: Number(process.env['ONESHADER_COUNT'] ?? 60), seed: 20261130, endOnFailure: true },
    );
    report('random programs', all);
  });
});
