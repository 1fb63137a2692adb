/**
 * Execution cases: a compute shader, or a vertex and a pixel shader, with what it must leave in its resources. Every case is
 * compiled at each optimization level, validated, interpreted (as lowered and behind the passes) and run on lavapipe, and all results
 * are compared with the values of the case.
 */
import { afterAll, expect, test } from 'vitest';
import { runMetal } from '../support/metal-runner.ts';
import { type TestOptions, toModule, toSpirv } from '../support/compile.ts';
import { drawMetal } from '../support/metal-draw.ts';
import { type DrawnPixel, interpretDraw } from '../support/interpreter/draw.ts';
import { interpretCompute, type StageValues } from '../support/interpreter/interpret.ts';
import { numbers } from '../support/interpreter/value.ts';
import {
  type Bindings,
  copyBindings,
  type FormatName,
  formats,
  halfToNumber,
  type ImageResource,
  image,
  readTexel,
  type TestResource,
  texelBytes,
  writeTexel,
  zeros,
} from '../support/resources.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';
import { closeVulkan, runCompute, runGraphics } from '../support/vulkan.ts';

type Kind = 'u' | 'i' | 'f' | 'd' | 'h' | 'u64' | 'i64' | 'u16' | 'i16';

/** Values that a resource begins with. Integers are compared exactly; floats by `tolerance`, relative to 1 or the value. */
export interface Expected {
  kind: Kind;
  values: readonly (number | bigint)[];
  tolerance: number;
  /** Which element of an array of resources; 0 if absent. */
  element?: number;
}

export const u = (...values: number[]): Expected => ({ kind: 'u', values, tolerance: 0 });
export const i = (...values: number[]): Expected => ({ kind: 'i', values, tolerance: 0 });
/** Floats that must come out exactly. */
export const f = (...values: number[]): Expected => ({ kind: 'f', values, tolerance: 0 });
/** Floats within 1e-5 of the value. */
export const near = (...values: number[]): Expected => ({ kind: 'f', values, tolerance: 1e-5 });
export const within = (tolerance: number, ...values: number[]): Expected => ({
  kind: 'f',
  values,
  tolerance,
});
export const d = (...values: number[]): Expected => ({ kind: 'd', values, tolerance: 1e-12 });
export const h = (...values: number[]): Expected => ({ kind: 'h', values, tolerance: 1e-3 });
export const u64 = (...values: bigint[]): Expected => ({ kind: 'u64', values, tolerance: 0 });
export const i64 = (...values: bigint[]): Expected => ({ kind: 'i64', values, tolerance: 0 });
export const u16 = (...values: number[]): Expected => ({ kind: 'u16', values, tolerance: 0 });
export const i16 = (...values: number[]): Expected => ({ kind: 'i16', values, tolerance: 0 });

interface Common {
  /** Declarations in front of the entry function. */
  declare?: string;
  options?: Omit<TestOptions, 'profile' | 'entry'>;
  profile?: string;
  bindings?: Bindings;
  pushConstants?: Uint8Array;
  /** By constant id: the value, and its 4 bytes are made of it. */
  specialization?: Record<number, number>;
  /** By `set.binding`. */
  expect?: Record<string, Expected | readonly Expected[]>;
}

export interface ComputeCase extends Common {
  /** Element type of the output buffer `o` at u0, which begins as zeros. */
  out?: string;
  /** Number of 32-bit words of `o`; as many as expected if absent. */
  outWords?: number;
  /** Element type and content of the input buffer `a` at t1. */
  in?: readonly [type: string, content: TestResource];
  /** Body of `main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex)`. */
  body: string;
  threads?: string;
  dispatch?: readonly [number, number, number];
  waveSize?: number;
  /** It leaves bounds, which Metal checks with `--robust` only. */
  leavesBounds?: boolean;
  /** What `o` must hold. */
  gives?: Expected;
}

export interface DrawCase extends Common {
  /** Whole text with `VSMain` and `PSMain`. */
  text: string;
  /** By semantic: a value for each of the three vertices; if absent, a position that covers the whole target. */
  attributes?: Record<string, readonly (readonly number[])[]>;
  formats?: Record<string, FormatName>;
  width?: number;
  height?: number;
  targets?: readonly FormatName[];
  /** By `x,y`, then by target: the channels. `undefined` is a pixel that was not written. */
  pixels: Record<string, readonly (readonly number[] | undefined)[]>;
  /** What Metal makes, where flags mean Vulkan. */
  metalPixels?: DrawCase['pixels'];
  tolerance?: number;
}

const levels = [0, 1, 2, 3] as const;
/** What is in bounds means the same with `--robust`. */
const isLong = process.env['ONESHADER_LONG'] === '1';

