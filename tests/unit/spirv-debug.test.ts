import { describe, expect, test } from 'vitest';
import { type CompileOptions, compile } from '../../src/compile.ts';
import { splitText, stringLimit } from '../../src/spirv/debug-info.ts';
import { debugProblems, readDebug, stripped } from '../support/debug-records.ts';
import { testWith, validateSpirv, validationFlags } from '../support/tools.ts';

function build(
  text: string,
  options: Partial<CompileOptions> = {},
): { words: Uint32Array; bytes: Uint8Array } {
  const result = compile({
    source: { name: 'main.hlsl', text },
    profile: 'cs_6_0',
    optimize: false,
    debugInfo: true,
    ...options,
  });
  if (!result.spirv) throw new Error(result.diagnostics.map(({ rendered }) => rendered).join('\n'));
  const { buffer, byteOffset, byteLength } = result.spirv;
  return { words: new Uint32Array(buffer, byteOffset, byteLength / 4), bytes: result.spirv };
}

const output = 'RWStructuredBuffer<float> o;\n';
const main = (body: string, before = '') =>
  `${output}${before}[numthreads(1, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID)\n{\n${body}\n}\n`;

/** Lines of the DebugLines of the whole module, neighbours made one, with their source's name. */
function lines(words: Uint32Array): string[] {
  const module = readDebug(words);
  const sources = new Map(
    module.all('DebugSource').map(({ id, operands }) => [id, module.text(operands[0])]),
  );
  const all = module
    .all('DebugLine')
    .map(({ operands }) => `${sources.get(operands[0]!)}:${module.number(operands[1])}`);
  return all.filter((line, i) => line !== all[i - 1]);
}

const rich = `#include "lib.hlsli"
struct Light { float3 dir; float power; row_major float2x3 m; };
cbuffer B { float4x3 world; bool flag; Light light; float a[2][3]; };
${output}
Texture2D<float4> tex;
SamplerState samp;
groupshared float shared_[64];
static uint counter = 7;
float twice(float x, inout float y) { y += x; return x * 2; }
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex)
{
  float acc = 0;
  float2x3 m = light.m;
  for (int i = 0; i < 4; i++)
  {
    if (i == 2) continue;
    acc += twice(i, acc);
    { float acc = 3; o[i] = acc; }
  }
  int j = 0;
  do { acc -= library(j); if (acc < 0) break; } while (++j < 3);
  switch (id.x) { case 0: acc = 1; break; case 1: acc = 2; default: acc += a[1][2]; }
  shared_[index] = acc + mul(float4(m[0], 1), world).x;
  GroupMemoryBarrierWithGroupSync();
  o[id.x] = shared_[63 - index] + tex.SampleLevel(samp, m[1].xy, 0).y + counter;
}
`;
const includes = { 'lib.hlsli': '#define TWO 2\nfloat library(int x)\n{\n  return x * TWO;\n}\n' };

describe('the rules that no validator checks', () => {
  test.each([
    ['optimizer off', { optimize: false }],
    ['optimizer on', { optimize: true }],
    ['without text', { debugInfo: 'vulkan' as const }],
    ['SPIR-V 1.6', { targetEnv: 'vulkan1.3' as const }],
    ['FXC layout', { layout: 'dx' as const }],
  ])('%s', (_, options) => {
    expect(debugProblems(build(rich, { includes, ...options }).words)).toEqual([]);
  });

  testWith(['spirv-val'], 'the validator accepts them', () => {
    for (const targetEnv of ['vulkan1.0', 'vulkan1.1', 'vulkan1.2', 'vulkan1.3'] as const) {
      for (const optimize of [false, true]) {
        const { bytes } = build(rich, { includes, targetEnv, optimize });
        expect(validateSpirv(bytes, validationFlags(targetEnv))).toBe('');
      }
    }
  });
});

