/** Macros, directives, conditions and includes. */
import { describe, expect, it } from 'vitest';
import { printPreprocessed } from '../../src/preprocess/print.ts';
import { preprocessText, type Setting } from '../support/preprocess.ts';

/** The tokens, with no message expected. */
function run(text: string, setting?: Setting): string {
  const { texts, rendered } = preprocessText(text, setting);
  expect(rendered).toBe('');
  return texts;
}

describe('macros', () => {
  it('expands object-like and function-like macros', () => {
    expect(run('#define A 1 + B\n#define B 2\nA A')).toBe('1 + 2 1 + 2');
    expect(run('#define F(x, y) x*y\nF(1+2, (3, 4)) F (a,) F\n(1\n,\n2)')).toBe(
      '1 + 2 * ( 3 , 4 ) a * 1 * 2',
    );
    expect(run('#define F(x) [x]\nF F F(1) F')).toBe('F F [ 1 ] F');
    expect(run('#define F() x\nF() F( )')).toBe('x x');
    expect(run('#define OBJ (x) x\nOBJ')).toBe('( x ) x');
    expect(run('#define E\nE E a E')).toBe('a');
  });

  it('ends recursion as the C standard does', () => {
    expect(run('#define foo foo + bar\n#define bar foo\nfoo bar')).toBe('foo + foo foo + bar');
    expect(run('#define a b\n#define b c\n#define c a\na b c')).toBe('a b c');
    expect(run('#define f(x) x f(x)\nf(f(1))')).toBe('1 f ( 1 ) f ( 1 f ( 1 ) )');
    // A name that was hidden when it was read stays so, even as an argument of another macro.
    expect(run('#define NIL(x) x\n#define G_0(x) NIL(G_1)(x)\n#define G_1(x) NIL(G_0)(x)\nG_0(42)')).toBe(
      'G_0 ( 42 )',
    );
    // The standard leaves this one open; clang and GCC both expand it.
    expect(run('#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)')).toBe('2 * 9 * g');
    expect(run('#define AA BB\n#define BB AA\n#define CALL(x) x\nCALL(AA) CALL(CALL(AA))')).toBe('AA AA');
  });

  it("expands the C standard's examples", () => {
    const example3 = `
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };`;
    expect(run(example3)).toBe(
      'f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; ' +
        'f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; ' +
        'int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { "hello" , "" } ;',
    );
    const example4 = `
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\\0d", "abc", '\\4') // this goes away
== 0) str(: \\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)`;
    expect(run(example4.replace(': \\n', ': @n'))).toBe(
      'printf ( "x" "1" "= %d, x" "2" "= %s" , x1 , x2 ) ; ' +
        'fputs ( "strncmp(\\"abc\\\\0d\\", \\"abc\\", \'\\\\4\') == 0" ": @n" , s ) ; ' +
        '"vers2.h" "hello" ; "hello" ", world"',
    );
    const example5 =
      '#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };';
    expect(run(example5)).toBe('int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;');
    const hashHash =
      '#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)';
    expect(run(hashHash)).toBe('"x ## y"');
  });

  it('takes any number of arguments', () => {
    expect(run('#define V(...) f(__VA_ARGS__)\nV() V(1) V(1, 2,3)')).toBe('f ( ) f ( 1 ) f ( 1 , 2 , 3 )');
    expect(run('#define V(a, ...) f(a, __VA_ARGS__)\nV(1,) V(1, 2, 3)')).toBe('f ( 1 , ) f ( 1 , 2 , 3 )');
    expect(run('#define V(a, ...) f(a, ##__VA_ARGS__)\nV(1) V(1, 2) V(1, 2, 3)')).toBe(
      'f ( 1 ) f ( 1 , 2 ) f ( 1 , 2 , 3 )',
    );
    expect(run('#define V(a, rest...) f(a, ##rest)\nV(1) V(1, 2)')).toBe('f ( 1 ) f ( 1 , 2 )');
    expect(run('#define S(...) #__VA_ARGS__\nS() S(a,  b) S("x", y)')).toBe('"" "a, b" "\\"x\\", y"');
    // Counting by place, as many libraries do.
    expect(
      run('#define N_(a,b,c,d,...) d\n#define N(...) N_(__VA_ARGS__,3,2,1,0)\nN(x) N(x,y) N(x,y,z)'),
    ).toBe('1 2 3');
  });

  it('pastes tokens', () => {
    expect(
      run('#define G(a,b) a##b\nG(x,1) G(1,.xx) G(<,<=) G(>,>=) G(>,>) G(&,&) G(1.,5f) G(,) G(a b, c d)'),
    ).toBe('x1 1. xx <<= >>= > > && 1.5f a bc d');
  });

  it('takes macros made by pasting for macros', () => {
    expect(run('#define AB 7\n#define G(a,b) a##b\n#define H(a) G(A, a)\nG(A,B) H(B)')).toBe('7 7');
    expect(run('#define OBJ a ## b ## 1\nOBJ')).toBe('ab1');
  });

  it('expands operands of ## first with legacy macro expansion', () => {
    const text = '#define ONE 1\n#define G(a) x##a\n#define S(a) #a\nG(ONE) S(ONE)';
    expect(run(text)).toBe('xONE "ONE"');
    expect(run(text, { options: { legacyMacroExpansion: true } })).toBe('x1 "ONE"');
  });

  it('keeps white space in strings as it was', () => {
    expect(run("#define S(x) #x\nS( a+b ) S(a  +\tb) S(a\n\nb) S(a /* c */ b) S(>>) S(a>>b) S('\"')")).toBe(
      '"a+b" "a + b" "a b" "a b" ">>" "a>>b" "\'\\"\'"',
    );
    expect(run('#define S(x) #x\n#define X(x) S(x)\n#define B( a ) [ a]\nX(B(1)) X(B( 1 )) S()')).toBe(
      '"[ 1]" "[ 1]" ""',
    );
  });

  it('does not look for a call past the end of a file, or past a directive', () => {
    expect(run('#include "a"\n(1)', { files: { a: '#define F(x) [x]\nF' } })).toBe('F ( 1 )');
    expect(run('#define F(x) [x]\nF\n#define G\n(1)')).toBe('F ( 1 )');
  });

  it('obeys directives within arguments', () => {
    expect(run('#define F(x, y) [x y]\nF(1\n#if 0\n, wrong\n#else\n, 2\n#endif\n)')).toBe('[ 1 2 ]');
    expect(run('#define F(x) x\nF(\n#undef F\n#define F 9\nF)')).toBe('9');
  });

  it('takes empty arguments, calls over lines, and names made by macros', () => {
    const text = `#define GLUE(a, b) a##b
#define TWICE(x) ((x) + (x))
#define EMPTY
#define CALL TWICE
#define ARGS(...) uint4(__VA_ARGS__)
GLUE(foo, ) + GLUE(, foo);
CALL (EMPTY
        2
        * 3);
ARGS(1, 2, TWICE(3), 4).z;`;
    expect(run(text)).toBe(
      'foo + foo ; ( ( 2 * 3 ) + ( 2 * 3 ) ) ; uint4 ( 1 , 2 , ( ( 3 ) + ( 3 ) ) , 4 ) . z ;',
    );
  });

  it('knows the computed macros', () => {
    expect(run('__LINE__\n__LINE__ __FILE__ __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__ __BASE_FILE__')).toBe(
      '1 2 "main.hlsl" 0 1 0 "main.hlsl"',
    );
    expect(
      run('#include "a"\n', { files: { a: '\n__LINE__ __FILE__ __INCLUDE_LEVEL__ __BASE_FILE__' } }),
    ).toBe('2 "a" 1 "main.hlsl"');
    // The line of the outermost use, wherever the name itself stands.
    expect(run('#define L __LINE__\n#define F(x) x L\n\nF(\n\n__LINE__)')).toBe('4 4');
    expect(run('#line 70 "dir\\\\x.h"\n__LINE__ __FILE__')).toBe('70 "dir\\\\x.h"');
    expect(
      run('#define CAT_(a,b) a##b\n#define CAT(a,b) CAT_(a,b)\nCAT(v,__LINE__) CAT(v,__COUNTER__)'),
    ).toBe('v3 v0');
    expect(run('__has_feature(x) __has_attribute(a::b) __has_extension(y)')).toBe('0 0 0');
  });

  it("knows DXC's predefined macros", () => {
    const names = [
      '__hlsl_dx_compiler __HLSL_VERSION __SHADER_TARGET_MAJOR __SHADER_TARGET_MINOR __spirv__',
      '__SPIRV_MAJOR_VERSION__ __SPIRV_MINOR_VERSION__ __DXC_VERSION_MAJOR',
    ].join(' ');
    expect(
      run(names, { options: { profile: 'cs_6_2', languageVersion: 2018, targetEnv: 'vulkan1.3' } }),
    ).toBe('1 2018 6 2 1 1 6 1');
    const stages = {
      ps: 'PIXEL',
      vs: 'VERTEX',
      gs: 'GEOMETRY',
      hs: 'HULL',
      ds: 'DOMAIN',
      cs: 'COMPUTE',
      ms: 'MESH',
      as: 'AMPLIFICATION',
    };
    for (const [profile, stage] of Object.entries(stages)) {
      const text = `#if __SHADER_TARGET_STAGE == __SHADER_STAGE_${stage}\nyes\n#endif`;
      expect(run(text, { options: { profile: `${profile}_6_5` } })).toBe('yes');
    }
    expect(
      run('__SHADER_TARGET_STAGE __SHADER_STAGE_LIBRARY __SHADER_TARGET_MINOR', {
        options: { profile: 'lib_6_x' },
      }),
    ).toBe('6 6 15');
    expect(run('__HLSL_ENABLE_16_BIT')).toBe('__HLSL_ENABLE_16_BIT');
    expect(run('__HLSL_ENABLE_16_BIT', { options: { enable16BitTypes: true } })).toBe('1');
  });

  it('takes macros of the command line', () => {
    const defines = [
      { name: 'A', value: '1' },
      { name: 'F(x)', value: 'x+A' },
      { name: 'EMPTY', value: '' },
      { name: 'LINES', value: 'a\nb' },
    ];
    expect(run('A F(2) EMPTY LINES', { options: { defines } })).toBe('1 2 + 1 a b');
  });

  it('gives names back with #undef', () => {
    expect(run('#define A 1\nA\n#undef A\nA\n#undef NEVER\n#define A 2\nA')).toBe('1 A 2');
  });

  it('obeys _Pragma', () => {
    const { tokens, rendered } = preprocessText(
      '#define P _Pragma("pack_matrix(row_major)") 1\na P b _Pragma("message(\\"hi\\")")',
    );
    expect(tokens.packMatrix).toEqual([{ from: 1, packing: 'row_major' }]);
    expect(rendered).toContain('hi [OS1073]');
  });
});

