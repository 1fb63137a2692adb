/** The shape of the AST: every kind of node, and the places where HLSL's grammar is easy to get wrong. */
import { describe, expect, test } from 'vitest';
import { dumpText, parseText } from '../support/syntax.ts';

/** Dumps statements of a function, without the function around them. */
function statements(text: string): string {
  const lines = dumpText(
    `struct S { int a; }; template<typename A> struct T { static A v; };\nvoid f() {\n${text}\n}`,
  ).split('\n');
  const body = lines.findIndex((line) => line.startsWith('  body: block'));
  return lines
    .slice(body + 1)
    .map((line) => line.slice(4))
    .join('\n')
    .trimEnd();
}

/** Dumps one expression. */
function expression(text: string): string {
  const lines = statements(`${text};`).split('\n');
  return lines
    .slice(1)
    .map((line) => line.slice(2))
    .join('\n')
    .replace(/^expression: /, '');
}

describe('expressions', () => {
  test.each([
    '1u',
    '1.5h',
    'true',
    '"a" "b"',
    'this',
    'x',
    '::n::x',
    'a.b',
    'a.B::b',
    'a.Load<int>(0)',
    'a[i]',
    'a[]',
    'f(1, {2, 3})',
    'f<int, 3>(x)',
    'float3(1, 2, 3)',
    'vector<float, 2>(a)',
    '(S)0',
    '(const float[2])x',
    '(unsigned int)x',
    '-a',
    '++a',
    'a++',
    'a + b * c - d',
    'a << b >> c',
    'a < b == c > d',
    'a || b && c | d ^ e & f',
    '(a + b) * c',
    'a = b += c',
    'a ? b : c ? d : e',
    'a, b, c',
    'sizeof(float4)',
    'sizeof x',
    'T<int>::v',
    'S::v',
    '(x)',
    '(x) - y',
    '(float) - y',
    'a < f(b) > c',
    'a * (b < c) > (d)',
    'v<int>',
  ])('%s', (text) => {
    // prettier-ignore
    expect(expression(text)).toMatchSnapshot();
  });
});

describe('statements', () => {
  test.each([
    '{ a; { } }',
    'if (a) b; else if (c) ; else { }',
    '[branch] if (float d = a) { }',
    '[unroll(4)] [loop] for (int i = 0, j = 1; i < 4; ++i, ++j) a;',
    'for (;;) { break; }',
    'for (i = 0; ; ) continue;',
    'while (a) discard;',
    'do a; while (b);',
    '[forcecase] switch (a) { case 1: case A::B: b; break; default: c; }',
    'return;',
    'return a;',
    'return { a, b };',
    'float a, b[2][3] = { 1, 2 }, c : TEXCOORD0;',
    'const S s = { 1 };',
    'S s; struct L { int b; } l; struct M { };',
    'enum E { A, B = 2, };',
    'typedef float T[2], U;',
    'using V = const float3;',
    'float g(float x, out int y);',
    '_Static_assert(1, "x" "y");',
    'Unknown u = 1;',
    'precise float p; static const int q = 1; float const r = 2;',
    '[[vk::ext]] float a;',
    'sample = 1; point.x = 2; sample float line;',
    'vector<vector<float, 1>, 2> v;',
    'if (a) if (b) c; else d;',
  ])('%s', (text) => {
    // prettier-ignore
    expect(statements(text)).toMatchSnapshot();
  });
});