describe('module', () => {
  test('the extension is declared below SPIR-V 1.6 only, whatever -fspv-extension lists', () => {
    const extensions = (options: Partial<CompileOptions>) =>
      readDebug(build(main('o[0] = 1;'), options).words).code.filter(({ op }) => op === 10).length;
    expect(extensions({})).toBe(1);
    expect(extensions({ allowedExtensions: ['SPV_KHR_multiview'] })).toBe(1);
    expect(extensions({ targetEnv: 'vulkan1.3' })).toBe(0);
  });

  test('off means off', () => {
    const module = readDebug(build(rich, { includes, debugInfo: false }).words);
    expect(module.records).toEqual([]);
    expect(module.code.some(({ op }) => op === 7)).toBe(false);
  });

  test.each([0, 1, 3] as const)('debug information changes no code, level %i', (optimize) => {
    const on = build(rich, { includes, optimize }).words;
    const off = build(rich, { includes, optimize, debugInfo: false }).words;
    expect(stripped(on)).toBe(stripped(off));
  });

  test('compiling again gives the same bytes', () => {
    const first = build(rich, { includes }).bytes;
    build(main('o[0] = 2;'));
    expect(build(rich, { includes }).bytes).toEqual(first);
  });

  test('the unit is HLSL and its source the main file', () => {
    const module = readDebug(build(rich, { includes }).words);
    const [unit] = module.all('DebugCompilationUnit');
    expect(module.number(unit!.operands[3])).toBe(5);
    expect(module.text(module.byId.get(unit!.operands[2]!)!.operands[0])).toBe('main.hlsl');
  });

  test('the entry point is the function that OpEntryPoint names', () => {
    const module = readDebug(build(rich, { includes }).words);
    const entry = module.code.find(({ op }) => op === 15)!.words[1];
    const [record] = module.all('DebugEntryPoint');
    const definition = module.all('DebugFunctionDefinition').find(({ operands }) => operands[1] === entry)!;
    expect(record!.operands[0]).toBe(definition.operands[0]);
    expect(module.text(module.byId.get(record!.operands[0]!)!.operands[0])).toBe('main');
  });
});

describe('sources', () => {
  test('one for each file, define-only includes too, none for a file never entered', () => {
    const files = { 'd.hlsli': '#define K 3\n', 'x.hlsli': 'error' };
    const { words } = build(
      main('o[0] = K;', '#include "d.hlsli"\n#include "d.hlsli"\n#if 0\n#include "x.hlsli"\n#endif\n'),
      { includes: files },
    );
    const module = readDebug(words);
    expect(module.all('DebugSource').map(({ operands }) => module.text(operands[0]))).toEqual([
      'main.hlsl',
      'd.hlsli',
    ]);
  });

  test.each([stringLimit - 1, stringLimit, stringLimit + 1, 262130, 262131, 262133])(
    'text of %i bytes comes back whole',
    (size) => {
      for (const wide of ['x', 'é', '€', '😀']) {
        const text = 'x'.repeat(size - 5) + wide + 'tail';
        const pieces = splitText(text);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(stringLimit);
        expect(pieces.every((piece) => piece.length > 0)).toBe(true);
      }
    },
  );

  test('a long file is continued right behind its source', () => {
    const text = `${main('o[0] = 1;')}//${'-'.repeat(70000)}\n`;
    const { words } = build(text);
    const module = readDebug(words);
    expect(debugProblems(words)).toEqual([]);
    const [source] = module.all('DebugSource');
    const whole =
      module.text(source!.operands[1]) +
      module
        .all('DebugSourceContinued')
        .map(({ operands }) => module.text(operands[0]))
        .join('');
    expect(whole).toBe(text);
  });

  test('carriage returns, tabs and a byte order mark leave positions right', () => {
    const text = `\ufeff${main('\to[0] = 1;\to[1] = 2;').replaceAll('\n', '\r\n')}`;
    const { words } = build(text);
    expect(debugProblems(words)).toEqual([]);
    const module = readDebug(words);
    const columns = module
      .all('DebugLine')
      .filter(({ operands }) => module.number(operands[1]) === 5)
      .map(({ operands }) => module.number(operands[3]));
    expect(Math.min(...columns)).toBe(2);
    expect(columns).toContain(12);
  });
});

