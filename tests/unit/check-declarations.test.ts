/** Declarations, statements, entry points and bindings: what the typed program holds. Numbers of bindings and locations are DXC's. */
import { describe, expect, it } from 'vitest';
import type { InterfaceNode, Program, TypedStatement, VariableSymbol } from '../../src/check/program.ts';
import type { Options } from '../../src/options.ts';
import { typeName, type StructType } from '../../src/types/type.ts';
import { compile } from '../../src/compile.ts';
import { checkText } from '../support/check-text.ts';

function program(text: string, changes: Partial<Options> = {}): Program {
  const result = checkText(text, { profile: 'ps_6_6', preserveBindings: true, ...changes });
  expect(result.messages.filter((line) => line.includes(': error: '))).toEqual([]);
  return result.program!;
}

function messagesOf(text: string, changes: Partial<Options> = {}): string[] {
  return checkText(text, { profile: 'ps_6_6', ...changes }).messages;
}

/** `name set.binding` of every resource, counters as `name+`. */
function bindings(declarations: string, changes: Partial<Options> = {}, body = ''): string[] {
  const { globals } = program(`${declarations}\nvoid main() { ${body} }`, changes);
  return globals.flatMap(({ name, binding }) => {
    if (!binding) return [];
    const { set, counter } = binding;
    return [
      `${name} ${set}.${binding.binding}`,
      ...(counter ? [`${name}+ ${counter.set}.${counter.binding}`] : []),
    ];
  });
}

/** `in.var.A@0`, builtins as `SV_Position`. */
function leaves(node: InterfaceNode | undefined): string[] {
  if (!node) return [];
  if (node.kind === 'leaf') {
    const { name, builtin, location, interpolation } = node.variable;
    return [
      [
        builtin ?? name,
        location === undefined ? '' : `@${location}`,
        ...interpolation.map((mode) => ` ${mode}`),
      ].join(''),
    ];
  }
  return (node.kind === 'struct' ? node.members : node.elements).flatMap(leaves);
}

function stage(
  profile: string,
  text: string,
  changes: Partial<Options> = {},
): { inputs: string[]; outputs: string[] } {
  const { entry } = program(text, { profile, ...changes });
  return {
    inputs: entry.parameters.flatMap(({ input }) => leaves(input)),
    outputs: [...leaves(entry.result), ...entry.parameters.flatMap(({ output }) => leaves(output))],
  };
}

function globalOf(text: string, name: string, changes: Partial<Options> = {}): VariableSymbol {
  // Statics are kept only if they are used.
  const use = name.startsWith('$') || text.includes('cbuffer') ? '' : `${name};`;
  const found = program(`${text}\nvoid main() { ${use} }`, changes).globals.find(
    (symbol) => symbol.name === name,
  );
  expect(found).toBeDefined();
  return found!;
}

function contentsOf(symbol: VariableSymbol): StructType {
  const contents = symbol.type.kind === 'buffer' ? symbol.type.element : symbol.type;
  if (contents.kind !== 'struct') throw new Error(`${symbol.name} is no struct`);
  return contents;
}

/** Statements of the entry as text, for their structure. */
function shape(statement: TypedStatement): string {
  switch (statement.kind) {
    case 'block':
      return `{${statement.statements.map(shape).join(' ')}}`;
    case 'variable':
      return `${statement.symbol.name}${statement.init ? '=' : ''}`;
    case 'if':
      return `if ${shape(statement.then)}${statement.else ? ` else ${shape(statement.else)}` : ''}`;
    case 'for':
    case 'while':
    case 'do': {
      const init = statement.init.map(shape).join(' ');
      const variable = statement.conditionVariable ? ` ${shape(statement.conditionVariable)}` : '';
      return `${statement.kind}${statement.declares ? '!' : ''}(${init}${variable}) ${shape(statement.body)}`;
    }
    case 'switch':
      return `switch ${statement.groups.map((group) => `[${group.labels.join()}: ${group.statements.map(shape).join(' ')}]`).join('')}`;
    default:
      return statement.kind;
  }
}

