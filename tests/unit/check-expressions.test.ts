/** Types, conversions and constants of expressions, through the whole front end. */
import { describe, expect, it } from 'vitest';
import type { TypedExpression } from '../../src/check/program.ts';
import type { Options } from '../../src/options.ts';
import { typeName } from '../../src/types/type.ts';
import { checkText, expressionsOf } from '../support/check-text.ts';

const prelude = `
struct S { float a; int b; float get() { return a; } float2 add(float2 x, float k = 2) { return x + k; } static float half_(float x) { return x; } };
struct Base { float p; float own() { return p; } };
struct Derived : Base { float q; float both() { return own() + q + p; } };
struct Cmp { int v; bool operator==(Cmp o) { return v == o.v; } Cmp operator+(int n) { Cmp r = { v + n }; return r; } int operator[](int i) { return v + i; } };
enum E { E0, E1 = 5 };
enum class C { C0, C1 };
namespace N { static const int k = 7; float twice(float x) { return 2 * x; } }
cbuffer CB { float4 cv; float3x3 cm; int ci; float ca[3]; };
ConstantBuffer<S> cb;
ConstantBuffer<S> cbs[2];
Texture2D<float4> tex; Texture2DArray<float> texa; Texture2DMS<float4> ms; RWTexture2D<float4> rw; Texture2D texs[4]; Texture2D many[];
Buffer<uint2> tb; RWBuffer<float> rtb;
StructuredBuffer<S> sb; RWStructuredBuffer<float3> rsb; RWStructuredBuffer<S> rss; ByteAddressBuffer bab; RWByteAddressBuffer rbab;
SamplerState smp;
groupshared int gs[8];
static const int four = 4;
static const float table_[3] = { 1, 2.5, 4 };
float one(float x) { return x; }
float over(float x) { return x; }
int over(int x) { return x; }
float3 over(float3 x) { return x; }
void outs(out float3 a, inout int b) { a = 0; b++; }
float defaulted(float x, float y = 2, int z = 3) { return x + y + z; }
`;

function body(code: string): string {
  return `${prelude}
[numthreads(1, 1, 1)] void main() {
  bool b = true; int i = 1; uint u = 2; float f = 3; double d = 4; half h = 1; min16float mf = 1; int64_t l = 5; uint64_t ul = 6;
  float2 f2 = 0; float3 f3 = 0; float4 f4 = 0; int3 i3 = 0; uint2 u2 = 0; bool3 b3 = false; float1 f1 = 1;
  float2x2 m22 = 0; float3x3 m33 = 0; float4x4 m44 = 0; float3x4 m34 = 0; float1x3 m13 = 0;
  float arr[4] = { 1, 2, 3, 4 }; S s = (S)0; Derived der = (Derived)0; E e = E1; C c = C::C1; Cmp cmp = { 3 };
  const int kc = 6; SamplerState ls = smp;
  ${code}
}`;
}

function checked(code: string, changes: Partial<Options> = {}): TypedExpression {
  const result = checkText(body(code), changes);
  expect(result.messages.filter((line) => line.includes('error'))).toEqual([]);
  return expressionsOf(result.program!).at(-1)!;
}

