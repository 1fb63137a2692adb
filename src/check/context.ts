/** State of one run of the checker, passed to every function of the stage. */
import type { Options } from '../options.ts';
import type { Tokens } from '../preprocess/token.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Location, SourceMap } from '../source/source-map.ts';
import type { Stage } from '../ir/ir.ts';
import type { FunctionDeclaration } from '../syntax/ast.ts';
import type { StructType, Type } from '../types/type.ts';
import type { Register } from './annotations.ts';
import type { FunctionSymbol, VariableSymbol } from './program.ts';
import type { Scope } from './scope.ts';

export interface Context {
  options: Options;
  /** Replaced while a function is checked, so read it where it is used. */
  log: DiagnosticLog;
  map: SourceMap;
  tokens: Tokens;
  stage: Stage;
  /** Shader model as 60 for 6.0. */
  shaderModel: number;
  global: Scope;
  /** Where names are looked up now. */
  scope: Scope;
  /** The function whose body is checked now. */
  function?: { symbol: FunctionSymbol; returnType: Type; loops: number; switches: number; self?: StructType };
  /** Scope of each struct: members, methods, static members, nested types. See lookupMember. */
  structs: Map<StructType, Scope>;
  /** Every global variable in order of declaration. */
  globals: VariableSymbol[];
  declared: Declared;
}

/** What declarations leave behind for the steps after them. */
interface Declared {
  /** The declaration with the body (or the only one) of each function. */
  functions: Map<FunctionSymbol, FunctionDeclaration>;
  /** What `register` and `[[vk::...]]` say of each resource and buffer. */
  registers: Map<VariableSymbol, { register?: Register; space?: number }>;
  /** Structs whose definition has not ended (or not begun, after `struct S;`). */
  incomplete: Set<StructType>;
  /** The push constant block, of which there can be one. */
  pushConstant?: VariableSymbol;
  /** Loose globals: members of `$Globals`, made with the first. */
  globalsBuffer?: VariableSymbol;
  /** Bodies of methods that wait until the outermost struct is complete. */
  pending: (() => void)[];
  /** Nesting of struct definitions. */
  structDepth: number;
  /** The arrays that stand for what is taken from descriptor heaps, by the type of their elements. */
  heaps: Map<Type, VariableSymbol>;
  /** Types that something is declared `globallycoherent` with. */
  coherent: Set<Type>;
  /** Anonymous structs made so far. */
  anonymous: number;
  /** Log of each stretch of the program in order. */
  segments: Segment[];
  /** Token numbers by location, for `#pragma pack_matrix`; made when first needed. */
  tokenAt?: Map<Location, number>;
}

/** Messages of a stretch of the program, and the function it belongs to. */
export interface Segment {
  log: DiagnosticLog;
  function?: FunctionSymbol;
}