describe('conditions', () => {
  const holds = (expression: string, before = ''): boolean =>
    run(`${before}\n#if ${expression}\nyes\n#else\nno\n#endif`) === 'yes';

  it.each([
    '1',
    '-1',
    '!0',
    '~0 == -1',
    '1 ? 2 : 0',
    '0 ? 0 : 3',
    '2 + 3 * 4 == 14',
    '(2 + 3) * 4 == 20',
    '7 % 4 == 3',
    '-7 / 2 == -3',
    '-7 % 2 == -1',
    '1 << 4 == 16',
    '256 >> 4 == 16',
    '-8 >> 1 == -4',
    '5 & 3',
    '(5 ^ 3) == 6',
    '(4 | 1) == 5',
    '1 || 1 / 0',
    '!(0 && 1 / 0)',
    '1 ? 1 : 1 / 0',
    '0 ? 1 / 0 : 1',
    '0x10 == 16',
    '010 == 8',
    '0b101 == 5',
    '10u == 10',
    '10ull == 10',
    "'a' == 97",
    "'\\n' == 10",
    "'\\x41' == 65",
    "'\\101' == 65",
    "'ab' == 24930",
    '-1 > 0u',
    '!(-1 > 0)',
    '0xffffffffffffffff == -1',
    '18446744073709551615u + 1 == 0',
    '9223372036854775807 + 1 < 0',
    '0x8000000000000000 > 0',
    '1 < 2 == 1',
    '3 > 2 > 0',
    '1 - 1 - 1 == -1',
    '(2, 3) == 3',
    '1, 1',
    '!UNKNOWN',
    'true',
    '!false',
    '- - 1 == 1',
    '+1',
    '1 << 100 == 0',
    '1 << -1 == 0',
    '(1 ? -1 : 0u) > 0',
    '1 ? 0 ? 0 : 1 : 0',
    'UNKNOWN == 0',
  ])('%s', (expression) => {
    expect(holds(expression)).toBe(true);
  });

  it('asks what is defined', () => {
    expect(holds('defined A && defined(A) && !defined B && !defined ( B )', '#define A B')).toBe(true);
    expect(holds('HAS', '#define A\n#define HAS defined(A)')).toBe(true);
    expect(holds('defined(__LINE__) && defined __has_include && defined __FILE__')).toBe(true);
  });

  it('expands macros', () => {
    expect(holds('F(1, 2) == 3 && E 1', '#define F(a, b) (a + b)\n#define E')).toBe(true);
    expect(holds('__LINE__ == 2')).toBe(true);
    expect(holds('V >= 0x600', '#define V 0x\\\n600')).toBe(true);
    expect(holds('FOO', '#define FOO FOO')).toBe(false);
  });

  it('asks for includes', () => {
    const files = { 'inc/a.h': '' };
    const text =
      '#if __has_include("inc/a.h") && !__has_include("b.h") && __has_include(<a.h>) && !__has_include(<b.h>)\nyes\n#endif';
    expect(run(text, { files, options: { includeDirs: ['inc'] } })).toBe('yes');
  });

  it('takes one group', () => {
    const text = (a: number, b: number): string =>
      `#if ${a}\nA\n#elif ${b}\nB\n#elif 1\nC\n#else\nD\n#endif\nend`;
    expect(run(text(1, 1))).toBe('A end');
    expect(run(text(0, 1))).toBe('B end');
    expect(run(text(0, 0))).toBe('C end');
    expect(run('#ifdef A\na\n#else\nb\n#endif\n#ifndef A\nc\n#else\nd\n#endif')).toBe('b c');
    expect(run('#if 1\n#if 0\na\n#else\nb\n#endif\n#else\n#if 1\nc\n#else\nd\n#endif\n#endif')).toBe('b');
  });

  it('looks at no more of a skipped group than it must', () => {
    expect(
      run(
        '#if 0\n#if garbage (((\n#elif\n#else x\n#endif\n#unknown\n#error no\n#include nothing\n#define\n0x_ @ "open\ndon\'t\n/*\n#endif\n*/ // #endif\n"#endif"\n#endif\nx',
      ),
    ).toBe('x');
    expect(run('#if 1\nx\n#elif 1 / 0\n#elif (\n#endif')).toBe('x');
    expect(run(' # if 0\na\n /* c */ # /* d */ else // e\nb\n#\\\nendif\nc')).toBe('b c');
  });
});