describe('types', () => {
  it.each([
    // literals and names
    ['1', 'int'],
    ['1.0', 'float'],
    ['1u', 'uint'],
    ['1L', 'int'],
    ['0x10L', 'uint'],
    ['1ll', 'int64_t'],
    ['1ull', 'uint64_t'],
    ['1.0f', 'float'],
    ['1.0h', 'float'],
    ['1.0l', 'double'],
    ['4294967295', 'uint'],
    ['4294967296', 'int64_t'],
    ["'a'", 'int'],
    ['E1', 'E'],
    ['C::C0', 'C'],
    ['E::E0', 'E'],
    ['N::k', 'int'],
    ['cv', 'float4'],
    ['::four', 'int'],
    ['cm', 'float3x3'],
    // arithmetic
    ['i + f', 'float'],
    ['i * u', 'uint'],
    ['u - 1', 'uint'],
    ['i * 1.5', 'float'],
    ['h * 2.0', 'half'],
    ['h + f', 'float'],
    ['mf * 1.5', 'min16float'],
    ['mf + i', 'min16float'],
    ['mf + f', 'float'],
    ['d * 2', 'double'],
    ['l + i', 'int64_t'],
    ['ul + l', 'uint64_t'],
    ['l * 1.5', 'float'],
    ['b + b', 'int'],
    ['b * 2.0', 'float'],
    ['b & b', 'int'],
    ['f3 * 2', 'float3'],
    ['2 * f3', 'float3'],
    ['f3 + f4', 'float3'],
    ['f3 + i3', 'float3'],
    ['m33 * f', 'float3x3'],
    ['m44 + m33', 'float3x3'],
    ['f1 + f3', 'float3'],
    ['f % 2', 'float'],
    ['f3 % 2', 'float3'],
    ['i % 3', 'int'],
    ['e + 1', 'int'],
    ['e | E1', 'E'],
    ['f4 * m22', 'float4'],
    ['m22 * f4', 'float2x2'],
    // comparison, logic, bits
    ['f3 < 1', 'bool3'],
    ['m33 == m33', 'bool3x3'],
    ['i != u', 'bool'],
    ['b && i', 'bool'],
    ['f || b', 'bool'],
    ['!f3', 'bool3'],
    ['!i', 'bool'],
    ['~i', 'int'],
    ['~b', 'int'],
    ['-b', 'int'],
    ['+u', 'uint'],
    ['-f3', 'float3'],
    ['i << u', 'int'],
    ['u >> 1', 'uint'],
    ['i3 << 1', 'int3'],
    ['1 << u', 'uint'],
    ['1 << i', 'int'],
    ['b << 1', 'int'],
    ['l << 3', 'int64_t'],
    ['i | u', 'uint'],
    ['e == E1', 'bool'],
    ['c == C::C0', 'bool'],
    // ?: and comma
    ['b ? 1 : 2', 'int'],
    ['b ? 1 : 2.5', 'float'],
    ['b ? f3 : 0', 'float3'],
    ['b ? i3 : f3', 'float3'],
    ['b ? f4 : f3', 'float3'],
    ['b ? tex : texs[1]', 'Texture2D<float4>'],
    ['b ? i : u', 'uint'],
    ['(i, f)', 'float'],
    ['i ? f : h', 'float'],
    // members and elements
    ['f4.xyz', 'float3'],
    ['f4.x', 'float'],
    ['f4.bgra', 'float4'],
    ['f.xxx', 'float3'],
    ['(1).xx', 'int2'],
    ['f4.wzyx.xy', 'float2'],
    ['m44._m00_m11', 'float2'],
    ['m44._11', 'float'],
    ['m34._34_11_22', 'float3'],
    ['m44[1]', 'float4'],
    ['m34[2][3]', 'float'],
    ['m44[0].xy', 'float2'],
    ['f3[1]', 'float'],
    ['arr[i]', 'float'],
    ['s.a', 'float'],
    ['der.p', 'float'],
    ['der.Base::p', 'float'],
    ['cb.b', 'int'],
    ['cbs[1].a', 'float'],
    ['sb[3].b', 'int'],
    ['rsb[i].yx', 'float2'],
    ['tex[u2]', 'float4'],
    ['texa[uint3(1, 2, 3)]', 'float'],
    ['tex.mips[2][u2]', 'float4'],
    ['ms.sample[1][u2]', 'float4'],
    ['tb[4]', 'uint2'],
    ['texs[i]', 'Texture2D<float4>'],
    ['many[1000]', 'Texture2D<float4>'],
    ['ca[1]', 'float'],
    ['cmp[3]', 'int'],
    ['arr[b]', 'float'],
    // calls
    ['one(1)', 'float'],
    ['over(i)', 'int'],
    ['over(f)', 'float'],
    ['over(f3)', 'float3'],
    ['over(1)', 'int'],
    ['over(1.0)', 'float'],
    ['over(h)', 'float'],
    ['N::twice(2)', 'float'],
    ['s.get()', 'float'],
    ['s.add(f2)', 'float2'],
    ['S::half_(1)', 'float'],
    ['s.half_(1)', 'float'],
    ['der.own()', 'float'],
    ['der.both()', 'float'],
    ['cb.get()', 'float'],
    ['defaulted(1)', 'float'],
    ['defaulted(1, 2)', 'float'],
    ['outs(f3, i)', 'void'],
    ['outs(f4.xyz, u)', 'void'],
    ['cmp == cmp', 'bool'],
    ['cmp + 1', 'Cmp'],
    ['dot(f3, f3)', 'float'],
    ['mul(m34, f4)', 'float3'],
    ['max(i, 2)', 'int'],
    ['lerp(f3, f3, 0.5)', 'float3'],
    ['tex.SampleLevel(smp, f2, 0)', 'float4'],
    ['bab.Load<float3>(16)', 'float3'],
    ['bab.Load(4)', 'uint'],
    ['rbab.Store(0, u)', 'void'],
    // constructors and casts
    ['float4(f3, 1)', 'float4'],
    ['float3x3(f3, f3, f3)', 'float3x3'],
    ['float2x2(1, 2, 3, 4)', 'float2x2'],
    ['float4(f2, i, b)', 'float4'],
    ['int(f)', 'int'],
    ['float4(1)', 'float4'],
    ['float3(f4)', 'float3'],
    ['(float3)f4', 'float3'],
    ['(float3x3)m44', 'float3x3'],
    ['(float4)m22', 'float4'],
    ['(float2x2)f4', 'float2x2'],
    ['(float[4])f4', 'float[4]'],
    ['(float4)arr', 'float4'],
    ['(S)0', 'S'],
    ['(S)f2', 'S'],
    ['(float2)s', 'float2'],
    ['(Base)der', 'Base'],
    ['(E)2', 'E'],
    ['(int)c', 'int'],
    ['(float1)f', 'float1'],
    ['(float)f1', 'float'],
    ['(float)m44', 'float'],
    ['(uint3)i3', 'uint3'],
    ['(int[2])u2', 'int[2]'],
    ['vector<float, 2>(1, 2)', 'float2'],
    ['(float3)m13', 'float3'],
    ['(float2)m13', 'float2'],
    ['sizeof(float3x3)', 'uint'],
    ['sizeof(S)', 'uint'],
    // writing
    ['f = i', 'float'],
    ['i *= 1.5', 'int'],
    ['f3.xy = f2', 'float2'],
    ['m44._m00_m01 = f2', 'float2'],
    ['m44[1].z = 2', 'float'],
    ['i++', 'int'],
    ['--f3', 'float3'],
    ['f4 *= 2', 'float4'],
    ['f3 += f4', 'float3'],
    ['u <<= 2', 'uint'],
    ['b |= b', 'bool'],
    ['rw[u2] = f4', 'float4'],
    ['rw[u2].x = 1', 'float'],
    ['rtb[1] += f', 'float'],
    ['rss[1].a = 2', 'float'],
    ['gs[i] = 1', 'int'],
    ['s.a = 2', 'float'],
    ['f3[2] = 1', 'float'],
    ['arr = arr', 'float[4]'],
    ['s = s', 'S'],
    ['f2 = { 1, 2 }', 'float2'],
    ['s = { 1, 2 }', 'S'],
  ])('%s is %s', (code, type) => {
    expect(typeName(checked(`${code};`).type)).toBe(type);
  });

  it.each([
    ['f3 && b3', 'bool3'],
    ['b && f3', 'bool3'],
    ['b3 ? f3 : 0', 'float3'],
    ['b3 ? 1 : 0', 'int3'],
    ['b ? f3 : f3', 'float3'],
  ])('HLSL 2018: %s is %s', (code, type) => {
    const value = checked(`${code};`, { languageVersion: 2018 });
    expect(typeName(value.type)).toBe(type);
    expect(value).toMatchObject({ shortCircuit: false });
  });

  it.each([
    ['1', 'int'],
    ['3000000000', 'int64_t'],
    ['0xffffffff', 'uint'],
    ['1u', 'uint'],
    ['1l', 'int64_t'],
    ['1ul', 'uint64_t'],
    ['-9223372036854775808', 'uint64_t'],
    ['1.5', 'float'],
    ['1.5l', 'double'],
    ['1 / 2 * 0.5', 'float'],
  ])('HLSL 202x: %s is %s', (code, type) => {
    expect(typeName(checked(`${code};`, { languageVersion: 2029 }).type)).toBe(type);
  });

  it('converts structs with the same leaves implicitly up to HLSL 2018', () => {
    const text =
      'struct A { float2 x; }; struct B { float2 y; }; [numthreads(1, 1, 1)] void main() { A a = (A)0; B b = a; }';
    expect(checkText(text, { languageVersion: 2018 }).messages).toEqual([]);
    expect(checkText(text).messages).toEqual([
      "1:103: error: cannot implicitly convert from 'A' to 'B' [OS3021]",
    ]);
  });

  it('has 16-bit types with the option', () => {
    const code = 'float16_t x = 1; int16_t n = 2; x * 2.0;';
    expect(typeName(checked(code, { enable16BitTypes: true }).type)).toMatch(/^(half|float16_t)$/);
    expect(typeName(checked('int16_t n = 2; n + 1;', { enable16BitTypes: true }).type)).toBe('int16_t');
    expect(typeName(checked('int16_t n = 2; n + i;', { enable16BitTypes: true }).type)).toBe('int');
  });
});

