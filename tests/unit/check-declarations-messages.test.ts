/** Every message about declarations, statements, entry points and bindings: where it points and what it says. `@` marks the place. */
import { describe, expect, it } from 'vitest';
import type { Options } from '../../src/options.ts';
import { bindingMessages } from '../../src/source/messages/bindings.ts';
import { declarationMessages } from '../../src/source/messages/declarations.ts';
import { checkText } from '../support/check-text.ts';

type Key = keyof ReturnType<typeof declarationMessages> | keyof ReturnType<typeof bindingMessages>;

interface Case {
  key: Key;
  /** Declarations; an empty compute entry follows. */
  text: string;
  message: string;
  notes?: string[];
  options?: Partial<Options>;
}

/** The same with statements of a function in between. */
interface StatementCase extends Omit<Case, 'text'> {
  code: string;
}

/** The same for a whole text with an entry of its own. */
interface StageCase extends Case {
  profile: string;
}

const declarations: Case[] = [
  // ---- names and types
  {
    key: 'redefinition',
    text: 'struct S { int a; }; struct @S { int b; };',
    message: "redefinition of 'S'",
    notes: ["'S' was declared here first"],
  },
  {
    key: 'redefinition',
    text: 'struct S { int a; float @a; };',
    message: "redefinition of 'a'",
    notes: ["'a' was declared here first"],
  },
  {
    key: 'redefinition',
    text: 'void f(int a) { } void @f(int b) { }',
    message: "redefinition of 'f'",
    notes: ["'f' was declared here first"],
  },
  { key: 'redefinition', text: 'enum E { A, @A };', message: "redefinition of 'A'" },
  {
    key: 'redefinition',
    text: 'cbuffer C { float x; int @x; };',
    message: "redefinition of 'x'",
    notes: ["'x' was declared here first"],
  },
  {
    key: 'redefinition-kind',
    text: 'static int f; void @f() { }',
    message: "redefinition of 'f' as a different kind of symbol",
    notes: ["'f' was declared here first"],
  },
  { key: 'unknown-type', text: 'static @vec3 v;', message: "unknown type name 'vec3'" },
  {
    key: 'type-unsupported',
    text: '@FeedbackTexture2D<0> t;',
    message: "the type 'FeedbackTexture2D' is not supported yet",
  },
  {
    key: 'type-needs-16-bit',
    text: 'static @float16_t3 v;',
    message: "'float16_t3' is only available with -enable-16bit-types",
  },
  {
    key: 'type-needs-argument',
    text: '@StructuredBuffer b;',
    message: "'StructuredBuffer' needs an element type between '<' and '>'",
  },
  {
    key: 'type-takes-no-arguments',
    text: '@ByteAddressBuffer<int> b;',
    message: "'ByteAddressBuffer' takes no template arguments",
  },
  {
    key: 'type-argument-scalar',
    text: 'static vector<@float2, 3> v;',
    message: "'float2' cannot be used as the element type of 'vector'; a scalar is required",
  },
  {
    key: 'type-argument-size',
    text: 'static vector<float, @5> v;',
    message: "the size in 'vector' must be a constant from 1 to 4",
  },
  {
    key: 'type-argument-struct',
    text: 'ConstantBuffer<@float4> c;',
    message: "'float4' cannot be used in 'ConstantBuffer'; a struct or class is required",
  },
  {
    key: 'type-argument-texel',
    text: 'Texture2D<@float4x4> t;',
    message:
      "'float4x4' cannot be the element type of 'Texture2D'; it must be a scalar or a vector that fits in four 32-bit quantities",
  },
  {
    key: 'type-argument-texel',
    text: 'Buffer<@double4> t;',
    message:
      "'double4' cannot be the element type of 'Buffer'; it must be a scalar or a vector that fits in four 32-bit quantities",
  },
  {
    key: 'type-argument-object',
    text: 'struct S { Texture2D t; }; StructuredBuffer<@S> b;',
    message: "'S' cannot be the element type of 'StructuredBuffer', because it holds resources",
  },
  {
    key: 'legacy-sampler',
    text: '@sampler2D s;',
    message:
      "'sampler2D' is a sampler type of DirectX 9 and has no methods here; use 'SamplerState' with a texture object",
  },
  {
    key: 'effect-object-ignored',
    text: '@texture t;',
    message: "effect object of type 'texture' ignored, since effect syntax is deprecated",
  },
  {
    key: 'array-size',
    text: 'static int a[@0];',
    message: 'the size of an array must be a constant integer from 1 to 2147483647',
  },
  {
    key: 'array-size',
    text: 'Texture2D a[@4294967295];',
    message: 'the size of an array must be a constant integer from 1 to 2147483647',
  },
  {
    key: 'array-unsized',
    text: 'struct S { int @a[]; };',
    message: "the array 'a' needs an explicit size here",
  },
  ...[
    ['struct S { @groupshared int k; };', 'groupshared', 'member', 'k'],
    ['struct S { @const int k; static const int n = 1; };', 'const', 'member', 'k'],
    ['static @nointerpolation float f;', 'nointerpolation', 'global variable', 'f'],
    ['cbuffer C { @in float f; }', 'in', 'global variable', 'f'],
    ['@volatile static float f;', 'volatile', 'global variable', 'f'],
    ['void g(@extern int p) { }', 'extern', 'parameter', 'p'],
    ['@uniform float g() { return 1; }', 'uniform', 'function', 'g'],
    ['struct S { @export float g() { return 1; } };', 'export', 'method', 'g'],
    ['typedef @static float F;', 'static', 'type definition', 'F'],
  ].map(([text, modifier, what, name]) => ({
    key: 'modifier-misplaced' as const,
    text: text!,
    message: `'${modifier}' is not allowed on the ${what} '${name}'`,
  })),
  {
    key: 'parameter-void',
    text: 'void g(@void k[2]) { }',
    message: "a parameter cannot have the type 'void'",
  },
  { key: 'array-unsized', text: 'static int @a[];', message: "the array 'a' needs an explicit size here" },
  {
    key: 'array-unsized',
    text: 'void f(int @a[]) { }',
    message: "the array 'a' needs an explicit size here",
  },
  {
    key: 'array-unsized-inner',
    text: 'Texture2D t[2]@[];',
    message: 'only the first dimension of an array may be left without a size',
  },
  {
    key: 'matrix-order-type',
    text: 'static @row_major float4 v;',
    message: "'row_major' can only be used with a matrix type, not with 'float4'",
  },
  {
    key: 'matrix-order-conflict',
    text: 'static row_major @column_major float4x4 m;',
    message: "'row_major' and 'column_major' cannot be used together",
  },
  {
    key: 'norm-type',
    text: 'Buffer<@unorm int4> b;',
    message: "'unorm' can only be used with floating-point types, not with 'int4'",
  },
  {
    key: 'incomplete-type',
    text: 'struct S { S @s; };',
    message: "'s' has the incomplete type 'S'",
  },
  { key: 'incomplete-type', text: 'struct S; static S @s;', message: "'s' has the incomplete type 'S'" },
  { key: 'variable-void', text: 'static void @v;', message: "'v' cannot have the type 'void'" },
  {
    key: 'template-unsupported',
    text: 'template<typename T> struct @V { T x; }; static V<int> v;',
    message: "'V' is a template, and templates are not supported yet",
  },
  {
    key: 'interface-unsupported',
    text: 'interface @I { float f(); }; static I i;',
    message: "'I' is an interface, and interfaces are not supported yet",
  },
  {
    key: 'bit-field-unsupported',
    text: 'struct S { uint a @: 3; };',
    message: "the bit-field 'a' is not supported yet",
  },
  {
    key: 'base-struct',
    text: 'struct S : @float4 { };',
    message: "the base 'float4' is not a struct or class",
  },
  {
    key: 'base-multiple',
    text: 'struct A { int a; }; struct B { int b; }; struct S : A, @B { };',
    message: "'S' has more than one base that is not an interface",
  },
  {
    key: 'member-initializer',
    text: 'struct S { int a = @1; };',
    message: "the member 'a' cannot have an initializer, because it is not static",
  },
  {
    key: 'member-misplaced',
    text: 'struct S { @cbuffer C { int a; } };',
    message: 'a cbuffer cannot be declared inside a struct',
  },
  {
    key: 'enum-base',
    text: 'enum E : @float { A };',
    message: "'float' cannot be the underlying type of an enumeration; an integer type is required",
  },
  { key: 'namespace-unknown', text: 'using namespace @n;', message: "'n' is not a namespace" },
  {
    key: 'using-unknown',
    text: 'namespace n { } using n::@x;',
    message: "'x' names nothing that 'using' could bring in",
  },
  {
    key: 'static-assert',
    text: '@_Static_assert(1 == 2, "numbers");',
    message: 'static assertion failed: numbers',
  },
  {
    key: 'qualifier-unknown',
    text: 'void @N::f() { }',
    message: "'N' is not a struct, class or namespace",
  },
  {
    key: 'not-a-member',
    text: 'struct S { int a; }; void S::@f() { }',
    message: "'S' has no member 'f' that this could define",
  },
  {
    key: 'not-a-member',
    text: 'struct S { int a; }; int S::@b = 1;',
    message: "'S' has no member 'b' that this could define",
  },
  // ---- globals
  {
    key: 'mixed-global-struct',
    text: 'struct S { Texture2D t; float f; }; S @s;',
    message: "the global 's' holds resources beside other data in one struct, which is not supported",
  },
  {
    key: 'initializer-ignored',
    text: 'float f = @1;',
    message: "the initializer of 'f' is ignored, because the variable is set from outside the shader",
  },
  {
    key: 'initializer-ignored',
    text: 'cbuffer C { float f = @1; };',
    message: "the initializer of 'f' is ignored, because the variable is set from outside the shader",
  },
  {
    key: 'spec-constant-type',
    text: '[[vk::constant_id(0)]] const float2 @c = 1;',
    message: "the specialization constant 'c' must be a scalar bool, integer or float",
  },
  {
    key: 'spec-constant-value',
    text: '[[vk::constant_id(0)]] const int @c;',
    message: "the specialization constant 'c' needs a constant initializer, its default value",
  },
  {
    key: 'spec-constant-static',
    text: '[[vk::constant_id(0)]] static const int @c = 1;',
    message: "the specialization constant 'c' cannot be static",
  },
  {
    key: 'push-constant-type',
    text: '[[vk::push_constant]] float4 @p;',
    message: "the push constant 'p' must be a struct or a ConstantBuffer of one",
  },
  {
    key: 'push-constant-twice',
    text: 'struct S { int a; }; [[vk::push_constant]] S p; [[vk::push_constant]] S @q;',
    message: 'only one push constant block is allowed',
    notes: ["'p' was declared here first"],
  },
  {
    key: 'groupshared-type',
    text: 'groupshared Texture2D @t;',
    message: "the groupshared variable 't' cannot hold resources",
  },
  {
    key: 'groupshared-initializer',
    text: 'groupshared int a = @1;',
    message: "the initializer of the groupshared variable 'a' is ignored",
  },
  {
    key: 'packoffset-misplaced',
    text: 'float4 f @: packoffset(c0);',
    message: "'packoffset' is only allowed on members of a cbuffer or tbuffer",
  },
  {
    key: 'packoffset-bad',
    text: 'cbuffer C { float4 f @: packoffset(x0); };',
    message: "'packoffset(x0)' is not of the form 'packoffset(c0)' or 'packoffset(c0.x)'",
  },
  {
    key: 'packoffset-mix',
    text: 'cbuffer C { float4 f : packoffset(c0); float4 @g; };',
    message: "'g' has no packoffset although other members of its buffer have one",
  },
  { key: 'register-bad', text: 'Texture2D t : register(@q0);', message: "'q0' is not a register or space" },
  {
    key: 'register-class',
    text: 'Texture2D t : register(@u0);',
    message: "'t' cannot be bound to register 'u0'; 't' or 's' is expected",
  },
  {
    key: 'register-class',
    text: 'cbuffer C : register(@t0) { int a; }',
    message: "'C' cannot be bound to register 't0'; 'b' is expected",
  },
  {
    key: 'buffer-member-misplaced',
    text: 'cbuffer C { @cbuffer D { int a; } };',
    message: 'a cbuffer cannot be declared inside a cbuffer',
  },
  {
    key: 'builtin-input-static',
    text: '[[vk::ext_builtin_input(24)]] uint3 @g;',
    message:
      "'g' has [[vk::ext_builtin_input]] and must be a static const scalar or vector without an initializer",
  },
  {
    key: 'image-format-bad',
    text: '[[@vk::image_format("rgb3")]] RWTexture2D<float4> t;',
    message: "'rgb3' is not the name of an image format",
  },
  {
    key: 'image-format-type',
    text: '[[vk::image_format("rgba8ui")]] RWTexture2D<float4> @t;',
    message: "the image format 'rgba8ui' does not fit the element type 'float4'",
  },
  {
    key: 'texture-16-bit',
    text: 'Buffer<half4> @b;',
    options: { enable16BitTypes: true },
    message: "the element type of 'b' cannot be a floating-point type smaller than 32 bits in Vulkan",
  },
  {
    key: 'string-initializer',
    text: 'string @s;',
    message: "the string 's' must be initialized with a string literal",
  },
  {
    key: 'globals-binding-attribute',
    text: '[[@vk::binding(1)]] float4 f;',
    message: "'f' lies in the '$Globals' buffer and cannot have [[vk::binding]]",
  },
  {
    key: 'offset-overlap',
    text: 'cbuffer C { float4 a : packoffset(c0); float4 @b : packoffset(c0.y); };',
    message: "'b' begins at byte 4, where 'a' lies already",
  },
  {
    key: 'subpass-static',
    text: '[[vk::input_attachment_index(0)]] static SubpassInput @s;',
    message: "the subpass input 's' cannot be static",
  },
  {
    key: 'resource-struct-size',
    text: 'struct S { Texture2D t; }; S @s[5000];',
    message: "the global 's' is an array of structs of resources, which becomes more than 4096 variables",
  },
  {
    key: 'type-nesting',
    text: `struct S0 { int a; }; ${Array.from({ length: 250 }, (_, i) => `struct ${i === 249 ? '@' : ''}S${i + 1} { S${i} s; };`).join(' ')}`,
    message: 'types are nested more than 250 levels deep',
  },
  {
    key: 'type-nesting',
    text: `static float a@${'[1]'.repeat(3000)};`,
    message: 'types are nested more than 250 levels deep',
  },
  {
    key: 'type-members',
    text: `struct S0 { int a, b; }; ${Array.from({ length: 13 }, (_, i) => `struct ${i === 12 ? '@' : ''}S${i + 1} { S${i} a, b; };`).join(' ')}`,
    message: 'the struct or buffer has more than 16383 members, those of its members included',
  },
  {
    key: 'type-members',
    text: `cbuffer @C { float ${Array.from({ length: 16384 }, (_, i) => `a${i}`)}; }`,
    message: 'the struct or buffer has more than 16383 members, those of its members included',
  },
  {
    key: 'type-members',
    text: `float @${Array.from({ length: 16384 }, (_, i) => `a${i}`)};`,
    message: 'the struct or buffer has more than 16383 members, those of its members included',
  },
  // ---- attributes
  {
    key: 'unknown-attribute',
    text: '[@nonsense] void f() { }',
    message: "unknown attribute 'nonsense' ignored",
  },
  {
    key: 'attribute-unsupported',
    text: '[[@vk::ext_storage_class(5)]] float f;',
    message: "the attribute 'vk::ext_storage_class' is not supported yet",
  },
  {
    key: 'attribute-arguments',
    text: '[[@vk::binding]] Texture2D t;',
    message: "the attribute 'vk::binding' takes 1 to 2 constant integers from 0 to 4294967295",
  },
  {
    key: 'attribute-conflict',
    text: 'struct S { int a; }; [[vk::push_constant, @vk::binding(1)]] S p;',
    message: "the attributes 'vk::push_constant' and 'vk::binding' cannot be used together",
  },
  // ---- functions
  {
    key: 'return-type-differs',
    text: 'float f(int a); int @f(int a) { return a; }',
    message: "the functions named 'f' differ only in their return type",
    notes: ["'f' was declared here first"],
  },
  {
    key: 'default-missing',
    text: 'void f(int a = 1, int @b) { }',
    message: "the parameter 'b' needs a default argument, because one before it has one",
  },
  {
    key: 'default-out',
    text: 'void f(out int a = @1) { a = 1; }',
    message: "the out parameter 'a' cannot have a default argument",
  },
  {
    key: 'default-twice',
    text: 'void f(int a = 1); void f(int a = @2) { }',
    message: "the default argument of 'a' is given a second time",
  },
  {
    key: 'parameter-void',
    text: 'void f(int a, @void) { }',
    message: "a parameter cannot have the type 'void'",
  },
  {
    key: 'missing-return',
    text: 'float @f(bool b) { if (b) return 1; }',
    message: "'f' can reach its end without returning a value",
  },
  {
    key: 'return-missing-value',
    text: 'float f() { @return; }',
    message: "'f' must return a value",
  },
  {
    key: 'return-void-value',
    text: 'void f() { return @1; }',
    message: "'f' returns void and cannot return a value",
  },
];

