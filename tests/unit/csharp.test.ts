/**
 * Generated C#: every scalar of every buffer lies where the shader has it. The structs are read back from the text, to the offset
 * of each scalar, and compared with the layout that the shader was compiled with.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type CompileOptions } from '../../src/compile.ts';
import { featuresOf } from '../../src/csharp/framework.ts';
import { classNameOf, type CsharpShader, generateCsharp, namespaceOf } from '../../src/csharp/generate.ts';
import { stringLiteral } from '../../src/csharp/literals.ts';
import type { ReflectedType } from '../../src/reflect/reflect.ts';

const frameworks = ['net10.0', 'net6.0', 'netstandard2.0'];

function shaderOf(
  text: string,
  more: Partial<CompileOptions> = {},
): { shader: CsharpShader; bindings: { name: string; type: ReflectedType }[] } {
  const { diagnostics, reflection, spirv, msl } = compile({
    source: { name: 'a.ps.hlsl', text },
    profile: 'ps_6_2',
    reflectDeclared: true,
    ...more,
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const blob = { reflection: reflection!, ...(spirv && { spirv }), ...(msl !== undefined && { msl }) };
  const shader: CsharpShader = {
    file: 'Shaders/a.ps.hlsl',
    accessModifier: 'internal',
    variants: [{ blobs: [blob] }],
  };
  return { shader, bindings: reflection!.bindings };
}

function generate(shader: CsharpShader | CsharpShader[], targetFramework = 'net10.0') {
  return generateCsharp([shader].flat(), { targetFramework, rootNamespace: 'My.Game' });
}

// ---- the layout as C# has it

interface Struct {
  size: number;
  /** Fields by offset, or elements of an inline array. */
  fields: { offset: number; type: string }[];
  count?: number;
}

const primitives: Readonly<Record<string, string>> = {
  float: 'f4',
  double: 'f8',
  int: 'i4',
  uint: 'i4',
  short: 'i2',
  ushort: 'i2',
  long: 'i8',
  ulong: 'i8',
  'System.Half': 'f2',
  Half: 'f2',
};
const sizeOfPrimitive = (kind: string): number => Number(kind[1]);

/** Structs of the text by name. */
function readStructs(text: string): Map<string, Struct> {
  const structs = new Map<string, Struct>();
  const plain = text
    .replaceAll('global::', '')
    .replaceAll('System.Runtime.InteropServices.', '')
    .replaceAll('My.Game.HlslTypes.', '');
  for (let n = 2; n <= 4; n++)
    structs.set(`System.Numerics.Vector${n}`, {
      size: 4 * n,
      fields: Array.from({ length: n }, (_, i) => ({ offset: 4 * i, type: 'float' })),
    });
  // The shared types stand behind the shader's; a name of both kinds would mean the wrong one here, so tests have none.
  const pattern =
    /\[(?:StructLayout\(.*?Size = (\d+)\)|.*?InlineArray\((\d+)\))\]\n *public struct @?(\w+)\n *\{\n([\s\S]*?)\n *\}\n/g;
  for (const [, size, count, name, body] of plain.matchAll(pattern)) {
    const fields = [...body!.matchAll(/^ *\[FieldOffset\((\d+)\)\] public ([\w.]+) @?\w+;/gm)];
    const only = /^ *private ([\w.]+) \w+;/m.exec(body!)?.[1];
    structs.set(name!, {
      size: Number(size ?? 0),
      fields: only
        ? [{ offset: 0, type: only }]
        : fields.map(([, offset, type]) => ({ offset: Number(offset), type: type! })),
      ...(count !== undefined && { count: Number(count) }),
    });
  }
  return structs;
}

function csharpSize(structs: Map<string, Struct>, type: string): number {
  const primitive = primitives[type];
  if (primitive) return sizeOfPrimitive(primitive);
  const { size, fields, count } = structs.get(type)!;
  return count === undefined ? size : count * csharpSize(structs, fields[0]!.type);
}

