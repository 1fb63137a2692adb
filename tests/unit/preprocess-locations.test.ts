/** Where tokens stand: the outermost macro's name, whatever the way they came; and where they are spelled. */
import { describe, expect, it } from 'vitest';
import { preprocessText, type Setting } from '../support/preprocess.ts';

/** `text place shown` for each token; tokens from macros add `<- spelled`. */
const where = (text: string, setting?: Setting): string[] => {
  const { list, rendered } = preprocessText(text, setting);
  expect(rendered).toBe('');
  return list.map(
    (token) =>
      `${token.text} ${token.place.replace('main.hlsl:', '')} ${token.shown}${token.at < 0 ? ` <- ${token.spelled.replace('main.hlsl:', '')}` : ''}`,
  );
};

describe('locations', () => {
  it('outside macros are where the characters are', () => {
    expect(where('a\n  bc >>d')).toEqual(['a 1:1 a', 'bc 2:3 bc', '> 2:6 >', '> 2:7 >', 'd 2:8 d']);
  });

  it('of a body are the name of the use', () => {
    expect(where('#define M (1 + b)\n  x M;')).toEqual([
      'x 2:3 x',
      '( 2:5 M <- 1:11',
      '1 2:5 M <- 1:12',
      '+ 2:5 M <- 1:14',
      'b 2:5 M <- 1:16',
      ') 2:5 M <- 1:17',
      '; 2:6 ;',
    ]);
  });

  it('of arguments and nested macros are the name of the outermost use', () => {
    expect(where('#define IN(x) x\n#define OUT(y) IN(y) z\nOUT(a)')).toEqual([
      'a 3:1 OUT <- 3:5',
      'z 3:1 OUT <- 2:22',
    ]);
    expect(where('#define IN 1\n#define OUT(y) y\nOUT(IN)')).toEqual(['1 3:1 OUT <- 1:12']);
  });

  it('of a call over several lines are its first', () => {
    expect(where('#define F(x, y) x y\nF\n(\na,\nb\n) c')).toEqual([
      'a 2:1 F <- 4:1',
      'b 2:1 F <- 5:1',
      'c 6:3 c',
    ]);
  });

  it('of a name made by a macro and called outside are the macro', () => {
    expect(where('#define TWICE(x) x x\n#define CALL TWICE\nCALL (q) r')).toEqual([
      'q 3:1 CALL <- 3:7',
      'q 3:1 CALL <- 3:7',
      'r 3:10 r',
    ]);
  });

  it('of pasted and stringized tokens are spelled at the operand left of the operator', () => {
    expect(where('#define G(a, b) a##b\n#define S(a) #a\nG(x, y) S(q)')).toEqual([
      'xy 3:1 G <- 3:3',
      '"q" 3:9 S <- 2:14',
    ]);
    expect(where('#define G(b) pre##b\nG(y)')).toEqual(['prey 2:1 G <- 1:14']);
    expect(where('#define R >>\nR')).toEqual(['> 2:1 R <- 1:11', '> 2:1 R <- 1:12']);
  });

  it('of macros of the command line and of the compiler are the use', () => {
    expect(where('A', { options: { defines: [{ name: 'A', value: '7' }] } })).toEqual([
      '7 1:1 A <- <command line>:1:11',
    ]);
    expect(where('__spirv__ __LINE__').map((line) => line.split(' <-')[0])).toEqual([
      '1 1:1 __spirv__',
      '1 1:11 __LINE__',
    ]);
  });

  it('know the include they are in', () => {
    const { list, map } = preprocessText('#define M m\n#include "a"\nM', {
      files: { a: 'x M\n#include "b"\n', b: 'y' },
    });
    expect(list.map((token) => token.place)).toEqual(['a:1:1', 'a:1:3', 'b:1:1', 'main.hlsl:3:1']);
    const b = map.fileAt(list[2]!.at);
    expect([map.place(b.includedFrom).file.name, map.place(b.includedFrom).line]).toEqual(['a', 2]);
  });

  it('of one file included twice differ', () => {
    const { list, map } = preprocessText('#include "a"\n#include "a"', { files: { a: 'x' } });
    expect(list.map((token) => map.place(map.fileAt(token.at).includedFrom).line)).toEqual([1, 2]);
  });

  it('are never at a #define', () => {
    const { list } = preprocessText('#define F(n) \\\n float n(float x) { \\\n  return x; }\n\n  F(twice)');
    expect(new Set(list.map((token) => token.place))).toEqual(new Set(['main.hlsl:5:3']));
    expect(new Set(list.map((token) => token.shown))).toEqual(new Set(['F']));
  });

  it('of the end of input is behind the text', () => {
    const { tokens, map } = preprocessText('ab\n');
    expect([tokens.kinds[1], map.place(tokens.at[1]!).line]).toEqual([0, 2]);
    expect(preprocessText('').tokens.at[0]).toBe(1);
  });

  it('honour #line but keep the column', () => {
    expect(where('#line 100 "other.h"\n  #define M x\n  M')).toEqual(['x other.h:101:3 M <- 2:13']);
  });
});
