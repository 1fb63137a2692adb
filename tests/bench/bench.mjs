// `npm run bench`: what a compilation costs, by stage and as a whole command. CPU time (user + system, all threads); compare
// ratios of one run, never figures of different runs. Then how large the optimized code is: `npm run bench -- --corpora FOLDER
// --suites FOLDER` compares public shaders with DXC, by a harness (realworld.mjs, reference/dxc-instructions.json) and its shaders.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { codeSize } from './code-size.mjs';
import { benchInput } from './input.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'oneshader-bench-'));
const stages = ['preprocess', 'parse', 'check', 'lower', 'passes', 'emit'];

/** CPU milliseconds of one run of a command: `times` of the shell counts children. */
function commandCpu(command) {
  const out = execFileSync('bash', ['-c', `${command} >/dev/null 2>&1; times`])
    .toString()
    .split('\n')[1];
  return [...out.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000,
    0,
  );
}

/** The least of several runs of each command; they take turns, so that what else the machine does strikes all alike. */
function leastCpu(commands, runs) {
  const least = commands.map(() => Infinity);
  for (let run = 0; run < runs; run++)
    commands.forEach((command, i) => {
      least[i] = Math.min(least[i], commandCpu(command));
    });
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
/** A measuring program in one file; `more` are options of esbuild. */
function bundled(name, more = {}) {
  const outfile = join(folder, `${name}.mjs`);
  buildSync({
    entryPoints: [join(here, `${name}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    ...more,
  });
  return outfile;
}
const phases = bundled('phases');
// V8 optimizes by what has run, so every size compiles as many lines before its warm turns, and as many again in them.
const linesToWarm = 60_000;
const inputs = [200, 2000, 20000].map((lines) => {
  const text = benchInput(lines);
  const file = join(folder, `in${lines}.hlsl`);
  writeFileSync(file, text);
  const count = text.split('\n').length;
  return { file, lines: count, bytes: text.length, turns: Math.round(linesToWarm / count) };
});

const widths = [16, 8, 8, 10, 8, 8, 8, 8, 8, 8, 10, 8];
console.log(
  `CPU ms by stage (debug information with sources; optimizer off unless -O3; warm: mean over ${linesToWarm} lines and ten runs at least, after as many lines)`,
);
row(['input', 'lines', 'KB', ...stages, 'total', 'parse MB/s', 'peak MB'], widths);
const total = (times) => stages.reduce((sum, stage) => sum + times[stage], 0);
const perLine = [];
const parseRates = [];
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
  parseRates.push(bytes / 1000 / rows.warm.parse);
  perLine.push((1000 * total(rows.warm)) / lines);
  optimizerFactors.push(total(rows['warm -O3']) / total(rows.warm));
}
const list = (numbers, digits) => numbers.map((one) => one.toFixed(digits)).join(', ');
const growth = perLine.at(-1) / perLine[0];
console.log(
  `warm cost per line, microseconds: ${list(perLine, 1)}; most to least text: ${growth.toFixed(2)}`,
);
console.log(`with optimizer to without: ${list(optimizerFactors, 2)}`);

console.log(
  '\nMetal text beside SPIR-V, CPU ms for the corpus (one warm process; of each shader the least of 12 turns)',
);
const metal = bundled('metal', {
  // The corpus is found from where this module stands.
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'tests/support/corpus.ts')).href) },
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
const { shaders, rows: metalRows } = JSON.parse(execFileSync(process.execPath, [metal]).toString());
row(['', 'shaders', 'SPIR-V', 'and Metal', 'more', 'and map', 'more'], widths);
const metalShares = metalRows.map(({ debugInfo, spirv, both, map }) => {
  const share = (whole) => (100 * (whole - spirv)) / spirv;
  const cells = [both, map].flatMap((whole) => [whole.toFixed(0), `${share(whole).toFixed(1)} %`]);
  row([debugInfo ? '-Od -Zi' : '-O3', shaders, spirv.toFixed(0), ...cells], widths);
  return share(both);
});

console.log('\nwhole command, CPU ms (least of 40, 15 and 5 runs in turn)');
const empty = join(folder, 'empty.cjs');
writeFileSync(empty, '');
const node = JSON.stringify(process.execPath);
const hasGlslang = spawnSync('glslangValidator', ['--version']).status === 0;
row(['input', 'empty', 'oneshader', 'over', 'glslang'], [16, 8, 10, 8, 8]);
const over = [];
for (const { file, lines } of inputs) {
  const command = `${node} ${join(root, 'dist/oneshader.cjs')} -T ps_6_0 -Od -Zi ${file} -Fo ${file}.spv`;
  commandCpu(command); // makes the code cache
  const glslang = `glslangValidator -D -V -gVS -Od -e main -S frag ${file} -o ${file}.glslang`;
  const [nothing, ours, theirs] = leastCpu(
    [`${node} ${empty}`, command, ...(hasGlslang ? [glslang] : [])],
    // The small one has a budget, and what it costs swings most.
    lines > 10_000 ? 5 : lines > 1000 ? 15 : 40,
  );
  over.push(ours - nothing);
  const figures = [nothing, ours, ours - nothing].map((ms) => ms.toFixed(0));
  row([`${lines} lines`, ...figures, theirs?.toFixed(0) ?? 'missing'], [16, 8, 10, 8, 8]);
}

const sizeBudgets = codeSize(root, folder, row);
rmSync(folder, { recursive: true, force: true });

const budgets = [
  ['warm parse, MB/s, at least', 5, Math.min(...parseRates), (value, limit) => value >= limit],
  ['growth of the warm cost per line, at most', 1.5, growth, (value, limit) => value <= limit],
  [
    'Metal text beside SPIR-V, % more, at most',
    30,
    Math.max(...metalShares),
    (value, limit) => value <= limit,
  ],
  ['optimizer on to off, at most', 3, Math.max(...optimizerFactors), (value, limit) => value <= limit],
  ['command over an empty script, small input, ms, at most', 60, over[0], (value, limit) => value <= limit],
  ...sizeBudgets,
];
console.log('\nbudgets');
for (const [what, limit, value, isMet] of budgets)
  console.log(`${what} ${limit}: ${value.toFixed(2)}, ${isMet(value, limit) ? 'met' : 'not met'}`);
