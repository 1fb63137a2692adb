/** Scopes and what names mean in them. */
import type { StructType, Type } from '../types/type.ts';
import type { FunctionSymbol, VariableSymbol } from './program.ts';

/** What a name can stand for. */
export type Entry =
  | VariableSymbol
  /** All overloads of a name declared in one scope. */
  | { kind: 'functions'; overloads: FunctionEntry[] }
  | { kind: 'type'; type: Type }
  | { kind: 'namespace'; scope: Scope }
  | { kind: 'enumerator'; type: Type; value: number }
  /** A name inside a cbuffer, tbuffer, `$Globals`: member `index` of the contents of `buffer`. */
  | { kind: 'buffer-member'; buffer: VariableSymbol; index: number }
  /** Inside methods: member `index` of `this`. */
  | { kind: 'member'; struct: StructType; index: number };

export interface FunctionEntry {
  symbol: FunctionSymbol;
  /** Parallel to the parameters: the default arguments, checked in the scope of the declaration. */
  defaults: (import('./program.ts').TypedExpression | undefined)[];
}

export interface Scope {
  kind: 'global' | 'namespace' | 'struct' | 'function' | 'block';
  parent?: Scope;
  names: Map<string, Entry>;
  /** Namespaces: full name; structs: the type. */
  name?: string;
  struct?: StructType;
}

/** Innermost meaning of an unqualified name; overloads of outer scopes are hidden. */
export function lookup(scope: Scope | undefined, name: string): Entry | undefined {
  for (; scope; scope = scope.parent) {
    const entry = scope.names.get(name);
    if (entry) return entry;
  }
  return undefined;
}
