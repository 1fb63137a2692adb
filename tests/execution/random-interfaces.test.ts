/**
 * What passes from vertex to pixel shaders, at random: scalars, vectors, matrices, arrays and nested structs under shuffled semantics, some
 * unused, some as parameters of their own. The interpreter goes by semantics, the device by locations; both must see the same values.
 */
import { afterAll, expect, test } from 'vitest';
import { toModule, toSpirv } from '../support/compile.ts';
import { interpretDraw } from '../support/interpreter/draw.ts';
import { drawMetal } from '../support/metal-draw.ts';
import { numbers } from '../support/interpreter/value.ts';
import { floats, image } from '../support/resources.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';
import { closeVulkan, runGraphics } from '../support/vulkan.ts';
import { numbersFrom } from './random-numbers.ts';

const triangle = [
  [-1, -1, 0, 1],
  [-1, 3, 0, 1],
  [3, -1, 0, 1],
];

interface Field {
  declaration: string;
  leaves: string[];
}

function makeProgram(seed: number): { text: string; targets: number } {
  const next = numbersFrom(seed);
  const below = (count: number): number => Math.floor(next() * count);
  let rows = 0;
  const structs: string[] = [];
  let semantics = 0;

  /** A letter ends the name, so that its number is its own. */
  const semantic = (): string => `S${semantics++}${'ABCDEFGH'[below(8)]}${below(2) ? below(4) : ''}`;

  const field = (name: string, depth: number): Field => {
    const size = 1 + below(4);
    const flat = below(4) === 0;
    const type = flat ? ['int', 'uint', 'float', 'bool'][below(4)]! : 'float';
    const modifier = flat ? 'nointerpolation ' : ['', '', 'noperspective ', 'centroid '][below(4)]!;
    const vector = size === 1 && below(2) ? type : `${type}${size}`;
    const parts = vector === type ? [''] : [...'xyzw'.slice(0, size)].map((part) => `.${part}`);
    switch (below(depth > 1 ? 3 : 5)) {
      case 3: {
        const count = 1 + below(2);
        rows += count;
        const leaves = Array.from({ length: count }, (_, n) => parts.map((part) => `[${n}]${part}`)).flat();
        return { declaration: `${modifier}${vector} ${name}[${count}] : ${semantic()};`, leaves };
      }
      case 4: {
        if (below(2)) {
          const columns = 1 + below(4);
          rows += Math.max(size, columns);
          const leaves = Array.from(
            { length: size * columns },
            (_, n) => `[${Math.floor(n / columns)}][${n % columns}]`,
          );
          return { declaration: `float${size}x${columns} ${name} : ${semantic()};`, leaves };
        }
        const inner = Array.from({ length: 1 + below(2) }, (_, n) => ({
          name: `n${n}`,
          ...field(`n${n}`, depth + 1),
        }));
        const struct = `T${structs.length}`;
        structs.push(`struct ${struct} { ${inner.map((one) => one.declaration).join(' ')} };`);
        return {
          declaration: `${struct} ${name};`,
          leaves: inner.flatMap((one) => one.leaves.map((leaf) => `.${one.name}${leaf}`)),
        };
      }
      default:
        rows += 1;
        return { declaration: `${modifier}${vector} ${name} : ${semantic()};`, leaves: parts };
    }
  };

  const fields: Field[] = [];
  while (fields.length < 5 && rows < 9) {
    const name = `m${fields.length}`;
    const { declaration, leaves } = field(name, 0);
    fields.push({ declaration, leaves: leaves.map((leaf) => `.${name}${leaf}`) });
  }
  const declarations = fields.map(({ declaration }) => declaration);
  declarations.splice(below(declarations.length + 1), 0, 'float4 pos : SV_Position;');
  const leaves = fields.flatMap((one) => one.leaves).slice(0, 32);
  const writes = fields.flatMap((one) => one.leaves).map((leaf, n) => `o${leaf} = ${n + 1} * p.w;`);
  const targets = Math.ceil(leaves.length / 4);
  const outputs = Array.from({ length: targets }, (_, n) => {
    const four = [0, 1, 2, 3].map((k) => (leaves[4 * n + k] && below(5) > 0 ? `i${leaves[4 * n + k]}` : '0'));
    return `c${n} = float4(${four.join(', ')});`;
  });
  const parameters = Array.from({ length: targets }, (_, n) => `out float4 c${n} : SV_Target${n}`);
  const [own, vertexParameter, vertexResult] = below(2) ? ['V o;', '', 'return o;'] : ['', ', out V o', ''];
  return {
    text: `${structs.join('\n')}
struct V { ${declarations.join(' ')} };
${vertexResult ? 'V' : 'void'} VSMain(float4 p : POSITION${vertexParameter}) { ${own} o.pos = p; ${writes.join(' ')} ${vertexResult} }
void PSMain(V i, ${parameters.join(', ')}) { ${outputs.join(' ')} }
`,
    targets,
  };
}

