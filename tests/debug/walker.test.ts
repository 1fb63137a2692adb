/**
 * Variables of programs at every level: what the records in the SPIR-V show at a step is what the program without optimizer has, run
 * by the interpreter.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompileOptions } from '../../src/compile.ts';
import type { Instruction } from '../../src/ir/ir.ts';
import { passesAt } from '../../src/passes/pipeline.ts';
import { growProgram } from '../property/programs.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';
import { InterpreterError } from '../support/interpreter/value.ts';
import { type Bindings, uints } from '../support/resources.ts';
import { Existing } from './existing.ts';
import type { Figures } from './walker.ts';
import { type Level, type Walk, walk } from './walking.ts';

/** Levels that run other passes than the next one. */
const levels = ([0, 1, 2, 3] as const).filter(
  (level) => level === 3 || !isSame(passesAt(level), passesAt((level + 1) as Level)),
);

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** Walks by stage and level. */
class Results {
  readonly #walks = new Map<string, Walk[]>();

  add(stage: string, walks: Record<Level, Walk>): void {
    for (const level of levels) {
      const key = `${stage} -O${level}`;
      this.#walks.set(key, [...(this.#walks.get(key) ?? []), walks[level]]);
    }
  }

  /** Prints a line per stage and level, and gives the shares of the values that are shown. */
  report(): Map<string, number> {
    const shares = new Map<string, number>();
    for (const [key, walks] of this.#walks) {
      const total = (of: (one: Figures) => number): number =>
        walks.reduce((sum, { figures }) => sum + of(figures), 0);
      const share = total(({ shown }) => shown) / total(({ scalars }) => scalars);
      shares.set(key, share);
      process.stdout.write(
        `${key}: ${walks.length} programs, ${total(({ steps }) => steps)} steps, availability ` +
          `${(share * 100).toFixed(1)} %, wrong values ${total(({ wrong }) => wrong.length)}\n`,
      );
    }
    return shares;
  }

  get wrong(): string[] {
    return [...this.#walks.values()].flat().flatMap(({ figures }) => figures.wrong);
  }
}

const small = (text: string): CompileOptions => ({
  source: { name: 'test.hlsl', text },
  profile: 'cs_6_0',
  entry: 'main',
});

/** Titles without the columns of the declaration. */
const plainTitles = ({ figures }: Walk): string[] =>
  figures.wrong.map((title) => title.replace(/@test\.hlsl:\d+:\d+/, ''));

/** Sums over programs, by stage. */
class ExistingShares {
  readonly #sums = new Map<string, { shown: number; missed: number }>();

  add(stage: string, existing: Existing): void {
    const sum = this.#sums.get(stage) ?? { shown: 0, missed: 0 };
    const { shown, missed } = existing.count();
    this.#sums.set(stage, { shown: sum.shown + shown, missed: sum.missed + missed });
  }

  /** Prints a line per stage, and gives the shares. */
  report(): Map<string, number> {
    return new Map(
      [...this.#sums].map(([stage, { shown, missed }]) => {
        const share = shown / (shown + missed);
        process.stdout.write(
          `${stage} -O3: of the values that the program has ${(share * 100).toFixed(1)} %\n`,
        );
        return [stage, share];
      }),
    );
  }
}

/** What a program reads, filled with other numbers: small ones or any. */
function otherContents(bindings: Bindings, number: number): Bindings {
  let state = number;
  for (const key of ['0.1', '0.2', '0.3', '0.5']) {
    const resource = bindings[key];
    if (!resource || !('bytes' in resource)) continue;
    const { bytes } = resource;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      view.setUint32(at, number % 2 ? (state >>> 16) & 255 : state, true);
    }
  }
  return bindings;
}

