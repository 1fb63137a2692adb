/** Made-up contents for all resources and inputs of a module, the same for each compilation of a text. */
import type { Global, Module } from '../../src/ir/ir.ts';
import type { LayoutFamily } from '../../src/options.ts';
import { elementStride } from '../../src/types/layout.ts';
import { bufferLayout } from '../../src/types/layout-rules.ts';
import {
  type BufferType,
  elementOf,
  type LayoutRule,
  type PointerType,
  scalarClass,
  type Type,
  vector,
} from '../../src/types/type.ts';
import type { StageValues } from '../support/interpreter/interpret.ts';
import {
  defaultMatrixOrder,
  storageLayout,
  store,
  useMemoryOf,
  uses16BitTypes,
} from '../support/interpreter/memory.ts';
import { type Datum, InterpreterError } from '../support/interpreter/value.ts';
import type { Bindings, FormatName, TestResource } from '../support/resources.ts';
import { image, sampler } from '../support/resources.ts';

export function bindingsFor(module: Module): Bindings {
  const bindings: Bindings = {};
  useMemoryOf(module);
  for (const [index, global] of module.globals.entries()) {
    if (global.role.kind !== 'resource') continue;
    // Without shifts a texture, a buffer and a sampler may have the same number: each resource gets a set of its own.
    const { role } = global;
    const { counter } = role.binding;
    role.binding = {
      ...role.binding,
      set: index,
      binding: 0,
      ...(counter && { counter: { set: index, binding: 1 } }),
    };
    bindings[`${index}.0`] = contents(resourceType(global), (global.type as PointerType).pointee);
    if (counter) bindings[`${index}.1`] = { kind: 'buffer', bytes: new Uint8Array(4) };
  }
  return bindings;
}

function resourceType(global: Global): Type {
  let type = (global.type as PointerType).pointee;
  while (type.kind === 'array') type = type.element;
  return type;
}

function contents(type: Type, whole: Type): TestResource | readonly TestResource[] {
  if (whole.kind === 'array')
    return Array.from(
      { length: Math.max(whole.size, 4) },
      () => contents(type, whole.element) as TestResource,
    );
  switch (type.kind) {
    case 'sampler':
      return sampler(type.comparison ? { comparison: 'less' } : {});
    case 'texture': {
      const format = formatOf(type.element);
      if (type.dimension === 'Buffer') return { kind: 'buffer', bytes: numbers(4096), format };
      return image(
        {
          format,
          dimension: type.dimension === 'Subpass' ? '2D' : type.dimension,
          arrayed: type.arrayed,
          width: 8,
          height: 8,
        },
        (x: number, y: number) => [x / 8, y / 8, 0.5, 1],
      );
    }
    case 'buffer':
      return { kind: 'buffer', bytes: bufferContents(type) };
    default:
      throw new InterpreterError(`no contents for a ${type.kind}`);
  }
}

/** Small floats and small whole numbers in turn: neither is absurd when read as the other. */
function numbers(size: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(size));
  for (let at = 0; at < size; at += 4) {
    const n = (at * 2654435761) >>> 24;
    if ((at / 4) % 3 === 1) view.setUint32(at, n & 7, true);
    else view.setFloat32(at, n / 64 - 1, true);
  }
  return new Uint8Array(view.buffer);
}

/** The layouts that go with the one of structured buffers. */
const families: Partial<Record<LayoutRule, LayoutFamily>> = {
  'vulkan-storage': 'vulkan',
  std430: 'gl',
  'dx-structured': 'dx',
  scalar: 'scalar',
};

/** Elements side by side: their numbers are small, and differ. */
function bufferContents({ buffer, element, matrixOrder }: BufferType): Uint8Array {
  if (buffer.includes('ByteAddress')) return numbers(16384);
  const rule = bufferLayout(families[storageLayout()] ?? 'vulkan', buffer);
  const order = matrixOrder ?? defaultMatrixOrder();
  const bytes = new Uint8Array(16384);
  const stride = elementStride(element, rule, order, uses16BitTypes());
  const state = { n: 11 };
  for (let offset = 0; offset + stride <= bytes.length && stride > 0; offset += stride)
    store({ at: 'bytes', bytes, offset, type: element, rule, order }, made(element, 0, state));
  return bytes;
}

function formatOf(element: Type): FormatName {
  const scalar = elementOf(element);
  const kind = scalar ? scalarClass(scalar) : 'float';
  const count = element.kind === 'vector' ? element.count : 1;
  const name = kind === 'int' ? 'sint' : kind === 'uint' ? 'uint' : 'float';
  return `${count === 1 ? 'r' : count === 2 ? 'rg' : 'rgba'}32${name}` as FormatName;
}

/** Inputs of one of a few invocations of a vertex or pixel shader. `nameOf`: what they are called. */
export function inputsFor(module: Module, lane: number, nameOf: (global: Global) => string): StageValues {
  const inputs: StageValues = {};
  for (const global of module.globals) {
    const { role } = global;
    if (role.kind !== 'input') continue;
    const { builtin } = role.variable;
    const type = (global.type as PointerType).pointee;
    inputs[nameOf(global)] =
      builtin === 'SV_Position'
        ? [4.5 + (lane & 1), 2.5 + (lane >> 1), 0.5, 1]
        : builtin === 'SV_Coverage'
          ? 1
          : made(type, lane, { n: seedOf(role.variable.name) });
  }
  return inputs;
}

const seedOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) & 1023, 7);

/** Neighbours differ a little, so that derivatives are small. */
function made(type: Type, lane: number, state: { n: number }): Datum {
  switch (type.kind) {
    case 'vector':
      return Array.from({ length: type.count }, () => made(type.element, lane, state));
    case 'matrix':
      return Array.from({ length: type.rows }, () => made(vector(type.element, type.columns), lane, state));
    case 'array':
      return Array.from({ length: type.size }, () => made(type.element, lane, state));
    case 'struct':
      return type.members.map((member) => made(member.type, lane, state));
    default: {
      const n = state.n++;
      const element = elementOf(type);
      const kind = element ? scalarClass(element) : 'float';
      if (kind === 'bool') return n % 2 === 1;
      return kind === 'float' ? ((n * 37) % 64) / 64 + lane / 128 : (n + lane) % 4;
    }
  }
}
