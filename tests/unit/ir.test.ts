import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Builder } from '../../src/ir/builder.ts';
import type { Block, Module, Value } from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { print } from '../../src/ir/print.ts';
import { validate } from '../../src/ir/validate.ts';
import { calleesOf, terminatorOf, walkModule } from '../../src/ir/walk.ts';
import { PositionTable, type Scope } from '../../src/source/position.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import { floatType, voidType } from '../../src/types/type.ts';

const everything = `module enable_16bit_types memory std430 row_major
file main.hlsl
file lib/light.hlsli included main.hlsl:1:1
file lib/light.hlsli.2 named "lib/light.hlsli" included main.hlsl:2:1
file "<built in>" made
struct Inner {
  a: float3 semantic "POSITION" modifiers "centroid" "precise" attributes [location(3) at main.hlsl:4:3] at main.hlsl:4:10
}
struct Outer class at main.hlsl:6:8 {
  Inner: Inner base,
  m: float3x4[2] row_major offset 16,
  handle: uint
}
enum Mode int scoped at main.hlsl:5:6 { off = 0, on = 1 }
scope unit unit at main.hlsl:1:1
scope main function "main" in unit at main.hlsl:10:1 body main.hlsl:10:20
scope "S.weight<float>" function "S.weight<float>" in unit at lib/light.hlsli:1:1
scope "S.weight<float>.2" function "S.weight<float>" in unit at lib/light.hlsli.2:1:1
scope main.1 block in main at main.hlsl:11:1
scope main.2 block in main.1 at main.hlsl:12:1
global @tex: ptr<resource, Texture2DMSArray<float4>[4]> resource set 1 binding 2 register t 3 1 at main.hlsl:7:1
global @items: ptr<resource, RWStructuredBuffer<Outer, row_major>> resource set 0 binding 0 counter 0 1 coherent attributes [counter_binding(1)]
global @bytes: ptr<resource, RWByteAddressBuffer> resource set 0 binding 3
global @k: float spec-constant 7 = 1.5
global @table: ptr<private, float2[2]> private = float2[2]((1.0, -0.0), (0.1, inf)) debug "table": float2[2] in unit at main.hlsl:8:1
global @shared: ptr<workgroup, int> workgroup
global @push: ptr<push-constant, Outer, std430> push-constant
global @in.var.A: ptr<input, float4> input "in.var.A": float4 semantic "A" 0 builtin "SV_Position" location 2 index 1 interpolation nointerpolation centroid precise place main.hlsl:9:3-20
global @out.var.B: ptr<output, half> output "out.var.B": half semantic "B" 1
variable $x "x": float3x4 in main at main.hlsl:10:12-13 argument 1 this
variable $x.2 "x": int in main.2 at main.hlsl:12:3-4

function main(): void in main entry pixel "main" threads 8 4 1 early_depth_stencil depth greater inputs @in.var.A outputs @out.var.B attributes [early(1, "x")] {
  %x: ptr<function, float3x4> = var  ; main.hlsl:10:12 in main.1
  debug_declare $x %x  ; main.hlsl:10:12-13
  debug_value $x.2 5 [0, 1]  ; main.hlsl:10:12-14:2
  %0: float = intrinsic "exp" 1.0  ; lib/light.hlsli:6:10 in "S.weight<float>", from main.hlsl:15:12-20
  %1: float = precise add %0, @k  ; "<built in>":2:1
  %2: int64_t = convert %1  ; main.hlsl:11:1
  %3: int64_t = add %2, int64_t(9007199254740993)  ; main.hlsl:11:1
  %sum: float, %4: int = loop (%i: int = 0, %acc: float = 0.0) hint unroll 4 {  ; main.hlsl:14:3
    %more: bool = less %i, 8  ; main.hlsl:14:21
    if %more hint branch {  ; main.hlsl:14:3
      yield  ; main.hlsl:14:3
    } else {
      break %acc, %i  ; main.hlsl:14:3
    }
    continue %acc  ; main.hlsl:14:3
  } continuing (%a: float) {
    %j: int = add %i, 1  ; main.hlsl:14:3
    repeat_if true (%j, %a) (nan, undef int)  ; main.hlsl:14:3
  }
  switch %4 hint forcecase {  ; main.hlsl:14:3
  case 1, default {
    fallthrough  ; main.hlsl:14:3
  }
  case -2 {
    break  ; main.hlsl:14:3
  }
  }
  coherent store @shared, 3  ; main.hlsl:14:3
  call "S.weight<float>.2" Mode(1), Outer(((1.0, 2.0, 3.0)), (((1.0, 2.0, 3.0, 4.0), (1.0, 2.0, 3.0, 4.0), (1.0, 2.0, 3.0, 4.0)), ((1.0, 2.0, 3.0, 4.0), (1.0, 2.0, 3.0, 4.0), (1.0, 2.0, 3.0, 4.0))), 4)  ; main.hlsl:14:3
  return  ; main.hlsl:14:3
}

function "S.weight<float>"(%a: float, %b: ptr<function, float>): float in "S.weight<float>" attributes "noinline" {
  %0: float = load %b  ; lib/light.hlsli:2:1
  return %0  ; lib/light.hlsli:2:1
}

function "S.weight<float>.2"(%mode: Mode, %outer: Outer): void in "S.weight<float>.2" named "S.weight<float>" {
  return  ; lib/light.hlsli.2:2:1
}
`;

