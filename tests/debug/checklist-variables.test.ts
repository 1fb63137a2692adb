/** The checklist of debug information, part 2: variables and types, with the optimizer off. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';
import {
  type DebugBuild,
  debugBuild,
  localVariables,
  named,
  shader,
  typeText,
} from '../support/debug-build.ts';
import { readDebug, wordsOf } from '../support/debug-records.ts';
import { verifyDebug } from '../../src/spirv/verify-debug.ts';

/** Locals without a declaration, but for handles, which are nowhere in memory. */
function undeclared({ module }: Pick<DebugBuild, 'module'>): string[] {
  const declared = module.all('DebugDeclare').map(({ operands }) => operands[0]!);
  expect(new Set(declared).size).toBe(declared.length);
  expect(module.all('DebugValue')).toEqual([]);
  return module
    .all('DebugLocalVariable')
    .filter(
      ({ id, operands }) =>
        !declared.includes(id) && !typeText(module, module.byId.get(operands[1]!)).startsWith('@'),
    )
    .map(({ operands }) => module.text(operands[0]));
}

describe('checklist 17: every local and parameter has one variable and one declaration', () => {
  test('of all kinds: unused, constant, handles, in all sorts of blocks', () => {
    const build = debugBuild(`
Texture2D<float4> tex; SamplerState samp; RWStructuredBuffer<float> o;
struct S { float a[3]; };
float4 fetch(Texture2D<float4> t, SamplerState s, float2 uv, inout float count, out S rest)
{ rest = (S)0; count++; return t.SampleLevel(s, uv, 0); }
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
  const float never = 3;
  Texture2D<float4> handle = tex;
  float unused;
  bool2 flags = bool2(true, false);
  if (id.x > 2) { int4 inIf = 3; o[9] = inIf.x; } else { half inElse = 2; o[8] = inElse; }
  for (int i = 0, j = 4; i < j; i++) { float inFor = i; o[i] = inFor; }
  while (o[2] > 3) { uint inWhile = 3; o[2] = inWhile; }
  do { float3x2 inDo = 0; o[3] = inDo[1][1]; } while (o[3] > 1);
  switch (id.y) { case 1: { double inCase = 3; o[4] = (float)inCase; } }
  S rest;
  float count = 0;
  o[id.x] = fetch(handle, samp, 0.5, count, rest).x + rest.a[1] + (flags.x ? 1 : never);
}
`);
    expect(undeclared(build)).toEqual([]);
    expect(
      localVariables(build)
        .map(({ name, type }) => `${typeText(build.module, type)} ${name}`)
        .sort(),
    ).toEqual([
      '@type.2d.image handle',
      '@type.2d.image t',
      '@type.sampler s',
      'bool2 flags',
      'double inCase',
      'float count',
      'float count',
      'float inFor',
      'float never',
      'float unused',
      'float2 uv',
      'float2[3] inDo',
      'half inElse',
      'int i',
      'int j',
      'int4 inIf',
      'struct S rest',
      'struct S rest',
      'uint inWhile',
      'uint3 id',
    ]);
  });

  test('over the corpus', () => {
    for (const job of corpusJobs) {
      const module = readDebug(wordsOf(compile(corpusOptions(job, '-Od -Zi')).spirv!));
      expect(undeclared({ module }), `${job.file} ${job.flags}`).toEqual([]);
    }
  }, 300_000);
});

