/** Rules about globals that can be checked only when all is declared and it is known what the entry reaches. */
import type { Stage } from '../ir/ir.ts';
import { structLayout, typeAlign, typeSize } from '../types/layout.ts';
import { bufferLayout, layoutRule } from '../types/layout-rules.ts';
import type { LayoutRule, StructMember, Type } from '../types/type.ts';
import { findAttribute } from './attributes.ts';
import type { Context } from './context.ts';
import type { VariableSymbol } from './program.ts';
import type { Reach } from './reach.ts';

/** `used`: the globals that the program keeps. */
export function checkGlobalRules(context: Context, reach: Reach, used: readonly VariableSymbol[]): void {
  if (context.stage !== 'pixel') for (const at of reach.discards) context.log.report('discard-stage', at);
  for (const symbol of context.globals) checkOffsets(context, symbol);
  for (const symbol of used) checkAlignment(context, symbol);
  for (const { storage, at, name } of hasGroups(context.stage) ? [] : reach.globals)
    if (storage === 'groupshared') context.log.report('groupshared-stage', at, { name });
  for (const symbol of reach.counters) checkCounter(context, symbol);
  for (const symbol of used) {
    const subpass = elementOfArrays(symbol.type);
    const outside =
      subpass.kind === 'texture' && subpass.dimension === 'Subpass' && context.stage !== 'pixel';
    if (outside) context.log.report('subpass-stage', symbol.at, { name: symbol.name });
    if (findAttribute(symbol.attributes, 'vk::combinedImageSampler')) checkPartner(context, symbol, used);
  }
}

/** True for stages whose threads run in groups. */
function hasGroups(stage: Stage): boolean {
  return stage === 'compute' || stage === 'mesh' || stage === 'amplification';
}

/** Types that were reported already have no layout. */
function holdsError(type: Type): boolean {
  if (type.kind === 'array') return holdsError(type.element);
  return type.kind === 'struct'
    ? type.members.some((member) => holdsError(member.type))
    : type.kind === 'error';
}

function elementOfArrays(type: Type): Type {
  while (type.kind === 'array') type = type.element;
  return type;
}

/** Counters of arrays of arrays would have to be arrays of arrays of buffers themselves. */
function checkCounter(context: Context, { type, name, at }: VariableSymbol): void {
  if (type.kind === 'array' && type.element.kind === 'array')
    context.log.report('counter-array', at, { name });
}

/** Written offsets must suit the memory that the struct lies in, which is known of each buffer only. */
function checkAlignment(context: Context, symbol: VariableSymbol): void {
  const { options } = context;
  const type = elementOfArrays(symbol.type);
  const contents = type.kind === 'buffer' ? type.element : type;
  const inMemory = type.kind === 'buffer' || symbol.pushConstant;
  if (!inMemory || holdsError(contents)) return;
  const rule =
    type.kind === 'buffer'
      ? bufferLayout(options.layout, type.buffer)
      : layoutRule(options.layout, 'push-constant');
  const seen = new Set<Type>();
  const visit = (part: Type): void => {
    const struct = elementOfArrays(part);
    if (struct.kind !== 'struct' || seen.has(struct)) return;
    seen.add(struct);
    for (const member of struct.members) {
      const align = alignmentOf(member, rule, options.enable16BitTypes);
      const { offset } = member;
      if (offset !== undefined && offset % align !== 0)
        context.log.report('offset-alignment', member.location, { name: member.name, offset, align });
      visit(member.type);
    }
  };
  visit(contents);
}

/** Vectors may lie where their scalars may. */
function alignmentOf(
  { type, matrixOrder }: StructMember,
  rule: LayoutRule,
  enable16BitTypes: boolean,
): number {
  const aligned = type.kind === 'vector' ? type.element : type;
  return typeAlign(aligned, rule, matrixOrder, enable16BitTypes);
}

/** Members that packoffset, `register(c#)` or `[[vk::offset]]` puts where another one lies. */
function checkOffsets(context: Context, symbol: VariableSymbol): void {
  const contents = symbol.type.kind === 'buffer' ? symbol.type.element : symbol.type;
  if (symbol.storage !== 'buffer' || contents.kind !== 'struct') return;
  if (holdsError(contents) || contents.members.every((member) => member.offset === undefined)) return;
  const { options } = context;
  const rule = layoutRule(options.layout, symbol.pushConstant ? 'push-constant' : 'uniform');
  const { offsets } = structLayout(contents, rule, options.enable16BitTypes);
  const ranges = contents.members.map((member, i) => {
    const from = offsets[i] ?? 0;
    return {
      member,
      index: i,
      from,
      to: from + typeSize(member.type, rule, member.matrixOrder, options.enable16BitTypes),
    };
  });
  ranges.sort((a, b) => a.from - b.from || a.index - b.index);
  for (let i = 1; i < ranges.length; i++) {
    const [before, after] = [ranges[i - 1]!, ranges[i]!];
    if (after.from >= before.to) continue;
    const [first, second] = before.index < after.index ? [before, after] : [after, before];
    const args = { name: second.member.name, offset: second.from, other: first.member.name };
    context.log.report('offset-overlap', second.member.location, args);
  }
}

/** A combined image sampler is two variables in HLSL, bound to the same place. */
function checkPartner(context: Context, symbol: VariableSymbol, used: readonly VariableSymbol[]): void {
  const isSampler = elementOfArrays(symbol.type).kind === 'sampler';
  const found = used.some(
    (other) =>
      findAttribute(other.attributes, 'vk::combinedImageSampler') &&
      (elementOfArrays(other.type).kind === 'sampler') !== isSampler &&
      other.binding?.set === symbol.binding?.set &&
      other.binding?.binding === symbol.binding?.binding,
  );
  if (found) return;
  const { set = 0, binding = 0 } = symbol.binding ?? {};
  const partner = isSampler ? 'texture' : 'sampler';
  context.log.report('combined-missing', symbol.at, { name: symbol.name, partner, set, binding });
}
