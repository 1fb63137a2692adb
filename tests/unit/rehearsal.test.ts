import { expect, test } from 'vitest';
import { sample } from '../../src/cli/rehearsal.ts';
import { compile } from '../../src/compile.ts';

test.each([false, true])('the shader of the rehearsal compiles, optimizer %s', (optimize) => {
  const { ok, diagnostics } = compile({
    source: { name: 'rehearsal.hlsl', text: sample },
    profile: 'ps_6_0',
    optimize,
  });
  expect(diagnostics).toEqual([]);
  expect(ok).toBe(true);
});
