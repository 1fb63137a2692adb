import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile.ts';
import { constfold } from '../../src/passes/constfold.ts';
import { dce } from '../../src/passes/dce.ts';
import { simplifyIf } from '../../src/passes/simplify-if.ts';
import { simplifySwitch } from '../../src/passes/simplify-switch.ts';
import { unroll } from '../../src/passes/unroll.ts';
import { bodyBehind } from '../support/passes.ts';

const declarations = 'file a.hlsl\nscope unit unit at a.hlsl:1:1\nvariable $v "v": int in unit at a.hlsl:1:1';
const behind = (body: string): string =>
  bodyBehind(
    [unroll, constfold, simplifyIf, simplifySwitch, dce],
    '%c: bool, %n: int, %p: ptr<function, int>',
    'void',
    `${body}\nreturn`,
    declarations,
  )
    .slice(0, -1)
    .join('\n');
const counting = (hint: string, body: string, bound = '3', step = 'add %i, 1'): string =>
  `%r: int = loop (%i: int = 0) ${hint}{
%d: bool = less %i, ${bound}
if %d {\nyield\n} else {\nbreak %i\n}
${body}
continue
} continuing {
%j: int = ${step}
repeat %j
}\nstore %p, %r`;

describe('unroll', () => {
  test('a marked loop is written out, debug values with it', () => {
    expect(behind(counting('hint unroll ', 'debug_value $v %i\nstore %p, %i'))).toBe(
      'debug_value $v 0\nstore %p, 0\ndebug_value $v 1\nstore %p, 1\ndebug_value $v 2\nstore %p, 2\nstore %p, 3',
    );
  });

  test('steps of any kind are counted', () => {
    expect(behind(counting('hint unroll ', 'store %p, %i', '10', 'add %i, 4'))).toBe(
      'store %p, 0\nstore %p, 4\nstore %p, 8\nstore %p, 12',
    );
  });

  test('a break and a continue in the middle stay possible', () => {
    const out = behind(
      counting(
        'hint unroll ',
        'if %c {\nbreak 7\n} else {\nyield\n}\nif %c {\ncontinue\n} else {\nyield\n}\nstore %p, %i',
        '2',
      ),
    );
    expect(out).not.toContain('loop');
    expect(out.match(/yield 7/g)).toHaveLength(2);
  });

  test('an exit that a continue passes over does not end the count', () => {
    const out = behind(
      counting(
        'hint unroll ',
        'if %c {\ncontinue\n} else {\nyield\n}\nif true {\nbreak 7\n} else {\nyield\n}\nstore %p, %i',
        '2',
      ),
    );
    expect(out).not.toContain('loop');
    // Continued in both turns, it ends with 2.
    expect(out).toContain('yield 2');
    expect(out.match(/yield 7/g)).toHaveLength(2);
  });

  test('do-while loops count their turns at the end', () => {
    const body = `loop (%i: int = 0) hint unroll {
store %p, %i
continue
} continuing {
%j: int = add %i, 1
%d: bool = less %j, 2
repeat_if %d (%j) ()
}`;
    expect(behind(body)).toBe('store %p, 0\nstore %p, 1');
  });

  test.each([
    ['turns that are not known', 'hint unroll ', '%n', 'store %p, %i'],
    ['too many turns', 'hint unroll ', '5000', 'store %p, %i'],
    ['more turns than were asked for', 'hint unroll 2 ', '3', 'store %p, %i'],
    ['[loop]', 'hint loop ', '2', 'store %p, %i'],
    ['many turns that nobody asks to write out', '', '50', 'store %p, %i'],
  ])('%s: the loop stays', (_, hint, bound, body) => {
    expect(behind(counting(hint, body, bound))).toContain('loop');
  });

  test('a small loop is written out unasked', () => {
    expect(behind(counting('', 'store %p, %i', '2'))).toBe('store %p, 0\nstore %p, 1\nstore %p, 2');
  });

  test.each([
    ['OS3808', 'unroll', 'for (uint i = 0; i < n; i++) o[i] = i;'],
    [
      'OS3809',
      'unroll',
      'for (uint i = 0; i < 1000; i++) { o[i] = i; o[i + 1] = sin(o[i + 2]) * o[i + 3] + o[i]; }',
    ],
    ['OS3809', 'unroll', 'for (uint i = 0; i < 100000; i++) o[i] = i;'],
    ['OS3808', 'unroll', 'for (uint i = 0, j = n; j < 9; i++, j++) o[i] = j;'],
    ['OS3810', 'unroll(2)', 'for (uint i = 0; i < 5; i++) o[i] = i;'],
    ['OS3810', 'unroll(2)', 'for (uint i = 0; i < 5000; i++) o[i] = i;'],
    [
      'OS3811',
      'unroll',
      'for (uint i = 0; i < 3; i++) { switch (n) { case 1: o[i] = 5; continue; case 2: o[i + 1] = 2; break; } o[i + 2] = 4; }',
    ],
  ])('%s tells why [%s] is not obeyed', (code, attribute, loop) => {
    const text = `RWStructuredBuffer<float> o; uint n;\n[numthreads(1, 1, 1)] void main() {\n[${attribute}] ${loop}\n}`;
    const { ok, diagnostics } = compile({
      source: { name: 'a.hlsl', text },
      profile: 'cs_6_0',
      entry: 'main',
    });
    expect(ok).toBe(true);
    expect(diagnostics.map((one) => [one.code, one.severity, one.line])).toEqual([[code, 'warning', 3]]);
  });
});