const statements: StatementCase[] = [
  {
    key: 'effect-object-used',
    code: 'Texture @t;',
    message:
      "an object of the effect framework is used here, but such objects are ignored; use a resource type such as 'Texture2D'",
    options: { disabledWarnings: ['effects-syntax'] },
  },
  { key: 'break-misplaced', code: '@break;', message: "'break' is only allowed inside a loop or switch" },
  {
    key: 'continue-misplaced',
    code: 'switch (i) { case 0: @continue; }',
    message: "'continue' is only allowed inside a loop",
  },
  {
    key: 'case-misplaced',
    code: 'switch (i) { case 0: if (i > 0) { @case 1: break; } }',
    message: "'case' is only allowed in the braces of a switch, and not in a statement in them",
  },
  {
    key: 'case-duplicate',
    code: 'switch (i) { case 1: break; @case 1: break; }',
    message: "the label 'case 1' occurs a second time in this switch",
    notes: ["the first 'case 1' is here"],
  },
  {
    key: 'case-count',
    code: `switch (i) { ${Array.from({ length: 16383 }, (_, i) => `case ${i}:`).join('')} @default: break; }`,
    message: 'a switch has more than 16383 labels',
  },
  {
    key: 'switch-type',
    code: 'switch (@i2) { case 0: break; }',
    message: "a switch needs a scalar, not 'int2'",
  },
  {
    key: 'switch-no-label',
    code: 'switch (i) { @i = 1; case 0: break; }',
    message: 'this statement stands before the first label of the switch',
  },
  {
    key: 'for-redefinition',
    code: 'for (int k = 0; k < 2; k++) { } for (int @k = 0; k < 2; k++) { }',
    options: { languageVersion: 2018 },
    message:
      "redefinition of 'k' shadows the declaration in the outer scope, where variables of 'for' are visible before HLSL 2021; the most recent one is used",
  },
  {
    key: 'modifier-misplaced',
    code: '@groupshared int k;',
    message: "'groupshared' is not allowed on the local variable 'k'",
  },
  {
    key: 'condition-declaration',
    code: 'if (@int k) { }',
    message: 'a condition can declare only one variable, and it needs an initializer',
  },
  { key: 'discard-stage', code: '@discard;', message: "'discard' is only allowed in pixel shaders" },
  {
    key: 'attribute-misplaced',
    code: '[@unroll] if (i > 1) i = 2;',
    message: "the attribute 'unroll' can only be applied to loops; it is ignored",
  },
  {
    key: 'attribute-conflict',
    code: '[unroll] [@loop] while (i > 1) i = 2;',
    message: "the attributes 'unroll' and 'loop' cannot be used together",
  },
  {
    key: 'attribute-arguments',
    code: '[@unroll(-1)] while (i > 1) i = 2;',
    message: "the attribute 'unroll' takes at most one constant integer that is not negative",
  },
  {
    key: 'redefinition',
    code: 'int k; float @k;',
    message: "redefinition of 'k'",
    notes: ["'k' was declared here first"],
  },
];

