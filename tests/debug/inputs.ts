/** Made-up contents for all resources of a module, the same for each compilation of a text. */
import type { Global, Module } from '../../src/ir/ir.ts';
import { elementOf, type PointerType, scalarClass, type Type } from '../../src/types/type.ts';
import type { Bindings, FormatName, TestResource } from '../support/resources.ts';
import { image, sampler } from '../support/resources.ts';

export function bindingsFor(module: Module): Bindings {
  const bindings: Bindings = {};
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
    default:
      return { kind: 'buffer', bytes: numbers(16384), format: 'r32uint' };
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

function formatOf(element: Type): FormatName {
  const scalar = elementOf(element);
  const kind = scalar ? scalarClass(scalar) : 'float';
  const count = element.kind === 'vector' ? element.count : 1;
  const name = kind === 'int' ? 'sint' : kind === 'uint' ? 'uint' : 'float';
  return `${count === 1 ? 'r' : count === 2 ? 'rg' : 'rgba'}32${name}` as FormatName;
}
