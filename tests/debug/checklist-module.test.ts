/** The checklist of debug information, part 1: the module, where records stand, sources, entry points, paths. */
import { describe, expect, test } from 'vitest';
import { type CompileOptions, compile } from '../../src/compile.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';
import { debugBuild, shader, sourceName } from '../support/debug-build.ts';
import { debugProblems, readDebug, sourceLines, stripped, wordsOf } from '../support/debug-records.ts';

const rich = `#include "lib.hlsli"
struct Light { float3 dir; float power; row_major float2x3 m; };
cbuffer B { float4x3 world; bool flag; Light light; float a[2][3]; };
RWStructuredBuffer<float> o;
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
  bool any = acc > 1 && flag || id.x == 3;
  float pick = any ? library(1) : acc;
  switch (id.x) { case 0: acc = 1; break; case 1: acc = 2; default: acc += a[1][2]; }
  shared_[index] = acc + mul(float4(m[0], 1), world).x + pick;
  GroupMemoryBarrierWithGroupSync();
  o[id.x] = shared_[63 - index] + tex.SampleLevel(samp, m[1].xy, 0).y + counter;
}
`;
const includes = { 'lib.hlsli': '#define TWO 2\nfloat library(int x)\n{\n  return x * TWO;\n}\n' };
const variants: readonly Partial<CompileOptions>[] = [
  { optimize: 0 },
  { optimize: 1 },
  { optimize: 3 },
  { targetEnv: 'vulkan1.3' },
  { targetEnv: 'vulkan1.0', layout: 'dx' },
  { debugInfo: 'vulkan' },
];
const builds = () => variants.map((options) => debugBuild(rich, { includes, ...options }));
const rulesFrom = (pattern: RegExp) =>
  builds().flatMap(({ words }) => debugProblems(words).filter((problem) => pattern.test(problem)));

describe('checklist 1: off is off', () => {
  test('no string, no line, no record, and the options of debug information change nothing', () => {
    for (const optimize of [0, 3] as const) {
      const { module, bytes } = debugBuild(rich, { includes, optimize, debugInfo: false });
      const [string, line, set] = [7, 8, 12];
      expect(
        module.code.filter(({ op, words }) => op === string || op === line || (op === set && words[2] === 0)),
      ).toEqual([]);
      expect(module.imports).toEqual([]);
      const options = { debugSourceRoot: '/x', debugArguments: '-T z', debugStoragePath: 'a/b' };
      expect(debugBuild(rich, { includes, optimize, debugInfo: false, ...options }).bytes).toEqual(bytes);
    }
  });
});

describe('checklist 2: debug information changes no code', () => {
  test.each([0, 1, 2, 3] as const)('level %i', (optimize) => {
    const on = debugBuild(rich, { includes, optimize }).words;
    const off = debugBuild(rich, { includes, optimize, debugInfo: false }).words;
    expect(stripped(on)).toBe(stripped(off));
  });

  test('over the corpus, at each level', () => {
    for (const job of corpusJobs)
      for (const level of ['-Od', '-O3']) {
        const [on, off] = ['-Zi', ''].map((flag) => compile(corpusOptions(job, `${level} ${flag}`)).spirv!);
        expect(stripped(wordsOf(on!)) === stripped(wordsOf(off!)), `${job.file} ${job.flags} ${level}`).toBe(
          true,
        );
      }
  }, 300_000);
});

test('checklist 3: the extension below SPIR-V 1.6 only, and one import', () => {
  const extensions = (targetEnv: 'vulkan1.2' | 'vulkan1.3') =>
    debugBuild(rich, { includes, targetEnv }).module.code.filter(({ op }) => op === 10).length;
  expect([extensions('vulkan1.2'), extensions('vulkan1.3')]).toEqual([1, 0]);
  for (const { module } of builds()) expect(module.imports).toEqual(['NonSemantic.Shader.DebugInfo.100']);
});

