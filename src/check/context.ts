/** State of one run of the checker, passed to every function of the stage. */
import type { Options } from '../options.ts';
import type { Tokens } from '../preprocess/token.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { SourceMap } from '../source/source-map.ts';
import type { Stage } from '../ir/ir.ts';
import type { StructType, Type } from '../types/type.ts';
import type { FunctionSymbol, VariableSymbol } from './program.ts';
import type { Scope } from './scope.ts';

export interface Context {
  options: Options;
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
  /** Every global variable in order of declaration. */
  globals: VariableSymbol[];
  /** Called for each function that an expression calls, so that its body gets checked. */
  useFunction(symbol: FunctionSymbol): void;
  /** Called for each global that an expression names. */
  useGlobal(symbol: VariableSymbol): void;
}
