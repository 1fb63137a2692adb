/** Functions that take an input of the stage itself, not its value: to interpolate it anew, or to take it at one vertex. */
import { intrinsicByKey } from '../intrinsics/table.ts';
import type { Location } from '../source/source-map.ts';
import type { Context } from './context.ts';
import type { EntrySymbol, InterfaceNode, IntrinsicExpression, TypedExpression } from './program.ts';

/** An input that an expression names, with the components that are taken of it. */
interface NamedInput {
  leaf: InterfaceNode & { kind: 'leaf' };
  /** Into an input that is an array or vector. */
  indices: readonly TypedExpression[];
  components?: readonly number[];
}

/** A parameter of the entry, a member of one or an element of an array there, perhaps with a swizzle. */
export function namedInput(entry: EntrySymbol, expression: TypedExpression): NamedInput | undefined {
  if (expression.kind === 'swizzle') {
    const inner = namedInput(entry, expression.object);
    return inner && !inner.components ? { ...inner, components: expression.components } : undefined;
  }
  const node = nodeOf(entry, expression);
  if (node) return node.kind === 'leaf' ? { leaf: node, indices: [] } : undefined;
  if (expression.kind !== 'index') return undefined;
  const inner = namedInput(entry, expression.object);
  return inner && !inner.components ? { ...inner, indices: [...inner.indices, expression.index] } : undefined;
}

function nodeOf(entry: EntrySymbol, expression: TypedExpression): InterfaceNode | undefined {
  switch (expression.kind) {
    case 'variable':
      return entry.parameters[entry.function.parameters.indexOf(expression.symbol)]?.input;
    case 'member': {
      const object = nodeOf(entry, expression.object);
      return object?.kind === 'struct' ? object.members[expression.index] : undefined;
    }
    case 'index': {
      const object = nodeOf(entry, expression.object);
      const { index } = expression;
      return object?.kind === 'array' && index.kind === 'constant'
        ? object.elements[Number(index.value)]
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Checks that each of the calls has an input, and marks those that are taken vertex by vertex. */
export function checkStageInputs(
  context: Context,
  entry: EntrySymbol,
  calls: readonly IntrinsicExpression[],
): void {
  for (const call of calls) {
    const row = intrinsicByKey(call.row);
    const argument = call.args[0]?.value;
    const input = argument && namedInput(entry, argument);
    if (!row || !argument) continue;
    const at: Location = argument.at;
    if (!input || (input.leaf.variable.builtin !== undefined && row.readsInput === 'vertex')) {
      context.log.report('stage-input-needed', at, { name: row.name }, argument.end);
      continue;
    }
    if (row.readsInput !== 'vertex') continue;
    const { variable } = input.leaf;
    if (!variable.interpolation.includes('nointerpolation')) {
      context.log.report('vertex-input', at, { name: row.name }, argument.end);
    } else if (!variable.interpolation.includes('pervertex')) {
      variable.interpolation = [...variable.interpolation, 'pervertex'];
    }
  }
}
