/**
 * Inputs and outputs of a stage: parameters and results of the entry taken apart into one variable for each leaf with
 * a semantic. A semantic on a struct goes to all its members, with the index counting up.
 */
import type { InterfaceVariable } from '../ir/ir.ts';
import type { Location } from '../source/source-map.ts';
import {
  array,
  elementOf,
  isOpaque,
  scalarClass,
  typeName,
  vector,
  type StructType,
  type Type,
  type VkAttribute,
} from '../types/type.ts';
import { attributeNumber, findAttribute } from './attributes.ts';
import type { Context } from './context.ts';
import { stageNames } from './profile.ts';
import type { InterfaceNode } from './program.ts';
import {
  hasSystemPrefix,
  semanticPlace,
  splitSemantic,
  systemValue,
  userPlaces,
  vkBuiltins,
  type Direction,
  type SystemValue,
} from './semantics.ts';

/** A parameter, result or member of one. */
export interface InterfaceSource {
  name: string;
  type: Type;
  semantic?: string;
  modifiers: readonly string[];
  attributes: readonly VkAttribute[];
  at: Location;
  end: Location;
}

/** A leaf, with what its location depends on. */
export interface StageVariable {
  variable: InterfaceVariable;
  direction: Direction;
  /** Text that tells it from others and sorts it: the semantic with its index. */
  text: string;
  kind: 'builtin' | 'user' | 'target';
  explicitLocation?: number;
}

/** A semantic in force; the index counts up with each leaf that takes it. */
interface Semantic {
  text: string;
  name: string;
  index: number;
}

interface Build {
  context: Context;
  direction: Direction;
  variables: StageVariable[];
}

/** Each element becomes variables of its own; no device has as many locations. */
const maxElements = 256;

interface Inherited {
  semantic?: Semantic;
  flat: boolean;
  precise: boolean;
}

/** Takes a parameter or result apart, adding its leaves to `variables`. Undefined after a message. */
export function buildInterface(
  context: Context,
  direction: Direction,
  source: InterfaceSource,
  variables: StageVariable[],
): InterfaceNode | undefined {
  if (isOpaque(source.type)) {
    const what = direction === 'input' ? 'parameter' : 'result';
    context.log.report('entry-resource', source.at, { what, name: source.name, type: typeName(source.type) });
    return undefined;
  }
  return build({ context, direction, variables }, source, { flat: false, precise: false });
}

function build(state: Build, source: InterfaceSource, outer: Inherited): InterfaceNode | undefined {
  const { type } = source;
  if (type.kind === 'error' || isOpaque(type)) return undefined;
  const inherited: Inherited = {
    flat: outer.flat || source.modifiers.includes('nointerpolation'),
    precise: outer.precise || source.modifiers.includes('precise'),
  };
  const semantic = semanticInForce(state, source, outer.semantic);
  if (semantic) inherited.semantic = semantic;
  if (type.kind === 'struct') return buildStruct(state, type, inherited);
  if (type.kind === 'array' && elementStruct(type) && type.size > maxElements) {
    state.context.log.report('interface-size', source.at, { name: source.name, limit: maxElements });
    return undefined;
  }
  if (type.kind === 'array' && elementStruct(type)) {
    const elements: InterfaceNode[] = [];
    for (let i = 0; i < type.size; i++) {
      const element = build(state, { ...source, type: type.element }, inherited);
      if (!element) return undefined;
      elements.push(element);
    }
    return { kind: 'array', type, elements };
  }
  return buildLeaf(state, source, inherited);
}

function elementStruct(type: Type): boolean {
  while (type.kind === 'array') type = type.element;
  return type.kind === 'struct';
}

/** The enclosing semantic overrides one's own. */
function semanticInForce(
  state: Build,
  source: InterfaceSource,
  enclosing: Semantic | undefined,
): Semantic | undefined {
  const own = source.semantic;
  if (!enclosing) return own === undefined ? undefined : { text: own, ...splitSemantic(own) };
  if (own !== undefined && own !== enclosing.text) {
    state.context.log.report('semantic-overridden', source.at, { semantic: own, enclosing: enclosing.text });
  }
  return enclosing;
}

