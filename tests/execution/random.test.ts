/**
 * Programs made at random from integers, so that every result is exact: what the interpreter computes from the IR as lowered must be what
 * the device computes from the compiled module. ONESHADER_RANDOM_PROGRAMS asks for more of them; a failing one is printed.
 */
import { afterAll, expect, test } from 'vitest';
import { toModule, toSpirv } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { copyBindings, uints, zeros } from '../support/resources.ts';
import { runMetal } from '../support/metal-runner.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';
import { closeVulkan, runCompute } from '../support/vulkan.ts';
import { builds, numbersFrom } from './random-numbers.ts';

type Type = 'int' | 'uint' | 'bool';

interface Scope {
  variables: { name: string; type: Type; writable: boolean }[];
  loops: number;
  depth: number;
}

class ProgramMaker {
  readonly #next: () => number;
  #names = 0;

  constructor(seed: number) {
    this.#next = numbersFrom(seed);
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }
  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }

  program(): string {
    const helper = (name: string): string => {
      const scope: Scope = {
        variables: [
          { name: 'x', type: 'int', writable: true },
          { name: 'y', type: 'uint', writable: true },
          { name: 'z', type: 'int', writable: true },
        ],
        loops: 0,
        depth: 0,
      };
      const body = this.#block(scope, 4);
      return `int ${name}(int x, inout uint y, out int z)\n{\nz = x;\n${body}return ${this.#expression('int', scope, 2)};\n}\n`;
    };
    const scope: Scope = {
      variables: [
        { name: 'p', type: 'int', writable: true },
        { name: 'q', type: 'uint', writable: true },
        { name: 'r', type: 'int', writable: true },
        { name: 's', type: 'uint', writable: true },
      ],
      loops: 0,
      depth: 0,
    };
    const main = this.#block(scope, 8, true);
    return `RWStructuredBuffer<uint> o : register(u0);
StructuredBuffer<uint> a : register(t1);
static int count = 0;
${helper('first')}${helper('second')}
[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
int p = (int)a[id.x], r = (int)id.x;
uint q = a[id.x + 4], s = 3;
int list[4] = { p, r, 7, -1 };
${main}o[id.x * 4] = (uint)p;
o[id.x * 4 + 1] = q;
o[id.x * 4 + 2] = (uint)(r + count);
o[id.x * 4 + 3] = s ^ (uint)list[q & 3];
}
`;
  }

  #block(outer: Scope, length: number, inMain = false): string {
    const scope: Scope = { ...outer, variables: [...outer.variables] };
    let text = '';
    for (let n = 0; n < length; n++) text += this.#statement(scope, inMain);
    return text;
  }

  #statement(scope: Scope, inMain: boolean): string {
    const inner: Scope = { ...scope, depth: scope.depth + 1 };
    const condition = () => this.#expression('bool', scope, 2);
    const kind = this.#below(scope.depth > 2 ? 5 : 11);
    switch (kind) {
      case 0: {
        const type = this.#pick(['int', 'uint', 'bool'] as const);
        const name = `v${this.#names++}`;
        const text = `${type} ${name} = ${this.#expression(type, scope, 3)};\n`;
        scope.variables.push({ name, type, writable: true });
        return text;
      }
      case 1:
        return `count += ${this.#expression('int', scope, 2)};\n`;
      case 2:
        return inMain
          ? `list[${this.#expression('uint', scope, 1)} & 3] = ${this.#expression('int', scope, 2)};\n`
          : this.#assignment(scope);
      case 5:
        return `if (${condition()})\n{\n${this.#block(inner, 2, inMain)}}\n`;
      case 6:
        return `if (${condition()})\n{\n${this.#block(inner, 2, inMain)}}\nelse\n{\n${this.#block(inner, 2, inMain)}}\n`;
      case 7:
        return this.#loop(inner, inMain);
      case 8:
        return this.#switch(inner, inMain);
      case 9:
        return inMain ? this.#call(scope) : this.#assignment(scope);
      case 10:
        if (scope.loops > 0) return `if (${condition()}) ${this.#pick(['break', 'continue'])};\n`;
        return inMain
          ? this.#call(scope)
          : `if (${condition()}) return ${this.#expression('int', scope, 2)};\n`;
      default:
        return this.#assignment(scope);
    }
  }

  #assignment(scope: Scope): string {
    const { name, type } = this.#pick(scope.variables.filter((one) => one.writable));
    if (type === 'bool') return `${name} = ${this.#expression('bool', scope, 3)};\n`;
    const operator = this.#pick(['=', '=', '+=', '-=', '*=', '^=', '|=', '&=', '<<=', '>>=']);
    return `${name} ${operator} ${this.#expression(type, scope, 3)};\n`;
  }

  #loop(scope: Scope, inMain: boolean): string {
    const name = `n${this.#names++}`;
    const count = 1 + this.#below(4);
    const inside: Scope = {
      ...scope,
      loops: scope.loops + 1,
      variables: [...scope.variables, { name, type: 'int', writable: false }],
    };
    const body = this.#block(inside, 3, inMain);
    if (this.#below(3) > 0) return `for (int ${name} = 0; ${name} < ${count}; ${name}++)\n{\n${body}}\n`;
    // The counter moves first, so that `continue` cannot skip it.
    return `int ${name} = 0;\nwhile (${name}++ < ${count})\n{\n${body}}\n`;
  }

  #switch(scope: Scope, inMain: boolean): string {
    // Within the switch `break` leaves it; `continue` is not made there.
    const inside: Scope = { ...scope, loops: 0 };
    const labels = ['case 0:', 'case 1: case 2:', 'case 3:'].slice(0, 1 + this.#below(3));
    if (this.#below(3) > 0) labels.splice(this.#below(labels.length + 1), 0, 'default:');
    const groups = labels.map((label, n) => {
      const end = n === labels.length - 1 || this.#below(3) > 0 ? 'break;\n' : '';
      return `${label}\n{\n${this.#block(inside, 1, inMain)}}\n${end}`;
    });
    return `switch (${this.#expression('int', scope, 2)} & 3)\n{\n${groups.join('')}}\n`;
  }

  #call(scope: Scope): string {
    const place = (type: Type): string =>
      this.#pick(scope.variables.filter((one) => one.writable && one.type === type)).name;
    return `${place('int')} = ${this.#pick(['first', 'second'])}(${this.#expression('int', scope, 2)}, ${place('uint')}, ${place('int')});\n`;
  }

  #expression(type: Type, scope: Scope, depth: number): string {
    if (depth === 0 || this.#below(5) === 0) return this.#leaf(type, scope);
    const of = (other: Type): string => this.#expression(other, scope, depth - 1);
    if (type === 'bool') {
      const number = this.#pick(['int', 'uint'] as const);
      switch (this.#below(4)) {
        case 0:
          return `(${of('bool')} ${this.#pick(['&&', '||', '==', '!='])} ${of('bool')})`;
        case 1:
          return `!${of('bool')}`;
        default:
          return `(${of(number)} ${this.#pick(['<', '<=', '>', '>=', '==', '!='])} ${of(number)})`;
      }
    }
    switch (this.#below(12)) {
      case 0:
        return `(${of('bool')} ? ${of(type)} : ${of(type)})`;
      case 1:
        return `(${type})${of(type === 'int' ? 'uint' : 'int')}`;
      case 2:
        return `(${type})${of('bool')}`;
      case 3:
        return `${this.#pick(['~', '-'])}(${of(type)})`;
      case 4:
        return `${this.#pick(['min', 'max'])}(${of(type)}, ${of(type)})`;
      case 5:
        return `(${of(type)} ${this.#pick(['<<', '>>'])} ${of(type)})`;
      case 6:
        // Signed division is left out: at its ends it has no meaning.
        return type === 'uint'
          ? `(${of('uint')} ${this.#pick(['/', '%'])} (${of('uint')} | 1u))`
          : `abs(${of('int')})`;
      case 7: {
        const two = `${type}2(${of(type)}, ${of(type)})`;
        return `${this.#pick([`dot(${two}, ${two})`, `(${two} + ${of(type)}).${this.#pick(['x', 'y'])}`])}`;
      }
      default:
        return `(${of(type)} ${this.#pick(['+', '-', '*', '&', '|', '^'])} ${of(type)})`;
    }
  }

  #leaf(type: Type, scope: Scope): string {
    const names = scope.variables.filter((one) => one.type === type);
    if (names.length > 0 && this.#below(3) > 0) return this.#pick(names).name;
    if (type === 'bool') return this.#pick(['true', 'false']);
    const number = this.#pick([0, 1, 2, 3, 5, 17, 31, 255, 65537]);
    return type === 'uint' ? `${number}u` : String(number);
  }
}

