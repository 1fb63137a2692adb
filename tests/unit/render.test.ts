/** Diagnostics as text, and the places they name. */
import { describe, expect, it } from 'vitest';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { renderDiagnostic, renderDiagnostics } from '../../src/source/render.ts';
import { SourceMap, utf8Length } from '../../src/source/source-map.ts';
import { preprocessText, type Setting } from '../support/preprocess.ts';

/** An error at the token `bad` (with `end`, up to the end of the token `end`), rendered. */
function render(text: string, setting?: Setting, style?: 'text' | 'msbuild'): string {
  const { list, map } = preprocessText(text, setting);
  const log = new DiagnosticLog();
  const bad = list.find((token) => token.text === 'bad')!;
  const end = list.find((token) => token.text === 'end');
  log.report('unknown-identifier', bad.at, { name: 'bad' }, end?.end);
  return renderDiagnostics(log.diagnostics, map, style);
}

describe('text', () => {
  it('shows the line and a caret', () => {
    expect(render('\n  x = bad + 1;')).toBe(
      "main.hlsl:2:7: error: use of undeclared identifier 'bad' [OS3001]\n  x = bad + 1;\n      ^\n",
    );
  });

  it('shows a range, to the end of the line at most', () => {
    expect(render('x(bad + end)')).toBe(
      "main.hlsl:1:3: error: use of undeclared identifier 'bad' [OS3001]\nx(bad + end)\n  ^~~~~~~~~\n",
    );
    expect(render('x(bad +\nend)')).toContain('\nx(bad +\n  ^~~~~\n');
  });

  it('keeps tabs, and counts wide characters as terminals do', () => {
    expect(render('\tx\tbad')).toContain('\n\tx\tbad\n\t \t^\n');
    expect(render('/* 漢字 é e\u0301 😀 */ bad end')).toContain(`\n${' '.repeat(18)}^~~~~~~\n`);
    expect(render('x /* 漢 */ bad /* 漢 */ end')).toContain(`\n${' '.repeat(11)}^${'~'.repeat(15)}\n`);
    expect(render('/* é */ bad')).toContain('main.hlsl:1:10: error');
  });

  it('cuts long lines around the caret', () => {
    const lines = render(`${'x '.repeat(500)}bad ${'y '.repeat(500)}`).split('\n');
    expect(lines[1]!.length).toBeLessThan(260);
    expect(lines[1]!.slice(lines[2]!.indexOf('^')).startsWith('bad y')).toBe(true);
    expect(lines[1]!.startsWith('...') && lines[1]!.endsWith('...')).toBe(true);
  });

  it('shows both the use and the spelling of a token from a macro', () => {
    expect(render('#define M(x) x + bad\n\n  y = M(1);')).toBe(
      "main.hlsl:3:7: error: use of undeclared identifier 'bad' [OS3001]\n  y = M(1);\n      ^\n" +
        'main.hlsl:1:18: note: expanded from macro here\n#define M(x) x + bad\n                 ^\n',
    );
    expect(render('#define LONG(x) x \\\n  + bad\nLONG(1)')).toContain(
      'main.hlsl:2:5: note: expanded from macro here\n',
    );
    expect(render('#define LONG(x) x\nLONG(bad)')).toContain('main.hlsl:2:1: error: ');
    expect(render('#define LONG(x) x\nLONG(bad)')).toContain(
      'main.hlsl:2:6: note: spelled here\nLONG(bad)\n     ^\n',
    );
  });

  it('shows the include stack, and again only when it changes', () => {
    const files = { a: '\n#include "b"', b: 'bad' };
    const stack = 'In file included from main.hlsl:1:\nIn file included from a:2:\n';
    expect(render('#include "a"', { files })).toBe(
      `${stack}b:1:1: error: use of undeclared identifier 'bad' [OS3001]\nbad\n^\n`,
    );
    const { log, map } = preprocessText('#include "a"\n', { files: { a: '@ @\n#line 5 "q"\n@' } });
    const once = 'In file included from main.hlsl:1:\n';
    expect(renderDiagnostics(log.diagnostics, map).split(once).length).toBe(2);
    expect(log.diagnostics.every((diagnostic) => renderDiagnostic(diagnostic, map).startsWith(once))).toBe(
      true,
    );
  });

  it('honours #line', () => {
    expect(render('#line 40 "made/up.hlsl"\n\n bad')).toBe(
      "made/up.hlsl:41:2: error: use of undeclared identifier 'bad' [OS3001]\n bad\n ^\n",
    );
  });

  it('shows macros of the command line', () => {
    expect(render('A', { options: { defines: [{ name: 'A', value: 'bad' }] } })).toContain(
      '<command line>:1:11: note: expanded from macro here\n#define A bad\n          ^\n',
    );
  });

  it('shows what has no place', () => {
    const log = new DiagnosticLog();
    log.report('internal-error', 0, { text: 'two\nlines' });
    expect(renderDiagnostics(log.diagnostics, new SourceMap())).toBe(
      'error: internal compiler error: two lines [OS9001]\n',
    );
  });

  it('shows notes', () => {
    const { rendered } = preprocessText('#define A 1\n#define A 2');
    expect(rendered).toBe(
      "main.hlsl:2:9: warning: macro 'A' is defined again with another meaning [OS1034]\n#define A 2\n        ^\n" +
        "main.hlsl:1:9: note: macro 'A' is defined here\n#define A 1\n        ^\n",
    );
  });

  it('shows the end of the text', () => {
    const { map } = preprocessText('ab');
    const log = new DiagnosticLog();
    log.report('unknown-identifier', 3, { name: 'x' });
    expect(renderDiagnostics(log.diagnostics, map)).toContain('main.hlsl:1:3: error');
    expect(renderDiagnostics(log.diagnostics, map)).toContain('\nab\n  ^\n');
  });
});

