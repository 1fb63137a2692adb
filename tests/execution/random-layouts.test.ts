/**
 * Structs made at random, and those that meet each rule of packing, in constant buffers, structured buffers and byte address buffers under
 * every family of rules: a shader copies them whole and by parts. Modules must be valid, and interpreter, device and Metal text must
 * agree on every byte. The Metal text asserts the offsets of members itself.
 */
import { afterAll, expect, test } from 'vitest';
import { type TestOptions, toModule, toSpirv } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { runMetal } from '../support/metal-runner.ts';
import { copyBindings, floats, zeros } from '../support/resources.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';
import { closeVulkan, runCompute } from '../support/vulkan.ts';
import { numbersFrom } from './random-numbers.ts';

const families = ['vulkan', 'dx', 'gl', 'scalar'] as const;

interface Member {
  text: string;
  /** Expressions behind the member's name that give its scalars. */
  leaves: string[];
}

function makeProgram(seed: number): string {
  const next = numbersFrom(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const structs: string[] = [];

  const member = (name: string, depth: number): Member => {
    const kind = below(depth > 1 ? 4 : 6);
    const size = 1 + below(4);
    const base = below(4) === 0 ? 'int' : 'float';
    switch (kind) {
      case 0:
        return { text: `${base} ${name};`, leaves: [''] };
      case 1:
      case 2: {
        const leaves = [...'xyzw'.slice(0, size)].map((part) => `.${part}`);
        return { text: `${base}${size} ${name};`, leaves };
      }
      case 3: {
        const rows = 1 + below(4);
        const order = ['', 'row_major ', 'column_major '][below(3)];
        const leaves = Array.from(
          { length: rows * size },
          (_, n) => `[${Math.floor(n / size)}][${n % size}]`,
        );
        return { text: `${order}float${rows}x${size} ${name};`, leaves };
      }
      case 4: {
        const inner = member(name, depth + 1);
        const count = 1 + below(3);
        const leaves = Array.from({ length: count }, (_, n) =>
          inner.leaves.map((leaf) => `[${n}]${leaf}`),
        ).flat();
        // The size of an array of arrays stands in front of the inner one's.
        const [, type, sizes] = new RegExp(`^(.*) ${name}(.*);$`).exec(inner.text)!;
        return { text: `${type} ${name}[${count}]${sizes};`, leaves };
      }
      default: {
        const inner = struct(depth + 1);
        return { text: `${inner.name} ${name};`, leaves: inner.leaves };
      }
    }
  };
  const struct = (depth: number): { name: string; leaves: string[] } => {
    const members = Array.from({ length: 1 + below(4) }, (_, n) => ({
      name: `m${n}`,
      ...member(`m${n}`, depth),
    }));
    const name = `S${structs.length}`;
    structs.push(`struct ${name} { ${members.map(({ text }) => text).join(' ')} };`);
    return { name, leaves: members.flatMap((one) => one.leaves.map((leaf) => `.${one.name}${leaf}`)) };
  };
  const top = struct(0);
  return programOf(
    structs,
    top,
    top.leaves.filter(() => below(4) === 0),
  );
}

interface Top {
  name: string;
  leaves: readonly string[];
}

/** Copies a struct, and stores `some` of its scalars anew. */
function programOf(structs: readonly string[], top: Top, some: readonly string[]): string {
  const reads = top.leaves.map((leaf, n) => `o[${n}] = c${leaf}; o[${n} + count] = s[1]${leaf};`);
  return `${structs.join('\n')}
RWStructuredBuffer<float> o : register(u0);
ConstantBuffer<${top.name}> c : register(b1);
RWStructuredBuffer<${top.name}> s : register(u2);
RWByteAddressBuffer b : register(u3);
static const uint count = ${top.leaves.length};
[numthreads(1, 1, 1)]
void main()
{
${top.name} whole = c;
s[1] = whole;
s[0] = s[1];
b.Store<${top.name}>(16, whole);
${top.name} back = b.Load<${top.name}>(16);
${some.map((leaf) => `s[0]${leaf} = -c${leaf} - 1;`).join('\n')}
${top.leaves
  .slice(0, 9)
  .map((leaf, n) => `o[2 * count + ${n}] = back${leaf};`)
  .join('\n')}
${reads.join('\n')}
}
`;
}

const components = (size: number, prefix = ''): string[] =>
  size === 1 ? [prefix] : [...'xyzw'.slice(0, size)].map((part) => `${prefix}.${part}`);

/** A struct of one member and a number behind it, again and again: what the number may follow closely shows. */
function followed(members: readonly { text: (name: string) => string; leaves: readonly string[] }[]): string {
  const names = members.map((_, n) => `m${n}`);
  const text = members.map((member, n) => `${member.text(names[n]!)} float n${n};`).join('\n  ');
  const leaves = members.flatMap((member, n) => [
    ...member.leaves.map((leaf) => `.${names[n]}${leaf}`),
    `.n${n}`,
  ]);
  const inner = 'struct Inner { float3 v; float2x3 m; };';
  return programOf(
    [inner, `struct S {\n  ${text}\n};`],
    { name: 'S', leaves },
    leaves.filter((_, n) => n % 3 === 0),
  );
}

const vectorMember = (base: string, size: number, counts: readonly number[] = []) => ({
  text: (name: string) => `${base}${size} ${name}${counts.map((count) => `[${count}]`).join('')};`,
  leaves: counts.reduceRight(
    (leaves, count) => Array.from({ length: count }, (_, n) => leaves.map((leaf) => `[${n}]${leaf}`)).flat(),
    components(size),
  ),
});
const matrixMember = (order: string, base: string, rows: number, columns: number) => ({
  text: (name: string) => `${order} ${base}${rows}x${columns} ${name};`,
  leaves: Array.from({ length: rows * columns }, (_, n) => `[${Math.floor(n / columns)}][${n % columns}]`),
});
const innerMember = (count: number) => ({
  text: (name: string) => `Inner ${name}${count ? `[${count}]` : ''};`,
  leaves: (count ? Array.from({ length: count }, (_, n) => `[${n}]`) : ['']).flatMap((at) => [
    ...components(3, `${at}.v`),
    ...Array.from({ length: 6 }, (_, n) => `${at}.m[${Math.floor(n / 3)}][${n % 3}]`),
  ]),
});
const sizes = [1, 2, 3, 4];
const shapes = sizes.flatMap((rows) => sizes.map((columns) => [rows, columns] as const));

const rules: Readonly<Record<string, string>> = {
  'vectors, arrays of them and structs, before a number': followed([
    ...sizes.map((size) => vectorMember('float', size)),
    ...sizes.map((size) => vectorMember('int', size, [2])),
    vectorMember('float', 3, [2, 2]),
    innerMember(0),
    innerMember(2),
  ]),
  'matrices of every shape by rows': followed(
    shapes.map(([r, c]) => matrixMember('row_major', 'float', r, c)),
  ),
  'matrices of every shape by columns': followed(
    shapes.map(([r, c]) => matrixMember('column_major', 'float', r, c)),
  ),
  bools: followed([...sizes.map((size) => vectorMember('bool', size)), vectorMember('bool', 3, [2])]),
  '16-bit types': followed([
    ...sizes.map((size) => vectorMember('half', size)),
    ...sizes.map((size) => vectorMember('uint16_t', size, [2])),
    vectorMember('int16_t', 3, [3]),
    matrixMember('row_major', 'half', 2, 3),
    matrixMember('column_major', 'half', 3, 2),
  ]),
};

/** The three runs give the same bytes under every family of rules. */
async function compareRuns(
  text: string,
  more: TestOptions,
  metalFamilies: readonly string[] = families,
): Promise<void> {
  const source = floats(...Array.from({ length: 4096 }, (_, n) => n + 1));
  const bindings = { '0.0': zeros(4096), '0.1': source, '0.2': zeros(8192), '0.3': zeros(4096) };
  for (const layout of families) {
    const options = { profile: 'cs_6_2', entry: 'main', layout, ...more } as const;
    const used = copyBindings(bindings);
    interpretCompute(toModule(text, options), [1, 1, 1], { bindings: used });
    const spirv = toSpirv(text, options);
    expect(validateSpirv(spirv, validationFlags('vulkan1.2', layout)), `${layout}\n${text}`).toBe('');
    const { resources } = await runCompute({ spirv, entry: 'main', dispatch: [1, 1, 1], bindings });
    const metal = metalFamilies.includes(layout)
      ? await runMetal({ text, options, dispatch: [1, 1, 1], bindings })
      : resources;
    if ('codes' in metal) throw new Error(`no Metal text: ${metal.codes}`);
    for (const [where, got] of [
      ['lavapipe', resources],
      ['Metal', metal],
    ] as const)
      for (const key of ['0.0', '0.2', '0.3'] as const) {
        const wanted = (used[key] as { bytes: Uint8Array }).bytes;
        const same = Buffer.compare(got[key]![0]!, wanted) === 0;
        if (!same) {
          const shown = (bytes: Uint8Array): number[] =>
            [...new Float32Array(bytes.slice().buffer)].slice(0, 200);
          expect(shown(got[key]![0]!), `${where}, ${layout}, ${key}\n${text}`).toEqual(shown(wanted));
          expect(same, `${where}, ${layout}, ${key} differs further on\n${text}`).toBe(true);
        }
      }
  }
}

describeWith(['lavapipe', 'g++', 'spirv-val', 'clang'], 'layouts', () => {
  afterAll(closeVulkan);
  const count = Number(process.env['ONESHADER_RANDOM_PROGRAMS'] ?? 8);
  for (let seed = 1; seed <= count; seed++)
    test(`struct ${seed}`, () =>
      compareRuns(makeProgram(seed), { optimize: seed % 2 === 0 }, [families[seed % 4]!]));
  for (const [name, text] of Object.entries(rules))
    test(name, async () => {
      const enable16BitTypes = name === '16-bit types';
      await compareRuns(text, { optimize: true, enable16BitTypes });
    });
});
