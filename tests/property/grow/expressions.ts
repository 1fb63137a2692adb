/** Grows expressions of a type from what is in scope. */
import { Decisions } from './decisions.ts';
import { growOperation, type Operands } from './operations.ts';
import {
  bool,
  type DataType,
  type Callable,
  int,
  isSame,
  type Leaf,
  letters,
  matrix,
  type Numeric,
  ofScalar,
  type Scalar,
  type Scope,
  type Struct,
  spell,
  vector,
} from './types.ts';

export interface Enumeration {
  name: string;
  names: string[];
}

const scalars: readonly Scalar[] = ['int', 'uint', 'float', 'bool'];

export class ExpressionGrower extends Decisions {
  /** Floats hold whatever comes out. */
  readonly wild: boolean;
  /**
   * The threads of a group leave loops together. lavapipe 22.3 gives a thread that left early what later turns of others make of values
   * from memory (`do { v = a[i]; } while (n++ < 4 && c[i])`); other drivers run any loop.
   */
  leavesTogether = false;
  /** The language of 2018, with `?:`, `&&` and `||` of vectors. */
  legacy = false;
  protected readonly structs: Struct[] = [];
  protected readonly functions: Callable[] = [];
  protected readonly enumerations: Enumeration[] = [];

  constructor(decisions: readonly number[], wild: boolean) {
    super(decisions);
    this.wild = wild;
  }

  protected numericType(): Numeric {
    const scalar = this.pick(scalars);
    const shape = this.choose(8);
    if (shape === 7) return matrix(scalar, 2 + this.choose(3), 2 + this.choose(3));
    return vector(scalar, [1, 1, 1, 2, 2, 3, 4][shape]!);
  }

  // ---- places

  /** Index numbers for the marks in a place's text. */
  protected filled(scope: Scope, leaf: Leaf): string {
    return leaf.text.replace(/#(\d+)/g, (_, size: string) => this.index(scope, Number(size)));
  }

  protected index(scope: Scope, size: number): string {
    if (this.choose(2) === 0) return String(this.choose(size));
    const { variables } = scope;
    const plain = { ...scope, variables: variables.filter(({ leaves }) => !leaves[0]!.text.includes('#')) };
    return `(uint)(${this.expression(plain, int, 1)}) % ${size}u`;
  }

  /** A place of exactly this type that may be written; undefined if there is none. */
  protected place(
    scope: Scope,
    type: DataType,
    fits: (name: string) => boolean = () => true,
  ): string | undefined {
    const found = scope.variables
      .filter(({ writable, name }) => writable && fits(name))
      .flatMap(({ leaves }) => leaves.flatMap((leaf) => this.#partsToWrite(scope, leaf, type)));
    return found.length > 0 ? this.pick(found)() : undefined;
  }

  /** Ways to name a place of the type in a place. */
  #partsToWrite(scope: Scope, leaf: Leaf, type: DataType): (() => string)[] {
    const own = leaf.type;
    if (isSame(own, type)) return [() => this.filled(scope, leaf)];
    if (own.kind !== 'numeric' || type.kind !== 'numeric' || own.scalar !== type.scalar || type.rows > 0)
      return [];
    const text = (): string => this.filled(scope, leaf);
    if (own.rows > 0) {
      const row = (): string => `${text()}[${this.index(scope, own.rows)}]`;
      if (type.count === own.count) return [row];
      if (type.count > own.count) return [];
      return type.count === 1
        ? [
            () => `${row()}[${this.index(scope, own.count)}]`,
            () => `${text()}._m${this.choose(own.rows)}${this.choose(own.count)}`,
          ]
        : [() => `${row()}.${this.#target(own.count, type.count)}`];
    }
    if (own.count === 1 || type.count > own.count) return [];
    const parts = [() => `${text()}.${this.#target(own.count, type.count)}`];
    if (type.count === 1) parts.push(() => `${text()}[${this.index(scope, own.count)}]`);
    return parts;
  }

  /** A swizzle that may be written: every component once at most. */
  #target(of: number, count: number): string {
    const free = [...letters.slice(0, of)];
    return Array.from({ length: count }, () => free.splice(this.choose(free.length), 1)[0]).join('');
  }

  #swizzle(from: number, count: number): string {
    return Array.from({ length: count }, () => letters[this.choose(from)]!).join('');
  }

  // ---- leaves

