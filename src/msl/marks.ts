/**
 * Marks in the text of expressions that say which piece came from which position. They are there only if a source map is
 * wanted, and go when lines are put together. Whoever decides by an expression's text looks at the bare text, so that a map
 * changes no token.
 */
import type { PositionId } from '../source/position.ts';

/** Control characters, which no identifier or number of Metal text holds: `open id middle ... close`. */
const open = '\u0001';
const middle = '\u0002';
const close = '\u0003';

/** Text that came from a position, but for the pieces in it that have marks of their own. */
export function marked(position: PositionId, text: string): string {
  return `${open}${position}${middle}${text}${close}`;
}

/** The text without marks. */
export function bare(text: string): string {
  return text.includes(open) ? text.replace(/\u0001[^\u0002]*\u0002|\u0003/g, '') : text;
}

/** Text that was taken out of marked text, with the mark that stood around it. */
export function markedAs(from: string, text: string): string {
  const end = from.startsWith(open) ? from.indexOf(middle) : -1;
  return end < 0 ? text : `${from.slice(0, end + 1)}${text}${close}`;
}

/** From `column` on (from 0) the text came from a position. */
export interface Mark {
  column: number;
  position: PositionId;
}

/** A line's bare text and its marks in order; `position` is that of the line. */
export function readMarks(line: string, position: PositionId): { text: string; marks: Mark[] } {
  const marks: Mark[] = [];
  const around = [position];
  let text = '';
  const put = (at: PositionId): void => {
    if (marks[marks.length - 1]?.column === text.length) marks.pop();
    if (marks[marks.length - 1]?.position !== at) marks.push({ column: text.length, position: at });
  };
  const indent = line.length - line.trimStart().length;
  text = line.slice(0, indent);
  put(position);
  for (const piece of line.slice(indent).match(/\u0001[^\u0002]*\u0002|\u0003|[^\u0001\u0003]+/g) ?? []) {
    if (piece.startsWith(open)) {
      around.push(Number(piece.slice(1, -1)));
      put(around[around.length - 1]!);
    } else if (piece === close) {
      around.pop();
      put(around[around.length - 1]!);
    } else text += piece;
  }
  if (marks[marks.length - 1]?.column === text.length) marks.pop();
  return { text, marks };
}
