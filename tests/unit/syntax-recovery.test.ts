/** Several errors in one run, one per mistake, each where the mistake is. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { syntaxMessages } from '../../src/source/messages/syntax.ts';
import { parseRule } from '../../src/syntax/parser.gen.ts';
import { classifyTypeNames } from '../../src/syntax/type-names.ts';
import { parseText, tokenize } from '../support/syntax.ts';

/** Statement in a function -> message, columns counted in the statement. */
const statements: [string, string][] = [
  ['x = 1\n  + ;', "2:5: expected an expression before ';'"],
  ['x = 1\n y = 2;', "1:6: expected ';' after '1'"],
  ['x = y z;', "1:7: expected ';' before 'z'"],
  ['x = (1 + 2;', "1:11: expected ')' before ';' (note 1:5: to match this '(')"],
  ['x = f(1, );', "1:10: expected an expression before ')'"],
  ['x = a[1;', "1:8: expected ']' before ';' (note 1:6: to match this '[')"],
  ['x = );', "1:5: expected an expression before ')'"],
  ['if (a { x = 1; }', "1:7: expected ')' before '{' (note 1:4: to match this '(')"],
  ['if a) x = 1;', "1:4: expected '(' before 'a'"],
  ['for (int i = 0; i < ; ++i) { x = 1; }', "1:21: expected an expression before ';'"],
  ['for (int i = 0, i < 4; ++i) { x = 1; }', "1:21: unexpected '4'"],
  ['while () { x = 1; }', "1:8: expected an expression before ')'"],
  ['do { x = 1; } while (a)\n y = 1;', "1:24: expected ';' after ')'"],
  ['switch (a) { case 1 x = 1; break; default: y = 2; }', "1:21: expected ':' before 'x'"],
  ['else x = 1;', "1:1: 'else' without an 'if' before it"],
  ['{ { x = ; } y = 1; }', "1:9: expected an expression before ';'"],
  ['if (a) { x = ; } else { y = 1; }', "1:14: expected an expression before ';'"],
  ['if (a) x = ; else y = 1;', "1:12: expected an expression before ';'"],
  ['float;\n float[2] a;', "2:11: expected ';' before 'a'"],
  ['int a[] = { 1, 2 3 };', "1:18: expected '}' before '3' (note 1:11: to match this '{')"],
  ['struct L { float x float y; } l; x = 1;', "1:20: expected ';' before 'float'"],
  ['[unroll x = 1;', "1:9: expected ']' before 'x' (note 1:1: to match this '[')"],
  ['return 1', "1:9: expected ';' after '1'"],
]; // prettier-ignore

describe('statements', () => {
  test.each(statements)('%j', (text, message) => {
    const { messages } = parseText(`void f() {\n${text}\n}\nvoid g() { x = 1; }`);
    expect(
      messages.map((m) => m.replace(/(\d+):(\d+)/g, (_, line, column) => `${line - 1}:${column}`)),
    ).toEqual([message]);
  });
});

/** Text -> messages. */
const units: [string, string[]][] = [
  ['float4 a\nfloat4 b;', ["1:9: expected ';' after 'a'"]],
  ['struct S { float x; }\nfloat4 f() { return 1; }', ["1:22: expected ';' after '}'"]],
  ['enum E { A, B }\nfloat4 f() { return 1; }', ["1:16: expected ';' after '}'"]],
  ['struct S { float x; float y }; float z;', ["1:29: expected ';' before '}'"]],
  [
    'struct S { void f() { x = ; } float y z; }; float z;',
    ["1:27: expected an expression before ';'", "1:39: expected ';' before 'z'"],
  ],
  [
    'cbuffer C { float4 q float r; }; float z',
    ["1:22: expected ';' before 'float'", "1:41: expected ';' after 'z'"],
  ],
  [
    'namespace n { void f() { x = ; } int a b; } int c d;',
    [
      "1:30: expected an expression before ';'",
      "1:40: expected ';' before 'b'",
      "1:51: expected ';' before 'd'",
    ],
  ],
  ['foo;\nFoo<float> bar; int a;', ["1:1: unknown type name 'foo'", "2:1: unknown type name 'Foo'"]],
  ['using A = n::Foo<float>;', ["1:14: unknown type name 'Foo'"]],
  [
    'void h(int a int b) { y = ; }',
    [
      "1:14: expected ')' before 'int' (note 1:7: to match this '(')",
      "1:27: expected an expression before ';'",
    ],
  ],
  ['void h(int a, ) { y = 1; }', ["1:15: expected a type before ')'"]],
  [
    'void f( { x = 1; }\nint a b;',
    ["1:9: expected ')' before '{' (note 1:7: to match this '(')", "2:7: expected ';' before 'b'"],
  ],
  ['[numthreads(1, 1, 1] void f() { }', ["1:20: expected ')' before ']' (note 1:12: to match this '(')"]],
  ['template<typename T void f(T a) { }', ["1:21: expected '>' before 'void'"]],
  ['Texture2D<float4 t;', ["1:18: expected '>' before 't'"]],
  ['typedef float2 ;', ["1:16: expected a name before ';'"]],
  ['_Static_assert(1, 2);', ["1:19: expected a string before '2'"]],
  ['} } int a b;', ["1:1: '}' closes nothing", "1:11: expected ';' before 'b'"]],
  [
    'void f() {\n  x = 1;\nvoid g() { y = ; }\nint z;',
    [
      "3:1: function 'g' is defined inside another function; is a '}' missing before it?",
      "3:16: expected an expression before ';'",
    ],
  ],
  [
    'void f() {\n  x = 1;\n  void g() { y = ; }\n z = ; }',
    [
      "3:3: function 'g' is defined inside another function; is a '}' missing before it?",
      "3:18: expected an expression before ';'",
      "4:6: expected an expression before ';'",
    ],
  ],
  [
    'void f() {\n  x = 1;\ncbuffer C { float a b; }',
    ["3:1: expected '}' before 'cbuffer'", "3:21: expected ';' before 'b'"],
  ],
  ['void f() {\n  x = 1;', ["2:9: expected '}' before the end of the file (note 1:10: to match this '{')"]],
  ['void f() { if (x) { y = (', ['1:26: expected an expression before the end of the file']],
  ['int operator 1(); int a;', ["1:14: unexpected '1'"]],
  ['technique T { pass P { } }', ["1:1: 'technique' belongs to the effect framework and is ignored"]],
  [`float a = ${'('.repeat(300)}1;`, ['1:266: nesting is too deep']],
  [
    `void f() { ${'{ '.repeat(600)} }\nint a b;`,
    ['1:1034: nesting is too deep', "2:7: expected ';' before 'b'"],
  ],
]; // prettier-ignore

