/** Entry points: their inputs and outputs as Metal's attributes want them. */
import { partOf } from '../ir/builder.ts';
import type { EntryPoint, Global, InterfaceVariable, Stage, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, type ScalarClass, scalarClass, type Type, uintType, withElement } from '../types/type.ts';
import { atom, line, named, settle, text } from './code.ts';
import { zeroText } from './constants.ts';
import { type Context, type Expression, type FunctionContext, needVersion, report } from './context.ts';
import { interpolantText, interpolantValue } from './interpolants.ts';
import { Names, plain } from './names.ts';
import { constructText, partText, typeText } from './types.ts';

interface BuiltinRow {
  attribute: string;
  kind: ScalarClass;
  count: number;
  /** What makes HLSL's value of it. */
  value?: (name: string) => string;
  version?: number;
}
const one = (attribute: string, version?: number): BuiltinRow => ({
  attribute,
  kind: 'uint',
  count: 1,
  ...(version && { version }),
});
const three = (attribute: string): BuiltinRow => ({ attribute, kind: 'uint', count: 3 });

/** By stage and direction; `*` is any stage. Attributes of inputs are parameters of the entry. */
const builtins: Readonly<Record<string, Readonly<Record<string, BuiltinRow>>>> = {
  'vertex input': {
    // Metal counts from the base, HLSL from 0.
    SV_VertexID: { ...one('vertex_id'), value: (name) => `(${name} - base_vertex)` },
    SV_InstanceID: { ...one('instance_id'), value: (name) => `(${name} - base_instance)` },
    SV_StartVertexLocation: one('base_vertex'),
    SV_StartInstanceLocation: one('base_instance'),
    BaseVertex: one('base_vertex'),
    BaseInstance: one('base_instance'),
    SV_ViewID: one('amplification_id'),
  },
  'vertex output': {
    SV_Position: { attribute: 'position', kind: 'float', count: 4 },
    SV_RenderTargetArrayIndex: one('render_target_array_index'),
    SV_ViewportArrayIndex: one('viewport_array_index'),
    PointSize: { attribute: 'point_size', kind: 'float', count: 1 },
  },
  'pixel input': {
    // Metal gives the reciprocal of w.
    SV_Position: {
      attribute: 'position',
      kind: 'float',
      count: 4,
      value: (name) => `metal::float4(${name}.xyz, 1.0f / ${name}.w)`,
    },
    SV_IsFrontFace: { attribute: 'front_facing', kind: 'bool', count: 1 },
    SV_PrimitiveID: one('primitive_id'),
    SV_SampleIndex: one('sample_id'),
    SV_Coverage: one('sample_mask'),
    SV_Barycentrics: { attribute: 'barycentric_coord', kind: 'float', count: 3 },
    SV_RenderTargetArrayIndex: one('render_target_array_index'),
    SV_ViewportArrayIndex: one('viewport_array_index'),
    SV_ViewID: one('amplification_id'),
    PointCoord: { attribute: 'point_coord', kind: 'float', count: 2 },
  },
  'pixel output': {
    SV_Depth: { attribute: 'depth(any)', kind: 'float', count: 1 },
    SV_DepthGreaterEqual: { attribute: 'depth(greater)', kind: 'float', count: 1 },
    SV_DepthLessEqual: { attribute: 'depth(less)', kind: 'float', count: 1 },
    SV_Coverage: one('sample_mask'),
    SV_StencilRef: one('stencil'),
  },
  'compute input': {
    SV_DispatchThreadID: three('thread_position_in_grid'),
    SV_GroupID: three('threadgroup_position_in_grid'),
    SV_GroupThreadID: three('thread_position_in_threadgroup'),
    SV_GroupIndex: one('thread_index_in_threadgroup'),
    NumWorkgroups: three('threadgroups_per_grid'),
    NumSubgroups: one('simdgroups_per_threadgroup'),
    SubgroupId: one('simdgroup_index_in_threadgroup'),
  },
  '* input': {
    SubgroupSize: one('threads_per_simdgroup'),
    SubgroupLocalInvocationId: one('thread_index_in_simdgroup'),
  },
};

function builtinRow(stage: Stage, direction: string, name: string): BuiltinRow | undefined {
  return builtins[`${stage} ${direction}`]?.[name] ?? builtins[`* ${direction}`]?.[name];
}

/** Scalars and vectors that an interface variable is made of, in the order of their locations. */
function leavesOf(type: Type): Type[] {
  switch (type.kind) {
    case 'matrix':
      return Array.from({ length: type.rows }, () => partOf(type, 0));
    case 'array':
      return Array.from({ length: type.size }, () => leavesOf(type.element)).flat();
    default:
      return [type];
  }
}