/** `offset kind` of every scalar. Fails if a field reaches into the next one. */
function csharpScalars(structs: Map<string, Struct>, type: string, base = 0): string[] {
  const primitive = primitives[type];
  if (primitive) return [`${base} ${primitive}`];
  const found = structs.get(type);
  if (!found) throw new Error(`no struct ${type}`);
  const { fields, count = 1 } = found;
  const result: string[] = [];
  for (let i = 0; i < count; i++) {
    const stride = found.count === undefined ? 0 : csharpSize(structs, fields[0]!.type);
    for (const field of fields)
      result.push(...csharpScalars(structs, field.type, base + i * stride + field.offset));
  }
  const sorted = [...fields].sort((a, b) => a.offset - b.offset);
  sorted.forEach((field, i) => {
    const next = sorted[i + 1]?.offset ?? (found.size || Number.POSITIVE_INFINITY);
    expect(field.offset + csharpSize(structs, field.type), `${type} at ${field.offset}`).toBeLessThanOrEqual(
      next,
    );
  });
  return result;
}

// ---- the layout as the shader has it

function shaderScalars(type: ReflectedType, base = 0): string[] {
  const kind = (scalar: string, size: number): string =>
    `${/float|half|double/.test(scalar) ? 'f' : 'i'}${size}`;
  switch (type.kind) {
    case 'scalar':
      return [`${base} ${kind(type.scalar!, type.size!)}`];
    case 'vector': {
      const size = type.size! / type.columns!;
      return Array.from(
        { length: type.columns! },
        (_, i) => `${base + i * size} ${kind(type.scalar!, size)}`,
      );
    }
    case 'matrix': {
      const { rows, columns, stride, scalarSize, matrixOrder, scalar } = type as Required<ReflectedType>;
      const byRow = matrixOrder === 'row_major';
      const result: string[] = [];
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) {
          const [vector, component] = byRow ? [row, column] : [column, row];
          // Without stride it is a vector in memory.
          const at = stride === 0 ? (row + column) * scalarSize : vector * stride + component * scalarSize;
          result.push(`${base + at} ${kind(scalar, scalarSize)}`);
        }
      return result;
    }
    case 'array':
      return Array.from({ length: type.count! }, (_, i) =>
        shaderScalars(type.element!, base + i * type.stride!),
      ).flat();
    case 'struct':
      return type.members!.flatMap((member) => shaderScalars(member.type, base + member.offset!));
    case 'resource':
      throw new Error('no memory');
  }
}

const sorted = (list: string[]): string[] =>
  list.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

/** Compares every buffer of a shader with its struct; gives the number of scalars compared. */
function compareLayouts(text: string, more: Partial<CompileOptions>, framework: string): number {
  const { shader, bindings } = shaderOf(text, more);
  const out = generate(shader, framework).text;
  const structs = readStructs(out);
  let compared = 0;
  for (const { name, type } of bindings) {
    const element = type.element!;
    // The comment of a binding names its struct.
    const shown = name.replace('$', '');
    const struct = new RegExp(
      `in struct <c>@?(\\w+)</c>.</summary>\\n *public static class ${shown}\\n`,
    ).exec(out)![1]!;
    const scalars = sorted(csharpScalars(structs, struct));
    expect(scalars, `${name} for ${framework}`).toEqual(sorted(shaderScalars(element)));
    expect(csharpSize(structs, struct)).toBe(type.stride ?? element.size);
    compared += scalars.length;
  }
  return compared;
}

const everyMember = `
struct Inner { float3 a; float b; };
struct Odd { float a; bool b; };
struct Nested { Inner one; Odd two[2]; float3 last; };
enum Mode { A, B };
cbuffer Everything : register(b0) {
  float scalar; float2 pair; float3 triple; float beside; float3 alone; float4 quad;
  bool flag; bool3 flags; int2 whole; uint4 natural; Mode mode; half small; min16float smaller; min16uint3 tiny;
  float4x4 square; row_major float4x4 rows; float3x3 three; float after; row_major float3x2 narrow; float2x3 wide; int2x2 grid;
  float1x3 line_; float3x1 column; row_major float1x4 lying;
  float list[5]; float after2; float2 pairs[3]; float3 triples[2]; float after3; float3x3 matrices[2]; float after4;
  float grid2[2][3]; Inner inner; float after5; Nested nested[2]; Odd odd; float end;
};
cbuffer Packed : register(b1) { float3 packed : packoffset(c2); float first : packoffset(c0.y); float4 middle : packoffset(c1); };
StructuredBuffer<Inner> inners; StructuredBuffer<Nested> nesteds; StructuredBuffer<float3> loose; StructuredBuffer<bool> bools;
StructuredBuffer<row_major float3x4> transforms;
float4 global; float3 global2[2];
float4 main() : SV_Target {
  return scalar + packed.x + inners[0].b + nesteds[0].last.x + loose[0].x + bools[0] + transforms[0][0][0] + global + global2[0].x;
}
`;
const wideMember = `
struct Wide { half a; half3 b; int16_t c; uint16_t2 d; double e; int64_t f; uint64_t2 g; half3x3 h; double3 i; half j[3]; };
cbuffer Block { Wide inBlock; half after; double2 doubles[2]; half4x4 halves; };
StructuredBuffer<Wide> wides; StructuredBuffer<half3> smalls;
float4 main() : SV_Target { return after + wides[0].a + smalls[0].x; }
`;

