/** Passes on IR text, for their tests. */
import type { Module } from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { print } from '../../src/ir/print.ts';
import { validate } from '../../src/ir/validate.ts';

export type Pass = (module: Module) => void;

/** Runs passes one after the other; the module is valid before, between and behind them, else this throws. */
export function runValid(module: Module, ...passes: Pass[]): Module {
  const check = (when: string): void => {
    const problems = validate(module);
    if (problems.length > 0) throw new Error(`${when}: ${problems.join('\n')}`);
  };
  check('before');
  for (const pass of passes) {
    pass(module);
    check(`behind ${pass.name}`);
  }
  return module;
}

/** The body of `function f(parameters): result` behind the passes, a line per instruction, without positions. */
export function bodyBehind(
  passes: Pass | readonly Pass[],
  parameters: string,
  result: string,
  body: string,
  declarations = '',
): string[] {
  const text = `${declarations}\nfunction f(${parameters}): ${result} {\n${body}\n}\n`;
  const module = runValid(parseModule(text), ...(typeof passes === 'function' ? [passes] : passes));
  const lines = print(module).split('\n');
  const start = lines.findIndex((line) => line.startsWith('function f('));
  return lines.slice(start + 1, lines.indexOf('}', start)).map((line) => line.slice(2).replace(/ *;.*$/, ''));
}

/** What `return %r` gives behind the passes, after an instruction or a few that make `%r`. */
export function valueBehind(
  passes: Pass | readonly Pass[],
  parameters: string,
  result: string,
  body: string,
): string {
  return bodyBehind(passes, parameters, result, `${body}\nreturn %r`)
    .join('\n')
    .replace(/^return /, '');
}

/** The module that a text gives behind passes. */
export function passed(text: string, ...passes: readonly Pass[]): Module {
  return runValid(parseModule(text), ...passes);
}

/** Lines of the body of `main` behind the passes: without indentation and, unless asked for, without positions. */
export function mainBehind(text: string, passes: readonly Pass[], positions = false): string[] {
  const lines = print(passed(text, ...passes)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('function main('));
  return lines
    .slice(start + 1, lines.indexOf('}', start))
    .map((line) => (positions ? line : line.replace(/ *;.*$/, '')).trim());
}
