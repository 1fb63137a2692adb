/** `--batch` as the MSBuild package calls it: what is compiled again, what is left behind, and what is said. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readJobs } from '../../src/cli/batch/jobs.ts';
import type { Unit } from '../../src/cli/batch/unit.ts';
import { threadCount } from '../../src/cli/batch/worker.ts';
import { withoutBytes } from '../support/csharp.ts';

const dist = new URL('../../dist', import.meta.url).pathname;
let base = '';
let folder = '';
let count = 0;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'oneshader-batch-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeEach(() => {
  folder = join(base, String(count++));
  mkdirSync(folder);
});

const path = (name: string): string => join(folder, name);
function write(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
}
const read = (name: string): string => readFileSync(path(name), 'utf8');
const csharp = (): string => read('obj/Shaders.g.cs');
const blobs = (): string[] => readdirSync(path('obj/blobs')).sort();

type Fields = Record<string, unknown>;
/** Writes a job list. */
function jobs(shaders: Fields[], more: Fields = {}): void {
  const list = {
    version: 1,
    root: folder,
    cache: 'obj',
    csharp: { file: 'obj/Shaders.g.cs', targetFramework: 'net10.0', rootNamespace: 'Game' },
    shaders,
    ...more,
  };
  write('obj/jobs.json', JSON.stringify(list));
}

interface Outcome {
  code: number | undefined;
  /** What was compiled. */
  compiled: string[];
  err: string;
}
async function batch(program = dist, style = 'msbuild'): Promise<Outcome> {
  const args = [join(program, 'oneshader.cjs'), '--batch', path('obj/jobs.json'), `--diagnostics=${style}`];
  // Not run from the project's folder: nothing may depend on that.
  const result = await execa(process.execPath, args, { cwd: base, reject: false });
  return {
    code: result.exitCode,
    compiled: result.stdout === '' ? [] : result.stdout.split('\n').sort(),
    err: result.stderr,
  };
}
const done = (...compiled: string[]): Outcome => ({ code: 0, compiled, err: '' });

const color = (value: string): string => `float4 main() : SV_Target { return ${value}; }\n`;

/** Two shaders, one with an include. */
function project(): void {
  write('Shaders/a.ps.hlsl', color('1'));
  write('Shaders/b.ps.hlsl', `#include "lib.hlsli"\n${color('X')}`);
  write('lib/lib.hlsli', '#define X 2\n');
  jobs([{ file: 'Shaders/a.ps.hlsl' }, { file: 'Shaders/b.ps.hlsl', includeDirs: ['first', 'lib'] }]);
}

describe('what is compiled', () => {
  it('takes entry and stage from the job, from the name of the file, or from attributes', async () => {
    write('given.hlsl', 'float4 P() : SV_Target { return 1; }');
    write('named.vs.hlsl', 'float4 main() : SV_Position { return 1; }');
    write('model.cs.hlsl', '[numthreads(4, 2, 1)] void main() { if (WaveIsFirstLane()) return; }');
    write(
      'marked.hlsl',
      '#include "other.hlsli"\n[shader("pixel")] float4 P() : SV_Target { return 1; }\n' +
        '[shader("compute")] [numthreads(8, 1, 1)] void C() {}\nvoid helper() {}\n',
    );
    write('other.hlsli', '[shader("vertex")] float4 V() : SV_Position { return 1; }\n');
    jobs([
      { file: 'given.hlsl', entryPoint: 'P', profile: 'ps_6_0' },
      { file: 'named.vs.hlsl' },
      { file: 'model.cs.hlsl', profile: '6_6' },
      { file: 'marked.hlsl' },
    ]);
    expect(await batch()).toEqual(done('given.hlsl', 'marked.hlsl', 'model.cs.hlsl', 'named.vs.hlsl'));
    expect(blobs().map((name) => name.replace(/-\w{16}\./, '.'))).toEqual([
      'given.hlsl-P.spv',
      'marked.hlsl-C.spv',
      'marked.hlsl-P.spv',
      'model.cs.hlsl-main.spv',
      'named.vs.hlsl-main.spv',
    ]);
    const names = [...csharp().matchAll(/static class (\w+)/g)].map(([, name]) => name);
    expect(names).toEqual(['Given', 'Marked', 'P', 'C', 'ModelCs', 'NamedVs']);
    for (const name of blobs())
      await execa('spirv-val', ['--target-env', 'vulkan1.2', path(`obj/blobs/${name}`)]);
  });

  it('says so when nothing tells the stage, or an attribute tells one that there is not (OS9011, OS9016)', async () => {
    write('what.hlsl', color('1'));
    write('ray.hlsl', '[shader("miss")] void M() {}');
    jobs([{ file: 'what.hlsl' }, { file: 'ray.hlsl' }]);
    const { code, err } = await batch();
    expect(code).toBe(1);
    expect(err).toContain(`${path('what.hlsl')}(1,1): error OS9011: nothing tells the stage of 'what.hlsl'`);
    expect(err).toContain(`${path('ray.hlsl')}(1,9): error OS9016: 'miss' is no stage`);
  });

  it('makes each variant with its own macros', async () => {
    write(
      'v.ps.hlsl',
      '#ifdef FOG\ncbuffer Fog { float4 fog; };\n#else\n#define fog 1\n#endif\n' + color('fog'),
    );
    jobs([{ file: 'v.ps.hlsl', targets: 'spirv;msl', variants: 'Plain=;Foggy=FOG=1' }]);
    expect(await batch()).toEqual(done('v.ps.hlsl', 'v.ps.hlsl (FOG=1)'));
    expect(csharp()).toMatch(
      /class VPs[\s\S]*struct Fog[\s\S]*class Plain[\s\S]*class Foggy[\s\S]*class Fog\n/,
    );
    expect(blobs()).toHaveLength(4);
  });
});

