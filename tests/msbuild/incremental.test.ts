/**
 * What a build does again and what it does not, one change after the other in one project. `nodeRuns` counts how often Node was started,
 * `compiled` are the shaders that it compiled. ONESHADER_LONG=1 also prints the times of a project with 200 shaders.
 */
import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withoutBytes } from '../support/csharp.ts';
import { describeWith } from '../support/tools.ts';
import { type Outcome, type Project, samples, Workplace } from './dotnet.ts';

const isLong = process.env['ONESHADER_LONG'] === '1';
const count = 200;
const turns = 7;

const generated = 'obj/Debug/net10.0/oneshader/OneShader.g.cs';
const assembly = 'bin/Debug/net10.0/game.dll';
const files = {
  'game.csproj': `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <OneShaderDefines>GAIN=1</OneShaderDefines>
    <OneShaderIncludeDirs>Shaders/first;Shaders/lib</OneShaderIncludeDirs>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="OneShader.Build" Version="*" PrivateAssets="all" />
    <OneShader Include="Shaders/**/*.hlsl" />
    <OneShader Update="Shaders/c.cs.hlsl" Defines="STEP=2" />
  </ItemGroup>
</Project>
`,
  'Sizes.cs': 'public static class Sizes { public static int Of() => game.Shaders.APs.Spirv.Length; }\n',
  'Shaders/lib/shared.hlsli': '#define SHARED 3\n',
  'Shaders/a.ps.hlsl': '#include "shared.hlsli"\nfloat4 main() : SV_Target { return GAIN + SHARED; }\n',
  'Shaders/b.ps.hlsl': 'float4 main() : SV_Target { return 2; }\n',
  'Shaders/c.cs.hlsl':
    '#include "shared.hlsli"\nRWBuffer<uint> sums;\n[numthreads(8, 1, 1)] void main(uint i : SV_DispatchThreadID) { sums[i] = STEP * SHARED; }\n',
};
const all = ['Shaders/a.ps.hlsl', 'Shaders/b.ps.hlsl', 'Shaders/c.cs.hlsl'];

