/** Messages of lowering: opaque values that cannot be settled, recursion, limits of the language, OS38xx. */
import type { Message } from '../diagnostic.ts';

export const loweringMessages = () =>
  ({
    'recursive-call': {
      code: 'OS3801',
      severity: 'error',
      text: 'recursive functions are not allowed: {chain}',
    },
    'call-depth': {
      code: 'OS3813',
      severity: 'error',
      text: 'calls are nested more than {limit} functions deep',
    },
    'opaque-ambiguous': {
      code: 'OS3802',
      severity: 'error',
      text: 'which resource this is depends on the control flow that meets at line {line}',
    },
    'opaque-unset': {
      code: 'OS3803',
      severity: 'error',
      text: 'this resource variable is used before it is set',
    },
    'opaque-in-loop': {
      code: 'OS3804',
      severity: 'error',
      text: "'{name}' is declared outside the loop, so that the resource it is set to would depend on the turn",
    },
    'opaque-index': {
      code: 'OS3805',
      severity: 'error',
      text: 'resources that do not form one array cannot be indexed at run time',
    },
    'opaque-global': {
      code: 'OS3806',
      severity: 'error',
      text: "'{name}' names a resource outside functions and cannot be set to another",
    },
    'opaque-result-index': {
      code: 'OS3807',
      severity: 'error',
      text: "which resource '{name}' hands back depends on an index that it computes",
    },
    'opaque-array-size': {
      code: 'OS3812',
      severity: 'error',
      text: "an element of '{type}' cannot be set to another resource, because the array has more than {limit} elements",
    },
    'unroll-turns': {
      code: 'OS3808',
      severity: 'warning',
      group: 'unroll',
      text: 'the loop is not unrolled: how often it turns is not known at compile time',
    },
    'unroll-size': {
      code: 'OS3809',
      severity: 'warning',
      group: 'unroll',
      text: 'the loop is not unrolled: {turns} turns would make the code too large',
    },
    'unroll-count': {
      code: 'OS3810',
      severity: 'warning',
      group: 'unroll',
      text: "the loop is not unrolled: it turns more often than the {count} times that 'unroll' allows",
    },
    'unroll-continue': {
      code: 'OS3811',
      severity: 'warning',
      group: 'unroll',
      text: "the loop is not unrolled: a 'continue' in it leaves a switch, or code that would stand twice",
    },
  }) as const satisfies Record<string, Message>;
