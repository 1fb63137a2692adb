/**
 * Statements. Every `{}` is a scope for debuggers, and so is a `for` whose header declares a variable. What follows a jump is
 * dropped, but its variables are recorded.
 */
import type {
  IfStatement,
  LoopStatement,
  ReturnStatement,
  SwitchStatement,
  TypedBlock,
  TypedStatement,
  VariableStatement,
} from '../check/program.ts';
import type { Block } from '../ir/ir.ts';
import { unreachable } from '../source/diagnostic.ts';
import type { Location } from '../source/source-map.ts';
import { hasOpaque } from '../types/type.ts';
import { precisely } from './assignments.ts';
import { dataType } from './data-types.ts';
import { evaluate, evaluateDiscarded } from './expressions.ts';
import { recordFinals } from './functions.ts';
import { globalOf } from './globals.ts';
import { bind, meetAll, unsetOf } from './handles.ts';
import { evaluateBoth } from './resources.ts';
import {
  declareVariable,
  type FunctionState,
  type Handles,
  inBlock,
  lastCharacter,
  newVar,
  stand,
} from './state.ts';
import { convertElement } from './values.ts';

/** The body of a function is a block in the function's scope. */
export function lowerFunctionBody(f: FunctionState, body: TypedBlock, atEnd: () => void): void {
  inScope(f, body.at, () => {
    lowerAll(f, body.statements);
    atEnd();
  });
}

function lowerBlock(f: FunctionState, block: TypedBlock): void {
  inScope(f, block.at, () => lowerAll(f, block.statements));
}

function inScope(f: FunctionState, at: Location, body: () => void): void {
  const outer = f.scope;
  f.scope = { kind: 'block', parent: outer, location: f.l.map.expanded(at) };
  body();
  f.scope = outer;
}

function lowerAll(f: FunctionState, statements: readonly TypedStatement[]): void {
  for (const statement of statements) lowerStatement(f, statement);
}

function lowerStatement(f: FunctionState, statement: TypedStatement): void {
  if (!f.open) {
    declareOnly(f, statement);
    return;
  }
  switch (statement.kind) {
    case 'block':
      lowerBlock(f, statement);
      return;
    case 'variable':
      lowerVariable(f, statement);
      return;
    case 'expression':
      evaluateDiscarded(f, statement.expression);
      return;
    case 'if':
      lowerIf(f, statement);
      return;
    case 'for':
    case 'while':
    case 'do':
      lowerLoop(f, statement);
      return;
    case 'switch':
      lowerSwitch(f, statement);
      return;
    case 'return':
      lowerReturn(f, statement);
      return;
    case 'break':
      stand(f, statement);
      f.exits[f.exits.length - 1]?.push(new Map(f.handles));
      f.builder.break();
      f.open = false;
      return;
    case 'continue':
      stand(f, statement);
      f.builder.continue();
      f.open = false;
      return;
    case 'discard':
      stand(f, statement);
      f.builder.discard();
      return;
    default:
      unreachable(statement);
      return;
  }
}

/** Variables of code that is not reached are still shown by debuggers. */
function declareOnly(f: FunctionState, statement: TypedStatement): void {
  const inner = (nested: TypedStatement | undefined): void => {
    if (nested) declareOnly(f, nested);
  };
  switch (statement.kind) {
    case 'block':
      inScope(f, statement.at, () => statement.statements.forEach(inner));
      return;
    case 'variable':
      if (statement.symbol.storage === 'local') declareVariable(f, statement.symbol);
      return;
    case 'if':
      inner(statement.then);
      inner(statement.else);
      return;
    case 'for':
    case 'while':
    case 'do': {
      const all = (): void => {
        statement.init.forEach(inner);
        inner(statement.conditionVariable);
        inner(statement.body);
      };
      statement.declares ? inScope(f, statement.at, all) : all();
      return;
    }
    case 'switch':
      inScope(f, statement.at, () => {
        for (const group of statement.groups) group.statements.forEach(inner);
      });
      return;
    default:
      return;
  }
}

// ---- variables