describe('checklist 18: parameters', () => {
  test('are numbered from 1 in order, belong to the function, and this is number 1 of a method', () => {
    const build = debugBuild(
      shader(
        '  S s; s.a = 1; float u = 0; o[0] = s.get(2, u) + S::plain(3) + f(1, 2, 3);',
        'struct S { float a; float get(float b, out float c) { c = b; return a + b; } static float plain(float d) { return d; } };\nfloat f(float x, int y, uint z) { return x + y + z; }\n',
      ),
    );
    const parameters = localVariables(build).filter(({ argument }) => argument !== undefined);
    for (const { parent } of parameters) expect(parent.name).toBe('DebugFunction');
    const of = (name: string) =>
      parameters
        .filter(({ parent }) => parent === named(build, 'DebugFunction', name))
        .map(({ name, argument, flags }) => `${argument} ${name} ${flags}`);
    expect(of('S.get')).toEqual(['1 this 288', '2 b 4', '3 c 4']);
    expect(of('S.plain')).toEqual(['1 d 4']);
    expect(of('f')).toEqual(['1 x 4', '2 y 4', '3 z 4']);
    expect(of('main')).toEqual(['1 id 4']);
    const self = parameters.find(({ name }) => name === 'this')!;
    expect(typeText(build.module, self.type)).toBe('struct S');
  });

  test('methods, static ones too, belong to their struct, which does not list them', () => {
    const build = debugBuild(
      shader(
        '  S s; s.a = 1; o[0] = s.get() + S::plain(3);',
        'struct S { float a; float get() { return a; } static float plain(float d) { return d; } };\n',
      ),
    );
    const { module } = build;
    for (const name of ['S.get', 'S.plain']) {
      const owner = module.byId.get(named(build, 'DebugFunction', name).operands[5]!)!;
      expect(typeText(module, owner)).toBe('struct S');
      expect(owner.operands.slice(9).map((id) => module.byId.get(id)!.name)).toEqual(['DebugTypeMember']);
    }
  });
});

describe('checklist 19, 20: names that are there twice', () => {
  test('checklist 19: each shadowed name belongs to its own block', () => {
    const build = debugBuild(
      shader('  float x = 1;\n  {\n    float x = 2;\n    { float x = 3; o[0] = x; }\n  }\n  o[1] = x;'),
    );
    const all = localVariables(build).filter(({ name }) => name === 'x');
    expect(all.map(({ line }) => line)).toEqual([5, 7, 8]);
    const [outer, middle, inner] = all.map(({ parent }) => parent);
    expect(inner!.operands[3]).toBe(middle!.id);
    expect(middle!.operands[3]).toBe(outer!.id);
  });

  test('checklist 20: two loops with an int i have two variables in two blocks', () => {
    const build = debugBuild(
      shader('  for (int i = 0; i < 2; i++) o[i] = 1;\n  for (int i = 0; i < 3; i++) o[i] = 2;'),
    );
    const all = localVariables(build).filter(({ name }) => name === 'i');
    expect(new Set(all.map(({ parent }) => parent.id)).size).toBe(2);
    expect(all.map(({ parent }) => build.module.number(parent.operands[1]))).toEqual([5, 6]);
  });

  test('checklist 20: where a loop variable leaks out of its loop, it belongs to the block around', () => {
    const build = debugBuild(shader('  for (int i = 0; i < 2; i++) o[i] = 1;\n  o[3] = i;'), {
      languageVersion: 2018,
    });
    const [i] = localVariables(build).filter(({ name }) => name === 'i');
    expect(build.module.number(i!.parent.operands[1])).toBe(4);
  });
});

describe('checklist 21: members have the offsets and sizes of the layout', () => {
  const text = shader(
    '  o[0] = light.power + s[0].light.power + flags.x;',
    'struct Light { float3 dir; float power; row_major float2x3 m; bool on; float a[2]; };\n' +
      'cbuffer B { float first; Light light; uint2 flags; };\nstruct E { float x; Light light; };\nStructuredBuffer<E> s;\n',
  );

  test.each(['vulkan', 'gl', 'scalar', 'dx'] as const)('%s', (layout) => {
    const { module } = debugBuild(text, { layout });
    const nameOf = new Map<number, string>();
    for (const { op, words } of module.code)
      if (op === 5) nameOf.set(words[0]!, String.fromCharCode(words[1]! & 255));
    const decorated = new Map<string, string>();
    // Offsets of each SPIR-V struct, in order of its members.
    const offsets = new Map<number, number[]>();
    for (const { op, words } of module.code)
      if (op === 72 && words[2] === 35)
        offsets.set(words[0]!, [...(offsets.get(words[0]!) ?? []), words[3]! * 8]);
    for (const list of offsets.values()) decorated.set(list.join(), '');
    const composites = module
      .all('DebugTypeComposite')
      .filter(({ operands }) => module.number(operands[8]) === 3 && operands.length > 9);
    expect(composites.length).toBeGreaterThanOrEqual(layout === 'scalar' ? 3 : 4);
    for (const { operands } of composites) {
      const members = operands.slice(9).map((id) => module.byId.get(id)!.operands);
      const list = members.map((member) => module.number(member[5])).join();
      expect([...decorated.keys()], module.text(operands[0])).toContain(list);
      const size = module.number(operands[7]);
      for (const member of members) {
        const [offset, bits] = [module.number(member[5]), module.number(member[6])];
        expect(bits).toBeGreaterThan(0);
        expect(offset + bits).toBeLessThanOrEqual(size);
      }
    }
  });

  test('one composite for each layout', () => {
    const { module } = debugBuild(text);
    const lights = module
      .all('DebugTypeComposite')
      .filter(({ operands }) => module.text(operands[0]) === 'Light');
    expect(lights).toHaveLength(2);
  });

  test('a struct that lies in no buffer says so', () => {
    const build = debugBuild(shader('  S s; s.a = 1; o[0] = s.a;', 'struct S { float a; };\n'));
    expect(build.module.number(named(build, 'DebugTypeComposite', 'S').operands[8])).toBe(3 | 131072);
  });
});

