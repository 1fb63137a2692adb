/** What surrounds a build: the package's files, Node, messages, IDEs, several frameworks and projects at once. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, readText } from '../support/tools.ts';
import { type Project, Workplace } from './dotnet.ts';

const root = new URL('../..', import.meta.url).pathname;
const shader = 'float4 main() : SV_Target { return 1; }\n';
const generated = 'obj/Debug/net10.0/oneshader/OneShader.g.cs';

function projectFile(properties: string, items: string): string {
  return `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>${properties}</PropertyGroup>
  <ItemGroup>
    <PackageReference Include="OneShader.Build" Version="*" PrivateAssets="all" />
    ${items}
  </ItemGroup>
</Project>
`;
}
const simple = projectFile('<TargetFramework>net10.0</TargetFramework>', '<OneShader Include="**/*.hlsl" />');

describeWith(['dotnet'], 'the package', () => {
  let place: Workplace;
  let plain: Project;
  beforeAll(async () => {
    place = await Workplace.create();
    plain = place.project('plain', { 'plain.csproj': simple, 'a.ps.hlsl': shader });
    await plain.restore();
  });
  afterAll(() => place?.remove());

  it('holds the rules, the bundles and the licence of what they contain', () => {
    const files = readdirSync(place.installed(''), { recursive: true }).map(String);
    expect(files.filter((name) => /\/|README/.test(name)).sort()).toEqual([
      'README.md',
      'build/OneShader.Build.props',
      'build/OneShader.Build.targets',
      'buildTransitive/OneShader.Build.props',
      'buildTransitive/OneShader.Build.targets',
      ...readdirSync(new URL('../../dist', import.meta.url))
        .filter((name) => /\.cjs$|^commander/.test(name))
        .concat('build.cjs')
        .map((name) => `tools/${name}`)
        .sort(),
    ]);
  });

  it('has its metadata, properties and errors in the README', () => {
    const [rules, readme] = ['msbuild/build/OneShader.Build.targets', 'README.md'].map((name) =>
      readText(join(root, name)),
    );
    const section = /^## \.NET projects\n([\s\S]*?)^## /m.exec(readme!)![1]!;
    const wellKnown = ['Identity', 'FullPath', 'ModifiedTime'];
    const metadata = [...rules!.matchAll(/%\((\w+)\)/g)].map((match) => match[1]!);
    const properties = [...rules!.matchAll(/\$\((OneShader\w+)\)/g)].map((match) => match[1]!);
    for (const name of [...metadata.filter((one) => !wellKnown.includes(one)), ...properties])
      expect(section, name).toContain(`\`${name}\``);
    for (const [code] of rules!.matchAll(/OS95\d\d/g)) expect(section).toContain(code);
  });

  it.each(['no-such-node', '/no/such/node'])('says once that there is no Node: %s', async (path) => {
    const { code, errors } = await plain.build([`-p:OneShaderNodePath=${path}`]);
    expect(code).toBe(1);
    expect(errors).toEqual([
      `${plain.path('plain.csproj')} : error OS9502: '${path}' cannot be started: OneShader needs Node.js 20 or later on the PATH, or its path in the property OneShaderNodePath`,
    ]);
  });

  it('says once that Node is too old', async () => {
    place.write('old.cjs', "Object.defineProperty(process, 'version', { value: 'v18.20.4' });\n");
    const old = join(place.folder, 'old-node');
    place.write(
      'old-node',
      `#!/bin/sh\nexec '${process.execPath}' -r '${place.folder}/old.cjs' "$@"\n`,
      0o755,
    );
    const { code, errors } = await plain.build([`-p:OneShaderNodePath=${old}`]);
    expect(code).toBe(1);
    expect(errors).toEqual([
      `${plain.path('plain.csproj')} : error OS9503: '${old}' is Node.js v18.20.4, and OneShader needs 20 or later`,
    ]);
  });

  it('refuses projects of other languages', async () => {
    const visualBasic = place.project('basic', { 'basic.vbproj': simple, 'a.ps.hlsl': shader });
    await visualBasic.restore();
    const { code, errors } = await visualBasic.compileShaders();
    expect(code).toBe(1);
    expect(errors).toEqual([
      `${visualBasic.path('basic.vbproj')} : error OS9501: shaders become C#, and this is a project in VB`,
    ]);
  });

  it('tells an IDE of the generated file without making it', async () => {
    const ide = place.project('ide', { 'ide.csproj': simple, 'a.ps.hlsl': shader });
    await ide.restore();
    const designTime = ['-t:Compile', '-p:DesignTimeBuild=true', '-p:SkipCompilerExecution=true'];
    const asked = [
      '-getItem:Compile',
      '-getItem:None',
      '-getItem:UpToDateCheckInput',
      '-getItem:UpToDateCheckBuilt',
    ];
    const { code, output, nodeRuns } = await ide.dotnet(['msbuild', ...designTime, ...asked]);
    expect(code, output).toBe(0);
    expect(nodeRuns).toBe(0);
    const { Items } = JSON.parse(output) as { Items: Record<string, { Identity: string }[]> };
    const names = (item: string): string[] => Items[item]!.map((one) => one.Identity);
    expect(names('Compile')).toContain(generated);
    expect(names('None')).toEqual([]);
    expect(names('UpToDateCheckInput')).toContain('a.ps.hlsl');
    expect(names('UpToDateCheckBuilt')).toContain('obj/Debug/net10.0/oneshader/stamp');
    expect(ide.exists('obj/Debug/net10.0/oneshader')).toBe(false);
  });

  it('shows warnings at their place, and makes errors of them when asked', async () => {
    const warned = place.project('warned', {
      'warned.csproj': simple,
      'a.ps.hlsl':
        'float4 main() : SV_Target {\n  float3 wide = 1;\n  float2 narrow = wide;\n  return narrow.xyxy;\n}\n',
    });
    await warned.restore();
    const place1 = `${warned.path('a.ps.hlsl')}(3,19): `;
    const { code, warnings } = await warned.build();
    expect(code).toBe(0);
    expect(warnings).toEqual([expect.stringMatching(/^.*\(3,\d+\): warning OS3\d{3}: /)]);
    expect(warnings[0]).toContain(place1);
    const failed = await warned.compileShaders(['-p:OneShaderTreatWarningsAsErrors=true']);
    expect(failed.code).toBe(1);
    expect(failed.errors[0]).toContain(`${place1}error OS3`);
  });

  it('takes every property and every metadata, whatever characters they have', async () => {
    const odd = place.project('odd & ünd', {
      'odd.csproj': projectFile(
        `<TargetFramework>net10.0</TargetFramework>
    <OneShaderOptimize>true</OneShaderOptimize>
    <OneShaderDebugInfo>false</OneShaderDebugInfo>
    <OneShaderTargets>spirv;msl</OneShaderTargets>
    <OneShaderTargetEnv>vulkan1.3</OneShaderTargetEnv>
    <OneShaderMslVersion>2.4</OneShaderMslVersion>
    <OneShaderIncludeDirs>
      inc dir;
    </OneShaderIncludeDirs>
    <OneShaderDefines>PAIR=float2(1, 2)</OneShaderDefines>`,
        `<OneShader Include="o'dd (100%25) &amp; \`name\`.hlsl" EntryPoint="shade" Profile="ps_6_0"
               Defines="SUM=(A+1);A='\\0'" IncludeDirs="more%3Binc;$([MSBuild]::Escape('@(x)'))" AdditionalOptions="-D &quot;QUAD=float4(1, 2, 3, 4)&quot; -fvk-t-shift 5 0"
               AccessModifier="public" ClassName="Odd" Namespace="Other.Place" />`,
      ),
      "o'dd (100%) & `name`.hlsl":
        '#include "own.hlsli"\nTexture2D<float4> image : register(t1);\nfloat4 shade() : SV_Target { return image[int2(OWN, 0)] + QUAD * PAIR.xyxy + SUM; }\n',
      'inc dir/own.hlsli': '#define OWN 1\n',
    });
    await odd.restore();
    expect(await odd.build()).toMatchObject({ code: 0, errors: [], nodeRuns: 1 });
    expect(odd.read('obj/Debug/net10.0/oneshader/jobs.json')).toContain("A='%5C0'");
    const code = odd.read(generated);
    expect(code).toMatch(/namespace Other\.Place\b/);
    expect(code).toMatch(/public static (partial )?class Odd\b/);
    expect(code).toMatch(/EntryPoint = "shade"/);
    expect(await odd.build()).toMatchObject({ code: 0, nodeRuns: 0 });
  });

  it('builds two projects for two frameworks each at the same time, with shaders in common', async () => {
    // No package has the reference assemblies of netstandard2.0 here; those of .NET 10 do for a compilation.
    const library = projectFile(
      '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks><DisableImplicitFrameworkReferences>true</DisableImplicitFrameworkReferences>',
      `<OneShader Include="../common/**/*.hlsl" />
    <Reference Include="$(NetCoreTargetingPackRoot)/Microsoft.NETCore.App.Ref/*/ref/net10.0/*.dll" />`,
    );
    const both = place.project('both', {
      'both.proj':
        '<Project><Target Name="Build"><MSBuild Projects="one/one.csproj;two/two.csproj" BuildInParallel="true" /></Target></Project>\n',
      'one/one.csproj': library,
      'two/two.csproj': library,
      ...Object.fromEntries([1, 2, 3].map((i) => [`common/s${i}.ps.hlsl`, shader.replace('1', `${i}`)])),
    });
    for (const name of ['one', 'two']) {
      const { code, output } = await both.dotnet(['restore', `${name}/${name}.csproj`]);
      expect(code, output).toBe(0);
    }
    const build = (): ReturnType<Project['dotnet']> =>
      both.dotnet(['msbuild', 'both.proj', '-m:4', '--tl:off']);
    expect(await build()).toMatchObject({ code: 0, errors: [], warnings: [], nodeRuns: 4 });
    for (const name of ['one', 'two'])
      for (const framework of ['net10.0', 'netstandard2.0'])
        expect(both.exists(`${name}/bin/Debug/${framework}/${name}.dll`)).toBe(true);
    expect(both.read('one/obj/Debug/net10.0/oneshader/OneShader.g.cs')).toContain('ReadOnlySpan');
    expect(both.read('one/obj/Debug/netstandard2.0/oneshader/OneShader.g.cs')).not.toContain('ReadOnlySpan');
    expect(await build()).toMatchObject({ code: 0, nodeRuns: 0 });
  });
});