function buildStruct(state: Build, type: StructType, inherited: Inherited): InterfaceNode {
  const members = type.members.map((member) =>
    build(
      state,
      {
        name: member.name,
        type: member.type,
        ...(member.semantic !== undefined && { semantic: member.semantic }),
        modifiers: member.modifiers,
        attributes: member.attributes,
        at: member.location,
        end: member.location,
      },
      inherited,
    ),
  );
  return { kind: 'struct', type, members };
}

// ---- leaves

function buildLeaf(state: Build, source: InterfaceSource, inherited: Inherited): InterfaceNode | undefined {
  const { context, direction } = state;
  const builtin = findAttribute(source.attributes, 'vk::builtin');
  const semantic = inherited.semantic;
  if (!semantic && !builtin) {
    context.log.report('semantic-missing', source.at, { direction, name: source.name });
    return undefined;
  }
  const used: Semantic = semantic
    ? { ...semantic }
    : { text: String(builtin?.args[0]), name: String(builtin?.args[0]), index: 0 };
  if (semantic) semantic.index++;
  const text = used.index === 0 ? used.text : `${used.name}${used.index}`;
  const meaning = builtin ? vkBuiltin(state, source, builtin) : semanticMeaning(state, source, used, text);
  if (!meaning) return undefined;
  if (builtin && meaning.builtin === 'PointSize' && direction === 'input') {
    context.log.report('builtin-no-value', builtin.at, { name: 'PointSize' });
    return undefined;
  }
  const variable: InterfaceVariable = {
    name: `${direction === 'input' ? 'in' : 'out'}.var.${text}`,
    type: interfaceType(source.type),
    semantic: { name: used.name, index: used.index },
    ...(meaning.builtin !== undefined && { builtin: meaning.builtin }),
    interpolation: interpolation(state, source, inherited, meaning.builtin),
    precise: inherited.precise,
    at: source.at,
    end: source.end,
  };
  addVariable(state, source, variable, text, meaning.kind);
  return { kind: 'leaf', variable };
}

/** A matrix of one row or column lies in one location, as a vector does; in arrays too. */
function interfaceType(type: Type): Type {
  if (type.kind === 'array') return array(interfaceType(type.element), type.size);
  if (type.kind !== 'matrix' || (type.rows > 1 && type.columns > 1)) return type;
  const count = type.rows * type.columns;
  return count === 1 ? type.element : vector(type.element, count);
}

interface LeafMeaning {
  kind: StageVariable['kind'];
  builtin?: string;
}

function addVariable(
  state: Build,
  source: InterfaceSource,
  variable: InterfaceVariable,
  text: string,
  kind: StageVariable['kind'],
): void {
  const location = attributeNumber(source.attributes, 'vk::location');
  const index = attributeNumber(source.attributes, 'vk::index');
  if (index !== undefined) {
    const fits =
      state.context.stage === 'pixel' && state.direction === 'output' && location === 0 && index <= 1;
    if (fits) variable.index = index;
    else state.context.log.report('index-misplaced', findAttribute(source.attributes, 'vk::index')!.at);
  }
  state.variables.push({
    variable,
    direction: state.direction,
    text,
    kind,
    ...(location !== undefined && { explicitLocation: location }),
  });
}