describe('what is compiled again', () => {
  it('is nothing if nothing changed, and no file is touched but the stamp', async () => {
    project();
    expect(await batch()).toEqual(done('Shaders/a.ps.hlsl', 'Shaders/b.ps.hlsl'));
    const files = [
      'obj/Shaders.g.cs',
      'obj/state.json',
      'obj/inputs.txt',
      ...blobs().map((b) => `obj/blobs/${b}`),
    ];
    for (const name of [...files, 'obj/stamp']) utimesSync(path(name), 1, 1);
    const begin = Date.now();
    expect(await batch()).toEqual(done());
    for (const name of files) expect(statSync(path(name)).mtimeMs, name).toBe(1000);
    // The time at which the run began, so that files that change meanwhile are newer.
    expect(statSync(path('obj/stamp')).mtimeMs).toBeGreaterThanOrEqual(begin);
    expect(statSync(path('obj/stamp')).mtimeMs).toBeLessThan(statSync(path('obj/stamp')).ctimeMs);
    expect(read('obj/inputs.txt').split('\n')).toEqual([
      path('Shaders/a.ps.hlsl'),
      path('Shaders/b.ps.hlsl'),
      path('lib/lib.hlsli'),
      '',
    ]);
  });

  it('is what has other text, even of the same length and time', async () => {
    project();
    await batch();
    const { atime, mtime } = statSync(path('Shaders/a.ps.hlsl'));
    write('Shaders/a.ps.hlsl', color('3'));
    utimesSync(path('Shaders/a.ps.hlsl'), atime, mtime);
    expect(await batch()).toEqual(done('Shaders/a.ps.hlsl'));
    utimesSync(path('Shaders/a.ps.hlsl'), new Date(), new Date());
    expect(await batch()).toEqual(done());
  });

  it('is what includes a file that changed, or that another one now stands before', async () => {
    project();
    await batch();
    expect(read('obj/missing.txt')).toContain(path('first/lib.hlsli'));
    write('lib/lib.hlsli', '#define X 4\n');
    expect(await batch()).toEqual(done('Shaders/b.ps.hlsl'));
    const before = csharp();
    write('first/lib.hlsli', '#define X 5\n');
    expect(await batch()).toEqual(done('Shaders/b.ps.hlsl'));
    expect(csharp()).not.toBe(before);
    expect(read('obj/inputs.txt')).toContain(path('first/lib.hlsli'));
    rmSync(path('first/lib.hlsli'));
    expect(await batch()).toEqual(done('Shaders/b.ps.hlsl'));
    expect(csharp()).toBe(before);
  });

  it('is what has other options', async () => {
    project();
    const shaders: Fields[] = [
      { file: 'Shaders/a.ps.hlsl' },
      { file: 'Shaders/b.ps.hlsl', includeDirs: 'lib' },
    ];
    jobs(shaders);
    await batch();
    for (const change of [
      { defines: 'A=1' },
      { debugInfo: 'true' },
      { optimize: 'False' },
      { options: '-Zpr' },
    ]) {
      jobs([{ ...shaders[0], ...change }, shaders[1]!]);
      expect(await batch()).toEqual(done('Shaders/a.ps.hlsl'));
    }
    jobs(shaders, { defaults: { targetEnv: 'vulkan1.1' } });
    expect((await batch()).compiled).toHaveLength(2);
    // What C# calls a shader does not change how it is compiled.
    jobs([{ ...shaders[0], className: 'Other', accessModifier: 'public' }, shaders[1]!], {
      defaults: { targetEnv: 'vulkan1.1' },
    });
    expect(await batch()).toEqual(done());
    expect(csharp()).toContain('public static class Other\n');
  });

  it('is everything if the compiler changed', async () => {
    project();
    await batch();
    const other = path('dist');
    cpSync(dist, other, { recursive: true });
    expect(await batch(other)).toEqual(done());
    const bundle = join(other, 'everything.cjs');
    writeFileSync(bundle, readFileSync(bundle, 'latin1') + '\n', 'latin1');
    expect((await batch(other)).compiled).toHaveLength(2);
  });

  it('is what the folder has lost', async () => {
    project();
    await batch();
    const before = csharp();
    const blob = blobs().find((name) => name.startsWith('Shaders_a'))!;
    writeFileSync(path(`obj/blobs/${blob}`), 'nonsense');
    expect(await batch()).toEqual(done('Shaders/a.ps.hlsl'));
    rmSync(path(`obj/blobs/${blob}`));
    expect(await batch()).toEqual(done('Shaders/a.ps.hlsl'));
    write('obj/state.json', read('obj/state.json').replace('"entry":"main"', '"entry":"niam"'));
    expect((await batch()).compiled).toHaveLength(2);
    rmSync(path('obj/Shaders.g.cs'));
    expect(await batch()).toEqual(done());
    expect(csharp()).toBe(before);
  });
});

