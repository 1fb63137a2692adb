/** The corpus in Metal: every command line type-checks, with the optimizer and without, with `--robust` too, and `#line` changes no token. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../src/index.ts';
import { readOptions } from './support/command-line.ts';
import { checkMsl } from './support/msl.ts';
import { describeWith } from './support/tools.ts';

const root = new URL('..', import.meta.url).pathname;
const files = readdirSync(join(root, 'corpus'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.hlsl'))
  .map((name) => join(root, 'corpus', name))
  .sort();

/** What Metal lacks, or the backend does not have yet. */
const refused = /OS600[1-3]/;

const isLong = process.env['ONESHADER_LONG'] === '1';

/** The text without its `#line` directives. */
const plain = (text: string): string => text.replace(/^#line .*\n/gm, '');

describeWith(['clang'], 'corpus: every command line gives Metal text that type-checks', () => {
  const folders = [...new Set(files.map((file) => relative(join(root, 'corpus'), file).split('/')[0]!))];
  test.each(folders)('%s', (folder) => {
    const texts: Record<string, string> = {};
    for (const file of files.filter((one) => one.startsWith(join(root, 'corpus', folder))))
      (readFileSync(file, 'utf8').match(/^\/\/ RUN: .*$/gm) ?? []).forEach((line, n) => {
        for (const level of [0, 3] as const) {
          const given = {
            ...readOptions(line.slice('// RUN: '.length), file, root),
            target: 'msl' as const,
            optimize: level,
          };
          const metal = { version: '3.2' as const, layoutAsserts: true };
          const off = compile({ ...given, metal, debugInfo: false });
          if (!off.msl) {
            expect(off.diagnostics.map((one) => one.code).join()).toMatch(refused);
            continue;
          }
          const on = compile({ ...given, metal, debugInfo: true });
          expect(off.msl).not.toContain('#line');
          expect(on.msl).toContain('#line');
          expect(plain(on.msl!)).toBe(off.msl);
          texts[`${relative(root, file)}_${n}_${level}`] = on.msl!;
          if (level === 0 && !isLong) continue;
          const robust = compile({ ...given, metal: { ...metal, robust: true }, debugInfo: false });
          texts[`${relative(root, file)}_${n}_${level}_robust`] = robust.msl!;
        }
      });
    expect(checkMsl(texts)).toBe('');
  });
});