function statements(code: string, changes: Partial<Options> = {}): string {
  const { entry } = program(`void f() { } float main(int i : I) : SV_Target { ${code} return 0; }`, changes);
  return shape(entry.function.body!).replace(/ return\}$/, '}');
}

describe('bindings', () => {
  it('numbers in order of declaration, used or not', () => {
    expect(
      bindings('Texture2D a; SamplerState b; cbuffer C { int x; } RWBuffer<int> d[4]; Texture2D e[];'),
    ).toEqual(['a 0.0', 'b 0.1', 'C 0.2', 'd 0.3', 'e 0.4']);
  });

  it('takes vk::binding first, then registers, then what is free', () => {
    const text = `
      Texture2D a; Texture2D b : register(t1); [[vk::binding(0)]] Texture2D c; Texture2D d : register(t3, space2);
      [[vk::binding(2, 1)]] Texture2D e; Texture2D f; Texture2D g : register(space2); SamplerState h : register(s1);`;
    expect(bindings(text)).toEqual(['a 0.2', 'b 0.1', 'c 0.0', 'd 2.3', 'e 1.2', 'f 0.3', 'g 2.0', 'h 0.1']);
  });

  it('shifts registers by class and space', () => {
    const bindingShifts: Options['bindingShifts'] = [
      { registerClass: 't', shift: 10, space: 0 },
      { registerClass: 't', shift: 20, space: 1 },
      { registerClass: 's', shift: 5, space: 'all' },
    ];
    const text = `
      cbuffer b : register(b0) { int x; } Texture2D t : register(t0); Texture2D u : register(t1, space1);
      SamplerState s : register(s0, space3); SamplerState n;`;
    expect(bindings(text, { bindingShifts })).toEqual(['b 0.0', 't 0.10', 'u 1.21', 's 3.5', 'n 0.1']);
  });

  it('shifts resources without register with autoShiftBindings', () => {
    const bindingShifts: Options['bindingShifts'] = [
      { registerClass: 't', shift: 10, space: 0 },
      { registerClass: 's', shift: 20, space: 0 },
    ];
    const text =
      'Texture2D a; SamplerState b; cbuffer c { int x; } StructuredBuffer<int> d; RWBuffer<int> e;';
    expect(bindings(text, { bindingShifts, autoShiftBindings: true })).toEqual([
      'a 0.10',
      'b 0.20',
      'c 0.0',
      'd 0.11',
      'e 0.1',
    ]);
  });

  it('puts what names no space into the default space', () => {
    const text = `
      Texture2D a : register(t1); Texture2D b; Texture2D c : register(t2, space1); [[vk::binding(4)]] Texture2D d; [[vk::binding(5, 6)]] Texture2D e;
      SamplerState f : register(space3); cbuffer g { int x; } int loose;`;
    expect(bindings(text, { defaultSpace: 7 })).toEqual([
      'a 7.1',
      'b 7.0',
      'c 1.2',
      'd 7.4',
      'e 6.5',
      'f 3.0',
      'g 7.2',
      '$Globals 7.3',
    ]);
    const bindingShifts: Options['bindingShifts'] = [{ registerClass: 't', shift: 10, space: 7 }];
    const shifted = bindings(text, { defaultSpace: 7, bindingShifts, autoShiftBindings: true });
    expect(shifted.slice(0, 3)).toEqual(['a 7.11', 'b 7.10', 'c 1.2']);
  });

  it('leaves the numbers of heaps alone, also without heaps', () => {
    const heapBindings = {
      resource: { binding: 0, set: 0 },
      sampler: { binding: 2, set: 0 },
      counter: { binding: 0, set: 1 },
    };
    const text = 'Texture2D a; Texture2D b; Texture2D c : register(space1);';
    expect(bindings(text, { heapBindings })).toEqual(['a 0.1', 'b 0.3', 'c 1.1']);
  });

  it('puts loose globals into $Globals where the first stands', () => {
    const text = 'Texture2D a; float f; Texture2D b; namespace n { float g; }';
    expect(bindings(text)).toEqual(['a 0.0', '$Globals 0.1', 'b 0.2']);
    expect(bindings(text, { globalsBinding: { set: 2, binding: 7 } })).toEqual([
      'a 0.0',
      '$Globals 2.7',
      'b 0.1',
    ]);
    expect(contentsOf(globalOf(text, '$Globals')).members.map((member) => member.name)).toEqual(['f', 'g']);
  });

  it('follows -fvk-bind-register alone', () => {
    const registerBindings: Options['registerBindings'] = [
      { register: 't0', space: 0, binding: 5, set: 1 },
      { register: 's1', space: 2, binding: 6, set: 3 },
    ];
    const text = 'Texture2D a : register(t0); SamplerState b : register(s1, space2); float f;';
    const globalsBinding = { set: 4, binding: 9 };
    expect(bindings(text, { registerBindings, globalsBinding })).toEqual(['a 1.5', 'b 3.6', '$Globals 4.9']);
  });

  it('gives counters numbers: append and consume always, RWStructuredBuffer behind all when used', () => {
    const text = `
      RWStructuredBuffer<int> a; AppendStructuredBuffer<int> b; RWStructuredBuffer<int> c;
      [[vk::counter_binding(9)]] ConsumeStructuredBuffer<int> d; Texture2D e;`;
    expect(bindings(text)).toEqual(['a 0.0', 'b 0.1', 'b+ 0.2', 'c 0.3', 'd 0.4', 'd+ 0.9', 'e 0.5']);
    expect(bindings(text, {}, 'c.IncrementCounter();')).toContain('c+ 0.6');
  });

  it('counts the counter of a buffer that is handed on', () => {
    const text = 'RWStructuredBuffer<int> a; void f(RWStructuredBuffer<int> x) { x.IncrementCounter(); }';
    expect(bindings(text, {}, 'f(a);')).toEqual(['a 0.0', 'a+ 0.1']);
  });

  it('uses the shift of textures for combined image samplers', () => {
    const text = `
      [[vk::combinedImageSampler]] Texture2D t : register(t1); [[vk::combinedImageSampler]] SamplerState s : register(s1);`;
    expect(bindings(text, { bindingShifts: [{ registerClass: 't', shift: 3, space: 0 }] })).toEqual([
      't 0.4',
      's 0.4',
    ]);
  });

  it('splits structs of resources into variables with numbers in a row', () => {
    const text = 'struct S { Texture2D t[2]; SamplerState s; }; Texture2D a; S g[2]; Texture2D b;';
    expect(bindings(text)).toEqual([
      'a 0.0',
      'g[0].t 0.1',
      'g[0].s 0.3',
      'g[1].t 0.4',
      'g[1].s 0.6',
      'b 0.7',
    ]);
  });

  it('declares resources inside a cbuffer ahead of it', () => {
    expect(bindings('cbuffer C { float f; Texture2D t; }')).toEqual(['t 0.0', 'C 0.1']);
    expect(bindings('cbuffer C { Texture2D t; }')).toEqual(['t 0.0']);
  });

  it('honours registers for a stage of its own', () => {
    expect(bindings('Texture2D t : register(vs_5_0, t3) : register(ps_5_0, t4);')).toEqual(['t 0.4']);
  });

  it('keeps only what the entry reaches without preserveBindings', () => {
    const text = `
      Texture2D a; static float s = 1; static float unused; groupshared int shared_; cbuffer C { float f; }
      float helper() { return s + f; } float other() { return a.Load(0).x; }
      float main() : SV_Target { return helper(); }`;
    const { globals } = program(text, { preserveBindings: false });
    expect(globals.map((symbol) => `${symbol.name} ${symbol.storage}`)).toEqual(['s static', 'C buffer']);
    expect(globals[1]!.binding).toMatchObject({ set: 0, binding: 1 });
  });
});

