/** What the command reads, and how it says that it cannot. */
import { existsSync, statSync } from 'node:fs';
import type { Settings } from './flags.ts';

export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** The map of `--msl-bindings`, or what is wrong with it. `read` throws for a file that cannot be read. */
export function readBindings(
  { metal, compile }: Settings,
  read: (path: string) => string,
): Settings['compile']['metal'] | string {
  if (metal.bindings === undefined) return compile.metal;
  let map: unknown;
  try {
    map = JSON.parse(read(metal.bindings));
  } catch (error) {
    return `cannot read the bindings '${metal.bindings}'${error instanceof SyntaxError ? ': it is no JSON' : reason(error)}`;
  }
  const isMap = typeof map === 'object' && map !== null && !Array.isArray(map);
  const wrong = isMap
    ? Object.entries(map as object).find(([, value]) => !Number.isInteger(value) || value < 0)
    : [''];
  if (wrong)
    return `the bindings '${metal.bindings}' must be an object of indices by names${wrong[0] ? `, and '${wrong[0]}' has none` : ''}`;
  return { ...compile.metal, bindings: map as Record<string, number> };
}

/** `: no such file or folder`, to go on from the name of a file. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const texts: Record<string, string> = {
    ENOENT: 'no such file or folder',
    EACCES: 'no permission',
    EISDIR: 'it is a folder',
    ENOTDIR: 'no such folder',
  };
  return code ? `: ${texts[code] ?? code}` : '';
}
