/** What Metal text costs beside SPIR-V, over the corpus in one warm process; bundled and run by bench.mjs. CPU ms. */
import { compile, type CompileOptions } from '../../src/index.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';

const turns = 12;
const kinds = {
  spirv: { target: 'spirv' },
  both: { targets: ['msl', 'spirv'] },
  map: { targets: ['msl', 'spirv'], metal: { sourceMap: 'x.metal' } },
} as const satisfies Record<string, Partial<CompileOptions>>;
type Kind = keyof typeof kinds;

const jobs = corpusJobs.map((job) => corpusOptions(job));
// Those that Metal refuses would make it look cheap.
const taken = jobs.filter((job) => compile({ ...job, target: 'msl' }).ok);

function cpu(options: CompileOptions): number {
  const before = process.cpuUsage();
  compile(options);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Of each shader the least of all turns, in which the kinds take turns, so that what else the machine does strikes all alike. */
const rows = [false, true].map((debugInfo) => {
  const sums: Record<Kind, number> = { spirv: 0, both: 0, map: 0 };
  const least = taken.map((): Record<Kind, number> => ({ spirv: Infinity, both: Infinity, map: Infinity }));
  for (let turn = 0; turn < turns; turn++)
    taken.forEach((job, i) => {
      for (const kind of Object.keys(kinds) as Kind[]) {
        const ms = cpu({ ...job, ...kinds[kind], debugInfo, optimize: !debugInfo });
        least[i]![kind] = Math.min(least[i]![kind], ms);
      }
    });
  for (const one of least) for (const kind of Object.keys(kinds) as Kind[]) sums[kind] += one[kind];
  return { debugInfo, ...sums };
});
console.log(JSON.stringify({ shaders: taken.length, rows }));
