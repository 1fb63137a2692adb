/** Global resources: textures, buffers, samplers, arrays of them, and structs that hold nothing else. */
import type { Declarator, VariableDeclaration } from '../syntax/ast.ts';
import type { Type, VkAttribute } from '../types/type.ts';
import { elementOf, errorType, isOpaque, scalarBits, scalarClass, typeName } from '../types/type.ts';
import { registerOf, resourceRegister } from './annotations.ts';
import { findAttribute, hasModifier } from './attributes.ts';
import type { Context } from './context.ts';
import { bindName } from './names.ts';
import type { VariableSymbol } from './program.ts';

/** Declares a global whose type has opaque parts; it is set from outside. */
export function declareResource(
  context: Context,
  node: VariableDeclaration,
  declarator: Declarator,
  type: Type,
  attributes: readonly VkAttribute[],
): void {
  const name = declarator.name.name;
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: name.text,
    type,
    storage: 'resource',
    constant: true,
    precise: false,
    at: name.at,
    end: name.end,
    attributes,
  };
  if (hasModifier(node.modifiers, 'globallycoherent')) symbol.coherent = true;
  if (!onlyOpaque(type)) {
    context.log.report('mixed-global-struct', name.at, { name: name.text });
    bindName(context, context.scope, name, { ...symbol, type: errorType });
    return;
  }
  // Samplers may carry effect states, resources nothing: either is without meaning here.
  if (declarator.init && declarator.init.kind !== 'sampler-state') {
    context.log.report('initializer-ignored', declarator.init.at, { name: name.text });
  }
  checkResource(context, symbol);
  const register = resourceRegister(context, registerOf(context, declarator.annotations), name.text, type);
  context.declared.registers.set(symbol, register);
  if (!bindName(context, context.scope, name, symbol)) return;
  const flatten = context.options.flattenResourceArrays;
  if (variablesOf(type, flatten) > maxVariables) {
    context.log.report('resource-struct-size', name.at, { name: name.text, limit: maxVariables });
    return;
  }
  const parts = split(symbol, flatten);
  if (parts) symbol.parts = parts;
  for (const leaf of resourceLeaves(symbol)) context.declared.registers.set(leaf, register);
  context.globals.push(symbol);
}

/** True if every leaf is a handle. */
function onlyOpaque(type: Type): boolean {
  if (type.kind === 'array') return onlyOpaque(type.element);
  if (type.kind === 'struct')
    return type.members.length > 0 && type.members.every((member) => onlyOpaque(member.type));
  return isOpaque(type);
}

/** More variables than any device has bindings for. */
const maxVariables = 4096;

/** How many variables a resource is split into. */
function variablesOf(type: Type, flatten: boolean): number {
  let element = type;
  let count = 1;
  for (; element.kind === 'array'; element = element.element) count *= element.size;
  if (element.kind !== 'struct') return flatten ? Math.max(count, 1) : 1;
  return count * element.members.reduce((sum, member) => sum + variablesOf(member.type, flatten), 0);
}

/** One variable for each member of a struct of handles, and with `flatten` for each element of an array, named by its path. */
function split(symbol: VariableSymbol, flatten: boolean): VariableSymbol[] | undefined {
  const { type } = symbol;
  let element = type;
  while (element.kind === 'array') element = element.element;
  const isArray = flatten && type.kind === 'array' && !hasUnsized(type);
  if (element.kind !== 'struct' && !isArray) return undefined;
  const parts: VariableSymbol[] = [];
  const add = (name: string, part: Type): void => {
    const variable: VariableSymbol = { ...symbol, name, type: part };
    const inner = split(variable, flatten);
    parts.push(inner ? { ...variable, parts: inner } : variable);
  };
  if (type.kind === 'struct')
    for (const member of type.members) add(`${symbol.name}.${member.name}`, member.type);
  if (type.kind === 'array') for (let i = 0; i < type.size; i++) add(`${symbol.name}[${i}]`, type.element);
  return parts;
}

