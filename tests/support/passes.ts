/** Tests of passes: IR text through a pass, valid before and after. */
import { expect } from 'vitest';
import type { Module } from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { print } from '../../src/ir/print.ts';
import { validate } from '../../src/ir/validate.ts';

export type Pass = (module: Module) => void;

/** The module behind the passes, each of which leaves a valid one. */
export function passed(text: string, ...passes: readonly Pass[]): Module {
  const module = parseModule(text);
  expect(validate(module)).toEqual([]);
  for (const pass of passes) {
    pass(module);
    expect(validate(module)).toEqual([]);
  }
  return module;
}

/** Lines of the body of `main` behind the passes: without indentation and, unless asked for, without positions. */
export function mainBehind(text: string, passes: readonly Pass[], positions = false): string[] {
  const lines = print(passed(text, ...passes)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('function main('));
  return lines
    .slice(start + 1, lines.indexOf('}', start))
    .map((line) => (positions ? line : line.replace(/ *;.*$/, '')).trim());
}