const small = (body: string, rest = ''): string =>
  `function main(): void entry compute "main" {\n${body}\nreturn\n}\n${rest}`;

describe('text form', () => {
  test('a module with everything prints as it was read', () => {
    const once = print(parseModule(everything));
    expect(print(parseModule(once))).toBe(once);
    // The tables come out as they went in, but for their order.
    const lines = (text: string): string[] =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .sort();
    expect(lines(once)).toEqual(lines(everything));
  });

  test('positions may be left out', () => {
    const module = parseModule(small('%a: float = add 1.0, 2.0'));
    expect(validate(module)).toEqual([]);
    expect(print(module)).toContain('%a: float = add 1.0, 2.0  ; text.ir:2:1-25');
  });

  test('a mistake names line and column', () => {
    expect(() => parseModule('function main(): void {\n  return %x\n}')).toThrow("2:10: unknown value '%x'");
    expect(() => parseModule('function main(): void {\n  jump\n}')).toThrow("2:3: unknown opcode 'jump'");
    expect(() => parseModule(small('call gone'))).toThrow("function 'gone' is called but not there");
    expect(() => parseModule(small('%a: Gone = load %b'))).toThrow("unknown type 'Gone'");
  });

  test('what is printed is read back the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { maxLength: 60 }),
        fc.array(fc.float(), { minLength: 1, maxLength: 5 }),
        (choices, floats) => {
          const module = randomModule(choices, floats);
          expect(validate(module)).toEqual([]);
          const text = print(module);
          const read = parseModule(text);
          expect(validate(read)).toEqual([]);
          expect(print(read)).toBe(text);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** A valid function whose shape follows the numbers. */
function randomModule(choices: readonly number[], floats: readonly number[]): Module {
  const map = new SourceMap();
  const file = map.add('a b.hlsl', 'float f;\n\tähnlich();\n'.repeat(20), 0);
  const positions = new PositionTable(map);
  const unit: Scope = { kind: 'unit', location: 1 };
  const scope: Scope = { kind: 'function', parent: unit, location: 3, name: 'main' };
  const module: Module = {
    sourceMap: map,
    positions,
    unit,
    functions: [],
    globals: [],
    debugVariables: [],
    enable16BitTypes: false,
  };
  const builder = new Builder(module);
  const body: Block = builder.newBlock();
  const entry = { stage: 'compute' as const, name: 'main', inputs: [], outputs: [], attributes: [] };
  module.functions.push({
    kind: 'function',
    name: 'main',
    parameters: [],
    returnType: voidType,
    body,
    scope,
    entry,
    attributes: [],
  });
  let next = 0;
  const choose = (count: number): number => (choices[next++] ?? 0) % count;
  const here = (): void => {
    const at = file.start + choose(file.text.length - 12);
    const inner: Scope = choose(3) === 0 ? { kind: 'block', parent: scope, location: at } : scope;
    const call = choose(4) === 0 ? positions.intern(at, at + 2, scope) : 0;
    builder.at(positions.intern(at, at + choose(12), inner, call));
  };
  const fill = (block: Block, values: readonly Value[], depth: number): void => {
    const known = [...values, ...floats.map((value) => builder.float(value))];
    const any = (): Value => known[choose(known.length)]!;
    for (let count = choose(5); count > 0; count--) {
      here();
      builder.into(block);
      if (choose(3) > 0 || depth > 3) {
        known.push(builder.binary('add', any(), any()));
        continue;
      }
      const condition = builder.compare('less', any(), any());
      const [then, otherwise] = [builder.newBlock(), builder.newBlock()];
      const made = builder.if(condition, then, otherwise, choose(2) ? [floatType] : []);
      for (const arm of [then, otherwise]) {
        fill(arm, known, depth + 1);
        builder.into(arm);
        builder.yield(...made.results.map(() => any()));
      }
      known.push(...made.results);
    }
  };
  here();
  fill(body, [], 0);
  here();
  builder.into(body).return();
  return module;
}

describe('validator', () => {
  const broken: [string, string, string][] = [
    ['no terminator', 'function main(): void { %a: int = add 1, 2 }', 'a block ends without a terminator'],
    ['an early terminator', 'function main(): void { return return }', 'return is not last'],
    ['an empty block', 'function main(): void { }', 'an empty block'],
    ['yield in a function', 'function main(): void { yield }', 'yield cannot end a function block'],
    ['break outside loops', small('if true { break } else { yield }'), 'break outside a loop or switch'],
    ['repeat in a body', small('loop { repeat } continuing { repeat }'), 'repeat cannot end a body block'],
    [
      'return in continuing',
      small('loop { break } continuing { return }'),
      'return cannot end a continuing block',
    ],
    [
      'nothing to fall into',
      small('switch 1 { case 1 { fallthrough } }'),
      'fallthrough cannot end a switch block',
    ],
    [
      'yield without value',
      small('%a: int = if true { yield } else { yield 1 }'),
      'yield with 0 values for 1',
    ],
    [
      'yield of another type',
      small('%a: int = if true { yield 1u } else { yield 1 }'),
      "yield with 'uint' for 'int'",
    ],
    [
      'break without value',
      small('%a: int = loop { break } continuing { repeat }'),
      'break with 0 values for 1',
    ],
    [
      'repeat without value',
      small('loop (%i: int = 0) { continue } continuing { repeat }'),
      'repeat with 0 values for 1',
    ],
    ['a label twice', small('switch 1 { case 1, 1 { yield } }'), 'a label stands twice'],
    [
      'results without default',
      small('%a: int = switch 1 { case 1 { break 1 } }'),
      'a switch with results needs a default',
    ],
    ['other operand types', small('%a: int = add 1, 2.0'), "'int' is not the type of 'float'"],
    ['another result type', small('%a: float = add 1, 2'), "'float' is not the type 'int'"],
    ['arithmetic on bools', small('%a: bool = add true, true'), "not for 'bool'"],
    ['too few operands', small('%a: int = add 1'), 'add has 1 operands'],
    [
      'no dominance',
      small('if true { %a: int = add 1, 2 yield } else { %b: int = add %a, 1 yield }'),
      'add uses a value that does not dominate it',
    ],
    [
      'a body value in continuing',
      small('loop { %a: int = add 1, 2 continue } continuing { %b: int = add %a, 1 repeat }'),
      'add uses a value that does not dominate it',
    ],
    [
      'var below the head',
      small('%a: int = add 1, 2 %v: ptr<function, int> = var'),
      'var is not at the head',
    ],
    [
      'var in a block',
      small('if true { %v: ptr<function, int> = var yield } else { yield }'),
      'var is not at the head',
    ],
    [
      'var in another space',
      small('%v: ptr<private, int> = var'),
      'the result is no pointer to function memory',
    ],
    ['position 0', small('%a: int = add 1, 2 ; 0'), 'add has no position'],
    [
      'a foreign scope',
      small('%a: int = add 1, 2 ; a.hlsl:1:1 in f', 'function f(): void in f { return }').replace(
        /^/,
        'scope f function "f" in unit\n',
      ),
      'the scope of add is not in the function',
    ],
    ['load of a value', small('%a: int = load 1'), 'the operand is no pointer'],
    [
      'store of another type',
      small('%v: ptr<function, int> = var store %v, 1.0'),
      "'float' is not the type 'int'",
    ],
    [
      'store to an input',
      `global @i: ptr<input, int> input "i": int semantic "I" 0\n${small('store @i, 1')}`,
      'nothing can be stored to input',
    ],
    [
      'a missing member',
      `struct S { a: int }\n${small('%v: ptr<function, S> = var %m: ptr<function, int> = access %v, 1')}`,
      "no part 1 in 'S'",
    ],
    [
      'a dynamic member',
      `struct S { a: int }\n${small('%v: ptr<function, S> = var %i: int = add 1, 2 %m: ptr<function, int> = access %v, %i')}`,
      'a struct member needs a constant index',
    ],
    [
      'a float index',
      small('%v: ptr<function, int[2]> = var %m: ptr<function, int> = access %v, 1.0'),
      "no index: 'float'",
    ],
    [
      'a global of another space',
      `global @g: ptr<workgroup, int> private\n${small('')}`,
      'is no pointer of space private',
    ],
    [
      'debug_declare of a value',
      `variable $x "x": int in unit\n${small('debug_declare $x 1')}`,
      'debug_declare needs a var',
    ],
    [
      'too few arguments',
      small('call f', 'function f(%a: int): void { return }'),
      '0 arguments for 1 parameters',
    ],
    [
      'return without value',
      small('', 'function f(): int { return }'),
      'return does not fit the return type',
    ],
    ['a bad swizzle', small('%s: float = swizzle float2(1.0, 2.0) [2]'), 'no such component'],
    ['a bad extract', small('%s: float = extract float2(1.0, 2.0) [2]'), 'no part 2'],
    ['construct of the wrong count', small('%s: float2 = construct 1.0'), '1 operands for 2 parts'],
    [
      'a buffer without index',
      `global @b: ptr<resource, StructuredBuffer<int>> resource set 0 binding 0\n${small('%p: ptr<storage, int, std430> = buffer_pointer @b')}`,
      'an index is missing',
    ],
  ];
  test.each(broken)('catches %s', (_, text, problem) => {
    const problems = validate(parseModule(text));
    expect(problems.join('\n')).toContain(problem);
  });

  test('accepts what a shader needs', () => {
    const text = small(
      `%v: ptr<function, float4> = var
      %p: ptr<storage, float4, vulkan-storage> = buffer_pointer @b, 1u
      %x: float4 = load %p
      store %v, %x
      %c: ptr<function, float> = access %v, 2
      store %c, 1.0
      %t: ptr<texel, float4> = texel @t, int2(1, 2), 0
      %y: float4 = load %t
      loop (%i: int = 0) { switch %i { case 0 { continue } case default { break } } if true { return } else { break } unreachable }
      continuing { %j: int = add %i, 1 repeat %j }`,
    );
    const globals = `global @b: ptr<resource, StructuredBuffer<float4>> resource set 0 binding 0
      global @t: ptr<resource, Texture2D<float4>> resource set 0 binding 1\n`;
    expect(validate(parseModule(globals + text))).toEqual([]);
  });
});

describe('walk', () => {
  test('finds callees and terminators', () => {
    const module = parseModule(
      small(
        '%a: int = add 1, 2 if true { %b: int = add %a, %a yield } else { call f yield }',
        'function f(): void { return }',
      ),
    );
    const main = module.functions[0]!;
    const ops: string[] = [];
    walkModule(module, (instruction) => ops.push(instruction.op));
    expect(ops).toEqual(['add', 'if', 'add', 'yield', 'call', 'yield', 'return', 'return']);
    expect(calleesOf(main).map((fn) => fn.name)).toEqual(['f']);
    expect(terminatorOf(main.body)?.op).toBe('return');
  });
});
