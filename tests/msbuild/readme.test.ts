/** The README's way from an empty folder to a running program, its commands run as they are written. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/tools.ts';
import { Workplace } from './dotnet.ts';

const root = new URL('../..', import.meta.url).pathname;
const section = /^## \.NET projects\n([\s\S]*?)^##/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))![1]!;
const blocks = (language: string): string[] =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1]!,
  );

describeWith(['dotnet'], 'README', () => {
  let place: Workplace;
  beforeAll(() => {
    place = new Workplace();
  });
  afterAll(() => place?.remove());

  it('leads from an empty folder to a running program', async () => {
    const checkout = join(place.folder, 'checkout');
    mkdirSync(checkout);
    for (const name of ['package.json', 'dist', 'msbuild'])
      cpSync(join(root, name), join(checkout, name), { recursive: true });
    const commands = blocks('sh').join('\n');
    const { code, output } = await place.run('sh', ['-e', '-c', commands], checkout, {
      OneShaderNodePath: '',
    });
    expect(code, output).toBe(0);
    expect(output).toContain(blocks('text')[0]!.trim());
  });
});
