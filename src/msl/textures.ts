/** Textures: their types, reads and writes of texels, and what is sampled, gathered and asked of them. */
import type { ImageOperation } from '../intrinsics/intrinsic.ts';
import { operandNames } from '../intrinsics/table.ts';
import type { Global, Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, type TextureType, type Type, typeName } from '../types/type.ts';
import { atom, declare, isName, line, placeFor, settle, text } from './code.ts';
import { scalarConstant } from './constants.ts';
import {
  type Context,
  type Expression,
  type FunctionContext,
  needVersion,
  report,
  type TextureUse,
} from './context.ts';
import { pathText, type Place } from './places.ts';
import { bare } from './marks.ts';
import { storeLines } from './memory.ts';
import { insideHelper } from './robust.ts';
import { constructText, scalarText, typeText } from './types.ts';

/** Subpass inputs are textures that are read where the pixel is. */
export const isSubpass = (type: Type): boolean => type.kind === 'texture' && type.dimension === 'Subpass';

/** The global behind a resource operand. */
export function globalOf(resource: Value): Global {
  let base = resource;
  while (base.kind === 'result' && base.instruction.op === 'access') base = base.instruction.operands[0]!;
  if (base.kind !== 'global') throw new InternalError('a resource without a global');
  return base;
}

export function textureOf(resource: Value): TextureType {
  const type = resource.type.kind === 'pointer' ? resource.type.pointee : resource.type;
  if (type.kind !== 'texture') throw new InternalError('a texture is wanted');
  return type;
}

export function isDepth(context: Context, resource: Value): boolean {
  return context.textures.get(globalOf(resource))?.compared ?? false;
}

export function textureText(context: Context, type: TextureType, use: TextureUse): string {
  const element = elementOf(type.element);
  if (!element) throw new InternalError('a texture of no numbers', context.at);
  const component = scalarText(context, element);
  if (/long|double/.test(component)) report(context, 'metal-lacks', { what: `'${typeName(type)}'` });
  if (type.name.startsWith('Sampled')) report(context, 'metal-not-yet', { what: `'${typeName(type)}'` });
  const dimension = { '1D': '1d', '2D': '2d', '3D': '3d', Cube: 'cube', Buffer: '_buffer', Subpass: '2d' }[
    type.dimension
  ];
  const kind = use.compared ? 'depth' : 'texture';
  const suffix = `${type.multisampled ? '_ms' : ''}${type.arrayed ? '_array' : ''}`;
  if (use.atomic) needVersion(context, 310, 'an atomic on a texel');
  const both = use.read || use.atomic ? 'read_write' : 'write';
  const access = type.writable
    ? use.written || use.atomic
      ? both
      : 'read'
    : type.dimension === 'Buffer' || type.dimension === 'Subpass' || type.multisampled
      ? 'read'
      : 'sample';
  const standard =
    access === 'sample' || (access === 'read' && (type.multisampled || type.dimension === 'Buffer'));
  return `metal::${kind}${dimension}${suffix}<${component}${standard ? '' : `, metal::access::${access}`}>`;
}

const dimensions = (type: TextureType) =>
  ({ '1D': 1, '2D': 2, '3D': 3, Cube: 3, Buffer: 1, Subpass: 2 })[type.dimension];
const isLayered = (type: TextureType) => type.arrayed && type.dimension !== 'Buffer';

function split(f: FunctionContext, given: string, valueType: Type): string {
  return isName(given) ? given : declare(f, typeText(f, valueType), given, 'at');
}

const xyz = (count: number) => '.xyz'.slice(0, count + 1);

/** Coordinates of texels: unsigned, the layer apart. */
function texelArguments(
  f: FunctionContext,
  type: TextureType,
  coordinate: string,
  coordinateType: Type,
): string[] {
  const count = dimensions(type);
  const wide = coordinateType.kind === 'vector' ? coordinateType.count : 1;
  const isUnsigned = typeText(f, coordinateType).endsWith(wide === 1 ? 'uint' : `uint${wide}`);
  const unsigned = (size: number, what: string) => {
    if (isUnsigned) return what;
    return size === 1 ? `uint(${what})` : `metal::uint${size}(${what})`;
  };
  if (!isLayered(type) && type.dimension !== 'Cube') {
    const isExact = coordinateType === elementOf(coordinateType) || wide === count;
    return [unsigned(count, isExact ? coordinate : `${split(f, coordinate, coordinateType)}${xyz(count)}`)];
  }
  const name = split(f, coordinate, coordinateType);
  const flat = type.dimension === 'Cube' ? 2 : count;
  return [unsigned(flat, `${name}${xyz(flat)}`), `uint(${name}.${'xyzw'[flat]})`];
}

export function resourceText(f: FunctionContext, resource: Value): string {
  if (resource.kind === 'global') return f.globals.get(resource)!;
  return pathText(placeFor(f, resource).path);
}

/** Four components of a read or sample as the element's type. */
function fromFour(f: FunctionContext, made: string, element: Type, depth: boolean): string {
  const count = element.kind === 'vector' ? element.count : 1;
  if (depth)
    return count === 1
      ? made
      : `${typeText(f, element)}(${[made, '0.0f', '0.0f', '1.0f'].slice(0, count).join(', ')})`;
  return count === 4 ? made : `${made}.${'xyzw'.slice(0, count)}`;
}

