/**
 * Reads the IR's text form (print.ts). Positions may be left out: an instruction then stands where it stands in the text
 * itself, as file `text.ir`, in the scope of its function. Files are made of blanks, as wide as the places need.
 *
 * This is for tests: a mistake in the text is an exception with line and column.
 */
import { PositionTable, type Scope } from '../source/position.ts';
import { SourceMap } from '../source/source-map.ts';
import { Builder } from './builder.ts';
import type { EntryPoint, Global, Module, Stage } from './ir.ts';
import { functionNamed, readInstructions, readParameter } from './parse-instructions.ts';
import { makeFiles, type ReadState, skipFile } from './parse-state.ts';
import { readDebugVariable, readGlobal, readScope, scopeNamed } from './parse-tables.ts';
import { readAttributes, readEnum, readStruct, readType } from './parse-types.ts';
import { globalNamed } from './parse-values.ts';
import { IrSyntaxError } from './text-tokens.ts';
import { layoutRules, matrixOrders } from './text-types.ts';
import { TokenReader } from './token-reader.ts';

/** The module that a text stands for. */
export function parseModule(text: string): Module {
  return readModule(newState(text));
}

function newState(text: string): ReadState {
  const map = new SourceMap();
  const positions = new PositionTable(map);
  const unit: Scope = { kind: 'unit', location: 0 };
  const module: Module = {
    sourceMap: map,
    positions,
    unit,
    functions: [],
    globals: [],
    debugVariables: [],
    enable16BitTypes: false,
  };
  const state: ReadState = {
    tokens: new TokenReader(text),
    map,
    positions,
    files: new Map(),
    types: new Map(),
    scopes: new Map([['unit', unit]]),
    globals: new Map(),
    variables: new Map(),
    functions: new Map(),
    defined: new Set(),
    module,
    builder: new Builder(module),
    values: new Map(),
    pending: [],
    function: undefined,
  };
  makeFiles(state);
  return state;
}

function readModule(s: ReadState): Module {
  for (;;) {
    const token = s.tokens.take();
    switch (token.kind === 'end' ? '' : token.text) {
      case '':
        return finish(s);
      case 'module':
        if (s.tokens.accept('enable_16bit_types')) s.module.enable16BitTypes = true;
        if (s.tokens.accept('memory')) {
          const storage = s.tokens.word('layout', layoutRules);
          s.module.memory = { storage, matrixOrder: s.tokens.word('matrix order', matrixOrders) };
        }
        break;
      case 'file':
        skipFile(s);
        break;
      case 'struct':
        readStruct(s);
        break;
      case 'enum':
        readEnum(s);
        break;
      case 'scope':
        readScope(s);
        break;
      case 'global':
        readGlobal(s);
        break;
      case 'variable':
        readDebugVariable(s);
        break;
      case 'function':
        readFunction(s);
        break;
      default:
        s.tokens.fail(`expected a table row or a function, not '${token.text}'`, token);
    }
  }
}

function finish(s: ReadState): Module {
  for (const [name, fn] of s.functions) {
    if (!s.defined.has(fn)) s.tokens.fail(`function '${name}' is called but not there`);
  }
  return s.module;
}

function readFunction(s: ReadState): void {
  const label = s.tokens.name();
  const fn = functionNamed(s, label);
  s.module.functions.push(fn);
  s.defined.add(fn);
  s.function = fn;
  s.values = new Map();
  s.tokens.expect('(');
  s.tokens.list(')', () => fn.parameters.push(readParameter(s)));
  s.tokens.expect(':');
  fn.returnType = readType(s);
  if (s.tokens.accept('in')) fn.scope = scopeNamed(s);
  else s.scopes.set(label, fn.scope);
  if (s.tokens.accept('named')) fn.name = s.tokens.name();
  if (s.tokens.accept('attributes')) fn.attributes = s.tokens.strings();
  if (s.tokens.accept('entry')) fn.entry = readEntry(s);
  s.tokens.expect('{');
  readInstructions(s, fn.body);
  settle(s);
}

function readEntry(s: ReadState): EntryPoint {
  const stage = s.tokens.name() as Stage;
  const entry: EntryPoint = { stage, name: s.tokens.name(), inputs: [], outputs: [], attributes: [] };
  for (;;) {
    if (s.tokens.accept('threads'))
      entry.threadGroupSize = [s.tokens.number(), s.tokens.number(), s.tokens.number()];
    else if (s.tokens.accept('early_depth_stencil')) entry.earlyDepthStencil = true;
    else if (s.tokens.accept('depth'))
      entry.depthMode = s.tokens.word('depth mode', ['any', 'greater', 'less'] as const);
    else if (s.tokens.accept('inputs')) entry.inputs = globalList(s);
    else if (s.tokens.accept('outputs')) entry.outputs = globalList(s);
    else if (s.tokens.accept('attributes')) entry.attributes = readAttributes(s);
    else return entry;
  }
}

function globalList(s: ReadState): Global[] {
  const globals: Global[] = [];
  while (s.tokens.token.kind === 'global') globals.push(globalNamed(s));
  return globals;
}

/** Operands that were used before their definition. */
function settle(s: ReadState): void {
  for (const { instruction, operand, name, at } of s.pending) {
    const value = s.values.get(name);
    if (!value) throw new IrSyntaxError(s.tokens.text, at, `unknown value '%${name}'`);
    instruction.operands[operand] = value;
  }
  s.pending = [];
}
