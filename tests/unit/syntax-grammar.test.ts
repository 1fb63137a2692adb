/** The generated parsers against Ohm's interpreter of the same grammar: same accept, same tree, same farthest failure. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindNames } from '../../src/preprocess/kinds.gen.ts';
import { type Expr, loadGrammar } from '../../src/syntax/generate.ts';
import { emitKinds, emitParser } from '../../src/syntax/generate-code.ts';
import { parseRule } from '../../src/syntax/parser.gen.ts';
import { failure, parseRule as parseTracking } from '../../src/syntax/parser-tracking.gen.ts';
import { classifyTypeNames } from '../../src/syntax/type-names.ts';
import { interpreter } from '../support/ohm-trees.ts';
import { tokenize } from '../support/syntax.ts';

const text = readFileSync(new URL('../../src/syntax/hlsl.ohm', import.meta.url), 'utf8');
const grammar = loadGrammar(text);
const ohmParse = interpreter(grammar);
const total = process.env['ONESHADER_LONG'] === '1' ? 20_000 : 1_000;

/** JSON with absent slots kept, so that equal means equal. */
function spell(tree: unknown): string {
  return JSON.stringify(tree, (_, value: unknown) => (value === undefined ? null : value));
}

function words(kinds: readonly number[]): string {
  return kinds.map((kind) => kindNames[kind]).join(' ');
}

let accepted = 0;
let rejected = 0;

function compare(kinds: readonly number[]): void {
  const input = Uint8Array.from([...kinds, 0]);
  const wanted = ohmParse(kinds);
  const fast = parseRule(input, 'unit', 0);
  const tracking = parseTracking(input, 'unit', 0);
  if (wanted.tree) accepted++;
  else rejected++;
  if ((fast !== null) !== (wanted.tree !== undefined) || (tracking !== null) !== (wanted.tree !== undefined))
    throw new Error(`accepted by ${wanted.tree ? 'Ohm' : 'us'} only: ${words(kinds)}`);
  if (wanted.tree) {
    const tree = spell(wanted.tree);
    if (spell(fast) !== tree || spell(tracking) !== tree) throw new Error(`other tree: ${words(kinds)}`);
  } else if (failure().position !== wanted.farthest)
    throw new Error(`fails at ${failure().position}, Ohm at ${wanted.farthest}: ${words(kinds)}`);
}

const sample = `
struct S : B { float4 a : POSITION, b[2]; nointerpolation float2 c : T0; float f(int x = 1) const { return a.x * x; } };
cbuffer C : register(b0, space1) { row_major float4x4 m; float k : packoffset(c4.y); };
Texture2D<float4> t[] : register(t0); SamplerState s { Filter = X; };
enum class E : uint { A = 1, B };
typedef float4 V[2];
using W = vector<float, 3>;
namespace n { static const int q = 3 << 2, r = { 1 }; }
template<typename T, int N = 2> T g(T a, const T b) { return a + b; }
_Static_assert(sizeof(S) == 4, "message");
[numthreads(8, 8, 1)] void main([[vk::location(0)]] float4 p : SV_Position, inout uint3 id) {
float3 x = (float3)1, y[2] = { x, { x } };
x += y[0] * 2 + -x.x >> 3;
[unroll(4)] for (int i = 0; i < 4; ++i) { if (i < 2) continue; else break; }
switch (id.x) { case 1: x = 1; break; default: discard; }
do { n::q = g<float>(1.5, 2); } while (x.y ? a : b, true);
t[1].Sample(s, x.xy).rgb++;
}
float4 operator+(S a, S b) { return (a.a); }
`;

/** The sample's declarations as kinds. */
function declarations(): number[][] {
  const { tokens } = tokenize(sample);
  const kinds = [...classifyTypeNames(tokens).subarray(0, tokens.count)];
  const out: number[][] = [];
  let depth = 0;
  let start = 0;
  kinds.forEach((kind, i) => {
    const name = kindNames[kind]!;
    if ('{(['.includes(name)) depth++;
    if ('})]'.includes(name)) depth--;
    const ends = name === ';' || (name === '}' && kindNames[kinds[i + 1] ?? 0] !== ';');
    if (depth > 0 || !ends) return;
    out.push(kinds.slice(start, i + 1));
    start = i + 1;
  });
  return out;
}

const dense = [
  'IDENT',
  'TYPE',
  'INT',
  '(',
  ')',
  '<',
  '>',
  '>_',
  ',',
  ';',
  '=',
  '[',
  ']',
  '{',
  '}',
  '::',
  '.',
  ':',
  '-',
  '++',
  'const',
  'struct',
  'sample',
  'register',
  '?',
  'technique',
  'using',
  'template',
  'typename',
  'if',
  'else',
  'enum',
].map((name) => kindNames.indexOf(name)); // prettier-ignore
const anyKind = fc.integer({ min: 1, max: kindNames.length - 1 });
const denseKind = fc.constantFrom(...dense);

