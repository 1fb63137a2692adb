import { expect, test } from 'vitest';
import { compileModule } from '../../src/compile.ts';
import { print } from '../../src/ir/print.ts';
import { forwardMemory } from '../../src/passes/forward-memory.ts';
import { bodyBehind, mainBehind } from '../support/passes.ts';

const declarations = `file a.hlsl
scope unit unit at a.hlsl:1:1
global @b: ptr<resource, RWStructuredBuffer<float>> resource set 0 binding 0
global @g: ptr<workgroup, float[64]> workgroup
global @s: ptr<private, float> private
variable $v "v": float in unit at a.hlsl:1:1`;
const behind = (body: string): string =>
  bodyBehind(
    forwardMemory,
    '%c: bool, %x: float, %y: float, %i: int',
    'void',
    `${body}\nreturn`,
    declarations,
  )
    .slice(0, -1)
    .join('\n');
const element = '%q: ptr<workgroup, float> = access @g, 7\n';

test('a load of what was stored is that value, for debug values too', () => {
  expect(behind(`${element}store %q, %x\n%a: float = load %q\ndebug_value $v %a\nstore @s, %a`)).toBe(
    `${element}store %q, %x\ndebug_value $v %x\nstore @s, %x`,
  );
});

test('a load of what was loaded is the first one, in arms and turns of loops too', () => {
  const body = `%a: float = load @s
if %c {
%b: float = load @s
return
} else {
yield
}`;
  expect(behind(`${body}\nstore @s, %x\n%d: float = load @s\nstore @s, %d`)).toBe(`%a: float = load @s
if %c {
  return
} else {
  yield
}
store @s, %x`);
});

test('stores beside a place leave it', () => {
  const two = '%q: ptr<workgroup, float> = access @g, 1\n%r: ptr<workgroup, float> = access @g, 2\n';
  expect(behind(`${two}store %q, %x\nstore %r, %y\n%a: float = load %q\nstore @s, %a`)).toContain(
    'store @s, %x',
  );
});

test('what an arm has learned does not hold behind it', () => {
  const arm = 'if %c {\n%b: float = load @s\nyield\n} else {\nyield\n}';
  expect(behind(`${arm}\n%a: float = load @s\nstore @s, %a`)).toContain('%a: float = load @s');
});

test('a store to a buffer that the next one overwrites goes', () => {
  const place = '%q: ptr<storage, float, vulkan-storage> = buffer_pointer @b, %i\n';
  expect(behind(`${place}store %q, %x\nstore %q, %y`)).toBe(`${place}store %q, %y`);
  const read = `${place}store %q, %x\n%a: float = load %q\nstore %q, %y\nstore @s, %a`;
  expect(behind(read)).toBe(read);
});

test('but not in a variable, whose memory debuggers show', () => {
  const body = 'store @s, %x\nstore @s, %y';
  expect(behind(body)).toBe(body);
});

test('positions go along, those of what stays are kept', () => {
  const text = `file a.hlsl
scope unit unit at a.hlsl:1:1
scope main function "main" in unit at a.hlsl:2:1
global @s: ptr<private, float> private
global @t: ptr<private, float> private
function main(): void in main entry compute "main" {
%a: float = load @s ; a.hlsl:3:1 in main
%b: float = load @s ; a.hlsl:4:1 in main
store @t, %b ; a.hlsl:5:1 in main
return ; a.hlsl:6:1 in main
}
`;
  expect(mainBehind(text, [forwardMemory], true)).toEqual([
    '%a: float = load @s  ; a.hlsl:3:1',
    'store @t, %a  ; a.hlsl:5:1',
    'return  ; a.hlsl:6:1',
  ]);
});

test('a store that may be outside of the array hands nothing on, its loads do', () => {
  const outside = '%q: ptr<workgroup, float> = access @g, %i\n%r: ptr<workgroup, float> = access @g, 64\n';
  const body = `${outside}store %q, %x\n%a: float = load %q\nstore %r, %y\n%b: float = load %r\n%c1: float = load %r\nstore @s, %a\nstore @s, %b\nstore @s, %c1\nstore @s, %x`;
  expect(behind(body)).toBe(
    `${outside}store %q, %x\n%a: float = load %q\nstore %r, %y\n%b: float = load %r\nstore @s, %a\nstore @s, %b\nstore @s, %x`,
  );
});

test('in the pipeline: a sum in group-shared memory is loaded once between barriers', () => {
  const text = `groupshared float sums[64]; RWStructuredBuffer<float> o;
[numthreads(64, 1, 1)] void main(uint t : SV_GroupIndex) {
  sums[7] = o[t];
  o[t + 64] = sums[7];
  GroupMemoryBarrierWithGroupSync();
  o[t + 128] = sums[7] + sums[63 - t] + sums[7];
}`;
  const { module } = compileModule({ source: { name: 'a.hlsl', text }, profile: 'cs_6_0' });
  const loads = print(module!).match(/load %/g) ?? [];
  // The buffer, and two behind the barrier.
  expect(loads).toHaveLength(3);
});

test('thousands of places take time as one', () => {
  const text = `groupshared float g[4096]; [numthreads(1, 1, 1)] void main(uint t : SV_GroupIndex) {
${Array.from({ length: 3000 }, (_, i) => `g[${i}] = t; g[${(i * 7) % 3000}] += g[${i}];`).join('\n')} }`;
  const start = process.cpuUsage();
  compileModule({ source: { name: 'a.hlsl', text }, profile: 'cs_6_0' });
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(20);
});
