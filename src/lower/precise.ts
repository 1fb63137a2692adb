/**
 * Which variables of a function feed a `precise` one: what is assigned to them must be computed precisely too. The answer is
 * for whole variables and whole functions, so it may name more than needed, never less.
 */
import { visitExpression, visitStatement } from '../check/parts.ts';
import { placeVariable } from '../check/places.ts';
import type { FunctionSymbol, TypedExpression, TypedStatement, VariableSymbol } from '../check/program.ts';

export function preciseVariables(symbol: FunctionSymbol): Set<VariableSymbol> {
  const { body } = symbol;
  const precise: VariableSymbol[] = [];
  /** By target: the variables that what is assigned to it reads. */
  const feeds: Feeds = new Map();
  const declare = (variable: VariableSymbol): void => {
    if (variable.precise || hasPreciseMember(variable)) precise.push(variable);
  };
  symbol.parameters.forEach(declare);
  if (body)
    visitStatement(body, (statement) => {
      if (statement.kind === 'variable') declare(statement.symbol);
    });
  if (!body || precise.length === 0) return new Set(precise);
  const feedInitialized = (statement: TypedStatement): void => {
    if (statement.kind === 'variable' && statement.init) addFeed(feeds, statement.symbol, statement.init);
  };
  visitStatement(body, feedInitialized, (expression) => addFeeds(feeds, expression));
  const all = new Set<VariableSymbol>();
  for (let next = precise.pop(); next; next = precise.pop()) {
    if (all.has(next)) continue;
    all.add(next);
    for (const fed of feeds.get(next) ?? []) precise.push(fed);
  }
  return all;
}

function hasPreciseMember({ type }: VariableSymbol): boolean {
  return type.kind === 'struct' && type.members.some(({ modifiers }) => modifiers.includes('precise'));
}

type Feeds = Map<VariableSymbol, Set<VariableSymbol>>;

/** What an assignment or a call with `out` arguments feeds. */
function addFeeds(feeds: Feeds, expression: TypedExpression): void {
  if (expression.kind === 'assign' || expression.kind === 'compound-assign') {
    const target = placeVariable(expression.target);
    if (target) addFeed(feeds, target, expression.value);
  }
  if (expression.kind === 'call' || expression.kind === 'intrinsic') {
    // What goes out of a call is computed from what goes in.
    for (const out of expression.args) {
      const target = out.mode === 'out' || out.mode === 'inout' ? placeVariable(out.value) : undefined;
      if (target) for (const { value } of expression.args) addFeed(feeds, target, value);
    }
  }
}

function addFeed(feeds: Feeds, target: VariableSymbol, value: TypedExpression): void {
  let sources = feeds.get(target);
  if (!sources) feeds.set(target, (sources = new Set()));
  const found = sources;
  visitExpression(value, (expression) => {
    if (expression.kind === 'variable') found.add(expression.symbol);
  });
}
