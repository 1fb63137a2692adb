/** Every message about expressions, where it points and what it says. `@` in a text marks the place. */
import { describe, expect, it } from 'vitest';
import type { Options } from '../../src/options.ts';
import { expressionMessages } from '../../src/source/messages/check-expressions.ts';
import { checkText } from '../support/check-text.ts';

const prelude = `
struct S { float a; int b; float get() { return a; } static float one_() { return 1; } };
struct Base { float p; }; struct Derived : Base { float q; }; struct Empty { }; struct Large { S s[40000]; }; struct Huge { S s[40000]; }; groupshared Large large;
enum E { E0 }; enum class C { C0 }; enum class D { D0 }; namespace N { static const int k = 7; }
cbuffer CB { float4 cv; S cs; }; float loose; ConstantBuffer<S> cb;
Texture2D<float4> tex; TextureCube<float4> cube; RWTexture2D<float4> rw; Buffer<float> tb; StructuredBuffer<S> sb; RWStructuredBuffer<S> rsb; ByteAddressBuffer bab;
SamplerState smp;
float one(float x) { return x; }
void two(float3 a) { } void two(int a, int b) { } void two(out uint a, S s, S t) { a = 0; }
void outs(out float a, inout S s) { a = 0; }
void amb(int a, float b) { } void amb(float a, int b) { } void lit(float x) { } void lit(double x) { } void wide(out float4 x) { x = 0; }
`;

type Key = keyof ReturnType<typeof expressionMessages>;

interface Case {
  key: Key;
  /** Statements of the entry function. */
  code: string;
  /** Or a whole text that follows the prelude instead. */
  text?: string;
  message: string;
  notes?: string[];
  options?: Partial<Options>;
}

