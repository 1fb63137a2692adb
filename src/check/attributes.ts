/**
 * Attributes `[name(args)]` and `[[vk::name(args)]]`: which there are, what they take, and their evaluated form. Where an
 * attribute may stand is decided by those who read it.
 */
import type { Attribute, Expression, Modifier } from '../syntax/ast.ts';
import type { VkAttribute } from '../types/type.ts';
import type { Context } from './context.ts';
import { evaluateInteger } from './constants.ts';
import type { StatementHint } from './program.ts';

/** What the arguments of a known attribute are: least and greatest number of integers, or strings. */
interface Shape {
  kind: 'int' | 'string';
  least: number;
  most: number;
}

/** Numbers of bindings, sets, locations and the like are words of SPIR-V. */
export const mostNumber = 0xffffffff;

const none: Shape = { kind: 'int', least: 0, most: 0 };
const ints = (least: number, most = least): Shape => ({ kind: 'int', least, most });
const string: Shape = { kind: 'string', least: 1, most: 1 };

/** `[[vk::...]]`, the names case-sensitive. */
const vkAttributes: Readonly<Record<string, Shape>> = {
  'vk::location': ints(1),
  'vk::index': ints(1),
  'vk::binding': ints(1, 2),
  'vk::counter_binding': ints(1),
  'vk::push_constant': none,
  'vk::offset': ints(1),
  'vk::image_format': string,
  'vk::input_attachment_index': ints(1),
  'vk::builtin': string,
  'vk::ext_builtin_input': ints(1),
  'vk::constant_id': ints(1),
  'vk::combinedImageSampler': none,
  'vk::post_depth_coverage': none,
  'vk::early_and_late_tests': none,
  'vk::depth_unchanged': none,
  'vk::stencil_ref_unchanged_front': none,
  'vk::stencil_ref_greater_equal_front': none,
  'vk::stencil_ref_less_equal_front': none,
  'vk::stencil_ref_unchanged_back': none,
  'vk::stencil_ref_greater_equal_back': none,
  'vk::stencil_ref_less_equal_back': none,
  'vk::aliased_pointer': none,
};

/** `[...]` on functions, in lower case. */
const functionAttributes: Readonly<Record<string, Shape>> = {
  numthreads: ints(3),
  earlydepthstencil: none,
  noinline: none,
  shader: string,
  rootsignature: string,
  waveopsincludehelperlanes: none,
  wavesize: ints(1, 3),
  clipplanes: ints(0, 6),
  maxvertexcount: ints(1),
  instance: ints(1),
  domain: string,
  partitioning: string,
  outputtopology: string,
  outputcontrolpoints: ints(1),
  patchconstantfunc: string,
  maxtessfactor: ints(0, 1),
  experimental: { kind: 'string', least: 1, most: 2 },
  fastopt: none,
};

const statementAttributes: Readonly<Record<string, { hint?: StatementHint['kind']; on: readonly string[] }>> =
  {
    unroll: { hint: 'unroll', on: ['for', 'while', 'do'] },
    loop: { hint: 'loop', on: ['for', 'while', 'do'] },
    fastopt: { on: ['for', 'while', 'do'] },
    allow_uav_condition: { hint: 'allow_uav_condition', on: ['for', 'while', 'do'] },
    branch: { hint: 'branch', on: ['if', 'switch'] },
    flatten: { hint: 'flatten', on: ['if', 'switch'] },
    forcecase: { hint: 'forcecase', on: ['switch'] },
    call: { hint: 'call', on: ['switch'] },
  };

/** Evaluates the attributes of a declaration; unknown ones are warned of and left out. */
export function evaluateAttributes(context: Context, attributes: readonly Attribute[]): VkAttribute[] {
  const result: VkAttribute[] = [];
  for (const attribute of attributes) {
    const { name, shape } = known(attribute);
    if (unsupported(name)) context.log.report('attribute-unsupported', attribute.at, { name });
    else if (!shape) context.log.report('unknown-attribute', attribute.at, { name: attribute.name });
    else if (name === 'clipplanes') context.log.report('attribute-unsupported', attribute.at, { name });
    else {
      const args = evaluateArguments(context, attribute, name, shape);
      if (args) result.push({ name, args, at: attribute.at });
    }
  }
  return result;
}

function known(attribute: Attribute): { name: string; shape: Shape | undefined } {
  const name = attribute.name.includes('::') ? attribute.name : attribute.name.toLowerCase();
  const table = name.includes('::') ? vkAttributes : functionAttributes;
  return { name, shape: Object.hasOwn(table, name) ? table[name] : undefined };
}

