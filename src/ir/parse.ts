/**
 * Reads the IR's text form (print.ts). Positions may be left out: an instruction then stands where it stands in the text
 * itself, as file `text.ir`, in the scope of its function. Files are made of blanks, as wide as the places need.
 *
 * This is for tests: a mistake in the text is an exception with line and column.
 */
import { type PositionId, PositionTable, type Scope } from '../source/position.ts';
import { type Location, type SourceFile, SourceMap } from '../source/source-map.ts';
import {
  array,
  buffer,
  elementOf,
  type EnumType,
  type LayoutRule,
  type MatrixOrder,
  pointer,
  scalarBits,
  scalarClass,
  type StructType,
  type Type,
  type VkAttribute,
  boolType,
  floatType,
  intType,
  uintType,
} from '../types/type.ts';
import { Builder, partType } from './builder.ts';
import type {
  Block,
  Constant,
  DebugVariable,
  EntryPoint,
  Function,
  Global,
  GlobalRole,
  Instruction,
  InterfaceVariable,
  Module,
  Parameter,
  ResourceBinding,
  Result,
  ScalarValue,
  Stage,
  Value,
} from './ir.ts';
import { type Opcode, opcodes } from './opcodes.ts';
import {
  addressSpaces,
  bufferKindFromWord,
  layoutRules,
  matrixOrders,
  textureFromName,
  typeFromWord,
} from './text-types.ts';
import { type IrToken, IrSyntaxError, type IrTokenKind, type PlaceText, tokenize } from './text-tokens.ts';

/** The module that a text stands for. */
export function parseModule(text: string): Module {
  return new Reader(text).module();
}

const ownFile = 'text.ir';

/** Stands for a value that is used before its definition is read. */
interface Pending {
  instruction: Instruction;
  operand: number;
  name: string;
  at: number;
}

