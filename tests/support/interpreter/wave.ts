/** Wave and quad operations, derivatives and barriers: what invocations do together. */
import { binary } from './arithmetic.ts';
import type { Running, Thread } from './thread.ts';
import { asNumber, type Datum, fail, isList, map, normalize, numbers, type ScalarShape } from './value.ts';

type Combine = (a: Datum, b: Datum) => Datum;

/** Names of operations that need other invocations. */
export function isTogether(name: string): boolean {
  return /^(Wave|Quad|wave\.|quad\.|ddx|ddy|fwidth)|Barrier/.test(name);
}

export function* callTogether(
  name: string,
  args: readonly Datum[],
  shape: ScalarShape | undefined,
  thread: Thread,
): Running<Datum | undefined> {
  if (name.includes('Barrier')) {
    if (name.endsWith('WithGroupSync')) yield { kind: 'barrier' };
    return undefined;
  }
  if (/^quad/i.test(name)) return yield* quad(name, args, thread);
  if (name.startsWith('wave.')) return countBallot(name, args[0]!, thread);
  if (name.startsWith('Wave')) return yield* wave(name, args, shape, thread);
  return yield* derivative(name, args, shape ?? fail(`${name} needs a number`), thread);
}

/** Bits of a ballot: all, or those of the lanes before the own one. */
function countBallot(name: string, ballotValue: Datum, thread: Thread): number {
  const words = numbers(ballotValue);
  const isSet = (lane: number): boolean => ((words[lane >> 5]! >>> (lane & 31)) & 1) === 1;
  const end = name === 'wave.prefix-count-bits' ? thread.lane : 128;
  return Array.from({ length: end }, (_, lane) => isSet(lane)).filter(Boolean).length;
}

function* derivative(
  name: string,
  args: readonly Datum[],
  shape: ScalarShape,
  thread: Thread,
): Running<Datum> {
  const lanes = yield { kind: 'quad', value: args[0]! };
  const lane = thread.lane % 4;
  const at = (i: number): Datum => lanes[i] ?? fail(`${name} in divergent control flow`);
  const minus: Combine = (a, b) => map([a, b], (x, y) => binary['sub']!(x!, y!, shape));
  const coarse = name.endsWith('coarse');
  const ddx = (): Datum => {
    const row = coarse ? 0 : lane & 2;
    return minus(at(row + 1), at(row));
  };
  const ddy = (): Datum => {
    const column = coarse ? 0 : lane & 1;
    return minus(at(column + 2), at(column));
  };
  if (name.startsWith('ddx')) return ddx();
  if (name.startsWith('ddy')) return ddy();
  return map([ddx(), ddy()], (x, y) => normalize(Math.abs(Number(x)) + Math.abs(Number(y)), shape));
}

function* quad(name: string, args: readonly Datum[], thread: Thread): Running<Datum> {
  const lanes = yield { kind: 'quad', value: args[0]! };
  const lane = thread.lane % 4;
  const from = { QuadReadAcrossX: lane ^ 1, QuadReadAcrossY: lane ^ 2, QuadReadAcrossDiagonal: lane ^ 3 }[
    name
  ];
  if (name === 'quad.swap') {
    const other = lane ^ [1, 2, 3][asNumber(args[1]!)]!;
    return lanes[other] ?? fail(`${name} from a lane that is not active`);
  }
  if (from !== undefined) return lanes[from] ?? fail(`${name} from a lane that is not active`);
  if (name === 'QuadReadLaneAt')
    return lanes[asNumber(args[1]!)] ?? fail(`${name} from a lane that is not active`);
  const all = lanes.filter((value) => value !== undefined);
  if (name === 'QuadAny') return all.some((value) => value === true);
  if (name === 'QuadAll') return all.every((value) => value === true);
  return fail(`the interpreter has no definition of '${name}'`);
}

const combiners: Record<string, string> = {
  Sum: 'add',
  Product: 'mul',
  BitAnd: 'and',
  BitOr: 'or',
  BitXor: 'xor',
};

function combiner(operation: string, shape: ScalarShape): Combine | undefined {
  if (operation === 'Min') return (a, b) => map([a, b], (x, y) => (y! < x! ? y! : x!));
  if (operation === 'Max') return (a, b) => map([a, b], (x, y) => (y! > x! ? y! : x!));
  const of = binary[combiners[operation] ?? ''];
  return of && ((a, b) => map([a, b], (x, y) => of(x!, y!, shape)));
}

function* wave(
  name: string,
  args: readonly Datum[],
  shape: ScalarShape | undefined,
  thread: Thread,
): Running<Datum> {
  if (name === 'WaveGetLaneIndex') return thread.lane;
  if (name === 'WaveGetLaneCount') return thread.waveSize;
  const lanes = yield { kind: 'wave', value: args[0] ?? true };
  const active = lanes.filter((value) => value !== undefined);
  const before = lanes.slice(0, thread.lane).filter((value) => value !== undefined);
  switch (name) {
    case 'WaveIsFirstLane':
      return before.length === 0;
    case 'WaveActiveAllTrue':
      return active.every((value) => value === true);
    case 'WaveActiveAnyTrue':
      return active.some((value) => value === true);
    case 'WaveActiveCountBits':
      return active.filter((value) => value === true).length;
    case 'WavePrefixCountBits':
      return before.filter((value) => value === true).length;
    case 'WaveActiveBallot':
      return ballot(lanes);
    case 'WaveActiveAllEqual':
      return allEqual(active);
    case 'WaveReadLaneFirst':
      return active[0]!;
    case 'WaveReadLaneAt':
      return lanes[asNumber(args[1]!)] ?? fail('WaveReadLaneAt from a lane that is not active');
    default:
      return combine(name, active, before, shape ?? fail(`${name} needs a number`));
  }
}

function ballot(lanes: readonly (Datum | undefined)[]): Datum {
  const words = [0, 0, 0, 0];
  lanes.forEach((value, i) => {
    if (value === true) words[i >> 5] = (words[i >> 5]! | (1 << (i & 31))) >>> 0;
  });
  return words;
}

function allEqual(active: readonly Datum[]): Datum {
  const first = active[0]!;
  const same = (a: Datum, b: Datum): Datum => map([a, b], (x, y) => x === y);
  const results = active.map((value) => same(first, value));
  return results.reduce((a, b) => map([a, b], (x, y) => Boolean(x) && Boolean(y)));
}

function combine(
  name: string,
  active: readonly Datum[],
  before: readonly Datum[],
  shape: ScalarShape,
): Datum {
  const reduced = /^WaveActive(\w+)$/.exec(name);
  const prefix = /^WavePrefix(\w+)$/.exec(name);
  const operation = reduced?.[1] ?? prefix?.[1] ?? '';
  const of = combiner(operation, shape) ?? fail(`the interpreter has no definition of '${name}'`);
  if (reduced) return active.reduce(of);
  const neutral = normalize(operation === 'Product' ? 1 : 0, shape);
  const start = isList(active[0]!) ? map([active[0]!], () => neutral) : neutral;
  return before.reduce(of, start);
}
