/**
 * The IR as text, for tests and `-print-ir`. parse.ts reads it back, and printing what was read gives the same text.
 *
 * Tables come first (files, structs and enums, scopes, globals, debug variables), then the functions. A place is
 * `file:line:column` with an exclusive end after `-`; the scope is left out where it is the function's own. Columns and
 * lines are those of the file, without `#line`.
 */
import type { PositionId, Scope } from '../source/position.ts';
import type { Location, SourceFile } from '../source/source-map.ts';
import type { StructType, Type, VkAttribute } from '../types/type.ts';
import type {
  Block,
  Constant,
  DebugVariable,
  EntryPoint,
  Global,
  Instruction,
  InterfaceVariable,
  Function as IrFunction,
  Module,
  Parameter,
  Result,
  Value,
} from './ir.ts';
import {
  bindingText,
  Labels,
  quote,
  quoteUnlessPlain,
  quoteUnlessWord,
  scalarText,
  sigilName,
  unquote,
} from './print-words.ts';
import { typeText } from './text-types.ts';

/** The whole module. */
export function print(module: Module): string {
  return new Printer(module).print();
}

class Printer {
  readonly #module: Module;
  readonly #types = new Labels<Type>();
  readonly #scopes = new Labels<Scope>();
  readonly #blockCounts = new Map<Scope, number>();
  readonly #globals = new Labels<Global>();
  readonly #functions = new Labels<IrFunction>();
  readonly #variables = new Labels<DebugVariable>();
  readonly #files = new Set<SourceFile>();
  readonly #fileLabels = new Labels<SourceFile>();
  #values = new Labels<Value>();
  #unnamed = 0;
  #function: IrFunction | undefined;
  readonly #structs: string[] = [];
  readonly #lines: string[] = [];

  constructor(module: Module) {
    this.#module = module;
  }

  print(): string {
    const module = this.#module;
    // Labels of scopes are given in order of first use, so the functions are printed before the tables in front of them.
    this.#scope(module.unit);
    for (const fn of module.functions) {
      this.#scope(fn.scope);
      this.#functionLabel(fn);
    }
    const globals = module.globals.map((global) => this.#global(global));
    const variables = module.debugVariables.map((variable) => this.#variable(variable));
    for (const fn of module.functions) this.#printFunction(fn);
    const scopes = [...this.#scopes.things].map((scope) => this.#scopeRow(scope));
    const head = this.#head();
    const files = this.#fileRows();
    return [
      ...head,
      ...files,
      ...this.#structs,
      ...scopes,
      ...globals,
      ...variables,
      ...this.#lines,
      '',
    ].join('\n');
  }

  #head(): string[] {
    const { enable16BitTypes, memory } = this.#module;
    const words = [
      ...(enable16BitTypes ? ['enable_16bit_types'] : []),
      ...(memory ? [`memory ${memory.storage} ${memory.matrixOrder}`] : []),
    ];
    return words.length ? [`module ${words.join(' ')}`] : [];
  }

  // ---- tables

  #fileRows(): string[] {
    const rows: string[] = [];
    for (const file of this.#module.sourceMap.files) {
      if (!this.#files.has(file)) continue;
      // The chain of includes must be among the files; going forward is enough, since includers are loaded first.
      if (file.includedFrom) this.#file(this.#module.sourceMap.fileAt(file.includedFrom));
    }
    for (const file of this.#module.sourceMap.files) {
      if (!this.#files.has(file)) continue;
      const label = this.#fileLabel(file);
      const named = label === quoteUnlessPlain(file.name) ? '' : ` named ${quote(file.name)}`;
      const included = file.includedFrom ? ` included ${this.#place(file.includedFrom)}` : '';
      rows.push(`file ${label}${named}${file.kind === 'made' ? ' made' : ''}${included}`);
    }
    return rows;
  }

  #file(file: SourceFile): void {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    if (file.includedFrom) this.#file(this.#module.sourceMap.fileAt(file.includedFrom));
  }

  #fileLabel(file: SourceFile): string {
    this.#file(file);
    return quoteUnlessPlain(this.#fileLabels.of(file, () => file.name));
  }

  #place(at: Location): string {
    const { file, line, column } = this.#module.sourceMap.place(at);
    return `${this.#fileLabel(file)}:${line}:${column}`;
  }

  #range(at: Location, end: Location): string {
    const map = this.#module.sourceMap;
    const start = map.place(at);
    const stop = map.place(end);
    const text = this.#place(at);
    if (stop.file !== start.file || map.expanded(end) <= map.expanded(at)) return text;
    return stop.line === start.line ? `${text}-${stop.column}` : `${text}-${stop.line}:${stop.column}`;
  }

