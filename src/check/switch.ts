/**
 * `switch`: labels are statements in the syntax; here they are gathered with the statements behind them into groups.
 * Labels may stand in the braces of the switch and in blocks in them; such a block is taken apart, for a label ends it.
 */
import type { CaseLabel, DefaultLabel, Statement, SwitchStatement as SwitchNode } from '../syntax/ast.ts';
import {
  elementOf,
  intType,
  scalarClass,
  typeName,
  uintType,
  type ScalarType,
  type Type,
} from '../types/type.ts';
import { statementHint } from './attributes.ts';
import type { Context } from './context.ts';
import { evaluateInteger } from './constants.ts';
import { castTo, convertTo } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { declareLocals } from './locals.ts';
import type { SwitchGroup, SwitchStatement, TypedExpression, TypedStatement } from './program.ts';
import { newScope } from './scope.ts';
import { checkStatement, inScope } from './statements.ts';

export function checkSwitch(context: Context, node: SwitchNode): TypedStatement {
  const hint = statementHint(context, node.attributes, 'switch');
  const { at, end } = node;
  const outer = context.scope;
  context.scope = newScope('block', outer);
  const { variable, selector } = checkSelector(context, node);
  context.scope = newScope('block', context.scope);
  if (context.function) context.function.switches++;
  const groups = checkGroups(context, node, selector.type);
  if (context.function) context.function.switches--;
  context.scope = outer;
  const result: SwitchStatement = { kind: 'switch', selector, groups, ...(hint && { hint }), at, end };
  return variable ? { kind: 'block', statements: [variable, result], at, end } : result;
}

function checkSelector(
  context: Context,
  node: SwitchNode,
): { variable?: TypedStatement; selector: TypedExpression } {
  if (node.selector.kind !== 'variables')
    return { selector: integral(context, checkExpression(context, node.selector)) };
  const declarator = node.selector.declarators[0];
  const variable = declareLocals(context, node.selector, false)[0];
  if (!declarator?.init || node.selector.declarators.length > 1)
    context.log.report('condition-declaration', node.selector.at);
  const { at, end } = declarator?.name.name ?? node.selector;
  const value = declarator
    ? checkExpression(context, { kind: 'name', name: declarator.name, at, end })
    : checkExpression(context, { kind: 'int-literal', text: '0', at, end });
  return { selector: integral(context, value), ...(variable && { variable }) };
}

/** The selector as int or uint, or the wider integer it is; floats are truncated, as DXC does. */
function integral(context: Context, selector: TypedExpression): TypedExpression {
  const { type } = selector;
  const element =
    type.kind === 'vector' && type.count > 1
      ? undefined
      : type.kind === 'matrix'
        ? undefined
        : elementOf(type);
  if (type.kind === 'error') return selector;
  if (!element) {
    context.log.report('switch-type', selector.at, { type: typeName(type) });
    return selector;
  }
  const target = selectorType(element);
  // A scoped enumeration does not convert by itself.
  if (type.kind === 'enum') return castTo(context, selector, target, selector.at);
  return type === target ? selector : convertTo(context, selector, target, selector.at);
}

function selectorType(element: ScalarType): ScalarType {
  switch (scalarClass(element)) {
    case 'bool':
    case 'float':
      return intType;
    case 'uint':
      return element.name.startsWith('min') ? uintType : element;
    default:
      return element.name.startsWith('min') || element.name === 'literal int' ? intType : element;
  }
}

function checkGroups(context: Context, node: SwitchNode, type: Type): SwitchGroup[] {
  const groups: SwitchGroup[] = [];
  const seen: Seen = new Map();
  const body = node.body.kind === 'block' ? node.body.statements : [node.body];
  for (const statement of body) addPart(context, groups, statement, type, seen);
  return groups;
}

/** That of SPIR-V's universal limits. */
const labelLimit = 16383;

/** Labels so far, and where they are. */
type Seen = Map<number | 'default', number>;

function addPart(
  context: Context,
  groups: SwitchGroup[],
  statement: Statement,
  type: Type,
  seen: Seen,
): void {
  if (isLabel(statement)) addLabel(context, groups, statement, type, seen);
  else if (statement.kind === 'block' && holdsLabel(statement))
    inScope(context, newScope('block', context.scope), () => {
      for (const part of statement.statements) addPart(context, groups, part, type, seen);
    });
  else addStatement(context, groups, statement);
}

function isLabel(statement: Statement): statement is CaseLabel | DefaultLabel {
  return statement.kind === 'case' || statement.kind === 'default';
}

function holdsLabel(statement: Statement): boolean {
  return isLabel(statement) || (statement.kind === 'block' && statement.statements.some(holdsLabel));
}

function addStatement(context: Context, groups: SwitchGroup[], statement: Statement): void {
  const group = groups.at(-1);
  if (!group && statement.kind !== 'empty') context.log.report('switch-no-label', statement.at);
  const checked = checkStatement(context, statement);
  if (!group) return;
  for (const each of checked) group.statements.push(each);
  group.end = statement.end;
}

function addLabel(
  context: Context,
  groups: SwitchGroup[],
  label: CaseLabel | DefaultLabel,
  type: Type,
  seen: Seen,
): void {
  statementHint(context, label.attributes, 'other');
  const value = label.kind === 'default' ? 'default' : caseValue(context, label, type);
  if (value === undefined) {
    startGroup(groups, label, []);
    return;
  }
  const earlier = seen.get(value);
  if (earlier !== undefined) {
    const text = value === 'default' ? 'default' : `case ${value}`;
    const diagnostic = context.log.report('case-duplicate', label.at, { label: text });
    context.log.note(diagnostic, 'case-first-here', earlier, { label: text });
    startGroup(groups, label, []);
    return;
  }
  seen.set(value, label.at);
  if (seen.size === labelLimit + 1) context.log.report('case-count', label.at, { limit: labelLimit });
  startGroup(groups, label, [value]);
}

/** A label joins the group before it if that has no statements yet. */
function startGroup(groups: SwitchGroup[], label: Statement, labels: SwitchGroup['labels']): void {
  const last = groups.at(-1);
  if (last && last.statements.length === 0) last.labels.push(...labels);
  else groups.push({ labels, statements: [], at: label.at, end: label.end });
}

/** The label's value in the range of the selector's type. */
function caseValue(context: Context, label: CaseLabel, type: Type): number | undefined {
  const value = evaluateInteger(context, label.value);
  if (value === undefined) return undefined;
  const name = type.kind === 'scalar' ? type.name : 'int';
  if (name === 'int') return value | 0;
  return name === 'uint' ? value >>> 0 : value;
}
