/** Calls of intrinsics, as the rows say. */
import { type MslSpelling, spelledFor } from '../intrinsics/intrinsic.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Block, Instruction, Value } from '../ir/ir.ts';
import { elementOf, type PointerType, scalarClass, type Type } from '../types/type.ts';
import {
  atom,
  bound,
  binding,
  give,
  isFixed,
  line,
  operand,
  placeFor,
  settle,
  text,
  texts,
  withFixed,
} from './code.ts';
import { type Expression, type FunctionContext, report } from './context.ts';
import { interpolated } from './interpolants.ts';
import { loadText } from './memory.ts';
import { pathText, type Place } from './places.ts';
import { guardedLines, guardedValue, guardsOfWrite } from './robust.ts';
import { specialCall } from './special-calls.ts';
import { atomicTexel, textureCall } from './textures.ts';
import { bits, typeText } from './types.ts';

export function emitIntrinsic(f: FunctionContext, instruction: Instruction, block: Block): void {
  const row = intrinsicOf(instruction);
  const spelling = row.msl;
  if (!spelling || spelling.kind === 'lacking') {
    report(f, 'metal-lacks', { what: `'${row.name || row.key}'` });
    for (const result of instruction.results) f.values.set(result, atom(`${typeText(f, result.type)}{}`));
    return;
  }
  const changes = row.effects === 'writes' || row.effects === 'atomic' || row.effects === 'barrier';
  const made = spell(f, instruction, spelling);
  if (made === undefined) return;
  if (made.guards && changes) {
    giveGuarded(f, instruction, block, made, made.guards);
    return;
  }
  if (instruction.results.length === 0) {
    settle(f);
    line(f, `${made.text};`);
    return;
  }
  give(f, instruction, block, withFixed(made, made.fixed || isFixed(f, instruction)), changes);
}

/** An atomic that may be out of range. */
function giveGuarded(
  f: FunctionContext,
  instruction: Instruction,
  block: Block,
  made: Expression,
  guards: readonly string[],
): void {
  const result = instruction.results[0];
  if (result && (f.left.get(result) ?? 0) > 0) {
    give(f, instruction, block, { ...guardedValue(f, guards, made.text, result.type), fixed: true }, true);
    return;
  }
  settle(f);
  guardedLines(f, guards, [`${made.text};`]);
}

function spell(f: FunctionContext, instruction: Instruction, spelling: MslSpelling): Expression | undefined {
  const { operands } = instruction;
  switch (spelling.kind) {
    case 'call': {
      const kind = operands[0] ? (elementOf(operands[0].type) ?? undefined) : undefined;
      const name = spelledFor(spelling.name, kind ? scalarClass(kind) : 'float');
      return callOf(f, instruction, name!);
    }
    case 'lanes':
      return lanesOf(f, instruction, spelling.name);
    case 'texture':
      return textureCall(f, instruction, spelling.op);
    case 'builtin':
      return atom(f.builtins.get(spelling.attribute)!);
    case 'atomic':
      return atomicOf(f, operands[0]!, spelling.name, spelling.signed, operands.slice(1));
    case 'barrier':
      return atom(barrierText(f, spelling));
    case 'interpolate':
      return interpolated(f, operands, spelling.method);
    case 'special':
      return specialCall(f, instruction, spelling.name);
    case 'lacking':
      return undefined;
  }
}

/** 16-bit integers would be ambiguous as arguments where an operation has widened them: they are not. */
function callOf(f: FunctionContext, { operands, results }: Instruction, name: string): Expression {
  const args = texts(f, operands);
  const made = `metal::${name}(${args.join(', ')})`;
  const element = results[0] && elementOf(results[0].type);
  return atom(
    element && bits(f, element) === 16 && scalarClass(element) !== 'float'
      ? `${typeText(f, results[0]!.type)}(${made})`
      : made,
  );
}

/** bools and 64-bit numbers do not pass between lanes. */
function lanesOf(f: FunctionContext, { operands, results }: Instruction, name: string): Expression {
  const type = results[0]!.type;
  const [value, lane] = operands as [Value, Value?];
  const own = typeText(f, type);
  const element = elementOf(type)!;
  if (bits(f, element) === 64) report(f, 'metal-lacks', { what: '64-bit numbers across lanes' });
  const isBool = scalarClass(element) === 'bool';
  const given = text(f, value);
  const args = [isBool ? `${own.replace('bool', 'uint')}(${given})` : given];
  if (lane) args.push(`ushort(${text(f, lane)})`);
  const made = `metal::${name}(${args.join(', ')})`;
  return atom(isBool ? `${own}(${made})` : made);
}

export function atomicPointer(
  f: FunctionContext,
  pointer: Value,
  kind: string,
): { place: Place; text: string } {
  const place = placeFor(f, pointer);
  const type = `${place.space} metal::atomic_${kind}*`;
  const { component } = place;
  if (component)
    return { place, text: `((${type})&${pathText(component.of)} + ${indexOf(component.index)})` };
  return { place, text: `(${type})&${pathText(place.path)}` };
}

function indexOf(path: Place['path']): string {
  return pathText(path);
}

function atomicOf(
  f: FunctionContext,
  pointer: Value,
  name: string,
  sign: boolean | undefined,
  values: readonly Value[],
): Expression {
  const { pointee } = pointer.type as PointerType;
  const element = elementOf(pointee)!;
  const given = typeText(f, pointee);
  if (bits(f, element) === 64) report(f, 'metal-lacks', { what: 'this atomic on 64-bit numbers' });
  const isFloat = scalarClass(element) === 'float';
  const signed = sign ?? scalarClass(element) === 'int';
  const wanted = isFloat ? 'uint' : signed ? 'int' : 'uint';
  const cast = (to: string, from: string, what: string) =>
    to === from ? what : isFloat ? `metal::as_type<${to}>(${what})` : `${to}(${what})`;
  if ((pointer.type as PointerType).space === 'texel') {
    const place = placeFor(f, pointer);
    return guarded(f, atom(atomicTexel(f, place, name, texts(f, values))), pointer, place);
  }
  const at = atomicPointer(f, pointer, wanted);
  const args = values.map((value) => cast(wanted, given, text(f, value)));
  const made = `metal::atomic_${name}_explicit(${[at.text, ...args].join(', ')}, metal::memory_order_relaxed)`;
  return guarded(f, atom(cast(given, wanted, made)), pointer, at.place);
}

/** With the conditions under which it may change a place. */
export function guarded(f: FunctionContext, made: Expression, pointer: Value, place: Place): Expression {
  const guards = guardsOfWrite(f, pointer, place);
  return guards ? { ...made, guards } : made;
}

function barrierText(
  f: FunctionContext,
  { execution, memory }: Extract<MslSpelling, { kind: 'barrier' }>,
): string {
  const device = 'metal::mem_flags::mem_device | metal::mem_flags::mem_texture';
  const group = 'metal::mem_flags::mem_threadgroup';
  const flags = memory === 'workgroup' ? group : memory === 'device' ? device : `${device} | ${group}`;
  if (execution) return `metal::threadgroup_barrier(${flags})`;
  const version = Number(f.options.metal.version);
  // Before 3.2 Metal orders memory only where threads meet.
  if (version < 3.2) return '(void)0';
  return `metal::atomic_thread_fence(${flags}, metal::memory_order_seq_cst, metal::thread_scope_device)`;
}

/** What a pointer's place holds, for operands that are read through it. */
export function readPlace(f: FunctionContext, pointer: Value): string {
  return loadText(f, placeFor(f, pointer));
}
export { binding, bound, operand };
export type { Type };
