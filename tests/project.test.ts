/** The project's own rules: types, format and lint. */
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

describe('project', () => {
  it.each(['.', 'src/cli', 'tests'])('type-checks %s', async (folder) => {
    const { stdout, exitCode } = await execa('node', ['node_modules/typescript/bin/tsc', '-p', folder], {
      cwd: root,
      reject: false,
    });
    expect(stdout).toBe('');
    expect(exitCode).toBe(0);
  });

  it('is formatted and free of lint', async () => {
    const { stdout, stderr, exitCode } = await execa(
      'node',
      ['node_modules/@biomejs/biome/bin/biome', 'ci'],
      { cwd: root, reject: false },
    );
    expect(exitCode, stdout + stderr).toBe(0);
  });
});
