// `npm run bench`: what a compilation costs, by stage and as a whole command. CPU time (user + system, all threads); compare
// ratios of one run, never figures of different runs.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { benchInput } from './input.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'oneshader-bench-'));
const stages = ['preprocess', 'parse', 'check', 'lower', 'passes', 'emit'];

/** CPU milliseconds of a command, the least of several runs: `times` of the shell counts children. */
function commandCpu(command, runs = 7) {
  let least = Infinity;
  for (let i = 0; i < runs; i++) {
    const out = execFileSync('bash', ['-c', `${command} >/dev/null 2>&1; times`])
      .toString()
      .split('\n')[1];
    const ms = [...out.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000,
      0,
    );
    least = Math.min(least, ms);
  }
  return least;
}

function row(cells, widths) {
  console.log(
    cells
      .map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i])))
      .join('  '),
  );
}

execFileSync(process.execPath, [join(root, 'src/build/build.mjs'), '--no-types'], { stdio: 'inherit' });
const phases = join(folder, 'phases.mjs');
buildSync({
  entryPoints: [join(here, 'phases.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: phases,
  logLevel: 'error',
});
// V8 goes on optimizing for hundreds of turns of a small input; its median is warm only when most turns come after that.
const turnsFor = (lines) => (lines >= 20000 ? 5 : lines >= 2000 ? 25 : 400);
const inputs = [200, 2000, 20000].map((lines) => {
  const text = benchInput(lines);
  const file = join(folder, `in${lines}.hlsl`);
  writeFileSync(file, text);
  return { file, lines: text.split('\n').length, bytes: text.length, turns: turnsFor(lines) };
});

const widths = [16, 8, 8, 10, 8, 8, 8, 8, 8, 8, 10, 8];
console.log(
  'CPU ms by stage (debug information with sources; optimizer off unless -O3; warm: median of 400, 25 and 5 further turns)',
);
row(['input', 'lines', 'KB', ...stages, 'total', 'parse MB/s', 'peak MB'], widths);
const total = (times) => stages.reduce((sum, stage) => sum + times[stage], 0);
const perLine = [];
const optimizerFactors = [];
for (const { file, lines, bytes, turns } of inputs) {
  const { rows, peaks } = JSON.parse(
    execFileSync(process.execPath, [phases, file, String(turns)], { maxBuffer: 1 << 24 }).toString(),
  );
  for (const [kind, times] of Object.entries(rows)) {
    const rate = bytes / 1000 / times.parse;
    row(
      [
        kind,
        lines,
        (bytes / 1024).toFixed(0),
        ...stages.map((s) => times[s].toFixed(2)),
        total(times).toFixed(1),
        rate.toFixed(1),
        peaks[kind].toFixed(0),
      ],
      widths,
    );
  }
  perLine.push((1000 * total(rows.warm)) / lines);
  optimizerFactors.push(total(rows['warm -O3']) / total(rows.warm));
}
const list = (numbers, digits) => numbers.map((one) => one.toFixed(digits)).join(', ');
console.log(
  `warm cost per line, microseconds: ${list(perLine, 1)}; most to least text: ${(perLine.at(-1) / perLine[0]).toFixed(2)}`,
);
console.log(`with optimizer to without: ${list(optimizerFactors, 2)}`);

console.log('\nwhole command, CPU ms (least of 7)');
const empty = join(folder, 'empty.cjs');
writeFileSync(empty, '');
const node = JSON.stringify(process.execPath);
const emptyCpu = commandCpu(`${node} ${empty}`);
const hasGlslang = spawnSync('glslangValidator', ['--version']).status === 0;
row(['input', 'empty', 'oneshader', 'over', 'glslang'], [16, 8, 10, 8, 8]);
for (const { file, lines } of inputs) {
  const command = `${node} ${join(root, 'dist/oneshader.cjs')} -T ps_6_0 -Od -Zi ${file} -Fo ${file}.spv`;
  commandCpu(command, 2); // makes the code cache
  const ours = commandCpu(command);
  const theirs = hasGlslang
    ? commandCpu(`glslangValidator -D -V -gVS -Od -e main -S frag ${file} -o ${file}.glslang`)
    : undefined;
  row(
    [
      `${lines} lines`,
      emptyCpu.toFixed(0),
      ours.toFixed(0),
      (ours - emptyCpu).toFixed(0),
      theirs === undefined ? 'missing' : theirs.toFixed(0),
    ],
    [16, 8, 10, 8, 8],
  );
}
rmSync(folder, { recursive: true, force: true });
