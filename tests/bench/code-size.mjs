// Executable SPIR-V instructions: of the project's corpus, and of public shaders beside DXC's if a harness for them is at hand.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';

const { values } = parseArgs({ options: { corpora: { type: 'string' }, suites: { type: 'string' } } });

/** How much longer than DXC's a single module may be. */
const mostOfDxc = 1.3;
/** Why some are longer than that. */
const reasons = [
  {
    jobs: /ffx_fsr2_lock_pass/,
    reason:
      'both nested [unroll] loops are written out, as the source asks: the code of 8 texels, which is more than DXC has in all',
  },
  {
    jobs: /vulkanscene_logo\.frag/,
    reason:
      'x * 0 is computed: it is NaN for infinities, and -O3 must give what -Od gives; DXC seems to take it for 0',
  },
];

/** Prints what modules take, and gives budgets, as bench.mjs judges them, for what can be compared. */
export function codeSize(root, folder, row) {
  // Beside this file, from where it finds the corpus and packages.
  const counter = join(root, 'tests/bench/code-size.bundle.mjs');
  buildSync({
    entryPoints: [join(root, 'tests/bench/code-size.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: counter,
    logLevel: 'error',
  });
  const count = (...args) =>
    JSON.parse(execFileSync(process.execPath, [counter, ...args], { maxBuffer: 1 << 24 }).toString());
  try {
    const { jobs, off, full } = count();
    console.log("\nexecutable instructions of the project's corpus");
    row(['', 'jobs', '-Od', '-O3', 'of -Od'], [16, 8, 10, 10, 8]);
    row(['corpus', jobs, off, full, (full / off).toFixed(2)], [16, 8, 10, 10, 8]);
    return values.corpora && values.suites ? compareWithDxc(root, folder, row, count) : [];
  } finally {
    rmSync(counter, { force: true });
  }
}

function compareWithDxc(root, folder, row, count) {
  const modules = join(folder, 'modules');
  mkdirSync(modules);
  const compiler = `${process.execPath} ${join(root, 'dist/oneshader.cjs')} {all} -Fo {out} {in}`;
  const harness = join(values.corpora, 'realworld.mjs');
  execFileSync(
    process.execPath,
    [harness, '--suites', values.suites, '--compiler', compiler, '--keep', modules],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const { modules: theirs } = JSON.parse(
    readFileSync(join(values.corpora, 'reference/dxc-instructions.json'), 'utf8'),
  );
  const projects = new Map();
  const longer = [];
  for (const [name, ours] of Object.entries(count(modules))) {
    if (!theirs[name]) continue;
    const project = name.slice(0, name.indexOf('_'));
    const sums = projects.get(project) ?? { jobs: 0, ours: 0, dxc: 0, larger: 0 };
    projects.set(project, sums);
    const [dxc] = theirs[name];
    sums.jobs++;
    sums.ours += ours;
    sums.dxc += dxc;
    if (ours > mostOfDxc * dxc) {
      sums.larger++;
      longer.push({ name, ours, dxc });
    }
  }
  const widths = [16, 8, 10, 10, 8, 12];
  console.log('\nexecutable instructions of public shaders, beside DXC');
  row(['project', 'jobs', 'oneshader', 'dxc', 'of dxc', `over ${mostOfDxc}`], widths);
  for (const [project, { jobs, ours, dxc, larger }] of projects)
    row([project, jobs, ours, dxc, (ours / dxc).toFixed(2), larger], widths);
  const unexplained = explain(longer, row);
  const shares = [...projects.values()].map(({ ours, dxc }) => ours / dxc);
  const isAtMost = (value, limit) => value <= limit;
  return [
    ['instructions of a project beside those of DXC, at most', 1, Math.max(...shares), isAtMost],
    [`modules over ${mostOfDxc} of DXC without a reason, at most`, 0, unexplained, isAtMost],
  ];
}

/** Prints each module that is longer than it may be with the reason, and gives how many have none. */
function explain(longer, row) {
  const reasonFor = (name) => reasons.find(({ jobs }) => jobs.test(name))?.reason;
  console.log(`\nmodules over ${mostOfDxc} of DXC`);
  for (const { name, ours, dxc } of longer.sort((a, b) => b.ours / b.dxc - a.ours / a.dxc)) {
    row([(ours / dxc).toFixed(2), `${ours}/${dxc}`], [6, 10]);
    console.log(`  ${name}\n    ${reasonFor(name) ?? 'no reason is known'}`);
  }
  for (const { jobs, reason } of reasons)
    if (!longer.some(({ name }) => jobs.test(name))) console.log(`no module needs the reason '${reason}'`);
  return longer.filter(({ name }) => !reasonFor(name)).length;
}
