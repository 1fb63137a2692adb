/** Declarations inside functions. */
import { InternalError } from '../source/diagnostic.ts';
import type { Declaration, Declarator, FunctionDeclaration, VariableDeclaration } from '../syntax/ast.ts';
import { hasModifier } from './attributes.ts';
import type { Context } from './context.ts';
import { declareNested, declareTemplate } from './declarations.ts';
import { checkVariableType, initialize, newVariable } from './globals.ts';
import { declareFunction } from './functions.ts';
import { checkModifiers } from './modifiers.ts';
import { bindName } from './names.ts';
import type { TypedStatement, VariableSymbol } from './program.ts';
import type { Scope } from './scope.ts';
import { applyArrays, isUnsized, resolveDeclaredType, type DeclaredType } from './types.ts';

/** One statement for each variable; none for types. `leaks`: from the header of a `for` before HLSL 2021. */
export function declareLocals(context: Context, declaration: Declaration, leaks: boolean): TypedStatement[] {
  switch (declaration.kind) {
    case 'variables':
      return declareVariables(context, declaration, leaks);
    case 'function':
      declarePrototype(context, declaration);
      return [];
    case 'buffer':
    case 'namespace':
      throw new InternalError(`the grammar has no ${declaration.kind} inside functions`, declaration.at);
    case 'template':
      declareTemplate(context, declaration);
      return [];
    default:
      declareNested(context, declaration);
      return [];
  }
}

/** `float f(float x);` in a function is the same as outside of it. */
function declarePrototype(context: Context, node: FunctionDeclaration): void {
  const inner = context.scope;
  let home: Scope = inner;
  while (home.parent && home.kind !== 'namespace') home = home.parent;
  context.scope = home;
  declareFunction(context, node);
  context.scope = inner;
}

function declareVariables(context: Context, node: VariableDeclaration, leaks: boolean): TypedStatement[] {
  const declared = resolveDeclaredType(context, node.type, node.modifiers);
  const statements: TypedStatement[] = [];
  const first = node.declarators[0]?.name.name.text;
  if (first !== undefined) checkModifiers(context, node.modifiers, 'local variable', first);
  node.declarators.forEach((declarator, i) => {
    // The first declarator's statement begins at the type, the others at their names.
    const at = i === 0 ? node.at : declarator.at;
    const statement = declareLocal(context, node, declared, declarator, at, leaks);
    if (statement) statements.push(statement);
  });
  return statements;
}

function declareLocal(
  context: Context,
  node: VariableDeclaration,
  declared: DeclaredType,
  declarator: Declarator,
  at: number,
  leaks: boolean,
): TypedStatement | undefined {
  const name = declarator.name.name;
  const type = applyArrays(context, declared.type, declarator.arrays, true);
  if (!checkVariableType(context, name, type)) return undefined;
  const isStatic = hasModifier(node.modifiers, 'static');
  const symbol = newVariable(context, node, declared, name, type, isStatic ? 'static' : 'local');
  if (!bindLocal(context, symbol, name, leaks)) return undefined;
  const init = declarator.init && initialize(context, symbol, declarator.init);
  if (isUnsized(symbol.type)) context.log.report('array-unsized', name.at, { name: name.text });
  if (!isStatic) return { kind: 'variable', symbol, ...(init && { init }), at, end: declarator.end };
  if (init) symbol.init = init;
  if (context.function) symbol.owner = context.function.symbol;
  context.globals.push(symbol);
  // Initialized before the entry begins; the statement tells in which scope its name is known.
  return { kind: 'variable', symbol, at, end: declarator.end };
}

function bindLocal(
  context: Context,
  symbol: VariableSymbol,
  name: Declarator['name']['name'],
  leaks: boolean,
): boolean {
  const { scope } = context;
  const earlier = scope.names.get(name.text);
  if (leaks && earlier?.kind === 'variable' && earlier.storage === 'local') {
    context.log.report('for-redefinition', name.at, { name: name.text });
    scope.names.set(name.text, symbol);
    return true;
  }
  return bindName(context, scope, name, symbol);
}