/** What the semantic is at this place; undefined after a message. */
function semanticMeaning(
  state: Build,
  source: InterfaceSource,
  semantic: Semantic,
  text: string,
): LeafMeaning | undefined {
  const { context, direction } = state;
  const { at } = source;
  const place = semanticPlace(context.stage, direction);
  const stage = stageNames[context.stage];
  if (!hasSystemPrefix(semantic.name)) {
    if (userPlaces.has(place)) return checkUserType(state, source, text);
    context.log.report('semantic-misplaced', at, { semantic: text, stage, direction });
    return undefined;
  }
  const value = systemValue(semantic.name);
  const meaning = value?.places[place];
  if (!value) context.log.report('semantic-unknown', at, { semantic: text });
  else if (!meaning) context.log.report('semantic-misplaced', at, { semantic: text, stage, direction });
  else if (value.unsupported) context.log.report('semantic-unsupported', at, { semantic: text });
  else if ((value.shaderModel ?? 60) > context.shaderModel) reportModel(state, at, text, value);
  else if (meaning === 'user') return checkUserType(state, source, text);
  else if (value.type && !value.type.fits(source.type, context.options.enable16BitTypes)) {
    context.log.report('semantic-type', at, {
      semantic: text,
      expected: value.type.text,
      type: typeName(source.type),
    });
  } else return meaning === 'target' ? { kind: 'target' } : { kind: 'builtin', builtin: value.name };
  return undefined;
}

function reportModel(state: Build, at: Location, semantic: string, value: SystemValue): void {
  const model = value.shaderModel ?? 60;
  const needed = `${Math.floor(model / 10)}.${model % 10}`;
  state.context.log.report('semantic-shader-model', at, { semantic, needed });
}

/** Values of the user's own must be numbers. */
function checkUserType(state: Build, source: InterfaceSource, text: string): LeafMeaning | undefined {
  let { type } = source;
  while (type.kind === 'array') type = type.element;
  if (elementOf(type)) return { kind: 'user' };
  const args = { semantic: text, expected: 'a scalar, vector or matrix', type: typeName(source.type) };
  state.context.log.report('semantic-type', source.at, args);
  return undefined;
}

function vkBuiltin(state: Build, source: InterfaceSource, attribute: VkAttribute): LeafMeaning | undefined {
  const { context, direction } = state;
  const name = String(attribute.args[0]);
  const row = Object.hasOwn(vkBuiltins, name) ? vkBuiltins[name] : undefined;
  const stage = stageNames[context.stage];
  if (!row) context.log.report('builtin-unknown', attribute.at, { name });
  else if (findAttribute(source.attributes, 'vk::location'))
    context.log.report('builtin-location', attribute.at);
  else if (!row.places.includes(semanticPlace(context.stage, direction))) {
    context.log.report('builtin-misplaced', attribute.at, { name, stage, direction });
  } else if (!row.type.fits(source.type, context.options.enable16BitTypes)) {
    context.log.report('builtin-type', attribute.at, {
      name,
      expected: row.type.text,
      type: typeName(source.type),
    });
  } else return { kind: 'builtin', builtin: name };
  return undefined;
}

// ---- interpolation

type Mode = InterfaceVariable['interpolation'][number];
const modes: readonly Mode[] = ['nointerpolation', 'noperspective', 'centroid', 'sample'];

/** Modes count between the vertex and the pixel stage; a flat struct makes its members flat. */
function interpolation(
  state: Build,
  source: InterfaceSource,
  inherited: Inherited,
  builtin: string | undefined,
): InterfaceVariable['interpolation'] {
  const { context, direction } = state;
  const place = semanticPlace(context.stage, direction);
  if (place !== 'vertex output' && place !== 'pixel input') return [];
  const written = modes.filter((mode) => source.modifiers.includes(mode));
  const smooth = written.some((mode) => mode !== 'nointerpolation') || source.modifiers.includes('linear');
  if (source.modifiers.includes('nointerpolation') && smooth)
    context.log.report('interpolation-conflict', source.at);
  let { type } = source;
  while (type.kind === 'array') type = type.element;
  const element = elementOf(type);
  if (place === 'pixel input' && smooth && element && scalarClass(element) !== 'float') {
    context.log.report('interpolation-integer', source.at, { name: source.name });
  }
  if (builtin === 'SV_Barycentrics' && written.includes('nointerpolation')) {
    context.log.report('barycentrics-mode', source.at, { name: source.name });
  }
  return inherited.flat && !written.includes('nointerpolation') ? ['nointerpolation', ...written] : written;
}
