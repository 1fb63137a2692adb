/** What random programs are made of: types, the places that a variable has, and how both are spelled. */

export type Scalar = 'int' | 'uint' | 'float' | 'bool';

export interface Numeric {
  kind: 'numeric';
  scalar: Scalar;
  /** Of a vector or of a matrix's rows; 1 is a scalar. */
  count: number;
  /** 0: a scalar or vector. */
  rows: number;
}
export interface Struct {
  kind: 'struct';
  name: string;
  members: { name: string; type: DataType }[];
  /** Text of its methods. */
  methods: string[];
}
export interface List {
  kind: 'list';
  of: Numeric | Struct;
  size: number;
}
export type DataType = Numeric | Struct | List;

/** A place: where `#3` stands in its text goes an index below 3. */
export interface Leaf {
  text: string;
  type: DataType;
}

export interface Variable {
  name: string;
  writable: boolean;
  leaves: readonly Leaf[];
}

export interface Parameter {
  type: DataType;
  mode: 'in' | 'out' | 'inout';
  /** Value where a call says none. */
  byDefault?: string;
}

export interface Callable {
  name: string;
  result: Numeric | Struct;
  parameters: Parameter[];
  /** A method of it. */
  owner?: Struct;
}

export interface Scope {
  variables: Variable[];
  /** In a function: what it returns. */
  result?: Numeric | Struct;
  /** Loops around it; a function counts as one, so that what it is called from does not multiply. */
  loops: number;
  /** `continue` and `break` are allowed. */
  inLoop: boolean;
}

export const letters = 'xyzw';

export function vector(scalar: Scalar, count: number): Numeric {
  return { kind: 'numeric', scalar, count, rows: 0 };
}
export function matrix(scalar: Scalar, rows: number, count: number): Numeric {
  return { kind: 'numeric', scalar, count, rows };
}
export const int = vector('int', 1);
export const uint = vector('uint', 1);
export const bool = vector('bool', 1);

/** The type with other components. */
export function ofScalar(type: Numeric, scalar: Scalar): Numeric {
  return { ...type, scalar };
}

export function spell(type: Numeric | Struct): string {
  if (type.kind === 'struct') return type.name;
  if (type.rows > 0) return `${type.scalar}${type.rows}x${type.count}`;
  return type.count === 1 ? type.scalar : type.scalar + type.count;
}

/** A declaration without its value. */
export function declarator(type: DataType, name: string): string {
  return type.kind === 'list' ? `${spell(type.of)} ${name}[${type.size}]` : `${spell(type)} ${name}`;
}

export function isSame(a: DataType, b: DataType): boolean {
  if (a.kind === 'numeric')
    return b.kind === 'numeric' && a.scalar === b.scalar && a.count === b.count && a.rows === b.rows;
  if (a.kind === 'list') return b.kind === 'list' && a.size === b.size && isSame(a.of, b.of);
  return a === b;
}

/** A place and all places in it. */
export function leavesOf(text: string, type: DataType): Leaf[] {
  const own = { text, type };
  switch (type.kind) {
    case 'numeric':
      return [own];
    case 'list':
      return [own, ...leavesOf(`${text}[#${type.size}]`, type.of)];
    case 'struct':
      return [own, ...type.members.flatMap((member) => leavesOf(`${text}.${member.name}`, member.type))];
  }
}

export function variableOf(name: string, type: DataType, writable = true): Variable {
  return { name, writable, leaves: leavesOf(name, type) };
}
