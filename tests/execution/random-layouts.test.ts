/**
 * Structs made at random, in constant buffers, structured buffers and byte address buffers under every family of rules: a shader copies
 * them whole and by parts. Modules must be valid, and interpreter and device must agree on every byte.
 */
import { afterAll, expect, test } from 'vitest';
import { toModule, toSpirv } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
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
  const some = top.leaves.filter(() => below(4) === 0);
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

describeWith(['lavapipe', 'g++', 'spirv-val'], 'random layouts', () => {
  afterAll(closeVulkan);
  const count = Number(process.env['ONESHADER_RANDOM_PROGRAMS'] ?? 8);
  for (let seed = 1; seed <= count; seed++)
    test(`struct ${seed}`, async () => {
      const text = makeProgram(seed);
      const source = floats(...Array.from({ length: 4096 }, (_, n) => n + 1));
      const bindings = { '0.0': zeros(4096), '0.1': source, '0.2': zeros(8192), '0.3': zeros(4096) };
      for (const layout of families) {
        const options = { profile: 'cs_6_2', entry: 'main', layout, optimize: seed % 2 === 0 } as const;
        const used = copyBindings(bindings);
        interpretCompute(toModule(text, options), [1, 1, 1], { bindings: used });
        const spirv = toSpirv(text, options);
        expect(validateSpirv(spirv, validationFlags('vulkan1.2', layout)), `${layout}\n${text}`).toBe('');
        const { resources } = await runCompute({ spirv, entry: 'main', dispatch: [1, 1, 1], bindings });
        for (const key of ['0.0', '0.2', '0.3'] as const) {
          const wanted = (used[key] as { bytes: Uint8Array }).bytes;
          const same = Buffer.compare(resources[key]![0]!, wanted) === 0;
          if (!same) {
            const shown = (bytes: Uint8Array): number[] =>
              [...new Float32Array(bytes.slice().buffer)].slice(0, 200);
            expect(shown(resources[key]![0]!), `${layout}, ${key}\n${text}`).toEqual(shown(wanted));
            expect(same, `${layout}, ${key} differs further on\n${text}`).toBe(true);
          }
        }
      }
    });
});