/** bools are not allowed between stages. */
function passed(type: Type): Type {
  const element = elementOf(type);
  if (!element || scalarClass(element) !== 'bool' || (type.kind !== 'scalar' && type.kind !== 'vector'))
    return type;
  return withElement(type, uintType);
}

function variableOf(global: Global): InterfaceVariable {
  const { role } = global;
  if (role.kind !== 'input' && role.kind !== 'output')
    throw new InternalError(`'${global.name}' is no interface variable`);
  return role.variable;
}

export interface EntryParts {
  parameters: string[];
  /** Attributes of the stage that are parameters, by attribute. */
  builtins: Map<string, string>;
  inputs: Map<Global, Expression>;
  /** Fields of inputs that are interpolants. */
  interpolants: Map<Global, readonly string[]>;
  outputs: Map<Global, readonly string[]>;
  /** Type of the result. */
  result: string;
  /** Lines at the head of the function. */
  head: string[];
}

const pixelSampling = (variable: InterfaceVariable, type: Type): string => {
  const { interpolation } = variable;
  if (interpolation.includes('nointerpolation') || scalarClass(elementOf(type)!) !== 'float') return ', flat';
  const how = interpolation.includes('noperspective') ? 'no_perspective' : 'perspective';
  if (interpolation.includes('centroid')) return `, centroid_${how}`;
  if (interpolation.includes('sample')) return `, sample_${how}`;
  return how === 'perspective' ? '' : ', center_no_perspective';
};

/** What stands around an entry's body. */
export function entryParts(
  context: Context,
  entry: EntryPoint,
  name: string,
  locals: Names,
  more: readonly string[],
): EntryParts {
  const parts: EntryParts = {
    parameters: [],
    builtins: new Map(),
    inputs: new Map(),
    interpolants: new Map(),
    outputs: new Map(),
    result: 'void',
    head: [],
  };
  readInputs(context, entry, name, locals, parts);
  for (const attribute of more) addBuiltin(parts, locals, attribute, ...askedType(attribute));
  writeOutputs(context, entry, name, locals, parts);
  return parts;
}

/** Of an attribute that functions ask for. */
function askedType(attribute: string): readonly [ScalarClass, number] {
  return attribute === 'position' ? ['float', 4] : ['uint', 1];
}

export function builtinType(attribute: string): string {
  const [kind, count] = askedType(attribute);
  return count === 1 ? kind : `metal::${kind}${count}`;
}

function addBuiltin(
  parts: EntryParts,
  locals: Names,
  attribute: string,
  kind: ScalarClass,
  count: number,
): string {
  const known = parts.builtins.get(attribute);
  if (known !== undefined) return known;
  const name = locals.unique(attribute);
  const type = count === 1 ? kind : `metal::${kind}${count}`;
  parts.parameters.push(`${type} ${name} [[${attribute}]]`);
  parts.builtins.set(attribute, name);
  return name;
}

function readInputs(
  context: Context,
  entry: EntryPoint,
  name: string,
  locals: Names,
  parts: EntryParts,
): void {
  const fields = new Names();
  const lines: string[] = [];
  const source = locals.unique('in');
  for (const global of entry.inputs) {
    const variable = variableOf(global);
    context.at = variable.at;
    if (variable.interpolation.includes('pervertex')) {
      report(context, 'metal-lacks', { what: 'an input with its values at the vertices' });
      continue;
    }
    if (variable.builtin === 'SV_ClipDistance' && entry.stage === 'pixel') {
      const names = clipNames(variable);
      for (const own of names) lines.push(clipField(own));
      parts.inputs.set(global, atom(clipValue(context, variable.type, source, names)));
      continue;
    }
    if (variable.builtin !== undefined) {
      parts.inputs.set(global, builtinInput(context, entry.stage, variable, locals, parts));
      continue;
    }
    const own = plain(variable.name.replace(/^(in|out)\.var\./, ''));
    const leaves = leavesOf(variable.type);
    const isInterpolant = context.interpolants.has(global);
    if (isInterpolant) needVersion(context, 230, 'interpolating anew');
    const names = leaves.map((type, i) => {
      const field = fields.unique(leaves.length > 1 ? `${own}_${i}` : own);
      const location = (variable.location ?? 0) + i;
      const sampling = isInterpolant ? '' : pixelSampling(variable, type);
      const attribute =
        entry.stage === 'vertex' ? `attribute(${location})` : `user(locn${location})${sampling}`;
      const spelled = typeText(context, passed(type));
      const fieldType = isInterpolant ? interpolantText(variable, spelled) : spelled;
      lines.push(`    ${fieldType} ${field} [[${attribute}]];\n`);
      return `${source}.${field}`;
    });
    if (isInterpolant) {
      parts.interpolants.set(global, [...names]);
      const sample = () => addBuiltin(parts, locals, 'sample_id', 'uint', 1);
      names.forEach((name, i) => {
        names[i] = interpolantValue(variable, name, sample);
      });
    }
    parts.inputs.set(global, atom(assembled(context, variable.type, names)));
  }
  if (lines.length === 0) return;
  const type = context.names.unique(`${name}_in`);
  context.typeTexts.push(`struct ${type} {\n${lines.join('')}};\n`);
  parts.parameters.unshift(`${type} ${source} [[stage_in]]`);
}