describe('a broken shader', () => {
  it('fails the run, keeps its C# from compiling, and is compiled again until it is repaired', async () => {
    project();
    await batch();
    const before = csharp();
    write('Shaders/a.ps.hlsl', color('missing'));
    const broken = {
      code: 1,
      compiled: ['Shaders/a.ps.hlsl'],
      err: `${path('Shaders/a.ps.hlsl')}(1,36): error OS3001: use of undeclared identifier 'missing'`,
    };
    expect(await batch()).toEqual(broken);
    expect(existsSync(path('obj/stamp'))).toBe(false);
    expect(csharp()).toContain('#error Shaders/a.ps.hlsl does not compile');
    expect(csharp()).not.toContain('class APs');
    expect(csharp()).toContain('class BPs');
    expect(blobs().filter((name) => name.startsWith('Shaders_a'))).toEqual([]);
    expect(await batch()).toEqual(broken);
    write('Shaders/a.ps.hlsl', color('1'));
    expect(await batch()).toEqual(done('Shaders/a.ps.hlsl'));
    expect(existsSync(path('obj/stamp'))).toBe(true);
    expect(csharp()).toBe(before);
  });

  it.each([
    [
      'a file that is not there',
      { file: 'gone.ps.hlsl' },
      "gone.ps.hlsl: error OS9014: cannot read 'gone.ps.hlsl'",
    ],
    ['a folder', { file: 'Shaders', profile: 'ps_6_0' }, "Shaders: error OS9014: cannot read 'Shaders'"],
    ['an unknown flag', { options: '-Zq' }, "error OS9013: in the options: unknown flag '-Zq'"],
    [
      'an output',
      { options: '-Fo x.spv' },
      "OS9013: in the options: '-Fo x.spv' has a flag that chooses outputs",
    ],
    ['a file among the flags', { options: 'b.hlsl' }, "OS9013: in the options: 'b.hlsl' is no flag"],
    ['a response file', { options: '@x' }, "OS9013: in the options: cannot read the response file 'x'"],
    ['a bad value', { targetEnv: 'vulkan9' }, 'OS9013: in the options: flag'],
    [
      'a missing include',
      { file: 'Shaders/b.ps.hlsl', includeDirs: '' },
      'Shaders/b.ps.hlsl(1,10): error OS1',
    ],
    ['a stage that is not supported', { profile: 'gs_6_0' }, 'Shaders/a.ps.hlsl(1,8): error OS4'],
  ])('may be %s', async (_, fields, message) => {
    project();
    jobs([{ file: 'Shaders/a.ps.hlsl', ...fields }]);
    const { code, err } = await batch();
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(existsSync(path('obj/stamp'))).toBe(false);
  });

  // A file that is there and cannot be read, by nobody.
  it.runIf(existsSync('/proc/self/mem'))('may include what cannot be read', async () => {
    write('a.ps.hlsl', `#include "/proc/self/mem"\n${color('1')}`);
    jobs([{ file: 'a.ps.hlsl' }]);
    expect((await batch()).err).toBe("/proc/self/mem: error OS9014: cannot read '/proc/self/mem': EIO");
  });

  it('may be nested deeper than any stack, where attributes are looked for', async () => {
    write('a.hlsl', `${'{'.repeat(200_000)}\n`);
    write('b.hlsl', `int x = ${'('.repeat(200_000)};\n`);
    jobs([{ file: 'a.hlsl' }, { file: 'b.hlsl' }]);
    const { code, err } = await batch();
    expect(code).toBe(1);
    expect(err).toMatch(/a\.hlsl\(1,\d+\): error OS2/);
    expect(err).toMatch(/b\.hlsl\(1,\d+\): error OS2/);
  });

  it('is shown with its source line in the style of compilers', async () => {
    project();
    write('Shaders/a.ps.hlsl', color('missing'));
    expect((await batch(dist, 'text')).err).toMatch(
      /^Shaders\/a\.ps\.hlsl:1:36: error: .*\[OS3001\]\nfloat4.*\n +\^~/,
    );
  });
});