  protected literal(type: Numeric): string {
    const one = (): string => {
      switch (type.scalar) {
        case 'int':
          return this.pick(['0', '1', '-1', '7', '2', '31', '(-2147483647 - 1)', '255']);
        case 'uint':
          return this.pick(['0u', '1u', '2u', '8u', '0xffffffffu', '31u', '0x80000000u', '5u']);
        case 'float':
          return this.wild
            ? this.pick(['0.0', '1.0', '-0.0', '0.5', '3.25', '1e30', '-1.0', '2.0'])
            : this.pick(['0.0', '1.0', '2.0', '-1.0', '-3.0', '7.0', '4.0', '-0.0']);
        case 'bool':
          return this.pick(['false', 'true']);
      }
    };
    const count = type.count * Math.max(type.rows, 1);
    if (count === 1) return one();
    if (this.chance(3)) return `(${spell(type)})${one()}`;
    return `${spell(type)}(${Array.from({ length: count }, one).join(', ')})`;
  }

  /** The value of a variable of the type, or of a part or a conversion of one. */
  protected leaf(scope: Scope, type: Numeric): string {
    const ways = scope.variables.flatMap(({ leaves }) =>
      leaves.flatMap((leaf) => this.#partsToRead(scope, leaf, type)),
    );
    const choice = this.choose(5);
    if (ways.length > 0 && choice < 3) return this.pick(ways)();
    return choice === 4 ? this.#input(type) : this.literal(type);
  }

  #partsToRead(scope: Scope, leaf: Leaf, type: Numeric): (() => string)[] {
    const own = leaf.type;
    if (own.kind !== 'numeric' || own.scalar !== type.scalar) return [];
    const text = (): string => this.filled(scope, leaf);
    if (isSame(own, type)) return [text];
    if (type.rows > 0)
      return own.rows >= type.rows && own.count >= type.count ? [() => `((${spell(type)})${text()})`] : [];
    if (own.rows > 0) {
      const element = (): string => `_m${this.choose(own.rows)}${this.choose(own.count)}`;
      return [
        () => `${text()}[${this.index(scope, own.rows)}].${this.#swizzle(own.count, type.count)}`,
        () => `${text()}.${Array.from({ length: type.count }, element).join('')}`,
      ];
    }
    if (own.count > 1) return [() => `${text()}.${this.#swizzle(own.count, type.count)}`];
    return type.count > 1 ? [() => `(${spell(type)})${text()}`] : [];
  }

