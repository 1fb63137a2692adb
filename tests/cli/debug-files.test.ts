/** Separate debug files, stripping, joining, line tables and the checker, on the built command. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf, readDebug, stripped } from '../support/debug-records.ts';
import { describeWith, requireTool, testWith, validateSpirv } from '../support/tools.ts';

const program = new URL('../../dist/oneshader.cjs', import.meta.url).pathname;
const shader = `float4 tint;
float luma(float3 c) { float3 w = float3(0.2, 0.7, 0.1); return dot(c, w); }
float4 main(float2 uv : TEXCOORD0) : SV_Target
{
  float y = luma(uv.xyx);
  return tint * y;
}
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneshader-debug-'));
  writeFileSync(join(folder, 'a.hlsl'), shader);
  mkdirSync(join(folder, 'other/place'), { recursive: true });
  writeFileSync(join(folder, 'other/place/a.hlsl'), shader);
  mkdirSync(join(folder, 'symbols'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: string[], cwd = folder): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}
const words = (name: string): Uint32Array => wordsOf(Uint8Array.from(readFileSync(join(folder, name))));
const identifier = (name: string): string => {
  const module = readDebug(words(name));
  const records = module.all('DebugBuildIdentifier');
  expect(records).toHaveLength(1);
  return module.text(records[0]!.operands[0]);
};
const compile = (...args: string[]): void => {
  expect(run(['-T', 'ps_6_0', ...args, 'a.hlsl'])).toEqual({ code: 0, out: '', err: '' });
};

describe('checklist 46: a debug file of its own', () => {
  it.each(['-Od', '-O3'])('the stripped module keeps the identifier and the code, %s', (level) => {
    compile(level, '-Zi', '-Fo', 'whole.spv');
    compile(level, '-Fo', 'plain.spv');
    compile(level, '-Zi', '-Fd', 'debug.spv', '-Fo', 'slim.spv');
    expect(readFileSync(join(folder, 'debug.spv')).equals(readFileSync(join(folder, 'whole.spv')))).toBe(
      true,
    );
    expect(identifier('slim.spv')).toMatch(/^[0-9a-f]{32}$/);
    expect(identifier('slim.spv')).toBe(identifier('debug.spv'));
    expect(readDebug(words('slim.spv')).records).toHaveLength(1);
    expect(stripped(words('slim.spv'))).toBe(stripped(words('plain.spv')));
    expect(run(['--join', 'slim.spv', 'debug.spv', '-Fo', 'joined.spv']).code).toBe(0);
    expect(readFileSync(join(folder, 'joined.spv')).equals(readFileSync(join(folder, 'whole.spv')))).toBe(
      true,
    );
  });

  it('a folder gets the file under the name of the identifier', () => {
    compile('-Zi', '-Fd', 'symbols/', '-Fo', 'slim.spv');
    expect(readdirSync(join(folder, 'symbols'))).toEqual([`${identifier('slim.spv')}.spv`]);
  });

  it('the identifier is that of the code: any folder, any level of debug information, split or not', () => {
    compile('-Zi', '-Fo', 'one.spv');
    compile('-fspv-debug=vulkan', '-Qstrip_debug', '-Fo', 'two.spv');
    compile('-fspv-debug=line-table', '-Fo', 'three.spv');
    run(['-T', 'ps_6_0', '-Zi', '-Fo', '../../four.spv', 'a.hlsl'], join(folder, 'other/place'));
    const all = ['one.spv', 'two.spv', 'three.spv', 'four.spv'].map(identifier);
    expect(new Set(all).size).toBe(1);
    compile('-Zi', '-Od', '-Fo', 'other.spv');
    expect(identifier('other.spv')).not.toBe(all[0]);
  });

  it('the storage path is there when asked for, and never absolute', () => {
    compile('-Zi', '-Fd', 'debug.spv', '--debug-storage-path=symbols/a.spv', '-Fo', 'slim.spv');
    const module = readDebug(words('slim.spv'));
    expect(module.text(module.all('DebugStoragePath')[0]!.operands[0])).toBe('symbols/a.spv');
    expect(run(['-T', 'ps_6_0', '-Zi', '--debug-storage-path=/home/x', 'a.hlsl']).err).toMatch(
      /relative path.*OS9002/,
    );
  });

  it('what does not belong together is not joined', () => {
    compile('-Zi', '-Fo', 'one.spv');
    compile('-Zi', '-Od', '-Qstrip_debug', '-Fo', 'two.spv');
    compile('-Fo', 'three.spv');
    expect(run(['--join', 'two.spv', 'one.spv']).err).toContain('belongs to another module');
    expect(run(['--join', 'three.spv', 'one.spv']).err).toContain('no build identifier');
    expect(run(['--join', 'missing.spv', 'one.spv']).err).toContain("cannot read 'missing.spv'");
  });

  it('-Fd without debug information is an error', () => {
    expect(run(['-T', 'ps_6_0', '-Fd', 'x.spv', 'a.hlsl']).err).toMatch(
      /'-Fd' needs debug information.*OS9002/,
    );
    expect(existsSync(join(folder, 'x.spv'))).toBe(false);
  });

  testWith(['spirv-val'], 'stripped modules and line tables are valid', () => {
    for (const level of ['-Od', '-O3']) {
      compile(level, '-Zi', '-Qstrip_debug', '-Fo', 'slim.spv');
      compile(level, '-fspv-debug=line-table', '-Fo', 'lines.spv');
      for (const name of ['slim.spv', 'lines.spv'])
        expect(validateSpirv(readFileSync(join(folder, name)), ['--target-env', 'vulkan1.2'])).toBe('');
    }
  });
});

describe('-fspv-debug=line-table', () => {
  it('has lines and functions, and neither text, variables, types nor paths', () => {
    const path = join(folder, 'a.hlsl');
    expect(run(['-T', 'ps_6_0', '-Od', '-fspv-debug=line-table', '-Fo', 'lines.spv', path]).code).toBe(0);
    const module = readDebug(words('lines.spv'));
    const names = new Set(module.records.map(({ name }) => name));
    for (const absent of ['LocalVariable', 'GlobalVariable', 'Declare', 'Value', 'TypeBasic', 'LexicalBlock'])
      expect(names).not.toContain(`Debug${absent}`);
    for (const present of ['Line', 'Scope', 'Function', 'FunctionDefinition'])
      expect(names).toContain(`Debug${present}`);
    expect(module.all('DebugSource').map(({ operands }) => operands.length)).toEqual([1]);
    expect(readFileSync(join(folder, 'lines.spv')).includes('oneshader-debug-')).toBe(false);
    expect(run(['--verify-debug', 'lines.spv'])).toMatchObject({ code: 0, err: '' });
  });
});

describe('--verify-debug', () => {
  it('prints figures for a good module and problems for a bad one', () => {
    compile('-Zi', '-Od', '-Fo', 'good.spv');
    const { code, out } = run(['--verify-debug', 'good.spv']);
    expect(code).toBe(0);
    expect(out).toMatch(/^problems: 0\ninstructions with scope: \d+ of \d+ \(100\.0 %\)\n/);
    expect(out).toMatch(/variables with a value, over all steps: \d+ of \d+ \(100\.0 %\)/);
    compile('-Fo', 'plain.spv');
    expect(run(['--verify-debug', 'plain.spv'])).toMatchObject({ code: 1, err: '' });
    writeFileSync(join(folder, 'junk.spv'), 'junk');
    expect(run(['--verify-debug', 'junk.spv']).out).toContain('no SPIR-V module');
  });
});

describeWith(['glslangValidator'], "--verify-debug on another compiler's module", () => {
  it('finds what the peer leaves out', () => {
    const output = join(folder, 'peer.spv');
    const args = [
      '-D',
      '-V',
      '-gVS',
      '-Od',
      '-S',
      'frag',
      '-e',
      'main',
      join(folder, 'a.hlsl'),
      '-o',
      output,
    ];
    expect(spawnSync(requireTool('glslangValidator'), args).status).toBe(0);
    const { code, out } = run(['--verify-debug', 'peer.spv']);
    expect(code).toBe(1);
    expect(out).toMatch(/variables with a value/);
  });
});
