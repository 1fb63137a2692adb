import { describe, expect, test } from 'vitest';
import { print } from '../../src/ir/print.ts';
import { bodyOf, irOf, lowerText, stepsOf } from '../support/lowering.ts';

/** A compute shader with the statements as its body, and a buffer to write to. */
const compute = (body: string, before = ''): string =>
  `RWStructuredBuffer<float4> o : register(u0);\n${before}\n[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {\n${body}\n}\n`;
const cs = { profile: 'cs_6_0' };
const body = (text: string, before = '', name = 'main'): string[] => bodyOf(compute(text, before), name, cs);
/** Without what every entry starts with. */
const ofMain = (text: string, before = ''): string => {
  const lines = body(text, before);
  const start = lines.findIndex((line) => line.startsWith('store %id'));
  return [
    ...lines.filter((line) => line.endsWith('= var') && !line.startsWith('%id')),
    ...lines.slice(start + 1),
  ].join('\n');
};

describe('control flow', () => {
  test('if and else', () => {
    expect(ofMain('int a = 1; if (a > 2) a = 3; else { a = 4; }')).toBe(`%a: ptr<function, int> = var
debug_declare $a %a
store %a, 1
%1: int = load %a
%2: bool = greater %1, 2
if %2 {
  store %a, 3
  yield
} else {
  store %a, 4
  yield
}
return`);
  });

  test('for: condition in the body, step in the continuing block', () => {
    expect(
      ofMain('for (int i = 0; i < 3; i++) { if (i == 1) continue; if (i == 2) break; }'),
    ).toBe(`%i: ptr<function, int> = var
debug_declare $i %i
store %i, 0
loop {
  %1: int = load %i
  %2: bool = less %1, 3
  if %2 {
    yield
  } else {
    break
  }
  %3: int = load %i
  %4: bool = equal %3, 1
  if %4 {
    continue
  } else {
    yield
  }
  %5: int = load %i
  %6: bool = equal %5, 2
  if %6 {
    break
  } else {
    yield
  }
  continue
} continuing {
  %7: int = load %i
  %8: int = add %7, 1
  store %i, %8
  repeat
}
return`);
  });

  test('do: the condition repeats', () => {
    expect(ofMain('int i = 0; do i++; while (i < 3);')).toContain(`} continuing {
  %3: int = load %i
  %4: bool = less %3, 3
  repeat_if %4
}`);
  });

  test('a loop without way out makes what follows unreachable', () => {
    const text = ofMain('int i = 0; for (;;) { i++; } i = 5;');
    expect(text).not.toContain('store %i, 5');
    expect(text.endsWith('}\nunreachable')).toBe(true);
  });

  test('switch: groups fall through, break leaves', () => {
    const text = ofMain(
      'int i = 0; switch (id.x) { case 0: case 1: i = 1; case 2: i = 2; break; default: i = 3; }',
    );
    expect(text).toContain(`case 0, 1 {
  store %i, 1
  fallthrough
}
case 2 {
  store %i, 2
  break
}
case default {
  store %i, 3
  break
}
}`);
  });

  test('continue in a switch goes to the loop', () => {
    expect(
      ofMain('for (int i = 0; i < 3; i++) { switch (i) { case 1: continue; default: break; } }'),
    ).toContain('case 1 {\n    continue\n  }');
  });

  test('both ways return: the rest is dropped, its variables are not', () => {
    const { module } = lowerText(
      'float main() : SV_Target { if (true) return 1; else return 2; float dead = 3; return dead; }',
    );
    const text = print(module!);
    expect(text).toContain('variable $dead');
    expect(text).not.toContain('store %dead');
    expect(text).toContain('unreachable');
  });

  test('a function may end without return', () => {
    expect(
      bodyOf(compute('o[0] = f(id.x);', 'float f(uint x) { if (x > 1) return 2; }'), 'f', cs).at(-1),
    ).toBe('return undef float');
  });

  test('hints are kept', () => {
    expect(ofMain('[unroll(4)] for (int i = 0; i < 3; i++) {} [branch] if (id.x) {}')).toMatch(
      /loop hint unroll 4 \{[\s\S]*if %\d+ hint branch \{/,
    );
  });

  test('discard goes on', () => {
    expect(
      bodyOf('float main(float a : A) : SV_Target { if (a < 0) discard; return a; }', 'main').join('\n'),
    ).toContain('  discard\n  yield');
  });
});

describe('expressions', () => {
  test('short circuit', () => {
    expect(ofMain('bool b = id.x > 1 && id.y > 2;')).toContain(`%3: bool = greater %2, 1u
%4: bool = if %3 {
  %5: ptr<function, uint> = access %id, 1
  %6: uint = load %5
  %7: bool = greater %6, 2u
  yield %7
} else {
  yield false
}
store %b, %4`);
  });

  test('no short circuit in HLSL 2018', () => {
    const lines = bodyOf(compute('bool b = id.x > 1 || id.y > 2; float f = b ? 1 : 2;'), 'main', {
      ...cs,
      languageVersion: 2018,
    });
    expect(lines.join('\n')).toContain('logical_or');
    expect(lines.join('\n')).toContain('select');
    expect(lines.join('\n')).not.toContain('if ');
  });

  test('constants are no instructions', () => {
    expect(
      ofMain('float4 a = float4(1, 2, float2(3, 4)); float3x2 m = (float3x2)0; int3 c = 1;'),
    ).toBe(`%a: ptr<function, float4> = var
%m: ptr<function, float3x2> = var
%c: ptr<function, int3> = var
debug_declare $a %a
store %a, float4(1.0, 2.0, 3.0, 4.0)
debug_declare $m %m
store %m, float3x2((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
debug_declare $c %c
store %c, int3(1, 1, 1)
return`);
  });

  test('initializer lists take leaves in order', () => {
    const text = ofMain(
      'float2 v = id.xy; S s = { v, id.x, 2 };',
      'struct T { float a, b; }; struct S { T t; float2 u; };',
    );
    expect(text).toMatch(
      /%(\d+): T = construct %\d+, %\d+\n[\s\S]*%(\d+): S = construct %\1, %\d+\nstore %s, %\2/,
    );
  });

  test('conversions', () => {
    const text = ofMain(
      'float3 v = id; float2 w = (float2)v; int i = v.x; bool b = i; float2x2 m = float2x2(w, w); float4 q = (float4)m;',
    );
    for (const part of ['convert', 'float2 = swizzle %', 'bool = convert', 'float4 = construct'])
      expect(text).toContain(part);
  });

  test('vectors of one component count as scalars', () => {
    const text = ofMain(
      'int1 v = id.x; S s = (S)v; int i = v; o[0] = s.b + i;',
      'struct S { int a; float b; };',
    );
    expect(text).toMatch(
      /%(\d+): int = extract %\d+ \[0\]\n%(\d+): float = convert %\1\n%\d+: S = construct %\1, %\2/,
    );
  });

  test('vector component by run-time index of a value', () => {
    expect(ofMain('float f = (id * 2)[id.x];')).toContain('extract_dynamic');
  });

  test('precise follows what feeds a precise variable', () => {
    const text = ofMain('float a = id.x * 2.0; float b = id.y * 3.0; precise float c = a + 1; o[0] = c + b;');
    expect(text).toMatch(/precise mul %\d+, 2\.0/);
    expect(text).toMatch(/= mul %\d+, 3\.0/);
    expect(text).toMatch(/precise add %\d+, 1\.0/);
  });

  test('-Gis makes everything precise', () => {
    expect(bodyOf(compute('o[0] = id.x * 2.0;'), 'main', { ...cs, ieeeStrict: true }).join('\n')).toContain(
      'precise mul',
    );
  });
});

describe('places', () => {
  test('component, swizzle, row and elements', () => {
    expect(
      ofMain(
        'float4 v; float3x3 m; v.y = 1; v[id.x] = 2; v.xw = 3; v.zyx.y = 4; m[1] = 5; m[1][2] = 6; m._m00_m21 = 7;',
      ),
    ).toContain(`%1: ptr<function, float> = access %v, 1
store %1, 1.0
%2: ptr<function, uint> = access %id, 0
%3: uint = load %2
%4: ptr<function, float> = access %v, %3
store %4, 2.0
%5: float4 = load %v
%6: float4 = insert %5, 3.0 [0]
%7: float4 = insert %6, 3.0 [3]
store %v, %7
%8: float4 = load %v
%9: float4 = insert %8, 4.0 [1]
store %v, %9
%10: ptr<function, float3> = access %m, 1
store %10, float3(5.0, 5.0, 5.0)
%11: ptr<function, float3> = access %m, 1
%12: ptr<function, float> = access %11, 2
store %12, 6.0
%13: ptr<function, float> = access %m, 0, 0
store %13, 7.0
%14: ptr<function, float> = access %m, 2, 1
store %14, 7.0`);
  });

  test('shared memory is written by component', () => {
    expect(
      ofMain('o[id.x].xz = float2(1, 2);'),
    ).toContain(`%3: ptr<storage, float4, vulkan-storage> = buffer_pointer @o, %2
%4: ptr<storage, float, vulkan-storage> = access %3, 0
store %4, 1.0
%5: ptr<storage, float, vulkan-storage> = access %3, 2
store %5, 2.0`);
  });

  test('texels are read, changed and written whole', () => {
    expect(
      ofMain('t[id.xy].y = 5;', 'RWTexture2D<float4> t;'),
    ).toContain(`%3: ptr<texel, float4> = texel @t, %2
%4: float4 = load %3
%5: float4 = insert %4, 5.0 [1]
store %3, %5`);
  });

  test('compound assignment works the place out once', () => {
    expect(ofMain('int i = 0; o[i++] *= 2;')).toBe(`%i: ptr<function, int> = var
debug_declare $i %i
store %i, 0
%1: int = load %i
%2: int = add %1, 1
store %i, %2
%3: ptr<storage, float4, vulkan-storage> = buffer_pointer @o, %1
%4: float4 = load %3
%5: float4 = mul %4, float4(2.0, 2.0, 2.0, 2.0)
store %3, %5
return`);
  });

  test('increments give the value before or after', () => {
    expect(ofMain('int i = 0; int a = i++; int b = --i;')).toMatch(
      /store %a, %1\n[\s\S]*%4: int = sub %3, 1\nstore %i, %4\nstore %b, %4/,
    );
  });

  test('globallycoherent loads and stores', () => {
    const text = ofMain('c[0] = c[1];', 'globallycoherent RWStructuredBuffer<float> c;');
    expect(text).toContain('coherent load');
    expect(text).toContain('coherent store');
  });

  test('layouts follow the options', () => {
    const text = compute(
      'o[0] = k + p.q;',
      'cbuffer C { float4 k; }; struct P { float4 q; }; [[vk::push_constant]] P p;',
    );
    expect(irOf(text, cs)).toContain('global @p: ptr<push-constant, P, vulkan-storage> push-constant');
    expect(irOf(text, cs)).toContain('ptr<uniform, C, vulkan-uniform> = buffer_pointer @C');
    expect(irOf(text, { ...cs, layout: 'dx' })).toContain('ptr<uniform, C, dx-cbuffer> = buffer_pointer @C');
    expect(irOf(text, { ...cs, layout: 'gl' })).toContain('ptr<storage, float4, std430> = buffer_pointer @o');
    expect(irOf(text, { ...cs, layout: 'scalar' })).toContain('ptr<push-constant, P, scalar>');
  });
});

describe('calls', () => {
  test('inout is copied in and out in the order of the arguments', () => {
    expect(
      ofMain(
        'float4 v = 0; f(v.x, v.y); int n = 0; g(n);',
        'void f(inout float a, out float b) { b = a; } void g(inout float x) { x += 1; }',
      ),
    ).toContain(`%1: ptr<function, float> = access %v, 0
%2: float = load %1
store %argument, %2
%3: ptr<function, float> = access %v, 1
call f %argument, %argument.2
%4: float = load %argument
store %1, %4
%5: float = load %argument.2
store %3, %5
debug_declare $n %n
store %n, 0
%6: int = load %n
%7: float = convert %6
store %argument.3, %7
call g %argument.3
%8: float = load %argument.3
%9: int = convert %8
store %n, %9`);
  });

  test('parameters: in is stored to a variable, out and inout are the memory', () => {
    expect(
      body('float4 v = 0; f(v.x, v.y);', 'void f(float a, out float b) { b = a; }', 'f').join('\n'),
    ).toBe(`%a.2: ptr<function, float> = var
debug_declare $a %a.2
store %a.2, %a
debug_declare $b %b
%0: float = load %a.2
store %b, %0
return`);
  });

  test('methods take the object as memory', () => {
    const text = compute(
      'S s = (S)0; s.add(1); t.s.add(2); o[0] = s.a;',
      'struct S { float a; void add(float x) { a += x; twice(); } void twice() { a *= 2; } }; struct T { S s; }; static T t;',
    );
    const main = bodyOf(text, 'main', cs).join('\n');
    expect(main).toContain('call S.add %s, 1.0');
    expect(main).toMatch(
      /store %this, %\d+\ncall S\.add %this, 2\.0\n%\d+: S = load %this\nstore %\d+, %\d+/,
    );
    expect(bodyOf(text, 'S.add', cs).join('\n')).toContain('call S.twice %this');
    expect(irOf(text, cs)).toContain('variable $this "this": S in S.add at a.hlsl:2:26-29 argument 1 this');
    expect(irOf(text, cs)).toContain('variable $x "x": float in S.add at a.hlsl:2:36-37 argument 2');
  });

  test('intrinsics: values, out arguments, places', () => {
    const text = ofMain(
      'float s, c; sincos(1.0 * id.x, s, c); uint old; InterlockedAdd(g, 1, old);',
      'groupshared uint g;',
    );
    expect(text).toMatch(/intrinsic "sincos" %\d+, %argument, %argument\.2\n%\d+: float = load %argument\n/);
    expect(text).toMatch(/intrinsic "InterlockedAdd" @g, 1u, %argument\.3/);
  });

  test('recursion names the chain', () => {
    const { messages } = lowerText(
      'float f(float x); float g(float x) { return f(x); }\nfloat f(float x) { return g(x); }\nfloat main(float a : A) : SV_Target { return f(a); }',
    );
    expect(messages).toEqual(['1:45: recursive functions are not allowed: f -> g -> f']);
  });
});

describe('resources', () => {
  const textures =
    'Texture2D a : register(t0); Texture2D b : register(t1); Texture2D many[4] : register(t2); SamplerState s;\n';
  const pixel = (text: string, before = ''): string =>
    `${textures}${before}\nfloat4 main(float2 uv : UV, int i : I) : SV_Target { ${text} }`;

  test('a function is specialised per resource and keeps its name', () => {
    const ir = irOf(
      pixel(
        'return f(a, uv) + f(b, uv) + f(a, uv * 2);',
        'float4 f(Texture2D t, float2 uv) { return t.Sample(s, uv); }',
      ),
    );
    expect(ir.match(/^function \S+/gm)).toEqual([
      'function main(%0:'.replace('%0:', '):'),
      'function f(%uv:',
      'function f.2(%uv:',
    ]);
    expect(ir).toContain('function f.2(%uv: float2): float4 in f.2 named "f"');
    expect(ir).toContain('intrinsic "texture.Sample" @a, @s');
    expect(ir).toContain('intrinsic "texture.Sample" @b, @s');
  });

  test('run-time indices are passed', () => {
    const ir = irOf(
      pixel(
        'return f(many[i], uv) + f(many[i + 1], uv);',
        'float4 f(Texture2D t, float2 uv) { return t.Sample(s, uv); }',
      ),
    );
    expect(ir).toContain('function f(%uv: float2, %index: int): float4');
    expect(ir.match(/= call f /g)).toHaveLength(2);
    expect(ir).toMatch(/ptr<resource, Texture2D<float4>> = access @many, %index/);
  });

  test('locals, structs, results and out parameters are settled', () => {
    const ir = irOf(
      pixel(
        'Pair p = make(); Texture2D t; pick(t); if (i > 0) { t = a; } else { t = a; } return p.t.Sample(p.s, uv) * p.f + t.Load(int3(0, 0, 0));',
        'struct Pair { Texture2D t; SamplerState s; float f; };\nPair make() { Pair p; p.t = b; p.s = s; p.f = 2; return p; }\nvoid pick(out Texture2D t) { t = b; }',
      ),
    );
    expect(ir).toContain('intrinsic "texture.Sample" @b, @s');
    expect(ir).toContain('intrinsic "texture.Load" @a');
    // What debuggers show of 'p' is what its memory has.
    expect(ir).toMatch(/struct Pair .*\{\n {2}f: float[\s\S]*struct Pair.2 named "Pair" .*\{\n {2}t: /);
    expect(ir).toContain('variable $p "p": Pair in');
  });

  test.each([
    [
      'Texture2D t = a; if (i > 0) t = b; return t.Sample(s, uv);',
      'opaque-ambiguous',
      'which resource this is depends on the control flow that meets at line 3',
    ],
    [
      'Texture2D t; return t.Sample(s, uv);',
      'opaque-unset',
      'this resource variable is used before it is set',
    ],
    [
      'Texture2D t = a; float4 c = 0; for (int k = 0; k < 2; k++) { c += t.Sample(s, uv); t = b; } return c;',
      'opaque-in-loop',
      "'t' is declared outside the loop, so that the resource it is set to would depend on the turn",
    ],
    [
      'Texture2D t[2] = { a, b }; return t[i].Sample(s, uv);',
      'opaque-index',
      'resources that do not form one array cannot be indexed at run time',
    ],
  ])('%s', (text, key, message) => {
    const { module, messages, log } = lowerText(pixel(text));
    expect(module).toBeUndefined();
    expect(messages.filter((line) => line.endsWith(message))).toHaveLength(1);
    expect(log.diagnostics.map((entry) => entry.key)).toContain(key);
  });

  test.each([
    [
      'return f(i).Sample(s, uv);',
      'static Texture2D g = a; Texture2D f(int i) { g = b; return g; }',
      'opaque-global',
      "'g' names a resource outside functions and cannot be set to another",
    ],
    [
      'Texture2D t; f(t, i); return t.Sample(s, uv);',
      'void f(out Texture2D t, int i) { t = many[i * 2]; }',
      'opaque-result-index',
      "which resource 'f' hands back depends on an index that it computes",
    ],
  ])('%s', (text, before, key, message) => {
    const { module, messages, log } = lowerText(pixel(text, before));
    expect(module).toBeUndefined();
    expect(messages.filter((line) => line.endsWith(message))).toHaveLength(1);
    expect(log.diagnostics.map((entry) => entry.key)).toContain(key);
  });

  test('a result may be an element of an array by an index that the callee computes', () => {
    const ir = irOf(
      pixel(
        'return f(i).Sample(s, uv);',
        'Texture2D f(int i) { if (i > 1) return many[i]; return many[i * 2]; }',
      ),
    );
    expect(ir).toContain('function f(%i: int, %index: ptr<function, int>): void');
    expect(ir).toMatch(
      /call f %\d+, %index\n +%(\d+): int = load %index\n +%\d+: ptr<resource, Texture2D<float4>> = access @many, %\1/,
    );
  });

  test('an index that is not uniform is marked again in the function it is passed to', () => {
    const ir = irOf(
      pixel(
        'return f(many[NonUniformResourceIndex(i)], uv) + f(many[i], uv) + f(g(i), uv);',
        'float4 f(Texture2D t, float2 uv) { return t.Sample(s, uv); }\nTexture2D g(int i) { return many[NonUniformResourceIndex(i)]; }',
      ),
    );
    expect(ir).toMatch(
      /function f\([\s\S]*?intrinsic "NonUniformResourceIndex" %index\n[\s\S]*?access @many, %0/,
    );
    expect(ir).toMatch(/function f\.2\([\s\S]*?access @many, %index/);
    expect(ir).toMatch(
      /call g [\s\S]*?%(\d+): int = load %index\n +%(\d+): int = intrinsic "NonUniformResourceIndex" %\1\n[\s\S]*?call f %\d+, %\2/,
    );
  });

  test('the same element either way is settled', () => {
    expect(irOf(pixel('Texture2D t[2] = { many[0], many[1] }; return t[i].Sample(s, uv);'))).toContain(
      'access @many, %',
    );
    expect(irOf(pixel('Texture2D t; for (int k = 0; k < 2; k++) t = a; return t.Sample(s, uv);'))).toContain(
      '"texture.Sample" @a',
    );
  });

  test('structs of resources are a global per member', () => {
    const ir = irOf(
      'struct P { Texture2D t; SamplerState s; }; P p; float4 main(float2 uv : UV) : SV_Target { return p.t.Sample(p.s, uv); }',
    );
    expect(ir).toContain('global @p.t: ptr<resource, Texture2D<float4>> resource set 0 binding 0');
    expect(ir).toContain('global @p.s: ptr<resource, SamplerState> resource set 0 binding 1');
    expect(ir).toContain('intrinsic "texture.Sample" @p.t, @p.s');
  });
});

describe('entry and globals', () => {
  test('inputs fill parameters, returns store outputs', () => {
    const text =
      'struct I { float4 p : SV_Position; float2 uv : UV; };\nstruct O { float4 c : SV_Target0; float d : SV_Depth; };\nO main(I i, out uint m : SV_Target1) { m = 1; O o; o.c = i.uv.xyxy; o.d = i.p.z; return o; }';
    const lines = bodyOf(text, 'main');
    expect(lines.join('\n')).toContain(`%0: float4 = load @in.var.SV_Position
%1: float2 = load @in.var.UV
%2: I = construct %0, %1
store %i, %2`);
    expect(lines.slice(-7).join('\n')).toMatch(
      /store @out\.var\.SV_Target1, %\d+\n%\d+: float4 = extract %\d+ \[0\]\nstore @out\.var\.SV_Target0?, %\d+\n%\d+: float = extract %\d+ \[1\]\nstore @out\.var\.SV_Depth, %\d+\nreturn/,
    );
  });

  test('an entry that is called is a function too', () => {
    const text =
      'float g(float x) ; float main(float a : A) : SV_Target { return g(a); }\nfloat g(float x) { return x; }';
    expect(irOf(text).match(/^function \S+\(/gm)).toEqual(['function main(', 'function g(']);
  });

  test('static initializers run at the head of the entry, constants do not', () => {
    const text = compute(
      'o[0] = a + b + f();',
      'static float b = 3; cbuffer C { float k; }; static float a = k * 2; float f() { static float c = k + 1; return c; }',
    );
    const ir = irOf(text, cs);
    expect(ir).toContain('global @b: ptr<private, float> private = 3.0');
    expect(ir).toMatch(/global @c: ptr<private, float> private at \S+ debug "c": float in f\.1/);
    const lines = bodyOf(text, 'main', cs);
    const at = (part: string): number => lines.findIndex((line) => line.includes(part));
    expect(at('store @a')).toBeGreaterThan(at('= var'));
    expect(at('store @c')).toBeGreaterThan(at('store @a'));
    expect(at('debug_declare')).toBeGreaterThan(at('store @c'));
  });

  test('spec constants are values, constants stay visible as globals', () => {
    const ir = irOf(
      compute(
        'o[id.x] = n * k * t[id.y];',
        '[[vk::constant_id(3)]] const int n = 5; static const float k = 2; static const float t[2] = { 1, 2 };',
      ),
      cs,
    );
    expect(ir).toContain('global @n: int spec-constant 3 = 5');
    expect(ir).toContain('global @k: ptr<private, float> private = 2.0');
    expect(ir).toContain('= access @t, %');
    expect(ir).not.toContain('load @k');
  });

  test('-fvk-invert-y and -fvk-use-dx-position-w', () => {
    const vertex = 'float4 main(float4 p : P) : SV_Position { return p; }';
    expect(bodyOf(vertex, 'main', { profile: 'vs_6_0', invertY: true }).join('\n')).toMatch(
      /neg %\d+\n%\d+: float4 = insert %\d+, %\d+ \[1\]\nstore @/,
    );
    const pixel = 'float4 main(float4 p : SV_Position) : SV_Target { return p; }';
    expect(bodyOf(pixel, 'main', { useDxPositionW: true }).join('\n')).toMatch(
      /div 1\.0, %\d+\n%\d+: float4 = insert %\d+, %\d+ \[3\]/,
    );
  });
});

describe('positions', () => {
  test('declare, initializer and store; nothing for a bare declaration but its declare', () => {
    const text = `float4 main(float a : A) : SV_Target {
  float b;
  float c = a
    + 2;
  if (c > 1)
    b = 3;
  else {
    b = 4;
  }
  return b;
}`;
    expect(stepsOf(text, 'main').filter((step) => !step.endsWith(' var'))).toEqual([
      '1:19 debug_declare',
      '1:19 load',
      '1:19 store',
      '2:9 debug_declare',
      '3:9 debug_declare',
      '3:13 load',
      '3:13 add',
      '3:9 store',
      '5:7 load',
      '5:7 greater',
      '5:7 if',
      '6:5 store',
      '6:5 yield',
      '8:5 store',
      '8:5 yield',
      '10:10 load',
      '10:10 splat',
      '10:3 store',
      '10:3 return',
    ]);
  });

  test('loops go back at the step or the closing brace; implicit return at the brace', () => {
    const text = `[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int n = 0;
  for (int i = 0; i < 2; i++) {
    n += i;
  }
  while (n > 0) {
    n--;
  }
}`;
    const steps = stepsOf(text, 'main', cs);
    expect(steps.slice(steps.indexOf('4:12 debug_declare'))).toEqual([
      '4:12 debug_declare',
      '4:12 store',
      '4:19 loop',
      '4:19 load',
      '4:19 less',
      '4:19 if',
      '4:19 yield',
      '4:19 break',
      '5:10 load',
      '5:5 load',
      '5:5 add',
      '5:5 store',
      '5:5 continue',
      '4:26 load',
      '4:26 add',
      '4:26 store',
      '4:26 repeat',
      '7:10 loop',
      '7:10 load',
      '7:10 greater',
      '7:10 if',
      '7:10 yield',
      '7:10 break',
      '8:5 load',
      '8:5 sub',
      '8:5 store',
      '9:3 continue',
      '9:3 repeat',
      '10:1 return',
    ]);
  });

  test('scopes: parameters in the function, locals in the innermost block, a for that declares is a block', () => {
    const text = print(
      lowerText(
        'float main(float a : A) : SV_Target {\n  float x = a;\n  { float x = 2; }\n  for (int i = 0; i < 2; i++)\n    for (int i = 0; i < 2; i++) {}\n  return x;\n}',
      ).module!,
    );
    const rows = text.split('\n').filter((line) => /^(scope|variable)/.test(line));
    expect(rows).toEqual([
      'scope unit unit at a.hlsl:1:1',
      'scope main function "main" in unit at a.hlsl:1:1 body a.hlsl:1:37 returns float',
      'scope main.1 block in main at a.hlsl:1:37',
      'scope main.2 block in main.1 at a.hlsl:3:3',
      'scope main.3 block in main.1 at a.hlsl:4:3',
      'scope main.4 block in main.3 at a.hlsl:5:5',
      'variable $a "a": float in main at a.hlsl:1:18-19 argument 1',
      'variable $x "x": float in main.1 at a.hlsl:2:9-10',
      'variable $x.2 "x": float in main.2 at a.hlsl:3:11-12',
      'variable $i "i": int in main.3 at a.hlsl:4:12-13',
      'variable $i.2 "i": int in main.4 at a.hlsl:5:14-15',
    ]);
  });

  test('a default argument stands at the call, a macro at its name', () => {
    const text =
      '#define ONE (a + 1)\nfloat f(float x, float y = 2.0 * 3) { return x * y; }\nfloat main(float a : A) : SV_Target {\n  return f(ONE);\n}';
    const steps = stepsOf(text, 'main');
    expect(steps.slice(-5)).toEqual(['4:12 load', '4:12 add', '4:10 call', '4:3 store', '4:3 return']);
  });
});
