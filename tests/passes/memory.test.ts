import { describe, expect, test } from 'vitest';
import { dropUnusedInterface } from '../../src/passes/drop-unused-interface.ts';
import { dropUnusedResources } from '../../src/passes/drop-unused-resources.ts';
import { foldStaticConstants } from '../../src/passes/fold-static-constants.ts';
import { localizeGlobals } from '../../src/passes/localize-globals.ts';
import { reduceLoads } from '../../src/passes/reduce-loads.ts';
import { mainBehind, type Pass, passed } from '../support/passes.ts';

const head = `struct Light { dir: float3, power: float[2], m: float2x2 }
global @in: ptr<resource, StructuredBuffer<Light>> resource set 0 binding 0
global @m: ptr<workgroup, float4x4> workgroup
global @k: ptr<private, float[2]> private = float[2](1.0, 2.0)
global @c: ptr<private, int> private = 4
global @z: ptr<private, int> private
global @f: ptr<workgroup, float> workgroup
global @n: ptr<workgroup, int> workgroup
`;
const text = (body: string, rest = ''): string =>
  `${head}function main(): void entry compute "main" {\n${body}\nreturn\n}\n${rest}`;
const lines = (pass: Pass, body: string, rest = ''): string[] => mainBehind(text(body, rest), [pass]);

describe('reduceLoads', () => {
  const load = `%p: ptr<storage, Light, std430> = buffer_pointer @in, 3
    %l: Light = load %p
    `;
  test('loads only the parts that are used, one component of a vector alone', () => {
    expect(
      lines(
        reduceLoads,
        `${load}%0: float = extract %l [0, 1]\n%1: float = extract %l [1, 1]\n%2: float = add %0, %1\nstore @f, %2`,
      ),
    ).toEqual([
      '%p: ptr<storage, Light, std430> = buffer_pointer @in, 3',
      '%0: ptr<storage, float, std430> = access %p, 0, 1',
      '%1: float = load %0',
      '%2: ptr<storage, float, std430> = access %p, 1, 1',
      '%3: float = load %2',
      '%4: float = extract undef Light [0, 1]',
      '%5: float = extract undef Light [1, 1]',
      '%6: float = add %1, %3',
      'store @f, %6',
      'return',
    ]);
  });
  test('several components of a vector load the vector', () => {
    const made = lines(
      reduceLoads,
      `${load}%0: float = extract %l [0, 1]\n%1: float = extract %l [0, 2]\n%2: float = add %0, %1\nstore @f, %2`,
    );
    expect(made.slice(1, 3)).toEqual([
      '%0: ptr<storage, float3, std430> = access %p, 0',
      '%1: float3 = load %0',
    ]);
    expect(made).toContain('%2: float = extract %1 [1]');
  });
  test('what is used whole is loaded whole; so is a matrix of which most is used', () => {
    const rows = [0, 1, 2].map((row) => `%${row}: float4 = extract %x [${row}]`).join('\n');
    const sum = '%a: float4 = add %0, %1\n%b: float4 = add %a, %2\n%c: float = extract %b [0]\nstore @f, %c';
    expect(lines(reduceLoads, `%x: float4x4 = load @m\n${rows}\n${sum}`)).not.toContain(
      '%0: ptr<workgroup, float4> = access @m, 0',
    );
    const two = '%a: float4 = add %0, %1\n%c: float = extract %a [0]\nstore @f, %c';
    expect(lines(reduceLoads, `%x: float4x4 = load @m\n${rows}\n${two}`)).toContain(
      '%0: ptr<workgroup, float4> = access @m, 0',
    );
  });
});

describe('foldStaticConstants', () => {
  test('loads of what nothing writes are constants, but for run-time indices', () => {
    expect(
      lines(
        foldStaticConstants,
        `%i: int = load @c
         store @n, %i
         %p: ptr<private, float> = access @k, 1
         %0: float = load %p
         store @f, %0
         %q: ptr<private, float> = access @k, %i
         %1: float = load %q
         store @f, %1`,
      ).filter((line) => line.startsWith('store')),
    ).toEqual(['store @n, 4', 'store @f, 2.0', 'store @f, %1']);
  });
  test('not if any function writes it', () => {
    const other = 'function f(): void {\nstore @c, 5\nreturn\n}\n';
    expect(lines(foldStaticConstants, '%i: int = load @c\nstore @n, %i\ncall f', other)).toContain(
      'store @n, %i',
    );
  });
});

describe('localizeGlobals', () => {
  test('becomes a variable with its initializer or zero', () => {
    const body = '%i: int = load @c\nstore @z, %i\n%j: int = load @z\nstore @n, %j';
    const made = lines(localizeGlobals, body);
    expect(made.slice(0, 5)).toEqual([
      '%c: ptr<function, int> = var',
      '%z: ptr<function, int> = var',
      'store %c, 4',
      'store %z, 0',
      '%i: int = load %c',
    ]);
    expect(passed(text(body), localizeGlobals).globals.map(({ name }) => name)).not.toContain('c');
  });
  test('stays if another function uses it, or a run-time index', () => {
    const other = 'function f(): void {\nstore @c, 5\nreturn\n}\n';
    expect(lines(localizeGlobals, 'call f\n%i: int = load @c\nstore @n, %i', other)).toContain(
      '%i: int = load @c',
    );
    const indexed = '%i: int = load @n\n%p: ptr<private, float> = access @k, %i\nstore %p, 1.0';
    expect(lines(localizeGlobals, indexed)).toContain('%p: ptr<private, float> = access @k, %i');
  });

  test('one that nothing uses goes; debuggers are told its value', () => {
    const shown = `scope unit unit at a.hlsl:1:1
      scope main function "main" in unit at a.hlsl:2:1
      file a.hlsl
      global @k: ptr<private, int> private = 7 at a.hlsl:1:3 debug "k": int in unit at a.hlsl:1:3
      function main(): void in main entry compute "main" {
      return
      }
    `;
    const module = passed(shown, localizeGlobals);
    expect(module.globals).toEqual([]);
    expect(module.debugVariables.map(({ name }) => name)).toEqual(['k']);
    expect(mainBehind(shown, [localizeGlobals])).toEqual(['debug_value $k 7', 'return']);
  });
});

describe('what nothing uses', () => {
  const interfaces = `global @t: ptr<resource, StructuredBuffer<int>> resource set 0 binding 0
    global @u: ptr<resource, StructuredBuffer<int>> resource set 0 binding 1
    global @i: ptr<input, float> input "i": float semantic "A" 0 location 0
    global @j: ptr<input, float> input "j": float semantic "B" 0 location 1
    global @o: ptr<output, float> output "o": float semantic "SV_Target" 0 location 0
    function main(): void entry pixel "main" inputs @i @j outputs @o {
    %p: ptr<storage, int, std430> = buffer_pointer @u, 0
    %0: int = load %p
    %1: float = convert %0
    %2: float = load @j
    %3: float = add %1, %2
    store @o, %3
    return
    }
  `;
  const names = (...passes: Pass[]): string[] =>
    passed(interfaces, ...passes).globals.map(({ name }) => name);
  test('resources', () => {
    expect(names(dropUnusedResources)).toEqual(['u', 'i', 'j', 'o']);
  });
  test('inputs and outputs, in the lists of the entry point too', () => {
    expect(names(dropUnusedInterface)).toEqual(['t', 'u', 'j', 'o']);
    const { entry } = passed(interfaces, dropUnusedInterface).functions[0]!;
    expect([...entry!.inputs, ...entry!.outputs].map(({ name }) => name)).toEqual(['j', 'o']);
  });
});