test('checklist 22: dimensions of arrays in the order of the source, 0 for unsized ones', () => {
  const build = debugBuild(
    shader(
      '  float a[2][3] = { 1, 2, 3, 4, 5, 6 }; o[0] = a[1][2] + t[id.x].Load(0).x;',
      'Texture2D t[] : register(t3);\n',
    ),
  );
  expect(typeText(build.module, localVariables(build).find(({ name }) => name === 'a')!.type)).toBe(
    'float[2][3]',
  );
  const { operands } = named(build, 'DebugGlobalVariable', 't');
  expect(typeText(build.module, build.module.byId.get(operands[1]!))).toBe('@type.2d.image[0]');
});

describe('checklist 23: matrices agree with the SPIR-V type and its decoration', () => {
  test.each([
    ['float2x3', 'column_major', '2 x float3', false],
    ['float2x3', 'row_major', '2 x float3', true],
    ['float3x2', 'column_major', '3 x float2', false],
    ['float3x2', 'row_major', '3 x float2', true],
  ] as const)('%s %s', (type, order, shape, isColumnMajor) => {
    const { module } = debugBuild(shader('  o[0] = m[1][0];', `cbuffer C { ${order} ${type} m; };\n`));
    const [matrix] = module.all('DebugTypeMatrix');
    expect(typeText(module, matrix)).toBe(shape);
    expect(module.definitions.get(matrix!.operands[2]!)!.op).toBe(isColumnMajor ? 41 : 42);
    const matrices = module.code.filter(({ op }) => op === 24);
    expect(matrices.map(({ words }) => words[2])).toEqual([Number(shape[0])]);
    // RowMajor (4) is HLSL's column_major.
    expect(module.code.some(({ op, words }) => op === 72 && words[2] === (isColumnMajor ? 5 : 4))).toBe(true);
  });

  test.each([false, true])('a local is an array of rows, optimize: %s', (optimize) => {
    const build = debugBuild(shader('  float2x3 m = o[3]; m[1][2] = 3; o[0] = m[id.x][2];'), { optimize });
    const local = localVariables(build).find(({ name }) => name === 'm')!;
    expect(typeText(build.module, local.type)).toBe('float3[2]');
  });
});

