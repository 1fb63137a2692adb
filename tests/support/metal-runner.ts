/** Runs compute shaders as Metal text on the CPU, with the resources that the other runners take. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile } from '../../src/index.ts';
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
}

/** Why a program has no Metal text: the codes of its messages. Undefined if it has one. */
export type NoMetal = { codes: string };

/** The bytes of the resources afterwards, by `set.binding`, or why there is no Metal text. */
export async function runMetal(one: MetalRun): Promise<Record<string, Uint8Array[]> | NoMetal> {
  const result = compile({
    source: { name: 'test.hlsl', text: one.text },
    ...one.options,
    target: 'msl',
    metal: { version: '3.2', layoutAsserts: true, robust: one.robust ?? false },
  });
  if (!result.msl) {
    const codes = result.diagnostics.map((each) => each.code).join();
    if (/OS6|OS5/.test(codes)) return { codes };
    throw new Error(result.diagnostics.map((each) => each.rendered).join('\n'));
  }
  // Argument buffers hold addresses, which the runner does not make.
  if (result.msl.includes('[[id(')) return { codes: 'argument buffer' };
  const folder = mkdtempSync(join(tmpdir(), 'oneshader-metal-'));
  try {
    const metal = result.reflection!.metal!;
    const job: Job = { buffers: {}, textures: {}, samplers: {} };
    const placed: { key: string; element: number; table: string; index: number; resource: TestResource }[] =
      [];
    const bound = new Map(result.reflection!.bindings.map((each) => [each.name, each]));
    const sizes = new Uint32Array(31);
    const place = (key: string, table: string, index: number): void => {
      const given = one.bindings[key];
      const list = given === undefined ? [] : Array.isArray(given) ? given : [given as TestResource];
      list.forEach((resource: TestResource, element: number) => {
        placed.push({ key, element, table, index: index + element, resource });
        addResource(job, table, index + element, resource);
        if (table === 'buffer' && resource.kind === 'buffer') sizes[index + element] = resource.bytes.length;
      });
    };
    for (const { name, table, index, kind } of metal.bindings) {
      const plainName = name.replace(/\.counter$/, '');
      const own = bound.get(plainName);
      if (kind === 'sizes') continue;
      if (!own) {
        if (one.pushConstants) job.buffers[index] = buffer(one.pushConstants);
        continue;
      }
      const counter = own.counter;
      if (kind === 'counter') place(`${own.set}.${counter!.binding}`, table, index);
      else place(`${own.set}.${own.binding}`, table, index);
    }
    job.buffers[metal.bindings.find(({ kind }) => kind === 'sizes')?.index ?? 30] = buffer(
      new Uint8Array(sizes.buffer),
    );
    const { name, threadGroupSize } = metal.entryPoints[0]!;
    writeFileSync(join(folder, 'a.metal'), result.msl);
    writeFileSync(
      join(folder, 'job.json'),
      JSON.stringify({
        ...job,
        entry: name,
        threadgroups: one.dispatch,
        threads_per_threadgroup: threadGroupSize,
        simd_width: one.waveSize ?? 32,
        constants: one.specialization ?? {},
      }),
    );
    const order = one.shuffle === undefined ? [] : ['--shuffle', String(one.shuffle)];
    const out = join(folder, 'out.json');
    await run(process.execPath, [
      runner,
      join(folder, 'a.metal'),
      join(folder, 'job.json'),
      '-o',
      out,
      ...order,
    ]).catch((error: { stderr?: string; stdout?: string; message: string }) => {
      let text = '';
      try {
        text = readFileSync(out, 'utf8').slice(0, 500);
      } catch {
        text = error.stderr ?? error.message;
      }
      throw new Error(`${text.slice(0, 3000)}\n${result.msl}`);
    });
    return collect(JSON.parse(readFileSync(out, 'utf8')), placed);
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

function collect(
  result: { buffers: Record<string, number[]>; textures: Record<string, number[]> },
  placed: readonly { key: string; element: number; table: string; index: number; resource: TestResource }[],
): Record<string, Uint8Array[]> {
  const bytes: Record<string, Uint8Array[]> = {};
  for (const { key, element, table, index, resource } of placed) {
    const list = (bytes[key] ??= []);
    if (resource.kind === 'sampler') list[element] = new Uint8Array(0);
    else if (table === 'buffer') list[element] = Uint8Array.from(result.buffers[index]!);
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
