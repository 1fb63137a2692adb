/** Tokens as text again, for `-P`: on the lines they came from, with `#line` where a line cannot be reached by empty ones. */
import type { SourceMap } from '../source/source-map.ts';
import { GREATER_GLUED } from './kinds.ts';
import type { Tokens } from './token.ts';

/** Up to so many lines are skipped by empty lines. */
const emptyLineLimit = 8;

/** Reading the result gives the same tokens, at the same presumed lines. */
export function printPreprocessed(tokens: Tokens, map: SourceMap): string {
  const out: string[] = [];
  let name: string | undefined;
  let line = 0;
  let pragma = 0;
  let atLineStart = true;
  for (let i = 0; i < tokens.count; i++) {
    const at = tokens.at[i]!;
    const place = map.presumed(at);
    const target = Math.min(place.presumedLine, 0x7fffffff);
    for (let mark = tokens.packMatrix[pragma]; mark && mark.from <= i; mark = tokens.packMatrix[++pragma]) {
      out.push(atLineStart ? '' : '\n', `#pragma pack_matrix(${mark.packing})\n`);
      atLineStart = true;
      line = -1;
    }
    if (place.name !== name || target < line || target - line > emptyLineLimit || line < 0) {
      out.push(atLineStart ? '' : '\n', `#line ${target} ${quoted(place.name)}\n`);
      atLineStart = true;
      name = place.name;
      line = target;
    } else if (target > line) {
      out.push('\n'.repeat(target - line));
      atLineStart = true;
      line = target;
    }
    if (!atLineStart && !touches(tokens, i)) out.push(' ');
    out.push(tokens.texts[i]!);
    atLineStart = false;
  }
  for (const mark of tokens.packMatrix.slice(pragma)) {
    out.push(atLineStart ? '' : '\n', `#pragma pack_matrix(${mark.packing})\n`);
    atLineStart = true;
  }
  if (!atLineStart) out.push('\n');
  return out.join('');
}

/** Whether a token follows the one before it without a gap, so that both are read again as they are. */
function touches(tokens: Tokens, i: number): boolean {
  if (tokens.kinds[i - 1] === GREATER_GLUED) return true;
  const before = tokens.at[i - 1]!;
  return before > 0 && tokens.at[i]! === tokens.end[i - 1]!;
}

function quoted(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&').replaceAll('\n', ' ')}"`;
}
