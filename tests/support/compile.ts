/** The one place where tests compile HLSL: to SPIR-V, or to IR for the interpreter. */
import { check } from '../../src/check/check.ts';
import { type CompileOptions, compile, completeOptions } from '../../src/compile.ts';
import type { Module } from '../../src/ir/ir.ts';
import { validate } from '../../src/ir/validate.ts';
import { lower } from '../../src/lower/lower.ts';
import { runPasses } from '../../src/passes/pipeline.ts';
import { preprocess } from '../../src/preprocess/preprocess.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { PositionTable } from '../../src/source/position.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import { emitSpirv } from '../../src/spirv/emit.ts';
import { parse } from '../../src/syntax/parser.ts';

export type TestOptions = Omit<CompileOptions, 'source'>;

export class CompileError extends Error {}

/** SPIR-V of a text that must compile. */
export function toSpirv(text: string, options: TestOptions): Uint8Array {
  const result = compile({ source: { name: 'test.hlsl', text }, ...options });
  if (!result.ok || !result.spirv)
    throw new CompileError(result.diagnostics.map((one) => one.rendered).join('\n'));
  return result.spirv;
}

/** SPIR-V of a module behind the passes, as `compile` makes it; the module is used up. */
export function spirvOf(module: Module, options: TestOptions): Uint8Array {
  const full = completeOptions({ source: { name: 'test.hlsl', text: '' }, ...options });
  const log = new DiagnosticLog(full);
  const words = emitSpirv(module, { options: full, log });
  if (!words || log.errors > 0) throw new CompileError(log.diagnostics.map((one) => one.message).join('\n'));
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** The IR as `lower` makes it, or behind the passes; valid either way. */
export function toModule(
  text: string,
  options: TestOptions,
  stage: 'lowered' | 'passed' = 'lowered',
): Module {
  return lowered({ source: { name: 'test.hlsl', text }, ...options }, stage);
}

/** The same for a file with its name and includes. */
export function lowered(options: CompileOptions, stage: 'lowered' | 'passed' = 'lowered'): Module {
  const full = completeOptions(options);
  const { includes } = options;
  const map = new SourceMap();
  const log = new DiagnosticLog(full);
  const stop = (): never => {
    throw new CompileError(
      log.diagnostics.map((one) => `${one.code}: ${one.message}`).join('\n') || 'a stage gave nothing',
    );
  };
  const { tokens } = preprocess(options.source, {
    map,
    log,
    options: full,
    includes: typeof includes === 'function' ? includes : (path) => includes?.[path],
  });
  const unit = parse(tokens, map, log);
  if (log.errors > 0) stop();
  const program = check(unit, { options: full, map, log, tokens });
  if (!program || log.errors > 0) return stop();
  const module = lower(program, { options: full, map, log, positions: new PositionTable(map) });
  if (!module || log.errors > 0) return stop();
  if (stage === 'passed') runPasses(module, full);
  const problems = validate(module);
  if (problems.length > 0) throw new CompileError(`invalid IR: ${problems.join('\n')}`);
  return module;
}
