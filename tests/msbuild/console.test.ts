/**
 * A console program that prints what the build made of its shaders: compared with the compiler's own reflection, between Debug and Release,
 * and between two checkouts.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../../src/index.ts';
import type { ReflectedType } from '../../src/reflect/reflect.ts';
import { withoutBytes } from '../support/csharp.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';
import { type Project, samples, Workplace } from './dotnet.ts';

const shaders = join(samples, 'console/Shaders');
const generated = (configuration: string): string => `obj/${configuration}/net10.0/oneshader/OneShader.g.cs`;

/** What the program of one configuration printed, and the blobs it wrote. */
interface Printed {
  lines: string[];
  blobs: Map<string, Buffer>;
}

async function runProgram(project: Project, configuration: string): Promise<Printed> {
  const build = await project.build(['-c', configuration]);
  expect(build, build.output).toMatchObject({ code: 0, errors: [], warnings: [] });
  const folder = project.path(`blobs-${configuration}`);
  mkdirSync(folder);
  const { code, output } = await project.dotnet([`bin/${configuration}/net10.0/console.dll`, folder]);
  expect(code, output).toBe(0);
  const blobs = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  return { lines: output.split('\n'), blobs };
}

describeWith(['dotnet', 'spirv-val'], 'a program with shaders', () => {
  let place: Workplace;
  let project: Project;
  const printed: Record<string, Printed> = {};
  beforeAll(async () => {
    place = await Workplace.create();
    project = place.project('console', 'console');
    await project.restore();
    for (const configuration of ['Debug', 'Release'])
      printed[configuration] = await runProgram(project, configuration);
  });
  afterAll(() => place?.remove());

  describe.each(['Debug', 'Release'])('in %s', (configuration) => {
    it('has valid modules', () => {
      const modules = [...printed[configuration]!.blobs].filter(([name]) => name.endsWith('.spv'));
      expect(modules.map(([name]) => name).sort()).toEqual([
        'BlurCs.Small.spv',
        'BlurCs.Wide.spv',
        'Mesh.spv',
        'Particles.Move.spv',
        'Particles.Reset.spv',
        'SkyPs.spv',
      ]);
      for (const [name, bytes] of modules) expect(validateSpirv(bytes, validationFlags()), name).toBe('');
    });

    it('has the blobs that the compiler makes of the same files', () => {
      const isDebug = configuration === 'Debug';
      for (const [name, file, options] of compilations) {
        const result = compileSample(file, { ...options, debugInfo: isDebug, optimize: !isDebug });
        expect(printed[configuration]!.blobs.get(`${name}.spv`), name).toEqual(Buffer.from(result.spirv!));
      }
    });

    it('has structs with the offsets of the shader', () => {
      const fields = new Map(
        printed[configuration]!.lines.filter((line) => line.startsWith('field ')).map((line) => [
          line.split(' ')[1]!,
          Number(line.split(' ')[2]),
        ]),
      );
      let compared = 0;
      for (const [name, file, options] of compilations) {
        const outer = `Sample.Shaders.${name.split('.')[0]}`;
        for (const { struct, member, offset } of structsOf(file, options)) {
          expect(fields.get(`${outer}+${struct}.${member}`), `${outer}+${struct}.${member}`).toBe(offset);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(20);
    });

    it('knows entries, stages, threads, bindings and access', () => {
      const { lines } = printed[configuration]!;
      for (const line of [
        'entry SkyPs main pixel',
        'entry Mesh transform vertex',
        'threads Move 64 1 1',
        'threads Reset 8 4 2',
        'public Sample.HlslTypes Sample.Shaders.BlurCs',
        'binding Sample.Shaders.SkyPs+Bindings+clouds.Set 0',
      ])
        expect(lines).toContain(line);
    });
  });

  it('is small in Release, and has sources in Debug', () => {
    for (const [name, bytes] of printed['Debug']!.blobs) {
      const release = printed['Release']!.blobs.get(name)!;
      expect(bytes.length, name).toBeGreaterThan(release.length);
      if (!name.endsWith('.spv')) continue;
      expect(bytes.includes('NonSemantic.Shader.DebugInfo.100'), name).toBe(true);
      expect(release.includes('NonSemantic'), name).toBe(false);
    }
    expect(printed['Debug']!.blobs.get('SkyPs.spv')!.includes('float3 expose(float3 color) {')).toBe(true);
  });

  it('has the same C# in Debug and Release but for the bytes', () => {
    const [debug, release] = ['Debug', 'Release'].map((one) => project.read(generated(one)));
    expect(debug).not.toBe(release);
    expect(withoutBytes(debug!)).toBe(withoutBytes(release!));
    const others = (one: string): string[] => printed[one]!.lines.filter((line) => !line.startsWith('blob'));
    expect(others('Debug')).toEqual(others('Release'));
  });

  it('is the same in another folder, whose name reaches no blob', async () => {
    const other = place.project('else where/ünd & tief/console', 'console');
    await other.restore();
    const { blobs } = await runProgram(other, 'Debug');
    expect(other.read(generated('Debug'))).toBe(project.read(generated('Debug')));
    expect(blobs).toEqual(printed['Debug']!.blobs);
    for (const [name, bytes] of blobs)
      for (const part of [place.folder, 'else where', 'console'])
        expect(bytes.includes(part), `${part} in ${name}`).toBe(false);
  });
});

/** The blobs of the sample: their name in the program, their file, and what its project says. */
const compilations: [string, string, Partial<CompileOptions>][] = [
  ['SkyPs', 'sky.ps.hlsl', { profile: 'ps_6_0' }],
  ['Mesh', 'mesh.hlsl', { profile: 'vs_6_0', entry: 'transform' }],
  ['Particles.Move', 'particles.hlsl', { profile: 'cs_6_0', entry: 'Move' }],
  ['Particles.Reset', 'particles.hlsl', { profile: 'cs_6_0', entry: 'Reset' }],
  ['BlurCs.Small', 'blur.cs.hlsl', { profile: 'cs_6_0' }],
  ['BlurCs.Wide', 'blur.cs.hlsl', { profile: 'cs_6_0', defines: { RADIUS: 3, GREY: 1 } }],
];

function compileSample(file: string, options: Partial<CompileOptions>): ReturnType<typeof compile> {
  return compile({
    source: { name: `Shaders/${file}`, text: readFileSync(join(shaders, file), 'utf8') },
    includes: { 'Shaders/common.hlsli': readFileSync(join(shaders, 'common.hlsli'), 'utf8') },
    profile: '',
    ...options,
  });
}

/** Every member of every struct that a binding of the shader holds. */
function structsOf(
  file: string,
  options: Partial<CompileOptions>,
): { struct: string; member: string; offset: number }[] {
  const found: { struct: string; member: string; offset: number }[] = [];
  const visit = (type: ReflectedType | undefined): void => {
    for (const member of type?.members ?? []) {
      found.push({ struct: type!.name, member: member.name, offset: member.offset! });
      visit(member.type);
    }
    if (type?.element) visit(type.element);
  };
  for (const { type } of compileSample(file, options).reflection!.bindings) visit(type);
  return found;
}
