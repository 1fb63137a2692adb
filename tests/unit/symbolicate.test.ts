/** HLSL positions in messages about Metal text. */
import { describe, expect, it } from 'vitest';
import { compile, type SourceMapFile, symbolicate } from '../../src/index.ts';
import { readVlq, vlq } from '../../src/source/vlq.ts';

const include = `float square(float x) {
  return x * x;
}
`;
const text = `#include "math.hlsli"
RWStructuredBuffer<float> data;
float shade(float a) {
  float b = a + 1;
  /* é, which is two bytes */ return square(b) + data[7];
}
[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float one = shade(data[id]);
  data[id] = one * 2;
}
`;

function make(debugInfo: boolean, optimize: boolean) {
  const { msl, mslMap, diagnostics } = compile({
    source: { name: '/home/me/shaders/a.hlsl', text },
    includes: { '/home/me/shaders/math.hlsli': include },
    profile: 'cs_6_0',
    target: 'msl',
    optimize,
    debugInfo,
    debugSourceRoot: '/home/me/',
    metal: { sourceMap: 'a.metal' },
  });
  if (!msl || !mslMap) throw new Error(diagnostics.map((one) => one.rendered).join('\n'));
  const lines = msl.split('\n');
  /** Line and column of a part of the text, from 1. */
  const place = (part: string): [number, number] => {
    const line = lines.findIndex((one) => one.includes(part));
    if (line < 0) throw new Error(`'${part}' is not in\n${msl}`);
    return [line + 1, lines[line]!.indexOf(part) + 1];
  };
  const read = (log: string) => {
    const made = symbolicate(mslMap, log);
    if ('problem' in made) throw new Error(made.problem);
    return made.text;
  };
  return { msl, mslMap, place, read };
}

describe('symbolicate', () => {
  it('finds places of a text without #line, with the calls that were inlined', () => {
    const { place, read } = make(false, true);
    const [line, column] = place('data[7]');
    expect(read(`a.metal:${line}:${column}: error: no such thing\n`)).toBe(
      'shaders/a.hlsl:5:51: error: no such thing\n' +
        '    at shade (shaders/a.hlsl:5:51)\n' +
        '    at main (shaders/a.hlsl:9:15)\n',
    );
    for (const path of ['/tmp/x/a.metal', 'C:\\x\\a.metal', 'program_source'])
      expect(read(`note at (${path}:${line}:${column}) here`).split('\n')[0]).toBe(
        'note at (shaders/a.hlsl:5:51) here',
      );
  });

  it('finds the function and the line of a log of Shader Validation', () => {
    const { place, read } = make(false, true);
    const [line, column] = place('data[7]');
    const log = `Invalid device load executing kernel function "main0"\n  main0:${line}:${column}\nbuffer: "data"`;
    expect(read(log)).toBe(
      'Invalid device load executing kernel function "main0"\n  shaders/a.hlsl:5:51\n' +
        '    at shade (shaders/a.hlsl:5:51)\n    at main (shaders/a.hlsl:9:15)\nbuffer: "data"',
    );
    // A line that is not one of the function.
    expect(read(`main0:1:${column}`)).toBe(`main0:1:${column}`);
  });

  it('takes lines for those of the source where #line is in effect, and columns for those of the text', () => {
    const { msl, place, read } = make(true, true);
    expect(msl).toContain('#line 4 "shaders/a.hlsl"');
    const [, column] = place('data[7]');
    const made = 'shaders/a.hlsl:5:51';
    const calls = `\n    at shade (${made})\n    at main (shaders/a.hlsl:9:15)`;
    expect(read(`shaders/a.hlsl:5:${column}: warning: w`)).toBe(`${made}: warning: w${calls}`);
    expect(read(`/build/shaders/a.hlsl:5:${column}: warning: w`)).toBe(`/build/${made}: warning: w${calls}`);
    expect(read(`main0:5:${column}`)).toBe(made + calls);
    // Another folder's file, and a line that nothing came from.
    for (const same of [
      `othershaders/a.hlsl:5:${column}: e`,
      `shaders/a.hlsl:1:${column}: e`,
      'b.metal:9:9: e',
    ])
      expect(read(same)).toBe(same);
  });

  it('names the line and each place where several lines of the text came from one of the source', () => {
    const twice = `RWStructuredBuffer<float> data;
float twice(float a) { data[0] = a; return a * 2; }
[numthreads(1, 1, 1)] void main() { data[1] = twice(data[2]); data[3] = twice(data[4]); }`;
    const { mslMap } = compile({
      source: { name: 'b.hlsl', text: twice },
      profile: 'cs_6_0',
      target: 'msl',
      debugInfo: true,
      metal: { sourceMap: 'b.metal' },
    });
    const made = symbolicate(mslMap!, 'b.hlsl:2:5: error: e');
    expect('text' in made && made.text.split('\n')).toEqual([
      'b.hlsl:2:24: error: e',
      '    at twice (b.hlsl:2:24)',
      '    at main (b.hlsl:3:47)',
      '    at twice (b.hlsl:2:24)',
      '    at main (b.hlsl:3:73)',
    ]);
    expect(symbolicate(mslMap!, 'b.hlsl:3:5: error: e')).toEqual({
      text: expect.stringMatching(/^b\.hlsl:3: error: e\n( {4}at main \(b\.hlsl:3:\d+\)\n?){2,}$/),
    });
  });

  it('tells no stack where nothing was inlined', () => {
    const { place, read } = make(false, false);
    const [line, column] = place('data[7]');
    expect(read(`a.metal:${line}:${column}: e`)).toBe('shaders/a.hlsl:5:51: e');
    const [, body] = place('* x');
    const [at] = place('* x');
    expect(read(`square:${at}:${body}`)).toBe('shaders/math.hlsli:2:10');
  });

  it('leaves lines that name nothing as they are', () => {
    const { read } = make(true, true);
    const log = 'Compiler: 12:34:56\r\n\n12:00:01 x.c:3:4: error\nmain0:99999:1 a.metal:0:0 :1:2\n';
    expect(read(log)).toBe(log);
  });

  it('takes long lines with many places', () => {
    const { read } = make(true, true);
    for (const one of ['a.metal:1:1 ', 'x:1:1', ':1:1', 'a.metal:999999999:999999999 ']) {
      const log = one.repeat(Math.floor(65000 / one.length));
      expect(read(log)).toBe(log);
      expect(read(log.repeat(4))).toBe(log.repeat(4));
    }
  });

  it('gives the same map in any folder, and no path of a machine', () => {
    const { mslMap } = make(true, true);
    const elsewhere = compile({
      source: { name: '/else/where/shaders/a.hlsl', text },
      includes: { '/else/where/shaders/math.hlsli': include },
      profile: 'cs_6_0',
      target: 'msl',
      debugInfo: true,
      debugSourceRoot: '/else/where',
      metal: { sourceMap: 'a.metal' },
    });
    expect(elsewhere.mslMap).toBe(mslMap);
    expect(JSON.parse(mslMap)).toMatchObject({
      file: 'a.metal',
      sources: ['shaders/a.hlsl', 'shaders/math.hlsli'],
      sourcesContent: [text, include],
    });
  });
});

