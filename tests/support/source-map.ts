/** Source maps of Metal texts, decoded by the package that browsers' tools use. */
import { decode } from '@jridgewell/sourcemap-codec';
import type { SourceMapFile } from '../../src/index.ts';

/** Places count from 0. */
export interface Segment {
  /** Of the text. */
  line: number;
  start: number;
  /** What the segment covers, up to the next one or the end of the line. */
  token: string;
  source: string;
  original: { line: number; column: number };
  /** The line of the source that it came from; undefined if the map has no text. */
  sourceLine: string | undefined;
  name: string | undefined;
  /** Functions, innermost first. */
  stack: string[];
}

export interface Decoded {
  map: SourceMapFile;
  lines: string[];
  segments: Segment[];
}

/** Throws if a mapping has no place, in the text or in the sources. */
export function decodeMap(text: string, json: string): Decoded {
  const map = JSON.parse(json) as SourceMapFile;
  const lines = text.split('\n');
  const sources = map.sourcesContent.map((one) => one?.split('\n'));
  const frames = framesOf(map);
  const segments = decode(map.mappings).flatMap((row, line) =>
    row.map((fields, i): Segment => {
      const [start, source, originalLine, column, name] = fields as [number, number, number, number, number?];
      if (fields.length < 4) throw new Error(`line ${line}: a mapping without a place`);
      const whole = lines[line]!;
      const sourceLine = sources[source]?.[originalLine];
      if (start >= whole.length) throw new Error(`line ${line}: a mapping behind '${whole}'`);
      if (sources[source] && column > (sourceLine?.length ?? -1))
        throw new Error(`line ${line}: nothing at ${map.sources[source]}:${originalLine}:${column}`);
      return {
        line,
        start,
        token: whole.slice(start, row[i + 1]?.[0] ?? whole.length),
        source: map.sources[source]!,
        original: { line: originalLine, column },
        sourceLine,
        name: name === undefined ? undefined : map.names[name]!,
        stack: stackOf(map, frames.shift()!),
      };
    }),
  );
  if (frames.length > 0) throw new Error(`${frames.length} frames without a mapping`);
  return { map, lines, segments };
}

function framesOf({ x_oneshader: { mappingFrames: runs } }: SourceMapFile): number[] {
  const frames: number[] = [];
  for (let i = 0; i < runs.length; i += 2) for (let n = 0; n < runs[i + 1]!; n++) frames.push(runs[i]!);
  return frames;
}

function stackOf({ x_oneshader: { frames } }: SourceMapFile, innermost: number): string[] {
  const stack: string[] = [];
  for (let at: number | undefined = innermost; at !== undefined; at = frames[at]!.caller)
    stack.push(frames[at]!.function);
  return stack;
}

/** What a compiler takes each line of a text for: file and line (from 1) by `#line`; undefined before the first. */
export function linesInEffect(text: string): ({ file: string; line: number } | undefined)[] {
  let file: string | undefined;
  let next = 0;
  return text.split('\n').map((line) => {
    const directive = /^#line (\d+) "(.*)"$/.exec(line);
    if (directive) {
      next = Number(directive[1]);
      file = directive[2]!;
      return undefined;
    }
    return file === undefined ? undefined : { file, line: next++ };
  });
}
