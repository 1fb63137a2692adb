/** What stands after a declarator behind `:`: semantics, registers and packoffsets. */
import type { Annotation } from '../syntax/ast.ts';
import { mostNumber } from './attributes.ts';
import type { ResourceBinding, Stage } from '../ir/ir.ts';
import type { Location } from '../source/source-map.ts';
import type { BufferType, TextureType, Type } from '../types/type.ts';
import type { Context } from './context.ts';

export type Register = NonNullable<ResourceBinding['register']>;

/** A register as written: class and number are absent in `register(space1)`; `c` registers place loose globals. */
interface WrittenRegister {
  class?: 'b' | 't' | 's' | 'u' | 'c' | 'i';
  number?: number;
  space?: number;
  text: string;
  at: Location;
}

export function semanticOf(
  annotations: readonly Annotation[],
): (Annotation & { kind: 'semantic' }) | undefined {
  return annotations.find((annotation) => annotation.kind === 'semantic');
}

/** The register that counts for the stage: `register(ps_5_0, t0)` is for pixel shaders only. */
export function registerOf(
  context: Context,
  annotations: readonly Annotation[],
): WrittenRegister | undefined {
  let result: WrittenRegister | undefined;
  for (const annotation of annotations) {
    if (annotation.kind !== 'register') continue;
    const register = parseRegister(context, annotation);
    if (register) result ??= register;
  }
  return result;
}

const profilePrefix: Partial<Record<Stage, string>> = {
  vertex: 'vs',
  pixel: 'ps',
  compute: 'cs',
  geometry: 'gs',
  hull: 'hs',
  domain: 'ds',
};

function parseRegister(
  context: Context,
  annotation: Annotation & { kind: 'register' },
): WrittenRegister | undefined {
  const result: WrittenRegister = { text: '', at: annotation.at };
  for (const { text, at } of annotation.args) {
    const profile =
      annotation.args.length > 1 ? /^(vs|ps|cs|gs|hs|ds|lib|ms|as)(_\w+)?$/.exec(text) : undefined;
    if (profile) {
      if (profile[1] !== profilePrefix[context.stage]) return undefined;
      continue;
    }
    const space = text.startsWith('space') ? /^space(\d{1,10})$/.exec(text) : undefined;
    const register = /^([a-zA-Z])(\d{0,10})(?:\[(\d{1,9})\])?$/.exec(text.replaceAll(' ', ''));
    const registerClass = register?.[1]?.toLowerCase() ?? '';
    const number = Number(register?.[2] ?? 0) + Number(register?.[3] ?? 0);
    if (space && Number(space[1]) <= mostNumber) result.space = Number(space[1]);
    else if (
      register &&
      'btsuci'.includes(registerClass) &&
      (register[2] || register[3]) &&
      number <= mostNumber
    ) {
      result.class = registerClass as NonNullable<WrittenRegister['class']>;
      result.number = number;
      result.text = text;
      result.at = at;
    } else {
      context.log.report('register-bad', at, { text });
      return undefined;
    }
  }
  return result;
}

/** The register of a resource as bindings use it, checked against the resource's type; undefined if none was written. */
export function resourceRegister(
  context: Context,
  written: WrittenRegister | undefined,
  name: string,
  type: Type,
): { register?: Register; space?: number } {
  if (!written) return {};
  const { class: registerClass, number, space } = written;
  if (registerClass === undefined || number === undefined) return space === undefined ? {} : { space };
  const allowed = registerClasses(type);
  if (allowed && !allowed.includes(registerClass)) {
    const expected = allowed.map((letter) => `'${letter}'`).join(' or ');
    context.log.report('register-class', written.at, { name, register: written.text, expected });
  }
  // A `c` or `i` register does not say where a resource is bound.
  if (registerClass === 'c' || registerClass === 'i') return {};
  return { register: { class: registerClass, number, space: space ?? context.options.defaultSpace } };
}

/** Register classes a resource may be bound to, its own first; undefined if nothing is known of the type. */
export function registerClasses(type: Type): readonly string[] | undefined {
  while (type.kind === 'array') type = type.element;
  switch (type.kind) {
    case 'texture':
      return textureClasses(type);
    case 'sampler':
      return ['s', 't'];
    case 'acceleration-structure':
      return ['t'];
    case 'buffer':
      return [bufferClass(type)];
    default:
      return undefined;
  }
}

function textureClasses(type: TextureType): readonly string[] {
  if (type.writable) return ['u'];
  if (type.dimension === 'Subpass') return ['t', 's', 'u', 'b'];
  return type.dimension === 'Buffer' ? ['t'] : ['t', 's'];
}

function bufferClass(type: BufferType): 'b' | 't' | 'u' {
  if (type.buffer === 'ConstantBuffer') return 'b';
  return type.buffer === 'TextureBuffer' ||
    type.buffer === 'StructuredBuffer' ||
    type.buffer === 'ByteAddressBuffer'
    ? 't'
    : 'u';
}

/** Byte offset that `packoffset` asks for; undefined without one. */
export function packOffset(context: Context, annotations: readonly Annotation[]): number | undefined {
  const found = annotations.find((annotation) => annotation.kind === 'packoffset');
  if (found?.kind !== 'packoffset') return undefined;
  const register = /^c(\d{1,6})$/i.exec(found.register);
  const component = found.component === undefined ? 0 : 'xyzw'.indexOf(found.component) * 4;
  const bad = !register || component < 0 || (found.component !== undefined && found.component.length !== 1);
  if (!bad) return Number(register[1]) * 16 + component;
  const text = found.component === undefined ? found.register : `${found.register}.${found.component}`;
  context.log.report('packoffset-bad', found.at, { text });
  return undefined;
}
