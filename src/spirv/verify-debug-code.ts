/** Records in blocks: where they stand, and that every instruction has a scope and a line which fit the function it is in. */
import {
  type DebugModule,
  functionOfScope,
  type ReadBlock,
  type ReadFunction,
  type ReadRecord,
  scopeChain,
  sourceLines,
  terminators,
} from './debug-reader.ts';
import { Op } from './enums.ts';
import { placeProblem, titleOf } from './verify-debug-records.ts';

/** Instructions that do nothing: labels, variables, phis, merges, and what is no code at all. */
export const notExecuted: ReadonlySet<number> = new Set<number>([
  Op.Nop,
  Op.Undef,
  Op.Line,
  Op.NoLine,
  Op.Label,
  Op.Variable,
  Op.Phi,
  Op.SelectionMerge,
  Op.LoopMerge,
]);

/** Scope and line in force at an instruction of a block. */
export interface InForce {
  /** The DebugScope record; undefined before the first and after DebugNoScope. */
  scope: ReadRecord | undefined;
  /** DebugLine or DebugNoLine. */
  line: ReadRecord | undefined;
}

export function checkCode(module: DebugModule): string[] {
  const problems = checkDefinitions(module);
  const owners = new Map<number, number>();
  for (const { operands } of module.all('DebugFunctionDefinition')) owners.set(operands[1]!, operands[0]!);
  for (const target of module.functions)
    for (const block of target.blocks) checkBlock(module, block, owners.get(target.id), problems);
  return [...problems, ...checkInlining(module)];
}

/** What is in force where; called with each executed instruction of a block, and each record that is not about places. */
export function walkBlock(
  module: DebugModule,
  block: ReadBlock,
  visit: (at: number, inForce: InForce, record: ReadRecord | undefined) => void,
): void {
  const inForce: InForce = { scope: undefined, line: undefined };
  for (const { op, at } of block.instructions) {
    const record = module.byPlace.get(at);
    if (record?.name === 'DebugScope') inForce.scope = record;
    else if (record?.name === 'DebugNoScope') inForce.scope = undefined;
    else if (record?.name === 'DebugLine' || record?.name === 'DebugNoLine') inForce.line = record;
    else if (record || !notExecuted.has(op)) visit(at, inForce, record);
  }
}

function checkBlock(
  module: DebugModule,
  block: ReadBlock,
  owner: number | undefined,
  problems: string[],
): void {
  let before: ReadRecord | undefined;
  let isMerged = false;
  let isDone = false;
  for (const { op, at } of block.instructions) {
    const record = module.byPlace.get(at);
    if (isDone) problems.push(`${record?.name ?? 'an instruction'} stands behind the end of a block`);
    if (record && isMerged) problems.push(`${record.name} stands between a merge and its branch`);
    if (record) before = record;
    else if ((op === Op.Phi || op === Op.Variable) && before)
      problems.push(`${before.name} stands before a phi or a variable of its block`);
    if (!record) isMerged = op === Op.SelectionMerge || op === Op.LoopMerge;
    isDone ||= terminators.has(op);
  }
  const name = owner === undefined ? 'a function without definition record' : `'${nameOf(module, owner)}'`;
  walkBlock(module, block, (_, { scope, line }, record) => {
    if (record?.name === 'DebugFunctionDefinition') return;
    const title = record ? record.name : 'an instruction';
    if (!scope) problems.push(`${title} in ${name} has no scope`);
    else if (owner !== undefined) checkScope(module, scope, owner, problems);
    if (!record && !line) problems.push(`an instruction in ${name} has neither a line nor DebugNoLine`);
  });
}

function nameOf(module: DebugModule, id: number): string {
  return module.text(module.byId.get(id)?.operands[0]);
}

/** The outermost call of inlined code, or the scope itself, must lie in the function that the code is in. */
function checkScope(module: DebugModule, { operands }: ReadRecord, owner: number, problems: string[]): void {
  let outermost = operands[0]!;
  for (let call = module.byId.get(operands[1]!); call; call = module.byId.get(call.operands[2]!))
    outermost = call.operands[1]!;
  const found = functionOfScope(module, outermost);
  if (found?.id === owner) return;
  const where = found ? `'${nameOf(module, found.id)}'` : 'no function';
  problems.push(`code of '${nameOf(module, owner)}' has a scope in ${where}`);
}

function checkDefinitions(module: DebugModule): string[] {
  const problems: string[] = [];
  const seen = new Set<number>();
  for (const target of module.functions) {
    if (target.blocks.length === 0) continue;
    const definitions = definitionsIn(module, target);
    if (definitions.length === 0) problems.push('a function has no DebugFunctionDefinition');
    if (definitions.length > 1) problems.push('a function has more than one DebugFunctionDefinition');
    for (const { record, block } of definitions) {
      const title = `the definition of '${nameOf(module, record.operands[0]!)}'`;
      if (block !== target.blocks[0]) problems.push(`${title} is not in the entry block`);
      if (record.operands[1] !== target.id) problems.push(`${title} names another function`);
      if (seen.has(record.operands[0]!)) problems.push(`${title} is there twice`);
      seen.add(record.operands[0]!);
    }
  }
  return problems;
}

function definitionsIn(
  module: DebugModule,
  target: ReadFunction,
): { record: ReadRecord; block: ReadBlock }[] {
  return target.blocks.flatMap((block) =>
    block.instructions.flatMap(({ at }) => {
      const record = module.byPlace.get(at);
      return record?.name === 'DebugFunctionDefinition' ? [{ record, block }] : [];
    }),
  );
}

/** Calls that code was inlined through: the line must exist in the file of the scope that holds the call. */
function checkInlining(module: DebugModule): string[] {
  const problems: string[] = [];
  const texts = sourceLines(module);
  const used = new Set<number>();
  for (const { name, operands } of module.records) {
    if (name === 'DebugScope') used.add(operands[1]!);
    if (name === 'DebugInlinedAt') used.add(operands[2]!);
  }
  for (const record of module.all('DebugInlinedAt')) {
    const line = module.number(record.operands[0]);
    const scope = module.byId.get(record.operands[1]!);
    const title = `${titleOf(module, record)} at line ${line}`;
    if (line < 1) problems.push(`${title} has no line`);
    if (scope && !scopeChain(module, scope.id).some(({ name }) => name === 'DebugFunction'))
      problems.push(`${title} is in no function`);
    const source = scope?.operands[scope.name === 'DebugLexicalBlock' ? 0 : 2];
    const problem = placeProblem(texts.get(source!), line, 0);
    if (problem) problems.push(`${title} ${problem}`);
    if (!used.has(record.id)) problems.push(`${title} is used by nothing`);
  }
  return problems;
}
