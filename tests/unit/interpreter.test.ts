import { describe, expect, test } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { validate } from '../../src/ir/validate.ts';
import { interpretCompute, interpretQuad } from '../support/interpreter/interpret.ts';
import { cubeFace } from '../support/interpreter/sample.ts';
import {
  halfToNumber,
  image,
  numberToHalf,
  readTexel,
  sampler,
  uints,
  writeTexel,
  zeros,
} from '../support/resources.ts';

const out = 'global @out: ptr<resource, RWStructuredBuffer<uint>> resource set 0 binding 0\n';

/** Runs the body of a compute shader whose results go to `@out`, and gives the words there. */
function run(body: string, threads = '1 1 1', rest = '', waveSize = 4): number[] {
  const module = parseModule(
    `${out}${rest}\nfunction main(): void entry compute "main" threads ${threads} {\n${body}\nreturn\n}\n`,
  );
  expect(validate(module)).toEqual([]);
  const result = zeros(8);
  interpretCompute(module, [1, 1, 1], { bindings: { '0.0': result }, waveSize, stepBudget: 10_000 });
  return [...new Uint32Array(result.bytes.buffer)];
}

const put = (index: string, value: string, name = `p${index.replace('%', '')}`): string =>
  `%${name}: ptr<storage, uint, std430> = buffer_pointer @out, ${index}\nstore %${name}, ${value}`;

/** The value of one uint expression. */
const evaluate = (text: string): number => run(`${text}\n${put('0u', '%r')}`)[0]!;

describe('arithmetic', () => {
  test.each([
    ['add', '4294967295u', '2u', 1],
    ['sub', '0u', '1u', 0xffffffff],
    ['mul', '4294967295u', '4294967295u', 1],
    ['div', '7u', '0u', 0xffffffff],
    ['rem', '7u', '0u', 0xffffffff],
    ['shl', '1u', '33u', 2],
    ['shr', '2147483648u', '63u', 1],
  ])('uint %s %s %s', (op, a, b, expected) => {
    expect(evaluate(`%r: uint = ${op} ${a}, ${b}`)).toBe(expected);
  });

  test('int division truncates, remainder takes the sign of the dividend, shift keeps the sign', () => {
    expect(evaluate('%q: int = div -7, 2\n%r: uint = convert %q') | 0).toBe(-3);
    expect(evaluate('%q: int = rem -7, 2\n%r: uint = convert %q') | 0).toBe(-1);
    expect(evaluate('%q: int = shr -8, 1\n%r: uint = convert %q') | 0).toBe(-4);
  });

  test('floats round to 32 bits, conversions saturate', () => {
    expect(evaluate('%f: float = add 16777216.0, 1.0\n%r: uint = convert %f')).toBe(16777216);
    expect(evaluate('%r: uint = convert -5.0')).toBe(0);
    expect(evaluate('%r: uint = convert 1e20')).toBe(0xffffffff);
    expect(evaluate('%r: uint = convert nan')).toBe(0);
    expect(evaluate('%r: uint = bitcast 1.0')).toBe(0x3f800000);
  });

  test('64 bits from two words', () => {
    const text =
      '%v: uint2 = construct 5u, 1u\n%b: uint64_t = bitcast %v\n%s: uint64_t = shr %b, uint64_t(1)\n';
    expect(evaluate(`${text}%r: uint = convert %s`)).toBe(0x80000002);
  });

  test('half rounds to nearest even and keeps small numbers', () => {
    for (const bits of [0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0xc000])
      expect(numberToHalf(halfToNumber(bits))).toBe(bits);
    expect(numberToHalf(2049)).toBe(numberToHalf(2048));
    expect(numberToHalf(65520)).toBe(0x7c00);
  });
});

describe('control flow', () => {
  test('a loop carries values', () => {
    const body = `%sum: uint = loop (%i: uint = 0u, %acc: uint = 0u) {
      %more: bool = less %i, 5u
      if %more { yield } else { break %acc }
      %next: uint = add %acc, %i
      continue %next
    } continuing (%a: uint) {
      %j: uint = add %i, 1u
      repeat %j, %a
    }\n`;
    expect(run(body + put('0u', '%sum'))[0]).toBe(10);
  });

  test('switch falls through, and takes default when no label fits', () => {
    const body = `%v: ptr<function, uint> = var
    store %v, 0u
    switch 7u {
    case 1 { store %v, 1u  break }
    case 2, default { store %v, 2u  fallthrough }
    case 3 { %o: uint = load %v  %n: uint = add %o, 10u  store %v, %n  break }
    }
    %r: uint = load %v\n`;
    expect(run(body + put('0u', '%r'))[0]).toBe(12);
  });

  test('a shader that does not end is stopped', () => {
    expect(() => run('loop { continue } continuing { repeat }')).toThrow('step budget');
  });
});

