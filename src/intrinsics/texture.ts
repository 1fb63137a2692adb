/**
 * Methods of textures and typed buffers.
 *
 * Samples and gathers are image instructions. Loads become `texel` and `load`, as the index operator does, unless they
 * report the residency; sizes become queries whose components go to the out parameters.
 *
 * The rows stand in alphabetical order.
 */
import type { Builder } from '../ir/builder.ts';
import type { Instruction, Stage, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { boolType, intType, type TextureType, type Type, uintType, vector } from '../types/type.ts';
import { quadStages } from './derivatives.ts';
import { call, componentsOf, elementType, filled, gathered, resultType } from './expansion.ts';
import { type ImageOperation, type Intrinsic, type IntrinsicEffects, op } from './intrinsic.ts';

const textureKinds = ['Texture1D', 'Texture1DArray', 'Texture2D', 'Texture2DArray', 'Texture3D'];
const cubeKinds = ['TextureCube', 'TextureCubeArray'];
const writable = ['RasterizerOrdered', 'RW'].flatMap((prefix) => textureKinds.map((kind) => prefix + kind));
const typedBuffers = ['Buffer', 'RWBuffer', 'RasterizerOrderedBuffer'];
/** With a sampler as argument; `withoutSampler` makes the rows of textures that have theirs. */
const sampled = [...textureKinds, ...cubeKinds];
const compared = sampled.filter((name) => name !== 'Texture3D');
const gatherable = ['Texture2D', 'Texture2DArray', ...cubeKinds];

/** `vk::SampledTexture2D` and the like: an image and a sampler in one. */
function combinedNames(objects: readonly string[]): string[] {
  return objects.map((name) => `Sampled${name.replace('Cube', 'CUBE')}`);
}
const flat = [...textureKinds, ...combinedNames(textureKinds)];
const plainMultisampled = ['Texture2DMS', 'Texture2DMSArray'];
const multisampled = [...plainMultisampled, ...combinedNames(plainMultisampled)];
const mipmapped = [...sampled, ...combinedNames(sampled)];

/** The texture that a resource operand names. */
function textureOf(object: Value): TextureType {
  const type = object.type.kind === 'pointer' ? object.type.pointee : object.type;
  if (type.kind !== 'texture') throw new InternalError('a texture method without a texture');
  return type;
}

/** Is it a `globallycoherent` resource? */
export function isCoherent(object: Value): boolean {
  let base = object;
  while (base.kind === 'result' && base.instruction.op === 'access') base = base.instruction.operands[0]!;
  return base.kind === 'global' && base.role.kind === 'resource' && base.role.coherent;
}

const implicitOperations: readonly ImageOperation[] = [
  'sample',
  'sample-bias',
  'sample-cmp',
  'sample-cmp-bias',
  'query-lod',
  'query-lod-unclamped',
];

function image(
  name: string,
  objects: readonly string[],
  operation: ImageOperation,
  signature: string,
  more: Partial<Intrinsic> = {},
): Intrinsic {
  const implicit = implicitOperations.includes(operation);
  const effects: IntrinsicEffects = implicit ? 'derivative' : 'none';
  const stages: { stages?: readonly Stage[] } = implicit ? { stages: quadStages } : {};
  return {
    key: `texture.${name}`,
    name,
    objects,
    overloads: [signature],
    effects,
    spirv: { kind: 'image', op: operation },
    ...stages,
    ...more,
  };
}

/** A row that expansions use. */
function hidden(
  key: string,
  objects: readonly string[],
  operation: ImageOperation,
  overloads: readonly string[],
): Intrinsic {
  return {
    key,
    name: '',
    objects,
    overloads,
    effects: operation === 'fetch' ? 'reads' : 'none',
    spirv: { kind: 'image', op: operation },
  };
}

const rest = 'offset offset?, float clamp?, out uint status?';

// ---- gather

const offsets = 'offset offset1, offset offset2, offset offset3, offset offset4, out uint status?';

/** The arguments up to one whose place depends on whether there is a sampler, and those behind it. */
function argumentsUntil(
  name: 'location' | 'compareValue',
  args: readonly Value[],
  instruction: Instruction,
): [Value[], Value[]] {
  const count = (isCombined(instruction) ? 2 : 3) + (name === 'location' ? 0 : 1);
  return [args.slice(0, count), args.slice(count)];
}

function isCombined(instruction: Instruction): boolean {
  return instruction.intrinsic?.startsWith(combinedPrefix) ?? false;
}

/** The row for the same kind of object that the instruction is for. */
function hiddenKey(key: string, instruction: Instruction): string {
  return isCombined(instruction) ? combinedPrefix + key : key;
}

const combinedPrefix = 'sampled-';

/** The row for textures that have a sampler in them, if the row takes a sampler. */
function withoutSampler(row: Intrinsic): Intrinsic[] {
  const parameter = /\b(?:anysampler|comparison|sampler) sampler, /;
  if (!row.objects || !(row.refused || row.overloads.some((overload) => parameter.test(overload)))) return [];
  // They are Vulkan's own and not bound to a shader model.
  const { shaderModel: _, ...rest } = row;
  return [
    {
      ...rest,
      key: combinedPrefix + row.key,
      objects: combinedNames(row.objects),
      overloads: row.overloads.map((overload) =>
        overload.replace(parameter, '').replace(row.key, combinedPrefix + row.key),
      ),
    },
  ];
}

/** `Gather` reads the red component, and has no form with an offset per texel. */
function gather(name: string, component: number): Intrinsic {
  const overloads = [
    `gathered ${name}(sampler sampler, location location, offset offset?, out uint status?)`,
  ];
  if (name !== 'Gather') overloads.push(`gathered ${name}(sampler sampler, location location, ${offsets})`);
  return {
    key: `texture.${name}`,
    name,
    objects: gatherable,
    overloads,
    effects: 'none',
    expand: (builder, args, instruction) => {
      const [leading, others] = argumentsUntil('location', args, instruction);
      const key = hiddenKey('texture.gather', instruction);
      return call(builder, key, resultType(instruction), ...leading, builder.int(component), ...others);
    },
  };
}

function gatherCmp(name: string): Intrinsic {
  const overloads = [
    `gathered ${name}(comparison sampler, location location, float compareValue, offset offset?, out uint status?)`,
  ];
  if (name !== 'GatherCmp')
    overloads.push(`gathered ${name}(comparison sampler, location location, float compareValue, ${offsets})`);
  return {
    key: `texture.${name}`,
    name,
    objects: gatherable,
    overloads,
    effects: 'none',
    spirv: { kind: 'image', op: 'gather-cmp' },
  };
}

function refusedMethod(name: string, objects: readonly string[], reason: string): Intrinsic {
  return { key: `texture.${name}`, name, objects, overloads: [], effects: 'none', refused: reason };
}
const onlyRed = 'Vulkan compares the red component only';

// ---- loads

/** Coordinates with the offset added; a layer has none. */
function offsetBy(builder: Builder, location: Value, offset: Value | undefined): Value {
  if (!offset) return location;
  const count = componentsCount(location.type);
  const parts = componentsOf(builder, offset);
  while (parts.length < count) parts.push(builder.int(0));
  return builder.binary('add', location, gathered(builder, parts));
}

function componentsCount(type: Type): number {
  return type.kind === 'vector' ? type.count : 1;
}

function expandLoad(
  builder: Builder,
  result: Type,
  object: Value,
  location: Value,
  level: Value | undefined,
  status: Value | undefined,
): Value {
  if (status) {
    const key =
      level === undefined
        ? 'texture.fetch'
        : textureOf(object).multisampled
          ? 'texture.fetch-sample'
          : 'texture.fetch-level';
    return call(builder, key, result, object, location, ...(level ? [level] : []), status);
  }
  return builder.load(builder.texel(object, location, level), isCoherent(object));
}

const load: Intrinsic = {
  key: 'texture.Load',
  name: 'Load',
  objects: flat,
  overloads: ['element Load(mipped location, offset offset?, out uint status?)'],
  effects: 'reads',
  constantOffset: true,
  expand: (builder, [object, mipped, offset, status], instruction) => {
    const last = componentsCount(mipped!.type) - 1;
    const location = builder.swizzle(
      mipped!,
      Array.from({ length: last }, (_, index) => index),
    );
    const level = builder.extract(mipped!, last);
    return expandLoad(
      builder,
      resultType(instruction),
      object!,
      offsetBy(builder, location, offset),
      level,
      status,
    );
  },
};

const loadPlain: Intrinsic = {
  key: 'texture.Load.plain',
  name: 'Load',
  objects: [...writable, ...typedBuffers],
  overloads: ['element Load(texel location, out uint status?)'],
  effects: 'reads',
  expand: (builder, [object, location, status], instruction) =>
    expandLoad(builder, resultType(instruction), object!, location!, undefined, status),
};

const loadSample: Intrinsic = {
  key: 'texture.Load.sample',
  name: 'Load',
  objects: multisampled,
  overloads: ['element Load(texel location, int sampleIndex, offset offset?, out uint status?)'],
  effects: 'reads',
  constantOffset: true,
  expand: (builder, [object, location, sample, offset, status], instruction) =>
    expandLoad(
      builder,
      resultType(instruction),
      object!,
      offsetBy(builder, location!, offset),
      sample,
      status,
    ),
};

// ---- sizes

/** Names of the out parameters, which are the components of the size. */
function sizeNames(object: string): string[] {
  const names = object.includes('1D') || object.includes('Buffer') ? ['width'] : ['width', 'height'];
  if (object.includes('3D')) names.push('depth');
  if (object.includes('Array')) names.push('elements');
  return names;
}

function dimensions(suffix: string, objects: readonly string[]): Intrinsic {
  const object = objects[0]!;
  const mipped = mipmapped.includes(object);
  const samples = multisampled.includes(object);
  const names = sizeNames(object);
  const signature = (type: string, before: readonly string[], outs: readonly string[]) =>
    `void GetDimensions(${[...before, ...outs.map((name) => `out ${type} ${name}`)].join(', ')})`;
  const overloads = ['uint', 'float'].flatMap((type) => {
    if (samples) return [signature(type, [], [...names, 'samples'])];
    const plain = signature(type, [], names);
    return mipped ? [plain, signature(type, ['uint mipLevel'], [...names, 'levels'])] : [plain];
  });
  return {
    key: `texture.GetDimensions.${suffix}`,
    name: 'GetDimensions',
    objects,
    overloads,
    effects: 'none',
    expand: (builder, args) => {
      expandDimensions(builder, args, names.length, mipped, samples);
      return undefined;
    },
  };
}

function dimensionsOfEach(objects: readonly string[]): Intrinsic[] {
  return [...objects]
    .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    .map((object) => dimensions(object, [object]));
}

function expandDimensions(
  builder: Builder,
  args: readonly Value[],
  count: number,
  mipped: boolean,
  samples: boolean,
): void {
  const object = args[0]!;
  const withLevel = mipped && args.length > count + 1;
  const outs = args.slice(withLevel ? 2 : 1);
  const sizeType = count === 1 ? uintType : vector(uintType, count);
  const level = mipped ? [withLevel ? args[1]! : builder.uint(0)] : [];
  const sizes = componentsOf(builder, call(builder, 'texture.query-size', sizeType, object, ...level));
  if (samples) sizes.push(call(builder, 'texture.query-samples', uintType, object));
  if (withLevel) sizes.push(call(builder, 'texture.query-levels', uintType, object));
  outs.forEach((out, index) => {
    if (out.type.kind !== 'pointer') throw new InternalError('a size needs a place');
    builder.store(
      out,
      builder.convert(sizes[index]!, elementType({ kind: 'undef', type: out.type.pointee })),
    );
  });
}

// ---- sample positions

/** The standard positions in sixteenths of a pixel: x in the low, y in the high half of a byte, four samples per word. */
function packPositions(positions: readonly (readonly [number, number])[]): number[] {
  const words = [0, 0, 0, 0];
  positions.forEach(([x, y], index) => {
    words[index >> 2]! |= (((y & 15) << 4) | (x & 15)) << ((index & 3) * 8);
  });
  return words.map((word) => word >>> 0);
}

const standardPositions: readonly (readonly [number, readonly (readonly [number, number])[]])[] = [
  [
    2,
    [
      [4, 4],
      [-4, -4],
    ],
  ],
  [
    4,
    [
      [-2, -6],
      [6, -2],
      [-6, 2],
      [2, 6],
    ],
  ],
  [
    8,
    [
      [1, -3],
      [-1, 3],
      [5, 1],
      [-3, -5],
      [-5, 5],
      [-7, -1],
      [3, 7],
      [7, -7],
    ],
  ],
  [
    16,
    [
      [1, 1],
      [-1, -3],
      [-3, 2],
      [4, -1],
      [-5, -2],
      [2, 5],
      [5, 3],
      [3, -5],
      [-2, 6],
      [0, -7],
      [-4, -6],
      [-6, 4],
      [-8, 0],
      [7, -4],
      [6, 7],
      [-7, -8],
    ],
  ],
];

function expandSamplePosition(builder: Builder, object: Value, index: Value, result: Type): Value {
  const count = call(builder, 'texture.query-samples', uintType, object);
  const words = vector(uintType, 4);
  const constant = (parts: readonly number[]) =>
    builder.constant(
      words,
      parts.map((part) => builder.uint(part)),
    );
  let packed: Value = constant([0, 0, 0, 0]);
  for (const [samples, positions] of standardPositions) {
    const same = builder.splat(vector(boolType, 4), builder.compare('equal', count, builder.uint(samples)));
    packed = builder.select(same, constant(packPositions(positions)), packed);
  }
  const sample = builder.bitcast(index, uintType);
  const word = builder.extractDynamic(
    packed,
    builder.binary('and', builder.binary('shr', sample, builder.uint(2)), builder.uint(3)),
  );
  const shift = builder.binary('shl', builder.binary('and', sample, builder.uint(3)), builder.uint(3));
  const byte = builder.bitcast(builder.binary('shr', word, shift), intType);
  // To the top and back down, so that the sign of the four bits spreads.
  const nibble = (up: number) =>
    builder.binary('shr', builder.binary('shl', byte, builder.int(up)), builder.int(28));
  const position = builder.convert(
    gathered(builder, [nibble(28), nibble(24)]),
    elementType({ kind: 'undef', type: result }),
  );
  return builder.binary('mul', position, filled(builder, result, 1 / 16));
}

function subpassLoad(suffix: string, object: string, signature: string): Intrinsic {
  return {
    key: `texture.SubpassLoad${suffix}`,
    name: 'SubpassLoad',
    objects: [object],
    overloads: [signature],
    effects: 'reads',
    expand: (builder, args) =>
      builder.load(builder.texel(args[0]!, filled(builder, vector(intType, 2), 0), args[1])),
    stages: ['pixel', 'library'],
  };
}

export const textureRows: readonly Intrinsic[] = [
  image(
    'CalculateLevelOfDetail',
    sampled,
    'query-lod',
    'float CalculateLevelOfDetail(anysampler sampler, direction location)',
  ),
  image(
    'CalculateLevelOfDetailUnclamped',
    sampled,
    'query-lod-unclamped',
    'float CalculateLevelOfDetailUnclamped(anysampler sampler, direction location)',
  ),
  {
    key: 'CheckAccessFullyMapped',
    name: 'CheckAccessFullyMapped',
    overloads: ['bool CheckAccessFullyMapped(uint status)'],
    effects: 'none',
    spirv: op('OpImageSparseTexelsResident', 'SparseResidency'),
  },
  hidden('texture.fetch', [...writable, ...typedBuffers], 'fetch', [
    'element texture.fetch(texel location, out uint status)',
  ]),
  hidden('texture.fetch-level', flat, 'fetch', [
    'element texture.fetch-level(texel location, int lod, out uint status)',
  ]),
  hidden('texture.fetch-sample', multisampled, 'fetch', [
    'element texture.fetch-sample(texel location, int sampleIndex, out uint status)',
  ]),
  hidden('texture.gather', gatherable, 'gather', [
    'gathered texture.gather(sampler sampler, location location, int component, offset offset?, out uint status?)',
    `gathered texture.gather(sampler sampler, location location, int component, ${offsets})`,
  ]),
  gather('Gather', 0),
  gather('GatherAlpha', 3),
  gather('GatherBlue', 2),
  gatherCmp('GatherCmp'),
  refusedMethod('GatherCmpAlpha', gatherable, onlyRed),
  refusedMethod('GatherCmpBlue', gatherable, onlyRed),
  refusedMethod('GatherCmpGreen', gatherable, onlyRed),
  gatherCmp('GatherCmpRed'),
  gather('GatherGreen', 1),
  gather('GatherRed', 0),
  dimensions('Buffer', typedBuffers),
  ...dimensionsOfEach([...writable, ...plainMultisampled, ...sampled]),
  {
    key: 'texture.GetSamplePosition',
    name: 'GetSamplePosition',
    objects: multisampled,
    overloads: ['float2 GetSamplePosition(int sampleIndex)'],
    effects: 'none',
    expand: (builder, [object, index], instruction) =>
      expandSamplePosition(builder, object!, index!, resultType(instruction)),
  },
  load,
  loadPlain,
  loadSample,
  hidden('texture.query-levels', mipmapped, 'query-levels', ['uint texture.query-levels()']),
  hidden('texture.query-samples', multisampled, 'query-samples', ['uint texture.query-samples()']),
  hidden('texture.query-size', [...mipmapped, ...multisampled, ...writable, ...typedBuffers], 'query-size', [
    'texel texture.query-size(uint lod?)',
  ]),
  image('Sample', sampled, 'sample', `element Sample(sampler sampler, location location, ${rest})`),
  image(
    'SampleBias',
    sampled,
    'sample-bias',
    `element SampleBias(sampler sampler, location location, float bias, ${rest})`,
  ),
  image(
    'SampleCmp',
    compared,
    'sample-cmp',
    `float SampleCmp(comparison sampler, location location, float compareValue, ${rest})`,
  ),
  image(
    'SampleCmpBias',
    compared,
    'sample-cmp-bias',
    `float SampleCmpBias(comparison sampler, location location, float compareValue, float bias, ${rest})`,
    { shaderModel: 68 },
  ),
  image(
    'SampleCmpGrad',
    compared,
    'sample-cmp-grad',
    `float SampleCmpGrad(comparison sampler, location location, float compareValue, direction ddx, direction ddy, ${rest})`,
    { shaderModel: 68 },
  ),
  image(
    'SampleCmpLevel',
    compared,
    'sample-cmp-lod',
    'float SampleCmpLevel(comparison sampler, location location, float compareValue, float lod, offset offset?, out uint status?)',
    { shaderModel: 67 },
  ),
  {
    key: 'texture.SampleCmpLevelZero',
    name: 'SampleCmpLevelZero',
    objects: compared,
    overloads: [
      'float SampleCmpLevelZero(comparison sampler, location location, float compareValue, offset offset?, out uint status?)',
    ],
    effects: 'none',
    expand: (builder, args, instruction) => {
      const [leading, others] = argumentsUntil('compareValue', args, instruction);
      const key = hiddenKey('texture.SampleCmpLevel', instruction);
      return call(builder, key, resultType(instruction), ...leading, builder.float(0), ...others);
    },
  },
  image(
    'SampleGrad',
    sampled,
    'sample-grad',
    `element SampleGrad(sampler sampler, location location, direction ddx, direction ddy, ${rest})`,
  ),
  image(
    'SampleLevel',
    sampled,
    'sample-lod',
    'element SampleLevel(sampler sampler, location location, float lod, offset offset?, out uint status?)',
  ),
  subpassLoad('', 'SubpassInput', 'element SubpassLoad()'),
  subpassLoad('.sample', 'SubpassInputMS', 'element SubpassLoad(int sampleIndex)'),
];

/** Methods of textures that have a sampler in them; few shaders use one. */
export function sampledTextureRows(): Intrinsic[] {
  const sizes = dimensionsOfEach(combinedNames([...sampled, ...plainMultisampled]));
  return [...sizes, ...textureRows.flatMap(withoutSampler)];
}
