/**
 * What one invocation is while it runs. It is a generator that stops where it needs the others (barrier, derivative, wave
 * operation); the scheduler answers and goes on.
 */
import type { Type } from '../../../src/types/type.ts';
import type { Cell } from './memory.ts';
import type { Datum } from './value.ts';

/** Where invocations have to meet. */
export type Request =
  | { kind: 'barrier' }
  /** Answered with one value per lane of the quad (0 left top, 1 right top, 2 left bottom, 3 right bottom). */
  | { kind: 'quad'; value: Datum }
  /** Answered with the values of the active lanes of the wave, by lane; absent lanes are undefined. */
  | { kind: 'wave'; value: Datum };

export type Answer = readonly (Datum | undefined)[];

/** A computation that may stop to meet others. */
export type Running<T> = Generator<Request, T, Answer>;

export interface Thread {
  /** Cells of private and interface globals, by global. */
  globals: Map<object, Cell>;
  /** Pixels that were discarded or never were part of the primitive: what they write is not seen. */
  demoted: boolean;
  /** Number within the wave. */
  lane: number;
  waveSize: number;
  /** The control flow path, for finding who waits at the same place: see schedule.ts. */
  path: number[];
  /** Shared by all threads of one run. */
  budget: { steps: number };
}

export interface CallContext {
  thread: Thread;
  resultType: Type | undefined;
}
