/** The built command, as users run it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const program = new URL('../../dist/oneshader.cjs', import.meta.url).pathname;
const pixelShader =
  'float4 tint;\nfloat4 main(float2 uv : TEXCOORD0) : SV_Target {\n  return tint * uv.xyxy;\n}\n';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneshader-cli-'));
  writeFileSync(join(folder, 'a.hlsl'), pixelShader);
  writeFileSync(join(folder, 'bad.hlsl'), 'float4 main() : SV_Target {\n  return missing;\n}\n');
  writeFileSync(
    join(folder, 'inc.hlsl'),
    '#include "lib/x.hlsli"\nfloat4 main() : SV_Target { return X; }\n',
  );
  writeFileSync(join(folder, 'args.rsp'), '-T ps_6_0 -D "VALUE=float4(1, 2, 3, 4)"\n-Fo from-response.spv');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  code: number | undefined;
  out: string;
  err: string;
}
async function run(args: string[], input?: string): Promise<Outcome> {
  const result = await execa(process.execPath, [program, ...args], {
    cwd: folder,
    reject: false,
    ...(input !== undefined && { input }),
  });
  return { code: result.exitCode, out: result.stdout, err: result.stderr };
}
const isModule = (name: string): boolean => readFileSync(join(folder, name)).readUInt32LE(0) === 0x07230203;

describe('command line', () => {
  it.each([
    ['-Fo x', ['-T', 'ps_6_0', '-Fo', 'o1.spv', 'a.hlsl'], 'o1.spv'],
    ['-Fox', ['-Tps_6_0', '-Foo2.spv', 'a.hlsl'], 'o2.spv'],
    ['/Fo x', ['/T', 'ps_6_0', '/E', 'main', '/Fo', 'o3.spv', 'a.hlsl'], 'o3.spv'],
    ['input first', ['a.hlsl', '-spirv', '-T', 'ps_6_0', '-Fo', 'o4.spv', '-Od', '-Zi'], 'o4.spv'],
  ])('accepts %s', async (_, args, output) => {
    expect(await run(args)).toEqual({ code: 0, out: '', err: '' });
    expect(isModule(output)).toBe(true);
  });

  it('reads response files and quoted macros', async () => {
    writeFileSync(join(folder, 'value.hlsl'), 'float4 main() : SV_Target { return VALUE; }\n');
    expect(await run(['@args.rsp', 'value.hlsl'])).toEqual({ code: 0, out: '', err: '' });
    expect(isModule('from-response.spv')).toBe(true);
  });

  it('compiles standard input to standard output', async () => {
    const { stdout } = await execa(process.execPath, [program, '-T', 'ps_6_0', '-', '-Fo', '-'], {
      cwd: folder,
      input: pixelShader,
      encoding: 'buffer',
    });
    expect(Buffer.from(stdout).readUInt32LE(0)).toBe(0x07230203);
  });

  it('reports errors with file, line, column and code, exits with 1 and writes nothing', async () => {
    writeFileSync(join(folder, 'keep.spv'), 'before');
    const { code, out, err } = await run(['-T', 'ps_6_0', '-Fo', 'keep.spv', 'bad.hlsl']);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(/^bad\.hlsl:2:10: error: .*'missing'.* \[OS3\d{3}\]\n {2}return missing;\n {9}\^/m);
    expect(readFileSync(join(folder, 'keep.spv'), 'utf8')).toBe('before');
  });

  // The plain bundle has no recovery from syntax errors and hands such calls on.
  it('reports every syntax error, by file and by standard input', async () => {
    const text = 'float4 main() : SV_Target {\n  float a = ;\n  float b = 1 +;\n  return a;\n}\n';
    writeFileSync(join(folder, 'syntax.hlsl'), text);
    writeFileSync(join(folder, 'kept.spv'), 'before');
    const places = ({ code, out, err }: Outcome) => ({
      code,
      out,
      places: [...err.matchAll(/^(\S+): error: .* \[OS2\d{3}\]$/gm)].map(([, place]) => place),
    });
    const of = (name: string) => ({ code: 1, out: '', places: [`${name}:2:13`, `${name}:3:16`] });
    const flags = ['-T', 'ps_6_0', '-Fo', 'kept.spv'];
    expect(places(await run([...flags, 'syntax.hlsl']))).toEqual(of('syntax.hlsl'));
    expect(places(await run([...flags, '-'], text))).toEqual(of('stdin.hlsl'));
    expect(readFileSync(join(folder, 'kept.spv'), 'utf8')).toBe('before');
  });

  it('writes diagnostics as MSBuild reads them with --diagnostics=msbuild', async () => {
    const { code, err } = await run(['-T', 'ps_6_0', '--diagnostics=msbuild', 'bad.hlsl']);
    expect(code).toBe(1);
    expect(err).toBe("bad.hlsl(2,10): error OS3001: use of undeclared identifier 'missing'");
  });

  it('names the nearest flag for an unknown one', async () => {
    const { code, err } = await run(['-T', 'ps_6_0', '-fspv-debog=vulkan', 'a.hlsl']);
    expect(code).toBe(1);
    expect(err).toContain("unknown flag '-fspv-debog=vulkan'; did you mean '-fspv-debug'?");
    expect(err).toContain('OS9002');
  });

  it.each([
    [['-T', 'ps_6_0', '-link', 'a.hlsl'], "'-link' is refused: libraries and linking are not supported yet"],
    [['-T', 'ps_6_0', '-fspv-debug=everything', 'a.hlsl'], 'expects one of file, source'],
    [['-T', 'ps_6_0', '-fvk-b-shift', 'x', '0', 'a.hlsl'], 'expects a shift and a space number'],
    [['-T', 'ps_6_0', '-Fo'], "flag '-Fo' needs a value"],
    [['-T', 'ps_6_0', 'absent.hlsl'], "cannot read the input file 'absent.hlsl': no such file or folder"],
    [['-T', 'ps_6_0', '-Fo', 'no/such/x.spv', 'a.hlsl'], "cannot write 'no/such/x.spv'"],
    [['-T', 'ps_6_0', 'a.hlsl', 'bad.hlsl'], 'only one input file'],
    [[], 'no input file'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run(args);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });

  it('prints the disassembly without an output, and writes it with -Fc', async () => {
    const { code, out } = await run(['-T', 'ps_6_0', 'a.hlsl']);
    expect(code).toBe(0);
    expect(out).toContain('OpEntryPoint Fragment %main "main"');
    await run(['-T', 'ps_6_0', '-Fc', 'a.spvasm', 'a.hlsl']);
    expect(readFileSync(join(folder, 'a.spvasm'), 'utf8')).toBe(out + '\n');
  });

  it('writes a C header that a C compiler takes', async () => {
    expect((await run(['-T', 'ps_6_0', '-Fh', 'a.h', '-Vn', 'shader_bytes', 'a.hlsl'])).code).toBe(0);
    const text = readFileSync(join(folder, 'a.h'), 'utf8');
    await execa('g++', ['-x', 'c', '-fsyntax-only', 'a.h'], { cwd: folder });
    expect(text).toContain('const unsigned char shader_bytes[] = {\n  0x03, 0x02, 0x23, 0x07,');
  });

  it('preprocesses with -P and -Fi', async () => {
    expect((await run(['-P', '-Fi', 'a.i', '-D', 'tint=color', 'a.hlsl'])).code).toBe(0);
    const text = readFileSync(join(folder, 'a.i'), 'utf8');
    expect(text).toContain('#line 1 "a.hlsl"');
    expect(text).toMatch(/float4 color ?;/);
  });

  it('finds includes in -I folders and writes dependencies', async () => {
    const { execPath } = process;
    await execa(
      execPath,
      [
        '-e',
        "require('fs').mkdirSync('more/lib', { recursive: true }); require('fs').writeFileSync('more/lib/x.hlsli', '#define X 1')",
      ],
      { cwd: folder },
    );
    expect(await run(['-T', 'ps_6_0', '-I', 'more', '-Fo', 'inc.spv', '-MF', 'inc.d', 'inc.hlsl'])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(readFileSync(join(folder, 'inc.d'), 'utf8')).toBe('inc.spv: inc.hlsl \\\n more/lib/x.hlsli\n');
    const { out } = await run(['-M', '-I', 'more', 'inc.hlsl']);
    expect(out).toContain('more/lib/x.hlsli');
    expect((await run(['-T', 'ps_6_0', '-MD', '-I', 'more', '-Fo', 'inc.spv', 'inc.hlsl'])).code).toBe(0);
    expect(existsSync(join(folder, 'inc.d'))).toBe(true);
  });

  it('writes reflection as JSON', async () => {
    expect((await run(['-T', 'ps_6_0', '-Fre', 'a.json', 'a.hlsl'])).code).toBe(0);
    const reflection = JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8'));
    expect(reflection).toMatchObject({
      stage: 'pixel',
      entry: 'main',
      bindings: [{ name: '$Globals', kind: 'constant-buffer', set: 0, binding: 0 }],
    });
  });

  it('answers --version and --help', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+$/);
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    expect(out).toContain('-fspv-debug=<kind>');
  });

  it('writes errors to the file of -Fe', async () => {
    const { code, err } = await run(['-T', 'ps_6_0', '-Fe', 'errors.txt', 'bad.hlsl']);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(readFileSync(join(folder, 'errors.txt'), 'utf8')).toContain('bad.hlsl:2:10: error:');
  });
});

describe('source maps of Metal text', () => {
  const target = ['-T', 'ps_6_0', 'a.hlsl'];
  it('are written beside the text, and read by --symbolicate', async () => {
    for (const args of [
      ['-msl', '-Fo', 'a.metal', '-Fmap', 'a.map'],
      ['-Fo', 'a.spv', '-Fmsl', 'a.metal', '-Fmap', 'a.map'],
    ]) {
      expect(await run([...args, ...target])).toEqual({ code: 0, out: '', err: '' });
      const lines = readFileSync(join(folder, 'a.metal'), 'utf8').split('\n');
      const line = lines.findIndex((one) => one.includes('.tint'));
      const message = (place: string) => `${place}: error: e\nb.c:1:1: e`;
      const log = message(`/x/a.metal:${line + 1}:${lines[line]!.indexOf('.tint') + 1}`);
      expect(await run(['--symbolicate', 'a.map'], log)).toEqual({
        code: 0,
        out: message('a.hlsl:3:10'),
        err: '',
      });
    }
  });
  it('are no output of their own', async () => {
    const { out } = await run(['-msl', '-Fmap', 'b.map', ...target]);
    expect(out).toContain('fragment');
    expect(JSON.parse(readFileSync(join(folder, 'b.map'), 'utf8'))).not.toHaveProperty('file');
  });
  it('that are malformed or missing are errors', async () => {
    writeFileSync(join(folder, 'bad.map'), '{"version":3}');
    const bad = await run(['--symbolicate', 'bad.map'], 'a.metal:1:1: e');
    expect(bad).toMatchObject({ code: 1, out: '', err: expect.stringContaining("'sources' is no list") });
    const missing = await run(['--symbolicate', 'none.map'], '');
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('no such file') });
  });
  it('take long logs, and lines without an end', async () => {
    const log = 'a.metal:1:1: nothing\n'.repeat(200_000) + 'x'.repeat(300_000);
    expect((await run(['--symbolicate', 'a.map'], log)).out).toBe(log);
  });
});