describe('declarations', () => {
  test.each(units)('%j', (text, wanted) => {
    expect(parseText(text).messages).toEqual(wanted);
  });
  test('sound declarations are in the unit all the same', () => {
    const { unit } = parseText('int a; void f() { x = ; } int b; struct S { int c d; }; int e;');
    expect(
      unit.declarations.map((d) => (d.kind === 'variables' ? d.declarators[0]?.name.name.text : d.kind)),
    ).toEqual(['a', 'b', 'e']);
  });
  test('the errors end after the limit', () => {
    const { log } = parseText(`void f() { ${'x = ; '.repeat(5000)} }`);
    expect(log.diagnostics).toHaveLength(100);
  });
});

/** A text for each message. */
const triggers: [keyof ReturnType<typeof syntaxMessages>, string][] = [
  ['expected', 'int a b;'],
  ['expected-after', 'int a\nint b;'],
  ['nesting-too-deep', `int a = ${'('.repeat(300)};`],
  ['stray-brace', '}'],
  ['unknown-type-name', 'foo;'],
  ['nested-function', 'void f() {\nvoid g() { }'],
  ['unexpected', 'int operator 1();'],
  ['effect-ignored', 'technique T { }'],
  ['else-without-if', 'void f() { else; }'],
  ['opened-here', 'int a[3 4];'],
];

describe('every message of the parser', () => {
  test.each(triggers)('%s', (key, text) => {
    const { log } = parseText(text);
    const row = syntaxMessages()[key];
    if ('code' in row) expect(log.diagnostics.map((d) => d.code)).toContain(row.code);
    else
      expect(log.diagnostics.flatMap((d) => d.notes.map((n) => n.message))).toContain(
        row.text.replace('{bracket}', '['),
      );
  });
  test('is among them', () => {
    expect(new Set(triggers.map(([key]) => key))).toEqual(new Set(Object.keys(syntaxMessages())));
  });
});

describe('broken programs', () => {
  const program = `struct S { float4 a : A; int f(int b = 1) { return b; } };
cbuffer C : register(b0) { float k, m[2]; };
namespace n { enum E { P, Q = 2 }; typedef float2 V; }
template<typename T> T g(T a) { return (T)a; }
Texture2D<float4> t; SamplerState s { Filter = X; };
[numthreads(8, 1, 1)] float4 main(S i, n::V v : B) : SV_Target {
  float4 x = { 1, 2, 3, 4 }, y[2];
  [loop] for (int j = 0; j < 4; ++j) { if (k > x.y) x += t.Sample(s, v) * 2; else { continue; } }
  switch (i.f(2)) { case 1: x = g<float4>(x); break; default: discard; }
  do { x.x = k ? -1 : m[0]; } while (x.x >> 1);
  return x;
}`;
  const { tokens } = tokenize(program);
  const words = tokens.texts.slice(0, tokens.count);
  const word = fc.constantFrom(...words, '{', '}', '(', ')', ';', '<', '>', 'else', 'struct', 'template');
  const change = fc.tuple(fc.nat(2), fc.nat({ max: words.length - 1 }), word);

  test('give an error if the grammar refuses them, none if it takes them, and never more than they have words', () => {
    const property = fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const list = words.slice();
      for (const [operation, at, text] of changes) {
        if (operation === 0) list.splice(at, 1);
        else if (operation === 1) list.splice(at, 0, text);
        else list[at] = text;
      }
      const { tokens: changed, log, messages } = parseText(list.join('\n'));
      const accepted = parseRule(classifyTypeNames(changed), 'unit', 0) !== null;
      expect(log.errors > 0, list.join(' ')).toBe(!accepted);
      // A change can break a bracket: some follow-up errors are fair, an avalanche is not.
      expect(messages.length, messages.join('\n')).toBeLessThan(changes.length * 12);
    });
    fc.assert(property, { numRuns: process.env['ONESHADER_LONG'] === '1' ? 20_000 : 1000 });
  }, 200_000);
});