describe('variables', () => {
  test('corpus: no wrong value, all available without optimizer and 95 % with it, 90 % where matrices are moved', {
    timeout: 300_000,
  }, () => {
    const results = new Results();
    const differences: string[] = [];
    const existing = new ExistingShares();
    for (const job of corpusJobs) {
      const [, stage] = /-T (cs|ps|vs)_/.exec(job.flags) ?? [];
      if (!stage) continue;
      try {
        const values = new Existing();
        const walks = walk(corpusOptions(job), levels, { existing: values });
        existing.add(stage, values);
        results.add(stage, walks);
        for (const level of levels)
          differences.push(
            ...walks[level].differences.map((one) => `${job.file} ${job.flags} -O${level}: ${one}`),
          );
      } catch (error) {
        if (error instanceof InterpreterError) error.message += ` (${job.file} ${job.flags})`;
        throw error;
      }
    }
    const shares = results.report();
    expect(results.wrong).toEqual([]);
    expect(differences).toEqual([]);
    // A matrix that is there as a whole only counts as lost: readers would show it with rows and columns exchanged.
    const least = (key: string): number => (key.endsWith('-O0') ? 0.999 : key.startsWith('vs') ? 0.9 : 0.95);
    for (const [key, share] of shares) expect(share, key).toBeGreaterThan(least(key));
    for (const [stage, share] of existing.report()) expect(share, stage).toBeGreaterThan(0.94);
  });

  const oneWay = small(`RWStructuredBuffer<uint> o;
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
}`);
  const oneWayBindings = (): Bindings => ({ '0.0': uints(3, 5, 9, 0, 0, 0) });

  test('a part that an arm which returned had changed: the record behind stands for no store', () => {
    const { figures } = walk(oneWay, [3], { bindings: oneWayBindings })[3];
    expect(figures.wrong).toEqual([]);
    expect(figures.shown).toBe(figures.scalars);
  });

  test('a value that stays behind its store is found', () => {
    const isStore = ({ op, indices, operands }: Instruction): boolean =>
      op === 'debug_value' &&
      indices?.join() === '0' &&
      operands[0]!.kind === 'result' &&
      operands[0]!.instruction.op === 'add';
    const result = walk(oneWay, [3], {
      bindings: oneWayBindings,
      spoil: (module) => {
        const { body } = module.functions[0]!;
        body.instructions = body.instructions.filter((instruction) => !isStore(instruction));
      },
    });
    expect(plainTitles(result[3])).toEqual(
      [12, 13].map((line) => `test.hlsl:${line} : p part 0 is 8, shown 3`),
    );
  });

  test('each turn of a loop begins with what its variables hold', () => {
    const turns = small(`RWStructuredBuffer<uint> o;
[numthreads(1, 1, 1)] void main() {
  uint h = o[0];
  uint last = 0;
  do
  {
    o[h] = h * 3;
    last = o[h + 1];
    h >>= 1;
  } while (h > 1);
  o[7] = last;
}`);
    const { figures } = walk(turns, [3], {
      bindings: () => ({ '0.0': uints(16, ...new Array(20).fill(5)) }),
    })[3];
    expect(figures.wrong).toEqual([]);
    expect(figures.steps).toBeGreaterThan(20);
  });

  test.each([
    ['a store that nothing needs, in an arm without code', '  if (o[0] > 3) x = 7;\n  o[2] = 5;'],
    [
      'a store that nothing needs, in front of an if that shares its condition',
      '  if (o[0] > 3) {\n    x = 7;\n    if (id.y < 4) \n      o[2] = 5;\n  }',
    ],
  ])('%s', (_, code) => {
    const text = small(`RWStructuredBuffer<uint> o;
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  uint x = 0;
${code}
  o[4] = id.x;
}`);
    const { figures } = walk(text, [3], { bindings: () => ({ '0.0': uints(9, 0, 0, 0, 0) }) })[3];
    expect(figures.wrong).toEqual([]);
    expect(figures.steps).toBeGreaterThan(2);
  });

  test('random programs: no wrong value', { timeout: 300_000 }, () => {
    const results = new Results();
    const existing = new ExistingShares();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 2500, size: 'max' }), (list) => {
        const { text, options, bindings } = growProgram([...list], true);
        const program = { ...small(text), ...options };
        const values = new Existing();
        const walks = walk(program, levels, { bindings, existing: values });
        results.add('random', walks);
        for (const number of [1, 2]) {
          const other = { bindings: () => otherContents(bindings(), number), existing: values };
          expect(walk(program, [3], other)[3].figures.wrong, text).toEqual([]);
        }
        existing.add('random', values);
        for (const level of levels) {
          expect(walks[level].figures.wrong, text).toEqual([]);
          expect(walks[level].differences, text).toEqual([]);
        }
      }),
      { numRuns: Number(process.env['ONESHADER_COUNT'] ?? 60), seed: 20261130, endOnFailure: true },
    );
    const [missed] = existing.report().values();
    // Some of what they compute and load nothing needs, so its values are gone.
    const share = results.report().get(`random -O${levels.at(-1)}`);
    if (process.env['ONESHADER_COUNT']) return;
    expect(share).toBeGreaterThan(0.85);
    // One program has little else than a matrix whose equal rows are there before it is transposed.
    expect(missed).toBeGreaterThan(0.7);
  });
});
