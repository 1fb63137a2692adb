/** Tokens of the IR's text form. Places (`file:line:column-end`) are one token, so that they can be found before parsing. */

export type IrTokenKind =
  | 'word'
  | 'string'
  | 'number'
  | 'place'
  | 'value'
  | 'global'
  | 'variable'
  | 'punctuation'
  | 'position'
  | 'end';

export interface IrToken {
  kind: IrTokenKind;
  /** Strings without quotes, names without their sigil. */
  text: string;
  at: number;
  place?: PlaceText;
}

export interface PlaceText {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** What is wrong with the text, and where. */
export class IrSyntaxError extends Error {
  constructor(text: string, at: number, message: string) {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    super(`${line}:${at - before.lastIndexOf('\n')}: ${message}`);
    this.name = 'IrSyntaxError';
  }
}

const string = '"(?:[^"\\\\\\n]|\\\\.)*"';
const place = `(?:${string}|[A-Za-z_./][\\w./-]*):\\d+:\\d+(?:-(?:\\d+:)?\\d+)?`;
const patterns: readonly [IrTokenKind | 'skip', RegExp][] = [
  ['skip', /(?:\s|\/\/[^\n]*)+/y],
  ['place', new RegExp(place, 'y')],
  ['string', new RegExp(string, 'y')],
  ['number', /-inf\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?/y],
  ['word', /[A-Za-z_.](?:[\w./]|-(?=[A-Za-z]))*/y],
  ['value', /%[\w.]+/y],
  ['global', /@[\w.]+/y],
  ['variable', /\$[\w.]+/y],
  ['position', /;/y],
  ['punctuation', /[(){}[\]<>,:=]/y],
];

export function tokenize(text: string): IrToken[] {
  const tokens: IrToken[] = [];
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at);
    if (!token) throw new IrSyntaxError(text, at, `unexpected character ${JSON.stringify(text[at])}`);
    const [kind, spelling] = token;
    if (kind !== 'skip') tokens.push(makeToken(kind, spelling, at));
    at += spelling.length;
  }
  tokens.push({ kind: 'end', text: '', at: text.length });
  return tokens;
}

function tokenAt(text: string, at: number): [IrTokenKind | 'skip', string] | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return [kind, match[0]];
  }
  return undefined;
}

function makeToken(kind: IrTokenKind, spelling: string, at: number): IrToken {
  switch (kind) {
    case 'string':
      return { kind, text: JSON.parse(spelling) as string, at };
    case 'value':
    case 'global':
    case 'variable':
      return { kind, text: spelling.slice(1), at };
    case 'place':
      return { kind, text: spelling, at, place: placeOf(spelling) };
    default:
      return { kind, text: spelling, at };
  }
}

function placeOf(spelling: string): PlaceText {
  const [, name, line, column, , endLine, endColumn] = /^(.*):(\d+):(\d+)(-(?:(\d+):)?(\d+))?$/.exec(
    spelling,
  )!;
  return {
    file: name!.startsWith('"') ? (JSON.parse(name!) as string) : name!,
    line: Number(line),
    column: Number(column),
    endLine: Number(endLine ?? line),
    endColumn: Number(endColumn ?? column),
  };
}
