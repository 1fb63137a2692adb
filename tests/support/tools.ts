/**
 * Finds the programs that some tests need. A missing one is never a pass: with CI=true the tests fail, else they are skipped with the
 * tool's name in their titles.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';

export type ToolName =
  | 'spirv-val'
  | 'spirv-as'
  | 'glslangValidator'
  | 'g++'
  | 'clang'
  | 'lavapipe'
  | 'renderdoc'
  | 'dotnet';

const here = dirname(fileURLToPath(import.meta.url));

/** Built programs and other files that tests make; not in git. */
export const buildFolder = join(here, '..', 'build');

const found = new Map<ToolName, string | undefined>();

/** Where a tool is; undefined if this machine lacks it. */
export function findTool(name: ToolName): string | undefined {
  if (!found.has(name)) found.set(name, locate(name));
  return found.get(name);
}

function locate(name: ToolName): string | undefined {
  switch (name) {
    case 'lavapipe':
      return locateLavapipe();
    case 'renderdoc':
      return locateRenderDoc();
    default:
      return onPath(name);
  }
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':').concat('/usr/bin');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The driver's manifest. Vulkan's headers are needed as well, to build the runner. ONESHADER_VULKAN_DRIVER is the manifest of another driver to run on. */
function locateLavapipe(): string | undefined {
  const other = process.env['ONESHADER_VULKAN_DRIVER'];
  if (other) return other;
  const folders = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d'];
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    const file = readdirSync(folder).find((one) => one.startsWith('lvp_icd'));
    if (file && existsSync('/usr/include/vulkan/vulkan.h')) return join(folder, file);
  }
  return undefined;
}

/** The Python that has RenderDoc's module: the system's, which it was built for. */
function locateRenderDoc(): string | undefined {
  const python = '/usr/bin/python3';
  if (!existsSync(python)) return undefined;
  const works = spawnSync(python, ['-c', 'import renderdoc'], { stdio: 'ignore' }).status === 0;
  return works ? python : undefined;
}

/** A tool that must be there, in a test that `describeWith` or `testWith` guards. */
export function requireTool(name: ToolName): string {
  const path = findTool(name);
  if (!path) throw new Error(`${name} is missing on this machine`);
  return path;
}

/** `describe`, if the tools are there. */
export function describeWith(tools: readonly ToolName[], title: string, body: () => void): void {
  const missing = tools.filter((name) => !findTool(name));
  if (missing.length === 0) describe(title, body);
  else absent(missing, title);
}

/** `test`, if the tools are there. */
export function testWith(tools: readonly ToolName[], title: string, body: () => void | Promise<void>): void {
  const missing = tools.filter((name) => !findTool(name));
  if (missing.length === 0) test(title, body);
  else absent(missing, title);
}

function absent(missing: readonly ToolName[], title: string): void {
  const text = `${title} [needs ${missing.join(', ')}]`;
  const fail = (): void => {
    throw new Error(`${missing.join(', ')} missing, and CI must not skip`);
  };
  if (process.env['CI'] === 'true') test(text, fail);
  else test.skip(text, () => {});
}

// ---- programs of our own

/** Builds a C++ program into the build folder if it is older than its sources, and gives its path. */
export function buildProgram(name: string, sources: readonly string[], libraries: readonly string[]): string {
  const output = join(buildFolder, name);
  const newest = Math.max(...sources.map((source) => statSync(source).mtimeMs));
  if (existsSync(output) && statSync(output).mtimeMs > newest) return output;
  mkdirSync(buildFolder, { recursive: true });
  // Test files run in processes of their own, and several may want it at once: each builds, the last one stays.
  const partial = `${output}.${process.pid}`;
  const flags = ['-std=c++17', '-O0', '-Wall', '-o', partial, sources[0]!];
  execFileSync(requireTool('g++'), [...flags, ...libraries], { stdio: ['ignore', 'inherit', 'inherit'] });
  renameSync(partial, output);
  return output;
}

/** Problems that spirv-val finds in a module; empty if it is valid. */
export function validateSpirv(spirv: Uint8Array, options: readonly string[] = []): string {
  const result = spawnSync(requireTool('spirv-val'), [...options, '-'], { input: spirv, encoding: 'utf8' });
  if (result.status === 0) return '';
  return `${result.stdout}${result.stderr}`.trim() || `spirv-val ended with ${result.status}`;
}

/** What spirv-val must be told for modules made with `-fvk-use-...-layout`. */
export function validationFlags(
  targetEnv = 'vulkan1.2',
  layout: 'vulkan' | 'dx' | 'gl' | 'scalar' = 'vulkan',
): string[] {
  const flags = ['--target-env', targetEnv];
  if (layout === 'dx' || layout === 'scalar') flags.push('--scalar-block-layout');
  else if (layout === 'vulkan') flags.push('--relax-block-layout');
  return flags;
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}