describe('checklist 4 to 7: the form of records', () => {
  test('checklist 4: operands that are numbers are unsigned constants of 32 bits', () => {
    expect(rulesFrom(/^operand/)).toEqual([]);
  });
  test('checklist 4: the order of a matrix is a constant of type bool', () => {
    for (const { module } of builds())
      for (const { operands } of module.all('DebugTypeMatrix'))
        expect([41, 42]).toContain(module.definitions.get(operands[2]!)!.op);
  });
  test('checklist 5: nothing refers forward', () => {
    expect(rulesFrom(/behind it/)).toEqual([]);
  });
  test('checklist 6: records of the module stand between the last global and the first function', () => {
    expect(rulesFrom(/instead of after all|inside a function|outside of functions/)).toEqual([]);
  });
  test('checklist 7: records in blocks stand behind phis and variables, never between merge and branch', () => {
    expect(rulesFrom(/phi or a variable|merge|end of a block/)).toEqual([]);
  });
  test('over the corpus', () => {
    for (const job of corpusJobs)
      for (const level of ['-Od', '-O3'])
        expect(
          debugProblems(wordsOf(compile(corpusOptions(job, `${level} -Zi`)).spirv!)),
          `${job.file} ${level}`,
        ).toEqual([]);
  }, 300_000);
});

describe('checklist 11: the text of sources', () => {
  test.each([65534, 65535, 65536, 65537, 262130, 262131, 262132, 262133])(
    '%i bytes come back whole',
    (size) => {
      for (const wide of ['x', 'é', '€', '😀']) {
        const head = `${shader('o[0] = 1;')}//`;
        // The wide character lies across the border wherever it is.
        const before = size - Buffer.byteLength(wide) - head.length - 1;
        const text = `${head}${'-'.repeat(before)}${wide}\n`;
        expect(Buffer.byteLength(text)).toBe(size);
        const { module } = debugBuild(text);
        expect(`${[...sourceLines(module).values()][0]!.join('\n')}\n`).toBe(text);
      }
    },
  );
});

describe('checklist 12: line ends and odd texts', () => {
  const odd: [string, string][] = [
    ['byte order mark', `\ufeff${shader('\to[0] = 1;')}`],
    ['CRLF', shader('\to[0] = 1;').replaceAll('\n', '\r\n')],
    ['lone CR', shader('\to[0] = 1;').replaceAll('\n', '\r')],
    ['no final newline', shader('\to[0] = 1;').trimEnd()],
  ];
  test.each(odd)('%s', (_, text) => {
    const { module, words } = debugBuild(text);
    expect(debugProblems(words)).toEqual([]);
    const found = module
      .all('DebugLine')
      .map(({ operands }) => operands.slice(1).map((id) => module.number(id)));
    expect(found).toContainEqual([5, 5, 2, 9]);
    expect(found.at(-1)).toEqual([6, 6, 1, 1]);
  });
  test('an empty file that is included', () => {
    const { module, words } = debugBuild(`#include "e"\n${shader('o[0] = 1;')}`, { includes: { e: '' } });
    expect(debugProblems(words)).toEqual([]);
    expect(module.all('DebugSource').map(({ operands }) => module.text(operands[1]).length > 0)).toEqual([
      true,
      false,
    ]);
  });
});

describe('checklist 13, 14: files', () => {
  const names = (text: string, files: Record<string, string>) => {
    const { module } = debugBuild(text, { includes: files });
    return module.all('DebugSource').map(({ id }) => sourceName(module, id));
  };
  test('checklist 13: one source a file, define-only ones too, none for a file never entered', () => {
    const files = { 'd.hlsli': '#define K 3\n', 'x.hlsli': 'nonsense' };
    const text =
      '#include "d.hlsli"\n#include "./d.hlsli"\n#if 0\n#include "x.hlsli"\n#endif\n' + shader('o[0] = K;');
    expect(names(text, { ...files, './d.hlsli': files['d.hlsli'] })).toEqual(['main.hlsl', 'd.hlsli']);
  });
  test('checklist 14: the unit is HLSL, its source the main file even if its first token is in an include', () => {
    const { module } = debugBuild(`#include "all"\n`, { includes: { all: shader('o[0] = 1;') } });
    const [unit] = module.all('DebugCompilationUnit');
    expect(module.number(unit!.operands[3])).toBe(5);
    expect(sourceName(module, unit!.operands[2]!)).toBe('main.hlsl');
  });
});

test('checklist 15, 16: the entry point is the function defined in it; each function has one definition', () => {
  for (const { module, words } of builds()) {
    const entry = module.code.find(({ op }) => op === 15)!.words[1];
    const definition = module.all('DebugFunctionDefinition').find(({ operands }) => operands[1] === entry)!;
    expect(module.all('DebugEntryPoint').map(({ operands }) => operands[0])).toEqual([
      definition.operands[0],
    ]);
    expect(module.all('DebugFunctionDefinition')).toHaveLength(module.functions.length);
    expect(debugProblems(words)).toEqual([]);
  }
});