/** A random sentence of the grammar; lookahead and order are ignored, so that some are rejected. */
function derive(e: Expr, random: () => number, depth: number): number[] {
  const pick = (n: number) => Math.floor(random() * n);
  switch (e.t) {
    case 'set':
      return [[...e.set][pick(e.set.size)]!];
    case 'any':
      return [dense[pick(dense.length)]!];
    case 'app':
      return derive(grammar.rules.get(e.rule)!.body, random, depth + 1);
    case 'seq':
      return e.items.flatMap((item) => derive(item, random, depth + 1));
    case 'alt': {
      const ends = [
        'literal',
        'typename',
        'typename_known',
        'decl0_empty',
        'exprstmt',
        'postfix',
        'assign',
        'typed',
      ];
      const short = e.items.find((item) => item.t === 'app' && ends.includes(item.rule));
      return derive(depth > 26 && short ? short : e.items[pick(e.items.length)]!, random, depth + 1);
    }
    case 'opt':
      return depth > 20 || random() < 0.5 ? [] : derive(e.e, random, depth + 1);
    case 'star':
    case 'plus': {
      const out = e.t === 'plus' ? derive(e.e, random, depth + 1) : [];
      while (depth < 20 && random() < 0.45) out.push(...derive(e.e, random, depth + 1));
      return out;
    }
    case 'list': {
      const count = e.min + (depth > 14 ? 0 : pick(3));
      const out: number[] = [];
      for (let i = 0; i < count; i++) {
        if (i > 0) out.push(...derive(e.separator, random, depth + 1));
        out.push(...derive(e.e, random, depth + 1));
      }
      return out;
    }
    default:
      return [];
  }
}

/** A small generator of our own: fast-check shrinks its seed only. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const derived = fc.nat().map((seed) => {
  const random = randomFrom(seed);
  for (;;) {
    try {
      const kinds = derive({ t: 'app', rule: 'decl' }, random, 0);
      if (kinds.length < 150) return kinds;
    } catch (error) {
      // The grammar recurses without end now and then: try the next sentence.
      if (!(error instanceof RangeError)) throw error;
    }
  }
});

const mutated = fc
  .tuple(
    fc.constantFrom(...declarations()),
    fc.array(fc.tuple(fc.nat(3), fc.nat(), denseKind), { maxLength: 2 }),
  )
  .map(([declaration, changes]) => {
    const kinds = declaration.slice();
    for (const [operation, at, kind] of changes) {
      const i = at % Math.max(kinds.length, 1);
      if (operation === 0) kinds.splice(i, 1);
      else if (operation === 1) kinds.splice(i, 0, kind);
      else if (operation === 2) kinds[i] = kind;
      else [kinds[i], kinds[(i + 1) % kinds.length]] = [kinds[(i + 1) % kinds.length]!, kinds[i]!];
    }
    return kinds.filter((kind) => kind !== undefined);
  });

describe('generated parser and Ohm agree', () => {
  const families = {
    'any tokens': fc.array(anyKind, { maxLength: 12 }),
    'tokens that often fit': fc.array(denseKind, { minLength: 1, maxLength: 14 }),
    'changed declarations': mutated,
    'sentences of the grammar': derived,
  };
  for (const [name, arbitrary] of Object.entries(families))
    test(`on ${name}`, { timeout: 30_000 * (total / 1000) }, () => {
      fc.assert(fc.property(arbitrary, compare), { numRuns: total / 4, endOnFailure: true });
    });
  test('and enough was accepted and rejected to mean something', () => {
    expect(accepted).toBeGreaterThan(total / 10);
    expect(rejected).toBeGreaterThan(total / 10);
  });
  test('on the sample itself', () => {
    for (const kinds of declarations()) {
      compare(kinds);
      expect(parseRule(Uint8Array.from([...kinds, 0]), 'unit', 0), words(kinds)).not.toBeNull();
    }
  });
});

describe('the grammar compiler', () => {
  test('the generated files are up to date', () => {
    const read = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
    expect(read('preprocess/kinds.gen.ts')).toBe(emitKinds(grammar));
    expect(read('syntax/parser.gen.ts')).toBe(emitParser(grammar, false));
    expect(read('syntax/parser-tracking.gen.ts')).toBe(emitParser(grammar, true));
  });
  test.each([
    ['G { a = "x" b\n b = c }', /c/],
    ['G { a = b\n b = a "x" | "y" "z" }', /left recursion: a/],
    ['G { a = "x" b "y"\n b = a? }', /recursion without a @deep rule/],
    ['G {\n // @collapse\n a = "x" "y" }', /@collapse needs exactly one mandatory child: a/],
    ['G { a = "x".."y" }', /not supported over tokens: range/],
  ])('refuses %j', (source, message) => {
    expect(() => loadGrammar(source)).toThrow(message);
  });
});
