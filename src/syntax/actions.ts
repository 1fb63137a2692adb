/** The action of each rule of the grammar that makes a node, in the order of `treeNames`. */
import type { Action } from './ast-builder.ts';
import { declarationActions } from './actions-declarations.ts';
import { expressionActions } from './actions-expressions.ts';
import { statementActions } from './actions-statements.ts';
import { typeActions } from './actions-types.ts';
import { treeNames } from './parser.gen.ts';

const byName: Readonly<Record<string, Action>> = {
  ...typeActions,
  ...declarationActions,
  ...statementActions,
  ...expressionActions,
};

/** Rules whose nodes are read by the action of the node above, never built on their own. */
const parts: ReadonlySet<string> = new Set([
  'unit',
  'recname',
  'bases',
  'enumbase',
  'enumerators',
  'enuminit',
  'vars',
  'typedrest_none',
  'func',
  'funcbody_proto',
  'fname0_op',
  'opname_call',
  'opname_index',
  'opname_shr',
  'swz',
  'regarg',
  'note',
  'noteinit',
  'braces',
  'braceitem_token',
  'initlist',
  'tpinit',
  'tvinit',
  'assertmessage',
  'attrname',
  'attrid',
  'attrargs',
  'else',
  'forinit_none',
  'localrest_proto',
  'localrest_vars',
  'commatail',
  'assigntail',
  'condtail',
  'binrest_shr',
  'binrest_op',
  'binnogt',
  'post_mem',
  'post_idx',
  'post_call',
  'incdec',
  'strings',
  'init_value',
  'fname',
]);

const misplaced: Action = (_, t) => {
  throw new Error(`'${treeNames[t.kind]}' is part of another node`);
};

export const actions: readonly Action[] = treeNames.map((name) => {
  const action = parts.has(name) ? misplaced : byName[name];
  if (!action) throw new Error(`no action for the rule '${name}'`);
  return action;
});
