/** Metal texts for tests: made, type-checked with clang and our own `metal_stdlib`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, type CompileOptions, type CompileResult } from '../../src/index.ts';

const checker = new URL('msl/check.mjs', import.meta.url).pathname;

/** What is wrong with texts by name; empty if nothing is. */
export function checkMsl(texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'oneshader-msl-test-'));
  try {
    const files = Object.entries(texts).map(([name, text]) => {
      const file = join(folder, `${name.replace(/\W+/g, '_')}.metal`);
      writeFileSync(file, text);
      return file;
    });
    return execFileSync(process.execPath, [checker, ...files], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }).trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles for Metal. */
export function toMsl(
  text: string,
  profile: string,
  options: Omit<CompileOptions, 'source' | 'profile' | 'target'> = {},
): CompileResult {
  return compile({
    source: { name: 'test.hlsl', text },
    profile,
    target: 'msl',
    ...options,
    metal: { layoutAsserts: true, ...options.metal },
  });
}
