/** What reading the IR's text form knows so far, and the files that its places need. */
import type { PositionTable, Scope } from '../source/position.ts';
import type { Location, SourceFile, SourceMap } from '../source/source-map.ts';
import type { EnumType, StructType } from '../types/type.ts';
import type { Builder } from './builder.ts';
import type { DebugVariable, Global, Instruction, Function as IrFunction, Module, Value } from './ir.ts';
import type { PlaceText } from './text-tokens.ts';
import type { TokenReader } from './token-reader.ts';

export interface ReadState {
  tokens: TokenReader;
  map: SourceMap;
  positions: PositionTable;
  files: Map<string, SourceFile>;
  types: Map<string, StructType | EnumType>;
  scopes: Map<string, Scope>;
  globals: Map<string, Global>;
  variables: Map<string, DebugVariable>;
  functions: Map<string, IrFunction>;
  defined: Set<IrFunction>;
  module: Module;
  builder: Builder;
  /** Of the function that is read. */
  values: Map<string, Value>;
  pending: Pending[];
  function: IrFunction | undefined;
}

/** Stands for a value that is used before its definition is read. */
export interface Pending {
  instruction: Instruction;
  operand: number;
  name: string;
  at: number;
}

/** Lays out files of blanks in which every place that the text names exists. */
export function makeFiles(s: ReadState): void {
  const widths = new Map<string, number[]>();
  const need = (file: string, line: number, column: number): void => {
    let lines = widths.get(file);
    if (!lines) widths.set(file, (lines = []));
    while (lines.length < line) lines.push(0);
    lines[line - 1] = Math.max(lines[line - 1]!, column - 1);
  };
  const rows = new Map<string, { name: string; made: boolean; included?: PlaceText }>();
  s.tokens.tokens.forEach((token, i) => {
    if (token.kind === 'word' && token.text === 'file' && s.tokens.tokens[i + 1]?.kind !== 'punctuation') {
      const label = s.tokens.tokens[i + 1]!.text;
      if (!widths.has(label)) widths.set(label, []);
      rows.set(label, fileRow(s, i + 2, label));
    }
    if (!token.place) return;
    need(token.place.file, token.place.line, token.place.column);
    need(token.place.file, token.place.endLine, token.place.endColumn);
  });
  for (const label of [...rows.keys(), ...widths.keys()]) {
    if (s.files.has(label)) continue;
    const row = rows.get(label);
    const text = (widths.get(label) ?? []).map((width) => ' '.repeat(width)).join('\n');
    const from = row?.included ? locationOf(s, row.included) : 0;
    s.files.set(label, s.map.add(row?.name ?? label, text, from, row?.made ? 'made' : 'file'));
  }
}

function fileRow(
  s: ReadState,
  start: number,
  label: string,
): { name: string; made: boolean; included?: PlaceText } {
  const row: { name: string; made: boolean; included?: PlaceText } = { name: label, made: false };
  for (let i = start; ; ) {
    const token = s.tokens.tokens[i]!;
    if (token.kind !== 'word') return row;
    if (token.text === 'named') row.name = s.tokens.tokens[i + 1]!.text;
    else if (token.text === 'included') row.included = s.tokens.tokens[i + 1]!.place!;
    else if (token.text === 'made') row.made = true;
    else return row;
    i += token.text === 'made' ? 1 : 2;
  }
}

export function skipFile(s: ReadState): void {
  s.tokens.name();
  for (;;) {
    if (s.tokens.accept('made')) continue;
    if (s.tokens.accept('named') || s.tokens.accept('included')) s.tokens.take();
    else return;
  }
}

function locationOf(s: ReadState, { file, line, column }: PlaceText): Location {
  const source = s.files.get(file);
  if (!source) s.tokens.fail(`file '${file}' is included from a later one`);
  return source.start + s.map.lineStarts(source)[line - 1]! + column - 1;
}

export function readRange(s: ReadState): { at: Location; end: Location } {
  const place = s.tokens.kind('place').place!;
  return {
    at: locationOf(s, place),
    end: locationOf(s, { ...place, line: place.endLine, column: place.endColumn }),
  };
}

export function readPlace(s: ReadState): Location {
  return readRange(s).at;
}

export function readAtPlace(s: ReadState): Location {
  return s.tokens.accept('at') ? readPlace(s) : 0;
}
