// Our Metal text beside SPIRV-Cross's of the same SPIR-V: `node tests/bench/readability.mjs -O3 corpus/a.hlsl:PSMain:ps_6_0 ...`.
// Lines of code, locals, those of them that have no name of the source, casts, and names of the source that locals have. Needs the
// built command and `spirv-cross`; no test depends on it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/oneshader.cjs', import.meta.url));
const kinds = ['lines', 'locals', 'unnamed', 'casts', 'kept'];
const declaration =
  /^\s+(?:const )?(?:threadgroup )?(?:metal::)?[A-Za-z_][\w:]*(?:<[^>\n]*>)? ([A-Za-z_]\w*)(?: = |;)/gm;
const unnamed = /^(_\d+|(value|index|at|next)(_\d+)*)$/;
const cast =
  /\b(?:metal::)?(?:float|half|int|uint|bool|short|ushort)[234]?\([^,()]*\)|as_type<|\((?:thread|device|threadgroup|constant) /g;

function count(text, sourceNames) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^#|^\s*\/\//.test(line));
  const code = lines.join('\n');
  const outside = code.replace(/^struct \w+\s*\{[^}]*\}/gm, '');
  const locals = [...outside.matchAll(declaration)].map((match) => match[1]);
  const plain = locals.map((name) => name.replace(/(_\d+)+$/, '').replace(/0$/, ''));
  return {
    lines: lines.length,
    locals: locals.length,
    unnamed: locals.filter((name) => unnamed.test(name)).length,
    casts: (code.match(cast) ?? []).length,
    kept: new Set(plain.filter((name) => sourceNames.has(name))).size,
  };
}

const show = (name, [ours, theirs]) =>
  console.log(name.padEnd(44), ...kinds.map((kind) => `${ours[kind]}/${theirs[kind]}`.padStart(10)));

const [level, ...shaders] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'oneshader-readability-'));
const sums = [0, 1].map(() => Object.fromEntries(kinds.map((kind) => [kind, 0])));
console.log('ours/SPIRV-Cross'.padEnd(44), ...kinds.map((kind) => kind.padStart(10)));
for (const shader of shaders) {
  const [file, entry, profile] = shader.split(':');
  const [spirv, metal] = ['spv', 'metal'].map((kind) => join(folder, `a.${kind}`));
  execFileSync(process.execPath, [
    command,
    level,
    '-T',
    profile,
    '-E',
    entry,
    file,
    '-Fo',
    spirv,
    '-Fmsl',
    metal,
  ]);
  const names = /\b(?:float|int|uint|bool|half|[A-Z]\w*)(?:[1-4](?:x[1-4])?)? (\w+)(?= *[=;,):[])/g;
  const sourceNames = new Set([...readFileSync(file, 'utf8').matchAll(names)].map((match) => match[1]));
  const theirs = execFileSync('spirv-cross', [spirv, '--msl', '--msl-version', '30000'], {
    encoding: 'utf8',
  });
  const counts = [readFileSync(metal, 'utf8'), theirs].map((text) => count(text, sourceNames));
  show(shader, counts);
  for (const kind of kinds) for (const i of [0, 1]) sums[i][kind] += counts[i][kind];
}
show('sum', sums);
rmSync(folder, { recursive: true, force: true });
