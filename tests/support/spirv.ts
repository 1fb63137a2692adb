/** SPIR-V in tests: from IR text to words, through spirv-val where it is installed. */
import { execaSync } from 'execa';
import { parseModule } from '../../src/ir/parse.ts';
import { validate } from '../../src/ir/validate.ts';
import { defaults, type Options } from '../../src/options.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { disassemble } from '../../src/spirv/disassemble.ts';
import { emitSpirv } from '../../src/spirv/emit.ts';

/** False where the tool is missing; in CI that is a failure of the tests that need it. */
export const haveSpirvVal = ((): boolean => {
  try {
    execaSync('spirv-val', ['--version']);
    return true;
  } catch {
    return Boolean(process.env['CI']);
  }
})();

export function emitText(text: string, changes: Partial<Options> = {}): { words: Uint32Array; text: string } {
  const module = parseModule(text);
  const problems = validate(module);
  if (problems.length > 0) throw new Error(`bad IR: ${problems.join('\n')}`);
  const log = new DiagnosticLog();
  const options: Options = { ...defaults, optimizationLevel: 0, ...changes };
  const words = emitSpirv(module, { options, log });
  if (!words) throw new Error(log.diagnostics.map(({ message }) => message).join('\n'));
  return { words, text: disassemble(words) };
}

/** The codes of what emission reports. */
export function emissionErrors(text: string, changes: Partial<Options> = {}): string[] {
  const log = new DiagnosticLog();
  const words = emitSpirv(parseModule(text), {
    options: { ...defaults, optimizationLevel: 0, ...changes },
    log,
  });
  return words ? [] : log.diagnostics.map(({ code }) => code);
}

const environments: Record<Options['targetEnv'], string> = {
  'vulkan1.0': 'vulkan1.0',
  'vulkan1.1': 'vulkan1.1',
  'vulkan1.1spirv1.4': 'vulkan1.1spv1.4',
  'vulkan1.2': 'vulkan1.2',
  'vulkan1.3': 'vulkan1.3',
  // The validators at hand know no later one; SPIR-V 1.6 is that of 1.3.
  'vulkan1.4': 'vulkan1.3',
  'universal1.5': 'spv1.5',
};

/** What spirv-val says; empty if the module is valid. */
export function spirvVal(
  words: Uint32Array,
  options: Pick<Options, 'targetEnv' | 'layout'> = defaults,
): string {
  const layout = {
    vulkan: ['--relax-block-layout'],
    dx: ['--scalar-block-layout'],
    scalar: ['--scalar-block-layout'],
    gl: [],
  }[options.layout];
  const result = execaSync('spirv-val', ['--target-env', environments[options.targetEnv], ...layout, '-'], {
    input: new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
    reject: false,
  });
  return result.exitCode === 0 ? '' : `${result.stderr}${result.stdout}`;
}
