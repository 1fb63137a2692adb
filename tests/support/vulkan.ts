/**
 * Runs shaders on lavapipe. One runner process serves all jobs of a test file; one that dies of a job is replaced, and the
 * job fails with what is known.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type {
  AddressMode,
  Bindings,
  Comparison,
  FormatName,
  ImageResource,
  SamplerResource,
  TestResource,
} from './resources.ts';
import { formats, texelBytes } from './resources.ts';
import { buildProgram, requireTool } from './tools.ts';

interface JobFields {
  bindings?: Bindings;
  pushConstants?: Uint8Array;
  /** Bytes by constant id; bools are 32-bit. */
  specialization?: Record<number, Uint8Array>;
  /** File that RenderDoc's recording of the job goes to. */
  capture?: string;
}

export interface ComputeJob extends JobFields {
  spirv: Uint8Array;
  entry: string;
  dispatch: readonly [number, number, number];
}

export interface GraphicsJob extends JobFields {
  vertex: { spirv: Uint8Array; entry: string };
  pixel: { spirv: Uint8Array; entry: string };
  /** By location; a buffer of tightly packed values. */
  attributes?: Record<number, { format: FormatName; bytes: Uint8Array }>;
  vertices: number;
  instances?: number;
  /** Colour targets by slot, already cleared to their bytes. */
  targets: readonly ImageResource[];
  depth?: ImageResource;
}

/** What the bound resources hold afterwards, keyed as in `bindings`; lists for arrays of resources. */
export interface ComputeResult {
  resources: Record<string, Uint8Array[]>;
}
export interface GraphicsResult extends ComputeResult {
  targets: Uint8Array[];
  depth?: Uint8Array;
}

/** The device lacks what the job needs. */
export class UnsupportedError extends Error {}

// ---- the process

class Runner {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: Interface;
  alive = true;
  #errors = '';

  readonly records: boolean;

  constructor(program: string, driver: string, records: boolean) {
    this.records = records;
    const env = {
      ...process.env,
      VK_ICD_FILENAMES: driver,
      VK_DRIVER_FILES: driver,
      ...(records && { ENABLE_VULKAN_RENDERDOC_CAPTURE: '1' }),
    };
    this.process = spawn(program, [], { env });
    this.lines = createInterface({ input: this.process.stdout });
    this.process.stderr.on('data', (data: Buffer) => {
      this.#errors = (this.#errors + data.toString()).slice(-2000);
    });
    this.process.stdin.on('error', () => {});
    this.process.on('exit', () => {
      this.alive = false;
    });
  }

  /** The lines of the answer, without the closing `ok`. */
  perform(job: string, timeoutMs: number): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const answer: string[] = [];
      const end = (finish: () => void): void => {
        clearTimeout(timer);
        this.lines.off('line', onLine);
        this.process.off('exit', onExit);
        finish();
      };
      const onLine = (line: string): void => {
        if (line === 'ok') end(() => resolve(answer));
        else if (line.startsWith('fail ')) end(() => reject(failure(line)));
        else answer.push(line);
      };
      const onExit = (code: number | null, signal: string | null): void =>
        end(() => reject(new Error(`the Vulkan runner died (${signal ?? code}) ${this.#errors}`)));
      const timer = setTimeout(() => {
        this.process.kill('SIGKILL');
        end(() => reject(new Error(`the shader did not end within ${timeoutMs} ms`)));
      }, timeoutMs);
      this.lines.on('line', onLine);
      this.process.on('exit', onExit);
      this.process.stdin.write(`${job}end\n`);
    });
  }
}

function failure(line: string): Error {
  const [, code, text] = /^fail (\d) (.*)$/.exec(line) ?? [undefined, '1', line];
  return code === '2' ? new UnsupportedError(text) : new Error(text);
}

let runner: Runner | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** A process records or it does not: RenderDoc has to be loaded first of all. */
function currentRunner(records: boolean): Runner {
  if (runner && runner.records !== records) closeVulkan();
  if (!runner?.alive) {
    const folder = join(dirname(fileURLToPath(import.meta.url)), 'vulkan');
    const sources = ['vkrun.cpp', 'pipeline.h', 'device.h', 'renderdoc.h'].map((file) => join(folder, file));
    const program = buildProgram('vkrun', sources, ['-lvulkan', '-ldl']);
    runner = new Runner(program, requireTool('lavapipe'), records);
  }
  return runner;
}

/** Jobs go one after the other. */
function perform(job: string, records: boolean, timeoutMs = 60_000): Promise<string[]> {
  const result = queue.then(() => currentRunner(records).perform(job, timeoutMs));
  queue = result.catch(() => undefined);
  return result;
}

/** Ends the runner's process; call it in `afterAll`. */
export function closeVulkan(): void {
  runner?.process.stdin.end();
  runner = undefined;
}

// ---- jobs as text

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

const addressModes: Record<AddressMode, number> = { wrap: 0, mirror: 1, clamp: 2, border: 3 };
const comparisons: readonly Comparison[] = [
  'never',
  'less',
  'equal',
  'less_equal',
  'greater',
  'not_equal',
  'greater_equal',
  'always',
];