describe('lines', () => {
  test('a macro belongs to the line where it is used', () => {
    const { words } = build(
      main(
        '  TWICE(o[0] = 1);\n  NESTED;',
        '#define TWICE(x) x; x\n#define INNER o[1] = 2\n#define NESTED INNER\n',
      ),
    );
    const used = lines(words);
    expect(used).toContain('main.hlsl:8');
    expect(used).toContain('main.hlsl:9');
    for (const define of [2, 3, 4]) expect(used).not.toContain(`main.hlsl:${define}`);
  });

  test('an included function has lines in its file', () => {
    expect(lines(build(rich, { includes }).words)).toContain('lib.hlsli:4');
  });

  test('#line renames, and the renamed source has no text', () => {
    const { words } = build(main('#line 500 "other.hlsl"\n  o[0] = 1;'));
    expect(lines(words)).toContain('other.hlsl:500');
    const module = readDebug(words);
    const other = module.all('DebugSource').find(({ operands }) => module.text(operands[0]) === 'other.hlsl');
    expect(other!.operands).toHaveLength(1);
    expect(debugProblems(words)).toEqual([]);
  });

  test('statements step in order, each on its line', () => {
    const { words } = build(main('  float x = 1;\n  float y = x + 2;\n  o[0] = y;\n  o[1] = x;'));
    // Line 3 has the parameters of the entry, line 9 its last brace.
    expect(lines(words)).toEqual([3, 5, 6, 7, 8, 9].map((line) => `main.hlsl:${line}`));
  });
});

describe('variables', () => {
  const locals = (words: Uint32Array) => {
    const module = readDebug(words);
    return module.all('DebugLocalVariable').map((record) => ({
      name: module.text(record.operands[0]),
      argument: record.operands[7] === undefined ? undefined : module.number(record.operands[7]),
      flags: module.number(record.operands[6]),
      parent: module.byId.get(record.operands[5]!)!,
      record,
    }));
  };

  test('each has one record and one declaration', () => {
    const { words } = build(rich, { includes });
    const module = readDebug(words);
    const all = locals(words);
    expect(all.map(({ name }) => name).sort()).toEqual([
      'acc',
      'acc',
      'i',
      'id',
      'index',
      'j',
      'm',
      'x',
      'x',
      'y',
    ]);
    const declared = module.all('DebugDeclare').map(({ operands }) => operands[0]);
    expect([...declared].sort()).toEqual(all.map(({ record }) => record.id).sort());
  });

  test('parameters count from 1 and belong to the function', () => {
    const all = locals(build(rich, { includes }).words).filter(({ argument }) => argument !== undefined);
    expect(all.map(({ name, argument }) => `${name}${argument}`).sort()).toEqual([
      'id1',
      'index2',
      'x1',
      'x1',
      'y2',
    ]);
    for (const { parent } of all) expect(parent.name).toBe('DebugFunction');
  });

  test('shadowed names and two loops have blocks of their own', () => {
    const { words } = build(
      main(
        '  for (int i = 0; i < 2; i++) o[i] = i;\n  for (int i = 0; i < 3; i++) { float i = 4; o[1] = i; }',
      ),
    );
    const parents = locals(words)
      .filter(({ name }) => name === 'i')
      .map(({ parent }) => parent.id);
    expect(parents).toHaveLength(3);
    expect(new Set(parents).size).toBe(3);
  });

  test('this is the first argument of a method', () => {
    const { words } = build(
      main(
        '  S s; s.a = 1; o[0] = s.get(2);',
        'struct S { float a; float get(float b) { return a + b; } };\n',
      ),
    );
    const self = locals(words).find(({ name }) => name === 'this')!;
    expect([self.argument, self.flags]).toEqual([1, 288]);
    expect(locals(words).find(({ name }) => name === 'b')!.argument).toBe(2);
  });
});