describe('checklist 43: two checkouts give the same bytes', () => {
  const at = (folder: string, options: Partial<CompileOptions> = {}) =>
    debugBuild(rich, {
      source: { name: `${folder}/gfx/main.hlsl`, text: rich },
      includes: (path) => (path === `${folder}/gfx/lib.hlsli` ? includes['lib.hlsli'] : undefined),
      ...options,
    });
  test.each([0, 3] as const)('with a root, level %i', (optimize) => {
    const [one, two] = ['/home/alice/checkout', '/tmp/bob'].map((root) =>
      at(root, { optimize, debugSourceRoot: root }),
    );
    expect(one!.bytes).toEqual(two!.bytes);
    for (const name of ['alice', 'checkout']) expect(Buffer.from(one!.bytes).includes(name)).toBe(false);
    const { module } = one!;
    expect(module.all('DebugSource').map(({ id }) => sourceName(module, id))).toEqual([
      'gfx/main.hlsl',
      'gfx/lib.hlsli',
    ]);
  });
  test('without a root', () => {
    const [one, two] = ['/home/alice/checkout', '/tmp/bob'].map((root) => at(root));
    expect(one!.bytes).toEqual(two!.bytes);
    expect(Buffer.from(one!.bytes).includes('alice')).toBe(false);
  });
  test.each(['file', 'source', 'line', 'tool', 'line-table', 'vulkan'] as const)(
    '-fspv-debug=%s',
    (debugInfo) => {
      expect(
        Buffer.from(at('/home/alice', { debugInfo, debugSourceRoot: '/home/alice' }).bytes).includes('alice'),
      ).toBe(false);
    },
  );
  test('checklist 44: names of #line and of an include callback go the same way', () => {
    const text = `#line 5 "/home/alice/gen/x.hlsl"\n#include "/home/alice/lib.hlsli"\n${shader('  o[0] = K;')}`;
    const files = { '/home/alice/lib.hlsli': '#define K 1\n' };
    const names = (options: Partial<CompileOptions>) => {
      const { module, bytes } = debugBuild(text, {
        includes: files,
        debugInfo: 'vulkan',
        ...options,
      });
      expect(Buffer.from(bytes).includes('alice')).toBe(false);
      return module.all('DebugSource').map(({ id }) => sourceName(module, id));
    };
    expect(names({ debugSourceRoot: '/home/alice' })).toEqual(['main.hlsl', 'lib.hlsli', 'gen/x.hlsl']);
    expect(names({})).toEqual(['main.hlsl', 'lib.hlsli', 'x.hlsl']);
  });
  test('checklist 44: two files whose names shorten to one stay two', () => {
    const files = {
      '/a/lib.hlsli': 'float one() { return 1; }\n',
      '/b/lib.hlsli': 'float two()\n{ return 2; }\n',
    };
    const text = `#include "/a/lib.hlsli"\n#include "/b/lib.hlsli"\n${shader('  o[0] = one() + two();')}`;
    const { module } = debugBuild(text, { includes: files });
    const sources = module
      .all('DebugSource')
      .map(({ id, operands }) => [sourceName(module, id), module.text(operands[1])]);
    expect(sources.slice(1)).toEqual([
      ['lib.hlsli', files['/a/lib.hlsli']],
      ['lib.hlsli', files['/b/lib.hlsli']],
    ]);
  });
  test('macros with a path in them and include folders are not told', () => {
    const { bytes } = at('/home/alice', {
      debugSourceRoot: '/home/alice',
      includeDirs: ['/home/alice/inc'],
      defines: [{ name: 'ROOT', value: '/home/alice' }],
    });
    expect(Buffer.from(bytes).includes('alice')).toBe(false);
  });
});

describe('checklist 45: order independence', () => {
  test('the same bytes again, and after other files', () => {
    const first = debugBuild(rich, { includes }).bytes;
    debugBuild(shader('float q = 3; o[0] = q;'), { optimize: 3 });
    expect(debugBuild(rich, { includes }).bytes).toEqual(first);
    expect(readDebug(wordsOf(first)).records.length).toBeGreaterThan(50);
  });
});
