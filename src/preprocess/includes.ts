/**
 * `#include`: the search order, the limits, and opening a file.
 *
 * A quoted name is looked for in the folder of the including file, then in those of the files that include that one
 * (DXC does as MSVC here), then in the include folders; a name in angle brackets in the include folders only. Paths are
 * asked for with `/` and without `.` and `..` steps, so that a file has one path however it is reached.
 */
import type { Location, SourceFile } from '../source/source-map.ts';
import { finishLine, readLine, refuseRest } from './directives.ts';
import * as k from './kinds.ts';
import { Lexer, normalize } from './lex.ts';
import type { Piece } from './macro.ts';
import { expandLine, pieceOf } from './macros.ts';
import { type State, stop } from './state.ts';

const depthLimit = 200;

export function includeDirective(state: State, at: Location): void {
  const { lexer } = state;
  const place = pieceOf(state);
  let start = lexer.location(lexer.pos);
  let end = start + 1;
  let header: { text: string; angled: boolean } | undefined;
  const written = lexer.headerName();
  if (written) {
    header = written;
    start = lexer.location(written.start);
    end = lexer.location(lexer.pos - 1) + 1;
    refuseRest(state, readLine(state)[0], 'include');
  } else {
    const pieces = expandLine(state, readLine(state));
    header = headerFromPieces(pieces);
    start = place.at;
    end = start + place.text.length;
  }
  if (!header || header.text === '') {
    state.log.report('include-name-expected', start, { name: '#include' }, end);
    return;
  }
  const found = findInclude(state, header.text, header.angled);
  if (found === undefined) {
    state.incomplete = true;
    const elsewhere = header.angled && findInclude(state, header.text, false) !== undefined;
    state.log.report(
      elsewhere ? 'include-needs-quotes' : isOfDxc(header.text) ? 'include-of-dxc' : 'include-not-found',
      start,
      { name: header.text },
      end,
    );
    return;
  }
  if (state.once.has(found.path)) return;
  if (state.files.length > depthLimit) {
    state.log.report('include-depth', start, { limit: depthLimit, name: header.text }, end);
    stop(state);
    return;
  }
  const limit = state.options.maxSourceSize;
  if (state.map.size + found.text.length > limit) {
    state.log.report('source-size', start, { limit, name: header.text }, end);
    stop(state);
    return;
  }
  finishLine(state);
  if (!state.dependencies.includes(found.path)) state.dependencies.push(found.path);
  enterFile(state, state.map.add(found.path, found.text, at), found.path);
}

/** A file name spelled by tokens, such as a macro gives: a string, or `<` to `>`. */
export function headerFromPieces(pieces: readonly Piece[]): { text: string; angled: boolean } | undefined {
  const [first] = pieces;
  if (first?.kind === k.STRING) return { text: first.text.slice(1, -1), angled: false };
  if (first?.text !== '<') return undefined;
  let text = '';
  for (const piece of pieces.slice(1)) {
    if (piece.text === '>') return { text, angled: true };
    text += piece.space && text !== '' ? ` ${piece.text}` : piece.text;
  }
  return undefined;
}

/** Asks for the candidates in order. */
export function findInclude(
  state: State,
  name: string,
  angled: boolean,
): { path: string; text: string } | undefined {
  const plain = name.replaceAll('\\', '/');
  const candidates = new Set<string>();
  if (/^(?:[A-Za-z]:)?\//.test(plain)) candidates.add(foldPath(plain));
  else {
    if (!angled)
      for (let i = state.files.length - 1; i >= 0; i--) {
        const { path } = state.files[i]!;
        if (path !== undefined) candidates.add(foldPath(path.slice(0, path.lastIndexOf('/') + 1) + plain));
      }
    for (const folder of state.options.includeDirs)
      candidates.add(foldPath(`${folder.replaceAll('\\', '/') || '.'}/${plain}`));
  }
  for (const path of candidates) {
    const text = load(state, path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

function load(state: State, path: string): string | undefined {
  if (state.texts.has(path)) return state.texts.get(path);
  const given = state.includes(path);
  const text = given === undefined ? undefined : normalize(given);
  state.texts.set(path, text);
  return text;
}

/** `a/./b/../c` as `a/c`. */
export function foldPath(path: string): string {
  const [root] = /^(?:[A-Za-z]:)?\/{0,2}/.exec(path)!;
  const parts: string[] = [];
  for (const part of path.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..' || parts.length === 0 || parts[parts.length - 1] === '..') parts.push(part);
    else parts.pop();
  }
  return root + parts.join('/');
}

/** Goes on reading in a file; `path` is undefined for made-up text. */
export function enterFile(state: State, file: SourceFile, path: string | undefined): void {
  const { log } = state;
  const lexer = new Lexer(file, state.words, (key, at, end) => log.report(key, at, {}, end));
  state.files.push({ lexer, file, path, conditions: [] });
  state.lexer = lexer;
}

/** Headers that DXC has in it, written with templates and inline SPIR-V. */
function isOfDxc(path: string): boolean {
  return /^vk\/(khr\/cooperative_matrix|opcode_selector|spirv)\.h$/.test(path);
}
