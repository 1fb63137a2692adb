/**
 * Projects that the real .NET SDK builds with the packed package. Everything that a build writes outside its project (NuGet's folders, the
 * SDK's first-run files) goes to one temporary folder, and the only package source is a folder with the package.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { vi } from 'vitest';
import { requireTool } from '../support/tools.ts';

const root = new URL('../..', import.meta.url).pathname;
// Several builds in one test take long beside other test files.
vi.setConfig({ testTimeout: 300_000 });

export const samples = new URL('samples', import.meta.url).pathname;

export interface Outcome {
  code: number;
  output: string;
  /** Error and warning lines, each once, without the project that MSBuild adds behind them. */
  errors: string[];
  warnings: string[];
  /** How many times Node was started. */
  nodeRuns: number;
  /** Shaders that were compiled: the compiler's lines of progress. */
  compiled: string[];
  seconds: number;
}

export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'oneshader-msbuild-'));
  private readonly nodeLog = join(this.folder, 'node.log');

  /** The only source of packages is the folder `feed`, which is empty. */
  constructor() {
    for (const name of ['home', 'packages', 'tmp', 'feed']) mkdirSync(join(this.folder, name));
    this.write(
      'node-logged',
      `#!/bin/sh\necho run >> '${this.nodeLog}'\nexec '${process.execPath}' "$@"\n`,
      0o755,
    );
    this.write(
      'nuget.config',
      '<configuration><packageSources><clear /><add key="local" value="feed" /></packageSources></configuration>\n',
    );
  }

  /** Packs the package into the feed. */
  static async create(): Promise<Workplace> {
    const place = new Workplace();
    // Intermediate files of packing stay out of the source tree, where other test files may be packing too.
    const obj = join(place.folder, 'pack') + '/';
    const pack = await place.dotnet(
      ['pack', join(root, 'msbuild'), '-o', 'feed', `-p:BaseIntermediateOutputPath=${obj}`],
      place.folder,
    );
    if (pack.code !== 0 || pack.warnings.length > 0) throw new Error(pack.output);
    return place;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(path: string, text: string, mode = 0o644): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }

  /** A file of the package as it is installed. */
  installed(name: string): string {
    const versions = join(this.folder, 'packages/oneshader.build');
    return join(versions, readdirSync(versions)[0]!, name);
  }

  /** A folder with a copy of a sample, or with the given files. */
  project(path: string, files: string | Record<string, string>): Project {
    if (typeof files === 'string') cpSync(join(samples, files), join(this.folder, path), { recursive: true });
    else for (const [name, text] of Object.entries(files)) this.write(join(path, name), text);
    return new Project(this, join(this.folder, path));
  }

  async dotnet(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Outcome> {
    return this.run(requireTool('dotnet'), args, cwd, env);
  }

  async run(
    program: string,
    args: readonly string[],
    cwd: string,
    env: Record<string, string> = {},
  ): Promise<Outcome> {
    writeFileSync(this.nodeLog, '');
    const start = performance.now();
    const { exitCode, all } = await execa(program, args, {
      cwd,
      all: true,
      reject: false,
      env: { ...this.environment(), ...env },
    });
    const lines = all.split('\n');
    const found = (pattern: RegExp): string[] => [
      ...new Set(
        lines
          .filter((line) => pattern.test(line))
          .map((line) => line.trim().replace(/ \[[^\]]*proj[^\]]*\]$/, '')),
      ),
    ];
    return {
      code: exitCode ?? -1,
      output: all,
      errors: found(/\berror [A-Z]+\d+: /),
      warnings: found(/\bwarning [A-Z]+\d+: /),
      nodeRuns: readFileSync(this.nodeLog, 'utf8').split('\n').length - 1,
      compiled: found(/^\s*\S+\.hlsl( \([\w ]+\))?$/).sort(),
      seconds: (performance.now() - start) / 1000,
    };
  }

  /** No server stays behind, and nothing is sent or asked for. */
  private environment(): Record<string, string> {
    return {
      CI: '',
      DOTNET_CLI_HOME: join(this.folder, 'home'),
      DOTNET_CLI_TELEMETRY_OPTOUT: '1',
      DOTNET_CLI_UI_LANGUAGE: 'en',
      DOTNET_CLI_USE_MSBUILD_SERVER: '0',
      DOTNET_NOLOGO: '1',
      MSBUILDDISABLENODEREUSE: '1',
      NUGET_PACKAGES: join(this.folder, 'packages'),
      OneShaderNodePath: join(this.folder, 'node-logged'),
      TMPDIR: join(this.folder, 'tmp'),
      UseSharedCompilation: 'false',
    };
  }
}

export class Project {
  readonly folder: string;
  private readonly place: Workplace;

  constructor(place: Workplace, folder: string) {
    this.place = place;
    this.folder = folder;
  }

  async restore(): Promise<void> {
    const { code, output } = await this.place.dotnet(['restore'], this.folder);
    if (code !== 0) throw new Error(output);
  }

  /** A build without restore, in one process, that shows progress. */
  build(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
    return this.place.dotnet(
      ['build', '--no-restore', '-m:1', '--tl:off', '-v:n', ...args],
      this.folder,
      env,
    );
  }

  /** Builds only what comes before the C# compiler: faster, where that is all that matters. */
  compileShaders(args: readonly string[] = []): Promise<Outcome> {
    return this.build(['-t:OneShaderCompile', ...args]);
  }

  dotnet(args: readonly string[]): Promise<Outcome> {
    return this.place.dotnet(args, this.folder);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  exists(name: string): boolean {
    return existsSync(this.path(name));
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Replaces the one place that has a text. */
  edit(name: string, before: string, after: string): void {
    const text = this.read(name);
    if (text.split(before).length !== 2) throw new Error(`${name} must have '${before}' once`);
    this.write(
      name,
      text.replace(before, () => after),
    );
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true });
  }
}