describe('inputs and outputs', () => {
  it('numbers locations in order of declaration', () => {
    const text = `
      struct V { float4 p : POSITION; float3x2 m : M; float2 uv[3] : TEXCOORD0; double4 d : D; float1x3 r : R; float c : C; float3x1 list[2] : L; float e : E; };
      struct O { float4 p : SV_Position; float2 uv : TEXCOORD0; };
      O main(V v, uint id : SV_VertexID, out float4 x : X) { x = 0; return (O)0; }`;
    expect(stage('vs_6_0', text)).toEqual({
      inputs: [
        'in.var.POSITION@0',
        'in.var.M@1',
        'in.var.TEXCOORD0@4',
        'in.var.D@7',
        'in.var.R@9',
        'in.var.C@10',
        'in.var.L@11',
        'in.var.E@13',
        'SV_VertexID',
      ],
      outputs: ['SV_Position', 'out.var.TEXCOORD0@0', 'out.var.X@1'],
    });
  });

  it('sorts by semantic with stageIoOrder', () => {
    const text = 'void main(float4 z : Z, float4 a : A, float4 b1 : B1, float4 b : B) { }';
    expect(stage('ps_6_0', text, { stageIoOrder: 'alphabetic' }).inputs).toEqual([
      'in.var.Z@3',
      'in.var.A@0',
      'in.var.B1@2',
      'in.var.B@1',
    ]);
  });

  it('takes explicit locations when all have one', () => {
    const text = `
      float4 main([[vk::location(3)]] float4 a : A, [[vk::location(1)]] float4 b : B) : SV_Target1 { return a + b; }`;
    expect(stage('ps_6_0', text)).toEqual({
      inputs: ['in.var.A@3', 'in.var.B@1'],
      outputs: ['out.var.SV_Target1@1'],
    });
  });

  it('gives targets the location of their index, with a second source', () => {
    const text = `
      struct O { [[vk::location(0)]] float4 a : SV_Target0; [[vk::location(0), vk::index(1)]] float4 b : SV_Target1; };
      O main() { return (O)0; }`;
    const { entry } = program(text, { profile: 'ps_6_0' });
    expect(leaves(entry.result)).toEqual(['out.var.SV_Target0@0', 'out.var.SV_Target1@0']);
    const second = entry.result?.kind === 'struct' ? entry.result.members[1] : undefined;
    expect(second?.kind === 'leaf' && second.variable.index).toBe(1);
  });

  it('counts up a semantic that a struct inherits', () => {
    const text = `
      struct Inner { float a; float b[2]; }; struct Base { float c; }; struct I : Base { Inner i; float d; };
      void main(I i : TEXCOORD2) { }`;
    expect(stage('ps_6_0', text).inputs).toEqual([
      'in.var.TEXCOORD2@0',
      'in.var.TEXCOORD3@1',
      'in.var.TEXCOORD4@2',
      'in.var.TEXCOORD5@4',
    ]);
  });

  it('takes arrays of structs apart', () => {
    const text = 'struct I { float4 a; float b; }; void main(I i[2] : T) { }';
    expect(stage('ps_6_0', text).inputs).toEqual(['in.var.T@0', 'in.var.T1@1', 'in.var.T2@2', 'in.var.T3@3']);
  });

  it('reads interpolation between vertex and pixel stage only', () => {
    const text = (direction: string) => `
      struct I { nointerpolation uint a : A; noperspective centroid float b : B; sample float c : C; linear float d : D; };
      void main(${direction} I i, nointerpolation ${direction} float4 e : E) { ${direction === 'out' ? 'i = (I)0; e = 0;' : ''} }`;
    const modes = [
      'A@0 nointerpolation',
      'B@1 noperspective centroid',
      'C@2 sample',
      'D@3',
      'E@4 nointerpolation',
    ];
    expect(stage('ps_6_0', text('in')).inputs).toEqual(modes.map((mode) => `in.var.${mode}`));
    expect(stage('vs_6_0', text('out')).outputs).toEqual(modes.map((mode) => `out.var.${mode}`));
    expect(stage('vs_6_0', text('in')).inputs[0]).toEqual('in.var.A@0');
  });

  it('knows system values by stage', () => {
    const vertex = `
      void main(float4 p : SV_Position, uint i : SV_InstanceID, out float4 q : sv_position, out float c[2] : SV_ClipDistance0,
        out uint l : SV_RenderTargetArrayIndex) { q = p; c[0] = c[1] = 0; l = i; }`;
    expect(stage('vs_6_0', vertex)).toEqual({
      inputs: ['in.var.SV_Position@0', 'SV_InstanceID'],
      outputs: ['SV_Position', 'SV_ClipDistance', 'SV_RenderTargetArrayIndex'],
    });
    const pixel = `
      void main(float4 p : SV_Position, bool f : SV_IsFrontFace, uint s : SV_SampleIndex, uint i : SV_InstanceID,
        inout uint c : SV_Coverage, out float d : SV_DepthGreaterEqual) { d = 0; }`;
    expect(stage('ps_6_0', pixel)).toEqual({
      inputs: ['SV_Position', 'SV_IsFrontFace', 'SV_SampleIndex', 'in.var.SV_InstanceID@0', 'SV_Coverage'],
      outputs: ['SV_Coverage', 'SV_DepthGreaterEqual'],
    });
    expect(program(pixel, { profile: 'ps_6_0' }).entry.depthMode).toBe('greater');
  });

  it('reads vk::builtin', () => {
    const text =
      'void main([[vk::builtin("PointSize")]] out float s : PSIZE, [[vk::builtin("BaseVertex")]] int b : B) { s = b; }';
    expect(stage('vs_6_0', text)).toEqual({ inputs: ['BaseVertex'], outputs: ['PointSize'] });
  });

  it('reads attributes of the entry', () => {
    const compute = program('static const uint n = 4; [numthreads(n * 2, n, 1)] void main() { }', {
      profile: 'cs_6_0',
    });
    expect(compute.entry.threadGroupSize).toEqual([8, 4, 1]);
    const pixel = program('[earlydepthstencil] void main() { }', { entryPointName: 'PS' });
    expect(pixel.entry).toMatchObject({ earlyDepthStencil: true, name: 'PS', stage: 'pixel' });
  });
});