describe('trees', () => {
  it('makes each step of a conversion a node', () => {
    expect(checked('f4 = i;')).toMatchObject({
      kind: 'assign',
      value: {
        kind: 'convert',
        conversion: 'splat',
        implicit: true,
        operand: { kind: 'convert', conversion: 'numeric', operand: { kind: 'variable' } },
      },
    });
    expect(checked('i3 = (int3)f4;')).toMatchObject({
      value: {
        conversion: 'numeric',
        implicit: false,
        operand: { conversion: 'truncate', operand: { kind: 'variable' } },
      },
    });
  });

  it('computes compound assignments in the wider type', () => {
    const value = checked('i *= 1.5;');
    expect(value).toMatchObject({
      kind: 'compound-assign',
      op: '*',
      value: { kind: 'constant', value: 1.5 },
    });
    expect(value.kind === 'compound-assign' && typeName(value.computeType)).toBe('float');
  });

  it('gives a literal the type of the other operand at once', () => {
    expect(checked('u + 1;')).toMatchObject({
      right: { kind: 'constant', value: 1, type: { name: 'uint' } },
    });
    expect(checked('d * 0.1;')).toMatchObject({
      right: { kind: 'constant', value: 0.1, type: { name: 'double' } },
    });
    expect(checked('f * 0.1;')).toMatchObject({ right: { kind: 'constant', value: Math.fround(0.1) } });
    expect(checked('f = b ? 1 : 2;')).toMatchObject({
      value: { kind: 'conditional', whenTrue: { kind: 'constant', value: 1, type: { name: 'float' } } },
    });
    expect(checked('f = (b ? 1 : 2) / 2;')).toMatchObject({
      value: { kind: 'convert', operand: { kind: 'binary', type: { name: 'int' } } },
    });
  });

  it('passes out arguments as the places they are', () => {
    expect(checked('outs(f4.xyz, u);')).toMatchObject({
      args: [
        { mode: 'out', value: { kind: 'swizzle' } },
        {
          mode: 'inout',
          value: { kind: 'variable', type: { name: 'uint' } },
          parameterType: { name: 'int' },
        },
      ],
    });
  });

  it('calls methods on the struct that declares them', () => {
    expect(checked('der.own();')).toMatchObject({
      kind: 'call',
      self: { kind: 'convert', conversion: 'upcast', type: { name: 'Base' }, operand: { kind: 'variable' } },
    });
    expect(checked('cb.get();')).toMatchObject({ self: { kind: 'buffer-element' } });
    expect(checked('s.half_(1);')).not.toHaveProperty('self');
  });

  it('reaches into buffers and bases by member number', () => {
    expect(checked('ca[1];')).toMatchObject({
      kind: 'index',
      object: { kind: 'member', index: 3, object: { kind: 'buffer-element', object: { kind: 'variable' } } },
    });
    expect(checked('der.p;')).toMatchObject({
      kind: 'member',
      index: 0,
      object: { kind: 'member', index: 0 },
    });
  });

  it('fills in default arguments', () => {
    const value = checked('defaulted(1);');
    if (value.kind !== 'call') throw new Error(value.kind);
    expect(value.args.map((arg) => arg.isDefault ?? false)).toEqual([false, true, true]);
    expect(value.args[2]!.value).toMatchObject({ value: 3 });
  });

  it('flattens lists and casts', () => {
    expect(checked('S arr2[2] = { f2, 1, 2 }; arr2;').type).toMatchObject({ kind: 'array', size: 2 });
    expect(checked('float un[] = { f2, 1, f4 }; un;').type).toMatchObject({ kind: 'array', size: 7 });
    expect(checked('(S)f2;')).toMatchObject({ kind: 'flatten', sources: [{ kind: 'variable' }] });
    expect(checked('(S)1;')).toMatchObject({ kind: 'fill', value: { kind: 'constant', value: 1 } });
  });

  it('writes what a write gives back', () => {
    expect(checked('(f += 1) = 2;')).toMatchObject({
      kind: 'assign',
      target: { kind: 'compound-assign', target: { kind: 'variable' } },
    });
    expect(checked('--f3 = f3;')).toMatchObject({ kind: 'assign', target: { kind: 'increment' } });
    expect(checked('(f, f3) = 1;')).toMatchObject({ kind: 'assign', target: { kind: 'comma' } });
  });

  it('takes the better of a user function and an intrinsic of the same name', () => {
    const text =
      'float sign(bool x) { return 0; } [numthreads(1, 1, 1)] void main() { sign(true); sign(1.5f); }';
    const result = checkText(text);
    expect(result.messages).toEqual([]);
    expect(expressionsOf(result.program!).map((value) => value.kind)).toEqual(['call', 'intrinsic']);
  });
});

