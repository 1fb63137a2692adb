/**
 * A triangle drawn with Metal text on the CPU: the runner calls the vertex and the fragment function, and what lies between them is
 * the interpreter's. Values go by location, so that both texts must agree on them.
 */
import type { Global, Module } from '../../src/ir/ir.ts';
import type { PointerType, Type } from '../../src/types/type.ts';
import { type Drawing, type DrawnPixel, rasterize } from './interpreter/draw.ts';
import { type Environment, type StageValues, stageKey } from './interpreter/interpret.ts';
import { asList, type Datum, flatten } from './interpreter/value.ts';
import { collect, makeJob, type NoMetal, runJob, toMetal } from './metal-runner.ts';
import type { TestOptions } from './compile.ts';
import { type Bindings, copyBindings, type TestResource } from './resources.ts';

export interface MetalDraw {
  text: string;
  vertex: TestOptions;
  pixel: TestOptions;
  /** The same as IR, for the names and types of what passes between. */
  modules: { vertex: Module; pixel: Module };
  drawing: Drawing;
  bindings: Bindings;
  environment: Pick<Environment, 'pushConstants'> & { specialization?: Record<number, number> };
}

/** What a stage's function is given or gives, by attribute: `attr0`, `locn0`, `position`, `color(0)`. */
type Attributes = Record<string, number | readonly number[]>;

/** Pixels that were drawn and not discarded, and the bytes of the resources afterwards. */
export async function drawMetal(
  one: MetalDraw,
): Promise<{ drawn: DrawnPixel[]; resources: Record<string, Uint8Array[]> } | NoMetal> {
  const vertex = toMetal(one.text, one.vertex);
  if ('codes' in vertex) return vertex;
  const pixel = toMetal(one.text, one.pixel);
  if ('codes' in pixel) return pixel;
  const bindings = copyBindings(one.bindings);
  const run = async (program: typeof vertex, invocations: readonly Attributes[], quads: boolean) => {
    const { job, placed } = makeJob(program, { ...one.environment, bindings });
    const result = await runJob(program, { ...job, invocations, quads });
    for (const [key, list] of Object.entries(collect(result, placed))) overwrite(bindings[key]!, list);
    return result.invocations ?? [];
  };
  const inputs = globalsOf(one.modules.vertex, 'input');
  const vertices = await run(
    vertex,
    one.drawing.vertices.map((values) => toAttributes(inputs, values, 'attr')),
    false,
  );
  const outputs = globalsOf(one.modules.vertex, 'output');
  const results = vertices.map((made) => fromAttributes(outputs, made, 'locn'));
  const quads = rasterize(results, one.modules.pixel, one.drawing).flat();
  const pixelInputs = globalsOf(one.modules.pixel, 'input');
  const shaded =
    quads.length === 0
      ? []
      : await run(
          pixel,
          quads.map((each) => ({
            ...toAttributes(pixelInputs, each.inputs, 'locn'),
            helper: each.covered ? 0 : 1,
          })),
          true,
        );
  const targets = globalsOf(one.modules.pixel, 'output');
  const drawn = new Map<string, DrawnPixel>();
  shaded.forEach((made, n) => {
    const { x, y, covered } = quads[n]!;
    if (covered && !made.discarded)
      drawn.set(`${x},${y}`, { x, y, outputs: fromAttributes(targets, made, 'color') });
  });
  const bytes = Object.entries(bindings).map(
    ([key, value]) => [key, resourcesOf(value).map(bytesOf)] as const,
  );
  return { drawn: [...drawn.values()], resources: Object.fromEntries(bytes) };
}

const resourcesOf = (value: TestResource | readonly TestResource[]): readonly TestResource[] =>
  Array.isArray(value) ? (value as readonly TestResource[]) : [value as TestResource];
const bytesOf = (one: TestResource): Uint8Array => (one.kind === 'sampler' ? new Uint8Array(0) : one.bytes);