const cases: Case[] = [
  // ---- names
  { key: 'not-a-value', code: '@N + 1;', message: "'N' is a namespace, not a value" },
  { key: 'function-not-called', code: 'f = @one;', message: "function 'one' must be called with '()'" },
  { key: 'no-this', code: '@this;', message: "'this' may only be used inside a method that is not static" },
  { key: 'member-without-object', code: 'f = @S::a;', message: "member 'a' of 'S' needs an object" },
  { key: 'string-value', code: 'f = @"text";', message: 'a string is not a value that a shader can use' },
  {
    key: 'list-not-a-value',
    code: 'sin(@{ 1 });',
    message: 'an initializer list may only stand where a type is expected of it',
  },
  // ---- literals
  {
    key: 'integer-too-large',
    code: 'i = @18446744073709551616;',
    message: "integer literal '18446744073709551616' does not fit into 64 bits",
  },
  // ---- conversions
  {
    key: 'cannot-convert',
    code: 'f3 @= tex;',
    message: "cannot convert from 'Texture2D<float4>' to 'float3'",
  },
  { key: 'cannot-convert', code: 'f4 @= f3;', message: "cannot convert from 'float3' to 'float4'" },
  { key: 'cannot-convert', code: 'f = @(float4)f3;', message: "cannot convert from 'float3' to 'float4'" },
  {
    key: 'cannot-convert-implicitly',
    code: 's @= f2;',
    message: "cannot implicitly convert from 'float2' to 'S'",
  },
  {
    key: 'cannot-convert-implicitly',
    code: 'E e2 = @1;',
    message: "cannot implicitly convert from 'literal int' to 'E'",
    text: '',
  },
  {
    key: 'condition-not-scalar',
    code: 'if (@f3 > 0) f = 1;',
    message: "a condition must be a scalar, but this is 'bool3'; use any() or all()",
  },
  { key: 'implicit-truncation', code: 'f2 @= f3;', message: 'implicit truncation of vector type' },
  { key: 'implicit-truncation', code: 'f3 = f3 * @f4;', message: 'implicit truncation of vector type' },
  {
    key: 'narrowing',
    code: 'f @= d;',
    message: "conversion from larger type 'double' to smaller type 'float', possible loss of data",
  },
  {
    key: 'literal-float-to-integer',
    code: 'i = @1.5;',
    message: "implicit conversion from 'literal float' to 'int' changes value from 1.5 to 1",
  },
  {
    key: 'literal-out-of-range',
    code: 'i = @4294967296;',
    message: "implicit conversion from 'literal int' to 'int' changes value from 4294967296 to 0",
  },
  { key: 'implicit-truncation', code: 'f3 = f3; wide(@f3);', message: 'implicit truncation of vector type' },
  // ---- operators
  {
    key: 'operator-needs-integers',
    code: 'f @& 1;',
    message: "operator '&' needs integers, but this is 'float'",
  },
  {
    key: 'operator-needs-integers',
    code: '@~f;',
    message: "operator '~' needs integers, but this is 'float'",
  },
  {
    key: 'operator-needs-numbers',
    code: 'smp @+ 1;',
    message: "operator '+' needs a scalar, vector or matrix, but this is 'SamplerState'",
  },
  {
    key: 'operator-needs-numbers',
    code: 's @== s;',
    message: "operator '==' needs a scalar, vector or matrix, but this is 'S'",
  },
  {
    key: 'operand-shapes',
    code: 'm33 @* f4;',
    message: "operator '*' cannot combine 'float3x3' and 'float4'",
  },
  { key: 'operand-shapes', code: 'C::C0 @== D::D0;', message: "operator '==' cannot combine 'C' and 'D'" },
  {
    key: 'operand-shapes',
    code: 'f3 @+= f2;',
    message: "operator '+=' cannot combine 'float3' and 'float2'",
  },
  {
    key: 'logical-not-scalar',
    code: 'b3 @&& b3;',
    message: "operands of '&&' must be scalars; for other types use and()",
  },
  {
    key: 'logical-not-scalar',
    code: 'b @|| f3;',
    message: "operands of '||' must be scalars; for other types use or()",
  },
  {
    key: 'ternary-not-scalar',
    code: '@b3 ? f3 : f3;',
    message: "the condition of '?:' must be a scalar; for other types use select()",
  },
  {
    key: 'ternary-shapes',
    code: '@b3 ? f2 : f2;',
    message: "the condition 'bool3' of '?:' does not fit its results 'float2'",
    options: { languageVersion: 2018 },
  },
  {
    key: 'ternary-results',
    code: 'b ? @s : s;',
    message: "the results of '?:' must be scalars, vectors or matrices that fit, but are 'S' and 'S'",
  },
  { key: 'bool-target', code: 'b @+= 1;', message: "operator '+=' cannot change a bool" },
  { key: 'bool-target', code: '@b++;', message: "operator '++' cannot change a bool" },
  { key: 'enum-target', code: '@++e;', message: "operator '++' cannot change a value of enum 'E'" },
  { key: 'pointer-operator', code: '@&f;', message: "operator '&' is not supported: there are no pointers" },
  {
    key: 'double-modulo',
    code: 'd @% 2;',
    message: "operator '%' cannot be used with doubles; cast to float first",
  },
  {
    key: 'min-int-division',
    code: 'mi @/ 2;',
    message: "operator '/' cannot be used with minimum-precision signed integers; cast to int first",
  },
  {
    key: 'ambiguous-shift',
    code: '1 @<< u;',
    message: "ambiguous type for bit shift; use a type suffix on literal values, like 'U', or a cast",
  },
  { key: 'negated-unsigned', code: '@-u;', message: 'unary negate of unsigned value is still unsigned' },
  { key: 'division-by-zero', code: 'i @/ 0;', message: 'integer division by zero' },
  // ---- assignment
  { key: 'not-assignable', code: '@1 = 2;', message: 'expression is not assignable' },
  { key: 'not-assignable', code: '(@f + 1)++;', message: 'expression is not assignable' },
  {
    key: 'assign-constant',
    code: '@kc = 2;',
    message: "cannot assign to 'kc', which is const",
    notes: ["'kc' is declared here"],
  },
  {
    key: 'assign-buffer-member',
    code: '@cv.x = 2;',
    message: "cannot assign to 'cv', which is part of a constant buffer",
    notes: ["'cv' is declared here"],
  },
  {
    key: 'assign-buffer-member',
    code: '@loose = 2;',
    message: "cannot assign to 'loose', which is part of a constant buffer",
    notes: ["'loose' is declared here"],
  },
  {
    key: 'assign-buffer-member',
    code: '@cb.a = 2;',
    message: "cannot assign to 'a', which is part of a constant buffer",
    notes: ["'a' is declared here"],
  },
  {
    key: 'assign-read-only',
    code: '@sb[1].a = 2;',
    message: "cannot write through 'StructuredBuffer<S>', which is read-only",
    notes: ["'sb' is declared here"],
  },
  {
    key: 'assign-read-only',
    code: '@tex[u2] = f4;',
    message: "cannot write through 'Texture2D<float4>', which is read-only",
    notes: ["'tex' is declared here"],
  },
  {
    key: 'assign-resource',
    code: '@smp = smp;',
    message: "cannot assign to the resource 'smp'",
    notes: ["'smp' is declared here"],
  },
  {
    key: 'duplicate-components',
    code: '@f4.xx = f2;',
    message: 'vector is not assignable because it names a component twice',
  },
  {
    key: 'duplicate-components',
    code: '@m33._m00_m00 = f2;',
    message: 'matrix is not assignable because it names a component twice',
  },
  // ---- members and elements
  { key: 'no-member', code: 's.@c = 1;', message: "no member named 'c' in 'S'" },
  { key: 'no-members', code: 'smp.@x;', message: "'SamplerState' has no members, so there is no 'x'" },
  { key: 'swizzle-format', code: 'f4.@xg;', message: "invalid format for vector swizzle 'xg'" },
  { key: 'swizzle-bounds', code: 'f2.@xz;', message: "vector swizzle 'xz' is out of bounds of 'float2'" },
  {
    key: 'too-many-components',
    code: 'f2.@xyxyx;',
    message: "more than four positions are referenced in 'xyxyx'",
  },
  { key: 'matrix-format', code: 'm33.@_m0;', message: "invalid format for matrix subscript '_m0'" },
  {
    key: 'matrix-bounds',
    code: 'm33.@_m03;',
    message: "matrix subscript '_m03' is out of bounds of 'float3x3'",
  },
  {
    key: 'matrix-bounds',
    code: 'm33.@_01;',
    message: "matrix subscript '_01' is out of bounds of 'float3x3'",
  },
  {
    key: 'matrix-mixed',
    code: 'm33.@_m00_11;',
    message: "matrix subscript '_m00_11' mixes one-based and zero-based references",
  },
  { key: 'not-indexable', code: '@bab[0];', message: "'ByteAddressBuffer' cannot be indexed" },
  { key: 'not-indexable', code: '@cube[0];', message: "'TextureCube<float4>' cannot be indexed" },
  { key: 'index-bounds', code: 'f3[@3];', message: "index 3 is out of bounds of 'float3'" },
  { key: 'index-bounds', code: 'arr[@-1];', message: "index -1 is out of bounds of 'float[4]'" },
  { key: 'index-type', code: 'arr[@s];', message: "an index must be an integer, but this is 'S'" },
  { key: 'float-index', code: 'arr[@f];', message: "index of type 'float' is converted to an integer" },
  {
    key: 'index-coordinates',
    code: 'tex[@i];',
    message: "an index of 'Texture2D<float4>' has 2 coordinates, but this is 'int'",
  },
  { key: 'sizeof-type', code: '@sizeof(42);', message: "'sizeof' cannot be applied to 'literal int'" },
  { key: 'index-missing', code: 'arr[@];', message: "an index is missing between '[' and ']'" },
  {
    key: 'mips-alone',
    code: 'tex.@mips;',
    message: "'mips' must be followed by two indices, as in '.mips[level][location]'",
  },
  { key: 'method-not-called', code: 's.@get;', message: "method 'get' must be called with '()'" },
  { key: 'not-a-base', code: 's.@Base::p;', message: "'Base' is not a base of 'S'" },
  // ---- calls
  { key: 'not-callable', code: '@f(1);', message: "'f' is not a function" },
  { key: 'not-callable', code: 's.@a();', message: "'a' is not a function" },
  { key: 'unknown-function', code: '@nothing(1);', message: "use of undeclared function 'nothing'" },
  {
    key: 'no-matching-function',
    code: '@two(s, s, s);',
    message: "no matching function for call to 'two'",
    notes: [
      "candidate 'void two(float3 a)' needs 1 arguments, but 3 are given",
      "candidate 'void two(int a, int b)' needs 2 arguments, but 3 are given",
      "candidate 'void two(out uint a, S s, S t)': argument 1 of type 'S' does not convert to 'uint'",
    ],
  },
  {
    key: 'no-matching-function',
    code: '@outs(1, s);',
    message: "no matching function for call to 'outs'",
    notes: [
      "candidate 'void outs(out float a, inout S s)': argument 1 for an out parameter is not assignable",
    ],
  },
  {
    key: 'ambiguous-call',
    code: '@amb(1, 1);',
    message: "call to 'amb' is ambiguous",
    notes: ["candidate 'void amb(int a, float b)'", "candidate 'void amb(float a, int b)'"],
  },
  {
    key: 'ambiguous-call',
    code: '@lit(1.5);',
    message: "call to 'lit' is ambiguous",
    notes: ["candidate 'void lit(float x)'", "candidate 'void lit(double x)'"],
  },
  {
    key: 'out-argument',
    code: 'outs(f, @{ 1, 2 });',
    message: "argument for inout parameter 's' must be assignable",
  },
  { key: 'no-method', code: 's.@put(1);', message: "no method named 'put' in 'S'" },
  { key: 'no-method', code: 'tex.@Store(1);', message: "no method named 'Store' in 'Texture2D<float4>'" },
  {
    key: 'method-without-object',
    code: '@S::get();',
    message: "method 'get' needs an object because it is not static",
  },
  {
    key: 'intrinsic-shader-model',
    code: 'i = @dot4add_i8packed(u, u, i);',
    message: "'dot4add_i8packed' needs shader model 6.4 or later",
    options: { profile: 'cs_6_0' },
  },
  {
    key: 'intrinsic-refused',
    code: '@abort();',
    message: "'abort' is not supported yet: Vulkan has no equivalent",
  },
  {
    key: 'intrinsic-mismatch',
    code: '@sin(s);',
    message:
      "no matching function for call to 'sin': argument 1 of 'sin' cannot be a 'S'; it is 'T sin(T x) where T: floatlike'",
  },
  {
    key: 'intrinsic-stage',
    code: '@GroupMemoryBarrierWithGroupSync();',
    message: "'GroupMemoryBarrierWithGroupSync' is not available in a pixel shader",
    options: { profile: 'ps_6_0' },
  },
  {
    key: 'stage-input-needed',
    code: 'EvaluateAttributeCentroid(@f);',
    message:
      "'EvaluateAttributeCentroid' needs an input of the entry point here: a parameter of its own or a part of one",
    options: { profile: 'ps_6_1' },
  },
  {
    key: 'vertex-input',
    text: 'float4 main(float3 a : A) : SV_Target { return GetAttributeAtVertex(@a, 1).xyzz; }',
    code: '',
    message: "the input of 'GetAttributeAtVertex' must be declared 'nointerpolation'",
    options: { profile: 'ps_6_1' },
  },
  {
    key: 'offset-not-constant',
    code: 'tex.Load(int3(1, 2, 0), @i);',
    message: "the offset of 'Load' must be a constant",
  },
  {
    key: 'atomic-place',
    code: 'InterlockedAdd(@u, 1);',
    message: "'InterlockedAdd' needs a scalar in groupshared memory or in a writable buffer or texture",
  },
  {
    key: 'template-call',
    code: '@one<float>(1);',
    message: "template arguments for 'one' are not supported yet",
  },
  {
    key: 'template-argument-value',
    code: 'bab.Load<@4>(0);',
    message: "a template argument of 'Load' must be a type",
  },
  // ---- constructors, casts and initializers
  { key: 'element-count', code: 'float4(@f3);', message: '' },
  {
    key: 'element-count',
    code: 'float4(@f2, 1);',
    message: "too few elements in initialization of 'float4' (expected 4, have 3)",
  },
  {
    key: 'element-count',
    code: 's = { @1, 2, 3 };',
    message: "too many elements in initialization of 'S' (expected 2, have 3)",
  },
  {
    key: 'cannot-construct',
    code: '@S(1, 2);',
    message: "'S' has no constructor; use a cast or an initializer list",
  },
  {
    key: 'cannot-initialize',
    code: 's = { 1, @smp };',
    message: "cannot initialize 'int' with 'SamplerState' inside of 'S'",
  },
  {
    key: 'unsized-count',
    code: 'float2 un[] = @{ 1, 2, 3 };',
    message: "3 elements do not fill whole elements of 'float2[]', which takes 2 each",
  },
  { key: 'empty-constructor', code: '@float3();', message: "'float3' cannot be made of nothing" },
  { key: 'sizeof-type', code: '@sizeof(tex);', message: "'sizeof' cannot be applied to 'Texture2D<float4>'" },
  {
    key: 'value-too-large',
    code: 'float many[65533] = (float[65533])@0;',
    message: "'float[65533]' has too many parts to be given a value at once; set them in a loop",
  },
  {
    key: 'value-too-large',
    code: 'float4x4 many[40000] = (float4x4[40000])@0.5;',
    message: "'float4x4[40000]' has too many parts to be given a value at once; set them in a loop",
  },
  {
    key: 'initializer-too-large',
    code: 'Huge huge = @{ large };',
    message: "'Huge' has too many parts of different types for an initializer list",
  },
  // ---- constants
  { key: 'not-constant', code: 'float x[@i];', message: 'expression is not an integer constant' },
  {
    key: 'constant-not-integer',
    code: 'float x[@1.5];',
    message: "an integer constant is expected here, but this is 'float'",
  },
].filter((row) => row.message !== '') as Case[];

