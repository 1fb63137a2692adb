/**
 * Scopes and what names mean in them. Functions here only look up; what is found is reported by the caller, except names
 * that cannot be used yet (`use`), which report themselves.
 */
import type { Location } from '../source/source-map.ts';
import type { QualifiedName } from '../syntax/ast.ts';
import type { EnumType, MatrixOrder, StructType, Type } from '../types/type.ts';
import type { Context } from './context.ts';
import type { ConstantValue, FunctionSymbol, Namespace, TypedExpression, VariableSymbol } from './program.ts';

/** What a name can stand for. */
export type Entry =
  | VariableSymbol
  /** All overloads of a name declared in one scope. */
  | { kind: 'functions'; overloads: FunctionEntry[] }
  | TypeEntry
  | { kind: 'namespace'; scope: Scope }
  | { kind: 'enumerator'; type: Type; value: number }
  | BufferMemberEntry
  /** Inside methods: member `index` of `struct`, which is the type of `this` or one of its bases. */
  | { kind: 'member'; struct: StructType; index: number };

export interface TypeEntry {
  kind: 'type';
  type: Type;
  /** From a typedef: packing and `const` written there. */
  matrixOrder?: MatrixOrder;
  constant?: boolean;
  /** Where the name was declared; absent for names of the language. */
  at?: Location;
  /**
   * Called with the place when the name is looked up: for what cannot be used yet (templates), which has ErrorType.
   */
  use?: (at: Location) => void;
}

/** A name inside a cbuffer, tbuffer, `$Globals`: member `index` of the contents of `buffer`. */
interface BufferMemberEntry {
  kind: 'buffer-member';
  buffer: VariableSymbol;
  index: number;
  /** Of a `const` outside functions with a constant initializer: counts where the language asks for a constant only. */
  value?: ConstantValue;
}

export interface FunctionEntry {
  symbol: FunctionSymbol;
  /** Parallel to the parameters: the default arguments, checked in the scope of the declaration. */
  defaults: (TypedExpression | undefined)[];
}

export interface Scope {
  kind: 'global' | 'namespace' | 'struct' | 'function' | 'block';
  parent?: Scope;
  names: Map<string, Entry>;
  /** Namespaces: full name; structs: the type. */
  name?: string;
  struct?: StructType;
  /** Namespaces: what debuggers show. */
  namespace?: Namespace;
  /** Structs: the scope of the base struct. */
  base?: Scope;
  /** Namespaces that `using namespace` opened here. */
  opened?: Scope[];
}

/** The namespace that a declaration in a scope stands in. */
export function namespaceOf(scope: Scope | undefined): Namespace | undefined {
  while (scope && !scope.namespace) scope = scope.parent;
  return scope?.namespace;
}

export function newScope(kind: Scope['kind'], parent: Scope | undefined): Scope {
  return { kind, names: new Map(), ...(parent && { parent }) };
}

/** Innermost meaning of an unqualified name; overloads of outer scopes are hidden. */
export function lookup(scope: Scope | undefined, name: string, at: Location = 0): Entry | undefined {
  for (; scope; scope = scope.parent) {
    const entry = lookupIn(scope, name, at);
    if (entry) return entry;
  }
  return undefined;
}

/** Meaning of a name in one scope, its base structs and opened namespaces included. */
export function lookupIn(scope: Scope, name: string, at: Location = 0): Entry | undefined {
  let entry: Entry | undefined;
  for (let part: Scope | undefined = scope; part && !entry; part = part.base) entry = part.names.get(name);
  if (!entry && scope.opened) for (const opened of scope.opened) entry ??= opened.names.get(name);
  if (entry?.kind === 'type') entry.use?.(at);
  return entry;
}

/** Meaning of `name`, `A::B::name` or `::name`; undefined if it has none or a qualifier is neither namespace nor type. */
export function lookupQualified(context: Context, name: QualifiedName): Entry | undefined {
  if (!name.global && name.qualifiers.length === 0) {
    return lookup(context.scope, name.name.text, name.name.at);
  }
  let scope: Scope | undefined = name.global ? context.global : undefined;
  for (const qualifier of name.qualifiers) {
    const entry: Entry | undefined = scope
      ? lookupIn(scope, qualifier.text, qualifier.at)
      : lookup(context.scope, qualifier.text, qualifier.at);
    if (entry?.kind === 'namespace') scope = entry.scope;
    else if (entry?.kind === 'type' && entry.type.kind === 'enum')
      return enumerator(entry.type, name.name.text);
    else if (entry?.kind === 'type' && entry.type.kind === 'struct') scope = context.structs.get(entry.type);
    else if (entry?.kind === 'type' && entry.type.kind === 'error') return entry;
    else return undefined;
    if (!scope) return undefined;
  }
  return scope && lookupIn(scope, name.name.text, name.name.at);
}

/** Enumerators by name, as far as they have been asked for: an enumeration grows while its own values are worked out. */
const enumerators = new WeakMap<EnumType, Map<string, EnumType['enumerators'][number]>>();

function enumerator(type: EnumType, name: string): Entry | undefined {
  let known = enumerators.get(type);
  if (!known) {
    known = new Map();
    enumerators.set(type, known);
  }
  for (const each of type.enumerators.slice(known.size))
    if (!known.has(each.name)) known.set(each.name, each);
  const found = known.get(name);
  return found && { kind: 'enumerator', type, value: found.value };
}

/** Methods, static members, members and nested types of a struct by name, those of its bases included: `object.name`. */
export function lookupMember(context: Context, struct: StructType, name: string): Entry | undefined {
  const scope = context.structs.get(struct);
  return scope && lookupIn(scope, name);
}

/**
 * Member numbers that lead from `struct` to its part of type `base` (itself: none), through the members that stand
 * for base structs; undefined if `base` is not among its bases.
 */
export function pathToBase(struct: StructType, base: StructType): number[] | undefined {
  const path: number[] = [];
  for (let at = struct; at !== base; ) {
    const index = at.members.findIndex((member) => member.base);
    const next = at.members[index]?.type;
    if (next?.kind !== 'struct') return undefined;
    path.push(index);
    at = next;
  }
  return path;
}
