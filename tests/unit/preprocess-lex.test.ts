/** Characters to tokens: kinds, numbers, line ends, comments, continuations. */
import { describe, expect, it } from 'vitest';
import { kindNames } from '../../src/preprocess/kinds.gen.ts';
import { Words } from '../../src/preprocess/words.ts';
import { preprocessText } from '../support/preprocess.ts';

const kinds = (text: string): string[] => {
  const { list, rendered } = preprocessText(text);
  expect(rendered).toBe('');
  return list.map((token) => `${token.kind} ${token.text}`);
};

describe('tokens', () => {
  it('have the kinds of the grammar', () => {
    const all = kindNames.filter((name) => !/^[A-Z]+$|end of input|>_/.test(name));
    expect(kinds(all.join(' '))).toEqual(all.map((name) => `${name} ${name}`));
  });

  it('are as long as they can be', () => {
    expect(kinds('a+++b<<=c<=d::e:f&&g&h|=i...'.slice(0, -3))).toEqual([
      'IDENT a',
      '++ ++',
      '+ +',
      'IDENT b',
      '<<= <<=',
      'IDENT c',
      '<= <=',
      'IDENT d',
      ':: ::',
      'IDENT e',
      ': :',
      'IDENT f',
      '&& &&',
      'IDENT g',
      '& &',
      'IDENT h',
      '|= |=',
      'IDENT i',
    ]);
    expect(kinds('>> >>= > > >>> >=')).toEqual([
      '>_ >',
      '> >',
      '>>= >>=',
      '> >',
      '> >',
      '>_ >',
      '> >',
      '> >',
      '>= >=',
    ]);
    expect(kinds('#define R >>\nR')).toEqual(['>_ >', '> >']);
  });

  it('name integers', () => {
    for (const text of [
      '0',
      '7',
      '123',
      '0x1F',
      '0XaB',
      '017',
      '0b101',
      '1u',
      '1U',
      '2l',
      '2L',
      '3ul',
      '3LU',
      '4ll',
      '4ull',
      '4LLu',
      '0xFFu',
    ])
      expect(kinds(text)).toEqual([`INT ${text}`]);
    expect(kinds("'a' '\\'' '\\\\'")).toEqual(["INT 'a'", "INT '\\''", "INT '\\\\'"]);
  });

  it('name floats', () => {
    for (const text of [
      '1.',
      '1.0',
      '.5',
      '1e5',
      '1E+5',
      '1.5e-3',
      '.5e1',
      '1.f',
      '1.0F',
      '1e5f',
      '2.5h',
      '2.5H',
      '3.0l',
      '3.0L',
      '1.#INF',
      '-1.#INF'.slice(1),
      '0x1p3',
      '1.0f16',
      '1.0f64',
      '09.5',
      '08e1',
    ])
      expect(kinds(text)).toEqual([`FLOAT ${text}`]);
  });

  it('see a swizzle where a dot and x or r follow a number', () => {
    expect(kinds('0.xxxx')).toEqual(['INT 0', '. .', 'IDENT xxxx']);
    expect(kinds('1.rrr 2.xy')).toEqual(['INT 1', '. .', 'IDENT rrr', 'INT 2', '. .', 'IDENT xy']);
    expect(kinds('1.0.xxx')).toEqual(['FLOAT 1.0', '. .', 'IDENT xxx']);
    expect(kinds('1..xxx')).toEqual(['FLOAT 1.', '. .', 'IDENT xxx']);
    expect(kinds('.5.x 1.0f.x a.x1.y')).toEqual([
      'FLOAT .5',
      '. .',
      'IDENT x',
      'FLOAT 1.0f',
      '. .',
      'IDENT x',
      'IDENT a',
      '. .',
      'IDENT x1',
      '. .',
      'IDENT y',
    ]);
  });

  it('allow a sign only behind an exponent', () => {
    expect(kinds('1-2 0xe-1 1e-1')).toEqual([
      'INT 1',
      '- -',
      'INT 2',
      'INT 0xe',
      '- -',
      'INT 1',
      'FLOAT 1e-1',
    ]);
  });

  it('are strings and names', () => {
    expect(kinds('"a \\" // b" "" größe _x9 $y _Static_assert')).toEqual([
      'STRING "a \\" // b"',
      'STRING ""',
      'IDENT größe',
      'IDENT _x9',
      'IDENT $y',
      '_Static_assert _Static_assert',
    ]);
  });
});

describe('white space', () => {
  it('is comments, and blanks of any kind', () => {
    expect(kinds('a/**/b/* x\ny */c // d\ne\f\v\t\u00a0f//')).toEqual(
      ['a', 'b', 'c', 'e', 'f'].map((name) => `IDENT ${name}`),
    );
    expect(kinds('a /= b / c')).toEqual(['IDENT a', '/= /=', 'IDENT b', '/ /', 'IDENT c']);
  });

  it('may be any line end, and a byte order mark', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { list, map } = preprocessText(`\ufeff#define A 1${end}\tA${end}${end}b \0c`);
      expect(list.map((token) => `${token.text} ${token.place}`)).toEqual([
        '1 main.hlsl:2:2',
        'b main.hlsl:4:1',
        'c main.hlsl:4:4',
      ]);
      expect(map.files[0]!.text).toBe('#define A 1\n\tA\n\nb  c');
    }
  });

  it('counts columns in bytes', () => {
    const { list } = preprocessText('"é" a /*漢*/ b "😀" c');
    expect(list.map((token) => token.place.split(':')[2])).toEqual(['1', '6', '16', '18', '25']);
  });

  it('is a continued line', () => {
    const { list } = preprocessText('ab\\\ncd\\\r\n1 x\\  \n+\\\n= y // c \\\n c\n"s\\\nt" z');
    expect(list.map((token) => token.text)).toEqual(['abcd1', 'x', '+=', 'y', '"st"', 'z']);
    expect(list.map((token) => token.place.slice(10))).toEqual(['1:1', '3:3', '4:1', '5:3', '7:1', '8:4']);
    expect(list[0]!.shown).toBe('ab\\\ncd\\\n1');
    expect(list[2]!.shown).toBe('+\\\n=');
    const directive = preprocessText('#def\\\nine A(x) \\\n  x + \\\n  1\nA(2)\n__LINE__');
    expect(directive.texts).toBe('2 + 1 6');
  });
});

describe('words', () => {
  it('are found again, however many there are', () => {
    const words = new Words();
    const names = Array.from({ length: 5000 }, (_, i) => `name${i}`);
    const first = names.map((name) => words.intern(name));
    expect(names.every((name, i) => words.intern(name) === first[i])).toBe(true);
    // "Aa" and "BB" have the same hash.
    expect(words.intern('AaAa')).not.toBe(words.intern('BBBB'));
    expect(words.intern('AaAa').text).toBe('AaAa');
  });
});
