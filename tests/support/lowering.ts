/** HLSL text to IR, for tests of lowering: messages instead of a module where the text is refused. */
import { check } from '../../src/check/check.ts';
import { type CompileOptions, completeOptions } from '../../src/compile.ts';
import type { Module } from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { print } from '../../src/ir/print.ts';
import { validate } from '../../src/ir/validate.ts';
import { lower } from '../../src/lower/lower.ts';
import { preprocess } from '../../src/preprocess/preprocess.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { PositionTable } from '../../src/source/position.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import { parse } from '../../src/syntax/parser.ts';

export interface Lowered {
  module: Module | undefined;
  /** `line:column: message` */
  messages: string[];
  log: DiagnosticLog;
}

/** Lowers with the optimizer off; a module that comes out is valid and survives the text form, else this throws. */
export function lowerText(text: string, options: Partial<CompileOptions> = {}): Lowered {
  const source = { name: 'a.hlsl', text };
  const full = completeOptions({ profile: 'ps_6_0', entry: 'main', optimize: false, ...options, source });
  const map = new SourceMap();
  const log = new DiagnosticLog(full);
  const { tokens } = preprocess(source, { map, log, options: full, includes: () => undefined });
  const unit = parse(tokens, map, log);
  const program = log.errors > 0 ? undefined : check(unit, { options: full, map, log, tokens });
  const module = program && lower(program, { options: full, map, log, positions: new PositionTable(map) });
  if (module) {
    const problems = validate(module);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const printed = print(module);
    if (print(parseModule(printed)) !== printed) throw new Error('the text form does not come back');
  }
  const messages = log.diagnostics.map((entry) => {
    const place = map.place(entry.at);
    return `${place.line}:${place.column}: ${entry.message}`;
  });
  return { module, messages, log };
}

/** The printed functions and what stands before them, without positions. */
export function irOf(text: string, options: Partial<CompileOptions> = {}): string {
  const { module, messages } = lowerText(text, options);
  if (!module) throw new Error(messages.join('\n'));
  return withoutPositions(print(module));
}

/** Body of one function: the lines between its braces, without indentation of the first level and positions. */
export function bodyOf(text: string, name: string, options: Partial<CompileOptions> = {}): string[] {
  const lines = irOf(text, options).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`function ${name}(`));
  if (start < 0) throw new Error(`no function ${name}`);
  return lines.slice(start + 1, lines.indexOf('}', start)).map((line) => line.slice(2));
}

/** As `bodyOf`, each instruction as `line:column opcode`. */
export function stepsOf(text: string, name: string, options: Partial<CompileOptions> = {}): string[] {
  const { module, messages } = lowerText(text, options);
  if (!module) throw new Error(messages.join('\n'));
  const lines = print(module).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`function ${name}(`));
  return lines.slice(start + 1, lines.indexOf('}', start)).flatMap((line) => {
    const parts = /^\s*(?:.* = )?(?:precise |coherent )*([a-z_]+)\b.*?; \S*?:(\d+:\d+)/.exec(line);
    return parts ? [`${parts[2]} ${parts[1]}`] : [];
  });
}

export function withoutPositions(text: string): string {
  return text.replace(/ {2};.*$/gm, '');
}
