import { expect, test } from 'vitest';
import { licm } from '../../src/passes/licm.ts';
import { bodyBehind } from '../support/passes.ts';

const declarations = `file a.hlsl
scope unit unit at a.hlsl:1:1
global @b: ptr<resource, ConstantBuffer<float4>> resource set 0 binding 0
global @s: ptr<resource, StructuredBuffer<float>> resource set 0 binding 1`;

/** What stands in front of a loop with this body. */
const moved = (body: string): string[] => {
  const lines = bodyBehind(
    licm,
    '%c: bool, %x: float, %i: int, %p: ptr<function, float>',
    'void',
    `loop (%n: int = 0) {\nif %c {\nyield\n} else {\nbreak\n}\n${body}\ncontinue\n} continuing {\n%m: int = add %n, 1\nrepeat %m\n}\nreturn`,
    declarations,
  );
  return lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('loop')),
  );
};

test('pure code that each turn shares goes in front, with what it needs', () => {
  expect(moved('%a: float = mul %x, %x\n%b: float = intrinsic "sin" %a\nstore %p, %b')).toEqual([
    '%a: float = mul %x, %x',
    '%b: float = intrinsic "sin" %a',
  ]);
});

test('divisions go too: they trap nowhere', () => {
  expect(moved('%a: int = div %i, 0\n%b: float = convert %a\nstore %p, %b')).toHaveLength(2);
});

test('loads of a constant buffer at a fixed place go', () => {
  expect(
    moved(
      '%q: ptr<uniform, float4, vulkan-uniform> = buffer_pointer @b\n%a: float4 = load %q\n%b: float = extract %a [0]\nstore %p, %b',
    ),
  ).toHaveLength(3);
});

test.each([
  ['what a turn changes', '%a: float = convert %n\nstore %p, %a'],
  ['memory of the function', '%a: float = load %p\n%b: float = add %x, 1.0\nstore %p, %a'],
  ['derivatives', '%a: float = intrinsic "ddx" %x\nstore %p, %a'],
  [
    'an element that may not be there',
    '%q: ptr<storage, float, vulkan-storage> = buffer_pointer @s, %i\n%a: float = load %q\nstore %p, %a',
  ],
  [
    'costly code of an arm',
    'if %c {\n%a: float = intrinsic "sin" %x\nstore %p, %a\nyield\n} else {\nyield\n}',
  ],
])('%s stays', (_, body) => {
  expect(moved(body).filter((line) => !line.includes('buffer_pointer') && !line.includes('add'))).toEqual([]);
});