describe('constants', () => {
  it.each<[string, string, unknown]>([
    ['int', '2147483647 + 1', -2147483648],
    ['int', '2147483647 * 2', -2],
    ['int', '0x7fffffffL + 1L', -2147483648],
    ['uint', '0u - 1u', 4294967295],
    ['int', '-7 / 2', -3],
    ['int', '-7 % 2', -1],
    ['uint', '7u / 2', 3],
    ['int', '-8 >> 1', -4],
    ['uint', '0x80000000u >> 31', 1],
    ['int', '1 << 31', -2147483648],
    ['uint', '1u << 33', 2],
    ['int', '(6 & 3) | 8 ^ 1', 11],
    ['int', '~5', -6],
    ['float', '0.1f + 0.2f', Math.fround(Math.fround(0.1) + Math.fround(0.2))],
    ['float', '1.0f / 3', Math.fround(1 / 3)],
    ['double', '1.0 / 3', 1 / 3],
    ['float', '5.5 % 2', 1.5],
    ['float', '-(2.5)', -2.5],
    ['float', '0x1.8p3', 12],
    ['float', '1.#INF', Infinity],
    ['float', '1e3f', 1000],
    ['float', '.5', 0.5],
    ['int', '(int)3.9f', 3],
    ['int', '(int)-3.9f', -3],
    ['uint', '(uint)4294967040.0f', 4294967040],
    ['int', '(int)1e20f', 2147483647],
    ['uint', '-1', 4294967295],
    ['bool', '3', true],
    ['float', 'true', 1],
    ['int', 'E1 + 1', 6],
    ['int', 'four * four', 16],
    ['int', 'N::k', 7],
    ['float', 'table_[1]', 2.5],
    ['int64_t', '0x7fffffffffffffffll + 1', -9223372036854775808n],
    ['uint64_t', '1ull << 63', 9223372036854775808n],
    ['int64_t', '-1', -1n],
    ['float2', 'float2(1, 2) * 2', [2, 4]],
    ['float3', 'float4(1, 2, 3, 4).zyx', [3, 2, 1]],
    ['float', 'float2x2(1, 2, 3, 4)[1][0]', 3],
    [
      'float2x2',
      '{ 1, 2, 3, 4 }',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['float', 'float2x2(1, 2, 3, 4)._m01', 2],
    ['float3', '1', [1, 1, 1]],
    ['bool2', 'float2(1, 2) > 1.5', [false, true]],
    ['int', 'true ? 1 : 2', 1],
    ['bool', 'true && !false', true],
    ['bool', 'false || 0', false],
    ['int', '(1, 2)', 2],
    ['bool', '1 < 2', true],
    ['int', "'a'", 97],
    ['int', '017', 15],
    ['float', 'max(1.5f, 2.5f)', 2.5],
    ['int', 'min(3, -4)', -4],
    ['S', '{ 1.5, 2 }', [1.5, 2]],
    ['S', '(S)3', [3, 3]],
    ['float2', '(float2)table_', [1, 2.5]],
    ['int', 'sizeof(S)', 8],
    ['int', 'sizeof(double) + sizeof(float3)', 20],
    [
      'float2x2',
      '(float2x2)float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9)',
      [
        [1, 2],
        [4, 5],
      ],
    ],
    ['int', 'kc - 1', 5],
    ['C', 'C::C1', 1],
  ])('const %s = %s', (type, code, value) => {
    const result = checked(`static const ${type.replace('kc', 'int')} k_ = ${code}; k_;`);
    expect(result).toMatchObject({ kind: 'variable', symbol: { value } });
  });

  it('rounds 16-bit floats to nearest even', () => {
    const value = (code: string) => checked(`const half k_ = ${code}; k_;`, { enable16BitTypes: true });
    expect(value('2049.0h')).toMatchObject({ symbol: { value: 2048 } });
    expect(value('2051.0h')).toMatchObject({ symbol: { value: 2052 } });
    expect(value('0.1h')).toMatchObject({ symbol: { value: 0.0999755859375 } });
    expect(value('65520.0h')).toMatchObject({ symbol: { value: Number.POSITIVE_INFINITY } });
    expect(value('5.9604644775390625e-8h')).toMatchObject({ symbol: { value: 2 ** -24 } });
  });

  it.each([['f'], ['i + 1'], ['cv.x'], ['sin(f)'], ['1 / (four - 4)']])('%s is not constant', (code) => {
    expect(checked(`const float k_ = ${code}; k_;`)).not.toHaveProperty('symbol.value');
  });

  it('sizes arrays', () => {
    expect(checked('float x[four * 2 - (1 ? 3 : 0)][kc]; x;').type).toMatchObject({
      size: 5,
      element: { size: 6 },
    });
  });
});
