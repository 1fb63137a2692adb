/** Lines of the text, indented, each with the position of the source that it stands for. */
import type { Module } from '../ir/ir.ts';
import { type DebugPathOptions, debugPath } from '../source/debug-paths.ts';
import type { PositionId } from '../source/position.ts';
import type { Location } from '../source/source-map.ts';
import type { MapWriter } from './map-writer.ts';
import { readMarks } from './marks.ts';

interface Line {
  /** With marks if there is to be a source map. */
  text: string;
  position: PositionId;
  /** The local that it declares. */
  declared: string | undefined;
}

/** What a name of the text is in the source. */
export interface SourceName {
  name: string;
  location: Location;
}

export class Writer {
  readonly lines: Line[] = [];
  depth = 0;
  /** Of the function. */
  name = '';
  /** Names of the source by those of locals. */
  readonly names: Map<string, SourceName>;

  constructor(names = new Map<string, SourceName>()) {
    this.names = names;
  }

  line(text: string, position: PositionId = 0, declared?: string): void {
    this.lines.push({ text: '    '.repeat(this.depth) + text, position, declared });
  }

  /** A writer of the same depth whose lines may be put elsewhere. */
  fork(): Writer {
    const made = new Writer(this.names);
    made.depth = this.depth;
    return made;
  }

  add(other: Writer): void {
    for (const line of other.lines) this.lines.push(line);
  }
}

/**
 * The lines as text; with `#line` wherever a line's place is not what the count of lines says, if there is to be debug
 * information. Lines without a position are brackets, which go along with what stands before them. `map` learns of every line.
 */
export function joinLines(
  writers: readonly Writer[],
  { positions, sourceMap }: Module,
  wanted: { directives: boolean; paths: DebugPathOptions; map: MapWriter | undefined },
): string {
  const { directives, paths, map } = wanted;
  let text = '';
  let file = '';
  let next = 0;
  const put = (line: string): void => {
    text += `${line}\n`;
    map?.endLine();
  };
  for (const { name, lines, names } of writers) {
    map?.enterFunction(name, names);
    for (const { text: line, position, declared } of lines) {
      if (directives && position !== 0) {
        const place = sourceMap.presumed(positions.get(position).location);
        if (place.name !== file || place.presumedLine !== next) {
          file = place.name;
          next = place.presumedLine;
          put(`#line ${next} "${lineName(debugPath(file, paths))}"`);
        }
      }
      next++;
      if (!map) {
        put(line);
        continue;
      }
      const read = readMarks(line, position);
      if (position !== 0) map.line(read, declared);
      put(read.text);
    }
  }
  return text;
}

function lineName(name: string): string {
  return name.replace(/\\/g, '/').replace(/"/g, '\\"');
}
