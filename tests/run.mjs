// `npm test`: installs the tools that the tests need (Debian packages, when this runs as root), runs every test, and closes
// with one line `N passed, N failed, N skipped`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Package -> what it brings. */
const packages = {
  'spirv-tools': 'spirv-val',
  'glslang-tools': 'glslangValidator, the peer of the benchmark',
  'g++': 'builds the Vulkan runner',
  'libvulkan-dev': 'headers of the Vulkan runner',
  'mesa-vulkan-drivers': 'lavapipe, the Vulkan device',
  clang: 'checks generated C headers',
  renderdoc: 'steps shaders',
  renderdoccmd: 'steps shaders',
  librenderdoc: 'captures frames',
  'python3-renderdoc': 'scripts RenderDoc',
};

function installed(name) {
  return spawnSync('dpkg', ['-s', name], { stdio: 'ignore' }).status === 0;
}

function installTools() {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get'], { stdio: 'ignore' }).status !== 0) return;
  const missing = Object.keys(packages).filter((name) => !installed(name));
  if (missing.length === 0) return;
  console.log(`installing ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], {
      stdio: 'ignore',
      env,
    });
  } catch (error) {
    console.log(`apt-get failed: ${error.message}`);
  }
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'oneshader-tests-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [
    vitest,
    'run',
    '--config',
    'tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  let counts = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
  let skipped = [];
  try {
    const json = JSON.parse(readFileSync(report, 'utf8'));
    counts = json;
    skipped = json.testResults.flatMap((file) =>
      file.assertionResults.filter((one) => one.status === 'pending' || one.status === 'skipped'),
    );
  } catch {
    console.log('vitest wrote no report');
  }
  rmSync(folder, { recursive: true, force: true });
  for (const one of skipped) console.log(`skipped: ${one.fullName}`);
  // A file that fails to load has no tests of its own to count.
  const failed = Math.max(counts.numFailedTests, status === 0 ? 0 : 1);
  console.log(`${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests} skipped`);
  return failed > 0 || counts.numPassedTests === 0 ? 1 : 0;
}

installTools();
process.exitCode = runTests();