describe('msbuild', () => {
  it('counts columns as IDEs do', () => {
    expect(render('/* 漢 é 😀 */ bad', {}, 'msbuild')).toMatch(/^main\.hlsl\(1,14\): /);
    expect(render('\n#line 40 "x.hlsl"\n/* 漢 */ bad', {}, 'msbuild')).toMatch(/^x\.hlsl\(40,9\): /);
  });

  it('is a line each', () => {
    expect(render('#define M bad\n M', {}, 'msbuild')).toBe(
      "main.hlsl(2,2): error OS3001: use of undeclared identifier 'bad'\nmain.hlsl(1,11): note: expanded from macro here\n",
    );
    const log = new DiagnosticLog();
    log.report('internal-error', 0, { text: 'x' });
    expect(renderDiagnostics(log.diagnostics, new SourceMap(), 'msbuild')).toBe(
      'oneshader: error OS9001: internal compiler error: x\n',
    );
  });
});

describe('log', () => {
  it('obeys its policy', () => {
    const report = (policy: Partial<ConstructorParameters<typeof DiagnosticLog>[0]>) => {
      const log = new DiagnosticLog({
        warningsAsErrors: false,
        noWarnings: false,
        disabledWarnings: [],
        groupsAsErrors: {},
        ...policy,
      });
      log.report('unknown-pragma', 1, { name: 'x' });
      log.report('unknown-pragma', 1, { name: 'x' });
      return [log.diagnostics.map((diagnostic) => diagnostic.severity), log.errors];
    };
    expect(report({})).toEqual([['warning'], 0]);
    expect(report({ warningsAsErrors: true })).toEqual([['error'], 1]);
    expect(report({ noWarnings: true, warningsAsErrors: true })).toEqual([[], 0]);
    expect(report({ disabledWarnings: ['unknown-pragmas'] })).toEqual([[], 0]);
    expect(report({ groupsAsErrors: { 'unknown-pragmas': true } })).toEqual([['error'], 1]);
    const kept = { warningsAsErrors: true, groupsAsErrors: { 'unknown-pragmas': false } };
    expect(report(kept)).toEqual([['warning'], 0]);
  });

  it('collects so many warnings, and says when there are more', () => {
    const { log } = preprocessText('#pragma what\n'.repeat(1500));
    expect(log.diagnostics.length).toBe(1000);
    expect(log.diagnostics[999]!.notes[0]!.message).toBe('more than 1000 warnings; the rest is not shown');
  });
});

describe('source map', () => {
  it('counts lines and bytes as a plain count does, however it is asked', () => {
    const line = 'aé漢😀\t'.repeat(700);
    const text = `${line}\n\n${'x'.repeat(3000)}\n${line}`;
    const map = new SourceMap();
    map.add('first', 'abc\n', 0);
    const file = map.add('second', text, 0);
    map.addLineMark(file, file.start + line.length + 1, 10);
    for (let i = 0; i < 4000; i++) {
      const offset = (i * 7919) % (text.length + 1);
      const before = text.slice(0, offset);
      const start = before.lastIndexOf('\n') + 1;
      const lines = before.split('\n').length;
      const place = map.presumed(file.start + offset);
      expect([place.file, place.line, place.column]).toEqual([
        file,
        lines,
        utf8Length(text, start, offset) + 1,
      ]);
      expect(place.presumedLine).toBe(lines === 1 ? 1 : lines + 8);
    }
  });

  it('keeps a name of #line until the next', () => {
    const map = new SourceMap();
    const file = map.add('f', 'a\nb\nc\nd', 0);
    map.addLineMark(file, 3, 7);
    map.addLineMark(file, 5, 1, 'g');
    map.addLineMark(file, 7, 20);
    expect(
      [1, 3, 5, 7]
        .map((at) => map.presumed(at))
        .map((place) => [place.name, place.presumedLine, place.renamed]),
    ).toEqual([
      ['f', 1, false],
      ['f', 7, false],
      ['g', 1, true],
      ['g', 20, true],
    ]);
  });

  it('knows what is read first', () => {
    const { map } = preprocessText('x\n#include "a"\ny', { files: { a: 'p\n#include "b"\nq', b: 'z' } });
    const [main, a, b] = map.files.filter((file) => file.kind === 'file');
    const order = [
      main!.start,
      a!.start,
      b!.start,
      a!.start + a!.text.length - 1,
      main!.start + main!.text.length - 1,
    ];
    for (let i = 0; i < order.length; i++)
      for (let j = 0; j < order.length; j++)
        expect(Math.sign(map.compare(order[i]!, order[j]!))).toBe(Math.sign(i - j));
  });
});