/** Defines a test per case. */
export function computeCases(title: string, cases: Record<string, ComputeCase>): void {
  describeWith(['lavapipe', 'g++', 'spirv-val'], title, () => {
    afterAll(closeVulkan);
    for (const [name, one] of Object.entries(cases)) test(name, () => runComputeCase(one));
  });
  describeWith(['clang'], `${title}, as Metal text`, () => {
    for (const [name, one] of Object.entries(cases)) test(name, (context) => runMetalCase(one, context.skip));
  });
}

/** Cases that leave the bounds of what no device but the interpreter and `--robust` guards. */
export function robustCases(title: string, cases: Record<string, ComputeCase>): void {
  describeWith(['clang'], title, () => {
    for (const [name, one] of Object.entries(cases))
      test(name, async (context) => {
        interpretCase(one);
        await runMetalCase({ ...one, leavesBounds: true }, context.skip);
      });
  });
}

/** Without and with the optimizer. What Metal lacks, or the backend does not have yet, is left out. */
async function runMetalCase(one: ComputeCase, skip: (note: string) => void): Promise<void> {
  const { text, options, bindings, expected, dispatch } = partsOf(one);
  // Threads that share memory run in other orders too.
  const runs = [
    { level: 0 },
    { level: 3 },
    ...(/groupshared/.test(text) ? [1, 2, 3].map((shuffle) => ({ level: 3, shuffle })) : []),
  ] as const;
  for (const { level, ...order } of runs) {
    const result = await runMetal({
      text,
      ...order,
      options: { ...options, optimize: level as 0 | 3 },
      robust: one.leavesBounds ?? isLong,
      dispatch,
      bindings,
      ...environmentOf(one),
      ...(one.waveSize && { waveSize: one.waveSize }),
    });
    if ('codes' in result) {
      skip(String(result.codes));
      return;
    }
    compareResources(`Metal, -O${level}`, result, expected);
  }
}

export function drawCases(title: string, cases: Record<string, DrawCase>): void {
  describeWith(['lavapipe', 'g++', 'spirv-val'], title, () => {
    afterAll(closeVulkan);
    for (const [name, one] of Object.entries(cases)) test(name, () => runDrawCase(one));
  });
  describeWith(['clang'], `${title}, as Metal text`, () => {
    for (const [name, one] of Object.entries(cases)) test(name, (context) => runMetalDraw(one, context.skip));
  });
}

// ---- compute

function computeText(one: ComputeCase): string {
  const out = one.out ? `RWStructuredBuffer<${one.out}> o : register(u0);\n` : '';
  const input = one.in ? `StructuredBuffer<${one.in[0]}> a : register(t1);\n` : '';
  const head = `[numthreads(${one.threads ?? '1, 1, 1'})]\nvoid main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex)`;
  return `${out}${input}${one.declare ?? ''}\n${head}\n{\n${one.body}\n}\n`;
}

function partsOf(one: ComputeCase) {
  const text = computeText(one);
  const options: TestOptions = { profile: 'cs_6_0', entry: 'main', ...profileOf(one), ...one.options };
  const bindings: Bindings = { ...one.bindings };
  if (one.out) bindings['0.0'] = zeros(one.outWords ?? wordsOf(one.gives!));
  if (one.in) bindings['0.1'] = one.in[1];
  const expected = { ...one.expect, ...(one.gives && { '0.0': one.gives }) };
  const dispatch = one.dispatch ?? ([1, 1, 1] as const);
  return { text, options, bindings, expected, dispatch };
}

/** As lowered, and behind the passes of each level. */
function interpretCase(one: ComputeCase): void {
  const { text, options, bindings, expected, dispatch } = partsOf(one);
  for (const stage of ['lowered', 'passed'] as const)
    for (const level of stage === 'lowered' ? [0] : levels) {
      const used = copyBindings(bindings);
      interpretCompute(toModule(text, { ...options, optimize: level as 0 }, stage), dispatch, {
        bindings: used,
        ...environmentOf(one),
        ...(one.waveSize && { waveSize: one.waveSize }),
      });
      compareResources(`interpreter, ${stage}, -O${level}`, bytesOf(used), expected);
    }
}

async function runComputeCase(one: ComputeCase): Promise<void> {
  const { text, options, bindings, expected, dispatch } = partsOf(one);
  interpretCase(one);
  await forEachModule([{ text, options }], async (label, [spirv]) => {
    const { resources } = await runCompute({
      spirv: spirv!,
      entry: 'main',
      dispatch,
      bindings,
      ...deviceFields(one),
    });
    compareResources(`lavapipe, ${label}`, resources, expected);
  });
}

function profileOf(one: Common): { profile?: string } {
  return one.profile ? { profile: one.profile } : {};
}

function environmentOf(one: Common) {
  return {
    ...(one.pushConstants && { pushConstants: one.pushConstants }),
    ...(one.specialization && { specialization: one.specialization }),
  };
}

