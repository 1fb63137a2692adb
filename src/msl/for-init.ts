/** The declaration in front of a loop as the first part of its `for`, as people write it. */
import type { FunctionContext } from './context.ts';
import { bare, marked } from './marks.ts';

/**
 * Moves a declaration into the header of a loop, if it declares what the step changes, nothing behind the loop uses that, and both
 * come from one line of the source. To be called behind the loop's body. `start` and `header`: the first line that was written for
 * the loop, and that of its header. `parameters`: locals of the loop that nothing behind it can use.
 */
export function joinDeclaration(
  f: FunctionContext,
  { start, header }: { start: number; header: number },
  step: string,
  parameters: readonly string[],
): void {
  const { lines } = f.writer;
  const loop = lines[header]!;
  const name = /^\w+/.exec(bare(step))?.[0];
  // Between it and the loop stand declarations of the loop's other locals alone.
  let at = header - 1;
  while (at >= start && lines[at]!.declared !== name) at--;
  const before = lines[at];
  if (name === undefined || before?.declared !== name || bare(step).includes(',')) return;
  const text = bare(before.text).trim();
  const variable = f.lateNames.get(name);
  const isGone = parameters.includes(name) || (variable !== undefined && f.left.get(variable) === 0);
  if (!isGone || !/^[\w:]+ \w+ = .*;$/.test(text) || text.length > 60) return;
  if (lineOf(f, before.position) !== lineOf(f, loop.position)) return;
  const init = before.text.trim().slice(0, -1);
  lines[header] = {
    ...loop,
    text: loop.text.replace('for (;', () => `for (${f.marks ? marked(before.position, init) : init};`),
    declared: name,
  };
  lines.splice(at, 1);
}

/** The line of the source that a position is on, as `#line` has it. */
export function lineOf(f: FunctionContext, position: number): string {
  const { name, presumedLine } = f.module.sourceMap.presumed(f.module.positions.get(position).location);
  return `${presumedLine} ${name}`;
}
