/** The checklist of debug information, part 3: lines, columns and scopes in the code, with the optimizer off. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile.ts';
import { verifyDebug } from '../../src/spirv/verify-debug.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';
import {
  bodyLine,
  debugBuild,
  lineSequence,
  linePlaces,
  localVariables,
  named,
  shader,
  sourceName,
  stepSequence,
} from '../support/debug-build.ts';
import { debugProblems, readDebug, wordsOf } from '../support/debug-records.ts';

describe('checklist 8, 9: every block repeats scope and line, every instruction has both', () => {
  test('over the corpus; the copies of arguments at the head of called functions are the one exception', () => {
    for (const job of corpusJobs) {
      const words = wordsOf(compile(corpusOptions(job, '-Od -Zi')).spirv!);
      const { coverage, problems } = verifyDebug(words);
      expect(problems).toEqual([]);
      expect(coverage.withScope).toBe(coverage.instructions);
      const module = readDebug(words);
      const parameters = new Set(module.code.filter(({ op }) => op === 55).map(({ result }) => result));
      let copies = 0;
      for (const { blocks } of module.functions)
        for (const { op, words: w } of blocks[0]?.instructions ?? [])
          if (op === 62 && parameters.has(w[1])) copies++;
      expect(coverage.instructions - coverage.withLine, `${job.file} ${job.flags}`).toBe(copies);
    }
  }, 300_000);
});

test('checklist 10: lines lie within their text', () => {
  for (const job of corpusJobs) {
    const words = wordsOf(compile(corpusOptions(job, '-O3 -Zi')).spirv!);
    expect(debugProblems(words).filter((problem) => problem.startsWith('DebugLine'))).toEqual([]);
  }
}, 300_000);

describe('checklist 25, 26: macros', () => {
  const macros = [
    '#define TWICE(x) x; x',
    '#define INNER o[1] = 2',
    '#define NESTED INNER',
    '#define PASTE(a, b) a##b',
    '#define LONG(a, b) o[a] = b',
    '',
  ].join('\n');
  const first = bodyLine + 5;

  test('checklist 25: the line of the use and the column of the name, and never the line of a definition', () => {
    const build = debugBuild(shader('  float k = 1;  TWICE(o[0] = k);', macros));
    const places = linePlaces(build);
    for (let line = 2; line <= 6; line++) expect(places.map((place) => place.line)).not.toContain(line);
    const name = places.filter(({ line, column }) => line === first && column === 17);
    expect(name.length).toBeGreaterThan(0);
    // The end is the last byte of the name.
    expect(new Set(name.map(({ endColumn }) => endColumn))).toEqual(new Set([21]));
  });

  test.each([
    ['nested', 'NESTED;', 8],
    ['an argument', 'TWICE(o[0] = id.x);', 8],
    ['a pasted token', 'o[2] = PASTE(val, ue);', 15],
    ['over three lines', 'LONG(\n1,\nid.y);', 8],
    ['from an include', 'OUTER(id.x);', 8],
  ])('checklist 26: %s counts as standing at the outermost name', (_, use, column) => {
    const text = shader(`  float value = 3;\n  {    ${use} }\n\n\n`, macros);
    const build = debugBuild(`#include "m.hlsli"\n${text}`, {
      includes: { 'm.hlsli': '#define DEEP(x) o[3] = x\n#define OUTER(x) DEEP(x)\n' },
    });
    const line = first + 2;
    const places = linePlaces(build).filter((place) => place.line >= line && place.line <= line + 2);
    const used = places.filter((place) => place.line === line && place.column >= 8);
    expect(used.length).toBeGreaterThan(0);
    expect(used.some((place) => place.column === column)).toBe(true);
    for (const place of places) expect(place).toMatchObject({ file: 'main.hlsl', line });
    expect(debugProblems(build.words)).toEqual([]);
  });

  test('a function that comes out of a macro is one step, at the use', () => {
    const build = debugBuild(
      shader(
        '  o[0] = made(3);',
        '#define MAKE(n) float n(float x) { float y = x; y += 1; return y; }\nMAKE(made)\n',
      ),
    );
    const { operands } = named(build, 'DebugFunction', 'made');
    expect(build.module.number(operands[3])).toBe(3);
    for (const { name, line } of localVariables(build))
      if (name === 'x' || name === 'y') expect(line).toBe(3);
    expect(linePlaces(build).map(({ line }) => line)).not.toContain(2);
  });

  test('macros of the command line are macros as any', () => {
    const build = debugBuild(shader('  o[0] = VALUE;'), { defines: { VALUE: '(1 + id.x)' } });
    expect(
      linePlaces(build).some(
        ({ line, column, endColumn }) => line === 5 && column === 10 && endColumn === 14,
      ),
    ).toBe(true);
    expect(build.module.all('DebugSource')).toHaveLength(1);
  });
});

describe('checklist 27, 28: includes and #line', () => {
  test('checklist 27: a function that is defined in an include has its lines there', () => {
    const build = debugBuild(`#include "lib.hlsli"\n${shader('  o[0] = library(id.x);')}`, {
      includes: { 'lib.hlsli': '// first\nfloat library(int x)\n{\n  return x * 2;\n}\n' },
    });
    expect(lineSequence(build)).toContain('lib.hlsli:4');
    const { operands } = named(build, 'DebugFunction', 'library');
    expect([sourceName(build.module, operands[2]!), build.module.number(operands[3])]).toEqual([
      'lib.hlsli',
      2,
    ]);
    expect(
      linePlaces(build)
        .filter(({ file }) => file === 'main.hlsl')
        .map(({ line }) => line),
    ).not.toContain(1);
  });

  test('a statement that begins in one file and ends in another counts in the first', () => {
    const build = debugBuild(shader('  o[0] = id.x +\n#include "part"\n  ;'), { includes: { part: '2\n' } });
    expect(debugProblems(build.words)).toEqual([]);
    expect(lineSequence(build)).toContain('main.hlsl:5');
  });

  test('checklist 28: with a name, without one, back to the file itself, and in an include', () => {
    const text = shader(
      '#line 500 "other.hlsl"\n  o[0] = 1;\n#line 900\n  o[1] = 2;\n#line 9 "main.hlsl"\n  o[2] = 3;\n#include "x"\n  o[4] = 4;',
    );
    const build = debugBuild(text, { includes: { x: '#line 70 "generated"\n  o[3] = 4;\n' } });
    const lines = lineSequence(build);
    for (const line of ['other.hlsl:500', 'other.hlsl:900', 'main.hlsl:9', 'generated:70', 'main.hlsl:11'])
      expect(lines).toContain(line);
    expect(debugProblems(build.words)).toEqual([]);
    const { module } = build;
    const texts = module
      .all('DebugSource')
      .map(({ id, operands }) => [sourceName(module, id), operands.length > 1]);
    expect(
      texts.filter(([name]) => name === 'other.hlsl' || name === 'generated').every(([, has]) => !has),
    ).toBe(true);
  });

  test('checklist 28: a renumbered line of the file itself is never out of the range of its text', () => {
    const build = debugBuild(shader('#line 4000\n  o[0] = 1;'));
    expect(lineSequence(build)).toContain('main.hlsl:4000');
    expect(debugProblems(build.words)).toEqual([]);
  });
});

describe('checklist 31: scopes', () => {
  test('an inlined call returns to the scope of its caller, never to none', () => {
    for (const optimize of [0, 3] as const) {
      const { module } = debugBuild(
        shader(
          '  float x = o[1];\n  { float y = f(x); o[2] = y; }\n  o[0] = x;',
          'float g(float v) { return v * o[9]; }\nfloat f(float x) { return g(x) + 1; }\n',
        ),
        { optimize },
      );
      expect(module.all('DebugNoScope')).toEqual([]);
      const scopes = module.all('DebugScope').filter(({ operands }) => operands.length === 1);
      const entry = module.byId.get(scopes.at(-1)!.operands[0]!)!;
      expect(entry.name).toBe('DebugLexicalBlock');
    }
  });
});

describe('checklist 49: stepping follows the statements', () => {
  test('along a straight function', () => {
    const body = [
      '  float a = 1;',
      '  float b = a * 2 +',
      '    o[3];',
      '  float never;',
      '  a += b; b = a;',
      '  o[0] = a;',
    ];
    const build = debugBuild(shader(body.join('\n')));
    const steps = stepSequence(build).map((line) => Number(line.split(':')[1]));
    // Parameters, then the statements in order; the second one reads on its other line too; a declaration alone is no step.
    expect(steps.filter((line) => line !== 7).filter((line, i, all) => line !== all[i - 1])).toEqual([
      3, 5, 6, 9, 10, 11,
    ]);
  });

  test('parts of a for, cases, and conditions', () => {
    const body = [
      '  for (int i = 0; i < 2; i++)',
      '    o[i] = 1;',
      '  switch (id.x)',
      '  {',
      '    case 1:',
      '      o[3] = 1;',
      '      break;',
      '  }',
      '  if (id.x > 2 && o[2] > 1)',
      '    o[4] = 2;',
    ];
    const build = debugBuild(shader(body.join('\n')));
    const lines = linePlaces(build);
    const columns = (line: number) =>
      new Set(lines.filter((place) => place.line === line).map(({ column }) => column));
    // Initialization, condition and increment have places of their own.
    for (const column of [12, 19, 26])
      expect([...columns(5)].some((one) => Math.abs(one - column) <= 2)).toBe(true);
    expect(columns(9).size).toBe(0);
    expect(columns(13).size).toBeGreaterThan(1);
  });

  test('two statements on a line have columns of their own', () => {
    const build = debugBuild(shader('  o[0] = 1; o[1] = 2;'));
    const columns = linePlaces(build)
      .filter(({ line }) => line === 5)
      .map(({ column, endColumn }) => `${column}-${endColumn}`);
    expect(columns).toContain('3-10');
    expect(columns).toContain('13-20');
  });

  test('the implicit return is at the last brace', () => {
    expect(lineSequence(debugBuild(shader('  o[0] = 1;'))).at(-1)).toBe('main.hlsl:6');
  });
});

describe('checklist 50: inputs and outputs of the entry', () => {
  const text =
    'struct V { float4 p : SV_Position; float2 uv : A; };\nfloat4 main(V v,\n  float k : B) : SV_Target\n{\n  if (v.uv.x > k)\n    return v.p;\n  return k;\n}\n';

  test('each load stands at its parameter, each store at its return, all in a scope', () => {
    for (const optimize of [0, 3] as const) {
      const build = debugBuild(text, { profile: 'ps_6_0', optimize });
      const { module } = build;
      const inputs = new Set(
        module.code.filter(({ op, words }) => op === 59 && words[2] === 1).map(({ result }) => result),
      );
      let line = 0;
      const loads: number[] = [];
      for (const { op, words, at } of module.code) {
        const record = module.byPlace.get(at);
        if (record?.name === 'DebugLine') line = module.number(record.operands[1]);
        if (op === 61 && inputs.has(words[2])) loads.push(line);
      }
      expect(new Set(loads)).toEqual(new Set([2, 3]));
      expect(verifyDebug(build.words)).toMatchObject({ problems: [] });
      const { coverage } = verifyDebug(build.words);
      expect(coverage.withLine).toBe(coverage.instructions);
    }
    expect(lineSequence(debugBuild(text, { profile: 'ps_6_0' }))).toEqual(
      [2, 3, 5, 6, 7].map((n) => `main.hlsl:${n}`),
    );
  });
});