function lowerVariable(f: FunctionState, statement: VariableStatement): void {
  const { symbol, init } = statement;
  if (symbol.storage === 'static') {
    // Initialized before the entry's first statement; here it only gets the scope in which it is known.
    if (hasOpaque(symbol.type)) return;
    const { debug } = globalOf(f.l, symbol);
    if (debug?.scope.kind === 'unit' || debug?.scope.kind === 'namespace') debug.scope = f.scope;
    return;
  }
  const variable = declareVariable(f, symbol);
  const data = dataType(f.l, symbol.type);
  // Turns of a loop begin with a variable of their own.
  if (hasOpaque(symbol.type)) f.handles.set(symbol, { handle: unsetOf(symbol.type), loops: f.loops });
  stand(f, symbol);
  if (data) {
    const memory = newVar(f, data, symbol.name);
    f.memory.set(symbol, memory);
    f.builder.debugDeclare(variable, memory);
  }
  if (!init) return;
  precisely(f, symbol, () => {
    const value = evaluateBoth(f, init);
    stand(f, { at: symbol.at, end: init.end });
    const memory = f.memory.get(symbol);
    if (value.data && memory) f.builder.store(memory, value.data);
    if (value.handle && hasOpaque(symbol.type)) bind(f, symbol, value.handle, symbol.at, symbol.name);
  });
}

// ---- if

function lowerIf(f: FunctionState, statement: IfStatement): void {
  const { builder } = f;
  const condition = evaluate(f, statement.condition);
  const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
  stand(f, statement.condition);
  builder.if(condition, then, otherwise, [], statement.hint);
  const before = f.handles;
  const ways: Handles[] = [];
  const arms = [
    [then, statement.then],
    [otherwise, statement.else],
  ] as const;
  for (const [block, arm] of arms) {
    f.handles = new Map(before);
    const open = inBlock(f, block, () => {
      // An arm without code is left at the condition; else where its last instruction stands, which is no step of its own.
      stand(f, statement.condition);
      if (arm) lowerStatement(f, arm);
      if (f.open) builder.yield();
    });
    if (open) ways.push(f.handles);
  }
  f.open = ways.length > 0;
  f.handles = f.open ? keep(before, meetAll(ways, statement.at)) : before;
  if (!f.open) unreachableRest(f, statement);
}

/** What was bound before stays known; what was declared inside is gone. */
function keep(before: Handles, after: Handles): Handles {
  return new Map([...after].filter(([key]) => before.has(key)));
}

/** Both ways have left: the block still needs an end. */
function unreachableRest(f: FunctionState, statement: TypedStatement): void {
  stand(f, lastCharacter(statement));
  f.builder.unreachable();
}

// ---- loops

function lowerLoop(f: FunctionState, statement: LoopStatement): void {
  const all = (): void => {
    lowerAll(f, statement.init);
    if (f.open) loopItself(f, statement);
  };
  if (statement.declares) inScope(f, statement.at, all);
  else all();
}

function loopItself(f: FunctionState, statement: LoopStatement): void {
  const { builder } = f;
  const [body, continuing] = [builder.newBlock(), builder.newBlock()];
  standAtLoop(f, statement);
  const loop = builder.loop([], body, continuing, [], statement.hint);
  const before = f.handles;
  f.handles = new Map(before);
  f.loops++;
  f.exits.push(undefined);
  inBlock(f, body, () => lowerTurn(f, statement));
  inBlock(f, continuing, () => lowerStep(f, statement));
  f.exits.pop();
  f.loops--;
  f.handles = keep(before, f.handles);
  f.open = leaves(loop.blocks[0]!, loop.blocks[1]!);
  if (!f.open) unreachableRest(f, statement);
}

function standAtLoop(f: FunctionState, statement: LoopStatement): void {
  const first = statement.conditionVariable ?? (statement.kind === 'do' ? undefined : statement.condition);
  stand(f, first ?? keyword(statement));
}

/** The `for`, `while` or `do` alone. */
function keyword({ at, kind }: LoopStatement): { at: Location; end: Location } {
  return { at, end: at > 0 ? at + kind.length : at };
}