describe('warnings', () => {
  it('are repeated for files that are up to date, each once, and can be errors', async () => {
    write('w.hlsli', 'float f(float2 v) {\n  float x = v;\n  return x;\n}\n');
    for (const name of ['a', 'b']) write(`${name}.ps.hlsl`, `#include "w.hlsli"\n${color('f(1)')}`);
    write('c.ps.hlsl', color('1'));
    const list = ['a', 'b', 'c'].map((name) => ({ file: `${name}.ps.hlsl` }));
    jobs(list);
    const warning = `${path('w.hlsli')}(2,13): warning OS3023: implicit truncation of vector type`;
    expect(await batch()).toEqual({ ...done('a.ps.hlsl', 'b.ps.hlsl', 'c.ps.hlsl'), err: warning });
    write('c.ps.hlsl', color('2'));
    expect(await batch()).toEqual({ ...done('c.ps.hlsl'), err: warning });
    jobs(list, { defaults: { warningsAsErrors: 'true' } });
    const { code, err } = await batch();
    expect(code).toBe(1);
    expect(err).toBe(warning.replace('warning', 'error'));
  });

  it('tell of names that C# cannot have as one would expect (OS9012)', async () => {
    write('sky.ps.hlsl', color('1'));
    write('sky-ps.hlsl', color('1'));
    jobs([{ file: 'sky.ps.hlsl' }, { file: 'sky-ps.hlsl', profile: 'ps_6_0' }]);
    const { code, err } = await batch();
    expect(code).toBe(0);
    expect(err).toBe(
      `${path('sky.ps.hlsl')}: warning OS9012: is class 'SkyPs_2' in C#, for 'SkyPs' is something else; set its ClassName`,
    );
  });
});

describe('what is left behind', () => {
  it('is nothing of shaders that are gone', async () => {
    project();
    await batch();
    jobs([{ file: 'Shaders/a.ps.hlsl' }]);
    expect(await batch()).toEqual(done());
    expect(blobs()).toHaveLength(1);
    expect(csharp()).not.toContain('BPs');
    expect(read('obj/inputs.txt')).toBe(`${path('Shaders/a.ps.hlsl')}\n`);
    jobs([]);
    expect(await batch()).toEqual(done());
    expect(blobs()).toEqual([]);
    expect(csharp()).not.toContain('class');
    expect(readdirSync(path('obj')).sort()).toEqual(
      ['Shaders.g.cs', 'blobs', 'inputs.txt', 'jobs.json', 'missing.txt', 'stamp', 'state.json'].sort(),
    );
  });
});

