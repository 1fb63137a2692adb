/**
 * Messages by function. All functions are checked, as DXC does, but what a function needs that is "not supported yet"
 * only matters if the entry reaches it: headers are full of code for other stages. So each function's messages go to
 * a log of their own, and when it is known what is reached, the logs are joined in order of the source.
 */
import { type MessageKey, messageTable } from '../source/messages.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Context, Segment } from './context.ts';
import type { FunctionSymbol } from './program.ts';

/** Opens a stretch and makes its log the one that is written to. */
export function openSegment(context: Context, log: DiagnosticLog, owner?: FunctionSymbol): Segment {
  const segment: Segment = { log: log.child(), ...(owner && { function: owner }) };
  context.declared.segments.push(segment);
  context.log = segment.log;
  return segment;
}

/** Runs `work` with a stretch of its own, whose function it may set; afterwards the stretch around it goes on. */
export function inSegment(context: Context, work: (segment: Segment) => void): void {
  const outer = context.declared.segments.at(-1);
  work(openSegment(context, context.log));
  openSegment(context, context.log, outer?.function);
}

/** What a function needs and may not have where it runs: matters only if the entry reaches the function. */
const aboutUse: ReadonlySet<MessageKey> = new Set<MessageKey>(['intrinsic-stage', 'intrinsic-shader-model']);

/** Joins the stretches into `log`, without what is not supported in functions that are not reached. */
export function joinSegments(
  context: Context,
  log: DiagnosticLog,
  reached: ReadonlySet<FunctionSymbol>,
): void {
  for (const segment of context.declared.segments) {
    const matters = !segment.function || reached.has(segment.function);
    for (const diagnostic of segment.log.diagnostics) {
      const unused =
        aboutUse.has(diagnostic.key) || messageTable()[diagnostic.key].text.includes('not supported yet');
      if (matters || !unused) log.adopt(diagnostic);
    }
  }
  context.log = log;
}
