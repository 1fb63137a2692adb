/** Where modifiers may stand, as in DXC: one that means nothing where it stands is refused, for its author expects something of it. */
import type { Modifier } from '../syntax/ast.ts';
import { hasModifier } from './attributes.ts';
import type { Context } from './context.ts';

/** What a declaration declares. Members of a cbuffer count as global variables. */
export type Declared =
  | 'global variable'
  | 'local variable'
  | 'parameter'
  | 'member'
  | 'function'
  | 'method'
  | 'type definition';

const interpolated: readonly Declared[] = ['parameter', 'member', 'function'];
const topology: readonly Declared[] = ['parameter'];

/** Modifiers that are not here may stand everywhere, or have rules of their own. */
const places: Readonly<Record<string, readonly Declared[]>> = {
  static: ['global variable', 'local variable', 'member', 'function', 'method'],
  extern: ['global variable', 'function'],
  export: ['function'],
  shared: ['global variable'],
  uniform: ['global variable', 'parameter'],
  groupshared: ['global variable', 'parameter'],
  volatile: ['local variable', 'type definition'],
  in: ['parameter'],
  out: ['parameter'],
  inout: ['parameter'],
  nointerpolation: interpolated,
  linear: interpolated,
  centroid: interpolated,
  center: interpolated,
  sample: interpolated,
  noperspective: interpolated,
  point: topology,
  line: topology,
  lineadj: topology,
  triangle: topology,
  triangleadj: topology,
  indices: topology,
  vertices: topology,
  primitives: topology,
  payload: topology,
};

/** Reports modifiers that a declaration of this kind cannot have. */
export function checkModifiers(
  context: Context,
  modifiers: readonly Modifier[],
  what: Declared,
  name: string,
): void {
  for (const { text, at } of modifiers) {
    const allowed = Object.hasOwn(places, text) ? places[text]! : undefined;
    const isConstMember = text === 'const' && what === 'member' && !hasModifier(modifiers, 'static');
    if (isConstMember || (allowed && !allowed.includes(what)))
      context.log.report('modifier-misplaced', at, { modifier: text, what, name });
  }
}