describe('types', () => {
  test('members have the offsets and sizes of the layout in use', () => {
    for (const layout of ['vulkan', 'dx', 'gl', 'scalar'] as const) {
      const module = readDebug(build(rich, { includes, layout }).words);
      const block = module
        .all('DebugTypeComposite')
        .find(({ operands }) => module.text(operands[0]) === 'B')!;
      const members = block.operands.slice(9).map((id) => module.byId.get(id)!);
      const offsets = members.map(({ operands }) => module.number(operands[5]) / 8);
      const global = module
        .all('DebugGlobalVariable')
        .find(({ operands }) => module.text(operands[0]) === 'B')!;
      const variable = module.code.find(({ op, words }) => op === 59 && words[1] === global.operands[7])!;
      const pointer = module.code.find(({ op, words }) => op === 32 && words[0] === variable.words[0])!;
      const decorated = module.code
        .filter(({ op, words }) => op === 72 && words[0] === pointer.words[2] && words[2] === 35)
        .map(({ words }) => words[3]);
      expect(offsets).toEqual(decorated);
    }
  });

  test('array dimensions stand in source order', () => {
    const module = readDebug(build(rich, { includes }).words);
    const counts = module.all('DebugTypeArray').map(({ operands }) =>
      operands
        .slice(1)
        .map((id) => module.number(id))
        .join(),
    );
    expect(counts).toContain('2,3');
  });

  test.each([
    ['float2x3', 'column_major', 3, 2],
    ['float3x2', 'row_major', 2, 3],
  ])('%s %s: rows are vectors, and the order agrees with the decoration', (type, order, length, count) => {
    const module = readDebug(build(main('  o[0] = m[1][0];', `cbuffer C { ${order} ${type} m; };\n`)).words);
    const [matrix] = module.all('DebugTypeMatrix');
    expect(module.number(module.byId.get(matrix!.operands[0]!)!.operands[1])).toBe(length);
    expect(module.number(matrix!.operands[1])).toBe(count);
    const isTrue = module.code.some(({ op, words }) => op === 41 && words[1] === matrix!.operands[2]);
    expect(isTrue).toBe(order === 'row_major');
  });

  test('without optimizer a local matrix is an array of its rows', () => {
    const module = readDebug(build(main('  float2x3 m = { 1, 2, 3, 4, 5, 6 }; o[0] = m[1][2];')).words);
    const local = module.all('DebugLocalVariable').find(({ operands }) => module.text(operands[0]) === 'm')!;
    expect(module.byId.get(local.operands[1]!)!.name).toBe('DebugTypeArray');
  });
});

describe('paths', () => {
  test('nothing names the folder of a checkout', () => {
    const at = (folder: string) =>
      build(rich, {
        source: { name: `${folder}/gfx/main.hlsl`, text: rich },
        includes: (path) => (path === `${folder}/gfx/lib.hlsli` ? includes['lib.hlsli'] : undefined),
        debugSourceRoot: folder,
      }).bytes;
    const one = at('/home/alice/checkout');
    expect(at('/tmp/b')).toEqual(one);
    expect(Buffer.from(one).includes('alice')).toBe(false);
    const module = readDebug(new Uint32Array(one.buffer, one.byteOffset, one.byteLength / 4));
    expect(module.all('DebugSource').map(({ operands }) => module.text(operands[0]))).toEqual([
      'gfx/main.hlsl',
      'gfx/lib.hlsli',
    ]);
  });
});

describe('the classic kinds', () => {
  const opcodes = (debugInfo: CompileOptions['debugInfo'] & string) => {
    const { words, bytes } = build(rich, { includes, debugInfo });
    return { bytes, count: (op: number) => readDebug(words).code.filter((each) => each.op === op).length };
  };

  test('file, source, line and tool', () => {
    const [file, source, line, tool] = (['file', 'source', 'line', 'tool'] as const).map(opcodes);
    expect(file!.count(3)).toBe(2);
    expect(file!.count(8)).toBe(0);
    expect(source!.bytes.length).toBeGreaterThan(file!.bytes.length + rich.length);
    expect(line!.count(8)).toBeGreaterThan(20);
    expect(tool!.count(330)).toBe(1);
  });

  testWith(['spirv-val'], 'the validator accepts them', () => {
    for (const kind of ['file', 'source', 'line', 'tool'] as const) {
      expect(validateSpirv(opcodes(kind).bytes, validationFlags())).toBe('');
    }
  });
});
