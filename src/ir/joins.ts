/**
 * Values in the making that meet where control joins, for passes that turn memory into values: each join has a phi per
 * variable that may be changed on the way there. When all arrivals are known, phis that only pass one value on are replaced by
 * it, those that nothing needs are left out, and the rest become results of control instructions and parameters of
 * blocks.
 */
import { sameValue } from './constants.ts';
import type { Instruction, Parameter, Result, Value } from './ir.ts';
import { resolve } from './rewrite.ts';

export interface Phi {
  value: Result | Parameter;
  /** Parallel to the join's arrivals. */
  incoming: Value[];
  /** What the variable holds in front of the control instruction; may be used at the join. */
  before: Value;
}

export interface Join {
  /** `results`: behind the control instruction; `head`, `continuing`: parameters of a loop's blocks. */
  kind: 'results' | 'head' | 'continuing';
  control: Instruction;
  phis: Phi[];
  /** Terminators that lead here; the first arrival at a loop's head is the loop itself. */
  arrivals: Instruction[];
  /** Values that may be used at the join besides `before`, per phi: at `continuing`, those of the head. */
  visible: readonly Value[] | undefined;
}

/**
 * Finds what the phis come down to. `replaced` receives the values that stand for phis which only pass one on; the
 * result is the phis that code needs, directly or through others; `eachUsed` hands on what code uses.
 */
export function settle(
  joins: readonly Join[],
  eachUsed: (need: (value: Value) => void) => void,
  replaced: Map<Value, Value>,
): Set<Phi> {
  const phis = new Map<Value, Phi>();
  for (const join of joins) for (const phi of join.phis) phis.set(phi.value, phi);
  simplify(joins, phis, replaced);
  const needed = new Set<Phi>();
  const work: Phi[] = [];
  const need = (value: Value): void => {
    if (value.kind !== 'result' && value.kind !== 'parameter') return;
    const phi = phis.get(resolve(value, replaced));
    if (!phi || needed.has(phi)) return;
    needed.add(phi);
    work.push(phi);
  };
  eachUsed(need);
  for (let phi = work.pop(); phi; phi = work.pop()) phi.incoming.forEach(need);
  return needed;
}

function simplify(joins: readonly Join[], phis: ReadonlyMap<Value, Phi>, replaced: Map<Value, Value>): void {
  const users = new Map<Phi, { join: Join; index: number }[]>();
  const work: { join: Join; index: number }[] = [];
  for (const join of joins) {
    join.phis.forEach((phi, index) => {
      work.push({ join, index });
      for (const value of [...phi.incoming, phi.before]) {
        const source = phis.get(resolve(value, replaced));
        if (!source || source === phi) continue;
        const known = users.get(source);
        if (known) known.push({ join, index });
        else users.set(source, [{ join, index }]);
      }
    });
  }
  for (let i = 0; i < work.length; i++) {
    const { join, index } = work[i]!;
    const phi = join.phis[index]!;
    if (replaced.has(phi.value)) continue;
    const value = passedOn(phi, join, index, replaced);
    if (!value) continue;
    replaced.set(phi.value, value);
    const onto = phis.get(value);
    for (const user of users.get(phi) ?? []) {
      work.push(user);
      if (!onto) continue;
      const known = users.get(onto);
      if (known) known.push(user);
      else users.set(onto, [user]);
    }
  }
}

/** The one value that arrives, if it may be used at the join. */
function passedOn(
  phi: Phi,
  join: Join,
  index: number,
  replaced: ReadonlyMap<Value, Value>,
): Value | undefined {
  let only: Value | undefined;
  for (const value of phi.incoming) {
    const arriving = resolve(value, replaced);
    if (arriving === phi.value) continue;
    if (only && !isSameValue(only, arriving)) return undefined;
    only = arriving;
  }
  // Nothing arrives: the place is never reached.
  if (!only) return { kind: 'undef', type: phi.value.type };
  if (only.kind === 'constant' || only.kind === 'undef' || only.kind === 'global') return only;
  if (only === resolve(phi.before, replaced)) return only;
  const visible = join.visible?.[index];
  return visible && only === resolve(visible, replaced) ? only : undefined;
}

/** As `sameValue`; all undefined values are alike besides. */
export function isSameValue(a: Value, b: Value): boolean {
  return sameValue(a, b) || (a.kind === 'undef' && b.kind === 'undef');
}

/** Gives the needed phis their places in the code. */
export function materialize(
  joins: readonly Join[],
  needed: ReadonlySet<Phi>,
  replaced: ReadonlyMap<Value, Value>,
): void {
  for (const join of joins) {
    for (const phi of join.phis) {
      if (!needed.has(phi) || replaced.has(phi.value)) continue;
      receive(join, phi.value);
      join.arrivals.forEach((terminator, i) => {
        send(join, terminator, resolve(phi.incoming[i]!, replaced));
      });
    }
  }
}

function receive({ kind, control }: Join, value: Result | Parameter): void {
  if (value.kind === 'result') control.results.push(value);
  else control.blocks[kind === 'head' ? 0 : 1]!.parameters.push(value);
}

function send({ kind }: Join, terminator: Instruction, value: Value): void {
  if (terminator.op !== 'repeat_if' || kind === 'results') {
    terminator.operands.push(value);
    return;
  }
  // The condition and the values for the next turn stand in front of those that leave.
  const count = terminator.repeatCount ?? 0;
  terminator.operands.splice(1 + count, 0, value);
  terminator.repeatCount = count + 1;
}
