/** Programs that are far larger than real ones end in a message, or compile without using up time and memory. */
import { describe, expect, test } from 'vitest';
import { type Compilation, compileModule } from '../../src/compile.ts';

function compileText(declarations: string, body: string, optimize = false): Compilation {
  const text = `${declarations} RWStructuredBuffer<float> o; [numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { ${body} }`;
  return compileModule({
    source: { name: 'a.hlsl', text },
    profile: 'cs_6_6',
    entry: 'main',
    optimize,
  });
}

function messagesOf({ log }: Compilation): string[] {
  return log.diagnostics.map(({ message }) => message);
}

function list(count: number, text: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => text(i)).join('');
}

describe('refused', () => {
  const calls = (count: number) =>
    `float f0(float x) { return x; } ${list(count - 1, (i) => `float f${i + 1}(float x) { return f${i}(x); }`)}`;
  const ring = list(100, (i) => `float f${i}(float x) { return f${(i + 1) % 100}(x); }`);
  const tooLarge = "'S' has too many parts to be given a value at once; set them in a loop";
  const tooMany =
    "an element of 'Texture2D<float4>[5000]' cannot be set to another resource, because the array has more than 4096 elements";
  test.each([
    ['call-depth', calls(1000), 'o[0] = f999(1);', 'calls are nested more than 1000 functions deep'],
    [
      'recursive-call',
      `${list(100, (i) => `float f${i}(float x);`)} ${ring}`,
      'o[0] = f0(1);',
      `recursive functions are not allowed: ${list(8, (i) => `f${i} -> `)}... -> ${list(8, (i) => `f${92 + i} -> `)}f0`,
    ],
    [
      'value-too-large',
      'struct S { float a[65533]; }; StructuredBuffer<S> b;',
      'S s = b[0]; o[0] = s.a[1];',
      tooLarge,
    ],
    [
      'value-too-large',
      'struct S { float a[900000000]; }; RWStructuredBuffer<S> b; static S s;',
      'b[0] = s;',
      tooLarge,
    ],
    ['opaque-array-size', 'Texture2D g;', 'Texture2D t[5000]; t[5] = g; o[0] = t[5].Load(0).x;', tooMany],
  ])('%s', (key, declarations, body, message) => {
    const { log } = compileText(declarations, body);
    expect(log.diagnostics.map((entry) => [entry.key, entry.message])).toContainEqual([key, message]);
  });

  test('one call less is compiled', () => {
    expect(messagesOf(compileText(calls(999), 'o[0] = f998(1);'))).toEqual([]);
  });
});

describe('compiled', () => {
  // What was quadratic took many seconds at these sizes.
  const count = 8000;
  test.each([
    [
      'enumerators',
      `enum E { ${list(count, (i) => `e${i},`)} };`,
      `uint n = 0; ${list(count, (i) => `n += E::e${count - 1 - i};`)}`,
    ],
    [
      'members',
      `struct S { ${list(count, (i) => `float m${i};`)} }; cbuffer C { S s; }`,
      list(count, (i) => `s.m${i};`),
    ],
    [
      'structs of resources',
      `struct S { Texture2D a, b; }; ${list(count, (i) => `S g${i};`)}`,
      'o[0] = g7.a.Load(0).x;',
    ],
    [
      'parameters of a macro',
      `\n#define F(${list(count, (i) => `a${i},`)}b) b\n`,
      `o[0] = F(${','.repeat(count)}1);`,
    ],
    [
      'changes of the matrix packing',
      `\n${list(count, (i) => `#pragma pack_matrix(${i % 2 ? 'row' : 'column'}_major)\n`)} struct S { ${list(count, (i) => `float2x2 m${i};`)} };`,
      'S s;',
    ],
  ])('%s', (_, declarations, body) => {
    expect(messagesOf(compileText(declarations, body)).filter((text) => !text.includes('unused'))).toEqual(
      [],
    );
  });

  test('static globals, optimized', () => {
    const statics = list(count, (i) => `static float g${i} = ${i};`);
    expect(messagesOf(compileText(statics, 'g0 = id.x; o[0] = g0 + g7999;', true))).toEqual([]);
  });

  test('early returns, optimized', () => {
    const f = `float f(float x) { ${list(2000, (i) => `if (x == ${i}) return ${2 * i};`)} return x; }`;
    expect(messagesOf(compileText(f, 'o[0] = f(id.x) + f(id.y);', true))).toEqual([]);
  });

  test('warnings, pragmas for them and pushes of their state', () => {
    const pragmas = list(
      count,
      (i) => `#pragma clang diagnostic ignored "-Wg${i}"\n#pragma clang diagnostic push\n`,
    );
    const { log } = compileText(`\n${pragmas}`, `uint u = 1; ${list(count, () => 'u = -u;\n')}`);
    expect(log.diagnostics).toHaveLength(1000);
  });

  test('arrays of billions of resources beside each other', () => {
    const { log, module } = compileText(
      'struct S { Texture2D t[2147483647]; SamplerState s; }; S g; Texture2D z;',
      'o[0] = g.t[7].Load(0).x + z.Load(0).x;',
    );
    expect(log.diagnostics).toEqual([]);
    const found = module!.globals.map(({ name, role }) => [
      name,
      role.kind === 'resource' && role.binding.binding,
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['g.t', 0],
        ['z', 2147483648],
        ['o', 2147483649],
      ]),
    );
  });
});