describe('includes', () => {
  it('searches as DXC does', () => {
    const quoted = preprocessText('#include "sub/a.h"', {
      name: 'src/main.hlsl',
      files: { 'src/sub/a.h': '#include "x.h"' },
      options: { includeDirs: ['inc1', './inc2/'] },
    });
    expect(quoted.asked).toEqual(['src/sub/a.h', 'src/sub/x.h', 'src/x.h', 'inc1/x.h', 'inc2/x.h']);
    const angled = preprocessText('#include <sub/x.h>', {
      name: 'src/main.hlsl',
      options: { includeDirs: ['inc1', 'inc2'] },
    });
    expect(angled.asked.slice(0, 2)).toEqual(['inc1/sub/x.h', 'inc2/sub/x.h']);
  });

  it('takes the first that is there', () => {
    const files = { 'inc1/x.h': '1', 'inc2/x.h': '2', 'x.h': '0', 'src/x.h': 's' };
    const options = { includeDirs: ['inc1', 'inc2'] };
    expect(run('#include "x.h"\n#include <x.h>', { files, options })).toBe('0 1');
    expect(run('#include "x.h"', { files, options, name: 'src/m.hlsl' })).toBe('s');
    expect(run('#include "y.h"', { files: { 'inc2/y.h': 'y' }, options })).toBe('y');
  });

  it('reads the name in every form', () => {
    const files = { 'a/b.h': 'ok', '/abs/c.h': 'abs', 'c:/d.h': 'drive', 'a b.h': 'blank' };
    expect(
      run(
        '#include "a\\b.h"\n#include "./a/../a//b.h"\n#include "/abs/c.h"\n#include "C:/../c:/d.h"\n#include "c:\\d.h"\n#include "a b.h" // c',
        { files: { ...files, 'C:/../c:/d.h': 'up' } },
      ),
    ).toBe('ok ok abs up drive blank');
    expect(
      run(
        '#define NAME "a/b.h"\n#include NAME\n#define ANGLE <b.h>\n#include ANGLE\n#define P(x) <x.h>\n#include P(b)',
        { files, options: { includeDirs: ['a'] } },
      ),
    ).toBe('ok ok ok');
  });

  it('includes a file once that says so, by its path', () => {
    const files = { 'a.h': '#pragma once\na', 'b/b.h': '#include "../a.h"\n#include "b/../../a.h"\nb' };
    expect(run('#include "a.h"\n#include "./a.h"\n#include "b/b.h"\n#include "b/b.h"', { files })).toBe(
      'a b b',
    );
  });

  it('lists what it read, each file once', () => {
    const { dependencies, mainFile, map } = preprocessText('#include "b.h"\n#include "a.h"\n#include "b.h"', {
      files: { 'a.h': '', 'b.h': '#include "c/c.h"', 'c/c.h': '' },
    });
    expect(dependencies).toEqual(['main.hlsl', 'b.h', 'c/c.h', 'a.h']);
    expect(map.files.filter((file) => file.kind === 'file').map((file) => file.name)).toEqual([
      'main.hlsl',
      'b.h',
      'c/c.h',
      'a.h',
      'b.h',
      'c/c.h',
    ]);
    expect(mainFile.start).toBe(1);
  });

  it('asks the handler once for each path', () => {
    const { asked } = preprocessText('#include "a.h"\n#include "a.h"\n#include "no.h"\n#include "no.h"', {
      files: { 'a.h': '' },
    });
    expect(asked).toEqual(['a.h', 'no.h']);
  });

  it('reads 200 levels and no more', () => {
    const deep = (n: number) =>
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [`f${i + 1}`, i + 1 < n ? `#include "f${i + 2}"` : 'bottom']),
      );
    expect(run('#include "f1"', { files: deep(200) })).toBe('bottom');
    expect(preprocessText('#include "f1"', { files: deep(201) }).keys).toEqual(['include-depth']);
  });

  it('ends cycles, however they branch', () => {
    const cycle = preprocessText('#include "a"\nrest', {
      files: { a: '#include "b"\n#include "b"\n', b: '#include "a"\n#include "a"\n' },
    });
    expect(cycle.keys).toEqual(['include-depth']);
    expect(cycle.incomplete).toBe(true);
  });

  it('ends at the size limit', () => {
    const files = { a: `${'x '.repeat(500)}\n#include "a2"`, a2: 'y'.repeat(5000) };
    const limited = preprocessText('#include "a"\nrest', { files, options: { maxSourceSize: 5000 } });
    expect(limited.keys).toEqual(['source-size']);
    expect(limited.rendered).toContain('a:2:10: error');
    expect(preprocessText('x'.repeat(100), { options: { maxSourceSize: 50 } }).keys).toEqual(['source-size']);
  });
});

