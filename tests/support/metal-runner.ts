/** Runs compute shaders as Metal text on the CPU, with the resources that the other runners take. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile, type CompileResult } from '../../src/index.ts';
import type { TestOptions } from './compile.ts';
import {
  type Bindings,
  type BufferResource,
  formats,
  type ImageResource,
  readTexel,
  type SamplerResource,
  type TestResource,
  texelBytes,
  writeTexel,
} from './resources.ts';

const runner = new URL('msl/shim/mslrun.mjs', import.meta.url).pathname;
const run = promisify(execFile);

export interface MetalRun {
  text: string;
  options: TestOptions;
  dispatch: readonly [number, number, number];
  bindings: Bindings;
  pushConstants?: Uint8Array;
  specialization?: Record<number, number>;
  waveSize?: number;
  robust?: boolean;
  shuffle?: number;
}

interface Job {
  buffers: Record<string, { base64: string; read: 'u8' }>;
  textures: Record<string, object>;
  samplers: Record<string, object>;
  /** Buffers that others point to. */
  extra: Record<string, { base64: string; read: 'u8' }>;
  /** What is written into a buffer before it starts: kind, index of the buffer, bytes before, and what is pointed to. */
  links: [kind: 'buffer' | 'texture' | 'sampler', buffer: number, offset: number, target: string][];
  constants: Record<number, number>;
}

/** Why a program has no Metal text: the codes of its messages. Undefined if it has one. */
export type NoMetal = { codes: string };

/** Runs several programs, each in each order of its threads: the bytes of the resources by order, or why there is no Metal text. */
export async function runMetalTogether(
  list: readonly MetalRun[],
  orders: Orders,
): Promise<(Record<string, Uint8Array[]>[] | NoMetal)[]> {
  const made = list.map((one) => {
    const program = toMetal(one.text, one.options, one.robust);
    return 'codes' in program ? program : { program, orders, ...makeJob(program, one), one };
  });
  const runs = made.flatMap((each) => ('codes' in each ? [] : [{ ...each, job: jobOf(each) }]));
  const results = runs.length > 0 ? await runJobs(runs) : [];
  let next = 0;
  return made.map((each) =>
    'codes' in each ? each : results[next++]!.map((result) => collect(result, each.placed)),
  );
}

function jobOf({ program, job, one }: { program: MetalProgram; job: Job; one: MetalRun }): object {
  return {
    ...job,
    threadgroups: one.dispatch,
    threads_per_threadgroup: program.entry.threadGroupSize,
    simd_width: one.waveSize ?? 32,
    // Else a test reads outside of a texture, and the runner gives zero as Direct3D does.
    strict: one.robust ?? false,
  };
}

/** The bytes of the resources afterwards, by `set.binding`, or why there is no Metal text. */
export async function runMetal(one: MetalRun): Promise<Record<string, Uint8Array[]> | NoMetal> {
  const [result] = await runMetalTogether([one], [one.shuffle]);
  return 'codes' in result! ? result : result![0]!;
}

interface MetalProgram {
  msl: string;
  entry: { name: string; threadGroupSize?: readonly [number, number, number] };
  result: CompileResult;
}

/** The Metal text of a shader, or why there is none. */
export function toMetal(text: string, options: TestOptions, robust = false): MetalProgram | NoMetal {
  const result = compile({
    source: { name: 'test.hlsl', text },
    ...options,
    target: 'msl',
    metal: { version: '3.2', layoutAsserts: true, robust },
  });
  if (result.msl) return { msl: result.msl, entry: result.reflection!.metal!.entryPoints[0]!, result };
  const codes = result.diagnostics.map((each) => each.code).join();
  if (/OS6|OS5/.test(codes)) return { codes };
  throw new Error(result.diagnostics.map((each) => each.rendered).join('\n'));
}

/** Where a resource of the test was put. */
interface Placed {
  key: string;
  element: number;
  table: 'buffer' | 'texture' | 'sampler' | 'extra';
  index: number | string;
  resource: TestResource;
}

/** Indices for textures and samplers that handles point to; no other resource of a test gets so far. */
const handleTexture = 64;
const handleSampler = 8;
const handleBytes = 8;
/** The address and the size of a buffer. */
const bufferHandleBytes = 16;
/** Of a sampler in the runner's memory. */
const samplerBytes = 44;

type Surroundings = Pick<MetalRun, 'bindings' | 'pushConstants' | 'specialization'>;