describe('globals', () => {
  const build = debugBuild(`
namespace ns { static float inside = 2; namespace deep { float f(float v) { return v * inside; } } }
static const uint N = 4; static uint counter = 7; groupshared float lds[8];
enum class Mode { Off, On = 5 };
Texture2D<float2> tex; SamplerState samp; StructuredBuffer<float3> items; ByteAddressBuffer raw; RWStructuredBuffer<float> o;
float loose; cbuffer Block { float4 tint; };
struct P { float4 colour; }; ConstantBuffer<P> cb; [[vk::push_constant]] P push;
float count(float x) { static float total = 1; total += x; return total; }
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
  Mode m = Mode::On;
  lds[0] = count(ns::deep::f(3)) + N + counter++;
  o[id.x] = lds[1] + tex.SampleLevel(samp, 0, 0).x + items[0].x + raw.Load(0) + loose + tint.x + cb.colour.x + push.colour.y + (int)m;
}
`);
  const { module } = build;
  const typeOf = (name: string) => {
    const { operands } = named(build, 'DebugGlobalVariable', name);
    return typeText(module, module.byId.get(operands[1]!));
  };

  test('resources, buffers, statics and groupshared have records with their type', () => {
    expect(
      [
        'tex',
        'samp',
        'items',
        'raw',
        '$Globals',
        'Block',
        'cb',
        'push',
        'counter',
        'lds',
        'total',
        'inside',
      ].map(typeOf),
    ).toEqual([
      '@type.2d.image',
      '@type.sampler',
      '@type.StructuredBuffer.float3',
      '@type.ByteAddressBuffer',
      'struct $Globals',
      'struct Block',
      'struct P',
      'struct P',
      'uint',
      'float[8]',
      'float',
      'float',
    ]);
  });

  test('a static local belongs to its block, a namespace is a block with a name', () => {
    const scopeOf = (name: string) =>
      module.byId.get(named(build, 'DebugGlobalVariable', name).operands[5]!)!;
    expect(scopeOf('total').name).toBe('DebugLexicalBlock');
    expect(scopeOf('counter').name).toBe('DebugCompilationUnit');
    expect(module.text(scopeOf('inside').operands[4])).toBe('ns');
    const deep = module.byId.get(named(build, 'DebugFunction', 'ns::deep::f').operands[5]!)!;
    expect(module.text(deep.operands[4])).toBe('deep');
    expect(module.text(module.byId.get(deep.operands[3]!)!.operands[4])).toBe('ns');
  });

  test('a template argument stands beside the composite', () => {
    const found = module.all('DebugTypeTemplate').map(({ operands }) => {
      const actual = module.byId.get(operands[1]!)!.operands[1]!;
      return `${typeText(module, module.byId.get(operands[0]!))} ${typeText(module, module.byId.get(actual))}`;
    });
    expect(found).toContain('@type.2d.image float2');
    expect(found).toContain('@type.StructuredBuffer.float3 float3');
  });

  test('an enumeration has its record, and its variables an integer of its name', () => {
    const { operands } = named(build, 'DebugTypeEnum', 'Mode');
    const values = operands.slice(8).map((id, i) => (i % 2 === 0 ? module.number(id) : module.text(id)));
    expect(values).toEqual([0, 'Off', 5, 'On']);
    const m = localVariables(build).find(({ name }) => name === 'm')!;
    expect([m.type.name, typeText(module, m.type)]).toEqual(['DebugTypeBasic', 'Mode']);
  });

  test('a function whose code was inlined keeps its types', () => {
    for (const optimize of [0, 3] as const) {
      const inlined = debugBuild(
        shader(
          '  o[0] = f(o[1], 2);',
          'float2 g(int n) { return n; }\nfloat f(float x, int n) { return x * g(n).y; }\n',
        ),
        { optimize },
      );
      const types = (name: string) => {
        const type = inlined.module.byId.get(named(inlined, 'DebugFunction', name).operands[1]!)!;
        return type.operands.slice(1).map((id) => typeText(inlined.module, inlined.module.byId.get(id)));
      };
      expect(types('f')).toEqual(['float', 'float', 'int']);
      expect(types('g')).toEqual(['float2', 'int']);
    }
  });
});

describe('structs with resources', () => {
  const text = `Texture2D<float4> list[2]; SamplerState samp; RWStructuredBuffer<float4> o;
struct Inner { SamplerState how; int n; };
struct Material { Texture2D<float4> tex[2]; float2 scale; Inner inner; float bias; };
float4 read(Material what, Texture2D<float4> t) { float2 s = what.scale; return what.tex[1].SampleLevel(what.inner.how, s, what.bias) + what.inner.n; }
[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
  Material m;
  m.tex = list;
  m.scale = o[1].xy;
  m.inner.how = samp;
  m.inner.n = id.x;
  m.bias = id.y;
  Material copies[2];
  copies[0] = m;
  copies[1] = m;
  copies[id.x].bias = 2;
  o[0] = read(m, list[0]) + copies[id.y].bias;
}
`;

  test.each([0, 3] as const)('records have the members that memory has, -O%d', (optimize) => {
    const build = debugBuild(text, { optimize });
    expect(verifyDebug(build.words).problems).toEqual([]);
    const material = named(build, 'DebugTypeComposite', 'Material');
    const members = material.operands
      .slice(9)
      .map((id) => build.module.text(build.module.byId.get(id)!.operands[0]));
    expect(members).toEqual(['scale', 'inner', 'bias']);
  });
});
