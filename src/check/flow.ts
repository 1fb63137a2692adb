/** Whether control can leave a statement at its end: for functions that may miss a return. */
import type { TypedBlock, TypedExpression, TypedStatement } from './program.ts';

type Loop = TypedStatement & { kind: 'for' | 'while' | 'do' };
type Switch = TypedStatement & { kind: 'switch' };

export function fallsThrough(statement: TypedStatement): boolean {
  switch (statement.kind) {
    case 'block':
      return listFallsThrough(statement.statements);
    case 'if':
      return !statement.else || fallsThrough(statement.then) || fallsThrough(statement.else);
    case 'for':
    case 'while':
    case 'do':
      return loopFallsThrough(statement);
    case 'switch':
      return switchFallsThrough(statement);
    case 'return':
    case 'break':
    case 'continue':
    case 'discard':
      return false;
    case 'variable':
    case 'expression':
      return true;
  }
}

function listFallsThrough(statements: TypedBlock['statements']): boolean {
  return statements.every(fallsThrough);
}

function loopFallsThrough(loop: Loop): boolean {
  if (breaks(loop.body)) return true;
  const endless = !loop.conditionVariable && (!loop.condition || isTrue(loop.condition));
  // The body of a `do` runs at least once.
  return !endless && (loop.kind !== 'do' || fallsThrough(loop.body) || continues(loop.body));
}

function isTrue(condition: TypedExpression): boolean {
  return condition.kind === 'constant' && condition.value === true;
}

function switchFallsThrough(statement: Switch): boolean {
  const { groups } = statement;
  if (!groups.some((group) => group.labels.includes('default'))) return true;
  if (groups.some((group) => group.statements.some(breaks))) return true;
  const last = groups.at(-1);
  return !last || listFallsThrough(last.statements);
}

/** True if the statement has a `break` of the loop or switch directly around it. */
function breaks(statement: TypedStatement): boolean {
  return contains(statement, 'break', false);
}

function continues(statement: TypedStatement): boolean {
  return contains(statement, 'continue', true);
}

function contains(statement: TypedStatement, jump: 'break' | 'continue', intoSwitch: boolean): boolean {
  const inside = (inner: TypedStatement): boolean => contains(inner, jump, intoSwitch);
  switch (statement.kind) {
    case 'block':
      return statement.statements.some(inside);
    case 'if':
      return inside(statement.then) || (statement.else !== undefined && inside(statement.else));
    case 'switch':
      return intoSwitch && statement.groups.some((group) => group.statements.some(inside));
    default:
      return statement.kind === jump;
  }
}
