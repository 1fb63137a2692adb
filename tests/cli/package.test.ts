/** The package as npm gives it to users, and the library in a browser. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneshader-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('package', () => {
  it('works installed in an empty folder: command, library and types', async () => {
    // A copy is packed, so that its build does not disturb tests that run the built command meanwhile.
    const copy = join(folder, 'copy');
    await execa('git', ['clone', '-q', root, copy]);
    await execa('ln', ['-s', join(root, 'node_modules'), join(copy, 'node_modules')]);
    const { stdout } = await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy });
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{ "type": "module" }');
    await execa(
      'npm',
      ['install', '--no-audit', '--no-fund', join(folder, stdout.trim().split('\n').pop()!)],
      { cwd: empty },
    );
    writeFileSync(join(empty, 'a.hlsl'), 'float4 main() : SV_Target { return 1; }\n');
    await execa('npx', ['oneshader', '-T', 'ps_6_0', '-Zi', '-Od', 'a.hlsl', '-Fo', 'a.spv'], { cwd: empty });
    expect(readFileSync(join(empty, 'a.spv')).readUInt32LE(0)).toBe(0x07230203);
    writeFileSync(
      join(empty, 'use.ts'),
      `import { compile, type CompileResult } from 'oneshader';
const result: CompileResult = compile({ source: { name: 'b.hlsl', text: '#include "x"\\nfloat4 main() : SV_Target { return X; }' }, profile: 'ps_6_0', includes: { x: '#define X 2' } });
const size: number = result.spirv?.length ?? 0;
export { size };
`,
    );
    writeFileSync(
      join(empty, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] },
        files: ['use.ts'],
      }),
    );
    const types = await execa('node', [join(root, 'node_modules/typescript/bin/tsc'), '-p', empty], {
      reject: false,
    });
    expect(types.stdout).toBe('');
    writeFileSync(
      join(empty, 'use.mjs'),
      "import { compile } from 'oneshader';\nconst r = compile({ source: { name: 'b.hlsl', text: 'float4 main() : SV_Target { return 1; }' }, profile: 'ps_6_0' });\nconsole.log(r.ok, r.spirv.length > 100);\n",
    );
    expect((await execa('node', ['use.mjs'], { cwd: empty })).stdout).toBe('true true');
  });

  it('compiles a shader in a browser, where there is no Node API', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "import { compile } from './src/index.ts'; globalThis.compile = compile;",
        resolveDir: root,
      },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      write: false,
      logLevel: 'error',
    });
    const context: { compile?: (options: object) => { ok: boolean; spirv: Uint8Array } } = {};
    runInNewContext(outputFiles[0]!.text, context);
    const result = context.compile!({
      source: { name: 'x.hlsl', text: 'float4 main() : SV_Target { return 1; }' },
      profile: 'ps_6_0',
      debugInfo: true,
    });
    expect(result.ok).toBe(true);
    expect([...result.spirv.slice(0, 4)]).toEqual([3, 2, 0x23, 7]);
  });
});