describe('results', () => {
  const text = `#include "inc.hlsli"
float4 main(float2 uv : UV) : SV_Target {
  float4 dropped = unused.Sample(state, uv);
  return used.Sample(state, uv) * tint + LINE;
}
`;
  const include = `cbuffer Frame : register(b0) { float4 tint; float3 at; float range; };
Texture2D<float4> unused; Texture2D<float4> used; SamplerState state;
#define LINE __LINE__
`;
  const variants = Array.from({ length: 30 }, (_, i) => ({ name: `V${i}`, defines: [`N=${i}`] }));
  function make(more: Fields = {}, reversed = false): void {
    write('Shaders/x.ps.hlsl', text);
    write('Shaders/inc.hlsli', include);
    write('Shaders/y.ps.hlsl', color('float4(1, 2, 3, N)'));
    const shaders: Fields[] = [
      { file: 'Shaders/x.ps.hlsl', targets: 'spirv;msl' },
      { file: 'Shaders/y.ps.hlsl', variants },
    ];
    jobs(reversed ? shaders.reverse() : shaders, { defaults: { debugInfo: true, optimize: false }, ...more });
  }
  const everything = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(path('obj'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/jobs.json|inputs.txt|missing.txt/.test(entry.name))
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
    );

  it('hold no path of the machine, however folders and files are written', async () => {
    write('lib/inc.hlsli', '#define HERE __FILE__\nstatic const float4 x = 1;\n');
    write(
      '../outside.ps.hlsl',
      '#include <inc.hlsli>\nfloat4 main() : SV_Target { printf(HERE); return x; }\n',
    );
    jobs(
      [
        { file: join(base, 'outside.ps.hlsl'), includeDirs: [path('lib')] },
        { file: '../outside.ps.hlsl', className: 'Other', options: `-I ${path('lib')} -Od` },
      ],
      { defaults: { debugInfo: true } },
    );
    expect(await batch()).toEqual(done('../outside.ps.hlsl', '../outside.ps.hlsl'));
    for (const [name, text] of Object.entries(everything())) expect(text, name).not.toContain(base);
    expect(csharp()).toContain('<c>outside.ps.hlsl</c>');
    expect(csharp()).toContain('static class OutsidePs\n');
    expect(readFileSync(path(`obj/blobs/${blobs()[0]}`), 'latin1')).toContain('lib/inc.hlsli');
  });

  it('depend on the indices that --msl-bindings gives', async () => {
    make();
    write('indices.json', '{ "used": 7 }');
    jobs([{ file: 'Shaders/x.ps.hlsl', targets: 'msl', options: '--msl-bindings indices.json' }]);
    await batch();
    expect(csharp()).toContain('MetalTexture = 7;');
    write('indices.json', '{ "used": 8 }');
    expect(await batch()).toEqual(done('Shaders/x.ps.hlsl'));
    expect(csharp()).toContain('MetalTexture = 8;');
    rmSync(path('indices.json'));
    expect((await batch()).err).toContain(
      "OS9013: in the options: cannot read the bindings 'indices.json': no such file",
    );
  });

  it('are the same in two folders, in any order of the list, and on any number of threads', async () => {
    make({ threads: 1 });
    expect((await batch()).compiled).toHaveLength(31);
    const first = everything();
    expect(Object.values(first).join()).not.toContain(base);
    folder = join(base, `elsewhere ${count++}`, 'deep');
    make({ threads: 4 }, true);
    expect((await batch()).compiled).toHaveLength(31);
    expect(everything()).toEqual(first);
    // A project that is moved with its obj folder is up to date where it then is.
    const moved = join(base, `moved ${count++}`);
    renameSync(folder, moved);
    folder = moved;
    make();
    expect(await batch()).toEqual(done());
  });

  it('differ in nothing but the bytes of blobs when debug information and optimization are switched', async () => {
    make();
    await batch();
    const debug = csharp();
    make({ defaults: { debugInfo: false, optimize: true } });
    expect((await batch()).compiled).toHaveLength(31);
    expect(csharp()).not.toBe(debug);
    expect(withoutBytes(csharp())).toBe(withoutBytes(debug));
    expect(debug).toContain('public static class unused');
  });

  it('are whole when two processes share a folder', async () => {
    make();
    const [one, two] = await Promise.all([batch(), batch()]);
    expect([one.code, two.code, one.err, two.err]).toEqual([0, 0, '', '']);
    const raced = everything();
    await batch();
    const { 'state.json': _a, ...after } = everything();
    const { 'state.json': _b, ...before } = raced;
    expect(after).toEqual(before);
    expect(await batch()).toEqual(done());
  });
});