/** With `--robust`: the conditions under which a texel is there. */
export function texelGuards(f: FunctionContext, place: Place): string[] {
  const { texture, resource, coordinate, level } = place.texel!;
  const args = texelArguments(f, texture, coordinate.text, coordinateTypeOf(place));
  const guards: string[] = [];
  const isFirst = !level || /^0u?$/.test(bare(level.text));
  const hasLevel = !isFirst && texture.dimension !== 'Buffer' && texture.dimension !== '1D';
  if (hasLevel) args.push(`uint(${level.text})`);
  if (!isFirst && texture.dimension === '1D') guards.push(`${level.text} == 0`);
  guards.push(`${insideHelper(f, texture, hasLevel)}(${[resourceText(f, resource), ...args].join(', ')})`);
  return guards;
}

/** The value of a whole texel. */
export function readTexel(f: FunctionContext, place: Place): string {
  const { texture, resource, coordinate, level } = place.texel!;
  const args = texelArguments(f, texture, coordinate.text, coordinateTypeOf(place));
  if (level && texture.dimension !== 'Buffer' && texture.dimension !== '1D') args.push(`uint(${level.text})`);
  const made = `${resourceText(f, resource)}.read(${args.join(', ')})`;
  return fromFour(f, made, texture.element, isDepth(f, resource));
}

const coordinateTypes = new WeakMap<object, Type>();
export function rememberCoordinate(place: Place, type: Type): void {
  coordinateTypes.set(place.texel!, type);
}
export function coordinateTypeOf(place: Place): Type {
  return coordinateTypes.get(place.texel!)!;
}

export function writeTexel(f: FunctionContext, place: Place, value: string, valueType: Type): string {
  const { texture, resource, coordinate } = place.texel!;
  const element = elementOf(texture.element)!;
  const four = `metal::${scalarText(f, element)}4`;
  const count = valueType.kind === 'vector' ? valueType.count : 1;
  const zeros = Array<string>(4 - count).fill(scalarConstant(f, element, 0));
  const whole =
    count === 4 ? value : count === 1 ? `${four}(${value})` : `${four}(${[value, ...zeros].join(', ')})`;
  const args = texelArguments(f, texture, coordinate.text, coordinateTypeOf(place));
  return `${resourceText(f, resource)}.write(${[whole, ...args].join(', ')});`;
}

/** An atomic on a texel; the old value. */
export function atomicTexel(f: FunctionContext, place: Place, name: string, values: string[]): string {
  const { texture, resource, coordinate } = place.texel!;
  const four = `metal::${scalarText(f, elementOf(texture.element)!)}4`;
  const args = texelArguments(f, texture, coordinate.text, coordinateTypeOf(place));
  return `${resourceText(f, resource)}.atomic_${name}(${[...args, ...values.map((value) => `${four}(${value})`)].join(', ')}).x`;
}

// ---- methods

export function textureCall(
  f: FunctionContext,
  instruction: Instruction,
  operation: ImageOperation,
): Expression {
  const names = operandNames(instruction);
  const role = (name: string): Value | undefined => instruction.operands[names.indexOf(name)];
  const resource = instruction.operands[0]!;
  const type = textureOf(resource);
  const status = role('status');
  if (status && (type.multisampled || type.dimension === '1D' || type.dimension === 'Buffer'))
    report(f, 'metal-lacks', { what: `the status of '${typeName(type)}'` });
  if (operation.startsWith('query')) return query(f, instruction, operation, role, type);
  if (operation === 'fetch') return fetched(f, instruction, role, type);
  const location = role('location')!;
  const at = sampleArguments(f, type, text(f, location), location.type);
  const sampler = role('sampler');
  const args = [...(sampler ? [resourceText(f, sampler)] : []), ...at];
  const result = instruction.results[0]!.type;
  const depth = isDepth(f, resource);
  if (operation === 'gather' || operation === 'gather-cmp')
    return gathered(f, instruction, role, args, type, depth);
  const compare = role('compareValue');
  if (compare) args.push(text(f, compare));
  args.push(...lodOptions(f, role, type));
  const offset = role('offset');
  if (offset) args.push(text(f, offset));
  const name = compare ? 'sample_compare' : 'sample';
  const made = called(f, resource, name, args, status);
  return atom(compare ? made : fromFour(f, made, result, depth));
}

/** A method's value; with a status, which says whether all texels were there, it is a sparse one. */
function called(
  f: FunctionContext,
  resource: Value,
  method: string,
  args: readonly string[],
  status: Value | undefined,
): string {
  const of = resourceText(f, resource);
  if (!status) return `${of}.${method}(${args.join(', ')})`;
  settle(f);
  const texel = declare(f, 'auto', `${of}.sparse_${method}(${args.join(', ')})`, 'texel');
  for (const one of storeLines(f, placeFor(f, status), `uint(${texel}.resident())`)) line(f, one);
  return `${texel}.value()`;
}

