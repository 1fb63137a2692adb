/** Each message of the preprocessor, at its place; and text that tries to break it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printPreprocessed } from '../../src/preprocess/print.ts';
import { preprocessMessages } from '../../src/source/messages/preprocess.ts';
import { placeOf, preprocessText, type Setting } from '../support/preprocess.ts';

/** Key, text, and where: a `^` in the line below the text's line. Includes are of `files`. */
const cases: readonly [
  key: keyof ReturnType<typeof preprocessMessages>,
  text: string,
  place: string,
  setting?: Setting,
][] = [
  ['error-directive', '#error  no  luck // here', '1:2'],
  ['error-directive', '#define A 1\n#if A\n#error\n#endif', '3:2'],
  ['warning-directive', '#warning careful', '1:2'],
  ['unterminated-comment', 'a\n /* b', '2:2'],
  ['unterminated-literal', 'a "b c\nd', '1:3'],
  ['unterminated-literal', "x don't", '1:6'],
  ['stray-token', 'a @ b', '1:3'],
  ['stray-token', 'a # b', '1:3'],
  ['stray-token', 'a ... b', '1:3'],
  ['stray-token', 'a \u0001', '1:3'],
  ['bad-number', 'x = 08;', '1:5'],
  ['bad-number', '1_a', '1:1'],
  ['bad-number', '0x', '1:1'],
  ['bad-number', '1e', '1:1'],
  ['bad-number', '#if 1_a\n#endif', '1:5'],
  ['float-suffix', '1f', '1:1'],
  ['unknown-directive', '#includ "x"', '1:2'],
  ['unknown-directive', '#"x"', '1:2'],
  ['extra-directive-tokens', '#if 1\n#endif x', '2:8'],
  ['extra-directive-tokens', '#if 1\n#else x\n#endif', '2:7'],
  ['extra-directive-tokens', '#if 0\n#else x\n#endif', '2:7'],
  ['extra-directive-tokens', '#ifdef A B\n#endif', '1:10'],
  ['extra-directive-tokens', '#undef A B', '1:10'],
  ['extra-directive-tokens', '#include "a" b', '1:14', { files: { a: '' } }],
  ['extra-directive-tokens', '#line 1 "a" 2', '1:13'],
  ['extra-directive-tokens', '#pragma pack_matrix(row_major) x', '1:32'],
  ['no-open-condition', 'a\n#endif', '2:2'],
  ['no-open-condition', '#else', '1:2'],
  ['no-open-condition', '#elif 1', '1:2'],
  ['no-open-condition', '#include "a"\n#endif', '2:2', { files: { a: '#if 1\n#endif\n' } }],
  ['alternative-after-else', '#if 1\n#else\n#else\n#endif', '3:2'],
  ['alternative-after-else', '#if 0\n#else\n#elif 1\n#endif', '3:2'],
  ['unterminated-condition', 'a\n #if 1\nb', '2:2'],
  ['unterminated-condition', 'a\n #ifdef B\nb', '2:2'],
  ['line-number-expected', '#line', '1:2'],
  ['line-number-expected', '#line 0x10', '1:7'],
  ['line-number-expected', '#line "a"', '1:7'],
  ['line-number-range', '#line 2147483648', '1:7'],
  ['line-name-expected', '#line 1 x', '1:9'],
  ['macro-name-expected', '#define', '1:8'],
  ['macro-name-expected', '#define 1 2', '1:9'],
  ['macro-name-expected', '#undef "x"', '1:8'],
  ['macro-name-expected', '#ifdef\n#endif', '1:7'],
  ['macro-name-expected', '#ifndef 1\n#endif', '1:9'],
  ['macro-name-expected', '#if defined(1)\n#endif', '1:13'],
  ['macro-name-defined', '#define defined', '1:9'],
  ['builtin-macro-changed', '#undef __LINE__', '1:8'],
  ['builtin-macro-changed', '#define __FILE__ 1', '1:9'],
  ['macro-name-space', '#define A+1', '1:10'],
  ['macro-redefined', '#define A 1\n#define A 2', '2:9'],
  ['macro-redefined', '#define A(x) x\n#define A(y) y', '2:9'],
  ['macro-redefined', '#define A a b\n#define A a  b\n#define A ab', '3:9'],
  ['macro-parameters', '#define F(1) x', '1:11'],
  ['macro-parameters', '#define F(a b) x', '1:13'],
  ['macro-parameters', '#define F(a,) x', '1:13'],
  ['macro-parameters', '#define F(a', '1:11'],
  ['macro-parameters', '#define F(..., a) x', '1:14'],
  ['macro-parameters', '#define F(a..., b) x', '1:15'],
  ['macro-parameter-twice', '#define F(a, a) x', '1:14'],
  ['va-args-misplaced', '#define F(a) __VA_ARGS__', '1:14'],
  ['va-args-misplaced', '#define F(__VA_ARGS__) 1', '1:11'],
  ['paste-at-edge', '#define A ## b', '1:11'],
  ['paste-at-edge', '#define A b ##', '1:13'],
  ['stringize-needs-parameter', '#define F(a) # b', '1:14'],
  ['unterminated-macro-call', '#define F(a) a\n F(1', '2:2'],
  ['unterminated-macro-call', '#define F(a) a\n#include "i"\n)', '1:1', { files: { i: 'F(1' } }],
  ['too-few-macro-arguments', '#define F(a, b) a\nF(1)', '2:1'],
  ['too-few-macro-arguments', '#define F(a, b, ...) a\nF(1)', '2:1'],
  ['too-many-macro-arguments', '#define F(a) a\nF(1, 2)', '2:1'],
  ['too-many-macro-arguments', '#define F() a\nF(1)', '2:1'],
  ['bad-paste', '#define G(a, b) a##b\n G(+, x)', '2:2'],
  ['bad-paste', '#define G(a, b) a##b\n G(/, /)', '2:2'],
  ['bad-paste', '#define G(a, b) a##b\n G("a", "b")', '2:2'],
  ['macro-nesting', `#define F(a) a\n${'F('.repeat(5000)}1${')'.repeat(5000)}`, '2:1'],
  [
    'macro-output-limit',
    `#define A0 x x\n${Array.from({ length: 40 }, (_, i) => `#define A${i + 1} A${i} A${i}\n`).join('')}A40`,
    '42:1',
  ],
  ['macro-output-limit', `#define D(x) x x x x\n${'D('.repeat(30)}1${')'.repeat(30)}`, '2:1'],
  [
    'macro-text-limit',
    `#define G(a, b) a##b\n#define A0 xxxxxxxx\n#define H(a) G(a, a)\n${Array.from({ length: 30 }, (_, i) => `#define A${i + 1} H(A${i})\n`).join('')}A30`,
    '34:1',
  ],
  [
    'macro-text-limit',
    `#define S(a) #a\n#define T(a) S(a)\n${'T('.repeat(40)}"\\\\"${')'.repeat(40)}`,
    '3:1',
  ],
  ['no-clock', '__TIME__', '1:1'],
  ['has-include-outside-condition', '__has_include("a")', '1:1'],
  ['include-in-macro-call', '#define F(a) a\nF(\n#include "a"\n1)', '3:2'],
  ['condition-empty', '#if\n#endif', '1:4'],
  ['condition-value-expected', '#if 1 +\n#endif', '1:7'],
  ['condition-value-expected', '#if 1 + *2\n#endif', '1:9'],
  ['condition-value-expected', '#if 1.5\n#endif', '1:5'],
  ['condition-value-expected', '#if "a"\n#endif', '1:5'],
  ['condition-operator-expected', '#if 1 2\n#endif', '1:7'],
  ['condition-operator-expected', '#if 1 = 2\n#endif', '1:7'],
  ['condition-token-expected', '#if (1\n#endif', '1:6'],
  ['condition-token-expected', '#if 1 ? 2\n#endif', '1:9'],
  ['condition-token-expected', '#if defined(A\n#endif', '1:13'],
  ['condition-division-by-zero', '#if 1 / 0\n#endif', '1:7'],
  ['condition-division-by-zero', '#define M(a) 1 % a\n#if M(0)\n#endif', '2:5'],
  ['condition-call', '#if NO(1)\n#endif', '1:5'],
  ['condition-number-range', '#if 18446744073709551616\n#endif', '1:5'],
  ['condition-nesting', `#if ${'('.repeat(20000)}1${')'.repeat(20000)}\n#endif`, '1:505'],
  ['condition-nesting', `#if ${'!'.repeat(20000)}1\n#endif`, '1:505'],
  ['condition-nesting', `#if ${'1?0:'.repeat(20000)}1\n#endif`, '1:2006'],
  ['include-name-expected', '#include', '1:2'],
  ['include-name-expected', '#include x', '1:2'],
  ['include-name-expected', '#include ""', '1:10'],
  ['include-name-expected', '#include <a', '1:2'],
  ['include-name-expected', '#if __has_include(1)\n#endif', '1:20'],
  ['include-not-found', '#include "a"', '1:10'],
  ['include-of-dxc', '#include "vk/spirv.h"', '1:10'],
  ['include-not-found', '#include <a>', '1:10'],
  ['include-needs-quotes', '#include <a>', '1:10', { files: { a: '' } }],
  ['include-depth', '#include "a"', '1:10', { files: { a: '#include "a"' } }],
  [
    'source-size',
    '#include "a"',
    '1:10',
    { files: { a: 'x'.repeat(9000) }, options: { maxSourceSize: 9000 } },
  ],
  ['unknown-pragma', '#pragma frobnicate', '1:9'],
  ['unknown-pragma', '#pragma dxc what', '1:9'],
  ['pragma-once-in-main-file', '#pragma once', '1:9'],
  ['pragma-pack-matrix', '#pragma pack_matrix(diagonal)', '1:21'],
  ['pragma-pack-matrix', '#pragma pack_matrix', '1:9'],
  ['pragma-message', '#pragma message("a" "b")', '1:9'],
  ['pragma-message', '#define M "x"\n#pragma message M', '2:9'],
  ['pragma-message-string', '#pragma message(1)', '1:17'],
  ['pragma-diagnostic', '#pragma dxc diagnostic shout "-Wx"', '1:24'],
  ['pragma-diagnostic', '#pragma dxc diagnostic ignored x', '1:24'],
  ['pragma-pop', '#pragma dxc diagnostic pop', '1:24'],
  ['pragma-pop', '#pragma warning(pop)', '1:9'],
  ['pragma-operator', '_Pragma(1)', '1:1'],
];