describe('other directives', () => {
  it('counts lines from where #line says', () => {
    const { list } = preprocessText(
      'a\n#line 40\nb\nc\n#line 7 "x.h"\nd\n#line 9\ne\n#define N 3 "y.h"\n#line N\nf\n# 12 "z.h" 1\ng',
    );
    expect(list.map((token) => token.place)).toEqual([
      'main.hlsl:1:1',
      'main.hlsl:40:1',
      'main.hlsl:41:1',
      'x.h:7:1',
      'x.h:9:1',
      'y.h:3:1',
      'z.h:12:1',
    ]);
  });

  it('ends a #line with its file', () => {
    const { list } = preprocessText('#include "a"\nb', { files: { a: '#line 5 "q"\na' } });
    expect(list.map((token) => token.place)).toEqual(['q:5:1', 'main.hlsl:2:1']);
  });

  it('ignores a null directive and pragmas of others', () => {
    expect(
      run(
        '#\n # // nothing\n#pragma\n#pragma region x\n#pragma endregion\n#pragma warning(disable: 3206)\n#pragma pack(push, 1)\n#pragma def(ps_5_0, c0, 1)\n#pragma clang diagnostic push\na',
      ),
    ).toBe('a');
  });

  it('notes matrix packing with the token it begins at', () => {
    const { tokens } = preprocessText(
      'a b\n#pragma pack_matrix(row_major)\nc\n#define CM column_major\n#pragma pack_matrix( CM )\n',
    );
    expect(tokens.packMatrix).toEqual([
      { from: 2, packing: 'row_major' },
      { from: 3, packing: 'column_major' },
    ]);
  });

  it('switches warnings of a group', () => {
    const text = (pragma: string) => `#define A 1\n${pragma}\n#define A 2\n`;
    expect(preprocessText(text('')).keys).toEqual(['macro-redefined']);
    expect(preprocessText(text('#pragma dxc diagnostic ignored "-Wmacro-redefined"')).keys).toEqual([]);
    expect(preprocessText(text('#pragma dxc diagnostic ignored "-Wother"')).keys).toEqual([
      'macro-redefined',
    ]);
    expect(preprocessText(text('#pragma warning(disable: "macro-redefined")')).keys).toEqual([]);
    expect(preprocessText(text('#pragma dxc diagnostic error "-Wmacro-redefined"')).log.errors).toBe(1);
    const popped =
      '#pragma dxc diagnostic push\n#pragma dxc diagnostic ignored "-Wmacro-redefined"\n#pragma dxc diagnostic pop';
    expect(preprocessText(text(popped)).keys).toEqual(['macro-redefined']);
    const files = { a: '#pragma dxc diagnostic ignored "-Wmacro-redefined"\n' };
    expect(preprocessText(text('#include "a"'), { files }).keys).toEqual([]);
  });

  it('asks about a group at the place, in the order of reading', () => {
    const { log, map } = preprocessText('a\n#include "x"\nb', {
      files: { x: 'c\n#pragma dxc diagnostic ignored "-Wunknown-pragmas"\nd' },
    });
    const [main, x] = map.files.filter((file) => file.kind === 'file');
    const report = (at: number) => log.report('unknown-pragma', at, { name: String(at) });
    for (const at of [
      main!.start,
      x!.start,
      x!.start + x!.text.length - 1,
      main!.start + main!.text.length - 1,
    ])
      report(at);
    expect(log.diagnostics.map((diagnostic) => diagnostic.at)).toEqual([main!.start, x!.start]);
  });
});

