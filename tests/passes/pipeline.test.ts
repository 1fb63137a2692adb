/** What holds for the pipeline as a whole: passes tell whether they changed code, and options choose among them. */
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../src/cli/command.ts';
import { compileModule, type CompileOptions } from '../../src/compile.ts';
import type { Module } from '../../src/ir/ir.ts';
import { print } from '../../src/ir/print.ts';
import { corpusJobs, corpusOptions } from '../support/corpus.ts';

/** Without records and positions, which are no code. */
function codeOf(module: Module): string {
  return print(module)
    .split('\n')
    .filter((line) => !/^\s*debug_/.test(line))
    .map((line) => line.replace(/ *;.*$/, ''))
    .join('\n');
}

function stagesOf(options: CompileOptions): string[] {
  const stages: string[] = [];
  const { log } = compileModule(options, (_, name, changed) => stages.push(`${name}${changed ? '!' : ''}`));
  expect(log.errors).toBe(0);
  return stages;
}

const compute = (body: string): CompileOptions => ({
  source: { name: 'a.hlsl', text: `RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { ${body} }` },
  profile: 'cs_6_0',
});

test('a pass that says it changed nothing changed nothing', () => {
  const wrong: string[] = [];
  // Printing takes the time, so not all of them.
  for (const job of corpusJobs.filter((_, i) => i % 4 === 0)) {
    let before = '';
    compileModule(corpusOptions(job), (module, name, changed) => {
      const code = codeOf(module);
      if (!changed && code !== before) wrong.push(`${name} of ${job.file}`);
      before = code;
    });
  }
  expect(wrong).toEqual([]);
});

describe('steps', () => {
  const count = (stages: readonly string[], name: string): number =>
    stages.filter((stage) => stage.replace('!', '') === name).length;
  test('without loops and buffers one clean-up is all', () => {
    const stages = stagesOf(compute('float a = o[0]; o[1] = a + 1;'));
    expect(count(stages, 'cse')).toBe(1);
  });
  test('behind loops that were written out there is another one', () => {
    const stages = stagesOf(compute('[unroll] for (int i = 0; i < 3; i++) o[i] = 1;'));
    expect(stages).toContain('unroll!');
    expect(count(stages, 'cse')).toBe(2);
  });
  test('a count through nested loops that were written out is constant', () => {
    const body = `int at = 0; [unroll] for (int y = 0; y < 3; y++) [unroll] for (int x = 0; x < 3; x++, at++) {
      if (x == 1 && y == 1) continue; o[at] = 1; }`;
    const stages = stagesOf(compute(body));
    expect(count(stages, 'cse')).toBe(3);
    const code = print(compileModule(compute(body)).module!);
    expect(code).not.toMatch(/ = add /);
  });
  test('level 0 writes intrinsics out and nothing else', () => {
    expect(stagesOf({ ...compute('o[0] = saturate(o[1]);'), optimize: 0 })).toEqual([
      'lowering!',
      'expandIntrinsics!',
    ]);
  });
  test('levels 1, 2 and 3 are one', () => {
    const at = (optimize: 1 | 2 | 3): string[] =>
      stagesOf({ ...compute('[unroll] for (int i = 0; i < 3; i++) o[i] = 1;'), optimize });
    expect(at(1)).toEqual(at(3));
    expect(at(2)).toEqual(at(3));
  });
});

describe('what leaves the module', () => {
  const source = {
    name: 'a.hlsl',
    text: `Texture2D<float4> unused : register(t3); Texture2D<float4> dead : register(t4); RWBuffer<float4> written : register(u1);
groupshared float4 shared_unused[4];
float4 main(float4 used : USED, float4 idle : IDLE, out float4 second : SV_Target1) : SV_Target {
  float4 gone = dead.Load(0);
  second = used; written[0] = used; return used;
}`,
  };
  const globals = (options: Partial<CompileOptions>): string[] =>
    compileModule({ source, profile: 'ps_6_0', ...options }).module!.globals.map(({ name }) => name);

  test('what code has no use for', () => {
    expect(globals({})).toEqual(['written', 'in.var.USED', 'out.var.SV_Target1', 'out.var.SV_Target']);
  });
  test('but resources stay if bindings are to be preserved', () => {
    const kept = globals({ preserveBindings: true });
    expect(kept).toContain('unused');
    expect(kept).toContain('dead');
    expect(kept).not.toContain('in.var.IDLE');
  });
  test('and inputs and outputs if the interface is', () => {
    const kept = globals({ preserveInterface: true });
    expect(kept).toContain('in.var.IDLE');
    expect(kept).not.toContain('dead');
  });
});

describe("what DXC's flags ask for and is done anyway", () => {
  const withFlags = (flags: readonly string[], text: string, profile: string): CompileOptions => {
    const files = { read: () => '', exists: () => false };
    const { settings } = readCommandLine([...flags, 'a.hlsl'], files, '0.0.0');
    return { ...settings.compile, source: { name: 'a.hlsl', text }, profile };
  };
  const heap = `[numthreads(1, 1, 1)] void main() {
  RWBuffer<uint> b = ResourceDescriptorHeap[3]; b[0] = 1;
}`;
  const loads = `struct S { float4 a, b; float4x4 m; }; ConstantBuffer<S> c; RWBuffer<float4> o;
[numthreads(1, 1, 1)] void main() { S s = c; o[0] = s.b; }`;
  test('-fspv-reduce-load-size: from -O1 on only what is used is loaded', () => {
    for (const level of ['-O1', '-O2', '-O3']) {
      const plain = compileModule(withFlags([level], loads, 'cs_6_0'));
      const asked = compileModule(withFlags([level, '-fspv-reduce-load-size'], loads, 'cs_6_0'));
      expect(asked.words).toEqual(plain.words);
      expect(print(plain.module!)).toMatch(/load %\d+/);
      expect(print(plain.module!)).not.toMatch(/: S = load/);
    }
    const off = compileModule(withFlags(['-Od'], loads, 'cs_6_0'));
    expect(print(off.module!)).toMatch(/: S = load/);
  });
  test('-fspv-use-emulated-heap: heaps are arrays at bindings', () => {
    const plain = compileModule(withFlags([], heap, 'cs_6_6'));
    const asked = compileModule(withFlags(['-fspv-use-emulated-heap'], heap, 'cs_6_6'));
    expect(plain.words).toBeDefined();
    expect(asked.words).toEqual(plain.words);
  });
});