describe('types', () => {
  it.each([
    ['float3', 'float3'],
    ['vector<int, 2>', 'int2'],
    ['vector', 'float4'],
    ['matrix<half, 2, 3>', 'half2x3'],
    ['matrix', 'float4x4'],
    ['dword2', 'uint2'],
    ['unsigned int', 'uint'],
    ['uint32_t3', 'uint3'],
    ['min16float2x2', 'min16float2x2'],
    ['struct { int a; }', 'anonymous_1'],
  ])('%s is %s', (written, name) => {
    expect(typeName(globalOf(`static ${written} v;`, 'v').type)).toBe(name);
  });

  it.each([
    ['Texture2D', 'Texture2D<float4>'],
    ['Texture2DMS<float, 4>', 'Texture2DMS<float>'],
    ['RWTexture2DArray<uint2>', 'RWTexture2DArray<uint2>'],
    ['RasterizerOrderedBuffer<float>', 'RasterizerOrderedBuffer<float>'],
    ['Buffer<unorm float4>', 'Buffer<float4>'],
    ['sampler', 'SamplerState'],
    ['SamplerComparisonState', 'SamplerComparisonState'],
    ['RWByteAddressBuffer', 'RWByteAddressBuffer'],
    ['StructuredBuffer<float4x3>', 'StructuredBuffer<float4x3>'],
    ['TextureBuffer<S>', 'TextureBuffer<S>'],
    ['vk::SubpassInput<int>', 'SubpassInput<int>'],
    ['RaytracingAccelerationStructure', 'RaytracingAccelerationStructure'],
  ])('%s is %s', (written, name) => {
    expect(typeName(globalOf(`struct S { int a; }; ${written} v;`, 'v').type)).toBe(name);
  });

  it('nests arrays in the order written', () => {
    const text = 'typedef Texture2D T2[2]; T2 a[3][4]; static const int n = 2; Texture2D b[n * 2];';
    expect(typeName(globalOf(text, 'a').type)).toBe('Texture2D<float4>[3][4][2]');
    expect(typeName(globalOf(text, 'b').type)).toBe('Texture2D<float4>[4]');
  });

  it('packs matrices by modifier, typedef, pragma and option', () => {
    const text = `
      typedef row_major float4x4 R; typedef float4x4 P;
      cbuffer C { float4x4 a; row_major float4x4 b; R c; P d[2]; column_major P e; }
      #pragma pack_matrix(row_major)
      cbuffer D { float4x4 f; P g; column_major float2x2 h; }
      StructuredBuffer<float3x3> i;
      #pragma pack_matrix(column_major)
      StructuredBuffer<row_major float3x3> j; StructuredBuffer<float3x3> k;`;
    const orders = (name: string, options: Partial<Options> = {}) =>
      contentsOf(globalOf(text, name, options))
        .members.map((member) => member.matrixOrder?.[0])
        .join('');
    expect(orders('C')).toBe('crrcc');
    expect(orders('D')).toBe('rrc');
    expect(orders('C', { matrixPacking: 'row_major' })).toBe('rrrrc');
    const bufferOrder = (name: string) => {
      const { type } = globalOf(text, name);
      return type.kind === 'buffer' ? type.matrixOrder : undefined;
    };
    expect(['i', 'j', 'k'].map(bufferOrder)).toEqual(['row_major', 'row_major', 'column_major']);
  });

  it('keeps offsets of members', () => {
    const text = `
      cbuffer C { float a : packoffset(c1.y); float4 b : packoffset(c3); }
      struct P { [[vk::offset(16)]] float x; }; [[vk::push_constant]] P p; float r : register(c2);
      float main() : SV_Target { return p.x + r; }`;
    const { globals } = program(text);
    const offsets = globals.map((symbol) => [
      symbol.name,
      contentsOf(symbol).members.map((member) => member.offset),
    ]);
    expect(offsets).toEqual([
      ['C', [20, 48]],
      ['p', [16]],
      ['$Globals', [32]],
    ]);
    expect(globals[1]).toMatchObject({ storage: 'buffer', pushConstant: true });
  });

  it('knows bases, nested types, statics and methods defined outside', () => {
    const text = `
      struct Base { float b; float get() { return b; } };
      struct S : Base { struct Inner { int i; }; Inner inner; enum E { A = 3, B }; static const int n = 4; static float total;
        float f(float x); static float g(); };
      float S::total = 2; float S::f(float x) { return x + b + get() + n + total; } float S::g() { return S::B; }
      typedef S::Inner I;
      float main() : SV_Target { S s = (S)0; I i = s.inner; return s.f(1) + S::g() + i.i + S::n; }`;
    const { globals } = program(text, { preserveBindings: false });
    expect(globals.map((symbol) => [symbol.name, symbol.value, symbol.init !== undefined])).toEqual([
      ['n', 4, true],
      ['total', undefined, true],
    ]);
  });

  it('knows namespaces, also opened and reopened', () => {
    const text = `
      namespace a { static const int x = 1; namespace b { struct T { int v; }; int f() { return x; } } }
      namespace a::b { int g() { return f() + x; } } namespace a { int h(); } int a::h() { return b::g(); }
      using namespace a; using a::b::g; using U = a::b::T;
      int main() : SV_Target { U u = { 1 }; a::b::T t = u; return h() + g() + ::a::x + b::f() + t.v; }`;
    expect(messagesOf(text)).toEqual([]);
  });

  it('evaluates enumerators', () => {
    const text = `
      enum E { A, B = 5, C, D = B * 2 }; enum class F : uint { X = 7, Y, Bit = X << 1 }; enum { Z = 3 };
      static const int v[] = { A, C, D, (int)F::Y, Z, (int)F::Bit };`;
    expect(globalOf(text, 'v').value).toEqual([0, 6, 10, 8, 3, 14]);
  });

  it('completes unsized arrays and keeps values of constants', () => {
    const text =
      'static const float w[] = { 1, 2, 3 }; static const float2 k = float2(1, 2) * 2; static float n = 1;';
    expect(typeName(globalOf(text, 'w').type)).toBe('float[3]');
    expect(globalOf(text, 'k').value).toEqual([2, 4]);
    expect(globalOf(text, 'n').value).toBeUndefined();
  });

  it('reads Vulkan attributes of globals', () => {
    const spec = globalOf('[[vk::constant_id(3)]] const int c = 5;', 'c');
    expect(spec).toMatchObject({ storage: 'spec-constant', specId: 3, value: 5 });
    const input = globalOf('[[vk::input_attachment_index(2)]] SubpassInput s;', 's');
    expect(input.binding).toMatchObject({ inputAttachmentIndex: 2 });
    const image = globalOf('[[vk::image_format("r32f")]] globallycoherent RWTexture2D<float> t;', 't');
    expect(image).toMatchObject({
      coherent: true,
      attributes: [{ name: 'vk::image_format', args: ['r32f'] }],
    });
  });

  it('takes forward declarations', () => {
    const text = `
      struct S; float f(float x, float y = 2); struct S { float v; }; float f(float a, float b) { return a + b; }
      float main() : SV_Target { float g(float x); S s = { f(1) }; return s.v + g(1); } float g(float x) { return x; }`;
    expect(messagesOf(text)).toEqual([]);
  });

  it('knows the scopes of vk, and lets a program add to that namespace', () => {
    const text =
      'namespace vk { static const uint mine = 7; } static const uint v[] = { vk::SubgroupScope, vk::mine };';
    expect(globalOf(text, 'v').value).toEqual([3, 7]);
  });

  it('counts a const outside functions as a constant where one is needed, and as set from outside elsewhere', () => {
    const text =
      'const int n = 3; groupshared float a[n]; [numthreads(n, 1, 1)] void main() { a[n - 1] = 0; }';
    const { globals, entry } = program(text, { profile: 'cs_6_0' });
    expect(globals.map((symbol) => `${symbol.name} ${typeName(symbol.type)}`)).toEqual([
      '$Globals ConstantBuffer<$Globals>',
      'a float[3]',
    ]);
    expect(entry.threadGroupSize).toEqual([3, 1, 1]);
  });

  it('minds what is not supported only where the entry reaches it', () => {
    const text = (main: string) => `
      template<typename T> T id(T x) { return x; } interface I { float f(); };
      [maxvertexcount(3)] void gs(inout TriangleStream<float4> s) { s.Append(0); }
      float rays() { RayQuery<0> q; return id(1); }
      void main() { ${main} }`;
    expect(messagesOf(text(''))).toEqual([]);
    expect(messagesOf(text('rays();'))).toEqual([
      "4:22: error: the type 'RayQuery' is not supported yet [OS3403]",
      "2:30: error: 'id' is a template, and templates are not supported yet [OS3423]",
    ]);
  });
});