const stages: StageCase[] = [
  {
    key: 'effect-object-used',
    profile: 'ps_6_0',
    text: 'Texture t; SamplerState s;\nfloat4 main() : SV_Target { return @t.Sample(s, float2(0, 0)); }',
    message:
      "an object of the effect framework is used here, but such objects are ignored; use a resource type such as 'Texture2D'",
    options: { disabledWarnings: ['effects-syntax'] },
  },
  {
    key: 'function-undefined',
    profile: 'cs_6_0',
    text: 'float f(); [numthreads(1, 1, 1)] void main() { @f(); }',
    message: "the function 'f' is called but never defined",
  },
  {
    key: 'groupshared-stage',
    profile: 'vs_6_0',
    text: 'groupshared float @g; groupshared float unused; void main() { g = 1; }',
    message: "'g' is groupshared, and this stage has no thread groups",
  },
  {
    key: 'subpass-stage',
    profile: 'vs_6_0',
    text: '[[vk::input_attachment_index(0)]] SubpassInput @s; void use(SubpassInput i) { } void main() { use(s); }',
    message: "the subpass input 's' can only be used in a pixel shader",
  },
  {
    key: 'combined-missing',
    profile: 'ps_6_0',
    text: '[[vk::combinedImageSampler]] [[vk::binding(3, 1)]] Texture2D @t; float4 main() : SV_Target { return t.Load(0); }',
    message: "'t' has [[vk::combinedImageSampler]], but no sampler with it is bound to set 1, binding 3",
  },
  {
    key: 'counter-array',
    profile: 'ps_6_0',
    text: 'RWStructuredBuffer<int> @b[2][3]; void main() { b[0][1].IncrementCounter(); }',
    message: "'b' is an array of arrays of buffers with a counter, which Vulkan does not have",
  },
  {
    key: 'entry-ambiguous',
    profile: 'cs_6_0',
    text: '[numthreads(1, 1, 1)] void main() { } [numthreads(1, 1, 1)] void @main(uint i : SV_GroupIndex) { }',
    message: "there is more than one function named 'main' that could be the entry",
    notes: ['another one is here'],
  },
  {
    key: 'numthreads-missing',
    profile: 'cs_6_0',
    text: 'void @main() { }',
    message: "the compute entry 'main' needs the attribute [numthreads(x, y, z)]",
  },
  {
    key: 'numthreads-bad',
    profile: 'cs_6_0',
    text: '[@numthreads(1, 1, 65)] void main() { }',
    message: "'numthreads' takes three constants from 1 to 1024, 1024 and 64",
  },
  {
    key: 'numthreads-many',
    profile: 'cs_6_0',
    text: '[@numthreads(64, 64, 1)] void main() { }',
    message: 'a thread group of 64 * 64 * 1 is over the limit of 1024 threads',
  },
  {
    key: 'entry-stage-attribute',
    profile: 'ps_6_0',
    text: '[@shader("vertex")] void main() { }',
    message: "the entry 'main' is marked as a vertex shader, but the profile is 'ps_6_0'",
  },
  {
    key: 'wave-size-ignored',
    profile: 'cs_6_6',
    text: '[@wavesize(32)] [numthreads(32, 1, 1)] void main() { }',
    message: "the attribute 'wavesize' is ignored: the size is asked for when the pipeline is made",
  },
  {
    key: 'entry-resource',
    profile: 'ps_6_0',
    text: 'void main(Texture2D @t) { }',
    message: "the entry's parameter 't' cannot be of type 'Texture2D<float4>'",
  },
  {
    key: 'entry-compute-output',
    profile: 'cs_6_0',
    text: '[numthreads(1, 1, 1)] void main(out int @a : A) { a = 1; }',
    message: "a compute entry has no outputs, but 'a' is one",
  },
  {
    key: 'semantic-missing',
    profile: 'ps_6_0',
    text: 'void main(float4 @a) { }',
    message: "the shader input 'a' has no semantic",
  },
  {
    key: 'semantic-missing',
    profile: 'vs_6_0',
    text: 'struct O { float4 p : SV_Position; float2 @uv; }; O main() { return (O)0; }',
    message: "the shader output 'uv' has no semantic",
  },
  {
    key: 'semantic-duplicate',
    profile: 'ps_6_0',
    text: 'void main(float4 a : A, float4 @b : A) { }',
    message: "the input semantic 'A' is used more than once",
  },
  {
    key: 'semantic-misplaced',
    profile: 'vs_6_0',
    text: 'void main(float4 @a : SV_Target) { }',
    message: "the semantic 'SV_Target' is not allowed for vertex shader inputs",
  },
  {
    key: 'semantic-misplaced',
    profile: 'ps_6_0',
    text: 'float4 @main() : COLOR { return 0; }',
    message: "the semantic 'COLOR' is not allowed for pixel shader outputs",
  },
  {
    key: 'semantic-unknown',
    profile: 'vs_6_0',
    text: 'void main(float4 @a : SV_Nothing) { }',
    message: "'SV_Nothing' is not a system value",
  },
  {
    key: 'semantic-shader-model',
    profile: 'ps_6_0',
    text: 'void main(uint @a : SV_ViewID) { }',
    message: "the semantic 'SV_ViewID' needs shader model 6.1",
  },
  {
    key: 'semantic-type',
    profile: 'vs_6_0',
    text: 'float3 @main() : SV_Position { return 0; }',
    message: "'SV_Position' must be a float4 of 32-bit floats, not 'float3'",
  },
  {
    key: 'semantic-type',
    profile: 'cs_6_0',
    text: '[numthreads(1, 1, 1)] void main(float3 @a : SV_GroupID) { }',
    message: "'SV_GroupID' must be a vector of at most three int or uint, not 'float3'",
  },
  {
    key: 'semantic-overridden',
    profile: 'ps_6_0',
    text: 'struct I { float4 @a : A; }; void main(I i : B) { }',
    message: "the semantic 'A' is overridden by the enclosing 'B'",
  },
  {
    key: 'semantic-unsupported',
    profile: 'ps_6_0',
    text: 'void main(bool @a : SV_CullPrimitive) { }',
    message: "the semantic 'SV_CullPrimitive' is not supported yet",
  },
  {
    key: 'semantic-position-hint',
    profile: 'vs_6_0',
    text: 'float4 main() @: POSITION { return 0; }',
    message: "'POSITION' is a user-defined semantic; did you mean 'SV_Position'?",
  },
  {
    key: 'interpolation-integer',
    profile: 'ps_6_0',
    text: 'void main(centroid int @a : A) { }',
    message: "'a' has integers, for which only 'nointerpolation' is allowed",
  },
  {
    key: 'interpolation-conflict',
    profile: 'ps_6_0',
    text: 'void main(nointerpolation centroid float @a : A) { }',
    message: "'nointerpolation' cannot be used with another interpolation mode",
  },
  {
    key: 'location-partial',
    profile: 'ps_6_0',
    text: 'void main([[vk::location(2)]] float @a : A, float b : B) { }',
    message: "'A' has [[vk::location]], but other inputs of the stage have not; give all of them one or none",
  },
  {
    key: 'location-duplicate',
    profile: 'ps_6_0',
    text: 'void main([[vk::location(2)]] float2x2 a : A, [[vk::location(3)]] float @b : B) { }',
    message: "location 3 of 'B' is already taken by another input",
  },
  {
    key: 'index-misplaced',
    profile: 'ps_6_0',
    text: 'void main([[vk::location(1), @vk::index(1)]] out float4 a : SV_Target) { a = 0; }',
    message: '[[vk::index]] is 0 or 1 and only for pixel shader outputs at [[vk::location(0)]]',
  },
  {
    key: 'builtin-unknown',
    profile: 'ps_6_0',
    text: 'void main([[@vk::builtin("Nothing")]] float a : A) { }',
    message: "'Nothing' is not the name of a SPIR-V builtin for [[vk::builtin]]",
  },
  {
    key: 'builtin-misplaced',
    profile: 'vs_6_0',
    text: 'void main([[@vk::builtin("HelperInvocation")]] bool a : A) { }',
    message: "the builtin 'HelperInvocation' is not allowed for vertex shader inputs",
  },
  {
    key: 'builtin-type',
    profile: 'ps_6_0',
    text: 'void main([[@vk::builtin("HelperInvocation")]] float a : A) { }',
    message: "the builtin 'HelperInvocation' must be a bool, not 'float'",
  },
  {
    key: 'builtin-location',
    profile: 'ps_6_0',
    text: 'void main([[@vk::builtin("HelperInvocation"), vk::location(1)]] bool a : A) { }',
    message: '[[vk::builtin]] and [[vk::location]] cannot be used together',
  },
  {
    key: 'builtin-no-value',
    profile: 'ps_6_0',
    text: 'struct I { [[@vk::builtin("PointSize")]] float s : PSIZE; float2 uv : UV; }; void main(I i) { }',
    message: "the builtin 'PointSize' has no value in a pixel shader in Vulkan",
  },
  {
    key: 'barycentrics-mode',
    profile: 'ps_6_1',
    text: 'void main(nointerpolation float3 @a : SV_Barycentrics) { }',
    message: "'a' with SV_Barycentrics cannot be 'nointerpolation'",
  },
  {
    key: 'attribute-conflict',
    profile: 'ps_6_0',
    text: '[[vk::stencil_ref_unchanged_front]] [[@vk::stencil_ref_less_equal_front]] void main() { }',
    message:
      "the attributes 'vk::stencil_ref_unchanged_front' and 'vk::stencil_ref_less_equal_front' cannot be used together",
  },
  {
    key: 'interface-size',
    profile: 'ps_6_0',
    text: 'struct S { float f : F; }; void main(S @s[1000000]) { }',
    message: "the array 's' is too long for an input or output of a stage; 256 elements are the limit",
  },
  // ---- bindings
  {
    key: 'binding-range',
    profile: 'cs_6_0',
    options: { bindingShifts: [{ registerClass: 'u', shift: 9, space: 0 }] },
    text: 'RWBuffer<int> @u : register(u4294967290); [numthreads(1, 1, 1)] void main() { u[0] = 1; }',
    message: "'u' gets the binding 4294967299, but numbers end at 4294967295",
  },
  {
    key: 'register-bad',
    profile: 'cs_6_0',
    text: 'RWBuffer<int> u : register(u1, @space4294967296); [numthreads(1, 1, 1)] void main() { u[0] = 1; }',
    message: "'space4294967296' is not a register or space",
  },
  {
    key: 'attribute-arguments',
    profile: 'cs_6_0',
    text: '[[@vk::binding(4294967296)]] RWBuffer<int> u; [numthreads(1, 1, 1)] void main() { u[0] = 1; }',
    message: "the attribute 'vk::binding' takes 1 to 2 constant integers from 0 to 4294967295",
  },
  {
    key: 'bind-register-missing',
    profile: 'ps_6_0',
    text: 'Texture2D @t : register(t1); void main() { }',
    options: { registerBindings: [{ register: 't0', space: 0, binding: 1, set: 0 }] },
    message: "-fvk-bind-register says nothing of 't' at register 't1', space 0",
  },
  {
    key: 'bind-register-counter',
    profile: 'ps_6_0',
    text: 'AppendStructuredBuffer<int> @a : register(u0); void main() { }',
    options: { registerBindings: [{ register: 'u0', space: 0, binding: 1, set: 0 }] },
    message: "-fvk-bind-register cannot place the counter of 'a'",
  },
  {
    key: 'bind-register-globals',
    profile: 'ps_6_0',
    text: 'float @f; void main() { }',
    options: { registerBindings: [{ register: 't0', space: 0, binding: 1, set: 0 }] },
    message: '-fvk-bind-register needs -fvk-bind-globals for the variables outside of buffers',
  },
  {
    key: 'bind-register-unannotated',
    profile: 'ps_6_0',
    text: 'Texture2D @t; void main() { }',
    options: { registerBindings: [{ register: 't0', space: 0, binding: 1, set: 0 }] },
    message: "-fvk-bind-register needs a register on 't'",
  },
  {
    key: 'bind-register-heap',
    profile: 'ps_6_6',
    text: 'void main() { Texture2D t = @ResourceDescriptorHeap[0]; }',
    options: { registerBindings: [{ register: 't0', space: 0, binding: 1, set: 0 }] },
    message: '-fvk-bind-register needs -fvk-bind-resource-heap for the descriptor heap that is used here',
  },
  {
    key: 'offset-alignment',
    profile: 'ps_6_0',
    text: 'struct Inner { float r; }; struct S { float2 a; [[vk::offset(8)]] Inner @b; }; ConstantBuffer<S> c; RWStructuredBuffer<S> d; float main() : SV_Target { return c.b.r + d[0].b.r; }',
    message: "the offset 8 of 'b' is not a multiple of 16, as its type needs it here",
  },
  {
    key: 'profile-unsupported',
    profile: 'gs_6_0',
    text: 'struct S { int a; }; void @main() { }',
    message: "the geometry stage of profile 'gs_6_0' is not supported yet",
  },
];