describe('invocations together', () => {
  const index = `%i: uint = load @index\n`;
  const globals =
    'global @index: ptr<input, uint> input "gi": uint semantic "SV_GroupIndex" 0 builtin "SV_GroupIndex"\n' +
    'global @shared: ptr<workgroup, uint[4]> workgroup\n';

  test('a barrier makes what others wrote visible', () => {
    const body = `${index}%s: ptr<workgroup, uint> = access @shared, %i
      %sq: uint = mul %i, %i
      store %s, %sq
      intrinsic "GroupMemoryBarrierWithGroupSync"
      %o: uint = sub 3u, %i
      %t: ptr<workgroup, uint> = access @shared, %o
      %r: uint = load %t\n${put('%i', '%r')}`;
    expect(run(body, '4 1 1', globals).slice(0, 4)).toEqual([9, 4, 1, 0]);
  });

  test('wave operations see the active lanes, and lanes meet again behind a branch', () => {
    const body = `${index}%c: bool = less %i, 2u
      %part: uint = if %c {
        %a: uint = intrinsic "WaveActiveSum" 1u
        yield %a
      } else {
        yield 100u
      }
      %all: uint = intrinsic "WaveActiveSum" 1u
      %r: uint = add %part, %all\n${put('%i', '%r')}`;
    expect(run(body, '4 1 1', globals).slice(0, 4)).toEqual([6, 6, 104, 104]);
  });

  test('derivatives look across the quad', () => {
    const module = parseModule(`global @x: ptr<input, float> input "in.var.A": float semantic "A" 0 location 0
global @o: ptr<output, float2> output "out.var.SV_Target": float2 semantic "SV_Target" 0 location 0
function main(): void entry pixel "main" inputs @x outputs @o {
  %x: float = load @x
  %dx: float = intrinsic "ddx" %x
  %dy: float = intrinsic "ddy" %x
  %v: float2 = construct %dx, %dy
  store @o, %v
  return
}`);
    const results = interpretQuad(
      module,
      [1, 3, 11, 17].map((A0) => ({ A0 })),
    );
    expect(results.map((one) => one.outputs['SV_Target0'])).toEqual([
      [2, 10],
      [2, 14],
      [6, 10],
      [6, 14],
    ]);
  });
});

describe('memory', () => {
  test('struct members lie where the layout says, matrices in their order', () => {
    const types = `struct Item { a: float, m: float2x3 row_major, n: float2x3 column_major }\n`;
    const module = parseModule(`${types}${out}
global @items: ptr<resource, RWStructuredBuffer<Item>> resource set 0 binding 1
function main(): void entry compute "main" threads 1 1 1 {
  %p: ptr<storage, Item, std430> = buffer_pointer @items, 0u
  %m: ptr<storage, float, std430> = access %p, 1, 1, 2
  store %m, 5.0
  %n: ptr<storage, float, std430> = access %p, 2, 1, 2
  store %n, 7.0
  return
}`);
    const items = zeros(24);
    interpretCompute(module, [1, 1, 1], { bindings: { '0.0': zeros(1), '0.1': items } });
    const words = new Float32Array(items.bytes.buffer);
    // a at 0; m at 16 with rows 16 apart; n at 48 with columns 8 apart.
    expect(words[4 + 4 + 2]).toBe(5);
    expect(words[12 + 2 * 2 + 1]).toBe(7);
  });

  test('outside of a buffer reads give zero and writes are lost', () => {
    const source = uints(7);
    const module = parseModule(`${out}
global @in: ptr<resource, StructuredBuffer<uint>> resource set 0 binding 1
function main(): void entry compute "main" threads 1 1 1 {
  %p: ptr<storage, uint, std430> = buffer_pointer @in, 9u
  %v: uint = load %p
  ${put('0u', '%v')}
  ${put('50u', '1u')}
  return
}`);
    const result = uints(1);
    interpretCompute(module, [1, 1, 1], { bindings: { '0.0': result, '0.1': source } });
    expect([...result.bytes]).toEqual([0, 0, 0, 0]);
  });
});

describe('textures', () => {
  test('texels of a format read back as they were written', () => {
    const bytes = new Uint8Array(16);
    writeTexel('rgba8unorm', bytes, 0, [0, 0.5, 1, 2]);
    expect([...bytes.slice(0, 4)]).toEqual([0, 128, 255, 255]);
    writeTexel('rg32sint', bytes, 0, [-1, 5]);
    expect(readTexel('rg32sint', bytes, 0)).toEqual([-1, 5, 0, 1]);
  });

  test('directions hit the faces of a cube', () => {
    expect(cubeFace([1, 0, 0])).toEqual({ face: 0, u: 0.5, v: 0.5 });
    expect(cubeFace([0, -1, 0.5])).toEqual({ face: 3, u: 0.5, v: 0.25 });
    expect(cubeFace([0.5, 0, -1])).toEqual({ face: 5, u: 0.25, v: 0.5 });
  });

  test('linear filtering takes the middle of texels', () => {
    const module = parseModule(`${out}
global @t: ptr<resource, Texture2D<float4>> resource set 0 binding 1
global @s: ptr<resource, SamplerState> resource set 0 binding 2
function main(): void entry compute "main" threads 1 1 1 {
  %at: float2 = construct 0.5, 0.5
  %v: float4 = intrinsic "texture.SampleLevel" @t, @s, %at, 0.0
  %x: float = extract %v [0]
  %r: uint = convert %x
  ${put('0u', '%r')}
  return
}`);
    const result = uints(0);
    const bindings = {
      '0.0': result,
      '0.1': image({ format: 'rgba32float', width: 2, height: 2 }, (x, y) => [10 * x + 100 * y, 0, 0, 0]),
      '0.2': sampler({ filter: 'linear' }),
    };
    interpretCompute(module, [1, 1, 1], { bindings });
    expect(result.bytes[0]).toBe(55);
  });
});
