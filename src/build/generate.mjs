// Writes what is derived from syntax/hlsl.ohm: the names of token kinds and both variants of the parser.
// Run as: node src/build/generate.mjs
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const source = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Imports a TypeScript module by bundling it to a temporary file inside the project, where packages resolve. */
async function importTypeScript(file) {
  const temporary = path.join(source, '..', '.tmp');
  mkdirSync(temporary, { recursive: true });
  const folder = mkdtempSync(path.join(temporary, 'generate-'));
  try {
    const outfile = path.join(folder, 'module.mjs');
    await build({
      entryPoints: [file],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Leaves a file alone that is as it should be, so that build tools see no change. */
function write(file, text) {
  let old;
  try {
    old = readFileSync(file, 'utf8');
  } catch {
    old = undefined;
  }
  if (old !== text) writeFileSync(file, text);
}

const { loadGrammar, emitKinds, emitParser, conflicts } = await importTypeScript(
  path.join(source, 'syntax', 'generate-code.ts'),
);
const grammar = loadGrammar(readFileSync(path.join(source, 'syntax', 'hlsl.ohm'), 'utf8'));
write(path.join(source, 'preprocess', 'kinds.gen.ts'), emitKinds(grammar));
write(path.join(source, 'syntax', 'parser.gen.ts'), emitParser(grammar, false));
write(path.join(source, 'syntax', 'parser-tracking.gen.ts'), emitParser(grammar, true));
if (process.argv.includes('--conflicts'))
  for (const c of conflicts(grammar))
    console.log(c.rule, c.i, c.j, c.on.length > 8 ? `${c.on.length} kinds` : c.on.join(' '));
