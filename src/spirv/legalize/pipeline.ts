/** Which legalize passes run, in what order, and why that order. */
import type { Module } from '../../ir/ir.ts';
import type { Options } from '../../options.ts';
import { dce } from '../../passes/dce.ts';
import { baseInstance } from './base-instance.ts';
import { baseVertex } from './base-vertex.ts';
import { clipDistances } from './clip-distances.ts';
import { flatResourceArrays } from './flat-resource-arrays.ts';
import { interfaceTypes } from './interface-types.ts';
import { repeatDebugValues } from './repeat-debug-values.ts';
import { signedRemainders } from './signed-remainders.ts';
import { texelParts } from './texel-parts.ts';
import { vectorForms } from './vector-forms.ts';

export function legalize(module: Module, options: Options): void {
  // These see inputs and outputs with the user's types.
  if (options.supportNonzeroBaseInstance) baseInstance(module);
  if (options.supportNonzeroBaseVertex) baseVertex(module);
  clipDistances(module);
  // Last of those that touch the interface: it gives the variables their final types.
  interfaceTypes(module);
  flatResourceArrays(module);
  texelParts(module);
  signedRemainders(module);
  // Then the parts go that are not taken one by one any more.
  if (options.optimizationLevel > 0 && vectorForms(module)) dce(module);
  // Behind all that changes code.
  if (options.debug.records) repeatDebugValues(module);
}
