/**
 * Runs invocations together: each until it has to meet others, then those that wait at the same place are answered.
 *
 * A barrier is passed when every thread of the group that still runs waits at it. A wave operation or a derivative is
 * answered when nobody can go on without one: then the threads whose control flow path comes first in program order go,
 * which makes threads meet again behind an `if` or a loop before they do anything together.
 */
import type { Answer, Request, Running, Thread } from './thread.ts';
import { fail } from './value.ts';

interface Slot {
  thread: Thread;
  running: Running<unknown>;
  /** What it waits for; undefined once it has ended. */
  waiting: Request | undefined;
  path: readonly number[];
}

/** `waves`: threads by wave, in lane order. Quads are taken from consecutive lanes. */
export function runTogether(
  threads: readonly { thread: Thread; running: Running<unknown> }[],
  waveSize: number,
): void {
  const slots: Slot[] = threads.map((one) => ({ ...one, waiting: undefined, path: [] }));
  for (const slot of slots) advance(slot, []);
  for (;;) {
    const waiting = slots.filter((slot) => slot.waiting);
    if (waiting.length === 0) return;
    const met = waiting.filter((slot) => slot.waiting!.kind !== 'barrier');
    if (met.length === 0) passBarrier(waiting);
    else answerFirst(slots, met, waveSize);
  }
}

function advance(slot: Slot, answer: Answer): void {
  const next = slot.running.next(answer);
  slot.waiting = next.done ? undefined : next.value;
  slot.path = slot.thread.path.slice();
}

function passBarrier(waiting: readonly Slot[]): void {
  const first = waiting[0]!;
  if (waiting.some((slot) => comparePaths(slot.path, first.path) !== 0))
    fail('a barrier in divergent control flow');
  for (const slot of waiting) advance(slot, []);
}

function answerFirst(slots: readonly Slot[], met: readonly Slot[], waveSize: number): void {
  const first = met.reduce((least, slot) => (comparePaths(slot.path, least.path) < 0 ? slot : least));
  const size = first.waiting!.kind === 'quad' ? 4 : waveSize;
  const start = Math.floor(slots.indexOf(first) / size) * size;
  const group = slots.slice(start, start + size);
  const active = group.map((slot) =>
    slot.waiting && comparePaths(slot.path, first.path) === 0 ? slot : undefined,
  );
  const answer = active.map((slot) =>
    slot?.waiting && 'value' in slot.waiting ? slot.waiting.value : undefined,
  );
  for (const slot of active) if (slot) advance(slot, answer);
}

/** Program order of two control flow paths. */
function comparePaths(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
