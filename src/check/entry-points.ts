/** The entry function: which it is, what its attributes say, and its inputs and outputs. */
import type { FunctionDeclaration } from '../syntax/ast.ts';
import { semanticOf } from './annotations.ts';
import { findAttribute } from './attributes.ts';
import type { Context } from './context.ts';
import { buildInterface, type InterfaceSource, type StageVariable } from './interface.ts';
import { assignLocations } from './locations.ts';
import { stageNames } from './profile.ts';
import type { EntrySymbol, FunctionSymbol, InterfaceNode } from './program.ts';

/** The function that `-E` names, which must be defined once outside of namespaces. */
export function findEntry(context: Context): FunctionSymbol | undefined {
  const { entry: name } = context.options;
  const found = context.global.names.get(name);
  const overloads = found?.kind === 'functions' ? found.overloads.map((entry) => entry.symbol) : [];
  const defined = overloads.filter((symbol) => context.declared.functions.get(symbol)?.body);
  const [symbol, other] = defined;
  if (!symbol) {
    context.log.report('no-entry', overloads[0]?.nameAt ?? 0, { name });
    return undefined;
  }
  if (other) {
    const diagnostic = context.log.report('entry-ambiguous', other.nameAt, { name });
    context.log.note(diagnostic, 'entry-other-here', symbol.nameAt);
    return undefined;
  }
  return symbol;
}

/** Reads attributes, inputs and outputs of the entry. What is wrong is reported; the result then does not matter. */
export function buildEntry(context: Context, symbol: FunctionSymbol): EntrySymbol {
  const { stage, options } = context;
  checkStageAttribute(context, symbol);
  checkStencilAttributes(context, symbol);
  const variables: StageVariable[] = [];
  const entry: EntrySymbol = {
    function: symbol,
    stage,
    name: options.entryPointName ?? symbol.name,
    parameters: [],
    attributes: symbol.attributes,
  };
  buildNodes(context, entry, variables);
  assignLocations(context, variables, 'input');
  assignLocations(context, variables, 'output');
  if (stage === 'compute') {
    const size = threadGroupSize(context, symbol);
    if (size) entry.threadGroupSize = size;
    // Neither SPIR-V for Vulkan nor Metal's text can say it.
    const wave = findAttribute(symbol.attributes, 'wavesize');
    if (wave) context.log.report('wave-size-ignored', wave.at);
  }
  if (stage === 'pixel') {
    if (findAttribute(symbol.attributes, 'earlydepthstencil')) entry.earlyDepthStencil = true;
    const mode = depthMode(variables);
    if (mode) entry.depthMode = mode;
  }
  return entry;
}

function buildNodes(context: Context, entry: EntrySymbol, variables: StageVariable[]): void {
  const node = context.declared.functions.get(entry.function);
  if (!node) return;
  const sources = entry.function.parameters.map((_, i) => parameterSource(entry.function, node, i));
  // Inputs in order; of the outputs the result comes first, as it does in the numbering of locations.
  const inputs = sources.map((source, i) =>
    entry.function.parameters[i]!.mode === 'out'
      ? undefined
      : buildInterface(context, 'input', source, variables),
  );
  const { returnType } = entry.function;
  if (returnType.kind !== 'void') {
    const semantic = semanticOf(node.annotations);
    if (context.stage === 'vertex' && semantic && /^position0?$/i.test(semantic.name)) {
      context.log.report('semantic-position-hint', semantic.at, { semantic: semantic.name });
    }
    const result = buildOutput(context, resultSource(entry.function, node), variables);
    if (result) entry.result = result;
  }
  sources.forEach((source, i) => {
    const input = inputs[i];
    const isOutput = entry.function.parameters[i]!.mode !== 'in';
    const output = isOutput ? buildOutput(context, source, variables) : undefined;
    entry.parameters.push({ ...(input && { input }), ...(output && { output }) });
  });
}

function buildOutput(
  context: Context,
  source: InterfaceSource,
  variables: StageVariable[],
): InterfaceNode | undefined {
  if (context.stage !== 'compute') return buildInterface(context, 'output', source, variables);
  context.log.report('entry-compute-output', source.at, { what: `'${source.name}'` });
  return undefined;
}

function parameterSource(symbol: FunctionSymbol, node: FunctionDeclaration, i: number): InterfaceSource {
  const parameter = symbol.parameters[i]!;
  const written = node.parameters[i];
  const semantic = written?.declarator && semanticOf(written.declarator.annotations);
  return {
    name: parameter.name,
    type: parameter.type,
    ...(semantic && { semantic: semantic.name }),
    modifiers: written?.modifiers.map((modifier) => modifier.text) ?? [],
    attributes: parameter.attributes,
    at: parameter.at,
    end: parameter.end,
  };
}

function resultSource(symbol: FunctionSymbol, node: FunctionDeclaration): InterfaceSource {
  const semantic = semanticOf(node.annotations);
  const { name } = node.name;
  return {
    name: symbol.name,
    type: symbol.returnType,
    ...(semantic && { semantic: semantic.name }),
    modifiers: node.modifiers.map((modifier) => modifier.text),
    attributes: symbol.attributes,
    at: name.at,
    end: name.end,
  };
}

// ---- attributes

function checkStageAttribute(context: Context, symbol: FunctionSymbol): void {
  const attribute = findAttribute(symbol.attributes, 'shader');
  const marked = attribute?.args[0];
  if (!attribute || marked === undefined || marked === stageNames[context.stage]) return;
  const args = { name: symbol.name, marked, profile: context.options.profile };
  context.log.report('entry-stage-attribute', attribute.at, args);
}

/** At most one promise about the stencil reference for each side. */
function checkStencilAttributes(context: Context, symbol: FunctionSymbol): void {
  for (const side of ['_front', '_back']) {
    const found = symbol.attributes.filter(
      ({ name }) => name.startsWith('vk::stencil_ref_') && name.endsWith(side),
    );
    const [first, second] = found;
    if (first && second) {
      context.log.report('attribute-conflict', second.at, { first: first.name, second: second.name });
    }
  }
}

const limits = { x: 1024, y: 1024, z: 64 };

function threadGroupSize(
  context: Context,
  symbol: FunctionSymbol,
): readonly [number, number, number] | undefined {
  const attribute = findAttribute(symbol.attributes, 'numthreads');
  if (!attribute) {
    const written = context.declared.functions
      .get(symbol)
      ?.attributes.some(({ name }) => name.toLowerCase() === 'numthreads');
    if (!written) context.log.report('numthreads-missing', symbol.nameAt, { name: symbol.name });
    return undefined;
  }
  const [x, y, z] = attribute.args.map(Number) as [number, number, number];
  const fits = x >= 1 && y >= 1 && z >= 1 && x <= limits.x && y <= limits.y && z <= limits.z;
  if (!fits) context.log.report('numthreads-bad', attribute.at, limits);
  else if (x * y * z > 1024) context.log.report('numthreads-many', attribute.at, { x, y, z });
  return [x, y, z];
}

function depthMode(variables: readonly StageVariable[]): EntrySymbol['depthMode'] {
  for (const { variable } of variables) {
    if (variable.builtin === 'SV_DepthGreaterEqual') return 'greater';
    if (variable.builtin === 'SV_DepthLessEqual') return 'less';
    if (variable.builtin === 'SV_Depth') return 'any';
  }
  return undefined;
}