describe('structs', () => {
  const layouts = ['vulkan', 'dx', 'gl', 'scalar'] as const;
  it.each(layouts.flatMap((layout) => frameworks.map((framework) => [layout, framework] as const)))(
    'lie as in the shader: %s layout, %s',
    (layout, framework) => {
      for (const matrixPacking of ['column_major', 'row_major'] as const)
        expect(compareLayouts(everyMember, { layout, matrixPacking }, framework)).toBeGreaterThan(200);
      expect(compareLayouts(wideMember, { layout, enable16BitTypes: true }, framework)).toBeGreaterThan(70);
    },
  );

  it('lie as in the shader, whatever is in them', () => {
    const scalar = fc.constantFrom('float', 'int', 'uint', 'bool', 'half', 'double', 'int16_t', 'uint64_t');
    const dimension = fc.integer({ min: 1, max: 4 });
    const plain = fc.oneof(
      scalar,
      fc.tuple(scalar, dimension).map(([name, n]) => `vector<${name}, ${n}>`),
      fc
        .tuple(fc.constantFrom('', 'row_major ', 'column_major '), scalar, dimension, dimension)
        .map(([order, name, rows, columns]) => `${order}matrix<${name}, ${rows}, ${columns}>`),
    );
    const member = (type: fc.Arbitrary<string>) =>
      fc.tuple(type, fc.constantFrom('', '', '[1]', '[3]', '[2][2]'));
    const body = (type: fc.Arbitrary<string>) =>
      fc
        .array(member(type), { minLength: 1, maxLength: 6 })
        .map((list) => list.map(([name, sizes], i) => `${name} m${i}${sizes};`).join(' '));
    const shader = fc
      .tuple(
        body(plain),
        body(fc.oneof(plain, fc.constant('Inner'))),
        body(fc.oneof(plain, fc.constant('Outer'))),
      )
      .map(
        ([inner, outer, block]) =>
          `struct Inner { ${inner} }; struct Outer { ${outer} }; cbuffer Block { ${block} float last; };\n` +
          'StructuredBuffer<Outer> list;\nfloat4 main() : SV_Target { Outer o = list[0]; return last; }',
      );
    const layout = fc.constantFrom('vulkan', 'dx', 'gl', 'scalar' as const);
    const framework = fc.constantFrom(...frameworks);
    fc.assert(
      fc.property(shader, layout, framework, (text, rule, target) => {
        const options = { layout: rule as 'vulkan', enable16BitTypes: true };
        expect(compareLayouts(text, options, target)).toBeGreaterThan(1);
      }),
      { numRuns: process.env['ONESHADER_LONG'] ? 2000 : 60 },
    );
  });

  it('name the cells of a matrix by row and column, wherever they lie', () => {
    const text =
      'cbuffer B { float2x3 m; row_major float2x3 r; };\nfloat4 main() : SV_Target { return m[0][0] + r[0][0]; }';
    const out = generate(shaderOf(text).shader).text;
    expect(out).toMatch(
      /struct Float2x3ColumnMajor\n\s*\{[^}]*FieldOffset\(16\)\] public float M12;[^}]*FieldOffset\(4\)\] public float M21;/,
    );
    expect(out).toMatch(
      /struct Float2x3RowMajor\n\s*\{[^}]*FieldOffset\(4\)\] public float M12;[^}]*FieldOffset\(16\)\] public float M21;/,
    );
  });

  it('leave out what C# cannot hold, and say so', () => {
    const text = `
cbuffer Big { float4 huge[70000]; float after; };
struct Large { float4 rows[5000]; float one; };
struct Rows { float4 all[5000]; };
StructuredBuffer<Large> larges; StructuredBuffer<Rows> rows;
float4 main() : SV_Target { return huge[1] + after + larges[0].rows[1] + rows[0].all[1]; }`;
    const { shader } = shaderOf(text);
    const modern = generate(shader);
    expect(modern.notes.map((note) => note.text)).toEqual([
      "'Big' has 1120016 bytes, which is too much for a C# struct",
    ]);
    expect(modern.text).toContain('InlineArray(5000)');
    // A field for each of so many elements is no help to anybody.
    const old = generate(shader, 'netstandard2.0');
    expect(old.text).toContain('// float4 rows[5000] at 0 is left out');
    expect(old.text).toContain(
      '[global::System.Runtime.InteropServices.FieldOffset(80000)] public float one;',
    );
    expect(old.text.length).toBeLessThan(60_000);
    expect(old.notes.map((note) => note.text)).toContain("'Rows' has no member that a C# struct could have");
  });
});

