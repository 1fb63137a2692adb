import { expect, test } from 'vitest';
import { splitDebugConstants } from '../../src/spirv/legalize/split-debug-constants.ts';
import { mainBehind } from '../support/passes.ts';

const head = `struct P {
  x: float,
  y: float
}
scope unit unit at a.hlsl:1:1
scope main function "main" in unit at a.hlsl:1:1
variable $p "p": P in main at a.hlsl:3:5-6
variable $m "m": float2x2 in main at a.hlsl:3:8-9
file a.hlsl
global @s: ptr<private, P> private
global @f: ptr<private, float> private
`;

/** The records behind the pass, with the lines of their positions. */
function records(body: string): string[] {
  const placed = body.replace(/@(\d+)$/gm, '; a.hlsl:$1:1 in main');
  const text = `${head}function main(): void in main entry compute "main" {\n${placed}\nreturn ; a.hlsl:9:1 in main\n}\n`;
  return mainBehind(text, [splitDebugConstants], true)
    .filter((line) => line.startsWith('debug_value'))
    .map((line) => line.replace(/ {2}; a.hlsl:(\d+).*/, ' @$1'));
}

test('a constant is told by its members, and so is what the variable holds else', () => {
  expect(
    records(`debug_value $p P(1.0, 2.0) @4
      %a: float = load @f @5
      %b: P = construct %a, 3.0 @5
      debug_value $p %b @5
      debug_value $p undef P @6`),
  ).toEqual([
    'debug_value $p 1.0 [0] @4',
    'debug_value $p 2.0 [1] @4',
    'debug_value $p %a [0] @5',
    'debug_value $p 3.0 [1] @5',
    'debug_value $p undef float [0] @6',
    'debug_value $p undef float [1] @6',
  ]);
});

test('not where a value has no parts of its own: readers would show that beside the members', () => {
  const body = `debug_value $p P(1.0, 2.0) @4
      %b: P = load @s @5
      debug_value $p %b @5`;
  expect(records(body)).toEqual(['debug_value $p P(1.0, 2.0) @4', 'debug_value $p %b @5']);
});

test('nor a value that the code makes, nor a matrix', () => {
  const body = `%a: float = load @f @5
      %b: P = construct %a, 3.0 @5
      debug_value $p %b @5
      debug_value $m float2x2((1.0, 2.0), (3.0, 4.0)) @6`;
  expect(records(body)).toHaveLength(2);
});