describe('-P', () => {
  const print = (text: string, setting?: Setting): string => {
    const { tokens, map } = preprocessText(text, setting);
    return printPreprocessed(tokens, map);
  };

  it('writes tokens on their lines', () => {
    expect(print('a  b\n\n\nc\n')).toBe('#line 1 "main.hlsl"\na b\n\n\nc\n');
    expect(print(`a${'\n'.repeat(20)}b`)).toBe('#line 1 "main.hlsl"\na\n#line 21 "main.hlsl"\nb\n');
    expect(print('a\n#include "i"\nb', { files: { i: 'x\ny' } })).toBe(
      '#line 1 "main.hlsl"\na\n#line 1 "i"\nx\ny\n#line 3 "main.hlsl"\nb\n',
    );
    expect(print('a[1].x+=-b;')).toBe('#line 1 "main.hlsl"\na[1].x+=-b;\n');
    expect(print('')).toBe('');
  });

  it('keeps tokens apart that macros brought together, and >> together', () => {
    expect(print('#define E\n#define M -\n#define G >\nM-M G> >E> a>>b G>=')).toBe(
      '#line 4 "main.hlsl"\n- - - > > > > a>>b > >=\n',
    );
    expect(print('#define S >>\na S 1')).toBe('#line 2 "main.hlsl"\na >> 1\n');
  });

  it('keeps matrix packing', () => {
    expect(print('a\n#pragma pack_matrix(row_major)\nb\n#pragma pack_matrix(column_major)\n')).toBe(
      '#line 1 "main.hlsl"\na\n#pragma pack_matrix(row_major)\n#line 3 "main.hlsl"\nb\n#pragma pack_matrix(column_major)\n',
    );
  });
});
