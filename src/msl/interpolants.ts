/** Inputs of a pixel shader that are interpolated where the shader says: Metal's interpolants. */
import { partOf } from '../ir/builder.ts';
import { intrinsicOf } from '../intrinsics/table.ts';
import type { Global, InterfaceVariable, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { PointerType, Type } from '../types/type.ts';
import { atom, text } from './code.ts';
import { type Context, type Expression, type FunctionContext, report } from './context.ts';
import type { Survey } from './survey.ts';

/** The inputs that some instruction interpolates anew. */
export function findInterpolants(contents: Survey): Set<Global> {
  const found = new Set<Global>();
  for (const { intrinsics } of contents.values())
    for (const one of intrinsics)
      if (intrinsicOf(one).msl?.kind === 'interpolate') found.add(inputOf(one.operands[0]!).global);
  return found;
}

/** The input behind a pointer, and the indices into it. */
function inputOf(pointer: Value): { global: Global; indices: readonly Value[] } {
  const isPart = pointer.kind === 'result' && pointer.instruction.op === 'access';
  const [base, ...indices] = isPart ? pointer.instruction.operands : [pointer];
  if (base?.kind !== 'global' || base.role.kind !== 'input')
    throw new InternalError('only inputs are interpolated');
  return { global: base, indices };
}

export function isInput(pointer: Value): boolean {
  return pointer.kind === 'global' && pointer.role.kind === 'input';
}

/** Type of the field that holds an interpolant. */
export function interpolantText({ interpolation }: InterfaceVariable, type: string): string {
  const how = interpolation.includes('noperspective') ? 'no_perspective' : 'perspective';
  return `metal::interpolant<${type}, metal::interpolation::${how}>`;
}

/** Its value where nothing is said, which the modifiers decide. */
export function interpolantValue(
  { interpolation }: InterfaceVariable,
  field: string,
  sample: () => string,
): string {
  if (interpolation.includes('centroid')) return `${field}.interpolate_at_centroid()`;
  if (interpolation.includes('sample')) return `${field}.interpolate_at_sample(${sample()})`;
  return `${field}.interpolate_at_center()`;
}

/** A call that interpolates an input, or a part of it. */
export function interpolated(f: FunctionContext, operands: readonly Value[], method: string): Expression {
  const [pointer, where] = operands as [Value, Value?];
  const { global, indices } = inputOf(pointer);
  const fields = f.interpolantFields.get(global);
  if (!fields) throw new InternalError(`'${global.name}' is no interpolant of this entry`, f.at);
  const field = fields[fieldNumber(f, (global.type as PointerType).pointee, indices)];
  // Metal counts from the upper left corner of the pixel, HLSL from its centre.
  const argument =
    where && (method.endsWith('offset') ? `metal::float2(0.5f) + ${text(f, where)}` : text(f, where));
  return atom(`${field}.${method}(${argument ?? ''})`);
}

/** Which field an element of an array or a row is. */
function fieldNumber(context: Context, type: Type, indices: readonly Value[]): number {
  const [index, ...rest] = indices;
  if (!index) return 0;
  if (index.kind !== 'constant') {
    report(context, 'metal-lacks', { what: 'interpolating an element that an index chooses at run time' });
    return 0;
  }
  const part = partOf(type, 0);
  return Number(index.value) * fieldCount(part) + fieldNumber(context, part, rest);
}

function fieldCount(type: Type): number {
  if (type.kind === 'matrix') return type.rows;
  return type.kind === 'array' ? type.size * fieldCount(type.element) : 1;
}