describeWith(['dotnet'], 'incremental builds', () => {
  let place: Workplace;
  let game: Project;
  beforeAll(async () => {
    place = await Workplace.create();
    game = place.project('game', files);
    await game.restore();
  });
  afterAll(() => place?.remove());

  const time = (name: string): number => statSync(game.path(name)).mtimeMs;
  const unchanged = async (args: readonly string[] = []): Promise<void> => {
    expect(await game.compileShaders(args)).toMatchObject({ code: 0, nodeRuns: 0, compiled: [] });
  };

  it('a first build compiles every shader in one process', async () => {
    expect(await game.build()).toMatchObject({
      code: 0,
      errors: [],
      warnings: [],
      nodeRuns: 1,
      compiled: all,
    });
    expect(readdirSync(game.path('Shaders')).sort()).toEqual(['a.ps.hlsl', 'b.ps.hlsl', 'c.cs.hlsl', 'lib']);
  });

  it('a build without a change starts no Node and leaves the assembly alone', async () => {
    const before = time(assembly);
    expect(await game.build()).toMatchObject({ code: 0, nodeRuns: 0, compiled: [] });
    expect(time(assembly)).toBe(before);
  });

  it('a touched include compiles nothing and changes no C#', async () => {
    const before = time(generated);
    utimesSync(game.path('Shaders/lib/shared.hlsli'), new Date(), new Date());
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [] });
    expect(time(generated)).toBe(before);
    await unchanged();
  });

  it('a changed include compiles the shaders that include it', async () => {
    const before = time(assembly);
    game.write('Shaders/lib/shared.hlsli', '#define SHARED 4\n');
    expect(await game.build()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [all[0], all[2]] });
    expect(time(assembly)).toBeGreaterThan(before);
    await unchanged();
  });

  it('an include that was replaced by an older file is seen', async () => {
    game.write('Shaders/lib/shared.hlsli', '#define SHARED 5\n');
    utimesSync(game.path('Shaders/lib/shared.hlsli'), new Date(0), new Date(0));
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [all[0], all[2]] });
    await unchanged();
  });

  it('a new file that comes first in the search of an include is seen, and so is its end', async () => {
    game.write('Shaders/first/shared.hlsli', '#define SHARED 6\n');
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [all[0], all[2]] });
    await unchanged();
    game.remove('Shaders/first');
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [all[0], all[2]] });
  });

  it('a define of the project compiles all shaders, one of a shader that shader', async () => {
    game.edit('game.csproj', 'GAIN=1', 'GAIN=2');
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: all });
    game.edit('game.csproj', 'STEP=2', 'STEP=3');
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [all[2]] });
    await unchanged();
  });

  it('a shader that is changed while the compiler runs is compiled by the next build', async () => {
    const shader = game.path('Shaders/b.ps.hlsl');
    place.write(
      'edit-after',
      `#!/bin/sh\n'${process.execPath}' "$@" && echo '// later' >> '${shader}'\n`,
      0o755,
    );
    game.write('Shaders/b.ps.hlsl', `${game.read('Shaders/b.ps.hlsl')}// now\n`);
    const edited = await game.compileShaders([`-p:OneShaderNodePath=${place.folder}/edit-after`]);
    expect(edited).toMatchObject({ code: 0, compiled: [all[1]] });
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [all[1]] });
    await unchanged();
  });

  it('another compiler compiles all shaders', async () => {
    appendFileSync(place.installed('tools/everything.cjs'), '\n// another\n');
    expect(await game.compileShaders()).toMatchObject({ code: 0, nodeRuns: 1, compiled: all });
    await unchanged();
  });

  it('an added shader is the only one compiled, and has its class', async () => {
    game.write('Shaders/deep/d.vs.hlsl', 'float4 main(float4 at : POSITION) : SV_Position { return at; }\n');
    expect(await game.build()).toMatchObject({ code: 0, nodeRuns: 1, compiled: ['Shaders/deep/d.vs.hlsl'] });
    expect(game.read(generated)).toContain('class DVs');
  });

  it('a removed shader leaves nothing behind', async () => {
    const blobs = (): number =>
      readdirSync(game.path('obj/Debug/net10.0/oneshader'), { recursive: true }).filter((name) =>
        /\.spv$/.test(String(name)),
      ).length;
    expect(blobs()).toBe(4);
    game.remove('Shaders/deep');
    expect(await game.build()).toMatchObject({ code: 0, nodeRuns: 1, compiled: [] });
    expect(game.read(generated)).not.toContain('DVs');
    expect(blobs()).toBe(3);
    await unchanged();
  });

  it('a broken shader stops the build before C# until it is repaired', async () => {
    const before = time(assembly);
    const good = game.read('Shaders/b.ps.hlsl');
    game.write('Shaders/b.ps.hlsl', 'float4 main() : SV_Target {\n  return missing;\n}\n');
    game.write('Sizes.cs', game.read('Sizes.cs').replace('Of()', 'All()'));
    for (const build of [await game.build(), await game.build()]) {
      expect(build).toMatchObject({ code: 1, nodeRuns: 1 });
      expect(build.errors).toHaveLength(2);
      expect(build.errors[0]).toMatch(/\/game\/Shaders\/b\.ps\.hlsl\(2,10\): error OS3\d{3}: .*missing/);
      expect(build.errors[1]).toMatch(/game\.csproj : error OS9504: /);
      expect(build.output).not.toMatch(/MSB3073|^ *CoreCompile:/m);
    }
    expect(time(assembly)).toBe(before);
    game.write('Shaders/b.ps.hlsl', good);
    expect(await game.build()).toMatchObject({ code: 0, nodeRuns: 1, errors: [] });
    expect(time(assembly)).toBeGreaterThan(before);
    await unchanged();
  });

  it('switching debug information compiles all shaders, and changes only bytes in the C#', async () => {
    const before = game.read(generated);
    expect(await game.compileShaders(['-p:OneShaderDebugInfo=false'])).toMatchObject({
      code: 0,
      compiled: all,
    });
    expect(game.read(generated)).not.toBe(before);
    expect(withoutBytes(game.read(generated))).toBe(withoutBytes(before));
    await unchanged(['-p:OneShaderDebugInfo=false']);
    expect(await game.compileShaders()).toMatchObject({ code: 0, compiled: all });
    expect(game.read(generated)).toBe(before);
  });

  it('a rebuild compiles all shaders, and a clean project has no outputs', async () => {
    expect(await game.build(['-t:Rebuild'])).toMatchObject({ code: 0, nodeRuns: 1, compiled: all });
    expect((await game.dotnet(['clean'])).code).toBe(0);
    expect(game.exists('obj/Debug/net10.0/oneshader')).toBe(false);
  });

  it('a project that has no shaders any more keeps no C# of them', async () => {
    game.remove('Shaders');
    game.write('Sizes.cs', '');
    expect(await game.build()).toMatchObject({ code: 0, nodeRuns: 0, errors: [] });
    expect(game.exists('obj/Debug/net10.0/oneshader')).toBe(false);
  });

  if (isLong)
    it('200 shaders are built in time', { timeout: 600_000 }, async () => {
      const large = place.project('large', { 'large.csproj': projectFile(true), ...shaders() });
      const plain = place.project('plain', { 'plain.csproj': projectFile(false) });
      for (const project of [large, plain]) {
        project.write('Use.cs', 'public static class Use { public static int Of() => 1; }\n');
        await project.restore();
      }
      const full = await built(large, count);
      await built(plain, 0);
      const unchanged: number[] = [];
      const without: number[] = [];
      for (let turn = 0; turn < turns; turn++) {
        unchanged.push((await built(large, 0)).seconds);
        without.push((await built(plain, 0)).seconds);
      }
      large.write(
        'Shaders/s7.ps.hlsl',
        `${large.read('Shaders/s7.ps.hlsl')}// changed\n`.replace('4)', '5)'),
      );
      const one = await built(large, 1);
      const [least, base] = [Math.min(...unchanged), Math.min(...without)];
      const shown = [full.seconds, one.seconds, least, base].map((seconds) => `${seconds.toFixed(2)} s`);
      console.log(
        `${count} shaders: full build ${shown[0]}, one changed ${shown[1]}, unchanged ${shown[2]} (without shaders ${shown[3]})`,
      );
      expect(least - base).toBeLessThan(0.3);
    });
});

async function built(project: Project, compiled: number): Promise<Outcome> {
  const outcome = await project.build();
  expect(outcome, outcome.output).toMatchObject({ code: 0, nodeRuns: compiled > 0 ? 1 : 0 });
  expect(outcome.compiled).toHaveLength(compiled);
  return outcome;
}

function projectFile(hasShaders: boolean): string {
  return `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup Condition="${hasShaders}">
    <PackageReference Include="OneShader.Build" Version="*" PrivateAssets="all" />
    <OneShader Include="Shaders/**/*.hlsl" />
  </ItemGroup>
</Project>
`;
}

/** The sky shader of the console sample under many names; no two are the same. */
function shaders(): Record<string, string> {
  const text = (name: string): string => readFileSync(join(samples, 'console/Shaders', name), 'utf8');
  const files: Record<string, string> = { 'Shaders/common.hlsli': text('common.hlsli') };
  for (let i = 0; i < count; i++)
    files[`Shaders/s${i}.ps.hlsl`] = text('sky.ps.hlsl').replace('towards, 4', `towards * ${i}, 4`);
  return files;
}