function body(code: string): string {
  return `${prelude}
[numthreads(1, 1, 1)] void main() {
  bool b = true; int i = 1; uint u = 2; float f = 3; double d = 4; min16int mi = 1; float2 f2 = 0; float3 f3 = 0; float4 f4 = 0; uint2 u2 = 0; bool3 b3 = false;
  float3x3 m33 = 0; float arr[4] = { 1, 2, 3, 4 }; S s = (S)0; E e = E0; const int kc = 6;
  ${code}
}`;
}

describe('messages', () => {
  it.each(cases)('$key: $code', ({ key, code, text, message, notes = [], options = {} }) => {
    const marked = text ? prelude + text : body(code);
    const offset = marked.indexOf('@');
    const result = checkText(marked.replace('@', ''), options);
    const [first] = result.diagnostics.filter((d) => d.key === key);
    expect(first, result.messages.join('\n')).toBeDefined();
    expect({ message: first!.message, offset: result.offsetOf(first!) }).toEqual({ message, offset });
    expect(first!.notes.map((note) => note.message)).toEqual(notes);
    // One mistake, one message.
    expect(result.messages.filter((line) => !line.includes(': note: '))).toHaveLength(1);
  });

  it('covers every row', () => {
    const tested = new Set<string>(cases.map((row) => row.key));
    const noteTexts = cases.flatMap((row) => row.notes ?? []);
    const pattern = (text: string) =>
      new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.*')}$`);
    const missing = Object.entries(expressionMessages())
      .filter(([key, row]) =>
        row.severity === 'note' ? !noteTexts.some((note) => pattern(row.text).test(note)) : !tested.has(key),
      )
      .map(([key]) => key);
    expect(missing).toEqual([]);
  });

  it('reports a mistake once, wherever its expression stands', () => {
    const result = checkText(
      body('f = one(nowhere + 1) * f3.x + f4[nowhere2].x; if (nowhere3 && b) { } s.a = (float3)nowhere4;'),
    );
    expect(result.messages.map((line) => line.replace(/^\d+:\d+: /, ''))).toEqual([
      "error: use of undeclared identifier 'nowhere' [OS3001]",
      "error: use of undeclared identifier 'nowhere2' [OS3001]",
      "error: use of undeclared identifier 'nowhere3' [OS3001]",
      "error: use of undeclared identifier 'nowhere4' [OS3001]",
    ]);
  });

  it('names line and column', () => {
    const text = '[numthreads(1, 1, 1)]\nvoid main() {\n  float3 a = 1;\n  float4 c =\n    a;\n}\n';
    expect(checkText(text).messages).toEqual([
      "5:5: error: cannot convert from 'float3' to 'float4' [OS3020]",
    ]);
  });

  it('says of a function of another stage only where it is reached', () => {
    const text = (main: string) =>
      `void wait() { GroupMemoryBarrierWithGroupSync(); } void main() { ${main} }`;
    expect(checkText(text('wait();'), { profile: 'ps_6_0' }).messages).toEqual([
      "1:15: error: 'GroupMemoryBarrierWithGroupSync' is not available in a pixel shader [OS3089]",
    ]);
    expect(checkText(text(''), { profile: 'ps_6_0' }).messages).toEqual([]);
  });
});
