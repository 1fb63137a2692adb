/** Inputs that a program names by their number in SPIR-V. */
import type { Declarator, VariableDeclaration } from '../syntax/ast.ts';
import { errorType, type VkAttribute } from '../types/type.ts';
import type { Context } from './context.ts';
import { bindFaulty, checkVariableType, newVariable } from './globals.ts';
import { bindName } from './names.ts';
import { applyArrays, type DeclaredType } from './types.ts';

/** `[[vk::ext_builtin_input(n)]] static const T x;`: a name for an input that SPIR-V knows by its number. */
export function declareBuiltinInput(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
  attribute: VkAttribute,
): void {
  const name = declarator.name.name;
  const type = applyArrays(context, declared.type, declarator.arrays, false);
  if (!checkVariableType(context, name, type)) return;
  const fits = (type.kind === 'scalar' || type.kind === 'vector') && declared.constant && !declarator.init;
  if (!fits) {
    if (type.kind !== 'error') context.log.report('builtin-input-static', name.at, { name: name.text });
    bindFaulty(context, name, errorType);
    return;
  }
  const symbol = newVariable(context, node, declared, name, type, 'static');
  symbol.builtinInput = Number(attribute.args[0]);
  bindName(context, context.scope, name, symbol);
}