describe('statements', () => {
  it.each([
    ['if (i) f(); else { f(); }', '{if expression else {expression}}'],
    ['if (int k = i) f();', '{{k= if expression}}'],
    ['for (int k = 0; k < 2; k++) f();', '{for!(k=) expression}'],
    ['for (; i < 2;) { break; }', '{for() {break}}'],
    ['while (int k = i) { continue; }', '{while!( k=) {continue}}'],
    ['do f(); while (i > 1);', '{do() expression}'],
    ['for (i = 0; i < 2; i++) int k = i;', '{for(expression) k=}'],
    ['int a = 1, b, c = a;', '{a= b c=}'],
    ['typedef int T; struct S { T t; }; S s; discard;', '{s discard}'],
    [
      'switch (i) { case 1: case 2: f(); break; default: f(); case 3: { break; } }',
      '{switch [1,2: expression break][default: expression][3: {break}]}',
    ],
    ['switch (i) { case -1: { } case 0x80000000: }', '{switch [-1: {}][-2147483648: ]}'],
    ['switch ((uint)i) { case -1: break; }', '{switch [4294967295: break]}'],
    ['switch (i) { default: }', '{switch [default: ]}'],
    ['static int s = 1; s++;', '{s expression}'],
  ])('%s', (code, expected) => {
    expect(statements(code)).toBe(expected);
  });

  it('lets variables of for leak before HLSL 2021', () => {
    const code = 'for (int k = 0; k < 2; k++) f(); k = 1;';
    expect(statements(code, { languageVersion: 2018 })).toBe('{k= for() expression expression}');
    expect(messagesOf(`void f() { } void main() { ${code} }`).join()).toContain("undeclared identifier 'k'");
  });

  it('reads hints', () => {
    const { entry } = program(`void main(int i : I) {
      [unroll(4)] for (int k = 0; k < 4; k++) { } [loop] while (i > 9) i--; [branch] if (i) i++; [forcecase] switch (i) { case 0: }
      [fastopt] [allow_uav_condition] for (;;) break;
    }`);
    const hints = entry.function.body!.statements.map((statement) =>
      'hint' in statement ? statement.hint : undefined,
    );
    expect(hints).toEqual([
      { kind: 'unroll', count: 4 },
      { kind: 'loop' },
      { kind: 'branch' },
      { kind: 'forcecase' },
      { kind: 'allow_uav_condition' },
    ]);
  });

  it('makes static locals globals with an owner', () => {
    const { globals } = program('float main() : SV_Target { static float s = 1; return s; }', {
      preserveBindings: false,
    });
    expect(globals.map((symbol) => [symbol.name, symbol.storage, symbol.owner?.name])).toEqual([
      ['s', 'static', 'main'],
    ]);
  });

  it('warns of a missing return only where control gets to the end', () => {
    const ends = (body: string) => messagesOf(`float f(int i) { ${body} } void main() { }`).length;
    expect(ends('return 1;')).toBe(0);
    expect(ends('if (i) return 1; else return 2;')).toBe(0);
    expect(ends('while (true) { if (i) return 1; }')).toBe(0);
    expect(ends('switch (i) { case 0: return 1; default: return 2; }')).toBe(0);
    expect(ends('do { return 1; } while (i);')).toBe(0);
    expect(ends('if (i) return 1;')).toBe(1);
    expect(ends('while (true) { if (i) break; return 1; }')).toBe(1);
    expect(ends('switch (i) { case 0: return 1; }')).toBe(1);
    expect(ends('switch (i) { case 0: break; default: return 2; }')).toBe(1);
  });

  it('refuses recursion with the chain of calls', () => {
    const text = `
      void h(int n); void g(int n) { h(n); } void h(int n) { if (n) g(n - 1); }
      void main() { g(1); }`;
    expect(messagesOf(text)).toEqual([
      '2:69: error: recursive functions are not allowed: g -> h -> g [OS3801]',
    ]);
    expect(messagesOf(text.replace('g(1);', ''))).toEqual([]);
  });

  it('stands long chains of calls and statics', () => {
    const count = 5000;
    const functions = Array.from({ length: 998 }, (_, i) => `float f${i + 1}() { return f${i}() + s${i}; }`);
    const statics = Array.from({ length: count }, (_, i) => `static float s${i + 1} = s${i} + 1;`);
    const text = `float u; static float s0 = u; ${statics.join('\n')} float f0() { return s${count}; } ${functions.join('\n')}
      float main() : SV_Target { return f998(); }`;
    expect(messagesOf(text)).toEqual([]);
  });
});

