/** Compile options from a command line as a shader's `// RUN:` line holds it, with files read from the project. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { splitWords } from '../../src/cli/arguments.ts';
import { readCommandLine } from '../../src/cli/command.ts';
import type { CompileOptions } from '../../src/index.ts';

/** `file` is absolute; the source's name is relative to `root`, so results do not depend on where the project lies. */
export function readOptions(flags: string, file: string, root: string): CompileOptions {
  const files = { read: (path: string) => readFileSync(path, 'utf8'), exists: () => false };
  const { settings } = readCommandLine([...splitWords(flags), 'input.hlsl'], files, '0.0.0');
  return {
    ...settings.compile,
    source: { name: relative(root, file), text: readFileSync(file, 'utf8') },
    includes: (path) => {
      const absolute = new URL(path, `file://${root}`).pathname;
      return existsSync(absolute) && statSync(absolute).isFile() ? readFileSync(absolute, 'utf8') : undefined;
    },
  };
}