/** What is bound, where the reflection says. */
export function makeJob(
  { result }: MetalProgram,
  { bindings, pushConstants, specialization }: Surroundings,
): { job: Job; placed: Placed[] } {
  const { metal } = result.reflection!;
  const job: Job = {
    buffers: {},
    textures: {},
    samplers: {},
    extra: {},
    links: [],
    constants: specialization ?? {},
  };
  const placed: Placed[] = [];
  const bound = new Map(result.reflection!.bindings.map((each) => [each.name, each]));
  const sizes = new Uint32Array(31);
  for (const { name, table, index, kind } of metal!.bindings) {
    const own = bound.get(name.replace(/\.counter$/, ''));
    if (kind === 'sizes') continue;
    if (!own) {
      if (pushConstants) job.buffers[index] = buffer(pushConstants);
      continue;
    }
    const key = `${own.set}.${kind === 'counter' ? own.counter!.binding : own.binding}`;
    const given = bindings[key];
    const list = given === undefined ? [] : Array.isArray(given) ? given : [given as TestResource];
    if (kind === 'arguments') addArguments(job, placed, key, index, list);
    else if (kind === 'handles') sizes[index] = addHandles(job, placed, key, index, list);
    else
      list.forEach((resource: TestResource, element: number) => {
        placed.push({ key, element, table, index: index + element, resource });
        addResource(job, table, index + element, resource);
        if (table === 'buffer' && resource.kind === 'buffer') sizes[index + element] = resource.bytes.length;
      });
  }
  const sizesAt = metal!.bindings.find(({ kind }) => kind === 'sizes');
  if (sizesAt) job.buffers[sizesAt.index] = buffer(new Uint8Array(sizes.buffer));
  return { job, placed };
}

/** Addresses of buffers, and their sizes behind them. */
function addArguments(
  job: Job,
  placed: Placed[],
  key: string,
  index: number,
  list: readonly TestResource[],
): void {
  const bytes = new Uint8Array(12 * list.length);
  const view = new DataView(bytes.buffer);
  list.forEach((resource, element) => {
    if (resource.kind !== 'buffer') throw new Error(`no buffer is bound to ${key}`);
    const name = `${index}.${element}`;
    job.extra[name] = buffer(resource.bytes);
    job.links.push(['buffer', index, handleBytes * element, name]);
    view.setUint32(handleBytes * list.length + 4 * element, resource.bytes.length, true);
    placed.push({ key, element, table: 'extra', index: name, resource });
  });
  job.buffers[index] = buffer(bytes);
}

/** Gives the bytes that Metal's handles take, whatever the runner's do. */
function addHandles(
  job: Job,
  placed: Placed[],
  key: string,
  index: number,
  list: readonly TestResource[],
): number {
  const isBuffers = list[0]?.kind === 'buffer';
  const bytes = new Uint8Array(samplerBytes * list.length);
  list.forEach((resource, element) => {
    if (resource.kind === 'buffer') {
      const name = `${index}.${element}`;
      job.extra[name] = buffer(resource.bytes);
      job.links.push(['buffer', index, bufferHandleBytes * element, name]);
      new DataView(bytes.buffer).setUint32(bufferHandleBytes * element + 8, resource.bytes.length, true);
      placed.push({ key, element, table: 'extra', index: name, resource });
      return;
    }
    const isSampler = resource.kind === 'sampler';
    const table = isSampler ? 'sampler' : 'texture';
    const taken = Object.keys(isSampler ? job.samplers : job.textures).map(Number);
    const at = Math.max((isSampler ? handleSampler : handleTexture) - 1, ...taken) + 1;
    addResource(job, table, at, resource);
    job.links.push([table, index, (isSampler ? samplerBytes : handleBytes) * element, String(at)]);
    placed.push({ key, element, table, index: at, resource });
  });
  job.buffers[index] = buffer(bytes);
  return list.length * (isBuffers ? bufferHandleBytes : handleBytes);
}

interface JobResult {
  buffers: Record<string, number[]>;
  textures: Record<string, number[]>;
  extra: Record<string, number[]>;
  /** Of vertex and fragment functions: what each gives back, by attribute and by name. */
  invocations?: { by?: Record<string, number | number[]>; discarded?: boolean; [name: string]: unknown }[];
}

/** Runs an entry point with the runner's job. */
export async function runJob(program: MetalProgram, job: object, shuffle?: number): Promise<JobResult> {
  return (await runJobs([{ program, job, orders: [shuffle] }]))[0]![0]!;
}

/** Orders of threads: as they are numbered, or shuffled by a seed. */
type Orders = readonly (number | undefined)[];