/** Inline SPIR-V and the records of shader tables, which the later stages do not know. */
function unsupported(name: string): boolean {
  return (
    (name.startsWith('vk::ext_') && !Object.hasOwn(vkAttributes, name)) ||
    name.startsWith('vk::shader_record_') ||
    name === 'vk::spvexecutionmode'
  );
}

function evaluateArguments(
  context: Context,
  attribute: Attribute,
  name: string,
  shape: Shape,
): (number | string)[] | undefined {
  const { args } = attribute;
  const before = context.log.errors;
  const values = args.map((arg) => evaluateArgument(context, arg, shape.kind));
  if (args.length >= shape.least && args.length <= shape.most && !values.includes(undefined))
    return values as (number | string)[];
  if (context.log.errors > before) return undefined;
  context.log.report('attribute-arguments', attribute.at, { name, expected: expected(shape) });
  return undefined;
}

function evaluateArgument(
  context: Context,
  arg: Expression,
  kind: Shape['kind'],
): number | string | undefined {
  if (kind === 'string') return arg.kind === 'string-literal' ? arg.value : undefined;
  const value = evaluateInteger(context, arg);
  return value !== undefined && value >= 0 && value <= mostNumber ? value : undefined;
}

function expected(shape: Shape): string {
  if (shape.most === 0) return 'no arguments';
  const range = `from 0 to ${mostNumber}`;
  const what = shape.kind === 'string' ? 'string literal' : `constant integer ${range}`;
  const plural = shape.kind === 'string' ? 'string literals' : `constant integers ${range}`;
  if (shape.least === shape.most) return shape.most === 1 ? `one ${what}` : `${shape.most} ${plural}`;
  return `${shape.least} to ${shape.most} ${plural}`;
}

/** First attribute of a name, or undefined. */
export function findAttribute(attributes: readonly VkAttribute[], name: string): VkAttribute | undefined {
  return attributes.find((attribute) => attribute.name === name);
}

/** First argument of an attribute as a number. */
export function attributeNumber(
  attributes: readonly VkAttribute[],
  name: string,
  argument = 0,
): number | undefined {
  const value = findAttribute(attributes, name)?.args[argument];
  return typeof value === 'number' ? value : undefined;
}

export function hasModifier(modifiers: readonly Modifier[], text: string): boolean {
  return modifiers.some((modifier) => modifier.text === text);
}

/** What the attributes of an if, switch or loop ask for. */
export function statementHint(
  context: Context,
  attributes: readonly Attribute[],
  statement: 'if' | 'switch' | 'for' | 'while' | 'do' | 'other',
): StatementHint | undefined {
  let hint: StatementHint | undefined;
  for (const attribute of attributes) {
    const name = attribute.name.toLowerCase();
    const row = Object.hasOwn(statementAttributes, name) ? statementAttributes[name] : undefined;
    if (!row) {
      context.log.report('unknown-attribute', attribute.at, { name: attribute.name });
      continue;
    }
    if (!row.on.includes(statement)) {
      const what = row.on.includes('for')
        ? 'loops'
        : row.on.includes('if')
          ? "'if' and 'switch' statements"
          : "'switch' statements";
      context.log.report('attribute-misplaced', attribute.at, { name, expected: what });
      continue;
    }
    if (!row.hint) continue;
    if (hint && contradict(hint.kind, row.hint)) {
      context.log.report('attribute-conflict', attribute.at, { first: hint.kind, second: name });
      continue;
    }
    // Of several, the one that says how to compile the statement counts.
    if (!hint || hint.kind === 'allow_uav_condition') hint = makeHint(context, attribute, row.hint);
  }
  return hint;
}

function contradict(a: StatementHint['kind'], b: StatementHint['kind']): boolean {
  const pairs = [
    ['unroll', 'loop'],
    ['branch', 'flatten'],
  ];
  return pairs.some((pair) => a !== b && pair.includes(a) && pair.includes(b));
}

function makeHint(context: Context, attribute: Attribute, kind: StatementHint['kind']): StatementHint {
  const arg = attribute.args[0];
  if (kind !== 'unroll' || !arg) return { kind };
  const count = evaluateInteger(context, arg);
  if (count !== undefined && count >= 0) return { kind, count };
  if (count === undefined) return { kind };
  context.log.report('attribute-arguments', attribute.at, {
    name: kind,
    expected: 'at most one constant integer that is not negative',
  });
  return { kind };
}