it('members of a faulty type are one mistake, wherever the others are placed', () => {
  const text =
    'struct S { NoSuch a; [[vk::offset(16)]] float4 b; }; StructuredBuffer<S> s; ConstantBuffer<S> k; cbuffer C { S c : packoffset(c0); float4 d : packoffset(c1); } float4 main() : SV_Target { return d; }';
  expect(messagesOf(text)).toEqual([expect.stringContaining('OS3402')]);
});

it('members that are objects of the effect framework are ignored, in every use of their struct', () => {
  const use = (body: string) =>
    `struct S { BlendState a; float x; DepthStencilState b[2]; }; static S s; float of(S v) { return v.x; }
cbuffer C { S k; } float4 main() : SV_Target { S l = s; l.x = k.x; ${body} return of(l); }`;
  for (const optimize of [false, true]) {
    const result = compile({
      source: { name: 'a.hlsl', text: use('') },
      profile: 'ps_6_0',
      optimize,
      debugInfo: true,
    });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['OS3413', 'OS3413']);
    expect(result.spirv).toBeDefined();
  }
  expect(messagesOf(use('l.a = 0;'), { disabledWarnings: ['effects-syntax'] })).toEqual([
    "2:70: error: no member named 'a' in 'S' [OS3060]",
  ]);
});