/** Metal's clip distances do not reach the pixel shader: each is passed once more under a name of its own. */
function clipNames({ type, semantic }: InterfaceVariable): string[] {
  const count = leavesOf(type).reduce((sum, leaf) => sum + (leaf.kind === 'vector' ? leaf.count : 1), 0);
  return Array.from({ length: count }, (_, i) => `clip${semantic.index}_${i}`);
}

function clipField(name: string): string {
  return `    float ${name} [[user(${name})]];\n`;
}

function clipValue(context: Context, type: Type, source: string, names: string[]): string {
  const count = type.kind === 'vector' ? type.count : type.kind === 'array' ? type.size : 1;
  if (type.kind === 'scalar') return `${source}.${names.shift()}`;
  const parts = Array.from({ length: count }, () => clipValue(context, partOf(type, 0), source, names));
  return constructText(context, type, parts);
}

/** A value out of the fields that hold its parts; takes them from the list. */
function assembled(context: Context, type: Type, names: string[]): string {
  switch (type.kind) {
    case 'matrix':
      return constructText(
        context,
        type,
        Array.from({ length: type.rows }, () => assembled(context, partOf(type, 0), names)),
      );
    case 'array':
      return constructText(
        context,
        type,
        Array.from({ length: type.size }, () => assembled(context, type.element, names)),
      );
    default: {
      const name = names.shift()!;
      return passed(type) === type ? name : `${typeText(context, type)}(${name})`;
    }
  }
}

function builtinInput(
  context: Context,
  stage: Stage,
  variable: InterfaceVariable,
  locals: Names,
  parts: EntryParts,
): Expression {
  const name = variable.builtin!;
  if (name === 'HelperInvocation') return atom('metal::simd_is_helper_thread()');
  const row = builtinRow(stage, 'input', name);
  if (!row) {
    report(context, 'metal-lacks', { what: `'${name}' as input of this stage` });
    return atom(zeroText(context, variable.type));
  }
  if (row.version) needVersion(context, row.version, `'${name}'`);
  const sampling = name === 'SV_Barycentrics' ? barycentrics(variable) : row.attribute;
  const own = addBuiltin(parts, locals, sampling, row.kind, row.count);
  if (row.attribute === 'vertex_id') addBuiltin(parts, locals, 'base_vertex', 'uint', 1);
  if (row.attribute === 'instance_id') addBuiltin(parts, locals, 'base_instance', 'uint', 1);
  // Lowering has asked for the reciprocal that Vulkan needs; Metal's own needs the same.
  const isReciprocal = name === 'SV_Position' && context.options.useDxPositionW;
  const value = isReciprocal ? own : (row.value?.(own) ?? own);
  return atom(converted(context, value, row, variable.type));
}

function barycentrics({ interpolation }: InterfaceVariable): string {
  return `barycentric_coord${interpolation.includes('noperspective') ? ', center_no_perspective' : ''}`;
}

/** A system value as the type that the source gives it. */
function converted(context: Context, value: string, row: BuiltinRow, type: Type): string {
  const element = elementOf(type);
  if (!element || (type.kind !== 'scalar' && type.kind !== 'vector')) {
    report(context, 'metal-not-yet', { what: 'this type of system value' });
    return zeroText(context, type);
  }
  const count = type.kind === 'vector' ? type.count : 1;
  const part = count < row.count ? `${value}.${'xyzw'.slice(0, count)}` : value;
  return scalarClass(element) === row.kind && typeText(context, element) === row.kind
    ? part
    : `${typeText(context, type)}(${part})`;
}

function writeOutputs(
  context: Context,
  entry: EntryPoint,
  name: string,
  locals: Names,
  parts: EntryParts,
): void {
  if (entry.outputs.length === 0) return;
  const fields = new Names();
  const lines: string[] = [];
  const target = locals.unique('out');
  let clips = 0;
  for (const global of entry.outputs) {
    const variable = variableOf(global);
    context.at = variable.at;
    if (variable.builtin === 'SV_ClipDistance') {
      const names = clipNames(variable);
      for (const one of names) lines.push(clipField(one));
      parts.outputs.set(
        global,
        names.map(() => `${target}.clip_distance[${clips++}]`),
      );
      continue;
    }
    const own = plain(variable.name.replace(/^(in|out)\.var\./, ''));
    const leaves = leavesOf(variable.type);
    const places = leaves.map((type, i) => {
      const field = fields.unique(leaves.length > 1 ? `${own}_${i}` : own);
      const { attribute, type: spelled } = outputAttribute(context, entry, variable, type, i);
      lines.push(`    ${spelled} ${field} [[${attribute}]];\n`);
      return `${target}.${field}`;
    });
    parts.outputs.set(global, places);
  }
  if (clips > 0) lines.push(`    float clip_distance [[clip_distance]] [${clips}];\n`);
  const type = context.names.unique(`${name}_out`);
  context.typeTexts.push(`struct ${type} {\n${lines.join('')}};\n`);
  parts.result = type;
  parts.head.push(`${type} ${target} = {};`);
}

