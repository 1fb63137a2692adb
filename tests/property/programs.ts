/**
 * Random compute programs. A program is grown from a list of decisions, numbers from 0 to 255; where the list ends, 0 is taken, which
 * always is the simplest choice. So a shorter list is a smaller program, and lists shrink well.
 *
 * What programs compute is defined: indices are in range, loops end, everything is written before it is read, integers are divided
 * by small positive numbers. In exact programs floats are whole and small enough that no operation rounds, and are seen as integers, so
 * that every device gives the same; wild programs hold whatever comes out of floats and are for the interpreter only.
 *
 * Loops of exact programs end by count alone: lavapipe gives wrong values behind loops that are left by what data says (values of
 * threads that left early, vectors behind loops of at most two turns).
 */

export interface Program {
  text: string;
  /** Words that the program reads from `a` at t1. */
  input: readonly number[];
  /** Words of `o` at u0. */
  outputWords: number;
  /** Groups along x; a program's threads are all in one or each in one of its own. */
  groups: number;
}

const threads = 4;
const wordsPerThread = 24;

type Scalar = 'int' | 'uint' | 'float' | 'bool';
interface Type {
  scalar: Scalar;
  /** 1: a scalar. */
  count: number;
}
interface Variable {
  name: string;
  type: Type;
  writable: boolean;
}
interface ArrayVariable {
  name: string;
  type: Type;
  size: number;
}
interface StructVariable {
  name: string;
  struct: Struct;
}
interface Struct {
  name: string;
  members: { name: string; type: Type; size: number }[];
}
interface Function {
  name: string;
  result: Type;
  parameters: { type: Type; mode: 'in' | 'out' | 'inout' }[];
  struct?: Struct;
}
interface Scope {
  variables: Variable[];
  arrays: ArrayVariable[];
  structs: StructVariable[];
  /** In a function: what it returns. */
  result?: Type;
  loops: number;
  /** `continue` and `break` are allowed. */
  inLoop: boolean;
}

export function growProgram(decisions: readonly number[], wild = false): Program {
  return new Grower(decisions, wild).program();
}

const scalars: readonly Scalar[] = ['int', 'uint', 'float', 'bool'];
const letters = 'xyzw';

class Grower {
  readonly #decisions: readonly number[];
  readonly #wild: boolean;
  #next = 0;
  #names = 0;
  #lines: string[] = [];
  #depth = 1;
  readonly #structs: Struct[] = [];
  readonly #functions: Function[] = [];
  #slots = 0;
  /** Threads exchange words, so they are in one group. */
  #isTogether = false;

  constructor(decisions: readonly number[], wild: boolean) {
    this.#decisions = decisions;
    this.#wild = wild;
  }

  // ---- decisions

