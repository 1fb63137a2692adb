/**
 * Units on several threads. Each thread takes the next unit by a shared counter, the main thread too, so that nobody waits for anybody
 * but at the end.
 */
import { join } from 'node:path';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { workerFlag } from '../command.ts';
import { Files } from './files.ts';
import { compileUnit, type Unit, type UnitResult } from './unit.ts';

interface Task {
  root: string;
  units: Unit[];
  /** One number: the next unit to take. */
  counter: Int32Array;
}
interface WorkerTask extends Task {
  port: MessagePort;
}
interface Done {
  index: number;
  result: UnitResult;
}

/** Takes units until there is none. */
function takeUnits({ root, units, counter }: Task, done: (one: Done) => void): void {
  const files = new Files(root);
  for (;;) {
    const index = Atomics.add(counter, 0, 1);
    const unit = units[index];
    if (!unit) return;
    done({ index, result: compileUnit(unit, files) });
  }
}

/** What a thread does; gives its exit code. Undefined if this is no thread of a batch. */
export function work(): number | undefined {
  const task = workerData as WorkerTask | null;
  if (!task) return undefined;
  takeUnits(task, (one) => {
    task.port.postMessage(one);
  });
  task.port.close();
  return 0;
}

/** A thread costs 0.35 s of processor time until it is as fast as the first, and an ordinary unit 0.014 s (measured). */
const unitsPerThread = 24;

/** How many threads pay, the main one included. */
export function threadCount(units: number, cores: number, limit: number): number {
  const most = limit === 0 ? cores : Math.min(limit, cores);
  return Math.max(1, Math.min(most, Math.ceil(units / unitsPerThread)));
}

/** Compiles units; `progress` is told each that is done. The results are in the order of the units. */
export async function compileUnits(
  units: Unit[],
  env: { root: string; threads: number; folder: string; progress: (unit: Unit) => void },
): Promise<UnitResult[]> {
  const results: UnitResult[] = [];
  const task: Task = { root: env.root, units, counter: new Int32Array(new SharedArrayBuffer(4)) };
  const take = ({ index, result }: Done): void => {
    results[index] = result;
    env.progress(units[index]!);
  };
  const workers = Array.from({ length: env.threads - 1 }, () => startWorker(task, env.folder));
  const drain = (): void => {
    for (const { port } of workers)
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port))
        take(got.message as Done);
  };
  takeUnits(task, (one) => {
    take(one);
    drain();
  });
  await Promise.all(workers.map(({ ended }) => ended));
  drain();
  for (const { port } of workers) port.close();
  // What a thread had in hand when it died.
  const files = new Files(env.root);
  units.forEach((unit, index) => {
    if (!results[index]) take({ index, result: compileUnit(unit, files) });
  });
  return results;
}

function startWorker(task: Task, folder: string): { port: MessagePort; ended: Promise<void> } {
  const { port1, port2 } = new MessageChannel();
  const data: WorkerTask = { ...task, port: port2 };
  const worker = new Worker(join(folder, 'oneshader.cjs'), {
    argv: [workerFlag],
    workerData: data,
    transferList: [port2],
  });
  const ended = new Promise<void>((resolve) => {
    worker.on('error', () => resolve());
    worker.on('exit', () => resolve());
  });
  return { port: port1, ended };
}
