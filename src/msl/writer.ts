/** Lines of the text, indented, each with the position of the source that it stands for. */
import type { PositionId, PositionTable } from '../source/position.ts';
import type { SourceMap } from '../source/source-map.ts';

interface Line {
  text: string;
  position: PositionId;
}

export class Writer {
  readonly lines: Line[] = [];
  depth = 0;

  line(text: string, position: PositionId = 0): void {
    this.lines.push({ text: '    '.repeat(this.depth) + text, position });
  }

  /** A writer of the same depth whose lines may be put elsewhere. */
  fork(): Writer {
    const made = new Writer();
    made.depth = this.depth;
    return made;
  }

  add(other: Writer): void {
    for (const line of other.lines) this.lines.push(line);
  }
}

/**
 * The lines as text; with `#line` wherever a line's place is not what the count of lines says. Lines without a position are
 * brackets and declarations, which go along with what stands before them.
 */
export function joinLines(
  writers: readonly Writer[],
  debug: { positions: PositionTable; sourceMap: SourceMap } | undefined,
): string {
  let text = '';
  let file = '';
  let next = 0;
  for (const { lines } of writers)
    for (const { text: line, position } of lines) {
      if (debug && position !== 0) {
        const place = debug.sourceMap.presumed(debug.positions.get(position).location);
        if (place.name !== file || place.presumedLine !== next) {
          file = place.name;
          next = place.presumedLine;
          text += `#line ${next} "${file.replace(/\\/g, '/').replace(/"/g, '\\"')}"\n`;
        }
      }
      text += line + '\n';
      next++;
    }
  return text;
}
