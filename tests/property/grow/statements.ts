/** Grows statements; lines are collected as they are made. */
import { ExpressionGrower } from './expressions.ts';
import {
  type DataType,
  declarator,
  type Callable,
  int,
  type List,
  type Numeric,
  type Scope,
  type Struct,
  spell,
  uint,
  variableOf,
  vector,
} from './types.ts';

export class StatementGrower extends ExpressionGrower {
  protected lines: string[] = [];
  protected depth = 1;
  #names = 0;

  protected line(text: string): void {
    this.lines.push('  '.repeat(this.depth) + text);
  }
  protected name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  protected statement(scope: Scope): void {
    if (this.spent) return;
    if (this.depth > 5) {
      this.#assignment(scope);
      return;
    }
    switch (this.choose(15)) {
      case 0:
      case 1:
        this.#assignment(scope);
        return;
      case 2:
      case 3:
        this.declare(scope);
        return;
      case 4:
      case 5:
        this.#if(scope);
        return;
      case 6:
      case 7:
        scope.loops < 2 ? this.#loop(scope) : this.#assignment(scope);
        return;
      case 8:
        this.#switch(scope);
        return;
      case 9:
      case 10:
        this.#call(scope);
        return;
      case 11:
        this.#aggregate(scope);
        return;
      case 12:
        this.#step(scope);
        return;
      case 13:
        this.#outputs(scope);
        return;
      default:
        this.#leave(scope);
        return;
    }
  }

  protected block(scope: Scope, changes: Partial<Scope> = {}, last?: () => void): void {
    const inner: Scope = { ...scope, ...changes };
    inner.variables = [...inner.variables];
    this.depth++;
    for (let i = 1 + this.choose(3); i > 0; i--) this.statement(inner);
    last?.();
    this.depth--;
  }

  // ---- variables

  protected declare(scope: Scope): void {
    const kind = this.choose(8);
    if (kind === 7) this.#declareList(scope);
    else if (kind >= 5 && this.structs.length > 0) this.#declareStruct(scope);
    else if (kind === 4 && this.enumerations.length > 0) this.#declareEnumeration(scope);
    else {
      const type = this.numericType();
      const value = this.settled(scope, type);
      const name = this.name('v');
      const isConst = this.chance(6);
      this.line(`${isConst ? 'const ' : ''}${spell(type)} ${name} = ${value};`);
      scope.variables.push(variableOf(name, type, !isConst));
    }
  }