describe('job lists', () => {
  const valid = { version: 1, root: '.', cache: 'obj', shaders: [] };
  it.each([
    ['', 'is no JSON'],
    ['[1', 'is no JSON'],
    ['['.repeat(200_000), 'is no JSON'],
    ['[]', 'must be an object'],
    ['{}', "must have a number as 'version'"],
    [{ ...valid, version: 2 }, "must have 'version' 1"],
    [{ ...valid, encoding: 'base64' }, "must have 'encoding' percent or none"],
    [{ ...valid, root: '' }, "must have 'root'"],
    [{ ...valid, cache: 7 }, "must have a string as 'cache'"],
    [{ ...valid, shaders: {} }, "must have a list 'shaders'"],
    [{ ...valid, shader: [] }, "has a field 'shader', which is not known"],
    ['{"__proto__": {}}', "has a field '__proto__', which is not known"],
    [{ ...valid, threads: -1 }, "must have a number as 'threads'"],
    [
      { ...valid, csharp: { file: 'x', rootNamespace: 'A.1' } },
      "must have a C# name as 'csharp.rootNamespace'",
    ],
    [{ ...valid, defaults: { file: 'a' } }, "has a field 'defaults.file'"],
    [{ ...valid, shaders: [{}] }, "must have 'shaders[0].file'"],
    [{ ...valid, shaders: [{ file: 'a', defines: [1] }] }, "must have strings as 'shaders[0].defines'"],
    [{ ...valid, shaders: [{ file: 'a', targets: 'dxil' }] }, 'must have targets out of spirv and msl'],
    [
      { ...valid, shaders: [{ file: 'a', debugInfo: 'maybe' }] },
      "must have true or false as 'shaders[0].debugInfo'",
    ],
    [{ ...valid, shaders: [{ file: 'a', optimize: 4 }] }, "must have true or false as 'shaders[0].optimize'"],
    [
      { ...valid, shaders: [{ file: 'a', className: 'A { } evil' }] },
      "must have a C# name as 'shaders[0].className'",
    ],
    [
      { ...valid, shaders: [{ file: 'a', namespace: 'A..B' }] },
      "must have a C# name as 'shaders[0].namespace'",
    ],
    [{ ...valid, shaders: [{ file: 'a', accessModifier: 'secret' }] }, 'must have internal or public'],
    [{ ...valid, shaders: [{ file: 'a', variants: 'A=;A=' }] }, "names the variant 'A' twice"],
    [{ ...valid, shaders: [{ file: 'a', variants: '=X' }] }, "must have 'shaders[0].variants[0].name'"],
  ])('are refused with the field that is wrong (%#)', async (list, problem) => {
    write('obj/jobs.json', typeof list === 'string' ? list : JSON.stringify(list));
    const { code, compiled, err } = await batch();
    expect(code).toBe(1);
    expect(compiled).toEqual([]);
    expect(err).toContain(`oneshader: error OS9010: the job list '${path('obj/jobs.json')}'`);
    expect(err).toContain(problem);
  });

  it('may write characters by their numbers', async () => {
    write('a"b%41.ps.hlsl', color('X'));
    jobs([{ file: 'a%22b%2541.ps.hlsl', options: '-D %22X=1 + %09%0A 1%22' }], { encoding: 'percent' });
    expect(await batch()).toEqual(done('a"b%41.ps.hlsl'));
  });

  it('may name folders that begin with @, which marks response files elsewhere', async () => {
    write('@lib/x.hlsli', '#define X 1\n');
    write('a.ps.hlsl', `#include "x.hlsli"\n${color('X')}`);
    jobs([{ file: 'a.ps.hlsl', includeDirs: '@lib' }]);
    expect(await batch()).toEqual(done('a.ps.hlsl'));
  });

  it('survive names that no file can have, and folders that cannot be written (OS9015)', async () => {
    jobs([
      { file: 'a\0b.ps.hlsl' },
      { file: `${'x'.repeat(5000)}.ps.hlsl` },
      { file: '../../../../../../../x.ps.hlsl' },
    ]);
    const { code, err } = await batch();
    expect(code).toBe(1);
    expect(err.match(/error OS9014/g)).toHaveLength(3);
    write('taken', '');
    jobs([], { cache: 'taken/obj' });
    expect((await batch()).err).toMatch(/oneshader: error OS9015: cannot write '.*taken\/obj.*'/);
  });

  it('is all that --batch takes its orders from', async () => {
    project();
    const program = join(dist, 'oneshader.cjs');
    for (const more of [['-Zi'], ['x.hlsl'], ['-Fo', 'x']]) {
      const result = await execa(process.execPath, [program, '--batch', path('obj/jobs.json'), ...more], {
        reject: false,
      });
      expect(result.exitCode).toBe(1);
      expect(result.stderr).toContain('--batch takes files and options from the job list');
    }
    const gone = await execa(process.execPath, [program, '--batch', path('gone.json')], { reject: false });
    expect(gone.stderr).toMatch(/OS9010.*|cannot be read: no such file/);
  });
});

