/** The checklist of debug information, part 4: what the optimizer leaves. Item 31 is in checklist-lines, item 46 in tests/cli/debug-files. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile.ts';
import { scopeChain } from '../../src/spirv/debug-reader.ts';
import { Op } from '../../src/spirv/enums.ts';
import { type InForce, walkBlock } from '../../src/spirv/verify-debug-code.ts';
import { verifyDebug } from '../../src/spirv/verify-debug.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';
import { bodyLine, type DebugBuild, debugBuild, named, shader } from '../support/debug-build.ts';
import { readDebug, type ReadRecord, wordsOf } from '../support/debug-records.ts';

const optimized = (body: string, before = ''): DebugBuild =>
  debugBuild(shader(body, before), { optimize: 3 });

/** Names of the functions that a scope is inlined through, and the lines of the calls, innermost first. */
function chainOf({ module }: DebugBuild, scope: ReadRecord | undefined): string[] {
  const chain: string[] = [];
  for (let id = scope?.operands[1]; id !== undefined; ) {
    const { operands } = module.byId.get(id)!;
    const caller = scopeChain(module, operands[1]!).find(({ name }) => name === 'DebugFunction')!;
    chain.push(`${module.number(operands[0])} in ${module.text(caller.operands[0])}`);
    id = operands[2];
  }
  return chain;
}

interface Visited {
  op: number;
  record: ReadRecord | undefined;
  inForce: InForce;
  line: number | undefined;
}

/** Instructions and value records with what is in force at them. */
function visited({ module }: DebugBuild): Visited[] {
  const all: Visited[] = [];
  for (const { blocks } of module.functions)
    for (const block of blocks)
      walkBlock(module, block, (at, { scope, line }, record) => {
        const number = line?.name === 'DebugLine' ? module.number(line.operands[1]) : undefined;
        all.push({ op: module.code[at]!.op, record, inForce: { scope, line }, line: number });
      });
  return all;
}

const valuesOf = (build: DebugBuild, name: string): Visited[] => {
  const { id } = named(build, 'DebugLocalVariable', name);
  return visited(build).filter(({ record }) => record?.name === 'DebugValue' && record.operands[0] === id);
};

/** What a record says: a number, `undef`, or the instruction that makes the value. */
function said({ module }: DebugBuild, { record }: Visited): string | number {
  const definition = module.definitions.get(record!.operands[1]!)!;
  if (definition.op === Op.Undef) return 'undef';
  if (definition.op !== Op.Constant) return definition.op;
  return new Float32Array(definition.words.slice(2, 3).buffer)[0]!;
}

const linesOf = (build: DebugBuild, op: number): (number | undefined)[] =>
  visited(build)
    .filter((one) => one.op === op && !one.record)
    .map(({ line }) => line);

describe('every module of the corpus, optimized', () => {
  const all = corpusJobs.map((job) => {
    const build = (level: string) => wordsOf(compile(corpusOptions(job, `${level} -Zi`)).spirv!);
    return {
      title: `${job.file} ${job.flags}`,
      plain: build('-Od'),
      levels: ['-O1', '-O2', '-O3'].map(build),
    };
  });

  test('each instruction has a line and a scope', () => {
    for (const { title, levels } of all)
      for (const words of levels) {
        const { coverage } = verifyDebug(words);
        expect([coverage.withLine, coverage.withScope], title).toEqual([
          coverage.instructions,
          coverage.instructions,
        ]);
      }
  });

  test('checklist 35, 37, 38, 41: no part declared and valued, values fit, expressions are plain, no call is left over', () => {
    for (const { title, levels } of all)
      for (const words of levels) expect(verifyDebug(words).problems, title).toEqual([]);
  });

  test('checklist 42: the variables of a function remain', () => {
    const names = (words: Uint32Array): string[] => {
      const module = readDebug(words);
      return module
        .all('DebugLocalVariable')
        .map(({ operands }) => `${module.text(operands[0])} ${module.number(operands[3])}`)
        .sort();
    };
    for (const { title, plain, levels } of all)
      for (const words of levels) {
        const left = new Set(names(words));
        // Statics may come in addition: the entry has them as its own.
        expect(
          names(plain).filter((name) => !left.has(name)),
          title,
        ).toEqual([]);
      }
  });
});