/** A load that tells whether its texel was there. */
function fetched(
  f: FunctionContext,
  instruction: Instruction,
  role: (name: string) => Value | undefined,
  type: TextureType,
): Expression {
  const resource = instruction.operands[0]!;
  if (f.options.metal.robust) report(f, 'metal-not-yet', { what: 'the status of a load with --robust' });
  const location = role('location')!;
  const args = texelArguments(f, type, text(f, location), location.type);
  const level = role('lod') ?? role('sampleIndex');
  if (level && type.dimension !== 'Buffer' && type.dimension !== '1D') args.push(`uint(${text(f, level)})`);
  const made = called(f, resource, 'read', args, role('status'));
  return atom(fromFour(f, made, instruction.results[0]!.type, isDepth(f, resource)));
}

function sampleArguments(f: FunctionContext, type: TextureType, given: string, givenType: Type): string[] {
  const count = dimensions(type);
  if (!isLayered(type)) return [given];
  const name = split(f, given, givenType);
  return [`${name}${xyz(count)}`, `uint(metal::rint(metal::max(${name}.${'xyzw'[count]}, 0.0f)))`];
}

/** Textures of one dimension have no levels in Metal. */
function lodOptions(
  f: FunctionContext,
  role: (name: string) => Value | undefined,
  type: TextureType,
): string[] {
  const options: string[] = [];
  const one = (name: string, spelled: string) => {
    const value = role(name);
    if (!value) return;
    const made = text(f, value);
    if (type.dimension !== '1D') options.push(`metal::${spelled}(${made})`);
  };
  one('bias', 'bias');
  one('lod', 'level');
  const [dx, dy] = [role('ddx'), role('ddy')];
  if (dx && dy) {
    const [x, y] = [text(f, dx), text(f, dy)];
    const kind = { '3D': '3d', Cube: 'cube' }[type.dimension as '3D' | 'Cube'] ?? '2d';
    if (type.dimension !== '1D') options.push(`metal::gradient${kind}(${x}, ${y})`);
  }
  one('clamp', 'min_lod_clamp');
  return options;
}

function gathered(
  f: FunctionContext,
  instruction: Instruction,
  role: (name: string) => Value | undefined,
  args: string[],
  type: TextureType,
  depth: boolean,
): Expression {
  const resource = instruction.operands[0]!;
  const status = role('status');
  const result = instruction.results[0]!.type;
  const hasOffset = type.dimension === '2D';
  const compare = role('compareValue');
  const component = role('component');
  if (compare) args.push(text(f, compare));
  const channel = component?.kind === 'constant' ? Number(component.value) : 0;
  if (depth && channel > 0)
    report(f, 'metal-lacks', {
      what: 'gathering another component than the first of a texture that is compared with',
    });
  const one = (offset: string | undefined): string => {
    const all = [...args];
    const named = !compare && !depth && channel > 0;
    if (hasOffset && (offset || named)) all.push(offset ?? 'metal::int2(0)');
    if (named) all.push(`metal::component::${'xyzw'[channel]}`);
    return called(f, resource, compare ? 'gather_compare' : 'gather', all, status);
  };
  const count = result.kind === 'vector' ? result.count : 1;
  if (role('offset1')) {
    if (status) report(f, 'metal-lacks', { what: 'the status of a gather with four offsets' });
    const parts = [1, 2, 3, 4].map((i) => `${one(text(f, role(`offset${i}`)!))}.${'xyzw'[i - 1]}`);
    return atom(constructText(f, result, parts));
  }
  const offset = role('offset');
  const made = one(offset && text(f, offset));
  return atom(count === 4 ? made : `${made}.${'xyzw'.slice(0, count)}`);
}

function query(
  f: FunctionContext,
  instruction: Instruction,
  operation: ImageOperation,
  role: (name: string) => Value | undefined,
  type: TextureType,
): Expression {
  const resource = resourceText(f, instruction.operands[0]!);
  const result = instruction.results[0]!.type;
  switch (operation) {
    case 'query-levels':
      return atom(`${resource}.get_num_mip_levels()`);
    case 'query-samples':
      return atom(`${resource}.get_num_samples()`);
    case 'query-lod':
    case 'query-lod-unclamped': {
      const location = role('location')!;
      const name = operation === 'query-lod' ? 'calculate_clamped_lod' : 'calculate_unclamped_lod';
      return atom(`${resource}.${name}(${resourceText(f, role('sampler')!)}, ${text(f, location)})`);
    }
    default: {
      const level = role('lod');
      const isPlain = type.multisampled || type.dimension === 'Buffer' || type.dimension === '1D';
      const lod = level ? text(f, level) : '';
      const at = isPlain || lod === '0u' ? '' : lod;
      const sizes = [`${resource}.get_width(${at})`];
      if (type.dimension !== '1D' && type.dimension !== 'Buffer') sizes.push(`${resource}.get_height(${at})`);
      if (type.dimension === '3D') sizes.push(`${resource}.get_depth(${at})`);
      if (type.arrayed) sizes.push(`${resource}.get_array_size()`);
      return atom(sizes.length === 1 ? sizes[0]! : constructText(f, result, sizes));
    }
  }
}