/** Compiles texts together, which is cheaper, and runs each in each order. */
async function runJobs(
  list: readonly { program: MetalProgram; job: object; orders: Orders }[],
): Promise<JobResult[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'oneshader-metal-'));
  const texts = list.map(({ program }) => program.msl).join('\n');
  try {
    const [input, out] = [join(folder, 'list.json'), join(folder, 'out.json')];
    const jobs = list.map(({ program: { msl, entry }, job, orders }, i) => {
      const file = join(folder, `${i}.metal`);
      writeFileSync(file, msl);
      return { file, job: { ...job, entry: entry.name }, orders };
    });
    writeFileSync(input, JSON.stringify(jobs));
    await run(process.execPath, [runner, '--all', input, '-o', out]).catch(
      (error: { stderr?: string; message: string }) => {
        throw new Error(`${(error.stderr ?? error.message).slice(0, 3000)}\n${texts}`);
      },
    );
    const results = JSON.parse(readFileSync(out, 'utf8')) as (JobResult & { error?: string })[][];
    const failed = results.flat().find(({ error }) => error !== undefined);
    if (failed) throw new Error(`${failed.error}\n${texts}`);
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const buffer = (bytes: Uint8Array) => ({
  base64: Buffer.from(bytes).toString('base64'),
  read: 'u8' as const,
});

function addResource(job: Job, table: string, index: number, resource: TestResource): void {
  switch (resource.kind) {
    case 'buffer':
      if (table === 'buffer') job.buffers[index] = buffer(resource.bytes);
      else job.textures[index] = texelsOf(asImage(resource));
      break;
    case 'image':
      job.textures[index] = texelsOf(resource);
      break;
    case 'sampler':
      job.samplers[index] = samplerOf(resource);
  }
}

/** A typed buffer is a row of texels. */
function asImage({ bytes, format }: BufferResource): ImageResource {
  const width = bytes.length / texelBytes(format!);
  return {
    kind: 'image',
    format: format!,
    dimension: '1D',
    arrayed: false,
    width,
    height: 1,
    depth: 1,
    layers: 1,
    mips: 1,
    bytes,
  };
}

const sizeAt = (size: number, mip: number) => Math.max(1, size >> mip);

/** Visits texels as they are stored: layer, mip, depth, row, column; tells where the runner has them: mip outermost. */
function eachTexel(image: ImageResource, visit: (offset: number, place: number) => void): void {
  const { width, height, depth, layers, mips } = image;
  const counts = Array.from(
    { length: mips },
    (_, m) => sizeAt(width, m) * sizeAt(height, m) * sizeAt(depth, m),
  );
  const starts = counts.map((_, m) => counts.slice(0, m).reduce((sum, each) => sum + each * layers, 0));
  let offset = 0;
  for (let layer = 0; layer < layers; layer++)
    for (let m = 0; m < mips; m++)
      for (let i = 0; i < counts[m]!; i++) {
        visit(offset, starts[m]! + layer * counts[m]! + i);
        offset += texelBytes(image.format);
      }
}

function kindOf(image: ImageResource): 'f32' | 'u32' | 'i32' {
  const { kind } = formats[image.format];
  return kind === 'uint' ? 'u32' : kind === 'int' ? 'i32' : 'f32';
}

function texelsOf(image: ImageResource): object {
  const data: number[] = [];
  eachTexel(image, (offset, place) => {
    readTexel(image.format, image.bytes, offset).forEach((channel, c) => {
      data[place * 4 + c] = channel;
    });
  });
  const { width, height, depth, layers, mips, dimension } = image;
  const cube = dimension === 'Cube';
  return {
    width,
    height,
    depth,
    layers: cube ? layers / 6 : layers,
    mips,
    cube,
    type: kindOf(image),
    channels: 4,
    data,
  };
}

function samplerOf({ filter, mipFilter, address, comparison }: SamplerResource): object {
  const modes = {
    wrap: 'repeat',
    mirror: 'mirrored_repeat',
    clamp: 'clamp_to_edge',
    border: 'clamp_to_zero',
  };
  return { filter, mip: mipFilter, address: modes[address], compare: comparison ?? 'never' };
}

/** The bytes of resources afterwards. */
export function collect(result: JobResult, placed: readonly Placed[]): Record<string, Uint8Array[]> {
  const bytes: Record<string, Uint8Array[]> = {};
  for (const { key, element, table, index, resource } of placed) {
    const list = (bytes[key] ??= []);
    if (resource.kind === 'sampler') list[element] = new Uint8Array(0);
    else if (table === 'buffer') list[element] = Uint8Array.from(result.buffers[index]!);
    else if (table === 'extra') list[element] = Uint8Array.from(result.extra[index]!);
    else {
      const image = resource.kind === 'image' ? resource : asImage(resource);
      const made = new Uint8Array(image.bytes.length);
      const texels = result.textures[index]!;
      eachTexel(image, (offset, at) => {
        writeTexel(image.format, made, offset, texels.slice(at * 4, at * 4 + 4));
      });
      list[element] = made;
    }
  }
  return bytes;
}