function overwrite(value: TestResource | readonly TestResource[], bytes: readonly Uint8Array[]): void {
  resourcesOf(value).forEach((one, i) => {
    if (one.kind !== 'sampler' && bytes[i]) one.bytes.set(bytes[i]!);
  });
}

function globalsOf(module: Module, kind: 'input' | 'output'): Global[] {
  return module.globals.filter(({ role }) => role.kind === kind);
}

function variableOf({ role }: Global) {
  if (role.kind !== 'input' && role.kind !== 'output') throw new Error('no variable of the interface');
  return role.variable;
}

const attributesOf: Readonly<Record<string, string>> = {
  SV_VertexID: 'vertex_id',
  SV_InstanceID: 'instance_id',
  SV_Position: 'position',
  SV_IsFrontFace: 'front_facing',
  SV_PrimitiveID: 'primitive_id',
  SV_SampleIndex: 'sample_id',
  SV_Coverage: 'sample_mask',
};

/** Values by semantic as the attributes of the Metal function. */
function toAttributes(globals: readonly Global[], values: StageValues, kind: 'attr' | 'locn'): Attributes {
  const attributes: Attributes = {};
  for (const global of globals) {
    const { builtin, location } = variableOf(global);
    const value = values[stageKey(global)];
    if (value === undefined) continue;
    if (builtin === 'SV_ClipDistance')
      flatten(value).forEach((part, i) => {
        attributes[`clip${variableOf(global).semantic.index}_${i}`] = Number(part);
      });
    else if (builtin !== undefined) attributes[attributesOf[builtin] ?? builtin] = flatten(value).map(Number);
    else
      partsOf(value, (global.type as PointerType).pointee).forEach((part, i) => {
        attributes[`${kind}${location! + i}`] = flatten(part).map(Number);
      });
  }
  return attributes;
}

/** A value's parts that have locations of their own. */
function partsOf(value: Datum, type: Type): Datum[] {
  if (type.kind === 'array') return asList(value).flatMap((part) => partsOf(part, type.element));
  return type.kind === 'matrix' ? [...asList(value)] : [value];
}

function fromAttributes(
  globals: readonly Global[],
  made: { by?: Attributes; [name: string]: unknown },
  kind: 'locn' | 'color',
): StageValues {
  const values: StageValues = {};
  let clips = 0;
  for (const global of globals) {
    const { builtin, location, index } = variableOf(global);
    const type = (global.type as PointerType).pointee;
    const at = (n: number): string => (kind === 'locn' ? `locn${n}` : `color(${n})`);
    let next = location ?? 0;
    const given = (): Datum => {
      if (builtin === 'SV_ClipDistance') return Number(made[`clip_distance[${clips++}]`]);
      const value = made.by?.[builtin === undefined ? at(next++) : (attributesOf[builtin] ?? builtin)];
      return value as Datum;
    };
    if (builtin !== undefined && builtin !== 'SV_Position' && builtin !== 'SV_ClipDistance') continue;
    if (index) continue;
    values[stageKey(global)] =
      builtin === 'SV_ClipDistance' ? clipValue(type, given) : assembled(type, given);
  }
  return values;
}

function clipValue(type: Type, next: () => Datum): Datum {
  if (type.kind === 'vector') return Array.from({ length: type.count }, next);
  return type.kind === 'array'
    ? Array.from({ length: type.size }, () => clipValue(type.element, next))
    : next();
}

function assembled(type: Type, next: () => Datum): Datum {
  if (type.kind === 'array') return Array.from({ length: type.size }, () => assembled(type.element, next));
  if (type.kind === 'matrix') return Array.from({ length: type.rows }, () => asArray(next(), type.columns));
  return type.kind === 'vector' ? asArray(next(), type.count) : next();
}

function asArray(value: Datum, count: number): Datum {
  return count === 1 && !Array.isArray(value) ? [value] : value;
}