function hasUnsized(type: Type): boolean {
  return type.kind === 'array' && (type.size === 0 || hasUnsized(type.element));
}

/** The variables that get bindings: the symbol itself, or the leaves that it was split into. */
export function resourceLeaves(symbol: VariableSymbol): VariableSymbol[] {
  return symbol.parts ? symbol.parts.flatMap(resourceLeaves) : [symbol];
}

// ---- what Vulkan asks of resources

/** Image formats by the scalar that a load gives. */
const imageFormats: Readonly<Record<string, 'float' | 'int' | 'uint' | 'int64' | 'uint64' | 'any'>> = {
  unknown: 'any',
  rgba32f: 'float',
  rgba16f: 'float',
  r32f: 'float',
  rgba8: 'float',
  rgba8snorm: 'float',
  rg32f: 'float',
  rg16f: 'float',
  r11g11b10f: 'float',
  r16f: 'float',
  rgba16: 'float',
  rgb10a2: 'float',
  rg16: 'float',
  rg8: 'float',
  r16: 'float',
  r8: 'float',
  rgba16snorm: 'float',
  rg16snorm: 'float',
  rg8snorm: 'float',
  r16snorm: 'float',
  r8snorm: 'float',
  rgba32i: 'int',
  rgba16i: 'int',
  rgba8i: 'int',
  r32i: 'int',
  rg32i: 'int',
  rg16i: 'int',
  rg8i: 'int',
  r16i: 'int',
  r8i: 'int',
  rgba32ui: 'uint',
  rgba16ui: 'uint',
  rgba8ui: 'uint',
  r32ui: 'uint',
  rgb10a2ui: 'uint',
  rg32ui: 'uint',
  rg16ui: 'uint',
  rg8ui: 'uint',
  r16ui: 'uint',
  r8ui: 'uint',
  r64ui: 'uint64',
  r64i: 'int64',
};

function checkResource(context: Context, symbol: VariableSymbol): void {
  let { type } = symbol;
  const outer = type;
  while (type.kind === 'array') type = type.element;
  const { name, at } = symbol;
  if (type.kind === 'texture') {
    const part = elementOf(type.element);
    // The rule is Vulkan's, not SPIR-V's.
    const narrow =
      context.options.targetEnv !== 'universal1.5' &&
      part &&
      scalarClass(part) === 'float' &&
      scalarBits(part, context.options.enable16BitTypes) === 16;
    if (narrow && type.dimension !== 'Subpass') context.log.report('texture-16-bit', at, { name });
    if (outer === type) checkImageFormat(context, symbol, type.element);
  }
}

function checkImageFormat(context: Context, symbol: VariableSymbol, element: Type): void {
  const attribute = findAttribute(symbol.attributes, 'vk::image_format');
  const format = attribute?.args[0];
  if (!attribute || typeof format !== 'string') return;
  const loads = Object.hasOwn(imageFormats, format) ? imageFormats[format] : undefined;
  if (!loads) {
    context.log.report('image-format-bad', attribute.at, { format });
    return;
  }
  const part = elementOf(element);
  if (!part || loads === 'any') return;
  const wide = scalarBits(part, false) === 64 ? '64' : '';
  const actual = scalarClass(part) === 'float' ? 'float' : `${scalarClass(part)}${wide}`;
  if (actual !== loads)
    context.log.report('image-format-type', symbol.at, { format, type: typeName(element) });
}

/** Structured buffers that count: their counter is a buffer of its own. */
export function hasCounter(type: Type): boolean {
  while (type.kind === 'array') type = type.element;
  if (type.kind !== 'buffer') return false;
  return (
    type.buffer === 'RWStructuredBuffer' ||
    type.buffer === 'RasterizerOrderedStructuredBuffer' ||
    type.buffer === 'AppendStructuredBuffer' ||
    type.buffer === 'ConsumeStructuredBuffer'
  );
}
