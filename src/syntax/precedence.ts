/** Precedence of binary operators: the one place that knows it. All of them group to the left. */
import type { BinaryOperator } from './ast.ts';

const levels: BinaryOperator[][] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Higher binds tighter. */
export const precedence: ReadonlyMap<string, number> = new Map(
  levels.flatMap((operators, level) => operators.map((op): [string, number] => [op, level + 1])),
);