function deviceFields(one: Common) {
  const asBytes = (value: number): Uint8Array => new Uint8Array(Int32Array.of(value).buffer);
  const constants = Object.entries(one.specialization ?? {}).map(
    ([id, value]) => [id, asBytes(value)] as const,
  );
  return {
    ...(one.pushConstants && { pushConstants: one.pushConstants }),
    specialization: Object.fromEntries(constants),
  };
}

/** Compiles and validates at every level, and runs what differs from the level before. */
async function forEachModule(
  shaders: readonly { text: string; options: TestOptions }[],
  run: (label: string, spirv: Uint8Array[]) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>();
  for (const level of levels) {
    const modules = shaders.map(({ text, options }) => toSpirv(text, { ...options, optimize: level }));
    const key = modules.map((spirv) => Buffer.from(spirv).toString('base64')).join();
    if (seen.has(key)) continue;
    seen.add(key);
    shaders.forEach(({ options }, n) => {
      const problems = validateSpirv(modules[n]!, validationFlags(options.targetEnv, options.layout));
      expect(problems, `spirv-val, -O${level}`).toBe('');
    });
    await run(`-O${level}`, modules);
  }
}

// ---- drawing

const fullTriangle = [
  [-1, -1, 0.5, 1],
  [-1, 3, 0.5, 1],
  [3, -1, 0.5, 1],
];

const defaultFormats = ['rgba32float'] as const;

function drawParts(one: DrawCase) {
  const attributes = one.attributes ?? { POSITION0: fullTriangle };
  const shader = (profile: string, entry: string) => ({
    text: one.text,
    options: { profile, entry, ...one.options } as TestOptions,
  });
  const vertices = [0, 1, 2].map(
    (n): StageValues => ({
      SV_VertexID: n,
      SV_InstanceID: 0,
      ...Object.fromEntries(Object.entries(attributes).map(([key, values]) => [key, values[n]!])),
    }),
  );
  return {
    attributes,
    vertex: shader('vs_6_0', 'VSMain'),
    pixel: shader(one.profile ?? 'ps_6_0', 'PSMain'),
    drawing: { width: one.width ?? 4, height: one.height ?? 4, vertices },
    targetFormats: one.targets ?? defaultFormats,
    bindings: one.bindings ?? {},
  };
}

/** Compares the targets that pixels make. */
function compareDrawn(
  label: string,
  one: DrawCase,
  drawn: readonly DrawnPixel[],
  resources: Record<string, Uint8Array[]>,
): void {
  const { drawing, targetFormats } = drawParts(one);
  const { width, height } = drawing;
  const targets = targetFormats.map((format) => clearTarget(format, width, height));
  for (const { x, y, outputs } of drawn)
    targets.forEach((target, slot) => {
      const value = outputs[`SV_Target${slot}`];
      const at = (y * width + x) * texelBytes(target.format);
      if (value !== undefined) writeTexel(target.format, target.bytes, at, numbers(value));
    });
  comparePixels(label, targets, one);
  compareResources(label, resources, one.expect ?? {});
}

/** Without and with the optimizer. */
async function runMetalDraw(one: DrawCase, skip: (note: string) => void): Promise<void> {
  const { vertex, pixel, drawing, bindings } = drawParts(one);
  for (const optimize of [0, 3] as const) {
    const options = (of: typeof vertex): TestOptions => ({ ...of.options, optimize });
    const module = (of: typeof vertex) => toModule(of.text, options(of), 'passed');
    const result = await drawMetal({
      text: one.text,
      vertex: options(vertex),
      pixel: options(pixel),
      modules: { vertex: module(vertex), pixel: module(pixel) },
      drawing,
      bindings,
      environment: environmentOf(one),
    });
    if ('codes' in result) {
      skip(String(result.codes));
      return;
    }
    compareDrawn(
      `Metal, -O${optimize}`,
      { ...one, pixels: one.metalPixels ?? one.pixels },
      result.drawn,
      result.resources,
    );
  }
}

async function runDrawCase(one: DrawCase): Promise<void> {
  const { attributes, vertex, pixel, drawing, targetFormats, bindings } = drawParts(one);
  const { width, height } = drawing;

  for (const stage of ['lowered', 'passed'] as const)
    for (const level of stage === 'lowered' ? [0] : levels) {
      const module = ({ text, options }: typeof vertex) =>
        toModule(text, { ...options, optimize: level as 0 }, stage);
      const used = copyBindings(bindings);
      const drawn = interpretDraw(module(vertex), module(pixel), drawing, {
        bindings: used,
        ...environmentOf(one),
      });
      compareDrawn(`interpreter, ${stage}, -O${level}`, one, drawn, bytesOf(used));
    }
  await forEachModule([vertex, pixel], async (label, [vertexSpirv, pixelSpirv]) => {
    const targets = targetFormats.map((format) => clearTarget(format, width, height));
    const result = await runGraphics({
      vertex: { spirv: vertexSpirv!, entry: 'VSMain' },
      pixel: { spirv: pixelSpirv!, entry: 'PSMain' },
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, values], n) => [n, attributeBytes(values, one.formats?.[key])]),
      ),
      vertices: 3,
      targets,
      bindings,
      ...deviceFields(one),
    });
    const filled = targets.map((target, slot) => ({ ...target, bytes: result.targets[slot]! }));
    comparePixels(`lavapipe, ${label}`, filled, one);
    compareResources(`lavapipe, ${label}`, result.resources, one.expect ?? {});
  });
}

