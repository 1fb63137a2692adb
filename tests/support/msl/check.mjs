// node check.mjs FILE...: type-checks Metal texts with clang and our own metal_stdlib; one process for many files. Prints what is wrong.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findClang, lint, prepare, syntax } from './shim/msl.mjs';

const files = process.argv.slice(2);
const clang = findClang();
const folder = mkdtempSync(join(tmpdir(), 'oneshader-msl-'));
try {
  const prepared = files.map((file) => {
    const text = readFileSync(file, 'utf8');
    for (const { sev, msg } of lint(text, basename(file)).diags) if (sev === 'error') console.log(msg);
    const target = join(folder, basename(file));
    writeFileSync(target, `#line 1 "${basename(file)}"\n${prepare(text)}`);
    return target;
  });
  for (let i = 0; i < prepared.length; i += 30) {
    const batch = prepared.slice(i, i + 30);
    const { stderr, status } = syntax(batch, { clang, extra: ['-fno-color-diagnostics'] });
    if (status !== 0) console.log(stderr.trim());
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
