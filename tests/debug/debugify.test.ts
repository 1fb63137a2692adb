/**
 * Positions survive every pass. Before a pass each instruction gets a position of its own; behind it, one that was there before
 * still has it, and a new one has the position of an instruction that explains it:
 *
 * - one that is gone: it was replaced, moved or copied;
 * - one of the same kind: it was copied;
 * - a control instruction or the store to a variable, for debug values and what joins and splits values there;
 * - the function, for what it begins with;
 * - the one that a debug value stands in front of, where values are told again;
 * - one that uses the new one, which was made for it.
 *
 * Two rules give another position to what was there: equal code of both arms of an `if` gets the branch's, and debug values at the
 * head of a loop's body the loop's.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CompileOptions, completeOptions } from '../../src/compile.ts';
import type { Instruction, Module, Value } from '../../src/ir/ir.ts';
import { isDebug } from '../../src/ir/uses.ts';
import { validate } from '../../src/ir/validate.ts';
import { walkModule } from '../../src/ir/walk.ts';
import { type PassWatcher, runPasses } from '../../src/passes/pipeline.ts';
import { legalize } from '../../src/spirv/legalize/pipeline.ts';
import { lowered } from '../support/compile.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';

/** Which instruction had a location before the pass. */
type Marks = Map<number, { instruction: Instruction; position: number; op: string }>;

function debugify(module: Module): Marks {
  const marks: Marks = new Map();
  const { sourceMap, positions } = module;
  let count = 0;
  walkModule(module, () => count++);
  // Blank text that all the locations lie in.
  const { start } = sourceMap.add('debugify', ' '.repeat(count + 1), 0, 'made');
  let next = start;
  walkModule(module, (instruction) => {
    const { scope, inlinedAt } = positions.get(instruction.position);
    instruction.position = positions.intern(next, next, scope, inlinedAt);
    marks.set(next++, { instruction, position: instruction.position, op: instruction.op });
  });
  return marks;
}

function problemsOf(module: Module, marks: Marks): string[] {
  const problems = validate(module);
  const there = new Set<Instruction>();
  const users = new Map<Value, Instruction[]>();
  /** What stands behind each debug instruction, other ones passed over. */
  const following = new Map<Instruction, Instruction>();
  walkModule(module, (instruction, block) => {
    there.add(instruction);
    if (block.instructions[0] === instruction) {
      let next: Instruction | undefined;
      for (const one of [...block.instructions].reverse()) {
        if (!isDebug(one)) next = one;
        else if (next) following.set(one, next);
      }
    }
    for (const operand of instruction.operands) {
      if (operand.kind !== 'result') continue;
      const list = users.get(operand);
      if (list) list.push(instruction);
      else users.set(operand, [instruction]);
    }
  });
  const old = new Map([...marks.values()].map((mark) => [mark.instruction, mark]));
  /** Opcodes of what the pass took away. */
  const gone = new Set(
    [...marks.values()].filter((mark) => !there.has(mark.instruction)).map((mark) => mark.op),
  );
  /** Values made for an instruction feed it, over a few more that were made for it too. */
  const isMadeFor = (made: Instruction, target: Instruction, depth = 0): boolean =>
    depth < 8 &&
    made.results.some((result) =>
      (users.get(result) ?? []).some(
        (user) =>
          user === target ||
          (user.position === made.position &&
            !old.has(user) &&
            (user.op === target.op || isMadeFor(user, target, depth + 1))),
      ),
    );
  walkModule(module, (instruction, _, fn) => {
    if (instruction.position === 0) return;
    const position = module.positions.get(instruction.position);
    const mark = marks.get(position.location);
    const known = old.get(instruction);
    const is = `${instruction.op}${known ? '' : ' (new)'}`;
    if (!mark) {
      // What a function begins with stands where the function does.
      if (position.location !== fn.scope.location)
        problems.push(`${is} has a position that was not there before`);
      return;
    }
    const from = module.positions.get(mark.position);
    if (from.scope !== position.scope) return problems.push(`${is} has another scope than ${mark.op}`);
    if (known && known.instruction.op === known.op) {
      // What stands for equal code of both arms belongs to none.
      const isMerged = mark.op === 'if' && gone.has(known.op);
      const isHead = instruction.op === 'debug_value' && mark.op === 'loop';
      if (mark.instruction !== instruction && !isMerged && !isHead)
        problems.push(`${is} took the position of ${mark.op}`);
      return;
    }
    const explained =
      !there.has(mark.instruction) ||
      mark.op === instruction.op ||
      mark.instruction.blocks.length > 0 ||
      (instruction.op === 'debug_value' &&
        (mark.op === 'store' ||
          mark.op === 'debug_declare' ||
          following.get(instruction) === mark.instruction)) ||
      isMadeFor(instruction, mark.instruction);
    if (!explained) problems.push(`${is} has the position of ${mark.op}, which is still there`);
    return;
  });
  return problems;
}

const folders = ['src/passes', 'src/spirv/legalize'].map(
  (folder) => new URL(`../../${folder}`, import.meta.url).pathname,
);
const camelCase = (file: string): string =>
  file.replace('.ts', '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** A pass is a file, so that a new one is asked for here too. */
const names = folders
  .flatMap((folder) => readdirSync(folder))
  .filter((file) => file !== 'pipeline.ts')
  .map(camelCase);

describe('positions survive', () => {
  // By pass: the problems, each with where it was first seen.
  const found = new Map<string, Map<string, string>>();
  let isDone = false;

  /** Runs both pipelines as a compilation does, and looks at the module behind each pass. */
  function runPipelines(options: CompileOptions, where: string): void {
    const full = completeOptions({ ...options, debugInfo: true });
    const module = lowered(options);
    let marks = debugify(module);
    const watch: PassWatcher = (_, name) => {
      const list = found.get(name) ?? new Map<string, string>();
      found.set(name, list);
      for (const problem of problemsOf(module, marks)) if (!list.has(problem)) list.set(problem, where);
      marks = debugify(module);
    };
    runPasses(module, full, watch);
    legalize(module, full, watch);
  }

  function runAll(): void {
    if (isDone) return;
    isDone = true;
    for (const job of corpusJobs) {
      const where = `${job.file} ${job.flags}`;
      for (const optimize of [0, 3] as const)
        runPipelines({ ...corpusOptions(job), optimize, finiteMathOnly: optimize > 0 }, where);
      if (!job.flags.includes('vs_6')) continue;
      const bases = { supportNonzeroBaseInstance: true, supportNonzeroBaseVertex: true };
      runPipelines({ ...corpusOptions(job), ...bases }, where);
    }
  }

  test.each(names)('%s', (name) => {
    runAll();
    const problems = [...(found.get(name) ?? [['the pass did not run', '']])];
    expect(problems.map(([problem, where]) => `${problem} (${where})`)).toEqual([]);
  });
});
