/** Looks rows up by key, by name and by object type over all families. */
import type { Instruction } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { Type } from '../types/type.ts';
import { atomicRows } from './atomics.ts';
import { barrierRows } from './barriers.ts';
import { bitRows } from './bits.ts';
import { bufferRows, wideAtomicRows } from './buffer.ts';
import { derivativeRows } from './derivatives.ts';
import type { Intrinsic } from './intrinsic.ts';
import { legacyRows, mathRows } from './math.ts';
import { mslSpellingOf } from './msl.ts';
import { parametersFor, signatureOf } from './notation.ts';
import { sampledTextureRows, textureRows } from './texture.ts';
import { waveRows } from './wave.ts';

const common = {
  math: mathRows,
  legacy: legacyRows,
  bits: bitRows,
  derivatives: derivativeRows,
  atomics: atomicRows,
  barriers: barrierRows,
  wave: waveRows,
  texture: textureRows,
  buffer: bufferRows,
  wideAtomics: wideAtomicRows,
};

/** What few shaders use: its rows are made when one does. */
let sampledTexture: readonly Intrinsic[] | undefined;

/** Every row there is, by family. */
export const families: Readonly<Record<string, readonly Intrinsic[]>> = {
  ...common,
  get sampledTexture() {
    return (sampledTexture ??= sampledTextureRows());
  },
};

interface Index {
  byKey: Map<string, Intrinsic>;
  functions: Map<string, Intrinsic[]>;
  /** Of every object that has a method of the name. */
  methods: Map<string, Intrinsic[]>;
}

let commonIndex: Index | undefined;
let sampledTextureIndex: Index | undefined;

function indexed(): Index {
  return (commonIndex ??= indexOf(Object.values(common)));
}

function indexedSampledTexture(): Index {
  return (sampledTextureIndex ??= indexOf([families.sampledTexture!]));
}

function indexOf(rowsOfFamilies: readonly (readonly Intrinsic[])[]): Index {
  const index: Index = { byKey: new Map(), functions: new Map(), methods: new Map() };
  for (const rows of rowsOfFamilies) {
    for (const row of rows) {
      const msl = mslSpellingOf(row);
      if (msl) row.msl = msl;
      index.byKey.set(row.key, row);
      if (row.name !== '') addNamed(row.objects ? index.methods : index.functions, row);
    }
  }
  return index;
}

function addNamed(map: Map<string, Intrinsic[]>, row: Intrinsic): void {
  const rows = map.get(row.name);
  if (rows) rows.push(row);
  else map.set(row.name, [row]);
}

/** The row that an IR instruction or a typed call names. */
export function intrinsicByKey(key: string): Intrinsic | undefined {
  return indexed().byKey.get(key) ?? indexedSampledTexture().byKey.get(key);
}

/** The row of an `intrinsic` instruction. */
export function intrinsicOf(instruction: Instruction): Intrinsic {
  const row = instruction.intrinsic === undefined ? undefined : intrinsicByKey(instruction.intrinsic);
  if (!row) throw new InternalError(`there is no intrinsic '${instruction.intrinsic}'`);
  return row;
}

/** What messages call the function or method of an instruction. */
export function spokenName(instruction: Instruction): string {
  const { name, key } = intrinsicOf(instruction);
  return name || key;
}

/** Functions by their HLSL name (`vk::ReadClock` with its namespace); empty if there is none. */
export function findFunctions(name: string): readonly Intrinsic[] {
  return indexed().functions.get(name) ?? [];
}

/** Methods of a texture or buffer by name; empty if the object has none of that name. */
export function findMethods(objectType: Type, name: string): readonly Intrinsic[] {
  const object = objectName(objectType);
  if (object === undefined) return [];
  const rows = indexed().methods.get(name) ?? [];
  const more = (object.startsWith('Sampled') && indexedSampledTexture().methods.get(name)) || [];
  return [...rows, ...more].filter((row) => row.objects?.includes(object));
}

/** Does the object have methods of any name? Otherwise a member access on it is nonsense from the start. */
export function objectName(type: Type): string | undefined {
  switch (type.kind) {
    case 'texture':
      return type.name;
    case 'buffer':
      return type.buffer;
    default:
      return undefined;
  }
}

/**
 * The parameter names of an IR call, parallel to its operands; the object of a method is `object`. Counts of operands tell the
 * overloads of a row apart.
 */
export function operandNames(instruction: Instruction): string[] {
  const row = intrinsicOf(instruction);
  const { operands } = instruction;
  const object = row.objects ? operands[0]?.type : undefined;
  const objectType = object?.kind === 'pointer' ? object.pointee : object;
  const own = row.objects ? 1 : 0;
  for (const text of row.overloads) {
    const parameters = parametersFor(signatureOf(text), operands.length - own, objectType);
    if (parameters) return [...(own ? ['object'] : []), ...parameters.map((parameter) => parameter.name)];
  }
  throw new InternalError(`'${row.key}' does not take ${operands.length} operands`);
}
