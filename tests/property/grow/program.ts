/** Grows a whole program: types, functions, buffers, a body, and at the end every value as words. */
import type { TestOptions } from '../../support/compile.ts';
import { type Bindings, type BufferResource, uints, words, zeros } from '../../support/resources.ts';
import { ExchangeGrower, threads } from './exchange.ts';
import {
  type DataType,
  declarator,
  type Callable,
  leavesOf,
  letters,
  matrix,
  type Numeric,
  type Parameter,
  type Scope,
  type Struct,
  spell,
  uint,
  type Variable,
  variableOf,
  vector,
} from './types.ts';

export interface Program {
  text: string;
  options: TestOptions;
  /** Groups along x; a program's threads are all in one or each in one of its own. */
  groups: number;
  /** New memory for everything that the program is given; `output` is where its results go. */
  bindings: () => Bindings;
  output: string;
}

const wordsPerThread = 32;

/**
 * lavapipe 22.3.6 runs a group of one thread in a vector of threads. Those that were never launched keep its loops turning, and what the
 * thread loaded in its last turn is then zero behind the loop; with glslang's modules as well. They leave here.
 */
const notLaunched = '  if (flat > 0u) return;\n';

export class ProgramGrower extends ExchangeGrower {
  #slots = 0;
  /** What functions see: statics, constants and memory. */
  readonly #globals: Variable[] = [];
  readonly #declarations: string[] = [];