describe('declarations', () => {
  test.each([
    ';',
    'float a : register(b0, space1), b : packoffset(c1.y) = 1, c <string n = "x"; float f = 1;>;',
    'Texture2D<unorm float4> t[2][] : register(t0);',
    'struct { float a; } s;',
    'struct B { }; struct S : B { float f : 3; uint : 4; static const int c = 1; float m() const; struct N { int x; } n; };',
    'interface I { float f(); }; class C : I { float f() { return 1; } };',
    'struct R { int a; } f() { R r; return r; }',
    '[numthreads(8, 8, 1)] [[vk::a, b::c(1)]] export void f([[vk::location(0)]] in const float4 a[2] : A = 1, inout triangle S b, float) : SV_Target0;',
    'float S::f() { } S T::x = 1;',
    'struct S { }; S operator+(S a, S b); bool operator()(int a); int operator[](int i); S operator>>(int a);',
    'cbuffer B : register(b0) { float a; struct S { int b; } s; }; tbuffer T { int c; }',
    'typedef struct { int a; } T; T t;',
    'enum class E : uint { A, B = A, }; enum F f;',
    'using namespace n; using n::x; using T = float2;',
    'namespace a::b { int c; } namespace { int d; }',
    'template<typename T, class U = int, int N = 3, typename> T f(T a) { return (T)a; }',
    'template<> struct S<float> { int a; }; template<> int f<int>(int a);',
    'template<typename T> struct M { static T a[2]; }; template<typename T> T M<T>::a[2] = { 1, 2 }; typename M<int>::T x;',
    'SamplerState s = sampler_state { Filter = MIN; }; SamplerState r { Filter = MAX; AddressU[0] = <x>; }; PixelShader p = compile ps_2_0 main();',
    'struct P { float a : read(caller, miss) : write(anyhit); };',
    'float f()[2];',
    'groupshared row_major float2x3 g;',
    'unsigned int a; unsigned b; const unsigned int c;',
    'uint a [[vk::x]] : A;',
    'struct S s; struct S f(struct S s);',
  ])('%s', (text) => {
    // prettier-ignore
    expect(dumpText(text)).toMatchSnapshot();
  });
});

describe('names of types', () => {
  test('a variable hides a type until its scope closes', () => {
    const text = `struct Light { int a; };
int f(Light Light) { return (Light) - 1; }
int g(Light l) { { float Light = 1; Light; } return (Light) - 1; }
struct H { Light Light; int b; };
Light last;`;
    const dumped = dumpText(text);
    expect(dumped.match(/value: binary '-'/g)).toHaveLength(1);
    expect(dumped.match(/value: cast/g)).toHaveLength(1);
  });
  test('members, functions and labels may be named as types', () => {
    parseTextCleanly(`struct Color { float r; };
struct V { float4 Color : COLOR; float2 matrix; };
float4 Color(float2 vector) { return vector.xyxy; }
float4 f(V v) { return v.Color + Color(v.matrix) * v.matrix.x; }`);
  });
  test('types of a namespace are known behind its name and after using', () => {
    parseTextCleanly(
      'namespace n { struct A { int x; }; } n::A a; using namespace n; A b; int f() { return ((n::A)a).x + ((A)b).x; }',
    );
  });
  test('template parameters end with their template', () => {
    parseTextCleanly('template<typename T> T f(T a) { return (T)a; } int T; int g() { return (T) - 1; }');
  });
});

function parseTextCleanly(text: string): void {
  expect(parseText(text).messages).toEqual([]);
}

test('places are those of the tokens', () => {
  expect(
    dumpText('#define TWO 1 + 1\n[numthreads(1,1,1)] void f() {\n  x = (a + TWO) * b;\n}', true),
  ).toMatchInlineSnapshot(`
    "function 'f' constMethod=false <2:21, 4:2>
      attributes[0]: name="numthreads" double=false <2:2, 2:19>
        args[0]: int-literal text="1" <2:13, 2:14>
        args[1]: int-literal text="1" <2:15, 2:16>
        args[2]: int-literal text="1" <2:17, 2:18>
      returnType: named-type 'void' <2:21, 2:25>
      body: block <2:30, 4:2>
        statements[0]: expression <3:3, 3:21>
          expression: assign '=' <3:3, 3:20>
            target: name 'x' <3:3, 3:4>
            value: binary '*' <3:7, 3:20>
              left: binary '+' <3:8, 3:15>
                left: binary '+' <3:8, 3:15>
                  left: name 'a' <3:8, 3:9>
                  right: int-literal text="1" <3:12, 3:15>
                right: int-literal text="1" <3:12, 3:15>
              right: name 'b' <3:19, 3:20>
    "
  `);
});

test('effect techniques are ignored with a warning', () => {
  expect(parseText('technique T { pass P { VertexShader = compile vs_2_0 main(); } }').messages).toEqual([
    "1:1: 'technique' belongs to the effect framework and is ignored",
  ]);
});