  #declareList(scope: Scope): void {
    const name = this.name('t');
    const size = 2 + this.choose(3);
    if (this.structs.length > 0 && this.chance(4)) {
      const list: List = { kind: 'list', of: this.pick(this.structs), size };
      this.line(`${declarator(list, name)};`);
      for (let i = 0; i < size; i++)
        this.line(`${name}[${i}] = ${this.#structValue(scope, list.of as Struct)};`);
      scope.variables.push(variableOf(name, list));
      return;
    }
    const list: List = { kind: 'list', of: this.numericType(), size };
    const same = this.choose(2) ? this.place(scope, list) : undefined;
    const items = () => Array.from({ length: size }, () => this.settled(scope, list.of as Numeric));
    this.line(`${declarator(list, name)} = ${same ?? `{ ${items().join(', ')} }`};`);
    scope.variables.push(variableOf(name, list));
  }

  #declareStruct(scope: Scope): void {
    const struct = this.pick(this.structs);
    const name = this.name('s');
    this.line(`${struct.name} ${name} = ${this.#structValue(scope, struct)};`);
    scope.variables.push(variableOf(name, struct));
    const member = this.pick(struct.members);
    if (member.type.kind === 'numeric')
      this.line(`${name}.${member.name} = ${this.settled(scope, member.type)};`);
  }

  /** A copy, what a function gives, or zeros. */
  #structValue(scope: Scope, struct: Struct): string {
    const zero = `(${struct.name})0`;
    switch (this.choose(3)) {
      case 0:
        return zero;
      case 1:
        return this.place(scope, struct) ?? zero;
      default: {
        const makers = this.functions.filter(({ result }) => result === struct);
        return (makers.length > 0 && this.callText(scope, this.pick(makers))) || zero;
      }
    }
  }

  /** A variable of an enumeration, chosen by a condition and looked at by a switch. */
  #declareEnumeration(scope: Scope): void {
    const { name: type, names } = this.pick(this.enumerations);
    const name = this.name('e');
    const first = `${type}::${names[0]}`;
    this.line(
      `${type} ${name} = ${this.condition(scope)} ? ${type}::${this.pick(names)} : ${type}::${this.pick(names)};`,
    );
    this.line(`switch (${name}) {`);
    this.line(`case ${first}: {`);
    this.block(scope, { inLoop: false }, () => this.line('break;'));
    this.line('}');
    this.line('default: {');
    this.block(scope, { inLoop: false }, () => this.line('break;'));
    this.line('}');
    this.line('}');
    const number = this.name('v');
    this.line(`int ${number} = (int)${name} * 2 + (${name} == ${first} ? 1 : 0);`);
    scope.variables.push(variableOf(number, int));
  }

  /** A variable's writable numeric place of any type. */
  #target(scope: Scope): { text: string; type: Numeric } | undefined {
    const type = this.pick(
      scope.variables
        .filter(({ writable }) => writable)
        .flatMap(({ leaves }) => leaves.flatMap((leaf) => (leaf.type.kind === 'numeric' ? [leaf.type] : [])))
        .concat(uint),
    );
    const part = type.rows === 0 && type.count > 1 && this.choose(3) === 2 ? 1 + this.choose(type.count) : 0;
    const wanted = part > 0 ? vector(type.scalar, part) : type;
    const text = this.place(scope, wanted);
    return text === undefined ? undefined : { text, type: wanted };
  }

  #assignment(scope: Scope): void {
    const target = this.#target(scope);
    if (!target) {
      this.declare(scope);
      return;
    }
    const { text, type } = target;
    const how = this.choose(4);
    if (how < 2 || type.scalar === 'bool') this.line(`${text} = ${this.settled(scope, type)};`);
    else if (type.scalar === 'float') this.#combineFloats(scope, text, type);
    else if (how === 2) {
      const op = this.pick(['+=', '^=', '-=', '|=', '&=', '*=', '<<=', '>>=']);
      this.line(`${text} ${op} ${this.expression(scope, type, 2)};`);
    } else {
      const second = this.place(scope, type) ?? text;
      this.line(`${text} = ${second} = ${this.settled(scope, type)};`);
    }
  }

  /** The place is named twice, so its indices must be the same at both times: only plain names are. */
  #combineFloats(scope: Scope, text: string, type: Numeric): void {
    const plain = /^\w+(\.\w+)*$/.test(text) && !/\.[xyzw]+$|\._m/.test(text);
    if (!plain) {
      this.line(`${text} = ${this.settled(scope, type)};`);
      return;
    }
    this.line(`${text} ${this.pick(['+=', '-=', '*='])} ${this.settled(scope, type)};`);
    if (!this.wild) this.line(`${text} = ${this.tame(text, type)};`);
  }

  /** `x++` and the like, as a statement or within one. */
  #step(scope: Scope): void {
    const type = this.pick([int, uint, vector('int', 2), vector('uint', 3)]);
    const place = this.place(scope, type);
    if (!place) {
      this.declare(scope);
      return;
    }
    const step = this.pick([`${place}++`, `${place}--`, `++${place}`, `--${place}`]);
    if (this.choose(2) === 0) {
      this.line(`${step};`);
      return;
    }
    const name = this.name('v');
    this.line(`${spell(type)} ${name} = ${step} + ${this.expression(scope, type, 1)};`);
    scope.variables.push(variableOf(name, type));
  }

  /** Copies of whole lists and structs, or an assignment to a part of one. */
  #aggregate(scope: Scope): void {
    const types = scope.variables.flatMap(({ leaves }) =>
      leaves.flatMap(({ type }) => (type.kind === 'numeric' ? [] : [type])),
    );
    if (types.length === 0) {
      this.declare(scope);
      return;
    }
    const type: DataType = this.pick(types);
    const [to, from] = [this.place(scope, type), this.place(scope, type)];
    if (to === undefined || from === undefined || to === from) this.#assignment(scope);
    else this.line(`${to} = ${from};`);
  }

  /** Functions that write through their arguments. */
  #outputs(scope: Scope): void {
    const type = vector('float', this.pick([1, 2, 3, 4]));
    const place = this.place(scope, type);
    if (!place) {
      this.#assignment(scope);
      return;
    }
    const name = this.name('v');
    const value = this.settled(scope, type);
    this.line(`${spell(type)} ${name} = modf((${value}) / 2.0, ${place}) * 2.0;`);
    scope.variables.push(variableOf(name, type));
  }

  // ---- control flow

  #if(scope: Scope): void {
    const hint = this.pick(['', '', '[branch] ', '[flatten] ']);
    this.line(`${hint}if (${this.condition(scope)}) {`);
    this.block(scope);
    if (this.choose(2)) {
      if (this.chance(4)) {
        this.line(`} else if (${this.condition(scope)}) {`);
        this.block(scope);
      }
      this.line('} else {');
      this.block(scope);
    }
    this.line('}');
  }

  #loop(scope: Scope): void {
    if (this.choose(3) > 0) this.#for(scope);
    else this.#while(scope);
  }

  #for(scope: Scope): void {
    const name = this.name('i');
    const known = this.choose(3) > 0 || this.leavesTogether;
    const bound = known ? String(1 + this.choose(4)) : this.pick(['(int)(gi & 3u)', '(int)(a[gi] % 5u)']);
    const hint = known ? this.pick(['', '', '[unroll] ', '[loop] ']) : '';
    const header = this.pick([
      `int ${name} = 0; ${name} < ${bound}; ${name}++`,
      `int ${name} = ${bound} - 1; ${name} >= 0; --${name}`,
      `int ${name} = 0, ${name}e = ${bound}; ${name} != ${name}e; ${name} += 1`,
    ]);
    this.line(`${hint}for (${header}) {`);
    const variables = [...scope.variables, variableOf(name, int, false)];
    this.block(scope, { loops: scope.loops + 1, inLoop: hint !== '[unroll] ', variables });
    this.line('}');
  }

  #while(scope: Scope): void {
    const name = this.name('n');
    this.line(`int ${name} = 0;`);
    const isDo = this.choose(2) === 1;
    const count = `${name} < ${1 + this.choose(4)}`;
    const variables = [...scope.variables, variableOf(name, int, false)];
    const inner: Partial<Scope> = { loops: scope.loops + 1, inLoop: true, variables };
    const other = this.choose(3) && !this.leavesTogether ? this.condition(scope) : 'true';
    if (isDo && !this.wild) this.#doWhile(scope, inner, `${name}++`, count, other);
    else {
      const condition = other === 'true' ? count : `${count} && ${other}`;
      this.line(isDo ? 'do {' : `while (${condition}) {`);
      this.line(`  ${name}++;`);
      this.block(scope, inner);
      this.line(isDo ? `} while (${condition});` : '}');
    }
  }

  /**
   * The condition is worked out in the body: lavapipe 22.3 goes round once more for vectors where a do-while's own condition
   * branches (`do { n++; v = -v; } while (n < 2 && x)`), in modules of glslang too.
   */
  #doWhile(scope: Scope, inner: Partial<Scope>, step: string, count: string, other: string): void {
    const again = this.name('b');
    this.line(`bool ${again};`);
    this.line('do {');
    this.line(`  ${step};`);
    this.line(`  ${again} = ${other};`);
    this.block(scope, inner);
    this.line(`} while (${this.legacy ? `${count} && ${again}` : `and(${count}, ${again})`});`);
  }

  #switch(scope: Scope): void {
    this.line(`switch (${this.expression(scope, this.pick([int, uint]), 2)} & 3) {`);
    const cases = 1 + this.choose(3);
    const other = this.choose(2) ? this.choose(cases + 1) : -1;
    for (let i = 0; i < cases; i++) {
      const label = i === other ? 'default' : `case ${i}`;
      const second = label !== 'default' && this.chance(4) ? ` case ${i + 4}:` : '';
      this.line(`${label}:${second} {`);
      // `break` would leave the switch; `continue` and `return` leave more.
      this.block(scope, { inLoop: false }, () => {
        if (scope.inLoop && this.chance(4)) this.line(`if (${this.condition(scope)}) continue;`);
        this.line('break;');
      });
      this.line('}');
    }
    this.line('}');
  }

  #leave(scope: Scope): void {
    if (scope.inLoop && this.choose(2) === 0) {
      const way = this.leavesTogether ? 'continue' : this.pick(['break', 'continue']);
      this.line(`if (${this.condition(scope)}) ${way};`);
    } else if (scope.result && !(this.leavesTogether && scope.loops > 1)) {
      this.line(`if (${this.condition(scope)}) return ${this.resultValue(scope, scope.result)};`);
    } else this.#assignment(scope);
  }

  protected resultValue(scope: Scope, type: Numeric | Struct): string {
    if (type.kind === 'numeric') return this.settled(scope, type);
    return this.place(scope, type) ?? `(${type.name})0`;
  }

  #call(scope: Scope): void {
    const callee: Callable | undefined = this.functions.length > 0 ? this.pick(this.functions) : undefined;
    const call = callee && this.callText(scope, callee);
    if (!callee || !call) {
      this.declare(scope);
      return;
    }
    if (this.chance(5)) {
      this.line(`${call};`);
      return;
    }
    const name = this.name('v');
    this.line(`${spell(callee.result)} ${name} = ${call};`);
    scope.variables.push(variableOf(name, callee.result));
  }
}