  #choose(count: number): number {
    const decision = this.#decisions[this.#next++] ?? 0;
    return decision % count;
  }
  #pick<T>(list: readonly T[]): T {
    return list[this.#choose(list.length)]!;
  }
  #chance(of: number): boolean {
    return this.#choose(of) === of - 1;
  }
  get #spent(): boolean {
    return this.#next >= this.#decisions.length;
  }

  #line(text: string): void {
    this.#lines.push('  '.repeat(this.#depth) + text);
  }
  #name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  // ---- the whole

  program(): Program {
    const input = Array.from({ length: 16 }, (_, i) => {
      const special = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 31, 32, 3];
      const decision = this.#choose(256);
      return decision < 128 ? decision * (i + 1) : special[decision % special.length]!;
    });
    this.#isTogether = this.#chance(3);
    for (let i = this.#choose(3); i > 0; i--) this.#struct();
    for (let i = this.#choose(4); i > 0 && !this.#spent; i--) this.#function();
    const functions = this.#lines.splice(0);
    const scope: Scope = { variables: [], arrays: [], structs: [], loops: 0, inLoop: false };
    scope.variables.push({ name: 'gi', type: { scalar: 'uint', count: 1 }, writable: false });
    this.#declare(scope);
    for (let i = 4 + this.#choose(8); i > 0 && !this.#spent; i--) {
      if (this.#isTogether && this.#chance(3)) this.#exchange(scope);
      else this.#statement(scope);
    }
    for (const variable of scope.variables) if (variable.writable) this.#output(variable.name, variable.type);
    for (const array of scope.arrays)
      for (let i = 0; i < array.size; i++) this.#output(`${array.name}[${i}]`, array.type);
    for (const { name, struct } of scope.structs)
      for (const member of struct.members)
        this.#output(member.size > 0 ? `${name}.${member.name}[1]` : `${name}.${member.name}`, member.type);
    const structs = this.#structs.map(
      ({ name, members }) =>
        `struct ${name} { ${members.map((one) => `${spell(one.type)} ${one.name}${one.size ? `[${one.size}]` : ''};`).join(' ')} };`,
    );
    const text = `RWStructuredBuffer<uint> o : register(u0);
StructuredBuffer<uint> a : register(t1);
groupshared uint gs[${threads}];
static uint gi;
${[...structs, ...functions].join('\n')}
[numthreads(${this.#isTogether ? threads : 1}, 1, 1)]
void main(uint3 index : SV_DispatchThreadID)
{
  gi = index.x;
${this.#lines.join('\n')}
}
`;
    return {
      text,
      input,
      outputWords: threads * wordsPerThread,
      groups: this.#isTogether ? 1 : threads,
    };
  }

  #output(value: string, type: Type): void {
    for (let i = 0; i < type.count; i++) {
      if (this.#slots === wordsPerThread) return;
      const part = type.count > 1 ? `${value}.${letters[i]}` : value;
      this.#line(`o[gi * ${wordsPerThread} + ${this.#slots++}] = ${this.#asWord(part, type.scalar)};`);
    }
  }

  #asWord(value: string, scalar: Scalar): string {
    if (scalar === 'float')
      return this.#wild
        ? `((${value}) != (${value}) ? 0x7fc00000u : asuint(${value}))`
        : `(uint)(int)(${value})`;
    return scalar === 'bool' ? `(${value} ? 1u : 0u)` : `(uint)(${value})`;
  }

  #type(): Type {
    return { scalar: this.#pick(scalars), count: this.#pick([1, 1, 2, 3, 4]) };
  }

  #struct(): void {
    const members = Array.from({ length: 1 + this.#choose(3) }, (_, i) => ({
      name: `m${i}`,
      type: this.#type(),
      size: this.#chance(4) ? 3 : 0,
    }));
    this.#structs.push({ name: this.#name('S'), members });
  }

  #function(): void {
    const parameters = Array.from({ length: 1 + this.#choose(3) }, () => ({
      type: this.#type(),
      mode: this.#pick(['in', 'in', 'inout', 'out'] as const),
    }));
    const struct = this.#structs.length > 0 && this.#chance(3) ? this.#pick(this.#structs) : undefined;
    const made: Function = {
      name: this.#name('f'),
      result: this.#type(),
      parameters,
      ...(struct && { struct }),
    };
    const scope: Scope = {
      variables: parameters.map(({ type }, i) => ({ name: `p${i}`, type, writable: true })),
      arrays: [],
      structs: struct ? [{ name: 's', struct }] : [],
      result: made.result,
      loops: 1,
      inLoop: false,
    };
    const list = parameters.map(({ type, mode }, i) => `${mode} ${spell(type)} p${i}`);
    if (struct) list.push(`inout ${struct.name} s`);
    this.#lines.push(`${spell(made.result)} ${made.name}(${list.join(', ')}) {`);
    parameters.forEach(({ type, mode }, i) => {
      if (mode === 'out') this.#line(`p${i} = ${this.#literal(type)};`);
    });
    for (let i = 1 + this.#choose(3); i > 0; i--) this.#statement(scope);
    this.#line(`return ${this.#settled(scope, made.result)};`);
    this.#lines.push('}');
    this.#functions.push(made);
  }

  // ---- statements

  #statement(scope: Scope): void {
    if (this.#spent) return;
    if (this.#depth > 5) {
      this.#assignment(scope);
      return;
    }
    switch (this.#choose(12)) {
      case 0:
      case 1:
        this.#assignment(scope);
        return;
      case 2:
      case 3:
        this.#declare(scope);
        return;
      case 4:
      case 5:
        this.#if(scope);
        return;
      case 6:
        scope.loops < 2 ? this.#for(scope) : this.#assignment(scope);
        return;
      case 7:
        scope.loops < 2 && this.#wild ? this.#while(scope) : this.#assignment(scope);
        return;
      case 8:
        this.#switch(scope);
        return;
      case 9:
        this.#call(scope);
        return;
      case 10:
        this.#aggregate(scope);
        return;
      default:
        this.#leave(scope);
        return;
    }
  }

  #block(scope: Scope, changes: Partial<Scope> = {}, last?: () => void): void {
    const inner: Scope = {
      ...scope,
      ...changes,
      variables: [...scope.variables],
      arrays: [...scope.arrays],
      structs: [...scope.structs],
    };
    this.#depth++;
    for (let i = 1 + this.#choose(3); i > 0; i--) this.#statement(inner);
    last?.();
    this.#depth--;
  }

  #declare(scope: Scope): void {
    if (this.#chance(4)) {
      const type = this.#type();
      const size = 2 + this.#choose(3);
      const name = this.#name('t');
      const items = Array.from({ length: size }, () => this.#settled(scope, type));
      this.#line(`${spell(type)} ${name}[${size}] = { ${items.join(', ')} };`);
      scope.arrays.push({ name, type, size });
      return;
    }
    if (this.#structs.length > 0 && this.#chance(3)) {
      const struct = this.#pick(this.#structs);
      const name = this.#name('s');
      const from = scope.structs.find((one) => one.struct === struct);
      if (from && this.#chance(2)) this.#line(`${struct.name} ${name} = ${from.name};`);
      else {
        this.#line(`${struct.name} ${name} = (${struct.name})0;`);
        const member = this.#pick(struct.members);
        if (member.size === 0) this.#line(`${name}.${member.name} = ${this.#settled(scope, member.type)};`);
      }
      scope.structs.push({ name, struct });
      return;
    }
    const type = this.#type();
    const value = this.#settled(scope, type);
    const name = this.#name('v');
    this.#line(`${spell(type)} ${name} = ${value};`);
    scope.variables.push({ name, type, writable: true });
  }

  #assignment(scope: Scope): void {
    const targets = scope.variables.filter(({ writable }) => writable);
    if (targets.length === 0) {
      this.#declare(scope);
      return;
    }
    const { name, type } = this.#pick(targets);
    const one: Type = { scalar: type.scalar, count: 1 };
    switch (type.count > 1 ? this.#choose(5) : this.#choose(3)) {
      case 0:
        this.#line(`${name} = ${this.#settled(scope, type)};`);
        return;
      case 1:
      case 2: {
        if (type.scalar === 'bool' || type.scalar === 'float') {
          this.#line(`${name} = ${this.#settled(scope, type)};`);
          return;
        }
        const op = this.#pick(['+=', '^=', '-=', '|=', '&=', '*=']);
        this.#line(`${name} ${op} ${this.#expression(scope, type, 2)};`);
        return;
      }
      case 3: {
        const order = this.#choose(2) ? 'yx' : 'xy';
        this.#line(`${name}.${order} = ${this.#settled(scope, { scalar: type.scalar, count: 2 })};`);
        return;
      }
      default:
        this.#line(`${name}[${this.#index(scope, type.count)}] = ${this.#settled(scope, one)};`);
    }
  }

  #aggregate(scope: Scope): void {
    if (scope.arrays.length > 0 && this.#choose(2) === 0) {
      const { name, type, size } = this.#pick(scope.arrays);
      this.#line(`${name}[${this.#index(scope, size)}] = ${this.#settled(scope, type)};`);
      return;
    }
    if (scope.structs.length === 0) {
      this.#declare(scope);
      return;
    }
    const { name, struct } = this.#pick(scope.structs);
    const { name: member, type, size } = this.#pick(struct.members);
    const place = size > 0 ? `${name}.${member}[${this.#index(scope, size)}]` : `${name}.${member}`;
    this.#line(`${place} = ${this.#settled(scope, type)};`);
  }

  #if(scope: Scope): void {
    const hint = this.#pick(['', '', '[branch] ', '[flatten] ']);
    this.#line(`${hint}if (${this.#condition(scope)}) {`);
    this.#block(scope);
    if (this.#choose(2)) {
      this.#line('} else {');
      this.#block(scope);
    }
    this.#line('}');
  }

  #for(scope: Scope): void {
    const name = this.#name('i');
    const known = this.#choose(2) === 0 || !this.#wild;
    const bound = known ? String(1 + this.#choose(4)) : `(int)(gi & 3u)`;
    const hint = known ? this.#pick(['', '', '[unroll] ', '[loop] ']) : '';
    this.#line(`${hint}for (int ${name} = 0; ${name} < ${bound}; ${name}++) {`);
    const variables = [
      ...scope.variables,
      { name, type: { scalar: 'int', count: 1 } as Type, writable: false },
    ];
    this.#block(scope, {
      loops: scope.loops + 1,
      inLoop: hint !== '[unroll] ' && this.#wild,
      variables,
    });
    this.#line('}');
  }

  #while(scope: Scope): void {
    const name = this.#name('n');
    this.#line(`int ${name} = 0;`);
    const isDo = this.#choose(2) === 1;
    const condition = `${name} < ${1 + this.#choose(4)} && ${this.#condition(scope)}`;
    this.#line(isDo ? 'do {' : `while (${condition}) {`);
    this.#depth++;
    this.#line(`${name}++;`);
    this.#depth--;
    const variables = [
      ...scope.variables,
      { name, type: { scalar: 'int', count: 1 } as Type, writable: false },
    ];
    this.#block(scope, { loops: scope.loops + 1, inLoop: true, variables });
    this.#line(isDo ? `} while (${condition});` : '}');
  }

  #switch(scope: Scope): void {
    this.#line(`switch (${this.#expression(scope, { scalar: 'int', count: 1 }, 2)} & 3) {`);
    const cases = 1 + this.#choose(3);
    for (let i = 0; i < cases; i++) {
      const label = i === cases - 1 && this.#choose(2) ? 'default' : `case ${i}`;
      const second = label !== 'default' && this.#chance(4) ? ` case ${i + 4}:` : '';
      this.#line(`${label}:${second} {`);
      this.#block(scope, { inLoop: false }, () => this.#line('break;'));
      this.#line('}');
    }
    this.#line('}');
  }

  #leave(scope: Scope): void {
    if (scope.inLoop && this.#choose(2) === 0) {
      this.#line(`if (${this.#condition(scope)}) ${this.#pick(['break', 'continue'])};`);
    } else if (scope.result && (this.#wild || scope.loops === 1)) {
      this.#line(`if (${this.#condition(scope)}) return ${this.#settled(scope, scope.result)};`);
    } else this.#assignment(scope);
  }

  #call(scope: Scope): void {
    const callee = this.#functions.length > 0 ? this.#pick(this.#functions) : undefined;
    const call = callee && this.#callText(scope, callee);
    if (!callee || !call) {
      this.#declare(scope);
      return;
    }
    const name = this.#name('v');
    this.#line(`${spell(callee.result)} ${name} = ${call};`);
    scope.variables.push({ name, type: callee.result, writable: true });
  }

  #callText(scope: Scope, callee: Function): string | undefined {
    const used = new Set<string>();
    const args = callee.parameters.map(({ type, mode }) => {
      if (mode === 'in') return this.#settled(scope, type);
      const places = this.#places(scope, type).filter((place) => !used.has(place.replace(/[.[].*/, '')));
      const place = places.length > 0 ? this.#pick(places) : undefined;
      if (place) used.add(place.replace(/[.[].*/, ''));
      return place;
    });
    if (callee.struct) {
      const fitting = scope.structs.find(({ struct, name }) => struct === callee.struct && !used.has(name));
      args.push(fitting?.name);
    }
    return args.includes(undefined) ? undefined : `${callee.name}(${args.join(', ')})`;
  }

  #places(scope: Scope, type: Type): string[] {
    const same = (other: Type): boolean => other.scalar === type.scalar && other.count === type.count;
    return [
      ...scope.variables.filter((one) => one.writable && same(one.type)).map(({ name }) => name),
      ...scope.arrays.filter((one) => same(one.type)).map(({ name, size }) => `${name}[gi % ${size}u]`),
      ...scope.structs.flatMap(({ name, struct }) =>
        struct.members
          .filter((one) => same(one.type))
          .map((one) => `${name}.${one.name}${one.size ? '[2]' : ''}`),
      ),
      ...(type.count === 1
        ? scope.variables
            .filter((one) => one.writable && one.type.scalar === type.scalar && one.type.count > 1)
            .map(({ name }) => `${name}.y`)
        : []),
    ];
  }

  /** All threads give a word and take another's. */
  #exchange(scope: Scope): void {
    const word: Type = { scalar: 'uint', count: 1 };
    this.#line(`gs[gi] = ${this.#expression(scope, word, 2)};`);
    this.#line('GroupMemoryBarrierWithGroupSync();');
    if (this.#chance(3)) {
      this.#line(`InterlockedAdd(gs[(gi + 1) & 3], ${this.#expression(scope, word, 1)});`);
      this.#line('GroupMemoryBarrierWithGroupSync();');
    }
    const name = this.#name('v');
    this.#line(`uint ${name} = gs[(gi + ${this.#choose(4)}) & 3];`);
    this.#line('GroupMemoryBarrierWithGroupSync();');
    scope.variables.push({ name, type: word, writable: true });
  }

  // ---- expressions

  #index(scope: Scope, size: number): string {
    if (this.#choose(2) === 0) return String(this.#choose(size));
    return `(uint)(${this.#expression(scope, { scalar: 'int', count: 1 }, 1)}) % ${size}u`;
  }

  #condition(scope: Scope): string {
    return this.#expression(scope, { scalar: 'bool', count: 1 }, 2);
  }

  /** An expression whose value may be kept: floats are brought back to small ones. */
  #settled(scope: Scope, type: Type): string {
    const value = this.#expression(scope, type, 2 + this.#choose(2));
    return type.scalar === 'float' && !this.#wild ? `clamp(${value}, -7.0, 7.0)` : value;
  }

  #literal(type: Type): string {
    const one = (): string => {
      switch (type.scalar) {
        case 'int':
          return this.#pick(['0', '1', '-1', '7', '2', '31', '(-2147483647 - 1)', '255']);
        case 'uint':
          return this.#pick(['0u', '1u', '2u', '8u', '0xffffffffu', '31u', '0x80000000u', '5u']);
        case 'float':
          return this.#wild
            ? this.#pick(['0.0', '1.0', '-0.0', '0.5', '3.25', '1e30', '-1.0', '2.0'])
            : this.#pick(['0.0', '1.0', '2.0', '-1.0', '-3.0', '7.0', '4.0', '-0.0']);
        case 'bool':
          return this.#pick(['false', 'true']);
      }
    };
    if (type.count === 1) return one();
    if (this.#chance(3)) return `(${spell(type)})${one()}`;
    return `${spell(type)}(${Array.from({ length: type.count }, one).join(', ')})`;
  }

  /** The value of a variable of the type, or of a part or a conversion of one. */
  #leaf(scope: Scope, type: Type): string {
    const places = scope.variables.flatMap(({ name, type: of }) => {
      if (of.scalar !== type.scalar) return [];
      if (of.count === type.count) return [name];
      if (of.count > 1) return [`${name}.${this.#swizzle(of.count, type.count)}`];
      return type.count > 1 ? [`(${spell(type)})${name}`] : [];
    });
    for (const array of scope.arrays)
      if (array.type.scalar === type.scalar && array.type.count === type.count)
        places.push(`${array.name}[${this.#index({ ...scope, arrays: [] }, array.size)}]`);
    for (const { name, struct } of scope.structs)
      for (const one of struct.members)
        if (one.type.scalar === type.scalar && one.type.count === type.count)
          places.push(`${name}.${one.name}${one.size ? `[${this.#choose(one.size)}]` : ''}`);
    const choice = this.#choose(4);
    if (places.length > 0 && choice < 2) return this.#pick(places);
    return choice === 3 ? this.#input(type) : this.#literal(type);
  }

  #swizzle(from: number, count: number): string {
    return Array.from({ length: count }, () => letters[this.#choose(from)]!).join('');
  }

  #input(type: Type): string {
    const word = `a[gi * 4u + ${this.#choose(4)}u]`;
    const value = {
      int: `(int)${word}`,
      uint: word,
      float: this.#wild && this.#choose(2) ? `asfloat(${word} << 8)` : `(float)((int)(${word} & 15u) - 7)`,
      bool: `(${word} & 1u) != 0u`,
    }[type.scalar];
    return type.count > 1 ? `(${spell(type)})(${value})` : `(${value})`;
  }

  #expression(scope: Scope, type: Type, depth: number): string {
    if (depth === 0 || this.#spent) return this.#leaf(scope, type);
    const sub = (of: Type = type): string => this.#expression(scope, of, depth - 1);
    if (type.count > 1) {
      const one = { scalar: type.scalar, count: 1 };
      switch (this.#choose(8)) {
        case 0:
          return `${spell(type)}(${Array.from({ length: type.count }, () => sub(one)).join(', ')})`;
        case 1: {
          const wide = { scalar: type.scalar, count: this.#pick([2, 3, 4]) };
          return `(${sub(wide)}).${this.#swizzle(wide.count, type.count)}`;
        }
        case 2:
          if (type.count > 2) {
            const [first, rest] = [{ ...one, count: type.count - 1 }, one];
            return `${spell(type)}(${sub(first)}, ${sub(rest)})`;
          }
          return `(${spell(type)})(${sub(one)})`;
        case 3:
          return `select(${sub({ scalar: 'bool', count: type.count })}, ${sub()}, ${sub()})`;
      }
      return this.#operation(type, sub, scope, depth);
    }
    switch (this.#choose(8)) {
      case 7: {
        const wide = { scalar: type.scalar, count: this.#pick([2, 3, 4]) };
        const of = `(${sub(wide)})`;
        return this.#choose(2)
          ? `${of}[${this.#index(scope, wide.count)}]`
          : `${of}.${this.#swizzle(wide.count, 1)}`;
      }
      case 6:
        return `(${this.#condition(scope)} ? ${sub()} : ${sub()})`;
      case 5: {
        const fitting = this.#functions.find(
          ({ result }) => result.scalar === type.scalar && result.count === 1,
        );
        const call = fitting && this.#callText({ ...scope, loops: 2 }, fitting);
        if (call) return type.scalar === 'float' && !this.#wild ? `clamp(${call}, -7.0, 7.0)` : call;
      }
    }
    return this.#operation(type, sub, scope, depth);
  }

  #operation(type: Type, sub: (type?: Type) => string, scope: Scope, depth: number): string {
    const as = (scalar: Scalar): string => sub({ scalar, count: type.count });
    const cast = spell(type);
    switch (type.scalar) {
      case 'int':
      case 'uint': {
        const small = type.scalar === 'int' ? `((${sub()} & 7) + 1)` : `((${sub()} & 7u) + 1u)`;
        const other = type.scalar === 'int' ? 'uint' : 'int';
        switch (this.#choose(14)) {
          case 0:
            return this.#leaf(scope, type);
          case 1:
            return `(${sub()} / ${small})`;
          case 2:
            return `(${sub()} % ${small})`;
          case 3:
            return `(${cast})(${as(other)})`;
          case 4:
            return `(${cast})(${as('bool')})`;
          case 5:
            return this.#wild
              ? `(${cast})clamp(${as('float')}, 0.0, 100.0)`
              : `(${cast})(${spell({ scalar: 'int', count: type.count })})(${as('float')})`;
          case 6:
            return this.#pick([`-(${sub()})`, `~(${sub()})`]);
          case 7:
            return `${this.#pick(['min', 'max'])}(${sub()}, ${sub()})`;
          case 8:
            return `(${sub()} ${this.#pick(['<<', '>>'])} ${sub()})`;
          case 9:
            return type.scalar === 'int'
              ? `abs(${sub()})`
              : this.#pick([`countbits(${sub()})`, `reversebits(${sub()})`, `firstbitlow(${sub()})`]);
          default:
            return `(${sub()} ${this.#pick(['+', '-', '*', '&', '|', '^'])} ${sub()})`;
        }
      }
      case 'float':
        switch (this.#choose(8)) {
          case 0:
            return this.#leaf(scope, type);
          case 1:
            return `-(${sub()})`;
          case 2:
            return `${this.#pick(['min', 'max'])}(${sub()}, ${sub()})`;
          case 3:
            return depth > 1 ? `floor(clamp(${sub()}, -7.0, 7.0) / 2.0)` : this.#leaf(scope, type);
          case 4:
            return `(${cast})(${as('bool')})`;
          case 5:
            return this.#wild ? `(${sub()} / ${sub()})` : `abs(${sub()})`;
          default:
            return `(${sub()} ${this.#pick(['+', '-', '*'])} ${sub()})`;
        }
      case 'bool': {
        const operand = this.#pick<Scalar>(['int', 'uint', 'float']);
        switch (this.#choose(6)) {
          case 0:
            return this.#leaf(scope, type);
          case 1:
            return `!(${sub()})`;
          case 2:
            return type.count > 1
              ? `${this.#pick(['and', 'or'])}(${sub()}, ${sub()})`
              : `(${sub()} ${this.#pick(['&&', '||'])} ${sub()})`;
          case 3:
            return type.count > 1
              ? `(${cast})(${as(operand)})`
              : `${this.#pick(['any', 'all'])}(${sub({ scalar: 'bool', count: 3 })})`;
          default:
            return `(${as(operand)} ${this.#pick(['<', '==', '!=', '>=', '>', '<='])} ${as(operand)})`;
        }
      }
    }
  }
}

function spell({ scalar, count }: Type): string {
  return count === 1 ? scalar : scalar + count;
}
