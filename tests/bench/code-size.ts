/**
 * Counts executable SPIR-V instructions: all in functions but labels, variables, parameters, phis, merges and records. Without
 * arguments of the project's corpus, as sums over its command lines with the optimizer off and at level 3; with a folder of each
 * module in it, by file name. Prints JSON; run by bench.mjs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModule } from '../../src/compile.ts';
import { Op } from '../../src/spirv/enums.ts';
import { stripDebug } from '../../src/spirv/strip.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';

const notExecuted: ReadonlySet<number> = new Set<number>([
  Op.Nop,
  Op.Undef,
  Op.Line,
  Op.NoLine,
  Op.Function,
  Op.FunctionParameter,
  Op.FunctionEnd,
  Op.Variable,
  Op.Phi,
  Op.LoopMerge,
  Op.SelectionMerge,
  Op.Label,
]);

function executable(module: Uint32Array): number {
  const words = stripDebug(module, { keepIdentifier: false });
  if (!words) throw new Error('no module');
  let count = 0;
  let inFunction = false;
  for (let at = 5; at < words.length; at += words[at]! >>> 16) {
    const op = words[at]! & 0xffff;
    if (op === Op.Function) inFunction = true;
    if (inFunction && !notExecuted.has(op)) count++;
    if (op === Op.FunctionEnd) inFunction = false;
  }
  return count;
}

function ofCorpus(): { jobs: number; off: number; full: number } {
  const sums = { jobs: 0, off: 0, full: 0 };
  for (const job of corpusJobs) {
    const sizes = ([0, 3] as const).map((optimize) => {
      const { words } = compileModule({ ...corpusOptions(job), optimize, debugInfo: [] });
      return words && executable(words);
    });
    if (sizes[0] === undefined || sizes[1] === undefined) continue;
    sums.jobs++;
    sums.off += sizes[0];
    sums.full += sizes[1];
  }
  return sums;
}

function ofFolder(folder: string): Record<string, number> {
  const modules = readdirSync(folder).filter((name) => name.endsWith('.spv'));
  return Object.fromEntries(
    modules.map((name) => [
      name,
      executable(new Uint32Array(Uint8Array.from(readFileSync(join(folder, name))).buffer)),
    ]),
  );
}

const [folder] = process.argv.slice(2);
console.log(JSON.stringify(folder === undefined ? ofCorpus() : ofFolder(folder)));
