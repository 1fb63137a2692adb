/** Statements by which the threads of a group tell each other something; all threads reach them. */
import { StatementGrower } from './statements.ts';
import { leavesOf, type Numeric, type Scope, spell, uint, variableOf, vector } from './types.ts';

/** Threads of a program; the shared memory has a place for each. */
export const threads = 4;

export class ExchangeGrower extends StatementGrower {
  /** Declarations of shared memory besides `gs`. */
  protected readonly shared: string[] = [];

  protected exchange(scope: Scope): void {
    switch (this.choose(7)) {
      case 0:
      case 1:
        this.#words(scope);
        return;
      case 2:
        this.#wide(scope);
        return;
      case 3:
        this.#reduction(scope);
        return;
      case 4:
        this.#atomic(scope);
        return;
      case 5:
        this.#throughBuffer(scope);
        return;
      default:
        this.#inLoop(scope);
    }
  }

  #barrier(): void {
    this.line(`${this.pick(['Group', 'Group', 'All'])}MemoryBarrierWithGroupSync();`);
  }

  /** Another thread's place. */
  #other(): string {
    return this.pick(['(gi + 1) & 3', '(gi + 2) & 3', '(gi + 3) & 3', '3 - gi', 'gi ^ 1']);
  }

  /** All threads give a word and take another's. */
  #words(scope: Scope): void {
    this.line(`gs[gi] = ${this.expression(scope, uint, 2)};`);
    this.#barrier();
    if (this.chance(3)) {
      const kind = this.pick(['Add', 'Min', 'Max', 'And', 'Or', 'Xor']);
      this.line(`Interlocked${kind}(gs[${this.#other()}], ${this.expression(scope, uint, 1)});`);
      this.#barrier();
    }
    const name = this.name('v');
    this.line(`uint ${name} = gs[${this.#other()}];`);
    this.#barrier();
    scope.variables.push(variableOf(name, uint));
  }

  /** Values of any type. */
  #wide(scope: Scope): void {
    const struct = this.structs.length > 0 && this.choose(2) ? this.pick(this.structs) : undefined;
    const type = struct ?? this.numericType();
    const place = this.name('gs');
    this.shared.push(`groupshared ${spell(type)} ${place}[${threads}];`);
    const value = struct
      ? (this.place(scope, struct) ?? `(${struct.name})0`)
      : this.settled(scope, type as Numeric);
    this.line(`${place}[gi] = ${value};`);
    const own = { name: place, writable: true, leaves: leavesOf(`${place}[gi]`, type) };
    this.statement({ ...scope, variables: [...scope.variables, own] });
    this.#barrier();
    const name = this.name('v');
    this.line(`${spell(type)} ${name} = ${place}[${this.#other()}];`);
    scope.variables.push(variableOf(name, type));
  }

  /** Half of the threads add the other half's, until one has all. */
  #reduction(scope: Scope): void {
    const name = this.name('v');
    const step = this.name('i');
    this.line(`gs[gi] = ${this.expression(scope, uint, 2)};`);
    this.#barrier();
    this.line(
      `${this.pick(['', '[unroll] ', '[loop] '])}for (uint ${step} = 2; ${step} > 0; ${step} >>= 1) {`,
    );
    this.depth++;
    this.line(`if (gi < ${step}) gs[gi] ${this.pick(['+=', '^=', '|='])} gs[gi + ${step}];`);
    this.#barrier();
    this.depth--;
    this.line('}');
    this.line(`uint ${name} = gs[0];`);
    this.#barrier();
    scope.variables.push(variableOf(name, uint));
  }

  /** One thread at a time sees what was there before. */
  #atomic(scope: Scope): void {
    const name = this.name('v');
    this.line(`uint ${name} = 0;`);
    this.line(`gs[gi] = ${this.expression(scope, uint, 1)};`);
    this.#barrier();
    const value = this.expression(scope, uint, 1);
    const call = this.pick([
      `InterlockedExchange(gs[${this.#other()}], ${value}, ${name})`,
      `InterlockedAdd(gs[${this.#other()}], ${value}, ${name})`,
      `InterlockedCompareExchange(gs[${this.#other()}], gi, ${value}, ${name})`,
      `InterlockedMax(gs[${this.#other()}], ${value}, ${name})`,
    ]);
    this.line(`if (gi == ${this.choose(threads)}u) ${call};`);
    this.#barrier();
    this.line(`${name} ^= gs[${this.choose(threads)}];`);
    this.#barrier();
    scope.variables.push(variableOf(name, uint));
  }

  /** Sums in device memory behind the threads' own words. */
  #throughBuffer(scope: Scope): void {
    const name = this.name('v');
    const at = `${threads * 8 + this.choose(4)}`;
    const kind = this.pick(['Add', 'Or', 'Xor', 'Max']);
    this.line('AllMemoryBarrierWithGroupSync();');
    this.line(`Interlocked${kind}(w[${at}], ${this.expression(scope, uint, 2)});`);
    this.line(`${this.pick(['All', 'Device'])}MemoryBarrierWithGroupSync();`);
    this.line(`uint ${name} = w[${at}];`);
    this.line('AllMemoryBarrierWithGroupSync();');
    scope.variables.push(variableOf(name, uint));
  }

  /** Every thread goes round as often. */
  #inLoop(scope: Scope): void {
    const name = this.name('i');
    const sum = this.name('v');
    const type = vector('int', 1);
    this.line(`int ${sum} = 0;`);
    this.line(`for (int ${name} = 0; ${name} < ${2 + this.choose(2)}; ${name}++) {`);
    this.depth++;
    this.line(`gs[gi] = (uint)(${sum} + ${name}) ^ ${this.expression(scope, uint, 1)};`);
    this.#barrier();
    this.line(`${sum} += (int)gs[${this.#other()}];`);
    this.statement({
      ...scope,
      loops: 2,
      inLoop: false,
      variables: [...scope.variables, variableOf(sum, type)],
    });
    this.#barrier();
    this.depth--;
    this.line('}');
    scope.variables.push(variableOf(sum, type));
  }
}