describe('messages', () => {
  const named = cases.map((one) => ({ name: `${one[0]}: ${JSON.stringify(one[1]).slice(0, 60)}`, one }));

  it.each(named)('$name', ({ one: [key, text, place, setting] }) => {
    const { log, map, rendered } = preprocessText(text, setting);
    const found = log.diagnostics.find((diagnostic) => diagnostic.key === key);
    expect(found, rendered.slice(0, 500)).toBeDefined();
    expect(log.diagnostics.map((diagnostic) => diagnostic.key).filter((one) => one !== key)).toEqual([]);
    expect(placeOf(map, found!.at).replace(/^[^:]*:/, ''), rendered.slice(0, 500)).toBe(place);
  });

  it('are all triggered', () => {
    const notes = new Set(['other-else-here', 'macro-defined-here', 'more-not-shown']);
    const triggered = new Set<string>(cases.map(([key]) => key));
    expect(Object.keys(preprocessMessages()).filter((key) => !triggered.has(key) && !notes.has(key))).toEqual(
      [],
    );
  });

  it('point to the other place involved', () => {
    const { log, map } = preprocessText('#define F(a) a\nF(1, 2)\n#define F 1\n#if 1\n#else\n#else\n#endif');
    expect(log.diagnostics.map(({ notes: [note] }) => `${note!.message} ${placeOf(map, note!.at)}`)).toEqual([
      "macro 'F' is defined here main.hlsl:1:9",
      "macro 'F' is defined here main.hlsl:1:9",
      "the '#else' is here main.hlsl:5:1",
    ]);
  });

  it('stop at a number that can be read', () => {
    const { log } = preprocessText('@\n'.repeat(500));
    expect(log.errors).toBe(500);
    expect(log.diagnostics.length).toBe(100);
    expect(log.diagnostics[99]!.notes).toEqual([
      { message: 'more than 100 errors; the rest is not shown', at: 0 },
    ]);
  });

  it('go on behind an error', () => {
    const { keys, texts } = preprocessText(
      '#include "no"\n#error x\n#if (\n#else\na\n#endif\n#define F(x) x\nF(1,2) @ b',
    );
    expect(keys).toEqual([
      'include-not-found',
      'error-directive',
      'condition-value-expected',
      'too-many-macro-arguments',
      'stray-token',
    ]);
    expect(texts).toBe('a b');
  });
});