describeWith(['lavapipe', 'g++', 'spirv-val', 'clang'], 'random interfaces', () => {
  afterAll(closeVulkan);
  const count = Number(process.env['ONESHADER_RANDOM_PROGRAMS'] ?? 10);
  for (let seed = 1; seed <= count; seed++)
    test(`interface ${seed}`, async () => {
      const { text, targets } = makeProgram(seed);
      const vertex = { profile: 'vs_6_0', entry: 'VSMain' } as const;
      const pixel = { profile: 'ps_6_0', entry: 'PSMain' } as const;
      const drawing = { width: 2, height: 2, vertices: triangle.map((POSITION0) => ({ POSITION0 })) };
      const [drawn] = interpretDraw(toModule(text, vertex), toModule(text, pixel), drawing);
      const wanted = Array.from({ length: targets }, (_, n) => numbers(drawn!.outputs[`SV_Target${n}`]!));
      for (const optimize of [0, 3] as const) {
        const [vertexSpirv, pixelSpirv] = [vertex, pixel].map((options) => {
          const spirv = toSpirv(text, { ...options, optimize, debugInfo: seed % 2 === 0 });
          expect(validateSpirv(spirv, validationFlags()), text).toBe('');
          return spirv;
        });
        const result = await runGraphics({
          vertex: { spirv: vertexSpirv!, entry: 'VSMain' },
          pixel: { spirv: pixelSpirv!, entry: 'PSMain' },
          attributes: { 0: { format: 'rgba32float', bytes: floats(...triangle.flat()).bytes } },
          vertices: 3,
          targets: Array.from({ length: targets }, () =>
            image({ format: 'rgba32float', width: 2, height: 2 }),
          ),
        });
        const got = result.targets.map((bytes) => [...new Float32Array(bytes.slice(0, 16).buffer)]);
        got.forEach((four, n) => {
          four.forEach((value, k) => {
            expect(value, `target ${n}, channel ${k}\n${text}`).toBeCloseTo(wanted[n]![k]!, 3);
          });
        });
      }
      const optimize = seed % 2 === 0 ? 3 : 0;
      const [vertexModule, pixelModule] = [vertex, pixel].map((options) =>
        toModule(text, { ...options, optimize }, 'passed'),
      );
      const metal = await drawMetal({
        text,
        vertex: { ...vertex, optimize },
        pixel: { ...pixel, optimize },
        modules: { vertex: vertexModule!, pixel: pixelModule! },
        drawing,
        bindings: {},
        environment: {},
      });
      if ('codes' in metal) throw new Error(`no Metal text: ${metal.codes}`);
      wanted.forEach((four, n) => {
        numbers(metal.drawn[0]!.outputs[`SV_Target${n}`]!).forEach((value, k) => {
          expect(value, `Metal, target ${n}, channel ${k}\n${text}`).toBeCloseTo(four[k]!, 3);
        });
      });
    });
});