class Reader {
  readonly #text: string;
  readonly #tokens: IrToken[];
  #next = 0;
  readonly #map = new SourceMap();
  readonly #positions = new PositionTable(this.#map);
  readonly #files = new Map<string, SourceFile>();
  readonly #types = new Map<string, StructType | EnumType>();
  readonly #scopes = new Map<string, Scope>();
  readonly #globals = new Map<string, Global>();
  readonly #variables = new Map<string, DebugVariable>();
  readonly #functions = new Map<string, Function>();
  readonly #defined = new Set<Function>();
  readonly #module: Module;
  readonly #builder: Builder;
  #values = new Map<string, Value>();
  #pending: Pending[] = [];
  #function: Function | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
    this.#makeFiles();
    const unit: Scope = { kind: 'unit', location: 0 };
    this.#module = {
      sourceMap: this.#map,
      positions: this.#positions,
      unit,
      functions: [],
      globals: [],
      debugVariables: [],
      enable16BitTypes: false,
    };
    this.#builder = new Builder(this.#module);
    this.#scopes.set('unit', unit);
  }

  module(): Module {
    for (;;) {
      const token = this.#take();
      switch (token.kind === 'end' ? '' : token.text) {
        case '':
          return this.#finish();
        case 'module':
          this.#expect('enable_16bit_types');
          this.#module.enable16BitTypes = true;
          break;
        case 'file':
          this.#skipFile();
          break;
        case 'struct':
          this.#struct();
          break;
        case 'enum':
          this.#enum();
          break;
        case 'scope':
          this.#scope();
          break;
        case 'global':
          this.#global();
          break;
        case 'variable':
          this.#debugVariable();
          break;
        case 'function':
          this.#functionDefinition();
          break;
        default:
          this.#fail(`expected a table row or a function, not '${token.text}'`, token);
      }
    }
  }

  #finish(): Module {
    for (const [name, fn] of this.#functions) {
      if (!this.#defined.has(fn)) this.#fail(`function '${name}' is called but not there`);
    }
    return this.#module;
  }

  // ---- tokens

  #fail(message: string, token: IrToken = this.#tokens[this.#next]!): never {
    throw new IrSyntaxError(this.#text, token.at, message);
  }
  get #token(): IrToken {
    return this.#tokens[this.#next]!;
  }
  #take(): IrToken {
    const token = this.#token;
    if (token.kind !== 'end') this.#next++;
    return token;
  }
  #is(text: string): boolean {
    const { kind } = this.#token;
    return (kind === 'word' || kind === 'punctuation' || kind === 'number') && this.#token.text === text;
  }
  #accept(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#next++;
    return true;
  }
  #expect(text: string): void {
    if (!this.#accept(text)) this.#fail(`expected '${text}', not '${this.#token.text}'`);
  }
  #kind(kind: IrTokenKind): IrToken {
    if (this.#token.kind !== kind) this.#fail(`expected a ${kind}, not '${this.#token.text}'`);
    return this.#take();
  }
  #word<T extends string>(what: string, among: readonly T[]): T {
    const token = this.#take();
    const found = among.find((word) => word === token.text);
    if (!found) this.#fail(`unknown ${what} '${token.text}'`, token);
    return found;
  }
  /** A word or a string. */
  #name(): string {
    const token = this.#take();
    if (token.kind !== 'word' && token.kind !== 'string')
      this.#fail(`expected a name, not '${token.text}'`, token);
    return token.text;
  }
  #number(): number {
    return Number(this.#kind('number').text.replace(/u$/, ''));
  }
  /** Items until `close`, separated by commas. */
  #list(close: string, item: () => void): void {
    if (this.#accept(close)) return;
    do item();
    while (this.#accept(','));
    this.#expect(close);
  }

  // ---- files and places

  /** Lays out files of blanks in which every place that the text names exists. */
  #makeFiles(): void {
    const widths = new Map<string, number[]>();
    const need = (file: string, line: number, column: number): void => {
      let lines = widths.get(file);
      if (!lines) widths.set(file, (lines = []));
      while (lines.length < line) lines.push(0);
      lines[line - 1] = Math.max(lines[line - 1]!, column - 1);
    };
    const rows = new Map<string, { name: string; made: boolean; included?: PlaceText }>();
    this.#tokens.forEach((token, i) => {
      if (token.kind === 'word' && token.text === 'file' && this.#tokens[i + 1]?.kind !== 'punctuation') {
        const label = this.#tokens[i + 1]!.text;
        if (!widths.has(label)) widths.set(label, []);
        rows.set(label, this.#fileRow(i + 2, label));
      }
      if (!token.place) return;
      need(token.place.file, token.place.line, token.place.column);
      need(token.place.file, token.place.endLine, token.place.endColumn);
    });
    for (const label of [...rows.keys(), ...widths.keys()]) {
      if (this.#files.has(label)) continue;
      const row = rows.get(label);
      const text = (widths.get(label) ?? []).map((width) => ' '.repeat(width)).join('\n');
      const from = row?.included ? this.#location(row.included) : 0;
      this.#files.set(label, this.#map.add(row?.name ?? label, text, from, row?.made ? 'made' : 'file'));
    }
  }

  #fileRow(start: number, label: string): { name: string; made: boolean; included?: PlaceText } {
    const row: { name: string; made: boolean; included?: PlaceText } = { name: label, made: false };
    for (let i = start; ; ) {
      const token = this.#tokens[i]!;
      if (token.kind !== 'word') return row;
      if (token.text === 'named') row.name = this.#tokens[i + 1]!.text;
      else if (token.text === 'included') row.included = this.#tokens[i + 1]!.place!;
      else if (token.text === 'made') row.made = true;
      else return row;
      i += token.text === 'made' ? 1 : 2;
    }
  }

  #skipFile(): void {
    this.#name();
    for (;;) {
      if (this.#accept('made')) continue;
      if (this.#accept('named') || this.#accept('included')) this.#take();
      else return;
    }
  }

  #location({ file, line, column }: PlaceText): Location {
    const source = this.#files.get(file);
    if (!source) this.#fail(`file '${file}' is included from a later one`);
    return source.start + this.#map.lineStarts(source)[line - 1]! + column - 1;
  }
  #range(): { at: Location; end: Location } {
    const place = this.#kind('place').place!;
    return {
      at: this.#location(place),
      end: this.#location({ ...place, line: place.endLine, column: place.endColumn }),
    };
  }
  #place(): Location {
    return this.#range().at;
  }
  #atPlace(): Location {
    return this.#accept('at') ? this.#place() : 0;
  }

  // ---- types

  #type(): Type {
    let type = this.#plainType();
    const sizes: number[] = [];
    while (this.#is('[')) {
      this.#take();
      sizes.push(this.#is(']') ? 0 : this.#number());
      this.#expect(']');
    }
    for (const size of sizes.reverse()) type = array(type, size);
    return type;
  }

  #plainType(): Type {
    const token = this.#token;
    const name = this.#name();
    if (token.kind === 'word' && name === 'ptr' && this.#is('<')) return this.#pointerType();
    const nominal = this.#types.get(name);
    if (nominal) return nominal;
    const kind = bufferKindFromWord(name);
    if (kind) {
      if (!this.#accept('<')) return buffer(kind, uintType);
      const element = this.#type();
      const order = this.#accept(',') ? this.#word('matrix order', matrixOrders) : undefined;
      this.#expect('>');
      return buffer(kind, element, order);
    }
    const simple = typeFromWord(name);
    if (simple) return simple;
    if (this.#accept('<')) {
      const element = this.#type();
      this.#expect('>');
      const made = textureFromName(name, element);
      if (made) return made;
    }
    return this.#fail(`unknown type '${name}'`, token);
  }

  #pointerType(): Type {
    this.#expect('<');
    const space = this.#word('address space', addressSpaces);
    this.#expect(',');
    const pointee = this.#type();
    let layout: LayoutRule | undefined;
    let order: MatrixOrder | undefined;
    while (this.#accept(',')) {
      const word = this.#word('layout', [...layoutRules, ...matrixOrders]);
      if (word === 'row_major' || word === 'column_major') order = word;
      else layout = word;
    }
    this.#expect('>');
    return pointer(space, pointee, layout, order);
  }

  #struct(): void {
    const label = this.#name();
    const name = this.#accept('named') ? this.#name() : label;
    const keyword =
      this.#is('class') || this.#is('cbuffer') || this.#is('tbuffer') ? this.#take().text : 'struct';
    const location = this.#atPlace();
    const type: StructType = {
      kind: 'struct',
      name,
      keyword: keyword as StructType['keyword'],
      location,
      members: [],
    };
    this.#types.set(label, type);
    this.#expect('{');
    this.#list('}', () => type.members.push(this.#member()));
  }

  #member(): StructType['members'][number] {
    const name = this.#name();
    this.#expect(':');
    const member: StructType['members'][number] = {
      name,
      type: this.#type(),
      location: 0,
      modifiers: [],
      attributes: [],
    };
    for (;;) {
      if (this.#is('row_major') || this.#is('column_major'))
        member.matrixOrder = this.#word('order', matrixOrders);
      else if (this.#accept('offset')) member.offset = this.#number();
      else if (this.#accept('semantic')) member.semantic = this.#name();
      else if (this.#accept('modifiers')) member.modifiers = this.#strings();
      else if (this.#accept('base')) member.base = true;
      else if (this.#accept('attributes')) member.attributes = this.#attributes();
      else if (this.#accept('at')) member.location = this.#place();
      else return member;
    }
  }

  #strings(): string[] {
    const strings: string[] = [];
    while (this.#token.kind === 'string') strings.push(this.#take().text);
    return strings;
  }

  #attributes(): VkAttribute[] {
    const attributes: VkAttribute[] = [];
    this.#expect('[');
    this.#list(']', () => {
      const name = this.#name();
      const args: (number | string)[] = [];
      this.#expect('(');
      this.#list(')', () => args.push(this.#token.kind === 'string' ? this.#take().text : this.#number()));
      attributes.push({ name, args, at: this.#atPlace() });
    });
    return attributes;
  }

  #enum(): void {
    const label = this.#name();
    const name = this.#accept('named') ? this.#name() : label;
    const underlying = elementOf(this.#type());
    if (!underlying) this.#fail('an enum needs an integer type');
    const scoped = this.#accept('scoped');
    const type: EnumType = {
      kind: 'enum',
      name,
      underlying,
      scoped,
      location: this.#atPlace(),
      enumerators: [],
    };
    this.#types.set(label, type);
    this.#expect('{');
    this.#list('}', () => {
      const item = this.#name();
      this.#expect('=');
      type.enumerators.push({ name: item, value: this.#number() });
    });
  }

  // ---- scopes, globals, debug variables

  #scope(): void {
    const label = this.#name();
    const kind = this.#word('kind of scope', ['unit', 'function', 'block'] as const);
    const scope: Scope = kind === 'unit' ? this.#module.unit : { kind, location: 0 };
    if (this.#token.kind === 'string') scope.name = this.#take().text;
    if (this.#accept('in')) scope.parent = this.#scopeNamed();
    else if (kind !== 'unit') scope.parent = this.#module.unit;
    scope.location = this.#atPlace();
    if (this.#accept('body')) scope.bodyLocation = this.#place();
    this.#scopes.set(label, scope);
  }
  #scopeNamed(): Scope {
    const token = this.#token;
    return this.#scopes.get(this.#name()) ?? this.#fail(`unknown scope '${token.text}'`, token);
  }

  #global(): void {
    const label = this.#kind('global').text;
    this.#expect(':');
    const type = this.#type();
    const name = this.#accept('named') ? this.#name() : label;
    const global: Global = { kind: 'global', name, type, role: this.#role(), location: 0 };
    if (this.#accept('=')) global.init = this.#constant();
    global.location = this.#atPlace();
    if (this.#accept('debug')) {
      const debugName = this.#name();
      this.#expect(':');
      const debugType = this.#type();
      this.#expect('in');
      global.debug = {
        name: debugName,
        type: debugType,
        scope: this.#scopeNamed(),
        location: this.#atPlace(),
      };
    }
    this.#globals.set(label, global);
    this.#module.globals.push(global);
  }

  #role(): GlobalRole {
    const kinds = [
      'private',
      'workgroup',
      'push-constant',
      'spec-constant',
      'resource',
      'input',
      'output',
    ] as const;
    const kind = this.#word('role', kinds);
    switch (kind) {
      case 'spec-constant':
        return { kind, id: this.#number() };
      case 'resource': {
        const binding = this.#binding();
        const coherent = this.#accept('coherent');
        return { kind, binding, coherent, attributes: this.#accept('attributes') ? this.#attributes() : [] };
      }
      case 'input':
      case 'output':
        return { kind, variable: this.#interface() };
      default:
        return { kind };
    }
  }

  #binding(): ResourceBinding {
    this.#expect('set');
    const set = this.#number();
    this.#expect('binding');
    const binding: ResourceBinding = { set, binding: this.#number() };
    if (this.#accept('register')) {
      const registerClass = this.#word('register class', ['b', 't', 's', 'u'] as const);
      binding.register = { class: registerClass, number: this.#number(), space: this.#number() };
    }
    if (this.#accept('counter')) binding.counter = { set: this.#number(), binding: this.#number() };
    if (this.#accept('input_attachment')) binding.inputAttachmentIndex = this.#number();
    return binding;
  }

  #interface(): InterfaceVariable {
    const name = this.#name();
    this.#expect(':');
    const type = this.#type();
    this.#expect('semantic');
    const semantic = { name: this.#name(), index: this.#number() };
    const interpolation: InterfaceVariable['interpolation'][number][] = [];
    const variable: InterfaceVariable = {
      name,
      type,
      semantic,
      interpolation,
      precise: false,
      at: 0,
      end: 0,
    };
    for (;;) {
      if (this.#accept('builtin')) variable.builtin = this.#name();
      else if (this.#accept('location')) variable.location = this.#number();
      else if (this.#accept('index')) variable.index = this.#number();
      else if (this.#accept('precise')) variable.precise = true;
      else if (this.#accept('from')) Object.assign(variable, this.#range());
      else if (this.#accept('interpolation')) {
        const modes = ['nointerpolation', 'noperspective', 'centroid', 'sample'] as const;
        while (modes.some((mode) => this.#is(mode))) interpolation.push(this.#word('interpolation', modes));
      } else return variable;
    }
  }

  #debugVariable(): void {
    const label = this.#kind('variable').text;
    const name = this.#name();
    this.#expect(':');
    const type = this.#type();
    this.#expect('in');
    const scope = this.#scopeNamed();
    const range = this.#accept('at') ? this.#range() : { at: 0, end: 0 };
    const variable: DebugVariable = { name, type, location: range.at, end: range.end, scope };
    if (this.#accept('argument')) variable.argument = this.#number();
    if (this.#accept('this')) variable.isThis = true;
    this.#variables.set(label, variable);
    this.#module.debugVariables.push(variable);
  }

  // ---- functions

  #functionNamed(label: string): Function {
    let fn = this.#functions.get(label);
    if (!fn) {
      const scope: Scope = { kind: 'function', parent: this.#module.unit, location: 0, name: label };
      const body: Block = { parameters: [], instructions: [] };
      fn = {
        kind: 'function',
        name: label,
        parameters: [],
        returnType: { kind: 'void' },
        body,
        scope,
        attributes: [],
      };
      this.#functions.set(label, fn);
    }
    return fn;
  }

  #functionDefinition(): void {
    const label = this.#name();
    const fn = this.#functionNamed(label);
    this.#module.functions.push(fn);
    this.#defined.add(fn);
    this.#function = fn;
    this.#values = new Map();
    this.#expect('(');
    this.#list(')', () => fn.parameters.push(this.#parameter()));
    this.#expect(':');
    fn.returnType = this.#type();
    if (this.#accept('in')) fn.scope = this.#scopeNamed();
    else this.#scopes.set(label, fn.scope);
    if (this.#accept('named')) fn.name = this.#name();
    if (this.#accept('attributes')) fn.attributes = this.#strings();
    if (this.#accept('entry')) fn.entry = this.#entry();
    this.#expect('{');
    this.#instructions(fn.body);
    this.#settle();
  }

  #entry(): EntryPoint {
    const stage = this.#name() as Stage;
    const entry: EntryPoint = { stage, name: this.#name(), inputs: [], outputs: [], attributes: [] };
    for (;;) {
      if (this.#accept('threads')) entry.threadGroupSize = [this.#number(), this.#number(), this.#number()];
      else if (this.#accept('early_depth_stencil')) entry.earlyDepthStencil = true;
      else if (this.#accept('depth'))
        entry.depthMode = this.#word('depth mode', ['any', 'greater', 'less'] as const);
      else if (this.#accept('inputs')) entry.inputs = this.#globalList();
      else if (this.#accept('outputs')) entry.outputs = this.#globalList();
      else if (this.#accept('attributes')) entry.attributes = this.#attributes();
      else return entry;
    }
  }
  #globalList(): Global[] {
    const globals: Global[] = [];
    while (this.#token.kind === 'global') globals.push(this.#globalNamed());
    return globals;
  }
  #globalNamed(): Global {
    const token = this.#kind('global');
    return this.#globals.get(token.text) ?? this.#fail(`unknown global '@${token.text}'`, token);
  }

  #parameter(): Parameter {
    const name = this.#kind('value').text;
    this.#expect(':');
    const parameter: Parameter = { kind: 'parameter', type: this.#type(), name: sourceName(name) ?? '' };
    this.#values.set(name, parameter);
    return parameter;
  }

  /** Operands that were used before their definition. */
  #settle(): void {
    for (const { instruction, operand, name, at } of this.#pending) {
      const value = this.#values.get(name);
      if (!value) throw new IrSyntaxError(this.#text, at, `unknown value '%${name}'`);
      instruction.operands[operand] = value;
    }
    this.#pending = [];
  }

  /** Up to and with the closing brace. */
  #instructions(block: Block): void {
    while (!this.#accept('}')) block.instructions.push(this.#instruction());
  }

  #instruction(): Instruction {
    const start = this.#token;
    const names: { name: string; type: Type }[] = [];
    if (this.#token.kind === 'value') {
      do {
        const name = this.#kind('value').text;
        this.#expect(':');
        names.push({ name, type: this.#type() });
      } while (this.#accept(','));
      this.#expect('=');
    }
    const precise = this.#accept('precise');
    const coherent = this.#accept('coherent');
    const op = this.#word('opcode', Object.keys(opcodes) as Opcode[]);
    const instruction: Instruction = { op, operands: [], position: 0, results: [], blocks: [] };
    if (precise) instruction.precise = true;
    if (coherent) instruction.coherent = true;
    this.#rest(instruction, start);
    for (const { name, type } of names) {
      const result: Result = { kind: 'result', type, instruction };
      const given = sourceName(name);
      if (given !== undefined) result.name = given;
      this.#values.set(name, result);
      instruction.results.push(result);
    }
    return instruction;
  }

  #rest(instruction: Instruction, start: IrToken): void {
    switch (instruction.op) {
      case 'if':
        return this.#if(instruction, start);
      case 'loop':
        return this.#loop(instruction, start);
      case 'switch':
        return this.#switch(instruction, start);
      case 'repeat_if':
        this.#operand(instruction);
        instruction.repeatCount = 0;
        if (this.#is('(')) {
          this.#parenthesized(instruction);
          instruction.repeatCount = instruction.operands.length - 1;
          this.#parenthesized(instruction);
        }
        break;
      default:
        this.#plain(instruction);
    }
    instruction.position = this.#position(start);
  }

  #plain(instruction: Instruction): void {
    if (instruction.op === 'call') instruction.callee = this.#functionNamed(this.#name());
    if (instruction.op === 'intrinsic') instruction.intrinsic = this.#kind('string').text;
    if (instruction.op === 'debug_declare' || instruction.op === 'debug_value') {
      const token = this.#kind('variable');
      instruction.variable =
        this.#variables.get(token.text) ?? this.#fail(`unknown variable '$${token.text}'`, token);
    }
    if (this.#startsOperand()) {
      do this.#operand(instruction);
      while (this.#accept(','));
    }
    if (this.#accept('[')) {
      const indices: number[] = [];
      this.#list(']', () => indices.push(this.#number()));
      instruction.indices = indices;
    } else if (instruction.op === 'debug_value') instruction.indices = [];
  }

  #parenthesized(instruction: Instruction): void {
    this.#expect('(');
    this.#list(')', () => this.#operand(instruction));
  }

  #hint(instruction: Instruction): void {
    if (!this.#accept('hint')) return;
    const kinds = [
      'branch',
      'flatten',
      'loop',
      'unroll',
      'call',
      'forcecase',
      'allow_uav_condition',
    ] as const;
    const kind = this.#word('hint', kinds);
    instruction.hint = this.#token.kind === 'number' ? { kind, count: this.#number() } : { kind };
  }

  #nested(): Block {
    return { parameters: [], instructions: [] };
  }

  #if(instruction: Instruction, start: IrToken): void {
    this.#operand(instruction);
    this.#hint(instruction);
    const [then, otherwise] = [this.#nested(), this.#nested()];
    instruction.blocks = [then, otherwise];
    this.#expect('{');
    instruction.position = this.#position(start);
    this.#instructions(then);
    this.#expect('else');
    this.#expect('{');
    this.#instructions(otherwise);
  }

  #loop(instruction: Instruction, start: IrToken): void {
    const [body, continuing] = [this.#nested(), this.#nested()];
    instruction.blocks = [body, continuing];
    if (this.#accept('(')) {
      this.#list(')', () => {
        body.parameters.push(this.#parameter());
        if (this.#accept('=')) this.#operand(instruction);
      });
    }
    this.#hint(instruction);
    this.#expect('{');
    instruction.position = this.#position(start);
    this.#instructions(body);
    this.#expect('continuing');
    if (this.#accept('(')) this.#list(')', () => continuing.parameters.push(this.#parameter()));
    this.#expect('{');
    this.#instructions(continuing);
  }

  #switch(instruction: Instruction, start: IrToken): void {
    this.#operand(instruction);
    this.#hint(instruction);
    this.#expect('{');
    instruction.position = this.#position(start);
    const cases: (number | 'default')[][] = [];
    while (!this.#accept('}')) {
      this.#expect('case');
      const labels: (number | 'default')[] = [];
      this.#list('{', () => labels.push(this.#accept('default') ? 'default' : this.#number()));
      cases.push(labels);
      const block = this.#nested();
      instruction.blocks.push(block);
      this.#instructions(block);
    }
    instruction.cases = cases;
  }

  #position(start: IrToken): PositionId {
    if (this.#token.kind !== 'position') return this.#ownPosition(start);
    this.#take();
    if (this.#accept('0')) return 0;
    const places: { at: Location; end: Location; scope: Scope }[] = [];
    do {
      const { at, end } = this.#range();
      places.push({ at, end, scope: this.#accept('in') ? this.#scopeNamed() : this.#function!.scope });
    } while (this.#accept(',') && this.#accept('from'));
    let id = 0;
    for (const { at, end, scope } of places.reverse()) id = this.#positions.intern(at, end, scope, id);
    return id;
  }

  /** Where the instruction stands in the text itself. */
  #ownPosition(start: IrToken): PositionId {
    let file = this.#map.files.find((candidate) => candidate.text === this.#text);
    if (!file) {
      const taken = this.#files.has(ownFile);
      file = this.#map.add(taken ? `${ownFile}.2` : ownFile, this.#text, 0);
    }
    const end = this.#tokens[this.#next - 1]!;
    const at = file.start + start.at;
    return this.#positions.intern(
      at,
      Math.max(at, file.start + end.at + end.text.length),
      this.#function!.scope,
    );
  }

  // ---- values

  #startsOperand(): boolean {
    const { kind, text } = this.#token;
    if (kind === 'word') {
      if (text === 'undef' || text === 'true' || text === 'false' || text === 'nan' || text === 'inf')
        return true;
      // A struct may be named as an opcode, with which the next instruction might start.
      const next = this.#tokens[this.#next + 1]!.text;
      return (next === '(' || next === '[') && (this.#types.has(text) || typeFromWord(text) !== undefined);
    }
    // `%a:` begins the next instruction.
    if (kind === 'value') return this.#tokens[this.#next + 1]!.text !== ':';
    return kind === 'global' || kind === 'number' || kind === 'string';
  }

  #operand(instruction: Instruction): void {
    const token = this.#token;
    if (token.kind === 'value') {
      this.#take();
      const value = this.#values.get(token.text);
      const operand = instruction.operands.length;
      if (!value) this.#pending.push({ instruction, operand, name: token.text, at: token.at });
      instruction.operands.push(value ?? this.#builder.undef({ kind: 'void' }));
    } else if (token.kind === 'global') instruction.operands.push(this.#globalNamed());
    else if (this.#accept('undef')) instruction.operands.push(this.#builder.undef(this.#type()));
    else instruction.operands.push(this.#constant());
  }

  #constant(): Constant {
    const token = this.#token;
    if (token.kind === 'number') {
      if (token.text.endsWith('u')) return this.#scalar(uintType);
      return this.#scalar(/[.e]|inf/.test(token.text) ? floatType : intType);
    }
    if (this.#is('true') || this.#is('false')) return this.#scalar(boolType);
    if (this.#is('nan') || this.#is('inf')) return this.#scalar(floatType);
    const type = this.#type();
    this.#expect('(');
    if (type.kind === 'scalar' || type.kind === 'enum') {
      const constant = this.#scalar(type);
      this.#expect(')');
      return constant;
    }
    return this.#aggregate(type);
  }

  /** The parts of a constant and the closing parenthesis. */
  #aggregate(type: Type): Constant {
    const parts: Constant[] = [];
    this.#list(')', () => {
      const part = partType(type, [parts.length]);
      if (part.kind === 'scalar' || part.kind === 'enum') parts.push(this.#scalar(part));
      else {
        this.#expect('(');
        parts.push(this.#aggregate(part));
      }
    });
    return this.#builder.constant(type, parts);
  }

  #scalar(type: Type): Constant {
    const token = this.#take();
    const value = scalarValue(token.text.replace(/u$/, ''), type);
    if (value === undefined)
      this.#fail(`'${token.text}' is no ${type.kind === 'scalar' ? type.name : type.kind}`, token);
    return this.#builder.constant(type, value);
  }
}

function scalarValue(text: string, type: Type): ScalarValue | undefined {
  const element = elementOf(type);
  if (!element) return undefined;
  if (element.name === 'bool') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (scalarClass(element) !== 'float') {
    if (!/^-?\d+$/.test(text)) return undefined;
    return scalarBits(element, false) === 64 ? BigInt(text) : Number(text);
  }
  if (/^-?inf$/.test(text)) return text === 'inf' ? Infinity : -Infinity;
  const value = text === 'nan' ? NaN : Number(text);
  if (text !== 'nan' && Number.isNaN(value)) return undefined;
  return element.name === 'double' ? value : Math.fround(value);
}

/** Numbers are made up by the printer. */
function sourceName(name: string): string | undefined {
  return /^\d+$/.test(name) ? undefined : name;
}
