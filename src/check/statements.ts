/** Statements -> typed statements. Declarations give one statement for each variable, so most functions return lists. */
import type {
  BlockStatement,
  Condition,
  DoStatement,
  Expression,
  ForStatement,
  IfStatement,
  ReturnStatement,
  Statement,
  WhileStatement,
} from '../syntax/ast.ts';
import { statementHint } from './attributes.ts';
import type { Context } from './context.ts';
import { checkCondition } from './conversions.ts';
import { checkValue } from './expressions.ts';
import { checkInitializer } from './initializers.ts';
import { declareLocals } from './locals.ts';
import type {
  LoopStatement,
  TypedBlock,
  TypedExpression,
  TypedStatement,
  VariableStatement,
} from './program.ts';
import { newScope, type Scope } from './scope.ts';
import { checkSwitch } from './switch.ts';

/** A block in the given scope (that of a function), or in one of its own. */
export function checkBlock(context: Context, block: BlockStatement, scope?: Scope): TypedBlock {
  return inScope(context, scope ?? newScope('block', context.scope), () => ({
    kind: 'block',
    statements: block.statements.flatMap((statement) => checkStatement(context, statement)),
    at: block.at,
    end: block.end,
  }));
}

/** Does the work in a scope. */
export function inScope<T>(context: Context, scope: Scope, work: () => T): T {
  const outer = context.scope;
  context.scope = scope;
  const result = work();
  context.scope = outer;
  return result;
}

/** The controlled statement of an if or loop: a scope of its own, even without braces. */
function checkControlled(context: Context, statement: Statement): TypedStatement {
  if (statement.kind === 'block') {
    statementHint(context, statement.attributes, 'other');
    return checkBlock(context, statement);
  }
  return inScope(context, newScope('block', context.scope), () =>
    single(statement, checkStatement(context, statement)),
  );
}

/** A list as one statement. */
function single(place: { at: number; end: number }, statements: TypedStatement[]): TypedStatement {
  const only = statements[0];
  if (only && statements.length === 1) return only;
  return { kind: 'block', statements, at: place.at, end: place.end };
}

export function checkStatement(context: Context, statement: Statement): TypedStatement[] {
  switch (statement.kind) {
    case 'if':
      return [checkIf(context, statement)];
    case 'for':
      return checkFor(context, statement);
    case 'while':
      return [checkWhile(context, statement)];
    case 'do':
      return [checkDo(context, statement)];
    case 'switch':
      return [checkSwitch(context, statement)];
    default:
      statementHint(context, statement.attributes, 'other');
      return checkPlain(context, statement);
  }
}

type PlainStatement = Exclude<Statement, { kind: 'if' | 'for' | 'while' | 'do' | 'switch' }>;

function checkPlain(context: Context, statement: PlainStatement): TypedStatement[] {
  const { at, end } = statement;
  switch (statement.kind) {
    case 'block':
      return [checkBlock(context, statement)];
    case 'case':
    case 'default':
      context.log.report('case-misplaced', at, { label: statement.kind });
      return [];
    case 'return':
      return checkReturn(context, statement);
    case 'break':
      if (context.function && context.function.loops + context.function.switches > 0)
        return [{ kind: 'break', at, end }];
      context.log.report('break-misplaced', at);
      return [];
    case 'continue':
      if (context.function && context.function.loops > 0) return [{ kind: 'continue', at, end }];
      context.log.report('continue-misplaced', at);
      return [];
    case 'discard':
      return [{ kind: 'discard', at, end }];
    case 'declaration':
      return declareLocals(context, statement.declaration, false);
    case 'expression':
      return [{ kind: 'expression', expression: checkValue(context, statement.expression), at, end }];
    case 'empty':
      return [];
  }
}

function checkReturn(context: Context, statement: ReturnStatement): TypedStatement[] {
  const { at, end, value } = statement;
  const { symbol, returnType } = context.function!;
  if (!value) {
    const missing = returnType.kind !== 'void' && returnType.kind !== 'error';
    if (missing) context.log.report('return-missing-value', at, { name: symbol.name });
    return [{ kind: 'return', at, end }];
  }
  if (returnType.kind !== 'void') {
    return [{ kind: 'return', value: checkInitializer(context, value, returnType, value.at), at, end }];
  }
  // `return f();` is allowed where f returns nothing.
  const expression = checkValue(context, value);
  const nothing = expression.type.kind === 'void' || expression.type.kind === 'error';
  if (!nothing) context.log.report('return-void-value', value.at, { name: symbol.name });
  return [
    { kind: 'expression', expression, at: value.at, end: value.end },
    { kind: 'return', at, end },
  ];
}