function imageLine(id: string, image: ImageResource): string {
  const dimension = image.dimension === '1D' ? 1 : image.dimension === '3D' ? 3 : 2;
  const plain = { '1D': 0, '2D': 1, '3D': 2, Cube: 3 }[image.dimension];
  const view = image.arrayed ? { 0: 4, 1: 5, 2: 2, 3: 6 }[plain]! : plain;
  const { width, height, depth, layers, mips } = image;
  const format = formats[image.format].vulkan;
  return `image ${id} ${format} ${dimension} ${width} ${height} ${depth} ${layers} ${mips} ${view} ${hex(image.bytes)}\n`;
}

function samplerLine(id: string, of: SamplerResource): string {
  const filter = (name: 'nearest' | 'linear'): number => (name === 'linear' ? 1 : 0);
  const compare = of.comparison ? comparisons.indexOf(of.comparison) : -1;
  return `sampler ${id} ${filter(of.filter)} ${filter(of.mipFilter)} ${addressModes[of.address]} ${compare}\n`;
}

function resourceLines(set: string, binding: string, element: number, of: TestResource): string {
  const id = `r${set}.${binding}.${element}`;
  const bind = `bind ${set} ${binding} ${element} ${id}`;
  switch (of.kind) {
    case 'buffer':
      return `buffer ${id} ${hex(of.bytes)}\n${bind} ${of.format ? formats[of.format].vulkan : 0}\n`;
    case 'image':
      return `${imageLine(id, of)}${bind}\n`;
    case 'sampler':
      return `${samplerLine(id, of)}${bind}\n`;
  }
}

const listOf = (value: Bindings[string]): readonly TestResource[] =>
  Array.isArray(value) ? (value as readonly TestResource[]) : [value as TestResource];

function fieldLines({ bindings = {}, pushConstants, specialization = {}, capture }: JobFields): string {
  let text = '';
  for (const [key, value] of Object.entries(bindings)) {
    const [set, binding] = key.split('.') as [string, string];
    listOf(value).forEach((one, element) => {
      text += resourceLines(set, binding, element, one);
    });
  }
  if (pushConstants) text += `push ${hex(pushConstants)}\n`;
  for (const [id, bytes] of Object.entries(specialization)) text += `spec ${id} ${hex(bytes)}\n`;
  if (capture) text += `capture ${capture}\n`;
  return text;
}

function readLines(bindings: Bindings = {}): string {
  let text = '';
  for (const [key, value] of Object.entries(bindings))
    listOf(value).forEach((one, element) => {
      if (one.kind !== 'sampler') text += `read r${key}.${element}\n`;
    });
  return text;
}

function parseAnswer(lines: readonly string[]): Map<string, Uint8Array> {
  const data = new Map<string, Uint8Array>();
  for (const line of lines) {
    const [word, id, bytes] = line.split(' ');
    if (word === 'data' && id) data.set(id, new Uint8Array(Buffer.from(bytes ?? '', 'hex')));
  }
  return data;
}

function collect(data: Map<string, Uint8Array>, bindings: Bindings = {}): Record<string, Uint8Array[]> {
  return Object.fromEntries(
    Object.entries(bindings).map(([key, value]) => [
      key,
      listOf(value).map((_, element) => data.get(`r${key}.${element}`) ?? new Uint8Array(0)),
    ]),
  );
}

export async function runCompute(job: ComputeJob): Promise<ComputeResult> {
  const text =
    `spirv m ${hex(job.spirv)}\nshader compute m ${job.entry}\n` +
    fieldLines(job) +
    `dispatch ${job.dispatch.join(' ')}\n` +
    readLines(job.bindings);
  return { resources: collect(parseAnswer(await perform(text, job.capture !== undefined)), job.bindings) };
}

export async function runGraphics(job: GraphicsJob): Promise<GraphicsResult> {
  let text = `spirv v ${hex(job.vertex.spirv)}\nspirv p ${hex(job.pixel.spirv)}\n`;
  text += `shader vertex v ${job.vertex.entry}\nshader pixel p ${job.pixel.entry}\n` + fieldLines(job);
  for (const [location, { format, bytes }] of Object.entries(job.attributes ?? {}))
    text += `buffer a${location} ${hex(bytes)}\nattribute ${location} ${formats[format].vulkan} ${texelBytes(format)} a${location}\n`;
  job.targets.forEach((target, slot) => {
    text += `${imageLine(`t${slot}`, target)}target ${slot} t${slot}\n`;
  });
  if (job.depth) text += `${imageLine('d', job.depth)}depth d\n`;
  text += `draw ${job.vertices} ${job.instances ?? 1}\n` + readLines(job.bindings);
  text += job.targets.map((_, slot) => `read t${slot}\n`).join('') + (job.depth ? 'read d\n' : '');
  const data = parseAnswer(await perform(text, job.capture !== undefined));
  const depth = data.get('d');
  return {
    resources: collect(data, job.bindings),
    targets: job.targets.map((_, slot) => data.get(`t${slot}`)!),
    ...(depth && { depth }),
  };
}