describeWith(['lavapipe', 'g++', 'spirv-val', 'clang'], 'random programs', () => {
  afterAll(closeVulkan);
  const count = Number(process.env['ONESHADER_RANDOM_PROGRAMS'] ?? 12);
  for (let seed = 1; seed <= count; seed++)
    test(`program ${seed}`, async () => {
      const text = new ProgramMaker(seed).program();
      const bindings = { '0.0': zeros(16), '0.1': uints(1, -2, 1000, 0x80000001, 7, 0, 0xffffffff, 12345) };
      const options = { profile: 'cs_6_0', entry: 'main' } as const;
      const used = copyBindings(bindings);
      interpretCompute(toModule(text, { ...options, optimize: false }), [1, 1, 1], { bindings: used });
      const wanted = [...new Uint32Array((used['0.0'] as { bytes: Uint8Array }).bytes.buffer)];
      for (const build of builds) {
        const spirv = toSpirv(text, { ...options, ...build });
        expect(validateSpirv(spirv, validationFlags()), text).toBe('');
        const { resources } = await runCompute({ spirv, entry: 'main', dispatch: [1, 1, 1], bindings });
        expect(
          [...new Uint32Array(resources['0.0']![0]!.buffer)],
          `${JSON.stringify(build)}\n${text}`,
        ).toEqual(wanted);
      }
      const optimize = seed % 2 === 0;
      const metal = await runMetal({
        text,
        options: { ...options, optimize },
        dispatch: [1, 1, 1],
        bindings,
      });
      if ('codes' in metal) throw new Error(`no Metal text: ${metal.codes}`);
      expect([...new Uint32Array(metal['0.0']![0]!.buffer)], `Metal\n${text}`).toEqual(wanted);
    });
});
