/** Where debug information enters the code: scope and line before instructions, declarations of variables. */
import type { Instruction } from '../ir/ir.ts';
import type { Context, FunctionContext } from './context.ts';

export function startDebug(_context: Context): void {}
export function finishDebug(_context: Context): void {}
export function beginFunction(_f: FunctionContext, _prologue: number): void {}
export function placeLine(_f: FunctionContext): void {}
export function declareVariable(_f: FunctionContext, _instruction: Instruction): void {}
export function describeValue(_f: FunctionContext, _instruction: Instruction): void {}