describe('checklist 29, 30, 32: inlined calls', () => {
  const functions = 'float g(float v) {\n  return v * o[9];\n}\nfloat f(float x) {\n  return g(x) + 1;\n}\n';
  const first = bodyLine + 6;

  test('checklist 29: two calls on one line are two', () => {
    const build = optimized('  o[0] = g(o[1]) + g(o[2]);', functions);
    const calls = build.module.all('DebugInlinedAt');
    expect(calls.map(({ operands }) => build.module.number(operands[0]))).toEqual([first, first]);
    const used = new Set(build.module.all('DebugScope').map(({ operands }) => operands[1]));
    expect(calls.every(({ id }) => used.has(id))).toBe(true);
  });

  test('checklist 30: calls in calls, the innermost first', () => {
    const build = optimized('  o[0] = f(o[1]);', functions);
    const chains = new Set(visited(build).map(({ inForce }) => chainOf(build, inForce.scope).join(', ')));
    expect([...chains].sort()).toEqual(['', `6 in f, ${first} in main`, `${first} in main`].sort());
    const product = visited(build).find(({ op }) => op === Op.FMul)!;
    expect(chainOf(build, product.inForce.scope)).toEqual([`6 in f`, `${first} in main`]);
    expect(product.line).toBe(3);
  });

  test('checklist 32: a parameter gets its value in the scope of the function, through the call', () => {
    const build = optimized('  o[0] = f(o[1]);', functions);
    const [value] = valuesOf(build, 'v');
    expect(chainOf(build, value!.inForce.scope)).toEqual(['6 in f', `${first} in main`]);
    const owner = build.module.byId.get(value!.inForce.scope!.operands[0]!)!;
    expect(build.module.text(owner.operands[0])).toBe('g');
  });
});

describe('checklist 33, 34, 36: variables that are values', () => {
  test('checklist 33: a value behind each assignment and each phi', () => {
    const build = optimized(
      '  float x = 1;\n  [branch] if (o[1] > 0)\n    x = o[2];\n  [loop] for (int i = 0; i < 5; i++)\n    x += o[i];\n  o[0] = x;',
    );
    const phis = build.module.code.filter(({ op }) => op === Op.Phi).map(({ result }) => result!);
    const told = new Set(build.module.all('DebugValue').map(({ operands }) => operands[1]));
    expect(phis.length).toBeGreaterThan(2);
    expect(phis.filter((id) => !told.has(id))).toEqual([]);
    const assigned = [bodyLine, bodyLine + 2, bodyLine + 4];
    const lines = valuesOf(build, 'x').map(({ line }) => line);
    expect(assigned.filter((line) => !lines.includes(line))).toEqual([]);
  });

  test('checklist 34: a last value that nobody computes ends the variable', () => {
    const build = optimized('  float x = 1;\n  o[0] = x;\n  x = sin(o[5]);\n  o[1] = 2;');
    expect(valuesOf(build, 'x').map((one) => said(build, one))).toEqual([1, 'undef']);
    expect(linesOf(build, Op.ExtInst)).toEqual([]);
  });

  test('checklist 34: each value in its turn', () => {
    const build = optimized('  float x = 1;\n  o[0] = x;\n  x = 2;\n  o[1] = x;\n  x = 3;\n  o[2] = x;');
    expect(valuesOf(build, 'x').map((one) => said(build, one))).toEqual([1, 2, 3]);
    expect(valuesOf(build, 'x').map(({ line }) => line)).toEqual([bodyLine, bodyLine + 2, bodyLine + 4]);
  });

  test('checklist 36: members and elements by their whole path', () => {
    const build = optimized(
      '  S s;\n  s.a = o[1];\n  s.in_.b[1] = o[2];\n  s.in_.c = o[3];\n  o[0] = s.a + s.in_.b[1] + s.in_.c;',
      'struct In { float b[2]; float c; };\nstruct S { float a; In in_; };\n',
    );
    const paths = valuesOf(build, 's').map(({ record }) =>
      record!.operands
        .slice(3)
        .map((id) => build.module.number(id))
        .join('.'),
    );
    expect(new Set(paths)).toEqual(new Set(['0', '1.0.1', '1.1']));
  });

  /** Row (or whole path) and value of the records of `m`. */
  const rowsOf = (build: DebugBuild): string[] =>
    valuesOf(build, 'm').map((one) => {
      const path = one.record!.operands.slice(3).map((id) => build.module.number(id));
      return `${path.join('.')}: ${said(build, one)}`;
    });

  test('checklist 36: a matrix row by row, for SPIR-V has them as columns', () => {
    const build = optimized(
      `  float2x2 m = float2x2(1, 2, 3, 4);
  o[0] = mul(m, float2(o[1], o[2])).x;
  m = float2x2(6, 7, o[3], 5);
  o[4] = determinant(m);
  m += o[5];
  o[6] = determinant(m);
  m = mul(m, m);
  o[7] = determinant(m);`,
    );
    const { OpConstantComposite, OpCompositeConstruct, OpFAdd } = {
      OpConstantComposite: 44,
      OpCompositeConstruct: 80,
      OpFAdd: 129,
    };
    expect(rowsOf(build)).toEqual([
      `0: ${OpConstantComposite}`,
      `1: ${OpConstantComposite}`,
      `0: ${OpConstantComposite}`,
      `1: ${OpCompositeConstruct}`,
      `0: ${OpFAdd}`,
      `1: ${OpFAdd}`,
      // A product is there as a whole only, which readers would show the other way round.
      '0: undef',
      '1: undef',
    ]);
    expect(verifyDebug(build.words).problems).toEqual([]);
  });

  test('checklist 36: matrices in memory and in structs that exist as a whole are not shown', () => {
    const memory = optimized('  float2x2 m = o[3]; m[1][0] = 3; o[0] = m[id.x][1] + determinant(m);');
    expect(memory.module.all('DebugDeclare')).toEqual([]);
    const whole = optimized(
      '  T m = t[id.x]; t[1] = m;',
      'struct T { float2x2 a; float b; };\nRWStructuredBuffer<T> t;\n',
    );
    expect(rowsOf(whole)).toEqual(['0.0: undef', '0.1: undef', '1: undef']);
  });

  test('what has a type that the code does without is unknown', () => {
    const build = optimized('  double m = 0.5; o[0] = o[1] * (float)m;');
    expect(rowsOf(build)).toEqual([': undef']);
    expect(build.module.code.some(({ op, words }) => op === Op.TypeFloat && words[1] === 64)).toBe(false);
  });

  test('scopes are numbered from the inside out: RenderDoc ends the values of an outer one before', () => {
    const { module } = optimized(
      '  float x = o[1]; for (int i = 0; i < o[5]; i++) { float y = o[i]; o[i] = x + y; }',
    );
    const blocks = module.all('DebugLexicalBlock');
    expect(blocks.length).toBeGreaterThan(2);
    for (const { id, operands } of blocks) expect(id).toBeLessThan(operands[3]!);
  });

  test('checklist 35: an array that is indexed at run time stays declared, and has no values', () => {
    const build = optimized(
      '  float w[4];\n  for (int i = 0; i < 4; i++) w[i] = o[i];\n  o[0] = w[(int)o[7]];',
    );
    const { id } = named(build, 'DebugLocalVariable', 'w');
    expect(build.module.all('DebugDeclare').filter(({ operands }) => operands[0] === id)).toHaveLength(1);
    expect(valuesOf(build, 'w')).toEqual([]);
  });
});

