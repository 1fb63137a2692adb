/**
 * Which variables of a function feed a `precise` one: what is assigned to them must be computed precisely too. The answer is
 * for whole variables and whole functions, so it may name more than needed, never less.
 */
import { partsOf } from '../check/parts.ts';
import type { FunctionSymbol, TypedExpression, TypedStatement, VariableSymbol } from '../check/program.ts';

export function preciseVariables(symbol: FunctionSymbol): Set<VariableSymbol> {
  const { body } = symbol;
  const precise: VariableSymbol[] = [];
  const declare = (variable: VariableSymbol): void => {
    if (variable.precise || hasPreciseMember(variable)) precise.push(variable);
  };
  symbol.parameters.forEach(declare);
  if (body) collectStatement(body, undefined, declare);
  if (!body || precise.length === 0) return new Set(precise);
  /** By target: the variables that what is assigned to it reads. */
  const feeds: Feeds = new Map();
  collectStatement(body, feeds, () => {});
  const all = new Set<VariableSymbol>();
  for (let next = precise.pop(); next; next = precise.pop()) {
    if (all.has(next)) continue;
    all.add(next);
    precise.push(...(feeds.get(next) ?? []));
  }
  return all;
}

function hasPreciseMember({ type }: VariableSymbol): boolean {
  return type.kind === 'struct' && type.members.some(({ modifiers }) => modifiers.includes('precise'));
}

type Feeds = Map<VariableSymbol, Set<VariableSymbol>>;
type Declare = (variable: VariableSymbol) => void;

/** Calls `declare` for each local; collects what feeds what, if asked to. */
function collectStatement(statement: TypedStatement, feeds: Feeds | undefined, declare: Declare): void {
  const inner = (nested: TypedStatement | undefined): void => {
    if (nested) collectStatement(nested, feeds, declare);
  };
  const expression = (nested: TypedExpression | undefined): void => {
    if (nested && feeds) collectExpression(nested, feeds);
  };
  switch (statement.kind) {
    case 'block':
      statement.statements.forEach(inner);
      break;
    case 'variable':
      declare(statement.symbol);
      expression(statement.init);
      if (statement.init && feeds) addFeed(feeds, statement.symbol, statement.init);
      break;
    case 'expression':
      expression(statement.expression);
      break;
    case 'if':
      expression(statement.condition);
      inner(statement.then);
      inner(statement.else);
      break;
    case 'for':
    case 'while':
    case 'do':
      statement.init.forEach(inner);
      inner(statement.conditionVariable);
      expression(statement.condition);
      expression(statement.step);
      inner(statement.body);
      break;
    case 'switch':
      expression(statement.selector);
      for (const group of statement.groups) group.statements.forEach(inner);
      break;
    case 'return':
      expression(statement.value);
      break;
    default:
      break;
  }
}

function collectExpression(expression: TypedExpression, feeds: Feeds): void {
  if (expression.kind === 'assign' || expression.kind === 'compound-assign') {
    const target = rootVariable(expression.target);
    if (target) addFeed(feeds, target, expression.value);
  }
  if (expression.kind === 'call' || expression.kind === 'intrinsic') {
    // What goes out of a call is computed from what goes in.
    for (const out of expression.args) {
      const target = out.mode === 'out' || out.mode === 'inout' ? rootVariable(out.value) : undefined;
      if (target) for (const { value } of expression.args) addFeed(feeds, target, value);
    }
  }
  for (const child of partsOf(expression)) collectExpression(child, feeds);
}

function addFeed(feeds: Feeds, target: VariableSymbol, value: TypedExpression): void {
  let sources = feeds.get(target);
  if (!sources) feeds.set(target, (sources = new Set()));
  const found = sources;
  const visit = (expression: TypedExpression): void => {
    if (expression.kind === 'variable') found.add(expression.symbol);
    for (const child of partsOf(expression)) visit(child);
  };
  visit(value);
}

function rootVariable(expression: TypedExpression): VariableSymbol | undefined {
  let place = expression;
  while (
    place.kind === 'member' ||
    place.kind === 'swizzle' ||
    place.kind === 'matrix-swizzle' ||
    place.kind === 'index'
  )
    place = place.object;
  return place.kind === 'variable' ? place.symbol : undefined;
}