/** Pieces of text that mean something to the preprocessor. */
const fragments = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '#',
          '##',
          '(',
          ')',
          ',',
          ' ',
          '\n',
          '\n#',
          '\\\n',
          '"',
          "'",
          '/*',
          '*/',
          '//',
          '>',
          '>>',
          '...',
          '<',
          '1',
          '.',
          '0x',
          '\r',
          '\t',
          '?',
          ':',
          '-',
          '!',
        ),
      },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'A',
          'B',
          'F',
          'G',
          'x',
          'defined',
          '__VA_ARGS__',
          '__LINE__',
          '__FILE__',
          '__COUNTER__',
          '_Pragma',
          '__has_include',
          'F(',
          'G(A,',
        ),
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          '\n#define A B\n',
          '\n#define B A x\n',
          '\n#define F(x) x A #x\n',
          '\n#define G(x, ...) x##__VA_ARGS__ F(x)\n',
          '\n#undef A\n',
          '\n#if A\n',
          '\n#else\n',
          '\n#elif 1\n',
          '\n#endif\n',
          '\n#include "i"\n',
          '\n#line 7 "q"\n',
          '\n#pragma once\n',
          '\n#pragma pack_matrix(row_major)\n',
          '\n#ifdef F\n',
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('properties', () => {
  it('no text breaks the preprocessor', () => {
    fc.assert(
      fc.property(fragments, fragments, (text, included) => {
        const { tokens, rendered } = preprocessText(text, { files: { i: included } });
        expect(tokens.kinds[tokens.count]).toBe(0);
        expect(tokens.at.length).toBe(tokens.count + 1);
        expect(tokens.end.every((end) => end >= 0)).toBe(true);
        expect(typeof rendered).toBe('string');
      }),
      { numRuns: 500 },
    );
  });

  it('places are ordered within a file, and spelled where the text is', () => {
    fc.assert(
      fc.property(fragments, (text) => {
        const { list, map } = preprocessText(text);
        let last = 0;
        for (const token of list) {
          const at = map.expanded(token.at);
          expect(at).toBeGreaterThanOrEqual(last);
          last = at;
          if (token.at > 0 && token.kind === 'IDENT')
            expect(token.shown.replace(/\\[ \t\v\f]*\n/g, '')).toBe(token.text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('preprocessing preprocessed text changes nothing', () => {
    fc.assert(
      fc.property(fragments, fragments, (text, included) => {
        const first = preprocessText(text, { files: { i: included } });
        // What an error left behind need not be readable.
        fc.pre(first.log.errors === 0);
        // These would find a `(` that a directive, gone now, kept from them.
        fc.pre(!/\b(?:_Pragma|__has_include)\b/.test(first.texts));
        const printed = printPreprocessed(first.tokens, first.map);
        const second = preprocessText(printed);
        const essence = (run: typeof first) =>
          run.list.map((token) => [token.kind, token.text, token.place.replace(/:\d+$/, '')]);
        expect(second.rendered).toBe('');
        expect(essence(second)).toEqual(essence(first));
        expect(second.tokens.packMatrix).toEqual(first.tokens.packMatrix);
      }),
      { numRuns: 500 },
    );
  });
});
