/**
 * What a record of a variable can show of a value. Readers show values in the shape of their SPIR-V types, where HLSL's rows are columns:
 * matrices are therefore told row by row, and a matrix whose rows the code does not have one by one is unknown.
 */
import { partType } from '../ir/builder.ts';
import type { Instruction, Undef, Value } from '../ir/ir.ts';
import { knownPart, partCount } from '../ir/parts.ts';
import type { Type } from '../types/type.ts';
import type { Context, FunctionContext } from './context.ts';
import { isTrueMatrix } from './types.ts';

/** A part of a variable, and the value or the id that it has. */
export interface ShownPart {
  indices: readonly number[];
  value: Value | number;
}

/** Parts that one record may become. */
const mostParts = 64;

/** What a `debug_value` says, part by part if readers need that. */
export function shownParts(f: FunctionContext, { operands, indices = [] }: Instruction): ShownPart[] {
  const value = operands[0]!;
  if (!showsTransposed(f, value.type)) return [{ indices, value }];
  const parts: ShownPart[] = [];
  if (!addRows(f, value, [], parts)) return [{ indices, value: undef(value.type) }];
  return parts.map((part) => ({ ...part, indices: [...indices, ...part.indices] }));
}

/** True if the SPIR-V type has a matrix in it. */
export function showsTransposed(context: Context, type: Type): boolean {
  switch (type.kind) {
    case 'matrix':
      return context.matrixValues && isTrueMatrix(type);
    case 'array':
      return showsTransposed(context, type.element);
    case 'struct':
      return context.matrixValues && type.members.some((member) => showsTransposed(context, member.type));
    default:
      return false;
  }
}

/** False if there are too many. */
function addRows(f: FunctionContext, value: Value, path: readonly number[], parts: ShownPart[]): boolean {
  const { type } = value;
  if (!showsTransposed(f, type)) return parts.push({ indices: path, value }) <= mostParts;
  const id = value.kind === 'result' || value.kind === 'parameter' ? f.values.get(value) : undefined;
  const rows = id === undefined ? undefined : f.rows.get(id);
  for (let index = 0; index < partCount(type); index++) {
    const inner = [...path, index];
    const found = knownPart(value, [index]);
    const row = rows?.[index];
    if (found.path.length > 0 && row !== undefined) parts.push({ indices: inner, value: row });
    else if (
      !addRows(f, found.path.length === 0 ? found.value : undef(partType(type, [index])), inner, parts)
    )
      return false;
  }
  return parts.length <= mostParts;
}

const undef = (type: Type): Undef => ({ kind: 'undef', type });
