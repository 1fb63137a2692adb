/** Runs the front end on HLSL text, for tests of the checker. */
import { check } from '../../src/check/check.ts';
import type { Program, TypedExpression, TypedStatement } from '../../src/check/program.ts';
import { defaults, type Options } from '../../src/options.ts';
import { preprocess } from '../../src/preprocess/preprocess.ts';
import { type Diagnostic, DiagnosticLog } from '../../src/source/diagnostic.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import { parse } from '../../src/syntax/parser.ts';

export interface Checked {
  program: Program | undefined;
  diagnostics: Diagnostic[];
  /** `line:col: severity: message [code]`, one line each, notes as `line:col: note: message`. */
  messages: string[];
  /** Where a diagnostic stands in the text, counted from 0. */
  offsetOf(diagnostic: Diagnostic): number;
}

/** Preprocesses, parses and checks a text as the main file. */
export function checkText(text: string, changes: Partial<Options> = {}): Checked {
  const options: Options = { ...defaults, profile: 'cs_6_6', entry: 'main', ...changes };
  const map = new SourceMap();
  const log = new DiagnosticLog(options);
  const includes = () => undefined;
  const { tokens, mainFile } = preprocess({ name: 'test.hlsl', text }, { map, log, options, includes });
  const unit = parse(tokens, map, log);
  const program = log.errors === 0 ? check(unit, { options, map, log, tokens }) : undefined;
  const place = (at: number) => {
    if (at === 0) return '-';
    const { line, column } = map.place(at);
    return `${line}:${column}`;
  };
  const messages = log.diagnostics.flatMap((d) => [
    `${place(d.at)}: ${d.severity}: ${d.message} [${d.code}]`,
    ...d.notes.map((note) => `${place(note.at)}: note: ${note.message}`),
  ]);
  const offsetOf = (diagnostic: Diagnostic) => map.expanded(diagnostic.at) - mainFile.start;
  return { program, diagnostics: log.diagnostics, messages, offsetOf };
}

/** The expression statements of the entry function, in order, those in blocks included. */
export function expressionsOf(program: Program): TypedExpression[] {
  const found: TypedExpression[] = [];
  const visit = (statement: TypedStatement): void => {
    if (statement.kind === 'expression') found.push(statement.expression);
    else if (statement.kind === 'block') for (const inner of statement.statements) visit(inner);
  };
  if (program.entry.function.body) visit(program.entry.function.body);
  return found;
}
