/**
 * Random programs that move components about: swizzles, rows and elements of matrices, arrays, structs, places with run-time indices, inout
 * arguments. The numbers stay whole and small, so that interpreter and device must agree exactly.
 */
import { afterAll, expect, test } from 'vitest';
import { toModule, toSpirv } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { copyBindings, floats, zeros } from '../support/resources.ts';
import { runMetal } from '../support/metal-runner.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';
import { closeVulkan, runCompute } from '../support/vulkan.ts';
import { builds, numbersFrom } from './random-numbers.ts';

/** A place: an lvalue of `count` components. */
interface Place {
  text: string;
  count: number;
}

const vectors = { v2: 2, v3: 3, v4: 4, 's.p': 3, 'list[1].p': 3, 'g.q': 4 } as const;
const matrices = {
  m22: [2, 2],
  m23: [2, 3],
  m42: [4, 2],
  's.m': [3, 3],
  m33: [3, 3],
  'list[k].m': [3, 3],
} as const;

function makeProgram(seed: number): string {
  const next = numbersFrom(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

  const swizzle = (of: number, count: number): string =>
    Array.from({ length: count }, () => 'xyzw'[below(of)]).join('');
  /** Every component once at most, as targets need. */
  const target = (of: number, count: number): string => {
    const free = [...'xyzw'.slice(0, of)];
    return Array.from({ length: count }, () => free.splice(below(free.length), 1)[0]).join('');
  };

  const index = (size: number): string =>
    pick([String(below(size)), size === 2 ? 'k' : 'two', `(k + ${below(size - 1)}u)`]);

  const place = (): Place => {
    const [name, size] = pick(Object.entries(vectors));
    const [matrix, [rows, columns]] = pick(Object.entries(matrices));
    switch (below(9)) {
      case 0:
        return { text: name, count: size };
      case 1:
      case 2: {
        const count = 1 + below(size);
        return { text: `${name}.${target(size, count)}`, count };
      }
      case 3:
        return { text: `${name}[${index(size)}]`, count: 1 };
      case 4:
        return { text: `${matrix}[${index(rows)}]`, count: columns };
      case 5: {
        const count = 1 + below(columns);
        return { text: `${matrix}[${index(rows)}].${target(columns, count)}`, count };
      }
      case 6:
        return { text: `${matrix}[${below(rows)}][${index(columns)}]`, count: 1 };
      case 7:
        return { text: `${matrix}._${1 + below(rows)}${1 + below(columns)}`, count: 1 };
      default:
        return { text: `f[${pick(['0', '1', 'k', 'two'])}]`, count: 1 };
    }
  };

  const value = (count: number, depth: number): string => {
    const type = count === 1 ? 'float' : `float${count}`;
    const kind = below(depth === 0 ? 3 : 8);
    const [name, size] = pick(Object.entries(vectors));
    switch (kind) {
      case 0:
        return `${name}.${swizzle(size, count)}`;
      case 1: {
        const [matrix, [rows, columns]] = pick(Object.entries(matrices));
        return `${matrix}[${index(rows)}].${swizzle(columns, count)}`;
      }
      case 2:
        return pick([`(${type})${below(5)}`, `f[k].${'x'.repeat(count)}`]);
      case 3:
        return `(${value(count, depth - 1)} + ${value(count, depth - 1)})`;
      case 4:
        return `(${value(count, depth - 1)} - ${value(1, depth - 1)})`;
      case 5: {
        const first = 1 + below(count);
        return first === count
          ? `-(${value(count, depth - 1)})`
          : `${type}(${value(first, depth - 1)}, ${value(count - first, depth - 1)})`;
      }
      case 6:
        return `select(${value(count, depth - 1)} > ${value(count, depth - 1)}, ${value(count, depth - 1)}, ${value(count, depth - 1)})`;
      default:
        return `${pick(['min', 'max'])}(${value(count, depth - 1)}, ${value(count, depth - 1)})`;
    }
  };

  const statement = (): string => {
    const { text, count } = place();
    const type = count === 1 ? 'float' : `float${count}`;
    switch (below(8)) {
      case 0:
        return `move${count}(${text}, ${place1(count)});`;
      case 1:
        return `${text} ${pick(['+=', '-='])} ${value(count, 1)};`;
      case 2:
        return pick([
          'm23 = transpose(m23x);',
          'm33 = s.m;',
          's = list[k];',
          'list[k] = s;',
          'm22 = (float2x2)m33;',
          'g = s2;',
          'm42[k] = m22[1 - k];',
          's.m += m33;',
          'm22 = -m22;',
        ]);
      case 3:
        return `if (${value(1, 1)} > ${below(4)}) ${text} = ${value(count, 2)}; else ${text} = (${type})${below(9)};`;
      case 4:
        return `for (uint n = 0; n < 2; n++) f[n] += ${value(1, 1)};`;
      default:
        return `${text} = ${value(count, 2)};`;
    }
  };
  const place1 = (count: number): string => {
    for (;;) {
      const found = place();
      if (found.count === count) return found.text;
    }
  };
  const moves = [1, 2, 3, 4].map((count) => {
    const type = count === 1 ? 'float' : `float${count}`;
    return `void move${count}(inout ${type} x, inout ${type} y) { ${type} t = x; x = y; x += 1; y = t; }`;
  });
  // Values double at most a few times; a clamp at the end of each statement keeps them exact.
  const calm =
    'v2 = clamp(v2, -99, 99); v3 = clamp(v3, -99, 99); v4 = clamp(v4, -99, 99); m33 = clamp(m33, -99, 99); s.m = clamp(s.m, -99, 99);';
  const results = [
    ...Object.entries(vectors).flatMap(([name, size]) =>
      Array.from({ length: size }, (_, n) => `${name}[${n}]`),
    ),
    ...Object.entries(matrices).flatMap(([name, [rows, columns]]) =>
      Array.from({ length: rows * columns }, (_, n) => `${name}[${Math.floor(n / columns)}][${n % columns}]`),
    ),
    'f[0]',
    'f[1]',
    'f[2]',
  ];
  return `struct S { float3 p; row_major float3x3 m; }; struct G { float4 q; float z; };
RWStructuredBuffer<float> o : register(u0);
StructuredBuffer<float> a : register(t1);
static G g = { 1, 2, 3, 4, 5 };
${moves.join('\n')}
[numthreads(1, 1, 1)]
void main()
{
uint k = (uint)a[1], two = (uint)a[2];
float2 v2 = float2(a[3], a[4]); float3 v3 = float3(v2, a[5]); float4 v4 = v3.xyzx + 1;
float2x2 m22 = float2x2(v4); float2x3 m23 = float2x3(v3, v3 + 3); float4x2 m42 = float4x2(v4, v4 - 2); float3x3 m33 = float3x3(v3, v3 * 2, -v3); float3x2 m23x = float3x2(1, 2, 3, 4, 5, 6);
float f[3] = { 1, 2, 3 };
S s = { v3, m33 }; S list[2] = { s, s }; list[1].p += 4; G s2 = g; s2.q = v4;
${Array.from({ length: 14 }, () => `${statement()} ${below(4) === 0 ? calm : ''}`).join('\n')}
${results.map((text, n) => `o[${n}] = ${text};`).join(' ')}
}
`;
}

describeWith(['lavapipe', 'g++', 'spirv-val', 'clang'], 'random vectors', () => {
  afterAll(closeVulkan);
  const count = Number(process.env['ONESHADER_RANDOM_PROGRAMS'] ?? 12);
  for (let seed = 1; seed <= count; seed++)
    test(`program ${seed}`, async () => {
      const text = makeProgram(seed);
      const bindings = { '0.0': zeros(80), '0.1': floats(0, 1, 2, 5, -3, 7) };
      const options = { profile: 'cs_6_0', entry: 'main' } as const;
      const used = copyBindings(bindings);
      interpretCompute(toModule(text, { ...options, optimize: false }), [1, 1, 1], { bindings: used });
      const wanted = [...new Float32Array((used['0.0'] as { bytes: Uint8Array }).bytes.slice().buffer)];
      for (const build of builds) {
        const spirv = toSpirv(text, { ...options, ...build });
        expect(validateSpirv(spirv, validationFlags()), text).toBe('');
        const { resources } = await runCompute({ spirv, entry: 'main', dispatch: [1, 1, 1], bindings });
        const got = [...new Float32Array(resources['0.0']![0]!.slice().buffer)];
        const same = got.every((one, n) => one === wanted[n]);
        if (!same) expect(got, `${JSON.stringify(build)}\n${text}`).toEqual(wanted);
      }
      const optimize = seed % 2 === 0;
      const metal = await runMetal({
        text,
        options: { ...options, optimize },
        dispatch: [1, 1, 1],
        bindings,
      });
      if ('codes' in metal) throw new Error(`no Metal text: ${metal.codes}`);
      const got = [...new Float32Array(metal['0.0']![0]!.slice().buffer)];
      if (!got.every((one, n) => one === wanted[n])) expect(got, `Metal\n${text}`).toEqual(wanted);
    });
});