  #input(type: Numeric): string {
    const word = `a[gi * 4u + ${this.choose(4)}u]`;
    const values = {
      int: `(int)${word}`,
      uint: word,
      float: this.wild && this.choose(2) ? `asfloat(${word} << 8)` : `(float)((int)(${word} & 15u) - 7)`,
      bool: `(${word} & 1u) != 0u`,
    };
    const value = values[type.scalar];
    return type.count > 1 || type.rows > 0 ? `((${spell(type)})(${value}))` : `(${value})`;
  }

  // ---- expressions

  protected condition(scope: Scope): string {
    return this.expression(scope, bool, 2);
  }

  /** An expression whose value may be kept: floats are brought back to small ones. For where a value is converted to the type of its place. */
  protected settled(scope: Scope, type: Numeric): string {
    if (this.choose(12) === 11) return this.#converted(scope, type);
    return this.tame(this.expression(scope, type, 2 + this.choose(2)), type);
  }

  protected tame(value: string, type: Numeric): string {
    return type.scalar === 'float' && !this.wild ? `clamp(${value}, -7.0, 7.0)` : value;
  }

  /** A value of another type that becomes the wanted one without being asked. */
  #converted(scope: Scope, type: Numeric): string {
    const from = this.pick(scalars);
    const value = this.tame(this.expression(scope, ofScalar(type, from), 2), ofScalar(type, from));
    if (type.scalar === 'float' && from === 'int') return `(${value} & 7)`;
    if (type.scalar === 'float' && from === 'uint') return `(${value} & 7u)`;
    if (type.scalar === 'bool' || from !== 'float') return value;
    if (this.wild) return type.scalar === 'float' ? value : `clamp(${value}, 0.0, 100.0)`;
    return type.scalar === 'uint' ? `abs(${value})` : value;
  }

  protected expression(scope: Scope, type: Numeric, depth: number): string {
    if (depth === 0 || this.spent) return this.leaf(scope, type);
    if (type.rows > 0) return this.#matrix(scope, type, depth);
    if (type.count > 1) return this.#vector(scope, type, depth);
    return this.#scalar(scope, type, depth);
  }

  #operands(scope: Scope, depth: number): Operands {
    return {
      decisions: this,
      wild: this.wild,
      legacy: this.legacy,
      depth,
      of: (type) => this.expression(scope, type, depth - 1),
      leaf: (type) => this.leaf(scope, type),
      tame: (value, type) => this.tame(value, type),
    };
  }

  #scalar(scope: Scope, type: Numeric, depth: number): string {
    const sub = (of: Numeric = type): string => this.expression(scope, of, depth - 1);
    switch (this.choose(9)) {
      case 8:
        return this.#named(scope, type) ?? this.leaf(scope, type);
      case 7: {
        const wide = vector(type.scalar, this.pick([2, 3, 4]));
        const of = `(${sub(wide)})`;
        return this.choose(2)
          ? `${of}[${this.index(scope, wide.count)}]`
          : `${of}.${this.#swizzle(wide.count, 1)}`;
      }
      case 6:
        return `(${this.condition(scope)} ? ${sub()} : ${sub()})`;
      case 5: {
        const call = this.#callOf(scope, type);
        if (call) return call;
      }
    }
    return growOperation(type, this.#operands(scope, depth));
  }

  #vector(scope: Scope, type: Numeric, depth: number): string {
    const sub = (of: Numeric = type): string => this.expression(scope, of, depth - 1);
    const one = vector(type.scalar, 1);
    switch (this.choose(10)) {
      case 0:
        return `${spell(type)}(${Array.from({ length: type.count }, () => sub(one)).join(', ')})`;
      case 1: {
        const wide = vector(type.scalar, this.pick([2, 3, 4]));
        return `(${sub(wide)}).${this.#swizzle(wide.count, type.count)}`;
      }
      case 2:
        if (type.count > 2) {
          const [first, rest] = [vector(type.scalar, type.count - 1), one];
          return this.choose(2)
            ? `${spell(type)}(${sub(rest)}, ${sub(first)})`
            : `${spell(type)}(${sub(first)}, ${sub(rest)})`;
        }
        return `((${spell(type)})(${sub(one)}))`;
      case 3: {
        const mask = sub(ofScalar(type, 'bool'));
        return this.legacy ? `(${mask} ? ${sub()} : ${sub()})` : `select(${mask}, ${sub()}, ${sub()})`;
      }
      case 4: {
        const call = this.#callOf(scope, type);
        if (call) return call;
        return `(${this.condition(scope)} ? ${sub()} : ${sub()})`;
      }
      case 5: {
        const rows = 2 + this.choose(3);
        return `(${sub(matrix(type.scalar, rows, type.count))})[${this.index(scope, rows)}]`;
      }
    }
    return growOperation(type, this.#operands(scope, depth));
  }

  #matrix(scope: Scope, type: Numeric, depth: number): string {
    const sub = (of: Numeric = type): string => this.expression(scope, of, depth - 1);
    const row = vector(type.scalar, type.count);
    switch (this.choose(8)) {
      case 0:
        return `${spell(type)}(${Array.from({ length: type.rows }, () => sub(row)).join(', ')})`;
      case 1:
        return `transpose(${sub(matrix(type.scalar, type.count, type.rows))})`;
      case 2:
        return `(${this.condition(scope)} ? ${sub()} : ${sub()})`;
      case 3:
        return `((${spell(type)})(${sub(vector(type.scalar, 1))}))`;
      case 4: {
        const call = this.#callOf(scope, type);
        if (call) return call;
      }
    }
    return growOperation(type, this.#operands(scope, depth));
  }

  /** A name of an enumeration as a number. */
  #named(scope: Scope, type: Numeric): string | undefined {
    if (this.enumerations.length === 0 || type.scalar === 'float') return undefined;
    const { name, names } = this.pick(this.enumerations);
    const one = `${name}::${this.pick(names)}`;
    const two = `(${this.condition(scope)} ? ${one} : ${name}::${this.pick(names)})`;
    return type.scalar === 'bool' ? `(${one} == ${two})` : `((${spell(type)})${two})`;
  }

  #callOf(scope: Scope, type: Numeric): string | undefined {
    const fitting = this.functions.filter(({ result }) => isSame(result, type));
    const call = fitting.length > 0 && this.callText(scope, this.pick(fitting));
    return call ? this.tame(call, type) : undefined;
  }

  /** A call, if there are places for what it writes. Places of one variable may be given twice: they are copied in and out in order. */
  protected callText(scope: Scope, callee: Callable): string | undefined {
    const { parameters, owner } = callee;
    const object = owner && this.place(scope, owner);
    if (owner && !object) return undefined;
    const args: (string | undefined)[] = [];
    const left = parameters.findIndex((one) => one.byDefault !== undefined);
    const given = left >= 0 && this.choose(2) === 1 ? parameters.slice(0, left) : parameters;
    for (const { type, mode } of given) {
      if (mode === 'in' && type.kind === 'numeric') args.push(this.settled(scope, type));
      else args.push(this.place(scope, type));
    }
    if (args.includes(undefined)) return undefined;
    return `${object ? `${object}.` : ''}${callee.name}(${args.join(', ')})`;
  }
}