function outputAttribute(
  context: Context,
  entry: EntryPoint,
  variable: InterfaceVariable,
  type: Type,
  part: number,
): { attribute: string; type: string } {
  if (variable.builtin !== undefined) {
    const row = builtinRow(entry.stage, 'output', variable.builtin);
    if (!row) {
      report(context, 'metal-lacks', { what: `'${variable.builtin}' as output of this stage` });
      return { attribute: 'user(none)', type: typeText(context, passed(type)) };
    }
    const invariant = variable.precise && row.attribute === 'position' ? ', invariant' : '';
    return {
      attribute: row.attribute + invariant,
      type: row.count === 1 ? row.kind : `metal::${row.kind}${row.count}`,
    };
  }
  const location = (variable.location ?? 0) + part;
  const color = variable.index ? `color(${location}), index(${variable.index})` : `color(${location})`;
  return {
    attribute: entry.stage === 'pixel' ? color : `user(locn${location})`,
    type: typeText(context, passed(type)),
  };
}

/** Puts a value into the result of the entry. */
export function storeOutput(f: FunctionContext, global: Global, value: Value): void {
  const variable = variableOf(global);
  const places = f.outputs.get(global);
  if (!places) throw new InternalError(`'${global.name}' is no output of this entry`, f.at);
  if (value.kind === 'undef') return;
  const { type } = variable;
  let index = 0;
  if (variable.builtin === 'SV_ClipDistance') {
    const given = named(f, value);
    settle(f);
    const names = clipNames(variable);
    eachScalar(f, type, given, (part) => {
      line(f, `${places[index]} = ${part};`);
      line(f, `out.${names[index++]} = ${part};`);
    });
    return;
  }
  const row =
    variable.builtin === undefined
      ? undefined
      : builtinRow(f.function.entry!.stage, 'output', variable.builtin);
  const leaves = leavesOf(type);
  if (leaves.length === 1 && leaves[0] === type) {
    const given = text(f, value);
    settle(f);
    const [place] = places;
    line(f, `${place} = ${row ? toBuiltin(f, given, row, type) : passedText(f, given, type)};`);
    // The clip space of Metal is that of HLSL: what turns it for Vulkan is taken back.
    if (f.options.invertY && row?.attribute === 'position') line(f, `${place}.y = -${place}.y;`);
    return;
  }
  const given = named(f, value);
  settle(f);
  eachLeaf(f, type, given, (part, leaf) => line(f, `${places[index++]} = ${passedText(f, part, leaf)};`));
}

function passedText(f: FunctionContext, given: string, type: Type): string {
  const wanted = passed(type);
  return wanted === type ? given : `${typeText(f, wanted)}(${given})`;
}

function toBuiltin(f: FunctionContext, given: string, row: BuiltinRow, type: Type): string {
  const own = typeText(f, type);
  const wanted = row.count === 1 ? row.kind : `metal::${row.kind}${row.count}`;
  return own === wanted ? given : `${wanted}(${given})`;
}

function eachLeaf(
  f: FunctionContext,
  type: Type,
  given: string,
  visit: (part: string, type: Type) => void,
): void {
  if (type.kind !== 'matrix' && type.kind !== 'array') {
    visit(given, type);
    return;
  }
  const count = type.kind === 'matrix' ? type.rows : type.size;
  for (let i = 0; i < count; i++) eachLeaf(f, partOf(type, i), partText(f, type, given, i), visit);
}

function eachScalar(f: FunctionContext, type: Type, given: string, visit: (part: string) => void): void {
  eachLeaf(f, type, given, (part, leaf) => {
    const count = leaf.kind === 'vector' ? leaf.count : 1;
    if (count === 1) visit(part);
    else for (let i = 0; i < count; i++) visit(`${part}.${'xyzw'[i]}`);
  });
}

/** Leaves the function. */
export function emitReturn(f: FunctionContext, value: Value | undefined): void {
  if (f.function.entry) {
    line(f, f.outputs.size > 0 ? 'return out;' : 'return;');
    return;
  }
  const { returnType } = f.function;
  if (returnType.kind === 'void') line(f, 'return;');
  else line(f, `return ${value ? text(f, value) : zeroText(f, returnType)};`);
}