describe('checklist 39 to 41: lines of what passes move and merge', () => {
  test('checklist 39: of equal instructions the first keeps its line', () => {
    const build = optimized('  float a = id.x * 1.5;\n  float b = id.x * 1.5;\n  o[0] = a;\n  o[3] = b;');
    expect(linesOf(build, Op.FMul)).toEqual([bodyLine]);
  });

  test('checklist 39: what leaves a loop keeps its own', () => {
    const build = optimized(
      '  float s = 0;\n  [loop] for (int i = 0; i < 9; i++) {\n    s +=\n      sin(id.x) * i;\n  }\n  o[0] = s;',
    );
    const sine = visited(build).find(({ op, record }) => op === Op.ExtInst && !record)!;
    const first = visited(build).findIndex(({ op }) => op === Op.Branch);
    expect(visited(build).indexOf(sine)).toBeLessThan(first);
    expect(sine.line).toBe(bodyLine + 3);
  });

  test('checklist 39: what runs though its arm may not be taken keeps its own; the select has the condition', () => {
    const build = optimized('  float a = o[1];\n  if (o[2] > 0)\n    a = a * 3;\n  o[0] = a;');
    expect(linesOf(build, Op.FMul)).toEqual([bodyLine + 2]);
    expect(linesOf(build, Op.Select)).toEqual([bodyLine + 1]);
  });

  test('checklist 40: equal instructions of both arms are one, on the line of the branch', () => {
    const build = optimized(
      '  float x = id.x;\n  float a;\n  if (o[9] > 0)\n    a = floor(x) + 1;\n  else\n    a = floor(x) * 2;\n  o[0] = a;',
    );
    expect(linesOf(build, Op.ExtInst)).toEqual([bodyLine + 2]);
  });

  test('checklist 39: a folded constant has none', () => {
    const build = optimized('  float a = 2 * 3;\n  float b = a + 1;\n  o[0] = b;');
    expect(valuesOf(build, 'b').map((one) => said(build, one))).toEqual([7]);
    expect(linesOf(build, Op.FAdd)).toEqual([]);
  });

  test('checklist 41: what is removed leaves its line to nobody', () => {
    const build = optimized('  float a = o[1];\n  float dead = cos(o[5]) * 3;\n  o[0] = a;');
    const lines = visited(build)
      .filter(({ record }) => !record)
      .map(({ line }) => line);
    expect(lines).not.toContain(bodyLine + 1);
  });

  test('checklist 41: a call whose code is gone leaves no DebugInlinedAt', () => {
    const build = optimized(
      '  float dead = g(o[1]);\n  o[0] = 1;',
      'float g(float v) {\n  return v * o[9];\n}\n',
    );
    const used = new Set(
      [...build.module.all('DebugScope').map(({ operands }) => operands[1])].filter((id) => id !== undefined),
    );
    expect(build.module.all('DebugInlinedAt').filter(({ id }) => !used.has(id))).toEqual([]);
  });
});