/** What no pixel writes stays -7 in float targets and 0xfff8 or so in others. */
const untouched = -7;

function clearTarget(format: FormatName, width: number, height: number): ImageResource {
  return image({ format, width, height }, () => [untouched, untouched, untouched, untouched]);
}

function attributeBytes(
  values: readonly (readonly number[])[],
  format: FormatName | undefined,
): { format: FormatName; bytes: Uint8Array } {
  const name =
    format ?? (['r32float', 'rg32float', 'rgb32float', 'rgba32float'] as const)[values[0]!.length - 1]!;
  const size = texelBytes(name);
  const bytes = new Uint8Array(size * values.length);
  values.forEach((value, n) => {
    writeTexel(name, bytes, n * size, value);
  });
  return { format: name, bytes };
}

function comparePixels(label: string, targets: readonly ImageResource[], one: DrawCase): void {
  for (const [place, wanted] of Object.entries(one.pixels)) {
    const [x, y] = place.split(',').map(Number) as [number, number];
    wanted.forEach((channels, slot) => {
      const target = targets[slot]!;
      const offset = (y * target.width + x) * texelBytes(target.format);
      const got = readTexel(target.format, target.bytes, offset).slice(0, formats[target.format].channels);
      const cleared = clearTarget(target.format, 1, 1);
      const want = channels ?? readTexel(target.format, cleared.bytes, 0).slice(0, got.length);
      compareNumbers(`${label}: pixel ${place} of target ${slot}`, got, want, one.tolerance ?? 1e-4);
    });
  }
}

// ---- comparing

function bytesOf(bindings: Bindings): Record<string, Uint8Array[]> {
  const bytes = (of: TestResource): Uint8Array => (of.kind === 'sampler' ? new Uint8Array(0) : of.bytes);
  return Object.fromEntries(
    Object.entries(bindings).map(([key, value]) => [
      key,
      (Array.isArray(value) ? (value as TestResource[]) : [value as TestResource]).map(bytes),
    ]),
  );
}

function compareResources(
  label: string,
  resources: Record<string, Uint8Array[]>,
  expected: Record<string, Expected | readonly Expected[]>,
): void {
  for (const [key, wanted] of Object.entries(expected))
    for (const one of Array.isArray(wanted) ? (wanted as readonly Expected[]) : [wanted as Expected]) {
      const bytes = resources[key]?.[one.element ?? 0];
      expect(bytes, `${label}: ${key} is bound`).toBeDefined();
      compareNumbers(
        `${label}: ${key}`,
        readValues(bytes!, one.kind, one.values.length),
        one.values,
        one.tolerance,
      );
    }
}

const sizes: Record<Kind, number> = { u: 4, i: 4, f: 4, d: 8, h: 2, u64: 8, i64: 8, u16: 2, i16: 2 };

function wordsOf(expected: Expected): number {
  return Math.ceil((expected.values.length * sizes[expected.kind]) / 4);
}

function readValues(bytes: Uint8Array, kind: Kind, count: number): (number | bigint)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read: Record<Kind, (at: number) => number | bigint> = {
    u: (at) => view.getUint32(at, true),
    i: (at) => view.getInt32(at, true),
    f: (at) => view.getFloat32(at, true),
    d: (at) => view.getFloat64(at, true),
    h: (at) => halfToNumber(view.getUint16(at, true)),
    u64: (at) => view.getBigUint64(at, true),
    i64: (at) => view.getBigInt64(at, true),
    u16: (at) => view.getUint16(at, true),
    i16: (at) => view.getInt16(at, true),
  };
  return Array.from({ length: count }, (_, n) => read[kind](n * sizes[kind]));
}

function compareNumbers(
  label: string,
  got: readonly (number | bigint)[],
  wanted: readonly (number | bigint)[],
  tolerance: number,
): void {
  const close = (a: number | bigint, b: number | bigint | undefined): boolean => {
    if (b === undefined) return false;
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
    if (typeof a === 'bigint' || typeof b === 'bigint' || tolerance === 0) return false;
    return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));
  };
  const good = got.length === wanted.length && got.every((value, n) => close(value, wanted[n]));
  if (!good) expect(got, label).toEqual(wanted);
}
