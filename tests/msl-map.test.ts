/** Source maps of the corpus in Metal: each mapping has a place, names are those of the source, `#line` says the same. */
import { describe, expect, it } from 'vitest';
import { compile } from '../src/index.ts';
import { plain } from '../src/msl/names.ts';
import { corpusJobs, corpusOptions } from './support/corpus.ts';
import { type Decoded, decodeMap, linesInEffect, type Segment } from './support/source-map.ts';

interface Made extends Decoded {
  /** For messages. */
  what: string;
  level: 0 | 3;
  text: string;
}

const made: Made[] = [];
const differing: string[] = [];
for (const job of corpusJobs)
  for (const level of [0, 3] as const) {
    const given = { ...corpusOptions(job), target: 'msl' as const, optimize: level, debugInfo: true };
    const with_ = compile({ ...given, metal: { version: '3.2', sourceMap: 'x.metal' } });
    if (!with_.mslMap) continue;
    const what = `${job.file} ${given.entry} -O${level}`;
    if (compile({ ...given, metal: { version: '3.2' } }).msl !== with_.msl) differing.push(what);
    made.push({ what, level, text: with_.msl!, ...decodeMap(with_.msl!, with_.mslMap) });
  }

const show = ({ what }: Made, { line, start, token, source, original, sourceLine }: Segment): string =>
  `${what} ${line + 1}:${start + 1} '${token}' -> ${source}:${original.line + 1}:${original.column + 1} '${sourceLine}'`;

/** What does not hold of segments, at most ten. */
function faults(holds: (segment: Segment, of: Made) => boolean): string[] {
  const found = made.flatMap((one) =>
    one.segments.filter((segment) => !holds(segment, one)).map((segment) => show(one, segment)),
  );
  return found.slice(0, 10).concat(found.length > 10 ? [`and ${found.length - 10} more`] : []);
}

const hasWord = (line: string | undefined, word: string): boolean =>
  line !== undefined && new RegExp(`(?<!\\w)${word}(?!\\w)`).test(line);

describe('source maps of the corpus', () => {
  it('are there for most of the corpus, and change no byte of the text', () => {
    expect(made.length).toBeGreaterThan(150);
    expect(differing).toEqual([]);
  });

  it('map every line of code from its first character on, and nothing else', () => {
    const wrong = made.flatMap(({ what, lines, segments, map }) => {
      const first = new Map<number, number>();
      for (const { line, start } of segments) if (!first.has(line)) first.set(line, start);
      return lines.flatMap((text, i) => {
        const inFunction = map.x_oneshader.functions.some(({ start, end }) => i >= start && i <= end);
        const isCode = inFunction && /[;(]/.test(text) && !/^ *default: break;$/.test(text);
        const at = first.get(i);
        const isRight = isCode ? at === text.search(/\S/) : at === undefined || inFunction;
        return isRight ? [] : [`${what} ${i + 1} ${text}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('agree with the #line in effect at the beginning of every line', () => {
    const wrong = made.flatMap((one) => {
      const inEffect = linesInEffect(one.text);
      const seen = new Set<number>();
      return one.segments.flatMap((segment) => {
        if (seen.has(segment.line)) return [];
        seen.add(segment.line);
        const place = inEffect[segment.line];
        const agrees = place?.file === segment.source && place.line === segment.original.line + 1;
        return agrees ? [] : [`${show(one, segment)} but ${place?.file}:${place?.line}`];
      });
    });
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it('name identifiers of the text as the source does', () => {
    const isNumbered = (token: string, name: string) =>
      token.startsWith(name) && /^(_\d+)+$/.test(token.slice(name.length));
    const isOwn = (token: string, name: string) =>
      token === plain(name) || isNumbered(token, plain(name)) || (token === 'self' && name === 'this');
    expect(faults(({ name, token }) => name === undefined || isOwn(token, name))).toEqual([]);
  });

  it('lead from a name to a line of the source that has it, without the optimizer', () => {
    // What a function needs of resources is handed down, which the source does not say.
    const isHandedDown = ({ line }: Segment, { lines, map }: Made) =>
      map.x_oneshader.functions.some(({ name }) => lines[line]!.includes(`${name}(`));
    // Outputs are members of what the source returns.
    const isOutput = ({ line, sourceLine }: Segment, { lines }: Made) =>
      /^ *out\./.test(lines[line]!) || /^ *return /.test(sourceLine ?? '');
    // The parameter 'layer' of a function of terrain.hlsl stands for it.
    const isArgument = ({ name }: Segment) => name === 'layers';
    const isThis = ({ name }: Segment) => name === 'this';
    expect(
      faults(
        (one, of) =>
          of.level > 0 ||
          one.name === undefined ||
          hasWord(one.sourceLine, one.name) ||
          isHandedDown(one, of) ||
          isOutput(one, of) ||
          isThis(one) ||
          isArgument(one),
      ),
    ).toEqual([]);
  });

  it('lead from declarations to those of the source', () => {
    const isDeclared = ({ line, start }: Segment, { lines }: Made) =>
      /^\s*(for \()?(const |threadgroup )?[\w:<>, ]*[\w>] $/.test(lines[line]!.slice(0, start)) &&
      !/(return|else) $/.test(lines[line]!.slice(0, start));
    const declared = made.flatMap((one) => one.segments.filter((segment) => isDeclared(segment, one)));
    expect(declared.filter(({ name }) => name !== undefined).length).toBeGreaterThan(1000);
    expect(
      faults(
        (one, of) => one.name === undefined || !isDeclared(one, of) || hasWord(one.sourceLine, one.name),
      ),
    ).toEqual([]);
  });

  it('lead from a call to a line of the source that has it', () => {
    const same =
      /metal::(dot|normalize|cross|length|distance|reflect|pow|exp|exp2|log2|sin|cos|sqrt|rsqrt|floor|smoothstep)\($/;
    expect(
      faults(({ token, sourceLine }) => {
        const call = same.exec(token)?.[1];
        return call === undefined || hasWord(sourceLine, call) || hasWord(sourceLine, 'sincos');
      }),
    ).toEqual([]);
  });
});