/** One turn: the condition, unless it comes last, and the body. */
function lowerTurn(f: FunctionState, statement: LoopStatement): void {
  const { builder } = f;
  if (statement.conditionVariable) lowerVariable(f, statement.conditionVariable);
  if (statement.condition && statement.kind !== 'do') {
    const condition = evaluate(f, statement.condition);
    const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
    stand(f, statement.condition);
    builder.if(condition, then, otherwise);
    inBlock(f, then, () => builder.yield());
    inBlock(f, otherwise, () => builder.break());
  } else stand(f, keyword(statement));
  lowerStatement(f, statement.body);
  if (!f.open) return;
  if (!statement.step && statement.kind !== 'do') stand(f, closing(statement));
  builder.continue();
  f.open = false;
}

function lowerStep(f: FunctionState, statement: LoopStatement): void {
  const { builder } = f;
  if (statement.kind === 'do' && statement.condition) {
    const condition = evaluate(f, statement.condition);
    stand(f, statement.condition);
    builder.repeatIf(condition);
    return;
  }
  if (statement.step) {
    stand(f, statement.step);
    evaluateDiscarded(f, statement.step);
    stand(f, statement.step);
  } else stand(f, closing(statement));
  builder.repeat();
}

/** Where a loop without step goes back: its closing brace, or the statement that is its body. */
function closing({ body }: LoopStatement): { at: Location; end: Location } {
  return body.kind === 'block' ? lastCharacter(body) : body;
}

/** Whether the code behind the loop can be reached: something breaks out of it, or it ends by its condition. */
function leaves(body: Block, continuing: Block): boolean {
  return breaksOut(body) || continuing.instructions[continuing.instructions.length - 1]?.op === 'repeat_if';
}

function breaksOut(block: Block): boolean {
  return block.instructions.some(({ op, blocks }) => {
    if (op === 'break') return true;
    // A break in an inner loop or switch leaves that.
    return op === 'if' && blocks.some(breaksOut);
  });
}

// ---- switch

function lowerSwitch(f: FunctionState, statement: SwitchStatement): void {
  const { builder } = f;
  let selector = evaluate(f, statement.selector);
  stand(f, statement.selector);
  if (selector.type.kind === 'enum') selector = convertElement(builder, selector, selector.type.underlying);
  if (statement.groups.length === 0) return;
  const blocks = statement.groups.map(() => builder.newBlock());
  const cases = statement.groups.map(({ labels }) => labels);
  const before = f.handles;
  const exits: Handles[] = cases.flat().includes('default') ? [] : [before];
  builder.switch(selector, cases, blocks, [], statement.hint);
  f.exits.push(exits);
  inScope(f, statement.at, () => lowerGroups(f, statement, blocks, exits));
  f.exits.pop();
  f.open = exits.length > 0;
  f.handles = f.open ? keep(before, meetAll(exits, statement.at)) : before;
  if (!f.open) unreachableRest(f, statement);
}

function lowerGroups(f: FunctionState, statement: SwitchStatement, blocks: Block[], exits: Handles[]): void {
  const before = f.handles;
  let falling: Handles | undefined;
  statement.groups.forEach((group, i) => {
    f.handles = falling ? meetAll([before, falling], group.at) : new Map(before);
    const open = inBlock(f, blocks[i]!, () => {
      stand(f, statement.selector);
      lowerAll(f, group.statements);
      if (!f.open) return;
      if (i + 1 < blocks.length) f.builder.fallthrough();
      else f.builder.break();
    });
    falling = open ? f.handles : undefined;
    if (open && i + 1 === blocks.length) exits.push(f.handles);
  });
}

// ---- return

function lowerReturn(f: FunctionState, statement: ReturnStatement): void {
  const { value } = statement;
  const result = value && evaluateBoth(f, value);
  stand(f, statement);
  recordFinals(f, result?.handle, statement.at);
  if (f.storeOutputs) {
    f.storeOutputs(result?.data);
    f.builder.return();
  } else f.builder.return(result?.data);
  f.open = false;
}
