// Builds the package into dist/: the generated parser, the library, its types, and the command as bundles.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** commander can start sub-commands as programs; we have none, and loading node:child_process costs start-up time. */
const withoutChildProcess = {
  name: 'without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?child_process$/ }, () => ({ path: 'child_process', namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * The numbers of SPIR-V stand in place of their names: no look-ups in large objects, and no objects where that was their only use.
 * This is 1 % of the instructions of a short run. esbuild itself does so for enums, which `erasableSyntaxOnly` rules out.
 */
const numbersInPlace = {
  name: 'numbers-in-place',
  setup({ onLoad }) {
    const tables = new Map();
    const enums = readFileSync(join(root, 'src/spirv/enums.ts'), 'utf8');
    for (const [, table, rows] of enums.matchAll(/^export const (\w+) = \{$(.*?)^\} as const;$/gms)) {
      const entries = [...rows.matchAll(/^ {2}'?(\w+)'?: (\w+),/gm)];
      tables.set(table, new Map(entries.map(([, name, number]) => [name, number])));
    }
    onLoad({ filter: /[\\/]src[\\/]spirv[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const imported = /^import \{([^}]*)\} from '\.{1,2}\/enums\.ts';/m.exec(text)?.[1] ?? '';
      const contents = text.replace(/\b([A-Z]\w+)\.([A-Z]\w*)\b/g, (whole, table, name) =>
        new RegExp(`\\b${table}\\b`).test(imported) ? (tables.get(table)?.get(name) ?? whole) : whole,
      );
      return { loader: 'ts', contents };
    });
  },
};

/**
 * What a sound compilation to a SPIR-V file does without, as `isPlain` of cli/main.ts has it: loading it takes time. Where one is asked
 * for all the same (recovery from a syntax error), that is an internal error, and main.ts hands the call on.
 */
const extras = {
  'cli/batch/batch.ts': ['runBatch'],
  'cli/batch/worker.ts': ['work'],
  'cli/header.ts': ['headerText'],
  'cli/tasks.ts': ['runTask'],
  'ir/print.ts': ['print'],
  'cli/lines.ts': ['throughLines'],
  'msl/emit.ts': ['declaredSlots', 'emitMsl'],
  'msl/symbolicate.ts': ['symbolicator'],
  'spirv/disassemble.ts': ['disassemble'],
  'spirv/strip.ts': ['buildIdentifier', 'stripDebug'],
  'syntax/dump.ts': ['dump'],
  'syntax/recovery.ts': ['Recovery'],
};
const withoutExtras = {
  name: 'without-extras',
  setup({ onLoad }) {
    for (const [file, names] of Object.entries(extras)) {
      const filter = new RegExp(`[\\\\/]src[\\\\/]${file.replace('/', '[\\\\/]').replace('.', '\\.')}$`);
      const absent = (name) =>
        `export function ${name}() { throw new Error('${name} is in the other bundle'); }`;
      onLoad({ filter }, () => ({ contents: names.map(absent).join('\n') }));
    }
    // Rows of intrinsics go without their Metal spellings.
    onLoad({ filter: /[\\/]intrinsics[\\/]msl\.ts$/ }, () => ({
      contents: 'export function mslSpellingOf() {}',
    }));
  },
};

const common = { bundle: true, absWorkingDir: root, legalComments: 'none', logLevel: 'warning' };

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
// The parser comes from the grammar; nothing below compiles without it.
execFileSync(process.execPath, [join(here, 'generate.mjs')], { stdio: 'inherit' });
const command = {
  ...common,
  entryPoints: ['src/cli/main.ts'],
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  charset: 'ascii',
  minify: true,
  define: { ONESHADER_VERSION: JSON.stringify(version) },
  // What the launcher calls.
  banner: { js: '(function(require){var module={exports:{}};' },
  footer: { js: 'return module})' },
};
await build({
  ...command,
  outfile: 'dist/plain.cjs',
  plugins: [withoutChildProcess, withoutExtras, numbersInPlace],
});
await build({
  ...command,
  outfile: 'dist/everything.cjs',
  plugins: [withoutChildProcess, numbersInPlace],
});
await build({
  ...common,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.js',
  platform: 'neutral',
  format: 'esm',
  target: 'es2022',
  plugins: [numbersInPlace],
});
copyFileSync(join(here, 'launcher.cjs'), join(dist, 'oneshader.cjs'));
chmodSync(join(dist, 'oneshader.cjs'), 0o755);
// The bundle contains commander, whose licence asks to be passed along.
copyFileSync(join(root, 'node_modules/commander/LICENSE'), join(dist, 'commander.LICENSE'));
if (!process.argv.includes('--no-types')) {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(here, 'tsconfig.types.json')],
    { stdio: 'inherit' },
  );
}
writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n');