  #at(at: Location): string {
    return at === 0 ? '' : ` at ${this.#place(at)}`;
  }

  #scope(scope: Scope): string {
    const parent = scope.parent ? this.#scope(scope.parent) : '';
    return quoteUnlessWord(
      this.#scopes.of(scope, () => {
        if (scope.kind === 'unit') return 'unit';
        if (scope.kind === 'function' || scope.kind === 'namespace') return scope.name ?? scope.kind;
        let fn: Scope = scope;
        while (fn.kind === 'block' && fn.parent) fn = fn.parent;
        const count = (this.#blockCounts.get(fn) ?? 0) + 1;
        this.#blockCounts.set(fn, count);
        return `${scope.parent ? unquote(fn === scope.parent ? parent : this.#scope(fn)) : ''}.${count}`;
      }),
    );
  }

  #scopeRow(scope: Scope): string {
    const name = scope.name === undefined ? '' : ` ${quote(scope.name)}`;
    const parent = scope.parent ? ` in ${this.#scope(scope.parent)}` : '';
    const body = scope.bodyLocation === undefined ? '' : ` body ${this.#place(scope.bodyLocation)}`;
    const signature = this.#module.signatures?.get(scope);
    const owner = signature?.owner ? ` of ${this.#type(signature.owner)}` : '';
    const returns = signature ? ` returns ${this.#type(signature.returnType)}${owner}` : '';
    return `scope ${this.#scope(scope)} ${scope.kind}${name}${parent}${this.#at(scope.location)}${body}${returns}`;
  }

  #type(type: Type): string {
    return typeText(type, (nominal) => this.#nominal(nominal));
  }

  #nominal(type: Type): string {
    let made = false;
    const label = this.#types.of(type, () => {
      made = true;
      return type.kind === 'struct' || type.kind === 'enum' ? type.name : type.kind;
    });
    const text = quoteUnlessWord(label);
    if (!made) return text;
    if (type.kind === 'struct') this.#structs.push(...this.#struct(type, text, label));
    else if (type.kind === 'enum') {
      const items = type.enumerators
        .map((item) => `${quoteUnlessWord(item.name)} = ${item.value}`)
        .join(', ');
      const named = label === type.name ? '' : ` named ${quote(type.name)}`;
      const scoped = type.scoped ? ' scoped' : '';
      this.#structs.push(
        `enum ${text}${named} ${this.#type(type.underlying)}${scoped}${this.#at(type.location)} { ${items} }`,
      );
    }
    return text;
  }

  #struct(type: StructType, text: string, label: string): string[] {
    const members = type.members.map((member) => {
      const parts = [`  ${quoteUnlessWord(member.name)}: ${this.#type(member.type)}`];
      if (member.matrixOrder) parts.push(member.matrixOrder);
      if (member.offset !== undefined) parts.push(`offset ${member.offset}`);
      if (member.semantic !== undefined) parts.push(`semantic ${quote(member.semantic)}`);
      if (member.modifiers.length) parts.push(`modifiers ${member.modifiers.map(quote).join(' ')}`);
      if (member.base) parts.push('base');
      return parts.join(' ') + this.#attributes(member.attributes) + this.#at(member.location);
    });
    const named = label === type.name ? '' : ` named ${quote(type.name)}`;
    const keyword = type.keyword === 'struct' ? '' : ` ${type.keyword}`;
    const lines = members.map((member, i) => (i + 1 < members.length ? `${member},` : member));
    return [`struct ${text}${named}${keyword}${this.#at(type.location)} {`, ...lines, '}'];
  }

  #attributes(attributes: readonly VkAttribute[]): string {
    if (attributes.length === 0) return '';
    const items = attributes.map(({ name, args, at }) => {
      const list = args.map((arg) => (typeof arg === 'string' ? quote(arg) : String(arg)));
      return `${quoteUnlessWord(name)}(${list.join(', ')})${this.#at(at)}`;
    });
    return ` attributes [${items.join(', ')}]`;
  }

  // ---- globals and debug variables

  #global(global: Global): string {
    const label = this.#globalLabel(global);
    const parts = [`global ${label}: ${this.#type(global.type)}`];
    if (label !== `@${global.name}`) parts.push(`named ${quote(global.name)}`);
    parts.push(this.#role(global));
    if (global.init) parts.push(`= ${this.#constant(global.init)}`);
    if (global.location) parts.push(this.#at(global.location).slice(1));
    if (global.debug) {
      const { name, type, scope, location } = global.debug;
      parts.push(`debug ${quote(name)}: ${this.#type(type)} in ${this.#scope(scope)}${this.#at(location)}`);
    }
    return parts.join(' ');
  }

  #globalLabel(global: Global): string {
    return `@${this.#globals.of(global, () => sigilName(global.name) || 'global')}`;
  }

  #role({ role }: Global): string {
    switch (role.kind) {
      case 'private':
      case 'workgroup':
      case 'push-constant':
        return role.kind;
      case 'spec-constant':
        return `spec-constant ${role.id}`;
      case 'resource':
        return `resource ${bindingText(role.binding)}${role.coherent ? ' coherent' : ''}${this.#attributes(role.attributes)}`;
      case 'input':
      case 'output':
        return `${role.kind} ${this.#interface(role.variable)}`;
    }
  }

  #interface(variable: InterfaceVariable): string {
    const parts = [`${quote(variable.name)}: ${this.#type(variable.type)}`];
    parts.push(`semantic ${quote(variable.semantic.name)} ${variable.semantic.index}`);
    if (variable.builtin !== undefined) parts.push(`builtin ${quote(variable.builtin)}`);
    if (variable.location !== undefined) parts.push(`location ${variable.location}`);
    if (variable.index !== undefined) parts.push(`index ${variable.index}`);
    if (variable.interpolation.length) parts.push(`interpolation ${variable.interpolation.join(' ')}`);
    if (variable.precise) parts.push('precise');
    if (variable.at) parts.push(`place ${this.#range(variable.at, variable.end)}`);
    return parts.join(' ');
  }

  #variable(variable: DebugVariable): string {
    const { name, type, location, end, scope, argument, isThis } = variable;
    const at = location ? ` at ${this.#range(location, end)}` : '';
    const extra = (argument === undefined ? '' : ` argument ${argument}`) + (isThis ? ' this' : '');
    return `variable ${this.#variableLabel(variable)} ${quote(name)}: ${this.#type(type)} in ${this.#scope(scope)}${at}${extra}`;
  }

  #variableLabel(variable: DebugVariable): string {
    return `$${this.#variables.of(variable, () => sigilName(variable.name) || 'variable')}`;
  }

  // ---- functions

  #functionLabel(fn: IrFunction): string {
    return quoteUnlessWord(this.#functions.of(fn, () => fn.name));
  }

  #printFunction(fn: IrFunction): void {
    this.#function = fn;
    this.#values = new Labels();
    this.#unnamed = 0;
    const label = this.#functionLabel(fn);
    const named = label === quoteUnlessWord(fn.name) ? '' : ` named ${quote(fn.name)}`;
    const attributes = fn.attributes.length ? ` attributes ${fn.attributes.map(quote).join(' ')}` : '';
    const parameters = fn.parameters.map((parameter) => this.#parameter(parameter)).join(', ');
    const head = `function ${label}(${parameters}): ${this.#type(fn.returnType)} in ${this.#scope(fn.scope)}${named}${attributes}`;
    this.#lines.push('', `${head}${fn.entry ? ` entry ${this.#entry(fn.entry)}` : ''} {`);
    this.#block(fn.body, '  ');
    this.#lines.push('}');
  }

  #entry(entry: EntryPoint): string {
    const parts = [`${entry.stage} ${quote(entry.name)}`];
    if (entry.threadGroupSize) parts.push(`threads ${entry.threadGroupSize.join(' ')}`);
    if (entry.earlyDepthStencil) parts.push('early_depth_stencil');
    if (entry.depthMode) parts.push(`depth ${entry.depthMode}`);
    if (entry.inputs.length)
      parts.push(`inputs ${entry.inputs.map((global) => this.#globalLabel(global)).join(' ')}`);
    if (entry.outputs.length)
      parts.push(`outputs ${entry.outputs.map((global) => this.#globalLabel(global)).join(' ')}`);
    return parts.join(' ') + this.#attributes(entry.attributes);
  }

  #parameter(parameter: Parameter): string {
    return `${this.#value(parameter)}: ${this.#type(parameter.type)}`;
  }

  #block(block: Block, indent: string): void {
    for (const instruction of block.instructions) this.#instruction(instruction, indent);
  }

  #instruction(instruction: Instruction, indent: string): void {
    const results = instruction.results.map((result) => `${this.#value(result)}: ${this.#type(result.type)}`);
    const flags = (instruction.precise ? 'precise ' : '') + (instruction.coherent ? 'coherent ' : '');
    const start = indent + (results.length ? `${results.join(', ')} = ` : '') + flags;
    const position = `  ; ${this.#position(instruction.position)}`;
    switch (instruction.op) {
      case 'if':
        this.#if(instruction, start, position, indent);
        return;
      case 'loop':
        this.#loop(instruction, start, position, indent);
        return;
      case 'switch':
        this.#switch(instruction, start, position, indent);
        return;
      default:
        this.#lines.push(`${start}${this.#plain(instruction)}${position}`);
    }
  }

  #plain(instruction: Instruction): string {
    const { op, operands, indices } = instruction;
    if (op === 'repeat_if') {
      const again = operands.slice(1, 1 + (instruction.repeatCount ?? 0));
      const leaving = operands.slice(1 + again.length);
      const lists =
        again.length + leaving.length === 0 ? '' : ` (${this.#operands(again)}) (${this.#operands(leaving)})`;
      return `repeat_if ${operands[0] ? this.#value(operands[0]) : ''}${lists}`;
    }
    let head: string = op;
    if (instruction.callee) head += ` ${this.#functionLabel(instruction.callee)}`;
    if (instruction.intrinsic !== undefined) head += ` ${quote(instruction.intrinsic)}`;
    if (instruction.text !== undefined) head += ` text ${quote(instruction.text)}`;
    if (instruction.variable) head += ` ${this.#variableLabel(instruction.variable)}`;
    const tail = indices && (indices.length || op !== 'debug_value') ? ` [${indices.join(', ')}]` : '';
    return head + (operands.length ? ` ${this.#operands(operands)}` : '') + tail;
  }

  #operands(operands: readonly Value[]): string {
    return operands.map((operand) => this.#value(operand)).join(', ');
  }

  #hint({ hint }: Instruction): string {
    return hint ? ` hint ${hint.kind}${hint.count === undefined ? '' : ` ${hint.count}`}` : '';
  }

  #if(instruction: Instruction, start: string, position: string, indent: string): void {
    const [then, otherwise] = instruction.blocks;
    this.#lines.push(
      `${start}if ${this.#operands(instruction.operands)}${this.#hint(instruction)} {${position}`,
    );
    if (then) this.#block(then, indent + '  ');
    this.#lines.push(`${indent}} else {`);
    if (otherwise) this.#block(otherwise, indent + '  ');
    this.#lines.push(`${indent}}`);
  }

  #loop(instruction: Instruction, start: string, position: string, indent: string): void {
    const [body, continuing] = instruction.blocks;
    const initial = (body?.parameters ?? []).map((parameter, i) => {
      const operand = instruction.operands[i];
      return this.#parameter(parameter) + (operand ? ` = ${this.#value(operand)}` : '');
    });
    const header = initial.length ? ` (${initial.join(', ')})` : '';
    this.#lines.push(`${start}loop${header}${this.#hint(instruction)} {${position}`);
    if (body) this.#block(body, indent + '  ');
    const entering = (continuing?.parameters ?? []).map((parameter) => this.#parameter(parameter));
    this.#lines.push(`${indent}} continuing${entering.length ? ` (${entering.join(', ')})` : ''} {`);
    if (continuing) this.#block(continuing, indent + '  ');
    this.#lines.push(`${indent}}`);
  }

  #switch(instruction: Instruction, start: string, position: string, indent: string): void {
    this.#lines.push(
      `${start}switch ${this.#operands(instruction.operands)}${this.#hint(instruction)} {${position}`,
    );
    instruction.blocks.forEach((block, i) => {
      this.#lines.push(`${indent}case ${(instruction.cases?.[i] ?? []).join(', ')} {`);
      this.#block(block, indent + '  ');
      this.#lines.push(`${indent}}`);
    });
    this.#lines.push(`${indent}}`);
  }

  #position(id: PositionId): string {
    if (id === 0) return '0';
    let text = '';
    for (let next = id; next !== 0; ) {
      const { location, end, scope, inlinedAt } = this.#module.positions.get(next);
      const own = scope === this.#function?.scope ? '' : ` in ${this.#scope(scope)}`;
      if (text) text += `, from `;
      text += `${this.#range(location, end)}${own}`;
      next = inlinedAt;
    }
    return text;
  }

  // ---- values

  #value(value: Value): string {
    switch (value.kind) {
      case 'constant':
        return this.#constant(value);
      case 'undef':
        return `undef ${this.#type(value.type)}`;
      case 'global':
        return this.#globalLabel(value);
      case 'parameter':
      case 'result':
        return `%${this.#values.of(value, () => this.#valueName(value))}`;
    }
  }

  #valueName(value: Parameter | Result): string {
    const name = sigilName(value.name ?? '');
    // Plain numbers are the names of nameless values.
    return name === '' ? String(this.#unnamed++) : /^\d+$/.test(name) ? `_${name}` : name;
  }

  #constant(constant: Constant): string {
    const { type, value } = constant;
    if (type.kind === 'scalar' && typeof value !== 'object') {
      if (type.name === 'bool' || type.name === 'int') return String(value);
      if (type.name === 'uint') return `${value}u`;
      if (type.name === 'float') return scalarText(value, type);
    }
    return `${this.#type(type)}(${this.#parts(constant)})`;
  }

  /** What stands between the parentheses: the types of parts follow from the whole. */
  #parts({ type, value }: Constant): string {
    if (typeof value !== 'object') return scalarText(value, type);
    return value
      .map((part) =>
        typeof part.value === 'object' ? `(${this.#parts(part)})` : scalarText(part.value, part.type),
      )
      .join(', ');
  }
}