// ---- conditions

/** A condition, and the variable it declares. */
interface CheckedCondition {
  variable?: VariableStatement;
  condition: TypedExpression;
}

/** In the current scope, which gets the name that the condition declares. */
function checkConditionOf(context: Context, condition: Condition): CheckedCondition {
  if (condition.kind !== 'variables') return { condition: checkCondition(context, condition) };
  const [variable, ...more] = declareLocals(context, condition, false);
  const declarator = condition.declarators[0];
  if (!declarator?.init || more.length > 0) context.log.report('condition-declaration', condition.at);
  const { name } = declarator ?? {};
  const { at, end } = name ? name.name : condition;
  const value: Expression = name
    ? { kind: 'name', name, at, end }
    : { kind: 'bool-literal', value: true, at, end };
  const result: CheckedCondition = { condition: checkCondition(context, value) };
  if (variable?.kind === 'variable') result.variable = variable;
  return result;
}

function checkIf(context: Context, statement: IfStatement): TypedStatement {
  const { at, end } = statement;
  const hint = statementHint(context, statement.attributes, 'if');
  return inScope(context, newScope('block', context.scope), () => {
    const { variable, condition } = checkConditionOf(context, statement.condition);
    const then = checkControlled(context, statement.then);
    const otherwise = statement.else && checkControlled(context, statement.else);
    const result: TypedStatement = {
      kind: 'if',
      condition,
      then,
      ...(otherwise && { else: otherwise }),
      ...(hint && { hint }),
      at,
      end,
    };
    return variable ? { kind: 'block', statements: [variable, result], at, end } : result;
  });
}

// ---- loops

function checkLoopBody(context: Context, body: Statement): TypedStatement {
  if (context.function) context.function.loops++;
  const result = checkControlled(context, body);
  if (context.function) context.function.loops--;
  return result;
}

function checkFor(context: Context, statement: ForStatement): TypedStatement[] {
  // Before HLSL 2021 the variables of the header belong to the scope around the loop.
  const leaks = context.options.languageVersion < 2021;
  const scope = leaks ? context.scope : newScope('block', context.scope);
  const hint = statementHint(context, statement.attributes, 'for');
  return inScope(context, scope, () => {
    const declares = statement.init?.kind === 'declaration';
    const init = statement.init ? checkForInit(context, statement.init, leaks) : [];
    const condition = statement.condition && checkConditionOf(context, statement.condition);
    const step = statement.step && checkValue(context, statement.step);
    const before = leaks && declares ? init : [];
    const loop: LoopStatement = {
      kind: 'for',
      init: leaks && declares ? [] : init,
      ...(condition?.variable && { conditionVariable: condition.variable }),
      ...(condition && { condition: condition.condition }),
      ...(step && { step }),
      body: checkLoopBody(context, statement.body),
      declares: (declares && !leaks) || condition?.variable !== undefined,
      ...(hint && { hint }),
      at: statement.at,
      end: statement.end,
    };
    return [...before, loop];
  });
}

function checkForInit(context: Context, init: Statement, leaks: boolean): TypedStatement[] {
  if (init.kind === 'declaration') return declareLocals(context, init.declaration, leaks);
  return checkStatement(context, init);
}

function checkWhile(context: Context, statement: WhileStatement): TypedStatement {
  const hint = statementHint(context, statement.attributes, 'while');
  return inScope(context, newScope('block', context.scope), () => {
    const { variable, condition } = checkConditionOf(context, statement.condition);
    return {
      kind: 'while',
      init: [],
      ...(variable && { conditionVariable: variable }),
      condition,
      body: checkLoopBody(context, statement.body),
      declares: variable !== undefined,
      ...(hint && { hint }),
      at: statement.at,
      end: statement.end,
    };
  });
}

function checkDo(context: Context, statement: DoStatement): TypedStatement {
  const hint = statementHint(context, statement.attributes, 'do');
  const body = checkLoopBody(context, statement.body);
  return {
    kind: 'do',
    init: [],
    condition: checkCondition(context, statement.condition),
    body,
    declares: false,
    ...(hint && { hint }),
    at: statement.at,
    end: statement.end,
  };
}
