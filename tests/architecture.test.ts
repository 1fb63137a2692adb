/** Keeps the architecture page true: import direction, no Node API in the core, sizes, complete tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flags } from '../src/cli/flags.ts';
import { messageTable } from '../src/source/messages.ts';

const root = new URL('..', import.meta.url).pathname;
const src = join(root, 'src');

/** Left to right; a file imports from its own folder and from the left. spirv and msl do not know each other. */
const order = [
  'options.ts',
  'source',
  'preprocess',
  'syntax',
  'types',
  'ir',
  'intrinsics',
  'check',
  'lower',
  'passes',
  'reflect',
  'spirv',
  'msl',
  'csharp',
  'compile.ts',
  'index.ts',
  'cli',
];

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
const sources = files(src).filter((file) => !relative(src, file).startsWith('build'));

const stageOf = (file: string): string => relative(src, file).split('/')[0]!;

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^'";]*from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => (match[1] ?? match[2])!,
  );
}

describe('architecture', () => {
  it('has every folder in the order', () => {
    const unknown = [...new Set(sources.map(stageOf))].filter((stage) => !order.includes(stage));
    expect(unknown).toEqual([]);
  });

  it('imports point left', () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const own = order.indexOf(stageOf(file));
      for (const target of imports(file)) {
        if (!target.startsWith('.')) continue;
        const stage = stageOf(join(file, '..', target));
        if (order.indexOf(stage) > own) wrong.push(`${relative(src, file)} -> ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('uses no package or Node API left of cli', () => {
    const wrong: string[] = [];
    for (const file of sources) {
      if (stageOf(file) === 'cli' || relative(src, file) === 'syntax/generate.ts') continue;
      for (const target of imports(file))
        if (!target.startsWith('.')) wrong.push(`${relative(src, file)} -> ${target}`);
      const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      if (/\b(process|Buffer|console|require|Date\.now|performance|Math\.random)\b[.(]/.test(text))
        wrong.push(relative(src, file));
    }
    expect(wrong).toEqual([]);
  });

  it('keeps files under 500 lines, tables excepted', () => {
    const tables =
      /^(spirv\/(enums|grammar\.gen)|syntax\/ast|preprocess\/kinds\.gen|syntax\/parser(-tracking)?\.gen|cli\/flags|check\/program|intrinsics\/\w+|source\/messages\/.*)\.ts$/;
    const long = sources
      .filter((file) => !tables.test(relative(src, file)))
      .map((file) => [relative(src, file), readFileSync(file, 'utf8').split('\n').length] as const)
      .filter(([, lines]) => lines > 500);
    expect(long).toEqual([]);
  });

  it('passes are one function named as the file, with a Positions line', () => {
    const wrong: string[] = [];
    for (const file of sources.filter((one) => /(^|\/)(passes|legalize)\//.test(relative(src, one)))) {
      const name = file.split('/').pop()!.replace('.ts', '');
      if (name === 'pipeline') continue;
      const camel = name.replace(/-(\w)/g, (_, c: string) => c.toUpperCase());
      const text = readFileSync(file, 'utf8');
      const exported = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map((match) => match[1]);
      if (exported.length !== 1 || exported[0] !== camel)
        wrong.push(`${relative(src, file)} exports ${exported}`);
      if (!/^ \* Positions: /m.test(text)) wrong.push(`${relative(src, file)} has no Positions line`);
    }
    expect(wrong).toEqual([]);
  });

  it('gives every message a unique code of its stage and one sentence', () => {
    const codes = Object.values(messageTable()).flatMap((row) => ('code' in row ? [row.code] : []));
    expect(new Set(codes).size).toBe(codes.length);
    for (const [key, row] of Object.entries(messageTable())) {
      if ('code' in row) expect(row.code, key).toMatch(/^OS[1-6|9]\d{3}$/);
      expect(row.text, key).toMatch(/^[^A-Z](?!.*\.$)/);
    }
  });

  it('triggers every message in a test', () => {
    const texts = files(join(root, 'tests'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const untested = Object.entries(messageTable())
      .filter(([key, row]) => 'code' in row && !texts.includes(`'${key}'`) && !texts.includes(row.code))
      .map(([key]) => key);
    expect(untested).toEqual([]);
  });

  it('spells every flag once', () => {
    const names = flags.flatMap((flag) => flag.names);
    expect(new Set(names).size).toBe(names.length);
  });
});
