/** The parts of typed expressions and statements, and walks over all of them. */
import type { TypedExpression, TypedStatement } from './program.ts';

/** The expressions directly inside one, in order of the source. */
export function partsOf(expression: TypedExpression): readonly TypedExpression[] {
  switch (expression.kind) {
    case 'constant':
    case 'variable':
    case 'this':
      return [];
    case 'member':
    case 'swizzle':
    case 'matrix-swizzle':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'buffer-element':
      return expression.index ? [expression.object, expression.index] : [expression.object];
    case 'texel': {
      const { object, coordinate, level } = expression;
      return level ? [object, coordinate, level] : [object, coordinate];
    }
    case 'convert':
    case 'unary':
      return [expression.operand];
    case 'construct':
      return expression.args;
    case 'flatten':
      return expression.sources;
    case 'fill':
      return [expression.value];
    case 'binary':
    case 'logical':
    case 'comma':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'assign':
    case 'compound-assign':
      return [expression.target, expression.value];
    case 'increment':
      return [expression.target];
    case 'call': {
      const args = expression.args.map((arg) => arg.value);
      return expression.self ? [expression.self, ...args] : args;
    }
    case 'intrinsic':
      return expression.args.map((arg) => arg.value);
  }
}

/** `root`: the expression is the whole of an initializer, condition, returned value or statement. */
export type VisitExpression = (expression: TypedExpression, root: boolean) => void;

/** Every expression in one, itself first, outer before inner, in order of the source. */
export function visitExpression(root: TypedExpression, visit: VisitExpression): void {
  // A list of its own instead of recursion: chains of operators are as long as the user likes.
  const waiting = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    visit(next, next === root);
    const parts = partsOf(next);
    for (let i = parts.length - 1; i >= 0; i--) waiting.push(parts[i]!);
  }
}

/** Every statement in one, itself first, and every expression in those if asked to, outer before inner, in order of the source. */
export function visitStatement(
  statement: TypedStatement,
  enter: (statement: TypedStatement) => void,
  visit?: VisitExpression,
): void {
  const expression = (part: TypedExpression | undefined): void => {
    if (part && visit) visitExpression(part, visit);
  };
  const inner = (part: TypedStatement | undefined): void => {
    if (part) visitStatement(part, enter, visit);
  };
  enter(statement);
  switch (statement.kind) {
    case 'block':
      statement.statements.forEach(inner);
      return;
    case 'variable':
      expression(statement.init);
      return;
    case 'expression':
      expression(statement.expression);
      return;
    case 'if':
      expression(statement.condition);
      inner(statement.then);
      inner(statement.else);
      return;
    case 'for':
    case 'while':
    case 'do':
      statement.init.forEach(inner);
      inner(statement.conditionVariable);
      expression(statement.condition);
      expression(statement.step);
      inner(statement.body);
      return;
    case 'switch':
      expression(statement.selector);
      for (const group of statement.groups) group.statements.forEach(inner);
      return;
    case 'return':
      expression(statement.value);
      return;
    case 'discard':
    case 'break':
    case 'continue':
      return;
  }
}