/** Messages about options: they stand at the entry, or at the start of the file when there is none. */
const aboutOptions: { key: Key; options: Partial<Options>; message: string }[] = [
  {
    key: 'no-entry',
    options: { entry: 'nowhere' },
    message: "the entry point 'nowhere' is not defined: there is no function of this name",
  },
  { key: 'profile-missing', options: { profile: '' }, message: 'no profile is given (-T)' },
  {
    key: 'profile-bad',
    options: { profile: 'qs_6_0' },
    message: "'qs_6_0' is not a profile such as 'ps_6_0'",
  },
  {
    key: 'profile-promoted',
    options: { profile: 'cs_5_1' },
    message: "the profile 'cs_5_1' is compiled as 'cs_6_0'",
  },
];

const entry = '\n[numthreads(1, 1, 1)] void main() { }';
const inFunction = (code: string) =>
  `[numthreads(1, 1, 1)] void main() {\n  int i = 1; int2 i2 = 1;\n  ${code}\n}`;

const cases: StageCase[] = [
  ...declarations.map((row) => ({ ...row, profile: 'cs_6_0', text: row.text + entry })),
  ...statements.map(({ code, ...row }) => ({ ...row, profile: 'cs_6_0', text: inFunction(code) })),
  ...stages,
];

describe('messages', () => {
  it.each(cases)('$key: $text', ({ key, profile, text, message, notes = [], options = {} }) => {
    const offset = text.indexOf('@');
    const result = checkText(text.replace('@', ''), { profile, ...options });
    const [first] = result.diagnostics.filter((d) => d.key === key);
    expect(first, result.messages.join('\n')).toBeDefined();
    expect({ message: first!.message, offset: result.offsetOf(first!) }).toEqual({ message, offset });
    expect(first!.notes.map((note) => note.message)).toEqual(notes);
    // One mistake, one message.
    expect(result.messages.filter((line) => !line.includes(': note: '))).toHaveLength(1);
  });

  it.each(aboutOptions)('$key', ({ key, options, message }) => {
    const result = checkText(entry, { profile: 'cs_6_0', ...options });
    const at = key === 'no-entry' ? 1 : 1 + entry.indexOf('main');
    expect(result.diagnostics.map((d) => [d.key, d.message, d.at])).toEqual([[key, message, at]]);
  });

  it('covers every row', () => {
    const tested = new Set<string>([...cases, ...aboutOptions].map((row) => row.key));
    const rows = { ...declarationMessages(), ...bindingMessages() };
    const missing = Object.entries(rows).filter(([key, row]) => row.severity !== 'note' && !tested.has(key));
    expect(missing.map(([key]) => key)).toEqual([]);
  });
});
