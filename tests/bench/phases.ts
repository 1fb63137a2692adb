/** Times the stages of one compilation; bundled and run by bench.mjs in a process of its own per input. */
import { readFileSync } from 'node:fs';
import { check } from '../../src/check/check.ts';
import { completeOptions } from '../../src/compile.ts';
import { lower } from '../../src/lower/lower.ts';
import { runPasses } from '../../src/passes/pipeline.ts';
import { preprocess } from '../../src/preprocess/preprocess.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { PositionTable } from '../../src/source/position.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import { emitSpirv } from '../../src/spirv/emit.ts';
import { parse } from '../../src/syntax/parser.ts';

const [file = '', turns = '1'] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');

type Times = Record<string, number>;

function measure<T>(times: Times, stage: string, work: () => T): T {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  times[stage] = (user + system) / 1000;
  return result;
}

function once(optimize: boolean): Times {
  const times: Times = {};
  const options = completeOptions({
    source: { name: file, text },
    profile: 'ps_6_0',
    optimize,
    debugInfo: true,
  });
  const map = new SourceMap();
  const log = new DiagnosticLog(options);
  const { tokens } = measure(times, 'preprocess', () =>
    preprocess({ name: file, text }, { map, log, options, includes: () => undefined }),
  );
  const unit = measure(times, 'parse', () => parse(tokens, map, log));
  const program = measure(times, 'check', () => check(unit, { options, map, log, tokens }));
  const module =
    program &&
    measure(times, 'lower', () => lower(program, { options, map, log, positions: new PositionTable(map) }));
  if (!module) throw new Error(log.diagnostics.map((one) => one.message).join('\n'));
  measure(times, 'passes', () => runPasses(module, options));
  measure(times, 'emit', () => emitSpirv(module, { options, log }));
  return times;
}

const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

/**
 * Means, not medians: what garbage collection costs comes in lumps, and every size of input has to pay its share. The slowest tenth of the
 * runs is left out, for there V8 compiled again or the machine did something else.
 */
function means(runs: readonly Times[]): Times {
  const total = (run: Times) => Object.values(run).reduce((sum, ms) => sum + ms, 0);
  const kept = [...runs].sort((a, b) => total(a) - total(b)).slice(0, Math.floor(runs.length * 0.9));
  const mean = (stage: string) => kept.reduce((sum, run) => sum + run[stage]!, 0) / kept.length;
  return Object.fromEntries(Object.keys(runs[0]!).map((stage) => [stage, mean(stage)]));
}

const cold = once(false);
const coldPeakMb = peakMb();
/** `turns` compilations, ten at least, after as many that only warm up. */
function warm(optimize: boolean): Times {
  for (let i = 0; i < Number(turns); i++) once(optimize);
  return means(Array.from({ length: Math.max(Number(turns), 10) }, () => once(optimize)));
}
const plain = warm(false);
const optimized = warm(true);
console.log(
  JSON.stringify({
    rows: { cold, warm: plain, 'warm -O3': optimized },
    // One compilation in a process, as the command has it; and after all the turns.
    peaks: { cold: coldPeakMb, warm: peakMb(), 'warm -O3': peakMb() },
  }),
);
