/** Before any test: the parser that the build derives from the grammar, and the built command for tests that run it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function setup(): void {
  const build = fileURLToPath(new URL('../../src/build/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build, '--no-types'], { stdio: 'inherit' });
}