describe('names', () => {
  it('are C# identifiers, each for one thing', () => {
    const text = `
struct record { float base; float Equals; };
struct Spirv { float string; };
cbuffer event { float object; float3 event; record @; };
`.replace('record @;', 'record params; Spirv Bindings;');
    const { shader } = shaderOf(`${text}float4 main() : SV_Target { return object; }`);
    const { text: out, notes } = generate(shader);
    expect(out).toContain('public struct @record\n');
    expect(out).toContain('public float @base;');
    expect(out).toContain('public float Equals_2;');
    expect(out).toContain('public float @string;');
    expect(out).toContain('public struct @event\n');
    expect(out).toContain('public global::System.Numerics.Vector3 event_2;');
    expect(out).toContain('public Spirv_2 Bindings;');
    expect(notes.map((note) => note.text)).toEqual([
      "struct 'Spirv' is 'Spirv_2' in C#, for 'Spirv' is something else",
    ]);
  });

  it('tell structs apart that lie differently in different buffers', () => {
    const text = `
struct S { float a; float2 b[2]; };
cbuffer C { S inBlock; };
StructuredBuffer<S> list;
float4 main() : SV_Target { return inBlock.a + list[0].a; }`;
    const { text: out, notes } = generate(shaderOf(text).shader);
    expect(out).toContain('public struct S\n');
    expect(out).toContain('public struct S_2\n');
    expect(notes).toHaveLength(1);
  });

  it.each([
    ['Shaders/sky.ps.hlsl', 'SkyPs', 'Game.Shaders'],
    ['a/b c/2d/gaussian-blur.hlsl', 'GaussianBlur', 'Game.a.b_c._2d'],
    ['3d.hlsl', '_3d', 'Game'],
    ['../shared/x.hlsl', 'X', 'Game'],
    ['C:/x/y.fx', 'Y', 'Game'],
    ['größe.hlsl', 'Größe', 'Game'],
    ['.hlsl', '_', 'Game'],
  ])('of %s are %s in %s', (file, className, namespace) => {
    expect(classNameOf(file)).toBe(className);
    expect(namespaceOf(file, 'Game')).toBe(namespace);
  });

  it('of classes do not meet namespaces, the shared types, or each other', () => {
    const { shader } = shaderOf('float4 main() : SV_Target { return 1; }');
    const files = ['shaders.hlsl', 'hlsl_types.hlsl', 'Shaders/x.hlsl', 'Shaders/X.fx'];
    const { text, notes } = generateCsharp(
      files.map((file) => ({ ...shader, file })),
      { targetFramework: 'net10.0', rootNamespace: '' },
    );
    expect([...text.matchAll(/static class (\w+)/g)].map(([, name]) => name)).toEqual([
      'HlslTypes_2',
      'Shaders_2',
      'X',
      'X_2',
    ]);
    expect(notes.map(({ kind }) => kind)).toEqual(['class', 'class', 'class']);
  });

  it('of files cannot break out of comments', () => {
    const { shader } = shaderOf('float4 main() : SV_Target { return 1; }');
    const file = 'a\n}</summary>\u2028&.hlsl';
    const { text } = generate([
      { ...shader, file },
      { ...shader, file: `b\r\n${file}`, broken: true },
    ]);
    expect(text).toContain('<c>a }&lt;/summary&gt; &amp;.hlsl</c>');
    expect(text).toContain('#error b  a }</summary> &.hlsl does not compile; its C# is not there\n');
  });
});

