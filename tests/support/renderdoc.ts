/** Steps recorded shaders in RenderDoc, and gives what its user would see at each stop. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireTool } from './tools.ts';

/** Scalars, lists (vectors, rows of matrices, arrays) and structs; `unwritten` is memory before its first store. */
export type Shown = number | boolean | string | null | Shown[] | { [member: string]: Shown };

interface ShownVariable {
  type: string;
  value: Shown;
  problem?: string;
}

export interface Step {
  file: string | null;
  line: number | null;
  /** The line of the embedded source. */
  text?: string;
  /** Outermost first. */
  callstack: string[];
  variables: Record<string, ShownVariable>;
  /** Statics, groupshared and outputs. */
  globals: Record<string, ShownVariable>;
}

export interface Stepping {
  stage: string;
  entry: string;
  debuggable: boolean;
  sourceDebugging: boolean;
  commandLine: string | null;
  files: { name: string; bytes: number; lines: number }[];
  /** What RenderDoc wrote to its log as errors. */
  renderdocErrors: string[];
  steps: Step[];
}

/** An invocation: `{ pixel: [x, y] }`, `{ vertex: n }` or `{ thread: [gx, gy, gz, tx, ty, tz] }`. */
export type Invocation =
  | { pixel: readonly [number, number] }
  | { vertex: number }
  | { thread: readonly [number, number, number, number, number, number] };

/** Once in some hundred runs RenderDoc 1.24 dies on lavapipe and then steps the same capture well, so a crash must happen twice. */
export function stepShader(capture: string, invocation: Invocation): Stepping {
  const first = runStepper(capture, invocation);
  const isCrash = first.status !== 0 && first.stderr.includes('RenderDoc crashed');
  const result = isCrash ? runStepper(capture, invocation) : first;
  if (result.status !== 0) throw new Error(`RenderDoc (status ${result.status}): ${result.stderr.trim()}`);
  return JSON.parse(result.stdout) as Stepping;
}

function runStepper(capture: string, invocation: Invocation) {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'renderdoc', 'step.py');
  const driver = requireTool('lavapipe');
  return spawnSync(requireTool('renderdoc'), [script, capture, ...invocationArguments(invocation)], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, VK_ICD_FILENAMES: driver, VK_DRIVER_FILES: driver },
  });
}

function invocationArguments(invocation: Invocation): string[] {
  if ('pixel' in invocation) return ['--pixel', invocation.pixel.join(',')];
  if ('vertex' in invocation) return ['--vertex', String(invocation.vertex)];
  const { thread } = invocation;
  return ['--thread', `${thread.slice(0, 3).join(',')}:${thread.slice(3).join(',')}`];
}
