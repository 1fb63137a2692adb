/** SPIR-V in tests: from IR text or HLSL to words and their text. */
import { type CompileOptions, compile } from '../../src/compile.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { print } from '../../src/ir/print.ts';
import { validate } from '../../src/ir/validate.ts';
import type { Module } from '../../src/ir/ir.ts';
import { defaults, type Options } from '../../src/options.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { disassemble } from '../../src/spirv/disassemble.ts';
import { emitSpirv } from '../../src/spirv/emit.ts';

/** A valid module from IR text. */
export function moduleOf(text: string): Module {
  const module = parseModule(text);
  const problems = validate(module);
  if (problems.length > 0) throw new Error(`bad IR: ${problems.join('\n')}`);
  return module;
}

export function emitText(text: string, changes: Partial<Options> = {}): { words: Uint32Array; text: string } {
  const log = new DiagnosticLog();
  const options: Options = { ...defaults, optimizationLevel: 0, ...changes };
  const words = emitSpirv(moduleOf(text), { options, log });
  if (!words) throw new Error(log.diagnostics.map(({ message }) => message).join('\n'));
  return { words, text: disassemble(words) };
}

/** The keys of what emission reports. */
export function emissionErrors(text: string, changes: Partial<Options> = {}): string[] {
  const log = new DiagnosticLog();
  const options: Options = { ...defaults, optimizationLevel: 0, ...changes };
  const words = emitSpirv(parseModule(text), { options, log });
  return words ? [] : log.diagnostics.map(({ key }) => key);
}

/** The IR after a pass, without positions and globals: the bodies of its functions. */
export function afterPass(text: string, pass: (module: Module) => void): string {
  const module = moduleOf(text);
  pass(module);
  const problems = validate(module);
  if (problems.length > 0) throw new Error(`the pass left bad IR: ${problems.join('\n')}`);
  return print(module);
}

export function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** HLSL to words; throws what was reported. */
export function compileText(
  text: string,
  options: Partial<CompileOptions> & { profile: string },
): { bytes: Uint8Array; text: string } {
  const result = compile({ source: { name: 'main.hlsl', text }, optimize: false, ...options });
  if (!result.spirv) throw new Error(result.diagnostics.map(({ rendered }) => rendered).join('\n'));
  const { buffer, byteOffset, byteLength } = result.spirv;
  return { bytes: result.spirv, text: disassemble(new Uint32Array(buffer, byteOffset, byteLength / 4)) };
}