  program(): Program {
    const input = Array.from({ length: 16 }, (_, i) => {
      const special = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 31, 32, 3];
      const decision = this.choose(256);
      return decision < 128 ? decision * (i + 1) : special[decision % special.length]!;
    });
    const isTogether = this.chance(2);
    const isForLavapipe = !this.wild && !process.env['ONESHADER_VULKAN_DRIVER'];
    this.leavesTogether = isTogether && isForLavapipe;
    this.legacy = this.chance(3);
    const shape = isTogether ? this.pick(['4, 1, 1', '2, 2, 1', '1, 2, 2']) : '1, 1, 1';
    for (let i = this.choose(3); i > 0; i--) this.#struct();
    if (this.chance(3)) this.#enumeration();
    this.#memory();
    for (let i = this.choose(3); i > 0; i--) this.#static();
    for (let i = this.choose(4); i > 0 && !this.spent; i--) this.#function();
    const functions = this.lines.splice(0);
    this.#body(isTogether);
    const text = `RWStructuredBuffer<uint> o : register(u0);
StructuredBuffer<uint> a : register(t1);
RWStructuredBuffer<uint> w : register(u2);
RWByteAddressBuffer rb : register(u3);
cbuffer Constants : register(b4) { float4 cv; int4 ci[3]; uint2 cu; float3x3 cm; };
groupshared uint gs[${threads}];
static uint gi;
${[...this.#declarations, ...this.shared].join('\n')}
${functions.join('\n')}
[numthreads(${shape})]
void main(${this.#inputs(isTogether, isForLavapipe)})
{
${!isTogether && isForLavapipe ? notLaunched : ''}  gi = ${isTogether ? 'flat' : 'index.x'};
${this.lines.join('\n')}
}
`;
    return {
      text,
      options: { profile: 'cs_6_2', entry: 'main', ...(this.legacy && { languageVersion: 2018 as const }) },
      groups: isTogether ? 1 : threads,
      bindings: () => ({
        '0.0': zeros(threads * wordsPerThread),
        '0.1': uints(...input),
        '0.2': zeros(threads * 8 + 4),
        '0.3': zeros(threads * 8),
        '0.4': constants(),
        '0.5': zeros(threads * 512),
      }),
      output: '0.0',
    };
  }

  /** What tells the thread its number; rarely one more that nothing reads. */
  #inputs(isTogether: boolean, isForLavapipe: boolean): string {
    const [index, flat] = ['uint3 index : SV_DispatchThreadID', 'uint flat : SV_GroupIndex'];
    if (isTogether) return flat!;
    return this.legacy || isForLavapipe ? `${index}, ${flat}` : index!;
  }

  #body(isTogether: boolean): void {
    const scope: Scope = { variables: [...this.#globals], loops: 0, inLoop: false };
    this.declare(scope);
    for (let i = 4 + this.choose(8); i > 0 && !this.spent; i--) {
      if (isTogether && this.chance(3)) this.exchange(scope);
      else this.statement(scope);
    }
    for (const { leaves } of scope.variables)
      for (const leaf of leaves)
        if (leaf.type.kind === 'numeric' && !leaf.text.startsWith('c')) this.#output(leaf.text, leaf.type);
  }

  #output(place: string, type: Numeric): void {
    const at = place.replace(/#(\d+)/g, (_, size: string) => String(this.#slots % Number(size)));
    const parts =
      type.rows > 0
        ? Array.from(
            { length: type.rows * type.count },
            (_, i) => `[${Math.floor(i / type.count)}][${i % type.count}]`,
          )
        : type.count > 1
          ? [...letters.slice(0, type.count)].map((letter) => `.${letter}`)
          : [''];
    for (const part of parts) {
      if (this.#slots === wordsPerThread) return;
      this.line(`o[gi * ${wordsPerThread} + ${this.#slots++}] = ${this.#asWord(`${at}${part}`, type)};`);
    }
  }

  #asWord(value: string, { scalar }: Numeric): string {
    if (scalar === 'float')
      return this.wild
        ? `((${value}) != (${value}) ? 0x7fc00000u : asuint(${value}))`
        : `(uint)(int)(${value})`;
    return scalar === 'bool' ? `(${value} ? 1u : 0u)` : `(uint)(${value})`;
  }

  // ---- declarations

  /** Structs may hold lists and structs declared before. */
  #struct(): void {
    const members = Array.from({ length: 1 + this.choose(3) }, (_, i): { name: string; type: DataType } => {
      const inner = this.structs.length > 0 && this.chance(3) ? this.pick(this.structs) : undefined;
      const of = inner ?? this.numericType();
      return { name: `m${i}`, type: this.chance(4) ? { kind: 'list', of, size: 2 } : of };
    });
    const struct: Struct = { kind: 'struct', name: this.name('S'), members, methods: [] };
    this.structs.push(struct);
    const at = this.#declarations.length;
    if (this.chance(3)) this.#method(struct);
    const fields = members.map((one) => `  ${declarator(one.type, one.name)};`);
    this.#declarations.splice(
      at,
      0,
      `struct ${struct.name} {\n${[...fields, ...struct.methods].join('\n')}\n};`,
    );
  }

  /** Reads and writes members by their plain names. */
  #method(struct: Struct): void {
    const outside = this.lines.splice(0);
    const members = struct.members.map(({ name, type }) => variableOf(name, type));
    this.#functionOf(members, struct);
    struct.methods.push(...this.lines.splice(0));
    this.lines.push(...outside);
  }

  #enumeration(): void {
    const name = this.name('E');
    const names = ['A', 'B', 'C'].slice(0, 2 + this.choose(2)).map((letter) => name + letter);
    const values = names.map((one) => (this.choose(2) ? `${one} = ${1 + this.choose(9)}` : one));
    this.enumerations.push({ name, names });
    this.#declarations.push(`enum ${this.choose(2) ? 'class ' : ''}${name} { ${values.join(', ')} };`);
  }

  #memory(): void {
    const add = (name: string, writable: boolean, place: string, type: DataType): void => {
      this.#globals.push({ name, writable, leaves: leavesOf(place, type) });
    };
    this.#globals.push(variableOf('gi', uint, false));
    if (this.chance(3)) add('w', true, 'w[gi * 8 + (#8)]', uint);
    if (this.chance(4)) {
      add('rb', false, 'rb.Load(gi * 32 + 4 * (#8))', uint);
      add('rb', false, 'rb.Load2(gi * 32 + 4 * (#7))', vector('uint', 2));
      add('rb', false, 'rb.Load<int3>(gi * 32 + 4 * (#6))', vector('int', 3));
      this.#stores();
    }
    if (this.chance(4)) {
      add('cv', false, 'cv', vector('float', 4));
      add('ci', false, 'ci[#3]', vector('int', 4));
      add('cu', false, 'cu', vector('uint', 2));
      add('cm', false, 'cm', matrix('float', 3, 3));
    }
    const [struct] = this.structs;
    if (struct && this.chance(3)) {
      this.#declarations.push(`RWStructuredBuffer<${struct.name}> rs : register(u5);`);
      add('rs', true, 'rs[gi]', struct);
    }
  }

  /** A function that stores words. */
  #stores(): void {
    this.line('uint put(uint at, uint3 value) {');
    this.line('rb.Store(gi * 32 + 4 * (at & 7), value.x);');
    this.line('rb.Store2(gi * 32 + 4 * (value.y & 3), value.yz);');
    this.line('rb.Store<int3>(gi * 32 + 4 * (at & 1) + 16, (int3)value.zyx);');
    this.line('return rb.Load(gi * 32 + 4 * (value.z & 7));');
    this.line('}');
    const parameters: Parameter[] = [uint, vector('uint', 3)].map((type) => ({ type, mode: 'in' }));
    this.functions.push({ name: 'put', result: uint, parameters });
  }

  #static(): void {
    const type = this.numericType();
    const isConst = this.chance(3);
    const name = this.name(isConst ? 'k' : 'g');
    const size = this.chance(3) ? 2 + this.choose(2) : 0;
    const data: DataType = size > 0 ? { kind: 'list', of: type, size } : type;
    const items = Array.from({ length: Math.max(size, 1) }, () => this.literal(type));
    const value = size > 0 ? `{ ${items.join(', ')} }` : items[0]!;
    const given = isConst || this.choose(2) ? ` = ${value}` : '';
    this.#declarations.push(`static ${isConst ? 'const ' : ''}${declarator(data, name)}${given};`);
    this.#globals.push(variableOf(name, data, !isConst));
  }

  // ---- functions

  #function(): void {
    this.#functionOf([]);
  }

  #functionOf(members: readonly Variable[], owner?: Struct): void {
    const parameters = Array.from({ length: 1 + this.choose(3) }, () => this.#parameter());
    const last = parameters.at(-1)!;
    if (last.mode === 'in' && last.type.kind === 'numeric' && this.chance(4))
      last.byDefault = this.literal(last.type);
    const result =
      this.structs.length > 0 && !owner && this.chance(4) ? this.pick(this.structs) : this.numericType();
    const made: Callable = { name: this.name('f'), result, parameters, ...(owner && { owner }) };
    const scope: Scope = {
      variables: [
        ...(owner ? members : this.#globals),
        ...parameters.map(({ type }, i) => variableOf(`p${i}`, type)),
      ],
      result,
      loops: 1,
      inLoop: false,
    };
    const list = parameters.map(
      ({ type, mode, byDefault }, i) =>
        `${mode} ${declarator(type, `p${i}`)}${byDefault === undefined ? '' : ` = ${byDefault}`}`,
    );
    this.line(`${spell(result)} ${made.name}(${list.join(', ')}) {`);
    parameters.forEach(({ type, mode }, i) => {
      if (mode === 'out') for (const line of this.#first(`p${i}`, type)) this.line(line);
    });
    for (let i = 1 + this.choose(3); i > 0; i--) this.statement(scope);
    this.line(`return ${this.resultValue(scope, result)};`);
    this.line('}');
    this.functions.push(made);
  }

  #parameter(): Parameter {
    const mode = this.pick(['in', 'in', 'inout', 'out'] as const);
    const kind = this.choose(6);
    if (kind === 5 && this.structs.length > 0) return { type: this.pick(this.structs), mode };
    if (kind === 4) return { type: { kind: 'list', of: this.numericType(), size: 2 + this.choose(2) }, mode };
    return { type: this.numericType(), mode };
  }

  /** Statements that give an out parameter its first value. */
  #first(name: string, type: DataType): string[] {
    if (type.kind === 'struct') return [`${name} = (${type.name})0;`];
    if (type.kind === 'numeric') return [`${name} = ${this.literal(type)};`];
    return Array.from({ length: type.size }, (_, i) => this.#first(`${name}[${i}]`, type.of)).flat();
  }
}

/** Small whole numbers where the cbuffer of programs has its members. */
function constants(): BufferResource {
  const f = (value: number) => ({ f: value });
  return words(
    ...[1, -2, 3, 5].map(f),
    ...[7, -1, 0, 100, 3, 2, 1, -5, 31, 8, 65537, -2147483648],
    ...[9, 0xfffffff0, 0, 0],
    ...[1, 2, -3, 0, -4, 5, 6, 0, 7, -7, 0, 0].map(f),
  );
}