describe('blobs', () => {
  const { shader } = shaderOf('float4 main() : SV_Target { return 0.5; }', { targets: ['spirv', 'msl'] });
  const blob = shader.variants[0]!.blobs[0]!;
  const { spirv, msl } = blob as { spirv: Uint8Array; msl: string };

  it('have the same bytes as ulongs and as bytes', () => {
    const bytesOf = (text: string): number[] =>
      /new byte\[\] \{ (.*) \}/.exec(text)![1]!.split(',').map(Number);
    for (const length of [spirv.length, 12, 8, 4, 3, 0]) {
      const cut = { ...shader, variants: [{ blobs: [{ ...blob, spirv: spirv.slice(0, length) }] }] };
      const wide = generate(cut, 'net8.0').text;
      const words = /new ulong\[\] \{ (.*) \}/
        .exec(wide)![1]!
        .split(',')
        .filter((word) => word.trim() !== '');
      const view = new DataView(new ArrayBuffer(words.length * 8));
      for (const [i, word] of words.entries()) view.setBigUint64(i * 8, BigInt(word), true);
      const slice = Number(/\.Slice\(0, (\d+)\)/.exec(wide)?.[1] ?? words.length * 8);
      expect([...new Uint8Array(view.buffer, 0, slice)]).toEqual([...spirv.slice(0, length)]);
      if (length > 0) expect(bytesOf(generate(cut, 'net6.0').text)).toEqual([...spirv.slice(0, length)]);
    }
    expect(generate(shader, 'net6.0').text).toContain('ReadOnlySpan<byte> Spirv => new byte[]');
    expect(generate(shader, 'net48').text).toContain('public static byte[] Spirv { get; } = new byte[]');
  });

  it('have Metal text as a literal that reads the same', () => {
    const literal = /MslUtf8 => (".*")u8;/.exec(generate(shader).text)![1]!;
    expect(JSON.parse(literal)).toBe(msl);
    expect(stringLiteral('a"\\\n\t\0\u007fé\ud800😀')).toBe(
      '"a\\"\\\\\\n\\t\\u0000\\u007f\\u00e9\\ufffd\\ud83d\\ude00"',
    );
  });
});

describe('frameworks', () => {
  it.each([
    ['net10.0', true, true, true, true],
    ['net8.0-windows10.0.19041', true, true, true, true],
    ['net7.0', true, true, false, true],
    ['NET6.0', true, false, false, true],
    ['netcoreapp3.1', true, false, false, false],
    ['netcoreapp2.0', false, false, false, false],
    ['netstandard2.1', true, false, false, false],
    ['netstandard2.0', false, false, false, false],
    ['net48', false, false, false, false],
    ['net4.8', false, false, false, false],
    ['', false, false, false, false],
  ])('%s', (name, spans, wideData, inlineArrays, half) => {
    expect(featuresOf(name)).toEqual({ spans, wideData, inlineArrays, half });
  });
});

it('one example, whole', async () => {
  const text = `
struct Light { float3 position; float range; };
cbuffer Frame : register(b0) { float4x4 view; Light lights[2]; float weights[3]; bool on; };
Texture2D<float4> albedo : register(t2, space1);
SamplerState linearSampler;
RWStructuredBuffer<float3> list : register(u1);
[[vk::push_constant]] struct { float4 tint; uint object; } push;
[[vk::constant_id(3)]] const int quality = 2;
[numthreads(8, 4, 1)] void main(uint3 id : SV_DispatchThreadID) {
  list[list.IncrementCounter()] = mul(view, lights[0].position.xyzz).xyz + weights[1] * push.tint.xyz * quality;
  if (on) list[0] = albedo.SampleLevel(linearSampler, 0, 0).xyz;
}`;
  const { shader } = shaderOf(text, { profile: 'cs_6_0', targets: ['spirv', 'msl'] });
  const masked = generate({ ...shader, file: 'Shaders/cull.cs.hlsl', accessModifier: 'public' })
    .text.replace(/new ulong\[\] \{ .* \}/, 'new ulong[] { ... }')
    .replace(/".*"u8/, '"..."u8');
  await expect(masked).toMatchFileSnapshot('__snapshots__/csharp.cs');
});
