/** The README's table of flags follows from the rows of flags.ts. `npm run test:update` rewrites it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { flagUsage } from '../../src/cli/command.ts';
import { flags } from '../../src/cli/flags.ts';

const file = new URL('../../README.md', import.meta.url).pathname;
const marks = /(<!-- flags: [^>]*-->\n)[\s\S]*?(<!-- \/flags -->)/;

function table(): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const rows = flags
    .filter((flag) => flag.group !== 'Ignored')
    .map((flag) => `| ${flag.group} | \`${cell(flagUsage(flag))}\` | ${cell(flag.help)} |`);
  const ignored = flags
    .filter((flag) => flag.group === 'Ignored')
    .flatMap((flag) => flag.names.map((name) => `\`-${name}\``));
  return `| | flag | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n\nAccepted without effect: ${ignored.sort().join(' ')}.\n`;
}

describe('README', () => {
  it('lists every flag', () => {
    const text = readFileSync(file, 'utf8');
    const expected = text.replace(marks, (_, open: string, close: string) => `${open}${table()}${close}`);
    if (process.env['ONESHADER_UPDATE']) writeFileSync(file, expected);
    else expect(text).toBe(expected);
  });
});
