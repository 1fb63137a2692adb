/** Faults that users of other compilers met in debug information (DXC, spirv-opt, glslang, Slang, RenderDoc): the kind, in its smallest shape. */
import { describe, expect, test } from 'vitest';
import { debugBuild, localVariables, named, shader, stepSequence, typeText } from '../support/debug-build.ts';
import { debugProblems, stripped } from '../support/debug-records.ts';
import { testWith, validateSpirv } from '../support/tools.ts';

const traps: [string, string, Parameters<typeof debugBuild>[1]?][] = [
  [
    'a renamed line above a long one, with tabs',
    shader('#line 40 "other.hlsl"\n\t\t\t\to[0] = 1 + 2 + 3 + 4 + id.x + id.y;'),
  ],
  ['three names of #line', shader('#line 1 "a"\no[0] = 1;\n#line 1 "b"\no[1] = 1;\n#line 1 "c"\no[2] = 1;')],
  ['a constant buffer with DX layout', shader('  o[0] = v;', 'cbuffer s { uint v; };\n'), { layout: 'dx' }],
  ['a global string', shader('  o[0] = 1;', 'string s = "x";\n')],
  [
    'copies of structs between layouts',
    shader(
      '  S s = b; T t; t.s = s; t.x = 1; r[0] = t;',
      'struct S { float2 a; float3 c; bool f; };\nstruct T { float x; S s; };\nConstantBuffer<S> b;\nRWStructuredBuffer<T> r;\n',
    ),
  ],
  [
    'phis of conditions',
    shader(
      '  bool c = id.x > 1 && o[1] > 2 || o[3] > 1;\n  o[0] = c ? o[4] : f();',
      'float f() { return o[5]; }\n',
    ),
    { optimize: 3 },
  ],
  [
    'a dynamic index into a local array, inlined',
    shader(
      '  o[0] = f(id.x);',
      'float f(uint i) { float a[4] = { 1, 2, 3, 4 }; a[i] = 5; return a[i + 1]; }\n',
    ),
    { optimize: 3 },
  ],
  [
    'an unused texture read',
    shader('  float4 dead = t.Load(0);\n  o[0] = 1;', 'Texture2D t;\n'),
    { optimize: 3 },
  ],
  [
    'enumerations and structs of them',
    shader(
      '  S s; s.m = Mode::B; o[0] = (int)pick(s);',
      'enum class Mode { A, B };\nstruct S { Mode m; };\nMode pick(S s) { return s.m; }\n',
    ),
  ],
  ['an expression whose last line ends further left', shader('  o[0] = max(id.x,\nid.y);')],
];

describe('traps', () => {
  test.each(traps)('%s', (_, text, options = {}) => {
    const { words } = debugBuild(text, options);
    expect(debugProblems(words)).toEqual([]);
    expect(stripped(words)).toBe(stripped(debugBuild(text, { ...options, debugInfo: false }).words));
  });

  testWith(['spirv-val'], 'the validator accepts them', () => {
    for (const [title, text, options = {}] of traps)
      expect(
        validateSpirv(debugBuild(text, options).bytes, [
          '--target-env',
          'vulkan1.2',
          '--scalar-block-layout',
        ]),
        title,
      ).toBe('');
  });

  test('one text for each file, however many names #line gives', () => {
    const { module } = debugBuild(traps[1]![1]);
    expect(module.all('DebugSource').filter(({ operands }) => operands.length > 1)).toHaveLength(1);
  });

  test('variables of locals that are dead stay in optimized programs', () => {
    const build = debugBuild(
      shader('  float a = o[1]; float b = a * 2; float c = b + a; int d = 3;\n  o[0] = 1;'),
      { optimize: 3 },
    );
    expect(
      localVariables(build)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['a', 'b', 'c', 'd', 'id']);
  });

  test('a constant is a local as any, recorded at its declaration', () => {
    const build = debugBuild(shader('  const float x = 2;\n  const int k = 3;\n  o[k] = x;'));
    expect(
      localVariables(build)
        .map(({ name, line }) => `${name} ${line}`)
        .sort(),
    ).toEqual(['id 3', 'k 6', 'x 5']);
  });

  test('each of several stores has its own value record, at its place', () => {
    const build = debugBuild(shader('  float x = o[5];\n  o[0] = x;\n  x = o[6];\n  o[1] = x;'), {
      optimize: 3,
    });
    const x = named(build, 'DebugLocalVariable', 'x');
    const values = build.module.all('DebugValue').filter(({ operands }) => operands[0] === x.id);
    expect(new Set(values.map(({ operands }) => operands[1])).size).toBe(2);
    expect(stepSequence(build)).toEqual([5, 6, 7, 8, 9].map((line) => `main.hlsl:${line}`));
  });

  test('a component that is set gives the whole vector', () => {
    const build = debugBuild(shader('  float4 v = o[1];\n  v.y = o[2];\n  o[0] = dot(v, v);'), {
      optimize: 3,
    });
    const v = named(build, 'DebugLocalVariable', 'v');
    expect(typeText(build.module, build.module.byId.get(v.operands[1]!))).toBe('float4');
    for (const { operands } of build.module.all('DebugValue'))
      if (operands[0] === v.id) expect(operands).toHaveLength(3);
  });

  test('line records do not depend on the target', () => {
    const steps = (['vulkan1.0', 'vulkan1.1', 'vulkan1.2', 'vulkan1.3'] as const).map((targetEnv) =>
      stepSequence(debugBuild(shader('  o[0] = 1;\n  o[1] = 2;'), { targetEnv })).join(),
    );
    expect(new Set(steps).size).toBe(1);
  });
});
