/** No expression crashes the checker, and what it refuses it says. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkText } from '../support/check-text.ts';

const prelude = `
struct S { float a; int3 b; float get(int x) { return a + x; } }; enum E { E0 }; enum class C { C0 };
cbuffer CB { float4 cv; float4x3 cm; S cs[2]; } ConstantBuffer<S> cb;
Texture2D<float4> tex; RWTexture2D<uint> rw; RWStructuredBuffer<S> rsb; ByteAddressBuffer bab; SamplerState smp; Texture2D many[];
float3 fn(float3 x, out int y, inout S s, float z = 1) { y = 1; return x; } int fn(int x) { return x; }
`;

const atoms =
  'b i u f d h l f2 f3 f4 i3 b3 m33 m34 arr s e c E0 C::C0 cv cm cs cb tex rw rsb bab smp many 1 0 1.5 2u 3ll 1.0h true nothing S';
const types =
  'float int uint bool double float2 float3 float4 int3 float3x3 float2x2 float4x3 S E C float1 Texture2D';
const members = 'x xy rgba xxx _m00 _11_22 a b get Load Sample GetDimensions mips q';
const functions =
  'fn sin max dot mul lerp clamp asuint any all fn2 s.get tex.Load tex.Sample bab.Load rsb.IncrementCounter InterlockedAdd';
const operators = '+ - * / % & | ^ << >> == != < > <= >= && || = += -= *= /= <<= &= ,';
const pick = (words: string) => fc.constantFrom(...words.split(' '));

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    pick(atoms),
    fc.tuple(tie('expression'), pick(operators), tie('expression')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(pick('- + ! ~ ++ --'), tie('expression')).map(([op, a]) => `${op} ${a}`),
    fc.tuple(tie('expression'), pick('++ --')).map(([a, op]) => `(${a})${op}`),
    fc.tuple(tie('expression'), pick(members)).map(([a, name]) => `(${a}).${name}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, i]) => `(${a})[${i}]`),
    fc.tuple(pick(types), tie('expression')).map(([type, a]) => `(${type})(${a})`),
    fc
      .tuple(pick(types), fc.array(tie('expression'), { maxLength: 3 }))
      .map(([type, a]) => `${type}(${a.join(', ')})`),
    fc
      .tuple(pick(functions), fc.array(tie('expression'), { maxLength: 4 }))
      .map(([name, a]) => `${name}(${a.join(', ')})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
}));

it('checks any expression', () => {
  fc.assert(
    fc.property(expression, fc.constantFrom(2018 as const, 2021 as const), (code, languageVersion) => {
      const text = `${prelude}[numthreads(1, 1, 1)] void main() {
        bool b = 1; int i = 1; uint u = 2; float f = 3; double d = 4; half h = 1; int64_t l = 5; float2 f2 = 0; float3 f3 = 0; float4 f4 = 0;
        int3 i3 = 0; bool3 b3 = false; float3x3 m33 = 0; float3x4 m34 = 0; float arr[4] = { 1, 2, 3, 4 }; S s = (S)0; E e = E0; C c = C::C0;
        ${code};
      }`;
      const result = checkText(text, { languageVersion });
      const faulty = result.diagnostics.some((diagnostic) => diagnostic.severity === 'error');
      expect(result.program === undefined).toBe(faulty);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 300) },
  );
});