it('the list in the README works as written', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  write('jobs.json', /```json\n(\{[\s\S]*?)```/.exec(readme)![1]!);
  write('Shaders/sky.ps.hlsl', `#include "x.hlsli"\n${color('FOG * X')}`);
  write('Shaders/lib/x.hlsli', '#define X 1\n');
  write('Shaders/blur.hlsl', '[numthreads(1, 1, 1)] void Blur() {}\n');
  const args = [join(dist, 'oneshader.cjs'), '--batch', 'jobs.json'];
  const { stdout, stderr } = await execa(process.execPath, args, { cwd: folder });
  expect([stdout, stderr]).toEqual(['Shaders/blur.hlsl\nShaders/sky.ps.hlsl (FOG=1)', '']);
  expect(readdirSync(path('obj/shaders')).sort()).toEqual(
    ['blobs', 'inputs.txt', 'missing.txt', 'stamp', 'state.json'].sort(),
  );
  expect(read('obj/Shaders.g.cs')).toContain('namespace Game.Shaders\n');
});

describe('threads', () => {
  it('are no business of the user', async () => {
    const args = [join(dist, 'oneshader.cjs'), '--batch-worker'];
    const { exitCode, stderr } = await execa(process.execPath, args, { reject: false });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("unknown flag '--batch-worker'");
  });

  it('take units from where the counter stands, and end', async () => {
    write('x.ps.hlsl', color('1'));
    jobs([{ file: 'x.ps.hlsl' }]);
    const [job] = readJobs(read('obj/jobs.json')).shaders;
    const units = ['a', 'b', 'c'].map((key): Unit => ({ key, file: 'x.ps.hlsl', job: job!, defines: [] }));
    const counter = new Int32Array(new SharedArrayBuffer(4));
    counter[0] = 1;
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(join(dist, 'oneshader.cjs'), {
      argv: ['--batch-worker'],
      workerData: { root: folder, units, counter, port: port2 },
      transferList: [port2],
    });
    const code = await new Promise((resolve) => worker.on('exit', resolve));
    expect(code).toBe(0);
    const got = [receiveMessageOnPort(port1), receiveMessageOnPort(port1), receiveMessageOnPort(port1)];
    port1.close();
    expect(got.map((one) => (one?.message as { index: number } | undefined)?.index)).toEqual([
      1,
      2,
      undefined,
    ]);
    expect(got[0]!.message).toMatchObject({ result: { messages: [], blobs: [{ entry: 'main' }] } });
  });

  it.each([
    [0, 8, 0, 1],
    [1, 8, 0, 1],
    [24, 8, 0, 1],
    [25, 8, 0, 2],
    [200, 8, 0, 8],
    [200, 8, 3, 3],
    [200, 2, 16, 2],
  ])('%i units on %i cores, at most %i: %i', (units, cores, limit, expected) => {
    expect(threadCount(units, cores, limit)).toBe(expected);
  });
});
