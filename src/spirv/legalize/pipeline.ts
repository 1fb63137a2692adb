/** Which legalize passes run, in what order, and why that order. */
import type { Module } from '../../ir/ir.ts';
import type { Options } from '../../options.ts';
import { dce } from '../../passes/dce.ts';
import type { PassWatcher } from '../../passes/pipeline.ts';
import { baseInstance } from './base-instance.ts';
import { baseVertex } from './base-vertex.ts';
import { clipDistances } from './clip-distances.ts';
import { flatResourceArrays } from './flat-resource-arrays.ts';
import { interfaceTypes } from './interface-types.ts';
import { repeatDebugValues } from './repeat-debug-values.ts';
import { signedRemainders } from './signed-remainders.ts';
import { splitDebugConstants } from './split-debug-constants.ts';
import { texelParts } from './texel-parts.ts';
import { vectorForms } from './vector-forms.ts';

interface Step {
  name: string;
  /** What it gives is whether it changed code, if the next one is to know. */
  pass: (module: Module) => unknown;
  isWanted?: (options: Options) => boolean;
  /** Left out if the step before changed nothing. */
  afterChange?: true;
}

const steps: readonly Step[] = [
  // These see inputs and outputs with the user's types.
  { name: 'baseInstance', pass: baseInstance, isWanted: (options) => options.supportNonzeroBaseInstance },
  { name: 'baseVertex', pass: baseVertex, isWanted: (options) => options.supportNonzeroBaseVertex },
  { name: 'clipDistances', pass: clipDistances },
  // Last of those that touch the interface: it gives the variables their final types.
  { name: 'interfaceTypes', pass: interfaceTypes },
  { name: 'flatResourceArrays', pass: flatResourceArrays },
  { name: 'texelParts', pass: texelParts },
  { name: 'signedRemainders', pass: signedRemainders },
  { name: 'vectorForms', pass: vectorForms, isWanted: (options) => options.optimizationLevel > 0 },
  // Then the parts go that are not taken one by one any more.
  { name: 'dce', pass: dce, afterChange: true },
  // Behind all that changes code.
  { name: 'splitDebugConstants', pass: splitDebugConstants, isWanted: (options) => options.debug.records },
  { name: 'repeatDebugValues', pass: repeatDebugValues, isWanted: (options) => options.debug.records },
];

export function legalize(module: Module, options: Options, watch?: PassWatcher): void {
  let changed = false;
  for (const { name, pass, isWanted, afterChange } of steps) {
    const runs: boolean = afterChange ? changed : (isWanted?.(options) ?? true);
    changed = runs && pass(module) === true;
    if (runs) watch?.(module, name, changed);
  }
}