describe('a source map that is none', () => {
  const { mslMap } = make(false, true);
  const changed = (change: (map: SourceMapFile) => unknown): string => {
    const map = JSON.parse(mslMap) as SourceMapFile;
    return JSON.stringify(change(map) ?? map);
  };
  const without = (key: keyof SourceMapFile) => changed((map) => ({ ...map, [key]: undefined }));
  it.each([
    ['', 'no JSON'],
    ['{', 'no JSON'],
    ['[]', 'no object'],
    ['null', 'no object'],
    [changed((map) => ({ ...map, version: 2 })), "'version'"],
    [without('sources'), "'sources'"],
    [without('sourcesContent'), "'sourcesContent'"],
    [without('names'), "'names'"],
    [without('mappings'), "'mappings'"],
    [without('x_oneshader'), "'x_oneshader'"],
    [changed((map) => ({ ...map, file: 1 })), "'file'"],
    [changed((map) => ({ ...map, mappings: 'A!AA' })), 'that is none'],
    [changed((map) => ({ ...map, mappings: 'AAAAAAAA' })), 'that is none'],
    [changed((map) => ({ ...map, mappings: 'A' })), 'that is none'],
    [changed((map) => ({ ...map, mappings: 'AAAg' })), 'that is none'],
    [changed((map) => ({ ...map, mappings: 'gggggggggggggggB' })), 'that is none'],
    [changed((map) => ({ ...map, mappings: 'AAAD' })), 'out of range'],
    [changed((map) => ({ ...map, mappings: 'CAAA,DAAA' })), 'out of order'],
    [changed((map) => ({ ...map, mappings: 'AAAA' })), "'mappingFrames'"],
    [changed(({ x_oneshader: x }) => void (x.mappingFrames = [0])), "'mappingFrames'"],
    [changed(({ x_oneshader: x }) => void (x.mappingFrames = [-1, 5])), "'mappingFrames'"],
    [changed(({ x_oneshader: x }) => void (x.mappingFrames = [99, 1e6])), "'mappingFrames'"],
    [changed(({ x_oneshader: x }) => void (x.frames = [{ function: 'f', caller: 0 }])), 'frame 0'],
    [
      changed(
        ({ x_oneshader: x }) =>
          void (x.frames = [{ function: 'f', call: { source: 0, line: 0, column: 0 }, caller: 0 }]),
      ),
      'does not stand before it',
    ],
    [changed(({ x_oneshader: x }) => void (x.functions = [1] as never)), "'functions'"],
    [changed(({ x_oneshader: x }) => void (x.directives = 1 as never)), "'directives'"],
  ])('%.40s is refused: %s', (map, message) => {
    const made = symbolicate(map, 'a.metal:1:1: error: e');
    expect('problem' in made && made.problem).toContain(message);
  });
});

describe('variable-length quantities', () => {
  it('come back', () => {
    const numbers = [0, 1, -1, 15, 16, -16, 31, 32, 1000, -123456, 2 ** 31 - 1, -(2 ** 31 - 1)];
    expect(readVlq(numbers.map(vlq).join(''))).toEqual(numbers);
    expect(vlq(16)).toBe('gB');
    expect(vlq(-1)).toBe('D');
  });
});
