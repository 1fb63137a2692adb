/** Nesting of every kind ends in a diagnostic, and no input takes long. */
import { describe, expect, test } from 'vitest';
import type { Expression } from '../../src/syntax/ast.ts';
import { parseText } from '../support/syntax.ts';

const inFunction = (text: string) => `void f() { ${text} }`;

/** What nests: the text for a depth, and a depth that must parse. */
const nests: Record<string, [(depth: number) => string, number]> = {
  parentheses: [(n) => inFunction(`x = ${'('.repeat(n)}1${')'.repeat(n)};`), 240],
  calls: [(n) => inFunction(`x = ${'f('.repeat(n)}1${')'.repeat(n)};`), 150],
  indices: [(n) => inFunction(`x = ${'a['.repeat(n)}1${']'.repeat(n)};`), 240],
  constructors: [(n) => inFunction(`${'float('.repeat(n)}1${')'.repeat(n)};`), 150],
  'casts of parentheses': [(n) => inFunction(`${'(float)('.repeat(n)}1${')'.repeat(n)};`), 150],
  casts: [(n) => inFunction(`x = ${'(int)'.repeat(n)}1;`), 400],
  'prefix operators': [(n) => inFunction(`x = ${'- '.repeat(n)}1;`), 400],
  sizeof: [(n) => inFunction(`x = ${'! sizeof '.repeat(n)}1;`), 200],
  'conditions in the last operand': [(n) => inFunction(`x = ${'a ? b : '.repeat(n)}1;`), 400],
  'conditions in the middle operand': [
    (n) => inFunction(`x = ${'a ? '.repeat(n)}1${' : b'.repeat(n)};`),
    400,
  ],
  assignments: [(n) => inFunction(`${'a = '.repeat(n)}1;`), 200],
  'a binary chain': [(n) => inFunction(`x = ${'a + '.repeat(n)}1;`), 900],
  'a comma chain': [(n) => inFunction(`${'a, '.repeat(n)}1;`), 900],
  'a member chain': [(n) => inFunction(`x = ${'a.'.repeat(n)}b;`), 900],
  'a call chain': [(n) => inFunction(`x = f${'()'.repeat(n)};`), 900],
  'chains in parentheses': [(n) => inFunction(`x = ${'('.repeat(n)}a${' + b + b + b)'.repeat(n)};`), 150],
  'else if': [(n) => inFunction(`${'if (a) b; else '.repeat(n)};`), 400],
  'statements in statements': [(n) => inFunction(`${'if (a) for (;;) '.repeat(n)};`), 200],
  blocks: [(n) => inFunction('{'.repeat(n) + '}'.repeat(n)), 400],
  initializers: [(n) => `int a = ${'{'.repeat(n)}1${'}'.repeat(n)};`, 400],
  namespaces: [(n) => 'namespace a {'.repeat(n) + '}'.repeat(n), 400],
  templates: [(n) => `${'template<> '.repeat(n)}void f();`, 400],
  'template arguments': [(n) => `typedef ${'vector<'.repeat(n)}float${'>'.repeat(n)} T;`, 150],
  'value arguments': [(n) => inFunction(`x = ${'vector<float,('.repeat(n)}2${')>(1)'.repeat(n)};`), 60],
  structs: [(n) => inFunction('struct S { '.repeat(n) + '} s; '.repeat(n)), 150],
  'effect braces': [(n) => `technique T ${'{'.repeat(n)}${'}'.repeat(n)}`, 400],
};

/** Malformed or ambiguous text that a careless grammar parses again at each level. */
const traps: Record<string, (depth: number) => string> = {
  'unclosed parentheses': (n) => inFunction(`x = ${'('.repeat(n)}`),
  'unclosed blocks': (n) => `void f() ${'{'.repeat(n)}`,
  'a<(a<(': (n) => inFunction(`x = ${'a<('.repeat(n)}1${')'.repeat(n)};`),
  'a<f(a<f(': (n) => inFunction(`if (${'a<f('.repeat(n)}1${')'.repeat(n)});`),
  'vector<float,(vector<float,(': (n) => inFunction(`x = ${'vector<float,('.repeat(n)}1${')'.repeat(n)};`),
  'struct in function in struct': (n) =>
    inFunction(`${'struct S { void g() { '.repeat(n)}int a ) ${'} } s; '.repeat(n)}`),
  'struct in sizeof': (n) =>
    inFunction(`${'x = sizeof(struct S { void g() { '.repeat(n)}int a ) ${'} }); '.repeat(n)}`),
  'errors in nested blocks': (n) => inFunction('{ x = ; '.repeat(n) + 'y = ; }'.repeat(n)),
  'bases without end': (n) => 'struct A : '.repeat(n),
  'enums without end': (n) => 'enum : '.repeat(n),
  attributes: (n) => inFunction(`${'[a]'.repeat(n)};`),
  'qualified names': (n) => inFunction(`x = ${'A::'.repeat(n)}b;`),
  'faulty statements': (n) => inFunction('x = ; '.repeat(n)),
  'faulty headers': (n) => 'float f( { x } '.repeat(n),
  'closing parentheses': (n) => ') '.repeat(n),
  'closing braces': (n) => '} '.repeat(n),
  'opening brackets of all kinds': (n) => '( [ { '.repeat(n),
  'less than': (n) => inFunction(`x = ${'a < '.repeat(n)}b;`),
  'unfinished templates': (n) => 'template<typename T> struct S { '.repeat(n),
};

/** Milliseconds; the machine may be busy. */
const bound = 3000;

describe('nesting', () => {
  for (const [name, [text, depth]] of Object.entries(nests))
    test(name, () => {
      const fine = parseText(text(depth)).messages.filter((m) => !m.includes('is ignored'));
      expect(fine).toEqual([]);
      for (const deeper of [3 * depth, 20_000]) {
        const start = performance.now();
        const { messages } = parseText(text(deeper));
        expect(performance.now() - start).toBeLessThan(bound);
        expect(messages.filter((m) => m.includes('nesting is too deep'))).toHaveLength(1);
        expect(messages).toHaveLength(1);
      }
    });
});

describe('traps', () => {
  for (const [name, text] of Object.entries(traps))
    test(name, () => {
      for (const depth of [5, 20, 100, 300, 5000]) {
        const start = performance.now();
        parseText(text(depth));
        expect(performance.now() - start, `depth ${depth}`).toBeLessThan(bound);
      }
    });
});

test('a chain groups to the left however long it is', () => {
  const { unit } = parseText(`static int a = ${'1 - '.repeat(500)}1;`);
  const declaration = unit.declarations[0]!;
  let e: Expression | undefined =
    declaration.kind === 'variables' ? declaration.declarators[0]!.init : undefined;
  let depth = 0;
  for (; e?.kind === 'binary'; e = e.left) {
    expect(e.right.kind).toBe('int-literal');
    depth++;
  }
  expect(depth).toBe(500);
});

test('many declarations are no nesting', () => {
  expect(parseText('int a = (1 + 2); '.repeat(20_000)).messages).toEqual([]);
  expect(parseText(inFunction('x = -a ? b : c; if (a) b; '.repeat(10_000))).messages).toEqual([]);
});
