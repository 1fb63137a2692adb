/** Jobs of the command that compile nothing: joining a stripped module with its debug file, and checking debug information. */
import { joinDebug } from '../spirv/strip.ts';
import { type DebugReport, verifyDebug } from '../spirv/verify-debug.ts';

export type TaskResult = { output: string | Uint8Array; status: number } | { problem: string };

export function runTask(kind: 'verify-debug' | 'join', modules: readonly Uint32Array[]): TaskResult {
  const [first, second] = modules as [Uint32Array, Uint32Array];
  if (kind === 'verify-debug') {
    const report = verifyDebug(first);
    return { output: reportText(report), status: report.problems.length > 0 ? 1 : 0 };
  }
  const joined = joinDebug(first, second);
  if ('problem' in joined) return joined;
  const { buffer, byteOffset, byteLength } = joined.words;
  return { output: new Uint8Array(buffer, byteOffset, byteLength), status: 0 };
}

/** Problems, then the figures. */
export function reportText({ problems, coverage }: DebugReport): string {
  const { instructions, withScope, withLine, steps, variableSteps, visible } = coverage;
  const share = (part: number, whole: number): string =>
    `${part} of ${whole} (${whole === 0 ? '100' : ((100 * part) / whole).toFixed(1)} %)`;
  const lines = [
    ...problems,
    `problems: ${problems.length}`,
    `instructions with scope: ${share(withScope, instructions)}`,
    `instructions with line: ${share(withLine, instructions)}`,
    `steps: ${steps}`,
    `variables with a value, over all steps: ${share(visible, variableSteps)}`,
  ];
  return `${lines.join('\n')}\n`;
}
